/* fields/sparse/sparse.c - see sparse.h: life, the order of a step, and what diagnostics ask.  Where the grids
 * are, struct wn_sparse_place does each part (sparse_parts.h). */
#include "fields/sparse/sparse.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"
#include "fields/sparse/sparse_parts.h"
#include "physics/constants.h"

static struct wn_sparse *of(struct wn_field *field)
{
  WN_ASSERT(field->ops == &wn_field_sparse);
  return (struct wn_sparse *)(void *)field;
}

static const struct wn_sparse *of_const(const struct wn_field *field)
{
  WN_ASSERT(field->ops == &wn_field_sparse);
  return (const struct wn_sparse *)(const void *)field;
}

/* ---- shapes */

static int check(const struct wn_sparse_spec *spec)
{
  const struct wn_grid_view *g = &spec->full.grid;
  if (g->shape != WN_SHAPE_CIC || g->gather != WN_GATHER_MOMENTUM)
    return WN_FAIL(WN_EINPUT,
                   "field sparse: shape \"cic\" and gather \"momentum\" alone");
  for (int d = 0; d < g->dim; d++)
    if (g->cells[d] != 1 << spec->levels.n)
      return WN_FAIL(WN_EINPUT, "field sparse: %d cells along axis %d (allowed: 2^%d)",
                     g->cells[d], d, spec->levels.n);
  for (int side = 0; side < 2 * g->dim; side++)
    if (spec->full.poisson.side[side] == WN_OPEN)
      return WN_FAIL(WN_EINPUT, "field sparse: open sides are not supported");
  WN_ASSERT(g->dim == spec->levels.dim && !spec->full.in_slabs);
  return wn_poisson_check_uniform(&spec->full.poisson, "field sparse");
}

/* Shapes; no memory. */
static int lay_out(struct wn_sparse *f, const struct wn_sparse_spec *spec)
{
  const struct wn_grid_view *g = &spec->full.grid;
  WN_ASSERT(spec->full.n_species <= WN_FIELD_SPECIES);
  *f = (struct wn_sparse){.field.ops = &wn_field_sparse,
                          .spec = *spec,
                          .grid = *g,
                          .nodes = wn_charge_nodes(g, &spec->full.poisson),
                          .background = spec->full.background,
                          .threads = wn_threads(spec->full.poisson.threads),
                          .on = spec->full.gpu == NULL ? &wn_sparse_on_host
                                                       : &wn_sparse_on_gpu};
  WN_TRY(wn_components_make(&spec->levels, &f->c));
  WN_TRY(check(spec));
  f->n_floats = wn_sparse_floats(&f->c, spec->at, g);
  f->n_nodes = 1;
  for (int d = 0; d < g->dim; d++) {
    f->is_periodic[d] = wn_nodes_are_periodic(&f->nodes, d);
    f->plane = f->n_nodes; /* of the last axis, at the end */
    f->n_nodes *= (size_t)g->cells[d] + 1;
  }
  size_t largest = f->plane;
  for (int i = 0; i < f->c.n_components; i++) {
    const size_t n = (size_t)wn_sparse_nodes(f->c.dim, f->c.c[i].level);
    largest = n > largest ? n : largest;
  }
  f->each_work =
      wn_sparse_work(&f->c) + (largest > 2 * f->plane ? largest : 2 * f->plane);
  return WN_OK;
}

/* Arrays of doubles that both places have: quanta of species, rho, phi and E of the components, numbers on the
 * parents. */
static size_t shared_bytes(const struct wn_sparse *f)
{
  return (f->spec.full.n_species + 1) * (size_t)f->c.parent_nodes * sizeof(double) +
         (size_t)(2 + f->c.dim) * (size_t)f->c.nodes * sizeof(double) +
         (size_t)f->threads * f->each_work * sizeof(double);
}

size_t wn_sparse_bytes(const struct wn_sparse_spec *spec)
{
  struct wn_sparse f;
  if (lay_out(&f, spec) != WN_OK)
    return SIZE_MAX;
  size_t all = shared_bytes(&f) +
               (spec->full.n_species + (size_t)f.c.dim) * (size_t)f.c.parent_nodes *
                   sizeof(double) +
               f.n_floats * sizeof *f.e;
  for (int i = 0; i < f.c.n_parents; i++) {
    const struct wn_grid_view g = wn_sparse_grid(&f.grid, f.c.n, f.c.parent[i].level);
    all += spec->full.n_species * (size_t)wn_grid_nodes(&g) * sizeof(int64_t) +
           wn_deposit_bytes(&g, f.threads);
  }
  for (int i = 0; i < f.c.n_components; i++) {
    const struct wn_poisson_spec p = wn_sparse_poisson_spec(spec, &f.c, i);
    all += wn_poisson_bytes(&p);
  }
  return all;
}

