/* t0208-states.c - defends: blocks ROTATIONAL and VIBRATIONAL become excitations and their
 * reverse, each weighted with the part of the molecules in the state that it begins in; and
 * what cannot be populated is refused with its line.  Parts by hand: a rigid rotor with
 * weights (2J + 1) times 2 of even, 1 of odd J, states v of weight 1.  Reverse tables within
 * 2e-4 between rows (t0207). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/log.h"
#include "crosssections/xs_states.h"
#include "physics/constants.h"
#include "t/tap/states_file.h"
#include "t/tap/capture.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0208.txt"
#define T_ROT     300.0
#define T_VIB     2000.0

static struct wn_xs_set *get(void)
{
  struct wn_xs_set *set = NULL;
  wn_log_set_level(WN_LOG_ERROR);
  if (wn_xs_read_lxcat(FILE_NAME, "X", NULL, &set) != WN_OK ||
      wn_xs_prepare(set, WN_XS_EFFECTIVE_ERROR, 0, 0, NULL) != WN_OK) {
    ok(0, "the gas is read");
    exit(done());
  }
  return set;
}

static double at(const struct wn_xs_set *set, const char *label, double e)
{
  for (size_t i = 0; i < set->n; i++)
    if (strcmp(set->process[i].label, label) == 0)
      return wn_xs_sigma(set, &set->process[i], e, WN_XS_BEYOND_ERROR);
  ok(0, "there is \"%s\"", label);
  return NAN;
}

static void rotor(const struct wn_xs_set *set)
{
  double part[STATES_J + 1], z = 0.0;
  for (int j = 0; j <= STATES_J; j++) {
    part[j] = (2 * j + 1) * (j % 2 == 0 ? 2.0 : 1.0) *
              exp(-STATES_B * j * (j + 1) * WN_E / (WN_KB * T_ROT));
    z += part[j];
  }
  for (int j = 0; j + 2 <= STATES_J; j++) {
    char up[64], down[64];
    const double g = (2.0 * j + 5.0) / (2.0 * j + 1.0), e = 0.3, /* without recoil */
        w = states_loss(j);
    snprintf(up, sizeof up, "excitation X (J=%d-J=%d)", j, j + 2);
    snprintf(down, sizeof down, "superelastic X (J=%d-J=%d)", j, j + 2);
    is_close(at(set, up, e), part[j] / z * states_sigma(j, e), 3e-4,
             "J=%d: up, of those that are in it", j);
    is_close(at(set, down, e), part[j + 2] / z / g * (e + w) / e * states_sigma(j, e + w),
             3e-4, "J=%d: down, of those above", j);
  }
}

static void vibrations(const struct wn_xs_set *set)
{
  const double kt = WN_KB * T_VIB / WN_E, a = exp(-STATES_V1 / kt),
               b = exp(-STATES_V2 / kt), z = 1.0 + a + b;
  is_close(at(set, "excitation X(v=1)", 0.3), 3e-19 / z, 1e-9, "v=0 to 1");
  is_close(at(set, "superelastic X(v=1)", 0.2), a / z * 1.5 * 3e-19, 1e-4, "v=1 to 0");
  is_close(at(set, "excitation X(v=2)", 0.3), 5e-19 * a / z, 1e-9, "v=1 to 2");
  is_close(at(set, "superelastic X(v=2)", 0.21), b / z * 0.3 / 0.21 * 5e-19, 1e-4,
           "v=2 to 1");
}

/* The set is as it was, and the message has `want`. */
static void is_refused(const char *more, const struct wn_xs_states *of, const char *want)
{
  ok(states_write(FILE_NAME, more), "a file");
  struct wn_xs_set *set = get();
  const size_t before = set->n;
  capture();
  const int status = wn_xs_add_states(set, 0.0, of);
  char *said = captured();
  is_int(status, WN_EINPUT, "refused: %s", want);
  if (!ok(said != NULL && strstr(said, want) != NULL, "and said"))
    diag("%.600s", said != NULL ? said : "nothing");
  is_int((long)set->n, (long)before, "nothing was added");
  wn_xs_free(set);
}

int main(void)
{
  plan(0);
  const struct wn_xs_states of = {FILE_NAME, T_ROT, T_VIB, {2.0, 1.0}};
  if (!ok(states_write(FILE_NAME, ""), "a file"))
    return done();
  struct wn_xs_set *set = get();
  const size_t before = set->n;
  is_int((long)before, 1, "without temperatures the blocks are no processes");
  is_int(wn_xs_add_states(set, 0.0, &of), WN_OK, "states are added");
  is_int((long)set->n, 1 + 2 * 5 + 2 * 2, "a process for each way of each block");
  rotor(set);
  vibrations(set);
  ok(set->notes != NULL && strstr(set->notes, "ROTATIONAL at 300 K") != NULL,
     "the notes say how");
  wn_xs_free(set);
  set = get();
  const struct wn_xs_states cold = {FILE_NAME, 0.0, -1.0, {2.0, 1.0}};
  is_int(wn_xs_add_states(set, 0.0, &cold), WN_OK, "at 0 K");
  is_int((long)set->n, 2, "all are in the lowest state");
  is_close(at(set, "excitation X (J=0-J=2)", 0.3), states_sigma(0, 0.3), 3e-4,
           "which is excited");
  wn_xs_free(set);

  const struct wn_xs_states no_weights = {FILE_NAME, T_ROT, -1.0, {0.0, 0.0}};
  is_refused("", &no_weights, "give rotational_weights");
  is_refused("VIBRATIONAL\nX(v=0) <-> X(v=1)\n0.1 1\n-----\n0.1 0\n1 1e-20\n-----\n", &of,
             "another block has the same two states");
  is_refused("VIBRATIONAL\nX(v=0) <-> X(v=2)\n0.2 1\n-----\n0.2 0\n1 1e-20\n-----\n", &of,
             "contradicts the other blocks");
  is_refused("VIBRATIONAL\nX(v=2) <-> X(v=3)\n0.08\n-----\n0.2 0\n1 1e-20\n-----\n", &of,
             "no ratio of statistical weights");
  is_refused("VIBRATIONAL\nX(v=5) <-> X(v=6)\n0.08 1\n-----\n0.2 0\n1 1e-20\n-----\n",
             &of, "no block connects \"X(v=0)\" and \"X(v=5)\"");
  is_refused("EXCITATION\nX -> X(v1)\n0.1\n-----\n0.1 0\n1 1e-20\n-----\n", &of,
             "so it would count twice; exclude that");
  is_refused("ROTATIONAL\nSPECIES: e / X\nPARAM.: E = 0.1 eV, g1/g0 = 1\n-----\n0.1 0\n1 "
             "1e-20\n-----\n",
             &of, "it does not name two states");
  remove(FILE_NAME);
  return done();
}
