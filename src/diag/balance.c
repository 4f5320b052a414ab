/* src/diag/balance.c - diagnostic `balance`: the energy balance of a swarm, with errors.  A
 * swarm in steady exponential growth gains from the field what its processes take and what
 * the growth of its number requires:
 *
 *   gained = sum over processes of lost + mean energy * growth rate       eV/s, per electron
 *
 * and, with radiation, what is radiated less what electrons freed by photons bring.
 *
 * The ledger (ledger.c) closes to rounding for any swarm; this balance closes only for a
 * steady one.  `lost` to attachment is the whole energy of the electron; `lost` to
 * ionization is the energy of the molecule and the recoil: the energy of a newborn stays
 * with the swarm, and is in the growth term.  All terms are sums of groups over their time
 * lived, each with its jackknife; so is the difference, whose terms are correlated. */
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "src/diag/diag.h"
#include "src/sim/radiation.h"

enum term { GAINED, LOST, GROWTH, REST };

struct ask {
  const struct wn_sim *s;
  enum term term;
  size_t process; /* for LOST */
};

static double lost(const struct wn_sim *s, size_t process, long leave_out)
{
  const struct wn_species *electrons = s->species[0];
  const size_t n = (size_t)electrons->shape.n_processes;
  double sum = 0.0;
  for (long g = 0; g < electrons->shape.n_groups; g++)
    if (g != leave_out)
      sum += (double)electrons->tally.lost[(size_t)g * n + process];
  return sum / WN_FIX_ENERGY / wn_diag_time(s, leave_out);
}

static double gained(const struct wn_sim *s, long leave_out)
{
  return wn_diag_group_sum(s, offsetof(struct wn_tally_group, gained), leave_out) /
         WN_FIX_ENERGY / wn_diag_time(s, leave_out);
}

static double dropped(const struct wn_sim *s, long leave_out)
{
  return wn_diag_group_sum(s, offsetof(struct wn_tally_group, dropped), leave_out) /
         WN_FIX_ENERGY / wn_diag_time(s, leave_out);
}

/* By radiation, less what electrons bring that photons free. */
static double radiated(const struct wn_sim *s, long leave_out)
{
  return (wn_radiation_sum(s, WN_RADIATION_HARD, leave_out) +
          wn_radiation_sum(s, WN_RADIATION_SOFT, leave_out) -
          wn_radiation_sum(s, WN_RADIATION_FREED_ENERGY, leave_out)) /
         wn_diag_time(s, leave_out);
}

/* Mean energy times growth rate, from the same counts as the other terms. */
static double growth(const struct wn_sim *s, long leave_out)
{
  double net = 0.0;
  for (int k = 0; k < s->species[0]->shape.n_processes; k++) {
    const int kind = wn_xs_table_process(s->gas->table, k)->kind;
    if (kind == WN_PROC_IONIZATION)
      net += wn_diag_count(s, (size_t)k, leave_out);
    if (kind == WN_PROC_ATTACHMENT)
      net -= wn_diag_count(s, (size_t)k, leave_out);
  }
  net += wn_diag_joined(s, leave_out) - wn_diag_removed(s, leave_out);
  return net / wn_diag_time(s, leave_out) * wn_transport_energy_of(s, leave_out);
}

static double term(const void *ctx, long leave_out)
{
  const struct ask *a = ctx;
  if (a->term == GAINED)
    return gained(a->s, leave_out);
  if (a->term == LOST)
    return lost(a->s, a->process, leave_out);
  if (a->term == GROWTH)
    return growth(a->s, leave_out);
  double rest = gained(a->s, leave_out) - growth(a->s, leave_out) -
                dropped(a->s, leave_out) - radiated(a->s, leave_out);
  for (int k = 0; k < a->s->species[0]->shape.n_processes; k++)
    rest -= lost(a->s, (size_t)k, leave_out);
  return rest;
}

static struct wn_estimate estimate(const struct ask *a)
{
  return wn_stats_jackknife((size_t)a->s->species[0]->shape.n_groups, term, a, NULL);
}

static const struct {
  const char *name, *long_name, *comment;
  enum term term;
} quantities[] = {
    {"power_gained", "power gained from the field, per electron",
     "the same quantity as energy_gained, with its error", GAINED},
    {"power_growth",
     "power required by the growth of the number of electrons, per electron",
     "mean energy times counted growth rate; negative if the number falls", GROWTH},
    {"power_balance", "power gained minus power lost to all processes and to growth",
     "zero within its error in a swarm of steady exponential growth", REST},
};
#define N_QUANTITIES (sizeof quantities / sizeof quantities[0])

static int define(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  (void)c, (void)g;
  static const struct wn_output_var of_process = {
      WN_VAR("power_lost", "eV s-1", "power lost to the process, per electron"),
      .comment = "the same quantity as energy_lost, with its error; ionization: without "
                 "the energy of newborns; attachment: the whole energy of the electron",
      WN_DIMS("field", "process"), .with_error = 1};
  for (size_t i = 0; i < N_QUANTITIES; i++)
    WN_TRY(wn_diag_define_quantity(o, quantities[i].name, "eV s-1",
                                   quantities[i].long_name, quantities[i].comment));
  return wn_output_define(o, &of_process);
}

static struct wn_estimate of_process(const void *ctx, size_t process)
{
  const struct ask a = {ctx, LOST, process};
  return estimate(&a);
}

static int write(struct wn_diag *d, const struct wn_sim *s, int enough,
                 struct wn_output *o)
{
  (void)d;
  if (!enough)
    return WN_OK;
  for (size_t i = 0; i < N_QUANTITIES; i++) {
    const struct ask a = {s, quantities[i].term, 0};
    WN_TRY(wn_diag_put(o, quantities[i].name, s->i_case, estimate(&a)));
  }
  return wn_diag_put_estimates(o, "power_lost", s->i_case,
                               (size_t)s->species[0]->shape.n_processes, of_process, s);
}

const struct wn_diag_ops wn_diag_balance = {
    .define = define,
    .write = write,
};
