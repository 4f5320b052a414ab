/* fields/sparse/sparse_host.c - the grids of the field `sparse` on the host: see sparse_parts.h. */
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/ranks.h"
#include "fields/sparse/sparse_parts.h"

#ifdef _OPENMP
#include <omp.h>
#define THREAD omp_get_thread_num()
#else
#define THREAD 0
#endif

/* ---- life */

static void destroy(struct wn_sparse *f)
{
  for (int p = 0; p < WN_MAX_DIM; p++)
    wn_deposit_free(f->deposit[p]);
  for (size_t k = 0; k < f->spec.full.n_species; k++)
    free(f->padded[k]);
  for (int i = 0; i < f->c.n_components; i++)
    wn_poisson_free(f->poisson[i]);
  free(f->charge);
  free(f->parent_e);
}

static int create(struct wn_sparse *f)
{
  const size_t species = f->spec.full.n_species;
  for (int p = 0; p < f->c.n_parents; p++) {
    const struct wn_grid_view g = wn_sparse_grid(&f->grid, f->c.n, f->c.parent[p].level);
    WN_TRY(wn_deposit_create(&g, f->threads, &f->deposit[p]));
    f->first_padded[p + 1] = f->first_padded[p] + (size_t)wn_grid_nodes(&g);
    for (size_t k = 0; k < species; k++) {
      f->points[k][p] = f->spec.full.points[k];
      f->points[k][p].grid = g;
    }
  }
  for (size_t k = 0; k < species; k++) {
    f->padded[k] = wn_alloc(f->first_padded[f->c.n_parents], sizeof *f->padded[k]);
    if (f->padded[k] == NULL)
      return WN_ENOMEM;
  }
  f->charge = wn_alloc(species * (size_t)f->c.parent_nodes, sizeof *f->charge);
  f->parent_e = wn_alloc((size_t)(f->c.dim * f->c.parent_nodes), sizeof *f->parent_e);
  if (f->charge == NULL || f->parent_e == NULL)
    return WN_ENOMEM;
  for (int i = 0; i < f->c.n_components; i++) {
    const struct wn_poisson_spec of = wn_sparse_poisson_spec(&f->spec, &f->c, i);
    WN_TRY(wn_poisson_create(&of, &f->poisson[i]));
  }
  f->grid.e = f->e;
  return WN_OK;
}

/* ---- charge */

static wn_i128 total(const int64_t *quanta, size_t n)
{
  wn_i128 sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += quanta[i];
  return sum;
}

/* The charge of the particles p of species k onto each parent. */
static int add(struct wn_sparse *f, size_t k, const struct wn_particles *p)
{
  for (int i = 0; i < f->c.n_parents; i++) {
    struct wn_points *m = &f->points[k][i];
    struct wn_deposited sum = {0};
    int64_t *to = f->padded[k] + f->first_padded[i];
    const size_t n = f->first_padded[i + 1] - f->first_padded[i];
    const wn_i128 before = total(to, n);
    m->dt = f->spec.full.points[k].dt;
    wn_points_prepare(m);
    WN_TRY((f->spec.full.electrons[k] ? wn_deposit_electrons : wn_deposit_points)(
        f->deposit[i], m, p, to, &sum));
    WN_TRY(wn_deposit_compare(k, total(to, n) - before, &sum));
  }
  return WN_OK;
}

/* Of one rank the quanta of a species that is fixed, or waits, remain, and those of new particles are added: as
 * in fields/electrostatic_host.c. */
static int deposit(struct wn_sparse *f, size_t k, const struct wn_particles *p)
{
  const size_t n = f->first_padded[f->c.n_parents];
  struct wn_particles new = *p; /* those not in the quanta yet */
  const int alone = wn_ranks() == 1, fixed = f->spec.full.fixed[k],
            waits = f->spec.full.waits[k] != 0 && f->at[k] == p->changes,
            stays = alone && f->removals[k] == p->removals && (fixed || waits);
  f->known[k] = stays ? f->known[k] : 0;
  f->at[k] = p->changes;
  f->removals[k] = p->removals;
  if (!stays)
    memset(f->padded[k], 0, n * sizeof *f->padded[k]);
  new.e = wn_particles_at(p, f->known[k]);
  new.n = p->n - f->known[k];
  if (new.n == 0 && alone)
    return WN_OK;
  int status = new.n > 0 ? add(f, k, &new) : WN_OK;
  if (!alone && wn_ranks_any(status != WN_OK) && status == WN_OK)
    status = WN_FAIL(WN_ERUN, "the charge of another process failed");
  WN_TRY(status);
  wn_ranks_sum_i64(f->padded[k], n);
  for (int i = 0; i < f->c.n_parents; i++)
    wn_deposit_fold(&f->points[k][i].grid, f->nodes.mirrors,
                    f->padded[k] + f->first_padded[i]);
  f->known[k] = p->n;
  return WN_OK;
}

