/* t/tap/scene.c - see scene.h. */
#include "t/tap/scene.h"
#include <stdio.h>
#include <stdlib.h>
#include "src/base/alloc.h"
#include "src/base/error.h"
#include "src/split_remove_run.h"

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

void scene_open(struct scene *s, const char *file, const char *text,
                const char *const *set)
{
  size_t n = 0;
  FILE *f = fopen(file, "w");
  if (f == NULL || fputs(text, f) < 0 || fclose(f) != 0)
    bail_out(file, WN_EIO);
  while (set[n] != NULL)
    n++;
  *s = (struct scene){0};
  int status = wn_config_read(file, n, set, &s->config);
  remove(file);
  if (status != WN_OK)
    bail_out("wn_config_read", status);
  if (s->config->model == WN_MODEL_SPLIT_REMOVE)
    return;
  status = wn_gas_create(s->config, &s->gas);
  if (status != WN_OK)
    bail_out("wn_gas_create", status);
}

void scene_start(struct scene *s, double interval)
{
  wn_sim_free(s->sim);
  s->sim = NULL;
  int status = s->gas == NULL ? wn_split_create(s->config, &s->sim)
                              : wn_sim_create(s->config, s->gas, 0, &s->sim);
  if (status == WN_OK && interval > 0.0)
    wn_sim_set_interval(s->sim, interval);
  if (status == WN_OK && s->gas != NULL)
    status = wn_sim_release(s->sim);
  if (status != WN_OK)
    bail_out("a simulation", status);
}

void scene_scheduler(struct scene *s, const char *name, int threads)
{
  free(s->config->scheduler);
  s->config->scheduler = wn_strdup(name);
  s->config->threads = threads;
  if (s->config->scheduler == NULL)
    bail_out(name, WN_ENOMEM);
}

void scene_close(struct scene *s)
{
  wn_sim_free(s->sim);
  wn_gas_free(s->gas);
  wn_config_free(s->config);
  *s = (struct scene){0};
}

static int by_id(const void *a, const void *b)
{
  const struct wn_electron *p = a, *q = b;
  return p->id < q->id ? -1 : p->id > q->id;
}

void scene_sort(struct wn_electron *e, size_t n)
{
  qsort(e, n, sizeof *e, by_id);
}
