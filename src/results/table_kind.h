/* src/results/table_kind.h - the differences between jobs that have tables (src/results/table.h).
 * table.c reads what they have in common; table_swarm.c and table_runaway_rate.c define the columns. */
#ifndef WN_SRC_RESULTS_TABLE_KIND_H
#define WN_SRC_RESULTS_TABLE_KIND_H
#include "src/io/result_file.h"
#include "src/results/table.h"
#include "src/results/table_scan.h"

/* The source of the columns; order[row]: record of the file. */
struct wn_table_from {
  const struct wn_result_file *file;
  const struct wn_table_kind *kind;
  struct wn_table_scans scans;
  size_t n_records, n_processes;
  size_t *order;
  double *td, *record, *density, *magnetic, *magnetic_hx,
      *magnetic_angle; /* [n_records] */
  char **process;
  double *threshold, *target; /* [n_processes] eV; fraction of the target in the gas */
};

struct wn_table_kind {
  const char *job;
  const char *
      record; /* a variable with a number for each finished field, which identifies a file of this job */
  const char *about;          /* lines of the head */
  const char *about_magnetic; /* one more in a magnetic field; NULL: none */
  int is_csv_only;            /* other formats are for coefficients of swarms */
  int (*add)(struct wn_table *t, const struct wn_table_from *f); /* the columns */
};

extern const struct wn_table_kind wn_table_swarm, wn_table_rate;

/* A variable with its errors and limits; NULL: not in the file. */
struct wn_table_variable {
  double *value, *error, *limit;
};

/* Reads the variable, its errors, and NAME_LIMIT, its upper limits where no event was
 * seen; to be cleared after a failure, too. */
int wn_table_read(const struct wn_table_from *f, const char *name, const char *limit,
                  size_t n, struct wn_table_variable *r);
void wn_table_clear(struct wn_table_variable *r);

/* Appends a column; this may move other columns in memory. */
int wn_table_add(struct wn_table *t, const char *name, const char *key, const char *units,
                 struct wn_table_column **out);

/* Puts a measured number; for a rate, 0 means that no event was seen. */
void wn_table_put(struct wn_table_column *c, size_t row,
                  const struct wn_table_variable *r, size_t i, double scale, int is_rate);

/* The factor on a variable. */
enum wn_table_by {
  WN_TABLE_BY_ONE,
  WN_TABLE_BY_DENSITY,
  WN_TABLE_BY_FIELD,     /* over E/N */
  WN_TABLE_BY_FREQUENCY, /* over the density */
  WN_TABLE_BY_KV_PER_CM
};

#define WN_TABLE_IONIZATION " ionization"
#define WN_TABLE_ATTACHMENT " attachment"
#define WN_TABLE_EITHER     "" /* of these two */

/* A variable with a number for each field, and its column. */
struct wn_table_quantity {
  const char *key, *name, *units;
  enum wn_table_by by;
  const char *kind; /* of process, for a rate; without such a process the rate is 0 */
  size_t component, n_components;                   /* of a vector; 0 of 0: a scalar */
  int needed, is_extra, has_no_error, may_be_empty; /* struct wn_table_column */
};

#define WN_COLUMN(variable, title, in_units)                                             \
  .key = variable, .name = title, .units = in_units

/* No column if the variable is not in the file. */
int wn_table_add_quantity(struct wn_table *t, const struct wn_table_from *f,
                          const struct wn_table_quantity *q);

#endif
