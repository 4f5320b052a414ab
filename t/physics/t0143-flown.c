/* t0143-flown.c - defends: flights through null candidates are one flight; electrons that fly and
 * collide in a gas come to its temperature; and a phase cut into mobility steps is the same phase.
 * The gas is made up (t/tap/world.h); the references are flights one by one in double precision
 * (t/physics/t0110-push.c) and the Maxwell distribution.  The event loop works in single precision: limits
 * count its roundings, EPS each.  Fixed seeds; limits at 4 sigma or more. */
#include "t/tap/world.h"

/* ---- flights ---- */

/* How far the flights of single precision were off, in roundings of what is added; how
 * many electrons turned on the way. */
struct flights {
  double energy, place, momentum, gained;
  int wrong, turned;
};

/* Flights through null candidates are one flight: the energy at each of them and, at the
 * end, place and momentum are those of flights from one to the next in double precision
 * (physics/push.h).  From 1e-3 eV to 1 MeV, along, across and against the field.  Limits:
 * roundings of the terms that are added; s0, s1 t and a2 t^2 may each be larger than the
 * energy where an electron turns.  A sum of n times has n roundings of its own. */
static void one_flight(struct world *w, int i, struct flights *f)
{
  struct wn_mcc *m = &w->mcc;
  double t = between(1e-3, 1e6), x[3] = {0.0}, u[3], gamma, before, d[3], start[3];
  struct wn_electron e;
  struct wn_mcc_reg r;
  make_electron(&e, (uint64_t)i, t);
  wn_angle_isotropic(d, uniform(), uniform());
  if (i % 4 == 0) { /* against the acceleration, so that it turns */
    double size = sqrt((double)(e.u[0] * e.u[0] + e.u[1] * e.u[1] + e.u[2] * e.u[2]));
    for (int j = 0; j < 3; j++)
      d[j] = -(double)e.u[j] / size;
  }
  double a = i % 16 == 1 ? 0.0 : 1e17 * uniform();
  for (int j = 0; j < 3; j++)
    m->accel[j] = a * d[j];
  wn_mcc_set_field(m);
  wn_mcc_load(m, &e, &r);
  for (int j = 0; j < 3; j++)
    start[j] = u[j] = (double)e.u[j];
  gamma = wn_gamma(u);
  before = wn_kinetic_ev(u, gamma);
  const struct wn_mcc_parabola p = wn_mcc_parabola(&m->uniform, r.u);
  int n = 1 + i % 7, fell = 0;
  double last = before, since = 0.0, unit = 0.0,
         size = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  const double inv_a2 = a > 0.0 ? 1.0 / (a * a) : 0.0, gamma0 = gamma;
  for (int k = 0; k < n; k++) {
    float dt = (float)(between(0.01, 3.0) * wn_u_from_ev(t) / 1e17);
    r.next = dt;
    r.left = 2.0f * dt;
    /* the last word is null, whatever the bound */
    uint32_t choice = 0xffffffffu;
    int what = wn_mcc_fly(m, all_bands(m), &r, &p, &e, 0, &w->tally, &choice, 0);
    wn_flight_e(x, u, &gamma, m->accel, inv_a2, (double)dt);
    since += (double)dt;
    double now = wn_kinetic_ev(u, gamma), at = a * since;
    /* s0: 3 roundings, s1 t: 5 of |u| |a| t and those of t, a2 t^2: 4 and twice those
     * of t; 2 for the sums of each; times dT/d(u^2) = m/(2 gamma) */
    unit = 0.5 * WN_MC2_EV / (WN_C * WN_C) / fmin(gamma, gamma0);
    double room = unit * (5.0 * size * size + (7.0 + k) * 2.0 * size * at +
                          (6.0 + 2.0 * k) * at * at) +
                  4.0 * now;
    f->energy = fmax(f->energy, fabs((double)r.energy - now) / (EPS * room));
    if (k == n - 1)
      f->gained = fmax(f->gained, fabs((double)r.energy - (double)r.base_ev -
                                       (last - before) - (now - last)) /
                                      (EPS * (room + 7.0 * before)));
    f->wrong += what != 0 || r.left != dt;
    f->turned += fell && now > last;
    fell = now < last;
    last = now;
  }
  f->wrong += (int)r.n_candidates != n || r.moved[2] != 0.0f || r.u[2] != e.u[2];
  float left = r.energy - r.base_ev;
  double h = since / (gamma0 + gamma),
         both = size + sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  wn_mcc_commit(m, wn_mcc_kind(m), &e, &r);
  /* X^4/5 of the way across is left out below WN_FLIGHT_BENT */
  double z = pow(a * h / WN_C, 2), out = z < 5.01e-4 ? 2.0 * h * size * z * z / 5.0 : 0.0;
  double off_x = 0.0, off_u = 0.0;
  for (int j = 0; j < 3; j++) {
    off_x = fmax(off_x, fabs((double)r.moved[j] - x[j]));
    off_u = fmax(off_u, fabs((double)r.u[j] - u[j]));
  }
  f->place = fmax(f->place, (off_x - out) / (EPS * (6.0 + n) * h * both));
  f->momentum = fmax(f->momentum, off_u / (EPS * ((2.0 + n) * a * since + both)));
  f->wrong += r.gained != left || r.since != 0.0f || r.base_ev != r.energy;
  for (int j = 0; j < 3; j++) /* no field: not moved at all but along u */
    f->wrong += a == 0.0 && (double)r.u[j] != start[j];
}

