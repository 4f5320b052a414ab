#!/bin/sh
# t0517-plot-rates.t - defends: wilson-plot draws the collision rates and the power of plasma.averages: curves with their errors, one
# panel for the power to all species; and over the phases of a period, position upwards and time to the right, with the numbers of the
# file, power on colours symmetric about 0; the labels name rate and species where both have underscores.  Reference: the file.
# shellcheck source=t/tap/tap.sh
. "${WN_SRCDIR:-.}/t/tap/tap.sh"
[ "${WN_FAST:-0}" != 1 ] || skip_all "WN_FAST=1: pictures do not depend on the build"
[ "${WN_PICTURES:-1}" != 0 ] || skip_all "WN_PICTURES=0: pictures are drawn in another turn"
find_python
[ -n "$python" ] || skip_all "no Python with netCDF4, xarray and matplotlib (set WN_PYTHON)"
need_wilson
scratch t0517-plot-rates.tmp
MPLCONFIGDIR=$PWD/$dir
export MPLCONFIGDIR

cat >"$dir/a.cfg" <<'END'
model = "plasma"; device = "cpu"; threads = 1; duration = "20 ns"; grid = { cells = [40]; length = ["5 mm"]; };
walls = { x_low = { field = "dirichlet"; amplitude = "150 V"; frequency = "200 MHz"; }; x_high = { field = "dirichlet"; }; };
gas = { pressure = "100 Pa"; components = { Ar = { file = "builtin:argon"; }; }; };
species = {
  hot_e = { density = "1e14 m-3"; temperature = "3 eV"; per_cell = 60; loading = "random"; collisions = "gas"; ions = "ions"; };
  ions = { density = "1e14 m-3"; temperature = "30 meV"; per_cell = 60; loading = "random"; charge = 1.0; mass = "39.948 u"; };
};
plasma = { time_step = "25 ps"; allow = ["cell-crossing"];
  averages = { w = { periods = 3; phases = 10; rates = ["ionization", "excitation Ar*"]; power = true; }; }; };
END
"$wilson" run "$dir/a.cfg" --quiet --output "$dir/a.nc" >"$dir/out" 2>"$dir/err"
report $? "a discharge" "$(cat "$dir/err")"
forked "$src/t/tap/pictures.py" "$src/src/plot/wilson-plot" "$dir" "$dir/said" \
  "a.nc:averages" "a.nc:phases:--map=rate_ionization_hot_e,power_hot_e" >"$dir/out" 2>"$dir/err"
report $? "pictures" "$(cat "$dir/err")"

cat >"$dir/check.py" <<'PY'
import sys
from types import SimpleNamespace
import numpy as np
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1] + "/python")
from wilson.plot import averages  # noqa: E402
from wilson.plot.choice import Choice  # noqa: E402
from wilson.plot.draw import plt  # noqa: E402
from wilson.plot.results import Results  # noqa: E402

r = Results(sys.argv[2])
names = ["rate_ionization_hot_e", "rate_excitation_Ar_hot_e", "power_hot_e"]
want = ["rate of ionization, hot_e", "rate of excitation Ar, hot_e", "power to hot_e"]
panels = averages.panels_of(r, "phases", Choice(SimpleNamespace(map=",".join(names))))
print(int(len(panels) != 3), "a map of each over the phases")
for (draw, _), name, text in zip(panels, names, want):
    ax = plt.figure().subplots()
    draw(ax)
    image = ax.images[0]
    got, file = np.asarray(image.get_array()), r.get("phase_average_w_" + name).T
    scale = np.abs(file).max() / np.abs(got).max()
    print(int(got.shape != (41, 10) or np.abs(got * scale - file).max() > 1e-12 * np.abs(file).max()), "the numbers of", name)
    low, high = image.get_clim()
    print(int((low != -high) if name[0] == "p" else low != 0.0), "colours from 0, or symmetric about it")
    labels = [t.get_text() for t in ax.figure.findobj(plt.Text)]  # the colour bar is an inset
    print(int(not any(text in one for one in labels)), "the label:", text)
    print(int(list(image.get_extent()[:2]) != [0.0, 1.0] or "time" not in ax.get_xlabel()), "a period to the right")
both = averages.panels_of(r, "averages", Choice(SimpleNamespace(map="power_hot_e,power_ions")))
print(int(len(both) != 1), "one panel of power")
ax = plt.figure().subplots()
both[0][0](ax)
curves = {line.get_label(): line.get_ydata() for line in ax.get_lines()}
file = {s: r.get("average_w_power_" + s) for s in ("hot_e", "ions")}
bad = any(s not in curves or np.abs(curves[s] / np.abs(curves["hot_e"]).max() -
                                     file[s] / np.abs(file["hot_e"]).max()).max() > 1e-12 for s in file)
print(int(bad), "a curve of each species, with its name")
PY
forked "$dir/check.py" "$src" "$dir/a.nc" >>"$dir/said" 2>"$dir/err" || cat "$dir/err" >>"$dir/said"
while read -r code name; do
  report "$code" "$name"
done <"$dir/said"
made=$(wc -l <"$dir/said")
report "$([ "$made" -eq 19 ] && echo 0 || echo 1)" "all checks were made: $made" "$(cat "$dir/err" "$dir/said")"
rm -rf "$dir"
finish
