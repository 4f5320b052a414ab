/* t0140-collide.c - defends: collisions through the real path (wn_mcc_advance: bound,
 * choice, target velocity, kinematics) conserve energy and momentum in every process and
 * sharing, happen as often as the tables say and never below a threshold, and bring
 * electrons to the temperature of the gas; that flights through null candidates are one
 * flight; and that what is left out for slow electrons changes no bit. The gases are made
 * up; the references are conservation laws summed in long double, the tables
 * (t/t0220-table.c), flights one by one (t/t0110-push.c), and the Maxwell distribution.
 * Fixed seeds; limits at 4 sigma or more, chi-square at 1e-5: another seed would fail one
 * of the checks with a chance below 1e-3. */
#include "crosssections/xs_table.h"
#include "physics/mcc.h"
#include "schedulers/model.h"
#include "src/base/error.h"
#include "t/tap/tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 140;

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

static void must(int good)
{
  if (!good) {
    diag("out of memory, or a table was refused");
    exit(1);
  }
}

/* ---- a gas made up ---- */

static void add(struct wn_xs_set *set, enum wn_xs_kind kind, const char *product,
                double loss, double threshold, size_t n, const double (*row)[2])
{
  struct wn_xs_process p = {
      .kind = kind, .loss_ev = loss, .threshold_ev = threshold, .n = n};
  if (kind == WN_XS_IONIZATION)
    p.orbital = (struct wn_xs_orbital){15.58, 54.91, 2.0};
  p.target = strdup(set->name);
  p.product = strdup(product);
  p.energy_ev = calloc(n, sizeof(double));
  p.sigma = calloc(n, sizeof(double));
  must(p.energy_ev != NULL && p.sigma != NULL);
  for (size_t i = 0; i < n; i++) {
    p.energy_ev[i] = row[i][0];
    p.sigma[i] = row[i][1] * 1e-20;
  }
  must(wn_xs_append(set, &p) == WN_OK);
}

#define ROWS(a) sizeof(a) / sizeof(a)[0], a
static const double elastic[][2] = {{0.0, 3.0},  {1.0, 4.0},  {30.0, 4.0}, {1e3, 5e-2},
                                    {1e4, 5e-4}, {1e5, 8e-6}, {3e6, 2e-8}};
static const double attach[][2] = {{0.5, 0.5}, {5.0, 0.5}, {3e6, 0.5}};
static const double excite[][2] = {
    {2.0, 1.0}, {3e6, 1.0}}; /* at once at its threshold: the hardest to keep */
static const double cool[][2] = {{0.0, 0.5}, {3e6, 0.5}};
static const double ionize[][2] = {{15.58, 0.0}, {20.0, 1.0}, {3e6, 2.0}};

struct world {
  struct wn_xs_set *set;
  struct wn_xs_table *table;
  struct wn_model model;
  struct wn_tally tally;
  struct wn_tally_shape shape;
  struct wn_births births;
};

enum { ELASTIC, ATTACHMENT, EXCITATION, COOLING, IONIZATION, N_PROCESSES };

static void finish_world(struct world *w, double mass, double temperature,
                         double thermal_below, int angle, int share, double e_max)
{
  struct wn_xs_gas gas = {.set = w->set,
                          .beyond = WN_XS_BEYOND_CONSTANT,
                          .density = 1e25,
                          .mass = mass,
                          .opal_ev = 13.0,
                          .atomic_number = 7.0};
  struct wn_xs_table_spec spec = {.n_gases = 1,
                                  .gas = &gas,
                                  .temperature = temperature,
                                  .thermal_below_ev = thermal_below,
                                  .angle_model = angle,
                                  .share_model = share,
                                  .bins_per_octave = 64,
                                  .e_max_ev = e_max};
  must(wn_xs_table_create(&spec, &w->table) == WN_OK);
  w->shape = (struct wn_tally_shape){1, (int)w->set->n, 0};
  must(wn_tally_init(&w->tally, &w->shape) == WN_OK);
  w->model = (struct wn_model){.ops = &wn_model_mcc, .steps = 1};
  struct wn_mcc *m = &w->model.mcc;
  m->xs = w->table->view;
  m->seed = 140;
  m->inv_nu = 1.0 / m->xs.nu_max;
  m->dt = m->phase = m->t_end = m->inv_nu;
  m->n_groups = 1;
  m->watch_ev = m->limit_ev = m->stop_ev = INFINITY;
}

