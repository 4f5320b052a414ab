/* physics/merging_cell.h - merging and splitting in one cell: its macroparticles are divided into groups of similar
 * velocity, which become fewer (physics/merging_groups.h) in the order of the energy about their mean velocity.  One
 * thread of a CPU does a cell, or a warp of a GPU, with the same bits: all orders are total, and sums of floats have
 * theirs.  src/sim/merging.c says what is done, and why.
 *
 * Memory is the caller's: wn_merging_scratch_bytes for the macroparticles of the cell. */
#ifndef WN_PHYSICS_MERGING_CELL_H
#define WN_PHYSICS_MERGING_CELL_H
#include "physics/merging_groups.h"
#include <stddef.h>
#include <string.h>
#include "physics/electron.h"
#include "physics/ion.h"
#include "physics/warp.h"
#include "physics/sample.h"

#define WN_MERGING_NONE UINT64_MAX /* the key of those that are no members */

/* The records of a species, as words. */
struct wn_merging_records {
  union wn_word *first;
  uint32_t words; /* of a record */
  uint32_t dim;   /* all begin with the place */
  uint32_t u, w;  /* words of a record; w 0: all weights are 1 */
  int32_t t_left; /* the word that is negative in dead ones */
  int32_t has_id; /* struct wn_electron */
};

/* Part of a cell that is to be divided. */
struct wn_merging_node {
  uint32_t first, n, along; /* along: the component of u */
};

struct wn_merging_cell {
  const struct wn_merging_rule *is;
  struct wn_merging_records records;
  uint64_t cell;        /* its number */
  const uint32_t *list; /* [n] places in the store, in the order of the records */
  uint32_t n;
  /* scratch.  By the number in the list: */
  int64_t *quanta;
  float (*u)[3];
  /* by place in an order: keys and numbers of members, first members and sizes of groups */
  uint64_t *key, *spare_key;
  uint32_t *order, *leaf, *spare;
  struct wn_merging_node *node[2];
  uint32_t *count; /* [3] of nodes, nodes, leaves */
  uint8_t *size;   /* [n] by first member: of a leaf */
};

/* ---- memory */

#define WN_MERGING_COUNTS 4

/* Nodes that are divided have three members or more. */
static WN_HD size_t wn_merging_nodes(size_t n)
{
  return n / 3 + 1;
}

/* Of a cell of n; a multiple of 8.  spare: with room for wn_warp_sort on a CPU. */
static WN_HD size_t wn_merging_scratch_bytes(size_t n, int spare)
{
  const size_t bytes = n * (sizeof(int64_t) + sizeof(uint64_t) + 3 * sizeof(float) +
                            2 * sizeof(uint32_t) + sizeof(uint8_t)) +
                       2 * wn_merging_nodes(n) * sizeof(struct wn_merging_node) +
                       WN_MERGING_COUNTS * sizeof(uint32_t) +
                       (spare ? n * (sizeof(uint64_t) + sizeof(uint32_t)) : 0);
  return (bytes + 7) / 8 * 8;
}

/* memory: for n or more, aligned to 8. */
static WN_HD void wn_merging_scratch_set(struct wn_merging_cell *c, void *memory,
                                         size_t n, int spare)
{
  unsigned char *at = (unsigned char *)memory;
  c->quanta = (int64_t *)(void *)at;
  at += n * sizeof *c->quanta;
  c->key = (uint64_t *)(void *)at;
  at += n * sizeof *c->key;
  c->spare_key = (uint64_t *)(void *)at;
  at += spare ? n * sizeof *c->key : 0;
  for (int k = 0; k < 2; k++) {
    c->node[k] = (struct wn_merging_node *)(void *)at;
    at += wn_merging_nodes(n) * sizeof *c->node[k];
  }
  c->count = (uint32_t *)(void *)at;
  at += WN_MERGING_COUNTS * sizeof *c->count;
  c->u = (float(*)[3])(void *)at;
  at += n * sizeof *c->u;
  c->order = (uint32_t *)(void *)at;
  at += n * sizeof *c->order;
  c->leaf = (uint32_t *)(void *)at;
  at += n * sizeof *c->leaf;
  c->spare = (uint32_t *)(void *)at;
  at += spare ? n * sizeof *c->spare : 0;
  c->size = (uint8_t *)at;
}

