/* t0209-factors.c - defends: what gas.components.<NAME>.factors makes of cross sections: a
 * factor multiplies exactly, its hump is F^(sin^2(pi ln(E/a)/ln(b/a))) between rows, too,
 * with steps, thresholds and what is above the tables as they were; nothing else changes a
 * bit; friction and superelastic processes follow; what cannot be is refused with the
 * message.  Numbers by hand: the hump is F at sqrt(a b) and sqrt(F) a quarter of the
 * logarithm from either end, as sin^2 is 1 and 1/2 there.  Between rows it is asked for
 * within 1e-4 of the cross section. */
#include "crosssections/xs_factor.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "src/config/config.h"
#include "src/config/factor.h"
#include "src/sim/gas.h"
#include "t/tap/capture.h"
#include "t/tap/scenario.h"
#include "t/tap/tap.h"

#define SCENARIO "t0209.cfg"

/* ---- sets ---- */

static struct wn_xs_set *new_set(void)
{
  struct wn_xs_set *set = calloc(1, sizeof *set);
  if (set == NULL || (set->name = strdup("Xx")) == NULL ||
      (set->source = strdup("memory")) == NULL)
    exit(1);
  return set;
}

static double *copy(size_t n, const double *from)
{
  double *to = from != NULL ? malloc(n * sizeof *to) : NULL;
  if (to != NULL)
    memcpy(to, from, n * sizeof *to);
  return to;
}

static void add(struct wn_xs_set *set, enum wn_xs_kind kind, const char *product,
                double loss, size_t n, const double *e, const double *s,
                const double *total)
{
  struct wn_xs_process p = {.kind = kind,
                            .loss_ev = loss,
                            .threshold_ev = fmax(loss, 0),
                            .n = n,
                            .energy_ev = copy(n, e),
                            .sigma = copy(n, s),
                            .sigma_total = copy(n, total)};
  p.product = product != NULL ? strdup(product) : NULL;
  if (wn_xs_append(set, &p) != WN_OK)
    exit(1);
}

/* Coarse rows; a step up at 300 eV in an excitation that has ended at 2000 eV, one whose
 * threshold lies between two rows, and an elastic table that begins at 1 eV. */
static struct wn_xs_set *coarse(void)
{
  static const double e[] = {1, 1000, 5000}, m[] = {4e-20, 2e-20, 1e-20},
                      t[] = {5e-20, 4e-20, 3e-20};
  static const double step_e[] = {10, 100, 300, 300, 2000},
                      step_s[] = {0, 9e-20, 3e-20, 6e-20, 0};
  static const double cut_e[] = {10, 200, 1000, 2000, 4000},
                      cut_s[] = {0, 4e-20, 2e-20, 1e-20, 5e-21};
  static const double ion_e[] = {15, 15, 5000}, ion_s[] = {0, 1e-20, 1e-20};
  static const double gain_e[] = {0, 10}, gain_s[] = {1e-21, 1e-21};
  struct wn_xs_set *set = new_set();
  add(set, WN_XS_ELASTIC, NULL, 0, 3, e, m, t);
  add(set, WN_XS_EXCITATION, "Xx(step)", 10, 5, step_e, step_s, NULL);
  add(set, WN_XS_EXCITATION, "Xx(cut)", 12, 5, cut_e, cut_s, NULL);
  add(set, WN_XS_EXCITATION, "Xx(1) from Xx(2)", -1, 2, gain_e, gain_s, NULL);
  add(set, WN_XS_IONIZATION, "Xx+", 15, 3, ion_e, ion_s, NULL);
  return set;
}

static struct wn_xs_set *air(const char *gas)
{
  struct wn_xs_set *set = NULL;
  if (wn_xs_builtin_air(gas, &set) != WN_OK ||
      wn_xs_prepare(set, WN_XS_EFFECTIVE_ERROR, 1e24, 0, NULL) != WN_OK)
    exit(1);
  return set;
}

