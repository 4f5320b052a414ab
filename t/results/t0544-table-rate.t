#!/bin/sh
# t0544-table-rate.t - defends: `wilson table` writes the curve of a run of job runaway-rate as CSV: a row for each field that was
# finished, by rising E/N, with the numbers of the file and their errors; where no electron passed a threshold there is no rate
# but its upper limit; a rate that is not steady has 0 beside it, and a warning; other formats, and files of other jobs, are
# refused with what is allowed, before a file is touched; a scan is a table for each point, or the axis.
# Reference: the netCDF file, read by netCDF4.
# shellcheck source=t/tap/tap.sh
. "${WN_SRCDIR:-.}/t/tap/tap.sh"
scratch t0544-table-rate.tmp
need_wilson

cat >"$dir/air.cfg" <<'END'
title = "Runaways of air";
job = "runaway-rate"; initial_energy = "0.1 eV"; scattering = "okhrimovskyy"; sharing = "rbeb";
electrons = 256; accuracy = 0.1; duration = "14 ps"; population = { target = 64; };
fields = ["200 kV/cm", "20 kV/cm", "1000 kV/cm", "600 kV/cm"];
runaway = { thresholds = ["200 eV", "1 keV", "2 keV", "4 keV"]; };
gas = { pressure = "1 atm"; temperature = "0 degC"; components = {
  N2 = { fraction = 0.79; file = "builtin:air"; };
  O2 = { fraction = 0.21; file = "builtin:air"; }; }; };
tables = { energy_max = "10 keV"; };
END
run() { # run NAME OPTION...
  name=$1
  shift
  "$wilson" run "$dir/air.cfg" --quiet --threads 1 --output "$dir/$name.nc" "$@" >"$dir/out" 2>"$dir/err"
  report $? "a run to make a table of ($name)" "$(cat "$dir/err")"
}
run air
"$wilson" table "$dir/air.nc" >"$dir/air.csv" 2>"$dir/err"
report $? "its table" "$(cat "$dir/err")"
for what in 'Runaways of air' 'written by Wilson ' 'run of 20' 'seed 1' 'SHA-256 [0-9a-f]*$' 'builtin:air' \
  'gas number density 2.68678011e+25 m-3' 'the 95 % upper limit is' 'plateau state 1: there is a plateau; 0: none'; do
  grep -q "^# *.*$what" "$dir/air.csv" || echo "$what"
done >"$dir/bad"
! grep -q mobility "$dir/air.csv" || echo "words of swarms" >>"$dir/bad"
[ ! -s "$dir/bad" ]
report $? "says in its head where it is from, and what its columns are" "$(cat "$dir/bad")"
grep -q 'values without an event in the run are left out' "$dir/err"
report $? "what was not seen is said" "$(cat "$dir/err")"

refuse() { # refuse TEXT NAME WORD...: status 2 and TEXT, no output
  text=$1 name=$2
  shift 2
  "$wilson" table "$@" >"$dir/out" 2>"$dir/err"
  [ $? -eq 2 ] && grep -q -e "$text" "$dir/err" && [ ! -s "$dir/out" ]
  report $? "$name" "$(cat "$dir/err")"
}
for format in bolsig combined afivo; do
  refuse "air.nc: is a result of job runaway-rate, and format $format is for coefficients of a swarm; allowed: csv" "$format is refused" \
    "$dir/air.nc" --format $format
done
echo 'was here' >"$dir/there"
"$wilson" table "$dir/air.nc" --format afivo --output "$dir/there" 2>"$dir/err"
[ $? -eq 2 ] && grep -q 'was here' "$dir/there"
report $? "and what is in the output stays there" "$(cat "$dir/err")"
run runaway --set 'job="runaway"' --set 'duration="1 ps"' --set 'fields=["200 kV/cm"]'
refuse 'runaway.nc: is not a result of job swarm or runaway-rate, the jobs that have tables' \
  "a file of another job" "$dir/runaway.nc"

