/* fields/poisson/gpu_radial.cu - r-z: what mixed.c does, on a GPU, for a radius of constant spacing.
 *
 * Lines along z are transformed by cuFFT (gpu_layout.h).  What is between the two transforms of a solve acts
 * on each mode alone, as a real factor of its place in the transformed line.  So it is done at these places,
 * without an order of modes and without values:
 *
 *   periodic      both parts of each complex mode
 *   sines         the imaginary parts of the odd line, which has no others; cosines the real ones of the even
 *   ..._half      the reals of the line whose order gpu_lines.cu has (take, first_of), the same there and back
 *
 * Between two walls, of a power of two of cells, gpu_radial_sines.cu takes the place of cuFFT and of the kernels around
 * it: modes alone are in memory, in an order of its own.
 *
 * A thread eliminates one such column, along r.  Of mixed.c all factors are made once; one number a node and
 * column is left, 1/(low + after).  A solve reads it twice, and reads and writes each node six times for
 * periodic sides and mirror beside wall, five times by gpu_radial_sines.cu.  Of other pairs the lines are twice as long.  Few columns have enough
 * bytes on their way by copies to shared memory, 64 rows ahead. */
#include "fields/poisson/gpu.cuh"
#include <cuda_pipeline.h>
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "fields/poisson/gpu_sines.h"
#include "physics/constants.h"

#define WARP   32
#define GROUP  8 /* rows that are copied together, */
#define STAGES 8 /* and groups in shared memory */
/* Threads of settle_kernel, the one block */
#define SETTLERS 1024

struct radial {
  struct wn_poisson_gpu head;
  struct wn_poisson_transforms *transforms; /* by cuFFT; or, */
  int sines; /* log2 of the cells, by gpu_radial_sines.cu: 0: not; tables, and modes [n_r][columns.pitch] */
  double *tables, *modes;
  struct wn_poisson_columns columns;
  int32_t n_r;   /* unknowns along r */
  double *along; /* [2][cells along r + 1]: V and C of mixed.c */
  double *
      per; /* [n_r][columns.pitch]: 1/(low + after), 0 where phi is known or there is no mode */
  double whole;      /* the sum of V */
  double per_charge; /* phi of a known node over the charge of its column */
  int n_known;       /* columns with such a node at the end, from the first on */
};

static struct radial *of(struct wn_poisson_gpu *p)
{
  return (struct radial *)(void *)p;
}

/* ---- columns */

struct column_of {
  double *first;
  int64_t row;
  int32_t step;
};

struct sweep {
  struct column_of from, to;
  const double *per, *over;
  int64_t per_row;
  int32_t n_r, columns, n_known;
  int32_t pairs; /* 1: of two neighbours in `to` the other one, at 1 - at, is 0 */
  int32_t at;
  double per_charge;
};

/* One thread a column: from the axis outwards, or back.  Reads 16 and writes 8 bytes a node, 16 in pairs.
 * Limit: memory. */
