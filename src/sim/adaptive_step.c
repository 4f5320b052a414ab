/* src/sim/adaptive_step.c - see adaptive_step.h. */
#include "src/sim/adaptive_step.h"
#include <math.h>
#include <stdio.h>
#include "base/error.h"
#include "base/ranks.h"
#include "base/threads.h"
#include "device/gpu.h"
#include "physics/constants.h"
#include "physics/step_counts.h"
#include "src/config/adaptive_step.h"
#include "src/config/plasma_derived.h"
#include "src/config/plasma_limits.h"
#include "src/sim/photoionization.h"
#include "src/sim/plasma.h"

/* Births, in macroparticles, for an estimate of the rate of growth: a standard error of one in
 * eight.  Fewer electrons have a longer step, not a noisy one. */
#define BIRTHS 64

/* ---- time in steps */

void wn_step_clock_advance(struct wn_step_clock *c)
{
  c->before = c->part == 0 ? c->whole : UINT64_MAX;
  c->part += 1u << (c->levels - c->level);
  if (c->part >> c->levels == 0)
    return;
  c->whole++;
  c->part = 0;
}

double wn_step_clock_count(const struct wn_step_clock *c)
{
  return (double)c->whole + ldexp((double)c->part, -c->levels);
}

double wn_step_clock_before(const struct wn_step_clock *c)
{
  return wn_step_clock_count(c) - ldexp(1.0, -c->level);
}

/* ---- sums over the particles of a species */

static struct wn_step_look look_of(const struct wn_sim *s, size_t k)
{
  const struct wn_points *points = wn_plasma_points(s->species[k]);
  struct wn_step_look l = {.dim = points->grid.dim,
                           .is_radial = points->grid.is_radial,
                           .relativistic = points->relativistic,
                           .has_electrons = wn_plasma_has_electrons(s->species[k])};
  l.velocities = l.has_electrons ? 3 : wn_point_velocities(points->kind);
  l.words = l.has_electrons ? 0 : wn_point_words(points->kind);
  for (int d = 0; d < l.dim; d++)
    l.per_cell[d] = 1.0 / wn_axis_shortest(&s->geometry.axis[d]);
  return l;
}

static void count_one(const struct wn_step_look *l, const void *record,
                      struct wn_step_counts *out)
{
  const struct wn_electron *e = record;
  float u[3];
  if (!l->has_electrons) {
    wn_step_point_u(l, record, u);
    out->of[wn_step_bin_of_motion(l, u)]++;
    return;
  }
  out->of[wn_step_bin_of_motion(l, e->u)]++;
  wn_step_electron(e, &out->weight, &out->accelerations);
}

static void add(struct wn_step_counts *to, const struct wn_step_counts *from)
{
  for (int i = 0; i < WN_STEP_BINS; i++)
    to->of[i] += from->of[i];
  to->weight += from->weight;
  to->accelerations += from->accelerations;
}

static void count_on_host(const struct wn_sim *s, const struct wn_particles *p,
                          const struct wn_step_look *l, struct wn_step_counts *out)
{
  *out = (struct wn_step_counts){.weight = 0};
#ifdef _OPENMP
#pragma omp parallel num_threads(wn_threads(s->c->threads)) if (p->n > 4096)
#else
  (void)s;
#endif
  {
    struct wn_step_counts here = {.weight = 0};
#ifdef _OPENMP
#pragma omp for schedule(static)
#endif
    for (size_t i = 0; i < p->n; i++)
      count_one(l, wn_particles_at(p, i), &here);
#ifdef _OPENMP
#pragma omp critical
#endif
    add(out, &here);
  }
}

