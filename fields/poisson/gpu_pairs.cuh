/* fields/poisson/gpu_pairs.cuh - the transform of pairs of lines in shared memory: gpu_pairs.h.
 *
 * A pair of lines a and b is x = a + i b.  Of m points the complex transform is
 * Z_k = sum over j of z_j exp(-2 pi i j k / m), and with S_k = (Z_k + Z_(m-k))/2, D_k = (Z_k - Z_(m-k))/2 and
 * Z_m = Z_0, the real parts of the modes of a and b are those of S_k (real and imaginary part),
 * their imaginary parts those of -i D_k.  With c cells (m = c), and f zero or even beyond its ends:
 *
 *   periodic      z = x; S_k at place k, -i D_k at place m - k; back: Z_k = x_k + i x_(m-k) and
 *                 the inverse transform
 *   sines         F_k = sum f_j sin(pi j k / m):  z_j = sin(pi j / m)(f_j + f_(m-j)) + (f_j - f_(m-j))/2;
 *                 then F_2k = i D_k, F_(2k+1) - F_(2k-1) = S_k and F_1 = S_0 / 2
 *   cosines       F_k = (f_0 + (-1)^k f_m)/2 + sum f_j cos(pi j k / m):
 *                 z_j = (f_j + f_(m-j))/2 - sin(pi j / m)(f_j - f_(m-j)); then F_2k = S_k,
 *                 F_(2k+1) - F_(2k-1) = i D_k, and F_1 is a sum of its own
 *   ..._half      as in gpu_lines.cu: modes exp(i pi k / 2m)(x_k - i x_(m-k)) of the line with even values in
 *                 order and odd ones from the end
 *
 * The second and third follow from 2 sin(pi j / m) cos(2 pi j k / m) = sin(pi j (2k+1) / m) - sin(pi j (2k-1) / m)
 * and 2 sin(pi j / m) sin(2 pi j k / m) = cos(pi j (2k-1) / m) - cos(pi j (2k+1) / m).  The running sums have
 * WN_POISSON_PAIRS_PARTS parts, so that rounding grows with the length of a part and their number: random values come
 * back from 256 modes to 3e-14 of the largest, from 1024 to 1.3e-13 (this code on a processor; periodic lines to 3e-15). */
#ifndef WN_FIELDS_POISSON_GPU_PAIRS_CUH
#define WN_FIELDS_POISSON_GPU_PAIRS_CUH
#include "fields/poisson/gpu_pairs.h"

/* Point j of pair p, in the shared memory of a block.  Pairs of a point are in a row of memory, turned with
 * the point: neither all pairs of a point nor many points of a pair meet in one bank. */
static __device__ int wn_pairs_at(const struct wn_poisson_pairs &l, int j, int p)
{
  return (j << l.log2_pairs) +
         ((p + (j >> (3 - l.log2_pairs))) & ((1 << l.log2_pairs) - 1));
}

/* The point of value i. */
static __device__ int wn_pairs_point(const struct wn_poisson_pairs &l, int i)
{
  return i + (l.kind == WN_FFT_SINES);
}

/* double2 of a block. */
static __host__ __device__ int wn_pairs_buffer(const struct wn_poisson_pairs &l)
{
  return (l.m + 1) << l.log2_pairs;
}
static __host__ __device__ int wn_pairs_shared(const struct wn_poisson_pairs &l)
{
  return 2 * wn_pairs_buffer(l) + (2 * WN_POISSON_PAIRS_PARTS << l.log2_pairs);
}

