/* crosssections/xs_ion.c - the collision table of an ion on a log2 grid, and the bound.
 *
 * Within a bin the frequency of a process is the straight line between its values at the
 * edges.  With 1/64 of an octave a bin the error is (1/64)^2/8 of the curvature: 8e-6 for
 * a constant cross section, zero for a constant frequency.  A step of a table becomes a
 * ramp over its bin.  Below e_min = 2^-30 eV (1e-5 K) frequencies continue to their value
 * at 2^-50 eV, so that an ion at rest among atoms at rest still collides.
 *
 * Proof of the bound: a sum of straight lines has its maximum at an edge, and all edges
 * below e_top are evaluated. */
#include "crosssections/xs_ion.h"
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "physics/constants.h"

#define E_MIN_LOG2 (-30)
#define E_LEAST    0x1p-50 /* eV, in the place of 0 */
#define MARGIN     1.000001

struct build {
  const struct wn_xs_ion_spec *spec;
  struct wn_xs_ion_table *t;
  double mass[WN_XS_MAX_GASES];    /* of the targets */
  double reduced[WN_XS_MAX_GASES]; /* masses, kg */
  struct wn_xs_line *row;
};

static int find_masses(struct build *b)
{
  double ion = b->spec->ion_mass;
  for (size_t i = 0; i < b->spec->n_gases; i++) {
    const struct wn_xs_set *set = b->spec->gas[i].set;
    if (set->ion == NULL)
      return WN_FAIL(WN_EINPUT, "%s (%s): cross sections of electrons, not of ions",
                     set->name, set->source);
    if (!(ion > 0.0))
      ion = set->ion_mass;
  }
  for (size_t i = 0; i < b->spec->n_gases; i++) {
    const struct wn_xs_ion_gas *g = &b->spec->gas[i];
    const char *name = g->set->name, *of = g->set->ion, *source = g->set->source;
    b->mass[i] = g->mass > 0.0 ? g->mass : g->set->target_mass;
    if (!(ion > 0.0))
      return WN_FAIL(WN_EINPUT, "%s / %s (%s): the mass of the ion is unknown", of, name,
                     source);
    if (!(b->mass[i] > 0.0))
      return WN_FAIL(WN_EINPUT, "%s / %s (%s): the mass of the target is unknown", of,
                     name, source);
    if (g->set->ion_mass > 0.0 && fabs(g->set->ion_mass - ion) > 0.01 * ion)
      return WN_FAIL(WN_EINPUT,
                     "%s / %s (%s): the ion has %.5g u there, and %.5g u here; these are "
                     "different ions",
                     of, name, source, g->set->ion_mass / WN_AMU, ion / WN_AMU);
    b->reduced[i] = ion * b->mass[i] / (ion + b->mass[i]);
  }
  b->t->ion_mass = ion;
  return WN_OK;
}

static int list_processes(struct build *b)
{
  struct wn_ion_view *v = &b->t->view;
  for (size_t i = 0; i < b->spec->n_gases; i++) {
    const struct wn_xs_set *set = b->spec->gas[i].set;
    v->gas[i].first = v->n_processes;
    for (size_t k = 0; k < set->n; k++) {
      const enum wn_xs_kind kind = set->process[k].kind;
      if (v->n_processes == WN_ION_MAX_PROCESSES)
        return WN_FAIL(WN_EINPUT, "more than %d processes of an ion",
                       WN_ION_MAX_PROCESSES);
      v->process[v->n_processes] = (struct wn_ion_process_view){
          kind == WN_XS_ISOTROPIC ? WN_ION_ISOTROPIC : WN_ION_BACKSCATTER,
          v->n_processes};
      v->n_processes++;
    }
    v->gas[i].end = v->n_processes;
  }
  v->n_gases = (int32_t)b->spec->n_gases;
  return WN_OK;
}

/* Where the first table with policy error ends, in energies of the relative motion. */
static void find_limit(struct build *b)
{
  double limit = INFINITY;
  for (size_t i = 0; i < b->spec->n_gases; i++) {
    const struct wn_xs_ion_gas *g = &b->spec->gas[i];
    const double part = b->reduced[i] / b->t->ion_mass; /* M/(m + M) */
    for (size_t k = 0; g->beyond == WN_XS_BEYOND_ERROR && k < g->set->n; k++) {
      const struct wn_xs_process *p = &g->set->process[k];
      const double last =
          p->energy_ev[p->n - 1] * (g->set->frame == WN_XS_FRAME_LAB ? part : 1.0);
      if (p->sigma[p->n - 1] > 0.0 && last < limit) {
        limit = last;
        b->t->limit_process = p->label;
      }
    }
  }
  b->t->view.limit_ev = (float)limit;
}

/* Collision frequency [1/s] of process k of gas i at energy e of the relative motion. */
static double frequency(const struct build *b, size_t i, size_t k, double e)
{
  const struct wn_xs_ion_gas *g = &b->spec->gas[i];
  const double per_cm = g->set->frame == WN_XS_FRAME_LAB
                            ? b->t->ion_mass / b->reduced[i] /* (m + M)/M */
                            : 1.0;
  return g->density * wn_xs_sigma(g->set, &g->set->process[k], e * per_cm, g->beyond) *
         sqrt(2.0 * e * WN_E / b->reduced[i]);
}