size_t wn_sparse_gpu_bytes(const struct wn_sparse_spec *spec)
{
  struct wn_sparse f;
  if (lay_out(&f, spec) != WN_OK)
    return SIZE_MAX;
  return wn_sparse_gpu_memory(&f.spec.full, &f.c, spec->at);
}

/* ---- life */

static void destroy(struct wn_field *field)
{
  if (field == NULL)
    return;
  struct wn_sparse *f = of(field);
  f->on->free(f);
  for (size_t k = 0; k < f->spec.full.n_species; k++)
    free(f->quanta[k]);
  for (int d = 0; d < WN_MAX_DIM; d++)
    free(f->component_e[d]);
  free(f->rho);
  free(f->phi);
  free(f->parents);
  free(f->work);
  free(f->whole);
  free(f->e);
  free(f);
}

static int allocate(struct wn_sparse *f)
{
  const size_t nodes = (size_t)f->c.nodes, parents = (size_t)f->c.parent_nodes;
  int has_all = 1;
  for (size_t k = 0; k < f->spec.full.n_species; k++)
    has_all &= (f->quanta[k] = wn_alloc(parents, sizeof *f->quanta[k])) != NULL;
  for (int d = 0; d < f->c.dim; d++)
    has_all &= (f->component_e[d] = wn_alloc(nodes, sizeof *f->component_e[d])) != NULL;
  has_all &= (f->rho = wn_alloc(nodes, sizeof *f->rho)) != NULL;
  has_all &= (f->phi = wn_alloc(nodes, sizeof *f->phi)) != NULL;
  has_all &= (f->parents = wn_alloc(parents, sizeof *f->parents)) != NULL;
  has_all &=
      (f->work = wn_alloc((size_t)f->threads * f->each_work, sizeof *f->work)) != NULL;
  if (f->spec.full.gpu == NULL)
    has_all &= (f->e = wn_alloc(f->n_floats, sizeof *f->e)) != NULL;
  return has_all ? WN_OK : WN_ENOMEM;
}

int wn_sparse_create(const struct wn_sparse_spec *spec, struct wn_field **out)
{
  struct wn_sparse *f = wn_alloc(1, sizeof *f);
  if (f == NULL)
    return WN_ENOMEM;
  int status = lay_out(f, spec);
  if (status != WN_OK) {
    free(f);
    return status;
  }
  for (size_t k = 0; k < spec->full.n_species; k++)
    f->spec.full.points[k].grid = f->grid;
  status = allocate(f);
  if (status == WN_OK)
    status = f->on->create(f);
  if (status != WN_OK) {
    destroy(&f->field);
    return status;
  }
  *out = &f->field;
  return WN_OK;
}

/* ---- charge of all particles */

/* Particles of weight 1 of species k. */
static int particles_of(struct wn_sparse *f, size_t k, double *n)
{
  const struct wn_sparse_parent *p = &f->c.parent[0];
  const int64_t nodes = wn_sparse_nodes(f->c.dim, p->level);
  wn_i128 sum = 0;
  WN_TRY(f->on->fetch_quanta(f, k));
  for (int64_t i = 0; i < nodes; i++)
    sum += f->quanta[k][p->first + i];
  *n = (double)sum / WN_QUANTA;
  return WN_OK;
}

static double volume(const struct wn_sparse *f)
{
  double v = 1.0;
  for (int d = 0; d < f->c.dim; d++)
    v *= (double)f->grid.cells[d] * f->grid.h[d];
  return v;
}

/* C, of the particles. */
static int charge_of_all(struct wn_sparse *f, double *charge)
{
  *charge = 0.0;
  for (size_t k = 0; k < f->spec.full.n_species; k++) {
    double n;
    WN_TRY(particles_of(f, k, &n));
    *charge += f->spec.full.charge[k] * n;
  }
  return WN_OK;
}

/* ---- the step */

static int solve(struct wn_field *field, struct wn_particles *const *species, size_t n,
                 double t, double dt)
{
  struct wn_sparse *f = of(field);
  struct wn_electrostatic_spec *spec = &f->spec.full;
  double volt[6] = {0.0}, charge;
  WN_ASSERT(n == spec->n_species);
  for (size_t k = 0; k < n; k++) {
    const double step = spec->fixed[k] || spec->waits[k] ? 0.0 : dt;
    if (spec->points[k].dt != step) {
      spec->points[k].dt = step;
      wn_points_prepare(&spec->points[k]);
    }
  }
  for (int side = 0; side < 2 * f->grid.dim; side++)
    volt[side] = wn_voltage_at(&spec->voltage[side], t + 0.5 * dt);
  WN_TRY(f->on->charge(f, species));
  if (isnan(f->background)) { /* what neutralizes the charge of the beginning */
    WN_TRY(charge_of_all(f, &charge));
    f->background = -charge / volume(f);
  }
  return f->on->solve(f, volt);
}

