/* fields/electrostatic.c - see electrostatic.h.  On a GPU the same steps are those of
 * electrostatic_gpu.h; what the host then has of it is only for those who look. */
#include "fields/electrostatic.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/ranks.h"
#include "device/sizes.h"
#include "fields/charge_nodes.h"
#include "fields/deposit.h"
#include "fields/electrostatic_gpu.h"
#include "fields/electrostatic_slabs.h"
#include "fields/poisson_gpu.h"
#include "physics/constants.h"

struct electrostatic {
  struct wn_field field;
  struct wn_electrostatic_spec spec;
  struct wn_grid_view grid; /* with e */
  struct wn_charge_nodes nodes;
  struct wn_electrostatic_gpu *gpu; /* NULL: all is here */
  unsigned fetched;                 /* since the last solve on it */
  uint64_t solves;                  /* on it */
  struct wn_field_slabs *slabs;     /* NULL: the whole grid is here, or on a GPU */
  int some_here;                    /* some of several ranks has no GPU */
  struct wn_poisson *poisson;       /* these two not with gpu */
  struct wn_deposit *deposit;
  size_t n_nodes, n_padded;          /* without and with guards */
  int64_t *quanta[WN_FIELD_SPECIES]; /* [n_padded] */
  /* Particles that are in them, of a species that is fixed or waits; and when (changes of
   * struct wn_particles) */
  size_t known[WN_FIELD_SPECIES];
  uint64_t at[WN_FIELD_SPECIES];
  double background; /* C/m3; NAN: not known yet */
  /* [n_nodes]; with gpu these and the quanta are made when they are first looked at, and
   * the next two are not there */
  double *rho, *phi;
  double *component;
  float *e; /* [n_padded][stride] */
};

static struct electrostatic *of(struct wn_field *field)
{
  WN_ASSERT(field->ops == &wn_field_electrostatic);
  return (struct electrostatic *)(void *)field;
}

static const struct electrostatic *of_const(const struct wn_field *field)
{
  WN_ASSERT(field->ops == &wn_field_electrostatic);
  return (const struct electrostatic *)(const void *)field;
}

/* ---- nodes, row by row along x */

struct row {
  int64_t at[3]; /* nodes along the axes; at[0] is 0 */
  /* Its first node in an array with guards, where quanta are: the second end of a periodic
   * axis has those of the first */
  int64_t padded;
  /* The part of a cell's volume that a node has: half at a wall, along each axis but x */
  double part;
  int is_copy; /* the second end of a periodic axis */
};

static int64_t rows(const struct electrostatic *f)
{
  return wn_nodes_along(&f->grid, 1) * wn_nodes_along(&f->grid, 2);
}

static struct row row(const struct electrostatic *f, int64_t r)
{
  const struct wn_grid_view *g = &f->grid;
  struct row w = {.at = {0, r % wn_nodes_along(g, 1), r / wn_nodes_along(g, 1)},
                  .padded = g->first,
                  .part = 1.0};
  for (int d = 1; d < g->dim; d++) {
    const int is_second = wn_nodes_is_copy(&f->nodes, d, w.at[d]);
    w.padded += is_second ? 0 : w.at[d] * g->step[d];
    w.part *= wn_nodes_is_end(&f->nodes, d, w.at[d]) ? 0.5 : 1.0;
    w.is_copy |= is_second;
  }
  return w;
}

/* The same along x; 0 for the second end of a periodic axis, which is not to be counted
 * again. */
static double x_part(const struct electrostatic *f, int64_t x)
{
  if (wn_nodes_are_periodic(&f->nodes, 0))
    return x < f->grid.cells[0] ? 1.0 : 0.0;
  return wn_nodes_is_end(&f->nodes, 0, x) ? 0.5 : 1.0;
}

/* The same along x, of a row of values: its second end has what the first has. */
static void close_row(const struct electrostatic *f, double *row_of)
{
  if (wn_nodes_are_periodic(&f->nodes, 0))
    row_of[f->grid.cells[0]] = row_of[0];
}

