/* fields/poisson/slabs.c - Poisson's equation on a grid that is divided among ranks (planes.h): the solution
 * of modes.c by the method of differences, to rounding.
 *
 * Lines along the axes of a plane are complete in a slab and transformed there.  Then each rank receives
 * some complete lines along the last axis, and they return (two exchanges of all unknowns). */
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "fields/poisson/parts.h"
#include "fields/poisson/planes.h"
#include "fields/poisson/slabs_layout.h"
#include "physics/constants.h"

struct slabs {
  struct wn_poisson head;
  struct wn_poisson_division of;
  struct wn_fft *fft[3];
  double *lambda[3];
  size_t *to_columns;      /* [ranks] words that go to each rank, and back */
  size_t *from_unknowns;   /* [ranks] */
  double *work, *exchange; /* large enough for either */
  int floating;
};

static size_t n_own(const size_t range[2])
{
  return range[1] - range[0];
}

static size_t bytes_of(const struct wn_poisson_spec *spec)
{
  const struct wn_poisson_division of = wn_poisson_divide_among(spec, 0, spec->ranks);
  size_t bytes = sizeof(struct slabs);
  for (int d = 0; d < spec->dim; d++)
    bytes += wn_fft_bytes(of.axis[d].n, 1, spec->threads) + of.axis[d].n * sizeof(double);
  return bytes + 2 * (wn_poisson_division_words(&of) + 1) * sizeof(double);
}

static void destroy(struct wn_poisson *head)
{
  struct slabs *p = (struct slabs *)(void *)head;
  if (p == NULL)
    return;
  for (int d = 0; d < 3; d++) {
    wn_fft_free(p->fft[d]);
    free(p->lambda[d]);
  }
  free(p->to_columns);
  free(p->from_unknowns);
  free(p->work);
  free(p->exchange);
  free(p);
}

static int allocate(struct slabs *p)
{
  p->to_columns = wn_alloc((size_t)p->of.ranks, sizeof *p->to_columns);
  p->from_unknowns = wn_alloc((size_t)p->of.ranks, sizeof *p->from_unknowns);
  p->work = wn_alloc_aligned(wn_poisson_division_words(&p->of) + 1, sizeof *p->work, 64);
  p->exchange =
      wn_alloc_aligned(wn_poisson_division_words(&p->of) + 1, sizeof *p->exchange, 64);
  if (p->to_columns == NULL || p->from_unknowns == NULL || p->work == NULL ||
      p->exchange == NULL)
    return WN_ENOMEM;
  for (int r = 0; r < p->of.ranks; r++) {
    size_t u[2];
    wn_poisson_unknowns_of(&p->of, &p->head.spec, r, u);
    p->to_columns[r] =
        n_own(p->of.unknowns) * (wn_ranks_share(p->of.plane, r + 1, p->of.ranks) -
                                 wn_ranks_share(p->of.plane, r, p->of.ranks));
    p->from_unknowns[r] = n_own(u) * n_own(p->of.columns);
  }
  for (int d = 0; d < 3; d++) {
    p->lambda[d] = wn_alloc(p->of.axis[d].n, sizeof *p->lambda[d]);
    if (p->lambda[d] == NULL)
      return WN_ENOMEM;
    if (d >= p->head.spec.dim)
      continue;
    wn_poisson_lambda(&p->head.spec, d, p->lambda[d]);
    WN_TRY(wn_fft_create(p->of.axis[d].kind, p->of.axis[d].n, 1, p->head.spec.threads,
                         &p->fft[d]));
  }
  return WN_OK;
}

static int check(const struct wn_poisson_spec *s)
{
  if (s->cells[s->dim - 1] < (size_t)s->ranks)
    return WN_FAIL(WN_EINPUT,
                   "%zu cells along the last axis cannot be divided among %d "
                   "processes",
                   s->cells[s->dim - 1], s->ranks);
  return WN_OK;
}

