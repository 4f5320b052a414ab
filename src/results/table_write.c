/* src/results/table_write.c - struct wn_table as text.
 *
 * bolsig: the tables over E/N of BOLSIG+: a line "E/N (Td)<tab>name", rows of two numbers, an empty
 *   line; before the rows of a rate coefficient a line with its collision.
 * combined: BOLSIG+'s table of all runs: a line " Transport coefficients", lines "A1  name", a line
 *   "R#  E/N (Td)  A1  A2 ...", rows of numbers, an empty line; then the same for
 *   "Rate coefficients (m3/s)" with " C1  collision" and a column of mean energies.  For
 *   tools/bolsig_convert.py of afivo-streamer (commit 061e716e), which takes each word for a
 *   number.
 * afivo: for table_from_file of afivo-streamer (src/m_table_data.f90 of commit a50b5508): a line
 *   with the name alone, COMMENT: lines, a line of at least five dashes, rows of E/N in Td
 *   and the
 *   value, a line of dashes.  It stops at a block of fewer than two rows, and extrapolates a
 *   block as
 *   a constant beyond its rows.
 * csv: a row for each E/N, a column for each quantity and one for its standard error, if it can have
 *   one, one for upper limits if the file has them; an empty field is a number that is not
 *   known. */
#include <math.h>
#include <string.h>
#include "base/error.h"
#include "base/log.h"
#include "src/results/table_kind.h"

#define DASHES         "-----------------------\n"
#define AFIVO_MIN_ROWS 2

const char *const wn_table_format_name[] = {"bolsig", "combined", "afivo", "csv"};

static int is_unseen(const struct wn_table_column *c, size_t row)
{
  return !isfinite(c->value[row]);
}

/* Relative standard error from which a rate is hardly known: that of two events is 0.71. */
#define UNCERTAIN 0.7

/* A table that has no errors would show such a rate as known. */
static int is_uncertain(const struct wn_table_column *c, size_t row)
{
  return c->is_rate && c->value[row] > 0.0 && c->error[row] >= UNCERTAIN * c->value[row];
}

static size_t count_unseen(const struct wn_table *t, const struct wn_table_column *c)
{
  size_t n = 0;
  for (size_t i = 0; i < t->n_rows; i++)
    n += (size_t)is_unseen(c, i);
  return n;
}

/* Only for a rate: any other missing number is unknown. */
static int may_be_zero(const struct wn_table *t, const struct wn_table_column *c)
{
  return t->unseen_is_zero && c->is_counted;
}

static size_t count_rows(const struct wn_table *t, const struct wn_table_column *c)
{
  return may_be_zero(t, c) ? t->n_rows : t->n_rows - count_unseen(t, c);
}

/* Rows of a table without errors. */
static size_t count_known(const struct wn_table *t, const struct wn_table_column *c)
{
  size_t n = count_rows(t, c);
  for (size_t i = 0; i < t->n_rows; i++)
    n -= (size_t)is_uncertain(c, i);
  return n;
}

/* Text with a mark before each line, as comment of the table. */
static void put_lines(FILE *to, const char *mark, const char *what, const char *text)
{
  fprintf(to, "%s%s", mark, what);
  for (; *text; text++)
    if (*text == '\n')
      fprintf(to, "\n%s  ", mark);
    else
      fputc(*text, to);
  fputc('\n', to);
}

/* "0.1", or "0.1 to 3" if the rows differ. */
static const char *range(const struct wn_table *t, const double *of, int digits,
                         char text[64])
{
  double least = INFINITY, most = -INFINITY;
  for (size_t i = 0; i < t->n_rows; i++) {
    least = fmin(least, of[i]);
    most = fmax(most, of[i]);
  }
  if (least == most)
    snprintf(text, 64, "%.*g", digits, least);
  else
    snprintf(text, 64, "%.*g to %.*g", digits, least, digits, most);
  return text;
}

static void put_magnetic(const struct wn_table *t, FILE *to, const char *mark)
{
  char text[64];
  if (t->magnetic == NULL)
    return;
  fprintf(to, "%smagnetic field %s T", mark, range(t, t->magnetic, 6, text));
  if (t->magnetic_hx != NULL)
    fprintf(to, " (%s Hx)", range(t, t->magnetic_hx, 6, text));
  if (t->magnetic_angle != NULL)
    fprintf(to, ", %s rad to the direction against E",
            range(t, t->magnetic_angle, 6, text));
  fputc('\n', to);
  if (t->kind->about_magnetic != NULL)
    put_lines(to, mark, "", t->kind->about_magnetic);
}

