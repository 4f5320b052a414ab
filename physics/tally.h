/* physics/tally.h - what the electrons add up while they move.
 * All sums are integers (fixed point), so that they do not depend on the order in which
 * electrons, threads or devices add: value = sum / scale.  Every contribution is rounded
 * to nearest once; the scales leave 1e-9 eV and 1e-13 of a phase. */
#ifndef WN_PHYSICS_TALLY_H
#define WN_PHYSICS_TALLY_H
#include <math.h>
#include <stdint.h>
#include "physics/hd.h"

__extension__ typedef __int128 wn_i128;

#define WN_FIX_WEIGHT 0x1p24 /* per electron */
#define WN_FIX_ENERGY 0x1p30 /* per eV */
#define WN_FIX_PHASE  0x1p44 /* per phase (times), per phase times c (lengths) */

/* Sums of one group of electrons over phases. */
struct wn_tally_group {
  wn_i128 time;       /* w * time lived, in phases */
  wn_i128 path[3];    /* w * displacement, in c * phase */
  wn_i128 energy;     /* w * energy at candidates, eV */
  wn_i128 candidates; /* w at candidates */
  wn_i128 gained;     /* w * energy from the field, eV */
  wn_i128 control;    /* w * control variate of the drift along z, in c * phase: zero on
                         average (physics/mcc.h) */
  wn_i128 removed;    /* w of electrons that left above runaway.stop_above */
  wn_i128 dropped;    /* w * energy of electrons that left above runaway.stop_above, eV */
};

struct wn_tally {
  uint64_t n_candidates, n_real; /* unweighted */
  uint64_t n_births, n_deaths;
  uint64_t n_violations; /* the bound on the collision frequency was exceeded: fatal */
  uint64_t n_beyond; /* an electron passed the last energy of a table: fatal under policy
                        error */
  uint64_t n_forbidden; /* loss not covered in the centre-of-mass frame: taken as null */
  double max_energy_ev;
  struct wn_tally_group *group; /* [n_groups] */
  wn_i128 *count;               /* [n_groups][n_processes] w of real collisions */
  wn_i128 *lost;                /* [n_groups][n_processes] w * energy lost, eV */
  wn_i128 *passed; /* [n_groups][n_thresholds] w of electrons that pass a threshold for
                      the first time */
  int64_t *first_passage; /* [n_lineages][n_thresholds] time in units of 2^-20 phase since
                             release; shared by all threads, INT64_MAX: never; NULL when
                             not wanted */
};

static WN_HD wn_i128 wn_fix(double x, double scale)
{
  double y = x * scale;
  if (WN_LIKELY(fabs(y) < 0x1p62))
    return (wn_i128)(int64_t)llrint(y);
  return (wn_i128)rint(y);
}

#endif
