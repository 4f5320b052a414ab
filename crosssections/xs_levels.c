/* crosssections/xs_levels.c - see xs_levels.h. */
#include "crosssections/xs_levels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "crosssections/xs_set.h"
#include "physics/constants.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"

#define LEAST                                                                            \
  1e-20           /* of a population times 1/g, below which no superelastic process is
                     * made */
#define SAME 1e-6 /* relative, of two energies that are one */

/* The rows of a reverse table that are not the rows of the other one: (1 + i/GRID) 2^k eV.
 * Between them 1/e is off by 1/(4 GRID^2) of it, 6e-5, where they are widest. */
#define GRID       64
#define FIRST_LOG2 (-16) /* below the first bin of xs_table.c */

/* A level during wn_xs_populate. */
struct found {
  size_t i; /* of the process */
  double g, n;
  double w_ev; /* loss of an electron where the target is at rest */
  bool again;  /* the level has been counted */
};

static const char *source_of(const struct wn_xs_set *set)
{
  return set->source != NULL ? set->source : set->name;
}

static int find_process(const struct wn_xs_set *set, const char *name, size_t *found)
{
  size_t hits = 0;
  for (size_t i = set->n; i-- > 0;)
    if (wn_xs_named_by(&set->process[i], name)) {
      *found = i;
      hits++;
    }
  if (hits == 1)
    return WN_OK;
  if (hits == 0) {
    const char *nearest = wn_xs_nearest(set, name);
    wn_log_at(WN_LOG_ERROR, source_of(set), 0,
              "excited = \"%s\" matches no process of %s; the nearest is \"%s\"", name,
              set->name, nearest != NULL ? nearest : "none");
  } else {
    wn_log_at(WN_LOG_ERROR, source_of(set), set->process[*found].line,
              "excited = \"%s\" names %zu processes of %s, \"%s\" and others; the level "
              "is ambiguous: give labels",
              name, hits, set->name, set->process[*found].label);
  }
  return WN_EINPUT;
}

static bool is_one_energy(double a, double b)
{
  return fabs(a - b) <= SAME * fabs(a);
}

static int refuse(const struct wn_xs_set *set, const struct wn_xs_process *p,
                  const char *why)
{
  wn_log_at(WN_LOG_ERROR, source_of(set), p->line, "excited = \"%s\": %s", p->label, why);
  return WN_EINPUT;
}

/* Is the process one that can be reversed, once? */
static int check_process(const struct wn_xs_set *set, const struct found *f, size_t k)
{
  const struct wn_xs_process *p = &set->process[f[k].i];
  if (p->kind != WN_XS_EXCITATION || !(p->loss_ev > 0.0))
    return refuse(set, p, "it is not an excitation with an energy loss above 0");
  if (!(p->energy_ev[p->n - 1] > f[k].w_ev + ldexp(1.0, FIRST_LOG2)))
    return refuse(
        set, p,
        "its table ends at the energy loss, so that the reverse process is not known");
  if (!(f[k].g > 0.0))
    return refuse(set, p,
                  "the file gives no ratio of statistical weights for it (the second "
                  "number of line 3, or g1/g0 of PARAM); give excited_weights");
  for (size_t j = 0; j < k; j++)
    if (f[j].i == f[k].i)
      return refuse(set, p, "it is given twice");
  for (size_t i = 0; i < set->n; i++) {
    const struct wn_xs_process *o = &set->process[i];
    if (o->kind == WN_XS_EXCITATION && o->loss_ev < 0.0 &&
        fabs(o->loss_ev + p->loss_ev) <= 1e-3 * p->loss_ev) {
      wn_log_at(WN_LOG_ERROR, source_of(set), o->line,
                "\"%s\" gives as much as \"%s\" takes: the reverse process would count "
                "twice; exclude it, or remove it from excited",
                o->label, p->label);
      return WN_EINPUT;
    }
  }
  return WN_OK;
}

