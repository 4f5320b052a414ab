/* t0767-coulomb-relaxation.c - defends: the rates of relaxation by Coulomb collisions in cells
 * (src/sim/coulomb_collisions.c), with all methods, any number of particles in a cell, even and
 * odd, as many of one species as of the other or not, and equal or unequal weights: the
 * temperature anisotropy of one species, the temperatures of two, the slowing down of a beam.
 *
 * References, derived here.  With nu = K/g^3 the loss of direction of a pair's relative velocity g
 * (1 - mean cosine per second), G = (m1 v1 + m2 v2)/(m1 + m2) and v1 = G + mu/m1 g:
 *
 *   d<v1>/dt = -mu/m1 <nu g>     dE1/dt = -mu <nu G.g>     d(g_x^2)/dt = -3 nu (g_x^2 - g^2/3)
 *
 * the last for small angles, as the second Legendre polynomial decays with 3 nu.  Averages over
 * normal distributions:
 *   beam in a Maxwellian: <nu g> = K psi(x)/v^2, the field of a Gaussian of charge, with x = v^2/2
 *   sigma^2 and psi = erf(sqrt x) - 2 sqrt(x/pi) exp(-x)  (Chandrasekhar)
 *   two temperatures: dT1/dt = -2/3 sqrt(2/pi) K mu^2/(m1 m2) (T1 - T2)/mu /S^(3/2), S = T1/m1 +
 *   T2/m2  (Spitzer; the same as in the manual of Smilei, after the NRL formulary)
 *   anisotropy: d<v_x^2>/dt = -3/4 K <(g_x^2/g^2 - 1/3)/g>, an integral over one angle, done here
 *   by Simpson's rule, and beside it the closed form of the NRL formulary as that manual has it.
 * They hold at the start, so that only some per cent are followed; what they change until then is
 * in an ordinary differential equation.
 *
 * Steps.  A pair that is so slow that s is not small turns by less than nu dt: its mean cosine falls
 * by 1 - exp(-s).  By s ~ dt/g^3 the rate of two temperatures is too small by the part Gamma(-5/3)/3
 * s1^(2/3) = 0.804 s1^(2/3), with s1 at g = sqrt(S): of order 2/3 in the step.  The references
 * are multiplied by what remains, by integrals over g, and this order is checked by itself.
 *
 * Numbers.  In a cell of N particles of one species each meets N - 1 others: a mean over particles
 * changes by the part 1 - 1/N of the rate at the density N/volume (with weights 1 - sum w^2/(sum
 * w)^2), as it should where numbers are those of Poisson, <N (N - 1)> = <N>^2.
 *
 * Errors: cells are independent, and their scatter gives the standard error; 4.5 of them, a false
 * alarm in 1.5e5 checks.  The errors are 1 to 3 % of a rate: a wrong factor of 2, N in the place of
 * N - 1 for five particles a cell, or one deflection too few of three would be seen. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "physics/coulomb.h"
#include "t/tap/command.h"
#include "t/tap/coulomb.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0767.cfg"
#define PAIR      "x = { species = [%s]; logarithm = 10.0; method = \"%s\"; }; "

static const char *const method[] = {"takizuka-abe", "nanbu", "perez"};
static const double still[3] = {0.0, 0.0, 0.0};

/* Mean and standard error, from independent numbers. */
struct mean {
  double n, sum, square;
};

static void add(struct mean *m, double x)
{
  m->n += 1.0;
  m->sum += x;
  m->square += x * x;
}

static double mean_of(const struct mean *m)
{
  return m->sum / m->n;
}

static double error_of(const struct mean *m)
{
  const double mean = mean_of(m);
  return sqrt((m->square / m->n - mean * mean) / (m->n - 1.0));
}

/* Weighted sums of u_d and u_d^2 over each cell, for the changes. */
static double *cell_sums(const struct scene *s, int k, int per_cell)
{
  const size_t n = s->sim->species[k]->p.n;
  double *sum = calloc(n / (size_t)per_cell * 7, sizeof *sum);
  WN_ASSERT(sum != NULL);
  for (size_t i = 0; i < n; i++) {
    double *of = &sum[i / (size_t)per_cell * 7];
    const double w = coulomb_weight(s, k, i);
    of[6] += w;
    for (int d = 0; d < 3; d++) {
      const double u = (double)coulomb_u(s, k, i)[d];
      of[d] += w * u;
      of[3 + d] += w * u * u;
    }
  }
  return sum;
}

/* ---- what is lost in a step: 1 - mean Legendre polynomial l, 1 or 2, of the cosine */

