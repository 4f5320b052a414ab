/* src/run/provenance.h - the provenance in the file of a run: the global attributes of
 * wn_output_about, and build, libraries, scenario (wn_config_text), seed, hardware (processor or
 * GPU, scheduler, threads), complete = 0. */
#ifndef WN_SRC_RUN_PROVENANCE_H
#define WN_SRC_RUN_PROVENANCE_H
#include "src/config/config.h"
#include "src/io/output.h"

/* hardware, argv, sources may be NULL; sources [n_sources]: "path sha256".  WN_ENOMEM, WN_EIO. */
int wn_provenance_write(struct wn_output *o, const struct wn_config *c,
                        const char *hardware, int argc, char *const *argv,
                        size_t n_sources, const char *const *sources);

#endif
