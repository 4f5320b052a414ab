/* src/diag/rates.c - diagnostic `rates`: frequency of each process, per electron of a swarm.
 *
 * Two estimates with independent noise:
 *   expected  the frequency from the tables at the energy of an electron, averaged over all
 *             electrons at the end of each step (src/stats/expected_rates.h): no collision is
 *             needed, so that rare processes of many electrons are accurate
 *   counted   collisions over time lived: for processes that few electrons can undergo; includes
 *             energies between the ends of steps
 * The value of a rate is `expected`, corrected by regression over the groups on two numbers of
 * expectation zero: the control variate of the drift (transport.c), and the pseudo-values of counted
 * minus expected, if every group has counted at least ENOUGH_COUNTS (with fewer the scatter is
 * unreliable, and with none it is that of the expected rate itself).  The result combines the
 * advantages of both.  `counted` is written, too, as a check.
 *
 * If neither has an event the value is 0, without an error, and an upper limit is given: if 3 events
 * are expected, none occurs with 5 % probability. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "src/diag/diag.h"
#include "src/stats/expected_rates.h"

#define ENOUGH_COUNTS 10.0
/* In place of a kind: ionizations minus attachments, the growth of the number. */
#define NET (-2)

struct wn_diag {
  size_t groups, n_processes, n_sums;
  struct wn_expected_rates *bins;
  const struct wn_particles *p;
  wn_i128 *sums;      /* of all samples, except deferred ones */
  double *rate;       /* [groups][1 + n_processes]: wn_expected_rates_rates of them, */
  int is_new;         /* out of date if this is set */
  double *difference; /* [groups] scratch: counted minus expected */
};

/* A quantity for the jackknife. */
struct ask {
  const struct wn_diag *d;
  const struct wn_sim *s;
  int kind;       /* all processes of enum wn_process_kind, or NET; -1: */
  size_t process; /* this process */
  int is_sum;     /* NET: both are added */
  enum { EXPECTED, COUNTED, DIFFERENCE } how;
  int is_reduced; /* divided by drift and density */
  double per;     /* the divisor */
};

/* Sign of a process in the sum; 0: not part of it. */
static double counts_as(const struct ask *a, size_t process)
{
  const int kind = wn_xs_table_process(a->s->gas->table, (int)process)->kind;
  if (a->kind == NET)
    return kind == WN_PROC_IONIZATION   ? 1.0
           : kind == WN_PROC_ATTACHMENT ? (a->is_sum ? 1.0 : -1.0)
                                        : 0.0;
  return a->kind < 0 ? process == a->process : kind == a->kind;
}

static double expected(const struct ask *a, size_t process, long leave_out)
{
  const size_t row = 1 + a->d->n_processes;
  double sum = 0.0, weight = 0.0;
  for (size_t g = 0; g < a->d->groups; g++)
    if ((long)g != leave_out) {
      weight += a->d->rate[g * row];
      sum += a->d->rate[g * row + 1 + process];
    }
  return sum / weight;
}

static double counted(const struct ask *a, size_t process, long leave_out)
{
  return wn_diag_count(a->s, process, leave_out) / wn_diag_time(a->s, leave_out);
}

static double frequency(const void *ctx, long leave_out)
{
  const struct ask *a = ctx;
  double sum = 0.0;
  for (size_t k = 0; k < a->d->n_processes; k++)
    if (counts_as(a, k) != 0.0) {
      const double sign = counts_as(a, k);
      if (a->how != EXPECTED)
        sum += sign * counted(a, k, leave_out);
      if (a->how != COUNTED)
        sum += (a->how == DIFFERENCE ? -sign : sign) * expected(a, k, leave_out);
    }
  if (a->kind == NET && a->how == COUNTED && !a->is_sum)
    sum -= wn_diag_removed(a->s, leave_out) / wn_diag_time(a->s, leave_out);
  if (a->kind == NET && a->how != DIFFERENCE && !a->is_sum)
    sum += wn_diag_joined(a->s, leave_out) / wn_diag_time(a->s, leave_out);
  if (a->is_reduced)
    sum /= wn_transport_drift_of(a->s, leave_out);
  return sum / a->per;
}

