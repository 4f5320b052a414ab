/* t0203-prepare.c - defends: what wn_xs_prepare does to a set (elastic from effective,
 * three-body density, exclusion, refusal of what would count twice) and what wn_xs_sigma
 * gives above the last row under every policy. Numbers: t/data/lxcat-effective.txt and
 * lxcat-twice.txt are invented, the results worked out by hand below; the ratios of BORN
 * are those of RBEB for N2 (0.8925, 0.13975, 0.00936 in 1e-20 m2 at 1 keV, 10 keV, 1 MeV)
 * and of the screened-Coulomb cross section of two nitrogen atoms (momentum
 * transfer 1.27e-21, 2.03e-23, 3.17e-25, 7.6e-27 m2 and integral 2.30e-20, 2.37e-21 m2 at
 * 1, 10, 100 keV, 1 MeV), computed apart from this code from the published formulae. */
#include "base/error.h"
#include "base/log.h"
#include "crosssections/xs.h"
#include "crosssections/xs_beyond.h"
#include "t/tap/capture.h"
#include "t/tap/tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct wn_xs_set *get(const char *name)
{
  char path[4096];
  const char *top = getenv("WN_SRCDIR");
  snprintf(path, sizeof path, "%s/t/data/%s", top != NULL ? top : ".", name);
  struct wn_xs_set *set = NULL;
  if (wn_xs_read_lxcat(path, "Xx", NULL, &set) != WN_OK) {
    ok(0, "%s is read", name);
    done();
    exit(1);
  }
  return set;
}

/* A set in memory: gas "N2" or another. */
static struct wn_xs_set *new_set(const char *gas)
{
  struct wn_xs_set *set = calloc(1, sizeof *set);
  if (set == NULL || (set->name = strdup(gas)) == NULL ||
      (set->source = strdup("memory")) == NULL)
    exit(1);
  return set;
}

static void add(struct wn_xs_set *set, enum wn_xs_kind kind, const char *product,
                double loss, size_t n, const double *e, const double *s, bool with_total)
{
  struct wn_xs_process p = {
      .kind = kind, .loss_ev = loss, .threshold_ev = fmax(loss, 0), .n = n};
  p.target = strdup(set->name);
  p.product = product != NULL ? strdup(product) : NULL;
  p.energy_ev = malloc(n * sizeof *e);
  p.sigma = malloc(n * sizeof *s);
  p.sigma_total = with_total ? malloc(n * sizeof *s) : NULL;
  p.mass_ratio = kind == WN_XS_ELASTIC || kind == WN_XS_EFFECTIVE ? 1e-4 : 0;
  memcpy(p.energy_ev, e, n * sizeof *e);
  memcpy(p.sigma, s, n * sizeof *s);
  if (with_total)
    memcpy(p.sigma_total, s, n * sizeof *s);
  if (wn_xs_append(set, &p) != WN_OK)
    exit(1);
}

static const struct wn_xs_process *find(const struct wn_xs_set *set, const char *label)
{
  for (size_t i = 0; i < set->n; i++)
    if (strcmp(set->process[i].label, label) == 0)
      return &set->process[i];
  return NULL;
}

static double at(const struct wn_xs_set *set, const char *label, double e,
                 enum wn_xs_beyond beyond)
{
  const struct wn_xs_process *p = find(set, label);
  return p != NULL ? wn_xs_sigma(set, p, e, beyond) : NAN;
}

static bool noted(const struct wn_xs_set *set, const char *text)
{
  return set->notes != NULL && strstr(set->notes, text) != NULL;
}

/* Runs wn_xs_prepare and checks its status and, for a refusal, its message. */
static void prepare(struct wn_xs_set *set, enum wn_xs_effective policy, double third,
                    size_t n, const char *const *exclude, int want, const char *says)
{
  size_t before = set->n;
  capture();
  int status = wn_xs_prepare(set, policy, third, n, exclude);
  char *text = captured();
  is_int(status, want, "prepare: %s", says);
  if (want == WN_OK)
    return;
  bool said = strstr(text, says) != NULL;
  ok(said, "with the message");
  if (!said)
    diag("want: %s\n# got: %s", says, text);
  is_int((long long)set->n, (long long)before, "a refused set keeps its processes");
}

