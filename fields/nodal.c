/* fields/nodal.c - see nodal.h. */
#include "fields/nodal.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/ranks.h"
#include "base/threads.h"
#include "device/gpu.h"
#include "fields/deposit.h"
#include "physics/constants.h"
#include "physics/nodal_field.h"

/* Arrays of the values: those of the step, and of two times between which it lies. */
enum { NOW, BEFORE, AFTER, N_ARRAYS };

struct nodal {
  struct wn_field field;
  struct wn_nodal_spec spec;
  struct wn_grid_view grid;
  struct wn_charge_nodes nodes;
  float *eb[N_ARRAYS]; /* [n][WN_NODAL_VALUES]; the last two where it is linear in time */
  struct wn_gpu_copy on_gpu; /* of the values of the step, where particles are on a GPU */
  size_t time[N_ARRAYS];     /* that an array has; SIZE_MAX: none yet */
  size_t n, n_nodes;         /* with and without guards */
  double *component;         /* [n_nodes], for the source */
  double energy, whole[3];   /* J; integral of E along each axis over the domain */
  /* of the last step, for what diagnostics ask */
  struct wn_particles *of_species[WN_FIELD_SPECIES];
  double dt;
  uint64_t steps, charge_of; /* so far; that of which rho is */
  struct wn_deposit *deposit;
  int64_t *quanta; /* [n] */
  double *rho;     /* [n_nodes] */
  double *own;     /* [n_nodes], density of one species */
};

static struct nodal *of(struct wn_field *field)
{
  WN_ASSERT(field->ops == &wn_field_nodal);
  return (struct nodal *)(void *)field;
}

static const struct nodal *of_const(const struct wn_field *field)
{
  WN_ASSERT(field->ops == &wn_field_nodal);
  return (const struct nodal *)(const void *)field;
}

static int is_linear(const struct wn_nodal_source *s)
{
  return s->is_linear && s->n_times > 1;
}

static void destroy(struct wn_field *field)
{
  struct nodal *f = of(field);
  for (int i = 0; i < N_ARRAYS; i++)
    free(f->eb[i]);
  wn_gpu_copy_free(f->spec.plasma.gpu, &f->on_gpu);
  free(f->component);
  wn_deposit_free(f->deposit);
  free(f->quanta);
  free(f->rho);
  free(f->own);
  if (f->spec.source.free != NULL)
    f->spec.source.free(f->spec.source.of);
  free(f);
}

size_t wn_nodal_bytes(const struct wn_nodal_spec *spec)
{
  const struct wn_charge_nodes nodes =
      wn_charge_nodes(&spec->plasma.grid, &spec->plasma.poisson);
  size_t n_nodes = 1;
  for (int d = 0; d < nodes.grid.dim; d++)
    n_nodes *= (size_t)wn_nodes_along(&nodes.grid, d);
  return (size_t)wn_grid_nodes(&spec->plasma.grid) *
             ((is_linear(&spec->source) ? (size_t)N_ARRAYS : 1) * WN_NODAL_VALUES *
                  sizeof(float) +
              sizeof(int64_t)) +
         wn_deposit_bytes(&spec->plasma.grid, spec->plasma.poisson.threads) +
         3 * n_nodes * sizeof(double);
}

size_t wn_nodal_gpu_bytes(const struct wn_nodal_spec *spec)
{
  return (size_t)wn_grid_nodes(&spec->plasma.grid) * WN_NODAL_VALUES * sizeof(float);
}

/* ---- the values */

/* Each node i, all included, and its indices at[] along each axis; guards: those too. */
#define FOR_NODES(f, guards, at)                                                         \
  for (int32_t at[3] = {-(guards), -(guards), -(guards)}, one = first_node(f, at); one;  \
       one = next_node(f, guards, at))

static int first_node(const struct nodal *f, int32_t at[3])
{
  for (int d = f->grid.dim; d < 3; d++)
    at[d] = 0;
  return 1;
}

static int next_node(const struct nodal *f, int guards, int32_t at[3])
{
  for (int d = 0; d < f->grid.dim; d++) {
    if (at[d]++ < f->grid.cells[d] + guards)
      return 1;
    at[d] = -guards;
  }
  return 0;
}

static float *values_at(const struct nodal *f, float *eb, const int32_t at[3])
{
  return eb + (size_t)wn_grid_node(&f->grid, f->grid.dim, at) * WN_NODAL_VALUES;
}

