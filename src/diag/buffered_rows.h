/* src/diag/buffered_rows.h - rows of a diagnostic, kept in memory and written in blocks of
 * WN_INTEGRALS_BLOCK.  Each column is a variable whose first dimension is the rows. */
#ifndef WN_SRC_DIAG_BUFFERED_ROWS_H
#define WN_SRC_DIAG_BUFFERED_ROWS_H
#include "src/diag/diag.h"

struct wn_buffered_column {
  const char *name; /* of the variable; NULL: it is not written */
  size_t width;     /* values of a row, 0 or more */
  double *value;    /* [WN_INTEGRALS_BLOCK][width] */
};

struct wn_buffered_rows {
  size_t n; /* columns */
  struct wn_buffered_column *column;
  size_t kept, written; /* rows */
};

/* Columns of width 0 without a name; the caller sets both, then calls _reserve.  WN_ENOMEM. */
int wn_buffered_rows_create(struct wn_buffered_rows *r, size_t columns);
/* Memory for the values of all columns.  WN_ENOMEM. */
int wn_buffered_rows_reserve(struct wn_buffered_rows *r);
/* Both, of columns of the same width with the names of vars [columns].  WN_ENOMEM; _clear after an error, too. */
int wn_buffered_rows_alike(struct wn_buffered_rows *r, const struct wn_output_var *vars,
                           size_t columns, size_t width);
void wn_buffered_rows_clear(struct wn_buffered_rows *r);

/* [width] values of column k in the row that is being filled. */
double *wn_buffered_row(const struct wn_buffered_rows *r, size_t k);
/* That row is complete; a full block is written.  Errors: wn_output_put_records. */
int wn_buffered_rows_next(struct wn_buffered_rows *r, struct wn_output *o);
/* Writes the complete rows that are not yet written. */
int wn_buffered_rows_flush(struct wn_buffered_rows *r, struct wn_output *o);

int wn_buffered_rows_state(struct wn_buffered_rows *r, struct wn_state *st);

#endif