# Points of two fields: a table each.  Points of one: the scan is the axis.
scan='scan={P={key="gas.pressure";values=["2 atm","1 atm"];};}'
few() { # few NAME OPTION...: cheaper
  run "$@" --set 'duration="5ps"' --set 'runaway.thresholds=["20eV","50eV"]' --set "$scan"
}
few scan --set 'fields=["600 Td","300 Td"]'
refuse 'has a scan of 2 tables; give --output' "a scan has a file for each point" "$dir/scan.nc"
"$wilson" table "$dir/scan.nc" --output "$dir/scan.csv" >"$dir/out" 2>"$dir/err" &&
  grep -q '^# scan point: P = 101325 Pa (gas.pressure)$' "$dir/scan-P_101325.csv" &&
  grep -q '^# scan point: P = 202650 Pa (gas.pressure)$' "$dir/scan-P_202650.csv"
report $? "whose name has the point" "$(cat "$dir/err")"
few axis --set 'fields=["300 Td"]'
"$wilson" table "$dir/axis.nc" --output "$dir/axis.csv" 2>"$dir/err"
report $? "a scan of one field is one table" "$(cat "$dir/err")"

cat >"$dir/check.py" <<'PY'
"""check.py RESULT CSV AXIS RECORD...: the rows are those records, in this order."""
import csv
import sys
import netCDF4
import numpy as np

d = netCDF4.Dataset(sys.argv[1])
rows = list(csv.reader(line for line in open(sys.argv[2], newline="") if line[0] != "#"))
axis, records = sys.argv[3], [int(word) for word in sys.argv[4:]]
names, rows = rows[0], rows[1:]
bad, n_limits, n_compared = [], 0, 0


def get(v):
    return np.ma.filled(d[v][...].astype(float), np.nan)


want = {}  # column: numbers of the records, NaN where the field is empty
digits = {}  # of a column, relative


def expect(column, values, of=5.1e-9):
    want[column] = np.broadcast_to(values, len(get("electric_field")))
    digits[column] = of


def measured(column, value, error, limit=None, is_rate=True):
    seen = value != 0 if is_rate else np.isfinite(value)
    expect(column, np.where(seen, value, np.nan))
    expect("error of " + column, np.where(seen & (error > 0), error, np.nan), 6e-3)
    if limit is not None:
        expect("upper limit of " + column, np.where(~seen & np.isfinite(limit), limit, np.nan), 6e-3)


expect("E/N (Td)", get("reduced_electric_field"))
if axis != "E/N (Td)":
    expect(axis, get("scan_P"))
    expect("error of E/N (Td)", np.nan)
expect("Electric field (kV/cm)", get("electric_field") / 1e5)
expect("Gas number density (1/m3)", get("gas_number_density"))
for k, energy in enumerate(get("threshold")):
    column = f"Passage rate of {energy:.9g} eV"
    rate = get("passage_rate")[:, k]
    measured(column + " (1/s)", rate, get("passage_rate_error")[:, k], get("passage_rate_limit")[:, k])
    expect(column + " is steady", np.where(rate > 0, get("threshold_is_steady")[:, k], np.nan))
expect("Plateau threshold (eV)", get("plateau_threshold"))
expect("Plateau state", get("plateau_state"))
measured("Plateau loss", get("plateau_loss"), get("plateau_loss_error"), is_rate=False)
measured("Ionization rate (1/s)", get("ionization_rate"), get("ionization_rate_error"))
measured("Attachment rate (1/s)", get("attachment_rate"), get("attachment_rate_error"))
expect("Measured time (s)", get("measured_time"))

if names[0] != axis or set(names) != set(want) or len(names) != len(want):
    bad.append(f"columns {names}, want {list(want)}")
if len(rows) != len(records) or any(len(row) != len(names) for row in rows):
    bad.append(f"{len(rows)} rows of {[len(row) for row in rows]} fields, want {len(records)} of {len(names)}")
x = [float(row[0]) for row in rows]
if x != sorted(x):
    bad.append(f"rows are not in rising order: {x}")
for row, i in zip(rows, records):
    for name, text in zip(names, row):
        w = want[name][i] if name in want else np.nan
        n_compared += text != ""
        n_limits += name.startswith("upper limit") and text != ""
        if (text != "") != np.isfinite(w) or text != "" and abs(float(text) - w) > digits[name] * abs(w):
            bad.append(f"{name} of record {i}: `{text}`, want {w}")
print(f"# {n_compared} numbers, {n_limits} of them upper limits")
if n_compared < 12 * len(records):
    bad.append(f"{n_compared} numbers are too few to defend something")
