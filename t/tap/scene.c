/* t/tap/scene.c - see scene.h. */
#include "t/tap/scene.h"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "bench/study/rectangle.h"
#include "src/jobs/job.h"
#include "src/run/run.h"
#include "src/run/step.h"

const char scene_air[] =
    "groups = 8;\n"
    "gas = { pressure = \"1 atm\"; temperature = \"300 K\"; components = {\n"
    "  N2 = { fraction = 0.79; file = \"builtin:air\"; };\n"
    "  O2 = { fraction = 0.21; file = \"builtin:air\"; };\n"
    "}; };\n";

static void bail_out(const char *what, int status)
{
  printf("Bail out! %s: %s\n", what, wn_status_text(status));
  exit(1);
}

static int is_of_study(const char *const *set)
{
  return set[0] != NULL && strncmp(set[0], "model=", 6) == 0 &&
         strcmp(set[0], "model=\"plasma\"") != 0;
}

void scene_open(struct scene *s, const char *file, const char *text,
                const char *const *set)
{
  size_t n = 0;
  FILE *f;
  int status;
  while (set[n] != NULL)
    n++;
  *s = (struct scene){0};
  if (is_of_study(set)) {
    if ((status = wn_study_read(n, set, &s->study)) != WN_OK)
      bail_out("wn_study_read", status);
    s->config = &s->study->base;
  } else {
    f = fopen(file, "w");
    if (f == NULL || fputs(text, f) < 0 || fclose(f) != 0)
      bail_out(file, WN_EIO);
    status = wn_config_read(file, n, set, &s->config);
    remove(file);
    if (status != WN_OK)
      bail_out("wn_config_read", status);
  }
  free(s->config->device);
  s->config->device = wn_strdup("cpu");
  if (s->config->device == NULL)
    bail_out(file, WN_ENOMEM);
  if (s->study != NULL || !wn_config_has_gas(s->config))
    return;
  status = wn_gas_create(s->config, &s->gas);
  if (status != WN_OK)
    bail_out("wn_gas_create", status);
}

void scene_start(struct scene *s, double interval)
{
  struct wn_device_plan plan;
  wn_sim_free(s->sim);
  s->sim = NULL;
  int status;
  if (s->study != NULL) {
    status = wn_study_create(s->study, &s->sim);
  } else {
    status = wn_device_choose(s->config, &plan);
    if (status == WN_OK)
      status =
          wn_sim_create(s->config, s->gas, &wn_job_of(s->config)->needs, &plan, &s->sim);
    if (status == WN_OK)
      status = wn_sim_begin(s->sim, 0);
  }
  if (status != WN_OK)
    bail_out("a simulation", status);
  if (interval > 0.0)
    s->sim->interval = interval;
}

struct wn_species *scene_species(const struct scene *s)
{
  return s->sim->species[0];
}

struct wn_electron *scene_electrons(const struct scene *s)
{
  return wn_particles_electrons(&s->sim->species[0]->p);
}

int scene_phase(struct scene *s)
{
  return wn_step(s->sim, s->sim->interval);
}

int scene_control(struct scene *s, size_t target, int may_split)
{
  struct wn_species *species = scene_species(s);
  struct wn_population *population = &species->population;
  if (population->target != target || population->may_split != may_split)
    population->n_then = 0; /* earlier counts were for something else */
  population->target = target;
  population->may_split = may_split;
  return wn_species_control(species);
}

void scene_scheduler(struct scene *s, const char *name, int threads)
{
  free(s->config->scheduler);
  s->config->scheduler = wn_strdup(name);
  s->config->threads = threads;
  if (s->config->scheduler == NULL)
    bail_out(name, WN_ENOMEM);
}

void scene_raise_rows(struct scene *s)
{
  const struct wn_xs_view *v = &s->gas->table->view;
  const size_t n = (size_t)v->n_segments * (size_t)v->n_processes;
  struct wn_xs_line *row = (struct wn_xs_line *)(uintptr_t)v->row; /* it is malloc'd */
  for (size_t i = 0; i < n; i++) {
    row[i].at *= 4.0f / 3.0f;
    row[i].slope *= 4.0f / 3.0f;
  }
}

