/* physics/mcc_bands.h - model `mcc`: the rate of candidates that an electron of a given
 * energy needs in a uniform electric field.
 *
 * An electron that starts a flight with an energy of a band cannot exceed the top of the
 * band before its horizon: |u| grows by at most |a| t, whatever its direction and
 * whatever the magnetic field.  Until then its collision frequency is below the largest
 * majorant of all bins from energy 0 to the top, so it may also lose energy.  This
 * majorant is the rate of candidates.  At the horizon the flight is cut and continues in
 * the band of the energy reached.
 *
 * A high top gives more null candidates, a low one more cuts, and both cost a flight.
 * Flights of rate nu and horizon h number nu/(1 - exp(-nu h)) per second, at most nu +
 * 1/h.  The top with the least such sum is chosen.  In a high field, or where frequencies
 * do not rise, it is the last one: the rate is nu_max, and no flight is cut.  Derived
 * here; t/physics/t0142-bands.c checks bound and collisions.
 *
 * Bands pay where most candidates would be null without them: WN_MCC_BANDS_FROM. */
#ifndef WN_PHYSICS_MCC_BANDS_H
#define WN_PHYSICS_MCC_BANDS_H
#include <math.h>
#include "physics/constants.h"
#include "physics/host_device.h"
#include "physics/mathfn.h"
#include "physics/push.h"
#include "physics/xs_view.h"

/* Least 1/wn_mcc_real_part() for which bands are used: a flight in bands costs more.
 * Measured, bench/RESULTS.md: at 2.4 (air, 200 Td) a GPU needs 1.3 times as long with
 * bands, a CPU 0.97; at 6.7 (20 Td) 0.87 and 0.68; at 23 and more (Reid's ramp, air with
 * tables continued to 16 MeV) 0.7 and 0.25 or less. */
#define WN_MCC_BANDS_FROM 4.0

/* One read of 16 bytes. */
struct WN_ALIGNED(16) wn_mcc_band {
  uint32_t part; /* of nu_max, times 2^32: the rate of candidates */
  float slower;  /* nu_max over the rate, at least 1 */
  float rate;    /* 1 over that */
  float horizon; /* s; INFINITY: the flight is never cut */
};

/* Bands of equal ratio; the lowest begins at 0, the highest has no upper edge. */
#define WN_MCC_BANDS      158                        /* to 2^27 eV */
#define WN_MCC_BAND_BITS  21                         /* float bits below its number */
#define WN_MCC_BAND_FIRST (((127u - 12u) << 2) - 1u) /* 2^-12 eV; four per octave */
#define WN_MCC_BAND_LEAST 0x10000u /* least part: keeps times from overflow */

static WN_HD int wn_mcc_band_of(float e_ev)
{
  int32_t i = (int32_t)((wn_float_bits(e_ev) >> WN_MCC_BAND_BITS) - WN_MCC_BAND_FIRST);
  i = i < WN_MCC_BANDS - 1 ? i : WN_MCC_BANDS - 1;
  return i > 0 ? i : 0;
}

/* Lower edge of a band, eV. */
static WN_HD float wn_mcc_band_floor(int band)
{
  return band > 0 ? wn_float_from_bits(((uint32_t)band + WN_MCC_BAND_FIRST)
                                       << WN_MCC_BAND_BITS)
                  : 0.0f;
}

/* A number uniform below `part`, from two words of 32 random bits.  The second word makes
 * all numbers equally frequent for any part; otherwise the rate of a rare process would
 * be biased. */
static WN_HD uint32_t wn_mcc_part_of(uint32_t word, uint32_t other, uint32_t part)
{
  const uint64_t low = (uint64_t)other * part >> 32;
  return (uint32_t)(((uint64_t)word * part + low) >> 32);
}

/* The largest majorant of the energies that an electron which starts in band k has before it is cut at
 * the horizon h, in a band up to j: own[i] is that of band i.  |u| falls by at most a h, too, and until its
 * next collision it falls by nothing else. */
static inline uint32_t wn_mcc_most_between(const uint32_t own[WN_MCC_BANDS],
                                           const double u[WN_MCC_BANDS + 1], double fall,
                                           int k, int j)
{
  uint32_t most = WN_MCC_BAND_LEAST;
  int low = k;
  while (low > 0 && u[low] > u[k] - fall)
    low--;
  for (int i = low > 0 ? low - 1 : 0; i <= j; i++)
    most = own[i] > most ? own[i] : most;
  return most;
}

/* All bands, for an acceleration a [m/s2] by the electric field.  floored: electrons that fall below
 * a floor are removed, so that most are far above the energies at which collisions are most frequent; bands
 * then leave out the energies that an electron cannot have fallen to before the horizon. */