static void put_about(const struct wn_table *t, FILE *to, const char *mark)
{
  put_lines(to, mark, "", t->title);
  put_lines(to, mark, "written by ", t->source);
  put_lines(to, mark, "from ", t->path);
  put_lines(to, mark, "run of ", t->date);
  put_lines(to, mark, "seed ", t->seed);
  put_lines(to, mark, "scenario (resolved), SHA-256 ", t->scenario);
  put_lines(to, mark, "cross sections: ", t->sources);
  char density[64];
  if (t->point != NULL && *t->point)
    put_lines(to, mark, "scan point: ", t->point);
  fprintf(to, "%sgas number density %s m-3\n", mark, range(t, t->density, 9, density));
  put_magnetic(t, to, mark);
  put_lines(to, mark, "", t->kind->about);
  if (t->n_unsteady > 0)
    fprintf(to,
            "%s%zu rates are not steady, and no results: 0 in the column next to them\n",
            mark, t->n_unsteady);
}

/* Smallest and largest relative standard error; 0: none is known. */
static int error_range(const struct wn_table *t, const struct wn_table_column *c,
                       double *least, double *most)
{
  *least = INFINITY, *most = 0.0;
  for (size_t i = 0; i < t->n_rows; i++) {
    double e = c->error[i] / fabs(c->value[i]);
    if (!isfinite(e))
      continue;
    *least = fmin(*least, e);
    *most = fmax(*most, e);
  }
  return *most > 0.0;
}

static void put_error(const struct wn_table *t, const struct wn_table_column *c, FILE *to,
                      const char *mark)
{
  double least, most;
  if (error_range(t, c, &least, &most))
    fprintf(to, "%sstandard error %.2g %% to %.2g %%\n", mark, 100.0 * least,
            100.0 * most);
}

/* The fields without a row, a few in a line: readers accept lines of up to 200 characters. */
static void put_unseen(const struct wn_table *t, const struct wn_table_column *c,
                       FILE *to, const char *mark)
{
  size_t in_line = 0;
  for (size_t i = 0; i < t->n_rows; i++) {
    if (!is_unseen(c, i))
      continue;
    if (in_line == 0)
      fprintf(to, "%s%s", mark,
              may_be_zero(t, c)  ? "no event was seen, 0 is written (Td):"
              : t->is_over_field ? "not measured, no row (Td):"
                                 : "not measured, no row:");
    fprintf(to, " %.6g", t->x[i]);
    if (isfinite(c->limit[i]))
      fprintf(to, " (below %.3g with 95 %%)", c->limit[i]);
    if (++in_line == (c->has_limits ? 3 : 8)) {
      fputc('\n', to);
      in_line = 0;
    }
  }
  if (in_line > 0)
    fputc('\n', to);
}

static void put_uncertain(const struct wn_table *t, const struct wn_table_column *c,
                          FILE *to, const char *mark)
{
  for (size_t i = 0; i < t->n_rows; i++)
    if (is_uncertain(c, i))
      fprintf(to, "%sof one or two events, no row: %.6g (%.3g +- %.2g)\n", mark, t->x[i],
              c->value[i], c->error[i]);
}

static void put_rows(const struct wn_table *t, const struct wn_table_column *c, FILE *to,
                     const char *gap)
{
  for (size_t i = 0; i < t->n_rows; i++)
    if (is_uncertain(c, i))
      continue;
    else if (!is_unseen(c, i))
      fprintf(to, "%.9g%s%.9g\n", t->x[i], gap, c->value[i]);
    else if (may_be_zero(t, c))
      fprintf(to, "%.9g%s0\n", t->x[i], gap);
}

static int write_afivo(const struct wn_table *t, FILE *to)
{
  for (size_t k = 0; k < t->n_columns; k++)
    if (t->column[k].needed && count_rows(t, &t->column[k]) < AFIVO_MIN_ROWS)
      return WN_FAIL(WN_EINPUT,
                     "%s: `%s` has events in fewer than %d fields, the number that "
                     "afivo-streamer needs%s",
                     t->path, t->column[k].name, AFIVO_MIN_ROWS,
                     t->n_rows < AFIVO_MIN_ROWS ? "; scan over more fields"
                                                : "; --unseen zero writes 0 there");
  put_about(t, to, "# ");
  for (size_t k = 0; k < t->n_columns; k++) {
    const struct wn_table_column *c = &t->column[k];
    if (count_known(t, c) < AFIVO_MIN_ROWS) {
      fprintf(to, "\n# %s: events in fewer than %d fields, no table\n", c->name,
              AFIVO_MIN_ROWS);
      continue;
    }
    fprintf(to, "\n%s\n", c->name);
    if (c->is_rate)
      fprintf(to, "COMMENT: m3/s, %s\n", c->key);
    put_error(t, c, to, "COMMENT: ");
    put_unseen(t, c, to, "COMMENT: ");
    put_uncertain(t, c, to, "COMMENT: ");
    fputs(DASHES, to);
    put_rows(t, c, to, " ");
    fputs(DASHES, to);
  }
  return WN_OK;
}

