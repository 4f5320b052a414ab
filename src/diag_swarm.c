/* src/diag_swarm.c - job `swarm`: transport coefficients of a swarm that has forgotten
 * how it was released.
 *
 * Relaxation: windows of doubling length; the swarm is steady when the mean energy of two
 * successive windows agrees within twice their combined standard error.  What is left of
 * the start is then smaller than that difference by the factor that a window twice as
 * long brings. Sampling: blocks.  At the start of a block every electron is put back to
 * the origin (the gas is uniform) and the weights of a group are scaled to add up to
 * their first sum; inside, the positions of the survivors and of their children build up
 * the correlation with energy that makes bulk coefficients differ from flux ones.  The
 * first half of a block is left to that; the second gives slopes. flux drift      sum of
 * displacements / sum of times, of all electrons while they live bulk drift      d<z>/dt
 * bulk diffusion  1/2 d var/dt flux diffusion  <z v_z> - <z><v_z> (same for x, y)
 *   frequencies     collisions / sum of times
 *   mean energy     average over candidates: they come at a constant rate, so they see
 * time averages Errors: jackknife over independent groups.  Control variate: displacement
 * minus the sum of velocity times mean free time over the collisions, plus direction
 * after minus its expected value times speed times mean free time.  Both are zero on
 * average whatever the gas (physics/mcc.h), and they carry most of the noise of the
 * drift, and of the energy that the field gives. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "physics/constants.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"
#include "src/diag.h"
#include "particles/population.h"

#define FIRST_WINDOW 50 /* samples */
#define MAX_WINDOWS  24 /* 50 * 2^24 samples: something is wrong */
#define MIN_BLOCKS   8
#define N_MOMENTS    WN_SAMPLE_N_MOMENTS

struct wn_diag {
  int sampling, done;
  /* relaxation */
  int window;
  size_t in_window, window_length;
  struct wn_estimate last;
  /* sampling */
  size_t lag, n_lags, blocks, max_blocks;
  uint64_t first;     /* phases done when it began */
  double weight;      /* sum of weights of a group at the start of a block */
  wn_i128 *moment;    /* [groups][n_lags][N_MOMENTS] */
  wn_i128 *histogram; /* [groups][n_bins + 1] weights; the last: all */
  wn_i128 *sums;      /* of one sample: both, one lag */
  size_t n_bins;
  double *control; /* [groups] */
};

/* One quantity of the jackknife. */
struct ask {
  const struct wn_sim *s;
  const struct wn_diag *d;
  enum {
    ENERGY,
    W_FLUX,
    W_BULK,
    DT_FLUX,
    DL_FLUX,
    DT_BULK,
    DL_BULK,
    COUNT,
    BIN,
    TOWNSEND,
    ATTACHMENT
  } what;
  size_t index;
  double scale;
};

static double group_sum(const struct wn_sim *s, size_t offset, long leave_out)
{
  double sum = 0.0;
  for (long g = 0; g < s->shape.n_groups; g++)
    if (g != leave_out)
      sum += (double)*(const wn_i128 *)(const void *)((const char *)&s->tally.group[g] +
                                                      offset);
  return sum;
}

static double mean_energy(const void *ctx, long leave_out)
{
  const struct ask *a = ctx;
  return group_sum(a->s, offsetof(struct wn_tally_group, energy), leave_out) /
         group_sum(a->s, offsetof(struct wn_tally_group, candidates), leave_out) *
         (WN_FIX_WEIGHT / WN_FIX_ENERGY);
}

static double flux_drift(const void *ctx, long leave_out)
{
  const struct ask *a = ctx;
  return WN_C * group_sum(a->s, offsetof(struct wn_tally_group, path[2]), leave_out) /
         group_sum(a->s, offsetof(struct wn_tally_group, time), leave_out);
}

static double frequency(const void *ctx, long leave_out)
{
  const struct ask *a = ctx;
  return wn_diag_count(a->s, a->index, leave_out) / wn_diag_time(a->s, leave_out);
}

