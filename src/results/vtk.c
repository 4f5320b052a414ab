/* src/results/vtk.c - see vtk.h: which maps a result file has. */
#include "src/results/vtk.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "src/io/result_file.h"

#define UNEQUAL                                                                          \
  1e-9 /* relative difference of two distances between nodes, from which on they are two */

const char *const wn_vtk_rho_name[WN_VTK_RHOS] = {"rho_net", "rho_e", "rho_i"};

static const char *const axis_name[3] = {"x", "y", "z"};

static void free_array(struct wn_vtk_array *a)
{
  for (int i = 0; i < WN_VTK_COMPONENTS; i++)
    free(a->variable[i]);
  free(a->name);
}

void wn_vtk_close(struct wn_vtk *v)
{
  if (v == NULL)
    return;
  for (size_t i = 0; i < v->n_arrays; i++)
    free_array(&v->array[i]);
  free(v->array);
  free(v->time);
  free(v->path);
  wn_result_close(v->file);
  free(v);
}

/* ---- the grid */

static int read_axis(struct wn_vtk *v, int d)
{
  const size_t n = wn_result_dim(v->file, axis_name[d]);
  double *x = NULL;
  WN_TRY(wn_result_doubles(v->file, axis_name[d], n, &x));
  int status = WN_OK;
  if (x == NULL || n < 2)
    status = WN_FAIL(WN_EINPUT, "%s: axis %s has no places of at least two nodes",
                     v->path, axis_name[d]);
  const double h = status == WN_OK ? (x[n - 1] - x[0]) / (double)(n - 1) : 1.0;
  for (size_t i = 0; status == WN_OK && i + 1 < n; i++)
    if (!(h > 0.0 && fabs(x[i + 1] - x[i] - h) <= UNEQUAL * h))
      status = WN_FAIL(WN_EINPUT,
                       "%s: the nodes along %s are not equally spaced (%.9g to %.9g m), "
                       "which image data needs",
                       v->path, axis_name[d], x[i], x[i + 1]);
  if (status == WN_OK) {
    v->points[d] = n;
    v->origin[d] = x[0];
    v->spacing[d] = h;
  }
  free(x);
  return status;
}

static int read_grid(struct wn_vtk *v)
{
  v->n = 1;
  for (int d = 0; d < 3; d++)
    v->points[d] = 1, v->spacing[d] = 1.0;
  while (v->dim < 3 && wn_result_dim(v->file, axis_name[v->dim]) > 0)
    WN_TRY(read_axis(v, v->dim++));
  for (int d = 0; d < v->dim; d++)
    if (__builtin_mul_overflow(v->n, v->points[d], &v->n))
      return WN_FAIL(WN_EINPUT, "%s: more nodes than can be counted", v->path);
  return WN_OK;
}

/* ---- the maps */

/* Whether a variable is over the times and all axes. */
static int is_map(const struct wn_vtk *v, const char *name, const char *times)
{
  char dim[4][64];
  if (wn_result_dims(v->file, name, 4, dim) != (size_t)v->dim + 1 ||
      strcmp(dim[0], times) != 0)
    return 0;
  for (int d = 0; d < v->dim; d++)
    if (strcmp(dim[v->dim - d], axis_name[d]) != 0)
      return 0;
  return 1;
}

/* The beginnings of variables that are components, and where a component is in its array. */
static const struct {
  const char *begin;
  int components;
} groups[] = {
    {"electric_field_", 3}, {"flux_", 3}, {"J_", 3}, {"P_", 6}, {"pressure_", 6}};

static const char *const component_names[2][WN_VTK_COMPONENTS] = {
    {"x", "y", "z"}, {"xx", "yy", "zz", "xy", "yz", "xz"}};

/* Returns 0: a scalar.  *length: of the name without the component. */
static int component_of(const char *name, size_t *length, int *component)
{
  const char *end = strrchr(name, '_');
  for (size_t i = 0; end != NULL && i < sizeof groups / sizeof groups[0]; i++) {
    if (strncmp(name, groups[i].begin, strlen(groups[i].begin)) != 0)
      continue;
    for (int k = 0; k < groups[i].components; k++)
      if (strcmp(end + 1, component_names[groups[i].components == 6][k]) == 0) {
        *length = (size_t)(end - name);
        *component = k;
        return groups[i].components;
      }
  }
  return 0;
}

/* Takes the variable, malloc'd. */
static int add_map(struct wn_vtk *v, char *variable)
{
  size_t length = strlen(variable), i = 0;
  int component = 0;
  const int components = component_of(variable, &length, &component);
  while (components > 0 && i < v->n_arrays &&
         !(v->array[i].components == components && strlen(v->array[i].name) == length &&
           strncmp(v->array[i].name, variable, length) == 0))
    i++;
  if (components == 0 || i == v->n_arrays) {
    struct wn_vtk_array *grown = wn_realloc(v->array, v->n_arrays + 1, sizeof *v->array);
    char *name = wn_asprintf("%.*s", (int)length, variable);
    if (grown != NULL)
      v->array = grown;
    if (grown == NULL || name == NULL) {
      free(name);
      free(variable);
      return WN_ENOMEM;
    }
    i = v->n_arrays++;
    v->array[i] = (struct wn_vtk_array){.name = name,
                                        .components = components > 0 ? components : 1};
  }
  free(v->array[i].variable[component]); /* names of a file differ */
  v->array[i].variable[component] = variable;
  return WN_OK;
}

