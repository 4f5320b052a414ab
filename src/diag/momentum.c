/* src/diag/momentum.c - see momentum.h.  A swarm in steady exponential growth gains momentum from the
 * fields, against E, that its processes take and that the growth of its number requires:
 *
 *   e E + e (v x B) = sum over processes of lost + growth rate * mean momentum
 *
 * per electron, as a force over the elementary charge, eV/m; the first term is exact.
 *
 * `lost` is expected, not counted: the loss of an electron of energy e along its velocity
 * (src/stats/momentum_loss.h) times the cosine of velocity and drift, whose sums over energy bins are
 * those used for f1 (moments.c).  Within a bin the sum is taken as linear in ln e, with the slope given
 * by the neighbouring bins.  For bins of relative width x (bins_per_decade 20: 0.12) the relative error
 * is of order x^3 or less (derived here).  The noise of such sums is that of the electrons' velocities at
 * the times of the samples; the drift is known far better, from displacements.  The mean velocity from
 * the same sums minus the drift is zero on average and carries most of that noise: the estimates are
 * corrected by regression on it and on the control variate of transport.c. */
#include "src/diag/momentum.h"
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"
#include "physics/constants.h"
#include "physics/push.h"
#include "src/diag/moments.h"
#include "src/diag/tensor.h"
#include "src/stats/momentum_loss.h"

#define NODES 64 /* in a bin: there may be narrow resonances */

enum term { GAINED, MAGNETIC, LOST, GROWTH, REST };

static const struct {
  const char *name, *long_name, *comment;
  enum term term;
} quantities[] = {
    {"momentum_gained", "momentum gained from the electric field, per electron",
     "against E; exact", GAINED},
    {"momentum_magnetic", "momentum gained from the magnetic field, per electron",
     "against E: v x B of the mean velocity", MAGNETIC},
    {"momentum_growth",
     "momentum required by the growth of the number of electrons, per electron",
     "mean momentum times counted growth rate; negative if the number falls", GROWTH},
    {"momentum_balance",
     "momentum gained from the fields minus momentum lost to all processes and to growth",
     "zero within its error in a swarm of steady exponential growth; NaN with stop_below "
     "or radiation",
     REST},
};
#define N_QUANTITIES (sizeof quantities / sizeof quantities[0])

/* Columns after those of the processes: momentum, eV s/m; velocity, m/s. */
enum { MOMENTUM, VELOCITY, N_MORE };

/* Sums of groups. */
struct sums {
  const struct wn_sim *s;
  size_t n_processes;
  double *of;       /* [groups][n_processes + N_MORE] weight times loss */
  double *weight;   /* [groups] */
  double *residual; /* [groups] velocity minus drift, pseudo-values of the jackknife */
  size_t n_controls;
  const double *control[WN_STATS_CONTROLS];
};

/* Coefficients of a column: on the sum of a bin, and on half the difference of the neighbouring sums. */
struct line {
  double at, tilt;
};

struct ask {
  const struct sums *of;
  enum term term;
  size_t process; /* for LOST */
};

static double mean(const struct sums *of, size_t column, long leave_out)
{
  double sum = 0.0, weight = 0.0;
  for (long g = 0; g < (long)of->s->species[0]->shape.n_groups; g++)
    if (g != leave_out) {
      sum += of->of[(size_t)g * (of->n_processes + N_MORE) + column];
      weight += of->weight[g];
    }
  return sum / weight;
}

/* z points against E, and d u/dt = .. + gyro x v. */
static double magnetic(const struct wn_sim *s, long leave_out)
{
  const double gyro = WN_QM * s->c->magnetic_field * sin(s->c->magnetic_angle),
               y = WN_C * wn_diag_group_sum(s, offsetof(struct wn_tally_group, path[1]),
                                            leave_out),
               time =
                   wn_diag_group_sum(s, offsetof(struct wn_tally_group, time), leave_out);
  return gyro * y / time * (WN_ME / WN_E);
}

static double growth(const struct sums *of, long leave_out)
{
  double net = 0.0;
  for (size_t k = 0; k < of->n_processes; k++) {
    const int kind = wn_xs_table_process(of->s->gas->table, (int)k)->kind;
    if (kind == WN_PROC_IONIZATION)
      net += wn_diag_count(of->s, k, leave_out);
    if (kind == WN_PROC_ATTACHMENT)
      net -= wn_diag_count(of->s, k, leave_out);
  }
  net += wn_diag_joined(of->s, leave_out) - wn_diag_removed(of->s, leave_out);
  return net / wn_diag_time(of->s, leave_out) *
         mean(of, of->n_processes + MOMENTUM, leave_out);
}

