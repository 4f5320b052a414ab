/* t0207-levels.c - defends: populations of levels by temperature and by fractions, the
 * reverse tables that come of them (Klein and Rosseland's relation, at rows, between them,
 * at steps and at the ends), what the set of a gas becomes, and the refusal of what is
 * ambiguous.  Numbers: t/data/lxcat-levels.txt; the rest by hand, below.
 * The relation is checked between rows of the reverse table within 2e-4: its rows are so
 * close that 1/e is off by 6e-5 between them, and what rises beside it by more. */
#include "base/error.h"
#include "base/log.h"
#include "crosssections/xs_levels.h"
#include "physics/constants.h"
#include "t/tap/capture.h"
#include "t/tap/tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define K_EV (WN_KB / WN_E)

static struct wn_xs_set *get(const char *target, bool with_down)
{
  static const char *const down[] = {"Many(down)"};
  char path[4096];
  const char *top = getenv("WN_SRCDIR");
  snprintf(path, sizeof path, "%s/t/data/lxcat-levels.txt", top != NULL ? top : ".");
  struct wn_xs_set *set = NULL;
  const size_t n = strcmp(target, "Many") == 0 && !with_down;
  if (wn_xs_read_lxcat(path, target, NULL, &set) != WN_OK ||
      wn_xs_prepare(set, WN_XS_EFFECTIVE_ERROR, 0, n, down) != WN_OK) {
    ok(0, "%s is read", target);
    done();
    exit(1);
  }
  return set;
}

static const struct wn_xs_process *find(const struct wn_xs_set *set, const char *label)
{
  for (size_t i = 0; i < set->n; i++)
    if (strcmp(set->process[i].label, label) == 0)
      return &set->process[i];
  ok(0, "there is \"%s\"", label);
  done();
  exit(1);
}

static double at(const struct wn_xs_set *set, const char *label, double e)
{
  return wn_xs_sigma(set, find(set, label), e, WN_XS_BEYOND_ERROR);
}

/* part: n/g.  Relative to the value or, where that goes to 0, to 0.3 of the highest above
 * 0.01 eV. */
static void is_reverse(const struct wn_xs_set *set, const struct wn_xs_set *before,
                       const char *name, double part, double w, double top)
{
  char up[128], down[128];
  snprintf(up, sizeof up, "excitation %s", name);
  snprintf(down, sizeof down, "superelastic %s", name);
  double worst = 0.0, peak = 0.0;
  const struct wn_xs_process *p = find(set, down);
  for (size_t i = 0; i < p->n; i++)
    if (p->energy_ev[i] > 0.01)
      peak = fmax(peak, p->sigma[i]);
  for (double e = 2e-5; e < top; e *= 1.0007) {
    const double want = part * (e + w) / e * at(before, up, e + w);
    worst = fmax(worst, fabs(at(set, down, e) - want) / fmax(want, 0.3 * peak));
  }
  ok(worst < 2e-4, "%s: the relation within %.2g", down, worst);
}

static void test_temperature(void)
{
  const double kt = 1000.0 * K_EV, mass = WN_ME / 1e-3;
  struct wn_xs_level level[] = {
      {"Many(1)", 1000, NAN, 0},
      {"Many(2)", 1000, NAN, 7},
      {"excitation Many(3)", 1000, NAN, 0},
      {"Many(3, by resonance)", 1000, NAN, 0},
      {"Many(5)", 100, NAN, 0},
  };
  const double r1 = 3 * exp(-0.02 / kt), r2 = 7 * exp(-0.06 / kt), r3 = exp(-0.25 / kt),
               n0 = 1 / (1 + r1 + r2 + r3); /* level 3 counts once, 5 is empty */
  struct wn_xs_set *set = get("Many", false), *before = get("Many", false);
  const size_t n = set->n;
  is_int(wn_xs_populate(set, mass, 5, level), WN_OK, "populated");
  is_int((long long)set->n, (long long)n + 4, "four reverse processes");
  is_close(at(set, "elastic", 1), 2e-20, 0, "elastic is left as it is");
  is_close(at(set, "excitation Many(4)", 50), at(before, "excitation Many(4)", 50), 0,
           "so is an excitation that is not named");
  is_close(at(set, "excitation Many(1)", 0.5), 1e-19 * n0, 1e-14,
           "one that is meets the lowest level");
  is_close(at(set, "excitation Many(3)", 0.3), 1e-19 * n0, 1e-14, "and so does each");
  is_close(find(set, "superelastic Many(2)")->loss_ev, -0.06, 0, "the gain");
  is_close(find(set, "superelastic Many(2)")->threshold_ev, 0, 0, "without a threshold");
  is_int(find(set, "superelastic Many(2)")->kind, WN_XS_EXCITATION, "its kind");
  const double up = 1 + 1e-3; /* recoil */
  is_reverse(set, before, "Many(1)", r1 * n0 / 3, 0.02 * up, 99.9);
  is_reverse(set, before, "Many(3)", r3 * n0, 0.25 * up, 99.7);
  is_reverse(set, before, "Many(3, by resonance)", r3 * n0, 0.25 * up, 0.249);
  /* a table with steps at 0.08, its first row, and 0.2 */
  const double w = 0.06 * up, part = r2 * n0 / 7;
  is_close(at(set, "superelastic Many(2)", 0.08 - w - 1e-9), 0, 0,
           "0 where the excitation is");
  is_close(at(set, "superelastic Many(2)", 0.08 - w), part * 0.08 / (0.08 - w) * 3e-19,
           1e-9, "its first row");
  is_close(at(set, "superelastic Many(2)", 0.2 - w - 1e-9),
           part * 0.2 / (0.2 - w) * 5e-19, 1e-6, "left of a step");
  is_close(at(set, "superelastic Many(2)", 0.2 - w + 1e-9),
           part * 0.2 / (0.2 - w) * 2e-19, 1e-6, "right of it");
  is_close(at(set, "superelastic Many(2)", 100), 0, 0, "0 after the end of such a table");
  ok(strstr(set->notes, "\"excitation Many(5)\": ") != NULL &&
         strstr(set->notes, "too few for superelastic collisions") != NULL,
     "what is empty is noted");
  wn_xs_free(set);
  wn_xs_free(before);
}