template <bool back>
static __global__ void __launch_bounds__(WARP)
    sweep_kernel(const __grid_constant__ struct sweep a)
{
  extern __shared__ double ring[]; /* [STAGES][GROUP][2][WARP], [STAGES][GROUP] */
  const int lane = (int)threadIdx.x, c = (int)blockIdx.x * WARP + lane,
            own = c < a.columns ? c : a.columns - 1, n = a.n_r, first = back ? n - 1 : 0;
  const int64_t from_row = back ? -a.from.row : a.from.row,
                to_row = back ? -a.to.row : a.to.row,
                per_row = back ? -a.per_row : a.per_row;
  const double *from = a.from.first + (int64_t)own * a.from.step + first * a.from.row,
               *per = a.per + own + first * a.per_row;
  double *to = a.to.first + (int64_t)own * a.to.step + first * a.to.row;
  double *mine = ring + lane, *over = ring + STAGES * GROUP * 2 * WARP;
  double value = 0.0, charge = 0.0;
  /* outwards C of the edge before a node: that before the first meets value 0 */
  const auto bring = [&](int group) {
    const int stage = group % STAGES, begin = group * GROUP;
    double *at = mine + stage * (GROUP * 2 * WARP);
#pragma unroll
    for (int k = 0; k < GROUP; k++) {
      if (begin + k < n) {
        __pipeline_memcpy_async(at + k * (2 * WARP), from, sizeof *from);
        __pipeline_memcpy_async(at + k * (2 * WARP) + WARP, per, sizeof *per);
      }
      from += from_row;
      per += per_row;
    }
    const int i = begin + lane;
    if (lane < GROUP && i < n)
      __pipeline_memcpy_async(over + stage * GROUP + lane,
                              a.over + (back ? n - 1 - i : i - 1), sizeof *over);
    __pipeline_commit();
  };
  for (int group = 0; group < STAGES - 1; group++)
    bring(group);
  for (int group = 0; group * GROUP < n; group++) {
    const int stage = group % STAGES, left = n - group * GROUP;
    __syncwarp(); /* all lanes have read what is written now */
    bring(group + STAGES - 1);
    __pipeline_wait_prior(STAGES - 1);
    __syncwarp(); /* C comes by other lanes */
    double w[GROUP], d[GROUP], x[GROUP];
#pragma unroll
    for (int k = 0; k < GROUP; k++) {
      const double *at = mine + (stage * GROUP + k) * (2 * WARP);
      w[k] = at[0];
      d[k] = at[WARP];
      x[k] = over[stage * GROUP + k] * d[k];
    }
#pragma unroll
    for (int k = 0; k < GROUP; k++)
      if (k < left) {
        if (!back && a.n_known > 0)
          charge += w[k];
        value = fma(x[k], value, back ? w[k] : w[k] * d[k]);
        if (!back && k == left - 1 && c < a.n_known)
          value = charge * a.per_charge;
        x[k] = value;
      }
#pragma unroll
    for (int k = 0; k < GROUP; k++) {
      if (k < left && c < a.columns) {
        if (a.pairs)
          *(double2 *)(to - a.at) =
              a.at == 0 ? make_double2(x[k], 0.0) : make_double2(0.0, x[k]);
        else
          *to = x[k];
      }
      to += to_row;
    }
  }
}

/* The factors of a column, of which lambda is NAN where it has no mode.  outside [columns], NULL: no open side.
 * known: the node of lambda 0 whose phi is known, -1: none. */
static __global__ void factors_kernel(const double *lambda, const double *outside,
                                      const double *share, const double *over,
                                      int32_t columns, int32_t n_r, int32_t known,
                                      int64_t pitch, double *per)
{
  const int c = (int)(blockIdx.x * WARP + threadIdx.x);
  if (c >= columns)
    return;
  const double of_c = lambda[c];
  double held = 0.0; /* C to a given potential, in series */
  for (int i = 0; i < n_r; i++) {
    const double low = held + of_c * share[i],
                 after = i == n_r - 1 && outside != NULL ? outside[c] : over[i],
                 per_d = 1.0 / (low + after);
    const bool is_known = of_c == 0.0 && i == known;
    held = is_known ? after : after * per_d * low;
    per[i * pitch + c] = is_known || isnan(of_c) ? 0.0 : per_d;
  }
}

/* The first column, of all modes the one with lambda 0 where nothing holds phi.  Before: less the mean charge,
 * so that the sum is 0; after: less the mean of phi by volume.  One block. */
static __global__ void __launch_bounds__(SETTLERS)
    settle_kernel(const __grid_constant__ struct column_of x, const double *share,
                  double whole, int32_t n_r, bool after)
{
  __shared__ double part[SETTLERS];
  double sum = 0.0;
  for (int i = (int)threadIdx.x; i < n_r; i += SETTLERS)
    sum += (after ? share[i] : 1.0) * x.first[i * x.row];
  part[threadIdx.x] = sum;
  for (int n = SETTLERS / 2; n > 0; n /= 2) {
    __syncthreads();
    if ((int)threadIdx.x < n)
      part[threadIdx.x] += part[threadIdx.x + n];
  }
  __syncthreads();
  const double mean = part[0] / whole;
  for (int i = (int)threadIdx.x; i < n_r; i += SETTLERS)
    x.first[i * x.row] -= (after ? 1.0 : share[i]) * mean;
}

