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
: >out
[ $code = 1 ] && grep -q 'cannot write to standard output: ' err && is_netcdf closed.nc &&
  [ "$(grep -c 'kV/cm' closed.nc)" = "$(grep -c 'kV/cm' good.nc)" ]
report $? "stdout closed: the result has nothing of the table, and the loss is an error" "status $code; $(printed)"
"$wilson" run a.cfg --quiet --output closed.nc >out 2>&- && cmp -s out table && is_netcdf closed.nc
report $? "stderr closed: the table is where it belongs"
"$wilson" run a.cfg --quiet --output closed.nc <&- >&- 2>&-
[ $? = 1 ] && is_netcdf closed.nc
report $? "all three closed: the result is whole, and the status says that the table is lost"

# Text of scenarios.
{ printf '\357\273\277' && cat a.cfg; } >bom.cfg
expect 0 out 'the scenario is valid' check bom.cfg
{ cat a.cfg && printf '/* seed = 3;\nthreads = 2;\n'; } >comment.cfg
expect 2 err 'comment.cfg:3: the comment opened here with /* is not closed' check comment.cfg
{ cat a.cfg && seq -f 'k%.0f = 1;' 20000; } >many.cfg
expect 2 err ': not a scenario: more than 4096 keys' check many.cfg
{ cat a.cfg && seq -f 'key_%.0f = 1;' 3000; } >some.cfg
expect 2 err 'some.cfg: 2980 more unknown keys' check some.cfg
[ "$(grep -c 'unknown key;' err)" = 20 ]
report $? "the first 20 of 3000 unknown keys are named" "$(printed)"
esc=$(printf '\033')
expect 2 err 'key `\x1b[31mred`: unknown key' check a.cfg --set "${esc}[31mred=1"
! grep -q "$esc" err
report $? "and the terminal gets no order of a key" "$(printed)"

# Texts of files that are printed: names and comments of cross sections, names of files in a scenario.
line=-----------------------------
{
  printf 'DATABASE: %s]0;title\a base\n' "$esc"
  printf 'ELASTIC\nXx\n1e-4\n%s\n 1 1e-19\n 1000 1e-20\n%s\n\n' $line $line
  printf 'ATTACHMENT\nXx -> Xx^-%s[31m\f(\302\233)\n%s\n 6 2e-22\n 8 0\n%s\n' "$esc" $line $line
} >orders.txt
expect 0 out 'Xx^-\x1b[31m (\xc2\x9b)' xs orders.txt
expect 0 out '\x1b]0;title\x07 base' xs orders.txt
! LC_ALL=C grep -q "$esc\|$(printf '[\001-\010\013-\037\177]\|\302\233')" out
report $? "the terminal gets no order of a file of cross sections" "$(printed | cat -v)"
cp orders.txt "x${esc}c.txt"
{
  printf 'fields = ["100 Td"]; electrons = 300; duration = "2 ps"; relaxation = "1 ps"; output = "a\\x1b[31mb.nc";\n'
  printf 'gas = { components = { Xx = { file = "x%sc.txt"; }; }; };\n' "$esc"
} >orders.cfg
expect 0 out 'the output file would be a\x1b[31mb.nc' check orders.cfg
expect 0 out 'processes from x\x1bc.txt' check orders.cfg
! LC_ALL=C grep -q "$esc" out
report $? "nor of a scenario that is checked" "$(printed | cat -v)"

# Words of the command line.
expect 2 err '--seed 18446744073709551615: too large; at most 9223372036854775807' run a.cfg --seed 18446744073709551615
expect 0 none '' run a.cfg --quiet --output good.nc --seed 9223372036854775807
expect 2 err 'no option `--no-such-option`' --no-such-option
expect 0 out 'netCDF' -V
expect 0 out 'usage: wilson run FILE' help run
expect 0 out 'usage: wilson table FILE.nc' help table
expect 2 err 'Is a directory' xs .
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

