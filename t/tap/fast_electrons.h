/* t/tap/fast_electrons.h - electrons of model mcc one at a time in one gas without a field: what beams of tests need.
 * A test makes the set as it wants it (WN_XS_... processes left out, Moller's join) and says the table; all else is here. */
#ifndef WN_T_TAP_FAST_ELECTRONS_H
#define WN_T_TAP_FAST_ELECTRONS_H
#include <stdint.h>
#include "crosssections/xs.h"
#include "crosssections/xs_table.h"
#include "particles/tally.h"
#include "physics/electron.h"
#include "physics/mcc.h"
#include "schedulers/model.h"

struct fast_electrons {
  struct wn_xs_set *set;
  struct wn_xs_table *table;
  struct wn_mcc mcc;
  struct wn_model model;
  struct wn_tally tally;
  struct wn_tally_shape shape;
  struct wn_births births; /* of the last electron */
  uint64_t seed;
};

/* Ends the test with a diagnostic where something that has to work did not. */
void fast_must(int good);

/* N2 of builtin:air with the elastic scattering of moliere; ends the test where there is no memory. */
struct wn_xs_set *fast_nitrogen(void);

/* Of a set, which is then f's, with this density [1/m3] and mass of molecules [kg], 7 as atomic number; of the table all but its
 * gases.  Electrons below floor_ev are removed. */
void fast_begin(struct fast_electrons *f, struct wn_xs_set *set, double density,
                double mass, const struct wn_xs_table_spec *table, uint64_t seed,
                double floor_ev);

/* Electron `id` of t_ev along z from the origin, for a time [s] in so many steps. */
struct wn_electron fast_fly(struct fast_electrons *f, uint64_t id, double t_ev,
                            double time, int steps);

/* Its energy, eV. */
double fast_energy(const struct wn_electron *e);

void fast_end(struct fast_electrons *f);

#endif
