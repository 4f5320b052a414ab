/* src/diag/ten_moments.c - diagnostic `ten moments`: charge density, current density and momentum flux tensor of
 * each species at the nodes, at chosen times (src/sim/ten_moments.h); by choice the pressure tensor about the
 * mean velocity, too; the charge density of all species; and sums over the domain.  A record belongs to
 * the end of a step, where places and velocities are of one time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "fields/field.h"
#include "physics/constants.h"
#include "src/config/plasma_derived.h"
#include "src/diag/diag.h"
#include "src/sim/ten_moments.h"

struct wn_diag {
  size_t n_species, nodes, every, taken;
  struct wn_node_sums *sums; /* NULL: not wanted */
  struct wn_ten_moments of;
  int *exponent;        /* [n_species] of the units at the last record */
  double *net, *buffer; /* [nodes] */
};

enum {
  TENSOR = 6
}; /* components of a symmetric tensor, in the order of enum wn_moment */

static const char *const component[WN_TEN_MOMENTS] = {"",   "x",  "y",  "z",  "xx",
                                                      "xy", "xz", "yy", "yz", "zz"};

/* Axes of a component of the tensor. */
static const int first_axis[TENSOR] = {0, 0, 0, 1, 1, 2};
static const int second_axis[TENSOR] = {0, 1, 2, 1, 2, 2};

static size_t records(const struct wn_config *c)
{
  return wn_plasma_moment_records(c);
}

/* Whether the particles have the velocities of a moment. */
static int exists(const struct wn_config *c, int a)
{
  return c->plasma.dim == 1 || c->plasma.velocities == 3 ||
         strchr(component[a], 'z') == NULL;
}

/* rho_electrons, J_electrons_x, P_electrons_xy; malloc'd. */
static char *name_of(const struct wn_config *c, const char *before, size_t k, int a)
{
  const char *quantity = a == WN_MOMENT_RHO ? "rho" : a < WN_MOMENT_PXX ? "J" : "P";
  return wn_asprintf("%s%s_%s%s%s", before, quantity, c->species[k].name,
                     a > 0 ? "_" : "", component[a]);
}

static char *pressure_name(const struct wn_config *c, size_t k, int a)
{
  return wn_asprintf("pressure_%s_%s", c->species[k].name, component[a]);
}

static int define_map(struct wn_output *o, const struct wn_config *c, char *name,
                      char *long_name, const char *units, const char *comment)
{
  const struct wn_output_var v = {WN_VAR(name, units, long_name), .comment = comment};
  const int status = name != NULL && long_name != NULL
                         ? wn_diag_define_map(o, c, "moment_time", &v)
                         : WN_ENOMEM;
  free(name);
  free(long_name);
  return status;
}

static const char tensor_comment[] =
    "sum of m w u_i v_j S/V, about v = 0; in the convention of iPIC3D q/m times this";

static int define_moment(struct wn_output *o, const struct wn_config *c, size_t k, int a)
{
  static const char *const units[3] = {"C m-3", "A m-2", "Pa"},
                           *const total_units[3] = {"C", "A m", "J"},
                           *const text[3] = {"charge density", "current density along ",
                                             "momentum flux tensor, "};
  const int rank = a == WN_MOMENT_RHO ? 0 : a < WN_MOMENT_PXX ? 1 : 2;
  char *total = name_of(c, "total_", k, a),
       *long_name = wn_asprintf("%s%s of %s, of all particles", text[rank], component[a],
                                c->species[k].name);
  const struct wn_output_var v = {
      .name = total,
      .units = total_units[rank],
      .long_name = long_name,
      .comment = "of 1 m2 in one dimension, of 1 m in two, of all in r-z",
      WN_DIMS("moment_time")};
  int status = total != NULL && long_name != NULL ? wn_output_define(o, &v) : WN_ENOMEM;
  free(total);
  free(long_name);
  WN_TRY(status);
  return define_map(
      o, c, name_of(c, "", k, a),
      wn_asprintf("%s%s of %s", text[rank], component[a], c->species[k].name),
      units[rank], rank == 2 ? tensor_comment : NULL);
}

