/* t0445-gpu-sparse.c - defends: the sparse grids on a GPU (fields/sparse/sparse_gpu.h).  The quanta of every parent
 * are those that the host deposits there, to the last, for every variant of the deposit: with few and many levels,
 * truncated, in two dimensions, between walls, of electrons that collide, of weights with more than 32 bits of
 * quanta, and where more particles are in a cell than 32 bits can count.  rho of every component is the exact
 * restriction of its parent's, to the bit; phi and E are those of fields/poisson/poisson.h on that grid; and E for
 * the particles is the sum of the components' interpolations, combined at nodes or at the particle.  Weights that are no number are counted, and a
 * particle that is deposited twice is seen.
 *
 * Thresholds: quanta and rho none.  phi 1e-12 of the largest of its component; E the same over the length of a
 * cell.  E for the particles, single precision: 1e-6 of the largest, 8 of its roundings. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "device/gpu.h"
#include "fields/charge_nodes.h"
#include "fields/deposit.h"
#include "fields/sparse/sparse_gpu.h"
#include "physics/constants.h"
#include "schedulers/model.h"
#include "t/tap/capture.h"
#include "t/tap/gpu.h"
#include "t/tap/grid.h"
#include "t/tap/tap.h"

#ifdef WN_HAVE_CUDA

#define N_SPECIES 2
#define H         1e-3

enum { P = WN_PERIODIC, D = WN_DIRICHLET, N = WN_NEUMANN };

static const struct scene_of {
  const char *name;
  int kind, n, least, more, side[6], method, electrons;
} scenes[] = {
    {"5 levels", WN_POINT_3D3V, 5, 1, 2, {P, P, P, P, P, P}, 0, 0},
    {"6 levels, spectral", WN_POINT_3D3V, 6, 1, 2, {P, P, P, P, P, P}, 1, 0},
    {"7 levels", WN_POINT_3D3V, 7, 1, 2, {P, P, P, P, P, P}, 0, 0},
    {"5 levels, truncated", WN_POINT_3D3V, 5, 2, 4, {P, P, P, P, P, P}, 0, 0},
    {"5 levels, with an offset", WN_POINT_3D3V, 5, 1, 4, {P, P, P, P, N, N}, 0, 0},
    {"5 levels between walls", WN_POINT_3D3V, 5, 1, 2, {D, D, D, N, N, D}, 0, 0},
    {"5 levels between walls, spectral",
     WN_POINT_3D3V,
     5,
     1,
     2,
     {P, P, N, N, D, N},
     1,
     0},
    {"7 levels between walls", WN_POINT_3D3V, 7, 1, 2, {D, D, D, D, D, D}, 0, 0},
    {"the full grid", WN_POINT_3D3V, 3, 3, 6, {N, D, P, P, N, N}, 0, 0},
    {"8 levels, more than a block holds",
     WN_POINT_3D3V,
     8,
     1,
     2,
     {P, P, P, P, P, P},
     0,
     0},
    {"electrons", WN_POINT_3D3V, 5, 1, 2, {P, P, D, D, P, P}, 0, 1},
    {"2-D, 7 levels", WN_POINT_2D2V, 7, 1, 1, {P, P, P, P}, 0, 0},
    {"2-D, 8 levels, spectral", WN_POINT_2D3V, 8, 1, 1, {P, P, D, D}, 1, 0},
    {"2-D between walls", WN_POINT_2D3V, 6, 2, 2, {D, N, D, D}, 0, 0},
    {"2-D electrons", WN_POINT_2D3V, 6, 1, 1, {N, N, P, P}, 0, 1}};

static const double volts[6] = {1.0, 3.0, -2.0, 0.5, 4.0, 2.0};

static const char *const way_name[] = {
#define X(symbol, name) name,
    WN_SPARSE_DEPOSIT_LIST(X)
#undef X
};

struct scene {
  const struct scene_of *of;
  struct wn_components c;
  struct wn_electrostatic_spec spec;
  struct wn_points m[N_SPECIES];
  struct wn_particles p[N_SPECIES];
  double volt[6];
  struct wn_sparse_gpu *gpu;
  size_t taken; /* bytes */
  enum wn_sparse_combined at;
  int64_t *want[N_SPECIES]; /* [parent_nodes], folded */
};

