/* physics/tally.h - what the electrons add up while they move.
 * All sums are integers (fixed point), so that they do not depend on the order in which
 * electrons, threads or devices add: value = sum / scale.  Every contribution is rounded
 * to nearest once; the scales leave 1e-9 eV and 1e-13 of a step. */
#ifndef WN_PHYSICS_TALLY_H
#define WN_PHYSICS_TALLY_H
#include <math.h>
#include <stdint.h>
#include "physics/grid_view.h"
#include "physics/host_device.h"

__extension__ typedef __int128 wn_i128;

#define WN_FIX_WEIGHT  0x1p24 /* per electron */
#define WN_FIX_RARE    0x1p60 /* per electron, where weights go down to 1e-18 */
#define WN_FIX_ENERGY  0x1p30 /* per eV */
#define WN_FIX_STEP    0x1p44 /* per step (times), per step times c (lengths) */
#define WN_FIX_PASSAGE 0x1p20 /* per step: times of first passages */

/* Members of struct wn_tally_group.spread. */
enum {
  WN_SPREAD_XX,
  WN_SPREAD_YY,
  WN_SPREAD_ZZ,
  WN_SPREAD_XY,
  WN_SPREAD_XZ,
  WN_SPREAD_YZ,
  WN_SPREADS
};

/* Sums of one group of electrons over steps. */
struct wn_tally_group {
  wn_i128 time;    /* w * time lived, in steps */
  wn_i128 path[3]; /* w * displacement, in c * step */
  wn_i128 energy;  /* w * energy at candidates, eV, or what they give on average if they
                       * come at the rate nu_max (physics/mcc.h) */
  wn_i128 candidates; /* w at candidates; the same */
  wn_i128 gained;     /* w * energy from the field, eV */
  /* w * control variate of the drift along z, in c * step: zero on average
   * (physics/mcc_collide.h) */
  wn_i128 control;
  wn_i128 removed; /* w of electrons that left above runaway.stop_above, WN_FIX_RARE */
  wn_i128 dropped; /* w * energy of electrons that left above runaway.stop_above, eV */
  /* Where struct wn_mcc.spreads, integrals over the time lived: w * place, in c * step^2; w *
   * (x_i v_k + x_k v_i), in (c * step)^2.  Of few: z; xx + yy in the place of xx, and zz. */
  wn_i128 place[3];
  wn_i128 spread[WN_SPREADS];
};

/* What ended at a surface (physics/geometry.h). */
struct wn_tally_surface {
  wn_i128 number; /* particles */
  wn_i128 quanta; /* their weight, in units of 1/WN_QUANTA (physics/grid_view.h) */
  wn_i128 energy; /* w * kinetic energy, eV */
};

/* What should not happen, or seldom does. */
struct wn_tally_alarms {
  uint64_t n_violations; /* the bound on the collision frequency was exceeded: fatal */
  /* an electron passed the last energy of a table: fatal under policy error */
  uint64_t n_beyond;
  uint64_t n_forbidden; /* loss not covered in the centre-of-mass frame: taken as null */
  double max_energy_ev; /* of those that were above watch_ev */
  uint64_t violator;    /* 0: none; else ~ of the smallest id that exceeded the bound */
};

enum {
  WN_PASSED_NOW,
  WN_PASSED_COHORT,
  WN_PASSED_ANGLE,
  WN_PASSED_TIME,
  WN_PASSED_TIME2,
  WN_PASSED_WAY,
  WN_PASSED_WAY2,
  WN_PASSED
}; /* rows of struct wn_tally.passed */

