#!/bin/sh
# t0550-package.t - defends: the Python package: scenarios of text, mappings and quantities reach the program as they are, its messages come
# back as exceptions, results as datasets with the numbers of the table, scans as points, and pictures as figures.  The checks are
# in t/python/test_package.py, for pytest; those of wilson.Run in test_run.py.
# shellcheck source=t/tap/tap.sh
. "${WN_SRCDIR:-.}/t/tap/tap.sh"
[ "${WN_FAST:-0}" != 1 ] || skip_all "WN_FAST=1: the package does not depend on the build"
find_python
[ -n "$python" ] || skip_all "no Python with netCDF4, xarray and matplotlib (set WN_PYTHON)"
"$python" -c 'import pytest' >/dev/null 2>&1 || skip_all "no pytest in $python (Debian package python3-pytest)"
need_wilson
scratch t0550-package.tmp
case $src in /*) ;; *) src=$PWD/$src ;; esac
case $wilson in /*) ;; *) wilson=$PWD/$wilson ;; esac
WILSON=$wilson MPLBACKEND=Agg MPLCONFIGDIR=$PWD/$dir PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$src/python
export WILSON MPLBACKEND MPLCONFIGDIR PYTHONDONTWRITEBYTECODE PYTHONPATH
"$python" -m pytest -q -rA -p no:cacheprovider --basetemp "$dir/tmp" "$src/t/python/test_package.py" "$src/t/python/test_run.py" >"$dir/out" 2>&1
status=$?
sed -n 's/^\(PASSED\|FAILED\|ERROR\|SKIPPED\) \([^ ]*::\)\{0,1\}\(.*\)/\1 \3/p' "$dir/out" >"$dir/verdicts"
while read -r verdict name; do
  case $verdict in
  SKIPPED) skip "$name" "pytest says so" ;;
  *) [ "$verdict" = PASSED ]; report $? "$name" ;;
  esac
done <"$dir/verdicts"
[ $status -eq 0 ] && [ "$(grep -c . "$dir/verdicts")" -ge 20 ]
report $? "pytest ends with 0" "$(tail -n 40 "$dir/out")"
rm -rf "$dir"
finish
