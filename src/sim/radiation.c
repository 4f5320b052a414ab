/* src/sim/radiation.c - see radiation.h. */
#include "src/sim/radiation.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "particles/load_balance.h"
#include "physics/photons/radiation.h"
#include "physics/push.h"
#include "physics/single_precision.h"
#include "src/sim/operators.h"
#include "src/sim/sim.h"

extern const struct wn_operator_ops wn_operator_radiation;

struct radiation {
  struct wn_operator operator; /* the head of every operator */
  const struct wn_sim *sim;
  const struct wn_gas_radiation *gas;
  struct wn_photon_medium medium;
  struct wn_photon_transport *photons;
  struct wn_positron_transport *positrons; /* NULL: they do not move */
  size_t n_groups, n_bins;
  double *factor;    /* [n_groups], of population control */
  wn_i128 *sum;      /* [WN_RADIATION_SUMS][n_groups], WN_FIX_ENERGY */
  wn_i128 *spectrum; /* [n_bins], WN_FIX_WEIGHT */
  struct wn_radiation_counts counts;
  struct wn_photon *fresh; /* of the step in hand */
  size_t n_fresh, fresh_room;
  struct wn_photon_charged *freed; /* the same */
  size_t n_freed, freed_room;
};

static struct radiation *of(struct wn_operator *o)
{
  return (struct radiation *)(void *)o;
}

static const struct radiation *find(const struct wn_sim *s)
{
  for (size_t i = 0; i < s->n_operators; i++)
    if (s->operators[i]->ops == &wn_operator_radiation)
      return (const struct radiation *)(const void *)s->operators[i];
  return NULL;
}

/* Room for one more of n; *list may move. */
static int grow(void **list, size_t n, size_t *room, size_t size)
{
  if (n < *room)
    return WN_OK;
  const size_t more = 2 * *room + 64;
  void *p = wn_realloc(*list, more, size);
  if (p == NULL)
    return WN_ENOMEM;
  *list = p;
  *room = more;
  return WN_OK;
}

static void add(struct radiation *o, enum wn_radiation_sum what, uint32_t group, double x)
{
  o->sum[(size_t)what * o->n_groups + group] += wn_fix(x, WN_FIX_ENERGY);
}

/* ---- bins */

#define TOP_EV 0x1p27 /* the highest end of tables.energy_max */

size_t wn_radiation_bins(double cut_ev)
{
  return (size_t)ceil(log10(TOP_EV / cut_ev) * WN_RADIATION_BINS - 1e-9);
}

void wn_radiation_edges(double cut_ev, double *edge)
{
  const size_t n = wn_radiation_bins(cut_ev);
  for (size_t i = 0; i <= n; i++)
    edge[i] = cut_ev * pow(10.0, (double)i / WN_RADIATION_BINS);
}

static void count(struct radiation *o, double k_ev, double weight)
{
  const double at =
      (wn_ln(k_ev) - o->gas->ln_cut) * (WN_RADIATION_BINS / 2.302585092994046);
  const size_t i = at > 0.0 ? (size_t)at : 0;
  o->spectrum[i < o->n_bins ? i : o->n_bins - 1] += wn_fix(weight, WN_FIX_WEIGHT);
}

/* ---- emission */

static int keep_photon(struct radiation *o, const struct wn_photon *p)
{
  void *list = o->fresh;
  WN_TRY(grow(&list, o->n_fresh, &o->fresh_room, sizeof *o->fresh));
  o->fresh = list;
  o->fresh[o->n_fresh++] = *p;
  return WN_OK;
}

