/* src/diag/averages.c - diagnostic `averages`: means over windows of time
 * (src/config/averages.h) of fields, densities, moments, collision rates and power at
 * the nodes, over the window and for each phase of a period.
 *
 * A window has blocks.  The mean is that of the blocks' means, its standard error comes
 * from their scatter: s / sqrt(blocks), with s^2 the unbiased variance.  That is right
 * for blocks that are statistically independent.  Mean and scatter are updated by
 * Welford's method (Technometrics 4, 419, 1962): mean += delta/n, m2 += delta (x - new
 * mean).
 *
 * The mean energy is the mean of the energy density over that of the number, each of the
 * whole window, and its error that of a ratio of means: with R = mean E/mean N the
 * scatter of E - R N over mean N (Cochran, Sampling Techniques, 3rd edition 1977, chapter
 * 6; to first order, derived by expanding the quotient).
 *
 * The file has the results of complete blocks: it is written after 1, 2, 4, ... of them
 * and after the last. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"
#include "fields/electrostatic.h"
#include "src/config/averages.h"
#include "src/config/plasma_derived.h"
#include "src/diag/coarse.h"
#include "src/diag/diag.h"
#include "src/sim/field_power.h"
#include "src/sim/grid_moments.h"
#include "src/sim/grid_rates.h"
#include "src/sim/loading.h"
#include "src/sim/plasma.h"
#include "src/stats/block_means.h"

#define CHUNK  1024 /* nodes that a thread handles at a time */
#define SHARED 8192 /* nodes from which on threads share them */

enum kind { POTENTIAL, CHARGE, FIELD, DENSITY, NUMBER, FLUX, ENERGY, RATE, POWER };

/* One number at each node. */
struct quantity {
  enum kind kind;
  int axis;
  size_t species;
  const char *rate; /* its name in the scenario */
};

struct window {
  struct wn_window w;
  const char *name;
  size_t n, sets; /* quantities; 1, plus one per phase */
  struct quantity *quantity;
  size_t *from; /* [n]: the quantity of all windows that each is */
  int has[POWER + 1];
  /* [sets][n][nodes]: sums of the current block; mean and scatter of the blocks before */
  double *block, *mean, *m2;
  double *cross; /* [sets][species][nodes]: scatter of number with energy */
  size_t *samples, *all, *blocks; /* [sets]: in the block, in all before it, blocks */
  size_t closed;
};

struct wn_diag {
  struct wn_coarse grid;
  size_t nodes, n_species, n_windows; /* nodes: of the coarser grid */
  int threads;
  double dt;
  struct window window[WN_MAX_AVERAGES];
  /* Of all windows together */
  size_t n;
  struct quantity *quantity;
  struct wn_rate_choice *choice; /* [n], of those that are rates */
  const char *rate[WN_MAX_AVERAGES * WN_AVERAGE_RATES];
  struct wn_node_sums *sums; /* of moments and rates; NULL: not needed */
  struct wn_grid_rates *rates;
  double *now; /* [n][nodes], of the current step */
  double
      *full; /* [quantities taken together][nodes of the grid]; NULL: it is no coarser */
  double *value, *error; /* [nodes] */
};

static size_t list_rates(const struct wn_config *c, const struct wn_gas *g, size_t k,
                         const struct wn_cfg_average *a, struct quantity *q)
{
  struct wn_rate_choice choice;
  size_t n = 0;
  for (size_t i = 0; i < a->n_rates; i++) {
    wn_grid_rate_choice(c, g, k, a->rates[i], &choice);
    if (choice.n > 0)
      q[n++] = (struct quantity){.kind = RATE, .species = k, .rate = a->rates[i]};
  }
  return n;
}

/* What a window averages, at most wn_average_quantities; returns the number.  Those of a kind
 * and a species are together. */
