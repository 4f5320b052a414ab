/* src/run/check_circuits.c - see check_circuits.h. */
#include "src/run/check_circuits.h"
#include <math.h>
#include <stdio.h>
#include "base/log.h"
#include "physics/constants.h"
#include "src/config/plasma_derived.h"

/* Part of its amplitude that a period of an oscillation loses by the differences, from which on it is said. */
#define DAMPED 0.01

static void wall_line(const struct wn_config *c, int side)
{
  const struct wn_wall_circuit w = wn_plasma_circuit(&c->plasma.wall[side]);
  printf("  %s: ", wn_plasma_surface_name(c, side));
  if (w.floats) {
    printf("floating\n");
    return;
  }
  if (!wn_wall_has_circuit(&w)) {
    printf("the voltage of its source\n");
    return;
  }
  if (w.elastance > 0.0)
    printf("%.4g F/m2%s, ", 1.0 / w.elastance,
           c->plasma.wall[side].dielectric_thickness > 0.0 ? " with its dielectric" : "");
  printf("%.4g ohm m2, %.4g H m2\n", w.resistance, w.inductance);
}

static void time_line(const struct wn_config *c, const char *what, double time)
{
  const double dt = c->plasma.time_step;
  printf("  %-44s %12.4g s (%.3g steps, %.3g of the run)\n", what, time, time / dt,
         time / (dt * (double)c->plasma.steps));
}

void wn_check_circuits(const struct wn_config *c)
{
  double elastance = 0.0, resistance = 0.0, inductance = 0.0;
  int floats = 0;
  if (!wn_plasma_has_circuit(c))
    return;
  const double gap = c->plasma.length[0] / WN_EPS0;
  printf("walls in a circuit, per area; the gap without a plasma has %.4g F/m2\n",
         1.0 / gap);
  for (int side = 0; side < 2; side++) {
    const struct wn_wall_circuit w = wn_plasma_circuit(&c->plasma.wall[side]);
    wall_line(c, side);
    elastance += w.elastance;
    resistance += w.resistance;
    inductance += w.inductance;
    floats |= w.floats;
  }
  if (floats)
    return;
  if (resistance > 0.0)
    time_line(c, "R C of the loop without a plasma", resistance / (elastance + gap));
  if (resistance > 0.0 && elastance > 0.0)
    time_line(c, "R C with a plasma that conducts", resistance / elastance);
  if (!(inductance > 0.0))
    return;
  const double omega = sqrt((elastance + gap) / inductance),
               turn = omega * c->plasma.time_step;
  time_line(c, "period of L and C without a plasma", 2.0 * WN_PI / omega);
  if (resistance > 0.0)
    time_line(c, "L / R", inductance / resistance);
  /* physics/wall_circuit.h: (omega dt)^4/4 a step */
  if (0.5 * WN_PI * turn * turn * turn > DAMPED &&
      resistance * resistance < 4.0 * inductance * (elastance + gap))
    wn_log(
        WN_LOG_WARN,
        "%s: the circuit oscillates with a period of %.3g steps, and the steps damp "
        "that oscillation; with plasma.time_step below %.3g s it loses at most 1 %% of "
        "its amplitude in a period",
        c->file, 2.0 * WN_PI / turn, cbrt(DAMPED / (0.5 * WN_PI)) / omega);
}
