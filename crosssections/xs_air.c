/* crosssections/xs_air.c - the built-in analytic set of N2 and O2, 0.01 eV to 134 MeV.
 * Everything is a published formula or a short published table; the README of
 * data/crosssections lists each with its origin, the joins between them and what the set
 * is good for.  Units here: eV and m2.
 *
 * Sources, as short names used below:
 *   Phelps   elastic momentum transfer, O2 attachment: the Phelps compilation (LXCat)
 *   GLOW     Solomon's GLOW model, exsect.f: integral elastic cross section, parameters
 *            of the Green-Stolarski excitations
 *   elmolcs  relativistic Born fit of the integral elastic cross section
 *   Moliere  screened Rutherford scattering with spin, two independent atoms, screening
 *            length 1.3413 Z^(-1/3) a0; written out as in Particulator.jl
 *   RBEB     crosssections/xs_rbeb.c */
#include "crosssections/xs.h"

#include "crosssections/xs_rbeb.h"
#include "crosssections/xs_set.h"
#include "physics/constants.h"
#include "base/alloc.h"
#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { PER_DECADE = 200, NEAR_THRESHOLD = 40, MAX_KNOTS = 48 };
#define E_FIRST  0.01   /* eV */
#define E_LAST   0x1p27 /* eV, 134 MeV: electrons of 40 MeV stay well inside */
#define E_FORMER 1.6e7  /* eV: where the tables ended before, a row of theirs */
#define SOURCE   "builtin:air"

struct knot {
  double e, s; /* eV, 1e-20 m2 */
};

/* Green-Stolarski: 6.51e-18 m2 eV2 (A/W^2) (W/E)^omega (1 - (W/E)^gamma)^nu. */
struct green {
  const char *product;
  double w, a, omega, nu, gamma;
};

struct gas {
  const char *name;
  double mass_u;
  double z;              /* charge of one of the two nuclei */
  double born[4];        /* A, B, C, D [eV] of the elmolcs fit */
  const struct knot *mt; /* momentum transfer */
  size_t n_mt;
  const struct knot *total; /* integral elastic */
  size_t n_total;
  const struct green *green;
  size_t n_green;
};

/* Momentum transfer: Phelps up to the join with Moliere at 3 keV.  The table is an
 * effective cross section less the inelastic ones of its set; where that set is
 * incomplete the rest is left in it.  For O2 this shows above 70 eV (3.19 at 200 eV, more
 * than the integral elastic 2.7, and flat), for N2 only above 300 eV: the knots end
 * there. */
static const struct knot n2_mt[] = {
    {0.01, 2.11}, {0.03, 3.27}, {0.1, 5.85},  {0.3, 8.93}, {1, 10.0},  {1.5, 11.9},
    {2, 16.7},    {2.5, 18.2},  {3, 18.7},    {4, 12.5},   {5, 10.9},  {7, 10.1},
    {10, 9.96},   {15, 9.25},   {20, 8.15},   {30, 5.99},  {50, 4.72}, {70, 2.83},
    {100, 1.63},  {200, 0.754}, {300, 0.414},
};
static const struct knot o2_mt[] = {
    {0.01, 0.70}, {0.03, 1.17}, {0.1, 2.47}, {0.3, 4.43}, {1, 6.90},  {1.5, 7.59},
    {2, 6.76},    {2.5, 6.08},  {3, 5.64},   {4, 5.42},   {5, 5.44},  {7, 5.92},
    {10, 6.17},   {15, 7.45},   {20, 7.21},  {30, 6.15},  {50, 5.06}, {70, 3.89},
};

/* Integral elastic: GLOW from 1 eV to 1 keV.  At 10 keV its values are 13-17 % below the
 * Born fit, and they lack its relativistic rise: not used there. */