# One mistake is one error: none that blames a key which was never given, or was meant.
only() { # only TEXT ARGUMENT...: status 2, and TEXT in the one error of `wilson check`
  text=$1
  shift
  "$wilson" check "$@" >out 2>err
  code=$?
  [ $code = 2 ] && grep -qF -e "$text" err && [ "$(grep -c 'error:' err)" = 1 ]
  report $? "wilson check $*: one error" "status $code; $(printed)"
}
sed 's/fields/feilds/' a.cfg >feilds.cfg
only 'nearest is `fields`' feilds.cfg
sed 's/file =/fil =/' a.cfg >fil.cfg
only 'nearest is `gas.components.N2.file`' fil.cfg
only '`gas` is a group of keys' a.cfg --set gas=5
only 'nearest is "plasma"' "$src/data/scenarios/two-stream.cfg" --set model=plsma
only 'nearest is "sine"' a.cfg --set waveform.shape=sinus --set 'waveform.frequency="1 GHz"'
only 'nearest is "runaway"' runaway.cfg --set job=runawy --set 'accuracy={ alpha = 0.1; }'

# What `run` refuses at its start, `check` refuses.
only 'the list is empty; a runaway job needs at least one energy' runaway.cfg --set 'runaway.thresholds=[]'
only 'the list is empty; a runaway-rate job needs' runaway.cfg --set 'job="runaway-rate"' --set 'runaway.thresholds=[]'
only 'a runaway job follows at most 67108863 primaries' runaway.cfg --set electrons=100000000 --set population.capacity=200000000
only '3 electrons are less than one in each of the 32 groups' runaway.cfg --set population.target=3
only '3 electrons are less than one in each of the 32 groups' a.cfg --set population.target=3
expect 0 out 'the scenario is valid' check a.cfg --set electrons=100000000 --set population.capacity=200000000
cat >twice.cfg <<'END'
fields = ["100 Td"];
gas = { components = { N2 = { file = "builtin:air"; fraction = 0.5; };
  nitrogen = { target = "N2"; file = "builtin:air"; fraction = 0.5; }; }; };
END
only 'N2 of builtin:air is component N2 already' twice.cfg
echo 'no particles' >particles.nc
cat >plasma.cfg <<'END'
model = "plasma"; grid = { length = ["1 m"]; cells = [8]; }; plasma = { time_step = "1 ns"; }; duration = "2 ns";
species = { electrons = { density = "1e10 m-3"; profile = "file"; file = "particles.nc"; }; };
END
expect 2 err 'particles.nc: cannot be read' run plasma.cfg
only 'particles.nc: cannot be read' plasma.cfg

# Advice is for the job in hand.
advice() { # advice TEXT NOT ARGUMENT...: a run that stops names TEXT, and not NOT
  text=$1
  not=$2
  shift 2
  "$wilson" run "$@" --quiet --scheduler serial --output advice.nc >out 2>err
  code=$?
  [ $code = 1 ] && grep -qF -e "$text" err && ! grep -qF -e "$not" err
  report $? "wilson run $*: says \"$text\"" "status $code; $(printed)"
  rm -f advice.nc
}
hot='fields=["3000 Td"]'
advice 'set population.target' 'lower the field' runaway.cfg --set population.capacity=200 --set "$hot"
advice 'lower the field' 'set population.target' a.cfg --set population.capacity=301 --set population.target=300 --set "$hot"
advice 'lower the field' 'runaway.stop_above' a.cfg --set 'tables.energy_max="40 eV"' --set "$hot"
advice 'runaway.stop_above' 'lower the field' runaway.cfg --set 'tables.energy_max="2 keV"' --set 'runaway.thresholds=["1 keV"]' \
  --set 'fields=["20000 Td"]' --set 'sampling.interval="0.05 ps"'

# Outputs.  An input is never written over, by whatever name.
same() { # same FILE COPY WHAT: the last command left FILE alone
  cmp -s "$1" "$2"
  report $? "$3: the input is as it was"
}
cp a.cfg b.cfg
expect 2 err 'b.cfg: the output would overwrite the input' run b.cfg --output b.cfg
same b.cfg a.cfg "the scenario as output"
ln -s b.cfg b.link
expect 2 err 'b.link: the output would overwrite the input' run b.cfg --output b.link
expect 2 err 'b.cfg: the output would overwrite the input' check b.cfg --set output=./b.cfg
ln b.cfg c.nc.part
expect 2 err 'c.nc.part: the output would overwrite the input' run b.cfg --output c.nc
same b.cfg a.cfg "the scenario as output by three other names"
cp "$src/t/data/lxcat-databases.txt" xs.txt
sed 's|"builtin:air"|"xs.txt"|' a.cfg >x.cfg
expect 2 err 'xs.txt: the output would overwrite the input' run x.cfg --output xs.txt
expect 2 err 'xs.txt: the output would overwrite the input' xs xs.txt --output xs.txt
same xs.txt "$src/t/data/lxcat-databases.txt" "cross sections as output"
printf '0 1\n1e-9 0.5\n' >wave.txt && cp wave.txt wave.same
expect 2 err 'wave.txt: the output would overwrite the input' run a.cfg --set 'waveform.shape="linear"' --set 'waveform.file="wave.txt"' \
  --output wave.txt
