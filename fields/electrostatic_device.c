/* fields/electrostatic_device.c - the grids of the field `electrostatic` on GPUs: the steps of
 * electrostatic_parts.h by electrostatic_gpu.h. */
#include <math.h>
#include <string.h>
#include "base/error.h"
#include "fields/electrostatic_sums.h"

static int create(struct wn_electrostatic *f)
{
  if (f->spec.n_shapes > 0)
    WN_TRY(wn_electrostatic_make_electrodes(f));
  WN_TRY(wn_electrostatic_gpu_create(f, &f->gpu));
  f->grid.e = wn_electrostatic_gpu_floats(f->gpu);
  return WN_OK;
}

static void destroy(struct wn_electrostatic *f)
{
  wn_electrostatic_gpu_free(f->gpu);
  wn_electrostatic_free_electrodes(f);
}

/* ---- charge */

/* Of a whole grid.  To the quanta of fixed species come new particles alone, until some of them are removed. */
static int charge_of_whole(struct wn_electrostatic *f,
                           struct wn_particles *const *species, int compares)
{
  const int alone =
      wn_ranks() == 1; /* quanta of several ranks are sums, made anew each time */
  /* not before a comparison, or before the background is found */
  const int later = alone && !compares && !isnan(f->background);
  for (size_t k = 0; k < f->spec.n_species; k++) {
    const struct wn_points *m = &f->spec.points[k];
    const int is_fixed = alone && f->spec.fixed[k],
              stays = is_fixed && f->removals[k] == species[k]->removals;
    WN_TRY(stays ? wn_electrostatic_gpu_deposit(f->gpu, k, m, species[k], f->known[k])
                 : wn_electrostatic_gpu_deposit_all(f->gpu, k, m, species[k], later));
    f->known[k] = is_fixed ? species[k]->n : 0;
    f->removals[k] = species[k]->removals;
    if (compares)
      WN_TRY(wn_electrostatic_gpu_compare(f->gpu, k, m, species[k]));
  }
  return alone ? WN_OK
               : wn_electrostatic_gpu_bring_together(f->gpu, !f->some_without_gpu);
}

/* Of slabs.  Particles migrate before their charge is deposited, but after it is taken where the scheduler that
 * moved them has left it. */
static int charge_of_slabs(struct wn_electrostatic *f,
                           struct wn_particles *const *species, double dt, int compares)
{
  WN_TRY(wn_electrostatic_gpu_clear(f->gpu, 0, f->spec.n_species));
  for (size_t k = 0; k < f->spec.n_species; k++) {
    const struct wn_points *m = &f->spec.points[k];
    const double step = wn_migration_step(f, k, dt);
    const int is_listed = wn_electrostatic_gpu_is_listed(f->gpu, m, species[k]);
    if (!is_listed)
      WN_TRY(wn_electrostatic_gpu_migrate(f->gpu, f, species[k], step, NULL));
    WN_TRY(wn_electrostatic_gpu_deposit(f->gpu, k, m, species[k], 0));
    if (compares)
      WN_TRY(wn_electrostatic_gpu_compare(f->gpu, k, m, species[k]));
    if (is_listed)
      WN_TRY(wn_electrostatic_gpu_migrate(f->gpu, f, species[k], step, m));
  }
  return wn_electrostatic_gpu_add_halo(f->gpu, f);
}

static int charge(struct wn_electrostatic *f, struct wn_particles *const *species,
                  double dt)
{
  const int compares = f->solves++ % WN_CHARGE_COMPARED == 0;
  WN_TRY(wn_electrostatic_gpu_misfits(f->gpu)); /* of the last step, which has ended */
  return f->slab.ranks > 1 ? charge_of_slabs(f, species, dt, compares)
                           : charge_of_whole(f, species, compares);
}

static int solve(struct wn_electrostatic *f, const double *volt)
{
  return wn_electrostatic_gpu_solve(f->gpu, f, f->background, volt);
}

/* ---- to the host */

static int fetch_quanta(struct wn_electrostatic *f, size_t k)
{
  WN_TRY(wn_electrostatic_gpu_quanta(f->gpu, f, k));
  wn_electrostatic_fold(f, f->quanta[k]);
  return WN_OK;
}

static int fetch(struct wn_electrostatic *f, unsigned what)
{
  size_t k = 0;
  if ((f->fetched & what) != 0)
    return WN_OK;
  while ((unsigned)WN_FETCHED_QUANTA << k < what)
    k++;
  WN_TRY(what == WN_FETCHED_RHO   ? wn_electrostatic_gpu_charge(f->gpu, f)
         : what == WN_FETCHED_PHI ? wn_electrostatic_gpu_potential(f->gpu, f)
                                  : fetch_quanta(f, k));
  f->fetched |= what;
  return WN_OK;
}

static int e_of(struct wn_electrostatic *f, int d, double *e)
{
  if (f->slab.ranks == 1)
    return wn_electrostatic_gpu_e(f->gpu, f, d, e);
  WN_TRY(fetch(f, WN_FETCHED_PHI));
  return wn_electrostatic_e(f, d, e);
}

static int densest(struct wn_electrostatic *f, size_t k, double *most)
{
  return wn_electrostatic_gpu_densest(f->gpu, k, most);
}

static int begin_sums(struct wn_electrostatic *f)
{
  if (f->electrodes != NULL)
    return WN_OK;
  return wn_electrostatic_gpu_begin_sums(f->gpu, f);
}

/* With electrodes those of the host, from its copies: they are asked for seldom. */
static int sums_beside_electrodes(struct wn_electrostatic *f, struct wn_charge_sums *out)
{
  WN_TRY(fetch(f, WN_FETCHED_RHO));
  WN_TRY(fetch(f, WN_FETCHED_PHI));
  WN_TRY(wn_electrostatic_gpu_solved(f->gpu, f));
  return wn_electrostatic_host_sums(f, out);
}

static int sums(struct wn_electrostatic *f, struct wn_charge_sums *out)
{
  if (f->electrodes != NULL)
    return sums_beside_electrodes(f, out);
  double sum[WN_SLAB_SUMS] = {0.0}, most[2] = {0.0, 0.0};
  WN_TRY(wn_electrostatic_gpu_sums(f->gpu, f, sum));
  wn_slab_add_up(f, sum, WN_SLAB_SUMS);
  WN_TRY(wn_electrostatic_gpu_left(f->gpu, f, sum[WN_SLAB_CHARGE], most));
  if (f->slab.ranks > 1)
    wn_ranks_most(most, 2);
  wn_slab_sums_of(sum, most, out);
  return WN_OK;
}

static int waves(struct wn_electrostatic *f, const struct wn_waves *w, double *sum)
{
  return wn_electrostatic_gpu_waves(f->gpu, f, w, sum);
}

const struct wn_electrostatic_place wn_electrostatic_on_gpu = {
    .create = create,
    .free = destroy,
    .charge = charge,
    .solve = solve,
    .fetch = fetch,
    .e = e_of,
    .densest = densest,
    .begin_sums = begin_sums,
    .sums = sums,
    .waves = waves,
};
