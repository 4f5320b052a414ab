# shellcheck shell=sh disable=SC2034 # what reads it uses its variables
# t/tap/tap.sh - the producer of TAP of shell tests, which read it first:
#
#   . "${WN_SRCDIR:-.}/t/tap/tap.sh"
#   report $? "what was done"
#   finish
#
# It sets $src, the top of the source, and $wilson, the program.
src=${WN_SRCDIR:-.}
wilson=${WN_BUILDDIR:-.}/wilson
n=0
status=0

report() { # report STATUS NAME [WHAT-IS-WRONG]
  n=$((n + 1))
  if [ "$1" = 0 ]; then
    echo "ok $n - $2"
  else
    status=1
    echo "not ok $n - $2"
    [ -z "${3:-}" ] || printf '%s\n' "$3" | sed 's/^/# /' | head -n 20
  fi
}

skip() { # skip NAME REASON: one check
  n=$((n + 1))
  echo "ok $n - $1 # skip $2"
}

skip_all() { # skip_all REASON: before any check
  echo "1..0 # skip $1"
  exit 0
}

bail_out() { # bail_out REASON
  echo "Bail out! $1"
  exit 1
}

scratch() { # scratch NAME: $dir, a new folder
  dir=$1
  rm -rf "$dir" && mkdir "$dir" || exit 1
}

find_python() { # $python: one that wilson-plot can be run with, or empty; the modules are found and not loaded, which takes longer
  for python in "${WN_PYTHON:-}" /usr/bin/python3 python3 ''; do
    [ -n "$python" ] && "$python" -c 'import sys
from importlib.util import find_spec
sys.exit(not all(map(find_spec, ("netCDF4", "xarray", "matplotlib"))))' >/dev/null 2>&1 && return
  done
}

# forked PROGRAM ARGUMENT...: as "$python" PROGRAM ARGUMENT..., in a copy of one process that has loaded matplotlib (t/tap/forked.py), which is
# started by the first.
asking=
forked() {
  if [ -z "$asking" ]; then
    asking=$PWD/$dir/asking
    mkfifo "$asking" "$asking.status" || exit 1
    "$python" "$src/t/tap/forked.py" <"$asking" >"$asking.status" &
    exec 8>"$asking" 9<"$asking.status"
  fi
  { printf '%s\037' "$asking.out" "$asking.err" "$@" && echo; } >&8
  code=
  read -r code <&9
  cat "$asking.out"
  cat "$asking.err" >&2
  return "${code:-1}"
}

refusals() { # refusals N: N command lines of $plot, from standard input, that are refused in $dir (t/tap/refusals.py)
  cat >"$dir/refusals"
  forked "$src/t/tap/refusals.py" "$plot" "$dir" "$dir/refusals" >"$dir/refused" 2>"$dir/err"
  report $? "command lines that are refused" "$(cat "$dir/err")"
  grep '^#' "$dir/refused"
  grep '^[01]' "$dir/refused" >"$dir/verdicts"
  while read -r bad name; do report "$bad" "$name"; done <"$dir/verdicts"
  [ "$(wc -l <"$dir/verdicts")" -eq "$1" ]
  report $? "all $1 were tried"
}

need_wilson() {
  [ -x "$wilson" ] || bail_out "$wilson is not built"
}

finish() {
  [ -z "$asking" ] || { exec 8>&- && wait; }
  echo "1..$n"
  exit "$status"
}
