#!/bin/sh
# t0514-plot-compare.t - defends: wilson-plot FILE FILE... draws swarms of several files and tables beside each other, with
# ratios to the first whose errors are added in quadrature, interpolates only between rows and says so, takes the tables of
# `wilson table` as they are, and refuses what it would otherwise draw wrongly.  Reference: ratios worked out by hand (3 % and
# 4 % are 5 %; a power law is a line in the logarithms, so that its interpolation is exact), and the file a table was made of.
# shellcheck source=t/tap/tap.sh
. "${WN_SRCDIR:-.}/t/tap/tap.sh"
plot=$src/src/plot/wilson-plot

[ "${WN_FAST:-0}" != 1 ] || skip_all "WN_FAST=1: pictures do not depend on the build"
[ "${WN_PICTURES:-1}" != 0 ] || skip_all "WN_PICTURES=0: pictures are drawn in another turn"
find_python
[ -n "$python" ] || skip_all "no Python with netCDF4, xarray and matplotlib (set WN_PYTHON)"
need_wilson
scratch t0514-plot-compare.tmp
MPLCONFIGDIR=$PWD/$dir
export MPLCONFIGDIR

cat >"$dir/n2.cfg" <<'END'
job = "swarm"; fields = ["20 Td", "100 Td", "300 Td"]; electrons = 64; groups = 8; accuracy = 0.5;
gas = { pressure = "1 atm"; temperature = "300 K"; components = { N2 = { file = "builtin:air"; fraction = 1.0; }; }; };
END
"$wilson" run "$dir/n2.cfg" --quiet --output "$dir/run.nc" >/dev/null 2>"$dir/err" &&
  "$wilson" table "$dir/run.nc" --output "$dir/table.csv" 2>>"$dir/err"
report $? "a run and its table" "$(cat "$dir/err")"

cat >"$dir/one.csv" <<'END'
# two quantities, with errors of 3 %
E/N (Td),Mean energy (eV),error of Mean energy (eV),"Townsend ioniz. coef. alpha/N (m2)"
10,1,0.03,
100,10,0.3,1e-22
1000,100,3,1e-20
END
cat >"$dir/two.csv" <<'END'
E/N (Td),Remarks,Mean energy (eV),error of Mean energy (eV),"Townsend ioniz. coef. alpha/N (m2)"
5,below,7,0.1,0
10,same,1.1,0.044,0
31.6227766,"between, exact for a power law",3.16227766,0.1264911064,0
100,same,12,0.48,1.5e-22
2000,above,7,0.1,1
END
cat >"$dir/check.py" <<'PY'
import sys
import numpy as np
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1] + "/python")
from wilson.plot.compare import Curves, QUANTITIES, ratio  # noqa: E402

where, status = sys.argv[2], 0


def check(good, name):
    global status
    status |= not good
    print(f"{0 if good else 1} {name}")


one, two = Curves(where + "/one.csv"), Curves(where + "/two.csv")
energy, alpha = "Mean energy (eV)", "Townsend ioniz. coef. alpha/N (m2)"
x, r, err, exact = ratio(one.of[energy], two.of[energy])
check(list(x) == [10, 31.6227766, 100], "ratios between the first and the last row of the first, and nowhere else")
check(np.allclose(r, [1.1, 1, 1.2], rtol=1e-9), "ratios at the same field, and of a power law in between")
check(np.allclose(err[[0, 2]], [0.055, 0.06], rtol=1e-9), "3 % and 4 % are 5 %")
check(np.isclose(err[1], np.hypot(0.04, 0.03 / np.sqrt(2)), rtol=1e-6),
      "half way between two rows of 3 % the error is theirs over the root of two")
check(list(exact) == [True, False, True], "what was interpolated is known")
x, r, err, _ = ratio(one.of[alpha], two.of[alpha])
check(list(x) == [100] and np.isclose(r[0], 1.5) and err[0] == 0, "a rate of 0 is no value, an empty field neither")
run, table = Curves(where + "/run.nc"), Curves(where + "/table.csv")
check(set(run.of) == set(table.of) and len(run.of) >= 8, "a table holds every quantity of its file")
worst = worst_error = 0.0
for name in QUANTITIES:
    if name in run.of:
        x, r, err, exact = ratio(run.of[name], table.of[name])
        check(exact.all() and len(x) == len(run.of[name][0]), f"{name}: all rows")
        worst = max(worst, np.abs(r - 1).max())
        worst_error = max(worst_error, np.abs(table.of[name][2] / run.of[name][2] - 1).max())
