/* src/sim/coulomb_collisions.c - operator: Coulomb collisions of the charged particles in a
 * cell (plasma.coulomb), at the end of every `interval`-th step, for the time of `interval`
 * steps.  Angles and velocities of a pair: physics/coulomb.h.
 *
 * Pairs.  Those of N particles of one species are neighbours in a random order; of an odd
 * number the first three collide in turn, each pair for half of the time.  Of two species, N of
 * one and M <= N of the other, particle i of the first and particle i mod M of the second
 * collide, both in a random order, so that each particle of the second collides N/M times,
 * rounded up or down (the groups of Takizuka and Abe 1977).
 *
 * Weights.  A pair of weights w, v collides with partners of the density P max(w, v)/volume,
 * P = N - 1 for one species and P = M for two; a particle of weight w is changed with the
 * probability v/max(w, v).  A given pair meets with the probability 1/P.  So a particle meets, on
 * average, the density of all others: the sum over them of 1/P P max(w, v)/volume v/max(w, v) is
 * the sum of v over the volume, for any weights and numbers.  With N in the place of N - 1 the
 * temperatures of a closed cell would relax too fast by N/(N - 1).  Derived here; for equal weights
 * and many particles it is the rule of Takizuka and Abe.
 *
 * conserve = "cell": a common shift of u, and a factor on its deviation from the mean,
 * give a cell the momentum and energy that it had before collisions of unequal weights.
 * Derived here: with the mean U of mass times weight, u' = U0 + f (u - U1) has the momentum of
 * U0 for any f, and one f > 0 has the energy.
 *
 * The bits.  Records without collisions have no id, so the particles of a cell are first put
 * into an order of their contents, those with an id by it.  Random numbers are named by cell,
 * step, pair of species and place in that order.  So the result depends on the records alone:
 * not on their order in the store, nor on threads.  Velocities are rounded to floats after
 * each collision; momentum and energy are conserved to that.
 *
 * Random numbers: purpose COULOMB; the event is the step, the id cell + 2^48 use + 2^56 times
 * the upper bits of a number in the cell, whose lower 24 are the block.  use: 4 times the
 * place in plasma.coulomb, plus 0 for pairs, 1 and 2 for the orders of both species. */
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"
#include "physics/constants.h"
#include "physics/coulomb.h"
#include "physics/geometry.h"
#include "physics/mover.h"
#include "src/config/coulomb.h"
#include "src/config/plasma_derived.h"
#include "src/sim/cell_lists.h"
#include "src/sim/cell_pairs.h"
#include "src/sim/operators.h"
#include "src/sim/sim.h"

extern const struct wn_operator_ops wn_operator_coulomb_collisions;

#define PER_CHUNK 4     /* cells that a thread takes at a time */
#define MANY      20000 /* particles from which on there is more than one thread */

/* A species, and its particles by cells. */
struct colliding {
  struct wn_cell_lists by; /* of species NULL: it has no Coulomb collisions */
  double charge, mass;     /* C, kg of a real particle */
  double weight;           /* real particles of weight 1 */
  int relativistic;        /* u is gamma v, else v */
};

/* One of plasma.coulomb. */
struct group {
  const struct wn_cfg_coulomb *of;
  struct colliding *a, *b; /* the same for one species */
  uint32_t number;
};

struct coulomb {
  struct wn_operator operator; /* the head of every operator */
  const struct wn_geometry *geometry;
  struct wn_grid_view grid;
  struct wn_rng_key key;
  double time_step;
  int threads, needs_moments; /* of cells */
  size_t cells;
  struct colliding lists[WN_MAX_SPECIES];
  size_t n_groups;
  struct group group[WN_MAX_COULOMB];
};

/* ---- records */

static double load(const struct colliding *k, uint32_t i, double u[3])
{
  float v[3];
  const float w = wn_cell_lists_load(&k->by, i, v);
  for (int d = 0; d < 3; d++)
    u[d] = (double)v[d];
  return (double)w * k->weight;
}

static void store(const struct colliding *k, uint32_t i, const double u[3])
{
  const float v[3] = {(float)u[0], (float)u[1], (float)u[2]};
  wn_cell_lists_store(&k->by, i, v);
}

static size_t number(const struct colliding *k, size_t cell)
{
  return wn_cell_lists_number(&k->by, cell);
}

/* ---- random numbers */

struct draw {
  const struct wn_rng_key *key;
  uint64_t id; /* cell and use */
  uint32_t event;
};

