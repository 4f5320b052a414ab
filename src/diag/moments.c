/* src/diag/moments.c - diagnostic `moments`: bulk drift, diffusion and energy distribution of a swarm,
 * from samples at given times of a block (s->lag of s->n_lags).
 *
 * At the start of a block every electron is at the origin (the gas is uniform) and the weights of a group
 * have their initial sum (src/jobs/swarm.c).  During the block the positions of the surviving electrons
 * and of their children become correlated with energy, which makes bulk coefficients differ from flux
 * coefficients.
 *   bulk drift      d<z>/dt
 *   bulk diffusion  1/2 d var/dt
 *   flux diffusion  <z v_z> - <z><v_z> (same for x, y), over all times of an interval
 * The first third of a block is the relaxation of these correlations.  Afterwards positions spread as in
 * Brownian motion: d<z> has the same variance in every interval.  That of d var and <z v_z> grows with the
 * time since the start, so each interval has a weight of one over that time.  In a magnetic field
 * electrons drift across E, too: all first and second moments are then summed (WN_SAMPLE_TENSOR), and <x>^2
 * and <y>^2 are subtracted.  The transverse coefficient is then the mean of those along x and y, and
 * src/diag/tensor.c writes the vectors and tensors.  Errors: jackknife over groups with the control
 * variate of transport.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "physics/constants.h"
#include "src/diag/moments.h"
#include "src/diag/momentum.h"
#include "src/diag/reduced.h"
#include "src/diag/tensor.h"

/* Sums over the times of an interval: members of struct wn_tally_group. */
enum {
  TIME,
  PATH,
  PLACE = PATH + 3,
  SPREAD = PLACE + 3,
  N_BETWEEN = SPREAD + WN_SPREADS
};

struct wn_diag {
  enum wn_sample_kind kind; /* moments, or tensor */
  /* n_lags: of a block of this case, 0 before the first sample; most_lags: allocated */
  size_t groups, n_lags, most_lags, n_moments, n_bins;
  wn_i128 *moment; /* [groups][most_lags][n_moments], the first n_lags in use */
  wn_i128 *
      between; /* [groups][most_lags][N_BETWEEN] for the interval that ends at this lag */
  wn_i128 *histogram; /* [groups][n_bins + 1] weights; the last: total */
  wn_i128 *cosine; /* [groups][n_bins] weights times the cosine relative to the drift */
  wn_i128 *sums;   /* of one sample: both, at one lag */
};

/* One quantity for the jackknife. */
struct ask {
  const struct wn_diag *d;
  const struct wn_sim *s;
  enum wn_coefficient what;
  size_t bin;
  double width; /* of the bin, in energy^(3/2) */
  int is_f1;    /* the first anisotropy */
};

/* Moments at a lag, divided by the weight; lengths in c * block. */
static void moments(const struct wn_diag *d, size_t lag, long leave_out, double *m)
{
  const size_t n = d->n_moments;
  for (size_t k = 0; k < n; k++)
    m[k] = 0.0;
  for (long g = 0; g < (long)d->groups; g++)
    if (g != leave_out)
      for (size_t k = 0; k < n; k++)
        m[k] += (double)d->moment[((size_t)g * d->most_lags + lag) * n + k];
  for (size_t k = 1; k < n; k++)
    m[k] /= m[WN_SAMPLE_W];
}

/* The first interval that is used. */
static size_t first_lag(const struct wn_diag *d)
{
  return d->n_lags / 3;
}

/* Statistical weight of an interval for a quantity whose variance grows with time. */
static double late(size_t lag)
{
  return 1.0 / ((double)lag + 0.5);
}

double wn_moments_growth(const struct wn_diag *d, double interval, wn_moment_fn *f,
                         const void *ctx, int is_square, long leave_out)
{
  const double length = WN_C * interval * (double)d->n_lags;
  double m[WN_SAMPLE_N_TENSOR], sum = 0.0, weights = 0.0;
  moments(d, first_lag(d) - 1, leave_out, m);
  double before = f(ctx, m, length);
  for (size_t lag = first_lag(d); lag < d->n_lags; lag++) {
    const double weight = is_square ? late(lag) : 1.0;
    moments(d, lag, leave_out, m);
    const double now = f(ctx, m, length);
    sum += weight * (now - before);
    weights += weight;
    before = now;
  }
  return sum / weights / interval;
}

double wn_moments_mean(const struct wn_diag *d, double interval, wn_moment_fn *f,
                       const void *ctx, long leave_out)
{
  const double length = WN_C * interval * (double)d->n_lags;
  double m[WN_SAMPLE_N_TENSOR], sum = 0.0, weights = 0.0;
  for (size_t lag = first_lag(d); lag < d->n_lags; lag++) {
    moments(d, lag, leave_out, m);
    sum += late(lag) * f(ctx, m, length);
    weights += late(lag);
  }
  return sum / weights;
}

