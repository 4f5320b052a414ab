/* src/config/internal.h - shared by the files of src/config: the table of keys, the scanner, names and
 * spelling.  A new key is one row in keys.c and its field in config.h. */
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
  WN_KEY_FILE,       /* char *, as STRING; n_offset: its resolved path */
  WN_KEY_QUANTITIES, /* double *, number of elements at n_offset */
  WN_KEY_STRINGS,    /* char **, number of elements at n_offset */
  WN_KEY_FIELDS,     /* struct wn_cfg_case *, number of elements at n_offset */
  /* Lists of up to n elements stored in place: see WN_KEY_PER_AXIS.  The automatic word
   * stands for one element, or for all */
  WN_KEY_VECTOR,   /* double[]; missing elements are WN_AUTO, or 0 without automatic */
  WN_KEY_COUNTS,   /* size_t[]; missing elements are 1 */
  WN_KEY_INTEGERS, /* long[]; missing elements are 0 */
  WN_KEY_WORDS,    /* unsigned: bit i is words[i] */
  /* double *, three to an element, number of elements at n_offset: a list of lists with a
   * number for each axis of the grid; in one dimension a list of numbers */
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
#define WN_KEY_GAS       2048u /* of the gas: not used if wn_config_has_gas is false */
/* A quantity that may be given divided by the density of the gas: that number goes to
 * n_offset (NAN otherwise), and the quantity is NAN until the density is known */
#define WN_KEY_REDUCED 4096u

#define WN_KEY_NAME "<NAME>" /* stands for the name of an element of a named group */

/* A group of keys that a scenario has any number of times, under names: gas.components.N2.* */
struct wn_named {
  const char *prefix; /* of its keys: "gas.components." */
  const char *whose;  /* "a component's", before "name" */
  size_t bytes;       /* of an element */
  /* Offsets in struct wn_config: of the pointer to the elements, each of which begins with
   * its char *name, and of their number. */
  size_t offset, n_offset;
  /* NULL: any name.  Otherwise the only names, ended by NULL; the elements lie at offset, one for each
   * name, and begin with a bool that is true if the scenario has the element. */
  const char *const *names;
};

struct wn_key {
  const char *key; /* "gas.components.<NAME>.fraction" */
  enum wn_key_type type;
  enum wn_unit_kind unit;
  unsigned flags;
  const struct wn_named *named; /* NULL: the key exists once */
  size_t offset, n_offset;      /* offset in struct wn_config or in an element of named */
  size_t n;                     /* elements of a list stored in place */
  /* default as in a scenario file; NULL: none, or computed (def_text) */
  const char *def;
  const char *def_plasma; /* of model plasma where it differs, else NULL */
  /* what people read about a default that is made; NULL: def as it is */
  const char *def_text;
  const char *automatic;    /* the word for WN_AUTO; NULL: none */
  double min, max;          /* of a number, in the base unit */
  const char *const *words; /* WN_KEY_WORD: the words, ended by NULL */
  const char *hint; /* where none of these will do; NULL: there is nothing to add */
  const char *help;
};

/* Rows 0 .. wn_config_n_keys() - 1, those of a named group one after the other. */
const struct wn_key *wn_config_key(size_t i);
size_t wn_config_n_keys(void);

/* The tables that wn_config_key() puts together, in this order; the last five are of plasma. */
extern const struct wn_key wn_config_keys[], wn_config_run_keys[],
    wn_config_domain_keys[], wn_config_electrode_keys[], wn_config_dielectric_keys[],
    wn_config_plasma_keys[], wn_config_operator_keys[];
extern const size_t wn_config_keys_rows, wn_config_run_rows, wn_config_domain_rows,
    wn_config_electrode_rows, wn_config_dielectric_rows, wn_config_plasma_rows,
    wn_config_operator_rows;

/* Flag of each model. */
extern const unsigned wn_config_model_flag[WN_N_MODELS];

/* The named groups. */
extern const struct wn_named wn_config_components, wn_config_species, wn_config_walls,
    wn_config_electrodes, wn_config_dielectrics, wn_config_averages,
    wn_config_distributions, wn_config_sources, wn_config_thermostats,
    wn_config_reactions, wn_config_followed, wn_config_coulomb, wn_config_merging,
    wn_config_scans;

