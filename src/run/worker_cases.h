/* src/run/worker_cases.h - the cases that one worker runs (src/run/workers.h), and the scan point that they
 * belong to.  Shared by src/run/worker_cases.c and src/run/cases.c. */
#ifndef WN_SRC_RUN_WORKER_CASES_H
#define WN_SRC_RUN_WORKER_CASES_H
#include <stddef.h>
#include "src/config/config.h"
#include "src/run/cases.h"
#include "src/run/workers.h"
#include "src/sim/device.h"

/* The current scan point.  The first lives as long as the run and defines the list of processes. */
struct wn_point {
  size_t i_point;
  struct wn_gas *gas; /* NULL: no collisions */
  struct wn_sim *sim;
};

/* gas of the point; the simulation is NULL.  Errors: wn_gas_create. */
int wn_point_gas(const struct wn_scenarios *p, size_t i_point, struct wn_point *at);
/* The simulation, after the gas.  Errors: wn_sim_create. */
int wn_point_enter(const struct wn_scenarios *p, const struct wn_device_plan *plan,
                   struct wn_point *at);
void wn_point_leave(struct wn_point *at);

/* A run as one worker has it. */
struct wn_worker_run {
  const struct wn_scenarios *p;
  struct wn_device_plan plan;
  struct wn_point *first; /* sim NULL: created when it is needed */
  struct wn_run_state *r;
  size_t begin; /* the first case, counted over all scan points */
};

/* All cases from w->begin on, one after the other. */
int wn_run_all_cases(struct wn_worker_run *w);

/* This worker's cases, until the run ends; the status is that of the run on all workers. */
int wn_run_worker_cases(struct wn_worker_run *w, const struct wn_worker *worker);

/* Cases from w->begin on, by n threads side by side, of which this is worker 0 and gets some; they share
 * `threads` threads of OpenMP.  w->p has the part of one of these.  WN_ENOMEM, and errors of cases. */
int wn_run_cases_beside(struct wn_worker_run *w, int n, int threads);

#endif
