/* src/config_internal.h - what the files config*.c share: the table of keys, the scanner,
 * names and spelling.  Adding a key is one row in config_keys.c and its field in
 * config.h. */
#ifndef WN_SRC_CONFIG_INTERNAL_H
#define WN_SRC_CONFIG_INTERNAL_H
#include "src/config.h"
#include "src/config_units.h"

enum wn_key_type {
  /* double; text with a unit, or a plain number where unit is WN_UNIT_NONE */
  WN_KEY_QUANTITY,
  WN_KEY_COUNT,      /* size_t */
  WN_KEY_SEED,       /* uint64_t */
  WN_KEY_INT,        /* int */
  WN_KEY_BOOL,       /* bool */
  WN_KEY_WORD,       /* enum: the index of the word in words[] */
  WN_KEY_STRING,     /* char * */
  WN_KEY_QUANTITIES, /* double *, number of elements at n_offset */
  WN_KEY_STRINGS,    /* char **, number of elements at n_offset */
  WN_KEY_FIELDS      /* struct wn_cfg_case *, number of elements at n_offset */
};

/* flags */
#define WN_KEY_MCC   1u /* used by model mcc */
#define WN_KEY_SPLIT 2u /* used by model split-remove */
/* One of each gas component; the offset is in struct wn_cfg_component. */
#define WN_KEY_COMPONENT 4u
#define WN_KEY_REQUIRED  8u   /* has no default */
#define WN_KEY_ABOVE_MIN 16u  /* min itself is not allowed */
#define WN_KEY_POWER2    32u  /* a power of two */
#define WN_KEY_RUNAWAY   64u  /* only has an effect in a runaway job */
#define WN_KEY_RISING    128u /* a list whose elements rise */
#define WN_KEY_RECTANGLE 256u /* used by model rectangle */
#define WN_KEY_BOX       512u /* used by model box */

#define WN_KEY_NAME "<NAME>" /* stands for the name of a gas component in a key */

struct wn_key {
  const char *key; /* "gas.components.<NAME>.fraction" */
  enum wn_key_type type;
  enum wn_unit_kind unit;
  unsigned flags;
  size_t offset, n_offset; /* place in struct wn_config or struct wn_cfg_component */
  /* default as a scenario file writes it; NULL: none, or made (def_text) */
  const char *def;
  /* default under any model but mcc where it differs, else NULL */
  const char *def_synthetic;
  /* what people read about a default that is made; NULL: def as it is */
  const char *def_text;
  const char *automatic;    /* the word that stands for WN_AUTO; NULL: none */
  double min, max;          /* of a number, in the base unit */
  const char *const *words; /* WN_KEY_WORD: the words, ended by NULL */
  const char *help;
};

extern const struct wn_key wn_config_keys[];
extern const size_t wn_config_n_keys;

/* Flag of each model. */
extern const unsigned wn_config_model_flag[WN_N_MODELS];

/* The row for a full key as written, with any component name; NULL: no such key.  name
 * (may be NULL) gets where the component's name begins in key and len its length; name is
 * NULL and len 0 for other keys. */
const struct wn_key *wn_config_find_key(const char *key, const char **name, size_t *len);

/* The range or the words of a key, as text for people: "0 K to 100000 K"; buf of n; ""
 * when anything goes. */
const char *wn_config_range_text(const struct wn_key *k, char *buf, size_t n);

/* What a value looks like: "number with unit, in quotes". */
const char *wn_config_type_text(const struct wn_key *k);

/* The valid key nearest to a wrong one, with the component name of the wrong one; NULL:
 * nothing is near. malloc'd. */
char *wn_config_nearest_key(const char *wrong);

/* The nearest of n words (list[i]), NULL when none is near enough to be meant. */
const char *wn_config_nearest(const char *word, size_t n, const char *const *list);

/* One line for each word of a key: the word and what the key's help says of it. */
void wn_config_list_words(const char *key, FILE *to);

/* What libconfig 1.5 does not see or does not say, done on the text before it reads:
 * integers beyond 32 bits get the L without which they would wrap around, duplicate keys
 * are reported with both lines, @include is refused.  file names the text in messages and
 * line is the number of its first line, 0 for a text without lines.  Returns the text for
 * libconfig (malloc'd), or NULL after logging; *status then says why. */
char *wn_config_scan(const char *file, int line, const char *text, size_t len,
                     int *status);

/* Read one value into its place.
 *   v     as libconfig read it
 *   base  the struct wn_config or struct wn_cfg_component that k's offsets are in
 *   why   on WN_EINPUT what is wrong and what is allowed (malloc'd, or NULL when out of
 *         memory)
 * A field in Td gets td, any other e; the other of the two is NAN until the density is
 * known. */
struct config_setting_t;
int wn_config_value_put(const struct wn_key *k, const struct config_setting_t *v,
                        void *base, char **why);
void wn_config_value_free(const struct wn_key *k, void *base);

/* A value as the file writes it, short, for messages; malloc'd. */
char *wn_config_value_show(const struct config_setting_t *v);

/* Facts that go by the name of a gas: atomic number of a molecule of one element (false
 * when unknown), and the Opal width in eV (WN_AUTO when unknown). */
bool wn_config_gas_z(const char *gas, double *atomic_number);
double wn_config_gas_opal_width(const char *gas);

#endif
