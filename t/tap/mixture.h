/* t/tap/mixture.h - two made-up gases for the tests of the collision tables, with steps,
 * gaps, a negative loss, a peak narrower than a bin and an end of table; random energies;
 * and what a table of them should say, N sigma(E) v(E) from wn_xs_sigma, which
 * t/crosssections/t0200-0204 defend.  Inline: each test uses a part. */
#ifndef WN_T_TAP_MIXTURE_H
#define WN_T_TAP_MIXTURE_H
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "crosssections/xs_table.h"
#include "physics/constants.h"
#include "physics/push.h"
#include "t/tap/draw.h"
#include "t/tap/tap.h"

static inline float below(float e)
{
  return nextafterf(e, 0.0f);
}

/* The first float at or above x. */
static inline float at_or_above(double x)
{
  float f = (float)x;
  return (double)f >= x ? f : nextafterf(f, INFINITY);
}

static inline void out_of_memory(void)
{
  diag("out of memory");
  exit(1);
}

static inline struct wn_xs_set *new_set(const char *name)
{
  struct wn_xs_set *set = calloc(1, sizeof *set);
  if (set == NULL)
    out_of_memory();
  set->name = strdup(name);
  set->source = strdup("made up");
  return set;
}

/* Rows of energy, sigma in 1e-20 m2; total: rows of the integral elastic, or NULL. */
static inline void add(struct wn_xs_set *set, enum wn_xs_kind kind, const char *product,
                       double loss, double threshold, size_t n, const double (*row)[2],
                       const double *total)
{
  struct wn_xs_process p = {
      .kind = kind, .loss_ev = loss, .threshold_ev = threshold, .n = n};
  p.target = strdup(set->name);
  p.product = strdup(product);
  p.energy_ev = calloc(n, sizeof(double));
  p.sigma = calloc(n, sizeof(double));
  p.sigma_total = total != NULL ? calloc(n, sizeof(double)) : NULL;
  if (p.energy_ev == NULL || p.sigma == NULL || (total != NULL && p.sigma_total == NULL))
    out_of_memory();
  for (size_t i = 0; i < n; i++) {
    p.energy_ev[i] = row[i][0];
    p.sigma[i] = row[i][1] * 1e-20;
    if (total != NULL)
      p.sigma_total[i] = total[i] * 1e-20;
  }
  if (wn_xs_append(set, &p) != WN_OK)
    out_of_memory();
}

#define ROWS_OF(a) (sizeof(a) / sizeof(a)[0])
#define ROWS(a)    ROWS_OF(a), a

static const double elastic[][2] = {{0.0, 5.0}, {0.01, 6.0},  {0.3, 12.0},  {2.0, 25.0},
                                    {3.0, 9.0}, {20.0, 10.0}, {100.0, 5.0}, {300.0, 2.0},
                                    {1e3, 0.6}, {3e3, 0.12},  {1e4, 2e-2},  {3e4, 4e-3},
                                    {1e5, 8e-4}};
static const double integral[] = {5.0, 6.5, 13.0, 26.0, 10.0, 12.0,  8.0,
                                  4.0, 1.5, 0.6,  0.2,  7e-2, 2.2e-2};
static const double attach[][2] = {
    {0.0, 0.0}, {4.2, 0.0}, {4.2, 0.3}, {8.0, 0.05}, {9.0, 0.0}};
static const double vibration[][2] = {
    {0.29, 0.0}, {1.5, 0.2}, {2.3, 6.0}, {3.5, 0.1}, {10.0, 0.0}};
static const double jump[][2] = {
    {7.35, 0.4}, {12.0, 1.0}, {100.0, 0.2}, {1e5, 1e-3}}; /* not 0 at its threshold */
static const double ionize[][2] = {
    {15.58, 0.0}, {30.0, 1.0}, {100.0, 2.6}, {1e3, 0.9}, {1e5, 0.02}};