static size_t plain_nodes(const struct wn_grid_view *g)
{
  return (size_t)(wn_nodes_along(g, 0) * wn_nodes_along(g, 1) * wn_nodes_along(g, 2));
}

/* ---- life */

static void destroy(struct wn_field *field)
{
  if (field == NULL)
    return;
  struct electrostatic *f = of(field);
  for (size_t k = 0; k < f->spec.n_species; k++)
    free(f->quanta[k]);
  wn_electrostatic_gpu_free(f->gpu);
  wn_field_slabs_free(f->slabs);
  wn_poisson_free(f->poisson);
  wn_deposit_free(f->deposit);
  free(f->rho);
  free(f->phi);
  free(f->component);
  free(f->e);
  free(f);
}

size_t wn_electrostatic_bytes(const struct wn_electrostatic_spec *spec)
{
  if (spec->in_slabs)
    return wn_field_slabs_bytes(spec, wn_ranks());
  return (size_t)wn_grid_nodes(&spec->grid) *
             (spec->n_species * sizeof(int64_t) +
              (size_t)spec->grid.stride * sizeof(float)) +
         plain_nodes(&spec->grid) * 3 * sizeof(double) +
         wn_poisson_bytes(&spec->poisson) +
         wn_deposit_bytes(&spec->grid, spec->poisson.threads);
}

size_t wn_electrostatic_gpu_bytes(const struct wn_electrostatic_spec *spec)
{
  if (spec->in_slabs)
    return wn_field_slabs_gpu_bytes(spec, wn_ranks());
  const size_t padded = (size_t)wn_grid_nodes(&spec->grid),
               nodes = plain_nodes(&spec->grid),
               poisson = wn_poisson_gpu_bytes(&spec->poisson);
  if (poisson == SIZE_MAX)
    return SIZE_MAX;
  return wn_gpu_round(spec->n_species * padded * sizeof(int64_t), WN_GPU_ALIGN) +
         wn_gpu_round(padded * (size_t)spec->grid.stride * sizeof(float), WN_GPU_ALIGN) +
         3 * wn_gpu_round(nodes * sizeof(double), WN_GPU_ALIGN) +
         WN_ELECTROSTATIC_GPU_SUMS + poisson;
}

/* Grids on the host, and what goes over them. */
static int create_here(struct electrostatic *f)
{
  const struct wn_electrostatic_spec *spec = &f->spec;
  f->rho = wn_alloc(f->n_nodes, sizeof *f->rho);
  f->phi = wn_alloc(f->n_nodes, sizeof *f->phi);
  f->component = wn_alloc(f->n_nodes, sizeof *f->component);
  f->e = wn_alloc_aligned(f->n_padded * (size_t)f->grid.stride, sizeof *f->e, 64);
  f->grid.e = f->e;
  if (f->rho == NULL || f->phi == NULL || f->component == NULL || f->e == NULL)
    return WN_ENOMEM;
  for (size_t k = 0; k < spec->n_species; k++) {
    f->quanta[k] = wn_alloc(f->n_padded, sizeof *f->quanta[k]);
    if (f->quanta[k] == NULL)
      return WN_ENOMEM;
  }
  WN_TRY(wn_poisson_create(&spec->poisson, &f->poisson));
  return wn_deposit_create(&f->grid, spec->poisson.threads, &f->deposit);
}

static int create_there(struct electrostatic *f)
{
  WN_TRY(wn_electrostatic_gpu_create(&f->spec, &f->gpu));
  f->grid.e = wn_electrostatic_gpu_floats(f->gpu);
  return WN_OK;
}

static int create_slabs(struct electrostatic *f)
{
  WN_TRY(wn_field_slabs_create(&f->spec, &f->slabs));
  f->grid = *wn_field_slabs_grid(f->slabs);
  for (size_t k = 0; k < f->spec.n_species; k++)
    f->spec.points[k].grid = f->grid;
  return WN_OK;
}

