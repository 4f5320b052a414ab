/* t/fuzz/maps.c - libFuzzer: what `wilson vtk` reads.  A result of model plasma, of which the bytes say what is wrong
 * with it (contents.h), becomes image data and charge densities, or is refused.  Image data has as many bytes
 * as its head says, charge densities as many lines as nodes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/error.h"
#include "src/io/output_path.h"
#include "src/results/vtk.h"
#include "t/fuzz/contents.h"

#define NAME "fuzz-maps.nc"

enum { X, Y, TIME, SPECIES };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static const struct {
  const char *name;
  int rank, dims[3];
  double first, step;
} variables[] = {{"x", 1, {X}, 0.0, 0.5},
                 {"y", 1, {Y}, 0.0, 0.25},
                 {"moment_time", 1, {TIME}, 1e-9, 1e-9},
                 {"species_charge", 1, {SPECIES}, -1.6e-19, 3.2e-19},
                 {"rho_net", 3, {TIME, Y, X}, 1e-6, 1e-7},
                 {"rho_e", 3, {TIME, Y, X}, -1e-6, 1e-7},
                 {"J_e_x", 3, {TIME, Y, X}, 1.0, 1.0},
                 {"J_e_y", 3, {TIME, Y, X}, 2.0, 1.0},
                 {"P_e_xx", 3, {TIME, Y, X}, 3.0, 1.0},
                 {"P_e_xz", 3, {TIME, Y, X}, 4.0, 1.0},
                 {"J_", 3, {TIME, Y, X}, 5.0, 1.0},
                 {"P_yy", 3, {TIME, Y, X}, 6.0, 1.0}};

static void fill(struct contents *c)
{
  static const size_t lengths[] = {3, 2, 1, NC_UNLIMITED, 4};
  static const int by[] = {SPECIES};
  static const char *const names[] = {"x", "y", "moment_time", "species"};
  for (size_t i = 0; i < 4; i++)
    contents_dim(c, names[i], lengths[one_of(c->b, 5)]);
  contents_attribute(c, NC_GLOBAL, "source", "Wilson 0 (git 0)", 1, 0.0);
  contents_variable(c, "species_name", NC_STRING, 1, by, "e", 0.0, 0.0);
  for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++)
    contents_variable(c, variables[i].name, NC_DOUBLE, variables[i].rank,
                      variables[i].dims, "text", variables[i].first, variables[i].step);
}

static void allow(int status)
{
  if (status != WN_OK && status != WN_EINPUT)
    abort();
}

static void write_image(const struct wn_vtk *v, size_t record)
{
  char *text = NULL;
  size_t n = 0, bytes = 0;
  FILE *to = open_memstream(&text, &n);
  if (to == NULL)
    return;
  const int status = wn_vtk_write_image(v, record, to);
  fclose(to);
  allow(status);
  for (size_t i = 0; i < v->n_arrays; i++)
    bytes += 8 + 8 * v->n * (size_t)v->array[i].components;
  static const char begin[] = "raw\">\n_", end[] = "\n  </AppendedData>\n</VTKFile>\n";
  const char *raw = status == WN_OK ? memmem(text, n, begin, strlen(begin)) : NULL;
  if (status == WN_OK &&
      (raw == NULL || (size_t)(raw - text) + strlen(begin) + bytes + strlen(end) != n))
    abort();
  free(text);
}

static void write_rho(const struct wn_vtk *v, int rho, size_t record, const char *list)
{
  const struct wn_vtk_legacy what = {.rho_e = list, .scale = 2.0};
  double *value = calloc(v->n, sizeof *value);
  char *text = NULL;
  size_t n = 0, lines = 0, nodes = 1;
  FILE *to = open_memstream(&text, &n);
  if (value != NULL && to != NULL) {
    const int status = wn_vtk_rho(v, &what, rho, record, value);
    allow(status);
    wn_vtk_write_legacy(v, wn_vtk_rho_name[rho], value, to);
  }
  if (to != NULL)
    fclose(to);
  for (size_t i = 0; i < n; i++)
    lines += text[i] == '\n';
  for (int d = 0; d < v->dim; d++)
    nodes *= v->points[d] - 1;
  if (value != NULL && to != NULL && lines != 10 + nodes)
    abort();
  free(text);
  free(value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
  struct bytes b = {data, data + n};
  struct contents c = {.b = &b};
  struct wn_vtk *v = NULL;
  wn_netcdf_start();
  unlink(NAME); /* netCDF may have one open still that it could not write */
  if (nc_create(NAME, NC_CLOBBER | NC_NETCDF4, &c.nc) != NC_NOERR)
    abort();
  fill(&c);
  contents_values(&c);
  if (nc_close(c.nc) != NC_NOERR)
    return 0; /* netCDF writes no such file */
  const int status = wn_vtk_open(NAME, "moment_time", &v);
  allow(status);
  if (n == 0 && (status != WN_OK || v == NULL))
    abort();
  for (size_t r = 0; v != NULL && r < v->n_records; r++) {
    write_image(v, r);
    for (int rho = 0; rho < WN_VTK_RHOS; rho++)
      write_rho(v, rho, r, r % 2 == 0 ? NULL : "e,e,");
  }
  wn_vtk_close(v);
  return 0;
}