static void view(const struct wn_field *field, struct wn_field_view *out)
{
  const struct wn_sparse *f = of_const(field);
  out->kind = WN_FIELD_GRID;
  out->of.grid = f->grid;
  wn_sparse_view(&f->c, f->spec.at, &out->of.grid);
}

static int state(struct wn_field *field, struct wn_state *s)
{
  return WN_STATE(s, of(field)->background);
}

/* ---- what diagnostics ask */

static size_t nodes_of(const struct wn_field *field)
{
  return of_const(field)->n_nodes;
}

/* Values of all components at the nodes of the full grid. */
static void to_full(struct wn_sparse *f, const double *components, double *out)
{
  const int64_t planes = f->grid.cells[f->c.dim - 1] + 1;
  wn_sparse_combine(&f->c, components, f->work, f->parents);
  for (int64_t k = 0; k < planes; k++)
    wn_sparse_plane(&f->c, f->parents, k, f->work, out + (size_t)k * f->plane);
}

static int whole(struct wn_sparse *f, const double *components, const double **out)
{
  if (f->whole == NULL)
    f->whole = wn_alloc(f->n_nodes, sizeof *f->whole);
  if (f->whole == NULL)
    return WN_ENOMEM;
  to_full(f, components, f->whole);
  *out = f->whole;
  return WN_OK;
}

static int potential(struct wn_field *field, const double **phi)
{
  struct wn_sparse *f = of(field);
  WN_TRY(f->on->fetch_phi(f));
  return whole(f, f->phi, phi);
}

static int charge_of(struct wn_field *field, const double **rho)
{
  struct wn_sparse *f = of(field);
  WN_TRY(f->on->fetch_rho(f));
  return whole(f, f->rho, rho);
}

static int e_of(struct wn_field *field, int d, double *e)
{
  struct wn_sparse *f = of(field);
  WN_TRY(f->on->fetch_e(f, d));
  to_full(f, f->component_e[d], e);
  return WN_OK;
}

static int gathered(struct wn_field *field, struct wn_grid_view *out)
{
  struct wn_sparse *f = of(field);
  if (f->e == NULL)
    f->e = wn_alloc(f->n_floats, sizeof *f->e);
  if (f->e == NULL)
    return WN_ENOMEM;
  WN_TRY(f->on->fetch_floats(f));
  *out = f->grid;
  wn_sparse_view(&f->c, f->spec.at, out);
  out->e = f->e;
  return WN_OK;
}

static int density(struct wn_field *field, size_t species, double *n)
{
  struct wn_sparse *f = of(field);
  const double one = 1.0;
  double *numbers = wn_alloc((size_t)(f->c.parent_nodes + f->c.nodes), sizeof *numbers);
  if (numbers == NULL)
    return WN_ENOMEM;
  double *components = numbers + f->c.parent_nodes; /* all 0 */
  const int status = f->on->fetch_quanta(f, species);
  if (status == WN_OK) {
    wn_sparse_numbers(f, f->quanta[species], numbers);
    for (int i = 0; i < f->c.n_components; i++)
      wn_sparse_component_charge(f, i, 1, &one, numbers, f->work,
                                 components + f->c.c[i].first);
    to_full(f, components, n);
  }
  free(numbers);
  return status;
}

static int sums(struct wn_field *field, struct wn_field_sums *out)
{
  struct wn_sparse *f = of(field);
  double square;
  *out = (struct wn_field_sums){.residual = NAN, .gauss = NAN};
  WN_TRY(f->on->fetch_phi(f));
  WN_TRY(wn_sparse_sums(f, &square, out->drop));
  out->energy = 0.5 * WN_EPS0 * wn_nodes_cell(&f->grid) * square;
  WN_TRY(charge_of_all(f, &out->charge));
  out->charge += f->background * volume(f);
  return WN_OK;
}

static int begin_sums(struct wn_field *field)
{
  (void)field;
  return WN_OK;
}

static int waves(struct wn_field *field, const struct wn_waves *w, double *out)
{
  struct wn_sparse *f = of(field);
  WN_TRY(f->on->fetch_phi(f));
  return wn_sparse_waves(f, w, out);
}

/* Its grids and levels are more than struct wn_field_spec says. */
static int create(const struct wn_field_spec *spec, struct wn_field **out)
{
  WN_ASSERT(spec->sparse != NULL);
  return wn_sparse_create(spec->sparse, out);
}

static const struct wn_field_grid_ops on_grid = {
    .nodes = nodes_of,
    .potential = potential,
    .charge = charge_of,
    .e = e_of,
    .gathered = gathered,
    .density = density,
    .sums = sums,
    .begin_sums = begin_sums,
    .waves = waves,
};

const struct wn_field_ops wn_field_sparse = {
    .name = "sparse",
    .create = create,
    .solve = solve,
    .view = view,
    .grid = &on_grid,
    .state = state,
    .free = destroy,
};
