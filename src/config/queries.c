/* src/config/queries.c - properties of a scenario that has been read and checked: pure functions. */
#include <math.h>
#include <string.h>
#include "physics/atmosphere.h"
#include "physics/constants.h"
#include "physics/profile.h"
#include "src/config/config.h"

bool wn_config_has_gas(const struct wn_config *c)
{
  bool collides = c->model == WN_MODEL_MCC;
  for (size_t i = 0; c->model == WN_MODEL_PLASMA && i < c->n_species; i++)
    collides = collides || c->species[i].collisions != WN_COLLISIONS_NONE;
  return collides;
}

/* kg, between electrons and the lightest ion. */
#define LEAST_ION (100 * WN_ME)

bool wn_config_is_ion(const struct wn_cfg_species *s)
{
  return s->collisions != WN_COLLISIONS_NONE && s->mass > LEAST_ION;
}

bool wn_config_is_electron(const struct wn_cfg_species *s)
{
  return s->collisions != WN_COLLISIONS_NONE && !wn_config_is_ion(s);
}

bool wn_config_is_any_electron(const struct wn_cfg_species *s)
{
  return s->mobile && s->charge == -1 && fabs(s->mass - WN_ME) <= 1e-9 * WN_ME;
}

bool wn_config_is_emitted(const struct wn_config *c, size_t k)
{
  const struct wn_cfg_species *s = &c->species[k];
  for (size_t i = 0; i < c->n_species; i++)
    if (wn_config_is_electron(&c->species[i]))
      return wn_config_is_electron(s);
  return wn_config_is_any_electron(s);
}

bool wn_config_normalized(const struct wn_config *c, struct wn_normalized *out)
{
  const struct wn_cfg_species *s = wn_config_species_of(c, c->plasma.reference);
  if (s == NULL || !(s->density > 0) || s->charge == 0)
    return false;
  const double q = fabs(s->charge) * WN_E;
  out->omega = sqrt(s->density * q * q / (WN_EPS0 * s->mass));
  out->length = WN_C / out->omega;
  out->magnetic = s->mass * out->omega / q;
  out->electric = WN_C * out->magnetic;
  return true;
}

const struct wn_cfg_species *wn_config_species_of(const struct wn_config *c,
                                                  const char *name)
{
  for (size_t i = 0; name != NULL && i < c->n_species; i++)
    if (strcmp(c->species[i].name, name) == 0)
      return &c->species[i];
  return NULL;
}

long wn_config_species_or_only(const struct wn_config *c, const char *name)
{
  long found = -1;
  for (size_t k = 0; k < c->n_species; k++) {
    if (name != NULL ? strcmp(name, c->species[k].name) != 0 : !c->species[k].mobile)
      continue;
    if (found >= 0)
      return -1;
    found = (long)k;
  }
  return found;
}

bool wn_config_radiates(const struct wn_config *c)
{
  return c->model == WN_MODEL_MCC && c->radiation.photons_min_ev > 0.0;
}

bool wn_config_gas_changes(const struct wn_config *c)
{
  return c->model == WN_MODEL_MCC && c->gas_profile.shape != WN_GAS_UNIFORM;
}

bool wn_config_field_changes(const struct wn_config *c)
{
  return c->model == WN_MODEL_MCC && c->field_profile.n_places > 0;
}

void wn_config_altitudes(const struct wn_config *c, double *low, double *high)
{
  const size_t n = c->gas_profile.n_altitudes;
  const bool is_table = c->gas_profile.shape == WN_GAS_TABLE;
  *low = is_table ? c->gas_profile.altitudes[0] : WN_ATMOSPHERE_LOW;
  *high = is_table ? c->gas_profile.altitudes[n - 1] : WN_ATMOSPHERE_HIGH;
}

double wn_config_density_at(const struct wn_config *c, double altitude)
{
  if (c->gas_profile.shape == WN_GAS_STANDARD)
    return wn_atmosphere_density(altitude);
  const double *h = c->gas_profile.altitudes, *d = c->gas_profile.densities;
  const size_t n = c->gas_profile.n_altitudes;
  size_t i = wn_profile_interval(h, n, altitude);
  i = i < 1 ? 1 : i < n ? i : n - 1;
  /* the density of a row, and of rows that are alike, to the last bit */
  return d[i - 1] *
         wn_exp(wn_ln(d[i] / d[i - 1]) * ((altitude - h[i - 1]) / (h[i] - h[i - 1])));
}

size_t wn_config_detectors(const struct wn_config *c)
{
  return c->model == WN_MODEL_MCC ? c->detectors.n_planes + c->detectors.n_spheres : 0;
}

