/* t0220-table.c - defends: the collision tables are the cross sections they are made of,
 * and no process happens below its threshold.  The gases are those of t/tap/mixture.h.
 *
 * Energies are floats, so everything is compared at energies that are; the last digit of
 * a float is 6e-8 of it. */
#include "crosssections/xs_table.h"
#include "physics/single_precision.h"
#include "t/tap/mixture.h"
#include "t/tap/tap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of the frequency of a gas: what a knot that does not cut may be off. */
#define KNOT 1e-5

/* The last edge at or below e, apart from wn_xs_segment. */
static size_t edge_below(const struct wn_xs_table *t, float e)
{
  size_t lo = 0, hi = t->view.n_segments + 1;
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

/* A process and the bin that an energy lies in, with the straight line through the bin,
 * which begins at the threshold where that is inside. */
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
  double lo = fmax((double)wn_xs_floor(v, bin),
                   (double)at_or_above(m->set[s]->process[i].threshold_ev)),
         hi = (double)below(wn_xs_floor(v, bin + 1));
  return (struct line){m, s, i, lo, hi, wanted_of(m, s, i, lo), wanted_of(m, s, i, hi)};
}

static double line_miss(const struct line *l, float e)
{
  double f = ((double)e - l->lo) / (l->hi - l->lo);
  return fabs(wanted_of(l->m, l->s, l->i, (double)e) - (1.0 - f) * l->low - f * l->high);
}

/* By how much of the frequency of the gas the line misses a knot, on either side. */
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
        if (e < v->e_min || e >= v->e_top || e <= p->threshold_ev)
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
        double ends = fmax(line_miss(&l, fmaxf(v->edge[seg], (float)l.lo)),
                           line_miss(&l, below(v->edge[seg + 1])));
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

/* Every edge inside a bin has its reason: a knot of a process that must cut this bin,
 * above its threshold. */
static void check_edges(const struct wn_xs_table *t, const struct mixture *m,
                        const char *name)
{
  const struct wn_xs_view *v = &t->view;
  int idle = 0, n = 0;
  for (size_t at = 1; at < t->view.n_segments; at++) {
    float f = v->edge[at];
    int reason = wn_xs_floor(v, wn_xs_bin(v, f)) == f;
    n += !reason;
    for (int s = 0; s < 2; s++)
      for (size_t i = 0; i < m->set[s]->n && !reason; i++) {
        const struct wn_xs_process *p = &m->set[s]->process[i];
        for (size_t j = 0; j < p->n && !reason; j++)
          if (at_or_above(p->energy_ev[j]) == f && p->energy_ev[j] > p->threshold_ev) {
            struct line l = line_through(t, m, s, i, p->energy_ev[j]);
            reason = cuts(&l);
          }
      }
    idle += !reason;
  }
  ok(n > 0 && idle == 0, "%s: of %d edges inside bins %d have no reason", name, n, idle);
}

/* The segments of all bins, on both sides of every edge, at random energies in the bins
 * that have parts, and their lower edges. */
static void check_segments(const struct wn_xs_table *t, const char *name)
{
  const struct wn_xs_view *v = &t->view;
  int found = 1, bins = 1, cut = 1, kind[3] = {0, 0, 0};
  float lower;
  for (size_t i = 0; i <= v->n_segments; i++) {
    float e = v->edge[i];
    if (i < v->n_segments) {
      found = found && wn_xs_segment(v, e, &lower) == i && lower == e;
      float last = below(v->edge[i + 1]), middle = 0.5f * (e + last);
      found = found && wn_xs_segment(v, middle, &lower) == i && lower == e;
      found = found && wn_xs_segment(v, last, &lower) == i && lower == e;
    } else /* what is above the top belongs to the last */
      found = found && wn_xs_segment(v, e, &lower) == i - 1 && lower == v->edge[i - 1];
  }
  for (int i = 0; i < v->n_bins; i++) {
    const struct wn_xs_bin_view *b = &v->bin[i];
    float e = wn_xs_floor(v, i), end = wn_xs_floor(v, i + 1);
    size_t first = edge_below(t, e), n = edge_below(t, below(end)) - first + 1;
    bins = bins && v->edge[first] == e && wn_xs_bin(v, e) == i &&
           wn_xs_bin(v, below(end)) == i;
    cut = cut && (n > 2 ? b->cut == -1.0f && b->segment + 16 <= v->n_parts
                        : b->segment == first && (n == 1 ? isinf(b->cut) && b->cut > 0.0f
                                                         : b->cut == v->edge[first + 1]));
    kind[n < 3 ? n - 1 : 2]++;
    for (int j = 0; j < 1000 && n > 2; j++) {
      float x = fminf(e + (float)uniform() * (end - e), below(end));
      size_t want = edge_below(t, x);
      found = found && wn_xs_segment(v, x, &lower) == want && lower == v->edge[want];
    }
  }
  ok(bins && (double)v->edge[v->n_segments] == v->e_top &&
         (double)wn_xs_floor(v, 1) == v->e_min,
     "%s: the bins begin and end at edges, and their energies find them", name);
  ok(cut && kind[0] > 0 && kind[1] > 0 && kind[2] > 0,
     "%s: cut says one segment (%d bins), two (%d), more (%d)", name, kind[0], kind[1],
     kind[2]);
  ok(found,
     "%s: segment and its lower edge at all %u edges, just below and midway between "
     "them, "
     "and everywhere in bins of parts",
     name, v->n_segments + 1);
}

