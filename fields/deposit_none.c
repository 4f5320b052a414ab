/* fields/deposit_none.c - deposit_gpu.cu and electrostatic_gpu.cu in a build without
 * CUDA, where no GPU can be open. */
#include "base/error.h"
#include "fields/deposit_gpu.h"
#include "fields/electrostatic_gpu.h"
#include "fields/electrostatic_slabs_gpu.h"

#define WITHOUT "a field on a GPU, in a wilson that was built without CUDA"

int wn_deposit_gpu_points(struct wn_gpu *g, enum wn_deposit_gpu way,
                          const struct wn_points *m, struct wn_particles *p, size_t first,
                          int64_t *quanta, uint64_t *misfits)
{
  (void)g, (void)way, (void)m, (void)p, (void)first, (void)quanta, (void)misfits;
  return WN_FAIL(WN_EINTERN, WITHOUT);
}

int wn_deposit_gpu_electrons(struct wn_gpu *g, const struct wn_points *m,
                             const struct wn_particles *p, size_t first, int64_t *quanta,
                             uint64_t *misfits)
{
  (void)g, (void)m, (void)p, (void)first, (void)quanta, (void)misfits;
  return WN_FAIL(WN_EINTERN, WITHOUT);
}

int wn_electrostatic_gpu_create(const struct wn_electrostatic_spec *spec,
                                struct wn_electrostatic_gpu **out)
{
  (void)spec, (void)out;
  return WN_FAIL(WN_EINTERN, WITHOUT);
}

void wn_electrostatic_gpu_free(struct wn_electrostatic_gpu *f)
{
  (void)f;
}

int wn_electrostatic_gpu_clear(struct wn_electrostatic_gpu *f, size_t first, size_t n)
{
  (void)f, (void)first, (void)n;
  return WN_FAIL(WN_EINTERN, WITHOUT);
}

int wn_electrostatic_gpu_deposit(struct wn_electrostatic_gpu *f, size_t k,
                                 const struct wn_points *m, struct wn_particles *p,
                                 size_t first)
{
  (void)f, (void)k, (void)m, (void)p, (void)first;
  return WN_FAIL(WN_EINTERN, WITHOUT);
}

int wn_electrostatic_gpu_solve(struct wn_electrostatic_gpu *f, double background,
                               const double volt[6])
{
  (void)f, (void)background, (void)volt;
  return WN_FAIL(WN_EINTERN, WITHOUT);
}

const float *wn_electrostatic_gpu_floats(const struct wn_electrostatic_gpu *f)
{
  (void)f;
  return 0;
}

int wn_electrostatic_gpu_compare(struct wn_electrostatic_gpu *f, size_t k,
                                 const struct wn_points *m, const struct wn_particles *p)
{
  (void)f, (void)k, (void)m, (void)p;
  return WN_FAIL(WN_EINTERN, WITHOUT);
}

int wn_electrostatic_gpu_misfits(const struct wn_electrostatic_gpu *f)
{
  (void)f;
  return WN_FAIL(WN_EINTERN, WITHOUT);
}

int wn_electrostatic_gpu_quanta(struct wn_electrostatic_gpu *f, size_t k, int64_t *quanta)
{
  (void)f, (void)k, (void)quanta;
  return WN_FAIL(WN_EINTERN, WITHOUT);
}

int wn_electrostatic_gpu_bring_together(struct wn_electrostatic_gpu *f, int all_have)
{
  (void)f, (void)all_have;
  return WN_FAIL(WN_EINTERN, WITHOUT);
}

int wn_electrostatic_gpu_charge(struct wn_electrostatic_gpu *f, double *rho)
{
  (void)f, (void)rho;
  return WN_FAIL(WN_EINTERN, WITHOUT);
}

int wn_electrostatic_gpu_potential(struct wn_electrostatic_gpu *f, double *phi)
{
  (void)f, (void)phi;
  return WN_FAIL(WN_EINTERN, WITHOUT);
}

int wn_electrostatic_gpu_e(struct wn_electrostatic_gpu *f, int d, double *e)
{
  (void)f, (void)d, (void)e;
  return WN_FAIL(WN_EINTERN, WITHOUT);
}

int wn_electrostatic_gpu_begin_sums(struct wn_electrostatic_gpu *f)
{
  (void)f;
  return WN_FAIL(WN_EINTERN, WITHOUT);
}

int wn_electrostatic_gpu_sums(struct wn_electrostatic_gpu *f, struct wn_charge_sums *out)
{
  (void)f, (void)out;
  return WN_FAIL(WN_EINTERN, WITHOUT);
}

int wn_slabs_gpu_create(const struct wn_field_slabs *f, struct wn_slabs_gpu **out)
{
  (void)f, (void)out;
  return WN_FAIL(WN_EINTERN, WITHOUT);
}

void wn_slabs_gpu_free(struct wn_slabs_gpu *g)
{
  (void)g;
}

const float *wn_slabs_gpu_floats(const struct wn_slabs_gpu *g)
{
  (void)g;
  return NULL;
}

int wn_slabs_gpu_gather(struct wn_slabs_gpu *g, const struct wn_field_slabs *f,
                        struct wn_particles *p, double dt)
{
  (void)g, (void)f, (void)p, (void)dt;
  return WN_FAIL(WN_EINTERN, WITHOUT);
}

int wn_slabs_gpu_deposit(struct wn_slabs_gpu *g, const struct wn_field_slabs *f,
                         const struct wn_points *points,
                         struct wn_particles *const *species, int compares)
{
  (void)g, (void)f, (void)points, (void)species, (void)compares;
  return WN_FAIL(WN_EINTERN, WITHOUT);
}

int wn_slabs_gpu_solve(struct wn_slabs_gpu *g, const struct wn_field_slabs *f,
                       double background, const double volt[6])
{
  (void)g, (void)f, (void)background, (void)volt;
  return WN_FAIL(WN_EINTERN, WITHOUT);
}

int wn_slabs_gpu_fetch_quanta(struct wn_slabs_gpu *g, const struct wn_field_slabs *f,
                              size_t k)
{
  (void)g, (void)f, (void)k;
  return WN_FAIL(WN_EINTERN, WITHOUT);
}

int wn_slabs_gpu_fetch_charge(struct wn_slabs_gpu *g, const struct wn_field_slabs *f)
{
  (void)g, (void)f;
  return WN_FAIL(WN_EINTERN, WITHOUT);
}

int wn_slabs_gpu_fetch_potential(struct wn_slabs_gpu *g, const struct wn_field_slabs *f)
{
  (void)g, (void)f;
  return WN_FAIL(WN_EINTERN, WITHOUT);
}

int wn_slabs_gpu_sums(struct wn_slabs_gpu *g, const struct wn_field_slabs *f, double *sum)
{
  (void)g, (void)f, (void)sum;
  return WN_FAIL(WN_EINTERN, WITHOUT);
}

int wn_slabs_gpu_left(struct wn_slabs_gpu *g, const struct wn_field_slabs *f,
                      const int64_t begin[3], const int64_t end[3], double taken,
                      double most[2])
{
  (void)g, (void)f, (void)begin, (void)end, (void)taken, (void)most;
  return WN_FAIL(WN_EINTERN, WITHOUT);
}
