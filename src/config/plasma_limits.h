/* src/config/plasma_limits.h - limits on steps and cells of a scenario of model plasma, and its
 * memory, from the scenario alone: no allocation.  SI. */
#ifndef WN_SRC_CONFIG_PLASMA_LIMITS_H
#define WN_SRC_CONFIG_PLASMA_LIMITS_H
#include "src/config/config.h"

/* Limits of an explicit scheme on a grid; exceeding one is an error unless plasma.allow names it. */
#define WN_PLASMA_FREQUENCY 2.0 /* omega_p dt, above which the leapfrog is unstable */
#define WN_PLASMA_COARSE    0.5 /* omega_p dt, above which a warning is given */
#define WN_PLASMA_CROSSING  1.0 /* cells in a step */
#define WN_PLASMA_SPEEDS    5.0 /* thermal speeds, for the speed of a fast particle */
#define WN_PLASMA_DEBYE     3.14159265358979 /* Debye lengths in a cell, at most */

/* Plasma periods after which a cold plasma has heated by some per cent with gather = "momentum"
 * (doc/plasma.md, Limits) */
#define WN_PLASMA_COLD 20.0

struct wn_plasma_limits {
  double omega_p;    /* rad/s, of all mobile species together, perturbation included */
  double omega_p_dt; /* rad */
  /* Cells that a particle crosses in a step with its drift and five thermal speeds: the
   * maximum over axes and mobile species; its species; NULL: no species moves. */
  double crossing;
  const struct wn_cfg_species *fastest;
  /* V, the largest difference between the potentials of two walls at any time; the cells that a particle
   * which has fallen through it crosses in a step, and its species; NULL: none. */
  double voltage, driven;
  const struct wn_cfg_species *driven_one;
  /* m, the shortest Debye length of the species that are checked; its species; NULL: none. */
  double debye;
  const struct wn_cfg_species *coldest;
  double h_max; /* m, the longest side of a cell */
  /* a species without temperature that takes part in plasma oscillations; NULL: none */
  const struct wn_cfg_species *cold;
};

/* For a scenario with valid grid and species. */
void wn_plasma_limits(const struct wn_config *c, struct wn_plasma_limits *out);

/* Macroparticles at time 0; NAN for those from a file. */
double wn_plasma_particles(const struct wn_config *c, const struct wn_cfg_species *s);

/* Moving macroparticles, without those from a file, and with those that sources keep in the
 * domain (wn_source_residents). */
double wn_plasma_moving(const struct wn_config *c);

/* Nodes of an array of the grid, including guard cells. */
double wn_plasma_nodes(const struct wn_config *c);

/* Nodes of maps and averages (plasma.fields_coarsening), and numbers that a map has at each. */
double wn_plasma_map_nodes(const struct wn_config *c);
double wn_plasma_map_values(const struct wn_config *c);

/* Bytes for sorting particles by cells on the host: a second array of them. */
double wn_plasma_order_bytes(const struct wn_config *c);

/* Bytes on the host for averages, for moments of maps, for ten moments and for Coulomb collisions; of
 * these for the sums over particles of averages and maps, and for ten moments. */
double wn_plasma_diagnostics_bytes(const struct wn_config *c);
double wn_plasma_all_node_sums_bytes(const struct wn_config *c);
double wn_plasma_ten_moments_bytes(const struct wn_config *c);

/* Bytes of a run at time 0: grid, particles (without those from a file), their second
 * array, and averages. */
double wn_plasma_bytes(const struct wn_config *c);

/* The same on a GPU, approximately; and with so many macroparticles of each species. */
double wn_plasma_gpu_bytes(const struct wn_config *c);
double wn_plasma_gpu_bytes_of(const struct wn_config *c, const double *macroparticles);
/* Its parts: grid and sums at nodes; particles.  With particles in batches: the first, and
 * buffers. */
double wn_plasma_grid_gpu_all_bytes(const struct wn_config *c);
double wn_plasma_particles_gpu_bytes(const struct wn_config *c);
double wn_plasma_batches_gpu_bytes(const struct wn_config *c);

/* WN_EINPUT if the memory at time 0 exceeds that of this machine. */
int wn_plasma_fits(const struct wn_config *c);

#endif
