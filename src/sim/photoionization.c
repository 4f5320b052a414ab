/* src/sim/photoionization.c - photons that ionization emits, and the pairs that they leave: see photoionization.h. */
#include "src/sim/photoionization.h"
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/ranks.h"
#include "base/threads.h"
#include "device/gpu.h"
#include "particles/load_balance.h"
#include "physics/angle.h"
#include "physics/emission.h"
#include "physics/photon_pairs.h"
#include "physics/single_precision.h"
#include "src/config/photoionization.h"
#include "src/config/plasma_derived.h"
#include "src/sim/ion_maker.h"
#include "src/sim/operators.h"

extern const struct wn_operator_ops wn_operator_photoionization;

/* Members of struct wn_photon_sums, for sums over ranks. */
#define N_SUMS (sizeof(struct wn_photon_sums) / sizeof(wn_i128))

/* Newborns below which one thread flies all photons. */
#define MANY 4096

/* Photons of a thread: what they leave (struct wn_photon_pair), and their sums. */
struct flights {
  struct wn_births pairs;
  struct wn_photon_sums sums;
};

struct photoionization {
  struct wn_operator operator; /* the head of every operator */
  struct wn_gpu *gpu;          /* device of both species; NULL: the host */
  struct wn_species *electrons;
  const struct wn_mcc_grid *grid; /* of their model */
  struct wn_ion_maker ions;
  size_t of_electrons, of_ions; /* numbers of the species */
  uint64_t seed;
  struct wn_photon_source is;
  struct wn_gpu_photon_pairs *on_gpu; /* its photons fly there; NULL: on the host */
  double speed;                       /* gamma v of a new electron, m/s */
  double pairs_per_step;              /* above it wanted weights grow; 0: they do not */
  int threads;
  struct flights *of; /* [threads] */
  /* in this step */
  struct wn_births made, made_ions;
  wn_i128 energy, ion_energy;
  struct wn_photon_sums now, all; /* all: of the case, over all ranks */
};

static struct photoionization *of(struct wn_operator *o)
{
  return (struct photoionization *)(void *)o;
}

/* ---- pairs */

static void make_pair(struct photoionization *o, const struct wn_photon_pair *p)
{
  const struct wn_rng4 name = wn_photon_words(&o->is.key, p->id, p->photon,
                                              WN_PHOTON_BLOCK_NAME),
                       r = wn_photon_words(&o->is.key, p->id, p->photon,
                                           WN_PHOTON_BLOCK_ELECTRON);
  struct wn_electron e = {.w = p->w,
                          .id = (uint64_t)name.w[1] << 32 | name.w[0],
                          .t_next = wn_exponential_f(name.w[2]) *
                                    wn_species_mcc(o->electrons)->inv_nu};
  union wn_ion_record ion;
  double n[3];
  wn_angle_isotropic(n, wn_u01(r.w[0]), wn_u01(r.w[1]));
  for (int d = 0; d < 3; d++) {
    e.at[d] = p->at[d];
    e.u[d] = (float)(o->speed * n[d]);
  }
  wn_births_push(&o->made, &e);
  wn_tally_sum(&o->energy, (double)e.w * wn_point_energy_ev(&o->grid->points, 3, e.u),
               WN_FIX_ENERGY);
  wn_tally_sum(&o->ion_energy, wn_ion_maker_record(&o->ions, o->grid, &e, o->seed, &ion),
               WN_FIX_ENERGY);
  wn_births_push(&o->made_ions, &ion);
}

static int make_pairs(struct photoionization *o, const struct wn_photon_pair *p, size_t n)
{
  for (size_t i = 0; i < n; i++)
    make_pair(o, &p[i]);
  return o->made.status == WN_OK ? o->made_ions.status : o->made.status;
}

static void add_sums(struct wn_photon_sums *to, const struct wn_photon_sums *more)
{
  wn_i128 *sum = &to->emitted;
  const wn_i128 *x = &more->emitted;
  for (size_t i = 0; i < N_SUMS; i++)
    sum[i] += x[i];
}

/* ---- the photons of newborns */

