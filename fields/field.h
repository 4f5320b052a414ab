/* fields/field.h - E and B at a place.  Each field is one file that exports one ops
 * struct; fields/field.c lists them.
 *
 * Order of calls in a step (src/run/step.c): solve, from the present particles; view,
 * which a model turns into the form that it needs (schedulers/model.h: feel, gather);
 * leave, before the particles move, to undo what was recorded by their places. */
#ifndef WN_FIELDS_FIELD_H
#define WN_FIELDS_FIELD_H
#include <math.h>
#include <stddef.h>
#include "base/error.h"
#include "base/state.h"
#include "particles/particles.h"
#include "physics/field_view.h"
#include "physics/host_device.h"

WN_BEGIN_DECLS

struct wn_gpu;
struct wn_electrostatic_spec;
struct wn_sparse_spec;
struct wn_nodal_spec;
struct wn_waveform;
struct wn_waves;
struct wn_electrodes;
struct wn_electrode_circuits;

/* The field as a scenario specifies it; each kind uses the members that it needs. */
struct wn_field_spec {
  double e[3];        /* V/m */
  double b;           /* T */
  double b_axis[3];   /* unit vector along B */
  struct wn_gpu *gpu; /* device of the grids; NULL: the host */
  const struct wn_electrostatic_spec *electrostatic; /* fields/electrostatic.h */
  const struct wn_sparse_spec *sparse;               /* fields/sparse/sparse.h */
  const struct wn_nodal_spec *nodal;                 /* fields/nodal.h */
  /* for field varying (fields/waveform.h): copied, except the caller's lists */
  const struct wn_waveform *waveform;
};

struct wn_field_ops;
struct wn_field;

/* Integrals over the domain after a solve. */
struct wn_field_sums {
  double energy; /* J, eps0/2 times the integral of E^2 (by the operator of the solver) */
  double charge; /* C, on the grid, with the background */
  double residual; /* of Poisson's equation by differences: max |operator phi + rho/eps0|
                    * over the nodes where it holds, over max |rho|/eps0; NAN for the spectral
                    * method, which has another operator, and for sparse grids, where phi is a sum of
                    * solutions */
  double
      gauss; /* C, charge less eps0 times the flux through the sides (differences); NAN likewise */
  double drop[3]; /* V m^(dim-1), the integral of E along each axis: phi over its low side
                   * minus phi over its high one; 0 along a periodic axis */
};

/* A wall of a grid in one dimension after a solve, at the time of the field: physics/wall_circuit.h. */
struct wn_field_wall {
  double potential;        /* V, at the gap */
  double surface_charge;   /* C/m2, by Gauss's law from the potential of the nodes */
  double circuit_charge;   /* C/m2, that came by its circuit */
  double convected_charge; /* C/m2, that particles brought, less what they took away */
  double current;          /* A/m2, into the wall by its circuit */
  double source;           /* V, behind the circuit */
  double delivered, dissipated; /* J/m2, by the source and in the resistor, so far */
  double stored;                /* J/m2, in the capacitors and the inductor */
};

/* Data of a field on a grid for diagnostics, after a solve; valid until the next.  Arrays
 * over nodes are [nz][ny][nx] with n = cells + 1 along each axis, x fastest, no guards;
 * both ends of a periodic axis hold the same.  From a GPU they are copied once per solve,
 * after a wait: WN_ENOMEM, WN_ECUDA, and WN_ERUN when the weight of a particle was no
 * number of quanta (on the host wn_field_ops.solve reports this). */
struct wn_field_grid_ops {
  size_t (*nodes)(const struct wn_field *f);
  int (*potential)(struct wn_field *f, const double **phi); /* V */
  int (*charge)(struct wn_field *f, const double **rho);    /* C/m3 */
  int (*e)(struct wn_field *f, int axis, double *e);        /* V/m at all nodes, into e */
  /* The same on the GPU that has the grid, *e there until the next call; NULL, or *e NULL: it is not to be had. */
  int (*e_there)(struct wn_field *f, int axis, const double **e);
  /* The grid with E as the particles gather it, on the host.  Of this rank alone. */
  int (*gathered)(struct wn_field *f, struct wn_grid_view *out);
  /* Particles of weight 1 of a species per m3 (m2 in two, m in one dimension), into n. */
  int (*density)(struct wn_field *f, size_t species, double *n);
  /* The greatest of these, the same on all ranks; NULL: of this field it is to be had from `density` alone. */
  int (*densest)(struct wn_field *f, size_t species, double *most);
  int (*sums)(struct wn_field *f, struct wn_field_sums *out);
  /* Start the sums on a GPU, so that one wait serves these and other results. */
  int (*begin_sums)(struct wn_field *f);
  /* The mean of phi times each wave over the volume, out [n][2] V (fields/waves.h). */
  int (*waves)(struct wn_field *f, const struct wn_waves *w, double *out);
  /* Walls in a circuit; NULL: no wall of this field can be.  Whether one is; only then: what the low and the
   * high wall have taken of a species until the beginning of the next step, in quanta of weight, before each
   * solve; and both after it. */
  int (*has_circuit)(const struct wn_field *f);
  void (*taken)(struct wn_field *f, size_t species, const wn_i128 quanta[2]);
  int (*walls)(struct wn_field *f, struct wn_field_wall out[2]);
  /* Shapes inside the grid, of the field; NULL, or the answer NULL: there are none. */
  const struct wn_electrodes *(*electrodes)(const struct wn_field *f);
  /* Those in a circuit, to be told what they have taken before each solve, and read after it; the same. */
  struct wn_electrode_circuits *(*loops)(struct wn_field *f);
  /* Volts of a surface, by its place in the list of the geometry, from the next solve on, in place of its voltage or that
   * of the source behind it.  The potential of the surface must be given.  NULL: not of this field. */
  void (*set_voltage)(struct wn_field *f, int surface, double volts);
  /* Charge on dielectrics: quanta of weight of a species at `place` [cells] on the surface of one, on this rank; and, by all
   * ranks together after those of a step, that they count from the next solve on.  NULL: no dielectric of this field
   * can be.  Only where there is one. */
  void (*stick)(struct wn_field *f, size_t species, const double place[3],
                int64_t quanta);
  void (*settle)(struct wn_field *f);
};