static struct draw draw_of(const struct coulomb *o, size_t cell, uint32_t use,
                           uint64_t step)
{
  return (struct draw){&o->key, (uint64_t)cell | (uint64_t)use << 48, (uint32_t)step};
}

static struct wn_rng4 draw(const struct draw *d, size_t i)
{
  return wn_rng_with(d->key, d->id ^ (uint64_t)(i >> 24) << 56, d->event, WN_RNG_COULOMB,
                     (uint32_t)i & 0xffffffu);
}

/* A random order of the n of a list, into `to`. */
static void shuffle(const struct draw *d, const uint32_t *list, size_t n, uint32_t *to)
{
  struct wn_rng4 r = {{0}};
  for (size_t i = 0; i < n; i++) { /* inside out: Fisher and Yates */
    if (i % 4 == 0)
      r = draw(d, i / 4);
    const size_t j = (size_t)((uint64_t)r.w[i % 4] * (i + 1) >> 32);
    to[i] = to[j];
    to[j] = list[i];
  }
}

/* ---- moments of a cell */

struct moments {
  double density; /* 1/m3 */
  double mean[3]; /* m/s */
  double square;  /* of the deviation from it, m2/s2 */
};

static struct moments moments_of(const struct colliding *k, size_t cell, double volume)
{
  struct moments m = {0};
  double w = 0.0;
  for (size_t i = k->by.begin[cell]; i < k->by.begin[cell + 1]; i++) {
    double u[3];
    const double one = load(k, k->by.list[i], u);
    w += one;
    for (int d = 0; d < 3; d++)
      m.mean[d] += one * u[d];
  }
  if (!(w > 0.0))
    return m;
  for (int d = 0; d < 3; d++)
    m.mean[d] /= w;
  for (size_t i = k->by.begin[cell]; i < k->by.begin[cell + 1]; i++) {
    double u[3];
    const double one = load(k, k->by.list[i], u);
    for (int d = 0; d < 3; d++)
      m.square += one * (u[d] - m.mean[d]) * (u[d] - m.mean[d]);
  }
  m.square /= w;
  m.density = w / volume;
  return m;
}

/* Of all species that have Coulomb collisions. */
static double screening(const struct coulomb *o, const struct moments *m)
{
  double inverse2 = 0.0, highest = 0.0;
  for (size_t k = 0; k < WN_MAX_SPECIES; k++) {
    const struct colliding *one = &o->lists[k];
    if (one->by.species == NULL || !(m[k].density > 0.0))
      continue;
    inverse2 += m[k].density * one->charge * one->charge /
                (WN_EPS0 * one->mass * m[k].square / 3.0);
    highest = fmax(highest, m[k].density);
  }
  return wn_coulomb_screening(inverse2, highest);
}

static double logarithm(const struct coulomb *o, const struct group *g,
                        const struct moments *m, double lambda)
{
  const struct moments *a = &m[g->a - o->lists], *b = &m[g->b - o->lists];
  double square = a->square + b->square;
  if (g->of->logarithm != WN_AUTO)
    return g->of->logarithm;
  for (int d = 0; d < 3; d++)
    square += (a->mean[d] - b->mean[d]) * (a->mean[d] - b->mean[d]);
  return wn_coulomb_logarithm(lambda, g->a->charge, g->b->charge,
                              g->a->mass * g->b->mass / (g->a->mass + g->b->mass),
                              square);
}

/* ---- collisions of a cell */

/* Mass, momentum and energy of a cell. */
struct sums {
  double mass, momentum[3], energy;
};

static double energy_of(const struct colliding *k, const double u[3])
{
  double s = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
  if (k->relativistic)
    s *= 2.0 / (1.0 + sqrt(1.0 + s * (1.0 / (WN_C * WN_C))));
  return 0.5 * k->mass * s;
}

/* Of a species in a cell, eV times weight; the list is in order. */
static double energy_of_cell(const struct colliding *k, size_t cell)
{
  double sum = 0.0;
  for (size_t i = k->by.begin[cell]; i < k->by.begin[cell + 1]; i++) {
    double u[3];
    const double w = load(k, k->by.list[i], u);
    sum += w * energy_of(k, u);
  }
  return sum / (k->weight * WN_E);
}

static void add_sums(const struct colliding *k, size_t cell, struct sums *s)
{
  for (size_t i = k->by.begin[cell]; i < k->by.begin[cell + 1]; i++) {
    double u[3];
    const double w = load(k, k->by.list[i], u);
    s->mass += w * k->mass;
    s->energy += w * energy_of(k, u);
    for (int d = 0; d < 3; d++)
      s->momentum[d] += w * k->mass * u[d];
  }
}

