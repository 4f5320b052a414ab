#!/bin/sh
# t0906-peers.t - defends: bench/peers/geant4 says why Geant4 is skipped, without the wheel and without its data, and runs
# Wilson's side of its cases.  Geant4 itself is not run.
# shellcheck source=t/tap/tap.sh
. "${WN_SRCDIR:-.}/t/tap/tap.sh"
command -v python3 >/dev/null 2>&1 || skip_all "there is no python3"
scratch t0906-peers.tmp
case $wilson in /*) ;; *) wilson=$PWD/$wilson ;; esac

says() { # says STATUS TEXT ARGUMENT...: exit status and a line that matches TEXT
  want=$1
  text=$2
  shift 2
  "$src/bench/peers/geant4" --wilson "$wilson" "$@" >"$dir/out" 2>&1 </dev/null
  code=$?
  [ "$code" = "$want" ] && grep -qE -e "$text" "$dir/out"
  report $? "bench/peers/geant4 $(echo "$*" | sed "s#$PWD/##g"): $want, $text" "ended with $code
$(cat "$dir/out")"
}

# a Python without and one with a wheel, of which only the presence is asked
printf '#!/bin/sh\nexit 1\n' >"$dir/without"
printf '#!/bin/sh\nexit 0\n' >"$dir/with"
chmod +x "$dir/without" "$dir/with"
says 0 '^skip: .*without has no geant4_pybind' --only geant4 --python "$PWD/$dir/without" beam
says 0 '^skip: .*nowhere: No such file' --only geant4 --python "$PWD/$dir/nowhere" beam
says 0 "^skip: no folder brem_SB in 'nothing'" --only geant4 --python "$PWD/$dir/with" --data nothing rrea
says 2 'invalid choice' swarm
says 0 '^wilson: 20 electrons [0-9.]+ s, 200 electrons [0-9.]+ s$' --only wilson --electrons 20 --time 0.02 beam
says 1 'unknown key' --only wilson --set no_such_key=1 beam
finish
