/* src/diag/detectors.c - diagnostic `detectors`: electrons of a runaway job that cross planes and spheres (src/sim/detectors.h).
 * For each detector the electrons per primary that cross outward and inward, of the former their mean energy, time and
 * direction and their spectrum, with errors over independent groups (src/stats/jackknife.h); and a table of
 * crossings, a uniform sample of all where there are more than its rows.  Nothing without detectors.
 *
 * Crossing n of a detector takes the next row, or, where there is none, a row at random with the probability rows/n.  So each
 * of n crossings is in the table with that probability (as in src/diag/test_electrons.c).
 *
 * Crossings come sorted, so that sums of doubles and the table do not depend on threads or ranks. */
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"
#include "physics/electron.h"
#include "physics/mathfn.h"
#include "physics/rng.h"
#include "src/diag/diag.h"
#include "src/sim/detectors.h"

/* Sums of a detector and a group, weighted; bins of the spectrum follow. */
enum { OUTWARD, INWARD, ENERGY, TIME, COSINE, N_SUMS };

/* Columns of the table; three numbers where there is a component. */
enum { WHEN, ROW_ENERGY, WEIGHT, ROW_COSINE, SIDE, WHERE, DIRECTION, N_OF_TABLE };

struct wn_diag {
  size_t n, groups, n_bins, rows; /* n: detectors */
  double bin_min_ev, bins_per_decade;
  double *sum;                  /* [n][groups][N_SUMS + n_bins] */
  double *primaries;            /* [groups] */
  uint64_t *counted;            /* [n] */
  double *of_table[N_OF_TABLE]; /* [n][rows][1 or 3] */
};

static size_t table_size(const struct wn_diag *d, int column)
{
  return d->n * d->rows * (column >= WHERE ? 3 : 1);
}

static size_t cells(const struct wn_diag *d)
{
  return N_SUMS + d->n_bins;
}

static double *sums_of(const struct wn_diag *d, size_t detector, size_t group)
{
  return &d->sum[(detector * d->groups + group) * cells(d)];
}

static void destroy(struct wn_diag *d)
{
  if (d == NULL)
    return;
  free(d->sum);
  free(d->primaries);
  free(d->counted);
  for (int k = 0; k < N_OF_TABLE; k++)
    free(d->of_table[k]);
  free(d);
}

static int allocate(struct wn_diag *d)
{
  d->sum = wn_alloc(d->n * d->groups, cells(d) * sizeof *d->sum);
  d->primaries = wn_alloc(d->groups, sizeof *d->primaries);
  d->counted = wn_alloc(d->n, sizeof *d->counted);
  if (d->sum == NULL || d->primaries == NULL || d->counted == NULL)
    return WN_ENOMEM;
  for (int k = 0; k < N_OF_TABLE; k++) {
    const size_t n = table_size(d, k);
    if ((d->of_table[k] = wn_alloc(n, sizeof *d->of_table[k])) == NULL)
      return WN_ENOMEM;
    for (size_t i = 0; i < n; i++)
      d->of_table[k][i] = NAN;
  }
  return WN_OK;
}

static int create(const struct wn_sim *s, struct wn_diag **out)
{
  const struct wn_config *c = s->c;
  struct wn_diag *d = wn_alloc(1, sizeof *d);
  if (d == NULL)
    return WN_ENOMEM;
  d->n = wn_config_detectors(c);
  d->groups = (size_t)s->species[0]->shape.n_groups;
  d->n_bins = wn_diag_n_bins(c);
  d->rows = c->detectors.rows;
  d->bin_min_ev = c->distribution_min_ev;
  d->bins_per_decade = (double)c->distribution_bins_per_decade;
  if (d->n > 0 && allocate(d) != WN_OK) {
    destroy(d);
    return WN_ENOMEM;
  }
  for (size_t g = 0; d->n > 0 && g < d->groups; g++)
    d->primaries[g] = (double)(c->electrons / d->groups + (g < c->electrons % d->groups));
  *out = d;
  return WN_OK;
}

