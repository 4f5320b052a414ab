/* src/sim/secondary_emission.c - operator: secondary electrons.  A wall of yield g emits
 * g electrons on average for each positive ion that ends there, from the species of ions
 * that collide.  They leave at the end of that step, from the place where the ion hit the
 * wall.  Their velocities are those of a Maxwellian's flux through a surface into the
 * half space: along the normal sigma sqrt(2 x), x exponential with mean 1, across it
 * normal with the standard deviation sigma = sqrt(kT/m).  The mean energy is 2 kT
 * (derived: the flux through a plane has the density v exp(-v^2/2 sigma^2)).  They count
 * as taken by the wall with a minus sign, so charge and energy balance.  On a GPU the
 * ended ions are copied to the host, and their electrons to the GPU.
 *
 * Random numbers: purpose EMISSION, named by the ion.  Block 0: number of electrons; 2 j
 * + 1 and 2 j + 2: velocity of electron j; its id, normal velocity and first flight. */
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "device/gpu.h"
#include "particles/load_balance.h"
#include "physics/constants.h"
#include "physics/single_precision.h"
#include "src/config/plasma_derived.h"
#include "src/sim/operators.h"
#include "src/sim/sim.h"

extern const struct wn_operator_ops wn_operator_secondary_emission;

/* A species of ions that release electrons at a wall. */
struct emission_ions {
  const struct wn_species *species;
  double ratio; /* weight of an ion over weight of an electron, in real particles */
};

/* What a surface emits. */
struct emitter {
  double yield; /* electrons per ion */
  double sigma; /* m/s */
};

struct emission {
  struct wn_operator operator; /* the head of every operator */
  struct wn_gpu *gpu;          /* device of all of them; NULL: the host */
  uint64_t seed;
  const struct wn_geometry *geometry;
  struct emitter *surface;      /* [n_surfaces] of the geometry */
  struct wn_species *electrons; /* of model mcc, in a grid */
  size_t n;
  struct emission_ions ions[WN_MAX_SPECIES];
  struct wn_births made; /* in this step */
};

/* Whether a surface took one of them in the current step. */
static int have_ended(const struct wn_species *s)
{
  for (size_t i = 0; i < wn_tally_surfaces(&s->shape); i++)
    if (s->tally.surface[i].number != s->before.surface[i].number)
      return 1;
  return 0;
}

/* Electron j of an ion that ended. */
static struct wn_electron electron(const struct emission *e,
                                   const struct wn_electron *ion, int at, uint32_t j)
{
  const struct wn_surface *surface = &e->geometry->surface[at];
  const struct wn_mcc *m = wn_species_mcc(e->electrons);
  const struct wn_rng4 across = wn_rng(e->seed, ion->id, ion->event, WN_RNG_EMISSION,
                                       2 * j + 1),
                       rest = wn_rng(e->seed, ion->id, ion->event, WN_RNG_EMISSION,
                                     2 * j + 2);
  const double normal = e->surface[at].sigma * sqrt(2.0 * wn_rng_exponential(rest.w[2]));
  struct wn_electron one = {.w = 1.0f, .id = (uint64_t)rest.w[1] << 32 | rest.w[0]};
  double v[3];
  wn_rng_normal3(across, v);
  wn_mcc_grid_ended_at(ion, one.at);
  for (int d = 0; d < 3; d++)
    one.u[d] = (float)(e->surface[at].sigma * v[d]);
  one.u[surface->axis] = (float)(surface->normal * normal);
  one.t_next = wn_exponential_f(rest.w[3]) * m->inv_nu;
  return one;
}

/* Count as taken by the wall with a minus sign. */
static void count(struct emission *e, const struct wn_electron *one, int at)
{
  const struct wn_points *p = &wn_species_mcc(e->electrons)->grid.points;
  struct wn_tally_surface *s = &wn_species_sums(e->electrons)->surface[at];
  wn_tally_sum(&s->number, -1.0, 1.0);
  wn_tally_sum(&s->quanta, -(double)one->w, (double)WN_QUANTA);
  wn_tally_sum(&s->energy, -(double)one->w * wn_point_energy_ev(p, 3, one->u),
               WN_FIX_ENERGY);
}

