/* src/cli/converge.c - `wilson converge`: results at finer parameters, as a table and as a
 * netCDF file. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"
#include "src/cli/cli.h"
#include "src/config/config.h"
#include "src/io/output.h"
#include "src/io/output_path.h"
#include "src/results/converge.h"
#include "src/sim/gas.h"

#define MANY 3.0 /* standard errors that a difference exceeds by chance once in 370 */

static const struct wn_output_var vars[] = {
    {.name = "result",
     .long_name = "quantity, with its field, threshold or species",
     .type = WN_OUT_STRING,
     WN_DIMS("result")},
    {.name = "result_units",
     .long_name = "units of the result",
     .is_coordinate = 1,
     .type = WN_OUT_STRING,
     WN_DIMS("result")},
    {.name = "parameter",
     .long_name = "parameter refined relative to the scenario",
     .is_coordinate = 1,
     .type = WN_OUT_STRING,
     WN_DIMS("variant")},
    {.name = "keys",
     .long_name = "keys of the scenario set for it",
     .is_coordinate = 1,
     .type = WN_OUT_STRING,
     WN_DIMS("variant")},
    {WN_VAR("factor", "1", "factor of refinement"), .is_coordinate = 1,
     .type = WN_OUT_DOUBLE, WN_DIMS("variant")},
    {WN_VAR("value", "1", "result"),
     .comment =
         "each in its units, result_units; not a number if the variant was rejected",
     .type = WN_OUT_DOUBLE, WN_DIMS("variant", "result"), .with_error = 1},
    {WN_VAR("difference", "1", "result minus that at half the factor"),
     .type = WN_OUT_DOUBLE, WN_DIMS("variant", "result"), .with_error = 1},
    {WN_VAR("order", "1",
            "observed order, log2 of the ratio of two differences that follow"),
     .comment = "not a number if the second is less than 2 of its errors",
     .type = WN_OUT_DOUBLE, WN_DIMS("variant", "result")},
};

static int put_variant(struct wn_output *o, const struct wn_converge *k, size_t v,
                       double *x /* [5 n] */)
{
  const size_t n = k->of.n;
  const double factor = (double)(1 << k->v[v].level);
  const char *const name[] = {k->v[v].name}, *const keys[] = {k->v[v].what};
  for (size_t i = 0; i < n; i++) {
    const struct wn_estimate d = wn_converge_difference(k, v, i);
    x[i] = k->v[v].has_run ? k->v[v].x[i].value : NAN;
    x[n + i] = k->v[v].has_run ? k->v[v].x[i].error : NAN;
    x[2 * n + i] = d.value;
    x[3 * n + i] = d.error;
    x[4 * n + i] = wn_converge_order(k, v, i);
  }
  WN_TRY(wn_output_put_string(o, "parameter", (long)v, name));
  WN_TRY(wn_output_put_string(o, "keys", (long)v, keys));
  WN_TRY(wn_output_put(o, "factor", (long)v, &factor));
  WN_TRY(wn_output_put(o, "value", (long)v, x));
  WN_TRY(wn_output_put(o, "value_error", (long)v, x + n));
  WN_TRY(wn_output_put(o, "difference", (long)v, x + 2 * n));
  WN_TRY(wn_output_put(o, "difference_error", (long)v, x + 3 * n));
  return wn_output_put(o, "order", (long)v, x + 4 * n);
}

/* Provenance: the scenario as read, and its cross sections. */
static int put_origin(struct wn_output *o, const struct wn_cli_converge *a)
{
  struct wn_scenarios p = {0};
  struct wn_gas *gas = NULL;
  char *text = NULL;
  WN_TRY(wn_scenarios_read(a->file, a->n_sets, a->set, &p));
  int status = wn_config_has_gas(p.c[0]) ? wn_gas_create(p.c[0], &gas) : WN_OK;
  if (status == WN_OK) {
    text = wn_config_text(p.c[0]);
    status = text != NULL
                 ? wn_output_about(o, p.c[0]->title, a->argc, a->argv,
                                   gas != NULL ? gas->n_sources : 0,
                                   gas != NULL ? (const char *const *)gas->source : NULL)
                 : WN_ENOMEM;
  }
  if (status == WN_OK)
    status = wn_output_attr_text(o, NULL, "scenario", text);
  free(text);
  wn_gas_free(gas);
  wn_scenarios_free(&p);
  return status;
}

static int fill(struct wn_output *o, const struct wn_converge *k,
                const struct wn_cli_converge *a)
{
  double *x = wn_alloc(5 * k->of.n, sizeof *x);
  int status = x != NULL ? wn_output_dim(o, "variant", k->n) : WN_ENOMEM;
  if (status == WN_OK)
    status = wn_output_dim(o, "result", k->of.n);
  if (status == WN_OK)
    status = wn_output_define_all(o, vars, sizeof vars / sizeof vars[0]);
  if (status == WN_OK)
    status = put_origin(o, a);
  if (status == WN_OK)
    status = wn_output_end_define(o);
  if (status == WN_OK)
    status = wn_output_put_string(o, "result", -1, (const char *const *)k->of.name);
  if (status == WN_OK)
    status =
        wn_output_put_string(o, "result_units", -1, (const char *const *)k->of.units);
  for (size_t v = 0; v < k->n && status == WN_OK; v++)
    status = put_variant(o, k, v, x);
  free(x);
  return status;
}

