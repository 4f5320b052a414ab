/* t0142-bands.c - defends: candidates that come in bands of energy (physics/mcc_bands.h) are
 * exact.  The part of nu_max that a band asks for is a bound up to its horizon; numbers below a
 * part are all as frequent; and an electron that flies through many bands collides as often,
 * in the processes, as the collision frequency along its way says: its integral up to the
 * collision is exponential, whatever way it was, in a magnetic field too.  The references are the tables
 * (t/crosssections/t0220-table.c) and flights in double precision, in small parts.  Fixed seeds;
 * chi-square and deviations at 1e-5 each: another seed would fail one of the checks with a
 * chance below 3e-4. */
#include "crosssections/xs_table.h"
#include "particles/tally.h"
#include "physics/mcc.h"
#include "physics/mcc_collide.h"
#include "physics/mcc_flight.h"
#include "t/tap/mixture.h"

/* ---- the bands of a table in a field */

/* With a floor, bands bound what an electron can have between the lowest energy that it can fall to and the
 * highest that it can rise to before the horizon. */
static void check_floored(struct mixture *m, double a, const char *name)
{
  static struct wn_mcc_band band[WN_MCC_BANDS], all[WN_MCC_BANDS];
  struct wn_xs_table *t = make_table(m);
  const struct wn_xs_view *v = &t->view;
  int above = 0, more = 0, less = 0;
  wn_mcc_make_bands(v, a, 1, band);
  wn_mcc_make_bands(v, a, 0, all);
  for (int k = 0; k < WN_MCC_BANDS; k++) {
    const double h = (double)band[k].horizon,
                 begin[] = {wn_u_from_ev((double)wn_mcc_band_floor(k)),
                            wn_u_from_ev((double)wn_mcc_band_floor(k + 1))},
                 far = a > 0.0 ? a * h : 0.0, /* without a field the energy stays */
        end[] = {fmax(begin[0] - far, 0.0), begin[1] + far};
    int bin[2];
    for (int i = 0; i < 2; i++) {
      const double u = end[i], gamma = sqrt(1.0 + u * u / (WN_C * WN_C)),
                   e = isfinite(u) ? u * u / (gamma + 1.0) * WN_MC2_EV / (WN_C * WN_C)
                                   : v->e_top;
      bin[i] = wn_xs_bin(v, (float)(isfinite(far) || i > 0 ? e : 0.0));
    }
    for (int i = bin[0]; i <= bin[1]; i++)
      above += v->top[i].major > band[k].part;
    more += band[k].rate > all[k].rate * 1.000001f && band[k].horizon <= all[k].horizon;
    less += band[k].rate < 0.5f * all[k].rate;
  }
  is_int(above, 0, "%s, with a floor: majorants above the part of a band", name);
  is_int(more, 0, "%s: bands with more candidates for no longer flight", name);
  ok(less > 0, "%s: %d bands have less than half of the candidates", name, less);
  wn_xs_table_free(t);
}