/* Edge i of the bins, eV. */
static double edge(const struct build *b, int32_t i)
{
  const int32_t per = (int32_t)b->spec->bins_per_octave;
  return i == 0 ? E_LEAST
                : ldexp(1.0 + (double)((i - 1) % per) / per, E_MIN_LOG2 + (i - 1) / per);
}

static int make_rows(struct build *b)
{
  struct wn_ion_view *v = &b->t->view;
  const double per = b->spec->bins_per_octave;
  const int octave = (int)floor(log2(b->spec->e_max_ev));
  const double part = ceil((ldexp(b->spec->e_max_ev, -octave) - 1.0) * per - 1e-9);
  v->n_bins = 1 + (octave - E_MIN_LOG2) * (int32_t)per + (int32_t)part;
  v->shift = 23 - (uint32_t)lrint(log2(per));
  v->base = (int32_t)(wn_float_bits(ldexpf(1.0f, E_MIN_LOG2)) >> v->shift) - 1;
  v->e_top = (float)edge(b, v->n_bins);
  const size_t cells = (size_t)v->n_bins * (size_t)v->n_processes;
  b->row = wn_alloc(cells, sizeof *b->row);
  if (b->row == NULL)
    return WN_ENOMEM;
  b->t->row = b->row;
  b->t->bytes = cells * sizeof *b->row;
  v->row = b->row;
  return WN_OK;
}

/* The largest sum of the processes of each gas; nu_max is the sum of these. */
static void find_bound(struct build *b)
{
  struct wn_ion_view *v = &b->t->view;
  double most[WN_XS_MAX_GASES] = {0}, before = 0.0;
  for (size_t i = 0; i < b->spec->n_gases; i++)
    for (int32_t j = 0; j <= v->n_bins; j++) {
      double sum = 0.0;
      for (size_t k = 0; k < b->spec->gas[i].set->n; k++)
        sum += frequency(b, i, k, edge(b, j));
      most[i] = fmax(most[i], sum * MARGIN);
    }
  v->nu_max = 0.0;
  for (size_t i = 0; i < b->spec->n_gases; i++)
    v->nu_max += most[i];
  for (size_t i = 0; i < b->spec->n_gases && v->nu_max > 0.0; i++) {
    before += most[i];
    v->gas[i].share = (float)(most[i] / v->nu_max);
    v->gas[i].upto = (float)(before / v->nu_max);
  }
}

static void fill_rows(struct build *b)
{
  const struct wn_ion_view *v = &b->t->view;
  struct wn_xs_line *to = b->row;
  for (int32_t j = 0; j < v->n_bins; j++) {
    const double width = edge(b, j + 1) - (j > 0 ? edge(b, j) : 0.0);
    for (size_t i = 0; i < b->spec->n_gases; i++)
      for (size_t k = 0; k < b->spec->gas[i].set->n; k++, to++) {
        const double lower = frequency(b, i, k, edge(b, j)),
                     upper = frequency(b, i, k, edge(b, j + 1));
        to->at = v->nu_max > 0.0 ? (float)(lower / v->nu_max) : 0.0f;
        to->slope = v->nu_max > 0.0 ? (float)((upper - lower) / v->nu_max / width) : 0.0f;
      }
  }
}

static void fill_gases(struct build *b)
{
  for (size_t i = 0; i < b->spec->n_gases; i++) {
    struct wn_ion_gas_view *g = &b->t->view.gas[i];
    g->part = (float)(b->reduced[i] / b->t->ion_mass);
    g->per_square = (float)(0.5 * b->reduced[i] / WN_E);
    g->sigma_v = (float)sqrt(WN_KB * b->spec->temperature / b->mass[i]);
  }
}

int wn_xs_ion_table_create(const struct wn_xs_ion_spec *spec,
                           struct wn_xs_ion_table **out)
{
  struct wn_xs_ion_table *t = wn_alloc(1, sizeof *t);
  struct build b = {.spec = spec, .t = t};
  WN_ASSERT(spec->n_gases >= 1 && spec->n_gases <= WN_XS_MAX_GASES &&
            spec->e_max_ev >= 0x1p-29 && spec->bins_per_octave >= 16);
  if (t == NULL)
    return WN_ENOMEM;
  int status = find_masses(&b);
  if (status == WN_OK)
    status = list_processes(&b);
  if (status == WN_OK)
    status = make_rows(&b);
  if (status != WN_OK) {
    wn_xs_ion_table_free(t);
    return status;
  }
  find_limit(&b);
  find_bound(&b);
  fill_rows(&b);
  fill_gases(&b);
  *out = t;
  return WN_OK;
}

void wn_xs_ion_table_free(struct wn_xs_ion_table *t)
{
  if (t != NULL)
    free(t->row);
  free(t);
}

double wn_xs_ion_frequency(const struct wn_xs_ion_table *t, int k, double e_ev)
{
  const struct wn_ion_view *v = &t->view;
  float above;
  const struct wn_xs_line *line =
      v->row + (int64_t)wn_ion_bin(v, (float)e_ev, &above) * v->n_processes + k;
  return ((double)line->at + (double)line->slope * (double)above) * v->nu_max;
}
