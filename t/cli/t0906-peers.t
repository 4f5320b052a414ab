#!/bin/sh
# t0906-peers.t - defends: bench/peers/geant4 says why Geant4 is skipped, without the wheel and without its data, and runs
# Wilson's side of its cases; bench/peers/afivo-streamer likewise, and it reads the log of its program.  The peers themselves
# are not run.
# shellcheck source=t/tap/tap.sh
. "${WN_SRCDIR:-.}/t/tap/tap.sh"
command -v python3 >/dev/null 2>&1 || skip_all "there is no python3"
scratch t0906-peers.tmp
case $wilson in /*) ;; *) wilson=$PWD/$wilson ;; esac

says() { # says STATUS TEXT ARGUMENT...: exit status and a line that matches TEXT
  want=$1
  text=$2
  shift 2
  case $peer in geant4) set -- --wilson "$wilson" "$@" ;; esac
  "$src/bench/peers/$peer" "$@" >"$dir/out" 2>&1 </dev/null
  code=$?
  [ "$code" = "$want" ] && grep -qE -e "$text" "$dir/out"
  report $? "bench/peers/$peer $(echo "$*" | sed "s#$PWD/##g"): $want, $text" "ended with $code
$(cat "$dir/out")"
}

peer=geant4
# a Python without and one with a wheel, of which only the presence is asked
printf '#!/bin/sh\nexit 1\n' >"$dir/without"
printf '#!/bin/sh\nexit 0\n' >"$dir/with"
chmod +x "$dir/without" "$dir/with"
says 0 '^skip: .*without has no geant4_pybind' --only geant4 --python "$PWD/$dir/without" beam
says 0 '^skip: .*nowhere: No such file' --only geant4 --python "$PWD/$dir/nowhere" beam
says 0 "^skip: no folder brem_SB in 'nothing'" --only geant4 --python "$PWD/$dir/with" --data nothing rrea
says 2 'invalid choice' swarm
says 0 '^wilson(: too few --electrons| +[0-9.e+]+$)' --only wilson --electrons 20 --time 0.02 beam
says 0 '^wilson, losses along the flight(: too few --electrons| +[0-9.e+]+ )' --only wilson --electrons 20 --time 0.02 \
  --continuous --peer-rate 5e4 beam
says 0 '^50000 histories a second of the peer are a number that was given' --only wilson --electrons 20 --time 0.02 \
  --peer-rate 5e4 beam
says 2 'peer-rate: beside --only wilson' --peer-rate 5e4 beam
says 1 'continuous losses are not available on a GPU' --only wilson --device cuda --set 'moller.soft_loss="continuous"' beam
says 2 'for --device cpu' --only wilson --device cuda --continuous beam
says 1 'unknown key' --only wilson --set no_such_key=1 beam
peer=afivo-streamer
# a program that looks for what the script writes, and leaves a log of two times
cat >"$dir/streamer" <<'END'
#!/bin/sh
grep -q 'photoi' "$1" && grep -q 'alpha' table.txt || exit 3
printf 'it time sum(n_e) max(E) x y\n0 1e-9 2e9 1.05e7 0 9.4e-3\n1 2e-9 6e9 1.4e7 0 9.1e-3\n' >output/case_log.txt
END
chmod +x "$dir/streamer"
says 0 "^skip: no program" --program "$dir/nowhere"
says 0 '^  2.00   3.4000   14.000        6e\+09$' --program "$dir/streamer" --case photons
printf '#!/bin/sh\necho no memory\nexit 1\n' >"$dir/streamer"
says 1 '^no memory$' --program "$dir/streamer"
says 2 'invalid choice' --case nothing
says 2 '0.1 to 100 um' --cell 0
finish