/* ---- records */

/* Of a grid of dim axes; electrons and ions that collide have an id. */
static WN_HD struct wn_merging_records wn_merging_records_of(void *first, int dim,
                                                             int has_id)
{
  struct wn_merging_records r;
  r.first = (union wn_word *)first;
  r.dim = (uint32_t)dim;
  r.has_id = has_id;
  r.words = has_id || !wn_point_weighs(dim, 3) ? 4 : 8;
  r.u = (uint32_t)dim;
  r.w = wn_point_weighs(dim, 3) ? (uint32_t)dim + 3 : 0;
  r.t_left = 0;
  if (has_id) {
    r.words = sizeof(struct wn_electron) / 4;
    r.u = offsetof(struct wn_electron, u) / 4;
    r.w = offsetof(struct wn_electron, w) / 4;
    r.t_left = offsetof(struct wn_electron, t_left) / 4;
  }
  return r;
}

static WN_HD union wn_word *wn_merging_record(const struct wn_merging_records *r,
                                              uint32_t i)
{
  return r->first + (size_t)i * r->words;
}

static WN_HD int wn_merging_is_dead(const struct wn_merging_records *r,
                                    const union wn_word *record)
{
  return record[r->t_left].i < 0;
}

/* The quanta of its weight, as wn_merging_quanta; u: the velocity. */
static WN_HD int64_t wn_merging_load(const struct wn_merging_records *r,
                                     const union wn_word *record, float u[3])
{
  for (int d = 0; d < 3; d++)
    u[d] = record[r->u + (uint32_t)d].f;
  return wn_merging_quanta(r->w > 0 ? record[r->w].f : 1.0f);
}

static WN_HD void wn_merging_end(const struct wn_merging_records *r,
                                 union wn_word *record)
{
  if (r->has_id)
    record[r->t_left].f = WN_DEAD;
  else
    record[0].i = WN_POINT_DEAD;
}

/* The cell of a place in a grid, x the fastest; one at the upper end of an axis is in the last. */
static WN_HD size_t wn_merging_cell_at(const struct wn_grid_view *g, const int32_t at[3])
{
  size_t cell = 0;
  for (int d = g->dim - 1; d >= 0; d--) {
    const int32_t i = at[d] >> g->bits[d];
    cell = cell * (size_t)g->cells[d] + (size_t)(i < g->cells[d] ? i : g->cells[d] - 1);
  }
  return cell;
}

/* ---- members */

/* The macroparticles that take part, by classes; returns their number.  heaviest: quanta. */
static WN_HD uint32_t wn_merging_find(struct wn_merging_cell *c, int64_t heaviest)
{
  uint32_t found = 0;
  for (uint32_t i = wn_warp_lane(); i < c->n; i += WN_WARP_LANES) {
    const union wn_word *record = wn_merging_record(&c->records, c->list[i]);
    float u[3];
    const int64_t quanta = wn_merging_load(&c->records, record, u);
    const uint32_t class_of = wn_merging_class(c->is, u);
    const int takes_part = quanta > 0 && quanta <= heaviest &&
                           class_of <= c->is->n_classes &&
                           !wn_merging_is_dead(&c->records, record);
    for (int d = 0; d < 3; d++)
      c->u[i][d] = u[d];
    c->quanta[i] = quanta;
    c->key[i] = takes_part ? class_of : WN_MERGING_NONE;
    c->order[i] = i;
    found += (uint32_t)takes_part;
  }
  found = wn_warp_sum(found);
  wn_warp_wait();
  wn_warp_sort(c->key, c->order, c->n, c->spare_key, c->spare);
  return found;
}

/* Macroparticles above the heaviest, which can be halved. */
static WN_HD uint32_t wn_merging_heavy(const struct wn_merging_cell *c)
{
  uint32_t n = 0;
  for (uint32_t i = wn_warp_lane(); i < c->n; i += WN_WARP_LANES) {
    float u[3];
    const int64_t quanta =
        wn_merging_load(&c->records, wn_merging_record(&c->records, c->list[i]), u);
    n += quanta > c->is->heaviest && wn_merging_class(c->is, u) <= c->is->n_classes;
  }
  return wn_warp_sum(n);
}

