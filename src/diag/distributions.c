/* src/diag/distributions.c - diagnostic `distributions`: energies of the particles in a
 * region, and energies, angles and flux of those that a wall takes, over a window of
 * plasma.averages and for each of its RF phases (src/config/averages.h).
 *
 * A block of the window has the mean numbers of particles in each bin, per sample of a region
 * and per step at a wall.  A distribution is the mean over the blocks, divided by the mean of
 * the total number, which includes energies above the last bin.  So it is a ratio of means
 * (src/stats/block_means.h).
 * Density and flux are means, with errors from the scatter of the blocks.
 *
 * The energy probability function is the distribution over the mean of sqrt(E) in the bin,
 * so that it is exact where that function is constant.
 *
 * As the averages, results are those of complete blocks, written after 1, 2, 4, ... of them
 * and after the last. */
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/ranks.h"
#include "physics/constants.h"
#include "src/config/averages.h"
#include "src/config/distributions.h"
#include "src/config/plasma_derived.h"
#include "src/diag/diag.h"
#include "src/sim/histograms.h"
#include "src/stats/block_means.h"

/* A row of means: the bins of all angles, those of the energy, those of the angle, the total
 * number and the total energy. */
struct one {
  const struct wn_cfg_distribution *d;
  struct wn_window w;
  size_t species, sets, cells, row, angles; /* angles: at least 1 */
  size_t energy, angle, total;              /* where they begin in a row */
  wn_i128 *block,
      *all; /* [sets][cells]: of this rank, current block; of complete blocks */
  double *mean, *m2, *cross;  /* [sets][row]; cross: with the total */
  uint64_t *samples, *blocks; /* [sets]: in the current block; complete blocks */
  uint64_t closed;
};

struct wn_diag {
  size_t n;
  double dt;
  struct one one[WN_MAX_DISTRIBUTIONS];
  double *value, *error, *now; /* the longest row */
};

/* ---- variables */

static char *name_of(const char *what, const struct wn_cfg_distribution *d, int is_phase)
{
  return wn_asprintf("%s%s_%s", is_phase ? "phase_" : "", what, d->name);
}

struct variable {
  const char *what, *units, *text;
  int energy, angle; /* its dimensions */
};

static int define_one(struct wn_output *o, const struct wn_config *c,
                      const struct wn_cfg_distribution *d, const struct variable *of,
                      int is_phase)
{
  const struct wn_cfg_average *a = &c->plasma.averages[wn_distribution_window(c, d)];
  const char *species = c->species[wn_distribution_species(c, d)].name;
  char *name = name_of(of->what, d, is_phase),
       *energy = wn_asprintf("energy_%s", d->name),
       *angle = wn_asprintf("angle_%s", d->name),
       *phase = wn_asprintf("phase_%s", a->name),
       *text = wn_asprintf("%s of %s %s%s over %swindow %s", of->text, species,
                           d->wall != NULL ? "that reach " : "in region ",
                           d->wall != NULL ? d->wall : d->name,
                           is_phase ? "a phase of " : "", a->name);
  int status =
      name != NULL && energy != NULL && angle != NULL && phase != NULL && text != NULL
          ? WN_OK
          : WN_ENOMEM;
  struct wn_output_var v = {
      .name = name, .units = of->units, .long_name = text, .with_error = 1};
  if (is_phase)
    v.dims[v.n_dims++] = phase;
  if (of->angle)
    v.dims[v.n_dims++] = angle;
  if (of->energy)
    v.dims[v.n_dims++] = energy;
  if (status == WN_OK)
    status = wn_output_define(o, &v);
  if (status == WN_OK)
    status = wn_output_rewritten(o, name);
  free(name);
  free(energy);
  free(angle);
  free(phase);
  free(text);
  return status;
}

enum {
  BY_ENERGY,
  PROBABILITY,
  MEAN_ENERGY,
  DENSITY,
  FLUX,
  ENERGY_FLUX,
  ABOVE,
  COUNT,
  BY_ANGLE,
  BY_BOTH,
  N_VARIABLES
};

