/* physics/xs_view.h - plain view of the collision tables: pointers and counts, copied by
 * value to who collides. Made by crosssections/xs_table.c.  All collision frequencies are
 * divided by nu_max, so they are probabilities of a candidate; energies in eV in the rest
 * frame of the target. bin      from the high word of the double: a log2 grid, no
 * logarithm, no search; bin 0 holds all below e_min major    [n_bins][n_gases] cumulative
 * over gases: an upper bound of the probability that a candidate is a real collision with
 * gases 0..s, for every energy in the bin and every thermal velocity of the target that
 * can be drawn; times 2^32, to be compared with a random word
 * free_time [n_bins] 1 over the last of these probabilities (0 where that is 0)
 * normal   [WN_XS_NORMALS] a normal distribution in levels of equal probability, each at
 * its mean, scaled so that the variance is exactly 1
 * segment  pieces of bins, cut at every knot and threshold of every source
 * table, so that thresholds are exact row      [n_segments][n_processes of the gas][2]:
 * cumulative probability = row0 + row1 (E - edge) angle    [n_bins + 1] parameter q of
 * physics/angle.h at the bin edges (NULL: isotropic) */
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
  double loss_ev; /* energy that stays in the target */
  double b_ev;    /* binding energy of the orbital, for rbeb */
};

struct wn_gas_view {
  double mass_ev;       /* rest energy of the target */
  double cm_part, cm_x; /* wn_cm_factors() of it */
  double sigma_v;       /* sqrt(kT/M) [m/s]; 0: at rest */
  double opal_ev;       /* width for opal sharing */
  int first;            /* its first process in process[] */
  int n;                /* number of processes */
  const float *row;
  const float *angle;
};

struct wn_xs_view {
  int n_gases, n_processes, n_bins;
  int angle_model, share_model;
  uint32_t shift;      /* bits of the high word below the bin number */
  int32_t base;        /* bin number of e_min, minus 1 */
  double nu_max;       /* 1/s, the proved bound */
  double e_min, e_top; /* eV; bins cover [e_min, e_top) */
  double thermal_below_ev;
  const uint32_t *major;
  const float *free_time;
  const float *normal;
  const uint32_t *bin_segment; /* [n_bins + 1] */
  const double *edge;          /* [n_segments + 1] lower edges of segments */
  const struct wn_process_view *process;
  struct wn_gas_view gas[WN_XS_MAX_GASES];
};

static WN_HD int wn_xs_bin(const struct wn_xs_view *xs, double e_ev)
{
  int32_t i = (int32_t)((uint32_t)(wn_bits(e_ev) >> 32) >> xs->shift) - xs->base;
  return i > 0 ? (i < xs->n_bins ? i : xs->n_bins - 1) : 0;
}

/* Upper bound of gases 0..s in a bin, as a probability. */
static WN_HD double wn_xs_major(const struct wn_xs_view *xs, int bin, int s)
{
  return xs->major[(size_t)bin * (size_t)xs->n_gases + (size_t)s] * 0x1p-32;
}

/* Segment of an energy that lies in the given bin. */
static WN_HD uint32_t wn_xs_segment(const struct wn_xs_view *xs, int bin, double e_ev)
{
  uint32_t s = xs->bin_segment[bin], end = xs->bin_segment[bin + 1];
  while (s + 1 < end) {
    uint32_t middle = (s + end) >> 1;
    if (e_ev >= xs->edge[middle])
      s = middle;
    else
      end = middle;
  }
  return s;
}

/* Angular parameter q at an energy, linear in the bin. */
static WN_HD double wn_xs_angle(const struct wn_xs_view *xs, const float *angle, int bin,
                                double e_ev)
{
  double lo = xs->edge[xs->bin_segment[bin]], hi = xs->edge[xs->bin_segment[bin + 1]];
  double f = (e_ev - lo) / (hi - lo);
  return (1.0 - f) * (double)angle[bin] + f * (double)angle[bin + 1];
}

#endif
