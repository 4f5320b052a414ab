/* t/tap/command.c - see command.h. */
#include "t/tap/command.h"
#include <math.h>
#include <netcdf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "t/tap/tap.h"

/* A run that goes on for ever must not hold up the others for ever.  Not a measure of
 * speed: it is so wide that no machine on which the tests are run at all meets it. */
#define CPU_SECONDS 14400

char command_out[65536], command_err[65536];

static void bail_out(const char *what)
{
  printf("Bail out! %s\n", what);
  exit(1);
}

static const char *program(char path[4096], const char *name)
{
  const char *dir = getenv("WN_BUILDDIR");
  snprintf(path, 4096, "%s/%s", dir != NULL && *dir ? dir : ".", name);
  if (access(path, X_OK) != 0)
    bail_out("a program that the test runs is not built");
  return path;
}

const char *command_wilson(void)
{
  static char path[4096];
  return program(path, "wilson");
}

const char *command_study(void)
{
  static char path[4096];
  return program(path, "bench/study/study");
}

int command_long(void)
{
  const char *value = getenv("WN_LONG");
  return value == NULL ? 0 : *value == '1' ? 1 : *value == '2' ? 2 : 0;
}

int command_fast(void)
{
  const char *value = getenv("WN_FAST");
  return value != NULL && *value == '1';
}

void command_skip_if_fast(void)
{
  if (command_fast())
    skip_all("WN_FAST=1: the long physics runs are left out");
}

static void slurp(const char *path, char *buf, size_t size)
{
  FILE *f = fopen(path, "r");
  buf[0] = '\0';
  if (f != NULL) {
    buf[fread(buf, 1, size - 1, f)] = '\0';
    fclose(f);
  }
  remove(path);
}

int command(const char *fmt, ...)
{
  char text[8192], out[64], err[64];
  int n = snprintf(out, sizeof out, "command-%ld.out", (long)getpid());
  snprintf(err, sizeof err, "command-%ld.err", (long)getpid());
  va_list ap;
  va_start(ap, fmt);
  n = snprintf(text, sizeof text, "ulimit -t %d; { ", CPU_SECONDS);
  n += vsnprintf(text + n, sizeof text - 512, fmt, ap);
  va_end(ap);
  if (n < 2 || (size_t)n >= sizeof text - 256)
    bail_out("a command is too long");
  snprintf(text + n, sizeof text - (size_t)n, "\n} >%s 2>%s </dev/null", out, err);
  fflush(NULL);
  int status = system(text);
  slurp(out, command_out, sizeof command_out);
  slurp(err, command_err, sizeof command_err);
  return WIFEXITED(status)     ? WEXITSTATUS(status)
         : WIFSIGNALED(status) ? 128 + WTERMSIG(status)
                               : -1;
}

void command_write(const char *path, const char *text)
{
  FILE *f = fopen(path, "w");
  if (f == NULL || fputs(text, f) < 0 || fclose(f) != 0)
    bail_out(path);
}

int command_run(const char *path, const char *text, const char *before, const char *out,
                const char *options)
{
  command_write(path, text);
  const int status = command("%s %s run %s --quiet --output %s %s", before,
                             command_wilson(), path, out, options);
  remove(path);
  if (status != 0)
    diag("%.800s", command_err);
  return status;
}

/* Number of values of a variable. */
static size_t length(int nc, int var)
{
  int n_dims, dim[NC_MAX_VAR_DIMS];
  size_t n = 1, len;
  if (nc_inq_varndims(nc, var, &n_dims) != NC_NOERR ||
      nc_inq_vardimid(nc, var, dim) != NC_NOERR)
    return 0;
  for (int i = 0; i < n_dims; i++) {
    if (nc_inq_dimlen(nc, dim[i], &len) != NC_NOERR)
      return 0;
    n *= len;
  }
  return n;
}