int wn_electrostatic_create(const struct wn_electrostatic_spec *spec,
                            struct wn_field **out)
{
  struct electrostatic *f = wn_alloc(1, sizeof *f);
  if (f == NULL)
    return WN_ENOMEM;
  WN_ASSERT(spec->n_species <= WN_FIELD_SPECIES);
  f->field.ops = &wn_field_electrostatic;
  f->spec = *spec;
  f->grid = spec->grid;
  f->nodes = wn_charge_nodes(&spec->grid, &spec->poisson);
  f->n_padded = (size_t)wn_grid_nodes(&f->grid);
  f->n_nodes = plain_nodes(&f->grid);
  f->background = spec->background;
  f->some_here = wn_ranks_any(spec->gpu == NULL);
  const int status = spec->in_slabs      ? create_slabs(f)
                     : spec->gpu != NULL ? create_there(f)
                                         : create_here(f);
  if (status != WN_OK) {
    destroy(&f->field);
    return status;
  }
  *out = &f->field;
  return WN_OK;
}

/* ---- from a GPU, when someone looks */

/* Whether `what` is still to be brought, from a GPU or slabs, into *array, which is made. */
static int wants(struct electrostatic *f, unsigned what, size_t n, double **array,
                 int *is_wanted)
{
  *is_wanted = (f->gpu != NULL || f->slabs != NULL) && (f->fetched & what) == 0;
  if (*is_wanted && *array == NULL)
    *array = wn_alloc(n, sizeof **array);
  return *is_wanted && *array == NULL ? WN_ENOMEM : WN_OK;
}

static int fetch_quanta(struct electrostatic *f, size_t k)
{
  const unsigned what = (unsigned)WN_FETCHED_QUANTA << k;
  if (f->gpu == NULL || (f->fetched & what) != 0)
    return WN_OK;
  if (f->quanta[k] == NULL)
    f->quanta[k] = wn_alloc(f->n_padded, sizeof *f->quanta[k]);
  if (f->quanta[k] == NULL)
    return WN_ENOMEM;
  WN_TRY(wn_electrostatic_gpu_quanta(f->gpu, k, f->quanta[k]));
  wn_deposit_fold(&f->grid, f->nodes.mirrors, f->quanta[k]);
  f->fetched |= what;
  return WN_OK;
}

/* ---- the step */

static double voltage(const struct wn_voltage *v, double t)
{
  if (!(t >= v->start && t < v->end))
    return 0.0;
  if (v->amplitude == 0.0)
    return v->constant;
  return v->constant + v->amplitude * sin(2.0 * WN_PI * v->frequency * t + v->phase);
}

/* C/m3 from the quanta; the first time, what neutralises them is found. */
static void sum_charge(struct electrostatic *f)
{
  const int64_t nx = wn_nodes_along(&f->grid, 0);
  const int is_first = isnan(f->background);
  double total = 0.0, volume = 0.0;
  for (int64_t r = 0; r < rows(f); r++) {
    const struct row w = row(f, r);
    const double inside = wn_nodes_per_volume(&f->nodes, w.part, 1);
    double *rho = &f->rho[r * nx];
    for (int64_t x = 0; x < nx; x++)
      rho[x] = 0.0;
    for (size_t k = 0; k < f->spec.n_species; k++) {
      const double of_one = f->spec.charge[k] * inside;
      const int64_t *quanta = &f->quanta[k][w.padded];
      for (int64_t x = 0; x < nx; x++)
        rho[x] += of_one * (double)quanta[x];
    }
    for (int64_t x = 0; x < nx; x += nx - 1)
      rho[x] *= wn_nodes_is_end(&f->nodes, 0, x) ? 2.0 : 1.0;
    close_row(f, rho);
    for (int64_t x = 0; x < nx && is_first && !w.is_copy; x++) {
      total += rho[x] * w.part * x_part(f, x);
      volume += w.part * x_part(f, x);
    }
  }
  if (is_first)
    f->background = -total / volume;
  if (f->background != 0.0)
    for (size_t n = 0; n < f->n_nodes; n++)
      f->rho[n] += f->background;
}

