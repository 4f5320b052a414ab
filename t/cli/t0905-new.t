#!/bin/sh
# t0905-new.t - defends: `wilson` alone says what to try; `wilson new` writes the templates of data/new/, byte by byte, each of which
# passes `wilson check` without a warning and runs to a complete file; it replaces no file, and leaves none that it could not write.
# shellcheck disable=SC2016 # backticks in single quotes are part of messages
# shellcheck source=t/tap/tap.sh
. "${WN_SRCDIR:-.}/t/tap/tap.sh"
case $src in /*) ;; *) src=$PWD/$src ;; esac
case $wilson in /*) ;; *) wilson=$PWD/$wilson ;; esac
need_wilson
scratch t0905-new.tmp
cd "$dir" || exit 1

"$wilson" >out 2>err
[ $? = 2 ] && [ ! -s out ] && grep -q 'wilson new swarm ' err && [ "$(wc -l <err)" -lt 20 ]
report $? "wilson alone says what to try, on less than a screen" "$(cat err)"

# What makes each run a second, and a variable that the file must have.
try() { # try KIND VARIABLE SET...
  kind=$1
  variable=$2
  shift 2
  "$wilson" new "$kind" >out 2>err && grep -q "^$kind.cfg: written" out && cmp "$kind.cfg" "$src/data/new/$kind.cfg" >err
  report $? "wilson new $kind writes data/new/$kind.cfg" "$(cat err)"
  "$wilson" check "$kind.cfg" >out 2>err && [ ! -s err ]
  report $? "$kind.cfg passes wilson check" "$(cat err)"
  "$wilson" run "$kind.cfg" --quiet --threads 1 "$@" >out 2>err && [ -s "$kind.nc" ] && [ ! -e "$kind.nc.part" ] &&
    LC_ALL=C grep -q "$variable" "$kind.nc"
  report $? "$kind.cfg runs to $kind.nc" "$(cat err)"
  # every comment names keys and commands that there are: those after `wilson help`
  bad=
  for key in $(sed -n 's/^.*`wilson help \([a-z._]*\)`.*$/\1/p' "$kind.cfg"); do
    "$wilson" help "$key" >out 2>err || bad="$bad $key"
  done
  [ -z "$bad" ]
  report $? "the keys that the comments of $kind.cfg name are keys" "$bad"
}
try swarm mean_energy --set 'fields=["800 Td"]' --set electrons=200 --set accuracy=0.05
try runaway runaway_fraction --set 'fields=["500 kV/cm"]' --set electrons=50 --set 'duration="3 ps"'
try ccp average_last_potential --set 'duration="2 periods"' --set species.electrons.per_cell=2 --set species.ions.per_cell=2
try plasma potential_mode --set 'duration="5 ns"'

echo mine >swarm.cfg
"$wilson" new swarm >out 2>err
[ $? = 2 ] && [ "$(cat swarm.cfg)" = mine ] && grep -q 'swarm.cfg: exists, and is not replaced' err
report $? "an existing file stays" "$(cat err)"
ln -s nowhere.cfg link.cfg
"$wilson" new swarm link.cfg >out 2>err
[ $? = 2 ] && [ ! -e nowhere.cfg ]
report $? "nor is one written through a link" "$(cat err)"
"$wilson" new plasma other.cfg >out 2>err && cmp other.cfg "$src/data/new/plasma.cfg"
report $? "under another name" "$(cat err)"
"$wilson" new swarn x.cfg >out 2>err
[ $? = 2 ] && [ ! -e x.cfg ] && grep -qF 'no template `swarn`; nearest is `swarm`' err
report $? "a wrong word is answered with the nearest" "$(cat err)"
"$wilson" new >out 2>err
[ $? = 2 ] && grep -qF '`wilson new` needs a word' err
report $? "without a word" "$(cat err)"
"$wilson" new swarm no/such/folder.cfg >out 2>err
[ $? = 1 ] && grep -qF 'no/such/folder.cfg: cannot be created' err
report $? "a folder that is not there" "$(cat err)"
{ (ulimit -f 0 && "$wilson" new swarm full.cfg) 2>&1; echo "status $?"; } | cat >err # which has no limit
grep -q 'status 1' err && [ ! -e full.cfg ] && grep -qF 'full.cfg: cannot be written' err
report $? "nothing is left of a file that could not be written" "$(cat err)"
cd .. && rm -rf t0905-new.tmp
finish
