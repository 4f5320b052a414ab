#!/bin/sh
# t0922-recipes.t - defends: the commands of doc/howto.md run, and print what the page shows (t/manual/commands.py).  Runs of a CPU
# have the same bits with any number of threads, so that lines are compared as they are.  Pictures are drawn with WN_LONG=1.
# shellcheck source=t/tap/tap.sh
. "${WN_SRCDIR:-.}/t/tap/tap.sh"
need_wilson
command -v python3 >/dev/null 2>&1 || skip_all "there is no python3"
find_python
WN_PYTHON_MANUAL=$python
export WN_PYTHON_MANUAL
exec python3 "$src/t/manual/commands.py" run "$src" "$wilson" doc/howto.md