static int create(const struct wn_poisson_spec *spec, struct wn_poisson **out)
{
  struct slabs *p = wn_alloc(1, sizeof *p);
  int status = p != NULL ? WN_OK : WN_ENOMEM;
  if (status == WN_OK) {
    *p = (struct slabs){.head = {&wn_poisson_slabs, *spec},
                        .of = wn_poisson_divide_among(spec, wn_rank(), spec->ranks),
                        .floating = wn_poisson_is_floating(spec)};
    status = allocate(p);
  }
  if (wn_ranks_any(status != WN_OK)) {
    destroy(p != NULL ? &p->head : NULL);
    return status != WN_OK ? status : WN_ENOMEM;
  }
  *out = &p->head;
  return WN_OK;
}

/* ---- the slab */

/* Node of unknown (i, j) of plane u of this rank, in its arrays. */
static size_t node_of(const struct slabs *p, size_t u, size_t j, size_t i)
{
  const size_t plane =
      u + p->of.unknowns[0] + p->of.axis[p->of.last].first - (size_t)p->of.planes[0];
  const size_t y = p->of.last > 1 ? p->of.axis[1].first + j : 0,
               x = p->of.last > 0 ? p->of.axis[0].first + i : 0;
  return (plane * p->of.nodes[1] + y) * p->of.nodes[0] + x;
}

/* Unknowns of a plane along its axes. */
static size_t along(const struct slabs *p, int d)
{
  return d < p->of.last ? p->of.axis[d].n : 1;
}

/* rho / eps0, and the terms of walls beside an unknown. */
static void load(struct slabs *p, const double *rho, const double *volt)
{
  const struct wn_poisson_spec *s = &p->head.spec;
  const size_t nx = along(p, 0), ny = along(p, 1);
  double *to = p->work;
  for (size_t u = 0; u < n_own(p->of.unknowns); u++)
    for (size_t j = 0; j < ny; j++)
      for (size_t i = 0; i < nx; i++, to++) {
        const size_t at[3] = {p->of.last == 0 ? u + p->of.unknowns[0] : i,
                              p->of.last == 1 ? u + p->of.unknowns[0] : j,
                              u + p->of.unknowns[0]};
        *to = rho[node_of(p, u, j, i)] / WN_EPS0;
        for (int d = 0; d < s->dim; d++)
          for (int high = 0; high < 2; high++)
            if (s->side[2 * d + high] == WN_DIRICHLET &&
                at[d] == (high ? p->of.axis[d].n - 1 : 0))
              *to += volt[2 * d + high] / (wn_poisson_h(s, d) * wn_poisson_h(s, d));
      }
}

static void transform_planes(struct slabs *p, enum wn_fft_direction direction)
{
  const size_t u = n_own(p->of.unknowns), nx = along(p, 0), ny = along(p, 1),
               n[3] = {nx, p->of.last > 1 ? ny : u, p->of.last > 1 ? u : 1},
               step[3] = {1, nx, nx * n[1]};
  for (int d = 0; d < p->of.last && u > 0; d++)
    wn_fft_lines(p->fft[d], direction, p->work, n, step, d);
}

/* From the slab to columns: the data from each rank are its planes of them. */
static void to_columns(struct slabs *p)
{
  double *to = p->exchange;
  for (int r = 0; r < p->of.ranks; r++) {
    const size_t first = wn_ranks_share(p->of.plane, r, p->of.ranks),
                 n = wn_ranks_share(p->of.plane, r + 1, p->of.ranks) - first;
    for (size_t u = 0; u < n_own(p->of.unknowns); u++, to += n)
      memcpy(to, p->work + u * p->of.plane + first, n * sizeof *to);
  }
  wn_ranks_exchange(p->exchange, p->to_columns, p->work, p->from_unknowns);
}

static void to_slab(struct slabs *p)
{
  wn_ranks_exchange(p->work, p->from_unknowns, p->exchange, p->to_columns);
  const double *from = p->exchange;
  for (int r = 0; r < p->of.ranks; r++) {
    const size_t first = wn_ranks_share(p->of.plane, r, p->of.ranks),
                 n = wn_ranks_share(p->of.plane, r + 1, p->of.ranks) - first;
    for (size_t u = 0; u < n_own(p->of.unknowns); u++, from += n)
      memcpy(p->work + u * p->of.plane + first, from, n * sizeof *from);
  }
}

