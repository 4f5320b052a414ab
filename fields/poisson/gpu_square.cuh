/* fields/poisson/gpu_square.cuh - the passes of gpu_shared.cu as one kernel for periodic squares of 2^6 to 2^9
 * cells, with the bits of passes_kernel.
 *
 * On grids so small each instruction runs once or a few times in a step, after the kernel of the particles has
 * displaced it from the caches: the time is that of fetching instructions, and of one load after the
 * other.  So here the number of points is known when compiled, stages are those of powers of two, a thread has
 * its roots and eigenvalues in registers before the kernels before it end, the first stage takes its values
 * from where they are, and the last one writes where they go.  All four transforms are one loop.
 *
 * A block has `pairs` pairs of lines, and m/8 threads a pair.  The block behind those of all pairs has the last
 * row of nodes, which repeats the first, alone in a pair, as in gpu_shared.cu. */
#ifndef WN_FIELDS_POISSON_GPU_SQUARE_CUH
#define WN_FIELDS_POISSON_GPU_SQUARE_CUH
#include <cooperative_groups.h>
#include "fields/poisson/gpu_pairs.cuh"

struct wn_poisson_square {
  const double *root;     /* [m][2]: exp(-2 pi i k / m) */
  const double *along[2]; /* eigenvalues [m], 1/m2 */
  double norm, factor;    /* of all transforms; of rho */
  const double *rho;      /* [m + 1][m + 1] */
  double *values, *phi;   /* [m][m], [m + 1][m + 1] */
};

template <int log2_m> struct wn_square {
  static constexpr int m = 1 << log2_m, log2_pairs = log2_m > 8 ? 1 : 8 - log2_m,
                       pairs = 1 << log2_pairs, each = m / 8, threads = each * pairs,
                       blocks = m / (2 * pairs) + 1;
  /* stages after the first: those of 8, and one of 4 or 2 */
  static constexpr int eights = log2_m / 3 - 1, last = 1 << log2_m % 3;
  static constexpr int roots = eights * 7 + (last > 1 ? 8 / last * (last - 1) : 0);
  static constexpr size_t buffer = m * pairs / 8 * 9; /* double2 */
  static constexpr size_t bytes = (3 * buffer + m * pairs) * sizeof(double2);

  /* Point j of pair p: a place more after eight, so that strides of eight meet in no bank. */
  static __device__ __forceinline__ int at(int j, int p)
  {
    const int i = j * pairs + p;
    return i + i / 8;
  }

  template <int R, int s>
  static __device__ __forceinline__ void load_roots(const double2 *root, double2 *own)
  {
#pragma unroll
    for (int b = 0; b < 8 / R; b++) {
      const int q = ((int)threadIdx.x + b * threads) / pairs, j = q % s;
#pragma unroll
      for (int r = 1; r < R; r++)
        own[b * (R - 1) + r - 1] = root[r * j * (m / R / s)];
    }
  }

  template <int R, int s>
  static __device__ __forceinline__ void stage(const double2 *own, const double2 *from,
                                               double2 *to)
  {
#pragma unroll
    for (int b = 0; b < 8 / R; b++) {
      const int t = (int)threadIdx.x + b * threads, p = t % pairs, q = t / pairs,
                j = q % s, begin = (q - j) * R + j;
      double2 v[R];
#pragma unroll
      for (int r = 0; r < R; r++)
        v[r] = from[at(q + r * (m / R), p)];
#pragma unroll
      for (int r = 1; r < R; r++)
        v[r] = wn_pairs_times(v[r], own[b * (R - 1) + r - 1]);
      wn_pairs_dft<R>::of(v);
#pragma unroll
      for (int r = 0; r < R; r++)
        to[at(begin + r * s, p)] = v[r];
    }
  }

  /* S_k or -i D_(m-k): value k of the modes. */
  static __device__ __forceinline__ double2 mode(const double2 *z, int k, int p)
  {
    const double2 a = z[at(k, p)], b = z[at(-k & (m - 1), p)];
    return 2 * k <= m ? wn_pairs_scaled(0.5, wn_pairs_plus(a, b))
                      : wn_pairs_i(wn_pairs_scaled(0.5, wn_pairs_minus(a, b)));
  }

  /* Point j of the transform back. */
  static __device__ __forceinline__ double2 back(const double2 *x, int j, int p)
  {
    const int k = 2 * j <= m ? j : m - j;
    const double2 real = x[at(k, p)], other = wn_pairs_i(x[at(-k & (m - 1), p)]);
    return wn_pairs_swap(k == 0 || 2 * k == m ? real
                         : j == k             ? wn_pairs_plus(real, other)
                                              : wn_pairs_minus(real, other));
  }
};

