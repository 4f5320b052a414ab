#!/bin/sh
# t0511-plot.t - defends: wilson-plot draws every kind of result (many fields, one field, a run that was killed, cross
# sections) on pages of at most 1600 x 1200 pixels, with axes, units and legends that cover no data and no text, and ends with one
# clear line when a module, the file or the results asked for are missing.  The files are synthetic (formulae below, shaped like
# air), no claim on them.
# shellcheck disable=SC2086 # the folder has no spaces
# shellcheck source=t/tap/tap.sh
. "${WN_SRCDIR:-.}/t/tap/tap.sh"
plot=$src/src/plot/wilson-plot

[ "${WN_FAST:-0}" != 1 ] || skip_all "WN_FAST=1: pictures do not depend on the build"
[ "${WN_PICTURES:-1}" != 0 ] || skip_all "WN_PICTURES=0: pictures are drawn in another turn"
find_python
[ -n "$python" ] || skip_all "no Python with netCDF4, xarray and matplotlib (set WN_PYTHON)"
scratch t0511-plot.tmp
MPLCONFIGDIR=$PWD/$dir
export MPLCONFIGDIR

cat >$dir/make.py <<'PY'
import sys
import netCDF4
import numpy as np

rng = np.random.default_rng(1)


def create(path, title):
    d = netCDF4.Dataset(path, "w")
    d.source = "Wilson 0.1.0 (git synthetic)"
    d.title = title
    return d


def put(d, name, dims, values, units, error=None):
    values = np.asarray(values, dtype=float)
    for suffix, v in (("", values), ("_error", error)):
        if v is not None:
            var = d.createVariable(name + suffix, "f8", dims, fill_value=np.nan)
            var.units, var.long_name = units, name.replace("_", " ") + suffix
            var[...] = v


def noisy(x, relative):
    e = relative * x
    return x + e * rng.standard_normal(np.shape(x)), e


def labels(d, names):
    d.createDimension("process", len(names))
    v = d.createVariable("process_name", str, ("process",))
    for i, name in enumerate(names):
        v[i] = name


def swarm(d, td, n_done=None):
    """Curves with the shape of those of air."""
    n_gas = 2.5e25
    d.createDimension("field", len(td))
    put(d, "gas_number_density", (), n_gas, "m-3")
    put(d, "electric_field", ("field",), td * 1e-21 * n_gas, "V m-1")
    put(d, "reduced_electric_field", ("field",), td, "Td")
    w = 3.0e3 * td ** 0.8
    alpha = 2e-20 * np.exp(-750 / td) * (td / 100)
    eta = 1.5e-22 * np.exp(-((np.log(td / 90)) ** 2) / 1.5)
    curves = {"mean_energy": (0.35 * td ** 0.55, "eV", 3e-3),
              "drift_velocity_flux": (w, "m s-1", 3e-3),
              "drift_velocity_bulk": (w * (1 + 0.12 * td / (td + 300)), "m s-1", 1e-2),
              "diffusion_transverse_flux": (0.04 * td ** 0.35, "m2 s-1", 2e-2),
              "diffusion_longitudinal_flux": (0.03 * td ** 0.3, "m2 s-1", 2e-2),
              "diffusion_transverse_bulk": (0.042 * td ** 0.36, "m2 s-1", 4e-2),
              "diffusion_longitudinal_bulk": (0.031 * td ** 0.33, "m2 s-1", 6e-2),
              "townsend_coefficient_reduced": (alpha, "m2", 0.05),
              "attachment_coefficient_reduced": (eta, "m2", 0.08)}
    for name, (x, units, relative) in curves.items():
        x, e = noisy(x, relative)
        if name.startswith("townsend"):
            x[td < 30], e[td < 30] = 0.0, 0.0  # no event was seen
        if n_done is not None:
            x[n_done:], e[n_done:] = np.nan, np.nan
        put(d, name, ("field",), x, units, e)
    energy = np.geomspace(0.02, 1e3, 160)
    d.createDimension("energy", len(energy))
    put(d, "energy", ("energy",), energy, "eV")
    t = 2 / 3 * curves["mean_energy"][0][:, None]
    f = 2 / np.sqrt(np.pi) * t ** -1.5 * np.exp(-energy / t)
    f, e = noisy(f, 1e-3 / np.sqrt(f + 1e-12))
    f[f < 1e-9] = 0.0
    if n_done is not None:
        f[n_done:], e[n_done:] = np.nan, np.nan
    put(d, "energy_distribution", ("field", "energy"), f, "eV-3/2", e)


