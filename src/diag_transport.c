/* src/diag_transport.c - diagnostic `transport`: what the tally of a swarm gives by
 * itself.
 *   flux drift   sum of displacements / sum of times, of all electrons while they live
 *   frequencies  collisions / sum of times
 *   mean energy  average over candidates: they come at a constant rate, so they see time
 *                averages; or over flights, where they come in bands (physics/mcc.h)
 * Errors: jackknife over independent groups.  Control variate: displacement minus the sum
 * of velocity times mean free time over the collisions, plus direction after minus its
 * expected value times speed times mean free time.  Both are zero on average whatever the
 * gas (physics/mcc.h), and they carry most of the noise of the drift, and of the energy
 * that the field gives. */
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "physics/constants.h"
#include "src/diag.h"
#include "src/diag_tensor.h"

/* What a quantity of the jackknife is asked of. */
struct ask {
  const struct wn_sim *s;
  size_t index; /* process, or enum wn_process_kind */
};

static double mean_energy(const void *ctx, long leave_out)
{
  const struct ask *a = ctx;
  return wn_diag_group_sum(a->s, offsetof(struct wn_tally_group, energy), leave_out) /
         wn_diag_group_sum(a->s, offsetof(struct wn_tally_group, candidates), leave_out) *
         (WN_FIX_WEIGHT / WN_FIX_ENERGY);
}

static double flux_drift(const void *ctx, long leave_out)
{
  const struct ask *a = ctx;
  return WN_C *
         wn_diag_group_sum(a->s, offsetof(struct wn_tally_group, path[2]), leave_out) /
         wn_diag_group_sum(a->s, offsetof(struct wn_tally_group, time), leave_out);
}

/* index: of the axis. */
static double flux_vector(const void *ctx, long leave_out)
{
  const struct ask *a = ctx;
  const struct wn_frame_axis axis = wn_frame_axis[a->index];
  const size_t path = offsetof(struct wn_tally_group, path) +
                      (size_t)axis.from * sizeof((struct wn_tally_group *)0)->path[0];
  return axis.sign * WN_C * wn_diag_group_sum(a->s, path, leave_out) /
         wn_diag_group_sum(a->s, offsetof(struct wn_tally_group, time), leave_out);
}

static double frequency(const void *ctx, long leave_out)
{
  const struct ask *a = ctx;
  return wn_diag_count(a->s, a->index, leave_out) / wn_diag_time(a->s, leave_out);
}

/* All processes of a kind; index: enum wn_process_kind. */
static double kind_frequency(const void *ctx, long leave_out)
{
  const struct ask *a = ctx;
  double sum = 0.0;
  for (int k = 0; k < a->s->species[0]->shape.n_processes; k++)
    if (wn_xs_table_process(a->s->gas->table, k)->kind == (int)a->index)
      sum += wn_diag_count(a->s, (size_t)k, leave_out);
  return sum / wn_diag_time(a->s, leave_out);
}

/* Frequency over drift and density: m2 */
static double reduced_coefficient(const void *ctx, long leave_out)
{
  const struct ask *a = ctx;
  return kind_frequency(ctx, leave_out) / flux_drift(ctx, leave_out) /
         a->s->c->number_density;
}

static struct wn_estimate estimate(const struct wn_sim *s, wn_stats_fn *f, size_t index,
                                   const double *control)
{
  struct ask a = {.s = s, .index = index};
  return wn_stats_jackknife((size_t)s->species[0]->shape.n_groups, f, &a, control);
}

void wn_transport_control(const struct wn_sim *s, double *control)
{
  const struct wn_species *electrons = s->species[0];
  for (int g = 0; g < electrons->shape.n_groups; g++)
    control[g] = (double)electrons->tally.group[g].control /
                 (double)electrons->tally.group[g].time * WN_C;
}

struct wn_estimate wn_transport_energy(const struct wn_sim *s, const double *control)
{
  return estimate(s, mean_energy, 0, control);
}