/* effective   5e-20 to 10 eV, down to 1e-20 at 20, up to 2e-20 at 100
 * excitation  0 at 1 eV, 2e-20 at 5, there a step down to 1e-20, flat to 50 and, by its
 *             power law, beyond
 * ionization  0 at 12, 4e-21 from 20 on;
 * attachment  0, 3e-21 at 2, 0 at 4;
 * three-body: not subtracted
 * so the difference crosses 0 at 12 + 8*3.2/3.6 = 19.111 and at 50 + 50*0.025/0.625 = 52
 * eV. */
static void test_subtract(void)
{
  struct wn_xs_set *set = get("lxcat-effective.txt");
  prepare(set, WN_XS_EFFECTIVE_ERROR, 1e24, 0, NULL, WN_EINPUT,
          "effective = \"subtract\"");
  prepare(set, WN_XS_EFFECTIVE_ERROR, 1e24, 0, NULL, WN_EINPUT,
          "a file with an ELASTIC block");
  struct wn_xs_set *raw = get("lxcat-effective.txt");
  prepare(set, WN_XS_EFFECTIVE_SUBTRACT, 1e24, 0, NULL, WN_OK, "subtract");
  is_int((long long)set->n, 5, "elastic in the place of effective");
  static const struct {
    double e, elastic;
  } hand[] = {{0, 5e-20},    {2, 4.2e-20}, {3, 3.85e-20}, {5 - 1e-9, 3e-20},
              {5, 4e-20},    {7, 4e-20},   {10, 4e-20},   {12, 3.2e-20},
              {16, 1.4e-20}, {20, 0},      {30, 0},       {50, 0},
              {51.9, 0},     {76, 3e-21},  {100, 6e-21},  {19.1111111111, 0}};
  for (size_t i = 0; i < sizeof hand / sizeof hand[0]; i++)
    is_near(at(set, "elastic", hand[i].e, WN_XS_BEYOND_ERROR), hand[i].elastic, 1e-29,
            "elastic at %g eV", hand[i].e);
  /* Outside the clamp the parts add up to effective again. */
  double worst = 0;
  for (double e = 0.05; e < 100; e += 0.17) {
    if (e > 19.1 && e < 52)
      continue;
    double sum = 0, want = at(raw, "effective", e, WN_XS_BEYOND_ERROR);
    for (size_t i = 0; i < set->n; i++)
      if (strcmp(set->process[i].label, "attachment") != 0)
        sum += wn_xs_sigma(set, &set->process[i], e, WN_XS_BEYOND_POWER);
    worst = fmax(worst, fabs(sum / want - 1));
  }
  is_near(worst, 0, 1e-9, "elastic + inelastic = effective between the rows too");
  ok(noted(
         set,
         ":3: effective minus inelastic is negative between 19.1111 and 52 eV, at worst "
         "-4e-21 m2 at 20 eV"),
     "one note names the clamped range and the worst amount");
  ok(noted(set, "1 of the cross sections taken from effective end below its last energy"),
     "the excitation that ends early is noted");
  is_close(wn_xs_set_mass(set), 9.1093837015e-27, 1e-14, "the mass stays");
  is_int(find(set, "elastic")->kind, WN_XS_ELASTIC, "kind");
  wn_xs_free(raw);
  wn_xs_free(set);

  set = get("lxcat-effective.txt");
  prepare(set, WN_XS_EFFECTIVE_SUBTRACT, 0, 1, (const char *const[]){"Xx(a)"}, WN_OK,
          "exclude");
  is_near(at(set, "elastic", 5, WN_XS_BEYOND_ERROR), 5e-20, 1e-29,
          "what is excluded is not subtracted");
  is_int((long long)set->n, 3, "elastic, ionization, attachment");
  wn_xs_free(set);
}

