/* fields/electrostatic_electrodes.c - electrodes and dielectrics of the field `electrostatic`, wherever its grids are: their
 * nodes and edges, which the solver gets, and E beside them on the host.  See electrostatic_parts.h. */
#include "base/error.h"
#include "fields/electrostatic_parts.h"

int wn_electrostatic_make_electrodes(struct wn_electrostatic *f)
{
  struct wn_poisson_spec *s = &f->spec.poisson;
  struct wn_geometry *g = &s->geometry;
  const int sides = 2 * g->dim;
  WN_TRY(
      wn_electrodes_create(g, s->side, f->spec.shape, f->spec.n_shapes, &f->electrodes));
  for (int i = 0; i < sides + f->spec.n_electrodes; i++) {
    f->surface[i] = i < sides ? wn_geometry_side(g, i) : (struct wn_surface){.name = ""};
    f->surface[i].potential = i < sides ? (int32_t)s->side[i] : WN_DIRICHLET;
  }
  g->surface = f->surface;
  g->n_surfaces = sides + f->spec.n_electrodes;
  WN_TRY(wn_electrode_shares_create(f->electrodes, g, s->side, &f->shares));
  g->held = f->spec.n_electrodes > 0 ? f->electrodes->held : NULL;
  if (f->electrodes->dielectrics != NULL) {
    s->link = f->electrodes->dielectrics->link;
    s->n_links = f->electrodes->dielectrics->n_links;
  }
  for (int d = 0; d < g->dim; d++)
    s->edge[d] = f->electrodes->edge[d];
  return WN_OK;
}

void wn_electrostatic_free_electrodes(struct wn_electrostatic *f)
{
  wn_electrode_circuits_free(f->loops);
  wn_electrode_shares_free(f->shares);
  wn_electrodes_free(f->electrodes);
}

void wn_electrostatic_lift(struct wn_electrostatic *f)
{
  wn_electrode_shares_apply(f->shares, f->rho, f->background);
  wn_electrodes_lift(f->electrodes, f->shares->rho);
}
