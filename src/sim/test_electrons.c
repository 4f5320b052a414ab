/* src/sim/test_electrons.c - see test_electrons.h.
 *
 * Both kinds of electrons are looked at when a step ends.  An electron of the plasma above `from` has a mark
 * in its tag.  One that is above and has none starts a test electron, and is marked; one below loses the
 * mark.  Newborns have the mark of the electron that they come from.  So an electron above `from` belongs to
 * one start, its own or that of an ancestor, from which it was above at each end of a step.  Test electrons
 * follow the same rule: those below end, newborns above go on.
 *
 * Tags.  Of electrons of the plasma the highest bit of the lineage is the mark; the others are the number at
 * the load, or of electrons without one a number from their id.  Lineage modulo WN_TEST_GROUPS is the group.
 * The lineage of a test electron is group + WN_TEST_GROUPS (1 + 2 n), n the thresholds whose passages have
 * been noted: odd, so that the weighted ensemble takes its weight as it is (wn_sample_age).
 *
 * Passages are counted in flight by the model (physics/mcc_flight.h).  Weights of test electrons are powers
 * of two: that of a start is one of the two nearest, with the right mean.
 *
 * Random numbers: purpose TEST_ELECTRON under the id of the electron of the plasma and its event; the block
 * is the step.
 *
 * The bits.  The list of what starts is in the order of the store, whatever the number of threads, and
 * newborns are in the order of their ids; rows of passages are in the order of ids and thresholds.
 *
 * On a GPU.  Test electrons fly there, by the scheduler of the plasma's electrons, and come to the host at the end of each
 * step: they are few.  Electrons of the plasma stay there (device/test_electrons.cu), and those that start come to the
 * host.  The order of the store is another, and no result depends on it. */
#include "src/sim/test_electrons.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"
#include "device/gpu.h"
#include "particles/load_balance.h"
#include "physics/mcc_grid.h"
#include "physics/sample.h"
#include "physics/test_electron.h"
#include "src/config/plasma_derived.h"
#include "src/config/test_electrons.h"
#include "src/sim/electrodes.h"
#include "src/sim/operators.h"

extern const struct wn_operator_ops wn_operator_test_electrons;

#define GROUPS WN_TEST_GROUPS
#define MANY   20000 /* electrons from which on there is more than one thread */

/* Places in a store. */
struct places {
  size_t *at, n, capacity;
  int status; /* WN_ENOMEM once it could not grow */
};

struct test_electrons {
  struct wn_operator operator; /* the head of every operator */
  const struct wn_config *c;
  struct wn_species *plasma, *test;
  struct wn_gpu *gpu; /* of both; NULL: the host */
  struct wn_gpu_copy thresholds;
  struct wn_geometry geometry;
  struct wn_rng_key key;
  struct wn_test_rule rule;      /* of the step in hand */
  double from_ev, *threshold_ev; /* these belong to c */
  size_t n_thresholds;
  int n_threads;
  struct places *found;     /* [n_threads] */
  struct wn_births started; /* records that join at the end of the step */
  struct wn_test_sums sums; /* but killed, raised and present */
  wn_i128 *above;           /* [WN_N_TEST_OF][GROUPS][1 + n_thresholds] */
  struct wn_test_passage *row;
  size_t n_rows, row_capacity;
};

static struct test_electrons *of(struct wn_operator *o)
{
  return (struct test_electrons *)(void *)o;
}

/* ---- sums */

static wn_i128 *above_of(const struct test_electrons *o, enum wn_test_of which,
                         uint32_t group)
{
  return &o->above[((size_t)which * GROUPS + group) * (1 + o->n_thresholds)];
}

static void add_above(const struct test_electrons *o, enum wn_test_of which,
                      uint32_t group, double energy_ev, double w)
{
  wn_test_above(&o->rule, group, energy_ev, w, above_of(o, which, 0));
}

/* ---- passages */

static const struct wn_mcc_grid *grid_of(const struct test_electrons *o)
{
  return &wn_species_mcc(o->test)->grid;
}

