/* fields/sparse/sparse_gpu.cuh - the grids of the combination technique on a GPU from inside: life and what
 * goes to the host (sparse_gpu.cu), charge onto the parents (sparse_deposit_gpu.cu), the way from there to E
 * (sparse_solve_gpu.cu). */
#ifndef WN_FIELDS_SPARSE_GPU_CUH
#define WN_FIELDS_SPARSE_GPU_CUH
#include "device/device.cuh"
#include "fields/charge_check_gpu.h"
#include "fields/charge_nodes.h"
#include "fields/sparse/sparse_gpu.h"
#include "fields/sparse/sparse_layout.h"

#define WN_SPARSE_BLOCK 256 /* threads */

/* A parent on the device.  Its quanta lie on nodes without copies: `cells` of them along a periodic axis, so that
 * all parents of 7 levels fit into the shared memory of a block. */
struct wn_sparse_target {
  int32_t level[3];
  int32_t shift[3]; /* bits of a place in a record that are the part of a cell */
  int32_t last[3];  /* node; the next of it is 0 along a periodic axis */
  int32_t step[3];
  int32_t first;   /* of its nodes in the quanta of a species */
  int32_t first_e; /* of those with copies, of E: struct wn_sparse_parent.first */
};

/* What kernels know of the grids. */
struct wn_sparse_shape {
  struct wn_charge_nodes nodes; /* of the full grid */
  int32_t dim, n;
  int32_t n_parents, n_components, n_species;
  int32_t is_periodic[3];
  struct wn_sparse_target parent[3];
  uint32_t n_quanta; /* nodes of all parents, without copies */
  uint32_t n_nodes, n_parent_nodes;
  double per_h[3]; /* 1/m, of the full grid */
};

/* What the modes of an axis are, and where their matrices of each level lie: [entry][result], the result of a
 * product first.  Of `n` unknown nodes from `first` on. */
struct wn_sparse_axis {
  const double *forward, *back; /* to modes, to nodes */
  const double
      *slope; /* minus the derivative of the modes times h; NULL: by differences */
  const double *root;     /* of minus the eigenvalue of a mode, times h */
  int32_t first, missing; /* unknown nodes: 2^level + missing */
};

struct wn_sparse_gpu {
  struct wn_gpu *gpu;
  struct wn_sparse_shape shape;
  struct wn_components components;
  struct wn_poisson_spec poisson;
  struct wn_sparse_axis axis[3];
  int64_t *quanta;                /* [n_species][n_quanta] */
  struct wn_component *component; /* [n_components] */
  uint8_t *owner;                 /* [n_nodes] the component that has a node */
  double *of_one;    /* [n_components][n_species][3]: struct wn_field_shape.of_one */
  double *rho, *phi; /* [n_nodes] */
  double *work[2];   /* [n_nodes] */
  double *e;         /* [dim][n_nodes] */
  double *parent_e;  /* [n_parent_nodes][dim]; combined at the particle: none */
  float *floats;     /* [n_floats] */
  enum wn_sparse_combined at;
  double *table[3]; /* matrices and roots, of each kind of axis */
  size_t table_n[3], n_floats;
  uint64_t *compared; /* [2] */
  /* pinned */
  uint64_t *misfits;
  struct wn_charge_differs *differs;
  int64_t *passing; /* [n_quanta], of the host */
};

/* sparse_deposit_gpu.cu */
int wn_sparse_gpu_add(struct wn_sparse_gpu *g, enum wn_sparse_deposit way,
                      const struct wn_points *m, const struct wn_record *record,
                      const void *records, size_t n, int is_in_order, int64_t *quanta);

#endif
