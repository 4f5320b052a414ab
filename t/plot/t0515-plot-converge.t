#!/bin/sh
# t0515-plot-converge.t - defends: wilson-plot draws the file of `wilson converge`, a panel for each parameter that was made finer,
# without those that were refused, and of each result the difference in per cent of the coarser value.  Reference: by hand.
# shellcheck source=t/tap/tap.sh
. "${WN_SRCDIR:-.}/t/tap/tap.sh"
[ "${WN_FAST:-0}" != 1 ] || skip_all "WN_FAST=1: pictures do not depend on the build"
[ "${WN_PICTURES:-1}" != 0 ] || skip_all "WN_PICTURES=0: pictures are drawn in another turn"
find_python
[ -n "$python" ] || skip_all "no Python with netCDF4, xarray and matplotlib (set WN_PYTHON)"
need_wilson
scratch t0515-plot-converge.tmp
MPLCONFIGDIR=$PWD/$dir
export MPLCONFIGDIR

cat >"$dir/a.cfg" <<'END'
fields = ["100 Td"]; electrons = 64; groups = 8; duration = "5 ps"; relaxation = "2 ps"; sampling = { interval = "0.25 ps"; block = 4; };
gas = { components = { N2 = { file = "builtin:air"; }; }; };
END
"$wilson" converge "$dir/a.cfg" --set tables.bins_per_octave=1024 --quiet --output "$dir/a.nc" >"$dir/out" 2>"$dir/err"
report $? "a file" "$(cat "$dir/err")"
forked "$src/src/plot/wilson-plot" "$dir/a.nc" >"$dir/out" 2>"$dir/err" && [ -s "$dir/a.png" ]
report $? "and its picture" "$(cat "$dir/err")"

cat >"$dir/check.py" <<'PY'
import sys
import numpy as np
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1] + "/python")
from wilson.plot import converge  # noqa: E402
from wilson.plot.results import Results  # noqa: E402

use, x, err = converge.relative(np.array([-4.0, 0.0, 2.0, 5.0]), np.array([1.0, 1.0, 0.0, 0.0]),
                                np.array([0.5, 0.1, 0.2, 0.0]))
print(int(list(use) != [True, False, True, False] or x[0] != 25.0 or err[0] != 12.5 or err[2] != 10.0),
      "differences in per cent")
r = Results(sys.argv[2])
print(int(len(converge.panels_of(r, "convergence", None)) != 2), "a panel for each parameter that was not refused")
PY
forked "$dir/check.py" "$src" "$dir/a.nc" >"$dir/said" 2>"$dir/err" || cat "$dir/err" >>"$dir/said"
while read -r code name; do
  report "$code" "$name"
done <"$dir/said"
report "$([ "$(wc -l <"$dir/said")" = 2 ] && echo 0 || echo 1)" "two checks were made" "$(cat "$dir/err")"
rm -rf "$dir"
finish
