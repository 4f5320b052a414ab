#!/bin/sh
# t0540-table.t - defends: `wilson table` writes every number of a swarm run that was measured, in the units of its column, with
# names and lines that the readers of the formats look for; what was not seen is no number; what the gas cannot do is 0; bad
# files and words are errors.  Reference: the netCDF file, read by netCDF4, with the formulae of each quantity written anew here;
# the parsers follow the formats' own documents: RFC 4180, BOLSIG+ 03/2016 (tables over E/N), and afivo-streamer's comment on
# its format (src/m_table_data.f90); that of the combined table what a public reader of BOLSIG+'s files asks of it
# (afivo-streamer's tools/bolsig_convert.py, commit 061e716e): lines by their whole text, each word of a row a number.
# shellcheck source=t/tap/tap.sh
. "${WN_SRCDIR:-.}/t/tap/tap.sh"
scratch t0540-table.tmp
need_wilson

cat >"$dir/n2.cfg" <<'END'
title = "Nitrogen with a little oxygen";
job = "swarm";
fields = ["300 Td", "2 Td", "100 Td"];
electrons = 64;
groups = 8;
accuracy = 0.5;
gas = { pressure = "1 atm"; temperature = "300 K"; components = {
  N2 = { fraction = 0.75; file = "builtin:air"; };
  O2 = { fraction = 0.25; file = "builtin:air"; exclude = [@EXCLUDE@]; }; }; };
END
sed 's/@EXCLUDE@//' "$dir/n2.cfg" >"$dir/a.cfg"
sed 's/@EXCLUDE@/"attachment O-+O", "attachment O2- (three-body)"/' "$dir/n2.cfg" >"$dir/none.cfg"
for name in a none; do
  "$wilson" run "$dir/$name.cfg" --quiet --threads 1 --output "$dir/$name.nc" >"$dir/out" 2>"$dir/err"
  report $? "a swarm run to make a table of ($name)" "$(cat "$dir/err")"
  "$wilson" table "$dir/$name.nc" --format combined --unseen zero --output "$dir/$name-zero.combined" 2>"$dir/err"
  report $? "$name: combined" "$(cat "$dir/err")"
  for format in csv bolsig afivo; do
    "$wilson" table "$dir/$name.nc" --format $format --unseen zero --output "$dir/$name-zero.$format" 2>"$dir/err"
    report $? "$name: $format, zeros asked for" "$(cat "$dir/err")"
    "$wilson" table "$dir/$name.nc" --format $format --output "$dir/$name.$format" 2>"$dir/err"
    report $? "$name: $format" "$(cat "$dir/err")"
  done
done
grep -q 'left out; afivo-streamer holds a table constant' "$dir/err"
report $? "that rows are left out is said, and what the reader makes of it"
"$wilson" table "$dir/a.nc" >"$dir/out" 2>"$dir/err" && cmp "$dir/out" "$dir/a.csv" >"$dir/err" 2>&1
report $? "without options it is csv on standard output" "$(cat "$dir/err")"
for what in 'written by Wilson ' 'run of 20' 'seed 1' 'SHA-256 [0-9a-f]*$' 'builtin:air' 'Nitrogen with a little'; do
  for format in csv bolsig afivo; do
    grep -q "^# *.*$what" "$dir/a.$format" || echo "$format: $what"
  done
done >"$dir/err"
[ ! -s "$dir/err" ]
report $? "each says in its head where it is from" "$(cat "$dir/err")"

refuse() { # refuse TEXT NAME WORD...: status 2 and TEXT, no output
  text=$1 name=$2
  shift 2
  "$wilson" table "$@" >"$dir/out" 2>"$dir/err"
  [ $? -eq 2 ] && grep -q -e "$text" "$dir/err" && [ ! -s "$dir/out" ]
  report $? "$name" "$(cat "$dir/err")"
}
refuse 'allowed: bolsig, combined, afivo, csv; nearest is bolsig' "a format that there is not" "$dir/a.nc" --format bolsing
refuse 'allowed: leave, zero' "a word that there is not" "$dir/a.nc" --unseen maybe
refuse 'has no event at 2 Td, and a combined table needs every number; --unseen zero' "a combined table with gaps" \
  "$dir/a.nc" --format combined