/* Rows of a combined table: those with all numbers, except counted and extra ones.  Without
 * a field there is no mobility. */
static int is_whole(const struct wn_table *t, size_t row)
{
  for (size_t k = 0; k < t->n_columns; k++) {
    const struct wn_table_column *c = &t->column[k];
    if (!c->is_counted && !c->is_extra && !c->is_rate && count_rows(t, c) > 0 &&
        is_unseen(c, row))
      return 0;
  }
  return 1;
}

/* Has an extra column a number in each row? */
static int is_full(const struct wn_table *t, const struct wn_table_column *c)
{
  for (size_t row = 0; row < t->n_rows; row++)
    if (is_whole(t, row) && is_unseen(c, row) && !may_be_zero(t, c))
      return 0;
  return 1;
}

/* Columns with at least one known number. */
static int is_in(const struct wn_table *t, const struct wn_table_column *c, int is_rate)
{
  return c->is_rate == is_rate && count_rows(t, c) > 0 && (!c->is_extra || is_full(t, c));
}

static void put_combined(const struct wn_table *t, int rates, FILE *to)
{
  size_t n = 0;
  fputs(rates ? "Rate coefficients (m3/s)\n" : " Transport coefficients\n", to);
  for (size_t k = 0; k < t->n_columns; k++)
    if (!is_in(t, &t->column[k], rates))
      continue;
    else if (rates)
      fprintf(to, " %s\n", t->column[k].name);
    else
      fprintf(to, "A%zu    %s\n", ++n, t->column[k].name);
  fputs(rates ? "R#  E/N (Td)  Energy (eV)" : "R#  E/N (Td)", to);
  n = 0;
  for (size_t k = 0; k < t->n_columns; k++)
    if (is_in(t, &t->column[k], rates) && rates)
      fprintf(to, "  %.*s", (int)strcspn(t->column[k].name, " "), t->column[k].name);
    else if (is_in(t, &t->column[k], rates))
      fprintf(to, "  A%zu", ++n);
  fputc('\n', to);
  size_t run = 0;
  for (size_t row = 0; row < t->n_rows; row++) {
    if (!is_whole(t, row))
      continue;
    fprintf(to, "%zu  %.9g", ++run, t->td[row]);
    if (rates)
      fprintf(to, "  %.9g", t->column[0].value[row]); /* mean energy */
    for (size_t k = 0; k < t->n_columns; k++)
      if (is_in(t, &t->column[k], rates))
        fprintf(to, "  %.9g",
                is_unseen(&t->column[k], row) ? 0.0 : t->column[k].value[row]);
    fputc('\n', to);
  }
  fputc('\n', to);
}

static int write_combined(const struct wn_table *t, FILE *to)
{
  for (size_t k = 0; k < t->n_columns; k++)
    for (size_t row = 0; row < t->n_rows; row++)
      if (t->column[k].is_counted && !t->column[k].is_extra &&
          is_unseen(&t->column[k], row) && is_whole(t, row) && !t->unseen_is_zero)
        return WN_FAIL(WN_EINPUT,
                       "%s: `%s` has no event at %.6g Td, and a combined table needs "
                       "every number; --unseen zero writes 0 there",
                       t->path, t->column[k].name, t->td[row]);
  put_about(t, to, "# ");
  for (size_t k = 0; k < t->n_columns; k++)
    if (t->column[k].is_rate)
      fprintf(to, "# %s: %s\n", t->column[k].name, t->column[k].key);
  for (size_t k = 0; k < t->n_columns; k++)
    if (t->column[k].is_extra && !is_full(t, &t->column[k]))
      fprintf(to, "# no column, as some rows have no number: %s\n", t->column[k].name);
  for (size_t k = 0; k < t->n_columns; k++)
    for (size_t row = 0; row < t->n_rows; row++)
      if (is_uncertain(&t->column[k], row))
        fprintf(to, "# of one or two events: %s at %.6g Td\n", t->column[k].name,
                t->td[row]);
  for (size_t row = 0; row < t->n_rows; row++)
    if (!is_whole(t, row))
      fprintf(to, "# no row, as some numbers are missing: %.6g Td\n", t->td[row]);
  fputc('\n', to);
  put_combined(t, 0, to);
  put_combined(t, 1, to);
  return WN_OK;
}

