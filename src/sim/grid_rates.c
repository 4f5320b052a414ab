/* src/sim/grid_rates.c - see grid_rates.h. */
#include "src/sim/grid_rates.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "crosssections/xs_set.h"
#include "device/gpu.h"
#include "physics/constants.h"
#include "physics/ion.h"
#include "src/sim/plasma_points.h"
#include "src/stats/energy_table.h"
#include "src/stats/ion_frequencies.h"

#define PER_BOUND 0x1p48 /* units of the bound on the collision frequency */

struct wn_grid_rates {
  struct wn_energy_table of_ions[WN_MAX_SPECIES]; /* frequencies of all processes */
  /* The same on the GPU, and what wn_expected_frequency reads of the view of electrons */
  struct wn_gpu *gpu;
  struct wn_energy_table ions_there[WN_MAX_SPECIES];
  struct wn_gpu_copy bin, part, process, row, of[WN_MAX_SPECIES];
};

/* ---- names */

#define WORD_OF(KIND, name, file) [WN_PROC_##KIND] = name,
static const char *const electron_kinds[] = {
    WN_PROCESSES(WORD_OF, WORD_OF, WORD_OF, WORD_OF, WORD_OF)};
static const char *const ion_kinds[] = {
    [WN_ION_ISOTROPIC] = "isotropic", [WN_ION_BACKSCATTER] = "backscatter"};

/* Process number `index` over all sets. */
static const struct wn_xs_process *process_of(struct wn_xs_set *const *set, size_t n,
                                              int index)
{
  size_t left = (size_t)index;
  for (size_t i = 0; i < n; i++) {
    if (left < set[i]->n)
      return &set[i]->process[left];
    left -= set[i]->n;
  }
  return NULL;
}

static void choose(struct wn_rate_choice *out, int k, const char *kind,
                   const struct wn_xs_process *p, const char *name)
{
  if ((strcmp(kind, name) == 0 || (p != NULL && wn_xs_named_by(p, name))) &&
      out->n < WN_RATE_PROCESSES)
    out->process[out->n++] = (uint16_t)k;
}

void wn_grid_rate_choice(const struct wn_config *c, const struct wn_gas *gas, size_t k,
                         const char *name, struct wn_rate_choice *out)
{
  out->n = 0;
  if (gas == NULL)
    return;
  if (wn_config_is_electron(&c->species[k])) {
    const struct wn_xs_view *v = &gas->table->view;
    for (int i = 0; i < v->n_processes; i++)
      choose(out, i, electron_kinds[v->process[i].kind],
             process_of(gas->set, gas->n, v->process[i].index), name);
  } else if (gas->ions[k] != NULL) {
    const struct wn_gas_ions *ions = gas->ions[k];
    const struct wn_ion_view *v = &ions->table->view;
    for (int i = 0; i < v->n_processes; i++)
      choose(out, i, ion_kinds[v->process[i].kind],
             process_of(ions->set, ions->n, v->process[i].index), name);
  }
}

int wn_grid_rates_check(const struct wn_config *c, const struct wn_gas *gas)
{
  struct wn_rate_choice *choice = wn_alloc(1, sizeof *choice);
  int status = choice != NULL ? WN_OK : WN_ENOMEM;
  for (size_t i = 0; i < c->plasma.n_averages && status == WN_OK; i++) {
    const struct wn_cfg_average *a = &c->plasma.averages[i];
    for (size_t r = 0; r < a->n_rates && status == WN_OK; r++) {
      size_t found = 0;
      for (size_t k = 0; k < c->n_species; k++) {
        wn_grid_rate_choice(c, gas, k, a->rates[r], choice);
        found += choice->n;
      }
      if (found == 0)
        status =
            WN_FAIL(WN_EINPUT,
                    "%s: key `plasma.averages.%s.rates`: \"%s\" is no process of a "
                    "species with collisions; allowed: the kinds elastic, excitation, "
                    "ionization, attachment, of ions isotropic and backscatter, or a "
                    "label that `wilson xs FILE` prints",
                    c->file, a->name, a->rates[r]);
    }
  }
  free(choice);
  return status;
}

/* ---- tables */

static void ion_frequencies(const void *data, double e_ev, double *value)
{
  const struct wn_ion *m = data;
  wn_ion_frequencies(&m->xs, sqrt(e_ev / (double)m->energy_ev), value);
}

static int tabulate(struct wn_grid_rates *r, const struct wn_sim *s, size_t k)
{
  const struct wn_ion *m = s->species[k]->model.data;
  double part = 1.0;
  for (int32_t g = 0; g < m->xs.n_gases; g++)
    part = fmin(part, (double)m->xs.gas[g].part);
  return wn_energy_table_create(-20, (double)m->xs.e_top / part,
                                (size_t)m->xs.n_processes, ion_frequencies, m,
                                &r->of_ions[k]);
}