static const struct wn_xs_process *find(const struct wn_xs_set *set, const char *label)
{
  for (size_t i = 0; i < set->n; i++)
    if (strcmp(set->process[i].label, label) == 0)
      return &set->process[i];
  printf("Bail out! no \"%s\"\n", label);
  exit(1);
}

static bool same_table(const struct wn_xs_process *p, const struct wn_xs_process *q)
{
  const size_t bytes = p->n * sizeof(double);
  return p->n == q->n && memcmp(p->energy_ev, q->energy_ev, bytes) == 0 &&
         memcmp(p->sigma, q->sigma, bytes) == 0 &&
         (p->sigma_total == NULL || memcmp(p->sigma_total, q->sigma_total, bytes) == 0);
}

/* Every row exactly `factor` times what it was. */
static bool is_times(size_t n, const double *now, const double *before, double factor)
{
  for (size_t r = 0; r < n; r++)
    if (now[r] != factor * before[r])
      return false;
  return true;
}

/* Multiply by entries as a scenario has them; the message of an error, or "". */
static const char *multiply(struct wn_xs_set *set, enum wn_xs_beyond beyond, size_t n,
                            const char *const *entry)
{
  static char said[1024];
  struct wn_xs_factor f[4] = {{0}};
  int status = WN_OK;
  char *why = NULL;
  said[0] = '\0';
  for (size_t i = 0; i < n; i++) {
    status = wn_config_factor(entry[i], &f[i], &why);
    if (status != WN_OK)
      exit(1);
  }
  capture();
  status = wn_xs_multiply(set, beyond, n, f);
  char *text = captured();
  const char *error = strstr(text, "wilson: error: ");
  if (error != NULL)
    snprintf(said, sizeof said, "%.*s", (int)strcspn(error + 15, "\n"), error + 15);
  is_int(status, error != NULL ? WN_EINPUT : WN_OK, "%s: status", entry[0]);
  for (size_t i = 0; i < n; i++)
    free(f[i].process);
  return said;
}

static void one(struct wn_xs_set *set, const char *entry)
{
  is_str(multiply(set, WN_XS_BEYOND_ERROR, 1, &entry), "", "%s is taken", entry);
}

/* ---- factors at all energies ---- */

static void test_words(void)
{
  static const struct {
    const char *entry;
    unsigned kinds;      /* of which all are multiplied */
    const char *product; /* in the place of kinds */
    bool sigma, total;   /* of elastic */
    double factor;
  } cases[] = {
      {"elastic 1.3", 1u << WN_XS_ELASTIC, NULL, true, true, 1.3},
      {"momentum-transfer 1.3", 1u << WN_XS_ELASTIC, NULL, true, false, 1.3},
      {"integral 1.3", 1u << WN_XS_ELASTIC, NULL, false, true, 1.3},
      {"inelastic 1.1", 1u << WN_XS_EXCITATION | 1u << WN_XS_IONIZATION, NULL, true, true,
       1.1},
      {"excitation 0.9", 1u << WN_XS_EXCITATION, NULL, true, true, 0.9},
      {"ionization 100", 1u << WN_XS_IONIZATION, NULL, true, true, 100},
      {"attachment 1e-3", 1u << WN_XS_ATTACHMENT, NULL, true, true, 1e-3},
      {"  excitation O2(9.9 eV)\t 0.5 ", 0, "O2(9.9 eV)", true, true, 0.5},
      {"O-+O 2", 0, "O-+O", true, true, 2},
  };
  struct wn_xs_set *before = air("O2");
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    struct wn_xs_set *set = air("O2");
    size_t wrong = 0, multiplied = 0;
    one(set, cases[k].entry);
    for (size_t i = 0; i < set->n; i++) {
      const struct wn_xs_process *p = &set->process[i], *q = &before->process[i];
      const bool meant =
          cases[k].product != NULL
              ? p->product != NULL && strcmp(p->product, cases[k].product) == 0
              : (cases[k].kinds & 1u << p->kind) != 0;
      if (!meant) {
        wrong += !same_table(p, q);
        continue;
      }
      multiplied++;
      wrong += p->n != q->n ||
               memcmp(p->energy_ev, q->energy_ev, p->n * sizeof(double)) != 0 ||
               !is_times(p->n, p->sigma, q->sigma, cases[k].sigma ? cases[k].factor : 1);
      wrong += p->sigma_total != NULL && !is_times(p->n, p->sigma_total, q->sigma_total,
                                                   cases[k].total ? cases[k].factor : 1);
    }
    ok(wrong == 0 && multiplied > 0,
       "%s: %zu tables exactly so many times, all others as they were", cases[k].entry,
       multiplied);
    wn_xs_free(set);
  }
  wn_xs_free(before);
}

