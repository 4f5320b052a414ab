/* t/tap/world.h - a made-up gas with a process of each kind, and single electrons in it, for tests of
 * physics/mcc*.h.  Inline: each test uses a part. */
#ifndef WN_T_TAP_WORLD_H
#define WN_T_TAP_WORLD_H
#include "base/error.h"
#include "crosssections/xs_table.h"
#include "physics/mcc.h"
#include "physics/mcc_collide.h"
#include "physics/mcc_flight.h"
#include "schedulers/model.h"
#include "t/tap/draw.h"
#include "t/tap/tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The largest relative error of one rounding in single precision. */
#define EPS 0x1p-24

static inline void must(int good)
{
  if (!good) {
    diag("out of memory, or a table was refused");
    exit(1);
  }
}

static inline void add(struct wn_xs_set *set, enum wn_xs_kind kind, const char *product,
                       double loss, double threshold, size_t n, const double (*row)[2])
{
  struct wn_xs_process p = {
      .kind = kind, .loss_ev = loss, .threshold_ev = threshold, .n = n};
  if (kind == WN_XS_IONIZATION)
    p.orbital = (struct wn_xs_orbital){15.58, 54.91, 2.0};
  p.target = strdup(set->name);
  p.product = strdup(product);
  p.energy_ev = calloc(n, sizeof(double));
  p.sigma = calloc(n, sizeof(double));
  must(p.energy_ev != NULL && p.sigma != NULL);
  for (size_t i = 0; i < n; i++) {
    p.energy_ev[i] = row[i][0];
    p.sigma[i] = row[i][1] * 1e-20;
  }
  must(wn_xs_append(set, &p) == WN_OK);
}

#define ROWS(a) sizeof(a) / sizeof(a)[0], a
static const double elastic[][2] = {{0.0, 3.0},  {1.0, 4.0},  {30.0, 4.0}, {1e3, 5e-2},
                                    {1e4, 5e-4}, {1e5, 8e-6}, {3e6, 2e-8}};
static const double attach[][2] = {{0.5, 0.5}, {5.0, 0.5}, {3e6, 0.5}};
static const double excite[][2] = {
    {2.0, 1.0}, {3e6, 1.0}}; /* at once at its threshold: the hardest to keep */
static const double cool[][2] = {{0.0, 0.5}, {3e6, 0.5}};
static const double ionize[][2] = {{15.58, 0.0}, {20.0, 1.0}, {3e6, 2.0}};

struct world {
  struct wn_xs_set *set;
  struct wn_xs_table *table;
  struct wn_model model; /* of data mcc */
  struct wn_mcc mcc;
  struct wn_tally tally;
  struct wn_tally_shape shape;
  struct wn_births births;
};

enum { ELASTIC, ATTACHMENT, EXCITATION, COOLING, IONIZATION, N_PROCESSES };

static inline void finish_world(struct world *w, double mass, double temperature,
                                double thermal_below, int angle, int share, double e_max)
{
  struct wn_xs_gas gas = {.set = w->set,
                          .beyond = WN_XS_BEYOND_CONSTANT,
                          .density = 1e25,
                          .mass = mass,
                          .opal_ev = 13.0,
                          .atomic_number = 7.0};
  struct wn_xs_table_spec spec = {.n_gases = 1,
                                  .gas = &gas,
                                  .temperature = temperature,
                                  .thermal_below_ev = thermal_below,
                                  .angle_model = angle,
                                  .share_model = share,
                                  .bins_per_octave = 64,
                                  .e_max_ev = e_max};
  must(wn_xs_table_create(&spec, &w->table) == WN_OK);
  w->shape = (struct wn_tally_shape){.n_groups = 1, .n_processes = (int)w->set->n};
  must(wn_tally_init(&w->tally, &w->shape) == WN_OK);
  w->model = (struct wn_model){.ops = &wn_model_mcc, .steps = 1, .data = &w->mcc};
  w->births.record = sizeof(struct wn_electron);
  struct wn_mcc *m = &w->mcc;
  m->xs = w->table->view;
  m->key = wn_rng_key(140);
  m->inv_nu = (float)(1.0 / m->xs.nu_max);
  m->t_end = 1.0 / m->xs.nu_max;
  wn_mcc_set_step(m, m->t_end, 1.0);
  m->n_groups = 1;
  m->watch_ev = INFINITY;
  m->limit_ev = m->stop_ev = INFINITY;
}