/* All processes of a kind; index: enum wn_process_kind. */
static double kind_frequency(const void *ctx, long leave_out)
{
  const struct ask *a = ctx;
  double sum = 0.0;
  for (int k = 0; k < a->s->shape.n_processes; k++)
    if (wn_xs_table_process(a->s->gas->table, k)->kind == (int)a->index)
      sum += wn_diag_count(a->s, (size_t)k, leave_out);
  return sum / wn_diag_time(a->s, leave_out);
}

/* Frequency over drift and density: m2 */
static double reduced_coefficient(const void *ctx, long leave_out)
{
  const struct ask *a = ctx;
  return kind_frequency(ctx, leave_out) / flux_drift(ctx, leave_out) /
         a->s->c->number_density;
}

/* Moments of a lag, divided by the weight; lengths in c * block. */
static void moments(const struct ask *a, size_t lag, long leave_out, double m[N_MOMENTS])
{
  const struct wn_diag *d = a->d;
  for (int k = 0; k < N_MOMENTS; k++)
    m[k] = 0.0;
  for (long g = 0; g < a->s->shape.n_groups; g++)
    if (g != leave_out)
      for (int k = 0; k < N_MOMENTS; k++)
        m[k] += (double)d->moment[((size_t)g * d->n_lags + lag) * N_MOMENTS + (size_t)k];
  for (int k = 1; k < N_MOMENTS; k++)
    m[k] /= m[WN_SAMPLE_W];
}

static double slope_or_mean(const void *ctx, long leave_out)
{
  const struct ask *a = ctx;
  double length = WN_C * a->s->interval * (double)a->d->n_lags, block = length / WN_C;
  double n = 0.0, st = 0.0, stt = 0.0, sy = 0.0, sty = 0.0;
  for (size_t lag = a->d->n_lags / 2; lag < a->d->n_lags; lag++) {
    double m[N_MOMENTS], t = (double)(lag + 1) * a->s->interval, y = 0.0;
    moments(a, lag, leave_out, m);
    switch (a->what) {
    case W_BULK:
      y = m[WN_SAMPLE_Z] * length;
      break;
    case DT_BULK:
      y = 0.25 * m[WN_SAMPLE_RR] * length * length;
      break;
    case DL_BULK:
      y = 0.5 * (m[WN_SAMPLE_ZZ] - m[WN_SAMPLE_Z] * m[WN_SAMPLE_Z]) * length * length;
      break;
    case DT_FLUX:
      y = 0.5 * m[WN_SAMPLE_RVR] * length * WN_C;
      break;
    case DL_FLUX:
      y = (m[WN_SAMPLE_ZVZ] - m[WN_SAMPLE_Z] * m[WN_SAMPLE_VZ]) * length * WN_C;
      break;
    default:
      break;
    }
    n += 1.0, st += t / block, stt += t / block * (t / block), sy += y,
        sty += t / block * y;
  }
  if (a->what == DT_FLUX || a->what == DL_FLUX)
    return sy / n;
  return (n * sty - st * sy) / (n * stt - st * st) / block;
}

/* Energy distribution of a bin: eV^-3/2. */
static double distribution(const void *ctx, long leave_out)
{
  const struct ask *a = ctx;
  double in = 0.0, all = 0.0;
  for (long g = 0; g < a->s->shape.n_groups; g++)
    if (g != leave_out) {
      in += (double)a->d->histogram[(size_t)g * (a->d->n_bins + 1) + a->index];
      all += (double)a->d->histogram[(size_t)g * (a->d->n_bins + 1) + a->d->n_bins];
    }
  return in / all / a->scale;
}

static struct wn_estimate estimate(const struct wn_sim *s, const struct wn_diag *d,
                                   wn_stats_fn *f, int what, size_t index, double scale)
{
  struct ask a = {.s = s, .d = d, .what = what, .index = index, .scale = scale};
  return wn_stats_jackknife((size_t)s->shape.n_groups, f, &a,
                            d->sampling ? d->control : NULL);
}