double *command_nc_read(const char *path, const char *name, size_t *n)
{
  int nc, var;
  double *v = NULL;
  *n = 0;
  if (nc_open(path, NC_NOWRITE, &nc) != NC_NOERR)
    return NULL;
  if (nc_inq_varid(nc, name, &var) == NC_NOERR) {
    size_t len = length(nc, var);
    v = malloc((len + 1) * sizeof *v);
    if (v != NULL && nc_get_var_double(nc, var, v) == NC_NOERR) {
      *n = len;
    } else {
      free(v);
      v = NULL;
    }
  }
  nc_close(nc);
  return v;
}

double command_nc_at(const char *path, const char *name, size_t i)
{
  size_t n = 0;
  double *v = command_nc_read(path, name, &n), x = v != NULL && i < n ? v[i] : NAN;
  free(v);
  return x;
}

double command_nc_last(const char *path, const char *name, size_t width, size_t i)
{
  size_t n = 0;
  double *v = command_nc_read(path, name, &n), x = NAN;
  if (v != NULL && n >= width)
    x = v[n - width + i];
  free(v);
  return x;
}

double command_nc_sum(const char *path, const char *name)
{
  size_t n = 0;
  double *v = command_nc_read(path, name, &n), sum = v != NULL ? 0.0 : NAN;
  for (size_t i = 0; v != NULL && i < n; i++)
    sum += v[i];
  free(v);
  return sum;
}

/* The bytes of a variable, or for text the strings one after the other; malloc'd. */
static unsigned char *bytes(int nc, int var, size_t *size)
{
  nc_type type;
  size_t n = length(nc, var), each;
  if (nc_inq_vartype(nc, var, &type) != NC_NOERR ||
      nc_inq_type(nc, type, NULL, &each) != NC_NOERR)
    return NULL;
  unsigned char *v = malloc(n * each + 1);
  *size = n * each;
  if (v == NULL || nc_get_var(nc, var, v) != NC_NOERR) {
    free(v);
    return NULL;
  }
  if (type != NC_STRING)
    return v;
  char **s = (char **)(void *)v;
  size_t all = 0;
  for (size_t i = 0; i < n; i++)
    all += strlen(s[i]) + 1;
  unsigned char *text = malloc(all + 1), *to = text;
  for (size_t i = 0; text != NULL && i < n; i++) {
    size_t l = strlen(s[i]) + 1;
    memcpy(to, s[i], l);
    to += l;
  }
  nc_free_string(n, s);
  free(v);
  *size = all;
  return text;
}

/* ---- two files */

static size_t bytes_of_row; /* for qsort */

static int compare_rows(const void *a, const void *b)
{
  return memcmp(a, b, bytes_of_row);
}

/* Sorts the rows of a variable [time][particle_NAME][component]. */
static void sort_particles(int nc, int var, unsigned char *v, size_t size)
{
  char name[NC_MAX_NAME + 1];
  int n_dims, dim[NC_MAX_VAR_DIMS];
  size_t times, n;
  if (nc_inq_varndims(nc, var, &n_dims) != NC_NOERR || n_dims != 3 ||
      nc_inq_vardimid(nc, var, dim) != NC_NOERR ||
      nc_inq_dim(nc, dim[1], name, &n) != NC_NOERR ||
      nc_inq_dimlen(nc, dim[0], &times) != NC_NOERR ||
      strncmp(name, "particle_", 9) != 0 || times * n == 0)
    return;
  bytes_of_row = size / (times * n);
  for (size_t t = 0; t < times; t++)
    qsort(v + t * n * bytes_of_row, n, bytes_of_row, compare_rows);
}