static __device__ double2 wn_pairs_plus(double2 a, double2 b)
{
  return make_double2(a.x + b.x, a.y + b.y);
}
static __device__ double2 wn_pairs_minus(double2 a, double2 b)
{
  return make_double2(a.x - b.x, a.y - b.y);
}
static __device__ double2 wn_pairs_scaled(double s, double2 a)
{
  return make_double2(s * a.x, s * a.y);
}
static __device__ double2 wn_pairs_times(double2 a, double2 b)
{
  return make_double2(fma(a.x, b.x, -a.y * b.y), fma(a.x, b.y, a.y * b.x));
}
/* s + a b */
static __device__ double2 wn_pairs_add_times(double2 s, double2 a, double2 b)
{
  return make_double2(fma(a.x, b.x, fma(-a.y, b.y, s.x)),
                      fma(a.x, b.y, fma(a.y, b.x, s.y)));
}
/* a + s b */
static __device__ double2 wn_pairs_add_scaled(double2 a, double s, double2 b)
{
  return make_double2(fma(s, b.x, a.x), fma(s, b.y, a.y));
}
/* i a; real and imaginary part exchanged, which makes a transform the inverse one. */
static __device__ double2 wn_pairs_i(double2 a)
{
  return make_double2(-a.y, a.x);
}
static __device__ double2 wn_pairs_swap(double2 a)
{
  return make_double2(a.y, a.x);
}

/* ---- the complex transform, by stages (Stockham): in natural order without a permutation */

template <int R> struct wn_pairs_dft;

template <> struct wn_pairs_dft<1> {
  static __device__ void of(double2[1])
  {
  }
};

template <> struct wn_pairs_dft<2> {
  static __device__ void of(double2 v[2])
  {
    const double2 a = v[0];
    v[0] = wn_pairs_plus(a, v[1]);
    v[1] = wn_pairs_minus(a, v[1]);
  }
};

template <> struct wn_pairs_dft<3> {
  static __device__ void of(double2 v[3])
  {
    const double half_root_3 = 0.86602540378443864676;
    const double2 s = wn_pairs_plus(v[1], v[2]),
                  d = wn_pairs_i(
                      wn_pairs_scaled(half_root_3, wn_pairs_minus(v[1], v[2]))),
                  c = wn_pairs_add_scaled(v[0], -0.5, s);
    v[0] = wn_pairs_plus(v[0], s);
    v[1] = wn_pairs_minus(c, d);
    v[2] = wn_pairs_plus(c, d);
  }
};

template <> struct wn_pairs_dft<4> {
  static __device__ void of(double2 v[4])
  {
    const double2 a = wn_pairs_plus(v[0], v[2]), b = wn_pairs_minus(v[0], v[2]),
                  c = wn_pairs_plus(v[1], v[3]),
                  d = wn_pairs_i(wn_pairs_minus(v[1], v[3]));
    v[0] = wn_pairs_plus(a, c);
    v[1] = wn_pairs_minus(b, d);
    v[2] = wn_pairs_minus(a, c);
    v[3] = wn_pairs_plus(b, d);
  }
};

template <> struct wn_pairs_dft<5> {
  static __device__ void of(double2 v[5])
  {
    const double c1 = 0.30901699437494742410, c2 = -0.80901699437494742410,
                 s1 = 0.95105651629515357212, s2 = 0.58778525229247312917;
    const double2 a = wn_pairs_plus(v[1], v[4]), b = wn_pairs_plus(v[2], v[3]),
                  d = wn_pairs_minus(v[1], v[4]), e = wn_pairs_minus(v[2], v[3]),
                  r1 = wn_pairs_add_scaled(wn_pairs_add_scaled(v[0], c1, a), c2, b),
                  r2 = wn_pairs_add_scaled(wn_pairs_add_scaled(v[0], c2, a), c1, b),
                  i1 = wn_pairs_i(wn_pairs_add_scaled(wn_pairs_scaled(s1, d), s2, e)),
                  i2 = wn_pairs_i(wn_pairs_add_scaled(wn_pairs_scaled(s2, d), -s1, e));
    v[0] = wn_pairs_plus(v[0], wn_pairs_plus(a, b));
    v[1] = wn_pairs_minus(r1, i1);
    v[2] = wn_pairs_minus(r2, i2);
    v[3] = wn_pairs_plus(r2, i2);
    v[4] = wn_pairs_plus(r1, i1);
  }
};

