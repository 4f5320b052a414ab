/* fields/electrodes_gpu.cu - see electrodes_gpu.cuh.  One thread = one node beside a surface, or inside.  These are few beside
 * the nodes of a grid, so that a launch takes longer than the work. */
#include "fields/electrodes_gpu.cuh"
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"

#define WHAT "electrodes"

struct wn_electrodes_gpu {
  struct wn_gpu *gpu;
  size_t n[3], nodes, n_beside, n_rows, n_share_rows, inside_end[4];
  struct wn_gpu_copy beside, inside, row, share, share_row;
  double *shared, *rho; /* [nodes]: of the right equation; of the next solution */
};

/* ---- life */

void wn_electrodes_gpu_free(struct wn_electrodes_gpu *w)
{
  if (w == NULL)
    return;
  struct wn_gpu_copy *const copies[] = {&w->beside, &w->inside, &w->row, &w->share,
                                        &w->share_row};
  for (size_t i = 0; i < sizeof copies / sizeof *copies; i++)
    wn_gpu_copy_free(w->gpu, copies[i]);
  if (wn_gpu_works(w->gpu)) {
    wn_gpu_release(w->gpu, w->shared, w->nodes * sizeof *w->shared);
    wn_gpu_release(w->gpu, w->rho, w->nodes * sizeof *w->rho);
  }
  free(w);
}

static int fill(struct wn_electrodes_gpu *w, const struct wn_electrodes *e,
                const struct wn_electrode_shares *s)
{
  struct wn_gpu *g = w->gpu;
  WN_TRY(wn_gpu_use(g));
  WN_TRY(wn_gpu_copy(g, e->beside, e->n_beside * sizeof *e->beside, &w->beside));
  WN_TRY(wn_gpu_copy(g, e->inside, e->n_inside * sizeof *e->inside, &w->inside));
  WN_TRY(wn_gpu_copy(g, e->row, e->n_rows * sizeof *e->row, &w->row));
  WN_TRY(wn_gpu_copy(g, s->share, s->n * sizeof *s->share, &w->share));
  WN_TRY(wn_gpu_copy(g, s->row, s->n_rows * sizeof *s->row, &w->share_row));
  WN_TRY(wn_gpu_array(g, WHAT, w->nodes, &w->shared));
  return wn_gpu_array(g, WHAT, w->nodes, &w->rho);
}

int wn_electrodes_gpu_create(struct wn_gpu *g, const struct wn_electrodes *e,
                             const struct wn_electrode_shares *s,
                             struct wn_electrodes_gpu **out)
{
  struct wn_electrodes_gpu *w = (struct wn_electrodes_gpu *)wn_alloc(1, sizeof *w);
  if (w == NULL)
    return WN_ENOMEM;
  w->gpu = g;
  w->nodes = e->nodes;
  w->n_beside = e->n_beside;
  w->n_rows = e->n_rows;
  w->n_share_rows = s->n_rows;
  for (int d = 0; d < 3; d++)
    w->n[d] = e->n[d];
  for (int i = 0; i < 4; i++)
    w->inside_end[i] = e->inside_end[i];
  const int status = fill(w, e, s);
  if (status != WN_OK) {
    wn_electrodes_gpu_free(w);
    return status;
  }
  *out = w;
  return WN_OK;
}

/* ---- launches */

template <class F> static __global__ void each_kernel(const F f, size_t n)
{
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x)
    f(i);
}

template <class F> static int run(const struct wn_electrodes_gpu *w, const F &f, size_t n)
{
  if (n == 0)
    return WN_OK;
  each_kernel<<<wn_gpu_stride_blocks(w->gpu, n), WN_GPU_STRIDE_BLOCK, 0,
                w->gpu->stream>>>(f, n);
  return wn_gpu_check((int)cudaGetLastError(), WHAT);
}

static int copy(const struct wn_electrodes_gpu *w, double *to, const double *from)
{
  return wn_gpu_check((int)cudaMemcpyAsync(to, from, w->nodes * sizeof *to,
                                           cudaMemcpyDeviceToDevice, w->gpu->stream),
                      WHAT);
}

static struct wn_electrode_stencil *list_of(const struct wn_gpu_copy *c)
{
  return (struct wn_electrode_stencil *)c->at;
}

/* ---- the charge */

struct share_row {
  const struct wn_electrode_share_row *row;
  const struct wn_electrode_share *share;
  const double *rho;
  double background, *to;
  __device__ void operator()(size_t i) const
  {
    to[row[i].node] = wn_electrode_shares_of(&row[i], share, rho, background);
  }
};

