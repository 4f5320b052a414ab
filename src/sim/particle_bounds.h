/* src/sim/particle_bounds.h - conditions on every particle, checked in some steps and
 * before any report or checkpoint: its state is finite, and in a grid it crosses at most
 * a cell in a step. */
#ifndef WN_SRC_SIM_PARTICLE_BOUNDS_H
#define WN_SRC_SIM_PARTICLE_BOUNDS_H
#include "src/io/output.h"
#include "src/sim/sim.h"

/* Steps between checks.  A check reads each particle once. */
#define WN_BOUNDS_EVERY 16

/* WN_ERUN gives their number, and one of them, with its state, by its id where it has
 * one.  It is the one with the smallest id, so that it does not depend on the division of
 * the run.  Particles that cross a cell are counted in s->crossed where plasma.allow has
 * "cell-crossing".  WN_ECUDA, WN_ENOMEM. */
int wn_bounds_look(struct wn_sim *s);

/* Only whether all states are finite, in a step without another check: before a
 * checkpoint, which may not influence counts or the end of a run. */
int wn_bounds_finite(const struct wn_sim *s);

/* At the end of a case, a warning about permitted crossings. */
void wn_bounds_report(const struct wn_sim *s);

/* The same as variables [species], where plasma.allow has "cell-crossing". */
int wn_bounds_define(struct wn_output *o, const struct wn_config *c);
int wn_bounds_put(const struct wn_sim *s, struct wn_output *o);

/* The fastest particle of species k now, where it has an id, for messages about energies:
 * "; the fastest now: id ..."; over all ranks, which call it together.  Empty where there
 * are no particles, or it is not available. */
void wn_bounds_fastest(const struct wn_sim *s, size_t k, char *text, size_t n);
#define WN_BOUNDS_TEXT 360

/* The same for the particle with that id: "; the first by its id: id ..., as it is now:
 * ..."; a particle that has ended meanwhile has no state. */
void wn_bounds_particle(const struct wn_sim *s, size_t k, uint64_t id, char *text,
                        size_t n);

#endif
