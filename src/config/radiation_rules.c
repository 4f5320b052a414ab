/* src/config/radiation_rules.c - rules for radiation of swarms, and for the files of photon data */
#include <string.h>
#include "src/config/reader.h"
#include "physics/photons/bremsstrahlung.h"
#include "physics/photons/flight.h"

#define SWITCH "radiation.photons_min"

static bool names_file(const struct wn_cfg_component *g)
{
  return g->photons_file != NULL && *g->photons_file;
}

/* Keys that a run without radiation does not use; a resolved scenario has their defaults. */
static void check_unused(struct wn_reader *r)
{
  const struct wn_config *c = r->c;
  const struct {
    const char *key;
    bool usual;
  } part[] = {{"radiation.compton", c->radiation.compton == WN_PHOTON_BOUND},
              {"radiation.rayleigh", c->radiation.rayleigh == WN_PHOTON_NO_RAYLEIGH},
              {"radiation.angle", c->radiation.angle == WN_BREMS_2BS},
              {"radiation.positrons", c->radiation.positrons == WN_POSITRONS_COUNTED}};
  for (size_t i = 0; i < sizeof part / sizeof *part; i++)
    if (!part[i].usual)
      wn_reader_error(r, wn_reader_find(r, part[i].key), part[i].key,
                      "has no effect without " SWITCH);
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
}