refuse 'cannot be read' "a file that is missing" "$dir/absent.nc"
refuse 'cannot be read' "a file that is no netCDF" "$dir/a.cfg"
"$wilson" xs builtin:air --output "$dir/xs.nc" >"$dir/out" 2>&1
refuse 'is not a result of job swarm or runaway-rate' "a file without a swarm" "$dir/xs.nc"
"$wilson" run "$dir/a.cfg" --quiet --set 'fields=["100 Td"]' --output "$dir/one.nc" >"$dir/out" 2>&1
refuse 'scan over more fields' "one field for afivo-streamer" "$dir/one.nc" --format afivo
"$wilson" run "$dir/a.cfg" --quiet --set 'fields=["5 Td", "8 Td"]' --output "$dir/low.nc" >"$dir/out" 2>&1
refuse 'alpha/N (m2). has events in fewer than 2 fields.*--unseen zero' "no ionization for afivo-streamer" \
  "$dir/low.nc" --format afivo
"$wilson" table "$dir/low.nc" --format afivo --output "$dir/low.afivo" 2>/dev/null || [ ! -e "$dir/low.afivo" ]
report $? "which leaves no file behind"
"$wilson" run "$dir/a.cfg" --quiet --set 'fields=["100 Td"]' --output "$dir/points.nc" \
  --set 'scan={T={key="gas.temperature";values=["300 K","600 K"];};}' >"$dir/out" 2>&1
echo 'was here' >"$dir/there"
"$wilson" table "$dir/points.nc" --format combined --output "$dir/there" 2>"$dir/err"
[ $? -eq 2 ] && grep -q 'was here' "$dir/there" && grep -q 'has one field at each scan point' "$dir/err"
report $? "a format that is not for a scan leaves what is in the output" "$(cat "$dir/err")"
"$wilson" table "$dir/a.nc" --output "$dir/absent/x" 2>"$dir/err"
[ $? -eq 1 ] && grep -q 'absent/x: cannot be written' "$dir/err"
report $? "a folder that is missing" "$(cat "$dir/err")"

cat >"$dir/check.py" <<'PY'
import csv
import sys
import netCDF4
import numpy as np

where, name, zero = sys.argv[1], sys.argv[2], sys.argv[3] == "zero"
path = f"{where}/{name}-zero" if zero else f"{where}/{name}"
d = netCDF4.Dataset(f"{where}/{name}.nc")


def get(v):
    return np.ma.filled(d[v][...].astype(float), np.nan)


td = get("reduced_electric_field")
n = float(get("gas_number_density"))
labels = list(d["process_name"][:])
fraction = {"N2": 0.75, "O2": 0.25}
want = {}  # column: {E/N: (value, error)}
limit = {}  # column: {E/N: value}, where nothing was seen


def expect(column, values, errors, rate=False, exact=False):
    rows = {}
    for x, v, e in zip(td, values, errors):
        if exact:
            rows[x] = (0.0, None)
        elif rate and v == 0:
            if zero:
                rows[x] = (0.0, None)
        elif np.isfinite(v):
            rows[x] = (v, e)
    want[column] = rows


def bound(column, values):
    limit[column] = {x: v for x, v in zip(td, values) if np.isfinite(v)}


def quantity(column, v, scale, rate=None):
    exact = rate is not None and not any(rate in label for label in labels)
    if rate is not None:
        bound(column, get(v + "_upper_limit") * scale if v + "_upper_limit" in d.variables else td * np.nan)
    expect(column, get(v) * scale, get(v + "_error") * np.abs(scale), rate is not None, exact)