/* Head of every field: the struct of a field begins with it. */
struct wn_field {
  const struct wn_field_ops *ops;
};

struct wn_field_ops {
  const char *name; /* a word, to look it up in the list */
  /* spec: read during the call only.  WN_ENOMEM; for grids on a GPU also WN_ECUDA. */
  int (*create)(const struct wn_field_spec *spec, struct wn_field **out);
  /* E and B for the step from t to t + dt [s], from the n species at time t (held where
   * the field is: schedulers' hold).  NULL: nothing to solve. */
  int (*solve)(struct wn_field *f, struct wn_particles *const *species, size_t n,
               double t, double dt);
  /* Plain values and pointers, for kernels; valid until leave or the next solve.
   * Pointers are to the GPU when spec.gpu was given. */
  void (*view)(const struct wn_field *f, struct wn_field_view *out);
  /* Called with the particles where they were at solve, before they move.  May be
   * NULL. */
  int (*leave)(struct wn_field *f, struct wn_particles *const *species, size_t n);
  const struct wn_field_grid_ops *grid;                 /* NULL: the field has no grid */
  int (*state)(struct wn_field *f, struct wn_state *s); /* save or restore */
  void (*free)(struct wn_field *f);
};

const struct wn_field_ops *const *wn_field_list(size_t *n);
/* The fields that other files name. */
extern const struct wn_field_ops wn_field_uniform, wn_field_varying,
    wn_field_electrostatic, wn_field_sparse, wn_field_nodal;

/* The calls of wn_field_grid_ops, for a field that has a grid. */
static inline size_t wn_field_nodes(const struct wn_field *f)
{
  return f->ops->grid->nodes(f);
}
static inline int wn_field_potential(struct wn_field *f, const double **phi)
{
  return f->ops->grid->potential(f, phi);
}
static inline int wn_field_charge(struct wn_field *f, const double **rho)
{
  return f->ops->grid->charge(f, rho);
}
static inline int wn_field_e(struct wn_field *f, int axis, double *e)
{
  return f->ops->grid->e(f, axis, e);
}
static inline int wn_field_e_there(struct wn_field *f, int axis, const double **e)
{
  *e = NULL;
  return f->ops->grid->e_there != NULL ? f->ops->grid->e_there(f, axis, e) : WN_OK;
}
static inline int wn_field_gathered(struct wn_field *f, struct wn_grid_view *out)
{
  return f->ops->grid->gathered(f, out);
}
static inline int wn_field_density(struct wn_field *f, size_t species, double *n)
{
  return f->ops->grid->density(f, species, n);
}
/* INFINITY where the field does not know. */
static inline int wn_field_densest(struct wn_field *f, size_t species, double *most)
{
  *most = INFINITY;
  return f->ops->grid->densest != NULL ? f->ops->grid->densest(f, species, most) : WN_OK;
}
static inline int wn_field_sums(struct wn_field *f, struct wn_field_sums *out)
{
  return f->ops->grid->sums(f, out);
}
static inline int wn_field_begin_sums(struct wn_field *f)
{
  return f->ops->grid->begin_sums(f);
}

static inline int wn_field_waves(struct wn_field *f, const struct wn_waves *w,
                                 double *out)
{
  return f->ops->grid->waves(f, w, out);
}
static inline int wn_field_has_circuit(const struct wn_field *f)
{
  return f->ops->grid != NULL && f->ops->grid->has_circuit != NULL &&
         f->ops->grid->has_circuit(f);
}
static inline const struct wn_electrodes *wn_field_electrodes(const struct wn_field *f)
{
  return f->ops->grid != NULL && f->ops->grid->electrodes != NULL
             ? f->ops->grid->electrodes(f)
             : NULL;
}
static inline struct wn_electrode_circuits *wn_field_loops(struct wn_field *f)
{
  return f->ops->grid != NULL && f->ops->grid->loops != NULL ? f->ops->grid->loops(f)
                                                             : NULL;
}
static inline void wn_field_stick(struct wn_field *f, size_t species,
                                  const double place[3], int64_t quanta)
{
  f->ops->grid->stick(f, species, place, quanta);
}
static inline void wn_field_settle(struct wn_field *f)
{
  f->ops->grid->settle(f);
}
static inline int wn_field_walls(struct wn_field *f, struct wn_field_wall out[2])
{
  return f->ops->grid->walls(f, out);
}

/* For field uniform: E [V/m] from the next view on. */
void wn_field_uniform_set(struct wn_field *f, const double e[3]);
/* For field varying: its time begins at t [s], and before that it has its initial value;
 * the factor of the current step, or of the last. */
void wn_field_varying_begin(struct wn_field *f, double t);
double wn_field_varying_factor(const struct wn_field *f);

WN_END_DECLS

#endif
