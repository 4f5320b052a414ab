/* t0221-table-bound.c - defends: the bound on the collision frequency is one, for targets
 * that move too; the levels of a thermal velocity; the angular parameter keeps the
 * momentum-transfer cross section; what a table cannot be made of is refused.  The gases
 * are those of t/tap/mixture.h. */
#include "base/error.h"
#include "crosssections/xs_table.h"
#include "physics/angle.h"
#include "physics/constants.h"
#include "physics/kinematics.h"
#include "physics/push.h"
#include "t/tap/capture.h"
#include "t/tap/mixture.h"
#include "t/tap/tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* WN_FEW=1: for valgrind, which takes fifty times as long. */
static int few(void)
{
  return getenv("WN_FEW") != NULL;
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

/* Upper bound of processes 0..k in a bin, as a word; -1: 0. */
static uint32_t bound(const struct wn_xs_view *v, int bin, int k)
{
  return k < 0 ? 0 : v->major[k / 4 * v->n_bins + bin].w[k % 4];
}

/* Relative energy of an electron and a target that moves with `speed` [m/s], `along` the
 * cosine between them. */
static float relative(float e, double speed, double along)
{
  double beta[3] = {0.0, speed / WN_C * sqrt(1.0 - along * along), speed / WN_C * along};
  double u[3] = {0.0, 0.0, wn_u_from_ev((double)e)}, g = wn_gamma(u);
  wn_boost(u, &g, beta, 1.0);
  return (float)wn_kinetic_ev(u, wn_gamma(u));
}

/* What a process has more than its width in the bin of an electron, of itself. */
static double excess_of(const struct wn_xs_view *v, int k, float e, float rel)
{
  int bin = wn_xs_bin(v, e);
  double width = (bound(v, bin, k) - bound(v, bin, k - 1)) * 0x1p-32,
         p = (double)wn_xs_probability(v, k, v->process[k].threshold_ev, rel);
  return width > 0.0 ? p / width - 1.0 : p > 0.0 ? INFINITY : -1.0;
}

/* The same, where rounding makes the relative energy up to 9e-5 lower or higher. */
static double excess_about(const struct wn_xs_view *v, int k, float e, float rel)
{
  double over = excess_of(v, k, e, rel);
  over = fmax(over, excess_of(v, k, e, rel * (1.0f - 9e-5f)));
  return fmax(over, excess_of(v, k, e, rel * (1.0f + 9e-5f)));
}

/* Every process in every bin: at the ends of the bin and of the segments in it, and seen
 * from targets as fast as they come, towards the electron and away from it. */
static double every_bin(const struct wn_xs_table *t, double largest)
{
  const struct wn_xs_view *v = &t->view;
  double over = -1.0;
  for (uint32_t j = 0; j < v->n_segments; j++)
    for (int side = 0; side < 2; side++) {
      float e = side ? below(v->edge[j + 1]) : v->edge[j];
      for (int k = 0; k < v->n_processes; k++) {
        double speed = e < v->thermal_below_ev
                           ? largest * (double)v->gas[v->process[k].gas].sigma_v
                           : 0.0;
        if (e * (1.0f + 9e-5f) < (float)v->e_top)
          over = fmax(over, excess_about(v, k, e, e));
        for (int sign = -1; sign < 2 && speed > 0.0; sign += 2)
          over = fmax(over, excess_about(v, k, e, relative(e, speed, (double)sign)));
      }
    }
  return over;
}

/* No width is so much larger than needed that candidates are wasted: in all bins whose
 * electrons meet targets at rest it is what the process has in that bin and 1e-4 beside
 * it, but for what bounds are rounded up by.  Returns the most above that. */
static double waste(const struct wn_xs_table *t)
{
  const struct wn_xs_view *v = &t->view;
  double most = 0.0;
  uint32_t first = 0;
  for (int bin = 0; bin < v->n_bins; bin++) {
    float lo = wn_xs_floor(v, bin), hi = wn_xs_floor(v, bin + 1);
    if (lo < v->thermal_below_ev)
      continue;
    lo = lo * (1.0f - 1.001e-4f) - 1e-6f;
    hi = hi * (1.0f + 1.001e-4f) + 1e-6f;
    while (v->edge[first + 1] < lo)
      first++;
    for (int k = 0; k < v->n_processes; k++) {
      double p = 0.0, width = (bound(v, bin, k) - bound(v, bin, k - 1)) * 0x1p-32;
      for (uint32_t i = first; i < v->n_segments && v->edge[i] <= hi; i++) {
        const struct wn_xs_line *line = &v->row[(uint32_t)k * v->n_segments + i];
        float from = fmaxf(v->edge[i], v->process[k].threshold_ev),
              left = fmaxf(from, lo), right = fminf(v->edge[i + 1], hi);
        if (left > right)
          continue;
        p = fmax(p, (double)line->at + (double)line->slope * (double)(left - from));
        p = fmax(p, (double)line->at + (double)line->slope * (double)(right - from));
      }
      most = fmax(most, (width - 0x1p-32) - p * (1.0 + 3e-6));
    }
  }
  return most;
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
  double top = 0.0, over = -1.0, worst_e = 0.0;
  const int n_energies = few() ? 8000 : 400000;
  for (int i = 0; i < n_energies; i++) {
    /* an energy, half of them next to an edge of a segment, and a target that moves with
     * up to the largest drawn speed */
    float e = i & 1 ? (float)between(1e-5, 3e5)
                    : v->edge[1 + (size_t)(uniform() * (double)(v->n_segments - 1))];
    if (i % 4 == 0)
      e = below(e);
    double part = i % 8 < 4 ? 1.0 : uniform(), along = 2.0 * uniform() - 1.0;
    if (i % 8 < 2)
      along = i % 16 < 8 ? 1.0 : -1.0;
    for (int k = 0; k < v->n_processes; k++) {
      double speed = part * largest * (double)v->gas[v->process[k].gas].sigma_v;
      float rel = speed > 0.0 && e < v->thermal_below_ev ? relative(e, speed, along) : e;
      double excess = excess_of(v, k, e, rel);
      if (excess > over)
        over = excess, worst_e = (double)e;
    }
    top = fmax(top, wn_xs_table_frequency(t, -1, (double)e) / v->nu_max);
  }
  int rising = 1, words = 1, last = v->n_processes - 1, end = 4 * (int)wn_xs_fours(v) - 1;
  for (int i = 0; i < v->n_bins; i++) {
    uint32_t sum = bound(v, i, last);
    for (int k = 0; k <= end; k++)
      rising = rising && (k <= last ? bound(v, i, k) >= bound(v, i, k - 1)
                                    : bound(v, i, k) == UINT32_MAX);
    words = words && v->top[i].major == sum &&
            v->top[i].free_time == (sum > 0 ? (float)(0x1p32 / (double)sum) : 0.0f);
  }
  ok(words,
     "angle %d, %g K, %u: the record of every bin has the last word and the free time "
     "that belongs to it",
     angle_model, temperature, per);
  ok(rising,
     "angle %d, %g K, %u: majorants rise over the processes of every bin, and what is "
     "beyond them is never chosen",
     angle_model, temperature, per);
  /* wn_mcc_collide counts a violation above 1 + 1e-6: the rounding of one float */
  ok(over <= 2e-7,
     "angle %d, %g K, %u: no process passes its majorant, moving targets too: excess "
     "%.3g "
     "at %g eV, allowed 2e-7",
     angle_model, temperature, per, over, worst_e);
  over = every_bin(t, largest);
  ok(over <= 2e-7,
     "angle %d, %g K, %u: nor in any bin, with targets at their fastest and "
     "energies off by 9e-5: %.3g",
     angle_model, temperature, per, over);
  double wasted = waste(t);
  ok(wasted <= 0.0,
     "angle %d, %g K, %u: and no majorant is larger than that needs: %.3g of nu_max too "
     "large",
     angle_model, temperature, per, wasted);
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
      for (int i = 0; i < (few() ? 1000 : 40000); i++) {
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
  struct wn_xs_table *t = NULL;
  capture();
  int status = wn_xs_table_create(spec, &t);
  char *text = captured();
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
  draw_state = 220;
  test_normals();
  test_bound(WN_ANGLE_ISOTROPIC, 0.0, 64);
  test_bound(WN_ANGLE_ISOTROPIC, 300.0, 64);
  test_bound(WN_ANGLE_ISOTROPIC, 300.0, 16);
  test_bound(WN_ANGLE_OKHRIMOVSKYY, 5000.0, 128);
  test_bound(WN_ANGLE_SCREENED_COULOMB, 300.0, few() ? 32 : 1024);
  test_angles();
  test_errors();
  return done();
}
