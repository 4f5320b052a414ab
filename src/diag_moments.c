/* src/diag_moments.c - diagnostic `moments`: bulk drift, diffusion and energy
 * distribution of a swarm, from samples at given times of a block (s->lag of s->n_lags).
 *
 * At the start of a block every electron is at the origin (the gas is uniform) and the
 * weights of a group add up to their first sum (src/job_swarm.c); inside, the positions
 * of the survivors and of their children build up the correlation with energy that makes
 * bulk coefficients differ from flux ones.
 *   bulk drift      d<z>/dt
 *   bulk diffusion  1/2 d var/dt
 *   flux diffusion  <z v_z> - <z><v_z> (same for x, y), over all times of an interval
 * The first third of a block is left to that.  In what follows places spread as by Brownian
 * motion: d<z> has the same noise in every interval, d var and <z v_z> one that grows with
 * the time since the start, so that each interval counts as one over that time.
 * Errors: jackknife over groups with the control variate of diag_transport.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "physics/constants.h"
#include "src/diag.h"

#define N_MOMENTS WN_SAMPLE_N_MOMENTS

/* Sums over the times of an interval: of struct wn_tally_group. */
enum { TIME, PATH, PLACE, SPREAD_T, SPREAD_L, N_BETWEEN };

struct wn_diag {
  size_t groups, n_lags, n_bins;
  wn_i128 *moment;    /* [groups][n_lags][N_MOMENTS] */
  wn_i128 *between;   /* [groups][n_lags][N_BETWEEN] of the interval that ends there */
  wn_i128 *histogram; /* [groups][n_bins + 1] weights; the last: all */
  wn_i128 *sums;      /* of one sample: both, one lag */
};

enum what { W_BULK, DT_FLUX, DL_FLUX, DT_BULK, DL_BULK };

/* One quantity of the jackknife. */
struct ask {
  const struct wn_diag *d;
  double interval; /* s, from sample to sample */
  enum what what;
  size_t bin;
  double width; /* of the bin, in energy^(3/2) */
};

/* Moments of a lag, divided by the weight; lengths in c * block. */
static void moments(const struct ask *a, size_t lag, long leave_out, double m[N_MOMENTS])
{
  const struct wn_diag *d = a->d;
  for (int k = 0; k < N_MOMENTS; k++)
    m[k] = 0.0;
  for (long g = 0; g < (long)d->groups; g++)
    if (g != leave_out)
      for (int k = 0; k < N_MOMENTS; k++)
        m[k] += (double)d->moment[((size_t)g * d->n_lags + lag) * N_MOMENTS + (size_t)k];
  for (int k = 1; k < N_MOMENTS; k++)
    m[k] /= m[WN_SAMPLE_W];
}

/* The first interval that counts. */
static size_t first_lag(const struct wn_diag *d)
{
  return d->n_lags / 3;
}

/* What an interval of flux gives, in (c * interval)^2/interval. */
static double flux_of(const struct ask *a, size_t lag, long leave_out)
{
  const struct wn_diag *d = a->d;
  double sum[N_BETWEEN] = {0.0};
  for (long g = 0; g < (long)d->groups; g++)
    if (g != leave_out)
      for (int k = 0; k < N_BETWEEN; k++)
        sum[k] +=
            (double)d->between[((size_t)g * d->n_lags + lag) * N_BETWEEN + (size_t)k];
  for (int k = 1; k < N_BETWEEN; k++)
    sum[k] /= sum[TIME];
  return a->what == DT_FLUX ? 0.25 * sum[SPREAD_T]
                            : 0.5 * sum[SPREAD_L] - sum[PLACE] * sum[PATH];
}

/* The moment that grows, in c * block or its square. */
static double moment_of(const struct ask *a, size_t lag, long leave_out)
{
  double m[N_MOMENTS];
  moments(a, lag, leave_out, m);
  switch (a->what) {
  case DT_BULK:
    return 0.25 * m[WN_SAMPLE_RR];
  case DL_BULK:
    return 0.5 * (m[WN_SAMPLE_ZZ] - m[WN_SAMPLE_Z] * m[WN_SAMPLE_Z]);
  default:
    return m[WN_SAMPLE_Z];
  }
}

