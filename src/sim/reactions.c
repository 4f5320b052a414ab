/* src/sim/reactions.c - see reactions.h. */
#include "src/sim/reactions.h"
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/ranks.h"
#include "particles/load_balance.h"
#include "physics/constants.h"
#include "schedulers/model.h"
#include "src/config/plasma_derived.h"
#include "src/config/reactions.h"
#include "src/sim/cell_pairs.h"
#include "src/sim/cell_temperatures.h"
#include "src/sim/plasma_points.h"
#include "src/sim/reaction_parts.h"

extern const struct wn_operator_ops wn_operator_reactions;

struct reaction {
  size_t n_in, n_out;
  size_t in[WN_MAX_REACTANTS], out[WN_MAX_REACTANTS]; /* species */
  struct wn_reaction_product product[WN_MAX_REACTANTS];
  double rate; /* 1/s, of one reactant */
  /* of two: rate constant times weight over volume of a cell, 1/s, times (T/T0)^exponent of
   * the first; kT0 in eV */
  double kappa, exponent, reference_ev;
};

/* A particle that reacts: its key and its place in the store. */
struct hit {
  uint64_t key;
  size_t at;
};

struct reactions {
  struct wn_operator operator; /* the head of every operator */
  struct wn_rng_key key;       /* of the seed */
  size_t n, n_species;
  struct reaction *of; /* [n] */
  struct wn_births made[WN_MAX_REACTANTS];
  struct wn_cell_pairs *pairs;        /* NULL: no reaction has two reactants */
  struct wn_cell_temperatures *cells; /* NULL: no rate depends on a temperature */
  struct hit *hit;
  size_t n_hits, room;
  /* Since the case began, over all ranks: events of macroparticles [n], and the energy gained by each
   * species in WN_FIX_ENERGY; and those of this rank in this step */
  uint64_t *events, *events_now;
  wn_i128 energy[WN_MAX_SPECIES], energy_now[WN_MAX_SPECIES];
};

static struct reactions *of(struct wn_operator *o)
{
  return (struct reactions *)(void *)o;
}

/* ---- a step */

static int push(struct reactions *o, uint64_t key, size_t at)
{
  if (o->n_hits == o->room) {
    const size_t room = 2 * o->room + 64;
    struct hit *more = wn_realloc(o->hit, room, sizeof *more);
    if (more == NULL)
      return WN_ENOMEM;
    o->hit = more;
    o->room = room;
  }
  o->hit[o->n_hits++] = (struct hit){key, at};
  return WN_OK;
}

static int by_key(const void *a, const void *b)
{
  const uint64_t x = ((const struct hit *)a)->key, y = ((const struct hit *)b)->key;
  return x < y ? -1 : x > y;
}

/* Particles without an id that have one place and one velocity have one key: each gets a key
 * of its own, so that their products differ.  It does not matter which gets which. */
static void name_apart(struct reactions *o)
{
  uint64_t before = 0, n = 0;
  if (o->n_hits < 2) /* none: the list may be NULL, which qsort does not allow */
    return;
  qsort(o->hit, o->n_hits, sizeof *o->hit, by_key);
  for (size_t i = 0; i < o->n_hits; i++) {
    const uint64_t key = o->hit[i].key;
    n = i > 0 && key == before ? n + 1 : 0;
    before = key;
    o->hit[i].key += n * 0x9e3779b97f4a7c15u;
  }
}

/* Dead: it leaves the store at the end of the step. */
static void take(struct reactions *o, struct wn_species *s, size_t k, size_t at,
                 struct wn_reacting *was)
{
  wn_reacting_load(s, at, was);
  wn_tally_sum(&o->energy_now[k], -(double)was->w * wn_reacting_energy_ev(s, was->u),
               WN_FIX_ENERGY);
  if (s->p.record.no_t_left)
    ((union wn_word *)wn_particles_at(&s->p, at))->i = WN_POINT_DEAD;
  else
    *wn_particles_t_left(&s->p, at) = WN_DEAD;
  wn_species_sums(s)->n_deaths++;
}

/* The products of an event at the place of a reactant. */
static int make(struct reactions *o, const struct reaction *r,
                const struct wn_reacting *at, const struct wn_reaction_draw *draw)
{
  for (size_t j = 0; j < r->n_out; j++) {
    const struct wn_reaction_product *p = &r->product[j];
    struct wn_births *made = &o->made[j];
    _Alignas(struct wn_electron) unsigned char record[WN_RECORD_MAX];
    float u[3];
    wn_reaction_make(p, (int)j, at, draw, record, u);
    wn_tally_sum(&o->energy_now[r->out[j]],
                 (double)at->w * wn_reacting_energy_ev(p->species, u), WN_FIX_ENERGY);
    made->record = p->species->p.record.bytes;
    wn_births_push(made, record);
    WN_TRY(made->status);
  }
  return WN_OK;
}

