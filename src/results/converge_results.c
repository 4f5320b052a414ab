/* src/results/converge_results.c - the results of a file that are compared, see converge.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "src/io/result_file.h"
#include "src/results/converge.h"
#include "src/sim/sim.h"

#define DIMS 2

void wn_results_free(struct wn_results *r)
{
  for (size_t i = 0; i < r->n; i++) {
    free(r->name[i]);
    free(r->units[i]);
  }
  free(r->name);
  free(r->units);
  free(r->x);
  *r = (struct wn_results){0};
}

/* Takes ownership of name; NULL: out of memory. */
static int add(struct wn_results *r, char *name, const char *units, double value,
               double error)
{
  const size_t n = r->n;
  if (n % 64 == 0) {
    char **names = wn_realloc(r->name, n + 64, sizeof *names),
         **all = names != NULL ? wn_realloc(r->units, n + 64, sizeof *all) : NULL;
    r->name = names != NULL ? names : r->name;
    r->units = all != NULL ? all : r->units;
    struct wn_estimate *x = all != NULL ? wn_realloc(r->x, n + 64, sizeof *x) : NULL;
    r->x = x != NULL ? x : r->x;
    if (x == NULL) {
      free(name);
      return WN_ENOMEM;
    }
  }
  char *of = wn_strdup(units != NULL ? units : "1");
  if (name == NULL || of == NULL) {
    free(name);
    free(of);
    return WN_ENOMEM;
  }
  r->name[n] = name;
  r->units[n] = of;
  r->x[n] = (struct wn_estimate){value, error};
  r->n++;
  return WN_OK;
}

/* A number for each field, or for each field and threshold: [n_fields][n]. */
static int add_fields(struct wn_results *r, const struct wn_result_file *f,
                      const struct wn_config *c, const char *name, size_t n)
{
  const size_t n_fields = wn_config_cases(c);
  double *x = NULL, *error = NULL, *threshold = NULL;
  char of[128], *units = wn_result_text(f, name, "units");
  snprintf(of, sizeof of, "%s_error", name);
  int status = wn_result_doubles(f, name, n_fields * n, &x);
  if (status == WN_OK)
    status = wn_result_doubles(f, of, n_fields * n, &error);
  if (status == WN_OK && n > 1)
    status = wn_result_doubles(f, "threshold", n, &threshold);
  for (size_t i = 0; status == WN_OK && error != NULL && i < n_fields * n; i++) {
    const char *at = wn_config_case_text(c, i / n);
    status =
        add(r,
            threshold != NULL ? wn_asprintf("%s, %s, %g eV", name, at, threshold[i % n])
                              : wn_asprintf("%s, %s", name, at),
            units, x[i], error[i]);
  }
  free(x);
  free(error);
  free(threshold);
  free(units);
  return status;
}

/* Measures of rounding errors, which are no results. */
static int is_of_rounding(const char *name)
{
  static const char *const names[] = {"time", "total_charge", "gauss_error",
                                      "poisson_residual"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(names[i], name) == 0)
      return 1;
  return 0;
}

/* A sum over the domain, for each row, or each row and species: [n_rows][n]. */
static int add_sums(struct wn_results *r, const struct wn_result_file *f,
                    const struct wn_config *c, const char *name, const double *time,
                    size_t n_rows, size_t n)
{
  double *x = NULL;
  char *units = wn_result_text(f, name, "units");
  int status = wn_result_doubles(f, name, n_rows * n, &x);
  for (size_t k = 0; status == WN_OK && k < n; k++) {
    double sum = 0.0, rows = 0.0;
    for (size_t i = 0; i < n_rows; i++)
      if (time[i] > 0.5 * time[n_rows - 1]) {
        sum += x[i * n + k];
        rows += 1.0;
      }
    status =
        add(r, n > 1 ? wn_asprintf("%s, %s", name, c->species[k].name) : wn_strdup(name),
            units, sum / rows, NAN);
  }
  free(x);
  free(units);
  return status;
}

/* Variable i, if it is a result. */
static int add_variable(struct wn_results *r, const struct wn_result_file *f,
                        const struct wn_config *c, const char *name, const double *time,
                        size_t n_rows)
{
  char dim[DIMS][64];
  const size_t n = wn_result_dims(f, name, DIMS, dim);
  if (n == 0 || n > DIMS)
    return WN_OK;
  if (strcmp(dim[0], "field") == 0 && (n == 1 || strcmp(dim[1], "threshold") == 0))
    return add_fields(r, f, c, name, n == 1 ? 1 : wn_result_dim(f, "threshold"));
  if (time != NULL && strcmp(dim[0], "time") == 0 && !is_of_rounding(name) &&
      (n == 1 || strcmp(dim[1], "species") == 0))
    return add_sums(r, f, c, name, time, n_rows, n == 1 ? 1 : c->n_species);
  return WN_OK;
}

static int read_all(struct wn_results *r, const struct wn_result_file *f,
                    const struct wn_config *c)
{
  const size_t n_rows = wn_result_dim(f, "time");
  double *time = NULL;
  int status =
      c->model == WN_MODEL_PLASMA ? wn_result_doubles(f, "time", n_rows, &time) : WN_OK;
  char *name;
  for (int i = 0; status == WN_OK && (name = wn_result_name(f, i)) != NULL; i++) {
    status = add_variable(r, f, c, name, time, n_rows);
    free(name);
  }
  free(time);
  return status;
}

int wn_results_read(const char *path, const struct wn_config *c, struct wn_results *out)
{
  struct wn_result_file *f = NULL;
  struct wn_results r = {0};
  WN_TRY(wn_result_open(path, &f));
  int status = read_all(&r, f, c);
  wn_result_close(f);
  if (status == WN_OK && r.n == 0)
    status = WN_FAIL(WN_EINPUT,
                     "%s: the scenario writes no result to compare; a plasma needs "
                     "plasma.integrals_interval",
                     c->file);
  if (status != WN_OK)
    wn_results_free(&r);
  *out = r;
  return status;
}
