/* fields/poisson/multigrid.c - Poisson's equation on any geometry, by multigrid: the equation of
 * volumes.c, for large grids of two and three dimensions.
 *
 * Conjugate gradients in double precision, with one V-cycle in single precision as the preconditioner
 * (multigrid_cycle.c, on the grids of multigrid_levels.c).  The smoother is Gauss and Seidel's with some
 * over-relaxation, colour after colour, before and after the coarser grid in the same order: a cycle is no
 * symmetric operator, which the formula of Polak and Ribiere for the next direction tolerates: beta =
 * z (r - r_before) / (z_before r_before), z the cycle of r.  It takes fewer iterations than a cycle that is
 * symmetric.  Gradients make up for what coarse grids represent badly: thin electrodes, jumps of the
 * permittivity (O. Tatebe, Proc. 6th Copper Mountain Conf. on Multigrid Methods, NASA CP-3224 (1993) 621,
 * has the combination; as known, the paper was not at hand).
 *
 * A solution starts from phi = 0, not from the last one, so that it depends on nothing but its input:
 * a run that continues from a checkpoint has the same bits, without the potential in it.  By
 * starts_from_phi it starts from the last potential, which saves the few of some ten cycles by which
 * that is nearer than 0.  Iterations end when the residual r, in the norm r D^-1 r with the diagonal D, is
 * below the tolerance times that of phi = 0.  Sums are over rows, then over the rows in their order: the same bits with any number of
 * threads.  t/fields/t0706-multigrid.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "fields/poisson/multigrid.h"
#include "fields/poisson/parts.h"
#include "physics/constants.h"

#define MOST WN_MULTIGRID_MOST

/* Nodes from which this is used in the place of volumes.c. */
#define NODES_OF_MULTIGRID 4096

static struct wn_multigrid_solver *of(struct wn_poisson *p)
{
  return (struct wn_multigrid_solver *)(void *)p;
}

static struct wn_multigrid_level *finest(struct wn_multigrid_solver *m)
{
  return &m->levels.level[0];
}

/* ---- life */

static int takes(const struct wn_poisson_spec *s)
{
  size_t nodes = 1;
  for (int d = 0; d < s->dim; d++)
    nodes *= s->cells[d] + 1;
  return s->dim > 1 && (nodes >= NODES_OF_MULTIGRID || s->method == WN_POISSON_MULTIGRID);
}

static void destroy(struct wn_poisson *head)
{
  struct wn_multigrid_solver *m = of(head);
  if (m == NULL)
    return;
  wn_multigrid_free(&m->levels);
  for (int d = 0; d < 3; d++) {
    free(m->length[d]);
    free(m->measure[d]);
    free(m->over[d]);
  }
  free(m->row);
  free(m->x);
  free(m->r);
  free(m->p);
  free(m->q);
  free(m);
}

int wn_multigrid_prepare(struct wn_multigrid_solver *m, const struct wn_poisson_spec *s)
{
  int32_t n[3] = {1, 1, 1};
  int is_periodic[3] = {0, 0, 0};
  m->head = (struct wn_poisson){&wn_poisson_multigrid, *s};
  m->nodes = 1;
  for (int d = 0; d < 3; d++) {
    const struct wn_axis *a = &s->geometry.axis[d];
    is_periodic[d] = d < s->dim && s->side[2 * d] == WN_PERIODIC;
    m->n[d] = d < s->dim ? s->cells[d] + 1 : 1;
    m->step[d] = m->nodes;
    m->nodes *= m->n[d];
    n[d] = (int32_t)m->n[d] - is_periodic[d];
    m->length[d] = wn_alloc(m->n[d], sizeof(double));
    m->measure[d] = wn_alloc(m->n[d], sizeof(double));
    m->over[d] = wn_alloc(m->n[d] + 1, sizeof(double));
    if (m->length[d] == NULL || m->measure[d] == NULL || m->over[d] == NULL)
      return WN_ENOMEM;
    m->measure[d][0] = 1.0;
    for (size_t i = 0; d < s->dim && i < m->n[d]; i++) {
      m->measure[d][i] = wn_axis_measure(a, (int64_t)i);
      if (i + 1 == m->n[d])
        continue;
      m->length[d][i] = wn_axis_edge(a, (int64_t)i);
      m->over[d][i + 1] = wn_axis_area(a, (int64_t)i) / m->length[d][i];
    }
    if (is_periodic[d])
      m->over[d][0] = m->over[d][m->n[d] - 1];
  }
  WN_TRY(wn_multigrid_plan(&m->levels, s->dim, n, is_periodic, m->length, s->threads));
  for (int i = 0; i < m->levels.n; i++)
    for (int side = 0; side < 2 * s->dim; side++)
      m->levels.level[i].axis[side / 2].is_given[side % 2] =
          s->side[side] == WN_DIRICHLET;
  return WN_OK;
}

