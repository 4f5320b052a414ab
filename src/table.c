/* src/table.c - from a result file to the columns of struct wn_table. */
#include "src/table.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"
#include "base/sha256.h"
#include "src/result_file.h"

#define TOWNSEND 1e-21 /* V m2 */

/* What a variable is multiplied by. */
enum by { BY_ONE, BY_DENSITY, BY_FIELD, BY_FREQUENCY };

static const struct {
  const char *key, *name, *units;
  enum by by;
  const char *kind; /* of process; no such process: 0 */
  int needed;
} quantities[] = {
    {"mean_energy", "Mean energy (eV)", "eV", BY_ONE, NULL, 1},
    {"drift_velocity_flux", "Mobility *N (1/m/V/s)", "m-1 V-1 s-1", BY_FIELD, NULL, 1},
    {"drift_velocity_bulk", "Bulk mobility *N (1/m/V/s)", "m-1 V-1 s-1", BY_FIELD, NULL,
     0},
    {"diffusion_transverse_flux", "Diffusion coefficient *N (1/m/s)", "m-1 s-1",
     BY_DENSITY, NULL, 1},
    {"diffusion_longitudinal_flux", "Longitud. diffusion coef. *N (1/m/s)", "m-1 s-1",
     BY_DENSITY, NULL, 0},
    {"diffusion_transverse_bulk", "Bulk T diffusion coef. *N (1/m/s)", "m-1 s-1",
     BY_DENSITY, NULL, 0},
    {"diffusion_longitudinal_bulk", "Bulk L diffusion coef. *N (1/m/s)", "m-1 s-1",
     BY_DENSITY, NULL, 0},
    {"ionization_frequency", "Total ionization freq. /N (m3/s)", "m3 s-1", BY_FREQUENCY,
     " ionization", 0},
    {"attachment_frequency", "Total attachment freq. /N (m3/s)", "m3 s-1", BY_FREQUENCY,
     " attachment", 0},
    {"townsend_coefficient_reduced", "Townsend ioniz. coef. alpha/N (m2)", "m2", BY_ONE,
     " ionization", 1},
    {"attachment_coefficient_reduced", "Townsend attach. coef. eta/N (m2)", "m2", BY_ONE,
     " attachment", 1},
};
enum { N_QUANTITIES = sizeof quantities / sizeof quantities[0] };

/* What the columns are made of; order[row]: record of the file. */
struct from {
  const struct wn_result_file *file;
  size_t n_records, n_processes;
  size_t *order;
  char **process;
  double *threshold, *target; /* [n_processes] eV, part of the gas */
};

void wn_table_free(struct wn_table *t)
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
  free(t->td);
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
  for (size_t k = 0; k < f->n_processes; k++)
    if (strstr(f->process[k], kind) != NULL)
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
  int status = read_with_errors(f, quantities[q].key, f->n_records, &r);
  if (status == WN_OK && r.value != NULL) {
    const char *kind = quantities[q].kind;
    int known_zero = kind != NULL && !has_kind(f, kind);
    status = new_column(t, &c);
    for (size_t row = 0; status == WN_OK && row < t->n_rows; row++) {
      size_t i = f->order[row];
      double scale = quantities[q].by == BY_DENSITY     ? t->density
                     : quantities[q].by == BY_FREQUENCY ? 1.0 / t->density
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
      put(c, row, &r, at, 1.0 / (f->target[k] * t->density), 1);
    }
    if (status == WN_OK) {
      c->name = rate_name(f, k);
      c->key = wn_strdup(f->process[k]);
      c->units = "m3 s-1";
      c->is_rate = 1;
      status = c->name != NULL && c->key != NULL ? WN_OK : WN_ENOMEM;
    }
  }
  clear(&r);
  return status;
}

