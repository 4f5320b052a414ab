/* src/library/library.c - see wilson.h.
 *
 * The run is wn_run_watched, in a thread of its own, as a coroutine: either it works and the caller waits, or the reverse.  So
 * what is stepped from outside is the very loop of `wilson run`, with its checkpoints and files, and all that touches the
 * simulation or a GPU is called by one thread. */
#include "src/library/wilson.h"
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"
#include "base/version.h"
#include "particles/load_balance.h"
#include "src/config/config.h"
#include "src/config/plasma_derived.h"
#include "src/io/output_path.h"
#include "src/run/run.h"
#include "src/sim/plasma.h"
#include "src/sim/sim.h"

#define SAME(name)                                                                       \
  _Static_assert((int)WILSON_##name == (int)WN_##name,                                   \
                 "wilson.h has the statuses of base/error.h")
SAME(OK);
SAME(ENOMEM);
SAME(EINPUT);
SAME(EIO);
SAME(ERUN);
SAME(EFULL);
SAME(ECUDA);
SAME(ELIMIT);
SAME(EINTERN);

#define STACK (8 * 1024 * 1024) /* bytes, of the thread of the run; src/cli/main.c */

typedef int request(struct wilson_run *r, void *ctx);

struct wilson_run {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t turn;
  bool has_turn;  /* the thread of the run works, the caller waits */
  bool is_there;  /* that thread has begun and not been joined */
  request *asked; /* to be called by it, in place of steps */
  void *ctx;
  int answer;

  /* what it is to do: so many steps, or until this time, or all */
  uint64_t n_wanted, n_made;
  double until;
  bool to_end, is_ended;

  /* where it is */
  struct wn_sim *sim;        /* NULL: before and after the run */
  bool case_is_over, is_new; /* is_new: at the beginning of a case */
  uint64_t n_here;           /* steps of the case since it began in this program */
  struct wilson_state state;
  int status;

  char *file, *scenario, *restart, **set; /* scenario: its text, or NULL: of the file */
  size_t n_set;
  struct wn_scenarios p;
  FILE *log, *table;
  char *text;
  size_t n_text;
};

static atomic_flag is_busy = ATOMIC_FLAG_INIT; /* a process has one run at a time */

int wilson_abi(void)
{
  return WILSON_ABI;
}

const char *wilson_version(void)
{
  return wn_version();
}

/* ---- turns.  Both are called with the lock. */

static void give_turn(struct wilson_run *r, bool to_run)
{
  r->has_turn = to_run;
  pthread_cond_broadcast(&r->turn);
  while (r->has_turn == to_run)
    pthread_cond_wait(&r->turn, &r->lock);
}

/* The caller: lets the run work until it returns the turn. */
static void work(struct wilson_run *r)
{
  pthread_mutex_lock(&r->lock);
  give_turn(r, true);
  pthread_mutex_unlock(&r->lock);
}

/* The run: lets the caller work, and answers what it asks. */
static void wait_for_orders(struct wilson_run *r)
{
  pthread_mutex_lock(&r->lock);
  do {
    give_turn(r, false);
    if (r->asked != NULL)
      r->answer = r->asked(r, r->ctx);
  } while (r->asked != NULL);
  pthread_mutex_unlock(&r->lock);
}

static int ask(struct wilson_run *r, request *what, void *ctx)
{
  if (r->sim == NULL)
    return r->status != WN_OK ? r->status : WN_ERUN;
  r->asked = what;
  r->ctx = ctx;
  work(r);
  r->asked = NULL;
  return r->answer;
}

/* ---- the thread of the run */

static void note_state(struct wilson_run *r)
{
  r->state = (struct wilson_state){.time = r->sim->time,
                                   .n_steps = r->sim->n_steps,
                                   .i_case = r->sim->i_case,
                                   .case_is_over = r->case_is_over};
}

static int between_steps(void *ctx, struct wn_sim *s, int is_over)
{
  struct wilson_run *r = ctx;
  const bool is_new = r->is_new;
  r->sim = s;
  r->n_here = is_new ? 0 : r->n_here + 1;
  r->n_made += is_new ? 0 : 1;
  r->case_is_over = is_over;
  r->is_new = is_over;
  note_state(r);
  if (!r->to_end &&
      (is_new || is_over || (r->n_made >= r->n_wanted && s->time >= r->until)))
    wait_for_orders(r);
  return r->is_ended ? WN_ERUN : WN_OK;
}

