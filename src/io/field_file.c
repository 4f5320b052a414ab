/* src/io/field_file.c - see field_file.h. */
#include "src/io/field_file.h"
#include <math.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "src/io/output_path.h"

#define SAME                                                                             \
  1e-6 /* parts of the largest value, or of a length, by which two may differ */

struct wn_field_file {
  char *path;
  int nc, var[WN_FIELD_FILE_VALUES];
  struct wn_field_file_grid grid;
  size_t n_times;
  double *times;
};

static const struct {
  const char *name, *units[2];
} values[WN_FIELD_FILE_VALUES] = {
    {"electric_field_x", {"V m-1", "V/m"}}, {"electric_field_y", {"V m-1", "V/m"}},
    {"electric_field_z", {"V m-1", "V/m"}}, {"magnetic_field_x", {"T", "T"}},
    {"magnetic_field_y", {"T", "T"}},       {"magnetic_field_z", {"T", "T"}}};

/* The text attribute `units`, in a buffer; "": there is none. */
static void units_of(int nc, int var, char *out, size_t n)
{
  nc_type type;
  size_t length = 0;
  *out = '\0';
  if (nc_inq_att(nc, var, "units", &type, &length) != NC_NOERR || type != NC_CHAR ||
      length >= n || nc_get_att_text(nc, var, "units", out) != NC_NOERR)
    length = 0;
  out[length] = '\0';
}

static int check_units(const char *path, int nc, int var, const char *name,
                       const char *const allowed[2])
{
  char units[64];
  units_of(nc, var, units, sizeof units);
  if (strcmp(units, allowed[0]) == 0 || strcmp(units, allowed[1]) == 0)
    return WN_OK;
  return WN_FAIL(WN_EINPUT, "%s: `%s` has units \"%s\"; expected: \"%s\"", path, name,
                 units, allowed[0]);
}

/* A variable of one dimension and length n, of finite numbers. */
static int read_line(const char *path, int nc, int var, const char *name, size_t n,
                     double *out)
{
  int n_dims, dim, status;
  size_t length = 0;
  if (nc_inq_varndims(nc, var, &n_dims) != NC_NOERR || n_dims != 1 ||
      nc_inq_vardimid(nc, var, &dim) != NC_NOERR ||
      nc_inq_dimlen(nc, dim, &length) != NC_NOERR || length != n)
    return WN_FAIL(WN_EINPUT, "%s: `%s` must be a list of %zu numbers", path, name, n);
  if ((status = nc_get_var_double(nc, var, out)) != NC_NOERR)
    return WN_FAIL(WN_EINPUT, "%s: `%s` cannot be read: %s", path, name,
                   nc_strerror(status));
  for (size_t i = 0; i < n; i++)
    if (!isfinite(out[i]))
      return WN_FAIL(WN_EINPUT, "%s: `%s` number %zu (from 0) is not finite", path, name,
                     i);
  return WN_OK;
}

/* "65 x 33" of (y, x), as dimensions are written; buf of 128. */
static const char *shape_text(const size_t *n, int dims, char *buf)
{
  size_t used = 0;
  for (int d = 0; d < dims; d++)
    used += (size_t)snprintf(buf + used, 128 - used, "%s%zu", d > 0 ? " x " : "", n[d]);
  return buf;
}

