/* t0140-collide.c - defends: collisions through the real path (wn_mcc_flights,
 * wn_mcc_collide: bound, choice, target velocity, kinematics) conserve energy and
 * momentum in every process and sharing, happen as often as the tables say and never
 * below a threshold; and slow electrons collide as the others
 * do. The gas is made up (t/tap/world.h); the references are conservation laws summed in long double,
 * and the tables (t/crosssections/t0220-table.c).  The event loop works in single precision: limits count
 * its roundings, EPS each.  Fixed seeds; limits at 4 sigma or more, chi-square at 1e-5:
 * another seed would fail one of the checks with a chance below 1e-3. */
#include "t/tap/world.h"

/* ---- one collision at a time ---- */

static long double kinetic(const long double p[3], long double m)
{
  long double p2 = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
  return p2 / (sqrtl(m * m + p2) + m);
}

struct closure {
  /* largest gap of the energy, in roundings; of ionization, of what is allowed */
  double slow, fast, ionization;
  int n[N_PROCESSES], below, killed, wrong;
  double lost[N_PROCESSES]; /* eV, as this test sums it */
  double room[N_PROCESSES]; /* of the sum: the squares of what rounding can do, eV^2 */
};

/* The process with place k in a set; the table has them in another order. */
static const struct wn_process_view *process_of(const struct wn_mcc *m, int k)
{
  for (int i = 0; i < N_PROCESSES; i++)
    if (m->xs.process[i].index == k)
      return &m->xs.process[i];
  return NULL;
}

/* Collide n electrons and add up what must close.  The target's velocity is known: its
 * random numbers have names. */
