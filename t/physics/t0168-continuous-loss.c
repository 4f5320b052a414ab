/* t0168-continuous-loss.c - defends: losses along the flight (physics/continuous_loss.h) in model mcc.  In N2 where nothing else
 * happens energy, way and integral of the energy are those of the ordinary differential equation, to second order in the step;
 * the tallies have what was lost; the mean cosine is that of many small free collisions; no flight leaves the energies of which its band
 * knows.  With all collisions beams of 100 keV are those of small quanta.
 *
 * Equation: dE/dt = -sum of frequency times quantum, of the tables, by Runge and Kutta in many steps.  Mean cosine: a
 * loss dE turns by 1 - cos = (1/2) sin^2 = mc^2 dE/(T (T + 2 mc^2)), so that
 * <cos> = [T1 (T0 + 2 mc^2)/(T0 (T1 + 2 mc^2))]^(1/2) from T0 to T1.
 * Fixed seeds, errors from the run's own scatter, 4.5 sigma. */
#include "base/error.h"
#include "crosssections/xs_moliere.h"
#include "crosssections/xs_join.h"
#include "crosssections/xs_moller.h"
#include "crosssections/xs_set.h"
#include "particles/tally.h"
#include "physics/continuous_loss.h"
#include "physics/mcc.h"
#include "physics/push.h"
#include "t/tap/fast_electrons.h"
#include "t/tap/tap.h"

#include <math.h>
#include <stdlib.h>

#define DENSITY 2.6868e25
#define SEED    168
#define SIGMAS  4.5
#define FROM_EV 10e3

/* alone: other collisions hardly happen.  Removal below 12 keV. */
static void make(struct fast_electrons *g, int continuous, double quantum_ev, int alone)
{
  const struct wn_moller_model moller = {5e3, FROM_EV, wn_density_effect_air(DENSITY)};
  struct wn_xs_set *set = fast_nitrogen();
  fast_must(wn_xs_set_moller(set, &moller, quantum_ev) == WN_OK);
  for (size_t i = 0; i < set->n && alone; i++) {
    struct wn_xs_process *p = &set->process[i];
    for (size_t k = 0; k < p->n; k++)
      p->sigma[k] *= p->kind == WN_XS_FRICTION  ? 1.0
                     : p->kind == WN_XS_ELASTIC ? 1e-12
                                                : 0.0;
  }
  const struct wn_xs_table_spec spec = {.angle_model = WN_ANGLE_SCREENED_COULOMB,
                                        .share_model = WN_SHARING_MOLLER,
                                        .moller = moller,
                                        .grouped_from_ev = 10e3,
                                        .grouped_angle = 20.0 * WN_PI / 180.0,
                                        .continuous = continuous,
                                        .bins_per_octave = 128,
                                        .e_max_ev = 1e8};
  fast_begin(g, set, DENSITY, wn_xs_set_mass(set), &spec, SEED, 12e3);
}

/* The index of the process friction. */
static int friction_of(const struct fast_electrons *g)
{
  int k = 0;
  while (g->set->process[k].kind != WN_XS_FRICTION)
    k++;
  return k;
}

static void clear(struct fast_electrons *g)
{
  is_int((int)g->tally.alarms->n_violations, 0, "no bound was exceeded");
  fast_end(g);
}

/* ---- the equation: energy, way and integral of the energy after a time */

static double power(const struct fast_electrons *g, double t_ev)
{
  return wn_xs_table_frequency(g->table, friction_of(g), t_ev) *
         wn_xs_table_process(g->table, friction_of(g))->loss_ev;
}

static double solve(const struct fast_electrons *g, double t_ev, double time, double *way,
                    double *integral)
{
  enum { N = 4000 };
  const double h = time / N;
  *way = *integral = 0.0;
  for (int i = 0; i < N; i++) {
    const double before = t_ev, a = -power(g, t_ev), b = -power(g, t_ev + 0.5 * h * a),
                 c = -power(g, t_ev + 0.5 * h * b), d = -power(g, t_ev + h * c);
    t_ev += h / 6.0 * (a + 2.0 * b + 2.0 * c + d);
    *way += 0.5 * h * (wn_speed_from_ev(before) + wn_speed_from_ev(t_ev));
    *integral += 0.5 * h * (before + t_ev);
  }
  return t_ev;
}

