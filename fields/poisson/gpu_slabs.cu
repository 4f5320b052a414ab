/* fields/poisson/gpu_slabs.cu - a grid that is divided among ranks in slabs (planes.h), in the memory of
 * their GPUs, in two or three dimensions.  Two sets of transforms: one has the lines in the planes of this
 * rank, the other those along the last axis in its columns.  Between them unknowns are in plain arrays,
 * [unknowns of the last axis][plane or columns], and go from rank to rank by device/exchange.h. */
#include "fields/poisson/gpu.cuh"
#include <stdlib.h>
#include "base/alloc.h"
#include "base/ranks.h"
#include "device/exchange.h"
#include "fields/poisson/planes.h"
#include "fields/poisson/slabs_layout.h"
#include "physics/constants.h"

typedef struct wn_poisson_lines lines;

struct slabs {
  struct wn_poisson_gpu head;
  struct wn_poisson_division of;
  struct wn_poisson_transforms *planes, *columns; /* both use a and b of planes */
  double *slab, *lines,
      *passing; /* [words] unknowns of the planes; of columns; exchange buffer */
  size_t *to_columns, *from_unknowns; /* [ranks] words that go to each rank, and back */
};

static struct slabs *of(struct wn_poisson_gpu *p)
{
  return (struct slabs *)(void *)p;
}

static size_t n_own(const size_t range[2])
{
  return range[1] - range[0];
}

/* ---- life */

static void destroy(struct wn_poisson_gpu *head)
{
  struct slabs *p = of(head);
  if (p->columns != NULL)
    p->columns->a = p->columns->b = NULL; /* owned by planes */
  wn_poisson_transforms_free(p->columns);
  wn_poisson_transforms_free(p->planes);
  if (wn_gpu_works(head->gpu)) {
    wn_gpu_release(head->gpu, p->slab, head->words * sizeof(double));
    wn_gpu_release(head->gpu, p->lines, head->words * sizeof(double));
    wn_gpu_release(head->gpu, p->passing, head->words * sizeof(double));
  }
  free(p->to_columns);
  free(p->from_unknowns);
  free(p);
}

static double norm_of(const struct wn_poisson_axis *a)
{
  const int32_t one[3] = {(int32_t)a->n, 1, 1};
  const lines l = wn_poisson_lines(0, (int)a->kind, 0, one);
  return wn_poisson_lines_norm(&l);
}

/* The eigenvalues of columns: for the modes in their plane, and along them.  Lines of
 * planes are not divided. */
static int make_lambda(struct slabs *p)
{
  const struct wn_poisson_division *d = &p->of;
  const size_t n = n_own(d->columns), m = d->axis[d->last].n, nx = d->axis[0].n;
  double *of[3] = {NULL, NULL, NULL}, *sum = (double *)wn_alloc(n + 1, sizeof *sum),
         none = 0.0;
  int status = sum != NULL ? WN_OK : WN_ENOMEM;
  for (int i = 0; i <= d->last && status == WN_OK; i++) {
    of[i] = (double *)wn_alloc(d->axis[i].n, sizeof(double));
    status = of[i] != NULL ? WN_OK : WN_ENOMEM;
    if (status == WN_OK)
      wn_poisson_lambda(&p->head.spec, i, of[i]);
  }
  for (size_t c = 0; c < n && status == WN_OK; c++) {
    const size_t column = d->columns[0] + c;
    sum[c] = of[0][column % nx] + (d->last > 1 ? of[1][column / nx] : 0.0);
  }
  if (status == WN_OK)
    status = wn_poisson_gpu_lambda(p->columns, 0, sum, n > 0 ? n : 1);
  if (status == WN_OK)
    status = wn_poisson_gpu_lambda(p->columns, 1, of[d->last], m);
  if (status == WN_OK)
    status = wn_poisson_gpu_lambda(p->columns, 2, &none, 1);
  for (int i = 0; i < 3; i++)
    free(of[i]);
  free(sum);
  return status;
}

static int zero(const struct slabs *p, double *array, size_t n)
{
  return wn_gpu_check(
      (int)cudaMemsetAsync(array, 0, n * sizeof *array, p->head.gpu->stream),
      "transforms");
}

