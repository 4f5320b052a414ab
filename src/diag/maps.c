/* src/diag/maps.c - diagnostic `maps`: potential, field, charge and the density of each
 * species at the nodes, at chosen times, and on request fluxes and mean energies.  A map
 * belongs to the middle of the step that contains its time, where the field of the step
 * is solved.  Fluxes and energies are those of its end (src/sim/grid_moments.h). */
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "fields/electrostatic.h"
#include "src/config/plasma_derived.h"
#include "src/diag/coarse.h"
#include "src/diag/diag.h"
#include "src/sim/grid_moments.h"
#include "src/sim/loading.h"
#include "src/sim/plasma.h"

struct wn_diag {
  size_t n_maps, taken;
  size_t every; /* steps between maps */
  struct wn_coarse grid;
  double *buffer; /* [nodes of the grid] */
  double *coarse; /* [(2 + axes)][nodes of the coarser grid] */
  /* NULL: not needed; [2 + axes][nodes] */
  struct wn_node_sums *moments;
  double *moment;
};

static size_t n_maps(const struct wn_config *c)
{
  return c->plasma.fields_interval == WN_AUTO
             ? 0
             : (c->plasma.steps - 1) / wn_plasma_every(c, c->plasma.fields_interval) + 1;
}

/* name_<species> for the species, E_x and so on; malloc'd. */
static char *density_name(const struct wn_config *c, size_t k)
{
  return wn_asprintf("density_%s", c->species[k].name);
}

static int define_map(struct wn_output *o, const struct wn_config *c, const char *name,
                      const char *units, const char *long_name)
{
  const struct wn_output_var v = {WN_VAR(name, units, long_name)};
  return wn_diag_define_map(o, c, "map_time", &v);
}

/* Whether there is a potential; else E and B are given at the nodes, all components. */
static int has_potential(const struct wn_config *c)
{
  return c->plasma.field != WN_FIELD_NODES;
}

static const char *const b_name[3] = {"magnetic_field_x", "magnetic_field_y",
                                      "magnetic_field_z"};

/* Whether there are fluxes and energies of species k. */
static int has_moments(const struct wn_config *c, size_t k)
{
  return c->plasma.fields_moments && c->species[k].mobile;
}

/* The flux along axis a, or the mean energy for a beyond the grid's axes; malloc'd. */
static char *moment_name(const struct wn_config *c, size_t k, int a)
{
  return a < c->plasma.dim ? wn_asprintf("flux_%s_%c", c->species[k].name, "xyz"[a])
                           : wn_asprintf("mean_energy_%s", c->species[k].name);
}

static int define_moments(struct wn_output *o, const struct wn_config *c, size_t k)
{
  int status = WN_OK;
  for (int a = 0; a <= c->plasma.dim && status == WN_OK; a++) {
    const int is_flux = a < c->plasma.dim;
    char *name = moment_name(c, k, a);
    char *long_name =
        is_flux ? wn_asprintf("flux of %s along %c", c->species[k].name, "xyz"[a])
                : wn_asprintf("mean kinetic energy of %s", c->species[k].name);
    status = name != NULL && long_name != NULL
                 ? define_map(o, c, name, is_flux ? "m-2 s-1" : "eV", long_name)
                 : WN_ENOMEM;
    free(long_name);
    free(name);
  }
  return status;
}

static int define(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  (void)g;
  if (n_maps(c) == 0)
    return WN_OK;
  WN_TRY(wn_output_dim(o, "map_time", n_maps(c)));
  static const struct wn_output_var time = {WN_VAR("map_time", "s", "time of a map"),
                                            WN_DIMS("map_time")};
  static const char *const e_name[3] = {"electric_field_x", "electric_field_y",
                                        "electric_field_z"};
  WN_TRY(wn_output_define(o, &time));
  if (has_potential(c))
    WN_TRY(define_map(o, c, "potential", "V", "electric potential"));
  WN_TRY(define_map(o, c, "charge_density", "C m-3", "charge density"));
  static const char *const e_text[3] = {
      "electric field along x", "electric field along y", "electric field along z"};
  static const char *const b_text[3] = {
      "magnetic field along x", "magnetic field along y", "magnetic field along z"};
  for (int d = 0; d < (has_potential(c) ? c->plasma.dim : 3); d++)
    WN_TRY(define_map(o, c, e_name[d], "V m-1", e_text[d]));
  for (int d = 0; !has_potential(c) && d < 3; d++)
    WN_TRY(define_map(o, c, b_name[d], "T", b_text[d]));
  for (size_t k = 0; k < c->n_species; k++) {
    char *name = density_name(c, k),
         *long_name = wn_asprintf("number density of %s", c->species[k].name);
    int status = name != NULL && long_name != NULL
                     ? define_map(o, c, name, "m-3", long_name)
                     : WN_ENOMEM;
    free(long_name);
    free(name);
    WN_TRY(status);
    if (has_moments(c, k))
      WN_TRY(define_moments(o, c, k));
  }
  return WN_OK;
}

static void destroy(struct wn_diag *d)
{
  if (d != NULL) {
    wn_node_sums_free(d->moments);
    free(d->moment);
    free(d->coarse);
    free(d->buffer);
  }
  free(d);
}

static int create_moments(struct wn_diag *d, const struct wn_sim *s)
{
  const size_t n = (2 + (size_t)s->c->plasma.dim) * wn_field_nodes(s->field);
  d->moment = wn_alloc(n, sizeof *d->moment);
  return d->moment != NULL ? wn_node_sums_create(s->c, wn_grid_moments(s->c), &d->moments)
                           : WN_ENOMEM;
}

