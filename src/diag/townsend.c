/* src/diag/townsend.c - diagnostic `townsend`: a swarm as in a steady-state Townsend (SST) experiment.
 * Electrons leave a plane at a constant rate, and far from it their density grows along the drift as
 * exp(alpha z); alpha is effective: ionization minus attachment.
 *
 * Means over the SST state are means over one swarm with weights exp(-alpha z), at any time after its
 * relaxation (physics/townsend.h).  alpha is the value for which the weighted number is steady: the root of
 * s(a) = d/dt ln <sum of w exp(-a z)> = R - a W + a^2 D - ...  At some samples of a block the sums are
 * taken for WN_TILTS values of a around R/W of the first samples; s and the means at alpha come from the
 * polynomial through them.  alpha times the drift of the SST state equals its net ionization frequency,
 * for any gas: continuity.
 *
 * The first third of a block is relaxation, as for bulk coefficients (moments.c).  Errors: jackknife over
 * groups with the control variate of transport.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "physics/constants.h"
#include "src/diag/diag.h"

#define MAX_SAMPLES 9 /* in a block: passes over the electrons */
/* Spacing of the values of a: relative to R/W, and in e-foldings over the displacement in
 * a block; larger than the error of R/W from the first few electrons. */
#define STEP      0.2
#define STEP_FOLD 0.25

struct wn_diag {
  size_t groups;
  size_t n_lags, n_samples; /* of this case, from its first sample on; 0 before */
  int is_set;               /* the values of a have been chosen */
  double middle, step;
  wn_i128 *sums; /* [MAX_SAMPLES][groups][WN_TILTS][WN_TILT_SUMS] */
};

/* Do processes create or remove electrons, and do these drift? */
static int is_wanted(const struct wn_sim *s)
{
  if (s->c->cases[s->i_case].e == 0.0)
    return 0;
  for (int k = 0; k < s->species[0]->shape.n_processes; k++) {
    const int kind = wn_xs_table_process(s->gas->table, k)->kind;
    if (kind == WN_PROC_IONIZATION || kind == WN_PROC_ATTACHMENT)
      return 1;
  }
  return 0;
}

static void destroy(struct wn_diag *d)
{
  if (d != NULL)
    free(d->sums);
  free(d);
}

static size_t cells(const struct wn_diag *d)
{
  return d->groups * WN_TILTS * WN_TILT_SUMS;
}

/* The lag of a sample: from the end of the first third to that of the block. */
static size_t lag_of(const struct wn_diag *d, size_t i_sample)
{
  const size_t first = d->n_lags / 3 - 1, last = d->n_lags - 1;
  return first + i_sample * (last - first) / (d->n_samples - 1);
}

static int create(const struct wn_sim *s, struct wn_diag **out)
{
  struct wn_diag *d = wn_alloc(1, sizeof *d);
  if (d == NULL)
    return WN_ENOMEM;
  d->groups = (size_t)s->species[0]->shape.n_groups;
  d->sums = wn_alloc(MAX_SAMPLES * cells(d), sizeof *d->sums);
  if (d->sums == NULL) {
    destroy(d);
    return WN_ENOMEM;
  }
  *out = d;
  return WN_OK;
}

/* From the counts so far, in integers: the same for every scheduler. */
static void choose(struct wn_diag *d, const struct wn_sim *s)
{
  const double drift = wn_transport_drift_of(s, -1),
               block = s->interval * (double)d->n_lags;
  double net = 0.0;
  for (int k = 0; k < s->species[0]->shape.n_processes; k++) {
    const int kind = wn_xs_table_process(s->gas->table, k)->kind;
    if (kind == WN_PROC_IONIZATION)
      net += wn_diag_count(s, (size_t)k, -1);
    if (kind == WN_PROC_ATTACHMENT)
      net -= wn_diag_count(s, (size_t)k, -1);
  }
  net += wn_diag_joined(s, -1) - wn_diag_removed(s, -1);
  d->is_set = 1;
  if (!(drift > 0.0))
    return; /* spacing 0: nothing is summed */
  d->middle = net / wn_diag_time(s, -1) / drift;
  d->step = fmax(STEP * fabs(d->middle), STEP_FOLD / (drift * block));
}

static int sample(struct wn_diag *d, const struct wn_sim *s, struct wn_output *o)
{
  (void)o;
  if (s->n_lags == 0 || !is_wanted(s))
    return WN_OK;
  d->n_lags = s->n_lags; /* 4 at least */
  const size_t most = d->n_lags - d->n_lags / 3 + 1;
  d->n_samples = most < MAX_SAMPLES ? most : MAX_SAMPLES;
  for (size_t i_sample = 0; i_sample < d->n_samples; i_sample++) {
    if (s->lag != lag_of(d, i_sample))
      continue;
    if (!d->is_set)
      choose(d, s);
    const struct wn_sample what = {.kind = WN_SAMPLE_TILTED,
                                   .n_groups = (uint32_t)d->groups,
                                   .tilt = d->middle,
                                   .tilt_step = d->step};
    return d->step > 0.0 ? wn_particles_sample(&s->species[0]->p, &what,
                                               &d->sums[i_sample * cells(d)])
                         : WN_OK;
  }
  return WN_OK;
}