static int allocate(struct slabs *p)
{
  const struct wn_poisson_division *d = &p->of;
  const size_t ranks = (size_t)d->ranks;
  WN_TRY(wn_gpu_use(p->head.gpu));
  WN_TRY(wn_poisson_transforms_create(p->head.gpu, &p->head.spec, &p->planes));
  WN_TRY(wn_poisson_transforms_create(p->head.gpu, &p->head.spec, &p->columns));
  struct wn_poisson_transforms *a = p->planes, *b = p->columns;
  wn_poisson_slabs_layout(d, &a->layout, &b->layout);
  if (b->layout.buffer > a->layout.buffer)
    a->layout.buffer = b->layout.buffer;
  WN_TRY(wn_cufft_open(&a->cufft));
  b->cufft = a->cufft;
  WN_TRY(wn_gpu_array(p->head.gpu, "transforms", a->layout.buffer, &a->a));
  WN_TRY(wn_gpu_array(p->head.gpu, "transforms", a->layout.buffer, &a->b));
  /* cuFFT reads beyond the values of a line, without using what it reads */
  WN_TRY(zero(p, a->a, a->layout.buffer));
  WN_TRY(zero(p, a->b, a->layout.buffer));
  b->a = a->a;
  b->b = a->b;
  for (int i = 0; i <= d->last; i++)
    b->norm *= norm_of(&d->axis[i]);
  b->floats = wn_poisson_is_floating(&p->head.spec) && d->columns[0] == 0;
  WN_TRY(wn_poisson_gpu_plans(a));
  WN_TRY(wn_poisson_gpu_plans(b));
  for (int i = 0; i < 3; i++) {
    WN_TRY(wn_poisson_gpu_turns(a, i));
    WN_TRY(wn_poisson_gpu_turns(b, i));
  }
  WN_TRY(make_lambda(p));
  WN_TRY(wn_gpu_array(p->head.gpu, "transforms", p->head.words, &p->slab));
  WN_TRY(wn_gpu_array(p->head.gpu, "transforms", p->head.words, &p->lines));
  WN_TRY(wn_gpu_array(p->head.gpu, "transforms", p->head.words, &p->passing));
  p->to_columns = (size_t *)wn_alloc(ranks, sizeof *p->to_columns);
  p->from_unknowns = (size_t *)wn_alloc(ranks, sizeof *p->from_unknowns);
  if (p->to_columns == NULL || p->from_unknowns == NULL)
    return WN_ENOMEM;
  for (int r = 0; r < d->ranks; r++) {
    size_t u[2];
    wn_poisson_unknowns_of(d, &p->head.spec, r, u);
    p->to_columns[r] = n_own(d->unknowns) * (wn_ranks_share(d->plane, r + 1, d->ranks) -
                                             wn_ranks_share(d->plane, r, d->ranks));
    p->from_unknowns[r] = n_own(u) * n_own(d->columns);
  }
  return WN_OK;
}

static int create(struct wn_gpu *g, const struct wn_poisson_spec *spec,
                  struct wn_poisson_gpu **out)
{
  if (spec->dim == 1)
    return WN_FAIL(WN_EINPUT, "a grid of one dimension is not divided in slabs on GPUs");
  struct slabs *p = (struct slabs *)wn_alloc(1, sizeof *p);
  int status = p != NULL ? WN_OK : WN_ENOMEM;
  if (status == WN_OK) {
    p->head.gpu = g;
    p->head.spec = *spec;
    p->of = wn_poisson_divide_among(spec, wn_rank(), wn_ranks());
    p->head.words = wn_poisson_division_words(&p->of);
    status = allocate(p);
  }
  if (wn_ranks_any(status != WN_OK)) {
    if (p != NULL)
      destroy(&p->head);
    return status != WN_OK ? status : WN_ENOMEM;
  }
  *out = &p->head;
  return WN_OK;
}

/* ---- plain arrays, and lines */

static struct wn_poisson_box plain(const int32_t extent[3])
{
  struct wn_poisson_box b = {{1, extent[0], (int64_t)extent[0] * extent[1]},
                             {0, 0, 0},
                             {extent[0], extent[1], extent[2]}};
  return b;
}

static int load(struct wn_poisson_transforms *p, const lines *l, const double *from)
{
  struct wn_poisson_source s = {plain(l->extent),
                                {l->extent[0], l->extent[1], l->extent[2]},
                                {0, 0, 0},
                                1.0,
                                {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}};
  return wn_poisson_load(p->gpu, &s, from, l, p->a);
}