static void test_three_body(void)
{
  struct wn_xs_set *set = get("lxcat-effective.txt");
  is_int(find(set, "attachment")->three_body, 1, "three-body as read");
  prepare(set, WN_XS_EFFECTIVE_SUBTRACT, 5e24, 0, NULL, WN_OK, "third body 5e24 m-3");
  /* 1e-40 m2 per cm-3 times 5e18 cm-3 */
  is_close(at(set, "attachment", 0.1, WN_XS_BEYOND_ERROR), 5e-22, 1e-14, "scaled to m2");
  is_int(find(set, "attachment")->three_body, 0, "no longer per cm-3");
  wn_xs_free(set);

  set = get("lxcat-effective.txt");
  prepare(set, WN_XS_EFFECTIVE_SUBTRACT, 0, 0, NULL, WN_OK, "third body 0");
  ok(find(set, "attachment") == NULL, "no third body, no process");
  ok(noted(set, ":42: \"attachment\" needs a third body, whose density is 0"),
     "and a note");
  wn_xs_free(set);

  set = get("lxcat-effective.txt");
  prepare(set, WN_XS_EFFECTIVE_SUBTRACT, 1e34, 0, NULL, WN_EINPUT, "above 1e-15 m2");
  prepare(set, WN_XS_EFFECTIVE_SUBTRACT, -1, 0, NULL, WN_EINPUT, "it must be 0 or more");
  prepare(set, WN_XS_EFFECTIVE_SUBTRACT, NAN, 0, NULL, WN_EINPUT, "it must be 0 or more");
  wn_xs_free(set);
}

static void test_both(void)
{
  static const double e[] = {0, 100}, s[] = {1e-20, 1e-20}, s2[] = {2e-20, 2e-20};
  struct wn_xs_set *set = new_set("Xx");
  add(set, WN_XS_EFFECTIVE, NULL, 0, 2, e, s2, false);
  add(set, WN_XS_ELASTIC, NULL, 0, 2, e, s, false);
  prepare(set, WN_XS_EFFECTIVE_SUBTRACT, 0, 0, NULL, WN_OK, "elastic and effective");
  is_int((long long)set->n, 1, "effective is left out");
  is_close(at(set, "elastic", 1, WN_XS_BEYOND_ERROR), 1e-20, 0,
           "elastic is kept as it was");
  ok(noted(set, "EFFECTIVE left out"), "and noted");
  prepare(set, WN_XS_EFFECTIVE_ERROR, 0, 1, (const char *const[]){"elastic"}, WN_EINPUT,
          "no ELASTIC block for Xx");
  wn_xs_free(set);
}

static void test_twice(void)
{
  static const char *const elastics[] = {"elastic #2", "elastic #3"};
  static const char *const more[] = {"elastic #2", "elastic #3", "excitation Xx(a) #2"};
  static const char *const all[] = {"elastic #2", "elastic #3", "Xx(a)", "ions (total)"};
  static const char *const wrong[] = {"elastic #2", "ionisation Xx^+"};
  struct wn_xs_set *set = get("lxcat-twice.txt");
  prepare(set, WN_XS_EFFECTIVE_ERROR, 0, 0, NULL, WN_EINPUT,
          ":21: \"elastic #3\": total scattering");
  prepare(set, WN_XS_EFFECTIVE_ERROR, 0, 0, NULL, WN_EINPUT,
          "3 elastic processes for Xx");
  prepare(set, WN_XS_EFFECTIVE_ERROR, 0, 2, elastics, WN_EINPUT,
          ":66: \"excitation Xx(a) #2\" is the process \"excitation Xx(a)\" of line 57 "
          "again");
  prepare(set, WN_XS_EFFECTIVE_ERROR, 0, 2, wrong, WN_EINPUT,
          "the nearest is \"ionization Xx^+\"");
  prepare(set, WN_XS_EFFECTIVE_ERROR, 0, 3, more, WN_OK, "one of each");
  is_int((long long)set->n, 6, "three are gone");
  ok(noted(set,
           ":30: \"ionization ions (total)\" equals the sum of the other 2 ionizations"),
     "total and partial ionization is noted");
  ok(!noted(set, "\"ionization Xx^+\" equals"), "a part is no total");
  ok(noted(set, ":75: \"excitation Xx(alias)\" has the energy and the table of"),
     "one table under two names is noted");
  ok(noted(set, ":12: \"elastic #2\" excluded by the scenario"), "exclusions are noted");
  wn_xs_free(set);

  set = get("lxcat-twice.txt");
  prepare(set, WN_XS_EFFECTIVE_ERROR, 0, 4, all, WN_OK,
          "a product excludes all its processes");
  is_int((long long)set->n, 4, "five are gone");
  ok(!noted(set, "equals the sum"), "nothing to say without the total");
  wn_xs_free(set);
}

