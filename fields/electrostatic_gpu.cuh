/* fields/electrostatic_gpu.cuh - the grids of a field on a GPU from inside: what its kernels
 * for the step (electrostatic_gpu.cu) and for sums (electrostatic_gpu_sums.cu) share. */
#ifndef WN_FIELDS_ELECTROSTATIC_GPU_CUH
#define WN_FIELDS_ELECTROSTATIC_GPU_CUH
#include "device/device.cuh"
#include "fields/charge_check_gpu.h"
#include "fields/charge_nodes.h"
#include "fields/electrostatic_gpu.h"
#include "fields/poisson/gpu.h"

#define WN_FIELD_BLOCK 256 /* threads */
#define WN_FIELD_SUMS  8   /* the first of struct wn_charge_sums */
/* At most, and not by the device, so that sums have one order. */
#define WN_FIELD_SUM_BLOCKS 1024

/* What kernels know of a field. */
struct wn_field_shape {
  struct wn_charge_nodes nodes;
  /* C/m3 that a quantum is at a node; halves of the cell are outside along 0, 1 or 2 of y
   * and z */
  double of_one[WN_FIELD_SPECIES][3];
  int32_t n_species;
  int32_t begin[3], end[3]; /* nodes along each axis where Poisson's equation holds */
  uint32_t along[3], n;     /* nodes, and of all */
  uint32_t padded_along[3], n_padded;
  int32_t floats; /* no side holds the potential */
  double volume;  /* of the domain */
  double cell;    /* of a cell */
  double per_h[3];
};

struct wn_electrostatic_gpu {
  struct wn_gpu *gpu;
  struct wn_field_shape shape;
  struct wn_poisson_gpu *poisson;
  size_t n, n_padded, n_floats, n_species;
  int64_t *quanta;               /* [n_species][n_padded] */
  double *rho, *phi, *component; /* [n] */
  float *e;                      /* [n_padded][stride] */
  double *partial; /* [WN_FIELD_SUM_BLOCKS][WN_FIELD_SUMS], then struct wn_charge_sums */
  unsigned int *arrived; /* blocks that have summed; 0 between launches */
  uint64_t *compared;    /* [2], of the charge and the particles */
  /* pinned, so that the host sees them after any wait */
  uint64_t *misfits;
  struct wn_charge_differs *differs;
  struct wn_charge_sums *sums;
  int has_begun; /* the sums of the last solve */
  /* Of several ranks (electrostatic_gpu_ranks.cu): what each lays open to all, as this GPU
   * sees it, [ranks], NULL where that is not to be had; what goes by messages */
  void *const *part;
  int looked;
  int64_t *passing;
};

/* After a wait, with misfits looked for: `bytes` from the device. */
int wn_electrostatic_gpu_fetch(struct wn_electrostatic_gpu *f, const void *from, void *to,
                               size_t bytes);

/* to[i] += from[i] for n quanta; from may be memory that another rank laid open. */
int wn_electrostatic_gpu_add(const struct wn_gpu *g, int64_t *to, const int64_t *from,
                             size_t n);

/* ---- in kernels; dim is that of the field */

/* Number i of a box of n[0] x n[1] x n[2]. */
template <int dim>
static __device__ void wn_field_place(const uint32_t n[3], uint32_t i, int32_t at[dim])
{
  uint32_t rest = i;
#pragma unroll
  for (int d = 0; d < dim - 1; d++) {
    const uint32_t above = rest / n[d];
    at[d] = (int32_t)(rest - above * n[d]);
    rest = above;
  }
  at[dim - 1] = (int32_t)rest;
}

/* Neither at a side nor beside one, as most are: nothing but its own counts there. */
template <int dim>
static __device__ bool wn_field_is_inner(const struct wn_field_shape &s,
                                         const int32_t at[dim])
{
  bool inner = true;
#pragma unroll
  for (int d = 0; d < dim; d++)
    inner &= at[d] > 1 && at[d] < s.nodes.grid.cells[d] - 1;
  return inner;
}

/* One of three kernels, by the dimension. */
template <class Kernel1, class Kernel2, class Kernel3, class... Args>
static int wn_field_launch(const struct wn_gpu *g, int dim, unsigned int blocks,
                           const char *what, Kernel1 one, Kernel2 two, Kernel3 three,
                           Args... args)
{
  (dim == 1   ? one
   : dim == 2 ? two
              : three)<<<blocks, WN_FIELD_BLOCK, 0, g->stream>>>(args...);
  return wn_gpu_check((int)cudaGetLastError(), what);
}

/* A kernel of the dimension of f. */
#define WN_FIELD_LAUNCH(f, blocks, what, kernel, ...)                                    \
  wn_field_launch((f)->gpu, (f)->shape.nodes.grid.dim, blocks, what, kernel<1>,          \
                  kernel<2>, kernel<3>, __VA_ARGS__)

#endif