/* The grid of the box with these levels; the records are the same. */
static struct wn_grid_view grid_of(const struct wn_electrostatic_spec *spec, int n,
                                   const int32_t level[WN_MAX_DIM])
{
  struct wn_grid_view g = spec->grid;
  int32_t step = 1;
  g.first = 0;
  for (int d = 0; d < g.dim; d++) {
    g.cells[d] = 1 << level[d];
    g.h[d] = ldexp(spec->grid.h[d], n - level[d]);
    g.per_h[d] = 1.0 / g.h[d];
    g.bits[d] = spec->grid.bits[d] + n - level[d];
    g.step[d] = step;
    g.first += WN_GRID_GUARD * step;
    step *= g.cells[d] + 1 + 2 * WN_GRID_GUARD;
  }
  return g;
}

/* As t0431. */
static int side_kind(int potential, int side)
{
  return potential == P   ? WN_SIDE_PERIODIC
         : potential == D ? WN_SIDE_ABSORB
         : side % 2 == 0  ? WN_SIDE_REFLECT
                          : WN_SIDE_ABSORB;
}

/* Points as electrons, some of them dead. */
static int make_electrons(struct wn_particles *p, int dim)
{
  const struct wn_record record = wn_model_mcc.record;
  struct wn_particles made;
  WN_TRY(wn_particles_init(&made, &record, p->n, p->n));
  for (size_t i = 0; i < p->n; i++) {
    const union wn_word *r = wn_particles_at(p, i);
    struct wn_electron e = {.w = r[dim + 3].f, .id = i};
    e.t_left = i % 50 == 0 ? WN_DEAD : 0.0f;
    for (int d = 0; d < dim; d++)
      e.at[d] = r[d].i;
    for (int d = 0; d < 3; d++)
      e.u[d] = r[dim + d].f;
    WN_TRY(wn_particles_append(&made, &e, 1));
  }
  wn_particles_clear(p);
  *p = made;
  return WN_OK;
}

/* Some dead, some at upper walls, some of more than 32 bits of quanta. */
static void make_odd(const struct wn_points *m, struct wn_particles *p)
{
  const int dim = m->grid.dim, n_v = wn_point_velocities(m->kind);
  for (size_t i = 0; i < p->n; i++) {
    union wn_word *r = wn_particles_at(p, i);
    if (i % 97 == 3)
      for (int d = 0; d < dim; d++)
        r[d].i = m->end[d] - (m->grid.side[2 * d] == WN_SIDE_PERIODIC);
    if (i % 97 == 3)
      for (int d = 0; d < n_v; d++)
        r[dim + d].f = 0.0f;
    if (wn_point_weighs(dim, n_v) && i % 53 == 7)
      r[dim + n_v].f = i % 2 == 0 ? 200.0f : 5000.5f;
    if (i % 89 == 0)
      r[0].i = WN_POINT_DEAD;
  }
}

static int deposit_on_host(struct scene *s, int k)
{
  s->want[k] = calloc((size_t)s->c.parent_nodes, sizeof *s->want[k]);
  for (int p = 0; p < s->c.n_parents; p++) {
    struct wn_points m = s->m[k];
    struct wn_deposit *d;
    struct wn_deposited sum;
    int64_t *to = s->want[k] + s->c.parent[p].first;
    m.grid = grid_of(&s->spec, s->c.n, s->c.parent[p].level);
    wn_points_prepare(&m);
    int64_t *q = calloc((size_t)wn_grid_nodes(&m.grid), sizeof *q);
    WN_ASSERT(q != NULL && wn_deposit_create(&m.grid, 1, &d) == WN_OK);
    WN_TRY((s->of->electrons ? wn_deposit_electrons : wn_deposit_points)(d, &m, &s->p[k],
                                                                         q, &sum));
    WN_ASSERT(sum.n > s->p[k].n / 4);
    wn_deposit_free(d);
    wn_deposit_fold(&m.grid, 0, q);
    for (int32_t z = 0; z <= (m.grid.dim > 2 ? m.grid.cells[2] : 0); z++)
      for (int32_t y = 0; y <= m.grid.cells[1]; y++)
        for (int32_t x = 0; x <= m.grid.cells[0]; x++)
          *to++ = q[m.grid.first + x + y * m.grid.step[1] +
                    (m.grid.dim > 2 ? z * m.grid.step[2] : 0)];
    free(q);
  }
  return WN_OK;
}

