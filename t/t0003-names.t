#!/bin/sh
# t0003-names.t - defends: the objects of the program export only names that begin with wn_, and main; so Wilson can be linked
# into a larger program.  Names that begin with two underscores belong to the compiler and its sanitizers, and so do clang's
# NAME.resolver, which choose a clone of a static function.  CUDA files are C++:
# their wn_ functions may be mangled, unnamed namespaces carry a name unique by file, and weak names (templates, CUB's and
# ours, and what the language needs) collide with nothing.
build=${WN_BUILDDIR:-.}
nm=${NM:-nm}
if ! command -v "$nm" >/dev/null 2>&1; then
  echo "1..0 # skip $nm was not found"
  exit 0
fi
objects=$(cd "$build" && find src crosssections schedulers -name '*.o' | sort)
if [ -z "$objects" ]; then
  echo "1..0 # skip no objects in the build folder"
  exit 0
fi
n=0
status=0
for o in $objects; do
  n=$((n + 1))
  out=$("$nm" -g --defined-only "$build/$o" 2>&1)
  code=$?
  bad=$(printf '%s\n' "$out" | awk 'NF {
    name = $NF
    if ($(NF - 1) ~ /^[WVu]$/ || name ~ /\.resolver$/) next
    if (name !~ /^(wn_|__|_Z[0-9]+wn_|_ZN[0-9]+_GLOBAL__N_)/ && name != "main") print name
  }')
  if [ $code = 0 ] && [ -z "$bad" ]; then
    echo "ok $n - $o"
  else
    status=1
    echo "not ok $n - $o"
    printf '%s\n' "$bad" | sed 's/^/#   exports /'
  fi
done
echo "1..$n"
exit $status
