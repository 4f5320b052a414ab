/* schedulers/photon_transport.c - bank, region and ledger of photons. */
#include "schedulers/photon_transport.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/ranks.h"
#include "base/state.h"
#include "schedulers/bank.h"

struct wn_photon_transport {
  struct wn_photon_transport_spec spec;
  struct wn_photon_medium medium;
  struct wn_photon_ledger ledger;
  struct wn_bank bank;
  uint32_t scalings; /* since the ledger was cleared: names the games after them */
};

static int64_t quanta(double weight, double e_ev)
{
  return (int64_t)llrint(weight * e_ev * WN_PHOTON_QUANTA);
}

static void enter(struct wn_photon_ledger *l, int64_t *entry, double weight, double e_ev)
{
  *entry += quanta(weight, e_ev);
  l->n_entries++;
}

static const struct wn_bank_layout layout = {"photons", sizeof(struct wn_photon),
                                             offsetof(struct wn_photon, weight),
                                             offsetof(struct wn_photon, tag)};

static struct wn_photon *bank(const struct wn_photon_transport *t)
{
  return t->bank.at;
}

int wn_photon_transport_create(const struct wn_photon_transport_spec *s,
                               struct wn_photon_transport **out)
{
  if (s->region.kind == WN_PHOTON_SLAB && !(s->region.high > s->region.low))
    return WN_FAIL(WN_EINPUT, "a slab for photons from %g m to %g m is empty",
                   s->region.low, s->region.high);
  if (s->region.kind == WN_PHOTON_SPHERE && !(s->region.high > 0.0))
    return WN_FAIL(WN_EINPUT, "a sphere for photons of radius %g m is empty",
                   s->region.high);
  if (s->positrons == WN_PHOTON_POSITRONS_HANDED && s->charged == NULL)
    return WN_FAIL(WN_EINPUT, "%s",
                   "positrons of photons are handed over, and nothing takes them: let "
                   "them annihilate at rest");
  struct wn_photon_transport *t = wn_alloc(1, sizeof *t);
  if (t == NULL)
    return WN_ENOMEM;
  t->spec = *s;
  t->medium = *s->medium;
  t->spec.medium = &t->medium;
  t->bank.is = &layout;
  *out = t;
  return WN_OK;
}

void wn_photon_transport_free(struct wn_photon_transport *t)
{
  if (t != NULL)
    free(t->bank.at);
  free(t);
}

/* Whether the photon goes on.  The entry is the difference of the quanta that wn_photon_ledger_off sees in the bank: exact. */
static int survives(struct wn_photon_transport *t, enum wn_photon_game game,
                    uint32_t turn, struct wn_photon *p)
{
  struct wn_photon_ledger *l = &t->ledger;
  const int64_t before = quanta(p->weight, p->e_ev);
  const int goes_on =
      wn_photon_survives(&t->spec.roulette, t->medium.seed, game, turn, p);
  l->roulette += before - (goes_on ? quanta(p->weight, p->e_ev) : 0);
  l->n_lost += !goes_on;
  return goes_on;
}

/* To the bank, which has room for it. */
static void put(struct wn_photon_transport *t, struct wn_photon p)
{
  if (survives(t, WN_PHOTON_GAME_EVENT, p.event, &p))
    bank(t)[t->bank.n++] = p;
}

/* Length from x along d to the boundary; negative or NAN: x is outside. */
static double to_boundary(const struct wn_photon_region *g, const double x[3],
                          const double d[3])
{
  switch (g->kind) {
  case WN_PHOTON_SLAB:
    if (x[2] < g->low || x[2] > g->high)
      return -1.0;
    return d[2] > 0.0   ? (g->high - x[2]) / d[2]
           : d[2] < 0.0 ? (g->low - x[2]) / d[2]
                        : (double)INFINITY;
  case WN_PHOTON_SPHERE: {
    const double b = x[0] * d[0] + x[1] * d[1] + x[2] * d[2];
    const double c = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] - g->high * g->high;
    /* a place on the surface, as rounding gives it, is inside */
    if (c > 1e-12 * g->high * g->high)
      return -1.0;
    return fmax(-b + sqrt(fmax(b * b - c, 0.0)), 0.0);
  }
  default:
    return INFINITY;
  }
}

static int check_released(const struct wn_photon_transport *t, const struct wn_photon *p)
{
  const double length = p->d[0] * p->d[0] + p->d[1] * p->d[1] + p->d[2] * p->d[2];
  if (!(fabs(length - 1.0) < 1e-9))
    return WN_FAIL(WN_EINPUT, "a photon's direction (%g, %g, %g) is no unit vector",
                   p->d[0], p->d[1], p->d[2]);
  if (!(to_boundary(&t->spec.region, p->x, p->d) >= 0.0))
    return WN_FAIL(WN_EINPUT, "a photon at (%g, %g, %g) m is outside of its region",
                   p->x[0], p->x[1], p->x[2]);
  if (!(p->e_ev >= t->medium.cut_ev))
    return WN_FAIL(WN_EINPUT, "a photon of %g eV is below the photon cut of %g eV",
                   p->e_ev, t->medium.cut_ev);
  if (!(p->weight > 0.0) || !isfinite(p->weight))
    return WN_FAIL(WN_EINPUT, "a photon of weight %g: weights are above 0", p->weight);
  for (int32_t i = 0; i < t->medium.n; i++) {
    const struct wn_photon_table *s = &t->medium.element[i].sigma[WN_PHOTON_INCOHERENT];
    if (!(wn_ln(p->e_ev) <= s->ln_x[s->n - 1] + 1e-9))
      return WN_FAIL(WN_EINPUT,
                     "a photon of %g eV is above the tables, which end at %g eV", p->e_ev,
                     exp(s->ln_x[s->n - 1]));
  }
  return WN_OK;
}

