/* physics/xs_view.h - plain view of the collision tables: pointers and counts, copied by
 * value to the code that collides.  Made by crosssections/xs_table.c.  All collision
 * frequencies are divided by nu_max, so they are probabilities of a candidate; energies
 * in eV in the rest frame of the target.
 *
 *   bin      from the bits of the float: a log2 grid, no logarithm, no search; bin 0
 *            holds all energies below e_min
 *   top      [n_bins] the data of a bin that every candidate needs
 *   process  [n_processes] of all gases in one order, the most frequent first
 *   major    [wn_xs_fours()][n_bins] cumulative over process[]: an upper bound of the
 *            probability that a candidate is a real collision of process 0..k, for every
 *            energy in the bin and every thermal velocity of the target that can be
 *            drawn; times 2^32, to be compared with a random word; beyond the last
 *            process 0xffffffff
 *   normal   [WN_XS_NORMALS] a normal distribution in levels of equal probability, each
 *            at its mean, scaled so that the variance is exactly 1
 *   segment  pieces of bins, cut at the knots of a source table that a straight line
 *            through the bin would miss by more than 1e-5 of the frequency of the gas,
 *            with all other knots of that process there.  A threshold does
 *            not cut: the line of its process begins there.  Bin 0 is not cut
 *   part     [n_parts] bins with more than two segments are divided into 16 parts by the
 *            next bits of the float, and so are parts
 *   row      [n_processes][n_segments]: the line of a process, see wn_xs_probability().
 *            Those of one process are contiguous, and so are the majorants of the four
 *            most frequent ones: few others are read, and a cache is small
 *   angle    [n_bins + 1] parameter q of physics/angle.h at the edges; NULL: isotropic
 *   grouped  [n_bins + 1] of elastic collisions from grouped_from_ev on, at the edges from that on
 *            (physics/grouped_angle.h); NULL: all are single */
#ifndef WN_PHYSICS_XS_VIEW_H
#define WN_PHYSICS_XS_VIEW_H
#include <stddef.h>
#include <stdint.h>
#include "physics/collisions/list.h"
#include "physics/host_device.h"
#include "physics/mathfn.h"
#include "physics/ionization_angle.h"
#include "physics/moller.h"

#define WN_XS_MAX_GASES 8

/* Levels of the thermal velocity of a target along an axis; a power of two. */
#define WN_XS_NORMALS 2048

enum wn_angle_model {
  WN_ANGLE_ISOTROPIC,
  WN_ANGLE_OKHRIMOVSKYY,
  WN_ANGLE_SCREENED_COULOMB,
  WN_ANGLE_MOLIERE, /* of scenarios: SCREENED_COULOMB with sets of xs_moliere.h */
  WN_N_ANGLE_MODELS
};
enum wn_share_model {
  WN_SHARING_EQUAL,
  WN_SHARING_OPAL,
  WN_SHARING_RBEB,
  WN_SHARING_MOLLER,
  WN_N_SHARE_MODELS
};

struct WN_ALIGNED(16) wn_process_view {
  /* one read of 16 bytes */
  uint16_t kind; /* enum wn_process_kind */
  uint16_t gas;
  /* of the process in the output: number of processes of the gases before + place in the
   * set */
  int index;
  float loss;         /* loss_ev in units of WN_UNIT_EV (physics/single_precision.h) */
  float threshold_ev; /* the lowest energy at which it happens */
  /* seldom read */
  double loss_ev; /* energy that stays in the target */
  double b_ev;    /* binding energy of the orbital, for rbeb and moller */
  double beta2;   /* of the orbital, for moller: beta_u^2 + beta_b^2 */
  struct wn_soft_deflection deflection; /* of friction */
};

/* Majorants of four processes in a bin: one read. */
struct WN_ALIGNED(16) wn_xs_four {
  uint32_t w[4];
};

/* A straight line over a segment, from its lower edge or, where that is higher, from the
 * threshold. */
struct WN_ALIGNED(8) wn_xs_line {
  float at, slope; /* probability there; per eV */
};

/* The data of a bin that every candidate needs. */
struct WN_ALIGNED(8) wn_xs_top {
  uint32_t major;  /* all processes together */
  float free_time; /* 1 over that probability; 0 where it is 0 */
};

struct WN_ALIGNED(8) wn_xs_bin_view {
  uint32_t segment; /* the first of the bin */
  /* where the second of two segments begins, eV; INFINITY: there is one segment; -1:
   * there are more, and `segment` is the first of 16 parts */
  float cut;
};

/* The same for a part: one read. */
struct WN_ALIGNED(16) wn_xs_part {
  uint32_t segment; /* the first that overlaps it */
  float cut;
  float lower; /* edge of that segment, eV: at or below the part */
};

/* The part of the elastic collisions that is grouped, and the largest s = (1 - cos chi)/2 of those: one read. */
struct WN_ALIGNED(8) wn_xs_grouped {
  float part, s_max;
};

struct wn_gas_view {
  double mass_ev;       /* rest energy of the target */
  double cm_part, cm_x; /* wn_cm_factors() of it */
  float recoil;         /* m/(m + M) */
  float sigma_v;        /* sqrt(kT/M) [m/s]; 0: at rest */
  double opal_ev;       /* width for opal sharing */
  const float *angle;
  const struct wn_xs_grouped *grouped;
};