/* Over the particles of all ranks: weight, accelerations, bins. */
static void sum_ranks(struct wn_step_counts *c)
{
  wn_i128 all[2 + WN_STEP_BINS] = {c->weight, c->accelerations};
  if (wn_ranks() == 1)
    return;
  for (int i = 0; i < WN_STEP_BINS; i++)
    all[2 + i] = (wn_i128)c->of[i];
  wn_ranks_sum(all, 2 + WN_STEP_BINS);
  c->weight = all[0];
  c->accelerations = all[1];
  for (int i = 0; i < WN_STEP_BINS; i++)
    c->of[i] = (uint64_t)all[2 + i];
}

/* Where the particles are. */
static int count_all(const struct wn_sim *s, size_t k, struct wn_step_counts *out)
{
  const struct wn_particles *p = &s->species[k]->p;
  const struct wn_step_look l = look_of(s, k);
  if (p->place == WN_PARTICLES_HOST)
    count_on_host(s, p, &l, out);
  else
    WN_TRY(wn_gpu_step_counts(s->gpu, p, &l, out));
  sum_ranks(out);
  return WN_OK;
}

/* 1/s, which the part `quantile` of the particles does not exceed; 0: there are none. */
static double quantile_of(const struct wn_step_counts *c, double quantile)
{
  uint64_t all = 0, below = 0;
  for (int i = 0; i < WN_STEP_BINS; i++)
    all += c->of[i];
  for (int i = 0; i < WN_STEP_BINS && all > 0; i++) {
    below += c->of[i];
    if ((double)below >= quantile * (double)all)
      return wn_step_bin_end(i);
  }
  return 0.0;
}

/* ---- conditions: the longest step [s] of one, INFINITY where it sets no limit */

struct limit {
  double longest;
  enum wn_step_reason reason;
  size_t species;
  double of; /* what the condition is about, in its text */
};

static void tighten(struct limit *l, enum wn_step_reason reason, size_t species,
                    double longest, double of)
{
  if (longest < l->longest)
    *l = (struct limit){longest, reason, species, of};
}

/* Weights born by ionization so far. */
static wn_i128 ionized(const struct wn_sim *s, size_t k)
{
  const struct wn_xs_view *v = &s->gas->table->view;
  const struct wn_species *of = s->species[k];
  wn_i128 n = 0;
  for (int g = 0; g < of->shape.n_groups; g++)
    for (int i = 0; i < v->n_processes; i++)
      if (v->process[i].kind == WN_PROC_IONIZATION)
        n += of->tally.count[g * of->shape.n_processes + v->process[i].index];
  return n;
}

static wn_i128 gained(const struct wn_species *of)
{
  wn_i128 sum = 0;
  for (int g = 0; g < of->shape.n_groups; g++)
    sum += of->tally.group[g].gained;
  return sum;
}

/* The rate is that since the last estimate, or an estimate before with too few births since. */
static void look_at_growth(const struct wn_sim *s, size_t k, double weight,
                           struct wn_step_species *of, struct limit *l)
{
  const double photons =
      wn_photoionization_born(s, k) / wn_loading_weight(s->c, &s->c->species[k]);
  const wn_i128 now = ionized(s, k);
  of->born += (double)(now - of->count) / WN_FIX_WEIGHT + (photons - of->photons);
  of->exposure += 0.5 * (of->weight + weight) * s->interval;
  of->events += s->species[k]->tally.n_births - of->births;
  of->count = now;
  of->photons = photons;
  of->births = s->species[k]->tally.n_births;
  if (of->events >= BIRTHS) {
    of->rate = of->born / of->exposure;
    of->born = of->exposure = 0.0;
    of->events = 0;
  }
  if (s->c->plasma.adaptive.growth != WN_AUTO && of->rate > 0.0)
    tighten(l, WN_STEP_GROWTH, k, log1p(s->c->plasma.adaptive.growth) / of->rate,
            of->rate);
}

/* s, the time in which collisions take the momentum that the field gives: work = m time * sum of w a2
 * dt; INFINITY: there are none. */