static struct wn_xs_set *new_set(void)
{
  struct wn_xs_set *set = calloc(1, sizeof *set);
  must(set != NULL);
  set->name = strdup("A");
  set->source = strdup("made up");
  return set;
}

static void make_world(struct world *w, double temperature, double thermal_below,
                       int angle, int share, double e_max)
{
  *w = (struct world){.set = new_set()};
  add(w->set, WN_XS_ELASTIC, "A", 0.0, 0.0, ROWS(elastic));
  add(w->set, WN_XS_ATTACHMENT, "A-", 0.0, 0.5, ROWS(attach));
  add(w->set, WN_XS_EXCITATION, "A*", 2.0, 2.0, ROWS(excite));
  add(w->set, WN_XS_EXCITATION, "A(cold)", -0.3, 0.0, ROWS(cool));
  add(w->set, WN_XS_IONIZATION, "A+", 15.58, 15.58, ROWS(ionize));
  finish_world(w, 28.0 * WN_AMU, temperature, thermal_below, angle, share, e_max);
}

static void clear_world(struct world *w)
{
  wn_tally_clear(&w->tally);
  wn_xs_table_free(w->table);
  wn_xs_free(w->set);
  free(w->births.e);
}

/* ---- one collision at a time ---- */

/* An electron whose candidate is due now; returns the process that happened, or -1. */
static int hit(struct world *w, struct wn_electron *e, struct wn_mcc_reg *r,
               struct wn_electron *child, int *what)
{
  wn_i128 before[N_PROCESSES];
  for (int k = 0; k < N_PROCESSES; k++)
    before[k] = w->tally.count[k];
  wn_mcc_load(&w->model.mcc, e, r);
  /* the first candidate of the event alone, as wn_mcc_advance does it */
  uint32_t event = e->event++;
  struct wn_rng4 words = wn_rng(w->model.mcc.seed, e->id, event, WN_RNG_EVENT, 0);
  const struct wn_mcc_parabola p = wn_mcc_parabola(&w->model.mcc, r->u);
  *what = wn_mcc_fly(&w->model.mcc, wn_mcc_kind(&w->model.mcc), r, &p, e, 0, &w->tally,
                     words.w[0], words.w[1]);
  wn_mcc_commit(&w->model.mcc, r);
  if (*what == WN_MCC_EVENT)
    *what = wn_mcc_collide(&w->model.mcc, wn_mcc_kind(&w->model.mcc), r, e, 0, &w->tally,
                           child, event, words.w[0]);
  for (int k = 0; k < N_PROCESSES; k++)
    if (w->tally.count[k] != before[k])
      return k;
  return -1;
}

static void make_electron(struct wn_electron *e, uint64_t id, double t_ev)
{
  double d[3], u = wn_u_from_ev(t_ev);
  wn_angle_isotropic(d, uniform(), uniform());
  *e = (struct wn_electron){.w = 1.0f, .id = id, .t_left = 1.0f, .t_next = 0.0f};
  for (int i = 0; i < 3; i++)
    e->u[i] = (float)(u * d[i]);
}

static long double kinetic(const long double p[3], long double m)
{
  long double p2 = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
  return p2 / (sqrtl(m * m + p2) + m);
}

struct closure {
  double two_body, ionization; /* largest gap of the energy */
  int n[N_PROCESSES], below, killed, wrong;
  double lost[N_PROCESSES]; /* eV, as this test sums it */
};

/* Collide n electrons and add up what must close.  The target's velocity is known: its
 * random numbers have names. */
