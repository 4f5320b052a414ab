/* fields/sparse/sparse_gpu.cu - see sparse_gpu.h: life, the steps' order, and what goes to the host. */
#include "fields/sparse/sparse_gpu.cuh"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/ranks.h"
#include "device/batches.cuh"
#include "device/tiles.cuh"
#include "fields/poisson/parts.h"
#include "physics/constants.h"

/* Bits of the weights of a restriction: 32 more, and those of their sum, fit into 64. */
#define MOST_LEVELS 15

/* ---- modes */

/* All of an axis: matrices to modes and back, of the derivative, and the roots of eigenvalues. */
struct modes {
  struct wn_poisson_axis axis;
  double *forward, *back, *slope, *root;
};

/* cos(pi r/(2 cells)) of any r. */
static double cosine(const double *table, int64_t cells, int64_t r)
{
  const int64_t turn = 4 * cells;
  return table[(r % turn + turn) % turn];
}

/* Mode k at node j, both from the first unknown on, as fields/poisson/fft.h has them, and the factor by which
 * values at nodes are multiplied on the way to the modes. */
static double mode(enum wn_fft_kind kind, const double *table, int64_t cells, int64_t k,
                   int64_t j, double *factor)
{
  const int is_end = kind == WN_FFT_COSINES        ? j == 0 || j == cells
                     : kind == WN_FFT_SINES_HALF   ? j == cells - 1
                     : kind == WN_FFT_COSINES_HALF ? j == 0
                                                   : 0;
  const int is_single = kind == WN_FFT_PERIODIC  ? k == 0 || 2 * k == cells
                        : kind == WN_FFT_COSINES ? k == 0 || k == cells
                                                 : 0;
  *factor = 2.0 / (double)cells * (is_end ? 0.5 : 1.0) * (is_single ? 0.5 : 1.0);
  switch (kind) {
  case WN_FFT_PERIODIC: /* the sine is a cosine, cells further */
    return cosine(table, cells, 4 * k * j - (2 * k > cells ? cells : 0));
  case WN_FFT_SINES:
    return cosine(table, cells, 2 * (k + 1) * (j + 1) - cells);
  case WN_FFT_SINES_HALF:
    return cosine(table, cells, (2 * k + 1) * (j + 1) - cells);
  case WN_FFT_COSINES_HALF:
    return cosine(table, cells, (2 * k + 1) * j);
  default:
    return cosine(table, cells, 2 * k * j);
  }
}

/* Those of a level. */
static int modes_of_level(const struct wn_poisson_spec *spec, int d, int level,
                          const struct modes *m)
{
  const int64_t cells = (int64_t)1 << level;
  struct wn_poisson_spec of = *spec;
  double *table = (double *)wn_alloc((size_t)(4 * cells), sizeof *table);
  if (table == NULL)
    return WN_ENOMEM;
  for (int64_t r = 0; r < 4 * cells; r++)
    table[r] = cos(0.5 * WN_PI * (double)r / (double)cells);
  for (int i = 1; i < 4; i += 2) /* and these exactly */
    table[i * cells] = 0.0;
  of.cells[d] = (size_t)cells;
  of.geometry.axis[d].h = 1.0;
  const struct wn_poisson_axis axis = wn_poisson_axis(&of, d);
  const int64_t n = (int64_t)axis.n;
  const size_t at = wn_sparse_matrix_at(level);
  double *root = m->root + wn_sparse_roots_at(level);
  wn_poisson_lambda(&of, d, root);
  for (int64_t k = 0; k < n; k++) {
    root[k] = sqrt(root[k]);
    for (int64_t j = 0; j < n; j++) {
      double factor;
      const double v = mode(axis.kind, table, cells, k, j, &factor);
      m->forward[at + (size_t)(j * n + k)] = factor * v;
      m->back[at + (size_t)(k * n + j)] = v;
    }
  }
  if (m->slope != NULL) /* of the sines and cosines without that of two nodes a wave */
    for (int64_t k = 0; k < n; k++)
      for (int64_t j = 0; j < n; j++) {
        const double angle = WN_PI * (double)(j - k) / (double)cells;
        m->slope[at + (size_t)(k * n + j)] =
            j == k
                ? 0.0
                : -WN_PI / (double)cells * ((j - k) % 2 == 0 ? 1.0 : -1.0) / tan(angle);
      }
  free(table);
  return WN_OK;
}