static void test_fractions(void)
{
  struct wn_xs_level level[] = {{"Many(1)", 1e4, 0.3, 0}, {"Many(2)", 1e4, 0.1, 2}};
  struct wn_xs_set *set = get("Many", false), *before = get("Many", false);
  is_int(wn_xs_populate(set, 0, 2, level), WN_OK, "by fractions");
  is_close(at(set, "excitation Many(2)", 0.5),
           0.6 * at(before, "excitation Many(2)", 0.5), 1e-14,
           "the rest is in the lowest level");
  is_reverse(set, before, "Many(1)", 0.3 / 3, 0.02, 99.9);
  is_close(at(set, "superelastic Many(2)", 0.5),
           0.1 / 2 * 0.56 / 0.5 * at(before, "excitation Many(2)", 0.56), 1e-4,
           "a ratio of weights that is given");
  wn_xs_free(set);
  wn_xs_free(before);
}

static void refused(bool with_down, size_t n, const struct wn_xs_level *level,
                    const char *says)
{
  struct wn_xs_set *set = get("Many", with_down);
  const size_t before = set->n;
  const double sigma = at(set, "excitation Many(1)", 0.5);
  capture();
  int status = wn_xs_populate(set, 0, n, level);
  char *text = captured();
  is_int(status, WN_EINPUT, "refused: %s", says);
  if (!ok(strstr(text, says) != NULL, "with these words"))
    diag("%s", text);
  ok(set->n == before && at(set, "excitation Many(1)", 0.5) == sigma,
     "and the set is as it was");
  wn_xs_free(set);
}

static void test_refusals(void)
{
#define REFUSED(down, says, ...)                                                         \
  refused(down,                                                                          \
          sizeof((struct wn_xs_level[]){__VA_ARGS__}) / sizeof(struct wn_xs_level),      \
          (struct wn_xs_level[]){__VA_ARGS__}, says)
  REFUSED(false,
          "excited = \"Mani(1)\" matches no process of Many; the nearest is "
          "\"excitation Many(1)\"",
          {"Mani(1)", 300, NAN, 0});
  REFUSED(false, "\"elastic\": it is not an excitation", {"elastic", 300, NAN, 0});
  REFUSED(false,
          ":76: excited = \"excitation Many(4)\": the file gives no ratio of "
          "statistical weights",
          {"Many(4)", 300, NAN, 0});
  REFUSED(false, "it is given twice", {"Many(1)", 300, NAN, 0},
          {"excitation Many(1)", 300, NAN, 0});
  REFUSED(true, "\"excitation Many(down)\" gives as much as \"excitation Many(5)\" takes",
          {"Many(5)", 300, NAN, 0});
  REFUSED(false, "lead to a level of 0.25 eV, which counts once",
          {"excitation Many(3)", 300, NAN, 0}, {"Many(3, by resonance)", 400, NAN, 0});
  REFUSED(false, "lead to a level of 0.25 eV, which counts once",
          {"excitation Many(3)", 300, 0.1, 0}, {"Many(3, by resonance)", 300, 0.1, 2});
  REFUSED(false, "1.1 of the molecules are in excited levels", {"Many(1)", 0, 0.6, 0},
          {"Many(2)", 0, 0.5, 0});
}

int main(void)
{
  plan(0);
  wn_log_set_level(WN_LOG_ERROR);
  test_temperature();
  test_fractions();
  test_refusals();
  return done();
}
