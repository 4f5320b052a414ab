/* src/sim/adaptive_step.h - the length of the next step of model plasma (plasma.adaptive), and how
 * time is counted with steps of several lengths.
 *
 * A whole step is plasma.time_step.  A step of level l is its part 2^-l, and begins at a multiple of
 * that part: the end of each whole step is the end of a step, so that all that is counted in whole
 * steps (outputs, the end of the run) takes place at the same times as with equal steps.
 *
 * A step is a map of x and u, which both belong to its beginning and its end (drift, kick, drift, in
 * the field of its middle), so that the next may have another length: each has an error of third order
 * of its own length, and the run one of second order.
 *
 * Conditions are sums of integers over particles and tallies, and counts of charge at nodes: the same
 * for every number of threads.  doc/steps.md. */
#ifndef WN_SRC_SIM_ADAPTIVE_STEP_H
#define WN_SRC_SIM_ADAPTIVE_STEP_H
#include <stdint.h>
#include "base/state.h"
#include "physics/host_device.h"
#include "src/config/config.h"

struct wn_sim;

/* What decided the length of a step, in the output as numbers. */
enum wn_step_reason {
  WN_STEP_WHOLE,      /* plasma.time_step, the longest */
  WN_STEP_CELLS,      /* plasma.adaptive.cells */
  WN_STEP_GROWTH,     /* plasma.adaptive.growth */
  WN_STEP_RELAXATION, /* plasma.adaptive.relaxation */
  WN_STEP_DOUBLED,    /* at most twice the step before */
  WN_STEP_PLACE,      /* a longer step does not begin at this time */
  WN_STEP_FIRST,      /* of the run, the shortest */
  WN_N_STEP_REASONS
};

/* The time of a case in steps. */
struct wn_step_clock {
  int levels;      /* of the shortest step; 0: all steps are whole ones */
  int level;       /* of the next step */
  uint64_t whole;  /* whole steps finished */
  uint32_t part;   /* and of the next one so many parts of 2^-levels */
  uint64_t before; /* whole steps before the last step, -1: it began inside one */
};

/* What is known of a species. */
struct wn_step_species {
  wn_i128 count, gained; /* of its tally at the end of the last step */
  double photons;        /* particles from photons until then */
  uint64_t births;
  double weight;             /* sum of all weights then */
  double born, exposure;     /* since the last estimate: weights; times seconds */
  uint64_t events;           /* macroparticles born since then */
  double rate;               /* 1/s, the last estimate; 0: there is none */
  double work, acceleration; /* sums with a weight of 1/2 for each step that has passed */
};

struct wn_adaptive_step {
  struct wn_step_clock clock;
  double length;  /* s, of the current or the next step */
  double longest; /* s, that the conditions allowed; INFINITY: no limit */
  enum wn_step_reason reason;
  struct wn_step_species of[WN_MAX_SPECIES];
};

/* After a step of the level: the clock goes on. */
void wn_step_clock_advance(struct wn_step_clock *c);

/* Whether the last step ended at a multiple of `every` whole steps; whether it began at one. */
static inline int wn_step_ends(const struct wn_step_clock *c, uint64_t every)
{
  return c->part == 0 && c->whole % every == 0;
}
static inline int wn_step_began(const struct wn_step_clock *c, uint64_t every)
{
  return c->before != UINT64_MAX && c->before % every == 0;
}

/* The whole steps finished, with the part of the next: exact. */
double wn_step_clock_count(const struct wn_step_clock *c);
/* The same before the last step, whose level is still that of the clock. */
double wn_step_clock_before(const struct wn_step_clock *c);

/* Start of a case: the clock at 0, whole steps. */
void wn_adaptive_reset(struct wn_sim *s);
/* Before the first step of a run with adaptive steps: it is the shortest. */
void wn_adaptive_begin(struct wn_sim *s);
/* Between steps: the length of the next.  WN_ERUN: a condition needs a step below
 * plasma.adaptive.least; WN_ENOMEM.  Nothing is done where steps are equal. */
int wn_adaptive_next(struct wn_sim *s);

int wn_adaptive_state(struct wn_adaptive_step *a, struct wn_state *state);

#endif