static double momentum_time(const struct wn_sim *s, size_t k,
                            const struct wn_step_counts *c, double weight,
                            struct wn_step_species *of)
{
  if (!wn_plasma_collides(s->c, k) || !(weight > 0.0))
    return INFINITY;
  /* those born in the step were there for half of it */
  const double time_there = 0.5 * (1.0 + of->weight / weight) * s->interval;
  const wn_i128 now = gained(s->species[k]);
  of->work = 0.5 * of->work + (double)(now - of->gained) * (WN_E / WN_FIX_ENERGY);
  of->acceleration = 0.5 * of->acceleration + (double)c->accelerations *
                                                  (1.0 / WN_STEP_ACCELERATIONS) *
                                                  time_there;
  of->gained = now;
  const double time = of->work / (of->acceleration * s->c->species[k].mass);
  return time > 0.0 ? time : INFINITY;
}

/* omega_p times a step at most: a part of WN_PLASMA_FREQUENCY, from which on a step of any length is unstable, so that the
 * plasma may grow in the step that follows. */
#define STABLE (0.75 * WN_PLASMA_FREQUENCY)

/* rad2/s2, of a density [m-3] of a species. */
static double frequency_square(const struct wn_sim *s, size_t k, double density)
{
  const double q = s->c->species[k].charge * WN_E;
  return q * q * density / (WN_EPS0 * s->c->species[k].mass);
}

/* The plasma oscillates with 1 / omega_p; with collisions that are more frequent it relaxes in
 * 1 / (omega_p^2 time) = eps0 / (e n mu), which is longer, and may be longer than what is stable. */
static int look_at_relaxation(const struct wn_sim *s, size_t k, double time,
                              struct limit *l)
{
  double most;
  if (s->c->plasma.adaptive.relaxation == WN_AUTO || s->c->species[k].charge == 0.0)
    return WN_OK;
  WN_TRY(wn_field_densest(s->field, k, &most));
  most *= wn_loading_weight(s->c, &s->c->species[k]);
  const double square = frequency_square(s, k, most);
  if (square > 0.0) {
    const double relaxes = fmax(1.0 / sqrt(square), 1.0 / (square * time));
    double longest = s->c->plasma.adaptive.relaxation * relaxes;
    if (!(s->c->plasma.allow & WN_ALLOW_PLASMA_FREQUENCY))
      longest = fmin(longest, STABLE / sqrt(square));
    tighten(l, WN_STEP_RELAXATION, k, longest, most);
  }
  return WN_OK;
}

static int look(struct wn_sim *s, size_t k, struct limit *l)
{
  const struct wn_cfg_plasma *p = &s->c->plasma;
  struct wn_step_species *of = &s->adaptive.of[k];
  struct wn_step_counts c;
  if (!s->c->species[k].mobile)
    return WN_OK;
  WN_TRY(count_all(s, k, &c));
  if (p->adaptive.cells != WN_AUTO) {
    const double frequency = quantile_of(&c, p->adaptive.quantile);
    if (frequency > 0.0)
      tighten(l, WN_STEP_CELLS, k, p->adaptive.cells / frequency, frequency);
  }
  const double weight = (double)c.weight / WN_QUANTA;
  if (wn_config_is_electron(&s->c->species[k]))
    look_at_growth(s, k, weight, of, l);
  const double time = momentum_time(s, k, &c, weight, of);
  of->weight = weight;
  return look_at_relaxation(s, k, time, l);
}

/* ---- the next step */

