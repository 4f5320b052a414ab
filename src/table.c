/* src/table.c - from a result file to the columns of struct wn_table. */
#include "src/table.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/clean.h"
#include "base/error.h"
#include "base/log.h"
#include "base/sha256.h"
#include "src/result_file.h"
#include "src/table_scan.h"

#define TOWNSEND 1e-21 /* V m2 */

/* What a variable is multiplied by. */
enum by { BY_ONE, BY_DENSITY, BY_FIELD, BY_FREQUENCY };

#define IONIZATION " ionization"
#define ATTACHMENT " attachment"
#define EITHER     "" /* of these two */

static const struct {
  const char *key, *name, *units;
  enum by by;
  const char *kind; /* of process; no such process: 0 */
  int needed;
  size_t component, n_components; /* of a vector; 0 of 0: it is none */
  int is_extra;                   /* struct wn_table_column */
} quantities[] = {
    {"mean_energy", "Mean energy (eV)", "eV", BY_ONE, NULL, 1, 0, 0, 0},
    {"drift_velocity_flux", "Mobility *N (1/m/V/s)", "m-1 V-1 s-1", BY_FIELD, NULL, 1, 0,
     0, 0},
    {"drift_velocity_bulk", "Bulk mobility *N (1/m/V/s)", "m-1 V-1 s-1", BY_FIELD, NULL,
     0, 0, 0, 0},
    {"diffusion_transverse_flux", "Diffusion coefficient *N (1/m/s)", "m-1 s-1",
     BY_DENSITY, NULL, 1, 0, 0, 0},
    {"diffusion_longitudinal_flux", "Longitud. diffusion coef. *N (1/m/s)", "m-1 s-1",
     BY_DENSITY, NULL, 0, 0, 0, 0},
    {"diffusion_transverse_bulk", "Bulk T diffusion coef. *N (1/m/s)", "m-1 s-1",
     BY_DENSITY, NULL, 0, 0, 0, 0},
    {"diffusion_longitudinal_bulk", "Bulk L diffusion coef. *N (1/m/s)", "m-1 s-1",
     BY_DENSITY, NULL, 0, 0, 0, 0},
    {"ionization_frequency", "Total ionization freq. /N (m3/s)", "m3 s-1", BY_FREQUENCY,
     IONIZATION, 0, 0, 0, 0},
    {"attachment_frequency", "Total attachment freq. /N (m3/s)", "m3 s-1", BY_FREQUENCY,
     ATTACHMENT, 0, 0, 0, 0},
    {"townsend_coefficient_reduced", "Townsend ioniz. coef. alpha/N (m2)", "m2", BY_ONE,
     IONIZATION, 1, 0, 0, 0},
    {"attachment_coefficient_reduced", "Townsend attach. coef. eta/N (m2)", "m2", BY_ONE,
     ATTACHMENT, 1, 0, 0, 0},
    {"growth_rate", "Growth rate /N (m3/s)", "m3 s-1", BY_FREQUENCY, EITHER, 0, 0, 0, 1},
    {"townsend_effective_reduced", "PT effective coef. (alpha-eta)/N (m2)", "m2", BY_ONE,
     EITHER, 0, 0, 0, 1},
    {"townsend_effective_sst_reduced", "SST effective coef. (alpha-eta)/N (m2)", "m2",
     BY_ONE, EITHER, 0, 0, 0, 1},
    {"mean_energy_sst", "SST mean energy (eV)", "eV", BY_ONE, NULL, 0, 0, 0, 1},
    {"drift_velocity_sst", "SST drift velocity (m/s)", "m s-1", BY_ONE, NULL, 0, 0, 0, 1},
    {"drift_vector_flux", "Drift along E x B (m/s)", "m s-1", BY_ONE, NULL, 0, 1, 3, 0},
    {"drift_vector_flux", "Drift along the part of B across E (m/s)", "m s-1", BY_ONE,
     NULL, 0, 2, 3, 0},
};
enum { N_QUANTITIES = sizeof quantities / sizeof quantities[0] };