static void test_flights(void)
{
  struct world w;
  struct flights f = {0};
  make_world(&w, 300.0, 5.0, WN_ANGLE_ISOTROPIC, WN_SHARING_EQUAL, 120.0);
  for (int i = 0; i < 20000; i++)
    one_flight(&w, i, &f);
  ok(f.turned > 500, "flights in a field: %d times an electron turned on the way",
     f.turned);
  ok(f.energy < 1.0,
     "at null candidates the energy is that of flights one by one: to %.2g of the "
     "roundings of what is added, allowed 1",
     f.energy);
  ok(f.place < 1.0 && f.momentum < 1.0 && f.gained < 1.0,
     "and so at the end are place, momentum and what the field gave: %.2g, %.2g, %.2g of "
     "the roundings, allowed 1",
     f.place, f.momentum, f.gained);
  is_int(f.wrong, 0, "null candidates are counted and leave place and momentum alone");
  clear_world(&w);
}

/* ---- equilibrium ---- */

/* Electrons in an elastic gas at 300 K without field must come to 3/2 kT, from above and
 * from below. What goes wrong otherwise: were the process chosen with the energy in the
 * frame of the laboratory and the target's velocity drawn only after, approaching and
 * receding molecules would be met equally often.  For a constant cross section that takes
 * away the part of the heating that goes with |v - V|, and the electrons settle at 2/3 of
 * the right energy; for a constant collision frequency nothing changes, which is why both
 * are tried. */
static void relax(const char *name, uint64_t seed, int constant_frequency, double mass,
                  double start, int n, double times)
{
  enum { KNOTS = 400 };
  static double row[KNOTS][2];
  struct world w = {.set = new_set()};
  const double t_gas = 300.0, kt = WN_KB * t_gas / WN_E;
  for (int i = 0; i < KNOTS; i++) {
    row[i][0] = 1e-5 * pow(1e5, (double)i / (KNOTS - 1));
    row[i][1] = constant_frequency ? 10.0 * sqrt(kt / row[i][0]) : 10.0;
  }
  add(w.set, WN_XS_ELASTIC, "A", 0.0, 0.0, KNOTS, row);
  finish_world(&w, mass, t_gas, 10.0, WN_ANGLE_ISOTROPIC, WN_SHARING_EQUAL, 0.6);
  struct wn_mcc *m = &w.mcc;
  m->key = wn_rng_key(seed);
  /* rate of relaxation about 2 m/M nu (8/3 for a constant cross section); phases of 1/8
   * of that time */
  double nu = wn_xs_table_frequency(w.table, -1, 1.5 * kt),
         tau = mass / (2.0 * WN_ME * nu);
  m->t_end = tau / 8.0;
  wn_mcc_set_step(m, m->t_end, 1.0);
  wn_mcc_set_bands(m);
  int phases = (int)(8.0 * times), first = phases / 3;
  double mean = 0.0, square = 0.0, *sum = calloc((size_t)n, sizeof *sum);
  struct wn_electron *e = calloc((size_t)n, sizeof *e);
  must(e != NULL && sum != NULL);
  for (int i = 0; i < n; i++) {
    double v[3];
    wn_rng_normal3(wn_rng(m->key.seed, (uint64_t)i, 0, WN_RNG_INITIAL, 0), v);
    make_electron(&e[i], (uint64_t)i, 0.0);
    for (int k = 0; k < 3; k++)
      e[i].u[k] = (float)(v[k] * sqrt(start * kt * WN_E / WN_ME));
    e[i].t_next = wn_exponential_f((uint32_t)(uniform() * 0x1p32)) * m->inv_nu;
  }
  for (int p = 0; p < phases; p++) {
    for (int i = 0; i < n; i++)
      e[i].t_left = 1.0f;
    w.model.ops->advance_many(&w.model, e, (size_t)n, &w.tally,
                              &w.births); /* the bits of advance: test_steps */
    for (int i = 0; i < n && p >= first; i++) {
      double u[3] = {(double)e[i].u[0], (double)e[i].u[1], (double)e[i].u[2]};
      sum[i] += wn_kinetic_ev(u, wn_gamma(u)) / (1.5 * kt);
    }
  }
  for (int i = 0; i < n; i++) {
    sum[i] /= phases - first;
    mean += sum[i];
    square += sum[i] * sum[i];
  }
  free(sum);
  free(e);
  mean /= n;
  double error = sqrt((square / n - mean * mean) / n);
  ok(fabs(mean - 1.0) < 4.0 * error && error < 0.06,
     "%s, started at %g T: mean energy %.4f of 3/2 kT, error %.4f, off by %.2f sigma "
     "(allowed 4)",
     name, start, mean, error, (mean - 1.0) / error);
  is_int((long long)w.tally.alarms->n_violations, 0, "%s: the bound held", name);
  clear_world(&w);
}

