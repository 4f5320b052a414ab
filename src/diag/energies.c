/* src/diag/energies.c - diagnostic `energies`: histogram of the energies of the living electrons at the
 * end of a case, and their mean; errors from the scatter between groups. */
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "particles/load_balance.h"
#include "src/diag/diag.h"

struct wn_diag {
  size_t groups, n_bins;
  wn_i128
      *energies;  /* [groups][n_bins + 2] weights by energy, total weight, total energy */
  uint64_t taken; /* steps done when it was filled */
};

static void destroy(struct wn_diag *d)
{
  if (d != NULL)
    free(d->energies);
  free(d);
}

static int create(const struct wn_sim *s, struct wn_diag **out)
{
  struct wn_diag *d = wn_alloc(1, sizeof *d);
  if (d == NULL)
    return WN_ENOMEM;
  d->groups = (size_t)s->species[0]->shape.n_groups;
  d->n_bins = wn_diag_n_bins(s->c);
  d->energies = wn_alloc(d->groups * (d->n_bins + 2), sizeof *d->energies);
  if (d->energies == NULL) {
    free(d);
    return WN_ENOMEM;
  }
  d->taken = UINT64_MAX;
  *out = d;
  return WN_OK;
}

/* Summed where the electrons are, on the host or on a GPU. */
static int take_energies(struct wn_diag *d, const struct wn_sim *s)
{
  const size_t n = d->n_bins;
  const struct wn_sample what = {.kind = WN_SAMPLE_ENERGIES,
                                 .n_groups = (uint32_t)d->groups,
                                 .bin_min_ev = s->c->distribution_min_ev,
                                 .bins_per_decade =
                                     (double)s->c->distribution_bins_per_decade,
                                 .n_bins = n};
  wn_i128 *sums = wn_alloc(wn_sample_cells(&what), sizeof *sums);
  if (sums == NULL)
    return WN_ENOMEM;
  const int status = wn_particles_sample(&s->species[0]->p, &what, sums);
  for (size_t g = 0; g < d->groups && status == WN_OK; g++) {
    const wn_i128 *from = &sums[g * (n + 1)];
    wn_i128 *row = &d->energies[g * (n + 2)];
    row[n] = 0;
    for (size_t i = 0; i < n; i++) {
      row[i] = from[i];
      row[n] += from[i];
    }
    row[n + 1] = from[n];
  }
  free(sums);
  WN_TRY(status);
  d->taken = s->n_steps;
  return WN_OK;
}

/* Whether the next step may fill the store, if the electrons grow as in the last step and
 * half as much again.  The energies are then sampled before it, since afterwards they are
 * lost; sampling at each step would cost a pass over the electrons. */
static int nearly_full(const struct wn_species *electrons)
{
  double n = (double)wn_particles_all(&electrons->p),
         growth = fmax(n / (double)electrons->n_before, 1.0);
  return 1.5 * growth * n > (double)electrons->p.limit;
}

static int sample(struct wn_diag *d, const struct wn_sim *s, struct wn_output *o)
{
  (void)o;
  return nearly_full(s->species[0]) ? take_energies(d, s) : WN_OK;
}

static int define(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  (void)c, (void)g;
  static const struct wn_output_var vars[] = {
      {WN_VAR("final_energy_distribution", "eV-1",
              "electrons per primary and energy at the end"),
       WN_DIMS("field", "energy"), .with_error = 1},
      {WN_VAR("final_electrons", "1", "living electrons per primary at the end"),
       WN_DIMS("field")},
      {WN_VAR("final_mean_energy", "eV",
              "mean energy of the living electrons at the end"),
       WN_DIMS("field"), .with_error = 1},
  };
  return wn_output_define_all(o, vars, sizeof vars / sizeof vars[0]);
}

struct bins {
  const struct wn_diag *d;
  double primaries; /* of a group */
  double *edge;     /* [n_bins + 1], eV */
  double *column;   /* [groups] */
};

static struct wn_estimate in_bin(const void *ctx, size_t b)
{
  const struct bins *of = ctx;
  const struct wn_diag *d = of->d;
  for (size_t g = 0; g < d->groups; g++)
    of->column[g] = (double)d->energies[g * (d->n_bins + 2) + b] / WN_FIX_WEIGHT /
                    of->primaries / (of->edge[b + 1] - of->edge[b]);
  return wn_stats_mean(d->groups, of->column);
}

static int put_histogram(const struct wn_diag *d, const struct wn_sim *s,
                         struct wn_output *o)
{
  const struct bins of = {.d = d,
                          .primaries = (double)s->c->electrons / (double)d->groups,
                          .edge = wn_alloc(d->n_bins + 1, sizeof *of.edge),
                          .column = wn_alloc(d->groups, sizeof *of.column)};
  int status = of.edge != NULL && of.column != NULL ? WN_OK : WN_ENOMEM;
  if (status == WN_OK) {
    wn_diag_bin_edges(s->c, of.edge);
    status = wn_diag_put_estimates(o, "final_energy_distribution", s->i_case, d->n_bins,
                                   in_bin, &of);
  }
  free(of.edge);
  free(of.column);
  return status;
}

static int put_mean(const struct wn_diag *d, const struct wn_sim *s, struct wn_output *o)
{
  size_t n = d->n_bins, groups = d->groups;
  const wn_i128 *h = d->energies;
  double weight = 0.0, energy = 0.0;
  for (size_t g = 0; g < groups; g++) {
    weight += (double)h[g * (n + 2) + n] / WN_FIX_WEIGHT;
    energy += (double)h[g * (n + 2) + n + 1] / WN_FIX_ENERGY;
  }
  double mean = energy / weight, sum2 = 0.0;
  for (size_t g = 0; g < groups; g++) { /* ratio estimator: residuals of the groups */
    double r = (double)h[g * (n + 2) + n + 1] / WN_FIX_ENERGY -
               mean * (double)h[g * (n + 2) + n] / WN_FIX_WEIGHT;
    sum2 += r * r;
  }
  struct wn_estimate m = {mean,
                          sqrt(sum2 * (double)groups / (double)(groups - 1)) / weight};
  double living = weight / (double)s->c->electrons;
  WN_TRY(wn_output_put(o, "final_electrons", (long)s->i_case, &living));
  return wn_diag_put(o, "final_mean_energy", s->i_case, m);
}

static int write(struct wn_diag *d, const struct wn_sim *s, int enough,
                 struct wn_output *o)
{
  (void)enough;
  if (!s->species[0]->is_full && d->taken != s->n_steps)
    WN_TRY(take_energies(d, s));
  if (d->taken != s->n_steps)
    return WN_OK;
  WN_TRY(put_histogram(d, s, o));
  return put_mean(d, s, o);
}

static int state(struct wn_diag *d, struct wn_state *st)
{
  WN_TRY(WN_STATE(st, d->taken));
  return WN_STATE_ARRAY(st, d->energies, d->groups * (d->n_bins + 2));
}

const struct wn_diag_ops wn_diag_energies = {
    .define = define,
    .create = create,
    .sample = sample,
    .write = write,
    .state = state,
    .free = destroy,
};
