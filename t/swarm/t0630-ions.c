/* t0630-ions.c - defends: swarms of ions of model `ion` have the drift, energies and
 * distribution that the theory of their collisions gives, energy is accounted for, and
 * every scheduler, number of threads and division into mobility steps gives the same.
 *
 * References, derived here.  A collision takes v to v + p (G d - g), p = M/(m + M).
 * - Constant frequencies, Wannier's case: of an isotropic process nu_i, of a backscattering
 *   one nu_b, any number of gases of temperature T.  Atoms are then met without regard to
 *   their velocity, so that <v . g> = <v^2>, <G^2> = <v^2> + 3 kT/M, and likewise along z:
 *     0 = a - sum p (nu_i + 2 nu_b) <v_z>
 *     0 = 2 a <v_z> + sum (2 nu_i + 4 nu_b) p [p 3 kT/M - (1 - p) <v^2>]
 *     0 = 2 a <v_z> + sum nu_i [p^2 (<G^2>/3 + <v_z^2> + kT/M) - 2 p <v_z^2>]
 *                       + nu_b [4 p^2 (<v_z^2> + kT/M) - 4 p <v_z^2>]
 *   In one gas the second is m <v^2> = (m + M) <v_z>^2 + 3 kT for either process, Wannier's
 *   result, and a backscattering process counts twice in the drift: Q_m = 2 sigma.
 * - Without field, any cross sections: the Maxwellian of the gas, and no process takes
 *   energy on average (detailed balance).
 * - Backscatter of constant cross section, m = M, atoms at rest: each collision stops the
 *   ion, which then gets to v without another with the chance exp(-N sigma v^2/2a), so that
 *   f(v) ~ that for v > 0: <v> = sqrt(2 a/(pi N sigma)), <v^2> = a/(N sigma), <v^3> =
 *   sqrt(8/pi) (a/N sigma)^(3/2).
 * Thresholds: 5 standard errors from 32 groups (Student's t of 31: false alarm 2e-5 a
 * check, were the seed not fixed). */
#include "t/tap/command.h"
#include "t/tap/ion_swarm.h"
#include "t/tap/ions.h"
#include "t/tap/tap.h"

#define N_GAS 2e21 /* m-3 */

/* Times sampled, and with WN_LONG=2 sixteen times as many. */
static int phases = 40;
static double most = 0.01; /* error of a mean that is good enough to say something */

static double at_1_ev; /* m2 */

static double constant_frequency(double e_ev)
{
  return at_1_ev / sqrt(e_ev);
}

static double third_of_it(double e_ev)
{
  return constant_frequency(e_ev) / 3.0;
}

static double constant_sigma(double e_ev)
{
  (void)e_ev;
  return 5e-19;
}

static double falling(double e_ev)
{
  return 4e-19 * (1.0 + 0.02 / (0.01 + e_ev));
}

/* ---- Wannier */

struct wannier {
  const char *name;
  double mass, temperature, field; /* u, K, V/m */
  int n_gases;
  struct {
    double mass; /* u */
    int isotropic, backscatter;
    double density; /* m-3 */
  } gas[2];
};

static const struct wannier wannier[] = {
    {"isotropic, m = M", 40.0, 300.0, 60.0, 1, {{40.0, 1, 0, N_GAS}}},
    {"isotropic, m = M/10", 4.0, 300.0, 30.0, 1, {{40.0, 1, 0, N_GAS}}},
    {"isotropic, m = 3 M", 120.0, 600.0, 100.0, 1, {{40.0, 1, 0, N_GAS}}},
    {"backscatter, m = M", 40.0, 300.0, 100.0, 1, {{40.0, 0, 1, N_GAS}}},
    {"backscatter, m = M/3", 13.3, 300.0, 100.0, 1, {{40.0, 0, 1, N_GAS}}},
    {"both, m = M", 40.0, 300.0, 100.0, 1, {{40.0, 1, 1, N_GAS}}},
    {"two gases, atoms at rest",
     20.0,
     0.0,
     100.0,
     2,
     {{20.0, 1, 1, N_GAS}, {60.0, 1, 0, 0.5 * N_GAS}}},
    {"two gases",
     20.0,
     400.0,
     100.0,
     2,
     {{10.0, 0, 1, 0.5 * N_GAS}, {60.0, 1, 0, N_GAS}}},
};

