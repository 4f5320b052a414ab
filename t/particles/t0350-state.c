/* t0350-state.c - defends: the lists of members that are saved and restored
 * (base/state.h) name everything that the rest of a case depends on.  A case is stopped
 * after some steps, its state saved in memory and restored into objects made anew; both
 * go on, and end in the same state, to the last byte: particles, sums, clock, job and
 * diagnostics, for every job and model, in relaxation and inside a block of samples; and
 * would write the same record.  And: what does not fit is refused with its name.
 * Reference: the case that was not disturbed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/log.h"
#include "base/state.h"
#include "bench/study/difference.h"
#include "fields/field.h"
#include "particles/particles.h"
#include "src/jobs/job.h"
#include "src/run/run.h"
#include "src/run/step.h"
#include "t/tap/capture.h"
#include "t/tap/command.h"
#include "t/tap/scene.h"
#include "t/tap/tap.h"

#define SCENARIO "t0350-state.cfg"
#define MAX      16 /* diagnostics of a job */

static const struct {
  const char *name;
  int before, after; /* steps */
  const char *set[10];
} cases[] = {
    {"swarm, relaxation",
     20,
     60,
     {"job=\"swarm\"", "fields=[\"200 Td\"]", "electrons=200", "sampling.block=4"}},
    {"swarm, inside its second block of six",
     53,
     60,
     {"job=\"swarm\"", "fields=[\"400 Td\"]", "electrons=200", "relaxation=\"20 ps\"",
      "sampling.block=7", "sampling.interval=\"0.5 ps\"", "duration=\"20 ps\"",
      "mobility_steps=3"}},
    {"swarm that chooses how many samples a block has, inside its second",
     100,
     60,
     {"job=\"swarm\"", "fields=[\"100 Td\"]", "electrons=64", "relaxation=\"20 ps\"",
      "duration=\"1 ns\""}},
    {"swarm that aims at coefficients by name, after looks at them",
     260,
     100,
     {"job=\"swarm\"", "fields=[\"400 Td\"]", "electrons=64", "relaxation=\"20 ps\"",
      "sampling.block=4", "accuracy={bulk_DL=0.01; ionization=0.01;}"}},
    {"swarm in a magnetic field",
     30,
     30,
     {"job=\"swarm\"", "fields=[\"200 Td\"]", "electrons=50", "relaxation=\"10 ps\"",
      "sampling.block=5", "magnetic_field=\"5 T\""}},
    {"swarm in a field that changes, inside its second period",
     60,
     30,
     {"job=\"swarm\"", "fields=[\"400 Td\"]", "electrons=100", "relaxation=\"0 s\"",
      "sampling.interval=\"0.25 ps\"", "waveform.shape=\"sine\"",
      "waveform.frequency=\"100 GHz\"", "waveform.rows=8"}},
    {"swarm before its field begins to change",
     7,
     30,
     {"job=\"swarm\"", "fields=[\"400 Td\"]", "electrons=100", "relaxation=\"5 ps\"",
      "duration=\"20 ps\"", "sampling.interval=\"0.5 ps\"", "waveform.shape=\"pulse\"",
      "waveform.rise=\"3 ps\"", "waveform.length=\"9 ps\""}},
    {"runaway with population control",
     20,
     10,
     {"job=\"runaway\"", "duration=\"1 ns\"", "fields=[\"1200 Td\"]", "electrons=200",
      "sampling.interval=\"0.4 ps\"", "population.target=400",
      "runaway.thresholds=[\"30 eV\", \"100 eV\"]", "runaway.stop_above=\"300 eV\""}},
    {"runaway whose store is nearly full",
     20,
     1,
     {"job=\"runaway\"", "duration=\"1 ns\"", "fields=[\"1200 Td\"]", "electrons=200",
      "sampling.interval=\"0.4 ps\"", "population.capacity=4200",
      "runaway.thresholds=[\"30 eV\"]"}},
    {"split-remove",
     3,
     4,
     {"model=\"split-remove\"", "electrons=500", "split_remove.cells=64",
      "split_remove.edge=8", "split_remove.mobility_steps=50",
      "split_remove.mobility_step=\"100 ps\""}},
    {"rectangle",
     3,
     3,
     {"model=\"rectangle\"", "electrons=500", "rectangle.split_chance=0.5",
      "rectangle.mobility_steps=50"}},
    {"box",
     2,
     2,
     {"model=\"box\"", "electrons=200", "box.mobility_step=\"5 ms\"",
      "box.mobility_steps=100"}},
    {"plasma between a wall and a mirror",
     20,
     20,
     {"model=\"plasma\"", "duration=\"10 ns\"", "grid.cells=[32]", "grid.length=\"1 cm\"",
      "walls={x_low={field=\"dirichlet\";};x_high={field=\"neumann\";};}",
      "species={e={density=\"1e12 m-3\";temperature=\"10 eV\";per_cell=20;};}",
      "plasma.time_step=\"20 ps\"", "plasma.background=true", "plasma.modes=[1]"}},
    {"plasma with collisions and ions",
     10,
     10,
     {"model=\"plasma\"", "duration=\"10 ns\"", "grid={cells=[32];length=\"0.2 mm\";}",
      "walls={x_low={field=\"dirichlet\";};x_high={field=\"dirichlet\";voltage=\"2 "
      "kV\";};}",
      "species={e={density=\"1e15 m-3\";temperature=\"5 "
      "eV\";per_cell=20;collisions=\"gas\";ions=\"i\";anions=\"a\";};i={density=\"0 "
      "m-3\";charge=1;mass=\"28 u\";};a={density=\"0 m-3\";mobile=false;};}",
      "gas={pressure=\"1 bar\";components={N2={fraction=0.8;file=\"builtin:air\";};O2={"
      "fraction=0.2;file=\"builtin:air\";};};}",
      "plasma.time_step=\"1 ps\"", "plasma.mobility_steps=3"}},
};

