#!/bin/sh
# t0541-scan.t - defends: a scan over any key, and over two, runs all fields at each point, writes them as records of one file with
# the values beside them, and gives the bits of a run without a scan that has this value and these fields at the same places of
# its list (which name the random numbers), in all three jobs, and over the magnetic field, where points without one write what
# the others do; check says how many there are; values that fit alone and not together, points that
# do not fit into one file, and a model that has no scans are errors.  Reference: runs without `scan`.
# shellcheck source=t/tap/tap.sh
. "${WN_SRCDIR:-.}/t/tap/tap.sh"
scratch t0541-scan.tmp
need_wilson

cat >"$dir/plain.cfg" <<'END'
fields = ["50 Td", "30 kV/cm"]; electrons = 64; groups = 8; accuracy = 0.5;
gas = { pressure = "1 atm"; temperature = "300 K"; components = { N2 = { file = "builtin:air"; fraction = 1.0; }; }; };
END
cat "$dir/plain.cfg" - >"$dir/scan.cfg" <<'END'
scan = { T = { key = "gas.temperature"; values = ["300 K", "600 K to 900 K, 2 linear"]; };
         angles = { key = "scattering"; values = ["isotropic", "screened-coulomb"]; }; };
END
cat "$dir/plain.cfg" - >"$dir/magnetic.cfg" <<'END'
scan = { B = { key = "magnetic_field"; values = ["0 T", "10 Hx", "1 T"]; };
         angle = { key = "magnetic_angle"; values = ["45 deg", "90 deg"]; }; };
END
run() { # run NAME SCENARIO OPTION...
  name=$1 file=$2
  shift 2
  "$wilson" run "$dir/$file.cfg" --quiet --output "$dir/$name.nc" "$@" >"$dir/out" 2>"$dir/err"
}
list='"50 Td", "30 kV/cm"'
upto() { # upto POINT: the fields of the points before, which name random numbers, and of this one
  fields=$list
  for _ in $(seq "$1"); do fields="$fields, $list"; done
  echo "fields=[$fields]"
}
runaway='--set job="runaway" --set duration="20ps" --set runaway.thresholds=["20eV","50eV"]'
rate='--set job="runaway-rate" --set duration="5ps" --set runaway.thresholds=["20eV","50eV"] --set population.target=32'
both() { # both JOB SCENARIO OPTION...: with two schedulers
  name=$1 file=$2
  shift 2
  run "$name" "$file" --threads 1 "$@"
  report $? "$name: a scan over two keys" "$(cat "$dir/err")"
  run "$name-serial" "$file" --scheduler serial "$@"
  report $? "${name%-serial}: by another scheduler" "$(cat "$dir/err")"
}
for job in swarm runaway runaway-rate; do
  options=
  [ $job != runaway ] || options=$runaway
  [ $job != runaway-rate ] || options=$rate
  # shellcheck disable=SC2086 # options are words
  both $job scan $options
  point=0
  for t in 300 600 900; do
    for angles in isotropic screened-coulomb; do
      # shellcheck disable=SC2086
      run $job-$point plain --threads 1 --set "$(upto $point)" --set "gas.temperature=\"$t K\"" --set "scattering=\"$angles\"" $options ||
        cat "$dir/err"
      point=$((point + 1))
    done
  done >"$dir/bad"
  [ ! -s "$dir/bad" ]
  report $? "$job: its points without a scan" "$(cat "$dir/bad")"
done
both magnetic magnetic
point=0
for b in '0 T' '10 Hx' '1 T'; do
  for angle in 45 90; do
    run magnetic-$point plain --threads 1 --set "$(upto $point)" --set "magnetic_field=\"$b\"" --set "magnetic_angle=\"$angle deg\"" \
      --set sampling.tensor=true || cat "$dir/err"
    point=$((point + 1))
  done
done >"$dir/bad"
[ ! -s "$dir/bad" ]
report $? "magnetic: its points without a scan" "$(cat "$dir/bad")"

"$wilson" check "$dir/scan.cfg" >"$dir/out" 2>"$dir/err" &&
  grep -q '^scan: 6 points of 2 cases each, 12 in all' "$dir/out" && grep -q '^  T  *3 values of gas.temperature' "$dir/out"
report $? "check says how many" "$(cat "$dir/out" "$dir/err")"

cat >"$dir/check.py" <<'PY'
import sys
import netCDF4
import numpy as np
where, job = sys.argv[1:]
scan, serial = (netCDF4.Dataset(f"{where}/{job}{s}.nc") for s in ("", "-serial"))
bad, compared = [], 0


