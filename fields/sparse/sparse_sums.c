/* fields/sparse/sparse_sums.c - integrals of the combined potential of the field `sparse`: energy and differences
 * between sides, plane after plane of the full grid, and amplitudes of waves: see sparse_parts.h. */
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"
#include "fields/sparse/refine.h"
#include "fields/sparse/sparse_parts.h"
#include "fields/waves.h"

/* ---- over planes: the square of E between nodes, and phi over the low side less that over the high one along each
 * axis, with parts of cells */

/* Part of a cell that node i has along d; 0: the second end of a period. */
static double part_of(const struct wn_sparse *f, int d, int64_t i)
{
  return wn_nodes_is_copy(&f->nodes, d, i)  ? 0.0
         : wn_nodes_is_end(&f->nodes, d, i) ? 0.5
                                            : 1.0;
}

static double square_of(double volt, double per_h)
{
  return volt * per_h * (volt * per_h);
}

/* Plane k of phi, and the next; sum: square, then along each axis. */
static void sum_plane(const struct wn_sparse *f, int64_t k, const double *phi,
                      const double *next, double sum[4])
{
  const struct wn_grid_view *g = &f->grid;
  const int last = f->c.dim - 1;
  const int64_t cells = g->cells[0], nx = cells + 1, ny = last > 1 ? g->cells[1] + 1 : 1;
  const double across = part_of(f, last, k), turn = k == 0                ? 1.0
                                                    : k == g->cells[last] ? -1.0
                                                                          : 0.0;
  for (int64_t y = 0; y < ny; y++, phi += nx, next += nx) {
    const double part_y = last > 1 ? part_of(f, 1, y) : 1.0;
    double x_edges = 0.0, y_edges = 0.0, to_next = 0.0, row = 0.0;
    for (int64_t x = 0; x < nx; x++) {
      const double part_x = part_of(f, 0, x);
      x_edges += x < cells ? square_of(phi[x] - phi[x + 1], g->per_h[0]) : 0.0;
      y_edges += y + 1 < ny ? part_x * square_of(phi[x] - phi[x + nx], g->per_h[1]) : 0.0;
      to_next += part_x * square_of(phi[x] - next[x], g->per_h[last]);
      row += part_x * phi[x];
    }
    sum[0] +=
        across * (part_y * x_edges + y_edges) + (turn < 0.0 ? 0.0 : part_y * to_next);
    sum[1] += across * part_y * (phi[0] - phi[cells]);
    if (last > 1 && (y == 0 || y == ny - 1))
      sum[2] += across * (y == 0 ? row : -row);
    sum[1 + last] += turn * part_y * row;
  }
}

/* Planes from `from` to before `to`. */
static void sum_planes(const struct wn_sparse *f, int thread, int64_t from, int64_t to,
                       double (*sum)[4])
{
  double *work = wn_sparse_work_of(f, thread), *phi = work + wn_sparse_work(&f->c),
         *next = phi + f->plane;
  const int64_t end = f->grid.cells[f->c.dim - 1];
  wn_sparse_plane(&f->c, f->parents, from, work, phi);
  for (int64_t k = from; k < to; k++) {
    double *const before = phi;
    wn_sparse_plane(&f->c, f->parents, k < end ? k + 1 : k, work, next);
    sum_plane(f, k, phi, next, sum[k]);
    phi = next;
    next = before;
  }
}

int wn_sparse_sums(struct wn_sparse *f, double *square, double drop[3])
{
  const int64_t planes = f->grid.cells[f->c.dim - 1] + 1;
  double(*sum)[4] = wn_alloc((size_t)planes, sizeof *sum); /* all 0 */
  if (sum == NULL)
    return WN_ENOMEM;
  wn_sparse_combine(&f->c, f->phi, f->work, f->parents);
#ifdef _OPENMP
#pragma omp parallel for num_threads(f->threads) schedule(static)
#endif
  for (int t = 0; t < f->threads; t++)
    if (planes * t / f->threads < planes * (t + 1) / f->threads)
      sum_planes(f, t, planes * t / f->threads, planes * (t + 1) / f->threads, sum);
  double all[4] = {0.0};
  for (int64_t k = 0; k < planes; k++) /* the same order for any number of threads */
    for (int i = 0; i < 4; i++)
      all[i] += sum[k][i];
  free(sum);
  *square = all[0];
  for (int d = 0; d < 3; d++) {
    double area = 1.0;
    for (int a = 0; a < f->c.dim; a++)
      area *= a != d ? f->grid.h[a] : 1.0;
    drop[d] = d < f->c.dim && !f->is_periodic[d] ? area * all[1 + d] : 0.0;
  }
  return WN_OK;
}