int wn_photon_transport_release(struct wn_photon_transport *t, const struct wn_photon *p,
                                size_t n)
{
  for (size_t i = 0; i < n; i++)
    WN_TRY(check_released(t, &p[i]));
  WN_TRY(wn_bank_room(&t->bank, n));
  for (size_t i = 0; i < n; i++) {
    enter(&t->ledger, &t->ledger.released, p[i].weight, p[i].e_ev);
    put(t, p[i]);
  }
  t->ledger.n_released += (int64_t)n;
  return WN_OK;
}

int wn_photon_transport_pair(struct wn_photon_transport *t, const struct wn_photon p[2],
                             double in_flight_ev)
{
  struct wn_photon_ledger *l = &t->ledger;
  WN_TRY(wn_bank_room(&t->bank, 2));
  l->rest -= quanta(p[0].weight, 2.0 * WN_MC2_EV);
  l->n_entries++;
  if (in_flight_ev > 0.0)
    enter(l, &l->returned, p[0].weight, in_flight_ev);
  l->n_annihilated++;
  for (int j = 0; j < 2; j++)
    if (p[j].e_ev < t->medium.cut_ev) {
      enter(l, &l->deposited, p[j].weight, p[j].e_ev);
      l->n_below_cut++;
    } else
      put(t, p[j]);
  return WN_OK;
}

/* A positron annihilates where it is.  The names of the photons are those of children of the positron. */
static int annihilate(struct wn_photon_transport *t, const struct wn_photon_charged *c)
{
  struct wn_photon_ledger *l = &t->ledger;
  struct wn_draws r = wn_draws(t->medium.seed, c->id, 0, WN_RNG_ANNIHILATION);
  const struct wn_annihilation a = wn_annihilation_at_rest(&r);
  struct wn_photon p[2];
  enter(l, &l->deposited, c->weight, c->t_ev);
  for (int j = 0; j < 2; j++) {
    p[j] = (struct wn_photon){
        .e_ev = a.e_ev[j], .t = c->t, .weight = c->weight, .depth = -1.0, .tag = c->tag};
    memcpy(p[j].x, c->x, sizeof p[j].x);
    memcpy(p[j].d, a.d[j], sizeof p[j].d);
    p[j].id = wn_rng_child_id(t->medium.seed, c->id, 0, (uint32_t)j);
  }
  return wn_photon_transport_pair(t, p, 0.0);
}

static int settle_charged(struct wn_photon_transport *t,
                          const struct wn_photon_charged *c)
{
  struct wn_photon_ledger *l = &t->ledger;
  if (c->charge > 0 && t->spec.positrons == WN_PHOTON_POSITRONS_AT_REST)
    return annihilate(t, c);
  if (t->spec.charged == NULL) {
    enter(l, &l->deposited, c->weight, c->t_ev);
    return WN_OK;
  }
  enter(l, &l->charged, c->weight, c->t_ev);
  return t->spec.charged(t->spec.to, c);
}

/* The interaction of p, and what comes of it; *alive says whether p goes on. */
static int interact(struct wn_photon_transport *t, struct wn_photon *p, int *alive)
{
  struct wn_photon_ledger *l = &t->ledger;
  struct wn_photon_outcome out;
  wn_photon_interact(&t->medium, p, &out);
  l->n_process[out.process]++;
  /* of a photon that ended by the cut, its energy is in deposited_ev */
  if (out.deposited_ev > 0.0)
    enter(l, &l->deposited, p->weight, out.deposited_ev);
  if (out.rest_ev > 0.0)
    enter(l, &l->rest, p->weight, out.rest_ev);
  if (!out.alive &&
      (out.process == WN_PHOTON_COHERENT || out.process == WN_PHOTON_INCOHERENT))
    l->n_below_cut++;
  for (int i = 0; i < out.n_charged; i++)
    WN_TRY(settle_charged(t, &out.charged[i]));
  *alive = out.alive && survives(t, WN_PHOTON_GAME_EVENT, p->event, p);
  return WN_OK;
}

static void escape(struct wn_photon_transport *t, const struct wn_photon *p)
{
  struct wn_photon_ledger *l = &t->ledger;
  enter(l, &l->escaped, p->weight, p->e_ev);
  l->n_escaped++;
  l->n_uncollided += p->event == 0;
  if (t->spec.escaped != NULL)
    t->spec.escaped(t->spec.to, p);
}

