#!/bin/sh
# t0004-examples.t - defends: a process, a model, a scheduler, a field, an operator and a job are each one file and one line in a list, a surface
# kind and a geometry one line.  The examples
# of HACKING are taken out of it, their lines added to copies of the lists, and both compiled as the build compiles, without
# warnings.  Linked before the archives they take the places of the lists there; then they run:
#   process    is a keyword of LXCat files, takes the energy that it should, and serial and openmp agree bit for bit
#   model      under every scheduler of the CPU as under serial, and N (1 - p)^n particles are left, within 4.5 sigma
#   scheduler  is listed, found by its name, and gives the output file of serial, bit for bit
#   field      E(t) as it should be, and mcc feels it as it feels a uniform field
#   trap       a field on a grid: E at a particle, potential and energy as they should be
#   job        is a word of the key `job`, and runs
#   operator   injects an electron in each step of that job
#   surface    is a word of walls.<NAME>.particles; particles have a quarter of their energy after it, and none ends
#   geometry   volumes of a sphere sum to its own, and Gauss's law holds at each node
# make check says how to: WN_COMPILE, WN_LINK, WN_LIBS.
# shellcheck source=t/tap/tap.sh
. "${WN_SRCDIR:-.}/t/tap/tap.sh"
[ -n "${WN_COMPILE:-}" ] || skip_all "it compiles as the build does: make check TESTS=t/build/t0004-examples.t says how"
need_wilson
build=${WN_BUILDDIR:-.}
scratch t0004-examples.tmp
mkdir -p "$dir/schedulers" "$dir/fields" "$dir/src/config" "$dir/src/jobs" "$dir/src/sim" "$dir/t" "$dir/physics/collisions" \
  "$dir/crosssections"

example() { # example FILE: the code block of HACKING that begins with its name
  awk -v begin="    /* $1 - " '
    index($0, begin) == 1 { inside = 1 }
    inside && NF && !/^    / { exit }
    inside { sub(/^    /, ""); print }' "$src/HACKING"
}

compile() { # compile NAME INCLUDES SOURCE OBJECT
  # the same bits in less of the compiler's time
  # shellcheck disable=SC2086 # flags are words
  $WN_COMPILE -O1 -DWN_NO_CLONES $2 -Wall -Wextra -Werror -c -o "$4" "$3" 2>"$dir/err"
  report $? "$1 compiles" "$(cat "$dir/err")"
}

add_line() { # add_line SYMBOL LIST BEFORE: the list with its line of HACKING
  put "$(grep -E "^    [A-Z]+\((.*, )?$1(, .*)?\) *\\\\\$" "$src/HACKING" | sed 's/^ *//')" "$2" "$3"
}

list() { # list FILE SYMBOL LIST BEFORE: the example, and the list with its line before the line that begins so
  example "$1" >"$dir/$1"
  [ -s "$dir/$1" ]
  report $? "HACKING has $1"
  add_line "$2" "$3" "$4"
}

put() { # put LINE FILE BEFORE: a copy of the file with the line before the line that begins so
  base=$src/$2
  [ ! -f "$dir/$2" ] || { mv "$dir/$2" "$dir/base" && base=$dir/base; } # with the line of another example
  awk -v begin="$3" -v line="  $(printf '%s' "$1" | sed 's/\\/&&/g')" '
    { text = $0; sub(/^ */, "", text) }
    index(text, begin) == 1 { print line }
    { print }' "$base" >"$dir/$2"
  [ -n "$1" ] && [ "$(printf '%s\n' "$1" | wc -l)" = 1 ] &&
    [ "$(diff "$base" "$dir/$2" | grep -c '^[<>]')" = 1 ] && diff "$base" "$dir/$2" | grep -qF "> "
  report $? "$2 takes it by one more line" "$(diff "$base" "$dir/$2")"
}

add() { # add FILE SYMBOL LIST BEFORE: and compile it
  list "$@"
  compile "$1" "-iquote $dir" "$dir/$1" "$dir/${1%.c}.o"
}

list physics/collisions/bremsstrahlung.h bremsstrahlung physics/collisions/list.h "/* the next */"
put '#include "physics/collisions/bremsstrahlung.h"' physics/mcc_collide.h "/* the next */"
# The files that go through the list; the numbers of the other kinds stay what they are.
for f in schedulers/model_mcc schedulers/mcc_collisions crosssections/xs_set crosssections/xs_lxcat_scan; do
  compile "$f.c with one process more" "-iquote $dir" "$src/$f.c" "$dir/$f.o"
