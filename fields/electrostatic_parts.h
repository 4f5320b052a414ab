/* fields/electrostatic_parts.h - the field `electrostatic` from inside: what its files share.
 *
 *   electrostatic.c         life, the order of a step, and what diagnostics ask
 *   electrostatic_host.c    the grids on the host: charge, potential, E; _host_sums.c integrals
 *   electrostatic_device.c  the grids on GPUs, by electrostatic_gpu.h
 *   halo.c, halo_gpu.cu     planes that go from rank to rank in each step
 *   migration.c, _gpu.cu    particles that go to the rank that has their cell
 *
 * A rank has a slab of the grid, which is divided along its last axis: planes of nodes of its own and,
 * with several ranks, guard planes beside these.  The whole grid is the slab of one rank, which has all
 * planes and no guards.  Planes are counted along the last axis of the whole grid.  Arrays of charge and
 * E have the addresses of the whole grid, so that a position has the same node on every rank, also
 * beyond a periodic end; on the host only touched pages have memory. */
#ifndef WN_FIELDS_ELECTROSTATIC_PARTS_H
#define WN_FIELDS_ELECTROSTATIC_PARTS_H
#include <math.h>
#include <string.h>
#include "base/ranks.h"
#include "fields/charge_nodes.h"
#include "fields/circuit.h"
#include "fields/deposit.h"
#include "fields/electrode_circuit.h"
#include "fields/electrode_shares.h"
#include "fields/electrodes.h"
#include "fields/electrostatic.h"
#include "fields/electrostatic_gpu.h"
#include "fields/poisson/planes.h"
#include "fields/poisson/stencil.h"

WN_BEGIN_DECLS

/* The slab of one rank: shapes alone, for the host and for kernels. */
struct wn_slab {
  struct wn_charge_nodes nodes; /* of the whole grid */
  int axis;                     /* the last one */
  int wraps; /* of several ranks, and periodic: beyond the ends of the axis lie guards */
  int ranks, rank;       /* 1, 0: the whole grid */
  int64_t cells, own[2]; /* along the axis; own planes, from own[0] to before own[1] */
  int64_t nx, ny;        /* nodes of a plane */
  int64_t plane, padded; /* of a plane, without and with guards */
  double per_h[3];       /* 1/m */
  struct wn_axis radius; /* axis 0 in r-z; cells 0: the axes are lines */
};

/* Planes exchanged between ranks, in the order of the ranks. */
struct wn_halo {
  size_t n_send, n_receive;
  int64_t *send, *receive;            /* plane numbers on this rank */
  size_t *words_send, *words_receive; /* [ranks] */
};

struct wn_electrostatic;

/* Where the grids are: on the host, or on GPUs.  Arrays of struct wn_electrostatic are those of the host;
 * fetch brings data of the device there. */
struct wn_electrostatic_place {
  int (*create)(struct wn_electrostatic *f);
  void (*free)(struct wn_electrostatic *f);
  /* The quanta of all species; in slabs their particles migrate before. */
  int (*charge)(struct wn_electrostatic *f, struct wn_particles *const *species,
                double dt);
  /* rho, phi and E from the quanta and f->background. */
  int (*solve)(struct wn_electrostatic *f, const double *volt);
  /* WN_FETCHED_RHO, _PHI, or _QUANTA << species (folded), of the own planes, since the last solve. */
  int (*fetch)(struct wn_electrostatic *f, unsigned what);
  /* E along d at the nodes of the own planes, into e [own][plane]. */
  int (*e)(struct wn_electrostatic *f, int d, double *e);
  /* The greatest density of a species, of a whole grid; NULL: from the quanta on the host. */
  int (*densest)(struct wn_electrostatic *f, size_t k, double *most);
  int (*begin_sums)(struct wn_electrostatic *f); /* NULL: there is nothing to begin */
  int (*sums)(struct wn_electrostatic *f, struct wn_charge_sums *out);
  /* The sums of fields/waves.h over the own planes, sum [own planes][n][2].  NULL: from phi of all nodes on the
   * host. */
  int (*waves)(struct wn_electrostatic *f, const struct wn_waves *w, double *sum);
};

