#!/bin/sh
# t0003-names.t - defends: the objects of the program export only names that begin with wn_, main, and wilson_ of src/library/wilson.h; so Wilson can be linked
# into a larger program.  Names that begin with two underscores belong to the compiler and its sanitizers, and so do clang's
# NAME.resolver, which choose a clone of a static function, and the locks of OpenMP (.gomp_critical_user_), which all programs
# share that have an unnamed critical region or a reduction.  CUDA files are C++:
# their wn_ functions may be mangled, unnamed namespaces carry a name unique by file, and weak names (templates, CUB's and
# ours, and what the language needs) collide with nothing.
# shellcheck source=t/tap/tap.sh
. "${WN_SRCDIR:-.}/t/tap/tap.sh"
build=${WN_BUILDDIR:-.}
nm=${NM:-nm}
command -v "$nm" >/dev/null 2>&1 || skip_all "$nm was not found"
folders=$(cd "$src" && printf '%s\n' */local.mk | sed 's|/.*||' | grep -vE '^(bench|data|doc|physics|t)$')
# shellcheck disable=SC2086 # words
objects=$(cd "$build" && find $folders -name "*.o" 2>/dev/null | sort)
[ -n "$objects" ] || skip_all "no objects in the build folder"
for o in $objects; do
  out=$("$nm" -g --defined-only "$build/$o" 2>&1)
  code=$?
  bad=$(printf '%s\n' "$out" | awk 'NF {
    name = $NF
    if ($(NF - 1) ~ /^[WVu]$/ || name ~ /\.resolver$|^\.gomp_critical_user_\.(reduction\.)?var$/) next
    if (name !~ /^(wn_|wilson_|__|_Z[0-9]+wn_|_ZN[0-9]+_GLOBAL__N_)/ && name != "main") print name
  }')
  [ $code = 0 ] && [ -z "$bad" ]
  report $? "$o" "$(printf '%s\n' "$bad" | sed 's/^/exports /')"
done
finish