static void check_bands(struct mixture *m, double a, const char *name)
{
  static struct wn_mcc_band band[WN_MCC_BANDS];
  struct wn_xs_table *t = make_table(m);
  const struct wn_xs_view *v = &t->view;
  int above = 0, idle = 0, odd = 0, frequent = 0;
  wn_mcc_make_bands(v, a, 0, band);
  for (int k = 0; k < WN_MCC_BANDS; k++) {
    const struct wn_mcc_band b = band[k];
    /* from the upper edge of the band along the force to the horizon; and as far as
     * rounding goes */
    const double begin = wn_u_from_ev((double)wn_mcc_band_floor(k + 1)),
                 u = begin + (a > 0.0 ? a * (double)b.horizon : 0.0),
                 gamma = sqrt(1.0 + u * u / (WN_C * WN_C)),
                 end = isinf(u) ? v->e_top
                                : u * u / (gamma + 1.0) * WN_MC2_EV / (WN_C * WN_C);
    uint32_t most = 0;
    for (int i = 0; i <= wn_xs_bin(v, (float)end * (1.0f + 1e-6f)); i++)
      most = v->top[i].major > most ? v->top[i].major : most;
    above += most > b.part;
    idle += !(b.horizon > 0.0f);
    odd += fabs((double)b.part * 0x1p-32 * (double)b.slower - 1.0) > 1e-6 ||
           b.rate != 1.0f / b.slower || !(b.slower >= 1.0f);
    frequent +=
        (double)b.rate * v->nu_max + 1.0 / (double)b.horizon > 1.00001 * v->nu_max;
  }
  is_int(above, 0, "%s: bands with a majorant above their part", name);
  is_int(idle, 0, "%s: bands without a horizon", name);
  is_int(frequent, 0, "%s: bands with more flights than at the highest rate", name);
  is_int(odd, 0, "%s: bands in which one number is not that of the others", name);
  above = odd = 0;
  for (int i = 0; i < 200000; i++) {
    const float e = (float)between(1e-5, 0.999 * v->e_top);
    const int k = wn_mcc_band_of(e);
    above += wn_xs_table_frequency(t, -1, (double)e) >
             (double)band[k].part * 0x1p-32 * v->nu_max;
    odd += !(e >= wn_mcc_band_floor(k)) ||
           (k + 1 < WN_MCC_BANDS && e >= wn_mcc_band_floor(k + 1));
  }
  ok(wn_mcc_real_part(v, a) > 0.0 && wn_mcc_real_part(v, a) <= wn_mcc_real_part(v, 1e25),
     "%s: of candidates 1 in %.3g is real, by the balance of a Maxwell distribution",
     name, 1.0 / wn_mcc_real_part(v, a));
  is_int(above, 0, "%s: energies whose frequency is above the rate of their band", name);
  is_int(odd, 0, "%s: energies that are not in their band", name);
  diag("%s: rates from 1/%.3g of the highest at no energy, 1/%.3g at 1 eV, 1/%.3g at 10 "
       "eV",
       name, (double)band[0].slower, (double)band[wn_mcc_band_of(1.0f)].slower,
       (double)band[wn_mcc_band_of(10.0f)].slower);
  wn_xs_table_free(t);
}

/* ---- the guess of how many candidates are real: hard spheres that only recoil.  With a
 * Maxwell distribution 2m/M nu <v e> = m a^2 <1/v>/nu, nu = N sigma, is (k T)^2 = m M a^2/8
 * (N sigma)^2, and the collision frequency N sigma (8 k T/pi m)^(1/2).  Just below
 * the edge of a quarter octave that is met within 5 %; electrons of one energy would be up
 * to 13 % off. */
static void test_guess(void)
{
  static const double sigma[][2] = {{0.0, 10.0}, {1e3, 10.0}};
  const double density = 2.5e25, mass = 28.0 * WN_AMU, at = density * 10e-20;
  struct wn_xs_set *set = new_set("hard");
  add(set, WN_XS_ELASTIC, "elastic", 0.0, 0.0, ROWS(sigma), NULL);
  const struct wn_xs_gas gas = {.set = set, .density = density, .mass = mass};
  const struct wn_xs_table_spec spec = {
      .n_gases = 1, .gas = &gas, .bins_per_octave = 128, .e_max_ev = 100.0};
  struct wn_xs_table *t;
  if (!ok(wn_xs_table_create(&spec, &t) == WN_OK, "a table of hard spheres"))
    return;
  static const double temperature_ev[] = {0.99 / 64.0, 0.99 * 0.5, 0.99 * 3.0};
  for (size_t i = 0; i < sizeof temperature_ev / sizeof temperature_ev[0]; i++) {
    const double kt = temperature_ev[i] * WN_E, a = kt * at / sqrt(WN_ME * mass / 8.0),
                 part = at * sqrt(8.0 * kt / (WN_PI * WN_ME)) / t->view.nu_max,
                 guess = wn_mcc_real_part(&t->view, a);
    ok(guess > part / 1.05 && guess < part * 1.05,
       "hard spheres, %g eV: 1 of %.3g candidates is real, by the formula %.3g",
       temperature_ev[i], 1.0 / guess, 1.0 / part);
  }
  wn_xs_table_free(t);
  wn_xs_free(set);
}

/* ---- numbers below a part: of 64 bits x there comes x part/2^64, so that k comes first
 * from the next integer to k 2^64/part, exactly */

static uint32_t part_of(uint64_t x, uint32_t part)
{
  return wn_mcc_part_of((uint32_t)(x >> 32), (uint32_t)x, part);
}