template <> struct wn_pairs_dft<8> {
  static __device__ void of(double2 v[8])
  {
    const double half_root_2 = 0.70710678118654752440;
    double2 a[4] = {v[0], v[2], v[4], v[6]}, b[4] = {v[1], v[3], v[5], v[7]};
    wn_pairs_dft<4>::of(a);
    wn_pairs_dft<4>::of(b);
    /* times exp(-i pi k / 4) */
    b[1] = make_double2(half_root_2 * (b[1].x + b[1].y), half_root_2 * (b[1].y - b[1].x));
    b[2] = make_double2(b[2].y, -b[2].x);
    b[3] =
        make_double2(half_root_2 * (b[3].y - b[3].x), -half_root_2 * (b[3].x + b[3].y));
#pragma unroll
    for (int k = 0; k < 4; k++) {
      v[k] = wn_pairs_plus(a[k], b[k]);
      v[k + 4] = wn_pairs_minus(a[k], b[k]);
    }
  }
};

/* i / n by a multiplication, for n from 2 on and i < 2^16: with per = 2^32/n rounded up the product exceeds the
 * quotient by less than i / 2^32, and that is less than 1/n. */
static __device__ uint32_t wn_pairs_per(int n)
{
  return 0xffffffffu / (uint32_t)n + 1u;
}
static __device__ int wn_pairs_over(int i, uint32_t per)
{
  return (int)__umulhi((uint32_t)i, per);
}

/* Combine transforms of s points to those of s R; x(j, p): point j, first: s is 1. */
template <int R, bool first, class Point>
static __device__ void wn_pairs_stage_of(const struct wn_poisson_pairs &l, int s,
                                         const Point &x, double2 *to)
{
  const int each = l.m / R, turn = each / s;
  const uint32_t per = wn_pairs_per(s);
  const double2 *root = (const double2 *)l.roots;
  for (int t = (int)threadIdx.x; t < each << l.log2_pairs; t += (int)blockDim.x) {
    const int p = t & ((1 << l.log2_pairs) - 1), q = t >> l.log2_pairs;
    const int j = first ? 0 : q - wn_pairs_over(q, per) * s, begin = (q - j) * R + j;
    double2 v[R];
#pragma unroll
    for (int r = 0; r < R; r++)
      v[r] = x(q + r * each, p);
    if (!first) {
#pragma unroll
      for (int r = 1; r < R; r++)
        v[r] = wn_pairs_times(v[r], root[r * j * turn]);
    }
    wn_pairs_dft<R>::of(v);
#pragma unroll
    for (int r = 0; r < R; r++)
      to[wn_pairs_at(l, begin + r * s, p)] = v[r];
  }
}

/* The same for any R, from its definition: a thread has one point of `to`.  Not the first stage. */
static __device__ void wn_pairs_stage_any(const struct wn_poisson_pairs &l, int R, int s,
                                          const double2 *from, double2 *to)
{
  const int each = l.m / R, turn = each / s;
  const double2 *root = (const double2 *)l.roots;
  for (int t = (int)threadIdx.x; t < l.m << l.log2_pairs; t += (int)blockDim.x) {
    const int p = t & ((1 << l.log2_pairs) - 1), i = t >> l.log2_pairs;
    const int out = i % (s * R), q = i / (s * R) * s + out % s, step = out * turn;
    double2 sum = from[wn_pairs_at(l, q, p)];
#pragma unroll 8
    for (int r = 1, k = step; r < R; r++) {
      sum = wn_pairs_add_times(sum, from[wn_pairs_at(l, q + r * each, p)], root[k]);
      k += step;
      k -= k < l.m ? 0 : l.m;
    }
    to[wn_pairs_at(l, i, p)] = sum;
  }
}

template <bool first, class Point>
static __device__ void wn_pairs_stage(const struct wn_poisson_pairs &l, int radix, int s,
                                      const Point &x, double2 *to)
{
  if (radix == 8)
    wn_pairs_stage_of<8, first>(l, s, x, to);
  else if (radix == 5)
    wn_pairs_stage_of<5, first>(l, s, x, to);
  else if (radix == 4)
    wn_pairs_stage_of<4, first>(l, s, x, to);
  else if (radix == 3)
    wn_pairs_stage_of<3, first>(l, s, x, to);
  else if (radix == 2)
    wn_pairs_stage_of<2, first>(l, s, x, to);
  else
    wn_pairs_stage_of<1, first>(l, s, x, to);
}