/* What the columns are made of; order[row]: record of the file. */
struct from {
  const struct wn_result_file *file;
  struct wn_table_scans scans;
  size_t n_records, n_processes;
  size_t *order;
  double *td, *energy, *density, *magnetic, *magnetic_hx,
      *magnetic_angle; /* [n_records] */
  char **process;
  double *threshold, *target; /* [n_processes] eV, part of the gas */
};

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

static int has_kind(const struct from *f, const char *kind)
{
  if (*kind == '\0') /* either */
    return has_kind(f, IONIZATION) || has_kind(f, ATTACHMENT);
  for (size_t k = 0; k < f->n_processes; k++)
    if (strstr(f->process[k], kind) != NULL)
      return 1;
  return 0;
}

/* Is there a number in any row?  Component 0 of n in each record. */
static int is_known(const struct wn_table *t, const struct from *f, const double *value,
                    size_t n)
{
  for (size_t row = 0; row < t->n_rows; row++)
    if (isfinite(value[f->order[row] * n]))
      return 1;
  return 0;
}

/* What a variable comes with; NULL: not in the file. */
struct read {
  double *value, *error, *limit;
};

static void clear(struct read *r)
{
  free(r->value);
  free(r->error);
  free(r->limit);
}

/* Number i as measured; of a rate, 0 says that nothing was seen. */
static void put(struct wn_table_column *c, size_t row, const struct read *r, size_t i,
                double scale, int is_rate)
{
  double value = r->value[i], error = r->error != NULL ? r->error[i] : NAN,
         limit = r->limit != NULL ? r->limit[i] : NAN;
  int seen = isfinite(value) && isfinite(scale) && !(is_rate && value == 0.0);
  c->value[row] = seen ? value * scale : NAN;
  c->error[row] = seen && isfinite(error) && error > 0.0 ? error * fabs(scale) : NAN;
  c->limit[row] = !seen && isfinite(limit) ? limit * fabs(scale) : NAN;
  c->has_limits = r->limit != NULL;
}

static int new_column(struct wn_table *t, struct wn_table_column **out)
{
  struct wn_table_column *c = &t->column[t->n_columns++];
  c->value = wn_alloc(t->n_rows, sizeof *c->value);
  c->error = wn_alloc(t->n_rows, sizeof *c->error);
  c->limit = wn_alloc(t->n_rows, sizeof *c->limit);
  *out = c;
  return c->value != NULL && c->error != NULL && c->limit != NULL ? WN_OK : WN_ENOMEM;
}

static int read_beside(const struct from *f, const char *name, const char *what, size_t n,
                       double **out)
{
  char *full = wn_asprintf("%s_%s", name, what);
  int status = full != NULL ? wn_result_doubles(f->file, full, n, out) : WN_ENOMEM;
  free(full);
  return status;
}

/* The variable, its errors, and its upper limits where nothing was seen. */
static int read_with_errors(const struct from *f, const char *name, size_t n,
                            struct read *r)
{
  *r = (struct read){0};
  WN_TRY(wn_result_doubles(f->file, name, n, &r->value));
  WN_TRY(read_beside(f, name, "error", n, &r->error));
  return read_beside(f, name, "upper_limit", n, &r->limit);
}

static int add_quantity(struct wn_table *t, const struct from *f, size_t q)
{
  struct read r;
  struct wn_table_column *c = NULL;
  const size_t n = quantities[q].n_components > 0 ? quantities[q].n_components : 1;
  int status = read_with_errors(f, quantities[q].key, f->n_records * n, &r);
  if (status == WN_OK && r.value != NULL &&
      (!quantities[q].is_extra || is_known(t, f, r.value, n))) {
    const char *kind = quantities[q].kind;
    int known_zero = kind != NULL && !has_kind(f, kind);
    status = new_column(t, &c);
    for (size_t row = 0; status == WN_OK && row < t->n_rows; row++) {
      const size_t i = f->order[row] * n + quantities[q].component;
      double scale = quantities[q].by == BY_DENSITY     ? t->density[row]
                     : quantities[q].by == BY_FREQUENCY ? 1.0 / t->density[row]
                     : quantities[q].by == BY_FIELD     ? 1.0 / (t->td[row] * TOWNSEND)
                                                        : 1.0;
      put(c, row, &r, i, scale, kind != NULL);
      /* a run that did not get there knows nothing of it */
      if (known_zero && isfinite(r.value[i])) {
        c->value[row] = 0.0;
        c->limit[row] = NAN;
      }
    }
    if (status == WN_OK) {
      c->name = wn_strdup(quantities[q].name);
      c->key = wn_strdup(quantities[q].key);
      c->units = quantities[q].units;
      c->needed = quantities[q].needed;
      c->is_counted = kind != NULL;
      c->is_extra = quantities[q].is_extra;
      status = c->name != NULL && c->key != NULL ? WN_OK : WN_ENOMEM;
    }
  }
  clear(&r);
  return status;
}

