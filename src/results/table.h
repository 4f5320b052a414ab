/* src/results/table.h - a run of job swarm as columns for fluid codes, or one of job
 * runaway-rate as the curve of its rates over the field.  table.c makes them from a result file,
 * with the columns of table_swarm.c or table_runaway_rate.c; table_scan.c finds the tables of a
 * scan; table_write.c writes them.
 *
 * Names of a swarm are those of BOLSIG+ (G. J. M. Hagelaar, Brief documentation of BOLSIG+,
 * version 03/2016), which afivo-streamer searches for, too:
 *   Mobility *N                flux drift velocity / (E/N)
 *   Diffusion coefficient *N   N times the transverse flux coefficient
 *   rate coefficients          collisions per electron and second over the density of the
 *                              target, not of the mixture
 *   PT, SST                    effective coefficients of a pulsed and of a steady-state Townsend
 *                              experiment, mean energy and drift velocity of the latter
 *                              (src/diag/townsend.c); SST columns are left out if the run has no
 *                              value in any row, as for gases without ionization and attachment
 * A scan gives a table for each point.  If each point has one field, the first scan over a
 * number is the axis in place of E/N, and there is a table for each point of the other scans.  A
 * rate without a collision (0 without error) is no measured value: it is below the resolution of
 * the run.  If the gas has no process of a kind, that rate is 0 and known. */
#ifndef WN_SRC_RESULTS_TABLE_H
#define WN_SRC_RESULTS_TABLE_H
#include <stddef.h>
#include <stdio.h>

enum wn_table_format {
  WN_TABLE_BOLSIG,
  WN_TABLE_COMBINED,
  WN_TABLE_AFIVO,
  WN_TABLE_CSV,
  WN_TABLE_FORMATS
};
/* "bolsig", "combined", "afivo", "csv" */
extern const char *const wn_table_format_name[];

struct wn_table_kind;

struct wn_table_column {
  char *name; /* of BOLSIG+, unit in brackets; for a rate "C9 N2 Ionization 15.58 eV" */
  char *key;  /* of the variable it comes from; for a rate the process */
  const char *units;
  double *value, *error; /* [n_rows]; value NaN: not measured */
  double *limit; /* [n_rows] 95 % upper limit where no event was seen; NaN elsewhere */
  int has_limits;
  int is_rate;
  int is_counted;   /* may be taken as 0 where no event was seen */
  int is_extra;     /* in a combined table only if each row has a number */
  int needed;       /* afivo-streamer stops without it */
  int has_no_error; /* and has no column for it */
  int may_be_empty; /* a missing number is no gap: another column says why */
};

/* Texts are those of the file made safe for a terminal (base/clean.h), in one line each
 * except path, title, source, date, seed and sources, which may have several. */
struct wn_table {
  const struct wn_table_kind *kind; /* table_kind.h */
  char *path;
  /* Of a scan: "T = 300 K (gas.temperature)", "" if the axis says it all, and the same for
   * the name of a file, "T_300"; NULL: no scan */
  char *point, *suffix;
  char *axis; /* "E/N (Td)", or "gas.temperature (K)" */
  int is_over_field;
  size_t n_rows;
  double *x;  /* [n_rows], increasing: the axis */
  double *td; /* [n_rows] E/N */
  size_t n_columns;
  struct wn_table_column *column;
  double *density; /* [n_rows] m-3 */
  /* [n_rows] T, Hx, rad from the direction against E; NULL: not in the file */
  double *magnetic, *magnetic_hx, *magnetic_angle;
  size_t n_unsteady;  /* rates with events that are not steady; a column says which */
  int unseen_is_zero; /* write 0 where no event was seen, with a comment */
  /* attributes of the file, "" if missing */
  char *title, *source, *date, *seed, *sources;
  char scenario[65]; /* SHA-256 of the resolved scenario, hex */
};

struct wn_tables {
  size_t n;
  struct wn_table **t; /* [n] */
};

/* WN_EINPUT with the path: a run of another job, no finished record, a duplicate row. */
int wn_tables_read(const char *path, struct wn_tables *out);
void wn_tables_free(struct wn_tables *t);

/* WN_EINPUT: the format is not for tables of this job, or not for an axis other than E/N. */
int wn_table_allows(const struct wn_table *t, enum wn_table_format format);

/* WN_EINPUT: as above; afivo-streamer's reader needs at least two rows in each column; a
 * combined table needs every number.  Rows that are left out are named in the file, and
 * counted in one warning; so are rates that are not steady. */
int wn_table_write(const struct wn_table *t, enum wn_table_format format, FILE *to);

#endif