static struct sums sums_of(const struct group *g, size_t cell)
{
  struct sums s = {0};
  add_sums(g->a, cell, &s);
  if (g->b != g->a)
    add_sums(g->b, cell, &s);
  return s;
}

/* Energy of u' = U0 + f (u - U1), and its derivative by f. */
static double energy_with(const struct colliding *k, size_t cell, const double from[3],
                          const double to[3], double f, double *slope)
{
  double sum = 0.0;
  for (size_t i = k->by.begin[cell]; i < k->by.begin[cell + 1]; i++) {
    double u[3], along = 0.0, s = 0.0;
    const double w = load(k, k->by.list[i], u);
    for (int d = 0; d < 3; d++) {
      const double off = u[d] - from[d];
      u[d] = to[d] + f * off;
      along += u[d] * off;
      s += u[d] * u[d];
    }
    sum += w * energy_of(k, u);
    *slope += w * k->mass * along /
              (k->relativistic ? sqrt(1.0 + s * (1.0 / (WN_C * WN_C))) : 1.0);
  }
  return sum;
}

static void change(const struct colliding *k, size_t cell, const double from[3],
                   const double to[3], double f)
{
  for (size_t i = k->by.begin[cell]; i < k->by.begin[cell + 1]; i++) {
    double u[3];
    load(k, k->by.list[i], u);
    for (int d = 0; d < 3; d++)
      u[d] = to[d] + f * (u[d] - from[d]);
    store(k, k->by.list[i], u);
  }
}

/* Gives the cell the momentum and energy `was`.  A cell whose particles have one velocity is
 * left as it is.  Newton's method; without relativity f^2 is a ratio of energies. */
static void restore(const struct group *g, size_t cell, const struct sums *was)
{
  const struct sums now = sums_of(g, cell);
  double from[3], to[3], inner_was = was->energy, inner_now = now.energy;
  for (int d = 0; d < 3; d++) {
    from[d] = now.momentum[d] / now.mass;
    to[d] = was->momentum[d] / was->mass;
    inner_now -= 0.5 * now.momentum[d] * from[d];
    inner_was -= 0.5 * was->momentum[d] * to[d];
  }
  const int relativistic = g->a->relativistic || g->b->relativistic;
  double f = inner_now > 0.0 && inner_was > 0.0 ? sqrt(inner_was / inner_now) : 1.0;
  if (!relativistic && !(inner_now > 0.0 && inner_was > 0.0))
    return;
  for (int i = 0; i < 20 && relativistic; i++) {
    double slope = 0.0, e = energy_with(g->a, cell, from, to, f, &slope);
    if (g->b != g->a)
      e += energy_with(g->b, cell, from, to, f, &slope);
    const double less = slope > 0.0 ? (e - was->energy) / slope : 0.0;
    f = f > less ? f - less : 0.5 * f;
    if (fabs(less) < 1e-12 * f)
      break;
  }
  change(g->a, cell, from, to, f);
  if (g->b != g->a)
    change(g->b, cell, from, to, f);
}

/* Returns whether the weights differ, so that the sum of both was not conserved. */
static int collide(const struct group *g, const struct wn_coulomb *c, uint32_t i,
                   uint32_t j, double per_volume, struct wn_rng4 r)
{
  double u[3], v[3];
  const double w1 = load(g->a, i, u), w2 = load(g->b, j, v);
  const int changed = wn_coulomb_changed(w1, w2, r.w[3]);
  wn_coulomb_collide(c, per_volume * fmax(w1, w2), r, u, v);
  if (changed & 1)
    store(g->a, i, u);
  if (changed & 2)
    store(g->b, j, v);
  return w1 != w2;
}

/* The pairs of one species.  list: in a random order. */
static int collide_same(const struct group *g, const struct wn_coulomb *c,
                        const struct draw *d, const uint32_t *list, size_t n,
                        double volume)
{
  const double per_volume = (double)(n - 1) / volume;
  size_t i = 0;
  int uneven = 0;
  if (n % 2 == 1) {
    static const int pair[3][2] = {{0, 1}, {1, 2}, {2, 0}};
    for (size_t k = 0; k < 3; k++)
      uneven |= collide(g, c, list[pair[k][0]], list[pair[k][1]], 0.5 * per_volume,
                        draw(d, n + k));
    i = 3;
  }
  for (; i < n; i += 2)
    uneven |= collide(g, c, list[i], list[i + 1], per_volume, draw(d, i));
  return uneven;
}

