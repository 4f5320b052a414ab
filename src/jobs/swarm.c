/* src/jobs/swarm.c - job `swarm`: transport coefficients of a swarm that has relaxed from its initial
 * state.  Diagnostics: src/diag/transport.c, src/diag/moments.c, src/diag/ledger.c.
 *
 * Relaxation: windows of doubling length; the swarm is steady when the mean energies of two successive
 * windows agree within twice their combined standard error.  The remaining deviation from the steady
 * state is smaller than that difference, by the decay over a window twice as long.  Without a field,
 * elastic collisions alone may have to thermalize the swarm, so slowly that two windows agree before the
 * energy has changed: there the thermalization time is required, too (is_thermal).
 *
 * Sampling: blocks of samples.  At the start of a block every electron returns to the origin (the gas is
 * uniform) and the weights of a group are scaled to their initial sum. */
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"
#include "physics/constants.h"
#include "src/diag/tensor.h"
#include "src/jobs/accuracy_goals.h"
#include "src/jobs/job.h"

#define FIRST_WINDOW 50 /* steps */
#define MAX_WINDOWS  24 /* 50 * 2^24 of its steps: the swarm does not relax */
/* The step of the relaxation grows by this factor in each window, up to a number of
 * candidates: on a GPU the overhead of a step equals 40 of them.  The last is the largest
 * relative change of the number of electrons in a step. */
#define NEXT_WINDOW     4.0
#define LONG_CANDIDATES 160.0
#define LONG_GROWTH     0.25
/* Ionizations a candidate below which they are rare. */
#define RARE_IONIZATION 1e-4
/* Electrons in a group with birth or death of electrons.  Roulette starts at 5/4 of the
 * target and removes all of 15 with a chance of 1/5^15 = 1/3e10. */
#define LEAST_IN_GROUP 12.0
#define MIN_BLOCKS     4
/* In energy relaxation times: length of a block, of a block at least in which the swarm grows by
 * e^GROWN (longer blocks raise the scatter of diffusion: doc/physics.md), of a long window.
 * Candidates in a sampling interval at least, so that samples are cheap compared with flights;
 * the same where the number of electrons changes. */
#define BLOCK_RELAXATIONS   21.0
#define GROWING_RELAXATIONS 12.0
#define GROWN               0.5
#define LONG_WINDOW         30.0
/* Electrons in a group from which on blocks may be short (warn_of_short_blocks). */
#define MANY_IN_GROUP      100.0
#define LAG_CANDIDATES     20.0
#define GROWING_CANDIDATES 5.0

struct wn_job {
  double interval;
  int sampling, done;
  /* relaxation */
  int window;
  size_t in_window, window_length;
  struct wn_estimate last;
  struct wn_estimate first_energy; /* of the first window */
  double thermal_times;            /* since the release, in units of 1/thermal_rate */
  /* sampling */
  size_t lag, n_lags, blocks, max_blocks;
  uint64_t first; /* steps done when it began */
  /* For a trial, no state of the job: candidates before it; NAN where the few electrons of a trial do
   * not show the relaxation time, which the length of blocks comes from. */
  double relaxing;
  double weight;   /* sum of weights of a group at the start of a block */
  double *control; /* [groups] */
  /* named goals of accuracy: their state at the last evaluation, the time of the next,
   * and the diagnostics, NULL in a trial */
  struct wn_goals goals;
  size_t next_look;
  struct wn_diag *moments, *rates;
};

static void destroy(struct wn_job *j)
{
  if (j != NULL)
    free(j->control);
  free(j);
}

/* No process of the gas creates or removes electrons. */
static int keeps_number(const struct wn_sim *s)
{
  for (int k = 0; k < s->species[0]->shape.n_processes; k++) {
    const int kind = wn_xs_table_process(s->gas->table, k)->kind;
    if (kind == WN_PROC_IONIZATION || kind == WN_PROC_ATTACHMENT)
      return 0;
  }
  return 1;
}