static const struct knot n2_total[] = {
    {1, 9.0},  {2, 22.7},  {2.5, 25.2}, {3, 19.3},  {4, 13.2},  {5, 11.5},  {6, 11.6},
    {8, 11.7}, {10, 11.8}, {15, 11.4},  {20, 11.3}, {30, 9.5},  {40, 8.6},  {50, 7.3},
    {70, 5.9}, {100, 4.7}, {200, 3.3},  {300, 2.5}, {500, 1.6}, {700, 1.3}, {1000, 1.1},
};
static const struct knot o2_total[] = {
    {1, 5.5},   {2, 6.9},   {3, 7.5},   {5, 8.5},   {7, 9.6},   {10, 10.0}, {15, 10.0},
    {20, 9.0},  {30, 8.3},  {40, 7.7},  {50, 6.9},  {70, 5.7},  {100, 4.4}, {150, 3.3},
    {200, 2.7}, {300, 2.1}, {400, 1.8}, {500, 1.6}, {600, 1.4}, {700, 1.3}, {1000, 1.1},
};

static const struct green n2_green[] = {
    {"N2(A+B+W)", 6.17, 2.770, 3, 4.53, 1.42},
    {"N2(B')", 8.16, 0.114, 3, 4.78, 3.54},
    {"N2(C)", 11.03, 0.179, 3, 4.32, 12.70},
    {"N2(a+a'+w)", 8.40, 0.0999, 1, 4.05, 5.20},
    {"N2(1Pu)", 12.85, 0.876, 0.75, 1.47, 0.86},
    {"N2(b')", 14.00, 0.601, 0.75, 1.27, 0.45},
    {"N2(Rydberg)", 13.75, 1.890, 0.75, 3.00, 1.00},
    {"N2(vib)", 1.85, 1.350, 8, 1.58, 1.00},
};
static const struct green o2_green[] = {
    {"O2(a)", 0.98, 0.0797, 2, 6.18, 0.53},
    {"O2(b)", 1.64, 0.0211, 2, 4.14, 0.51},
    {"O2(A+A'+c)", 4.50, 0.0215, 1.15, 1.00, 0.98},
    {"O2(B)", 8.44, 0.340, 0.75, 1.05, 0.99},
    {"O2(9.9 eV)", 9.90, 0.0657, 0.75, 1.60, 1.86},
    {"O2(Rydberg)", 13.50, 1.110, 0.75, 3.00, 1.00},
    {"O2(vib)", 0.25, 3.480, 7, 10.87, 1.00},
};

static const struct gas gases[] = {
    {"N2",
     28.0134,
     7.0,
     {129.243, -270.926, 74854.4, 342.49},
     n2_mt,
     COUNT(n2_mt),
     n2_total,
     COUNT(n2_total),
     n2_green,
     COUNT(n2_green)},
    {"O2",
     31.9988,
     8.0,
     {148.738, -380.676, 166556.8, 412.32},
     o2_mt,
     COUNT(o2_mt),
     o2_total,
     COUNT(o2_total),
     o2_green,
     COUNT(o2_green)},
};

/* O2 -> O- + O (Phelps), 1e-22 m2; the plateau ends in a step. */
static const struct knot o2_dissociative[] = {
    {4.4, 0},     {4.9, 0},      {5.38, 0.23}, {5.86, 0.72},  {6.1, 1.08},
    {6.48, 1.38}, {6.77, 1.52},  {7.05, 1.56}, {7.3, 1.48},   {7.53, 1.31},
    {7.77, 1.10}, {8.0, 0.84},   {8.25, 0.54}, {8.73, 0.28},  {9.2, 0.14},
    {9.68, 0.08}, {11.35, 0.08}, {11.35, 0.0}, {E_LAST, 0.0},
};

/* O2 + e + M -> O2- + M (Phelps): peaks of narrow resonances in 1e-40 m2 per cm-3 of M.
 * The peaks at 0.69, 0.80 and 0.91 eV are interpolated in the logarithm between their
 * neighbours. */
static const struct knot o2_three_body[] = {
    {0.083, 1.80}, {0.103, 1.80},  {0.21, 0.36},   {0.33, 0.23},   {0.45, 0.145},
    {0.57, 0.110}, {0.69, 0.0856}, {0.80, 0.0680}, {0.91, 0.0540}, {1.03, 0.042},
};
/* Each is a triangle from 10 meV below its peak to 20 meV above it, or to the next one's
 * foot. */
#define FOOT_BELOW 0.010
#define FOOT_ABOVE 0.020

/* ---- formulae ---- */

