/* src/sim/cell_temperatures.c - see cell_temperatures.h. */
#include "src/sim/cell_temperatures.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "physics/constants.h"
#include "src/sim/cell_pairs.h"
#include "src/sim/plasma.h"
#include "src/sim/reaction_parts.h"

#define UNIT (1.0 / 1024.0) /* m/s */
#define MOST 1e60

struct sums {
  wn_i128 square, along[3]; /* in units of UNIT */
  uint64_t n;
};

struct wn_cell_temperatures {
  struct wn_grid_view grid;
  size_t n_cells;
  struct sums *sum;
  double *factor;
};

int wn_cell_temperatures_create(const struct wn_grid_view *g,
                                struct wn_cell_temperatures **out)
{
  struct wn_cell_temperatures *t = wn_alloc(1, sizeof *t);
  if (t == NULL)
    return WN_ENOMEM;
  t->grid = *g;
  t->n_cells = wn_cell_pairs_cells(g);
  t->sum = wn_alloc(t->n_cells, sizeof *t->sum);
  t->factor = wn_alloc(t->n_cells, sizeof *t->factor);
  if (t->sum == NULL || t->factor == NULL) {
    wn_cell_temperatures_free(t);
    return WN_ENOMEM;
  }
  *out = t;
  return WN_OK;
}

void wn_cell_temperatures_free(struct wn_cell_temperatures *t)
{
  if (t == NULL)
    return;
  free(t->sum);
  free(t->factor);
  free(t);
}

static void add(struct wn_cell_temperatures *t, const struct wn_species *s)
{
  memset(t->sum, 0, t->n_cells * sizeof *t->sum);
  for (size_t i = 0; i < s->p.n; i++) {
    if (wn_particles_is_dead(&s->p, i))
      continue;
    struct wn_reacting one;
    wn_reacting_load(s, i, &one);
    struct sums *c = &t->sum[wn_cell_pairs_cell(&t->grid, wn_particles_at(&s->p, i))];
    c->n++;
    for (int d = 0; d < 3; d++) {
      const long long u = llrint((double)one.u[d] / UNIT);
      c->along[d] += u;
      c->square += (wn_i128)u * u;
    }
  }
}

/* Sum of squares about the mean, m2/s2. */
static double about_mean(const struct sums *c)
{
  double square = (double)c->square;
  for (int d = 0; d < 3 && c->n > 0; d++)
    square -= (double)c->along[d] * ((double)c->along[d] / (double)c->n);
  return fmax(square, 0.0) * UNIT * UNIT;
}

/* The mean of (X/s)^a. */
static double of_few(double s, double a)
{
  return exp(lgamma(s + a) - lgamma(s) - a * log(s));
}

const double *wn_cell_temperatures_factors(struct wn_cell_temperatures *t,
                                           const struct wn_species *s, double exponent,
                                           double reference_ev)
{
  const struct wn_points *m = wn_plasma_points(s);
  const int f = wn_plasma_has_electrons(s) ? 3 : wn_point_velocities(m->kind);
  const double per_square = m->mass / WN_E / f / reference_ev; /* of kT/kT0 */
  double squares = 0.0, degrees = 0.0;
  add(t, s);
  for (size_t i = 0; i < t->n_cells; i++)
    if (t->sum[i].n > 1) {
      squares += about_mean(&t->sum[i]);
      degrees += (double)(t->sum[i].n - 1);
    }
  const double all =
      degrees > 0.0 ? fmin(pow(squares / degrees * per_square, exponent), MOST) : 1.0;
  for (size_t i = 0; i < t->n_cells; i++) {
    const double n = (double)t->sum[i].n, shape = 0.5 * f * (n - 1.0);
    t->factor[i] =
        n > 1.0 && shape + exponent > 0.5
            ? fmin(pow(about_mean(&t->sum[i]) / (n - 1.0) * per_square, exponent) /
                       of_few(shape, exponent),
                   MOST)
            : all;
  }
  return t->factor;
}