static double term(const void *ctx, long leave_out)
{
  const struct ask *a = ctx;
  const struct wn_sim *s = a->of->s;
  const double field = s->c->cases[s->i_case].e;
  if (a->term == GAINED)
    return field;
  if (a->term == MAGNETIC)
    return magnetic(s, leave_out);
  if (a->term == LOST)
    return mean(a->of, a->process, leave_out);
  if (a->term == GROWTH)
    return growth(a->of, leave_out);
  /* the momentum of removed electrons is not known, nor that of radiation */
  double rest = s->c->stop_below_ev > 0.0 || wn_config_radiates(s->c)
                    ? NAN
                    : field + magnetic(s, leave_out) - growth(a->of, leave_out);
  for (size_t k = 0; k < a->of->n_processes; k++)
    rest -= mean(a->of, k, leave_out);
  return rest;
}

/* For process[k] of the view, or a column after the processes. */
static double loss(const struct wn_xs_view *xs, int k, double e_ev)
{
  if (k < xs->n_processes)
    return wn_momentum_loss(xs, k, e_ev);
  return k == xs->n_processes + MOMENTUM ? wn_u_from_ev(e_ev) * (WN_ME / WN_E)
                                         : wn_speed_from_ev(e_ev);
}

/* All bins but the first are uniform in ln e; in the first, the weights rise as e, as sqrt(e) f1 does. */
static double node(int i)
{
  return ((double)i + 0.5) / NODES;
}

static void nodes_of(double lo, double hi, double e_ev[NODES])
{
  for (int i = 0; i < NODES; i++)
    e_ev[i] = lo > 0.0 ? lo * pow(hi / lo, node(i)) : hi * node(i);
}

static struct line line_of(const struct wn_xs_view *xs, int k, double lo,
                           const double e_ev[NODES])
{
  struct line line = {0.0, 0.0};
  for (int i = 0; i < NODES; i++) {
    const double x = node(i), h = loss(xs, k, e_ev[i]) / NODES;
    line.at += lo > 0.0 ? h : 2.0 * x * h;
    line.tilt += lo > 0.0 ? h * (x - 0.5) : 0.0;
  }
  return line;
}

/* Slope of the sums; zero beside the first bin, which has another width, and at the last. */
static double difference(const struct wn_diag *d, size_t g, size_t b, size_t n_bins)
{
  return b > 1 && b + 1 < n_bins
             ? 0.5 * (wn_moments_cosine(d, g, b + 1) - wn_moments_cosine(d, g, b - 1))
             : 0.0;
}

static void lines_of(const struct sums *to, double lo, double hi, struct line *line)
{
  double e_ev[NODES];
  nodes_of(lo, hi, e_ev);
  for (int k = 0; k < (int)to->n_processes + N_MORE; k++)
    line[k] = line_of(&to->s->gas->table->view, k, lo, e_ev);
}

/* line: of the bin, [n_processes + N_MORE]. */
static void add_bin(const struct wn_diag *d, size_t n_bins, size_t b,
                    const struct line *line, struct sums *to)
{
  const struct wn_xs_view *xs = &to->s->gas->table->view;
  const size_t groups = (size_t)to->s->species[0]->shape.n_groups, n = to->n_processes;
  for (size_t k = 0; k < n + N_MORE; k++) {
    const size_t column = k < n ? (size_t)xs->process[k].index : k;
    for (size_t g = 0; g < groups; g++)
      to->of[g * (n + N_MORE) + column] += wn_moments_cosine(d, g, b) * line[k].at +
                                           difference(d, g, b, n_bins) * line[k].tilt;
  }
}

static int is_empty(const struct wn_diag *d, size_t groups, size_t n_bins, size_t b)
{
  for (size_t g = 0; g < groups; g++)
    if (wn_moments_cosine(d, g, b) != 0.0 || difference(d, g, b, n_bins) != 0.0)
      return 0;
  return 1;
}