/* Processes with equal loss lead to one level: the first is counted, and the others must
 * give the same population and weight. */
static int count_once(const struct wn_xs_set *set, const struct wn_xs_level *level,
                      struct found *f, size_t k)
{
  const struct wn_xs_process *p = &set->process[f[k].i];
  for (size_t j = 0; j < k && !f[k].again; j++) {
    const struct wn_xs_process *o = &set->process[f[j].i];
    if (!is_one_energy(p->loss_ev, o->loss_ev))
      continue;
    f[k].again = true;
    const bool by_fraction = !isnan(level[k].fraction);
    if (f[j].g == f[k].g &&
        (by_fraction ? level[j].fraction == level[k].fraction
                     : level[j].temperature_k == level[k].temperature_k))
      continue;
    wn_log_at(WN_LOG_ERROR, source_of(set), p->line,
              "\"%s\" and \"%s\" lead to a level of %.9g eV, which counts once: give "
              "both the same population and ratio of weights, or exclude one",
              o->label, p->label, p->loss_ev);
    return WN_EINPUT;
  }
  return WN_OK;
}

/* Populations of all levels; *n0: of the lowest. */
static int set_populations(const struct wn_xs_set *set, size_t n,
                           const struct wn_xs_level *level, struct found *f, double *n0)
{
  double given = 0.0, made = 0.0; /* parts of all, and of those in the lowest level */
  for (size_t k = 0; k < n; k++) {
    const double kt = WN_KB * level[k].temperature_k / WN_E;
    const bool by_fraction = !isnan(level[k].fraction);
    f[k].n = by_fraction ? level[k].fraction
             : kt > 0.0  ? f[k].g * exp(-set->process[f[k].i].loss_ev / kt)
                         : 0.0;
    if (!f[k].again)
      *(by_fraction ? &given : &made) += f[k].n;
  }
  if (!(given < 1.0)) {
    wn_log_at(WN_LOG_ERROR, source_of(set), 0,
              "excited_fractions of %s: %.9g of the molecules are in excited levels; "
              "some must be in the lowest level",
              set->name, given);
    return WN_EINPUT;
  }
  *n0 = (1.0 - given) / (1.0 + made);
  for (size_t k = 0; k < n; k++)
    if (isnan(level[k].fraction))
      f[k].n *= *n0;
  return WN_OK;
}

/* ---- the reverse table ---- */

struct rows {
  size_t n;
  double *e, *s;
};

static void push(struct rows *r, double e, double s)
{
  r->e[r->n] = e;
  r->s[r->n++] = s;
}

/* (e + W)/e sigma(e + W) times `part` on the grid and at the rows of p. */
static void fill_rows(const struct wn_xs_set *set, const struct wn_xs_process *p,
                      double w, double part, struct rows *to)
{
  const double top = p->energy_ev[p->n - 1] - w, first = ldexp(1.0, FIRST_LOG2);
  size_t r = 0;
  while (p->energy_ev[r] - w < first * (1.0 + SAME))
    r++;
  for (int j = 0;; j++) {
    const double e = ldexp(1.0 + (double)(j % GRID) / GRID, FIRST_LOG2 + j / GRID);
    for (; r < p->n && p->energy_ev[r] - w < e * (1.0 + SAME); r++) {
      const double at = p->energy_ev[r] - w;
      if (r == 0 && p->sigma[r] > 0.0) /* 0 below its first row */
        push(to, at, 0.0);
      push(to, at, part * (p->energy_ev[r] / at) * p->sigma[r]);
    }
    if (!(e < top * (1.0 - SAME)))
      return;
    if (to->n == 0 || to->e[to->n - 1] < e * (1.0 - SAME))
      push(to, e, part * ((e + w) / e) * wn_xs_sigma(set, p, e + w, WN_XS_BEYOND_ERROR));
  }
}

