/* t0718-sparse.c - defends: sparse grids on the host (fields/sparse/).  The component grids are those of the
 * literature, and their coefficients add up as they must.  Restriction is the deposit on the coarser grid; what a
 * particle adds to the combined density of a node is the combined function of that node, so that the noise of
 * random particles is the exact one.  Of one grid alone the field is `electrostatic`; charge that depends on one
 * coordinate has the E of the full grid; the error of a smooth charge is the exact one, and falls as
 * h^2 |log h|^(d-1).  Any number of threads has the same bits.  E at any place is the sum of the components'
 * interpolations there, combined at nodes or at the particle.
 *
 * Thresholds: numbers of grids and nodes none; exact sums 1e-12.  Quanta of 2^-20 of a particle, rounded, on 8
 * nodes of three grids, in coefficients up to 64 (n = 5): 1e-3 of the density of a particle.  Realizations: 4.5 of
 * their own standard error, false alarms 7e-6 each; that error is some 0.7 % with WN_LONG=2.  One grid alone: 1e-12 (another solver's
 * order of operations is the same, the sums differ).  E along an axis: single precision, 3e-6 of the largest.
 * Error of a smooth charge: 1e-8, of quanta and weights in floats, where 1e-10 is met.  E at a place: 1e-6 of the
 * largest, 8 roundings. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "fields/charge_nodes.h"
#include "fields/sparse/sparse_parts.h"
#include "fields/waves.h"
#include "physics/constants.h"
#include "t/tap/grid.h"
#include "t/tap/tap.h"

enum { P = WN_PERIODIC, D = WN_DIRICHLET, N = WN_NEUMANN };

static const int periodic[6] = {P, P, P, P, P, P};

static const char *const combined_name[] = {"nodes", "particle"};

static int is_long(void)
{
  const char *value = getenv("WN_LONG");
  return value != NULL && atoi(value) > 1;
}

static int is_fast(void)
{
  const char *fast = getenv("WN_FAST");
  return fast != NULL && strcmp(fast, "1") == 0;
}

/* ---- levels */

static void check_levels(int dim, int n, int least, int grids, int64_t nodes)
{
  const struct wn_sparse_levels l = wn_sparse_truncated(dim, n, least);
  struct wn_components c = {0};
  int on_axis = 1;
  if (!ok(wn_components_make(&l, &c) == WN_OK && c.n_components == grids &&
              (nodes == 0 || c.nodes == nodes),
          "%d-D, n = %d from %d: %d grids, %lld nodes", dim, n, least, grids,
          (long long)c.nodes))
    return;
  for (int d = 0; d < dim; d++)
    for (int level = least; level <= n; level++) {
      int sum = 0;
      for (int i = 0; i < c.n_components; i++)
        sum += c.c[i].level[d] == level ? c.c[i].coefficient : 0;
      on_axis &= sum == (level == n);
    }
  ok(on_axis, "%d-D, n = %d from %d: coefficients of a level along an axis", dim, n,
     least);
  for (int i = 0; i < c.n_components; i++)
    for (int d = 0; d < dim; d++)
      on_axis &= c.parent[c.c[i].parent].level[d] >= c.c[i].level[d];
  ok(on_axis && c.n_parents <= dim, "%d-D, n = %d from %d: parents are as fine", dim, n,
     least);
}

/* ---- restriction */

