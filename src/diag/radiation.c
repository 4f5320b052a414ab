/* src/diag/radiation.c - diagnostic `radiation`: what a swarm's electrons radiate, and the ledger of photons (src/sim/radiation.h).
 * Rates and powers are per electron, over the time since the last reset of the tally, with the jackknife over groups; counts and energies of
 * photons and positrons are those of the case from its beginning.  Nothing without radiation. */
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "src/diag/diag.h"
#include "src/sim/radiation.h"

static const struct {
  const char *name, *units, *long_name, *comment;
  enum wn_radiation_sum what;
} rates[] = {
    {"photon_rate", "s-1", "photons emitted, per electron", NULL, WN_RADIATION_PHOTONS},
    {"power_photons", "eV s-1", "power of the photons emitted, per electron", NULL,
     WN_RADIATION_HARD},
    {"power_soft_photons", "eV s-1",
     "power radiated below radiation.photons_min, per electron", "a continuous loss",
     WN_RADIATION_SOFT},
    {"freed_rate", "s-1",
     "electrons that photons and positrons free and that join, per electron", NULL,
     WN_RADIATION_FREED},
    {"power_freed", "eV s-1", "kinetic energy that these bring, per electron", NULL,
     WN_RADIATION_FREED_ENERGY},
};
#define N_RATES (sizeof rates / sizeof rates[0])

enum {
  EMITTED,
  FLYING,
  PHOTOELECTRIC,
  COMPTON,
  RAYLEIGH,
  PAIRS,
  ANNIHILATED,
  BELOW,
  JOINED,
  STOPPED,
  POSITRONS,
  LOST,
  N_COUNTS
};
static const struct wn_output_var counts[N_COUNTS] = {
    [EMITTED] = {WN_VAR("photons_emitted", "1", "photons emitted, not weighted"),
                 .type = WN_OUT_INT64, WN_DIMS("field")},
    [FLYING] = {WN_VAR("photons_flying", "1", "photons in flight at the end"),
                .type = WN_OUT_INT64, WN_DIMS("field")},
    [PHOTOELECTRIC] = {WN_VAR("photons_absorbed", "1", "photoelectric absorptions"),
                       .type = WN_OUT_INT64, WN_DIMS("field")},
    [COMPTON] = {WN_VAR("photons_compton", "1", "Compton scatterings"),
                 .type = WN_OUT_INT64, WN_DIMS("field")},
    [RAYLEIGH] = {WN_VAR("photons_rayleigh", "1", "Rayleigh scatterings"),
                  .type = WN_OUT_INT64, WN_DIMS("field")},
    [PAIRS] = {WN_VAR("photons_pairs", "1", "pairs made"), .type = WN_OUT_INT64,
               WN_DIMS("field")},
    [ANNIHILATED] = {WN_VAR("positrons_annihilated", "1", "positrons that annihilated"),
                     .type = WN_OUT_INT64, WN_DIMS("field")},
    [BELOW] = {WN_VAR("photons_below", "1",
                      "photons that ended below radiation.photons_min"),
               .type = WN_OUT_INT64, WN_DIMS("field")},
    [JOINED] = {WN_VAR("photons_electrons", "1",
                       "electrons of photons and positrons that joined"),
                .type = WN_OUT_INT64, WN_DIMS("field")},
    [STOPPED] = {WN_VAR("photons_electrons_stopped", "1",
                        "electrons of photons and positrons below stop_below"),
                 .type = WN_OUT_INT64, WN_DIMS("field")},
    [POSITRONS] = {WN_VAR("positrons_not_followed", "1",
                          "positrons of pairs that were counted and left"),
                   .type = WN_OUT_INT64, WN_DIMS("field")},
    [LOST] = {WN_VAR("photons_lost", "1", "photons that lost in roulette"),
              .type = WN_OUT_INT64, WN_DIMS("field")},
};

