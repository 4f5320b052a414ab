/* fields/poisson/gpu_multigrid.h - the memory of multigrid on a GPU, for allocation (gpu_multigrid.cu) and
 * forecast (gpu_forecast.c). */
#ifndef WN_FIELDS_POISSON_GPU_MULTIGRID_H
#define WN_FIELDS_POISSON_GPU_MULTIGRID_H
#include "fields/poisson/gpu_multigrid_tiles.h"
#include "fields/poisson/multigrid.h"

/* Blocks of a reduction, whose sums are added in their order, at most so many where there are not more columns of nodes
 * along the last axis; sums of a reduction. */
#define WN_MULTIGRID_BLOCKS  4096
#define WN_MULTIGRID_SUMS    2
#define WN_MULTIGRID_SCALARS 16
/* Results of cycles that are kept, in the memory of conjugate gradients and of a residual. */
#define WN_MULTIGRID_KEPT 5
/* Bytes of what kernels know of all grids. */
#define WN_MULTIGRID_VIEWS ((size_t)WN_MULTIGRID_LEVELS * 384)
/* Floats in whole lines of memory. */
#define WN_MULTIGRID_ALIGN 32

static inline size_t wn_multigrid_gpu_vector(const struct wn_multigrid_level *l)
{
  return (l->size + WN_MULTIGRID_ALIGN - 1) / WN_MULTIGRID_ALIGN * WN_MULTIGRID_ALIGN;
}

/* Threads of a block that finds the residual; its nodes along axis 0 of three. */
#define WN_MULTIGRID_DEFECT     256
#define WN_MULTIGRID_DEFECT_ROW 32

static inline size_t wn_multigrid_gpu_columns(const struct wn_multigrid_level *l)
{
  const size_t row = l->dim == 3 ? WN_MULTIGRID_DEFECT_ROW : WN_MULTIGRID_DEFECT,
               rows = l->dim == 3 ? WN_MULTIGRID_DEFECT / row : 1;
  return (((size_t)l->axis[0].n + row - 1) / row) *
         (l->dim == 3 ? ((size_t)l->axis[1].n + rows - 1) / rows : 1);
}
static inline size_t wn_multigrid_gpu_blocks(const struct wn_multigrid_level *l)
{
  const size_t columns = wn_multigrid_gpu_columns(l);
  return columns > WN_MULTIGRID_BLOCKS ? columns : WN_MULTIGRID_BLOCKS;
}

/* Floats of so many bytes, in whole lines. */
static inline size_t wn_multigrid_gpu_floats(size_t bytes)
{
  const size_t line = WN_MULTIGRID_ALIGN * sizeof(float);
  return (bytes + line - 1) / line * WN_MULTIGRID_ALIGN;
}

/* Of a grid that one block handles, with all that are coarser. */
#define WN_MULTIGRID_TAIL 2048

/* Whether a grid is one of gpu_multigrid_march.cuh, which know two colours. */
static inline int wn_multigrid_gpu_marches(const struct wn_multigrid_levels *m, int i)
{
  const struct wn_multigrid_level *l = &m->level[i];
  const size_t nodes = (size_t)l->axis[0].n * (size_t)l->axis[1].n * (size_t)l->axis[2].n;
  return i + 1 < m->n && l->colours == 2 && nodes > WN_MULTIGRID_TAIL;
}

/* Numbers of each kind, all of one kind in one block of memory. */
struct wn_multigrid_gpu_room {
  size_t floats, doubles, integers, flags;
};

/* Of a solver that is prepared (wn_multigrid_prepare). */
static inline struct wn_multigrid_gpu_room
wn_multigrid_gpu_room(const struct wn_multigrid_solver *m)
{
  const struct wn_poisson_spec *s = &m->head.spec;
  const struct wn_multigrid_level *first = &m->levels.level[0],
                                  *last = &m->levels.level[m->levels.n - 1];
  const size_t surfaces = s->geometry.held != NULL ? (size_t)s->geometry.n_surfaces : 0;
  struct wn_multigrid_gpu_room r = {0, 0, 0, 0};
  size_t nodes = 1;
  for (int i = 0; i < m->levels.n; i++) {
    const struct wn_multigrid_level *l = &m->levels.level[i];
    r.floats += wn_multigrid_gpu_vector(l) * (size_t)(l->dim + 5);
    for (int d = 0; d < 3; d++) {
      r.integers += (size_t)l->axis[d].n;
      r.flags += (size_t)l->axis[d].n;
    }
    if (wn_multigrid_gpu_marches(&m->levels, i)) {
      r.floats += (size_t)wn_multigrid_around(l->dim) * wn_multigrid_gpu_vector(l + 1);
      r.flags += wn_multigrid_bricks(l) + wn_multigrid_gpu_vector(l);
      r.integers += 2 * wn_multigrid_bricks(l);
      for (int d = 0; d < 3; d++)
        r.floats += wn_multigrid_gpu_floats((size_t)l->axis[d].n *
                                            sizeof(struct wn_multigrid_node)) +
                    wn_multigrid_gpu_floats((size_t)l->axis[d].n *
                                            sizeof(struct wn_multigrid_kept));
    }
  }
  for (int d = 0; d < 3; d++) {
    nodes *= (size_t)last->axis[d].n;
    r.doubles += 2 * m->n[d] + 1 + (d < s->dim && s->edge[d] != NULL ? m->nodes : 0);
  }
  r.doubles += 4 * first->size + nodes * nodes + (surfaces > 6 ? surfaces : 6) +
               WN_MULTIGRID_SUMS * wn_multigrid_gpu_blocks(first) + WN_MULTIGRID_SCALARS;
  r.integers += first->size + nodes;
  return r;
}

#endif
