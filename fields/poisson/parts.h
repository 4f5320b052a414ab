/* fields/poisson/parts.h - common parts of the files of Poisson's equation, also for a
 * solver on other hardware: the modes of an axis and the Green function of free space. */
#ifndef WN_FIELDS_POISSON_PARTS_H
#define WN_FIELDS_POISSON_PARTS_H
#include <stddef.h>
#include <stdint.h>
#include "fields/poisson/fft.h"
#include "fields/poisson/poisson.h"

WN_BEGIN_DECLS

/* The nodes of an axis at which phi is unknown, from `first` on, and the modes into which
 * they are decomposed; sides are not open. */
struct wn_poisson_axis {
  enum wn_fft_kind kind;
  size_t first, n;
};

struct wn_poisson_axis wn_poisson_axis(const struct wn_poisson_spec *spec, int d);

/* lambda[k], n of them, 1/m2: minus the second derivative of each mode, or minus its
 * three-point difference, by the method of the spec. */
void wn_poisson_lambda(const struct wn_poisson_spec *spec, int d, double *lambda);

/* A function with the potentials of the Dirichlet sides: low + rise (i / cells) along
 * axis; 0 with `differences`, which need none.  WN_EINPUT as wn_poisson_solve. */
struct wn_poisson_lift {
  int axis;
  double low, rise;
};
int wn_poisson_lift(const struct wn_poisson_spec *spec, const double *volt,
                    struct wn_poisson_lift *lift);

/* Whether no side fixes the potential: all are periodic or Neumann. */
int wn_poisson_is_floating(const struct wn_poisson_spec *spec);
/* If one side is open, all are, or it is that around the axis alone: wn_poisson_is_around. */
static inline int wn_poisson_is_open(const struct wn_poisson_spec *spec)
{
  return spec->side[0] == WN_OPEN;
}

/* Whether the side around the axis of symmetry is open, and no other. */
static inline int wn_poisson_is_around(const struct wn_poisson_spec *spec)
{
  return spec->side[1] == WN_OPEN && spec->side[0] != WN_OPEN;
}

/* WN_EINPUT: a wall without a finite potential. */
int wn_poisson_check_volts(const struct wn_poisson_spec *spec, const double *volt);

/* C from an open side around the axis, at r, outwards, for a mode with this eigenvalue [1/m2]: the flux of
 * K_0(k r), as in mixed.c; of 0 any. */
double wn_poisson_outside(double r, double lambda);

/* WN_EINPUT: a side at the centre of an axis that is no line is no plane of symmetry. */
int wn_poisson_check_centre(const struct wn_poisson_spec *spec);

/* The nodes along axis d at which the equation holds, from *begin to before *end. */
static inline void wn_poisson_inside(const struct wn_poisson_spec *spec, int d,
                                     int64_t *begin, int64_t *end)
{
  const struct wn_poisson_axis a = wn_poisson_axis(spec, d);
  const int is_open = wn_poisson_is_open(spec);
  *begin = is_open ? 1 : (int64_t)a.first;
  *end = is_open || (d == 0 && wn_poisson_is_around(spec)) ? (int64_t)spec->cells[d]
                                                           : (int64_t)(a.first + a.n);
}

/* Free space: g[k][j][i], cells + 1 along each axis [m2]: phi eps0 at a distance of
 * (i, j, k) nodes from a cell with rho = 1; even along each axis. */
void wn_poisson_green(const struct wn_poisson_spec *spec, double *g);

/* ---- methods of solution on the host */

/* What a grid may need of a method besides constant spacing along lines and sides that are
 * periodic, Dirichlet's or Neumann's: a bit each, and its words in a message. */
