/* src/run/check_growth.c - see check_growth.h. */
#include "src/run/check_growth.h"
#include <math.h>
#include <stdio.h>
#include "base/error.h"
#include "base/log.h"
#include "device/gpu.h"
#include "src/config/adaptive_step.h"
#include "src/config/plasma_derived.h"
#include "src/config/plasma_limits.h"
#include "src/run/check_ranks.h"

#define MANY_TIMES 1000.0 /* a number that is not said */

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

/* The species that is first as many as the store holds. */
static void say_full(const struct wn_config *c, const struct wn_pilot *g)
{
  const double end = (double)c->plasma.steps * c->plasma.time_step,
               store = (double)c->capacity;
  size_t k = 0;
  char needed[64];
  for (size_t i = 1; i < c->n_species; i++)
    k = g->full_at[i] < g->full_at[k] ? i : k;
  if (!isfinite(g->full_at[k]))
    return;
  if (g->needed[k] < MANY_TIMES * store)
    snprintf(needed, sizeof needed, "%.3g or more are", g->needed[k]);
  else
    snprintf(needed, sizeof needed, "more than %g times as many are", MANY_TIMES);
  wn_log(
      WN_LOG_WARN,
      "%s: key `population.capacity` = %zu: species %s has so many macroparticles at "
      "about %.3g s, and %s expected at the end, %.3g s; the run stops when the store is "
      "full, with its results so far; %s",
      c->file, c->capacity, c->species[k].name, g->full_at[k] * end, needed, end,
      wn_config_more_room(c));
}

void wn_check_growth_memory(const struct wn_config *c, double bytes,
                            const struct wn_memory *m)
{
  if (bytes <= m->total)
    return;
  wn_log(
      WN_LOG_WARN,
      "%s: with the particles to come the run takes about %.2f MiB, and %s has %.2f MiB: "
      "it will end without memory; merge macroparticles (plasma.merging), choose fewer, "
      "or a shorter duration",
      c->file, bytes / WN_CHECK_MIB, m->limit, m->total / WN_CHECK_MIB);
}

/* Memory that the macroparticles have: of a GPU, if one can be used here, or of this machine. */
static int memory_of(const struct wn_device_plan *p, int on_gpu, char name[32],
                     struct wn_memory *out)
{
  struct wn_gpu_info gpu;
  *out = wn_memory_here();
  if (!on_gpu)
    return WN_OK;
  *out = (struct wn_memory){.total = INFINITY, .limit = name};
  if (p->no_gpu[0] != '\0')
    return WN_OK;
  WN_TRY(wn_gpu_describe(p->gpu, &gpu));
  snprintf(name, 32, "cuda:%d", p->gpu);
  out->total = (double)gpu.memory;
  return WN_OK;
}

int wn_check_growth(const struct wn_config *c, const struct wn_device_plan *p,
                    const struct wn_pilot *g)
{
  const int on_gpu = p->device == WN_DEVICE_CUDA && !p->in_batches;
  const double bytes =
      on_gpu ? wn_plasma_gpu_bytes_of(c, g->peak) : wn_check_growth_bytes(c, g);
  struct wn_memory memory;
  double more = 0.0;
  char name[32] = "";
  for (size_t k = 0; k < c->n_species; k++)
    more = fmax(more, g->needed[k] - g->first[k]);
  if (wn_steps_are_adaptive(c))
    printf("steps: %.4g, of %.4g s on average\n", g->steps,
           (double)c->plasma.steps * c->plasma.time_step / g->steps);
  if (!(more > 0.0))
    return WN_OK;
  say_followed(g);
  printf("macroparticles, at most");
  for (size_t k = 0; k < c->n_species; k++)
    printf("%s %s %.3g", k > 0 ? "," : "", c->species[k].name, g->peak[k]);
  printf("\n");
  wn_check_memory_line(on_gpu ? "on the GPU: grid and these, about"
                              : "memory of the run with these, about",
                       bytes);
  say_full(c, g);
  WN_TRY(memory_of(p, on_gpu, name, &memory));
  wn_check_growth_memory(c, bytes, &memory);
  return WN_OK;
}
