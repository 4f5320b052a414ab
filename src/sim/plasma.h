/* src/sim/plasma.h - model plasma: species on a grid in the field that they make.  What a run of
 * it sets up, and sums over a species.  SI; in one and two dimensions all is that of a
 * column of 1 m2 or a layer of 1 m. */
#ifndef WN_SRC_SIM_PLASMA_H
#define WN_SRC_SIM_PLASMA_H
#include "fields/electrostatic.h"
#include "src/sim/sim.h"

/* How the particles of a species move where nothing is met; whether their records are struct
 * wn_electron. */
const struct wn_points *wn_plasma_points(const struct wn_species *s);
int wn_plasma_has_electrons(const struct wn_species *s);

/* Is there a species for all ions that the gas can leave behind?  WN_EINPUT, with the key
 * that is missing. */
int wn_plasma_check_gas(const struct wn_config *c, const struct wn_gas *gas);

/* Species on the device of the plan, no particles yet.  WN_ENOMEM; WN_EINPUT of
 * wn_plasma_check_gas. */
int wn_plasma_set_up(struct wn_sim *s, const struct wn_device_plan *plan);

/* The field of a case.  WN_EINPUT: sides that do not go together; WN_ENOMEM. */
int wn_plasma_field(const struct wn_sim *s, struct wn_field **out);

/* The particles at t = 0 (src/sim/loading.h). */
int wn_plasma_release(struct wn_sim *s);

/* Does the plasma frequency still bear the step?  Asked of the densities in the field of the
 * last step where species grow: WN_ERUN when it does not, and plasma.allow does not say so;
 * WN_ENOMEM. */
int wn_plasma_outgrown(const struct wn_sim *s);

/* Whether somebody asks for sums of all species after the next step: particles that move in
 * each step are then added up as they fly.  Sums that were asked for without this are right,
 * too, and take longer; who has asked once is expected again. */
void wn_plasma_expect_sums(const struct wn_sim *s, int expected);

/* Of all particles of species k at the end of the last step. */
struct wn_plasma_sums {
  double particles;   /* real ones */
  double energy;      /* kinetic, J */
  double momentum[3]; /* kg m/s */
  double wall[6];     /* real particles that each side has taken so far */
  double wall_energy; /* J, theirs */
  /* Of electrons or ions in a gas, else 0, so far: real particles born and attached; J that the field
   * gave, and that collisions took, with all that attached electrons had.  energy less that
   * at the beginning is work - collisions - wall_energy */
  double born, attached, work, collisions;
};
int wn_plasma_sums(const struct wn_sim *s, size_t k, struct wn_plasma_sums *out);
/* Of all species, out [n_species]; from a GPU in one wait. */
int wn_plasma_all_sums(const struct wn_sim *s, struct wn_plasma_sums *out);

#endif