/* The dimensions of a variable; *time: that of the times, or -1. */
static int check_shape(const struct wn_field_file *f, int c, int *time)
{
  const struct wn_field_file_grid *g = &f->grid;
  int n_dims, dims[NC_MAX_VAR_DIMS];
  size_t found[4] = {0}, expected[3];
  char want[128], got[128];
  if (nc_inq_varndims(f->nc, f->var[c], &n_dims) != NC_NOERR ||
      nc_inq_vardimid(f->nc, f->var[c], dims) != NC_NOERR)
    return WN_FAIL(WN_EINPUT, "%s: the shape of `%s` cannot be read", f->path,
                   values[c].name);
  for (int d = 0; d < g->dim; d++)
    expected[d] = g->nodes[g->dim - 1 - d];
  if (n_dims != g->dim && n_dims != g->dim + 1)
    return WN_FAIL(WN_EINPUT,
                   "%s: `%s` has %d dimensions; expected: %d of the nodes, %s, and "
                   "perhaps one of times before them",
                   f->path, values[c].name, n_dims, g->dim,
                   shape_text(expected, g->dim, want));
  for (int d = 0; d < n_dims; d++)
    if (nc_inq_dimlen(f->nc, dims[d], &found[d]) != NC_NOERR)
      return WN_FAIL(WN_EINPUT, "%s: the shape of `%s` cannot be read", f->path,
                     values[c].name);
  const int first = n_dims - g->dim;
  if (memcmp(found + first, expected, (size_t)g->dim * sizeof *expected) != 0)
    return WN_FAIL(WN_EINPUT,
                   "%s: `%s` has %s nodes; expected: %s, one more than cells along each "
                   "axis of the grid, x last",
                   f->path, values[c].name, shape_text(found + first, g->dim, got),
                   shape_text(expected, g->dim, want));
  *time = first > 0 ? dims[0] : -1;
  return WN_OK;
}

/* Coordinates, where there are any. */
static int check_coordinates(const struct wn_field_file *f)
{
  static const char *const names[3] = {"x", "y", "z"};
  for (int d = 0; d < f->grid.dim; d++) {
    const size_t n = f->grid.nodes[d];
    int var;
    if (nc_inq_varid(f->nc, names[d], &var) != NC_NOERR)
      continue;
    double *x = wn_alloc(n, sizeof *x);
    if (x == NULL)
      return WN_ENOMEM;
    int status = read_line(f->path, f->nc, var, names[d], n, x);
    for (size_t i = 0; i < n && status == WN_OK; i++) {
      const double want = f->grid.length[d] * (double)i / (double)(n - 1);
      if (fabs(x[i] - want) > SAME * f->grid.length[d])
        status = WN_FAIL(WN_EINPUT,
                         "%s: `%s` of node %zu (from 0) is %.9g m; expected: %.9g m",
                         f->path, names[d], i, x[i], want);
    }
    free(x);
    WN_TRY(status);
  }
  return WN_OK;
}

static int read_times(struct wn_field_file *f, int dim)
{
  static const char *const seconds[2] = {"s", "s"};
  char name[NC_MAX_NAME + 1];
  int var;
  if (nc_inq_dim(f->nc, dim, name, &f->n_times) != NC_NOERR)
    return WN_FAIL(WN_EINPUT, "%s: the dimension of times cannot be read", f->path);
  if (f->n_times == 0)
    return WN_FAIL(WN_EINPUT, "%s: dimension `%s` has no times", f->path, name);
  if (nc_inq_varid(f->nc, name, &var) != NC_NOERR)
    return WN_FAIL(WN_EINPUT,
                   "%s: there is no variable `%s` with the times of this dimension",
                   f->path, name);
  f->times = wn_alloc(f->n_times, sizeof *f->times);
  if (f->times == NULL)
    return WN_ENOMEM;
  WN_TRY(check_units(f->path, f->nc, var, name, seconds));
  WN_TRY(read_line(f->path, f->nc, var, name, f->n_times, f->times));
  for (size_t i = 1; i < f->n_times; i++)
    if (!(f->times[i] > f->times[i - 1]))
      return WN_FAIL(WN_EINPUT, "%s: `%s` does not rise: %.9g s, then %.9g s", f->path,
                     name, f->times[i - 1], f->times[i]);
  return WN_OK;
}

static int open_all(struct wn_field_file *f)
{
  int time = -1;
  for (int c = 0; c < WN_FIELD_FILE_VALUES; c++) {
    int own;
    if (nc_inq_varid(f->nc, values[c].name, &f->var[c]) != NC_NOERR)
      return WN_FAIL(WN_EINPUT,
                     "%s: there is no variable `%s`; expected: electric_field_x, _y, _z "
                     "and magnetic_field_x, _y, _z",
                     f->path, values[c].name);
    WN_TRY(check_shape(f, c, &own));
    WN_TRY(check_units(f->path, f->nc, f->var[c], values[c].name, values[c].units));
    if (c > 0 && own != time)
      return WN_FAIL(WN_EINPUT, "%s: `%s` and `%s` do not have the same times", f->path,
                     values[0].name, values[c].name);
    time = own;
  }
  WN_TRY(check_coordinates(f));
  return time >= 0 ? read_times(f, time) : WN_OK;
}