/* A component from [n_nodes] to the interleaved array with guards. */
static void spread(struct electrostatic *f, int component, int staggered)
{
  const struct wn_grid_view *g = &f->grid;
  const int64_t nx = wn_nodes_along(g, 0), pad = WN_GRID_GUARD;
  const int64_t all_y = g->dim > 1 ? wn_nodes_along(g, 1) + 2 * pad : 1,
                all_z = g->dim > 2 ? wn_nodes_along(g, 2) + 2 * pad : 1;
  float *to = f->e + component;
  for (int64_t z = 0; z < all_z; z++)
    for (int64_t y = 0; y < all_y; y++) {
      int64_t at[3] = {0, 0, 0};
      int sign = 1, turned;
      for (int d = 1; d < g->dim; d++) {
        turned = 1;
        at[d] = wn_nodes_beyond(&f->nodes, d, (d == 1 ? y : z) - pad,
                                staggered && d == component, &turned);
        sign *= d == component ? turned : 1;
      }
      const double *from = &f->component[(at[2] * wn_nodes_along(g, 1) + at[1]) * nx];
      for (int64_t x = -pad; x < nx + pad; x++, to += g->stride) {
        turned = 1;
        const int64_t i =
            x > 0 && x < nx - 1
                ? x
                : wn_nodes_beyond(&f->nodes, 0, x, staggered && component == 0, &turned);
        *to = (float)((component == 0 ? turned : sign) * from[i]);
      }
    }
}

/* The charge of a species, where it will be in the middle of the step.  What several ranks have is
 * summed, and no longer apart. */
static int deposit(struct electrostatic *f, size_t k, const struct wn_particles *p)
{
  struct wn_deposited sum = {0};
  struct wn_particles new = *p; /* those that are not in the quanta yet */
  const int alone = wn_ranks() == 1,
            stays = alone &&
                    (f->spec.fixed[k] || (f->spec.waits[k] && f->at[k] == p->changes));
  f->known[k] = stays ? f->known[k] : 0;
  f->at[k] = p->changes;
  if (!stays)
    memset(f->quanta[k], 0, f->n_padded * sizeof *f->quanta[k]);
  new.e = wn_particles_at(p, f->known[k]);
  new.n = p->n - f->known[k];
  if (new.n > 0) {
    const wn_i128 before = wn_deposit_total(&f->grid, f->quanta[k]);
    WN_TRY((f->spec.electrons[k] ? wn_deposit_electrons : wn_deposit_points)(
        f->deposit, &f->spec.points[k], &new, f->quanta[k], &sum));
    WN_TRY(
        wn_deposit_compare(k, wn_deposit_total(&f->grid, f->quanta[k]) - before, &sum));
  } else if (alone) {
    return WN_OK;
  }
  wn_ranks_sum_i64(f->quanta[k], f->n_padded);
  wn_deposit_fold(&f->grid, f->nodes.mirrors, f->quanta[k]);
  f->known[k] = p->n;
  return WN_OK;
}

/* Those that move are cleared, species in a row together; to fixed ones come their
 * newcomers. */
static int deposit_there(struct electrostatic *f, struct wn_particles *const *species)
{
  const size_t n = f->spec.n_species;
  const int apart = wn_ranks() == 1; /* what several have is summed, and anew each time */
  for (size_t k = 0, end; k < n; k = end + 1) {
    for (end = k; end < n && !(apart && f->spec.fixed[end]); end++)
      ;
    if (end > k)
      WN_TRY(wn_electrostatic_gpu_clear(f->gpu, k, end - k));
  }
  for (size_t k = 0; k < n; k++) {
    WN_TRY(wn_electrostatic_gpu_deposit(f->gpu, k, &f->spec.points[k], species[k],
                                        f->known[k]));
    f->known[k] = apart && f->spec.fixed[k] ? species[k]->n : 0;
    if (f->solves % WN_CHARGE_COMPARED == 0)
      WN_TRY(wn_electrostatic_gpu_compare(f->gpu, k, &f->spec.points[k], species[k]));
  }
  f->solves++;
  return apart ? WN_OK : wn_electrostatic_gpu_bring_together(f->gpu, !f->some_here);
}