/* All components of a parent from random integers: by the definition of the shape. */
static void check_restriction(const int is_periodic[3])
{
  const struct wn_sparse_levels l = wn_sparse_truncated(3, 4, 1);
  struct wn_components c;
  WN_ASSERT(wn_components_make(&l, &c) == WN_OK);
  double *parents = calloc((size_t)c.parent_nodes, sizeof *parents),
         *work = calloc(wn_sparse_work(&c), sizeof *work),
         *out = calloc((size_t)c.nodes, sizeof *out);
  size_t wrong = 0;
  for (int64_t i = 0; i < c.parent_nodes; i++)
    parents[i] = floor(uniform() * 1e6);
  for (int p = 0; p < c.n_parents; p++) /* both ends of a period alike */
    for (int64_t k = wn_sparse_nodes(3, c.parent[p].level) - 1; k >= 0; k--) {
      int64_t rest = k, same = c.parent[p].first, step = 1;
      for (int d = 0; d < 3; d++) {
        const int64_t n = wn_sparse_nodes_along(c.parent[p].level[d]), at = rest % n;
        same += (is_periodic[d] && at == n - 1 ? 0 : at) * step;
        rest /= n;
        step *= n;
      }
      parents[c.parent[p].first + k] = parents[same];
    }
  for (int i = 0; i < c.n_components; i++) {
    const struct wn_sparse_parent *p = &c.parent[c.c[i].parent];
    const int32_t *coarse = c.c[i].level;
    int64_t n[3], m[3];
    for (int d = 0; d < 3; d++) {
      n[d] = wn_sparse_nodes_along(p->level[d]);
      m[d] = wn_sparse_nodes_along(coarse[d]);
    }
    wn_sparse_restrict(&c, is_periodic, i, parents, work, out);
    for (int64_t at = 0; at < m[0] * m[1] * m[2]; at++) {
      const int64_t node[3] = {at % m[0], at / m[0] % m[1], at / (m[0] * m[1])};
      double sum = 0.0;
      for (int64_t k = 0; k < n[0] * n[1] * n[2]; k++) {
        const int64_t fine[3] = {k % n[0], k / n[0] % n[1], k / (n[0] * n[1])};
        double w = 1.0;
        for (int d = 0; d < 3; d++) {
          const double of = ldexp(1.0, p->level[d] - coarse[d]);
          double far = fabs((double)fine[d] - (double)node[d] * of);
          if (is_periodic[d] && fine[d] == n[d] - 1)
            w = 0.0; /* the first node again */
          if (is_periodic[d])
            far = fmin(far, (double)(n[d] - 1) - far);
          w *= fmax(0.0, 1.0 - far / of);
        }
        sum += w * parents[p->first + k];
      }
      wrong += sum != out[at];
    }
  }
  ok(wrong == 0, "restriction to %d components, periodic %d%d%d (%zu nodes differ)",
     c.n_components, is_periodic[0], is_periodic[1], is_periodic[2], wrong);
  free(parents);
  free(work);
  free(out);
}

/* ---- noise */

/* On the parents: what a particle of weight 1 at a place adds to the combined density of node (0, 0, 0), times the
 * volume of the box. */
static double *kernel_of(const struct wn_components *c)
{
  double *components = calloc((size_t)c->nodes, sizeof *components),
         *parents = calloc((size_t)c->parent_nodes, sizeof *parents),
         *work = calloc(wn_sparse_work(c), sizeof *work);
  for (int i = 0; i < c->n_components; i++) {
    const int32_t *level = c->c[i].level;
    int64_t n[3] = {1, 1, 1};
    double cells = 1.0;
    for (int d = 0; d < c->dim; d++) {
      n[d] = wn_sparse_nodes_along(level[d]);
      cells = ldexp(cells, level[d]);
    }
    for (int corner = 0; corner < 1 << c->dim; corner++) { /* one node, periodic */
      int64_t at[3] = {0, 0, 0};
      for (int d = 0; d < c->dim; d++)
        at[d] = corner >> d & 1 ? n[d] - 1 : 0;
      components[c->c[i].first + (at[2] * n[1] + at[1]) * n[0] + at[0]] = cells;
    }
  }
  wn_sparse_combine(c, components, work, parents);
  free(components);
  free(work);
  return parents;
}

/* The kernel at x of the box of length 1. */
static double kernel_at(const struct wn_components *c, const double *parents,
                        const double x[3])
{
  double all = 0.0;
  for (int p = 0; p < c->n_parents; p++) {
    int64_t first = c->parent[p].first, step[3], next = 1;
    double part[3];
    for (int d = 0; d < c->dim; d++) {
      const double s = ldexp(x[d], c->parent[p].level[d]);
      step[d] = next;
      first += (int64_t)s * step[d];
      part[d] = s - floor(s);
      next *= wn_sparse_nodes_along(c->parent[p].level[d]);
    }
    for (int corner = 0; corner < 1 << c->dim; corner++) {
      double w = 1.0;
      int64_t at = first;
      for (int d = 0; d < c->dim; d++) {
        w *= corner >> d & 1 ? part[d] : 1.0 - part[d];
        at += corner >> d & 1 ? step[d] : 0;
      }
      all += w * parents[at];
    }
  }
  return all;
}

#define TOGETHER 256 /* particles of a realization */

static void check_noise(int dim, int n, int least, double exact)
{
  const struct wn_sparse_levels l = wn_sparse_truncated(dim, n, least);
  const size_t times = is_long() ? 100000 : 20000;
  struct wn_components c;
  double two = 0.0, four = 0.0;
  WN_ASSERT(wn_components_make(&l, &c) == WN_OK);
  double *kernel = kernel_of(&c);
  for (size_t i = 0; i < times; i++) {
    double sum = 0.0;
    for (int k = 0; k < TOGETHER; k++) {
      const double x[3] = {uniform(), uniform(), uniform()};
      sum += kernel_at(&c, kernel, x) - 1.0;
    }
    sum *= sum / TOGETHER;
    two += sum;
    four += sum * sum;
  }
  two /= (double)times;
  four /= (double)times;
  const double error = sqrt((four - two * two) / (double)times),
               want = wn_sparse_noise(&c);
  ok(exact == 0.0 || fabs(want - exact) <= 0.06, "%d-D, n = %d from %d: %.1f", dim, n,
     least, want);
  ok(error < (is_long() ? 0.02 : 0.045) * want && fabs(two - want) < 4.5 * error,
     "%d-D, n = %d from %d: N Var(rho)/rho^2 = %.1f +- %.1f of %zu realizations, exactly "
     "%.1f",
     dim, n, least, two, error, times, want);
  free(kernel);
}