static double loss(const char *name, int l, double s)
{
  enum { N = 400 };
  if (strcmp(name, "takizuka-abe") != 0) {
    const double cosine = exp(-s);
    if (s < 1e-5 || l == 1)
      return l == 1 ? -expm1(-s) : 3.0 * s;
    return s < 10.0 ? 3.0 * cosine * wn_coulomb_inverse_a(s) : 1.0;
  }
  /* a normal number t sqrt(s/2), t up to 8, by Simpson's rule */
  double sum = 0.0;
  for (int i = 0; i <= N; i++) {
    const double t = 8.0 * i / N, q = 0.5 * s * t * t,
                 f = l == 1 ? 2.0 * q / (1.0 + q) : 6.0 * q / ((1.0 + q) * (1.0 + q));
    sum += f * exp(-0.5 * t * t) * (i == 0 || i == N ? 1.0 : i % 2 ? 4.0 : 2.0);
  }
  return sum * 8.0 / (3.0 * N) * sqrt(2.0 / WN_PI);
}

/* Of the rate, in steps with s = (k/g)^3: for Legendre polynomial l, and g with the variances along
 * x and across. */
static double remains(const char *name, int l, double k, double along, double across)
{
  enum { N = 400, ANGLES = 40 };
  double lost = 0.0, all = 0.0;
  for (int i = 0; i < (l == 1 ? 1 : ANGLES); i++) {
    const double c = (i + 0.5) / ANGLES,
                 inverse = l == 1 ? 1.0 / along : c * c / along + (1.0 - c * c) / across,
                 factor = l == 1 ? 1.0 : c * c - 1.0 / 3;
    for (int j = 1; j < N; j++) { /* g = width x^2, dense near 0; both ends give 0 */
      const double x = 3.0 * j / N, g = x * x / sqrt(inverse), s = pow(k / g, 3),
                   f = factor * pow(g, 4) * exp(-0.5 * g * g * inverse) * x /
                       sqrt(inverse) * (j % 2 ? 2.0 : 1.0);
      lost += f * loss(name, l, s);
      all += f * s * (l == 1 ? 1.0 : 3.0);
    }
  }
  return lost / all;
}

static void order_of_steps(void)
{
  const double c = tgamma(1.0 / 3) / (5.0 / 3 * 2.0 / 3) / 3.0;
  is_close(c, 0.804, 1e-3, "Gamma(-5/3)/3");
  is_close(1.0 - remains("nanbu", 1, cbrt(1e-6), 1.0, 1.0), c * 1e-4, 0.01,
           "the loss at s1 = 1e-6 is 0.804 s1^(2/3)");
}

/* ---- anisotropy */

/* d<v_x^2>/dt for the variances x, across [m2/s2]. */
static double isotropization(double strength, double x, double across)
{
  enum { N = 2000 };
  const double a = 2.0 * x, b = 2.0 * across;
  double sum = 0.0;
  for (int i = 0; i <= N; i++) {
    const double c = -1.0 + 2.0 * i / N,
                 f = (c * c - 1.0 / 3) / (c * c / a + (1.0 - c * c) / b);
    sum += f * (i == 0 || i == N ? 1.0 : i % 2 ? 4.0 : 2.0);
  }
  return -0.75 * strength * sum * 2.0 / (3.0 * N) / (sqrt(2.0 * WN_PI * a) * b);
}

static void closed_form(void)
{
  /* T_x = 2, T_across = 1 of A = 1 - 1/2: dT_across/dt = nu (T_x - T_across) */
  const double x = 2e12, across = 1e12, a = 1.0 - across / x, mu = 0.5 * WN_ME;
  const double nu =
      pow(WN_E, 4) * COULOMB_N * COULOMB_LOG /
      (8.0 * pow(WN_PI, 1.5) * WN_EPS0 * WN_EPS0 * sqrt(WN_ME) * pow(WN_ME * x, 1.5)) /
      (a * a) * (-3.0 + (3.0 - a) * atanh(sqrt(a)) / sqrt(a));
  is_close(isotropization(coulomb_strength(COULOMB_N, mu), x, across),
           -2.0 * nu * (x - across), 1e-6,
           "the integral is the formula of the NRL formulary");
}