bool wn_config_has_levels(const struct wn_config *c)
{
  return c->model == WN_MODEL_MCC &&
         (c->job == WN_JOB_RATE || (c->job == WN_JOB_RUNAWAY && c->runaway_levels));
}

const struct wn_cfg_species *wn_config_photo_electrons(const struct wn_config *c)
{
  const char *name = c->plasma.photoionization.electrons;
  const struct wn_cfg_species *found = NULL;
  for (size_t k = 0; k < c->n_species; k++) {
    const struct wn_cfg_species *s = &c->species[k];
    if (!wn_config_is_electron(s) || (name != NULL && strcmp(name, s->name) != 0))
      continue;
    if (found != NULL)
      return NULL;
    found = s;
  }
  return found;
}

const struct wn_cfg_species *wn_config_photo_ions(const struct wn_config *c)
{
  return wn_config_species_of(c, c->plasma.photoionization.ions);
}

const struct wn_cfg_species *wn_config_product_source(const struct wn_config *c,
                                                      const struct wn_cfg_species *s)
{
  for (size_t i = 0; i < c->n_species; i++) {
    const struct wn_cfg_species *e = &c->species[i];
    if (wn_config_is_electron(e) && (wn_config_species_of(c, e->ions) == s ||
                                     wn_config_species_of(c, e->anions) == s))
      return e;
  }
  return s != NULL && wn_config_photo_ions(c) == s ? wn_config_photo_electrons(c) : NULL;
}

bool wn_config_is_product(const struct wn_config *c, const struct wn_cfg_species *s)
{
  for (size_t i = 0; i < c->n_reactions; i++)
    for (size_t j = 0; j < c->reactions[i].n_products; j++)
      if (wn_config_species_of(c, c->reactions[i].products[j]) == s)
        return true;
  return wn_config_product_source(c, s) != NULL;
}

bool wn_config_has_frame(const struct wn_config *c)
{
  return c->sample_tensor || c->magnetic_field != 0.0;
}

bool wn_config_has_goals(const struct wn_config *c)
{
  for (int i = 0; i < WN_N_GOALS; i++)
    if (c->goal[i] > 0)
      return true;
  return false;
}

void wn_config_levels_between(double from_ev, double top_ev, size_t per_decade,
                              struct wn_levels *out)
{
  size_t n = 0;
  *out = (struct wn_levels){0};
  for (;; n++) {
    const double edge = from_ev * pow(10.0, (double)n / (double)per_decade);
    /* no level narrower than half the usual width below the top */
    if (!(edge < top_ev * pow(10.0, -0.5 / (double)per_decade)) || n == WN_MAX_EDGES - 1)
      break;
    out->edge[n] = (float)edge;
  }
  out->edge[n++] = (float)top_ev;
  out->n_edges = (int32_t)n;
  for (; n < WN_MAX_EDGES; n++)
    out->edge[n] = INFINITY;
}

void wn_config_levels(const struct wn_config *c, struct wn_levels *out)
{
  const double top = c->n_thresholds > 0 ? c->thresholds_ev[c->n_thresholds - 1] : 0.0;
  wn_config_levels_between(c->levels_from_ev, top, c->levels_per_decade, out);
}

size_t wn_config_cases(const struct wn_config *c)
{
  return c->model != WN_MODEL_MCC ? 1 : c->text != NULL ? c->own_cases : c->n_cases;
}

const char *wn_config_case_text(const struct wn_config *c, size_t i_case)
{
  return c->model == WN_MODEL_MCC ? c->cases[i_case].text
                                  : wn_config_model_name[c->model];
}

const char *wn_config_more_room(const struct wn_config *c)
{
  if (c->model == WN_MODEL_PLASMA)
    return "raise population.capacity if there is memory, merge macroparticles "
           "(plasma.merging), or choose fewer (species.<NAME>.per_cell or "
           ".macroparticles, "
           "plasma.sources.<NAME>.per_step) or a shorter duration";
  if (c->job == WN_JOB_SWARM)
    return "raise population.capacity if there is memory, or lower the field: electrons "
           "that run away multiply, and those above population.protect_above are never "
           "removed";
  if (wn_config_has_levels(c))
    return "raise population.capacity if there is memory, or lower population.target or "
           "runaway.levels_per_decade";
  return "set population.target, raise population.capacity if there is memory, or "
         "shorten `duration`";
}

const char *wn_config_more_energy(const struct wn_config *c)
{
  return c->model == WN_MODEL_PLASMA ? "raise tables.energy_max, or lower the voltages"
         : c->job == WN_JOB_SWARM ? "raise tables.energy_max, or lower the field: with "
                                    "runaway electrons there is no steady swarm"
                                  : "raise tables.energy_max or set runaway.stop_above";
}
