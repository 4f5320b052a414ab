/* src/config/source_numbers.c - see source_numbers.h. */
#include "src/config/source_numbers.h"
#include <math.h>
#include "physics/constants.h"
#include "physics/emission.h"
#include "src/config/plasma_derived.h"
#include "src/config/plasma_limits.h"
#include "src/config/sources.h"

double wn_source_number_of(const struct wn_cfg_source *o, double per_s, double t)
{
  const double end = o->end == WN_AUTO ? INFINITY : o->end;
  return per_s * fmax(0.0, fmin(t, end) - o->start);
}

double wn_source_number(const struct wn_config *c, const struct wn_cfg_source *o,
                        double t)
{
  const struct wn_cfg_species *s = &c->species[wn_source_species(c, o)];
  return wn_source_number_of(o, wn_source_rate(c, o) / wn_loading_weight(c, s), t);
}

/* The temperature of the particles of species k; NAN: they are not the source's. */
static double temperature(const struct wn_config *c, const struct wn_cfg_source *o,
                          long k)
{
  return wn_source_species(c, o) == k ? o->temperature_ev
         : wn_source_pair(c, o) == k  ? o->pair_ev
                                      : NAN;
}

static double speed(const struct wn_cfg_species *s, double energy_ev)
{
  return wn_emission_speed(energy_ev, s->mass, 0);
}

double wn_source_speed(const struct wn_config *c, const struct wn_cfg_species *s)
{
  double most = 0.0;
  for (size_t i = 0; i < c->plasma.n_sources; i++) {
    const struct wn_cfg_source *o = &c->plasma.sources[i];
    const double kt = temperature(c, o, s - c->species);
    if (!isnan(kt))
      most = fmax(most,
                  speed(s, o->energy_ev) + WN_PLASMA_SPEEDS * sqrt(kt * WN_E / s->mass));
  }
  return fmin(most, WN_C);
}

double wn_source_residents(const struct wn_config *c, const struct wn_cfg_species *s)
{
  const double end = (double)c->plasma.steps * c->plasma.time_step,
               fall = 0.5 * fabs(s->charge) * wn_plasma_voltage(c);
  double n = 0.0;
  for (size_t i = 0; i < c->plasma.n_sources; i++) {
    const struct wn_cfg_source *o = &c->plasma.sources[i];
    const double kt = temperature(c, o, s - c->species);
    const int side = wn_source_side(c, o);
    double length = 0.0;
    if (isnan(kt))
      continue;
    for (int a = 0; a < c->plasma.dim; a++)
      if (side < 0 || a == side / 2)
        length = fmax(length, c->plasma.length[a]);
    const double v = speed(s, o->energy_ev + 0.5 * kt + fall),
                 all = wn_source_number(c, o, end);
    /* both of a pair stay as long as the heavier one, which ions of rest make long */
    n += o->pair != NULL || !(v > 0.0) ? all : fmin(all, all / end * length / v);
  }
  return n;
}

/* The whole part of wn_source_number, and one more if the next has had its time. */
double wn_source_created(const struct wn_config *c, size_t k, double t)
{
  double sum = 0.0;
  for (size_t i = 0; i < c->plasma.n_sources; i++) {
    const struct wn_cfg_source *o = &c->plasma.sources[i];
    if (o->wall != NULL || isnan(temperature(c, o, (long)k)))
      continue;
    const double n = wn_source_number(c, o, t);
    const struct wn_rng4 birth =
        wn_rng(c->seed, (uint64_t)n, (uint32_t)i, WN_RNG_SOURCE, WN_SOURCE_BLOCK_BIRTH);
    sum += floor(n) + (floor(n) + wn_u01(birth.w[0]) < n);
  }
  return sum * wn_loading_weight(c, &c->species[k]);
}
