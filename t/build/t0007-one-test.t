#!/bin/sh
# t0007-one-test.t - defends: `./quickstart test WORD...` finds a test by its number, a part of its name or its path, builds only its
# program, and wilson where the test runs it, and prints what it prints, with its verdict; a word that names none, or several, is
# an error that says so, before anything is installed or built.  On a made-up tree, with a make that says what it is asked for.
# shellcheck source=t/tap/tap.sh
. "${WN_SRCDIR:-.}/t/tap/tap.sh"
scratch t0007-one-test.tmp
tree=$PWD/$dir/tree
mkdir -p "$tree/t/one" "$tree/t/two" "$tree/build" "$dir/bin"
cp "$src/quickstart" "$tree/quickstart" || exit 1
echo '#include "t/tap/tap.h"' >"$tree/t/one/t0901-plain.c"
echo '#include "t/tap/command.h"' >"$tree/t/one/t0902-runs.c"
echo '#include "t/tap/tap.h"' >"$tree/t/two/t0903-plain-two.c"
echo '#include "t/tap/tap.h"' >"$tree/t/two/t0905-fails.c"
echo '#include "t/tap/tap.h"' >"$tree/t/two/t0906-skips.c"
# shellcheck disable=SC2016 # the text of a test
echo '"$wilson" --version' >"$tree/t/two/t0904-shell.t"
: >"$tree/t/one/t0901-plain.t" # as a build in the tree leaves it
: >"$tree/build/config.status"
cat >"$dir/bin/make" <<'MAKE'
#!/bin/sh
echo "make $*" >>"$MADE"
case "$*" in
*t0905-fails.t) [ "${*#*tap TEST=}" = "$*" ] || { echo "not ok 1 - it fails"; echo 1..1; exit 1; } ;;
*t0906-skips.t) [ "${*#*tap TEST=}" = "$*" ] || echo "1..0 # skip no such device" ;;
*"tap TEST="*) echo "ok 1 - it passes"; echo "ok 2 - it is left out # skip for a reason"; echo 1..2 ;;
esac
MAKE
chmod +x "$dir/bin/make" "$tree/quickstart"
MADE=$PWD/$dir/made
export MADE

one() { # one STATUS BUILT RUN SAYS WORD...: the words after make's options, tests run, and text that is said
  want=$1 built=$2 ran=$3 says=$4
  shift 4
  : >"$MADE"
  PATH="$PWD/$dir/bin:$PATH" JOBS=1 "$tree/quickstart" test "$@" >"$dir/out" 2>"$dir/err" </dev/null
  got=$?
  built_now=$(sed -n "s|^make -C $tree/build -j 1 ||p" "$MADE")
  ran_now=$(sed -n 's/.* tap TEST=//p' "$MADE" | tr '\n' ' ')
  [ $got = "$want" ] && [ "$built_now" = "$built" ] && [ "${ran_now% }" = "$ran" ] && cat "$dir/out" "$dir/err" | grep -qF -- "$says"
  report $? "quickstart test${*:+ $*}: status $want, $says" "status $got, built '$built_now', ran '$ran_now'
$(cat "$dir/out" "$dir/err")"
}

plain=t/one/t0901-plain.t
one 0 $plain $plain "t/one/t0901-plain.c: 1 passed, 0 failed, 1 skipped" t0901
one 0 $plain $plain "ok 1 - it passes" t0901-plain
one 0 $plain $plain "1 passed" t/one/t0901-plain.c
one 0 "t/two/t0903-plain-two.t" "t/two/t0903-plain-two.t" "1 passed" plain-two
one 0 "t/one/t0902-runs.t wilson" "t/one/t0902-runs.t" "1 passed" runs
one 0 "wilson" "t/two/t0904-shell.t" "1 passed" 0904
one 0 "$plain t/one/t0902-runs.t wilson" "$plain t/one/t0902-runs.t" "t0902-runs.c: 1 passed" t0901 t0902 901
one 0 t/two/t0906-skips.t t/two/t0906-skips.t "0 passed, 0 failed, 1 skipped" skips
one 1 "t/two/t0905-fails.t $plain" "t/two/t0905-fails.t $plain" "t0905-fails.c: 0 passed, 1 failed" fails t0901
one 1 "" "" "  t/two/t0903-plain-two.c" plain
one 1 "" "" "'t0777' in its name" t0777
one 1 "" "" "no test has 'nothing'" t0901 nothing
one 1 "" "" "not 'a*'" 'a*'
one 1 "" "" "not ''" ''
one 1 "" "" "which test?"
rm -rf "$dir"
finish
