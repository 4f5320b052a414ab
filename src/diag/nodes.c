/* src/diag/nodes.c - diagnostic `nodes`: the coordinates of the nodes, or of every so many of them
 * (coarse.h), for diagnostics that write maps. */
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "src/config/plasma_derived.h"
#include "src/diag/diag.h"

static const char *const axis[3] = {"x", "y", "z"};

static int are_wanted(const struct wn_config *c)
{
  return c->plasma.fields_interval != WN_AUTO || c->plasma.n_averages > 0 ||
         wn_plasma_moment_records(c) > 0;
}

int wn_diag_define_map(struct wn_output *o, const struct wn_config *c,
                       const char *first_dim, const struct wn_output_var *what)
{
  struct wn_output_var v = *what;
  size_t n = 0;
  if (first_dim != NULL)
    v.dims[n++] = first_dim;
  for (int d = c->plasma.dim; d-- > 0;)
    v.dims[n++] = axis[d];
  v.n_dims = n;
  return wn_output_define(o, &v);
}

static int define(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  (void)g;
  static const char *const text[3] = {"x of the nodes", "y of the nodes",
                                      "z of the nodes"};
  for (int d = 0; d < c->plasma.dim && are_wanted(c); d++) {
    const struct wn_output_var v = {
        .name = axis[d], .units = "m", .long_name = text[d], WN_DIMS(axis[d])};
    WN_TRY(
        wn_output_dim(o, axis[d], c->plasma.cells[d] / c->plasma.fields_coarsening + 1));
    WN_TRY(wn_output_define(o, &v));
  }
  return WN_OK;
}

static int begin(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  const struct wn_geometry nodes = wn_plasma_geometry(c);
  (void)g;
  for (int d = 0; d < nodes.dim && are_wanted(c); d++) {
    const size_t every = c->plasma.fields_coarsening,
                 n = (size_t)nodes.axis[d].cells / every;
    double *at = wn_alloc(n + 1, sizeof *at);
    if (at == NULL)
      return WN_ENOMEM;
    for (size_t i = 0; i <= n; i++)
      at[i] = wn_axis_x(&nodes.axis[d], (int64_t)(i * every));
    int status = wn_output_put(o, axis[d], -1, at);
    free(at);
    WN_TRY(status);
  }
  return WN_OK;
}

const struct wn_diag_ops wn_diag_nodes = {.define = define, .begin = begin};