if len(records) == 4 and not 0 < n_limits < 16:
    bad.append(f"{n_limits} upper limits: nothing to defend")
print("\n".join(bad), file=sys.stderr)
sys.exit(bool(bad))
PY
# Made up, so that each state is there: a plateau, none, and what is not known; two rates that are not steady, of three flags
# that say so; a field that a killed run has not finished.
cat >"$dir/edit.py" <<'PY'
import sys
import netCDF4
d = netCDF4.Dataset(sys.argv[1], "a")
d["plateau_state"][:] = [1, -1, 1, 0]
d["plateau_threshold"][:] = [1000.0, float("nan"), 2000.0, float("nan")]
d["plateau_loss"][0] = float("nan")
d["passage_rate"][3] = [4e10, 3e10, 2e10, 1e10]
d["passage_rate_limit"][3] = [float("nan")] * 4
d["threshold_is_steady"][:] = 1
d["threshold_is_steady"][1, 0] = 0
d["threshold_is_steady"][3] = [1, 1, 0, 0]
for name in sys.argv[2:]:
    d[name][2] = float("nan")  # their fill value
d.close()
PY
find_python
check() { # check WHAT RESULT CSV AXIS RECORD...
  what=$1
  shift
  if [ -z "$python" ]; then
    skip "$what" "no Python with netCDF4"
    return
  fi
  "$python" "$dir/check.py" "$@" 2>"$dir/err"
  report $? "$what" "$(cat "$dir/err")"
}
check "the numbers of the file, by rising field" "$dir/air.nc" "$dir/air.csv" 'E/N (Td)' 1 0 3 2
check "of a point of a scan" "$dir/scan.nc" "$dir/scan-P_202650.csv" 'E/N (Td)' 1 0
check "of the other" "$dir/scan.nc" "$dir/scan-P_101325.csv" 'E/N (Td)' 3 2
check "of a scan that is the axis" "$dir/axis.nc" "$dir/axis.csv" 'gas.pressure (Pa)' 1 0
if [ -z "$python" ]; then
  skip "rates that are not steady, plateaus, and a field that was not finished" "no Python with netCDF4"
else
  "$python" "$dir/edit.py" "$dir/air.nc" 2>"$dir/bad"
  "$wilson" table "$dir/air.nc" >"$dir/air.csv" 2>"$dir/err"
  check "rates that are not steady, and plateaus" "$dir/air.nc" "$dir/air.csv" 'E/N (Td)' 1 0 3 2
  "$wilson" table "$dir/air.nc" >"$dir/air.csv" 2>"$dir/err"
  [ "$(grep -c 'air.nc: 2 rates are not steady, and no results; the column next to each has 0' "$dir/err")" = 1 ] &&
    grep -q '^# 2 rates are not steady, and no results: 0 in the column next to them$' "$dir/air.csv"
  report $? "how many are not steady is said, once, and in the head" "$(cat "$dir/bad" "$dir/err")"
  "$wilson" table "$dir/air.nc" --unseen zero >"$dir/zero.csv" 2>"$dir/err" &&
    "$python" -c "
import csv, sys
row = list(csv.DictReader(line for line in open(sys.argv[1]) if line[0] != '#'))[0]
rate = 'Passage rate of 200 eV (1/s)'
assert row[rate] == '0' and float(row['upper limit of ' + rate]) > 0 and row['Plateau threshold (eV)'] == '', row" \
      "$dir/zero.csv" 2>>"$dir/err"
  report $? "zeros where they are asked for, of rates alone" "$(cat "$dir/err")"
  "$python" "$dir/edit.py" "$dir/air.nc" measured_time passage_rate ionization_rate 2>"$dir/bad"
  "$wilson" table "$dir/air.nc" >"$dir/air.csv" 2>"$dir/err"
  grep -q '3 of 4 fields are finished; the table has only these' "$dir/err"
  report $? "a field that was not finished is said" "$(cat "$dir/bad" "$dir/err")"
  check "and has no row" "$dir/air.nc" "$dir/air.csv" 'E/N (Td)' 1 0 3
fi

[ -n "$WN_KEEP" ] || rm -rf "$dir"
finish