static int create(struct wn_sim *s, struct wn_job **out)
{
  const struct wn_config *c = s->c;
  struct wn_job *j = wn_alloc(1, sizeof *j);
  if (j == NULL)
    return WN_ENOMEM;
  size_t groups = (size_t)s->species[0]->shape.n_groups;
  j->n_lags = c->sample_block > 0 ? (size_t)c->sample_block : WN_DIAG_LEAST_LAGS;
  j->control = wn_alloc(groups, sizeof *j->control);
  if (j->control == NULL) {
    destroy(j);
    return WN_ENOMEM;
  }
  j->weight = (double)c->electrons / (double)groups;
  j->window_length = FIRST_WINDOW;
  j->last = j->first_energy = (struct wn_estimate){NAN, NAN};
  j->next_look = MIN_BLOCKS;
  j->interval = c->sample_interval > 0.0
                    ? c->sample_interval
                    : WN_SWARM_CANDIDATES / s->gas->table->view.nu_max;
  if (c->relaxation >= 0.0)
    j->window_length = (size_t)ceil(c->relaxation / j->interval);
  s->species[0]->no_energy = 1; /* until sampling starts */
  struct wn_population *p = &s->species[0]->population;
  p->target = c->population_target > 0 ? c->population_target : c->electrons;
  p->may_split = 1;
  p->least = keeps_number(s) ? 0.0 : LEAST_IN_GROUP;
  *out = j;
  return WN_OK;
}

static double duration(const struct wn_config *c)
{
  return c->duration > 0.0 ? fmax(c->relaxation, 0.0) + c->duration : NAN;
}

static double interval(const struct wn_job *j)
{
  return j->interval;
}

/* Relaxation time of the mean energy, s: the excess over the thermal energy divided by the
 * power from the field.  NAN if not known: without a field, or if noise hides it. */
static double energy_time(const struct wn_sim *s)
{
  const double field = s->c->cases[s->i_case].e;
  const struct wn_estimate energy = wn_transport_energy(s, NULL),
                           drift = wn_transport_drift(s, NULL);
  const double above = energy.value - 1.5 * WN_KB / WN_E * s->c->temperature;
  if (!(field > 0.0 && above > 3.0 * energy.error && drift.value > 3.0 * drift.error))
    return NAN;
  return above / (field * drift.value);
}

/* The longest block up to the given length that divides the duration into a whole number
 * of blocks, at least MIN_BLOCKS if the scenario leaves the choice; sets that number. */
static double whole_blocks(struct wn_job *j, const struct wn_config *c, double block)
{
  const double least = c->sample_interval > 0.0 ? 1.0 : MIN_BLOCKS;
  j->max_blocks = (size_t)ceil(fmax(c->duration / block - 1e-9, least));
  const double whole = c->duration / (double)j->max_blocks;
  if (c->sample_interval > 0.0 && whole < block * (1.0 - 1e-9))
    wn_log(WN_LOG_WARN,
           "sampling.interval is %.6g s instead of %.6g s, so that %zu blocks of %zu "
           "samples fill the duration",
           whole / (double)j->n_lags, c->sample_interval, j->max_blocks, j->n_lags);
  return whole;
}

/* Ionizations and attachments, per electron and second.  With stop_below most newborns are removed at once or
 * soon, and do not change the number: less those removed. */
static double turnover(const struct wn_sim *s)
{
  const double time = wn_diag_time(s, -1);
  double rate = (wn_diag_joined(s, -1) - wn_diag_removed(s, -1)) / time;
  for (int k = 0; k < s->species[0]->shape.n_processes; k++) {
    const int kind = wn_xs_table_process(s->gas->table, k)->kind;
    if (kind == WN_PROC_IONIZATION || kind == WN_PROC_ATTACHMENT)
      rate += wn_diag_count(s, (size_t)k, -1) / time;
  }
  return fabs(rate);
}

/* Rate at which collisions alone bring the mean energy to that of the gas, 1/s.  Derived here: near
 * equilibrium the energy of an electron relaxes at the rate D/V, with D half the mean squared change in a
 * collision times the collision frequency, and V = 3/2 (kT)^2 the variance of the energy.  An elastic
 * collision contributes 2 m/M (its D is 2 m/M e kT), one with an energy loss L contributes L^2/(3
 * (kT)^2), and no collision takes more than the whole energy. */
static double thermal_rate(const struct wn_sim *s, double energy_ev)
{
  const double kt = energy_ev / 1.5;
  double sum = 0.0;
  for (int k = 0; k < s->species[0]->shape.n_processes; k++) {
    const struct wn_process_view *p = wn_xs_table_process(s->gas->table, k);
    const double ratio = WN_MC2_EV / s->gas->table->view.gas[p->gas].mass_ev,
                 loss = p->loss_ev / kt,
                 part = p->kind == WN_PROC_ELASTIC ? 2.0 * ratio : loss * loss / 3.0;
    sum += fmin(part, 1.0) * wn_diag_count(s, (size_t)k, -1);
  }
  return sum / wn_diag_time(s, -1);
}