static int make_modes(struct wn_sparse_gpu *f, int d)
{
  const struct wn_poisson_spec *spec = &f->poisson;
  const int n = f->shape.n;
  const size_t matrices = wn_sparse_matrix_at(n + 1), all = wn_sparse_modes(spec, d, n);
  struct modes m = {};
  double *host = (double *)wn_alloc(all, sizeof *host);
  int status = host != NULL ? (int)WN_OK : (int)WN_ENOMEM;
  m.forward = host;
  m.back = host + matrices;
  m.root = host + 2 * matrices;
  m.slope = wn_sparse_has_modes(spec, d) ? host + 2 * matrices + wn_sparse_roots_at(n + 1)
                                         : NULL;
  for (int level = 1; level <= n && status == WN_OK; level++)
    status = modes_of_level(spec, d, level, &m);
  if (status == WN_OK)
    status = wn_gpu_array(f->gpu, "modes of the components", all, &f->table[d]);
  if (status == WN_OK) {
    f->table_n[d] = all;
    status = wn_gpu_check((int)cudaMemcpyAsync(f->table[d], host, all * sizeof *host,
                                               cudaMemcpyHostToDevice, f->gpu->stream),
                          "modes of the components");
  }
  if (status == WN_OK)
    status = wn_gpu_wait(f->gpu, "modes of the components");
  free(host);
  WN_TRY(status);
  const struct wn_poisson_axis axis = wn_poisson_axis(spec, d);
  struct wn_sparse_axis *a = &f->axis[d];
  a->forward = f->table[d];
  a->back = f->table[d] + matrices;
  a->root = f->table[d] + 2 * matrices;
  a->slope = m.slope != NULL ? a->root + wn_sparse_roots_at(n + 1) : NULL;
  a->first = (int32_t)axis.first;
  a->missing = (int32_t)((int64_t)axis.n - (int64_t)spec->cells[d]);
  return WN_OK;
}

static int make_all_modes(struct wn_sparse_gpu *f)
{
  for (int d = 0; d < f->shape.dim; d++) {
    const int like = wn_sparse_like(&f->poisson, d);
    if (like < d)
      f->axis[d] = f->axis[like];
    else
      WN_TRY(make_modes(f, d));
  }
  return WN_OK;
}

/* ---- shapes */

static struct wn_sparse_shape shape_of(const struct wn_electrostatic_spec *spec,
                                       const struct wn_components *c)
{
  const struct wn_grid_view *g = &spec->grid;
  struct wn_sparse_shape s = {};
  s.nodes = wn_charge_nodes(g, &spec->poisson);
  s.dim = c->dim;
  s.n = c->n;
  s.n_parents = c->n_parents;
  s.n_components = c->n_components;
  s.n_species = (int32_t)spec->n_species;
  s.n_nodes = (uint32_t)c->nodes;
  s.n_parent_nodes = (uint32_t)c->parent_nodes;
  for (int d = 0; d < c->dim; d++) {
    s.is_periodic[d] = spec->poisson.side[2 * d] == WN_PERIODIC;
    s.per_h[d] = 1.0 / g->h[d];
  }
  for (int p = 0; p < c->n_parents; p++) {
    struct wn_sparse_target *t = &s.parent[p];
    int32_t step = 1;
    t->first = (int32_t)s.n_quanta;
    t->first_e = (int32_t)c->parent[p].first;
    for (int d = 0; d < c->dim; d++) {
      const int32_t level = c->parent[p].level[d];
      t->level[d] = level;
      t->shift[d] = g->bits[d] + c->n - level;
      t->last[d] = (1 << level) - s.is_periodic[d];
      t->step[d] = step;
      step *= t->last[d] + 1;
    }
    s.n_quanta += (uint32_t)step;
  }
  return s;
}

