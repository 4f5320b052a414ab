/* fields/electrode_circuit.h - electrodes inside a grid that are in a circuit, of a capacitor, a resistor and an
 * inductor in series, or float: their potentials follow from the charge, with Poisson's equation.
 *
 * The circuit is that of a wall (physics/wall_circuit.h), of a whole electrode instead of an area: with the
 * charge Q that came by it and the increment x of the level, the potential is a - b x.  The equation of the gap
 * is Gauss's law about each electrode i,
 *
 *   q_i + sum_j C_ij (V_j - U_j) = Q_i + x_i + convected_i,    x_i = (a_i - V_i)/b_i, or 0 if it floats
 *
 * q_i is its charge with the potentials U of the level before and the charge of this one; C_ij the charge
 * of i for 1 V at j, with no charge and 0 V elsewhere.  The potential at the nodes is linear in V, too, so
 * that one solution with U and those of 1 V, made once, are all that is solved.
 *
 * The charge of an electrode is the flux through the edges to its nodes, with what wn_electrodes_solve put into
 * the charge of the nodes beside it, less the charge of particles that the grid has at its own nodes.
 * So charges of electrodes, of sides by Gauss's law and of the gas add up to 0.
 *
 * Time levels: as in fields/circuit.h.  What an electrode has taken until the beginning of the step is its
 * convected charge; a particle inside it in the middle of the step is at its nodes until then.
 * Derived here; t/plasma/t0723-electrode-emission.c. */
#ifndef WN_FIELDS_ELECTRODE_CIRCUIT_H
#define WN_FIELDS_ELECTRODE_CIRCUIT_H
#include "base/state.h"
#include "fields/electrostatic.h"
#include "physics/tally.h"
#include "physics/wall_circuit.h"

WN_BEGIN_DECLS

struct wn_electrostatic;

/* One electrode in a circuit. */
struct wn_electrode_loop {
  int electrode; /* number of it, from 0; its surface is this and the sides */
  struct wn_wall_circuit circuit;
  struct wn_wall_level level; /* C, A, V, J */
  double charge;              /* C, by Gauss's law at the level */
  double *unit;               /* V at the nodes, for 1 V */
  double capacity[WN_MOST_ELECTRODES];
  wn_i128 taken[WN_FIELD_SPECIES]; /* quanta until the beginning of the step */
};

struct wn_electrode_circuits {
  int n;
  struct wn_electrode_loop loop[WN_MOST_ELECTRODES];
  double before, last_dt; /* s between levels; of the last step, 0: there was none */
  double dt;              /* s, of the step in hand */
};

/* f->loops, NULL: none is in a circuit.  After the solver was made.  WN_ENOMEM; errors of the solver. */
int wn_electrode_circuits_create(struct wn_electrostatic *f);
void wn_electrode_circuits_free(struct wn_electrode_circuits *c);

/* Bytes of create. */
size_t wn_electrode_circuits_bytes(const struct wn_electrostatic_spec *spec,
                                   size_t nodes);

/* Potentials of the electrodes in circuits before a solution, in place of those of their sources. */
void wn_electrode_circuits_begin(const struct wn_electrostatic *f, double *volt);
/* And after it: phi, of those potentials, becomes that of this level. */
void wn_electrode_circuits_end(struct wn_electrostatic *f, const double *source,
                               double *phi);

int wn_electrode_circuits_state(struct wn_electrode_circuits *c, struct wn_state *s);

WN_END_DECLS

#endif
