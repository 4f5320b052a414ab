/* src/config/keys.h - macros for the tables of scenario keys (src/config_keys*.c) only: models,
 * and the offset of a value in struct wn_config. */
#ifndef WN_SRC_CONFIG_KEYS_H
#define WN_SRC_CONFIG_KEYS_H
#include "src/config/internal.h"

#define MCC         WN_KEY_MCC
#define PLASMA      WN_KEY_PLASMA
#define ALL         (MCC | PLASMA)
#define AT(field)   .offset = offsetof(struct wn_config, field)
#define N_AT(field) .n_offset = offsetof(struct wn_config, field)

/* eV, 2^24: the highest upper end of the tables of cross sections. */
#define TOP_EV 16777216.0

#endif