struct lift {
  struct wn_electrode_stencil *beside;
  const double *rho;
  __device__ void operator()(size_t i) const
  {
    wn_electrode_lift(&beside[i], rho);
  }
};

struct begin_row {
  const struct wn_electrode_stencil *row;
  double *rho;
  __device__ void operator()(size_t i) const
  {
    wn_electrode_begin_row(&row[i], rho);
  }
};

struct correct_row {
  const struct wn_electrode_stencil *row;
  const double *right, *phi;
  double *rho;
  __device__ void operator()(size_t i) const
  {
    wn_electrode_correct_row(&row[i], right, phi, rho);
  }
};

int wn_electrodes_gpu_begin(struct wn_electrodes_gpu *w, const double *rho,
                            double background, const double **first)
{
  WN_TRY(copy(w, w->shared, rho));
  WN_TRY(run(w,
             share_row{(const struct wn_electrode_share_row *)w->share_row.at,
                       (const struct wn_electrode_share *)w->share.at, rho, background,
                       w->shared},
             w->n_share_rows));
  WN_TRY(run(w, lift{list_of(&w->beside), w->shared}, w->n_beside));
  WN_TRY(copy(w, w->rho, w->shared));
  *first = w->rho;
  return run(w, begin_row{list_of(&w->row), w->rho}, w->n_rows);
}

int wn_electrodes_gpu_correct(struct wn_electrodes_gpu *w, const double *phi)
{
  return run(w, correct_row{list_of(&w->row), w->shared, phi, w->rho}, w->n_rows);
}

int wn_electrodes_gpu_solves(const struct wn_electrodes_gpu *w)
{
  return w->n_rows > 0 ? WN_ELECTRODE_SOLVES : 1;
}

const double *wn_electrodes_gpu_rho(const struct wn_electrodes_gpu *w)
{
  return w->rho;
}

/* ---- E */

struct nodes_along {
  size_t n[3];
};

struct gather_beside {
  const struct wn_electrode_stencil *beside;
  struct nodes_along along;
  struct wn_grid_view grid;
  const double *phi;
  float *e;
  __device__ void operator()(size_t i) const
  {
    wn_electrode_gather_beside(&beside[i], along.n, &grid, phi, e);
  }
};

struct gather_inside {
  const struct wn_electrode_stencil *inside;
  struct nodes_along along;
  struct wn_grid_view grid;
  float *e;
  __device__ void operator()(size_t i) const
  {
    wn_electrode_gather_inside(&inside[i], along.n, &grid, e);
  }
};

int wn_electrodes_gpu_gathered(struct wn_electrodes_gpu *w, const double *phi,
                               const struct wn_grid_view *g, float *e)
{
  const struct nodes_along along = {{w->n[0], w->n[1], w->n[2]}};
  WN_TRY(run(w, gather_beside{list_of(&w->beside), along, *g, phi, e}, w->n_beside));
  for (int deep = 1; deep <= g->dim; deep++) {
    const size_t first = w->inside_end[deep - 1];
    WN_TRY(run(w, gather_inside{list_of(&w->inside) + first, along, *g, e},
               w->inside_end[deep] - first));
  }
  return WN_OK;
}

struct field_beside {
  const struct wn_electrode_stencil *beside;
  const double *phi;
  int d;
  double *e;
  __device__ void operator()(size_t i) const
  {
    if (beside[i].axis == d)
      e[beside[i].node] = wn_electrode_sum(&beside[i], phi) + beside[i].lifted;
  }
};

struct field_inside {
  const struct wn_electrode_stencil *inside;
  int d;
  double *e;
  __device__ void operator()(size_t i) const
  {
    if (inside[i].axis == d)
      e[inside[i].node] = wn_electrode_sum(&inside[i], e);
  }
};

int wn_electrodes_gpu_field(struct wn_electrodes_gpu *w, const double *phi, int d,
                            double *at_nodes)
{
  WN_TRY(run(w, field_beside{list_of(&w->beside), phi, d, at_nodes}, w->n_beside));
  for (int deep = 1; deep < 4; deep++) {
    const size_t first = w->inside_end[deep - 1], end = w->inside_end[deep];
    if (end > first)
      WN_TRY(run(w, field_inside{list_of(&w->inside) + first, d, at_nodes}, end - first));
  }
  return WN_OK;
}
