/* schedulers/positron_transport.h - transport of positrons in a uniform gas and uniform fields, without bounds, one after the other.  Units: m, s, eV.
 * What a positron does is defined in physics/photons/positron.h; here are the bank of those that move, and the ledgers.
 *
 * A positron depends on its id, the seed and the fields alone: the order of releases changes nothing but the order in which others are
 * handed over.  Steps that end within a flight divide it, so that other random numbers are drawn: results agree within their statistics.
 * Below stop_ev a positron is at rest: its kinetic energy is deposited, and it annihilates where it is.  Positronium and its decay into
 * three photons are not modelled.
 *
 * Ledgers, in quanta of 2^-10 eV times weight and of 2^-20 weight, rounded once for each entry.  With n entries,
 *   energy  born + work = collision + soft photons + electrons + photons + stopped + annihilated + scaled + flying,
 *   charge  born = annihilated + scaled + flying,                     to n/2 quanta,
 * where work is that of the field, collision and soft photons are continuous losses below the cuts, electrons and photons what is handed
 * over, stopped the energy at rest, annihilated the kinetic energy in flight, scaled what a change of weights has taken.
 * Checked by t/schedulers/t0315-positrons.c. */
#ifndef WN_SCHEDULERS_POSITRON_TRANSPORT_H
#define WN_SCHEDULERS_POSITRON_TRANSPORT_H
#include <stddef.h>
#include <stdint.h>
#include "physics/photons/positron.h"
#include "schedulers/bank.h"

struct wn_state;

WN_BEGIN_DECLS

#define WN_POSITRON_QUANTA        1024.0    /* per eV */
#define WN_POSITRON_CHARGE_QUANTA 1048576.0 /* per positron */

struct wn_positron_ledger {
  /* quanta */
  int64_t born, work, collision, soft, electrons, photons, stopped, annihilated, scaled;
  int64_t charge_born, charge_annihilated, charge_scaled;
  int64_t n_entries, n_charge_entries;
  /* not weighted */
  int64_t n_born, n_electrons, n_photons, n_in_flight, n_at_rest, n_ended;
};

/* Called for each electron, each photon of bremsstrahlung, and the two of an annihilation; in_flight_ev: the kinetic energy that these took, 0 at rest.  A status
 * that is not WN_OK ends the transport with it. */
typedef int wn_positron_electron_sink(void *to, const struct wn_photon_charged *c);
typedef int wn_positron_photon_sink(void *to, const struct wn_photon *p);
typedef int wn_positron_pair_sink(void *to, const struct wn_photon p[2],
                                  double in_flight_ev);

struct wn_positron_transport_spec {
  const struct wn_positron_medium *medium; /* must stay */
  uint64_t seed;                           /* in place of the medium's */
  wn_positron_electron_sink *electron;
  wn_positron_photon_sink *photon;
  wn_positron_pair_sink *pair;
  void *to;
};

struct wn_positron_transport;

/* WN_ENOMEM. */
int wn_positron_transport_create(const struct wn_positron_transport_spec *s,
                                 struct wn_positron_transport **out);
void wn_positron_transport_free(struct wn_positron_transport *t);

/* Adds a positron to the bank.  WN_ENOMEM. */
int wn_positron_transport_release(struct wn_positron_transport *t,
                                  const struct wn_photon_charged *c);

/* All positrons move until t_end [s]; INFINITY: until none is left.  WN_ERUN: one above top_ev, or a full ledger (9e15 eV). */
int wn_positron_transport_advance(struct wn_positron_transport *t,
                                  const struct wn_positron_field *f, double t_end);

void wn_positron_transport_clear(struct wn_positron_transport *t);

/* As wn_photon_transport_scale. */
void wn_positron_transport_scale(struct wn_positron_transport *t, const double *factor,
                                 wn_bank_group *group_of, uint32_t n_groups,
                                 int to_origin);

size_t wn_positron_transport_n(const struct wn_positron_transport *t);
const struct wn_positron *
wn_positron_transport_bank(const struct wn_positron_transport *t);
const struct wn_positron_ledger *
wn_positron_transport_ledger(const struct wn_positron_transport *t);

/* Of all processes, each of which has its own bank and ledger: their sums, and positrons in the banks with their quanta of energy and
 * charge.  Collective. */
struct wn_positron_totals {
  struct wn_positron_ledger ledger;
  int64_t n, flying, charge_flying;
};
struct wn_positron_totals
wn_positron_transport_totals(const struct wn_positron_transport *t);

/* Of all processes: left less right side of the ledgers [quanta], the banks included; at most half the entries and the bank from 0.
 * Collective. */
int64_t wn_positron_ledger_off(const struct wn_positron_transport *t);
int64_t wn_positron_charge_off(const struct wn_positron_transport *t);

/* As wn_photon_transport_state. */
int wn_positron_transport_state(struct wn_positron_transport *t, struct wn_state *s);

WN_END_DECLS

#endif