static int define(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  static const struct wn_output_var v[] = {
      {WN_VAR("moment_time", "s", "time of moments, the end of a step"),
       WN_DIMS("moment_time")},
      {WN_VAR("total_rho_net", "C", "charge of all particles of all species"),
       .comment = "without plasma.background; of 1 m2 in one dimension, of 1 m in two, "
                  "of all in r-z",
       WN_DIMS("moment_time")},
      {WN_VAR("species_charge", "C", "charge of a particle of each species"),
       WN_DIMS("species")},
      {WN_VAR("species_mass", "kg", "mass of a particle of each species"),
       WN_DIMS("species")}};
  static const struct wn_output_var net = {
      WN_VAR("rho_net", "C m-3", "charge density of all species"),
      .comment = "without plasma.background"};
  (void)g;
  if (records(c) == 0)
    return WN_OK;
  WN_TRY(wn_output_dim(o, "moment_time", records(c)));
  WN_TRY(wn_output_define_all(o, v, sizeof v / sizeof v[0]));
  WN_TRY(wn_diag_define_map(o, c, "moment_time", &net));
  for (size_t k = 0; k < c->n_species; k++) {
    for (int a = 0; a < WN_TEN_MOMENTS; a++)
      if (exists(c, a))
        WN_TRY(define_moment(o, c, k, a));
    for (int a = WN_MOMENT_PXX; a < WN_TEN_MOMENTS && c->plasma.moments_pressure; a++)
      if (exists(c, a))
        WN_TRY(define_map(
            o, c, pressure_name(c, k, a),
            wn_asprintf("pressure tensor, %s of %s", component[a], c->species[k].name),
            "Pa", "about the mean velocity of the species at the node"));
  }
  return WN_OK;
}

static int begin(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  double *charge = wn_alloc(c->n_species + 1, sizeof *charge),
         *mass = wn_alloc(c->n_species + 1, sizeof *mass);
  int status = charge != NULL && mass != NULL ? WN_OK : WN_ENOMEM;
  (void)g;
  for (size_t k = 0; k < c->n_species && status == WN_OK; k++) {
    charge[k] = c->species[k].charge * WN_E;
    mass[k] = c->species[k].mass;
  }
  if (status == WN_OK && records(c) > 0)
    status = wn_output_put(o, "species_charge", -1, charge);
  if (status == WN_OK && records(c) > 0)
    status = wn_output_put(o, "species_mass", -1, mass);
  free(charge);
  free(mass);
  return status;
}

static void destroy(struct wn_diag *d)
{
  if (d != NULL) {
    wn_node_sums_free(d->sums);
    wn_ten_moments_clear(&d->of);
    free(d->exponent);
    free(d->net);
    free(d->buffer);
  }
  free(d);
}

static int create_all(const struct wn_sim *s, struct wn_diag *d)
{
  d->nodes = wn_field_nodes(s->field);
  d->every = wn_plasma_every(s->c, s->c->plasma.moments_interval);
  d->exponent = wn_alloc(d->n_species, sizeof *d->exponent);
  d->net = wn_alloc(d->nodes, sizeof *d->net);
  d->buffer = wn_alloc(d->nodes, sizeof *d->buffer);
  if (d->exponent == NULL || d->net == NULL || d->buffer == NULL)
    return WN_ENOMEM;
  WN_TRY(wn_ten_moments_create(d->nodes, &d->of));
  return wn_node_sums_create_ten(s->c, &d->sums);
}

static int create(const struct wn_sim *s, struct wn_diag **out)
{
  struct wn_diag *d = wn_alloc(1, sizeof *d);
  if (d == NULL)
    return WN_ENOMEM;
  d->n_species = s->n_species;
  const int status = records(s->c) > 0 ? create_all(s, d) : WN_OK;
  if (status != WN_OK) {
    destroy(d);
    return status;
  }
  *out = d;
  return WN_OK;
}

