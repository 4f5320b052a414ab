/* src/results/table_scan.h - the tables of a scan: which records, over which axis
 * (src/results/table.h). */
#ifndef WN_SRC_RESULTS_TABLE_SCAN_H
#define WN_SRC_RESULTS_TABLE_SCAN_H
#include "src/io/result_file.h"
#include "src/results/table.h"

struct wn_table_scan {
  char *name, *key, *units; /* units NULL: words */
  double *value;            /* [n_records]; NULL: words */
  char **word;
};

struct wn_table_scans {
  size_t n, n_records, n_tables;
  struct wn_table_scan *scan;
  long axis;     /* the scan whose values are the axis; -1: E/N */
  size_t *table; /* [n_records]: the table of each record */
};

/* Without a scan all records make one table over E/N. */
int wn_table_scans_read(const struct wn_result_file *file, size_t n_records,
                        struct wn_table_scans *out);
void wn_table_scans_free(struct wn_table_scans *s);

/* Names of the axis, of the point, and for a file (struct wn_table). */
int wn_table_scans_words(const struct wn_table_scans *s, size_t i_table,
                         struct wn_table *t);

#endif
