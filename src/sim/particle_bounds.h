/* src/sim/particle_bounds.h - what must hold of every particle, looked at in some steps and before anything is
 * reported or saved: its state is finite numbers, and in a grid it crosses at most a cell in a step. */
#ifndef WN_SRC_SIM_PARTICLE_BOUNDS_H
#define WN_SRC_SIM_PARTICLE_BOUNDS_H
#include "src/io/output.h"
#include "src/sim/sim.h"

/* Steps from one look to the next.  A look reads each particle once. */
#define WN_BOUNDS_EVERY 16

/* WN_ERUN names how many there are, and one of them, by its id where it has one, with its state: the
 * one with the smallest id, so that it is the same however the run is divided.  Those that cross a
 * cell are counted in s->crossed where plasma.allow has "cell-crossing".  WN_ECUDA, WN_ENOMEM. */
int wn_bounds_look(struct wn_sim *s);

/* Only whether all are finite numbers, in a step in which nobody else looks: before a checkpoint, of
 * which what is counted and what ends a run must not depend. */
int wn_bounds_finite(const struct wn_sim *s);

/* At the end of a case, what was allowed: a warning. */
void wn_bounds_report(const struct wn_sim *s);

/* The same as variables [species], where plasma.allow has "cell-crossing". */
int wn_bounds_define(struct wn_output *o, const struct wn_config *c);
int wn_bounds_put(const struct wn_sim *s, struct wn_output *o);

/* The fastest particle of species k now, where it has an id, for messages about energies: "; the fastest now:
 * id ..."; of all ranks, which call it together.  Empty where nobody is left, or it cannot be had. */
void wn_bounds_fastest(const struct wn_sim *s, size_t k, char *text, size_t n);
#define WN_BOUNDS_TEXT 360

/* The same of the particle with that id: "; the first by its id: id ..., as it is now: ..."; what
 * ended meanwhile has no state. */
void wn_bounds_who(const struct wn_sim *s, size_t k, uint64_t id, char *text, size_t n);

#endif
