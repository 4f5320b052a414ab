/* fields/sparse/sparse_device.c - the grids of the field `sparse` on a GPU: the steps of sparse_parts.h by
 * sparse_gpu.h. */
#include "base/error.h"
#include "base/ranks.h"
#include "fields/electrostatic_gpu.h"
#include "fields/sparse/sparse_parts.h"

static int create(struct wn_sparse *f)
{
  WN_TRY(wn_sparse_gpu_create(&f->spec.full, &f->c, f->spec.at, &f->gpu));
  f->grid.e = wn_sparse_gpu_floats(f->gpu);
  return WN_OK;
}

static void destroy(struct wn_sparse *f)
{
  wn_sparse_gpu_free(f->gpu);
}

/* To the quanta of fixed species come new particles alone. */
static int charge(struct wn_sparse *f, struct wn_particles *const *species)
{
  const int alone = wn_ranks() == 1, /* quanta of several ranks are made anew each time */
      compares = f->solves++ % WN_CHARGE_COMPARED == 0;
  WN_TRY(wn_sparse_gpu_misfits(f->gpu)); /* of the last step, which has ended */
  for (size_t k = 0; k < f->spec.full.n_species; k++) {
    const struct wn_points *m = &f->spec.full.points[k];
    const int stays =
        alone && f->spec.full.fixed[k] && f->removals[k] == species[k]->removals;
    if (!stays) {
      WN_TRY(wn_sparse_gpu_clear(f->gpu, k));
      f->known[k] = 0;
    }
    WN_TRY(wn_sparse_gpu_deposit(f->gpu, WN_SPARSE_AUTO, k, m, species[k], f->known[k]));
    f->known[k] = species[k]->n;
    f->removals[k] = species[k]->removals;
    if (compares)
      WN_TRY(wn_sparse_gpu_compare(f->gpu, k, m, species[k]));
  }
  return alone ? WN_OK : wn_sparse_gpu_bring_together(f->gpu);
}

static int solve(struct wn_sparse *f, const double volt[6])
{
  WN_TRY(wn_sparse_gpu_solve(f->gpu, f->background, volt));
  return wn_sparse_gpu_combine(f->gpu);
}

static int fetch_quanta(struct wn_sparse *f, size_t k)
{
  return wn_sparse_gpu_quanta(f->gpu, k, f->quanta[k]);
}

static int fetch_rho(struct wn_sparse *f)
{
  return wn_sparse_gpu_charge(f->gpu, f->rho);
}

static int fetch_phi(struct wn_sparse *f)
{
  return wn_sparse_gpu_potential(f->gpu, f->phi);
}

static int fetch_e(struct wn_sparse *f, int d)
{
  return wn_sparse_gpu_e(f->gpu, d, f->component_e[d]);
}

static int fetch_floats(struct wn_sparse *f)
{
  return wn_sparse_gpu_gathered(f->gpu, f->e);
}

const struct wn_sparse_place wn_sparse_on_gpu = {
    .create = create,
    .free = destroy,
    .charge = charge,
    .solve = solve,
    .fetch_quanta = fetch_quanta,
    .fetch_rho = fetch_rho,
    .fetch_phi = fetch_phi,
    .fetch_e = fetch_e,
    .fetch_floats = fetch_floats,
};
