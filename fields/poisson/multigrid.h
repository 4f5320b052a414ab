/* fields/poisson/multigrid.h - the grids of multigrid (multigrid.c): nodes, conductances and
 * vectors of each, in single precision.  Only files multigrid*.c include it.
 *
 * Arrays have one node more at both ends of each axis of the grid, so that all nodes have
 * neighbours: beyond an end no flux passes, and beyond the ends of a periodic axis are copies
 * of its other end. */
#ifndef WN_FIELDS_POISSON_MULTIGRID_H
#define WN_FIELDS_POISSON_MULTIGRID_H
#include <stddef.h>
#include <stdint.h>
#include "base/threads.h"
#include "fields/poisson/parts.h"

WN_BEGIN_DECLS

/* Below so many nodes one thread is faster than several. */
#define WN_MULTIGRID_OF_ONE_THREAD 16384

struct wn_multigrid_axis {
  int32_t n;       /* nodes; a periodic axis has its first and last node once */
  int is_periodic; /* 0 or 1 */
  int is_given[2]; /* whether its low, high end is a side of given potential */
  double *length;  /* m, [n]: of the edge from a node to the next */
  /* The nodes that the next coarser grid has, and the others, which lie between two of them. */
  int32_t n_kept, n_between;
  int32_t *kept, *between; /* node here: [n_kept], [n_between] */
  uint8_t *is_between;     /* [n] */
  uint8_t *beside; /* [n]: bit 0, 1: whether the neighbour below, above is one of these */
};

struct wn_multigrid_level {
  int dim, threads;
  struct wn_multigrid_axis axis[3]; /* n is 1 beyond dim */
  size_t first, step[3], size;      /* of arrays: node 0, neighbours, doubles in all */
  int colours;                      /* of neighbours all differ */
  float *c[3];    /* m: conductance of the edge from a node to the next along an axis */
  float *inverse; /* 1/m: of the diagonal; 0 where the potential is given */
  float *
      weight; /* 1/m: 1 over the conductances that interpolation sums, at nodes between */
  float *x, *b, *r; /* correction, right-hand side, and residual or another correction */
};

/* Of the coarsest grid, which is solved by elimination. */
struct wn_multigrid_bottom {
  size_t n;       /* unknown nodes */
  size_t *node;   /* [n], places in its arrays */
  double *factor; /* [n][n]: L below the diagonal, 1 / D on it */
  double *value;  /* [n] */
};

#define WN_MULTIGRID_LEVELS 64

struct wn_multigrid_levels {
  int n;
  struct wn_multigrid_level level[WN_MULTIGRID_LEVELS]; /* from the finest on */
  struct wn_multigrid_bottom bottom;
};

/* Over-relaxation of grids of two colours.  Nine cycles alone leave, each on the average, 0.066 to 0.072 of the residual in
 * three dimensions between walls, with a ball or a needle inside too, from 48^3 to 256^3 cells; with 1.15 it is 0.094 at 64^3
 * and 0.082 at 256^3 with a ball, and 0.06 if what comes from the coarser grid is multiplied by 1.03 besides, but 0.2
 * where cells are of any length (2026-11-27).  In two they leave 0.16 to 0.08; 0.2 without, and 0.44 if the colours are
 * smoothed in opposite orders before and after the coarser grid, as a symmetric operator would (64^3, 32^3 and 256^2 cells,
 * 2026-11-26).  The idea is that of I. Yavneh, SIAM J. Sci. Comput. 17 (1996) 180, as known; the paper was not at hand. */
static WN_HD float wn_multigrid_omega(int dim, int colours)
{
  return colours != 2 ? 1.0f : dim == 3 ? 1.2f : 1.08f;
}

/* Rows (j, k) of a grid, some of which may run at the same time. */
#define WN_MULTIGRID_ROWS(l)                                                             \
  for (int32_t k = 0; k < (l)->axis[2].n; k++)                                           \
    for (int32_t j = 0; j < (l)->axis[1].n; j++)