/* One electron over the step. */
static int radiate(struct radiation *o, const struct wn_sim *s, struct wn_electron *e)
{
  const double u[3] = {(double)e->u[0], (double)e->u[1], (double)e->u[2]};
  const double gamma = wn_gamma(u), before = wn_kinetic_ev(u, gamma);
  const uint32_t step = (uint32_t)s->n_steps;
  /* one above the tables ends the run at the end of this step (wn_sim_alarms) */
  if (!(before > o->gas->cut_ev && before <= o->gas->top_ev))
    return WN_OK;
  const uint32_t group = wn_electron_group(e->tag, (uint32_t)o->n_groups);
  const double weight = (double)e->w, size = wn_u_from_ev(before);
  const double d[3] = {u[0] / size, u[1] / size, u[2] / size};
  struct wn_draws r = wn_draws(o->medium.seed, e->id, step, WN_RNG_BREMSSTRAHLUNG);
  uint64_t name = e->id;
  const double speed = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) / gamma;
  double energy = before, left = speed * s->interval, soft = 0.0;
  while (energy > o->gas->cut_ev) {
    double above, below;
    wn_gas_radiation_rates(o->gas, energy, &above, &below);
    const double depth = -wn_ln(wn_draw(&r));
    const int emits = depth < above * left;
    const double part = emits ? depth / above : left;
    const double loss = fmin(below * part, energy - o->gas->cut_ev);
    energy -= loss;
    soft += loss;
    left -= part;
    if (!emits || !(energy > o->gas->cut_ev))
      break;
    const struct wn_radiated k =
        wn_radiate(&o->medium, energy, o->gas->cut_ev,
                   (enum wn_brems_angle)o->sim->c->radiation.angle, &r);
    struct wn_photon p =
        wn_radiated_photon(&o->medium, &k, e->x, d, s->time, weight, name, step, &r);
    p.tag = e->tag;
    WN_TRY(keep_photon(o, &p));
    energy -= p.e_ev;
    name = p.id;
    add(o, WN_RADIATION_PHOTONS, group, weight);
    add(o, WN_RADIATION_HARD, group, weight * p.e_ev);
    count(o, p.e_ev, weight);
  }
  add(o, WN_RADIATION_SOFT, group, weight * soft);
  const double after = wn_u_from_ev(fmax(energy, 0.0));
  for (int i = 0; i < 3; i++)
    e->u[i] = (float)(d[i] * after);
  return WN_OK;
}

static int emit(struct radiation *o, struct wn_sim *s)
{
  struct wn_particles *p = &s->species[0]->p;
  WN_TRY(wn_particles_host(p));
  struct wn_electron *e = wn_particles_electrons(p);
  o->n_fresh = 0;
  for (size_t i = 0; i < p->n; i++)
    if (!wn_particles_is_dead(p, i))
      WN_TRY(radiate(o, s, &e[i]));
  wn_particles_touched(p);
  return WN_OK;
}

/* ---- electrons and positrons of photons */

static int keep_charged(void *to, const struct wn_photon_charged *c)
{
  struct radiation *o = to;
  if (c->charge > 0 && o->positrons != NULL)
    return wn_positron_transport_release(o->positrons, c);
  if (c->charge > 0) {
    o->counts.positrons++;
    o->counts.positrons_ev += c->weight * c->t_ev;
    return WN_OK;
  }
  if (c->t_ev < o->sim->c->stop_below_ev) {
    o->counts.stopped++;
    o->counts.stopped_ev += c->weight * c->t_ev;
    return WN_OK;
  }
  void *list = o->freed;
  WN_TRY(grow(&list, o->n_freed, &o->freed_room, sizeof *o->freed));
  o->freed = list;
  o->freed[o->n_freed++] = *c;
  return WN_OK;
}

/* The record at birth; the rest of the step is in mobility steps. */
static struct wn_electron newborn(const struct radiation *o,
                                  const struct wn_photon_charged *c,
                                  const struct wn_mcc *m, double time, unsigned steps)
{
  struct wn_electron e = {.w = (float)c->weight, .id = c->id, .tag = c->tag};
  const double size = wn_u_from_ev(c->t_ev);
  for (int i = 0; i < 3; i++) {
    e.x[i] = c->x[i];
    e.u[i] = (float)(c->d[i] * size);
  }
  e.t_left = (float)fmin(fmax((time - c->t) / m->dt, 0.0), (double)steps);
  const struct wn_rng4 r = wn_rng(o->medium.seed, e.id, 0, WN_RNG_INITIAL, 0);
  e.t_next = wn_exponential_f(r.w[0]) * m->inv_nu;
  return e;
}

/* Electrons from `first` on fly to the end of the step; what they free follows them. */
static int fly(struct wn_sim *s, size_t first)
{
  struct wn_species *electrons = s->species[0];
  const struct wn_model *model = &electrons->model;
  struct wn_births births = {.record = sizeof(struct wn_electron)};
  int status = WN_OK;
  while (status == WN_OK && first < electrons->p.n) {
    const size_t n = electrons->p.n;
    births.n = 0;
    for (; first < n; first++)
      model->ops->advance(model, wn_particles_at(&electrons->p, first),
                          wn_species_sums(electrons), &births);
    status =
        births.status != WN_OK
            ? births.status
            : wn_particles_room(wn_particles_append(&electrons->p, births.e, births.n));
  }
  free(births.e);
  return status;
}