static int read_and_run(struct wilson_run *r)
{
  const struct wn_run_watch watch = {.at = between_steps, .ctx = r, .to = r->table};
  WN_TRY(wn_scenarios_read_text(r->file, r->scenario, r->n_set,
                                (const char *const *)r->set, &r->p));
  for (size_t i = 0; i < r->p.n; i++)
    r->p.c[i]->quiet = true; /* rows of a plasma would go to stdout */
  WN_TRY(wn_run_output_allowed(r->p.c[0], false, r->restart != NULL));
  return wn_run_watched(&r->p, r->restart, 0, NULL, &watch);
}

static void *begin(void *ctx)
{
  struct wilson_run *r = ctx;
  wn_log_to(r->log);
  wn_netcdf_thread();
  const int status = read_and_run(r);
  wn_scenarios_free(&r->p);
  wn_log_to(NULL);
  pthread_mutex_lock(&r->lock);
  r->status = status;
  r->sim = NULL;
  r->state.is_finished = status == WN_OK || status == WN_EFULL;
  r->has_turn = false;
  pthread_cond_broadcast(&r->turn);
  pthread_mutex_unlock(&r->lock);
  return NULL;
}

/* ---- begin and end */

/* output="path", as --set has it. */
static char *set_output(const char *path)
{
  char *set = wn_alloc(2 * strlen(path) + sizeof "output=\"\"", 1);
  if (set == NULL)
    return NULL;
  char *to = set + sprintf(set, "output=\"");
  for (; *path; path++) {
    if (*path == '"' || *path == '\\')
      *to++ = '\\';
    *to++ = *path;
  }
  *to = '"';
  return set;
}

static void free_run(struct wilson_run *r)
{
  for (size_t i = 0; r->set != NULL && i < r->n_set; i++)
    free(r->set[i]);
  free(r->set);
  free(r->file);
  free(r->scenario);
  free(r->restart);
  if (r->log != NULL)
    fclose(r->log);
  if (r->table != NULL)
    fclose(r->table);
  free(r->text);
  pthread_cond_destroy(&r->turn);
  pthread_mutex_destroy(&r->lock);
  free(r);
}

/* Copies of what the caller gave.  WN_ENOMEM. */
static int take_setup(struct wilson_run *r, const char *text,
                      const struct wilson_setup *setup)
{
  r->set = wn_alloc(setup->n_keys + 1, sizeof *r->set);
  r->file = strdup(setup->file != NULL ? setup->file : "scenario.cfg");
  r->scenario = text != NULL ? strdup(text) : NULL;
  if (text != NULL && r->scenario == NULL)
    return WN_ENOMEM;
  r->log = open_memstream(&r->text, &r->n_text);
  r->table = fopen("/dev/null", "w");
  if (r->set == NULL || r->file == NULL || r->log == NULL || r->table == NULL)
    return WN_ENOMEM;
  for (; r->n_set < setup->n_keys; r->n_set++) {
    r->set[r->n_set] = strdup(setup->keys[r->n_set]);
    if (r->set[r->n_set] == NULL)
      return WN_ENOMEM;
  }
  if (setup->output != NULL) {
    r->set[r->n_set] = set_output(setup->output);
    if (r->set[r->n_set] == NULL)
      return WN_ENOMEM;
    r->n_set++;
  }
  if (setup->restart != NULL) {
    r->restart = strdup(setup->restart);
    return r->restart != NULL ? WN_OK : WN_ENOMEM;
  }
  return WN_OK;
}

static int start(struct wilson_run *r)
{
  pthread_attr_t attr;
  if (pthread_attr_init(&attr) != 0)
    return WN_ENOMEM;
  pthread_attr_setstacksize(&attr, STACK);
  pthread_mutex_lock(&r->lock);
  r->has_turn = true;
  const int failed = pthread_create(&r->thread, &attr, begin, r);
  r->is_there = failed == 0;
  while (r->is_there && r->has_turn)
    pthread_cond_wait(&r->turn, &r->lock);
  pthread_mutex_unlock(&r->lock);
  pthread_attr_destroy(&attr);
  return failed ? WN_ENOMEM : r->status;
}

/* A message of the caller's own call goes to those of the run. */
static int say(struct wilson_run *r, int status, const char *text, const char *more)
{
  wn_log_to(r->log);
  (void)WN_FAIL(status, "%s%s", text, more);
  wn_log_to(NULL);
  return status;
}

static int open_run(const char *text, const struct wilson_setup *setup,
                    struct wilson_run **out)
{
  *out = NULL;
  struct wilson_run *r = calloc(1, sizeof *r);
  if (r == NULL)
    return WILSON_ENOMEM;
  pthread_mutex_init(&r->lock, NULL);
  pthread_cond_init(&r->turn, NULL);
  r->is_new = true;
  if (take_setup(r, text, setup) != WN_OK) {
    free_run(r);
    return WILSON_ENOMEM;
  }
  *out = r;
  if (atomic_flag_test_and_set(&is_busy))
    return r->status = say(r, WN_ERUN, "another run of this process has not ended", "");
  wn_netcdf_thread(); /* so that the caller may read result files */
  const int status = start(r);
  if (!r->is_there)
    atomic_flag_clear(&is_busy);
  return r->status = status;
}