/* The name of the level: the product, else what follows the kind in the label. */
static const char *level_name(const struct wn_xs_process *p)
{
  return p->product != NULL ? p->product : p->label;
}

int wn_xs_add_reverse(struct wn_xs_set *set, size_t i, double g, double n, double w_ev)
{
  const struct wn_xs_process *p = &set->process[i];
  const double top = p->energy_ev[p->n - 1] - w_ev;
  const size_t octaves = (size_t)fmax(ceil(log2(top)) - FIRST_LOG2, 0.0) + 2,
               room = octaves * GRID + p->n + 2;
  struct rows rows = {0, wn_alloc(room, sizeof(double)), wn_alloc(room, sizeof(double))};
  struct wn_xs_process q = {.kind = WN_XS_EXCITATION,
                            .line = p->line,
                            .loss_ev = -p->loss_ev,
                            .weight_ratio = 1.0 / g,
                            .target =
                                wn_strdup(p->target != NULL ? p->target : set->name),
                            .label = wn_asprintf("superelastic %s", level_name(p)),
                            .energy_ev = rows.e,
                            .sigma = rows.s};
  int status = WN_ENOMEM;
  if (p->database != NULL && (q.database = wn_strdup(p->database)) == NULL)
    goto fail;
  if (rows.e == NULL || rows.s == NULL || q.target == NULL || q.label == NULL)
    goto fail;
  fill_rows(set, p, w_ev, n / g, &rows);
  WN_ASSERT(rows.n >= 2 && rows.n <= room);
  q.n = rows.n;
  status = wn_xs_append(set, &q);
fail:
  if (status != WN_OK)
    wn_xs_process_clear(&q);
  return status;
}

static int apply(struct wn_xs_set *set, const struct found *f, double n0)
{
  const bool made = f->n / f->g >= LEAST;
  char *text = wn_asprintf(
      "\"%s\": %.6g of the molecules in the lowest level, %.6g in the upper, %.6g eV "
      "above it, ratio of weights %.6g%s",
      set->process[f->i].label, n0, f->n, set->process[f->i].loss_ev, f->g,
      made ? "" : ": too few for superelastic collisions");
  if (text == NULL)
    return WN_ENOMEM;
  const int line = set->process[f->i].line;
  wn_log_at(WN_LOG_INFO, source_of(set), line, "%s", text);
  int status = wn_xs_note(set, "%s:%d: %s", source_of(set), line, text);
  free(text);
  WN_TRY(status);
  if (made)
    WN_TRY(wn_xs_add_reverse(set, f->i, f->g, f->n, f->w_ev));
  struct wn_xs_process *p = &set->process[f->i]; /* wn_xs_append may have moved the
                                                  * array */
  for (size_t r = 0; r < p->n; r++)
    p->sigma[r] *= n0;
  return WN_OK;
}

int wn_xs_populate(struct wn_xs_set *set, double mass, size_t n,
                   const struct wn_xs_level *level)
{
  double n0 = 1.0;
  int status = WN_OK;
  if (n == 0)
    return WN_OK;
  struct found *f = wn_alloc(n, sizeof *f);
  if (f == NULL)
    return WN_ENOMEM;
  for (size_t k = 0; k < n && status == WN_OK; k++) {
    status = find_process(set, level[k].process, &f[k].i);
    if (status != WN_OK)
      break;
    const struct wn_xs_process *p = &set->process[f[k].i];
    f[k].g = level[k].weight_ratio > 0.0 ? level[k].weight_ratio : p->weight_ratio;
    f[k].w_ev = p->loss_ev * (mass > 0.0 ? 1.0 + WN_ME / mass : 1.0);
    status = check_process(set, f, k);
    if (status == WN_OK)
      status = count_once(set, level, f, k);
  }
  if (status == WN_OK)
    status = set_populations(set, n, level, f, &n0);
  for (size_t k = 0; k < n && status == WN_OK; k++)
    status = apply(set, &f[k], n0);
  free(f);
  return status;
}