/* ---- fields */

struct scene {
  struct wn_sparse_spec spec;
  struct wn_particles p[2];
  struct wn_particles *species[2];
  struct wn_field *field, *full;
};

static void make(struct scene *s, int kind, int n, int least, const int side[6],
                 int method)
{
  const int dim = wn_point_dim(kind);
  const int32_t cells[3] = {1 << n, 1 << n, 1 << n};
  struct wn_electrostatic_spec *e = &s->spec.full;
  memset(s, 0, sizeof *s);
  s->spec.levels = wn_sparse_truncated(dim, n, least);
  e->grid = grid_make(dim, WN_SHAPE_CIC, WN_GATHER_MOMENTUM, cells, 0, 0, 1e-3);
  e->poisson = (struct wn_poisson_spec){
      .dim = dim, .method = (enum wn_poisson_method)method, .threads = 2};
  e->n_species = 2;
  e->background = NAN;
  for (int i = 0; i < 2 * dim; i++) {
    e->poisson.side[i] = (enum wn_potential)side[i];
    e->grid.side[i] = side[i] == P   ? WN_SIDE_PERIODIC
                      : side[i] == D ? WN_SIDE_ABSORB
                                     : WN_SIDE_REFLECT;
    e->voltage[i] = (struct wn_voltage){
        .constant = method ? 2.0 : 1.0 + i, .start = -INFINITY, .end = INFINITY};
  }
  for (int d = 0; d < dim; d++) {
    e->grid.h[d] = 1e-3 * (1.0 + 0.25 * d);
    e->grid.per_h[d] = 1.0 / e->grid.h[d];
    e->grid.length[d] = e->grid.h[d] * e->grid.cells[d];
    e->poisson.cells[d] = (size_t)cells[d];
  }
  wn_poisson_uniform(&e->poisson, e->grid.h);
  for (int k = 0; k < 2; k++) {
    e->charge[k] = (k ? 1e6 : -1e6) * WN_E;
    e->fixed[k] = k;
    e->points[k] = (struct wn_points){
        .grid = e->grid, .kind = kind, .charge = k ? WN_E : -WN_E, .mass = WN_ME};
    wn_points_prepare(&e->points[k]);
    s->species[k] = &s->p[k];
  }
}

static int create(struct scene *s)
{
  WN_TRY(wn_sparse_create(&s->spec, &s->field));
  return wn_electrostatic_create(&s->spec.full, &s->full);
}

static int solve(struct scene *s, struct wn_field *f)
{
  return f->ops->solve(f, s->species, 2, 0.0, 1e-12);
}

static void clear(struct scene *s)
{
  if (s->field != NULL)
    s->field->ops->free(s->field);
  if (s->full != NULL)
    s->full->ops->free(s->full);
  for (int k = 0; k < 2; k++)
    wn_particles_clear(&s->p[k]);
}

static double most_of(const double *a, size_t n)
{
  double most = 0.0;
  for (size_t i = 0; i < n; i++)
    most = fmax(most, isfinite(a[i]) ? fabs(a[i]) : INFINITY);
  return most;
}

static double apart(const double *a, const double *b, size_t n)
{
  double most = 0.0;
  for (size_t i = 0; i < n; i++)
    most = isfinite(a[i]) && isfinite(b[i]) ? fmax(most, fabs(a[i] - b[i])) : INFINITY;
  return most / most_of(b, n);
}

static int near(double a, double b, double size)
{
  return fabs(a - b) <= 1e-12 * fabs(size);
}