/* How many the cell should have more; its list needs no order. */
static WN_HD uint32_t wn_merging_wanted(const struct wn_merging_cell *c)
{
  const struct wn_merging_rule *is = c->is;
  const uint32_t fewer = c->n > 0 && c->n < is->least ? is->least - c->n : 0,
                 heavy = is->least > 0 ? wn_merging_heavy(c) : 0;
  return fewer > heavy ? fewer : heavy;
}

/* Of those that it should have more, as many as fill a cell with a limit of weights to `most`, after merging: left of
 * its n. */
static WN_HD uint32_t wn_merging_wanted_within(const struct wn_merging_rule *is,
                                               uint32_t left, uint32_t wanted)
{
  const uint32_t room = is->most > left ? is->most - left : 0;
  return wanted < room ? wanted : room;
}

/* ---- the tree */

/* The n members from `first` on: they are divided in the next round, or are a leaf. */
static WN_HD void wn_merging_part(const struct wn_merging_cell *c, int next,
                                  uint32_t first, uint32_t n)
{
  if (n > wn_merging_size(c->is->method)) {
    const struct wn_merging_node node = {first, n, 0};
    c->node[next][wn_warp_take(&c->count[next])] = node;
    return;
  }
  c->leaf[wn_warp_take(&c->count[2])] = first;
  c->size[first] = (uint8_t)n;
}

/* The variance of component d, each macroparticle counted once, times n. */
static WN_HD double wn_merging_spread(const struct wn_merging_cell *c,
                                      const struct wn_merging_node *node, int d)
{
  const uint32_t *order = &c->order[node->first];
  double mean = 0.0, square = 0.0;
  WN_UNROLLED_BY_8
  for (uint32_t i = 0; i < node->n; i++)
    mean += (double)c->u[order[i]][d] / node->n;
  WN_UNROLLED_BY_8
  for (uint32_t i = 0; i < node->n; i++) {
    const double off = (double)c->u[order[i]][d] - mean;
    square += off * off;
  }
  return square;
}

/* Along which component of u the members of each of n nodes are divided: that of the greatest variance. */
static WN_HD void wn_merging_choose(const struct wn_merging_cell *c,
                                    struct wn_merging_node *node, uint32_t n)
{
  for (uint32_t k = wn_warp_lane(); k < 3 * n; k += WN_WARP_LANES)
    c->key[node[k / 3].first + k % 3] =
        wn_warp_key_positive(wn_merging_spread(c, &node[k / 3], (int)(k % 3)));
  wn_warp_wait();
  for (uint32_t k = wn_warp_lane(); k < n; k += WN_WARP_LANES) {
    const uint64_t *spread = &c->key[node[k].first];
    const uint32_t most = spread[1] > spread[0];
    node[k].along = spread[2] > spread[most] ? 2 : most;
  }
  wn_warp_wait();
}

/* The members of each of n nodes in the order of that component.  A GPU sorts all members of the cell at once, as
 * keys begin with the first place of the node; those of leaves have keys by which they stay where they are. */
static WN_HD void wn_merging_sort_nodes(const struct wn_merging_cell *c,
                                        const struct wn_merging_node *node, uint32_t n,
                                        uint32_t found)
{
  for (uint32_t i = wn_warp_lane(); WN_ON_DEVICE && i < found; i += WN_WARP_LANES)
    c->key[i] = (uint64_t)i << 32;
  wn_warp_wait();
  for (uint32_t k = 0; k < n; k++) {
    const uint32_t first = node[k].first, along = node[k].along;
    for (uint32_t i = first + wn_warp_lane(); i < first + node[k].n; i += WN_WARP_LANES)
      c->key[i] = (uint64_t)first << 32 | wn_warp_key_f(c->u[c->order[i]][along]);
    if (!WN_ON_DEVICE)
      wn_warp_sort(&c->key[first], &c->order[first], node[k].n, c->spare_key, c->spare);
  }
  wn_warp_wait();
  if (WN_ON_DEVICE)
    wn_warp_sort(c->key, c->order, found, c->spare_key, c->spare);
}

/* Divides each of n nodes.  What is left over by the size of groups is at either end, at random: faster ones are
 * left over as often as slower ones. */