def bits(v):
    v.set_auto_mask(False)
    return v[...]


for name, v in scan.variables.items():
    if v.dtype is not str and bits(v).tobytes() != bits(serial[name]).tobytes():
        bad.append(f"{name}: other bits with scheduler serial")
if job == "magnetic":
    if any(abs(scan["scan_B"][:4]) + abs(scan["magnetic_field"][:4])) or list(scan["scan_B"][:]) != list(scan["magnetic_field"][:]):
        bad.append("scan_B")
    if list(scan["scan_angle"][:]) != list(scan["magnetic_angle"][:]) or scan["scan_angle"].units != "rad":
        bad.append("scan_angle")
    if max(abs(scan["reduced_magnetic_field"][4:8] - 10)) > 1e-9:
        bad.append("10 Hx")
elif list(scan["scan_T"][:]) != [300] * 4 + [600] * 4 + [900] * 4 or scan["scan_T"].units != "K":
    bad.append("scan_T")
if job != "magnetic" and list(scan["scan_angles"][:]) != (["isotropic"] * 2 + ["screened-coulomb"] * 2) * 3:
    bad.append("scan_angles")
if job != "magnetic" and scan["scan_T"].key != "gas.temperature":
    bad.append("key")
for point in range(6):
    alone = netCDF4.Dataset(f"{where}/{job}-{point}.nc")
    for name, v in alone.variables.items():
        mine, records = scan[name], slice(2 * point, 2 * point + 2)
        if v.dtype is str:
            continue
        if v.dimensions[:1] == ("field",):
            same = bits(mine)[records].tobytes() == bits(v)[records].tobytes()
        elif mine.dimensions[:1] == ("field",):  # one number without a scan
            same = (bits(mine)[records] == bits(v)).all()
        else:
            same = bits(mine).tobytes() == bits(v).tobytes()
        compared += 1
        if not same:
            bad.append(f"{name} at point {point}: other bits than alone")
energy = {"runaway": "final_mean_energy", "runaway-rate": "energy_gained"}.get(job, "mean_energy")
if compared < 100 or len(set(np.ravel(scan[energy][:]))) < 12:
    bad.append(f"{compared} variables, and records that are the same: nothing to defend")
print("\n".join(bad), file=sys.stderr)
sys.exit(bool(bad))
PY
find_python
for job in swarm runaway runaway-rate magnetic; do
  if [ -z "$python" ]; then
    skip "$job: the same bits" "no Python with netCDF4"
    continue
  fi
  forked "$dir/check.py" "$dir" $job 2>"$dir/err"
  report $? "$job: each point has the bits of a run without the scan, with each scheduler" "$(cat "$dir/err")"
done

refuse() { # refuse TEXT NAME OPTION...: status 2
  text=$1 name=$2
  shift 2
  "$wilson" run "$dir/scan.cfg" --quiet --output "$dir/bad.nc" "$@" >"$dir/out" 2>"$dir/err"
  [ $? -eq 2 ] && grep -q -e "$text" "$dir/err" && [ ! -e "$dir/bad.nc" ]
  report $? "$name" "$(cat "$dir/err")"
}
refuse 'does not agree with gas.pressure' "a density and a pressure that do not both follow the temperature" \
  --set 'gas.number_density="2.446313291792483e25 m-3"'
refuse 'model plasma has no scans; run it once' "a model that takes none" --set 'model="plasma"'
refuse 'at most 10000' "more points than a file should have" --set 'scan.T.values=["1 K to 9000 K, 9000 linear"]'
# Tables: one for each point, or over the scanned key where a point has one field.
run one scan --threads 1 --set 'fields=["200 Td"]'
report $? "one field in a scan" "$(cat "$dir/err")"
"$wilson" table "$dir/swarm.nc" >"$dir/out" 2>"$dir/err"
[ $? -eq 2 ] && grep -q 'has a scan of 6 tables; give --output' "$dir/err" && [ ! -s "$dir/out" ]
report $? "six tables do not go to standard output" "$(cat "$dir/err")"
"$wilson" table "$dir/one.nc" --format afivo --output "$dir/bad.txt" >"$dir/out" 2>"$dir/err"
[ $? -eq 2 ] && grep -q 'one field at each scan point, and format afivo is over E/N' "$dir/err" && [ ! -e "$dir/bad-angles_isotropic.txt" ]
report $? "no table of afivo-streamer over temperatures" "$(cat "$dir/err")"
for name in swarm one magnetic; do
  "$wilson" table "$dir/$name.nc" --output "$dir/table-$name.csv" 2>"$dir/err"
  report $? "$name: tables" "$(cat "$dir/err")"
