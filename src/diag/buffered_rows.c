/* src/diag/buffered_rows.c - see buffered_rows.h. */
#include "src/diag/buffered_rows.h"
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"

#define BLOCK WN_INTEGRALS_BLOCK

int wn_buffered_rows_create(struct wn_buffered_rows *r, size_t columns)
{
  *r = (struct wn_buffered_rows){.n = columns};
  r->column = wn_alloc(columns + 1, sizeof *r->column);
  return r->column != NULL ? WN_OK : WN_ENOMEM;
}

int wn_buffered_rows_reserve(struct wn_buffered_rows *r)
{
  for (size_t k = 0; k < r->n; k++) {
    struct wn_buffered_column *c = &r->column[k];
    c->value = wn_alloc(BLOCK * c->width + 1, sizeof *c->value);
    if (c->value == NULL)
      return WN_ENOMEM;
  }
  return WN_OK;
}

int wn_buffered_rows_alike(struct wn_buffered_rows *r, const struct wn_output_var *vars,
                           size_t columns, size_t width)
{
  WN_TRY(wn_buffered_rows_create(r, columns));
  for (size_t k = 0; k < columns; k++) {
    r->column[k].name = vars[k].name;
    r->column[k].width = width;
  }
  return wn_buffered_rows_reserve(r);
}

void wn_buffered_rows_clear(struct wn_buffered_rows *r)
{
  for (size_t k = 0; r->column != NULL && k < r->n; k++)
    free(r->column[k].value);
  free(r->column);
  *r = (struct wn_buffered_rows){0};
}

double *wn_buffered_row(const struct wn_buffered_rows *r, size_t k)
{
  return r->column[k].value + r->kept * r->column[k].width;
}

int wn_buffered_rows_next(struct wn_buffered_rows *r, struct wn_output *o)
{
  return ++r->kept == BLOCK ? wn_buffered_rows_flush(r, o) : WN_OK;
}

int wn_buffered_rows_flush(struct wn_buffered_rows *r, struct wn_output *o)
{
  for (size_t k = 0; k < r->n; k++) {
    const struct wn_buffered_column *c = &r->column[k];
    if (c->name != NULL)
      WN_TRY(wn_output_put_records(o, c->name, r->written, r->kept, c->value));
  }
  r->written += r->kept;
  r->kept = 0;
  return WN_OK;
}

int wn_buffered_rows_state(struct wn_buffered_rows *r, struct wn_state *st)
{
  WN_TRY(WN_STATE(st, r->kept));
  WN_TRY(WN_STATE(st, r->written));
  for (size_t k = 0; k < r->n; k++)
    WN_TRY(WN_STATE_ARRAY(st, r->column[k].value, BLOCK * r->column[k].width));
  return WN_OK;
}