static int emit(struct emission *e, const struct wn_electron *ion, double ratio)
{
  const int at = wn_mcc_grid_ended_side(ion);
  const double mean = e->surface[at].yield * ratio * (double)ion->w;
  const struct wn_rng4 r = wn_rng(e->seed, ion->id, ion->event, WN_RNG_EMISSION, 0);
  const uint32_t n = (uint32_t)(mean + wn_u01(r.w[0]));
  for (uint32_t j = 0; j < n; j++) {
    const struct wn_electron one = electron(e, ion, at, j);
    count(e, &one, at);
    wn_births_push(&e->made, &one);
  }
  return e->made.status;
}

/* The ions of a species that ended in the current step, perhaps with others among
 * them. */
static int ended(const struct emission *e, const struct wn_species *s,
                 const struct wn_electron **ion, size_t *n)
{
  *n = 0;
  if (!have_ended(s))
    return WN_OK;
  if (s->p.place == WN_PARTICLES_REMOTE)
    return wn_gpu_ended(e->gpu, &s->p, ion, n);
  *ion = wn_particles_at(&s->p, 0);
  *n = s->p.n;
  return WN_OK;
}

/* ---- the operator */

static struct emission *of(struct wn_operator *o)
{
  return (struct emission *)(void *)o;
}

static int create(struct wn_sim *s, struct wn_operator **out)
{
  const struct wn_config *c = s->c;
  double weight = 1.0;
  int any = 0;
  for (int i = 0; i < 2 * s->geometry.dim; i++)
    any |= c->plasma.wall[i].yield > 0.0;
  if (!any)
    return WN_OK;
  struct emission *e = wn_alloc(1, sizeof *e);
  if (e == NULL)
    return WN_ENOMEM;
  e->operator.ops = & wn_operator_secondary_emission;
  e->surface = wn_alloc((size_t)s->geometry.n_surfaces, sizeof *e->surface);
  if (e->surface == NULL) {
    free(e);
    return WN_ENOMEM;
  }
  *out = &e->operator;
  e->made.record = sizeof(struct wn_electron);
  e->gpu = s->gpu;
  e->geometry = &s->geometry;
  e->seed = c->seed;
  for (int i = 0; i < 2 * s->geometry.dim; i++) { /* the sides, which are the first */
    const struct wn_cfg_wall *w = &c->plasma.wall[i];
    e->surface[i] = (struct emitter){w->yield, sqrt(w->emission_ev * WN_E / WN_ME)};
  }
  for (size_t k = 0; k < c->n_species; k++)
    if (wn_config_is_electron(&c->species[k])) {
      e->electrons = s->species[k];
      weight = wn_loading_weight(c, &c->species[k]);
    }
  for (size_t k = 0; k < c->n_species; k++)
    if (wn_config_is_ion(&c->species[k]) && c->species[k].charge > 0)
      e->ions[e->n++] = (struct emission_ions){
          s->species[k], wn_loading_weight(c, &c->species[k]) / weight};
  return WN_OK;
}

static int apply(struct wn_operator *o, struct wn_sim *s)
{
  struct emission *e = of(o);
  (void)s;
  e->made.n = 0;
  for (size_t k = 0; k < e->n; k++) {
    const struct wn_electron *ion = NULL;
    size_t n;
    WN_TRY(ended(e, e->ions[k].species, &ion, &n));
    for (size_t i = 0; i < n; i++)
      if (ion[i].t_left < 0.0f)
        WN_TRY(emit(e, &ion[i], e->ions[k].ratio));
  }
  WN_TRY(wn_species_bring_together(e->electrons));
  return wn_species_append(e->electrons, e->gpu, e->made.e, e->made.n);
}

static void destroy(struct wn_operator *o)
{
  free(of(o)->made.e);
  free(of(o)->surface);
  free(o);
}

const struct wn_operator_ops wn_operator_secondary_emission = {
    .create = create,
    .apply = apply,
    .free = destroy,
};
