/* src/sim/radiation.c - see radiation.h. */
#include "src/sim/radiation.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "device/gpu.h"
#include "particles/load_balance.h"
#include "physics/photons/radiating_path.h"
#include "physics/push.h"
#include "physics/single_precision.h"
#include "src/sim/operators.h"
#include "src/sim/sim.h"

extern const struct wn_operator_ops wn_operator_radiation;

struct radiation {
  struct wn_operator operator; /* the head of every operator */
  const struct wn_sim *sim;
  const struct wn_gas_radiation *gas;
  struct wn_radiation_tables tables;
  struct wn_gpu_radiation *on_gpu; /* NULL: electrons are on the host */
  struct wn_photon_transport *photons;
  struct wn_positron_transport *positrons; /* NULL: they do not move */
  size_t n_groups, n_bins;
  double *factor; /* [n_groups], of population control */
  /* sums of this process; since together() those of all are in `all`, and with one process they are these */
  wn_i128 *sum;            /* [WN_RADIATION_SUMS][n_groups], WN_FIX_ENERGY */
  wn_i128 *spectrum;       /* [n_bins], WN_FIX_WEIGHT; behind sum */
  wn_i128 *counts;         /* [N_COUNTS]; behind spectrum */
  wn_i128 *all;            /* the three of all processes */
  struct wn_photon *fresh; /* of the step in hand */
  size_t n_fresh, fresh_room;
  struct wn_photon_charged *freed; /* the same */
  size_t n_freed, freed_room;
};

/* struct wn_radiation_counts; energies in WN_FIX_ENERGY. */
enum { JOINED, STOPPED, POSITRONS, STOPPED_EV, POSITRONS_EV, N_COUNTS };

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

static size_t n_reset(const struct radiation *o) /* sum and spectrum */
{
  return o->n_groups * WN_RADIATION_SUMS + o->n_bins;
}