/* ---- what a crossing adds */

static void add(struct wn_diag *d, const struct wn_crossing *p)
{
  const struct wn_sample bins = {.bin_min_ev = d->bin_min_ev,
                                 .bins_per_decade = d->bins_per_decade,
                                 .n_bins = d->n_bins};
  double *sum =
      sums_of(d, (size_t)p->detector, wn_electron_group(p->tag, (uint32_t)d->groups));
  if (!p->outward) {
    sum[INWARD] += p->weight;
    return;
  }
  sum[OUTWARD] += p->weight;
  sum[ENERGY] += p->weight * p->energy_ev;
  sum[TIME] += p->weight * p->time;
  sum[COSINE] += p->weight * p->cosine;
  sum[N_SUMS + wn_sample_bin(&bins, p->energy_ev)] += p->weight;
}

static void put_row(struct wn_diag *d, const struct wn_sim *s,
                    const struct wn_crossing *p)
{
  const size_t of = (size_t)p->detector;
  const uint64_t n = d->counted[of]++;
  size_t i = (size_t)n;
  if (n >= d->rows) {
    const struct wn_rng4 r = wn_rng(s->c->seed, n, (uint32_t)of, WN_RNG_DETECTOR, 0);
    i = (size_t)(ldexp((double)r.w[0], -32) * (double)(n + 1));
    if (i >= d->rows)
      return;
  }
  i += of * d->rows;
  const double u = sqrt(p->u[0] * p->u[0] + p->u[1] * p->u[1] + p->u[2] * p->u[2]);
  d->of_table[WHEN][i] = p->time;
  d->of_table[ROW_ENERGY][i] = p->energy_ev;
  d->of_table[WEIGHT][i] = p->weight;
  d->of_table[ROW_COSINE][i] = p->cosine;
  d->of_table[SIDE][i] = p->outward ? 1.0 : -1.0;
  for (size_t k = 0; k < 3; k++) {
    d->of_table[WHERE][3 * i + k] = p->x[k];
    d->of_table[DIRECTION][3 * i + k] = u > 0.0 ? p->u[k] / u : 0.0;
  }
}

static int sample(struct wn_diag *d, const struct wn_sim *s, struct wn_output *o)
{
  size_t n = 0;
  const struct wn_crossing *p = wn_detectors_crossings(s, &n);
  (void)o;
  for (size_t i = 0; i < n; i++) {
    add(d, &p[i]);
    put_row(d, s, &p[i]);
  }
  return WN_OK;
}

/* ---- the file */

#define OF_DETECTOR  WN_DIMS("field", "detector")
#define OF_CROSSING  WN_DIMS("field", "detector", "crossing")
#define OF_COMPONENT WN_DIMS("field", "detector", "crossing", "crossing_component")

static const struct wn_output_var table[N_OF_TABLE] = {
    [WHEN] = {WN_VAR("crossing_time", "s", "time of a crossing, from the release"),
              .comment = "a random sample of all crossings, NaN beyond their number",
              OF_CROSSING},
    [ROW_ENERGY] = {WN_VAR("crossing_energy", "eV", "kinetic energy"), OF_CROSSING},
    [WEIGHT] = {WN_VAR("crossing_weight", "1", "electrons that the row stands for"),
                .comment = "the weight of the electron times detector_counted over the "
                           "rows, if that is more",
                OF_CROSSING},
    [ROW_COSINE] = {WN_VAR("crossing_cosine", "1",
                           "cosine between the velocity and the outward normal"),
                    .comment = "the normal of a plane is +z", OF_CROSSING},
    [SIDE] = {WN_VAR("crossing_side", "1", "1: outward, towards +z; -1: inward"),
              OF_CROSSING},
    [WHERE] = {WN_VAR("crossing_position", "m", "place, from that of the release"),
               OF_COMPONENT},
    [DIRECTION] = {WN_VAR("crossing_direction", "1", "direction of the velocity"),
                   OF_COMPONENT},
};