static inline void wn_mcc_make_bands(const struct wn_xs_view *xs, double a, int floored,
                                     struct wn_mcc_band band[WN_MCC_BANDS])
{
  uint32_t own[WN_MCC_BANDS];
  uint32_t most[WN_MCC_BANDS]; /* largest majorant from 0 to the upper edge */
  for (int k = 0, i = 0; k < WN_MCC_BANDS; k++) {
    /* includes the bin that begins at the edge, for energies rounded to it */
    const int last =
        k + 1 < WN_MCC_BANDS ? wn_xs_bin(xs, wn_mcc_band_floor(k + 1)) : xs->n_bins - 1;
    most[k] = k > 0 ? most[k - 1] : WN_MCC_BAND_LEAST;
    own[k] = WN_MCC_BAND_LEAST;
    for (; i <= last; i++) {
      most[k] = xs->top[i].major > most[k] ? xs->top[i].major : most[k];
      own[k] = xs->top[i].major > own[k] ? xs->top[i].major : own[k];
    }
    i = last;
  }
  double u[WN_MCC_BANDS + 1]; /* at the lower edges, m/s */
  for (int k = 0; k <= WN_MCC_BANDS; k++)
    u[k] = wn_u_from_ev((double)wn_mcc_band_floor(k));
  for (int k = 0; k < WN_MCC_BANDS; k++) {
    double least = INFINITY, horizon = INFINITY;
    uint32_t best = most[k];
    for (int j = a > 0.0 ? k + 1 : k; j < WN_MCC_BANDS; j++) {
      /* slightly too short, to allow for the rounding of times and momenta */
      const double h =
          a > 0.0 && j + 1 < WN_MCC_BANDS ? (u[j + 1] - u[k + 1]) / a * 0.9999 : INFINITY;
      const uint32_t bound =
          floored && !(a > 0.0)     ? wn_mcc_most_between(own, u, 0.0, k, j)
          : floored && h < INFINITY ? wn_mcc_most_between(own, u, a * h, k, j)
                                    : most[j];
      const double flights = (double)bound * 0x1p-32 * xs->nu_max + 1.0 / h;
      if (flights < least) {
        least = flights;
        best = bound;
        horizon = h;
      }
    }
    const double part = (double)best * 0x1p-32;
    band[k].part = best;
    band[k].slower = (float)(1.0 / part);
    band[k].rate = 1.0f / band[k].slower;
    band[k].horizon = (float)horizon;
  }
}

/* Frequency of real collisions, as a part of nu_max, of electrons with a Maxwell
 * distribution.  Their temperature is the lowest at which they lose as much energy as
 * they gain from the field; 1 if they lose less at every temperature.  The gain is m a^2
 * <1/nu>; a collision takes its loss and the fraction 2m/(m + M) of the energy.  Derived
 * here, a rough estimate: for air it is within three tenths of the value in a swarm from
 * 5 to 200 Td (bench/RESULTS.md); t0142 has hard spheres.  The lower edges of bands serve
 * as k T and represent their bands. */
static inline double wn_mcc_real_part(const struct wn_xs_view *xs, double a)
{
  double real[WN_MCC_BANDS], loss[WN_MCC_BANDS];
  int top = 1;
  for (; top < WN_MCC_BANDS && (double)wn_mcc_band_floor(top) < xs->e_top; top++) {
    const float e = wn_mcc_band_floor(top);
    real[top] = loss[top] = 0.0;
    for (int i = 0; i < xs->n_processes; i++) {
      const struct wn_process_view *p = &xs->process[i];
      const double part = (double)wn_xs_probability(xs, i, p->threshold_ev, e);
      real[top] += part;
      loss[top] += part * (p->loss_ev + 2.0 * (double)xs->gas[p->gas].recoil * (double)e);
    }
  }
  for (int t = 1; t < top; t++) {
    double all = 0.0, collide = 0.0, lose = 0.0, free = 0.0;
    for (int k = 1; k < top; k++) {
      const double e = (double)wn_mcc_band_floor(k),
                   w = e * sqrt(e) * exp(-e / (double)wn_mcc_band_floor(t));
      all += w;
      collide += w * real[k];
      lose += w * loss[k];
      free += w / (real[k] > 1e-6 ? real[k] : 1e-6); /* keeps the flight finite */
    }
    if (collide > 0.0 && lose * xs->nu_max * xs->nu_max > WN_ME / WN_E * a * a * free)
      return collide / all;
  }
  return 1.0;
}

#endif
