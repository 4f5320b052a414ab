/* src/config/nodes.c - rules between the keys of field nodes of model plasma (fields/nodal.h), and of its
 * movers (physics/midpoint.h) */
#include "src/config/reader.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "src/config/plasma_derived.h"

/* Logs an error of a key, with its place where it is given. */
#define WRONG(r, key, ...)                                                               \
  wn_reader_error((r), wn_reader_find((r), (key)), (key), __VA_ARGS__)

/* A key, and whether its value is other than that which does nothing. */
struct used {
  const char *key;
  bool is;
};

static bool any(const double v[3])
{
  return v[0] != 0 || v[1] != 0 || v[2] != 0;
}

static bool has_file(const struct wn_cfg_plasma *p)
{
  return p->nodes.file != NULL && *p->nodes.file;
}

#define N_OF(list) (sizeof(list) / sizeof *(list))

/* Logs each key that is used, with why it may not be. */
static void refuse(struct wn_reader *r, const struct used *list, size_t n,
                   const char *why)
{
  for (size_t i = 0; i < n; i++)
    if (list[i].is)
      WRONG(r, list[i].key, "%s", why);
}

static void check_unused(struct wn_reader *r)
{
  const struct wn_cfg_plasma *p = &r->c->plasma;
  const struct wn_nodal_parameters *by = &p->nodes.by;
  const struct used keys[] = {
      {"plasma.nodes.formula", by->formula != WN_FORMULA_UNIFORM},
      {"plasma.nodes.file", has_file(p)},
      {"plasma.nodes.between_times", p->nodes.between != 0},
      {"plasma.nodes.electric_field", any(by->e)},
      {"plasma.nodes.sheet_field", by->b0 != 0},
      {"plasma.nodes.sheet_thickness", by->thickness != WN_AUTO},
      {"plasma.nodes.perturbation", by->amplitude != 0},
      {"plasma.nodes.local_perturbation", by->local != 0},
      {"plasma.mover", p->mover != WN_NODAL_MIDPOINT},
      {"plasma.midpoint.iterations", p->midpoint.iterations != 3},
      {"plasma.midpoint.tolerance", p->midpoint.tolerance != 0},
      {"plasma.midpoint.substeps", p->midpoint.substeps != 1},
      {"plasma.midpoint.substep_angle", p->midpoint.most_turn != WN_AUTO},
      {"plasma.midpoint.substep_cells", p->midpoint.most_cells != WN_AUTO}};
  refuse(r, keys, N_OF(keys), "has no effect without plasma.field = \"nodes\"");
}

static void check_formula(struct wn_reader *r)
{
  const struct wn_cfg_plasma *p = &r->c->plasma;
  const struct wn_nodal_parameters *by = &p->nodes.by;
  const struct used sheet[] = {{"plasma.nodes.sheet_field", by->b0 != 0},
                               {"plasma.nodes.sheet_thickness", by->thickness != WN_AUTO},
                               {"plasma.nodes.perturbation", by->amplitude != 0},
                               {"plasma.nodes.local_perturbation", by->local != 0}};
  const struct used of_formula[] = {
      {"plasma.nodes.formula", by->formula != WN_FORMULA_UNIFORM},
      {"plasma.nodes.electric_field", any(by->e)},
      {"plasma.magnetic_field", any(p->magnetic)}};
  if (has_file(p)) {
    refuse(r, of_formula, N_OF(of_formula),
           "plasma.nodes.file gives E and B; remove one of the two");
    refuse(r, sheet, N_OF(sheet), "plasma.nodes.file gives E and B, without a formula");
    return;
  }
  if (p->nodes.between != 0)
    WRONG(r, "plasma.nodes.between_times", "has no effect without plasma.nodes.file");
  if (by->formula != WN_FORMULA_HARRIS) {
    refuse(r, sheet, N_OF(sheet),
           "has no effect without plasma.nodes.formula = \"harris\"");
    return;
  }
  if (p->dim < 2)
    WRONG(r, "plasma.nodes.formula",
          "\"harris\" changes along y; it needs a grid of two or three axes");
  if (by->b0 == 0)
    WRONG(r, "plasma.nodes.sheet_field", "missing; harris needs the field B0 of a sheet");
  if (by->thickness == WN_AUTO)
    WRONG(r, "plasma.nodes.sheet_thickness",
          "missing; harris needs the thickness of a sheet");
}

