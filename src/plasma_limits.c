/* src/plasma_limits.c - see plasma_limits.h. */
#include "src/plasma_limits.h"

#include <complex.h>
#include <math.h>
#include <unistd.h>

#include "base/error.h"
#include "physics/constants.h"

#define MIB (1024.0 * 1024.0)

/* The Debye length of a species is asked for when its plasma frequency is at least so much
 * of the greatest: what the grid does to heavier particles it does so much more slowly. */
#define LIGHT 0.1

/* Points of the midpoint rule along an axis, in radius and in angle. */
#define POINTS 4096
#define RINGS  256

static double plasma_frequency(const struct wn_cfg_species *s)
{
  double q = s->charge * WN_E;
  return sqrt(s->density * q * q / (WN_EPS0 * s->mass));
}

/* omega_p: that of cold species in one place is the root of the sum of squares; where they
 * lie side by side, it is less.  The greatest density counts.
 * Debye length of a species by itself, sqrt(eps0 kT / (n q^2)).  Shorter ones than h / pi,
 * where the shortest wave of the grid, k = pi / h, has k lambda = 1, leave the aliases of
 * the grid undamped: the plasma heats until they do not. */
void wn_plasma_limits(const struct wn_config *c, struct wn_plasma_limits *out)
{
  const struct wn_cfg_plasma *p = &c->plasma;
  struct wn_plasma_limits l = {.debye = INFINITY, .h_min = INFINITY};
  double square = 0, greatest = 0, h[3];
  for (int d = 0; d < p->dim; d++) {
    h[d] = p->length[d] / (double)p->cells[d];
    l.h_min = fmin(l.h_min, h[d]);
    l.h_max = fmax(l.h_max, h[d]);
  }
  for (size_t i = 0; i < c->n_species; i++) {
    const struct wn_cfg_species *s = &c->species[i];
    double omega = s->mobile ? plasma_frequency(s) : 0;
    square += omega * omega * (1 + s->amplitude);
    greatest = fmax(greatest, omega);
  }
  for (size_t i = 0; i < c->n_species; i++) {
    const struct wn_cfg_species *s = &c->species[i];
    double thermal = sqrt(s->temperature_ev * WN_E / s->mass);
    double omega = plasma_frequency(s), debye = thermal / omega;
    if (!s->mobile)
      continue;
    for (int d = 0; d < p->dim && s->profile != WN_PROFILE_FILE; d++) {
      double cells =
          (WN_PLASMA_SPEEDS * thermal + fabs(s->drift[d])) * p->time_step / h[d];
      if (l.fastest == NULL || cells > l.crossing) {
        l.crossing = cells;
        l.fastest = s;
      }
    }
    if (s->temperature_ev > 0 && omega > 0 && omega >= LIGHT * greatest &&
        debye < l.debye) {
      l.debye = debye;
      l.coldest = s;
    }
  }
  l.omega_p = sqrt(square);
  l.omega_p_dt = l.omega_p * p->time_step;
  *out = l;
}

/* Mean over an axis of the profile times exp(i k x): the midpoint rule where it is not 0.
 */
static double complex mean_along(const struct wn_config *c,
                                 const struct wn_cfg_species *s, int d)
{
  double complex sum = 0;
  double length = c->plasma.length[d], k = 2 * WN_PI * (double)s->mode[d] / length;
  double centre = s->centre[d] == WN_AUTO ? 0.5 * length : s->centre[d];
  double width = s->width[d], low = 0, high = length;
  if (s->profile == WN_PROFILE_UNIFORM || width == WN_AUTO)
    return s->mode[d] == 0;
  if (s->profile == WN_PROFILE_SLAB) {
    low = fmax(low, centre - 0.5 * width);
    high = fmin(high, centre + 0.5 * width);
  }
  for (int i = 0; i < POINTS; i++) {
    double x = low + (i + 0.5) / POINTS * (high - low), u = (x - centre) / width;
    sum += cexp(I * k * x) * (s->profile == WN_PROFILE_SLAB ? 1 : exp(-0.5 * u * u));
  }
  return sum * (high - low) / length / POINTS;
}

