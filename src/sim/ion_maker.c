/* src/sim/ion_maker.c - see ion_maker.h. */
#include "src/sim/ion_maker.h"
#include <math.h>
#include <string.h>
#include "physics/constants.h"
#include "src/config/plasma_derived.h"

struct wn_ion_maker wn_ion_maker(const struct wn_sim *s, const char *name)
{
  const struct wn_config *c = s->c;
  const struct wn_cfg_species *to = wn_config_species_of(c, name);
  struct wn_ion_maker m = {0};
  if (to == NULL)
    return m;
  m.number = (size_t)(to - c->species);
  m.points = wn_plasma_points_of(c, m.number);
  m.to = &s->species[m.number]->p;
  if (wn_config_is_ion(to))
    m.ion = s->species[m.number]->model.data;
  m.sigma = c->thermal_motion ? sqrt(WN_KB * c->temperature / to->mass) : 0.0;
  return m;
}

double wn_ion_maker_record(const struct wn_ion_maker *m, const struct wn_mcc_grid *grid,
                           const struct wn_electron *e, uint64_t seed,
                           union wn_ion_record *out)
{
  float u[3], w = e->w;
  if (m->ion != NULL) {
    wn_ion_left_by(m->ion, e, seed, m->sigma, &out->ion);
    memcpy(u, out->ion.u, sizeof u);
  } else {
    int32_t at[3];
    wn_mcc_grid_ion(grid, e, seed, m->sigma, out->point);
    wn_point_load(grid->points.grid.dim, 3, out->point, at, u, &w);
  }
  return (double)w * wn_point_energy_ev(&m->points, 3, u);
}