static int check(const struct wn_electrostatic_spec *spec, const struct wn_components *c)
{
  const struct wn_grid_view *g = &spec->grid;
  if (g->shape != WN_SHAPE_CIC || g->gather != WN_GATHER_MOMENTUM)
    return WN_FAIL(WN_EINPUT,
                   "sparse grids: shape and gather are \"cic\" and \"momentum\"");
  if (c->nodes > INT32_MAX / WN_MAX_DIM || c->parent_nodes > INT32_MAX / WN_MAX_DIM)
    return WN_FAIL(
        WN_EINPUT,
        "sparse grids: %lld nodes of components and %lld of parents are too many "
        "for a GPU (allowed: %d)",
        (long long)c->nodes, (long long)c->parent_nodes, INT32_MAX / WN_MAX_DIM);
  for (int side = 0; side < 2 * g->dim; side++)
    if (spec->poisson.side[side] == WN_OPEN)
      return WN_FAIL(WN_EINPUT, "sparse grids: open sides are not supported");
  for (int32_t i = 0; i < c->n_components; i++) {
    int32_t levels = 0;
    for (int d = 0; d < c->dim; d++)
      levels += c->parent[c->c[i].parent].level[d] - c->c[i].level[d];
    WN_ASSERT(levels <= MOST_LEVELS);
  }
  WN_ASSERT(g->dim == c->dim && spec->n_species <= WN_FIELD_SPECIES);
  for (int d = 0; d < c->dim; d++)
    WN_ASSERT(g->cells[d] == 1 << c->n);
  return wn_poisson_check(&spec->poisson);
}

/* ---- life */

/* Of all components. */
static int make_lists(struct wn_sparse_gpu *f, const struct wn_electrostatic_spec *spec)
{
  const struct wn_components *c = &f->components;
  const size_t n = (size_t)c->n_components, species = spec->n_species;
  uint8_t *owner = (uint8_t *)wn_alloc((size_t)c->nodes, 1);
  double *of_one = (double *)wn_alloc(n * species * 3, sizeof *of_one);
  int status = owner != NULL && of_one != NULL ? (int)WN_OK : (int)WN_ENOMEM;
  static_assert(WN_SPARSE_MAX <= 256, "a component has a number of 8 bits");
  for (size_t i = 0; i < n && status == WN_OK; i++) {
    struct wn_charge_nodes nodes = f->shape.nodes;
    memset(owner + c->c[i].first, (int)i, (size_t)wn_sparse_nodes(c->dim, c->c[i].level));
    for (int d = 0; d < c->dim; d++) {
      nodes.grid.cells[d] = 1 << c->c[i].level[d];
      nodes.grid.h[d] = ldexp(spec->grid.h[d], c->n - c->c[i].level[d]);
    }
    for (size_t k = 0; k < species; k++)
      for (int halves = 0; halves < 3; halves++)
        of_one[(i * species + k) * 3 + (size_t)halves] =
            spec->charge[k] * wn_nodes_per_volume(&nodes,
                                                  halves == 0   ? 1.0
                                                  : halves == 1 ? 0.5
                                                                : 0.25,
                                                  1);
  }
  const struct {
    void *to;
    const void *from;
    size_t bytes;
  } list[] = {{f->component, c->c, n * sizeof *c->c},
              {f->owner, owner, (size_t)c->nodes},
              {f->of_one, of_one, n * species * 3 * sizeof *of_one}};
  for (size_t i = 0; i < 3 && status == WN_OK; i++)
    status = wn_gpu_check((int)cudaMemcpyAsync(list[i].to, list[i].from, list[i].bytes,
                                               cudaMemcpyHostToDevice, f->gpu->stream),
                          "component grids");
  if (status == WN_OK)
    status = wn_gpu_wait(f->gpu, "component grids");
  free(owner);
  free(of_one);
  return status;
}

/* Arrays on the device: what for, member, number. */
#define ARRAYS(X)                                                                        \
  X("charge of the species", quanta, f->shape.n_species *(size_t)f->shape.n_quanta)      \
  X("component grids", component, f->shape.n_components)                                 \
  X("component grids", owner, f->shape.n_nodes)                                          \
  X("component grids", of_one, f->shape.n_components *(size_t)f->shape.n_species * 3)    \
  X("charge of the components", rho, f->shape.n_nodes)                                   \
  X("potential of the components", phi, f->shape.n_nodes)                                \
  X("potential of the components", work[0], f->shape.n_nodes)                            \
  X("potential of the components", work[1], f->shape.n_nodes)                            \
  X("field of the components", e, f->shape.n_nodes *(size_t)f->shape.dim)                \
  X("field of the parents", parent_e,                                                    \
    f->at == WN_SPARSE_NODES ? f->shape.n_parent_nodes * (size_t)f->shape.dim : 0)       \
  X("field", floats, f->n_floats)                                                        \
  X("sums of charge", compared, 2)

