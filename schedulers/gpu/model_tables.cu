/* schedulers/gpu/model_tables.cu - see model_tables.cuh. */
#include "schedulers/gpu/model_tables.cuh"
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"

/* Fingerprint of the contents of a table: sums of words and sums of those sums, in LANES
 * independent lanes.  It always detects the change of one word, and nearly always the
 * exchange of two words of a lane. */
#define LANES 4

static inline void mix(const void *at, uint64_t sum[LANES], uint64_t sums[LANES])
{
  uint64_t w[LANES];
  memcpy(w, at, sizeof w);
  for (int k = 0; k < LANES; k++) {
    sum[k] += w[k];
    sums[k] += sum[k];
  }
}

static void fingerprint(const void *table, size_t bytes, uint64_t print[2])
{
  const unsigned char *at = (const unsigned char *)table;
  uint64_t sum[LANES] = {}, sums[LANES] = {}, rest[LANES] = {};
  size_t i = 0;
  for (; bytes - i >= sizeof rest; i += sizeof rest)
    mix(at + i, sum, sums);
  memcpy(rest, at + i, bytes - i);
  mix(rest, sum, sums);
  print[0] = print[1] = bytes;
  for (int k = 0; k < LANES; k++) { /* odd multipliers that differ in many bits */
    print[0] = (print[0] ^ sum[k]) * 0x9e3779b97f4a7c15ull;
    print[1] = (print[1] ^ sums[k]) * 0xbf58476d1ce4e5b9ull;
  }
}

static const void *pointer_at(const void *data, size_t member)
{
  const void *pointer;
  memcpy(&pointer, (const char *)data + member, sizeof pointer);
  return pointer;
}

/* Describe the present tables of the model; returns their number. */
static int describe(const struct wn_model *model, struct wn_gpu_table *table)
{
  struct wn_model_table list[WN_MODEL_TABLES];
  const size_t n = model->ops->tables != NULL ? model->ops->tables(model, list) : 0;
  memset(table, 0, n * sizeof *table);
  for (size_t i = 0; i < n; i++) {
    table[i].member = list[i].member;
    table[i].host = pointer_at(model->data, list[i].member);
    table[i].bytes = table[i].host != NULL ? list[i].bytes : 0;
    if (table[i].bytes > 0 && table[i].bytes <= WN_GPU_WATCHED)
      fingerprint(table[i].host, table[i].bytes, table[i].print);
  }
  return (int)n;
}

static bool is_same(const struct wn_gpu_table *a, const struct wn_gpu_table *b)
{
  return a->host == b->host && a->member == b->member && a->bytes == b->bytes &&
         a->print[0] == b->print[0] && a->print[1] == b->print[1];
}

static void release(struct wn_gpu *g, struct wn_gpu_tables *t)
{
  for (int i = 0; i < t->n; i++)
    wn_gpu_release(g, t->table[i].device, t->table[i].bytes);
  t->n = 0;
  t->data = NULL;
}

int wn_gpu_tables_update(struct wn_gpu *g, struct wn_gpu_tables *t,
                         const struct wn_model *model)
{
  struct wn_gpu_table table[WN_MODEL_TABLES];
  const int n = describe(model, table);
  bool same = t->data == model->data && t->n == n;
  for (int i = 0; i < n && same; i++)
    same = is_same(&table[i], &t->table[i]);
  t->is_new = 1;
  if (same)
    return WN_OK;
  release(g, t);
  for (int i = 0; i < n; i++) {
    t->table[i] = table[i];
    t->n = i + 1;
    if (table[i].bytes == 0)
      continue;
    WN_TRY(wn_gpu_alloc(g, "tables of the model", table[i].bytes, &t->table[i].device));
    WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(t->table[i].device, table[i].host,
                                             table[i].bytes, cudaMemcpyHostToDevice,
                                             g->stream),
                        "copying the tables of the model"));
  }
  WN_TRY(wn_gpu_wait(g, "copying the tables of the model"));
  t->data = model->data; /* set only after all copies succeeded */
  return WN_OK;
}

int wn_gpu_tables_model(struct wn_gpu_tables *t, const struct wn_model *model,
                        const struct wn_model **out)
{
  const size_t bytes = model->ops->bytes;
  if (bytes > t->args_bytes) {
    free(t->args);
    t->args_bytes = 0;
    t->args = wn_alloc_aligned(1, wn_gpu_round(bytes, 64), 64);
    if (t->args == NULL)
      return WN_ENOMEM;
    t->args_bytes = bytes;
  }
  memcpy(t->args, model->data, bytes);
  for (int i = 0; i < t->n; i++)
    memcpy((char *)t->args + t->table[i].member, &t->table[i].device,
           sizeof t->table[i].device);
  t->model = *model;
  t->model.data = t->args;
  *out = &t->model;
  return WN_OK;
}

void wn_gpu_tables_free(struct wn_gpu *g, struct wn_gpu_tables *t)
{
  if (g != NULL)
    release(g, t);
  free(t->args);
  *t = wn_gpu_tables();
}
