/* fields/field.h - what gives E and B at a place.  One field is one file that exports one
 * ops struct; fields/field.c lists them.
 *
 * A step asks in this order (src/run/run.c): solve, from the particles as they are; view,
 * which a model turns into what it needs (schedulers/model.h: feel, gather); leave, when
 * the particles are about to move and what was noted by their places is to be taken
 * back. */
#ifndef WN_FIELDS_FIELD_H
#define WN_FIELDS_FIELD_H
#include <stddef.h>
#include "base/state.h"
#include "particles/particles.h"
#include "physics/field_view.h"
#include "physics/hd.h"

WN_BEGIN_DECLS

struct wn_gpu;
struct wn_electrostatic_spec;
struct wn_waveform;

/* What a scenario says of a field; each takes what it needs. */
struct wn_field_spec {
  double e[3];        /* V/m */
  double b;           /* T */
  double b_axis[3];   /* unit vector along B */
  struct wn_gpu *gpu; /* where grids are kept; NULL: on the host */
  const struct wn_electrostatic_spec *electrostatic; /* fields/electrostatic.h */
  /* of field varying (fields/waveform.h): copied, but for its lists, which stay the caller's */
  const struct wn_waveform *waveform;
};

struct wn_field_ops;

/* Head of every field: its own struct begins with this. */
struct wn_field {
  const struct wn_field_ops *ops;
};

struct wn_field_ops {
  const char *name; /* a word, for those that look for it in the list */
  /* spec: read now, not kept.  WN_ENOMEM; of grids on a GPU also WN_ECUDA. */
  int (*create)(const struct wn_field_spec *spec, struct wn_field **out);
  /* E and B for the step from t to t + dt [s], from the n species as they are at t (held
   * where the field is: schedulers' hold).  NULL: nothing to solve. */
  int (*solve)(struct wn_field *f, struct wn_particles *const *species, size_t n,
               double t, double dt);
  /* Plain values and pointers, for kernels; good until leave or the next solve.  Pointers
   * are of the GPU when spec.gpu was given. */
  void (*view)(const struct wn_field *f, struct wn_field_view *out);
  /* The particles are where they were at solve, and will move now.  May be NULL. */
  int (*leave)(struct wn_field *f, struct wn_particles *const *species, size_t n);
  int (*state)(struct wn_field *f, struct wn_state *s); /* save or restore */
  void (*free)(struct wn_field *f);
};

const struct wn_field_ops *const *wn_field_list(size_t *n);
/* Those that others name. */
extern const struct wn_field_ops wn_field_uniform, wn_field_varying,
    wn_field_electrostatic;

/* Of field varying: its time begins at t [s], before which it is what it is then; and the
 * factor of the step in hand, or of the last. */
void wn_field_varying_begin(struct wn_field *f, double t);
double wn_field_varying_factor(const struct wn_field *f);

WN_END_DECLS

#endif
