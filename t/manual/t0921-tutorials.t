#!/bin/sh
# t0921-tutorials.t - defends: the commands of the tutorials run, and print what the pages show (t/manual/commands.py).  Runs of a CPU
# have the same bits with any number of threads, so that lines are compared as they are.  Pictures are drawn with WN_LONG=1.
# shellcheck source=t/tap/tap.sh
. "${WN_SRCDIR:-.}/t/tap/tap.sh"
need_wilson
command -v python3 >/dev/null 2>&1 || skip_all "there is no python3"
find_python
WN_PYTHON_MANUAL=$python
export WN_PYTHON_MANUAL
pages=
for page in "$src"/doc/tutorials/*.md; do pages="$pages ${page#"$src"/}"; done
# shellcheck disable=SC2086 # words
exec python3 "$src/t/manual/commands.py" run "$src" "$wilson" $pages
