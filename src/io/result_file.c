/* src/io/result_file.c - see result_file.h. */
#include "src/io/result_file.h"
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "src/io/output_path.h"

struct wn_result_file {
  int nc;
  char *path;
};

int wn_result_open(const char *path, struct wn_result_file **out)
{
  struct wn_result_file *f = wn_alloc(1, sizeof *f);
  if (f == NULL)
    return WN_ENOMEM;
  wn_netcdf_start();
  int status = nc_open(path, NC_NOWRITE, &f->nc);
  if (status != NC_NOERR) {
    free(f);
    return WN_FAIL(WN_EINPUT, "%s: cannot be read: %s", path, nc_strerror(status));
  }
  f->path = wn_strdup(path);
  char *source = f->path != NULL ? wn_result_text(f, NULL, "source") : NULL;
  status = f->path == NULL ? WN_ENOMEM
           : source != NULL && strncmp(source, "Wilson ", 7) == 0
               ? WN_OK
               : WN_FAIL(WN_EINPUT,
                         "%s: not a result file of Wilson (its attribute source does not "
                         "say so)",
                         path);
  free(source);
  if (status != WN_OK) {
    wn_result_close(f);
    return status;
  }
  *out = f;
  return WN_OK;
}

void wn_result_close(struct wn_result_file *f)
{
  if (f == NULL)
    return;
  nc_close(f->nc);
  free(f->path);
  free(f);
}

char *wn_result_name(const struct wn_result_file *f, int i)
{
  char name[NC_MAX_NAME + 1];
  return nc_inq_varname(f->nc, i, name) == NC_NOERR ? wn_strdup(name) : NULL;
}

size_t wn_result_dim(const struct wn_result_file *f, const char *name)
{
  int id;
  size_t n = 0;
  if (nc_inq_dimid(f->nc, name, &id) != NC_NOERR ||
      nc_inq_dimlen(f->nc, id, &n) != NC_NOERR)
    return 0;
  return n;
}

size_t wn_result_dims(const struct wn_result_file *f, const char *name, size_t most,
                      char (*dim)[64])
{
  int var, n, id[NC_MAX_VAR_DIMS];
  if (nc_inq_varid(f->nc, name, &var) != NC_NOERR ||
      nc_inq_var(f->nc, var, NULL, NULL, &n, id, NULL) != NC_NOERR)
    return 0;
  for (size_t i = 0; i < (size_t)n && i < most; i++) {
    char of[NC_MAX_NAME + 1] = "";
    nc_inq_dimname(f->nc, id[i], of);
    snprintf(dim[i], sizeof dim[i], "%.63s", of);
  }
  return (size_t)n;
}

static int variable_of(const struct wn_result_file *f, const char *name, size_t n,
                       int *var)
{
  int n_dims, dims[NC_MAX_VAR_DIMS];
  size_t have = 1, length;
  if (nc_inq_varid(f->nc, name, var) != NC_NOERR) {
    *var = -1;
    return WN_OK;
  }
  int status = nc_inq_var(f->nc, *var, NULL, NULL, &n_dims, dims, NULL);
  for (int i = 0; status == NC_NOERR && i < n_dims; i++) {
    status = nc_inq_dimlen(f->nc, dims[i], &length);
    if (status == NC_NOERR && __builtin_mul_overflow(have, length, &have))
      return WN_FAIL(
          WN_EINPUT,
          "%s: variable `%s` has more elements than can be counted; %zu expected",
          f->path, name, n);
  }
  if (status != NC_NOERR)
    return WN_FAIL(WN_EINPUT, "%s: variable `%s` cannot be read: %s", f->path, name,
                   nc_strerror(status));
  if (have != n)
    return WN_FAIL(WN_EINPUT, "%s: variable `%s` has %zu elements; %zu expected", f->path,
                   name, have, n);
  return WN_OK;
}

int wn_result_doubles(const struct wn_result_file *f, const char *name, size_t n,
                      double **out)
{
  int var, status;
  *out = NULL;
  WN_TRY(variable_of(f, name, n, &var));
  if (var < 0)
    return WN_OK;
  double *v = wn_alloc(n + 1, sizeof *v);
  if (v == NULL)
    return WN_ENOMEM;
  if ((status = nc_get_var_double(f->nc, var, v)) != NC_NOERR) {
    free(v);
    return WN_FAIL(WN_EINPUT, "%s: variable `%s` cannot be read: %s", f->path, name,
                   nc_strerror(status));
  }
  *out = v;
  return WN_OK;
}