/* ---- life */

static size_t nodes_along_r(const struct radial *p)
{
  return p->head.spec.cells[0] + 1;
}

static void destroy(struct wn_poisson_gpu *head)
{
  struct radial *p = of(head);
  wn_poisson_transforms_free(p->transforms);
  if (wn_gpu_works(head->gpu)) {
    wn_gpu_release(head->gpu, p->tables,
                   p->sines > 0 ? wn_poisson_sines_table(p->sines) * sizeof *p->tables
                                : 0);
    wn_gpu_release(head->gpu, p->modes,
                   (size_t)p->n_r * (size_t)p->columns.pitch * sizeof *p->modes);
    wn_gpu_release(head->gpu, p->along, 2 * nodes_along_r(p) * sizeof *p->along);
    wn_gpu_release(head->gpu, p->per,
                   (size_t)p->n_r * (size_t)p->columns.pitch * sizeof *p->per);
  }
  free(p);
}

static int to_device(struct wn_gpu *g, const double *from, size_t n, double *to)
{
  WN_TRY(wn_gpu_check(
      (int)cudaMemcpyAsync(to, from, n * sizeof *from, cudaMemcpyHostToDevice, g->stream),
      "modes"));
  return wn_gpu_wait(g, "modes");
}

/* V and C along r: [2][nodes]. */
static int make_along(struct radial *p)
{
  const struct wn_axis *a = &p->head.spec.geometry.axis[0];
  const size_t n = nodes_along_r(p);
  double *along = (double *)wn_alloc(2 * n, sizeof *along);
  if (along == NULL)
    return WN_ENOMEM;
  for (size_t i = 0; i < n; i++) {
    along[i] = wn_axis_share(a, (int64_t)i);
    along[n + i] =
        i + 1 < n ? wn_axis_area(a, (int64_t)i) / wn_axis_edge(a, (int64_t)i) : 0.0;
    p->whole += along[i];
  }
  int status = wn_gpu_array(p->head.gpu, "modes", 2 * n, &p->along);
  if (status == WN_OK)
    status = to_device(p->head.gpu, along, 2 * n, p->along);
  free(along);
  return status;
}

/* lambda and C outwards of all columns, and their factors. */
static int make_factors(struct radial *p)
{
  const struct wn_poisson_spec *s = &p->head.spec;
  const struct wn_gpu *g = p->head.gpu;
  const struct wn_axis *r = &s->geometry.axis[0];
  const size_t modes = wn_poisson_axis(s, 1).n, n = (size_t)p->columns.n;
  const int is_around = wn_poisson_is_around(s), floats = wn_poisson_is_floating(s);
  double *lambda = (double *)wn_alloc(modes, sizeof *lambda),
         *of_column = (double *)wn_alloc(2 * n, sizeof *of_column), *there = NULL;
  int status = lambda != NULL && of_column != NULL ? WN_OK : WN_ENOMEM;
  if (status == WN_OK) {
    wn_poisson_lambda(s, 1, lambda);
    for (size_t c = 0; c < n; c++) {
      const int64_t k = wn_poisson_column_mode(&p->columns, (int64_t)c);
      of_column[c] = k < 0 ? NAN : lambda[k];
      of_column[n + c] = k >= 0 && is_around
                             ? wn_poisson_outside(wn_axis_x(r, r->cells), lambda[k])
                             : 1.0;
      p->n_known += is_around && k >= 0 && lambda[k] == 0.0;
    }
    p->per_charge = -log(wn_axis_x(r, r->cells)) / (2.0 * WN_PI);
    status = wn_gpu_array(p->head.gpu, "modes", (size_t)p->n_r * (size_t)p->columns.pitch,
                          &p->per);
  }
  if (status == WN_OK)
    status = wn_gpu_array(p->head.gpu, "modes", 2 * n, &there);
  if (status == WN_OK)
    status = to_device(p->head.gpu, of_column, 2 * n, there);
  if (status == WN_OK) {
    factors_kernel<<<(unsigned int)((n + WARP - 1) / WARP), WARP, 0, g->stream>>>(
        there, is_around ? there + n : NULL, p->along, p->along + nodes_along_r(p),
        p->columns.n, p->n_r,
        floats      ? 0
        : is_around ? p->n_r - 1
                    : -1,
        p->columns.pitch, p->per);
    status = wn_gpu_check((int)cudaGetLastError(), "factors of Poisson's equation");
  }
  if (status == WN_OK)
    status = wn_gpu_wait(p->head.gpu, "factors of Poisson's equation");
  wn_gpu_release(p->head.gpu, there, 2 * n * sizeof *there);
  free(lambda);
  free(of_column);
  return status;
}

