/* crosssections/xs_factor.c - see xs_factor.h. */
#include "crosssections/xs_factor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "crosssections/xs_beyond.h"
#include "crosssections/xs_set.h"
#include "physics/constants.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"

#define WIDEST 1.01 /* ratio of the energies of neighbouring rows in a range */
#define OFF    2e-5 /* of the cross section, between rows */
#define ROUND  1e-9 /* relative, of a ratio of cross sections */

/* What a factor multiplies of a process. */
#define SIGMA 1u
#define TOTAL 2u
#define BOTH  (SIGMA | TOTAL)

#define KIND(kind) (1u << WN_XS_##kind)
static const struct {
  const char *name;
  unsigned kinds, parts;
} words[] = {
    {"elastic", KIND(ELASTIC), BOTH},
    {"momentum-transfer", KIND(ELASTIC), SIGMA},
    {"integral", KIND(ELASTIC), TOTAL},
    {"inelastic", KIND(EXCITATION) | KIND(IONIZATION), BOTH},
    {"excitation", KIND(EXCITATION), BOTH},
    {"ionization", KIND(IONIZATION), BOTH},
    {"attachment", KIND(ATTACHMENT), BOTH},
};
#define N_WORDS (sizeof words / sizeof words[0])

static const char *source_of(const struct wn_xs_set *set)
{
  return set->source != NULL ? set->source : set->name;
}

static size_t word_of(const char *name)
{
  size_t w = 0;
  while (w < N_WORDS && strcmp(words[w].name, name) != 0)
    w++;
  return w;
}

/* Words come first: "attachment" is every attachment, also where a process has that label. */
static unsigned parts_of(const struct wn_xs_process *p, const char *name)
{
  const size_t w = word_of(name);
  unsigned parts = w < N_WORDS && words[w].kinds & (1u << p->kind) ? words[w].parts : 0u;
  if (w == N_WORDS && wn_xs_named_by(p, name))
    parts = BOTH;
  return p->sigma_total != NULL ? parts : parts & SIGMA;
}

static bool has_range(const struct wn_xs_factor *f)
{
  return f->to_ev > 0.0;
}

/* ---- overlap of a range with a table ---- */

/* Below its first row a table holds the first value (wn_xs_sigma). */
static bool holds_below(const struct wn_xs_process *p)
{
  return !(p->threshold_ev > 0.0) && p->kind != WN_XS_ATTACHMENT;
}

static bool is_above_0(const struct wn_xs_process *p, unsigned parts, size_t r)
{
  return (parts & SIGMA && p->sigma[r] > 0.0) ||
         (parts & TOTAL && p->sigma_total[r] > 0.0);
}

/* The part of the range between rows r and r + 1 in which the cross section is above
 * 0. */
static bool overlaps(const struct wn_xs_process *p, unsigned parts,
                     const struct wn_xs_factor *f, size_t r, double *lo, double *hi)
{
  *lo = fmax(fmax(p->energy_ev[r], f->from_ev), p->threshold_ev);
  *hi = fmin(p->energy_ev[r + 1], f->to_ev);
  return *lo < *hi && (is_above_0(p, parts, r) || is_above_0(p, parts, r + 1));
}

static bool overlaps_below(const struct wn_xs_process *p, unsigned parts,
                           const struct wn_xs_factor *f)
{
  return holds_below(p) && f->from_ev < p->energy_ev[0] && is_above_0(p, parts, 0);
}

static bool reaches_table(const struct wn_xs_process *p, unsigned parts,
                          const struct wn_xs_factor *f)
{
  double lo, hi;
  if (!has_range(f) || overlaps_below(p, parts, f))
    return true;
  for (size_t r = 0; r + 1 < p->n; r++)
    if (overlaps(p, parts, f, r, &lo, &hi))
      return true;
  return false;
}

/* ---- selection of processes, and input errors ---- */