/* Of newborns that one thread has, in their order. */
static void fly(const struct wn_photon_source *is, const struct wn_electron *e, size_t n,
                struct flights *f)
{
  for (size_t i = 0; i < n; i++) {
    struct wn_photon_pair pair;
    float w;
    const uint32_t photons =
        wn_photon_emitted(&is->key, is->yield, is->weight, &e[i], &w);
    f->sums.emitted += (wn_i128)photons * wn_quanta(w);
    for (uint32_t j = 0; j < photons; j++)
      if (wn_photon_leaves_pair(is, &e[i], j, w, &f->sums, &pair))
        wn_births_push(&f->pairs, &pair);
  }
}

static void forget_flights(struct flights *f)
{
  f->pairs.n = 0;
  f->sums = (struct wn_photon_sums){0};
}

/* Each thread has a part of the newborns; their pairs are in the order of one thread. */
static int born_here(struct photoionization *o, const struct wn_electron *e, size_t n)
{
  const int threads = n < MANY ? 1 : o->threads;
  for (int k = 0; k < threads; k++)
    forget_flights(&o->of[k]);
#ifdef _OPENMP
#pragma omp parallel num_threads(threads)
#endif
  for (int k = wn_thread(); k < threads; k += wn_team()) {
    const size_t first = wn_thread_part(n, k, threads);
    fly(&o->is, e + first, wn_thread_part(n, k + 1, threads) - first, &o->of[k]);
  }
  for (int k = 0; k < threads; k++) {
    struct flights *f = &o->of[k];
    WN_TRY(f->pairs.status);
    add_sums(&o->now, &f->sums);
    WN_TRY(make_pairs(o, (const struct wn_photon_pair *)(const void *)f->pairs.e,
                      f->pairs.n));
  }
  return WN_OK;
}

static int by_photon(const void *a, const void *b)
{
  const struct wn_photon_pair *p = a, *q = b;
  const int of_id = (p->id > q->id) - (p->id < q->id);
  return of_id != 0 ? of_id : (p->photon > q->photon) - (p->photon < q->photon);
}

/* The newborns of the host are in the order of their ids (src/sim/ion_products.c), which is the same
 * for every scheduler; pairs of a GPU come in any order. */
static int born_on_gpu(struct photoionization *o, struct wn_species *s, size_t first)
{
  struct wn_photon_pair *pair = NULL;
  size_t n = 0;
  WN_TRY(wn_gpu_photon_pairs_make(o->on_gpu, &s->p, first, o->is.pairs.factor, &o->now,
                                  &pair, &n));
  if (n > 0)
    qsort(pair, n, sizeof *pair, by_photon);
  return make_pairs(o, pair, n);
}

/* ---- the operator */

static void forget_step(struct photoionization *o)
{
  o->made.n = o->made_ions.n = 0;
  o->energy = o->ion_energy = 0;
  o->now = (struct wn_photon_sums){0};
}

/* Ionization alone gives birth in a flight. */
static int born(struct wn_operator *operator, struct wn_species * s, size_t first)
{
  struct photoionization *o = of(operator);
  if (s != o->electrons)
    return WN_OK;
  if (s->p.place == WN_PARTICLES_REMOTE)
    return born_on_gpu(o, s, first);
  WN_TRY(wn_particles_host(&s->p));
  const struct wn_electron *e = wn_particles_electrons(&s->p);
  return born_here(o, e + first, s->p.n - first);
}

static int apply(struct wn_operator *operator, struct wn_sim * s)
{
  struct photoionization *o = of(operator);
  WN_TRY(wn_species_append(o->electrons, o->gpu, o->made.e, o->made.n));
  WN_TRY(
      wn_species_append(s->species[o->of_ions], o->gpu, o->made_ions.e, o->made_ions.n));
  wn_energy_changed_by(s, WN_ENERGY_CREATED, o->of_electrons, o->energy);
  wn_energy_changed_by(s, WN_ENERGY_CREATED, o->of_ions, o->ion_energy);
  wn_ranks_sum(&o->now.emitted, N_SUMS);
  if (o->pairs_per_step > 0.0)
    o->is.pairs.factor =
        wn_pair_factor(o->is.pairs.factor, (double)o->now.pairs, o->pairs_per_step);
  add_sums(&o->all, &o->now);
  forget_step(o);
  return WN_OK;
}