static void set_control(const struct wn_sim *s, struct wn_diag *d)
{
  for (int g = 0; g < s->shape.n_groups; g++)
    d->control[g] =
        (double)s->tally.group[g].control / (double)s->tally.group[g].time * WN_C;
}

static void destroy(struct wn_diag *d)
{
  if (d != NULL) {
    free(d->moment);
    free(d->histogram);
    free(d->sums);
    free(d->control);
  }
  free(d);
}

static int create(struct wn_sim *s, struct wn_diag **out)
{
  const struct wn_config *c = s->c;
  struct wn_diag *d = wn_alloc(1, sizeof *d);
  if (d == NULL)
    return WN_ENOMEM;
  size_t groups = (size_t)s->shape.n_groups;
  d->n_lags = c->sample_block;
  d->n_bins = wn_diag_n_bins(c);
  d->moment = wn_alloc(groups * d->n_lags, N_MOMENTS * sizeof *d->moment);
  d->histogram = wn_alloc(groups * (d->n_bins + 1), sizeof *d->histogram);
  d->sums = wn_alloc(groups * (N_MOMENTS + d->n_bins + 1), sizeof *d->sums);
  d->control = wn_alloc(groups, sizeof *d->control);
  if (!d->moment || !d->histogram || !d->sums || !d->control) {
    destroy(d);
    return WN_ENOMEM;
  }
  d->weight = (double)c->electrons / (double)groups;
  d->window_length = FIRST_WINDOW;
  d->last = (struct wn_estimate){NAN, NAN};
  wn_sim_set_interval(s, c->sample_interval > 0.0
                             ? c->sample_interval
                             : WN_SWARM_CANDIDATES / s->gas->table->view.nu_max);
  if (c->relaxation >= 0.0)
    d->window_length = (size_t)ceil(c->relaxation / s->interval);
  *out = d;
  return WN_OK;
}

/* From relaxation to sampling: choose the length of a block and of a sample. */
static int begin_sampling(struct wn_diag *d, struct wn_sim *s)
{
  const struct wn_config *c = s->c;
  double time = wn_diag_time(s, -1), net = 0.0;
  for (int k = 0; k < s->shape.n_processes; k++) {
    int kind = wn_xs_table_process(s->gas->table, k)->kind;
    if (kind == WN_PROC_IONIZATION || kind == WN_PROC_ATTACHMENT)
      net += wn_diag_count(s, (size_t)k, -1) / time;
  }
  /* a block is half as long as it took to become steady, but grows or shrinks the swarm
   * by e^3 at the most */
  double block = 0.5 * s->time;
  if (net > 0.0)
    block = fmin(block, 3.0 / net);
  if (c->duration > 0.0)
    block = fmin(block, c->duration / MIN_BLOCKS);
  block = fmax(block, (double)d->n_lags / s->gas->table->view.nu_max);
  if (c->sample_interval > 0.0)
    block = c->sample_interval * (double)d->n_lags;
  wn_sim_set_interval(s, block / (double)d->n_lags);
  d->max_blocks = c->duration > 0.0 ? (size_t)ceil(c->duration / block - 1e-9) : 0;
  d->sampling = 1;
  d->first = s->phases;
  d->lag = d->n_lags; /* the next sample begins a block */
  return WN_OK;
}

static int begin_block(struct wn_diag *d, struct wn_sim *s)
{
  d->lag = 0;
  return wn_population_restart(s, d->weight);
}