static int make(struct scene *s, const struct scene_of *of, size_t n)
{
  static const double charge[N_SPECIES] = {-1.0, 1.0}, mass[N_SPECIES] = {1, 9};
  const int dim = wn_point_dim(of->kind);
  const int32_t cells[3] = {1 << of->n, 1 << of->n, 1 << of->n};
  const struct wn_sparse_levels levels = {dim, of->n, of->least, of->more};
  struct wn_grid_view g =
      grid_make(dim, WN_SHAPE_CIC, WN_GATHER_MOMENTUM, cells, 0, 0, H);
  *s = (struct scene){.of = of};
  WN_TRY(wn_components_make(&levels, &s->c));
  s->spec.poisson = (struct wn_poisson_spec){
      .dim = dim, .method = (enum wn_poisson_method)of->method, .threads = 1};
  for (int side = 0; side < 2 * dim; side++) {
    s->spec.poisson.side[side] = (enum wn_potential)of->side[side];
    g.side[side] = side_kind(of->side[side], side);
    s->volt[side] = of->method ? 2.0 : volts[side]; /* spectral: one potential */
  }
  for (int d = 0; d < dim; d++)
    s->spec.poisson.cells[d] = (size_t)cells[d];
  wn_poisson_uniform(&s->spec.poisson, g.h);
  s->spec.grid = g;
  s->spec.n_species = N_SPECIES;
  s->spec.gpu = gpu_device();
  for (int k = 0; k < N_SPECIES; k++) {
    s->spec.charge[k] = 1e6 * charge[k] * WN_E;
    s->m[k] = (struct wn_points){.grid = g,
                                 .kind = of->kind,
                                 .relativistic = k == 0,
                                 .charge = charge[k] * WN_E,
                                 .mass = mass[k] * WN_ME,
                                 .dt = H / 3e6};
    wn_points_prepare(&s->m[k]);
    WN_TRY(points_draw(&s->p[k], &g, of->kind, n >> k, 1e6));
    if (of->electrons)
      WN_TRY(make_electrons(&s->p[k], dim));
    else
      make_odd(&s->m[k], &s->p[k]);
  }
  return WN_OK;
}

static int to_device(struct scene *s)
{
  for (int k = 0; k < N_SPECIES; k++) {
    WN_TRY(deposit_on_host(s, k));
    WN_TRY(wn_gpu_hold(gpu_device(), &s->p[k], 0.0));
  }
  const size_t before = wn_gpu_used(gpu_device());
  WN_TRY(wn_sparse_gpu_create(&s->spec, &s->c, s->at, &s->gpu));
  s->taken = wn_gpu_used(gpu_device()) - before;
  return WN_OK;
}

static void clear(struct scene *s)
{
  wn_sparse_gpu_free(s->gpu);
  for (int k = 0; k < N_SPECIES; k++) {
    wn_particles_clear(&s->p[k]);
    free(s->want[k]);
  }
}

/* ---- charge */

static int deposit_all(struct scene *s, enum wn_sparse_deposit way)
{
  for (size_t k = 0; k < N_SPECIES; k++) {
    WN_TRY(wn_sparse_gpu_clear(s->gpu, k));
    WN_TRY(wn_sparse_gpu_deposit(s->gpu, way, k, &s->m[k], &s->p[k], 0));
    WN_TRY(wn_sparse_gpu_compare(s->gpu, k, &s->m[k], &s->p[k]));
  }
  return WN_OK;
}

static void compare_quanta(struct scene *s, const char *name)
{
  const size_t n = (size_t)s->c.parent_nodes;
  int64_t *got = calloc(n, sizeof *got);
  for (int way = 0; way < WN_N_SPARSE_DEPOSITS; way++) {
    int status = deposit_all(s, (enum wn_sparse_deposit)way), same = 1;
    for (size_t k = 0; k < N_SPECIES && status == WN_OK; k++) {
      status = wn_sparse_gpu_quanta(s->gpu, k, got);
      for (size_t i = 0; status == WN_OK && same && i < n; i++)
        if (got[i] != s->want[k][i]) {
          same = 0;
          diag("species %zu, node %zu: %lld quanta, wanted %lld", k, i, (long long)got[i],
               (long long)s->want[k][i]);
        }
    }
    ok(status == WN_OK && same, "%s: `%s` has the quanta of the host on all parents",
       name, way_name[way]);
  }
  free(got);
}