enum {
  E_EMITTED,
  E_FLYING,
  E_DEPOSITED,
  E_CHARGED,
  E_STOPPED,
  E_POSITRONS,
  E_REST,
  E_ROULETTE,
  E_SCALED,
  E_RESIDUAL,
  N_ENERGIES
};
static const struct wn_output_var energies[N_ENERGIES] = {
    [E_EMITTED] = {WN_VAR("photons_energy_emitted", "eV",
                          "energy of the photons emitted, weighted"),
                   WN_DIMS("field")},
    [E_FLYING] = {WN_VAR("photons_energy_flying", "eV",
                         "energy of photons in flight at the end"),
                  WN_DIMS("field")},
    [E_DEPOSITED] = {WN_VAR("photons_energy_deposited", "eV",
                            "energy deposited in the gas by photons"),
                     .comment = "binding energies, photons below radiation.photons_min, "
                                "and positrons at rest",
                     WN_DIMS("field")},
    [E_CHARGED] = {WN_VAR("photons_energy_charged", "eV",
                          "kinetic energy of electrons and positrons of photons"),
                   .comment = "those of the two below are part of it", WN_DIMS("field")},
    [E_STOPPED] = {WN_VAR("photons_energy_stopped", "eV",
                          "kinetic energy of electrons of photons and positrons below "
                          "stop_below"),
                   WN_DIMS("field")},
    [E_POSITRONS] = {WN_VAR("positrons_energy", "eV",
                            "kinetic energy of positrons_not_followed"),
                     WN_DIMS("field")},
    [E_REST] = {WN_VAR("photons_energy_rest", "eV",
                       "rest energy of pairs less that of annihilations"),
                WN_DIMS("field")},
    [E_ROULETTE] = {WN_VAR("photons_energy_roulette", "eV",
                           "energy that roulette took less what it gave"),
                    .comment = "0 in the mean", WN_DIMS("field")},
    [E_SCALED] = {WN_VAR("photons_energy_scaled", "eV",
                         "energy taken by the scaling of weights"),
                  WN_DIMS("field")},
    [E_RESIDUAL] =
        {WN_VAR("photons_energy_residual", "eV",
                "emitted, and returned by positrons that annihilate in flight, less "
                "flying, deposited, charged, rest, roulette and scaled"),
         .comment = "rounding to 1/1024 eV for each entry", WN_DIMS("field")},
};

/* Of positrons that move. */
enum {
  P_BORN,
  P_FLYING,
  P_IN_FLIGHT,
  P_AT_REST,
  P_ENDED,
  P_ELECTRONS,
  P_PHOTONS,
  P_CHARGE,
  N_POSITRON_COUNTS
};
static const struct wn_output_var positron_counts[N_POSITRON_COUNTS] = {
    [P_BORN] = {WN_VAR("positrons_born", "1", "positrons of pairs"), .type = WN_OUT_INT64,
                WN_DIMS("field")},
    [P_FLYING] = {WN_VAR("positrons_flying", "1", "positrons that move at the end"),
                  .type = WN_OUT_INT64, WN_DIMS("field")},
    [P_IN_FLIGHT] = {WN_VAR("positrons_annihilated_in_flight", "1",
                            "positrons that annihilated in flight"),
                     .type = WN_OUT_INT64, WN_DIMS("field")},
    [P_AT_REST] = {WN_VAR("positrons_annihilated_at_rest", "1",
                          "positrons that annihilated below radiation.positrons_stop"),
                   .type = WN_OUT_INT64, WN_DIMS("field")},
    [P_ENDED] = {WN_VAR("positrons_ended", "1",
                        "positrons whose weight fell below 1e-30"),
                 .type = WN_OUT_INT64, WN_DIMS("field")},
    [P_ELECTRONS] = {WN_VAR("positrons_electrons", "1",
                            "electrons freed above radiation.positrons_cut"),
                     .type = WN_OUT_INT64, WN_DIMS("field")},
    [P_PHOTONS] = {WN_VAR("positrons_photons", "1",
                          "photons of bremsstrahlung of positrons"),
                   .comment = "part of photons_emitted", .type = WN_OUT_INT64,
                   WN_DIMS("field")},
    [P_CHARGE] = {WN_VAR("radiation_charge_residual", "1",
                         "ions left and positrons less electrons freed, not weighted"),
                  .comment =
                      "an ion for each absorption, Compton scattering, electron of "
                      "a positron and annihilation",
                  .type = WN_OUT_INT64, WN_DIMS("field")},
};

