/* src/sim/ion_products.c - operator: the ions that electrons in a grid leave behind.
 * There is one for each ionization and each attachment, where it happened, with the same
 * number of quanta and a velocity of the gas.
 *
 * The record of a newborn has its place of birth until it flies.  That of an attached
 * electron has its final place until dead electrons leave the store (physics/mcc_grid.h).
 * So schedulers are independent of ions.  Ions are created in the order of the electrons
 * in the store, which is the same for every scheduler.  They join their species at the
 * end of the step: they do not move in the step of their creation. */
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "device/gpu.h"
#include "particles/load_balance.h"
#include "physics/mcc_grid.h"
#include "src/sim/ion_maker.h"
#include "src/sim/operators.h"
#include "src/sim/sim.h"

/* The ions of ionization or of attachment. */
struct product {
  struct wn_ion_maker maker; /* without a species where the process does not occur */
  struct wn_births made;     /* in this step so far; */
  wn_i128 energy;            /* of these, WN_FIX_ENERGY; on a GPU: */
  struct wn_gpu_products *on_gpu;
};

enum product_kind { ION, ANION, N_PRODUCTS };

/* Products of one species of electrons. */
struct products {
  struct wn_species *electrons;
  struct wn_gpu *gpu;             /* device of the electrons; NULL: always the host */
  const struct wn_mcc_grid *grid; /* of the electrons' model */
  uint64_t seed;
  struct product of[N_PRODUCTS];
};

extern const struct wn_operator_ops wn_operator_ion_products;

struct ion_products {
  struct wn_operator operator; /* the head of every operator */
  size_t n;
  struct products of[WN_MAX_SPECIES];
};

static int no_species(enum product_kind kind)
{
  return WN_FAIL(WN_EINTERN, "%s makes an ion, and the scenario has no species of it",
                 kind == ION ? "an ionization" : "an attachment");
}

/* The list of ions on the GPU, created when it is first used. */
static int list_on_gpu(struct products *p, enum product_kind kind)
{
  struct product *of = &p->of[kind];
  if (of->maker.to == NULL)
    return no_species(kind);
  return of->on_gpu != NULL ? WN_OK
                            : wn_gpu_products_create(p->gpu, of->maker.to->record.bytes,
                                                     of->maker.ion, &of->on_gpu);
}

static int by_id(const void *a, const void *b)
{
  const uint64_t x = ((const struct wn_electron *)a)->id,
                 y = ((const struct wn_electron *)b)->id;
  return x < y ? -1 : x > y;
}

static int make(struct products *p, enum product_kind kind, const struct wn_electron *e)
{
  struct product *of = &p->of[kind];
  union wn_ion_record record;
  if (of->maker.to == NULL)
    return no_species(kind);
  of->made.record = of->maker.to->record.bytes;
  wn_tally_sum(&of->energy, wn_ion_maker_record(&of->maker, p->grid, e, p->seed, &record),
               WN_FIX_ENERGY);
  wn_births_push(&of->made, &record);
  return of->made.status;
}

/* Create the ions of the electrons from `first` on, which were born and wait.  On the
 * host they are sorted by id first; on a GPU the order of the store depends on the order
 * of the births, but no sum does.  WN_EINTERN: there is no species for the ions. */
static int make_ions(struct products *p, struct wn_particles *electrons, size_t first)
{
  struct product *of = &p->of[ION];
  const size_t n = electrons->n - first;
  if (n == 0)
    return WN_OK;
  if (electrons->place == WN_PARTICLES_REMOTE) {
    WN_TRY(list_on_gpu(p, ION));
    return wn_gpu_products_born(of->on_gpu, p->grid, p->seed, of->maker.sigma, electrons,
                                first);
  }
  WN_TRY(wn_particles_host(electrons));
  struct wn_electron *e = wn_particles_electrons(electrons) + first;
  qsort(e, n, sizeof *e, by_id);
  for (size_t i = 0; i < n; i++)
    WN_TRY(make(p, ION, &e[i]));
  return WN_OK;
}

/* Dead, but not taken by a side: physics/electron.h. */
static int was_attached(const struct wn_electron *e)
{
  return e->t_left < 0.0f && e->at[0] != WN_POINT_DEAD;
}