static void check_mover(struct wn_reader *r)
{
  const struct wn_cfg_plasma *p = &r->c->plasma;
  const struct used iteration[] = {
      {"plasma.midpoint.iterations", p->midpoint.iterations != 3},
      {"plasma.midpoint.tolerance", p->midpoint.tolerance != 0}};
  if (p->mover == WN_NODAL_BORIS)
    refuse(r, iteration, N_OF(iteration),
           "plasma.mover = \"boris\" does not iterate; remove the key");
}

/* What needs a field of the particles' charge, or a model that is not that of field nodes. */
static void check_others(struct wn_reader *r)
{
  const struct wn_config *c = r->c;
  const struct wn_cfg_plasma *p = &c->plasma;
  const struct used needs_charge[] = {
      {"plasma.shape", p->shape != WN_SHAPE_CIC},
      {"plasma.gather", p->gather != WN_GATHER_MOMENTUM},
      {"plasma.solver", p->solver != WN_POISSON_DIFFERENCES},
      {"plasma.background", p->background},
      {"plasma.modes", p->n_modes > 0},
      {"plasma.averages", p->n_averages > 0}};
  const struct used not_yet[] = {{"plasma.sources", p->n_sources > 0},
                                 {"plasma.thermostats", p->n_thermostats > 0},
                                 {"plasma.coulomb", p->n_coulomb > 0},
                                 {"plasma.merging", p->n_merging > 0},
                                 {"plasma.fields_moments", p->fields_moments},
                                 {"reactions", c->n_reactions > 0}};
  char key[128];
  refuse(
      r, needs_charge, N_OF(needs_charge),
      "plasma.field = \"nodes\" is not made by charge, and gathered by cic; remove the "
      "key");
  refuse(r, not_yet, N_OF(not_yet), "is not available with plasma.field = \"nodes\"");
  for (size_t k = 0; k < c->n_species; k++)
    if (c->species[k].collisions != WN_COLLISIONS_NONE) {
      snprintf(key, sizeof key, "species.%s.collisions", c->species[k].name);
      WRONG(r, key, "is not available with plasma.field = \"nodes\"; allowed: none");
    }
  for (int side = 0; side < 2 * p->dim; side++) {
    const struct wn_cfg_wall *w = &p->wall[side];
    const char *name = wn_config_walls.names[side];
    const struct used of_wall[] = {
        {"voltage", w->voltage != 0 || wn_plasma_amplitudes(w) != 0},
        {"capacitance", w->capacitance != WN_AUTO},
        {"resistance", w->resistance != 0},
        {"inductance", w->inductance != 0},
        {"dielectric_thickness", w->dielectric_thickness != 0},
        {"yield", w->yield != 0},
        {"electron_reflection", w->electron_reflection != 0},
        {"electron_backscattering", w->electron_backscattering != 0},
        {"electron_yield", w->electron_yield != 0}};
    for (size_t i = 0; i < N_OF(of_wall); i++)
      if (of_wall[i].is) {
        snprintf(key, sizeof key, "walls.%s.%s", name, of_wall[i].key);
        WRONG(r, key,
              "is not available with plasma.field = \"nodes\", whose E and B are given");
      }
  }
}

void wn_reader_check_nodes(struct wn_reader *r)
{
  struct wn_config *c = r->c;
  struct wn_cfg_plasma *p = &c->plasma;
  if (p->reference != NULL && *p->reference == '\0') {
    free(p->reference); /* a resolved scenario leaves it empty */
    p->reference = NULL;
  }
  if (p->reference != NULL && wn_config_species_of(c, p->reference) == NULL)
    WRONG(r, "plasma.reference", "there is no species `%s`", p->reference);
  if (p->dim == 0)
    return;
  if (p->field != WN_FIELD_NODES) {
    check_unused(r);
    return;
  }
  if (p->velocities == 2)
    WRONG(r, "plasma.velocities",
          "plasma.field = \"nodes\" has all three components of E and B; allowed: 3");
  check_formula(r);
  check_mover(r);
  check_others(r);
}