static int sample_moments(struct wn_diag *d, struct wn_sim *s)
{
  size_t groups = (size_t)s->shape.n_groups;
  const struct wn_sample what = {.kind = WN_SAMPLE_MOMENTS,
                                 .n_groups = (uint32_t)groups,
                                 .unit = 1.0 / (WN_C * s->interval * (double)d->n_lags),
                                 .bin_min_ev = s->c->distribution_min_ev,
                                 .bins_per_decade =
                                     (double)s->c->distribution_bins_per_decade,
                                 .n_bins = d->n_bins};
  const wn_i128 *from = d->sums;
  memset(d->sums, 0, wn_sample_cells(&what) * sizeof *d->sums);
  WN_TRY(wn_particles_sample(&s->p, &what, d->sums));
  for (size_t g = 0; g < groups; g++)
    for (size_t k = 0; k < N_MOMENTS; k++)
      d->moment[(g * d->n_lags + d->lag) * N_MOMENTS + k] += *from++;
  for (size_t i = 0; i < groups * (d->n_bins + 1); i++)
    d->histogram[i] += *from++;
  return WN_OK;
}

static int relax(struct wn_diag *d, struct wn_sim *s)
{
  if (++d->in_window < d->window_length)
    return WN_OK;
  struct wn_estimate now = estimate(s, d, mean_energy, ENERGY, 0, 0.0);
  double noise = 2.0 * hypot(now.error, d->last.error),
         change = fabs(now.value - d->last.value);
  int steady = s->c->relaxation >= 0.0 || (d->window >= 2 && change <= noise);
  if (steady) {
    WN_TRY(begin_sampling(d, s));
  } else if (++d->window == MAX_WINDOWS) {
    return WN_FAIL(WN_ERUN,
                   "field %s: the mean energy does not become steady (%.4g eV, before "
                   "%.4g eV); electrons run away, "
                   "or relaxation must be given",
                   s->c->cases[s->field].text, now.value, d->last.value);
  }
  d->last = now;
  d->in_window = 0;
  d->window_length *= 2;
  wn_sim_reset(s);
  return WN_OK;
}

static int enough(struct wn_diag *d, const struct wn_sim *s)
{
  if (d->max_blocks > 0)
    return d->blocks >= d->max_blocks;
  if (d->blocks < MIN_BLOCKS)
    return 0;
  set_control(s, d);
  struct wn_estimate e = estimate(s, d, mean_energy, ENERGY, 0, 0.0),
                     w = estimate(s, d, flux_drift, W_FLUX, 0, 0.0);
  return e.error <= s->c->accuracy * e.value &&
         (s->c->cases[s->field].e == 0.0 || w.error <= s->c->accuracy * fabs(w.value));
}

static int sample(struct wn_diag *d, struct wn_sim *s)
{
  if (s->p.n == 0)
    return WN_FAIL(WN_ERUN,
                   "field %s: every electron was attached %.3g s after the release; "
                   "raise electrons or the field",
                   s->c->cases[s->field].text, s->time);
  if (!d->sampling) {
    WN_TRY(relax(d, s));
    /* every phase counts the same, and weights stay in range however long the swarm grows
     */
    return d->sampling ? begin_block(d, s) : wn_population_normalise(s, d->weight);
  }
  WN_TRY(sample_moments(d, s));
  if (++d->lag < d->n_lags)
    return WN_OK;
  d->blocks++;
  d->done = enough(d, s);
  return begin_block(d, s);
}

static int is_done(const struct wn_diag *d)
{
  return d->done;
}

static double fraction(const struct wn_diag *d, const struct wn_sim *s)
{
  if (!d->sampling)
    return 0.0;
  double blocks = (double)d->blocks + (double)d->lag / (double)d->n_lags;
  if (d->max_blocks > 0)
    return blocks / (double)d->max_blocks;
  if (d->blocks < MIN_BLOCKS)
    return 0.5 * blocks / MIN_BLOCKS;
  /* the squared error falls as 1/time */
  struct wn_estimate e = estimate(s, d, mean_energy, ENERGY, 0, 0.0),
                     w = estimate(s, d, flux_drift, W_FLUX, 0, 0.0);
  double worst = fmax(e.error / e.value, w.error / fabs(w.value)) / s->c->accuracy;
  return fmin(1.0, 1.0 / (worst * worst));
}