struct wn_electrostatic {
  struct wn_field field;
  struct wn_electrostatic_spec spec;
  struct wn_slab slab;
  struct wn_grid_view grid; /* the whole, with e */
  const struct wn_electrostatic_place *on;
  double background;          /* C/m3; NAN: not known yet */
  struct wn_circuit *circuit; /* NULL: the sides have the voltages of their sources */
  struct wn_electrode_circuits
      *loops; /* NULL: the electrodes have the voltages of theirs */
  int threads;
  size_t n, n_nodes;                 /* of the whole grid, with and without guards */
  int64_t *quanta[WN_FIELD_SPECIES]; /* [n] */
  wn_i128 total[WN_FIELD_SPECIES];   /* of them, of this process, on the host */
  double *part; /* r-z, on the host: parts of a cell along r, [cells + 1] */
  double *rho, *phi;                 /* [own][plane], [own + 2 guards][plane] */
  double *whole[2]; /* rho, phi of all ranks, [n_nodes]; made when first asked for */
  /* Particles already counted in the quanta, of a species that is fixed or waits; and the numbers of
   * changes and removals of its store then */
  size_t known[WN_FIELD_SPECIES];
  uint64_t at[WN_FIELD_SPECIES], removals[WN_FIELD_SPECIES];
  /* on the host */
  struct wn_deposit *deposit;
  struct wn_poisson *poisson;
  struct wn_electrodes *electrodes;                         /* NULL: there are none */
  struct wn_electrode_shares *shares;                       /* NULL, too */
  struct wn_surface surface[WN_SIDES + WN_MOST_ELECTRODES]; /* of the solver, then */
  float *e;                                                 /* [n][stride] */
  double *component; /* [n_nodes], spectral method */
  /* With dielectrics: quanta on their surfaces [n], the same on all ranks; those of the step in hand, of this rank,
   * where there are several */
  int64_t *stuck[WN_FIELD_SPECIES], *fresh[WN_FIELD_SPECIES];
  /* on GPUs */
  struct wn_electrostatic_gpu *gpu;
  unsigned fetched;      /* since the last solve */
  uint64_t solves, e_of; /* so far; that of which e on the host was made */
  int some_without_gpu;  /* a rank has none */
  /* of several slabs */
  struct wn_halo sums;           /* charge in guard planes, added to that of the owners */
  struct wn_halo copies;         /* phi in guard planes, copied from the owners */
  double *buffer;                /* planes to send, then those received */
  size_t *send, *receive, *next; /* [ranks], of migration */
  double *each;                  /* [ranks][WN_SLAB_SUMS] */
};

/* ---- planes, for kernels too */

/* The plane of the grid that plane k is, beyond a periodic side. */
static WN_HD int64_t wn_slab_wrap(const struct wn_slab *s, int64_t k)
{
  return s->wraps ? (k % s->cells + s->cells) % s->cells : k;
}

/* Plane a of the arrays of charge and E, -1 to cells + 1. */
static WN_HD int64_t wn_slab_at_plane(const struct wn_slab *s, int64_t a)
{
  return (a + WN_GRID_GUARD) * s->padded;
}

/* Whether plane a is among `own` or a guard; *k: counted on from own, beyond a periodic side. */
static WN_HD int wn_slab_is_near(const struct wn_slab *s, const int64_t own[2],
                                 int64_t guard, int64_t a, int64_t *k)
{
  for (int turn = -1; turn <= 1; turn++) {
    *k = a + turn * s->cells;
    if ((turn == 0 || s->wraps) && *k >= own[0] - guard && *k < own[1] + guard)
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

/* Whether the nodes beside i along axis d are neither sides nor beyond one. */
static WN_HD int wn_slab_is_inner(const struct wn_slab *s, int d, int64_t i)
{
  return (d == s->axis && s->wraps) || (i > 0 && i < s->nodes.grid.cells[d]);
}

/* E along c of the node, or guard, at n along all axes; phi: the first node of plane 0, which may be on
 * another rank.  As the kernels of fields/electrostatic_gpu.cu. */
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
    const int wraps = d == s->axis && s->wraps; /* the guards have it */
    at[d] =
        wraps ? n[d] : wn_nodes_beyond(&s->nodes, d, n[d], staggered && d == c, &turned);
    sign = d == c ? turned : sign;
    if (d != c)
      offset += at[d] * step[d];
  }
  const double *line = phi + offset;
  if (c == s->axis && s->wraps) { /* as between the sides */
    const double w = staggered ? s->per_h[c] : 0.5 * s->per_h[c];
    return w * line[(at[c] - !staggered) * step[c]] + -w * line[(at[c] + 1) * step[c]];
  }
  const struct wn_poisson_stencil w =
      wn_poisson_stencil_at(g->cells[c], s->per_h[c], s->nodes.side[2 * c],
                            s->nodes.side[2 * c + 1], staggered, at[c]);
  return sign * wn_poisson_stencil_of(&w, step[c], line);
}