/* Amplitudes of three waves with any factors: by component grids, and by the nodes of the full grid. */
static void check_waves(struct scene *s, const char *name)
{
  enum { N_WAVES = 3 };
  struct wn_waves w = {.n = N_WAVES};
  double *factor, *part, got[2 * N_WAVES], want[2 * N_WAVES];
  const double *phi;
  for (int d = 0; d < 3; d++)
    w.nodes[d] = d < s->spec.levels.dim ? ((size_t)1 << s->spec.levels.n) + 1 : 1;
  const size_t row = wn_waves_row(&w);
  factor = calloc(2 * N_WAVES * row, sizeof *factor);
  part = calloc(row, sizeof *part);
  for (size_t i = 0; i < 2 * N_WAVES * row; i++)
    factor[i] = 2.0 * uniform() - 1.0;
  for (size_t i = 0; i < row; i++)
    part[i] = 0.5 + 0.5 * uniform();
  for (int m = 0; m < N_WAVES && s->spec.levels.dim == 2; m++) {
    factor[2 * ((size_t)(m + 1) * row - 1)] = 1.0;
    factor[2 * ((size_t)(m + 1) * row - 1) + 1] = 0.0;
  }
  part[row - 1] = s->spec.levels.dim == 2 ? 1.0 : part[row - 1];
  w.factor = factor;
  w.part = part;
  const int status =
      wn_field_waves(s->field, &w, got) | wn_field_potential(s->field, &phi);
  if (status == WN_OK)
    wn_waves_of_nodes(&w, phi, want);
  ok(status == WN_OK && apart(got, want, 2 * N_WAVES) < 1e-11, "%s: waves (%.1e)", name,
     apart(got, want, 2 * N_WAVES));
  free(factor);
  free(part);
}

/* A combination of one grid, the full one. */
static void check_alone(int kind, int n, const int side[6], int method, const char *name)
{
  struct scene s;
  const double *a, *b;
  make(&s, kind, n, n, side, method);
  s.spec.full.background = method ? NAN : 1e-9; /* NAN: that of the first step */
  WN_ASSERT(points_draw(&s.p[0], &s.spec.full.grid, kind, 3000, 1e5) == WN_OK &&
            points_draw(&s.p[1], &s.spec.full.grid, kind, 2000, 0.0) == WN_OK);
  int status = create(&s);
  for (int step = 0; step < 2 && status == WN_OK; step++) {
    s.p[1].n = step == 0 && !method ? 1200 : 2000; /* immobile ones that come later */
    status = solve(&s, s.field);
  }
  status = status == WN_OK ? solve(&s, s.full) : status;
  if (!ok(status == WN_OK, "%s: solve", name)) {
    clear(&s);
    return;
  }
  const size_t nodes = wn_field_nodes(s.field);
  double *x = calloc(nodes, sizeof *x), *y = calloc(nodes, sizeof *y);
  status = wn_field_charge(s.field, &a) | wn_field_charge(s.full, &b);
  ok(status == WN_OK && nodes == wn_field_nodes(s.full) && apart(a, b, nodes) < 1e-12,
     "%s: rho (%.1e)", name, apart(a, b, nodes));
  status = wn_field_potential(s.field, &a) | wn_field_potential(s.full, &b);
  ok(status == WN_OK && apart(a, b, nodes) < 1e-12, "%s: phi (%.1e)", name,
     apart(a, b, nodes));
  for (int d = 0; d < s.spec.levels.dim; d++) {
    status = wn_field_e(s.field, d, x) | wn_field_e(s.full, d, y);
    ok(status == WN_OK && apart(x, y, nodes) < 1e-12, "%s: E along axis %d (%.1e)", name,
       d, apart(x, y, nodes));
  }
  for (size_t k = 0; k < 2; k++) {
    status = wn_field_density(s.field, k, x) | wn_field_density(s.full, k, y);
    ok(status == WN_OK && apart(x, y, nodes) < 1e-12, "%s: density of species %zu (%.1e)",
       name, k, apart(x, y, nodes));
  }
  struct wn_field_sums of, full;
  status = wn_field_sums(s.field, &of) | wn_field_sums(s.full, &full);
  /* the spectral energy of periodic sides is by another operator */
  ok(status == WN_OK && near(of.charge, full.charge, s.spec.full.charge[0] * 3e4) &&
         (method || near(of.energy, full.energy, full.energy)) && of.energy > 0.0 &&
         isnan(of.gauss) && isnan(of.residual),
     "%s: charge and energy", name);
  for (int d = 0; d < s.spec.levels.dim; d++)
    ok(fabs(of.drop[d] - full.drop[d]) <=
           1e-11 * (fabs(full.drop[0]) + fabs(full.drop[1]) + fabs(full.drop[2])),
       "%s: potential along axis %d, %.3g", name, d, of.drop[d]);
  check_waves(&s, name);
  free(x);
  free(y);
  clear(&s);
}

/* E at a place, as particles gather it. */
static void gathered_at(const struct wn_grid_view *g, const int32_t x[3], float e[3])
{
  int32_t cell[3] = {0, 0, 0};
  uint32_t part[3] = {0, 0, 0};
  for (int d = 0; d < g->dim; d++)
    wn_place_of_fixed(g->bits[d], x[d], &cell[d], &part[d]);
  grid_linear(g, cell, part, e);
}