def runaway(d, td):
    threshold = np.array([1e3, 4e3, 1e4, 1e5])
    d.createDimension("threshold", len(threshold))
    put(d, "threshold", ("threshold",), threshold, "eV")
    x = td[:, None] / (800 * (threshold / 1e3) ** 0.12)
    p = np.clip(1 / (1 + x ** -9.0), 0, 1)
    p[p < 2e-4] = 0.0
    put(d, "runaway_fraction", ("field", "threshold"), p, "1", np.sqrt(p * (1 - p) / 2000))
    r = np.where(p > 0, 1e10 * p * x, np.nan)
    put(d, "runaway_rate", ("field", "threshold"), r, "s-1", 0.1 * r)
    t = np.where(p > 0, 3e-11 * (threshold / 1e3) ** 0.7 / x ** 1.5, np.nan)
    put(d, "first_passage_time", ("field", "threshold"), t, "s", 0.05 * t)
    put(d, "passage_time", ("field", "threshold"), 0.3 * t, "s", 0.01 * t)
    put(d, "passage_distance", ("field", "threshold"), 3e6 * t, "m", 1e5 * t)
    edge = np.concatenate([[0], np.geomspace(1e-13, 1e-10, 31)])
    d.createDimension("passage_bin", len(edge))
    for what, scale, units in (("time", 1, "s"), ("distance", 3e6, "m")):
        bins = scale * np.broadcast_to(edge, t.shape + edge.shape)
        of = np.exp(-((np.log((edge + 1e-14) / (0.3 * t[..., None]))) ** 2) / 0.1)
        of = of / of.sum(axis=-1, keepdims=True)
        dims = ("field", "threshold", "passage_bin")
        put(d, f"passage_{what}_bin", dims, bins, units)
        put(d, f"passage_{what}_distribution", dims, of, "1", 0.05 * of)


def cross_sections(d, n):
    e = np.geomspace(1e-2, 1e7, 500)
    threshold = np.concatenate([[0], np.geomspace(0.3, 400, n - 1)])
    d.createDimension("energy", len(e))
    labels(d, ["N2 elastic"] + [f"N2 excitation {u:.2f} eV, state ({i})"
                                for i, u in enumerate(threshold[1:])])
    put(d, "energy", ("energy",), e, "eV")
    gamma = 1 + e / 511e3
    beta2 = 1 - gamma ** -2
    loss = 2.5e25 * 14 * 1.3e-19 / 1e0 * np.log1p(e / 30) / (beta2 * 511e3 / 2 + 20) * 30
    put(d, "friction", ("energy",), loss, "eV m-1")
    sigma = np.zeros((n, len(e)))
    for i, u in enumerate(threshold):
        x = e / max(u, 1)
        open_ = e > u
        sigma[i, open_] = 3e-20 / (1 + i) * np.log(1 + x[open_]) / (1 + x[open_])
    put(d, "sigma", ("process", "energy"), sigma, "m2")


where = sys.argv[1]
d = create(where + "/many.nc", "Air at 1 atm, 293.15 K: swarm and runaway from 5 Td to 3000 Td, all processes of "
           "the shipped tables, anisotropic scattering")
td = np.geomspace(5, 3000, 14)
swarm(d, td)
runaway(d, td)
d.close()
d = create(where + "/few.nc", "Nitrogen")
swarm(d, np.array([20.0, 50, 100, 200, 500]))
d.close()
d = create(where + "/one.nc", "Air, 120 Td")
swarm(d, np.array([120.0]))
runaway(d, np.array([1200.0]))
d.close()
d = create(where + "/killed.nc.part", "Air, stopped early")
swarm(d, np.geomspace(20, 400, 6), 3)
d.close()
d = create(where + "/empty.nc.part", "Air, stopped at once")
swarm(d, np.geomspace(20, 400, 6), 0)
d.close()
d = create(where + "/xs.nc", "Cross sections of N2")
cross_sections(d, 34)
d.close()
d = netCDF4.Dataset(where + "/other.nc", "w")
d.source = "some other program"
d.close()
PY
forked $dir/make.py $dir
report $? "synthetic result files"

