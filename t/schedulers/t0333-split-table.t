#!/bin/sh
# t0333-split-table.t - defends: `bench/study/study split-table` writes the table of model split-remove as a file that users can start from:
# it has all levels and says what they are, a run that names it gives the numbers of a run without it, a run with another table
# or a constant chance does not, and a file that cannot be written is an error.  Reference: the run with the built-in table.
# shellcheck source=t/tap/tap.sh
. "${WN_SRCDIR:-.}/t/tap/tap.sh"
scratch t0333-split-table.tmp
study=${WN_BUILDDIR:-.}/bench/study/study
[ -x "$study" ] || skip_all "bench/study/study is not built"

run() { # run NAME [OPTION...]: its table goes to NAME.out
  name=$1
  shift
  "$study" run --model split-remove electrons=2000 split_remove.cells=64 split_remove.edge=8 split_remove.poisson_steps=3 \
    split_remove.mobility_steps=100 "split_remove.mobility_step=100 ps" "$@" >"$dir/$name.out" 2>"$dir/err"
}

"$study" split-table "$dir/table.txt" >"$dir/out" 2>"$dir/err"
report $? "the table is written to a file" "$(cat "$dir/err")"
[ ! -s "$dir/out" ]
report $? "and nothing else is printed"
"$study" split-table >"$dir/out" 2>"$dir/err" && cmp "$dir/out" "$dir/table.txt" >"$dir/err" 2>&1
report $? "without a name it goes to standard output, the same" "$(cat "$dir/err")"
lines=$(grep -cE '^[0-9.e+-]+ [0-9.e+-]+$' "$dir/table.txt")
report "$([ "$lines" = 10000 ] && echo 0 || echo 1)" "10000 lines of two numbers" "$lines"
head -n 1 "$dir/table.txt" | grep -q '^#.*per cent'
report $? "the first line says what they are" "$(head -n 1 "$dir/table.txt")"

run default
report $? "a run with the built-in table" "$(cat "$dir/err")"
births=$(awk 'NR > 1 { b += $4 } END { print b + 0 }' "$dir/default.out")
report "$([ "$births" -gt 1000 ] && echo 0 || echo 1)" "has births enough to defend something" "$births"
run file split_remove.table="$dir/table.txt"
report $? "a run with the file" "$(cat "$dir/err")"
cmp "$dir/default.out" "$dir/file.out" >"$dir/err" 2>&1
report $? "gives the same numbers" "$(diff "$dir/default.out" "$dir/file.out")"
sed '2000,9000s/.*/0.25 0.5/' "$dir/table.txt" >"$dir/other.txt"
run other split_remove.table="$dir/other.txt"
report $? "a run with another table" "$(cat "$dir/err")"
! cmp -s "$dir/default.out" "$dir/other.out"
report $? "gives other numbers"
run constant split_remove.constant=2
report $? "a run with a constant chance" "$(cat "$dir/err")"
! cmp -s "$dir/default.out" "$dir/constant.out"
report $? "gives other numbers, too"
run both split_remove.constant=2 split_remove.table="$dir/table.txt"
code=$?
grep -q 'split_remove.constant.* split_remove.table; take one of the two out' "$dir/err" && [ $code = 2 ]
report $? "a table and a constant chance at once are refused" "status $code: $(cat "$dir/err")"

echo mine >"$dir/mine.txt"
"$study" split-table "$dir/mine.txt" >"$dir/out" 2>"$dir/err"
code=$?
[ $code = 2 ] && grep -q 'mine.txt: is there already, and is not overwritten' "$dir/err" && [ "$(cat "$dir/mine.txt")" = mine ]
report $? "a file that is there is left alone" "status $code: $(cat "$dir/err")"
"$study" split-table "$dir/no-such/table.txt" >"$dir/out" 2>"$dir/err"
code=$?
report "$([ $code = 1 ] && grep -q 'no-such/table.txt' "$dir/err" && echo 0 || echo 1)" "a file that cannot be written is an error" \
  "status $code: $(cat "$dir/err")"
if [ -w /dev/full ]; then
  "$study" split-table /dev/full >"$dir/out" 2>"$dir/err"
  code=$?
  report "$([ $code = 1 ] && grep -q '/dev/full' "$dir/err" && echo 0 || echo 1)" "a full disk is an error" "status $code: $(cat "$dir/err")"
else
  skip "a full disk is an error" "no /dev/full here"
fi

rm -rf "$dir"
finish
