/* bench/study/study_config.c - the keys of the study: the models' own, and those that runs of
 * the program have, too. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "bench/study/lists.h"
#include "bench/study/study.h"
#include "src/config/units.h"

static const struct wn_study_kind *const kinds[] = {&wn_study_split_remove,
                                                    &wn_study_rectangle, &wn_study_box};
enum { N_KINDS = sizeof kinds / sizeof kinds[0] };

enum type { QUANTITY, COUNT, SEED, INT, TEXT };

struct key {
  const char *key;
  enum type type;
  size_t offset;
  const char *def; /* NULL: none */
  double min, max;
  enum wn_unit_kind unit;
  int above; /* min itself is not allowed */
};
#define AT(field) offsetof(struct wn_study, field)

/* Mobility steps are counted in a float: 2^24. */
#define STEPS(model, step)                                                               \
  {#model ".poisson_steps", COUNT, AT(model.steps.poisson), "10", 1, 1e9, 0, 0},         \
      {#model ".mobility_steps",                                                         \
       COUNT,                                                                            \
       AT(model.steps.mobility),                                                         \
       "1000",                                                                           \
       1,                                                                                \
       0x1p24,                                                                           \
       0,                                                                                \
       0},                                                                               \
  {                                                                                      \
#model ".mobility_step", QUANTITY, AT(model.steps.dt), step, 0, 1, WN_UNIT_TIME, 1   \
  }

static const struct key keys[] = {
    {"seed", SEED, AT(base.seed), "1", 0, 9223372036854775807.0, 0, 0},
    {"electrons", COUNT, AT(base.electrons), "1000000", 1, 4e9, 0, 0},
    {"population.capacity", COUNT, AT(base.capacity), "100000000", 1, 4e9, 0, 0},
    {"device", TEXT, AT(base.device), "auto", 0, 0, 0, 0},
    {"scheduler", TEXT, AT(base.scheduler), "auto", 0, 0, 0, 0},
    {"threads", INT, AT(base.threads), "0", 0, 4096, 0, 0},
    {"block_size", INT, AT(base.block_size), "0", 0, 1024, 0, 0},
    /* a cube of cells, and the one in its middle in which the electrons start */
    {"split_remove.cells", COUNT, AT(split_remove.cells), "512", 1, 1024, 0, 0},
    {"split_remove.edge", COUNT, AT(split_remove.edge), "62", 1, 1024, 0, 0},
    {"split_remove.cell_size", QUANTITY, AT(split_remove.cell_size), "1 cm", 0, 1e3,
     WN_UNIT_LENGTH, 1},
    STEPS(split_remove, "1 ps"),
    {"split_remove.constant", QUANTITY, AT(split_remove.constant), "0", 0, 100, 0, 0},
    {"split_remove.table", TEXT, AT(split_remove.table), NULL, 0, 0, 0, 0},
    {"rectangle.width", QUANTITY, AT(rectangle.width), "1 m", 0, 1e6, WN_UNIT_LENGTH, 1},
    {"rectangle.height", QUANTITY, AT(rectangle.height), "1 m", 0, 1e6, WN_UNIT_LENGTH,
     1},
    {"rectangle.split_chance", QUANTITY, AT(rectangle.split_chance), "0.01", 0, 100, 0,
     0},
    {"rectangle.remove_chance", QUANTITY, AT(rectangle.remove_chance), "0", 0, 100, 0, 0},
    STEPS(rectangle, "1 ps"),
    {"box.width", QUANTITY, AT(box.width), "1 m", 0, 1e6, WN_UNIT_LENGTH, 1},
    {"box.height", QUANTITY, AT(box.height), "1 m", 0, 1e6, WN_UNIT_LENGTH, 1},
    {"box.gravity", QUANTITY, AT(box.gravity), "9.80665", 0, 1e30, 0, 1},
    STEPS(box, "0.1 ms"),
};
enum { N_KEYS = sizeof keys / sizeof keys[0] };

void wn_study_keys(FILE *to)
{
  for (int i = 0; i < N_KEYS; i++)
    fprintf(to, "%-28s %s\n", keys[i].key, keys[i].def != NULL ? keys[i].def : "");
}

static int wrong(const struct key *k, const char *value, const char *what)
{
  if (k->type == TEXT)
    return WN_FAIL(WN_EINPUT, "key `%s` = %s: %s", k->key, value, what);
  return WN_FAIL(WN_EINPUT, "key `%s` = %s: %s; allowed: %s%.9g to %.9g%s%s", k->key,
                 value, what, k->above ? "above " : "", k->min, k->max,
                 k->unit != WN_UNIT_NONE ? " " : "", wn_config_units_base(k->unit));
}

static int put(const struct key *k, const char *value, struct wn_study *y)
{
  void *at = (char *)y + k->offset;
  if (k->type == TEXT) {
    char *copied = wn_strdup(value);
    if (copied == NULL)
      return WN_ENOMEM;
    free(*(char **)at);
    *(char **)at = copied;
    return WN_OK;
  }
  double v;
  if (wn_config_units_parse(k->unit, value, &v, NULL, NULL) != WN_UNIT_GOOD)
    return wrong(k, value, "is no such number");
  if (!(v >= k->min && v <= k->max) || (k->above && v == k->min))
    return wrong(k, value, "out of range");
  if (k->type != QUANTITY && v != floor(v))
    return wrong(k, value, "is not a whole number");
  switch (k->type) {
  case QUANTITY:
    *(double *)at = v;
    return WN_OK;
  case COUNT:
    *(size_t *)at = (size_t)v;
    return WN_OK;
  case SEED: /* a double has not got all of its bits */
    *(uint64_t *)at = strtoull(value, NULL, 10);
    return WN_OK;
  default:
    *(int *)at = (int)v;
    return WN_OK;
  }
}

static int put_model(const char *value, struct wn_study *y)
{
  for (int i = 0; i < N_KINDS; i++)
    if (strcmp(kinds[i]->model->name, value) == 0) {
      y->kind = kinds[i];
      return WN_OK;
    }
  return WN_FAIL(WN_EINPUT,
                 "key `model` = %s: no such model of the study; allowed: split-remove, "
                 "rectangle, box",
                 value);
}

/* The group of a key that another model uses; NULL: there is none. */
static const char *other(const struct key *k, const struct wn_study *y)
{
  const size_t begin[N_KINDS + 1] = {AT(split_remove), AT(rectangle), AT(box),
                                     AT(tables)};
  for (int i = 0; i < N_KINDS; i++)
    if (k->offset >= begin[i] && k->offset < begin[i + 1] && y->kind != kinds[i])
      return kinds[i]->model->name;
  return NULL;
}

/* key=value, with quotes or without. */
static int put_set(const char *set, int want_model, struct wn_study *y)
{
  const char *sign = strchr(set, '=');
  char value[512];
  if (sign == NULL)
    return WN_FAIL(WN_EINPUT, "`%s` is not KEY=VALUE", set);
  const size_t len = (size_t)(sign - set);
  const int quoted = sign[1] == '"' && strlen(sign) > 2 && sign[strlen(sign) - 1] == '"';
  snprintf(value, sizeof value, "%.*s", (int)(strlen(sign + 1) - (quoted ? 2 : 0)),
           sign + 1 + quoted);
  const int is_model = len == 5 && strncmp(set, "model", len) == 0;
  if (is_model != want_model)
    return WN_OK;
  if (is_model)
    return put_model(value, y);
  for (int i = 0; i < N_KEYS; i++)
    if (strlen(keys[i].key) == len && strncmp(keys[i].key, set, len) == 0) {
      const char *whose = other(&keys[i], y);
      if (whose != NULL)
        return WN_FAIL(WN_EINPUT, "key `%s` = %s: model %s does not use it, but %s does",
                       keys[i].key, value, y->kind->model->name, whose);
      return put(&keys[i], value, y);
    }
  return WN_FAIL(WN_EINPUT, "`%.*s`: no such key; bench/study/study list keys", (int)len,
                 set);
}

static int check(struct wn_study *y)
{
  int gpu;
  if (y->base.electrons > y->base.capacity)
    return WN_FAIL(WN_EINPUT,
                   "key `electrons` = %zu: they do not fit into population.capacity, %zu",
                   y->base.electrons, y->base.capacity);
  if (!wn_config_device(y->base.device, &gpu))
    return WN_FAIL(WN_EINPUT,
                   "key `device` = %s: no such device; allowed: auto, cpu, "
                   "cuda, cuda:N",
                   y->base.device);
  if (y->base.block_size % 32 != 0)
    return WN_FAIL(WN_EINPUT, "key `block_size` = %d: is not a multiple of 32",
                   y->base.block_size);
  return y->kind->check(y);
}

static int fill(size_t n, const char *const *set, struct wn_study *y)
{
  for (int i = 0; i < N_KEYS; i++)
    if (keys[i].def != NULL)
      WN_TRY(put(&keys[i], keys[i].def, y));
  for (size_t i = 0; i < n; i++)
    WN_TRY(put_set(set[i], 1, y));
  if (y->kind == NULL)
    return WN_FAIL(WN_EINPUT, "no model is named: split-remove, rectangle, box");
  for (size_t i = 0; i < n; i++)
    WN_TRY(put_set(set[i], 0, y));
  return check(y);
}

int wn_study_read(size_t n, const char *const *set, struct wn_study **out)
{
  struct wn_study *y = wn_alloc(1, sizeof *y);
  if (y == NULL)
    return WN_ENOMEM;
  y->base.model = WN_MODEL_MCC; /* one kind of particles, `electrons` in messages */
  y->base.groups = 1;
  const int status = fill(n, set, y);
  if (status != WN_OK) {
    wn_study_free(y);
    return status;
  }
  *out = y;
  return WN_OK;
}

void wn_study_free(struct wn_study *y)
{
  if (y == NULL)
    return;
  free(y->base.device);
  free(y->base.scheduler);
  free(y->split_remove.table);
  free(y->tables);
  free(y);
}