static void close_energy(struct world *w, int n, double lo, double hi, struct closure *c)
{
  const struct wn_mcc *m = &w->mcc;
  const struct wn_gas_view *g = &m->xs.gas[0];
  const long double mc2 = WN_MC2_EV, cc = WN_C;
  for (int i = 0; i < n; i++) {
    struct wn_electron e, child;
    struct wn_mcc_reg r;
    int what;
    make_electron(&e, (uint64_t)i, between(lo, hi));
    double u0[3] = {(double)e.u[0], (double)e.u[1], (double)e.u[2]}, gamma = wn_gamma(u0),
           t0 = wn_kinetic_ev(u0, gamma);
    double beta[3] = {0.0}, t_rel = t0, v[3] = {u0[0], u0[1], u0[2]};
    float speed[3] = {0.0f};
    if (g->sigma_v > 0.0f && t0 < (double)m->xs.thermal_below_ev) {
      const struct wn_rng4 words =
          wn_rng(m->key.seed, e.id, 0, WN_RNG_EVENT, WN_RNG_BLOCK_REAL);
      wn_mcc_target(m->xs.normal, g->sigma_v, &words, speed);
      for (int j = 0; j < 3; j++)
        beta[j] = (double)speed[j] / WN_C;
      wn_boost(v, &gamma, beta, 1.0);
      t_rel = wn_kinetic_ev(v, wn_gamma(v));
    }
    int k = hit(w, &e, &r, &child, &what);
    if (k < 0) {
      c->wrong += what != 0 || r.u[0] != e.u[0] || r.u[1] != e.u[1] || r.u[2] != e.u[2];
      continue;
    }
    c->n[k]++;
    const struct wn_process_view *p = process_of(m, k);
    double threshold = w->set->process[k].threshold_ev;
    /* 3 roundings of |u|^2, 2 of u, 3 of its energy, 1 of the threshold */
    c->below += t_rel < threshold * (1.0 - 9.0 * EPS);
    c->wrong += ((what & WN_MCC_CHILD) != 0) != (k == IONIZATION);
    c->killed += (what & WN_MCC_DEAD) != 0;
    c->lost[k] += t0;
    if (k == ATTACHMENT) {
      c->room[k] += 9.0 * t0 * t0;
      continue;
    }
    long double a[3], b[3], s[3] = {0.0L, 0.0L, 0.0L}, before[3], after[3],
                            mass = g->mass_ev, bb = 0.0L;
    for (int j = 0; j < 3; j++)
      bb += (long double)beta[j] * beta[j];
    for (int j = 0; j < 3; j++) {
      a[j] = mc2 * u0[j] / cc;
      b[j] = mc2 * (long double)r.u[j] / cc;
      if (k == IONIZATION)
        s[j] = mc2 * (long double)child.u[j] / cc;
      before[j] = mass * beta[j] / sqrtl(1.0L - bb);
      after[j] = before[j] + a[j] - b[j] - s[j];
    }
    long double child_t = kinetic(s, mc2), t1 = kinetic(b, mc2);
    long double mass_after = mass + p->loss_ev - (k == IONIZATION ? mc2 : 0.0L);
    long double gap = t1 + child_t + p->loss_ev + kinetic(after, mass_after) -
                      kinetic(before, mass) - t0;
    double off = (double)fabsl(gap), top = fmax(t0, (double)t1);
    c->lost[k] -= (double)(t1 + child_t);
    c->room[k] += 9.0 * (t0 * t0 + (double)(t1 * t1 + child_t * child_t));
    /* going to the frame of the target and back takes up to gamma m u v of energy from
     * one sum to the other, and what it adds to u is rounded */
    double moved = 2.0 * WN_MC2_EV * gamma * sqrt((double)bb) *
                   (wn_u_from_ev(top) / WN_C + sqrt((double)bb));
    if (k == IONIZATION) {
      /* In double precision, from a u that was rounded when it was brought to the frame
       * of the target, to what is stored, which is rounded (2 EPS of an energy each
       * time).  Of the recoil m/M t the second pass leaves (m/M)^2 t, and the electron
       * missing from the ion's mass as much; rounding of the momentum changes the recoil.
       * Where what is left to the faster electron does not pay the recoil, the ion's few
       * 1e-4 eV are given to it. */
      double ratio = (double)(mc2 / mass), rest = t_rel - p->loss_ev;
      double room = 4.0 * EPS * (t0 + (double)t1 + (double)child_t + moved) +
                    20.0 * ratio * ratio * t_rel +
                    (rest < 10.0 * ratio * t_rel ? 4.0 * ratio * t_rel : 0.0);
      c->ionization = fmax(c->ionization, off / room);
    } else if (t0 > (double)WN_SLOW_EV * (1.0 + 1e-6)) {
      c->fast = fmax(c->fast, off / (EPS * top));
    } else {
      c->slow = fmax(c->slow, off / (EPS * (top + moved)));
    }
  }
}

