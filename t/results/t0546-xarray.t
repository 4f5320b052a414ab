#!/bin/sh
# t0546-xarray.t - defends: xarray and CF find in results what a plot needs: the coordinates that doc/output.md names are coordinates, times of
# a plasma are axes that rise, every number has units that UDUNITS reads, and each long_name stands once; the snippets of
# doc/output.md run; wilson-plot reads the usual units and the series of plasmas.  Reference: CF 1.10, sections 2.5.1, 3.1, 5 and 7.1;
# UDUNITS-2 (udunits2, Debian package udunits-bin; without it units are not checked).
# shellcheck source=t/tap/tap.sh
. "${WN_SRCDIR:-.}/t/tap/tap.sh"
find_python
[ -n "$python" ] || skip_all "no Python with netCDF4, xarray and matplotlib (set WN_PYTHON)"
need_wilson
scratch t0546-xarray.tmp
MPLCONFIGDIR=$PWD/$dir
MPLBACKEND=Agg
export MPLCONFIGDIR MPLBACKEND
here=$PWD
case $src in /*) ;; *) src=$here/$src ;; esac

run() { # run OUTPUT SCENARIO OPTION...
  name=$1 scenario=$2
  shift 2
  "$wilson" run "$src/data/scenarios/$scenario.cfg" --quiet --threads 1 --output "$dir/$name.nc" "$@" >"$dir/out" 2>"$dir/err"
  report $? "a run of $scenario.cfg ($name)" "$(cat "$dir/err")"
}
run swarm-air swarm-air --set electrons=200 --set accuracy=0.5
run reid-ramp-crossed reid-ramp-crossed --set electrons=200 --set accuracy=0.5
run swarm-rf swarm-rf --set electrons=100 --set accuracy=0.5
run runaway-air runaway-air --set accuracy=0.5 --set 'fields=["400 kV/cm"]' --set electrons=200 --set population.target=64
run avalanche runaway-air --set 'job="runaway"' --set electrons=64 --set 'duration="2 ps"' --set 'fields=["300 kV/cm"]'
run landau landau-1d --set species.electrons.per_cell=20 --set 'duration="2 ns"' --set 'plasma.fields_interval="200 ps"' \
  --set plasma.fields_moments=true --set 'plasma.particles_interval="500 ps"'
run coarse landau-1d --set species.electrons.per_cell=20 --set 'duration="2 ns"' --set 'plasma.fields_interval="200 ps"' \
  --set plasma.fields_coarsening=4
# 8000 steps of two periods; two windows, so that their names must tell their means apart
run ccp-argon ccp-argon --set 'grid.cells=[64]' --set 'duration="147.492626 ns"' --set plasma.averages.last.periods=1 \
  --set plasma.averages.last.phases=4 --set plasma.averages.last.moments=true --set plasma.averages.all.periods=2 \
  --set plasma.averages.all.phases=2 --set plasma.averages.all.power=true --set 'plasma.averages.all.rates=["ionization","excitation Ar*"]'
"$wilson" xs builtin:air --output "$dir/xs.nc" >"$dir/out" 2>"$dir/err"
report $? "cross sections" "$(cat "$dir/err")"

# The checks print 0 or 1 and a name, and write what UDUNITS is to read.
cat >"$dir/check.py" <<'PY'
import collections
import sys
import warnings
import netCDF4  # noqa: F401  before warnings are errors: it may warn of the version of numpy
import numpy as np
import xarray
warnings.simplefilter("error")
folder = sys.argv[1]
FIELD = {"electric_field", "reduced_electric_field"}
COORDINATES = {
    "swarm-air": FIELD | {"process_name", "energy"},
    "reid-ramp-crossed": FIELD | {"process_name", "energy", "axis_name", "scan_B", "scan_angle"},
    "swarm-rf": FIELD | {"process_name", "energy", "phase"},
    "runaway-air": FIELD | {"process_name", "energy", "threshold", "level", "passage_time_bin",
                            "passage_distance_bin", "passage_cosine_bin"},
    "avalanche": FIELD | {"process_name", "energy", "threshold"},
    "coarse": {"time", "map_time", "x", "species_name", "side_name"},
    "landau": {"time", "map_time", "sample_time", "x", "species_name", "side_name"},
    "ccp-argon": {"time", "map_time", "x", "species_name", "side_name", "window_name",
                  "window_start", "window_end", "phase_last", "phase_all"},
    "xs": {"energy", "gas_name", "process_name", "process_kind"},
}

# variable -> SI, to which its units convert
SI = {"electric_field": "V m-1", "reduced_electric_field": "V m2", "magnetic_field": "kg s-2 A-1",
      "reduced_magnetic_field": "T m3", "magnetic_angle": "rad", "energy": "J", "time": "s",
      "mean_energy": "J", "drift_velocity_flux": "m s-1", "diffusion_transverse_flux": "m2 s-1",
      "mobility_reduced_flux": "m-1 V-1 s-1", "characteristic_energy_transverse_flux": "V",
      "townsend_coefficient_reduced": "m2", "process_rate_coefficient": "m3 s-1",
      "power_lost": "W", "momentum_lost": "N", "momentum": "N s", "current": "A m",
      "charge_density": "C m-3", "density_electrons": "m-3", "flux_electrons_x": "m-2 s-1",
      "position_electrons": "m", "velocity_electrons": "m s-1", "sigma": "m2", "friction": "N"}


def say(bad, name):
    for line in bad:
        print("#", line, file=sys.stderr)
    print(int(bool(bad)), name)


units, in_si = set(), set()
for name, want in COORDINATES.items():
    d = xarray.open_dataset(f"{folder}/{name}.nc")
    raw = xarray.open_dataset(f"{folder}/{name}.nc", decode_cf=False)
    say(sorted(want ^ set(d.coords)), f"{name}: its coordinates")
    bad = [v for v in d.dims if v in d.variables and d[v].dtype.kind == "f"
           and not (np.diff(d[v].values) > 0).all()]
    bad += [v for v in raw.dims if v in raw.variables and "_FillValue" in raw[v].attrs]
    say(bad, f"{name}: axes rise, without missing values")
    bad = []
    for v in raw.data_vars:
        for key in "coordinates", "ancillary_variables", "bounds":
            for other in raw[v].attrs.get(key, "").split():
                if other not in raw.variables or (
                        key != "bounds" and not set(raw[other].dims) <= set(raw[v].dims)):
                    bad.append(f"{v}:{key} = {other}")
    for v in raw.coords:
        bad += [f"{v}:bounds" for b in [raw[v].attrs.get("bounds")]
                if b is not None and raw[b].dims[:-1] != raw[v].dims]
    say(bad, f"{name}: attributes name variables of its dimensions")
    names = collections.Counter(v.attrs.get("long_name") for v in d.variables.values())
    say([str(k) for k, n in names.items() if n > 1 or not k], f"{name}: each long_name stands once")
    bad = []
    for v, x in d.variables.items():
        if x.dtype.kind not in "fi":
            continue
        if "units" in x.attrs:
            units.add((x.attrs["units"], x.attrs.get("usual_unit", "-")))
            if v in SI:
                in_si.add((v, x.attrs["units"], SI[v]))
        elif x.attrs.get("usual_unit") != "eV-3/2":
            bad.append(v)
    say(bad, f"{name}: numbers have units")

import matplotlib.pyplot as plt  # noqa: E402


def label(draw):
    plt.figure()
    draw()
    text = plt.gca().get_xlabel(), plt.gca().get_ylabel()
    plt.close("all")
    return " ".join(" ".join(text).split())


d = xarray.open_dataset(f"{folder}/swarm-air.nc")
got = label(lambda: d.mean_energy.plot(x="reduced_electric_field"))
say([] if got.startswith("reduced electric field E/N [1e-21 V m2]") else [got], "a swarm over E/N")
got = label(lambda: d.mean_energy.plot())
say([] if got.startswith("field mean electron") else [got], "without an axis over the place in the list of fields")
got = label(lambda: d.swap_dims(field="reduced_electric_field").mean_energy.plot())
say([] if got.startswith("reduced electric field E/N [1e-21 V m2]") else [got], "with E/N as the axis over E/N")
d = xarray.open_dataset(f"{folder}/reid-ramp-crossed.nc")
grid = d.mean_energy.set_index(field=["scan_B", "scan_angle"]).unstack("field")
bad = [i for i in range(15) if grid.sel(scan_B=d.scan_B[i], scan_angle=d.scan_angle[i]) != d.mean_energy[i]]
say(bad if grid.shape == (5, 3) else [grid.shape], "scans become axes")
got = label(lambda: grid.plot.line(x="scan_B", hue="scan_angle"))
say([] if got.startswith("value of magnetic_field [T] mean electron energy") else [got], "over which is drawn")
d = xarray.open_dataset(f"{folder}/ccp-argon.nc")
got = label(lambda: d.field_energy.plot())
say([] if got.startswith("time at the middle of the step [s]") else [got], "an integral over time")
got = label(lambda: d.density_electrons.plot())
say([] if got == "x of the nodes [m] time of a map [s]" else [got], "a map over place and time")
got = label(lambda: d.phase_average_last_density_ions.plot())
say([] if "x of the nodes [m]" in got and "middle of a phase of window last" in got else [got],
    "a mean over place and phase")
with open(f"{folder}/units", "w") as f:
    for pair in sorted(units):
        print("|".join(pair), file=f)
with open(f"{folder}/in_si", "w") as f:
    for of in sorted(in_si):
        print("|".join(of), file=f)
say(sorted(set(SI) - {of[0] for of in in_si}), "variables whose units are known by other means")
PY
"$python" "$dir/check.py" "$dir" >"$dir/said" 2>"$dir/err" || echo "1 the checks came to an end" >>"$dir/said"
while read -r code name; do
  report "$code" "$name" "$(cat "$dir/err")"
done <"$dir/said"
report "$([ "$(wc -l <"$dir/said")" = 54 ] && echo 0 || echo 1)" "54 checks were made" "$(cat "$dir/err")"

# udunits2 says what it does not know on standard error, and gives a number of SI units otherwise
if command -v udunits2 >/dev/null 2>&1; then
  while IFS='|' read -r units usual; do
    said=$(udunits2 -H "$units" -W "" 2>&1 </dev/null) || said="$said failed"
    case $said in *recognize* | *parse* | *failed* | *"syntax"*) echo "$units: $said" ;; esac
    [ "$usual" = - ] || ! udunits2 -H "$usual" -W "$units" </dev/null 2>/dev/null | grep -q . || echo "$usual is what it is without usual_unit"
  done <"$dir/units" >"$dir/bad"
  [ ! -s "$dir/bad" ] && [ "$(wc -l <"$dir/units")" -ge 20 ]
  report $? "UDUNITS reads all units" "$(cat "$dir/bad" "$dir/units")"
  while IFS='|' read -r name units si; do
    udunits2 -H "$units" -W "$si" </dev/null 2>/dev/null | grep -q . || echo "$name: $units is not $si"
  done <"$dir/in_si" >"$dir/bad"
  [ ! -s "$dir/bad" ] && [ -s "$dir/in_si" ]
  report $? "and they are those of the quantities" "$(cat "$dir/bad")"
  udunits2 -H "1e-21 V m2" -W "kV m2" </dev/null 2>&1 | grep -q '1e-24'
  report $? "and 1 Td is 1e-24 kV m2"
  udunits2 -H Td -W "V m2" </dev/null 2>&1 | grep -qi 'not convertible\|not meet\|cannot'
  report $? "where it reads Td as something else"
else
  skip "units" "udunits2 is not installed (Debian package udunits-bin)"
fi

# The blocks of Python in the manual, one a file, each in a copy of one process that has loaded xarray, which takes longer than they
awk -v dir="$dir" '/^```python/ { n++; on = 1; next } /^```/ { on = 0 } on { print >(dir "/snippet" n ".py") }' "$src/doc/output.md"
cat >"$dir/each.py" <<'PY'
import os
import runpy
import sys
import netCDF4  # noqa: F401
import xarray  # noqa: F401
import matplotlib.pyplot  # noqa: F401

os.chdir(sys.argv[1])
for name in sys.argv[2:]:
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        os.dup2(2, 1)
        sys.argv = [name]
        runpy.run_path(name, run_name="__main__")
        sys.exit(0)
    print(int(os.waitpid(child, 0)[1] != 0), name)
PY
n_snippets=$(find "$dir" -name 'snippet*.py' | wc -l)
(cd "$dir" && "$python" each.py . snippet*.py) >"$dir/said" 2>"$dir/err"
while read -r code name; do
  report "$code" "$name of doc/output.md runs" "$(cat "$dir/err")"
done <"$dir/said"
[ "$(grep -c . "$dir/said")" = "$n_snippets" ]
report $? "all were run" "$(cat "$dir/err")"
report "$([ "$n_snippets" = 3 ] && echo 0 || echo 1)" "three of them"

if [ "${WN_FAST:-0}" = 1 ]; then
  skip "pictures" "WN_FAST=1: they do not depend on the build"
else
  for what in "swarm-air distribution" "landau lines" "landau phase-space" "landau energies" "ccp-argon phases"; do
    # shellcheck disable=SC2086 # two words
    set -- $what
    forked "$src/src/plot/wilson-plot" "$dir/$1.nc" --what "$2" -o "$dir/$1-$2.svg" >"$dir/out" 2>"$dir/err" && [ -s "$dir/$1-$2.svg" ]
    report $? "wilson-plot draws $2 of $1" "$(cat "$dir/err")"
  done
fi
rm -rf "$dir"
finish