static void test_friction(void)
{
  static const enum wn_xs_beyond beyond[2] = {WN_XS_BEYOND_BORN, WN_XS_BEYOND_BORN};
  static const double density[2] = {2e25, 5e24}, at[] = {3, 20, 130, 1e3, 1e5, 1e7, 5e7};
  struct wn_xs_set *set[2] = {air("N2"), air("O2")}, *before[2] = {air("N2"), air("O2")};
  one(set[0], "inelastic 1.1");
  one(set[1], "inelastic 1.1");
  for (size_t i = 0; i < sizeof at / sizeof at[0]; i++)
    is_close(wn_xs_friction(2, (const struct wn_xs_set *const *)set, density, beyond,
                            NULL, at[i]),
             1.1 * wn_xs_friction(2, (const struct wn_xs_set *const *)before, density,
                                  beyond, NULL, at[i]),
             1e-14, "friction of air at %g eV: 1.1 times as much", at[i]);
  for (int k = 0; k < 2; k++) {
    wn_xs_free(set[k]);
    wn_xs_free(before[k]);
  }
}

/* ---- humps ---- */

static double hump(double factor, double a, double b, double e)
{
  const double s = e > a && e < b ? sin(M_PI * log(e / a) / log(b / a)) : 0.0;
  return exp(log(factor) * s * s);
}

/* The whole of a table against hump and table before. */
static void is_hump(const struct wn_xs_set *set, const struct wn_xs_set *before,
                    const char *label, double factor, double a, double b)
{
  const struct wn_xs_process *p = find(set, label), *q = find(before, label);
  double worst = 0.0, outside = 0.0, rows = 0.0, widest = 1.0;
  for (double e = 0.5 * a; e < fmin(1.5 * b, q->energy_ev[q->n - 1]);
       e *= 1.0 + 0.00037 * fmin(1.0, log(b / a))) {
    const double was = wn_xs_sigma(before, q, e, WN_XS_BEYOND_ERROR),
                 now = wn_xs_sigma(set, p, e, WN_XS_BEYOND_ERROR),
                 want = was * hump(factor, a, b, e);
    if (!(was > 0.0) || !(now > 0.0))
      worst = fmax(worst, was > 0.0 || now > 0.0 ? INFINITY : 0.0);
    else if (e > a && e < b)
      worst = fmax(worst, fabs(now / want - 1.0));
    else
      outside = fmax(outside, fabs(now - want) / 1e-20);
  }
  for (size_t r = 0, k = 0; r < q->n; r++, k++) { /* each row is still there, in order */
    while (k < p->n && p->energy_ev[k] != q->energy_ev[r])
      k++;
    const double want = q->sigma[r] * hump(factor, a, b, q->energy_ev[r]);
    rows = k == p->n ? INFINITY : fmax(rows, fabs(p->sigma[k] - want) / (want + 1e-40));
    if (k == p->n)
      break;
  }
  for (size_t r = 1; r < p->n; r++)
    if (p->energy_ev[r - 1] >= fmax(a, p->threshold_ev) && p->energy_ev[r] <= b &&
        p->sigma[r] > 0.0)
      widest = fmax(widest, p->energy_ev[r] / p->energy_ev[r - 1]);
  ok(worst < 1e-4, "%s, %g from %g to %g eV: the hump within %.2g", label, factor, a, b,
     worst);
  ok(outside < 1e-13, "outside as it was, within %.2g e-20 m2", outside);
  ok(rows < 1e-14, "the rows it had, within %.2g", rows);
  ok(widest < 1.01 + 1e-9, "and rows at most 1 %% apart: %.4f", widest);
}

