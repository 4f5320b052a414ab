/* src/config/columns.c - see columns.h. */
#include "src/config/columns.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"

/* Reads the number at *at, and skips it and the separator after it. */
static bool take(char **at, double *x)
{
  const char *stop;
  char *end;
  errno = 0;
  *x = strtod(*at, &end);
  if (end == *at || errno == ERANGE || !isfinite(*x))
    return false;
  stop = end;
  end += strspn(end, " \t\r\n");
  if (*end == ',')
    end += 1 + strspn(end + 1, " \t\r\n");
  else if (end == stop && *end != '\0')
    return false; /* letters follow without a separator */
  *at = end;
  return true;
}

struct file {
  struct wn_reader *r;
  const struct wn_columns_spec *spec;
  const char *path;
  struct wn_columns p;
};

static void wrong_line(const struct file *f, int line, const char *what)
{
  wn_log_at(WN_LOG_ERROR, f->path, line, "%s", what);
  f->r->n_errors++;
}

static bool is_in_range(const struct file *f, int line, int i, double x)
{
  const struct wn_column *c = &f->spec->column[i];
  if (x <= c->max && (c->above_min ? x > c->min : x >= c->min))
    return true;
  wn_log_at(WN_LOG_ERROR, f->path, line, "%s must be %s", c->name, c->range);
  f->r->n_errors++;
  return false;
}

/* One line of the file; a blank one is ignored. */
static int add_line(struct file *f, char *text, int line)
{
  struct wn_columns *p = &f->p;
  double x[2];
  text[strcspn(text, "#")] = '\0';
  char *at = text + strspn(text, " \t\r\n");
  if (*at == '\0')
    return WN_OK;
  if (!take(&at, &x[0]) || !take(&at, &x[1]) || *at != '\0') {
    wn_log_at(WN_LOG_ERROR, f->path, line,
              "not two numbers; a line holds %s, a comma or blanks between them",
              f->spec->line);
    f->r->n_errors++;
    return WN_EINPUT;
  }
  for (int i = 0; i < 2; i++)
    if (!is_in_range(f, line, i, x[i]))
      return WN_EINPUT;
  if (p->n > 0 && !(x[0] > p->value[0][p->n - 1])) {
    wrong_line(f, line, f->spec->order);
    return WN_EINPUT;
  }
  for (int i = 0; i < 2; i++) {
    double *more = wn_realloc(p->value[i], p->n + 1, sizeof *more);
    if (more == NULL)
      return WN_ENOMEM;
    p->value[i] = more;
    more[p->n] = x[i];
  }
  p->n++;
  return WN_OK;
}

static int read_lines(struct file *f, FILE *from)
{
  char *text = NULL;
  size_t size = 0;
  int status = WN_OK;
  for (int line = 1; status == WN_OK && getline(&text, &size, from) >= 0; line++)
    status = add_line(f, text, line);
  free(text);
  if (status == WN_OK && ferror(from)) {
    wrong_line(f, 0, "reading failed");
    status = WN_EINPUT;
  }
  return status;
}

int wn_columns_read(struct wn_reader *r, const struct wn_columns_spec *spec,
                    const char *path, struct wn_columns *out)
{
  struct file f = {.r = r, .spec = spec, .path = path};
  FILE *from = fopen(path, "r");
  *out = (struct wn_columns){.n = 0};
  if (from == NULL) {
    wn_reader_error(r, wn_reader_find(r, spec->key), spec->key, "cannot be read: %s",
                    strerror(errno));
    return WN_OK;
  }
  const int status = read_lines(&f, from);
  fclose(from);
  if (status == WN_OK) {
    *out = f.p;
    return WN_OK;
  }
  free(f.p.value[0]);
  free(f.p.value[1]);
  return status == WN_EINPUT ? WN_OK : status;
}
