/* fields/electrostatic_slabs_parts.h - the grids of a field in slabs from inside: what its files
 * share, electrostatic_slabs.c (charge, and what others ask), _plan.c (who has what for whom), _e.c (E
 * from phi), _move.c (particles), _sums.c, and _gpu.cu, where these are in the memory of a GPU.
 *
 * Planes are counted along the last axis of the whole grid.  Arrays of charge and E are as long as the
 * whole grid, so that a place has the same node everywhere, also one that has gone round a periodic
 * axis; but on the host only pages that are touched have memory. */
#ifndef WN_FIELDS_ELECTROSTATIC_SLABS_PARTS_H
#define WN_FIELDS_ELECTROSTATIC_SLABS_PARTS_H
#include <math.h>
#include <string.h>
#include "base/ranks.h"
#include "fields/charge_nodes.h"
#include "fields/deposit.h"
#include "fields/electrostatic_slabs.h"
#include "fields/poisson_slabs.h"
#include "fields/poisson_stencil.h"

#define WN_SLAB_SUMS 8 /* the first of struct wn_charge_sums */

WN_BEGIN_DECLS

/* The slab of one rank: shapes alone, for the host and for kernels. */
struct wn_slab {
  struct wn_charge_nodes nodes; /* of the whole grid */
  int axis, is_periodic;        /* the last one */
  int ranks, rank;
  int64_t cells, own[2]; /* along the axis; planes of this rank */
  int64_t nx, ny;        /* nodes of a plane */
  int64_t plane, padded; /* of a plane, without and with guards */
};

/* Planes on their way, in the order of the ranks that they go to, or come from. */
struct wn_slab_moves {
  size_t n_give, n_take;
  int64_t *give, *take;            /* which, here */
  size_t *words_give, *words_take; /* [ranks] */
};

struct wn_slabs_gpu;

struct wn_field_slabs {
  struct wn_electrostatic_spec spec;
  struct wn_slab slab;
  struct wn_grid_view grid; /* the whole, with e */
  /* NULL: all is here; else poisson, deposit and passing are NULL, and arrays here have what was
   * fetched since its last solve */
  struct wn_slabs_gpu *gpu;
  unsigned fetched;
  uint64_t solves;
  struct wn_poisson_slabs *poisson;
  struct wn_deposit *deposit;
  int threads;
  size_t n;                          /* of an array with guards */
  int64_t *quanta[WN_FIELD_SPECIES]; /* [n] */
  double *rho, *phi;                 /* [own][plane], [own + 2 guards][plane] */
  float *e;                          /* [n][stride] */
  size_t *give, *take, *next;        /* [ranks] */
  double *each;                      /* [ranks][WN_SLAB_SUMS] */
  struct wn_slab_moves strays; /* charge in guards, to the planes that it belongs to */
  struct wn_slab_moves guards; /* phi, to those who have it as guards */
  double *passing;             /* planes for others, then from them */
};

/* ---- planes, for kernels too */

/* The plane of the grid that plane k is, beyond a periodic side. */
static WN_HD int64_t wn_slab_wrap(const struct wn_slab *s, int64_t k)
{
  return s->is_periodic ? (k % s->cells + s->cells) % s->cells : k;
}

/* Plane a of the arrays of charge and E, -1 to cells + 1. */
static WN_HD int64_t wn_slab_at_plane(const struct wn_slab *s, int64_t a)
{
  return (a + WN_GRID_GUARD) * s->padded;
}

/* Is plane a of these among own, or a guard?  *k: counted on from own, beyond a periodic side. */
static WN_HD int wn_slab_is_near(const struct wn_slab *s, const int64_t own[2],
                                 int64_t guard, int64_t a, int64_t *k)
{
  for (int turn = -1; turn <= 1; turn++) {
    *k = a + turn * s->cells;
    if ((turn == 0 || s->is_periodic) && *k >= own[0] - guard && *k < own[1] + guard)
      return 1;
  }
  return 0;
}

/* Node (x, y) of plane k, along all axes. */
static WN_HD void wn_slab_place(const struct wn_slab *s, int64_t x, int64_t y, int64_t k,
                                int64_t at[3])
{
  at[0] = s->axis == 0 ? k : x;
  at[1] = s->axis == 1 ? k : y;
  at[2] = k;
}

/* Is node i along axis d, and what lies beside it, neither a side nor beyond one? */
static WN_HD int wn_slab_is_inner(const struct wn_slab *s, int d, int64_t i)
{
  return (d == s->axis && s->is_periodic) || (i > 0 && i < s->nodes.grid.cells[d]);
}

/* E along c where a node, or guard, at n along all axes takes it from; phi: at the first node of
 * plane 0, which may be elsewhere.  As the kernels of fields/electrostatic_gpu.cu. */
