#!/bin/sh
# t0900-cli.t - defends: the command line says what it does and exits with 0 (done), 1 (failed) or 2 (wrong usage or input);
# mistakes are named with the nearest right word; the committed page of keys is what the program writes; `wilson xs` shows the
# built-in air with the friction that t0212 checks against ESTAR.
# shellcheck disable=SC2016 # backticks in single quotes are part of messages
# shellcheck source=t/tap/tap.sh
. "${WN_SRCDIR:-.}/t/tap/tap.sh"
scratch t0900-cli.tmp
need_wilson

printed() { # what the last command wrote
  sed 's/^/stdout: /' "$dir/out" | head -n 8
  sed 's/^/stderr: /' "$dir/err" | head -n 8
}

# expect STATUS STREAM TEXT ARGUMENT...: exit status, and TEXT somewhere in STREAM (out, err or none).
expect() {
  want=$1
  stream=$2
  text=$3
  shift 3
  "$wilson" "$@" >"$dir/out" 2>"$dir/err" </dev/null
  code=$?
  good=1
  if [ "$code" = "$want" ]; then
    if [ "$stream" = none ] || grep -qF -e "$text" "$dir/$stream"; then
      good=0
    fi
  fi
  [ "$good" = 0 ] || echo "# exit status $code, wanted $want; wanted in $stream: $text"
  report $good "wilson $* exits with $want" "$(printed)"
}

air=$dir/air.cfg
cat >"$air" <<'END'
fields = ["500 Td"];
electrons = 100;
gas = { components = {
  N2 = { fraction = 0.8; file = "builtin:air"; };
  O2 = { fraction = 0.2; file = "builtin:air"; };
}; };
END

expect 2 err 'wilson new swarm'
expect 0 out 'wilson run FILE' --help
expect 0 out 'wilson run FILE' help
expect 0 out 'wilson ' --version
expect 0 out 'netCDF' --version
expect 0 out 'usage: wilson run FILE' run -h
expect 0 out 'usage: wilson check FILE' check --help
expect 0 out 'usage: wilson xs FILE' xs -h
expect 0 out 'usage: wilson table FILE.nc' table -h
expect 0 out 'usage: wilson list' list -h
expect 2 err 'no command `rum`; nearest is `run`' rum
expect 2 err 'no option `--versoin`; nearest is `--version`' --versoin
expect 2 err '`wilson run` needs a file' run
expect 2 err '`b.cfg` is one argument too many' run a.cfg b.cfg
expect 2 err 'has no option --sead; nearest is --seed' run a.cfg --sead 3
expect 2 err 'has no option --seed' check a.cfg --seed 3
expect 2 err '--seed x: needs a whole number' run a.cfg --seed x
expect 2 err '--threads -3: needs a whole number' run a.cfg --threads=-3
expect 2 err 'has no option --devise; nearest is --device' run a.cfg --devise cpu
expect 2 err '--quiet takes no value' run a.cfg --quiet=no
expect 2 err '--set needs a value' run a.cfg --set
expect 2 err 'no-such.cfg: cannot open the scenario file' run no-such.cfg
expect 2 err 'cannot open the scenario file' check -- --no-such
expect 2 err '--set gas.presure=1 atm: key `gas.presure`: unknown key; nearest is `gas.pressure`' \
  check "$air" --set 'gas.presure=1 atm'
expect 2 err 'unknown unit `Tor`' run "$air" --set gas.pressure='760 Tor' --output "$dir/x.nc"
expect 2 err 'scheduler' run "$air" --scheduler no-such --output "$dir/x.nc"
expect 0 none '' check "$air"
expect 0 none '' check "$air" --set 'fields=["50 Td", "10 kV/cm"]' --set electrons=200

expect 2 err 'no such device; allowed: auto, cpu, cuda' check "$air" --device gpu
expect 2 err 'unknown scheduler `no-such`; on the CPU there are auto, ' check "$air" --scheduler no-such
expect 0 out 'runs on ' check "$air" --device cpu
expect 0 out 'scheduler serial, 1 thread' check "$air" --scheduler serial
# The forecast for a GPU is there also where there is none.
expect 0 out 'on the GPU: electrons at the start' check "$air" --device cuda

