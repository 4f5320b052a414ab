/* src/config/available.c - see available.h. */
#include "src/config/sources.h"
#include "src/config/available.h"
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "src/config/adaptive_step.h"
#include "src/config/internal.h"
#include "src/config/plasma_derived.h"
#include "src/config/reactions.h"

/* Names of the first group of each kind that asks for a part; NULL: none. */
struct names {
  const char *power, *at_wall, *yield, *any_yield, *circuit, *pairs, *collides;
  const char *emission;                   /* of electrons by electrons */
  const char *circuit_key, *emission_key; /* walls.<NAME>. */
  /* of species, in r-z */
  const char *profile, *centre, *drift, *mode;
  /* with adaptive steps */
  const char *subcycled, *later;
  const char *source;                      /* of no electrode */
  const char *in_circuit, *in_circuit_key; /* an electrode */
};

/* NULL: the wall is in no circuit and has no dielectric. */
static const char *circuit_key(const struct wn_cfg_wall *w)
{
  return w->capacitance != WN_AUTO       ? "capacitance"
         : w->resistance > 0.0           ? "resistance"
         : w->inductance > 0.0           ? "inductance"
         : w->dielectric_thickness > 0.0 ? "dielectric_thickness"
                                         : NULL;
}

/* NULL: the wall emits no electrons for electrons. */
static const char *emission_key(const struct wn_cfg_wall *w)
{
  return w->electron_reflection > 0.0       ? "electron_reflection"
         : w->electron_backscattering > 0.0 ? "electron_backscattering"
         : w->electron_yield > 0.0          ? "electron_yield"
                                            : NULL;
}

static struct names names_of(const struct wn_config *c)
{
  const struct wn_cfg_plasma *p = &c->plasma;
  struct names n = {.power = NULL};
  bool has_ions =
      false; /* without collisions: kernels do not keep the side that one hits */
  for (size_t i = p->n_averages; i-- > 0;)
    n.power = p->averages[i].power ? p->averages[i].name : n.power;
  for (size_t i = p->n_sources; i-- > 0;)
    n.source = wn_source_electrode(c, &p->sources[i]) < 0 ? p->sources[i].name : n.source;
  for (size_t i = p->n_distributions; i-- > 0;)
    n.at_wall = p->distributions[i].wall != NULL ? p->distributions[i].name : n.at_wall;
  for (size_t i = c->n_reactions; i-- > 0;)
    n.pairs = !wn_reaction_divides(c, &c->reactions[i]) ? c->reactions[i].name : n.pairs;
  for (size_t i = p->n_coulomb; i-- > 0;)
    n.later = p->coulomb[i].interval > 1 ? p->coulomb[i].name : n.later;
  for (size_t k = 0; k < c->n_species; k++)
    has_ions |=
        c->species[k].mobile && c->species[k].charge > 0 && !wn_plasma_collides(c, k);
  for (size_t k = c->n_species; k-- > 0;) {
    const struct wn_cfg_species *s = &c->species[k];
    n.subcycled = s->subcycling > 1 ? s->name : n.subcycled;
    n.profile = s->profile != WN_PROFILE_UNIFORM && s->profile != WN_PROFILE_SLAB &&
                        s->profile != WN_PROFILE_GAUSSIAN
                    ? s->name
                    : n.profile;
    n.centre =
        s->profile == WN_PROFILE_GAUSSIAN && s->centre[0] != 0.0 ? s->name : n.centre;
    n.drift = s->drift[0] != 0.0 || s->drift[2] != 0.0 ? s->name : n.drift;
    n.mode = s->mode[0] != 0 ? s->name : n.mode;
  }
  for (size_t k = c->model == WN_MODEL_PLASMA ? c->n_species : 0; k-- > 0;)
    n.collides = wn_plasma_collides(c, k) ? c->species[k].name : n.collides;
  for (int side = 2 * p->dim; side-- > 0;) {
    const struct wn_cfg_wall *w = &p->wall[side];
    const char *name = wn_config_walls.names[side], *key = circuit_key(w),
               *emits = emission_key(w);
    n.yield = has_ions && w->yield > 0.0 ? name : n.yield;
    n.any_yield = w->yield > 0.0 ? name : n.any_yield;
    n.emission = emits != NULL ? name : n.emission;
    n.emission_key = emits != NULL ? emits : n.emission_key;
    n.circuit = key != NULL ? name : n.circuit;
    n.circuit_key = key != NULL ? key : n.circuit_key;
  }
  for (size_t i = p->n_electrodes; i-- > 0;) {
    const char *key = circuit_key(&p->electrodes[i].wall);
    n.in_circuit = key != NULL ? p->electrodes[i].name : n.in_circuit;
    n.in_circuit_key = key != NULL ? key : n.in_circuit_key;
  }
  return n;
}

