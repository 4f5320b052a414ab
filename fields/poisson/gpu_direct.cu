/* fields/poisson/gpu_direct.cu - the three-point equation on a line, without transforms.
 *
 * With s_i = h2 rho_i / eps0 (rho minus its mean where no side fixes the potential) and
 * edge i between nodes i and i + 1, of n,
 *
 *   phi_(i+1) - phi_i = g - P_i,  P_i = sum of s_m for 1 <= m <= i
 *
 * solves phi_(i-1) - 2 phi_i + phi_(i+1) = -s_i at the nodes between.  Free are g and
 * phi_0.  R is the sum of all P_i; at a low Neumann side all P_i include s_0/2 (half of a
 * cell is there, and g is 0):
 *
 *   low, high             g                        phi_0
 *   dirichlet, dirichlet  (V_n - V_0 + R)/n        V_0
 *   dirichlet, neumann    P_(n-1) + s_n/2          V_0
 *   neumann, dirichlet    0                        V_n + R
 *   neumann, neumann      0                        such that the mean is 0
 *   periodic              R/n                      such that the mean is 0
 *   open                  (P_(n-1) + s_n - s_0)/2  -(n P_(n-1) - R + n s_n)/2
 *
 * The last is phi_i = -1/2 sum of |i - j| s_j: at node 0 the sum of j s_j, which is n
 * P_(n-1) - R for 1 <= j < n. */
#include "fields/poisson/gpu.cuh"
#include <stdlib.h>
#include "base/alloc.h"
#include "physics/constants.h"

#define MOST  1024 /* threads of the one block */
#define WARP  32
#define WARPS (MOST / WARP)

struct line {
  int n;         /* cells, edges */
  int low, high; /* enum wn_potential */
  double scale;  /* h2 / eps0 */
  double volt[2];
};

/* Sum over the threads before this one, always in the same order; *all: over all threads.
 * shared [WARPS + 1].  Every thread of the block calls it. */
static __device__ double sum_before(double x, double *shared, double *all)
{
  const unsigned int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
  double sum = x, before;
  for (unsigned int step = 1; step < WARP; step *= 2) {
    const double other = __shfl_up_sync(0xffffffffu, sum, step);
    sum += lane >= step ? other : 0.0;
  }
  before = __shfl_up_sync(0xffffffffu, sum, 1);
  __syncthreads(); /* all threads have read the last result */
  if (lane == WARP - 1)
    shared[warp] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    double s = 0.0;
    for (unsigned int i = 0; i < blockDim.x / WARP; i++) {
      const double of_warp = shared[i];
      shared[i] = s;
      s += of_warp;
    }
    shared[WARPS] = s;
  }
  __syncthreads();
  *all = shared[WARPS];
  return lane == 0 ? shared[warp] : shared[warp] + before;
}

static __device__ double sum_all(double x, double *shared)
{
  double all;
  sum_before(x, shared, &all);
  return all;
}

static __device__ int floats(const struct line &l)
{
  return l.low == WN_PERIODIC || (l.low == WN_NEUMANN && l.high == WN_NEUMANN);
}

/* The part of the domain that belongs to node i where the potential is floating; 0 for
 * the second end of a periodic line. */
static __device__ double part(const struct line &l, int i)
{
  if (l.low == WN_PERIODIC)
    return i < l.n ? 1.0 : 0.0;
  return i == 0 || i == l.n ? 0.5 : 1.0;
}

/* One thread handles a run of adjacent edges.  Reads 16, writes 8 bytes per node (24
 * where the potential is floating); the limit is the latency of the sums over the
 * block. */