same wave.txt wave.same "a waveform as output"
cp good.nc result.nc
expect 2 err 'result.nc: the output would overwrite the input' table result.nc --output result.nc
same result.nc good.nc "a result as output of wilson table"

# Nor under the names of files beside the output; nor is a file of another kind taken away for them.
for end in ckpt ckpt.old ckpt.new part part.new; do
  cp a.cfg "e.nc.$end"
  expect 2 err "e.nc.$end: the output would overwrite the input" run "e.nc.$end" --output e.nc --set checkpoint.steps=5
  same "e.nc.$end" a.cfg "the scenario as e.nc.$end"
  cp xs.txt "e.nc.$end" && sed "s|\"builtin:air\"|\"e.nc.$end\"|" a.cfg >x.cfg
  expect 2 err "e.nc.$end: the output would overwrite the input" run x.cfg --output e.nc
  same "e.nc.$end" xs.txt "cross sections as e.nc.$end"
  cp a.cfg "e.nc.$end"
  expect 2 err "e.nc.$end: exists and is no" run a.cfg --output e.nc --set checkpoint.steps=5
  same "e.nc.$end" a.cfg "another file of that name"
  [ -z "$(find . -name 'e.nc*' ! -name "e.nc.$end")" ]
  report $? "and nothing else is left" "$(ls e.nc*)"
  rm -f e.nc*
done
cp a.cfg linked.cfg && cp a.cfg hard.cfg
"$wilson" run a.cfg --quiet --output e.nc --set checkpoint.steps=5 --set checkpoint.step_limit=9 >out 2>err
cp e.nc.ckpt linked.ckpt && cp e.nc.ckpt ckpt.same
ln -sf linked.ckpt e.nc.ckpt.new && ln -f linked.ckpt e.nc.ckpt.old
expect 0 none '' run a.cfg --quiet --output e.nc --set checkpoint.steps=5
same linked.ckpt ckpt.same "what links named e.nc.ckpt.new and e.nc.ckpt.old lead to"
rm -f e.nc* && mkfifo e.nc.ckpt
expect 2 err 'e.nc.ckpt: exists and is no checkpoint' run a.cfg --output e.nc
expect 2 err 'e.nc.ckpt: cannot continue from it: it is no regular file' run a.cfg --output e.nc --restart auto
rm -f e.nc*

# What has no end is not begun; a trial of steps without candidates ends.
sed 's/duration = "2 ps"; relaxation = "1 ps";//; s/"100 Td"/"0 Td"/; s/sampling = {[^}]*};//' a.cfg >still.cfg
expect 2 err 'no steady state to wait for' check still.cfg --set gas.thermal_motion=false
expect 2 err 'no steady state to wait for' run still.cfg --set gas.thermal_motion=false
expect 0 none '' check still.cfg --set gas.thermal_motion=false --set electrons=32 --set 'duration="1 ps"'
timeout 300 "$wilson" check a.cfg --set electrons=32 --set 'sampling.interval="1e-30 s"' >out 2>err
[ $? = 0 ] && grep -qE 'about 0 candidates in [0-9.e+]+ h' out
report $? "a check of 1e18 steps ends, and says so" "$(printed)"

# Limits of the environment.
(ulimit -s 64 && exec "$wilson" run a.cfg --quiet --output e.nc) >out 2>err
[ $? = 2 ] && grep -q 'the stack is limited to 64 KiB' err
report $? "a stack of 64 KiB is an error" "$(printed)"
(ulimit -S -s 64 && exec "$wilson" run a.cfg --quiet --output e.nc) >out 2>err
report $? "and raised where that is allowed" "$(printed)"
# one step: each wakes all threads
OMP_NUM_THREADS=100000 OMP_WAIT_POLICY=passive "$wilson" run runaway.cfg --quiet --output e.nc --set 'duration="1 ps"' >out 2>err
report $? "OMP_NUM_THREADS=100000" "$(printed)"
rm -f e.nc*