/* A part of the scenario; of one that is not there `name` is NULL. */
struct part {
  unsigned where;                 /* not available where all of these hold */
  const char *group, *name, *key; /* group.name.key; key NULL: the group is the key */
  const char *text;               /* of a GPU alone: its name and verb */
};

#define IF(condition)  ((condition) ? "" : NULL)
#define FIRST(n, list) ((n) > 0 ? (list)[0].name : NULL)

static bool find(const struct wn_config *c, unsigned where, struct part *out)
{
  const struct wn_cfg_plasma *p = &c->plasma;
  const struct names n = names_of(c);
  const char *reaction = FIRST(c->n_reactions, c->reactions),
             *coulomb = FIRST(p->n_coulomb, p->coulomb),
             *merging = FIRST(p->n_merging, p->merging),
             *test = IF(p->test_electrons.number > 0);
  const unsigned gpu = WN_ON_A_GPU, domains = WN_IN_DOMAINS, rz = WN_IN_RZ,
                 batches = WN_IN_BATCHES, steps = WN_WITH_STEPS;
  const bool is_rz = wn_plasma_is_radial(c);
  /* the first three are those of models without a grid, and their only ones */
  const struct part parts[] = {
      {gpu, "moller.soft_loss", IF(c->moller_loss == WN_LOSS_CONTINUOUS), NULL,
       "continuous losses are"},
      {domains, "divide", IF(c->model != WN_MODEL_PLASMA), NULL,
       "\"domains\" needs model plasma, which has a grid; use \"electrons\""},
      {batches, "population.residence", IF(c->model != WN_MODEL_PLASMA), NULL,
       "\"batches\" needs model plasma, and species without collisions; allowed: device, "
       "auto"},
      {gpu | rz, "scheduler", IF(strcmp(c->scheduler, "tiles") == 0), NULL,
       "`tiles` takes grid.geometry = \"cartesian\"; allowed in r-z on a GPU: auto, "
       "dynamic"},
      {domains, "divide", IF(is_rz), NULL,
       "\"domains\" needs grid.geometry = \"cartesian\"; take \"electrons\""},
      {rz, "grid.cells", IF(p->dim != 2), NULL,
       "grid.geometry = \"r-z\" has two axes, r and z, as in cells = [64, 128]"},
      {rz, "plasma.velocities", IF(p->velocities != 3), NULL,
       "particles in r-z have three velocities; allowed: 3"},
      {rz, "plasma.field", IF(p->field != WN_FIELD_OF_GRID), NULL,
       "grid.geometry = \"r-z\" takes plasma.field = \"electrostatic\" alone"},
      {rz, "plasma.solver", IF(p->solver == WN_POISSON_SPECTRAL), NULL,
       "there are no modes along r; allowed in r-z: differences, multigrid"},
      {rz, "plasma.shape", IF(p->shape == WN_SHAPE_TSC), NULL,
       "the volumes of nodes in r-z are those of the shapes ngp and cic"},
      {rz, "plasma.magnetic_field", IF(p->magnetic[0] != 0.0 || p->magnetic[2] != 0.0),
       NULL, "in r-z only the second component, along the axis of symmetry, is uniform"},
      {rz, "plasma.modes", IF(p->n_modes > 0), NULL,
       "waves along a radius are no modes; not available in r-z"},
      {rz, "plasma.moments_interval", IF(p->moments_interval != WN_AUTO), NULL,
       "ten moments are not available in r-z, where directions differ from place to "
       "place"},
      {rz, "plasma.averages", n.power, "power",
       "the power of the field is not available in r-z"},
      {rz, "plasma.distributions", FIRST(p->n_distributions, p->distributions), "species",
       "distributions are not available in r-z"},
      {rz, "plasma.sources", n.source, "species",
       "sources are not available in r-z, but for those of electrodes"},
      {rz, "plasma.thermostats", FIRST(p->n_thermostats, p->thermostats), "temperature",
       "thermostats are not available in r-z"},
      {rz, "plasma.coulomb", coulomb, "species",
       "Coulomb collisions are not available in r-z"},
      {rz, "reactions", reaction, "reactants", "reactions are not available in r-z"},
      {rz, "followed", FIRST(c->n_followed, c->followed), "sources",
       "followed densities are not available in r-z"},
      {rz, "walls", n.any_yield, "yield", "secondary electrons are not available in r-z"},
      {rz, "walls", n.emission, n.emission_key,
       "walls that emit electrons are not available in r-z"},
      {rz, "species", n.profile, "profile",
       "not available in r-z; allowed: uniform, slab, gaussian"},
      {rz, "species", n.centre, "centre",
       "a gaussian in r-z is around the axis: the first number must be 0"},
      {rz, "species", n.drift, "drift",
       "in r-z only the second component, along the axis of symmetry, is a direction"},
      {rz, "species", n.mode, "mode",
       "in r-z only waves along the axis of symmetry: the first number must be 0"},
      {steps, "plasma.field", IF(p->field != WN_FIELD_OF_GRID), NULL,
       "plasma.adaptive.least takes plasma.field = \"electrostatic\" alone"},
      {steps, "walls", n.circuit, n.circuit_key,
       "circuits and dielectrics of walls take equal steps; remove it, or "
       "plasma.adaptive.least"},
      {steps, "species", n.subcycled, "subcycling",
       "steps of a species count equal steps of the run; allowed with "
       "plasma.adaptive.least: 1"},
      {steps, "plasma.averages", FIRST(p->n_averages, p->averages), "start",
       "averages, by RF phase or not, are sums over equal steps; remove the group, or "
       "plasma.adaptive.least"},
      {steps, "plasma.moments_interval", IF(p->moments_interval != WN_AUTO), NULL,
       "ten moments are not available with plasma.adaptive.least; allowed: never"},
      {steps, "plasma.coulomb", n.later, "interval",
       "Coulomb collisions of several steps at a time take equal steps; allowed with "
       "plasma.adaptive.least: 1"},
      {gpu, "electrodes", n.in_circuit, n.in_circuit_key,
       "electrodes in a circuit (capacitance, resistance, inductance) are"},
      {batches, "electrodes", FIRST(p->n_electrodes, p->electrodes), "shape",
       "electrodes inside the grid are not available with population.residence = "
       "\"batches\"; allowed: population.residence device or auto"},
      {gpu, "dielectrics", FIRST(p->n_dielectrics, p->dielectrics), "shape",
       "dielectrics inside the grid are"},
      {domains, "divide", IF(p->n_dielectrics > 0), NULL,
       "\"domains\" is not available with dielectrics inside the grid; take "
       "\"electrons\""},
      {domains, "divide", IF(p->n_electrodes > 0), NULL,
       "\"domains\" is not available with electrodes inside the grid; take "
       "\"electrons\""},
      {gpu, "walls", n.circuit, n.circuit_key,
       "walls in a circuit and dielectric walls (walls.<NAME>.capacitance, resistance, "
       "inductance, dielectric_thickness) are"},
      {gpu, "walls", n.yield, "yield",
       "secondary electrons of ions without collisions (species.<NAME>.collisions) are"},
      {gpu, "walls", n.emission, n.emission_key,
       "walls that emit electrons for those that they take are"},
      {gpu, "plasma.distributions", n.at_wall, "wall",
       "distributions at walls, unlike those in a region beside the wall, are"},
      {gpu, "reactions", reaction, "reactants", "reactions are"},
      {gpu, "followed", FIRST(c->n_followed, c->followed), "sources",
       "followed densities are"},
      {gpu, "plasma.coulomb", coulomb, "species", "Coulomb collisions are"},
      {gpu, "plasma.thermostats", FIRST(p->n_thermostats, p->thermostats), "temperature",
       "thermostats are"},
      {WN_AMONG_PROCESSES, "reactions", n.pairs, "reactants",
       "several processes can only do reactions of one reactant whose species has "
       "collisions = \"gas\"; use one process with threads"},
      {WN_AMONG_PROCESSES, "plasma.coulomb", coulomb, "species",
       "Coulomb collisions need all particles of a cell in one process, and several "
       "processes divide them; use one process with threads"},
      {WN_AMONG_PROCESSES, "plasma.merging", merging, "per_cell_most",
       "merging needs all macroparticles of a cell in one process, and several "
       "processes divide them; use one process with threads"},
      {WN_AMONG_PROCESSES, "plasma.test_electrons.number", test, NULL,
       "test electrons are not available among several processes; use one process with "
       "threads"},
      {WN_AMONG_PROCESSES, "plasma.particles_interval",
       IF(p->particles_interval != WN_AUTO), NULL,
       "the choice of sampled particles would depend on the number of processes; remove "
       "the key, or use one process with threads"},
      {batches, "species", n.collides, "collisions",
       "collisions are not available with population.residence = \"batches\", as a "
       "segment "
       "on the GPU has no room for newborns; allowed: population.residence device or "
       "auto"},
      {batches, "plasma.merging", merging, "per_cell_most",
       "merging needs all macroparticles of a cell, and with population.residence = "
       "\"batches\" segments of them visit the GPU; allowed: population.residence device "
       "or auto"},
      {batches, "scheduler", IF(strcmp(c->scheduler, "tiles") == 0), NULL,
       "`tiles` keeps particles in order on the GPU, and with population.residence = "
       "\"batches\" they are not there; allowed: auto, dynamic"},
      {batches | domains, "divide", IF(true), NULL,
       "\"domains\" is not available with population.residence = \"batches\"; take "
       "\"electrons\""},
      {domains, "divide", IF(p->solver != WN_POISSON_DIFFERENCES), NULL,
       "\"domains\" needs plasma.solver = \"differences\""},
      {domains, "divide", IF(p->wall[0].field == WN_OPEN), NULL,
       "\"domains\" is not possible with open sides"},
      {domains, "divide", IF(p->field == WN_FIELD_SPARSE), NULL,
       "\"domains\", but component grids of plasma.field = \"sparse\" are small and on "
       "each process; take \"electrons\""},
      {domains, "divide", IF(p->field == WN_FIELD_NODES), NULL,
       "\"domains\" is not available with plasma.field = \"nodes\"; take \"electrons\""},
      {domains, "divide", IF(p->n_sources > 0), NULL,
       "\"domains\": plasma.sources are not available where processes have parts of the "
       "grid; take \"electrons\""},
      {domains | gpu, "divide", IF(p->dim == 1), NULL,
       "\"domains\" needs two or three dimensions on GPUs"},
      {domains | gpu, "divide", n.power, NULL,
       "\"domains\": plasma.averages.<NAME>.power is not available on GPUs where the "
       "grid "
       "is divided; use device cpu, or \"electrons\""},
  };
  const size_t most = c->model == WN_MODEL_PLASMA ? sizeof parts / sizeof *parts : 3;
  for (size_t i = 0; i < most; i++)
    if ((parts[i].where & where) == parts[i].where && parts[i].name != NULL) {
      *out = parts[i];
      return true;
    }
  return false;
}