struct wn_continuous_loss;

struct wn_xs_view {
  int n_gases, n_processes, n_bins;
  int angle_model, share_model;
  uint32_t n_segments, n_parts;
  uint32_t shift;      /* bits of a float below the bin number */
  int32_t base;        /* bin number of e_min, minus 1 */
  double nu_max;       /* 1/s, the proven bound */
  double e_min, e_top; /* eV; bins cover [e_min, e_top) */
  float thermal_below_ev;
  struct wn_moller_model moller; /* of sharing moller */
  /* elastic deflections up to the angle of grouped_s are grouped from this energy on, the lower edge of a bin;
   * INFINITY: nowhere */
  float grouped_from_ev;
  double grouped_s;
  float excitation_from_ev; /* of excitation_angle.h; INFINITY: nowhere */
  const struct wn_xs_four *major;
  const float *normal;
  const struct wn_xs_top *top;
  const struct wn_xs_bin_view *bin;
  const struct wn_xs_part *part;
  /* [n_segments + 1] lower edges of segments; not needed to look an energy up */
  const float *edge;
  const struct wn_process_view *process;
  const struct wn_xs_line *row;
  struct wn_gas_view gas[WN_XS_MAX_GASES];
  /* what friction takes is lost along the flight, and its quanta are no candidates: physics/continuous_loss.h.  NULL: it
   * is a process as others are.  On the host */
  const struct wn_continuous_loss *continuous;
};

/* Number of wn_xs_four that hold the majorants of a bin. */
static WN_HD size_t wn_xs_fours(const struct wn_xs_view *xs)
{
  return ((uint32_t)xs->n_processes + 3u) >> 2;
}

static WN_HD int wn_xs_bin(const struct wn_xs_view *xs, float e_ev)
{
  int32_t i = (int32_t)(wn_float_bits(e_ev) >> xs->shift) - xs->base;
  const int32_t top = xs->n_bins - 1;
  i = i < top ? i : top;
  return i > 0 ? i : 0;
}

/* Lower edge of a bin, eV. */
static WN_HD float wn_xs_floor(const struct wn_xs_view *xs, int bin)
{
  return bin > 0 ? wn_float_from_bits((uint32_t)(bin + xs->base) << xs->shift) : 0.0f;
}

/* Bits below the number of a part, from those below the number of the bin or part that it
 * divides.  At 0 a part is one float. */
static WN_HD uint32_t wn_xs_part_shift(uint32_t shift)
{
  return shift > 4u ? shift - 4u : 0u;
}

/* Segment of an energy; *lower: its lower edge, eV. */
static WN_HD uint32_t wn_xs_segment(const struct wn_xs_view *xs, float e_ev, float *lower)
{
  int bin = wn_xs_bin(xs, e_ev);
  const struct wn_xs_bin_view b = xs->bin[bin];
  struct wn_xs_part p = {b.segment, b.cut, wn_xs_floor(xs, bin)};
  for (uint32_t shift = xs->shift; WN_UNLIKELY(p.cut < 0.0f);) {
    shift = wn_xs_part_shift(shift);
    p = xs->part[p.segment + (wn_float_bits(e_ev) >> shift & 15u)];
  }
  int upper = e_ev >= p.cut;
  *lower = upper ? p.cut : p.lower;
  return p.segment + (uint32_t)upper;
}

/* Probability of process[k], whose threshold is given, at energy e_ev. */
static WN_HD float wn_xs_probability(const struct wn_xs_view *xs, int k,
                                     float threshold_ev, float e_ev)
{
  float lower;
  uint32_t s = wn_xs_segment(xs, e_ev, &lower);
  const struct wn_xs_line line = xs->row[(size_t)xs->n_segments * (uint32_t)k + s];
  float from = lower > threshold_ev ? lower : threshold_ev;
  return e_ev >= from ? line.at + line.slope * (e_ev - from) : 0.0f;
}

/* Angular parameter q at an energy in a bin, linear in it; low, high: q at its edges. */
static WN_HD float wn_xs_angle_of(const struct wn_xs_view *xs, int bin, float low,
                                  float high, float e_ev)
{
  float lo = wn_xs_floor(xs, bin), f = (e_ev - lo) / (wn_xs_floor(xs, bin + 1) - lo);
  return (1.0f - f) * low + f * high;
}

/* Of an energy in a bin, linear in it; at and above grouped_from_ev. */
static WN_HD struct wn_xs_grouped wn_xs_grouped_of(const struct wn_xs_view *xs, int bin,
                                                   struct wn_xs_grouped low,
                                                   struct wn_xs_grouped high, float e_ev)
{
  const struct wn_xs_grouped g = {wn_xs_angle_of(xs, bin, low.part, high.part, e_ev),
                                  wn_xs_angle_of(xs, bin, low.s_max, high.s_max, e_ev)};
  return g;
}

static WN_HD float wn_xs_angle(const struct wn_xs_view *xs, const float *angle,
                               float e_ev)
{
  int bin = wn_xs_bin(xs, e_ev);
  return wn_xs_angle_of(xs, bin, angle[bin], angle[bin + 1], e_ev);
}

#endif
