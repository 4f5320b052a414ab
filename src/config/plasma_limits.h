/* src/config/plasma_limits.h - what a scenario of model plasma asks of its steps, its cells and
 * the machine, from its numbers alone: nothing is allocated.  SI. */
#ifndef WN_SRC_CONFIG_PLASMA_LIMITS_H
#define WN_SRC_CONFIG_PLASMA_LIMITS_H
#include "src/config/config.h"

/* Limits of an explicit scheme on a grid; what is beyond them is an error unless
 * plasma.allow names it. */
#define WN_PLASMA_FREQUENCY 2.0 /* omega_p dt, from where the leapfrog is unstable */
#define WN_PLASMA_COARSE    0.5 /* omega_p dt, above which a warning is due */
#define WN_PLASMA_CROSSING  1.0 /* cells in a step */
#define WN_PLASMA_SPEEDS    5.0 /* thermal speeds of the fast particle that is asked */
#define WN_PLASMA_DEBYE     3.14159265358979 /* cells are at most so many Debye lengths */

struct wn_plasma_limits {
  double omega_p;    /* rad/s, of all mobile species together, perturbation included */
  double omega_p_dt; /* rad */
  /* Cells that a particle crosses in a step with its drift and five thermal speeds: the
   * most along any axis, of any mobile species; whose; NULL: nobody moves. */
  double crossing;
  const struct wn_cfg_species *fastest;
  /* m, the shortest Debye length of the species that are asked; whose; NULL: none is. */
  double debye;
  const struct wn_cfg_species *coldest;
  double h_max; /* m, the longest side of a cell */
};

/* Of a scenario whose grid and species are sound. */
void wn_plasma_limits(const struct wn_config *c, struct wn_plasma_limits *out);

/* Particles of the simulation at time 0; NAN for those of a file. */
double wn_plasma_particles(const struct wn_config *c, const struct wn_cfg_species *s);

/* Of those that move, without those of a file. */
double wn_plasma_moving(const struct wn_config *c);

/* Nodes of an array of the grid, guards included. */
double wn_plasma_nodes(const struct wn_config *c);

/* Bytes of the arrays of the grid and of the solver. */
double wn_plasma_grid_bytes(const struct wn_config *c);
/* The same of one of so many processes, where the grid is divided (divide = "domains"), on the host or
 * on its GPU. */
double wn_plasma_slab_bytes(const struct wn_config *c, int ranks, int on_gpu);
/* Bytes of what sorts particles by cells on the host: a second array of them. */
double wn_plasma_order_bytes(const struct wn_config *c);

/* Bytes of what averages and moments of maps are summed up in, on the host. */
double wn_plasma_diagnostics_bytes(const struct wn_config *c);

/* Bytes that a run takes at time 0: grid, particles (those of a file left out), their
 * second array, and what averages take. */
double wn_plasma_bytes(const struct wn_config *c);

/* Bytes of a GPU that it takes there, about: the same. */
double wn_plasma_gpu_bytes(const struct wn_config *c);

/* WN_EINPUT when what it takes at time 0 is more than this machine has. */
int wn_plasma_fits(const struct wn_config *c);

#endif