/* Node at[] of a component, in quanta: the sum over its parent's nodes of their part of its linear shape. */
static double restricted(const struct scene *s, const struct wn_component *c,
                         const int32_t at[3], const int64_t *quanta)
{
  const struct wn_sparse_parent *p = &s->c.parent[c->parent];
  const int dim = s->c.dim;
  int32_t k[3] = {0, 0, 0}, o[3];
  wn_i128 sum = 0;
  for (int d = 0; d < dim; d++)
    k[d] = p->level[d] - c->level[d];
  for (o[2] = -(1 << k[2]) + 1; o[2] < 1 << k[2]; o[2]++)
    for (o[1] = -(1 << k[1]) + 1; o[1] < 1 << k[1]; o[1]++)
      for (o[0] = -(1 << k[0]) + 1; o[0] < 1 << k[0]; o[0]++) {
        int64_t i = p->first, step = 1, w = 1;
        for (int d = 0; d < dim; d++) {
          const int32_t n = 1 << p->level[d];
          int32_t node = (at[d] << k[d]) + o[d];
          if (s->of->side[2 * d] == P)
            node = (node + n) % n;
          w *= node < 0 || node > n ? 0 : (1 << k[d]) - abs(o[d]);
          i += node * step;
          step *= n + 1;
        }
        sum += w != 0 ? (wn_i128)w * quanta[i] : 0;
      }
  return ldexp((double)sum, -(k[0] + k[1] + k[2]));
}

/* rho of a component as fields/electrostatic_host.c has it, of the restricted quanta. */
static void charge_of(const struct scene *s, const struct wn_component *c,
                      const struct wn_grid_view *g, double *rho)
{
  const struct wn_charge_nodes nodes = wn_charge_nodes(g, &s->spec.poisson);
  int32_t at[3];
  for (at[2] = 0; at[2] < wn_nodes_along(g, 2); at[2]++)
    for (at[1] = 0; at[1] < wn_nodes_along(g, 1); at[1]++)
      for (at[0] = 0; at[0] < wn_nodes_along(g, 0); at[0]++) {
        int32_t node[3] = {0, 0, 0};
        double part = 1.0, sum = 0.0;
        for (int d = 0; d < g->dim; d++) {
          node[d] = wn_nodes_is_copy(&nodes, d, at[d]) ? 0 : at[d];
          part *= d > 0 && wn_nodes_is_end(&nodes, d, at[d]) ? 0.5 : 1.0;
        }
        for (int k = 0; k < N_SPECIES; k++)
          sum += s->spec.charge[k] * wn_nodes_per_volume(&nodes, part, 1) *
                 restricted(s, c, node, s->want[k]);
        *rho++ = sum * (wn_nodes_is_end(&nodes, 0, at[0]) ? 2.0 : 1.0) + 1e-9;
      }
}

/* ---- potential and E */

static double most_of(const double *a, size_t n)
{
  double most = 0.0;
  for (size_t i = 0; i < n; i++)
    most = fmax(most, isfinite(a[i]) ? fabs(a[i]) : INFINITY);
  return most;
}

static double distance(const double *a, const double *b, size_t n)
{
  double most = 0.0;
  for (size_t i = 0; i < n; i++)
    most = isfinite(a[i]) && isfinite(b[i]) ? fmax(most, fabs(a[i] - b[i])) : INFINITY;
  return most;
}

/* What the device has of all components. */
struct got {
  double *rho, *phi, *e[3];
  float *floats;
};

