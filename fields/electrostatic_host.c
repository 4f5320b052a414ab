/* fields/electrostatic_host.c - the grids of the field `electrostatic` on the host: see
 * electrostatic_parts.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "fields/electrostatic_sums.h"

/* Below so many nodes one thread is faster than several. */
#define NODES_OF_ONE_THREAD 8192

/* ---- life */

static int make_parts(struct wn_electrostatic *f)
{
  const int64_t n = (int64_t)f->spec.grid.cells[0] + 1;
  if (!wn_slab_is_radial(&f->slab))
    return WN_OK;
  f->part = wn_alloc((size_t)n, sizeof *f->part);
  for (int64_t i = 0; f->part != NULL && i < n; i++)
    f->part[i] = wn_slab_part_along(&f->slab, 0, i);
  return f->part != NULL ? WN_OK : WN_ENOMEM;
}

static int create(struct wn_electrostatic *f)
{
  f->grid.e = f->e;
  WN_TRY(make_parts(f));
  WN_TRY(wn_deposit_create(&f->grid, f->threads, &f->deposit));
  if (f->slab.ranks > 1) {
    size_t range[WN_SLAB_RANGES][2];
    const int n = wn_slab_ranges(&f->slab, WN_SLAB_GUARD, range);
    _Static_assert(WN_SLAB_RANGES <= WN_DEPOSIT_RANGES, "those of a deposit");
    wn_deposit_within(f->deposit, range, n);
  }
  if (f->spec.n_shapes > 0)
    WN_TRY(wn_electrostatic_make_electrodes(f));
  WN_TRY(wn_poisson_create(&f->spec.poisson, &f->poisson));
  return wn_electrode_circuits_create(f);
}

static void destroy(struct wn_electrostatic *f)
{
  wn_poisson_free(f->poisson);
  wn_electrostatic_free_electrodes(f);
  wn_deposit_free(f->deposit);
  free(f->part);
}

/* ---- charge */

/* Whether plane a of charge is of this rank. */
static int has_plane(const struct wn_electrostatic *f, int64_t a)
{
  int64_t k;
  return wn_slab_is_near(&f->slab, f->slab.own, WN_SLAB_GUARD, a, &k);
}

static void clear(const struct wn_electrostatic *f, int64_t *quanta)
{
  const int64_t end = f->slab.cells + WN_GRID_GUARD + 1;
#ifdef _OPENMP
#pragma omp parallel for num_threads(f->threads)                                         \
    schedule(static) if (wn_slab_own_nodes(&f->slab) > NODES_OF_ONE_THREAD)
#endif
  for (int64_t a = -WN_GRID_GUARD; a < end; a++)
    if (has_plane(f, a))
      memset(quanta + wn_slab_at_plane(&f->slab, a), 0,
             (size_t)f->slab.padded * sizeof *quanta);
}

static wn_i128 total(const struct wn_electrostatic *f, const int64_t *quanta)
{
  const int64_t end = f->slab.cells + WN_GRID_GUARD + 1;
  wn_i128 sum = 0;
#ifdef _OPENMP
#pragma omp parallel num_threads(f->threads) if (wn_slab_own_nodes(&f->slab) >           \
                                                 NODES_OF_ONE_THREAD)
#endif
  {
    wn_i128 here = 0;
#ifdef _OPENMP
#pragma omp for schedule(static)
#endif
    for (int64_t a = -WN_GRID_GUARD; a < end; a++) {
      const int64_t *plane = quanta + wn_slab_at_plane(&f->slab, a);
      for (size_t i = 0; has_plane(f, a) && i < (size_t)f->slab.padded; i++)
        here += plane[i];
    }
#ifdef _OPENMP
#pragma omp critical
#endif
    sum += here;
  }
  return sum;
}

void wn_electrostatic_fold(const struct wn_electrostatic *f, int64_t *quanta)
{
  const struct wn_slab *s = &f->slab;
  struct wn_grid_view g = f->spec.grid;
  if (s->ranks == 1) {
    wn_deposit_fold(&g, s->nodes.mirrors, quanta);
    return;
  }
  if (s->axis == 0)
    return; /* the ends of the axis of the slabs: halo.c */
  g.dim = s->axis;
  g.first = 0;
  for (int d = 0; d < g.dim; d++)
    g.first += WN_GRID_GUARD * g.step[d];
  for (int64_t k = s->own[0]; k < s->own[1]; k++)
    wn_deposit_fold(&g, s->nodes.mirrors, quanta + wn_slab_at_plane(s, k));
}

