/* src/sim/gas_ions.c - see gas_ions.h. */
#include "src/sim/gas_ions.h"
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "crosssections/xs_beyond.h"
#include "physics/constants.h"
#include "src/config/plasma_derived.h"

void wn_gas_ions_free(struct wn_gas_ions *g)
{
  if (g == NULL)
    return;
  for (size_t i = 0; g->set != NULL && i < g->n; i++)
    wn_xs_free(g->set[i]);
  wn_xs_ion_table_free(g->table);
  free(g->set);
  free(g);
}

static int read_set(const struct wn_cfg_species *s, const struct wn_cfg_component *k,
                    struct wn_xs_set **out)
{
  const char *path = s->xs_path != NULL ? s->xs_path : k->path;
  struct wn_xs_set *set = NULL;
  char *target = wn_asprintf("%s / %s", s->ion, k->target);
  if (target == NULL)
    return WN_ENOMEM;
  int status = wn_xs_is_builtin(path) ? wn_xs_builtin(path, target, &set)
                                      : wn_xs_read_lxcat(path, target, NULL, &set);
  free(target);
  if (status == WN_OK)
    status = wn_xs_prepare(set, WN_XS_EFFECTIVE_ERROR, 0.0, 0, NULL);
  if (status == WN_OK)
    status = wn_xs_beyond_supported(set, k->beyond);
  if (status != WN_OK) {
    wn_xs_free(set);
    return status;
  }
  *out = set;
  return WN_OK;
}

/* Upper estimate of the energy of an ion, eV: the sum of all walls' voltages, plus a
 * fifth and 100 V for the plasma potential, plus its initial drift and twelve kT. */
static double fall_ev(const struct wn_config *c, const struct wn_cfg_species *s)
{
  double volts = 0.0, v2 = 0.0;
  for (int side = 0; side < 2 * c->plasma.dim; side++)
    volts +=
        fabs(c->plasma.wall[side].voltage) + wn_plasma_amplitudes(&c->plasma.wall[side]);
  for (int d = 0; d < 3; d++)
    v2 += s->drift[d] * s->drift[d];
  return fabs(s->charge) * (1.2 * volts + 100.0) + 12.0 * s->temperature_ev +
         0.5 * s->mass * v2 / WN_E;
}

static int make_table(const struct wn_config *c, const struct wn_cfg_species *s,
                      const double *density, struct wn_gas_ions *g)
{
  struct wn_xs_ion_gas gas[WN_XS_MAX_GASES];
  double part = 0.0; /* of the ion's energy, for an atom at rest: M/(m + M) */
  size_t n = 0;
  for (size_t i = 0; i < g->n; i++) {
    const struct wn_cfg_component *k = &c->components[i];
    if (g->set[i] == NULL)
      continue;
    const double mass = k->mass > 0.0 ? k->mass : g->set[i]->target_mass;
    gas[n++] = (struct wn_xs_ion_gas){
        .set = g->set[i], .beyond = k->beyond, .density = density[i], .mass = mass};
    part = fmax(part, mass / (s->mass + mass));
  }
  g->e_max_ev =
      c->ion_energy_max_ev != WN_AUTO ? c->ion_energy_max_ev : part * fall_ev(c, s);
  const struct wn_xs_ion_spec spec = {.n_gases = n,
                                      .gas = gas,
                                      .ion_mass = s->mass,
                                      .temperature =
                                          c->thermal_motion ? c->temperature : 0.0,
                                      .bins_per_octave = (unsigned)c->bins_per_octave,
                                      .e_max_ev = fmax(g->e_max_ev, 1e-3)};
  return wn_xs_ion_table_create(&spec, &g->table);
}

int wn_gas_ions_create(const struct wn_config *c, const struct wn_cfg_species *s,
                       const double *density, struct wn_gas_ions **out)
{
  struct wn_gas_ions *g = wn_alloc(1, sizeof *g);
  if (g == NULL)
    return WN_ENOMEM;
  g->n = c->n_components;
  g->set = wn_alloc(g->n, sizeof *g->set);
  int status = g->set != NULL ? WN_OK : WN_ENOMEM;
  for (size_t i = 0; i < g->n && status == WN_OK; i++)
    if (c->components[i].ions)
      status = read_set(s, &c->components[i], &g->set[i]);
  if (status == WN_OK)
    status = make_table(c, s, density, g);
  if (status != WN_OK) {
    wn_gas_ions_free(g);
    return status;
  }
  *out = g;
  return WN_OK;
}
