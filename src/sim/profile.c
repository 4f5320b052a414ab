/* src/sim/profile.c - see profile.h. */
#include "src/sim/profile.h"
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "physics/atmosphere.h"
#include "physics/constants.h"

#define STANDARD_STEP 100.0 /* m */
#define LN_STEP       0.05
#define LEAST_REACH   1e-5 /* m */

/* The arrays, which the view has as constants. */
struct owned {
  struct wn_profile view; /* first: the view is the owner */
  double *z, *ln_ratio;
  float *most;
  double *low, *high;
};

static struct owned *of(struct wn_profile *p)
{
  return (struct owned *)(void *)p;
}

void wn_profile_free(struct wn_profile *p)
{
  if (p == NULL)
    return;
  free(of(p)->z);
  free(of(p)->ln_ratio);
  free(of(p)->most);
  free(of(p)->low);
  free(of(p)->high);
  free(p);
}

/* ---- knots */

/* Rows of the profile: a step of the standard atmosphere, or a row of the table. */
static size_t n_rows(const struct wn_config *c)
{
  return c->gas_profile.shape == WN_GAS_TABLE
             ? c->gas_profile.n_altitudes
             : (size_t)((WN_ATMOSPHERE_HIGH - WN_ATMOSPHERE_LOW) / STANDARD_STEP + 0.5) +
                   1;
}

static double altitude_of_row(const struct wn_config *c, size_t i)
{
  return c->gas_profile.shape == WN_GAS_TABLE
             ? c->gas_profile.altitudes[i]
             : WN_ATMOSPHERE_LOW + STANDARD_STEP * (double)i;
}

/* Density at a row over that at z = 0, as a logarithm. */
static double ln_ratio_of_row(const struct wn_config *c, size_t i)
{
  const double n = c->gas_profile.shape == WN_GAS_TABLE
                       ? c->gas_profile.densities[i]
                       : wn_atmosphere_density(altitude_of_row(c, i));
  return wn_ln(n / c->number_density);
}

static size_t parts_of_row(const struct wn_config *c, size_t i)
{
  const double change = fabs(ln_ratio_of_row(c, i + 1) - ln_ratio_of_row(c, i));
  return (size_t)fmax(1.0, ceil(change / LN_STEP));
}

/* Knots by altitude; in z they may be the other way round. */
static void put(const struct wn_config *c, struct owned *o, size_t k, double altitude,
                double ln_ratio)
{
  const int up = c->gas_profile.upward == WN_UP_ALONG_Z;
  const size_t at = up ? k : o->view.n - 1 - k;
  o->z[at] = up ? altitude - c->gas_profile.altitude : c->gas_profile.altitude - altitude;
  o->ln_ratio[at] = ln_ratio;
}

static void put_knots(const struct wn_config *c, struct owned *o)
{
  size_t k = 0;
  for (size_t i = 0; i + 1 < n_rows(c); i++) {
    const size_t parts = parts_of_row(c, i);
    const double h0 = altitude_of_row(c, i), h1 = altitude_of_row(c, i + 1),
                 ln0 = ln_ratio_of_row(c, i), ln1 = ln_ratio_of_row(c, i + 1);
    for (size_t j = 0; j < parts; j++) {
      const double part = (double)j / (double)parts;
      put(c, o, k++, h0 + part * (h1 - h0), ln0 + part * (ln1 - ln0));
    }
  }
  const size_t last = n_rows(c) - 1;
  put(c, o, k, altitude_of_row(c, last), ln_ratio_of_row(c, last));
}

/* ---- what candidates are fitted to */

/* Intervals i to j, of which knots i - 1 and j are the ends; 0 and n have only one. */
struct around {
  size_t i, j;
};

static double distance_left(const struct owned *o, size_t k, size_t i)
{
  return k == 0 || i == 0 ? (double)INFINITY : o->z[k - 1] - o->z[i - 1];
}

static double distance_right(const struct owned *o, size_t k, size_t j)
{
  const size_t n = o->view.n;
  return k == n || j == n ? (double)INFINITY : o->z[j] - o->z[k];
}

