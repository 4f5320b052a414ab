/* t0150-ion.c - defends: a collision of physics/ion.h conserves energy (the atom
 * takes the momentum) and
 * sends the relative velocity where it says, for any masses; atoms are drawn from their
 * Maxwellian; a flight is exact; a table of crosssections/xs_ion.c gives the cross sections
 * that it is made of, in either frame, and its bound is one; what a collision takes is
 * counted by the weight of the ion.
 *
 * References: the laws of an elastic collision in double precision; moments of a normal
 * distribution, within 4.5 of their standard errors (false alarm 7e-6 a check, were the
 * seed not fixed); N sigma(g) g by hand. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "crosssections/xs_ion.h"
#include "particles/tally.h"
#include "physics/ion.h"
#include "t/tap/capture.h"
#include "t/tap/draw.h"
#include "t/tap/ions.h"
#include "t/tap/tap.h"

/* ---- kinematics */

/* Largest errors over many collisions, in units of what they are compared with. */
struct worst {
  double speed, energy, along;
};

static struct worst collide(int kind, double m, double target)
{
  struct worst w = {0};
  for (int n = 0; n < 20000; n++) {
    float v[3], atom[3], g[3], after[3];
    double speed = between(10.0, 1e5), square = 0.0, out = 0.0, dot = 0.0, e0 = 0.0,
           e1 = 0.0;
    for (int i = 0; i < 3; i++) {
      v[i] = (float)(speed * (2.0 * uniform() - 1.0));
      atom[i] = (float)(400.0 * (2.0 * uniform() - 1.0));
      g[i] = v[i] - atom[i];
      after[i] = v[i];
      square += (double)g[i] * (double)g[i];
    }
    wn_ion_scatter(kind, (float)(target / (m + target)), g, sqrtf(wn_dot_f(g, g)),
                   (uint32_t)word64(), (uint32_t)word64(), after);
    for (int i = 0; i < 3; i++) {
      /* the atom takes what the ion leaves */
      const double other =
          (double)atom[i] - m / target * ((double)after[i] - (double)v[i]);
      const double h = (double)after[i] - other;
      out += h * h;
      dot += h * (double)g[i];
      e0 += m * (double)v[i] * (double)v[i] + target * (double)atom[i] * (double)atom[i];
      e1 += m * (double)after[i] * (double)after[i] + target * other * other;
    }
    w.speed = fmax(w.speed, fabs(sqrt(out / square) - 1.0));
    w.energy = fmax(w.energy, fabs(e1 - e0) / e0);
    w.along = fmax(w.along, fabs(dot / square + 1.0));
  }
  return w;
}

static void test_kinematics(void)
{
  static const double ratio[] = {0.1, 1.0, 3.9, 30.0}; /* m/M */
  for (size_t i = 0; i < sizeof ratio / sizeof ratio[0]; i++) {
    const struct worst iso = collide(WN_ION_ISOTROPIC, ratio[i], 1.0),
                       back = collide(WN_ION_BACKSCATTER, ratio[i], 1.0);
    /* rounding of v to 6e-8, magnified by (m + M)/M where the ion is heavy */
    const double tol = 1e-6 * (1.0 + ratio[i]);
    is_near(iso.speed, 0.0, tol, "m/M %g, isotropic: the relative speed is kept",
            ratio[i]);
    is_near(iso.energy, 0.0, tol, "m/M %g, isotropic: so is the energy of both",
            ratio[i]);
    is_near(back.speed, 0.0, tol, "m/M %g, backscatter: the relative speed is kept",
            ratio[i]);
    is_near(back.along, 0.0, tol, "m/M %g, backscatter: and reversed", ratio[i]);
    is_near(back.energy, 0.0, tol, "m/M %g, backscatter: the energy of both is kept",
            ratio[i]);
  }
}

/* The direction is uniform: mean of each component 0, of its square 1/3. */
static void test_isotropy(void)
{
  enum { N = 1000000 };
  double sum[3] = {0}, square[3] = {0};
  for (int n = 0; n < N; n++) {
    const float g[3] = {0.0f, 0.0f, 1.0f};
    float v[3] = {0.0f, 0.0f, 1.0f}; /* part 1: v becomes d */
    wn_ion_scatter(WN_ION_ISOTROPIC, 1.0f, g, 1.0f, (uint32_t)word64(),
                   (uint32_t)word64(), v);
    for (int i = 0; i < 3; i++) {
      sum[i] += (double)v[i];
      square[i] += (double)v[i] * (double)v[i];
    }
  }
  /* variances: 1/3, and 1/5 - 1/9 = 4/45 */
  for (int i = 0; i < 3; i++) {
    is_near(sum[i] / N, 0.0, 4.5 * sqrt(1.0 / 3.0 / N), "isotropic: axis %d, mean", i);
    is_near(square[i] / N, 1.0 / 3.0, 4.5 * sqrt(4.0 / 45.0 / N),
            "isotropic: axis %d, square", i);
  }
}