enum {
  PE_BORN,
  PE_WORK,
  PE_COLLISION,
  PE_SOFT,
  PE_ELECTRONS,
  PE_PHOTONS,
  PE_STOPPED,
  PE_IN_FLIGHT,
  PE_SCALED,
  PE_FLYING,
  PE_RESIDUAL,
  PE_CHARGE,
  N_POSITRON_ENERGIES
};
static const struct wn_output_var positron_energies[N_POSITRON_ENERGIES] = {
    [PE_BORN] = {WN_VAR("positrons_energy_born", "eV",
                        "kinetic energy at birth, weighted"),
                 .comment = "part of photons_energy_charged", WN_DIMS("field")},
    [PE_WORK] = {WN_VAR("positrons_energy_field", "eV", "work of the field on positrons"),
                 WN_DIMS("field")},
    [PE_COLLISION] = {WN_VAR("positrons_energy_deposited", "eV",
                             "lost in collisions below radiation.positrons_cut"),
                      WN_DIMS("field")},
    [PE_SOFT] = {WN_VAR("positrons_energy_soft", "eV",
                        "radiated below radiation.photons_min"),
                 WN_DIMS("field")},
    [PE_ELECTRONS] = {WN_VAR("positrons_energy_electrons", "eV",
                             "kinetic energy of positrons_electrons"),
                      WN_DIMS("field")},
    [PE_PHOTONS] = {WN_VAR("positrons_energy_photons", "eV",
                           "energy of positrons_photons"),
                    .comment = "part of photons_energy_emitted", WN_DIMS("field")},
    [PE_STOPPED] = {WN_VAR("positrons_energy_stopped", "eV",
                           "kinetic energy below radiation.positrons_stop, deposited"),
                    WN_DIMS("field")},
    [PE_IN_FLIGHT] = {WN_VAR("positrons_energy_annihilated", "eV",
                             "kinetic energy at annihilation in flight"),
                      .comment = "returned to the photons' ledger", WN_DIMS("field")},
    [PE_SCALED] = {WN_VAR("positrons_energy_scaled", "eV",
                          "energy taken by the scaling of weights"),
                   WN_DIMS("field")},
    [PE_FLYING] = {WN_VAR("positrons_energy_flying", "eV",
                          "kinetic energy of positrons_flying"),
                   WN_DIMS("field")},
    [PE_RESIDUAL] = {WN_VAR("positrons_energy_residual", "eV",
                            "born and of the field, less all the rest"),
                     .comment = "rounding to 1/1024 eV for each entry", WN_DIMS("field")},
    [PE_CHARGE] = {WN_VAR("positrons_charge_residual", "1",
                          "weight of positrons born less annihilated, scaled and flying"),
                   .comment = "rounding to 2^-20 for each entry", WN_DIMS("field")},
};

static int moves(const struct wn_config *c)
{
  return c->radiation.positrons == WN_POSITRONS_MOVING;
}

static int define(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  static const struct wn_output_var vars[] = {
      {WN_VAR("photon_energy_bounds", "eV", "energy of a photon, edges of the bin"),
       WN_DIMS("photon_energy", "bound")},
      {WN_VAR("photon_spectrum", "s-1 eV-1",
              "photons emitted, per electron, time and energy of the photon"),
       WN_DIMS("field", "photon_energy")}};
  (void)g;
  if (!wn_config_radiates(c))
    return WN_OK;
  WN_TRY(
      wn_output_dim(o, "photon_energy", wn_radiation_bins(c->radiation.photons_min_ev)));
  for (size_t i = 0; i < N_RATES; i++)
    WN_TRY(wn_diag_define_quantity(o, rates[i].name, rates[i].units, rates[i].long_name,
                                   rates[i].comment));
  WN_TRY(wn_output_define_all(o, vars, sizeof vars / sizeof vars[0]));
  WN_TRY(wn_output_define_all(o, counts, N_COUNTS));
  WN_TRY(wn_output_define_all(o, energies, N_ENERGIES));
  if (!moves(c))
    return WN_OK;
  WN_TRY(wn_output_define_all(o, positron_counts, N_POSITRON_COUNTS));
  return wn_output_define_all(o, positron_energies, N_POSITRON_ENERGIES);
}