static double slope_or_mean(const void *ctx, long leave_out)
{
  const struct ask *a = ctx;
  const size_t n = a->d->n_lags, first = first_lag(a->d);
  const int is_flux = a->what == DT_FLUX || a->what == DL_FLUX;
  double sum = 0.0, weights = 0.0,
         before = is_flux ? 0.0 : moment_of(a, first - 1, leave_out);
  for (size_t lag = first; lag < n; lag++) {
    const double weight = a->what == W_BULK ? 1.0 : 1.0 / ((double)lag + 0.5);
    double y;
    if (is_flux) {
      y = flux_of(a, lag, leave_out);
    } else {
      const double now = moment_of(a, lag, leave_out);
      y = now - before;
      before = now;
    }
    weights += weight;
    sum += weight * y;
  }
  /* y: per interval; of moments in c * block, which is n intervals */
  const double unit = is_flux             ? 1.0
                      : a->what == W_BULK ? (double)n
                                          : (double)n * (double)n;
  return sum / weights * unit * WN_C * (a->what == W_BULK ? 1.0 : WN_C * a->interval);
}

/* Energy distribution of a bin: eV^-3/2. */
static double distribution(const void *ctx, long leave_out)
{
  const struct ask *a = ctx;
  size_t row = a->d->n_bins + 1;
  double in = 0.0, all = 0.0;
  for (long g = 0; g < (long)a->d->groups; g++)
    if (g != leave_out) {
      in += (double)a->d->histogram[(size_t)g * row + a->bin];
      all += (double)a->d->histogram[(size_t)g * row + a->d->n_bins];
    }
  return in / all / a->width;
}

static struct wn_estimate slope(const struct wn_diag *d, const struct wn_sim *s,
                                enum what what, const double *control)
{
  const struct ask a = {.d = d, .interval = s->interval, .what = what};
  return wn_stats_jackknife(d->groups, slope_or_mean, &a, control);
}

struct wn_estimate wn_moments_drift(const struct wn_diag *d, const struct wn_sim *s,
                                    const double *control)
{
  return slope(d, s, W_BULK, control);
}

static void destroy(struct wn_diag *d)
{
  if (d != NULL) {
    free(d->moment);
    free(d->between);
    free(d->histogram);
    free(d->sums);
  }
  free(d);
}

static int create(const struct wn_sim *s, struct wn_diag **out)
{
  struct wn_diag *d = wn_alloc(1, sizeof *d);
  if (d == NULL)
    return WN_ENOMEM;
  d->groups = (size_t)s->species[0]->shape.n_groups;
  d->n_lags = s->c->sample_block;
  d->n_bins = wn_diag_n_bins(s->c);
  d->moment = wn_alloc(d->groups * d->n_lags, N_MOMENTS * sizeof *d->moment);
  d->between = wn_alloc(d->groups * d->n_lags, N_BETWEEN * sizeof *d->between);
  d->histogram = wn_alloc(d->groups * (d->n_bins + 1), sizeof *d->histogram);
  d->sums = wn_alloc(d->groups * (N_MOMENTS + d->n_bins + 1), sizeof *d->sums);
  if (d->moment == NULL || d->between == NULL || d->histogram == NULL ||
      d->sums == NULL) {
    destroy(d);
    return WN_ENOMEM;
  }
  *out = d;
  return WN_OK;
}

/* What the phase that ends here added to the sums of a swarm. */
static void add_between(struct wn_diag *d, const struct wn_sim *s)
{
  for (size_t g = 0; g < d->groups; g++) {
    const struct wn_tally_group *now = &s->species[0]->tally.group[g],
                                *before = &s->species[0]->before.group[g];
    wn_i128 *to = &d->between[(g * d->n_lags + s->lag) * N_BETWEEN];
    to[TIME] += now->time - before->time;
    to[PATH] += now->path[2] - before->path[2];
    to[PLACE] += now->place - before->place;
    to[SPREAD_T] += now->spread[0] - before->spread[0];
    to[SPREAD_L] += now->spread[1] - before->spread[1];
  }
}