/* Has every group enough counts to know their scatter? */
static int is_counted_well(const struct ask *a)
{
  const struct wn_tally *t = &a->s->species[0]->tally;
  for (size_t g = 0; g < a->d->groups; g++) {
    double sum = 0.0;
    for (size_t k = 0; k < a->d->n_processes; k++)
      if (counts_as(a, k) != 0.0)
        sum += (double)t->count[g * a->d->n_processes + k] / WN_FIX_WEIGHT;
    if (sum < ENOUGH_COUNTS)
      return 0;
  }
  return 1;
}

static int can_happen(const struct ask *a)
{
  for (size_t k = 0; k < a->d->n_processes; k++)
    if (counts_as(a, k) != 0.0)
      return 1;
  return 0;
}

/* No event.  Weights: those at the release, divided over the electrons that carry them. */
static struct wn_rate_estimate nothing(const struct ask *a)
{
  const struct wn_sim *s = a->s;
  const double weight =
      fmax(1.0, (double)s->c->electrons / (double)s->species[0]->population.target);
  struct wn_rate_estimate out = {{0.0, 0.0}, NAN};
  if (!can_happen(a))
    return out; /* which is exact */
  out.of.error = NAN;
  out.upper_limit = WN_STATS_UNSEEN * weight / wn_diag_time(s, -1) / a->per;
  if (a->is_reduced)
    out.upper_limit /= fabs(wn_transport_drift_of(s, -1));
  return out;
}

static struct wn_rate_estimate estimate(const struct ask *of, const double *control)
{
  struct ask a = *of;
  const double *controls[WN_STATS_CONTROLS];
  size_t n = 0;
  if (control != NULL)
    controls[n++] = control;
  struct ask all;
  /* electrons below the floor are removed where they are born: counts of both are the same number,
   * of which an expected rate would have the scatter */
  if (a.kind == NET && a.s->c->stop_below_ev > 0.0)
    a.how = COUNTED;
  all = a;
  all.is_reduced = 0;
  all.is_sum = 1;
  /* no electron at these energies; or so few near a threshold that the fitted line is not
   * above 0 there */
  if (a.how == EXPECTED && !(frequency(&all, -1) > 0.0))
    a.how = all.how = COUNTED;
  if (a.how == COUNTED && !(frequency(&all, -1) > 0.0))
    return nothing(&a);
  if (a.how == EXPECTED && is_counted_well(&a)) {
    all.is_sum = 0;
    all.how =
        DIFFERENCE; /* not divided by the drift, whose noise would give it a nonzero mean */
    if (wn_stats_pseudo(a.d->groups, frequency, &all, a.d->difference))
      controls[n++] = a.d->difference;
  }
  return (struct wn_rate_estimate){
      wn_stats_regression(a.d->groups, frequency, &a, n, controls), NAN};
}

static int refresh(struct wn_diag *d)
{
  if (!d->is_new)
    return WN_OK;
  WN_TRY(wn_particles_add_deferred(d->p, d->sums));
  wn_expected_rates_rates(d->bins, d->sums, d->rate);
  d->is_new = 0;
  return WN_OK;
}

static struct ask ask_of(const struct wn_diag *d, const struct wn_sim *s, int kind)
{
  return (struct ask){.d = d, .s = s, .kind = kind, .how = EXPECTED, .per = 1.0};
}

struct wn_rate_estimate wn_rates_frequency(struct wn_diag *d, const struct wn_sim *s,
                                           int kind, const double *control)
{
  const struct ask a = ask_of(d, s, kind);
  if (refresh(d) == WN_OK)
    return estimate(&a, control);
  return (struct wn_rate_estimate){{NAN, NAN}, NAN};
}

struct wn_rate_estimate wn_rates_reduced(struct wn_diag *d, const struct wn_sim *s,
                                         int kind, const double *control)
{
  struct ask a = ask_of(d, s, kind);
  a.is_reduced = 1;
  a.per = s->c->number_density;
  const int status = refresh(d);
  if (status == WN_OK && s->c->cases[s->i_case].e != 0.0)
    return estimate(&a, control);
  return (struct wn_rate_estimate){{NAN, NAN}, NAN};
}

