/* src/sim/gas.c - read, prepare and tabulate the gases of a scenario. */
#include "src/sim/gas.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"
#include "base/sha256.h"
#include "crosssections/xs_beyond.h"
#include "crosssections/xs_factor.h"
#include "crosssections/xs_levels.h"
#include "crosssections/xs_moliere.h"
#include "crosssections/xs_moller.h"
#include "crosssections/xs_states.h"
#include "physics/constants.h"
#include "src/config/factor.h"

void wn_gas_free(struct wn_gas *g)
{
  if (g == NULL)
    return;
  size_t n_processes = g->table != NULL ? (size_t)g->table->view.n_processes : 0;
  for (size_t i = 0; g->process_name != NULL && i < n_processes; i++)
    free(g->process_name[i]);
  for (size_t i = 0; i < g->n; i++) {
    if (g->set != NULL)
      wn_xs_free(g->set[i]);
  }
  for (size_t i = 0; i < g->n_sources; i++)
    free(g->source[i]);
  for (size_t k = 0; k < WN_MAX_SPECIES; k++)
    wn_gas_ions_free(g->ions[k]);
  wn_gas_radiation_free(g->radiation);
  wn_xs_table_free(g->table);
  free(g->set);
  free(g->density);
  free(g->opal_ev);
  free(g->process_name);
  free(g->source);
  free(g);
}

static double smallest_ionization_ev(const struct wn_xs_set *set)
{
  double e = INFINITY;
  for (size_t i = 0; i < set->n; i++)
    if (set->process[i].kind == WN_XS_IONIZATION)
      e = fmin(e, set->process[i].loss_ev);
  return e;
}

double wn_gas_opal_ev(double given_ev, const struct wn_xs_set *set)
{
  if (given_ev > 0.0)
    return given_ev;
  double i_ev = smallest_ionization_ev(set);
  return isfinite(i_ev) ? 0.6 * i_ev : 1.0;
}

static double mass_of(const struct wn_cfg_component *k, const struct wn_xs_set *set)
{
  return k->mass > 0.0 ? k->mass : wn_xs_set_mass(set);
}

/* Before levels are populated and reverse processes created, so that detailed balance
 * holds. */
static int multiply(const struct wn_cfg_component *k, struct wn_xs_set *set)
{
  if (k->n_factors == 0)
    return WN_OK;
  struct wn_xs_factor *f = wn_alloc(k->n_factors, sizeof *f);
  int status = f != NULL ? WN_OK : WN_ENOMEM;
  for (size_t i = 0; i < k->n_factors && status == WN_OK; i++) {
    char *why = NULL; /* cannot fail: the reader has checked it */
    status = wn_config_factor(k->factors[i], &f[i], &why);
    free(why);
  }
  if (status == WN_OK)
    status = wn_xs_multiply(set, k->beyond, k->n_factors, f);
  for (size_t i = 0; f != NULL && i < k->n_factors; i++)
    free(f[i].process);
  free(f);
  return status;
}

/* The levels that the component's keys name. */
static int populate(const struct wn_config *c, const struct wn_cfg_component *k,
                    struct wn_xs_set *set)
{
  if (k->n_excited == 0)
    return WN_OK;
  struct wn_xs_level *level = wn_alloc(k->n_excited, sizeof *level);
  if (level == NULL)
    return WN_ENOMEM;
  for (size_t i = 0; i < k->n_excited; i++)
    level[i] = (struct wn_xs_level){
        .process = k->excited[i],
        .temperature_k = k->n_excited_k == 0   ? c->temperature
                         : k->n_excited_k == 1 ? k->excited_k[0]
                                               : k->excited_k[i],
        .fraction = k->n_excited_part > 0 ? k->excited_part[i] : NAN,
        .weight_ratio = k->n_excited_weight > 0 ? k->excited_weight[i] : 0.0};
  int status = wn_xs_populate(set, mass_of(k, set), k->n_excited, level);
  free(level);
  return status;
}

/* Blocks between rotational and vibrational states. */
static int add_states(const struct wn_cfg_component *k, struct wn_xs_set *set)
{
  const double *w = k->rotational_weight;
  const bool has = k->n_rotational_weight == 2;
  const struct wn_xs_states of = {.path =
                                      k->states_path != NULL ? k->states_path : k->path,
                                  .rotational_k = k->rotational_k,
                                  .vibrational_k = k->vibrational_k,
                                  .nuclear_weight = {has ? w[0] : 0.0, has ? w[1] : 0.0}};
  return wn_xs_add_states(set, mass_of(k, set), &of);
}

void wn_gas_moller(const struct wn_config *c, struct wn_moller_model *out)
{
  *out = (struct wn_moller_model){
      .cut_ev = c->moller_cut_ev,
      .soft_from_ev = c->moller_soft_from_ev > 0.0 ? c->moller_soft_from_ev : INFINITY,
      .density = c->moller_density == WN_DENSITY_EFFECT_AIR
                     ? wn_density_effect_air(c->number_density)
                     : wn_density_effect_none()};
}