static double beta2(double e_ev) /* (v/c)^2 */
{
  double x = e_ev / WN_MC2_EV;
  return x * (2.0 + x) / ((1.0 + x) * (1.0 + x));
}

/* pi a0^2 g (A + B r + C r^2), g = alpha^2/beta^2, r = g/gamma^2, taken at E + D. */
static double born_total(const struct gas *gas, double e_ev)
{
  const double *p = gas->born;
  double b2 = beta2(e_ev + p[3]), g = WN_ALPHA * WN_ALPHA / b2, r = g * (1.0 - b2);
  return WN_PI * WN_A0 * WN_A0 * g * (p[0] + p[1] * r + p[2] * r * r);
}

/* Momentum transfer of two atoms, each with, for s = sin^2(theta/2),
 *   dsigma/dOmega = (Z re/(2 beta^2 gamma))^2 (1 - beta^2 s)/(s + eta)^2,
 *   eta = (hbar/(2 p a))^2.
 * 1 - cos = 2 s and dOmega = 4 pi ds.  With l = ln((1 + eta)/eta), over [0, 1],
 *   s/(s + eta)^2    gives  l - 1/(1 + eta),
 *   s^2/(s + eta)^2  gives  1 - 2 eta l + eta/(1 + eta). */
static double moliere_mt(const struct gas *gas, double e_ev)
{
  double b2 = beta2(e_ev), p = sqrt(e_ev * (e_ev + 2.0 * WN_MC2_EV)); /* eV/c */
  double a = 1.3413 * WN_A0 / cbrt(gas->z);
  double k = WN_HBAR * WN_C / WN_E / (2.0 * p * a), eta = k * k;
  double l = log1p(1.0 / eta), f = gas->z * WN_RE / b2;
  double c = 2.0 * WN_PI * f * f * (1.0 - b2);
  return 2.0 * c *
         (l - 1.0 / (1.0 + eta) - b2 * (1.0 - 2.0 * eta * l + eta / (1.0 + eta)));
}

/* Up to 1 keV the published fit, since the measurements behind such fits end there.
 * Above, states that fall as 1/E or slower continue as 1/beta^2: the Born limit without
 * its logarithm.  The logarithm belongs to the dipole strength, all of which RBEB assigns
 * to ionization.  Its df/dw = N/(1 + w)^2 integrates to N for each orbital, so by the sum
 * rule nothing remains for excitation.  With the published power 3/4 continued, or with a
 * Bethe logarithm, the energy loss of air is 3-8 % above NIST's ESTAR between 10 and 100
 * keV.  With this choice it agrees within 2 % (figures in data/crosssections/README). */
#define E_GREEN_LAST 1000.0
static double green_sigma(const struct green *g, double e_ev)
{
  double tail = 1.0;
  if (e_ev > E_GREEN_LAST && g->omega <= 1.0) {
    tail = beta2(E_GREEN_LAST) / beta2(e_ev);
    e_ev = E_GREEN_LAST;
  }
  if (!(e_ev > g->w))
    return 0.0;
  double x = g->w / e_ev;
  return tail * 6.51e-18 * g->a / (g->w * g->w) * pow(x, g->omega) *
         pow(1.0 - pow(x, g->gamma), g->nu);
}

/* ---- a monotone curve through knots, in the logarithms of both ---- */

struct curve {
  size_t n;
  double x[MAX_KNOTS], y[MAX_KNOTS], d[MAX_KNOTS];
};

static void curve_add(struct curve *c, double e_ev, double sigma)
{
  WN_ASSERT(c->n < MAX_KNOTS);
  WN_ASSERT(c->n == 0 || log(e_ev) > c->x[c->n - 1]);
  c->x[c->n] = log(e_ev);
  c->y[c->n] = log(sigma);
  c->n++;
}

static void curve_knots(struct curve *c, const struct knot *k, size_t n)
{
  for (size_t i = 0; i < n; i++)
    curve_add(c, k[i].e, 1e-20 * k[i].s);
}

/* Slopes by the weighted harmonic mean of Fritsch and Butland: no overshoot.  The ends
 * keep their secant. */