/* A case in hand. */
struct play {
  struct scene scene;
  const struct wn_job_ops *ops; /* NULL: of the study, which has no jobs */
  struct wn_job *job;
  struct wn_diag *diag[MAX];
};

static void must(int status, const char *what)
{
  if (status != WN_OK) {
    printf("Bail out! %s: %s\n", what, wn_status_text(status));
    exit(1);
  }
}

static void begin(struct play *p, const char *const *set)
{
  *p = (struct play){0};
  scene_open(&p->scene, SCENARIO, strncmp(set[0], "model", 5) == 0 ? "" : scene_air, set);
  scene_scheduler(&p->scene, "serial", 1);
  scene_start(&p->scene, 0.0);
  if (p->scene.study != NULL)
    return;
  p->ops = wn_job_of(p->scene.config);
  must(p->ops->create(p->scene.sim, &p->job), "a job");
  for (size_t k = 0; p->ops->diags[k] != NULL; k++) {
    WN_ASSERT(k < MAX);
    if (p->ops->diags[k]->create != NULL)
      must(p->ops->diags[k]->create(p->scene.sim, &p->diag[k]), "a diagnostic");
  }
  if (p->ops->use_diags != NULL)
    p->ops->use_diags(p->job, p->diag);
}

static void end(struct play *p)
{
  for (size_t k = 0; p->ops != NULL && p->ops->diags[k] != NULL; k++)
    if (p->diag[k] != NULL)
      p->ops->diags[k]->free(p->diag[k]);
  if (p->ops != NULL)
    p->ops->free(p->job);
  scene_close(&p->scene);
}

/* As src/run/time_loop.c does, but for what only writes to a file. */
static void steps(struct play *p, int n)
{
  struct wn_sim *s = p->scene.sim;
  for (int i = 0; i < n && p->ops == NULL; i++) {
    must(wn_step(s, s->interval), "a step");
    wn_sim_reset(s);
  }
  for (int i = 0; i < n && p->ops != NULL && !p->ops->done(p->job); i++) {
    must(wn_step(s, p->ops->interval(p->job)), "a step");
    must(wn_species_control(s->species[0]), "population control");
    for (size_t k = 0; p->ops->diags[k] != NULL; k++)
      if (p->ops->diags[k]->sample != NULL && p->ops->diags[k]->state != NULL)
        must(p->ops->diags[k]->sample(p->diag[k], s, NULL), "a sample");
    must(p->ops->next(p->job, s), "a job's decision");
  }
}