/* ---- mobility steps ---- */

struct outcome {
  double energy, drift, energy_error, drift_error, grown, grown_error;
};

/* A swarm of all processes in a field for one phase, cut into steps. */
static struct outcome swarm(unsigned steps, uint64_t seed, int many)
{
  enum { N = 2000 };
  struct world w;
  struct outcome o = {0};
  make_world(&w, 300.0, 5.0, WN_ANGLE_OKHRIMOVSKYY, WN_SHARING_OPAL, 1e3);
  struct wn_mcc *m = &w.mcc;
  m->accel[2] = 1e6 * WN_QM; /* 100 Td */
  wn_mcc_set_field(m);
  wn_mcc_set_bands(m);
  m->key = wn_rng_key(seed);
  m->t_end = 2e-11;
  wn_mcc_set_step(m, m->t_end, steps);
  w.model.steps = steps;
  double s[6] = {0.0};
  for (int i = 0; i < N; i++) {
    struct wn_electron e;
    draw_state = 1000 + (uint64_t)i;
    make_electron(&e, (uint64_t)i, 20.0);
    e.t_next = wn_exponential_f((uint32_t)(uniform() * 0x1p32)) * m->inv_nu;
    e.t_left = (float)steps;
    double en = 0.0, z = 0.0, alive = 0.0;
    w.births.n = 0;
    wn_births_push(&w.births, &e);
    for (size_t j = 0; j < w.births.n; j++) {
      memcpy(&e, w.births.e + j * sizeof e, sizeof e);
      if (many)
        w.model.ops->advance_many(&w.model, &e, 1, &w.tally, &w.births);
      else
        w.model.ops->advance(&w.model, &e, &w.tally, &w.births);
      if (e.t_left < 0.0f)
        continue;
      double u[3] = {(double)e.u[0], (double)e.u[1], (double)e.u[2]};
      alive += 1.0;
      en += wn_kinetic_ev(u, wn_gamma(u));
      z += e.x[2];
    }
    s[0] += alive, s[1] += en, s[2] += z, s[3] += alive * alive, s[4] += en * en,
        s[5] += z * z;
  }
  o.grown = s[0] / N, o.energy = s[1] / N, o.drift = s[2] / N;
  o.grown_error = sqrt((s[3] / N - o.grown * o.grown) / N);
  o.energy_error = sqrt((s[4] / N - o.energy * o.energy) / N);
  o.drift_error = sqrt((s[5] / N - o.drift * o.drift) / N);
  diag("%u steps: alive %.4f, energy %.4f eV, sum of z %.4g m, candidates %llu, born "
       "%llu, dead %llu",
       steps, o.grown, o.energy, o.drift, (unsigned long long)w.tally.n_candidates,
       (unsigned long long)w.tally.n_births, (unsigned long long)w.tally.n_deaths);
  clear_world(&w);
  return o;
}

static void test_steps(void)
{
  struct outcome one = swarm(1, 1, 0), cut = swarm(97, 2, 0), quick = swarm(1, 1, 1);
  is_near(cut.grown, one.grown, 4.5 * hypot(cut.grown_error, one.grown_error),
          "97 steps or one: as many electrons");
  is_near(cut.energy, one.energy, 4.5 * hypot(cut.energy_error, one.energy_error),
          "97 steps or one: the same energy");
  is_near(cut.drift, one.drift, 4.5 * hypot(cut.drift_error, one.drift_error),
          "97 steps or one: the same way");
  ok(quick.energy == one.energy && quick.drift == one.drift && quick.grown == one.grown,
     "one by one and in vector loops: the same bits");
}

int main(void)
{
  plan(0);
  draw_state = 140;
  test_flights();
  relax("constant cross section, M = 4 u", 1, 0, 4.0 * WN_AMU, 1.2, 80, 9.0);
  relax("constant cross section, M = 100 m", 2, 0, 100.0 * WN_ME, 2.0, 1000, 20.0);
  relax("constant cross section, M = 100 m", 3, 0, 100.0 * WN_ME, 0.5, 1000, 20.0);
  relax("constant frequency, M = 4 u", 4, 1, 4.0 * WN_AMU, 0.8, 80, 9.0);
  relax("constant frequency, M = 100 m", 5, 1, 100.0 * WN_ME, 2.0, 1000, 20.0);
  test_steps();
  return done();
}