/* ---- values to points, and back */

/* The first stage, from the values in x. */
static __device__ void wn_pairs_begin(const struct wn_poisson_pairs &l, bool is_back,
                                      const double2 *x, double2 *to)
{
  const int m = l.m, radix = l.radix[0];
  const double2 *turn = (const double2 *)l.turns;
  if (l.kind == WN_FFT_PERIODIC && !is_back) {
    wn_pairs_stage<true>(
        l, radix, 1, [&](int j, int p) { return x[wn_pairs_at(l, j, p)]; }, to);
  } else if (l.kind == WN_FFT_PERIODIC) {
    wn_pairs_stage<true>(
        l, radix, 1,
        [&](int j, int p) {
          const int k = 2 * j <= m ? j : m - j;
          const double2 real = x[wn_pairs_at(l, k, p)];
          if (k == 0 || 2 * k == m)
            return wn_pairs_swap(real);
          const double2 other = wn_pairs_i(x[wn_pairs_at(l, m - k, p)]);
          return wn_pairs_swap(j == k ? wn_pairs_plus(real, other)
                                      : wn_pairs_minus(real, other));
        },
        to);
  } else if (l.kind == WN_FFT_SINES) {
    wn_pairs_stage<true>(
        l, radix, 1,
        [&](int j, int p) {
          const int k = j == 0 ? 1 : j; /* point 0 has no value */
          const double2 a = x[wn_pairs_at(l, k, p)], b = x[wn_pairs_at(l, m - k, p)];
          const double s = j == 0 ? 0.0 : turn[j].y, h = j == 0 ? 0.0 : 0.5;
          return wn_pairs_add_scaled(wn_pairs_scaled(h, wn_pairs_minus(a, b)), s,
                                     wn_pairs_plus(a, b));
        },
        to);
  } else if (l.kind == WN_FFT_COSINES) {
    wn_pairs_stage<true>(
        l, radix, 1,
        [&](int j, int p) {
          const double2 a = x[wn_pairs_at(l, j, p)], b = x[wn_pairs_at(l, m - j, p)];
          return wn_pairs_add_scaled(wn_pairs_scaled(0.5, wn_pairs_plus(a, b)),
                                     -turn[j].y, wn_pairs_minus(a, b));
        },
        to);
  } else if (!is_back) {
    const bool turned = l.kind == WN_FFT_SINES_HALF;
    wn_pairs_stage<true>(
        l, radix, 1,
        [&](int j, int p) {
          const double2 a = x[wn_pairs_at(l, turned ? m - 1 - j : j, p)];
          const int at = turned ? j - 1 : m - j;
          const double2 b =
              j == 0 ? make_double2(0.0, 0.0) : wn_pairs_i(x[wn_pairs_at(l, at, p)]);
          return wn_pairs_swap(wn_pairs_times(turn[j], wn_pairs_minus(a, b)));
        },
        to);
  } else {
    wn_pairs_stage<true>(
        l, radix, 1,
        [&](int j, int p) {
          return x[wn_pairs_at(l, j < (m + 1) / 2 ? 2 * j : 2 * m - 2 * j - 1, p)];
        },
        to);
  }
}

/* S_k and i D_k. */
static __device__ double2 wn_pairs_sum(const struct wn_poisson_pairs &l, const double2 *z,
                                       int k, int p)
{
  return wn_pairs_scaled(0.5, wn_pairs_plus(z[wn_pairs_at(l, k, p)],
                                            z[wn_pairs_at(l, k == 0 ? 0 : l.m - k, p)]));
}
static __device__ double2 wn_pairs_difference(const struct wn_poisson_pairs &l,
                                              const double2 *z, int k, int p)
{
  return wn_pairs_i(
      wn_pairs_scaled(0.5, wn_pairs_minus(z[wn_pairs_at(l, k, p)],
                                          z[wn_pairs_at(l, k == 0 ? 0 : l.m - k, p)])));
}