static int read_maps(struct wn_vtk *v, const char *times)
{
  char *name;
  for (int i = 0; (name = wn_result_name(v->file, i)) != NULL; i++) {
    if (is_map(v, name, times))
      WN_TRY(add_map(v, name));
    else
      free(name);
  }
  return WN_OK;
}

static int read_all(struct wn_vtk *v, const char *times)
{
  WN_TRY(read_grid(v));
  if (v->dim == 0)
    return WN_FAIL(WN_EINPUT, "%s: has no grid; only results of model plasma have maps",
                   v->path);
  v->n_records = wn_result_dim(v->file, times);
  if (v->n_records == 0)
    return WN_OK;
  WN_TRY(wn_result_doubles(v->file, times, v->n_records, &v->time));
  if (v->time == NULL)
    return WN_FAIL(WN_EINPUT, "%s: has no variable %s", v->path, times);
  return read_maps(v, times);
}

int wn_vtk_open(const char *path, const char *times, struct wn_vtk **out)
{
  struct wn_vtk *v = wn_alloc(1, sizeof *v);
  *out = NULL;
  if (v == NULL)
    return WN_ENOMEM;
  v->path = wn_strdup(path);
  int status = v->path != NULL ? wn_result_open(path, &v->file) : WN_ENOMEM;
  if (status == WN_OK)
    status = read_all(v, times);
  if (status != WN_OK || v->n_arrays == 0) {
    wn_vtk_close(v);
    return status;
  }
  *out = v;
  return WN_OK;
}

/* ---- charge densities */

/* Whether a name is in a list with commas. */
static int is_listed(const char *list, const char *name)
{
  const size_t n = strlen(name);
  for (const char *at = list; *at != '\0';) {
    const size_t length = strcspn(at, ",");
    if (length == n && strncmp(at, name, n) == 0)
      return 1;
    at += length + (at[length] == ',');
  }
  return 0;
}

/* Adds a map, if it is there, to out. */
static int add_rho(const struct wn_vtk *v, const char *species, double scale,
                   size_t record, double *out)
{
  char *name = wn_asprintf("rho_%s", species);
  double *one = wn_alloc(v->n, sizeof *one);
  int status = name != NULL && one != NULL ? WN_OK : WN_ENOMEM;
  if (status == WN_OK)
    status = wn_result_record(v->file, name, record, v->n, one);
  for (size_t i = 0; status == WN_OK && i < v->n; i++)
    out[i] += scale * one[i];
  free(one);
  free(name);
  return status;
}

/* Each name of a list is that of a species. */
static int check_list(const struct wn_vtk *v, const char *option, const char *list,
                      size_t n, char *const *species)
{
  for (const char *at = list; at != NULL && *at != '\0';) {
    const size_t length = strcspn(at, ",");
    int is_there = 0;
    for (size_t k = 0; k < n; k++)
      is_there |= strlen(species[k]) == length && strncmp(at, species[k], length) == 0;
    if (!is_there)
      return WN_FAIL(WN_EINPUT, "%s %s: %s has no species `%.*s`", option, list, v->path,
                     (int)length, at);
    at += length + (at[length] == ',');
  }
  return WN_OK;
}

static int sum_species(const struct wn_vtk *v, const struct wn_vtk_legacy *what, int rho,
                       size_t record, size_t n, char *const *species,
                       const double *charge, double *out)
{
  const char *list = rho == WN_VTK_RHO_E ? what->rho_e : what->rho_i;
  WN_TRY(check_list(v, rho == WN_VTK_RHO_E ? "--rho-e" : "--rho-i", list, n, species));
  for (size_t k = 0; k < n; k++) {
    const int is_one = list != NULL          ? is_listed(list, species[k])
                       : rho == WN_VTK_RHO_E ? charge[k] < 0.0
                                             : charge[k] > 0.0;
    if (is_one)
      WN_TRY(add_rho(v, species[k], what->scale, record, out));
  }
  return WN_OK;
}

int wn_vtk_rho(const struct wn_vtk *v, const struct wn_vtk_legacy *what, int rho,
               size_t record, double *out)
{
  const size_t n = wn_result_dim(v->file, "species");
  char **species = NULL;
  double *charge = NULL;
  memset(out, 0, v->n * sizeof *out);
  if (rho == WN_VTK_RHO_NET)
    return add_rho(v, "net", what->scale, record, out);
  WN_TRY(wn_result_strings(v->file, "species_name", n, &species));
  int status = wn_result_doubles(v->file, "species_charge", n, &charge);
  if (status == WN_OK && (species == NULL || charge == NULL))
    status = WN_FAIL(WN_EINPUT, "%s: has no charges of species", v->path);
  if (status == WN_OK)
    status = sum_species(v, what, rho, record, n, species, charge, out);
  for (size_t k = 0; species != NULL && k < n; k++)
    free(species[k]);
  free(species);
  free(charge);
  return status;
}
