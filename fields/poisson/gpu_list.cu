/* fields/poisson/gpu_list.cu - see gpu.h: the methods of solution on a GPU, and E by differences. */
#include "fields/poisson/gpu.cuh"
#include "fields/poisson/stencil.h"

static const struct wn_poisson_gpu_ops *const methods[] = {
#define X(method) &wn_poisson_gpu_##method,
    WN_POISSON_GPU_LIST(X)
#undef X
};

int wn_poisson_gpu_create(struct wn_gpu *g, const struct wn_poisson_spec *spec,
                          struct wn_poisson_gpu **out)
{
  WN_TRY(wn_poisson_gpu_check(spec));
  const struct wn_poisson_gpu_ops *ops = methods[wn_poisson_gpu_number(spec)];
  WN_TRY(ops->create(g, spec, out));
  (*out)->ops = ops;
  return WN_OK;
}

void wn_poisson_gpu_free(struct wn_poisson_gpu *p)
{
  if (p != NULL)
    p->ops->free(p);
}

size_t wn_poisson_gpu_words(const struct wn_poisson_gpu *p)
{
  return p->words;
}

void wn_poisson_gpu_send_by(struct wn_poisson_gpu *p, struct wn_gpu_exchange *x)
{
  p->exchange = x;
}

int wn_poisson_gpu_solve(struct wn_poisson_gpu *p, const double *rho,
                         const double volt[6], double *phi)
{
  WN_TRY(wn_gpu_use(p->gpu));
  return p->ops->solve(p, rho, volt, phi);
}

/* ---- E */

int wn_poisson_gpu_has_modes(const struct wn_poisson_gpu *p, int d, int staggered)
{
  return !staggered && p->ops->has_modes != NULL && p->ops->has_modes(p, d);
}

/* One thread handles one entry at a time. */
static __global__ void field_kernel(const __grid_constant__ struct wn_poisson_spec s,
                                    const __grid_constant__ struct wn_poisson_box b,
                                    int d, int staggered, double per_h, size_t n,
                                    const double *WN_RESTRICT phi, double *WN_RESTRICT e)
{
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x) {
    const int64_t at = (int64_t)i / b.step[d] % b.nodes[d];
    const struct wn_poisson_stencil w =
        wn_poisson_stencil_at((int64_t)s.cells[d], per_h, (int)s.side[2 * d],
                              (int)s.side[2 * d + 1], staggered, at);
    e[i] = wn_poisson_stencil_of(&w, b.step[d], phi + (int64_t)i - at * b.step[d]);
  }
}

int wn_poisson_gpu_field(struct wn_poisson_gpu *p, const double *phi, int d,
                         int staggered, double *e)
{
  const struct wn_poisson_spec *s = &p->spec;
  const struct wn_poisson_box b = wn_poisson_gpu_box(s);
  WN_ASSERT(d >= 0 && d < s->dim);
  if (!wn_poisson_gpu_radial_takes(
          s)) /* a radius of constant spacing has the same differences */
    WN_TRY(wn_poisson_check_uniform(s, "E on a GPU"));
  WN_TRY(wn_gpu_use(p->gpu));
  if (wn_poisson_gpu_has_modes(p, d, staggered))
    return p->ops->field(p, phi, d, e);
  const size_t n = (size_t)b.nodes[0] * (size_t)b.nodes[1] * (size_t)b.nodes[2];
  field_kernel<<<wn_gpu_stride_blocks(p->gpu, n), WN_GPU_STRIDE_BLOCK, 0,
                 p->gpu->stream>>>(*s, b, d, staggered, 1.0 / wn_poisson_h(s, d), n, phi,
                                   e);
  return wn_gpu_check((int)cudaGetLastError(), "field");
}
