/* fields/poisson/gpu.cuh - internals of the solvers on a GPU: what a method is, and transforms with their
 * memory and plans (gpu_transforms.cu) and the kernels around them (gpu_lines.cu). */
#ifndef WN_FIELDS_POISSON_GPU_CUH
#define WN_FIELDS_POISSON_GPU_CUH
#include "device/device.cuh"
#include "fields/poisson/cufft.cuh"
#include "fields/poisson/gpu.h"
#include "fields/poisson/gpu_layout.h"
#include "fields/poisson/gpu_list.h"
#include "fields/poisson/parts.h"
#include "physics/constants.h"

/* A method of solution; each function as in gpu.h. */
struct wn_poisson_gpu_ops {
  /* For a valid spec; all but ops of the head. */
  int (*create)(struct wn_gpu *g, const struct wn_poisson_spec *spec,
                struct wn_poisson_gpu **out);
  int (*solve)(struct wn_poisson_gpu *p, const double *rho, const double volt[6],
               double *phi);
  void (*free)(struct wn_poisson_gpu *p);
  /* Whether component d of E at the nodes is made of modes, and it; NULL: by differences */
  int (*has_modes)(const struct wn_poisson_gpu *p, int d);
  int (*field)(struct wn_poisson_gpu *p, const double *phi, int d, double *e);
};

#define X(method) extern const struct wn_poisson_gpu_ops wn_poisson_gpu_##method;
WN_POISSON_GPU_LIST(X)
#undef X

/* Head of every solver: its struct begins with it. */
struct wn_poisson_gpu {
  const struct wn_poisson_gpu_ops *ops;
  struct wn_gpu *gpu;
  struct wn_poisson_spec spec;
  size_t words; /* wn_poisson_gpu_words */
  struct wn_gpu_exchange *exchange;
};

/* ---- transforms */

struct wn_poisson_plan {
  cufftHandle handle;
  int is_made;
};

