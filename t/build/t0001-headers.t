#!/bin/sh
# t0001-headers.t - defends: every header compiles on its own, twice in one file, without a warning, as strict C11; those
# that CUDA sources may include also as strict C++17 and, in a build with CUDA, by nvcc.  All together in one file, and alone those
# that no source begins with, as the build has compiled each of the others alone; each alone with WN_LONG=2, or when all together
# fail.
# Only all headers in one file with WN_FAST=1: the compilers asked here are the same in every build.
# WN_NVCC: the nvcc of the build, empty without CUDA; without the variable, the one in PATH.
# shellcheck source=t/tap/tap.sh
. "${WN_SRCDIR:-.}/t/tap/tap.sh"
err=t0001-headers.err
begun=$PWD/t0001-headers.begun

# The last line is for headers of macros alone: strict C asks for one declaration.
twice() { printf '#include "%s"\n#include "%s"\nextern int wn_not_empty;\n' "$1" "$1"; }

folders=$(cd "$src" && printf '%s\n' */local.mk */*/local.mk | sed 's|/.*||' | sort -u | grep -vE '^(bench|data|doc|t)$')
# shellcheck disable=SC2086 # words
headers=$(cd "$src" && find $folders -name '*.h' ! -name version_id.h | sort)
[ -n "$headers" ] || bail_out "no headers in $src"

begun_by() { # begun_by ENDING: what the sources with this ending include first
  # shellcheck disable=SC2086 # words
  (cd "$src" && find $folders -name "*.$1" -exec sed -n '/^#include "/{s///;s/".*//p;q;}' {} ';' | sort -u)
}
without() { printf '%s\n' "$1" | sort | comm -23 - "$begun"; }

compile_all() { # compile_all COMPILER LANGUAGE HEADER...: the flags are in $flags
  compiler=$1
  language=$2
  shift 2
  for h in "$@"; do
    # shellcheck disable=SC2086 # flags are words
    twice "$h" | "$compiler" -x "$language" -fsyntax-only $flags -I"$src" $WN_CPPFLAGS - 2>"$err"
    report $? "$compiler, $language: $h" "$(cat "$err")"
  done
}

strict="-pedantic -Wall -Wextra -Werror -D_GNU_SOURCE"
if command -v gcc >/dev/null 2>&1; then
  flags="-std=c11 $strict"
  # shellcheck disable=SC2086
  for h in $headers $headers; do
    printf '#include "%s"\n' "$h"
  done | gcc -x c -fsyntax-only $flags -I"$src" $WN_CPPFLAGS - 2>"$err"
  code=$?
  report $code "gcc, c: all headers twice in one file, so no two use one name" "$(cat "$err")"
  begun_by c >"$begun"
  alone=$(without "$headers")
  [ $code = 0 ] && [ "${WN_LONG:-0}" != 2 ] || alone=$headers
  # shellcheck disable=SC2086
  [ "${WN_FAST:-0}" = 1 ] || compile_all gcc c $alone
else
  skip "gcc, c: all headers" "gcc was not found"
fi
if [ "${WN_FAST:-0}" = 1 ]; then
  rm -f "$err" "$begun"
  finish
fi
shared=$(printf '%s\n' "$headers" | grep -E '^(base|physics|particles|device|fields|schedulers)/')
if command -v g++ >/dev/null 2>&1; then
  flags="-std=c++17 $strict"
  # They stand alone as C: here it is asked whether they are C++.  Included twice, as above.
  # shellcheck disable=SC2086
  for h in $shared $shared; do
    printf '#include "%s"\n' "$h"
  done | g++ -x c++ -fsyntax-only $flags -I"$src" $WN_CPPFLAGS - 2>"$err"
  code=$?
  report $code "g++, c++: the headers that CUDA sources may include, in one file" "$(cat "$err")"
  # shellcheck disable=SC2086
  [ $code = 0 ] && [ "${WN_LONG:-0}" != 2 ] || compile_all g++ c++ $shared
else
  skip "g++, c++: the headers that CUDA sources may include" "g++ was not found"
fi
nvcc=${WN_NVCC-nvcc}
if [ -n "$nvcc" ] && command -v "${nvcc%% *}" >/dev/null 2>&1; then
  by_nvcc() { # by_nvcc: t0001-headers.cu
    # shellcheck disable=SC2086
    $nvcc -std=c++17 -fmad=false -Xcompiler=-ffp-contract=off -Werror all-warnings -I"$src" $WN_CPPFLAGS \
      -ptx --fdevice-syntax-only -o t0001-headers.ptx t0001-headers.cu >"$err" 2>&1
  }
  # Read, with all errors and warnings, and not made into code: of schedulers/gpu/collision_free_pass.cuh that takes 17 s.
  begun_by cu >"$begun"
  of_cuda=$(cd "$src" && find device fields schedulers -name '*.cuh' | sort)
  alone=$(without "$of_cuda")
  shared=$(printf '%s\n' "$shared" | grep -v '^base/')
  for h in $shared $shared; do
    printf '#include "%s"\n' "$h"
  done >t0001-headers.cu
  by_nvcc
  code=$?
  report $code "nvcc, cu: the headers of CUDA sources in one file" "$(cat "$err")"
  if [ $code != 0 ] || [ "${WN_LONG:-0}" = 2 ]; then
    alone="$shared $of_cuda"
  fi
  for h in $alone; do
    twice "$h" >t0001-headers.cu
    by_nvcc
    report $? "nvcc, cu: $h" "$(cat "$err")"
  done
else
  skip "nvcc, cu: the headers of CUDA sources" "this build has no nvcc"
fi
rm -f "$err" "$begun" t0001-headers.cu t0001-headers.ptx
finish