static const char *differs_in(const char *a, const char *b, int sorts, size_t *n_values)
{
  static char name[NC_MAX_NAME + 1];
  int p, q, n = 0, m = 0, differs = 0;
  *n_values = 0;
  if (nc_open(a, NC_NOWRITE, &p) != NC_NOERR)
    return "";
  if (nc_open(b, NC_NOWRITE, &q) != NC_NOERR) {
    nc_close(p);
    return "";
  }
  name[0] = '\0';
  if (nc_inq_nvars(p, &n) != NC_NOERR || nc_inq_nvars(q, &m) != NC_NOERR || n != m ||
      n == 0)
    differs = 1;
  for (int i = 0; i < n && !differs; i++) {
    size_t na = 0, nb = 0;
    int j = -1;
    unsigned char *va = NULL, *vb = NULL;
    if (nc_inq_varname(p, i, name) == NC_NOERR && nc_inq_varid(q, name, &j) == NC_NOERR) {
      va = bytes(p, i, &na);
      vb = bytes(q, j, &nb);
    }
    if (sorts && va != NULL && vb != NULL && na == nb) {
      sort_particles(p, i, va, na);
      sort_particles(q, j, vb, nb);
    }
    differs = va == NULL || vb == NULL || na != nb || memcmp(va, vb, na) != 0;
    *n_values += length(p, i);
    free(va);
    free(vb);
  }
  nc_close(p);
  nc_close(q);
  return differs ? name : NULL;
}

const char *command_nc_differs(const char *a, const char *b, size_t *n_values)
{
  return differs_in(a, b, 0, n_values);
}

const char *command_nc_differs_in_order(const char *a, const char *b, size_t *n_values)
{
  return differs_in(a, b, 1, n_values);
}

/* What is to be hashed of one variable goes behind `all`, as it is or as text. */
struct text {
  char *at;
  size_t n;
};

static int append(struct text *all, const void *what, size_t n)
{
  char *at = realloc(all->at, all->n + n + 1);
  if (at == NULL)
    return 0;
  memcpy(at + all->n, what, n);
  *all = (struct text){at, all->n + n};
  return 1;
}

static int append_var(struct text *all, int nc, int var, const char *name)
{
  char line[256], digest[WN_SHA256_HEX];
  nc_type type;
  int n_dims, dim[NC_MAX_VAR_DIMS];
  size_t size, len;
  if (nc_inq_vartype(nc, var, &type) != NC_NOERR ||
      nc_inq_varndims(nc, var, &n_dims) != NC_NOERR ||
      nc_inq_vardimid(nc, var, dim) != NC_NOERR)
    return 0;
  snprintf(line, sizeof line, "%.200s %d", name, (int)type);
  int good = append(all, line, strlen(line));
  for (int i = 0; i < n_dims && good; i++) {
    good = nc_inq_dimlen(nc, dim[i], &len) == NC_NOERR;
    snprintf(line, sizeof line, " %zu", good ? len : 0);
    good = good && append(all, line, strlen(line));
  }
  unsigned char *v = good ? bytes(nc, var, &size) : NULL;
  if (v == NULL)
    return 0;
  wn_sha256_mem(v, size, digest);
  free(v);
  snprintf(line, sizeof line, " %s\n", digest);
  return append(all, line, strlen(line));
}

static int by_name(const void *a, const void *b)
{
  return strcmp(*(char *const *)a, *(char *const *)b);
}

int command_nc_hash(const char *path, char hex[WN_SHA256_HEX])
{
  struct text all = {NULL, 0};
  char buf[NC_MAX_NAME + 1], **name = NULL;
  int nc, n = 0, var, good = 0;
  if (nc_open(path, NC_NOWRITE, &nc) != NC_NOERR)
    return 0;
  if (nc_inq_nvars(nc, &n) == NC_NOERR && n > 0)
    name = calloc((size_t)n, sizeof *name);
  good = name != NULL;
  for (int i = 0; i < n && good; i++)
    good = nc_inq_varname(nc, i, buf) == NC_NOERR && (name[i] = strdup(buf)) != NULL;
  if (good)
    qsort(name, (size_t)n, sizeof *name, by_name);
  for (int i = 0; i < n && good; i++)
    good =
        nc_inq_varid(nc, name[i], &var) == NC_NOERR && append_var(&all, nc, var, name[i]);
  if (good)
    wn_sha256_mem(all.at, all.n, hex);
  for (int i = 0; name != NULL && i < n; i++)
    free(name[i]);
  free(name);
  free(all.at);
  nc_close(nc);
  return good;
}