expect 0 out 'gas.components.<NAME>.fraction' list keys
expect 0 out 'cpu ' list devices
expect 0 out 'cuda' list devices
expect 0 out 'serial             cpu ' list schedulers
expect 0 out 'runaway            number of released electrons' list jobs
expect 0 out 'mcc                ' list models
expect 0 out 'okhrimovskyy' list scattering
expect 2 err 'no list of `device`; nearest is `devices`' list device
expect 2 err 'no list of `key`; nearest is `keys`' list key
expect 0 out 'Pa, hPa, kPa' help gas.pressure
expect 0 out 'gas.pressure' help pressure
expect 0 out 'gas.components.<NAME>.mass' help gas.components.N2.mass
expect 0 out 'gas.temperature' help gas
expect 2 err 'no key `gas.presure`; nearest is `gas.pressure`' help gas.presure
expect 0 out 'walls.<NAME>.yield' help walls.yield
expect 0 out 'gas.components.<NAME>.fraction' help components.N2.fraction
expect 2 err 'no key `components.N2.frac`; nearest is `gas.components.N2.fraction`' help components.N2.frac
expect 2 err 'no key `walls.yeild`; nearest is `walls.<NAME>.yield`' help walls.yeild
expect 2 err 'no key `EEDF`; nearest is `distribution`' help EEDF
expect 2 err 'no key `IEDF`; nearest is `plasma.distributions`' help IEDF
expect 2 err 'no key `recombination`; nearest is `reactions.<NAME>.reactants`' help recombination
expect 2 err 'no key `metastables`; nearest is `followed.<NAME>.sources`' help metastables
expect 2 err 'no key `gas.file`; nearest is `gas.components.<NAME>.file`' help gas.file

# Each word of the field, in the table of src/config/nearest_key.c, leads to a key or a group that exists.
# Two starts of the program for each word, and one for each key below: with WN_FAST=1 every eighth, as no text depends on the build.
every=1
[ "${WN_FAST:-0}" != 1 ] || every=8
sed -n '/ synonyms\[\] = {/,/^};/s/.*{"\(.*\)", "\(.*\)"}.*/\1 \2/p' "$src/src/config/nearest_key.c" >"$dir/synonyms"
wrong=
while read -r word key; do
  "$wilson" help "$word" >"$dir/out" 2>"$dir/err"
  grep -qF "no key \`$word\`; nearest is \`$key\`" "$dir/err" || wrong="$wrong $word"
  "$wilson" help "$key" >"$dir/out" 2>"$dir/err" || wrong="$wrong $word"
done <<END
$(awk -v every="$every" 'NR % every == 0' "$dir/synonyms")
END
[ "$(wc -l <"$dir/synonyms")" -ge 40 ] && [ -z "$wrong" ]
report $? "every word of the field leads to a key;$wrong" "$(printed)"

# The rows of a plasma are progress; those of other jobs are results.
plasma=$src/data/scenarios/landau-1d.cfg
expect 0 out 'kinetic J' run "$plasma" --set 'duration="1 ns"' --set species.electrons.per_cell=50 --output "$dir/p.nc"
expect 0 none '' run "$plasma" --set 'duration="1 ns"' --set species.electrons.per_cell=50 --output "$dir/q.nc" --quiet
[ ! -s "$dir/out" ] && [ ! -s "$dir/err" ]
report $? "and prints nothing of a plasma" "$(printed)"

# The words that a key takes are those of the list, each with a line.
words() { # words KEY LIST
  allowed=$("$wilson" help "$1" 2>"$dir/err" | sed -n 's/^  allowed  //p' | tr -d ' ' | tr ',' '\n')
  "$wilson" list "$2" >"$dir/out" 2>>"$dir/err"
  [ -n "$allowed" ] && [ "$allowed" = "$(awk '{ print $1 }' "$dir/out")" ] && ! grep -qE '^[^ ]+ *(\(null\))?$' "$dir/out"
  report $? "wilson list $2 has the words of key \`$1\`, each with what it is" "$(printed)"
}
words job jobs
words model models

# One line of help for every key, and the page in doc/ as the program writes it.
keys=$("$wilson" list keys | awk -v every="$every" 'NR % every == 0 { print $1 }')
missing=
for k in $keys; do
  "$wilson" help "$k" >"$dir/out" 2>"$dir/err" || missing="$missing $k"
  grep -q '  default  ' "$dir/out" || missing="$missing $k"
done
[ -n "$keys" ] && [ -z "$missing" ]
report $? "every key of the list has help$missing" "$(printed)"
"$wilson" list manual >"$dir/out" 2>"$dir/err" && diff "$dir/out" "$src/doc/scenario-keys.md" >"$dir/err"
report $? "doc/scenario-keys.md is what \`wilson list manual\` writes" "$(printed)"