static int define(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  static const struct wn_output_var vars[] = {
      {.name = "detector_shape",
       .long_name = "shape of the detector",
       .is_coordinate = 1,
       .type = WN_OUT_STRING,
       WN_DIMS("detector")},
      {WN_VAR("detector_at", "m", "z of a plane, radius of a sphere"),
       WN_DIMS("detector"), .is_coordinate = 1},
      {WN_VAR("detector_counted", "1",
              "crossings both ways, each electron once whatever its weight"),
       .type = WN_OUT_INT64, OF_DETECTOR},
      {WN_VAR("detector_electrons", "1", "electrons that cross outward, per primary"),
       OF_DETECTOR, .with_error = 1,
       .comment = "each crossing counts, also of an electron that comes back and crosses "
                  "again"},
      {WN_VAR("detector_returns", "1", "electrons that cross inward, per primary"),
       OF_DETECTOR, .with_error = 1},
      {WN_VAR("detector_mean_energy", "eV", "mean energy of those that cross outward"),
       OF_DETECTOR, .with_error = 1},
      {WN_VAR("detector_mean_time", "s", "mean time of their crossing"), OF_DETECTOR,
       .with_error = 1},
      {WN_VAR("detector_mean_cosine", "1",
              "mean cosine between their velocity and the outward normal"),
       OF_DETECTOR, .with_error = 1},
      {WN_VAR("detector_spectrum", "eV-1",
              "electrons that cross outward, per primary and energy"),
       WN_DIMS("field", "detector", "energy"), .with_error = 1},
  };
  (void)g;
  if (wn_config_detectors(c) == 0)
    return WN_OK;
  WN_TRY(wn_output_dim(o, "detector", wn_config_detectors(c)));
  WN_TRY(wn_output_dim(o, "crossing", c->detectors.rows));
  WN_TRY(wn_output_dim(o, "crossing_component", 3));
  WN_TRY(wn_output_define_all(o, vars, sizeof vars / sizeof vars[0]));
  return wn_output_define_all(o, table, N_OF_TABLE);
}

static int begin(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  const size_t n = wn_config_detectors(c), planes = c->detectors.n_planes;
  const char *shape[WN_MAX_DETECTORS];
  double at[WN_MAX_DETECTORS];
  (void)g;
  if (n == 0)
    return WN_OK;
  for (size_t i = 0; i < n; i++) {
    shape[i] = i < planes ? "plane" : "sphere";
    at[i] = i < planes ? c->detectors.planes[i] : c->detectors.spheres[i - planes];
  }
  WN_TRY(wn_output_put_string(o, "detector_shape", -1, shape));
  return wn_output_put(o, "detector_at", -1, at);
}

struct ask {
  const struct wn_diag *d;
  size_t detector;
  int what;
  double *group; /* [groups] */
};

/* Of a sum, per primary of a group. */
static struct wn_estimate per_primary(const struct ask *a, size_t detector, size_t cell,
                                      double scale)
{
  for (size_t g = 0; g < a->d->groups; g++)
    a->group[g] = sums_of(a->d, detector, g)[cell] / a->d->primaries[g] * scale;
  return wn_stats_mean(a->d->groups, a->group);
}

static struct wn_estimate number(const void *ctx, size_t i)
{
  const struct ask *a = ctx;
  return per_primary(a, i, (size_t)a->what, 1.0);
}

static double ratio(const void *ctx, long leave_out)
{
  const struct ask *a = ctx;
  double of = 0.0, all = 0.0;
  for (size_t g = 0; g < a->d->groups; g++)
    if ((long)g != leave_out) {
      of += sums_of(a->d, a->detector, g)[a->what];
      all += sums_of(a->d, a->detector, g)[OUTWARD];
    }
  return of / all;
}