check(worst < 1e-8, f"and the same values, off by {worst:.1e}")
check(worst_error < 6e-3, f"with the same errors to three digits, off by {worst_error:.1e}")
for mark, sign in (("semicolon", ";"), ("tab", "\t")):  # as people have the results of BOLSIG+ and Magboltz
    rows = (("Electric field / N (Td)", "Mean energy (eV)", "Drift velocity (m/s)", "error of Drift velocity (m/s)"),
            ("10", "1.5", "2e4", "100"), ("100", "4", "1e5", "500"))
    with open(f"{where}/{mark}.csv", "w") as f:
        f.write("".join(sign.join(row) + "\n" for row in rows))
    of = Curves(f"{where}/{mark}.csv").of
    check(set(of) == {"Mean energy (eV)", "Mobility *N (1/m/V/s)"}, f"{mark}: columns")
    check(np.allclose(of["Mobility *N (1/m/V/s)"], ([10, 100], [2e24, 1e24], [1e22, 5e21])), f"{mark}: drift as mobility")
PY
forked "$dir/check.py" "$src" "$dir" >"$dir/results" 2>"$dir/err"
report $? "the numbers were looked at" "$(cat "$dir/err")"
while read -r bad name; do report "$bad" "$name"; done <"$dir/results"

forked "$src/t/tap/pictures.py" "$plot" $dir $dir/results run.nc+table.csv:compare one.csv+two.csv:compare \
  run.nc+one.csv+two.csv:compare 2>$dir/err
report $? "all pictures are drawn" "$(cat $dir/err)"
while read -r bad name; do report "$bad" "$name"; done <$dir/results
[ "$(wc -l <$dir/results)" -eq 6 ]
report $? "all pictures were looked at"
forked "$plot" "$dir/run.nc" "$dir/two.csv" -o "$dir/x.pdf" >"$dir/out" 2>"$dir/err" && [ -s "$dir/x.pdf" ] &&
  grep -q 'alpha/N (m2): 4 values not above zero' "$dir/err" # one of the run, three of the table
report $? "from the command line, with a note of the zeros" "$(cat "$dir/err")"

printf 'a,b\n1,2\n' >"$dir/other.csv"
printf 'E/N (Td),b\n1,2\n' >"$dir/nothing.csv"
printf 'E/N (Td),Mean energy (eV)\n1,much\n' >"$dir/word.csv"
printf 'E/N (Td),Mean energy (eV)\n1,2\n1,3\n' >"$dir/twice.csv"
printf 'E/N (Td),"Bulk mobility *N (1/m/V/s)"\n1,2\n' >"$dir/bulk.csv"
"$wilson" xs builtin:air --output "$dir/xs.nc" >/dev/null 2>&1
forked "$plot" "$dir/run.nc" "$dir/other.csv" >"$dir/out" 2>"$dir/err"
[ $? -eq 2 ] && [ "$(wc -l <"$dir/err")" -eq 1 ] && grep -q 'no column "E/N (Td)"' "$dir/err"
report $? "a table without E/N" "$(cat "$dir/err")"
refusals 8 <<'END'
2|a table without a name that is known|run.nc nothing.csv|nothing that can be compared
2|a word in the place of a number|run.nc word.csv|'much' is not a number
2|two rows of one field|run.nc twice.csv|1 Td stands in it twice
2|nothing in common|one.csv bulk.csv|no quantity that one of the others has
2|a file that is no swarm|run.nc xs.nc|holds no swarm
2|a table alone|one.csv|give two
2|an option that is for one file|run.nc one.csv --time 1ns|is for one file
2|a kind of result that is for one file|run.nc one.csv --what runaway|is for one file
END

[ -n "$WN_KEEP" ] || rm -rf "$dir"
finish