static void destroy(struct wn_diag *d)
{
  if (d != NULL) {
    if (d->p != NULL)
      wn_particles_add_deferred(d->p, NULL);
    wn_expected_rates_free(d->bins);
    free(d->sums);
    free(d->rate);
    free(d->difference);
  }
  free(d);
}

static int create(const struct wn_sim *s, struct wn_diag **out)
{
  struct wn_diag *d = wn_alloc(1, sizeof *d);
  if (d == NULL)
    return WN_ENOMEM;
  d->p = &s->species[0]->p;
  d->groups = (size_t)s->species[0]->shape.n_groups;
  d->n_processes = (size_t)s->species[0]->shape.n_processes;
  int status =
      wn_expected_rates_create(s->gas->table, d->groups, s->c->threads, &d->bins);
  if (status == WN_OK) {
    const struct wn_sample what = wn_expected_rates_sample(d->bins);
    d->n_sums = wn_sample_cells(&what);
    d->sums = wn_alloc(d->n_sums, sizeof *d->sums);
    d->rate = wn_alloc(d->groups * (1 + d->n_processes), sizeof *d->rate);
    d->difference = wn_alloc(d->groups, sizeof *d->difference);
    if (d->sums == NULL || d->rate == NULL || d->difference == NULL)
      status = WN_ENOMEM;
  }
  if (status != WN_OK) {
    destroy(d);
    return status;
  }
  *out = d;
  return WN_OK;
}

static int sample(struct wn_diag *d, const struct wn_sim *s, struct wn_output *o)
{
  (void)o;
  if (s->n_lags == 0)
    return WN_OK;
  const struct wn_sample what = wn_expected_rates_sample(d->bins);
  d->is_new = 1;
  return wn_particles_sample_deferred(d->p, &what, d->sums);
}

#define RULE                                                                             \
  "expected from the energies of the electrons, corrected by regression on the counts: " \
  "doc/physics.md"

static const struct {
  const char *name, *units, *long_name, *comment;
  int kind, is_reduced;
} quantities[] = {
    {"ionization_frequency", "s-1", "ionizations per electron and second", RULE,
     WN_PROC_IONIZATION, 0},
    {"attachment_frequency", "s-1", "attachments per electron and second", RULE,
     WN_PROC_ATTACHMENT, 0},
    {"townsend_coefficient_reduced", "m2",
     "reduced Townsend ionization coefficient alpha/N",
     "ionization frequency over flux drift velocity and density; NaN without a field",
     WN_PROC_IONIZATION, 1},
    {"attachment_coefficient_reduced", "m2", "reduced attachment coefficient eta/N",
     "attachment frequency over flux drift velocity and density; NaN without a field",
     WN_PROC_ATTACHMENT, 1},
    {"growth_rate", "s-1", "ionizations minus attachments per electron and second",
     "the rate at which the number of electrons grows in a pulsed Townsend experiment",
     NET, 0},
    {"townsend_effective_reduced", "m2",
     "reduced effective ionization coefficient (alpha - eta)/N of a pulsed Townsend "
     "experiment",
     "growth rate over flux drift velocity and density; NaN without a field", NET, 1},
};
#define N_QUANTITIES (sizeof quantities / sizeof quantities[0])

/* Rows over the processes. */
static const struct wn_output_var rows[] = {
    {WN_VAR("process_frequency", "s-1",
            "collisions of the process per electron and second"),
     .comment = RULE, WN_DIMS("field", "process"), .with_error = 1},
    {WN_VAR("process_frequency_counted", "s-1",
            "counted collisions of the process per electron and second: a check"),
     WN_DIMS("field", "process"), .with_error = 1},
    {WN_VAR("process_rate_coefficient", "m3 s-1",
            "rate coefficient: frequency of the process over the density of its gas"),
     WN_DIMS("field", "process"), .with_error = 1},
};
#define N_ROWS (sizeof rows / sizeof rows[0])

/* NAME_upper_limit */
static int define_limit(struct wn_output *o, const struct wn_output_var *of)
{
  char *name = wn_asprintf("%s_upper_limit", of->name),
       *long_name = wn_asprintf("95 %% upper limit: %s", of->long_name);
  struct wn_output_var v = *of;
  v.name = name;
  v.long_name = long_name;
  v.comment = "if no collision was seen; else NaN";
  v.with_error = 0;
  const int status =
      name != NULL && long_name != NULL ? wn_output_define(o, &v) : WN_ENOMEM;
  free(long_name);
  free(name);
  return status;
}

