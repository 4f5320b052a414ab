/* fields/electrostatic.h - the field of the particles' own charge: their quanta are divided
 * among the nodes of a grid at the places where they will be in the middle of the step
 * (fields/deposit.h), Poisson's equation is solved (fields/poisson/poisson.h), and E goes to the
 * particles as single precision (physics/grid_view.h).
 */
#ifndef WN_FIELDS_ELECTROSTATIC_H
#define WN_FIELDS_ELECTROSTATIC_H
#include <stddef.h>
#include "fields/field.h"
#include "fields/poisson/poisson.h"
#include "fields/voltage.h"
#include "physics/electrode.h"
#include "physics/grid_view.h"
#include "physics/mover.h"
#include "physics/tally.h"
#include "physics/wall_circuit.h"

WN_BEGIN_DECLS

/* Guard planes beside the own planes of one of several ranks: of E, and of charge on the host, for a particle
 * in the next cell, with a shape that reaches one node further; of charge on a GPU two more, as it is left by a
 * step that took particles up to two cells out of the slab; of phi two more, for the stencils. */
#define WN_SLAB_GUARD            3
#define WN_SLAB_GUARD_CHARGE_GPU (WN_SLAB_GUARD + 2)
#define WN_SLAB_GUARD_PHI        (WN_SLAB_GUARD + 2)

#define WN_FIELD_SPECIES 8 /* that a field can be the sum of */

/* Electrodes inside, and the shapes of all of them, at most; dielectrics; all shapes. */
#define WN_MOST_ELECTRODES       16
#define WN_MOST_ELECTRODE_SHAPES 16
#define WN_MOST_DIELECTRICS      8
#define WN_MOST_SHAPES           (WN_MOST_ELECTRODE_SHAPES + WN_MOST_DIELECTRICS)

struct wn_electrostatic_spec {
  struct wn_grid_view grid;       /* without e */
  struct wn_poisson_spec poisson; /* its threads are those of the deposit, too */
  size_t n_species;
  double charge[WN_FIELD_SPECIES]; /* C, of a particle of weight 1 */
  /* Does not move and does not end: the charge of a particle is taken once, and the store
   * grows at its end alone */
  int fixed[WN_FIELD_SPECIES];
  /* If not 0: moves in one of so many steps, and its charge is where the particles are: it is
   * taken once between, as if they were fixed */
  int waits[WN_FIELD_SPECIES];
  int electrons[WN_FIELD_SPECIES]; /* records struct wn_electron, else points */
  /* How each moves, so that its charge is where it will be: kind and, of the side kinds and
   * bits, the grid's; dt is set here */
  struct wn_points points[WN_FIELD_SPECIES];
  double background;            /* C/m3, everywhere; NAN: what makes it neutral */
  struct wn_voltage voltage[6]; /* of Dirichlet sides, or of the sources behind them */
  struct wn_wall_circuit
      circuit[2]; /* of the sides, in one dimension (fields/circuit.h) */
  /* Inside, the surfaces after the sides (fields/electrodes.h): on the host, in two and three
   * dimensions, for one grid, shapes ngp and cic, and gather `momentum` */
  int n_electrodes, n_shapes;
  /* Shapes of permittivities, dielectrics, are after those of electrodes, and so are their surfaces */
  struct wn_electrode_shape shape[WN_MOST_SHAPES];
  struct wn_voltage electrode[WN_MOST_ELECTRODES]; /* or that of the source behind it */
  struct wn_wall_circuit
      loop[WN_MOST_ELECTRODES]; /* F, ohm, H: fields/electrode_circuit.h */
  int in_slabs; /* the grid is divided among ranks, in slabs along its last axis */
  /* Where the grids are, and the particles are held; NULL: on the host */
  struct wn_gpu *gpu;
};

/* WN_EINPUT of wn_poisson_create; WN_ENOMEM; on a GPU WN_ECUDA. */
int wn_electrostatic_create(const struct wn_electrostatic_spec *spec,
                            struct wn_field **out);

/* The quanta of a species on all dielectrics so far, on all ranks. */
wn_i128 wn_electrostatic_stuck(const struct wn_field *field, size_t species);

/* Bytes of grids of the first of so many ranks among which the grid is divided (1: it is whole), for a
 * forecast: on the host, of a field there, and on the device, of one on a GPU (in any build). */
size_t wn_electrostatic_bytes(const struct wn_electrostatic_spec *spec, int ranks);
size_t wn_electrostatic_gpu_bytes(const struct wn_electrostatic_spec *spec, int ranks);

WN_END_DECLS

#endif