/* ---- waves: a mean over the full grid is a sum over the component grids, with the factors of the wave restricted
 * along each axis as charge is */

/* Of one axis: factors at all levels, real and imaginary parts apart. */
struct factors {
  double *of[2][WN_SPARSE_LEVELS + 1];
};

static void make_factors(const struct wn_sparse *f, const double *factor,
                         const double *part, double *memory, struct factors *out)
{
  const int64_t nodes = wn_sparse_nodes_along(f->c.n);
  for (int re_im = 0; re_im < 2; re_im++) {
    double *at = memory;
    for (int64_t i = 0; i < nodes; i++)
      at[i] = part[i] * factor[2 * i + re_im];
    for (int level = f->c.n;; level--) {
      out->of[re_im][level] = at;
      memory = at + wn_sparse_nodes_along(level);
      if (level == f->c.least)
        break;
      /* both ends of a period count, each with its half: as between walls */
      for (int64_t i = 0; i <= (int64_t)1 << (level - 1); i++)
        memory[i] = wn_sparse_restricted(at, (int64_t)1 << level, 1, 0, i);
      at = memory;
    }
  }
}

/* The sum over the nodes of component c. */
static void add_component(const struct wn_sparse *f, const struct wn_component *c,
                          const struct factors axis[3], double sum[2])
{
  const double *phi = f->phi + c->first;
  const int last = f->c.dim - 1;
  const int64_t nx = wn_sparse_nodes_along(c->level[0]),
                ny = last > 1 ? wn_sparse_nodes_along(c->level[1]) : 1,
                nz = wn_sparse_nodes_along(c->level[last]);
  const double *wx = axis[0].of[0][c->level[0]], *vx = axis[0].of[1][c->level[0]];
  for (int64_t k = 0; k < nz; k++)
    for (int64_t j = 0; j < ny; j++, phi += nx) {
      const double zr = axis[last].of[0][c->level[last]][k],
                   zi = axis[last].of[1][c->level[last]][k],
                   yr = last > 1 ? axis[1].of[0][c->level[1]][j] : 1.0,
                   yi = last > 1 ? axis[1].of[1][c->level[1]][j] : 0.0;
      double re = 0.0, im = 0.0;
      for (int64_t i = 0; i < nx; i++) {
        re += phi[i] * wx[i];
        im += phi[i] * vx[i];
      }
      const double r = yr * zr - yi * zi, s = yr * zi + yi * zr;
      sum[0] += c->coefficient * (re * r - im * s);
      sum[1] += c->coefficient * (re * s + im * r);
    }
}

int wn_sparse_waves(struct wn_sparse *f, const struct wn_waves *w, double *out)
{
  const size_t nodes = (size_t)wn_sparse_nodes_along(f->c.n), each = 4 * (2 * nodes + 32);
  double *memory = wn_alloc(3 * each, sizeof *memory);
  if (memory == NULL)
    return WN_ENOMEM;
  for (size_t m = 0; m < w->n; m++) {
    struct factors axis[3];
    double sum[2] = {0.0, 0.0}, volume = 1.0;
    for (int d = 0; d < f->c.dim; d++) {
      double length = 0.0;
      for (size_t i = 0; i < nodes; i++)
        length += w->part[(size_t)d * nodes + i];
      volume *= length;
      make_factors(f, w->factor + 2 * (m * wn_waves_row(w) + (size_t)d * nodes),
                   w->part + (size_t)d * nodes, memory + (size_t)d * each, &axis[d]);
    }
    for (int i = 0; i < f->c.n_components; i++)
      add_component(f, &f->c.c[i], axis, sum);
    out[2 * m] = sum[0] / volume;
    out[2 * m + 1] = sum[1] / volume;
  }
  free(memory);
  return WN_OK;
}
