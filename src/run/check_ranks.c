/* src/run/check_ranks.c - see check_ranks.h. */
#include "src/run/check_ranks.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "fields/electrostatic.h"
#include "physics/constants.h"
#include "src/config/available.h"
#include "src/config/plasma_derived.h"
#include "src/config/plasma_limits.h"
#include "src/run/divide_cases.h"
#include "src/sim/plasma.h"

#define SURE 1.1 /* ratio of times above which one way is reported as the faster */

void wn_check_memory_line(const char *what, double bytes)
{
  printf("  %-44s %12.2f MiB\n", what, bytes / WN_CHECK_MIB);
}

const char *wn_check_time_text(double s, char *text, size_t n)
{
  if (isnan(s))
    snprintf(text, n, "until steady");
  else if (s < 600.0)
    snprintf(text, n, "%.3g s", s);
  else if (s < 36000.0)
    snprintf(text, n, "%.3g min", s / 60.0);
  else
    snprintf(text, n, "%.3g h", s / 3600.0);
  return text;
}

static void share_lines(const struct wn_check_ranks *r, const struct wn_step_cost *cost,
                        double seconds)
{
  double exchange;
  char time[32];
  const double one = wn_ranks_step(cost, &r->link, 1, NULL),
               many = wn_ranks_step(cost, &r->link, r->n, &exchange);
  printf("  a step: %.3g of %.3g us are messages (%.3g %%), %.0f sums over all ranks of "
         "%.4g KiB in total\n",
         1e6 * exchange, 1e6 * many, 100.0 * exchange / many, cost->calls,
         cost->bytes / 1024.0);
  printf("  %.3g times as fast as one", one / many);
  if (isfinite(seconds))
    printf(": about %s", wn_check_time_text(seconds * many / one, time, sizeof time));
  printf("; up to about %d processes messages take less time than the divided work\n",
         wn_ranks_worth(cost, &r->link) / 2);
  printf("  assumed: %.4g GB/s and %.4g us a message between processes (--bandwidth, "
         "--latency), each process with a core or a GPU of its own\n",
         r->link.bandwidth, r->link.latency);
}

void wn_check_ranks_electrons(const struct wn_config *c, const struct wn_check_ranks *r,
                              const struct wn_forecast *f, size_t n, size_t most,
                              double sums)
{
  double one = 0.0;
  char time[32];
  double *each = wn_alloc(n, sizeof *each);
  struct wn_step_cost cost = {.calls = 16.0, .bytes = sums}; /* counted: 12 to 16 */
  for (size_t i = 0; i < n && each != NULL; i++) {
    each[i] = f[i].seconds;
    one += f[i].seconds;
    cost.divided = fmax(cost.divided, f[i].of_step);
  }
  if (each == NULL)
    return;
  if (r->divides_cases) {
    const double many = wn_ranks_cases(each, n, r->n);
    printf(
        "on %d processes: whole cases are divided (key `divide`); each needs the memory "
        "above\n",
        r->n);
    if (isnan(one))
      printf("  cases last until they are steady: their times are not known\n");
    else
      printf("  about %s, %.3g times as fast as one; there are no messages in a step\n",
             wn_check_time_text(many, time, sizeof time), one / many);
  } else {
    const double of = (double)sizeof(struct wn_electron) / r->n;
    printf("on %d processes: electrons are divided; of each process\n", r->n);
    wn_check_memory_line("electrons at the start", (double)c->electrons * of);
    wn_check_memory_line("largest number of electrons", (double)most * of);
    printf("  and tables and sums as above\n");
    share_lines(r, &cost, one);
  }
  free(each);
}

/* ---- a plasma */

static void put_slabs(const struct wn_config *c, const struct wn_check_ranks *r,
                      int on_gpu, double step, double exchange, double bytes)
{
  printf("  a step: %.3g of %.3g us are messages (%.3g %%)\n", 1e6 * exchange, 1e6 * step,
         100.0 * exchange / step);
  wn_check_memory_line("particles at the start", bytes / r->n);
  wn_check_memory_line("grid: charge, potential and field, about",
                       wn_plasma_slab_bytes(c, r->n, on_gpu));
}

/* Data that a process exchanges in a step with the grid in slabs, without grid and particles.
 * Particles cross the sides with the thermal speed of their species at the start, or its drift;
 * particles from a file are taken as fixed. */
