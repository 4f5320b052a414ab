/* src/results/table.c - from a result file to the columns of struct wn_table. */
#include "src/results/table.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/clean.h"
#include "base/error.h"
#include "base/log.h"
#include "base/sha256.h"
#include "src/results/table_kind.h"

#define TOWNSEND 1e-21 /* V m2 */

/* The first whose variable is in the file is its kind. */
static const struct wn_table_kind *const kinds[] = {&wn_table_swarm, &wn_table_rate};

static void free_table(struct wn_table *t)
{
  if (t == NULL)
    return;
  for (size_t i = 0; t->column != NULL && i < t->n_columns; i++) {
    free(t->column[i].name);
    free(t->column[i].key);
    free(t->column[i].value);
    free(t->column[i].error);
    free(t->column[i].limit);
  }
  free(t->column);
  free(t->x);
  free(t->td);
  free(t->density);
  free(t->magnetic);
  free(t->magnetic_hx);
  free(t->magnetic_angle);
  free(t->axis);
  free(t->point);
  free(t->suffix);
  free(t->path);
  free(t->title);
  free(t->source);
  free(t->date);
  free(t->seed);
  free(t->sources);
  free(t);
}

static int has_kind(const struct wn_table_from *f, const char *kind)
{
  if (*kind == '\0') /* either of two */
    return has_kind(f, WN_TABLE_IONIZATION) || has_kind(f, WN_TABLE_ATTACHMENT);
  for (size_t k = 0; k < f->n_processes; k++)
    if (strstr(f->process[k], kind) != NULL)
      return 1;
  return 0;
}

/* Is there a number in any row?  Component 0 of n in each record. */
static int is_known(const struct wn_table *t, const struct wn_table_from *f,
                    const double *value, size_t n)
{
  for (size_t row = 0; row < t->n_rows; row++)
    if (isfinite(value[f->order[row] * n]))
      return 1;
  return 0;
}

void wn_table_clear(struct wn_table_variable *r)
{
  free(r->value);
  free(r->error);
  free(r->limit);
}

void wn_table_put(struct wn_table_column *c, size_t row,
                  const struct wn_table_variable *r, size_t i, double scale, int is_rate)
{
  double value = r->value[i], error = r->error != NULL ? r->error[i] : NAN,
         limit = r->limit != NULL ? r->limit[i] : NAN;
  int seen = isfinite(value) && isfinite(scale) && !(is_rate && value == 0.0);
  c->value[row] = seen ? value * scale : NAN;
  c->error[row] = seen && isfinite(error) && error > 0.0 ? error * fabs(scale) : NAN;
  c->limit[row] = !seen && isfinite(limit) ? limit * fabs(scale) : NAN;
  c->has_limits = r->limit != NULL;
}

int wn_table_add(struct wn_table *t, const char *name, const char *key, const char *units,
                 struct wn_table_column **out)
{
  struct wn_table_column *c = wn_realloc(t->column, t->n_columns + 1, sizeof *c);
  if (c == NULL)
    return WN_ENOMEM;
  t->column = c;
  c += t->n_columns++;
  *c = (struct wn_table_column){.name = wn_strdup(name),
                                .key = wn_strdup(key),
                                .units = units,
                                .value = wn_alloc(t->n_rows, sizeof *c->value),
                                .error = wn_alloc(t->n_rows, sizeof *c->error),
                                .limit = wn_alloc(t->n_rows, sizeof *c->limit)};
  *out = c;
  return c->name != NULL && c->key != NULL && c->value != NULL && c->error != NULL &&
                 c->limit != NULL
             ? WN_OK
             : WN_ENOMEM;
}

static int read_beside(const struct wn_table_from *f, const char *name, const char *what,
                       size_t n, double **out)
{
  char *full = wn_asprintf("%s_%s", name, what);
  int status = full != NULL ? wn_result_doubles(f->file, full, n, out) : WN_ENOMEM;
  free(full);
  return status;
}