static void test_closure(void)
{
  static const char *const angle_name[] = {"isotropic", "okhrimovskyy",
                                           "screened-coulomb"};
  static const char *const share_name[] = {"equal", "opal", "rbeb"};
  for (int angle = 0; angle < 3; angle++)
    for (int share = 0; share < 3; share++) {
      struct world w;
      for (int fast = 0; fast < 2; fast++) {
        struct closure c = {0};
        make_world(&w, 300.0, share == 2 ? 50.0 : 5.0, angle, share, fast ? 2e6 : 120.0);
        close_energy(&w, 10000, fast ? 1e2 : 0.01, fast ? 1e6 : 100.0, &c);
        int fewest = c.n[0];
        double lost = 0.0;
        for (int k = 0; k < N_PROCESSES; k++) {
          fewest = c.n[k] < fewest ? c.n[k] : fewest;
          double off = fabs((double)w.tally.lost[k] / WN_FIX_ENERGY - c.lost[k]);
          /* the unit of energies is a constant, rounded once for all; other roundings
           * are at random, 3 of an energy that is summed */
          lost = fmax(lost, off / (EPS * (fabs(c.lost[k]) + 4.0 * sqrt(c.room[k]))));
        }
        const char *a = angle_name[angle], *s = share_name[share],
                   *f = fast ? "100 eV-1 MeV" : "0.01-100 eV";
        ok(fewest > 20, "%s, %s, %s: every process happened, at least %d times", a, s, f,
           fewest);
        /* slow: 4 roundings of the energy before, 5 of that in the centre of mass, the
         * square of the direction off by 4, u put together in 2 and brought back in 2;
         * not all of them at their largest and of one sign */
        ok(c.slow < 12.0,
           "%s, %s, %s: two-body collisions of slow electrons close energy and momentum "
           "to %.2f roundings of the energy, allowed 12",
           a, s, f, c.slow);
        /* those of the result, and nothing else */
        ok(c.fast < 2.01, "%s, %s, %s: of others, to %.2f roundings, allowed 2", a, s, f,
           c.fast);
        ok(c.ionization < 1.0,
           "%s, %s, %s: %d ionizations close with the ion's recoil: %.2g of the rounding "
           "of what is stored",
           a, s, f, c.n[IONIZATION], c.ionization);
        ok(lost < 1.0,
           "%s, %s, %s: the tally of lost energy is the sum, to %.2g of what rounding "
           "allows",
           a, s, f, lost);
        is_int(c.below, 0,
               "%s, %s, %s: nothing below its threshold, in the frame of the target", a,
               s, f);
        is_int(c.killed, c.n[ATTACHMENT],
               "%s, %s, %s: attachment kills, nothing else does", a, s, f);
        is_int(c.wrong, 0,
               "%s, %s, %s: nulls change nothing, ionization alone has children", a, s,
               f);
        is_int((long long)w.tally.alarms->n_violations, 0, "%s, %s, %s: the bound held",
               a, s, f);
        is_int((long long)(w.tally.n_births), c.n[IONIZATION],
               "%s, %s, %s: births are ionizations", a, s, f);
        clear_world(&w);
      }
    }
}

/* Of targets at rest that are heavy, both leave with half of what the loss leaves. */
static void test_equal(void)
{
  struct world w;
  struct wn_electron e, child;
  struct wn_mcc_reg r;
  double worst = 0.0;
  int what, seen = 0;
  make_world(&w, 0.0, 5.0, WN_ANGLE_ISOTROPIC, WN_SHARING_EQUAL, 120.0);
  for (uint64_t i = 0; seen < 1000; i++) {
    make_electron(&e, i, 20.0 + 0.08 * (double)(i % 1000));
    if (hit(&w, &e, &r, &child, &what) != IONIZATION)
      continue;
    seen++;
    const double u[3] = {(double)r.u[0], (double)r.u[1], (double)r.u[2]},
                 v[3] = {(double)child.u[0], (double)child.u[1], (double)child.u[2]},
                 one = wn_kinetic_ev(u, wn_gamma(u)), two = wn_kinetic_ev(v, wn_gamma(v));
    worst = fmax(worst, fabs(one - two) / (one + two));
  }
  /* the ion's recoil is of order sqrt(m/M) of the share at most in the frame of the gas */
  is_near(worst, 0.0, 0.02, "equal sharing: both have the same");
  clear_world(&w);
}

/* What a newborn starts with. */
static void test_child(void)
{
  struct world w;
  struct wn_electron e, child;
  struct wn_mcc_reg r;
  int what, seen = 0, same = 0;
  double next = 0.0;
  make_world(&w, 300.0, 5.0, WN_ANGLE_ISOTROPIC, WN_SHARING_EQUAL, 120.0);
  uint64_t last = 0;
  for (uint64_t i = 0; seen < 2000; i++) {
    make_electron(&e, i, 100.0);
    e.w = 2.5f;
    e.tag = 3u << WN_TAG_LINEAGE_BITS | 77u;
    e.t_left = 2.75f;
    e.event = 9;
    if (hit(&w, &e, &r, &child, &what) != IONIZATION)
      continue;
    seen++;
    same += child.w == 2.5f && child.tag == 77u && child.event == 0 &&
            child.t_left == 2.75f && child.id != e.id && child.id != last &&
            child.x[0] == e.x[0] + (double)r.moved[0] && e.event == 10;
    last = child.id;
    next += (double)child.t_next / (double)w.mcc.inv_nu;
  }
  is_int(same, seen,
         "a child has its parent's place, weight, lineage and time, no thresholds, its "
         "own id");
  is_near(next / seen, 1.0, 4.5 / sqrt((double)seen),
          "its first flight has mean 1/nu_max");
  is_close((double)w.tally.count[IONIZATION] / WN_FIX_WEIGHT, 2.5 * seen, 1e-12,
           "the tally counts weights");
  clear_world(&w);
}

