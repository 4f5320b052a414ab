/* src/job.c - the one table of jobs. */
#include "src/job.h"
#include <stdio.h>
#include "base/error.h"

#define DECLARED(symbol, word, ops) extern const struct wn_job_ops ops;
#define LISTED(symbol, word, ops)   &(ops),

WN_JOBS(DECLARED)
extern const struct wn_job_ops wn_job_study; /* of the study's models: no word names it */

static const struct wn_job_ops *const jobs[] = {WN_JOBS(LISTED)};

const struct wn_job_ops *wn_job_of(const struct wn_config *c)
{
  WN_ASSERT(c->model != WN_MODEL_PLASMA); /* which wn_run() refuses */
  return c->model == WN_MODEL_MCC ? jobs[c->job] : &wn_job_study;
}

void wn_job_full(const struct wn_sim *s, char *text, size_t n)
{
  snprintf(text, n,
           "the store of electrons was full: field %s ends %.6g s after the release",
           s->c->cases[s->i_case].text, s->time);
}
