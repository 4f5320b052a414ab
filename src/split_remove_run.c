/* src/split_remove_run.c - see split_remove_run.h. */
#include "src/split_remove_run.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "physics/constants.h"
#include "src/base/alloc.h"
#include "src/base/error.h"
#include "src/base/log.h"
#include "src/output.h"
#include "src/progress.h"

#define FIRST_CELL_BELOW_MIDDLE 30 /* the study's cube begins at cell n/2 - 30 */

static int read_table(const char *path, float *split, float *removed)
{
  FILE *f = fopen(path, "r");
  if (f == NULL)
    return WN_FAIL(WN_EINPUT, "%s: %s (key split_remove.table)", path, strerror(errno));
  char line[512];
  int number = 0, n = 0, status = WN_OK, end = 0;
  while (status == WN_OK && fgets(line, sizeof line, f) != NULL) {
    number++;
    char *text = line + strspn(line, " \t\r\n");
    double s, r;
    if ((*text == '\0' || *text == '#') && (strchr(line, '\n') != NULL || feof(f)))
      continue;
    if (strchr(line, '\n') == NULL && !feof(f)) {
      wn_log_at(WN_LOG_ERROR, path, number, "longer than %zu characters",
                sizeof line - 2);
      status = WN_EINPUT;
    } else if (sscanf(text, "%lf %lf %n", &s, &r, &end) != 2 ||
               (text[end] != '\0' && text[end] != '#') || !(s >= 0.0) || !(r >= 0.0) ||
               !(s + r <= 100.0)) {
      wn_log_at(
          WN_LOG_ERROR, path, number,
          "expected two percentages of 0 or more that add up to 100 at most, got `%.40s`",
          strtok(text, "\r\n"));
      status = WN_EINPUT;
    } else if (n == WN_SPLIT_LEVELS) {
      wn_log_at(WN_LOG_ERROR, path, number, "more than %d levels", WN_SPLIT_LEVELS);
      status = WN_EINPUT;
    } else {
      split[n] = (float)s;
      removed[n++] = (float)r;
    }
  }
  if (status == WN_OK && ferror(f))
    status =
        WN_FAIL(WN_EINPUT, "%s: cannot be read to its end: %s", path, strerror(errno));
  fclose(f);
  if (status == WN_OK && n != WN_SPLIT_LEVELS)
    status = WN_FAIL(WN_EINPUT, "%s: %d levels; %d are needed", path, n, WN_SPLIT_LEVELS);
  return status;
}

int wn_split_table(const char *path, float *split, float *removed)
{
  if (path != NULL)
    return read_table(path, split, removed);
  split[0] = removed[0] = 0.0f;
  for (int i = 1; i < WN_SPLIT_LEVELS; i++) {
    double x = i;
    split[i] = removed[i] = (float)((sin(pow(x, 2.6) / 5e7) + 1.01) * pow(x, 0.1));
  }
  return WN_OK;
}

static int release(struct wn_sim *s)
{
  const struct wn_config *c = s->c;
  double first = ((double)(c->split_remove.cells / 2) - FIRST_CELL_BELOW_MIDDLE) *
                 c->split_remove.cell_size;
  double edge = (double)c->split_remove.edge * c->split_remove.cell_size;
  for (size_t i = 0; i < c->electrons; i++) {
    struct wn_split_electron e = {
        .id = wn_rng_child_id(c->seed, (uint64_t)i, 0xffffffffu, 0)};
    struct wn_electron stored;
    struct wn_rng4 r = wn_rng(c->seed, e.id, 0, WN_RNG_INITIAL, 0);
    for (int k = 0; k < 3; k++)
      e.x[k] = first + edge * wn_u01(r.w[k]);
    memcpy(&stored, &e, sizeof stored);
    WN_TRY(wn_particles_append(&s->p, &stored, 1));
  }
  return WN_OK;
}

int wn_split_create(const struct wn_config *c, struct wn_sim **out)
{
  struct wn_sim *s = NULL;
  WN_TRY(wn_sim_create(c, NULL, 0, &s));
  struct wn_split *m = &s->model.split;
  size_t n = c->split_remove.cells;
  float *table = wn_alloc(2 * WN_SPLIT_LEVELS, sizeof *table);
  s->model.ops = &wn_model_split_remove;
  s->model.steps = (unsigned)c->split_remove.mobility_steps;
  s->model.count = wn_alloc(n * n * n, sizeof *s->model.count);
  s->split_table = table;
  int status = table != NULL && s->model.count != NULL ? WN_OK : WN_ENOMEM;
  if (status == WN_OK) {
    double h = c->split_remove.cell_size;
    *m = (struct wn_split){.seed = c->seed,
                           .cells = (int64_t)n,
                           .cell_size = h,
                           .dt = c->split_remove.mobility_step,
                           .k = WN_E * WN_E / (4.0 * WN_PI * WN_EPS0 * h * h * WN_ME),
                           .count = s->model.count,
                           .split = table,
                           .removed = table + WN_SPLIT_LEVELS};
    s->interval = m->dt * s->model.steps;
    status = wn_split_table(c->split_remove.table, table, table + WN_SPLIT_LEVELS);
  }
  if (status == WN_OK)
    status = release(s);
  if (status != WN_OK) {
    wn_sim_free(s);
    return status;
  }
  *out = s;
  return WN_OK;
}

