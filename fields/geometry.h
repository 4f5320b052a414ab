/* fields/geometry.h - axes whose nodes are given one by one (physics/geometry.h): stretched, or
 * along another coordinate than a line; and nodes of surfaces inside. */
#ifndef WN_FIELDS_GEOMETRY_H
#define WN_FIELDS_GEOMETRY_H
#include "physics/geometry.h"
#include "physics/host_device.h"

WN_BEGIN_DECLS

/* From the coordinates x [m], [cells + 1], copied.  *out owns its arrays, on the host, until
 * wn_axis_clear.  WN_EINPUT: no such coordinate, no cell, a periodic axis that is no line,
 * nodes that do not increase or are no finite numbers, below 0 where the coordinate is no
 * line; WN_ENOMEM. */
int wn_axis_create(enum wn_coordinate coordinate, int32_t cells, const double *x,
                   int is_periodic, struct wn_axis *out);

/* Nothing for an axis of constant spacing along a line. */
void wn_axis_clear(struct wn_axis *a);

/* held [nodes] of struct wn_geometry: the nodes of all surfaces in its list beyond the sides of the
 * box whose potential is given (WN_DIRICHLET); of several at one node the first. */
void wn_geometry_hold(const struct wn_geometry *g, int32_t *held);

WN_END_DECLS

#endif
