/* bench/schedulers.h - what the parts of the program bench/schedulers share:
 *   schedulers.c          what is measured, and main
 *   schedulers_options.c  the command line
 *   schedulers_swarm.c    the electrons
 *   schedulers_table.c    what is written
 *   gpu_ceiling.cu, gpu_compaction.cu  see bench/gpu_ceiling.h */
#ifndef WN_BENCH_SCHEDULERS_H
#define WN_BENCH_SCHEDULERS_H
#include <stddef.h>
#include <stdint.h>
#include "bench/study/study.h"
#include "src/config/config.h"
#include "src/sim/sim.h"

#define WN_BENCH_LIST    64  /* values of an option at most */
#define WN_BENCH_REPEATS 100 /* timed runs of a line at most */

struct wn_bench_list {
  size_t n;
  double v[WN_BENCH_LIST];
};

/* An empty list stands for a default that depends on the model. */
struct wn_bench_options {
  size_t n_models, n_schedulers, n_sets;
  const char *model[WN_BENCH_LIST];
  const struct wn_scheduler_ops *scheduler[WN_BENCH_LIST];
  const char *set[WN_BENCH_LIST]; /* "key=value" for the scenario */
  struct wn_bench_list block, chance, electrons, poisson, steps;
  int repeats, threads, gpu;
  double limit;      /* s */
  double candidates; /* mcc: of an electron in a step */
  const char *field, *scenario, *output;
  int no_ceiling, ceiling_only, hardware, markdown, compaction, help;
};
int wn_bench_options_read(struct wn_bench_options *o, int argc, char **argv);
extern const char wn_bench_help[];

/* One line of the table.  NAN: not measured, or without meaning for the model. */
struct wn_bench_row {
  const char *model, *scheduler;
  char device[96], note[160];
  int block, repeats;
  double chance; /* per cent; NAN: the table over speed, or none */
  size_t electrons, poisson, steps;
  double median, best;        /* s */
  double flown, candidates;   /* electron-steps and candidates of a run */
  double ceiling;             /* per cent */
  double bandwidth;           /* bytes/s, of a compaction */
  uint64_t births, deaths, n; /* of a run; n: electrons at its end */
};

struct wn_bench_table {
  struct wn_bench_row *row;
  size_t n;
  int markdown;
};
void wn_bench_table_heading(const struct wn_bench_table *t);
/* To stdout at once; kept for the file. */
int wn_bench_table_add(struct wn_bench_table *t, const struct wn_bench_row *r);
/* The file; c: whose scenario it tells. */
int wn_bench_table_write(const struct wn_bench_table *t, const char *path,
                         const struct wn_config *c, int argc, char *const *argv);
double wn_bench_ratio(double a, double b); /* NAN where it has no meaning */

/* Electrons of a model, ready to be flown again and again. */
struct wn_bench_swarm {
  const char *model;
  struct wn_config *c;    /* of mcc */
  struct wn_study *study; /* of the other models */
  struct wn_gas *gas;
  struct wn_sim *s;     /* its model and tally; its scheduler and its field change */
  int gpu;              /* that schedulers of a GPU get */
  unsigned char *first; /* [n_first] records, released, or relaxed for mcc */
  size_t n_first, n;    /* n: wanted; more than n_first: copies */
};
int wn_bench_is_mcc(const char *model);
int wn_bench_takes_chance(const char *model);
/* The scenario of model mcc. */
int wn_bench_config(const struct wn_bench_options *o, size_t electrons, size_t capacity,
                    struct wn_config **out);
/* *w is empty, or another swarm, from which it takes what it can. */
int wn_bench_swarm_make(struct wn_bench_swarm *w, const struct wn_bench_options *o,
                        const char *model, size_t n);
void wn_bench_swarm_free(struct wn_bench_swarm *w);
/* Mobility steps of a step, and the chance (NAN: that of the scenario). */
int wn_bench_swarm_set(struct wn_bench_swarm *w, const struct wn_bench_options *o,
                       size_t steps, double chance);
/* The electrons into the hands of a scheduler; options->gpu is put in here. */
int wn_bench_swarm_use(struct wn_bench_swarm *w, const struct wn_scheduler_ops *ops,
                       const struct wn_scheduler_options *options);
int wn_bench_swarm_drop(struct wn_bench_swarm *w);
/* n electrons as they were at first, on the scheduler's device; sums to zero. */
int wn_bench_swarm_load(struct wn_bench_swarm *w, size_t n);

#endif