static struct wn_estimate mean(const void *ctx, size_t i)
{
  struct ask a = *(const struct ask *)ctx;
  a.detector = i;
  return wn_stats_jackknife(a.d->groups, ratio, &a, NULL);
}

static int put_sums(const struct wn_diag *d, const struct wn_sim *s, struct wn_output *o,
                    double *group)
{
  static const struct {
    const char *name;
    int what;
    wn_diag_estimate_fn *of;
  } rows[] = {{"detector_electrons", OUTWARD, number},
              {"detector_returns", INWARD, number},
              {"detector_mean_energy", ENERGY, mean},
              {"detector_mean_time", TIME, mean},
              {"detector_mean_cosine", COSINE, mean}};
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    const struct ask a = {.d = d, .what = rows[k].what, .group = group};
    WN_TRY(wn_diag_put_estimates(o, rows[k].name, s->i_case, d->n, rows[k].of, &a));
  }
  return WN_OK;
}

struct spectrum {
  struct ask ask;
  const double *edge;
};

static struct wn_estimate in_bin(const void *ctx, size_t i)
{
  const struct spectrum *of = ctx;
  const size_t bin = i % of->ask.d->n_bins;
  return per_primary(&of->ask, i / of->ask.d->n_bins, N_SUMS + bin,
                     1.0 / (of->edge[bin + 1] - of->edge[bin]));
}

static int put_spectrum(const struct wn_diag *d, const struct wn_sim *s,
                        struct wn_output *o, double *group)
{
  double *edge = wn_alloc(d->n_bins + 1, sizeof *edge);
  if (edge == NULL)
    return WN_ENOMEM;
  wn_diag_bin_edges(s->c, edge);
  const struct spectrum of = {{.d = d, .group = group}, edge};
  const int status = wn_diag_put_estimates(o, "detector_spectrum", s->i_case,
                                           d->n * d->n_bins, in_bin, &of);
  free(edge);
  return status;
}

/* Each row stands for those that have none. */
static int put_table(const struct wn_diag *d, const struct wn_sim *s, struct wn_output *o)
{
  long long counted[WN_MAX_DETECTORS];
  for (size_t k = 0; k < d->n; k++) {
    const double part = (double)d->counted[k] / (double)d->rows;
    counted[k] = (long long)d->counted[k];
    for (size_t i = 0; part > 1.0 && i < d->rows; i++)
      d->of_table[WEIGHT][k * d->rows + i] *= part;
  }
  for (int k = 0; k < N_OF_TABLE; k++)
    WN_TRY(wn_output_put(o, table[k].name, (long)s->i_case, d->of_table[k]));
  return wn_output_put_int(o, "detector_counted", (long)s->i_case, counted);
}

static int write(struct wn_diag *d, const struct wn_sim *s, int enough,
                 struct wn_output *o)
{
  (void)enough;
  if (d->n == 0)
    return WN_OK;
  double *group = wn_alloc(d->groups, sizeof *group);
  int status = group != NULL ? put_sums(d, s, o, group) : WN_ENOMEM;
  if (status == WN_OK)
    status = put_spectrum(d, s, o, group);
  free(group);
  return status == WN_OK ? put_table(d, s, o) : status;
}

static int state(struct wn_diag *d, struct wn_state *st)
{
  if (d->n == 0)
    return WN_OK;
  WN_TRY(WN_STATE_ARRAY(st, d->sum, d->n * d->groups * cells(d)));
  WN_TRY(WN_STATE_ARRAY(st, d->counted, d->n));
  for (int k = 0; k < N_OF_TABLE; k++)
    WN_TRY(WN_STATE_ARRAY(st, d->of_table[k], table_size(d, k)));
  return WN_OK;
}

const struct wn_diag_ops wn_diag_detectors = {
    .define = define,
    .begin = begin,
    .create = create,
    .sample = sample,
    .write = write,
    .state = state,
    .free = destroy,
};