static void test_humps(void)
{
  static const struct {
    double factor, a, b;
  } cases[] = {{1.2, 20, 1900}, {0.5, 5, 5000},  {100, 200, 600},
               {3, 250, 252.6}, {1.2, 295, 305}, {0.01, 11, 14.9}};
  static const char *const labels[] = {"excitation Xx(step)", "excitation Xx(cut)",
                                       "elastic"};
  struct wn_xs_set *before = coarse();
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++) {
      struct wn_xs_set *set = coarse();
      char entry[128];
      snprintf(entry, sizeof entry, "%s %g from %g eV to %.12g keV", labels[i],
               cases[k].factor, cases[k].a, cases[k].b / 1e3);
      one(set, entry);
      is_hump(set, before, labels[i], cases[k].factor, cases[k].a, cases[k].b);
      wn_xs_free(set);
    }

  /* by hand */
  struct wn_xs_set *set = coarse();
  one(set, "ionization 4 from 16 eV to 256 eV");
  const struct wn_xs_process *p = find(set, "ionization Xx+");
  is_close(wn_xs_sigma(set, p, 64, WN_XS_BEYOND_ERROR), 4e-20, 1e-4, "F in the middle");
  is_close(wn_xs_sigma(set, p, 32, WN_XS_BEYOND_ERROR), 2e-20, 1e-4, "sqrt(F) below it");
  is_close(wn_xs_sigma(set, p, 128, WN_XS_BEYOND_ERROR), 2e-20, 1e-4, "and above it");
  is_close(wn_xs_sigma(set, p, 16, WN_XS_BEYOND_ERROR), 1e-20, 1e-14,
           "1 where it begins");
  is_close(wn_xs_sigma(set, p, 256, WN_XS_BEYOND_ERROR), 1e-20, 1e-14, "and ends");
  is_close(wn_xs_sigma(set, p, 15, WN_XS_BEYOND_ERROR), 1e-20, 0, "the step at 15 eV");
  is_close(wn_xs_sigma(set, p, 14.999, WN_XS_BEYOND_ERROR), 0, 0, "0 below it");
  for (size_t i = 0; i + 1 < set->n; i++)
    ok(same_table(&set->process[i], &before->process[i]), "%s stays, to the bit",
       set->process[i].label);
  wn_xs_free(set);

  set = coarse();
  one(set, "Xx(step) 9 from 100 eV to 900 eV");
  p = find(set, "excitation Xx(step)");
  size_t pairs = 0;
  for (size_t r = 1; r < p->n; r++)
    if (p->energy_ev[r] == p->energy_ev[r - 1]) {
      pairs++;
      is_close(p->sigma[r - 1], 27e-20, 1e-14, "left of the step at 300 eV");
      is_close(p->sigma[r], 54e-20, 1e-14, "right of it");
    }
  is_int((long)pairs, 1, "one step");
  wn_xs_free(set);

  /* below its first row, at 1 eV, elastic scattering holds its first value */
  set = coarse();
  one(set, "elastic 2 from 0.1 eV to 0.9 eV");
  p = find(set, "elastic");
  is_close(wn_xs_sigma(set, p, 0.3, WN_XS_BEYOND_ERROR), 8e-20, 1e-4,
           "elastic at 0.3 eV");
  is_close(wn_xs_sigma_total(set, p, 0.3, WN_XS_BEYOND_ERROR), 10e-20, 1e-4,
           "and its integral");
  is_close(wn_xs_sigma(set, p, 0.05, WN_XS_BEYOND_ERROR), 4e-20, 1e-14, "1 below");
  is_close(wn_xs_sigma(set, p, 0.95, WN_XS_BEYOND_ERROR), 4e-20, 1e-14, "and above");
  wn_xs_free(set);

  /* the angles: momentum transfer over integral */
  static const struct {
    const char *entry;
    double m, total;
  } parts[] = {{"elastic 1.5 from 10 eV to 1 keV", 1.5, 1.5},
               {"momentum-transfer 1.5 from 10 eV to 1 keV", 1.5, 1},
               {"integral 1.5 from 10 eV to 1 keV", 1, 1.5}};
  const struct wn_xs_process *q = find(before, "elastic");
  for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
    set = coarse();
    one(set, parts[k].entry);
    p = find(set, "elastic");
    is_close(wn_xs_sigma(set, p, 100, WN_XS_BEYOND_ERROR) /
                 wn_xs_sigma(before, q, 100, WN_XS_BEYOND_ERROR),
             parts[k].m, 1e-4, "%s: momentum transfer", parts[k].entry);
    is_close(wn_xs_sigma_total(set, p, 100, WN_XS_BEYOND_ERROR) /
                 wn_xs_sigma_total(before, q, 100, WN_XS_BEYOND_ERROR),
             parts[k].total, 1e-4, "%s: integral", parts[k].entry);
    wn_xs_free(set);
  }
  wn_xs_free(before);
}

