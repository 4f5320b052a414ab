/* src/diag/test_electrons.c - diagnostic `test_electrons`: sums of the test electrons
 * (src/sim/test_electrons.h) in the rows of the diagnostic `integrals`, at the end of the step; and a table of
 * passages, for each threshold a uniform sample of all its passages in the run.  Nothing without
 * plasma.test_electrons.
 *
 * Rows are buffered and written in blocks, the table at the end.  Passage n of a threshold takes the next
 * row, or, where there is none, a row at random with the probability rows/n.  So each of n passages is in
 * the table with that probability, by induction: one that was with rows/(n - 1) stays with 1 - 1/n. */
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "physics/rng.h"
#include "physics/tally.h"
#include "src/config/plasma_derived.h"
#include "src/config/test_electrons.h"
#include "src/diag/buffered_rows.h"
#include "src/sim/test_electrons.h"

enum {
  NUMBER,
  STARTED,
  BORN,
  LOST,
  FELL,
  BEYOND,
  KILLED,
  RAISED,
  PRESENT,
  ABOVE, /* those of the plasma, and the errors of both */
  ABOVE_ERROR,
  TEST_ABOVE,
  TEST_ABOVE_ERROR,
  PASSAGES,
  PASSAGES_ERROR,
  N_COLUMNS
};

#define OF_TIME .units = "1", .n_dims = 1, .dims = {"time"}
static const struct wn_output_var vars[] = {
    [NUMBER] = {.name = "test_electrons",
                .long_name = "test electrons, macroparticles",
                OF_TIME},
    [STARTED] = {.name = "test_electrons_started",
                 .long_name = "weight of the test electrons started so far as copies of "
                              "electrons",
                 .comment = "weights are real electrons; started + born - lost - fell - "
                            "beyond - killed + raised = present",
                 OF_TIME},
    [BORN] = {.name = "test_electrons_born",
              .long_name = "weight of the test electrons born so far in ionizations, and "
                           "above the lowest energy at the end of the step",
              OF_TIME},
    [LOST] = {.name = "test_electrons_lost",
              .long_name = "weight of the test electrons so far that sides took, or that "
                           "were attached",
              OF_TIME},
    [FELL] = {.name = "test_electrons_fell",
              .long_name = "weight of the test electrons so far that fell below the "
                           "lowest energy",
              OF_TIME},
    [BEYOND] = {.name = "test_electrons_beyond",
                .long_name = "weight of the test electrons so far that passed the last "
                             "threshold, where they end",
                OF_TIME},
    [KILLED] = {.name = "test_electrons_killed",
                .long_name = "weight that roulette has taken so far",
                OF_TIME},
    [RAISED] = {.name = "test_electrons_raised",
                .long_name =
                    "weight that roulette has given so far to those that it left",
                OF_TIME},
    [PRESENT] = {.name = "test_electrons_present",
                 .long_name = "weight of the test electrons",
                 OF_TIME},
    [ABOVE] = {WN_VAR("electrons_above", "1",
                      "electrons of the plasma with at least that energy"),
               WN_DIMS("time", "test_energy"), .with_error = 1},
    [TEST_ABOVE] = {WN_VAR(
                        "test_electrons_above", "1",
                        "the same by test electrons, before their number is controlled"),
                    WN_DIMS("time", "test_energy"), .with_error = 1},
    [PASSAGES] = {WN_VAR("passages", "1",
                         "electrons that passed the threshold so far, by test "
                         "electrons"),
                  .comment = "once for each rise through the lowest energy",
                  WN_DIMS("time", "passage_threshold"), .with_error = 1},
};

/* The names under which the columns are put. */
static const char *const names[N_COLUMNS] = {[ABOVE_ERROR] = "electrons_above_error",
                                             [TEST_ABOVE_ERROR] =
                                                 "test_electrons_above_error",
                                             [PASSAGES_ERROR] = "passages_error"};

static const char *name_of(int column)
{
  return names[column] != NULL ? names[column] : vars[column].name;
}

/* Columns of the table of passages; three numbers where there is a component. */
enum { WHEN, ENERGY, WEIGHT, COSINE, OF_GROUP, WHERE, DIRECTION, N_OF_TABLE };

#define OF_PASSAGE .n_dims = 2, .dims = {"passage_threshold", "passage"}
#define OF_COMPONENT                                                                     \
  .n_dims = 3, .dims = {"passage_threshold", "passage", "passage_component"}