static const struct {
  const char *name, *units, *long_name, *comment;
  wn_stats_fn *f;
  int what;
  size_t index;
} quantities[] = {
    {"mean_energy", "eV", "mean electron energy", NULL, mean_energy, ENERGY, 0},
    {"drift_velocity_flux", "m s-1", "flux drift velocity, against the field", NULL,
     flux_drift, W_FLUX, 0},
    {"drift_velocity_bulk", "m s-1", "bulk drift velocity, against the field", NULL,
     slope_or_mean, W_BULK, 0},
    {"diffusion_transverse_flux", "m2 s-1", "flux diffusion coefficient across the field",
     NULL, slope_or_mean, DT_FLUX, 0},
    {"diffusion_longitudinal_flux", "m2 s-1",
     "flux diffusion coefficient along the field", NULL, slope_or_mean, DL_FLUX, 0},
    {"diffusion_transverse_bulk", "m2 s-1", "bulk diffusion coefficient across the field",
     NULL, slope_or_mean, DT_BULK, 0},
    {"diffusion_longitudinal_bulk", "m2 s-1",
     "bulk diffusion coefficient along the field", NULL, slope_or_mean, DL_BULK, 0},
    {"ionization_frequency", "s-1", "ionizations per electron and second", NULL,
     kind_frequency, COUNT, WN_PROC_IONIZATION},
    {"attachment_frequency", "s-1", "attachments per electron and second", NULL,
     kind_frequency, COUNT, WN_PROC_ATTACHMENT},
    {"townsend_coefficient_reduced", "m2",
     "reduced Townsend ionization coefficient alpha/N",
     "ionization frequency over flux drift velocity and density", reduced_coefficient,
     TOWNSEND, WN_PROC_IONIZATION},
    {"attachment_coefficient_reduced", "m2", "reduced attachment coefficient eta/N",
     "attachment frequency over flux drift velocity and density", reduced_coefficient,
     ATTACHMENT, WN_PROC_ATTACHMENT},
};
#define N_QUANTITIES (sizeof quantities / sizeof quantities[0])

static int define(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  WN_TRY(wn_diag_define_common(o, c, g));
  for (size_t i = 0; i < N_QUANTITIES; i++) {
    struct wn_output_var v = {.name = quantities[i].name,
                              .units = quantities[i].units,
                              .long_name = quantities[i].long_name,
                              .comment = quantities[i].comment,
                              .n_dims = 1,
                              .dims = {"field"},
                              .with_error = 1};
    WN_TRY(wn_output_define(o, &v));
  }
  static const struct wn_output_var more[] = {
      {.name = "process_frequency",
       .units = "s-1",
       .long_name = "collisions of the process per electron and second",
       .n_dims = 2,
       .dims = {"field", "process"},
       .with_error = 1},
      {.name = "energy_distribution",
       .units = "eV-3/2",
       .long_name = "electron energy distribution f",
       .comment = "normalised: the integral of f(e) sqrt(e) de is 1",
       .n_dims = 2,
       .dims = {"field", "energy"},
       .with_error = 1},
      {.name = "sampling_time",
       .units = "s",
       .long_name = "time sampled after relaxation",
       .n_dims = 1,
       .dims = {"field"}},
      {.name = "relaxation_time",
       .units = "s",
       .long_name = "time from the release to the first sample",
       .n_dims = 1,
       .dims = {"field"}},
  };
  for (size_t i = 0; i < sizeof more / sizeof more[0]; i++)
    WN_TRY(wn_output_define(o, &more[i]));
  return wn_output_attr_text(o, "process_frequency", "coordinates", "process_name");
}

