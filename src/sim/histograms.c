/* src/sim/histograms.c - see histograms.h. */
#include "src/sim/histograms.h"
#include <math.h>
#include "base/error.h"
#include "physics/constants.h"
#include "physics/mathfn.h"
#include "src/config/distributions.h"
#include "src/sim/plasma.h"
#include "src/sim/wall_hits.h"

size_t wn_histogram_energy(const struct wn_cfg_distribution *d)
{
  return wn_distribution_cells(d) - 2;
}

size_t wn_histogram_count(const struct wn_cfg_distribution *d)
{
  return wn_distribution_cells(d) - 1;
}

/* The angle to the normal of a side, as a bin. */
static size_t angle_bin(const struct wn_cfg_distribution *d, int side, const float u[3])
{
  const int axis = side / 2;
  const double normal = fabs((double)u[axis]);
  double across = 0.0;
  for (int a = 0; a < 3; a++)
    across += a != axis ? (double)u[a] * (double)u[a] : 0.0;
  const double part = normal > 0.0 ? wn_atan(sqrt(across) / normal) / (0.5 * WN_PI) : 1.0;
  const size_t bin = (size_t)(part * (double)d->angles);
  return bin < d->angles ? bin : d->angles - 1;
}

static int add(const struct wn_sim *s, const struct wn_cfg_distribution *d,
               const struct wn_points *m, const float u[3], float w, size_t angle,
               wn_i128 *sums)
{
  const int64_t quanta = wn_quanta(w);
  const double energy = wn_point_energy_ev(m, wn_point_velocities(m->kind), u),
               bin = energy / d->energy_max_ev * (double)d->bins;
  if (quanta == WN_QUANTA_MISFIT)
    return WN_FAIL(
        WN_ERUN,
        "%s: distribution %s: the weight of a particle is below 0, not a number "
        "or too large for its sums",
        s->c->file, d->name);
  const size_t at = bin < (double)d->bins ? (size_t)bin : d->bins;
  sums[angle * (d->bins + 1) + at] += quanta;
  sums[wn_histogram_energy(d)] += (wn_i128)quanta * llrint(energy * WN_FIX_ENERGY);
  sums[wn_histogram_count(d)] += 1;
  return WN_OK;
}

static int add_hits(const struct wn_sim *s, const struct wn_cfg_distribution *d, size_t k,
                    const struct wn_points *m, wn_i128 *sums)
{
  const int side = wn_distribution_side(s->c, d);
  const struct wn_wall_hit *hit;
  size_t n;
  wn_wall_hits(s, k, &hit, &n);
  for (size_t i = 0; i < n; i++)
    if (hit[i].side == side)
      WN_TRY(add(s, d, m, hit[i].u, hit[i].w,
                 d->angles > 0 ? angle_bin(d, side, hit[i].u) : 0, sums));
  return WN_OK;
}

/* The ends of the region along an axis in parts of a cell (struct wn_grid_view.bits): from the
 * first, below the second.  The end of the domain is in it. */
static void ends(const struct wn_sim *s, const struct wn_cfg_distribution *d,
                 const struct wn_points *m, int a, int64_t out[2])
{
  const double length = s->c->plasma.length[a], high = wn_distribution_high(s->c, d, a),
               parts = ldexp((double)m->grid.cells[a], m->grid.bits[a]);
  out[0] = (int64_t)ceil(wn_distribution_low(d, a) / length * parts);
  out[1] = high < length ? (int64_t)ceil(high / length * parts) : INT64_MAX;
}

static int add_region(const struct wn_sim *s, const struct wn_cfg_distribution *d,
                      struct wn_species *of, const struct wn_points *m, wn_i128 *sums)
{
  const int is_electron = wn_plasma_has_electrons(of), dim = wn_point_dim(m->kind),
            n_v = wn_point_velocities(m->kind);
  int64_t region[WN_MAX_DIM][2];
  WN_TRY(
      wn_particles_read(&of->p)); /* from a GPU: there is no kernel for these sums yet */
  for (int a = 0; a < dim; a++)
    ends(s, d, m, a, region[a]);
  for (size_t i = 0; i < of->p.n; i++) {
    const union wn_word *r = wn_particles_at(&of->p, i);
    const struct wn_electron *e = (const void *)r;
    float u[3] = {0.0f, 0.0f, 0.0f}, w;
    int32_t x[3];
    if (wn_particles_is_dead(&of->p, i))
      continue;
    if (is_electron) {
      for (int a = 0; a < 3; a++)
        x[a] = e->at[a], u[a] = e->u[a];
      w = e->w;
    } else {
      wn_point_load(dim, n_v, r, x, u, &w);
    }
    int is_inside = x[0] >= 0;
    for (int a = 0; a < dim; a++)
      is_inside &= x[a] >= region[a][0] && x[a] < region[a][1];
    if (is_inside)
      WN_TRY(add(s, d, m, u, w, 0, sums));
  }
  return WN_OK;
}

int wn_histogram_add(const struct wn_sim *s, const struct wn_cfg_distribution *d,
                     wn_i128 *sums)
{
  const size_t k = (size_t)wn_distribution_species(s->c, d);
  const struct wn_points *m = wn_plasma_points(s->species[k]);
  return d->wall != NULL ? add_hits(s, d, k, m, sums)
                         : add_region(s, d, s->species[k], m, sums);
}