/* In a weighted ensemble a newborn is of no cohort yet, as one that the last control saw. */
static void test_cohort(void)
{
  enum { GROUPS = 32, PHASE = 7 };
  struct world w;
  struct wn_electron e, child;
  struct wn_mcc_reg r;
  int what, seen = 0, right = 0;
  make_world(&w, 300.0, 5.0, WN_ANGLE_ISOTROPIC, WN_SHARING_EQUAL, 120.0);
  w.mcc.cohorts = 1;
  w.mcc.n_groups = GROUPS;
  w.mcc.mark_m = 0.25;
  w.mcc.t_end = PHASE * w.mcc.step;
  for (uint64_t i = 0; seen < 100; i++) {
    make_electron(&e, i, 100.0);
    e.tag = wn_electron_in_cohort(5u, GROUPS, 2u * 998u); /* fast since then */
    e.x[1] = 0.25;
    e.x[2] = 3e-5;
    if (hit(&w, &e, &r, &child, &what) != IONIZATION)
      continue;
    seen++;
    right += wn_electron_cohort(child.tag, GROUPS) == (2u * 998u | 1u) &&
             wn_electron_group(child.tag, GROUPS) == 5 &&
             child.x[1] == (PHASE - 1) * 0.25 && child.x[2] == 0.0 &&
             wn_electron_cohort(e.tag, GROUPS) == 2u * 998u;
  }
  is_int(right, seen, "of a weighted ensemble: no cohort, marked by the last control");
  clear_world(&w);
}

/* ---- how often ---- */

static double
chi2_limit(int n) /* exceeded by chance once in 1e5 (Wilson and Hilferty 1931) */
{
  double a = 2.0 / (9.0 * n), z = 1.0 - a + 4.265 * sqrt(a);
  return n * z * z * z;
}

static void test_frequencies(void)
{
  /* just above 2 eV the excitation is forbidden by recoil: the centre of mass lacks 2e-5
   * of the energy */
  static const double energy[] = {0.05, 0.6, 2.001, 10.0, 16.5, 40.0, 99.0};
  struct world w;
  make_world(&w, 0.0, 5.0, WN_ANGLE_ISOTROPIC, WN_SHARING_EQUAL, 100.0);
  for (int j = 0; j < 7; j++) {
    enum { N = 60000 };
    struct wn_electron e, child;
    struct wn_mcc_reg r;
    int what, count[N_PROCESSES + 1] = {0}, degrees = -1;
    double chi2 = 0.0, null = 1.0, t = 0.0;
    for (int i = 0; i < N; i++) {
      make_electron(&e, (uint64_t)i, energy[j]);
      e.u[0] = e.u[1] = 0.0f; /* one direction, so one energy */
      e.u[2] = (float)wn_u_from_ev(energy[j]);
      e.event = (uint32_t)j;
      int k = hit(&w, &e, &r, &child, &what);
      count[k < 0 ? N_PROCESSES : k]++;
      if (i == 0) {
        double u[3] = {0.0, 0.0, (double)(float)wn_u_from_ev(energy[j])};
        t = wn_kinetic_ev(u, wn_gamma(u));
      }
    }
    for (int k = 0; k <= N_PROCESSES; k++) {
      double p = k < N_PROCESSES ? wn_xs_table_frequency(w.table, k, t) / w.mcc.xs.nu_max
                                 : null,
             want = N * p;
      null -= k < N_PROCESSES ? p : 0.0;
      if (want == 0.0) {
        chi2 += count[k] > 0 ? INFINITY : 0.0;
        continue;
      }
      chi2 += (count[k] - want) * (count[k] - want) / want;
      degrees++;
    }
    ok(chi2 < chi2_limit(degrees),
       "%g eV: %d choices follow the table, chi2 %.2f, allowed %.1f for %d degrees",
       energy[j], N, chi2, chi2_limit(degrees), degrees);
  }
  clear_world(&w);
}