/* By gpu_radial_sines.cu; columns that follow each other, the first of no mode. */
static int allocate_modes(struct radial *p)
{
  struct wn_gpu *g = p->head.gpu;
  p->n_r = (int32_t)wn_poisson_axis(&p->head.spec, 0).n;
  WN_TRY(wn_poisson_sines_create(g, p->sines, &p->tables));
  WN_TRY(wn_gpu_array(g, "modes", (size_t)p->n_r * (size_t)p->columns.pitch, &p->modes));
  WN_TRY(make_along(p));
  return make_factors(p);
}

static int allocate(struct radial *p)
{
  struct wn_gpu *g = p->head.gpu;
  struct wn_poisson_transforms *t = p->transforms;
  WN_TRY(wn_gpu_use(g));
  wn_poisson_radial_layout(&p->head.spec, &t->layout, &p->columns);
  if (p->sines > 0)
    return allocate_modes(p);
  p->n_r = t->layout.lines[1][0].extent[0];
  t->norm = wn_poisson_lines_norm(&t->layout.lines[1][0]);
  t->floats = wn_poisson_is_floating(&p->head.spec);
  WN_TRY(wn_cufft_open(&t->cufft));
  WN_TRY(wn_gpu_array(g, "transforms", t->layout.buffer, &t->a));
  WN_TRY(wn_gpu_array(g, "transforms", t->layout.buffer, &t->b));
  WN_TRY(wn_poisson_gpu_plans(t));
  WN_TRY(wn_poisson_gpu_turns(t, 1));
  WN_TRY(make_along(p));
  return make_factors(p);
}

static int create(struct wn_gpu *g, const struct wn_poisson_spec *spec,
                  struct wn_poisson_gpu **out)
{
  struct radial *p = (struct radial *)wn_alloc(1, sizeof *p);
  if (p == NULL)
    return WN_ENOMEM;
  p->head.gpu = g;
  p->head.spec = *spec;
  p->sines = wn_poisson_sines_log2(spec);
  int status = wn_poisson_transforms_create(g, spec, &p->transforms);
  if (status == WN_OK)
    status = allocate(p);
  if (status != WN_OK) {
    destroy(&p->head);
    return status;
  }
  *out = &p->head;
  return WN_OK;
}

/* ---- solve */

static struct wn_poisson_radial nodes_of(const struct radial *p, const double *volt)
{
  const struct wn_poisson_spec *s = &p->head.spec;
  const int32_t cells[2] = {(int32_t)s->cells[0], (int32_t)s->cells[1]};
  struct wn_poisson_radial r = {};
  r.radius = s->geometry.axis[0];
  r.n = p->n_r;
  r.first = (int32_t)wn_poisson_axis(s, 1).first;
  r.wraps = s->side[2] == WN_PERIODIC ? cells[1] : 0;
  r.scale = p->sines > 0 ? 2.0 / (double)cells[1] : 1.0 / p->transforms->norm;
  for (int d = 0; d < 2; d++)
    r.nodes[d] = cells[d] + 1;
  for (int side = 1; side < 4; side++)
    if (s->side[side] == WN_DIRICHLET) {
      r.held |= 1 << side;
      r.volt[side] = volt[side];
    }
  const int low = r.held >> 2 & 1, high = r.held >> 3 & 1;
  r.low = low ? volt[2] : high ? volt[3] : 0.0;
  r.rise = low && high ? (volt[3] - volt[2]) / (double)cells[1] : 0.0;
  if ((r.held >> 1 & 1) != 0)
    r.to_wall =
        wn_axis_area(&r.radius, cells[0] - 1) / wn_axis_edge(&r.radius, cells[0] - 1);
  return r;
}