static const struct wn_output_var table[N_OF_TABLE] = {
    [WHEN] = {WN_VAR("passage_time", "s",
                     "end of the step in which a test electron passed the threshold"),
              .comment = "a random sample of all passages, NaN beyond their number",
              OF_PASSAGE},
    [ENERGY] = {WN_VAR("passage_energy", "eV",
                       "energy at the end of the step, or where it ended"),
                OF_PASSAGE},
    [WEIGHT] = {WN_VAR("passage_weight", "1", "electrons that the row stands for"),
                .comment = "the weight of the test electron times passages_counted over "
                           "the rows: their sum is `passages`, on average",
                OF_PASSAGE},
    [COSINE] = {WN_VAR("passage_cosine", "1",
                       "cosine between its velocity and the electric force on it"),
                OF_PASSAGE},
    [OF_GROUP] = {WN_VAR("passage_group", "1", "independent group that it belongs to"),
                  OF_PASSAGE},
    [WHERE] = {WN_VAR("passage_position", "m", "place, along the axes of the grid"),
               OF_COMPONENT},
    [DIRECTION] = {WN_VAR("passage_direction", "1",
                          "direction of its velocity, along the axes of the grid"),
                   .comment = "in r-z: along the radius, along z, and across both",
                   OF_COMPONENT},
};

struct wn_diag {
  int is_on;
  double weight;                       /* real particles of a macroparticle of weight 1 */
  uint64_t every;                      /* steps per row */
  size_t n_energies;                   /* thresholds and the lowest energy */
  size_t rows;                         /* of the table, for each threshold */
  uint64_t counted[WN_MAX_THRESHOLDS]; /* passages of test electrons */
  struct wn_buffered_rows row;
  double *of_table[N_OF_TABLE]; /* [thresholds][rows][1 or 3] */
};

static size_t width(const struct wn_diag *d, int column)
{
  return column < ABOVE ? 1 : column < PASSAGES ? d->n_energies : d->n_energies - 1;
}

static int define(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  static const struct wn_output_var axes[] = {
      {WN_VAR("test_energy", "eV", "lowest energy of test electrons, and thresholds"),
       WN_DIMS("test_energy")},
      {WN_VAR("passage_threshold", "eV", "energy whose passages are counted"),
       WN_DIMS("passage_threshold")},
      {WN_VAR("passages_counted", "1",
              "passages of test electrons, each counted once, of which the table "
              "has a sample"),
       .type = WN_OUT_INT64, WN_DIMS("passage_threshold")},
  };
  (void)g;
  if (!wn_test_electrons_are_on(c))
    return WN_OK;
  WN_TRY(wn_output_dim(o, "test_energy", c->plasma.test_electrons.n_thresholds + 1));
  WN_TRY(wn_output_dim(o, "passage_threshold", c->plasma.test_electrons.n_thresholds));
  WN_TRY(wn_output_dim(o, "passage", c->plasma.test_electrons.rows));
  WN_TRY(wn_output_dim(o, "passage_component", 3));
  WN_TRY(wn_output_define_all(o, axes, sizeof axes / sizeof axes[0]));
  for (int k = 0; k < N_COLUMNS; k++)
    if (names[k] == NULL)
      WN_TRY(wn_output_define(o, &vars[k]));
  return wn_output_define_all(o, table, N_OF_TABLE);
}

static int begin(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  double energy[1 + WN_MAX_THRESHOLDS];
  (void)g;
  if (!wn_test_electrons_are_on(c))
    return WN_OK;
  energy[0] = c->plasma.test_electrons.from_ev;
  for (size_t k = 0; k < c->plasma.test_electrons.n_thresholds; k++)
    energy[1 + k] = c->plasma.test_electrons.thresholds_ev[k];
  WN_TRY(wn_output_put(o, "test_energy", -1, energy));
  return wn_output_put(o, "passage_threshold", -1, energy + 1);
}

static void destroy(struct wn_diag *d)
{
  wn_buffered_rows_clear(&d->row);
  for (int k = 0; k < N_OF_TABLE; k++)
    free(d->of_table[k]);
  free(d);
}

static size_t table_size(const struct wn_diag *d, int column)
{
  return (d->n_energies - 1) * d->rows * (column >= WHERE ? 3 : 1);
}

static int allocate(struct wn_diag *d)
{
  WN_TRY(wn_buffered_rows_create(&d->row, N_COLUMNS));
  for (int k = 0; k < N_COLUMNS; k++) {
    d->row.column[k].name = name_of(k);
    d->row.column[k].width = width(d, k);
  }
  WN_TRY(wn_buffered_rows_reserve(&d->row));
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
  d->is_on = wn_test_electrons_are_on(c);
  if (d->is_on) {
    d->weight = wn_loading_weight(c, &c->species[wn_test_electrons_species(c)]);
    d->every = wn_plasma_rows_every(c);
    d->n_energies = 1 + c->plasma.test_electrons.n_thresholds;
    d->rows = c->plasma.test_electrons.rows;
    if (allocate(d) != WN_OK) {
      destroy(d);
      return WN_ENOMEM;
    }
  }
  *out = d;
  return WN_OK;
}