static void slab_cost(const struct wn_config *c, struct wn_slab_cost *out)
{
  const struct wn_geometry g = wn_plasma_geometry(c);
  const int d = g.dim - 1;
  const double n = (double)c->n_species, cells = g.axis[d].cells,
               plane = wn_plasma_nodes(c) / (cells + 1.0 + 2.0 * WN_GRID_GUARD);
  *out = (struct wn_slab_cost){.all = 8.0 * plane * cells,
                               .exchanges = 3.0 + 3.0 * n, /* counted */
                               .trees = 13.0 * n};
  /* guard cells on both sides */
  out->near = 8.0 * plane * 2.0 * (WN_SLAB_GUARD * n + WN_SLAB_GUARD_PHI);
  for (size_t k = 0; k < c->n_species; k++) {
    const struct wn_cfg_species *s = &c->species[k];
    const double of = wn_plasma_particles(c, s),
                 thermal = sqrt(s->temperature_ev * WN_E / s->mass),
                 v = thermal / sqrt(2.0 * WN_PI) + 0.5 * fabs(s->drift[d]);
    if (s->mobile && !isnan(of)) /* through two sides, in and out */
      out->near += 2.0 * of / cells *
                   fmin(1.0, v * c->plasma.time_step / wn_axis_shortest(&g.axis[d])) *
                   (double)wn_plasma_record(c, k).bytes;
  }
}

void wn_check_ranks_plasma(const struct wn_config *c, const struct wn_device_plan *p,
                           const struct wn_check_ranks *r,
                           const struct wn_plasma_cost *cost, double bytes, double steps)
{
  const int on_gpu = p->device == WN_DEVICE_CUDA,
            in_slabs = c->divide == WN_DIVIDE_DOMAINS;
  struct wn_unavailable part;
  const int no_slabs =
      wn_unavailable(c, wn_available_where(c, on_gpu, r->n) | WN_IN_DOMAINS, &part);
  /* the charge of each species and its counts: 18 sums a step with two species */
  struct wn_step_cost of = {.own = cost->grid, .divided = cost->particle * cost->moves};
  for (size_t k = 0; k < c->n_species; k++) {
    of.calls += 9.0;
    of.bytes += 8.0 * wn_plasma_nodes(c);
  }
  struct wn_slab_cost slab;
  double exchange = NAN, slabs = NAN;
  slab_cost(c, &slab);
  slab.grid = cost->grid;
  slab.particles = of.divided * (on_gpu ? WN_SLAB_GPU_PARTICLES : 1.0);
  if (!no_slabs)
    slabs = wn_ranks_slab_step(&slab, &r->link, r->n, &exchange);
  const double whole = wn_ranks_step(&of, &r->link, r->n, NULL),
               one = cost->grid + cost->diags + of.divided,
               with_diags = slabs + cost->diags; /* they are the same in all ways */
  char time[32];
  of.own += cost->diags;
  if (!in_slabs) {
    printf("on %d processes: particles are divided, each has the whole grid; of each "
           "process\n",
           r->n);
    wn_check_memory_line("particles at the start", bytes / r->n);
    wn_check_memory_line("grid: charge, potential and field, about",
                         wn_plasma_grid_bytes(c));
    share_lines(r, &of, steps * one);
  }
  if (no_slabs) {
    printf("%s = %s\n", part.key, part.text);
    return;
  }
  printf(in_slabs
             ? "on %d processes: the grid is divided in slabs, and particles with "
               "it; of each process\n"
             : "on %d processes with divide = \"domains\": the grid in slabs, too; of "
               "each process\n",
         r->n);
  put_slabs(c, r, on_gpu, with_diags, exchange, bytes);
  printf("  %.3g times as fast as one: about %s\n", one / with_diags,
         wn_check_time_text(steps * with_diags, time, sizeof time));
  if (slabs < whole / SURE)
    printf(
        "faster: divide = \"domains\", %.3g times as fast as particles divided alone%s\n",
        whole / slabs, in_slabs ? "" : "; it must be set");
  else if (slabs > whole * SURE)
    printf("faster: divide = \"electrons\", %.3g times as fast as the grid in slabs%s\n",
           slabs / whole, in_slabs ? "; \"domains\" is set" : "");
  else
    printf("both take about the same time within the accuracy of this estimate; divide = "
           "\"electrons\" has fewer requirements\n");
}
