#!/bin/sh
# t0525-outrun.t - defends: an avalanche that will outgrow its store is said to, with the reason, when it will be and what helps,
# before the run stops there: once a case, for the jobs that follow electrons and in a grid (src/run/capacity_outlook.h).  One that has room, one
# whose number is controlled and one that dies out are let alone.  `wilson check` foresees the same, with the exit status 0, from the first step on, without
# the GPU of a run, too, and the memory; it says how large checkpoints get, to what a
# checkpoint of that run has.  Growth laws by hand are in t0340.  Fixed seeds, no chance.
# shellcheck source=t/tap/tap.sh
. "${WN_SRCDIR:-.}/t/tap/tap.sh"
case $wilson in /*) ;; *) wilson=$PWD/$wilson ;; esac
scratch t0525-outrun.tmp
need_wilson
cd "$dir" || exit 1
export OMP_NUM_THREADS=1

cat >runaway.cfg <<'END'
job = "runaway"; fields = ["1000 Td", "1200 Td"]; electrons = 200; duration = "40 ps"; sampling = { interval = "0.5 ps"; };
gas = { components = { N2 = { fraction = 0.8; file = "builtin:air"; }; O2 = { fraction = 0.2; file = "builtin:air"; }; }; };
END
cat >plasma.cfg <<'END'
model = "plasma"; duration = "20 ps";
grid = { cells = [32, 16]; length = ["0.1 mm", "0.05 mm"]; };
walls = { x_low = { field = "dirichlet"; }; x_high = { field = "dirichlet"; voltage = "3 kV"; }; };
gas = { components = { N2 = { file = "builtin:air"; }; }; };
species = {
  e = { density = "3e17 m-3"; per_cell = 8; temperature = "5.2 eV"; loading = "random"; collisions = "gas"; ions = "i"; };
  i = { density = "3e17 m-3"; per_cell = 8; charge = 1.0; mass = "28 u"; mobile = false; loading = "random"; };
};
plasma = { time_step = "0.2 ps"; };
END

# run STATUS WARNINGS NAME ARGUMENT...: exit status, and how often it is foreseen; the messages are in err.
run() {
  want=$1
  warnings=$2
  name=$3
  shift 3
  "$wilson" run "$@" --quiet --device cpu --output run.nc >out 2>err
  code=$?
  [ $code = "$want" ] && [ "$(grep -c 'doubling every' err)" = "$warnings" ]
  report $? "$name: exit status $want, foreseen $warnings times" "exit status $code
$(head -c 1500 err)"
}

# foreseen NAME: the warning comes before the error, and its time is that of the end within a third.
foreseen() {
  awk '
    /doubling every/ && by == "" && !/full: /{ by = $0; sub(/.* is full at about /, "", by); sub(/ s,.*/, "", by); n = NR }
    /error: the store is full/ && error == "" { error = NR }
    /store of .* was full/ { end = $0; sub(/.*(ends|was full) /, "", end); sub(/ s .*/, "", end) }
    END { exit !(n > 0 && n < error && by / end > 0.9 && by / end < 1.35) }' err
  report $? "$1: foreseen in time, and when" "$(head -c 1500 err)"
}

run 1 1 "an avalanche and a store of 20000" runaway.cfg --set population.capacity=20000
foreseen "an avalanche"
grep 'doubling' err | grep -q 'field 1000 Td: .* electrons .*population.capacity is 20000.*before the end at 4e-11 s.*population.target'
report $? "it says which case, which store, which end and what helps"
run 0 0 "an avalanche that has room" runaway.cfg --set population.capacity=20000 --set 'duration="8 ps"'
run 0 0 "a number that is controlled" runaway.cfg --set population.capacity=2000 --set population.target=200
run 0 0 "electrons that are attached" runaway.cfg --set population.capacity=400 --set 'fields=["60 Td"]'
# the second case ends by its full store, the first by its time, of which both are said
run 1 1 "of two fields the second grows too much" runaway.cfg --set 'fields=["200 Td","1200 Td"]' --set population.capacity=20000
grep -q 'field 1200 Td: .*doubling' err
report $? "and it is the one that is named"
run 1 1 "a plasma" plasma.cfg --set population.capacity=20000
grep -q 'plasma: [0-9]* [ei] .*doubling.*shorter duration' err
report $? "its species is named, and what helps there" "$(head -c 1500 err)"
run 0 0 "a plasma that has room" plasma.cfg --set 'duration="2 ps"'

# wilson check, which follows the same growth: a store, and a memory.
# shellcheck disable=SC3045 # dash, bash and busybox have it
(ulimit -v 600000 && "$wilson" --version) >/dev/null 2>&1
limited=$?
(
  # shellcheck disable=SC3045
  [ $limited != 0 ] || ulimit -v 600000
  "$wilson" check plasma.cfg --device cpu --set population.capacity=10000000 --set 'duration="100 ps"' >out 2>err
)
grep -q 'warning: plasma.cfg: key .population.capacity. = 10000000: species [ei] has so many macroparticles at about' err &&
  grep -q '^growth: a pilot' out && grep -q '^macroparticles, at most e 1e+07, i 1e+07$' out