static void begin(struct wn_operator *operator)
{
  struct photoionization *o = of(operator);
  forget_step(o);
  o->all = (struct wn_photon_sums){0};
  o->is.pairs.factor = 1.0;
}

static int state(struct wn_operator *operator, struct wn_state * st)
{
  WN_TRY(WN_STATE(st, of(operator)->is.pairs.factor));
  return WN_STATE(st, of(operator)->all);
}

static void destroy(struct wn_operator *operator)
{
  struct photoionization *o = of(operator);
  for (int k = 0; k < o->threads && o->of != NULL; k++)
    free(o->of[k].pairs.e);
  free(o->of);
  free(o->made.e);
  free(o->made_ions.e);
  wn_gpu_photon_pairs_free(o->on_gpu);
  free(o);
}

/* What emits and absorbs, with a grid that has no field. */
static struct wn_photon_source source(const struct wn_config *c,
                                      const struct wn_grid_view *grid)
{
  struct wn_photon_source is = {.key = wn_rng_key(c->seed),
                                .yield = wn_photoionization_yield(c),
                                .gas = wn_photoionization_gas(c),
                                .grid = *grid,
                                .pairs = wn_photoionization_pairs(c)};
  is.grid.e = is.grid.eb = NULL;
  /* in whole quanta, so that numbers of particles are those of photons */
  if (c->plasma.photoionization.weight != WN_AUTO)
    is.weight =
        (float)(rint(c->plasma.photoionization.weight * WN_QUANTA) / (double)WN_QUANTA);
  return is;
}

static int make_room(struct photoionization *o)
{
  o->of = wn_alloc((size_t)o->threads, sizeof *o->of);
  if (o->of == NULL)
    return WN_ENOMEM;
  for (int k = 0; k < o->threads; k++)
    o->of[k].pairs.record = sizeof(struct wn_photon_pair);
  return o->gpu == NULL ? WN_OK : wn_gpu_photon_pairs_create(o->gpu, &o->is, &o->on_gpu);
}

static int create(struct wn_sim *s, struct wn_operator **out)
{
  const struct wn_config *c = s->c;
  if (!wn_photoionization_is_on(c))
    return WN_OK;
  struct photoionization *o = wn_alloc(1, sizeof *o);
  if (o == NULL)
    return WN_ENOMEM;
  o->operator.ops = & wn_operator_photoionization;
  o->gpu = s->gpu;
  o->of_electrons = (size_t)(wn_config_photo_electrons(c) - c->species);
  o->electrons = s->species[o->of_electrons];
  o->grid = &wn_species_mcc(o->electrons)->grid;
  o->ions = wn_ion_maker(s, c->plasma.photoionization.ions);
  o->of_ions = o->ions.number;
  o->seed = c->seed;
  o->is = source(c, &o->grid->points.grid);
  o->threads = wn_threads(c->threads);
  o->pairs_per_step = (double)c->plasma.photoionization.pairs_per_step;
  o->speed = wn_emission_speed(c->plasma.photoionization.energy_ev, WN_ME, 1);
  o->made.record = o->electrons->p.record.bytes;
  o->made_ions.record = o->ions.to->record.bytes;
  const int status = make_room(o);
  if (status != WN_OK) {
    destroy(&o->operator);
    return status;
  }
  *out = &o->operator;
  return WN_OK;
}

static const struct photoionization *find(const struct wn_sim *s)
{
  for (size_t i = 0; i < s->n_operators; i++)
    if (s->operators[i]->ops == &wn_operator_photoionization)
      return of(s->operators[i]);
  return NULL;
}

struct wn_photon_sums wn_photoionization_sums(const struct wn_sim *s)
{
  const struct photoionization *o = find(s);
  return o != NULL ? o->all : (struct wn_photon_sums){0};
}

double wn_photoionization_born(const struct wn_sim *s, size_t k)
{
  const struct photoionization *o = find(s);
  if (o == NULL || (k != o->of_electrons && k != o->of_ions))
    return 0.0;
  return (double)o->all.absorbed / WN_QUANTA * wn_loading_weight(s->c, &s->c->species[k]);
}

const struct wn_operator_ops wn_operator_photoionization = {
    .create = create,
    .begin = begin,
    .born = born,
    .apply = apply,
    .state = state,
    .free = destroy,
};
