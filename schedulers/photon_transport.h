/* schedulers/photon_transport.h - transport of photons in a uniform gas, one after the other (as scheduler `serial`).
 * Units: m, s, eV.  What a photon does is defined in physics/photons/flight.h; here are the bank of photons that wait, the region,
 * and the ledger.
 *
 * A photon, and all that comes from it, depends on its id and the seed alone: the order of releases and the size of the bank change
 * nothing but the order in which others are handed over; steps that end within a flight change places by rounding.
 *
 * Positrons, by name:
 *   `handed`    they are handed to the caller, as electrons are
 *   `at-rest`   their kinetic energy is deposited where they are made, and they annihilate there into two photons of mc2
 * Electrons are handed to the caller, or deposited where there is none (`charged` NULL).  A positron that was handed over may come back as the two
 * photons of its annihilation (wn_photon_transport_pair).
 *
 * The ledger counts energy times weight in quanta of 2^-10 eV, rounded once for each entry.  With n entries,
 *   released + returned = escaped + deposited + charged + rest + roulette + scaled + flying      to n/2 quanta,
 * where returned is kinetic energy of positrons that were handed over and annihilated in flight, rest is 2 mc2 for each pair less 2 mc2 for each annihilation, roulette what it has
 * taken less what it gave, 0 in the mean, scaled what a change of weights has taken, and flying
 * what is in the bank.  wn_photon_ledger_off
 * is the difference, and the number of entries its bound.
 *
 * Analog without a roulette: each photon is followed.  With one (physics/photons/roulette.h) photons play where they are released or made, after a
 * scattering, and after a change of weights.
 * Checked by t/schedulers/t0314-photons.c and t0316-roulette.c. */
#ifndef WN_SCHEDULERS_PHOTON_TRANSPORT_H
#define WN_SCHEDULERS_PHOTON_TRANSPORT_H
#include <stddef.h>
#include <stdint.h>
#include "physics/photons/flight.h"
#include "physics/photons/roulette.h"
#include "schedulers/bank.h"

struct wn_state;

WN_BEGIN_DECLS

#define WN_PHOTON_QUANTA 1024.0 /* per eV */

/* Photons outside have escaped, where they cross the boundary. */
enum wn_photon_region_kind {
  WN_PHOTON_UNBOUNDED,
  WN_PHOTON_SLAB,  /* low <= z <= high */
  WN_PHOTON_SPHERE /* |x| <= high */
};

struct wn_photon_region {
  enum wn_photon_region_kind kind;
  double low, high;
};

enum wn_photon_positrons { WN_PHOTON_POSITRONS_HANDED, WN_PHOTON_POSITRONS_AT_REST };

struct wn_photon_ledger {
  /* quanta */
  int64_t released, returned, escaped, deposited, charged, rest, roulette, scaled;
  int64_t n_entries;
  /* photons and interactions, not weighted */
  int64_t n_released, n_escaped, n_uncollided; /* escaped without an interaction */
  int64_t n_process[WN_PHOTON_N_PROCESSES], n_annihilated, n_below_cut;
  int64_t n_lost; /* in roulette */
};

/* Called for each electron and positron that is handed over.  A status that is not WN_OK ends the transport with it. */
typedef int wn_photon_charged_sink(void *to, const struct wn_photon_charged *c);
/* Called for each photon that escapes, at the boundary. */
typedef void wn_photon_escape_sink(void *to, const struct wn_photon *p);

struct wn_photon_transport_spec {
  const struct wn_photon_medium *medium; /* copied; its tables must stay */
  struct wn_photon_region region;
  enum wn_photon_positrons positrons;
  struct wn_photon_roulette roulette; /* weight 0: none */
  wn_photon_charged_sink *charged;    /* NULL: kinetic energy is deposited */
  wn_photon_escape_sink *escaped;     /* may be NULL */
  void *to;
};

struct wn_photon_transport;

/* WN_EINPUT: a region that is empty, positrons `handed` without a sink; WN_ENOMEM. */
int wn_photon_transport_create(const struct wn_photon_transport_spec *s,
                               struct wn_photon_transport **out);
void wn_photon_transport_free(struct wn_photon_transport *t);

/* Adds photons to the bank; depth and event are those of the record (depth -1 for a new one).  WN_EINPUT: a photon outside of the region
 * or of the tables, of no direction, or below the cut; WN_ENOMEM.  A photon that is refused leaves the bank as it was before the call. */
int wn_photon_transport_release(struct wn_photon_transport *t, const struct wn_photon *p,
                                size_t n);

/* Photons of a positron that was handed over, with the kinetic energy that they took, 0 at rest; those below the cut are deposited.  WN_ENOMEM. */
int wn_photon_transport_pair(struct wn_photon_transport *t, const struct wn_photon p[2],
                             double in_flight_ev);

/* All photons of the bank fly until t_end [s], INFINITY: until none is left; those that they make, too.  In an unbounded region photons
 * end by absorption or below the cut.  WN_ERUN when the ledger is full (9e15 eV). */
int wn_photon_transport_advance(struct wn_photon_transport *t, double t_end);

/* No photons, ledger at 0. */
void wn_photon_transport_clear(struct wn_photon_transport *t);

/* Weights of photons times factor[group], the group being the number that group_of says of a tag (below n_groups), or unchanged where
 * factor is NULL; to_origin: all places become 0, for a region without bounds.  Photons whose weight falls below 1e-30 end, their energy being in
 * `scaled`. */
void wn_photon_transport_scale(struct wn_photon_transport *t, const double *factor,
                               wn_bank_group *group_of, uint32_t n_groups, int to_origin);

size_t wn_photon_transport_n(const struct wn_photon_transport *t); /* in the bank */
const struct wn_photon *wn_photon_transport_bank(const struct wn_photon_transport *t);
const struct wn_photon_ledger *
wn_photon_transport_ledger(const struct wn_photon_transport *t);

/* Of all processes, each of which has its own bank and ledger: their sums, and photons in the banks with their quanta.  Collective. */
struct wn_photon_totals {
  struct wn_photon_ledger ledger;
  int64_t n, flying;
};
struct wn_photon_totals wn_photon_transport_totals(const struct wn_photon_transport *t);

/* Of all processes: released and returned less all the rest [quanta], those in the bank included; at most ledger.n_entries/2 + n/2 from 0.
 * Collective. */
int64_t wn_photon_ledger_off(const struct wn_photon_transport *t);

/* Saves or restores bank and ledger of all processes; of a restored bank each has a share, of a ledger the first.  Collective. */
int wn_photon_transport_state(struct wn_photon_transport *t, struct wn_state *s);

WN_END_DECLS

#endif