static void describe(const struct test_electrons *o, const struct wn_electron *e,
                     struct wn_test_passage *p)
{
  const struct wn_grid_view *g = &grid_of(o)->points.grid;
  const int by_side = e->t_left < 0.0f && e->at[0] == WN_POINT_DEAD;
  int32_t at[3] = {e->at[0], e->at[1], e->at[2]};
  double u2 = 0.0, a2 = 0.0, ua = 0.0;
  if (by_side)
    wn_mcc_grid_ended_at(e, at);
  for (int d = 0; d < 3; d++) {
    u2 += (double)e->u[d] * (double)e->u[d];
    a2 += (double)e->a[d] * (double)e->a[d];
    ua += (double)e->u[d] * (double)e->a[d];
  }
  for (int d = 0; d < 3; d++) {
    p->at[d] = d < g->dim ? wn_axis_of_place(&o->geometry.axis[d],
                                             ldexp((double)at[d], -g->bits[d]))
                          : 0.0;
    p->direction[d] = (double)e->u[d] / sqrt(u2);
  }
  p->cosine = by_side || !(a2 > 0.0) ? NAN : ua / sqrt(u2 * a2);
}

/* Notes passages of the thresholds `first` to `end` - 1. */
static int note(struct test_electrons *o, const struct wn_electron *e, uint32_t group,
                size_t first, size_t end, double energy_ev)
{
  if (first >= end)
    return WN_OK;
  if (o->n_rows + o->n_thresholds > o->row_capacity) {
    const size_t n = 2 * o->row_capacity + o->n_thresholds + 64;
    struct wn_test_passage *more = realloc(o->row, n * sizeof *more);
    if (more == NULL)
      return WN_ENOMEM;
    o->row = more;
    o->row_capacity = n;
  }
  struct wn_test_passage one = {
      .id = e->id, .group = group, .energy_ev = energy_ev, .weight = (double)e->w};
  describe(o, e, &one);
  for (; first < end; first++) {
    one.threshold = (uint32_t)first;
    o->row[o->n_rows++] = one;
  }
  return WN_OK;
}

static uint32_t tag_of(uint32_t group, size_t passed)
{
  return (group + GROUPS * (1u + 2u * (uint32_t)passed)) | (uint32_t)passed
                                                               << WN_TAG_LINEAGE_BITS;
}

/* ---- the step of the test electrons */

static int alarms(const struct test_electrons *o)
{
  const struct wn_tally_alarms *t = o->test->tally.alarms;
  if (t->n_violations > 0)
    return WN_FAIL(WN_ERUN,
                   "the bound on the collision frequency was exceeded %" PRIu64
                   " times by test electrons: this is a bug; please report it with the "
                   "scenario and the cross sections",
                   t->n_violations);
  return WN_OK;
}

static int fly(struct test_electrons *o, struct wn_sim *s)
{
  struct wn_species *test = o->test;
  const double dt = s->interval, t = s->time - dt, h = dt / test->mobility_steps;
  struct wn_field_view field;
  if (test->p.n == 0)
    return WN_OK;
  s->field->ops->view(s->field, &field);
  WN_TRY(wn_species_hold(test, t, dt));
  for (unsigned i = 0; i < test->mobility_steps; i++) {
    WN_TRY(wn_species_gather(test, &field, t + i * h, h));
    WN_TRY(wn_species_advance(test, t + i * h, h));
  }
  return alarms(o);
}