static WN_HD void wn_merging_halve_nodes(const struct wn_merging_cell *c,
                                         const struct wn_merging_node *node, uint32_t n,
                                         int next)
{
  const uint32_t size = wn_merging_size(c->is->method);
  for (uint32_t k = wn_warp_lane(); k < n; k += WN_WARP_LANES) {
    const uint32_t first = node[k].first, all = node[k].n;
    uint32_t low = (all + size - 1) / size / 2 * size;
    if (wn_merging_draw(c->is, c->cell, 4 * c->order[first] + 2).w[0] & 1u)
      low = all - low;
    wn_merging_part(c, next, first, low);
    wn_merging_part(c, next, first + low, all - low);
  }
}

/* Members by class become leaves. */
static WN_HD void wn_merging_divide(const struct wn_merging_cell *c, uint32_t found)
{
  int now = 0;
  for (uint32_t k = wn_warp_lane(); k < WN_MERGING_COUNTS; k += WN_WARP_LANES)
    c->count[k] = 0;
  wn_warp_wait();
  for (uint32_t k = 0, first = 0; k <= c->is->n_classes && first < found; k++) {
    uint32_t n = 0;
    for (uint32_t i = first + wn_warp_lane(); i < found && c->key[i] == k;
         i += WN_WARP_LANES)
      n++;
    n = wn_warp_sum(n);
    if (n > 0 && wn_warp_lane() == 0)
      wn_merging_part(c, now, first, n);
    first += n;
  }
  wn_warp_wait();
  for (uint32_t n = c->count[now]; n > 0; n = c->count[now]) {
    struct wn_merging_node *node = c->node[now];
    wn_warp_wait(); /* all have read the count */
    wn_merging_choose(c, node, n);
    wn_merging_sort_nodes(c, node, n, found);
    if (wn_warp_lane() == 0)
      c->count[1 - now] = 0;
    wn_warp_wait();
    wn_merging_halve_nodes(c, node, n, 1 - now);
    wn_warp_wait();
    now = 1 - now;
  }
}

/* ---- groups */

static WN_HD uint32_t wn_merging_members(const struct wn_merging_cell *c, uint32_t first,
                                         struct wn_merging_member *m)
{
  const uint32_t n = c->size[first];
  for (uint32_t i = 0; i < n; i++) {
    m[i].order = c->order[first + i];
    m[i].quanta = c->quanta[m[i].order];
    for (int d = 0; d < 3; d++)
      m[i].u[d] = c->u[m[i].order][d];
  }
  return n;
}

/* The leaves that are groups, by what they cost, then by their place; returns their number. */
static WN_HD uint32_t wn_merging_groups(const struct wn_merging_cell *c)
{
  const uint32_t size = wn_merging_size(c->is->method), n_leaves = c->count[2];
  const int keeps = c->is->method == WN_MERGING_WEIGHTS;
  uint32_t n_groups = 0;
  for (uint32_t k = wn_warp_lane(); k < n_leaves; k += WN_WARP_LANES) {
    struct wn_merging_member m[WN_MERGING_LARGEST];
    const uint32_t n = wn_merging_members(c, c->leaf[k], m);
    const double cost = wn_merging_whole_of(c->is, m, n).cost;
    const int is = n >= size / 2 + 1 || (keeps && n > 1 && cost == 0.0);
    c->key[k] = is ? wn_warp_key_positive(cost) : WN_MERGING_NONE;
    n_groups += (uint32_t)is;
  }
  n_groups = wn_warp_sum(n_groups);
  wn_warp_wait();
  wn_warp_sort(c->key, c->leaf, n_leaves, c->spare_key, c->spare);
  return n_groups;
}

/* Into the records. */
static WN_HD void wn_merging_write(const struct wn_merging_cell *c,
                                   const struct wn_merging_outcome *o)
{
  const struct wn_merging_records *r = &c->records;
  if (o->gone == 0)
    return;
  if (o->from != o->to) {
    const union wn_word *from = wn_merging_record(r, c->list[o->m[o->from].order]);
    union wn_word *to = wn_merging_record(r, c->list[o->m[o->to].order]);
    for (uint32_t d = 0; d < r->dim; d++)
      to[d].i = from[d].i;
  }
  for (uint32_t i = 0; i < o->n; i++) {
    union wn_word *record = wn_merging_record(r, c->list[o->m[i].order]);
    if (o->quanta[i] == 0) {
      wn_merging_end(r, record);
      continue;
    }
    if (r->w > 0)
      record[r->w].f = wn_merging_weight(o->quanta[i]);
    for (uint32_t d = 0; d < 3; d++)
      record[r->u + d].f = o->u[i][d];
  }
}