/* What theory says of a case. */
struct moments {
  double nu[4], z, v2, zz;
};

static struct moments theory(const struct wannier *w)
{
  struct moments t = {{0}, 0.0, 0.0, 0.0};
  const double m = w->mass * WN_AMU, a = WN_E * w->field / m;
  double drag = 0.0, heat = 0.0, cool = 0.0, along = 0.0, away = 0.0;
  int k = 0;
  for (int i = 0; i < w->n_gases; i++) {
    const double target = w->gas[i].mass * WN_AMU, p = target / (m + target),
                 full = w->gas[i].density * at_1_ev *
                        sqrt(2.0 * WN_E * (m + target) / (m * target)),
                 iso = w->gas[i].isotropic ? full : 0.0,
                 back = w->gas[i].backscatter ? full / 3.0 : 0.0,
                 c = WN_KB * w->temperature / target;
    if (w->gas[i].isotropic)
      t.nu[k++] = iso;
    if (w->gas[i].backscatter)
      t.nu[k++] = back;
    drag += p * (iso + 2.0 * back);
    heat += (2.0 * iso + 4.0 * back) * p * p * 3.0 * c;
    cool += (2.0 * iso + 4.0 * back) * p * (1.0 - p);
  }
  t.z = a / drag;
  t.v2 = (2.0 * a * t.z + heat) / cool;
  for (int i = 0; i < w->n_gases; i++) {
    const double target = w->gas[i].mass * WN_AMU, p = target / (m + target),
                 full = w->gas[i].density * at_1_ev *
                        sqrt(2.0 * WN_E * (m + target) / (m * target)),
                 iso = w->gas[i].isotropic ? full : 0.0,
                 back = w->gas[i].backscatter ? full / 3.0 : 0.0,
                 c = WN_KB * w->temperature / target;
    along += iso * p * p * ((t.v2 + 3.0 * c) / 3.0 + c) + back * 4.0 * p * p * c;
    away += iso * (2.0 * p - p * p) + back * (4.0 * p - 4.0 * p * p);
  }
  t.zz = (2.0 * a * t.z + along) / away;
  return t;
}

/* What the field gave is what processes took and the ions have more. */
static void ledger(const struct swarm *s, const char *name)
{
  double gained = 0.0, lost = 0.0;
  for (int g = 0; g < SWARM_GROUPS; g++) {
    gained += (double)s->tally.group[g].gained / WN_FIX_ENERGY;
    for (int k = 0; k < s->shape.n_processes; k++)
      lost += (double)s->tally.lost[g * s->shape.n_processes + k] / WN_FIX_ENERGY;
  }
  is_near(gained - lost, swarm_energy_ev(s) - s->begin_ev, 1e-6 * fabs(gained) + 1e-4,
          "%s: the energy that the field gave (%.4g eV) is accounted for", name, gained);
  is_int((long long)(s->tally.alarms->n_violations + s->tally.alarms->n_beyond), 0,
         "%s: no alarm", name);
}