/* The quanta of species k beyond the sides, of which walls in a circuit have to know. */
static void keep_beyond(const struct wn_electrostatic *f, size_t k,
                        const struct wn_deposited *sum)
{
  for (int i = 0; f->circuit != NULL && i < 2; i++)
    f->circuit->beyond[k][i] = sum->quanta_outside[i];
}

/* Add the quanta of the particles p of species k, compared with theirs. */
static int add(struct wn_electrostatic *f, size_t k, const struct wn_particles *p)
{
  struct wn_deposited sum = {0};
  const wn_i128 before = f->total[k];
  WN_TRY((f->spec.electrons[k] ? wn_deposit_electrons : wn_deposit_points)(
      f->deposit, &f->spec.points[k], p, f->quanta[k], &sum));
  keep_beyond(f, k, &sum);
  f->total[k] = total(f, f->quanta[k]);
  return wn_deposit_compare(k, f->total[k] - before, &sum);
}

/* The charge of a species, where it will be in the middle of the step.  With one rank the quanta of a
 * species that is fixed, or waits, remain, and those of new particles are added. */
static int deposit(struct wn_electrostatic *f, size_t k, const struct wn_particles *p)
{
  struct wn_particles new = *p; /* those not in the quanta yet */
  const int in_slabs = f->slab.ranks > 1, alone = wn_ranks() == 1,
            stays = alone && f->removals[k] == p->removals &&
                    (f->spec.fixed[k] || (f->spec.waits[k] && f->at[k] == p->changes));
  f->known[k] = stays ? f->known[k] : 0;
  f->at[k] = p->changes;
  f->removals[k] = p->removals;
  if (!stays) {
    clear(f, f->quanta[k]);
    f->total[k] = 0;
  }
  new.e = wn_particles_at(p, f->known[k]);
  new.n = p->n - f->known[k];
  keep_beyond(f, k, &(struct wn_deposited){0});
  if (new.n == 0 && alone)
    return WN_OK;
  int status = new.n > 0 ? add(f, k, &new) : WN_OK;
  if (in_slabs && wn_ranks_any(status != WN_OK) && status == WN_OK)
    status = WN_FAIL(WN_ERUN, "the charge of another process failed");
  WN_TRY(status);
  if (in_slabs)
    wn_halo_add(f, f->quanta[k]);
  else
    wn_ranks_sum_i64(f->quanta[k], f->n);
  wn_electrostatic_fold(f, f->quanta[k]);
  f->known[k] = p->n;
  return WN_OK;
}

static int charge(struct wn_electrostatic *f, struct wn_particles *const *species,
                  double dt)
{
  for (size_t k = 0; k < f->spec.n_species; k++) {
    if (f->slab.ranks > 1)
      WN_TRY(wn_migrate(f, k, species[k], dt));
    WN_TRY(deposit(f, k, species[k]));
  }
  return WN_OK;
}

/* Whether all quanta of a species are 0, without a look at them; not known of those that a device has deposited. */
static int is_empty(const struct wn_electrostatic *f, size_t k)
{
  return f->deposit != NULL && f->total[k] == 0 && wn_ranks() == 1;
}

/* rho of n nodes of a row along x, from node `at` on.  The second end of a periodic axis has that of the first. */
static void charge_row(const struct wn_electrostatic *f, const int64_t at[3], int64_t n,
                       double *rho)
{
  const struct wn_slab *s = &f->slab;
  const double inside = wn_slab_per_volume(s, wn_slab_part_across(s, at, 0));
  const int is_radial = wn_slab_is_radial(s);
  int64_t first[3] = {0, at[1], at[2]}; /* of the row in the quanta */
  const size_t row = wn_slab_quanta_at(s, first);
  for (int64_t i = 0; i < n; i++)
    rho[i] = 0.0;
  for (size_t m = 0; m < f->spec.n_species; m++) {
    const double of_one = f->spec.charge[m] * inside;
    const int64_t *quanta = &f->quanta[m][row],
                  *stuck = f->stuck[m] != NULL ? &f->stuck[m][row] : NULL;
    for (int64_t i = 0; i < (is_empty(f, m) ? 0 : n); i++)
      rho[i] += of_one * (double)quanta[at[0] + i];
    for (int64_t i = 0; i < n && stuck != NULL; i++)
      rho[i] += of_one * (double)stuck[at[0] + i];
  }
  for (int64_t i = 0; i < n && f->part != NULL; i++)
    rho[i] /= f->part[at[0] + i];
  for (int64_t i = 0; i < n && is_radial && f->part == NULL; i++) /* of a device */
    rho[i] /= wn_slab_part_along(s, 0, at[0] + i);
  const int64_t end[2] = {0, n - 1};
  for (int e = 0; e < (n > 1 ? 2 : 1); e++) {
    const int64_t i = end[e], x = at[0] + i;
    if (!is_radial && wn_nodes_is_end(&s->nodes, 0, x))
      rho[i] *= 2.0;
    if (wn_nodes_is_copy(&s->nodes, 0, x)) {
      const int64_t x_0[3] = {0, at[1], at[2]};
      charge_row(f, x_0, 1, &rho[i]);
    }
  }
}

