/* src/stats/levels_reached.h - how far up its levels a weighted ensemble came, of means over the time
 * measured: which level was held, which no electron reached, which held too few, and how rare
 * what was not seen must then be.
 *
 * A level is held when half of the electrons wanted, or more, are in it on average: then
 * it is entered all the time, by electrons that have little to do with each other.
 *
 * The limit.  Let R be the rate of what was not seen, per electron and second, T the time
 * lived (weight times time), w the weight of an electron in the highest held level.  All
 * that goes further comes from there, in families that weigh w at the most, of which at
 * least R T/w were expected; that none came has the chance exp(-R T/w), or less, and that
 * is 5 % at R = 3 w/T.  The weight wanted in a level is W/n, of the weight W there and the
 * n electrons wanted, rounded to a power of two; electrons have less than twice that
 * (particles/ensemble.h): w <= 2 sqrt(2) W/n. */
#ifndef WN_SRC_STATS_LEVELS_REACHED_H
#define WN_SRC_STATS_LEVELS_REACHED_H
#include <stddef.h>

struct wn_levels_reached {
  size_t n_levels;
  double wanted;        /* electrons in a level, of all groups; or more, in level 0 */
  const double *number; /* [n_levels] electrons, before a control; mean */
  const double *weight; /* [n_levels] what they weigh; mean */
};

/* The highest level below `end` that is held; 0 if none is. */
size_t wn_levels_highest_filled(const struct wn_levels_reached *r, size_t end);

/* The lowest level from which on all below `end` were empty; end: the one below it was
 * not. */
size_t wn_levels_empty_from(const struct wn_levels_reached *r, size_t end);

/* Levels below `end` that electrons were in and that are not held; *thinnest: that of the
 * fewest electrons, end if there are none. */
size_t wn_levels_underfilled(const struct wn_levels_reached *r, size_t end,
                             size_t *thinnest);

/* 1/s: what is passed from levels below `end`, and was never seen in this time lived, has
 * a lower rate with 95 %.  Infinite where none was in those levels: nothing was seen of
 * what comes from there. */
double wn_levels_rate_limit(const struct wn_levels_reached *r, size_t end,
                            double time_lived);

#endif
