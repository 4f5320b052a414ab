/* src/diag/circuits.c - diagnostic `circuits`: potential, currents, charges and energies of walls in a
 * circuit or with a dielectric (fields/circuit.h).  Rows and times are those of the diagnostic `integrals`:
 * the middle of a step.  Nothing where no wall is in a circuit. */
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "src/config/internal.h"
#include "src/config/plasma_derived.h"
#include "src/diag/buffered_rows.h"

#define WALLS 2

/* The members of struct wn_field_wall, in its order. */
static const struct wn_output_var vars[] = {
    {WN_VAR("wall_potential", "V", "potential of each wall at the gap"),
     .comment = "of a dielectric: of its face", WN_DIMS("time", "wall")},
    {WN_VAR("surface_charge", "C m-2", "surface charge of each wall by Gauss's law"),
     .comment =
         "eps0 times the field at the wall; with a dielectric, of its face and the "
         "metal behind it",
     WN_DIMS("time", "wall")},
    {WN_VAR("circuit_charge", "C m-2",
            "surface charge that came to each wall by its circuit"),
     WN_DIMS("time", "wall")},
    {WN_VAR("convected_charge", "C m-2",
            "surface charge that particles brought to each wall"),
     .comment =
         "less what they took away; with those that are beyond it in the middle of "
         "the step",
     WN_DIMS("time", "wall")},
    {WN_VAR("circuit_current", "A m-2", "current density of the circuit, into each wall"),
     WN_DIMS("time", "wall")},
    {WN_VAR("source_voltage", "V", "voltage of the source of each circuit"),
     WN_DIMS("time", "wall")},
    {WN_VAR("source_energy", "J m-2",
            "energy that the source of each circuit has given so far"),
     WN_DIMS("time", "wall")},
    {WN_VAR("resistor_energy", "J m-2",
            "energy that the resistor of each circuit has taken so far"),
     WN_DIMS("time", "wall")},
    {WN_VAR("circuit_energy", "J m-2",
            "energy in the capacitors and the inductor of each circuit"),
     .comment = "with that of a dielectric", WN_DIMS("time", "wall")},
};
#define N_VARS (sizeof vars / sizeof vars[0])
_Static_assert(sizeof(struct wn_field_wall) == N_VARS * sizeof(double), "a column each");

struct wn_diag {
  int is_used;    /* a wall is in a circuit */
  uint64_t every; /* steps per row */
  struct wn_buffered_rows rows;
};

static int define(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  (void)g;
  static const struct wn_output_var name = {.name = "wall_name",
                                            .long_name = "wall",
                                            .type = WN_OUT_STRING,
                                            WN_DIMS("wall"),
                                            .is_coordinate = 1};
  if (!wn_plasma_has_circuit(c))
    return WN_OK;
  WN_TRY(wn_output_dim(o, "wall", WALLS));
  WN_TRY(wn_output_define(o, &name));
  return wn_output_define_all(o, vars, N_VARS);
}

static int begin(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  (void)g;
  const char *const name[WALLS] = {wn_plasma_surface_name(c, 0),
                                   wn_plasma_surface_name(c, 1)};
  return wn_plasma_has_circuit(c) ? wn_output_put_string(o, "wall_name", -1, name)
                                  : WN_OK;
}

static void destroy(struct wn_diag *d)
{
  wn_buffered_rows_clear(&d->rows);
  free(d);
}

static int create(const struct wn_sim *s, struct wn_diag **out)
{
  struct wn_diag *d = wn_alloc(1, sizeof *d);
  if (d == NULL)
    return WN_ENOMEM;
  d->is_used = wn_field_has_circuit(s->field);
  d->every = wn_plasma_rows_every(s->c);
  const int status =
      wn_buffered_rows_alike(&d->rows, vars, d->is_used ? N_VARS : 0, WALLS);
  if (status != WN_OK)
    destroy(d);
  else
    *out = d;
  return status;
}

static int sample(struct wn_diag *d, const struct wn_sim *s, struct wn_output *o)
{
  struct wn_field_wall walls[WALLS];
  if (!d->is_used || !wn_step_ends(&s->adaptive.clock, d->every))
    return WN_OK;
  WN_TRY(wn_field_walls(s->field, walls));
  for (int i = 0; i < WALLS; i++) {
    const double *of = (const double *)&walls[i];
    for (size_t k = 0; k < N_VARS; k++)
      wn_buffered_row(&d->rows, k)[i] = of[k];
  }
  return wn_buffered_rows_next(&d->rows, o);
}

static int write(struct wn_diag *d, const struct wn_sim *s, int enough,
                 struct wn_output *o)
{
  (void)enough, (void)s;
  return wn_buffered_rows_flush(&d->rows, o);
}

static int state(struct wn_diag *d, struct wn_state *st)
{
  return d->is_used ? wn_buffered_rows_state(&d->rows, st) : WN_OK;
}

const struct wn_diag_ops wn_diag_circuits = {
    .define = define,
    .begin = begin,
    .create = create,
    .sample = sample,
    .write = write,
    .state = state,
    .free = destroy,
};
