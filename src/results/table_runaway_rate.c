/* src/results/table_runaway_rate.c - the columns of job runaway-rate, the curve of its rates over the
 * field: see table_kind.h.  The variables: src/jobs/runaway_rate_record.c. */
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "src/results/table_kind.h"

static const struct wn_table_quantity field = {
    WN_COLUMN("electric_field", "Electric field (kV/cm)", "kV cm-1"),
    .by = WN_TABLE_BY_KV_PER_CM, .has_no_error = 1};

/* Columns after the rates. */
static const struct wn_table_quantity quantities[] = {
    {WN_COLUMN("plateau_threshold", "Plateau threshold (eV)", "eV"), .has_no_error = 1,
     .may_be_empty = 1},
    {WN_COLUMN("plateau_state", "Plateau state", "1"), .has_no_error = 1},
    {WN_COLUMN("plateau_loss", "Plateau loss", "1"), .may_be_empty = 1},
    {WN_COLUMN("ionization_rate", "Ionization rate (1/s)", "s-1"),
     .kind = WN_TABLE_IONIZATION},
    {WN_COLUMN("attachment_rate", "Attachment rate (1/s)", "s-1"),
     .kind = WN_TABLE_ATTACHMENT},
    {WN_COLUMN("measured_time", "Measured time (s)", "s"), .has_no_error = 1},
};

/* The thresholds of the file; n numbers for each field. */
struct passages {
  size_t n;
  double *energy, *is_steady; /* eV; 1 or 0, NULL in files of older versions */
  struct wn_table_variable rate;
};

/* A column that is not measured. */
static int add_given(struct wn_table *t, const char *name, const char *key,
                     const char *units, struct wn_table_column **out)
{
  WN_TRY(wn_table_add(t, name, key, units, out));
  (*out)->has_no_error = 1;
  for (size_t row = 0; row < t->n_rows; row++)
    (*out)->error[row] = (*out)->limit[row] = NAN;
  return WN_OK;
}

static int add_density(struct wn_table *t)
{
  struct wn_table_column *c;
  WN_TRY(add_given(t, "Gas number density (1/m3)", "gas_number_density", "m-3", &c));
  for (size_t row = 0; row < t->n_rows; row++)
    c->value[row] = t->density[row];
  return WN_OK;
}

/* The rate of threshold k, and whether it is steady, which is undefined if no electron passed. */
static int add_threshold(struct wn_table *t, const struct wn_table_from *f,
                         const struct passages *p, size_t k, const char *rate,
                         const char *flag)
{
  struct wn_table_column *c;
  WN_TRY(wn_table_add(t, rate, "passage_rate", "s-1", &c));
  c->is_counted = 1;
  for (size_t row = 0; row < t->n_rows; row++)
    wn_table_put(c, row, &p->rate, f->order[row] * p->n + k, 1.0, 1);
  if (p->is_steady == NULL)
    return WN_OK;
  WN_TRY(add_given(t, flag, "threshold_is_steady", "1", &c));
  c->may_be_empty = 1;
  const double *seen = t->column[t->n_columns - 2].value;
  for (size_t row = 0; row < t->n_rows; row++) {
    c->value[row] = isfinite(seen[row]) ? p->is_steady[f->order[row] * p->n + k] : NAN;
    t->n_unsteady += c->value[row] == 0.0;
  }
  return WN_OK;
}

static int add_thresholds(struct wn_table *t, const struct wn_table_from *f,
                          const struct passages *p)
{
  int status = WN_OK;
  for (size_t k = 0; status == WN_OK && k < p->n; k++) {
    char *rate = wn_asprintf("Passage rate of %.9g eV (1/s)", p->energy[k]),
         *flag = wn_asprintf("Passage rate of %.9g eV is steady", p->energy[k]);
    status =
        rate != NULL && flag != NULL ? add_threshold(t, f, p, k, rate, flag) : WN_ENOMEM;
    free(rate);
    free(flag);
  }
  return status;
}

static int read_passages(const struct wn_table *t, const struct wn_table_from *f,
                         struct passages *p)
{
  *p = (struct passages){.n = wn_result_dim(f->file, "threshold")};
  const size_t n = f->n_records * p->n;
  WN_TRY(wn_result_doubles(f->file, "threshold", p->n, &p->energy));
  WN_TRY(wn_result_doubles(f->file, "threshold_is_steady", n, &p->is_steady));
  WN_TRY(wn_table_read(f, "passage_rate", "limit", n, &p->rate));
  return p->energy != NULL && p->rate.value != NULL
             ? WN_OK
             : WN_FAIL(WN_EINPUT,
                       "%s: has no thresholds with passage_rate, which results of job "
                       "runaway-rate have",
                       t->path);
}

static int add(struct wn_table *t, const struct wn_table_from *f)
{
  struct passages p;
  WN_TRY(wn_table_add_quantity(t, f, &field));
  WN_TRY(add_density(t));
  int status = read_passages(t, f, &p);
  if (status == WN_OK)
    status = add_thresholds(t, f, &p);
  free(p.energy);
  free(p.is_steady);
  wn_table_clear(&p.rate);
  for (size_t q = 0; status == WN_OK && q < sizeof quantities / sizeof quantities[0]; q++)
    status = wn_table_add_quantity(t, f, &quantities[q]);
  return status;
}

const struct wn_table_kind wn_table_rate = {
    .job = "runaway-rate",
    .record = "measured_time",
    .about =
        "passage rate of an energy: electrons that pass it for the first time, per\n"
        "second and per electron alive at the time when they last rose through the "
        "first\n"
        "threshold, or were born above it; if no electron passed, the 95 % upper limit "
        "is\n"
        "given;\n"
        "is steady, 1: the measurement begins later than the delay of passages, and its\n"
        "halves agree within three standard errors; 0: the rate is no result;\n"
        "plateau threshold: lowest threshold of the plateau: of the electrons that pass "
        "it\n"
        "at most the fraction runaway.plateau_loss fails to pass the last threshold, "
        "with\n"
        "95 % confidence; the rate is that of runaways;\n"
        "plateau state 1: there is a plateau; 0: none below the last threshold; -1: not\n"
        "known; plateau loss: fraction of the electrons passing the last threshold but "
        "one\n"
        "that do not pass the last; ionization and attachment are per electron",
    .is_csv_only = 1,
    .add = add,
};