static size_t list(const struct wn_config *c, const struct wn_gas *g,
                   const struct wn_cfg_average *a, struct quantity *q)
{
  const int dim = c->plasma.dim;
  size_t n = 0;
  q[n++] = (struct quantity){.kind = POTENTIAL};
  q[n++] = (struct quantity){.kind = CHARGE};
  for (int d = 0; d < dim; d++)
    q[n++] = (struct quantity){.kind = FIELD, .axis = d};
  for (size_t k = 0; k < c->n_species; k++)
    q[n++] = (struct quantity){.kind = DENSITY, .species = k};
  for (size_t k = 0; k < c->n_species && a->moments; k++) {
    if (!c->species[k].mobile)
      continue;
    q[n++] = (struct quantity){.kind = NUMBER, .species = k};
    for (int d = 0; d < dim; d++)
      q[n++] = (struct quantity){.kind = FLUX, .axis = d, .species = k};
    q[n++] = (struct quantity){.kind = ENERGY, .species = k};
  }
  for (size_t k = 0; k < c->n_species; k++)
    n += list_rates(c, g, k, a, q + n);
  for (size_t k = 0; k < c->n_species && a->power; k++)
    if (c->species[k].mobile)
      q[n++] = (struct quantity){.kind = POWER, .species = k};
  WN_ASSERT(n <= wn_average_quantities(c, a));
  return n;
}

/* malloc'd; NULL without memory. */
static struct quantity *new_list(const struct wn_config *c, const struct wn_gas *g,
                                 const struct wn_cfg_average *a, size_t *n)
{
  struct quantity *q = wn_alloc(wn_average_quantities(c, a), sizeof *q);
  *n = q != NULL ? list(c, g, a, q) : 0;
  return q;
}

static int is_same(const struct quantity *a, const struct quantity *b)
{
  return a->kind == b->kind && a->axis == b->axis && a->species == b->species &&
         (a->kind != RATE || strcmp(a->rate, b->rate) == 0);
}

/* ---- variables */

/* average_<window>_<quantity>, with phase_ before it; malloc'd. */
static char *variable(const struct wn_config *c, const char *window,
                      const struct quantity *q, int is_phased)
{
  static const char *const what[] = {[POTENTIAL] = "potential",
                                     [CHARGE] = "charge_density",
                                     [FIELD] = "electric_field_",
                                     [DENSITY] = "density_",
                                     [FLUX] = "flux_",
                                     [ENERGY] = "mean_energy_",
                                     [RATE] = "rate_",
                                     [POWER] = "power_"};
  const int of_species = q->kind >= DENSITY,
            of_axis = q->kind == FIELD || q->kind == FLUX;
  const char axis[] = {of_axis ? "xyz"[q->axis] : '\0', '\0'};
  char rate[WN_RATE_WORD] = "";
  if (q->kind == RATE)
    wn_average_rate_word(q->rate, rate);
  return wn_asprintf("%saverage_%s_%s%s%s%s%s%s", is_phased ? "phase_" : "", window,
                     what[q->kind], rate, q->kind == RATE ? "_" : "",
                     of_species ? c->species[q->species].name : "",
                     q->kind == FLUX ? "_" : "", axis);
}

static const char *units(enum kind kind)
{
  static const char *const of[] = {
      [POTENTIAL] = "V",  [CHARGE] = "C m-3", [FIELD] = "V m-1",  [DENSITY] = "m-3",
      [FLUX] = "m-2 s-1", [ENERGY] = "eV",    [RATE] = "m-3 s-1", [POWER] = "W m-3"};
  return of[kind];
}