static int state(struct play *p, struct wn_state *s)
{
  WN_TRY(wn_sim_state(p->scene.sim, s));
  if (p->ops == NULL)
    return WN_OK;
  WN_TRY(p->ops->state(p->job, s));
  for (size_t k = 0; p->ops->diags[k] != NULL; k++)
    if (p->ops->diags[k]->state != NULL)
      WN_TRY(p->ops->diags[k]->state(p->diag[k], s));
  return WN_OK;
}

/* The record that the case would leave now. */
static void report(struct play *p, const char *path)
{
  const struct wn_config *c = p->scene.config;
  const struct wn_gas *gas = p->scene.gas;
  const struct wn_diag_ops *const *d = p->ops->diags;
  struct wn_output *o = NULL;
  FILE *nowhere = fopen("/dev/null", "w");
  must(nowhere != NULL ? wn_output_create(path, &o) : WN_EIO, path);
  if (p->ops->define != NULL)
    must(p->ops->define(o, c, gas), "variables");
  for (size_t k = 0; d[k] != NULL; k++)
    must(d[k]->define(o, c, gas), "variables");
  must(wn_output_end_define(o), "the end of the header");
  for (size_t k = 0; d[k] != NULL; k++)
    if (d[k]->write != NULL)
      must(d[k]->write(p->diag[k], p->scene.sim, 1, o), "a record");
  if (p->ops->finish != NULL)
    must(p->ops->finish(p->job, p->scene.sim, p->diag, o, nowhere), "a line");
  fclose(nowhere);
  must(wn_output_close(o), path);
}

static int same(const struct wn_state *a, const struct wn_state *b)
{
  return a->n == b->n && memcmp(a->bytes, b->bytes, a->n) == 0;
}

static void round_trip(size_t which)
{
  const char *name = cases[which].name;
  struct play straight, again;
  struct wn_state at_stop, at_stop_again, at_end, at_end_again;
  wn_state_init(&at_stop);
  wn_state_init(&at_stop_again);
  wn_state_init(&at_end);
  wn_state_init(&at_end_again);
  begin(&straight, cases[which].set);
  steps(&straight, cases[which].before);
  must(state(&straight, &at_stop), "saving");
  if (strstr(name, "chooses") != NULL)
    ok(straight.scene.sim->n_lags > 16 && straight.scene.sim->lag > 0,
       "%s: it is at %zu of %zu", name, straight.scene.sim->lag,
       straight.scene.sim->n_lags);
  begin(&again, cases[which].set);
  wn_state_rewind(&at_stop);
  is_int(state(&again, &at_stop), WN_OK, "%s: restored", name);
  ok(at_stop.at == at_stop.n, "%s: all of it, %zu bytes", name, at_stop.n);
  must(state(&again, &at_stop_again), "saving");
  ok(same(&at_stop, &at_stop_again), "%s: saved again, it is the same", name);
  steps(&straight, cases[which].after);
  steps(&again, cases[which].after);
  must(state(&straight, &at_end), "saving");
  must(state(&again, &at_end_again), "saving");
  ok(!same(&at_stop, &at_end), "%s: %d steps change something", name, cases[which].after);
  ok(same(&at_end, &at_end_again), "%s: both end in the same state, every byte", name);
  if (straight.scene.gas != NULL) { /* the others write a record a step */
    size_t n;
    report(&straight, "t0350-straight.nc");
    report(&again, "t0350-again.nc");
    const char *differs = command_nc_differs("t0350-straight.nc", "t0350-again.nc", &n);
    ok(differs == NULL && n > 100, "%s: and would write the same, %zu numbers%s%s", name,
       n, differs ? "; differs: " : "", differs ? differs : "");
    remove("t0350-straight.nc");
    remove("t0350-again.nc");
  }
  wn_state_clear(&at_stop);
  wn_state_clear(&at_stop_again);
  wn_state_clear(&at_end);
  wn_state_clear(&at_end_again);
  end(&straight);
  end(&again);
}

