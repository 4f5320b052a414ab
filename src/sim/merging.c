/* src/sim/merging.c - operator: merging and splitting of macroparticles (plasma.merging), by
 * cell and velocity, at the end of every `interval`-th step.
 *
 * Merging, in cells with more than `per_cell_most`.  The macroparticles of an energy class are
 * divided at the median of the component of u of the greatest variance, again and again, into
 * groups of ten, four or two (a k-d tree, as Teunissen and Ebert, J. Comput. Phys. 259 (2014)
 * 318, have it by their abstract; theirs is of places, too).  Groups become fewer in the order of
 * the energy about their mean velocity, the least first, until `per_cell_most` are left
 * or there are no more groups; the next pass goes on.  physics/merging.h has the formulae.
 *   weights  up to ten become at least five of them, with new weights, which are then rounded
 *            to quanta; a common shift of u and a factor on its deviation, by some 1e-5, make up
 *            for that.  Momentum and energy are exact to the rounding of u
 *   two      up to four become two of other velocities; the same holds
 *   one      of two one stays, with a probability by weight: momentum and energy are on average
 * Charge is exact to the quantum.
 *
 * Place.  With `weights` and `one` those that stay keep theirs.  Each of two stands for one part of the quanta of its group, in the order of u along
 * their own direction, and has the place of a member chosen by weight among this part.  So the
 * expected density does not change, and fast ones stay where fast ones were.
 *
 * Never across an energy.  Macroparticles above `protected_energy` are neither merged nor split.
 * Others are merged within their class, and none leaves it: where one of two would, their
 * direction is taken across the mean velocity, where both have nearly the mean energy; if that
 * does not do, the group is left.  So the weight of a class is exact.
 *
 * Splitting, in cells with fewer than `per_cell_least`: the heaviest first, into halves of the
 * same place and velocity, none of less than `least_weight`; and of those above the heaviest
 * that a cell may have, wherever `per_cell_least` is above 0.  They part at their next
 * collision, by random numbers of their own; without collisions they never would
 * (src/config/merging_groups.c refuses it).
 *
 * Left out: weights that are no whole number of quanta, or none.
 *
 * The bits.  Macroparticles of a cell are in the order of their records, random numbers are
 * named by cell, step, entry of plasma.merging and group.  So the result does not depend on the order of the
 * store, nor on threads.  Nothing but the ledger is kept between steps.
 *
 * Memory: two numbers of 32 bits for a macroparticle, and scratch for the fullest cell.  Merged
 * ones take records of their group; the others are dead, and leave the store in this step.
 *
 * Random numbers: purpose MERGING; the event is the step, the id cell + 2^48 entry, the
 * block 4 times the group plus 0 and 1 for the group; 4 times the first member plus 2 for a node
 * of the tree.
 * Copies have names of purpose POPULATION (physics/sample.h). */
#include "src/sim/merging.h"
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"
#include "particles/load_balance.h"
#include "physics/ion.h"
#include "physics/merging.h"
#include "physics/mover.h"
#include "physics/sample.h"
#include "schedulers/model.h"
#include "src/config/merging.h"
#include "src/config/plasma_derived.h"
#include "src/sim/merging_groups.h"
#include "src/sim/operators.h"
#include "src/sim/plasma_points.h"

extern const struct wn_operator_ops wn_operator_merging;

#define PER_CHUNK 4     /* cells that a thread takes at a time */
#define MANY      20000 /* macroparticles from which on there is more than one thread */

struct merging {
  struct wn_operator operator; /* the head of every operator */
  struct wn_rng_key key;
  uint64_t seed;
  int threads;
  size_t n;
  struct wn_merging_controlled *of; /* [n] */
  struct wn_births copies;
};

static struct merging *of(struct wn_operator *o)
{
  return (struct merging *)(void *)o;
}

/* The heaviest that a macroparticle may be in a cell.  Limits by field and place belong here. */
static double most_weight(const struct wn_merging_controlled *c, size_t cell)
{
  (void)cell;
  return c->is->most_weight;
}

/* ---- a cell */