/* What neutralises the charge of the beginning, by the same sums as on the host. */
static int find_background(struct electrostatic *f)
{
  if (f->rho == NULL)
    f->rho = wn_alloc(f->n_nodes, sizeof *f->rho);
  if (f->rho == NULL)
    return WN_ENOMEM;
  for (size_t k = 0; k < f->spec.n_species; k++)
    WN_TRY(fetch_quanta(f, k));
  sum_charge(f);
  return WN_OK;
}

static int solve_there(struct electrostatic *f, struct wn_particles *const *species,
                       const double volt[6])
{
  WN_TRY(
      wn_electrostatic_gpu_misfits(f->gpu)); /* of the last step, which was waited for */
  f->fetched = 0;
  WN_TRY(deposit_there(f, species));
  if (isnan(f->background))
    WN_TRY(find_background(f));
  return wn_electrostatic_gpu_solve(f->gpu, f->background, volt);
}

static int solve_slabs(struct electrostatic *f, struct wn_particles *const *species,
                       const double volt[6], double dt)
{
  f->fetched = 0;
  return wn_field_slabs_solve(f->slabs, species, f->spec.points, dt, &f->background,
                              volt);
}

static int solve_here(struct electrostatic *f, struct wn_particles *const *species,
                      const double volt[6])
{
  const int staggered = f->grid.gather == WN_GATHER_ENERGY;
  for (size_t k = 0; k < f->spec.n_species; k++)
    WN_TRY(deposit(f, k, species[k]));
  sum_charge(f);
  WN_TRY(wn_poisson_solve(f->poisson, f->rho, volt, f->phi));
  for (int d = 0; d < f->grid.dim; d++) {
    WN_TRY(wn_poisson_field(f->poisson, f->phi, d, staggered, f->component));
    spread(f, d, staggered);
  }
  return WN_OK;
}

static int solve(struct wn_field *field, struct wn_particles *const *species, size_t n,
                 double t, double dt)
{
  struct electrostatic *f = of(field);
  double volt[6] = {0.0};
  WN_ASSERT(n == f->spec.n_species);
  for (size_t k = 0; k < n; k++) {
    const double step = f->spec.fixed[k] || f->spec.waits[k] ? 0.0 : dt;
    if (f->spec.points[k].dt != step) {
      f->spec.points[k].dt = step;
      wn_points_prepare(&f->spec.points[k]);
    }
  }
  for (int side = 0; side < 2 * f->grid.dim; side++)
    volt[side] = voltage(&f->spec.voltage[side], t + 0.5 * dt);
  if (f->slabs != NULL)
    return solve_slabs(f, species, volt, dt);
  return f->gpu != NULL ? solve_there(f, species, volt) : solve_here(f, species, volt);
}

static void view(const struct wn_field *field, struct wn_field_view *out)
{
  out->kind = WN_FIELD_GRID;
  out->of.grid = of_const(field)->grid;
}

/* All is found anew from the particles, but for what neutralised them at the beginning. */
static int state(struct wn_field *field, struct wn_state *s)
{
  return WN_STATE(s, of(field)->background);
}

/* ---- what diagnostics ask */

static size_t nodes_of(const struct wn_field *field)
{
  return of_const(field)->n_nodes;
}