int wn_result_record(const struct wn_result_file *f, const char *name, size_t record,
                     size_t n, double *out)
{
  int var, n_dims, dims[NC_MAX_VAR_DIMS], status;
  size_t first[NC_MAX_VAR_DIMS] = {record}, count[NC_MAX_VAR_DIMS] = {1}, have = 1;
  if (nc_inq_varid(f->nc, name, &var) != NC_NOERR)
    return WN_FAIL(WN_EINPUT, "%s: has no variable `%s`", f->path, name);
  status = nc_inq_var(f->nc, var, NULL, NULL, &n_dims, dims, NULL);
  for (int i = 1; status == NC_NOERR && i < n_dims; i++) {
    status = nc_inq_dimlen(f->nc, dims[i], &count[i]);
    if (status == NC_NOERR && __builtin_mul_overflow(have, count[i], &have))
      have = 0;
  }
  if (status == NC_NOERR && (n_dims == 0 || have != n))
    return WN_FAIL(WN_EINPUT, "%s: a record of variable `%s` has not %zu elements",
                   f->path, name, n);
  if (status == NC_NOERR)
    status = nc_get_vara_double(f->nc, var, first, count, out);
  return status == NC_NOERR
             ? WN_OK
             : WN_FAIL(WN_EINPUT, "%s: record %zu of variable `%s` cannot be read: %s",
                       f->path, record, name, nc_strerror(status));
}

int wn_result_attr_doubles(const struct wn_result_file *f, const char *variable,
                           const char *name, size_t n, double **out)
{
  int var, status;
  size_t have;
  *out = NULL;
  if (nc_inq_varid(f->nc, variable, &var) != NC_NOERR ||
      nc_inq_attlen(f->nc, var, name, &have) != NC_NOERR)
    return WN_OK;
  if (have != n)
    return WN_FAIL(WN_EINPUT, "%s: attribute `%s` of `%s` has %zu elements; %zu expected",
                   f->path, name, variable, have, n);
  double *v = wn_alloc(n + 1, sizeof *v);
  if (v == NULL)
    return WN_ENOMEM;
  if ((status = nc_get_att_double(f->nc, var, name, v)) != NC_NOERR) {
    free(v);
    return WN_FAIL(WN_EINPUT, "%s: attribute `%s` of `%s` cannot be read: %s", f->path,
                   name, variable, nc_strerror(status));
  }
  *out = v;
  return WN_OK;
}

int wn_result_strings(const struct wn_result_file *f, const char *name, size_t n,
                      char ***out)
{
  int var, status;
  *out = NULL;
  WN_TRY(variable_of(f, name, n, &var));
  if (var < 0)
    return WN_OK;
  char **own = wn_alloc(n + 1, sizeof *own), **text = wn_alloc(n + 1, sizeof *text);
  status = own != NULL && text != NULL ? WN_OK : WN_ENOMEM;
  if (status == WN_OK && nc_get_var_string(f->nc, var, text) != NC_NOERR)
    status =
        WN_FAIL(WN_EINPUT, "%s: variable `%s` is not a list of texts", f->path, name);
  if (status == WN_OK) {
    for (size_t i = 0; i < n && status == WN_OK; i++)
      status = (own[i] = wn_strdup(text[i] != NULL ? text[i] : "")) != NULL ? WN_OK
                                                                            : WN_ENOMEM;
    nc_free_string(n, text);
  }
  free(text);
  if (status != WN_OK) {
    for (size_t i = 0; own != NULL && i < n; i++)
      free(own[i]);
    free(own);
    return status;
  }
  *out = own;
  return WN_OK;
}

char *wn_result_text(const struct wn_result_file *f, const char *variable,
                     const char *name)
{
  int var = NC_GLOBAL;
  nc_type type;
  size_t n;
  if ((variable != NULL && nc_inq_varid(f->nc, variable, &var) != NC_NOERR) ||
      nc_inq_att(f->nc, var, name, &type, &n) != NC_NOERR || type != NC_CHAR)
    return NULL;
  char *text = wn_alloc(n + 1, 1);
  if (text != NULL && nc_get_att_text(f->nc, var, name, text) != NC_NOERR) {
    free(text);
    return NULL;
  }
  return text;
}
