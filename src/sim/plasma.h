/* src/sim/plasma.h - model plasma: species on a grid in their self-consistent field.  The
 * set-up of a run, and sums over a species.  SI; in one and two dimensions all quantities
 * are those of a column of 1 m2 or a layer of 1 m. */
#ifndef WN_SRC_SIM_PLASMA_H
#define WN_SRC_SIM_PLASMA_H
#include "fields/electrostatic.h"
#include "src/sim/plasma_points.h"
#include "src/sim/sim.h"

/* Check that there is a species for all ions that the gas can leave behind.  WN_EINPUT,
 * with the missing key. */
int wn_plasma_check_gas(const struct wn_config *c, const struct wn_gas *gas);

/* Create the species on the device of the plan, without particles.  WN_ENOMEM; WN_EINPUT
 * as wn_plasma_check_gas. */
int wn_plasma_set_up(struct wn_sim *s, const struct wn_device_plan *plan);

/* The field of a case.  WN_EINPUT: sides that are not compatible; WN_ENOMEM. */
int wn_plasma_field(const struct wn_sim *s, struct wn_field **out);

/* Before the field is solved: what the walls have taken until then, where it changes their potentials
 * (fields/circuit.h). */
void wn_plasma_tell_walls(struct wn_sim *s);

/* The particles at t = 0 (src/sim/loading.h). */
int wn_plasma_release(struct wn_sim *s);

/* Whether the step still resolves the plasma frequency, by the densities in the field of
 * the last step where species grow.  WN_ERUN when it does not, and plasma.allow does not
 * permit it; WN_ENOMEM. */
int wn_plasma_outgrown(const struct wn_sim *s);

/* The first side without an electrode behind it (neumann or open) by which a discharge leaves the window that the grid is;
 * -1: none.  It has taken at least WN_PLASMA_LEFT of the electrons of a species that ionizes, present and taken, by number
 * and by weight.  Electrons that are there beforehand leave, too, and are soon few beside those of a discharge: before there are ten
 * times as many as at the start, ten times that part counts.  Errors of wn_plasma_sums. */
#define WN_PLASMA_LEFT 0.01
int wn_plasma_left_by(const struct wn_sim *s, int *side);

/* Whether sums of all species will be needed after the next step: particles that move in
 * each step are then summed during the flight.  Sums without this call are right, too,
 * and take longer; a sum taken once is expected again. */
void wn_plasma_expect_sums(const struct wn_sim *s, int expected);

/* Sums over all particles of species k at the end of the last step. */
struct wn_plasma_sums {
  double particles;   /* real particles */
  double energy;      /* kinetic, J */
  double momentum[3]; /* kg m/s */
  double wall_energy; /* J, of particles that surfaces have taken so far */
  /* For electrons or ions in a gas, otherwise 0, so far: real particles born (of ions, by photons and
   * by sources in regions, by wn_plasma_all_sums only) and attached; J gained from the field, and lost in collisions, including the energy of
   * attached electrons.  The change of energy since the start is work - collisions -
   * wall_energy */
  double born, attached, work, collisions;
  double changes[WN_ENERGY_CHANGES]; /* J so far, src/sim/energy_changes.h */
};
int wn_plasma_sums(const struct wn_sim *s, size_t k, struct wn_plasma_sums *out);
/* Real particles of species k that a surface of the list has taken so far; 0 in rows of a result
 * beyond the list (wn_plasma_surface_rows). */
double wn_plasma_taken(const struct wn_sim *s, size_t k, int surface);
/* For all species, out [n_species]; from a GPU in one wait. */
int wn_plasma_all_sums(const struct wn_sim *s, struct wn_plasma_sums *out);

#endif