/* Interval k and the ones beside it, LEAST_REACH at least, as places in a step are floats; then on, while the density does not rise. */
static void fit(struct owned *o, size_t k)
{
  const size_t n = o->view.n;
  struct around a = {k > 0 ? k - 1 : 0, k < n ? k + 1 : n};
  while (distance_left(o, k, a.i) < LEAST_REACH)
    a.i--;
  while (distance_right(o, k, a.j) < LEAST_REACH)
    a.j++;
  double most = -INFINITY;
  for (size_t knot = a.i > 0 ? a.i - 1 : 0; knot < n && knot <= a.j; knot++)
    most = fmax(most, o->ln_ratio[knot]);
  for (;;) {
    const double left = distance_left(o, k, a.i), right = distance_right(o, k, a.j);
    /* the next knot on the nearer side */
    if (left <= right && left < (double)INFINITY &&
        (a.i < 2 || o->ln_ratio[a.i - 2] <= most))
      a.i--;
    else if (right < left && (a.j + 1 >= n || o->ln_ratio[a.j + 1] <= most))
      a.j++;
    else
      break;
  }
  const double ratio = wn_exp(most);
  const float rounded = (float)ratio;
  o->most[k] = (double)rounded < ratio ? nextafterf(rounded, INFINITY) : rounded;
  o->low[k] = a.i == 0 ? -INFINITY : o->z[a.i - 1];
  o->high[k] = a.j == n ? INFINITY : o->z[a.j];
}

static int make_density(const struct wn_config *c, struct owned *o)
{
  size_t n = 1;
  for (size_t i = 0; i + 1 < n_rows(c); i++)
    n += parts_of_row(c, i);
  o->view.n = n;
  o->z = wn_alloc(n, sizeof *o->z);
  o->ln_ratio = wn_alloc(n, sizeof *o->ln_ratio);
  o->most = wn_alloc(n + 1, sizeof *o->most);
  o->low = wn_alloc(n + 1, sizeof *o->low);
  o->high = wn_alloc(n + 1, sizeof *o->high);
  if (o->z == NULL || o->ln_ratio == NULL || o->most == NULL || o->low == NULL ||
      o->high == NULL)
    return WN_ENOMEM;
  put_knots(c, o);
  for (size_t k = 0; k <= n; k++)
    fit(o, k);
  o->view.z = o->z;
  o->view.ln_ratio = o->ln_ratio;
  o->view.most = o->most;
  o->view.low = o->low;
  o->view.high = o->high;
  return WN_OK;
}

/* ---- the field */

static void take_field(const struct wn_config *c, struct wn_profile *p)
{
  const size_t n = c->field_profile.n_places;
  p->n_field = n;
  p->field_z = c->field_profile.places;
  p->factor = c->field_profile.factors;
  p->factor_most = 0.0;
  p->thinnest = INFINITY;
  for (size_t i = 0; i < n; i++)
    p->factor_most = fmax(p->factor_most, fabs(p->factor[i]));
  for (size_t i = 0; i + 1 < n; i++) {
    const double way = p->field_z[i + 1] - p->field_z[i];
    p->thinnest = fmin(p->thinnest, way);
    p->slope_most = fmax(p->slope_most, fabs(p->factor[i + 1] - p->factor[i]) / way);
  }
}

int wn_profile_create(const struct wn_config *c, struct wn_profile **out)
{
  *out = NULL;
  if (!wn_config_gas_changes(c) && !wn_config_field_changes(c))
    return WN_OK;
  struct owned *o = wn_alloc(1, sizeof *o);
  if (o == NULL)
    return WN_ENOMEM;
  o->view.factor_most = 1.0;
  int status = WN_OK;
  if (wn_config_gas_changes(c))
    status = make_density(c, o);
  if (wn_config_field_changes(c))
    take_field(c, &o->view);
  if (status != WN_OK) {
    wn_profile_free(&o->view);
    return status;
  }
  *out = &o->view;
  return WN_OK;
}