static void test_policies(void)
{
  static const double e[] = {0, 100, 200}, s[] = {1e-20, 4e-20, 1e-20},
                      up[] = {0, 1e-20, 2e-20}, ended[] = {1e-20, 1e-20, 0},
                      zero_before[] = {0, 0, 3e-20};
  static const double step_e[] = {0, 100, 200, 200},
                      step_s[] = {1e-20, 4e-20, 4e-20, 1e-20};
  struct wn_xs_set *set = new_set("Xx");
  add(set, WN_XS_ELASTIC, NULL, 0, 3, e, s, true);
  add(set, WN_XS_EXCITATION, "up", 1, 3, e, up, false);
  add(set, WN_XS_EXCITATION, "ended", 0, 3, e, ended, false);
  add(set, WN_XS_EXCITATION, "jump", 1, 3, e, zero_before, false);
  add(set, WN_XS_EXCITATION, "step", 0, 4, step_e, step_s, false);
  is_close(at(set, "elastic", 400, WN_XS_BEYOND_CONSTANT), 1e-20, 0, "constant");
  is_close(at(set, "elastic", 400, WN_XS_BEYOND_ERROR), 1e-20, 0,
           "error acts as constant");
  is_close(at(set, "elastic", 400, WN_XS_BEYOND_ZERO), 0, 0, "zero");
  is_close(at(set, "elastic", 200, WN_XS_BEYOND_ZERO), 1e-20, 0,
           "zero begins above the last row");
  is_close(at(set, "elastic", 400, WN_XS_BEYOND_POWER), 2.5e-21, 1e-12, "power: E^-2");
  is_close(at(set, "excitation up", 400, WN_XS_BEYOND_POWER), 2e-20, 0,
           "power never rises");
  is_close(at(set, "excitation jump", 400, WN_XS_BEYOND_POWER), 3e-20, 0, "nor from 0");
  is_close(at(set, "excitation step", 400, WN_XS_BEYOND_POWER), 2.5e-21, 1e-12,
           "power: rows of one energy are one");
  for (int b = 0; b < WN_XS_N_BEYOND; b++)
    is_close(at(set, "excitation ended", 400, (enum wn_xs_beyond)b), 0, 0,
             "an ended table stays 0 under policy %d", b);
  const struct wn_xs_process *p = find(set, "elastic");
  is_close(wn_xs_sigma_total(set, p, 150, WN_XS_BEYOND_ERROR), 2.5e-20, 1e-14,
           "total elastic");
  is_close(wn_xs_sigma_total(set, p, 400, WN_XS_BEYOND_POWER), 2.5e-21, 1e-12,
           "and beyond");
  capture();
  int status = wn_xs_beyond_supported(set, WN_XS_BEYOND_BORN);
  char *text = captured();
  is_int(status, WN_EINPUT, "born needs orbitals");
  ok(strstr(text, "orbitals are known for") != NULL, "and says so");
  is_int(wn_xs_beyond_supported(set, WN_XS_BEYOND_POWER), WN_OK, "power needs none");
  wn_xs_free(set);
}

