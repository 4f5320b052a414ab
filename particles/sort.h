/* particles/sort.h - sorts plasma particles (physics/mover.h) on the host by cells, so
 * that neighbours in memory use the same nodes of the grid.
 *
 * A stable counting sort of all records into a second array, which then replaces the
 * first: the order depends on the particles alone, not on the number of threads.  Each
 * thread counts and moves a contiguous part.
 *
 * It pays for many particles on a grid larger than the first-level cache, and then for
 * many steps: wn_sort_pays, WN_SORT_EVERY. */
#ifndef WN_PARTICLES_SORT_H
#define WN_PARTICLES_SORT_H
#include <stddef.h>
#include "particles/particles.h"
#include "physics/grid_view.h"
#include "physics/host_device.h"

WN_BEGIN_DECLS

/* Steps between sorts: no resolved particle crosses more than a cell in one step.
 * Measured in bench/RESULTS.md. */
#define WN_SORT_EVERY 32

struct wn_sort; /* a second array, and counters */

/* Nodes of a grid above which sorting pays.  Measured there, too. */
#define WN_SORT_NODES 65536

/* Is the grid large enough for sorting to pay?  Depends on the grid alone. */
int wn_sort_pays(const struct wn_grid_view *g);
/* Bytes allocated for `capacity` particles.  threads: 0 for all; one in a build without OpenMP. */
size_t wn_sort_bytes(const struct wn_grid_view *g, int threads, size_t record,
                     size_t capacity);

/* For particles in a grid g, for its cells and bits.  The second array is allocated by the
 * first sort.  WN_ENOMEM. */
int wn_sort_create(const struct wn_grid_view *g, int threads, struct wn_sort **out);
void wn_sort_free(struct wn_sort *o);

/* Sorts p, with records of points of the dimension of the grid, on the host.  Dead particles
 * stay.  WN_ENOMEM: p is unchanged. */
int wn_sort_particles(struct wn_sort *o, struct wn_particles *p);

WN_END_DECLS

#endif