static const struct variable variables[N_VARIABLES] = {
    [BY_ENERGY] = {"energy_distribution", "eV-1", "distribution of energies", 1, 0},
    [PROBABILITY] = {"energy_probability", "eV-3/2",
                     "energy probability function, distribution over sqrt(energy),", 1,
                     0},
    [MEAN_ENERGY] = {"distribution_mean_energy", "eV", "mean energy", 0, 0},
    [DENSITY] = {"distribution_density", "m-3", "mean number density", 0, 0},
    [FLUX] = {"distribution_flux", "m-2 s-1", "flux", 0, 0},
    [ENERGY_FLUX] = {"distribution_energy_flux", "W m-2", "energy flux", 0, 0},
    [ABOVE] = {"distribution_above", "1", "fraction above the last bin", 0, 0},
    [COUNT] = {"distribution_particles", "1", "macroparticles counted", 0, 0},
    [BY_ANGLE] = {"angle_distribution", "degree-1",
                  "distribution of angles to the normal", 0, 1},
    [BY_BOTH] = {"energy_angle_distribution", "eV-1 degree-1",
                 "distribution of angles to the normal and energies", 1, 1},
};

static int is_written(const struct wn_cfg_distribution *d, int v, int is_phase)
{
  const int wall = d->wall != NULL;
  switch (v) {
  case PROBABILITY:
  case DENSITY:
    return !wall;
  case FLUX:
  case ENERGY_FLUX:
    return wall;
  case BY_ANGLE:
    return d->angles > 0;
  case BY_BOTH:
    return d->angles > 0 && !is_phase;
  default:
    return 1;
  }
}

static int define_axis(struct wn_output *o, const struct wn_cfg_distribution *d,
                       const char *what, const char *units, const char *text, size_t n)
{
  char *name = name_of(what, d, 0);
  const struct wn_output_var v = {WN_VAR(name, units, text), WN_DIMS(name)};
  int status = name != NULL ? wn_output_dim(o, name, n) : WN_ENOMEM;
  if (status == WN_OK)
    status = wn_output_define(o, &v);
  free(name);
  return status;
}

static int define(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  (void)g;
  for (size_t i = 0; i < c->plasma.n_distributions; i++) {
    const struct wn_cfg_distribution *d = &c->plasma.distributions[i];
    const int phased = c->plasma.averages[wn_distribution_window(c, d)].phases > 0;
    WN_TRY(
        define_axis(o, d, "energy", "eV", "kinetic energy, middle of the bin", d->bins));
    if (d->angles > 0)
      WN_TRY(define_axis(o, d, "angle", "degree",
                         "angle to the normal of the wall, middle of the bin",
                         d->angles));
    for (int is_phase = 0; is_phase <= phased; is_phase++)
      for (int v = 0; v < N_VARIABLES; v++)
        if (is_written(d, v, is_phase))
          WN_TRY(define_one(o, c, d, &variables[v], is_phase));
  }
  return WN_OK;
}

static int put_axis(struct wn_output *o, const struct wn_cfg_distribution *d,
                    const char *what, double end, size_t n)
{
  char *name = name_of(what, d, 0);
  double *at = wn_alloc(n, sizeof *at);
  int status = name != NULL && at != NULL ? WN_OK : WN_ENOMEM;
  for (size_t i = 0; i < n && status == WN_OK; i++)
    at[i] = ((double)i + 0.5) * end / (double)n;
  if (status == WN_OK)
    status = wn_output_put(o, name, -1, at);
  free(name);
  free(at);
  return status;
}

static int begin(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  (void)g;
  for (size_t i = 0; i < c->plasma.n_distributions; i++) {
    const struct wn_cfg_distribution *d = &c->plasma.distributions[i];
    WN_TRY(put_axis(o, d, "energy", d->energy_max_ev, d->bins));
    if (d->angles > 0)
      WN_TRY(put_axis(o, d, "angle", 90.0, d->angles));
  }
  return WN_OK;
}