static size_t bytes(const struct wn_poisson_spec *spec)
{
  struct wn_multigrid_solver *m = wn_alloc(1, sizeof *m);
  double nodes = 1.0;
  size_t sum = SIZE_MAX;
  for (int d = 0; d < spec->dim; d++)
    nodes *= (double)spec->cells[d] + 3.0;
  if (m != NULL && nodes < 1e17 && wn_multigrid_prepare(m, spec) == WN_OK)
    sum = sizeof *m + wn_multigrid_memory(&m->levels) +
          sizeof(double) * (4 * finest(m)->size + 3 * (m->n[0] + m->n[1] + m->n[2]) + 3 +
                            2 * m->n[1] * m->n[2]);
  destroy(m != NULL ? &m->head : NULL);
  return sum;
}

static int allocate(struct wn_multigrid_solver *m)
{
  double **const arrays[] = {&m->x, &m->r, &m->p, &m->q};
  WN_TRY(wn_multigrid_allocate(&m->levels));
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
    *arrays[i] = wn_alloc(finest(m)->size, sizeof(double));
    if (*arrays[i] == NULL)
      return WN_ENOMEM;
  }
  m->row = wn_alloc(2 * m->n[1] * m->n[2], sizeof *m->row);
  return m->row != NULL ? WN_OK : WN_ENOMEM;
}

/* ---- the equation */

/* A row (j, k) of nodes: conductances of their edges, low and high along each axis, are products of
 * those of the axes. */
struct row {
  size_t at, of_phi; /* node 0, here and in arrays as phi */
  double volume;     /* of the other axes */
  double area[3][2]; /* factor of over[0], else of measure[0] */
  const double *edge[3][2];
  size_t last; /* the edge below node 0 along the row */
};

static struct row row_of(const struct wn_multigrid_solver *m, int32_t j, int32_t k)
{
  const struct wn_poisson_spec *s = &m->head.spec;
  const double *m1 = m->measure[1], *m2 = m->measure[2];
  struct row r = {
      .at = wn_multigrid_row(&m->levels.level[0], j, k),
      .of_phi = (size_t)j * m->step[1] + (size_t)k * m->step[2],
      .volume = m1[j] * m2[k],
      .area = {{m1[j] * m2[k], m1[j] * m2[k]},
               {m->over[1][j] * m2[k], m->over[1][j + 1] * m2[k]},
               {m1[j] * m->over[2][k], m1[j] * m->over[2][k + 1]}},
      .last = s->cells[0] - 1,
  };
  const int32_t at[3] = {0, j, k};
  for (int d = 0; d < s->dim; d++) {
    if (s->edge[d] == NULL)
      continue;
    r.edge[d][0] = r.edge[d][1] = s->edge[d] + r.of_phi;
    if (d > 0 && at[d] > 0)
      r.edge[d][0] -= m->step[d];
    else if (d > 0) /* round a periodic axis; else there is no flux */
      r.edge[d][0] += m->step[d] * (s->cells[d] - 1);
  }
  return r;
}

static inline double conductance(const struct wn_multigrid_solver *m, const struct row *r,
                                 int d, int high, size_t i)
{
  const double *edge = r->edge[d][high];
  double c =
      r->area[d][high] * (d == 0 ? m->over[0][i + (size_t)high] : m->measure[0][i]);
  if (edge != NULL)
    c *= d > 0 || high ? edge[i] : edge[i > 0 ? i - 1 : r->last];
  return c;
}

/* The flux out of node i of a row over eps0, of the potential x. */
static inline double flux(const struct wn_multigrid_solver *m, const struct row *r,
                          int dim, size_t i, const double *x)
{
  const struct wn_multigrid_level *l = &m->levels.level[0];
  const double *v = x + r->at + i;
  double sum = 0.0;
  for (int d = 0; d < dim; d++)
    sum += conductance(m, r, d, 0, i) * (*v - *(v - l->step[d])) +
           conductance(m, r, d, 1, i) * (*v - v[l->step[d]]);
  return sum;
}

int wn_multigrid_giver(const struct wn_multigrid_solver *m, const size_t node[3])
{
  const struct wn_poisson_spec *s = &m->head.spec;
  for (int d = 0; d < s->dim; d++) {
    if (s->side[2 * d] == WN_DIRICHLET && node[d] == 0)
      return 2 * d;
    if (s->side[2 * d + 1] == WN_DIRICHLET && node[d] == s->cells[d])
      return 2 * d + 1;
  }
  return s->geometry.held != NULL
             ? s->geometry.held[node[0] + node[1] * m->step[1] + node[2] * m->step[2]]
             : -1;
}

