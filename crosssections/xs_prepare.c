/* crosssections/xs_prepare.c - make a set fit for a particle code.
 * Leaves out what the user excludes, scales three-body attachment, refuses what would be
 * counted twice, and turns EFFECTIVE (elastic momentum transfer + all inelastic) into
 * ELASTIC when told to. All checks come before the first change, so a set that is refused
 * is as it was (but for its notes). */
#include "crosssections/xs.h"

#include "crosssections/xs_set.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIGMA_MAX    1e-15 /* m2, as in the reader */
#define CM3_PER_M3   1e-6  /* density in m-3 times this is in cm-3 */
#define TOTAL_BEGINS 0.01  /* how far files round the first ionization energy */

static bool same(const char *a, const char *b)
{
  return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* ---- excluded processes ---- */

static int mark_excluded(const struct wn_xs_set *set, size_t n,
                         const char *const *exclude, bool *out)
{
  const char *source = set->source != NULL ? set->source : set->name;
  for (size_t k = 0; k < n; k++) {
    bool found = false;
    for (size_t i = 0; i < set->n; i++)
      if (wn_xs_named_by(&set->process[i], exclude[k]))
        out[i] = found = true;
    if (!found) {
      const char *nearest = wn_xs_nearest(set, exclude[k]);
      wn_log_at(WN_LOG_ERROR, source, 0,
                "exclude = \"%s\" matches no process of %s; the nearest is \"%s\"",
                exclude[k], set->name, nearest != NULL ? nearest : "none");
      return WN_EINPUT;
    }
  }
  return WN_OK;
}

/* ---- processes that would be counted twice ---- */

/* The one process of a kind among those that stay; NULL for none.  Several: an error. */
static int only_one(const struct wn_xs_set *set, const bool *out, enum wn_xs_kind kind,
                    const struct wn_xs_process **one)
{
  const struct wn_xs_process *first = NULL;
  size_t n = 0;
  for (size_t i = 0; i < set->n; i++)
    if (!out[i] && set->process[i].kind == kind && n++ == 0)
      first = &set->process[i];
  *one = first;
  if (n < 2)
    return WN_OK;
  const char *source = set->source != NULL ? set->source : set->name;
  for (size_t i = 0; i < set->n; i++) {
    const struct wn_xs_process *p = &set->process[i];
    if (!out[i] && p->kind == kind)
      wn_log_at(WN_LOG_ERROR, source, p->line, "\"%s\": %s", p->label,
                p->comment != NULL ? p->comment : "no comment");
  }
  wn_log_at(WN_LOG_ERROR, source, first->line,
            "%zu %s processes for %s, and a particle code can use only one; they may be "
            "momentum transfer, integral and total scattering: keep the momentum "
            "transfer and exclude the others by the labels above",
            n, wn_xs_kind_name(kind), set->name);
  return WN_EINPUT;
}

static bool same_table(const struct wn_xs_process *a, const struct wn_xs_process *b)
{
  return a->n == b->n &&
         memcmp(a->energy_ev, b->energy_ev, a->n * sizeof *a->energy_ev) == 0 &&
         memcmp(a->sigma, b->sigma, a->n * sizeof *a->sigma) == 0;
}

/* The same kind, product and energy twice is an error; the same numbers under two names a
 * warning. */
static int check_duplicates(struct wn_xs_set *set, const bool *out)
{
  for (size_t i = 0; i < set->n; i++)
    for (size_t k = 0; k < i; k++) {
      const struct wn_xs_process *a = &set->process[k], *b = &set->process[i];
      if (out[i] || out[k] || a->kind != b->kind || a->three_body != b->three_body ||
          a->loss_ev != b->loss_ev || a->threshold_ev != b->threshold_ev ||
          a->orbital.b_ev != b->orbital.b_ev)
        continue;
      if (same(a->product, b->product)) {
        wn_log_at(WN_LOG_ERROR, set->source != NULL ? set->source : set->name, b->line,
                  "\"%s\" is the process \"%s\" of line %d again, with the same energy: "
                  "it would count twice; exclude one "
                  "of them by its label",
                  b->label, a->label, a->line);
        return WN_EINPUT;
      }
      if (same_table(a, b))
        WN_TRY(wn_xs_remark(set, b->line,
                            "\"%s\" has the energy and the table of \"%s\" of line %d: "
                            "the same process under "
                            "two names?",
                            b->label, a->label, a->line));
    }
  return WN_OK;
}

/* A total ionization cross section together with the partial ones that it is the sum of.
 * It is compared at the rows of the candidate total, whose threshold must be that of its
 * first part.  At least two parts are required, since equality with one other partial
 * cross section proves nothing. */
static int check_totals(struct wn_xs_set *set, const bool *out)
{
  for (size_t i = 0; i < set->n; i++) {
    const struct wn_xs_process *p = &set->process[i];
    double max = 0.0;
    size_t rows = 0, alike = 0, others = 0;
    double first_ev = INFINITY;
    if (out[i] || p->kind != WN_XS_IONIZATION)
      continue;
    for (size_t r = 0; r < p->n; r++)
      max = fmax(max, p->sigma[r]);
    for (size_t k = 0; k < set->n; k++)
      if (k != i && !out[k] && set->process[k].kind == WN_XS_IONIZATION) {
        others++;
        first_ev = fmin(first_ev, set->process[k].loss_ev);
      }
    if (others < 2 || p->loss_ev > first_ev * (1.0 + TOTAL_BEGINS))
      continue;
    for (size_t r = 0; r < p->n; r++) {
      if (!(p->sigma[r] > 0.05 * max))
        continue;
      double sum = 0.0;
      for (size_t k = 0; k < set->n; k++)
        if (k != i && !out[k] && set->process[k].kind == WN_XS_IONIZATION)
          sum += wn_xs_sigma(set, &set->process[k], p->energy_ev[r], WN_XS_BEYOND_ZERO);
      rows++;
      alike += fabs(sum - p->sigma[r]) < 0.05 * p->sigma[r];
    }
    if (rows > 0 && 4 * alike >= 3 * rows)
      WN_TRY(wn_xs_remark(set, p->line,
                          "\"%s\" equals the sum of the other %zu ionizations within 5 "
                          "%% at %zu of %zu rows: "
                          "if it is the total, ionization is counted twice; exclude the "
                          "total or its parts",
                          p->label, others, alike, rows));
  }
  return WN_OK;
}

/* ---- elastic from effective ---- */

/* A table that grows. */
struct table {
  size_t n, cap;
  double *e, *s;
};

static int push(struct table *t, double e, double s)
{
  if (t->n == t->cap) {
    size_t cap = t->cap > 0 ? 2 * t->cap : 256;
    double *more = wn_realloc(t->e, cap, sizeof *more);
    if (more == NULL)
      return WN_ENOMEM;
    t->e = more;
    more = wn_realloc(t->s, cap, sizeof *more);
    if (more == NULL)
      return WN_ENOMEM;
    t->s = more;
    t->cap = cap;
  }
  t->e[t->n] = e;
  t->s[t->n++] = s;
  return WN_OK;
}

static int compare(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static bool subtracted(const struct wn_xs_process *p)
{
  return p->kind != WN_XS_ELASTIC && p->kind < WN_XS_EFFECTIVE && !p->three_body;
}

/* effective - all inelastic at one energy; below: the limit from lower energies.  An
 * inelastic table that ends before the effective one is continued by its power law; a
 * constant would subtract too much. */
static double difference(const struct wn_xs_set *set, const bool *out,
                         const struct wn_xs_process *effective, double e, bool below)
{
  double at = below ? nextafter(e, -INFINITY) : e;
  double d = wn_xs_sigma(set, effective, at, WN_XS_BEYOND_CONSTANT);
  for (size_t i = 0; i < set->n; i++)
    if (!out[i] && subtracted(&set->process[i]))
      d -= wn_xs_sigma(set, &set->process[i], at, WN_XS_BEYOND_POWER);
  return d;
}

/* All energies of the tables between the ends of the effective one, each once. */
static int union_grid(const struct wn_xs_set *set, const bool *out,
                      const struct wn_xs_process *effective, size_t *n, double **energies)
{
  size_t total = effective->n, k = 0;
  double first = effective->energy_ev[0], last = effective->energy_ev[effective->n - 1];
  for (size_t i = 0; i < set->n; i++)
    if (!out[i] && subtracted(&set->process[i]))
      total += set->process[i].n;
  double *e = wn_alloc(total, sizeof *e);
  if (e == NULL)
    return WN_ENOMEM;
  for (size_t i = 0; i < set->n; i++) {
    const struct wn_xs_process *p = &set->process[i];
    if (p != effective && (out[i] || !subtracted(p)))
      continue;
    for (size_t r = 0; r < p->n; r++)
      if (p->energy_ev[r] >= first && p->energy_ev[r] <= last)
        e[k++] = p->energy_ev[r];
  }
  qsort(e, k, sizeof *e, compare);
  size_t kept = 0;
  for (size_t i = 0; i < k; i++)
    if (kept == 0 || e[i] != e[kept - 1])
      e[kept++] = e[i];
  *n = kept;
  *energies = e;
  return WN_OK;
}

/* Where the difference was below 0, and by how much. */
struct clamp {
  bool any;
  double from, to, worst, worst_at;
};

static double clamped(struct clamp *c, double e, double d)
{
  if (d >= 0.0)
    return d;
  c->from = c->any ? fmin(c->from, e) : e;
  c->to = c->any ? fmax(c->to, e) : e;
  c->any = true;
  if (d < c->worst) {
    c->worst = d;
    c->worst_at = e;
  }
  return 0.0;
}

/* The elastic table: the difference at every energy of the union, both sides of a step, 0
 * where it is negative, and the crossing itself where it changes sign between two
 * energies. */
static int subtract(const struct wn_xs_set *set, const bool *out,
                    const struct wn_xs_process *effective, struct table *t,
                    struct clamp *c)
{
  size_t n = 0;
  double *e = NULL;
  WN_TRY(union_grid(set, out, effective, &n, &e));
  int status = WN_OK;
  double before = 0.0; /* difference right of the energy before, not clamped */
  for (size_t i = 0; i < n && status == WN_OK; i++) {
    double right = difference(set, out, effective, e[i], false);
    double left = i > 0 ? difference(set, out, effective, e[i], true) : right;
    /* Rounding, and the slope over one ulp, are not a step. */
    bool step = fabs(left - right) > 1e-9 * (fabs(left) + fabs(right));
    if (!step)
      left = right;
    if (i > 0 && (before < 0.0) != (left < 0.0) && before != 0.0 && left != 0.0) {
      double zero = e[i - 1] + (e[i] - e[i - 1]) * (before / (before - left));
      if (zero > e[i - 1] && zero < e[i]) {
        status = push(t, zero, 0.0);
        clamped(c, zero, -DBL_MIN); /* the stretch begins or ends here */
      }
    }
    if (status == WN_OK && step)
      status = push(t, e[i], clamped(c, e[i], left));
    if (status == WN_OK)
      status = push(t, e[i], clamped(c, e[i], right));
    before = right;
  }
  free(e);
  return status;
}

/* Notes on the assumptions of the subtraction; written once the set has its elastic
 * process. */
static int note_subtraction(struct wn_xs_set *set, const bool *out,
                            const struct wn_xs_process *effective, const struct table *t,
                            const struct clamp *c)
{
  double last = effective->energy_ev[effective->n - 1];
  size_t n = 0, early = 0;
  for (size_t i = 0; i < set->n; i++) {
    const struct wn_xs_process *p = &set->process[i];
    if (out[i] || !subtracted(p))
      continue;
    n++;
    early += p->sigma[p->n - 1] > 0.0 && p->energy_ev[p->n - 1] < last;
  }
  WN_TRY(wn_xs_note(set,
                    "%s:%d: elastic = effective minus %zu inelastic cross sections on "
                    "the union of their energies",
                    set->source != NULL ? set->source : set->name, effective->line, n));
  if (early > 0)
    WN_TRY(wn_xs_remark(
        set, effective->line,
        "%zu of the cross sections taken from effective end below its last energy "
        "of %g eV; they were continued by their last power law for the subtraction",
        early, last));
  if (c->any)
    WN_TRY(wn_xs_remark(
        set, effective->line,
        "effective minus inelastic is negative between %g and %g eV, at worst %.3g m2 at "
        "%g eV; elastic set to 0 there%s",
        c->from, c->to, c->worst, c->worst_at,
        t->s[t->n - 1] > 0.0
            ? ""
            : "; as its last value is 0, no elastic scattering remains above the "
              "table under any policy"));
  return WN_OK;
}

/* ---- ions ---- */

/* Checks of a set of ions; fills out[]. */
static int examine_ion(const struct wn_xs_set *set, size_t n_exclude,
                       const char *const *exclude, bool *out)
{
  const char *source = set->source != NULL ? set->source : set->name;
  size_t n[WN_XS_N_KINDS] = {0};
  WN_TRY(mark_excluded(set, n_exclude, exclude, out));
  for (size_t i = 0; i < set->n; i++) {
    const struct wn_xs_process *p = &set->process[i];
    if (out[i] || n[p->kind]++ == 0)
      continue;
    wn_log_at(WN_LOG_ERROR, source, p->line,
              "\"%s\": there is another %s of %s / %s, and both would count; exclude one "
              "of them by its label",
              p->label, wn_xs_kind_name(p->kind), set->ion, set->name);
    return WN_EINPUT;
  }
  if (n[WN_XS_ISOTROPIC] + n[WN_XS_BACKSCATTER] == 0)
    return WN_FAIL(WN_EINPUT, "%s: no process of %s / %s is left", source, set->ion,
                   set->name);
  return WN_OK;
}

/* ---- the whole ---- */

static int no_elastic(const struct wn_xs_set *set, const struct wn_xs_process *effective)
{
  const char *source = set->source != NULL ? set->source : set->name;
  if (effective != NULL)
    wn_log_at(WN_LOG_ERROR, source, effective->line,
              "EFFECTIVE without ELASTIC for %s: effective includes the inelastic cross "
              "sections and would count them twice; give a file with an ELASTIC block, "
              "or effective = \"subtract\"",
              set->name);
  else
    wn_log_at(WN_LOG_ERROR, source, 0,
              "no ELASTIC block for %s (nor an EFFECTIVE to derive it from); a particle "
              "code needs one",
              set->name);
  return WN_EINPUT;
}

/* All checks; fills out[] (processes to remove) and, when the elastic one is made, t and
 * c. */
static int examine(struct wn_xs_set *set, enum wn_xs_effective policy,
                   double third_body_m3, size_t n_exclude, const char *const *exclude,
                   bool *out, const struct wn_xs_process **make_from, struct table *t,
                   struct clamp *c)
{
  const struct wn_xs_process *elastic, *effective;
  WN_TRY(mark_excluded(set, n_exclude, exclude, out));
  for (size_t i = 0; i < set->n; i++) {
    const struct wn_xs_process *p = &set->process[i];
    if (out[i]) {
      WN_TRY(wn_xs_note(set, "%s:%d: \"%s\" excluded by the scenario",
                        set->source != NULL ? set->source : set->name, p->line,
                        p->label));
    } else if (p->three_body && third_body_m3 == 0.0) {
      out[i] = true;
      WN_TRY(wn_xs_remark(set, p->line,
                          "\"%s\" needs a third body, whose density is 0: left out",
                          p->label));
    } else if (p->three_body) {
      for (size_t r = 0; r < p->n; r++)
        if (!(p->sigma[r] * third_body_m3 * CM3_PER_M3 < SIGMA_MAX)) {
          wn_log_at(WN_LOG_ERROR, set->source != NULL ? set->source : set->name, p->line,
                    "\"%s\" is three-body: %g m2 per cm-3 at %g eV times %g cm-3 is "
                    "above 1e-15 m2; is the table per cm-3?",
                    p->label, p->sigma[r], p->energy_ev[r], third_body_m3 * CM3_PER_M3);
          return WN_EINPUT;
        }
    }
  }
  WN_TRY(only_one(set, out, WN_XS_ELASTIC, &elastic));
  WN_TRY(only_one(set, out, WN_XS_EFFECTIVE, &effective));
  WN_TRY(check_duplicates(set, out));
  if (elastic == NULL && (effective == NULL || policy != WN_XS_EFFECTIVE_SUBTRACT))
    return no_elastic(set, effective);
  WN_TRY(check_totals(set, out));
  *make_from = NULL;
  if (elastic != NULL && effective != NULL) {
    out[effective - set->process] = true;
    return wn_xs_remark(set, effective->line,
                        "EFFECTIVE left out: the set has an ELASTIC (line %d)",
                        elastic->line);
  }
  if (elastic != NULL)
    return WN_OK;
  WN_TRY(subtract(set, out, effective, t, c));
  WN_TRY(note_subtraction(set, out, effective, t, c));
  *make_from = effective;
  return WN_OK;
}

int wn_xs_prepare(struct wn_xs_set *set, enum wn_xs_effective effective,
                  double third_body_m3, size_t n_exclude, const char *const *exclude)
{
  if (!(third_body_m3 >= 0.0 && isfinite(third_body_m3)))
    return WN_FAIL(WN_EINPUT,
                   "density of the third body of %s: %g m-3; it must be 0 or more",
                   set->name, third_body_m3);
  bool *out = wn_alloc(set->n + 1, sizeof *out);
  if (out == NULL)
    return WN_ENOMEM;
  const struct wn_xs_process *make_from = NULL;
  struct table t = {.n = 0};
  struct clamp c = {.any = false};
  char *label = NULL;
  int status = set->ion != NULL ? examine_ion(set, n_exclude, exclude, out)
                                : examine(set, effective, third_body_m3, n_exclude,
                                          exclude, out, &make_from, &t, &c);
  if (status == WN_OK && make_from != NULL &&
      (label = wn_strdup(wn_xs_kind_name(WN_XS_ELASTIC))) == NULL)
    status = WN_ENOMEM;
  if (status != WN_OK) {
    free(t.e);
    free(t.s);
    free(out);
    return status;
  }

  if (make_from != NULL) {
    struct wn_xs_process *p = &set->process[make_from - set->process];
    free(p->label);
    free(p->energy_ev);
    free(p->sigma);
    free(p->sigma_total); /* on the old energies */
    p->kind = WN_XS_ELASTIC;
    p->label = label;
    p->n = t.n;
    p->energy_ev = t.e;
    p->sigma = t.s;
    p->sigma_total = NULL;
  }
  size_t kept = 0;
  for (size_t i = 0; i < set->n; i++) {
    struct wn_xs_process *p = &set->process[i];
    if (out[i]) {
      wn_xs_process_clear(p);
      continue;
    }
    for (size_t r = 0; p->three_body && r < p->n; r++)
      p->sigma[r] *= third_body_m3 * CM3_PER_M3;
    p->three_body = false;
    set->process[kept++] = *p;
  }
  set->n = kept;
  free(out);
  return WN_OK;
}