static int matches_nothing(const struct wn_xs_set *set, const struct wn_xs_factor *f)
{
  const char *name[N_WORDS], *source = source_of(set);
  const size_t w = word_of(f->process);
  for (size_t i = 0; i < N_WORDS; i++)
    name[i] = words[i].name;
  const char *nearest = wn_xs_nearest_or(set, N_WORDS, name, f->process);
  if (w == N_WORDS)
    wn_log_at(WN_LOG_ERROR, source, 0,
              "factors = \"%s\" matches no process of %s; the nearest is \"%s\"", f->text,
              set->name, nearest != NULL ? nearest : "none");
  else if (words[w].parts == TOTAL)
    wn_log_at(
        WN_LOG_ERROR, source, 0,
        "factors = \"%s\": the set of %s has no integral elastic cross section; the "
        "nearest is \"momentum-transfer\"",
        f->text, set->name);
  else
    wn_log_at(WN_LOG_ERROR, source, 0, "factors = \"%s\": %s has no process of this kind",
              f->text, set->name);
  return WN_EINPUT;
}

/* How far the table is from the range, as a ratio of energies. */
static double distance_of(const struct wn_xs_process *p, const struct wn_xs_factor *f)
{
  const double first = fmax(p->energy_ev[0], p->threshold_ev);
  return fmax(first / f->to_ev, f->from_ev / p->energy_ev[p->n - 1]);
}

static int overlaps_nothing(const struct wn_xs_set *set, const struct wn_xs_factor *f,
                            const unsigned *parts)
{
  const struct wn_xs_process *p = NULL;
  for (size_t i = 0; i < set->n; i++)
    if (parts[i] != 0 &&
        (p == NULL || distance_of(&set->process[i], f) < distance_of(p, f)))
      p = &set->process[i];
  WN_ASSERT(p != NULL);
  wn_log_at(
      WN_LOG_ERROR, source_of(set), p->line,
      "factors = \"%s\": no cross section above 0 lies between %.9g and %.9g eV; the "
      "nearest table is that of \"%s\", %.9g to %.9g eV",
      f->text, f->from_ev, f->to_ev, p->label, fmax(p->energy_ev[0], p->threshold_ev),
      p->energy_ev[p->n - 1]);
  return WN_EINPUT;
}

static int check_end(const struct wn_xs_set *set, const struct wn_xs_process *p,
                     const struct wn_xs_factor *f, unsigned parts,
                     enum wn_xs_beyond beyond)
{
  double from_ev = INFINITY;
  if (parts & SIGMA)
    from_ev = wn_xs_beyond_from(p, p->sigma, beyond);
  if (parts & TOTAL)
    from_ev = fmin(from_ev, wn_xs_beyond_from(p, p->sigma_total, beyond));
  if (!(f->to_ev > from_ev))
    return WN_OK;
  wn_log_at(WN_LOG_ERROR, source_of(set), p->line,
            "factors = \"%s\": above the table of \"%s\", which ends at %.9g eV, the key "
            "`beyond` extrapolates from the values above %.9g eV, where the factor must "
            "be 1: end the range there, or name single processes",
            f->text, p->label, p->energy_ev[p->n - 1], from_ev);
  return WN_EINPUT;
}

/* Fills parts[], one for each process, 0 where the factor changes nothing. */
static int find(const struct wn_xs_set *set, const struct wn_xs_factor *f,
                enum wn_xs_beyond beyond, unsigned *parts)
{
  size_t named = 0, n_reached = 0;
  for (size_t i = 0; i < set->n; i++)
    named += (parts[i] = parts_of(&set->process[i], f->process)) != 0;
  if (named == 0)
    return matches_nothing(set, f);
  for (size_t i = 0; i < set->n; i++)
    n_reached += parts[i] != 0 && reaches_table(&set->process[i], parts[i], f);
  if (n_reached == 0)
    return overlaps_nothing(set, f, parts);
  for (size_t i = 0; i < set->n; i++) {
    if (parts[i] != 0 && !reaches_table(&set->process[i], parts[i], f))
      parts[i] = 0;
    if (parts[i] != 0 && has_range(f))
      WN_TRY(check_end(set, &set->process[i], f, parts[i], beyond));
  }
  return WN_OK;
}

