/* schedulers/positron_transport.c - bank and ledgers of positrons. */
#include "schedulers/positron_transport.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/ranks.h"
#include "base/state.h"
#include "schedulers/bank.h"

struct wn_positron_transport {
  struct wn_positron_transport_spec spec;
  struct wn_positron_medium medium;
  struct wn_positron_ledger ledger;
  struct wn_bank bank;
};

static int64_t quanta(double weight, double e_ev)
{
  return (int64_t)llrint(weight * e_ev * WN_POSITRON_QUANTA);
}

static int64_t charge(double weight)
{
  return (int64_t)llrint(weight * WN_POSITRON_CHARGE_QUANTA);
}

static void enter(struct wn_positron_ledger *l, int64_t *entry, double weight,
                  double e_ev)
{
  *entry += quanta(weight, e_ev);
  l->n_entries++;
}

static void enter_charge(struct wn_positron_ledger *l, int64_t *entry, double weight)
{
  *entry += charge(weight);
  l->n_charge_entries++;
}

static const struct wn_bank_layout layout = {"positrons", sizeof(struct wn_positron),
                                             offsetof(struct wn_positron, weight),
                                             offsetof(struct wn_positron, tag)};

static struct wn_positron *bank(const struct wn_positron_transport *t)
{
  return t->bank.at;
}

int wn_positron_transport_create(const struct wn_positron_transport_spec *s,
                                 struct wn_positron_transport **out)
{
  struct wn_positron_transport *t = wn_alloc(1, sizeof *t);
  if (t == NULL)
    return WN_ENOMEM;
  t->spec = *s;
  t->medium = *s->medium;
  t->medium.gas.atoms.seed = s->seed;
  t->spec.medium = &t->medium;
  t->bank.is = &layout;
  *out = t;
  return WN_OK;
}

void wn_positron_transport_free(struct wn_positron_transport *t)
{
  if (t != NULL)
    free(t->bank.at);
  free(t);
}

int wn_positron_transport_release(struct wn_positron_transport *t,
                                  const struct wn_photon_charged *c)
{
  struct wn_positron_ledger *l = &t->ledger;
  WN_TRY(wn_bank_room(&t->bank, 1));
  struct wn_positron p = {
      .t = c->t, .weight = c->weight, .depth = -1.0, .id = c->id, .tag = c->tag};
  memcpy(p.x, c->x, sizeof p.x);
  wn_positron_set(&p, c->d, c->t_ev);
  enter(l, &l->born, p.weight, wn_positron_ev(&p));
  enter_charge(l, &l->charge_born, p.weight);
  l->n_born++;
  bank(t)[t->bank.n++] = p;
  return WN_OK;
}

static int annihilate(struct wn_positron_transport *t, struct wn_positron *p, int at_rest,
                      struct wn_draws *r)
{
  struct wn_positron_ledger *l = &t->ledger;
  const double t_ev = wn_positron_ev(p);
  struct wn_photon photon[2];
  wn_positron_annihilate(&t->medium.gas, p, at_rest, r, photon);
  enter(l, at_rest ? &l->stopped : &l->annihilated, p->weight, t_ev);
  enter_charge(l, &l->charge_annihilated, p->weight);
  if (at_rest)
    l->n_at_rest++;
  else
    l->n_in_flight++;
  return t->spec.pair(t->spec.to, photon, at_rest ? 0.0 : t_ev);
}

static int above(const struct wn_positron_transport *t, const struct wn_positron *p)
{
  return WN_FAIL(WN_ERUN,
                 "a positron has %.6g eV, above the tables, which end at %.6g eV",
                 wn_positron_ev(p), t->medium.gas.top_ev);
}

/* What an event leaves; *alive: whether the positron goes on. */
static int settle(struct wn_positron_transport *t, struct wn_positron *p,
                  enum wn_positron_event event, int32_t element, struct wn_draws *r,
                  int *alive)
{
  struct wn_positron_ledger *l = &t->ledger;
  *alive = 1;
  switch (event) {
  case WN_POSITRON_BHABHA: {
    const double before = wn_positron_ev(p);
    const struct wn_photon_charged c = wn_positron_bhabha(&t->medium.gas, p, r);
    enter(l, &l->electrons, p->weight, before - wn_positron_ev(p));
    l->n_electrons++;
    return t->spec.electron(t->spec.to, &c);
  }
  case WN_POSITRON_BREMS: {
    const struct wn_photon k = wn_positron_radiate(&t->medium.gas, element, p, r);
    enter(l, &l->photons, p->weight, k.e_ev);
    l->n_photons++;
    return t->spec.photon(t->spec.to, &k);
  }
  case WN_POSITRON_SLOW: {
    /* an event of its own: the last flight may have made children */
    struct wn_draws own =
        wn_draws(t->medium.gas.atoms.seed, p->id, p->event++, WN_RNG_ANNIHILATION);
    *alive = 0;
    return annihilate(t, p, 1, &own);
  }
  case WN_POSITRON_ANNIHILATION:
    *alive = 0;
    return annihilate(t, p, 0, r);
  default:
    return above(t, p);
  }
}

