/* src/sim.h - one field of a scenario: the gas and its tables (shared by all fields), the
 * electrons, who advances them, and what they add up. */
#ifndef WN_SRC_SIM_H
#define WN_SRC_SIM_H
#include <stddef.h>
#include <stdint.h>
#include "crosssections/xs_table.h"
#include "schedulers/scheduler.h"
#include "src/config.h"
#include "src/gas.h"
#include "particles/particles.h"

struct wn_sim {
  const struct wn_config *c;
  const struct wn_gas *gas; /* NULL but for model mcc */
  size_t field;             /* which of c->cases */
  struct wn_model model;
  const struct wn_scheduler_ops *ops;
  struct wn_scheduler *sched;
  struct wn_tally_shape shape;
  struct wn_tally tally;  /* of the phases since the last reset */
  struct wn_tally before; /* the same at the beginning of the phase in hand */
  struct wn_particles p;
  struct wn_split_tables *split_tables; /* split-remove: owned here */
  double time;     /* s since release, at the end of the last phase */
  double interval; /* s, length of a phase */
  uint64_t phases;
  size_t n;                  /* electrons at the beginning of the phase in hand */
  int is_full;               /* the last phase was not finished: see wn_sim_phase */
  uint64_t candidates, real; /* since the field began, unweighted */
  uint64_t killed, copied;   /* by the population control */
  double max_energy_ev;
  double energy_ev;  /* weighted sum over the living: call wn_sim_refresh after changing
                        weights */
  double carried_ev; /* its change by phases (not by population control) since the last
                        reset of the tally */
};

/* Everything but the electrons; gas may be shared by many simulations. */
int wn_sim_create(const struct wn_config *c, const struct wn_gas *gas, size_t field,
                  struct wn_sim **out);
void wn_sim_free(struct wn_sim *s);

/* Release the primaries at t = 0, at the origin, directions isotropic, lineage i in group
 * i mod groups. */
int wn_sim_release(struct wn_sim *s);

/* Length of the coming phases, in steps of model.steps mobility steps. */
void wn_sim_set_interval(struct wn_sim *s, double interval);

/* One phase: advance, check what must not happen, take the dead away.  Adds to s->tally.
 * WN_ERUN with the reason: bound on the collision frequency broken, end of a table
 * reached.  WN_EFULL: the electrons no longer fit into the store or the memory.  Sums,
 * time, counts and energies are then what they were before the phase, and s->is_full is
 * set: of the electrons some are ahead of others, so that only their number s->n is
 * known. */
int wn_sim_phase(struct wn_sim *s);

/* Sums to zero: a measurement begins. */
void wn_sim_reset(struct wn_sim *s);

/* Recompute energy_ev after the population control. */
int wn_sim_refresh(struct wn_sim *s);


#endif
