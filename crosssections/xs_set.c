/* crosssections/xs_set.c - the set of one gas: names, building, notes, lookup, freeing.
 * Values below the last row are computed here, those above it in xs_beyond.c. */
#include "crosssections/xs.h"

#include "crosssections/xs_beyond.h"
#include "crosssections/xs_set.h"
#include "physics/constants.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *wn_xs_kind_name(enum wn_xs_kind kind)
{
  switch (kind) {
#define NAME(KIND, name, file)                                                           \
  case WN_XS_##KIND:                                                                     \
    return name;
    WN_PROCESSES(NAME, NAME, NAME, NAME, NAME)
#undef NAME
  case WN_XS_EFFECTIVE:
    return "effective";
  case WN_XS_ISOTROPIC:
    return "isotropic";
  case WN_XS_BACKSCATTER:
    return "backscatter";
  case WN_XS_N_KINDS:
    break;
  }
  return "unknown";
}

/* ---- building ---- */

void wn_xs_process_clear(struct wn_xs_process *p)
{
  free(p->target);
  free(p->product);
  free(p->label);
  free(p->database);
  free(p->comment);
  free(p->updated);
  free(p->sigma_total);
  free(p->energy_ev);
  free(p->sigma);
  *p = (struct wn_xs_process){.kind = p->kind};
}

void wn_xs_free(struct wn_xs_set *set)
{
  if (set == NULL)
    return;
  for (size_t i = 0; i < set->n; i++)
    wn_xs_process_clear(&set->process[i]);
  free(set->process);
  free(set->name);
  free(set->ion);
  free(set->source);
  free(set->sha256);
  free(set->notes);
  free(set);
}

static bool label_taken(const struct wn_xs_set *set, const char *label)
{
  for (size_t i = 0; i < set->n; i++)
    if (strcmp(set->process[i].label, label) == 0)
      return true;
  return false;
}

/* The name of a new process: its own label or "kind product", with " #2", " #3", ... when
 * taken. */
static char *make_label(const struct wn_xs_set *set, const struct wn_xs_process *p)
{
  char *base;
  if (p->label != NULL)
    base = wn_strdup(p->label);
  else if (p->product != NULL)
    base = wn_asprintf("%s %s", wn_xs_kind_name(p->kind), p->product);
  else
    base = wn_strdup(wn_xs_kind_name(p->kind));
  if (base == NULL || !label_taken(set, base))
    return base;
  for (size_t k = 2;; k++) {
    char *label = wn_asprintf("%s #%zu", base, k);
    if (label == NULL || !label_taken(set, label)) {
      free(base);
      return label;
    }
    free(label);
  }
}

int wn_xs_append(struct wn_xs_set *set, const struct wn_xs_process *p)
{
  WN_ASSERT(p->n >= 2 && p->energy_ev != NULL && p->sigma != NULL);
  char *label = make_label(set, p);
  if (label == NULL)
    return WN_ENOMEM;
  struct wn_xs_process *more = wn_realloc(set->process, set->n + 1, sizeof *more);
  if (more == NULL) {
    free(label);
    return WN_ENOMEM;
  }
  set->process = more;
  more[set->n] = *p;
  free(p->label);
  more[set->n].label = label;
  set->n++;
  return WN_OK;
}

static int note_text(struct wn_xs_set *set, const char *text)
{
  size_t old = set->notes != NULL ? strlen(set->notes) : 0, add = strlen(text);
  char *notes = wn_realloc(set->notes, old + add + 2, 1);
  if (notes == NULL)
    return WN_ENOMEM;
  if (old > 0)
    notes[old++] = '\n';
  memcpy(notes + old, text, add + 1);
  set->notes = notes;
  return WN_OK;
}

/* The text of a message in memory of its own; NULL when there is none left. */
static char *format_text(const char *fmt, va_list ap)
{
  va_list again;
  va_copy(again, ap);
  int n = vsnprintf(NULL, 0, fmt, again);
  va_end(again);
  if (n < 0)
    return NULL;
  char *text = wn_alloc((size_t)n + 1, 1);
  if (text != NULL)
    vsnprintf(text, (size_t)n + 1, fmt, ap);
  return text;
}

int wn_xs_note(struct wn_xs_set *set, const char *fmt, ...)
{
  va_list ap;
  va_start(ap, fmt);
  char *text = format_text(fmt, ap);
  va_end(ap);
  int status = text != NULL ? note_text(set, text) : WN_ENOMEM;
  free(text);
  return status;
}

int wn_xs_remark(struct wn_xs_set *set, int line, const char *fmt, ...)
{
  va_list ap;
  va_start(ap, fmt);
  char *text = format_text(fmt, ap);
  va_end(ap);
  if (text == NULL)
    return WN_ENOMEM;
  const char *path = set->source != NULL ? set->source : "?";
  wn_log_at(WN_LOG_WARN, path, line, "%s", text);
  int status = line > 0 ? wn_xs_note(set, "%s:%d: %s", path, line, text)
                        : wn_xs_note(set, "%s: %s", path, text);
  free(text);
  return status;
}

/* ---- lookup ---- */

/* The table at an energy inside [first, last): linear between rows, the right value at an
 * equal pair. */
static double inside(const struct wn_xs_process *p, const double *sigma, double energy_ev)
{
  const double *e = p->energy_ev;
  size_t lo = 0; /* e[lo] <= energy < e[lo + n] */
  for (size_t n = p->n - 1, half; n > 1; n -= half) {
    half = n / 2;
    lo = e[lo + half] <= energy_ev ? lo + half : lo; /* a move, not a jump */
  }
  double e0 = e[lo], e1 = e[lo + 1];
  double f = (energy_ev - e0) / (e1 - e0); /* e1 > energy >= e0: never 0/0 */
  return sigma[lo] + f * (sigma[lo + 1] - sigma[lo]);
}

static double lookup(const struct wn_xs_set *set, const struct wn_xs_process *p,
                     const double *sigma, double energy_ev, enum wn_xs_beyond beyond)
{
  if (!(energy_ev >= p->threshold_ev)) /* also a NaN */
    return 0.0;
  if (energy_ev < p->energy_ev[0])
    return p->threshold_ev > 0.0 || p->kind == WN_XS_ATTACHMENT ? 0.0 : sigma[0];
  double last = p->energy_ev[p->n - 1];
  if (energy_ev < last)
    return inside(p, sigma, energy_ev);
  if (energy_ev == last)
    return sigma[p->n - 1];
  return wn_xs_beyond_sigma(set, p, sigma, energy_ev, beyond);
}

double wn_xs_sigma(const struct wn_xs_set *set, const struct wn_xs_process *p,
                   double energy_ev, enum wn_xs_beyond beyond)
{
  return lookup(set, p, p->sigma, energy_ev, beyond);
}

double wn_xs_sigma_total(const struct wn_xs_set *set, const struct wn_xs_process *p,
                         double energy_ev, enum wn_xs_beyond beyond)
{
  WN_ASSERT(p->sigma_total != NULL);
  return lookup(set, p, p->sigma_total, energy_ev, beyond);
}

double wn_xs_set_mass(const struct wn_xs_set *set)
{
  if (set->ion != NULL)
    return set->target_mass;
  for (size_t i = 0; i < set->n; i++) {
    const struct wn_xs_process *p = &set->process[i];
    if ((p->kind == WN_XS_ELASTIC || p->kind == WN_XS_EFFECTIVE) && p->mass_ratio > 0.0)
      return WN_ME / p->mass_ratio;
  }
  return 0.0;
}