/* f(i, p) for i = 0 .. n - 1 of all pairs. */
template <class F>
static __device__ void wn_pairs_for(const struct wn_poisson_pairs &l, int n, const F &f)
{
  for (int t = (int)threadIdx.x; t < n << l.log2_pairs; t += (int)blockDim.x)
    f(t >> l.log2_pairs, t & ((1 << l.log2_pairs) - 1));
}

/* The same, store(i, p, load(i, p)), with some loads of a thread on their way together. */
#define WN_PAIRS_AHEAD 8
template <class Load, class Store>
static __device__ void wn_pairs_move(const struct wn_poisson_pairs &l, int n,
                                     const Load &load, const Store &store)
{
  const int all = n << l.log2_pairs, pairs = 1 << l.log2_pairs, step = (int)blockDim.x;
  for (int t = (int)threadIdx.x; t < all; t += WN_PAIRS_AHEAD * step) {
    double2 v[WN_PAIRS_AHEAD];
#pragma unroll
    for (int k = 0; k < WN_PAIRS_AHEAD; k++)
      if (t + k * step < all)
        v[k] = load((t + k * step) >> l.log2_pairs, (t + k * step) & (pairs - 1));
#pragma unroll
    for (int k = 0; k < WN_PAIRS_AHEAD; k++)
      if (t + k * step < all)
        store((t + k * step) >> l.log2_pairs, (t + k * step) & (pairs - 1), v[k]);
  }
}

/* Sum over j = begin .. of part i of n terms: f(j), of pair p. */
template <class F>
static __device__ double2 wn_pairs_part(int n, int i, double2 sum, const F &f)
{
  const int each = (n + WN_POISSON_PAIRS_PARTS - 1) / WN_POISSON_PAIRS_PARTS;
  for (int j = i * each; j < (i + 1) * each && j < n; j++)
    sum = f(j, sum);
  return sum;
}

/* F_1 of cosines, in parts: sums[part][pair]. */
static __device__ void wn_pairs_first_cosine(const struct wn_poisson_pairs &l,
                                             const double2 *x, double2 *sums)
{
  const double2 *turn = (const double2 *)l.turns;
  wn_pairs_for(l, WN_POISSON_PAIRS_PARTS, [&](int i, int p) {
    sums[i << l.log2_pairs | p] =
        wn_pairs_part(l.m + 1, i, make_double2(0.0, 0.0), [&](int j, double2 sum) {
          const double w = (j == 0 || j == l.m ? 0.5 : 1.0) * turn[j].x;
          return wn_pairs_add_scaled(sum, w, x[wn_pairs_at(l, j, p)]);
        });
  });
}

/* The values of sines and cosines from Z. */
static __device__ void wn_pairs_end_sums(const struct wn_poisson_pairs &l,
                                         const double2 *z, double2 *to, double2 *sums)
{
  const bool is_cosines = l.kind == WN_FFT_COSINES;
  const int n_odd = is_cosines ? (l.m + 1) / 2 : l.m / 2;
  double2 *part = sums + (WN_POISSON_PAIRS_PARTS << l.log2_pairs);
  const auto term = [&](int k, int p) {
    if (k > 0)
      return is_cosines ? wn_pairs_difference(l, z, k, p) : wn_pairs_sum(l, z, k, p);
    if (!is_cosines)
      return wn_pairs_scaled(0.5, z[wn_pairs_at(l, 0, p)]);
    double2 sum = sums[p];
    for (int i = 1; i < WN_POISSON_PAIRS_PARTS; i++)
      sum = wn_pairs_plus(sum, sums[i << l.log2_pairs | p]);
    return sum;
  };
  wn_pairs_for(l, WN_POISSON_PAIRS_PARTS, [&](int i, int p) {
    part[i << l.log2_pairs | p] =
        wn_pairs_part(n_odd, i, make_double2(0.0, 0.0),
                      [&](int k, double2 sum) { return wn_pairs_plus(sum, term(k, p)); });
  });
  wn_pairs_for(l, l.m / 2 + 1, [&](int k, int p) {
    to[wn_pairs_at(l, 2 * k, p)] =
        is_cosines ? wn_pairs_sum(l, z, k, p) : wn_pairs_difference(l, z, k, p);
  });
  __syncthreads();
  wn_pairs_for(l, WN_POISSON_PAIRS_PARTS, [&](int i, int p) {
    double2 before = make_double2(0.0, 0.0);
    for (int o = 0; o < i; o++)
      before = wn_pairs_plus(before, part[o << l.log2_pairs | p]);
    wn_pairs_part(n_odd, i, before, [&](int k, double2 sum) {
      sum = wn_pairs_plus(sum, term(k, p));
      to[wn_pairs_at(l, 2 * k + 1, p)] = sum;
      return sum;
    });
  });
}