/* Of an annulus; where z is an axis too, its perturbation along z has no mean. */
static double mean_annulus(const struct wn_config *c, const struct wn_cfg_species *s)
{
  const double *length = c->plasma.length;
  double a = s->radius[0], b = s->radius[1], sum = 0, at[2];
  double amplitude = c->plasma.dim > 2 && s->mode[2] != 0 ? 0 : s->amplitude;
  for (int d = 0; d < 2; d++)
    at[d] = s->centre[d] == WN_AUTO ? 0.5 * length[d] : s->centre[d];
  for (int i = 0; i < RINGS; i++)
    for (int j = 0; j < RINGS; j++) {
      double r2 = a * a + (b * b - a * a) * (i + 0.5) / RINGS; /* rings of equal area */
      double angle = 2 * WN_PI * (j + 0.5) / RINGS;
      double x = at[0] + sqrt(r2) * cos(angle), y = at[1] + sqrt(r2) * sin(angle);
      sum += 1 + amplitude * cos(2 * WN_PI *
                                     ((double)s->mode[0] * x / length[0] +
                                      (double)s->mode[1] * y / length[1]) +
                                 s->phase);
    }
  return sum / (RINGS * RINGS) * WN_PI * (b * b - a * a) / (length[0] * length[1]);
}

/* f = product of the profiles along the axes, times 1 + a Re exp(i (sum of k x + phase)):
 * the mean is that of the product, and a times the real part of another. */
double wn_plasma_mean(const struct wn_config *c, const struct wn_cfg_species *s)
{
  struct wn_cfg_species flat = *s;
  double complex wave = s->amplitude * cexp(I * s->phase), plain = 1;
  if (s->profile == WN_PROFILE_FILE)
    return NAN;
  if (s->profile == WN_PROFILE_ANNULUS)
    return mean_annulus(c, s);
  for (int d = 0; d < c->plasma.dim; d++) {
    flat.mode[d] = 0;
    plain *= mean_along(c, &flat, d);
    wave *= mean_along(c, s, d);
  }
  return creal(plain) + creal(wave);
}

double wn_plasma_particles(const struct wn_config *c, const struct wn_cfg_species *s)
{
  double n = (double)s->per_cell * wn_plasma_mean(c, s);
  for (int d = 0; d < c->plasma.dim; d++)
    n *= (double)c->plasma.cells[d];
  return s->density > 0 ? floor(n + 0.5) : 0;
}

size_t wn_plasma_record(const struct wn_config *c)
{
  return c->plasma.dim == 1 || c->plasma.velocities == 2 ? 16 : 32;
}

double wn_plasma_nodes(const struct wn_config *c)
{
  double n = 1;
  for (int d = 0; d < c->plasma.dim; d++)
    n *= (double)c->plasma.cells[d] + 1 + 2 * WN_GRID_GUARD;
  return n;
}

/* A node: 8 bytes of charge, a float for each component of E (four in three dimensions),
 * rho, phi and a work array of doubles; the free space of an open domain doubles each
 * axis for the work array and the Green function. */
double wn_plasma_grid_bytes(const struct wn_config *c)
{
  const struct wn_cfg_plasma *p = &c->plasma;
  double stride = p->dim == 3 ? 4 : p->dim, work = 8;
  if (p->wall[0].field == WN_OPEN)
    work = 16 * pow(2, p->dim);
  return wn_plasma_nodes(c) * (8 + 4 * stride + 16 + work);
}

double wn_plasma_bytes(const struct wn_config *c)
{
  double bytes = wn_plasma_grid_bytes(c);
  for (size_t i = 0; i < c->n_species; i++) {
    double n = wn_plasma_particles(c, &c->species[i]);
    bytes += isnan(n) ? 0 : n * (double)wn_plasma_record(c);
  }
  return bytes;
}

int wn_plasma_fits(const struct wn_config *c)
{
  double bytes = wn_plasma_bytes(c);
  long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  double memory = (double)pages * (double)page;
  if (pages <= 0 || page <= 0 || bytes <= memory)
    return WN_OK;
  return WN_FAIL(WN_EINPUT,
                 "%s: the run takes %.2f MiB at the beginning, and this machine has %.2f "
                 "MiB; take fewer cells (grid.cells) or particles (species.<NAME>"
                 ".per_cell)",
                 c->file, bytes / MIB, memory / MIB);
}