/* The attribute long_name; malloc'd. */
static char *meaning(const struct wn_config *c, const char *window,
                     const struct quantity *q, int is_phased)
{
  static const char *const what[] = {[POTENTIAL] = "electric potential",
                                     [CHARGE] = "charge density",
                                     [FIELD] = "electric field",
                                     [DENSITY] = "number density",
                                     [FLUX] = "flux",
                                     [ENERGY] = "kinetic energy",
                                     [RATE] = "collision rate, ",
                                     [POWER] = "power density of the field on"};
  const int of_species = q->kind >= DENSITY,
            of_axis = q->kind == FIELD || q->kind == FLUX;
  const char axis[] = {of_axis ? "xyz"[q->axis] : '\0', '\0'};
  return wn_asprintf(
      "mean %s%s%s%s%s%s over %swindow %s", what[q->kind], q->kind == RATE ? q->rate : "",
      q->kind == POWER ? " "
      : of_species     ? " of "
                       : "",
      of_species ? c->species[q->species].name : "", of_axis ? " along " : "", axis,
      is_phased ? "a phase of " : "", window);
}

static int define_map_of(struct wn_output *o, const struct wn_config *c,
                         const struct wn_cfg_average *a, const struct quantity *q,
                         const char *phase)
{
  if (q->kind == NUMBER)
    return WN_OK;
  char *name = variable(c, a->name, q, phase != NULL),
       *long_name = meaning(c, a->name, q, phase != NULL);
  const struct wn_output_var v = {
      .name = name, .units = units(q->kind), .long_name = long_name, .with_error = 1};
  int status =
      name != NULL && long_name != NULL ? wn_diag_define_map(o, c, phase, &v) : WN_ENOMEM;
  if (status == WN_OK)
    status = wn_output_rewritten(o, name); /* block by block */
  free(long_name);
  free(name);
  return status;
}

static int define_maps(struct wn_output *o, const struct wn_config *c,
                       const struct wn_gas *g, const struct wn_cfg_average *a,
                       const char *phase)
{
  size_t n;
  struct quantity *q = new_list(c, g, a, &n);
  int status = q != NULL ? WN_OK : WN_ENOMEM;
  for (size_t i = 0; i < n && status == WN_OK; i++)
    status = define_map_of(o, c, a, &q[i], phase);
  free(q);
  return status;
}

/* phase_<window>: the middle of each phase, as a fraction of a period; and its
 * samples. */
static int define_phases(struct wn_output *o, const struct wn_config *c,
                         const struct wn_gas *g, const struct wn_cfg_average *a)
{
  char *phase = wn_asprintf("phase_%s", a->name),
       *samples = wn_asprintf("phase_samples_%s", a->name),
       *phase_text = wn_asprintf(
           "middle of a phase of window %s, in parts of a period since t = 0", a->name),
       *samples_text =
           wn_asprintf("steps behind the means of a phase of window %s", a->name);
  int status =
      phase != NULL && samples != NULL && phase_text != NULL && samples_text != NULL
          ? WN_OK
          : WN_ENOMEM;
  const struct wn_output_var v[] = {{WN_VAR(phase, "1", phase_text), WN_DIMS(phase)},
                                    {WN_VAR(samples, "1", samples_text), WN_DIMS(phase)}};
  if (status == WN_OK)
    status = wn_output_dim(o, phase, a->phases);
  if (status == WN_OK)
    status = wn_output_define_all(o, v, 2);
  if (status == WN_OK)
    status = wn_output_rewritten(o, samples);
  if (status == WN_OK)
    status = define_maps(o, c, g, a, phase);
  free(samples_text);
  free(phase_text);
  free(phase);
  free(samples);
  return status;
}