static int allocate(struct wn_sparse_gpu *f)
{
  void *memory = NULL;
#define X(what, member, n) WN_TRY(wn_gpu_array(f->gpu, what, (size_t)(n), &f->member));
  ARRAYS(X)
#undef X
  WN_TRY(wn_gpu_pinned("sums of a field", sizeof *f->misfits, &memory));
  f->misfits = (uint64_t *)memory;
  *f->misfits = 0;
  WN_TRY(wn_gpu_pinned("sums of a field", sizeof *f->differs, &memory));
  f->differs = (struct wn_charge_differs *)memory;
  f->differs->is = 0;
  WN_TRY(wn_gpu_check(
      (int)cudaMemsetAsync(f->floats, 0, f->n_floats * sizeof *f->floats, f->gpu->stream),
      "field"));
  for (int32_t k = 0; k < f->shape.n_species; k++)
    WN_TRY(wn_sparse_gpu_clear(f, (size_t)k));
  return WN_OK;
}

void wn_sparse_gpu_free(struct wn_sparse_gpu *f)
{
  if (f == NULL)
    return;
  free(f->passing);
  if (wn_gpu_works(f->gpu)) {
#define X(what, member, n)                                                               \
  wn_gpu_release(f->gpu, f->member, (size_t)(n) * sizeof *f->member);
    ARRAYS(X)
#undef X
    for (int d = 0; d < 3; d++)
      wn_gpu_release(f->gpu, f->table[d], f->table_n[d] * sizeof *f->table[d]);
    wn_gpu_release_pinned(f->misfits);
    wn_gpu_release_pinned(f->differs);
  }
  free(f);
}

int wn_sparse_gpu_create(const struct wn_electrostatic_spec *spec,
                         const struct wn_components *c, enum wn_sparse_combined at,
                         struct wn_sparse_gpu **out)
{
  WN_TRY(check(spec, c));
  WN_TRY(wn_gpu_use(spec->gpu));
  struct wn_sparse_gpu *f = (struct wn_sparse_gpu *)wn_alloc(1, sizeof *f);
  if (f == NULL)
    return WN_ENOMEM;
  f->gpu = spec->gpu;
  f->components = *c;
  f->poisson = spec->poisson;
  f->shape = shape_of(spec, c);
  f->at = at;
  f->n_floats = wn_sparse_floats(c, at, &spec->grid);
  int status = allocate(f);
  if (status == WN_OK)
    status = make_lists(f, spec);
  if (status == WN_OK)
    status = make_all_modes(f);
  if (status != WN_OK) {
    wn_sparse_gpu_free(f);
    return status;
  }
  *out = f;
  return WN_OK;
}

/* ---- the step */

int wn_sparse_gpu_clear(struct wn_sparse_gpu *f, size_t k)
{
  WN_TRY(wn_gpu_use(f->gpu));
  return wn_gpu_check((int)cudaMemsetAsync(f->quanta + k * f->shape.n_quanta, 0,
                                           f->shape.n_quanta * sizeof *f->quanta,
                                           f->gpu->stream),
                      "charge of the species");
}

int wn_sparse_gpu_deposit(struct wn_sparse_gpu *f, enum wn_sparse_deposit way, size_t k,
                          const struct wn_points *m, struct wn_particles *p, size_t first)
{
  const struct wn_gpu_store *t = wn_gpu_store_of(f->gpu, p);
  int64_t *quanta = f->quanta + k * f->shape.n_quanta;
  if (p->n <= first)
    return WN_OK;
  if (wn_gpu_is_in_batches(f->gpu, p))
    return wn_gpu_batches_visit(
        f->gpu, p, first, WN_BATCH_READS, [&](const void *records, size_t, size_t n) {
          return wn_sparse_gpu_add(f, way, m, &p->record, records, n, 0, quanta);
        });
  if (t == NULL || p->place == WN_PARTICLES_HOST)
    return WN_FAIL(WN_EINTERN, "charge of particles on a GPU that does not hold them");
  WN_ASSERT(m->grid.dim == f->shape.dim &&
            m->grid.bits[0] == f->shape.nodes.grid.bits[0]);
  WN_TRY(wn_gpu_use(f->gpu));
  return wn_sparse_gpu_add(f, way, m, &t->record,
                           (const char *)wn_gpu_records(t) + first * t->record.bytes,
                           p->n - first, t->tiles != NULL && t->tiles->n == p->n, quanta);
}