static int potential(struct wn_field *field, const double **phi)
{
  struct electrostatic *f = of(field);
  int is_wanted;
  WN_TRY(wants(f, WN_FETCHED_PHI, f->n_nodes, &f->phi, &is_wanted));
  if (is_wanted && f->slabs != NULL)
    WN_TRY(wn_field_slabs_potential(f->slabs, f->phi));
  else if (is_wanted)
    WN_TRY(wn_electrostatic_gpu_potential(f->gpu, f->phi));
  f->fetched |= WN_FETCHED_PHI;
  *phi = f->phi;
  return WN_OK;
}

static int charge(struct wn_field *field, const double **rho)
{
  struct electrostatic *f = of(field);
  int is_wanted;
  WN_TRY(wants(f, WN_FETCHED_RHO, f->n_nodes, &f->rho, &is_wanted));
  if (is_wanted && f->slabs != NULL)
    WN_TRY(wn_field_slabs_charge(f->slabs, f->rho));
  else if (is_wanted)
    WN_TRY(wn_electrostatic_gpu_charge(f->gpu, f->rho));
  f->fetched |= WN_FETCHED_RHO;
  *rho = f->rho;
  return WN_OK;
}

static int e_of(struct wn_field *field, int d, double *e)
{
  struct electrostatic *f = of(field);
  if (f->slabs != NULL)
    return wn_field_slabs_e(f->slabs, d, e);
  return f->gpu != NULL ? wn_electrostatic_gpu_e(f->gpu, d, e)
                        : wn_poisson_field(f->poisson, f->phi, d, 0, e);
}

static int density(struct wn_field *field, size_t species, double *n)
{
  struct electrostatic *f = of(field);
  const int64_t nx = wn_nodes_along(&f->grid, 0);
  if (f->slabs != NULL)
    return wn_field_slabs_density(f->slabs, species, n);
  WN_TRY(fetch_quanta(f, species));
  for (int64_t r = 0; r < rows(f); r++, n += nx) {
    const struct row w = row(f, r);
    for (int64_t x = 0; x < nx; x++)
      n[x] = (double)f->quanta[species][w.padded + x] *
             wn_nodes_per_volume(&f->nodes, w.part, x);
    close_row(f, n);
  }
  return WN_OK;
}

/* Of the edges along an axis: sum of E^2, and of E out of the domain, each edge with its
 * part of a cell's volume: half of it in a wall along each other axis.  The first is the
 * energy that the operator's rho phi has, the second its flux. */
static void sum_edges(const struct electrostatic *f, const double *e, int along,
                      double *square, double *out)
{
  const int64_t nx = wn_nodes_along(&f->grid, 0), n = f->grid.cells[along];
  for (int64_t r = 0; r < rows(f); r++, e += nx) {
    struct row w = row(f, r);
    if (w.is_copy || (along > 0 && w.at[along] == n))
      continue;
    if (along > 0 && wn_nodes_is_end(&f->nodes, along, w.at[along]))
      w.part *= 2.0; /* of an edge that begins there, the whole */
    for (int64_t x = 0; x < nx; x++) {
      const int64_t i = along > 0 ? w.at[along] : x;
      const double part = w.part * (along > 0 ? x_part(f, x) : i < n ? 1.0 : 0.0);
      const int low = i == 0 && wn_nodes_are_held(&f->nodes, 2 * along),
                high = i == n - 1 && wn_nodes_are_held(&f->nodes, 2 * along + 1);
      *square += part * e[x] * e[x];
      *out += part * (double)(high - low) * e[x];
    }
  }
}

/* phi over the low side of each axis less that over the high one: what a node adds, which
 * has `part` of a cell. */
static void add_drop(const struct electrostatic *f, const int64_t at[3], double part,
                     double phi, double drop[3])
{
  for (int d = 0; d < f->grid.dim; d++) {
    const int end = (at[d] == 0) - (at[d] == f->grid.cells[d]);
    if (end != 0 && !wn_nodes_are_periodic(&f->nodes, d)) /* which has half of the cell */
      drop[d] += (double)end * 2.0 * part * phi * wn_nodes_cell(&f->grid) / f->grid.h[d];
  }
}

/* Charge on the grid, that at nodes where Poisson's equation holds, the sum of q phi/2, and
 * the drops of phi. */
