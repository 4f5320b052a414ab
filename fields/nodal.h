/* fields/nodal.h - the field `nodes`: E and B are given at the nodes of the grid, all three
 * components of both, constant in time or at given times.  Particles do not act on it.
 *
 * struct wn_grid_view has the values as `eb` (physics/nodal_field.h), those of the middle of the
 * step; a copy on the GPU where there is one.  Charge and densities are not needed for it: they are deposited when a diagnostic
 * asks, at x - v dt/2 from where the particles are then, the middle of the last step. */
#ifndef WN_FIELDS_NODAL_H
#define WN_FIELDS_NODAL_H
#include <stddef.h>
#include "fields/charge_nodes.h"
#include "fields/electrostatic.h"
#include "fields/field.h"
#include "physics/grid_view.h"

WN_BEGIN_DECLS

#define WN_NODAL_COMPONENTS 6 /* Ex Ey Ez Bx By Bz */

/* Where the values come from.  Planes and rows as the arrays that diagnostics get: [nz][ny][nx], n = cells
 * + 1, x fastest, no guards. */
struct wn_nodal_source {
  void *of;            /* given to the functions */
  size_t n_times;      /* 0, 1: constant */
  const double *times; /* s, rising [n_times] */
  int is_linear; /* between times; else those of the last time that has come.  Before the first and after the
                  * last, these */
  /* Component c of a time into out, all nodes: V/m, T.  WN_EINPUT, with the file and what is wrong; WN_ENOMEM */
  int (*read)(void *of, size_t time, int c, double *out);
  /* Or, NULL otherwise: at any place [m], also a cell outside */
  void (*at)(const void *of, const double x[3], double eb[WN_NODAL_COMPONENTS]);
  void (*free)(void *of); /* NULL: nothing to free */
};

struct wn_nodal_spec {
  struct wn_electrostatic_spec
      plasma;                    /* grid, sides and species, as of the other fields */
  struct wn_nodal_source source; /* freed by the field, and where it cannot be made */
};

/* WN_EINPUT of the source; WN_ENOMEM. */
int wn_nodal_create(const struct wn_nodal_spec *spec, struct wn_field **out);

/* E and B of the last step for diagnostics: component c at all nodes, into out. */
void wn_nodal_component(const struct wn_field *f, int c, double *out);

/* Bytes of the arrays on the host and on a GPU, for a forecast. */
size_t wn_nodal_bytes(const struct wn_nodal_spec *spec);
size_t wn_nodal_gpu_bytes(const struct wn_nodal_spec *spec);

WN_END_DECLS

#endif
