/* fields/poisson/mixed.c - Poisson's equation in two dimensions whose first axis is any, as the
 * radius of r-z, and whose second has constant spacing along a line.
 *
 * The equation is that of volumes.c: the fluxes out of the volume of each node are its charge.
 * Along the second axis, z, it is decomposed into modes as in modes.c, each with its eigenvalue
 * lambda [1/m2].  Of each mode a system with three diagonals is left along the first axis,
 *
 *   sum_j C_ij (phi_i - phi_j) + lambda V_i phi_i = V_i rho_i / eps0,   C_ij = A_ij / l_ij,
 *
 * with V and A what this axis has of volumes and areas (physics/geometry.h), solved by
 * elimination without cancellation.  The unknown is phi less a function that is linear along z
 * and has the potentials of its sides, so that these are 0; given potentials along the first
 * axis go to the right-hand sides of the nodes beside them.
 *
 * An open side around the axis, at r = R: beyond it there is no charge, and the sides of z go on
 * without end.  There a mode goes as K_0(k r), k = sqrt(lambda), so that the flux out at R is
 * 2 pi R k K_1(kR)/K_0(kR) phi.  The mode with lambda = 0, which periodic and Neumann sides of z
 * have, goes as ln r: its potential at R is -q ln(R/1 m)/(2 pi eps0) of its charge q per length.
 *
 * Derived here from the divergence theorem and the separated solutions of Laplace's equation;
 * t/fields/t0705-mixed.c. */
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"
#include "fields/poisson/parts.h"
#include "physics/constants.h"

/* Lines that are eliminated at a time: a division takes many cycles, and these overlap. */
#define LINES 8
/* Below so many nodes one thread is faster than several. */
#define NODES_OF_ONE_THREAD 8192

struct lines {
  struct wn_poisson head;
  struct wn_poisson_axis axis[2]; /* the unknown nodes of each */
  size_t n_x, work_step; /* nodes along the first axis; doubles of a row of work */
  struct wn_fft *fft;
  double *share, *over; /* [n_x]: V; [n_x]: C of the edge to the next, 0 of the last */
  double *lambda;       /* [axis[1].n] */
  double
      *outside;  /* [axis[1].n] C from R outwards, of lambda 0 any; NULL: no open side */
  double *work;  /* [axis[1].n][work_step] */
  double *ratio; /* [threads][axis[0].n][LINES] */
  int is_floating;
};

static struct lines *of(struct wn_poisson *p)
{
  return (struct lines *)(void *)p;
}

/* ---- life */

static int takes(const struct wn_poisson_spec *s)
{
  const struct wn_axis *z = &s->geometry.axis[1];
  return s->dim == 2 && s->side[0] != WN_PERIODIC && z->x == NULL &&
         z->coordinate == WN_COORDINATE_LINE;
}

/* Shapes; no memory. */
static void lay_out(struct lines *p, const struct wn_poisson_spec *spec)
{
  *p = (struct lines){.head = {&wn_poisson_mixed, *spec},
                      .n_x = spec->cells[0] + 1,
                      .is_floating = wn_poisson_is_floating(spec)};
  for (int d = 0; d < 2; d++)
    p->axis[d] = wn_poisson_axis(spec, d);
  /* whole cache lines, an odd number of them, as in whole.c */
  p->work_step = ((p->axis[0].n + 7) / 8 | 1) * 8;
}

static size_t ratios(const struct lines *p)
{
  return (size_t)wn_threads(p->head.spec.threads) * p->axis[0].n * LINES;
}

static size_t bytes(const struct wn_poisson_spec *spec)
{
  struct lines p;
  lay_out(&p, spec);
  if ((double)p.work_step * (double)p.axis[1].n > 1e17)
    return SIZE_MAX;
  return sizeof p + wn_fft_bytes(p.axis[1].n, 1, spec->threads) +
         (2 * p.n_x + (wn_poisson_is_around(spec) ? 2 : 1) * p.axis[1].n +
          p.work_step * p.axis[1].n + ratios(&p)) *
             sizeof(double);
}

static void destroy(struct wn_poisson *head)
{
  struct lines *p = of(head);
  if (p == NULL)
    return;
  wn_fft_free(p->fft);
  free(p->share);
  free(p->over);
  free(p->lambda);
  free(p->outside);
  free(p->work);
  free(p->ratio);
  free(p);
}

static int allocate(struct lines *p)
{
  const struct wn_poisson_axis *a = p->axis;
  p->share = wn_alloc(p->n_x, sizeof *p->share);
  p->over = wn_alloc(p->n_x, sizeof *p->over);
  p->lambda = wn_alloc(a[1].n, sizeof *p->lambda);
  p->work = wn_alloc_aligned(a[1].n, p->work_step * sizeof *p->work, 64);
  p->ratio = wn_alloc_aligned(ratios(p), sizeof *p->ratio, 64);
  if (p->share == NULL || p->over == NULL || p->lambda == NULL || p->work == NULL ||
      p->ratio == NULL)
    return WN_ENOMEM;
  if (wn_poisson_is_around(&p->head.spec)) {
    p->outside = wn_alloc(a[1].n, sizeof *p->outside);
    if (p->outside == NULL)
      return WN_ENOMEM;
  }
  return wn_fft_create(a[1].kind, a[1].n, 1, p->head.spec.threads, &p->fft);
}

