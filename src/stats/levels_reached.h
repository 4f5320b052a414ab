/* src/stats/levels_reached.h - the levels of a weighted ensemble that electrons reached, from means over
 * the measurement: filled levels, empty ones, those with too few electrons, and the upper limit of the
 * rate of an event that did not occur.
 *
 * A level is filled if it holds on average at least half of the target number: electrons then enter it
 * all the time, and they are nearly independent.
 *
 * The limit.  Let R be the rate of an event not seen, per electron and second, T the time lived (weight
 * times time), w the weight of an electron in the highest filled level.  Every electron that goes further
 * comes from there, in families of weight w at most, so at least R T/w families were expected.  The
 * probability that none occurred is exp(-R T/w) or less, which is 5 % at R = 3 w/T.  The target weight of
 * an electron in a level is W/n, with W the weight there and n the target number, rounded to a power of
 * two; electrons have less than twice that (particles/weighted_ensemble.h): w <= 2 sqrt(2) W/n. */
#ifndef WN_SRC_STATS_LEVELS_REACHED_H
#define WN_SRC_STATS_LEVELS_REACHED_H
#include <stddef.h>

struct wn_levels_reached {
  size_t n_levels;
  double
      wanted; /* target number of electrons in a level, over all groups; level 0 may have more */
  const double *number; /* [n_levels] mean number of electrons before a control */
  const double *weight; /* [n_levels] mean weight in a level */
};

/* The highest filled level below `end`; 0 if none is filled. */
size_t wn_levels_highest_filled(const struct wn_levels_reached *r, size_t end);

/* The lowest level from which on all levels below `end` were empty; end: the level below
 * it was not empty. */
size_t wn_levels_empty_from(const struct wn_levels_reached *r, size_t end);

/* Number of levels below `end` that are neither empty nor filled; *thinnest: that with
 * the fewest electrons, end if there are none. */
size_t wn_levels_underfilled(const struct wn_levels_reached *r, size_t end,
                             size_t *thinnest);

/* 1/s: 95 % upper limit of the rate of an event that starts from levels below `end` and
 * was not seen during the time lived.  Infinite if none of those levels is filled. */
double wn_levels_rate_limit(const struct wn_levels_reached *r, size_t end,
                            double time_lived);

#endif
