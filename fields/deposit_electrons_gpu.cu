/* fields/deposit_electrons_gpu.cu - the charge of electrons in a grid (struct wn_electron): see
 * deposit_gpu.h. */
#include "device/device.cuh"
#include "fields/deposit_gpu.h"
#include "physics/electron.h"

int wn_deposit_gpu_electrons(struct wn_gpu *g, const struct wn_points *m,
                             const struct wn_particles *p, size_t first, int64_t *quanta,
                             uint64_t *misfits)
{
  struct wn_gpu_store *t = wn_gpu_store_of(g, p);
  int is_known;
  if (p->n <= first)
    return WN_OK;
  if (t == NULL || p->place == WN_PARTICLES_HOST)
    return WN_FAIL(WN_EINTERN, "charge of electrons on a GPU that does not hold them");
  WN_ASSERT(p->record.bytes == sizeof(struct wn_electron));
  WN_TRY(wn_gpu_use(g));
  if (first == 0)
    WN_TRY(wn_gpu_charge_take(t, m, quanta, misfits, &is_known));
  else
    is_known = 0;
  return is_known ? (int)WN_OK
                  : wn_gpu_charge_electrons(
                        g, m, (const struct wn_electron *)wn_gpu_records(t) + first,
                        p->n - first, quanta, misfits);
}