/* A map, its values times `factor`; of_all: its sum over the particles. */
static int put(struct wn_diag *d, struct wn_output *o, const struct wn_config *c,
               size_t k, int a, double factor)
{
  const double *value = d->of.value + (size_t)a * d->nodes,
               total = d->of.total[a] * factor;
  char *name = name_of(c, "", k, a), *total_name = name_of(c, "total_", k, a);
  int status = name != NULL && total_name != NULL ? WN_OK : WN_ENOMEM;
  for (size_t i = 0; i < d->nodes; i++)
    d->buffer[i] = value[i] * factor;
  if (status == WN_OK)
    status = wn_output_put(o, name, (long)d->taken, d->buffer);
  if (status == WN_OK)
    status = wn_output_put(o, total_name, (long)d->taken, &total);
  free(name);
  free(total_name);
  return status;
}

/* P_ij - m n <v_i><v_j>; NaN where there are no particles. */
static int put_pressure(struct wn_diag *d, struct wn_output *o, const struct wn_config *c,
                        size_t k, int a)
{
  const int one = first_axis[a - WN_MOMENT_PXX], other = second_axis[a - WN_MOMENT_PXX];
  const double *n = d->of.value, *p = n + (size_t)a * d->nodes,
               *u = n + (size_t)(WN_MOMENT_JX + one) * d->nodes,
               *v = n + (size_t)(WN_MOMENT_JX + other) * d->nodes;
  char *name = pressure_name(c, k, a);
  for (size_t i = 0; i < d->nodes; i++)
    d->buffer[i] = n[i] > 0.0 ? p[i] - c->species[k].mass * u[i] / n[i] * v[i] : NAN;
  const int status =
      name != NULL ? wn_output_put(o, name, (long)d->taken, d->buffer) : WN_ENOMEM;
  free(name);
  return status;
}

static int put_species(struct wn_diag *d, const struct wn_sim *s, size_t k,
                       struct wn_output *o, double *total)
{
  const struct wn_config *c = s->c;
  const double charge = c->species[k].charge * WN_E;
  WN_TRY(wn_ten_moments_take(d->sums, c, k, s->species[k], &d->of));
  d->exponent[k] = d->of.exponent;
  for (int a = 0; a < WN_TEN_MOMENTS; a++)
    if (exists(c, a))
      WN_TRY(put(d, o, c, k, a, a < WN_MOMENT_PXX ? charge : 1.0));
  for (int a = WN_MOMENT_PXX; a < WN_TEN_MOMENTS && c->plasma.moments_pressure; a++)
    if (exists(c, a))
      WN_TRY(put_pressure(d, o, c, k, a));
  *total += d->of.total[WN_MOMENT_RHO] * charge;
  for (size_t i = 0; i < d->nodes; i++)
    d->net[i] += d->of.value[i] * charge;
  return WN_OK;
}

/* Tells GPUs if the next step ends with a record.  After a restart the units of velocity are not known. */
static int expect_next(const struct wn_diag *d, const struct wn_sim *s)
{
  if ((s->n_steps + 1) % d->every == 0)
    for (size_t k = 0; k < d->n_species; k++)
      WN_TRY(wn_ten_moments_expect(d->sums, s->species[k], d->exponent[k]));
  return WN_OK;
}

static int sample(struct wn_diag *d, const struct wn_sim *s, struct wn_output *o)
{
  double total = 0.0;
  if (d->sums == NULL)
    return WN_OK;
  if (s->n_steps % d->every != 0)
    return expect_next(d, s);
  memset(d->net, 0, d->nodes * sizeof *d->net);
  WN_TRY(wn_output_put(o, "moment_time", (long)d->taken, &s->time));
  for (size_t k = 0; k < d->n_species; k++)
    WN_TRY(put_species(d, s, k, o, &total));
  WN_TRY(wn_output_put(o, "rho_net", (long)d->taken, d->net));
  WN_TRY(wn_output_put(o, "total_rho_net", (long)d->taken, &total));
  d->taken++;
  WN_TRY(expect_next(d, s));
  return wn_output_sync(o);
}

static int state(struct wn_diag *d, struct wn_state *st)
{
  return WN_STATE(st, d->taken);
}

const struct wn_diag_ops wn_diag_ten_moments = {
    .define = define,
    .begin = begin,
    .create = create,
    .sample = sample,
    .state = state,
    .free = destroy,
};