/* Until t_end, or its end. */
static int move(struct wn_positron_transport *t, const struct wn_positron_field *f,
                struct wn_positron *p, double t_end, int *alive)
{
  struct wn_positron_ledger *l = &t->ledger;
  struct wn_positron_sums sums = {.work_ev = 0.0};
  int status = WN_OK;
  *alive = 1;
  while (*alive && status == WN_OK) {
    int32_t element = 0;
    struct wn_draws r;
    const enum wn_positron_event event =
        wn_positron_fly(&t->medium, f, p, t_end, &element, &r, &sums);
    if (event == WN_POSITRON_TIME)
      break;
    status = settle(t, p, event, element, &r, alive);
  }
  enter(l, &l->work, p->weight, sums.work_ev);
  enter(l, &l->collision, p->weight, sums.collision_ev);
  enter(l, &l->soft, p->weight, sums.photons_ev);
  return status;
}

static int is_half_full(const struct wn_positron_ledger *l)
{
  const int64_t limit = INT64_C(1) << 62;
  return l->born > limit || l->work > limit || l->work < -limit || l->collision > limit ||
         l->charge_born > limit || llabs((long long)l->scaled) > limit;
}

int wn_positron_transport_advance(struct wn_positron_transport *t,
                                  const struct wn_positron_field *f, double t_end)
{
  size_t kept = 0, i = 0;
  int status = WN_OK;
  for (; i < t->bank.n && status == WN_OK; i++) {
    struct wn_positron p = bank(t)[i];
    int alive = 1;
    status = move(t, f, &p, t_end, &alive);
    if (alive)
      bank(t)[kept++] = p;
  }
  for (; i < t->bank.n; i++)
    bank(t)[kept++] = bank(t)[i];
  t->bank.n = kept;
  if (status == WN_OK && is_half_full(&t->ledger))
    return WN_FAIL(WN_ERUN,
                   "the ledger of positrons is full: a sum of energy times weight is "
                   "above %.3g eV",
                   0x1p62 / WN_POSITRON_QUANTA);
  return status;
}

void wn_positron_transport_clear(struct wn_positron_transport *t)
{
  t->bank.n = 0;
  t->ledger = (struct wn_positron_ledger){.n_entries = 0};
}

static int scaled(void *to, void *record, double before)
{
  struct wn_positron_transport *t = to;
  const struct wn_positron *p = record;
  struct wn_positron_ledger *l = &t->ledger;
  const double t_ev = wn_positron_ev(p);
  const int is_kept = p->weight >= WN_BANK_LEAST_WEIGHT;
  /* the difference of the quanta that are seen in the bank: exact */
  l->scaled += quanta(before, t_ev) - (is_kept ? quanta(p->weight, t_ev) : 0);
  l->charge_scaled += charge(before) - (is_kept ? charge(p->weight) : 0);
  l->n_ended += !is_kept;
  return is_kept;
}

void wn_positron_transport_scale(struct wn_positron_transport *t, const double *factor,
                                 wn_bank_group *group_of, uint32_t n_groups,
                                 int to_origin)
{
  wn_bank_scale(&t->bank, factor, group_of, n_groups, to_origin, scaled, t);
}

size_t wn_positron_transport_n(const struct wn_positron_transport *t)
{
  return t->bank.n;
}

const struct wn_positron *
wn_positron_transport_bank(const struct wn_positron_transport *t)
{
  return bank(t);
}

const struct wn_positron_ledger *
wn_positron_transport_ledger(const struct wn_positron_transport *t)
{
  return &t->ledger;
}

struct wn_positron_totals
wn_positron_transport_totals(const struct wn_positron_transport *t)
{
  union {
    struct wn_positron_totals is;
    int64_t all[sizeof(struct wn_positron_totals) / sizeof(int64_t)];
  } sum = {{.ledger = t->ledger, .n = (int64_t)t->bank.n}};
  for (size_t i = 0; i < t->bank.n; i++) {
    sum.is.flying += quanta(bank(t)[i].weight, wn_positron_ev(&bank(t)[i]));
    sum.is.charge_flying += charge(bank(t)[i].weight);
  }
  wn_ranks_sum_i64(sum.all, sizeof sum.all / sizeof *sum.all);
  return sum.is;
}

int64_t wn_positron_ledger_off(const struct wn_positron_transport *t)
{
  const struct wn_positron_totals all = wn_positron_transport_totals(t);
  const struct wn_positron_ledger *l = &all.ledger;
  return l->born + l->work - l->collision - l->soft - l->electrons - l->photons -
         l->stopped - l->annihilated - l->scaled - all.flying;
}

int64_t wn_positron_charge_off(const struct wn_positron_transport *t)
{
  const struct wn_positron_totals all = wn_positron_transport_totals(t);
  return all.ledger.charge_born - all.ledger.charge_annihilated -
         all.ledger.charge_scaled - all.charge_flying;
}

int wn_positron_transport_state(struct wn_positron_transport *t, struct wn_state *s)
{
  WN_TRY(wn_bank_sums_state(s, "ledger of positrons", (int64_t *)(void *)&t->ledger,
                            sizeof t->ledger / sizeof(int64_t)));
  return wn_bank_state(&t->bank, s);
}