/* ---- life */

static void destroy(struct wn_diag *d)
{
  if (d == NULL)
    return;
  for (size_t i = 0; i < d->n; i++) {
    struct one *one = &d->one[i];
    free(one->block);
    free(one->all);
    free(one->mean);
    free(one->m2);
    free(one->cross);
    free(one->samples);
    free(one->blocks);
  }
  free(d->value);
  free(d->error);
  free(d->now);
  free(d);
}

static int open_one(const struct wn_config *c, const struct wn_cfg_distribution *d,
                    struct one *one)
{
  const struct wn_cfg_average *a = &c->plasma.averages[wn_distribution_window(c, d)];
  one->d = d;
  one->w = wn_average_window(c, a);
  one->species = (size_t)wn_distribution_species(c, d);
  one->sets = 1 + a->phases;
  one->cells = wn_distribution_cells(d);
  one->angles = d->angles > 0 ? d->angles : 1;
  one->energy = one->angles * (d->bins + 1);
  one->angle = one->energy + d->bins + 1;
  one->total = one->angle + one->angles;
  one->row = one->total + 2;
  one->block = wn_alloc(one->sets * one->cells, sizeof *one->block);
  one->all = wn_alloc(one->sets * one->cells, sizeof *one->all);
  one->mean = wn_alloc(one->sets * one->row, sizeof *one->mean);
  one->m2 = wn_alloc(one->sets * one->row, sizeof *one->m2);
  one->cross = wn_alloc(one->sets * one->row, sizeof *one->cross);
  one->samples = wn_alloc(one->sets, sizeof *one->samples);
  one->blocks = wn_alloc(one->sets, sizeof *one->blocks);
  return one->block != NULL && one->all != NULL && one->mean != NULL && one->m2 != NULL &&
                 one->cross != NULL && one->samples != NULL && one->blocks != NULL
             ? WN_OK
             : WN_ENOMEM;
}

static int create(const struct wn_sim *s, struct wn_diag **out)
{
  struct wn_diag *d = wn_alloc(1, sizeof *d);
  size_t most = 1;
  int status = WN_OK;
  if (d == NULL)
    return WN_ENOMEM;
  d->n = s->c->plasma.n_distributions;
  d->dt = s->c->plasma.time_step;
  for (size_t i = 0; i < d->n && status == WN_OK; i++) {
    status = open_one(s->c, &s->c->plasma.distributions[i], &d->one[i]);
    most = d->one[i].row > most ? d->one[i].row : most;
  }
  d->value = wn_alloc(most, sizeof *d->value);
  d->error = wn_alloc(most, sizeof *d->error);
  d->now = wn_alloc(most, sizeof *d->now);
  if (d->value == NULL || d->error == NULL || d->now == NULL)
    status = WN_ENOMEM;
  if (status != WN_OK) {
    destroy(d);
    return status;
  }
  *out = d;
  return WN_OK;
}

/* ---- blocks */

/* The mean numbers of a block, a row, in real particles and eV. */
static void means_of_block(const struct wn_sim *s, const struct one *one,
                           const wn_i128 *block, double samples, double *row)
{
  const size_t bins = one->d->bins + 1;
  const double unit =
      wn_loading_weight(s->c, &s->c->species[one->species]) / WN_QUANTA / samples;
  wn_i128 total = 0;
  for (size_t e = 0; e < bins; e++) {
    wn_i128 sum = 0;
    for (size_t a = 0; a < one->angles; a++)
      sum += block[a * bins + e];
    row[one->energy + e] = (double)sum * unit;
  }
  for (size_t a = 0; a < one->angles; a++) {
    wn_i128 sum = 0;
    for (size_t e = 0; e < bins; e++) {
      sum += block[a * bins + e];
      row[a * bins + e] = (double)block[a * bins + e] * unit;
    }
    row[one->angle + a] = (double)sum * unit;
    total += sum;
  }
  row[one->total] = (double)total * unit;
  row[one->total + 1] =
      (double)block[wn_histogram_energy(one->d)] * (unit / WN_FIX_ENERGY);
}

