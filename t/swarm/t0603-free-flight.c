/* t0603-free-flight.c - defends: the factors, units and weights of drift and diffusion of a
 * swarm.  A block of electrons that fly freely from the origin has closed answers: places are
 * v t and their covariance is cov(v) t^2, so that 1/2 d cov/dt and <x v> - <x><v> both are
 * cov(v) t, in the middle of an interval exactly cov(v) (lag + 1/2) T.  Intervals count as
 * 1/(lag + 1/2) (src/diag/moments.c): with n of them the coefficient is cov(v) T n / sum of
 * 1/(lag + 1/2), derived here.  The sums of the phases are made here from what physics/tally.h
 * says they are, and the diagnostic is fed with them and with electrons at those places.
 * No random number of the run: limits are those of rounding to integers and floats. */
#include <math.h>
#include <string.h>
#include "physics/constants.h"
#include "src/diag/moments.h"
#include "t/tap/draw.h"
#include "t/tap/scene.h"
#include "t/tap/tap.h"

#define LAGS  30
#define FIRST (LAGS / 3)
#define T     1e-11 /* s, an interval */

/* Weighted means over all electrons. */
struct known {
  double weight, v[3], vv[3];
};

/* Velocities without symmetry, a drift along z, weights that differ. */
static struct known release(struct wn_electron *e, size_t n)
{
  struct known k = {0};
  draw_state = 603;
  for (size_t i = 0; i < n; i++) {
    e[i].w = 1.0f + (float)(i % 3);
    for (int d = 0; d < 3; d++) {
      e[i].u[d] = (float)((uniform() - 0.4) * 1e5 * (d + 1)); /* gamma is 1 within 1e-6 */
      k.v[d] += (double)e[i].w * (double)e[i].u[d];
      k.vv[d] += (double)e[i].w * (double)e[i].u[d] * (double)e[i].u[d];
    }
    k.weight += (double)e[i].w;
  }
  for (int d = 0; d < 3; d++) {
    k.v[d] /= k.weight;
    k.vv[d] /= k.weight;
  }
  return k;
}

static wn_i128 fixed(double x)
{
  return (wn_i128)llrint(x * WN_FIX_STEP);
}

/* The sums of an electron's group over the interval from t0 to t1, as physics/tally.h defines
 * them. */
static void add(struct wn_tally_group *g, const struct wn_electron *e, double t0,
                double t1, int all)
{
  const double w = (double)e->w, length = WN_C * T;
  double square[3];
  g->time += fixed(w);
  for (int d = 0; d < 3; d++) {
    const double v = (double)e->u[d];
    square[d] = w * v * v * (t1 * t1 - t0 * t0) / (length * length);
    g->path[d] += fixed(w * v * (t1 - t0) / length);
    if (all || d == 2)
      g->place[d] += fixed(w * v * 0.5 * (t1 * t1 - t0 * t0) / (length * T));
  }
  g->spread[WN_SPREAD_XX] += fixed(all ? square[0] : square[0] + square[1]);
  g->spread[WN_SPREAD_YY] += fixed(all ? square[1] : 0.0);
  g->spread[WN_SPREAD_ZZ] += fixed(square[2]);
}

static void check(const char *name, const char *tensor, int all)
{
  const char *const set[] = {"job=\"swarm\"", "fields=[\"10 Td\"]",
                             "electrons=640", "duration=\"1 ns\"",
                             tensor,          NULL};
  struct scene s;
  struct wn_diag *d;
  scene_open(&s, "t0603.cfg", scene_air, set);
  scene_start(&s, T);
  is_int(wn_diag_moments.create(s.sim, &d), 0, "%s: diagnostic made", name);
  struct wn_species *of = scene_species(&s);
  struct wn_electron *e = scene_electrons(&s);
  const struct known k = release(e, of->p.n);
  const size_t groups = (size_t)of->shape.n_groups;
  double late = 0.0;
  s.sim->n_lags = LAGS;
  for (size_t lag = 0; lag < LAGS; lag++) {
    const double t0 = (double)lag * T, t1 = t0 + T;
    memset(of->tally.group, 0, groups * sizeof *of->tally.group);
    memset(of->before.group, 0, groups * sizeof *of->before.group);
    for (size_t i = 0; i < of->p.n; i++) {
      for (int x = 0; x < 3; x++)
        e[i].x[x] = (double)e[i].u[x] * t1;
      add(&of->tally.group[wn_electron_group(e[i].tag, (uint32_t)groups)], &e[i], t0, t1,
          all);
    }
    s.sim->lag = lag;
    is_int(wn_diag_moments.sample(d, s.sim, NULL), 0, "%s: lag %zu", name, lag);
    late += lag >= FIRST ? 1.0 / ((double)lag + 0.5) : 0.0;
  }
  const double of_cov = T * (LAGS - FIRST) / late;
  double cov[3];
  for (int x = 0; x < 3; x++)
    cov[x] = k.vv[x] - k.v[x] * k.v[x];
  /* Few sums: across the field there is no drift to take off (the gas is isotropic). */
  const double across = all ? 0.5 * (cov[0] + cov[1]) : 0.5 * (k.vv[0] + k.vv[1]);
  static const struct {
    enum wn_coefficient what;
    const char *name;
  } list[] = {{WN_DT_FLUX, "D_T, flux"}, {WN_DT_BULK, "D_T, bulk"},
              {WN_DL_FLUX, "D_L, flux"}, {WN_DL_BULK, "D_L, bulk"},
              {WN_W_FLUX, "W, flux"},    {WN_W_BULK, "W, bulk"}};
  for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
    is_close(wn_moments_coefficient(d, s.sim, list[i].what, -1),
             i < 2   ? across * of_cov
             : i < 4 ? cov[2] * of_cov
                     : k.v[2],
             1e-5, "%s: %s", name, list[i].name);
  wn_diag_moments.free(d);
  scene_close(&s);
}

int main(void)
{
  plan(0);
  check("few sums", "sampling.tensor=false", 0);
  check("tensor", "sampling.tensor=true", 1);
  return done();
}