static void test_wannier(const struct wannier *w, unsigned steps)
{
  struct wn_xs_set *set[2] = {NULL, NULL};
  struct wn_xs_ion_gas gas[2];
  struct wn_xs_ion_spec spec = {.gas = gas,
                                .n_gases = (size_t)w->n_gases,
                                .temperature = w->temperature,
                                .bins_per_octave = 64,
                                .e_max_ev = 256.0};
  for (int i = 0; i < w->n_gases; i++) {
    set[i] = ions_set("X+", "X", w->mass, w->gas[i].mass);
    if (w->gas[i].isotropic)
      ions_add(set[i], WN_XS_ISOTROPIC, constant_frequency, 256.0, 1.0);
    if (w->gas[i].backscatter)
      ions_add(set[i], WN_XS_BACKSCATTER, third_of_it, 256.0, 1.0);
    gas[i] = (struct wn_xs_ion_gas){.set = set[i], .density = w->gas[i].density};
  }
  const struct moments t = theory(w);
  const double mass = w->mass * WN_AMU, ev = 0.5 * mass / WN_E;
  struct swarm s;
  char name[80];
  double nu = 0.0;
  snprintf(name, sizeof name, "%s, %u mobility steps", w->name, steps);
  swarm_open(&s, &spec, 4096, 7, w->field, steps);
  const int n = s.shape.n_processes;
  for (int k = 0; k < n; k++)
    nu += t.nu[k];
  is_close(s.table->view.nu_max, nu, 1e-5, "%s: the bound is the frequency", name);
  const double phase = 10.0 / nu;
  swarm_run(&s, 10, phases, phase);
  swarm_is(swarm_moment(&s, SWARM_Z), t.z, 0.0, most, name, "mean velocity");
  swarm_is(swarm_drift(&s), t.z, 0.0, most, name, "drift");
  swarm_is(swarm_moment(&s, SWARM_V2), t.v2, 0.0, most, name, "mean square");
  swarm_is(swarm_mean_ev(&s), ev * t.v2, 0.0, most, name, "mean energy at candidates");
  swarm_is(swarm_moment(&s, SWARM_ZZ), t.zz, 0.0, most, name, "mean square along z");
  swarm_is(swarm_moment(&s, SWARM_XX), 0.5 * (t.v2 - t.zz), t.v2, most, name,
           "mean square across");
  for (int k = 0; k < n; k++)
    swarm_is(swarm_frequency(&s, k, phase), t.nu[k], 0.0, most, name,
             "frequency of a process");
  ledger(&s, name);
  if (w->n_gases == 1)
    is_close(mass * t.v2,
             (w->mass + w->gas[0].mass) * WN_AMU * t.z * t.z +
                 3.0 * WN_KB * w->temperature,
             1e-12, "%s: that is Wannier's result", name);
  swarm_close(&s);
  for (int i = 0; i < w->n_gases; i++)
    wn_xs_free(set[i]);
}

/* ---- equilibrium */

static void test_equilibrium(double mass_u, double target_u)
{
  struct wn_xs_set *set = ions_set("X+", "X", mass_u, target_u);
  struct wn_xs_ion_gas gas = {.set = set, .density = N_GAS};
  struct wn_xs_ion_spec spec = {.gas = &gas,
                                .n_gases = 1,
                                .temperature = 300.0,
                                .bins_per_octave = 64,
                                .e_max_ev = 2.0};
  const double c = WN_KB * 300.0 / (mass_u * WN_AMU);
  struct swarm s;
  char name[80];
  ions_add(set, WN_XS_ISOTROPIC, falling, 2.0, 1.0);
  ions_add(set, WN_XS_BACKSCATTER, constant_sigma, 2.0, 1.0);
  snprintf(name, sizeof name, "no field, m/M %g", mass_u / target_u);
  swarm_open(&s, &spec, 4096, 11, 0.0, 1);
  swarm_run(&s, 15, phases, 40.0 / s.table->view.nu_max);
  swarm_is(swarm_moment(&s, SWARM_Z), 0.0, sqrt(c), most, name, "no drift");
  swarm_is(swarm_moment(&s, SWARM_ZZ), c, 0.0, most, name, "mean square along z");
  swarm_is(swarm_moment(&s, SWARM_XX), c, 0.0, most, name, "mean square across");
  swarm_is(swarm_mean_ev(&s), 1.5 * WN_KB * 300.0 / WN_E, 0.0, most, name, "3 kT/2");
  swarm_is(swarm_moment(&s, SWARM_V4), 15.0 * c * c, 0.0, 2.0 * most, name,
           "fourth power");
  swarm_is(swarm_moment(&s, SWARM_V3), 8.0 * sqrt(2.0 / WN_PI) * c * sqrt(c), 0.0, 0.02,
           name, "third power");
  for (int k = 0; k < 2; k++)
    swarm_is(swarm_loss(&s, k), 0.0, WN_KB * 300.0 / WN_E, most, name,
             "no process takes energy");
  ledger(&s, name);
  swarm_close(&s);
  wn_xs_free(set);
}