static int by_class(const void *a, const void *b)
{
  const struct wn_merging_member *x = a, *y = b;
  if (x->class != y->class)
    return x->class < y->class ? -1 : 1;
  return x->order < y->order ? -1 : x->order > y->order;
}

/* The members of a cell, by classes. */
static uint32_t find_members(const struct wn_merging_place *p,
                             struct wn_merging_member *m)
{
  const struct wn_merging_controlled *c = p->c;
  const size_t first = c->by.begin[p->cell], n = wn_cell_lists_number(&c->by, p->cell);
  uint32_t found = 0;
  for (size_t i = 0; i < n; i++) {
    struct wn_merging_member one = {.order = (uint32_t)i, .at = c->by.list[first + i]};
    one.quanta = wn_merging_quanta(wn_cell_lists_load(&c->by, one.at, one.u));
    one.class = wn_merging_class_of(c->is, wn_merging_energy_ev(c, one.u));
    if (one.quanta > 0 && one.quanta <= p->most && one.class <= c->is->n_classes &&
        !wn_particles_is_dead(&c->by.species->p, one.at))
      m[found++] = one;
  }
  qsort(m, found, sizeof *m, by_class);
  return found;
}

/* Macroparticles of a cell above the heaviest, which can be halved. */
static uint32_t heavy(const struct wn_merging_place *p)
{
  const struct wn_merging_controlled *c = p->c;
  uint32_t n = 0;
  for (size_t i = c->by.begin[p->cell]; c->is->least > 0 && i < c->by.begin[p->cell + 1];
       i++) {
    float u[3];
    const int64_t quanta =
        wn_merging_quanta(wn_cell_lists_load(&c->by, c->by.list[i], u));
    n += quanta > p->most &&
         wn_merging_class_of(c->is, wn_merging_energy_ev(c, u)) <= c->is->n_classes;
  }
  return n;
}

/* Merges, and notes how many the cell should have more. */
static void do_cell(const struct wn_merging_place *p, struct wn_merging_scratch *s,
                    uint32_t *wanted)
{
  const struct wn_cfg_merging *is = p->c->is;
  const size_t n = wn_cell_lists_number(&p->c->by, p->cell);
  const uint32_t fewer = n > 0 && n < is->least ? (uint32_t)(is->least - n) : 0;
  *wanted = heavy(p);
  if (fewer > *wanted)
    *wanted = fewer;
  if (n > is->most || *wanted > 0)
    wn_cell_lists_order(&p->c->by, p->cell);
  if (n > is->most)
    wn_merge_members(p, s, find_members(p, s->member));
}

/* ---- splitting */

static int by_weight(const void *a, const void *b)
{
  const struct wn_merging_member *x = a, *y = b;
  if (x->quanta != y->quanta)
    return x->quanta > y->quanta ? -1 : 1;
  return x->order < y->order ? -1 : x->order > y->order;
}

/* One half stays, the other has a name and a next candidate of its own. */
static void halve(struct merging *o, struct wn_merging_controlled *c,
                  const struct wn_merging_member *m)
{
  const struct wn_species *s = c->by.species;
  struct wn_electron *e =
      (struct wn_electron *)(void *)wn_cell_lists_record(&c->by, m->at);
  const struct wn_change change = {
      .seed = o->seed,
      .inv_nu = s->model.ops->is_ion ? 0.0 : (double)wn_species_mcc(s)->inv_nu};
  struct wn_electron copy = wn_change_copy(&change, e, 0);
  wn_change_copied(e);
  if (s->model.ops->is_ion)
    copy.t_next = wn_ion_first_flight(s->model.data, copy.id, 0);
  e->w = wn_merging_weight(m->quanta / 2);
  copy.w = wn_merging_weight(m->quanta - m->quanta / 2);
  wn_births_push(&o->copies, &copy);
  c->sums.split++;
  c->sums.split_quanta += m->quanta;
}