int wn_table_read(const struct wn_table_from *f, const char *name, const char *limit,
                  size_t n, struct wn_table_variable *r)
{
  *r = (struct wn_table_variable){0};
  WN_TRY(wn_result_doubles(f->file, name, n, &r->value));
  WN_TRY(read_beside(f, name, "error", n, &r->error));
  return read_beside(f, name, limit, n, &r->limit);
}

static double scale_of(const struct wn_table *t, size_t row, enum wn_table_by by)
{
  return by == WN_TABLE_BY_DENSITY     ? t->density[row]
         : by == WN_TABLE_BY_FREQUENCY ? 1.0 / t->density[row]
         : by == WN_TABLE_BY_FIELD     ? 1.0 / (t->td[row] * TOWNSEND)
         : by == WN_TABLE_BY_KV_PER_CM ? 1e-5
                                       : 1.0;
}

int wn_table_add_quantity(struct wn_table *t, const struct wn_table_from *f,
                          const struct wn_table_quantity *q)
{
  struct wn_table_variable r;
  struct wn_table_column *c;
  const size_t n = q->n_components > 0 ? q->n_components : 1;
  int status = wn_table_read(f, q->key, "upper_limit", f->n_records * n, &r);
  if (status == WN_OK && r.value != NULL &&
      (!q->is_extra || is_known(t, f, r.value, n))) {
    const int known_zero = q->kind != NULL && !has_kind(f, q->kind);
    status = wn_table_add(t, q->name, q->key, q->units, &c);
    for (size_t row = 0; status == WN_OK && row < t->n_rows; row++) {
      const size_t i = f->order[row] * n + q->component;
      wn_table_put(c, row, &r, i, scale_of(t, row, q->by), q->kind != NULL);
      /* a NaN stays: the run did not measure this row */
      if (known_zero && isfinite(r.value[i])) {
        c->value[row] = 0.0;
        c->limit[row] = NAN;
      }
    }
    if (status == WN_OK) {
      c->needed = q->needed;
      c->is_counted = q->kind != NULL;
      c->is_extra = q->is_extra;
      c->has_no_error = q->has_no_error;
      c->may_be_empty = q->may_be_empty;
    }
  }
  wn_table_clear(&r);
  return status;
}

/* E/N of the rows, if another key is the axis. */
static int add_field(struct wn_table *t)
{
  struct wn_table_column *c;
  WN_TRY(wn_table_add(t, "E/N (Td)", "reduced_electric_field", "Td", &c));
  for (size_t row = 0; row < t->n_rows; row++) {
    c->value[row] = t->td[row];
    c->error[row] = c->limit[row] = NAN;
  }
  return WN_OK;
}

/* From numbers of the records to numbers of the rows; NULL stays NULL. */
static int rows_of(const struct wn_table *t, const struct wn_table_from *f,
                   const double *of, double **out)
{
  if (of == NULL)
    return WN_OK;
  if ((*out = wn_alloc(t->n_rows, sizeof **out)) == NULL)
    return WN_ENOMEM;
  for (size_t row = 0; row < t->n_rows; row++)
    (*out)[row] = of[f->order[row]];
  return WN_OK;
}