/* ---- charge exchange in a strong field */

static void test_exchange(void)
{
  struct wn_xs_set *set = ions_set("X+", "X", 40.0, 40.0);
  struct wn_xs_ion_gas gas = {.set = set, .density = N_GAS};
  struct wn_xs_ion_spec spec = {
      .gas = &gas, .n_gases = 1, .bins_per_octave = 64, .e_max_ev = 256.0};
  const double field = 2000.0, nsigma = N_GAS * constant_sigma(0.0),
               w2 = WN_E * field / (40.0 * WN_AMU) / nsigma, w = sqrt(w2);
  struct swarm s;
  const char *name = "charge exchange, atoms at rest";
  ions_add(set, WN_XS_BACKSCATTER, constant_sigma, 256.0, 1.0);
  swarm_open(&s, &spec, 4096, 13, field, 3);
  swarm_run(&s, 10, phases, 5.0 / (nsigma * w));
  swarm_is(swarm_drift(&s), w * sqrt(2.0 / WN_PI), 0.0, 0.5 * most, name, "drift");
  swarm_is(swarm_moment(&s, SWARM_V2), w2, 0.0, most, name, "mean square");
  swarm_is(swarm_moment(&s, SWARM_V3), w * w2 * sqrt(8.0 / WN_PI), 0.0, 1.5 * most, name,
           "third power");
  is_near(swarm_moment(&s, SWARM_XX).value, 0.0, 0.0, "%s: no velocity across", name);
  ledger(&s, name);
  swarm_close(&s);
  wn_xs_free(set);
}

/* ---- same bits */

/* A swarm under a scheduler: phases, and then one in which ions begin between
 * mobility steps or are dead. */
static void fly(struct swarm *s, const struct wn_xs_ion_spec *spec, float weight,
                int n_groups, const struct wn_scheduler_ops *ops, int threads)
{
  const struct wn_scheduler_options options = {.threads = threads};
  struct wn_scheduler *sched = NULL;
  swarm_open(s, spec, 3001, 5, 300.0, 7);
  swarm_ion(s)->n_groups = n_groups;
  swarm_must(ops->create(&options, &s->shape, &sched));
  for (size_t i = 0; i < s->p.n; i++)
    swarm_record(s, i)->w = i % 5 == 0 ? 1.0f : weight;
  for (int i = 0; i < 60; i++) /* one candidate a mobility step: a third have none */
    swarm_phase(s, ops, sched, 5e-8);
  for (size_t i = 0; i < s->p.n; i++) /* newborns, as it were, and the dead */
    swarm_record(s, i)->t_left = i % 3 == 0 ? 0.37f : i % 3 == 1 ? 4.81f : WN_DEAD;
  swarm_must(ops->advance(sched, &s->model, &s->p, &s->tally));
  ops->free(sched);
}

