/* src/run/provenance.c - see provenance.h. */
#include "src/run/provenance.h"
#include <stdio.h>
#include <stdlib.h>
#include "base/error.h"
#include "base/version.h"

int wn_provenance_write(struct wn_output *o, const struct wn_config *c,
                        const char *hardware, int argc, char *const *argv,
                        size_t n_sources, const char *const *sources)
{
  char seed[32];
  const double not_yet = 0.0;
  const char *title = c->title != NULL && *c->title ? c->title : "Wilson run";
  WN_TRY(wn_output_about(o, title, argc, argv, n_sources, sources));
  WN_TRY(wn_output_attr_clean(o, "build", wn_version_build()));
  WN_TRY(wn_output_attr_clean(o, "libraries", wn_output_library()));

  char *scenario = wn_config_text(c);
  if (scenario == NULL)
    return WN_ENOMEM;
  int status = wn_output_attr_clean(o, "scenario", scenario);
  free(scenario);
  WN_TRY(status);
  if (c->file != NULL)
    WN_TRY(wn_output_attr_clean(o, "scenario_file", c->file));
  /* As text: a 64-bit seed does not fit a double, and attributes of type uint64 are not
   * in the CF data model. */
  snprintf(seed, sizeof seed, "%llu", (unsigned long long)c->seed);
  WN_TRY(wn_output_attr_text(o, NULL, "seed", seed));
  WN_TRY(wn_output_attr_clean(o, "hardware", hardware != NULL ? hardware : "unknown"));
  return wn_output_attr_double(o, NULL, "complete", 1, &not_yet);
}