template <int log2_m>
static __global__ void __launch_bounds__(wn_square<log2_m>::threads)
    square_kernel(const __grid_constant__ struct wn_poisson_square a)
{
  typedef wn_square<log2_m> S;
  constexpr int m = S::m, each = S::each, pairs = S::pairs, row = m / 2;
  extern __shared__ double2 memory[];
  double2 *const x = memory, *const b0 = x + S::buffer, *const b1 = b0 + S::buffer,
                 *const z = S::eights + (S::last > 1) == 1 ? b1 : b0,
                 *const reciprocal = b1 + S::buffer + threadIdx.x;
  cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  const int p = (int)threadIdx.x % pairs, q = (int)threadIdx.x / pairs,
            pair = (int)blockIdx.x * pairs + p;
  const bool is_last = blockIdx.x == S::blocks - 1;
  /* in which nothing depends on other kernels */
  double2 root[S::roots];
  double along[8], beside[2] = {1.0, 1.0};
  S::template load_roots<8, 8>((const double2 *)a.root, root);
  if constexpr (S::eights > 1)
    S::template load_roots<8, 64>((const double2 *)a.root, root + 7);
  if constexpr (S::last > 1)
    S::template load_roots<S::last, m / S::last>((const double2 *)a.root,
                                                 root + 7 * S::eights);
#pragma unroll
  for (int r = 0; r < 8; r++)
    along[r] = a.along[1][q + r * each];
  if (!is_last) {
    beside[0] = a.along[0][2 * pair];
    beside[1] = a.along[0][2 * pair + 1];
  }
#pragma unroll
  for (int r = 0; r < 8; r++)
    reciprocal[r * S::threads] = make_double2(1.0 / (a.norm * (beside[0] + along[r])),
                                              1.0 / (a.norm * (beside[1] + along[r])));
  wn_gpu_after_others();
  /* lines of this thread: rows of nodes, rows and columns of modes */
  const double *rho = a.rho + (size_t)(2 * pair) * (m + 1);
  double *rows = a.values + (size_t)(2 * pair) * m;
  double2 *column = (double2 *)a.values + pair;
#pragma unroll 1
  for (int pass = is_last ? 3 : 0; pass < 4; pass++) {
    double2 v[8];
    if (is_last && pass == 3) {
      grid.sync();
      grid.sync();
    }
    if (pass < 2) {
#pragma unroll
      for (int r = 0; r < 8; r++) {
        const int i = q + r * each;
        v[r] = pass == 0
                   ? make_double2(rho[i] * a.factor + 0.0, /* as with walls: no -0 */
                                  rho[m + 1 + i] * a.factor + 0.0)
                   : column[i * row];
      }
    } else {
      if (pass == 3) {
#pragma unroll
        for (int r = 0; r < 8; r++) {
          const int i = q + r * each;
          v[r] = !is_last ? make_double2(rows[i], rows[m + i])
                 : p == 0 ? make_double2(a.values[i], 0.0)
                          : make_double2(0.0, 0.0);
        }
#pragma unroll
        for (int r = 0; r < 8; r++)
          x[S::at(q + r * each, p)] = v[r];
        __syncthreads();
      }
#pragma unroll
      for (int r = 0; r < 8; r++)
        v[r] = S::back(x, q + r * each, p);
    }
    wn_pairs_dft<8>::of(v);
#pragma unroll
    for (int r = 0; r < 8; r++)
      b0[S::at(q * 8 + r, p)] = v[r];
    __syncthreads();
    S::template stage<8, 8>(root, b0, b1);
    if constexpr (S::eights > 1) {
      __syncthreads();
      S::template stage<8, 64>(root + 7, b1, b0);
    }
    if constexpr (S::last > 1) {
      __syncthreads();
      S::template stage<S::last, m / S::last>(root + 7 * S::eights, b1, b0);
    }
    __syncthreads();
    if (pass == 0) {
#pragma unroll
      for (int r = 0; r < 8; r++) {
        const double2 of = S::mode(z, q + r * each, p);
        rows[q + r * each] = of.x;
        rows[m + q + r * each] = of.y;
      }
      grid.sync();
    } else if (pass == 1) {
#pragma unroll
      for (int r = 0; r < 8; r++) {
        const int k = q + r * each;
        const double2 of = S::mode(z, k, p);
        const double2 per = reciprocal[r * S::threads];
        double2 over;
        over.x = k == 0 && pair == 0
                     ? 0.0
                     : wn_poisson_over(of.x, a.norm * (beside[0] + along[r]), per.x);
        over.y = wn_poisson_over(of.y, a.norm * (beside[1] + along[r]), per.y);
        x[S::at(k, p)] = over;
      }
      __syncthreads();
    } else if (pass == 2) {
#pragma unroll
      for (int r = 0; r < 8; r++)
        column[(q + r * each) * row] = wn_pairs_swap(z[S::at(q + r * each, p)]);
      grid.sync();
    } else {
#pragma unroll
      for (int r = 0; r < 8; r++) {
        const int k = q + r * each;
        const double2 of = wn_pairs_swap(z[S::at(k, p)]);
        double *to = a.phi + (size_t)(2 * pair) * (m + 1) + k;
        if (!is_last || p == 0) {
          to[0] = of.x + 0.0;
          if (k == 0)
            to[m] = of.x + 0.0;
        }
        if (!is_last) {
          to[m + 1] = of.y + 0.0;
          if (k == 0)
            to[2 * m + 1] = of.y + 0.0;
        }
      }
    }
  }
}

#endif