/* At the end of a window: is the remaining deviation below `accuracy`?  For a deviation that
 * falls as exp(-x) and has decreased by d, d/(exp(x) - 1) remains; d is at least its noise.
 * In gas at rest the electrons lose all energy, and there is no steady state. */
static int is_thermal(struct wn_job *j, const struct wn_sim *s, struct wn_estimate now)
{
  if (s->c->cases[s->i_case].e != 0.0 || !s->c->thermal_motion)
    return 1;
  if (j->window == 0)
    j->first_energy = now;
  else
    j->thermal_times +=
        thermal_rate(s, now.value) * (double)j->window_length * s->interval;
  const double gone = fabs(now.value - j->first_energy.value) +
                      2.0 * hypot(now.error, j->first_energy.error);
  return gone <= s->c->accuracy * now.value * expm1(j->thermal_times);
}

/* Is ionization so rare that frequent samples of the few energetic electrons pay off?  If it is
 * frequent, counts are as accurate, and long steps are faster on a GPU. */
static int is_rare(const struct wn_sim *s)
{
  int can = 0;
  double rate = 0.0;
  for (int k = 0; k < s->species[0]->shape.n_processes; k++)
    if (wn_xs_table_process(s->gas->table, k)->kind == WN_PROC_IONIZATION) {
      can = 1;
      rate += wn_diag_count(s, (size_t)k, -1) / wn_diag_time(s, -1);
    }
  return can && rate < RARE_IONIZATION * s->gas->table->view.nu_max;
}

/* Weights of a group are scaled at the start of a block, which forgets how much it has grown.  A group with many
 * newborns has little energy for each, so that where growth takes much of the power and a block is short compared with
 * it, mean energy and growth rate are wrong by about 1 over the electrons in a group (doc/physics.md, "Blocks"). */
static void warn_of_short_blocks(const struct wn_job *j, const struct wn_sim *s,
                                 double block, double relaxation, double net)
{
  const struct wn_population *p = &s->species[0]->population;
  const double in_group = fmax((double)p->target / (double)p->n_groups, p->least);
  if (net * block < 1.0 && net * GROWING_RELAXATIONS * relaxation > 1.0 &&
      in_group < MANY_IN_GROUP)
    wn_log(
        WN_LOG_WARN,
        "field %s: a block of %zu samples is %.3g s, less than the time of growth by e, "
        "%.3g s: with %.0f electrons in a group mean energy and growth rate are wrong "
        "by about a part in %.0f; take longer blocks, fewer groups or more electrons",
        s->c->cases[s->i_case].text, j->n_lags, block, 1.0 / net, in_group, in_group);
}

/* From relaxation to sampling: chooses the lengths of block and sampling interval. */
static void begin_sampling(struct wn_job *j, struct wn_sim *s)
{
  const struct wn_config *c = s->c;
  const double nu_max = s->gas->table->view.nu_max, net = turnover(s);
  /* a block covers the relaxation of bulk coefficients, which is faster where electrons
   * ionize often; if that time is not known, half the time of the relaxation phase; the
   * swarm grows or shrinks by at most e^3 in it */
  const double relaxation = energy_time(s);
  double block = 0.5 * s->time;
  if (isfinite(relaxation)) {
    block = BLOCK_RELAXATIONS * relaxation;
    if (net > 0.0)
      block = fmin(block, fmax(GROWING_RELAXATIONS * relaxation, GROWN / net));
  }
  if (net > 0.0)
    block = fmin(block, 3.0 / net);
  double least = LAG_CANDIDATES * (double)j->n_lags / nu_max;
  if (net > 0.0)
    least =
        fmin(least, fmax(GROWN / net, GROWING_CANDIDATES * (double)j->n_lags / nu_max));
  block = fmax(block, least);
  if (c->sample_interval > 0.0)
    block = c->sample_interval * (double)j->n_lags;
  else if (c->sample_block <= 0 && is_rare(s))
    j->n_lags = (size_t)fmin(
        fmax(floor(block * nu_max / LAG_CANDIDATES + 0.5), WN_DIAG_LEAST_LAGS),
        WN_DIAG_MOST_LAGS);
  if (c->duration > 0.0)
    block = whole_blocks(j, c, block);
  j->interval = block / (double)j->n_lags;
  if (isfinite(relaxation))
    warn_of_short_blocks(j, s, block, relaxation, net);
  j->sampling = 1;
  s->species[0]->no_energy = 0;
  j->first = s->n_steps;
  j->relaxing = s->c->cases[s->i_case].e == 0.0 || isfinite(relaxation)
                    ? (double)s->species[0]->candidates
                    : NAN;
}

