/* fields/circuit.c - see circuit.h. */
#include "fields/circuit.h"
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/ranks.h"
#include "fields/electrostatic_parts.h"
#include "physics/constants.h"

/* What a scenario is told by src/config, of a spec that another caller made. */
static int check(const struct wn_electrostatic_spec *spec)
{
  if (spec->grid.dim != 1 || spec->poisson.side[0] != WN_DIRICHLET ||
      spec->poisson.side[1] != WN_DIRICHLET ||
      spec->poisson.method != WN_POISSON_DIFFERENCES)
    return WN_FAIL(WN_EINPUT, "a wall in a circuit: one dimension, two dirichlet sides "
                              "and the method differences are needed");
  if (spec->circuit[0].floats && spec->circuit[1].floats)
    return WN_FAIL(WN_EINPUT, "both walls float: nothing fixes the potential");
  if (spec->gpu != NULL)
    return WN_FAIL(WN_EINPUT,
                   "walls in a circuit and dielectric walls are not available on a GPU; "
                   "use device cpu");
  return WN_OK;
}

int wn_circuit_create(struct wn_electrostatic *f)
{
  const struct wn_electrostatic_spec *spec = &f->spec;
  if (!wn_wall_has_circuit(&spec->circuit[0]) && !wn_wall_has_circuit(&spec->circuit[1]))
    return WN_OK;
  WN_TRY(check(spec));
  struct wn_circuit *c = wn_alloc(1, sizeof *c);
  if (c == NULL)
    return WN_ENOMEM;
  f->circuit = c;
  c->taken = wn_alloc(spec->n_species, sizeof *c->taken);
  c->beyond = wn_alloc(spec->n_species, sizeof *c->beyond);
  if (c->taken == NULL || c->beyond == NULL)
    return WN_ENOMEM; /* freed with the field */
  c->pair.circuit[0] = spec->circuit[0];
  c->pair.circuit[1] = spec->circuit[1];
  c->pair.gap = WN_EPS0 / (spec->grid.h[0] * spec->grid.cells[0]);
  return WN_OK;
}

void wn_circuit_free(struct wn_circuit *c)
{
  if (c != NULL) {
    free(c->taken);
    free(c->beyond);
  }
  free(c);
}

/* Quanta of a species on the own nodes, and the same times the number of the node. */
static void moments(const struct wn_electrostatic *f, size_t k, wn_i128 out[2])
{
  out[0] = out[1] = 0;
  for (int64_t i = f->slab.own[0]; i < f->slab.own[1]; i++) {
    const wn_i128 q = f->quanta[k][wn_slab_at_plane(&f->slab, i)];
    out[0] += q;
    out[1] += q * i;
  }
}

/* What the equations take of the charge. */
static void input(const struct wn_electrostatic *f, struct wn_wall_input *in)
{
  const struct wn_circuit *c = f->circuit;
  wn_i128 beyond[WN_FIELD_SPECIES][2] = {{0}}, on_grid[WN_FIELD_SPECIES][2] = {{0}};
  const size_t n = f->spec.n_species;
  const double cells = (double)f->slab.cells,
               of_background = 0.5 * f->background * cells * f->grid.h[0];
  for (size_t k = 0; k < n; k++) {
    moments(f, k, on_grid[k]);
    for (int i = 0; i < 2; i++)
      beyond[k][i] = c->beyond[k][i];
  }
  wn_ranks_sum(&beyond[0][0], 2 * n);
  if (f->slab.ranks > 1)
    wn_ranks_sum(&on_grid[0][0], 2 * n);
  for (int i = 0; i < 2; i++) {
    in->convected[i] = 0.0;
    in->induced[i] = of_background;
  }
  for (size_t k = 0; k < n; k++) {
    const double of_one = f->spec.charge[k] / WN_QUANTA;
    const wn_i128 all = on_grid[k][0], high = on_grid[k][1];
    for (int i = 0; i < 2; i++)
      in->convected[i] += of_one * (double)(c->taken[k][i] + beyond[k][i]);
    in->induced[0] += of_one * ((double)(all * f->slab.cells - high) / cells);
    in->induced[1] += of_one * ((double)high / cells);
  }
}

void wn_circuit_solve(struct wn_electrostatic *f, double dt, double volt[6])
{
  struct wn_circuit *c = f->circuit;
  struct wn_wall_input in = {.source = {volt[0], volt[1]}};
  input(f, &in);
  wn_wall_solve(&c->pair, 0.5 * (c->last_dt + dt), &in);
  c->last_dt = dt;
  for (int i = 0; i < 2; i++)
    volt[i] = c->pair.wall[i].potential;
}

int wn_circuit_walls(struct wn_electrostatic *f, struct wn_field_wall out[2])
{
  const double *phi = NULL, *rho = NULL, h = f->grid.h[0];
  const size_t last = f->n_nodes - 1;
  WN_TRY(wn_field_potential(&f->field, &phi));
  WN_TRY(wn_field_charge(&f->field, &rho));
  for (int i = 0; i < 2; i++) {
    const struct wn_wall_level *w = &f->circuit->pair.wall[i];
    const size_t at = i == 0 ? 0 : last, inside = i == 0 ? 1 : last - 1;
    out[i] = (struct wn_field_wall){
        .potential = phi[at],
        .surface_charge = WN_EPS0 * (phi[at] - phi[inside]) / h - 0.5 * h * rho[at],
        .circuit_charge = w->charge,
        .convected_charge = w->convected,
        .current = w->current,
        .source = w->source,
        .delivered = w->delivered,
        .dissipated = w->dissipated,
        .stored = wn_wall_stored(&f->circuit->pair.circuit[i], w)};
  }
  return WN_OK;
}

/* What sides have taken is told before each solve, and the particles beyond them are found in it. */
int wn_circuit_state(struct wn_circuit *c, struct wn_state *s)
{
  WN_TRY(WN_STATE(s, c->pair.before));
  WN_TRY(WN_STATE(s, c->last_dt));
  return WN_STATE(s, c->pair.wall);
}