static void close_set(struct wn_diag *d, const struct wn_sim *s, struct one *one,
                      size_t set)
{
  wn_i128 *block = one->block + set * one->cells, *all = one->all + set * one->cells;
  double *mean = one->mean + set * one->row, *m2 = one->m2 + set * one->row,
         *cross = one->cross + set * one->row;
  if (one->samples[set] == 0)
    return;
  const double n = (double)++one->blocks[set];
  means_of_block(s, one, block, (double)one->samples[set], d->now);
  const double delta_total = d->now[one->total] - mean[one->total];
  for (size_t i = 0; i < one->row; i++) {
    const double delta = d->now[i] - mean[i];
    mean[i] += delta / n;
    m2[i] += delta * (d->now[i] - mean[i]);
    cross[i] += delta_total * (d->now[i] - mean[i]);
  }
  for (size_t i = 0; i < one->cells; i++) {
    all[i] += block[i];
    block[i] = 0;
  }
  one->samples[set] = 0;
}

/* ---- what is written */

/* n values from `at` of a row: their ratio to the total number, times factor. */
static void ratios(const struct wn_diag *d, const struct one *one, size_t set, size_t at,
                   size_t n, double factor)
{
  const double *mean = one->mean + set * one->row, *m2 = one->m2 + set * one->row,
               *cross = one->cross + set * one->row;
  for (size_t i = at; i < at + n; i++) {
    const struct wn_estimate e =
        wn_block_ratio(mean[i], m2[i], mean[one->total], m2[one->total], cross[i],
                       (double)one->blocks[set]);
    d->value[i - at] = e.value * factor;
    d->error[i - at] = e.error * factor;
  }
}

/* One value of a row, times factor. */
static void plain(const struct wn_diag *d, const struct one *one, size_t set, size_t at,
                  double factor)
{
  const size_t i = set * one->row + at;
  const struct wn_estimate e =
      wn_block_mean(one->mean[i], one->m2[i], (double)one->blocks[set]);
  d->value[0] = e.value * factor;
  d->error[0] = e.error * factor;
}

/* Variable v into d->value and d->error. */
static void estimate(const struct wn_diag *d, const struct wn_sim *s,
                     const struct one *one, size_t set, int v)
{
  const struct wn_cfg_distribution *of = one->d;
  const double width = of->energy_max_ev / (double)of->bins,
               per_angle = of->angles > 0 ? (double)of->angles / 90.0 : 1.0,
               extent = wn_distribution_extent(s->c, of);
  switch (v) {
  case BY_ENERGY:
    ratios(d, one, set, one->energy, of->bins, 1.0 / width);
    break;
  case PROBABILITY:
    ratios(d, one, set, one->energy, of->bins, 1.0);
    for (size_t i = 0; i < of->bins; i++) {
      const double low = (double)i * width, high = (double)(i + 1) * width,
                   part = (high * sqrt(high) - low * sqrt(low)) * (2.0 / 3.0);
      d->value[i] /= part;
      d->error[i] /= part;
    }
    break;
  case MEAN_ENERGY:
    ratios(d, one, set, one->total + 1, 1, 1.0);
    break;
  case DENSITY:
    plain(d, one, set, one->total, 1.0 / extent);
    break;
  case FLUX:
    plain(d, one, set, one->total, 1.0 / (extent * d->dt));
    break;
  case ENERGY_FLUX:
    plain(d, one, set, one->total + 1, WN_E / (extent * d->dt));
    break;
  case ABOVE:
    ratios(d, one, set, one->energy + of->bins, 1, 1.0);
    break;
  case COUNT:
    d->value[0] = (double)one->all[set * one->cells + wn_histogram_count(of)];
    d->error[0] = NAN;
    break;
  case BY_ANGLE:
    ratios(d, one, set, one->angle, of->angles, per_angle);
    break;
  default:
    for (size_t a = 0; a < of->angles; a++) { /* without those above the last bin */
      struct wn_diag part = *d;
      part.value += a * of->bins;
      part.error += a * of->bins;
      ratios(&part, one, set, a * (of->bins + 1), of->bins, per_angle / width);
    }
  }
}