static void curve_finish(struct curve *c)
{
  size_t n = c->n;
  for (size_t i = 0; i + 1 < n; i++)
    c->d[i] = (c->y[i + 1] - c->y[i]) / (c->x[i + 1] - c->x[i]);
  c->d[n - 1] = c->d[n - 2];
  double left = c->d[0]; /* secant of the interval before knot i */
  for (size_t i = 1; i + 1 < n; i++) {
    double right = c->d[i];
    double hl = c->x[i] - c->x[i - 1], hr = c->x[i + 1] - c->x[i];
    double wl = 2.0 * hr + hl, wr = hr + 2.0 * hl;
    c->d[i] = left * right > 0.0 ? (wl + wr) / (wl / left + wr / right) : 0.0;
    left = right;
  }
}

static double curve_at(const struct curve *c, double e_ev)
{
  double x = log(e_ev);
  size_t i = 0;
  while (i + 2 < c->n && x >= c->x[i + 1])
    i++;
  double h = c->x[i + 1] - c->x[i], t = (x - c->x[i]) / h;
  if (t < 0.0)
    return exp(c->y[i]);
  double u = 1.0 - t;
  return exp(u * u * (1.0 + 2.0 * t) * c->y[i] + t * t * (3.0 - 2.0 * t) * c->y[i + 1] +
             h * t * u * (u * c->d[i] - t * c->d[i + 1]));
}

/* Momentum-transfer and integral elastic cross section.  Momentum transfer: knots, then
 * Moliere from 3 keV.  Moliere values are knots at 3 and 5 keV and replace the table
 * between them, so that the slopes match.  Integral: equal to the momentum transfer up to
 * 0.3 eV, as for isotropic scattering; GLOW from 1 eV to 1 keV; the Born fit from 5 keV,
 * joined in the same way. */
#define E_EQUAL   0.3
#define E_MOLIERE 4000.0
#define E_BORN    6000.0
static void elastic_curves(const struct gas *gas, struct curve *mt, struct curve *total)
{
  static const double moliere_at[] = {3000.0, E_MOLIERE, 5000.0};
  static const double born_at[] = {5000.0, E_BORN, 8000.0};
  mt->n = total->n = 0;
  curve_knots(mt, gas->mt, gas->n_mt);
  for (size_t i = 0; i < COUNT(moliere_at); i++)
    curve_add(mt, moliere_at[i], moliere_mt(gas, moliere_at[i]));
  curve_finish(mt);
  curve_add(total, E_EQUAL, curve_at(mt, E_EQUAL));
  curve_knots(total, gas->total, gas->n_total);
  for (size_t i = 0; i < COUNT(born_at); i++)
    curve_add(total, born_at[i], born_total(gas, born_at[i]));
  curve_finish(total);
}

/* ---- tables ---- */