void wn_electrostatic_make_charge(struct wn_electrostatic *f)
{
  const struct wn_slab *s = &f->slab;
#ifdef _OPENMP
#pragma omp parallel for num_threads(f->threads)                                         \
    schedule(static) if (wn_slab_own_nodes(s) > NODES_OF_ONE_THREAD)
#endif
  for (int64_t k = s->own[0]; k < s->own[1]; k++)
    for (int64_t y = 0; y < s->ny; y++) {
      int64_t at[3];
      wn_slab_place(s, 0, y, k, at);
      charge_row(f, at, s->nx, f->rho + (k - s->own[0]) * s->plane + y * s->nx);
    }
}

/* ---- E */

/* The inner nodes of a row, as most are: wn_slab_e of these. */
static void inner_row(const struct wn_electrostatic *f, int64_t y, int64_t k,
                      int staggered, float *to)
{
  const struct wn_slab *s = &f->slab;
  const struct wn_grid_view *g = &f->grid;
  const int dim = g->dim;
  const int64_t step[3] = {1, dim > 2 ? s->nx : s->plane, s->plane};
  const double *row = wn_slab_phi(f, k) + (dim > 2 ? y * s->nx : 0);
  for (int c = 0; c < dim; c++) {
    const double w = staggered ? s->per_h[c] : 0.5 * s->per_h[c];
    const double *low = staggered ? row : row - step[c], *high = row + step[c];
    float *of = to + WN_GRID_GUARD * g->stride + c;
    for (int64_t x = 1; x < s->nx - 1; x++)
      of[x * g->stride] = (float)(w * low[x] + -w * high[x]);
  }
}

/* Plane a of E, which is k counted on from own planes. */
static void make_plane(const struct wn_electrostatic *f, int64_t a, int64_t k)
{
  const struct wn_slab *s = &f->slab;
  const int staggered = f->grid.gather == WN_GATHER_ENERGY, dim = f->grid.dim;
  const int64_t pad = WN_GRID_GUARD, wide_x = s->axis > 0 ? s->nx + 2 * pad : 1,
                wide_y = s->axis > 1 ? s->ny + 2 * pad : 1;
  const double *phi = wn_slab_phi(f, 0);
  float *to = f->e + wn_slab_at_plane(s, a) * f->grid.stride;
  for (int64_t y = 0; y < wide_y; y++) {
    const int inner = dim > 1 && wn_slab_is_inner(s, s->axis, k) &&
                      (dim < 3 || wn_slab_is_inner(s, 1, y - pad));
    if (inner)
      inner_row(f, y - pad, k, staggered, to);
    for (int64_t x = 0; x < wide_x; x++, to += f->grid.stride) {
      int64_t at[3];
      if (inner && x - pad > 0 && x - pad < s->nx - 1)
        continue;
      wn_slab_place(s, x - pad, y - pad, k, at);
      for (int c = 0; c < dim; c++)
        to[c] = (float)wn_slab_e(s, phi, c, at, staggered);
    }
  }
}

/* Whether E along d is the derivative of the modes. */
static int has_modes(const struct wn_electrostatic *f, int d)
{
  return f->spec.poisson.method == WN_POISSON_SPECTRAL &&
         wn_nodes_are_periodic(&f->slab.nodes, d);
}