static int put(struct wn_diag *d, const struct wn_sim *s, const struct one *one,
               struct wn_output *o)
{
  for (size_t set = 0; set < one->sets; set++)
    for (int v = 0; v < N_VARIABLES; v++) {
      if (!is_written(one->d, v, set > 0))
        continue;
      char *name = name_of(variables[v].what, one->d, set > 0);
      estimate(d, s, one, set, v);
      const int status = name != NULL
                             ? wn_diag_put_row(o, name, (long)set - 1, d->value, d->error)
                             : WN_ENOMEM;
      free(name);
      WN_TRY(status);
    }
  return wn_output_sync(o);
}

static int close_block(struct wn_diag *d, const struct wn_sim *s, struct one *one,
                       struct wn_output *o)
{
  wn_ranks_sum(one->block, one->sets * one->cells);
  for (size_t set = 1; set < one->sets; set++) {
    for (size_t i = 0; i < one->cells; i++)
      one->block[i] += one->block[set * one->cells + i];
    one->samples[0] += one->samples[set];
  }
  for (size_t set = 0; set < one->sets; set++)
    close_set(d, s, one, set);
  one->closed++;
  return one->closed == one->w.blocks || (one->closed & (one->closed - 1)) == 0
             ? put(d, s, one, o)
             : WN_OK;
}

/* ---- samples */

/* A window with RF phases counts in that of the step; their sum is the set of all (close_block). */
static int take(const struct wn_diag *d, const struct wn_sim *s, struct one *one,
                size_t step)
{
  const size_t phase = one->sets > 1 ? 1 + wn_window_phase(&one->w, d->dt, step) : 0;
  one->samples[phase]++;
  return wn_histogram_add(s, one->d, one->block + phase * one->cells);
}

static int sample(struct wn_diag *d, const struct wn_sim *s, struct wn_output *o)
{
  const size_t step = s->n_steps - 1;
  for (size_t i = 0; i < d->n; i++) {
    struct one *one = &d->one[i];
    const long block = wn_window_block(&one->w, d->dt, step);
    if (block < 0)
      continue;
    if (one->d->wall != NULL || wn_window_samples(&one->w, step))
      WN_TRY(take(d, s, one, step));
    if (block != wn_window_block(&one->w, d->dt, step + 1))
      WN_TRY(close_block(d, s, one, o));
  }
  return WN_OK;
}

/* The sums of all ranks are saved, and belong to the first from then on. */
static int state(struct wn_diag *d, struct wn_state *st)
{
  for (size_t i = 0; i < d->n; i++) {
    struct one *one = &d->one[i];
    if (st->way == WN_STATE_SAVE)
      wn_ranks_sum(one->block, one->sets * one->cells);
    WN_TRY(WN_STATE(st, one->closed));
    WN_TRY(WN_STATE_ARRAY(st, one->samples, one->sets));
    WN_TRY(WN_STATE_ARRAY(st, one->blocks, one->sets));
    WN_TRY(WN_STATE_ARRAY(st, one->block, one->sets * one->cells));
    WN_TRY(WN_STATE_ARRAY(st, one->all, one->sets * one->cells));
    WN_TRY(WN_STATE_ARRAY(st, one->mean, one->sets * one->row));
    WN_TRY(WN_STATE_ARRAY(st, one->m2, one->sets * one->row));
    WN_TRY(WN_STATE_ARRAY(st, one->cross, one->sets * one->row));
    for (size_t c = 0; wn_rank() > 0 && c < one->sets * one->cells; c++)
      one->block[c] = 0; /* restored on all ranks */
  }
  return WN_OK;
}

const struct wn_diag_ops wn_diag_distributions = {
    .define = define,
    .begin = begin,
    .create = create,
    .sample = sample,
    .state = state,
    .free = destroy,
};
