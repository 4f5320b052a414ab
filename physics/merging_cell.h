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

/* Members from place `first` of an order on: a part of a cell that is to be divided, or a leaf. */
struct wn_merging_part {
  uint32_t first, n;
};

struct wn_merging_cell {
  const struct wn_merging_rule *is;
  struct wn_merging_records records;
  int64_t heaviest;     /* quanta of one */
  uint64_t cell;        /* its number */
  const uint32_t *list; /* [n] places in the store, in the order of the records */
  uint32_t n;
  /* scratch.  By the number in the list: */
  int64_t *quanta;
  float (*u)[3];
  /* by place in an order: keys and numbers of members, terms of sums over parts, the part that a member is in */
  uint64_t *key, *spare_key;
  double (*term)[3];
  uint32_t *order, *spare;
  struct wn_merging_part *part;
  uint8_t *
      along; /* by first member of a part: the component of u along which it is divided */
  /* first members of the parts that are to be divided; then of the leaves, as groups in their order */
  uint32_t *head;
};

/* ---- memory */

/* Of a cell of n; a multiple of 8.  spare: with room for wn_warp_sort on a CPU. */
static WN_HD size_t wn_merging_scratch_bytes(size_t n, int spare)
{
  const size_t bytes =
      n * (sizeof(int64_t) + sizeof(uint64_t) + 3 * sizeof(double) + 3 * sizeof(float) +
           2 * sizeof(uint32_t) + sizeof(struct wn_merging_part) + sizeof(uint8_t)) +
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
  c->term = (double(*)[3])(void *)at;
  at += n * sizeof *c->term;
  c->part = (struct wn_merging_part *)(void *)at;
  at += n * sizeof *c->part;
  c->u = (float(*)[3])(void *)at;
  at += n * sizeof *c->u;
  c->order = (uint32_t *)(void *)at;
  at += n * sizeof *c->order;
  c->head = (uint32_t *)(void *)at;
  at += n * sizeof *c->head;
  c->spare = (uint32_t *)(void *)at;
  at += spare ? n * sizeof *c->spare : 0;
  c->along = (uint8_t *)at;
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
  int falls = 0; /* as a rule all are in the first class */
  for (uint32_t i = wn_warp_lane(); i + 1 < c->n; i += WN_WARP_LANES)
    falls |= c->key[i] > c->key[i + 1];
  if (wn_warp_ballot(falls) != 0)
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
    n += quanta > c->heaviest && wn_merging_class(c->is, u) <= c->is->n_classes;
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

/* Parts of more than this are sorted by the network (physics/warp.h). */
#define WN_MERGING_RANKED 96

static WN_HD uint32_t wn_merging_least(uint32_t a, uint32_t b)
{
  return a < b ? a : b;
}

/* The first members of the parts of more than `over`, in their order; returns how many. */
static WN_HD uint32_t wn_merging_heads(const struct wn_merging_cell *c, uint32_t found,
                                       uint32_t over)
{
  uint32_t n = 0;
  for (uint32_t begin = 0; begin < found; begin += WN_WARP_LANES) {
    const uint32_t i = begin + wn_warp_lane();
    const int is = i < found && c->part[i].first == i && c->part[i].n > over;
    const uint32_t place = wn_warp_place(is, &n);
    if (is)
      c->head[place] = i;
  }
  wn_warp_wait();
  return n;
}

/* Keys of each of n parts, from its first member on: sums of their terms, one after the other. */
static WN_HD void wn_merging_add_terms(const struct wn_merging_cell *c, uint32_t n)
{
  for (uint32_t k = wn_warp_lane(); k < 3 * n; k += WN_WARP_LANES) {
    const struct wn_merging_part part = c->part[c->head[k / 3]];
    const double(*term)[3] = (const double(*)[3])c->term + part.first;
    double sum = 0.0;
    WN_UNROLLED_BY_8
    for (uint32_t i = 0; i < part.n; i++)
      sum += term[i][k % 3];
    memcpy(&c->key[part.first + k % 3], &sum, sizeof sum);
  }
  wn_warp_wait();
}

/* Along which component of u the members of each of n parts are divided: that of the greatest variance, each
 * macroparticle counted once.  Terms are found by all lanes, and added in the order of members by one. */
static WN_HD void wn_merging_choose(const struct wn_merging_cell *c, uint32_t n,
                                    uint32_t found, uint32_t size)
{
  for (uint32_t i = wn_warp_lane(); i < found; i += WN_WARP_LANES)
    for (int d = 0; d < 3 && c->part[i].n > size; d++)
      c->term[i][d] = (double)c->u[c->order[i]][d] / c->part[i].n;
  wn_warp_wait();
  wn_merging_add_terms(c, n);
  for (uint32_t i = wn_warp_lane(); i < found; i += WN_WARP_LANES)
    for (int d = 0; d < 3 && c->part[i].n > size; d++) {
      double mean;
      memcpy(&mean, &c->key[c->part[i].first + (uint32_t)d], sizeof mean);
      const double off = (double)c->u[c->order[i]][d] - mean;
      c->term[i][d] = off * off;
    }
  wn_warp_wait();
  wn_merging_add_terms(c, n);
  for (uint32_t k = wn_warp_lane(); k < n; k += WN_WARP_LANES) {
    const uint64_t *spread =
        &c->key[c->head[k]]; /* not negative: bits in the order of numbers */
    const uint32_t most = spread[1] > spread[0];
    c->along[c->head[k]] = (uint8_t)(spread[2] > spread[most] ? 2 : most);
  }
  wn_warp_wait();
}

/* The order of members of their parts by u, then by number, where each lane counts what comes before its members. */
static WN_HD void wn_merging_rank_parts(const struct wn_merging_cell *c, uint32_t found,
                                        uint32_t size)
{
  uint32_t *to = (uint32_t *)(void *)c->term;
  for (uint32_t i = wn_warp_lane(); i < found; i += WN_WARP_LANES)
    if (c->part[i].n > size)
      c->key[i] = (uint64_t)wn_warp_key_f(c->u[c->order[i]][c->along[c->part[i].first]])
                      << 32 |
                  c->order[i];
  wn_warp_wait();
  for (uint32_t i = wn_warp_lane(); i < found; i += WN_WARP_LANES) {
    const struct wn_merging_part part = c->part[i];
    if (part.n <= size)
      continue;
    const uint64_t mine = c->key[i], *key = c->key + part.first;
    uint32_t rank = 0;
    WN_UNROLLED_BY_8
    for (uint32_t j = 0; j < part.n; j++)
      rank += key[j] < mine;
    to[part.first + rank] = (uint32_t)mine;
  }
  wn_warp_wait();
  for (uint32_t i = wn_warp_lane(); i < found; i += WN_WARP_LANES)
    if (c->part[i].n > size)
      c->order[i] = to[i];
  wn_warp_wait();
}

/* The members of each of n parts in the order of that component, then of their numbers; no part has more than
 * `largest`.  Several lanes sort large parts at once, as keys begin with the first place of the part; those of leaves have
 * keys by which they stay where they are. */
static WN_HD void wn_merging_sort_parts(const struct wn_merging_cell *c, uint32_t n,
                                        uint32_t found, uint32_t size, uint32_t largest)
{
  if (WN_WARP_LANES > 1 && largest <= WN_MERGING_RANKED) {
    wn_merging_rank_parts(c, found, size);
    return;
  }
  for (uint32_t i = wn_warp_lane(); i < found; i += WN_WARP_LANES) {
    const struct wn_merging_part part = c->part[i];
    c->key[i] = part.n > size ? (uint64_t)part.first << 32 |
                                    wn_warp_key_f(c->u[c->order[i]][c->along[part.first]])
                              : (uint64_t)i << 32;
  }
  wn_warp_wait();
#if WN_WARP_LANES > 1
  (void)n;
  wn_warp_sort(c->key, c->order, found, c->spare_key, c->spare);
#else
  for (uint32_t k = 0; k < n; k++) {
    const struct wn_merging_part part = c->part[c->head[k]];
    wn_warp_sort(&c->key[part.first], &c->order[part.first], part.n, c->spare_key,
                 c->spare);
  }
#endif
}

/* Divides each of n parts.  What is left over by the size of groups is at either end, at random: faster ones are
 * left over as often as slower ones. */
static WN_HD void wn_merging_halve_parts(const struct wn_merging_cell *c, uint32_t n,
                                         uint32_t found, uint32_t size)
{
  for (uint32_t k = wn_warp_lane(); k < n; k += WN_WARP_LANES) {
    const uint32_t first = c->head[k], all = c->part[first].n;
    uint32_t low = (all + size - 1) / size / 2 * size;
    if (wn_merging_draw(c->is, c->cell, 4 * c->order[first] + 2).w[0] & 1u)
      low = all - low;
    c->key[first] = low;
  }
  wn_warp_wait();
  for (uint32_t i = wn_warp_lane(); i < found; i += WN_WARP_LANES) {
    const struct wn_merging_part part = c->part[i];
    if (part.n <= size)
      continue;
    const uint32_t low = (uint32_t)c->key[part.first];
    const int is_low = i < part.first + low;
    c->part[i].first = is_low ? part.first : part.first + low;
    c->part[i].n = is_low ? low : part.n - low;
  }
  wn_warp_wait();
}

/* Members by class become leaves; returns how many, whose first members are in c->head. */
static WN_HD uint32_t wn_merging_divide(const struct wn_merging_cell *c, uint32_t found)
{
  const uint32_t size = wn_merging_size(c->is->method);
  for (uint32_t k = 0, first = 0; k <= c->is->n_classes && first < found; k++) {
    struct wn_merging_part part = {first, 0};
    for (uint32_t i = first + wn_warp_lane(); i < found && c->key[i] == k;
         i += WN_WARP_LANES)
      part.n++;
    part.n = wn_warp_sum(part.n);
    for (uint32_t i = first + wn_warp_lane(); i < first + part.n; i += WN_WARP_LANES)
      c->part[i] = part;
    first += part.n;
  }
  wn_warp_wait();
  uint32_t largest = found;
  for (uint32_t n = wn_merging_heads(c, found, size); n > 0;
       n = wn_merging_heads(c, found, size)) {
    wn_merging_choose(c, n, found, size);
    wn_merging_sort_parts(c, n, found, size, largest);
    wn_merging_halve_parts(c, n, found, size);
    largest = largest / 2 + size; /* the greater half has no more */
  }
  return wn_merging_heads(c, found, 0);
}

/* ---- groups */

/* The groups of a cell, in the order in which they become fewer. */
struct wn_merging_groups {
  const struct wn_merging_rule *is;
  struct wn_merging_records records;
  int64_t heaviest;
  uint64_t cell;
  uint32_t n, n_groups;  /* macroparticles of the cell, groups */
  const uint32_t *list;  /* as in struct wn_merging_cell; */
  const uint32_t *order; /* numbers in the list of members; */
  const uint32_t *first; /* [n_groups] the place of the first member in the order */
  const uint8_t *size;   /* [n_groups] members; NULL: part[first].n */
  const struct wn_merging_part *part;
};

static WN_HD uint32_t wn_merging_group_size(const struct wn_merging_groups *g, uint32_t k)
{
  return g->size != NULL ? g->size[k] : g->part[g->first[k]].n;
}

/* The leaves that are groups, by what they cost, then by their place; returns their number. */
static WN_HD uint32_t wn_merging_find_groups(const struct wn_merging_cell *c,
                                             uint32_t n_leaves)
{
  const uint32_t size = wn_merging_size(c->is->method);
  const int keeps = c->is->method == WN_MERGING_WEIGHTS;
  uint32_t n_groups = 0;
  for (uint32_t k = wn_warp_lane(); k < n_leaves; k += WN_WARP_LANES) {
    const struct wn_merging_part leaf = c->part[c->head[k]];
    struct wn_merging_member m[WN_MERGING_LARGEST];
    for (uint32_t i = 0; i < leaf.n; i++) {
      m[i].order = c->order[leaf.first + i];
      m[i].quanta = c->quanta[m[i].order];
      for (int d = 0; d < 3; d++)
        m[i].u[d] = c->u[m[i].order][d];
    }
    const double cost = wn_merging_whole_of(c->is, m, leaf.n).cost;
    const int is = leaf.n >= size / 2 + 1 || (keeps && leaf.n > 1 && cost == 0.0);
    c->key[k] = is ? wn_warp_key_positive(cost) : WN_MERGING_NONE;
    n_groups += (uint32_t)is;
  }
  n_groups = wn_warp_sum(n_groups);
  wn_warp_wait();
  wn_warp_sort(c->key, c->head, n_leaves, c->spare_key, c->spare);
  return n_groups;
}

/* The cell has more than it should, and its list is in order: its groups; returns how many.  First members are in
 * c->head. */
static WN_HD uint32_t wn_merging_arrange(struct wn_merging_cell *c)
{
  const uint32_t found = wn_merging_find(c, c->heaviest);
  return wn_merging_find_groups(c, wn_merging_divide(c, found));
}

static WN_HD uint32_t wn_merging_members(const struct wn_merging_groups *g, uint32_t k,
                                         struct wn_merging_member *m)
{
  const uint32_t *order = g->order + g->first[k], n = wn_merging_group_size(g, k);
  for (uint32_t i = 0; i < n; i++) {
    m[i].order = order[i];
    m[i].quanta = wn_merging_load(
        &g->records, wn_merging_record(&g->records, g->list[order[i]]), m[i].u);
  }
  return n;
}

/* Into the records. */
static WN_HD void wn_merging_write(const struct wn_merging_groups *g,
                                   const struct wn_merging_outcome *o)
{
  const struct wn_merging_records *r = &g->records;
  if (o->gone == 0)
    return;
  if (o->from != o->to) {
    const union wn_word *from = wn_merging_record(r, g->list[o->m[o->from].order]);
    union wn_word *to = wn_merging_record(r, g->list[o->m[o->to].order]);
    for (uint32_t d = 0; d < r->dim; d++)
      to[d].i = from[d].i;
  }
  for (uint32_t i = 0; i < o->n; i++) {
    union wn_word *record = wn_merging_record(r, g->list[o->m[i].order]);
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

/* Members by which a group of n becomes fewer, as a rule. */
static WN_HD uint32_t wn_merging_usual(int method, uint32_t n)
{
  const uint32_t stay = method == WN_MERGING_WEIGHTS ? WN_MERGING_SUMS
                        : method == WN_MERGING_TWO   ? 2
                                                     : 1;
  return n > stay ? n - stay : 1;
}

/* Groups become fewer until the cell has no more than it should, or there are none left; returns how many it has then.
 * Those that end are marked dead: sums->before - sums->after of them.
 *
 * One group follows another, as `weights` is told how many are too many.  The lanes of a tile decide on several at
 * once, each as if those before it became fewer as they usually do; what the first of them decide is kept as long
 * as it would be the same one after the other.  lanes: of a tile, which has a cell; one without has n_groups = 0.
 * method: that of the rule. */
static WN_HD uint32_t wn_merging_become_fewer(const struct wn_merging_groups *g,
                                              int method, uint32_t lanes,
                                              struct wn_merging_sums *sums)
{
  const uint32_t most = g->is->most, lane = wn_warp_lane() % lanes;
  uint32_t left = g->n;
  for (uint32_t i = 0;;) {
    const int goes_on = i < g->n_groups && left > most;
    if (wn_warp_ballot(goes_on) == 0)
      return left;
    struct wn_merging_outcome o;
    const uint32_t group = i + lane;
    const int is = goes_on && group < g->n_groups;
    const uint32_t usual =
                       is ? wn_merging_usual(method, wn_merging_group_size(g, group)) : 0,
                   before = wn_tile_sum_below(lanes, usual);
    const int is_wanted = is && left - most > before;
    const uint32_t fewer = is_wanted ? left - most - before : 0;
    o.n = o.gone = 0;
    if (is_wanted) {
      o.heaviest = g->heaviest;
      o.n = wn_merging_members(g, group, o.m);
      wn_merging_decide(g->is, method, g->cell, fewer, 4 * group, &o);
    }
    const uint32_t here = left - wn_merging_least(left, wn_tile_sum_below(lanes, o.gone)),
                   may = here > most ? here - most : 0;
    const int is_same = method != WN_MERGING_WEIGHTS || may == fewer ||
                        (may + WN_MERGING_SUMS >= o.n && fewer + WN_MERGING_SUMS >= o.n);
    const uint32_t kept =
        wn_tile_leading(lanes, is_wanted && (lane == 0 || (may > 0 && is_same)));
    if (goes_on && lane < kept) {
      wn_merging_write(g, &o);
      wn_merging_enter(g->is, &o, sums);
    }
    left -= wn_tile_sum(lanes, lane < kept ? o.gone : 0);
    i += kept;
  }
}

/* A cell with more than it should have, by a warp: all of it. */
static WN_HD void wn_merging_merge(struct wn_merging_cell *c,
                                   struct wn_merging_sums *sums)
{
  struct wn_merging_groups g;
  g.n_groups = wn_merging_arrange(c);
  g.is = c->is;
  g.records = c->records;
  g.heaviest = c->heaviest;
  g.cell = c->cell;
  g.n = c->n;
  g.list = c->list;
  g.order = c->order;
  g.first = c->head;
  g.size = NULL;
  g.part = c->part;
  wn_merging_become_fewer(&g, c->is->method, WN_WARP_LANES, sums);
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
