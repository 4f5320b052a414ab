/* src/sim/cell_lists.h - the living particles of a species by cells: for each cell a list of
 * places in the store.  The list of a cell has an order of the contents of its records, those
 * with an id by it.  So what is done along it depends neither on the order of the store nor on
 * threads. */
#ifndef WN_SRC_SIM_CELL_LISTS_H
#define WN_SRC_SIM_CELL_LISTS_H
#include <stddef.h>
#include <stdint.h>
#include "physics/grid_view.h"
#include "src/sim/species.h"

struct wn_cell_lists {
  struct wn_species *species;
  struct wn_grid_view grid;
  size_t cells;
  int has_id;             /* struct wn_electron */
  size_t u, w;            /* offsets in the record; w 0: all weights are 1 */
  size_t words;           /* of the record, from its start, that order it */
  size_t *begin;          /* [cells + 1] into the lists */
  size_t *end;            /* [cells] while these are made */
  uint32_t *list, *spare; /* [room] places in the store */
  size_t room;
};

/* Of a species in the cells of a grid.  WN_ENOMEM: the lists are to be cleared, too. */
int wn_cell_lists_init(struct wn_cell_lists *l, struct wn_species *s,
                       const struct wn_grid_view *g);
void wn_cell_lists_clear(struct wn_cell_lists *l);

/* Makes the lists, of particles on the host; the cell of one on the upper wall is the last.
 * Their order within a cell is that of the threads until wn_cell_lists_order.  what: in the
 * message where there are too many particles.  WN_ERUN, WN_ENOMEM. */
int wn_cell_lists_make(struct wn_cell_lists *l, int threads, const char *what);

/* Puts the list of a cell into the order of the records. */
void wn_cell_lists_order(struct wn_cell_lists *l, size_t cell);

static inline size_t wn_cell_lists_number(const struct wn_cell_lists *l, size_t cell)
{
  return l->begin[cell + 1] - l->begin[cell];
}

static inline unsigned char *wn_cell_lists_record(const struct wn_cell_lists *l,
                                                  uint32_t i)
{
  return wn_particles_at(&l->species->p, i);
}

/* The weight; u: the velocity, of three components. */
static inline float wn_cell_lists_load(const struct wn_cell_lists *l, uint32_t i,
                                       float u[3])
{
  const unsigned char *r = wn_cell_lists_record(l, i);
  float w = 1.0f;
  memcpy(u, r + l->u, 3 * sizeof *u);
  if (l->w > 0)
    memcpy(&w, r + l->w, sizeof w);
  return w;
}

static inline void wn_cell_lists_store(const struct wn_cell_lists *l, uint32_t i,
                                       const float u[3])
{
  memcpy(wn_cell_lists_record(l, i) + l->u, u, 3 * sizeof *u);
}

#endif
