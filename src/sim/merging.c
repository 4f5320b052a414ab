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
 * The heaviest that a macroparticle may be depends on the cell: src/sim/weight_limits.h.  Merging makes none above it,
 * even where more than `per_cell_most` are left; halving of those above it, which came from elsewhere, fills no
 * cell above `per_cell_most`.
 *
 * Left out: weights that are no whole number of quanta, or none.
 *
 * The bits.  Macroparticles of a cell are in the order of their records, random numbers are
 * named by cell, step, entry of plasma.merging and group.  So the result does not depend on the order of the
 * store, nor on threads.  Nothing but the ledger is kept between steps.
 *
 * A cell is done by physics/merging_cell.h, on a GPU by device/merging.cu with the same bits.
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
#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"
#include "device/gpu.h"
#include "particles/load_balance.h"
#include "physics/ion.h"
#include "physics/merging_cell.h"
#include "physics/mover.h"
#include "physics/sample.h"
#include "schedulers/model.h"
#include "src/config/merging.h"
#include "src/config/plasma_derived.h"
#include "src/sim/cell_lists.h"
#include "src/sim/cell_pairs.h"
#include "src/sim/operators.h"
#include "src/sim/plasma_points.h"
#include "src/sim/weight_limits.h"

extern const struct wn_operator_ops wn_operator_merging;

#define PER_CHUNK 4     /* cells that a thread takes at a time */
#define MANY      20000 /* macroparticles from which on there is more than one thread */

/* One of plasma.merging. */
struct controlled {
  const struct wn_cfg_merging *is;
  size_t species; /* its number */
  struct wn_merging_rule rule;
  struct wn_weight_limits limits;
  struct wn_cell_lists by; /* on the host */
  uint32_t *wanted;        /* [cells] more macroparticles, of this step */
  struct wn_gpu_merging *gpu;
  struct wn_merging_sums sums;
};

struct merging {
  struct wn_operator operator; /* the head of every operator */
  uint64_t seed;
  int threads;
  size_t n;
  struct controlled *of; /* [n] */
  struct wn_births copies;
};

static struct merging *of(struct wn_operator *o)
{
  return (struct merging *)(void *)o;
}

/* ---- a cell */

static struct wn_merging_cell cell_of(const struct controlled *c, int64_t heaviest,
                                      size_t cell, unsigned char *scratch, size_t room)
{
  const struct wn_cell_lists *by = &c->by;
  struct wn_merging_cell it = {
      .is = &c->rule,
      .heaviest = heaviest,
      .records = wn_merging_records_of(by->species->p.e, by->grid.dim, by->has_id),
      .cell = cell,
      .list = by->list + by->begin[cell],
      .n = (uint32_t)wn_cell_lists_number(by, cell)};
  wn_merging_scratch_set(&it, scratch, room, 1);
  return it;
}

/* Merges, and notes how many the cell should have more. */
static void merge_cell(struct controlled *c, struct wn_merging_cell *it,
                       struct wn_merging_sums *sums)
{
  c->wanted[it->cell] = wn_merging_wanted(it);
  if (it->n > c->rule.most || c->wanted[it->cell] > 0)
    wn_cell_lists_order(&c->by, it->cell);
  if (it->n > c->rule.most)
    wn_merging_merge(it, sums);
}

/* The same with a limit of weights of the cell.  Returns how many were above it. */
static uint32_t do_limited_cell(struct controlled *c, size_t cell, unsigned char *scratch,
                                size_t room, struct wn_merging_sums *sums)
{
  const uint64_t dead = sums->before - sums->after;
  const int64_t heaviest = (int64_t)(wn_weight_limit(&c->limits, cell) * WN_QUANTA);
  struct wn_merging_cell it = cell_of(c, heaviest, cell, scratch, room);
  const uint32_t heavy = wn_merging_heavy(&it);
  merge_cell(c, &it, sums);
  const uint32_t left = it.n - (uint32_t)(sums->before - sums->after - dead);
  c->wanted[cell] = wn_merging_wanted_within(&c->rule, left, c->wanted[cell]);
  return heavy;
}

/* Returns how many were above a limit of weights of the cell, if there are such limits. */
static uint32_t do_cell(struct controlled *c, size_t cell, unsigned char *scratch,
                        size_t room, struct wn_merging_sums *sums)
{
  if (wn_cell_lists_number(&c->by, cell) == 0) { /* most of a large grid */
    c->wanted[cell] = 0;
    return 0;
  }
  if (wn_weight_limits_are(&c->limits))
    return do_limited_cell(c, cell, scratch, room, sums);
  struct wn_merging_cell it = cell_of(c, c->rule.heaviest, cell, scratch, room);
  merge_cell(c, &it, sums);
  return 0;
}

/* ---- splitting */

