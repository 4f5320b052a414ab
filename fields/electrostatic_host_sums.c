/* fields/electrostatic_host_sums.c - integrals over the domain on the host: each rank over its own nodes
 * and the edges that begin there, in their order, then the ranks in theirs. */
#include <math.h>
#include <string.h>
#include "base/error.h"
#include "base/threads.h"
#include "fields/electrostatic_sums.h"
#include "fields/poisson/parts.h"

void wn_slab_add_up(const struct wn_electrostatic *f, double *v, size_t n)
{
  WN_ASSERT(n <= WN_SLAB_SUMS);
  if (f->slab.ranks == 1)
    return;
  wn_ranks_gather(v, n * sizeof *v, f->each);
  memset(v, 0, n * sizeof *v);
  for (size_t r = 0; r < (size_t)f->slab.ranks; r++)
    for (size_t i = 0; i < n; i++)
      v[i] += f->each[r * n + i];
}

/* A pass over the nodes. */
struct pass {
  enum { MEAN, NODES, EDGES, LEFT } what;
  double sum[WN_SLAB_SUMS]; /* NODES, EDGES; MEAN: of charge, and of parts of cells */
  int d;                    /* EDGES: along d */
  double flux;              /* out of the domain */
  int64_t begin[3], end[3]; /* LEFT: the unknown nodes along each axis */
  double taken;             /* the mean of rho where nothing holds phi */
  double most[2]; /* residual of the equation, V/m2, and the largest charge over eps0 */
};

static WN_HD void add(const struct wn_slab *s, const struct wn_slab_node *n, double cell,
                      struct pass *p)
{
  double part, left;
  switch (p->what) {
  case MEAN:
    part = n->far ? 1.0 : wn_slab_part_of(s, n->at);
    p->sum[0] += n->rho * part;
    p->sum[1] += part;
    break;
  case NODES:
    wn_slab_add_node(s, n, cell, p->sum);
    break;
  case EDGES:
    wn_slab_add_edge(s, n, p->d, &p->sum[WN_SLAB_SQUARE], &p->flux);
    break;
  case LEFT:
    if (!wn_slab_is_unknown(s, p->begin, p->end, n))
      break;
    left = wn_slab_left(s, n, p->taken);
    p->most[0] = left > p->most[0] || isnan(left) ? left : p->most[0];
    p->most[1] = fmax(p->most[1], fabs(n->rho) / WN_EPS0);
    break;
  }
}

/* Nodes x to before `end` of a row, all of which are far, or none may be; a constant, so that the inner
 * nodes, as most are, take no branches. */
static WN_HD void add_part(const struct wn_electrostatic *f, int64_t x, int64_t end,
                           int64_t y, int64_t k, int far, struct pass *p)
{
  const double cell = wn_nodes_cell(&f->grid), *phi = wn_slab_phi(f, 0);
  for (; x < end; x++) {
    struct wn_slab_node n = wn_slab_node(&f->slab, f->rho, phi, x, y, k);
    n.far = far;
    if (far || !wn_slab_is_copy(&f->slab, n.at))
      add(&f->slab, &n, cell, p);
  }
}

static WN_HD void add_row(const struct wn_electrostatic *f, int64_t y, int64_t k,
                          struct pass *p)
{
  const struct wn_slab *s = &f->slab;
  const int far = s->nx > 4 && wn_slab_node(s, f->rho, wn_slab_phi(f, 0), 2, y, k).far;
  const int64_t begin = far ? 2 : s->nx, end = far ? s->nx - 2 : s->nx;
  add_part(f, 0, begin, y, k, 0, p);
  add_part(f, begin, end, y, k, 1, p);
  add_part(f, end, s->nx, y, k, 0, p);
}

/* Planes [first, end); what: a constant. */
static WN_HD void pass(const struct wn_electrostatic *f, int what, int64_t first,
                       int64_t end, struct pass *p)
{
  struct pass here = *p; /* so that the compiler sees that it is nowhere else */
  here.what = what;
  for (int64_t k = first; k < end; k++)
    for (int64_t y = 0; y < f->slab.ny; y++)
      add_row(f, y, k, &here);
  *p = here;
}

static WN_HD void pass_all(const struct wn_electrostatic *f, int what, struct pass *p)
{
  pass(f, what, f->slab.own[0], f->slab.own[1], p);
}

/* All edges, axis by axis: one sum of squares in this order. */
static void pass_edges(const struct wn_electrostatic *f, struct pass *p)
{
  for (p->d = 0; p->d < f->grid.dim; p->d++) {
    p->flux = 0.0;
    pass_all(f, EDGES, p);
    p->sum[WN_SLAB_THROUGH] +=
        WN_EPS0 * p->flux * wn_nodes_cell(&f->grid) / f->grid.h[p->d];
  }
}

