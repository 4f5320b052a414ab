/* src/run/check_growth.c - see check_growth.h. */
#include "src/run/check_growth.h"
#include <math.h>
#include <stdio.h>
#include "base/log.h"
#include "base/memory.h"
#include "src/config/adaptive_step.h"
#include "src/config/plasma_derived.h"
#include "src/config/plasma_limits.h"
#include "src/run/check_ranks.h"

double wn_check_growth_bytes(const struct wn_config *c, const struct wn_pilot *g)
{
  double bytes = wn_plasma_bytes(c);
  for (size_t k = 0; k < c->n_species; k++)
    bytes += (g->peak[k] - g->first[k]) * (double)wn_plasma_record(c, k).bytes *
             (wn_plasma_orders(c, k) ? 2.0 : 1.0);
  return bytes;
}

static void say_followed(const struct wn_pilot *g)
{
  char part[64] = "the particles of the run";
  if (g->part < 1.0)
    snprintf(part, sizeof part, "1/%.3g of the macroparticles, each heavier",
             1.0 / g->part);
  printf("growth: a pilot with %s followed ", part);
  if (g->reached >= 1.0)
    printf("the whole run\n");
  else
    printf("%.3g %% of the run; each species then goes on as in the second half of that: "
           "constant, linear or exponential, at most to population.capacity and to "
           "per_cell_most of merging in the cells that it will have\n",
           100.0 * g->reached);
}

static void say_full(const struct wn_config *c, const struct wn_pilot *g)
{
  for (size_t k = 0; k < c->n_species; k++)
    if (g->is_full[k]) {
      wn_log(
          WN_LOG_WARN,
          "%s: species %s becomes as many as the store holds, %zu (population.capacity), "
          "before the end of the run, which stops there with its results so far; %s",
          c->file, c->species[k].name, c->capacity, wn_config_more_room(c));
      return;
    }
}

static void say_memory(const struct wn_config *c, double bytes)
{
  const struct wn_memory m = wn_memory_here();
  if (bytes <= m.total)
    return;
  wn_log(
      WN_LOG_WARN,
      "%s: with the particles to come the run takes about %.2f MiB, and %s has %.2f MiB: "
      "it will end without memory; merge macroparticles (plasma.merging), choose fewer, "
      "or "
      "a shorter duration",
      c->file, bytes / WN_CHECK_MIB, m.limit, m.total / WN_CHECK_MIB);
}

void wn_check_growth(const struct wn_config *c, const struct wn_device_plan *p,
                     const struct wn_pilot *g)
{
  const double bytes = wn_check_growth_bytes(c, g);
  double more = 0.0;
  for (size_t k = 0; k < c->n_species; k++)
    more = fmax(more, g->peak[k] - g->first[k]);
  if (wn_steps_are_adaptive(c))
    printf("steps: %.4g, of %.4g s on average\n", g->steps,
           (double)c->plasma.steps * c->plasma.time_step / g->steps);
  if (!(more > 0.0))
    return;
  say_followed(g);
  printf("macroparticles, at most");
  for (size_t k = 0; k < c->n_species; k++)
    printf("%s %s %.3g", k > 0 ? "," : "", c->species[k].name, g->peak[k]);
  printf("\n");
  wn_check_memory_line("memory of the run with these, about", bytes);
  say_full(c, g);
  if (p->device == WN_DEVICE_CPU)
    say_memory(c, bytes);
}