static struct wn_merging_copying copying_of(const struct merging *o,
                                            const struct wn_species *s)
{
  struct wn_merging_copying p = {.seed = o->seed, .is_ion = s->model.ops->is_ion};
  if (p.is_ion) {
    const struct wn_ion *ion = s->model.data;
    p.ion_inv_nu = ion->inv_nu;
    p.ion_key = ion->key;
  } else {
    p.inv_nu = (double)wn_species_mcc(s)->inv_nu;
  }
  return p;
}

static void split_cell(struct merging *o, struct controlled *c, size_t cell,
                       const struct wn_merging_copying *copying, unsigned char *scratch,
                       size_t room)
{
  struct wn_merging_cell it = cell_of(c, c->rule.heaviest, cell, scratch, room);
  const uint32_t n = wn_merging_find_halves(&it, c->wanted[cell]);
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t k = it.order[i];
    const struct wn_electron copy = wn_merging_halve(
        copying, (struct wn_electron *)(void *)wn_cell_lists_record(&c->by, it.list[k]),
        it.quanta[k]);
    wn_births_push(&o->copies, &copy);
    c->sums.split++;
    c->sums.split_quanta += it.quanta[k];
  }
}

/* ---- a step */

static void add(struct wn_merging_sums *to, const struct wn_merging_sums *s)
{
  to->before += s->before;
  to->after += s->after;
  to->across += s->across;
  to->left += s->left;
  to->split += s->split;
  to->merged_quanta += s->merged_quanta;
  to->split_quanta += s->split_quanta;
  to->energy_before += s->energy_before;
  to->energy_after += s->energy_after;
  for (int d = 0; d < 3; d++) {
    to->momentum_before[d] += s->momentum_before[d];
    to->momentum_after[d] += s->momentum_after[d];
  }
}

static size_t fullest(const struct wn_cell_lists *by)
{
  size_t most = 0;
  for (size_t cell = 0; cell < by->cells; cell++)
    if (wn_cell_lists_number(by, cell) > most)
      most = wn_cell_lists_number(by, cell);
  return most;
}

static void do_cells(struct controlled *c, int threads, unsigned char *scratch,
                     size_t room)
{
#ifdef _OPENMP
#pragma omp parallel num_threads(threads)
#else
  (void)threads;
#endif
  {
    struct wn_merging_sums here = {0};
    uint64_t heavy = 0;
#ifdef _OPENMP
#pragma omp for schedule(dynamic, PER_CHUNK)
#endif
    for (size_t cell = 0; cell < c->by.cells; cell++)
      heavy += do_cell(c, cell,
                       scratch + (size_t)wn_thread() * wn_merging_scratch_bytes(room, 1),
                       room, &here);
#ifdef _OPENMP
#pragma omp critical
#endif
    {
      add(&c->sums, &here);
      c->limits.heavy += heavy;
    }
  }
}

/* Copies join at the end of the store, cell after cell. */
static int split(struct merging *o, struct wn_sim *s, struct controlled *c,
                 unsigned char *scratch, size_t room)
{
  const struct wn_merging_copying copying = copying_of(o, c->by.species);
  o->copies.n = 0;
  o->copies.record = c->by.species->p.record.bytes;
  for (size_t cell = 0; cell < c->by.cells; cell++)
    if (c->wanted[cell] > 0)
      split_cell(o, c, cell, &copying, scratch, room);
  WN_TRY(wn_particles_room(o->copies.status));
  return o->copies.n > 0
             ? wn_species_append(c->by.species, s->gpu, o->copies.e, o->copies.n)
             : WN_OK;
}

static int pass_on_host(struct merging *o, struct wn_sim *s, struct controlled *c)
{
  struct wn_species *species = c->by.species;
  WN_TRY(wn_particles_host(&species->p));
  WN_TRY(wn_weight_limits_update(&c->limits, s));
  /* all or one: where teams differ in size, libgomp ends threads and starts others */
  const int threads = species->p.n < MANY ? 1 : o->threads;
  WN_TRY(wn_cell_lists_make(&c->by, threads, "merging is"));
  const size_t room = fullest(&c->by);
  unsigned char *scratch = wn_alloc((size_t)threads, wn_merging_scratch_bytes(room, 1));
  if (scratch == NULL)
    return WN_ENOMEM;
  do_cells(c, threads, scratch, room);
  const int status = c->is->least > 0 ? split(o, s, c, scratch, room) : WN_OK;
  free(scratch);
  return status;
}

static int pass_on_gpu(const struct merging *o, struct wn_sim *s, struct controlled *c)
{
  struct wn_species *species = s->species[c->species];
  const struct wn_merging_copying copying =
      c->is->least > 0 ? copying_of(o, species) : (struct wn_merging_copying){0};
  struct wn_merging_sums here = {0};
  const float *limits =
      c->limits.gpu != NULL ? wn_gpu_weight_limits_cells(c->limits.gpu) : NULL;
  WN_TRY(wn_weight_limits_update(&c->limits, s));
  WN_TRY(wn_particles_room(wn_gpu_merge(c->gpu, &c->rule, &copying, limits, &species->p,
                                        &here, &c->limits.heavy)));
  add(&c->sums, &here);
  return WN_OK;
}