static void close_energy(struct world *w, int n, double lo, double hi, struct closure *c)
{
  const struct wn_mcc *m = &w->model.mcc;
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
    if (g->sigma_v > 0.0 && t0 < m->xs.thermal_below_ev) {
      const struct wn_rng4 words =
          wn_rng(m->seed, e.id, 0, WN_RNG_EVENT, WN_RNG_BLOCK_REAL);
      wn_mcc_target(m->xs.normal, g->sigma_v * (1.0 / WN_C), &words, beta);
      wn_boost(v, &gamma, beta, 1.0);
      t_rel = wn_kinetic_ev(v, wn_gamma(v));
    }
    int k = hit(w, &e, &r, &child, &what);
    if (k < 0) {
      c->wrong += what != 0 || r.u[0] != u0[0] || r.u[1] != u0[1] || r.u[2] != u0[2];
      continue;
    }
    c->n[k]++;
    const struct wn_process_view *p = &m->xs.process[k];
    double threshold = w->set->process[k].threshold_ev;
    c->below += t_rel < threshold;
    c->wrong += ((what & WN_MCC_CHILD) != 0) != (k == IONIZATION);
    c->killed += (what & WN_MCC_DEAD) != 0;
    c->lost[k] += t0;
    if (k == ATTACHMENT)
      continue;
    long double a[3], b[3], s[3] = {0.0L, 0.0L, 0.0L}, before[3], after[3],
                            mass = g->mass_ev, bb = 0.0L;
    for (int j = 0; j < 3; j++)
      bb += (long double)beta[j] * beta[j];
    for (int j = 0; j < 3; j++) {
      a[j] = mc2 * u0[j] / cc;
      b[j] = mc2 * r.u[j] / cc;
      if (k == IONIZATION)
        s[j] = mc2 * (long double)child.u[j] / cc;
      before[j] = mass * beta[j] / sqrtl(1.0L - bb);
      after[j] = before[j] + a[j] - b[j] - s[j];
    }
    long double child_t = kinetic(s, mc2), t1 = kinetic(b, mc2);
    long double mass_after = mass + p->loss_ev - (k == IONIZATION ? mc2 : 0.0L);
    long double gap = t1 + child_t + p->loss_ev + kinetic(after, mass_after) -
                      kinetic(before, mass) - t0;
    double off = (double)fabsl(gap);
    c->lost[k] -= (double)(t1 + child_t);
    if (k == IONIZATION) {
      /* The child is stored in floats, so its energy is rounded to 1.2e-7, and its
       * momentum with it; of the recoil m/M t the second pass leaves (m/M)^2 t, and the
       * electron missing from the ion's mass as much.  Where what is left to the faster
       * electron does not pay the recoil, the ion's few 1e-4 eV are given to it. */
      double ratio = (double)(mc2 / mass), rest = t_rel - p->loss_ev;
      double room = 3e-7 * (double)child_t + 20.0 * ratio * ratio * t_rel +
                    1e-7 * sqrt((double)child_t * ratio * t_rel) +
                    1e-7 * sqrt((double)child_t) * 0.04 +
                    (rest < 10.0 * ratio * t_rel ? 4.0 * ratio * t_rel : 0.0);
      c->ionization = fmax(c->ionization, off / room);
    } else
      c->two_body = fmax(
          c->two_body, off / (fmax(t0, (double)t1) +
                              0.1)); /* 0.1 eV: the target's own energy turns over too */
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
          lost = fmax(lost, off / (c.n[k] + 1e-7 * fabs(c.lost[k])));
        }
        const char *a = angle_name[angle], *s = share_name[share],
                   *f = fast ? "100 eV-1 MeV" : "0.01-100 eV";
        ok(fewest > 20, "%s, %s, %s: every process happened, at least %d times", a, s, f,
           fewest);
        ok(c.two_body < 1e-14,
           "%s, %s, %s: two-body collisions close energy and momentum to %.2g of the "
           "energy, allowed 1e-14",
           a, s, f, c.two_body);
        ok(c.ionization < 1.0,
           "%s, %s, %s: %d ionizations close with the ion's recoil: %.2g of the rounding "
           "of what is stored",
           a, s, f, c.n[IONIZATION], c.ionization);
        ok(lost < 1e-9,
           "%s, %s, %s: the tally of lost energy is the sum, to %.2g eV a collision, "
           "allowed 1e-9",
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
            child.x[0] == e.x[0] + r.moved[0] && e.event == 10;
    last = child.id;
    next += (double)child.t_next / w.model.mcc.inv_nu;
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
      double p = k < N_PROCESSES
                     ? wn_xs_table_frequency(w.table, k, t) / w.model.mcc.xs.nu_max
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
    double u[3] = {(double)e.u[0], (double)e.u[1], (double)e.u[2]};
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

/* The search for the process finds what looking at one after the other finds: the first
 * whose cumulative probability exceeds the number; also where some have probability 0,
 * and for numbers that are one of the bounds. */
static void test_search(void)
{
  enum { MOST = 40 };
  float row[2 * MOST];
  const uint32_t segment[2] = {0, 1};
  const double edge[2] = {0.0, 1.0};
  struct wn_tally_alarms alarms = {0};
  struct wn_tally t = {.alarms = &alarms};
  struct wn_mcc m = {.xs = {.n_bins = 1, .bin_segment = segment, .edge = edge}};
  int wrong = 0, tried = 0, nulls = 0;
  for (int round = 0; round < 100; round++)
    for (int n = 1; n <= MOST; n++) {
      struct wn_gas_view g = {.n = n, .row = row};
      float sum0 = 0.0f, sum1 = 0.0f, de = (float)uniform();
      for (int k = 0; k < n; k++) {
        int none = uniform() < 0.3;
        sum0 += none ? 0.0f : (float)(uniform() * 0.9 / MOST);
        sum1 += none ? 0.0f : (float)(uniform() * 0.1 / MOST);
        row[2 * k] = sum0;
        row[2 * k + 1] = sum1;
      }
      for (int j = 0; j < 3 * n + 20; j++) {
        int at = j % n, want = -1;
        float pick = row[2 * at] + row[2 * at + 1] * de;
        if (j < n)
          pick = nextafterf(pick, 0.0f);
        else if (j >= 2 * n)
          pick = (float)uniform() * (sum0 + sum1 * de) * 1.1f;
        for (int k = 0; k < n && want < 0; k++)
          if (pick < row[2 * k] + row[2 * k + 1] * de)
            want = k;
        wrong += wn_mcc_choose_process(&m, &g, (double)de, pick, 1.0, &t) != want;
        nulls += want < 0;
        tried++;
      }
    }
  is_int(wrong, 0, "%d choices among 1 to %d processes are those of a plain loop", tried,
         MOST);
  ok(nulls > 1000 && nulls < tried / 2, "%d of them null", nulls);
  is_int((long long)alarms.n_violations, 0,
         "no violation of a bound that is wide enough");
  struct wn_gas_view one = {.n = 1, .row = row};
  row[0] = 0.5f, row[1] = 0.0f;
  wn_mcc_choose_process(&m, &one, 0.5, 0.4f, 0.5 / (1.0 + 2e-6), &t);
  is_int((long long)alarms.n_violations, 1, "2e-6 above the bound is counted");
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
    double beta[3];
    wn_mcc_target(level, 1e-6, &w, beta);
    wrong += beta[0] != 1e-6 * (double)level[a] || beta[1] != 1e-6 * (double)level[b] ||
             beta[2] != 1e-6 * (double)level[c];
  }
  is_int(wrong, 0, "each component of a target's velocity has bits of its own");
}