/* The pairs of two species, lists in a random order. */
static int collide_other(const struct group *g, const struct wn_coulomb *c,
                         const struct draw *d, const uint32_t *a, size_t n,
                         const uint32_t *b, size_t m, double volume)
{
  const size_t fewer = n < m ? n : m, more = n < m ? m : n;
  const double per_volume = (double)fewer / volume;
  int uneven = 0;
  for (size_t i = 0; i < more; i++)
    uneven |=
        collide(g, c, a[n < m ? i % n : i], b[n < m ? i : i % m], per_volume, draw(d, i));
  return uneven;
}

/* One of plasma.coulomb in a cell.  log: the Coulomb logarithm; m: moments, for perez. */
static void collide_cell(const struct coulomb *o, const struct group *g, size_t cell,
                         double volume, double log, const struct moments *m,
                         uint64_t step)
{
  const int is_one = g->a == g->b;
  const size_t n = number(g->a, cell), k = number(g->b, cell);
  const double dt = o->time_step * (double)g->of->interval;
  const struct moments *first = &m[g->a - o->lists], *second = &m[g->b - o->lists];
  struct sums was = {0};
  int uneven;
  if (n == 0 || k == 0 || (is_one && n < 2))
    return;
  const struct wn_coulomb c = {
      .method = g->of->method,
      .m1 = g->a->mass,
      .m2 = g->b->mass,
      .strength = wn_coulomb_strength(g->a->charge, g->b->charge, log, dt),
      .dt = dt,
      .least_way = g->of->method == WN_COULOMB_PEREZ
                       ? wn_coulomb_least_way(g->a->mass, first->density, g->b->mass,
                                              second->density)
                       : 0.0};
  const struct draw pairs = draw_of(o, cell, 4 * g->number, step),
                    of_a = draw_of(o, cell, 4 * g->number + 1, step),
                    of_b = draw_of(o, cell, 4 * g->number + 2, step);
  uint32_t *a = g->a->by.spare + g->a->by.begin[cell],
           *b = g->b->by.spare + g->b->by.begin[cell];
  if (g->of->conserve == WN_CONSERVE_CELL)
    was = sums_of(g, cell);
  shuffle(&of_a, g->a->by.list + g->a->by.begin[cell], n, a);
  if (is_one) {
    uneven = collide_same(g, &c, &pairs, a, n, volume);
  } else {
    shuffle(&of_b, g->b->by.list + g->b->by.begin[cell], k, b);
    uneven = collide_other(g, &c, &pairs, a, n, b, k, volume);
  }
  if (uneven && g->of->conserve == WN_CONSERVE_CELL)
    restore(g, cell, &was);
}

/* Whether it is the step of a group. */
static int is_due(const struct group *g, uint64_t steps)
{
  return steps % g->of->interval == 0;
}

/* gained: of each species, added. */
static void do_cell(struct coulomb *o, size_t cell, uint64_t steps,
                    wn_i128 gained[WN_MAX_SPECIES])
{
  double was[WN_MAX_SPECIES] = {0};
  struct moments m[WN_MAX_SPECIES] = {{0}};
  int64_t at[3] = {0, 0, 0};
  size_t rest = cell;
  for (int d = 0; d < o->grid.dim; d++) {
    at[d] = (int64_t)(rest % (size_t)o->grid.cells[d]);
    rest /= (size_t)o->grid.cells[d];
  }
  const double volume = wn_geometry_cell_at(o->geometry, at);
  for (size_t k = 0; k < WN_MAX_SPECIES; k++) {
    struct colliding *one = &o->lists[k];
    if (one->by.species == NULL)
      continue;
    wn_cell_lists_order(&one->by, cell);
    was[k] = energy_of_cell(one, cell);
    if (o->needs_moments)
      m[k] = moments_of(one, cell, volume);
  }
  const double lambda = o->needs_moments ? screening(o, m) : 0.0;
  for (size_t i = 0; i < o->n_groups; i++)
    if (is_due(&o->group[i], steps))
      collide_cell(o, &o->group[i], cell, volume, logarithm(o, &o->group[i], m, lambda),
                   m, steps);
  for (size_t k = 0; k < WN_MAX_SPECIES; k++)
    if (o->lists[k].by.species != NULL)
      wn_tally_sum(&gained[k], energy_of_cell(&o->lists[k], cell) - was[k],
                   WN_FIX_ENERGY);
}

/* ---- the operator */