expect 0 out 'builtin:air: 2 targets: N2, O2' xs builtin:air
expect 0 out 'excitation' xs builtin:air --gas N2
expect 0 out 'builtin:argon: 2 targets: Ar, Ar+ / Ar' xs builtin:argon
expect 0 out 'energies: of the relative motion' xs builtin:argon --gas 'Ar+ / Ar'
expect 2 err 'no target `Ar+/Ar`; nearest is `Ar+ / Ar`' xs builtin:argon --gas Ar+/Ar
expect 2 err 'for electrons, not for ions' xs builtin:argon --gas 'Ar+ / Ar:1'
expect 2 err '--gas: no target `N3`; nearest is `N2`' xs builtin:air --gas N3
expect 2 err 'give all targets a fraction, or none' xs builtin:air --gas N2:0.8,O2
expect 2 err 'the fractions add up to 0.9' xs builtin:air --gas N2:0.8,O2:0.1
expect 2 err 'no-such.txt' xs no-such.txt
expect 0 out '1 process, Invented one, second edition' xs "$src/t/data/lxcat-databases.txt"
printf '\n<!DOCTYPE html>\n<html><body>ELASTIC</body></html>\n' >"$dir/page.txt"
expect 2 err 'it is a web page (HTML)' xs "$dir/page.txt"
echo 'a text without any block' >"$dir/text.txt"
expect 2 err 'no cross sections: no line ELASTIC' xs "$dir/text.txt"
expect 0 out 'cannot be used in a run: it has an EFFECTIVE and no ELASTIC' xs "$src/t/data/lxcat-effective.txt"
photons="$src/data/photons"
expect 0 out '1e+06    4.956e-05      0.06352' xs --photons "$photons/N.txt"
expect 0 out 'at 1 atm and 0 degrees Celsius' xs --photons "$photons/N.txt" "$photons/O.txt" --gas N2:0.8,O2:0.2
expect 0 out 'collision    radiative     annihil.' xs --photons "$photons/N.txt"
expect 2 err 'photons have no data of O, an element of O2' xs --photons "$photons/N.txt" --gas N2:0.8,O2:0.2
expect 2 err 'photons need the fractions' xs --photons "$photons/N.txt" "$photons/O.txt" --gas N2,O2
expect 2 err 'not a file of photon data' xs --photons "$src/t/data/lxcat-effective.txt"
expect 2 err 'tables of photons are printed alone' xs --photons "$photons/N.txt" --output "$dir/x.nc"
expect 0 out 'friction of N2:0.79,O2:0.21' xs builtin:air --gas N2:0.79,O2:0.21 --output "$dir/air.nc"
# ESTAR, dry air: 25.5 keV/cm at 10 keV and 2.147 keV/cm at 1 MeV, 1 atm and 0 degrees Celsius; see t0212.
awk '$1 == 10000 && $2 > 25.5 * 0.93 && $2 < 25.5 * 1.03 { a = 1 }
     $1 == 1e6 && $2 > 2.147 * 0.93 && $2 < 2.147 * 1.03 { b = 1 }
     END { exit !(a && b) }' "$dir/out"
report $? "friction printed at 10 keV and 1 MeV is that of air" "$(printed)"
if command -v ncdump >/dev/null 2>&1; then
  ncdump -v gas_name,fraction "$dir/air.nc" >"$dir/out" 2>"$dir/err" &&
    grep -q 'double sigma(process, energy)' "$dir/out" && grep -q 'sigma:units = "m2"' "$dir/out" &&
    grep -q 'gas_name = "N2", "O2"' "$dir/out" && grep -q 'fraction = 0.79, 0.21' "$dir/out" &&
    grep -q ':history = ".*Z: .*wilson xs builtin:air --gas' "$dir/out" && grep -q ':source = "Wilson ' "$dir/out" &&
    grep -q ':cross_section_sources = ' "$dir/out"
  report $? "the netCDF file of wilson xs has its variables, and says where it is from" "$(printed)"
else
  skip "the netCDF file of wilson xs has its variables, and says where it is from" "ncdump was not found"
fi

if [ -c /dev/full ]; then
  "$wilson" list >/dev/full 2>"$dir/err"
  [ $? = 1 ] && grep -q 'cannot write to standard output' "$dir/err"
  report $? "a full disk under standard output is an error" "$(printed)"
else
  skip "a full disk under standard output is an error" "there is no /dev/full"
fi

rm -rf "$dir"
finish