static int write_bolsig(const struct wn_table *t, FILE *to)
{
  put_about(t, to, "# ");
  for (size_t k = 0; k < t->n_columns; k++) {
    const struct wn_table_column *c = &t->column[k];
    fputc('\n', to);
    if (c->is_rate)
      fprintf(to, "# %s\n", c->key);
    put_error(t, c, to, "# ");
    put_unseen(t, c, to, "# ");
    put_uncertain(t, c, to, "# ");
    if (count_known(t, c) == 0) {
      fprintf(to, "# %s: no event in any field, no table\n", c->name);
      continue;
    }
    if (c->is_rate)
      fprintf(to, "%s\n", c->name);
    fprintf(to, "%s\t%s\n", t->axis, c->is_rate ? "Rate coefficient (m3/s)" : c->name);
    put_rows(t, c, to, "\t");
  }
  fputc('\n', to);
  return WN_OK;
}

/* A name in quotes; RFC 4180 doubles quotes inside. */
static void put_quoted(FILE *to, const char *before, const char *name, const char *after)
{
  const int is_next = *before == ',';
  fprintf(to, "%s\"%s", is_next ? "," : "", before + is_next);
  for (; *name; name++) {
    if (*name == '"')
      fputc('"', to);
    fputc(*name, to);
  }
  fprintf(to, "%s\"", after);
}

static int write_csv(const struct wn_table *t, FILE *to)
{
  put_about(t, to, "# ");
  for (size_t k = 0; k < t->n_columns; k++)
    if (t->column[k].is_rate)
      fprintf(to, "# %s: m3/s, %s\n", t->column[k].name, t->column[k].key);
  put_quoted(to, "", t->axis, "");
  for (size_t k = 0; k < t->n_columns; k++) {
    put_quoted(to, ",", t->column[k].name, t->column[k].is_rate ? " (m3/s)" : "");
    if (!t->column[k].has_no_error)
      put_quoted(to, ",error of ", t->column[k].name,
                 t->column[k].is_rate ? " (m3/s)" : "");
    if (t->column[k].has_limits)
      put_quoted(to, ",upper limit of ", t->column[k].name,
                 t->column[k].is_rate ? " (m3/s)" : "");
  }
  fputc('\n', to);
  for (size_t i = 0; i < t->n_rows; i++) {
    fprintf(to, "%.9g", t->x[i]);
    for (size_t k = 0; k < t->n_columns; k++) {
      const struct wn_table_column *c = &t->column[k];
      if (!is_unseen(c, i))
        fprintf(to, ",%.9g", c->value[i]);
      else
        fputs(may_be_zero(t, c) ? ",0" : ",", to);
      if (!c->has_no_error)
        fputc(',', to);
      if (!c->has_no_error && isfinite(c->error[i]))
        fprintf(to, "%.3g", c->error[i]);
      if (c->has_limits)
        fputc(',', to);
      if (c->has_limits && isfinite(c->limit[i]))
        fprintf(to, "%.3g", c->limit[i]);
    }
    fputc('\n', to);
  }
  return WN_OK;
}

int wn_table_allows(const struct wn_table *t, enum wn_table_format format)
{
  const char *name = wn_table_format_name[format];
  if (t->kind->is_csv_only && format != WN_TABLE_CSV)
    return WN_FAIL(WN_EINPUT,
                   "%s: is a result of job %s, and format %s is for coefficients of a "
                   "swarm; allowed: csv",
                   t->path, t->kind->job, name);
  if (!t->is_over_field && (format == WN_TABLE_AFIVO || format == WN_TABLE_COMBINED))
    return WN_FAIL(WN_EINPUT,
                   "%s: has one field at each scan point, and format %s is over E/N; run "
                   "more fields, or use csv or bolsig",
                   t->path, name);
  return WN_OK;
}

int wn_table_write(const struct wn_table *t, enum wn_table_format format, FILE *to)
{
  size_t unseen = 0;
  WN_TRY(wn_table_allows(t, format));
  for (size_t k = 0; k < t->n_columns; k++)
    if (!t->column[k].may_be_empty)
      unseen += count_unseen(t, &t->column[k]);
  WN_TRY(format == WN_TABLE_AFIVO      ? write_afivo(t, to)
         : format == WN_TABLE_COMBINED ? write_combined(t, to)
         : format == WN_TABLE_BOLSIG   ? write_bolsig(t, to)
                                       : write_csv(t, to));
  if (unseen > 0)
    wn_log(WN_LOG_WARN, "%zu values without an event in the run are %s%s", unseen,
           t->unseen_is_zero ? "written as 0" : "left out",
           format == WN_TABLE_AFIVO && !t->unseen_is_zero
               ? "; afivo-streamer holds a table constant below its first row, see "
                 "--unseen"
               : "");
  if (t->n_unsteady > 0)
    wn_log(WN_LOG_WARN,
           "%s: %zu rates are not steady, and no results; the column next to each has 0",
           t->path, t->n_unsteady);
  return WN_OK;
}