static int begin_block(struct wn_job *j, struct wn_sim *s)
{
  j->lag = s->lag = 0;
  s->n_lags = j->n_lags;
  return wn_species_restart(s->species[0], j->weight);
}

/* The next window of the relaxation: twice as long, with longer steps. */
static void begin_window(struct wn_job *j, const struct wn_sim *s)
{
  const double length = 2.0 * (double)j->window_length * j->interval;
  double longest =
      fmin(NEXT_WINDOW * j->interval, LONG_CANDIDATES / s->gas->table->view.nu_max);
  if (turnover(s) > 0.0)
    longest = fmin(longest, LONG_GROWTH / turnover(s));
  if (!(s->c->sample_interval > 0.0) && longest > j->interval) {
    j->window_length = (size_t)ceil(length / longest);
    j->interval = length / (double)j->window_length;
  } else {
    j->window_length *= 2;
  }
  j->window++;
}

static int relax(struct wn_job *j, struct wn_sim *s)
{
  if (++j->in_window < j->window_length)
    return WN_OK;
  struct wn_estimate now = wn_transport_energy(s, NULL);
  double noise = 2.0 * hypot(now.error, j->last.error),
         change = fabs(now.value - j->last.value);
  /* two windows long compared with the relaxation time suffice in place of three */
  const int windows =
      (double)j->window_length * s->interval > LONG_WINDOW * energy_time(s) ? 1 : 2;
  const int thermal = is_thermal(j, s, now);
  const int steady =
      s->c->relaxation >= 0.0 || (j->window >= windows && change <= noise && thermal);
  if (steady)
    begin_sampling(j, s);
  else
    begin_window(j, s);
  if (j->window == MAX_WINDOWS)
    return WN_FAIL(WN_ERUN,
                   "field %s: the mean energy does not become steady (%.4g eV, before "
                   "%.4g eV); electrons run away, or the key relaxation is needed",
                   s->c->cases[s->i_case].text, now.value, j->last.value);
  j->last = now;
  j->in_window = 0;
  wn_sim_reset(s);
  return WN_OK;
}

/* An evaluation of the goals costs as much as some hundred electrons in a block, so the
 * interval grows with the number of blocks: the run is at most a sixteenth too long. */
#define LOOKS_APART 16

static int is_as_named(struct wn_job *j, const struct wn_sim *s)
{
  const int is_last = j->max_blocks > 0 && j->blocks >= j->max_blocks;
  if (j->moments == NULL || (!is_last && j->blocks < j->next_look))
    return is_last;
  j->next_look = j->blocks + 1 + j->blocks / LOOKS_APART;
  wn_transport_control(s, j->control);
  j->goals = wn_goals_evaluate(s, j->moments, j->rates, j->control);
  const int reached = !(j->goals.worst > 1.0);
  if (!reached && !is_last)
    return 0;
  char text[160];
  wn_goals_text(&j->goals, text, sizeof text);
  if (reached)
    wn_log(WN_LOG_INFO, "field %s: accuracy reached; %s", s->c->cases[s->i_case].text,
           text);
  else
    wn_log(WN_LOG_WARN, "field %s: duration has ended before accuracy was reached; %s",
           s->c->cases[s->i_case].text, text);
  return 1;
}

static int is_accurate(struct wn_job *j, const struct wn_sim *s)
{
  if (wn_config_has_goals(s->c))
    return is_as_named(j, s);
  if (j->max_blocks > 0)
    return j->blocks >= j->max_blocks;
  if (j->blocks < MIN_BLOCKS)
    return 0;
  wn_transport_control(s, j->control);
  struct wn_estimate e = wn_transport_energy(s, j->control),
                     w = wn_transport_drift(s, j->control);
  return e.error <= s->c->accuracy * e.value &&
         (s->c->cases[s->i_case].e == 0.0 || w.error <= s->c->accuracy * fabs(w.value));
}