/* The finished records of a table, ordered by the axis. */
static int order_rows(struct wn_table *t, struct wn_table_from *f, size_t i_table)
{
  size_t all = 0;
  t->x = wn_alloc(f->n_records, sizeof *t->x);
  if (t->x == NULL)
    return WN_ENOMEM;
  for (size_t i = 0; i < f->n_records; i++) {
    if (f->scans.table[i] != i_table)
      continue;
    all++;
    const double x = t->is_over_field ? f->td[i] : f->scans.scan[f->scans.axis].value[i];
    if (!isfinite(x) || !isfinite(f->td[i]) || !isfinite(f->record[i]))
      continue;
    size_t at = t->n_rows++;
    for (; at > 0 && t->x[at - 1] > x; at--) {
      t->x[at] = t->x[at - 1];
      f->order[at] = f->order[at - 1];
    }
    t->x[at] = x;
    f->order[at] = i;
    if (at > 0 && t->x[at - 1] == x)
      return WN_FAIL(WN_EINPUT,
                     "%s: %s of %.9g occurs twice; a table has one row for each", t->path,
                     t->axis, x);
  }
  if (t->n_rows == 0)
    return WN_FAIL(WN_EINPUT, "%s: no field is finished%s%s", t->path,
                   t->point != NULL && *t->point ? " of " : "",
                   t->point != NULL ? t->point : "");
  if (t->n_rows < all)
    wn_log(WN_LOG_WARN, "%s: %zu of %zu fields are finished; the table has only these",
           t->path, t->n_rows, all);
  WN_TRY(rows_of(t, f, f->td, &t->td));
  WN_TRY(rows_of(t, f, f->density, &t->density));
  WN_TRY(rows_of(t, f, f->magnetic, &t->magnetic));
  WN_TRY(rows_of(t, f, f->magnetic_hx, &t->magnetic_hx));
  return rows_of(t, f, f->magnetic_angle, &t->magnetic_angle);
}

static char *text_of(const struct wn_table_from *f, const char *name)
{
  char *text = wn_result_text(f->file, NULL, name);
  return text != NULL ? text : wn_strdup("");
}

/* A text for the head of a table; lines are separated by the writer. */
static char *words_of(const struct wn_table_from *f, const char *name)
{
  char *text = text_of(f, name), *clean = text != NULL ? wn_clean_dup(text, "\n") : NULL;
  free(text);
  return clean;
}

static int read_about(struct wn_table *t, const struct wn_table_from *f)
{
  t->title = words_of(f, "title");
  t->source = words_of(f, "source");
  t->date = words_of(f, "date_created");
  t->seed = words_of(f, "seed");
  t->sources = words_of(f, "cross_section_sources");
  char *scenario = text_of(f, "scenario");
  if (t->title == NULL || t->source == NULL || t->date == NULL || t->seed == NULL ||
      t->sources == NULL || scenario == NULL) {
    free(scenario);
    return WN_ENOMEM;
  }
  wn_sha256_mem(scenario, strlen(scenario), t->scenario);
  free(scenario);
  return WN_OK;
}

/* A number for each record of a scan, or one for all if there is no scan; NULL: not in the file. */
static int read_each(const struct wn_table_from *f, const char *name, double **out)
{
  const size_t n = f->scans.n > 0 ? f->n_records : 1;
  double *v;
  WN_TRY(wn_result_doubles(f->file, name, n, &v));
  if (v != NULL && n < f->n_records) {
    double *each = wn_alloc(f->n_records, sizeof *each);
    for (size_t i = 0; each != NULL && i < f->n_records; i++)
      each[i] = v[0];
    free(v);
    if (each == NULL)
      return WN_ENOMEM;
    v = each;
  }
  *out = v;
  return WN_OK;
}

static int read_records(struct wn_table_from *f, const char *path)
{
  f->n_records = wn_result_dim(f->file, "field");
  WN_TRY(wn_result_doubles(f->file, "reduced_electric_field", f->n_records, &f->td));
  for (size_t k = 0; f->record == NULL && k < sizeof kinds / sizeof kinds[0]; k++) {
    f->kind = kinds[k];
    WN_TRY(wn_result_doubles(f->file, f->kind->record, f->n_records, &f->record));
  }
  if (f->td == NULL || f->record == NULL)
    return WN_FAIL(
        WN_EINPUT,
        "%s: is not a result of job swarm or runaway-rate, the jobs that have tables",
        path);
  WN_TRY(wn_table_scans_read(f->file, f->n_records, &f->scans));
  f->order = wn_alloc(f->n_records, sizeof *f->order);
  return f->order != NULL ? WN_OK : WN_ENOMEM;
}

