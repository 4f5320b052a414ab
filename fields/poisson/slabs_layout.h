/* fields/poisson/slabs_layout.h - the division of the unknowns of Poisson's equation
 * among ranks, by planes and by columns (fields/poisson/planes.h), and the memory of a GPU
 * for its part: for allocation and forecast. */
#ifndef WN_FIELDS_POISSON_SLABS_LAYOUT_H
#define WN_FIELDS_POISSON_SLABS_LAYOUT_H
#include <stdint.h>
#include "fields/poisson/gpu_layout.h"
#include "fields/poisson/parts.h"

WN_BEGIN_DECLS

struct wn_poisson_division {
  int last, ranks, rank; /* the axis of the slabs */
  int64_t planes[2];     /* nodes of this rank */
  size_t nodes[2];       /* of a plane, along the other axes */
  struct wn_poisson_axis axis[3];
  size_t unknowns[2]; /* unknowns of this rank along the last axis */
  size_t plane;       /* unknowns of a plane */
  size_t columns[2];  /* of these, the lines along the last axis complete on this rank */
};

/* For one of `ranks` ranks; allocates no memory. */
struct wn_poisson_division wn_poisson_divide_among(const struct wn_poisson_spec *spec,
                                                   int rank, int ranks);

/* Unknowns of rank r along the last axis. */
void wn_poisson_unknowns_of(const struct wn_poisson_division *d,
                            const struct wn_poisson_spec *spec, int r, size_t u[2]);

/* Doubles of an array large enough for both divisions of the unknowns. */
size_t wn_poisson_division_words(const struct wn_poisson_division *d);

/* On a GPU, in two or three dimensions: lines along the other axes in the planes of this
 * rank, [axis]; and those along the last in a box of [unknowns][columns], [1].  Where the
 * rank has none of them, n is 0. */
void wn_poisson_slabs_layout(const struct wn_poisson_division *d,
                             struct wn_poisson_layout *planes,
                             struct wn_poisson_layout *columns);

WN_END_DECLS

#endif