void scene_lower_bands(struct scene *s)
{
  struct wn_species *species = scene_species(s);
  struct wn_mcc *m = wn_species_mcc(species);
  struct wn_field_view field;
  s->sim->field->ops->view(s->sim->field, &field);
  const int status = species->model.ops->set_field(&species->model, &field);
  if (status != WN_OK)
    bail_out("a field", status);
  for (int i = 0; m->banded && i < WN_MCC_BANDS; i++)
    m->band[i].part /= 2;
}

void scene_weigh(struct scene *s, float w)
{
  struct wn_species *species = scene_species(s);
  for (size_t i = 0; i < species->p.n; i++)
    scene_electrons(s)[i].w = w;
  int status = wn_species_refresh(species);
  if (status != WN_OK)
    bail_out("weights", status);
}

int scene_use(struct scene *s, const struct wn_scheduler_ops *ops,
              const struct wn_scheduler_options *o)
{
  return s->study != NULL ? wn_study_use(s->study, s->sim, ops, o)
                          : wn_sim_use(s->sim, ops, o);
}

void scene_close(struct scene *s)
{
  wn_sim_free(s->sim);
  wn_gas_free(s->gas);
  if (s->study != NULL)
    wn_study_free(s->study);
  else
    wn_config_free(s->config);
  *s = (struct scene){0};
}

static size_t id_at; /* of the records that were sorted last */

static int by_id(const void *a, const void *b)
{
  uint64_t p, q;
  memcpy(&p, (const char *)a + id_at, sizeof p);
  memcpy(&q, (const char *)b + id_at, sizeof q);
  return p < q ? -1 : p > q;
}

void scene_sort(void *e, size_t n, size_t record)
{
  /* those of 64 bytes have their id in one place */
  id_at = record == sizeof(struct wn_rectangle_electron)
              ? offsetof(struct wn_rectangle_electron, id)
              : offsetof(struct wn_electron, id);
  qsort(e, n, record, by_id);
}

void scene_run(struct scene *s, int phases, size_t target, struct scene_result *r)
{
  struct wn_species *species = scene_species(s);
  struct wn_particles *p = &species->p;
  *r = (struct scene_result){.record = p->record.bytes};
  while (r->status == WN_OK && r->phases < phases && r->phases < SCENE_MAX_PHASES) {
    r->status = scene_phase(s);
    if (r->status == WN_OK && target > 0)
      r->status = scene_control(s, target, 1);
    if (r->status != WN_OK)
      break;
    r->living[r->phases] = p->n;
    r->status = wn_species_energy(species, &r->energy_ev[r->phases++]);
  }
  int status = wn_particles_read(p);
  if (status != WN_OK)
    bail_out("the electrons", status);
  r->n = p->n;
  r->e = malloc((p->n + 1) * r->record);
  r->n_passage = species->tally.first_passage != NULL ? wn_passages(&species->shape) : 0;
  r->passage = malloc((r->n_passage + 1) * sizeof *r->passage);
  if (r->e == NULL || r->passage == NULL ||
      wn_tally_init(&r->tally, &species->shape) != WN_OK)
    bail_out("a result", WN_ENOMEM);
  memcpy(r->e, p->e, p->n * r->record);
  if (r->n_passage > 0)
    memcpy(r->passage, species->tally.first_passage, r->n_passage * sizeof *r->passage);
  scene_sort(r->e, r->n, r->record);
  wn_tally_add(&r->tally, &species->tally, &species->shape);
}

void scene_result_clear(struct scene_result *r)
{
  free(r->e);
  free(r->passage);
  wn_tally_clear(&r->tally);
  *r = (struct scene_result){0};
}