static int define(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  static const struct wn_output_var v[] = {
      {.name = "window_name",
       .long_name = "window of averages",
       .is_coordinate = 1,
       .type = WN_OUT_STRING,
       WN_DIMS("window")},
      {WN_VAR("window_start", "s", "beginning of a window"), .is_coordinate = 1,
       WN_DIMS("window")},
      {WN_VAR("window_end", "s", "end of a window"), .is_coordinate = 1,
       WN_DIMS("window")},
      {WN_VAR("window_period", "s", "period of which a window has a whole number"),
       WN_DIMS("window")},
      {WN_VAR("window_blocks", "1",
              "blocks of a window that are over, from whose scatter errors come"),
       WN_DIMS("window")},
      {WN_VAR("window_samples", "1", "steps behind the means of a window"),
       WN_DIMS("window")}};
  if (c->plasma.n_averages == 0)
    return WN_OK;
  WN_TRY(wn_output_dim(o, "window", c->plasma.n_averages));
  WN_TRY(wn_output_define_all(o, v, sizeof v / sizeof v[0]));
  WN_TRY(wn_output_rewritten(o, "window_blocks"));
  WN_TRY(wn_output_rewritten(o, "window_samples"));
  for (size_t i = 0; i < c->plasma.n_averages; i++) {
    const struct wn_cfg_average *a = &c->plasma.averages[i];
    WN_TRY(define_maps(o, c, g, a, NULL));
    if (a->phases > 0)
      WN_TRY(define_phases(o, c, g, a));
  }
  return WN_OK;
}

static int put_phases(struct wn_output *o, const struct wn_cfg_average *a)
{
  char *name = wn_asprintf("phase_%s", a->name);
  double *at = wn_alloc(a->phases, sizeof *at);
  int status = name != NULL && at != NULL ? WN_OK : WN_ENOMEM;
  for (size_t i = 0; i < a->phases && status == WN_OK; i++)
    at[i] = ((double)i + 0.5) / (double)a->phases;
  if (status == WN_OK)
    status = wn_output_put(o, name, -1, at);
  free(name);
  free(at);
  return status;
}

static int begin(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  const char *name[WN_MAX_AVERAGES];
  (void)g;
  for (size_t i = 0; i < c->plasma.n_averages; i++) {
    const struct wn_cfg_average *a = &c->plasma.averages[i];
    const struct wn_window w = wn_average_window(c, a);
    const double end = w.start + w.length;
    name[i] = a->name;
    WN_TRY(wn_output_put(o, "window_start", (long)i, &w.start));
    WN_TRY(wn_output_put(o, "window_end", (long)i, &end));
    if (w.period > 0.0)
      WN_TRY(wn_output_put(o, "window_period", (long)i, &w.period));
    if (a->phases > 0)
      WN_TRY(put_phases(o, a));
  }
  return c->plasma.n_averages > 0 ? wn_output_put_string(o, "window_name", -1, name)
                                  : WN_OK;
}

/* ---- life */

static void destroy(struct wn_diag *d)
{
  if (d == NULL)
    return;
  for (size_t i = 0; i < d->n_windows; i++) {
    struct window *w = &d->window[i];
    free(w->quantity);
    free(w->from);
    free(w->block);
    free(w->mean);
    free(w->m2);
    free(w->cross);
    free(w->samples);
    free(w->all);
    free(w->blocks);
  }
  wn_node_sums_free(d->sums);
  wn_grid_rates_free(d->rates);
  free(d->quantity);
  free(d->choice);
  free(d->now);
  free(d->full);
  free(d->value);
  free(d->error);
  free(d);
}

static size_t cells(const struct wn_diag *d, const struct window *w)
{
  return w->sets * w->n * d->nodes;
}

static size_t crosses(const struct wn_diag *d, const struct window *w)
{
  return w->has[ENERGY] ? w->sets * d->n_species * d->nodes : 0;
}

