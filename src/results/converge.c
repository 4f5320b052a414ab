/* src/results/converge.c - see converge.h. */
#include "src/results/converge.h"
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"
#include "src/config/adaptive_step.h"
#include "src/run/run.h"

#define MOST_SETS 64 /* keys of a variant: one for each species, and a few */

/* A list of `key=value`, separated by blanks. */
struct sets {
  size_t n;
  char *set[MOST_SETS];
};

static void clear(struct sets *s)
{
  for (size_t i = 0; i < s->n; i++)
    free(s->set[i]);
  s->n = 0;
}

/* Takes ownership of set; NULL: out of memory. */
static int put(struct sets *s, char *set)
{
  if (set == NULL)
    return WN_ENOMEM;
  WN_ASSERT(s->n < MOST_SETS);
  s->set[s->n++] = set;
  return WN_OK;
}

/* ---- the parameters: their values at `factor` times the resolution; no key set: not available */

static int collides(const struct wn_config *c)
{
  for (size_t k = 0; k < c->n_species; k++)
    if (c->species[k].collisions != WN_COLLISIONS_NONE)
      return 1;
  return 0;
}

/* A condition of adaptive steps; "off" stays. */
static int condition(const char *key, double value, size_t factor, struct sets *s)
{
  return value == WN_AUTO ? WN_OK
                          : put(s, wn_asprintf("plasma.adaptive.%s=%.17g", key,
                                               value / (double)factor));
}

static int time_step(const struct wn_config *c, size_t factor, struct sets *s)
{
  const struct wn_cfg_plasma *p = &c->plasma;
  if (c->model != WN_MODEL_PLASMA)
    return WN_OK;
  WN_TRY(
      put(s, wn_asprintf("plasma.time_step=\"%.17g s\"", p->time_step / (double)factor)));
  if (!wn_steps_are_adaptive(c))
    return WN_OK;
  WN_TRY(put(s, wn_asprintf("plasma.adaptive.least=\"%.17g s\"",
                            p->adaptive.least / (double)factor)));
  WN_TRY(condition("cells", p->adaptive.cells, factor, s));
  WN_TRY(condition("growth", p->adaptive.growth, factor, s));
  return condition("relaxation", p->adaptive.relaxation, factor, s);
}

static int mobility_step(const struct wn_config *c, size_t factor, struct sets *s)
{
  if (c->model == WN_MODEL_PLASMA)
    return !collides(c) ? WN_OK
                        : put(s, wn_asprintf("plasma.mobility_steps=%zu",
                                             c->plasma.mobility_steps * factor));
  return put(s, wn_asprintf("mobility_steps=%zu", c->mobility_steps * factor));
}

static int tables(const struct wn_config *c, size_t factor, struct sets *s)
{
  return wn_config_has_gas(c) ? put(s, wn_asprintf("tables.bins_per_octave=%zu",
                                                   c->bins_per_octave * factor))
                              : WN_OK;
}

/* The total number of a species, where it is given. */
static int macroparticles(const struct wn_config *c, size_t k, size_t factor,
                          struct sets *s)
{
  const size_t n = c->species[k].macroparticles;
  return n > 0 ? put(s, wn_asprintf("species.%s.macroparticles=%zu", c->species[k].name,
                                    n * factor))
               : WN_OK;
}

static int population(const struct wn_config *c, size_t factor, struct sets *s)
{
  if (c->model != WN_MODEL_PLASMA) {
    if (c->population_target > 0)
      WN_TRY(put(s, wn_asprintf("population.target=%zu", c->population_target * factor)));
    return put(s, wn_asprintf("electrons=%zu", c->electrons * factor));
  }
  for (size_t k = 0; k < c->n_species; k++)
    WN_TRY(macroparticles(c, k, factor, s));
  for (size_t k = 0; k < c->n_species; k++)
    if (c->species[k].profile != WN_PROFILE_FILE && c->species[k].per_cell > 0 &&
        c->species[k].density > 0.0)
      WN_TRY(put(s, wn_asprintf("species.%s.per_cell=%zu", c->species[k].name,
                                c->species[k].per_cell * factor)));
  return WN_OK;
}

