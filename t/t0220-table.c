/* t0220-table.c - defends: the collision tables are the cross sections they are made of,
 * no process happens below its threshold, and the bound on the collision frequency is
 * one. The gases are made up here, with steps, gaps, a negative loss and an end of table;
 * what the tables should say is N sigma(E) v(E) from wn_xs_sigma, which t/t0200-0204
 * defend. */
#include "crosssections/xs_table.h"
#include "physics/angle.h"
#include "physics/constants.h"
#include "physics/kinematics.h"
#include "physics/push.h"
#include "physics/rng.h"
#include "src/base/error.h"
#include "t/tap/tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

#define ROWS(a) sizeof(a) / sizeof(a)[0], a

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

static void make_mixture(struct mixture *m, int with_integral)
{
  *m = (struct mixture){.set = {make_first(with_integral), make_second()}};
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

/* N sigma v of process k of the whole mixture (k < 0: the sum). */
static double wanted(const struct mixture *m, int k, double e)
{
  double sum = 0.0;
  int at = 0;
  for (int s = 0; s < 2; s++)
    for (size_t i = 0; i < m->set[s]->n; i++, at++)
      if (k < 0 || at == k)
        sum += m->gas[s].density *
               wn_xs_sigma(m->set[s], &m->set[s]->process[i], e, m->gas[s].beyond);
  return sum * wn_speed_from_ev(e);
}

/* Cumulative probability of the last process of gas s, as wn_mcc_collide reads it. */
static double gas_total(const struct wn_xs_view *v, int s, double e)
{
  uint32_t seg = wn_xs_segment(v, wn_xs_bin(v, e), e);
  const struct wn_gas_view *g = &v->gas[s];
  const float *row = g->row + (size_t)seg * (size_t)g->n * 2;
  return (double)(row[2 * g->n - 2] + row[2 * g->n - 1] * (float)(e - v->edge[seg]));
}

static double total_error(const struct wn_xs_table *t, const struct mixture *m)
{
  double worst = 0.0;
  state = 5;
  for (int i = 0; i < 20000; i++) {
    double e = between(1e-3, 2.9e5);
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
  double random = 0.0, knot = 0.0, sums = 0.0, at = 0.0;
  int k_worst = 0;
  /* Between the ends of its segment each process is a straight line; floats hold it to
   * 6e-8 of its gas's sum. */
  for (int i = 0; i < 100000; i++) {
    double e = between(v->e_min, 2.9e5), sum = 0.0;
    uint32_t seg = wn_xs_segment(v, wn_xs_bin(v, e), e);
    double lo = v->edge[seg], hi = nextafter(v->edge[seg + 1], 0.0),
           f = (e - lo) / (v->edge[seg + 1] - lo);
    for (int k = 0; k < 8; k++) {
      double got = wn_xs_table_frequency(t, k, e),
             want = (1.0 - f) * wanted(&m, k, lo) + f * wanted(&m, k, hi);
      double off = fabs(got - want) / v->nu_max;
      sum += got;
      if (off > random)
        random = off, at = e, k_worst = k;
    }
    sums = fmax(sums, fabs(sum / wn_xs_table_frequency(t, -1, e) - 1.0));
  }
  ok(random < 3e-7,
     "each process at 1e5 random energies: the line through N sigma v, to %.2g nu_max "
     "(allowed 3e-7; %g eV, %d)",
     random, at, k_worst);
  ok(sums < 1e-12, "the sum over processes is the total: %.2g, allowed 1e-12", sums);
  for (int s = 0; s < 2; s++)
    for (size_t i = 0; i < m.set[s]->n; i++)
      for (size_t j = 0; j < m.set[s]->process[i].n; j++)
        for (int side = 0; side < 2; side++) {
          double e = m.set[s]->process[i].energy_ev[j];
          if (e == 0.0)
            continue;
          e = side ? e : nextafter(e, 0.0);
          for (int k = 0; k < 8; k++)
            knot = fmax(knot, fabs(wn_xs_table_frequency(t, k, e) - wanted(&m, k, e)) /
                                  (wanted(&m, k, e) + 0.5 * v->nu_max));
        }
  ok(knot < 1e-6,
     "at and just below every knot of every table, steps too: within %.2g of nu_max, "
     "allowed 1e-6",
     knot);
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
    if (per > 16)
      ok(e < last / 8.0 || e < 3e-7,
         "%u bins an octave: error %.3g after %.3g, falls with the square", per, e, last);
    ok(per < 256 || e < 3e-5,
       "%u bins an octave: total within %.2g of itself, allowed 3e-5 from 256 on", per,
       e);
    last = e;
    ok(t->view.e_top >= 3e5 && t->view.e_top <= 3e5 * (1.0 + 1.0 / per),
       "%u bins an octave: top %.9g", per, t->view.e_top);
    int right = 1;
    for (int i = 0; i < 20000; i++) {
      double x = between(1e-6, 4e5);
      int bin = wn_xs_bin(&t->view, x);
      uint32_t s0 = t->view.bin_segment[bin], s1 = t->view.bin_segment[bin + 1],
               seg = wn_xs_segment(&t->view, bin, x);
      right = right && seg >= s0 && seg < s1 && t->view.edge[seg] <= x &&
              (x < t->view.edge[seg + 1] || x >= t->view.e_top);
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

static void test_thresholds(void)
{
  struct mixture m;
  make_mixture(&m, 0);
  struct wn_xs_table *t = make_table(&m);
  static const int k[] = {1, 2, 3, 4, 7};
  static const double e0[] = {4.2, 0.29, 7.35, 15.58, 19.8};
  for (int i = 0; i < 5; i++) {
    double most = 0.0, least = INFINITY, e = e0[i];
    for (int j = 0; j < 2000; j++) {
      most = fmax(most, fabs(wn_xs_table_frequency(
                            t, k[i], j < 10 ? nextafter(e, 0.0) : e * uniform())));
      least = fmin(least,
                   wn_xs_table_frequency(t, k[i], e * (1.0 + 0.02 * (j + 1) / 2000.0)));
    }
    ok(most == 0.0, "process %d: exactly 0 below %g eV, down to the next number: %g",
       k[i], e, most);
    ok(least > 0.0, "process %d: above 0 from %g eV on", k[i], e);
    int step = i == 0 || i == 2;
    double at = wn_xs_table_frequency(t, k[i], e), want = wanted(&m, k[i], e);
    if (step)
      is_close(at, want, 1e-5, "process %d: the whole step at its threshold", k[i]);
    else
      ok(at == 0.0, "process %d: 0 at its threshold", k[i]);
  }
  wn_xs_table_free(t);
  clear_mixture(&m);
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
    double e = i & 1 ? between(1e-5, 3e5)
                     : v->edge[1 + (size_t)(uniform() * (double)(t->n_segments - 1))];
    if (i % 4 == 0)
      e = nextafter(e, 0.0);
    int bin = wn_xs_bin(v, e);
    const double major[2] = {wn_xs_major(v, bin, 0), wn_xs_major(v, bin, 1)};
    rising = rising && major[0] >= 0.0 && major[1] >= major[0] && major[1] <= 1.0;
    for (int s = 0; s < 2; s++) {
      double rel = e, width = major[s] - (s ? major[0] : 0.0);
      if (v->gas[s].sigma_v > 0.0 && e < v->thermal_below_ev) {
        double speed = (i % 8 < 4 ? 1.0 : uniform()) * largest * v->gas[s].sigma_v,
               along = 2.0 * uniform() - 1.0;
        if (i % 8 < 2)
          along = i % 16 < 8 ? 1.0 : -1.0;
        double beta[3] = {0.0, speed / WN_C * sqrt(1.0 - along * along),
                          speed / WN_C * along};
        double u[3] = {0.0, 0.0, wn_u_from_ev(e)}, g = wn_gamma(u);
        wn_boost(u, &g, beta, 1.0);
        rel = wn_kinetic_ev(u, wn_gamma(u));
      }
      double p = gas_total(v, s, rel), excess = width > 0.0 ? p / width - 1.0
                                                : p > 0.0   ? INFINITY
                                                            : -1.0;
      if (excess > over)
        over = excess, worst_e = e;
    }
    double total = wn_xs_table_frequency(t, -1, e);
    top = fmax(top, total / v->nu_max);
    true_top = fmax(true_top, total);
  }
  int words = 1;
  for (size_t i = 0; i < (size_t)v->n_bins; i++) {
    const uint32_t *word = v->major + 2 * i;
    words = words && word[0] <= word[1] &&
            wn_xs_major(v, (int)i, 1) == word[1] * 0x1p-32 &&
            (word[1] > 0 ? v->free_time[i] == (float)(1.0 / wn_xs_major(v, (int)i, 1))
                         : v->free_time[i] == 0.0f);
  }
  ok(words,
     "angle %d, %g K, %u: in all bins the words rise over the gases, and the free time "
     "belongs to the last",
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
        double e = at_edge ? v->edge[v->bin_segment[bin]] : between(1e-3, 2.9e5);
        bin = wn_xs_bin(v, e);
        for (int s = 0; s < 2; s++) {
          int k = s ? 6 : 0;
          double q = wn_xs_angle(v, v->gas[s].angle, bin, e), g = e / WN_MC2_EV + 1.0,
                 beta2 = 1.0 - 1.0 / (g * g);
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
  test_thresholds();
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