static int define(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  (void)c, (void)g;
  for (size_t i = 0; i < N_QUANTITIES; i++) {
    const struct wn_output_var v = {.name = quantities[i].name,
                                    .units = quantities[i].units,
                                    .long_name = quantities[i].long_name,
                                    WN_DIMS("field")};
    WN_TRY(wn_diag_define_quantity(o, quantities[i].name, quantities[i].units,
                                   quantities[i].long_name, quantities[i].comment));
    WN_TRY(define_limit(o, &v));
  }
  WN_TRY(wn_output_define_all(o, rows, N_ROWS));
  return define_limit(o, &rows[0]);
}

static int put_limit(struct wn_output *o, const char *of, size_t i_case,
                     const double *limit)
{
  char *name = wn_asprintf("%s_upper_limit", of);
  if (name == NULL)
    return WN_ENOMEM;
  const int status = wn_output_put(o, name, (long)i_case, limit);
  free(name);
  return status;
}

static int put_quantity(struct wn_diag *d, const struct wn_sim *s, size_t i,
                        const double *control, struct wn_output *o)
{
  const struct ask a = ask_of(d, s, quantities[i].kind);
  const struct wn_rate_estimate e =
      quantities[i].is_reduced ? wn_rates_reduced(d, s, quantities[i].kind, control)
                               : estimate(&a, control);
  WN_TRY(wn_diag_put(o, quantities[i].name, s->i_case, e.of));
  return put_limit(o, quantities[i].name, s->i_case, &e.upper_limit);
}

/* of[N_ROWS + 1][2][n_processes]: value and error of each row; the last row: upper limits. */
static void fill_rows(const struct wn_diag *d, const struct wn_sim *s,
                      const double *control, double *of)
{
  const size_t n = d->n_processes;
  for (size_t k = 0; k < n; k++) {
    const size_t gas = wn_xs_table_process(s->gas->table, (int)k)->gas;
    struct ask a = ask_of(d, s, -1);
    a.process = k;
    for (size_t i = 0; i < N_ROWS; i++) {
      a.how = i == 1 ? COUNTED : EXPECTED;
      a.per = i == 2 ? s->gas->density[gas] : 1.0;
      const struct wn_rate_estimate e = estimate(&a, control);
      of[2 * i * n + k] = e.of.value;
      of[(2 * i + 1) * n + k] = e.of.error;
      if (i == 0)
        of[2 * N_ROWS * n + k] = e.upper_limit;
    }
  }
}

static int put_rows(const struct wn_diag *d, const struct wn_sim *s,
                    const double *control, struct wn_output *o)
{
  const size_t n = d->n_processes;
  double *of = wn_alloc((2 * N_ROWS + 1) * n, sizeof *of);
  int status = of != NULL ? WN_OK : WN_ENOMEM;
  if (status == WN_OK)
    fill_rows(d, s, control, of);
  for (size_t i = 0; i < N_ROWS && status == WN_OK; i++)
    status = wn_diag_put_row(o, rows[i].name, (long)s->i_case, &of[2 * i * n],
                             &of[(2 * i + 1) * n]);
  if (status == WN_OK)
    status = put_limit(o, rows[0].name, s->i_case, &of[2 * N_ROWS * n]);
  free(of);
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
    status = refresh(d);
  if (status == WN_OK)
    wn_transport_control(s, control);
  for (size_t i = 0; i < N_QUANTITIES && status == WN_OK; i++)
    status = put_quantity(d, s, i, control, o);
  if (status == WN_OK)
    status = put_rows(d, s, control, o);
  free(control);
  return status;
}

static int state(struct wn_diag *d, struct wn_state *st)
{
  d->is_new = 1;
  WN_TRY(wn_particles_add_deferred(d->p, d->sums));
  return WN_STATE_ARRAY(st, d->sums, d->n_sums);
}

const struct wn_diag_ops wn_diag_rates = {
    .define = define,
    .create = create,
    .sample = sample,
    .write = write,
    .state = state,
    .free = destroy,
};