/* Conductances of the finest grid, and which nodes are unknown. */
static void prepare(struct wn_multigrid_solver *m)
{
  struct wn_multigrid_level *l = finest(m);
  m->is_floating = 1;
  WN_MULTIGRID_ROWS(l)
  {
    const struct row r = row_of(m, j, k);
    for (size_t i = 0; i < (size_t)l->axis[0].n; i++) {
      double sum = 0.0;
      for (int d = 0; d < l->dim; d++) {
        const double c = conductance(m, &r, d, 1, i);
        l->c[d][r.at + i] = (float)c;
        sum += c + conductance(m, &r, d, 0, i);
      }
      const int is_given =
          wn_multigrid_giver(m, (size_t[3]){i, (size_t)j, (size_t)k}) >= 0;
      l->inverse[r.at + i] = is_given ? 0.0f : (float)(1.0 / sum);
      m->is_floating &= !is_given;
    }
  }
}

static int create(const struct wn_poisson_spec *spec, struct wn_poisson **out)
{
  struct wn_multigrid_solver *m = wn_alloc(1, sizeof *m);
  if (m == NULL)
    return WN_ENOMEM;
  int status = wn_multigrid_prepare(m, spec);
  if (status == WN_OK)
    status = allocate(m);
  if (status == WN_OK) {
    prepare(m);
    status = wn_multigrid_coarsen(&m->levels);
  }
  if (status != WN_OK) {
    destroy(&m->head);
    return status;
  }
  *out = &m->head;
  return WN_OK;
}

/* ---- sums */

static double sum_of_rows(const struct wn_multigrid_solver *m, int which)
{
  double sum = 0.0;
  for (size_t i = 0; i < m->n[1] * m->n[2]; i++)
    sum += m->row[2 * i + (size_t)which];
  return sum;
}

static double *sums(const struct wn_multigrid_solver *m, int32_t j, int32_t k)
{
  return m->row + 2 * ((size_t)j + (size_t)k * m->n[1]);
}

/* By volume; values: as phi, or as x. */
static double mean(struct wn_multigrid_solver *m, const double *values, int is_phi)
{
  const struct wn_multigrid_level *l = finest(m);
  double sum = 0.0, all = 0.0;
  WN_MULTIGRID_ROWS(l)
  {
    const struct row r = row_of(m, j, k);
    const double *of_row = values + (is_phi ? r.of_phi : r.at);
    for (size_t i = 0; i < (size_t)l->axis[0].n; i++) {
      const double v = m->measure[0][i] * r.volume;
      sum += of_row[i] * v;
      all += v;
    }
  }
  return sum / all;
}

/* ---- conjugate gradients */

/* x: the given potential, 0 elsewhere.  WN_EINPUT. */
static int set_given(struct wn_multigrid_solver *m, const double *volt)
{
  const struct wn_multigrid_level *l = finest(m);
  WN_MULTIGRID_ROWS(l)
  {
    double *x = m->x + wn_multigrid_row(l, j, k);
    for (size_t i = 0; i < (size_t)l->axis[0].n; i++) {
      const int from = wn_multigrid_giver(m, (size_t[3]){i, (size_t)j, (size_t)k});
      x[i] = from >= 0 ? volt[from] : 0.0;
      if (!isfinite(x[i]))
        return WN_FAIL(WN_EINPUT, "a wall of %g V: a finite potential is needed", x[i]);
    }
  }
  wn_multigrid_wrap_double(finest(m), m->x);
  return WN_OK;
}

/* x of unknown nodes: phi. */
static void set_start(struct wn_multigrid_solver *m, const double *phi)
{
  const struct wn_multigrid_level *l = finest(m);
  WN_MULTIGRID_FOR_ROWS(l)
  {
    const struct row r = row_of(m, j, k);
    for (size_t i = 0; i < (size_t)l->axis[0].n; i++)
      if (l->inverse[r.at + i] > 0.0f)
        m->x[r.at + i] = phi[r.of_phi + i];
  }
  wn_multigrid_wrap_double(l, m->x);
}

/* The flux of x by links [V m], times `sign`, added to `out` at unknown nodes; returns x times it.  One after the other;
 * the preconditioner has none of it. */
