/* src/config/radiation_rules.c - rules for radiation of swarms, and for the files of photon data */
#include <string.h>
#include "src/config/reader.h"
#include "physics/photons/bremsstrahlung.h"
#include "physics/photons/flight.h"
#include "physics/photons/positron.h"

#define SWITCH "radiation.photons_min"

static bool names_file(const struct wn_cfg_component *g)
{
  return g->photons_file != NULL && *g->photons_file;
}

struct part {
  const char *key;
  bool usual;
};

/* Those that are given have no effect; a resolved scenario has their defaults. */
static void no_effect(struct wn_reader *r, const struct part *p, size_t n,
                      const char *without)
{
  for (size_t i = 0; i < n; i++)
    if (!p[i].usual)
      wn_reader_error(r, wn_reader_find(r, p[i].key), p[i].key,
                      "has no effect without %s", without);
}

#define POSITRONS_EV 1e4 /* the default of cut and stop */

/* Keys of positrons that move. */
static void check_positrons(struct wn_reader *r, const char *without)
{
  const struct wn_config *c = r->c;
  const struct part part[] = {
      {"radiation.positrons_cut", c->radiation.positrons_cut_ev == POSITRONS_EV},
      {"radiation.positrons_stop", c->radiation.positrons_stop_ev == POSITRONS_EV},
      {"radiation.positrons_brems",
       c->radiation.positrons_brems == WN_POSITRON_BREMS_RATIO}};
  no_effect(r, part, sizeof part / sizeof *part, without);
}

/* Keys that a run without radiation does not use. */
static void check_unused(struct wn_reader *r)
{
  const struct wn_config *c = r->c;
  const struct part part[] = {
      {"radiation.compton", c->radiation.compton == WN_PHOTON_BOUND},
      {"radiation.rayleigh", c->radiation.rayleigh == WN_PHOTON_NO_RAYLEIGH},
      {"radiation.angle", c->radiation.angle == WN_BREMS_2BS},
      {"radiation.positrons", c->radiation.positrons == WN_POSITRONS_COUNTED},
      {"radiation.roulette_weight", c->radiation.roulette_weight == 0.0},
      {"radiation.roulette_below", c->radiation.roulette_below_ev == WN_AUTO}};
  no_effect(r, part, sizeof part / sizeof *part, SWITCH);
  check_positrons(r, SWITCH);
  for (size_t i = 0; i < c->n_components; i++) {
    const struct wn_given file =
        wn_reader_given(r, "gas.components", c->components[i].name, "photons");
    if (names_file(&c->components[i]))
      wn_reader_error(r, file.entry, file.key, "has no effect without " SWITCH);
  }
}

static void check_job(struct wn_reader *r, const struct wn_entry *e)
{
  const struct wn_config *c = r->c;
  const struct wn_entry *roulette = wn_reader_find(r, "radiation.roulette_weight");
  if (c->job == WN_JOB_RATE)
    wn_reader_error(
        r, e, SWITCH,
        "is for jobs swarm and runaway; in job runaway-rate an electron that a "
        "photon frees has no cohort: its photon may be older than the "
        "halvings of weights since, and places are marks there");
  if (c->job != WN_JOB_RUNAWAY)
    return;
  if (wn_config_gas_changes(c) || wn_config_field_changes(c))
    wn_reader_error(r, e, SWITCH,
                    "photons and positrons fly in a gas and a field that are the same "
                    "everywhere; remove gas.profile and field_profile");
  if (c->radiation.roulette_weight > 0.0)
    wn_reader_error(
        r, roulette, "radiation.roulette_weight",
        c->runaway_levels
            ? "is for job swarm; weights in energy levels are powers of two"
            : "is for job swarm; whether the lineage of a primary passes a threshold is "
              "not linear in its electrons, and roulette would lower "
              "runaway_fraction");
}

void wn_config_check_radiation(struct wn_reader *r)
{
  const struct wn_config *c = r->c;
  const struct wn_entry *e = wn_reader_find(r, SWITCH);
  size_t n = 0;
  if (!wn_config_radiates(c)) {
    check_unused(r);
    return;
  }
  for (size_t i = 0; i < c->n_components; i++)
    n += names_file(&c->components[i]);
  if (n == 0)
    wn_reader_error(r, e, SWITCH,
                    "no component names a file of photon data; give "
                    "gas.components.<NAME>.photons, as in N2 = { photons = "
                    "\"../photons/N.txt\"; }");
  for (size_t i = 0; i < c->n_scans; i++)
    if (strcmp(c->scans[i].key, SWITCH) == 0)
      wn_reader_error(r, e, SWITCH,
                      "scan %s varies it: spectra of photons with different bins do not "
                      "fit into one file; run the scenario once for each value",
                      c->scans[i].name);
  check_job(r, e);
  if (!(c->radiation.photons_min_ev < c->energy_max_ev))
    wn_reader_error(r, e, SWITCH,
                    "%.9g eV is not below tables.energy_max, %.9g eV: no electron would "
                    "emit a photon",
                    c->radiation.photons_min_ev, c->energy_max_ev);
  const struct part below = {"radiation.roulette_below",
                             c->radiation.roulette_below_ev == WN_AUTO};
  if (c->radiation.roulette_weight == 0.0)
    no_effect(r, &below, 1, "radiation.roulette_weight above 0");
  if (c->radiation.positrons != WN_POSITRONS_MOVING)
    check_positrons(r, "radiation.positrons = \"moving\"");
  else if (!(c->radiation.positrons_stop_ev < c->energy_max_ev))
    wn_reader_error(r, wn_reader_find(r, "radiation.positrons_stop"),
                    "radiation.positrons_stop",
                    "%.9g eV is not below tables.energy_max, %.9g eV: no positron would "
                    "move",
                    c->radiation.positrons_stop_ev, c->energy_max_ev);
}
