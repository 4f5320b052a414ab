/* t/tap/two_devices.c - see two_devices.h. */
#include "t/tap/two_devices.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "src/jobs/job.h"
#include "src/sim/device.h"

void two_must(int status, const char *what)
{
  if (status == WN_OK)
    return;
  printf("Bail out! %s: %s\n", what, wn_status_text(status));
  exit(1);
}

void two_open(const char *file, const char *device, struct two_plasma *p)
{
  struct wn_device_plan plan;
  char d[64];
  snprintf(d, sizeof d, "device=%s", device);
  const char *const set[] = {d};
  *p = (struct two_plasma){0};
  two_must(wn_config_read(file, 1, set, &p->c), "the scenario");
  two_must(wn_device_choose(p->c, &plan), device);
  if (wn_config_has_gas(p->c))
    two_must(wn_gas_create(p->c, &p->gas), "the gas");
  two_must(wn_sim_create(p->c, p->gas, &wn_job_of(p->c)->needs, &plan, &p->s), "sim");
  two_must(wn_sim_begin(p->s, 0), "the start");
}

/* ---- the field of another plasma, as the host has it */

struct shared {
  struct wn_field head;
  struct wn_field *of;
};

static struct wn_field *of(const struct wn_field *f)
{
  return ((const struct shared *)(const void *)f)->of;
}

static void view(const struct wn_field *f, struct wn_field_view *out)
{
  out->kind = WN_FIELD_GRID;
  two_must(wn_field_gathered(of(f), &out->of.grid), "the field of the GPU");
}

static size_t nodes(const struct wn_field *f)
{
  return wn_field_nodes(of(f));
}

static int e_of(struct wn_field *f, int axis, double *e)
{
  return wn_field_e(of(f), axis, e);
}

static int density(struct wn_field *f, size_t k, double *n)
{
  return wn_field_density(of(f), k, n);
}

/* From the densities at all nodes. */
static int densest(struct wn_field *f, size_t k, double *most)
{
  const size_t n = wn_field_nodes(of(f));
  double *all = malloc(n * sizeof *all);
  WN_ASSERT(all != NULL);
  const int status = wn_field_density(of(f), k, all);
  *most = 0.0;
  for (size_t i = 0; i < n && status == WN_OK; i++)
    *most = fmax(*most, all[i]);
  free(all);
  return status;
}

static const struct wn_electrodes *electrodes(const struct wn_field *f)
{
  return wn_field_electrodes(of(f));
}

static const struct wn_field_grid_ops on_grid = {.nodes = nodes,
                                                 .e = e_of,
                                                 .density = density,
                                                 .densest = densest,
                                                 .electrodes = electrodes};
static const struct wn_field_ops shared_ops = {
    .name = "shared", .view = view, .grid = &on_grid};

void two_share(struct two_plasma *cpu, const struct two_plasma *gpu)
{
  struct shared *f = malloc(sizeof *f);
  WN_ASSERT(f != NULL && cpu->own == NULL);
  *f = (struct shared){.head.ops = &shared_ops, .of = gpu->s->field};
  cpu->own = cpu->s->field;
  cpu->s->field = &f->head;
}

void two_close(struct two_plasma *p)
{
  if (p->own != NULL) {
    free(p->s->field);
    p->s->field = p->own;
  }
  wn_sim_free(p->s);
  wn_gas_free(p->gas);
  wn_config_free(p->c);
  *p = (struct two_plasma){0};
}

/* ---- records */

struct wn_particles *two_store(const struct two_plasma *p, size_t k)
{
  return &p->s->species[k]->p;
}

static size_t record_bytes;

static int by_bytes(const void *a, const void *b)
{
  return memcmp(a, b, record_bytes);
}

static unsigned char *sorted(const struct wn_particles *p)
{
  const size_t bytes = p->record.bytes;
  unsigned char *e = malloc(p->n * bytes + 1);
  WN_ASSERT(e != NULL);
  if (p->n > 0)
    memcpy(e, p->e, p->n * bytes);
  record_bytes = bytes;
  qsort(e, p->n, bytes, by_bytes);
  return e;
}

int two_same_records(struct wn_particles *a, struct wn_particles *b)
{
  two_must(wn_particles_read(a), "from the GPU");
  two_must(wn_particles_read(b), "from the GPU");
  unsigned char *x = sorted(a), *y = sorted(b);
  const int same = a->n == b->n && a->record.bytes == b->record.bytes &&
                   memcmp(x, y, a->n * a->record.bytes) == 0;
  free(x);
  free(y);
  return same;
}