#define WN_POISSON_NEEDS(X)                                                              \
  X(SPECTRAL, "the spectral method")                                                     \
  X(OPEN, "open sides")                                                                  \
  X(DIVIDED, "a grid divided among processes")                                           \
  X(AXES, "axes that are stretched or not along a line")                                 \
  X(AROUND, "an open side around the axis")                                              \
  X(INSIDE, "nodes of given potential inside")                                           \
  X(EDGES, "factors of edges")                                                           \
  X(LINKS, "links between nodes")                                                        \
  X(MULTIGRID, "solver multigrid")                                                       \
  /* the next */

enum {
#define X(symbol, words) WN_POISSON_NUMBER_##symbol,
  WN_POISSON_NEEDS(X)
#undef X
      WN_POISSON_N_NEEDS
};
enum {
#define X(symbol, words) WN_POISSON_NEEDS_##symbol = 1 << WN_POISSON_NUMBER_##symbol,
  WN_POISSON_NEEDS(X)
#undef X
};

/* Bits of the above. */
unsigned wn_poisson_needs(const struct wn_poisson_spec *spec);

struct wn_poisson_ops {
  const char *name;
  unsigned supports;                                /* bits WN_POISSON_NEEDS_ */
  int (*takes)(const struct wn_poisson_spec *spec); /* NULL: whatever needs only these */
  int (*check)(
      const struct wn_poisson_spec *spec); /* NULL: nothing more to check; WN_EINPUT */
  size_t (*bytes)(const struct wn_poisson_spec *spec);
  int (*create)(const struct wn_poisson_spec *spec, struct wn_poisson **out);
  int (*solve)(struct wn_poisson *p, const double *rho, const double *volt, double *phi);
  /* As wn_poisson_field; NULL: from the planes of a slab there is none. */
  void (*field)(struct wn_poisson *p, const double *phi, int d, int staggered, double *e);
  void (*free)(struct wn_poisson *p); /* p may be NULL */
};

/* multigrid.c: cycles of the last solve of a solver of that method. */
int wn_poisson_multigrid_cycles(const struct wn_poisson *p);

/* A file each. */
extern const struct wn_poisson_ops wn_poisson_modes, wn_poisson_open, wn_poisson_slabs,
    wn_poisson_mixed, wn_poisson_multigrid, wn_poisson_volumes;

/* Head of every solver: its struct begins with it. */
struct wn_poisson {
  const struct wn_poisson_ops *ops;
  struct wn_poisson_spec spec;
};

/* A solver of the whole grid on one rank: by modes, or for open sides. */
struct wn_poisson_whole {
  struct wn_poisson head;
  size_t n[3], step[3];           /* nodes along each axis, 1 beyond dim; as in phi */
  struct wn_poisson_axis axis[3]; /* those of an open axis are its doubled nodes */
  size_t work_step[3];
  double *work; /* [axis[2].n][axis[1].n][work_step[1]] */
  struct wn_fft *fft[3];
  double *lambda[3]; /* modes */
  double *green;     /* [n[2]][n[1]][n[0]], open: the transform of the Green function,
                        over eps0 and the factor of forward and backward transforms */
  int floating;
};

static inline struct wn_poisson_whole *wn_poisson_whole_of(struct wn_poisson *p)
{
  return (struct wn_poisson_whole *)(void *)p;
}

/* whole.c: all but lambda or green, which prepare makes; freed with the rest.  WN_ENOMEM. */
int wn_poisson_whole_create(const struct wn_poisson_ops *ops,
                            const struct wn_poisson_spec *spec,
                            int (*prepare)(struct wn_poisson_whole *p),
                            struct wn_poisson **out);
/* of_method: doubles besides. */
size_t wn_poisson_whole_bytes(const struct wn_poisson_spec *spec, size_t of_method);
void wn_poisson_whole_free(struct wn_poisson *p);
/* gradient.c: wn_poisson_ops.field. */
void wn_poisson_whole_field(struct wn_poisson *p, const double *phi, int d, int staggered,
                            double *e);

/* slopes.c: wn_poisson_ops.field on any axes. */
void wn_poisson_slopes(struct wn_poisson *p, const double *phi, int d, int staggered,
                       double *e);

WN_END_DECLS

#endif