/* Its place among the values of a node. */
static int slot(int c)
{
  return c < 3 ? c : WN_NODAL_B + c - 3;
}

static void by_formula(const struct nodal *f, float *eb)
{
  const struct wn_nodal_source *s = &f->spec.source;
  FOR_NODES (f, WN_GRID_GUARD, at) {
    double x[3] = {0.0, 0.0, 0.0}, v[WN_NODAL_COMPONENTS] = {0.0};
    for (int d = 0; d < f->grid.dim; d++)
      x[d] = at[d] * f->grid.h[d];
    s->at(s->of, x, v);
    for (int c = 0; c < WN_NODAL_COMPONENTS; c++)
      values_at(f, eb, at)[slot(c)] = (float)v[c];
  }
}

static int by_file(const struct nodal *f, size_t time, float *eb)
{
  for (int c = 0; c < WN_NODAL_COMPONENTS; c++) {
    const double *v = f->component;
    WN_TRY(f->spec.source.read(f->spec.source.of, time, c, f->component));
    FOR_NODES (f, 0, at) {
      values_at(f, eb, at)[slot(c)] = (float)*v++;
    }
  }
  return WN_OK;
}

/* Guards: copies beyond a periodic side; beyond others the field of a file goes on linearly. */
static void fill_guards(const struct nodal *f, float *eb)
{
  const struct wn_grid_view *g = &f->grid;
  for (int d = 0; d < g->dim; d++) {
    const int64_t step = (int64_t)g->step[d] * WN_NODAL_VALUES, cells = g->cells[d];
    const int periodic = wn_nodes_are_periodic(&f->nodes, d);
    if (!periodic && f->spec.source.at != NULL)
      continue;
    FOR_NODES (f, WN_GRID_GUARD, at) {
      float *v = values_at(f, eb, at);
      const int low = at[d] < 0, copy = periodic && at[d] == cells;
      if (!low && !copy && at[d] <= cells)
        continue;
      for (int c = 0; c < WN_NODAL_VALUES; c++)
        v[c] = copy       ? v[c - cells * step]
               : periodic ? v[c + (low ? cells : -cells) * step]
               : low      ? 2.0f * v[c + step] - v[c + 2 * step]
                          : 2.0f * v[c - step] - v[c - 2 * step];
    }
  }
}

static int make(struct nodal *f, int array, size_t time)
{
  if (f->time[array] == time)
    return WN_OK;
  f->time[array] = SIZE_MAX;
  if (f->spec.source.at != NULL)
    by_formula(f, f->eb[array]);
  else
    WN_TRY(by_file(f, time, f->eb[array]));
  fill_guards(f, f->eb[array]);
  f->time[array] = time;
  return WN_OK;
}

/* Part of a cell's volume that a node has; 0: a copy. */
static double share(const struct nodal *f, const int32_t at[3])
{
  double part = 1.0;
  for (int d = 0; d < f->grid.dim; d++)
    part *= wn_nodes_is_copy(&f->nodes, d, at[d])  ? 0.0
            : wn_nodes_is_end(&f->nodes, d, at[d]) ? 0.5
                                                   : 1.0;
  return part;
}

static void integrate(struct nodal *f)
{
  const double cell = wn_nodes_cell(&f->grid);
  f->energy = 0.0;
  memset(f->whole, 0, sizeof f->whole);
  FOR_NODES (f, 0, at) {
    const float *v = values_at(f, f->eb[NOW], at);
    const double part = share(f, at) * cell;
    for (int d = 0; d < 3; d++) {
      f->energy += 0.5 * WN_EPS0 * part * (double)v[d] * (double)v[d];
      if (d < f->grid.dim)
        f->whole[d] += part * (double)v[d];
    }
  }
}

/* The time that t belongs to: the last that has come, or the first. */
static size_t time_of(const struct wn_nodal_source *s, double t)
{
  size_t k = 0;
  while (k + 1 < s->n_times && s->times[k + 1] <= t)
    k++;
  return k;
}

static int to_gpu(struct nodal *f)
{
  struct wn_gpu *g = f->spec.plasma.gpu;
  if (g == NULL)
    return WN_OK;
  wn_gpu_copy_free(g, &f->on_gpu);
  return wn_gpu_copy(g, f->eb[NOW], f->n * WN_NODAL_VALUES * sizeof **f->eb, &f->on_gpu);
}