static void anisotropy(const char *name, int dim, int cells, int per_cell, double weights)
{
  const double x = 4e12, across = 1e12, k = coulomb_strength(COULOMB_N, 0.5 * WN_ME);
  const double sigma[3] = {sqrt(x), sqrt(across), sqrt(across)};
  char collide[256];
  struct scene s;
  snprintf(collide, sizeof collide, PAIR "y = { species = [\"b\"]; };", "\"a\"", name);
  const struct coulomb_case c = {dim, cells, {per_cell, 2}, 1.0, collide, ""};
  coulomb_open(&s, FILE_NAME, &c);
  /* 3 % of the anisotropy in 6 steps */
  const int steps = 6;
  const double dt = -0.03 * (x - across) / isotropization(k, x, across) / steps;
  s.config->plasma.time_step = dt;
  scene_start(&s, 0.0);
  coulomb_fill(&s, 0, per_cell, sigma, still, weights);
  double *before = cell_sums(&s, 0, per_cell), change = 0.0, weight = 0.0;
  coulomb_steps(&s, steps);
  double *after = cell_sums(&s, 0, per_cell);
  struct mean m = {0};
  for (int i = 0; i < cells; i++) {
    add(&m, after[7 * i + 3] - before[7 * i + 3]);
    weight += before[7 * i + 6] / cells;
  }
  /* the mean density of a cell is that of its weights */ const double dense =
      weight / per_cell;
  const double alone = weights > 1.0 ? 13.0 / 12 : 1.0; /* <w^2>/<w>^2 of 1 to 3 */
  const double part = (1.0 - alone / per_cell) *
                      remains(name, 2, cbrt(k * dense * dt), 2.0 * x, 2.0 * across);

  double vx = x, va = across;
  for (int i = 0; i < 100; i++) {
    const double d = part * isotropization(k * dense, vx, va) * dt * steps / 100;
    vx += d;
    va -= 0.5 * d;
    change += d;
  }
  is_near(mean_of(&m) / weight / change, 1.0, 4.5 * error_of(&m) / weight / fabs(change),
          "%s, %dd, %d a cell: anisotropy, error %.2g", name, dim, per_cell,
          error_of(&m) / weight / fabs(change));
  ok(error_of(&m) / weight < 0.05 * fabs(change), "and known to 5 %%");
  free(before);
  free(after);
  scene_close(&s);
}

/* ---- two temperatures */

static void temperatures(const char *name, int dim, int cells, int n_a, int n_b,
                         double density, double weights, double part)

{
  const double t_a = 3e12 * WN_ME, t_b = 1e12 * WN_ME, m_b = COULOMB_MASS * WN_ME,
               mu = WN_ME * m_b / (WN_ME + m_b);
  const double sigma_a[3] = {sqrt(t_a / WN_ME), sqrt(t_a / WN_ME), sqrt(t_a / WN_ME)},
               sigma_b[3] = {sqrt(t_b / m_b), sqrt(t_b / m_b), sqrt(t_b / m_b)};
  const double spread = t_a / WN_ME + t_b / m_b;
  char collide[256];
  struct scene s;
  snprintf(collide, sizeof collide, PAIR, "\"b\", \"a\"", name);
  const struct coulomb_case c = {dim, cells, {n_a, n_b}, density, collide, ""};
  coulomb_open(&s, FILE_NAME, &c);
  /* dT_a/dt over n_b, by the derivation above */
  const double rate = -2.0 / 3 * sqrt(2.0 / WN_PI) * coulomb_strength(1.0, mu) * mu /
                      (WN_ME + m_b) * (t_a - t_b) / pow(spread, 1.5);
  const int steps = 5;
  const double dt =
      part * (t_a - t_b) / fabs(rate * COULOMB_N * fmax(1.0, density)) / steps;
  s.config->plasma.time_step = dt;
  scene_start(&s, 0.0);
  coulomb_fill(&s, 0, n_a, sigma_a, still, weights);
  coulomb_fill(&s, 1, n_b, sigma_b, still, weights);
  double *before[2], *after[2];
  /* the density with which a pair is taken: of the fewer, with the greater weight (the mean of
   * the greater of two from 1 to 3 is 7/3) */
  const double of_pair = COULOMB_N * (n_a < n_b ? n_a : n_b) *
                         fmax(1.0 / n_a, density / n_b) * (weights > 1.0 ? 7.0 / 3 : 1.0);

  for (int k = 0; k < 2; k++)
    before[k] = cell_sums(&s, k, k ? n_b : n_a);
  coulomb_steps(&s, steps);
  for (int k = 0; k < 2; k++) {
    const double mass = k ? m_b : WN_ME,
                 other = COULOMB_N * (k ? 1.0 : density) * (1.0 + 0.5 * (weights - 1.0));
    /* the difference falls by 2 % (1 + n_a/n_b) until the end: half of it on average */
    const double fall = rate * COULOMB_N * (1.0 + density) * dt * steps / (t_a - t_b) *
                        (1.0 + 0.5 * (weights - 1.0));
    const double want =
        (k ? -rate : rate) * other * dt * steps * (1.0 + 0.5 * fall) *
        remains(name, 1, cbrt(coulomb_strength(of_pair, mu) * dt), spread, spread);

    struct mean m = {0};
    double weight = 0.0;
    after[k] = cell_sums(&s, k, k ? n_b : n_a);
    for (int i = 0; i < cells; i++) {
      double sum = 0.0;
      for (int d = 3; d < 6; d++)
        sum += after[k][7 * i + d] - before[k][7 * i + d];
      add(&m, mass * sum / 3.0);
      weight += before[k][7 * i + 6] / cells;
    }
    is_near(
        mean_of(&m) / weight / want, 1.0, 4.5 * error_of(&m) / weight / fabs(want),
        "%s, %dd, %d and %d a cell, densities 1 and %g: temperature of %s, error %.2g",
        name, dim, n_a, n_b, density, k ? "b" : "a", error_of(&m) / weight / fabs(want));
    ok(error_of(&m) / weight < 0.06 * fabs(want), "and known to 6 %%");
  }
  for (int k = 0; k < 2; k++) {
    free(before[k]);
    free(after[k]);
  }
  scene_close(&s);
}