static void test_target(void)
{
  enum { N = 1000000 };
  double s1[3] = {0}, s2[3] = {0}, s4[3] = {0}, cross = 0.0, most = 0.0;
  for (int n = 0; n < N; n++) {
    struct wn_rng4 w;
    float v[3];
    for (int i = 0; i < 4; i++)
      w.w[i] = (uint32_t)word64();
    wn_ion_target(2.0f, &w, v);
    for (int i = 0; i < 3; i++) {
      const double x = 0.5 * (double)v[i];
      s1[i] += x;
      s2[i] += x * x;
      s4[i] += x * x * x * x;
      most = fmax(most, fabs(x));
    }
    cross += 0.25 * (double)v[0] * (double)v[1];
  }
  /* variances of x, x^2, x^4, xy: 1, 2, 105 - 9, 1 */
  for (int i = 0; i < 3; i++) {
    is_near(s1[i] / N, 0.0, 4.5 * sqrt(1.0 / N), "atoms: axis %d, mean", i);
    is_near(s2[i] / N, 1.0, 4.5 * sqrt(2.0 / N), "atoms: axis %d, square", i);
    is_near(s4[i] / N, 3.0, 4.5 * sqrt(96.0 / N), "atoms: axis %d, fourth power", i);
  }
  is_near(cross / N, 0.0, 4.5 * sqrt(1.0 / N), "atoms: two axes are independent");
  ok(most < 5.8, "atoms: none beyond 5.8 sigma (%g)", most);
}

/* ---- flights */

static void test_flight(void)
{
  struct wn_ion m = {.mass = 40.0 * WN_AMU, .charge = WN_E};
  struct wn_ion_reg r = {.v = {300.0f, -200.0f, 50.0f}, .a = {1e10f, 0.0f, -3e9f}};
  const double dt = 3e-8;
  wn_ion_prepare(&m);
  r.energy = wn_ion_energy(&m, r.v);
  const double before = (double)r.energy;
  for (int n = 0; n < 10; n++)
    wn_ion_fly(&m, &r, (float)(0.1 * dt));
  is_close((double)r.moved[0], 300.0 * dt + 0.5e10 * dt * dt, 1e-6, "flight: x");
  is_close((double)r.moved[1], -200.0 * dt, 1e-6, "flight: y");
  is_close((double)r.v[2], 50.0 - 3e9 * dt, 1e-6, "flight: v_z");
  is_close((double)r.gained,
           m.mass * (1e10 * (double)r.moved[0] - 3e9 * (double)r.moved[2]) / WN_E, 2e-6,
           "flight: the work of the field");
  is_near((double)r.energy - before, (double)r.gained, 1e-6 * (double)r.energy,
          "flight: is what the ion gained");
}

/* ---- tables */

static double sigma_of(double e_ev) /* m2, with a bend and a peak */
{
  return 3e-19 / (1.0 + e_ev) + 1e-19 * exp(-pow(log(e_ev / 2.0), 2.0));
}

static double rarer(double e_ev)
{
  return 0.3 * sigma_of(0.5 * e_ev);
}

#define TOP 64.0 /* eV, an edge */

static struct wn_xs_set *bent_set(enum wn_xs_frame frame, double per_cm)
{
  struct wn_xs_set *set = ions_set("X+", "X", 20.0, 30.0);
  ions_add(set, WN_XS_ISOTROPIC, rarer, TOP, per_cm);
  ions_add(set, WN_XS_BACKSCATTER, sigma_of, TOP, per_cm);
  set->frame = frame;
  return set;
}

/* At N = 3e21 m-3 and 300 K; NULL: refused. */
static struct wn_xs_ion_table *bent_table(const struct wn_xs_set *set)
{
  struct wn_xs_ion_gas gas = {.set = set, .density = 3e21};
  const struct wn_xs_ion_spec spec = {.n_gases = 1,
                                      .gas = &gas,
                                      .temperature = 300.0,
                                      .bins_per_octave = 64,
                                      .e_max_ev = 40.0};
  struct wn_xs_ion_table *t = NULL;
  is_int(wn_xs_ion_table_create(&spec, &t), WN_OK, "a table");
  return t;
}

