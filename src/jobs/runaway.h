/* src/jobs/runaway.h - shared by job runaway and its form with energy levels. */
#ifndef WN_SRC_JOBS_RUNAWAY_H
#define WN_SRC_JOBS_RUNAWAY_H
#include "src/jobs/steps.h"

/* Equal steps of about `want` seconds, or less, over the duration; each discontinuity of the waveform is the end of
 * one.  WN_EINPUT: there are none; WN_ENOMEM. */
int wn_runaway_steps(const struct wn_config *c, double want, struct wn_job **out);
double wn_runaway_duration(const struct wn_config *c);
/* Ends the case once no electron is left. */
int wn_runaway_next(struct wn_job *j, struct wn_sim *s);
/* The threshold that the line of a case shows: 1 keV or the nearest. */
size_t wn_runaway_shown(const struct wn_config *c);

#endif