quantity("Mean energy (eV)", "mean_energy", 1)
quantity("Mobility *N (1/m/V/s)", "drift_velocity_flux", n / get("electric_field"))
quantity("Bulk mobility *N (1/m/V/s)", "drift_velocity_bulk", n / get("electric_field"))
quantity("Diffusion coefficient *N (1/m/s)", "diffusion_transverse_flux", n)
quantity("Longitud. diffusion coef. *N (1/m/s)", "diffusion_longitudinal_flux", n)
quantity("Bulk T diffusion coef. *N (1/m/s)", "diffusion_transverse_bulk", n)
quantity("Bulk L diffusion coef. *N (1/m/s)", "diffusion_longitudinal_bulk", n)
quantity("Total ionization freq. /N (m3/s)", "ionization_frequency", 1 / n, "ionization")
quantity("Total attachment freq. /N (m3/s)", "attachment_frequency", 1 / n, "attachment")
quantity("Townsend ioniz. coef. alpha/N (m2)", "townsend_coefficient_reduced", 1, "ionization")
quantity("Townsend attach. coef. eta/N (m2)", "attachment_coefficient_reduced", 1, "attachment")
quantity("Growth rate /N (m3/s)", "growth_rate", 1 / n, " ")
quantity("PT effective coef. (alpha-eta)/N (m2)", "townsend_effective_reduced", 1, " ")
SST = ["SST effective coef. (alpha-eta)/N (m2)", "SST mean energy (eV)", "SST drift velocity (m/s)"]
for column, v in zip(SST, ["townsend_effective_sst_reduced", "mean_energy_sst", "drift_velocity_sst"]):
    quantity(column, v, 1, " " if column == SST[0] else None)
nu, nu_error = get("process_frequency"), get("process_frequency_error")
for k, label in enumerate(labels):
    gas, kind = label.split()[:2]
    loss = float(d["process_threshold"][k])
    column = f"C{k + 1} {gas} {kind.capitalize()}" + (f" {loss:.2f} eV" if loss else "")
    scale = 1 / (n * fraction[gas])
    expect(column, nu[:, k] * scale, nu_error[:, k] * scale, True)
    want[column + " (m3/s)"] = want[column]
    bound(column + " (m3/s)", get("process_frequency_upper_limit")[:, k] * scale)


def read_csv(path):
    got, errors, limits = {}, {}, {}
    rows = list(csv.reader(line for line in open(path, newline="") if not line.startswith("#")))
    assert all(len(r) == len(rows[0]) for r in rows), "rows of different length"
    for i, name in enumerate(rows[0][1:], 1):
        to = got
        for words, other in (("error of ", errors), ("upper limit of ", limits)):
            if name.startswith(words):
                to, name = other, name[len(words):]
        to[name] = {float(r[0]): float(r[i]) for r in rows[1:] if r[i] != ""}
    x = [float(r[0]) for r in rows[1:]]
    assert x == sorted(x), "rows are not in the order of E/N"
    return got, errors, limits


def read_bolsig(path):
    """Blocks between empty lines; a rate has its collision in the line before the names."""
    got = {}
    for block in open(path).read().split("\n\n"):
        lines = [line for line in block.splitlines() if line and not line.startswith("#")]
        at = [i for i, line in enumerate(lines) if line.startswith("E/N (Td)\t")]
        if not at:
            assert not lines, lines
            continue
        name = lines[at[0]].split("\t")[1]
        if name == "Rate coefficient (m3/s)":
            name = lines[at[0] - 1]
        assert name not in got, name
        rows = [line.split("\t") for line in lines[at[0] + 1:]]
        got[name] = {float(x): float(y) for x, y in rows}
    return got


def read_afivo(path):
    """Name; FACTOR:, COMMENT:; dashes; rows; dashes."""
    got, lines = {}, iter(open(path).read().splitlines())
    for line in lines:
        if not line or line.startswith("#"):
            continue
        name, rows = line, {}
        assert name not in got, name
        for line in lines:
            if line[:5] == "-----":
                break
            assert line.startswith(("FACTOR:", "COMMENT:")), line
        for line in lines:
            if line[:5] == "-----":
                break
            x, y = line.split()
            rows[float(x)] = float(y)
        assert len(rows) >= 2, name
        assert list(rows) == sorted(rows), name
        got[name] = rows
    return got