done
add schedulers/model_decay.c wn_model_decay schedulers/model.c "/* the next */"
add schedulers/backwards.c wn_scheduler_backwards schedulers/scheduler.c 'ALWAYS("serial"'
add fields/alternating.c wn_field_alternating fields/field.c "/* the next */"
add fields/trap.c wn_field_trap fields/field.c "/* the next */"
add src/jobs/count.c wn_job_count src/config/config.h "/* the next */"
# The example asks for the job of the example before it, so it is compiled with that list.
add src/sim/injection.c wn_operator_injection src/sim/operators.c "/* the next */"
compile "the list of operators" "" "$dir/src/sim/operators.c" "$dir/src/sim/operators.o"
compile "the list of models" "" "$dir/schedulers/model.c" "$dir/schedulers/model.o"
compile "the list of schedulers" "" "$dir/schedulers/scheduler.c" "$dir/schedulers/scheduler.o"
compile "the list of fields" "" "$dir/fields/field.c" "$dir/fields/field.o"
# What makes a table of WN_JOBS; the numbers of the other jobs stay what they are.
for f in jobs/list config/keys; do
  compile "src/$f.c with one job more" "-iquote $dir" "$src/src/$f.c" "$dir/src/$f.o"
done
add_line SOFT physics/grid_view.h "/* the next */"
add_line SPHERE physics/geometry.h "/* the next */"
for f in src/config/keys_domain schedulers/model_collisionless fields/geometry; do
  compile "$f.c with one surface kind and one coordinate more" "-iquote $dir" "$src/$f.c" "$dir/$f.o"
done
compile "what asks the examples" "-iquote $dir" "$src/t/build/examples.c" "$dir/t/examples.o"

link() { # link NAME OBJECT LIBRARY...
  name=$1
  shift
  # shellcheck disable=SC2086 # flags are words
  $WN_LINK -o "$dir/$name" "$@" "$dir"/schedulers/*.o "$dir"/fields/*.o "$dir"/crosssections/*.o "$dir"/src/*/*.o \
    ${libtap:-} $WN_LIBS >"$dir/err" 2>&1
  report $? "$name is linked with them" "$(cat "$dir/err")"
}
link wilson "$build/src/cli/main.o"
libtap=$build/t/tap/libtap.a
link examples "$dir/t/examples.o"
if [ "$status" != 0 ]; then
  finish # what follows would not say more
fi

# ---- they run ----
asked() { # asked NAME ARGUMENT...
  name=$1
  shift
  "$dir/examples" "$@" >"$dir/out" 2>"$dir/err" </dev/null
  report $? "$name" "$(cat "$dir/err")"
}
cat >"$dir/air.cfg" <<'CFG'
title = "Examples";
fields = ["600 Td", "900 Td"];
electrons = 64;
initial_energy = "10 eV";
groups = 8;
device = "cpu";
gas = {
  pressure = "1 atm";
  components = {
    N2 = { fraction = 0.79; file = "builtin:air"; };
    O2 = { fraction = 0.21; file = "builtin:air"; };
  };
};
CFG
new() { # new ARGUMENT...: the wilson with the examples; what it prints goes to $dir/out, errors to $dir/err
  "$dir/wilson" "$@" >"$dir/out" 2>"$dir/err" </dev/null
}

asked "model decay: as many left as expected, the same under every scheduler" model
asked "field alternating: E(t), and mcc takes it" field
asked "field trap: E at particles, potential and energy of a quadrupole" trap
asked "coordinate sphere: its volume, and Gauss's law" sphere

new list schedulers && grep -q '^backwards ' "$dir/out"
report $? "wilson list schedulers names backwards" "$(cat "$dir/out" "$dir/err")"
for s in serial backwards; do
  new run "$dir/air.cfg" --set 'job="runaway"' --set 'duration="20 ps"' --set 'runaway.thresholds=["30 eV", "100 eV"]' \
    --scheduler "$s" --output "$dir/$s.nc"
  report $? "a run by $s" "$(cat "$dir/err")"
