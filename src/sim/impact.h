/* src/sim/impact.h - a particle that a surface took in the step, for what the surface emits. */
#ifndef WN_SRC_SIM_IMPACT_H
#define WN_SRC_SIM_IMPACT_H
#include <stdint.h>

struct wn_impact {
  uint64_t id; /* and event: names of random numbers */
  uint32_t event;
  int32_t at[3]; /* on the surface */
  float u[3], w;
  int surface;      /* in the list of the geometry */
  int is_inside;    /* it is an electrode's, else a side */
  double normal[3]; /* of an electrode: the unit vector out of it, in the axes of u */
};

#endif
