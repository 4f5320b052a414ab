/* t0220-table.c - defends: the collision tables are the cross sections they are made of,
 * no process happens below its threshold, and the bound on the collision frequency is
 * one. The gases are made up here, with steps, gaps, a negative loss, a peak narrower
 * than a bin and an end of table; what the tables should say is N sigma(E) v(E) from
 * wn_xs_sigma, which t/t0200-0204 defend.
 *
 * Energies are floats, so everything is compared at energies that are; the last digit of
 * a float is 6e-8 of it, and of the sum of its gas in the rows. */
#include "crosssections/xs_table.h"
#include "physics/angle.h"
#include "physics/constants.h"
#include "physics/kinematics.h"
#include "physics/push.h"
#include "physics/rng.h"
#include "physics/single.h"
#include "src/base/error.h"
#include "t/tap/tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KNOT                                                                             \
  1e-5 /* of the frequency of a gas: what a knot that does not cut may be off */

static uint64_t state = 220;

static double uniform(void) /* splitmix64 (Steele, Lea, Flood 2014) */
{
  uint64_t z = state += 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static double between(double lo, double hi) /* log-uniform */
{
  return lo * pow(hi / lo, uniform());
}

static float below(float e)
{
  return nextafterf(e, 0.0f);
}

/* The first float at or above x. */
static float at_or_above(double x)
{
  float f = (float)x;
  return (double)f >= x ? f : nextafterf(f, INFINITY);
}

static void out_of_memory(void)
{
  diag("out of memory");
  exit(1);
}

static struct wn_xs_set *new_set(const char *name)
{
  struct wn_xs_set *set = calloc(1, sizeof *set);
  if (set == NULL)
    out_of_memory();
  set->name = strdup(name);
  set->source = strdup("made up");
  return set;
}

/* Rows of energy, sigma in 1e-20 m2; total: rows of the integral elastic, or NULL. */
static void add(struct wn_xs_set *set, enum wn_xs_kind kind, const char *product,
                double loss, double threshold, size_t n, const double (*row)[2],
                const double *total)
{
  struct wn_xs_process p = {
      .kind = kind, .loss_ev = loss, .threshold_ev = threshold, .n = n};
  p.target = strdup(set->name);
  p.product = strdup(product);
  p.energy_ev = calloc(n, sizeof(double));
  p.sigma = calloc(n, sizeof(double));
  p.sigma_total = total != NULL ? calloc(n, sizeof(double)) : NULL;
  if (p.energy_ev == NULL || p.sigma == NULL || (total != NULL && p.sigma_total == NULL))
    out_of_memory();
  for (size_t i = 0; i < n; i++) {
    p.energy_ev[i] = row[i][0];
    p.sigma[i] = row[i][1] * 1e-20;
    if (total != NULL)
      p.sigma_total[i] = total[i] * 1e-20;
  }
  if (wn_xs_append(set, &p) != WN_OK)
    out_of_memory();
}

#define ROWS_OF(a) (sizeof(a) / sizeof(a)[0])
#define ROWS(a)    ROWS_OF(a), a

static const double elastic[][2] = {{0.0, 5.0}, {0.01, 6.0},  {0.3, 12.0},  {2.0, 25.0},
                                    {3.0, 9.0}, {20.0, 10.0}, {100.0, 5.0}, {300.0, 2.0},
                                    {1e3, 0.6}, {3e3, 0.12},  {1e4, 2e-2},  {3e4, 4e-3},
                                    {1e5, 8e-4}};
static const double integral[] = {5.0, 6.5, 13.0, 26.0, 10.0, 12.0,  8.0,
                                  4.0, 1.5, 0.6,  0.2,  7e-2, 2.2e-2};
static const double attach[][2] = {
    {0.0, 0.0}, {4.2, 0.0}, {4.2, 0.3}, {8.0, 0.05}, {9.0, 0.0}};
static const double vibration[][2] = {
    {0.29, 0.0}, {1.5, 0.2}, {2.3, 6.0}, {3.5, 0.1}, {10.0, 0.0}};
static const double jump[][2] = {
    {7.35, 0.4}, {12.0, 1.0}, {100.0, 0.2}, {1e5, 1e-3}}; /* not 0 at its threshold */
static const double ionize[][2] = {
    {15.58, 0.0}, {30.0, 1.0}, {100.0, 2.6}, {1e3, 0.9}, {1e5, 0.02}};
static const double down[][2] = {{0.0, 0.0}, {0.1, 0.5}, {1.0, 0.8}, {10.0, 0.1}};
static const double helium[][2] = {{0.0, 5.0},   {1.0, 6.5},  {5.0, 5.2}, {50.0, 1.0},
                                   {200.0, 0.2}, {1e3, 3e-2}, {1e4, 1e-3}};
static const double wide[][2] = {{19.8, 0.0}, {40.0, 0.15}, {1e4, 1e-2}};

static struct wn_xs_set *make_first(int with_integral)
{
  struct wn_xs_set *set = new_set("A");
  add(set, WN_XS_ELASTIC, "A", 0.0, 0.0, ROWS(elastic), with_integral ? integral : NULL);
  add(set, WN_XS_ATTACHMENT, "A-", 0.0, 4.2, ROWS(attach), NULL);
  add(set, WN_XS_EXCITATION, "A(v1)", 0.29, 0.29, ROWS(vibration), NULL);
  add(set, WN_XS_EXCITATION, "A(B)", 7.35, 7.35, ROWS(jump), NULL);
  add(set, WN_XS_IONIZATION, "A+", 15.58, 15.58, ROWS(ionize), NULL);
  add(set, WN_XS_EXCITATION, "A(cold)", -0.1, 0.0, ROWS(down), NULL);
  return set;
}

/* Two peaks narrower than a bin between rows of 0, and a dip of a line that is otherwise
 * straight; nothing says where they begin. */
static const double peak[][2] = {{0.0, 0.0},  {5.01, 0.0}, {5.03, 2.0},
                                 {5.05, 0.0}, {7.01, 0.0}, {7.01, 1.0},
                                 {7.02, 1.0}, {7.02, 0.0}, {20.0, 0.0}};
static const double dip[][2] = {{0.5, 0.0},   {1.0, 1.0},  {3.01, 1.0},
                                {3.015, 0.2}, {3.02, 1.0}, {100.0, 1.0}};
/* Almost a straight line, so that its knots need not cut; two of them are beside the
 * peaks. */
static const double flat[][2] = {{0.0, 5.0},     {0.503, 5.0},   {1.207, 5.00001},
                                 {3.008, 5.0},   {5.02, 5.0},    {9.0, 5.00002},
                                 {40.3, 4.9999}, {311.0, 4.998}, {3e5, 1.0}};

static struct wn_xs_set *make_narrow(void)
{
  struct wn_xs_set *set = new_set("P");
  add(set, WN_XS_EXCITATION, "P(dip)", 0.5, 0.5, ROWS(dip), NULL);
  add(set, WN_XS_ELASTIC, "P", 0.0, 0.0, ROWS(flat), NULL);
  add(set, WN_XS_ATTACHMENT, "P-", 0.0, 0.0, ROWS(peak), NULL);
  return set;
}

/* Thresholds wherever they could go wrong: below the first bin, at the edge of a bin,
 * just above and below one, a float, just above and below one, two between the same
 * floats, two at neighbours, four in a bin, above the top; and where they happen to be.
 */
static const double where[] = {3e-5,
                               2.0,
                               2.0 + 1e-12,
                               4.0 - 1e-9,
                               1.0 - 0x1p-24,
                               2.26953125,
                               2.26953125 + 1e-9,
                               2.26953125 + 2e-9,
                               2.30078125 - 1e-9,
                               8.01,
                               8.03,
                               8.05,
                               8.05 + 0x1p-20,
                               0.1,
                               0.29,
                               0.3,
                               12.1,
                               4e5};
#define N_WHERE ROWS_OF(where)
#define N_MANY  (N_WHERE + 20)

/* Two of three processes open with a step. */
static struct wn_xs_set *make_many(void)
{
  struct wn_xs_set *set = new_set("M");
  state = 7;
  add(set, WN_XS_ELASTIC, "M", 0.0, 0.0, ROWS(flat), NULL);
  for (size_t i = 0; i < N_MANY; i++) {
    char name[16];
    double e = i < N_WHERE ? where[i] : between(0.02, 1e3);
    const double row[][2] = {
        {e, i % 3 ? 0.2 + uniform() : 0.0}, {1.5 * e, 2.0}, {20.0 * e, 0.1}};
    snprintf(name, sizeof name, "M(%zu)", i);
    add(set, i % 5 ? WN_XS_EXCITATION : WN_XS_ATTACHMENT, name, i % 5 ? e : 0.0, e,
        ROWS(row), NULL);
  }
  return set;
}

static struct wn_xs_set *make_second(void)
{
  struct wn_xs_set *set = new_set("He");
  add(set, WN_XS_ELASTIC, "He", 0.0, 0.0, ROWS(helium), NULL);
  add(set, WN_XS_EXCITATION, "He(2)", 19.8, 19.8, ROWS(wide), NULL);
  return set;
}

struct mixture {
  struct wn_xs_set *set[2];
  struct wn_xs_gas gas[2];
  struct wn_xs_table_spec spec;
};

static void mix(struct mixture *m, struct wn_xs_set *first)
{
  *m = (struct mixture){.set = {first, make_second()}};
  m->gas[0] = (struct wn_xs_gas){.set = m->set[0],
                                 .beyond = WN_XS_BEYOND_POWER,
                                 .density = 2e25,
                                 .mass = 28.0 * WN_AMU,
                                 .opal_ev = 13.0,
                                 .atomic_number = 7.0};
  m->gas[1] = (struct wn_xs_gas){.set = m->set[1],
                                 .beyond = WN_XS_BEYOND_CONSTANT,
                                 .density = 5e24,
                                 .mass = 4.0 * WN_AMU,
                                 .opal_ev = 15.8,
                                 .atomic_number = 2.0};
  m->spec = (struct wn_xs_table_spec){.n_gases = 2,
                                      .gas = m->gas,
                                      .temperature = 300.0,
                                      .thermal_below_ev = 10.0,
                                      .angle_model = WN_ANGLE_ISOTROPIC,
                                      .share_model = WN_SHARING_OPAL,
                                      .bins_per_octave = 64,
                                      .e_max_ev = 3e5};
}

static void make_mixture(struct mixture *m, int with_integral)
{
  mix(m, make_first(with_integral));
}

static void clear_mixture(struct mixture *m)
{
  wn_xs_free(m->set[0]);
  wn_xs_free(m->set[1]);
}

static struct wn_xs_table *make_table(const struct mixture *m)
{
  struct wn_xs_table *t = NULL;
  if (!ok(wn_xs_table_create(&m->spec, &t) == WN_OK, "table with %u bins an octave",
          m->spec.bins_per_octave))
    exit(done());
  return t;
}

/* N sigma v of process i of gas s. */
static double wanted_of(const struct mixture *m, int s, size_t i, double e)
{
  return m->gas[s].density *
         wn_xs_sigma(m->set[s], &m->set[s]->process[i], e, m->gas[s].beyond) *
         wn_speed_from_ev(e);
}

static double wanted_gas(const struct mixture *m, int s, double e)
{
  double sum = 0.0;
  for (size_t i = 0; i < m->set[s]->n; i++)
    sum += wanted_of(m, s, i, e);
  return sum;
}

/* The same of process k of the whole mixture (k < 0: the sum). */
static double wanted(const struct mixture *m, int k, double e)
{
  if (k < 0)
    return wanted_gas(m, 0, e) + wanted_gas(m, 1, e);
  int n = (int)m->set[0]->n;
  return k < n ? wanted_of(m, 0, (size_t)k, e) : wanted_of(m, 1, (size_t)(k - n), e);
}

/* Cumulative probability of the last process of gas s, as wn_mcc_choose_process reads it.
 */
static double gas_total(const struct wn_xs_view *v, int s, float e)
{
  float de;
  uint32_t seg = wn_xs_segment(v, e, &de);
  const struct wn_gas_view *g = &v->gas[s];
  const float *row = g->row + (size_t)seg * (size_t)g->n * 2;
  return (double)(row[2 * g->n - 2] + row[2 * g->n - 1] * de);
}

/* The last edge at or below e, apart from wn_xs_segment. */
static size_t edge_below(const struct wn_xs_table *t, float e)
{
  size_t lo = 0, hi = t->n_segments + 1;
  while (hi - lo > 1) {
    size_t middle = lo + (hi - lo) / 2;
    if (t->view.edge[middle] <= e)
      lo = middle;
    else
      hi = middle;
  }
  return lo;
}

static int is_edge(const struct wn_xs_table *t, float e)
{
  return t->view.edge[edge_below(t, e)] == e;
}

/* A process and the bin that an energy lies in, with the straight line through the bin.
 */
struct line {
  const struct mixture *m;
  int s;
  size_t i;
  double lo, hi, low, high;
};

static struct line line_through(const struct wn_xs_table *t, const struct mixture *m,
                                int s, size_t i, double e)
{
  const struct wn_xs_view *v = &t->view;
  float f = at_or_above(e);
  int bin = wn_xs_bin(v, (double)f > e ? below(f) : f);
  double lo = (double)wn_xs_floor(v, bin), hi = (double)below(wn_xs_floor(v, bin + 1));
  return (struct line){m, s, i, lo, hi, wanted_of(m, s, i, lo), wanted_of(m, s, i, hi)};
}

static double line_miss(const struct line *l, float e)
{
  double f = ((double)e - l->lo) / (l->hi - l->lo);
  return fabs(wanted_of(l->m, l->s, l->i, (double)e) - (1.0 - f) * l->low - f * l->high);
}

/* By how much of the frequency of the gas the line misses a knot, on either side of it.
 */
static double knot_miss(const struct line *l, double e)
{
  float f = at_or_above(e);
  return fmax(line_miss(l, f), line_miss(l, below(f))) / wanted_gas(l->m, l->s, e);
}

/* Is there a reason for process l->i to cut this bin at all? */
static int cuts(const struct line *l)
{
  const struct wn_xs_process *p = &l->m->set[l->s]->process[l->i];
  double end = (double)nextafterf((float)l->hi, INFINITY);
  if (p->threshold_ev > l->lo && p->threshold_ev < end)
    return 1;
  for (size_t j = 0; j < p->n; j++)
    if (p->energy_ev[j] > l->lo && p->energy_ev[j] < end &&
        knot_miss(l, p->energy_ev[j]) > 0.999 * KNOT)
      return 1;
  return 0;
}

/* A knot that the line through its bin misses by more than KNOT is an edge, and there all
 * processes are exact, just below it too.  One that is no edge is off by no more than
 * KNOT in a bin that is not cut; the line through a piece of a bin can be off from the
 * line through the bin by what that is at the ends of the piece, which comes on top.
 * Returns how many do not cut. */
static int check_knots(const struct wn_xs_table *t, const struct mixture *m,
                       const char *name)
{
  const struct wn_xs_view *v = &t->view;
  double at_edge = 0.0, between_edges = 0.0;
  int missed = 0, n_edge = 0, n_other = 0, k = 0;
  for (int s = 0; s < 2; s++)
    for (size_t i = 0; i < m->set[s]->n; i++, k++) {
      const struct wn_xs_process *p = &m->set[s]->process[i];
      for (size_t j = 0; j < p->n; j++) {
        double e = p->energy_ev[j];
        if (e == 0.0 || e >= v->e_top)
          continue;
        float f = at_or_above(e);
        struct line l = line_through(t, m, s, i, e);
        if (is_edge(t, f)) {
          n_edge++;
          for (int side = 0; side < 2; side++)
            for (int other = 0; other < v->n_processes; other++) {
              double x = (double)(side ? f : below(f)), want = wanted(m, other, x);
              at_edge = fmax(at_edge, fabs(wn_xs_table_frequency(t, other, x) - want) /
                                          (want + 0.5 * v->nu_max));
            }
          continue;
        }
        n_other++;
        missed += knot_miss(&l, e) > 1.001 * KNOT;
        size_t seg = edge_below(t, f);
        double ends =
            fmax(line_miss(&l, v->edge[seg]), line_miss(&l, below(v->edge[seg + 1])));
        for (int side = 0; side < 2; side++) {
          double x = (double)(side ? f : below(f));
          double off = fabs(wn_xs_table_frequency(t, k, x) - wanted(m, k, x)) - ends;
          between_edges =
              fmax(between_edges, (off - 3e-7 * v->nu_max) / wanted_gas(m, s, x));
        }
      }
    }
  ok(missed == 0,
     "%s: no knot that the line through its bin misses by more than 1e-5 was left out, "
     "of "
     "%d: %d",
     name, n_other, missed);
  ok(n_edge > 0 && at_edge < 1e-6,
     "%s: at and just below the %d knots that cut, steps too: within %.2g of nu_max, "
     "allowed 1e-6",
     name, n_edge, at_edge);
  ok(between_edges <= 1.001 * KNOT,
     "%s: at and just below the %d others: within %.2g of the frequency of the gas, "
     "allowed 1e-5",
     name, n_other, between_edges);
  return n_other;
}

/* Every edge inside a bin has its reason: a threshold, or a knot of a process that must
 * cut this bin. */
static void check_edges(const struct wn_xs_table *t, const struct mixture *m,
                        const char *name)
{
  const struct wn_xs_view *v = &t->view;
  int idle = 0, n = 0;
  for (size_t at = 1; at < t->n_segments; at++) {
    float f = v->edge[at];
    int reason = wn_xs_floor(v, wn_xs_bin(v, f)) == f;
    n += !reason;
    for (int s = 0; s < 2; s++)
      for (size_t i = 0; i < m->set[s]->n && !reason; i++) {
        const struct wn_xs_process *p = &m->set[s]->process[i];
        reason = at_or_above(p->threshold_ev) == f;
        for (size_t j = 0; j < p->n && !reason; j++)
          if (at_or_above(p->energy_ev[j]) == f) {
            struct line l = line_through(t, m, s, i, p->energy_ev[j]);
            reason = cuts(&l);
          }
      }
    idle += !reason;
  }
  ok(n > 0 && idle == 0, "%s: of %d edges inside bins %d have no reason", name, n, idle);
}

/* The segments of all bins, on both sides of every edge, and where de is counted from. */
static void check_segments(const struct wn_xs_table *t, const char *name)
{
  const struct wn_xs_view *v = &t->view;
  int found = 1, bins = 1, cut = 1, kind[3] = {0, 0, 0};
  float de;
  for (size_t i = 0; i <= t->n_segments; i++) {
    float e = v->edge[i];
    if (i < t->n_segments) {
      found = found && wn_xs_segment(v, e, &de) == i && de == 0.0f;
      float last = below(v->edge[i + 1]), middle = 0.5f * (e + last);
      found = found && wn_xs_segment(v, middle, &de) == i && de == middle - e;
      found = found && wn_xs_segment(v, last, &de) == i && de == last - e;
    } else /* what is above the top belongs to the last */
      found = found && wn_xs_segment(v, e, &de) == i - 1 && de == e - v->edge[i - 1];
  }
  for (int i = 0; i < v->n_bins; i++) {
    const struct wn_xs_bin_view *b = &v->bin[i];
    uint32_t n = b[1].segment - b->segment;
    float e = wn_xs_floor(v, i);
    bins = bins && n >= 1 && v->edge[b->segment] == e && wn_xs_bin(v, e) == i &&
           wn_xs_bin(v, below(wn_xs_floor(v, i + 1))) == i;
    cut = cut && (n == 1   ? isinf(b->cut) && b->cut > 0.0f
                  : n == 2 ? b->cut == v->edge[b->segment + 1]
                           : b->cut == -1.0f);
    kind[n < 3 ? n - 1 : 2]++;
  }
  ok(bins && v->bin[v->n_bins].segment == t->n_segments &&
         (double)v->edge[t->n_segments] == v->e_top &&
         (double)wn_xs_floor(v, 1) == v->e_min,
     "%s: the bins begin and end at edges, and their energies find them", name);
  ok(cut && kind[0] > 0 && kind[1] > 0 && kind[2] > 0,
     "%s: cut says one segment (%d bins), two (%d), more (%d)", name, kind[0], kind[1],
     kind[2]);
  ok(found,
     "%s: segment and de at all %zu edges, just below and midway between them are right",
     name, t->n_segments + 1);
}

/* Between the ends of its segment each process is a straight line; floats hold it to 6e-8
 * of its gas's sum. */
static void check_lines(const struct wn_xs_table *t, const struct mixture *m,
                        const char *name)
{
  const struct wn_xs_view *v = &t->view;
  double random = 0.0, sums = 0.0, at = 0.0;
  int k_worst = 0;
  for (int i = 0; i < 100000; i++) {
    float e = (float)between(v->e_min, 2.9e5);
    double sum = 0.0;
    size_t seg = edge_below(t, e);
    double lo = (double)v->edge[seg], end = (double)v->edge[seg + 1],
           hi = (double)below(v->edge[seg + 1]), f = ((double)e - lo) / (end - lo);
    for (int k = 0; k < v->n_processes; k++) {
      double got = wn_xs_table_frequency(t, k, (double)e),
             want = (1.0 - f) * wanted(m, k, lo) + f * wanted(m, k, hi);
      double off = fabs(got - want) / v->nu_max;
      sum += got;
      if (off > random)
        random = off, at = (double)e, k_worst = k;
    }
    sums = fmax(sums, fabs(sum / wn_xs_table_frequency(t, -1, (double)e) - 1.0));
  }
  ok(random < 3e-7,
     "%s: each process at 1e5 random energies: the line through N sigma v, to %.2g "
     "nu_max "
     "(allowed 3e-7; %g eV, %d)",
     name, random, at, k_worst);
  ok(sums < 1e-12, "%s: the sum over processes is the total: %.2g, allowed 1e-12", name,
     sums);
}

static double total_error(const struct wn_xs_table *t, const struct mixture *m)
{
  double worst = 0.0;
  state = 5;
  for (int i = 0; i < 20000; i++) {
    double e = (double)(float)between(1e-3, 2.9e5);
    worst = fmax(worst, fabs(wn_xs_table_frequency(t, -1, e) / wanted(m, -1, e) - 1.0));
  }
  return worst;
}

static void test_values(void)
{
  struct mixture m;
  make_mixture(&m, 0);
  struct wn_xs_table *t = make_table(&m);
  const struct wn_xs_view *v = &t->view;
  is_int(v->n_processes, 8, "processes of both gases");
  check_lines(t, &m, "mixture");
  check_knots(t, &m, "mixture");
  check_edges(t, &m, "mixture");
  /* (width of a bin)^2/8 times the curvature, at its largest where a cross section falls
   * steeply to the end of a table */
  double off = total_error(t, &m);
  ok(off < 5e-4, "total: within %.2g of itself with 64 bins an octave, allowed 5e-4",
     off);
  double low = v->e_min;
  is_close(wn_xs_table_frequency(t, -1, 0.5 * low), 0.5 * wanted(&m, -1, low), 1e-5,
           "below e_min it falls linearly");
  is_near(wn_xs_table_frequency(t, -1, 0.0), 0.0, 0.0, "to 0");
  is_close(t->limit_ev, INFINITY, 0.0, "no table with policy error: no limit");
  wn_xs_table_free(t);

  double last = 0.0;
  for (unsigned per = 16; per <= 1024; per *= 4) {
    m.spec.bins_per_octave = per;
    t = make_table(&m);
    double e = total_error(t, &m);
    /* not below what a knot that does not cut may be off */
    if (per > 16)
      ok(e < last / 8.0 || e < KNOT,
         "%u bins an octave: error %.3g after %.3g, falls with the square", per, e, last);
    ok(per < 256 || e < 3e-5,
       "%u bins an octave: total within %.2g of itself, allowed 3e-5 from 256 on", per,
       e);
    last = e;
    ok(t->view.e_top >= 3e5 && t->view.e_top <= 3e5 * (1.0 + 1.0 / per),
       "%u bins an octave: top %.9g", per, t->view.e_top);
    int right = 1;
    for (int i = 0; i < 20000; i++) {
      float x = (float)between(1e-6, 4e5), de;
      int bin = wn_xs_bin(&t->view, x);
      uint32_t s0 = t->view.bin[bin].segment, s1 = t->view.bin[bin + 1].segment,
               seg = wn_xs_segment(&t->view, x, &de);
      right = right && seg >= s0 && seg < s1 && t->view.edge[seg] <= x &&
              (x < t->view.edge[seg + 1] || (double)x >= t->view.e_top) &&
              de == x - t->view.edge[seg];
    }
    ok(right, "%u bins an octave: every energy finds its segment", per);
    wn_xs_table_free(t);
  }
  m.gas[0].beyond = WN_XS_BEYOND_ERROR;
  t = make_table(&m);
  /* `jump`, ionization and elastic end above 0, all at 1e5 eV; attachment and vibration
   * have ended at 0; `down` at 10 eV */
  is_close(t->limit_ev, 10.0, 0.0,
           "policy error: the limit is the first end of a table above 0");
  is_str(t->limit_process, "excitation A(cold)", "and it is named");
  wn_xs_table_free(t);
  clear_mixture(&m);
}

/* Peaks and dips narrower than a bin.  A knot that lies on the line through the bin must
 * not be lost when another knot of the process bends that line, so at all knots and at
 * all energies outside the peaks: 1e-5 for the knot, the same for the ends of the piece
 * of the bin it is in, and 8e-6 for the bend of what is between them, (1/64)^2/8 times
 * 1/4, the curvature of v.  On the slopes of the peaks, where v times so steep a line
 * bends more, check_lines has to do. */
static void test_narrow(void)
{
  for (unsigned per = 64; per <= 1024; per *= 4) {
    struct mixture m;
    mix(&m, make_narrow());
    m.spec.bins_per_octave = per;
    struct wn_xs_table *t = make_table(&m);
    char name[40];
    snprintf(name, sizeof name, "narrow peaks, %u bins an octave", per);
    check_lines(t, &m, name);
    int n = check_knots(t, &m, name);
    ok(n >= 4, "%s: %d knots do not cut", name, n);
    check_edges(t, &m, name);
    double worst = 0.0, at = 0.0;
    for (int i = 0; i < 100000; i++) {
      float e = (float)(i & 1 ? between(2.9, 3.1) : between(4.9, 7.2));
      if (i < 4 * (int)(ROWS_OF(peak) + ROWS_OF(dip))) { /* the knots, on both sides */
        size_t j = (size_t)i / 4;
        e = at_or_above(j < ROWS_OF(peak) ? peak[j][0] : dip[j - ROWS_OF(peak)][0]);
        e = i & 2 ? e : below(e);
      } else if ((e > 5.01f && e < 5.05f) || (e > 3.01f && e < 3.02f))
        continue;
      double x = (double)e, all = wanted_gas(&m, 0, x);
      for (int k = 0; k < 3 && e > 0.0f; k++) {
        double off = fabs(wn_xs_table_frequency(t, k, x) - wanted(&m, k, x)) / all;
        if (off > worst)
          worst = off, at = x;
      }
    }
    ok(worst < 2.8e-5,
       "%s: around them within %.2g of the frequency of the gas (%g eV), allowed 2.8e-5",
       name, worst, at);
    wn_xs_table_free(t);
    clear_mixture(&m);
  }
}

/* A threshold between two floats is the upper of them.  What a process has at that float,
 * which can be 6e-8 above it, and what the rows keep of it, is 6e-8 of its gas. */
static void check_threshold(const struct wn_xs_table *t, const struct mixture *m, int k,
                            double threshold, int step)
{
  const struct wn_xs_view *v = &t->view;
  int s = k >= (int)m->set[0]->n;
  float e = at_or_above(threshold);
  double most = 0.0;
  for (int j = 0; j < 2000; j++) {
    float x = j < 10 ? below(e) : fminf((float)(threshold * uniform()), below(e));
    most = fmax(most, fabs(wn_xs_table_frequency(t, k, (double)x)));
  }
  if (threshold >= v->e_top) {
    most = fmax(most, fabs(wn_xs_table_frequency(t, k, (double)below((float)v->e_top))));
    ok(most == 0.0 && v->edge[t->n_segments] < e,
       "process %d: nothing of it, %.9g eV is above the top", k, threshold);
    return;
  }
  ok(is_edge(t, e) && most == 0.0,
     "process %d: %.17g eV is the edge of a segment, and exactly 0 below it, down to the "
     "float before it: %g",
     k, threshold, most);
  double at = wn_xs_table_frequency(t, k, (double)e), want = wanted(m, k, (double)e);
  if (step)
    is_close(at, want, 1e-5, "process %d: the whole step at its threshold", k);
  else
    is_near(at, want, 6e-8 * wanted_gas(m, s, (double)e),
            "process %d: 0 at its threshold, but for the rounding of it", k);
  double least = INFINITY;
  for (int j = 0; j < 2000; j++)
    least = fmin(
        least, wn_xs_table_frequency(t, k, (double)e * (1.0 + 0.02 * (j + 1) / 2000.0)));
  ok(least > 0.0, "process %d: above 0 from %g eV on", k, threshold);
}

static void test_thresholds(void)
{
  struct mixture m;
  make_mixture(&m, 0);
  struct wn_xs_table *t = make_table(&m);
  static const int k[] = {1, 2, 3, 4, 7};
  static const double e0[] = {4.2, 0.29, 7.35, 15.58, 19.8};
  for (int i = 0; i < 5; i++)
    check_threshold(t, &m, k[i], e0[i], i == 0 || i == 2);
  wn_xs_table_free(t);
  clear_mixture(&m);
  for (unsigned per = 16; per <= 1024; per *= 8) {
    char name[40];
    mix(&m, make_many());
    m.spec.bins_per_octave = per;
    t = make_table(&m);
    snprintf(name, sizeof name, "many thresholds, %u bins an octave", per);
    for (int i = 1; i <= (int)N_MANY; i++) {
      const struct wn_xs_process *p = &m.set[0]->process[i];
      check_threshold(t, &m, i, p->threshold_ev, p->sigma[0] > 0.0);
    }
    check_segments(t, name);
    check_edges(t, &m, name);
    wn_xs_table_free(t);
    clear_mixture(&m);
  }
}

/* process[] has each process of each gas once, the commonest first: the sum of
 * frequencies at 2^-4, 2^-3.75, ..., 2^3.5 eV falls, and equals keep their order. */
static void test_order(void)
{
  for (int many = 0; many < 2; many++) {
    const char *name = many ? "many thresholds" : "mixture";
    struct mixture m;
    if (many)
      mix(&m, make_many());
    else
      make_mixture(&m, 0);
    struct wn_xs_table *t = make_table(&m);
    const struct wn_xs_view *v = &t->view;
    int once = 1, same = 1, falls = 1, moved = 0, first = 0;
    for (int s = 0; s < 2; s++) {
      const struct wn_gas_view *g = &v->gas[s];
      double before = INFINITY;
      once = once && g->first == first && g->n == (int)m.set[s]->n;
      for (int i = 0; i < g->n; i++) {
        int index = first + i;
        int n = 0;
        for (int j = 0; j < g->n; j++)
          n += v->process[first + j].index == index;
        const struct wn_process_view *p = wn_xs_table_process(t, index);
        const struct wn_xs_process *q = &m.set[s]->process[i];
        once = once && n == 1 && p->index == index && p >= &v->process[first] &&
               p < &v->process[first + g->n];
        same = same &&
               p->kind == (q->kind == WN_XS_ELASTIC      ? WN_PROC_ELASTIC
                           : q->kind == WN_XS_IONIZATION ? WN_PROC_IONIZATION
                           : q->kind == WN_XS_ATTACHMENT ? WN_PROC_ATTACHMENT
                                                         : WN_PROC_EXCITATION) &&
               p->loss_ev == q->loss_ev && p->b_ev == q->orbital.b_ev &&
               fabs((double)p->loss * WN_UNIT_EV - q->loss_ev) <= 6e-8 * fabs(q->loss_ev);
        int here = v->process[first + i].index;
        double sum = 0.0;
        for (int j = -16; j <= 14; j++)
          sum += wanted(&m, here, exp2(0.25 * j));
        falls = falls && (sum < before ||
                          (sum == before && here > v->process[first + i - 1].index));
        before = sum;
        moved += here != index;
      }
      first += g->n;
    }
    ok(once && first == v->n_processes,
       "%s: process[] has every process of a gas once, and each is found by its index",
       name);
    ok(same, "%s: kind, loss and binding energy are those of the set", name);
    ok(falls && moved > 0, "%s: the commonest first; %d moved", name, moved);
    wn_xs_table_free(t);
    clear_mixture(&m);
  }
}

/* The levels of a thermal velocity.  Mean and variance are given by construction.  The
 * numbers for the fourth moment and for the largest level were computed apart from the
 * code: the level that ends at x1 and x2 is n (density(x1) - density(x2)), with quantiles
 * from the library of Python, divided by the root of the mean square. */
static void test_normals(void)
{
  float level[WN_XS_NORMALS];
  const int n = WN_XS_NORMALS;
  long double mean = 0.0L, variance = 0.0L, fourth = 0.0L;
  int rising = 1, odd = 1;
  double off = 0.0;
  wn_xs_normals(level);
  for (int i = 0; i < n; i++) {
    long double x = (long double)level[i];
    mean += x / n;
    variance += x * x / n;
    fourth += x * x * x * x / n;
    rising = rising && (i == 0 || level[i] > level[i - 1]);
    odd = odd && level[i] == -level[n - 1 - i];
    /* the middle of a level but the last has the probability (i + 1/2)/n below it */
    if (i > 0 && i < n - 1)
      off =
          fmax(off, fabs(0.5 * erfc(-(double)level[i] / sqrt(2.0)) - (i + 0.5) / n) * n);
  }
  ok(mean == 0.0L && odd, "normal levels: as many below as above, mean %Lg", mean);
  ok(rising, "they rise");
  is_near((double)variance, 1.0, 1e-9, "their variance");
  is_near((double)fourth, 2.99502, 1e-5,
          "their fourth moment, 0.2 %% below the normal 3");
  ok(off < 0.05,
     "all but the ends lie in the middle of their part of the probability: off by %.3g "
     "of "
     "it, allowed 0.05",
     off);
  is_near((double)level[n - 1], 3.560755, 2e-6, "the largest");
}

static void test_bound(int angle_model, double temperature, unsigned per)
{
  struct mixture m;
  make_mixture(&m, 1);
  m.spec.angle_model = angle_model;
  m.spec.temperature = temperature;
  m.spec.bins_per_octave = per;
  struct wn_xs_table *t = make_table(&m);
  const struct wn_xs_view *v = &t->view;
  double largest = sqrt(3.0) * (double)v->normal[WN_XS_NORMALS - 1];
  double top = 0.0, over = -1.0, worst_e = 0.0, true_top = 0.0;
  int rising = 1;
  for (int i = 0; i < 400000; i++) {
    /* an energy, half of them next to an edge of a segment, and a target that moves with
     * up to the largest drawn speed */
    float e = i & 1 ? (float)between(1e-5, 3e5)
                    : v->edge[1 + (size_t)(uniform() * (double)(t->n_segments - 1))];
    if (i % 4 == 0)
      e = below(e);
    int bin = wn_xs_bin(v, e);
    const double major[2] = {wn_xs_major(v, bin, 0), wn_xs_major(v, bin, 1)};
    rising = rising && major[0] >= 0.0 && major[1] >= major[0] && major[1] <= 1.0;
    for (int s = 0; s < 2; s++) {
      float rel = e;
      double width = major[s] - (s ? major[0] : 0.0);
      if (v->gas[s].sigma_v > 0.0f && e < v->thermal_below_ev) {
        double speed =
                   (i % 8 < 4 ? 1.0 : uniform()) * largest * (double)v->gas[s].sigma_v,
               along = 2.0 * uniform() - 1.0;
        if (i % 8 < 2)
          along = i % 16 < 8 ? 1.0 : -1.0;
        double beta[3] = {0.0, speed / WN_C * sqrt(1.0 - along * along),
                          speed / WN_C * along};
        double u[3] = {0.0, 0.0, wn_u_from_ev((double)e)}, g = wn_gamma(u);
        wn_boost(u, &g, beta, 1.0);
        rel = (float)wn_kinetic_ev(u, wn_gamma(u));
      }
      double p = gas_total(v, s, rel), excess = width > 0.0 ? p / width - 1.0
                                                : p > 0.0   ? INFINITY
                                                            : -1.0;
      if (excess > over)
        over = excess, worst_e = (double)e;
    }
    double total = wn_xs_table_frequency(t, -1, (double)e);
    top = fmax(top, total / v->nu_max);
    true_top = fmax(true_top, total);
  }
  int words = 1;
  for (size_t i = 0; i < (size_t)v->n_bins; i++) {
    const uint32_t *word = v->major + 2 * i;
    words = words && word[0] <= word[1] &&
            wn_xs_major(v, (int)i, 1) == word[1] * 0x1p-32 &&
            v->bin[i].major == word[1] &&
            (word[1] > 0 ? v->bin[i].free_time == (float)(1.0 / wn_xs_major(v, (int)i, 1))
                         : v->bin[i].free_time == 0.0f);
  }
  ok(words,
     "angle %d, %g K, %u: in all bins the words rise over the gases, and the record has "
     "the last and the free time that belongs to it",
     angle_model, temperature, per);
  ok(rising, "angle %d, %g K, %u: majorants rise over the gases and end at most at 1",
     angle_model, temperature, per);
  /* wn_mcc_collide counts a violation above 1 + 1e-6: the rounding of one float */
  ok(over <= 2e-7,
     "angle %d, %g K, %u: no gas passes its majorant, moving targets too: excess %.3g at "
     "%g eV, allowed 2e-7",
     angle_model, temperature, per, over, worst_e);
  ok(top <= 1.0 && top > (temperature > 0.0 ? 0.5 : 0.999),
     "angle %d, %g K, %u: total is at most %.6f nu_max", angle_model, temperature, per,
     top);
  wn_xs_table_free(t);
  clear_mixture(&m);
}

/* The momentum-transfer cross section of the set is kept: exactly at the edges of bins,
 * where the angular parameter is given; between them up to the bend of the ratio, which
 * is largest at knots of coarse tables like these. */
static void test_angles(void)
{
  for (int model = WN_ANGLE_OKHRIMOVSKYY; model <= WN_ANGLE_SCREENED_COULOMB; model++)
    for (int with = 0; with < 2; with++) {
      struct mixture m;
      make_mixture(&m, with);
      m.spec.angle_model = model;
      struct wn_xs_table *t = make_table(&m);
      const struct wn_xs_view *v = &t->view;
      double random = 0.0, edge = 0.0, integral_off = 0.0;
      int in_range = 1, worst_s = 0;
      double worst_e = 0.0;
      for (int i = 0; i < 40000; i++) {
        int at_edge = i & 1, bin = 2 + (int)(uniform() * (v->n_bins - 3));
        float e_ev = at_edge ? wn_xs_floor(v, bin) : (float)between(1e-3, 2.9e5);
        double e = (double)e_ev;
        for (int s = 0; s < 2; s++) {
          int k = s ? 6 : 0;
          double q = (double)wn_xs_angle(v, v->gas[s].angle, e_ev),
                 g = e / WN_MC2_EV + 1.0, beta2 = 1.0 - 1.0 / (g * g);
          double eta = q < 1.0 ? 0.5 * q / (1.0 - q) : INFINITY;
          double ratio = model == WN_ANGLE_OKHRIMOVSKYY
                             ? wn_angle_ratio(q)
                             : wn_angle_ratio_spin(fmin(eta, 301.0), beta2);
          double got = wn_xs_table_frequency(t, k, e), want = wanted(&m, k, e),
                 off = fabs(got * ratio / want - 1.0);
          in_range = in_range && q > 0.0 && q < 2.0;
          if (at_edge)
            edge = fmax(edge, off);
          else if (off > random)
            random = off, worst_e = e, worst_s = s;
          if (with && s == 0 && at_edge && e < 1e5) {
            const struct wn_xs_process *p = &m.set[0]->process[0];
            double sigma = wn_xs_sigma_total(m.set[0], p, e, WN_XS_BEYOND_POWER);
            /* with spin the largest ratio of the shape is the isotropic one, 4/3 (3/4 -
             * beta2/2)/(1 - beta2/2) */
            integral_off =
                fmax(integral_off,
                     fabs(got / (m.gas[0].density * sigma * wn_speed_from_ev(e)) - 1.0));
          }
        }
      }
      const char *name =
          model == WN_ANGLE_OKHRIMOVSKYY ? "okhrimovskyy" : "screened-coulomb";
      ok(in_range, "%s, integral %s: q in (0, 2)", name, with ? "known" : "unknown");
      ok(edge < 1e-6,
         "%s, integral %s: total times ratio is the momentum-transfer cross section at "
         "edges of bins, %.2g",
         name, with ? "known" : "unknown", edge);
      ok(random < 1e-2,
         "%s, integral %s: between them within %.2g (gas %d, %g eV), allowed 1e-2", name,
         with ? "known" : "unknown", random, worst_s, worst_e);
      if (with)
        ok(integral_off < 3e-3,
           "%s: and the total is the integral cross section, within %.2g, allowed 3e-3",
           name, integral_off);
      wn_xs_table_free(t);
      clear_mixture(&m);
    }
}

/* Status and message of a specification that must be refused. */
static void refused(const struct wn_xs_table_spec *spec, const char *word,
                    const char *what)
{
  static const char file[] = "t0220-table.tmp";
  char text[1024] = "";
  struct wn_xs_table *t = NULL;
  fflush(stderr);
  int keep = dup(2);
  FILE *f = fopen(file, "w+");
  if (keep < 0 || f == NULL || dup2(fileno(f), 2) < 0) {
    skip(2, "stderr cannot be caught");
    return;
  }
  int status = wn_xs_table_create(spec, &t);
  fflush(stderr);
  dup2(keep, 2);
  close(keep);
  rewind(f);
  size_t n = fread(text, 1, sizeof text - 1, f);
  text[n] = '\0';
  fclose(f);
  remove(file);
  is_int(status, WN_EINPUT, "%s: refused", what);
  ok(strstr(text, word) != NULL, "%s: the message says `%s`: %s", what, word,
     strtok(text, "\n"));
  wn_xs_table_free(t);
}

static void test_errors(void)
{
  struct mixture m;
  make_mixture(&m, 0);
  struct wn_xs_table_spec good = m.spec;
  m.spec.angle_model = WN_ANGLE_SCREENED_COULOMB;
  m.gas[1].atomic_number = 0.0;
  refused(&m.spec, "gas.components.He.atomic_number", "screened-coulomb without Z");
  m.spec = good;
  m.spec.share_model = WN_SHARING_RBEB;
  refused(&m.spec, "orbital", "rbeb without an orbital");
  m.spec = good;
  m.gas[0].mass = 0.0;
  refused(&m.spec, "gas.components.A.mass", "no mass");
  m.gas[0].mass = 28.0 * WN_AMU;
  m.gas[0].density = m.gas[1].density = 0.0;
  refused(&m.spec, "no collisions", "no collisions");
  clear_mixture(&m);
  make_mixture(&m, 0);
  struct wn_xs_set *bare = new_set("bare");
  add(bare, WN_XS_EXCITATION, "B", 1.0, 1.0, 2,
      (const double[][2]){{1.0, 0.0}, {2.0, 1.0}}, NULL);
  m.gas[1].set = bare;
  m.spec.angle_model = WN_ANGLE_OKHRIMOVSKYY;
  refused(&m.spec, "needs an elastic", "angular model without an elastic cross section");
  wn_xs_free(bare);
  clear_mixture(&m);
}

int main(void)
{
  plan(0);
  test_values();
  test_narrow();
  test_thresholds();
  test_order();
  test_normals();
  test_bound(WN_ANGLE_ISOTROPIC, 0.0, 64);
  test_bound(WN_ANGLE_ISOTROPIC, 300.0, 64);
  test_bound(WN_ANGLE_ISOTROPIC, 300.0, 16);
  test_bound(WN_ANGLE_OKHRIMOVSKYY, 5000.0, 128);
  test_bound(WN_ANGLE_SCREENED_COULOMB, 300.0, 1024);
  test_angles();
  test_errors();
  return done();
}
