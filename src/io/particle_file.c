/* src/io/particle_file.c - see particle_file.h. */
#include "src/io/particle_file.h"
#include <math.h>
#include <netcdf.h>
#include <stdint.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "src/io/output_path.h"

#define WN_HEAVIEST 1e12 /* weight, in units of the species' own */

/* A variable of two dimensions: its number and shape. */
static int shape_of(const char *path, int nc, const char *name, int *var, size_t shape[2])
{
  int n_dims, dims[2];
  if (nc_inq_varid(nc, name, var) != NC_NOERR)
    return WN_FAIL(WN_EINPUT, "%s: there is no variable `%s`", path, name);
  if (nc_inq_varndims(nc, *var, &n_dims) != NC_NOERR || n_dims != 2)
    return WN_FAIL(WN_EINPUT, "%s: variable `%s` does not have two dimensions", path,
                   name);
  if (nc_inq_vardimid(nc, *var, dims) != NC_NOERR ||
      nc_inq_dimlen(nc, dims[0], &shape[0]) != NC_NOERR ||
      nc_inq_dimlen(nc, dims[1], &shape[1]) != NC_NOERR)
    return WN_FAIL(WN_EINPUT, "%s: the shape of `%s` cannot be read", path, name);
  return WN_OK;
}

static int read_one(const char *path, int nc, const char *name, size_t components,
                    size_t *n, double **out)
{
  size_t shape[2];
  int var, status;
  WN_TRY(shape_of(path, nc, name, &var, shape));
  if (shape[1] != components)
    return WN_FAIL(
        WN_EINPUT,
        "%s: `%s` has %zu numbers a particle, the scenario's particles have %zu", path,
        name, shape[1], components);
  if (shape[0] >= SIZE_MAX / sizeof **out / components)
    return WN_FAIL(WN_EINPUT,
                   "%s: `%s` has %zu particles, more than the address space allows", path,
                   name, shape[0]);
  *n = shape[0];
  *out = wn_alloc(shape[0] * components + 1, sizeof **out);
  if (*out == NULL)
    return WN_ENOMEM;
  if ((status = nc_get_var_double(nc, var, *out)) != NC_NOERR)
    return WN_FAIL(WN_EINPUT, "%s: `%s` cannot be read: %s", path, name,
                   nc_strerror(status));
  for (size_t i = 0; i < shape[0] * components; i++)
    if (!isfinite((*out)[i]))
      return WN_FAIL(WN_EINPUT,
                     "%s: `%s` of particle %zu (from 0) is not a finite number", path,
                     name, i / components);
  return WN_OK;
}

/* Weights, if the file has them: each at least 0, and below the limit of wn_quanta. */
static int read_weights(const char *path, int nc, struct wn_particle_file *out)
{
  int var, n_dims, dim, status;
  size_t n = 0;
  if (nc_inq_varid(nc, "weight", &var) != NC_NOERR)
    return WN_OK;
  if (nc_inq_varndims(nc, var, &n_dims) != NC_NOERR || n_dims != 1 ||
      nc_inq_vardimid(nc, var, &dim) != NC_NOERR ||
      nc_inq_dimlen(nc, dim, &n) != NC_NOERR)
    return WN_FAIL(WN_EINPUT, "%s: variable `weight` does not have one dimension", path);
  if (n != out->n)
    return WN_FAIL(WN_EINPUT, "%s: %zu positions, but %zu weights", path, out->n, n);
  out->w = wn_alloc(n + 1, sizeof *out->w);
  if (out->w == NULL)
    return WN_ENOMEM;
  if ((status = nc_get_var_double(nc, var, out->w)) != NC_NOERR)
    return WN_FAIL(WN_EINPUT, "%s: `weight` cannot be read: %s", path,
                   nc_strerror(status));
  for (size_t i = 0; i < n; i++)
    if (!(out->w[i] >= 0.0 && out->w[i] < WN_HEAVIEST))
      return WN_FAIL(WN_EINPUT,
                     "%s: `weight` of particle %zu (from 0) is %.9g; allowed: 0 to %g",
                     path, i, out->w[i], WN_HEAVIEST);
  return WN_OK;
}

int wn_particle_file_read(const char *path, size_t dim, size_t velocities,
                          struct wn_particle_file *out)
{
  int nc, status;
  size_t n = 0;
  *out = (struct wn_particle_file){0};
  wn_netcdf_start();
  if ((status = nc_open(path, NC_NOWRITE, &nc)) != NC_NOERR)
    return WN_FAIL(WN_EINPUT, "%s: cannot be read: %s", path, nc_strerror(status));
  status = read_one(path, nc, "position", dim, &out->n, &out->x);
  if (status == WN_OK)
    status = read_one(path, nc, "velocity", velocities, &n, &out->u);
  if (status == WN_OK && n != out->n)
    status = WN_FAIL(WN_EINPUT, "%s: %zu positions, but %zu velocities", path, out->n, n);
  if (status == WN_OK)
    status = read_weights(path, nc, out);
  nc_close(nc);
  if (status != WN_OK)
    wn_particle_file_clear(out);
  return status;
}

void wn_particle_file_clear(struct wn_particle_file *f)
{
  free(f->x);
  free(f->u);
  free(f->w);
  *f = (struct wn_particle_file){0};
}

size_t wn_particle_file_count(const char *path)
{
  size_t n = 0;
  int nc, var, n_dims, dims[NC_MAX_VAR_DIMS];
  wn_netcdf_start();
  if (nc_open(path, NC_NOWRITE, &nc) != NC_NOERR)
    return 0;
  if (nc_inq_varid(nc, "position", &var) != NC_NOERR ||
      nc_inq_var(nc, var, NULL, NULL, &n_dims, dims, NULL) != NC_NOERR || n_dims == 0 ||
      nc_inq_dimlen(nc, dims[0], &n) != NC_NOERR)
    n = 0;
  nc_close(nc);
  return n;
}