done
asked "backwards writes what serial writes" same "$dir/serial.nc" "$dir/backwards.nc"

cat >"$dir/photons.txt" <<'LXCAT'
ELASTIC
A
 1e-7
-----------------------------
 0 1e-20
 2e6 1e-20
-----------------------------

BREMSSTRAHLUNG
A -> A(photon)
 100
-----------------------------
 100 1e-23
 2e6 1e-23
-----------------------------
LXCAT
cat >"$dir/photons.cfg" <<'CFG'
title = "Photons";
job = "count";
fields = ["1e-6 Td"];
electrons = 10000;
initial_energy = "1 MeV";
initial_spectrum = "mono";
groups = 8;
device = "cpu";
gas = { number_density = "1e24 m-3"; temperature = 0; components = { A = { file = "photons.txt"; }; }; };
tables = { energy_max = "2 MeV"; };
CFG
for s in serial openmp; do
  new run "$dir/photons.cfg" --scheduler "$s" --output "$dir/photons-$s.nc"
  code=$?
  if [ $s = openmp ] && grep -q 'is not built in' "$dir/err"; then
    skip "photons by openmp" "$(cat "$dir/err")"
  else
    report $code "photons by $s" "$(cat "$dir/err")"
  fi
done
if [ -e "$dir/photons-openmp.nc" ]; then
  asked "openmp writes what serial writes" same "$dir/photons-serial.nc" "$dir/photons-openmp.nc"
else
  skip "openmp writes what serial writes" "there is no scheduler openmp"
fi
asked "process bremsstrahlung: takes the energy that it should" process "$dir/photons-serial.nc"
! "$wilson" run "$dir/photons.cfg" --set 'job="swarm"' >"$dir/out" 2>"$dir/err" && grep -q 'photons.txt:[0-9]*: a table without a block' "$dir/err"
report $? "without its line there is no such keyword" "$(cat "$dir/out" "$dir/err")"

new help job && grep -qw count "$dir/out"
report $? "wilson help job names count" "$(cat "$dir/out" "$dir/err")"
new list jobs && grep -q '^count  *how many electrons' "$dir/out"
report $? "wilson list jobs says what it is" "$(cat "$dir/out" "$dir/err")"
new check "$dir/air.cfg" --set 'job="count"'
report $? "wilson check takes a scenario of job count" "$(cat "$dir/err")"
new run "$dir/air.cfg" --set 'job="count"' --scheduler backwards --output "$dir/count.nc"
code=$?
rows=$(awk 'NR == 1 && $NF != "electrons" { exit } NR > 1 && $NF >= 74 { n++ } END { print n + 0 }' "$dir/out")
[ "$code" = 0 ] && [ "$rows" = 2 ] && [ -s "$dir/count.nc" ]
report $? "job count prints how many electrons there are, for each field; ten were injected" "$(cat "$dir/out" "$dir/err")"
! "$wilson" run "$dir/air.cfg" --set 'job="count"' >"$dir/out" 2>"$dir/err" && grep -q 'unknown word' "$dir/err"
report $? "without its line there is no such job" "$(cat "$dir/err")"

cat >"$dir/soft.cfg" <<'CFG'
title = "Between two walls";
model = "plasma";
grid = { cells = [16]; length = ["1 cm"]; };
species: { e = { density = "1 m-3"; per_cell = 10; drift = ["1e7 m/s", "0 m/s", "0 m/s"]; }; };
walls: {
  x_low = { field = "dirichlet"; particles = "soft"; };
  x_high = { field = "dirichlet"; particles = "soft"; };
};
plasma: { time_step = "10 ps"; };
duration = "1.9 ns"; // a length takes 1 ns at 1e7 m/s, and 2 ns at half of it
device = "cpu";
CFG
new run "$dir/soft.cfg" --output "$dir/soft.nc"
code=$?
# step, time, field, kinetic, particles, to the walls: each has met one wall, and has a quarter of 0.01 m (1e7 m/s)^2/2
awk 'END { exit !($4 > 1.1385e-19 && $4 < 1.1389e-19 && $5 == 0.01 && $6 == 0) }' "$dir/out" && [ "$code" = 0 ]
report $? "surface kind soft: particles have a quarter of their energy after it, and none ends" "$(cat "$dir/out" "$dir/err")"
rm -rf "$dir"
finish