/* A component: the distance of phi, and of E, from the host's, of the largest phi. */
static int compare_component(const struct scene *s, int i, const struct got *got,
                             int *same, double worst[2])
{
  const struct wn_component *c = &s->c.c[i];
  const struct wn_grid_view g = grid_of(&s->spec, s->c.n, c->level);
  const size_t n = (size_t)wn_sparse_nodes(s->c.dim, c->level);
  struct wn_poisson_spec spec = s->spec.poisson;
  struct wn_poisson *p;
  double *rho = calloc(n, sizeof *rho), *phi = calloc(n, sizeof *phi),
         *e = calloc(n, sizeof *e);
  WN_ASSERT(rho != NULL && phi != NULL && e != NULL);
  for (int d = 0; d < s->c.dim; d++)
    spec.cells[d] = (size_t)g.cells[d];
  wn_poisson_uniform(&spec, g.h);
  charge_of(s, c, &g, rho);
  *same = *same && memcmp(rho, got->rho + c->first, n * sizeof *rho) == 0;
  WN_TRY(wn_poisson_create(&spec, &p));
  int status = wn_poisson_solve(p, rho, s->volt, phi);
  const double most = most_of(phi, n);
  worst[0] = fmax(worst[0], distance(phi, got->phi + c->first, n) / most);
  for (int d = 0; d < s->c.dim && status == WN_OK; d++) {
    wn_poisson_field(p, phi, d, 0, e);
    worst[1] = fmax(worst[1], distance(e, got->e[d] + c->first, n) * g.h[d] / most);
  }
  wn_poisson_free(p);
  free(rho);
  free(phi);
  free(e);
  return status;
}

/* The sum over all components of the interpolation of E along d at a place, in cells of the full grid. */
static double combined(const struct scene *s, const struct got *got, int d,
                       const double at[3])
{
  double sum = 0.0;
  for (int i = 0; i < s->c.n_components; i++) {
    const struct wn_component *c = &s->c.c[i];
    for (int corner = 0; corner < 1 << s->c.dim; corner++) {
      double w = c->coefficient;
      int64_t node = c->first, step = 1;
      for (int a = 0; a < s->c.dim; a++) {
        const double x = ldexp(at[a], c->level[a] - s->c.n);
        const int64_t low = (int64_t)x;
        const double part = x - (double)low;
        const int high = corner >> a & 1;
        w *= high ? part : 1.0 - part;
        node += (low + high) * step;
        step *= wn_sparse_nodes_along(c->level[a]);
      }
      sum += w != 0.0 ? w * got->e[d][node] : 0.0;
    }
  }
  return sum;
}

/* Of every node, and guard, of a small grid, else of one in `each`. */
static void compare_nodes(const struct scene *s, const struct got *got, double *most,
                          double *off)
{
  const struct wn_grid_view *g = &s->spec.grid;
  const struct wn_charge_nodes nodes = wn_charge_nodes(g, &s->spec.poisson);
  const int64_t n = wn_grid_nodes(g), each = n / 40000 + 1;
  for (int64_t i = 0; i < n; i += each) {
    int32_t node[3];
    double at[3] = {0.0, 0.0, 0.0};
    int sign[3] = {1, 1, 1};
    grid_next(g, i, node);
    for (int d = 0; d < g->dim; d++)
      at[d] = (double)wn_nodes_beyond(&nodes, d, node[d], 0, &sign[d]);
    for (int d = 0; d < g->dim; d++) {
      const double want = sign[d] * combined(s, got, d, at),
                   by = fabs(want - (double)got->floats[i * g->stride + d]);
      *most = fmax(*most, fabs(want));
      *off = by <= *off ? *off : isnan(by) ? INFINITY : by;
    }
  }
}

/* At places anywhere, some of them nodes and walls. */
static void compare_places(const struct scene *s, const struct got *got, double *most,
                           double *off)
{
  struct wn_grid_view g = s->spec.grid;
  wn_sparse_view(&s->c, s->at, &g);
  g.e = got->floats;
  for (int i = 0; i < 20000; i++) {
    int32_t cell[3] = {0, 0, 0};
    uint32_t part[3] = {0, 0, 0};
    double at[3] = {0.0, 0.0, 0.0};
    float e[3];
    for (int d = 0; d < g.dim; d++) {
      const int is_node = uniform() < 0.25;
      cell[d] = (int32_t)(uniform() * (g.cells[d] + is_node));
      part[d] = is_node ? 0 : (uint32_t)(uniform() * 0x1p32);
      at[d] = (double)cell[d] + (double)part[d] * 0x1p-32;
    }
    grid_linear(&g, cell, part, e);
    for (int d = 0; d < g.dim; d++) {
      const double want = combined(s, got, d, at), by = fabs(want - (double)e[d]);
      *most = fmax(*most, fabs(want));
      *off = by <= *off ? *off : isnan(by) ? INFINITY : by;
    }
  }
}