/* Whether axis 0 is a radius, whose nodes and edges have their own parts of a cell: of h0 h1 in
 * m2, so that the part of a node is a length, m, as its volume is in m3. */
static WN_HD int wn_slab_is_radial(const struct wn_slab *s)
{
  return WN_ON_DEVICE ? WN_RADIAL_KERNELS : s->radius.cells > 0;
}

/* Part of a cell that a node has along axis d. */
static WN_HD double wn_slab_part_along(const struct wn_slab *s, int d, int64_t i)
{
  if (d == 0 && wn_slab_is_radial(s))
    return wn_axis_share(&s->radius, i) / s->radius.h;
  return wn_nodes_is_end(&s->nodes, d, i) ? 0.5 : 1.0;
}

/* Particles of weight 1 per volume that a quantum is, at a node with this part of a cell. */
static WN_HD double wn_slab_per_volume(const struct wn_slab *s, double part)
{
  return 1.0 / (WN_QUANTA * wn_nodes_cell(&s->nodes.grid) * part);
}

/* Part of a cell's volume that a node has. */
static WN_HD double wn_slab_part_of(const struct wn_slab *s, const int64_t at[3])
{
  double of_cell = 1.0;
  for (int d = 0; d < s->nodes.grid.dim; d++)
    of_cell *= wn_slab_part_along(s, d, at[d]);
  return of_cell;
}

/* Whether a node is the second end of a periodic axis, which is not to be counted again. */
static WN_HD int wn_slab_is_copy(const struct wn_slab *s, const int64_t at[3])
{
  int is = 0;
  for (int d = 0; d < s->nodes.grid.dim; d++)
    is |= wn_nodes_is_copy(&s->nodes, d, at[d]);
  return is;
}

/* The rank that has plane k of the grid. */
static inline int wn_slab_owner_of(const struct wn_slab *s, int64_t k)
{
  const int64_t cell = k < s->cells ? k : s->cells - 1;
  return wn_slab_owner((size_t)s->cells, (size_t)cell, s->ranks);
}

/* ---- the arrays of the host */

static inline size_t wn_slab_own_nodes(const struct wn_slab *s)
{
  return (size_t)((s->own[1] - s->own[0]) * s->plane);
}

/* Guard planes of phi on each side. */
static inline int64_t wn_slab_guard_phi(const struct wn_slab *s)
{
  return s->ranks > 1 ? WN_SLAB_GUARD_PHI : 0;
}

/* Plane k of phi, own or a guard. */
static inline double *wn_slab_phi(const struct wn_electrostatic *f, int64_t k)
{
  return f->phi + (k - f->slab.own[0] + wn_slab_guard_phi(&f->slab)) * f->slab.plane;
}

/* Index in an array with guards of the quanta of node (x, y) of plane k: the second end of a periodic
 * axis has those of the first. */
static inline size_t wn_slab_quanta_at(const struct wn_slab *s, const int64_t at[3])
{
  const struct wn_grid_view *g = &s->nodes.grid;
  int64_t i = g->first;
  for (int d = 0; d < g->dim; d++)
    i += wn_nodes_is_copy(&s->nodes, d, at[d]) ? 0 : at[d] * g->step[d];
  return (size_t)i;
}

/* Each node i of the own planes: (x, y) of plane k. */
#define WN_FOR_SLAB(s, i)                                                                \
  for (int64_t i = 0, k = (s)->own[0]; k < (s)->own[1]; k++)                             \
    for (int64_t y = 0; y < (s)->ny; y++)                                                \
      for (int64_t x = 0; x < (s)->nx; x++, i++)

/* ---- electrostatic_host.c */

extern const struct wn_electrostatic_place wn_electrostatic_on_host;