/* The cell has more than it should, and its list is in order: groups of it become fewer, until it has no more, or
 * there are no groups.  Those that end are marked dead: sums->before - sums->after of them.
 *
 * One group follows another, as `weights` is told how many are too many.  Lanes decide on several at once; what
 * the first of them decide is kept as long as it would be the same one after the other. */
static WN_HD void wn_merging_merge(struct wn_merging_cell *c,
                                   struct wn_merging_sums *sums)
{
  const uint32_t found = wn_merging_find(c, c->is->heaviest), most = c->is->most;
  const int heeds = c->is->method == WN_MERGING_WEIGHTS;
  wn_merging_divide(c, found);
  const uint32_t n_groups = wn_merging_groups(c);
  uint32_t left = c->n;
  for (uint32_t i = 0; i < n_groups && left > most;) {
    struct wn_merging_outcome o;
    const uint32_t group = i + wn_warp_lane();
    o.n = o.gone = 0;
    if (group < n_groups) {
      o.n = wn_merging_members(c, c->leaf[group], o.m);
      wn_merging_decide(c->is, c->cell, wn_warp_lane() == 0 ? left - most : UINT32_MAX,
                        4 * group, &o);
    }
    const uint32_t here = left - wn_warp_sum_below(o.gone),
                   kept = wn_warp_leading(
                       wn_warp_lane() == 0 ||
                       (group < n_groups && here > most &&
                        (!heeds || here - most + WN_MERGING_SUMS >= o.n)));
    if (wn_warp_lane() < kept) {
      wn_merging_write(c, &o);
      wn_merging_enter(c->is, &o, sums);
    }
    left -= wn_warp_sum(wn_warp_lane() < kept ? o.gone : 0);
    i += kept;
  }
}

/* ---- splitting */

/* What a copy needs. */
struct wn_merging_copying {
  uint64_t seed;
  double inv_nu; /* s, of electrons; */
  int32_t is_ion;
  float ion_inv_nu; /* of ions */
  struct wn_rng_key ion_key;
};

/* The members that are halved, the first of c->order, at most so many; returns their number.  Those that ended in
 * this step are none of them. */
static WN_HD uint32_t wn_merging_find_halves(struct wn_merging_cell *c, uint32_t wanted)
{
  const uint32_t found = wn_merging_find(c, INT64_MAX);
  uint32_t n = 0;
  for (uint32_t i = wn_warp_lane(); i < found;
       i += WN_WARP_LANES) /* the heaviest first */
    c->key[i] = (uint64_t)(INT64_MAX - c->quanta[c->order[i]]);
  wn_warp_wait();
  wn_warp_sort(c->key, c->order, found, c->spare_key, c->spare);
  for (uint32_t i = wn_warp_lane(); i < found && i < wanted; i += WN_WARP_LANES) {
    const int64_t quanta = c->quanta[c->order[i]];
    n += quanta >= 2 && !((double)quanta < c->is->least_halved);
  }
  return wn_warp_sum(n);
}

/* One half stays, the other, which is returned, has a name and a next candidate of its own. */
static WN_HD struct wn_electron wn_merging_halve(const struct wn_merging_copying *p,
                                                 struct wn_electron *e, int64_t quanta)
{
  struct wn_change change;
  memset(&change, 0, sizeof change);
  change.seed = p->seed;
  change.inv_nu = p->inv_nu;
  struct wn_electron copy = wn_change_copy(&change, e, 0);
  wn_change_copied(e);
  if (p->is_ion)
    copy.t_next = wn_ion_first_flight_at(&p->ion_key, p->ion_inv_nu, copy.id, 0);
  e->w = wn_merging_weight(quanta / 2);
  copy.w = wn_merging_weight(quanta - quanta / 2);
  return copy;
}

#endif
