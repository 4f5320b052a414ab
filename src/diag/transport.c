/* src/diag/transport.c - diagnostic `transport`: results of a swarm from its tally alone.
 *   flux drift   sum of displacements / sum of times, over all electrons while they live
 *   mean energy  average over candidates: their rate is constant, so this is a time
 *   average; or
 *                over flights, if candidates come in bands (physics/mcc.h)
 * Errors: jackknife over independent groups.  Control variate: displacement minus the sum over collisions
 * of velocity times mean free time, plus (direction after minus its expectation) times speed times mean
 * free time.  Both are zero on average for any gas (physics/mcc.h), and carry most of the noise of the
 * drift, and of the energy gained from the field. */
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "physics/constants.h"
#include "src/diag/diag.h"
#include "src/diag/tensor.h"

double wn_transport_energy_of(const struct wn_sim *s, long leave_out)
{
  return wn_diag_group_sum(s, offsetof(struct wn_tally_group, energy), leave_out) /
         wn_diag_group_sum(s, offsetof(struct wn_tally_group, candidates), leave_out) *
         (WN_FIX_WEIGHT / WN_FIX_ENERGY);
}

static double mean_energy(const void *ctx, long leave_out)
{
  return wn_transport_energy_of(ctx, leave_out);
}

double wn_transport_drift_of(const struct wn_sim *s, long leave_out)
{
  return WN_C *
         wn_diag_group_sum(s, offsetof(struct wn_tally_group, path[2]), leave_out) /
         wn_diag_group_sum(s, offsetof(struct wn_tally_group, time), leave_out);
}

static double flux_drift(const void *ctx, long leave_out)
{
  return wn_transport_drift_of(ctx, leave_out);
}

/* A component of the drift along the axes of the frame. */
struct axis {
  const struct wn_sim *s;
  struct wn_frame_axis axis;
};

static double flux_vector(const void *ctx, long leave_out)
{
  const struct axis *a = ctx;
  const size_t path = offsetof(struct wn_tally_group, path) +
                      (size_t)a->axis.from * sizeof((struct wn_tally_group *)0)->path[0];
  return a->axis.sign * WN_C * wn_diag_group_sum(a->s, path, leave_out) /
         wn_diag_group_sum(a->s, offsetof(struct wn_tally_group, time), leave_out);
}

static struct wn_estimate estimate(const struct wn_sim *s, wn_stats_fn *f,
                                   const double *control)
{
  return wn_stats_jackknife((size_t)s->species[0]->shape.n_groups, f, s, control);
}

/* Divided by the time of an average group.  With few electrons the time of the group itself
 * is correlated with the sum.  The ratio would then have a nonzero mean, of order 1 over
 * their number (t0633). */
void wn_transport_control(const struct wn_sim *s, double *control)
{
  const struct wn_species *electrons = s->species[0];
  const int n = electrons->shape.n_groups;
  const double time =
      wn_diag_group_sum(s, offsetof(struct wn_tally_group, time), -1) / (double)n;
  for (int g = 0; g < n; g++)
    control[g] = (double)electrons->tally.group[g].control / time * WN_C;
}

struct wn_estimate wn_transport_energy(const struct wn_sim *s, const double *control)
{
  return estimate(s, mean_energy, control);
}

struct wn_estimate wn_transport_drift(const struct wn_sim *s, const double *control)
{
  return estimate(s, flux_drift, control);
}

static const struct {
  const char *name, *units, *long_name;
  wn_stats_fn *f;
} quantities[] = {
    {"mean_energy", "eV", "mean electron energy", mean_energy},
    {"drift_velocity_flux", "m s-1", "flux drift velocity, against the field",
     flux_drift},
};
#define N_QUANTITIES (sizeof quantities / sizeof quantities[0])

static int define(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  (void)g;
  for (size_t i = 0; i < N_QUANTITIES; i++)
    WN_TRY(wn_diag_define_quantity(o, quantities[i].name, quantities[i].units,
                                   quantities[i].long_name, NULL));
  return wn_config_has_frame(c)
             ? wn_frame_define_vector(o, "drift_vector_flux", "m s-1",
                                      "flux drift velocity",
                                      "component 0 is drift_velocity_flux")
             : WN_OK;
}

struct axes {
  const struct wn_sim *s;
  const double *control;
};

static struct wn_estimate of_axis(const void *ctx, size_t k)
{
  const struct axes *of = ctx;
  const struct axis a = {of->s, wn_frame_axis[k]};
  return wn_stats_jackknife((size_t)of->s->species[0]->shape.n_groups, flux_vector, &a,
                            of->control);
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
                         estimate(s, quantities[i].f, control));
  if (status == WN_OK && wn_config_has_frame(s->c))
    status = wn_diag_put_estimates(o, "drift_vector_flux", s->i_case, WN_FRAME_AXES,
                                   of_axis, &(struct axes){s, control});
  free(control);
  return status;
}

const struct wn_diag_ops wn_diag_transport = {
    .define = define,
    .write = write,
};