static void prepare(struct lines *p)
{
  const struct wn_axis *a = &p->head.spec.geometry.axis[0];
  for (size_t i = 0; i < p->n_x; i++) {
    p->share[i] = wn_axis_share(a, (int64_t)i);
    p->over[i] =
        i + 1 < p->n_x ? wn_axis_area(a, (int64_t)i) / wn_axis_edge(a, (int64_t)i) : 0.0;
  }
  wn_poisson_lambda(&p->head.spec, 1, p->lambda);
  for (size_t j = 0; p->outside != NULL && j < p->axis[1].n; j++)
    p->outside[j] = wn_poisson_outside(wn_axis_x(a, a->cells), p->lambda[j]);
}

static int create(const struct wn_poisson_spec *spec, struct wn_poisson **out)
{
  struct lines *p = wn_alloc(1, sizeof *p);
  if (p == NULL)
    return WN_ENOMEM;
  lay_out(p, spec);
  const int status = allocate(p);
  if (status != WN_OK) {
    destroy(&p->head);
    return status;
  }
  prepare(p);
  *out = &p->head;
  return WN_OK;
}

/* ---- a solution */

static inline int is_large(const struct lines *p)
{
  return p->axis[0].n * p->axis[1].n > NODES_OF_ONE_THREAD;
}

/* What has the potentials of the sides of z, at node j. */
static double lift(const struct wn_poisson_spec *s, const double *volt, size_t j)
{
  const int low = s->side[2] == WN_DIRICHLET, high = s->side[3] == WN_DIRICHLET;
  if (low && high)
    return volt[2] + (volt[3] - volt[2]) * ((double)j / (double)s->cells[1]);
  return low ? volt[2] : high ? volt[3] : 0.0;
}

/* By volume, of all nodes but the second end of a periodic axis. */
static double mean(const struct lines *p, const double *of_nodes)
{
  const struct wn_axis *z = &p->head.spec.geometry.axis[1];
  double sum = 0.0, all = 0.0;
  for (size_t j = 0; j < p->axis[1].first + p->axis[1].n; j++)
    for (size_t i = 0; i < p->n_x; i++) {
      const double v = p->share[i] * wn_axis_measure(z, (int64_t)j);
      sum += of_nodes[j * p->n_x + i] * v;
      all += v;
    }
  return sum / all;
}

/* V rho / eps0 of the unknown nodes, and the terms of walls beside them. */
static void load(struct lines *p, const double *rho, const double *volt, double taken)
{
  const struct wn_poisson_spec *s = &p->head.spec;
  const struct wn_poisson_axis *a = p->axis;
  const size_t last = a[0].n - 1;
#ifdef _OPENMP
#pragma omp parallel for num_threads(wn_threads(s->threads))                             \
    schedule(static) if (is_large(p))
#endif
  for (size_t j = 0; j < a[1].n; j++) {
    const double *from = rho + (a[1].first + j) * p->n_x + a[0].first,
                 *share = p->share + a[0].first;
    double *to = p->work + j * p->work_step;
    const double level = lift(s, volt, a[1].first + j);
    for (size_t i = 0; i < a[0].n; i++)
      to[i] = share[i] * ((from[i] - taken) / WN_EPS0);
    if (s->side[0] == WN_DIRICHLET)
      to[0] += p->over[0] * (volt[0] - level);
    if (s->side[1] == WN_DIRICHLET)
      to[last] += p->over[s->cells[0] - 1] * (volt[1] - level);
  }
}

/* The mode with lambda = 0 of an open side, and that of no given potential: phi of one node is
 * known. */
static int is_known(const struct lines *p, size_t j)
{
  return p->lambda[j] == 0.0 && (p->is_floating || p->outside != NULL);
}

/* Far from the charge modes fall below what doubles can hold, by numbers with which a processor takes tens of times as
 * long; no sum of modes knows these. */
#define REST 1e-280
static double without_rest(double value)
{
  return fabs(value) < REST ? 0.0 : value; /* NaN stays */
}

