/* physics/xs_view.h - plain view of the collision tables: pointers and counts, copied by
 * value to who collides. Made by crosssections/xs_table.c.  All collision frequencies are
 * divided by nu_max, so they are probabilities of a candidate; energies in eV in the rest
 * frame of the target.
 *
 * bin      from the bits of the float: a log2 grid, no logarithm, no search; bin 0 holds
 * all below e_min; struct wn_xs_bin_view has what every candidate asks of it
 *
 * major    [n_bins][n_gases] cumulative over gases: an upper bound of the probability
 * that a candidate is a real collision with gases 0..s, for every energy in the bin and
 * every thermal velocity of the target that can be drawn; times 2^32, to be compared with
 * a random word
 *
 * normal   [WN_XS_NORMALS] a normal distribution in levels of equal probability, each at
 * its mean, scaled so that the variance is exactly 1
 *
 * segment  pieces of bins, cut at every threshold, which is therefore exact, and at those
 * knots of the source tables that a straight line through the bin would miss by more than
 * 1e-5 of the frequency of the gas, with all others of their process in the bin
 *
 * row      [n_segments][processes of the gas][2]: cumulative probability = row0 + row1 (E
 * - lower edge); the processes in the order of process[], the commonest first
 *
 * angle    [n_bins + 1] parameter q of physics/angle.h at the bin edges (NULL: isotropic)
 */
#ifndef WN_PHYSICS_XS_VIEW_H
#define WN_PHYSICS_XS_VIEW_H
#include <stddef.h>
#include <stdint.h>
#include "physics/hd.h"
#include "physics/mathfn.h"

#define WN_XS_MAX_GASES 8

/* Levels of the thermal velocity of a target along an axis; a power of two. */
#define WN_XS_NORMALS 2048

enum wn_process_kind {
  WN_PROC_ELASTIC,
  WN_PROC_EXCITATION,
  WN_PROC_IONIZATION,
  WN_PROC_ATTACHMENT
};
enum wn_angle_model {
  WN_ANGLE_ISOTROPIC,
  WN_ANGLE_OKHRIMOVSKYY,
  WN_ANGLE_SCREENED_COULOMB
};
enum wn_share_model { WN_SHARING_EQUAL, WN_SHARING_OPAL, WN_SHARING_RBEB };

struct wn_process_view {
  int kind;       /* enum wn_process_kind */
  int index;      /* of the process in what is written, first of its gas + place in the
                     set */
  float loss;     /* loss_ev in units of WN_UNIT_EV (physics/single.h) */
  double loss_ev; /* energy that stays in the target */
  double b_ev;    /* binding energy of the orbital, for rbeb */
};

/* One read of 16 bytes. */
struct wn_xs_bin_view {
  uint32_t major;   /* of all gases together */
  float free_time;  /* 1 over that probability; 0 where it is 0 */
  uint32_t segment; /* the first of the bin; its last: before that of the next bin */
  float cut;        /* where the second of two begins, eV; INFINITY: there is one segment;
                       -1: there are more than two */
};

struct wn_gas_view {
  double mass_ev;       /* rest energy of the target */
  double cm_part, cm_x; /* wn_cm_factors() of it */
  float recoil;         /* m/(m + M) */
  float sigma_v;        /* sqrt(kT/M) [m/s]; 0: at rest */
  double opal_ev;       /* width for opal sharing */
  int first;            /* its first process in process[] */
  int n;                /* number of processes */
  const float *row;
  const float *angle;
};

struct wn_xs_view {
  int n_gases, n_processes, n_bins;
  int angle_model, share_model;
  uint32_t shift;      /* bits of a float below the bin number */
  int32_t base;        /* bin number of e_min, minus 1 */
  double nu_max;       /* 1/s, the proved bound */
  double e_min, e_top; /* eV; bins cover [e_min, e_top) */
  float thermal_below_ev;
  const uint32_t *major;
  const float *normal;
  const struct wn_xs_bin_view *bin; /* [n_bins + 1], the last for its segment alone */
  const float *edge;                /* [n_segments + 1] lower edges of segments */
  const struct wn_process_view *process;
  struct wn_gas_view gas[WN_XS_MAX_GASES];
};

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

/* Segment of an energy; *de: how far it is above its lower edge, eV. */
static WN_HD uint32_t wn_xs_segment(const struct wn_xs_view *xs, float e_ev, float *de)
{
  int bin = wn_xs_bin(xs, e_ev);
  const struct wn_xs_bin_view b = xs->bin[bin];
  uint32_t s = b.segment;
  if (WN_LIKELY(b.cut >= 0.0f)) {
    int upper = e_ev >= b.cut;
    *de = e_ev - (upper ? b.cut : wn_xs_floor(xs, bin));
    return s + (uint32_t)upper;
  }
  uint32_t end = xs->bin[bin + 1].segment;
  while (s + 1 < end) {
    uint32_t middle = (s + end) >> 1;
    if (e_ev >= xs->edge[middle])
      s = middle;
    else
      end = middle;
  }
  *de = e_ev - xs->edge[s];
  return s;
}

/* Angular parameter q at an energy, linear in the bin. */
static WN_HD float wn_xs_angle(const struct wn_xs_view *xs, const float *angle,
                               float e_ev)
{
  int bin = wn_xs_bin(xs, e_ev);
  float lo = wn_xs_floor(xs, bin), f = (e_ev - lo) / (wn_xs_floor(xs, bin + 1) - lo);
  return (1.0f - f) * angle[bin] + f * angle[bin + 1];
}

#endif