/* That of all nodes and guards of the whole grid. */
static int make_of_modes(struct wn_electrostatic *f, int c)
{
  const struct wn_grid_view *g = &f->grid;
  const int64_t n[3] = {wn_nodes_along(g, 0), wn_nodes_along(g, 1), wn_nodes_along(g, 2)};
  int64_t pad[3] = {0, 0, 0}, i[3];
  float *to = f->e + c;
  for (int d = 0; d < g->dim; d++)
    pad[d] = WN_GRID_GUARD;
  WN_TRY(f->on->e(f, c, f->component));
  for (i[2] = -pad[2]; i[2] < n[2] + pad[2]; i[2]++)
    for (i[1] = -pad[1]; i[1] < n[1] + pad[1]; i[1]++)
      for (i[0] = -pad[0]; i[0] < n[0] + pad[0]; i[0]++, to += g->stride) {
        int64_t at[3] = {0, 0, 0};
        int turned; /* never along c, which is periodic */
        for (int d = 0; d < g->dim; d++)
          at[d] = wn_nodes_beyond(&f->slab.nodes, d, i[d], 0, &turned);
        *to = (float)f->component[(at[2] * n[1] + at[1]) * n[0] + at[0]];
      }
  return WN_OK;
}

int wn_electrostatic_make_e(struct wn_electrostatic *f)
{
  const struct wn_slab *s = &f->slab;
#ifdef _OPENMP
#pragma omp parallel for num_threads(f->threads)                                         \
    schedule(static) if (wn_slab_own_nodes(s) > NODES_OF_ONE_THREAD)
#endif
  for (int64_t a = -WN_GRID_GUARD; a <= s->cells + WN_GRID_GUARD; a++) {
    int64_t k;
    if (wn_slab_is_near(s, s->own, WN_SLAB_GUARD, a, &k))
      make_plane(f, a, k);
  }
  for (int c = 0; c < f->grid.dim && f->grid.gather != WN_GATHER_ENERGY; c++)
    if (has_modes(f, c))
      WN_TRY(make_of_modes(f, c));
  return WN_OK;
}

/* With electrodes: the whole grid is that of this rank. */
static int solve_beside_electrodes(struct wn_electrostatic *f, const double *volt)
{
  double *phi = wn_slab_phi(f, f->slab.own[0]), given[WN_SIDES + WN_MOST_ELECTRODES];
  memcpy(given, volt, sizeof given);
  if (f->loops != NULL)
    wn_electrode_circuits_begin(f, given);
  wn_electrostatic_lift(f);
  WN_TRY(wn_electrodes_solve(f->electrodes, f->poisson, f->shares->rho, given, phi));
  if (f->loops != NULL)
    wn_electrode_circuits_end(f, volt, phi);
  WN_TRY(wn_electrostatic_make_e(f));
  wn_electrodes_gathered(f->electrodes, phi, &f->grid, f->e);
  return WN_OK;
}

static int solve(struct wn_electrostatic *f, const double *volt)
{
  wn_electrostatic_make_charge(f);
  const size_t n = wn_slab_own_nodes(&f->slab);
#ifdef _OPENMP
#pragma omp parallel for num_threads(f->threads)                                         \
    schedule(static) if (f->background != 0.0 && n > NODES_OF_ONE_THREAD)
#endif
  for (size_t i = 0; i < (f->background != 0.0 ? n : 0); i++)
    f->rho[i] += f->background;
  if (f->electrodes != NULL)
    return solve_beside_electrodes(f, volt);
  WN_TRY(wn_poisson_solve(f->poisson, f->rho, volt, wn_slab_phi(f, f->slab.own[0])));
  if (f->slab.ranks > 1)
    wn_halo_copy(f);
  return wn_electrostatic_make_e(f);
}

static int fetch(struct wn_electrostatic *f, unsigned what)
{
  (void)f;
  (void)what;
  return WN_OK;
}

int wn_electrostatic_e(struct wn_electrostatic *f, int d, double *e)
{
  for (int i = 0; i < f->slab.nodes.grid.dim; i++) /* for static analysis */
    WN_ASSERT(f->slab.nodes.grid.cells[i] > 0);
  WN_FOR_SLAB(&f->slab, i)
  {
    int64_t at[3];
    wn_slab_place(&f->slab, x, y, k, at);
    e[i] = wn_slab_e(&f->slab, wn_slab_phi(f, 0), d, at, 0);
  }
  if (f->electrodes != NULL)
    wn_electrodes_field(f->electrodes, wn_slab_phi(f, 0), d, e);
  return WN_OK;
}

static int e_of(struct wn_electrostatic *f, int d, double *e)
{
  if (!has_modes(f, d))
    return wn_electrostatic_e(f, d, e);
  wn_poisson_field(f->poisson, f->phi, d, 0, e);
  return WN_OK;
}

const struct wn_electrostatic_place wn_electrostatic_on_host = {
    .create = create,
    .free = destroy,
    .charge = charge,
    .solve = solve,
    .fetch = fetch,
    .e = e_of,
    .sums = wn_electrostatic_host_sums,
};