static int put_rows(const struct wn_diag *d, const struct wn_sim *s, struct wn_output *o)
{
  size_t n = (size_t)s->shape.n_processes, room = n > d->n_bins ? n : d->n_bins;
  double *value = wn_alloc(room, sizeof *value), *error = wn_alloc(room, sizeof *error);
  double *edge = wn_alloc(d->n_bins + 1, sizeof *edge);
  int status = value && error && edge ? WN_OK : WN_ENOMEM;
  for (size_t k = 0; status == WN_OK && k < n; k++) {
    struct wn_estimate e = estimate(s, d, frequency, COUNT, k, 0.0);
    value[k] = e.value, error[k] = e.error;
  }
  if (status == WN_OK)
    status = wn_diag_put_row(o, "process_frequency", s->field, value, error);
  if (status == WN_OK)
    wn_diag_bin_edges(s->c, edge);
  for (size_t b = 0; status == WN_OK && b < d->n_bins; b++) {
    double width =
        2.0 / 3.0 * (edge[b + 1] * sqrt(edge[b + 1]) - edge[b] * sqrt(edge[b]));
    struct wn_estimate e = estimate(s, d, distribution, BIN, b, width);
    value[b] = e.value, error[b] = e.error;
  }
  if (status == WN_OK)
    status = wn_diag_put_row(o, "energy_distribution", s->field, value, error);
  free(value);
  free(error);
  free(edge);
  return status;
}

static int finish(struct wn_diag *d, struct wn_sim *s, struct wn_output *o, FILE *to)
{
  struct wn_estimate e[N_QUANTITIES];
  double sampled = (double)(s->phases - d->first) * s->interval,
         relaxed = s->time - sampled;
  if (d->sampling) {
    WN_TRY(wn_output_put(o, "sampling_time", (long)s->field, &sampled));
    WN_TRY(wn_output_put(o, "relaxation_time", (long)s->field, &relaxed));
  }
  /* a full store ended the run: errors from fewer blocks would not be worth much */
  if (!d->done && (!d->sampling || d->blocks < MIN_BLOCKS))
    return wn_diag_counts(s, o);
  set_control(s, d);
  for (size_t i = 0; i < N_QUANTITIES; i++) {
    e[i] = estimate(s, d, quantities[i].f, quantities[i].what, quantities[i].index, 0.0);
    WN_TRY(wn_diag_put(o, quantities[i].name, s->field, e[i]));
  }
  WN_TRY(put_rows(d, s, o));
  WN_TRY(wn_diag_ledger(s, o));
  fprintf(to,
          "%9.4g %9.4g  %9.4g %5.2f%%  %9.4g %5.2f%%  %9.4g %5.2f%%  %9.3g %6.2g  %9.3g "
          "%6.2g\n",
          s->c->cases[s->field].td, s->c->cases[s->field].e * 1e-5, e[0].value,
          100.0 * e[0].error / e[0].value, e[1].value,
          100.0 * fabs(e[1].error / e[1].value), e[2].value,
          100.0 * fabs(e[2].error / e[2].value), e[9].value, e[9].error, e[10].value,
          e[10].error);
  return WN_OK;
}

static void heading(FILE *to)
{
  fprintf(to, "%9s %9s  %16s  %16s  %16s  %16s  %16s\n", "E/N", "E", "mean energy",
          "drift (flux)", "drift (bulk)", "alpha/N", "eta/N");
  fprintf(to, "%9s %9s  %9s %6s  %9s %6s  %9s %6s  %9s %6s  %9s %6s\n", "Td", "kV/cm",
          "eV", "+-", "m/s", "+-", "m/s", "+-", "m2", "+-", "m2", "+-");
}

const struct wn_diag_ops wn_diag_swarm = {
    .name = "swarm",
    .doc = "transport coefficients of a relaxed swarm in a uniform field",
    .define = define,
    .begin = wn_diag_begin_common,
    .create = create,
    .sample = sample,
    .done = is_done,
    .fraction = fraction,
    .finish = finish,
    .heading = heading,
    .free = destroy,
};