static int begin(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  (void)g;
  if (!wn_config_radiates(c))
    return WN_OK;
  const size_t n = wn_radiation_bins(c->radiation.photons_min_ev);
  double *edge = wn_alloc(n + 1, sizeof *edge), *bound = wn_alloc(2 * n, sizeof *bound);
  int status = edge != NULL && bound != NULL ? WN_OK : WN_ENOMEM;
  if (status == WN_OK) {
    wn_radiation_edges(c->radiation.photons_min_ev, edge);
    for (size_t i = 0; i < n; i++) {
      bound[2 * i] = edge[i];
      bound[2 * i + 1] = edge[i + 1];
    }
    status = wn_output_put(o, "photon_energy_bounds", -1, bound);
  }
  free(edge);
  free(bound);
  return status;
}

struct ask {
  const struct wn_sim *s;
  enum wn_radiation_sum what;
};

static double rate(const void *ctx, long leave_out)
{
  const struct ask *a = ctx;
  return wn_radiation_sum(a->s, a->what, leave_out) / wn_diag_time(a->s, leave_out);
}

static int put_spectrum(const struct wn_sim *s, struct wn_output *o)
{
  const double cut_ev = s->c->radiation.photons_min_ev;
  const size_t n = wn_radiation_bins(cut_ev);
  double *edge = wn_alloc(n + 1, sizeof *edge), *number = wn_alloc(n, sizeof *number);
  int status = edge != NULL && number != NULL ? WN_OK : WN_ENOMEM;
  if (status == WN_OK) {
    wn_radiation_edges(cut_ev, edge);
    wn_radiation_spectrum(s, number);
    for (size_t i = 0; i < n; i++)
      number[i] /= wn_diag_time(s, -1) * (edge[i + 1] - edge[i]);
    status = wn_output_put(o, "photon_spectrum", (long)s->i_case, number);
  }
  free(edge);
  free(number);
  return status;
}

static int put_ledger(const struct wn_sim *s, struct wn_output *o)
{
  const struct wn_photon_transport *t = wn_radiation_photons(s);
  const struct wn_photon_totals all = wn_photon_transport_totals(t);
  const struct wn_photon_ledger *l = &all.ledger;
  const struct wn_radiation_counts n = wn_radiation_counts(s);
  const long long number[N_COUNTS] = {
      [EMITTED] = l->n_released,
      [FLYING] = all.n,
      [PHOTOELECTRIC] = l->n_process[WN_PHOTON_PHOTOELECTRIC],
      [COMPTON] = l->n_process[WN_PHOTON_INCOHERENT],
      [RAYLEIGH] = l->n_process[WN_PHOTON_COHERENT],
      [PAIRS] = l->n_process[WN_PHOTON_PAIR] + l->n_process[WN_PHOTON_TRIPLET],
      [ANNIHILATED] = l->n_annihilated,
      [BELOW] = l->n_below_cut,
      [JOINED] = n.joined,
      [STOPPED] = n.stopped,
      [POSITRONS] = n.positrons,
      [LOST] = l->n_lost};
  const double energy[N_ENERGIES] = {
      [E_EMITTED] = (double)l->released / WN_PHOTON_QUANTA,
      [E_FLYING] = (double)all.flying / WN_PHOTON_QUANTA,
      [E_DEPOSITED] = (double)l->deposited / WN_PHOTON_QUANTA,
      [E_CHARGED] = (double)l->charged / WN_PHOTON_QUANTA,
      [E_STOPPED] = n.stopped_ev,
      [E_POSITRONS] = n.positrons_ev,
      [E_REST] = (double)l->rest / WN_PHOTON_QUANTA,
      [E_ROULETTE] = (double)l->roulette / WN_PHOTON_QUANTA,
      [E_SCALED] = (double)l->scaled / WN_PHOTON_QUANTA,
      [E_RESIDUAL] = (double)wn_photon_ledger_off(t) / WN_PHOTON_QUANTA};
  for (int i = 0; i < N_COUNTS; i++)
    WN_TRY(wn_output_put_int(o, counts[i].name, (long)s->i_case, &number[i]));
  for (int i = 0; i < N_ENERGIES; i++)
    WN_TRY(wn_output_put(o, energies[i].name, (long)s->i_case, &energy[i]));
  return WN_OK;
}