/* *p flies until t_end, or its end. */
static int fly(struct wn_photon_transport *t, struct wn_photon *p, double t_end,
               int *alive)
{
  *alive = 1;
  while (*alive) {
    wn_photon_begin(&t->medium, p);
    const double mu = wn_photon_attenuation(&t->medium, p->e_ev);
    const double free_path = p->depth / mu;
    const double boundary = fmax(to_boundary(&t->spec.region, p->x, p->d), 0.0);
    const double step = t_end == INFINITY ? (double)INFINITY : WN_C * (t_end - p->t);
    if (step < free_path && step < boundary) {
      wn_photon_travel(p, step);
      p->t = t_end;
      p->depth -= step * mu;
      p->depth = p->depth > 0.0 ? p->depth : 0.0;
      return WN_OK;
    }
    if (boundary <= free_path) {
      wn_photon_travel(p, boundary);
      escape(t, p);
      *alive = 0;
      return WN_OK;
    }
    wn_photon_travel(p, free_path);
    WN_TRY(interact(t, p, alive));
  }
  return WN_OK;
}

static int64_t half_full(const struct wn_photon_ledger *l)
{
  const int64_t limit = INT64_C(1) << 62;
  return l->released > limit || l->returned > limit || l->escaped > limit ||
         l->deposited > limit || l->charged > limit || l->rest > limit ||
         llabs((long long)l->roulette) > limit || llabs((long long)l->scaled) > limit;
}

int wn_photon_transport_advance(struct wn_photon_transport *t, double t_end)
{
  /* those that reach t_end stay in front; newborns come behind those that are still to fly */
  size_t done = 0;
  while (done < t->bank.n) {
    struct wn_photon p = bank(t)[--t->bank.n];
    int alive = 1;
    const int status = p.t < t_end ? fly(t, &p, t_end, &alive) : WN_OK;
    if (status != WN_OK)
      return status;
    if (alive) {
      WN_TRY(wn_bank_room(&t->bank, 1));
      bank(t)[t->bank.n++] = bank(t)[done];
      bank(t)[done++] = p;
    }
    if (half_full(&t->ledger))
      return WN_FAIL(
          WN_ERUN,
          "the ledger of photons is full: a sum of energy times weight is above %.3g eV",
          0x1p62 / WN_PHOTON_QUANTA);
  }
  return WN_OK;
}

void wn_photon_transport_clear(struct wn_photon_transport *t)
{
  t->bank.n = 0;
  t->scalings = 0;
  t->ledger = (struct wn_photon_ledger){.n_entries = 0};
}

static int scaled(void *to, void *record, double before)
{
  struct wn_photon_transport *t = to;
  struct wn_photon *p = record;
  const int is_kept = p->weight >= WN_BANK_LEAST_WEIGHT;
  /* the difference of the quanta that wn_photon_ledger_off sees in the bank: exact */
  t->ledger.scaled +=
      quanta(before, p->e_ev) - (is_kept ? quanta(p->weight, p->e_ev) : 0);
  return is_kept && survives(t, WN_PHOTON_GAME_SCALE, t->scalings, p);
}

void wn_photon_transport_scale(struct wn_photon_transport *t, const double *factor,
                               wn_bank_group *group_of, uint32_t n_groups, int to_origin)
{
  wn_bank_scale(&t->bank, factor, group_of, n_groups, to_origin, scaled, t);
  t->scalings++;
}

size_t wn_photon_transport_n(const struct wn_photon_transport *t)
{
  return t->bank.n;
}

const struct wn_photon *wn_photon_transport_bank(const struct wn_photon_transport *t)
{
  return bank(t);
}

const struct wn_photon_ledger *
wn_photon_transport_ledger(const struct wn_photon_transport *t)
{
  return &t->ledger;
}

struct wn_photon_totals wn_photon_transport_totals(const struct wn_photon_transport *t)
{
  union {
    struct wn_photon_totals is;
    int64_t all[sizeof(struct wn_photon_totals) / sizeof(int64_t)];
  } sum = {{.ledger = t->ledger, .n = (int64_t)t->bank.n}};
  for (size_t i = 0; i < t->bank.n; i++)
    sum.is.flying += quanta(bank(t)[i].weight, bank(t)[i].e_ev);
  wn_ranks_sum_i64(sum.all, sizeof sum.all / sizeof *sum.all);
  return sum.is;
}

int64_t wn_photon_ledger_off(const struct wn_photon_transport *t)
{
  const struct wn_photon_totals all = wn_photon_transport_totals(t);
  const struct wn_photon_ledger *l = &all.ledger;
  return l->released + l->returned - l->escaped - l->deposited - l->charged - l->rest -
         l->roulette - l->scaled - all.flying;
}

int wn_photon_transport_state(struct wn_photon_transport *t, struct wn_state *s)
{
  WN_TRY(wn_bank_sums_state(s, "ledger of photons", (int64_t *)(void *)&t->ledger,
                            sizeof t->ledger / sizeof(int64_t)));
  WN_TRY(WN_STATE(s, t->scalings));
  return wn_bank_state(&t->bank, s);
}
