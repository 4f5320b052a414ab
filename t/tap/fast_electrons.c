/* t/tap/fast_electrons.c - see fast_electrons.h. */
#include "t/tap/fast_electrons.h"
#include <math.h>
#include <stdlib.h>
#include "base/error.h"
#include "crosssections/xs_moliere.h"
#include "crosssections/xs_set.h"
#include "physics/push.h"
#include "physics/rng.h"
#include "t/tap/tap.h"

void fast_must(int good)
{
  if (!good) {
    diag("out of memory, or a set was refused");
    exit(1);
  }
}

struct wn_xs_set *fast_nitrogen(void)
{
  struct wn_xs_set *set = NULL;
  fast_must(wn_xs_builtin_air("N2", &set) == WN_OK && wn_xs_set_moliere(set) == WN_OK);
  return set;
}

void fast_begin(struct fast_electrons *f, struct wn_xs_set *set, double density,
                double mass, const struct wn_xs_table_spec *table, uint64_t seed,
                double floor_ev)
{
  const struct wn_xs_gas gas = {
      .set = set, .density = density, .mass = mass, .atomic_number = 7.0};
  struct wn_xs_table_spec spec = *table;
  spec.n_gases = 1;
  spec.gas = &gas;
  *f = (struct fast_electrons){.set = set, .seed = seed};
  fast_must(wn_xs_table_create(&spec, &f->table) == WN_OK);
  f->shape = (struct wn_tally_shape){.n_groups = 1, .n_processes = (int)set->n};
  fast_must(wn_tally_init(&f->tally, &f->shape) == WN_OK);
  f->model = (struct wn_model){.ops = &wn_model_mcc, .steps = 1, .data = &f->mcc};
  f->births.record = sizeof(struct wn_electron);
  struct wn_mcc *m = &f->mcc;
  m->xs = f->table->view;
  m->key = wn_rng_key(seed);
  m->inv_nu = (float)(1.0 / m->xs.nu_max);
  m->n_groups = 1;
  m->watch_ev = m->limit_ev = m->stop_ev = INFINITY;
  m->floor_ev = (float)floor_ev;
  wn_mcc_set_field(m);
  wn_mcc_set_bands(m);
}

struct wn_electron fast_fly(struct fast_electrons *f, uint64_t id, double t_ev,
                            double time, int steps)
{
  struct wn_electron e = {.w = 1.0f, .id = id, .t_left = (float)steps};
  e.u[2] = (float)wn_u_from_ev(t_ev);
  e.t_next =
      wn_exponential_f(wn_rng(f->seed, id, 0, WN_RNG_INITIAL, 0).w[0]) * f->mcc.inv_nu;
  f->mcc.t_end = time;
  wn_mcc_set_step(&f->mcc, time, (double)steps);
  f->births.n = 0;
  f->model.ops->advance(&f->model, &e, &f->tally, &f->births);
  fast_must(f->births.status == WN_OK);
  return e;
}

double fast_energy(const struct wn_electron *e)
{
  const double u[3] = {(double)e->u[0], (double)e->u[1], (double)e->u[2]};
  return wn_kinetic_ev(u, wn_gamma(u));
}

void fast_end(struct fast_electrons *f)
{
  wn_tally_clear(&f->tally);
  wn_xs_table_free(f->table);
  wn_xs_free(f->set);
  free(f->births.e);
}