static int join(struct radiation *o, struct wn_sim *s)
{
  struct wn_species *electrons = s->species[0];
  if (o->n_freed == 0)
    return WN_OK;
  struct wn_electron *e = wn_alloc(o->n_freed, sizeof *e);
  if (e == NULL)
    return WN_ENOMEM;
  for (size_t i = 0; i < o->n_freed; i++) {
    const struct wn_photon_charged *c = &o->freed[i];
    e[i] = newborn(o, c, wn_species_mcc(electrons), s->time, electrons->model.steps);
    const double u[3] = {(double)e[i].u[0], (double)e[i].u[1], (double)e[i].u[2]};
    const uint32_t group = wn_electron_group(c->tag, (uint32_t)o->n_groups);
    add(o, WN_RADIATION_FREED, group, c->weight);
    add(o, WN_RADIATION_FREED_ENERGY, group, c->weight * wn_kinetic_ev(u, wn_gamma(u)));
  }
  o->counts.joined += (long long)o->n_freed;
  const size_t first = electrons->p.n;
  int status = wn_species_append(electrons, NULL, e, o->n_freed);
  free(e);
  if (status == WN_OK)
    status = fly(s, first);
  wn_particles_touched(&electrons->p);
  return status;
}

/* ---- positrons that move */

static int keep_radiated(void *to, const struct wn_photon *p)
{
  struct radiation *o = to;
  return wn_photon_transport_release(o->photons, p, 1);
}

static int keep_pair(void *to, const struct wn_photon p[2], double in_flight_ev)
{
  struct radiation *o = to;
  return wn_photon_transport_pair(o->photons, p, in_flight_ev);
}

/* du/dt = accel - v x gyro, as for electrons: the charge changes both. */
static struct wn_positron_field field_of_positrons(const struct wn_mcc *m)
{
  struct wn_positron_field f = {.has_b = m->has_b};
  for (int i = 0; i < 3; i++) {
    f.accel[i] = -m->accel[i];
    f.gyro[i] = -m->gyro[i];
  }
  return f;
}

/* Photons and positrons to the end of the step, and what each makes of the other: each generation has less energy, so this ends. */
static int fly_all(struct radiation *o, const struct wn_sim *s)
{
  WN_TRY(wn_photon_transport_advance(o->photons, s->time));
  if (o->positrons == NULL)
    return WN_OK;
  const struct wn_positron_field f = field_of_positrons(wn_species_mcc(s->species[0]));
  const struct wn_positron_ledger *l = wn_positron_transport_ledger(o->positrons);
  for (;;) {
    const int64_t before = l->n_photons + l->n_in_flight + l->n_at_rest;
    WN_TRY(wn_positron_transport_advance(o->positrons, &f, s->time));
    if (l->n_photons + l->n_in_flight + l->n_at_rest == before)
      return WN_OK;
    WN_TRY(wn_photon_transport_advance(o->photons, s->time));
  }
}

/* ---- the operator */

static void release(struct wn_operator *head)
{
  struct radiation *o = of(head);
  wn_photon_transport_free(o->photons);
  wn_positron_transport_free(o->positrons);
  free(o->factor);
  free(o->sum);
  free(o->spectrum);
  free(o->fresh);
  free(o->freed);
  free(o);
}

static int create(struct wn_sim *s, struct wn_operator **out)
{
  if (s->gas == NULL || s->gas->radiation == NULL)
    return WN_OK;
  struct radiation *o = wn_alloc(1, sizeof *o);
  if (o == NULL)
    return WN_ENOMEM;
  struct wn_species *electrons = s->species[0];
  o->operator.ops = & wn_operator_radiation;
  o->sim = s;
  o->gas = s->gas->radiation;
  o->medium = o->gas->medium;
  o->medium.seed = s->c->seed;
  o->n_groups = (size_t)electrons->shape.n_groups;
  o->n_bins = wn_radiation_bins(o->gas->cut_ev);
  o->factor = wn_alloc(o->n_groups, sizeof *o->factor);
  o->sum = wn_alloc(o->n_groups * WN_RADIATION_SUMS, sizeof *o->sum);
  o->spectrum = wn_alloc(o->n_bins, sizeof *o->spectrum);
  const struct wn_photon_transport_spec spec = {
      .medium = &o->medium,
      .region = {.kind = WN_PHOTON_UNBOUNDED},
      .positrons = s->c->radiation.positrons == WN_POSITRONS_AT_REST
                       ? WN_PHOTON_POSITRONS_AT_REST
                       : WN_PHOTON_POSITRONS_HANDED,
      .charged = keep_charged,
      .to = o};
  int status =
      o->factor != NULL && o->sum != NULL && o->spectrum != NULL ? WN_OK : WN_ENOMEM;
  if (status == WN_OK)
    status = wn_photon_transport_create(&spec, &o->photons);
  if (status == WN_OK && o->gas->positrons != NULL) {
    const struct wn_positron_transport_spec positrons = {.medium =
                                                             &o->gas->positrons->view,
                                                         .seed = o->medium.seed,
                                                         .electron = keep_charged,
                                                         .photon = keep_radiated,
                                                         .pair = keep_pair,
                                                         .to = o};
    status = wn_positron_transport_create(&positrons, &o->positrons);
  }
  if (status != WN_OK) {
    release(&o->operator);
    return status;
  }
  electrons->population.factor = o->factor;
  *out = &o->operator;
  return WN_OK;
}