static int next(struct wn_job *j, struct wn_sim *s)
{
  if (wn_sim_particles(s) == 0)
    return WN_FAIL(WN_ERUN,
                   "field %s: all electrons were attached %.3g s after the release; "
                   "raise electrons or the field",
                   s->c->cases[s->i_case].text, s->time);
  if (!j->sampling) {
    WN_TRY(relax(j, s));
    /* equal statistical weight for every step, and weights stay in range however long the swarm grows */
    return j->sampling ? begin_block(j, s)
                       : wn_species_normalise(s->species[0], j->weight);
  }
  s->lag = ++j->lag;
  if (j->lag < j->n_lags)
    return WN_OK;
  j->blocks++;
  j->done = is_accurate(j, s);
  return begin_block(j, s);
}

static int is_done(const struct wn_job *j)
{
  return j->done;
}

/* Largest ratio of error to required error of mean energy and drift, at the end of the last block. */
static double worst_error(const struct wn_job *j, const struct wn_sim *s)
{
  const struct wn_estimate e = wn_transport_energy(s, j->control),
                           w = wn_transport_drift(s, j->control);
  const double of_drift = s->c->cases[s->i_case].e == 0.0 ? 0.0 : w.error / fabs(w.value);
  return fmax(e.error / e.value, of_drift) / s->c->accuracy;
}

/* Relaxation and a block take as long with more electrons; the candidates that the accuracy needs are the
 * same, as the squared error falls as one over their number. */
static double expected(const struct wn_job *j, const struct wn_sim *s, double n)
{
  if (j->blocks < MIN_BLOCKS || j->lag > 0 || wn_config_has_goals(s->c))
    return NAN;
  const double worst = worst_error(j, s), scale = n / (double)s->c->electrons,
               sampled = (double)s->species[0]->candidates - j->relaxing,
               least = MIN_BLOCKS * sampled / (double)j->blocks * scale;
  return isnan(j->relaxing) ? NAN
                            : j->relaxing * scale + fmax(least, sampled * worst * worst);
}

static double fraction(const struct wn_job *j, const struct wn_sim *s)
{
  if (!j->sampling)
    return 0.0;
  double blocks = (double)j->blocks + (double)j->lag / (double)j->n_lags;
  if (j->max_blocks > 0)
    return blocks / (double)j->max_blocks;
  if (j->blocks < MIN_BLOCKS)
    return 0.5 * blocks / MIN_BLOCKS;
  if (wn_config_has_goals(s->c)) /* as of the last evaluation */
    return fmin(1.0, 1.0 / (j->goals.worst * j->goals.worst));
  /* the squared error falls as 1/time */
  const double worst = worst_error(j, s);
  return fmin(1.0, 1.0 / (worst * worst));
}

/* After a full store: errors from fewer blocks would not be reliable. */
static int enough(const struct wn_job *j)
{
  return j->done || (j->sampling && j->blocks >= MIN_BLOCKS);
}

static int define(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  WN_TRY(wn_diag_define_axes(o, c, g));
  WN_TRY(wn_frame_define(o, c));
  return wn_diag_define_times(o);
}

static int begin(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  WN_TRY(wn_frame_put(o, c));
  return wn_diag_put_axes(o, c, g);
}

enum { TRANSPORT, RATES, MOMENTS, TOWNSEND, BALANCE, LEDGER, RADIATION };
static const struct wn_diag_ops *const diags[] = {
    [TRANSPORT] = &wn_diag_transport, [RATES] = &wn_diag_rates,
    [MOMENTS] = &wn_diag_moments,     [TOWNSEND] = &wn_diag_townsend,
    [BALANCE] = &wn_diag_balance,     [LEDGER] = &wn_diag_ledger,
    [RADIATION] = &wn_diag_radiation, NULL};

static void use_diags(struct wn_job *j, struct wn_diag *const *d)
{
  j->rates = d[RATES];
  j->moments = d[MOMENTS];
}