static int by_value(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Energies from first to E_LAST: PER_DECADE in the logarithm, the knots, and, above a
 * threshold, energies closing in on it.  Linear interpolation of E^-2 between them is
 * right to 1e-4. */
static int make_grid(double first, bool threshold, const struct curve *knots,
                     const struct curve *more, size_t *n_out, double **out)
{
  size_t n_log = (size_t)ceil(log10(E_LAST / E_FIRST) * PER_DECADE) + 1;
  size_t n_near = threshold ? 4 * NEAR_THRESHOLD : 0;
  size_t max = n_log + n_near + 3 + 2 * MAX_KNOTS, n = 0;
  double *e = wn_alloc(max, sizeof *e);
  if (e == NULL)
    return WN_ENOMEM;
  e[n++] = first;
  e[n++] = E_LAST;
  e[n++] = E_FORMER;
  for (size_t i = 0; i < n_log; i++)
    e[n++] = E_FIRST * pow(10.0, (double)i / PER_DECADE);
  for (size_t i = 0; i < n_near; i++) /* 1 + 1e-4 to 1 + 1 times the threshold */
    e[n++] = first * (1.0 + pow(10.0, -(double)i / NEAR_THRESHOLD));
  for (size_t i = 0; knots != NULL && i < knots->n; i++)
    e[n++] = exp(knots->x[i]);
  for (size_t i = 0; more != NULL && i < more->n; i++)
    e[n++] = exp(more->x[i]);
  qsort(e, n, sizeof *e, by_value);
  size_t kept = 0;
  for (size_t i = 0; i < n; i++)
    if (e[i] >= first && e[i] <= E_LAST &&
        (kept == 0 || e[i] > e[kept - 1] * (1.0 + 1e-9)))
      e[kept++] = e[i];
  e[kept - 1] = E_LAST;
  *n_out = kept;
  *out = e;
  return WN_OK;
}

/* Append the process, whose arrays are filled already, to the set.  label NULL: made from
 * kind and product. */
static int append_process(struct wn_xs_set *set, struct wn_xs_process *p,
                          const char *product, const char *label, const char *comment)
{
  p->target = wn_strdup(set->name);
  p->product = product != NULL ? wn_strdup(product) : NULL;
  p->label = label != NULL ? wn_strdup(label) : NULL;
  p->database = wn_strdup(SOURCE);
  p->comment = wn_strdup(comment);
  int status = WN_ENOMEM;
  if (p->target != NULL && p->database != NULL && p->comment != NULL &&
      (product == NULL || p->product != NULL) && (label == NULL || p->label != NULL))
    status = wn_xs_append(set, p);
  if (status != WN_OK)
    wn_xs_process_clear(p);
  return status;
}

static int add_elastic(struct wn_xs_set *set, const struct gas *gas)
{
  struct wn_xs_process p = {.kind = WN_XS_ELASTIC,
                            .mass_ratio = WN_ME / (gas->mass_u * WN_AMU)};
  struct curve mt, total;
  elastic_curves(gas, &mt, &total);
  WN_TRY(make_grid(E_FIRST, false, &mt, &total, &p.n, &p.energy_ev));
  p.sigma = wn_alloc(p.n, sizeof *p.sigma);
  p.sigma_total = wn_alloc(p.n, sizeof *p.sigma_total);
  if (p.sigma == NULL || p.sigma_total == NULL) {
    wn_xs_process_clear(&p);
    return WN_ENOMEM;
  }
  for (size_t i = 0; i < p.n; i++) {
    double e = p.energy_ev[i];
    p.sigma[i] = e > E_MOLIERE ? moliere_mt(gas, e) : curve_at(&mt, e);
    p.sigma_total[i] = e > E_BORN    ? born_total(gas, e)
                       : e > E_EQUAL ? curve_at(&total, e)
                                     : p.sigma[i];
  }
  return append_process(
      set, &p, NULL, NULL,
      "momentum transfer: Phelps, then Moliere; integral: GLOW, then a Born fit");
}

static int add_ionization(struct wn_xs_set *set, const struct gas *gas)
{
  const struct wn_xs_orbital *orbital;
  size_t n = wn_xs_rbeb_orbitals(gas->name, &orbital);
  for (size_t k = 0; k < n; k++) {
    const struct wn_xs_orbital *o = &orbital[k];
    struct wn_xs_process p = {.kind = WN_XS_IONIZATION,
                              .loss_ev = o->b_ev,
                              .threshold_ev = o->b_ev,
                              .orbital = *o};
    char *product =
        wn_asprintf("%s+ (%s)", gas->name, wn_xs_rbeb_orbital_name(gas->name, k));
    int status = product == NULL
                     ? WN_ENOMEM
                     : make_grid(o->b_ev, true, NULL, NULL, &p.n, &p.energy_ev);
    if (status == WN_OK && (p.sigma = wn_alloc(p.n, sizeof *p.sigma)) == NULL) {
      wn_xs_process_clear(&p);
      status = WN_ENOMEM;
    }
    if (status == WN_OK) {
      for (size_t i = 0; i < p.n; i++)
        p.sigma[i] = wn_xs_rbeb(o, p.energy_ev[i]);
      status = append_process(set, &p, product, NULL, "RBEB, one orbital");
    }
    free(product);
    WN_TRY(status);
  }
  return WN_OK;
}

static int add_excitation(struct wn_xs_set *set, const struct green *g)
{
  struct wn_xs_process p = {
      .kind = WN_XS_EXCITATION, .loss_ev = g->w, .threshold_ev = g->w};
  WN_TRY(make_grid(g->w, true, NULL, NULL, &p.n, &p.energy_ev));
  p.sigma = wn_alloc(p.n, sizeof *p.sigma);
  if (p.sigma == NULL) {
    wn_xs_process_clear(&p);
    return WN_ENOMEM;
  }
  for (size_t i = 0; i < p.n; i++)
    p.sigma[i] = green_sigma(g, p.energy_ev[i]);
  return append_process(set, &p, g->product, NULL,
                        "Green-Stolarski form with the parameters of GLOW");
}

static int add_dissociative(struct wn_xs_set *set)
{
  struct wn_xs_process p = {.kind = WN_XS_ATTACHMENT,
                            .threshold_ev = o2_dissociative[0].e,
                            .n = COUNT(o2_dissociative)};
  p.energy_ev = wn_alloc(p.n, sizeof *p.energy_ev);
  p.sigma = wn_alloc(p.n, sizeof *p.sigma);
  if (p.energy_ev == NULL || p.sigma == NULL) {
    wn_xs_process_clear(&p);
    return WN_ENOMEM;
  }
  for (size_t i = 0; i < p.n; i++) {
    p.energy_ev[i] = o2_dissociative[i].e;
    p.sigma[i] = 1e-22 * o2_dissociative[i].s;
  }
  return append_process(set, &p, "O-+O", NULL, "dissociative attachment, Phelps");
}

static int add_three_body(struct wn_xs_set *set)
{
  size_t n_peaks = COUNT(o2_three_body), n = 0;
  struct wn_xs_process p = {.kind = WN_XS_ATTACHMENT, .three_body = true};
  p.energy_ev = wn_alloc(3 * n_peaks + 1, sizeof *p.energy_ev);
  p.sigma = wn_alloc(3 * n_peaks + 1, sizeof *p.sigma);
  if (p.energy_ev == NULL || p.sigma == NULL) {
    wn_xs_process_clear(&p);
    return WN_ENOMEM;
  }
  for (size_t i = 0; i < n_peaks; i++) { /* the zeros are there already */
    double e = o2_three_body[i].e, foot = e - FOOT_BELOW;
    if (n == 0 || foot > p.energy_ev[n - 1])
      p.energy_ev[n++] = foot;
    p.energy_ev[n] = e;
    p.sigma[n++] = 1e-40 * o2_three_body[i].s;
    double next = i + 1 < n_peaks ? o2_three_body[i + 1].e - FOOT_BELOW : INFINITY;
    p.energy_ev[n++] = fmin(e + FOOT_ABOVE, next);
  }
  p.energy_ev[n++] = E_LAST;
  p.n = n;
  return append_process(set, &p, "O2-", "attachment O2- (three-body)",
                        "three-body attachment, Phelps, m2 per cm-3 of third body");
}

int wn_xs_builtin_air(const char *gas_name, struct wn_xs_set **out)
{
  const struct gas *gas = NULL;
  for (size_t i = 0; gas_name != NULL && i < COUNT(gases); i++)
    if (strcmp(gas_name, gases[i].name) == 0)
      gas = &gases[i];
  if (gas == NULL)
    return WN_FAIL(WN_EINPUT,
                   "gas \"%s\" is not in the built-in set, which has \"N2\" and \"O2\"",
                   gas_name != NULL ? gas_name : "");

  int status = WN_ENOMEM;
  struct wn_xs_set *set = wn_alloc(1, sizeof *set);
  if (set == NULL)
    return WN_ENOMEM;
  set->name = wn_strdup(gas->name);
  set->source = wn_strdup(SOURCE);
  if (set->name != NULL && set->source != NULL)
    status = wn_xs_note(
        set,
        SOURCE ": analytic %s for fast electrons; vibration is one fitted level "
               "and rotation is left out, so swarms of a few eV need a table from LXCat",
        gas->name);
  if (status == WN_OK)
    status = add_elastic(set, gas);
  for (size_t i = 0; status == WN_OK && i < gas->n_green; i++)
    status = add_excitation(set, &gas->green[i]);
  if (status == WN_OK)
    status = add_ionization(set, gas);
  if (status == WN_OK && strcmp(gas->name, "O2") == 0)
    status = add_dissociative(set);
  if (status == WN_OK && strcmp(gas->name, "O2") == 0)
    status = add_three_body(set);
  if (status != WN_OK) {
    wn_xs_free(set);
    return status;
  }
  *out = set;
  return WN_OK;
}