int wn_sparse_gpu_compare(struct wn_sparse_gpu *f, size_t k, const struct wn_points *m,
                          struct wn_particles *p)
{
  for (int32_t i = 0; i < f->shape.n_parents; i++) {
    const size_t first = (size_t)f->shape.parent[i].first,
                 end = i + 1 < f->shape.n_parents ? (size_t)f->shape.parent[i + 1].first
                                                  : f->shape.n_quanta;
    struct wn_gpu_part part = {};
    part.n = 1;
    part.from[0] = first;
    part.to[0] = end;
    WN_TRY(wn_charge_gpu_compare(f->gpu, m, p, f->quanta + k * f->shape.n_quanta, &part,
                                 k, f->compared, f->differs));
  }
  return WN_OK;
}

const float *wn_sparse_gpu_floats(const struct wn_sparse_gpu *f)
{
  return f->floats;
}

/* ---- to the host */

int wn_sparse_gpu_misfits(const struct wn_sparse_gpu *f)
{
  return wn_charge_gpu_misfits(f->misfits, f->differs);
}

static int fetch(struct wn_sparse_gpu *f, const void *from, void *to, size_t bytes)
{
  WN_TRY(wn_gpu_use(f->gpu));
  WN_TRY(wn_gpu_check(
      (int)cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, f->gpu->stream),
      "copying a field to the host"));
  WN_TRY(wn_gpu_wait(f->gpu, "copying a field to the host"));
  return wn_sparse_gpu_misfits(f);
}

/* Those of the device, without copies, of species k. */
static int fetch_quanta(struct wn_sparse_gpu *f, size_t k)
{
  const size_t n = f->shape.n_quanta;
  if (f->passing == NULL)
    f->passing = (int64_t *)wn_alloc(n, sizeof *f->passing);
  if (f->passing == NULL)
    return WN_ENOMEM;
  return fetch(f, f->quanta + k * n, f->passing, n * sizeof *f->passing);
}

int wn_sparse_gpu_quanta(struct wn_sparse_gpu *f, size_t k, int64_t *quanta)
{
  WN_TRY(fetch_quanta(f, k));
  memset(quanta, 0, f->shape.n_parent_nodes * sizeof *quanta);
  for (int32_t i = 0; i < f->shape.n_parents; i++) {
    const struct wn_sparse_target *p = &f->shape.parent[i];
    const int is_flat = f->shape.dim < 3;
    const int32_t n_x = (1 << p->level[0]) + 1, n_y = (1 << p->level[1]) + 1,
                  last_z = is_flat ? 0 : p->last[2];
    for (int32_t z = 0; z <= last_z; z++)
      for (int32_t y = 0; y <= p->last[1]; y++)
        memcpy(quanta + p->first_e + ((int64_t)z * n_y + y) * n_x,
               f->passing + p->first + y * p->step[1] + (is_flat ? 0 : z * p->step[2]),
               ((size_t)p->last[0] + 1) * sizeof *quanta);
  }
  return WN_OK;
}

int wn_sparse_gpu_bring_together(struct wn_sparse_gpu *f)
{
  const size_t n = f->shape.n_quanta;
  for (size_t k = 0; k < (size_t)f->shape.n_species; k++) {
    WN_TRY(fetch_quanta(f, k));
    wn_ranks_sum_i64(f->passing, n);
    WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(f->quanta + k * n, f->passing,
                                             n * sizeof *f->passing,
                                             cudaMemcpyHostToDevice, f->gpu->stream),
                        "copying charge to the device"));
    WN_TRY(wn_gpu_wait(f->gpu, "copying charge to the device"));
  }
  return WN_OK;
}

int wn_sparse_gpu_charge(struct wn_sparse_gpu *f, double *rho)
{
  return fetch(f, f->rho, rho, f->shape.n_nodes * sizeof *rho);
}

int wn_sparse_gpu_potential(struct wn_sparse_gpu *f, double *phi)
{
  return fetch(f, f->phi, phi, f->shape.n_nodes * sizeof *phi);
}

int wn_sparse_gpu_e(struct wn_sparse_gpu *f, int d, double *e)
{
  return fetch(f, f->e + (size_t)d * f->shape.n_nodes, e, f->shape.n_nodes * sizeof *e);
}

int wn_sparse_gpu_gathered(struct wn_sparse_gpu *f, float *e)
{
  return fetch(f, f->floats, e, f->n_floats * sizeof *e);
}
