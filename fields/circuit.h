/* fields/circuit.h - the field `electrostatic` in one dimension between walls that are in a circuit
 * (physics/wall_circuit.h): their potentials follow from the charge, before Poisson's equation is solved.
 *
 * Time levels.  The charge on the grid is that at x + v dt/2, the middle of the step from t to t + dt
 * (fields/deposit.h).  A particle that is beyond a side there is not on the grid.  Its charge is that of the
 * side already: convected = what sides have taken until t, less what they gave, and those particles.
 * Whether they will end there is seen at t + dt; a collision may keep them, and then their charge is on
 * the grid again.  So each particle's charge is at each level in one place, and what the
 * sides and the grid have together changes only where charge is created.  Potentials, currents and
 * surface charges are those of the middle of the step, as rho, phi and E are.
 *
 * The sums are of integers, so that the bits do not depend on threads and ranks. */
#ifndef WN_FIELDS_CIRCUIT_H
#define WN_FIELDS_CIRCUIT_H
#include "base/state.h"
#include "fields/field.h"
#include "physics/tally.h"
#include "physics/wall_circuit.h"

WN_BEGIN_DECLS

struct wn_electrostatic;

struct wn_circuit {
  struct wn_wall_pair pair;
  double last_dt; /* s, of the last step; 0: there was none */
  /* per species, at the low and the high side */
  wn_i128 (*taken)[2]; /* quanta, until the beginning of the step */
  wn_i128 (*beyond)
      [2]; /* those of particles beyond it in the middle of the step, of this rank */
};

/* f->circuit, NULL: no wall is in a circuit.  WN_ENOMEM; WN_EINPUT: the grid and sides are not those
 * that are solved here, or the grids are on a GPU. */
int wn_circuit_create(struct wn_electrostatic *f);
void wn_circuit_free(struct wn_circuit *c);

/* The potentials of the sides in the middle of a step of dt [s], in place of those of their sources.  The
 * quanta are those of this step, folded. */
void wn_circuit_solve(struct wn_electrostatic *f, double dt, double volt[6]);

/* What diagnostics ask, after a solve: struct wn_field_grid_ops. */
int wn_circuit_walls(struct wn_electrostatic *f, struct wn_field_wall out[2]);

int wn_circuit_state(struct wn_circuit *c, struct wn_state *s);

WN_END_DECLS

#endif
