/* src/job.c - the one table of jobs. */
#include "src/job.h"
#include <stdio.h>
#include "base/error.h"

#define DECLARED(symbol, word, ops) extern const struct wn_job_ops ops;
#define LISTED(symbol, word, ops)   &(ops),
#define WORD(symbol, word, ops)     word,

WN_JOBS(DECLARED)
/* No word names these: the model has one job; or what job swarm is in a field that changes. */
extern const struct wn_job_ops wn_job_study, wn_job_plasma, wn_job_varying;

static const struct wn_job_ops *const jobs[] = {WN_JOBS(LISTED)};
static const char *const words[] = {WN_JOBS(WORD)};

const struct wn_job_ops *wn_job_of(const struct wn_config *c)
{
  if (c->model == WN_MODEL_MCC && c->job == WN_JOB_SWARM &&
      c->waveform.is.shape != WN_WAVEFORM_CONSTANT)
    return &wn_job_varying;
  return c->model == WN_MODEL_MCC      ? jobs[c->job]
         : c->model == WN_MODEL_PLASMA ? &wn_job_plasma
                                       : &wn_job_study;
}

void wn_job_list(FILE *to)
{
  for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++)
    fprintf(to, "%-18s %s\n", words[i], jobs[i]->doc);
}

const char *wn_job_more_room(const struct wn_config *c)
{
  if (c->model == WN_MODEL_PLASMA)
    return "raise population.capacity where there is memory, take fewer particles "
           "(species.<NAME>.per_cell), or fewer steps (plasma.steps)";
  if (c->model != WN_MODEL_MCC)
    return "raise population.capacity where there is memory, or take fewer steps or "
           "electrons";
  if (c->job == WN_JOB_SWARM)
    return "raise population.capacity where there is memory, or lower the field: "
           "electrons "
           "that run away multiply, and those above population.protect_above are never "
           "removed";
  if (c->job == WN_JOB_RATE)
    return "raise population.capacity where there is memory, or lower population.target "
           "or "
           "runaway.levels_per_decade";
  return "set population.target, raise population.capacity where there is memory, or "
         "shorten `duration`";
}

const char *wn_job_more_energy(const struct wn_config *c)
{
  return c->model == WN_MODEL_PLASMA ? "raise tables.energy_max, or lower the voltages"
         : c->job == WN_JOB_SWARM ? "raise tables.energy_max, or lower the field: in a "
                                    "field in which electrons run away there is no swarm"
                                  : "raise tables.energy_max or set runaway.stop_above";
}

void wn_job_full(const struct wn_sim *s, char *text, size_t n)
{
  snprintf(text, n,
           "the store of electrons was full: field %s ends %.6g s after the release",
           s->c->cases[s->i_case].text, s->time);
}