/* One of them after its step: passages, and whether it goes on. */
static int look_at(struct test_electrons *o, struct wn_electron *e, int is_new)
{
  const double energy_ev = wn_sample_energy_ev(e), w = (double)e->w;
  const size_t n = o->n_thresholds;
  const int is_dead = e->t_left < 0.0f, beyond = energy_ev >= o->threshold_ev[n - 1];
  const uint32_t group = wn_electron_group(e->tag, GROUPS);
  const size_t noted = is_new ? 0 : wn_electron_cohort(e->tag, GROUPS) / 2u,
               passed = beyond ? n : e->tag >> WN_TAG_LINEAGE_BITS;
  wn_i128 *end = beyond                   ? &o->sums.beyond
                 : is_dead                ? &o->sums.lost
                 : energy_ev < o->from_ev ? &o->sums.fell
                                          : NULL;
  WN_TRY(note(o, e, group, noted, passed, energy_ev));
  if (is_new && (beyond || end == NULL))
    wn_tally_sum(&o->sums.born, w, WN_FIX_RARE);
  if (end != NULL) {
    if (!is_new || beyond)
      wn_tally_sum(end, w, WN_FIX_RARE);
    e->t_left = WN_DEAD;
    return WN_OK;
  }
  e->tag = tag_of(group, passed);
  add_above(o, WN_TEST_OF_TEST, group, energy_ev, w);
  return WN_OK;
}

/* ---- electrons of the plasma */

static void add_place(struct places *p, size_t i)
{
  if (p->n == p->capacity) {
    const size_t n = 2 * p->capacity + 256;
    size_t *more = realloc(p->at, n * sizeof *more);
    if (more == NULL) {
      p->status = WN_ENOMEM;
      return;
    }
    p->at = more;
    p->capacity = n;
  }
  p->at[p->n++] = i;
}

static void find_part(const struct test_electrons *o, struct wn_electron *e, size_t from,
                      size_t to, struct places *found)
{
  found->n = 0;
  for (size_t i = from; i < to; i++)
    if (wn_test_find(&o->rule, &e[i]))
      add_place(found, i);
}

/* Electrons that may be above `from`, or are marked; the parts of the threads are in the order of
 * the store. */
static int find(struct test_electrons *o, int *n_parts)
{
  struct wn_electron *e = wn_particles_electrons(&o->plasma->p);
  const size_t n = o->plasma->p.n;
  *n_parts = n < MANY ? 1 : o->n_threads;
#ifdef _OPENMP
#pragma omp parallel for schedule(static, 1) num_threads(*n_parts)
#endif
  for (int i = 0; i < *n_parts; i++)
    find_part(o, e, wn_thread_part(n, i, *n_parts), wn_thread_part(n, i + 1, *n_parts),
              &o->found[i]);
  for (int i = 0; i < *n_parts; i++)
    WN_TRY(o->found[i].status);
  return WN_OK;
}

/* A copy of an electron of the plasma; ended already where it is above the last threshold. */
static int start_one(struct test_electrons *o, const struct wn_electron *e, uint32_t step)
{
  const double energy_ev = wn_sample_energy_ev(e);
  const uint32_t group = wn_test_group(&o->rule, e);
  const struct wn_mcc *m = wn_species_mcc(o->test);
  const struct wn_rng4 r =
      wn_rng_with(&o->key, e->id, e->event, WN_RNG_TEST_ELECTRON, step & 0xffffffu);
  const size_t n = o->n_thresholds;
  size_t passed = 0;
  int exponent;
  struct wn_electron copy = *e;
  const double part = 2.0 * frexp((double)e->w, &exponent) - 1.0; /* in [0, 1) */
  copy.w = (float)ldexp(1.0, exponent - (wn_u01(r.w[3]) < part ? 0 : 1));
  copy.id = (uint64_t)r.w[1] << 32 | r.w[0];
  copy.event = 0;
  copy.t_next = wn_exponential_f(r.w[2]) * m->inv_nu;
  wn_i128 *row = &o->test->tally.passed[(size_t)group * WN_PASSED * n];
  for (; passed < n && energy_ev >= o->threshold_ev[passed]; passed++)
    wn_tally_sum(&row[passed], (double)copy.w, WN_FIX_RARE);
  copy.tag = tag_of(group, passed);
  WN_TRY(note(o, &copy, group, 0, passed, energy_ev));
  wn_tally_sum(&o->sums.started, (double)copy.w, WN_FIX_RARE);
  if (passed == n) {
    wn_tally_sum(&o->sums.beyond, (double)copy.w, WN_FIX_RARE);
    return WN_OK;
  }
  add_above(o, WN_TEST_OF_TEST, group, energy_ev, (double)copy.w);
  wn_births_push(&o->started, &copy);
  return o->started.status;
}