static const double down[][2] = {{0.0, 0.0}, {0.1, 0.5}, {1.0, 0.8}, {10.0, 0.1}};
static const double helium[][2] = {{0.0, 5.0},   {1.0, 6.5},  {5.0, 5.2}, {50.0, 1.0},
                                   {200.0, 0.2}, {1e3, 3e-2}, {1e4, 1e-3}};
static const double wide[][2] = {{19.8, 0.0}, {40.0, 0.15}, {1e4, 1e-2}};

static inline struct wn_xs_set *make_first(int with_integral)
{
  struct wn_xs_set *set = new_set("A");
  add(set, WN_XS_ELASTIC, "A", 0.0, 0.0, ROWS(elastic), with_integral ? integral : NULL);
  add(set, WN_XS_ATTACHMENT, "A-", 0.0, 4.2, ROWS(attach), NULL);
  add(set, WN_XS_EXCITATION, "A(v1)", 0.29, 0.29, ROWS(vibration), NULL);
  add(set, WN_XS_EXCITATION, "A(B)", 7.35, 7.35, ROWS(jump), NULL);
  add(set, WN_XS_IONIZATION, "A+", 15.58, 15.58, ROWS(ionize), NULL);
  add(set, WN_XS_EXCITATION, "A(cold)", -0.1, 0.0, ROWS(down), NULL);
  return set;
}

/* Two peaks narrower than a bin between rows of 0, and a dip of a line that is otherwise
 * straight; nothing says where they begin. */
static const double peak[][2] = {{0.0, 0.0},  {5.01, 0.0}, {5.03, 2.0},
                                 {5.05, 0.0}, {7.01, 0.0}, {7.01, 1.0},
                                 {7.02, 1.0}, {7.02, 0.0}, {20.0, 0.0}};
static const double dip[][2] = {{0.5, 0.0},   {1.0, 1.0},  {3.01, 1.0},
                                {3.015, 0.2}, {3.02, 1.0}, {100.0, 1.0}};
/* Almost a straight line, so that its knots need not cut; two of them are beside the
 * peaks. */
static const double flat[][2] = {{0.0, 5.0},     {0.503, 5.0},   {1.207, 5.00001},
                                 {3.008, 5.0},   {5.02, 5.0},    {9.0, 5.00002},
                                 {40.3, 4.9999}, {311.0, 4.998}, {3e5, 1.0}};

static inline struct wn_xs_set *make_narrow(void)
{
  struct wn_xs_set *set = new_set("P");
  add(set, WN_XS_EXCITATION, "P(dip)", 0.5, 0.5, ROWS(dip), NULL);
  add(set, WN_XS_ELASTIC, "P", 0.0, 0.0, ROWS(flat), NULL);
  add(set, WN_XS_ATTACHMENT, "P-", 0.0, 0.0, ROWS(peak), NULL);
  return set;
}

/* Thresholds wherever they could go wrong: below the first bin, at the edge of a bin,
 * just above and below one, a float, just above and below one, two between the same
 * floats, two at neighbours, four in a bin, above the top; and where they happen to be.
 */
static const double where[] = {3e-5,
                               2.0,
                               2.0 + 1e-12,
                               4.0 - 1e-9,
                               1.0 - 0x1p-24,
                               2.26953125,
                               2.26953125 + 1e-9,
                               2.26953125 + 2e-9,
                               2.30078125 - 1e-9,
                               8.01,
                               8.03,
                               8.05,
                               8.05 + 0x1p-20,
                               0.1,
                               0.29,
                               0.3,
                               12.1,
                               4e5};
#define N_WHERE ROWS_OF(where)
#define N_MANY  (N_WHERE + 20)

