/* t0112-profile.c - defends: density and electric field along z (physics/profile.h, physics/atmosphere.h, src/sim/profile.h).
 *  - The standard atmosphere has the published densities at the ends of its layers.
 *  - No place that light reaches from an interval until its horizon is denser than the interval's bound, for the atmosphere,
 *    upward and downward, and for a table with a steep step; where nothing changes the bound is 1 and there is no horizon.
 *  - The density between rows of a table is exponential.
 *  - The mean of E is that of a sum over small pieces.
 * Published numbers: U.S. Standard Atmosphere 1976, kg/m3 at geometric altitudes, as poliastro's coesa76 lists them; five digits. */
#include <math.h>
#include <string.h>
#include "base/error.h"
#include "physics/atmosphere.h"
#include "physics/constants.h"
#include "src/sim/profile.h"
#include "t/tap/tap.h"

static void atmosphere(void)
{
  static const struct {
    double h, kg; /* geopotential, m; kg/m3 */
  } row[] = {{0.0, 1.2250},     {11e3, 3.6392e-1},  {20e3, 8.8035e-2},
             {32e3, 1.3225e-2}, {47e3, 1.4275e-3},  {51e3, 8.6160e-4},
             {71e3, 6.4211e-5}, {84852.0, 6.958e-6}};
  /* kg/mol over molecules/mol, with the gas constant of 1976 */
  const double molecule = 28.9644e-3 * WN_KB / 8.31432;
  double off = 0.0;
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    const double z = 6356766.0 * row[i].h / (6356766.0 - row[i].h),
                 of = wn_atmosphere_density(z) * molecule / row[i].kg - 1.0;
    off = fmax(off, fabs(of));
  }
  ok(off < 6e-5, "densities at the layers' ends are the published ones, to %.1e", off);
}

/* Largest density that light reaches from places of an interval until the horizon, over the interval's bound. */
static double excess(const struct wn_profile *p)
{
  double most = 0.0;
  for (size_t k = 0; k <= p->n; k++) {
    const double low = k > 0 ? p->z[k - 1] : p->z[0] - 1.0,
                 high = k < p->n ? p->z[k] : p->z[p->n - 1] + 1.0;
    for (int i = 0; i < 20; i++) {
      const double z = low + (high - low) * i / 20.0,
                   reach = fmin((double)wn_profile_horizon(p, k, z, 0.0) * WN_C, 2e5);
      for (int j = -20; j <= 20; j++)
        most =
            fmax(most, wn_profile_density(p, z + reach * j / 20.0) / (double)p->most[k]);
    }
  }
  return most;
}

/* Over intervals: mean of the bound over the density within, and the least horizon in the middle over the time through half of it. */
static void waste(const struct wn_profile *p, double *bound, double *reach)
{
  *bound = 0.0;
  *reach = INFINITY;
  for (size_t k = 1; k < p->n; k++) {
    const double thick = p->z[k] - p->z[k - 1];
    *bound += (double)p->most[k] / wn_exp(0.5 * (p->ln_ratio[k - 1] + p->ln_ratio[k]));
    *reach =
        fmin(*reach, (double)wn_profile_horizon(p, k, p->z[k - 1] + 0.5 * thick, 0.0) *
                         WN_C / (0.5 * thick));
  }
  *bound /= (double)(p->n - 1);
}

static void bound(struct wn_config *c, const char *what, double wasteful)
{
  struct wn_profile *p;
  c->number_density = wn_config_density_at(c, c->gas_profile.altitude);
  if (!ok(wn_profile_create(c, &p) == WN_OK && p != NULL && p->n > 0, "%s: made", what))
    return;
  double b, r;
  waste(p, &b, &r);
  ok(excess(p) <= 1.0 + 1e-9,
     "%s: what light reaches from %zu intervals is at most %.9f of their bounds", what,
     p->n + 1, excess(p));
  ok(b < wasteful && r > 0.99999,
     "%s: bounds are %.3f of densities, horizons %.6f of half an interval or more", what,
     b, r);
  is_close(wn_profile_density(p, 0.0), 1.0, 1e-5, "%s: that at z = 0 is the unit", what);
  wn_profile_free(p);
}

static void table(struct wn_config *c)
{
  double h[] = {0.0, 1.0, 1.001, 3.0, 4.0}, n[] = {1e25, 1e25, 1e22, 1e22, 3e24};
  c->gas_profile.shape = WN_GAS_TABLE;
  c->gas_profile.altitudes = h;
  c->gas_profile.densities = n;
  c->gas_profile.n_altitudes = c->gas_profile.n_densities = 5;
  c->gas_profile.altitude = 0.5;
  bound(c, "a table with a step", 1.2);
  is_close(wn_config_density_at(c, 1.0005), sqrt(1e25 * 1e22), 1e-6,
           "exponential between rows");
  is_close(wn_config_density_at(c, 4.0), 3e24, 1e-12, "to the last row");
  double same[] = {2e25, 2e25};
  c->gas_profile.densities = same;
  c->gas_profile.n_altitudes = c->gas_profile.n_densities = 2;
  c->gas_profile.altitude = 0.3;
  c->number_density = wn_config_density_at(c, 0.3);
  struct wn_profile *p;
  if (wn_profile_create(c, &p) != WN_OK)
    return;
  int plain = c->number_density == 2e25;
  for (size_t k = 0; k <= p->n; k++)
    plain &= p->most[k] == 1.0f && isinf(wn_profile_horizon(p, k, 0.1, 0.0));
  ok(plain && wn_profile_density(p, 0.1) == 1.0,
     "a constant table: bounds of 1, no horizon");
  wn_profile_free(p);
}

static void field(void)
{
  const double z[] = {-1.0, 0.0, 0.5, 2.0}, f[] = {2.0, -1.0, 3.0, 0.5};
  const struct wn_profile p = {.n_field = 4, .field_z = z, .factor = f};
  static const double way[][2] = {{-3.0, -1.5}, {-0.9, -0.2}, {-0.3, 0.2}, {1.9, -2.5},
                                  {0.1, 5.0},   {3.0, 4.0},   {0.5, 0.5},  {-1.0, 2.0}};
  double off = 0.0;
  for (size_t i = 0; i < sizeof way / sizeof *way; i++) {
    double sum = 0.0;
    const int n = 100000;
    for (int k = 0; k < n; k++)
      sum +=
          wn_profile_linear(z, f, 4, way[i][0] + (way[i][1] - way[i][0]) * (k + 0.5) / n);
    off = fmax(off, fabs(wn_profile_mean_factor(&p, way[i][0], way[i][1]) - sum / n));
  }
  ok(off < 1e-8, "means of the field are those of 100 000 pieces, to %.1e", off);
}

int main(void)
{
  struct wn_config c;
  memset(&c, 0, sizeof c);
  plan(0);
  atmosphere();
  c.model = WN_MODEL_MCC;
  c.gas_profile.shape = WN_GAS_STANDARD;
  c.gas_profile.altitude = 12e3;
  bound(&c, "the atmosphere, upward", 1.04);
  c.gas_profile.upward = WN_UP_AGAINST_Z;
  bound(&c, "the atmosphere, downward", 1.04);
  table(&c);
  field();
  return done();
}