static void test_order(void)
{
  static const char *const entry[] = {"Xx(cut) 3 from 20 eV to 2 keV", "inelastic 0.5",
                                      "excitation 2 from 100 eV to 400 eV"};
  struct wn_xs_set *set = coarse(), *before = coarse();
  is_str(multiply(set, WN_XS_BEYOND_ERROR, 3, entry), "", "three entries");
  const struct wn_xs_process *p = find(set, "excitation Xx(cut)");
  is_close(wn_xs_sigma(set, p, 200, WN_XS_BEYOND_ERROR), 4e-20 * 3 * 0.5 * 2, 1e-4,
           "each multiplies what those before it left");
  const char *first = strstr(set->notes, "memory: factors = \"Xx(cut) 3 from 20 eV to 2 "
                                         "keV\" multiplies \"excitation Xx(cut)\" of Xx"),
             *second = strstr(set->notes, "factors = \"inelastic 0.5\" multiplies 4 "
                                          "processes of Xx"),
             *third =
                 strstr(set->notes, "factors = \"excitation 2 from 100 eV to 400 eV\" "
                                    "multiplies 2 processes of Xx");
  ok(first != NULL && second > first && third > second,
     "a note for each, in order, of the processes that it changes");
  ok(same_table(find(set, "elastic"), find(before, "elastic")), "elastic stays");
  wn_xs_free(set);
  wn_xs_free(before);
}

/* ---- above the tables ---- */

