/* src/jobs/job.h - a job decides how long the steps of a case are, when it ends and what
 * it reports.  One file and one ops struct for each job; a line in WN_JOBS
 * (src/config/config.h) registers a value of the key `job`.  Measurements are made by
 * diagnostics (src/diag/diag.h), which are independent of the job's decisions. */
#ifndef WN_SRC_JOBS_JOB_H
#define WN_SRC_JOBS_JOB_H
#include <stdio.h>
#include "src/diag/diag.h"
#include "src/io/output.h"
#include "src/sim/sim.h"

struct wn_job;

/* Candidates of an electron in a step where sampling.interval is auto; in a swarm during relaxation. */
#define WN_SWARM_CANDIDATES   20.0
#define WN_RUNAWAY_CANDIDATES 50.0
/* Candidates between population controls: few, so that fast electrons do not gain much
 * energy in between. */
#define WN_RATE_CANDIDATES 4.0

struct wn_job_ops {
  const char *doc; /* a line for `wilson list jobs`; NULL: not a value of the key */
  const struct wn_diag_ops *const *diags; /* diagnostics of its cases, ended by NULL */
  int collisions; /* its candidates are those of collisions: the last line counts them */
  int holds_number; /* keeps the number of electrons near a target, so that cases can run side by side */
  int rows; /* its lines are progress between steps: none if quiet; the progress line gives way to them */
  struct wn_sim_needs needs; /* what the simulation must count and keep for the job */
  /* Defines dimensions and variables beside those of the diagnostics; writes coordinates,
   * once.  May be NULL. */
  int (*define)(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g);
  int (*begin)(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g);
  void (*heading)(FILE *to);
  /* s, from the release to the end of a case, as far as the scenario determines it (an
   * automatic relaxation is not included); NAN, or no such function: not known. */
  double (*duration)(const struct wn_config *c);
  /* A case starts; its primaries have been released. */
  int (*create)(struct wn_sim *s, struct wn_job **out);
  /* The diagnostics of the case, in the order of the list above, for a job whose decisions depend on
   * them; they outlive it.  Not called in a trial, which has none.  May be NULL. */
  void (*use_diags)(struct wn_job *j, struct wn_diag *const *diags);
  double (*interval)(const struct wn_job *j); /* s, length of the next step */
  /* After the samples of a step.  A measurement may start here (wn_sim_reset), or the
   * species may be returned to initial weights and positions. */
  int (*next)(struct wn_job *j, struct wn_sim *s);
  int (*done)(const struct wn_job *j);
  /* Candidates of a whole case of n electrons, from this one of fewer, for a job without a duration; NAN
   * while it is too early to say.  NULL: not known. */
  double (*expected)(const struct wn_job *j, const struct wn_sim *s, double n);
  /* Part of the simulated time that is done, 0..1. */
  double (*fraction)(const struct wn_job *j, const struct wn_sim *s);
  /* Are the results sufficient to be written?  Called at the end, which a full store may
   * bring early.  NULL: always. */
  int (*enough)(const struct wn_job *j);
  /* One record of the job's own variables, and one line.  diags: in the order of the list
   * above, after they have written theirs.  May be NULL. */
  int (*finish)(struct wn_job *j, struct wn_sim *s, struct wn_diag *const *diags,
                struct wn_output *o, FILE *to);
  /* The reason why a case ended with a full store; text [n]. */
  void (*full)(const struct wn_sim *s, char *text, size_t n);
  int (*state)(struct wn_job *j, struct wn_state *state);
  void (*free)(struct wn_job *j);
};

/* The job of a scenario. */
const struct wn_job_ops *wn_job_of(const struct wn_config *c);

/* One line for each value of the key `job`, with its description. */
void wn_job_list(FILE *to);

/* Implements `full` for jobs whose cases start with a release. */
void wn_job_full(const struct wn_sim *s, char *text, size_t n);

#endif