static void split_cell(struct merging *o, struct wn_merging_controlled *c, size_t cell,
                       struct wn_merging_member *m)
{
  const struct wn_merging_place p = {
      .key = &o->key, .c = c, .cell = cell, .most = INT64_MAX};
  const double least = 2.0 * c->is->least_weight * WN_QUANTA;
  const uint32_t n = find_members(&p, m);
  qsort(m, n, sizeof *m, by_weight);
  for (uint32_t i = 0; i < n && i < c->wanted[cell]; i++) {
    if (m[i].quanta < 2 || (double)m[i].quanta < least)
      return;
    halve(o, c, &m[i]);
  }
}

/* ---- a step */

static void add(struct wn_merging_sums *to, const struct wn_merging_sums *s)
{
  to->before += s->before;
  to->after += s->after;
  to->across += s->across;
  to->left += s->left;
  to->merged_quanta += s->merged_quanta;
  to->energy_before += s->energy_before;
  to->energy_after += s->energy_after;
  for (int d = 0; d < 3; d++) {
    to->momentum_before[d] += s->momentum_before[d];
    to->momentum_after[d] += s->momentum_after[d];
  }
}

static void free_scratch(struct wn_merging_scratch *s, int n)
{
  for (int i = 0; s != NULL && i < n; i++) {
    free(s[i].member);
    free(s[i].group);
  }
  free(s);
}

/* For each thread, for the fullest cell. */
static struct wn_merging_scratch *make_scratch(const struct wn_merging_controlled *c,
                                               int threads)
{
  size_t most = 0;
  struct wn_merging_scratch *s = wn_alloc((size_t)threads, sizeof *s);
  for (size_t cell = 0; cell < c->by.cells; cell++)
    if (wn_cell_lists_number(&c->by, cell) > most)
      most = wn_cell_lists_number(&c->by, cell);
  for (int i = 0; s != NULL && i < threads; i++) {
    s[i].member = wn_alloc(most + 1, sizeof *s[i].member);
    s[i].group = wn_alloc(most + 1, sizeof *s[i].group);
    if (s[i].member == NULL || s[i].group == NULL) {
      free_scratch(s, threads);
      return NULL;
    }
  }
  return s;
}

static void do_cells(struct merging *o, struct wn_merging_controlled *c, uint32_t step,
                     int threads, struct wn_merging_scratch *scratch, uint64_t *deaths)
{
#ifdef _OPENMP
#pragma omp parallel num_threads(threads)
#else
  (void)threads;
#endif
  {
    struct wn_merging_sums here = {0};
    uint64_t dead = 0;
#ifdef _OPENMP
#pragma omp for schedule(dynamic, PER_CHUNK)
#endif
    for (size_t cell = 0; cell < c->by.cells; cell++) {
      const double most = most_weight(c, cell) * WN_QUANTA;
      const struct wn_merging_place p = {&o->key, c,     cell,         step,
                                         &here,   &dead, (int64_t)most};
      do_cell(&p, &scratch[wn_thread()], &c->wanted[cell]);
    }
#ifdef _OPENMP
#pragma omp critical
#endif
    {
      add(&c->sums, &here);
      *deaths += dead;
    }
  }
}

/* Copies join at the end of the store, cell after cell. */
static int split(struct merging *o, struct wn_sim *s, struct wn_merging_controlled *c,
                 struct wn_merging_member *m)
{
  o->copies.n = 0;
  o->copies.record = c->by.species->p.record.bytes;
  for (size_t cell = 0; cell < c->by.cells; cell++)
    if (c->wanted[cell] > 0)
      split_cell(o, c, cell, m);
  WN_TRY(wn_particles_room(o->copies.status));
  return o->copies.n > 0
             ? wn_species_append(c->by.species, s->gpu, o->copies.e, o->copies.n)
             : WN_OK;
}

