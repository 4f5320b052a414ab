/* fields/deposit.h - the charge of particles on the nodes of a grid, in quanta
 * (physics/grid_view.h), on the host.
 *
 * Place: the predicted middle of the step, x + v dt/2, after the sides; for points by the
 * function by which their model moves them (physics/mover.h).  Particles that are then
 * outside are counted, not deposited.
 *
 * All sums are integers: the same bits for every order of the particles and number of
 * threads, and the grid's charge is the charge of the particles to the last quantum. */
#ifndef WN_FIELDS_DEPOSIT_H
#define WN_FIELDS_DEPOSIT_H
#include <stddef.h>
#include <stdint.h>
#include "particles/particles.h"
#include "physics/grid_view.h"
#include "physics/host_device.h"
#include "physics/mover.h"

WN_BEGIN_DECLS

struct wn_deposit; /* grids of the threads, except the first */

struct wn_deposited {
  uint64_t n;            /* particles on the grid */
  wn_i128 quanta;        /* their charge */
  uint64_t n_outside[6]; /* particles beyond a side */
  wn_i128 quanta_outside[6];
};

/* threads: 0 for all; one in a build without OpenMP.  WN_ENOMEM. */
int wn_deposit_create(const struct wn_grid_view *g, int threads, struct wn_deposit **out);
void wn_deposit_free(struct wn_deposit *d);
/* Restrict the deposit to nodes [range[i][0], range[i][1]) of the grid, n_ranges of
 * these, at most WN_DEPOSIT_RANGES: all charge must fall there, and threads skip all
 * other nodes. */
#define WN_DEPOSIT_RANGES 4
void wn_deposit_within(struct wn_deposit *d, const size_t range[][2], int n_ranges);
/* Bytes that create takes. */
size_t wn_deposit_bytes(const struct wn_grid_view *g, int threads);

/* Add the quanta of all living particles to grid [wn_grid_nodes(g)], guards included, as
 * wn_grid_view.first and .step say.  *sum is overwritten.  p: on the host, records of
 * m->kind; m prepared, with the grid that d was created for and the dt of the step.
 * WN_ERUN when the weight of a particle, or the total, is no number of quanta below 2^62;
 * the grid is then invalid. */
int wn_deposit_points(struct wn_deposit *d, const struct wn_points *m,
                      const struct wn_particles *p, int64_t *grid,
                      struct wn_deposited *sum);

/* The same for records struct wn_electron in a grid, with weights; m->kind: with three
 * velocities. */
int wn_deposit_electrons(struct wn_deposit *d, const struct wn_points *m,
                         const struct wn_particles *p, int64_t *grid,
                         struct wn_deposited *sum);

/* Compare the charge on the grid with that of the particles, as integers: to the last
 * quantum.  WN_ERUN, with both and the number of the species. */
int wn_deposit_compare(size_t species, wn_i128 on_grid, const struct wn_deposited *sum);

/* Move the charge on copies of nodes, or beyond the sides, to the nodes that it belongs
 * to; the sum is unchanged.  Node `cells` of a periodic axis moves onto node 0, and its
 * guards onto the nodes that they are copies of.  At a side that mirrors (particles, or,
 * for Neumann's condition, those in the bits 1 << side of `mirrors`) the guard moves onto
 * the node inside; at other sides onto the wall.  The nodes moved from become 0. */
void wn_deposit_fold(const struct wn_grid_view *g, unsigned mirrors, int64_t *grid);

WN_END_DECLS

#endif