static int cells(const struct wn_config *c, size_t factor, struct sets *s)
{
  size_t n[3] = {1, 1, 1};
  if (c->model != WN_MODEL_PLASMA)
    return WN_OK;
  size_t more = 1;
  for (int d = 0; d < c->plasma.dim; d++) {
    n[d] = c->plasma.cells[d] * factor;
    more *= factor;
  }
  for (size_t k = 0; k < c->n_species; k++)
    WN_TRY(macroparticles(c, k, more, s));
  return put(s, c->plasma.dim == 1 ? wn_asprintf("grid.cells=[%zu]", n[0])
                : c->plasma.dim == 2
                    ? wn_asprintf("grid.cells=[%zu, %zu]", n[0], n[1])
                    : wn_asprintf("grid.cells=[%zu, %zu, %zu]", n[0], n[1], n[2]));
}

static const struct {
  const char *name;
  int (*sets)(const struct wn_config *c, size_t factor, struct sets *s);
} parameters[] = {{"time step", time_step},
                  {"mobility step", mobility_step},
                  {"tables", tables},
                  {"population", population},
                  {"cells", cells}};
enum { N_PARAMETERS = sizeof parameters / sizeof parameters[0] };

/* ---- runs */

/* Constant over all runs. */
struct study {
  const char *file;
  size_t n_set;
  const char *const *set; /* as given by the user */
  char *path;             /* of the result file of a run */
};

static int read_with(const struct study *y, const struct sets *more,
                     struct wn_scenarios *p)
{
  const char **all = wn_alloc(y->n_set + more->n + 1, sizeof *all);
  if (all == NULL)
    return WN_ENOMEM;
  for (size_t i = 0; i < y->n_set; i++)
    all[i] = y->set[i];
  for (size_t i = 0; i < more->n; i++) /* the last value of a key counts */
    all[y->n_set + i] = more->set[i];
  int status = wn_scenarios_read(y->file, y->n_set + more->n, all, p);
  free(all);
  return status;
}

/* The table on stdout is suppressed. */
static int run_quietly(const struct wn_scenarios *p)
{
  static char *argv[] = {"wilson", "converge", NULL};
  const enum wn_log_level level = wn_log_level();
  fflush(stdout);
  const int out = dup(1), null = open("/dev/null", O_WRONLY);
  if (out < 0 || null < 0 || dup2(null, 1) < 0)
    return WN_FAIL(WN_EIO, "/dev/null cannot be written");
  close(null);
  if (level > WN_LOG_WARN)
    wn_log_set_level(WN_LOG_WARN);
  int status = wn_run(p, NULL, 2, argv);
  wn_log_set_level(level);
  fflush(stdout);
  dup2(out, 1);
  close(out);
  return status;
}

/* A run with these keys, and its results. */
static int run_one(const struct study *y, const struct sets *more, struct wn_results *out)
{
  struct wn_scenarios p = {0};
  *out = (struct wn_results){0};
  WN_TRY(read_with(y, more, &p));
  struct wn_config *c = p.c[0];
  char *path = wn_strdup(y->path);
  int status = path != NULL ? WN_OK : WN_ENOMEM;
  if (path != NULL) {
    free(c->output);
    c->output = path;
  }
  c->checkpoint.interval =
      WN_AUTO; /* none: each run is short, or the study would be too long */
  c->checkpoint.wall_limit = WN_AUTO;
  c->checkpoint.steps = c->checkpoint.step_limit = 0;
  if (status == WN_OK)
    status = run_quietly(&p);
  if (status == WN_OK)
    status = wn_results_read(y->path, c, out);
  if (status != WN_OK) {
    char *part = wn_asprintf("%s.part", y->path);
    if (part != NULL)
      remove(part);
    free(part);
  }
  remove(y->path);
  wn_scenarios_free(&p);
  return status;
}