/* "C9 N2 Ionization 15.58 eV" of "N2 ionization N2+ (3sg)". */
static char *rate_name(const struct from *f, size_t k)
{
  static const char *const kinds[] = {" elastic", " effective", " excitation",
                                      " ionization", " attachment"};
  const char *text = f->process[k];
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    const char *at = strstr(text, kinds[i]);
    if (at == NULL)
      continue;
    char *name = f->threshold[k] != 0.0
                     ? wn_asprintf("C%zu %.*s %c%s %.2f eV", k + 1, (int)(at - text),
                                   text, toupper((unsigned char)kinds[i][1]),
                                   kinds[i] + 2, f->threshold[k])
                     : wn_asprintf("C%zu %.*s %c%s", k + 1, (int)(at - text), text,
                                   toupper((unsigned char)kinds[i][1]), kinds[i] + 2);
    return name;
  }
  return wn_asprintf("C%zu %s", k + 1, text);
}

static int add_rates(struct wn_table *t, const struct from *f)
{
  struct read r;
  struct wn_table_column *c;
  int status =
      read_with_errors(f, "process_frequency", f->n_records * f->n_processes, &r);
  for (size_t k = 0; status == WN_OK && r.value != NULL && k < f->n_processes; k++) {
    status = new_column(t, &c);
    for (size_t row = 0; status == WN_OK && row < t->n_rows; row++) {
      size_t at = f->order[row] * f->n_processes + k;
      put(c, row, &r, at, 1.0 / (f->target[k] * t->density[row]), 1);
    }
    if (status == WN_OK) {
      c->name = rate_name(f, k);
      c->key = wn_strdup(f->process[k]);
      c->units = "m3 s-1";
      c->is_rate = c->is_counted = 1;
      status = c->name != NULL && c->key != NULL ? WN_OK : WN_ENOMEM;
    }
  }
  clear(&r);
  return status;
}

/* E/N of the rows, where another key is the axis. */
static int add_field(struct wn_table *t)
{
  struct wn_table_column *c;
  WN_TRY(new_column(t, &c));
  for (size_t row = 0; row < t->n_rows; row++) {
    c->value[row] = t->td[row];
    c->error[row] = c->limit[row] = NAN;
  }
  c->units = "Td";
  c->name = wn_strdup("E/N (Td)");
  c->key = wn_strdup("reduced_electric_field");
  return c->name != NULL && c->key != NULL ? WN_OK : WN_ENOMEM;
}

/* Numbers of the records as numbers of the rows; NULL stays NULL. */
static int rows_of(const struct wn_table *t, const struct from *f, const double *of,
                   double **out)
{
  if (of == NULL)
    return WN_OK;
  if ((*out = wn_alloc(t->n_rows, sizeof **out)) == NULL)
    return WN_ENOMEM;
  for (size_t row = 0; row < t->n_rows; row++)
    (*out)[row] = of[f->order[row]];
  return WN_OK;
}