static void check_order(double t_ev, double time)
{
  struct fast_electrons g;
  double way, integral, miss[3];
  make(&g, 1, -1.0, 1);
  const double want = solve(&g, t_ev, time, &way, &integral), lost = t_ev - want,
               quantum = wn_xs_table_process(g.table, friction_of(&g))->loss_ev,
               rounding = 4.0 * 0x1p-24 * t_ev / lost; /* of the float that is stored */
  for (int i = 0; i < 3; i++) {
    const struct wn_electron e = fast_fly(&g, 1, t_ev, time, 2 << i);
    miss[i] = fabs(fast_energy(&e) - want) / lost;
  }
  diag("%g eV to %.6g eV: errors of the loss in 2, 4 and 8 steps %.2e, %.2e, %.2e", t_ev,
       want, miss[0], miss[1], miss[2]);
  ok(miss[1] < miss[0] / 3.0 + rounding && miss[2] < miss[1] / 3.0 + rounding,
     "%g eV: the error of the loss falls as the square of the step", t_ev);
  const double was = (double)g.tally.lost[friction_of(&g)] / WN_FIX_ENERGY,
               counted = (double)g.tally.count[friction_of(&g)] / WN_FIX_WEIGHT,
               seen = (double)g.tally.group[0].energy / WN_FIX_ENERGY;
  const struct wn_electron e = fast_fly(&g, 2, t_ev, time, 64);
  is_near(fast_energy(&e), want, 1e-4 * lost, "%g eV: energy after 64 steps", t_ev);
  const double r = sqrt(e.x[0] * e.x[0] + e.x[1] * e.x[1] + e.x[2] * e.x[2]),
               gone = (double)g.tally.lost[friction_of(&g)] / WN_FIX_ENERGY - was;
  ok(r < way * (1.0 + 1e-6) && r > 0.9 * way,
     "%g eV: a way of %.4g m ends %.4g m from its begin", t_ev, way, r);
  is_near(gone, t_ev - fast_energy(&e), 1e-5 * lost, "%g eV: the tally has what was lost",
          t_ev);
  is_near(((double)g.tally.count[friction_of(&g)] / WN_FIX_WEIGHT - counted) * quantum,
          gone, 1e-5 * lost, "%g eV: in quanta", t_ev);
  is_near(((double)g.tally.group[0].energy / WN_FIX_ENERGY - seen) * g.mcc.inv_nu,
          integral, 1e-4 * integral, "%g eV: integral of the energy", t_ev);
  is_int((int)(g.tally.group[0].gained != 0), 0, "%g eV: nothing came from a field",
         t_ev);
  clear(&g);
}

/* One flight along z, whose way is not bent. */
static void check_way(void)
{
  struct fast_electrons g;
  double way, integral;
  make(&g, 1, -1.0, 1);
  solve(&g, 60e3, 2e-11, &way, &integral);
  const struct wn_electron e = fast_fly(&g, 3, 60e3, 2e-11, 1);
  is_near(e.x[2], way, 1e-6 * way, "the way of a flight");
  clear(&g);
}

/* ---- bands: what a flight has at its horizon is not below the band below */

static void check_horizons(void)
{
  struct fast_electrons g;
  double way, integral, least = INFINITY;
  int cut = 0;
  make(&g, 1, -1.0, 0);
  for (int k = 1; k < WN_MCC_BANDS; k++) {
    const double at = (double)wn_mcc_band_floor(k),
                 low = (double)wn_mcc_band_floor(k - 1);
    if (!(at > 1.2 * FROM_EV) || !(at < 0.9e8))
      continue;
    const double then = solve(&g, at, (double)g.mcc.band[k].horizon, &way, &integral);
    cut += isfinite(g.mcc.band[k].horizon);
    least = fmin(least, (then - low) / (at - low));
  }
  ok(cut > 40 && least > 0.0,
     "%d bands have a horizon, at which %.3g of the fall is left", cut, least);
  ok(least < 0.5, "and it is not much shorter than it has to be");
  clear(&g);
}

/* ---- many electrons */

enum { MU, Z, ACROSS2, ENERGY, N_MOMENTS };
static const char *const names[] = {"cos", "z", "x^2 + y^2", "energy"};

struct moments {
  double sum[N_MOMENTS], square[N_MOMENTS];
  int n;
};

static void add(struct moments *s, const struct wn_electron *e)
{
  const double t_ev = fast_energy(e),
               y[N_MOMENTS] = {(double)e->u[2] / wn_u_from_ev(t_ev), e->x[2],
                               e->x[0] * e->x[0] + e->x[1] * e->x[1], t_ev};
  for (int k = 0; k < N_MOMENTS; k++) {
    s->sum[k] += y[k];
    s->square[k] += y[k] * y[k];
  }
  s->n++;
}

static double mean_of(const struct moments *s, int k)
{
  return s->sum[k] / s->n;
}

static double variance_of(const struct moments *s, int k)
{
  return s->square[k] / s->n - mean_of(s, k) * mean_of(s, k);
}

static double error_of(const struct moments *s, int k)
{
  return sqrt(variance_of(s, k) / s->n);
}

