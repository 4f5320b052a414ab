/* src/run/cases.h - what src/run/cases.c, the course of a run over its cases, and src/run/run.c, which runs one,
 * have in common. */
#ifndef WN_SRC_RUN_CASES_H
#define WN_SRC_RUN_CASES_H
#include <stdio.h>
#include "src/io/output.h"
#include "src/jobs/job.h"
#include "src/run/capacity_outlook.h"
#include "src/run/checkpoint.h"
#include "src/run/divide_cases.h"
#include "src/run/progress.h"
#include "src/sim/sim.h"

/* What lasts as long as the run. */
struct wn_run_state {
  struct wn_output *o;
  struct wn_progress progress;
  struct wn_capacity_outlook capacity;
  struct wn_saver saver;
  struct wn_restart *restart; /* to be gone on from; NULL: no, or no longer */
  struct wn_place place;
  FILE *to;                 /* where lines of results go */
  int is_divided;           /* by cases */
  struct wn_divide *divide; /* NULL: cases follow one another */
};

/* Of src/run/run.c: a case, from the release of its particles to its record in the output, or from what
 * r->restart has of it.  WN_EFULL: the store was full, and what was measured is in the output; other
 * errors as wn_run. */
int wn_run_case(struct wn_sim *s, const struct wn_job_ops *ops, size_t i_case,
                struct wn_run_state *r);

/* Of src/run/run.c: while others run cases and this process has none, what the clock and signals ask for.
 * Errors as wn_run. */
int wn_run_wait(struct wn_run_state *r);

#endif
