/* crosssections/xs_moller.c - see xs_moller.h.  t/crosssections/t0214-moller.c */
#include "crosssections/xs_moller.h"

#include "crosssections/xs_bethe.h"
#include "crosssections/xs_deflection.h"
#include "crosssections/xs_join.h"
#include "crosssections/xs_set.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Energy at which the quantum is matched. */
#define MATCHED_EV 1e6
/* Largest quantum, as a part of the least energy of those that lose it. */
#define LARGEST_QUANTUM 0.1

static int check(const struct wn_xs_set *set, const struct wn_moller_model *m)
{
  const char *source = set->source != NULL ? set->source : set->name;
  double top = INFINITY;
  for (size_t i = 0; i < set->n; i++) {
    const struct wn_xs_process *p = &set->process[i];
    if (p->kind == WN_XS_IONIZATION && !(p->orbital.n > 0.0)) {
      wn_log_at(
          WN_LOG_ERROR, source, p->line,
          "gas %s: sharing moller needs the orbital of `%s`, which only builtin:air "
          "has; use opal or equal",
          set->name, p->label);
      return WN_EINPUT;
    }
    if (p->kind == WN_XS_IONIZATION && !(m->cut_ev >= 2.0 * p->orbital.b_ev)) {
      wn_log_at(WN_LOG_ERROR, source, p->line,
                "gas %s: moller.cut, %.9g eV, is below twice the binding energy of `%s`, "
                "%.9g eV, where electrons are not free; take at least that",
                set->name, m->cut_ev, p->label, 2.0 * p->orbital.b_ev);
      return WN_EINPUT;
    }
    if (p->kind != WN_XS_ATTACHMENT)
      top = fmin(top, p->energy_ev[p->n - 1]);
  }
  if (isfinite(m->soft_from_ev) && !(m->soft_from_ev < top)) {
    wn_log_at(WN_LOG_ERROR, source, 0,
              "gas %s: moller.soft_from, %.9g eV, is not below the last energy of the "
              "tables, %.9g eV",
              set->name, m->soft_from_ev, top);
    return WN_EINPUT;
  }
  return WN_OK;
}

/* The table of a process, by energy, before it changes: rows up to soft_from_ev, a second row
 * there, and those above.  *first: of the rows from soft_from_ev on; n where there are none. */
static int divide(struct wn_xs_process *p, double soft_from_ev, size_t *first)
{
  size_t k = 0;
  *first = p->n;
  if (!(soft_from_ev < p->energy_ev[p->n - 1]))
    return WN_OK;
  while (p->energy_ev[k] < soft_from_ev)
    k++;
  double *energy = wn_alloc(p->n + 2, sizeof *energy),
         *sigma = wn_alloc(p->n + 2, sizeof *sigma);
  if (energy == NULL || sigma == NULL) {
    free(energy);
    free(sigma);
    return WN_ENOMEM;
  }
  const double at = k == 0
                        ? p->sigma[0]
                        : p->sigma[k - 1] + (p->sigma[k] - p->sigma[k - 1]) *
                                                (soft_from_ev - p->energy_ev[k - 1]) /
                                                (p->energy_ev[k] - p->energy_ev[k - 1]);
  memcpy(energy, p->energy_ev, k * sizeof *energy);
  memcpy(sigma, p->sigma, k * sizeof *sigma);
  energy[k] = energy[k + 1] = soft_from_ev;
  sigma[k] = sigma[k + 1] = at;
  const size_t skip = p->energy_ev[k] > soft_from_ev ? 0 : 1;
  memcpy(&energy[k + 2], &p->energy_ev[k + skip], (p->n - k - skip) * sizeof *energy);
  memcpy(&sigma[k + 2], &p->sigma[k + skip], (p->n - k - skip) * sizeof *sigma);
  free(p->energy_ev);
  free(p->sigma);
  p->energy_ev = energy;
  p->sigma = sigma;
  p->n += 2 - skip;
  *first = k + 1;
  return WN_OK;
}

/* What a process loses below the cut, moment 1 or 2 [m2 eV^moment]. */
static double soft_part(const struct wn_xs_set *set, const struct wn_xs_process *p,
                        const struct wn_xs_bethe *b, int moment, double t_ev)
{
  const struct wn_moller_model *m = &b->model;
  const double sigma = wn_xs_sigma(set, p, t_ev, WN_XS_BEYOND_CONSTANT);
  if (p->kind == WN_XS_EXCITATION)
    return sigma * wn_xs_bethe_factor(b, t_ev) *
           (moment == 1 ? p->loss_ev : p->loss_ev * p->loss_ev);
  if (p->kind != WN_XS_IONIZATION)
    return 0.0;
  const double rbeb = wn_xs_rbeb(&p->orbital, t_ev);
  return rbeb > 0.0
             ? sigma / rbeb * wn_xs_join(&p->orbital, m, moment, 0.0, m->cut_ev, t_ev)
             : 0.0;
}

