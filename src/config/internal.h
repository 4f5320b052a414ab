/* src/config/internal.h - what the files config*.c share: the table of keys, the scanner,
 * names and spelling.  Adding a key is one row in keys.c and its field in
 * config.h. */
#ifndef WN_SRC_CONFIG_INTERNAL_H
#define WN_SRC_CONFIG_INTERNAL_H
#include "src/config/config.h"
#include "src/config/units.h"

enum wn_key_type {
  /* double; text with a unit, or a plain number where unit is WN_UNIT_NONE */
  WN_KEY_QUANTITY,
  WN_KEY_COUNT,      /* size_t */
  WN_KEY_SEED,       /* uint64_t */
  WN_KEY_INT,        /* int */
  WN_KEY_BOOL,       /* bool */
  WN_KEY_WORD,       /* enum: the index of the word in words[] */
  WN_KEY_STRING,     /* char * */
  WN_KEY_FILE,       /* char *, as STRING; n_offset: where its path stands, once found */
  WN_KEY_QUANTITIES, /* double *, number of elements at n_offset */
  WN_KEY_STRINGS,    /* char **, number of elements at n_offset */
  WN_KEY_FIELDS,     /* struct wn_cfg_case *, number of elements at n_offset */
  /* Lists in their place, of n elements at most: see WN_KEY_PER_AXIS.  The automatic word
   * stands for one element, or for all */
  WN_KEY_VECTOR,   /* double[]; what is not said is WN_AUTO, or 0 without automatic */
  WN_KEY_COUNTS,   /* size_t[]; what is not said is 1 */
  WN_KEY_INTEGERS, /* long[]; what is not said is 0 */
  WN_KEY_WORDS,    /* unsigned: bit i is words[i] */
  /* double *, three to an element, number of elements at n_offset: a list of lists with a
   * number for each axis of the grid; in one dimension, of numbers */
  WN_KEY_MODES
};

/* flags */
#define WN_KEY_MCC 1u /* used by model mcc */
/* A list with an element for each axis of the grid; another has all its n. */
#define WN_KEY_PER_AXIS  4u
#define WN_KEY_REQUIRED  8u    /* has no default */
#define WN_KEY_ABOVE_MIN 16u   /* min itself is not allowed */
#define WN_KEY_POWER2    32u   /* a power of two */
#define WN_KEY_RUNAWAY   64u   /* only has an effect in a runaway job */
#define WN_KEY_RISING    128u  /* a list whose elements rise */
#define WN_KEY_PLASMA    1024u /* used by model plasma */
#define WN_KEY_GAS       2048u /* of the gas: not used where wn_config_has_gas says so */
/* A quantity that may be given as reduced by the density of the gas: that number goes to
 * n_offset, where NAN stands otherwise, and the quantity is NAN until the density is known */
#define WN_KEY_REDUCED 4096u

#define WN_KEY_NAME "<NAME>" /* stands for the name of an element of a named group */

/* A group of keys that each scenario has any number of, by name: gas.components.N2.* */
struct wn_named {
  const char *prefix; /* of its keys: "gas.components." */
  const char *whose;  /* "a component's", before "name" */
  size_t bytes;       /* of an element */
  /* Places in struct wn_config.  Of the pointer to the elements, each of which begins with
   * its char *name, and of their number. */
  size_t offset, n_offset;
  /* NULL: any name.  Else the only ones, ended by NULL; the elements lie at offset, one a
   * name, and begin with a bool that says whether the scenario mentions it. */
  const char *const *names;
};

struct wn_key {
  const char *key; /* "gas.components.<NAME>.fraction" */
  enum wn_key_type type;
  enum wn_unit_kind unit;
  unsigned flags;
  const struct wn_named *named; /* NULL: one of a scenario */
  size_t offset, n_offset;      /* place in struct wn_config or an element of named */
  size_t n;                     /* elements of a list in its place */
  /* default as a scenario file writes it; NULL: none, or made (def_text) */
  const char *def;
  const char *def_plasma; /* of model plasma where it differs, else NULL */
  /* what people read about a default that is made; NULL: def as it is */
  const char *def_text;
  const char *automatic;    /* the word that stands for WN_AUTO; NULL: none */
  double min, max;          /* of a number, in the base unit */
  const char *const *words; /* WN_KEY_WORD: the words, ended by NULL */
  const char *hint;         /* to whom none of these will do; NULL: nothing is to say */
  const char *help;
};

/* Rows 0 .. wn_config_n_keys() - 1, those of a named group one after the other. */
const struct wn_key *wn_config_key(size_t i);
size_t wn_config_n_keys(void);

/* The tables that wn_config_key() puts together, in this order; the last are of plasma. */
extern const struct wn_key wn_config_keys[], wn_config_run_keys[],
    wn_config_plasma_keys[];
extern const size_t wn_config_keys_rows, wn_config_run_rows, wn_config_plasma_rows;

/* Flag of each model. */
extern const unsigned wn_config_model_flag[WN_N_MODELS];

/* The named groups. */
extern const struct wn_named wn_config_components, wn_config_species, wn_config_walls,
    wn_config_averages, wn_config_scans;

/* The named group that a key belongs to, with the name of the element: where it begins in
 * key, and its length, 0 when there is none.  NULL: none, name and len are not written. */
const struct wn_named *wn_config_named_of(const char *key, const char **name,
                                          size_t *len);

/* Elements of a group, element i, and its name, NULL when the scenario does not mention it.
 */
size_t wn_config_named_count(const struct wn_named *g, const struct wn_config *c);
const void *wn_config_named_at(const struct wn_named *g, const struct wn_config *c,
                               size_t i);
const char *wn_config_named_name(const struct wn_named *g, const struct wn_config *c,
                                 size_t i);

/* Mention the element of that name, once or again; a name that cannot be one is left out.
 * room: elements there will be at most. */
int wn_config_named_add(const struct wn_named *g, struct wn_config *c, size_t room,
                        const char *name, size_t len);

/* The element that was mentioned; NULL: none. */
void *wn_config_named_find(const struct wn_named *g, struct wn_config *c,
                           const char *name, size_t len);
void wn_config_named_free(const struct wn_named *g, struct wn_config *c);

/* The row for a full key as written, with any name of an element; NULL: no such key.  name
 * (may be NULL) gets where that name begins in key and len its length; name is NULL and
 * len 0 for other keys. */
const struct wn_key *wn_config_find_key(const char *key, const char **name, size_t *len);

/* The range or the words of a key, as text for people: "0 K to 100000 K"; buf of n; ""
 * when anything goes. */
const char *wn_config_range_text(const struct wn_key *k, char *buf, size_t n);

/* What a value looks like: "number with unit, in quotes". */
const char *wn_config_type_text(const struct wn_key *k);

/* The valid key nearest to a wrong one, with the element's name of the wrong one; NULL:
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
 *   base  the struct wn_config or element of k->named that k's offsets are in
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
