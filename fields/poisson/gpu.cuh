/* fields/poisson/gpu.cuh - internals of a solver on a GPU: its memory and plans
 * (gpu.cu), the kernels around cuFFT (gpu_lines.cu) and the one without
 * it (gpu_direct.cu). */
#ifndef WN_FIELDS_POISSON_GPU_CUH
#define WN_FIELDS_POISSON_GPU_CUH
#include "device/device.cuh"
#include "fields/poisson/cufft.cuh"
#include "fields/poisson/gpu.h"
#include "fields/poisson/gpu_layout.h"
#include "fields/poisson/parts.h"

struct wn_poisson_plan {
  cufftHandle handle;
  int is_made;
};

/* Transforms go from a to b; with all axes together, modes go back from b to a. */
struct wn_poisson_gpu {
  struct wn_gpu *gpu;
  struct wn_poisson_spec spec;
  struct wn_poisson_layout layout;
  const struct wn_cufft *cufft;
  struct wn_poisson_plan solve[3][2], field[3][2]; /* like the lines of layout */
  double *a, *b;                                   /* [layout.buffer] */
  double *lambda[3]; /* [modes], one entry 0 beyond dim; not with open sides */
  size_t n_lambda[3];
  double *turns[3]; /* of layout.lines[axis], [row]; NULL: not needed */
  double *green;    /* open: transform of the Green function, over eps0 and the norm */
  double norm;      /* factor of a forward and a backward transform */
  int floats;       /* the first mode of all has no eigenvalue */
  void *work;
  size_t work_bytes;
};

/* The nodes that values are read from or written to: node first + i along each axis. */
struct wn_poisson_box {
  int64_t step[3];
  int32_t first[3], nodes[3];
};

/* Conversion of nodes to lines. */
struct wn_poisson_source {
  struct wn_poisson_box box;
  int32_t limit[3];   /* values beyond are 0 */
  int32_t is_even[3]; /* value i of a doubled axis is that of node min(i, n - i) */
  double divisor;
  double wall[6]; /* term of the voltage of a side in the values beside it */
};

/* Conversion of lines to nodes. */
struct wn_poisson_target {
  struct wn_poisson_box box;
  int32_t wraps[3]; /* cells: that node is node 0; 0: nothing wraps */
  int32_t held;     /* bits of the sides with a given potential */
  double volt[6];
  struct wn_poisson_lift lift;
};

/* ---- gpu.cu, for a caller that lays lines out itself (slabs_gpu.cu):
 * plans of all lines of p->layout, and their memory; eigenvalues lambda [n] of axis d;
 * turns of its lines; a transform */
int wn_poisson_gpu_plans(struct wn_poisson_gpu *p);
int wn_poisson_gpu_lambda(struct wn_poisson_gpu *p, int d, const double *lambda,
                          size_t n);
int wn_poisson_gpu_turns(struct wn_poisson_gpu *p, int d);
int wn_poisson_gpu_transform(const struct wn_poisson_gpu *p,
                             const struct wn_poisson_lines *l,
                             const struct wn_poisson_plan *plan, double *from,
                             double *to);

/* ---- gpu_lines.cu: launches, in the stream; lines of `to` before a transform,
 * those of `from` after one */
int wn_poisson_load(const struct wn_gpu *g, const struct wn_poisson_source *s,
                    const double *from, const struct wn_poisson_lines *t, double *to);
/* To the lines of another axis; or, on the same axis, modes over their eigenvalues, and
 * back. */
int wn_poisson_turn(const struct wn_poisson_gpu *p, const struct wn_poisson_lines *s,
                    const struct wn_poisson_lines *t);
int wn_poisson_unload(const struct wn_gpu *g, const struct wn_poisson_lines *s,
                      const double *from, const struct wn_poisson_target *t, double *to);
/* Complex modes of all axes in b: over their eigenvalues, times green, or to green. */
int wn_poisson_divide(const struct wn_poisson_gpu *p);
int wn_poisson_convolve(const struct wn_poisson_gpu *p);
int wn_poisson_keep_green(const struct wn_poisson_gpu *p);
/* Replace the modes of lines in b by those of minus the derivative. */
int wn_poisson_derive(const struct wn_poisson_gpu *p, const struct wn_poisson_lines *s);

/* ---- gpu_direct.cu */
int wn_poisson_direct(const struct wn_poisson_gpu *p, const double *rho,
                      const double volt[6], double *phi);

#endif
