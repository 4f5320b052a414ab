/* src/results/table_kind.h - what results of the jobs that make tables differ in (src/results/table.h).
 * table.c reads what they have in common; table_swarm.c and table_runaway_rate.c say which columns
 * there are. */
#ifndef WN_SRC_RESULTS_TABLE_KIND_H
#define WN_SRC_RESULTS_TABLE_KIND_H
#include "src/io/result_file.h"
#include "src/results/table.h"
#include "src/results/table_scan.h"

/* What the columns are made of; order[row]: record of the file. */
struct wn_table_from {
  const struct wn_result_file *file;
  const struct wn_table_kind *kind;
  struct wn_table_scans scans;
  size_t n_records, n_processes;
  size_t *order;
  double *td, *record, *density, *magnetic, *magnetic_hx,
      *magnetic_angle; /* [n_records] */
  char **process;
  double *threshold, *target; /* [n_processes] eV, part of the gas */
};

struct wn_table_kind {
  const char *job;
  const char
      *record; /* variable with a number for each field that was finished, by which a
                         file of this job is known */
  const char *about;          /* lines of the head */
  const char *about_magnetic; /* one more in a magnetic field; NULL: none */
  int is_csv_only;            /* other formats are of the coefficients of swarms */
  int (*add)(struct wn_table *t, const struct wn_table_from *f); /* the columns */
};

extern const struct wn_table_kind wn_table_swarm, wn_table_rate;

/* What a variable comes with; NULL: not in the file. */
struct wn_table_variable {
  double *value, *error, *limit;
};

/* The variable, its errors, and NAME_LIMIT, its upper limits where nothing was seen; to be
 * cleared after a failure, too. */
int wn_table_read(const struct wn_table_from *f, const char *name, const char *limit,
                  size_t n, struct wn_table_variable *r);
void wn_table_clear(struct wn_table_variable *r);

/* One column more; others may have moved in memory. */
int wn_table_add(struct wn_table *t, const char *name, const char *key, const char *units,
                 struct wn_table_column **out);

/* Number i as measured; of a rate, 0 says that nothing was seen. */
void wn_table_put(struct wn_table_column *c, size_t row,
                  const struct wn_table_variable *r, size_t i, double scale, int is_rate);

/* What a variable is multiplied by. */
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
  const char *kind;               /* of process, of a rate; no such process: 0 */
  size_t component, n_components; /* of a vector; 0 of 0: it is none */
  int needed, is_extra, has_no_error, may_be_empty; /* struct wn_table_column */
};

/* No column where the variable is not in the file. */
int wn_table_add_quantity(struct wn_table *t, const struct wn_table_from *f,
                          const struct wn_table_quantity *q);

#endif