static void test_table(enum wn_xs_frame frame)
{
  const char *name = frame == WN_XS_FRAME_CM ? "centre of mass" : "laboratory";
  const double n = 3e21, reduced = 12.0 * WN_AMU;
  struct wn_xs_set *set = bent_set(frame, frame == WN_XS_FRAME_CM ? 1.0 : 50.0 / 30.0);
  struct wn_xs_ion_table *t = bent_table(set);
  double worst = 0.0, most = 0.0;
  if (t == NULL)
    return;
  for (int i = 0; i < 200000; i++) {
    const double e = between(2e-6, 39.9), g = sqrt(2.0 * e * WN_E / reduced);
    const double got = wn_xs_ion_frequency(t, 1, e), iso = wn_xs_ion_frequency(t, 0, e);
    worst = fmax(worst, fabs(got / (n * sigma_of(e) * g) - 1.0));
    worst = fmax(worst, fabs(iso / (n * rarer(e) * g) - 1.0));
    most = fmax(most, got + iso);
  }
  is_near(worst, 0.0, 1e-4, "%s: N sigma(g) g at any energy", name);
  ok(most <= t->view.nu_max && most > 0.999 * t->view.nu_max,
     "%s: the bound %g is the largest of them (%g)", name, t->view.nu_max, most);
  is_close((double)t->view.gas[0].part, 0.6, 1e-6, "%s: M/(m + M)", name);
  is_close((double)t->view.gas[0].sigma_v, sqrt(WN_KB * 300.0 / (30.0 * WN_AMU)), 1e-6,
           "%s: thermal velocity", name);
  is_close((double)t->view.gas[0].per_square, 0.5 * reduced / WN_E, 1e-6,
           "%s: energy of the relative motion", name);
  is_close((double)t->view.limit_ev, TOP, 1e-6, "%s: the tables end where they end",
           name);
  wn_xs_ion_table_free(t);
  wn_xs_free(set);
}

/* What collisions count, and take, for ions of a weight. */
static void test_tally(void)
{
  const struct wn_tally_shape shape = {.n_groups = 1, .n_processes = 2};
  const float weight = 2.5f;
  struct wn_xs_set *set = bent_set(WN_XS_FRAME_CM, 1.0);
  struct wn_xs_ion_table *t = bent_table(set);
  struct wn_tally tally;
  double lost = 0.0, room = 0.0, n_real = 0.0;
  if (t == NULL || !is_int(wn_tally_init(&tally, &shape), WN_OK, "and a tally"))
    return;
  struct wn_ion m = {.mass = 20.0 * WN_AMU, .charge = WN_E, .xs = t->view};
  m.key = wn_rng_key(150);
  wn_ion_prepare(&m);
  for (uint64_t id = 0; id < 2000; id++) {
    struct wn_ion_reg r = {.v = {(float)between(500.0, 1.5e4), 0.0f, 0.0f}};
    const float before = r.energy = wn_ion_energy(&m, r.v);
    wn_ion_candidate(&m, &r, id, 0, weight, 0, &tally);
    lost += (double)weight * (double)(before - r.energy);
    room += (double)weight * (double)before;
    n_real += r.n_real;
  }
  ok(n_real > 500.0, "%.0f collisions", n_real);
  is_close((double)(tally.count[0] + tally.count[1]) / WN_FIX_WEIGHT,
           (double)weight * n_real, 1e-9, "are counted by weight");
  is_near((double)(tally.lost[0] + tally.lost[1]) / WN_FIX_ENERGY, lost, 1e-6 * room,
          "so is the energy that they take");
  wn_tally_clear(&tally);
  wn_xs_ion_table_free(t);
  wn_xs_free(set);
}

static void refused(const struct wn_xs_ion_spec *spec, const char *with)
{
  struct wn_xs_ion_table *t = NULL;
  capture();
  const int status = wn_xs_ion_table_create(spec, &t);
  const char *said = captured();
  ok(status == WN_EINPUT && strstr(said, with) != NULL, "refused: %s (%s)", with, said);
}

static void test_refused(void)
{
  struct wn_xs_set *set = bent_set(WN_XS_FRAME_CM, 1.0);
  struct wn_xs_ion_gas gas = {.set = set, .density = 1e21};
  struct wn_xs_ion_spec spec = {
      .n_gases = 1, .gas = &gas, .bins_per_octave = 64, .e_max_ev = 40.0};
  char *ion = set->ion;
  spec.ion_mass = 40.0 * WN_AMU;
  refused(&spec, "the ion has 20 u there, and 40 u here");
  spec.ion_mass = 0.0;
  set->ion_mass = 0.0;
  refused(&spec, "the mass of the ion is unknown");
  set->ion_mass = 20.0 * WN_AMU;
  set->target_mass = 0.0;
  refused(&spec, "the mass of the target is unknown");
  set->ion = NULL;
  refused(&spec, "cross sections of electrons");
  set->ion = ion;
  wn_xs_free(set);
}

int main(void)
{
  draw_state = 15;
  plan(0);
  test_kinematics();
  test_isotropy();
  test_target();
  test_flight();
  test_table(WN_XS_FRAME_CM);
  test_table(WN_XS_FRAME_LAB);
  test_tally();
  test_refused();
  return done();
}