/* Two of three processes open with a step. */
static inline struct wn_xs_set *make_many(void)
{
  struct wn_xs_set *set = new_set("M");
  draw_state = 7;
  add(set, WN_XS_ELASTIC, "M", 0.0, 0.0, ROWS(flat), NULL);
  for (size_t i = 0; i < N_MANY; i++) {
    char name[16];
    double e = i < N_WHERE ? where[i] : between(0.02, 1e3);
    const double row[][2] = {
        {e, i % 3 ? 0.2 + uniform() : 0.0}, {1.5 * e, 2.0}, {20.0 * e, 0.1}};
    snprintf(name, sizeof name, "M(%zu)", i);
    add(set, i % 5 ? WN_XS_EXCITATION : WN_XS_ATTACHMENT, name, i % 5 ? e : 0.0, e,
        ROWS(row), NULL);
  }
  return set;
}

static inline struct wn_xs_set *make_second(void)
{
  struct wn_xs_set *set = new_set("He");
  add(set, WN_XS_ELASTIC, "He", 0.0, 0.0, ROWS(helium), NULL);
  add(set, WN_XS_EXCITATION, "He(2)", 19.8, 19.8, ROWS(wide), NULL);
  return set;
}

struct mixture {
  struct wn_xs_set *set[2];
  struct wn_xs_gas gas[2];
  struct wn_xs_table_spec spec;
};

static inline void mix(struct mixture *m, struct wn_xs_set *first)
{
  *m = (struct mixture){.set = {first, make_second()}};
  m->gas[0] = (struct wn_xs_gas){.set = m->set[0],
                                 .beyond = WN_XS_BEYOND_POWER,
                                 .density = 2e25,
                                 .mass = 28.0 * WN_AMU,
                                 .opal_ev = 13.0,
                                 .atomic_number = 7.0};
  m->gas[1] = (struct wn_xs_gas){.set = m->set[1],
                                 .beyond = WN_XS_BEYOND_CONSTANT,
                                 .density = 5e24,
                                 .mass = 4.0 * WN_AMU,
                                 .opal_ev = 15.8,
                                 .atomic_number = 2.0};
  m->spec = (struct wn_xs_table_spec){.n_gases = 2,
                                      .gas = m->gas,
                                      .temperature = 300.0,
                                      .thermal_below_ev = 10.0,
                                      .angle_model = WN_ANGLE_ISOTROPIC,
                                      .share_model = WN_SHARING_OPAL,
                                      .bins_per_octave = 64,
                                      .e_max_ev = 3e5};
}

static inline void make_mixture(struct mixture *m, int with_integral)
{
  mix(m, make_first(with_integral));
}

static inline void clear_mixture(struct mixture *m)
{
  wn_xs_free(m->set[0]);
  wn_xs_free(m->set[1]);
}

static inline struct wn_xs_table *make_table(const struct mixture *m)
{
  struct wn_xs_table *t = NULL;
  if (!ok(wn_xs_table_create(&m->spec, &t) == WN_OK, "table with %u bins an octave",
          m->spec.bins_per_octave))
    exit(done());
  return t;
}

/* N sigma v of process i of gas s. */
static inline double wanted_of(const struct mixture *m, int s, size_t i, double e)
{
  return m->gas[s].density *
         wn_xs_sigma(m->set[s], &m->set[s]->process[i], e, m->gas[s].beyond) *
         wn_speed_from_ev(e);
}

static inline double wanted_gas(const struct mixture *m, int s, double e)
{
  double sum = 0.0;
  for (size_t i = 0; i < m->set[s]->n; i++)
    sum += wanted_of(m, s, i, e);
  return sum;
}

/* The same of process k of the whole mixture (k < 0: the sum). */
static inline double wanted(const struct mixture *m, int k, double e)
{
  if (k < 0)
    return wanted_gas(m, 0, e) + wanted_gas(m, 1, e);
  int n = (int)m->set[0]->n;
  return k < n ? wanted_of(m, 0, (size_t)k, e) : wanted_of(m, 1, (size_t)(k - n), e);
}

#endif
