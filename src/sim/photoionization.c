/* src/sim/photoionization.c - photons that ionization emits, flown and absorbed on the host: see photoionization.h. */
#include "src/sim/photoionization.h"
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/ranks.h"
#include "device/gpu.h"
#include "particles/load_balance.h"
#include "physics/angle.h"
#include "physics/emission.h"
#include "physics/photoionization.h"
#include "physics/shape.h"
#include "physics/single_precision.h"
#include "src/config/photoionization.h"
#include "src/config/plasma_derived.h"
#include "src/sim/ion_maker.h"
#include "src/sim/operators.h"

extern const struct wn_operator_ops wn_operator_photoionization;

/* Members of struct wn_photon_sums, for sums over ranks. */
#define N_SUMS (sizeof(struct wn_photon_sums) / sizeof(wn_i128))

struct photoionization {
  struct wn_operator operator; /* the head of every operator */
  struct wn_gpu *gpu;          /* device of both species; NULL: the host */
  struct wn_species *electrons;
  const struct wn_mcc_grid *grid; /* of their model */
  struct wn_ion_maker ions;
  size_t of_electrons, of_ions; /* numbers of the species */
  struct wn_rng_key key;
  uint64_t seed;
  struct wn_photon_gas gas;
  double yield; /* photons of weight w per ionization of weight w */
  float weight; /* of a new pair; 0: that of the ionizing electron */
  double speed; /* gamma v of a new electron, m/s */
  /* in this step */
  struct wn_births made, made_ions;
  wn_i128 energy, ion_energy;
  struct wn_photon_sums now, all; /* all: of the case, over all ranks */
};

static struct photoionization *of(struct wn_operator *o)
{
  return (struct photoionization *)(void *)o;
}

/* ---- one photon */

static void make_pair(struct photoionization *o, const struct wn_electron *released,
                      uint32_t first, const int32_t at[3], float w)
{
  const struct wn_rng4 name = wn_rng_with(&o->key, released->id, 0, WN_RNG_PHOTON,
                                          first + WN_PHOTON_BLOCK_NAME),
                       r = wn_rng_with(&o->key, released->id, 0, WN_RNG_PHOTON,
                                       first + WN_PHOTON_BLOCK_ELECTRON);
  struct wn_electron e = {.w = w,
                          .id = (uint64_t)name.w[1] << 32 | name.w[0],
                          .t_next = wn_exponential_f(name.w[2]) *
                                    wn_species_mcc(o->electrons)->inv_nu};
  union wn_ion_record ion;
  double n[3];
  wn_angle_isotropic(n, wn_u01(r.w[0]), wn_u01(r.w[1]));
  for (int d = 0; d < 3; d++) {
    e.at[d] = at[d];
    e.u[d] = (float)(o->speed * n[d]);
  }
  wn_births_push(&o->made, &e);
  wn_tally_sum(&o->energy, (double)w * wn_point_energy_ev(&o->grid->points, 3, e.u),
               WN_FIX_ENERGY);
  wn_tally_sum(&o->ion_energy, wn_ion_maker_record(&o->ions, o->grid, &e, o->seed, &ion),
               WN_FIX_ENERGY);
  wn_births_push(&o->made_ions, &ion);
}

/* Photon j of an ionization, of weight w. */
static void emit(struct photoionization *o, const struct wn_electron *released,
                 uint32_t j, float w)
{
  const uint32_t first = WN_PHOTON_BLOCKS * j;
  const struct wn_rng4 r = wn_rng_with(&o->key, released->id, 0, WN_RNG_PHOTON,
                                       first + WN_PHOTON_BLOCK_FLIGHT);
  const int64_t quanta = wn_quanta(w);
  int32_t at[3] = {released->at[0], released->at[1], released->at[2]};
  double n[3];
  wn_angle_isotropic(n, wn_u01(r.w[2]), wn_u01(r.w[3]));
  const int side = wn_photon_fly(&o->grid->points.grid, n,
                                 wn_photon_length(&o->gas, r.w[0], r.w[1]), at);
  o->now.emitted += quanta;
  if (side >= 0) {
    o->now.left[side] += quanta;
    return;
  }
  o->now.absorbed += quanta;
  make_pair(o, released, first, at, w);
}

static int emit_all(struct photoionization *o, const struct wn_electron *released)
{
  float w;
  const uint32_t n = wn_photon_emitted(&o->key, o->yield, o->weight, released, &w);
  for (uint32_t j = 0; j < n; j++)
    emit(o, released, j, w);
  return o->made.status == WN_OK ? o->made_ions.status : o->made.status;
}

/* ---- the operator */

static void forget_step(struct photoionization *o)
{
  o->made.n = o->made_ions.n = 0;
  o->energy = o->ion_energy = 0;
  o->now = (struct wn_photon_sums){0};
}

static int by_id(const void *a, const void *b)
{
  const uint64_t x = ((const struct wn_electron *)a)->id,
                 y = ((const struct wn_electron *)b)->id;
  return x < y ? -1 : x > y;
}

/* A GPU finds the newborns whose ionizations emit, few of all: the rest is done here. */
static int born_on_gpu(struct photoionization *o, struct wn_species *s, size_t first)
{
  struct wn_electron *e = NULL;
  size_t n = 0;
  WN_TRY(wn_gpu_emitters(o->gpu, &s->p, first, o->seed, o->yield, o->weight, &e, &n));
  if (n > 0)
    qsort(e, n, sizeof *e, by_id);
  for (size_t i = 0; i < n; i++)
    WN_TRY(emit_all(o, &e[i]));
  return WN_OK;
}

/* Ionization alone gives birth in a flight.  The newborns of the host are in the order of their
 * ids (src/sim/ion_products.c), which is the same for every scheduler. */
static int born(struct wn_operator *operator, struct wn_species * s, size_t first)
{
  struct photoionization *o = of(operator);
  if (s != o->electrons)
    return WN_OK;
  if (s->p.place == WN_PARTICLES_REMOTE)
    return born_on_gpu(o, s, first);
  WN_TRY(wn_particles_host(&s->p));
  const struct wn_electron *e = wn_particles_electrons(&s->p);
  for (size_t i = first; i < s->p.n; i++)
    WN_TRY(emit_all(o, &e[i]));
  return WN_OK;
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
  wn_i128 *all = &o->all.emitted;
  const wn_i128 *now = &o->now.emitted;
  for (size_t i = 0; i < N_SUMS; i++)
    all[i] += now[i];
  forget_step(o);
  return WN_OK;
}

static void begin(struct wn_operator *operator)
{
  struct photoionization *o = of(operator);
  forget_step(o);
  o->all = (struct wn_photon_sums){0};
}

static int state(struct wn_operator *operator, struct wn_state * st)
{
  return WN_STATE(st, of(operator)->all);
}

static void destroy(struct wn_operator *operator)
{
  free(of(operator)->made.e);
  free(of(operator)->made_ions.e);
  free(of(operator));
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
  o->key = wn_rng_key(c->seed);
  o->seed = c->seed;
  o->gas = wn_photoionization_gas(c);
  o->yield = wn_photoionization_yield(c);
  /* in whole quanta, so that numbers of particles are those of photons */
  if (c->plasma.photoionization.weight != WN_AUTO)
    o->weight =
        (float)(rint(c->plasma.photoionization.weight * WN_QUANTA) / (double)WN_QUANTA);
  o->speed = wn_emission_speed(c->plasma.photoionization.energy_ev, WN_ME, 1);
  o->made.record = o->electrons->p.record.bytes;
  o->made_ions.record = o->ions.to->record.bytes;
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