static void test_bits(float weight, int n_groups)
{
  static const int threads[] = {1, 2, 3, 5};
  struct wn_xs_set *set[2] = {ions_set("X+", "X", 20.0, 20.0),
                              ions_set("X+", "Y", 20.0, 60.0)};
  struct wn_xs_ion_gas gas[2] = {{.set = set[0], .density = N_GAS},
                                 {.set = set[1], .density = 0.3 * N_GAS}};
  struct wn_xs_ion_spec spec = {.gas = gas,
                                .n_gases = 2,
                                .temperature = 300.0,
                                .bins_per_octave = 64,
                                .e_max_ev = 256.0};
  struct swarm s, r;
  size_t n;
  char name[60];
  const struct wn_scheduler_ops *const *list = wn_scheduler_list(&n);
  ions_add(set[0], WN_XS_ISOTROPIC, falling, 256.0, 1.0);
  ions_add(set[0], WN_XS_BACKSCATTER, constant_sigma, 256.0, 1.0);
  ions_add(set[1], WN_XS_ISOTROPIC, constant_sigma, 256.0, 1.0);
  fly(&s, &spec, weight, n_groups, &wn_scheduler_serial, 1);
  snprintf(name, sizeof name, "weight %g, %d groups", (double)weight, n_groups);
  ok(s.tally.n_real > 5000 && s.tally.n_candidates > 2 * s.tally.n_real,
     "%s: %llu collisions of %llu candidates are enough to compare", name,
     (unsigned long long)s.tally.n_real, (unsigned long long)s.tally.n_candidates);
  const size_t processes = SWARM_GROUPS * (size_t)s.shape.n_processes;
  for (size_t k = 0; k < n; k++)
    for (size_t t = 0; list[k]->device == WN_DEVICE_CPU && t < 4; t++) {
      fly(&r, &spec, weight, n_groups, list[k], threads[t]);
      ok(memcmp(r.p.e, s.p.e, s.p.n * s.p.record.bytes) == 0,
         "%s: %s, %d threads: the ions of serial", name, list[k]->name, threads[t]);
      ok(memcmp(r.tally.group, s.tally.group, SWARM_GROUPS * sizeof *s.tally.group) ==
                 0 &&
             memcmp(r.tally.count, s.tally.count, processes * sizeof *s.tally.count) ==
                 0 &&
             memcmp(r.tally.lost, s.tally.lost, processes * sizeof *s.tally.lost) == 0 &&
             r.tally.n_real == s.tally.n_real &&
             r.tally.n_candidates == s.tally.n_candidates,
         "%s: %s, %d threads: the tallies of serial", name, list[k]->name, threads[t]);
      swarm_close(&r);
    }
  swarm_close(&s);
  wn_xs_free(set[0]);
  wn_xs_free(set[1]);
}

/* ---- what must not pass unseen */

static void alarms(const char *name, double table_ev, double e_max, double field,
                   int which)
{
  struct wn_xs_set *set = ions_set("X+", "X", 40.0, 40.0);
  struct wn_xs_ion_gas gas = {.set = set, .density = N_GAS};
  struct wn_xs_ion_spec spec = {
      .gas = &gas, .n_gases = 1, .bins_per_octave = 64, .e_max_ev = e_max};
  struct swarm s;
  ions_add(set, WN_XS_BACKSCATTER, constant_sigma, table_ev, 1.0);
  swarm_open(&s, &spec, 64, 17, field, 1);
  swarm_run(&s, 0, 10, 2e-6);
  const struct wn_tally_alarms *a = s.tally.alarms;
  ok((a->n_violations > 0) == (which & 1) && (a->n_beyond > 0) == (which >> 1),
     "%s: %llu times beyond the bound, %llu times beyond the table, up to %g eV", name,
     (unsigned long long)a->n_violations, (unsigned long long)a->n_beyond,
     a->max_energy_ev);
  swarm_close(&s);
  wn_xs_free(set);
}

int main(void)
{
  plan(0);
  if (command_long() > 1) {
    phases *= 16;
    most /= 4.0;
  }
  at_1_ev = 1e-19;
  test_bits(1.0f, SWARM_GROUPS);
  test_bits(1.0f, 1);
  test_bits(1e6f, SWARM_GROUPS); /* sums too large for the lanes */
  for (size_t i = 0; i < sizeof wannier / sizeof wannier[0]; i++)
    test_wannier(&wannier[i], i == 0 ? 9 : 1);
  test_equilibrium(40.0, 40.0);
  test_equilibrium(20.0, 40.0);
  test_equilibrium(100.0, 40.0);
  test_exchange();
  alarms("a bound that does not hold", 256.0, 0.5, 2000.0, 1);
  alarms("a table that ends", 0.5, 256.0, 2000.0, 2);
  alarms("tables that go on", 256.0, 256.0, 2000.0, 0);
  return done();
}
