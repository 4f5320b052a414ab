/* src/sim/gas_radiation.c - see gas_radiation.h. */
#include "src/sim/gas_radiation.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "physics/photons/radiation.h"

void wn_gas_radiation_free(struct wn_gas_radiation *r)
{
  if (r == NULL)
    return;
  for (size_t i = 0; i < r->n; i++)
    wn_xs_photon_free(r->element[i]);
  free(r->above);
  free(r->below);
  wn_xs_positron_free(r->positrons);
  free(r);
}

/* The scenario's energies are within all tables. */
static int check_range(const struct wn_config *c, const struct wn_xs_photon *x)
{
  if (!(c->radiation.photons_min_ev >= x->photon_first_ev * (1.0 - 1e-9)))
    return WN_FAIL(WN_EINPUT,
                   "%s: key `radiation.photons_min`: %.9g eV is below the photon tables "
                   "of %s, which begin at %.9g eV (%s)",
                   c->file, c->radiation.photons_min_ev, x->symbol, x->photon_first_ev,
                   x->source);
  const double last = fmin(x->photon_last_ev, x->electron_last_ev);
  if (!(c->energy_max_ev <= last * (1.0 + 1e-9)))
    return WN_FAIL(WN_EINPUT,
                   "%s: key `tables.energy_max`: %.9g eV is above the photon tables of "
                   "%s, which end at %.9g eV (%s); with radiation electrons may not have "
                   "more",
                   c->file, c->energy_max_ev, x->symbol, last, x->source);
  return WN_OK;
}

/* Each file once, whatever number of components names it. */
static int read_files(const struct wn_config *c, struct wn_gas_radiation *r)
{
  for (size_t i = 0; i < c->n_components; i++) {
    const char *path = c->components[i].photons_path;
    int is_new = path != NULL;
    for (size_t k = 0; k < i && is_new; k++)
      is_new = c->components[k].photons_path == NULL ||
               strcmp(c->components[k].photons_path, path) != 0;
    if (!is_new)
      continue;
    if (r->n == WN_PHOTON_ELEMENTS)
      return WN_FAIL(WN_EINPUT,
                     "%s: key `gas.components.%s.photons`: at most %d elements", c->file,
                     c->components[i].name, WN_PHOTON_ELEMENTS);
    WN_TRY(wn_xs_photon_read(path, &r->element[r->n]));
    WN_TRY(check_range(c, r->element[r->n++]));
  }
  return WN_OK;
}

static int make_medium(const struct wn_config *c, const double *density,
                       struct wn_gas_radiation *r)
{
  struct wn_xs_photon_gas gas[WN_XS_MAX_GASES];
  for (size_t i = 0; i < c->n_components; i++) {
    const struct wn_cfg_component *k = &c->components[i];
    gas[i] = (struct wn_xs_photon_gas){
        .formula = k->target != NULL && *k->target ? k->target : k->name,
        .density = density[i]};
  }
  const struct wn_xs_photon_spec spec = {
      .element = (const struct wn_xs_photon *const *)r->element,
      .n_elements = r->n,
      .gas = gas,
      .n_gases = c->n_components,
      .compton = (enum wn_photon_compton)c->radiation.compton,
      .rayleigh = (enum wn_photon_rayleigh)c->radiation.rayleigh,
      .cut_ev = c->radiation.photons_min_ev,
      .most_ev = c->energy_max_ev};
  return wn_xs_photon_medium(&spec, &r->medium);
}

static double energy_of_knot(const struct wn_gas_radiation *r, size_t i)
{
  return fmin(exp(r->ln_cut + (double)i / r->per_ln), r->top_ev);
}

static int make_tables(struct wn_gas_radiation *r)
{
  r->ln_cut = log(r->cut_ev);
  r->per_ln = WN_RADIATION_PER_OCTAVE / log(2.0);
  /* one knot beyond the end */
  r->n_knots = (size_t)ceil((log(r->top_ev) - r->ln_cut) * r->per_ln) + 2;
  r->above = wn_alloc(r->n_knots, sizeof *r->above);
  r->below = wn_alloc(r->n_knots, sizeof *r->below);
  if (r->above == NULL || r->below == NULL)
    return WN_ENOMEM;
  for (size_t i = 0; i < r->n_knots; i++) {
    const double e_ev = energy_of_knot(r, i);
    r->above[i] = i > 0 ? wn_radiation_above(&r->medium, e_ev, r->cut_ev) : 0.0;
    r->below[i] = wn_radiation_below(&r->medium, e_ev, r->cut_ev);
  }
  return WN_OK;
}

static int make_positrons(const struct wn_config *c,
                          const struct wn_density_effect *density_effect,
                          struct wn_gas_radiation *r)
{
  if (c->radiation.positrons != WN_POSITRONS_MOVING)
    return WN_OK;
  const struct wn_xs_positron_spec spec = {
      .atoms = &r->medium,
      .density = *density_effect,
      .brems = (enum wn_positron_brems)c->radiation.positrons_brems,
      .angle = (enum wn_brems_angle)c->radiation.angle,
      .cut_ev = c->radiation.positrons_cut_ev,
      .stop_ev = c->radiation.positrons_stop_ev,
      .top_ev = c->energy_max_ev};
  return wn_xs_positron_create(&spec, &r->positrons);
}

int wn_gas_radiation_create(const struct wn_config *c, const double *density,
                            const struct wn_density_effect *density_effect,
                            struct wn_gas_radiation **out)
{
  struct wn_gas_radiation *r = wn_alloc(1, sizeof *r);
  if (r == NULL)
    return WN_ENOMEM;
  r->cut_ev = c->radiation.photons_min_ev;
  r->top_ev = c->energy_max_ev;
  int status = read_files(c, r);
  if (status == WN_OK)
    status = make_medium(c, density, r);
  if (status == WN_OK)
    status = make_tables(r);
  if (status == WN_OK)
    status = make_positrons(c, density_effect, r);
  if (status != WN_OK) {
    wn_gas_radiation_free(r);
    return status;
  }
  *out = r;
  return WN_OK;
}

void wn_gas_radiation_tables(const struct wn_gas_radiation *r, uint64_t seed,
                             enum wn_brems_angle angle, struct wn_radiation_tables *out)
{
  *out = (struct wn_radiation_tables){.medium = r->medium,
                                      .cut_ev = r->cut_ev,
                                      .top_ev = r->top_ev,
                                      .ln_cut = r->ln_cut,
                                      .per_ln = r->per_ln,
                                      .n_knots = (int32_t)r->n_knots,
                                      .above = r->above,
                                      .below = r->below,
                                      .angle = angle};
  out->medium.seed = seed;
}