/* The named group of a key, with the name of the element: its start in key, and its
 * length, 0 if there is none.  NULL: no such group, name and len are not written. */
const struct wn_named *wn_config_named_of(const char *key, const char **name,
                                          size_t *len);

/* Number of elements of a group, element i, and its name, NULL if the scenario does not have it. */
size_t wn_config_named_count(const struct wn_named *g, const struct wn_config *c);
const void *wn_config_named_at(const struct wn_named *g, const struct wn_config *c,
                               size_t i);
const char *wn_config_named_name(const struct wn_named *g, const struct wn_config *c,
                                 size_t i);

/* Adds the element of that name, if it is new; an invalid name is ignored.  room: maximum
 * number of elements. */
int wn_config_named_add(const struct wn_named *g, struct wn_config *c, size_t room,
                        const char *name, size_t len);

/* The element of that name; NULL: none. */
void *wn_config_named_find(const struct wn_named *g, struct wn_config *c,
                           const char *name, size_t len);
void wn_config_named_free(const struct wn_named *g, struct wn_config *c);

/* The row of a full key as written, with any name of an element; NULL: no such key.  name (may be NULL)
 * gets the start of that name in key and len its length; NULL and 0 for other keys. */
const struct wn_key *wn_config_find_key(const char *key, const char **name, size_t *len);

/* The range or the words of a key as text: "0 K to 100000 K"; buf of n; "" if any value is allowed. */
const char *wn_config_range_text(const struct wn_key *k, char *buf, size_t n);

/* What a value may have besides its units, in model plasma, as text after these: ", debye, cells"; "" if
 * nothing. */
const char *wn_config_relative_units(const struct wn_key *k);

/* The form of a value: "number with unit, in quotes". */
const char *wn_config_type_text(const struct wn_key *k);

/* The last part of a key: "pressure" of gas.pressure. */
const char *wn_config_last_part(const char *key);

/* Whether key (of the table) ends with these parts, where any name stands for <NAME> or none does:
 * components.N2.fraction, walls.yield. */
bool wn_config_is_end_of(const char *end, const char *key);

/* The valid key nearest to a wrong one, with its element name, or that for a word of the field ("EEDF");
 * NULL: none is near.  malloc'd. */
char *wn_config_nearest_key(const char *wrong);

/* The nearest of n words (list[i]), NULL if none is near. */
const char *wn_config_nearest(const char *word, size_t n, const char *const *list);

/* One line for each word of a key: the word and its description in the key's help. */
void wn_config_list_words(const char *key, FILE *to);

/* Checks that libconfig 1.5 lacks, done on the text before it is parsed: integers beyond 32 bits get the
 * L without which they would wrap around, duplicate keys are reported with both lines, @include is
 * rejected.  file: name for messages; line: number of the first line, 0 for a text without lines.
 * Returns the text for libconfig (malloc'd), or NULL after logging; then *status is set. */
char *wn_config_scan(const char *file, int line, const char *text, size_t len,
                     int *status);

/* Reads one value into its place.
 *   v     as libconfig read it
 *   base  the struct wn_config or element of k->named for k's offsets
 *   why   on WN_EINPUT the error and the allowed values (malloc'd, or NULL when out of
 *   memory)
 * A field in Td sets td, any other sets e; the other of the two is NAN until the density is known. */
struct config_setting_t;
int wn_config_value_put(const struct wn_key *k, const struct config_setting_t *v,
                        void *base, char **why);
void wn_config_value_free(const struct wn_key *k, void *base);

/* A value as in a file, shortened, for messages; malloc'd. */
char *wn_config_value_show(const struct config_setting_t *v);

/* Data of a gas by its name: atomic number of a molecule of one element (false if
 * unknown), and the Opal width in eV (WN_AUTO if unknown). */
bool wn_config_gas_z(const char *gas, double *atomic_number);
double wn_config_gas_opal_width(const char *gas);

#endif