static char *joined(const struct sets *s)
{
  char *all = wn_strdup(s->n > 0 ? s->set[0] : "");
  for (size_t i = 1; i < s->n && all != NULL; i++) {
    char *more = wn_asprintf("%s %s", all, s->set[i]);
    free(all);
    all = more;
  }
  return all;
}

/* Appends a variant; NULL: out of memory. */
static struct wn_variant *grow(struct wn_converge *k, const char *name, int level,
                               int before, char *what)
{
  struct wn_variant *v = wn_realloc(k->v, k->n + 1, sizeof *v);
  if (v == NULL || what == NULL) {
    k->v = v != NULL ? v : k->v;
    free(what);
    return NULL;
  }
  k->v = v;
  v[k->n] =
      (struct wn_variant){.name = name, .level = level, .before = before, .what = what};
  return &v[k->n++];
}

/* Stores results, which must be the same as those of the scenario, in the same order. */
static int take(const struct wn_converge *k, struct wn_variant *v, struct wn_results *r)
{
  int same = r->n == k->of.n;
  for (size_t i = 0; same && i < r->n; i++)
    same = strcmp(r->name[i], k->of.name[i]) == 0;
  if (same) {
    v->x = r->x;
    r->x = NULL;
    v->has_run = 1;
  }
  wn_results_free(r);
  return same ? WN_OK
              : WN_FAIL(WN_EINTERN, "with %s the run has different result variables",
                        v->what);
}

/* Level 0: mean and scatter over seeds; the error is that of one run. */
static int scatter(const struct study *y, uint64_t seed, struct wn_converge *k,
                   double *error)
{
  const size_t n = k->of.n;
  double *sum = wn_alloc(2 * n, sizeof *sum);
  int status = sum != NULL ? WN_OK : WN_ENOMEM;
  for (unsigned j = 1; j < WN_CONVERGE_SEEDS && status == WN_OK; j++) {
    struct sets s = {0};
    struct wn_results r = {0};
    status = put(&s, wn_asprintf("seed=%" PRIu64, seed + j));
    if (status == WN_OK)
      status = run_one(y, &s, &r);
    for (size_t i = 0; status == WN_OK && i < n && i < r.n; i++) {
      const double d = r.x[i].value -
                       k->of.x[i].value; /* relative to the first: avoids cancellation */
      sum[i] += d;
      sum[n + i] += d * d;
    }
    wn_results_free(&r);
    clear(&s);
  }
  for (size_t i = 0; i < n && status == WN_OK; i++) {
    const double m = WN_CONVERGE_SEEDS, mean = sum[i] / m;
    error[i] = sqrt(fmax(0.0, (sum[n + i] - m * mean * mean) / (m - 1.0)));
    k->of.x[i].value += mean;
    k->of.x[i].error = error[i] / sqrt(m);
  }
  free(sum);
  return status;
}

/* Factor on the number of particles, for statistical errors: the number a cell stays constant in finer cells. */
static double more_particles(const struct wn_config *c,
                             int (*sets)(const struct wn_config *, size_t, struct sets *),
                             int level)
{
  return sets == population ? ldexp(1.0, level)
         : sets == cells    ? ldexp(1.0, level * c->plasma.dim)
                            : 1.0;
}

/* One parameter at one level; *before: the variant of the previous level, replaced by this one. */
static int vary(const struct study *y, const struct wn_config *c, size_t i, int level,
                const double *error, struct wn_converge *k, int *before)
{
  struct sets s = {0};
  struct wn_results r = {0};
  int status = parameters[i].sets(c, (size_t)1 << level, &s);
  if (status == WN_OK && s.n == 0)
    return WN_OK;
  struct wn_variant *v =
      status == WN_OK ? grow(k, parameters[i].name, level, *before, joined(&s)) : NULL;
  if (v == NULL) {
    clear(&s);
    return WN_ENOMEM;
  }
  wn_log(WN_LOG_INFO, "%s: %s", v->name, v->what);
  status = run_one(y, &s, &r);
  if (status == WN_OK) {
    status = take(k, v, &r);
    for (size_t j = 0; error != NULL && status == WN_OK && j < k->of.n; j++)
      v->x[j].error = error[j] / sqrt(more_particles(c, parameters[i].sets, level));
    *before = (int)k->n - 1;
  } else if (status == WN_EINPUT) {
    wn_log(WN_LOG_WARN, "%s: not run with %s, which was rejected", v->name, v->what);
    *before = -1; /* nor is there a further level */
    status = WN_OK;
  }
  clear(&s);
  return status;
}

