/* src/run/cases.h - shared by src/run/cases.c, the sequence of cases of a run, and src/run/time_loop.c, which
 * runs one case. */
#ifndef WN_SRC_RUN_CASES_H
#define WN_SRC_RUN_CASES_H
#include <stdio.h>
#include "src/io/output.h"
#include "src/jobs/job.h"
#include "src/run/capacity_outlook.h"
#include "src/run/checkpoint.h"
#include "src/run/divide_cases.h"
#include "src/run/progress.h"
#include "src/sim/device.h"
#include "src/sim/sim.h"

/* What lives as long as the run. */
struct wn_run_watch; /* src/run/run.h */
struct wn_run_state {
  struct wn_output *o;
  struct wn_progress progress;
  struct wn_capacity_outlook capacity;
  struct wn_saver saver;
  struct wn_restart
      *restart; /* the checkpoint to continue from; NULL: none, or used already */
  struct wn_place place;
  FILE *to;                         /* lines of results */
  const struct wn_run_watch *watch; /* NULL: not watched */
  int is_divided;                   /* whole cases among processes */
  struct wn_divide *divide;         /* NULL: cases run one after the other */
  /* Of threads that run cases side by side: the number of these, or 1; and what says how many threads of
   * OpenMP a case has, which grows when others have no more cases. */
  int beside;
  struct wn_device_plan *plan;
  struct wn_scenarios *shared;
};

/* Of src/run/time_loop.c: a case, from the release of its particles, or from r->restart, to its record in the
 * output.  WN_EFULL: the store was full, and the results so far are in the output; other errors as
 * wn_run. */
int wn_run_case(struct wn_sim *s, const struct wn_job_ops *ops, size_t i_case,
                struct wn_run_state *r);

/* Of src/run/time_loop.c: acts on clock and signals while other processes run cases and this one has none.
 * Errors as wn_run. */
int wn_run_wait(struct wn_run_state *r);

#endif