static int sample(struct wn_diag *d, const struct wn_sim *s, struct wn_output *o)
{
  (void)o;
  if (s->n_lags == 0)
    return WN_OK;
  const struct wn_sample what = {.kind = WN_SAMPLE_MOMENTS,
                                 .n_groups = (uint32_t)d->groups,
                                 .unit = 1.0 / (WN_C * s->interval * (double)d->n_lags),
                                 .bin_min_ev = s->c->distribution_min_ev,
                                 .bins_per_decade =
                                     (double)s->c->distribution_bins_per_decade,
                                 .n_bins = d->n_bins};
  const wn_i128 *from = d->sums;
  memset(d->sums, 0, wn_sample_cells(&what) * sizeof *d->sums);
  WN_TRY(wn_particles_sample(&s->species[0]->p, &what, d->sums));
  for (size_t g = 0; g < d->groups; g++)
    for (size_t k = 0; k < N_MOMENTS; k++)
      d->moment[(g * d->n_lags + s->lag) * N_MOMENTS + k] += *from++;
  for (size_t i = 0; i < d->groups * (d->n_bins + 1); i++)
    d->histogram[i] += *from++;
  add_between(d, s);
  return WN_OK;
}

static const struct {
  const char *name, *units, *long_name;
  enum what what;
} quantities[] = {
    {"drift_velocity_bulk", "m s-1", "bulk drift velocity, against the field", W_BULK},
    {"diffusion_transverse_flux", "m2 s-1", "flux diffusion coefficient across the field",
     DT_FLUX},
    {"diffusion_longitudinal_flux", "m2 s-1",
     "flux diffusion coefficient along the field", DL_FLUX},
    {"diffusion_transverse_bulk", "m2 s-1", "bulk diffusion coefficient across the field",
     DT_BULK},
    {"diffusion_longitudinal_bulk", "m2 s-1",
     "bulk diffusion coefficient along the field", DL_BULK},
};
#define N_QUANTITIES (sizeof quantities / sizeof quantities[0])

static int define(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  (void)c, (void)g;
  for (size_t i = 0; i < N_QUANTITIES; i++)
    WN_TRY(wn_diag_define_quantity(o, quantities[i].name, quantities[i].units,
                                   quantities[i].long_name, NULL));
  static const struct wn_output_var of_energy = {
      .name = "energy_distribution",
      .units = "eV-3/2",
      .long_name = "electron energy distribution f",
      .comment = "normalised: the integral of f(e) sqrt(e) de is 1",
      .n_dims = 2,
      .dims = {"field", "energy"},
      .with_error = 1};
  return wn_output_define(o, &of_energy);
}

struct bins {
  const struct wn_diag *d;
  const double *edge; /* [n_bins + 1], eV */
  const double *control;
};

static struct wn_estimate in_bin(const void *ctx, size_t b)
{
  const struct bins *of = ctx;
  const double *e = &of->edge[b];
  const struct ask a = {
      .d = of->d,
      .bin = b,
      .width = 2.0 / 3.0 * (e[1] * sqrt(e[1]) - e[0] * sqrt(e[0])),
  };
  return wn_stats_jackknife(of->d->groups, distribution, &a, of->control);
}

static int put_distribution(const struct wn_diag *d, const struct wn_sim *s,
                            const double *control, struct wn_output *o)
{
  double *edge = wn_alloc(d->n_bins + 1, sizeof *edge);
  if (edge == NULL)
    return WN_ENOMEM;
  const struct bins of = {d, edge, control};
  wn_diag_bin_edges(s->c, edge);
  int status =
      wn_diag_put_estimates(o, "energy_distribution", s->i_case, d->n_bins, in_bin, &of);
  free(edge);
  return status;
}

static int write(struct wn_diag *d, const struct wn_sim *s, int enough,
                 struct wn_output *o)
{
  if (!enough)
    return WN_OK;
  double *control = wn_alloc(d->groups, sizeof *control);
  int status = control != NULL ? WN_OK : WN_ENOMEM;
  if (status == WN_OK)
    wn_transport_control(s, control);
  for (size_t i = 0; i < N_QUANTITIES && status == WN_OK; i++)
    status = wn_diag_put(o, quantities[i].name, s->i_case,
                         slope(d, s, quantities[i].what, control));
  if (status == WN_OK)
    status = put_distribution(d, s, control, o);
  free(control);
  return status;
}

static int state(struct wn_diag *d, struct wn_state *st)
{
  WN_TRY(WN_STATE_ARRAY(st, d->moment, d->groups * d->n_lags * N_MOMENTS));
  WN_TRY(WN_STATE_ARRAY(st, d->between, d->groups * d->n_lags * N_BETWEEN));
  return WN_STATE_ARRAY(st, d->histogram, d->groups * (d->n_bins + 1));
}

const struct wn_diag_ops wn_diag_moments = {
    .define = define,
    .create = create,
    .sample = sample,
    .write = write,
    .state = state,
    .free = destroy,
};