static int create(const struct wn_sim *s, struct wn_diag **out)
{
  struct wn_diag *d = wn_alloc(1, sizeof *d);
  if (d == NULL)
    return WN_ENOMEM;
  d->n_maps = n_maps(s->c);
  d->every = d->n_maps > 0 ? wn_plasma_every(s->c, s->c->plasma.fields_interval) : 0;
  d->buffer = wn_alloc(wn_field_nodes(s->field), sizeof *d->buffer);
  d->grid = wn_coarse_of(s->c);
  d->coarse = wn_alloc((2 + (size_t)s->c->plasma.dim) * d->grid.nodes, sizeof *d->coarse);
  int status = d->buffer != NULL && d->coarse != NULL ? WN_OK : WN_ENOMEM;
  if (status == WN_OK && d->n_maps > 0 && s->c->plasma.fields_moments)
    status = create_moments(d, s);
  if (status != WN_OK) {
    destroy(d);
    return status;
  }
  *out = d;
  return WN_OK;
}

/* Values of the nodes, or means: coarse.h. */
static int put_values(struct wn_diag *d, struct wn_output *o, const char *name,
                      const double *full)
{
  if (d->grid.factor > 1)
    wn_coarse_values(&d->grid, full, d->coarse);
  return wn_output_put(o, name, (long)d->taken, d->grid.factor > 1 ? d->coarse : full);
}

static int put_means(struct wn_diag *d, struct wn_output *o, const char *name,
                     const double *full)
{
  if (d->grid.factor > 1)
    wn_coarse_means(&d->grid, full, d->coarse);
  return wn_output_put(o, name, (long)d->taken, d->grid.factor > 1 ? d->coarse : full);
}

static int put_species(struct wn_diag *d, const struct wn_sim *s, size_t k,
                       struct wn_output *o)
{
  char *name = density_name(s->c, k);
  if (name == NULL)
    return WN_ENOMEM;
  int status = wn_field_density(s->field, k, d->buffer);
  const double weight = wn_loading_weight(s->c, &s->c->species[k]);
  const size_t n = status == WN_OK ? wn_field_nodes(s->field) : 0;
#ifdef _OPENMP
#pragma omp parallel for num_threads(d->grid.threads) schedule(static)
#endif
  for (size_t i = 0; i < n; i++)
    d->buffer[i] *= weight;
  if (status == WN_OK)
    status = put_means(d, o, name, d->buffer);
  free(name);
  return status;
}

/* The mean energy is the energy in a volume over the number of particles there. */
static int put_moments(struct wn_diag *d, const struct wn_sim *s, size_t k,
                       struct wn_output *o)
{
  const int dim = s->c->plasma.dim, is_coarse = d->grid.factor > 1;
  const size_t n = d->grid.nodes;
  double *of = is_coarse ? d->coarse : d->moment, *energy = of + (1 + (size_t)dim) * n;
  WN_TRY(wn_grid_moments_take(d->moments, s->c, k, s->species[k], d->moment));
  for (size_t a = 0; a < 2 + (size_t)dim && is_coarse; a++)
    wn_coarse_means(&d->grid, d->moment + a * d->grid.full, of + a * n);
  for (size_t i = 0; i < n; i++)
    energy[i] = of[i] > 0.0 ? energy[i] / of[i] : NAN;
  int status = WN_OK;
  for (int a = 0; a <= dim && status == WN_OK; a++) {
    char *name = moment_name(s->c, k, a);
    status = name != NULL
                 ? wn_output_put(o, name, (long)d->taken, of + (1 + (size_t)a) * n)
                 : WN_ENOMEM;
    free(name);
  }
  return status;
}

static int sample(struct wn_diag *d, const struct wn_sim *s, struct wn_output *o)
{
  static const char *const e_name[3] = {"electric_field_x", "electric_field_y",
                                        "electric_field_z"};
  const double time = s->time - 0.5 * s->interval, *grid;
  if (d->n_maps == 0 || !wn_step_began(&s->adaptive.clock, d->every))
    return WN_OK;
  const long map = (long)d->taken;
  WN_TRY(wn_output_put(o, "map_time", map, &time));
  if (has_potential(s->c)) {
    WN_TRY(wn_field_potential(s->field, &grid));
    WN_TRY(put_values(d, o, "potential", grid));
  }
  WN_TRY(wn_field_charge(s->field, &grid));
  WN_TRY(put_means(d, o, "charge_density", grid));
  for (int a = 0; a < (has_potential(s->c) ? s->c->plasma.dim : 3); a++) {
    WN_TRY(wn_field_e(s->field, a, d->buffer));
    WN_TRY(put_values(d, o, e_name[a], d->buffer));
  }
  for (int a = 0; !has_potential(s->c) && a < 3; a++) {
    wn_nodal_component(s->field, 3 + a, d->buffer);
    WN_TRY(put_values(d, o, b_name[a], d->buffer));
  }
  for (size_t k = 0; k < s->n_species; k++) {
    WN_TRY(put_species(d, s, k, o));
    if (has_moments(s->c, k))
      WN_TRY(put_moments(d, s, k, o));
  }
  d->taken++;
  return wn_output_sync(o);
}

static int state(struct wn_diag *d, struct wn_state *st)
{
  return WN_STATE(st, d->taken);
}

const struct wn_diag_ops wn_diag_maps = {
    .define = define,
    .create = create,
    .sample = sample,
    .state = state,
    .free = destroy,
};