done
cat >"$dir/tables.py" <<'PY'
import csv
import glob
import sys
import netCDF4
import numpy as np
where, n_files = sys.argv[1], 0
for name, axis, scans in (("swarm", None, {"T": "scan_T", "angles": "scan_angles"}),
                          ("one", ("gas.temperature (K)", "scan_T"), {"angles": "scan_angles"}),
                          ("magnetic", None, {"B": "scan_B", "angle": "scan_angle"})):
    d = netCDF4.Dataset(f"{where}/{name}.nc")
    td, seen = d["reduced_electric_field"][:], 0
    x = td if axis is None else d[axis[1]][:]
    for path in glob.glob(f"{where}/table-{name}-*.csv"):
        n_files += 1
        point = dict(part.rsplit("_", 1) for part in path[:-4].split(f"table-{name}-")[1].split("-", len(scans) - 1))
        use = np.ones(len(td), bool)
        for key, variable in scans.items():
            v = d[variable][:]
            use &= v == point[key] if v.dtype == object else np.abs(v - float(point[key])) < 1e-8
        order = np.argsort(x[use])
        rows = list(csv.DictReader(line for line in open(path) if line[0] != "#"))
        assert len(rows) == use.sum() > 0, (path, len(rows), use.sum())
        mobility = (d["drift_velocity_flux"][:] / td * 1e21)[use][order]
        for column, want in ((axis[0] if axis else "E/N (Td)", x[use][order]), ("E/N (Td)", td[use][order]),
                             ("Mean energy (eV)", d["mean_energy"][use][order]),
                             ("Mobility *N (1/m/V/s)", mobility),
                             ("Diffusion coefficient *N (1/m/s)",
                              (d["diffusion_transverse_flux"][:] * d["gas_number_density"][:])[use][order])):
            got = np.array([float(row[column]) for row in rows])
            assert np.all(np.abs(got / want - 1) < 6e-9), (path, column, got, want)
        if name == "magnetic":
            across = np.array([float(row["Drift along E x B (m/s)"]) for row in rows])
            want = d["drift_vector_flux"][use, 1][order]
            assert np.all(np.abs(across / want - 1) < 6e-9), (path, across, want)
        seen += len(rows)
    assert seen == len(td), (name, seen)
assert n_files == 6 + 2 + 6, n_files
PY
if [ -n "$python" ]; then
  forked "$dir/tables.py" "$dir" 2>"$dir/err"
  report $? "each row of each table is the record of its point" "$(cat "$dir/err")"
fi

# Pictures: a curve for each point, over the scanned key where a point has one field.
cat >"$dir/plot.py" <<'PY'
import os
import sys
import numpy as np
root, where = sys.argv[1:]
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(root, "python"))
from wilson.plot.draw import plt
from wilson.plot.results import Results
from wilson.plot import swarm


def lines(name, draw, variable, at=...):
    r = Results(f"{where}/{name}.nc")
    ax = plt.figure().subplots()
    draw(ax, r)
    got = [np.array(line.get_data(), float) for line in ax.lines if len(line.get_xdata()) and len(line.get_xdata()) == len(of_point)]
    return r, got, np.asarray(r.get(variable))[at], ax


for name, draw, variable, n_points, n_records, x_name, label in (
        ("swarm", swarm.mean_energy, "mean_energy", 6, 2, "reduced_electric_field", "T 600 K, angles isotropic"),
        ("one", swarm.mean_energy, "mean_energy", 2, 3, "scan_T", "angles isotropic"),
        ("magnetic", swarm.drift_vector, "drift_vector_flux", 6, 2, "reduced_electric_field", "B 1 T, angle 90 deg")):
    of_point = range(n_records)
    r, got, want, ax = lines(name, draw, variable)
    x = r.get(x_name)
    assert len(r.points) == n_points and all(len(of) == n_records for _, of in r.points), (name, r.points)
    assert (r.axis is not None) == (name == "one"), name
    first = want if want.ndim == 1 else want[:, 0]
    for _, of in r.points:
        order = np.argsort(x[of])
        line = np.array([x[of][order], first[of][order]])
        assert any(np.array_equal(line, g) for g in got), (name, line, got)
    texts = [t.get_text() for t in ax.get_legend().get_texts()]
    assert label in texts, (name, texts)
    if name == "one":
        assert ax.get_xlabel() == "gas.temperature (K)", ax.get_xlabel()