/* ---- flights ---- */

/* Flights through null candidates are one flight: the energy at each of them and, at the
 * end, place and momentum are those of flights from one to the next (physics/push.h).
 * From 1e-3 eV to 1 MeV, along, across and against the field. */
static void test_flights(void)
{
  struct world w;
  make_world(&w, 300.0, 5.0, WN_ANGLE_ISOTROPIC, WN_SHARING_EQUAL, 120.0);
  struct wn_mcc *m = &w.model.mcc;
  double energy = 0.0, place = 0.0, momentum = 0.0, gained = 0.0;
  int wrong = 0, turned = 0;
  for (int i = 0; i < 20000; i++) {
    double t = between(1e-3, 1e6), x[3] = {0.0}, u[3], gamma, before, d[3], top = 0.0,
           way = 0.0;
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
      u[j] = (double)e.u[j];
    gamma = wn_gamma(u);
    before = wn_kinetic_ev(u, gamma);
    const struct wn_mcc_parabola p = wn_mcc_parabola(m, r.u);
    int n = 1 + i % 7, fell = 0;
    double last = before;
    for (int k = 0; k < n; k++) {
      double dt = between(0.01, 3.0) * wn_u_from_ev(t) / 1e17;
      r.next = dt;
      r.left = 2.0 * dt;
      /* the last word is null, whatever the bound */
      int what = wn_mcc_fly(m, wn_mcc_kind(m), &r, &p, &e, 0, &w.tally, 0xffffffffu, 0);
      double x0[3] = {x[0], x[1], x[2]};
      wn_flight_e(x, u, &gamma, m->accel, m->inv_accel2, dt);
      double now = wn_kinetic_ev(u, gamma);
      for (int j = 0; j < 3; j++)
        way += fabs(x[j] - x0[j]);
      top = fmax(top, fmax(now, last));
      energy = fmax(energy, fabs(r.energy - now) / top);
      wrong += what != 0 || r.left != dt;
      turned += fell && now > last;
      fell = now < last;
      last = now;
    }
    wrong += (int)r.n_candidates != n || r.moved[2] != 0.0 || r.u[2] != (double)e.u[2];
    wn_mcc_commit(m, &r);
    double top_u = wn_u_from_ev(top);
    for (int j = 0; j < 3; j++) {
      place = fmax(place, fabs(r.moved[j] - x[j]) / way);
      momentum = fmax(momentum, fabs(r.u[j] - u[j]) / top_u);
    }
    gained = fmax(gained, fabs(r.gained - (last - before)) / top);
    wrong += r.since != 0.0 || r.base_ev != r.energy;
  }
  ok(turned > 500, "flights in a field: %d times an electron turned on the way", turned);
  ok(energy < 3e-15,
     "at null candidates the energy is that of flights one by one: to %.2g of the "
     "largest "
     "on the way, allowed 3e-15",
     energy);
  /* 4e-15 is the accuracy of artanh(x)/x, physics/mathfn.h */
  ok(place < 5e-15 && momentum < 2e-15 && gained < 4e-15,
     "and so at the end are place, momentum and what the field gave: %.2g, %.2g, %.2g, "
     "allowed 5e-15, 2e-15, 4e-15",
     place, momentum, gained);
  is_int(wrong, 0, "null candidates are counted and leave place and momentum alone");
  clear_world(&w);
}

