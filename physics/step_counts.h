/* physics/step_counts.h - what the conditions of adaptive steps (src/sim/adaptive_step.c) add up of the particles of
 * a species: a histogram of the frequencies at which they cross cells, their weights, and weights times squares of
 * accelerations.  One particle at a time, the same text and bits on CPU and GPU; all sums are integers. */
#ifndef WN_PHYSICS_STEP_COUNTS_H
#define WN_PHYSICS_STEP_COUNTS_H
#include <math.h>
#include <stdint.h>
#include <string.h>
#include "physics/constants.h"
#include "physics/electron.h"
#include "physics/grid_view.h"
#include "physics/host_device.h"
#include "physics/mover.h"
#include "physics/tally.h"

/* Bins of the frequency: 16 in each octave of 1/s, from 1/s on. */
#define WN_STEP_BINS (16 * 64)
/* Of the bits of a double, which leave exponent and 4 bits of the mantissa. */
#define WN_STEP_BIN_SHIFT 48
#define WN_STEP_BIN_ONE   ((int64_t)1023 << 4) /* the bin of 1/s, before it is subtracted */

/* Sums of accelerations: weight times m2/s4, in this unit. */
#define WN_STEP_ACCELERATIONS 0x1p-64

/* The particles of a species. */
struct wn_step_look {
  int32_t dim, is_radial, relativistic;
  int32_t has_electrons;     /* struct wn_electron; */
  int32_t words, velocities; /* else points: words of a record, velocities in it */
  double per_cell[3];        /* 1/m, of the shortest cell along each axis */
};

struct wn_step_counts {
  uint64_t of[WN_STEP_BINS]; /* particles by the frequency */
  /* of struct wn_electron: weights in WN_QUANTA; weight times square, in WN_STEP_ACCELERATIONS */
  wn_i128 weight, accelerations;
};

/* frequency: 0 or more, or no number. */
static WN_HD int wn_step_bin(double frequency)
{
  int64_t bits;
  memcpy(&bits, &frequency, sizeof bits);
  const int64_t bin = (bits >> WN_STEP_BIN_SHIFT) - WN_STEP_BIN_ONE;
  return (int)(bin < 0 ? 0 : bin < WN_STEP_BINS ? bin : WN_STEP_BINS - 1);
}

/* 1/s, the upper end of a bin. */
static WN_HD double wn_step_bin_end(int bin)
{
  const int64_t bits = (WN_STEP_BIN_ONE + bin + 1) * ((int64_t)1 << WN_STEP_BIN_SHIFT);
  double frequency;
  memcpy(&frequency, &bits, sizeof frequency);
  return frequency;
}

/* The bin of a particle with velocities u [m/s], of which those that it has not are 0. */
static WN_HD int wn_step_bin_of_motion(const struct wn_step_look *s, const float u[3])
{
  double v[3] = {(double)u[0], (double)u[1], (double)u[2]}, most = 0.0;
  const double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
  if (s->is_radial) /* the motion across r and z changes r, too */
    v[0] = sqrt(v[0] * v[0] + v[2] * v[2]);
  for (int d = 0; d < 3; d++) {
    const double frequency = d < s->dim ? fabs(v[d]) * s->per_cell[d] : 0.0;
    most = frequency > most ? frequency : most;
  }
  return wn_step_bin(s->relativistic ? most / sqrt(1.0 + square / (WN_C * WN_C)) : most);
}

/* Towards zero; x: 0 or more, and below 2^127. */
static WN_HD wn_i128 wn_step_whole(double x)
{
  return x < 0x1p62 ? (wn_i128)(int64_t)x : (wn_i128)x;
}

/* What an electron adds to the sums. */
static WN_HD void wn_step_electron(const struct wn_electron *e, wn_i128 *weight,
                                   wn_i128 *accelerations)
{
  const double w = (double)e->w,
               a[3] = {(double)e->a[0], (double)e->a[1], (double)e->a[2]};
  *weight += (int64_t)(w * WN_QUANTA); /* a part of a quantum is dropped */
  *accelerations += wn_step_whole(w * (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]) *
                                  WN_STEP_ACCELERATIONS);
}

static WN_HD void wn_step_point_u(const struct wn_step_look *s, const union wn_word *r,
                                  float u[3])
{
  for (int d = 0; d < 3; d++)
    u[d] = d < s->velocities ? r[s->dim + d].f : 0.0f;
}

#endif
