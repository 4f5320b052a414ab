/* crosssections/xs_ion.h - collision table of an ion, made from cross-section sets, with
 * the bound on its collision frequency (physics/ion_view.h). */
#ifndef WN_CROSSSECTIONS_XS_ION_H
#define WN_CROSSSECTIONS_XS_ION_H
#include "crosssections/xs.h"
#include "physics/ion_view.h"

/* One background gas; its set is one of ions, prepared (wn_xs_prepare), and remains the
 * property of the caller. */
struct wn_xs_ion_gas {
  const struct wn_xs_set *set;
  enum wn_xs_beyond beyond;
  double density; /* m-3 */
  double mass;    /* kg; 0: that of the set */
};

struct wn_xs_ion_spec {
  size_t n_gases; /* 1 to WN_XS_MAX_GASES */
  const struct wn_xs_ion_gas *gas;
  double ion_mass;          /* kg; 0: that of the sets */
  double temperature;       /* K; 0: targets at rest */
  unsigned bins_per_octave; /* power of two, 16..1024 */
  /* energies of the relative motion that the bound holds for, eV; raised to the next edge
   * of a bin */
  double e_max_ev;
};

struct wn_xs_ion_table {
  struct wn_ion_view view;
  double ion_mass;           /* kg */
  const char *limit_process; /* the process whose table ends at view.limit_ev; points into
                              * the set; NULL: none */
  size_t bytes;
  void *row;
};

/* A process has the number `index` that it has over all gases, each in the order of its
 * set.  Errors: WN_EINPUT for a set of electrons, masses that are unknown or differ, and
 * more than WN_ION_MAX_PROCESSES; WN_ENOMEM. */
int wn_xs_ion_table_create(const struct wn_xs_ion_spec *spec,
                           struct wn_xs_ion_table **out);
void wn_xs_ion_table_free(struct wn_xs_ion_table *t);

/* Collision frequency [1/s] of process k at an energy of the relative motion, as the table
 * gives it. */
double wn_xs_ion_frequency(const struct wn_xs_ion_table *t, int k, double e_ev);

#endif