static void beam(struct fast_electrons *g, double t_ev, double time, int steps, int n,
                 struct moments *s)
{
  *s = (struct moments){0};
  for (int i = 0; i < n; i++) {
    const struct wn_electron e = fast_fly(g, (uint64_t)i, t_ev, time, steps);
    if (e.t_left != WN_DEAD)
      add(s, &e);
  }
}

static void check_cosine(void)
{
  struct fast_electrons g;
  struct moments s;
  double way, integral;
  const double t0 = 60e3, time = 3e-10, mc2 = 2.0 * WN_MC2_EV;
  make(&g, 1, -1.0, 1);
  const double t1 = solve(&g, t0, time, &way, &integral),
               want = sqrt(t1 * (t0 + mc2) / (t0 * (t1 + mc2)));
  beam(&g, t0, time, 32, 4000, &s);
  is_near(mean_of(&s, MU), want, SIGMAS * error_of(&s, MU),
          "%g eV to %.6g eV: mean cosine of many small free collisions", t0, t1);
  clear(&g);
}

/* Small quanta and none, with all collisions. */
static void check_beams(void)
{
  enum { N = 3000 };
  struct fast_electrons g;
  struct moments s, small;
  make(&g, 0, 50.0, 0);
  beam(&g, 1e5, 4e-10, 1, N, &small);
  const double of_small = (double)g.tally.n_real / N;
  clear(&g);
  make(&g, 1, -1.0, 0);
  beam(&g, 1e5, 4e-10, 1, N, &s);
  const double real = (double)g.tally.n_real / N;
  clear(&g);
  for (int k = 0; k < N_MOMENTS; k++) {
    diag("100 keV, 0.4 ns: %s %.5g(%.2g), in quanta of 50 eV %.5g(%.2g)", names[k],
         mean_of(&s, k), error_of(&s, k), mean_of(&small, k), error_of(&small, k));
    is_near(mean_of(&s, k) / mean_of(&small, k), 1.0,
            SIGMAS * hypot(error_of(&s, k), error_of(&small, k)) / mean_of(&small, k),
            "100 keV: mean of %s is that of small quanta", names[k]);
  }
  is_near(s.n, small.n, SIGMAS * sqrt(2.0 * (N - small.n) + 1.0),
          "electrons above the floor");
  ok(real < 0.2 * of_small, "%.0f collisions an electron, %.0f with the quanta", real,
     of_small);
}

/* ---- what is left out, and how the loss is shared: of sets, with a cut of 5 keV */

/* Moment 1 or 2 of losses below the cut, and of those above it [m2 eV^moment]. */
static void losses(const char *name, int moment, double t_ev, double *soft, double *hard)
{
  const struct wn_moller_model moller = {5e3, FROM_EV, wn_density_effect_air(DENSITY)};
  struct wn_xs_set *set = NULL;
  fast_must(wn_xs_builtin_air(name, &set) == WN_OK && wn_xs_set_moliere(set) == WN_OK);
  fast_must(wn_xs_set_moller(set, &moller, -1.0) == WN_OK);
  *soft = *hard = 0.0;
  for (size_t i = 0; i < set->n; i++) {
    const struct wn_xs_process *p = &set->process[i];
    if (p->kind == WN_XS_FRICTION)
      *soft = wn_xs_sigma(set, p, t_ev, WN_XS_BEYOND_CONSTANT) * p->loss_ev *
              (moment == 2 ? p->loss_ev : 1.0);
    if (p->kind == WN_XS_IONIZATION)
      *hard += wn_xs_join(&p->orbital, &p->moller, moment, 5e3, INFINITY, t_ev);
  }
  wn_xs_free(set);
}

static void check_left_out(void)
{
  double soft, hard, least = INFINITY, most = 0.0;
  losses("N2", 2, 1e6, &soft, &hard);
  ok(soft > 0.0 && soft < 0.02 * hard,
     "1 MeV: losses below 5 keV have %.2g %% of the variance of those above",
     1e2 * soft / hard);
  for (double t_ev = FROM_EV; t_ev < 1.5e7; t_ev *= 10.0) {
    double n2, o2;
    losses("N2", 1, t_ev, &n2, &hard);
    losses("O2", 1, t_ev, &o2, &hard);
    const double part = 0.79 * n2 / (0.79 * n2 + 0.21 * o2);
    least = fmin(least, part);
    most = fmax(most, part);
  }
  ok(most - least < 0.01, "from 10 keV to 10 MeV N2 has %.4f to %.4f of the loss in air",
     least, most);
}

int main(void)
{
  plan(0);
  check_order(60e3, 2e-10);
  check_order(1e6, 2e-9);
  check_way();
  check_horizons();
  check_cosine();
  check_beams();
  check_left_out();
  return done();
}