static void test_born(void)
{
  static const double e[] = {15.6, 500, 1000}, ion[] = {0, 2e-20, 0.8925e-20};
  static const double fall[] = {0, 8e-21, 1e-21}, slow[] = {0, 2e-21, 1.1e-21};
  static const double el_e[] = {0, 1000}, el[] = {1e-19, 1.27e-21};
  struct wn_xs_set *set = new_set("N2");
  add(set, WN_XS_ELASTIC, NULL, 0, 2, el_e, el, true);
  set->process[0].sigma_total[1] = 2.30e-20;
  add(set, WN_XS_IONIZATION, "N2^+", 15.6, 3, e, ion, false);
  add(set, WN_XS_EXCITATION, "forbidden", 10, 3, e, fall, false);
  add(set, WN_XS_EXCITATION, "allowed", 10, 3, e, slow, false);
  add(set, WN_XS_ATTACHMENT, "N2^-", 0, 3, e, slow, false);
  is_int(wn_xs_beyond_supported(set, WN_XS_BEYOND_BORN), WN_OK, "N2 has orbitals");
#define BORN(label, ev) at(set, label, ev, WN_XS_BEYOND_BORN)
  is_close(BORN("ionization N2^+", 1e4), 0.13975e-20, 1e-3,
           "ionization as RBEB at 10 keV");
  is_close(BORN("ionization N2^+", 1e6), 0.00936e-20, 2e-3, "at 1 MeV");
  is_close(BORN("elastic", 1e4), 2.03e-23, 6e-3, "momentum transfer at 10 keV");
  is_close(BORN("elastic", 1e5), 3.17e-25, 6e-3, "at 100 keV");
  is_close(BORN("elastic", 1e6), 7.6e-27, 1e-2, "at 1 MeV");
  is_close(wn_xs_sigma_total(set, &set->process[0], 1e4, WN_XS_BEYOND_BORN), 2.37e-21,
           5e-3, "integral elastic at 10 keV");
  is_close(wn_xs_sigma_total(set, &set->process[0], 1e6, WN_XS_BEYOND_BORN), 1.02e-22,
           1e-2, "at 1 MeV");
  is_close(BORN("excitation forbidden", 1e4), 1e-24, 1e-12, "steep table: E^-3");
  /* ln(1 + 1000)/1e4 : ln(1 + 100)/1e3 without the relativistic part, which is 2 % here.
   */
  is_close(BORN("excitation allowed", 1e4), 1.1e-21 * 0.1 * log(1001) / log(101), 0.03,
           "slow table: ln(E)/E");
  ok(BORN("excitation allowed", 1e8) > BORN("excitation allowed", 2e6),
     "relativistic rise");
  /* Bethe's relativistic logarithm, ln(2 m c^2 (beta gamma)^2/4 w) - beta^2 over beta^2, far above w = 10 eV;
   * without -beta^2 the ratio is 3 % less */
  const double bg1 = 2.0 * 1e6 / 510998.95 + pow(1e6 / 510998.95, 2.0),
               bg2 = 2.0 * 1e8 / 510998.95 + pow(1e8 / 510998.95, 2.0),
               b1 = bg1 / (1.0 + bg1), b2 = bg2 / (1.0 + bg2);
  is_close(BORN("excitation allowed", 1e8) / BORN("excitation allowed", 1e6),
           (log(510998.95 * bg2 / 20.0) - b2) / b2 /
               ((log(510998.95 * bg1 / 20.0) - b1) / b1),
           1e-5, "and by how much, from 1 to 100 MeV");
  is_close(BORN("attachment N2^-", 1001), 0, 0, "no attachment beyond");
  static const char *const labels[] = {"elastic", "ionization N2^+",
                                       "excitation forbidden", "excitation allowed"};
  for (size_t i = 0; i < 4; i++)
    is_close(BORN(labels[i], 1000 * (1 + 1e-9)),
             at(set, labels[i], 1000, WN_XS_BEYOND_BORN), 1e-7,
             "%s: continuous at the last row", labels[i]);
  /* A channel that carries its own orbital follows that orbital alone: N2's 2sg. */
  struct wn_xs_orbital o = {41.72, 71.13, 2};
  set->process[1].orbital = o;
  is_close(BORN("ionization N2^+", 1e5),
           0.8925e-20 * wn_xs_rbeb(&o, 1e5) / wn_xs_rbeb(&o, 1e3), 1e-12,
           "the orbital of a channel");
  wn_xs_free(set);

  static const double low_e[] = {0, 12}, low[] = {0, 1e-21};
  set = new_set("N2");
  add(set, WN_XS_IONIZATION, "early", 5, 2, low_e, low, false);
  capture();
  int status = wn_xs_beyond_supported(set, WN_XS_BEYOND_BORN);
  char *text = captured();
  is_int(status, WN_EINPUT, "ionization that ends below every binding energy");
  ok(strstr(text, "ends at 12 eV") != NULL, "is named");
  is_close(at(set, "ionization early", 1e3, WN_XS_BEYOND_BORN), 1e-21, 0,
           "and stays finite");
  wn_xs_free(set);
}

int main(void)
{
  plan(0);
  wn_log_set_level(WN_LOG_ERROR);
  test_subtract();
  test_three_body();
  test_both();
  test_twice();
  test_policies();
  test_born();
  return done();
}
