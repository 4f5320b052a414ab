#!/bin/sh
# t0901-readme.t - defends: what the README says can be done can be done, and what it names exists; the manual knows every key
# and every variable of the output.  The commands are taken from the README's own lines "  $ ...": those of wilson are run, with
# --set added to make runs short.  With WN_LONG=1 the first run is done as it stands and must print the README's table, digit
# for digit.
# shellcheck source=t/tap/tap.sh
. "${WN_SRCDIR:-.}/t/tap/tap.sh"
scratch t0901-readme.tmp
case $src in /*) ;; *) src=$PWD/$src ;; esac
case $wilson in /*) ;; *) wilson=$PWD/$wilson ;; esac
need_wilson

# ---- the commands ----
# Short enough also under the sanitizers; a runaway or a swarm of 64 electrons shows that the command works, nothing more.
short="--set electrons=64 --set accuracy=0.4 --set sampling.block=4"
short_runaway="--set population.target=32 --set 'duration=\"10 ps\"'" # their levels are filled, and the time is the scenario's

sed -n 's/^  \$ //p' "$src/README" >"$dir/commands"
report "$([ "$(grep -c '^build/wilson ' "$dir/commands")" -ge 3 ] && echo 0 || echo 1)" "the README has commands to try"

ln -s "$src/data" "$dir/data"
mkdir -p "$dir/build" "$dir/src/plot"
ln -s "$wilson" "$dir/build/wilson"
ln -s "$src/src/plot/wilson-plot" "$dir/src/plot/wilson-plot"
while read -r line; do
  case $line in
  "build/wilson run"*runaway*) command="$line $short $short_runaway" ;;
  "build/wilson run"*) command="$line $short" ;;
  "build/wilson "*) command=$line ;;
  ncdump*)
    if ! command -v ncdump >/dev/null 2>&1; then
      skip "$line" "ncdump was not found"
      continue
    fi
    command=$line ;;
  src/plot/wilson-plot*)
    find_python
    if [ -z "$python" ]; then
      skip "$line" "no Python with netCDF4, xarray and matplotlib"
      continue
    fi
    command="env MPLCONFIGDIR=. $python $line" ;;
  *)
    report 1 "a command that this test can run: $line"
    continue ;;
  esac
  (cd "$dir" && eval "$command") >"$dir/out" 2>"$dir/err" </dev/null
  code=$?
  case $line in
  src/plot/wilson-plot*) [ -s "$dir/reid-ramp.png" ] || code="$code, no picture" ;;
  *) [ -s "$dir/out" ] || code="$code, nothing printed" ;;
  esac
  report "$([ "$code" = 0 ] && echo 0 || echo 1)" "README: $line" "status $code; $(head -n 5 "$dir/err")"
done <"$dir/commands"

# Every `wilson ...` that the README's text or the manual shows exists.
bad=
# shellcheck disable=SC2013,SC2016 # words are meant; backticks are part of the text
for word in $(sed -n 's/.*[`(]wilson \([a-z]*\)[ `].*/\1/p' "$src/README" "$src"/doc/*.md "$src/HACKING" | sort -u); do
  "$wilson" "$word" -h >"$dir/out" 2>&1 || bad="$bad $word"
done
report "$([ -z "$bad" ] && echo 0 || echo 1)" "every command that the manual names exists" "$bad"

# The table of the first run: its heading always, its numbers in the long tests.
first=$(sed -n 1p "$dir/commands")
sed -n '/^  \$ build\/wilson run/,/^  wilson: info/p' "$src/README" | sed -e '1d' -e '/wilson: info/,$d' -e 's/^  //' >"$dir/want"
(cd "$dir" && eval "$first $short") 2>/dev/null </dev/null | head -n 2 >"$dir/out"
head -n 2 "$dir/want" >"$dir/heading"
report "$(cmp -s "$dir/heading" "$dir/out" && echo 0 || echo 1)" "the first run prints the README's heading" \
  "$(diff "$dir/heading" "$dir/out")"
if [ "${WN_LONG:-0}" != 0 ]; then
  (cd "$dir" && eval "$first") >"$dir/out" 2>"$dir/err" </dev/null
  report "$(cmp -s "$dir/want" "$dir/out" && echo 0 || echo 1)" "the first run prints the README's numbers" \
    "$(diff "$dir/want" "$dir/out")"
else
  skip "the first run prints the README's numbers" "takes some seconds; WN_LONG=1 runs it"
fi