/* Anywhere; on walls, for one number in 16 along each axis, and on nodes. */
static void any_place(const struct wn_grid_view *g, int32_t x[3])
{
  for (int d = 0; d < g->dim; d++) {
    const int32_t end = g->cells[d] << g->bits[d];
    const double which = uniform();
    x[d] = (int32_t)(uniform() * end);
    if (which < 0.25)
      x[d] = x[d] >> g->bits[d] << g->bits[d];
    else if (which > 1.0 - 1.0 / 16.0)
      x[d] = g->side[2 * d] != WN_SIDE_PERIODIC && uniform() < 0.5 ? end : 0;
  }
}

/* Charge that depends on the coordinate along one axis alone: a particle at each node across it. */
static void check_along(int kind, int n, int axis, const int side[6], int method,
                        enum wn_sparse_combined at)
{
  const int dim = wn_point_dim(kind), cells = 1 << n;
  struct scene s;
  double most = 0.0, differs = 0.0, across = 0.0;
  struct wn_grid_view a, b;
  make(&s, kind, n, 1, side, method);
  s.spec.at = at;
  for (int k = 0; k < 2; k++) {
    const struct wn_record record = wn_particles_points(kind);
    WN_ASSERT(wn_particles_init(&s.p[k], &record, 1, 40000) == WN_OK);
    for (int i = 0; i < 12; i++) {
      const double place = uniform();
      for (int j = 0; j < (dim == 3 ? cells * cells : cells); j++) {
        union wn_word r[8] = {{0}};
        const int across_of[2] = {j % cells, j / cells};
        for (int d = 0, other = 0; d < dim; d++)
          r[d].i = d == axis ? (int32_t)(place * ldexp(1.0, n + s.spec.full.grid.bits[d]))
                             : across_of[other++] << s.spec.full.grid.bits[d];
        if (wn_point_weighs(dim, wn_point_velocities(kind)))
          r[dim + wn_point_velocities(kind)].f = 1.0f;
        WN_ASSERT(wn_particles_append(&s.p[k], r, 1) == WN_OK);
      }
    }
  }
  if (!ok(create(&s) == WN_OK && solve(&s, s.field) == WN_OK &&
              solve(&s, s.full) == WN_OK && wn_field_gathered(s.field, &a) == WN_OK &&
              wn_field_gathered(s.full, &b) == WN_OK,
          "%d-D along axis %d: solve", dim, axis))
    return;
  for (int i = 0; i < 20000; i++) {
    int32_t x[3];
    float of[3], full[3];
    any_place(&a, x);
    gathered_at(&a, x, of);
    gathered_at(&b, x, full);
    for (int d = 0; d < dim; d++) {
      most = fmax(most, fabs(full[d]));
      differs = fmax(differs, isfinite(of[d]) ? fabs(of[d] - full[d]) : INFINITY);
      across = d != axis ? fmax(across, fabs(of[d])) : across;
    }
  }
  ok(most > 0.0 && differs < 3e-6 * most && across < 3e-6 * most,
     "%d-D along axis %d, at the %s: E of the full grid (%.1e), nothing across (%.1e)",
     dim, axis, combined_name[at], differs / most, across / most);
  clear(&s);
}

/* The sum over all components of the coefficient times the interpolation of E along d from 2^dim nodes, at x. */
static double of_components(const struct wn_sparse *f, const int32_t x[3], int d)
{
  double sum = 0.0;
  for (int i = 0; i < f->c.n_components; i++) {
    const struct wn_component *c = &f->c.c[i];
    for (int corner = 0; corner < 1 << f->c.dim; corner++) {
      int64_t node = c->first, step = 1;
      double w = c->coefficient;
      for (int a = 0; a < f->c.dim; a++) {
        const double s = ldexp(x[a], c->level[a] - f->c.n - f->grid.bits[a]);
        const int64_t cells = (int64_t)1 << c->level[a],
                      low = s < (double)cells ? (int64_t)s : cells - 1;
        const int high = corner >> a & 1;
        w *= high ? s - (double)low : 1.0 - (s - (double)low);
        node += (low + high) * step;
        step *= cells + 1;
      }
      sum += w * f->component_e[d][node];
    }
  }
  return sum;
}