static void sum_nodes(const struct electrostatic *f, struct wn_charge_sums *out)
{
  const int64_t nx = wn_nodes_along(&f->grid, 0);
  for (int64_t r = 0; r < rows(f); r++) {
    const struct row w = row(f, r);
    int of_row = 0;
    for (int d = 1; d < f->grid.dim; d++)
      of_row |= (w.at[d] == 0 && wn_nodes_are_held(&f->nodes, 2 * d)) ||
                (w.at[d] == f->grid.cells[d] && wn_nodes_are_held(&f->nodes, 2 * d + 1));
    for (int64_t x = 0; x < nx && !w.is_copy; x++) {
      const double part = w.part * x_part(f, x);
      const double q = f->rho[r * nx + x] * part * wn_nodes_cell(&f->grid);
      const int held = of_row || (x == 0 && wn_nodes_are_held(&f->nodes, 0)) ||
                       (x == nx - 1 && wn_nodes_are_held(&f->nodes, 1));
      out->charge += q;
      out->inside += held ? 0.0 : q;
      out->pairs += 0.5 * q * f->phi[r * nx + x];
      add_drop(f, (const int64_t[3]){x, w.at[1], w.at[2]}, part, f->phi[r * nx + x],
               out->drop);
    }
  }
}

static int sums_here(struct electrostatic *f, struct wn_charge_sums *out)
{
  const double volume = wn_nodes_cell(&f->grid);
  *out = (struct wn_charge_sums){.largest = 1.0};
  sum_nodes(f, out);
  for (int d = 0; d < f->grid.dim; d++) {
    double flux = 0.0;
    WN_TRY(wn_poisson_field(f->poisson, f->phi, d, 1, f->component));
    sum_edges(f, f->component, d, &out->square, &flux);
    out->through += WN_EPS0 * flux * volume / f->grid.h[d];
  }
  if (f->spec.poisson.method == WN_POISSON_DIFFERENCES)
    out->left = wn_poisson_residual(f->poisson, f->rho, f->phi);
  return WN_OK;
}

static int begin_sums(struct wn_field *field)
{
  struct electrostatic *f = of(field);
  return f->gpu != NULL ? wn_electrostatic_gpu_begin_sums(f->gpu) : WN_OK;
}

static int sums(struct wn_field *field, struct wn_field_sums *out)
{
  struct electrostatic *f = of(field);
  struct wn_charge_sums s;
  const enum wn_poisson_method method = f->spec.poisson.method;
  WN_TRY(f->slabs != NULL ? wn_field_slabs_sums(f->slabs, &s)
         : f->gpu != NULL ? wn_electrostatic_gpu_sums(f->gpu, &s)
                          : sums_here(f, &s));
  const int has_modes =
      method == WN_POISSON_SPECTRAL && wn_nodes_are_periodic(&f->nodes, 0);
  const int is_open = f->spec.poisson.side[0] == WN_OPEN;
  out->charge = s.charge;
  out->energy =
      has_modes || is_open ? s.pairs : 0.5 * WN_EPS0 * wn_nodes_cell(&f->grid) * s.square;
  out->gauss = s.inside - s.through;
  for (int d = 0; d < 3; d++)
    out->drop[d] = s.drop[d];
  out->residual = method != WN_POISSON_DIFFERENCES ? NAN
                  : s.largest > 0.0                ? s.left / s.largest
                                                   : 0.0;
  return WN_OK;
}

/* Its grids and species are more than struct wn_field_spec says. */
static int create(const struct wn_field_spec *spec, struct wn_field **out)
{
  WN_ASSERT(spec->electrostatic != NULL);
  return wn_electrostatic_create(spec->electrostatic, out);
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

const struct wn_field_ops wn_field_electrostatic = {
    .name = "electrostatic",
    .create = create,
    .solve = solve,
    .view = view,
    .grid = &on_grid,
    .state = state,
    .free = destroy,
};