int wilson_open(const struct wilson_setup *setup, struct wilson_run **out)
{
  *out = NULL;
  return setup->file == NULL ? WILSON_EINPUT : open_run(NULL, setup, out);
}

int wilson_open_text(const char *text, const struct wilson_setup *setup,
                     struct wilson_run **out)
{
  *out = NULL;
  return text == NULL ? WILSON_EINPUT : open_run(text, setup, out);
}

const char *wilson_message(struct wilson_run *r)
{
  return fflush(r->log) == 0 && r->text != NULL ? r->text : "";
}

void wilson_end(struct wilson_run *r)
{
  if (r == NULL)
    return;
  if (r->sim != NULL) {
    r->is_ended = true;
    work(r);
  }
  if (r->is_there) {
    pthread_join(r->thread, NULL);
    atomic_flag_clear(&is_busy);
  }
  free_run(r);
}

/* ---- steps */

static int go(struct wilson_run *r, uint64_t n, double until, bool to_end)
{
  if (r->sim == NULL)
    return r->status;
  r->n_made = 0;
  r->n_wanted = n;
  r->until = until;
  r->to_end = to_end;
  work(r);
  return r->status;
}

int wilson_step(struct wilson_run *r, uint64_t n)
{
  return n == 0 ? r->status : go(r, n, -INFINITY, false);
}

int wilson_advance(struct wilson_run *r, double time)
{
  if (isnan(time))
    return say(r, WN_EINPUT, "wilson_advance: the time is no number", "");
  return r->sim != NULL && !r->case_is_over && r->state.time >= time
             ? r->status
             : go(r, 0, time, false);
}

int wilson_finish(struct wilson_run *r)
{
  return go(r, 0, 0.0, true);
}

void wilson_state(const struct wilson_run *r, struct wilson_state *out)
{
  *out = r->state;
}

/* ---- questions */

size_t wilson_n_species(const struct wilson_run *r)
{
  return r->sim != NULL ? r->sim->n_species : 0;
}

const char *wilson_species_name(const struct wilson_run *r, size_t k)
{
  return k < wilson_n_species(r) ? wn_sim_species_name(r->sim, k) : NULL;
}

struct of_species {
  size_t k;
  struct wilson_sums *out;
};

/* Electrons of a swarm, or those that run away. */
static int electron_sums(const struct wn_species *of, struct wilson_sums *out)
{
  const struct wn_sample what = {.kind = WN_SAMPLE_ELECTRONS,
                                 .unit = 1.0 / WN_C,
                                 .velocities = 3,
                                 .relativistic = 1};
  wn_i128 sums[WN_POINT_SUMS] = {0};
  WN_TRY(wn_particles_sample(&of->p, &what, sums));
  out->particles = (double)sums[0] / WN_FIX_WEIGHT;
  for (int d = 0; d < 3; d++)
    out->momentum[d] = (double)sums[1 + d] / WN_FIX_LAG * WN_C * WN_ME;
  out->energy = (double)sums[4] / WN_FIX_LAG * WN_C * WN_C * WN_ME;
  return WN_OK;
}

static int sums(struct wilson_run *r, void *ctx)
{
  const struct of_species *q = ctx;
  struct wn_plasma_sums of_plasma;
  struct wilson_sums s = {.macroparticles =
                              (double)wn_particles_all(&r->sim->species[q->k]->p)};
  if (r->sim->c->model == WN_MODEL_PLASMA) {
    WN_TRY(wn_plasma_sums(r->sim, q->k, &of_plasma));
    s.particles = of_plasma.particles;
    s.energy = of_plasma.energy;
    for (int d = 0; d < 3; d++)
      s.momentum[d] = of_plasma.momentum[d];
  } else {
    WN_TRY(electron_sums(r->sim->species[q->k], &s));
  }
  *q->out = s;
  return WN_OK;
}

int wilson_sums(struct wilson_run *r, size_t k, struct wilson_sums *out)
{
  if (r->sim != NULL && k >= r->sim->n_species)
    return say(r, WN_EINPUT, "wilson_sums: there is no such species", "");
  return ask(r, sums, &(struct of_species){k, out});
}