/* In columns: each mode over its eigenvalue. */
static void divide(struct slabs *p)
{
  const size_t columns = n_own(p->of.columns), m = p->of.axis[p->of.last].n,
               nx = along(p, 0);
  double norm = 1.0;
  for (int d = 0; d < p->head.spec.dim; d++)
    norm *= wn_fft_norm(p->fft[d]);
  for (size_t k = 0; k < m; k++)
    for (size_t c = 0; c < columns; c++) {
      const size_t column = p->of.columns[0] + c;
      double lambda = p->lambda[p->of.last][k];
      for (int d = 0; d < p->of.last; d++)
        lambda += p->lambda[d][d == 0 ? column % nx : column / nx];
      double *to = &p->work[k * columns + c];
      *to = p->floating && k == 0 && column == 0 ? 0.0 : *to / (norm * lambda);
    }
}

static void solve_columns(struct slabs *p)
{
  const size_t columns = n_own(p->of.columns), m = p->of.axis[p->of.last].n,
               n[3] = {columns, m, 1}, step[3] = {1, columns, columns * m};
  if (columns > 0)
    wn_fft_lines(p->fft[p->of.last], WN_FFT_FORWARD, p->work, n, step, 1);
  divide(p);
  if (columns > 0)
    wn_fft_lines(p->fft[p->of.last], WN_FFT_BACK, p->work, n, step, 1);
}

/* A wall that is a plane of this rank. */
static void fill_wall(const struct slabs *p, int high, const double *volt, double *phi)
{
  const int64_t at = high ? (int64_t)p->head.spec.cells[p->of.last] : 0;
  const size_t n = p->of.nodes[0] * p->of.nodes[1];
  if (p->head.spec.side[2 * p->of.last + high] != WN_DIRICHLET || at < p->of.planes[0] ||
      at >= p->of.planes[1])
    return;
  for (size_t i = 0; i < n; i++)
    phi[(size_t)(at - p->of.planes[0]) * n + i] = volt[2 * p->of.last + high];
}

/* The sides along the axes of a plane, those of the lower axis last; then the upper ends
 * of periodic axes. */
static void close_plane(const struct slabs *p, const double *volt, double *phi)
{
  const size_t nx = p->of.nodes[0], ny = p->of.nodes[1];
  for (int pass = 0; pass < 2; pass++)
    for (int side = 2 * p->of.last - 1; side >= 0; side--) {
      const int d = side / 2, high = side % 2;
      const enum wn_potential kind = p->head.spec.side[side];
      const size_t step = d == 0 ? 1 : nx, far = p->head.spec.cells[d] * step,
                   n = d == 0 ? ny : nx, other = d == 0 ? nx : 1;
      if (pass == 0 ? kind != WN_DIRICHLET : kind != WN_PERIODIC || !high)
        continue;
      for (size_t i = 0; i < n; i++) {
        double *low = phi + i * other;
        low[high ? far : 0] = pass == 0 ? volt[side] : *low;
      }
    }
}

static int solve(struct wn_poisson *head, const double *rho, const double *volt,
                 double *phi)
{
  struct slabs *p = (struct slabs *)(void *)head;
  const size_t nx = along(p, 0), ny = along(p, 1);
  load(p, rho, volt);
  transform_planes(p, WN_FFT_FORWARD);
  to_columns(p);
  solve_columns(p);
  to_slab(p);
  transform_planes(p, WN_FFT_BACK);
  const double *from = p->work;
  for (size_t u = 0; u < n_own(p->of.unknowns); u++)
    for (size_t j = 0; j < ny; j++)
      for (size_t i = 0; i < nx; i++)
        phi[node_of(p, u, j, i)] = *from++;
  for (int high = 0; high < 2; high++)
    fill_wall(p, high, volt, phi);
  for (int64_t k = p->of.planes[0]; k < p->of.planes[1]; k++)
    close_plane(p, volt,
                phi + (size_t)(k - p->of.planes[0]) * p->of.nodes[0] * p->of.nodes[1]);
  return WN_OK;
}

const struct wn_poisson_ops wn_poisson_slabs = {
    .name = "slabs",
    .supports = WN_POISSON_NEEDS_DIVIDED,
    .check = check,
    .bytes = bytes_of,
    .create = create,
    .solve = solve,
    .free = destroy,
};