static void test_beyond(void)
{
  static const char *const inside[] = {"Xx(cut) 2 from 100 eV to 2 keV"},
                           *const ends[] = {"Xx(cut) 2 from 100 eV to 4 keV"},
                           *const over[] = {"Xx(cut) 2 from 100 eV to 8 keV"},
                           *const all[] = {"excitation 2 from 100 eV to 8 keV"};
  static const struct {
    const char *const *entry;
    enum wn_xs_beyond beyond;
    const char *from; /* NULL: taken */
  } cases[] = {
      {inside, WN_XS_BEYOND_POWER, NULL},   {inside, WN_XS_BEYOND_BORN, NULL},
      {ends, WN_XS_BEYOND_CONSTANT, NULL},  {ends, WN_XS_BEYOND_POWER, "2000"},
      {ends, WN_XS_BEYOND_BORN, "2000"},    {over, WN_XS_BEYOND_CONSTANT, "4000"},
      {over, WN_XS_BEYOND_ERROR, NULL},     {over, WN_XS_BEYOND_ZERO, NULL},
      {all, WN_XS_BEYOND_CONSTANT, "4000"}, {all, WN_XS_BEYOND_ZERO, NULL}};
  struct wn_xs_set *before = coarse();
  const struct wn_xs_process *q = find(before, "excitation Xx(cut)");
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    struct wn_xs_set *set = coarse();
    char want[400] = "";
    if (cases[k].from != NULL)
      snprintf(
          want, sizeof want,
          "memory: factors = \"%s\": above the table of \"excitation Xx(cut)\", which "
          "ends at 4000 eV, the key `beyond` extrapolates from the values above %s eV, "
          "where the factor must be 1: end the range there, or name single processes",
          *cases[k].entry, cases[k].from);
    is_str(multiply(set, cases[k].beyond, 1, cases[k].entry), want, "%s under policy %d",
           *cases[k].entry, cases[k].beyond);
    if (cases[k].from == NULL && cases[k].beyond != WN_XS_BEYOND_ERROR)
      is_close(wn_xs_sigma(set, find(set, "excitation Xx(cut)"), 1e4, cases[k].beyond),
               wn_xs_sigma(before, q, 1e4, cases[k].beyond), 0,
               "above the table nothing changes");
    wn_xs_free(set);
  }
  wn_xs_free(before);
}

/* ---- what is refused ---- */

static void test_errors(void)
{
  static const struct {
    const char *entry, *want;
  } cases[] = {
      {"inelastc 1.1",
       "memory: factors = \"inelastc 1.1\" matches no process of Xx; the nearest is "
       "\"inelastic\""},
      {"Xx(stop) 1.1",
       "memory: factors = \"Xx(stop) 1.1\" matches no process of Xx; the nearest is "
       "\"excitation Xx(step)\""},
      {"attachment 1.1",
       "memory: factors = \"attachment 1.1\": Xx has no process of this kind"},
      {"ionization 2 from 1 eV to 14.9 eV",
       "memory: factors = \"ionization 2 from 1 eV to 14.9 eV\": no cross section above "
       "0 "
       "lies between 1 and 14.9 eV; the nearest table is that of \"ionization Xx+\", 15 "
       "to 5000 eV"},
      {"Xx(cut) 2 from 11 eV to 12 eV",
       "memory: factors = \"Xx(cut) 2 from 11 eV to 12 eV\": no cross section above 0 "
       "lies "
       "between 11 and 12 eV; the nearest table is that of \"excitation Xx(cut)\", 12 to "
       "4000 eV"},
      {"inelastic 2 from 6 keV to 7 keV",
       "memory: factors = \"inelastic 2 from 6 keV to 7 keV\": no cross section above 0 "
       "lies between 6000 and 7000 eV; the nearest table is that of \"ionization Xx+\", "
       "15 "
       "to 5000 eV"},
      {"momentum-transfer 2.6",
       "memory: factors: at 1 eV the momentum transfer of \"elastic\" becomes 2.08 times "
       "its integral cross section; the limit is 2, for scattering straight back"},
      {"integral 0.39",
       "memory: factors: at 1 eV the momentum transfer of \"elastic\" becomes 2.051 "
       "times its integral cross section; the limit is 2, for scattering straight back"},
      {"elastic 100", ""},
      {"momentum-transfer 2.5", ""},
      {"excitation Xx(1) from Xx(2) 3", ""}, /* a label with the word of a range */
      {"excitation Xx(1) from Xx(2) 3 from 1 eV to 2 eV", ""},
  };
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    struct wn_xs_set *set = coarse();
    is_str(multiply(set, WN_XS_BEYOND_ERROR, 1, &cases[k].entry), cases[k].want, "%s",
           cases[k].entry);
    wn_xs_free(set);
  }
  static const char *const together[] = {"momentum-transfer 2.6", "integral 2"};
  struct wn_xs_set *set = coarse();
  is_str(multiply(set, WN_XS_BEYOND_ERROR, 2, together), "",
         "what one entry makes impossible another makes possible");
  wn_xs_free(set);
  set = new_set();
  static const double e[] = {1, 10}, s[] = {1e-20, 1e-20};
  add(set, WN_XS_ELASTIC, NULL, 0, 2, e, s, NULL);
  static const char *const integral[] = {"integral 2"};
  is_str(multiply(set, WN_XS_BEYOND_ERROR, 1, integral),
         "memory: factors = \"integral 2\": the set of Xx has no integral elastic cross "
         "section; the nearest is \"momentum-transfer\"",
         "no integral cross section");
  one(set, "momentum-transfer 50"); /* nothing to compare with */
  wn_xs_free(set);
}