static void reset(struct wn_operator *head)
{
  struct radiation *o = of(head);
  memset(o->sum, 0, o->n_groups * WN_RADIATION_SUMS * sizeof *o->sum);
  memset(o->spectrum, 0, o->n_bins * sizeof *o->spectrum);
}

static void begin(struct wn_operator *head)
{
  struct radiation *o = of(head);
  reset(head);
  wn_photon_transport_clear(o->photons);
  if (o->positrons != NULL)
    wn_positron_transport_clear(o->positrons);
  o->counts = (struct wn_radiation_counts){.joined = 0};
}

static int apply(struct wn_operator *head, struct wn_sim *s)
{
  struct radiation *o = of(head);
  s->species[0]->is_current = 0; /* electrons have moved since their energy was summed */
  WN_TRY(emit(o, s));
  o->n_freed = 0;
  WN_TRY(fly_all(o, s));
  WN_TRY(wn_photon_transport_release(o->photons, o->fresh, o->n_fresh));
  return join(o, s);
}

static void scaled(struct wn_operator *head, int to_origin)
{
  struct radiation *o = of(head);
  wn_photon_transport_scale(o->photons, o->factor, wn_electron_group,
                            (uint32_t)o->n_groups, to_origin);
  if (o->positrons != NULL)
    wn_positron_transport_scale(o->positrons, o->factor, wn_electron_group,
                                (uint32_t)o->n_groups, to_origin);
}

static int state(struct wn_operator *head, struct wn_state *st)
{
  struct radiation *o = of(head);
  WN_TRY(wn_state_item(st, "sums of radiation", o->sum,
                       o->n_groups * WN_RADIATION_SUMS * sizeof *o->sum));
  WN_TRY(wn_state_item(st, "spectrum of radiation", o->spectrum,
                       o->n_bins * sizeof *o->spectrum));
  WN_TRY(wn_state_item(st, "counts of radiation", &o->counts, sizeof o->counts));
  WN_TRY(wn_photon_transport_state(o->photons, st));
  return o->positrons != NULL ? wn_positron_transport_state(o->positrons, st) : WN_OK;
}

const struct wn_operator_ops wn_operator_radiation = {
    .create = create,
    .begin = begin,
    .apply = apply,
    .reset = reset,
    .scaled = scaled,
    .state = state,
    .free = release,
};

/* ---- what is asked */

int wn_radiation_is_on(const struct wn_sim *s)
{
  return find(s) != NULL;
}

double wn_radiation_sum(const struct wn_sim *s, enum wn_radiation_sum what,
                        long leave_out)
{
  const struct radiation *o = find(s);
  wn_i128 sum = 0;
  if (o == NULL)
    return 0.0;
  for (size_t g = 0; g < o->n_groups; g++)
    sum += (long)g != leave_out ? o->sum[(size_t)what * o->n_groups + g] : 0;
  return (double)sum / WN_FIX_ENERGY;
}

const struct wn_photon_transport *wn_radiation_photons(const struct wn_sim *s)
{
  return find(s)->photons;
}

const struct wn_positron_transport *wn_radiation_positrons(const struct wn_sim *s)
{
  return find(s)->positrons;
}

struct wn_radiation_counts wn_radiation_counts(const struct wn_sim *s)
{
  return find(s)->counts;
}

void wn_radiation_spectrum(const struct wn_sim *s, double *number)
{
  const struct radiation *o = find(s);
  for (size_t i = 0; i < o->n_bins; i++)
    number[i] = (double)o->spectrum[i] / WN_FIX_WEIGHT;
}
