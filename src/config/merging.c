/* src/config/merging.c - see merging.h. */
#include "src/config/merging.h"
#include "physics/mover.h"
#include "src/config/internal.h"
#include "src/config/plasma_derived.h"

long wn_merging_species(const struct wn_config *c, const struct wn_cfg_merging *m)
{
  return wn_config_species_or_only(c, m->species);
}

bool wn_merging_weighs(const struct wn_config *c, const struct wn_cfg_species *s)
{
  return s->collisions != WN_COLLISIONS_NONE ||
         wn_point_weighs(c->plasma.dim, c->plasma.velocities);
}

const char *wn_merging_limits(const struct wn_cfg_merging *m)
{
  return m->n_fields > 0      ? "weight_fields"
         : m->n_distances > 0 ? "weight_distances"
                              : NULL;
}

/* src/sim/weight_limits.c, device/weight_limits.cu: a GPU takes E from the field itself. */
double wn_merging_limits_bytes(const struct wn_config *c, const struct wn_cfg_merging *m,
                               bool on_gpu)
{
  const double of_node = sizeof(float) + (on_gpu ? 0.0 : sizeof(double));
  double cells = 1.0, nodes = 1.0;
  for (int d = 0; d < c->plasma.dim; d++) {
    cells *= (double)c->plasma.cells[d];
    nodes *= (double)c->plasma.cells[d] + 1.0;
  }
  return (wn_merging_limits(m) != NULL ? 2.0 * sizeof(float) * cells : 0.0) +
         (m->n_fields > 0 ? of_node * nodes : 0.0);
}

double wn_merging_bytes(const struct wn_config *c)
{
  double bytes = 0.0;
  for (size_t i = 0; i < c->plasma.n_merging; i++) {
    const long k = wn_merging_species(c, &c->plasma.merging[i]);
    bytes += wn_merging_limits_bytes(c, &c->plasma.merging[i], false);
    bytes += k >= 0 ? wn_plasma_lists_bytes(c, &c->species[k]) : 0.0;
  }
  return bytes;
}