/* ---- from the scenario to the gas ---- */

#define BEGIN                                                                            \
  "fields = [\"100 Td\"];\n%sgas = { components = { N2 = { file = \"builtin:air\";\n"

static struct wn_gas *gas_of(const char *top, const char *keys)
{
  char text[1024];
  struct wn_config *c = NULL;
  struct wn_gas *gas = NULL;
  snprintf(text, sizeof text, BEGIN "%s }; }; };\n", top, keys);
  FILE *f = fopen(SCENARIO, "w");
  if (f == NULL || fputs(text, f) < 0 || fclose(f) != 0)
    exit(1);
  if (wn_config_read(SCENARIO, 0, NULL, &c) == WN_OK)
    is_int(wn_gas_create(c, &gas), WN_OK, "a gas with %s", keys);
  wn_config_free(c);
  return gas;
}

static void test_gas(void)
{
  static const char excited[] = "excited = [\"N2(vib)\"]; excited_weights = [1.0]; "
                                "excited_temperatures = [\"5000 K\"];";
  static const char factors[] =
      "excited = [\"N2(vib)\"]; excited_weights = [1.0]; excited_temperatures = [\"5000 "
      "K\"]; factors = [\"excitation N2(vib) 2\", \"ionization 1.5\"];";
  struct wn_gas *plain = gas_of("", excited), *twice = gas_of("", factors),
                *empty = gas_of("", "factors = [];"), *none = gas_of("", "");
  if (!ok(plain != NULL && twice != NULL && empty != NULL && none != NULL, "four gases"))
    return;
  const struct wn_xs_process *p = find(plain->set[0], "superelastic N2(vib)"),
                             *q = find(twice->set[0], "superelastic N2(vib)");
  ok(p->n == q->n && is_times(p->n, q->sigma, p->sigma, 2),
     "a superelastic process is that of the multiplied excitation: detailed balance");
  p = find(plain->set[0], "excitation N2(vib)");
  q = find(twice->set[0], "excitation N2(vib)");
  ok(is_times(p->n, q->sigma, p->sigma, 2), "which is twice as large");
  ok(same_table(find(plain->set[0], "elastic"), find(twice->set[0], "elastic")),
     "elastic stays");
  bool same = true;
  for (size_t i = 0; i < none->set[0]->n; i++)
    same = same && same_table(&none->set[0]->process[i], &empty->set[0]->process[i]);
  ok(same && strcmp(none->set[0]->notes, empty->set[0]->notes) == 0,
     "an empty list is as none");
  wn_gas_free(plain);
  wn_gas_free(twice);
  wn_gas_free(empty);
  wn_gas_free(none);
}

/* Moliere's cross sections take the place of those of the set from 10 keV on; what a factor multiplies is what is used. */
static void test_moliere(void)
{
  static const char top[] =
      "scattering = \"moliere\"; tables = { energy_max = \"2 MeV\"; };\n";
  struct wn_gas *plain = gas_of(top, ""),
                *more = gas_of(top, "factors = [\"elastic 1.25\"];");
  if (!ok(plain != NULL && more != NULL, "two gases with scattering moliere"))
    return;
  const struct wn_xs_process *p = find(plain->set[0], "elastic"),
                             *q = find(more->set[0], "elastic");
  ok(p->n == q->n && is_times(p->n, q->sigma, p->sigma, 1.25) &&
         is_times(p->n, q->sigma_total, p->sigma_total, 1.25),
     "elastic 1.25 times as large at all energies");
  wn_gas_free(plain);
  wn_gas_free(more);
}

