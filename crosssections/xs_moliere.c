/* crosssections/xs_moliere.c - see xs_moliere.h. */
#include "crosssections/xs_moliere.h"

#include "base/error.h"
#include "base/log.h"
#include "physics/moliere.h"

#include <math.h>
#include <string.h>

static const struct {
  const char *gas;
  double z, atoms;
} gases[] = {{"N2", 7.0, 2.0}, {"O2", 8.0, 2.0}, {"Ar", 18.0, 1.0}};

/* The part of Moliere's at an energy. */
static double part(double e_ev)
{
  const double x =
      log(e_ev / WN_MOLIERE_FROM_EV) / log(WN_MOLIERE_TO_EV / WN_MOLIERE_FROM_EV);
  return x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
}

static double mixed(double own, double moliere, double e_ev)
{
  const double x = part(e_ev);
  return x == 0.0 ? own : x == 1.0 ? moliere : pow(own, 1.0 - x) * pow(moliere, x);
}

int wn_xs_set_moliere(struct wn_xs_set *set)
{
  const char *source = set->source != NULL ? set->source : set->name;
  size_t g = 0;
  const size_t n_gases = sizeof gases / sizeof *gases;
  while (g < n_gases && strcmp(gases[g].gas, set->name) != 0)
    g++;
  if (g == n_gases) {
    wn_log_at(WN_LOG_ERROR, source, 0,
              "gas %s: scattering moliere knows the atoms of N2, O2 and Ar only; use "
              "screened-coulomb",
              set->name);
    return WN_EINPUT;
  }
  for (size_t i = 0; i < set->n; i++) {
    struct wn_xs_process *p = &set->process[i];
    if (p->kind != WN_XS_ELASTIC)
      continue;
    if (p->sigma_total == NULL || !(p->energy_ev[p->n - 1] >= WN_MOLIERE_TO_EV)) {
      wn_log_at(
          WN_LOG_ERROR, source, p->line,
          "gas %s: scattering moliere joins the integral elastic cross section of a "
          "set up to %.9g eV, which only builtin:air has; use screened-coulomb",
          set->name, WN_MOLIERE_TO_EV);
      return WN_EINPUT;
    }
    for (size_t k = 0; k < p->n; k++) {
      const double e = p->energy_ev[k];
      if (!(part(e) > 0.0))
        continue;
      p->sigma[k] = mixed(p->sigma[k], gases[g].atoms * wn_moliere(e, gases[g].z, 1), e);
      p->sigma_total[k] =
          mixed(p->sigma_total[k], gases[g].atoms * wn_moliere(e, gases[g].z, 0), e);
    }
  }
  return WN_OK;
}