static int unload(struct wn_poisson_transforms *p, const lines *l, double *to)
{
  struct wn_poisson_target t = {
      plain(l->extent), {0, 0, 0}, 0, {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, {0, 0.0, 0.0}};
  return wn_poisson_unload(p->gpu, l, p->b, &t, to);
}

static int transform(struct wn_poisson_transforms *p, int axis, int is_back)
{
  return wn_poisson_gpu_transform(p, &p->layout.lines[axis][is_back],
                                  &p->solve[axis][is_back], p->a, p->b);
}

/* Nodes of the planes of this rank. */
static struct wn_poisson_box nodes(const struct slabs *p)
{
  const struct wn_poisson_division *d = &p->of;
  const int32_t n[3] = {(int32_t)d->nodes[0],
                        d->last > 1 ? (int32_t)d->nodes[1]
                                    : (int32_t)(d->planes[1] - d->planes[0]),
                        d->last > 1 ? (int32_t)(d->planes[1] - d->planes[0]) : 1};
  struct wn_poisson_box b = plain(n);
  for (int i = 0; i <= d->last; i++)
    b.first[i] = (int32_t)d->axis[i].first;
  b.first[d->last] += (int32_t)((int64_t)d->unknowns[0] - d->planes[0]);
  return b;
}

/* rho / eps0 of the unknowns, and the terms of walls beside them. */
static int load_charge(struct slabs *p, const double *rho, const double *volt)
{
  const struct wn_poisson_spec *spec = &p->head.spec;
  const struct wn_poisson_division *d = &p->of;
  const lines *l = &p->planes->layout.lines[0][0];
  struct wn_poisson_source s = {nodes(p),
                                {l->extent[0], l->extent[1], l->extent[2]},
                                {0, 0, 0},
                                WN_EPS0,
                                {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}};
  for (int side = 0; side < 2 * spec->dim; side++) {
    const int i = side / 2,
              is_here = i < d->last || (side % 2 == 0 ? d->unknowns[0] == 0
                                                      : d->unknowns[1] == d->axis[i].n);
    if (spec->side[side] == WN_DIRICHLET && is_here)
      s.wall[side] = volt[side] / (wn_poisson_h(spec, i) * wn_poisson_h(spec, i));
  }
  return wn_poisson_load(p->head.gpu, &s, rho, l, p->planes->a);
}

static int unload_potential(struct slabs *p, const double *volt, double *phi)
{
  const struct wn_poisson_spec *spec = &p->head.spec;
  const struct wn_poisson_division *d = &p->of;
  struct wn_poisson_target t = {
      nodes(p), {0, 0, 0}, 0, {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, {0, 0.0, 0.0}};
  for (int side = 0; side < 2 * spec->dim; side++) {
    const int i = side / 2,
              is_here = i < d->last ||
                        (side % 2 == 0 ? d->planes[0] == 0
                                       : d->planes[1] == (int64_t)spec->cells[i] + 1);
    if (spec->side[side] == WN_PERIODIC && i < d->last)
      t.wraps[i] = (int32_t)spec->cells[i];
    if (spec->side[side] == WN_DIRICHLET && is_here) {
      t.held |= 1 << side;
      t.volt[side] = volt[side];
    }
  }
  return wn_poisson_unload(p->head.gpu, &p->planes->layout.lines[0][1], p->planes->b, &t,
                           phi);
}

/* ---- from planes to columns, and back */

/* The parts of all planes of the slab that go to a rank, or come from it, contiguous for
 * each rank. */
static int pack(struct slabs *p, int is_back)
{
  const struct wn_poisson_division *d = &p->of;
  const size_t u = n_own(d->unknowns), word = sizeof(double);
  double *passing = p->passing;
  for (int r = 0; r < d->ranks && u > 0; r++) {
    const size_t first = wn_ranks_share(d->plane, r, d->ranks),
                 n = wn_ranks_share(d->plane, r + 1, d->ranks) - first;
    double *to = is_back ? p->slab + first : passing,
           *from = is_back ? passing : p->slab + first;
    const size_t row = d->plane * word, own = n * word;
    if (n > 0)
      WN_TRY(wn_gpu_check(
          (int)cudaMemcpy2DAsync(to, is_back ? row : own, from, is_back ? own : row, own,
                                 u, cudaMemcpyDeviceToDevice, p->head.gpu->stream),
          "unknowns for other processes"));
    passing += n * u;
  }
  return WN_OK;
}

static int solve_columns(struct slabs *p)
{
  struct wn_poisson_transforms *c = p->columns;
  const lines *forward = &c->layout.lines[1][0], *back = &c->layout.lines[1][1];
  if (forward->n == 0)
    return WN_OK;
  WN_TRY(load(c, forward, p->lines));
  WN_TRY(transform(c, 1, 0));
  WN_TRY(wn_poisson_turn(c, forward, back)); /* over the eigenvalues */
  WN_TRY(transform(c, 1, 1));
  return unload(c, back, p->lines);
}

static int solve(struct wn_poisson_gpu *head, const double *rho, const double volt[6],
                 double *phi)
{
  struct slabs *p = of(head);
  struct wn_gpu_exchange *x = head->exchange;
  struct wn_poisson_transforms *s = p->planes;
  const lines(*l)[2] = s->layout.lines;
  const int most = p->of.last - 1, has = l[0][0].n > 0;
  if (has) {
    WN_TRY(load_charge(p, rho, volt));
    WN_TRY(transform(s, 0, 0));
    if (most > 0) {
      WN_TRY(wn_poisson_turn(s, &l[0][0], &l[1][0]));
      WN_TRY(transform(s, 1, 0));
    }
    WN_TRY(unload(s, &l[most][0], p->slab));
  }
  WN_TRY(pack(p, 0));
  WN_TRY(wn_gpu_exchange(x, p->passing, p->to_columns, p->lines, p->from_unknowns));
  WN_TRY(solve_columns(p));
  WN_TRY(wn_gpu_exchange(x, p->lines, p->from_unknowns, p->passing, p->to_columns));
  WN_TRY(pack(p, 1));
  if (has) {
    WN_TRY(load(s, &l[most][1], p->slab));
    WN_TRY(transform(s, most, 1));
    if (most > 0) {
      WN_TRY(wn_poisson_turn(s, &l[1][1], &l[0][1]));
      WN_TRY(transform(s, 0, 1));
    }
  }
  return unload_potential(p, volt, phi);
}

const struct wn_poisson_gpu_ops wn_poisson_gpu_slabs = {create, solve, destroy, NULL,
                                                        NULL};
