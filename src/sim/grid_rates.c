/* src/sim/grid_rates.c - see grid_rates.h. */
#include "src/sim/grid_rates.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "crosssections/xs_set.h"
#include "physics/constants.h"
#include "physics/ion.h"
#include "src/sim/plasma_points.h"
#include "src/stats/energy_table.h"
#include "src/stats/expected_rates.h"
#include "src/stats/ion_frequencies.h"

#define PER_BOUND 0x1p48 /* units of the bound on the collision frequency */

struct wn_grid_rates {
  struct wn_energy_table of_ions[WN_MAX_SPECIES]; /* frequencies of all processes */
};

/* ---- names */

#define WORD_OF(KIND, name, file) [WN_PROC_##KIND] = name,
static const char *const electron_kinds[] = {
    WN_PROCESSES(WORD_OF, WORD_OF, WORD_OF, WORD_OF)};
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

int wn_grid_rates_create(const struct wn_sim *s, struct wn_grid_rates **out)
{
  struct wn_grid_rates *r = wn_alloc(1, sizeof *r);
  int status = r != NULL ? WN_OK : WN_ENOMEM;
  for (size_t k = 0; k < s->n_species && status == WN_OK; k++) {
    if (!wn_config_is_ion(&s->c->species[k]))
      continue;
    const struct wn_ion *m = s->species[k]->model.data;
    double part = 1.0;
    for (int32_t g = 0; g < m->xs.n_gases; g++)
      part = fmin(part, (double)m->xs.gas[g].part);
    status =
        wn_energy_table_create(-20, (double)m->xs.e_top / part, (size_t)m->xs.n_processes,
                               ion_frequencies, m, &r->of_ions[k]);
  }
  if (status != WN_OK) {
    wn_grid_rates_free(r);
    return status;
  }
  *out = r;
  return WN_OK;
}

void wn_grid_rates_free(struct wn_grid_rates *r)
{
  for (size_t k = 0; r != NULL && k < WN_MAX_SPECIES; k++)
    wn_energy_table_clear(&r->of_ions[k]);
  free(r);
}

/* ---- particles */

struct collider {
  const struct wn_points *points;
  const struct wn_xs_view *xs;           /* of electrons; NULL: of ions */
  const struct wn_energy_table *of_ions; /* their frequencies */
  double per_unit;                       /* s */
  int n;
  const struct wn_rate_choice *const *rate;
};

static int rates_of(const void *data, struct wn_node_particle *p,
                    int64_t value[WN_NODE_VALUES])
{
  const struct collider *o = data;
  const struct wn_points *m = o->points;
  const double e_ev = wn_point_energy_ev(m, wn_point_velocities(m->kind), p->u);
  for (int a = 0; a < o->n; a++) {
    double sum = 0.0;
    for (size_t i = 0; i < o->rate[a]->n; i++) {
      const int k = o->rate[a]->process[i];
      sum += o->xs != NULL ? wn_expected_frequency(o->xs, k, e_ev)
                           : wn_energy_table_at(o->of_ions, (size_t)k, e_ev);
    }
    value[a] = llrint(sum * o->per_unit);
  }
  wn_point_place(m, m->grid.dim, p->x, p->cell, p->part);
  return WN_NODE_ADD;
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
  struct collider o = {.points = wn_plasma_points(one),
                       .xs = xs,
                       .of_ions = &r->of_ions[k],
                       .per_unit = bound > 0.0 ? PER_BOUND / bound : 0.0};
  for (size_t i = 0; i < n; i += WN_NODE_VALUES) {
    const size_t left = n - i;
    o.rate = rate + i;
    o.n = (int)(left < WN_NODE_VALUES ? left : WN_NODE_VALUES);
    struct wn_node_values what = {.n = o.n, .of = rates_of, .data = &o};
    for (int a = 0; a < o.n; a++) {
      what.axis[a] = -1;
      what.unit[a] = bound / PER_BOUND;
    }
    WN_TRY(wn_node_sums_take(m, s->c, k, one, &what, out + i * wn_field_nodes(s->field)));
  }
  return WN_OK;
}