enum quantity { ALPHA, ENERGY, DRIFT, N_QUANTITIES };

struct ask {
  const struct wn_diag *d;
  const struct wn_sim *s;
  enum quantity what;
};

/* A sum at value k of a, over all groups except leave_out. */
static double sum_of(const struct wn_diag *d, size_t i_sample, int k, int which,
                     long leave_out)
{
  double sum = 0.0;
  for (size_t g = 0; g < d->groups; g++)
    if ((long)g != leave_out)
      sum += (double)d->sums[i_sample * cells(d) +
                             (g * WN_TILTS + (size_t)k) * WN_TILT_SUMS + (size_t)which];
  return sum;
}

/* Polynomial through f at -2, -1, 0, 1, 2 (Lagrange's form). */
static double through(const double f[WN_TILTS], double x)
{
  double sum = 0.0;
  for (int k = 0; k < WN_TILTS; k++) {
    double term = f[k];
    for (int j = 0; j < WN_TILTS; j++)
      if (j != k)
        term *= (x - (double)(j - WN_TILTS / 2)) / (double)(k - j);
    sum += term;
  }
  return sum;
}

/* Its root between two points with falling values; NaN: none. */
static double root(const double f[WN_TILTS])
{
  for (int k = 0; k + 1 < WN_TILTS; k++) {
    double low = (double)(k - WN_TILTS / 2), high = low + 1.0;
    if (!(f[k] >= 0.0 && f[k + 1] < 0.0))
      continue;
    for (int i = 0; i < 60; i++) {
      const double x = 0.5 * (low + high);
      if (through(f, x) >= 0.0)
        low = x;
      else
        high = x;
    }
    return low;
  }
  return NAN;
}

static double quantity(const void *ctx, long leave_out)
{
  const struct ask *a = ctx;
  const struct wn_diag *d = a->d;
  const size_t last = d->n_samples - 1;
  const double time = a->s->interval * (double)(lag_of(d, last) - lag_of(d, 0));
  double s[WN_TILTS], mean[WN_TILTS] = {0.0};
  for (int k = 0; k < WN_TILTS; k++)
    s[k] = log(sum_of(d, last, k, WN_TILT_W, leave_out) /
               sum_of(d, 0, k, WN_TILT_W, leave_out)) /
           time;
  const double x = root(s);
  if (a->what == ALPHA)
    return (d->middle + x * d->step) / a->s->c->number_density;
  const int which = a->what == ENERGY ? WN_TILT_ENERGY : WN_TILT_V;
  const double unit = a->what == ENERGY ? WN_FIX_TILT / WN_FIX_ENERGY
                                        : WN_C * WN_FIX_TILT / WN_FIX_TILT_V;
  for (int k = 0; k < WN_TILTS; k++)
    for (size_t i_sample = 1; i_sample <= last; i_sample++)
      mean[k] += sum_of(d, i_sample, k, which, leave_out) /
                 sum_of(d, i_sample, k, WN_TILT_W, leave_out) * unit / (double)last;
  return through(mean, x);
}

#define WHEN                                                                             \
  "far from the source; NaN without a field, without ionization and attachment, "        \
  "and if no growth along the field was found near growth rate over drift"

static const struct {
  const char *name, *units, *long_name;
} quantities[N_QUANTITIES] = {
    [ALPHA] = {"townsend_effective_sst_reduced", "m2",
               "reduced effective ionization coefficient (alpha - eta)/N of a "
               "steady-state Townsend experiment"},
    [ENERGY] = {"mean_energy_sst", "eV",
                "mean electron energy in a steady-state Townsend experiment"},
    [DRIFT] = {"drift_velocity_sst", "m s-1",
               "mean velocity against the field in a steady-state Townsend experiment"},
};

static int define(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  (void)c, (void)g;
  for (size_t i = 0; i < N_QUANTITIES; i++)
    WN_TRY(wn_diag_define_quantity(o, quantities[i].name, quantities[i].units,
                                   quantities[i].long_name, WHEN));
  return WN_OK;
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
  for (size_t i = 0; i < N_QUANTITIES && status == WN_OK; i++) {
    const struct ask a = {d, s, (enum quantity)i};
    struct wn_estimate e = {NAN, NAN};
    if (d->step > 0.0)
      e = wn_stats_jackknife(d->groups, quantity, &a, control);
    status = wn_diag_put(o, quantities[i].name, s->i_case, e);
  }
  free(control);
  return status;
}

static int state(struct wn_diag *d, struct wn_state *st)
{
  WN_TRY(WN_STATE(st, d->is_set));
  WN_TRY(WN_STATE(st, d->middle));
  WN_TRY(WN_STATE(st, d->step));
  WN_TRY(WN_STATE(st, d->n_lags));
  WN_TRY(WN_STATE(st, d->n_samples));
  return WN_STATE_ARRAY(st, d->sums, MAX_SAMPLES * cells(d));
}

const struct wn_diag_ops wn_diag_townsend = {
    .define = define,
    .create = create,
    .sample = sample,
    .write = write,
    .state = state,
    .free = destroy,
};
