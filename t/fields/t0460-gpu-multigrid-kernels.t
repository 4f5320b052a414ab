#!/bin/sh
# t0460-gpu-multigrid-kernels.t - defends: each kernel of a grid of multigrid on a GPU (fields/poisson/gpu_multigrid_march.cuh
# and the residual of gpu_multigrid_equation.cuh), run on the host, is what the host does.
#   - from the same b: b of the next grid; with x of that: x of this one, to the rounding of floats, on all grids of a solver;
#     r-z and stretched axes, odd numbers of nodes, periodic axes, electrodes, cut edges
#   - the residual of rho and what an addition to the potential leaves of it, with their sums
# A host says nothing of races and barriers that are missing: t0433 with compute-sanitizer does.
# The kernels are plain C++ with t/fields/gpu_on_host.h.  Reference: multigrid_cycle.c, and flux() of one node.
# shellcheck source=t/tap/tap.sh
. "${WN_SRCDIR:-.}/t/tap/tap.sh"
for compiler in gcc g++; do
  command -v "$compiler" >/dev/null 2>&1 || skip_all "$compiler was not found"
done
scratch t0460-scratch
flags="-O1 -ffp-contract=off -D_GNU_SOURCE -I$src"
for f in fields/geometry fields/poisson/multigrid fields/poisson/multigrid_cycle fields/poisson/multigrid_levels \
  fields/poisson/gpu_multigrid_tiles t/fields/gpu_multigrid_kernels; do
  # shellcheck disable=SC2086 # flags are words
  gcc -std=c11 $flags -c -o "$dir/$(basename "$f")-c.o" "$src/$f.c" 2>"$dir/err" || bail_out "$f.c: $(cat "$dir/err")"
done
# shellcheck disable=SC2086
g++ -std=c++17 $flags -c -o "$dir/kernels.o" "$src/t/fields/gpu_multigrid_kernels.cpp" 2>"$dir/err" &&
  g++ -o "$dir/kernels" "$dir"/*.o -lm 2>"$dir/err" || bail_out "kernels on the host: $(cat "$dir/err")"
"$dir/kernels" >"$dir/out" || bail_out "kernels on the host end: $(tail -n 1 "$dir/out")"
cat "$dir/out"
failed=0
! grep -q '^not ok' "$dir/out" || failed=1
rm -r "$dir"
exit $failed
