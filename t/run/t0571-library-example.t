#!/bin/sh
# t0571-library-example.t - defends: examples/library.c compiles as C and wilson.h as C++ with what wilson.pc says, against libwilson.a
# and libwilson.so, and runs: the field falls as the electrons multiply.  The shared library has the calls of wilson.h and no other name.
# shellcheck source=t/tap/tap.sh
. "${WN_SRCDIR:-.}/t/tap/tap.sh"
case $src in /*) ;; *) src=$PWD/$src ;; esac
build=$(cd "${WN_BUILDDIR:-.}" && pwd)
cc=${CC:-gcc}
[ -f "$build/libwilson.a" ] || skip_all "libwilson.a is not built"
nm "$build/libwilson.a" 2>/dev/null | grep -q __asan_init && skip_all "built with sanitizers, whose options wilson.pc does not have"
# shellcheck disable=SC2086 # words
$cc --version >/dev/null 2>&1 || skip_all "no C compiler"
scratch t0571-library.tmp
cd "$dir" || exit 1
libs=$(sed -n 's/^Libs\(\.private\)\{0,1\}: //p' "$build/src/library/wilson.pc" | xargs | sed 's|-L\${libdir} -lwilson|'"$build/libwilson.a"'|')
# shellcheck disable=SC2086
$cc -std=c11 -Wall -Wextra -Werror -I"$src/src/library" "$src/examples/library.c" $libs -o library >err 2>&1
report $? "the example compiles by wilson.pc" "$(cat err)"
./library "$src/data/new/runaway.cfg" >out 2>err && [ ! -s err ] && [ -s library.nc ]
report $? "and runs to its file" "$(cat out err)"
awk 'NR == 1 { first = $3; n = $5 } { last = $3; now = $5; lines++ } END { exit !(lines == 4 && first > 3.99e7 && first < 4.01e7 && last < 0.95 * first && now > n) }' out
report $? "the field falls as electrons multiply" "$(cat out)"
mv out static.out
so=$(ls "$build"/libwilson.so.* 2>/dev/null)
if grep -q '^Libs.private' "$build/src/library/wilson.pc"; then
  sed -n 's/^[a-z].*[ *]\(wilson_[a-z_]*\)(.*/\1/p' "$src/src/library/wilson.h" | sort >declared
  nm -D --defined-only "$so" | sed 's/.* //' | sort >exported
  [ "$(grep -c . declared)" -ge 18 ] && diff declared exported >err
  report $? "libwilson.so exports what wilson.h declares" "$(cat err)"
  [ "$so" = "$build/libwilson.so.$(sed -n 's/^#define WILSON_ABI //p' "$src/src/library/wilson.h")" ] &&
    readelf -d "$so" | grep -q "SONAME.*\[$(basename "$so")\]"
  report $? "its name has the number of wilson.h" "$so"
  $cc -std=c11 -Wall -Wextra -Werror -I"$src/src/library" "$src/examples/library.c" "$so" -o shared >err 2>&1 &&
    LD_LIBRARY_PATH=$build${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} ./shared "$src/data/new/runaway.cfg" >out 2>>err && cmp out static.out >>err
  report $? "the example with it prints the same" "$(cat err)"
else
  [ -z "$so" ]
  report $? "no libwilson.so (--disable-shared)" "$so"
fi
./library no-such.cfg >out 2>err
[ $? = 1 ] && grep -q 'no-such.cfg: cannot open the scenario file' err
report $? "an error is the message of the program" "$(cat err)"
echo '#include "wilson.h"' >one.cc
if ${CXX:-g++} --version >/dev/null 2>&1; then
  ${CXX:-g++} -Wall -Wextra -Werror -I"$src/src/library" -fsyntax-only one.cc >err 2>&1
  report $? "wilson.h is C++, too" "$(cat err)"
else
  skip "wilson.h is C++, too" "there is no C++ compiler"
fi
cd .. && rm -rf t0571-library.tmp
finish
