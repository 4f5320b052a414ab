/* src/sim/plasma_points.c - see plasma_points.h. */
#include "src/sim/plasma_points.h"
#include "physics/ion.h"
/* src/sim/plasma_points.c - what plasma.h says of the particles of one species, without the
 * rest of a simulation: operators ask it, too. */
#include "physics/ion.h"
#include "src/sim/plasma.h"

const struct wn_points *wn_plasma_points(const struct wn_species *s)
{
  if (s->model.ops->is_electron)
    return &wn_species_mcc(s)->grid.points;
  if (s->model.ops->is_ion)
    return &((const struct wn_ion *)s->model.data)->grid.points;
  return s->model.data;
}

int wn_plasma_has_electrons(const struct wn_species *s)
{
  return !s->model.ops->record.no_t_left;
}