static int set_time(struct nodal *f, double t)
{
  const struct wn_nodal_source *s = &f->spec.source;
  const size_t k = time_of(s, t), had = f->time[NOW];
  if (!is_linear(s)) {
    WN_TRY(make(f, NOW, k));
    if (had == k)
      return WN_OK;
    integrate(f);
    return to_gpu(f);
  }
  if (f->time[AFTER] == k) { /* the next interval begins where the last ended */
    float *was = f->eb[BEFORE];
    f->eb[BEFORE] = f->eb[AFTER];
    f->eb[AFTER] = was;
    f->time[AFTER] = f->time[BEFORE];
    f->time[BEFORE] = k;
  }
  const size_t next = k + 1 < s->n_times ? k + 1 : k;
  WN_TRY(make(f, BEFORE, k));
  if (next > k) /* else its part is 0, whatever it has */
    WN_TRY(make(f, AFTER, next));
  const double part = next > k ? (t - s->times[k]) / (s->times[next] - s->times[k]) : 0.0;
  const float by = (float)(part > 0.0 ? part : 0.0);
  for (size_t i = 0; i < f->n * WN_NODAL_VALUES; i++)
    f->eb[NOW][i] = fmaf(by, f->eb[AFTER][i] - f->eb[BEFORE][i], f->eb[BEFORE][i]);
  integrate(f);
  return to_gpu(f);
}

/* ---- life, and the step */

static int allocate(struct nodal *f)
{
  const size_t line = 64;
  for (int i = 0; i < (is_linear(&f->spec.source) ? N_ARRAYS : 1); i++) {
    f->eb[i] = wn_alloc_aligned(f->n, WN_NODAL_VALUES * sizeof **f->eb, line);
    f->time[i] = SIZE_MAX;
    if (f->eb[i] == NULL)
      return WN_ENOMEM;
  }
  f->component = wn_alloc(f->n_nodes, sizeof *f->component);
  return f->component != NULL ? WN_OK : WN_ENOMEM;
}

int wn_nodal_create(const struct wn_nodal_spec *spec, struct wn_field **out)
{
  struct nodal *f = wn_alloc(1, sizeof *f);
  if (f == NULL) {
    if (spec->source.free != NULL)
      spec->source.free(spec->source.of);
    return WN_ENOMEM;
  }
  WN_ASSERT(spec->plasma.n_species <= WN_FIELD_SPECIES);
  f->field.ops = &wn_field_nodal;
  f->spec = *spec;
  f->grid = spec->plasma.grid;
  f->nodes = wn_charge_nodes(&f->grid, &spec->plasma.poisson);
  f->n = (size_t)wn_grid_nodes(&f->grid);
  f->n_nodes = 1;
  for (int d = 0; d < f->grid.dim; d++)
    f->n_nodes *= (size_t)wn_nodes_along(&f->grid, d);
  int status = allocate(f);
  if (status == WN_OK)
    status = set_time(f, 0.0); /* what is wrong with a file is said before the run */
  if (status != WN_OK) {
    destroy(&f->field);
    return status;
  }
  *out = &f->field;
  return WN_OK;
}

static int create(const struct wn_field_spec *spec, struct wn_field **out)
{
  WN_ASSERT(spec->nodal != NULL);
  return wn_nodal_create(spec->nodal, out);
}

static int solve(struct wn_field *field, struct wn_particles *const *species, size_t n,
                 double t, double dt)
{
  struct nodal *f = of(field);
  WN_ASSERT(n == f->spec.plasma.n_species);
  for (size_t k = 0; k < n; k++)
    f->of_species[k] = species[k];
  f->dt = dt;
  f->steps++;
  return set_time(f, t + 0.5 * dt);
}

static void view(const struct wn_field *field, struct wn_field_view *out)
{
  const struct nodal *f = of_const(field);
  out->kind = WN_FIELD_GRID;
  out->of.grid = f->grid;
  out->of.grid.eb = f->spec.plasma.gpu != NULL ? (const float *)f->on_gpu.at : f->eb[NOW];
}

/* All follows from the time. */
static int state(struct wn_field *field, struct wn_state *s)
{
  (void)field, (void)s;
  return WN_OK;
}

/* ---- what diagnostics ask */

