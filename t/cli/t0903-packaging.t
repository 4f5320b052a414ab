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
grep -qx "Package: libwilson$(sed -n 's/^#define WILSON_ABI //p' "$src/src/library/wilson.h")" "$p/debian/control" &&
  grep -q "libwilson.so.$(sed -n 's/^#define WILSON_ABI //p' "$src/src/library/wilson.h")\$" "$p"/debian/libwilson[0-9].install &&
  grep -q " libwilson.so.$(sed -n 's/^#define WILSON_ABI //p' "$src/src/library/wilson.h") " "$p/check-wheel"
report $? "the Debian package and the wheel have the library of wilson.h"
grep -qF "version(\"$version\")" "$p/spack/packages/wilson-pic/package.py"
report $? "so is the recipe of Spack"

[ "$(sed -n 's/^version: //p' "$src/CITATION.cff")" = "$version" ]
report $? "so is CITATION.cff"
grep -qF "{% set version = \"$version\" %}" "$p/conda/meta.yaml"
report $? "so is the recipe of conda"
if command -v python3 >/dev/null 2>&1; then
  python3 - "$src" "$version" 2>"$dir/err" <<'PYTHON'
import ast, glob, json, re, sys
top, version = sys.argv[1:]
meta = json.load(open(top + "/codemeta.json"))
assert meta["version"] == version, meta["version"]
for key, kind in {"@context": str, "@type": str, "name": str, "license": str, "author": list, "description": str}.items():
    assert isinstance(meta[key], kind) and meta[key], key
text = open(top + "/CITATION.cff").read()
fields = dict(re.findall(r"^([a-z-]+): *(.*)$", text, re.M))
for key in ("cff-version", "message", "title", "authors"):  # what the schema 1.2.0 requires
    assert key in fields, key
assert fields["license"] in meta["license"], "licences differ"
assert re.search(r'name = "%s"' % meta["identifier"], open(top + "/pyproject.toml").read()), "the name of the package"
named = {f for p in glob.glob(top + "/data/scenarios/*.cfg") for f in re.findall(r'"\.\./([a-z]+)/', open(p).read())}
data = ast.literal_eval(re.search(r"^DATA = (.*\))", open(top + "/setup.py").read(), re.M)[1])
assert "photons" in named and named | {"scenarios"} <= set(data), f"scenarios name files of {named}, the wheel has {data}"
recipe = re.sub(r"^\{%.*%\}$|#.*", "", open(top + "/packaging/conda/meta.yaml").read(), flags=re.M)
recipe = re.sub(r"\{\{.*?\}\}", "x", recipe)
try:
    import yaml
except ImportError:
    sys.exit(0)
yaml.safe_load(text)
recipe = yaml.safe_load(recipe)
assert {"package", "source", "build", "requirements", "test", "about"} <= set(recipe), set(recipe)
PYTHON
  report $? "codemeta.json, CITATION.cff and the recipe of conda are read, and agree" "$(cat "$dir/err")"
else
  skip "codemeta.json, CITATION.cff and the recipe of conda are read, and agree" "there is no python3"
fi

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
  grep -q "$l" "$p/debian/control" || missing="$missing debian:$l"
  grep -qi "pip install .*\b${l#python3-}\b" "$p/Containerfile" || missing="$missing container:$l"
  grep -q "depends_on(\"py-${l#python3-}\"" "$p/spack/packages/wilson-pic/package.py" || missing="$missing spack:$l"
  grep -q "^    - ${l#python3-}\b" "$p/conda/meta.yaml" || missing="$missing conda:$l"
done
[ -z "$missing" ]
report $? "the modules of wilson-plot are named" "$missing"

# What configure.ac looks for: Spack passes on the headers of what is linked, not of what is there for a build; packages of conda
# without run_exports are named for runs, too.
missing=
# shellcheck disable=SC2013
for l in $(sed -n 's/^WN_CHECK_//p' "$src/configure.ac" | grep -vxE 'SHARED|OPENMP|SANITIZERS'); do
  case $l in
  NETCDF) spack=netcdf-c conda='libnetcdf' ;;
  LIBCONFIG) spack=libconfig conda='libconfig  *#' ;;
  FFTW) spack=fftw conda='fftw' ;;
  RANDOM123) spack=random123 conda= ;;
  MPI) spack='mpi@3:' conda= ;;
  CUDA) spack='cuda@[0-9.]*:' conda= ;;
  *) spack=$l conda=$l ;;
  esac
  grep "^    depends_on(\"${spack}[ \"]" "$p/spack/packages/wilson-pic/package.py" | grep -v 'type="build"' | grep -q . || missing="$missing spack:$l"
  [ -z "$conda" ] || sed -n '/^  host:/,/^test:/p' "$p/conda/meta.yaml" | grep -q "^    - $conda" || missing="$missing conda:$l"
done
[ -z "$missing" ] && grep -q 'git_url: .*/random123.git$' "$p/conda/meta.yaml"
report $? "Spack and conda have the libraries of configure.ac" "$missing"

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
# beside setup.py debhelper takes its own choice of a build system, and ends
grep -q 'dh \$@ --buildsystem=autoconf$' "$p/debian/rules"
report $? "debian/rules names its build system" "$(grep 'dh ' "$p/debian/rules")"
if command -v dh_auto_clean >/dev/null 2>&1; then
  mkdir "$dir/package" && cp -R "$p/debian" "$dir/package/" && cp "$src/setup.py" "$dir/package/" && chmod -R u+w "$dir/package" &&
    printf '#!/bin/sh\n' >"$dir/package/configure" && chmod +x "$dir/package/configure" "$dir/package/debian/rules" &&
    (cd "$dir/package" && debian/rules clean) >"$dir/out" 2>&1
  report $? "debhelper cleans a tree with setup.py" "$(cat "$dir/out")"