static void compare_floats(const struct scene *s, const struct got *got)
{
  double most = 0.0, off = 0.0;
  (s->at == WN_SPARSE_NODES ? compare_nodes : compare_places)(s, got, &most, &off);
  ok(most > 0.0 && off <= 1e-6 * most,
     "%s, at the %s: E for the particles (%.2g of %.3g V/m)", s->of->name,
     s->at == WN_SPARSE_NODES ? "nodes" : "particle", off, most);
}

static void compare_fields(struct scene *s)
{
  const size_t n = (size_t)s->c.nodes;
  struct got got = {.rho = calloc(n, sizeof(double)), .phi = calloc(n, sizeof(double))};
  int same = 1;
  double worst[2] = {0.0, 0.0};
  got.floats = calloc(wn_sparse_floats(&s->c, s->at, &s->spec.grid), sizeof *got.floats);
  int status = wn_sparse_gpu_solve(s->gpu, 1e-9, s->volt);
  if (status == WN_OK)
    status = wn_sparse_gpu_combine(s->gpu);
  if (status == WN_OK)
    status = wn_sparse_gpu_charge(s->gpu, got.rho);
  if (status == WN_OK)
    status = wn_sparse_gpu_potential(s->gpu, got.phi);
  for (int d = 0; d < s->c.dim; d++) {
    got.e[d] = calloc(n, sizeof(double));
    if (status == WN_OK)
      status = wn_sparse_gpu_e(s->gpu, d, got.e[d]);
  }
  if (status == WN_OK)
    status = wn_sparse_gpu_gathered(s->gpu, got.floats);
  for (int i = 0; i < s->c.n_components && status == WN_OK; i++)
    status = compare_component(s, i, &got, &same, worst);
  ok(status == WN_OK && same, "%s: rho of %d components, to the bit", s->of->name,
     s->c.n_components);
  ok(status == WN_OK && worst[0] < 1e-12, "%s: potential (%.2g)", s->of->name, worst[0]);
  ok(status == WN_OK && worst[1] < 1e-12, "%s: E (%.2g)", s->of->name, worst[1]);
  if (status == WN_OK)
    compare_floats(s, &got);
  free(got.rho);
  free(got.phi);
  free(got.floats);
  for (int d = 0; d < 3; d++)
    free(got.e[d]);
}

/* The same grids with E combined at the particle. */
static void at_particle(struct scene *s)
{
  wn_sparse_gpu_free(s->gpu);
  s->gpu = NULL;
  s->at = WN_SPARSE_PARTICLE;
  const size_t before = wn_gpu_used(gpu_device());
  int status = wn_sparse_gpu_create(&s->spec, &s->c, s->at, &s->gpu);
  s->taken = wn_gpu_used(gpu_device()) - before;
  if (status == WN_OK)
    status = deposit_all(s, WN_SPARSE_AUTO);
  if (!ok(status == WN_OK, "%s, at the particle", s->of->name))
    return;
  is_int((long long)s->taken, (long long)wn_sparse_gpu_memory(&s->spec, &s->c, s->at),
         "%s, at the particle: bytes", s->of->name);
  compare_fields(s);
}

/* ---- what is seldom */

/* Most in a small part of one cell of every grid: 4096 of weight 1 are 2^32 quanta. */
static void crowded(int kind)
{
  const struct scene_of of = {"crowded",          kind, 7, 1, wn_point_dim(kind) - 1,
                              {P, P, P, P, P, P}, 0,    0};
  const int dim = wn_point_dim(kind), n_v = wn_point_velocities(kind);
  struct scene s;
  int status = make(&s, &of, gpu_size(400000, 60000));
  for (int k = 0; k < N_SPECIES && status == WN_OK; k++)
    for (size_t i = 0; i < s.p[k].n; i++) {
      union wn_word *r = wn_particles_at(&s.p[k], i);
      for (int d = 0; d < dim; d++)
        r[d].i =
            (5 << s.m[k].grid.bits[d]) + (r[d].i & ((1 << s.m[k].grid.bits[d]) - 1)) / 16;
      for (int d = 0; d < n_v; d++)
        r[dim + d].f *= 0.01f;
    }
  if (status == WN_OK)
    status = to_device(&s);
  if (ok(status == WN_OK, "particles in one cell"))
    compare_quanta(&s, of.name);
  clear(&s);
}