/* Between a loss and loss (1 + m/M) the centre of mass cannot pay it: such choices are
 * counted and change nothing. */
static void test_forbidden(void)
{
  struct world w;
  struct wn_electron e, child;
  struct wn_mcc_reg r;
  int what, changed = 0;
  make_world(&w, 0.0, 5.0, WN_ANGLE_ISOTROPIC, WN_SHARING_EQUAL, 100.0);
  for (uint64_t i = 0; i < 20000; i++) {
    make_electron(&e, i, 2.00002);
    const float u[3] = {e.u[0], e.u[1], e.u[2]};
    uint64_t before = w.tally.alarms->n_forbidden;
    int k = hit(&w, &e, &r, &child, &what);
    if (w.tally.alarms->n_forbidden > before)
      changed +=
          k >= 0 || what != 0 || r.u[0] != u[0] || r.u[1] != u[1] || r.u[2] != u[2];
  }
  ok(w.tally.alarms->n_forbidden > 50 && w.tally.count[EXCITATION] == 0,
     "2.00002 eV cannot pay 2 eV: %llu times refused, 0 times done",
     (unsigned long long)w.tally.alarms->n_forbidden);
  is_int(changed, 0, "and nothing changes then");
  clear_world(&w);
}

/* The search finds what looking at one after the other finds: the first whose cumulative
 * majorant exceeds the word; also where some have none, and for words that are one of the
 * bounds.  In three bins, as the words of one do not lie together. */
static void test_search(void)
{
  enum { MOST = 40, BINS = 3 };
  static struct wn_xs_four major[MOST / 4 * BINS];
  struct wn_mcc m = {.xs = {.n_bins = BINS, .major = major}};
  int wrong = 0, tried = 0;
  for (int round = 0; round < 100; round++)
    for (int n = 1; n <= MOST; n++) {
      uint32_t word[MOST];
      int bin = n % BINS;
      memset(major, 0, sizeof major);
      m.xs.n_processes = n;
      for (int k = 0; k < 4 * (int)wn_xs_fours(&m.xs); k++) {
        uint32_t width = k > 0 && uniform() < 0.3 ? 0 : 1 + (uint32_t)(uniform() * 9e7);
        if (k < n)
          word[k] = (k > 0 ? word[k - 1] : 0) + width;
        major[k / 4 * BINS + bin].w[k % 4] = k < n ? word[k] : UINT32_MAX;
      }
      for (int j = 0; j < 3 * n + 20; j++) {
        uint32_t pick = j < n ? word[j] - 1 : j < 2 * n ? word[j - n] : 0;
        int want = 0;
        float above, width;
        if (j >= 2 * n)
          pick = (uint32_t)(uniform() * word[n - 1]);
        if (pick >= word[n - 1])
          continue;
        while (pick >= word[want])
          want++;
        uint32_t floor = want > 0 ? word[want - 1] : 0;
        wrong += wn_mcc_choose(&m, bin, pick, &above, &width) != want ||
                 above != (float)(pick - floor) * 0x1p-32f ||
                 width != (float)(word[want] - floor) * 0x1p-32f;
        tried++;
      }
    }
  is_int(wrong, 0, "%d choices among 1 to %d processes are those of a plain loop", tried,
         MOST);
}