else
  skip "debhelper cleans a tree with setup.py" "there is no dh_auto_clean"
fi
copied=$(sed -n 's/^COPY \(--from=build \)\{0,1\}//p' "$p/Containerfile" | wc -l)
[ "$copied" = 3 ] && [ "$(sed -n 's/^FROM \([^ ]*\).*/\1/p' "$p/Containerfile" | sort -u | wc -l)" = 1 ] && grep -q '^RUN ./quickstart build ' "$p/Containerfile" && [ -x "$src/quickstart" ]
report $? "the container is built by quickstart"
! grep -qxF /.git "$src/.dockerignore" && grep -q 'apt-get install .* git\b' "$p/Containerfile"
report $? "results of the container name the commit of a clone"

# The second stage: its packages are those of the libraries of the program, and bring no compiler.  Asked where packages are of the release
# of the container; the names are those of one word, from the last FROM on.
release=$(sed -n 's/^FROM .*debian:\([a-z]*\)-slim$/\1/p' "$p/Containerfile")
named=$(sed -n '/^FROM .*-slim$/,$p' "$p/Containerfile" | sed -n '/apt-get install/,/&& rm/p' | grep -v -e apt-get -e '&& rm' | tr -d '\\\n')
if [ -x "$wilson" ] && [ -n "$release" ] && grep -qx "VERSION_CODENAME=$release" /etc/os-release 2>/dev/null && command -v readelf >/dev/null 2>&1; then
  missing=
  for l in $(readelf -d "$wilson" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'); do
    # of the C library, of CUDA, for which C++ is linked too, and of other builds of the tests: not in the container
    case $l in libc.so.* | libm.so.* | ld-linux* | libcuda* | libstdc++.so.* | libgcc_s.so.* | libomp.so.* | lib[au]san.so.*) continue ;; esac
    owners=$(dpkg -S "*/$l" 2>/dev/null | sed 's/:.*//' | sort -u | xargs)
    # shellcheck disable=SC2086 # lists of words
    [ -n "$owners" ] && printf '%s\n' $named | grep -qxF "$(printf '%s\n' $owners)" || missing="$missing $l:$owners"
  done
  [ -n "$named" ] && [ -z "$missing" ]
  report $? "the container has the libraries of the program" "of$named missing:$missing"
else
  skip "the container has the libraries of the program" "no program, or other packages than those of $release"
fi
if grep -qx "VERSION_CODENAME=$release" /etc/os-release 2>/dev/null && apt-cache show libnetcdf19 >/dev/null 2>&1; then
  # shellcheck disable=SC2086 # a list
  apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces --no-enhances -i $named >"$dir/out" 2>&1
  grep -qx libnetcdf19 "$dir/out" && ! grep -xE '(gcc|g\+\+|clang|make|libc6-dev)(-[0-9]*)?' "$dir/out" >"$dir/err"
  report $? "and no compiler" "$(cat "$dir/err")"
else
  skip "the container has no compiler" "apt has no lists of $release"
fi
missing=
for f in build 'build.*' Makefile config.status wilson base/version_id.h '*.o'; do
  grep -qxF -e "/$f" -e "**/$f" "$src/.dockerignore" || missing="$missing $f"
done
[ -z "$missing" ]
report $? "the container takes no build of this machine" "taken:$missing"

missing=
for f in $(cd "$p" && find . -type f ! -name local.mk ! -name '*.pyc' | sed 's|^\./||'); do
  grep -qF "%D%/$f" "$p/local.mk" || missing="$missing $f"
done
[ -z "$missing" ]
report $? "all of packaging/ is in the tarball" "$missing"

# release-check: the steps in order, a step that fails, one that is left out
"$p/release-check" --dry-run >"$dir/out" 2>&1
[ "$(sed 's/ .*//' "$dir/out" | xargs)" = "versions statistics gpu guard fuzz wheel" ] && grep -q 'WN_LONG=2 make check' "$dir/out" &&
  grep -q "fuzz/run' 3600" "$dir/out"
report $? "release-check --dry-run prints all steps" "$(cat "$dir/out")"
mkdir "$dir/bin" "$dir/build" && : >"$dir/build/Makefile"
printf '#!/bin/sh\necho "$@" >>made\ncase "$*" in *t0903*) exit 0 ;; *t/t04*|*/t04*) exit 0 ;; esac\nexit 3\n' >"$dir/bin/make"
printf '#!/bin/sh\nexit 1\n' >"$dir/bin/nvidia-smi"
chmod +x "$dir/bin/make" "$dir/bin/nvidia-smi"
PATH=$PWD/$dir/bin:$PATH "$p/release-check" --only versions,statistics,gpu "$dir/build" >"$dir/out" 2>&1
code=$?
[ $code = 1 ] && grep -q '^versions .* s  passed$' "$dir/out" && grep -q '^statistics .* s  FAILED' "$dir/out" &&
  grep -q '^gpu .* s  skipped: no GPU$' "$dir/out" && grep -q '^release-check: 1 failed$' "$dir/out" && [ "$(wc -l <"$dir/build/made")" = 2 ]
report $? "a step that fails is named, the others run" "status $code: $(cat "$dir/out")"
"$p/release-check" --only statistcs "$dir/build" >"$dir/out" 2>&1
[ $? = 2 ] && grep -q 'no step statistcs; there are: versions' "$dir/out"
report $? "a step that does not exist is refused" "$(cat "$dir/out")"
rm -rf "$dir"
finish
