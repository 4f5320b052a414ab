/* src/diag/reduced.c - see reduced.h. */
#include "src/diag/reduced.h"
#include <math.h>
#include "base/error.h"
#include "src/diag/moments.h"

enum form { MOBILITY, DIFFUSION, ENERGY };

static const struct quantity {
  const char *name, *long_name;
  enum form form;
  enum wn_coefficient of;
} quantities[] = {
    {"mobility_reduced_flux", "reduced flux mobility mu N", MOBILITY, WN_W_FLUX},
    {"mobility_reduced_bulk", "reduced bulk mobility mu N", MOBILITY, WN_W_BULK},
    {"diffusion_transverse_reduced_flux", "flux diffusion across the field times N",
     DIFFUSION, WN_DT_FLUX},
    {"diffusion_longitudinal_reduced_flux", "flux diffusion along the field times N",
     DIFFUSION, WN_DL_FLUX},
    {"diffusion_transverse_reduced_bulk", "bulk diffusion across the field times N",
     DIFFUSION, WN_DT_BULK},
    {"diffusion_longitudinal_reduced_bulk", "bulk diffusion along the field times N",
     DIFFUSION, WN_DL_BULK},
    {"characteristic_energy_transverse_flux", "D_T/mu of flux coefficients", ENERGY,
     WN_DT_FLUX},
    {"characteristic_energy_longitudinal_flux", "D_L/mu of flux coefficients", ENERGY,
     WN_DL_FLUX},
    {"characteristic_energy_transverse_bulk", "D_T/mu of bulk coefficients", ENERGY,
     WN_DT_BULK},
    {"characteristic_energy_longitudinal_bulk", "D_L/mu of bulk coefficients", ENERGY,
     WN_DL_BULK},
};
#define N_QUANTITIES (sizeof quantities / sizeof quantities[0])

static const char *const units[] = {
    [MOBILITY] = "m-1 V-1 s-1", [DIFFUSION] = "m-1 s-1", [ENERGY] = "V"};

/* A quantity for the jackknife. */
struct ask {
  const struct wn_diag *d;
  const struct wn_sim *s;
  const struct quantity *q;
};

static double value(const void *ctx, long leave_out)
{
  const struct ask *a = ctx;
  const double field = a->s->c->cases[a->s->i_case].e, n = a->s->c->number_density,
               of = wn_moments_coefficient(a->d, a->s, a->q->of, leave_out);
  if (a->q->form == MOBILITY)
    return of * n / field;
  if (a->q->form == DIFFUSION)
    return of * n;
  const int is_flux = a->q->of == WN_DT_FLUX || a->q->of == WN_DL_FLUX;
  return of * field /
         wn_moments_coefficient(a->d, a->s, is_flux ? WN_W_FLUX : WN_W_BULK, leave_out);
}

int wn_reduced_define(struct wn_output *o)
{
  for (size_t i = 0; i < N_QUANTITIES; i++)
    WN_TRY(wn_diag_define_quantity(
        o, quantities[i].name, units[quantities[i].form], quantities[i].long_name,
        quantities[i].form == DIFFUSION ? NULL : "NaN without a field"));
  return WN_OK;
}

int wn_reduced_write(const struct wn_diag *d, const struct wn_sim *s,
                     const double *control, struct wn_output *o)
{
  const size_t groups = (size_t)s->species[0]->shape.n_groups;
  for (size_t i = 0; i < N_QUANTITIES; i++) {
    const struct ask a = {d, s, &quantities[i]};
    struct wn_estimate e = {NAN, NAN};
    if (s->c->cases[s->i_case].e != 0.0 || a.q->form == DIFFUSION)
      e = wn_stats_jackknife(groups, value, &a, control);
    WN_TRY(wn_diag_put(o, a.q->name, s->i_case, e));
  }
  return WN_OK;
}
