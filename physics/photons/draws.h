/* physics/photons/draws.h - a sequence of random numbers for one event of one particle.
 * Samplers with rejection need a number of draws that is not known before.  The sequence is
 * named by seed, id, event and purpose (physics/rng.h), so it depends on nothing else. */
#ifndef WN_PHYSICS_PHOTONS_DRAWS_H
#define WN_PHYSICS_PHOTONS_DRAWS_H
#include <stdint.h>
#include "physics/host_device.h"
#include "physics/rng.h"

struct wn_draws {
  uint64_t seed, id;
  uint32_t event, purpose;
  uint32_t n; /* numbers taken */
  struct wn_rng4 r;
};

static WN_HD struct wn_draws wn_draws(uint64_t seed, uint64_t id, uint32_t event,
                                      uint32_t purpose)
{
  struct wn_draws d;
  d.seed = seed;
  d.id = id;
  d.event = event;
  d.purpose = purpose;
  d.n = 0;
  d.r.w[0] = d.r.w[1] = d.r.w[2] = d.r.w[3] = 0;
  return d;
}

/* Uniform in (0, 1): neither end occurs. */
static WN_HD double wn_draw(struct wn_draws *d)
{
  const uint32_t i = d->n & 3u;
  if (i == 0)
    d->r = wn_rng(d->seed, d->id, d->event, d->purpose, d->n >> 2);
  d->n++;
  const uint32_t w = i == 0   ? d->r.w[0]
                     : i == 1 ? d->r.w[1]
                     : i == 2 ? d->r.w[2]
                              : d->r.w[3];
  return wn_u01_open(w);
}

/* Turns the unit vector d by the polar angle whose cosine is c, with the azimuth u in turns:
 * d' = c d + s (cos e1 + sin e2), e1 and e2 any pair normal to d.  The result is a unit vector
 * to rounding.  The 1 - c that was sampled is passed beside c, as small angles lose it. */
static WN_HD void wn_turn_direction(double d[3], double one_minus_c, double u)
{
  double sine, cosine;
  wn_sincos_turn(u, &sine, &cosine);
  const double c = 1.0 - one_minus_c;
  const double s2 = one_minus_c * (2.0 - one_minus_c);
  const double s = s2 > 0.0 ? sqrt(s2) : 0.0;
  /* e1 is normal to d and to the axis with which d has the least in common */
  const int k = fabs(d[0]) < fabs(d[1]) ? (fabs(d[0]) < fabs(d[2]) ? 0 : 2)
                                        : (fabs(d[1]) < fabs(d[2]) ? 1 : 2);
  const double dk = k == 0 ? d[0] : k == 1 ? d[1] : d[2];
  const double norm = 1.0 / sqrt(1.0 - dk * dk);
  double e1[3], e2[3], v[3], length = 0.0;
  for (int i = 0; i < 3; i++)
    e1[i] = ((i == k ? 1.0 : 0.0) - dk * d[i]) * norm;
  e2[0] = d[1] * e1[2] - d[2] * e1[1];
  e2[1] = d[2] * e1[0] - d[0] * e1[2];
  e2[2] = d[0] * e1[1] - d[1] * e1[0];
  for (int i = 0; i < 3; i++) {
    v[i] = c * d[i] + s * (cosine * e1[i] + sine * e2[i]);
    length += v[i] * v[i];
  }
  length = 1.0 / sqrt(length);
  for (int i = 0; i < 3; i++)
    d[i] = v[i] * length;
}

/* Isotropic unit vector. */
static WN_HD void wn_isotropic_direction(struct wn_draws *r, double d[3])
{
  double sine, cosine;
  const double c = 2.0 * wn_draw(r) - 1.0, s = sqrt(1.0 - c * c);
  wn_sincos_turn(wn_draw(r), &sine, &cosine);
  d[0] = s * cosine;
  d[1] = s * sine;
  d[2] = c;
}

#endif