static int too_short(const struct wn_sim *s, const struct limit *l)
{
  const struct wn_cfg_plasma *p = &s->c->plasma;
  const char *species = s->c->species[l->species].name;
  char what[256];
  const char *todo = "";
  if (l->reason == WN_STEP_CELLS) {
    snprintf(what, sizeof what,
             "plasma.adaptive.cells = %.4g, as %.4g of the macroparticles of species %s "
             "cross up to %.4g cells in a second",
             p->adaptive.cells, p->adaptive.quantile, species, l->of);
    todo = "take longer cells (grid.cells), or raise plasma.adaptive.cells";
  } else if (l->reason == WN_STEP_GROWTH) {
    snprintf(what, sizeof what,
             "plasma.adaptive.growth = %.4g, as species %s grows at %.4g in a second",
             p->adaptive.growth, species, l->of);
    todo = "raise plasma.adaptive.growth, or lower the field";
  } else {
    snprintf(what, sizeof what,
             "plasma.adaptive.relaxation = %.4g, as species %s has a density of %.4g m-3",
             p->adaptive.relaxation, species, l->of);
    todo = "raise plasma.adaptive.relaxation, or end the run earlier (duration)";
    const double omega = sqrt(frequency_square(s, l->species, l->of));
    if (!(s->c->plasma.allow & WN_ALLOW_PLASMA_FREQUENCY) &&
        omega * l->longest > STABLE * (1.0 - 1e-9)) {
      snprintf(what, sizeof what,
               "plasma.adaptive.relaxation allows no more than %.4g over the plasma "
               "frequency, as species %s has a density of %.4g m-3",
               STABLE, species, l->of);
      todo = "end the run earlier (duration), or set plasma.allow = "
             "[\"plasma-frequency\"]";
    }
  }
  return WN_FAIL(
      WN_ERUN,
      "at %.6g s the next step must be at most %.4g s, and the shortest is %.4g "
      "s (plasma.adaptive.least = %.4g s): %s; lower plasma.adaptive.least, "
      "%s",
      s->time, l->longest, wn_step_of_level(s->c, s->adaptive.clock.levels),
      p->adaptive.least, what, todo);
}

/* The longest step that limit, the step before and the place in the whole step allow. */
static int choose(struct wn_sim *s, const struct limit *l)
{
  struct wn_adaptive_step *a = &s->adaptive;
  struct wn_step_clock *c = &a->clock;
  int level = 0, aligned = 0;
  while (level <= c->levels && wn_step_of_level(s->c, level) > l->longest)
    level++;
  if (level > c->levels)
    return too_short(s, l);
  a->longest = l->longest;
  a->reason = level > 0 ? l->reason : WN_STEP_WHOLE;
  if (level < c->level - 1) {
    level = c->level - 1;
    a->reason = WN_STEP_DOUBLED;
  }
  while (c->part % (1u << (c->levels - aligned)) != 0)
    aligned++;
  if (level < aligned) {
    level = aligned;
    a->reason = WN_STEP_PLACE;
  }
  c->level = level;
  a->length = wn_step_of_level(s->c, level);
  return WN_OK;
}

int wn_adaptive_next(struct wn_sim *s)
{
  struct limit l = {.longest = INFINITY, .reason = WN_STEP_WHOLE};
  if (s->adaptive.clock.levels == 0)
    return WN_OK;
  for (size_t k = 0; k < s->n_species; k++)
    WN_TRY(look(s, k, &l));
  return choose(s, &l);
}

void wn_adaptive_reset(struct wn_sim *s)
{
  s->adaptive = (struct wn_adaptive_step){
      .clock = {.levels = wn_step_levels(s->c), .before = UINT64_MAX},
      .length = s->c->plasma.time_step,
      .longest = INFINITY};
}

void wn_adaptive_begin(struct wn_sim *s)
{
  struct wn_adaptive_step *a = &s->adaptive;
  a->clock.level = a->clock.levels;
  a->length = wn_step_of_level(s->c, a->clock.level);
  a->reason = a->clock.levels > 0 ? WN_STEP_FIRST : WN_STEP_WHOLE;
}

int wn_adaptive_state(struct wn_adaptive_step *a, struct wn_state *state)
{
  WN_TRY(WN_STATE(state, a->clock));
  WN_TRY(WN_STATE(state, a->length));
  WN_TRY(WN_STATE(state, a->longest));
  WN_TRY(WN_STATE(state, a->reason));
  return WN_STATE(state, a->of);
}
