/* src/run/forecast_outlook.h - how the number of particles goes on after a trial. */
#ifndef WN_SRC_RUN_FORECAST_OUTLOOK_H
#define WN_SRC_RUN_FORECAST_OUTLOOK_H

/* Notes numbers, one for the start and one a step, until it is known how many there are. */
struct wn_outlook;
int wn_outlook_create(struct wn_outlook **out); /* WN_ENOMEM */
void wn_outlook_note(struct wn_outlook *o, double number);
void wn_outlook_free(struct wn_outlook *o);

/* The mean over a run that is `times` as long as the trial, at least once, and the number at its end.  The
 * number goes on
 *   as it is       if its change from the third to the last quarter is within three standard deviations, as if
 *                  births and deaths were independent and as many as there are particles;
 *   exponentially  if it decreases, or if it is an avalanche: births become more by that much from the second
 *                  quarter to the last, and grew half as fast at least, relative to the number, before.
 *                  Growth whose rate falls as N^-s from the first half to the second goes on so, N ~ (1 + s g t)^(1/s);
 *   linearly       otherwise.
 * It does not exceed `most`.  Quarters are compared by their means, which hide RF periods. */
double wn_outlook_mean(const struct wn_outlook *o, double times, double most,
                       double *end);

/* The mean of the last quarter of what was noted. */
double wn_outlook_late(const struct wn_outlook *o);

/* The mean if the number stays that of the last quarter. */
double wn_outlook_steady(const struct wn_outlook *o, double times);

#endif