/* Modes from `first` on, n of them: in place, along the first axis. */
static void eliminate(const struct lines *p, size_t first, size_t n, double *ratio)
{
  const struct wn_poisson_spec *s = &p->head.spec;
  const size_t nodes = p->axis[0].n, begin = p->axis[0].first;
  const double *share = p->share + begin, *over = p->over + begin;
  double *row = p->work + first * p->work_step;
  double value[LINES], held[LINES],
      charge[LINES]; /* held: C to a given potential, in series */
  for (size_t l = 0; l < n; l++) {
    value[l] = charge[l] = 0.0;
    held[l] = begin > 0 ? p->over[begin - 1] : 0.0;
  }
  for (size_t i = 0; i < nodes; i++) {
    const double before = i > 0 ? over[i - 1] : 0.0;
    for (size_t l = 0; l < n; l++) {
      const size_t j = first + l;
      double *w = &row[l * p->work_step + i];
      const double low = held[l] + p->lambda[j] * share[i],
                   after = i + 1 == nodes && p->outside != NULL ? p->outside[j] : over[i],
                   over_d = 1.0 / (low + after);
      charge[l] += *w;
      value[l] = without_rest((*w + before * value[l]) * over_d);
      ratio[i * LINES + l] = after * over_d;
      held[l] = after * over_d * low;
      if (WN_UNLIKELY(is_known(p, j)) && i == (p->is_floating ? 0 : nodes - 1)) {
        const double r = wn_axis_x(&s->geometry.axis[0], (int64_t)s->cells[0]);
        value[l] = p->is_floating ? 0.0 : -charge[l] * log(r) / (2.0 * WN_PI);
        ratio[i * LINES + l] = 0.0;
        held[l] = after;
      }
      *w = value[l];
    }
  }
  for (size_t i = nodes - 1; i-- > 0;)
    for (size_t l = 0; l < n; l++) {
      double *w = &row[l * p->work_step + i];
      *w += ratio[i * LINES + l] * w[1];
    }
}

static void eliminate_all(struct lines *p)
{
  const size_t modes = p->axis[1].n, blocks = (modes + LINES - 1) / LINES;
#ifdef _OPENMP
#pragma omp parallel for num_threads(wn_threads(p->head.spec.threads))                   \
    schedule(dynamic) if (is_large(p))
#endif
  for (size_t b = 0; b < blocks; b++)
    eliminate(p, b * LINES, b + 1 < blocks ? LINES : modes - b * LINES,
              p->ratio + (size_t)wn_thread() * p->axis[0].n * LINES);
}

static void unload(const struct lines *p, const double *volt, double *phi)
{
  const struct wn_poisson_spec *s = &p->head.spec;
  const struct wn_poisson_axis *a = p->axis;
  const double scale = 1.0 / wn_fft_norm(p->fft);
#ifdef _OPENMP
#pragma omp parallel for num_threads(wn_threads(p->head.spec.threads))                   \
    schedule(static) if (is_large(p))
#endif
  for (size_t j = 0; j < a[1].n; j++) {
    const double *from = p->work + j * p->work_step;
    const double level = lift(s, volt, a[1].first + j);
    double *to = phi + (a[1].first + j) * p->n_x + a[0].first;
    for (size_t i = 0; i < a[0].n; i++)
      to[i] = from[i] * scale + level;
  }
  /* sides that are no unknowns: z first, so that the other axis has the corners */
  const size_t far = s->cells[1] * p->n_x;
  for (size_t i = 0; i < p->n_x; i++) {
    if (s->side[2] == WN_DIRICHLET)
      phi[i] = volt[2];
    if (s->side[3] == WN_DIRICHLET)
      phi[far + i] = volt[3];
  }
  for (size_t j = 0; j <= s->cells[1]; j++) {
    if (s->side[0] == WN_DIRICHLET)
      phi[j * p->n_x] = volt[0];
    if (s->side[1] == WN_DIRICHLET)
      phi[j * p->n_x + s->cells[0]] = volt[1];
  }
  for (size_t i = 0; s->side[2] == WN_PERIODIC && i < p->n_x; i++)
    phi[far + i] = phi[i];
}

static int solve(struct wn_poisson *head, const double *rho, const double *volt,
                 double *phi)
{
  struct lines *p = of(head);
  const size_t n[3] = {p->axis[0].n, p->axis[1].n, 1},
               step[3] = {1, p->work_step, p->work_step * p->axis[1].n};
  WN_TRY(wn_poisson_check_volts(&head->spec, volt));
  load(p, rho, volt, p->is_floating ? mean(p, rho) : 0.0);
  wn_fft_lines(p->fft, WN_FFT_FORWARD, p->work, n, step, 1);
  eliminate_all(p);
  wn_fft_lines(p->fft, WN_FFT_BACK, p->work, n, step, 1);
  unload(p, volt, phi);
  if (p->is_floating) {
    const double level = mean(p, phi);
    for (size_t i = 0; i < p->n_x * (head->spec.cells[1] + 1); i++)
      phi[i] -= level;
  }
  return WN_OK;
}

const struct wn_poisson_ops wn_poisson_mixed = {
    .name = "mixed",
    .supports = WN_POISSON_NEEDS_AXES | WN_POISSON_NEEDS_AROUND,
    .takes = takes,
    .check = wn_poisson_check_centre,
    .bytes = bytes,
    .create = create,
    .solve = solve,
    .field = wn_poisson_slopes,
    .free = destroy,
};