/* Sharing moller changes the ionizations of a set, with all of its excitations there. */
static int join_moller(const struct wn_config *c, struct wn_xs_set *set)
{
  struct wn_moller_model model;
  if (c->sharing != WN_SHARING_MOLLER)
    return WN_OK;
  wn_gas_moller(c, &model);
  return wn_xs_set_moller(set, &model, c->moller_soft_quantum_ev);
}

/* Three-body attachment is as frequent as the square of the density, and the tables are those of one density. */
static int check_third(const struct wn_config *c, const struct wn_cfg_component *k,
                       const struct wn_xs_set *set)
{
  for (size_t i = 0; wn_config_gas_changes(c) && i < set->n; i++)
    if (set->process[i].three_body && k->third_body != WN_THIRD_NONE)
      return WN_FAIL(WN_EINPUT,
                     "%s: key `gas.components.%s.three_body`: attachment by three bodies "
                     "has no place in a gas whose density changes (gas.profile.shape); "
                     "allowed with it: none",
                     c->file, k->name);
  return WN_OK;
}

static int read_component(const struct wn_config *c, const struct wn_cfg_component *k,
                          struct wn_xs_set **out)
{
  struct wn_xs_set *set = NULL;
  if (wn_xs_is_builtin(k->path))
    WN_TRY(wn_xs_builtin(k->path, k->target, &set));
  else
    WN_TRY(wn_xs_read_lxcat(k->path, k->target, k->database, &set));
  const double third = k->third_body == WN_THIRD_NONE   ? 0.0
                       : k->third_body == WN_THIRD_SELF ? k->fraction * c->number_density
                                                        : c->number_density;
  int status = check_third(c, k, set);
  if (status == WN_OK)
    status = wn_xs_prepare(set, k->effective, third, k->n_exclude,
                           (const char *const *)k->exclude);
  /* before the factors, which multiply what is used */
  if (status == WN_OK && c->scattering == WN_ANGLE_MOLIERE)
    status = wn_xs_set_moliere(set);
  if (status == WN_OK)
    status = multiply(k, set);
  if (status == WN_OK)
    status = populate(c, k, set);
  if (status == WN_OK)
    status = add_states(k, set);
  if (status == WN_OK)
    status = join_moller(c, set);
  if (status == WN_OK)
    status = wn_xs_beyond_supported(set, k->beyond);
  if (status != WN_OK) {
    wn_xs_free(set);
    return status;
  }
  *out = set;
  return WN_OK;
}

static int make_table(const struct wn_config *c, struct wn_gas *g)
{
  struct wn_xs_gas gas[WN_XS_MAX_GASES];
  for (size_t i = 0; i < g->n; i++) {
    const struct wn_cfg_component *k = &c->components[i];
    gas[i] = (struct wn_xs_gas){.set = g->set[i],
                                .beyond = k->beyond,
                                .density = g->density[i],
                                .mass = mass_of(k, g->set[i]),
                                .opal_ev = g->opal_ev[i],
                                .atomic_number = k->atomic_number};
  }
  struct wn_xs_table_spec spec = {.n_gases = g->n,
                                  .gas = gas,
                                  .temperature = c->thermal_motion ? c->temperature : 0.0,
                                  .thermal_below_ev = c->thermal_below_ev,
                                  /* a shape of one form; its parameter is in the sets */
                                  .angle_model = c->scattering == WN_ANGLE_MOLIERE
                                                     ? WN_ANGLE_SCREENED_COULOMB
                                                     : c->scattering,
                                  .share_model = c->sharing,
                                  .bins_per_octave = (unsigned)c->bins_per_octave,
                                  .e_max_ev = c->energy_max_ev};
  if (c->scattering == WN_ANGLE_MOLIERE)
    spec.excitation_from_ev = WN_MOLIERE_FROM_EV;
  wn_gas_moller(c, &spec.moller);
  spec.continuous = c->moller_loss == WN_LOSS_CONTINUOUS;
  if (c->grouped_from_ev > 0.0) {
    spec.grouped_from_ev = c->grouped_from_ev;
    spec.grouped_angle = c->grouped_angle;
  }
  return wn_xs_table_create(&spec, &g->table);
}

/* A threshold that no electron can pass, as a table ends below it and stops the run
 * there. */
static int check_thresholds(const struct wn_config *c, const struct wn_gas *g)
{
  const struct wn_xs_table *t = g->table;
  if (c->thresholds_at == NULL || c->n_thresholds == 0)
    return WN_OK;
  const double top = c->thresholds_ev[c->n_thresholds - 1];
  if (!(top > t->limit_ev))
    return WN_OK;
  size_t i = 0;
  for (size_t k = 0; k < g->n; k++)
    for (size_t j = 0; j < g->set[k]->n; j++)
      if (g->set[k]->process[j].label == t->limit_process)
        i = k;
  return WN_FAIL(WN_EINPUT,
                 "%s: %.9g eV is above %.9g eV, where the table of `%s %s` ends; take "
                 "thresholds up to there, or say by gas.components.%s.beyond what holds "
                 "above it: constant, zero, power or born",
                 c->thresholds_at, top, t->limit_ev, g->set[i]->name, t->limit_process,
                 c->components[i].name);
}