/* Below WN_MCC_SLOW_EV series take the place of square roots without asking (is_slow):
 * the same bits.  Returns how many collisions and flights differ. */
static int slow_differs(int angle, int share, double lo, double hi, int n, int *fewest)
{
  struct world w;
  struct wn_tally other;
  int differ = 0, process[N_PROCESSES] = {0};
  make_world(&w, 1000.0, 1e4, angle, share, 1e4);
  must(wn_tally_init(&other, &w.shape) == WN_OK);
  struct wn_mcc *m = &w.model.mcc;
  struct wn_mcc_kind any = wn_mcc_kind(m), slow = any;
  slow.is_slow = 1;
  for (int i = 0; i < n;) {
    struct wn_electron e, child = {.w = 0.0f}, second = child;
    struct wn_mcc_reg r, q;
    double d[3];
    make_electron(&e, (uint64_t)i, between(i & 1 ? lo : 0.9 * hi, hi));
    wn_mcc_load(m, &e, &r);
    wn_angle_isotropic(d, uniform(), uniform());
    for (int j = 0; j < 3; j++)
      m->accel[j] = i % 4 == 0 ? -1e17 * r.u[j] / wn_u_from_ev(r.energy) : 1e17 * d[j];
    wn_mcc_set_field(m);
    /* up to the turn and back to the same speed */
    const struct wn_mcc_parabola p = wn_mcc_parabola(m, r.u);
    r.next = 2.0 * uniform() * wn_u_from_ev(r.energy) / 1e17;
    r.left = 2.0 * r.next;
    wn_mcc_fly(m, any, &r, &p, &e, 0, &w.tally, 0xffffffffu, 0);
    if (r.energy >= hi || r.energy < lo)
      continue;
    i++;
    q = r;
    wn_mcc_commit_with(m, &r, 0);
    wn_mcc_commit_with(m, &q, 1);
    int same = memcmp(&r, &q, sizeof r) == 0;
    int bin = wn_xs_bin(&m->xs, r.energy);
    uint32_t word = (uint32_t)(uniform() * 0x1p32 * wn_xs_major(&m->xs, bin, 0));
    q = r;
    wn_i128 before[N_PROCESSES];
    for (int k = 0; k < N_PROCESSES; k++)
      before[k] = w.tally.count[k];
    int a = wn_mcc_collide(m, any, &r, &e, 0, &w.tally, &child, 1, word),
        b = wn_mcc_collide(m, slow, &q, &e, 0, &other, &second, 1, word);
    for (int k = 0; k < N_PROCESSES; k++)
      process[k] += w.tally.count[k] != before[k];
    differ += !same || a != b || memcmp(&r, &q, sizeof r) != 0 ||
              memcmp(&child, &second, sizeof child) != 0;
  }
  *fewest = process[0];
  for (int k = 0; k < N_PROCESSES; k++) {
    *fewest = process[k] < *fewest ? process[k] : *fewest;
    differ += w.tally.count[k] != other.count[k] || w.tally.lost[k] != other.lost[k];
  }
  differ += w.tally.n_real != other.n_real || w.tally.n_births != other.n_births ||
            w.tally.alarms->n_forbidden != other.alarms->n_forbidden ||
            w.tally.alarms->n_violations != other.alarms->n_violations;
  wn_tally_clear(&other);
  clear_world(&w);
  return differ;
}

