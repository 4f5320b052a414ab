/* t/fuzz/contents.h - a netCDF-4 file of which libFuzzer's bytes say what is in it.
 * Each dimension, variable and attribute is as it should be where its byte is 0: then
 * the file is whole.  That netCDF and HDF5 read any bytes is not what is asked. */
#ifndef WN_T_FUZZ_CONTENTS_H
#define WN_T_FUZZ_CONTENTS_H
#include <netcdf.h>
#include <stdlib.h>
#include "t/fuzz/bytes.h"

#define CONTENTS_DIMS 8  /* of a file */
#define CONTENTS_MOST 64 /* numbers of a variable that are written */
#define CONTENTS_HELD 40 /* variables of a file */

struct contents {
  struct bytes *b;
  int nc, n_dims, dim[CONTENTS_DIMS];
  size_t length[CONTENTS_DIMS];
  int n_held;
  struct contents_held { /* variables whose values are written at the end */
    int var, rank;
    nc_type type;
    size_t n, count[3];
    const char *plain;
    double first, step;
  } held[CONTENTS_HELD];
};

static void contents_dim(struct contents *c, const char *name, size_t length)
{
  if (c->n_dims == CONTENTS_DIMS ||
      nc_def_dim(c->nc, name, length, &c->dim[c->n_dims]) != NC_NOERR)
    return;
  c->length[c->n_dims++] = length;
}

static const nc_type contents_types[] = {NC_DOUBLE, NC_FLOAT, NC_INT,   NC_INT64, NC_CHAR,
                                         NC_STRING, NC_BYTE,  NC_SHORT, NC_UINT64};
enum { CONTENTS_TYPES = sizeof contents_types / sizeof contents_types[0] };

/* Texts that have made trouble: one byte is enough to get one. */
static const char *const contents_odd[] = {"N2\n\033[31m ionization \"\r",
                                           "",
                                           " attachment",
                                           "N2 \302\233\177",
                                           "};\n};\n",
                                           "gas = {\n",
                                           "K",
                                           "1",
                                           "Wilson 1\n\b"};
enum { CONTENTS_ODD = sizeof contents_odd / sizeof contents_odd[0] };

/* n texts, some of them none at all; the same memory each time. */
static const char **contents_texts(struct bytes *b, size_t n, const char *plain)
{
  static char text[CONTENTS_MOST][40];
  static const char *at[CONTENTS_MOST];
  for (size_t i = 0; i < n; i++) {
    const unsigned how = one_of(b, 4);
    at[i] = how == 0   ? plain
            : how == 1 ? text[i]
            : how == 2 ? contents_odd[one_of(b, CONTENTS_ODD)]
                       : NULL;
    if (how == 1)
      a_text(b, text[i], sizeof text[i]);
  }
  return at;
}

/* An attribute; variable: NC_GLOBAL for the file's.  Text where plain is one, else n
 * numbers `number`. */
static void contents_attribute(struct contents *c, int variable, const char *name,
                               const char *plain, size_t n, double number)
{
  char text[200];
  double x[40];
  const unsigned how = one_of(c->b, 7);
  if (how == 1) /* none */
    return;
  if ((how == 0 && plain != NULL) || how == 6) {
    const char *of = how == 0 ? plain : contents_odd[one_of(c->b, CONTENTS_ODD)];
    nc_put_att_text(c->nc, variable, name, strlen(of), of);
    return;
  }
  if (how == 2) {
    const size_t length = a_text(c->b, text, sizeof text);
    nc_put_att_text(c->nc, variable, name, length, text);
    return;
  }
  if (how == 3) {
    const size_t n_texts = one_of(c->b, 4);
    const char **texts = contents_texts(c->b, n_texts, plain != NULL ? plain : "");
    for (size_t i = 0; i < n_texts; i++) /* netCDF writes no attribute that is none */
      texts[i] = texts[i] != NULL ? texts[i] : "";
    nc_put_att_string(c->nc, variable, name, n_texts, texts);
    return;
  }
  if (how != 0)
    n = next(c->b) % 40u;
  for (size_t i = 0; i < n && i < 40; i++)
    x[i] = a_number(c->b, number);
  nc_put_att_double(c->nc, variable, name,
                    how == 5 ? contents_types[one_of(c->b, CONTENTS_TYPES)] : NC_DOUBLE,
                    n < 40 ? n : 40, x);
}

/* A variable of the first `rank` dimensions named; dims: places in c->dim.  Its
 * number, -1: none. Numbers go from `first` on by `step`; texts are `plain`. */
static int contents_variable(struct contents *c, const char *name, nc_type type, int rank,
                             const int *dims, const char *plain, double first,
                             double step)
{
  static const size_t chunk[3] = {1, 1, 1};
  struct contents_held h = {.plain = plain, .first = first, .step = step, .n = 1};
  int of[3];
  const unsigned how = one_of(c->b, 8);
  if (how == 1) /* none */
    return -1;
  h.type = how & 2 ? contents_types[one_of(c->b, CONTENTS_TYPES)] : type;
  h.rank = how & 4 ? (int)one_of(c->b, 4) : rank;
  for (int i = 0; i < h.rank; i++) {
    const int d = how & 4 ? (int)one_of(c->b, (unsigned)c->n_dims) : dims[i];
    of[i] = c->dim[d];
    h.count[i] = c->length[d] > 0 ? c->length[d] : 2; /* no limit: two records */
    if (__builtin_mul_overflow(h.n, h.count[i], &h.n))
      h.n = SIZE_MAX;
  }
  if (nc_def_var(c->nc, name, h.type, h.rank, of, &h.var) != NC_NOERR)
    return -1;
  if (h.n > CONTENTS_MOST) /* of such a length that it stays unwritten */
    nc_def_var_chunking(c->nc, h.var, NC_CHUNKED, chunk);
  else if (how != 3 && c->n_held < CONTENTS_HELD) /* 3: never written */
    c->held[c->n_held++] = h;
  return h.var;
}

/* The values of all variables; what does not fit a type is refused, and stays
 * unwritten. */
static void contents_values(struct contents *c)
{
  static const size_t start[3];
  double x[CONTENTS_MOST];
  nc_enddef(c->nc);
  for (int k = 0; k < c->n_held; k++) {
    const struct contents_held *h = &c->held[k];
    if (h->type == NC_STRING) {
      nc_put_vara_string(c->nc, h->var, start, h->count,
                         contents_texts(c->b, h->n, h->plain));
      continue;
    }
    for (size_t i = 0; i < h->n; i++)
      x[i] = a_number(c->b, h->first + h->step * (double)i);
    nc_put_vara_double(c->nc, h->var, start, h->count, x);
  }
}

#endif