/* Transforms go from a to b; with all axes together, modes go back from b to a. */
struct wn_poisson_transforms {
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

/* Conversion of nodes to lines along z and back in r-z (gpu_radial.cu): what load and unload of mixed.c do. */
struct wn_poisson_radial {
  struct wn_axis radius;
  int32_t nodes[2], n; /* along r and z; unknowns along r */
  int32_t first;       /* along z: node of the first value of a line */
  int32_t wraps;       /* as in struct wn_poisson_target, of z */
  int32_t held;        /* bits of the sides with a given potential */
  double volt[4];
  double to_wall;   /* C of the edge to the wall around the axis; 0: there is none */
  double low, rise; /* the function with the potentials of the sides of z: at a node */
  double scale;     /* of the lines after their transforms */
};

/* All nodes of a whole grid; */
static inline struct wn_poisson_box wn_poisson_gpu_box(const struct wn_poisson_spec *spec)
{
  struct wn_poisson_box b = {{0, 0, 0}, {0, 0, 0}, {1, 1, 1}};
  int64_t step = 1;
  for (int d = 0; d < spec->dim; d++) {
    b.step[d] = step;
    b.nodes[d] = (int32_t)spec->cells[d] + 1;
    step *= b.nodes[d];
  }
  return b;
}

/* unchanged to lines, and back. */
static inline struct wn_poisson_source
wn_poisson_gpu_source(const struct wn_poisson_spec *spec,
                      const struct wn_poisson_lines *t)
{
  struct wn_poisson_source s = {wn_poisson_gpu_box(spec),
                                {0, 0, 0},
                                {0, 0, 0},
                                1.0,
                                {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}};
  for (int d = 0; d < 3; d++)
    s.limit[d] = t->extent[d] < s.box.nodes[d] ? t->extent[d] : s.box.nodes[d];
  return s;
}

static inline struct wn_poisson_target
wn_poisson_gpu_target(const struct wn_poisson_spec *spec)
{
  struct wn_poisson_target t = {wn_poisson_gpu_box(spec),
                                {0, 0, 0},
                                0,
                                {0.0, 0.0, 0.0, 0.0, 0.0, 0.0},
                                {0, 0.0, 0.0}};
  return t;
}

/* rho / eps0 of the unknown nodes of a whole grid, and the terms of the walls beside them; limit is not set.
 * phi at all nodes.  volt may be NULL where no side is a wall. */
static inline struct wn_poisson_source
wn_poisson_gpu_charge(const struct wn_poisson_spec *spec, const double *volt)
{
  struct wn_poisson_source s = {wn_poisson_gpu_box(spec),
                                {0, 0, 0},
                                {0, 0, 0},
                                WN_EPS0,
                                {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}};
  for (int side = 0; side < 2 * spec->dim; side++) {
    const int d = side / 2;
    s.box.first[d] = (int32_t)wn_poisson_axis(spec, d).first;
    if (spec->side[side] == WN_DIRICHLET && spec->method != WN_POISSON_SPECTRAL)
      s.wall[side] = volt[side] / (wn_poisson_h(spec, d) * wn_poisson_h(spec, d));
  }
  return s;
}

static inline struct wn_poisson_target
wn_poisson_gpu_potential(const struct wn_poisson_spec *spec, const double *volt,
                         const struct wn_poisson_lift *lift)
{
  struct wn_poisson_target t = wn_poisson_gpu_target(spec);
  t.lift = *lift;
  t.lift.rise /= (double)spec->cells[lift->axis];
  for (int side = 0; side < 2 * spec->dim; side++) {
    const int d = side / 2;
    if (spec->side[side] == WN_PERIODIC)
      t.wraps[d] = (int32_t)spec->cells[d];
    if (spec->side[side] == WN_DIRICHLET) {
      t.held |= 1 << side;
      t.volt[side] = volt[side];
    }
    t.box.first[d] = (int32_t)wn_poisson_axis(spec, d).first;
  }
  return t;
}

/* ---- gpu_transforms.cu: without layout and memory; freed with what they have */
int wn_poisson_transforms_create(struct wn_gpu *g, const struct wn_poisson_spec *spec,
                                 struct wn_poisson_transforms **out);
void wn_poisson_transforms_free(struct wn_poisson_transforms *p);
/* Plans of all lines of p->layout, and their memory; eigenvalues lambda [n] of axis d;
 * turns of its lines; a transform. */
int wn_poisson_gpu_plans(struct wn_poisson_transforms *p);
int wn_poisson_gpu_lambda(struct wn_poisson_transforms *p, int d, const double *lambda,
                          size_t n);
int wn_poisson_gpu_turns(struct wn_poisson_transforms *p, int d);
int wn_poisson_gpu_transform(const struct wn_poisson_transforms *p,
                             const struct wn_poisson_lines *l,
                             const struct wn_poisson_plan *plan, double *from,
                             double *to);
/* A solver of a whole grid, with the layout of wn_poisson_layout; prepare makes what is
 * left: eigenvalues, or the Green function.  Its transforms. */
int wn_poisson_gpu_whole_create(struct wn_gpu *g, const struct wn_poisson_spec *spec,
                                int (*prepare)(struct wn_poisson_transforms *p),
                                struct wn_poisson_gpu **out);
void wn_poisson_gpu_whole_free(struct wn_poisson_gpu *p);
struct wn_poisson_transforms *wn_poisson_gpu_transforms(const struct wn_poisson_gpu *p);

/* ---- gpu_lines.cu: launches, in the stream; lines of `to` before a transform,
 * those of `from` after one */
int wn_poisson_load(const struct wn_gpu *g, const struct wn_poisson_source *s,
                    const double *from, const struct wn_poisson_lines *t, double *to);
/* To the lines of another axis; or, on the same axis, modes over their eigenvalues, and
 * back. */
int wn_poisson_turn(const struct wn_poisson_transforms *p,
                    const struct wn_poisson_lines *s, const struct wn_poisson_lines *t);
int wn_poisson_unload(const struct wn_gpu *g, const struct wn_poisson_lines *s,
                      const double *from, const struct wn_poisson_target *t, double *to);
/* In r-z, lines along z. */
int wn_poisson_load_radial(const struct wn_gpu *g, const struct wn_poisson_radial *r,
                           const double *rho, const struct wn_poisson_lines *t,
                           double *to);
int wn_poisson_unload_radial(const struct wn_gpu *g, const struct wn_poisson_radial *r,
                             const struct wn_poisson_lines *s, const double *from,
                             double *phi);
/* ---- gpu_radial_sines.cu, for wn_poisson_sines_log2 of a spec: its tables; rho to modes [r->n][cells]; modes, which do
 * not stay, to phi */
int wn_poisson_sines_create(struct wn_gpu *g, int log2_cells, double **tables);
int wn_poisson_sines(const struct wn_gpu *g, int log2_cells,
                     const struct wn_poisson_radial *r, const double *tables,
                     const double *rho, double *modes);
int wn_poisson_sines_back(const struct wn_gpu *g, int log2_cells,
                          const struct wn_poisson_radial *r, const double *tables,
                          double *modes, double *phi);
/* ---- gpu_lines.cu again */
/* Complex modes of all axes in b: over their eigenvalues, times green, or to green. */
int wn_poisson_divide(const struct wn_poisson_transforms *p);
int wn_poisson_convolve(const struct wn_poisson_transforms *p);
int wn_poisson_keep_green(const struct wn_poisson_transforms *p);
/* Replace the modes of lines in b by those of minus the derivative. */
int wn_poisson_derive(const struct wn_poisson_transforms *p,
                      const struct wn_poisson_lines *s);

#endif
