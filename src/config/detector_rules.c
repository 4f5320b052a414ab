/* src/config/detector_rules.c - rules for detectors of runaway jobs */
#include "physics/constants.h"
#include "src/config/reader.h"

#define ABOVE      "detectors.above"
#define ROWS       "detectors.rows"
#define USUAL_ROWS 1000

static void check_unused(struct wn_reader *r)
{
  const struct wn_config *c = r->c;
  if (c->detectors.above_ev != 0.0)
    wn_reader_error(r, wn_reader_find(r, ABOVE), ABOVE,
                    "has no effect without detectors.planes or detectors.spheres");
  if (c->detectors.rows != USUAL_ROWS)
    wn_reader_error(r, wn_reader_find(r, ROWS), ROWS,
                    "has no effect without detectors.planes or detectors.spheres");
}

void wn_config_check_detectors(struct wn_reader *r)
{
  const struct wn_config *c = r->c;
  const size_t n = wn_config_detectors(c);
  const char *key = c->detectors.n_planes > 0 ? "detectors.planes" : "detectors.spheres";
  if (n == 0) {
    check_unused(r);
    return;
  }
  if (n > WN_MAX_DETECTORS)
    wn_reader_error(r, wn_reader_find(r, key), key,
                    "%zu planes and spheres; there can be at most %d", n,
                    WN_MAX_DETECTORS);
  if (c->job != WN_JOB_RUNAWAY)
    wn_reader_error(r, wn_reader_find(r, key), key,
                    "detectors are for job runaway; in a %s electrons are moved back in "
                    "between, and places mean nothing",
                    c->job == WN_JOB_RATE ? "runaway-rate job" : "swarm job");
  if (c->detectors.above_ev > c->energy_max_ev)
    wn_reader_error(r, wn_reader_find(r, ABOVE), ABOVE,
                    "%.9g eV is above tables.energy_max, %.9g eV: no electron would be "
                    "noted",
                    c->detectors.above_ev, c->energy_max_ev);
}