static struct coulomb *of(struct wn_operator *o)
{
  return (struct coulomb *)(void *)o;
}

static void destroy(struct wn_operator *head)
{
  struct coulomb *o = of(head);
  for (size_t k = 0; k < WN_MAX_SPECIES; k++)
    wn_cell_lists_clear(&o->lists[k].by);
  free(o);
}

static int set_up(const struct coulomb *o, const struct wn_sim *s, size_t k,
                  struct colliding *out)
{
  const struct wn_cfg_species *sp = &s->c->species[k];
  if (out->by.species != NULL)
    return WN_OK;
  *out = (struct colliding){.charge = sp->charge * WN_E,
                            .mass = sp->mass,
                            .weight = wn_loading_weight(s->c, sp),
                            .relativistic = wn_plasma_points_of(s->c, k).relativistic};
  return wn_cell_lists_init(&out->by, s->species[k], &o->grid);
}

static int create(struct wn_sim *s, struct wn_operator **out)
{
  const struct wn_config *c = s->c;
  if (c->model != WN_MODEL_PLASMA || c->plasma.n_coulomb == 0)
    return WN_OK;
  struct coulomb *o = wn_alloc(1, sizeof *o);
  if (o == NULL)
    return WN_ENOMEM;
  o->operator.ops = & wn_operator_coulomb_collisions;
  o->geometry = &s->geometry;
  o->grid = wn_plasma_grid(c);
  o->key = wn_rng_key(c->seed);
  o->time_step = c->plasma.time_step;
  o->threads = wn_threads(c->threads);
  o->cells = wn_cell_pairs_cells(&o->grid);
  for (size_t i = 0; i < c->plasma.n_coulomb; i++) {
    struct group *g = &o->group[i];
    size_t k[2];
    *g = (struct group){.of = &c->plasma.coulomb[i], .number = (uint32_t)i};
    o->needs_moments |= g->of->logarithm == WN_AUTO || g->of->method == WN_COULOMB_PEREZ;
    for (int j = 0; j < 2; j++) {
      k[j] = (size_t)wn_coulomb_species(c, g->of, j);
      const int status = set_up(o, s, k[j], &o->lists[k[j]]);
      if (status != WN_OK) {
        destroy(&o->operator);
        return status;
      }
    }
    g->a = &o->lists[k[0]];
    g->b = &o->lists[k[1]];
    o->n_groups = i + 1;
  }
  *out = &o->operator;
  return WN_OK;
}

static int apply(struct wn_operator *head, struct wn_sim *s)
{
  struct coulomb *o = of(head);
  wn_i128 gained[WN_MAX_SPECIES] = {0};
  size_t n = 0;
  int due = 0;
  for (size_t i = 0; i < o->n_groups; i++)
    due |= is_due(&o->group[i], s->n_steps);
  if (!due)
    return WN_OK;
  if (s->adaptive.clock.levels > 0)
    o->time_step = s->interval;
  for (size_t k = 0; k < WN_MAX_SPECIES; k++)
    n += o->lists[k].by.species != NULL ? o->lists[k].by.species->p.n : 0;
  /* all or one: where teams differ in size, libgomp ends threads and starts others */
  const int threads = n < MANY ? 1 : o->threads;
  for (size_t k = 0; k < WN_MAX_SPECIES; k++)
    if (o->lists[k].by.species != NULL) {
      WN_TRY(wn_particles_host(&o->lists[k].by.species->p));
      WN_TRY(wn_cell_lists_make(&o->lists[k].by, threads, "Coulomb collisions are"));
    }
#ifdef _OPENMP
#pragma omp parallel num_threads(threads)
#endif
  {
    wn_i128 here[WN_MAX_SPECIES] = {0};
#ifdef _OPENMP
#pragma omp for schedule(dynamic, PER_CHUNK)
#endif
    for (size_t cell = 0; cell < o->cells; cell++)
      do_cell(o, cell, s->n_steps, here);
#ifdef _OPENMP
#pragma omp critical
#endif
    for (size_t k = 0; k < WN_MAX_SPECIES; k++)
      gained[k] += here[k];
  }
  for (size_t k = 0; k < s->n_species; k++)
    if (o->lists[k].by.species != NULL) {
      wn_particles_touched(&o->lists[k].by.species->p);
      wn_energy_changed_by(s, WN_ENERGY_COULOMB, k, gained[k]);
    }
  return WN_OK;
}

const struct wn_operator_ops wn_operator_coulomb_collisions = {
    .create = create,
    .apply = apply,
    .free = destroy,
};