unsigned wn_available_where(const struct wn_config *c, bool on_gpu, int processes)
{
  return (on_gpu ? WN_ON_A_GPU : 0u) | (wn_plasma_is_radial(c) ? WN_IN_RZ : 0u) |
         (wn_steps_are_adaptive(c) ? WN_WITH_STEPS : 0u) |
         (on_gpu && c->residence == WN_RESIDENCE_BATCHES ? WN_IN_BATCHES : 0u) |
         (processes > 1 ? WN_AMONG_PROCESSES : 0u) |
         (processes > 1 && c->divide == WN_DIVIDE_DOMAINS ? WN_IN_DOMAINS : 0u);
}

bool wn_unavailable(const struct wn_config *c, unsigned where, struct wn_unavailable *out)
{
  struct part part;
  if (!find(c, where, &part))
    return false;
  if (part.key != NULL)
    snprintf(out->key, sizeof out->key, "%s.%s.%s", part.group, part.name, part.key);
  else
    snprintf(out->key, sizeof out->key, "%s", part.group);
  /* device auto takes a GPU only for the scheduler */
  const bool by_device = strcmp(c->device, "auto") != 0;
  if (part.where == WN_ON_A_GPU)
    snprintf(out->text, sizeof out->text,
             "%s not available on a GPU (%s `%s`); allowed: device cpu or auto, and "
             "scheduler auto or one of the CPU",
             part.text, by_device ? "device" : "scheduler",
             by_device ? c->device : c->scheduler);
  else
    snprintf(out->text, sizeof out->text, "%s", part.text);
  return true;
}

int wn_available_check(const struct wn_config *c, unsigned where)
{
  struct wn_unavailable part;
  if (!wn_unavailable(c, where, &part))
    return WN_OK;
  return WN_FAIL(WN_EINPUT, "%s: key `%s`: %s", c->file, part.key, part.text);
}
