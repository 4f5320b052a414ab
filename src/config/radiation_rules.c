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
      {"radiation.positrons", c->radiation.positrons == WN_POSITRONS_COUNTED}};
  no_effect(r, part, sizeof part / sizeof *part, SWITCH);
  check_positrons(r, SWITCH);
  for (size_t i = 0; i < c->n_components; i++) {
    const struct wn_given file =
        wn_reader_given(r, "gas.components", c->components[i].name, "photons");
    if (names_file(&c->components[i]))
      wn_reader_error(r, file.entry, file.key, "has no effect without " SWITCH);
  }
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
  if (c->job != WN_JOB_SWARM)
    wn_reader_error(r, e, SWITCH,
                    "photons are available in job swarm alone: energy levels and first "
                    "passages know no electrons that photons free");
  if (!(c->radiation.photons_min_ev < c->energy_max_ev))
    wn_reader_error(r, e, SWITCH,
                    "%.9g eV is not below tables.energy_max, %.9g eV: no electron would "
                    "emit a photon",
                    c->radiation.photons_min_ev, c->energy_max_ev);
  if (c->radiation.positrons != WN_POSITRONS_MOVING)
    check_positrons(r, "radiation.positrons = \"moving\"");
  else if (!(c->radiation.positrons_stop_ev < c->energy_max_ev))
    wn_reader_error(r, wn_reader_find(r, "radiation.positrons_stop"),
                    "radiation.positrons_stop",
                    "%.9g eV is not below tables.energy_max, %.9g eV: no positron would "
                    "move",
                    c->radiation.positrons_stop_ev, c->energy_max_ev);
}
