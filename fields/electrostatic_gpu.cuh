/* fields/electrostatic_gpu.cuh - the grids of a field on a GPU from inside: the step (electrostatic_gpu.cu),
 * sums (electrostatic_gpu_sums.cu), and what goes to other ranks (electrostatic_gpu_ranks.cu of a whole grid,
 * halo_gpu.cu and migration_gpu.cu of slabs). */
#ifndef WN_FIELDS_ELECTROSTATIC_GPU_CUH
#define WN_FIELDS_ELECTROSTATIC_GPU_CUH
#include "device/device.cuh"
#include "device/exchange.h"
#include "fields/charge_check_gpu.h"
#include "fields/electrodes_gpu.cuh"
#include "fields/electrostatic_parts.h"
#include "fields/poisson/gpu.h"

#define WN_FIELD_BLOCK 256 /* threads */
#define WN_FIELD_SUMS  8   /* the first of struct wn_charge_sums */
/* At most, and not by the device, so that sums have one order. */
#define WN_FIELD_SUM_BLOCKS 1024

/* What kernels know of the slab of a rank. */
struct wn_field_shape {
  struct wn_charge_nodes nodes; /* of the whole grid */
  /* C/m3 that a quantum is at a node; halves of the cell are outside along 0, 1 or 2 of y
   * and z */
  double of_one[WN_FIELD_SPECIES][3];
  int32_t n_species;
  int32_t first;   /* own plane along the last axis */
  int32_t is_slab; /* one of several: quanta are folded along the last axis already, */
  int32_t wraps;   /* and, of a periodic one, phi has guards beyond its ends */
  uint32_t along[3], n;               /* own nodes, and of all */
  uint32_t padded_along[3], n_padded; /* of the whole grid */
  double per_h[3];
  struct wn_axis radius; /* of struct wn_slab */
};

/* The quanta of each species, and the charge that a scheduler has left, which is moved there: NULL, or
 * `words` of it, which is one more than there are nodes where misfits were counted. */
struct wn_field_charge {
  int64_t *quanta[WN_FIELD_SPECIES], *left[WN_FIELD_SPECIES];
  uint32_t words[WN_FIELD_SPECIES];
  int32_t n; /* species; 0: none has left any */
};

struct wn_electrostatic_gpu {
  struct wn_gpu *gpu;
  struct wn_field_shape shape;
  struct wn_poisson_gpu *poisson;
  struct wn_electrodes_gpu *electrodes; /* NULL: there are none */
  size_t n, n_phi, n_padded, n_floats, n_species;
  /* the nodes of charge and of E that have memory */
  struct wn_gpu_part charge_part, e_part;
  struct wn_gpu_addresses quanta_addresses, e_addresses; /* of one of several slabs */
  int64_t *quanta;                                       /* [n_species][n_padded] */
  double *rho, *phi; /* [own][plane], [own + 2 guards][plane] */
  double *component; /* [n], of a whole grid */
  float *e;          /* [n_padded][stride] */
  double *partial; /* [WN_FIELD_SUM_BLOCKS][WN_FIELD_SUMS], then struct wn_charge_sums */
  unsigned int *arrived; /* blocks that have summed; 0 between launches */
  uint64_t *compared;    /* [2], of the charge and the particles */
  /* pinned, so that the host sees them after any wait */
  uint64_t *misfits;
  struct wn_charge_differs *differs;
  struct wn_charge_sums *sums;
  int has_begun; /* the sums of the last solve */
  struct wn_field_charge charge;
  struct wn_gpu_store *store[WN_FIELD_SPECIES]; /* of charge.left */
  /* A whole grid on each of several ranks (electrostatic_gpu_ranks.cu): what each lays open to all, as this
   * GPU sees it, [ranks], NULL where that is not to be had; what goes by messages */
  void *const *part;
  int looked;
  int64_t *passing_quanta;
  /* Several slabs (halo_gpu.cu, migration_gpu.cu): planes, or records, for others, and planes from them */
  struct wn_gpu_exchange *exchange;
  size_t passing_bytes, coming_bytes, planes_bytes; /* planes_bytes: for planes alone */
  unsigned char *passing, *coming;
  size_t *words; /* [2][ranks] */
  /* particles that leave: all, those that are too fast, and for each rank; there and, pinned, here */
  unsigned long long *count, *host_count; /* [2 + ranks] */
};

/* phi of plane 0 of the whole grid, which may be on another rank. */
static inline double *wn_field_phi(const struct wn_electrostatic_gpu *g,
                                   const struct wn_slab *s)
{
  return g->phi + (wn_slab_guard_phi(s) - s->own[0]) * s->plane;
}

/* ---- halo_gpu.cu */

/* to[i] += from[i] for n quanta; from may be memory that another rank laid open. */
int wn_halo_gpu_add(const struct wn_gpu *g, int64_t *to, const int64_t *from, size_t n);

/* Of several slabs. */

int wn_halo_gpu_create(struct wn_electrostatic_gpu *g, const struct wn_electrostatic *f);
void wn_halo_gpu_free(struct wn_electrostatic_gpu *g);
/* At least so many bytes for others; WN_ENOMEM. */
int wn_halo_gpu_passing(struct wn_electrostatic_gpu *g, size_t bytes);
/* After a migration: much more memory than the next one will take is released. */
void wn_halo_gpu_give_back(struct wn_electrostatic_gpu *g);
/* As wn_halo_copy. */
int wn_halo_gpu_copy(struct wn_electrostatic_gpu *g, const struct wn_electrostatic *f);

/* After a wait, with misfits looked for: `bytes` from the device. */
int wn_electrostatic_gpu_fetch(struct wn_electrostatic_gpu *f, const void *from, void *to,
                               size_t bytes);

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

/* Neither at a side nor beside one, as most are: nothing but its own counts there.  Where guards lie beyond
 * the ends of the last axis, it has none. */
template <int dim>
static __device__ bool wn_field_is_inner(const struct wn_field_shape &s,
                                         const int32_t at[dim])
{
  bool inner = true;
#pragma unroll
  for (int d = 0; d < dim; d++)
    inner &=
        (d == dim - 1 && s.wraps) || (at[d] > 1 && at[d] < s.nodes.grid.cells[d] - 1);
  return inner;
}

/* One of three kernels, by the dimension; it begins with wn_gpu_after_others. */
template <class Kernel1, class Kernel2, class Kernel3, class... Args>
static int wn_field_launch(const struct wn_gpu *g, int dim, unsigned int blocks,
                           const char *what, Kernel1 one, Kernel2 two, Kernel3 three,
                           Args... args)
{
  return dim == 1 ? wn_gpu_launch_early(g, what, one, blocks, WN_FIELD_BLOCK, 0, args...)
         : dim == 2
             ? wn_gpu_launch_early(g, what, two, blocks, WN_FIELD_BLOCK, 0, args...)
             : wn_gpu_launch_early(g, what, three, blocks, WN_FIELD_BLOCK, 0, args...);
}

/* A kernel of the dimension of f. */
#define WN_FIELD_LAUNCH(f, blocks, what, kernel, ...)                                    \
  wn_field_launch((f)->gpu, (f)->shape.nodes.grid.dim, blocks, what, kernel<1>,          \
                  kernel<2>, kernel<3>, __VA_ARGS__)

#endif
