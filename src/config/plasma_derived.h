/* src/config/plasma_derived.h - quantities derived from a scenario of model plasma: its grid, the
 * records, weights and numbers of its particles, and the parameters of the field.  Pure functions: no
 * allocation, no log.  SI; in one and two dimensions for a column of 1 m2 or a layer of 1 m. */
#ifndef WN_SRC_CONFIG_PLASMA_DERIVED_H
#define WN_SRC_CONFIG_PLASMA_DERIVED_H
#include <stdbool.h>
#include <stddef.h>
#include "fields/charge_nodes.h"
#include "fields/electrostatic.h"
#include "fields/nodal.h"
#include "fields/nodal_formulas.h"
#include "fields/sparse/sparse.h"
#include "particles/particles.h"
#include "physics/geometry.h"
#include "physics/grid_view.h"
#include "physics/midpoint.h"
#include "physics/mover.h"
#include "src/config/config.h"

/* ---- grid and field */

/* Its axes; without surfaces. */
struct wn_geometry wn_plasma_geometry(const struct wn_config *c);
/* Whether the first axis is the distance from an axis of symmetry: grid.geometry "r-z". */
bool wn_plasma_is_radial(const struct wn_config *c);

/* Its surfaces: the sides of the box, by the names of walls.<NAME>. */
int wn_plasma_n_surfaces(const struct wn_config *c);
struct wn_surface wn_plasma_surface(const struct wn_config *c, int i);

/* Rows of a result: of each surface, in the order of the list, and at least WN_SIDES, whatever
 * the number of axes.  The name of one: of the surface, or of a side that the grid has no axis
 * for. */
int wn_plasma_surface_rows(const struct wn_config *c);
const char *wn_plasma_surface_name(const struct wn_config *c, int i);

/* The grid of the particles, without the field e. */
struct wn_grid_view wn_plasma_grid(const struct wn_config *c);

/* The parameters of the field, without those of the GPU. */
struct wn_electrostatic_spec wn_plasma_field_spec(const struct wn_config *c);

/* Those of field sparse: of a scenario with it, and any number of cells that has a level. */
struct wn_sparse_spec wn_plasma_sparse_spec(const struct wn_config *c);

/* The formula of field nodes; and the motion of species k in that field, prepared. */
struct wn_nodal_parameters wn_plasma_nodal_parameters(const struct wn_config *c);
struct wn_midpoint wn_plasma_midpoint_of(const struct wn_config *c, size_t k);

/* V, the largest difference between the potentials of two walls at any time; phases of different walls may
 * meet in any way. */
double wn_plasma_voltage(const struct wn_config *c);

/* How charge at the nodes is counted: sides and volumes. */
struct wn_charge_nodes wn_plasma_charge_nodes(const struct wn_config *c);

/* Bytes of the arrays of the grid and of the solver, on the host or on a GPU; and of one of so
 * many processes where the grid is divided (divide = "domains"). */
double wn_plasma_grid_bytes(const struct wn_config *c);
double wn_plasma_grid_gpu_bytes(const struct wn_config *c);
double wn_plasma_slab_bytes(const struct wn_config *c, int ranks, int on_gpu);

/* V, at most beside the constant part of a side's voltage: amplitudes of all harmonics. */
double wn_plasma_amplitudes(const struct wn_cfg_wall *w);

/* Between a side's voltage and its wall, in one dimension; whether any wall there is in a circuit or has a
 * dielectric. */
struct wn_wall_circuit wn_plasma_circuit(const struct wn_cfg_wall *w);
bool wn_plasma_has_circuit(const struct wn_config *c);
/* Whether an electrode inside is in a circuit. */
bool wn_plasma_has_loop(const struct wn_config *c);

/* Whether a wall emits electrons for those that it takes: reflection, backscattering, true
 * secondaries. */
bool wn_plasma_has_electron_emission(const struct wn_config *c);

/* Steps from one map or sample to the next, for an interval [s]: the nearest number, at least
 * 1 and at most all. */
size_t wn_plasma_every(const struct wn_config *c, double interval);

/* Maps of ten moments in the run: at the ends of steps; 0: none are wanted. */
size_t wn_plasma_moment_records(const struct wn_config *c);

/* Steps from one row of integrals to the next. */
size_t wn_plasma_rows_every(const struct wn_config *c);

/* Bytes for sums over particles of so many values at the nodes (src/sim/node_sums.h): a grid
 * for each thread. */
double wn_plasma_node_sums_bytes(const struct wn_config *c, int values);

/* ---- species k */

/* Whether its particles collide with the gas. */
bool wn_plasma_collides(const struct wn_config *c, size_t k);

/* The species that true secondaries join which walls release for its particles: that of electrons
 * with collisions, where it has none itself; else its own.  -1: it is not electrons, or several have
 * collisions. */
long wn_plasma_emits_into(const struct wn_config *c, size_t k);

/* Whether its number may grow during a run. */
bool wn_plasma_grows(const struct wn_config *c, size_t k);

/* Whether its particles, on the host, are sorted by cells (particles/sort.h). */
bool wn_plasma_orders(const struct wn_config *c, size_t k);

/* Its records: physics/mover.h, or struct wn_electron for species with collisions. */
struct wn_record wn_plasma_record(const struct wn_config *c, size_t k);

/* Bytes of lists of the particles of a species by cells (src/sim/cell_lists.h) at time 0; of
 * those from a file none are counted. */
double wn_plasma_lists_bytes(const struct wn_config *c, const struct wn_cfg_species *s);

/* The motion of its particles between collisions. */
struct wn_points wn_plasma_points_of(const struct wn_config *c, size_t k);

/* kg, C of a macroparticle of weight 1. */
double wn_plasma_mass(const struct wn_config *c, size_t k);
double wn_plasma_charge(const struct wn_config *c, size_t k);

/* ---- a species at t = 0 (src/sim/loading.h) */

/* Real particles of a macroparticle of weight 1.  Ions produced by another species have the weight of
 * that species, and all species of a reaction have one weight.  Without particles at t = 0 it is
 * that of its sources (src/config/sources.h), or of the species whose pair it is.  own: from its
 * own density and particles per cell, 0 if it has none. */
double wn_loading_weight(const struct wn_config *c, const struct wn_cfg_species *s);
double wn_loading_own_weight(const struct wn_config *c, const struct wn_cfg_species *s);

/* Limits of a Gaussian or slab along axis d, in the coordinate with uniform density: the quantile of the
 * Gaussian, or the position over the length.  False: the profile does not depend on that axis. */
bool wn_loading_along(const struct wn_config *c, const struct wn_cfg_species *s, int d,
                      double *from, double *to);

/* Mean of the density over the domain, divided by its maximum, without perturbation.  NAN
 * for positions from a file. */
double wn_loading_mean(const struct wn_config *c, const struct wn_cfg_species *s);

/* Number of macroparticles at t = 0; 0 for a file that cannot be read. */
size_t wn_loading_number(const struct wn_config *c, const struct wn_cfg_species *s);

#endif