static int open_window(const struct wn_sim *s, struct wn_diag *d, size_t i)
{
  const struct wn_cfg_average *a = &s->c->plasma.averages[i];
  struct window *w = &d->window[i];
  w->w = wn_average_window(s->c, a);
  w->name = a->name;
  w->quantity = new_list(s->c, s->gas, a, &w->n);
  w->from = wn_alloc(w->n + 1, sizeof *w->from);
  if (w->quantity == NULL || w->from == NULL)
    return WN_ENOMEM;
  for (size_t q = 0; q < w->n; q++) {
    w->has[w->quantity[q].kind] = 1;
    while (!is_same(&w->quantity[q], &d->quantity[w->from[q]]))
      w->from[q]++;
  }
  w->sets = 1 + a->phases;
  w->block = wn_alloc(cells(d, w), sizeof *w->block);
  w->mean = wn_alloc(cells(d, w), sizeof *w->mean);
  w->m2 = wn_alloc(cells(d, w), sizeof *w->m2);
  w->cross = wn_alloc(crosses(d, w) + 1, sizeof *w->cross);
  w->samples = wn_alloc(w->sets, sizeof *w->samples);
  w->all = wn_alloc(w->sets, sizeof *w->all);
  w->blocks = wn_alloc(w->sets, sizeof *w->blocks);
  return w->block != NULL && w->mean != NULL && w->m2 != NULL && w->cross != NULL &&
                 w->samples != NULL && w->all != NULL && w->blocks != NULL
             ? WN_OK
             : WN_ENOMEM;
}

/* What all windows average: as one window with the moments, rates and power of all. */
static struct wn_cfg_average together(const struct wn_config *c, const char **rate)
{
  struct wn_cfg_average all = {.rates = (char **)(void *)rate};
  for (size_t i = 0; i < c->plasma.n_averages; i++) {
    const struct wn_cfg_average *a = &c->plasma.averages[i];
    all.moments = all.moments || a->moments;
    all.power = all.power || a->power;
    for (size_t r = 0; r < a->n_rates; r++) {
      size_t k = 0;
      while (k < all.n_rates && strcmp(rate[k], a->rates[r]) != 0)
        k++;
      if (k == all.n_rates)
        rate[all.n_rates++] = a->rates[r];
    }
  }
  return all;
}

static int create_all(const struct wn_sim *s, struct wn_diag *d)
{
  const struct wn_cfg_average all = together(s->c, d->rate);
  const int values = wn_average_values(s->c);
  d->quantity = new_list(s->c, s->gas, &all, &d->n);
  d->choice = wn_alloc(d->n + 1, sizeof *d->choice);
  d->now = wn_alloc(d->n * d->nodes, sizeof *d->now);
  d->value = wn_alloc(d->nodes, sizeof *d->value);
  d->error = wn_alloc(d->nodes, sizeof *d->error);
  if (d->quantity == NULL || d->choice == NULL || d->now == NULL || d->value == NULL ||
      d->error == NULL)
    return WN_ENOMEM;
  for (size_t i = 0; i < d->n; i++)
    if (d->quantity[i].kind == RATE)
      wn_grid_rate_choice(s->c, s->gas, d->quantity[i].species, d->quantity[i].rate,
                          &d->choice[i]);
  for (size_t i = 0; i < d->n_windows; i++)
    WN_TRY(open_window(s, d, i));
  if (all.n_rates > 0)
    WN_TRY(wn_grid_rates_create(s, &d->rates));
  /* the rates of all windows are taken together */
  const int rates = (int)(all.n_rates < WN_NODE_VALUES ? all.n_rates : WN_NODE_VALUES);
  const int most = values > rates ? values : rates;
  const size_t of_rates = all.n_rates > 1 ? all.n_rates : 1,
               at_a_time = (size_t)values > of_rates ? (size_t)values : of_rates;
  if (d->grid.factor > 1 &&
      (d->full = wn_alloc(at_a_time * d->grid.full, sizeof *d->full)) == NULL)
    return WN_ENOMEM;
  return most > 0 ? wn_node_sums_create(s->c, most, &d->sums) : WN_OK;
}

static int create(const struct wn_sim *s, struct wn_diag **out)
{
  struct wn_diag *d = wn_alloc(1, sizeof *d);
  if (d == NULL)
    return WN_ENOMEM;
  d->grid = wn_coarse_of(s->c);
  d->nodes = d->grid.nodes;
  d->n_species = s->n_species;
  d->n_windows = s->c->plasma.n_averages;
  d->threads = wn_threads(s->c->threads);
  d->dt = s->c->plasma.time_step;
  const int status = d->n_windows > 0 ? create_all(s, d) : WN_OK;
  if (status != WN_OK) {
    destroy(d);
    return status;
  }
  *out = d;
  return WN_OK;
}