struct wn_tally {
  uint64_t n_candidates, n_real; /* unweighted */
  uint64_t n_births, n_deaths;
  struct wn_tally_alarms *alarms;
  struct wn_tally_group *group;     /* [n_groups] */
  struct wn_tally_surface *surface; /* [wn_tally_surfaces], in the order of the list */
  wn_i128 *count;                   /* [n_groups][n_processes] w of real collisions */
  wn_i128 *lost;                    /* [n_groups][n_processes] w * energy lost, eV */
  /* [n_groups][WN_PASSED][n_thresholds] w of electrons that pass a threshold for the first
   * time, in WN_FIX_RARE; the same in the unit of weights of their cohort (struct
   * wn_mcc.cohorts), and that times the cosine of their angle to the drift, times the time
   * since they were marked, in steps, and its square, times the way along the drift since
   * then, in c * step, and its square (struct wn_mcc.mark_m).  Behind them, with cohorts,
   * [n_groups][WN_PASSED_BIN_ROWS][n_thresholds] of the same unit: electrons that passed in which time,
   * which way, which direction (physics/passages.h) */
  wn_i128 *passed;
  /* In a kernel that asks for it (WN_SUMS_NEAR): where in the shared memory of a
   * block its own sums of groups and, behind them, of processes begin, which are handed on to
   * `group`, `count` and `lost` at its end (wn_tally_near) */
  uint32_t near_group, near_process;
  /* [n_lineages][n_thresholds] time since release, in ticks (wn_tally_tick); shared by
   * all threads, INT64_MAX: never; NULL when not wanted */
  int64_t *first_passage;
};

static WN_HD wn_i128 wn_fix(double x, double scale)
{
  double y = x * scale;
  if (WN_LIKELY(fabs(y) < 0x1p62))
    return (wn_i128)(int64_t)llrint(y);
  return (wn_i128)rint(y);
}

/* A time of struct wn_tally.first_passage, rounded to nearest; both in the same unit. */
static WN_HD int64_t wn_tally_tick(double time, double step)
{
  return (int64_t)llrint(time / step * WN_FIX_PASSAGE);
}

/* And back. */
static WN_HD double wn_tally_tick_time(int64_t tick, double step)
{
  return (double)tick * (1.0 / WN_FIX_PASSAGE) * step;
}

/* *cell += x * scale, rounded to nearest.  On the device a cell is the same 16 bytes, but
 * two sums: of the low 32 bits of all contributions (first 8 bytes, unsigned) and of
 * what is above (last 8 bytes, signed), each by an atomic that waits for nothing; the
 * value is low + 2^32 high.  The first overflows after 2^32 contributions: the host
 * empties the cells after every launch. */
static WN_COLD void wn_tally_sum(wn_i128 *cell, double x, double scale)
{
#ifdef __CUDA_ARCH__
  unsigned long long *part = (unsigned long long *)cell;
  double y = rint(x * scale);
  long long high;
  unsigned int low;
  if (WN_LIKELY(fabs(y) < 0x1p62)) {
    long long v = (long long)y;
    low = (unsigned int)v;
    high = v >> 32;
  } else {
    double h = floor(y * 0x1p-32); /* both exact: y is an integer */
    high = (long long)h;
    low = (unsigned int)(y - h * 0x1p32);
  }
  atomicAdd(&part[0], (unsigned long long)low);
  if (high != 0)
    atomicAdd(&part[1], (unsigned long long)high);
#else
  *cell += wn_fix(x, scale);
#endif
}

/* The same of a float: what a collision adds, without a conversion. */
static WN_HD void wn_tally_sum_f(wn_i128 *cell, float x, float scale)
{
#ifdef __CUDA_ARCH__
  float y = x * scale; /* exact: the scale is a power of two */
  if (WN_LIKELY(fabsf(y) < 0x1p62f)) {
    unsigned long long *part = (unsigned long long *)cell;
    long long v = llrintf(y), high = v >> 32;
    atomicAdd(&part[0], (unsigned long long)(unsigned int)v);
    if (high != 0)
      atomicAdd(&part[1], (unsigned long long)high);
  } else {
    wn_tally_sum(cell, (double)x, (double)scale);
  }
#else
  wn_tally_sum(cell, (double)x, (double)scale);
#endif
}

/* Sums near by: words of 32 bits that together are an integer of 96 bits; a block would need
 * 2^33 contributions below 2^62 to leave them. */
#define WN_NEAR_WORDS 3
#define WN_NEAR_BYTES (4u * WN_NEAR_WORDS)
/* Of a group: the members of struct wn_tally_group; of a process: count and lost. */
#define WN_NEAR_GROUP   (sizeof(struct wn_tally_group) / sizeof(wn_i128))
#define WN_NEAR_PROCESS 2u

