/* physics/field_view.h - a field as the motion of one particle needs it: plain values and
 * pointers to tables, passed by value in kernels.  Made by fields/, SI units. */
#ifndef WN_PHYSICS_FIELD_VIEW_H
#define WN_PHYSICS_FIELD_VIEW_H
#include <stdint.h>
#include "physics/grid_view.h"
#include "physics/host_device.h"

/* A uniform field. */
struct wn_uniform_view {
  double e[3];      /* V/m */
  double b;         /* T */
  double b_axis[3]; /* unit vector along B */
};

/* Other: of a program that brings fields and models of its own (bench/study/). */
enum wn_field_kind { WN_FIELD_UNIFORM, WN_FIELD_GRID, WN_FIELD_OTHER };

struct wn_field_view {
  enum wn_field_kind kind;
  union {
    struct wn_uniform_view uniform;
    struct wn_grid_view grid;
    const void *other;
  } of;
};

#endif