static size_t nodes_of(const struct wn_field *field)
{
  return of_const(field)->n_nodes;
}

static int potential(struct wn_field *field, const double **phi)
{
  (void)field, (void)phi;
  return WN_FAIL(WN_EINTERN, "field nodes has no potential");
}

void wn_nodal_component(const struct wn_field *field, int c, double *out)
{
  const struct nodal *f = of_const(field);
  FOR_NODES (f, 0, at) {
    *out++ = (double)values_at(f, f->eb[NOW], at)[slot(c)];
  }
}

static int e_of(struct wn_field *field, int axis, double *e)
{
  wn_nodal_component(field, axis, e);
  return WN_OK;
}

static int allocate_charge(struct nodal *f)
{
  if (f->quanta == NULL)
    f->quanta = wn_alloc(f->n, sizeof *f->quanta);
  if (f->rho == NULL)
    f->rho = wn_alloc(f->n_nodes, sizeof *f->rho);
  if (f->own == NULL)
    f->own = wn_alloc(f->n_nodes, sizeof *f->own);
  if (f->quanta == NULL || f->rho == NULL || f->own == NULL)
    return WN_ENOMEM;
  return f->deposit != NULL
             ? WN_OK
             : wn_deposit_create(&f->grid, f->spec.plasma.poisson.threads, &f->deposit);
}

/* Backwards by half a step from the place at its end.  Particles of a GPU are copied. */
static int density(struct wn_field *field, size_t k, double *n)
{
  struct nodal *f = of(field);
  struct wn_points m = f->spec.plasma.points[k];
  struct wn_deposited sum;
  WN_TRY(allocate_charge(f));
  WN_ASSERT(f->steps > 0);
  m.grid = f->grid;
  m.dt = f->spec.plasma.fixed[k] ? 0.0 : -f->dt;
  wn_points_prepare(&m);
  memset(f->quanta, 0, f->n * sizeof *f->quanta);
  WN_TRY(wn_particles_read(f->of_species[k]));
  WN_TRY(wn_deposit_points(f->deposit, &m, f->of_species[k], f->quanta, &sum));
  wn_ranks_sum_i64(f->quanta, f->n);
  wn_deposit_fold(&f->grid, f->nodes.mirrors, f->quanta);
  const double per = 1.0 / (WN_QUANTA * wn_nodes_cell(&f->grid));
  FOR_NODES (f, 0, at) {
    int32_t same[3];
    for (int d = 0; d < 3; d++)
      same[d] = d < f->grid.dim && wn_nodes_is_copy(&f->nodes, d, at[d]) ? 0 : at[d];
    *n++ = (double)f->quanta[wn_grid_node(&f->grid, f->grid.dim, same)] * per /
           share(f, same);
  }
  return WN_OK;
}

static int charge(struct wn_field *field, const double **rho)
{
  struct nodal *f = of(field);
  WN_TRY(allocate_charge(f));
  if (f->charge_of != f->steps) {
    memset(f->rho, 0, f->n_nodes * sizeof *f->rho);
    for (size_t k = 0; k < f->spec.plasma.n_species; k++) {
      WN_TRY(density(field, k, f->own));
      for (size_t i = 0; i < f->n_nodes; i++)
        f->rho[i] += f->spec.plasma.charge[k] * f->own[i];
    }
    f->charge_of = f->steps;
  }
  *rho = f->rho;
  return WN_OK;
}

/* No equation is solved, and no charge makes the field. */
static int sums(struct wn_field *field, struct wn_field_sums *out)
{
  const struct nodal *f = of_const(field);
  *out = (struct wn_field_sums){
      .energy = f->energy, .charge = NAN, .residual = NAN, .gauss = NAN};
  for (int d = 0; d < 3; d++)
    out->drop[d] = f->whole[d];
  return WN_OK;
}

static int begin_sums(struct wn_field *field)
{
  (void)field;
  return WN_OK;
}

static const struct wn_field_grid_ops on_grid = {
    .nodes = nodes_of,
    .potential = potential,
    .charge = charge,
    .e = e_of,
    .density = density,
    .sums = sums,
    .begin_sums = begin_sums,
};

const struct wn_field_ops wn_field_nodal = {
    .name = "nodes",
    .create = create,
    .solve = solve,
    .view = view,
    .grid = &on_grid,
    .state = state,
    .free = destroy,
};
