/* src/jobs/job.h - what a case is asked: how long its steps are, when it ends, what it
 * reports.  One file a job, one ops struct each; a line in WN_JOBS (src/config/config.h)
 * registers one that the key `job` names.  What a job measures it leaves to diagnostics
 * (src/diag/diag.h), which observe and know nothing of its decisions. */
#ifndef WN_SRC_JOBS_JOB_H
#define WN_SRC_JOBS_JOB_H
#include <stdio.h>
#include "src/diag/diag.h"
#include "src/io/output.h"
#include "src/sim/sim.h"

struct wn_job;

/* Candidates of an electron in a step where sampling.interval is auto; in a swarm while
 * it relaxes. */
#define WN_SWARM_CANDIDATES   20.0
#define WN_RUNAWAY_CANDIDATES 50.0
/* Between controls: those of the fast shall not get far in it. */
#define WN_RATE_CANDIDATES 4.0

struct wn_job_ops {
  const char *doc; /* a line for `wilson list jobs`; NULL: no word names it */
  const struct wn_diag_ops *const *diags; /* that observe its cases, ended by NULL */
  int collisions; /* its candidates are those of collisions: the last line counts them */
  int rows;       /* a line of results a step, for which the progress line makes room */
  struct wn_sim_needs needs; /* what the simulation must count and keep for it */
  /* Dimensions and variables beside those of its diagnostics, and coordinates, once.  May
   * be NULL. */
  int (*define)(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g);
  int (*begin)(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g);
  void (*heading)(FILE *to);
  /* s, of a case from its release on, as far as the scenario says (a relaxation whose
   * length is auto is not in it); NAN, or no such function: as long as it takes. */
  double (*duration)(const struct wn_config *c);
  /* A case, whose primaries have been released. */
  int (*create)(struct wn_sim *s, struct wn_job **out);
  /* The diagnostics of the case, in the order of the list above, for a job that decides by
   * them; as long as it lives.  A trial has none, and does not say so.  May be NULL. */
  void (*use_diags)(struct wn_job *j, struct wn_diag *const *diags);
  double (*interval)(const struct wn_job *j); /* s, of the step to come */
  /* After the samples of a step: what comes; here a measurement may begin (wn_sim_reset)
   * or the species be put back to a beginning (weights, places). */
  int (*next)(struct wn_job *j, struct wn_sim *s);
  int (*done)(const struct wn_job *j);
  /* Of the time, 0..1. */
  double (*fraction)(const struct wn_job *j, const struct wn_sim *s);
  /* Is what was measured enough to be written?  Asked at the end, which comes before it
   * is done when the store is full.  NULL: it always is. */
  int (*enough)(const struct wn_job *j);
  /* One record of variables of its own, and one line; diags: in the order of the list
   * above, which have written theirs.  May be NULL. */
  int (*finish)(struct wn_job *j, struct wn_sim *s, struct wn_diag *const *diags,
                struct wn_output *o, FILE *to);
  /* Why a case ended that found the store full; text [n]. */
  void (*full)(const struct wn_sim *s, char *text, size_t n);
  int (*state)(struct wn_job *j, struct wn_state *state);
  void (*free)(struct wn_job *j);
};

/* The job of a scenario. */
const struct wn_job_ops *wn_job_of(const struct wn_config *c);

/* One line for each word of the key `job`: the word, and what the job is. */
void wn_job_list(FILE *to);

/* For `full` of jobs whose cases begin with a release. */
void wn_job_full(const struct wn_sim *s, char *text, size_t n);

#endif
