#!/bin/sh
# t0516-plot-distributions.t - defends: wilson-plot draws the distributions of a plasma, of a region the energy probability function on a
# logarithmic axis, of a wall energies and angles; the curve has the numbers of the file, bin by bin, and the text its mean energy; a
# window that has not begun has no panel.  Reference: the file.
# shellcheck source=t/tap/tap.sh
. "${WN_SRCDIR:-.}/t/tap/tap.sh"
[ "${WN_FAST:-0}" != 1 ] || skip_all "WN_FAST=1: pictures do not depend on the build"
[ "${WN_PICTURES:-1}" != 0 ] || skip_all "WN_PICTURES=0: pictures are drawn in another turn"
find_python
[ -n "$python" ] || skip_all "no Python with netCDF4, xarray and matplotlib (set WN_PYTHON)"
need_wilson
scratch t0516-plot-distributions.tmp
MPLCONFIGDIR=$PWD/$dir
export MPLCONFIGDIR

cat >"$dir/a.cfg" <<'END'
model = "plasma"; device = "cpu"; duration = "2 ns"; grid = { cells = [32]; length = ["2 mm"]; };
walls = { x_low = { field = "dirichlet"; }; x_high = { field = "dirichlet"; }; };
species = { e = { density = "1e14 m-3"; temperature = "5 eV"; per_cell = 200; loading = "random"; }; };
plasma = { time_step = "10 ps"; background = true;
  averages = { w = { start = "0.4 ns"; length = "1.2 ns"; blocks = 4; }; };
  distributions = {
    middle = { species = "e"; window = "w"; low = "0.5 mm"; high = "1.5 mm"; energy_max = "30 eV"; bins = 20; };
    plate = { species = "e"; window = "w"; wall = "x_low"; energy_max = "30 eV"; bins = 15; angles = 9; };
  }; };
END
"$wilson" run "$dir/a.cfg" --quiet --output "$dir/a.nc" >"$dir/out" 2>"$dir/err"
report $? "a file" "$(cat "$dir/err")"
"$wilson" run "$dir/a.cfg" --quiet --output "$dir/b.nc" --set checkpoint.step_limit=20 >"$dir/out" 2>"$dir/err"
report "$([ $? = 3 ] && echo 0 || echo 1)" "a run that stops before its window" "$(cat "$dir/err")"
forked "$src/t/tap/pictures.py" "$src/src/plot/wilson-plot" "$dir" "$dir/said" "a.nc:energy-distributions" >"$dir/out" 2>"$dir/err"
report $? "pictures" "$(cat "$dir/err")"

cat >"$dir/check.py" <<'PY'
import sys
import numpy as np
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1] + "/python")
from wilson.plot import distributions  # noqa: E402
from wilson.plot.draw import plt  # noqa: E402
from wilson.plot.results import Results  # noqa: E402

r, early = Results(sys.argv[2]), Results(sys.argv[3])
drawn = []
for draw, _ in distributions.panels_of(r, "energy-distributions", None):
    ax = plt.figure().subplots()
    draw(ax)
    drawn.append((ax.patches[0].get_data(), ax.get_yscale(), ax.get_title()))
print(int(len(drawn) != 3), "a panel of the region, two of the wall")
names = ["energy_probability_middle", "energy_distribution_plate", "angle_distribution_plate"]
for (data, scale, text), name in zip(drawn, names):
    want = r.get(name)
    at = r.get(("angle_" if name[0] == "a" else "energy_") + name.rsplit("_", 1)[1])
    middle = 0.5 * (data.edges[1:] + data.edges[:-1])
    bad = not np.array_equal(data.values, want) or np.abs(middle - at).max() > 1e-9 * at.max() or want.max() <= 0
    print(int(bad), "the numbers of", name)
    print(int(scale != ("log" if "middle" in name else "linear")), "and the scale")
mean = float(r.get("distribution_mean_energy_middle"))
print(int(f"{mean:.4g}" not in drawn[0][2] or "in region middle" not in drawn[0][2]), "the text has place and mean energy")
print(int(len(distributions.panels_of(early, "energy-distributions", None)) != 0), "no panel of a window that has not ended a block")
PY
forked "$dir/check.py" "$src" "$dir/a.nc" "$dir/b.nc.part" >>"$dir/said" 2>"$dir/err" || cat "$dir/err" >>"$dir/said"
while read -r code name; do
  report "$code" "$name"
done <"$dir/said"
report "$([ "$(wc -l <"$dir/said")" = 11 ] && echo 0 || echo 1)" "eleven checks were made" "$(cat "$dir/err" "$dir/said")"
rm -rf "$dir"
finish
