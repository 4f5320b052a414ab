/* src/results/table.h - a run of job swarm as columns that fluid codes take, or one of job
 * runaway-rate as its curve over the field.  table.c makes them of a result file, with the
 * columns of table_swarm.c or table_runaway_rate.c, table_scan.c finds the tables of a scan,
 * table_write.c writes them.
 *
 * Names of a swarm are those of BOLSIG+ (G. J. M. Hagelaar, Brief documentation of BOLSIG+,
 * version 03/2016), which afivo-streamer looks for, too:
 *   Mobility *N                flux drift velocity / (E/N)
 *   Diffusion coefficient *N   N times the transverse flux coefficient
 *   rate coefficients          collisions per electron and second over the density of the
 *                              target, not of the mixture
 *   PT, SST                    effective coefficients of a pulsed and of a steady-state Townsend
 *                              experiment, mean energy and drift velocity of the latter
 *                              (src/diag/townsend.c); SST ones are left out where the run knows
 *                              none in any row, as of gases where nothing makes electrons
 * Of a scan there is a table for each point; but where each point has one field, the first
 * scan over a number is the axis in the place of E/N, and there is a table for each point of
 * the others.
 * A rate that saw no collision (0 with no error) is no number, it is below what the run
 * could see.  Where the gas has no process of a kind, that rate is 0 and known. */
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
  char *name; /* of BOLSIG+, unit in brackets; of a rate "C9 N2 Ionization 15.58 eV" */
  char *key;  /* of the variable that it comes from; of a rate the process */
  const char *units;
  double *value, *error; /* [n_rows]; value NaN: not measured */
  double *limit; /* [n_rows], below which it is with 95 % where nothing was seen; NaN */
  int has_limits;
  int is_rate;
  int is_counted;   /* where nothing was seen it may be taken as 0 */
  int is_extra;     /* of a combined table only where each row has a number */
  int needed;       /* afivo-streamer ends without it */
  int has_no_error; /* nor a column for it */
  int may_be_empty; /* no number is no gap: another column says why */
};

/* Texts are those of the file as a terminal may have them (base/clean.h), in one line each
 * but for path, title, source, date, seed and sources, which may have several. */
struct wn_table {
  const struct wn_table_kind *kind; /* table_kind.h */
  char *path;
  /* Of a scan: "T = 300 K (gas.temperature)", "" where the axis says all, and the same for
   * the name of a file, "T_300"; NULL: no scan */
  char *point, *suffix;
  char *axis; /* "E/N (Td)", or "gas.temperature (K)" */
  int is_over_field;
  size_t n_rows;
  double *x;  /* [n_rows], rising: the axis */
  double *td; /* [n_rows] E/N */
  size_t n_columns;
  struct wn_table_column *column;
  double *density; /* [n_rows] m-3 */
  /* [n_rows] T, Hx, rad to the direction against E; NULL: the file names none */
  double *magnetic, *magnetic_hx, *magnetic_angle;
  size_t n_unsteady;  /* rates that were seen and are no results; a column says which */
  int unseen_is_zero; /* write 0 where nothing was seen, and say so */
  /* attributes of the file, "" where it has none */
  char *title, *source, *date, *seed, *sources;
  char scenario[65]; /* SHA-256 of the resolved scenario, hex */
};

struct wn_tables {
  size_t n;
  struct wn_table **t; /* [n] */
};

/* WN_EINPUT with the path: a run of another job, no record finished, a row twice. */
int wn_tables_read(const char *path, struct wn_tables *out);
void wn_tables_free(struct wn_tables *t);

/* WN_EINPUT: the format is not for tables of this job, or not for one over another key than
 * E/N. */
int wn_table_allows(const struct wn_table *t, enum wn_table_format format);

/* WN_EINPUT: as above; afivo-streamer's reader needs two rows of a column that has not; a
 * combined table needs a number in each place.  Rows that are left out are named in the file,
 * and counted in one warning; so are rates that are not steady. */
int wn_table_write(const struct wn_table *t, enum wn_table_format format, FILE *to);

#endif