static double add_links(const struct wn_multigrid_solver *m, const double *x, double sign,
                        double *out)
{
  const struct wn_poisson_spec *s = &m->head.spec;
  const struct wn_multigrid_level *l = &m->levels.level[0];
  double sum = 0.0;
  for (size_t k = 0; k < s->n_links; k++) {
    size_t at[2];
    for (int i = 0; i < 2; i++) {
      const size_t node = s->link[k].node[i], rows = node / m->n[0];
      at[i] = wn_multigrid_row(l, (int32_t)(rows % m->n[1]), (int32_t)(rows / m->n[1])) +
              node % m->n[0];
    }
    const double f = sign * s->link[k].conductance * (x[at[0]] - x[at[1]]);
    for (int i = 0; i < 2; i++)
      if (l->inverse[at[i]] > 0.0f) {
        out[at[i]] += i == 0 ? f : -f;
        sum += x[at[i]] * (i == 0 ? f : -f);
      }
  }
  return sum;
}

/* r = right-hand side - flux of x; 0 at nodes that are no unknowns. */
static void begin(struct wn_multigrid_solver *m, const double *rho, double taken)
{
  const struct wn_multigrid_level *l = finest(m);
  memset(m->p, 0, l->size * sizeof *m->p);
  memset(m->q, 0, l->size * sizeof *m->q);
  WN_MULTIGRID_FOR_ROWS(l)
  {
    const struct row r = row_of(m, j, k);
    for (size_t i = 0; i < (size_t)l->axis[0].n; i++)
      m->r[r.at + i] =
          l->inverse[r.at + i] > 0.0f
              ? (rho[r.of_phi + i] - taken) / WN_EPS0 * (m->measure[0][i] * r.volume) -
                    flux(m, &r, l->dim, i, m->x)
              : 0.0;
  }
  add_links(m, m->x, -1.0, m->r);
  if (m->is_floating) { /* what rounding left of the sum of residuals, which is 0 */
    double sum = 0.0, all = 0.0;
    WN_MULTIGRID_ROWS(l)
    {
      const struct row r = row_of(m, j, k);
      for (size_t i = 0; i < (size_t)l->axis[0].n; i++) {
        sum += m->r[r.at + i];
        all += m->measure[0][i] * r.volume;
      }
    }
    WN_MULTIGRID_ROWS(l)
    {
      const struct row r = row_of(m, j, k);
      for (size_t i = 0; i < (size_t)l->axis[0].n; i++)
        m->r[r.at + i] -= sum / all * (m->measure[0][i] * r.volume);
    }
  }
}

/* x += alpha p, r -= alpha q; returns r D^-1 r. */
static double advance(struct wn_multigrid_solver *m, double alpha)
{
  const struct wn_multigrid_level *l = finest(m);
  WN_MULTIGRID_FOR_ROWS(l)
  {
    const size_t row = wn_multigrid_row(l, j, k);
    double sum = 0.0;
    for (size_t i = row; i < row + (size_t)l->axis[0].n; i++) {
      m->x[i] += alpha * m->p[i];
      m->r[i] -= alpha * m->q[i];
      sum += m->r[i] * m->r[i] * (double)l->inverse[i];
    }
    sums(m, j, k)[0] = sum;
  }
  return sum_of_rows(m, 0);
}

/* z = the cycle of r, for floats times `scale`; rz[2] = r z, q z. */
static void cycle(struct wn_multigrid_solver *m, double scale, double rz[2])
{
  const struct wn_multigrid_level *l = finest(m);
  WN_MULTIGRID_FOR_ROWS(l)
  {
    const size_t row = wn_multigrid_row(l, j, k);
    for (size_t i = row; i < row + (size_t)l->axis[0].n; i++)
      l->b[i] = (float)(m->r[i] * scale);
  }
  wn_multigrid_cycle(&m->levels);
  WN_MULTIGRID_FOR_ROWS(l)
  {
    const size_t row = wn_multigrid_row(l, j, k);
    double *sum = sums(m, j, k);
    sum[0] = sum[1] = 0.0;
    for (size_t i = row; i < row + (size_t)l->axis[0].n; i++) {
      sum[0] += m->r[i] * (double)l->x[i];
      sum[1] += m->q[i] * (double)l->x[i];
    }
  }
  for (int i = 0; i < 2; i++)
    rz[i] = sum_of_rows(m, i);
}

/* p = z + beta p. */
static void turn(struct wn_multigrid_solver *m, double beta)
{
  const struct wn_multigrid_level *l = finest(m);
  WN_MULTIGRID_FOR_ROWS(l)
  {
    const size_t row = wn_multigrid_row(l, j, k);
    for (size_t i = row; i < row + (size_t)l->axis[0].n; i++)
      m->p[i] = (double)l->x[i] + beta * m->p[i];
  }
  wn_multigrid_wrap_double(finest(m), m->p);
}