static void test_slow(void)
{
  static const struct {
    const char *name;
    int angle, share;
  } kind[] = {{"isotropic, equal", WN_ANGLE_ISOTROPIC, WN_SHARING_EQUAL},
              {"isotropic, rbeb", WN_ANGLE_ISOTROPIC, WN_SHARING_RBEB},
              {"okhrimovskyy, opal", WN_ANGLE_OKHRIMOVSKYY, WN_SHARING_OPAL},
              {"okhrimovskyy, rbeb", WN_ANGLE_OKHRIMOVSKYY, WN_SHARING_RBEB},
              {"screened-coulomb, opal", WN_ANGLE_SCREENED_COULOMB, WN_SHARING_OPAL}};
  const double top = WN_MCC_SLOW_EV;
  int fewest, n = 50000;
  for (size_t i = 0; i < sizeof kind / sizeof kind[0]; i++) {
    int differ = slow_differs(kind[i].angle, kind[i].share, 0.01, top, n, &fewest);
    is_int(differ, 0,
           "%s: %d flights and collisions up to %g eV are the same when the electron is "
           "said to be slow",
           kind[i].name, n, top);
    ok(fewest > 100, "%s: every process happened, at least %d times", kind[i].name,
       fewest);
  }
  int differ =
      slow_differs(WN_ANGLE_ISOTROPIC, WN_SHARING_EQUAL, 1e3, 9e3, 1000, &fewest);
  ok(differ > 500, "what is said of fast electrons matters: %d of 1000 differ", differ);
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
  struct wn_mcc *m = &w.model.mcc;
  m->seed = seed;
  /* rate of relaxation about 2 m/M nu (8/3 for a constant cross section); phases of 1/8
   * of that time */
  double nu = wn_xs_table_frequency(w.table, -1, 1.5 * kt),
         tau = mass / (2.0 * WN_ME * nu);
  m->dt = m->phase = m->t_end = tau / 8.0;
  int phases = (int)(8.0 * times), first = phases / 3;
  double mean = 0.0, square = 0.0, *sum = calloc((size_t)n, sizeof *sum);
  struct wn_electron *e = calloc((size_t)n, sizeof *e);
  must(e != NULL && sum != NULL);
  for (int i = 0; i < n; i++) {
    double v[3];
    wn_rng_normal3(wn_rng(m->seed, (uint64_t)i, 0, WN_RNG_INITIAL, 0), v);
    make_electron(&e[i], (uint64_t)i, 0.0);
    for (int k = 0; k < 3; k++)
      e[i].u[k] = (float)(v[k] * sqrt(start * kt * WN_E / WN_ME));
    e[i].t_next =
        (float)((double)wn_exponential_f((uint32_t)(uniform() * 0x1p32)) * m->inv_nu);
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
  struct wn_mcc *m = &w.model.mcc;
  m->accel[2] = 1e6 * WN_QM; /* 100 Td */
  wn_mcc_set_field(m);
  m->seed = seed;
  m->phase = m->t_end = 2e-11;
  m->dt = m->phase / steps;
  w.model.steps = steps;
  double s[6] = {0.0};
  for (int i = 0; i < N; i++) {
    struct wn_electron e;
    state = 1000 + (uint64_t)i;
    make_electron(&e, (uint64_t)i, 20.0);
    e.t_next =
        (float)((double)wn_exponential_f((uint32_t)(uniform() * 0x1p32)) * m->inv_nu);
    e.t_left = (float)steps;
    double en = 0.0, z = 0.0, alive = 0.0;
    w.births.n = 0;
    wn_births_push(&w.births, &e);
    for (size_t j = 0; j < w.births.n; j++) {
      e = w.births.e[j];
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
  test_closure();
  test_child();
  test_frequencies();
  test_forbidden();
  test_search();
  test_target();
  test_flights();
  test_slow();
  relax("constant cross section, M = 4 u", 1, 0, 4.0 * WN_AMU, 1.2, 80, 9.0);
  relax("constant cross section, M = 100 m", 2, 0, 100.0 * WN_ME, 2.0, 1000, 20.0);
  relax("constant cross section, M = 100 m", 3, 0, 100.0 * WN_ME, 0.5, 1000, 20.0);
  relax("constant frequency, M = 4 u", 4, 1, 4.0 * WN_AMU, 0.8, 80, 9.0);
  relax("constant frequency, M = 100 m", 5, 1, 100.0 * WN_ME, 2.0, 1000, 20.0);
  test_steps();
  return done();
}