#ifdef _OPENMP
#define WN_MULTIGRID_PRAGMA(text) _Pragma(#text)
#define WN_MULTIGRID_FOR_ROWS(l)                                                         \
  WN_MULTIGRID_PRAGMA(omp parallel for collapse(2) num_threads(wn_threads((l)->threads)) \
                      schedule(static) if ((l)->size > WN_MULTIGRID_OF_ONE_THREAD))      \
  WN_MULTIGRID_ROWS(l)
#else
#define WN_MULTIGRID_FOR_ROWS(l) WN_MULTIGRID_ROWS(l)
#endif

/* The place of node (0, j, k). */
static inline size_t wn_multigrid_row(const struct wn_multigrid_level *l, int32_t j,
                                      int32_t k)
{
  return l->first + (size_t)j * l->step[1] + (size_t)k * l->step[2];
}

/* ---- multigrid_levels.c */

/* The axes of all grids, without vectors: n nodes along each axis of the finest, and the
 * lengths of their edges to the next, length[d][n[d]].  WN_ENOMEM; in any case
 * wn_multigrid_free. */
int wn_multigrid_plan(struct wn_multigrid_levels *m, int dim, const int32_t n[3],
                      const int is_periodic[3], double *const length[3], int threads);
void wn_multigrid_free(struct wn_multigrid_levels *m);

/* Bytes of a plan with its vectors. */
size_t wn_multigrid_memory(const struct wn_multigrid_levels *m);

/* Zeros everywhere.  WN_ENOMEM. */
int wn_multigrid_allocate(struct wn_multigrid_levels *m);

/* The part, by lengths, that node `kept` of the next grid takes of the node at `by`, -1 to 1, from it along an axis. */
double wn_multigrid_part(const struct wn_multigrid_axis *a, int32_t kept, int by);

/* Of the finest, c inside and inverse are given: the conductances of all others.  WN_ENOMEM. */
int wn_multigrid_coarsen(struct wn_multigrid_levels *m);

/* ---- multigrid_cycle.c */

/* Values beyond the ends of periodic axes. */
void wn_multigrid_wrap(const struct wn_multigrid_level *l, float *values);
void wn_multigrid_wrap_double(const struct wn_multigrid_level *l, double *values);

/* r of a grid, 0 at given nodes -> b of the next: the transpose of interpolation.  r is changed. */
void wn_multigrid_restrict(const struct wn_multigrid_level *l,
                           const struct wn_multigrid_level *next);

/* b of the finest grid -> x of it, which is about A^-1 b: one V-cycle.
 * The same bits with any number of threads. */
void wn_multigrid_cycle(const struct wn_multigrid_levels *m);

/* ---- multigrid.c */

/* The residual at the end, over that at the beginning; iterations at most. */
#define WN_MULTIGRID_TOLERANCE 1e-12
#define WN_MULTIGRID_MOST      300
static inline double wn_multigrid_tolerance(const struct wn_poisson_spec *s)
{
  return s->tolerance > 0.0 ? s->tolerance : WN_MULTIGRID_TOLERANCE;
}

struct wn_multigrid_solver {
  struct wn_poisson head;
  struct wn_multigrid_levels levels;
  size_t n[3], step[3], nodes; /* of phi, 1 beyond dim */
  int is_floating;             /* no potential is given */
  int cycles;                  /* of the last solve */
  double *length[3];           /* m, of edges */
  double *measure[3];          /* [n] of each axis: wn_axis_measure */
  double *over[3]; /* [n + 1]: area over length of the edge below a node; 0: none */
  double *row;     /* sums of each row, 2 of each */
  double *x, *r, *p,
      *q; /* as the arrays of the finest grid: solution, residual, direction, its flux */
};

/* Of zeros: nodes, axes and grids without vectors.  WN_ENOMEM; in any case the free of the ops. */
int wn_multigrid_prepare(struct wn_multigrid_solver *m, const struct wn_poisson_spec *s);

/* What gives a node its potential: a side, that of the lower axis first, or a surface inside; -1: none. */
int wn_multigrid_giver(const struct wn_multigrid_solver *m, const size_t node[3]);

WN_END_DECLS

#endif
