/* t0206-lxcat-channels.c - defends: channels of one name that leave different things behind
 * are processes of their own, each of which a scenario can name; a process with a
 * threshold is 0 below the first row of its table, in the set and in the table that
 * electrons use; two partial ionizations that are alike are no total.
 * Numbers: t/data/lxcat-channels.txt, invented, and read off there. */
#include "base/error.h"
#include "base/log.h"
#include "crosssections/xs.h"
#include "crosssections/xs_table.h"
#include "physics/constants.h"
#include "t/tap/capture.h"
#include "t/tap/tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct wn_xs_set *get(void)
{
  char path[4096];
  const char *top = getenv("WN_SRCDIR");
  snprintf(path, sizeof path, "%s/t/data/lxcat-channels.txt", top != NULL ? top : ".");
  struct wn_xs_set *set = NULL;
  if (wn_xs_read_lxcat(path, "Xx", NULL, &set) != WN_OK) {
    ok(0, "the file is read");
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
  return NULL;
}

static void test_names(void)
{
  static const char *const label[] = {"attachment Xx^- (A- + B)",
                                      "attachment Xx^- (B- + A)",
                                      "ionization Xx+",
                                      "ionization A+ + B",
                                      "excitation Xx(a) (Xx(a1))",
                                      "excitation Xx(a) (Xx(a2))",
                                      "excitation Xx(down)"};
  static const char *const one[] = {"attachment Xx^- (B- + A)"},
                           *const by_product[] = {"A+ + B"}, *const both[] = {"Xx^-"};
  struct wn_xs_set *set = get();
  for (size_t i = 0; i < sizeof label / sizeof label[0]; i++)
    ok(find(set, label[i]) != NULL, "there is \"%s\"", label[i]);
  is_int(wn_xs_prepare(set, WN_XS_EFFECTIVE_ERROR, 0, 0, NULL), WN_OK,
         "channels are no duplicates");
  is_int((long long)set->n, 8, "all of them stay");
  ok(set->notes == NULL || strstr(set->notes, "equals the sum") == NULL,
     "two partial ionizations are no total");
  wn_xs_free(set);
  set = get();
  is_int(wn_xs_prepare(set, WN_XS_EFFECTIVE_ERROR, 0, 1, one), WN_OK, "one is excluded");
  ok(find(set, label[0]) != NULL && find(set, label[1]) == NULL, "that one and no other");
  is_int(wn_xs_prepare(set, WN_XS_EFFECTIVE_ERROR, 0, 1, by_product), WN_OK,
         "one is excluded by what it leaves");
  ok(find(set, label[2]) != NULL && find(set, label[3]) == NULL, "that one and no other");
  wn_xs_free(set);
  set = get();
  is_int(wn_xs_prepare(set, WN_XS_EFFECTIVE_ERROR, 0, 1, both), WN_OK,
         "the name that two share");
  ok(find(set, label[0]) == NULL && find(set, label[1]) == NULL && set->n == 6,
     "names both");
  wn_xs_free(set);
}

static const struct {
  const char *label;
  double below, at, sigma; /* 0 at `below`, sigma at `at` */
} begins[] = {{"attachment Xx^- (A- + B)", 5.99, 6, 2e-22},
              {"attachment Xx^- (B- + A)", 0.01, 9, 3e-22},
              {"excitation Xx(a) (Xx(a1))", 6.99, 7, 1e-21},
              {"ionization Xx+", 11.99, 100, 2e-20}};

static void test_begins(void)
{
  struct wn_xs_set *set = get();
  for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++) {
    const struct wn_xs_process *p = find(set, begins[i].label);
    is_close(wn_xs_sigma(set, p, begins[i].below, WN_XS_BEYOND_ERROR), 0, 0,
             "%s at %g eV", begins[i].label, begins[i].below);
    is_close(wn_xs_sigma(set, p, begins[i].at, WN_XS_BEYOND_ERROR), begins[i].sigma, 0,
             "%s at %g eV", begins[i].label, begins[i].at);
  }
  is_close(wn_xs_sigma(set, &set->process[0], 0.01, WN_XS_BEYOND_ERROR), 1e-19, 0,
           "elastic holds its first value");
  is_close(wn_xs_sigma(set, find(set, "excitation Xx(down)"), 0.01, WN_XS_BEYOND_ERROR),
           1e-21, 0, "so does one without a threshold");
  wn_xs_free(set);
}

/* What electrons meet. */
static void test_table(void)
{
  struct wn_xs_set *set = get();
  if (wn_xs_prepare(set, WN_XS_EFFECTIVE_ERROR, 0, 0, NULL) != WN_OK)
    exit(1);
  struct wn_xs_gas gas = {set, WN_XS_BEYOND_CONSTANT, 1e25, WN_ME / 1e-4, 10, -1};
  struct wn_xs_table_spec spec = {.n_gases = 1,
                                  .gas = &gas,
                                  .bins_per_octave = 128,
                                  .e_max_ev = 1000,
                                  .share_model = WN_SHARING_EQUAL};
  struct wn_xs_table *t = NULL;
  if (wn_xs_table_create(&spec, &t) != WN_OK)
    exit(1);
  for (int k = 1; k <= 2; k++) { /* the attachments */
    double most = 0;
    for (double e = 1e-4; e < 5.9999; e *= 1.001)
      most = fmax(most, wn_xs_table_frequency(t, k, e));
    is_close(most, 0, 0, "attachment %d never happens below 6 eV", k);
    ok(wn_xs_table_frequency(t, k, 6.001) > 0, "and does above");
  }
  wn_xs_table_free(t);
  wn_xs_free(set);
}

int main(void)
{
  plan(0);
  wn_log_set_level(WN_LOG_ERROR);
  test_names();
  test_begins();
  test_table();
  return done();
}