static void test_parts(void)
{
  int wrong = 0;
  for (int i = 0; i < 100000; i++) {
    const uint32_t part = (uint32_t)between(1e6, 4294967295.0),
                   k = 1u + (uint32_t)(uniform() * (double)(part - 1u));
    const uint64_t first = (uint64_t)((((wn_i128)k << 64) + part - 1) / part);
    wrong += part_of(first, part) != k || part_of(first - 1, part) != k - 1;
  }
  is_int(wrong, 0, "numbers below a part that begin elsewhere than they should");
  ok(part_of(UINT64_MAX, 0xffffffffu) == 0xfffffffeu && part_of(UINT64_MAX, 7u) == 6u &&
         part_of(0, 7u) == 0u,
     "all are below it");
}

/* ---- collisions */

enum { N = 20000, CLASSES = 20, PARTS = 400, MOST = 16 };

struct seen {
  int done, cuts, violations;
  int count[CLASSES], process[MOST];
  double wanted[MOST], variance[MOST], energy;
  double off, off2; /* of the sum of energy over rate */
};

/* Of the way from u, dt long: integral of the collision frequency, and of the energy. */
static double along(const struct wn_xs_table *t, const struct wn_mcc *m, const float u[3],
                    double dt, double *energy)
{
  double sum = 0.0;
  const int parts = m->has_b ? PARTS / 4 : PARTS;
  for (int i = 0; i < parts; i++) {
    const double h = dt * (i + 0.5) / parts;
    double w[3];
    for (int d = 0; d < 3; d++)
      w[d] = (double)u[d] + (m->has_b ? 0.0 : m->accel[d] * h);
    if (m->has_b) {
      double x[3] = {0.0, 0.0, 0.0}, gamma = wn_gamma(w);
      wn_flight_eb(x, w, &gamma, m->accel, m->gyro, h);
    }
    const double e = wn_kinetic_ev(w, wn_gamma(w));
    sum += wn_xs_table_frequency(t, -1, e) * dt / parts;
    *energy += e * dt / parts;
  }
  return sum;
}

static void count(const struct wn_xs_table *t, const struct wn_mcc_case *c, double e,
                  struct seen *s)
{
  const double all = wn_xs_table_frequency(t, -1, e);
  for (int k = 0; k < t->view.n_processes; k++) {
    const double p = wn_xs_table_frequency(t, k, e) / all;
    s->process[k] += c->v.index == k;
    s->wanted[k] += p;
    s->variance[k] += p * (1.0 - p);
  }
  s->done++;
}

/* To its first collision.  Fields are changed now and then only, as they have bands. */
static void one(const struct wn_xs_table *t, struct wn_mcc *m, struct wn_tally *tally,
                uint64_t id, struct seen *s)
{
  struct wn_electron e = {.w = 1.0f, .id = id, .t_left = 1.0f};
  const double start = between(1e-3, 1e4);
  double way = 0.0, energy = 0.0, d[3];
  struct wn_mcc_reg r;
  if (id % 400 == 0) {
    const double a = between(1e16, 3e19);
    wn_angle_isotropic(d, uniform(), uniform());
    for (int i = 0; i < 3; i++)
      m->accel[i] = a * d[i];
    wn_angle_isotropic(d, uniform(), uniform());
    for (int i = 0; i < 3; i++) /* about as many turns as collisions */
      m->gyro[i] = m->has_b ? between(0.01, 1.0) * m->xs.nu_max * d[i] : 0.0;
    wn_mcc_set_field(m);
    wn_mcc_make_bands(&m->xs, a, 0, m->band);
    m->banded = 1; /* whether it pays or not */
  }
  wn_angle_isotropic(d, uniform(), uniform());
  for (int i = 0; i < 3; i++)
    e.u[i] = (float)(wn_u_from_ev(start) * d[i]);
  e.t_next = wn_exponential_f((uint32_t)word64()) * m->inv_nu;
  const struct wn_mcc_kind kind = wn_mcc_kind(m);
  wn_mcc_load(m, &e, &r);
  for (;;) {
    const uint32_t event = e.event++, before = r.n_candidates;
    const struct wn_rng4 w = wn_rng(m->key.seed, id, event, WN_RNG_EVENT, 0);
    const struct wn_mcc_parabola p = wn_mcc_parabola(&m->uniform, r.u);
    uint32_t choice = w.w[0];
    const int what = wn_mcc_fly(m, kind, &r, &p, &e, 0, tally, &choice, w.w[1]);
    s->cuts += what == 0 && r.n_candidates == before;
    way += along(t, m, r.u, (double)r.since, &energy);
    wn_mcc_commit(m, kind, &e, &r);
    if (what == WN_MCC_DONE) {
      r.left = (float)m->dt;
      continue;
    }
    if (what != WN_MCC_EVENT)
      continue;
    const struct wn_mcc_case c = wn_mcc_consider(m, kind, &r, id, tally, event, choice);
    if (c.real) {
      count(t, &c, (double)r.energy, s);
      break;
    }
  }
  int k = (int)(CLASSES * exp(-way));
  s->count[k < CLASSES ? k : CLASSES - 1]++;
  s->energy = fmax(s->energy, fabs((double)r.energy_sum / energy - 1.0));
  const double off = (double)r.energy_sum - energy,
               scale = t->view.nu_max / (start + 100.0); /* known before */
  s->off += off * scale;
  s->off2 += off * scale * off * scale;
}