static void put_sums(const struct wn_diag *d, const struct wn_sim *s,
                     double *row[N_COLUMNS])
{
  const struct wn_test_sums sums = wn_test_electrons_sums(s);
  const double unit = d->weight / WN_FIX_RARE;
  *row[NUMBER] = (double)wn_test_electrons_number(s);
  *row[STARTED] = (double)sums.started * unit;
  *row[BORN] = (double)sums.born * unit;
  *row[LOST] = (double)sums.lost * unit;
  *row[FELL] = (double)sums.fell * unit;
  *row[BEYOND] = (double)sums.beyond * unit;
  *row[KILLED] = (double)sums.killed * unit;
  *row[RAISED] = (double)sums.raised * unit;
  *row[PRESENT] = (double)sums.present * unit;
  for (size_t k = 0; k < d->n_energies; k++) {
    const struct wn_estimate of = wn_test_electrons_above(s, WN_TEST_OF_PLASMA, k),
                             test = wn_test_electrons_above(s, WN_TEST_OF_TEST, k);
    row[ABOVE][k] = of.value;
    row[ABOVE_ERROR][k] = of.error;
    row[TEST_ABOVE][k] = test.value;
    row[TEST_ABOVE_ERROR][k] = test.error;
  }
  for (size_t k = 0; k + 1 < d->n_energies; k++) {
    const struct wn_estimate of = wn_test_electrons_passages(s, k);
    row[PASSAGES][k] = of.value;
    row[PASSAGES_ERROR][k] = of.error;
  }
}

static void put_passage(struct wn_diag *d, const struct wn_sim *s,
                        const struct wn_test_passage *p)
{
  const uint64_t n = d->counted[p->threshold]++;
  size_t i = (size_t)n;
  if (n >= d->rows) {
    const struct wn_rng4 r = wn_rng(s->c->seed, n, p->threshold, WN_RNG_TEST_ELECTRON, 0);
    i = (size_t)(ldexp((double)r.w[0], -32) * (double)(n + 1));
    if (i >= d->rows)
      return;
  }
  i += p->threshold * d->rows;
  d->of_table[WHEN][i] = s->time;
  d->of_table[ENERGY][i] = p->energy_ev;
  d->of_table[WEIGHT][i] = p->weight * d->weight;
  d->of_table[COSINE][i] = p->cosine;
  d->of_table[OF_GROUP][i] = (double)p->group;
  for (size_t k = 0; k < 3; k++) {
    d->of_table[WHERE][3 * i + k] = p->at[k];
    d->of_table[DIRECTION][3 * i + k] = p->direction[k];
  }
}

static int sample(struct wn_diag *d, const struct wn_sim *s, struct wn_output *o)
{
  double *row[N_COLUMNS];
  size_t n = 0;
  if (!d->is_on)
    return WN_OK;
  const struct wn_test_passage *p = wn_test_electrons_rows(s, &n);
  for (size_t i = 0; i < n; i++)
    put_passage(d, s, &p[i]);
  if (!wn_step_ends(&s->adaptive.clock, d->every))
    return WN_OK;
  for (int k = 0; k < N_COLUMNS; k++)
    row[k] = wn_buffered_row(&d->row, (size_t)k);
  put_sums(d, s, row);
  return wn_buffered_rows_next(&d->row, o);
}

/* Each row stands for those that have none. */
static void weigh_table(struct wn_diag *d)
{
  for (size_t k = 0; k + 1 < d->n_energies; k++)
    for (size_t i = 0; d->counted[k] > d->rows && i < d->rows; i++)
      d->of_table[WEIGHT][k * d->rows + i] *= (double)d->counted[k] / (double)d->rows;
}

static int write(struct wn_diag *d, const struct wn_sim *s, int enough,
                 struct wn_output *o)
{
  (void)s, (void)enough;
  if (!d->is_on)
    return WN_OK;
  WN_TRY(wn_buffered_rows_flush(&d->row, o));
  weigh_table(d);
  for (int k = 0; k < N_OF_TABLE; k++)
    WN_TRY(wn_output_put(o, table[k].name, -1, d->of_table[k]));
  long long counted[WN_MAX_THRESHOLDS];
  for (size_t k = 0; k + 1 < d->n_energies; k++)
    counted[k] = (long long)d->counted[k];
  return wn_output_put_int(o, "passages_counted", -1, counted);
}

static int state(struct wn_diag *d, struct wn_state *st)
{
  if (!d->is_on)
    return WN_OK;
  WN_TRY(wn_buffered_rows_state(&d->row, st));
  WN_TRY(WN_STATE(st, d->counted));
  for (int k = 0; k < N_OF_TABLE; k++)
    WN_TRY(WN_STATE_ARRAY(st, d->of_table[k], table_size(d, k)));
  return WN_OK;
}

const struct wn_diag_ops wn_diag_test_electrons = {
    .define = define,
    .begin = begin,
    .create = create,
    .sample = sample,
    .write = write,
    .state = state,
    .free = destroy,
};
