/* src/config/plasma_derived.h - quantities that follow from a scenario of model plasma: its
 * grid, the records, weights and numbers of its particles, and all that the field is made of.
 * Pure functions: nothing is allocated, nothing is logged.  SI; in one and two dimensions all
 * is that of a column of 1 m2 or a layer of 1 m. */
#ifndef WN_SRC_CONFIG_PLASMA_DERIVED_H
#define WN_SRC_CONFIG_PLASMA_DERIVED_H
#include <stdbool.h>
#include <stddef.h>
#include "fields/charge_nodes.h"
#include "fields/electrostatic.h"
#include "particles/particles.h"
#include "physics/grid_view.h"
#include "physics/point.h"
#include "src/config/config.h"

/* ---- grid and field */

/* The grid, without e. */
struct wn_grid_view wn_plasma_grid(const struct wn_config *c);

/* All that the field is made of, without the GPU. */
struct wn_electrostatic_spec wn_plasma_field_spec(const struct wn_config *c);

/* How charge at the nodes is counted: sides and volumes. */
struct wn_charge_nodes wn_plasma_charge_nodes(const struct wn_config *c);

/* Bytes of the arrays of the grid and of the solver, on the host or on a GPU; and of one of so
 * many processes where the grid is divided (divide = "domains"). */
double wn_plasma_grid_bytes(const struct wn_config *c);
double wn_plasma_grid_gpu_bytes(const struct wn_config *c);
double wn_plasma_slab_bytes(const struct wn_config *c, int ranks, int on_gpu);

/* Steps from one map or sample to the next, for an interval [s]: the nearest number, at least
 * 1 and at most all. */
size_t wn_plasma_every(const struct wn_config *c, double interval);

/* Bytes for moments at the nodes of the grid (src/sim/grid_moments.h): a grid a thread. */
double wn_plasma_moments_bytes(const struct wn_config *c);

/* ---- species k */

/* Whether its particles collide with the gas. */
bool wn_plasma_collides(const struct wn_config *c, size_t k);

/* Whether particles join it in a run. */
bool wn_plasma_grows(const struct wn_config *c, size_t k);

/* Whether its particles, on the host, are sorted by cells (particles/order.h). */
bool wn_plasma_orders(const struct wn_config *c, size_t k);

/* Its records: physics/point.h, or struct wn_electron of particles that collide. */
struct wn_record wn_plasma_record(const struct wn_config *c, size_t k);

/* How its particles move between collisions. */
struct wn_points wn_plasma_points_of(const struct wn_config *c, size_t k);

/* kg, C of a macroparticle of weight 1. */
double wn_plasma_mass(const struct wn_config *c, size_t k);
double wn_plasma_charge(const struct wn_config *c, size_t k);

/* ---- a species at t = 0 (src/sim/loading.h) */

/* Real particles of a macroparticle of weight 1.  Ions that another species leaves behind
 * have the weight of that species.  own: what its own density and particles per cell say, 0
 * where there are none. */
double wn_loading_weight(const struct wn_config *c, const struct wn_cfg_species *s);
double wn_loading_own_weight(const struct wn_config *c, const struct wn_cfg_species *s);

/* Begin and end of a Gaussian or slab along axis d, in the coordinate that is uniform: the
 * quantile of the Gaussian, or the place over the length.  False: the profile does not
 * depend on that axis. */
bool wn_loading_along(const struct wn_config *c, const struct wn_cfg_species *s, int d,
                      double *from, double *to);

/* Mean of the density over the domain, over its maximum; perturbations have none.  NAN of
 * places from a file. */
double wn_loading_mean(const struct wn_config *c, const struct wn_cfg_species *s);

/* Number of macroparticles at t = 0; 0 of a file that cannot be read. */
size_t wn_loading_number(const struct wn_config *c, const struct wn_cfg_species *s);

#endif