/* Of single particles. */
static int decay(struct reactions *o, struct wn_sim *s, const struct reaction *r,
                 const struct wn_reaction_draw *draw)
{
  struct wn_species *from = s->species[r->in[0]];
  const double chance = -expm1(-r->rate * s->interval);
  struct wn_reacting one;
  for (size_t i = 0; i < from->p.n; i++) {
    if (wn_particles_is_dead(&from->p, i))
      continue;
    wn_reacting_load(from, i, &one);
    const struct wn_rng4 w = wn_rng_with(draw->key, one.key, draw->step, WN_RNG_REACTION,
                                         draw->block + WN_REACTION_DECIDES);
    if ((wn_u01(w.w[0]) + wn_u01(w.w[1]) * 0x1p-32) < chance)
      WN_TRY(push(o, one.key, i));
  }
  if (from->p.record.no_t_left)
    name_apart(o);
  for (size_t i = 0; i < o->n_hits; i++) {
    take(o, from, r->in[0], o->hit[i].at, &one);
    one.key = o->hit[i].key;
    WN_TRY(make(o, r, &one, draw));
  }
  return WN_OK;
}

/* Of pairs, which are removed together: products are created at the place of the first. */
static int pair_up(struct reactions *o, struct wn_sim *s, const struct reaction *r,
                   const struct wn_reaction_draw *draw)
{
  struct wn_species *a = s->species[r->in[0]], *b = s->species[r->in[1]];
  const struct wn_cell_pair *pair;
  const double *factor = NULL;
  if (r->exponent != 0.0)
    factor = wn_cell_temperatures_factors(o->cells, a, r->exponent, r->reference_ev);
  WN_TRY(wn_cell_pairs_draw(o->pairs, a, b, r->kappa * s->interval, factor, draw, &pair,
                            &o->n_hits));
  for (size_t i = 0; i < o->n_hits; i++) {
    struct wn_reacting one, other;
    take(o, a, r->in[0], pair[i].a, &one);
    take(o, b, r->in[1], pair[i].b, &other);
    WN_ASSERT(one.w == other.w); /* all particles of a plasma have the weight 1 */
    one.key = pair[i].key;
    WN_TRY(make(o, r, &one, draw));
  }
  return WN_OK;
}

/* The products join their species, and sums of those that died over ranks. */
static int join(struct reactions *o, struct wn_sim *s, const struct reaction *r)
{
  for (size_t i = 0; i < r->n_in; i++) {
    if (o->n_hits > 0)
      wn_particles_touched(&s->species[r->in[i]]->p);
    WN_TRY(wn_species_bring_together(s->species[r->in[i]]));
  }
  for (size_t j = 0; j < r->n_out; j++) {
    WN_TRY(wn_species_append(s->species[r->out[j]], NULL, o->made[j].e, o->made[j].n));
    o->made[j].n = 0;
  }
  return WN_OK;
}

static int react(struct reactions *o, struct wn_sim *s, size_t i)
{
  const struct reaction *r = &o->of[i];
  const struct wn_reaction_draw draw = {&o->key, (uint32_t)s->n_steps,
                                        (uint32_t)i * WN_REACTION_BLOCKS};
  int status;
  o->n_hits = 0;
  for (size_t j = 0; j < r->n_in; j++)
    WN_TRY(wn_particles_host(&s->species[r->in[j]]->p));
  status = r->n_in == 1 ? decay(o, s, r, &draw) : pair_up(o, s, r, &draw);
  o->events_now[i] += o->n_hits;
  WN_TRY(wn_particles_room(status));
  return join(o, s, r);
}

static int apply(struct wn_operator *operator, struct wn_sim * s)
{
  struct reactions *o = of(operator);
  for (size_t i = 0; i < o->n; i++)
    o->events_now[i] = 0;
  for (size_t k = 0; k < o->n_species; k++)
    o->energy_now[k] = 0;
  for (size_t i = 0; i < o->n; i++)
    WN_TRY(react(o, s, s->n_steps % 2 != 0 ? i : o->n - 1 - i));
  wn_ranks_sum_u64(o->events_now, o->n);
  wn_ranks_sum(o->energy_now, o->n_species);
  for (size_t i = 0; i < o->n; i++)
    o->events[i] += o->events_now[i];
  for (size_t k = 0; k < o->n_species; k++)
    o->energy[k] += o->energy_now[k];
  return WN_OK;
}

/* ---- the operator */

static void destroy(struct wn_operator *operator)
{
  struct reactions *o = of(operator);
  for (int j = 0; j < WN_MAX_REACTANTS; j++)
    free(o->made[j].e);
  free(o->hit);
  wn_cell_pairs_free(o->pairs);
  wn_cell_temperatures_free(o->cells);
  free(o->events);
  free(o->events_now);
  free(o->of);
  free(o);
}