/* A candidate is real with the probability of its process, be that less than a step of
 * the word, and never below the threshold; what passes the bound is counted. */
static void test_real(void)
{
  const struct wn_xs_bin_view bin[1] = {{.cut = INFINITY}};
  struct wn_xs_line row[2];
  struct wn_tally_alarms alarms = {0};
  struct wn_tally t = {.alarms = &alarms};
  struct wn_mcc m = {
      .xs = {.n_processes = 2, .n_segments = 1, .n_bins = 1, .bin = bin, .row = row}};
  row[0] = (struct wn_xs_line){0.9f, 0.0f};
  row[1] = (struct wn_xs_line){0.25f, 0.5f}; /* 0.25 at the threshold of 1 eV */
  ok(wn_mcc_is_real(&m, 1, 1.0f, 1.0f, 0.249f, 1.0f, 0, 0, &t) &&
         !wn_mcc_is_real(&m, 1, 1.0f, 1.0f, 0.25f, 1.0f, 0, 0, &t) &&
         wn_mcc_is_real(&m, 1, 1.0f, 1.5f, 0.499f, 1.0f, 0, 0, &t) &&
         !wn_mcc_is_real(&m, 1, 1.0f, 1.5f, 0.5f, 1.0f, 0, 0, &t),
     "a candidate is real below the line of its process, which begins at the threshold");
  ok(!wn_mcc_is_real(&m, 1, 1.0f, nextafterf(1.0f, 0.0f), 0.0f, 1.0f, 0, 0, &t),
     "and never below the threshold");
  int n = 0;
  row[1] = (struct wn_xs_line){0.3f * 0x1p-32f, 0.0f};
  for (int i = 0; i < 1000000; i++)
    n += wn_mcc_is_real(&m, 1, 0.0f, 0.5f, 0.0f, 0x1p-32f, (uint32_t)(uniform() * 0x1p32),
                        0, &t);
  ok(fabs(n - 3e5) < 5.0 * sqrt(0.21e6),
     "one of probability 0.3 of a step of the word is 0.3 times of 1e6: %d", n);
  is_int((long long)alarms.n_violations, 0,
         "no violation of a bound that is wide enough");
  row[1] = (struct wn_xs_line){0.5f, 0.0f};
  const uint64_t id[] = {9, 7, UINT64_C(1) << 63};
  for (int i = 0; i < 3; i++)
    wn_mcc_is_real(&m, 1, 0.0f, 0.5f, 0.4f, 0.5f / (1.0f + 2e-6f), 0, id[i], &t);
  is_int((long long)alarms.n_violations, 3, "2e-6 above the bound is counted");
  is_int((long long)~alarms.violator, 7, "and the smallest id is kept");
}

/* The velocity of a target: three parts of the words, which have no bit in common, each
 * choose a level. */
static void test_target(void)
{
  float level[WN_XS_NORMALS];
  int wrong = 0;
  wn_xs_normals(level);
  for (int i = 0; i < 100000; i++) {
    uint32_t a = (uint32_t)(uniform() * WN_XS_NORMALS),
             b = (uint32_t)(uniform() * WN_XS_NORMALS),
             c = (uint32_t)(uniform() * WN_XS_NORMALS),
             rest = (uint32_t)(uniform() * 0x1p21);
    const struct wn_rng4 w = {{a | b << 11 | rest << 22, c | rest << 11, rest, ~rest}};
    float v[3];
    wn_mcc_target(level, 300.0f, &w, v);
    wrong += v[0] != 300.0f * level[a] || v[1] != 300.0f * level[b] ||
             v[2] != 300.0f * level[c];
  }
  is_int(wrong, 0, "each component of a target's velocity has bits of its own");
}

/* ---- slow electrons ---- */

/* Below WN_SLOW_EV collisions are in single precision, above in double: the same words
 * must give the same collision.  Both get the word of the polar angle with nothing below
 * the 23 bits that single precision reads. */