/* Both ways to combine are the sum over the components at any place. */
static void check_combined(int kind, int n, int least, const int side[6], int method,
                           const char *name)
{
  const int dim = wn_point_dim(kind);
  struct wn_field *f[WN_N_SPARSE_COMBINED] = {NULL, NULL};
  struct wn_grid_view g[WN_N_SPARSE_COMBINED];
  double apart[WN_N_SPARSE_COMBINED] = {0.0, 0.0}, most = 0.0;
  struct scene s;
  int status = WN_OK;
  make(&s, kind, n, least, side, method);
  s.spec.full.background = method ? NAN : 1e-9;
  WN_ASSERT(points_draw(&s.p[0], &s.spec.full.grid, kind, 3000, 1e5) == WN_OK &&
            points_draw(&s.p[1], &s.spec.full.grid, kind, 2000, 0.0) == WN_OK);
  for (int at = 0; at < WN_N_SPARSE_COMBINED && status == WN_OK; at++) {
    s.spec.at = (enum wn_sparse_combined)at;
    status = wn_sparse_create(&s.spec, &f[at]);
    if (status == WN_OK)
      status = solve(&s, f[at]);
    if (status == WN_OK)
      status = wn_field_gathered(f[at], &g[at]);
  }
  for (int i = 0; i < 20000 && status == WN_OK; i++) {
    int32_t x[3];
    float e[WN_N_SPARSE_COMBINED][3];
    any_place(&s.spec.full.grid, x);
    for (int at = 0; at < WN_N_SPARSE_COMBINED; at++)
      gathered_at(&g[at], x, e[at]);
    for (int d = 0; d < dim; d++) {
      const double want =
          of_components((const struct wn_sparse *)(const void *)f[0], x, d);
      most = fmax(most, fabs(want));
      for (int at = 0; at < WN_N_SPARSE_COMBINED; at++) {
        const double by = fabs((double)e[at][d] - want);
        apart[at] = isnan(by) ? INFINITY : fmax(apart[at], by);
      }
    }
  }
  for (int at = 0; at < WN_N_SPARSE_COMBINED; at++)
    ok(status == WN_OK && most > 0.0 && apart[at] < 1e-6 * most,
       "%s: at 20000 places E is the sum over the components, combined at the %s (%.1e)",
       name, combined_name[at], apart[at] / most);
  for (int at = 0; at < WN_N_SPARSE_COMBINED; at++)
    if (f[at] != NULL)
      f[at]->ops->free(f[at]);
  clear(&s);
}

/* Random particles through the whole way: the combined density at node (0, 0, 0) is the sum of the kernel. */
static void check_kernel(int kind, int n)
{
  struct scene s;
  const int dim = wn_point_dim(kind);
  double want = 0.0, volume = 1.0;
  make(&s, kind, n, 1, periodic, 0);
  WN_ASSERT(points_draw(&s.p[0], &s.spec.full.grid, kind, 500, 0.0) == WN_OK &&
            points_draw(&s.p[1], &s.spec.full.grid, kind, 10, 0.0) == WN_OK &&
            create(&s) == WN_OK && solve(&s, s.field) == WN_OK);
  struct wn_components c;
  WN_ASSERT(wn_components_make(&s.spec.levels, &c) == WN_OK);
  double *kernel = kernel_of(&c), *got = calloc(wn_field_nodes(s.field), sizeof *got);
  for (size_t i = 0; i < s.p[0].n; i++) {
    const union wn_word *r = wn_particles_at(&s.p[0], i);
    double x[3] = {0.0, 0.0, 0.0};
    for (int d = 0; d < dim; d++)
      x[d] = ldexp(r[d].i, -n - s.spec.full.grid.bits[d]);
    want += kernel_at(&c, kernel, x) * (wn_point_weighs(dim, wn_point_velocities(kind))
                                            ? (double)r[dim + wn_point_velocities(kind)].f
                                            : 1.0);
  }
  for (int d = 0; d < dim; d++)
    volume *= s.spec.full.grid.length[d];
  const int status = wn_field_density(s.field, 0, got);
  ok(status == WN_OK && fabs(got[0] * volume - want) < 1e-3 * fabs(want),
     "%d-D, n = %d: the density at a node is the kernel's sum, %.3f and %.3f", dim, n,
     got[0] * volume, want);
  check_waves(&s, "random charge");
  free(kernel);
  free(got);
  clear(&s);
}

/* The wave cos(2 pi x/L) cos(2 pi y/L) ... of rho makes phi amplitude times the same.  What is found on sparse grids,
 * as a part of that amplitude. */
struct bias {
  double first,
      most; /* error of phi at node 0, which all grids have; the largest of all nodes */
};