/* Nothing turns more than back: 1 - cos(angle) is 2 at most. */
static int check_angles(const struct wn_xs_set *set)
{
  for (size_t i = 0; i < set->n; i++) {
    const struct wn_xs_process *p = &set->process[i];
    for (size_t r = 0; p->sigma_total != NULL && r < p->n; r++)
      if (p->sigma[r] > 2.0 * (1.0 + ROUND) * p->sigma_total[r]) {
        wn_log_at(
            WN_LOG_ERROR, source_of(set), p->line,
            "factors: at %.9g eV the momentum transfer of \"%s\" becomes %.4g times its "
            "integral cross section; the limit is 2, for scattering straight back",
            p->energy_ev[r], p->label, p->sigma[r] / p->sigma_total[r]);
        return WN_EINPUT;
      }
  }
  return WN_OK;
}

/* ---- rows ---- */

struct rows {
  size_t n, room;
  double *e, *s, *t; /* t: of sigma_total; NULL: there is none */
};

static int make_room(double **list, size_t room)
{
  double *more = wn_realloc(*list, room, sizeof *more);
  if (more == NULL)
    return WN_ENOMEM;
  *list = more;
  return WN_OK;
}

/* A straight piece of a table, not yet multiplied. */
struct piece {
  const struct wn_xs_factor *f;
  unsigned parts;
  bool has_total;
  double e0, e1, s0, s1, t0, t1;
};

static double hump(const struct wn_xs_factor *f, double e)
{
  if (!(e > f->from_ev && e < f->to_ev))
    return 1.0;
  const double s = sin(WN_PI * log(e / f->from_ev) / log(f->to_ev / f->from_ev));
  return pow(f->factor, s * s);
}

static void at(const struct piece *c, double e, double *s, double *t)
{
  const double u = c->e1 > c->e0 ? (e - c->e0) / (c->e1 - c->e0) : 0.0, f = hump(c->f, e);
  *s = (c->s0 + u * (c->s1 - c->s0)) * (c->parts & SIGMA ? f : 1.0);
  *t = (c->t0 + u * (c->t1 - c->t0)) * (c->parts & TOTAL ? f : 1.0);
}

static int push(struct rows *to, const struct piece *c, double e)
{
  if (to->n == to->room) {
    const size_t room = 2 * to->room + 64;
    WN_TRY(make_room(&to->e, room));
    WN_TRY(make_room(&to->s, room));
    if (c->has_total)
      WN_TRY(make_room(&to->t, room));
    to->room = room;
  }
  double s, t;
  at(c, e, &s, &t);
  to->e[to->n] = e;
  to->s[to->n] = s;
  if (c->has_total)
    to->t[to->n] = t;
  to->n++;
  return WN_OK;
}

/* Does the straight line from a to b deviate from the multiplied cross section by more
 * than OFF? Checked at three points, since a curve may cross its chord at one of them. */
static bool is_off(const struct piece *c, double a, double b)
{
  double sa, ta, sb, tb, s, t;
  at(c, a, &sa, &ta);
  at(c, b, &sb, &tb);
  for (int k = 1; k < 4; k++) {
    const double u = 0.25 * k;
    at(c, a + u * (b - a), &s, &t);
    if (fabs(sa + u * (sb - sa) - s) > OFF * s || fabs(ta + u * (tb - ta) - t) > OFF * t)
      return true;
  }
  return false;
}

/* Insert rows between a and b, both excluded.  Where a cross section begins at 0 the
 * intervals are halved until the factor hardly changes within one; the error is then of
 * first order. */
static int refine(struct rows *to, const struct piece *c, double a, double b)
{
  const double middle = sqrt(a) * sqrt(b);
  if (!(middle > a && middle < b) || !(b > a * WIDEST || is_off(c, a, b)))
    return WN_OK;
  WN_TRY(refine(to, c, a, middle));
  WN_TRY(push(to, c, middle));
  return refine(to, c, middle, b);
}

static struct piece piece_of(const struct wn_xs_process *p, unsigned parts,
                             const struct wn_xs_factor *f, size_t r, size_t end)
{
  const bool has_total = p->sigma_total != NULL;
  return (struct piece){.f = f,
                        .parts = parts,
                        .has_total = has_total,
                        .e0 = p->energy_ev[r],
                        .e1 = p->energy_ev[end],
                        .s0 = p->sigma[r],
                        .s1 = p->sigma[end],
                        .t0 = has_total ? p->sigma_total[r] : 0.0,
                        .t1 = has_total ? p->sigma_total[end] : 0.0};
}