template <bool back>
static int launch(const struct radial *p, struct column_of from, struct column_of to,
                  int pairs)
{
  const struct wn_poisson_columns *c = &p->columns;
  const struct sweep a = {from,     to,     p->per,       p->along + nodes_along_r(p),
                          c->pitch, p->n_r, c->n,         p->n_known,
                          pairs,    c->at,  p->per_charge};
  sweep_kernel<back>
      <<<(unsigned int)((c->n + WARP - 1) / WARP), WARP,
         STAGES * GROUP *(2 * WARP + 1) * sizeof(double), p->head.gpu->stream>>>(a);
  return wn_gpu_check((int)cudaGetLastError(), "eliminations along r");
}

static int settle(const struct radial *p, struct column_of x, bool after)
{
  if (!p->transforms->floats)
    return WN_OK;
  settle_kernel<<<1, SETTLERS, 0, p->head.gpu->stream>>>(x, p->along, p->whole, p->n_r,
                                                         after);
  return wn_gpu_check((int)cudaGetLastError(), "mean charge or potential");
}

static int solve_by_sines(const struct radial *p, const struct wn_poisson_radial *r,
                          const double *rho, double *phi)
{
  const struct column_of modes = {p->modes, p->columns.pitch, 1};
  WN_TRY(wn_poisson_sines(p->head.gpu, p->sines, r, p->tables, rho, p->modes));
  WN_TRY(launch<false>(p, modes, modes, 0));
  WN_TRY(launch<true>(p, modes, modes, 0));
  return wn_poisson_sines_back(p->head.gpu, p->sines, r, p->tables, p->modes, phi);
}

static int solve(struct wn_poisson_gpu *head, const double *rho, const double volt[6],
                 double *phi)
{
  struct radial *p = of(head);
  WN_TRY(wn_poisson_check_volts(&head->spec, volt));
  if (p->sines > 0) {
    const struct wn_poisson_radial own = nodes_of(p, volt);
    return solve_by_sines(p, &own, rho, phi);
  }
  struct wn_poisson_transforms *t = p->transforms;
  const struct wn_poisson_lines *forward = &t->layout.lines[1][0],
                                *back = &t->layout.lines[1][1];
  const struct wn_poisson_columns *c = &p->columns;
  struct wn_poisson_radial r = nodes_of(p, volt);
  const struct column_of lines = {t->b + c->at, forward->row, c->step},
                         apart = {t->a, c->pitch, 1};
  const int pairs = c->step == 2; /* of which one is used */
  WN_TRY(wn_poisson_load_radial(head->gpu, &r, rho, forward, t->a));
  WN_TRY(wn_poisson_gpu_transform(t, forward, &t->solve[1][0], t->a, t->b));
  WN_TRY(settle(p, lines, false));
  WN_TRY(launch<false>(p, lines, pairs ? apart : lines, 0));
  WN_TRY(launch<true>(p, pairs ? apart : lines, lines, pairs));
  WN_TRY(settle(p, lines, true));
  WN_TRY(wn_poisson_gpu_transform(t, back, &t->solve[1][1], t->b, t->a));
  r.first = pairs ? 0 : r.first; /* points begin at node 0 */
  return wn_poisson_unload_radial(head->gpu, &r, back, t->a, phi);
}

const struct wn_poisson_gpu_ops wn_poisson_gpu_radial = {create, solve, destroy, NULL,
                                                         NULL};
