/* src/config/reader.h - a scenario while it is read: the entries of its sources; shared
 * by config.c, reader.c and the files with rules only */
#ifndef WN_SRC_CONFIG_READER_H
#define WN_SRC_CONFIG_READER_H
#include <libconfig.h>

#include "src/config/internal.h"

/* One value of the file or of the command line. */
struct wn_entry {
  char *key; /* full: "gas.components.N2.fraction" */
  /* a group if it is empty, or stands in place of a value */
  const config_setting_t *value;
  bool from_set;
  bool bad; /* its value was rejected: errors that depend on it are not reported */
  enum { WN_ENTRY_UNREAD, WN_ENTRY_READING, WN_ENTRY_READ } state;
  const struct wn_entry *needed_by; /* whose value it defines, while it is read */
  const char *place; /* "--set key=value", for messages; NULL for the file */
  int line;
};

#define WN_READER_MEANT 20

struct wn_reader {
  const char *file; /* its name in messages */
  const char *text; /* of the scenario; NULL: the contents of the file */
  config_t *tree;   /* of the file and of each --set; they own the values */
  size_t n_trees;
  struct wn_entry *entry;
  size_t n_entries, entry_room;
  size_t n_errors, n_unknown; /* n_unknown: unknown keys among them */
  /* Right keys suggested for wrong ones, and groups given as a value: that they are
   * missing is not reported again.  Each malloc'd. */
  char *meant[WN_READER_MEANT];
  size_t n_meant;
  enum wn_cfg_model model;
  bool model_is_bad; /* further errors depend on it */
  struct wn_config *c;
};

/* Logs an error and counts it.  e: the entry with the error, or NULL for the file as a
 * whole; key may be NULL. */