static int join_on_gpu(struct products *p, const struct wn_particles *electrons)
{
  struct product *of = &p->of[ANION];
  if (of->maker.to != NULL) {
    WN_TRY(list_on_gpu(p, ANION));
    WN_TRY(wn_gpu_products_attached(of->on_gpu, p->grid, p->seed, of->maker.sigma,
                                    electrons));
  }
  for (int k = 0; k < N_PRODUCTS; k++)
    if (p->of[k].on_gpu != NULL)
      WN_TRY(wn_gpu_products_join(p->of[k].on_gpu, p->of[k].maker.to));
  return WN_OK;
}

/* Create the anions of attached electrons, if any died; then all ions of this step join
 * their species. */
static int join(struct products *p, struct wn_sim *s, int any_died)
{
  struct wn_particles *electrons = &p->electrons->p;
  if (electrons->place == WN_PARTICLES_REMOTE)
    return join_on_gpu(p, electrons);
  WN_TRY(wn_particles_host(electrons));
  const struct wn_electron *e = wn_particles_electrons(electrons);
  for (size_t i = 0; any_died && i < electrons->n; i++)
    if (was_attached(&e[i]))
      WN_TRY(make(p, ANION, &e[i]));
  for (int k = 0; k < N_PRODUCTS; k++) {
    struct product *of = &p->of[k];
    if (of->made.n > 0)
      WN_TRY(wn_particles_append(of->maker.to, of->made.e, of->made.n));
    wn_energy_changed_by(s, WN_ENERGY_CREATED, of->maker.number, of->energy);
    of->made.n = 0;
    of->energy = 0;
  }
  return WN_OK;
}

/* ---- the operator */

static struct ion_products *of(struct wn_operator *o)
{
  return (struct ion_products *)(void *)o;
}

static int create(struct wn_sim *s, struct wn_operator **out)
{
  const struct wn_config *c = s->c;
  struct ion_products *o = NULL;
  for (size_t k = 0; c->model == WN_MODEL_PLASMA && k < c->n_species; k++) {
    if (!wn_config_is_electron(&c->species[k]))
      continue;
    if (o == NULL && (o = wn_alloc(1, sizeof *o)) == NULL)
      return WN_ENOMEM;
    o->of[o->n++] =
        (struct products){.electrons = s->species[k],
                          .gpu = s->gpu,
                          .grid = &wn_species_mcc(s->species[k])->grid,
                          .seed = c->seed,
                          .of = {[ION].maker = wn_ion_maker(s, c->species[k].ions),
                                 [ANION].maker = wn_ion_maker(s, c->species[k].anions)}};
    s->species[k]->newborns_wait = 1;
  }
  if (o != NULL) {
    o->operator.ops = & wn_operator_ion_products;
    *out = &o->operator;
  }
  return WN_OK;
}

static void begin(struct wn_operator *o)
{
  for (size_t i = 0; i < of(o)->n; i++)
    for (int k = 0; k < N_PRODUCTS; k++) {
      struct product *p = &of(o)->of[i].of[k];
      p->made.n = 0;
      p->energy = 0;
      if (p->on_gpu != NULL)
        wn_gpu_products_reset(p->on_gpu);
    }
}

static int born(struct wn_operator *o, struct wn_species *s, size_t first)
{
  for (size_t i = 0; i < of(o)->n; i++)
    if (of(o)->of[i].electrons == s)
      WN_TRY(make_ions(&of(o)->of[i], &s->p, first));
  return WN_OK;
}

static int apply(struct wn_operator *o, struct wn_sim *s)
{
  for (size_t i = 0; i < of(o)->n; i++) {
    const struct wn_species *e = of(o)->of[i].electrons;
    /* no pass over the electrons if none died */
    WN_TRY(wn_particles_room(
        join(&of(o)->of[i], s, e->tally.n_deaths != e->before.n_deaths)));
  }
  return WN_OK;
}

static void destroy(struct wn_operator *o)
{
  for (size_t i = 0; i < of(o)->n; i++)
    for (int k = 0; k < N_PRODUCTS; k++) {
      free(of(o)->of[i].of[k].made.e);
      wn_gpu_products_free(of(o)->of[i].of[k].on_gpu);
    }
  free(o);
}

const struct wn_operator_ops wn_operator_ion_products = {
    .create = create,
    .begin = begin,
    .born = born,
    .apply = apply,
    .free = destroy,
};