/* The sums of an interval, divided by time. */
static void times(const struct wn_diag *d, size_t lag, long leave_out,
                  double sum[N_BETWEEN])
{
  for (int k = 0; k < N_BETWEEN; k++)
    sum[k] = 0.0;
  for (long g = 0; g < (long)d->groups; g++)
    if (g != leave_out)
      for (int k = 0; k < N_BETWEEN; k++)
        sum[k] +=
            (double)d->between[((size_t)g * d->most_lags + lag) * N_BETWEEN + (size_t)k];
  for (int k = 1; k < N_BETWEEN; k++)
    sum[k] /= sum[TIME];
}

double wn_moments_flux(const struct wn_diag *d, double interval, int i, int k,
                       long leave_out)
{
  const int product = SPREAD + (i == k ? i : WN_SPREAD_YZ - 3 + i + k);
  double sum[N_BETWEEN], total = 0.0, weights = 0.0;
  for (size_t lag = first_lag(d); lag < d->n_lags; lag++) {
    times(d, lag, leave_out, sum);
    total +=
        late(lag) * 0.5 *
        (sum[product] - sum[PLACE + i] * sum[PATH + k] - sum[PLACE + k] * sum[PATH + i]);
    weights += late(lag);
  }
  return total / weights * WN_C * WN_C * interval;
}

/* The moments that the coefficients of this file need, from all moments.  The drift along
 * x and y is subtracted. */
static void of_tensor(const double *all, double m[WN_SAMPLE_N_MOMENTS])
{
  const double *x = &all[WN_SAMPLE_T_X], *xx = &all[WN_SAMPLE_T_XX];
  m[WN_SAMPLE_W] = all[WN_SAMPLE_W];
  m[WN_SAMPLE_Z] = x[2];
  m[WN_SAMPLE_ZZ] = xx[5];
  m[WN_SAMPLE_RR] = (xx[0] - x[0] * x[0]) + (xx[3] - x[1] * x[1]);
}

/* The growing moment, in SI. */
static double moment_of(const void *ctx, const double *sums, double length)
{
  const struct ask *a = ctx;
  double of[WN_SAMPLE_N_MOMENTS];
  const double *m = sums;
  if (a->d->kind == WN_SAMPLE_TENSOR) {
    of_tensor(sums, of);
    m = of;
  }
  switch (a->what) {
  case WN_DT_BULK:
    return 0.25 * m[WN_SAMPLE_RR] * length * length;
  case WN_DL_BULK:
    return 0.5 * (m[WN_SAMPLE_ZZ] - m[WN_SAMPLE_Z] * m[WN_SAMPLE_Z]) * length * length;
  default:
    return m[WN_SAMPLE_Z] * length;
  }
}

static double coefficient_of(const void *ctx, long leave_out)
{
  const struct ask *a = ctx;
  const double interval = a->s->interval;
  switch (a->what) {
  case WN_W_FLUX:
    return wn_transport_drift_of(a->s, leave_out);
  case WN_DL_FLUX:
    return wn_moments_flux(a->d, interval, 2, 2, leave_out);
  case WN_DT_FLUX:
    return 0.5 * (wn_moments_flux(a->d, interval, 0, 0, leave_out) +
                  wn_moments_flux(a->d, interval, 1, 1, leave_out));
  default:
    return wn_moments_growth(a->d, interval, moment_of, a, a->what != WN_W_BULK,
                             leave_out);
  }
}

double wn_moments_coefficient(const struct wn_diag *d, const struct wn_sim *s,
                              enum wn_coefficient what, long leave_out)
{
  const struct ask a = {.d = d, .s = s, .what = what};
  return coefficient_of(&a, leave_out);
}

/* For f(e, cos) = f0(e) + f1(e) cos: f0 of a bin, or f1 = 3 <cos> f0; eV^-3/2. */
static double distribution(const void *ctx, long leave_out)
{
  const struct ask *a = ctx;
  size_t row = a->d->n_bins + 1;
  wn_i128 in = 0, all = 0;
  for (long g = 0; g < (long)a->d->groups; g++)
    if (g != leave_out) {
      in += a->is_f1 ? a->d->cosine[(size_t)g * a->d->n_bins + a->bin]
                     : a->d->histogram[(size_t)g * row + a->bin];
      all += a->d->histogram[(size_t)g * row + a->d->n_bins];
    }
  return (a->is_f1 ? 3.0 : 1.0) * (double)in / (double)all / a->width;
}

