/* t/tap/coulomb.h - for tests of Coulomb collisions in cells (src/sim/coulomb_collisions.c): a
 * plasma of two species whose particles a test puts into cells, and collisions without the rest
 * of a step, so that nothing else changes a velocity. */
#ifndef WN_T_TAP_COULOMB_H
#define WN_T_TAP_COULOMB_H
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/error.h"
#include "physics/constants.h"
#include "physics/mover.h"
#include "src/config/plasma_derived.h"
#include "src/sim/operators.h"
#include "src/sim/plasma.h"
#include "t/tap/draw.h"
#include "t/tap/scene.h"

#define COULOMB_N    1e16 /* m-3, of species a */
#define COULOMB_LOG  10.0
#define COULOMB_CELL 1e-5 /* m, of each axis */
#define COULOMB_MASS 4.0  /* of species b, in those of a */

extern const struct wn_operator_ops wn_operator_coulomb_collisions;

struct coulomb_case {
  int dim;   /* 1: all weights are 1; 2: a particle has its own */
  int cells; /* even */
  int per_cell[2];
  double density;      /* of b, in that of a */
  const char *collide; /* members of plasma.coulomb */
  const char *also;    /* more members of plasma */
};

static inline void coulomb_open(struct scene *s, const char *file,
                                const struct coulomb_case *c)
{
  static const char *const nothing[] = {NULL};
  char text[4096], cells[64], length[64];
  if (c->dim == 1) {
    snprintf(cells, sizeof cells, "[%d]", c->cells);
    snprintf(length, sizeof length, "[\"%.9g m\"]", c->cells * COULOMB_CELL);
  } else {
    snprintf(cells, sizeof cells, "[%d, 2]", c->cells / 2);
    snprintf(length, sizeof length, "[\"%.9g m\", \"%.9g m\"]",
             c->cells / 2 * COULOMB_CELL, 2.0 * COULOMB_CELL);
  }
  snprintf(
      text, sizeof text,
      "model = \"plasma\"; duration = \"1 ns\"; seed = 5; threads = 1;\n"
      "grid = { cells = %s; length = %s; };\n"
      "species = { a = { density = \"%.9g m-3\"; per_cell = %d; loading = \"random\"; "
      "};\n"
      " b = { density = \"%.9g m-3\"; per_cell = %d; loading = \"random\"; charge = 1.0; "
      "mass = \"%.9g me\"; }; };\n"
      "plasma = { time_step = \"1 ps\"; background = true; %s allow = "
      "[\"plasma-frequency\", \"cell-crossing\", \"debye-length\"]; coulomb = { %s }; "
      "};\n",
      cells, length, COULOMB_N, c->per_cell[0], COULOMB_N * c->density, c->per_cell[1],
      COULOMB_MASS, c->also, c->collide);
  scene_open(s, file, text, nothing);
  scene_start(s, 0.0);
}

/* Word i of particle n of species k. */
static inline union wn_word *coulomb_record(const struct scene *s, int k, size_t n)
{
  return wn_particles_at(&s->sim->species[k]->p, n);
}

static inline float *coulomb_u(const struct scene *s, int k, size_t n)
{
  return &coulomb_record(s, k, n)[s->config->plasma.dim].f;
}

static inline double coulomb_weight(const struct scene *s, int k, size_t n)
{
  const int dim = s->config->plasma.dim;
  return dim == 1 ? 1.0 : (double)coulomb_record(s, k, n)[dim + 3].f;
}

/* kg of a particle of weight 1. */
static inline double coulomb_mass(const struct scene *s, int k)
{
  return s->config->species[k].mass *
         wn_loading_weight(s->config, &s->config->species[k]);
}

static inline double coulomb_normal(void)
{
  double sine, cosine;
  wn_sincos_turn(uniform(), &sine, &cosine);
  return sqrt(-2.0 * log(1.0 - uniform())) * cosine;
}

/* Puts the same number of particles of species k into each cell, at any place in it, with
 * normal velocities.  weights: between 1 and this, at random. */
static inline void coulomb_fill(struct scene *s, int k, int per_cell,
                                const double sigma[3], const double drift[3],
                                double weights)
{
  const struct wn_grid_view *g = &wn_plasma_points(s->sim->species[k])->grid;
  const size_t n = s->sim->species[k]->p.n;
  for (size_t i = 0; i < n; i++) {
    union wn_word *r = coulomb_record(s, k, i);
    size_t cell = i / (size_t)per_cell;
    for (int d = 0; d < g->dim; d++) {
      r[d].i = (int32_t)(cell % (size_t)g->cells[d]) << g->bits[d] |
               (int32_t)(uniform() * ldexp(1.0, g->bits[d]));
      cell /= (size_t)g->cells[d];
    }
    for (int d = 0; d < 3; d++)
      r[g->dim + d].f = (float)(drift[d] + sigma[d] * coulomb_normal());
    if (g->dim > 1)
      r[g->dim + 3].f = (float)(1.0 + (weights - 1.0) * uniform());
  }
}

/* Collisions of so many intervals of plasma.time_step. */
static inline void coulomb_steps(struct scene *s, int steps)
{
  for (size_t i = 0; i < s->sim->n_operators; i++)
    if (s->sim->operators[i]->ops == &wn_operator_coulomb_collisions)
      for (int j = 0; j < steps; j++) {
        s->sim->n_steps++;
        WN_ASSERT(s->sim->operators[i]->ops->apply(s->sim->operators[i], s->sim) ==
                  WN_OK);
      }
}

/* n q^4 L/(4 pi eps0^2 mu^2): of g^3 s/dt. */
static inline double coulomb_strength(double density, double mu)
{
  return density * pow(WN_E, 4) * COULOMB_LOG /
         (4.0 * WN_PI * WN_EPS0 * WN_EPS0 * mu * mu);
}

#endif