static int fill(struct rows *to, const struct wn_xs_process *p, unsigned parts,
                const struct wn_xs_factor *f)
{
  double lo, hi;
  if (overlaps_below(p, parts, f)) {
    const struct piece flat = piece_of(p, parts, f, 0, 0);
    lo = f->from_ev;
    hi = fmin(f->to_ev, p->energy_ev[0]);
    WN_TRY(push(to, &flat, lo));
    WN_TRY(refine(to, &flat, lo, hi));
    if (hi < p->energy_ev[0])
      WN_TRY(push(to, &flat, hi));
  }
  for (size_t r = 0; r < p->n; r++) {
    const struct piece row = piece_of(p, parts, f, r, r);
    WN_TRY(push(to, &row, p->energy_ev[r]));
    if (r + 1 == p->n || !overlaps(p, parts, f, r, &lo, &hi))
      continue;
    const struct piece c = piece_of(p, parts, f, r, r + 1);
    if (lo > c.e0)
      WN_TRY(push(to, &c, lo));
    WN_TRY(refine(to, &c, lo, hi));
    if (hi < c.e1)
      WN_TRY(push(to, &c, hi));
  }
  return WN_OK;
}

static int multiply(struct wn_xs_process *p, unsigned parts, const struct wn_xs_factor *f)
{
  if (!has_range(f)) {
    for (size_t r = 0; r < p->n; r++) {
      if (parts & SIGMA)
        p->sigma[r] *= f->factor;
      if (parts & TOTAL)
        p->sigma_total[r] *= f->factor;
    }
    return WN_OK;
  }
  struct rows rows = {0};
  const int status = fill(&rows, p, parts, f);
  if (status != WN_OK) {
    free(rows.e);
    free(rows.s);
    free(rows.t);
    return status;
  }
  free(p->energy_ev);
  free(p->sigma);
  free(p->sigma_total);
  p->n = rows.n;
  p->energy_ev = rows.e;
  p->sigma = rows.s;
  p->sigma_total = rows.t;
  return WN_OK;
}

/* ---- the whole ---- */

static int note(struct wn_xs_set *set, const struct wn_xs_factor *f, size_t n,
                const char *only)
{
  char *text = n == 1 ? wn_asprintf("factors = \"%s\" multiplies \"%s\" of %s", f->text,
                                    only, set->name)
                      : wn_asprintf("factors = \"%s\" multiplies %zu processes of %s",
                                    f->text, n, set->name);
  if (text == NULL)
    return WN_ENOMEM;
  wn_log_at(WN_LOG_INFO, source_of(set), 0, "%s", text);
  const int status = wn_xs_note(set, "%s: %s", source_of(set), text);
  free(text);
  return status;
}

static int apply(struct wn_xs_set *set, const struct wn_xs_factor *f,
                 enum wn_xs_beyond beyond, unsigned *parts)
{
  size_t n = 0;
  const char *only = NULL;
  WN_TRY(find(set, f, beyond, parts));
  for (size_t i = 0; i < set->n; i++) {
    if (parts[i] == 0)
      continue;
    WN_TRY(multiply(&set->process[i], parts[i], f));
    only = set->process[i].label;
    n++;
  }
  return note(set, f, n, only);
}

int wn_xs_multiply(struct wn_xs_set *set, enum wn_xs_beyond beyond, size_t n,
                   const struct wn_xs_factor *factor)
{
  int status = WN_OK;
  bool angles = false;
  if (n == 0)
    return WN_OK;
  unsigned *parts = wn_alloc(set->n + 1, sizeof *parts);
  if (parts == NULL)
    return WN_ENOMEM;
  for (size_t k = 0; k < n && status == WN_OK; k++) {
    const size_t w = word_of(factor[k].process);
    WN_ASSERT(factor[k].factor > 0.0);
    WN_ASSERT(factor[k].to_ev == 0.0 ||
              (factor[k].from_ev > 0.0 && factor[k].from_ev < factor[k].to_ev));
    angles = angles || (w < N_WORDS && words[w].parts != BOTH);
    status = apply(set, &factor[k], beyond, parts);
  }
  free(parts);
  return status == WN_OK && angles ? check_angles(set) : status;
}