def read_combined(path):
    """Two tables of rows of words that are numbers, columns named by the legend before them."""
    lines, got = open(path).read().splitlines(), {}
    for title, mark, before in ((" Transport coefficients", "A", 2), ("Rate coefficients (m3/s)", " C", 3)):
        i, legend = lines.index(title) + 1, []
        while lines[i].startswith(mark):
            words = lines[i].split()
            legend.append(words)
            i += 1
        head = lines[i].replace("E/N (Td)", "E/N").replace("Energy (eV)", "Energy").split()
        assert head[before:] == [words[0] for words in legend] and head[:2] == ["R#", "E/N"], head
        rows, i = [], i + 1
        while lines[i].strip():
            rows.append([float(word) for word in lines[i].split()])
            i += 1
        assert [row[0] for row in rows] == list(range(1, len(rows) + 1)), "numbers of the runs"
        for k, words in enumerate(legend):
            name = " ".join(words[1:] if mark == "A" else words)
            assert name not in got, name
            got[name] = {row[1]: row[before + k] for row in rows}
        if mark == " C":
            assert [row[2] for row in rows] == list(got["Mean energy (eV)"].values()), "energies of the rates"
    return got


n_doubtful = [0]


def compare(kind, got, least):
    bad, n_compared = [], 0
    names = [c for c in want if c in got or not c.endswith(" (m3/s)") or c.startswith("Total")]
    if kind == "csv":
        names = [c for c in names if not c.startswith("C") or c.endswith(" (m3/s)")]
    for column in names:
        rows = want[column]
        if kind in ("bolsig", "afivo"):  # which have no errors: without rates of one or two events
            doubtful = [x for x, (v, e) in rows.items() if column[0] == "C" and e is not None and v > 0 and e >= 0.7 * v]
            rows = {x: r for x, r in rows.items() if x not in doubtful}
            n_doubtful[0] += len(doubtful)
        if kind == "combined" and column in SST and len(rows) < len(td):
            if column in got or f"# no column, as some rows have no number: {column}\n" not in open(path + ".combined").read():
                bad.append(f"{kind}: {column} has no number in each row")
            continue
        if column not in got:
            if len(rows) >= least:
                bad.append(f"{kind}: no column {column}")
            continue
        mine = got[column]
        if set(mine) != {float(f"{x:.9g}") for x in rows}:
            bad.append(f"{kind}: {column}: rows {sorted(mine)}, want {sorted(rows)}")
            continue
        for x, (v, _) in rows.items():
            n_compared += 1
            y = mine[float(f"{x:.9g}")]
            if abs(y - v) > 5.1e-9 * abs(v):  # nine digits were written
                bad.append(f"{kind}: {column} at {x} Td: {y}, want {v}")
    extra = set(got) - set(want)
    if extra:
        bad.append(f"{kind}: columns of nothing: {extra}")
    print(f"# {kind}: {n_compared} numbers")
    if n_compared < 60:
        bad.append(f"{kind}: {n_compared} numbers are too few to defend something")
    return bad


got, errors, limits = read_csv(path + ".csv")
bad = compare("csv", got, 0)
for column, rows in errors.items():
    for x, (_, e) in want[column].items():
        mine = rows.get(x)
        if (e is not None and np.isfinite(e) and e > 0) != (mine is not None):
            bad.append(f"csv: error of {column} at {x} Td: {mine}, want {e}")
        elif mine is not None and abs(mine - e) > 6e-3 * e:
            bad.append(f"csv: error of {column} at {x} Td: {mine}, want {e}")
n_limits = 0
for column, rows in limits.items():
    for x in td:  # where nothing was seen, and only there
        mine, there = rows.get(float(f"{x:.9g}")), column in limit and x in limit[column]
        n_limits += mine is not None
        if there != (mine is not None) or there and abs(mine - limit[column][x]) > 6e-3 * mine:
            bad.append(f"csv: upper limit of {column} at {x} Td: {mine}")
if name == "a" and n_limits == 0:
    bad.append("no upper limits: nothing to defend")
bad += compare("bolsig", read_bolsig(path + ".bolsig"), 1)
bad += compare("afivo", read_afivo(path + ".afivo"), 2)
if zero:
    bad += compare("combined", read_combined(path + ".combined"), 1)
unseen = sum(len(td) - len(rows) for rows in want.values())
if name == "a" and (unseen > 0) == zero:
    bad.append(f"{unseen} values were not seen: nothing to defend")
if name == "a" and n_doubtful[0] == 0:
    bad.append("no rate is of so few events: nothing to defend")
if name == "none" and any(v for v, _ in want["Townsend attach. coef. eta/N (m2)"].values()):
    bad.append("the run without attachment attaches")
