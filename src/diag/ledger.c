/* src/diag/ledger.c - diagnostic `ledger`: gains and losses of the electrons' energy since the last reset
 * of the tally, whose sum must be zero; and the numbers of candidates and real collisions of the case. */
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "src/diag/diag.h"
#include "src/sim/radiation.h"

static int define(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  static const struct wn_output_var vars[] = {
      {WN_VAR("energy_gained", "eV s-1",
              "energy gained from the field, per electron and second"),
       WN_DIMS("field")},
      {WN_VAR("energy_lost", "eV s-1",
              "energy lost to the process, per electron and second"),
       WN_DIMS("field", "process"),
       .comment = "recoil included; attachment counts the whole energy of the electron"},
      {WN_VAR("energy_removed", "eV s-1",
              "energy of electrons removed above runaway.stop_above or below "
              "stop_below, per electron and second"),
       WN_DIMS("field")},
      {WN_VAR("energy_carried", "eV s-1",
              "growth of the energy of the living electrons, per electron and second"),
       .comment = "NaN, as is the residual, if a store was full that had been less than "
                  "an eighth full one step before",
       WN_DIMS("field")},
      {WN_VAR("energy_residual", "eV s-1",
              "gained minus lost minus removed minus carried, and minus radiated where "
              "there "
              "is radiation: unaccounted energy"),
       WN_DIMS("field"),
       .comment = "rounding of the stored momentum (single precision) and of the sums"},
      {WN_VAR("candidates", "1", "candidate collisions simulated, null ones included"),
       .type = WN_OUT_INT64, WN_DIMS("field")},
      {WN_VAR("real_collisions", "1", "real collisions simulated"), .type = WN_OUT_INT64,
       WN_DIMS("field")},
  };
  (void)c, (void)g;
  return wn_output_define_all(o, vars, sizeof vars / sizeof vars[0]);
}

static int put_ledger(const struct wn_sim *s, struct wn_output *o)
{
  struct wn_species *electrons = s->species[0];
  const struct wn_tally *t = &electrons->tally;
  size_t n = (size_t)electrons->shape.n_processes;
  double *lost = wn_alloc(n, sizeof *lost), time = wn_diag_time(s, -1);
  if (lost == NULL)
    return WN_ENOMEM;
  double gained = 0.0, removed = 0.0, carried = NAN, residual;
  int status = wn_species_carried(electrons, &carried);
  carried /= time;
  for (size_t g = 0; g < (size_t)electrons->shape.n_groups; g++) {
    gained += (double)t->group[g].gained / WN_FIX_ENERGY / time;
    removed += (double)t->group[g].dropped / WN_FIX_ENERGY / time;
    for (size_t k = 0; k < n; k++)
      lost[k] += (double)t->lost[g * n + k] / WN_FIX_ENERGY / time;
  }
  const double radiated = (wn_radiation_sum(s, WN_RADIATION_HARD, -1) +
                           wn_radiation_sum(s, WN_RADIATION_SOFT, -1)) /
                          time;
  residual = gained - removed - carried - radiated;
  for (size_t k = 0; k < n; k++)
    residual -= lost[k];
  const struct {
    const char *name;
    const double *value;
  } put[] = {{"energy_gained", &gained},
             {"energy_lost", lost},
             {"energy_removed", &removed},
             {"energy_carried", &carried},
             {"energy_residual", &residual}};
  for (size_t k = 0; k < sizeof put / sizeof put[0] && status == WN_OK; k++)
    status = wn_output_put(o, put[k].name, (long)s->i_case, put[k].value);
  free(lost);
  return status;
}

static int write(struct wn_diag *d, const struct wn_sim *s, int enough,
                 struct wn_output *o)
{
  long long candidates = (long long)s->species[0]->candidates,
            real = (long long)s->species[0]->real;
  (void)d;
  if (enough)
    WN_TRY(put_ledger(s, o));
  WN_TRY(wn_output_put_int(o, "candidates", (long)s->i_case, &candidates));
  return wn_output_put_int(o, "real_collisions", (long)s->i_case, &real);
}

const struct wn_diag_ops wn_diag_ledger = {
    .define = define,
    .write = write,
};
