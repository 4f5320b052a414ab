/* fields/sparse/sparse.h - the field `sparse`: that of the particles' own charge, by the combination technique
 * (components.h).  The charge of the particles goes to the parents in quanta (fields/deposit.h), from there to all
 * component grids; Poisson's equation is solved on each; E of each, by differences or modes, is combined, at the
 * nodes of the full grid or at the particle (enum wn_sparse_combined), and goes to the particles as that of a full
 * grid (physics/grid_view.h).
 *
 * Not on these grids: open sides, circuits, shapes other than `cic`, `gather = "energy"`, slabs.  The force of a
 * particle on itself is not exactly zero, as shapes of different grids are combined. */
#ifndef WN_FIELDS_SPARSE_SPARSE_H
#define WN_FIELDS_SPARSE_SPARSE_H
#include <stddef.h>
#include "fields/electrostatic.h"
#include "fields/field.h"
#include "fields/sparse/components.h"
#include "physics/grid_view.h"

WN_BEGIN_DECLS

struct wn_sparse_spec {
  struct wn_electrostatic_spec full; /* of the full grid, 2^n cells along each axis */
  struct wn_sparse_levels levels;
  enum wn_sparse_combined at;
};

/* WN_EINPUT of wn_components_make, of wn_poisson_create, or what is not on these grids; WN_ENOMEM; on a GPU
 * WN_ECUDA. */
int wn_sparse_create(const struct wn_sparse_spec *spec, struct wn_field **out);

/* Bytes of grids on the host, of a field there, and on the device of one on a GPU (in any build).  SIZE_MAX: no
 * such grids. */
size_t wn_sparse_bytes(const struct wn_sparse_spec *spec);
size_t wn_sparse_gpu_bytes(const struct wn_sparse_spec *spec);

/* The grid of these levels in the box of a full grid with 2^n cells along each axis, by the same records of
 * particles; without e. */
struct wn_grid_view wn_sparse_grid(const struct wn_grid_view *full, int n,
                                   const int32_t level[WN_MAX_DIM]);

WN_END_DECLS

#endif
