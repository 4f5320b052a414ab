/* src/io/output_journal.c - data put into an output, kept in memory to be put into another output with
 * the same variables: that of another process (src/run/divide_cases.c).  Entries follow one another, each
 * a head and its data; strings end with a zero byte. */
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "src/io/output_internal.h"

struct wn_output_journal {
  unsigned char *bytes; /* [room] */
  size_t n, room;
};

struct head {
  uint64_t var; /* ATTRIBUTE: a name and a text follow */
  int64_t first;
  uint64_t n, bytes;
};
#define ATTRIBUTE UINT64_MAX

int wn_output_journal(struct wn_output *o)
{
  if (o->journal != NULL)
    return WN_OK;
  o->journal = wn_alloc(1, sizeof *o->journal);
  return o->journal != NULL ? WN_OK : WN_ENOMEM;
}

int wn_output_journal_of(const struct wn_output *o, struct wn_output **out)
{
  struct wn_output *of = wn_alloc(1, sizeof *of);
  if (of == NULL)
    return WN_ENOMEM;
  *of = *o; /* its variables are those of o */
  of->is_journal_of = 1;
  of->journal = NULL;
  const int status = wn_output_journal(of);
  if (status != WN_OK) {
    free(of);
    return status;
  }
  *out = of;
  return WN_OK;
}

void wn_output_journal_end(struct wn_output *o)
{
  if (o->journal != NULL)
    free(o->journal->bytes);
  free(o->journal);
  o->journal = NULL;
}

void wn_output_journal_take(struct wn_output *o, unsigned char **bytes, size_t *n)
{
  *bytes = o->journal->bytes;
  *n = o->journal->n;
  *o->journal = (struct wn_output_journal){0};
}

/* Appends n bytes; returns where they begin. */
static unsigned char *grow(struct wn_output_journal *j, size_t n)
{
  if (j->room - j->n < n) {
    const size_t room = 2 * j->room > j->n + n ? 2 * j->room : j->n + n;
    unsigned char *more = wn_alloc(room, 1);
    if (more == NULL)
      return NULL;
    if (j->n > 0)
      memcpy(more, j->bytes, j->n);
    free(j->bytes);
    j->bytes = more;
    j->room = room;
  }
  j->n += n;
  return j->bytes + j->n - n;
}

static int add(struct wn_output_journal *j, struct head h, const char *const *part,
               size_t n_parts)
{
  unsigned char *to = grow(j, sizeof h + h.bytes);
  if (to == NULL)
    return WN_ENOMEM;
  memcpy(to, &h, sizeof h);
  to += sizeof h;
  for (size_t i = 0; i < n_parts; i++) {
    const size_t n = strlen(part[i]) + 1;
    memcpy(to, part[i], n);
    to += n;
  }
  return WN_OK;
}

static size_t lengths(const char *const *part, size_t n)
{
  size_t sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += strlen(part[i]) + 1;
  return sum;
}

int wn_output_journal_add(struct wn_output *o, const struct wn_output_open_var *v,
                          const char *name, long first, size_t n, const void *data)
{
  struct head h = {.var = ATTRIBUTE, .first = first, .n = n};
  if (v == NULL) {
    const char *const pair[] = {name, data};
    h.bytes = lengths(pair, 2);
    return add(o->journal, h, pair, 2);
  }
  h.var = (uint64_t)(v - o->vars);
  const size_t values = (first < 0 ? v->n_records : n) * v->per_record;
  if (v->type == WN_OUT_STRING) {
    h.bytes = lengths(data, values);
    return add(o->journal, h, data, values);
  }
  h.bytes = values * 8; /* of a double, or of a 64-bit integer */
  WN_TRY(add(o->journal, h, NULL, 0));
  if (h.bytes > 0)
    memcpy(o->journal->bytes + o->journal->n - h.bytes, data, h.bytes);
  return WN_OK;
}

/* ---- from a journal into a file */

static int put_strings(struct wn_output *o, const struct wn_output_open_var *v,
                       long record, const unsigned char *data, const struct head *h)
{
  const size_t n = (record < 0 ? v->n_records : 1) * v->per_record;
  const char **text = wn_alloc(n + 1, sizeof *text), *at = (const char *)data;
  if (text == NULL)
    return WN_ENOMEM;
  for (size_t i = 0; i < n; i++) {
    text[i] = at;
    at += strlen(at) + 1;
  }
  WN_ASSERT((size_t)(at - (const char *)data) == h->bytes);
  const int status = wn_output_put_string(o, v->name, record, text);
  free(text);
  return status;
}

static int put_one(struct wn_output *o, const struct head *h, const unsigned char *data)
{
  if (h->var == ATTRIBUTE) {
    const char *name = (const char *)data;
    return wn_output_attr_text(o, NULL, name, name + strlen(name) + 1);
  }
  WN_ASSERT(h->var < o->n_vars);
  const struct wn_output_open_var *v = &o->vars[h->var];
  const long first = (long)h->first;
  if (v->type == WN_OUT_STRING)
    return put_strings(o, v, first, data, h);
  void *values = wn_alloc(h->bytes + 1, 1); /* aligned for numbers */
  if (values == NULL)
    return WN_ENOMEM;
  memcpy(values, data, h->bytes);
  const int status = v->type == WN_OUT_INT64
                         ? wn_output_put_int(o, v->name, first, values)
                     : h->n == 1 || first < 0
                         ? wn_output_put(o, v->name, first, values)
                         : wn_output_put_records(o, v->name, (size_t)first, h->n, values);
  free(values);
  return status;
}

int wn_output_journal_put(struct wn_output *o, const unsigned char *bytes, size_t n)
{
  struct wn_output_journal *kept = o->journal;
  int status = WN_OK;
  o->journal = NULL;
  for (size_t at = 0; at < n && status == WN_OK;) {
    struct head h;
    memcpy(&h, bytes + at, sizeof h);
    status = put_one(o, &h, bytes + at + sizeof h);
    at += sizeof h + h.bytes;
  }
  if (status == WN_OK)
    status = wn_output_sync(o);
  o->journal = kept;
  return status;
}