static double soft_loss(const struct wn_xs_set *set, const struct wn_xs_bethe *b,
                        int moment, double t_ev)
{
  double sum = 0.0;
  for (size_t i = 0; i < set->n; i++)
    sum += soft_part(set, &set->process[i], b, moment, t_ev);
  return sum;
}

/* The process `friction`, of the set as it is: rows those of its elastic process. */
static int make_friction(const struct wn_xs_set *set, const struct wn_xs_bethe *b,
                         double quantum_ev, struct wn_xs_process *out)
{
  const struct wn_moller_model *m = &b->model;
  const struct wn_xs_process *grid = NULL;
  for (size_t i = 0; i < set->n; i++)
    if (set->process[i].kind == WN_XS_ELASTIC)
      grid = &set->process[i];
  WN_ASSERT(grid != NULL); /* a prepared set has one */
  const double matched = fmax(m->soft_from_ev, MATCHED_EV),
               k_ev = quantum_ev > 0.0
                          ? quantum_ev
                          : soft_loss(set, b, 2, matched) / soft_loss(set, b, 1, matched);
  if (!(k_ev <= LARGEST_QUANTUM * m->soft_from_ev))
    return WN_FAIL(
        WN_EINPUT,
        "gas %s: a quantum of %.9g eV is more than a tenth of moller.soft_from, "
        "%.9g eV; lower moller.soft_quantum or moller.cut, or raise "
        "moller.soft_from",
        set->name, k_ev, m->soft_from_ev);
  struct wn_xs_process p = {.kind = WN_XS_FRICTION,
                            .loss_ev = k_ev,
                            .threshold_ev = m->soft_from_ev,
                            .deflection = wn_xs_deflection(set, b)};
  p.target = wn_strdup(set->name);
  p.comment = wn_asprintf("losses below %.9g eV, %.9g eV at a time", m->cut_ev, k_ev);
  p.energy_ev = wn_alloc(grid->n + 1, sizeof *p.energy_ev);
  p.sigma = wn_alloc(grid->n + 1, sizeof *p.sigma);
  if (p.target == NULL || p.comment == NULL || p.energy_ev == NULL || p.sigma == NULL) {
    wn_xs_process_clear(&p);
    return WN_ENOMEM;
  }
  p.energy_ev[p.n++] = m->soft_from_ev;
  for (size_t i = 0; i < grid->n; i++)
    if (grid->energy_ev[i] > m->soft_from_ev)
      p.energy_ev[p.n++] = grid->energy_ev[i];
  for (size_t i = 0; i < p.n; i++)
    p.sigma[i] = soft_loss(set, b, 1, p.energy_ev[i]) / k_ev;
  *out = p;
  return WN_OK;
}

static int change(struct wn_xs_process *p, const struct wn_xs_bethe *b)
{
  const struct wn_moller_model *m = &b->model;
  size_t first;
  if (p->kind != WN_XS_IONIZATION && p->kind != WN_XS_EXCITATION)
    return WN_OK;
  WN_TRY(divide(p, m->soft_from_ev, &first));
  for (size_t i = 0; i < p->n && p->kind == WN_XS_EXCITATION; i++)
    p->sigma[i] *= i >= first ? 0.0 : wn_xs_bethe_factor(b, p->energy_ev[i]);
  if (p->kind == WN_XS_EXCITATION)
    return WN_OK;
  for (size_t i = 0; i < p->n; i++) {
    const double e = p->energy_ev[i], rbeb = wn_xs_rbeb(&p->orbital, e);
    if (rbeb > 0.0)
      p->sigma[i] *=
          wn_xs_join(&p->orbital, m, 0, i >= first ? m->cut_ev : 0.0, INFINITY, e) / rbeb;
  }
  p->moller = *m;
  return WN_OK;
}

static int join(struct wn_xs_set *set, const struct wn_xs_bethe *b, double quantum_ev)
{
  struct wn_xs_process friction;
  const bool soft = isfinite(b->model.soft_from_ev);
  if (soft)
    WN_TRY(make_friction(set, b, quantum_ev, &friction));
  int status = WN_OK;
  for (size_t i = 0; i < set->n && status == WN_OK; i++)
    status = change(&set->process[i], b);
  if (status == WN_OK && soft)
    status = wn_xs_append(set, &friction);
  if (status != WN_OK && soft)
    wn_xs_process_clear(&friction);
  return status;
}

int wn_xs_set_moller(struct wn_xs_set *set, const struct wn_moller_model *model,
                     double quantum_ev)
{
  struct wn_xs_bethe b;
  WN_TRY(check(set, model));
  WN_TRY(wn_xs_bethe_create(set->name, model, &b));
  const int status = join(set, &b, quantum_ev);
  wn_xs_bethe_clear(&b);
  return status;
}