static WN_HD double wn_slab_e(const struct wn_slab *s, const double *phi, int c,
                              const int64_t n[3], int staggered)
{
  const struct wn_grid_view *g = &s->nodes.grid;
  const int64_t step[3] = {s->axis == 0 ? s->plane : 1, s->axis == 1 ? s->plane : s->nx,
                           s->plane};
  int64_t at[3] = {0, 0, 0}, offset = 0;
  int sign = 1;
  for (int d = 0; d < g->dim; d++) {
    int turned = 1;
    const int wraps = d == s->axis && s->is_periodic; /* the guards have it */
    at[d] =
        wraps ? n[d] : wn_nodes_beyond(&s->nodes, d, n[d], staggered && d == c, &turned);
    sign = d == c ? turned : sign;
    if (d != c)
      offset += at[d] * step[d];
  }
  const double *line = phi + offset;
  if (c == s->axis && s->is_periodic) {
    const double w = staggered ? g->per_h[c] : 0.5 * g->per_h[c];
    return w * (line[(at[c] - !staggered) * step[c]] - line[(at[c] + 1) * step[c]]);
  }
  const struct wn_poisson_stencil w =
      wn_poisson_stencil_at(g->cells[c], g->per_h[c], s->nodes.side[2 * c],
                            s->nodes.side[2 * c + 1], staggered, at[c]);
  return sign * wn_poisson_stencil_of(&w, step[c], line);
}

/* Particles of weight 1 per volume that a quantum is, at a node that has such a part of a cell. */
static WN_HD double wn_slab_per_volume(const struct wn_slab *s, double part)
{
  return 1.0 / (WN_QUANTA * wn_nodes_cell(&s->nodes.grid) * part);
}

/* Part of a cell's volume that a node has. */
static WN_HD double wn_slab_part_of(const struct wn_slab *s, const int64_t at[3])
{
  double of_cell = 1.0;
  for (int d = 0; d < s->nodes.grid.dim; d++)
    of_cell *= wn_nodes_is_end(&s->nodes, d, at[d]) ? 0.5 : 1.0;
  return of_cell;
}

/* ---- ranks */

/* Who has plane k of the grid. */
static inline int wn_slab_owner_of(const struct wn_slab *s, int64_t k)
{
  const int64_t cell = k < s->cells ? k : s->cells - 1;
  return wn_slab_owner((size_t)s->cells, (size_t)cell, s->ranks);
}

/* ---- electrostatic_slabs_plan.c: strays and guards; WN_ENOMEM, and then there is something to free */
int wn_slab_plan(struct wn_field_slabs *f);
void wn_slab_plan_free(struct wn_field_slabs *f);

/* ---- electrostatic_slabs.c */

/* v [n] of all ranks added, in their order; n at most WN_SLAB_SUMS. */
void wn_slab_add_up(const struct wn_field_slabs *f, double *v, size_t n);

/* f(x, y, k) for the nodes of this rank, with their number i. */
#define WN_FOR_SLAB(s, i)                                                                \
  for (int64_t i = 0, k = (s)->own[0]; k < (s)->own[1]; k++)                             \
    for (int64_t y = 0; y < (s)->ny; y++)                                                \
      for (int64_t x = 0; x < (s)->nx; x++, i++)

/* ---- who is elsewhere: electrostatic_slabs_move.c, and _gpu_move.cu */

/* Where a record has its place and speed along the axis, and the word that says dead: offsets; and what is
 * here. */
struct wn_slab_look {
  size_t bytes, x, u, dead;
  int bits, rank, ranks;
  float most;    /* m/s */
  int64_t low;   /* place where the slab begins, */
  uint64_t wide; /* and how far it goes */
  int64_t cells;
};
/* dt [s]: of the step to come. */
struct wn_slab_look wn_slab_look(const struct wn_field_slabs *f,
                                 const struct wn_particles *p, double dt);

/* Who has the cell of a record; *fast = 1: it is too fast.  The dead stay. */
static WN_HD int wn_slab_to(const struct wn_slab_look *l, const unsigned char *record,
                            int *fast)
{
  int32_t x, dead;
  float u;
  memcpy(&x, record + l->x, sizeof x);
  memcpy(&u, record + l->u, sizeof u);
  const int slow = fabsf(u) <= l->most;
  if ((uint64_t)(x - l->low) < l->wide && slow)
    return l->rank;
  memcpy(&dead, record + l->dead, sizeof dead);
  if (dead < 0)
    return l->rank;
  *fast |= !slow;
  const int64_t cell = x >> l->bits;
  return wn_slab_owner((size_t)l->cells, (size_t)(cell < l->cells ? cell : l->cells - 1),
                       l->ranks);
}

/* f->take, from f->give of all ranks; returns how many come here. */
size_t wn_slab_count(const struct wn_field_slabs *f);

/* Every particle of a species goes to the rank that has its cell, with its bits; in any order.
 * dt [s]: of its step to come.  WN_ERUN: a particle is so fast that it crosses more than a cell in
 * half of it; WN_EFULL, of any rank. */
int wn_slab_gather(const struct wn_field_slabs *f, struct wn_particles *p, double dt);
/* WN_ERUN when one of any rank was found too fast. */
int wn_slab_too_fast(const struct wn_field_slabs *f, int here);

/* ---- electrostatic_slabs_e.c */

/* Plane k of phi, own or a guard. */
static inline double *wn_slab_phi(const struct wn_field_slabs *f, int64_t k)
{
  return f->phi + (k - f->slab.own[0] + WN_SLAB_GUARD_PHI) * f->slab.plane;
}
/* phi of others, and E for the particles at all nodes that this rank has. */
void wn_slab_make_e(struct wn_field_slabs *f);

WN_END_DECLS

#endif