/* rho of the quanta alone. */
void wn_electrostatic_make_charge(struct wn_electrostatic *f);
/* Charge beyond the sides of the own planes to the nodes it belongs to, as wn_deposit_fold. */
void wn_electrostatic_fold(const struct wn_electrostatic *f, int64_t *quanta);
/* f->e from phi, on the host. */
int wn_electrostatic_make_e(struct wn_electrostatic *f);
/* wn_electrostatic_place.e from phi. */
int wn_electrostatic_e(struct wn_electrostatic *f, int d, double *e);
/* ---- electrostatic_host_sums.c */

/* The charge density that neutralizes rho, C/m3, the same on all ranks. */
double wn_electrostatic_neutral(const struct wn_electrostatic *f);
/* v [n] of all slabs added, in the order of the ranks; n at most WN_SLAB_SUMS. */
#define WN_SLAB_SUMS 8 /* the first of struct wn_charge_sums */
void wn_slab_add_up(const struct wn_electrostatic *f, double *v, size_t n);
int wn_electrostatic_host_sums(struct wn_electrostatic *f, struct wn_charge_sums *out);

/* ---- electrostatic_electrodes.c */

/* f->electrodes, f->shares and their surfaces, in the spec of the solver, before this is made; WN_ENOMEM, and then there is
 * something to free. */
int wn_electrostatic_make_electrodes(struct wn_electrostatic *f);
void wn_electrostatic_free_electrodes(struct wn_electrostatic *f);
/* From f->rho on the host: f->shares->rho, and what the layer of particles adds to E beside surfaces there. */
void wn_electrostatic_lift(struct wn_electrostatic *f);

/* ---- electrostatic_device.c */
extern const struct wn_electrostatic_place wn_electrostatic_on_gpu;

/* ---- halo.c */

/* The planes of arrays of charge and E that are own or at most `guard` from these, as ranges of nodes, in
 * rising order; returns their number. */
#define WN_SLAB_RANGES 4
int wn_slab_ranges(const struct wn_slab *s, int64_t guard,
                   size_t range[WN_SLAB_RANGES][2]);
/* f->sums and f->copies; WN_ENOMEM, and then there is something to free */
int wn_halo_create(struct wn_electrostatic *f);
void wn_halo_free(struct wn_electrostatic *f);
/* Quanta in guard planes are added to those of the owners; phi in guard planes is copied from them. */
void wn_halo_add(struct wn_electrostatic *f, int64_t *quanta);
void wn_halo_copy(struct wn_electrostatic *f);

/* ---- migration.c, and migration_gpu.cu */

/* Offsets in a record of the position and speed along the axis, and of the word that marks it dead; the
 * slab of this rank. */
struct wn_migration {
  size_t bytes, x, u, dead;
  int bits, rank, ranks;
  float most;    /* m/s */
  int64_t low;   /* position where the slab begins, */
  uint64_t wide; /* and its extent */
  int64_t cells;
};
/* dt [s]: of the step to come. */
struct wn_migration wn_migration_of(const struct wn_electrostatic *f,
                                    const struct wn_particles *p, double dt);

/* The rank that has the cell of a record; *fast = 1: it is too fast.  Dead records stay. */
static WN_HD int wn_migration_to(const struct wn_migration *l,
                                 const unsigned char *record, int *fast)
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

/* f->receive, from f->send of all ranks; returns how many particles come to this rank. */
size_t wn_migration_count(const struct wn_electrostatic *f);

/* Each particle of species k goes to the rank that has its cell, unchanged, in any order.  dt [s]: of
 * the step of the field to come.  WN_ERUN: a particle is so fast that it crosses more than a cell in half
 * of its own step; WN_EFULL, of any rank. */
int wn_migrate(const struct wn_electrostatic *f, size_t k, struct wn_particles *p,
               double dt);
/* The step of species k: longer than that of the field where it waits. */
static inline double wn_migration_step(const struct wn_electrostatic *f, size_t k,
                                       double dt)
{
  return dt * (f->spec.waits[k] > 0 ? f->spec.waits[k] : 1);
}
/* WN_ERUN when on any rank a particle was found too fast. */
int wn_migration_too_fast(const struct wn_electrostatic *f, int here);

WN_END_DECLS

#endif
