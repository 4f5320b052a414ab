#!/bin/sh
# t0924-notebooks.t - defends: the notebooks of doc/notebooks/ run with the package as it is, print what is stored in them, and their own
# comparisons with published and known values hold (t/manual/notebooks.py).  Pictures are drawn with WN_LONG=1.
# shellcheck source=t/tap/tap.sh
. "${WN_SRCDIR:-.}/t/tap/tap.sh"
[ "${WN_FAST:-0}" != 1 ] || skip_all "WN_FAST=1: what is printed does not depend on the build"
find_python
[ -n "$python" ] || skip_all "no Python with netCDF4, xarray and matplotlib (set WN_PYTHON)"
need_wilson
scratch t0924-notebooks.tmp
case $src in /*) ;; *) src=$PWD/$src ;; esac
case $wilson in /*) ;; *) wilson=$PWD/$wilson ;; esac
WILSON=$wilson MPLBACKEND=Agg MPLCONFIGDIR=$PWD/$dir PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$src/python
export WILSON MPLBACKEND MPLCONFIGDIR PYTHONDONTWRITEBYTECODE PYTHONPATH
cd "$dir" || exit 1
"$python" "$src/t/manual/notebooks.py" run "$src"/doc/notebooks/*.ipynb
status=$?
cd .. && rm -rf t0924-notebooks.tmp
exit $status