/* Records of a table that were finished, by the rising axis. */
static int order_rows(struct wn_table *t, struct from *f, size_t i_table)
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
    if (!isfinite(x) || !isfinite(f->td[i]) || !isfinite(f->energy[i]))
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
                     "%s: %s of %.9g stands in it twice; a table has one row each",
                     t->path, t->axis, x);
  }
  if (t->n_rows == 0)
    return WN_FAIL(WN_EINPUT, "%s: no field was finished%s%s", t->path,
                   t->point != NULL && *t->point ? " of " : "",
                   t->point != NULL ? t->point : "");
  if (t->n_rows < all)
    wn_log(WN_LOG_WARN, "%s: %zu of %zu fields were finished; the table has these",
           t->path, t->n_rows, all);
  WN_TRY(rows_of(t, f, f->td, &t->td));
  WN_TRY(rows_of(t, f, f->density, &t->density));
  WN_TRY(rows_of(t, f, f->magnetic, &t->magnetic));
  WN_TRY(rows_of(t, f, f->magnetic_hx, &t->magnetic_hx));
  return rows_of(t, f, f->magnetic_angle, &t->magnetic_angle);
}

static char *text_of(const struct from *f, const char *name)
{
  char *text = wn_result_text(f->file, NULL, name);
  return text != NULL ? text : wn_strdup("");
}

/* One for the head of a table, whose writer tells lines apart. */
static char *words_of(const struct from *f, const char *name)
{
  char *text = text_of(f, name), *clean = text != NULL ? wn_clean_dup(text, "\n") : NULL;
  free(text);
  return clean;
}

static int read_about(struct wn_table *t, const struct from *f)
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

/* A number for each record of a scan, and one for all without; NULL: not in the file. */
static int read_each(const struct from *f, const char *name, double **out)
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

static int read_records(struct from *f, const char *path)
{
  f->n_records = wn_result_dim(f->file, "field");
  WN_TRY(wn_result_doubles(f->file, "reduced_electric_field", f->n_records, &f->td));
  WN_TRY(wn_result_doubles(f->file, "mean_energy", f->n_records, &f->energy));
  if (f->td == NULL || f->energy == NULL)
    return WN_FAIL(WN_EINPUT, "%s: holds no swarm run: tables are made of job swarm",
                   path);
  WN_TRY(wn_table_scans_read(f->file, f->n_records, &f->scans));
  f->order = wn_alloc(f->n_records, sizeof *f->order);
  return f->order != NULL ? WN_OK : WN_ENOMEM;
}

/* A name of the file becomes one of a column: a line of its own, or a part of one. */
static int clean_name(char **name)
{
  char *clean = wn_clean_dup(*name, "");
  if (clean == NULL)
    return WN_ENOMEM;
  free(*name);
  *name = clean;
  return WN_OK;
}

static int read_gas(struct from *f, const char *path)
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
    return WN_FAIL(WN_EINPUT,
                   "%s: holds no gas with its processes: tables are made of job "
                   "swarm",
                   path);
  if (f->target == NULL)
    wn_log(WN_LOG_WARN,
           "%s: an older version wrote it, without the fractions of the targets: the "
           "table has no rate coefficients of single processes",
           path);
  return WN_OK;
}

static int read_table(struct wn_table *t, struct from *f, size_t i_table)
{
  t->is_over_field = f->scans.axis < 0;
  WN_TRY(wn_table_scans_words(&f->scans, i_table, t));
  WN_TRY(order_rows(t, f, i_table));
  WN_TRY(read_about(t, f));
  t->column = wn_alloc(1 + N_QUANTITIES + f->n_processes, sizeof *t->column);
  if (t->column == NULL)
    return WN_ENOMEM;
  if (!t->is_over_field)
    WN_TRY(add_field(t));
  for (size_t q = 0; q < N_QUANTITIES; q++)
    WN_TRY(add_quantity(t, f, q));
  return f->target != NULL ? add_rates(t, f) : WN_OK;
}

static int read_all(struct from *f, const char *path, struct wn_tables *out)
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
  struct from f = {.file = file};
  struct wn_tables tables = {0};
  int status = read_all(&f, path, &tables);
  for (size_t k = 0; f.process != NULL && k < f.n_processes; k++)
    free(f.process[k]);
  free(f.process);
  free(f.order);
  free(f.threshold);
  free(f.target);
  free(f.td);
  free(f.energy);
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
