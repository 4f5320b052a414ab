/* fields/electrode_surface.h - the surface of an electrode inside a grid (physics/electrode.h), in flat pieces
 * between the places where it cuts edges: its area, and places on it.
 *
 * Each cell is divided into simplices from its lowest to its highest corner, 2 triangles or 6 tetrahedra (Kuhn's
 * division, as known).  The surface cuts their edges, found by bisection, and each simplex has a piece of it: a
 * straight line, or one or two triangles.  In r-z a line is swept around the axis to the surface of a cone.
 * The area is of second order in the cell, for a sphere of radius R too small by about h2/(8 R2) of it (a chord
 * instead of an arc; derived here).  Only what lies in the domain counts, and of several shapes of one
 * electrode only what is in the gas. */
#ifndef WN_FIELDS_ELECTRODE_SURFACE_H
#define WN_FIELDS_ELECTRODE_SURFACE_H
#include <stddef.h>
#include <stdint.h>
#include "physics/electrode.h"
#include "physics/geometry.h"
#include "physics/host_device.h"

WN_BEGIN_DECLS

struct wn_electrode_piece {
  double corner[3][3]; /* m; as many as the grid has axes */
  double area;         /* m2; in two dimensions along lines m, of a layer of 1 m */
};

/* m2 of the surface, and, where `each` is not NULL, each of its pieces; shape: all n of them. */
double wn_electrode_surface(const struct wn_geometry *g,
                            const struct wn_electrode_shape *shape, int n, int surface,
                            void (*each)(const struct wn_electrode_piece *piece,
                                         void *context),
                            void *context);

/* A place on a piece, uniform over its area, by two uniform numbers; x: m. */
void wn_electrode_on_piece(const struct wn_geometry *g,
                           const struct wn_electrode_piece *piece, double a, double b,
                           double x[3]);

/* From a place near the surface to the surface, just in the gas, along its normal; step: m, for differences.
 * Returns 0 where it does not get there. */
int wn_electrode_to_surface(const struct wn_electrode_shape *shape, int n, int dim,
                            int surface, double step, double x[3], double normal[3]);

WN_END_DECLS

#endif
