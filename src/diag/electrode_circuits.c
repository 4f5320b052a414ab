/* src/diag/electrode_circuits.c - diagnostic `electrode_circuits`: potential, currents, charges and energies of
 * electrodes inside the grid that are in a circuit (fields/electrode_circuit.h).  Rows and times are those of
 * the diagnostic `integrals`: the middle of a step.  Nothing where none is in a circuit. */
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "fields/electrode_circuit.h"
#include "src/config/electrode_shapes.h"
#include "src/config/internal.h"
#include "src/config/plasma_derived.h"
#include "src/diag/buffered_rows.h"

/* In the order of the columns. */
static const struct wn_output_var vars[] = {
    {WN_VAR("electrode_potential", "V", "potential of each electrode in a circuit"),
     WN_DIMS("time", "electrode")},
    {WN_VAR("electrode_charge", "C", "charge of each electrode by Gauss's law"),
     WN_DIMS("time", "electrode")},
    {WN_VAR("electrode_circuit_charge", "C",
            "charge that came to each electrode by its circuit"),
     WN_DIMS("time", "electrode")},
    {WN_VAR("electrode_convected_charge", "C",
            "charge that particles brought to each electrode"),
     .comment = "less what they took away", WN_DIMS("time", "electrode")},
    {WN_VAR("electrode_current", "A", "current of the circuit, into each electrode"),
     WN_DIMS("time", "electrode")},
    {WN_VAR("electrode_source_voltage", "V", "voltage of the source of each circuit"),
     WN_DIMS("time", "electrode")},
    {WN_VAR("electrode_source_energy", "J",
            "energy that the source of each circuit has given so far"),
     WN_DIMS("time", "electrode")},
    {WN_VAR("electrode_resistor_energy", "J",
            "energy that the resistor of each circuit has taken so far"),
     WN_DIMS("time", "electrode")},
    {WN_VAR("electrode_circuit_energy", "J",
            "energy in the capacitor and the inductor of each circuit"),
     WN_DIMS("time", "electrode")},
};
#define N_VARS (sizeof vars / sizeof vars[0])

struct wn_diag {
  size_t n;       /* electrodes in a circuit */
  uint64_t every; /* steps per row */
  struct wn_buffered_rows rows;
};

/* Surfaces of the electrodes in a circuit; returns their number. */
static size_t loops(const struct wn_config *c, const char *name[WN_MOST_ELECTRODES])
{
  size_t n = 0;
  for (int i = 0; c->model == WN_MODEL_PLASMA && i < wn_electrode_shapes_electrodes(c);
       i++) {
    const int surface = 2 * c->plasma.dim + i;
    const struct wn_wall_circuit of =
        wn_plasma_circuit(wn_electrode_shapes_wall(c, surface));
    if (wn_wall_has_circuit(&of))
      name[n++] = wn_plasma_surface_name(c, surface);
  }
  return n;
}

static int define(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  const char *names[WN_MOST_ELECTRODES];
  const size_t n = loops(c, names);
  (void)g;
  static const struct wn_output_var name = {.name = "electrode_name",
                                            .long_name = "electrode in a circuit",
                                            .type = WN_OUT_STRING,
                                            WN_DIMS("electrode"),
                                            .is_coordinate = 1};
  if (n == 0)
    return WN_OK;
  WN_TRY(wn_output_dim(o, "electrode", n));
  WN_TRY(wn_output_define(o, &name));
  return wn_output_define_all(o, vars, N_VARS);
}

static int begin(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  const char *names[WN_MOST_ELECTRODES];
  (void)g;
  return loops(c, names) > 0 ? wn_output_put_string(o, "electrode_name", -1, names)
                             : WN_OK;
}

static void destroy(struct wn_diag *d)
{
  wn_buffered_rows_clear(&d->rows);
  free(d);
}

static int create(const struct wn_sim *s, struct wn_diag **out)
{
  const char *names[WN_MOST_ELECTRODES];
  struct wn_diag *d = wn_alloc(1, sizeof *d);
  if (d == NULL)
    return WN_ENOMEM;
  d->n = loops(s->c, names);
  d->every = wn_plasma_rows_every(s->c);
  const int status = wn_buffered_rows_alike(&d->rows, vars, d->n > 0 ? N_VARS : 0, d->n);
  if (status != WN_OK)
    destroy(d);
  else
    *out = d;
  return status;
}

static int sample(struct wn_diag *d, const struct wn_sim *s, struct wn_output *o)
{
  const struct wn_electrode_circuits *c = wn_field_loops(s->field);
  if (d->n == 0 || !wn_step_ends(&s->adaptive.clock, d->every))
    return WN_OK;
  for (size_t i = 0; i < d->n; i++) {
    const struct wn_electrode_loop *l = &c->loop[i];
    const double value[N_VARS] = {
        l->level.potential, l->charge,           l->level.charge,
        l->level.convected, l->level.current,    l->level.source,
        l->level.delivered, l->level.dissipated, wn_wall_stored(&l->circuit, &l->level)};
    for (size_t k = 0; k < N_VARS; k++)
      wn_buffered_row(&d->rows, k)[i] = value[k];
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
  return d->n > 0 ? wn_buffered_rows_state(&d->rows, st) : WN_OK;
}

const struct wn_diag_ops wn_diag_electrode_circuits = {
    .define = define,
    .begin = begin,
    .create = create,
    .sample = sample,
    .write = write,
    .state = state,
    .free = destroy,
};
