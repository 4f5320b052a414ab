/* fields/electrostatic_device.c - the grids of the field `electrostatic` on GPUs, the whole or in slabs:
 * the steps of electrostatic_parts.h by electrostatic_gpu.h and electrostatic_slabs_gpu.h. */
#include <math.h>
#include <string.h>
#include "base/error.h"
#include "fields/electrostatic_slabs_gpu.h"
#include "fields/electrostatic_sums.h"
#include "fields/poisson/parts.h"

/* ---- the whole grid */

static int create(struct wn_electrostatic *f)
{
  WN_TRY(wn_electrostatic_gpu_create(&f->spec, &f->gpu));
  f->grid.e = wn_electrostatic_gpu_floats(f->gpu);
  return WN_OK;
}

static void destroy(struct wn_electrostatic *f)
{
  wn_electrostatic_gpu_free(f->gpu);
}

/* The quanta of moving species are cleared, adjacent species together; to those of fixed ones come new
 * particles alone. */
static int charge(struct wn_electrostatic *f, struct wn_particles *const *species,
                  double dt)
{
  const size_t n = f->spec.n_species;
  const int alone =
      wn_ranks() == 1; /* quanta of several ranks are sums, made anew each time */
  (void)dt;
  WN_TRY(wn_electrostatic_gpu_misfits(f->gpu)); /* of the last step, which has ended */
  for (size_t k = 0, end; k < n; k = end + 1) {
    for (end = k; end < n && !(alone && f->spec.fixed[end]); end++)
      ;
    if (end > k)
      WN_TRY(wn_electrostatic_gpu_clear(f->gpu, k, end - k));
  }
  for (size_t k = 0; k < n; k++) {
    WN_TRY(wn_electrostatic_gpu_deposit(f->gpu, k, &f->spec.points[k], species[k],
                                        f->known[k]));
    f->known[k] = alone && f->spec.fixed[k] ? species[k]->n : 0;
    if (f->solves % WN_CHARGE_COMPARED == 0)
      WN_TRY(wn_electrostatic_gpu_compare(f->gpu, k, &f->spec.points[k], species[k]));
  }
  f->solves++;
  return alone ? WN_OK
               : wn_electrostatic_gpu_bring_together(f->gpu, !f->some_without_gpu);
}

static int solve(struct wn_electrostatic *f, const double volt[6])
{
  return wn_electrostatic_gpu_solve(f->gpu, f->background, volt);
}

static int fetch_quanta(struct wn_electrostatic *f, size_t k)
{
  WN_TRY(f->gpu != NULL ? wn_electrostatic_gpu_quanta(f->gpu, k, f->quanta[k])
                        : wn_slabs_gpu_fetch_quanta(f->slabs_gpu, f, k));
  wn_electrostatic_fold(f, f->quanta[k]);
  return WN_OK;
}

static int fetch_grid(struct wn_electrostatic *f, unsigned what)
{
  const int is_rho = what == WN_FETCHED_RHO;
  if (f->gpu != NULL)
    return is_rho ? wn_electrostatic_gpu_charge(f->gpu, f->rho)
                  : wn_electrostatic_gpu_potential(f->gpu, f->phi);
  return is_rho ? wn_slabs_gpu_fetch_charge(f->slabs_gpu, f)
                : wn_slabs_gpu_fetch_potential(f->slabs_gpu, f);
}

static int fetch(struct wn_electrostatic *f, unsigned what)
{
  size_t k = 0;
  if ((f->fetched & what) != 0)
    return WN_OK;
  while ((unsigned)WN_FETCHED_QUANTA << k < what)
    k++;
  WN_TRY(what < WN_FETCHED_QUANTA ? fetch_grid(f, what) : fetch_quanta(f, k));
  f->fetched |= what;
  return WN_OK;
}

static int e_of(struct wn_electrostatic *f, int d, double *e)
{
  return wn_electrostatic_gpu_e(f->gpu, d, e);
}

static int begin_sums(struct wn_electrostatic *f)
{
  return wn_electrostatic_gpu_begin_sums(f->gpu);
}

static int sums(struct wn_electrostatic *f, struct wn_charge_sums *out)
{
  return wn_electrostatic_gpu_sums(f->gpu, out);
}

const struct wn_electrostatic_place wn_electrostatic_on_gpu = {
    .create = create,
    .free = destroy,
    .charge = charge,
    .solve = solve,
    .fetch = fetch,
    .e = e_of,
    .begin_sums = begin_sums,
    .sums = sums,
};

/* ---- slabs */

static int create_slabs(struct wn_electrostatic *f)
{
  WN_TRY(wn_slabs_gpu_create(f, &f->slabs_gpu));
  f->grid.e = wn_slabs_gpu_floats(f->slabs_gpu);
  return WN_OK;
}

static void destroy_slabs(struct wn_electrostatic *f)
{
  wn_slabs_gpu_free(f->slabs_gpu);
}

static int charge_slabs(struct wn_electrostatic *f, struct wn_particles *const *species,
                        double dt)
{
  for (size_t k = 0; k < f->spec.n_species; k++)
    WN_TRY(
        wn_slabs_gpu_migrate(f->slabs_gpu, f, species[k], wn_migration_step(f, k, dt)));
  return wn_slabs_gpu_deposit(f->slabs_gpu, f, f->spec.points, species,
                              f->solves++ % WN_CHARGE_COMPARED == 0);
}

static int solve_slabs(struct wn_electrostatic *f, const double volt[6])
{
  return wn_slabs_gpu_solve(f->slabs_gpu, f, f->background, volt);
}

static int e_slabs(struct wn_electrostatic *f, int d, double *e)
{
  WN_TRY(fetch(f, WN_FETCHED_PHI));
  return wn_electrostatic_e(f, d, e);
}

static int sums_slabs(struct wn_electrostatic *f, struct wn_charge_sums *out)
{
  double sum[WN_SLAB_SUMS] = {0.0}, volume = 1.0, most[2] = {0.0, 0.0};
  int64_t begin[3], end[3];
  WN_TRY(wn_slabs_gpu_sums(f->slabs_gpu, f, sum));
  wn_slab_add_up(f, sum, WN_SLAB_SUMS);
  for (int d = 0; d < f->grid.dim; d++) {
    wn_poisson_inside(&f->spec.poisson, d, &begin[d], &end[d]);
    volume *= f->grid.length[d];
  }
  /* what makes the whole neutral where nothing holds phi */
  const double taken =
      wn_poisson_is_floating(&f->spec.poisson) ? sum[WN_SLAB_CHARGE] / volume : 0.0;
  WN_TRY(wn_slabs_gpu_left(f->slabs_gpu, f, begin, end, taken, most));
  wn_ranks_most(most, 2);
  wn_slab_sums_of(sum, most, out);
  return WN_OK;
}

const struct wn_electrostatic_place wn_electrostatic_in_slabs_on_gpus = {
    .create = create_slabs,
    .free = destroy_slabs,
    .charge = charge_slabs,
    .solve = solve_slabs,
    .fetch = fetch,
    .e = e_slabs,
    .sums = sums_slabs,
};