/* ---- samples */

/* Where n quantities from q are taken, each at all nodes of the grid. */
static double *room(const struct wn_diag *d, size_t q)
{
  return d->full != NULL ? d->full : d->now + q * d->nodes;
}

/* From there to the coarser grid. */
static void take_means(const struct wn_diag *d, size_t q, size_t n)
{
  for (size_t i = 0; i < n && d->full != NULL; i++)
    wn_coarse_means(&d->grid, d->full + i * d->grid.full, d->now + (q + i) * d->nodes);
}

/* Potential, charge, field and densities are the first quantities. */
static int look_at_field(struct wn_diag *d, const struct wn_sim *s)
{
  const double *grid;
  size_t q = 0;
  WN_TRY(wn_field_potential(s->field, &grid));
  wn_coarse_values(&d->grid, grid, d->now + q++ * d->nodes);
  WN_TRY(wn_field_charge(s->field, &grid));
  wn_coarse_means(&d->grid, grid, d->now + q++ * d->nodes);
  for (int a = 0; a < s->c->plasma.dim; a++, q++) {
    WN_TRY(wn_field_e(s->field, a, room(d, q)));
    if (d->full != NULL)
      wn_coarse_values(&d->grid, d->full, d->now + q * d->nodes);
  }
  for (size_t k = 0; k < s->n_species; k++, q++) {
    const double weight = wn_loading_weight(s->c, &s->c->species[k]);
    double *to = d->now + q * d->nodes;
    WN_TRY(wn_field_density(s->field, k, room(d, q)));
    take_means(d, q, 1);
    for (size_t i = 0; i < d->nodes; i++)
      to[i] *= weight;
  }
  return WN_OK;
}

/* The n quantities from `first`, all rates of one species. */
static int look_at_rates(struct wn_diag *d, const struct wn_sim *s, size_t first,
                         size_t n)
{
  const struct wn_rate_choice *rate[WN_MAX_AVERAGES * WN_AVERAGE_RATES];
  for (size_t i = 0; i < n; i++)
    rate[i] = &d->choice[first + i];
  WN_TRY(wn_grid_rates_take(d->rates, d->sums, s, d->quantity[first].species, n, rate,
                            room(d, first)));
  take_means(d, first, n);
  return WN_OK;
}

static int look_at_power(struct wn_diag *d, const struct wn_sim *s, size_t q)
{
  const double *power = wn_field_power(s, d->quantity[q].species);
  WN_ASSERT(power != NULL);
  wn_coarse_means(&d->grid, power, d->now + q * d->nodes);
  return WN_OK;
}

/* The quantities of a kind that is asked for: NUMBER stands for all moments. */
static int look_at(struct wn_diag *d, const struct wn_sim *s, enum kind kind)
{
  if (kind == POTENTIAL)
    return look_at_field(d, s);
  for (size_t q = 0, n = 1; q < d->n; q += n) {
    const size_t k = d->quantity[q].species;
    n = 1;
    if (d->quantity[q].kind != kind)
      continue;
    if (kind == NUMBER) {
      WN_TRY(wn_grid_moments_take(d->sums, s->c, k, s->species[k], room(d, q)));
      take_means(d, q, 2 + (size_t)s->c->plasma.dim);
    }
    if (kind == POWER)
      WN_TRY(look_at_power(d, s, q));
    while (kind == RATE && q + n < d->n && d->quantity[q + n].kind == RATE &&
           d->quantity[q + n].species == k)
      n++;
    if (kind == RATE)
      WN_TRY(look_at_rates(d, s, q, n));
  }
  return WN_OK;
}

