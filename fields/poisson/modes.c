/* fields/poisson/modes.c - Poisson's equation between walls, by modes: rho is decomposed into modes that
 * satisfy the conditions at the sides, each is divided by its eigenvalue, and their sum
 * is phi.  A node on a Dirichlet side is no unknown.  With `differences` its potential
 * goes to the right-hand side of its neighbours, which is exact for any voltages.  With
 * `spectral` the unknown is phi minus a linear function that has the voltages. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"
#include "fields/poisson/parts.h"
#include "physics/constants.h"

static size_t bytes(const struct wn_poisson_spec *spec)
{
  size_t lambda = 0;
  for (int d = 0; d < spec->dim; d++)
    lambda += wn_poisson_axis(spec, d).n;
  return wn_poisson_whole_bytes(spec, lambda);
}

static int prepare(struct wn_poisson_whole *p)
{
  for (int d = 0; d < 3; d++) {
    p->lambda[d] = wn_alloc(p->axis[d].n, sizeof *p->lambda[d]);
    if (p->lambda[d] == NULL)
      return WN_ENOMEM;
    if (d < p->head.spec.dim)
      wn_poisson_lambda(&p->head.spec, d, p->lambda[d]);
  }
  return WN_OK;
}

static int create(const struct wn_poisson_spec *spec, struct wn_poisson **out)
{
  return wn_poisson_whole_create(&wn_poisson_modes, spec, prepare, out);
}

/* Over all rows of unknowns (k, j), by all threads where they are many; each row by itself. */
#ifdef _OPENMP
#define WN_PRAGMA(text) _Pragma(#text)
#define FOR_ROWS(p)                                                                      \
  WN_PRAGMA(omp parallel for collapse(2) num_threads(wn_threads((p)->head.spec.threads)) \
                schedule(static) if (is_large(p)))
#else
#define FOR_ROWS(p)
#endif

static inline int is_large(const struct wn_poisson_whole *p)
{
  return p->axis[0].n * p->axis[1].n * p->axis[2].n > 8192; /* as in fft.c */
}

/* rho / eps0 of the unknown nodes; with differences, plus the terms of the walls beside
 * them. */
static void load(struct wn_poisson_whole *p, const double *rho, const double *volt)
{
  const struct wn_poisson_axis *a = p->axis;
  const struct wn_poisson_spec *s = &p->head.spec;
  FOR_ROWS(p)
  for (size_t k = 0; k < a[2].n; k++)
    for (size_t j = 0; j < a[1].n; j++) {
      const double *from = rho + a[0].first + (a[1].first + j) * p->step[1] +
                           (a[2].first + k) * p->step[2];
      double *to = p->work + j * p->work_step[1] + k * p->work_step[2];
      for (size_t i = 0; i < a[0].n; i++)
        to[i] = from[i] / WN_EPS0;
    }
  if (s->method == WN_POISSON_SPECTRAL)
    return;
  for (int side = 0; side < 2 * s->dim; side++) {
    int d = side / 2, e = d == 0 ? 1 : 0, f = d == 2 ? 1 : 2;
    if (s->side[side] != WN_DIRICHLET || volt[side] == 0.0)
      continue;
    double *plane = p->work + (side % 2 != 0 ? a[d].n - 1 : 0) * p->work_step[d];
    for (size_t j = 0; j < a[f].n; j++)
      for (size_t i = 0; i < a[e].n; i++)
        plane[i * p->work_step[e] + j * p->work_step[f]] +=
            volt[side] / (wn_poisson_h(s, d) * wn_poisson_h(s, d));
  }
}

/* Each mode over its eigenvalue.  With floating potential the mean has no eigenvalue and
 * is left out. */
static void divide(struct wn_poisson_whole *p)
{
  const struct wn_poisson_axis *a = p->axis;
  double norm = 1.0;
  for (int d = 0; d < p->head.spec.dim; d++)
    norm *= wn_fft_norm(p->fft[d]);
  FOR_ROWS(p)
  for (size_t k = 0; k < a[2].n; k++)
    for (size_t j = 0; j < a[1].n; j++) {
      double *row = p->work + j * p->work_step[1] + k * p->work_step[2];
      double lambda = p->lambda[1][j] + p->lambda[2][k];
      size_t i = 0;
      if (p->floating && j == 0 && k == 0)
        row[i++] = 0.0;
      for (; i < a[0].n; i++)
        row[i] /= norm * (p->lambda[0][i] + lambda);
    }
}

static void unload(const struct wn_poisson_whole *p, const struct wn_poisson_lift *l,
                   double *phi)
{
  const struct wn_poisson_axis *a = p->axis;
  FOR_ROWS(p)
  for (size_t k = 0; k < a[2].n; k++)
    for (size_t j = 0; j < a[1].n; j++) {
      size_t node[3] = {a[0].first, a[1].first + j, a[2].first + k};
      const double *from = p->work + j * p->work_step[1] + k * p->work_step[2];
      double *to = phi + node[0] + node[1] * p->step[1] + node[2] * p->step[2];
      double cells = (double)p->head.spec.cells[l->axis];
      double at = l->low + l->rise * ((double)node[l->axis] / cells);
      double slope = l->axis == 0 ? l->rise / cells : 0.0;
      for (size_t i = 0; i < a[0].n; i++)
        to[i] = from[i] + (at + slope * (double)i);
    }
}

/* The nodes that are no unknowns: walls, the lower axis last so that it has the edges;
 * then the upper ends of periodic axes, including edges. */
static void close_sides(const struct wn_poisson_whole *p, const double *volt, double *phi)
{
  for (int pass = 0; pass < 2; pass++)
    for (int side = 2 * p->head.spec.dim - 1; side >= 0; side--) {
      int d = side / 2, e = d == 0 ? 1 : 0, f = d == 2 ? 1 : 2, high = side % 2;
      enum wn_potential kind = p->head.spec.side[side];
      if (pass == 0 ? kind != WN_DIRICHLET : kind != WN_PERIODIC || !high)
        continue;
      size_t far = p->head.spec.cells[d] * p->step[d];
      for (size_t j = 0; j < p->n[f]; j++)
        for (size_t i = 0; i < p->n[e]; i++) {
          double *low = phi + i * p->step[e] + j * p->step[f];
          low[high ? far : 0] = pass == 0 ? volt[side] : *low;
        }
    }
}

static int solve(struct wn_poisson *head, const double *rho, const double *volt,
                 double *phi)
{
  struct wn_poisson_whole *p = wn_poisson_whole_of(head);
  struct wn_poisson_lift lift;
  size_t n[3] = {p->axis[0].n, p->axis[1].n, p->axis[2].n};
  WN_TRY(wn_poisson_lift(&p->head.spec, volt, &lift));
  load(p, rho, volt);
  for (int d = 0; d < p->head.spec.dim; d++)
    wn_fft_lines(p->fft[d], WN_FFT_FORWARD, p->work, n, p->work_step, d);
  divide(p);
  for (int d = p->head.spec.dim; d-- > 0;)
    wn_fft_lines(p->fft[d], WN_FFT_BACK, p->work, n, p->work_step, d);
  unload(p, &lift, phi);
  close_sides(p, volt, phi);
  return WN_OK;
}

const struct wn_poisson_ops wn_poisson_modes = {
    .name = "modes",
    .supports = WN_POISSON_NEEDS_SPECTRAL,
    .bytes = bytes,
    .create = create,
    .solve = solve,
    .field = wn_poisson_whole_field,
    .free = wn_poisson_whole_free,
};