/* What sums on the GPU read. */
static int copy(struct wn_grid_rates *r, const struct wn_sim *s)
{
  const struct wn_xs_view *xs = &s->gas->table->view;
  r->gpu = s->gpu;
  WN_TRY(wn_gpu_copy(r->gpu, xs->bin, (size_t)xs->n_bins * sizeof *xs->bin, &r->bin));
  WN_TRY(wn_gpu_copy(r->gpu, xs->part, xs->n_parts * sizeof *xs->part, &r->part));
  WN_TRY(wn_gpu_copy(r->gpu, xs->process, (size_t)xs->n_processes * sizeof *xs->process,
                     &r->process));
  WN_TRY(wn_gpu_copy(r->gpu, xs->row,
                     (size_t)xs->n_processes * xs->n_segments * sizeof *xs->row,
                     &r->row));
  for (size_t k = 0; k < s->n_species; k++) {
    const struct wn_energy_table *t = &r->of_ions[k];
    if (t->value == NULL)
      continue;
    WN_TRY(wn_gpu_copy(r->gpu, t->value, wn_energy_table_bytes(t), &r->of[k]));
    r->ions_there[k] = *t;
    r->ions_there[k].value = r->of[k].at;
  }
  return WN_OK;
}

int wn_grid_rates_create(const struct wn_sim *s, struct wn_grid_rates **out)
{
  struct wn_grid_rates *r = wn_alloc(1, sizeof *r);
  int status = r != NULL ? WN_OK : WN_ENOMEM;
  for (size_t k = 0; k < s->n_species && status == WN_OK; k++)
    if (wn_config_is_ion(&s->c->species[k]))
      status = tabulate(r, s, k);
  if (status == WN_OK && s->gpu != NULL)
    status = copy(r, s);
  if (status != WN_OK) {
    wn_grid_rates_free(r);
    return status;
  }
  *out = r;
  return WN_OK;
}

void wn_grid_rates_free(struct wn_grid_rates *r)
{
  for (size_t k = 0; r != NULL && k < WN_MAX_SPECIES; k++) {
    wn_energy_table_clear(&r->of_ions[k]);
    wn_gpu_copy_free(r->gpu, &r->of[k]);
  }
  if (r != NULL) {
    wn_gpu_copy_free(r->gpu, &r->bin);
    wn_gpu_copy_free(r->gpu, &r->part);
    wn_gpu_copy_free(r->gpu, &r->process);
    wn_gpu_copy_free(r->gpu, &r->row);
  }
  free(r);
}

/* ---- particles */

/* The view of a species of electrons, on the GPU. */
static struct wn_xs_view view_there(const struct wn_grid_rates *r,
                                    const struct wn_xs_view *xs)
{
  struct wn_xs_view v = *xs;
  v.bin = r->bin.at;
  v.part = r->part.at;
  v.process = r->process.at;
  v.row = r->row.at;
  return v;
}

/* The first rates, at most n, whose processes fit. */
static void choose_rates(size_t n, const struct wn_rate_choice *const *rate, double unit,
                         struct wn_node_values *what)
{
  what->n = 0;
  while ((size_t)what->n < n && what->n < WN_NODE_VALUES &&
         what->first[what->n] + rate[what->n]->n <= WN_NODE_PROCESSES) {
    const struct wn_rate_choice *one = rate[what->n];
    const uint32_t first = what->first[what->n];
    memcpy(&what->process[first], one->process, one->n * sizeof *one->process);
    what->odd[what->n] = 0;
    what->unit[what->n++] = unit;
    what->first[what->n] = first + (uint32_t)one->n;
  }
}

int wn_grid_rates_take(struct wn_grid_rates *r, struct wn_node_sums *m,
                       const struct wn_sim *s, size_t k, size_t n,
                       const struct wn_rate_choice *const *rate, double *out)
{
  struct wn_species *one = s->species[k];
  const int is_electron = wn_config_is_electron(&s->c->species[k]);
  const struct wn_xs_view *xs = is_electron ? &wn_species_mcc(one)->xs : NULL;
  const double bound =
      is_electron ? xs->nu_max : ((const struct wn_ion *)one->model.data)->xs.nu_max;
  struct wn_node_values what;
  static_assert(WN_RATE_PROCESSES <= WN_NODE_PROCESSES, "one rate fits");
  for (size_t i = 0; i < n; i += (size_t)what.n) {
    int on_gpu;
    wn_node_sums_prepare(one, &what);
    what.what = is_electron ? WN_NODE_RATES_OF_ELECTRONS : WN_NODE_RATES_OF_IONS;
    what.per_unit = bound > 0.0 ? PER_BOUND / bound : 0.0;
    choose_rates(n - i, rate + i, bound / PER_BOUND, &what);
    WN_TRY(wn_node_sums_on_gpu(m, one, what.n, &on_gpu));
    if (is_electron)
      what.xs = on_gpu ? view_there(r, xs) : *xs;
    what.table = on_gpu ? r->ions_there[k] : r->of_ions[k];
    WN_TRY(wn_node_sums_take(m, s->c, k, one, &what, on_gpu,
                             out + i * wn_field_nodes(s->field)));
  }
  return WN_OK;
}
