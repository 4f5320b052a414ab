/* src/jobs/job.c - shared by several jobs. */
#include "src/jobs/job.h"
#include <stdio.h>

void wn_job_full(const struct wn_sim *s, char *text, size_t n)
{
  snprintf(text, n,
           "the store of electrons was full: field %s ends %.6g s after the release",
           s->c->cases[s->i_case].text, s->time);
}
