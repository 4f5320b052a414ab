/* schedulers/positron_transport.c - bank and ledgers of positrons. */
#include "schedulers/positron_transport.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/state.h"

struct wn_positron_transport {
  struct wn_positron_transport_spec spec;
  struct wn_positron_medium medium;
  struct wn_positron_ledger ledger;
  struct wn_positron *bank; /* [n_max] */
  size_t n, n_max;
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

static int make_room(struct wn_positron_transport *t, size_t n)
{
  if (n <= t->n_max)
    return WN_OK;
  const size_t n_max = 2 * t->n_max + n + 64;
  struct wn_positron *p = wn_realloc(t->bank, n_max, sizeof *p);
  if (p == NULL)
    return WN_ENOMEM;
  t->bank = p;
  t->n_max = n_max;
  return WN_OK;
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
  *out = t;
  return WN_OK;
}

void wn_positron_transport_free(struct wn_positron_transport *t)
{
  if (t != NULL)
    free(t->bank);
  free(t);
}

int wn_positron_transport_release(struct wn_positron_transport *t,
                                  const struct wn_photon_charged *c)
{
  struct wn_positron_ledger *l = &t->ledger;
  WN_TRY(make_room(t, t->n + 1));
  struct wn_positron p = {
      .t = c->t, .weight = c->weight, .depth = -1.0, .id = c->id, .tag = c->tag};
  memcpy(p.x, c->x, sizeof p.x);
  wn_positron_set(&p, c->d, c->t_ev);
  enter(l, &l->born, p.weight, wn_positron_ev(&p));
  enter_charge(l, &l->charge_born, p.weight);
  l->n_born++;
  t->bank[t->n++] = p;
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
  for (; i < t->n && status == WN_OK; i++) {
    struct wn_positron p = t->bank[i];
    int alive = 1;
    status = move(t, f, &p, t_end, &alive);
    if (alive)
      t->bank[kept++] = p;
  }
  for (; i < t->n; i++)
    t->bank[kept++] = t->bank[i];
  t->n = kept;
  if (status == WN_OK && is_half_full(&t->ledger))
    return WN_FAIL(WN_ERUN,
                   "the ledger of positrons is full: a sum of energy times weight is "
                   "above %.3g eV",
                   0x1p62 / WN_POSITRON_QUANTA);
  return status;
}

void wn_positron_transport_clear(struct wn_positron_transport *t)
{
  t->n = 0;
  t->ledger = (struct wn_positron_ledger){.n_entries = 0};
}

#define LEAST_WEIGHT 1e-30

void wn_positron_transport_scale(struct wn_positron_transport *t, const double *factor,
                                 uint32_t (*group_of)(uint32_t tag, uint32_t n_groups),
                                 uint32_t n_groups, int to_origin)
{
  struct wn_positron_ledger *l = &t->ledger;
  size_t kept = 0;
  for (size_t i = 0; i < t->n; i++) {
    struct wn_positron p = t->bank[i];
    const double before = p.weight, t_ev = wn_positron_ev(&p);
    if (factor != NULL)
      p.weight *= factor[group_of(p.tag, n_groups)];
    const int is_kept = p.weight >= LEAST_WEIGHT;
    /* the difference of the quanta that are seen in the bank: exact */
    l->scaled += quanta(before, t_ev) - (is_kept ? quanta(p.weight, t_ev) : 0);
    l->charge_scaled += charge(before) - (is_kept ? charge(p.weight) : 0);
    l->n_ended += !is_kept;
    for (int k = 0; k < 3; k++)
      p.x[k] = to_origin ? 0.0 : p.x[k];
    if (is_kept)
      t->bank[kept++] = p;
  }
  t->n = kept;
}

size_t wn_positron_transport_n(const struct wn_positron_transport *t)
{
  return t->n;
}

const struct wn_positron *
wn_positron_transport_bank(const struct wn_positron_transport *t)
{
  return t->bank;
}

const struct wn_positron_ledger *
wn_positron_transport_ledger(const struct wn_positron_transport *t)
{
  return &t->ledger;
}

int64_t wn_positron_flying(const struct wn_positron_transport *t)
{
  int64_t sum = 0;
  for (size_t i = 0; i < t->n; i++)
    sum += quanta(t->bank[i].weight, wn_positron_ev(&t->bank[i]));
  return sum;
}

int64_t wn_positron_ledger_off(const struct wn_positron_transport *t)
{
  const struct wn_positron_ledger *l = &t->ledger;
  return l->born + l->work - l->collision - l->soft - l->electrons - l->photons -
         l->stopped - l->annihilated - l->scaled - wn_positron_flying(t);
}

int64_t wn_positron_charge_off(const struct wn_positron_transport *t)
{
  const struct wn_positron_ledger *l = &t->ledger;
  int64_t off = l->charge_born - l->charge_annihilated - l->charge_scaled;
  for (size_t i = 0; i < t->n; i++)
    off -= charge(t->bank[i].weight);
  return off;
}

int wn_positron_transport_state(struct wn_positron_transport *t, struct wn_state *s)
{
  size_t n = t->n;
  WN_TRY(wn_state_item(s, "positrons", &n, sizeof n));
  if (s->way == WN_STATE_RESTORE) {
    t->n = 0;
    WN_TRY(make_room(t, n));
  }
  WN_TRY(wn_state_item(s, "ledger of positrons", &t->ledger, sizeof t->ledger));
  if (n > 0)
    WN_TRY(wn_state_item(s, "bank of positrons", t->bank, n * sizeof *t->bank));
  t->n = n;
  return WN_OK;
}