/* q = the flux of p; returns p q. */
static double multiply(struct wn_multigrid_solver *m)
{
  const struct wn_multigrid_level *l = finest(m);
  WN_MULTIGRID_FOR_ROWS(l)
  {
    const struct row r = row_of(m, j, k);
    double sum = 0.0;
    for (size_t i = 0; i < (size_t)l->axis[0].n; i++) {
      const double f = flux(m, &r, l->dim, i, m->p);
      m->q[r.at + i] = l->inverse[r.at + i] > 0.0f ? f : 0.0;
      sum += m->p[r.at + i] * f;
    }
    sums(m, j, k)[0] = sum;
  }
  return sum_of_rows(m, 0) + add_links(m, m->p, 1.0, m->q);
}

/* A number near 1 / the largest r, a power of two: floats hold r times it. */
static double scale_of(struct wn_multigrid_solver *m)
{
  const struct wn_multigrid_level *l = finest(m);
  double most = 0.0;
  int power;
  WN_MULTIGRID_ROWS(l)
  {
    const size_t row = wn_multigrid_row(l, j, k);
    for (size_t i = row; i < row + (size_t)l->axis[0].n; i++)
      most = fmax(most, fabs(m->r[i]));
  }
  (void)frexp(most, &power);
  return ldexp(1.0, -power);
}

/* charge: r D^-1 r of phi = 0. */
static int iterate(struct wn_multigrid_solver *m, double charge)
{
  const double tolerance = wn_multigrid_tolerance(&m->head.spec),
               end = tolerance * tolerance * charge, scale = scale_of(m);
  double now = advance(m, 0.0), rz[2], before = 0.0, alpha = 0.0;
  m->cycles = 0;
  for (int n = 0; !(now <= end); n++) { /* NaN fails */
    if (n == MOST || !isfinite(now))
      return WN_FAIL(WN_ERUN,
                     "Poisson's equation: the residual is %.3g of the charge after %d "
                     "cycles of multigrid, not below %.3g",
                     tolerance * sqrt(now / end), n, tolerance);
    cycle(m, scale, rz);
    turn(m, n > 0 ? -alpha * rz[1] / before : 0.0);
    alpha = rz[0] / multiply(m);
    before = rz[0];
    now = advance(m, alpha);
    m->cycles = n + 1;
  }
  return WN_OK;
}

/* x - level, and the copies of periodic axes. */
static void unload(struct wn_multigrid_solver *m, double level, double *phi)
{
  const struct wn_multigrid_level *l = finest(m);
  for (size_t k = 0; k < m->n[2]; k++)
    for (size_t j = 0; j < m->n[1]; j++) {
      const size_t row = wn_multigrid_row(l, (int32_t)(j % (size_t)l->axis[1].n),
                                          (int32_t)(k % (size_t)l->axis[2].n));
      double *to = phi + j * m->step[1] + k * m->step[2];
      for (size_t i = 0; i < m->n[0]; i++)
        to[i] = m->x[row + i % (size_t)l->axis[0].n] - level;
    }
}

static int solve(struct wn_poisson *head, const double *rho, const double *volt,
                 double *phi)
{
  struct wn_multigrid_solver *m = of(head);
  const double taken = m->is_floating ? mean(m, rho, 1) : 0.0;
  WN_TRY(set_given(m, volt));
  begin(m, rho, taken);
  const double charge = advance(m, 0.0);
  /* without charge zero is the solution, and no residual of phi is below a part of it */
  if (head->spec.starts_from_phi && charge > 0.0) {
    set_start(m, phi);
    begin(m, rho, taken);
  }
  WN_TRY(iterate(m, charge));
  unload(m, m->is_floating ? mean(m, m->x, 0) : 0.0, phi);
  return WN_OK;
}

int wn_poisson_multigrid_cycles(const struct wn_poisson *p)
{
  WN_ASSERT(p->ops == &wn_poisson_multigrid);
  return ((const struct wn_multigrid_solver *)(const void *)p)->cycles;
}

const struct wn_poisson_ops wn_poisson_multigrid = {
    .name = "multigrid",
    .supports = WN_POISSON_NEEDS_AXES | WN_POISSON_NEEDS_INSIDE | WN_POISSON_NEEDS_EDGES |
                WN_POISSON_NEEDS_LINKS | WN_POISSON_NEEDS_MULTIGRID,
    .takes = takes,
    .check = wn_poisson_check_centre,
    .bytes = bytes,
    .create = create,
    .solve = solve,
    .field = wn_poisson_slopes,
    .free = destroy,
};
