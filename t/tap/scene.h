/* t/tap/scene.h - for tests that need a simulation without a run: a scenario written to a
 * file in the current folder, read with overrides, and what is left of a run, sorted by
 * id so that stores in another order can be compared. */
#ifndef WN_T_TAP_SCENE_H
#define WN_T_TAP_SCENE_H
#include <stddef.h>
#include "bench/study/study.h"
#include "src/config/config.h"
#include "src/sim/sim.h"

/* Air of 79 % N2 and 21 % O2 with the built-in cross sections at 1 atm; no job, fields,
 * electrons or duration. */
extern const char scene_air[];

struct scene {
  struct wn_config *config;
  struct wn_study
      *study; /* of a model of the scheduler study, whose base `config` is; else NULL */
  struct wn_gas *gas; /* NULL where nothing collides */
  struct wn_sim *sim;
};

/* text: a scenario, written to `file`, which is removed again; set: overrides
 * "key=value", ended by NULL.  Of a model of the study, the first of set, all is in set. Makes config and gas; the device is the CPU (scene_use
 * brings a GPU).  These functions bail out of the test
 * when anything fails: a test cannot go on without. */
void scene_open(struct scene *s, const char *file, const char *text,
                const char *const *set);

/* A simulation of the first field, in the place of any before, the electrons released,
 * interval [s] set when above 0. */
void scene_start(struct scene *s, double interval);

/* Its only species, and the electrons of its store (model mcc). */
struct wn_species *scene_species(const struct scene *s);
struct wn_electron *scene_electrons(const struct scene *s);

/* One step of sim->interval; the status of wn_step. */
int scene_phase(struct scene *s);
/* Population control towards a target. */
int scene_control(struct scene *s, size_t target, int may_split);

/* As the keys of the scenario; before scene_start. */
void scene_scheduler(struct scene *s, const char *name, int threads);

/* After scene_start: every electron stands for w.  A large w brings the last bits of what
 * is added up into the sums, which are fixed point. */
void scene_weigh(struct scene *s, float w);

/* Makes bounds on collision frequencies false, so that alarms go off.  Cross sections a third
 * above what the majorants of the table were made for: before scene_start, once. */
void scene_raise_rows(struct scene *s);
/* Bands of half the majorants in them, where candidates come in bands: after scene_start. */
void scene_lower_bands(struct scene *s);

/* wn_sim_use, after scene_start, also between phases; its status. */
int scene_use(struct scene *s, const struct wn_scheduler_ops *ops,
              const struct wn_scheduler_options *o);
void scene_close(struct scene *s);

/* What a run leaves: the electrons sorted by id, all sums since it began, and how many
 * lived and with which energy after each phase. */
#define SCENE_MAX_PHASES 64
struct scene_result {
  int phases, status;    /* phases that were finished; of the last */
  struct wn_electron *e; /* records of the model, by id */
  size_t n, record;
  struct wn_tally tally;
  int64_t *passage;
  size_t n_passage;
  size_t living[SCENE_MAX_PHASES];
  double energy_ev[SCENE_MAX_PHASES];
};

/* Run phases, with a population control after each when target is above 0, until one
 * fails. */
void scene_run(struct scene *s, int phases, size_t target, struct scene_result *r);
void scene_result_clear(struct scene_result *r);
static inline const void *scene_record(const struct scene_result *r, size_t i)
{
  return (const char *)r->e + i * r->record;
}

/* What differs between two results, to the last bit; NULL: nothing.  Phases, energies and
 * all bytes of each record; every integer of the tallies. */
const char *scene_electrons_differ(const struct scene_result *a,
                                   const struct scene_result *b);
const char *scene_tallies_differ(const struct scene_result *a,
                                 const struct scene_result *b,
                                 const struct wn_tally_shape *shape);
/* How many ids are in both. */
size_t scene_common_ids(const struct scene_result *a, const struct scene_result *b);
/* How many ids come twice. */
size_t scene_ids_twice(const struct scene_result *r);

/* Records in the order of their ids. */
void scene_sort(void *e, size_t n, size_t record);

#endif
