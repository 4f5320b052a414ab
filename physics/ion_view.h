/* physics/ion_view.h - cross sections of ions in the form that the collisions of
 * physics/ion.h read: plain values and one table, passed by value in kernels.  Made by
 * crosssections/xs_ion.c.
 *
 * Energies are those of the relative motion, mu g^2/2 in eV: the kinetic energy in the
 * centre-of-mass frame.  Collision frequencies N sigma(g) g are divided by nu_max, so
 * they are probabilities of a candidate.
 *
 *   bin   from the bits of the float: a log2 grid; bin 0 holds all energies below e_min
 *   row   [n_bins][n_processes]: the straight line of a process from the lower edge of the
 *         bin to its upper one
 *   gas   share: the largest sum of its processes at any energy below e_top, so that the
 *         shares of all gases add up to 1 */
#ifndef WN_PHYSICS_ION_VIEW_H
#define WN_PHYSICS_ION_VIEW_H
#include <stdint.h>
#include "physics/host_device.h"
#include "physics/mathfn.h"
#include "physics/xs_view.h"

#define WN_ION_MAX_PROCESSES 16

enum wn_ion_process_kind {
  WN_ION_ISOTROPIC,  /* elastic, isotropic in the centre-of-mass frame */
  WN_ION_BACKSCATTER /* elastic, the relative velocity is reversed */
};

struct wn_ion_process_view {
  int32_t kind;  /* enum wn_ion_process_kind */
  int32_t index; /* in tallies and outputs */
};

struct wn_ion_gas_view {
  int32_t first, end; /* its processes */
  float upto, share;  /* of nu_max: with all gases before it; of this gas alone */
  float part;         /* M/(m + M), M the target's mass */
  float per_square;   /* eV of the relative motion per (m/s)^2 */
  float sigma_v;      /* sqrt(kT/M), m/s; 0: targets at rest */
};

struct wn_ion_view {
  int32_t n_gases, n_processes, n_bins;
  uint32_t shift; /* bits of a float below its bin number */
  int32_t base;   /* bin number of e_min, minus 1 */
  float e_top;    /* eV; the bins cover [0, e_top) */
  float limit_ev; /* from here on a table with policy error is not defined */
  double nu_max;  /* 1/s: bound of the collision frequency below e_top */
  const struct wn_xs_line *row;
  struct wn_ion_gas_view gas[WN_XS_MAX_GASES];
  struct wn_ion_process_view process[WN_ION_MAX_PROCESSES];
};

/* Bin of an energy; *above: distance from the lower edge, eV.  From the top on: the last
 * bin, with its line extrapolated. */
static WN_HD int32_t wn_ion_bin(const struct wn_ion_view *xs, float e_ev, float *above)
{
  int32_t i = (int32_t)(wn_float_bits(e_ev) >> xs->shift) - xs->base;
  i = i < xs->n_bins ? i : xs->n_bins - 1;
  i = i > 0 ? i : 0;
  const float lower =
      i > 0 ? wn_float_from_bits((uint32_t)(i + xs->base) << xs->shift) : 0.0f;
  *above = e_ev - lower;
  return i;
}

#endif