static void add(const struct wn_diag *d, struct window *w, size_t set)
{
  double *block = w->block + set * w->n * d->nodes;
#ifdef _OPENMP
#pragma omp parallel for num_threads(d->threads) if (d->nodes >= SHARED)
#endif
  for (size_t first = 0; first < d->nodes; first += CHUNK) {
    const size_t end = d->nodes - first < CHUNK ? d->nodes : first + CHUNK;
    for (size_t q = 0; q < w->n; q++) {
      const double *now = d->now + w->from[q] * d->nodes;
      double *to = block + q * d->nodes;
      for (size_t i = first; i < end; i++)
        to[i] += now[i];
    }
  }
  w->samples[set]++;
}

/* Whether step i ends a block. */
static int ends_block(const struct wn_diag *d, const struct window *w, size_t i)
{
  return wn_window_block(&w->w, d->dt, i) != wn_window_block(&w->w, d->dt, i + 1);
}

/* Update the scatter of numbers with energies of a species, before their means include n
 * blocks. */
static void close_pair(const double *number, const double *energy,
                       const double *of_number, const double *of_energy, double samples,
                       double n, size_t nodes, double *cross)
{
  for (size_t i = 0; i < nodes; i++) {
    const double x = number[i] / samples, y = energy[i] / samples,
                 mean = of_energy[i] + (y - of_energy[i]) / n;
    cross[i] += (x - of_number[i]) * (y - mean);
  }
}

/* Add the current block of a set to those before. */
static void close_set(const struct wn_diag *d, struct window *w, size_t set, size_t dim)
{
  const size_t nodes = d->nodes, all = w->n * nodes;
  double *block = w->block + set * all, *mean = w->mean + set * all,
         *m2 = w->m2 + set * all;
  if (w->samples[set] == 0)
    return;
  const double n = (double)++w->blocks[set], samples = (double)w->samples[set];
  for (size_t q = 0; q < w->n; q++) {
    const size_t energy = q * nodes, number = (q - dim - 1) * nodes;
    if (w->quantity[q].kind == ENERGY)
      close_pair(block + number, block + energy, mean + number, mean + energy, samples, n,
                 nodes, w->cross + (set * d->n_species + w->quantity[q].species) * nodes);
  }
  for (size_t i = 0; i < all; i++) {
    const double x = block[i] / samples, delta = x - mean[i];
    mean[i] += delta / n;
    m2[i] += delta * (x - mean[i]);
    block[i] = 0.0;
  }
  w->all[set] += w->samples[set];
  w->samples[set] = 0;
}

/* ---- what is written */

/* The mean of quantity q and its standard error, into d->value and d->error. */
static void estimate(const struct wn_diag *d, const struct window *w, size_t set,
                     size_t q, size_t dim)
{
  const size_t nodes = d->nodes, at = (set * w->n + q) * nodes;
  const double *mean = w->mean + at, *m2 = w->m2 + at, n = (double)w->blocks[set];
  if (w->quantity[q].kind != ENERGY) {
    for (size_t i = 0; i < nodes; i++)
      d->value[i] = mean[i], d->error[i] = wn_block_mean(mean[i], m2[i], n).error;
    return;
  }
  const double *number = mean - (dim + 1) * nodes, *m2_number = m2 - (dim + 1) * nodes,
               *cross = w->cross + (set * d->n_species + w->quantity[q].species) * nodes;
  for (size_t i = 0; i < nodes; i++) {
    const struct wn_estimate e =
        wn_block_ratio(mean[i], m2[i], number[i], m2_number[i], cross[i], n);
    d->value[i] = e.value, d->error[i] = e.error;
  }
}

/* Complete variables of all phases together, or the record of a phase. */
static int put_set(struct wn_diag *d, const struct wn_sim *s, const struct window *w,
                   size_t set, struct wn_output *o)
{
  for (size_t q = 0; q < w->n; q++) {
    if (w->quantity[q].kind == NUMBER)
      continue;
    estimate(d, w, set, q, (size_t)s->c->plasma.dim);
    char *name = variable(s->c, w->name, &w->quantity[q], set > 0);
    const int status = name != NULL
                           ? wn_diag_put_row(o, name, (long)set - 1, d->value, d->error)
                           : WN_ENOMEM;
    free(name);
    WN_TRY(status);
  }
  return WN_OK;
}