void wn_reader_error(struct wn_reader *r, const struct wn_entry *e, const char *key,
                     const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* "FILE:LINE: key `KEY` = VALUE", or "--set KEY=VALUE: key `KEY`", for a message after the
 * reader is freed; e may be NULL.  malloc'd; NULL when out of memory. */
/* `key` (malloc'd, ownership taken; may be NULL) was suggested: see struct wn_reader. */
void wn_reader_meant(struct wn_reader *r, char *key);

char *wn_reader_place(const struct wn_reader *r, const struct wn_entry *e,
                      const char *key);

/* Entries from r->text or r->file.  WN_EINPUT, logged, if it cannot be read or parsed. */
int wn_reader_file(struct wn_reader *r);

/* Entries from one --set; its errors are counted in r.  *place is malloc'd and must outlive r. */
int wn_reader_set(struct wn_reader *r, const char *set, char **place);

/* The entry of a full key; NULL: not given. */
const struct wn_entry *wn_reader_find(const struct wn_reader *r, const char *key);

/* The key TABLE.NAME.LAST of a named group, as of a species, with its entry: NULL if it is not given. */
struct wn_given {
  char key[128]; /* names have at most 63 letters */
  const struct wn_entry *entry;
};
struct wn_given wn_reader_given(const struct wn_reader *r, const char *table,
                                const char *name, const char *last);

/* Of check.c: rules and defaults that need more than one value: dependent defaults, gas density,
 * fractions, both forms of fields, files.  Errors are counted in r; returns WN_ENOMEM or WN_OK. */
int wn_config_check(struct wn_reader *r);

/* Of plasma.c: the same for keys of model plasma. */
int wn_config_check_plasma(struct wn_reader *r);

/* Of collisions.c: which species collide, and the gas, if any does; then, with a valid
 * grid, the species of the ions produced. */
int wn_config_check_collisions(struct wn_reader *r);
void wn_config_check_products(struct wn_reader *r);
/* Of average_groups.c: windows of averages; steps and walls are known. */
void wn_config_check_averages(struct wn_reader *r);
/* Of distribution_groups.c: distributions; windows, species and walls are known. */
void wn_config_check_distributions(struct wn_reader *r);
/* Of source_groups.c: names that a resolved scenario leaves empty, before any question to
 * sources; and sources of particles, when species and walls are known. */
void wn_config_name_sources(struct wn_reader *r);
void wn_config_check_sources(struct wn_reader *r);
/* Of thermostat_groups.c: thermostats; species are known. */
/* Of adaptive_step.c: plasma.adaptive. */
void wn_config_check_adaptive(struct wn_reader *r);
void wn_config_check_thermostats(struct wn_reader *r);
/* Of reaction_groups.c: reactions; species, their weights and the gas are known. */
void wn_config_check_reactions(struct wn_reader *r);
/* Of followed_groups.c: followed densities; species and gas are known. */
void wn_config_check_followed(struct wn_reader *r);
/* Of profile_rules.c: density and E along z, before the gas, whose density they give. */
int wn_config_check_profiles(struct wn_reader *r);
/* Of radiation_rules.c: radiation; the job and the gas are known. */
void wn_config_check_detectors(struct wn_reader *r);
void wn_config_check_radiation(struct wn_reader *r);
/* Of photoionization_rules.c: photoionization; species, their weights and the gas are known. */
void wn_config_check_photoionization(struct wn_reader *r);
/* Of coulomb_groups.c: Coulomb collisions; species are known. */
void wn_config_check_coulomb(struct wn_reader *r);

/* Of merging_groups.c: merging of macroparticles; species and reactions are known. */
void wn_config_check_merging(struct wn_reader *r);
/* Of test_electrons_rules.c: test electrons; species, and what acts on them, are known. */
void wn_config_check_test_electrons(struct wn_reader *r);
/* Of sparse.c: field sparse; sides and methods are known. */
void wn_reader_check_sparse(struct wn_reader *r);
/* Of nodes.c: field nodes and its movers; sides and methods are known. */
void wn_reader_check_nodes(struct wn_reader *r);

/* Of wall_emission.c: secondary electrons; the particle boundary conditions are known. */
void wn_config_check_emission(struct wn_reader *r);

/* Of electrode_groups.c: names that a resolved scenario leaves empty; and electrodes, when the grid and the
 * walls are known. */
void wn_config_name_electrodes(struct wn_reader *r);
void wn_config_check_electrodes(struct wn_reader *r, bool has_grid);
/* Of a shape, electrode or dielectric: whether its keys are there and fit each other, and it lies in the grid. */
bool wn_config_check_shape(struct wn_reader *r, const struct wn_cfg_electrode *e);
bool wn_config_check_extent(struct wn_reader *r, const struct wn_cfg_electrode *e);
/* Of dielectric_groups.c. */
void wn_config_check_dielectrics(struct wn_reader *r, bool has_grid);

/* Of wall_circuits.c: circuits and dielectrics at walls; the walls and the method are known. */
void wn_config_check_circuits(struct wn_reader *r);

/* Of waveform.c: E(t), and its use by the job; the job is known. */
int wn_config_check_waveform(struct wn_reader *r);

/* Of relative_units.c: values of model plasma by what the scenario itself defines, such as "64 debye",
 * "1/200 period", "2 * duration".  Whether an entry has one; whether it needs that of a key. */
bool wn_relative_is(const struct wn_reader *r, const struct wn_entry *e);
bool wn_relative_needs(const struct wn_reader *r, const struct wn_entry *e,
                       const char *key);
/* The value with absolute units, which belongs to `to` (initialised by the caller), when all entries that it
 * needs have been read.  WN_EINPUT: the error is counted. */
int wn_relative_resolve(struct wn_reader *r, struct wn_entry *e, config_t *to,
                        const config_setting_t **value);

/* Of scan.c: keys and values of scans; expands ranges. */
int wn_config_check_scans(struct wn_reader *r);

/* Of check.c: the gas, if its density and components are needed. */
int wn_config_check_gas(struct wn_reader *r);

/* Of find_file.c: the path of a file named by a key: in the folder of the scenario file, then in the working folder.
 * *path is malloc'd; if there is no such file, an error is counted and *path is not written. */
int wn_config_find_file(struct wn_reader *r, const struct wn_entry *e, const char *key,
                        const char *name, char **path);

#endif
