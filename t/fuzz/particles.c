/* t/fuzz/particles.c - libFuzzer: files of initial particles that netCDF reads, whatever is in them: which
 * variables, of which types, shapes and values, is taken from the bytes.  (That netCDF and HDF5 read any
 * bytes is not what is asked.)  One that is taken has finite numbers, as many places as velocities. */
#include "t/fuzz/fuzz.h"
#include <math.h>
#include <netcdf.h>
#include <string.h>
#include "base/error.h"
#include "src/io/particle_file.h"
#include "t/fuzz/bytes.h"

#define NAME "fuzz-particles.nc"
#define MOST 4 /* of a dimension */

/* A variable, and what is written into it. */
static void variable(struct bytes *b, int nc, int i)
{
  static const char *const names[] = {"position", "velocity", "weight", "Position"};
  static const nc_type types[] = {NC_DOUBLE, NC_FLOAT, NC_INT,
                                  NC_SHORT,  NC_BYTE,  NC_CHAR};
  const unsigned how = next(b);
  const int n_dims = (int)(how % 4u);
  const nc_type type = types[next(b) % 6u];
  int dims[3], var;
  size_t n = 1;
  for (int d = 0; d < n_dims; d++) {
    char name[16];
    const size_t length = 1 + next(b) % MOST;
    snprintf(name, sizeof name, "d%d_%d", i, d);
    if (nc_def_dim(nc, name, length, &dims[d]) != NC_NOERR)
      return;
    n *= length;
  }
  if (nc_def_var(nc, names[how / 4u % 4u], type, n_dims, dims, &var) != NC_NOERR)
    return;
  double values[MOST * MOST * MOST];
  for (size_t k = 0; k < n; k++) {
    uint64_t bits = 0;
    const unsigned kind = next(b);
    for (int j = 0; kind % 4u == 0 && j < 8; j++)
      bits = bits << 8 | next(b);
    memcpy(&values[k], &bits, sizeof bits);
    if (kind % 4u != 0)
      values[k] = (double)kind - 128.0;
  }
  nc_enddef(nc);
  nc_put_var_double(nc, var, values); /* what does not fit the type is refused */
  nc_redef(nc);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
  struct bytes b = {data, data + n};
  struct wn_particle_file f;
  int nc;
  const size_t dim = 1 + next(&b) % 3u, velocities = 1 + next(&b) % 3u;
  if (nc_create(NAME, NC_CLOBBER, &nc) != NC_NOERR)
    abort();
  for (int i = 0; i < 3 && b.at < b.end; i++)
    variable(&b, nc, i);
  nc_enddef(nc);
  nc_close(nc);
  const int status = wn_particle_file_read(NAME, dim, velocities, &f);
  if (status != WN_OK && status != WN_EINPUT)
    abort();
  if (status == WN_OK && wn_particle_file_count(NAME) != f.n)
    abort();
  for (size_t i = 0; status == WN_OK && i < f.n * dim; i++)
    if (!isfinite(f.x[i]))
      abort();
  for (size_t i = 0; status == WN_OK && i < f.n * velocities; i++)
    if (!isfinite(f.u[i]))
      abort();
  if (status == WN_OK)
    wn_particle_file_clear(&f);
  return 0;
}
