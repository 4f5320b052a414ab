/* physics/crossing.h - crossings of detectors (physics/detector.h) as they are noted: a record of each, in a list.  On the host the list
 * grows (particles/crossings.h).  In a kernel it has a fixed room: all crossings are counted, and noted as long as there is room, so that
 * the host knows how long the list must be (device/crossings.cu).
 * Units: m, s, eV; u = gamma v in m/s. */
#ifndef WN_PHYSICS_CROSSING_H
#define WN_PHYSICS_CROSSING_H
#include <stddef.h>
#include <stdint.h>
#include "physics/detector.h"
#include "physics/host_device.h"

struct wn_crossing {
  double time;       /* s since the release */
  double x[3], u[3]; /* m; m/s, gamma v */
  double energy_ev, weight, cosine;
  uint64_t id;
  uint32_t tag;
  int32_t detector, outward;
  int32_t unused; /* 0: a record has no holes */
};

struct wn_gpu_crossings;

struct wn_crossings {
  size_t n_detectors;
  const struct wn_detector *detector;
  double least_ev; /* slower electrons are not noted */
  size_t n, room;
  struct wn_crossing *list;
  /* on the host: adds one, from any thread (wn_crossings_add) */
  void (*add)(struct wn_crossings *c, const struct wn_crossing *one);
  int status; /* WN_ENOMEM: some are missing */
  /* of a GPU that advances the electrons (device/gpu.h); NULL: there is none */
  struct wn_gpu_crossings *remote;
};

static WN_HD void wn_crossings_note(struct wn_crossings *c, const struct wn_crossing *one)
{
  if (!WN_ON_DEVICE) {
    c->add(c, one);
    return;
  }
  const size_t at = wn_atomic_next(&c->n);
  if (at < c->room)
    c->list[at] = *one;
}

#endif