/* A name from the file as a column name: in one line, without control characters. */
static int clean_name(char **name)
{
  char *clean = wn_clean_dup(*name, "");
  if (clean == NULL)
    return WN_ENOMEM;
  free(*name);
  *name = clean;
  return WN_OK;
}

static int read_gas(struct wn_table_from *f, const char *path)
{
  WN_TRY(read_each(f, "gas_number_density", &f->density));
  WN_TRY(read_each(f, "magnetic_field", &f->magnetic));
  WN_TRY(read_each(f, "reduced_magnetic_field", &f->magnetic_hx));
  WN_TRY(read_each(f, "magnetic_angle", &f->magnetic_angle));
  f->n_processes = wn_result_dim(f->file, "process");
  WN_TRY(wn_result_strings(f->file, "process_name", f->n_processes, &f->process));
  for (size_t k = 0; f->process != NULL && k < f->n_processes; k++)
    WN_TRY(clean_name(&f->process[k]));
  WN_TRY(wn_result_doubles(f->file, "process_threshold", f->n_processes, &f->threshold));
  WN_TRY(wn_result_attr_doubles(f->file, "process_threshold", "target_fraction",
                                f->n_processes, &f->target));
  if (f->density == NULL || f->process == NULL || f->threshold == NULL)
    return WN_FAIL(
        WN_EINPUT,
        "%s: has no list of processes of the gas, which results of job %s have", path,
        f->kind->job);
  return WN_OK;
}

static int read_table(struct wn_table *t, struct wn_table_from *f, size_t i_table)
{
  t->kind = f->kind;
  t->is_over_field = f->scans.axis < 0;
  WN_TRY(wn_table_scans_words(&f->scans, i_table, t));
  WN_TRY(order_rows(t, f, i_table));
  WN_TRY(read_about(t, f));
  if (!t->is_over_field)
    WN_TRY(add_field(t));
  return f->kind->add(t, f);
}

static int read_all(struct wn_table_from *f, const char *path, struct wn_tables *out)
{
  WN_TRY(read_records(f, path));
  WN_TRY(read_gas(f, path));
  out->t = wn_alloc(f->scans.n_tables, sizeof *out->t);
  if (out->t == NULL)
    return WN_ENOMEM;
  for (; out->n < f->scans.n_tables; out->n++) {
    struct wn_table *t = out->t[out->n] = wn_alloc(1, sizeof *t);
    int status =
        t != NULL && (t->path = wn_clean_dup(path, "\n")) != NULL ? WN_OK : WN_ENOMEM;
    if (status == WN_OK)
      status = read_table(t, f, out->n);
    if (status != WN_OK) {
      free_table(t);
      return status;
    }
  }
  return WN_OK;
}

void wn_tables_free(struct wn_tables *t)
{
  for (size_t i = 0; i < t->n; i++)
    free_table(t->t[i]);
  free(t->t);
  *t = (struct wn_tables){0};
}

int wn_tables_read(const char *path, struct wn_tables *out)
{
  struct wn_result_file *file;
  WN_TRY(wn_result_open(path, &file));
  struct wn_table_from f = {.file = file};
  struct wn_tables tables = {0};
  int status = read_all(&f, path, &tables);
  for (size_t k = 0; f.process != NULL && k < f.n_processes; k++)
    free(f.process[k]);
  free(f.process);
  free(f.order);
  free(f.threshold);
  free(f.target);
  free(f.td);
  free(f.record);
  free(f.density);
  free(f.magnetic);
  free(f.magnetic_hx);
  free(f.magnetic_angle);
  wn_table_scans_free(&f.scans);
  wn_result_close(file);
  if (status != WN_OK) {
    wn_tables_free(&tables);
    return status;
  }
  *out = tables;
  return WN_OK;
}