static int pass(struct merging *o, struct wn_sim *s, struct wn_merging_controlled *c)
{
  struct wn_species *species = c->by.species;
  const wn_i128 gained = c->sums.energy_after - c->sums.energy_before;
  WN_TRY(wn_particles_host(&species->p));
  /* all or one: where teams differ in size, libgomp ends threads and starts others */
  const int threads = species->p.n < MANY ? 1 : o->threads;
  WN_TRY(wn_cell_lists_make(&c->by, threads, "merging is"));
  struct wn_merging_scratch *scratch = make_scratch(c, threads);
  if (scratch == NULL)
    return WN_ENOMEM;
  uint64_t deaths = 0;
  do_cells(o, c, (uint32_t)s->n_steps, threads, scratch, &deaths);
  wn_species_sums(species)->n_deaths += deaths;
  int status = c->is->least > 0 ? split(o, s, c, scratch[0].member) : WN_OK;
  free_scratch(scratch, threads);
  c->sums.passes++;
  wn_particles_touched(&species->p);
  wn_energy_changed_by(s, WN_ENERGY_MERGING, c->species,
                       c->sums.energy_after - c->sums.energy_before - gained);
  return status;
}

static int apply(struct wn_operator *head, struct wn_sim *s)
{
  struct merging *o = of(head);
  for (size_t i = 0; i < o->n; i++)
    if (s->n_steps % o->of[i].is->interval == 0)
      WN_TRY(pass(o, s, &o->of[i]));
  return WN_OK;
}

/* ---- the operator */

static void destroy(struct wn_operator *head)
{
  struct merging *o = of(head);
  for (size_t i = 0; o->of != NULL && i < o->n; i++) {
    wn_cell_lists_clear(&o->of[i].by);
    free(o->of[i].wanted);
  }
  free(o->of);
  free(o->copies.e);
  free(o);
}

static int set_up(struct wn_sim *s, size_t i, struct wn_merging_controlled *c)
{
  const struct wn_grid_view g = wn_plasma_grid(s->c);
  c->is = &s->c->plasma.merging[i];
  c->species = (size_t)wn_merging_species(s->c, c->is);
  c->entry = (uint32_t)i;
  c->points = wn_plasma_points(s->species[c->species]);
  WN_TRY(wn_cell_lists_init(&c->by, s->species[c->species], &g));
  c->wanted = wn_alloc(c->by.cells, sizeof *c->wanted);
  return c->wanted != NULL ? WN_OK : WN_ENOMEM;
}

static int create(struct wn_sim *s, struct wn_operator **out)
{
  const struct wn_config *c = s->c;
  if (c->model != WN_MODEL_PLASMA || c->plasma.n_merging == 0)
    return WN_OK;
  struct merging *o = wn_alloc(1, sizeof *o);
  if (o == NULL)
    return WN_ENOMEM;
  o->operator.ops = & wn_operator_merging;
  o->key = wn_rng_key(c->seed);
  o->seed = c->seed;
  o->threads = wn_threads(c->threads);
  o->of = wn_alloc(c->plasma.n_merging, sizeof *o->of);
  int status = o->of != NULL ? WN_OK : WN_ENOMEM;
  for (; o->n < c->plasma.n_merging && status == WN_OK; o->n++)
    status = set_up(s, o->n, &o->of[o->n]);
  if (status != WN_OK) {
    destroy(&o->operator);
    return status;
  }
  *out = &o->operator;
  return WN_OK;
}

static void begin(struct wn_operator *o)
{
  for (size_t i = 0; i < of(o)->n; i++)
    of(o)->of[i].sums = (struct wn_merging_sums){0};
}

static int state(struct wn_operator *o, struct wn_state *st)
{
  for (size_t i = 0; i < of(o)->n; i++)
    WN_TRY(WN_STATE(st, of(o)->of[i].sums));
  return WN_OK;
}

const struct wn_merging_sums *wn_merging_sums(const struct wn_sim *s, size_t k)
{
  for (size_t i = 0; i < s->n_operators; i++)
    if (s->operators[i]->ops == &wn_operator_merging)
      for (size_t j = 0; j < of(s->operators[i])->n; j++)
        if (of(s->operators[i])->of[j].species == k)
          return &of(s->operators[i])->of[j].sums;
  return NULL;
}

const struct wn_operator_ops wn_operator_merging = {
    .create = create,
    .begin = begin,
    .apply = apply,
    .state = state,
    .free = destroy,
};