/* Newcomers alone; one more is seen; a weight that is none. */
static void seldom(void)
{
  struct scene s;
  const size_t n = gpu_size(20011, 2003);
  int64_t *got[2] = {NULL, NULL};
  int status = make(&s, &scenes[0], n);
  if (status == WN_OK)
    status = to_device(&s);
  struct wn_particles few = s.p[0];
  for (int i = 0; i < 2; i++)
    got[i] = calloc((size_t)s.c.parent_nodes, sizeof *got[i]);
  few.n = n / 3;
  if (status == WN_OK)
    status = wn_sparse_gpu_deposit(s.gpu, WN_SPARSE_PRIVATE, 0, &s.m[0], &few, 0);
  if (status == WN_OK)
    status = wn_sparse_gpu_deposit(s.gpu, WN_SPARSE_ATOMIC, 0, &s.m[0], &s.p[0], n / 3);
  if (status == WN_OK)
    status = wn_sparse_gpu_compare(s.gpu, 0, &s.m[0], &s.p[0]);
  if (status == WN_OK)
    status = wn_sparse_gpu_quanta(s.gpu, 0, got[0]);
  ok(status == WN_OK &&
         memcmp(got[0], s.want[0], (size_t)s.c.parent_nodes * sizeof *got[0]) == 0,
     "a third, and the newcomers behind it");
  capture();
  if (status == WN_OK)
    status = wn_sparse_gpu_deposit(s.gpu, WN_SPARSE_AUTO, 0, &s.m[0], &s.p[0], n - 2);
  if (status == WN_OK)
    status = wn_sparse_gpu_compare(s.gpu, 0, &s.m[0], &s.p[0]);
  const int is_seen =
      status == WN_OK && wn_sparse_gpu_quanta(s.gpu, 0, got[0]) == WN_ERUN;
  ok(is_seen, "particles that are deposited twice are seen: %s", captured());
  clear(&s);
  status = make(&s, &scenes[0], n);
  if (status == WN_OK)
    ((union wn_word *)wn_particles_at(&s.p[0], 5))[6].f = NAN;
  for (int k = 0; k < N_SPECIES && status == WN_OK; k++)
    status = wn_gpu_hold(gpu_device(), &s.p[k], 0.0);
  if (status == WN_OK)
    status = wn_sparse_gpu_create(&s.spec, &s.c, s.at, &s.gpu);
  if (status == WN_OK)
    status = wn_sparse_gpu_deposit(s.gpu, WN_SPARSE_AUTO, 0, &s.m[0], &s.p[0], 0);
  capture();
  const int seen = status == WN_OK && wn_sparse_gpu_quanta(s.gpu, 0, got[0]) == WN_ERUN;
  const char *text = captured();
  ok(seen && strstr(text, "the weights of 1 particles") != NULL,
     "a weight that is no number: %s", text);
  clear(&s);
  free(got[0]);
  free(got[1]);
}

int main(void)
{
  gpu_or_skip();
  plan(0);
  draw_state = 4450;
  for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
    struct scene s;
    int status = make(&s, &scenes[i], gpu_size(200003, 5003));
    if (status == WN_OK)
      status = to_device(&s);
    if (ok(status == WN_OK, "%s", scenes[i].name)) {
      is_int((long long)s.taken, (long long)wn_sparse_gpu_memory(&s.spec, &s.c, s.at),
             "%s: bytes", scenes[i].name);
      compare_quanta(&s, scenes[i].name);
      compare_fields(&s);
      at_particle(&s);
    }
    clear(&s);
  }
  crowded(WN_POINT_3D3V);
  crowded(WN_POINT_2D2V);
  seldom();
  return done();
}

#else

int main(void)
{
  gpu_or_skip();
  return 1;
}

#endif