static inline struct wn_xs_set *new_set(void)
{
  struct wn_xs_set *set = calloc(1, sizeof *set);
  must(set != NULL);
  set->name = strdup("A");
  set->source = strdup("made up");
  return set;
}

static inline void make_world(struct world *w, double temperature, double thermal_below,
                              int angle, int share, double e_max)
{
  *w = (struct world){.set = new_set()};
  add(w->set, WN_XS_ELASTIC, "A", 0.0, 0.0, ROWS(elastic));
  add(w->set, WN_XS_ATTACHMENT, "A-", 0.0, 0.5, ROWS(attach));
  add(w->set, WN_XS_EXCITATION, "A*", 2.0, 2.0, ROWS(excite));
  add(w->set, WN_XS_EXCITATION, "A(cold)", -0.3, 0.0, ROWS(cool));
  add(w->set, WN_XS_IONIZATION, "A+", 15.58, 15.58, ROWS(ionize));
  finish_world(w, 28.0 * WN_AMU, temperature, thermal_below, angle, share, e_max);
}

static inline void clear_world(struct world *w)
{
  wn_tally_clear(&w->tally);
  wn_xs_table_free(w->table);
  wn_xs_free(w->set);
  free(w->births.e);
}

/* Candidates at the rate nu_max whatever the energy; t0142-bands.c has the others. */
static inline struct wn_mcc_kind all_bands(const struct wn_mcc *m)
{
  struct wn_mcc_kind kind = wn_mcc_kind(m);
  kind.banded = 0;
  return kind;
}

/* An electron whose candidate is due now; returns the process that happened, or -1. */
static inline int hit(struct world *w, struct wn_electron *e, struct wn_mcc_reg *r,
                      struct wn_electron *child, int *what)
{
  wn_i128 before[N_PROCESSES];
  for (int k = 0; k < N_PROCESSES; k++)
    before[k] = w->tally.count[k];
  wn_mcc_load(&w->mcc, e, r);
  /* the first candidate of the event alone, as wn_mcc_flights does it */
  uint32_t event = e->event++;
  struct wn_rng4 words = wn_rng(w->mcc.key.seed, e->id, event, WN_RNG_EVENT, 0);
  uint32_t choice = words.w[0];
  const struct wn_mcc_parabola p = wn_mcc_parabola(&w->mcc.uniform, r->u);
  const struct wn_mcc_kind kind = all_bands(&w->mcc);
  *what = wn_mcc_fly(&w->mcc, kind, r, &p, e, 0, &w->tally, &choice, words.w[1]);
  wn_mcc_commit(&w->mcc, wn_mcc_kind(&w->mcc), e, r);
  if (*what == WN_MCC_EVENT)
    *what = wn_mcc_collide(&w->mcc, wn_mcc_kind(&w->mcc), r, e, 0, &w->tally, child,
                           event, choice);
  for (int k = 0; k < N_PROCESSES; k++)
    if (w->tally.count[k] != before[k])
      return k;
  return -1;
}

/* Not inlined: gcc 12 at -O3 otherwise leaves out the rounding to float of two components where they become double again
 * (-fno-tree-slp-vectorize has it right). */
static __attribute__((noinline, unused)) void make_electron(struct wn_electron *e,
                                                            uint64_t id, double t_ev)
{
  double d[3], u = wn_u_from_ev(t_ev);
  wn_angle_isotropic(d, uniform(), uniform());
  *e = (struct wn_electron){.w = 1.0f, .id = id, .t_left = 1.0f, .t_next = 0.0f};
  for (int i = 0; i < 3; i++)
    e->u[i] = (float)(u * d[i]);
}

#endif
