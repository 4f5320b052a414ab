/* crosssections/xs_bethe.c - see xs_bethe.h.  t/crosssections/t0214-moller.c */
#include "crosssections/xs_bethe.h"

#include "crosssections/xs_beyond.h"
#include "crosssections/xs_join.h"
#include "crosssections/xs_positron.h"
#include "physics/constants.h"
#include "physics/moller.h"
#include "base/error.h"

#include <math.h>

/* Excitations are as measured below the first, and what Bethe's formula leaves from the second on. */
#define MEASURED_EV 1e3
#define BETHE_EV    1e4

double wn_xs_bethe_loss(double electrons, double mean_excitation_ev,
                        const struct wn_density_effect *density, double t_ev)
{
  const double x = t_ev / WN_MC2_EV, i = mean_excitation_ev / WN_MC2_EV,
               beta2 = wn_beta2(t_ev),
               f = (1.0 - beta2) * (1.0 + x * x / 8.0 - (2.0 * x + 1.0) * log(2.0));
  return WN_MOLLER_K * electrons / beta2 *
         (log(x * x * (x + 2.0) / (2.0 * i * i)) + f - wn_density_effect(density, x));
}

/* What excitations of the gas as it is built in lose [m2 eV]. */
static double of_excitations(const struct wn_xs_set *set, double t_ev)
{
  double sum = 0.0;
  for (size_t i = 0; i < set->n; i++)
    if (set->process[i].kind == WN_XS_EXCITATION)
      sum += set->process[i].loss_ev *
             wn_xs_sigma(set, &set->process[i], t_ev, WN_XS_BEYOND_CONSTANT);
  return sum;
}

/* And ionizations of the join. */
static double of_ionizations(const struct wn_xs_bethe *b, double t_ev)
{
  double sum = 0.0;
  for (size_t i = 0; i < b->plain->n; i++)
    if (b->plain->process[i].kind == WN_XS_IONIZATION)
      sum += wn_xs_join(&b->plain->process[i].orbital, &b->model, 1, 0.0, INFINITY, t_ev);
  return sum;
}

static double factor(const struct wn_xs_bethe *b, double t_ev)
{
  return (wn_xs_bethe_loss(b->electrons, b->mean_excitation_ev, &b->model.density, t_ev) -
          of_ionizations(b, t_ev)) /
         of_excitations(b->plain, t_ev);
}

int wn_xs_bethe_create(const char *gas, const struct wn_moller_model *model,
                       struct wn_xs_bethe *out)
{
  struct wn_xs_bethe b = {.model = *model,
                          .mean_excitation_ev =
                              wn_xs_mean_excitation_ev(wn_xs_nuclear_charge(gas))};
  WN_TRY(wn_xs_builtin_air(gas, &b.plain));
  for (size_t i = 0; i < b.plain->n; i++)
    b.electrons += b.plain->process[i].orbital.n;
  b.least_factor = factor(&b, BETHE_EV);
  WN_ASSERT(b.least_factor > 0.0); /* for both gases, whatever the cut is */
  *out = b;
  return WN_OK;
}

void wn_xs_bethe_clear(struct wn_xs_bethe *b)
{
  wn_xs_free(b->plain);
  b->plain = NULL;
}

double wn_xs_bethe_factor(const struct wn_xs_bethe *b, double t_ev)
{
  if (!(t_ev > MEASURED_EV))
    return 1.0;
  if (t_ev < BETHE_EV)
    return 1.0 + (b->least_factor - 1.0) * log(t_ev / MEASURED_EV) /
                     log(BETHE_EV / MEASURED_EV);
  return factor(b, t_ev);
}