# SIGUSR1 while the scenario is still being read: a checkpoint is requested, which is no reason to end.
if [ -r /proc/self/status ]; then
  mkfifo slow
  "$wilson" run /dev/stdin --quiet --output e.nc <slow >out 2>err &
  pid=$! && exec 3>slow
  until grep -q '^Name:.wilson' /proc/$pid/status && grep -q '^State:.S' /proc/$pid/status; do :; done
  sleep 0.05 && kill -USR1 $pid
  cat a.cfg >&3 && exec 3>&-
  wait $pid
  report $? "SIGUSR1 before the run has begun" "$(printed)"
  rm -f slow e.nc*
else
  skip "SIGUSR1 before the run has begun" "no /proc"
fi

# What is no ordinary file stays what it is; a link leads to the file that is written.
mkdir folder && mkfifo fifo
expect 1 err 'fifo: cannot write output: it is a pipe' run a.cfg --output fifo
[ -p fifo ]
report $? "the pipe is one still"
if mknod null c 1 3 2>/dev/null && [ -c null ]; then # not that of the machine: broken code would take it away
  expect 1 err 'cannot write output: it is a device' run a.cfg --output null
  [ -c null ]
  report $? "a device is one still"
else
  skip "a device as output" "mknod is not allowed here"
fi
expect 1 err 'it is a folder' run a.cfg --output folder
for what in fifo folder no-such/x.nc; do
  expect 1 err 'output: ' check a.cfg --set "output=$what"
done
ln -s folder/real.nc link.nc
expect 0 none '' run a.cfg --quiet --output link.nc
[ -h link.nc ] && is_netcdf folder/real.nc
report $? "a link stays, and the result is where it leads to" "$(ls -l . folder)"
cp a.cfg victim
ln -s victim v.nc.part
expect 1 err 'v.nc.part: cannot create output: it is a symbolic link' run a.cfg --output v.nc
same victim a.cfg "a link in the place of .part"
rm v.nc.part && ln -s victim v.nc.part.new
expect 1 err 'v.nc.part.new: cannot create output: it is a symbolic link' run a.cfg --output v.nc
same victim a.cfg "a link in the place of .part.new"
ln -s around loop.nc && ln -s loop.nc around
expect 1 err 'loop.nc: cannot write output: the symbolic link points to no file' run a.cfg --output loop.nc

# An earlier result.
expect 0 err 'good.nc: exists; it is replaced when this run is complete' run a.cfg --output good.nc
cp good.nc kept.nc
expect 2 err 'good.nc: exists, and --no-clobber does not allow' run a.cfg --output good.nc --no-clobber
expect 2 err 'good.nc: exists' xs builtin:air --output good.nc --no-clobber
expect 2 err 'good.nc: exists' table kept.nc --output good.nc --no-clobber
same good.nc kept.nc "with --no-clobber"
expect 0 none '' run a.cfg --quiet --output new.nc --no-clobber

# Two runs on one output, with HDF5's locks off: the first goes on, the second is refused; and the lock ends with the process.
slow() {
  HDF5_USE_FILE_LOCKING=FALSE exec "$wilson" run runaway.cfg --quiet --scheduler serial --set 'fields=["1 Td"]' \
    --set 'duration="1 s"' --output two.nc >two.out 2>two.err
}
start_slow() { # and wait until it has its file
  slow &
  pid=$!
  while [ ! -e two.nc.part ] && kill -0 $pid 2>/dev/null; do sleep 0.02; done
}
start_slow
HDF5_USE_FILE_LOCKING=FALSE "$wilson" run a.cfg --quiet --output two.nc >out 2>err
code=$?
[ $code = 1 ] && grep -q 'two.nc.part: cannot create output: another run is writing it' err && [ -e two.nc.part ] && [ ! -e two.nc ]
report $? "a second run on one output is refused" "status $code; $(printed)"
kill -9 $pid
wait $pid 2>/dev/null
expect 0 err 'two.nc.part: from an earlier run that did not finish' run a.cfg --quiet --output two.nc
is_netcdf two.nc && [ ! -e two.nc.part ] && [ ! -e two.nc.part.new ]
report $? "the lock of a run that was killed is gone" "$(ls)"
rm two.nc