/* Records that were finished, by rising E/N. */
static int order_rows(struct wn_table *t, struct from *f)
{
  double *td, *energy = NULL;
  int status = wn_result_doubles(f->file, "reduced_electric_field", f->n_records, &td);
  if (status == WN_OK)
    status = wn_result_doubles(f->file, "mean_energy", f->n_records, &energy);
  if (status == WN_OK && (td == NULL || energy == NULL))
    status = WN_FAIL(WN_EINPUT, "%s: holds no swarm run: tables are made of job swarm",
                     t->path);
  f->order = wn_alloc(f->n_records, sizeof *f->order);
  t->td = wn_alloc(f->n_records, sizeof *t->td);
  if (status == WN_OK && (f->order == NULL || t->td == NULL))
    status = WN_ENOMEM;
  for (size_t i = 0; status == WN_OK && i < f->n_records; i++) {
    if (!isfinite(td[i]) || !isfinite(energy[i]))
      continue;
    size_t at = t->n_rows++;
    for (; at > 0 && t->td[at - 1] > td[i]; at--) {
      t->td[at] = t->td[at - 1];
      f->order[at] = f->order[at - 1];
    }
    t->td[at] = td[i];
    f->order[at] = i;
    if (at > 0 && t->td[at - 1] == td[i])
      status =
          WN_FAIL(WN_EINPUT, "%s: %.9g Td stands in it twice; a table has one row each",
                  t->path, td[i]);
  }
  if (status == WN_OK && t->n_rows == 0)
    status = WN_FAIL(WN_EINPUT, "%s: no field was finished", t->path);
  if (status == WN_OK && t->n_rows < f->n_records)
    wn_log(WN_LOG_WARN, "%s: %zu of %zu fields were finished; the table has these",
           t->path, t->n_rows, f->n_records);
  free(td);
  free(energy);
  return status;
}

static char *text_of(const struct from *f, const char *name)
{
  char *text = wn_result_text(f->file, NULL, name);
  return text != NULL ? text : wn_strdup("");
}

static int read_about(struct wn_table *t, const struct from *f)
{
  t->title = text_of(f, "title");
  t->source = text_of(f, "source");
  t->date = text_of(f, "date_created");
  t->seed = text_of(f, "seed");
  t->sources = text_of(f, "cross_section_sources");
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

/* A plain number; NaN: not in the file. */
static int read_number(const struct from *f, const char *name, double *out)
{
  double *x = NULL;
  WN_TRY(wn_result_doubles(f->file, name, 1, &x));
  *out = x != NULL ? x[0] : NAN;
  free(x);
  return WN_OK;
}

static int read_gas(struct wn_table *t, struct from *f)
{
  WN_TRY(read_number(f, "gas_number_density", &t->density));
  WN_TRY(read_number(f, "magnetic_field", &t->magnetic));
  WN_TRY(read_number(f, "reduced_magnetic_field", &t->magnetic_hx));
  WN_TRY(read_number(f, "magnetic_angle", &t->magnetic_angle));
  f->n_processes = wn_result_dim(f->file, "process");
  WN_TRY(wn_result_strings(f->file, "process_name", f->n_processes, &f->process));
  WN_TRY(wn_result_doubles(f->file, "process_threshold", f->n_processes, &f->threshold));
  WN_TRY(wn_result_attr_doubles(f->file, "process_threshold", "target_fraction",
                                f->n_processes, &f->target));
  if (!(t->density > 0.0) || f->process == NULL || f->threshold == NULL)
    return WN_FAIL(WN_EINPUT,
                   "%s: holds no gas with its processes: tables are made of job "
                   "swarm",
                   t->path);
  if (f->target == NULL)
    wn_log(WN_LOG_WARN,
           "%s: an older version wrote it, without the fractions of the targets: the "
           "table has no rate coefficients of single processes",
           t->path);
  return WN_OK;
}

static int read_all(struct wn_table *t, struct from *f)
{
  char *scan = wn_result_text(f->file, NULL, "scan");
  const int scanned = scan != NULL;
  free(scan);
  if (scanned)
    return WN_FAIL(
        WN_EINPUT,
        "%s: holds a scan; a table is made of fields alone: run the points that it is "
        "wanted of without `scan`",
        t->path);
  f->n_records = wn_result_dim(f->file, "field");
  WN_TRY(order_rows(t, f));
  WN_TRY(read_about(t, f));
  WN_TRY(read_gas(t, f));
  t->column = wn_alloc(N_QUANTITIES + f->n_processes, sizeof *t->column);
  if (t->column == NULL)
    return WN_ENOMEM;
  for (size_t q = 0; q < N_QUANTITIES; q++)
    WN_TRY(add_quantity(t, f, q));
  return f->target != NULL ? add_rates(t, f) : WN_OK;
}

int wn_table_read(const char *path, struct wn_table **out)
{
  struct wn_result_file *file;
  WN_TRY(wn_result_open(path, &file));
  struct from f = {.file = file};
  struct wn_table *t = wn_alloc(1, sizeof *t);
  int status = t != NULL && (t->path = wn_strdup(path)) != NULL ? WN_OK : WN_ENOMEM;
  if (status == WN_OK)
    status = read_all(t, &f);
  for (size_t k = 0; f.process != NULL && k < f.n_processes; k++)
    free(f.process[k]);
  free(f.process);
  free(f.order);
  free(f.threshold);
  free(f.target);
  wn_result_close(file);
  if (status != WN_OK) {
    wn_table_free(t);
    return status;
  }
  *out = t;
  return WN_OK;
}
