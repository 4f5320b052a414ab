#!/bin/sh
# t0504-hostile.t - defends: what a careless or hostile caller does is answered by an error that names it, or by nothing at all; no
# input and no earlier result is lost.  Each case was wrong once (found by use against the grain, 2026-11-22).
# shellcheck disable=SC2016 # backticks in single quotes are part of messages
# shellcheck source=t/tap/tap.sh
. "${WN_SRCDIR:-.}/t/tap/tap.sh"
case $src in /*) ;; *) src=$PWD/$src ;; esac
case $wilson in /*) ;; *) wilson=$PWD/$wilson ;; esac
scratch t0504-hostile.tmp
need_wilson
cd "$dir" || exit 1

cat >a.cfg <<'END'
fields = ["100 Td"]; electrons = 300; duration = "2 ps"; relaxation = "1 ps"; sampling = { interval = "0.0625 ps"; };
gas = { components = { N2 = { file = "builtin:air"; }; }; };
END
cat >runaway.cfg <<'END'
job = "runaway"; fields = ["1500 Td"]; electrons = 100; duration = "5 ps"; sampling = { interval = "1 ps"; };
gas = { components = { N2 = { file = "builtin:air"; }; }; };
END

printed() { # what the last command wrote
  sed 's/^/stdout: /' out | head -n 6
  sed 's/^/stderr: /' err | head -n 6
}

# expect STATUS STREAM TEXT ARGUMENT...: exit status, and TEXT somewhere in STREAM (out, err or none).
expect() {
  want=$1
  stream=$2
  text=$3
  shift 3
  "$wilson" "$@" >out 2>err </dev/null
  code=$?
  good=1
  if [ "$code" = "$want" ]; then
    if [ "$stream" = none ] || grep -qF -e "$text" "$stream"; then
      good=0
    fi
  fi
  [ "$good" = 0 ] || echo "# exit status $code, wanted $want; wanted in $stream: $text"
  report $good "wilson $* exits with $want" "$(printed)"
}

is_netcdf() { # is_netcdf FILE: begins as HDF5 does
  [ "$(head -c 4 "$1" | tail -c 3)" = HDF ]
}

# Descriptors 0 to 2 closed: the file opened next would get their number, and what is printed.
"$wilson" run a.cfg --quiet --output good.nc >table 2>err
"$wilson" run a.cfg --quiet --output closed.nc 2>err >&-
code=$?
size() { wc -c <"$1"; }
: >out
[ $code = 1 ] && grep -q 'cannot write to standard output: ' err && is_netcdf closed.nc &&
  [ "$(grep -c 'kV/cm' closed.nc)" = "$(grep -c 'kV/cm' good.nc)" ]
report $? "stdout closed: the result has nothing of the table, and the loss is an error" "status $code; $(printed)"
"$wilson" run a.cfg --quiet --output closed.nc >out 2>&-
[ $? = 0 ] && cmp -s out table && is_netcdf closed.nc
report $? "stderr closed: the table is where it belongs"
"$wilson" run a.cfg --quiet --output closed.nc <&- >&- 2>&-
[ $? = 1 ] && is_netcdf closed.nc
report $? "all three closed: the result is whole, and the status says that the table is lost"

# Text of scenarios.
{ printf '\357\273\277' && cat a.cfg; } >bom.cfg
expect 0 out 'the scenario is sound' check bom.cfg
{ cat a.cfg && printf '/* seed = 3;\nthreads = 2;\n'; } >comment.cfg
expect 2 err 'comment.cfg:3: the comment opened here with /* is not closed' check comment.cfg
{ cat a.cfg && seq -f 'k%.0f = 1;' 20000; } >many.cfg
expect 2 err ': not a scenario: more than 4096 keys' check many.cfg
{ cat a.cfg && seq -f 'key_%.0f = 1;' 3000; } >some.cfg
expect 2 err 'some.cfg: 2980 more unknown keys' check some.cfg
[ "$(grep -c 'unknown key;' err)" = 20 ]
report $? "the first 20 of 3000 unknown keys are named" "$(printed)"
esc=$(printf '\033')
expect 2 err 'key `\x1b[31mred`: unknown key' check a.cfg --set "$esc[31mred=1"
! grep -q "$esc" err
report $? "and the terminal gets no order of a key" "$(printed)"

# Words of the command line.
expect 2 err '--seed 18446744073709551615: too large; at most 9223372036854775807' run a.cfg --seed 18446744073709551615
expect 0 none '' run a.cfg --quiet --output good.nc --seed 9223372036854775807
expect 2 err 'no option `--no-such-option`' --no-such-option
expect 0 out 'netCDF' -V
expect 0 out 'usage: wilson run FILE' help run
expect 0 out 'usage: wilson table FILE.nc' help table
expect 2 err 'Is a directory' xs .
echo 'mine' >split.txt
expect 2 err 'split.txt: is there already, and is not overwritten' split-table split.txt
[ "$(cat split.txt)" = mine ]
report $? "split-table leaves a file that is there alone"
if [ -c /dev/full ]; then
  # long enough that a write fails before the last one
  expect_full() {
    "$wilson" "$@" >/dev/full 2>err
    code=$?
    [ $code = 1 ] && grep -q 'cannot write to standard output: ' err && ! grep -q 'Success' err
    report $? "wilson $* into a full device" "status $code: $(cat err)"
  }
  expect_full list manual
  expect_full run a.cfg --quiet --output good.nc
else
  skip "a full device" "there is no /dev/full"
fi

# A summary ends where a sentence, or a part of it behind which a colon or semicolon stands, ends: the help goes on with that.
"$wilson" list keys >keys 2>err
bad=
while read -r key summary; do
  "$wilson" help "$key" | sed -n '/^  used by/,$p' | sed 1d | tr -s ' \n' ' ' >help.txt
  grep -qF -e "$summary. " -e "$summary: " -e "$summary; " help.txt || bad="$bad $key"
done <keys
[ -s keys ] && [ -z "$bad" ]
report $? "no summary of \`wilson list keys\` is cut in a sentence$bad"

cd .. && rm -rf t0504-hostile.tmp
finish