/* Between the ends of its segment, or its threshold and the upper end, each process is a
 * straight line; floats hold it to 6e-8. */
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
    double end = (double)v->edge[seg + 1], hi = (double)below(v->edge[seg + 1]);
    for (int k = 0; k < v->n_processes; k++) {
      double lo = fmax((double)v->edge[seg],
                       (double)wn_xs_table_process(t, k)->threshold_ev),
             f = ((double)e - lo) / (end - lo);
      double got = wn_xs_table_frequency(t, k, (double)e),
             want = (double)e < lo ? 0.0
                                   : (1.0 - f) * wanted(m, k, lo) + f * wanted(m, k, hi);
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
  draw_state = 5;
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
      float x = (float)between(1e-6, 4e5), lower;
      uint32_t seg = wn_xs_segment(&t->view, x, &lower);
      right =
          right &&
          seg == (x < (float)t->view.e_top ? edge_below(t, x) : t->view.n_segments - 1) &&
          lower == t->view.edge[seg];
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

/* A threshold between two floats is the upper of them.  It cuts no bin. */
static void check_threshold(const struct wn_xs_table *t, const struct mixture *m, int k,
                            double threshold, int step)
{
  const struct wn_xs_view *v = &t->view;
  float e = at_or_above(threshold);
  double most = 0.0;
  for (int j = 0; j < 2000; j++) {
    float x = j < 10 ? below(e) : fminf((float)(threshold * uniform()), below(e));
    most = fmax(most, fabs(wn_xs_table_frequency(t, k, (double)x)));
  }
  if (threshold >= v->e_top) {
    most = fmax(most, fabs(wn_xs_table_frequency(t, k, (double)below((float)v->e_top))));
    ok(most == 0.0 && v->edge[t->view.n_segments] < e,
       "process %d: nothing of it, %.9g eV is above the top", k, threshold);
    return;
  }
  ok(wn_xs_table_process(t, k)->threshold_ev == e && most == 0.0,
     "process %d: it begins at %.17g eV, and is exactly 0 below, down to the float "
     "before "
     "it: %g",
     k, threshold, most);
  double at = wn_xs_table_frequency(t, k, (double)e), want = wanted(m, k, (double)e);
  if (step)
    is_close(at, want, 1e-5, "process %d: the whole step at its threshold", k);
  else
    is_near(at, want, 1e-7 * want,
            "process %d: at its threshold what it is at that float", k);
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

/* process[] has each process of each gas once, the commonest of all first: the sum of
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
    int once = 1, same = 1, falls = 1, moved = 0, mixed = 0, n_first = (int)m.set[0]->n;
    double before = INFINITY;
    for (int i = 0; i < v->n_processes; i++) {
      int n = 0, s = i >= n_first;
      for (int j = 0; j < v->n_processes; j++)
        n += v->process[j].index == i;
      const struct wn_process_view *p = wn_xs_table_process(t, i);
      const struct wn_xs_process *q = &m.set[s]->process[s ? i - n_first : i];
      once = once && n == 1 && p->index == i;
      same = same && p->gas == s &&
             p->kind == (q->kind == WN_XS_ELASTIC      ? WN_PROC_ELASTIC
                         : q->kind == WN_XS_IONIZATION ? WN_PROC_IONIZATION
                         : q->kind == WN_XS_ATTACHMENT ? WN_PROC_ATTACHMENT
                                                       : WN_PROC_EXCITATION) &&
             p->threshold_ev == at_or_above(q->threshold_ev) &&
             p->loss_ev == q->loss_ev && p->b_ev == q->orbital.b_ev &&
             fabs((double)p->loss * WN_UNIT_EV - q->loss_ev) <= 6e-8 * fabs(q->loss_ev);
      int here = v->process[i].index;
      double sum = 0.0;
      for (int j = -16; j <= 14; j++)
        sum += wanted(&m, here, exp2(0.25 * j));
      falls = falls && (sum < before ||
                        (sum == before && i > 0 && here > v->process[i - 1].index));
      before = sum;
      moved += here != i;
      mixed += i > 0 && v->process[i].gas < v->process[i - 1].gas;
    }
    ok(once && v->n_processes == n_first + (int)m.set[1]->n,
       "%s: process[] has every process of the gases once, and each is found by its "
       "index",
       name);
    ok(same, "%s: gas, kind, threshold, loss and binding energy are those of the set",
       name);
    ok(falls && moved > 0 && mixed > 0, "%s: the commonest first; %d moved", name, moved);
    wn_xs_table_free(t);
    clear_mixture(&m);
  }
}

int main(void)
{
  plan(0);
  draw_state = 220;
  test_values();
  test_narrow();
  test_thresholds();
  test_order();
  return done();
}