/* From weighted particles on a lattice, at least as fine as the grid. */
static struct bias bias_of_run(int kind, int n, int lattice)
{
  const struct wn_record record = wn_particles_points(kind);
  const int dim = wn_point_dim(kind), weight = dim + wn_point_velocities(kind);
  struct scene s;
  struct bias b = {0.0, 0.0};
  const double *phi, wave = 2.0 * WN_PI;
  size_t points = 1, nodes = 1;
  make(&s, kind, n, 1, periodic, 0);
  for (int d = 0; d < dim; d++) { /* 1 m */
    struct wn_grid_view *g = &s.spec.full.grid;
    g->h[d] = ldexp(1.0, -n);
    g->per_h[d] = ldexp(1.0, n);
    g->length[d] = 1.0;
    points *= (size_t)lattice;
    nodes *= ((size_t)1 << n) + 1;
  }
  wn_poisson_uniform(&s.spec.full.poisson, s.spec.full.grid.h);
  for (int k = 0; k < 2; k++)
    s.spec.full.points[k].grid = s.spec.full.grid;
  WN_ASSERT(wn_particles_init(&s.p[0], &record, 1, points) == WN_OK &&
            wn_particles_init(&s.p[1], &record, 1, 1) == WN_OK);
  for (size_t i = 0; i < points; i++) {
    union wn_word r[8] = {{0}};
    double product = 1.0;
    size_t rest = i;
    for (int d = 0; d < dim; d++, rest /= (size_t)lattice) {
      const double x = ((double)(rest % (size_t)lattice) + 0.5) / lattice;
      r[d].i = (int32_t)(x * ldexp(1.0, n + s.spec.full.grid.bits[d]));
      product *= cos(wave * x);
    }
    r[weight].f = (float)(64.0 * (1.0 + 0.5 * product));
    WN_ASSERT(wn_particles_append(&s.p[0], r, 1) == WN_OK);
  }
  WN_ASSERT(create(&s) == WN_OK && solve(&s, s.field) == WN_OK &&
            wn_field_potential(s.field, &phi) == WN_OK);
  const double amplitude =
      s.spec.full.charge[0] * 32.0 * (double)points / (WN_EPS0 * dim * wave * wave);
  const size_t each = ((size_t)1 << n) + 1;
  for (size_t i = 0; i < nodes; i++) {
    double want = 1.0;
    size_t rest = i;
    for (int d = 0; d < dim; d++, rest /= each)
      want *= cos(wave * ldexp((double)(rest % each), -n));
    const double error = phi[i] / amplitude - want;
    b.first = i == 0 ? error : b.first;
    b.most = fmax(b.most, fabs(error));
  }
  clear(&s);
  return b;
}

/* The linear shape on 2^level cells, summed over such a lattice: the factor of the wave's charge at node 0. */
static double shape_factor(int level, int lattice)
{
  const int m = lattice >> level;
  double sum = 0.0;
  for (int i = 0; i < m; i++)
    sum += (1.0 - (i + 0.5) / m) * cos(2.0 * WN_PI * (i + 0.5) / lattice);
  return 2.0 * sum / m;
}

/* The error at node 0 in closed form.  On a grid of levels l the charge of the wave has the product of these factors,
 * and the differences of Poisson's equation the sum of (2 sin(pi h)/h)^2 over the axes, h = 2^-l. */
static double bias_of_grids(int dim, int n, int lattice)
{
  const struct wn_sparse_levels l = wn_sparse_truncated(dim, n, 1);
  struct wn_components c;
  double all = -1.0;
  WN_ASSERT(wn_components_make(&l, &c) == WN_OK);
  for (int i = 0; i < c.n_components; i++) {
    double charge = 1.0, operator= 0.0;
    for (int d = 0; d < dim; d++) {
      const double h = ldexp(1.0, -c.c[i].level[d]), s = sin(WN_PI * h) / (WN_PI * h);
      charge *= shape_factor(c.c[i].level[d], lattice);
      operator+= s * s / dim;
    }
    all += c.c[i].coefficient * charge / operator;
  }
  return all;
}

/* h^2 |log h|^(d-1) falls by 4 ((n-1)/n)^(d-1) from n - 1 to n.  The error at node 0 is the exact one, and falls so
 * within 8 % of the law.  The largest of all nodes has more terms of higher order, and falls more slowly at first. */
static void check_bias(int kind, int last, int lattice)
{
  const int dim = wn_point_dim(kind);
  struct bias before = bias_of_run(kind, 4, lattice);
  for (int n = 5; n <= last; n++) {
    const struct bias now = bias_of_run(kind, n, lattice);
    const double law = 4.0 * pow((n - 1.0) / n, dim - 1),
                 exact = bias_of_grids(dim, n, lattice), falls = before.first / now.first,
                 most = before.most / now.most;
    ok(fabs(now.first - exact) < 1e-8, "%d-D, n = %d: error at node 0 %.6e, exact (%.1e)",
       dim, n, now.first, now.first - exact);
    ok(fabs(falls / law - 1.0) < 0.08,
       "%d-D, n = %d: it is %.3f times less; h^2 |log h|^%d: %.3f", dim, n, falls,
       dim - 1, law);
    ok(most > (dim == 2 ? 2.5 : 1.75) && most < 4.0,
       "%d-D, n = %d: largest error %.2e, %.2f times less", dim, n, now.most, most);
    before = now;
  }
}

