/* particles/level_lanes.c - see level_lanes.h.
 *
 * Which level, and whether its weight is to change, cannot be foreseen of an electron, so that
 * branches would be guessed wrong; loops without them are followed by lists of those that
 * are marked or changed. */
#include "particles/level_lanes.h"
#include <string.h>
#include "physics/host_device.h"

#define LANES 128

struct lanes {
  float u[3][LANES], w[LANES];
  uint32_t tag[LANES], cell[LANES];
  int32_t level[LANES], below[LANES];
  float floor[LANES];                /* energy, rounded down */
  double energy[LANES], unit[LANES]; /* unit: 2^age, see wn_sample_age */
  /* changes: the tag of those below; which are on a list, and it */
  uint32_t marked[LANES];
  double wanted[LANES];
  int32_t acts[LANES], list[LANES];
};

/* What a sample and a change have in common. */
struct rule {
  const struct wn_levels *levels;
  uint32_t n_groups, halvings;
  double below_ev;
};

static void load(const struct wn_electron *e, int n, struct lanes *s)
{
  for (int l = 0; l < n; l++) {
    for (int i = 0; i < 3; i++)
      s->u[i][l] = e[l].u[i];
    s->w[l] = e[l].w;
    s->tag[l] = e[l].tag;
  }
}

/* wn_sample_energy_ev and wn_level_of of all.  Rounded down to a float, an energy is on the same
 * side of every edge, since edges are floats: so a vector has twice as many. */
WN_CLONES static void find_levels(const struct rule *r, int n, struct lanes *restrict s)
{
  const float *restrict edge = r->levels->edge;
  const int32_t most = r->levels->n_edges;
  for (int l = 0; l < n; l++) {
    const double u[3] = {(double)s->u[0][l], (double)s->u[1][l], (double)s->u[2][l]},
                 energy = wn_kinetic_ev(u, wn_gamma(u));
    s->energy[l] = energy;
    s->floor[l] = (float)energy;
  }
  for (int l = 0; l < n; l++) {
    const float near = s->floor[l];
    const uint32_t above = (double)near > s->energy[l];
    s->floor[l] = wn_float_from_bits(wn_float_bits(near) - above);
    s->level[l] = 0;
  }
  for (int32_t half = (WN_MAX_EDGES + 1) / 2; half > 0; half /= 2)
    for (int l = 0; half <= most && l < n; l++) {
      const int32_t level = s->level[l];
      s->level[l] = edge[level + half - 1] <= s->floor[l] ? level + half : level;
    }
}

/* wn_sample_cell and wn_sample_age of all, and their tags in a cohort that is below.  The
 * quotient of lineage and groups is exact in double precision: lineages have 26 bits. */
WN_CLONES static void find_cells(const struct rule *r, int n, struct lanes *restrict s)
{
  const int32_t n_groups = (int32_t)r->n_groups, halvings = (int32_t)r->halvings,
                levels = (int32_t)wn_levels_number(r->levels);
  const double below_ev = r->below_ev, groups = (double)r->n_groups;
  for (int l = 0; l < n; l++) {
    const int32_t lineage = (int32_t)(s->tag[l] & WN_TAG_LINEAGE_MASK),
                  cohort = (int32_t)((double)lineage / groups),
                  group = lineage - n_groups * cohort, below = s->energy[l] < below_ev,
                  since = halvings - cohort / 2,
                  most = since < WN_MOST_AGE ? since : WN_MOST_AGE,
                  age = (below | (cohort & 1) | (most < 0)) ? 0 : most;
    s->below[l] = below;
    s->cell[l] = (uint32_t)(group * levels + s->level[l]);
    s->unit[l] = wn_sample_two_to(age);
    s->marked[l] =
        (s->tag[l] & ~WN_TAG_LINEAGE_MASK) | (uint32_t)(group + n_groups * (cohort | 1));
  }
}

static void add_up(int n, const struct lanes *s, wn_i128 *sums)
{
  for (int l = 0; l < n; l++) {
    wn_i128 *of = &sums[WN_LEVEL_SUMS * s->cell[l]];
    const double w = (double)s->w[l];
    of[0]++;
    wn_tally_sum(&of[1], w, WN_FIX_RARE);
    wn_tally_sum(&of[2], w * s->unit[l], WN_FIX_RARE);
  }
}

static int lanes_of(size_t n)
{
  return n < LANES ? (int)n : LANES;
}

void wn_level_lanes_sample(const struct wn_sample *what, const struct wn_electron *e,
                           size_t n, wn_i128 *sums)
{
  const struct rule r = {&what->levels, what->n_groups, what->halvings, what->below_ev};
  struct lanes s;
  for (size_t first = 0; first < n; first += LANES) {
    const int some = lanes_of(n - first);
    load(&e[first], some, &s);
    find_levels(&r, some, &s);
    find_cells(&r, some, &s);
    add_up(some, &s, sums);
  }
}

/* Which are to be split or to play roulette.  Returns how many of the others are heavy. */
WN_CLONES static uint64_t find_changes(const double *restrict reference, int n,
                                       struct lanes *restrict s)
{
  int heavy = 0;
  for (int l = 0; l < n; l++) {
    const double w = (double)s->w[l],
                 wanted = wn_change_wanted(reference[s->cell[l]], 1.0 / s->unit[l]);
    const int acts = !wn_change_fits(w, wanted);
    s->wanted[l] = wanted;
    s->acts[l] = acts;
    heavy += !acts & (w > WN_MAX_WEIGHT);
  }
  return (uint64_t)heavy;
}

/* Into s->list those whose flag is set, in their order. */
static int list_of(int n, const int32_t *flag, int32_t *list)
{
  int some = 0;
  for (int l = 0; l < n; l++) {
    list[some] = l;
    some += flag[l];
  }
  return some;
}

static void mark_those_below(const struct wn_change *change, int n, struct lanes *s,
                             struct wn_electron *e)
{
  const int some = list_of(n, s->below, s->list);
  for (int i = 0; i < some; i++) {
    const int l = s->list[i];
    e[l].tag = s->marked[l];
    wn_change_mark(change, &e[l]);
  }
}

static size_t change_some(const struct wn_change *change, int n, struct lanes *s,
                          struct wn_electron *e, uint32_t *copies, wn_i128 *roulette,
                          struct wn_changed *done)
{
  const int some = list_of(n, s->acts, s->list);
  size_t sum = 0;
  for (int i = 0; i < some; i++) {
    const int l = s->list[i];
    const int k = wn_change_weight(change, &e[l], s->cell[l], s->wanted[l], roulette);
    copies[l] = k > 0 ? (uint32_t)k : 0;
    sum += copies[l];
    done->killed += k < 0;
    done->heavy += e[l].w > WN_MAX_WEIGHT && k >= 0;
  }
  return sum;
}

size_t wn_level_lanes_apply(const struct wn_change *change, struct wn_electron *e,
                            size_t n, uint32_t *copies, wn_i128 *roulette,
                            struct wn_changed *done)
{
  const struct rule r = {&change->levels, change->n_groups, change->halvings,
                         change->below_ev};
  struct lanes s;
  size_t sum = 0;
  memset(copies, 0, n * sizeof *copies);
  for (size_t first = 0; first < n; first += LANES) {
    const int some = lanes_of(n - first);
    load(&e[first], some, &s);
    find_levels(&r, some, &s);
    find_cells(&r, some, &s);
    done->heavy += find_changes(change->reference, some, &s);
    mark_those_below(change, some, &s, &e[first]);
    sum += change_some(change, some, &s, &e[first], &copies[first], roulette, done);
  }
  return sum;
}