/* Ions left by photons and positrons, and positrons, less electrons that were freed: each event makes as much of both signs. */
static long long charge_off(const struct wn_sim *s, const struct wn_positron_totals *all)
{
  const struct wn_photon_totals photons =
      wn_photon_transport_totals(wn_radiation_photons(s));
  const struct wn_photon_ledger *l = &photons.ledger;
  const struct wn_positron_ledger *p = &all->ledger;
  const struct wn_radiation_counts n = wn_radiation_counts(s);
  const long long ions = l->n_process[WN_PHOTON_PHOTOELECTRIC] +
                         l->n_process[WN_PHOTON_INCOHERENT] + p->n_electrons +
                         l->n_annihilated;
  return ions + all->n + p->n_ended - n.joined - n.stopped;
}

static int put_positrons(const struct wn_sim *s, struct wn_output *o)
{
  const struct wn_positron_transport *t = wn_radiation_positrons(s);
  const struct wn_positron_totals all = wn_positron_transport_totals(t);
  const struct wn_positron_ledger *l = &all.ledger;
  const long long number[N_POSITRON_COUNTS] = {
      [P_BORN] = l->n_born,           [P_FLYING] = all.n,
      [P_IN_FLIGHT] = l->n_in_flight, [P_AT_REST] = l->n_at_rest,
      [P_ENDED] = l->n_ended,         [P_ELECTRONS] = l->n_electrons,
      [P_PHOTONS] = l->n_photons,     [P_CHARGE] = charge_off(s, &all)};
  const int64_t quanta[N_POSITRON_ENERGIES] = {[PE_BORN] = l->born,
                                               [PE_WORK] = l->work,
                                               [PE_COLLISION] = l->collision,
                                               [PE_SOFT] = l->soft,
                                               [PE_ELECTRONS] = l->electrons,
                                               [PE_PHOTONS] = l->photons,
                                               [PE_STOPPED] = l->stopped,
                                               [PE_IN_FLIGHT] = l->annihilated,
                                               [PE_SCALED] = l->scaled,
                                               [PE_FLYING] = all.flying,
                                               [PE_RESIDUAL] = wn_positron_ledger_off(t),
                                               [PE_CHARGE] = wn_positron_charge_off(t)};
  for (int i = 0; i < N_POSITRON_COUNTS; i++)
    WN_TRY(wn_output_put_int(o, positron_counts[i].name, (long)s->i_case, &number[i]));
  for (int i = 0; i < N_POSITRON_ENERGIES; i++) {
    const double value = (double)quanta[i] / (i == PE_CHARGE ? WN_POSITRON_CHARGE_QUANTA
                                                             : WN_POSITRON_QUANTA);
    WN_TRY(wn_output_put(o, positron_energies[i].name, (long)s->i_case, &value));
  }
  return WN_OK;
}

static int write(struct wn_diag *d, const struct wn_sim *s, int enough,
                 struct wn_output *o)
{
  (void)d;
  if (!wn_radiation_is_on(s))
    return WN_OK;
  for (size_t i = 0; i < N_RATES && enough; i++) {
    const struct ask a = {s, rates[i].what};
    WN_TRY(wn_diag_put(
        o, rates[i].name, s->i_case,
        wn_stats_jackknife((size_t)s->species[0]->shape.n_groups, rate, &a, NULL)));
  }
  if (enough)
    WN_TRY(put_spectrum(s, o));
  WN_TRY(put_ledger(s, o));
  return wn_radiation_positrons(s) != NULL ? put_positrons(s, o) : WN_OK;
}

const struct wn_diag_ops wn_diag_radiation = {
    .define = define,
    .begin = begin,
    .write = write,
};