# Nothing was finished: nothing stays.
for signal in INT TERM; do
  start_slow
  # the handlers are there before the file; a shell without job control starts what is behind & with INT ignored, but run takes it
  kill -$signal $pid
  wait $pid
  code=$?
  [ $code = 1 ] && [ ! -e two.nc ] && [ ! -e two.nc.part ] && [ ! -e two.nc.part.new ] && grep -q 'stopped by signal' two.err
  report $? "SIG$signal before anything was finished: no file stays" "status $code; $(ls two.*) $(cat two.err)"
done
cat >end.cfg <<'END'
job = "runaway"; fields = ["20000 Td"]; electrons = 100; tables = { energy_max = "2 keV"; }; runaway = { thresholds = ["1 keV"]; };
duration = "20 ps"; sampling = { interval = "0.05 ps"; };
gas = { components = { N2 = { file = "builtin:air"; }; }; };
END
"$wilson" run end.cfg --quiet --scheduler serial --output end.nc >out 2>err
[ $? = 1 ] && [ ! -e end.nc.part ] && [ ! -e end.nc.part.new ] && [ ! -e end.nc ]
report $? "the end of a table before anything was finished: no file stays" "$(ls end.*) $(printed)"

# Killed at any moment of its first 20 ms, a run leaves no .part, or one that can be read.
if command -v ncdump >/dev/null 2>&1; then
  bad=0
  kills=0
  for after in 0.001 0.002 0.003 0.004 0.005 0.006 0.007 0.008 0.009 0.010 0.011 0.012 0.013 0.014 0.016 0.018 0.020 0.025 0.030; do
    slow &
    pid=$!
    sleep $after
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
    kills=$((kills + 1))
    [ ! -e two.nc.part ] || HDF5_USE_FILE_LOCKING=FALSE ncdump -h two.nc.part >out 2>err || bad=$((bad + 1))
    rm -f two.nc.part
  done
  report $bad "of $kills kills in the first 30 ms $bad leave a .part that cannot be read" "$(printed)"
else
  skip "kills in the first 30 ms" "ncdump was not found"
fi

# A message stands on a line of its own, and not behind how far the run has got.
if command -v script >/dev/null 2>&1; then
  cat >tty.sh <<END
echo \$\$ >tty.pid
exec "$wilson" run runaway.cfg --scheduler serial --set 'duration="1 s"' --set 'fields=["1 Td"]' --output tty.nc
END
  script -qec 'sh tty.sh' tty.out >/dev/null 2>&1 </dev/null &
  job=$!
  until grep -q 'to go' tty.out 2>/dev/null || ! kill -0 $job 2>/dev/null; do sleep 0.1; done
  kill -INT "$(cat tty.pid)"
  wait $job
  tr '\r' '\n' <tty.out | grep -q '^wilson: error: stopped by signal'
  report $? "the stop message does not stand behind the progress line" "$(tr '\r' '\n' <tty.out | tail -n 4)"
else
  skip "the stop message on a terminal" "script was not found"
fi

# A summary ends where a sentence, or a part of it behind which a colon or semicolon stands, ends: the help, of which the manual has the
# text, goes on with that.
"$wilson" list keys >keys 2>err && "$wilson" list manual 2>>err | sed -E 's/\[(`[^`]*`)\]\(#[^)]*\)/\1/g' >manual
bad=$(awk '
  NR == FNR { key = $1; sub(/^[^ ]+ +/, ""); summary[key] = $0; next }
  /^### / { key = substr($2, 2, length($2) - 2); inside = 1; next }
  /^- value: / { inside = 0 }
  inside { text[key] = text[key] $0 " " }
  END {
    for (key in summary) {
      n++
      if (!index(text[key], summary[key] ". ") && !index(text[key], summary[key] ": ") && !index(text[key], summary[key] "; "))
        printf " %s", key
    }
    if (n < 100)
      printf " only %d keys", n
  }' keys manual)
[ -z "$bad" ]
report $? "no summary of \`wilson list keys\` is cut in a sentence$bad" "$(cat err)"

cd .. && rm -rf t0504-hostile.tmp
finish