static int put_phase_samples(const struct window *w, struct wn_output *o)
{
  char *name = wn_asprintf("phase_samples_%s", w->name);
  int status = name != NULL ? WN_OK : WN_ENOMEM;
  for (size_t set = 1; set < w->sets && status == WN_OK; set++) {
    const double n = (double)w->all[set];
    status = wn_output_put(o, name, (long)set - 1, &n);
  }
  free(name);
  return status;
}

static int put(struct wn_diag *d, const struct wn_sim *s, size_t i, struct wn_output *o)
{
  const struct window *w = &d->window[i];
  const double blocks = (double)w->closed, samples = (double)w->all[0];
  for (size_t set = 0; set < w->sets; set++)
    WN_TRY(put_set(d, s, w, set, o));
  if (w->sets > 1)
    WN_TRY(put_phase_samples(w, o));
  WN_TRY(wn_output_put(o, "window_blocks", (long)i, &blocks));
  WN_TRY(wn_output_put(o, "window_samples", (long)i, &samples));
  return wn_output_sync(o);
}

static int close_block(struct wn_diag *d, const struct wn_sim *s, size_t i,
                       struct wn_output *o)
{
  struct window *w = &d->window[i];
  for (size_t set = 0; set < w->sets; set++)
    close_set(d, w, set, (size_t)s->c->plasma.dim);
  w->closed++;
  return w->closed == w->w.blocks || (w->closed & (w->closed - 1)) == 0 ? put(d, s, i, o)
                                                                        : WN_OK;
}

static int sample(struct wn_diag *d, const struct wn_sim *s, struct wn_output *o)
{
  const size_t step = s->n_steps - 1;
  static const enum kind kinds[] = {POTENTIAL, NUMBER, RATE, POWER};
  int known[POWER + 1] = {0}; /* whether d->now has them */
  for (size_t i = 0; i < d->n_windows; i++) {
    struct window *w = &d->window[i];
    if (wn_window_block(&w->w, d->dt, step) < 0)
      continue;
    if (wn_window_samples(&w->w, step)) {
      for (size_t j = 0; j < sizeof kinds / sizeof kinds[0]; j++) {
        if (w->has[kinds[j]] && !known[kinds[j]])
          WN_TRY(look_at(d, s, kinds[j]));
        known[kinds[j]] |= w->has[kinds[j]];
      }
      add(d, w, 0);
      if (w->sets > 1)
        add(d, w, 1 + wn_window_phase(&w->w, d->dt, step));
    }
    if (ends_block(d, w, step))
      WN_TRY(close_block(d, s, i, o));
  }
  return WN_OK;
}

static int state(struct wn_diag *d, struct wn_state *st)
{
  for (size_t i = 0; i < d->n_windows; i++) {
    struct window *w = &d->window[i];
    WN_TRY(WN_STATE(st, w->closed));
    WN_TRY(WN_STATE_ARRAY(st, w->samples, w->sets));
    WN_TRY(WN_STATE_ARRAY(st, w->all, w->sets));
    WN_TRY(WN_STATE_ARRAY(st, w->blocks, w->sets));
    WN_TRY(WN_STATE_ARRAY(st, w->block, cells(d, w)));
    WN_TRY(WN_STATE_ARRAY(st, w->mean, cells(d, w)));
    WN_TRY(WN_STATE_ARRAY(st, w->m2, cells(d, w)));
    WN_TRY(WN_STATE_ARRAY(st, w->cross, crosses(d, w)));
  }
  return WN_OK;
}

const struct wn_diag_ops wn_diag_averages = {
    .define = define,
    .begin = begin,
    .create = create,
    .sample = sample,
    .state = state,
    .free = destroy,
};