/* Without guards. */
static void unpack(struct wn_sparse *f, size_t k)
{
  int64_t *to = f->quanta[k];
  for (int i = 0; i < f->c.n_parents; i++) {
    const struct wn_grid_view *g = &f->points[k][i].grid;
    const int64_t *from = f->padded[k] + f->first_padded[i] + g->first;
    const int64_t nx = wn_nodes_along(g, 0), ny = wn_nodes_along(g, 1),
                  nz = wn_nodes_along(g, 2);
    for (int64_t z = 0; z < nz; z++)
      for (int64_t y = 0; y < ny; y++, to += nx)
        memcpy(to, from + y * g->step[1] + z * g->step[2], (size_t)nx * sizeof *to);
  }
}

static int charge(struct wn_sparse *f, struct wn_particles *const *species)
{
  for (size_t k = 0; k < f->spec.full.n_species; k++) {
    WN_TRY(deposit(f, k, species[k]));
    unpack(f, k);
  }
  return WN_OK;
}

/* ---- from charge to E */

/* E of the parents as particles gather it there. */
static void make_floats_of_parents(struct wn_sparse *f)
{
  const int64_t n = f->c.parent_nodes;
  const int stride = f->grid.stride;
#ifdef _OPENMP
#pragma omp parallel for num_threads(f->threads) schedule(static)
#endif
  for (int64_t i = 0; i < n; i++)
    for (int d = 0; d < f->c.dim; d++)
      f->e[i * stride + d] = (float)f->parent_e[d * n + i];
}

static void make_floats(struct wn_sparse *f)
{
  const struct wn_grid_view *g = &f->grid;
  const int last = f->c.dim - 1;
  const int64_t nx = g->cells[0] + 1, ny = last > 1 ? g->cells[1] + 1 : 1;
#ifdef _OPENMP
#pragma omp parallel for num_threads(f->threads) schedule(static)
#endif
  for (int64_t k = 0; k <= g->cells[last]; k++) {
    double *work = wn_sparse_work_of(f, THREAD), *plane = work + wn_sparse_work(&f->c);
    for (int d = 0; d < f->c.dim; d++) {
      wn_sparse_plane(&f->c, f->parent_e + d * f->c.parent_nodes, k, work, plane);
      for (int64_t y = 0; y < ny; y++) {
        float *to =
            f->e +
            (g->first + k * g->step[last] + (last > 1 ? y * g->step[1] : 0)) * g->stride +
            d;
        for (int64_t x = 0; x < nx; x++)
          to[x * g->stride] = (float)plane[y * nx + x];
      }
    }
  }
}

static int solve(struct wn_sparse *f, const double volt[6])
{
  const size_t species = f->spec.full.n_species, parents = (size_t)f->c.parent_nodes;
  int failed = 0;
  for (size_t k = 0; k < species; k++)
    wn_sparse_numbers(f, f->quanta[k], f->charge + k * parents);
#ifdef _OPENMP
#pragma omp parallel for num_threads(f->threads) schedule(dynamic) reduction(| : failed)
#endif
  for (int i = 0; i < f->c.n_components; i++) {
    const int64_t first = f->c.c[i].first, n = wn_sparse_nodes(f->c.dim, f->c.c[i].level);
    double *rho = f->rho + first, *phi = f->phi + first;
    for (int64_t j = 0; j < n; j++)
      rho[j] = 0.0;
    wn_sparse_component_charge(f, i, species, f->spec.full.charge, f->charge,
                               wn_sparse_work_of(f, THREAD), rho);
    for (int64_t j = 0; j < n; j++)
      rho[j] += f->background;
    const int status = wn_poisson_solve(f->poisson[i], rho, volt, phi);
    failed |= status;
    for (int d = 0; d < f->c.dim && status == WN_OK; d++)
      wn_poisson_field(f->poisson[i], phi, d, 0, f->component_e[d] + first);
  }
  if (failed != 0) {
    /* voltages are wrong for all alike: the message is that of the first */
    WN_TRY(wn_poisson_solve(f->poisson[0], f->rho + f->c.c[0].first, volt,
                            f->phi + f->c.c[0].first));
    return WN_FAIL(WN_ERUN, "Poisson's equation of a component grid has no solution");
  }
#ifdef _OPENMP
#pragma omp parallel for num_threads(f->threads) schedule(static)
#endif
  for (int d = 0; d < f->c.dim; d++)
    wn_sparse_combine(&f->c, f->component_e[d], wn_sparse_work_of(f, THREAD),
                      f->parent_e + d * f->c.parent_nodes);
  if (f->spec.at == WN_SPARSE_PARTICLE)
    make_floats_of_parents(f);
  else
    make_floats(f);
  return WN_OK;
}

/* ---- all is here */

static int have_quanta(struct wn_sparse *f, size_t k)
{
  (void)f;
  (void)k;
  return WN_OK;
}

static int have(struct wn_sparse *f)
{
  (void)f;
  return WN_OK;
}

static int have_e(struct wn_sparse *f, int d)
{
  (void)f;
  (void)d;
  return WN_OK;
}

const struct wn_sparse_place wn_sparse_on_host = {
    .create = create,
    .free = destroy,
    .charge = charge,
    .solve = solve,
    .fetch_quanta = have_quanta,
    .fetch_rho = have,
    .fetch_phi = have,
    .fetch_e = have_e,
    .fetch_floats = have,
};