# ---- what it names ----
bad=
for f in $(sed -n 's/^  \([A-Za-z0-9_.\/-]*\)  .*/\1/p' "$src/README" | grep -E '/|^HACKING$|^NEWS$' | grep -v '^\./') \
  $(grep -oE '(base|bench|build-aux|crosssections|data|device|doc|fields|particles|physics|schedulers|src|t)/[a-z0-9_/-]+\.[a-z]+|data/[a-z]+/README|t/README' "$src/README" "$src/HACKING" "$src"/doc/*.md |
    sed 's/^[^:]*://' | sort -u); do
  case $f in
  base/version_id.h | t/physics/t01NN* | t/swarm/t06NN*) continue ;; # made by the build; patterns for new tests
  physics/collisions/bremsstrahlung.h | schedulers/model_decay.c | schedulers/backwards.c | fields/alternating.c | fields/trap.c | src/jobs/count.c | src/sim/injection.c) continue ;; # t/build/t0004-examples.t
  t/*/t[0-9]*.t | t/*/t[0-9]*.log) f="${f%.*}.[ct]" ;;         # built from a .c, or a script
  esac
  # shellcheck disable=SC2086 # a pattern
  ls -d $src/$f >/dev/null 2>&1 || bad="$bad $f"
done
report "$([ -z "$bad" ] && echo 0 || echo 1)" "every file that README, HACKING and the manual name exists" "$bad"
bad=
for page in "$src"/doc/*.md; do
  for link in $(grep -oE '\]\([a-z-]+\.md\)' "$page" | tr -d '])('); do
    [ -f "$src/doc/$link" ] || bad="$bad $(basename "$page"):$link"
  done
  grep -q "doc/$(basename "$page")" "$src/README" || bad="$bad $(basename "$page") is not in the README"
done
report "$([ -z "$bad" ] && echo 0 || echo 1)" "the pages of the manual are linked" "$bad"

# ---- keys ----
"$wilson" list manual >"$dir/manual"
report "$(cmp -s "$dir/manual" "$src/doc/scenario-keys.md" && echo 0 || echo 1)" \
  "doc/scenario-keys.md is what \`wilson list manual\` writes" "$(diff "$dir/manual" "$src/doc/scenario-keys.md" | head -n 6)"
keys=$("$wilson" list keys | awk '{ print $1 }')
bad=
for k in $keys; do
  grep -qxF "### \`$k\`" "$src/doc/scenario-keys.md" || bad="$bad $k"
done
report "$([ -n "$keys" ] && [ -z "$bad" ] && echo 0 || echo 1)" "every key has its section in doc/scenario-keys.md" "$bad"
# Keys that the hand-written pages show in backticks exist.  A word without a dot may be anything, so only dotted ones.
bad=
for k in $(grep -ohE '`(gas|tables|population|runaway|sampling|distribution)\.[a-z_.]+' "$src/README" "$src"/doc/[a-r]*.md |
  tr -d '`' | sort -u); do
  case $k in gas.components.*) continue ;; esac
  "$wilson" help "$k" >/dev/null 2>&1 || bad="$bad $k"
done
report "$([ -z "$bad" ] && echo 0 || echo 1)" "every key that the manual names exists" "$bad"

# ---- variables and attributes of the output ----
described() { # described FILE.nc NAME: all variables and global attributes of the file are in doc/output.md
  if ! command -v ncdump >/dev/null 2>&1; then
    skip "$2" "ncdump was not found"
    return
  fi
  ncdump -h "$1" >"$dir/header" 2>"$dir/err"
  bad=
  found=$(sed -nE 's/^[[:space:]]+(double|int64|string) ([a-z_0-9]+).*/\2/p; s/^[[:space:]]+:([A-Za-z_]+) = .*/\1/p' "$dir/header" |
    sed 's/_error$//' | sort -u)
  for v in $found; do
    grep -q "^|.*\`$v\`" "$src/doc/output.md" || bad="$bad $v"
  done
  report "$([ -n "$found" ] && [ -z "$bad" ] && echo 0 || echo 1)" "$2" "missing in doc/output.md:$bad $(cat "$dir/err")"
}

cat >"$dir/swarm.cfg" <<'CFG'
fields = ["500 Td"];
electrons = 64;
accuracy = 0.4;
relaxation = "1 ps";
duration = "2 ps";
gas = { components = {
  N2 = { fraction = 0.8; file = "builtin:air"; };
  O2 = { fraction = 0.2; file = "builtin:air"; };
}; };
CFG
"$wilson" run "$dir/swarm.cfg" --quiet --output "$dir/swarm.nc" >"$dir/out" 2>"$dir/err"
report $? "a short swarm runs" "$(cat "$dir/err")"
described "$dir/swarm.nc" "every variable of a swarm is described"
"$wilson" run "$dir/swarm.cfg" --quiet --output "$dir/runaway.nc" --set 'job="runaway"' --set relaxation='"auto"' \
  --set 'duration="0.2 ps"' --set 'fields=["300 kV/cm"]' >"$dir/out" 2>"$dir/err"
report $? "a short runaway job runs" "$(cat "$dir/err")"
described "$dir/runaway.nc" "every variable of a runaway job is described"
"$wilson" run "$dir/swarm.cfg" --quiet --output "$dir/rate.nc" --set 'job="runaway-rate"' --set relaxation='"auto"' \
  --set 'duration="0.2 ps"' --set 'fields=["300 kV/cm"]' --set population.target=64 >"$dir/out" 2>"$dir/err"
report $? "a short runaway-rate job runs" "$(cat "$dir/err")"
described "$dir/rate.nc" "every variable of a runaway-rate job is described"
"$wilson" xs builtin:air --gas N2:0.8,O2:0.2 --output "$dir/xs.nc" >"$dir/out" 2>"$dir/err"
report $? "wilson xs writes a file" "$(cat "$dir/err")"
described "$dir/xs.nc" "every variable of wilson xs is described"

rm -rf "$dir"
finish