void wilson_nodes(const struct wilson_run *r, size_t nodes[3])
{
  const bool has_grid = r->sim != NULL && r->sim->field->ops->grid != NULL;
  for (int i = 0; i < 3; i++)
    nodes[i] = !has_grid                   ? 0
               : i < r->sim->c->plasma.dim ? (size_t)r->sim->c->plasma.cells[i] + 1
                                           : 1;
}

struct of_nodes {
  const char *call;
  size_t k; /* the species */
  double *values;
  size_t n;
};

/* Whether there is a field with a potential, after a step, and room for its nodes. */
static int check_nodes(const struct wilson_run *r, const struct of_nodes *q)
{
  const struct wn_field *f = r->sim->field;
  if (f->ops->grid == NULL || f->ops->grid->potential == NULL)
    return WN_FAIL(WN_ERUN, "%s: the field of this run has no potential", q->call);
  if (r->n_here == 0)
    return WN_FAIL(WN_ERUN, "%s: there is none before the first step of a case", q->call);
  if (q->n < wn_field_nodes(f))
    return WN_FAIL(WN_EINPUT, "%s: room for %zu values, of %zu nodes", q->call, q->n,
                   wn_field_nodes(f));
  return WN_OK;
}

static int potential(struct wilson_run *r, void *ctx)
{
  const struct of_nodes *q = ctx;
  const double *phi = NULL;
  WN_TRY(check_nodes(r, q));
  WN_TRY(wn_field_potential(r->sim->field, &phi));
  memcpy(q->values, phi, wn_field_nodes(r->sim->field) * sizeof *phi);
  return WN_OK;
}

int wilson_potential(struct wilson_run *r, double *phi, size_t n)
{
  return ask(r, potential, &(struct of_nodes){"wilson_potential", 0, phi, n});
}

static int density(struct wilson_run *r, void *ctx)
{
  const struct of_nodes *q = ctx;
  const struct wn_config *c = r->sim->c;
  WN_TRY(check_nodes(r, q));
  WN_TRY(wn_field_density(r->sim->field, q->k, q->values));
  const double weight = wn_loading_weight(c, &c->species[q->k]);
  for (size_t i = 0; i < wn_field_nodes(r->sim->field); i++)
    q->values[i] *= weight;
  return WN_OK;
}

int wilson_density(struct wilson_run *r, size_t k, double *n_of, size_t n)
{
  if (r->sim != NULL && k >= r->sim->n_species)
    return say(r, WN_EINPUT, "wilson_density: there is no such species", "");
  return ask(r, density, &(struct of_nodes){"wilson_density", k, n_of, n});
}

/* ---- drives */

static int set_field(struct wilson_run *r, void *ctx)
{
  const double e = *(const double *)ctx;
  struct wn_field *f = r->sim->field;
  if (r->sim->c->job != WN_JOB_RUNAWAY || f->ops != &wn_field_uniform)
    return WN_FAIL(
        WN_EINPUT,
        "wilson_set_field: only for job runaway in a constant field; other jobs "
        "measure in the one field of the scenario");
  if (!isfinite(e))
    return WN_FAIL(WN_EINPUT, "wilson_set_field: the field is no finite number");
  wn_field_uniform_set(f, (const double[3]){0.0, 0.0, -e}); /* as src/sim/sim.c */
  return WN_OK;
}

int wilson_set_field(struct wilson_run *r, double e)
{
  return ask(r, set_field, &e);
}

struct of_surface {
  const char *name;
  double volts;
};

static int set_voltage(struct wilson_run *r, void *ctx)
{
  const struct of_surface *q = ctx;
  const struct wn_geometry *g = &r->sim->geometry;
  struct wn_field *f = r->sim->field;
  if (f->ops->grid == NULL || f->ops->grid->set_voltage == NULL)
    return WN_FAIL(WN_EINPUT, "wilson_set_voltage: only for the field `electrostatic`");
  int k = 0;
  while (k < g->n_surfaces && strcmp(g->surface[k].name, q->name) != 0)
    k++;
  if (k == g->n_surfaces)
    return WN_FAIL(WN_EINPUT, "wilson_set_voltage: there is no side or electrode `%s`",
                   q->name);
  if (g->surface[k].potential != WN_DIRICHLET)
    return WN_FAIL(WN_EINPUT, "wilson_set_voltage: `%s` has no given potential", q->name);
  if (!isfinite(q->volts))
    return WN_FAIL(WN_EINPUT, "wilson_set_voltage: `%s`: no finite number", q->name);
  f->ops->grid->set_voltage(f, k, q->volts);
  return WN_OK;
}

int wilson_set_voltage(struct wilson_run *r, const char *surface, double volts)
{
  return ask(r, set_voltage, &(struct of_surface){surface, volts});
}