static double chi2_limit(int n) /* as in t0140-collide.c */
{
  double a = 2.0 / (9.0 * n), z = 1.0 - a + 4.265 * sqrt(a);
  return n * z * z * z;
}

static void test_collisions(int has_b)
{
  const int n = has_b ? N / 8 : N;
  struct mixture mix;
  struct seen s = {0};
  struct wn_tally tally;
  struct wn_tally_shape shape = {.n_groups = 1};
  make_mixture(&mix, 0);
  mix.spec.temperature = 0.0;
  struct wn_xs_table *t = make_table(&mix);
  shape.n_processes = t->view.n_processes;
  struct wn_mcc m = {.xs = t->view,
                     .key = wn_rng_key(142),
                     .inv_nu = (float)(1.0 / t->view.nu_max),
                     .n_groups = 1,
                     .has_b = has_b,
                     .watch_ev = INFINITY,
                     .limit_ev = INFINITY,
                     .stop_ev = INFINITY};
  if (shape.n_processes > MOST || wn_tally_init(&tally, &shape) != WN_OK)
    out_of_memory();
  wn_mcc_set_step(&m, 30.0 / t->view.nu_max, 1.0);
  for (int i = 0; i < n; i++)
    one(t, &m, &tally, (uint64_t)i, &s);
  double chi2 = 0.0, worst = 0.0;
  for (int k = 0; k < CLASSES; k++)
    chi2 += pow(s.count[k] - (double)n / CLASSES, 2) / ((double)n / CLASSES);
  for (int k = 0; k < t->view.n_processes; k++)
    if (s.wanted[k] > 20.0)
      worst = fmax(worst, fabs(s.process[k] - s.wanted[k]) / sqrt(s.variance[k] + 1e-9));
  ok(s.cuts > n / 10, "%d flights were cut at the horizon", s.cuts);
  ok(chi2 < chi2_limit(CLASSES - 1),
     "%d collisions come as their frequency says: chi2 %.1f, allowed %.1f", n, chi2,
     chi2_limit(CLASSES - 1));
  ok(worst < 4.9, "and in its processes: %.2f standard deviations, allowed 4.9", worst);
  ok(tally.alarms->n_violations == 0, "no bound was broken");
  /* the rise of gamma below 10 keV: (v/c)^2/500 of the energy; parts of 1/400: 5e-7 */
  if (has_b)
    ok(fabs(s.off) < 4.5 * sqrt(s.off2),
       "sums of energy over rate, less the integrals of the energy: %+.2g, error %.2g",
       s.off, sqrt(s.off2));
  else
    ok(s.energy < 1e-4, "integrals of the energy: to %.2g of them", s.energy);
  wn_tally_clear(&tally);
  wn_xs_table_free(t);
  clear_mixture(&mix);
}

int main(void)
{
  struct mixture m;
  plan(0);
  draw_state = 142;
  make_mixture(&m, 0);
  check_bands(&m, 1e15, "gas and helium");
  check_floored(&m, 1e15, "gas and helium");
  check_bands(&m, 1e18, "high field");
  check_bands(&m, 1e25, "so high that it has one band");
  check_bands(&m, 0.0, "no field");
  check_floored(&m, 0.0, "no field");
  m.spec.bins_per_octave = 16;
  m.spec.temperature = 1000.0;
  check_bands(&m, 1e17, "hot, wide bins");
  clear_mixture(&m);
  mix(&m, make_many());
  check_bands(&m, 1e17, "many thresholds");
  clear_mixture(&m);
  test_guess();
  test_parts();
  test_collisions(0);
  test_collisions(1);
  return done();
}