static void check_threads(enum wn_sparse_combined at)
{
  struct scene s;
  struct wn_grid_view a, b;
  struct wn_components c;
  make(&s, WN_POINT_3D3V, 5, 1, (const int[6]){D, D, P, P, N, D}, 0);
  WN_ASSERT(points_draw(&s.p[0], &s.spec.full.grid, WN_POINT_3D3V, 3000, 1e5) == WN_OK &&
            points_draw(&s.p[1], &s.spec.full.grid, WN_POINT_3D3V, 100, 0.0) == WN_OK &&
            wn_components_make(&s.spec.levels, &c) == WN_OK);
  struct wn_field *one, *three;
  s.spec.at = at;
  s.spec.full.background = 0.0;
  s.spec.full.poisson.threads = 1;
  WN_ASSERT(wn_sparse_create(&s.spec, &one) == WN_OK);
  s.spec.full.poisson.threads = 3;
  WN_ASSERT(wn_sparse_create(&s.spec, &three) == WN_OK);
  ok(solve(&s, one) == WN_OK && solve(&s, three) == WN_OK &&
         wn_field_gathered(one, &a) == WN_OK && wn_field_gathered(three, &b) == WN_OK &&
         memcmp(a.e, b.e, wn_sparse_floats(&c, at, &s.spec.full.grid) * sizeof *a.e) == 0,
     "one thread and three have the same bits, at the %s", combined_name[at]);
  one->ops->free(one);
  three->ops->free(three);
  clear(&s);
}

int main(void)
{
  static const int all[3] = {1, 1, 1}, none[3] = {0, 0, 0}, some[3] = {0, 1, 0};
  static const int walls[6] = {D, N, N, D, D, D}, mixed[6] = {P, P, D, D, N, N},
                   waves[6] = {P, P, P, P, N, N};
  check_levels(3, 5, 1, 31, 5687);
  check_levels(3, 6, 1, 46, 15188);
  check_levels(3, 7, 1, 64, 38868);
  check_levels(3, 8, 1, 85, 96471);
  check_levels(3, 9, 1, 109, 233949);
  for (int least = 2; least <= 5; least++)
    check_levels(3, 8, least, (int[]){64, 46, 31, 19}[least - 2], 0);
  check_levels(3, 6, 6, 1, 65 * 65 * 65);
  check_levels(2, 9, 1, 17, 0);
  check_restriction(all);
  check_restriction(none);
  check_restriction(some);
  check_noise(3, 5, 1, 297.6 - 1.0);
  if (!is_fast()) { /* the same lines, more often */
    check_noise(3, 6, 1, 790.1 - 1.0);
    check_noise(3, 7, 1, 2022.1 - 1.0);
    check_noise(3, 6, 3, 0.0);
  }
  check_noise(2, 7, 1, 0.0);
  check_kernel(WN_POINT_3D3V, 5);
  check_kernel(WN_POINT_2D3V, 7);
  check_alone(WN_POINT_3D3V, 4, walls, 0, "between walls");
  check_alone(WN_POINT_3D3V, 4, mixed, 0, "mixed sides");
  check_alone(WN_POINT_3D3V, 4, waves, 1, "spectral");
  check_alone(WN_POINT_2D2V, 5, walls, 0, "2-D between walls");
  check_alone(WN_POINT_2D3V, 5, periodic, 1, "2-D spectral");
  for (int at = 0; at < WN_N_SPARSE_COMBINED; at++) {
    const enum wn_sparse_combined how = (enum wn_sparse_combined)at;
    for (int axis = 0; axis < 3; axis++)
      check_along(WN_POINT_3D3V, 5, axis, periodic, axis == 1, how);
    for (int axis = 0; axis < 2; axis++)
      check_along(WN_POINT_2D3V, 6, axis, periodic, axis, how);
    check_threads(how);
  }
  check_combined(WN_POINT_3D3V, 6, 1, periodic, 0, "6 levels");
  check_combined(WN_POINT_3D3V, 5, 1, walls, 0, "5 levels between walls");
  check_combined(WN_POINT_3D3V, 5, 2, mixed, 0, "5 levels, truncated, mixed sides");
  check_combined(WN_POINT_3D3V, 3, 3, walls, 0, "one grid between walls");
  check_combined(WN_POINT_2D2V, 7, 1, walls, 0, "2-D, 7 levels between walls");
  check_combined(WN_POINT_2D3V, 8, 2, periodic, 1, "2-D, 8 levels, spectral");
  check_bias(WN_POINT_2D3V, is_fast() ? 6 : 8, 512);
  if (!is_fast())
    check_bias(WN_POINT_3D3V, 7, 128);
  return done();
}
