/* src/jobs/plasma.c - job of model plasma: species and their field for the scenario's duration.
 * Diagnostics: src/diag/integrals.c, src/diag/maps.c, src/diag/averages.c, src/diag/ten_moments.c,
 * src/diag/samples.c, src/diag/adaptive_steps.c. */
#include <math.h>
#include "base/error.h"
#include "base/log.h"
#include "src/config/plasma_derived.h"
#include "src/jobs/steps.h"
#include "src/sim/plasma.h"

#define ROWS 20 /* of the table on the screen */

static int create(struct wn_sim *s, struct wn_job **out)
{
  wn_adaptive_begin(s);
  return wn_job_steps_create(s->adaptive.length, s->c->plasma.steps, out);
}

static double duration(const struct wn_config *c)
{
  return c->plasma.time_step * (double)c->plasma.steps;
}

/* A line of the table; the field is that at the middle of the step. */
static int print_line(const struct wn_sim *s)
{
  struct wn_field_sums field;
  double kinetic = 0.0, particles = 0.0, walls = 0.0;
  WN_TRY(wn_field_sums(s->field, &field));
  for (size_t k = 0; k < s->n_species; k++) {
    struct wn_plasma_sums of;
    WN_TRY(wn_plasma_sums(s, k, &of));
    kinetic += of.energy;
    particles += of.particles;
    for (int i = 0; i < s->geometry.n_surfaces; i++)
      walls += wn_plasma_taken(s, k, i);
  }
  printf("%8llu  %11.5g  %13.6g  %13.6g  %13.6g  %12.5g\n",
         (unsigned long long)s->n_steps, s->time, field.energy, kinetic, particles,
         walls);
  fflush(stdout);
  return WN_OK;
}

/* Prints a line, which is progress: the sums of all steps are in the file.  WN_ERUN: the plasma
 * frequency has become too high for the step. */
static int print_and_check(struct wn_job *j, const struct wn_sim *s)
{
  int side = -1;
  if (!j->is_left)
    WN_TRY(wn_plasma_left_by(s, &side));
  if (side >= 0) {
    j->is_left = 1;
    wn_log(
        WN_LOG_WARN,
        "at %.6g s the discharge leaves the grid by side %s, which is no electrode and "
        "has taken at least %g of the electrons: the field is that of this side from now "
        "on; "
        "take a larger grid.length, or a shorter duration",
        s->time, wn_plasma_surface_name(s->c, side), WN_PLASMA_LEFT);
  }
  WN_TRY(wn_plasma_outgrown(s));
  return s->c->quiet ? WN_OK : print_line(s);
}

/* The job counts whole steps. */
static int next(struct wn_job *j, struct wn_sim *s)
{
  const uint64_t rows = j->total < ROWS ? j->total : ROWS;
  const uint64_t before = j->steps * rows / j->total;
  j->steps = s->adaptive.clock.whole;
  if (j->steps < j->total)
    WN_TRY(wn_adaptive_next(s));
  j->interval = s->adaptive.length;
  return j->steps * rows / j->total > before ? print_and_check(j, s) : WN_OK;
}

static void heading(FILE *to)
{
  fprintf(to, "%8s  %11s  %13s  %13s  %13s  %12s\n", "step", "time s", "field J",
          "kinetic J", "particles", "to the walls");
}

/* Only ionization can fill the store; otherwise it holds the loaded particles. */
static void full(const struct wn_sim *s, char *text, size_t n)
{
  snprintf(text, n, "a store of particles was full %.6g s after the start", s->time);
}

static const struct wn_diag_ops *const diags[] = {&wn_diag_integrals,
                                                  &wn_diag_adaptive_steps,
                                                  &wn_diag_merging,
                                                  &wn_diag_circuits,
                                                  &wn_diag_electrode_circuits,
                                                  &wn_diag_nodes,
                                                  &wn_diag_maps,
                                                  &wn_diag_samples,
                                                  &wn_diag_averages,
                                                  &wn_diag_ten_moments,
                                                  &wn_diag_distributions,
                                                  &wn_diag_test_electrons,
                                                  NULL};

const struct wn_job_ops wn_job_plasma = {
    .diags = diags,
    .rows = 1,
    .heading = heading,
    .duration = duration,
    .create = create,
    .interval = wn_job_steps_interval,
    .next = next,
    .done = wn_job_steps_done,
    .fraction = wn_job_steps_fraction,
    .full = full,
    .state = wn_job_steps_state,
    .free = wn_job_steps_free,
};