/* Coefficients of bins are computed by all threads, and added up in the order of the bins. */
static void add_bins(const struct wn_diag *d, size_t n_bins, const double *edge,
                     struct line *line, struct sums *to)
{
  const size_t groups = (size_t)to->s->species[0]->shape.n_groups,
               n = to->n_processes + N_MORE;
#ifdef _OPENMP
  const int threads = wn_threads(to->s->c->threads);
#pragma omp parallel for num_threads(threads) schedule(dynamic)
#endif
  for (size_t b = 0; b < n_bins; b++)
    if (!is_empty(d, groups, n_bins, b))
      lines_of(to, edge[b], edge[b + 1], line + b * n);
  for (size_t b = 0; b < n_bins; b++)
    if (!is_empty(d, groups, n_bins, b))
      add_bin(d, n_bins, b, line + b * n, to);
}

static int make_sums(const struct wn_diag *d, struct sums *to)
{
  const size_t groups = (size_t)to->s->species[0]->shape.n_groups,
               n_bins = wn_diag_n_bins(to->s->c);
  double *edge = wn_alloc(n_bins + 1, sizeof *edge);
  struct line *line = wn_alloc(n_bins * (to->n_processes + N_MORE), sizeof *line);
  to->of = wn_alloc(groups * (to->n_processes + N_MORE), sizeof *to->of);
  to->weight = wn_alloc(groups, sizeof *to->weight);
  to->residual = wn_alloc(groups, sizeof *to->residual);
  const int status = edge != NULL && line != NULL && to->of != NULL &&
                             to->weight != NULL && to->residual != NULL
                         ? WN_OK
                         : WN_ENOMEM;
  if (status == WN_OK) {
    wn_diag_bin_edges(to->s->c, edge);
    for (size_t g = 0; g < groups; g++)
      to->weight[g] = wn_moments_weight(d, g);
    add_bins(d, n_bins, edge, line, to);
  }
  free(line);
  free(edge);
  return status;
}

static double residual(const void *ctx, long leave_out)
{
  const struct sums *of = ctx;
  return mean(of, of->n_processes + VELOCITY, leave_out) -
         wn_transport_drift_of(of->s, leave_out);
}

static void choose_controls(struct sums *of, const double *control)
{
  const size_t groups = (size_t)of->s->species[0]->shape.n_groups;
  of->control[of->n_controls++] = control;
  if (wn_stats_pseudo(groups, residual, of, of->residual))
    of->control[of->n_controls++] = of->residual;
}

static int is_wanted(const struct wn_config *c, size_t quantity)
{
  return quantities[quantity].term != MAGNETIC || wn_config_has_frame(c);
}

int wn_momentum_define(struct wn_output *o, const struct wn_config *c)
{
  static const struct wn_output_var of_process = {
      WN_VAR("momentum_lost", "eV m-1", "momentum lost to the process, per electron"),
      .comment = "a force over the elementary charge, along the drift; expected from the "
                 "energies and directions of the electrons: frequency times momentum "
                 "times (1 - mean cosine)",
      WN_DIMS("field", "process"), .with_error = 1};
  for (size_t i = 0; i < N_QUANTITIES; i++)
    if (is_wanted(c, i))
      WN_TRY(wn_diag_define_quantity(o, quantities[i].name, "eV m-1",
                                     quantities[i].long_name, quantities[i].comment));
  return wn_output_define(o, &of_process);
}

static struct wn_estimate estimate(const struct sums *of, enum term what, size_t process)
{
  const struct ask a = {of, what, process};
  return wn_stats_regression((size_t)of->s->species[0]->shape.n_groups, term, &a,
                             what == GAINED ? 0 : of->n_controls, of->control);
}

static struct wn_estimate of_process(const void *ctx, size_t process)
{
  return estimate(ctx, LOST, process);
}

int wn_momentum_write(const struct wn_diag *d, const struct wn_sim *s,
                      const double *control, struct wn_output *o)
{
  struct sums sums = {.s = s, .n_processes = (size_t)s->species[0]->shape.n_processes};
  int status = make_sums(d, &sums);
  if (status == WN_OK)
    choose_controls(&sums, control);
  for (size_t i = 0; i < N_QUANTITIES && status == WN_OK; i++)
    if (is_wanted(s->c, i))
      status = wn_diag_put(o, quantities[i].name, s->i_case,
                           estimate(&sums, quantities[i].term, 0));
  if (status == WN_OK)
    status = wn_diag_put_estimates(o, "momentum_lost", s->i_case, sums.n_processes,
                                   of_process, &sums);
  free(sums.of);
  free(sums.weight);
  free(sums.residual);
  return status;
}