int wn_field_file_open(const char *path, const struct wn_field_file_grid *grid,
                       struct wn_field_file **out)
{
  struct wn_field_file *f = wn_alloc(1, sizeof *f);
  if (f == NULL)
    return WN_ENOMEM;
  f->grid = *grid;
  f->nc = -1;
  f->path = wn_strdup(path);
  int status = f->path != NULL ? WN_OK : WN_ENOMEM, why;
  wn_netcdf_start();
  if (status == WN_OK && (why = nc_open(path, NC_NOWRITE, &f->nc)) != NC_NOERR) {
    f->nc = -1;
    status = WN_FAIL(WN_EINPUT, "%s: cannot be read: %s", path, nc_strerror(why));
  }
  if (status == WN_OK)
    status = open_all(f);
  if (status != WN_OK) {
    wn_field_file_close(f);
    return status;
  }
  *out = f;
  return WN_OK;
}

size_t wn_field_file_times(const struct wn_field_file *f, const double **times)
{
  *times = f->times;
  return f->n_times;
}

/* The two ends of periodic axes, and numbers. */
static int check_values(const struct wn_field_file *f, int c, const double *v)
{
  const struct wn_field_file_grid *g = &f->grid;
  size_t n = 1, step = 1;
  double most = 0.0;
  for (int d = 0; d < g->dim; d++)
    n *= g->nodes[d];
  for (size_t i = 0; i < n; i++) {
    const size_t x = i % g->nodes[0], y = g->dim > 1 ? i / g->nodes[0] % g->nodes[1] : 0,
                 z = g->dim > 2 ? i / (g->nodes[0] * g->nodes[1]) : 0;
    if (!isfinite((double)(float)v[i]))
      return WN_FAIL(
          WN_EINPUT,
          "%s: `%s` at node %zu, %zu, %zu of x, y, z is %g; expected: a finite "
          "number of single precision",
          f->path, values[c].name, x, y, z, v[i]);
    most = fmax(most, fabs(v[i]));
  }
  for (int d = 0; d < g->dim; step *= g->nodes[d++])
    for (size_t i = 0; g->is_periodic[d] && i < n; i++)
      if (i / step % g->nodes[d] == 0 &&
          fabs(v[i + step * (g->nodes[d] - 1)] - v[i]) > SAME * most)
        return WN_FAIL(WN_EINPUT,
                       "%s: `%s` is %.9g at one end of %c and %.9g at the other; "
                       "expected: the same, as the axis is periodic",
                       f->path, values[c].name, v[i], "xyz"[d],
                       v[i + step * (g->nodes[d] - 1)]);
  return WN_OK;
}

int wn_field_file_read(const struct wn_field_file *f, size_t time, int c, double *out)
{
  const int has_times = f->n_times > 0, dim = f->grid.dim;
  size_t start[4] = {0}, count[4];
  int status;
  if (has_times) {
    start[0] = time;
    count[0] = 1;
  }
  for (int d = 0; d < dim; d++)
    count[has_times + d] = f->grid.nodes[dim - 1 - d];
  if ((status = nc_get_vara_double(f->nc, f->var[c], start, count, out)) != NC_NOERR)
    return WN_FAIL(WN_EINPUT, "%s: `%s` cannot be read: %s", f->path, values[c].name,
                   nc_strerror(status));
  return check_values(f, c, out);
}

void wn_field_file_close(struct wn_field_file *f)
{
  if (f == NULL)
    return;
  if (f->nc >= 0)
    nc_close(f->nc);
  free(f->path);
  free(f->times);
  free(f);
}
