#!/bin/sh
# t0542-accuracy.t - defends: a swarm whose `accuracy` names coefficients ends when all of
# them are reached, says which was the worst, and ends without those that are not worth it.
# Numbers: the errors in the output file against what was asked; `accuracy` as a number is the
# reference that it is not (there bulk D_L is left where it is).  And: what is wrong is named
# with its line.
# shellcheck source=t/tap/tap.sh
. "${WN_SRCDIR:-.}/t/tap/tap.sh"
scratch t0542-accuracy.tmp
need_wilson
cfg=$dir/in.cfg out=$dir/out.nc
ok() { report 0 "$1"; }
not_ok() { report 1 "$1" "$(cat "$dir/log")"; }

write() {
  cat >"$cfg" <<EOF
job = "swarm"; electrons = 320; threads = 1; fields = ["300 Td"];
accuracy = {
  $1
};
gas = { components = {
  N2 = { fraction = 0.8; file = "builtin:air"; };
  O2 = { fraction = 0.2; file = "builtin:air"; };
}; };
EOF
}

# relative error of a variable, in parts of a million
error_of() {
  ncdump -p 9,17 -v "$1,$1_error" "$out" | awk -v n="$1" '
    $1 == n && $2 == "=" { x = $3 } $1 == n "_error" && $2 == "=" { e = $3 }
    END { printf "%d", 1e6 * e / x }'
}

run() {
  "$wilson" run "$cfg" --output "$out" "$@" >"$dir/line" 2>"$dir/log"
}

has() { # text, name
  if grep -q -- "$1" "$dir/log"; then ok "$2"; else not_ok "$2"; fi
}

below() { # variable, parts of a million
  e=$(error_of "$1")
  if [ "$e" -gt 0 ] && [ "$e" -le "$2" ]; then ok "$1 has $e of $2 ppm"; else not_ok "$1 has $e of $2 ppm"; fi
}

# Long for the sanitizers, and all that it walks through is walked through below.
if [ "${WN_FAST:-0}" != 1 ]; then
  write 'mobility = 0.005; bulk_DL = 0.03; ionization = 0.02; eta = 0.02;'
  run && ok "a run" || not_ok "a run"
  below drift_velocity_flux 5000
  below diffusion_longitudinal_bulk 30000
  below ionization_frequency 20000
  below attachment_coefficient_reduced 20000
  has 'field 300 Td: accuracy reached; worst: bulk_DL, [0-9.]* %, required 3 %' "it says which was the worst"
  before=$(error_of diffusion_longitudinal_bulk)
  ncdump -h "$out" | grep -q 'accuracy = {.*bulk_DL = 0.03;' && ok "the scenario in the file has the group" ||
    not_ok "the scenario in the file has the group"

  # the same electrons: a sixteenth late at most
  [ "$before" -ge 22000 ] && ok "it does not go on for long: $before ppm" ||
    not_ok "it does not go on for long: $before ppm"

  run --set accuracy=0.02 && [ "$(error_of diffusion_longitudinal_bulk)" -gt 40000 ] &&
    ok "a number in a later source takes the place of the group" ||
    not_ok "a number in a later source takes the place of the group"
fi

write 'mobility = 0.005; bulk_DL = 0.03; ionization = 0.02; eta = 0.02;'
run --set 'duration="30 ps"' && has 'duration has ended before accuracy was reached; worst: ' \
  "a duration is a limit, and it says so"

# the sanitizers take ten times as long to see nothing
floor=1e-22
[ "${WN_FAST:-0}" != 1 ] || floor=1e-21
write "mean_energy = 0.02; alpha = 0.02; floor = $floor;"
run --set 'fields=["5 Td"]'
has 'worst: mean_energy, .*; 1 rate below accuracy.floor' "nothing seen: the upper limit is below the floor"
grep -q '< .*(95 %)' "$dir/line" && ok "nothing was seen, indeed" || not_ok "nothing was seen, indeed"
run --set 'fields=["5 Td"]' --set accuracy.floor=1e-40 --set 'duration="1 ns"'
has 'worst: alpha, not known yet, required 2 %' "a limit above the floor is not enough"
run --set 'magnetic_field="0.1 T"' --set 'accuracy={flux_DT=0.1; mobility=0.02;}' --set accuracy.alpha=0.3
has 'accuracy reached; worst: ' "in a magnetic field"

write 'mobilty = 0.02;'
run
has "$cfg:3: key .accuracy.mobilty.: unknown key; nearest is .accuracy.mobility" "an unknown name"
write 'mobility = 2.0;'
run
has "$cfg:3: key .accuracy.mobility. = 2.*: out of range; allowed: more than 0 to 0.5" "an error of 200 %"
write 'floor = 1e-24;'
run
has "$cfg:3: key .accuracy.floor. = 1e-24: needs names" "a floor without names"
write 'alpha = 0.02;'
run --set 'fields=["0 Td"]'
has "$cfg:3: key .accuracy.alpha. = 0.02: not defined for the field of 0" "alpha without a field"
run --set job=runaway-rate --set 'duration="1 ns"'
has "$cfg:3: key .accuracy.alpha. = 0.02: names a coefficient of a swarm" "another job"

[ -n "$WN_KEEP" ] || rm -rf "$dir"
finish
