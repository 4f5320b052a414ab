/* t0220-table.c - defends: the collision tables are the cross sections they are made of,
 * and no process happens below its threshold.  The gases are those of t/tap/mixture.h.
 *
 * Energies are floats, so everything is compared at energies that are; the last digit of
 * a float is 6e-8 of it, and of the sum of its gas in the rows. */
#include "crosssections/xs_table.h"
#include "physics/single.h"
#include "t/tap/mixture.h"
#include "t/tap/tap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define KNOT                                                                             \
  1e-5 /* of the frequency of a gas: what a knot that does not cut may be off */

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

int main(void)
{
  plan(0);
  test_values();
  test_narrow();
  test_thresholds();
  test_order();
  return done();
}
