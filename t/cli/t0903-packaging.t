#!/bin/sh
# t0903-packaging.t - defends: what packaging/ says of versions, libraries and options is what configure.ac and quickstart say, its
# files are read by those that read them (where they are here), and the tarball has them.  The package itself is built by .ci/run.
# shellcheck source=t/tap/tap.sh
. "${WN_SRCDIR:-.}/t/tap/tap.sh"
case $src in /*) ;; *) src=$PWD/$src ;; esac
p=$src/packaging
scratch t0903-packaging.tmp
version=$(sed -n 's/^AC_INIT(\[wilson\], \[\([^]]*\)\].*/\1/p' "$src/configure.ac")

[ -n "$version" ] && [ "$(sed -n '1s/^wilson (\(.*\)-[^-]*) .*/\1/p' "$p/debian/changelog")" = "$version" ]
report $? "debian/changelog is of version $version" "$(head -n 1 "$p/debian/changelog")"
grep -qF "version(\"$version\")" "$p/spack/packages/wilson-pic/package.py"
report $? "so is the recipe of Spack"

libraries=$(sed -n 's/^ *\(.*|| \)\{0,1\}echo \(lib[a-z0-9]*-dev\)$/\2/p' "$src/quickstart" | grep -v libc6 | sort -u)
missing=
for l in $libraries; do
  sed -n '/^Build-Depends/,/^Standards/p' "$p/debian/control" | grep -q " $l\(,\|\$\)" || missing="$missing $l"
done
[ "$(echo "$libraries" | wc -w)" -ge 4 ] && [ -z "$missing" ]
report $? "debian/control builds with the libraries of quickstart" "of $libraries missing:$missing"
missing=
# shellcheck disable=SC2013
for l in $(grep -o 'python3-[a-z0-9]*' "$src/quickstart" | sort -u); do
  for f in debian/control Containerfile; do
    grep -q "$l" "$p/$f" || missing="$missing $f:$l"
  done
done
[ -z "$missing" ]
report $? "the modules of wilson-plot are named" "$missing"

# every option of configure that a recipe gives is one of configure's
bad=
for o in $(grep -oh -e '--\(with\|without\|enable\|disable\)-[a-z-]*' "$p/debian/rules" "$p/spack/packages/wilson-pic/package.py" | sort -u) --enable-openmp; do
  name=$(echo "$o" | sed 's/^--[a-z]*-//')
  cat "$src/configure.ac" "$src"/m4/*.m4 | grep -qE "AC_ARG_(WITH|ENABLE)\(\[?$name\b|\[--(with|without|enable|disable)-$name|AC_OPENMP.*$name" || bad="$bad $o"
done
[ "$bad" = "" ] || [ "$bad" = " --enable-openmp" ] # that is AC_OPENMP's own
report $? "recipes give configure options that it has" "$bad"

if command -v python3 >/dev/null 2>&1; then
  python3 -c 'import ast, sys
for f in sys.argv[1:]:
    ast.parse(open(f).read(), f)' "$p/spack/packages/wilson-pic/package.py" 2>"$dir/err"
  report $? "the recipe of Spack is Python" "$(cat "$dir/err")"
else
  skip "the recipe of Spack" "there is no python3"
fi
if command -v dpkg-parsechangelog >/dev/null 2>&1; then
  [ "$(dpkg-parsechangelog -l "$p/debian/changelog" -S Source 2>"$dir/err")" = wilson ] && [ ! -s "$dir/err" ]
  report $? "dpkg reads debian/changelog" "$(cat "$dir/err")"
else
  skip "dpkg reads debian/changelog" "there is no dpkg-parsechangelog"
fi
make -n -f "$p/debian/rules" override_dh_auto_configure >"$dir/out" 2>&1 && grep -q -- '--without-cuda' "$dir/out"
report $? "debian/rules is read by make" "$(cat "$dir/out")"
copied=$(sed -n 's/^COPY \(--from=build \)\{0,1\}//p' "$p/Containerfile" | wc -l)
[ "$copied" = 2 ] && grep -q '^RUN ./quickstart ' "$p/Containerfile" && [ -x "$src/quickstart" ]
report $? "the container is built by quickstart"

missing=
for f in $(cd "$p" && find . -type f ! -name local.mk ! -name '*.pyc' | sed 's|^\./||'); do
  grep -qF "%D%/$f" "$p/local.mk" || missing="$missing $f"
done
[ -z "$missing" ]
report $? "all of packaging/ is in the tarball" "$missing"
rm -rf "$dir"
finish