struct wn_estimate wn_transport_drift(const struct wn_sim *s, const double *control)
{
  return estimate(s, flux_drift, 0, control);
}

struct wn_estimate wn_transport_reduced(const struct wn_sim *s, int kind,
                                        const double *control)
{
  return estimate(s, reduced_coefficient, (size_t)kind, control);
}

static const struct {
  const char *name, *units, *long_name, *comment;
  wn_stats_fn *f;
  size_t index;
} quantities[] = {
    {"mean_energy", "eV", "mean electron energy", NULL, mean_energy, 0},
    {"drift_velocity_flux", "m s-1", "flux drift velocity, against the field", NULL,
     flux_drift, 0},
    {"ionization_frequency", "s-1", "ionizations per electron and second", NULL,
     kind_frequency, WN_PROC_IONIZATION},
    {"attachment_frequency", "s-1", "attachments per electron and second", NULL,
     kind_frequency, WN_PROC_ATTACHMENT},
    {"townsend_coefficient_reduced", "m2",
     "reduced Townsend ionization coefficient alpha/N",
     "ionization frequency over flux drift velocity and density", reduced_coefficient,
     WN_PROC_IONIZATION},
    {"attachment_coefficient_reduced", "m2", "reduced attachment coefficient eta/N",
     "attachment frequency over flux drift velocity and density", reduced_coefficient,
     WN_PROC_ATTACHMENT},
};
#define N_QUANTITIES (sizeof quantities / sizeof quantities[0])

static int define(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  (void)g;
  for (size_t i = 0; i < N_QUANTITIES; i++)
    WN_TRY(wn_diag_define_quantity(o, quantities[i].name, quantities[i].units,
                                   quantities[i].long_name, quantities[i].comment));
  if (wn_frame_is_wanted(c))
    WN_TRY(wn_frame_define_vector(o, "drift_vector_flux", "m s-1", "flux drift velocity",
                                  "component 0 is drift_velocity_flux"));
  static const struct wn_output_var frequencies = {
      .name = "process_frequency",
      .units = "s-1",
      .long_name = "collisions of the process per electron and second",
      .n_dims = 2,
      .dims = {"field", "process"},
      .with_error = 1};
  WN_TRY(wn_output_define(o, &frequencies));
  return wn_output_attr_text(o, "process_frequency", "coordinates", "process_name");
}

struct processes {
  const struct wn_sim *s;
  const double *control;
};

static struct wn_estimate of_process(const void *ctx, size_t k)
{
  const struct processes *of = ctx;
  return estimate(of->s, frequency, k, of->control);
}

static struct wn_estimate of_axis(const void *ctx, size_t k)
{
  const struct processes *of = ctx;
  return estimate(of->s, flux_vector, k, of->control);
}

static int write(struct wn_diag *d, const struct wn_sim *s, int enough,
                 struct wn_output *o)
{
  (void)d;
  if (!enough)
    return WN_OK;
  double *control = wn_alloc((size_t)s->species[0]->shape.n_groups, sizeof *control);
  int status = control != NULL ? WN_OK : WN_ENOMEM;
  if (status == WN_OK)
    wn_transport_control(s, control);
  for (size_t i = 0; i < N_QUANTITIES && status == WN_OK; i++)
    status = wn_diag_put(o, quantities[i].name, s->i_case,
                         estimate(s, quantities[i].f, quantities[i].index, control));
  if (status == WN_OK)
    status = wn_diag_put_estimates(o, "process_frequency", s->i_case,
                                   (size_t)s->species[0]->shape.n_processes, of_process,
                                   &(struct processes){s, control});
  if (status == WN_OK && wn_frame_is_wanted(s->c))
    status = wn_diag_put_estimates(o, "drift_vector_flux", s->i_case, WN_FRAME_AXES,
                                   of_axis, &(struct processes){s, control});
  free(control);
  return status;
}

const struct wn_diag_ops wn_diag_transport = {
    .define = define,
    .write = write,
};
