/* src/config/keys.h - words of the tables of scenario keys (src/config_keys*.c), and for nobody
 * else: models, and where a value goes in struct wn_config. */
#ifndef WN_SRC_CONFIG_KEYS_H
#define WN_SRC_CONFIG_KEYS_H
#include "src/config/internal.h"

#define MCC         WN_KEY_MCC
#define PLASMA      WN_KEY_PLASMA
#define ALL         (MCC | PLASMA)
#define AT(field)   .offset = offsetof(struct wn_config, field)
#define N_AT(field) .n_offset = offsetof(struct wn_config, field)

/* eV, 2^24: where the tables of cross sections can reach at most. */
#define TOP_EV 16777216.0

#endif