/* *word += v, a word of them; what it was before. */
static WN_HD uint32_t wn_near_add(uint32_t word, uint32_t v)
{
  uint32_t before = 0;
#ifdef __CUDA_ARCH__
  asm volatile("atom.shared.add.u32 %0, [%1], %2;"
               : "=r"(before)
               : "r"(word), "r"(v)
               : "memory");
#else
  (void)word, (void)v; /* there are none */
#endif
  return before;
}

/* v to the sum near by that begins at `near`.  low_before: what its first word was before the
 * low word of v was added to it, which is done. */
static WN_HD void wn_near_carry(uint32_t near, int64_t v, uint32_t low_before)
{
  const uint32_t low = (uint32_t)v, middle = (uint32_t)(v >> 32) + (low_before > ~low);
  if (middle != 0) { /* else nothing is carried: above the low word v is 0, or -1 and 1 */
    const uint32_t again = wn_near_add(near + 4, middle) > ~middle,
                   top = (uint32_t)(v >> 63) + again;
    if (top != 0)
      wn_near_add(near + 8, top);
  }
}

static WN_HD void wn_near_sum(uint32_t near, int64_t v)
{
  wn_near_carry(near, v, wn_near_add(near, (uint32_t)v));
}

/* Of so many sums that follow each other, the low words first: none waits for another. */
#define WN_NEAR_TOGETHER 4

/* Where sums go: to their cells; in a kernel that has them, to those near by; nowhere, which is
 * for a benchmark that asks what sums cost. */
enum { WN_SUMS_CELLS, WN_SUMS_NEAR, WN_SUMS_NONE };

/* *cell[k] += y[k], rounded, k < n, n at most WN_NEAR_TOGETHER and known when this is compiled;
 * WN_SUMS_NEAR: to those that follow each other from `near` on, but for what is too large for
 * them. */
static WN_HD void wn_tally_near(short to, uint32_t near, wn_i128 *const *cell,
                                const float *y, int n)
{
  int64_t v[WN_NEAR_TOGETHER];
  uint32_t before[WN_NEAR_TOGETHER];
  float most = 0.0f;
  if (to == WN_SUMS_NONE)
    return;
  if (to == WN_SUMS_CELLS) {
    WN_UNROLLED
    for (int k = 0; k < n; k++)
      wn_tally_sum_f(cell[k], y[k], 1.0f);
    return;
  }
  WN_UNROLLED
  for (int k = 0; k < n; k++)
    most = fmaxf(most, fabsf(y[k]));
  if (WN_UNLIKELY(!(most < 0x1p62f))) {
    WN_UNROLLED
    for (int k = 0; k < n; k++)
      wn_tally_sum(cell[k], (double)y[k], 1.0);
    return;
  }
  WN_UNROLLED
  for (int k = 0; k < n; k++) {
    v[k] = llrintf(y[k]);
    before[k] = wn_near_add(near + WN_NEAR_BYTES * (uint32_t)k, (uint32_t)v[k]);
  }
  WN_UNROLLED
  for (int k = 0; k < n; k++)
    wn_near_carry(near + WN_NEAR_BYTES * (uint32_t)k, v[k], before[k]);
}

/* One more of what should not happen; *slot: in struct wn_tally_alarms. */
static WN_HD void wn_tally_alarm(uint64_t *slot)
{
#ifdef __CUDA_ARCH__
  atomicAdd((unsigned long long *)slot, 1ull);
#else
  ++*slot;
#endif
}

/* Particle `id` exceeds the bound on its collision frequency. */
static WN_HD void wn_tally_violation(struct wn_tally_alarms *a, uint64_t id)
{
  wn_tally_alarm(&a->n_violations);
#ifdef __CUDA_ARCH__
  atomicMax((unsigned long long *)&a->violator, (unsigned long long)~id);
#else
  a->violator = ~id > a->violator ? ~id : a->violator;
#endif
}

/* *slot becomes the greater of itself and v >= 0. */
static WN_HD void wn_tally_max(double *slot, double v)
{
#ifdef __CUDA_ARCH__
  /* numbers of one sign are ordered as their bits are */
  if (v > *(volatile double *)slot)
    atomicMax((unsigned long long *)slot, (unsigned long long)__double_as_longlong(v));
#else
  if (v > *slot)
    *slot = v;
#endif
}

#endif