static double neutral(const struct wn_electrostatic *f, struct pass *mean)
{
  wn_slab_add_up(f, mean->sum, 2);
  return -mean->sum[0] / mean->sum[1];
}

double wn_electrostatic_neutral(const struct wn_electrostatic *f)
{
  struct pass p = {.d = 0};
  pass_all(f, MEAN, &p);
  return neutral(f, &p);
}

/* Below so many nodes one thread is faster than several. */
#define NODES_OF_ONE_THREAD 8192

/* Sums of doubles have an order, which the threads must not change: each pass is one thread's, and
 * three passes run at a time. */
enum { OF_EDGES, OF_NODES, OF_MEAN, PASSES };

static void sum_up(const struct wn_electrostatic *f, int floats, struct pass p[PASSES])
{
#ifdef _OPENMP
#pragma omp parallel for num_threads(f->threads)                                         \
    schedule(static, 1) if (wn_slab_own_nodes(&f->slab) > NODES_OF_ONE_THREAD)
#endif
  for (int i = 0; i < PASSES; i++)
    if (i == OF_EDGES)
      pass_edges(f, &p[i]);
    else if (i == OF_NODES)
      pass_all(f, NODES, &p[i]);
    else if (floats)
      pass_all(f, MEAN, &p[i]);
}

/* The largest of all: any order, each thread has planes of its own. */
static void find_left(const struct wn_electrostatic *f, struct pass *p)
{
  const int64_t first = f->slab.own[0];
  const size_t planes = (size_t)(f->slab.own[1] - first);
  const struct pass start = *p; /* others may have added to *p when a thread begins */
#ifdef _OPENMP
#pragma omp parallel num_threads(f->threads) if (wn_slab_own_nodes(&f->slab) >           \
                                                 NODES_OF_ONE_THREAD)
#endif
  {
    const int me = wn_thread(), team = wn_team();
    struct pass mine = start;
    pass(f, LEFT, first + (int64_t)wn_thread_part(planes, me, team),
         first + (int64_t)wn_thread_part(planes, me + 1, team), &mine);
#ifdef _OPENMP
#pragma omp critical
#endif
    {
      const double left = mine.most[0];
      p->most[0] = left > p->most[0] || isnan(left) ? left : p->most[0];
      p->most[1] = fmax(p->most[1], mine.most[1]);
    }
  }
}

/* What electrodes change: their nodes are held, and factors of edges count. */
static void sum_beside_electrodes(const struct wn_electrostatic *f,
                                  double sum[WN_SLAB_SUMS], double most[2])
{
  const struct wn_poisson_spec *s = &f->spec.poisson;
  struct wn_electrode_sums e;
  wn_electrodes_sums(f->electrodes, &s->geometry, s->side, wn_slab_phi(f, 0), &e);
  sum[WN_SLAB_INSIDE] = e.inside;
  sum[WN_SLAB_THROUGH] = e.through;
  sum[WN_SLAB_SQUARE] = e.square / wn_nodes_cell(&f->grid);
  most[0] = e.left;
  most[1] = e.largest;
}

int wn_electrostatic_host_sums(struct wn_electrostatic *f, struct wn_charge_sums *out)
{
  const int is_left = f->spec.poisson.method != WN_POISSON_SPECTRAL,
            floats = is_left && wn_poisson_is_floating(&f->spec.poisson);
  struct pass all[PASSES] = {{.d = 0}}, p = {.d = 0};
  sum_up(f, floats, all);
  double *sum = all[OF_NODES].sum;
  sum[WN_SLAB_SQUARE] = all[OF_EDGES].sum[WN_SLAB_SQUARE];
  sum[WN_SLAB_THROUGH] = all[OF_EDGES].sum[WN_SLAB_THROUGH];
  wn_slab_add_up(f, sum, WN_SLAB_SUMS);
  if (is_left) {
    for (int d = 0; d < f->grid.dim; d++)
      wn_poisson_inside(&f->spec.poisson, d, &p.begin[d], &p.end[d]);
    if (floats)
      p.taken = -neutral(f, &all[OF_MEAN]);
    find_left(f, &p);
    if (f->slab.ranks > 1)
      wn_ranks_most(p.most, 2);
  }
  if (f->electrodes != NULL)
    sum_beside_electrodes(f, sum, p.most);
  wn_slab_sums_of(sum, p.most, out);
  return WN_OK;
}