static __global__ void direct_kernel(const __grid_constant__ struct line l,
                                     const double *WN_RESTRICT rho,
                                     double *WN_RESTRICT phi)
{
  __shared__ double shared[WARPS + 1];
  const int n = l.n, run = (n + (int)blockDim.x - 1) / (int)blockDim.x,
            begin = min((int)threadIdx.x * run, n), end = min(begin + run, n);
  const int is_last = begin < n && end == n;
  double mean = 0.0, sum = 0.0, all, p, r = 0.0;
  if (floats(l)) {
    for (int i = begin; i < end; i++)
      sum += part(l, i) * rho[i];
    sum += is_last ? part(l, n) * rho[n] : 0.0;
    mean = sum_all(sum, shared) / (double)n;
  }
  const double s_0 = (rho[0] - mean) * l.scale, s_n = (rho[n] - mean) * l.scale,
               first = l.low == WN_NEUMANN ? 0.5 * s_0 : 0.0;

  sum = 0.0;
  for (int i = begin; i < end; i++)
    sum += i == 0 ? first : (rho[i] - mean) * l.scale;
  const double before = sum_before(sum, shared, &all);
  p = before;
  for (int i = begin; i < end; i++) {
    p += i == 0 ? first : (rho[i] - mean) * l.scale;
    r += p;
  }
  r = sum_all(r, shared);

  double g = 0.0, phi_0 = 0.0;
  if (l.low == WN_PERIODIC) {
    g = r / (double)n;
  } else if (l.low == WN_OPEN) {
    g = 0.5 * (all + (s_n - s_0));
    phi_0 = -0.5 * ((double)n * (all + s_n) - r);
  } else if (l.low == WN_DIRICHLET) {
    g = l.high == WN_DIRICHLET ? (l.volt[1] - l.volt[0] + r) / (double)n
                               : all + 0.5 * s_n;
    phi_0 = l.volt[0];
  } else if (l.high == WN_DIRICHLET) {
    phi_0 = l.volt[1] + r;
  }

  p = before;
  sum = 0.0;
  for (int i = begin; i < end; i++) {
    p += i == 0 ? first : (rho[i] - mean) * l.scale;
    sum += g - p;
  }
  double value = phi_0 + sum_before(sum, shared, &all);
  p = before;
  sum = begin == 0 ? part(l, 0) * phi_0 : 0.0;
  for (int i = begin; i < end; i++) {
    p += i == 0 ? first : (rho[i] - mean) * l.scale;
    value += g - p;
    sum += part(l, i + 1) * value;
    phi[i + 1] = value;
  }
  if (floats(l)) {
    mean = sum_all(sum, shared) / (double)n;
    for (int i = begin; i < end; i++)
      phi[i + 1] -= mean;
    phi_0 -= mean;
  }
  if (begin == 0)
    phi[0] = phi_0;
  if (is_last && l.high == WN_DIRICHLET)
    phi[n] = l.volt[1];
  if (is_last && l.high == WN_PERIODIC)
    phi[n] = phi_0;
}

static int create(struct wn_gpu *g, const struct wn_poisson_spec *spec,
                  struct wn_poisson_gpu **out)
{
  *out = (struct wn_poisson_gpu *)wn_alloc(1, sizeof **out);
  if (*out == NULL)
    return WN_ENOMEM;
  (*out)->gpu = g;
  (*out)->spec = *spec;
  return WN_OK;
}

static void destroy(struct wn_poisson_gpu *p)
{
  free(p);
}

static int solve(struct wn_poisson_gpu *p, const double *rho, const double volt[6],
                 double *phi)
{
  struct wn_poisson_lift lift; /* not needed, but voltages are checked */
  WN_TRY(wn_poisson_lift(&p->spec, volt, &lift));
  const struct wn_poisson_spec *s = &p->spec;
  const int n = (int)s->cells[0];
  const int threads = n < MOST ? (n + WARP - 1) / WARP * WARP : MOST;
  const struct line l = {n,
                         (int)s->side[0],
                         (int)s->side[1],
                         wn_poisson_h(s, 0) * wn_poisson_h(s, 0) / WN_EPS0,
                         {s->side[0] == WN_DIRICHLET ? volt[0] : 0.0,
                          s->side[1] == WN_DIRICHLET ? volt[1] : 0.0}};
  direct_kernel<<<1, threads, 0, p->gpu->stream>>>(l, rho, phi);
  return wn_gpu_check((int)cudaGetLastError(), "Poisson's equation");
}

const struct wn_poisson_gpu_ops wn_poisson_gpu_direct = {create, solve, destroy, NULL,
                                                         NULL};