/* ---- a beam of species a in a Maxwellian of b */

static void beam(const char *name, double speed, int cells, int n_a, int n_b)
{
  const double m_b = COULOMB_MASS * WN_ME, mu = WN_ME * m_b / (WN_ME + m_b), sigma = 5e5;
  const double sigma_b[3] = {sigma, sigma, sigma}, drift[3] = {0.0, speed, 0.0};
  const double x = 0.5 * pow(speed / sigma, 2),
               psi = erf(sqrt(x)) - 2.0 * sqrt(x / WN_PI) * exp(-x);
  const double rate =
      mu / WN_ME * coulomb_strength(COULOMB_N, mu) * psi / (speed * speed);
  char collide[256];
  struct scene s;
  snprintf(collide, sizeof collide, PAIR, "\"a\", \"b\"", name);
  const struct coulomb_case c = {1, cells, {n_a, n_b}, 1.0, collide, ""};
  coulomb_open(&s, FILE_NAME, &c);
  s.config->plasma.time_step = 0.01 * speed / rate / 4;
  scene_start(&s, 0.0);
  coulomb_fill(&s, 0, n_a, still, drift, 1.0);
  coulomb_fill(&s, 1, n_b, sigma_b, still, 1.0);
  coulomb_steps(&s, 4);
  double *after = cell_sums(&s, 0, n_a);
  struct mean m = {0};
  for (int i = 0; i < cells; i++)
    add(&m, 1.0 - after[7 * i + 1] / n_a / speed);
  /* a slower one is slowed more: of 1 %, 3 % of that at most; the other beam's heat less */
  is_near(mean_of(&m) / 0.01, 1.0, 4.5 * error_of(&m) / 0.01 + 0.02,
          "%s: slowing down at %g thermal speeds, error %.2g", name, speed / sigma,
          error_of(&m) / 0.01);
  ok(error_of(&m) < 0.05 * 0.01, "and known to 5 %%");
  free(after);
  scene_close(&s);
}

/* ---- a Maxwellian stays one */

/* With unequal weights the particles of a closed cell are not independent, and their distribution
 * departs from a Maxwellian by the order of 1/N: with 21 and 7 particles chi^2 is 22 on average, so
 * there are more here.
 *
 * Speeds in ten equally probable classes, after collisions that would make any distribution a
 * Maxwellian; chi^2 of nine degrees of freedom beyond 37.3 in 2.3e-5. */