static int run_all(const struct study *y, const struct wn_config *c, int n_levels,
                   struct wn_converge *k)
{
  const struct sets none = {0};
  double *error = NULL;
  wn_log(WN_LOG_INFO, "the scenario as it is");
  WN_TRY(run_one(y, &none, &k->of));
  if (grow(k, "scenario", 0, -1, wn_strdup("")) == NULL)
    return WN_ENOMEM;
  int status = WN_OK;
  if (c->model == WN_MODEL_PLASMA) {
    error = wn_alloc(k->of.n, sizeof *error);
    wn_log(WN_LOG_INFO, "the same with %d other seeds", WN_CONVERGE_SEEDS - 1);
    status = error != NULL ? scatter(y, c->seed, k, error) : WN_ENOMEM;
  }
  k->v[0].x = wn_alloc(k->of.n, sizeof *k->v[0].x);
  if (k->v[0].x == NULL)
    status = WN_ENOMEM;
  else
    memcpy(k->v[0].x, k->of.x, k->of.n * sizeof *k->of.x);
  k->v[0].has_run = 1;
  for (size_t i = 0; i < N_PARAMETERS; i++)
    for (int level = 1, before = 0; level < n_levels && before >= 0 && status == WN_OK;
         level++)
      status = vary(y, c, i, level, error, k, &before);
  free(error);
  return status;
}

int wn_converge_run(const char *file, size_t n_set, const char *const *set, int n_levels,
                    const char *output, struct wn_converge *out)
{
  struct wn_scenarios p = {0};
  struct wn_converge k = {0};
  struct study y = {.file = file, .n_set = n_set, .set = set};
  WN_TRY(wn_scenarios_read(file, n_set, set, &p));
  const struct wn_config *c = p.c[0];
  int status = WN_OK;
  if (p.n > 1)
    status = WN_FAIL(WN_EINPUT, "%s: a scan of %zu points; give one of them with --set",
                     file, p.n);
  y.path = wn_asprintf("%s.run.nc", output);
  if (status == WN_OK && y.path != NULL && access(y.path, F_OK) == 0)
    status =
        WN_FAIL(WN_EINPUT, "%s: exists, and the runs need this name; remove it", y.path);
  if (status == WN_OK)
    status = y.path != NULL ? run_all(&y, c, n_levels, &k) : WN_ENOMEM;
  free(y.path);
  wn_scenarios_free(&p);
  if (status != WN_OK)
    wn_converge_free(&k);
  *out = k;
  return status;
}

void wn_converge_free(struct wn_converge *k)
{
  for (size_t i = 0; i < k->n; i++) {
    free(k->v[i].what);
    free(k->v[i].x);
  }
  free(k->v);
  wn_results_free(&k->of);
  *k = (struct wn_converge){0};
}

struct wn_estimate wn_converge_difference(const struct wn_converge *k, size_t v, size_t i)
{
  const struct wn_variant *fine = &k->v[v];
  if (!fine->has_run || fine->before < 0)
    return (struct wn_estimate){NAN, NAN};
  const struct wn_estimate a = k->v[fine->before].x[i], b = fine->x[i];
  return (struct wn_estimate){b.value - a.value, hypot(a.error, b.error)};
}

double wn_converge_order(const struct wn_converge *k, size_t v, size_t i)
{
  const struct wn_variant *fine = &k->v[v];
  if (!fine->has_run || fine->before <= 0)
    return NAN;
  const struct wn_estimate last = wn_converge_difference(k, v, i),
                           first = wn_converge_difference(k, (size_t)fine->before, i);
  if (!(fabs(last.value) > WN_CONVERGE_SEEN * last.error))
    return NAN;
  return log2(fabs(first.value) / fabs(last.value));
}