static void refused(void)
{
  struct wn_state s;
  uint32_t four = 4, other = 0;
  uint64_t eight = 0;
  const char *text;
  wn_state_init(&s);
  must(wn_state_item(&s, "four", &four, sizeof four), "saving");
  wn_state_rewind(&s);
  capture();
  int status = wn_state_item(&s, "five", &other, sizeof other);
  text = captured();
  ok(status == WN_EINPUT && strstr(text, "five") && strstr(text, "four"),
     "another name is refused, with both: %s", text);
  capture();
  status = wn_state_item(&s, "four", &eight, sizeof eight);
  text = captured();
  ok(status == WN_EINPUT && strstr(text, "8 bytes") && strstr(text, "4 bytes"),
     "another size is refused, with both: %s", text);
  is_int(wn_state_item(&s, "four", &other, sizeof other), WN_OK, "what fits is taken");
  is_int((long long)other, 4, "with its value");
  capture();
  status = wn_state_item(&s, "more", &other, sizeof other);
  text = captured();
  is_int(status, WN_EINPUT, "beyond the end there is nothing");

  /* 24 letters without an end, which fuzzing found to be read past */
  memset(s.bytes, 'x', 24);
  wn_state_rewind(&s);
  capture();
  status = wn_state_item(&s, "four", &other, sizeof other);
  text = captured();
  ok(status == WN_EINPUT && strstr(text, "found `xxxxxxxxxxxxxxxxxxxxxxxx` of 4 bytes"),
     "a name that has no end is shown to its end: %s", text);
  wn_state_clear(&s);
}

/* Records of another size, or with t_left elsewhere, do not go into a store. */
static void refused_particles(void)
{
  const struct wn_record saved = {64, 16, 0},
                         others[] = {{32, 16, 0}, {64, 32, 0}, {64, 16, 1}};
  struct wn_particles from, to;
  struct wn_state s;
  must(wn_particles_init(&from, &saved, 4, 4), "particles");
  from.n = 4;
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
    char want[64];
    wn_state_init(&s);
    must(wn_particles_state(&from, &s), "saving");
    wn_state_rewind(&s);
    must(wn_particles_init(&to, &others[i], 4, 4), "particles");
    snprintf(want, sizeof want, "records of 64 bytes (t_left at 16), this species of %zu",
             others[i].bytes);
    capture();
    int status = wn_particles_state(&to, &s);
    const char *text = captured();
    ok(status == WN_EINPUT && strstr(text, want) != NULL,
       "records of %zu bytes, t_left at %zu: refused, with both: %s", others[i].bytes,
       others[i].t_left, text);
    ok(to.n == 0 && to.record.bytes == others[i].bytes &&
           to.record.t_left == others[i].t_left,
       "and the particles are as they were");
    wn_particles_clear(&to);
    wn_state_clear(&s);
  }
  wn_particles_clear(&from);
}

/* Nor does a grid of another size become that of a field. */
static void refused_field(void)
{
  const struct wn_field_ops *ops;
  struct wn_field *from, *to;
  struct wn_field_view view;
  struct wn_state s;
  must(wn_difference_create(8, 1.0, NULL, &from), "8^3");
  must(wn_difference_create(4, 1.0, NULL, &to), "4^3");
  ops = from->ops;
  wn_state_init(&s);
  must(ops->state(from, &s), "saving");
  wn_state_rewind(&s);
  is_int(ops->state(from, &s), WN_OK, "a grid of the same size is taken");
  wn_state_rewind(&s);
  capture();
  int status = ops->state(to, &s);
  const char *text = captured();
  ok(status == WN_EINPUT && strstr(text, "8^3") != NULL && strstr(text, "4^3") != NULL,
     "a grid of another size is refused, with both: %s", text);
  ops->view(to, &view);
  is_int(((const struct wn_difference_view *)view.of.other)->cells, 4,
         "and the field has the grid that it had");
  wn_state_clear(&s);
  ops->free(from);
  ops->free(to);
}

int main(void)
{
  plan(0);
  wn_log_set_level(WN_LOG_ERROR);
  refused();
  refused_particles();
  refused_field();
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    round_trip(i);
  return done();
}