static int write_file(const char *path, const struct wn_converge *k,
                      const struct wn_cli_converge *a)
{
  struct wn_output *o = NULL;
  WN_TRY(wn_output_create(path, &o));
  int status = fill(o, k, a);
  if (status != WN_OK) {
    wn_output_discard(o);
    return status;
  }
  return wn_output_close(o);
}

/* No statistical error: a cold plasma, which does not depend on the seed. */
static bool is_exact(const struct wn_estimate d)
{
  return !(d.error > 0.0);
}

static void print_result(const char *name, const struct wn_estimate a,
                         const struct wn_estimate finer, const struct wn_estimate d,
                         double order)
{
  printf("  %-52s %13.6g %9.2g %13.6g %11.3g %9.2g", name, a.value, a.error, finer.value,
         d.value, d.error);
  if (is_exact(d))
    printf(" %7s", "exact");
  else
    printf(" %7.2g", fabs(d.value) / d.error);
  if (isnan(order))
    printf(" %6s\n", "-");
  else
    printf(" %6.2f\n", order);
}

/* The results of a variant, a line each; unknown ones are left out and counted. */
static void print_variant(const struct wn_converge *k, size_t v)
{
  size_t n = 0, many = 0, exact = 0, nothing = 0;
  double squares = 0.0;
  printf("\n%s x%d: %s\n", k->v[v].name, 1 << k->v[v].level, k->v[v].what);
  if (!k->v[v].has_run) {
    printf("  rejected, see the message above\n");
    return;
  }
  printf("  %-52s %13s %9s %13s %11s %9s %7s %6s\n", "result", "value", "+-", "finer",
         "difference", "+-", "errors", "order");
  for (size_t i = 0; i < k->of.n; i++) {
    const struct wn_estimate a = k->v[k->v[v].before].x[i],
                             d = wn_converge_difference(k, v, i);
    if (!isfinite(d.value))
      continue;
    n++;
    if (is_exact(d) && a.value == 0.0 && d.value == 0.0) {
      nothing++;
      continue;
    }
    print_result(k->of.name[i], a, k->v[v].x[i], d, wn_converge_order(k, v, i));
    exact += is_exact(d);
    many += !is_exact(d) && fabs(d.value) > MANY * d.error;
    squares += is_exact(d) ? 0.0 : d.value * d.value / (d.error * d.error);
  }
  const size_t by_chance = n - nothing - exact;
  printf("  %zu of %zu results are known in both, %zu are 0", n, k->of.n, nothing);
  if (exact > 0)
    printf(", %zu have no statistical error", exact);
  if (by_chance > 0)
    printf("; %zu of %zu differ by more than %g errors, root mean square %.2g errors",
           many, by_chance, MANY, sqrt(squares / (double)by_chance));
  printf("\n");
}

/* FILE.cfg -> FILE-converge.nc, in the working folder. */
static char *default_output(const char *file)
{
  const char *slash = strrchr(file, '/'), *name = slash != NULL ? slash + 1 : file,
             *dot = strrchr(name, '.');
  return wn_asprintf(
      "%.*s-converge.nc",
      (int)(dot != NULL && dot != name ? (size_t)(dot - name) : strlen(name)), name);
}

/* Would the output, or the file of a run, replace an input or a file to be kept? */
static int check_output(const struct wn_cli_converge *a, const char *path)
{
  struct wn_scenarios p = {0};
  size_t n = 0;
  const char **inputs = NULL;
  WN_TRY(wn_scenarios_read(a->file, a->n_sets, a->set, &p));
  int status = wn_config_inputs(p.c[0], &n, &inputs);
  if (status == WN_OK)
    status = wn_output_allowed(path, a->keep, n, inputs);
  if (status == WN_OK)
    status = wn_output_possible(path, n, inputs);
  free(inputs);
  wn_scenarios_free(&p);
  return status;
}

int wn_cli_converge(const struct wn_cli_converge *a)
{
  struct wn_converge k = {0};
  int n_levels = 2;
  if (a->levels != NULL && strcmp(a->levels, "3") == 0)
    n_levels = 3;
  else if (a->levels != NULL && strcmp(a->levels, "2") != 0)
    return WN_FAIL(WN_EINPUT,
                   "--levels %s: allowed are 2 (the scenario, and refined by two) and 3 "
                   "(by four, too)",
                   a->levels);
  char *path = a->output != NULL ? wn_strdup(a->output) : default_output(a->file);
  int status = path != NULL ? check_output(a, path) : WN_ENOMEM;
  if (status == WN_OK)
    status = wn_converge_run(a->file, a->n_sets, a->set, n_levels, path, &k);
  if (status == WN_OK) {
    printf("%s: %zu results, %zu finer runs\n", a->file, k.of.n, k.n - 1);
    for (size_t v = 1; v < k.n; v++)
      print_variant(&k, v);
    status = write_file(path, &k, a);
  }
  if (status == WN_OK)
    wn_log(WN_LOG_INFO, "results are in %s", path);
  wn_converge_free(&k);
  free(path);
  return status;
}