static int define(struct wn_output *o, const struct wn_config *c)
{
  WN_TRY(wn_output_dim(o, "poisson_step", c->split_remove.poisson_steps));
  static const struct wn_output_var vars[] = {
      {.name = "time",
       .units = "s",
       .long_name = "time at the end of the Poisson step",
       .n_dims = 1,
       .dims = {"poisson_step"}},
      {.name = "electrons",
       .units = "1",
       .long_name = "living electrons at the end of the Poisson step",
       .type = WN_OUT_INT64,
       .n_dims = 1,
       .dims = {"poisson_step"}},
      {.name = "births",
       .units = "1",
       .long_name = "electrons born in the Poisson step",
       .type = WN_OUT_INT64,
       .n_dims = 1,
       .dims = {"poisson_step"}},
      {.name = "deaths",
       .units = "1",
       .long_name = "electrons removed in the Poisson step",
       .type = WN_OUT_INT64,
       .n_dims = 1,
       .dims = {"poisson_step"}},
      {.name = "electron_steps",
       .units = "1",
       .long_name = "mobility steps taken by all electrons in the Poisson step",
       .type = WN_OUT_INT64,
       .n_dims = 1,
       .dims = {"poisson_step"}},
      {.name = "mean_square_velocity",
       .units = "m2 s-2",
       .long_name = "mean square velocity of the living",
       .n_dims = 1,
       .dims = {"poisson_step"}},
  };
  for (size_t i = 0; i < sizeof vars / sizeof vars[0]; i++)
    WN_TRY(wn_output_define(o, &vars[i]));
  return WN_OK;
}

/* An integer sum, so that it does not depend on the order of the electrons, which threads
 * change. */
static double mean_square_velocity(const struct wn_sim *s)
{
  const double scale = 0x1p60;
  wn_i128 sum = 0;
  for (size_t i = 0; i < s->p.n; i++) {
    double b2 = 0.0;
    for (int k = 0; k < 3; k++)
      b2 += (double)s->p.e[i].u[k] * (double)s->p.e[i].u[k] * (1.0 / (WN_C * WN_C));
    sum += wn_fix(b2, scale);
  }
  return s->p.n > 0 ? (double)sum / scale * (WN_C * WN_C) / (double)s->p.n : NAN;
}

static int record(struct wn_sim *s, struct wn_output *o, long step)
{
  double v2 = mean_square_velocity(s);
  long long n = (long long)s->p.n, births = (long long)s->tally.n_births,
            deaths = (long long)s->tally.n_deaths,
            steps = (long long)s->tally.n_candidates;
  WN_TRY(wn_output_put(o, "time", step, &s->time));
  WN_TRY(wn_output_put_int(o, "electrons", step, &n));
  WN_TRY(wn_output_put_int(o, "births", step, &births));
  WN_TRY(wn_output_put_int(o, "deaths", step, &deaths));
  WN_TRY(wn_output_put_int(o, "electron_steps", step, &steps));
  WN_TRY(wn_output_put(o, "mean_square_velocity", step, &v2));
  printf("%6ld  %10.4g  %12lld  %12lld  %12lld  %14lld  %12.5g\n", step + 1, s->time, n,
         births, deaths, steps, v2);
  fflush(stdout);
  return wn_output_sync(o);
}

int wn_run_split_remove(const struct wn_config *c, int argc, char *const *argv,
                        int (*interrupted)(void))
{
  struct wn_sim *s = NULL;
  struct wn_output *o = NULL;
  struct wn_progress progress;
  WN_TRY(wn_split_create(c, &s));
  int status = wn_output_create(c->output, &o);
  if (status == WN_OK)
    status = define(o, c);
  if (status == WN_OK)
    status = wn_output_provenance(o, c, argc, argv, 0, NULL);
  if (status == WN_OK)
    status = wn_output_end_define(o);
  wn_progress_init(&progress, 1, c->quiet);
  wn_progress_field(&progress, "split-remove");
  if (status == WN_OK)
    printf("%6s  %10s  %12s  %12s  %12s  %14s  %12s\n", "step", "time s", "electrons",
           "births", "deaths", "electron steps", "<v2> m2/s2");
  uint64_t steps = 0;
  for (size_t i = 0; i < c->split_remove.poisson_steps && status == WN_OK; i++) {
    wn_sim_reset(s);
    status = s->ops->advance(s->sched, &s->model, &s->p, &s->tally);
    if (status != WN_OK)
      break;
    s->time += s->interval;
    wn_particles_compact(&s->p);
    steps += s->tally.n_candidates;
    wn_progress_step(&progress, s->time, s->p.n, steps, steps,
                     (double)(i + 1) / (double)c->split_remove.poisson_steps);
    wn_progress_clear(&progress);
    status = record(s, o, (long)i);
    if (status == WN_OK)
      status = interrupted();
  }
  if (status == WN_OK)
    status = wn_output_close(o);
  else if (o != NULL)
    wn_output_discard(o);
  if (status == WN_OK && !c->quiet)
    wn_log(WN_LOG_INFO, "results are in %s", c->output);
  wn_sim_free(s);
  return status;
}
