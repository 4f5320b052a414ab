/* src/jobs/list.c - the one table of jobs. */
#include "src/jobs/job.h"
#include <stdio.h>

#define DECLARED(symbol, word, ops) extern const struct wn_job_ops ops;
#define LISTED(symbol, word, ops)   &(ops),
#define WORD(symbol, word, ops)     word,

WN_JOBS(DECLARED)
/* No word names these: the model has one job; what job swarm is in a field that changes; what job runaway is
 * with energy levels. */
extern const struct wn_job_ops wn_job_plasma, wn_job_varying, wn_job_runaway_levels;

static const struct wn_job_ops *const jobs[] = {WN_JOBS(LISTED)};
static const char *const words[] = {WN_JOBS(WORD)};

const struct wn_job_ops *wn_job_of(const struct wn_config *c)
{
  if (c->model == WN_MODEL_MCC && c->job == WN_JOB_SWARM &&
      c->waveform.is.shape != WN_WAVEFORM_CONSTANT)
    return &wn_job_varying;
  if (c->model == WN_MODEL_MCC && c->job == WN_JOB_RUNAWAY && c->runaway_levels)
    return &wn_job_runaway_levels;
  return c->model == WN_MODEL_MCC ? jobs[c->job] : &wn_job_plasma;
}

void wn_job_list(FILE *to)
{
  for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++)
    fprintf(to, "%-18s %s\n", words[i], jobs[i]->doc);
}
