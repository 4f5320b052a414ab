/* src/config/keys.h - macros for the tables of scenario keys (src/config/keys*.c) only: models,
 * and the offset of a value in struct wn_config. */
#ifndef WN_SRC_CONFIG_KEYS_H
#define WN_SRC_CONFIG_KEYS_H
#include "src/config/internal.h"

#define MCC         WN_KEY_MCC
#define PLASMA      WN_KEY_PLASMA
#define ALL         (MCC | PLASMA)
#define AT(field)   .offset = offsetof(struct wn_config, field)
#define N_AT(field) .n_offset = offsetof(struct wn_config, field)

/* The head of a key: its name, type and flags; of a number with a unit, its name, unit and flags. */
#define KEY(name, of_type, with) .key = name, .type = WN_KEY_##of_type, .flags = with
#define QUANTITY(name, in_units, with)                                                   \
  KEY(name, QUANTITY, with), .unit = WN_UNIT_##in_units

/* eV, 2^27: the highest upper end of the tables of cross sections. */
#define TOP_EV 134217728.0

#endif