/* Sums of all processes, in all of them. */
static void together(struct radiation *o)
{
  const size_t n = n_reset(o) + N_COUNTS;
  if (wn_ranks() == 1)
    return;
  wn_ranks_sum(o->sum, n);
  for (size_t i = 0; i < n; i++)
    o->all[i] += o->sum[i];
  memset(o->sum, 0, n * sizeof *o->sum);
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

/* ---- photons of the electrons */

static int keep_photon(struct radiation *o, const struct wn_photon *p)
{
  void *list = o->fresh;
  WN_TRY(grow(&list, o->n_fresh, &o->fresh_room, sizeof *o->fresh));
  o->fresh = list;
  o->fresh[o->n_fresh++] = *p;
  return WN_OK;
}

/* One photon of an electron. */
static int keep_bremsstrahlung(struct radiation *o, const struct wn_photon *p)
{
  const uint32_t group = wn_electron_group(p->tag, (uint32_t)o->n_groups);
  add(o, WN_RADIATION_PHOTONS, group, p->weight);
  add(o, WN_RADIATION_HARD, group, p->weight * p->e_ev);
  count(o, p->e_ev, p->weight);
  return keep_photon(o, p);
}

/* One electron over the step. */
static int radiate(struct radiation *o, const struct wn_sim *s, struct wn_electron *e)
{
  struct wn_radiating path;
  struct wn_photon p;
  /* one above the tables ends the run at the end of this step (wn_sim_alarms) */
  if (!wn_radiating_begin(&o->tables, e, s->interval, (uint32_t)s->n_steps, &path))
    return WN_OK;
  while (wn_radiating_next(&o->tables, e, s->time, &path, &p))
    WN_TRY(keep_bremsstrahlung(o, &p));
  add(o, WN_RADIATION_SOFT, wn_electron_group(e->tag, (uint32_t)o->n_groups),
      wn_radiating_soft_ev(&path, e));
  wn_radiating_end(&path, e->u);
  return WN_OK;
}

static int radiate_on_host(struct radiation *o, const struct wn_sim *s,
                           struct wn_particles *p)
{
  WN_TRY(wn_particles_host(p));
  struct wn_electron *e = wn_particles_electrons(p);
  for (size_t i = 0; i < p->n; i++)
    if (!wn_particles_is_dead(p, i))
      WN_TRY(radiate(o, s, &e[i]));
  return WN_OK;
}

/* The electrons stay there, and their photons come to the host. */
static int radiate_on_gpu(struct radiation *o, const struct wn_sim *s,
                          struct wn_particles *p)
{
  const struct wn_photon *photon;
  size_t n;
  WN_TRY(wn_gpu_radiate(o->on_gpu, p, s->time, s->interval, (uint32_t)s->n_steps,
                        o->n_groups, &o->sum[(size_t)WN_RADIATION_SOFT * o->n_groups],
                        &photon, &n));
  for (size_t i = 0; i < n; i++)
    WN_TRY(keep_bremsstrahlung(o, &photon[i]));
  return WN_OK;
}

static int by_id(const void *a, const void *b)
{
  const uint64_t x = ((const struct wn_photon *)a)->id,
                 y = ((const struct wn_photon *)b)->id;
  return x < y ? -1 : x > y;
}

/* In the order of their ids, so that the order of electrons in their store changes no sum of photons. */
static int radiate_all(struct radiation *o, struct wn_sim *s)
{
  struct wn_particles *p = &s->species[0]->p;
  o->n_fresh = 0;
  WN_TRY(o->on_gpu != NULL && p->place != WN_PARTICLES_HOST ? radiate_on_gpu(o, s, p)
                                                            : radiate_on_host(o, s, p));
  if (o->n_fresh > 0)
    qsort(o->fresh, o->n_fresh, sizeof *o->fresh, by_id);
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
    o->counts[POSITRONS]++;
    o->counts[POSITRONS_EV] += wn_fix(c->weight * c->t_ev, WN_FIX_ENERGY);
    return WN_OK;
  }
  if (c->t_ev < o->sim->c->stop_below_ev) {
    o->counts[STOPPED]++;
    o->counts[STOPPED_EV] += wn_fix(c->weight * c->t_ev, WN_FIX_ENERGY);
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
  struct wn_electron e = {.w = (float)c->weight,
                          .id = c->id,
                          .tag = c->tag & WN_TAG_LINEAGE_MASK}; /* no threshold passed */
  const double size = wn_u_from_ev(c->t_ev);
  for (int i = 0; i < 3; i++) {
    e.x[i] = c->x[i];
    e.u[i] = (float)(c->d[i] * size);
  }
  e.t_left = (float)fmin(fmax((time - c->t) / m->dt, 0.0), (double)steps);
  const struct wn_rng4 r = wn_rng(o->tables.medium.seed, e.id, 0, WN_RNG_INITIAL, 0);
  e.t_next = wn_exponential_f(r.w[0]) * m->inv_nu;
  return e;
}

/* Electrons from `first` on fly to the end of the step, by the scheduler; what they free follows them.  Collective. */
static int fly(struct wn_species *electrons, size_t first)
{
  const struct wn_scheduler_ops *ops = electrons->ops;
  struct wn_particles *p = &electrons->p;
  /* room for their newborns */
  int status = ops->hold(electrons->sched, &electrons->model, p);
  p->n_advanced = first;
  if (status == WN_OK && p->n > first)
    status =
        ops->advance(electrons->sched, &electrons->model, p, wn_species_sums(electrons));
  p->n_advanced = 0;
  return wn_particles_room(status);
}

static int join(struct radiation *o, struct wn_sim *s)
{
  struct wn_species *electrons = s->species[0];
  if (!wn_ranks_any(o->n_freed > 0))
    return WN_OK;
  struct wn_electron *e = wn_alloc(o->n_freed + 1, sizeof *e);
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
  o->counts[JOINED] += (wn_i128)o->n_freed;
  const size_t first = electrons->p.n;
  int status = wn_species_append(
      electrons, electrons->ops->device == WN_DEVICE_CUDA ? s->gpu : NULL, e, o->n_freed);
  free(e);
  if (status == WN_OK)
    status = fly(electrons, first);
  wn_particles_touched(&electrons->p);
  return status == WN_OK ? wn_species_bring_together(electrons) : status;
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
  wn_gpu_radiation_free(o->on_gpu);
  free(o->factor);
  if (o->all != o->sum)
    free(o->all);
  free(o->sum);
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
  wn_gas_radiation_tables(o->gas, s->c->seed, (enum wn_brems_angle)s->c->radiation.angle,
                          &o->tables);
  o->n_groups = (size_t)electrons->shape.n_groups;
  o->n_bins = wn_radiation_bins(o->gas->cut_ev);
  o->factor = wn_alloc(o->n_groups, sizeof *o->factor);
  o->sum = wn_alloc(n_reset(o) + N_COUNTS, sizeof *o->sum);
  o->all = wn_ranks() > 1 ? wn_alloc(n_reset(o) + N_COUNTS, sizeof *o->all) : o->sum;
  const struct wn_photon_transport_spec spec = {
      .medium = &o->tables.medium,
      .region = {.kind = WN_PHOTON_UNBOUNDED},
      .positrons = s->c->radiation.positrons == WN_POSITRONS_AT_REST
                       ? WN_PHOTON_POSITRONS_AT_REST
                       : WN_PHOTON_POSITRONS_HANDED,
      .roulette = {.weight = s->c->radiation.roulette_weight,
                   .below_ev = fmax(s->c->radiation.roulette_below_ev, 0.0)},
      .charged = keep_charged,
      .to = o};
  int status = o->factor != NULL && o->sum != NULL && o->all != NULL ? WN_OK : WN_ENOMEM;
  if (status == WN_OK) {
    o->spectrum = o->sum + o->n_groups * WN_RADIATION_SUMS;
    o->counts = o->spectrum + o->n_bins;
    status = wn_photon_transport_create(&spec, &o->photons);
  }
  if (status == WN_OK && o->gas->positrons != NULL) {
    const struct wn_positron_transport_spec positrons = {.medium =
                                                             &o->gas->positrons->view,
                                                         .seed = o->tables.medium.seed,
                                                         .electron = keep_charged,
                                                         .photon = keep_radiated,
                                                         .pair = keep_pair,
                                                         .to = o};
    status = wn_positron_transport_create(&positrons, &o->positrons);
  }
  if (status == WN_OK && s->gpu != NULL)
    status = wn_gpu_radiation_create(s->gpu, &o->tables, &o->on_gpu);
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
  memset(o->all, 0, n_reset(o) * sizeof *o->all);
}

static void begin(struct wn_operator *head)
{
  struct radiation *o = of(head);
  memset(o->sum, 0, (n_reset(o) + N_COUNTS) * sizeof *o->sum);
  memset(o->all, 0, (n_reset(o) + N_COUNTS) * sizeof *o->all);
  wn_photon_transport_clear(o->photons);
  if (o->positrons != NULL)
    wn_positron_transport_clear(o->positrons);
}

static int apply(struct wn_operator *head, struct wn_sim *s)
{
  struct radiation *o = of(head);
  s->species[0]->is_current = 0; /* electrons have moved since their energy was summed */
  WN_TRY(radiate_all(o, s));
  o->n_freed = 0;
  WN_TRY(fly_all(o, s));
  WN_TRY(wn_photon_transport_release(o->photons, o->fresh, o->n_fresh));
  WN_TRY(join(o, s));
  together(o);
  return WN_OK;
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
  WN_TRY(wn_state_item(st, "sums of radiation", o->all,
                       (n_reset(o) + N_COUNTS) * sizeof *o->all));
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

int wn_radiation_waits(const struct wn_sim *s)
{
  const struct radiation *o = find(s);
  if (o == NULL)
    return 0;
  const size_t positrons =
      o->positrons != NULL ? wn_positron_transport_n(o->positrons) : 0;
  return wn_ranks_any(wn_photon_transport_n(o->photons) + positrons > 0);
}

double wn_radiation_sum(const struct wn_sim *s, enum wn_radiation_sum what,
                        long leave_out)
{
  const struct radiation *o = find(s);
  wn_i128 sum = 0;
  if (o == NULL)
    return 0.0;
  for (size_t g = 0; g < o->n_groups; g++)
    sum += (long)g != leave_out ? o->all[(size_t)what * o->n_groups + g] : 0;
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
  const struct radiation *o = find(s);
  const wn_i128 *n = o->all + n_reset(o);
  return (struct wn_radiation_counts){.joined = (long long)n[JOINED],
                                      .stopped = (long long)n[STOPPED],
                                      .positrons = (long long)n[POSITRONS],
                                      .stopped_ev = (double)n[STOPPED_EV] / WN_FIX_ENERGY,
                                      .positrons_ev =
                                          (double)n[POSITRONS_EV] / WN_FIX_ENERGY};
}

void wn_radiation_spectrum(const struct wn_sim *s, double *number)
{
  const struct radiation *o = find(s);
  for (size_t i = 0; i < o->n_bins; i++)
    number[i] = (double)o->all[o->n_groups * WN_RADIATION_SUMS + i] / WN_FIX_WEIGHT;
}
