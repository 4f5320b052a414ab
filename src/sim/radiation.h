/* src/sim/radiation.h - operator: bremsstrahlung of a swarm's electrons, and the photons, in gas without bounds (radiation.*).
 *
 * At the end of a step of length h, in this order:
 *   emission   each living electron above the photon cut goes v h through the gas: path lengths to photons above the cut are drawn from the
 *              table of their number per length, friction of photons below it acts in between.  The electron keeps its direction, the
 *              photon begins where and when the step ends
 *   flight     photons of earlier steps fly to the end of the step (schedulers/photon_transport.h)
 *   joining    electrons that these free are born in the step, fly for the rest of it with their own collisions, as
 *              newborns of ionizations do, and join the store behind the others.  Those below stop_below are counted and left
 * Energies and places are those of the step's end: over a run this is the trapezoidal rule, an error of h^2, but for half a step at
 * the end of the run.  One step h of a swarm is sampling.interval.
 *
 * Positrons, by name: `counted`, they leave with their energy; `at-rest`, they annihilate where they are made; `moving`, they fly with the
 * photons in the fields of the step (schedulers/positron_transport.h), and electrons that they free join as those of photons.
 *
 * Weights: a photon has the weight of its electron, and follows the scaling of its group; where electrons return to the origin, so do photons.
 * Survivors of roulette (radiation.roulette_weight) have more, and what they free has theirs.  What is emitted is counted before roulette.
 *
 * Random numbers: purpose BREMSSTRAHLUNG under the electron's id, the event is the number of the step; after a photon, under that photon's id.
 * Nothing depends on scheduler or threads.
 *
 * Several processes: photons, positrons and the electrons that they free stay with the process that had the electron.  Sums are integers, and those of all
 * processes at the end of each step; ledgers are added where they are asked for.
 *
 * Ledger of energy [eV, weighted], electrons:  gained - lost - removed - radiated = carried; electrons that join are no part of `carried`.
 * Ledger of photons: schedulers/photon_transport.h. */
#ifndef WN_SRC_SIM_RADIATION_H
#define WN_SRC_SIM_RADIATION_H
#include <stddef.h>
#include "schedulers/photon_transport.h"
#include "schedulers/positron_transport.h"

struct wn_sim;

/* Sums over groups since the last reset, weighted. */
enum wn_radiation_sum {
  WN_RADIATION_PHOTONS,      /* emitted above the cut */
  WN_RADIATION_HARD,         /* their energy, eV */
  WN_RADIATION_SOFT,         /* energy lost below the cut, eV */
  WN_RADIATION_FREED,        /* electrons that joined, of photons and positrons */
  WN_RADIATION_FREED_ENERGY, /* their kinetic energy at birth, eV */
  WN_RADIATION_SUMS
};

/* Of the case, energies weighted. */
struct wn_radiation_counts {
  long long joined, stopped,
      positrons; /* electrons freed, by photons or positrons, and those of them below stop_below; positrons not followed */
  double stopped_ev, positrons_ev; /* kinetic energy */
};

/* Whether there is radiation; the others must not be called without, but those of which it is said. */
int wn_radiation_is_on(const struct wn_sim *s);
/* Whether photons or positrons fly, in any process, that may free electrons; 0 without radiation.  Collective. */
int wn_radiation_waits(const struct wn_sim *s);
/* 0 without radiation. */
double wn_radiation_sum(const struct wn_sim *s, enum wn_radiation_sum what,
                        long leave_out);
const struct wn_photon_transport *wn_radiation_photons(const struct wn_sim *s);
const struct wn_positron_transport *
wn_radiation_positrons(const struct wn_sim *s); /* NULL: they do not move */
struct wn_radiation_counts wn_radiation_counts(const struct wn_sim *s);

/* Bins of the spectrum of emitted photons: WN_RADIATION_BINS in each decade from the cut on, beyond 2^27 eV.  Edges [n + 1], eV; the weighted numbers since the last
 * reset [n]. */
#define WN_RADIATION_BINS 10
size_t wn_radiation_bins(double cut_ev);
void wn_radiation_edges(double cut_ev, double *edge);
void wn_radiation_spectrum(const struct wn_sim *s, double *number);

#endif
