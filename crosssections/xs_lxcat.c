/* crosssections/xs_lxcat.c - LXCat text files: choose the blocks of one gas, check and
 * repair them, make a set. Which lines are a block is decided in xs_lxcat_scan.c.  A set
 * is named by database and target: blocks of two databases are never merged.  Every
 * repair is named in set->notes and warned about; what cannot be repaired without
 * guessing is an error with file:line. */
#include "crosssections/xs.h"

#include "crosssections/xs_lxcat_scan.h"
#include "crosssections/xs_set.h"
#include "physics/constants.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"
#include "base/sha256.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* m2; the largest known are some 1e-17, so this is a wrong unit. */
#define SIGMA_MAX 1e-15
/* m2; tables per cm-3 of third body peak at 1e-40, two-body ones above 1e-26. */
#define THREE_BODY_PEAK 1e-36
#define TWO_BODY_PEAK   1e-30
#define LOSS_MAX        1e6 /* eV */

/* ---- which gases, which databases ---- */

static bool same(const char *a, const char *b)
{
  return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* Does text contain part, ignoring case? */
static bool contains(const char *text, const char *part)
{
  if (text == NULL)
    return false;
  for (; *text != '\0'; text++) {
    size_t i = 0;
    while (part[i] != '\0' &&
           tolower((unsigned char)text[i]) == tolower((unsigned char)part[i]))
      i++;
    if (part[i] == '\0')
      return true;
  }
  return *part == '\0';
}

static bool equal_nocase(const char *a, const char *b)
{
  return a != NULL && contains(a, b) && strlen(a) == strlen(b);
}

static bool usable(const struct wn_xs_block *b)
{
  return b->use == WN_XS_BLOCK_PROCESS || (b->use == WN_XS_BLOCK_ION && b->ion != NULL);
}

/* One gas of one database, with electrons or with an ion. */
struct entry {
  const char *target, *database, *ion;
};

static bool belongs(const struct wn_xs_block *b, const struct entry *e)
{
  return usable(b) && same(b->target, e->target) && same(b->ion, e->ion) &&
         same(b->database, e->database);
}

/* Is it the requested target, "Ar" or, for ions, "Ar+ / Ar"? */
static bool is_target(const struct wn_xs_block *b, const char *target)
{
  if (b->ion == NULL)
    return strcmp(b->target, target) == 0;
  const size_t n = strlen(b->ion);
  return strncmp(target, b->ion, n) == 0 && strncmp(target + n, " / ", 3) == 0 &&
         strcmp(target + n + 3, b->target) == 0;
}

/* All different entries of a file, in their order; target NULL: of every target, else of
 * that one. */
static int list_entries(const struct wn_xs_blocks *f, const char *target, size_t *n,
                        struct entry **out)
{
  struct entry *list = NULL;
  size_t count = 0;
  for (size_t i = 0; i < f->n; i++) {
    const struct wn_xs_block *b = &f->block[i];
    if (!usable(b) || (target != NULL && !is_target(b, target)))
      continue;
    size_t k = 0;
    while (k < count && !belongs(b, &list[k]))
      k++;
    if (k < count)
      continue;
    struct entry *more = wn_realloc(list, count + 1, sizeof *more);
    if (more == NULL) {
      free(list);
      return WN_ENOMEM;
    }
    list = more;
    list[count++] = (struct entry){b->target, b->database, b->ion};
  }
  *n = count;
  *out = list;
  return WN_OK;
}

/* "N2" or "Ar+ / Ar", or "N2 (Phelps database)" when another database of the list holds
 * it too. */
static char *entry_name(const struct entry *list, size_t n, size_t i)
{
  const char *ion = list[i].ion != NULL ? list[i].ion : "",
             *by = list[i].ion != NULL ? " / " : "";
  for (size_t k = 0; k < n; k++)
    if (k != i && same(list[k].target, list[i].target) && same(list[k].ion, list[i].ion))
      return wn_asprintf("%s%s%s (%s)", ion, by, list[i].target,
                         list[i].database != NULL ? list[i].database : "no database");
  return wn_asprintf("%s%s%s", ion, by, list[i].target);
}

/* Without a requested target: electrons, if the file has any. */
static size_t prefer_electrons(struct entry *list, size_t n)
{
  size_t kept = 0;
  for (size_t i = 0; i < n; i++)
    if (list[i].ion == NULL)
      list[kept++] = list[i];
  return kept > 0 ? kept : n;
}

/* The names of a list, joined: "\"N2\", \"O2\"". */
static char *join_entries(const struct entry *list, size_t n)
{
  char *text = wn_strdup(n > 0 ? "" : "none");
  for (size_t i = 0; i < n && text != NULL; i++) {
    char *name = entry_name(list, n, i);
    char *more =
        name != NULL ? wn_asprintf("%s%s\"%s\"", text, i > 0 ? ", " : "", name) : NULL;
    free(name);
    free(text);
    text = more;
  }
  return text;
}

/* Log an error: the text `before`, then the names in list. */
static int refuse(const char *path, const struct entry *list, size_t n,
                  const char *before)
{
  char *names = join_entries(list, n);
  if (names == NULL)
    return WN_ENOMEM;
  wn_log_at(WN_LOG_ERROR, path, 0, "%s: %s", before, names);
  free(names);
  return WN_EINPUT;
}

/* Keep the entries of a list that a database name selects: equal names, else names that
 * contain it. */
static size_t pick_database(struct entry *list, size_t n, const char *database)
{
  size_t kept = 0;
  bool equal = false;
  for (size_t i = 0; i < n; i++)
    equal = equal || equal_nocase(list[i].database, database);
  for (size_t i = 0; i < n; i++)
    if (equal ? equal_nocase(list[i].database, database)
              : contains(list[i].database, database))
      list[kept++] = list[i];
  return kept;
}

/* The one gas of one database that the caller means. */
static int choose(const char *path, const struct wn_xs_blocks *f, const char *target,
                  const char *database, struct entry *out)
{
  struct entry *list;
  size_t n;
  WN_TRY(list_entries(f, target, &n, &list));
  if (target == NULL)
    n = prefer_electrons(list, n);
  int status = WN_OK;
  char *text = NULL;
  if (n == 0) {
    free(list);
    WN_TRY(list_entries(f, NULL, &n, &list));
    text =
        target != NULL && n > 0
            ? wn_asprintf(
                  "no target \"%s\"; its name must be written as in the file, which has",
                  target)
            : wn_strdup("no block of an electron cross section in "
                        "LXCat's format; targets found");
    status = text != NULL ? refuse(path, list, n, text) : WN_ENOMEM;
  } else if (database != NULL && (n = pick_database(list, n, database)) == 0) {
    free(list);
    WN_TRY(list_entries(f, target, &n, &list));
    text = wn_strdup("");
    for (size_t i = 0; i < n && text != NULL; i++) {
      char *more = wn_asprintf("%s%s\"%s\" for %s", text, i > 0 ? ", " : "",
                               list[i].database != NULL ? list[i].database : "no name",
                               list[i].target);
      free(text);
      text = more;
    }
    if (text != NULL)
      wn_log_at(WN_LOG_ERROR, path, 0,
                "no database name contains \"%s\"%s%s; the file has: %s", database,
                target != NULL ? " for target " : "", target != NULL ? target : "", text);
    status = text != NULL ? WN_EINPUT : WN_ENOMEM;
  } else if (n > 1) {
    bool one_gas = true;
    for (size_t i = 1; i < n; i++)
      one_gas = one_gas && same(list[i].target, list[0].target);
    status = refuse(path, list, n,
                    one_gas ? "several databases have this gas and their sets must not "
                              "be mixed; choose one (database = \"...\")"
                            : "several targets; choose one");
  } else {
    *out = list[0];
  }
  free(text);
  free(list);
  return status;
}

int wn_xs_list_targets(const char *path, size_t *n, char ***names)
{
  struct wn_xs_blocks f;
  WN_TRY(wn_xs_lxcat_scan(path, &f));
  struct entry *list = NULL;
  size_t count = 0;
  char **out = NULL;
  int status = list_entries(&f, NULL, &count, &list);
  if (status == WN_OK) {
    out = wn_alloc(count + 1, sizeof *out);
    if (out == NULL)
      status = WN_ENOMEM;
  }
  for (size_t i = 0; status == WN_OK && i < count; i++) {
    out[i] = entry_name(list, count, i);
    if (out[i] == NULL)
      status = WN_ENOMEM;
  }
  if (status == WN_OK) {
    *n = count;
    *names = out;
  } else if (out != NULL) {
    for (size_t i = 0; i < count; i++)
      free(out[i]);
    free(out);
  }
  free(list);
  wn_xs_lxcat_scan_free(&f);
  return status;
}

/* ---- tables ---- */

struct row {
  double e, s;
  size_t at;
};

static int by_energy(const void *a, const void *b)
{
  const struct row *x = a, *y = b;
  if (x->e != y->e)
    return x->e < y->e ? -1 : 1;
  return x->at < y->at ? -1 : x->at > y->at; /* makes the order stable */
}

static int row_error(const char *path, int line, const char *what, double e, double s)
{
  wn_log_at(WN_LOG_ERROR, path, line, "row %g %g: %s", e, s, what);
  return WN_EINPUT;
}

static int check_rows(const char *path, const struct wn_xs_block *b)
{
  if (b->n < 2) {
    wn_log_at(WN_LOG_ERROR, path, b->line,
              "block %s has %zu row%s; a table needs at least 2", b->keyword, b->n,
              b->n == 1 ? "" : "s");
    return WN_EINPUT;
  }
  for (size_t i = 0; i < b->n; i++) {
    double e = b->energy_ev[i], s = b->sigma[i];
    int line = b->row_line[i];
    if (!isfinite(e) || !isfinite(s))
      return row_error(path, line, "a number that is not finite", e, s);
    if (e < 0.0)
      return row_error(path, line, "an energy must be 0 eV or more", e, s);
    if (s < 0.0)
      return row_error(path, line, "a cross section must be 0 m2 or more", e, s);
    if (s >= SIGMA_MAX)
      return row_error(path, line,
                       "a cross section must be below 1e-15 m2; is its unit m2?", e, s);
  }
  return WN_OK;
}

/* Sorted rows; of three or more of one energy the first and the last stay.  rows has room
 * for b->n. */
static int sort_rows(struct wn_xs_set *set, const struct wn_xs_block *b, struct row *rows,
                     size_t *n)
{
  size_t unsorted = 0, dropped = 0, kept = 0;
  int unsorted_line = 0;
  double dropped_at = 0.0;
  for (size_t i = 0; i < b->n; i++) {
    rows[i] = (struct row){b->energy_ev[i] + 0.0, b->sigma[i] + 0.0,
                           i}; /* + 0: no negative zero */
    if (i > 0 && b->energy_ev[i] < b->energy_ev[i - 1] && unsorted++ == 0)
      unsorted_line = b->row_line[i];
  }
  if (unsorted > 0) {
    qsort(rows, b->n, sizeof *rows, by_energy);
    WN_TRY(wn_xs_remark(
        set, unsorted_line,
        "%s: %zu row%s with an energy below the one before; rows sorted by energy",
        b->keyword, unsorted, unsorted == 1 ? "" : "s"));
  }
  for (size_t i = 0; i < b->n; i++) {
    if (kept >= 2 && rows[kept - 2].e == rows[i].e) { /* hence rows[kept - 1].e too */
      dropped_at = rows[i].e;
      rows[kept - 1] = rows[i];
      dropped++;
      continue;
    }
    rows[kept++] = rows[i];
  }
  if (dropped > 0)
    WN_TRY(wn_xs_remark(set, b->line,
                        "%s: three or more rows with the energy %g eV; only the first "
                        "and the last of them are kept, as a step",
                        b->keyword, dropped_at));
  if (rows[0].e == rows[kept - 1].e) {
    wn_log_at(WN_LOG_ERROR, set->source, b->line,
              "block %s: all rows have the energy %g eV; a table needs two energies",
              b->keyword, rows[0].e);
    return WN_EINPUT;
  }
  *n = kept;
  return WN_OK;
}

/* Makes the table 0 below the threshold: an electron must not lose more than it has. rows
 * has room for two more. The values from the threshold on stay as they are; where they do
 * not begin at 0 there is a step. */
static int cut_below_threshold(struct wn_xs_set *set, const struct wn_xs_block *b,
                               double threshold, struct row *rows, size_t *count)
{
  size_t n = *count, k = 0;
  double largest = 0.0, max = 0.0;
  for (size_t i = 0; i < n; i++)
    max = fmax(max, rows[i].s);
  if (!(threshold > 0.0) || max == 0.0)
    return WN_OK;
  while (k < n && rows[k].e < threshold)
    k++;
  if (k == n) {
    wn_log_at(
        WN_LOG_ERROR, set->source, b->line,
        "block %s: the energy loss of %g eV is above the last energy of the table, %g eV",
        b->keyword, threshold, rows[n - 1].e);
    return WN_EINPUT;
  }
  if (k == 0) {
    if (rows[0].e > threshold && rows[0].s > 0.01 * max)
      return wn_xs_remark(
          set, b->line,
          "%s: the table begins with %g m2 at %g eV, above its energy loss of %g eV; the "
          "cross section is 0 below its first row",
          b->keyword, rows[0].s, rows[0].e, threshold);
    return WN_OK;
  }
  bool at = rows[k].e == threshold;
  bool pair = at && k + 1 < n && rows[k + 1].e == threshold;
  double f = (threshold - rows[k - 1].e) / (rows[k].e - rows[k - 1].e);
  double here = at ? rows[k].s : rows[k - 1].s + f * (rows[k].s - rows[k - 1].s);
  for (size_t i = 0; i < k; i++) {
    largest = fmax(largest, rows[i].s);
    rows[i].s = 0.0;
  }
  largest = fmax(largest, here);
  if (largest == 0.0)
    return WN_OK;
  if (pair) {
    rows[k].s = 0.0; /* the left side of the step that is there already */
  } else if (at && here > 0.0) {
    memmove(rows + k + 1, rows + k, (n - k) * sizeof *rows);
    rows[k] = (struct row){threshold, 0.0, 0};
    n++;
  } else if (!at) {
    memmove(rows + k + 2, rows + k, (n - k) * sizeof *rows);
    rows[k] = (struct row){threshold, 0.0, 0};
    rows[k + 1] = (struct row){threshold, here, 0};
    n += 2;
  }
  *count = n;
  return wn_xs_remark(set, b->line,
                      "%s: cross section above 0 below the %s of %g eV (up to %.3g m2, "
                      "%.2g of its largest); set to 0 below, unchanged above",
                      b->keyword, b->kind == WN_XS_ATTACHMENT ? "onset" : "energy loss",
                      threshold, largest, largest / max);
}

/* ---- blocks to processes ---- */

/* How messages name a block. */
static const char *shown(const struct wn_xs_block *b)
{
  return b->product != NULL ? b->product : b->target;
}

/* m/M of an elastic or effective block. */
static int get_mass(struct wn_xs_set *set, const struct wn_xs_block *b,
                    struct wn_xs_process *p)
{
  if (b->has_value) {
    p->mass_ratio = b->value;
  } else if (b->has_param_m) {
    p->mass_ratio = b->param_m;
    if (!b->keyless)
      WN_TRY(wn_xs_remark(set, b->line,
                          "%s %s: no m/M on the third line; %g taken from PARAM, where "
                          "it is often rounded",
                          b->keyword, shown(b), p->mass_ratio));
  } else {
    WN_TRY(wn_xs_remark(set, b->line,
                        "%s %s: no m/M given: the mass of the target is unknown",
                        b->keyword, shown(b)));
  }
  if (!(p->mass_ratio >= 0.0 && p->mass_ratio < 1.0)) {
    wn_log_at(WN_LOG_ERROR, set->source, b->line,
              "block %s %s: m/M = %g; the ratio of the electron mass to the target mass "
              "lies between 0 and 1",
              b->keyword, shown(b), p->mass_ratio);
    return WN_EINPUT;
  }
  return WN_OK;
}

/* Energy loss of an excitation or ionization, onset of an attachment. */
static int get_loss(struct wn_xs_set *set, const struct wn_xs_block *b,
                    struct wn_xs_process *p)
{
  if (b->kind == WN_XS_ATTACHMENT) {
    if (b->has_value) /* PARAM gives E = 0 for most attachments: a placeholder */
      p->threshold_ev = fmax(b->value, 0.0);
  } else if (b->has_value) {
    p->loss_ev = b->value;
    if (b->has_param_e && b->param_e != 0.0 &&
        fabs(b->param_e - b->value) > 0.01 * fabs(b->value))
      WN_TRY(wn_xs_remark(
          set, b->line,
          "%s %s: the third line says %g eV and PARAM E = %g eV; the third line is used",
          b->keyword, shown(b), b->value, b->param_e));
  } else if (b->has_param_e) {
    p->loss_ev = b->param_e;
    if (!b->keyless && b->use != WN_XS_BLOCK_STATE)
      WN_TRY(wn_xs_remark(
          set, b->line, "%s %s: no energy loss on the third line; %g eV taken from PARAM",
          b->keyword, shown(b), p->loss_ev));
  } else {
    double onset = INFINITY;
    for (size_t i = 0; i < b->n; i++)
      if (b->sigma[i] > 0.0)
        onset = fmin(onset, b->energy_ev[i]);
    if (!isfinite(onset)) {
      wn_log_at(WN_LOG_ERROR, set->source, b->line,
                "block %s %s gives no energy loss (a number on the line after the "
                "target, or PARAM.: E = ... eV) and its "
                "cross section is 0 everywhere",
                b->keyword, shown(b));
      return WN_EINPUT;
    }
    p->loss_ev = onset;
    WN_TRY(wn_xs_remark(set, b->line,
                        "%s %s: no energy loss given, neither on the third line nor in "
                        "PARAM; %g eV taken, "
                        "the first energy with a cross section above 0",
                        b->keyword, shown(b), onset));
  }
  if (!(fabs(p->loss_ev) < LOSS_MAX) || !(p->threshold_ev < LOSS_MAX)) {
    wn_log_at(WN_LOG_ERROR, set->source, b->line,
              "block %s %s: an energy of %g eV; less than %g eV is expected", b->keyword,
              shown(b), b->has_value ? b->value : p->loss_ev, LOSS_MAX);
    return WN_EINPUT;
  }
  if (b->kind == WN_XS_IONIZATION && !(p->loss_ev > 0.0)) {
    wn_log_at(WN_LOG_ERROR, set->source, b->line,
              "block IONIZATION %s: an energy loss of %g eV; it must be above 0",
              shown(b), p->loss_ev);
    return WN_EINPUT;
  }
  if (b->kind != WN_XS_ATTACHMENT)
    p->threshold_ev = fmax(p->loss_ev, 0.0);
  if (b->has_weight || b->has_param_g)
    p->weight_ratio = b->has_weight ? b->weight : b->param_g;
  return WN_OK;
}

/* Three-body attachment is tabulated per cm-3 of the third body; only the tags and the
 * magnitude of the numbers show it. */
static int get_three_body(struct wn_xs_set *set, const struct wn_xs_block *b,
                          struct wn_xs_process *p)
{
  if (b->kind != WN_XS_ATTACHMENT)
    return WN_OK;
  double peak = 0.0;
  for (size_t i = 0; i < b->n; i++)
    peak = fmax(peak, b->sigma[i]);
  static const char *const words[] = {"3-body",     "3 body",     "3body",
                                      "three-body", "three body", "threebody"};
  bool said = false;
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    said = said || contains(b->comment, words[i]);
  p->three_body = b->times_n || said || (peak > 0.0 && peak < THREE_BODY_PEAK);
  if (!p->three_body)
    return WN_OK;
  if (!b->times_n && peak > TWO_BODY_PEAK) {
    p->three_body = false;
    return wn_xs_remark(set, b->line,
                        "ATTACHMENT %s: a comment mentions three bodies, but the peak of "
                        "%.3g m2 is that of a two-body process; taken as two-body",
                        shown(b), peak);
  }
  return wn_xs_remark(
      set, b->line,
      "ATTACHMENT %s: three-body (%s); its table is per cm-3 of the third body and is "
      "multiplied by that density",
      shown(b),
      b->times_n ? "TIMES_N: CM3"
      : said     ? "by its comment"
                 : "by the size of its numbers");
}

static int copy_string(char **to, const char *from)
{
  if (from == NULL)
    return WN_OK;
  *to = wn_strdup(from);
  return *to != NULL ? WN_OK : WN_ENOMEM;
}

/* Products that distinguish a block from others of the same kind, target and product: the
 * other products of its reaction, from the first line that both blocks have and that
 * differs.  NULL: none. */
static const char *channel(const struct wn_xs_blocks *f, const struct wn_xs_block *b)
{
  for (int k = 0; k < WN_XS_N_PRODUCTS; k++)
    for (size_t i = 0; b->products[k] != NULL && i < f->n; i++) {
      const struct wn_xs_block *o = &f->block[i];
      if (o->use == b->use && o->kind == b->kind && same(o->target, b->target) &&
          same(o->database, b->database) && same(o->product, b->product) &&
          o->products[k] != NULL && strcmp(o->products[k], b->products[k]) != 0)
        return b->products[k];
    }
  return NULL;
}

/* The product of a process, used in its label: that of line 2, followed by the products
 * of the reaction where line 2 does not distinguish channels. */
static int make_product(const struct wn_xs_blocks *f, const struct wn_xs_block *b,
                        struct wn_xs_process *p)
{
  bool elastic = b->kind == WN_XS_ELASTIC || b->kind == WN_XS_EFFECTIVE;
  const char *of = elastic ? NULL : channel(f, b);
  if (elastic && same(b->product, b->target)) /* "A -> A" names no product */
    return WN_OK;
  if (of == NULL || b->product == NULL)
    return copy_string(&p->product, of != NULL ? of : b->product);
  p->channel = true;
  p->product = wn_asprintf("%s (%s)", b->product, of);
  return p->product != NULL ? WN_OK : WN_ENOMEM;
}

static int copy_strings(const struct wn_xs_blocks *f, const struct wn_xs_block *b,
                        struct wn_xs_process *p)
{
  WN_TRY(copy_string(&p->target, b->target));
  WN_TRY(make_product(f, b, p));
  WN_TRY(copy_string(&p->database, b->database));
  WN_TRY(copy_string(&p->comment, b->comment));
  return copy_string(&p->updated, b->updated);
}

/* An attachment is 0 below its first row, where no data exist: that row is the onset
 * unless the file gives another. */
static int begin_attachment(struct wn_xs_set *set, const struct wn_xs_block *b,
                            double max, struct wn_xs_process *p)
{
  const double first = p->energy_ev[0];
  if (!(p->sigma[0] > 0.0 && first > p->threshold_ev))
    return WN_OK;
  const bool has_onset = p->threshold_ev > 0.0;
  p->threshold_ev = first;
  if (has_onset || !(p->sigma[0] > 0.01 * max))
    return WN_OK;
  return wn_xs_remark(set, b->line,
                      "ATTACHMENT %s: the table begins with %.3g m2 at %g eV and there "
                      "is no onset; the cross section is 0 below its first row",
                      shown(b), p->sigma[0], first);
}

static int copy_table(struct wn_xs_set *set, const struct wn_xs_block *b,
                      struct wn_xs_process *p)
{
  size_t n = 0;
  struct row *rows = wn_alloc(b->n + 2, sizeof *rows);
  if (rows == NULL)
    return WN_ENOMEM;
  int status = sort_rows(set, b, rows, &n);
  if (status == WN_OK)
    status = cut_below_threshold(set, b, p->threshold_ev, rows, &n);
  if (status == WN_OK) {
    p->n = n;
    p->energy_ev = wn_alloc(n, sizeof *p->energy_ev);
    p->sigma = wn_alloc(n, sizeof *p->sigma);
    if (p->energy_ev == NULL || p->sigma == NULL)
      status = WN_ENOMEM;
  }
  double max = 0.0;
  for (size_t i = 0; status == WN_OK && i < n; i++) {
    p->energy_ev[i] = rows[i].e;
    p->sigma[i] = rows[i].s;
    max = fmax(max, rows[i].s);
  }
  free(rows);
  if (status == WN_OK && max == 0.0)
    status = wn_xs_remark(set, b->line, "%s %s: the cross section is 0 everywhere",
                          b->keyword, shown(b));
  if (status == WN_OK && b->kind == WN_XS_ATTACHMENT)
    status = begin_attachment(set, b, max, p);
  return status;
}

/* The remarks on a block's text. */
static int remark_block(struct wn_xs_set *set, const struct wn_xs_block *b)
{
  if (b->keyless)
    WN_TRY(wn_xs_remark(set, b->line,
                        "a block without a keyword: kind %s, target, product and energy "
                        "taken from PROCESS "
                        "and PARAM",
                        wn_xs_kind_name(b->kind)));
  else if (b->from_process &&
           b->use != WN_XS_BLOCK_STATE) /* these never have such a line */
    WN_TRY(wn_xs_remark(
        set, b->line,
        "%s: no line with the target after the keyword; target %s taken from PROCESS",
        b->keyword, b->target));
  if (strcmp(b->keyword, "MOMENTUM") == 0)
    WN_TRY(wn_xs_remark(set, b->line, "MOMENTUM read as EFFECTIVE, its present name"));
  if (b->process_kind != WN_XS_N_KINDS && b->process_kind != b->kind)
    WN_TRY(wn_xs_remark(set, b->line,
                        "keyword %s, but PROCESS says %s; the keyword is used",
                        b->keyword, wn_xs_kind_name(b->process_kind)));
  if (b->n_not_a_row > 0)
    WN_TRY(wn_xs_remark(set, b->not_a_row_line,
                        "%s %s: %zu line%s inside the table without numbers, skipped",
                        b->keyword, shown(b), b->n_not_a_row,
                        b->n_not_a_row == 1 ? "" : "s"));
  return WN_OK;
}

int wn_xs_lxcat_add(struct wn_xs_set *set, const struct wn_xs_blocks *f,
                    const struct wn_xs_block *b)
{
  if (b->error != NULL) {
    wn_log_at(WN_LOG_ERROR, set->source, b->error_line, "%s", b->error);
    return WN_EINPUT;
  }
  WN_TRY(check_rows(set->source, b));
  WN_TRY(remark_block(set, b));
  struct wn_xs_process p = {
      .kind = b->kind, .line = b->line, .reversible = b->reversible};
  int status = b->kind == WN_XS_ELASTIC || b->kind == WN_XS_EFFECTIVE
                   ? get_mass(set, b, &p)
                   : get_loss(set, b, &p);
  if (status == WN_OK)
    status = get_three_body(set, b, &p);
  if (status == WN_OK)
    status = copy_strings(f, b, &p);
  if (status == WN_OK)
    status = copy_table(set, b, &p);
  if (status == WN_OK)
    status = wn_xs_append(set, &p);
  if (status != WN_OK) {
    wn_xs_process_clear(&p);
    return status;
  }
  const struct wn_xs_process *q = &set->process[set->n - 1];
  for (size_t i = 0; i + 1 < set->n; i++)
    if (set->process[i].kind == q->kind && same(set->process[i].product, q->product))
      return wn_xs_remark(
          set, b->line,
          "%s %s: the block of line %d has the same name; this one is named \"%s\"",
          b->keyword, shown(b), set->process[i].line, q->label);
  return WN_OK;
}

/* Masses from PARAM; the first block that has them determines those of the set. */
static int get_ion_mass(struct wn_xs_set *set, const struct wn_xs_block *b)
{
  const double ion = b->param_mi * WN_AMU,
               target = b->param_mi_m > 0.0 ? ion / b->param_mi_m : 0.0;
  if (!(ion >= 0.0 && b->param_mi_m >= 0.0 && isfinite(target))) {
    wn_log_at(WN_LOG_ERROR, set->source, b->line,
              "block %s %s / %s: Mi = %g, Mi/M = %g; masses are above 0", b->keyword,
              b->ion, b->target, b->param_mi, b->param_mi_m);
    return WN_EINPUT;
  }
  if (!(ion > 0.0 && target > 0.0))
    return wn_xs_remark(set, b->line,
                        "%s %s / %s: no Mi and Mi/M in PARAM: the masses are unknown",
                        b->keyword, b->ion, b->target);
  if (set->ion_mass > 0.0 && (fabs(ion - set->ion_mass) > 1e-3 * ion ||
                              fabs(target - set->target_mass) > 1e-3 * target)) {
    wn_log_at(WN_LOG_ERROR, set->source, b->line,
              "block %s %s / %s: masses differ from those of the blocks before",
              b->keyword, b->ion, b->target);
    return WN_EINPUT;
  }
  set->ion_mass = ion;
  set->target_mass = target;
  return WN_OK;
}

/* A process of an ion: no threshold, and no keyword in the form that LXCat writes. */
static int add_ion_block(struct wn_xs_set *set, const struct wn_xs_block *b)
{
  if (b->error != NULL) {
    wn_log_at(WN_LOG_ERROR, set->source, b->error_line, "%s", b->error);
    return WN_EINPUT;
  }
  WN_TRY(check_rows(set->source, b));
  WN_TRY(get_ion_mass(set, b));
  struct wn_xs_process p = {.kind = b->kind, .line = b->line};
  int status = copy_string(&p.target, b->target);
  if (status == WN_OK)
    status = copy_string(&p.database, b->database);
  if (status == WN_OK)
    status = copy_string(&p.comment, b->comment);
  if (status == WN_OK)
    status = copy_string(&p.updated, b->updated);
  if (status == WN_OK)
    status = copy_table(set, b, &p);
  if (status == WN_OK)
    status = wn_xs_append(set, &p);
  if (status != WN_OK)
    wn_xs_process_clear(&p);
  return status;
}

/* A block that is no process of electrons with a gas in its natural mixture of states. */
static int remark_unused(struct wn_xs_set *set, const struct wn_xs_block *b,
                         const char *target)
{
  if (!contains(b->species, target) && !contains(b->process, target) &&
      !contains(b->target, target))
    return WN_OK;
  const char *what = b->process != NULL  ? b->process
                     : b->target != NULL ? b->target
                                         : b->species;
  if (b->use == WN_XS_BLOCK_ION)
    return wn_xs_remark(set, b->line,
                        "%s %s: not used: a collision of ions without the name of the "
                        "ion, as in \"Ar+ / Ar\"",
                        b->keyword, what);
  if (b->has_param_e)
    return wn_xs_remark(
        set, b->line,
        "%s %s (%g eV): not used without %s_temperature: it starts from one state, and "
        "needs the population of that state and its superelastic process",
        b->keyword, what, b->param_e,
        strcmp(b->keyword, "ROTATIONAL") == 0 ? "rotational" : "vibrational");
  return wn_xs_remark(set, b->line,
                      "%s %s: not used: it gives no energy loss and belongs to a "
                      "continuous approximation "
                      "of the losses or to single states",
                      b->keyword, what);
}

static int fill_set(struct wn_xs_set *set, const char *path, const struct wn_xs_blocks *f,
                    const struct entry *e)
{
  char hex[WN_SHA256_HEX];
  WN_TRY(wn_sha256_file(path, hex));
  WN_TRY(copy_string(&set->name, e->target));
  WN_TRY(copy_string(&set->ion, e->ion));
  WN_TRY(copy_string(&set->source, path));
  WN_TRY(copy_string(&set->sha256, hex));
  for (size_t i = 0; i < f->n_remarks; i++)
    WN_TRY(wn_xs_remark(set, f->remark[i].line, "%s", f->remark[i].text));
  for (size_t i = 0; i < f->n; i++) {
    const struct wn_xs_block *b = &f->block[i];
    if (!same(b->database, e->database))
      continue;
    if (belongs(b, e))
      WN_TRY(e->ion != NULL ? add_ion_block(set, b) : wn_xs_lxcat_add(set, f, b));
    else if (e->ion == NULL && !usable(b))
      WN_TRY(remark_unused(set, b, e->target));
  }
  return WN_OK;
}

int wn_xs_read_lxcat(const char *path, const char *target, const char *database,
                     struct wn_xs_set **out)
{
  struct wn_xs_blocks f;
  struct entry e = {NULL, NULL, NULL};
  WN_TRY(wn_xs_lxcat_scan(path, &f));
  struct wn_xs_set *set = NULL;
  int status = choose(path, &f, target, database, &e);
  if (status == WN_OK) {
    set = wn_alloc(1, sizeof *set);
    status = set != NULL ? fill_set(set, path, &f, &e) : WN_ENOMEM;
  }
  wn_xs_lxcat_scan_free(&f);
  if (status != WN_OK) {
    wn_xs_free(set);
    return status;
  }
  *out = set;
  return WN_OK;
}