static void maxwellian(const char *name, const char *conserve, double weights, int cells,
                       int n_a, int n_b)
{
  /* quantiles of v^2/sigma^2, chi^2 of three: 0.1 to 0.9 */
  static const double edge[9] = {0.58437437, 1.0051740, 1.4236522, 1.8691684, 2.3659739,
                                 2.9461662,  3.6648708, 4.6416277, 6.2513886};
  const double sigma[3] = {1e6, 1e6, 1e6};
  char collide[256];
  struct scene s;
  snprintf(collide, sizeof collide,
           PAIR "x2 = { species = [\"b\", \"a\"]; logarithm = 10.0; "
                "method = \"%s\"; conserve = \"%s\"; };",
           "\"a\"", name, name, conserve);
  const struct coulomb_case c = {
      2, cells, {n_a, n_b}, n_b > 20 ? 1.0 : (double)n_b / n_a, collide, ""};
  coulomb_open(&s, FILE_NAME, &c);
  const double half[3] = {5e5, 5e5, 5e5};
  s.config->plasma.time_step =
      0.1 / (coulomb_strength(COULOMB_N, 0.5 * WN_ME) / pow(2e6, 3));
  scene_start(&s, 0.0);
  coulomb_fill(&s, 0, n_a, sigma, still, weights);
  coulomb_fill(&s, 1, n_b, half, still, weights);
  coulomb_steps(&s, 30);
  double n[10] = {0}, chi2 = 0.0, square = 0.0, other = 0.0, w_a = 0.0, w_b = 0.0;
  const size_t all = s.sim->species[0]->p.n, all_b = s.sim->species[1]->p.n;
  for (size_t i = 0; i < all; i++) {
    const float *u = coulomb_u(&s, 0, i);
    const double v2 = pow((double)u[0], 2) + pow((double)u[1], 2) + pow((double)u[2], 2);
    square += coulomb_weight(&s, 0, i) * v2;
    w_a += coulomb_weight(&s, 0, i);
  }
  for (size_t i = 0; i < all_b; i++) {
    const float *u = coulomb_u(&s, 1, i);
    other += coulomb_weight(&s, 1, i) *
             (pow((double)u[0], 2) + pow((double)u[1], 2) + pow((double)u[2], 2));
    w_b += coulomb_weight(&s, 1, i);
  }
  square /= 3.0 * w_a;
  other /= 3.0 * w_b;
  for (size_t i = 0; i < all; i++) {
    const float *u = coulomb_u(&s, 0, i);
    const double v2 =
        (pow((double)u[0], 2) + pow((double)u[1], 2) + pow((double)u[2], 2)) / square;
    int k = 0;
    while (k < 9 && v2 > edge[k])
      k++;
    n[k] += 1.0;
  }
  for (int k = 0; k < 10; k++)
    chi2 += pow(n[k] - 0.1 * (double)all, 2) / (0.1 * (double)all);
  ok(chi2 < 37.3, "%s, %s, weights 1 to %g: a Maxwellian stays one, chi^2 %.1f of 9",
     name, conserve, weights, chi2);
  /* temperatures are known to sqrt(2/3 N) each, with unequal weights to 1.1 times that */
  is_near(COULOMB_MASS * other / square, 1.0,
          4.5 * 1.1 * sqrt(2.0 / 3 / (double)all + 2.0 / 3 / (double)all_b),
          "and both species have one temperature");
  scene_close(&s);
}

int main(void)
{
  const int more = command_fast() ? 1 : 4;
  plan(0);
  draw_state = 20261127;
  closed_form();
  order_of_steps();
  for (int k = 0; k < 3; k++) {
    anisotropy(method[k], 1, 6000 * more, 20, 1.0);
    temperatures(method[k], 1, 6000 * more, 20, 20, 1.0, 1.0, 0.02);
    beam(method[k], 2e6, 3000 * more, 2, 10);
  }
  anisotropy("nanbu", 1, 60000, 2, 1.0);
  anisotropy("nanbu", 1, 40000, 3, 1.0);
  anisotropy("nanbu", 1, 30000, 5, 1.0);
  anisotropy("nanbu", 2, 20000, 8, 3.0);
  /* unequal numbers with equal weights, then with unequal weights, then each with its own */
  temperatures("nanbu", 1, 10000, 5, 12, 2.4, 1.0, 0.02);
  temperatures("nanbu", 1, 20000, 12, 5, 1.0, 1.0, 0.02);
  temperatures("nanbu", 2, 20000, 7, 3, 2.0, 3.0, 0.01);
  /* ten times the step: a third of the rate is lost, as it should be */
  temperatures("nanbu", 1, 6000, 20, 20, 1.0, 1.0, 0.2);
  beam("nanbu", 1e6, 20000, 2, 10);
  for (int k = 0; k < 3; k++)
    maxwellian(method[k], "average", 1.0, 400, 21, 20);
  maxwellian("nanbu", "average", 1.0, 40, 210, 70);
  maxwellian("nanbu", "cell", 1.0, 40, 210, 70);
  maxwellian("nanbu", "average", 3.0, 40, 210, 70);
  maxwellian("nanbu", "cell", 3.0, 40, 210, 70);
  return done();
}
