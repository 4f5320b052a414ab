/* particles/order.h - points (physics/point.h) on the host in the order of the cells that
 * they are in, so that those that follow each other in memory ask for the same nodes of
 * the grid.
 *
 * A stable counting sort of all records into a second array, which then takes the place of
 * the first: the order depends on the particles alone, not on the number of threads.  A
 * thread counts and moves a part of the particles in a row.
 *
 * Worth its time for many particles on a grid that the nearest cache does not hold, and
 * then for many steps: wn_order_pays, WN_ORDER_EVERY. */
#ifndef WN_PARTICLES_ORDER_H
#define WN_PARTICLES_ORDER_H
#include <stddef.h>
#include "particles/particles.h"
#include "physics/grid_view.h"
#include "physics/hd.h"

WN_BEGIN_DECLS

/* Steps from one order to the next: no resolved particle crosses more than a cell in one.
 * Measured in bench/RESULTS.md. */
#define WN_ORDER_EVERY 32

struct wn_order; /* a second array, and counters */

/* Nodes of a grid from which on the order shows.  Measured there, too. */
#define WN_ORDER_NODES 65536

/* Is the grid so large that the order shows?  Depends on the grid alone. */
int wn_order_pays(const struct wn_grid_view *g);
/* Bytes that create takes for `capacity` particles.  threads: 0 for all; one in a build
 * without OpenMP. */
size_t wn_order_bytes(const struct wn_grid_view *g, int threads, size_t record,
                      size_t capacity);

/* For points in a grid g, whose cells and bits are taken.  The second array is made by the
 * first sort.  WN_ENOMEM. */
int wn_order_create(const struct wn_grid_view *g, int threads, struct wn_order **out);
void wn_order_free(struct wn_order *o);

/* Sort p, whose records are points of as many dimensions as the grid, on the host.  The dead
 * stay among them.  WN_ENOMEM: p is as it was. */
int wn_order_sort(struct wn_order *o, struct wn_particles *p);

WN_END_DECLS

#endif
