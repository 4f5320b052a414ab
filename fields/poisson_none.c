/* fields/poisson_none.c - poisson_gpu.cu in a build without CUDA, where no GPU can be
 * open. */
#include "base/error.h"
#include "fields/poisson_gpu.h"

#define WITHOUT "Poisson's equation on a GPU, in a wilson that was built without CUDA"

int wn_poisson_gpu_create(struct wn_gpu *g, const struct wn_poisson_spec *spec,
                          struct wn_poisson_gpu **out)
{
  (void)g, (void)spec, (void)out;
  return WN_FAIL(WN_EINTERN, WITHOUT);
}

void wn_poisson_gpu_free(struct wn_poisson_gpu *p)
{
  (void)p;
}

int wn_poisson_gpu_solve(struct wn_poisson_gpu *p, const double *rho,
                         const double volt[6], double *phi)
{
  (void)p, (void)rho, (void)volt, (void)phi;
  return WN_FAIL(WN_EINTERN, WITHOUT);
}

int wn_poisson_gpu_has_modes(const struct wn_poisson_gpu *p, int d, int staggered)
{
  (void)p, (void)d, (void)staggered;
  return 0;
}

int wn_poisson_gpu_field(struct wn_poisson_gpu *p, const double *phi, int d,
                         int staggered, double *e)
{
  (void)p, (void)phi, (void)d, (void)staggered, (void)e;
  return WN_FAIL(WN_EINTERN, WITHOUT);
}