static int name_processes(struct wn_gas *g)
{
  size_t n = (size_t)g->table->view.n_processes, k = 0;
  g->process_name = wn_alloc(n, sizeof *g->process_name);
  if (g->process_name == NULL)
    return WN_ENOMEM;
  for (size_t i = 0; i < g->n; i++)
    for (size_t j = 0; j < g->set[i]->n; j++, k++) {
      g->process_name[k] =
          wn_asprintf("%s %s", g->set[i]->name, g->set[i]->process[j].label);
      if (g->process_name[k] == NULL)
        return WN_ENOMEM;
    }
  return WN_OK;
}

/* sha256 NULL: built into the program. */
static int add_source(struct wn_gas *g, const char *file, const char *sha256)
{
  char *text = wn_asprintf("%s %s", file, sha256 != NULL ? sha256 : "(in the program)");
  if (text == NULL)
    return WN_ENOMEM;
  g->source[g->n_sources++] = text;
  return WN_OK;
}

static int add_states_source(struct wn_gas *g, const struct wn_cfg_component *k)
{
  char hex[WN_SHA256_HEX];
  WN_TRY(wn_sha256_file(k->states_path, hex));
  return add_source(g, k->states_file, hex);
}

/* Cross sections of the ions among the species. */
static int make_ions(const struct wn_config *c, struct wn_gas *g)
{
  for (size_t k = 0; c->model == WN_MODEL_PLASMA && k < c->n_species; k++) {
    const struct wn_cfg_species *s = &c->species[k];
    if (!wn_config_is_ion(s))
      continue;
    WN_TRY(wn_gas_ions_create(c, s, g->density, &g->ions[k]));
    for (size_t i = 0; i < g->n; i++)
      if (g->ions[k]->set[i] != NULL)
        WN_TRY(add_source(
            g, s->cross_sections != NULL ? s->cross_sections : c->components[i].file,
            g->ions[k]->set[i]->sha256));
  }
  return WN_OK;
}

/* Photon data, where electrons radiate. */
static int make_radiation(const struct wn_config *c, struct wn_gas *g)
{
  if (!wn_config_radiates(c))
    return WN_OK;
  struct wn_moller_model model;
  wn_gas_moller(c, &model);
  WN_TRY(wn_gas_radiation_create(c, g->density, &model.density, &g->radiation));
  for (size_t i = 0; i < g->radiation->n; i++)
    WN_TRY(add_source(g, g->radiation->element[i]->source,
                      g->radiation->element[i]->sha256));
  return WN_OK;
}

int wn_gas_create(const struct wn_config *c, struct wn_gas **out)
{
  if (c->n_components > WN_XS_MAX_GASES)
    return WN_FAIL(WN_EINPUT, "%s: %zu gas components; at most %d are possible", c->file,
                   c->n_components, WN_XS_MAX_GASES);
  struct wn_gas *g = wn_alloc(1, sizeof *g);
  if (g == NULL)
    return WN_ENOMEM;
  g->n = c->n_components;
  g->set = wn_alloc(g->n, sizeof *g->set);
  g->density = wn_alloc(g->n, sizeof *g->density);
  g->opal_ev = wn_alloc(g->n, sizeof *g->opal_ev);
  g->source = wn_alloc(g->n * (3 + WN_MAX_SPECIES), sizeof *g->source);
  int status =
      g->set != NULL && g->density != NULL && g->opal_ev != NULL && g->source != NULL
          ? WN_OK
          : WN_ENOMEM;
  for (size_t i = 0; i < g->n && status == WN_OK; i++) {
    const struct wn_cfg_component *k = &c->components[i];
    status = read_component(c, k, &g->set[i]);
    if (status != WN_OK)
      break;
    g->density[i] = k->fraction * c->number_density;
    g->opal_ev[i] = wn_gas_opal_ev(k->opal_width, g->set[i]);
    status = add_source(g, k->file, g->set[i]->sha256);
    if (status == WN_OK && k->states_path != NULL)
      status = add_states_source(g, k);
  }
  if (status == WN_OK)
    status = make_table(c, g);
  if (status == WN_OK)
    status = check_thresholds(c, g);
  if (status == WN_OK)
    status = name_processes(g);
  if (status == WN_OK)
    status = make_ions(c, g);
  if (status == WN_OK)
    status = make_radiation(c, g);
  if (status != WN_OK) {
    wn_gas_free(g);
    return status;
  }
  *out = g;
  return WN_OK;
}

int wn_gas_same_processes(const struct wn_gas *a, const struct wn_gas *b)
{
  int n = a->table->view.n_processes, m = b->table->view.n_processes;
  if (n != m)
    return WN_FAIL(WN_EINPUT,
                   "points of a scan with %d and with %d processes do not fit into "
                   "one file",
                   n, m);
  for (int k = 0; k < n; k++)
    if (strcmp(a->process_name[k], b->process_name[k]) != 0)
      return WN_FAIL(WN_EINPUT,
                     "points of a scan with `%s` and with `%s` do not fit into one "
                     "file",
                     a->process_name[k], b->process_name[k]);
  return WN_OK;
}