static void print_line(struct wn_job *j, const struct wn_sim *s, struct wn_diag *const *d,
                       FILE *to)
{
  const struct wn_cfg_case *at = &s->c->cases[s->i_case];
  wn_transport_control(s, j->control);
  const struct wn_estimate energy = wn_transport_energy(s, j->control),
                           flux = wn_transport_drift(s, j->control),
                           bulk = wn_moments_drift(d[MOMENTS], s, j->control);
  const struct wn_rate_estimate alpha = wn_rates_reduced(d[RATES], s, WN_PROC_IONIZATION,
                                                         j->control),
                                eta = wn_rates_reduced(d[RATES], s, WN_PROC_ATTACHMENT,
                                                       j->control);
  char ionized[48], attached[48];
  if (at->e ==
      0.0) { /* without a field drifts are noise, and the ratios to them undefined */
    fprintf(to, "%9.4g %9.4g  %9.4g %5.2f%%  %9s %6s  %9s %6s  %9s %6s  %9s %6s\n",
            at->td, 0.0, energy.value, 100.0 * fabs(energy.error / energy.value), "-",
            "-", "-", "-", "-", "-", "-", "-");
    return;
  }
  wn_diag_rate_text(alpha.of, alpha.upper_limit, 9, 6, ionized, sizeof ionized);
  wn_diag_rate_text(eta.of, eta.upper_limit, 9, 6, attached, sizeof attached);
  fprintf(to, "%9.4g %9.4g  %9.4g %5.2f%%  %9.4g %5.2f%%  %9.4g %5.2f%%  %s  %s\n",
          at->td, at->e * 1e-5, energy.value, 100.0 * fabs(energy.error / energy.value),
          flux.value, 100.0 * fabs(flux.error / flux.value), bulk.value,
          100.0 * fabs(bulk.error / bulk.value), ionized, attached);
}

static int finish(struct wn_job *j, struct wn_sim *s, struct wn_diag *const *d,
                  struct wn_output *o, FILE *to)
{
  double sampled = (double)(s->n_steps - j->first) * s->interval,
         relaxed = s->time - sampled;
  if (j->sampling) {
    WN_TRY(wn_output_put(o, "sampling_time", (long)s->i_case, &sampled));
    WN_TRY(wn_output_put(o, "relaxation_time", (long)s->i_case, &relaxed));
  }
  if (enough(j))
    print_line(j, s, d, to);
  return WN_OK;
}

static void heading(FILE *to)
{
  fprintf(to, "%9s %9s  %16s  %16s  %16s  %16s  %16s\n", "E/N", "E", "mean energy",
          "drift (flux)", "drift (bulk)", "alpha/N", "eta/N");
  fprintf(to, "%9s %9s  %9s %6s  %9s %6s  %9s %6s  %9s %6s  %9s %6s\n", "Td", "kV/cm",
          "eV", "+-", "m/s", "+-", "m/s", "+-", "m2", "+-", "m2", "+-");
}

static int state(struct wn_job *j, struct wn_state *st)
{
  WN_TRY(WN_STATE(st, j->interval));
  WN_TRY(WN_STATE(st, j->sampling));
  WN_TRY(WN_STATE(st, j->done));
  WN_TRY(WN_STATE(st, j->window));
  WN_TRY(WN_STATE(st, j->in_window));
  WN_TRY(WN_STATE(st, j->window_length));
  WN_TRY(WN_STATE(st, j->last));
  WN_TRY(WN_STATE(st, j->first_energy));
  WN_TRY(WN_STATE(st, j->thermal_times));
  WN_TRY(WN_STATE(st, j->lag));
  WN_TRY(WN_STATE(st, j->n_lags));
  WN_TRY(WN_STATE(st, j->blocks));
  WN_TRY(WN_STATE(st, j->max_blocks));
  WN_TRY(WN_STATE(st, j->goals.worst));
  WN_TRY(WN_STATE(st, j->next_look));
  return WN_STATE(st, j->first);
}

const struct wn_job_ops wn_job_swarm = {
    .doc = "transport coefficients of a relaxed swarm in a uniform field",
    .diags = diags,
    .collisions = 1,
    .holds_number = 1,
    .needs = {.spreads = 1},
    .define = define,
    .begin = begin,
    .heading = heading,
    .duration = duration,
    .create = create,
    .use_diags = use_diags,
    .interval = interval,
    .next = next,
    .done = is_done,
    .expected = expected,
    .fraction = fraction,
    .enough = enough,
    .finish = finish,
    .full = wn_job_full,
    .state = state,
    .free = destroy,
};