PY
cat >"$dir/panels.py" <<'PY'
# Makes the pages of each file, or of files that are compared, as wilson-plot does.  Drawing them takes five times as long.
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(sys.argv[1]), "..", "..", "python"))
os.environ["MPLBACKEND"] = "Agg"
from wilson.plot import main as plot  # noqa: E402
for names in sys.argv[3:]:
    paths = [os.path.join(sys.argv[2], name) for name in names.split("+")]
    made = plot.compare.pages(paths) if len(paths) > 1 else plot.build(plot.Results(paths[0]), ["all"])
    with plot.plt.rc_context(plot.STYLE):
        lines = sum(len(ax.lines) for make, _ in made for ax in make().axes)
    plot.plt.close("all")
    print(f"{not lines:d} {names}: pages with lines")
PY
if [ "${WN_FAST:-0}" = 1 ] || [ "${WN_PICTURES:-1}" = 0 ]; then
  skip "pictures of scans" "WN_FAST=1: pictures do not depend on the build; WN_PICTURES=0: they are drawn in another turn"
elif [ -z "$python" ] || ! "$python" -c 'import matplotlib' 2>/dev/null; then
  skip "pictures of scans" "no Python with netCDF4 and matplotlib"
else
  forked "$dir/plot.py" "$src" "$dir" 2>"$dir/err"
  report $? "pictures: a curve for each point" "$(cat "$dir/err")"
  forked "$dir/panels.py" "$src/src/plot/wilson-plot" "$dir" swarm.nc runaway.nc runaway-rate.nc one.nc \
    table-swarm-T_300-angles_isotropic.csv+table-swarm-T_900-angles_isotropic.csv >"$dir/made" 2>"$dir/err"
  report $? "their pages are made" "$(cat "$dir/err")"
  while read -r bad name; do report "$bad" "$name"; done <"$dir/made"
  [ "$(wc -l <"$dir/made")" -eq 5 ]
  report $? "all of them"
  forked "$src/src/plot/wilson-plot" "$dir/magnetic.nc" -o "$dir/magnetic.png" >"$dir/out" 2>"$dir/err"
  [ $? -eq 0 ] && [ -s "$dir/magnetic.png" ]
  report $? "magnetic: a picture" "$(cat "$dir/err")"
  forked "$src/src/plot/wilson-plot" "$dir/swarm.nc" "$dir/one.nc" -o "$dir/x.png" >"$dir/out" 2>"$dir/err"
  [ $? -eq 2 ] && grep -q 'one field at each point, and files are compared over E/N' "$dir/err"
  report $? "a comparison takes points of more than one field" "$(cat "$dir/err")"
  forked "$src/src/plot/wilson-plot" "$dir/swarm.nc" "$dir/table-swarm-T_300-angles_isotropic.csv" -o "$dir/y.png" >"$dir/out" \
    2>"$dir/err" && [ -s "$dir/y.png" ] && "$python" -B -c '
import sys
sys.path.insert(0, sys.argv[3])
import numpy as np
from wilson.plot.compare import points_of, ratio
points = points_of(sys.argv[1])
table, = points_of(sys.argv[2])
assert len(points) == 6 and points[5].name().endswith("T 900 K, angles screened-coulomb"), points[5].name()
name = "Mobility *N (1/m/V/s)"
assert np.allclose(ratio(points[0].of[name], table.of[name])[1], 1, rtol=1e-8)
assert not np.allclose(ratio(points[5].of[name], table.of[name])[1], 1, rtol=1e-8)' \
    "$dir/swarm.nc" "$dir/table-swarm-T_300-angles_isotropic.csv" "$src/python" 2>>"$dir/err"
  report $? "a comparison takes each point as a curve" "$(cat "$dir/err")"
fi

# A file that lost what says which key was scanned: once nothing was said.
if command -v ncdump >/dev/null 2>&1 && command -v ncgen >/dev/null 2>&1; then
  ncdump "$dir/swarm.nc" | sed '/scan_T:key = /d' | ncgen -4 -o "$dir/lost.nc" - 2>"$dir/err"
  "$wilson" table "$dir/lost.nc" --output "$dir/lost.csv" >"$dir/out" 2>"$dir/err"
  [ $? -eq 2 ] && grep -q 'variable scan_T lacks the text attribute `key`' "$dir/err"
  report $? "a file without the key of a scan is refused, and says so" "$(cat "$dir/err")"
fi

[ -n "$WN_KEEP" ] || rm -rf "$dir"
finish