static int start_on_host(struct test_electrons *o, uint32_t step)
{
  struct wn_electron *all = wn_particles_electrons(&o->plasma->p);
  wn_i128 *above = above_of(o, WN_TEST_OF_PLASMA, 0);
  int n_parts;
  WN_TRY(find(o, &n_parts));
  for (int part = 0; part < n_parts; part++)
    for (size_t i = 0; i < o->found[part].n; i++) {
      struct wn_electron *e = &all[o->found[part].at[i]];
      if (!wn_test_look(&o->rule, e, above))
        continue;
      WN_TRY(start_one(o, e, step));
      e->tag |= WN_TEST_MARK;
    }
  return WN_OK;
}

static int start_on_gpu(struct test_electrons *o, uint32_t step)
{
  struct wn_electron *e;
  size_t n;
  WN_TRY(wn_gpu_test_electrons(o->gpu, &o->plasma->p, &o->rule, o->thresholds.at,
                               above_of(o, WN_TEST_OF_PLASMA, 0), &e, &n));
  for (size_t i = 0; i < n; i++)
    WN_TRY(start_one(o, &e[i], step));
  return WN_OK;
}

/* Of the plasma nothing but tags changes. */
static int start(struct test_electrons *o, const struct wn_sim *s)
{
  const uint32_t step = (uint32_t)s->n_steps;
  o->started.n = 0;
  return o->plasma->p.place == WN_PARTICLES_HOST ? start_on_host(o, step)
                                                 : start_on_gpu(o, step);
}

/* ---- the operator */

static int by_id_and_threshold(const void *a, const void *b)
{
  const struct wn_test_passage *x = a, *y = b;
  return x->id != y->id ? (x->id < y->id ? -1 : 1)
                        : (x->threshold > y->threshold) - (x->threshold < y->threshold);
}

static int apply(struct wn_operator *head, struct wn_sim *s)
{
  struct test_electrons *o = of(head);
  struct wn_particles *p = &o->test->p;
  const size_t n_before = p->n;
  memset(o->above, 0, WN_N_TEST_OF * GROUPS * (1 + o->n_thresholds) * sizeof *o->above);
  o->n_rows = 0;
  o->rule.is_first = s->n_steps == 1;
  WN_TRY(fly(o, s));
  WN_TRY(wn_electrodes_take(s, o->test));
  WN_TRY(wn_particles_host(p));
  struct wn_electron *e = wn_particles_electrons(p);
  for (size_t i = 0; i < p->n; i++)
    WN_TRY(look_at(o, &e[i], i >= n_before));
  wn_particles_touched(p);
  WN_TRY(wn_particles_compact(p));
  WN_TRY(start(o, s));
  if (o->n_rows > 0)
    qsort(o->row, o->n_rows, sizeof *o->row, by_id_and_threshold);
  WN_TRY(wn_species_append(o->test, NULL, o->started.e, o->started.n));
  return wn_particles_room(wn_species_control(o->test));
}

static int by_id(const void *a, const void *b)
{
  const uint64_t x = ((const struct wn_electron *)a)->id,
                 y = ((const struct wn_electron *)b)->id;
  return x < y ? -1 : x > y;
}

static int born(struct wn_operator *head, struct wn_species *s, size_t first)
{
  if (s == of(head)->test && s->p.place != WN_PARTICLES_REMOTE)
    qsort(wn_particles_electrons(&s->p) + first, s->p.n - first,
          sizeof(struct wn_electron), by_id);
  return WN_OK;
}

static void begin(struct wn_operator *head)
{
  struct test_electrons *o = of(head);
  wn_species_begin(o->test);
  o->sums = (struct wn_test_sums){0};
  memset(o->above, 0, WN_N_TEST_OF * GROUPS * (1 + o->n_thresholds) * sizeof *o->above);
  o->n_rows = 0;
}