static struct wn_estimate coefficient(const struct wn_diag *d, const struct wn_sim *s,
                                      enum wn_coefficient what, const double *control)
{
  const struct ask a = {.d = d, .s = s, .what = what};
  return wn_stats_jackknife(d->groups, coefficient_of, &a, control);
}

struct wn_estimate wn_moments_drift(const struct wn_diag *d, const struct wn_sim *s,
                                    const double *control)
{
  return coefficient(d, s, WN_W_BULK, control);
}

struct wn_estimate wn_moments_estimate(const struct wn_diag *d, const struct wn_sim *s,
                                       enum wn_coefficient what, const double *control)
{
  return coefficient(d, s, what, control);
}

double wn_moments_weight(const struct wn_diag *d, size_t group)
{
  return (double)d->histogram[group * (d->n_bins + 1) + d->n_bins] / WN_FIX_WEIGHT;
}

double wn_moments_cosine(const struct wn_diag *d, size_t group, size_t bin)
{
  return (double)d->cosine[group * d->n_bins + bin] / WN_FIX_WEIGHT;
}

static void destroy(struct wn_diag *d)
{
  if (d != NULL) {
    free(d->moment);
    free(d->between);
    free(d->histogram);
    free(d->cosine);
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
  d->most_lags = wn_diag_most_lags(s->c);
  d->n_bins = wn_diag_n_bins(s->c);
  d->kind = wn_config_has_frame(s->c) ? WN_SAMPLE_TENSOR : WN_SAMPLE_MOMENTS;
  d->n_moments = (size_t)wn_sample_n_moments(d->kind);
  d->moment = wn_alloc(d->groups * d->most_lags, d->n_moments * sizeof *d->moment);
  d->between = wn_alloc(d->groups * d->most_lags, N_BETWEEN * sizeof *d->between);
  d->histogram = wn_alloc(d->groups * (d->n_bins + 1), sizeof *d->histogram);
  d->cosine = wn_alloc(d->groups * d->n_bins, sizeof *d->cosine);
  d->sums = wn_alloc(d->groups * (d->n_moments + 2 * d->n_bins + 1), sizeof *d->sums);
  if (d->moment == NULL || d->between == NULL || d->histogram == NULL ||
      d->cosine == NULL || d->sums == NULL) {
    destroy(d);
    return WN_ENOMEM;
  }
  *out = d;
  return WN_OK;
}

/* The contribution of the interval that ends here to the sums of a swarm. */
static void add_between(struct wn_diag *d, const struct wn_sim *s)
{
  for (size_t g = 0; g < d->groups; g++) {
    const struct wn_tally_group *now = &s->species[0]->tally.group[g],
                                *before = &s->species[0]->before.group[g];
    wn_i128 *to = &d->between[(g * d->most_lags + s->lag) * N_BETWEEN];
    to[TIME] += now->time - before->time;
    for (int i = 0; i < 3; i++) {
      to[PATH + i] += now->path[i] - before->path[i];
      to[PLACE + i] += now->place[i] - before->place[i];
    }
    for (int i = 0; i < WN_SPREADS; i++)
      to[SPREAD + i] += now->spread[i] - before->spread[i];
  }
}

static int sample(struct wn_diag *d, const struct wn_sim *s, struct wn_output *o)
{
  (void)o;
  if (s->n_lags == 0)
    return WN_OK;
  WN_ASSERT(s->n_lags <= d->most_lags && (d->n_lags == 0 || d->n_lags == s->n_lags));
  d->n_lags = s->n_lags;
  const struct wn_sample what = {.kind = d->kind,
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
    for (size_t k = 0; k < d->n_moments; k++)
      d->moment[(g * d->most_lags + s->lag) * d->n_moments + k] += *from++;
  for (size_t i = 0; i < d->groups * (d->n_bins + 1); i++)
    d->histogram[i] += *from++;
  for (size_t i = 0; i < d->groups * d->n_bins; i++)
    d->cosine[i] += *from++;
  add_between(d, s);
  return WN_OK;
}

#define ACROSS "mean of the two axes across the electric field, drift subtracted"
static const struct {
  const char *name, *units, *long_name;
  enum wn_coefficient what;
  const char *comment;
} quantities[] = {
    {"drift_velocity_bulk", "m s-1", "bulk drift velocity, against the field", WN_W_BULK,
     NULL},
    {"diffusion_transverse_flux", "m2 s-1", "flux diffusion coefficient across the field",
     WN_DT_FLUX, ACROSS},
    {"diffusion_longitudinal_flux", "m2 s-1",
     "flux diffusion coefficient along the field", WN_DL_FLUX, NULL},
    {"diffusion_transverse_bulk", "m2 s-1", "bulk diffusion coefficient across the field",
     WN_DT_BULK, ACROSS},
    {"diffusion_longitudinal_bulk", "m2 s-1",
     "bulk diffusion coefficient along the field", WN_DL_BULK, NULL},
};
#define N_QUANTITIES (sizeof quantities / sizeof quantities[0])

static int define(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  (void)g;
  for (size_t i = 0; i < N_QUANTITIES; i++)
    WN_TRY(wn_diag_define_quantity(o, quantities[i].name, quantities[i].units,
                                   quantities[i].long_name, quantities[i].comment));
  WN_TRY(wn_reduced_define(o));
  WN_TRY(wn_momentum_define(o, c));
  if (wn_config_has_frame(c))
    WN_TRY(wn_tensor_define(o));
  static const struct wn_output_var of_energy[] = {
      {WN_VAR("energy_distribution", "eV-3/2",
              "electron energy distribution f0, averaged over directions"),
       .comment = "normalised: the integral of f0(e) sqrt(e) de is 1",
       WN_DIMS("field", "energy"), .with_error = 1},
      {WN_VAR("energy_distribution_f1", "eV-3/2",
              "first anisotropy f1 of the energy distribution, along the drift"),
       .comment = "f = f0 + f1 cos(angle to the direction against E) + ...: f1 is 3 f0 "
                  "times the mean cosine",
       WN_DIMS("field", "energy"), .with_error = 1}};
  return wn_output_define_all(o, of_energy, sizeof of_energy / sizeof of_energy[0]);
}

struct bins {
  const struct wn_diag *d;
  const double *edge; /* [n_bins + 1], eV */
  const double *control;
  int is_f1;
};

static struct wn_estimate in_bin(const void *ctx, size_t b)
{
  const struct bins *of = ctx;
  const double *e = &of->edge[b];
  const struct ask a = {
      .d = of->d,
      .bin = b,
      .width = 2.0 / 3.0 * (e[1] * sqrt(e[1]) - e[0] * sqrt(e[0])),
      .is_f1 = of->is_f1,
  };
  return wn_stats_jackknife(of->d->groups, distribution, &a, of->control);
}

static int put_distribution(const struct wn_diag *d, const struct wn_sim *s,
                            const double *control, struct wn_output *o)
{
  double *edge = wn_alloc(d->n_bins + 1, sizeof *edge);
  if (edge == NULL)
    return WN_ENOMEM;
  struct bins of = {d, edge, control, 0};
  wn_diag_bin_edges(s->c, edge);
  int status =
      wn_diag_put_estimates(o, "energy_distribution", s->i_case, d->n_bins, in_bin, &of);
  of.is_f1 = 1;
  if (status == WN_OK)
    status = wn_diag_put_estimates(o, "energy_distribution_f1", s->i_case, d->n_bins,
                                   in_bin, &of);
  free(edge);
  return status;
}

static int write(struct wn_diag *d, const struct wn_sim *s, int enough,
                 struct wn_output *o)
{
  if (!enough || d->n_lags == 0) /* no samples */
    return WN_OK;
  double *control = wn_alloc(d->groups, sizeof *control);
  int status = control != NULL ? WN_OK : WN_ENOMEM;
  if (status == WN_OK)
    wn_transport_control(s, control);
  for (size_t i = 0; i < N_QUANTITIES && status == WN_OK; i++)
    status = wn_diag_put(o, quantities[i].name, s->i_case,
                         coefficient(d, s, quantities[i].what, control));
  if (status == WN_OK)
    status = wn_reduced_write(d, s, control, o);
  if (status == WN_OK && d->kind == WN_SAMPLE_TENSOR)
    status = wn_tensor_write(d, s, control, o);
  if (status == WN_OK)
    status = wn_momentum_write(d, s, control, o);
  if (status == WN_OK)
    status = put_distribution(d, s, control, o);
  free(control);
  return status;
}

static int state(struct wn_diag *d, struct wn_state *st)
{
  WN_TRY(WN_STATE(st, d->n_lags));
  WN_TRY(WN_STATE_ARRAY(st, d->moment, d->groups * d->most_lags * d->n_moments));
  WN_TRY(WN_STATE_ARRAY(st, d->between, d->groups * d->most_lags * N_BETWEEN));
  WN_TRY(WN_STATE_ARRAY(st, d->histogram, d->groups * (d->n_bins + 1)));
  return WN_STATE_ARRAY(st, d->cosine, d->groups * d->n_bins);
}

const struct wn_diag_ops wn_diag_moments = {
    .define = define,
    .create = create,
    .sample = sample,
    .write = write,
    .state = state,
    .free = destroy,
};