static int pass(struct merging *o, struct wn_sim *s, struct controlled *c)
{
  struct wn_species *species = s->species[c->species];
  const wn_i128 gained = c->sums.energy_after - c->sums.energy_before;
  const uint64_t dead = c->sums.before - c->sums.after;
  c->rule.step = (uint32_t)s->n_steps;
  c->rule.points = *wn_plasma_points(species);
  WN_TRY(c->gpu != NULL ? pass_on_gpu(o, s, c) : pass_on_host(o, s, c));
  wn_species_sums(species)->n_deaths += c->sums.before - c->sums.after - dead;
  c->sums.passes++;
  wn_particles_touched(&species->p);
  wn_energy_changed_by(s, WN_ENERGY_MERGING, c->species,
                       c->sums.energy_after - c->sums.energy_before - gained);
  return WN_OK;
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
    wn_gpu_merging_free(o->of[i].gpu);
    wn_weight_limits_clear(&o->of[i].limits);
    free(o->of[i].wanted);
  }
  free(o->of);
  free(o->copies.e);
  free(o);
}

static int set_up(struct merging *o, struct wn_sim *s, size_t i, struct controlled *c)
{
  const struct wn_grid_view g = wn_plasma_grid(s->c);
  c->is = &s->c->plasma.merging[i];
  c->species = (size_t)wn_merging_species(s->c, c->is);
  struct wn_species *species = s->species[c->species];
  c->rule =
      (struct wn_merging_rule){.method = (int32_t)c->is->method,
                               .most = (uint32_t)c->is->most,
                               .least = (uint32_t)c->is->least,
                               .heaviest = (int64_t)(c->is->most_weight * WN_QUANTA),
                               .least_halved = 2.0 * c->is->least_weight * WN_QUANTA,
                               .n_classes = (uint32_t)c->is->n_classes,
                               .classes_ev = c->is->classes_ev,
                               .protect_ev = c->is->protect_ev,
                               .key = wn_rng_key(o->seed),
                               .entry = (uint32_t)i};
  struct wn_gpu *gpu = species->p.batches == NULL ? s->gpu : NULL;
  WN_TRY(wn_weight_limits_init(&c->limits, s, c->is, o->threads, gpu));
  if (gpu != NULL)
    return wn_gpu_merging_create(gpu, wn_cell_pairs_cells(&g), &c->rule, &c->gpu);
  WN_TRY(wn_cell_lists_init(&c->by, species, &g));
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
  o->seed = c->seed;
  o->threads = wn_threads(c->threads);
  o->of = wn_alloc(c->plasma.n_merging, sizeof *o->of);
  int status = o->of != NULL ? WN_OK : WN_ENOMEM;
  for (; o->n < c->plasma.n_merging && status == WN_OK; o->n++)
    status = set_up(o, s, o->n, &o->of[o->n]);
  if (status != WN_OK) {
    destroy(&o->operator);
    return status;
  }
  *out = &o->operator;
  return WN_OK;
}

static void begin(struct wn_operator *o)
{
  for (size_t i = 0; i < of(o)->n; i++) {
    of(o)->of[i].sums = (struct wn_merging_sums){0};
    wn_weight_limits_begin(&of(o)->of[i].limits);
  }
}

static int state(struct wn_operator *o, struct wn_state *st)
{
  for (size_t i = 0; i < of(o)->n; i++) {
    WN_TRY(WN_STATE(st, of(o)->of[i].sums));
    WN_TRY(wn_weight_limits_state(&of(o)->of[i].limits, st));
  }
  return WN_OK;
}

/* NULL: species k is not merged. */
static const struct controlled *controlled_of(const struct wn_sim *s, size_t k)
{
  for (size_t i = 0; i < s->n_operators; i++)
    if (s->operators[i]->ops == &wn_operator_merging)
      for (size_t j = 0; j < of(s->operators[i])->n; j++)
        if (of(s->operators[i])->of[j].species == k)
          return &of(s->operators[i])->of[j];
  return NULL;
}

const struct wn_merging_sums *wn_merging_sums(const struct wn_sim *s, size_t k)
{
  const struct controlled *c = controlled_of(s, k);
  return c != NULL ? &c->sums : NULL;
}

const struct wn_weight_limits *wn_merging_weight_limits(const struct wn_sim *s, size_t k)
{
  const struct controlled *c = controlled_of(s, k);
  return c != NULL ? &c->limits : NULL;
}

const struct wn_operator_ops wn_operator_merging = {
    .create = create,
    .begin = begin,
    .apply = apply,
    .state = state,
    .free = destroy,
};