static int state(struct wn_operator *head, struct wn_state *st)
{
  struct test_electrons *o = of(head);
  WN_TRY(wn_species_state(o->test, st));
  return WN_STATE(st, o->sums);
}

static void destroy(struct wn_operator *head)
{
  struct test_electrons *o = of(head);
  for (int i = 0; o->found != NULL && i < o->n_threads; i++)
    free(o->found[i].at);
  wn_species_free(o->test);
  wn_gpu_copy_free(o->gpu, &o->thresholds);
  free(o->found);
  free(o->started.e);
  free(o->above);
  free(o->row);
  free(o);
}

/* The last threshold is within the tables: a table that ends is an error of the run for other electrons. */
static int check_tables(const struct wn_sim *s, double top_ev)
{
  const struct wn_xs_table *t = s->gas->table;
  if (!(top_ev > t->limit_ev))
    return WN_OK;
  return WN_FAIL(
      WN_EINPUT,
      "%s: key `plasma.test_electrons.thresholds`: %.9g eV is above %.9g eV, "
      "where the table of `%s` ends; take thresholds up to there, or say by "
      "gas.components.<NAME>.beyond what holds above it: constant, zero, power "
      "or born",
      s->c->file, top_ev, t->limit_ev, t->limit_process);
}

static int create_species(const struct wn_sim *s, struct test_electrons *o)
{
  const struct wn_config *c = s->c;
  const struct wn_species *plasma = o->plasma;
  const struct wn_species_spec spec = {
      .model = plasma->model.ops,
      .ops = plasma->ops,
      /* the collision-free pass of a GPU may sort its particles before each mobility step, and apply takes
       * those behind the first n for newborns */
      .options = {.threads = c->threads,
                  .block = c->block_size,
                  .gpu = o->gpu,
                  .no_collision_free = o->gpu != NULL && plasma->mobility_steps > 1},
      .shape = {.n_groups = GROUPS,
                .n_processes = plasma->shape.n_processes,
                .n_thresholds = (int)o->n_thresholds,
                .n_surfaces = plasma->shape.n_surfaces},
      .record = &plasma->p.record,
      .limit = plasma->p.limit +
               (size_t)(2.0 * wn_test_electrons_bytes(c) / sizeof(struct wn_electron))};
  WN_TRY(wn_species_create(&spec, &o->test));
  struct wn_species *test = o->test;
  struct wn_mcc *m = wn_species_mcc(test);
  *m = *wn_species_mcc(plasma);
  m->n_groups = GROUPS;
  m->n_thresholds = (int)o->n_thresholds;
  m->threshold_ev = o->threshold_ev;
  m->stop_ev = o->threshold_ev[o->n_thresholds - 1];
  m->watch_ev = nextafterf((float)o->threshold_ev[0], 0.0f);
  test->mobility_steps = plasma->mobility_steps;
  test->no_energy = 1;
  test->newborns_wait = 1;
  test->operators = s->operators;
  test->n_operators = &s->n_operators;
  struct wn_levels levels;
  wn_test_electrons_levels(c, &levels);
  WN_TRY(wn_ensemble_create(GROUPS, &levels,
                            (double)c->plasma.test_electrons.number / GROUPS,
                            &test->ensemble));
  test->ensemble->seed = c->seed;
  test->ensemble->inv_nu = (double)m->inv_nu;
  return WN_OK;
}

