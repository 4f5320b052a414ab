/* src/table.h - the scan of a swarm run as columns that fluid codes take.  table.c makes
 * them of a result file, table_write.c writes them.
 *
 * Names are those of BOLSIG+ (G. J. M. Hagelaar, Brief documentation of BOLSIG+, version
 * 03/2016), which afivo-streamer looks for, too:
 *   Mobility *N                flux drift velocity / (E/N)
 *   Diffusion coefficient *N   N times the transverse flux coefficient
 *   rate coefficients          collisions per electron and second over the density of the
 *                              target, not of the mixture
 * A rate that saw no collision (0 with no error) is no number, it is below what the run
 * could see.  Where the gas has no process of a kind, that rate is 0 and known. */
#ifndef WN_SRC_TABLE_H
#define WN_SRC_TABLE_H
#include <stddef.h>
#include <stdio.h>

enum wn_table_format { WN_TABLE_BOLSIG, WN_TABLE_AFIVO, WN_TABLE_CSV, WN_TABLE_FORMATS };
extern const char *const wn_table_format_name[]; /* "bolsig", "afivo", "csv" */

struct wn_table_column {
  char *name; /* of BOLSIG+, unit in brackets; of a rate "C9 N2 Ionization 15.58 eV" */
  char *key;  /* of the variable that it comes from; of a rate the process */
  const char *units;
  double *value, *error; /* [n_rows]; value NaN: not measured */
  double *limit; /* [n_rows], below which it is with 95 % where nothing was seen; NaN */
  int has_limits;
  int is_rate;
  int needed; /* afivo-streamer ends without it */
};

struct wn_table {
  char *path;
  size_t n_rows;
  double *td; /* [n_rows], rising */
  size_t n_columns;
  struct wn_table_column *column;
  double density; /* m-3 */
  /* T, Hx, rad to the direction against E; NaN: the file names none */
  double magnetic, magnetic_hx, magnetic_angle;
  int unseen_is_zero; /* write 0 where nothing was seen, and say so */
  /* attributes of the file, "" where it has none */
  char *title, *source, *date, *seed, *sources;
  char scenario[65]; /* SHA-256 of the resolved scenario, hex */
};

/* WN_EINPUT with the path: no swarm run, no record finished, E/N twice. */
int wn_table_read(const char *path, struct wn_table **out);
void wn_table_free(struct wn_table *t);

/* WN_EINPUT: afivo-streamer's reader needs two rows of a column that has not. Rows
 * that are left out are named in the file, and counted in one warning. */
int wn_table_write(const struct wn_table *t, enum wn_table_format format, FILE *to);

#endif