print("\n".join(bad), file=sys.stderr)
sys.exit(bool(bad))
PY
find_python
for name in a none; do
  for unseen in leave zero; do
    if [ -z "$python" ]; then
      skip "$name, $unseen: all numbers in all formats" "no Python with netCDF4"
      continue
    fi
    "$python" "$dir/check.py" "$dir" $name $unseen 2>"$dir/err"
    report $? "$name, $unseen: all numbers in all formats" "$(cat "$dir/err")"
  done
done

# Upper limits of what was not seen, in 1/s and m2, here made up, and a magnetic field.
cat >"$dir/more.py" <<'PY'
import sys
import netCDF4
d = netCDF4.Dataset(sys.argv[1], "a")
v = d["townsend_coefficient_reduced_upper_limit"]
v[:] = [float("nan"), 4e-25, 7e-24]
d["mean_energy_sst"][1] = float("nan")
v = d["process_frequency_upper_limit"]
v[:] = 0.75 * float(d["gas_number_density"][...]) * 1e-20
for name, value in (("magnetic_field", 0.1), ("reduced_magnetic_field", 4.0), ("magnetic_angle", 0.5)):
    d.createVariable(name, "f8", ())[...] = value
d.close()
PY
if [ -z "$python" ]; then
  skip "upper limits and a magnetic field" "no Python with netCDF4"
else
  "$python" "$dir/more.py" "$dir/a.nc" 2>"$dir/err"
  for format in csv bolsig afivo; do
    "$wilson" table "$dir/a.nc" --format $format --output "$dir/a.$format" 2>>"$dir/err" || echo "$format"
    grep -q '^# magnetic field 0.1 T (4 Hx), 0.5 rad to the direction against E' "$dir/a.$format" || echo "$format: field"
  done >"$dir/bad"
  for format in bolsig afivo; do
    grep -q 'not measured, no row (Td): 2 (below 4e-25 with 95 %)$' "$dir/a.$format" || echo "$format: alpha"
    grep -q 'not measured, no row (Td): 2 (below 1e-20 with 95 %)' "$dir/a.$format" || echo "$format: a process of N2"
    ! grep -q 'below 7e-24' "$dir/a.$format" || echo "$format: a limit of what was seen"
  done >>"$dir/bad"
  "$python" -c "
import csv, sys
rows = list(csv.DictReader(line for line in open(sys.argv[1]) if line[0] != '#'))
alpha = 'Townsend ioniz. coef. alpha/N (m2)'
assert [r['upper limit of ' + alpha] for r in rows] == ['4e-25', '', ''], rows
assert rows[0][alpha] == rows[0]['error of ' + alpha] == '' and float(rows[1][alpha]) > 0
assert 'upper limit of Mean energy (eV)' not in rows[0]" "$dir/a.csv" 2>>"$dir/bad"
  cat "$dir/err" >>"$dir/bad"
  [ "$(grep -vc 'without an event in the run are left out' "$dir/bad")" = 0 ]
  report $? "upper limits and a magnetic field" "$(cat "$dir/bad")"
fi

# A steady-state energy that one field has not: the combined table loses the column, no row; the others lose the row.
if [ -z "$python" ]; then
  skip "a column with a gap" "no Python with netCDF4"
else
  "$wilson" table "$dir/a.nc" --format combined --unseen zero --output "$dir/a.combined" 2>"$dir/err"
  grep -q '^# no column, as some rows have no number: SST mean energy (eV)$' "$dir/a.combined" || echo "it is not said" >>"$dir/err"
  ! grep -q '^A[0-9]* *SST mean energy' "$dir/a.combined" || echo "it has a column" >>"$dir/err"
  grep -q '^A[0-9]* *SST drift velocity' "$dir/a.combined" || echo "the drift has none" >>"$dir/err"
  [ "$(grep -c '^[123]  ' "$dir/a.combined")" = 6 ] || echo "rows are missing" >>"$dir/err"
  [ "$(sed -n '/	SST mean energy/,/^$/p' "$dir/a.bolsig" | grep -c '^[0-9]')" = 2 ] || echo "bolsig" >>"$dir/err"
  [ "$(grep -vc 'written as 0' "$dir/err")" = 0 ]
  report $? "a column with a gap" "$(cat "$dir/err")"
fi

[ -n "$WN_KEEP" ] || rm -rf "$dir"
finish