#define ENTRY                                                                            \
  "is neither \"PROCESS FACTOR\" nor \"PROCESS FACTOR from ENERGY to ENERGY\", as in "   \
  "\"inelastic 1.1\" or \"momentum-transfer 1.2 from 300 eV to 3 keV\""

static void test_scenario(void)
{
  static const struct {
    const char *entry, *says; /* says: behind place, key and value; "": sound */
  } cases[] = {
      {"inelastic 1.1", ""},
      {"inelastic 1.1 from 1 eV to 10 keV", ""},
      {"inelastic", "\"inelastic\" " ENTRY},
      {"1.1", "\"1.1\" " ENTRY},
      {"", "\"\" " ENTRY},
      {"inelastic 1.1x", "\"inelastic 1.1x\" " ENTRY},
      {"inelastic nan", "\"inelastic nan\" " ENTRY},
      {"inelastic 1.1 from 3 eV", "\"inelastic 1.1 from 3 eV\" " ENTRY},
      {"inelastic 0", "\"inelastic 0\": the factor is out of range; allowed: more than 0 "
                      "to 100"},
      {"inelastic -1", "\"inelastic -1\": the factor is out of range; allowed: more than "
                       "0 to 100"},
      {"inelastic 100.1",
       "\"inelastic 100.1\": the factor is out of range; allowed: more "
       "than 0 to 100"},
      {"inelastic 2 from 3 to 5 eV",
       "\"inelastic 2 from 3 to 5 eV\": `3` is not an energy with a unit; units of "
       "energies: eV, meV, keV, MeV, J"},
      {"inelastic 2 from 3 eV to 5 Td",
       "\"inelastic 2 from 3 eV to 5 Td\": `5 Td` is not an energy with a unit; units of "
       "energies: eV, meV, keV, MeV, J"},
      {"inelastic 2 from 0 to 5 eV", "\"inelastic 2 from 0 to 5 eV\": the range must "
                                     "begin above 0 eV, and end at least 1 % higher"},
      {"inelastic 2 from 5 eV to 5 eV",
       "\"inelastic 2 from 5 eV to 5 eV\": the range must begin above 0 eV, and end at "
       "least 1 % higher"},
      {"backscatter 2", "\"backscatter 2\": factors are for cross sections of electrons; "
                        "those of ions cannot be multiplied"},
      {"integral 2", "\"integral 2\" has no effect with scattering = \"isotropic\", "
                     "which uses the momentum-transfer cross section alone"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    char text[512], want[800] = "", *said = NULL;
    snprintf(text, sizeof text, BEGIN "factors = [\"%s\"]; }; }; };\n",
             "scattering = \"isotropic\";\n", cases[k].entry);
    if (*cases[k].says)
      snprintf(want, sizeof want,
               SCENARIO ":4: key `gas.components.N2.factors` = [\"%s\"]: %s\n",
               cases[k].entry, cases[k].says);
    is_int(scenario_messages(SCENARIO, text, NULL, &said),
           *want != '\0' ? WN_EINPUT : WN_OK, "status of \"%s\"", cases[k].entry);
    is_str(said != NULL ? said : "(none)", want, "and its message");
    free(said);
  }
  struct wn_gas *gas = gas_of("scattering = \"okhrimovskyy\";\n",
                              "factors = [\"integral 2\", \"elastic 0.5 from 300 eV to 3 "
                              "keV\"];");
  ok(gas != NULL, "integral with angles");
  wn_gas_free(gas);
}

int main(void)
{
  plan(0);
  wn_log_set_level(WN_LOG_ERROR);
  test_words();
  test_friction();
  test_humps();
  test_order();
  test_beyond();
  test_errors();
  test_gas();
  test_moliere();
  test_scenario();
  remove(SCENARIO);
  return done();
}