static void slow_differs(const char *name, int angle)
{
  struct world w;
  make_world(&w, 1000.0, 1e4, angle, WN_SHARING_EQUAL, 1e4);
  const struct wn_mcc *m = &w.mcc;
  const struct wn_gas_view *g = &m->xs.gas[0];
  static const int processes[] = {ELASTIC, EXCITATION, COOLING};
  double energy = 0.0, turn = 0.0, drift = 0.0;
  int n = 0, refused = 0;
  draw_state = 140 + (uint64_t)angle; /* whatever the tests before have drawn */
  for (int i = 0; i < 60000; i++) {
    const struct wn_process_view *p = process_of(m, processes[i % 3]);
    struct wn_electron e;
    struct wn_mcc_relative q = {.v = {0.0f, 0.0f, 0.0f}};
    make_electron(&e, (uint64_t)i, between(i % 3 == 1 ? 2.0 : 0.01, (double)WN_SLOW_EV));
    wn_mcc_boost(&q, e.u, 0.0f, 1.0f);
    struct wn_rng4 words = {{(uint32_t)(uniform() * 0x1p32), 0, 0, 0}};
    words.w[2] = (uint32_t)(uniform() * 0x1p23) << 9 | 0x100u;
    words.w[3] = (uint32_t)(uniform() * 0x1p32);
    struct wn_mcc_outcome a = wn_mcc_deflect_slow(m, wn_mcc_kind(m), g, p, &q, e.id,
                                                  &words, 1),
                          b = wn_mcc_deflect(m, wn_mcc_kind(m), g, p, &q, e.id, &words,
                                             1);
    refused += a.forbidden != b.forbidden;
    if (a.forbidden || b.forbidden)
      continue;
    n++;
    double x[3], y[3], off = 0.0, t = (double)q.t_ev, dot = 0.0;
    for (int j = 0; j < 3; j++) {
      x[j] = (double)a.u[j];
      y[j] = (double)b.u[j];
      off += (x[j] - y[j]) * (x[j] - y[j]);
      dot += y[j] * (double)q.u[j];
    }
    double after = wn_kinetic_ev(y, wn_gamma(y)), top = fmax(t, after),
           slow = wn_u_from_ev(after);
    energy = fmax(energy, fabs(wn_kinetic_ev(x, wn_gamma(x)) - after) / (EPS * top));
    /* where little is left, what is rounded off the energy is more of u; and 1 of s = (1
     * - cos)/2 turns by sqrt(s/(1 - s)), in a forward model */
    double c = dot / (slow * wn_u_from_ev(t)),
           room = EPS * slow *
                  fmax(fmax(1.0, t / after), sqrt((1.0 - c) / fmax(1.0 + c, 1e-6)));
    turn = fmax(turn, sqrt(off) / room);
    drift = fmax(drift, fabs((double)a.drift - (double)b.drift) / room);
  }
  ok(n > 50000 && refused == 0,
     "%s: %d collisions of slow electrons in single and in double precision", name, n);
  ok(energy < 13.0 && turn < 10.0 && drift < 10.0,
     "%s: they agree in energy, momentum and drift, to %.2f, %.2f, %.2f roundings, "
     "allowed 13, 10, 10",
     name, energy, turn, drift);
  clear_world(&w);
}

static void test_slow(void)
{
  slow_differs("isotropic", WN_ANGLE_ISOTROPIC);
  slow_differs("okhrimovskyy", WN_ANGLE_OKHRIMOVSKYY);
  slow_differs("screened-coulomb", WN_ANGLE_SCREENED_COULOMB);
}

int main(void)
{
  plan(0);
  draw_state = 140;
  test_closure();
  test_equal();
  test_child();
  test_cohort();
  test_frequencies();
  test_forbidden();
  test_search();
  test_real();
  test_target();
  test_slow();
  return done();
}
