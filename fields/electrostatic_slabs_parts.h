/* fields/electrostatic_slabs_parts.h - the grids of a field in slabs from inside: what its files
 * share, electrostatic_slabs.c (charge, and what others ask), _e.c (E from phi), _move.c (particles).
 *
 * Planes are counted along the last axis of the whole grid.  Arrays of charge and E are as long as the
 * whole grid, so that a place has the same node everywhere, also one that has gone round a periodic
 * axis; but only pages that are touched have memory. */
#ifndef WN_FIELDS_ELECTROSTATIC_SLABS_PARTS_H
#define WN_FIELDS_ELECTROSTATIC_SLABS_PARTS_H
#include "base/ranks.h"
#include "fields/charge_nodes.h"
#include "fields/deposit.h"
#include "fields/electrostatic_slabs.h"
#include "fields/poisson_slabs.h"

/* Planes beside its own that a rank has: of charge and E, for a particle that is in the next cell, and
 * whose shape reaches one node further; of phi two more, for the stencils. */
#define WN_SLAB_GUARD     3
#define WN_SLAB_GUARD_PHI (WN_SLAB_GUARD + 2)

struct wn_field_slabs {
  struct wn_electrostatic_spec spec;
  struct wn_charge_nodes nodes; /* of the whole grid */
  struct wn_grid_view grid;     /* the same, with e */
  struct wn_poisson_slabs *poisson;
  struct wn_deposit *deposit;
  int axis;
  int64_t cells, own[2];             /* along the axis; planes of this rank */
  int64_t nx, ny;                    /* nodes of a plane */
  size_t plane, padded;              /* of a plane, without and with guards */
  size_t n;                          /* of an array with guards */
  int64_t *quanta[WN_FIELD_SPECIES]; /* [n] */
  double *rho, *phi;                 /* [own][plane], [own + 2 guards][plane] */
  float *e;                          /* [n][stride] */
  size_t *give, *take, *next;        /* [ranks] */
  double *each;                      /* [ranks] */
  double *guards;                    /* planes of phi for others, then from them */
};

static inline int wn_slab_is_periodic(const struct wn_field_slabs *f)
{
  return wn_nodes_are_periodic(&f->nodes, f->axis);
}

/* The plane of the grid that plane k is, beyond a periodic side. */
static inline int64_t wn_slab_wrap(const struct wn_field_slabs *f, int64_t k)
{
  return wn_slab_is_periodic(f) ? (k % f->cells + f->cells) % f->cells : k;
}

/* Who has plane k of the grid. */
static inline int wn_slab_owner_of(const struct wn_field_slabs *f, int64_t k)
{
  const int64_t cell = k < f->cells ? k : f->cells - 1;
  return wn_slab_owner((size_t)f->cells, (size_t)cell, wn_ranks());
}

/* Plane a of the arrays of charge and E, -1 to cells + 1. */
static inline size_t wn_slab_at_plane(const struct wn_field_slabs *f, int64_t a)
{
  return (size_t)(a + WN_GRID_GUARD) * f->padded;
}

/* Does rank r have plane a of these?  *k: counted on from its own, beyond a periodic side. */
static inline int wn_slab_has(const struct wn_field_slabs *f, int r, int64_t a,
                              int64_t *k)
{
  int64_t own[2];
  wn_slab_planes(&f->spec.poisson, r, wn_ranks(), own);
  for (int turn = -1; turn <= 1; turn++) {
    *k = a + turn * f->cells;
    if ((turn == 0 || wn_slab_is_periodic(f)) && *k >= own[0] - WN_SLAB_GUARD &&
        *k < own[1] + WN_SLAB_GUARD)
      return 1;
  }
  return 0;
}

/* Node (x, y) of plane k, along all axes. */
static inline void wn_slab_place(const struct wn_field_slabs *f, int64_t x, int64_t y,
                                 int64_t k, int64_t at[3])
{
  at[0] = f->axis == 0 ? k : x;
  at[1] = f->axis == 1 ? k : y;
  at[2] = k;
}

/* ---- electrostatic_slabs_e.c */

/* Plane k of phi, own or a guard. */
double *wn_slab_phi(const struct wn_field_slabs *f, int64_t k);
/* Doubles that go to others and come from them, guards of phi. */
size_t wn_slab_count_guards(const struct wn_field_slabs *f);
/* E along c where a node, or guard, at n along all axes takes it from. */
double wn_slab_e(const struct wn_field_slabs *f, int c, const int64_t n[3],
                 int staggered);
/* phi of others, and E for the particles at all nodes that this rank has. */
void wn_slab_make_e(struct wn_field_slabs *f);

#endif