static int create(struct wn_sim *s, struct wn_operator **out)
{
  const struct wn_config *c = s->c;
  if (!wn_test_electrons_are_on(c))
    return WN_OK;
  WN_TRY(check_tables(s, wn_test_electrons_top_ev(c)));
  struct test_electrons *o = wn_alloc(1, sizeof *o);
  if (o == NULL)
    return WN_ENOMEM;
  o->operator.ops = & wn_operator_test_electrons;
  o->c = c;
  o->plasma = s->species[wn_test_electrons_species(c)];
  o->geometry = wn_plasma_geometry(c);
  o->key = wn_rng_key(c->seed);
  o->from_ev = c->plasma.test_electrons.from_ev;
  o->threshold_ev = c->plasma.test_electrons.thresholds_ev;
  o->n_thresholds = c->plasma.test_electrons.n_thresholds;
  o->rule = (struct wn_test_rule){
      .from_ev = o->from_ev,
      .nearly_u2 = (float)(pow(wn_u_from_ev(o->from_ev), 2) * (1.0 - 1e-5)),
      .n_groups = GROUPS,
      .n_thresholds = (uint32_t)o->n_thresholds,
      .threshold_ev = o->threshold_ev};
  o->gpu = s->gpu;
  o->n_threads = wn_threads(c->threads);
  o->started.record = o->plasma->p.record.bytes;
  o->found = wn_alloc((size_t)o->n_threads, sizeof *o->found);
  o->above = wn_alloc(WN_N_TEST_OF * GROUPS * (1 + o->n_thresholds), sizeof *o->above);
  int status = o->found != NULL && o->above != NULL ? create_species(s, o) : WN_ENOMEM;
  if (status == WN_OK && o->gpu != NULL)
    status = wn_gpu_copy(o->gpu, o->threshold_ev,
                         o->n_thresholds * sizeof *o->threshold_ev, &o->thresholds);
  if (status != WN_OK) {
    destroy(&o->operator);
    return status;
  }
  *out = &o->operator;
  return WN_OK;
}

const struct wn_operator_ops wn_operator_test_electrons = {
    .create = create,
    .begin = begin,
    .born = born,
    .apply = apply,
    .state = state,
    .free = destroy,
};

/* ---- questions */

static struct test_electrons *find_operator(const struct wn_sim *s)
{
  for (size_t i = 0; i < s->n_operators; i++)
    if (s->operators[i]->ops == &wn_operator_test_electrons)
      return of(s->operators[i]);
  return NULL;
}

int wn_test_electrons_exist(const struct wn_sim *s)
{
  return find_operator(s) != NULL;
}

size_t wn_test_electrons_number(const struct wn_sim *s)
{
  return find_operator(s)->test->p.n;
}

struct wn_test_sums wn_test_electrons_sums(const struct wn_sim *s)
{
  const struct test_electrons *o = find_operator(s);
  const struct wn_ensemble *e = o->test->ensemble;
  struct wn_test_sums sums = o->sums;
  for (size_t i = 0; i < wn_ensemble_cells(e); i++) {
    sums.killed += e->ledger[i].killed;
    sums.raised += e->ledger[i].raised;
  }
  const struct wn_electron *test = wn_particles_electrons(&o->test->p);
  for (size_t i = 0; i < o->test->p.n; i++)
    wn_tally_sum(&sums.present, (double)test[i].w, WN_FIX_RARE);
  return sums;
}

/* Of sums of groups, `stride` apart. */
static struct wn_estimate estimate(const struct test_electrons *o, const wn_i128 *sums,
                                   size_t stride)
{
  const struct wn_config *c = o->c;
  const struct wn_cfg_species *species = &c->species[wn_test_electrons_species(c)];
  const double weight = wn_loading_weight(c, species) * GROUPS / WN_FIX_RARE;
  double of_group[GROUPS];
  for (size_t g = 0; g < GROUPS; g++)
    of_group[g] = (double)sums[g * stride] * weight;
  return wn_stats_mean(GROUPS, of_group);
}

struct wn_estimate wn_test_electrons_passages(const struct wn_sim *s, size_t k)
{
  const struct test_electrons *o = find_operator(s);
  return estimate(o, &o->test->tally.passed[k], WN_PASSED * o->n_thresholds);
}

struct wn_estimate wn_test_electrons_above(const struct wn_sim *s, enum wn_test_of which,
                                           size_t k)
{
  const struct test_electrons *o = find_operator(s);
  return estimate(o, above_of(o, which, 0) + k, 1 + o->n_thresholds);
}

const struct wn_test_passage *wn_test_electrons_rows(const struct wn_sim *s, size_t *n)
{
  const struct test_electrons *o = find_operator(s);
  *n = o->n_rows;
  return o->row;
}
