/* crosssections/xs_table.h - collision tables of electrons, made from cross-section sets,
 * and the proved bound on the collision frequency. */
#ifndef WN_CROSSSECTIONS_XS_TABLE_H
#define WN_CROSSSECTIONS_XS_TABLE_H
#include "crosssections/xs.h"
#include "physics/xs_view.h"

/* One gas of the mixture; the set is prepared (wn_xs_prepare) and remains the property of
 * the caller. */
struct wn_xs_gas {
  const struct wn_xs_set *set;
  enum wn_xs_beyond beyond;
  double density;       /* m-3 */
  double mass;          /* kg */
  double opal_ev;       /* width for opal sharing */
  double atomic_number; /* of its atoms, for screened-coulomb; <= 0: unknown */
};

struct wn_xs_table_spec {
  size_t n_gases;
  const struct wn_xs_gas *gas;
  double temperature;            /* K; 0: targets at rest */
  double thermal_below_ev;       /* targets of faster electrons are taken at rest */
  int angle_model;               /* enum wn_angle_model */
  int share_model;               /* enum wn_share_model */
  struct wn_moller_model moller; /* of sharing moller: that of the sets */
  /* elastic deflections up to grouped_angle [rad] are grouped (physics/grouped_angle.h) from this energy on, raised to
   * the next edge of a bin; 0: nowhere.  Not with isotropic angles */
  double grouped_from_ev, grouped_angle;
  /* excitations have the angles of physics/excitation_angle.h, in part from this energy on and all from ten times it; 0:
   * none.  Not with isotropic angles */
  double excitation_from_ev;
  bool
      continuous; /* losses of processes friction are continuous (physics/continuous_loss.h) */
  unsigned bins_per_octave; /* power of two, 16..1024 */
  double e_max_ev;          /* top; raised to the next edge of a bin */
};

struct wn_xs_table {
  struct wn_xs_view view;
  /* smallest last energy of a table with policy error that has not ended at 0; INFINITY:
   * none */
  double limit_ev;
  const char *limit_process; /* which; points into the set */
  size_t bytes;
  void *memory[9 + 2 * WN_XS_MAX_GASES];
  struct wn_xs_line *whole; /* rows before wn_xs_table_thin; NULL: they are unchanged */
};

/* Errors: WN_EINPUT when a model lacks its data (rbeb sharing without an orbital,
 * screened-coulomb without Z, no mass), with the process and the way out; when deflections are to be grouped where angles
 * are not forward, or above the top; WN_ENOMEM. */
int wn_xs_table_create(const struct wn_xs_table_spec *spec, struct wn_xs_table **out);
void wn_xs_table_free(struct wn_xs_table *t);

/* From now on the processes of a gas happen with the factor `part`, 0 to 1, of the frequencies
 * that the table was made for: as if its density had it.  The bounds stay as they are: the rest
 * are null collisions.  Not on a GPU, which has a copy of the table.  WN_ENOMEM. */
int wn_xs_table_thin(struct wn_xs_table *t, size_t gas, double part);

/* Process number `index` over all gases, each in the order of its set (the view has them
 * in another order); 0 <= index < n_processes. */
const struct wn_process_view *wn_xs_table_process(const struct wn_xs_table *t, int index);

/* Collision frequency [1/s] of process k (index over all gases) at an energy, as given by
 * the table; k < 0: total.  For tests and diagnostics: electrons use the view. */
double wn_xs_table_frequency(const struct wn_xs_table *t, int k, double e_ev);

/* The levels of struct wn_xs_view's `normal`, in rising order. */
void wn_xs_normals(float level[WN_XS_NORMALS]);

#endif