set -- many.nc:all few.nc:all one.nc:all killed.nc.part:swarm many.nc:distribution:--energy=linear xs.nc:all
# with WN_LONG=2 those, too, of which others have the panels
[ "${WN_LONG:-0}" != 2 ] || set -- "$@" many.nc:runaway xs.nc:friction
forked "$src/t/tap/pictures.py" "$plot" $dir $dir/results "$@" 2>$dir/err
report $? "all pictures are drawn" "$(cat $dir/err)"
while read -r bad name; do report "$bad" "$name"; done <$dir/results
[ "$(wc -l <$dir/results)" -eq $((2 * $#)) ]
report $? "all pictures were looked at"

forked "$plot" $dir/killed.nc.part --what distribution >$dir/out 2>/dev/null && [ -s $dir/killed.png ]
report $? "the default picture of FILE.nc.part is FILE.png"
forked "$plot" $dir/many.nc --what swarm -o $dir/x.png 2>$dir/err
report $? "one kind of result to a file that is named"
[ "$(cat $dir/err)" = "wilson-plot: note: townsend_coefficient_reduced: 4 values not above zero left out of \
a logarithmic axis" ]
report $? "values that a logarithmic axis cannot show are named"

# ---- pages, and what is on them ----
forked "$plot" $dir/few.nc --what all -o $dir/pages.png >$dir/out 2>$dir/err && [ -s $dir/pages.png ] &&
  [ "$(cut -d: -f1 $dir/out | tr '\n' ' ')" = "$dir/pages.png $dir/pages-page2.png " ] &&
  [ -s $dir/pages-page2.png ] && [ ! -e $dir/pages-page3.png ] && grep -qx "$dir/pages.png: swarm" $dir/out
report $? "each page is a file, and what it shows is said" "$(cat $dir/out $dir/err)"
for page in pages-page3.png pages-page4.png pages-page3.png.bak other-page9.png; do cp $dir/pages-page2.png $dir/$page; done
forked "$plot" $dir/xs.nc --what friction -o $dir/pages.png >$dir/out 2>$dir/err &&
  [ "$(cat $dir/out)" = "$dir/pages-page2.png, $dir/pages-page3.png, $dir/pages-page4.png: not of this picture, but of an earlier one with more pages" ] &&
  [ -s $dir/pages-page4.png ]
report $? "pages of an earlier, longer picture are named, and stay" "$(cat $dir/out $dir/err)"
rm -f $dir/pages-page[0-9].png
forked "$plot" $dir/xs.nc --what friction -o $dir/pages.png >$dir/out 2>$dir/err && [ ! -s $dir/out ]
report $? "and where there are none, nothing is said" "$(cat $dir/out $dir/err)"
forked "$plot" $dir/few.nc --what all -o $dir/pages.pdf >$dir/out 2>$dir/err &&
  [ "$(grep -c "^$dir/pages.pdf, page [1-2]: " $dir/out)" -eq 2 ] && [ ! -e $dir/pages-page2.pdf ]
report $? "a PDF has all pages" "$(cat $dir/out $dir/err)"
cat >$dir/drawn.py <<'PY'
# What the panels of distributions and passages are drawn of.
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(sys.argv[1]), "..", "..", "python"))
os.environ["MPLBACKEND"] = "Agg"
from wilson.plot import main as plot  # noqa: E402


def axes(name, *words):
    args = plot.options().parse_args([name, *words])
    with plot.plt.rc_context(plot.STYLE):
        made = plot.build(plot.Results(sys.argv[2] + "/" + name), plot.whats_of(args.what), plot.Choice(args))
        return [ax for make, _ in made for ax in make().axes]


def check(good, name, *why):
    if not good:
        print("#", *why)
    print(f"{not good:d} {name}")


for scale in "log", "linear":
    drawn = [ax for ax in axes("many.nc", "--energy", scale) if ax.get_label() != "<colorbar>"]
    check(len(drawn) == 1 and drawn[0].get_xscale() == scale and drawn[0].get_yscale() == "log",
          f"--energy {scale} draws distributions alone, over {scale} energy", len(drawn))
rows = [ax for ax in axes("many.nc", "--what", "runaway") if ax.get_ylabel() == "field, threshold"]
check(len(rows) == 2, "two panels of passages", len(rows))
for ax in rows:
    # The filled distributions, from below: each between its own line and the next.
    boxes = [c.get_paths()[0].get_extents() for c in ax.collections if c.get_alpha() == 0.35]
    ends = [(b.y0, b.y1) for b in boxes]
    check(1 < len(ends) <= 12 and all(a[1] <= b[0] for a, b in zip(ends, ends[1:])),
          f"{ax.get_xlabel()}: distributions of passages lie below each other", ends)
PY
forked $dir/drawn.py "$plot" $dir >$dir/said 2>$dir/err
report $? "panels were looked into" "$(cat $dir/err)"
grep '^#' $dir/said
grep '^[01]' $dir/said >$dir/results
while read -r bad name; do report "$bad" "$name"; done <$dir/results
[ "$(wc -l <$dir/results)" -eq 5 ]
report $? "all of them"

refuse() { # refuse STATUS TEXT NAME COMMAND...: that status, one line with TEXT on stderr
  want=$1 text=$2 name=$3
  shift 3
  "$@" >$dir/out 2>$dir/err
  got=$?
  lines=$(wc -l <$dir/err)
  [ $got -eq "$want" ] && [ "$lines" -eq 1 ] && grep -q -e "$text" $dir/err && [ ! -s $dir/out ]
  report $? "$name" "status $got, want $want with one line holding: $text
$(cat $dir/err)"
}

echo text >$dir/text.nc
mkdir $dir/no-matplotlib $dir/no-netcdf
echo 'raise ImportError("hidden")' >$dir/no-matplotlib/matplotlib.py
echo 'raise ImportError("hidden")' >$dir/no-netcdf/netCDF4.py
refuse 2 'no such file' "missing file" "$python" "$plot" $dir/absent.nc
refusals 8 <<'END'
2|a folder|.|not a file
2|not netCDF|text.nc|cannot be read as netCDF
2|another program's netCDF|other.nc|not a result file of Wilson
2|results that are not there|few.nc --what runaway|it holds: swarm, distribution$
2|a word that is none|few.nc --what swarm,distributions|'distributions' is none of the results; nearest: distribution.*; there are: varying, swarm
2|a scale of energies without distributions|xs.nc --energy linear|energy: is for distribution
2|a run killed before its first record|empty.nc.part|nothing that can be drawn yet
1|picture in a missing folder|xs.nc --what friction -o absent/x.png|cannot be written
END
refuse 1 'python3-matplotlib' "no matplotlib" \
  env PYTHONPATH=$dir/no-matplotlib "$python" "$plot" $dir/few.nc
refuse 1 'python3-netcdf4' "no netCDF4" \
  env PYTHONPATH=$dir/no-netcdf "$python" "$plot" $dir/few.nc
# Texts with bytes that a terminal takes for orders: in what is said, also by matplotlib, they are shown.
cp $dir/few.nc $dir/orders.nc
"$python" -c '
import sys
import netCDF4
d = netCDF4.Dataset(sys.argv[1], "a")
d.title = "\x1b[31mred\nsecond \x9b"
d.createDimension("word", 1)
d.createVariable("words", str, ("word",))[0] = "\x1b]0;\x07"
d["mean_energy"].units = "e\x1bV"
d.close()' $dir/orders.nc 2>$dir/err
forked "$plot" $dir/orders.nc -o $dir/orders.png >$dir/out 2>$dir/err &&
  ! LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177]\|\302\233')" $dir/out $dir/err && [ -s $dir/orders.png ]
report $? "texts with orders to a terminal are drawn, and none gets there" "$(cat -v $dir/out $dir/err)"
cp $dir/few.nc "$dir/x$(printf '\033')c.nc"
refuse 2 'x\\x1bc.nc: holds no results' "a name of a file with such a byte" \
  forked "$plot" "$dir/x$(printf '\033')c.nc" --what runaway
"$python" -B -c '
import sys
sys.path.insert(0, sys.argv[1])
from wilson.plot.results import Results
r = Results(sys.argv[2])
assert r.attrs["title"] == "\\x1b[31mred\nsecond \\xc2\\x9b", r.attrs["title"]
assert r.names("words") == ["\\x1b]0;\\x07"], r.names("words")' \
  "$src/python" $dir/orders.nc 2>$dir/err
report $? "and are shown as in messages of wilson" "$(cat $dir/err)"

[ -n "$WN_KEEP" ] || rm -rf $dir
finish