report $? "wilson check foresees it" "$(tail -n 6 out; head -c 1500 err)"
if [ $limited = 0 ]; then
  grep -q 'warning: plasma.cfg: with the particles to come the run takes about [0-9.]* MiB, and ulimit -v has 585.94 MiB: it will end' err
  report $? "and a memory that is too small" "$(tail -n 6 out; head -c 1500 err)"
else
  skip "and a memory that is too small" "the program does not run under a limit of memory (sanitizers)"
fi

# when CAPACITY DEVICE: the time that `wilson check` says, beside that of the run, which has 1 step of 0.2 ps less or more.
when() {
  "$wilson" run plasma.cfg --device cpu --quiet --output run.nc --set "population.capacity=$1" 2>err >out
  end=$(sed -n 's/.*store of particles was full \([0-9.e-]*\) s after.*/\1/p' err)
  "$wilson" check plasma.cfg --device "$2" --set "population.capacity=$1" >out 2>err
  code=$?
  by=$(sed -n "s/.*warning: plasma.cfg: key .population.capacity. = $1: species [ei] has so many macroparticles at about \([0-9.e-]*\) s, and .*e+0[4-9] or more are expected at the end, 2e-11 s; the run stops when the store is full, with its results so far; raise population.capacity .*/\1/p" err)
  [ $code = 0 ] && awk -v by="$by" -v end="$end" 'BEGIN { exit !(by > 0.75 * end - 2.5e-13 && by < 1.35 * end + 2.5e-13) }'
  report $? "a store of $1 for --device $2: the run ends at $end s, wilson check says $by s" "exit status $code
$(head -c 1500 err)"
}
when 20000 cpu
if "$wilson" list devices | grep -q '^cuda:'; then
  when 20000 cuda
  "$wilson" check plasma.cfg --device cuda --set population.capacity=4000000000 --set 'duration="100 ps"' >out 2>err &&
    grep -q 'warning: plasma.cfg: with the particles to come the run takes about [0-9.]* MiB, and cuda:[0-9]* has [0-9.]* MiB: it will end' err
  report $? "the memory of a GPU that is too small" "$(tail -n 6 out; head -c 1500 err)"
else
  when 20000 cuda
  grep -q '^growth: a pilot with 1/8 of the macroparticles' out && grep -q 'on the GPU: grid and these, about' out
  report $? "without a GPU the numbers are followed on the CPU" "$(tail -n 6 out)"
fi
"$wilson" check plasma.cfg --device cpu --set population.capacity=4096 >out 2>err &&
  grep -q 'key .population.capacity. = 4096: species e has so many macroparticles at about 2e-13 s' err && ! grep -q 'error' err
report $? "a store that the first step fills" "$(head -c 1500 err)"
"$wilson" check plasma.cfg --device cpu --set 'duration="2 ps"' >out 2>err
[ ! -s err ] && grep -q '^growth: a pilot with the particles of the run followed the whole run$' out
report $? "and nothing of a run that has room" "$(tail -n 6 out; head -c 1500 err)"

# Checkpoints: forecast FILE KEY... in bytes, and what the third step leaves.
sizes() {
  name=$1
  slack=$2
  shift 2
  forecast=$("$wilson" check "$@" --device cpu 2>/dev/null | sed -n 's/.*a checkpoint at the start, about *\([0-9.]*\) MiB.*/\1/p')
  "$wilson" run "$@" --quiet --device cpu --output size.nc --set checkpoint.step_limit=1 >/dev/null 2>err
  bytes=$(wc -c <size.nc.ckpt)
  rm -f size.nc.ckpt size.nc.part
  awk -v a="$forecast" -v b="$bytes" -v slack="$slack" \
    'BEGIN { b /= 1048576; exit !(a > 0 && b > 0.2 && a > b * (1 - slack) && a < b * (1 + slack)) }'
  report $? "a checkpoint of $name takes what was foreseen" "foreseen $forecast MiB, has $bytes bytes"
}
sizes "a swarm" 0.03 runaway.cfg --set 'job="swarm"' --set electrons=5000 --set 'fields=["300 Td"]'
sizes "an avalanche" 0.05 runaway.cfg --set electrons=50000 --set 'fields=["300 Td"]' --set 'sampling.interval="1 fs"'
# with so many that buffers of series, 0.1 MiB, are little of it
# in a short run, which is also the trial
sizes "a plasma" 0.05 plasma.cfg --set species.e.per_cell=100 --set species.i.per_cell=100 --set 'duration="1 ps"'
cd .. && rm -rf t0525-outrun.tmp
finish
