/* src/config/wall_circuits.c - rules between the keys of circuits and dielectrics at walls of model plasma */
#include "src/config/reader.h"

#include "src/config/plasma_derived.h"

/* F/m2: with a smaller one the arithmetic could overflow, and no wall has one */
#define LEAST_CAPACITANCE 1e-20

static struct wn_given of(const struct wn_reader *r, int side, const char *last)
{
  return wn_reader_given(r, "walls", wn_config_walls.names[side], last);
}

/* The first key by which a side is in a circuit; NULL: none is. */
static const char *first_key(const struct wn_cfg_wall *w)
{
  return w->capacitance != WN_AUTO     ? "capacitance"
         : w->resistance > 0           ? "resistance"
         : w->inductance > 0           ? "inductance"
         : w->dielectric_thickness > 0 ? "dielectric_thickness"
                                       : NULL;
}

/* Where circuits are solved; the first reason why not is said at the first key. */
static void check_place(struct wn_reader *r, int side, const char *key)
{
  const struct wn_cfg_plasma *p = &r->c->plasma;
  const struct wn_given k = of(r, side, key);
  const char *other = wn_config_walls.names[side ^ 1];
  if (p->dim > 1)
    wn_reader_error(r, k.entry, k.key,
                    "walls in a circuit and dielectric walls are those of one dimension, "
                    "and the grid has %d axes",
                    p->dim);
  else if (p->wall[side].field != WN_DIRICHLET)
    wn_reader_error(r, k.entry, k.key,
                    "only a dirichlet side is in a circuit; set walls.%s.field = "
                    "\"dirichlet\", or remove the key",
                    wn_config_walls.names[side]);
  else if (p->wall[side ^ 1].field != WN_DIRICHLET)
    wn_reader_error(r, k.entry, k.key,
                    "the current returns through the other side, which must be "
                    "dirichlet, too; set walls.%s.field = \"dirichlet\"",
                    other);
  else if (p->solver != WN_POISSON_DIFFERENCES)
    wn_reader_error(r, k.entry, k.key,
                    "the charge of the wall is that of the differences; set "
                    "plasma.solver = \"differences\"");
}

static void check_side(struct wn_reader *r, int side)
{
  const struct wn_cfg_wall *w = &r->c->plasma.wall[side];
  const struct wn_given capacitance = of(r, side, "capacitance"),
                        permittivity = of(r, side, "dielectric_permittivity");
  const char *key = first_key(w);
  if (key != NULL)
    check_place(r, side, key);
  if (w->capacitance > 0 && w->capacitance < LEAST_CAPACITANCE)
    wn_reader_error(r, capacitance.entry, capacitance.key,
                    "%.9g F/m2; allowed: 0, or from %g to 1e6 F/m2", w->capacitance,
                    LEAST_CAPACITANCE);
  if (permittivity.entry != NULL && w->dielectric_thickness == 0 &&
      of(r, side, "dielectric_thickness").entry == NULL)
    wn_reader_error(r, permittivity.entry, permittivity.key,
                    "has no effect without walls.%s.dielectric_thickness",
                    wn_config_walls.names[side]);
  if (w->capacitance != 0)
    return;
  static const char *const without[] = {"resistance", "inductance",
                                        "dielectric_thickness"};
  const double value[] = {w->resistance, w->inductance, w->dielectric_thickness};
  for (int i = 0; i < 3; i++) {
    const struct wn_given k = of(r, side, without[i]);
    if (value[i] > 0)
      wn_reader_error(r, k.entry, k.key,
                      "has no effect: walls.%s.capacitance is 0, so that nothing is "
                      "connected to the wall",
                      wn_config_walls.names[side]);
  }
}

void wn_config_check_circuits(struct wn_reader *r)
{
  const struct wn_cfg_plasma *p = &r->c->plasma;
  for (int side = 0; side < 2 * p->dim; side++)
    check_side(r, side);
  if (p->dim == 1 && p->wall[0].capacitance == 0 && p->wall[1].capacitance == 0) {
    const struct wn_given k = of(r, 1, "capacitance");
    wn_reader_error(r, k.entry, k.key,
                    "both walls float, and nothing fixes the potential; connect one of "
                    "them: walls.x_low.capacitance, too, is 0");
  }
}
