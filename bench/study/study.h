/* bench/study/study.h - the models of the scheduler study (split-remove, rectangle, box), which
 * are there to measure schedulers: what is said of a run, and its simulation.  All run in
 * Poisson steps of mobility steps, and print a row after each (study_run.c). */
#ifndef WN_BENCH_STUDY_STUDY_H
#define WN_BENCH_STUDY_STUDY_H
#include <stdio.h>
#include "src/config/config.h"
#include "src/sim/sim.h"

struct wn_split_tables;
struct wn_study_kind;

struct wn_study_steps {
  size_t poisson, mobility; /* in a run, in a Poisson step */
  double dt;                /* s, of a mobility step */
};

/* What is said of a run: study_config.c has the keys. */
struct wn_study {
  /* what runs of the program have, too: seed, electrons, capacity, device, scheduler,
   * threads, block_size */
  struct wn_config base;
  const struct wn_study_kind *kind; /* of the model */
  struct {
    size_t cells, edge;
    double cell_size;
    struct wn_study_steps steps;
    double constant; /* per cent, in the place of the table; 0: the table */
    char *table;     /* NULL: the study's */
  } split_remove;
  struct {
    double width, height;
    double split_chance, remove_chance; /* per cent a mobility step */
    struct wn_study_steps steps;
  } rectangle;
  struct {
    double width, height;
    double gravity; /* m/s2 */
    struct wn_study_steps steps;
  } box;
  struct wn_split_tables *tables; /* of split-remove: the model points to them */
};

/* From n of "key=value", the last of a key holds; a value in quotes is taken without them.  All
 * errors are logged, with the key, the value and what is allowed; then WN_EINPUT. */
int wn_study_read(size_t n, const char *const *set, struct wn_study **out);
void wn_study_free(struct wn_study *y);
void wn_study_keys(FILE *to); /* a line each */

struct wn_study_steps wn_study_steps(const struct wn_study *y);
const struct wn_model_ops *wn_study_ops(const struct wn_study *y);
/* Bytes of grids of the field; 0: it has none. */
size_t wn_study_grid_bytes(const struct wn_study *y);

/* Its simulation, with the primaries, on the device and by the scheduler of its keys; y for as
 * long as that lives.  WN_EINPUT, WN_ECUDA: there is no such scheduler, or GPU; WN_EFULL;
 * WN_ENOMEM. */
int wn_study_create(struct wn_study *y, struct wn_sim **out);
/* wn_sim_use, and the field where the particles will be; what it had noted is lost. */
int wn_study_use(const struct wn_study *y, struct wn_sim *s,
                 const struct wn_scheduler_ops *ops,
                 const struct wn_scheduler_options *options);
/* All Poisson steps, a row each.  WN_EFULL: the store was full, as a message says. */
int wn_study_run(const struct wn_study *y, struct wn_sim *s, FILE *to);

/* What the files of bench/study/ share: a model. */
struct wn_study_kind {
  const struct wn_model_ops *model;
  struct wn_study_steps (*steps)(const struct wn_study *y);
  /* Logs what does not go together. */
  int (*check)(struct wn_study *y);
  void (*set_up)(const struct wn_study *y, void *data);
  /* Primary i with its id; r: the random numbers of its place. */
  void (*primary)(const struct wn_study *y, uint64_t id, struct wn_rng4 r, void *record);
  /* v^2 of a record as a part of `of` [m2/s2]; NULL: they have no velocity. */
  double (*speed2)(const void *record, double of);
  double (*speed2_unit)(const struct wn_study *y);
};
extern const struct wn_study_kind wn_study_split_remove, wn_study_rectangle, wn_study_box;

#endif