/* All others. */
static __device__ void wn_pairs_end(const struct wn_poisson_pairs &l, bool is_back,
                                    const double2 *z, double2 *to)
{
  const int m = l.m;
  const double2 *turn = (const double2 *)l.turns;
  if (l.kind == WN_FFT_PERIODIC)
    wn_pairs_for(l, m, [&](int k, int p) {
      to[wn_pairs_at(l, k, p)] = is_back ? wn_pairs_swap(z[wn_pairs_at(l, k, p)])
                                 : 2 * k <= m
                                     ? wn_pairs_sum(l, z, k, p)
                                     : wn_pairs_difference(l, z, k, p); /* -i D_(m-k) */
    });
  else if (!is_back)
    wn_pairs_for(l, m, [&](int k, int p) {
      const int j = k % 2 == 0 ? k / 2 : m - 1 - k / 2;
      to[wn_pairs_at(l, k, p)] = wn_pairs_swap(z[wn_pairs_at(l, j, p)]);
    });
  else
    wn_pairs_for(l, m, [&](int i, int p) {
      const int k = l.kind == WN_FFT_SINES_HALF ? m - 1 - i : i;
      const double2 w = turn[k];
      to[wn_pairs_at(l, i, p)] =
          wn_pairs_minus(wn_pairs_scaled(2.0 * w.x, wn_pairs_sum(l, z, k, p)),
                         wn_pairs_scaled(2.0 * w.y, wn_pairs_difference(l, z, k, p)));
    });
}

/* Transform the values in a, forward or back; of the two buffers a and b the one with the result.  All
 * threads of the block; sums [2 parts][pairs].  Begins and ends with a barrier. */
static __device__ double2 *wn_pairs_transform(const struct wn_poisson_pairs &l,
                                              bool is_back, double2 *a, double2 *b,
                                              double2 *sums)
{
  const bool has_sums = l.kind == WN_FFT_SINES || l.kind == WN_FFT_COSINES;
  __syncthreads();
  if (l.kind == WN_FFT_COSINES)
    wn_pairs_first_cosine(l, a, sums);
  wn_pairs_begin(l, is_back, a, b);
  double2 *from = b, *to = a;
  for (int i = 1, s = l.radix[0]; i < l.n_radices; s *= l.radix[i], i++) {
    __syncthreads();
    if (wn_poisson_pairs_is_any(l.radix[i]))
      wn_pairs_stage_any(l, l.radix[i], s, from, to);
    else
      wn_pairs_stage<false>(
          l, l.radix[i], s, [&](int j, int p) { return from[wn_pairs_at(l, j, p)]; }, to);
    double2 *other = from;
    from = to;
    to = other;
  }
  __syncthreads();
  if (has_sums)
    wn_pairs_end_sums(l, from, to, sums);
  else
    wn_pairs_end(l, is_back, from, to);
  __syncthreads();
  return to;
}

/* The same as code that a kernel has once, for blocks that are too few to have it in their caches: the time is
 * that of fetching instructions. */
static __device__ __noinline__ double2 *
wn_pairs_transform_called(const struct wn_poisson_pairs &l, bool is_back, double2 *a,
                          double2 *b, double2 *sums)
{
  return wn_pairs_transform(l, is_back, a, b, sums);
}

template <bool called>
static __device__ double2 *wn_pairs_transform_by(const struct wn_poisson_pairs &l,
                                                 bool is_back, double2 *a, double2 *b,
                                                 double2 *sums)
{
  return called ? wn_pairs_transform_called(l, is_back, a, b, sums)
                : wn_pairs_transform(l, is_back, a, b, sums);
}

#endif