const char *scene_electrons_differ(const struct scene_result *a,
                                   const struct scene_result *b)
{
  static char text[200];
  size_t i = 0, n = a->n < b->n ? a->n : b->n;
  if (a->status != b->status || a->phases != b->phases) {
    snprintf(text, sizeof text, "%d phases, then %s; %d phases, then %s", a->phases,
             wn_status_text(a->status), b->phases, wn_status_text(b->status));
    return text;
  }
  for (int k = 0; k < a->phases; k++)
    if (a->living[k] != b->living[k]) {
      snprintf(text, sizeof text, "%zu and %zu electrons after phase %d", a->living[k],
               b->living[k], k + 1);
      return text;
    }
  while (i < n && memcmp((const char *)a->e + i * a->record,
                         (const char *)b->e + i * b->record, a->record) == 0)
    i++;
  if (a->n != b->n || i < n) {
    snprintf(text, sizeof text, "%zu and %zu electrons; the first that differs is %zu",
             a->n, b->n, i);
    return text;
  }
  for (int k = 0; k < a->phases; k++)
    if (memcmp(&a->energy_ev[k], &b->energy_ev[k], sizeof a->energy_ev[k]) != 0) {
      snprintf(text, sizeof text, "energies %.17g and %.17g eV after phase %d",
               a->energy_ev[k], b->energy_ev[k], k + 1);
      return text;
    }
  return NULL;
}

const char *scene_tallies_differ(const struct scene_result *a,
                                 const struct scene_result *b,
                                 const struct wn_tally_shape *shape)
{
  const struct wn_tally *p = &a->tally, *q = &b->tally;
  size_t groups = (size_t)shape->n_groups,
         processes = groups * (size_t)shape->n_processes, thresholds = wn_passed(shape);
  if (p->n_candidates != q->n_candidates || p->n_real != q->n_real)
    return "candidates or real collisions";
  if (p->n_births != q->n_births || p->n_deaths != q->n_deaths)
    return "births or deaths";
  if (p->alarms->n_violations != q->alarms->n_violations ||
      p->alarms->violator != q->alarms->violator ||
      p->alarms->n_beyond != q->alarms->n_beyond ||
      p->alarms->n_forbidden != q->alarms->n_forbidden)
    return "violations, beyond or forbidden";
  if (memcmp(&p->alarms->max_energy_ev, &q->alarms->max_energy_ev,
             sizeof p->alarms->max_energy_ev) != 0)
    return "highest energy";
  if (memcmp(p->group, q->group, groups * sizeof *p->group) != 0)
    return "sums of a group";
  if (memcmp(p->surface, q->surface, wn_tally_surfaces(shape) * sizeof *p->surface) != 0)
    return "what ended at the sides";
  if (memcmp(p->count, q->count, processes * sizeof *p->count) != 0)
    return "counts of processes";
  if (memcmp(p->lost, q->lost, processes * sizeof *p->lost) != 0)
    return "energy lost";
  if (memcmp(p->passed, q->passed, thresholds * sizeof *p->passed) != 0)
    return "thresholds passed";
  if (a->n_passage != b->n_passage ||
      memcmp(a->passage, b->passage, a->n_passage * sizeof *a->passage) != 0)
    return "first passages";
  return NULL;
}

static uint64_t id_of(const struct scene_result *r, size_t i)
{
  uint64_t id;
  memcpy(&id, (const char *)scene_record(r, i) + id_at, sizeof id);
  return id;
}

size_t scene_common_ids(const struct scene_result *a, const struct scene_result *b)
{
  size_t n = 0;
  for (size_t i = 0, j = 0; i < a->n && j < b->n;) {
    uint64_t p = id_of(a, i), q = id_of(b, j);
    n += p == q;
    if (p < q)
      i++;
    else
      j++;
  }
  return n;
}

size_t scene_ids_twice(const struct scene_result *r)
{
  size_t n = 0;
  for (size_t i = 1; i < r->n; i++)
    n += id_of(r, i) == id_of(r, i - 1);
  return n;
}