/* u of an electron of that energy. */
static double speed_of(const struct wn_species *s, double energy_ev)
{
  const struct wn_points *m = wn_plasma_points(s);
  const double v2 = energy_ev / m->energy_ev; /* classical */
  return m->relativistic ? sqrt(v2 * (1.0 + 0.25 * v2 / (WN_C * WN_C))) : sqrt(v2);
}

static void set_up(const struct wn_sim *s, const struct wn_cfg_reaction *c,
                   struct reaction *r)
{
  r->n_in = c->n_reactants;
  r->exponent = c->exponent;
  r->reference_ev = c->reference_ev;
  r->n_out = c->n_products;
  for (size_t i = 0; i < r->n_in; i++)
    r->in[i] = (size_t)(wn_config_species_of(s->c, c->reactants[i]) - s->c->species);
  for (size_t i = 0; i < r->n_out; i++) {
    const struct wn_cfg_species *to = wn_config_species_of(s->c, c->products[i]);
    struct wn_species *species = s->species[to - s->c->species];
    r->out[i] = (size_t)(to - s->c->species);
    r->product[i] = (struct wn_reaction_product){
        .species = species,
        .sigma = sqrt(c->temperature_ev * WN_E / to->mass),
        .speed = c->energy_ev != WN_AUTO && wn_reaction_is_light(to)
                     ? speed_of(species, c->energy_ev)
                     : -1.0};
  }
  if (r->n_in == 1)
    r->rate = wn_reaction_rate(s->c, c);
  else
    r->kappa = c->rate_constant * wn_loading_weight(s->c, &s->c->species[r->in[0]]) /
               wn_geometry_cell(&s->geometry);
}

static int create(struct wn_sim *s, struct wn_operator **out)
{
  const struct wn_config *c = s->c;
  if (c->model != WN_MODEL_PLASMA || c->n_reactions == 0)
    return WN_OK;
  struct reactions *o = wn_alloc(1, sizeof *o);
  if (o == NULL)
    return WN_ENOMEM;
  o->operator.ops = & wn_operator_reactions;
  *out = &o->operator;
  o->key = wn_rng_key(c->seed);
  o->n = c->n_reactions;
  o->n_species = c->n_species;
  o->of = wn_alloc(o->n, sizeof *o->of);
  o->events = wn_alloc(o->n, sizeof *o->events);
  o->events_now = wn_alloc(o->n, sizeof *o->events_now);
  int status =
      o->of == NULL || o->events == NULL || o->events_now == NULL ? WN_ENOMEM : WN_OK;
  const struct wn_grid_view grid = wn_plasma_grid(c);
  for (size_t i = 0; i < o->n && status == WN_OK; i++) {
    set_up(s, &c->reactions[i], &o->of[i]);
    if (o->of[i].n_in == 2 && o->pairs == NULL)
      status = wn_cell_pairs_create(&grid, &o->pairs);
    if (o->of[i].exponent != 0.0 && o->cells == NULL && status == WN_OK)
      status = wn_cell_temperatures_create(&grid, &o->cells);
  }
  if (status != WN_OK) {
    destroy(*out);
    *out = NULL;
  }
  return status;
}

static void begin(struct wn_operator *operator)
{
  struct reactions *o = of(operator);
  for (size_t i = 0; i < o->n; i++)
    o->events[i] = 0;
  for (size_t k = 0; k < o->n_species; k++)
    o->energy[k] = 0;
  for (int j = 0; j < WN_MAX_REACTANTS; j++)
    o->made[j].n = 0; /* of a step that failed */
}

static int state(struct wn_operator *operator, struct wn_state * st)
{
  struct reactions *o = of(operator);
  WN_TRY(WN_STATE_ARRAY(st, o->events, o->n));
  return WN_STATE(st, o->energy);
}

void wn_reactions_sums(const struct wn_sim *s, double *events, double *energy)
{
  const struct reactions *o = NULL;
  for (size_t i = 0; i < s->n_operators; i++)
    if (s->operators[i]->ops == &wn_operator_reactions)
      o = of(s->operators[i]);
  for (size_t i = 0; i < s->c->n_reactions; i++)
    events[i] = o == NULL ? 0.0
                          : (double)o->events[i] *
                                wn_loading_weight(s->c, &s->c->species[o->of[i].in[0]]);
  for (size_t k = 0; k < s->n_species; k++)
    energy[k] = o == NULL ? 0.0
                          : (double)o->energy[k] / WN_FIX_ENERGY * WN_E *
                                wn_loading_weight(s->c, &s->c->species[k]);
}

const struct wn_operator_ops wn_operator_reactions = {
    .create = create,
    .begin = begin,
    .apply = apply,
    .state = state,
    .free = destroy,
};
