/* fields/electrostatic.c - see electrostatic.h: life, the order of a step, and what diagnostics ask.  Where
 * the grids are, struct wn_electrostatic_place does each part (electrostatic_parts.h). */
#include "fields/electrostatic.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"
#include "device/sizes.h"
#include "fields/electrostatic_parts.h"
#include "fields/poisson/gpu.h"
#include "fields/waves.h"
#include "physics/constants.h"

static struct wn_electrostatic *of(struct wn_field *field)
{
  WN_ASSERT(field->ops == &wn_field_electrostatic);
  return (struct wn_electrostatic *)(void *)field;
}

static const struct wn_electrostatic *of_const(const struct wn_field *field)
{
  WN_ASSERT(field->ops == &wn_field_electrostatic);
  return (const struct wn_electrostatic *)(const void *)field;
}

/* ---- life */

/* Shapes; no memory. */
static void lay_out(struct wn_electrostatic *f, const struct wn_electrostatic_spec *spec,
                    int rank, int ranks)
{
  const struct wn_grid_view *g = &spec->grid;
  const int d = g->dim - 1;
  WN_ASSERT(spec->n_species <= WN_FIELD_SPECIES);
  *f = (struct wn_electrostatic){.field.ops = &wn_field_electrostatic,
                                 .spec = *spec,
                                 .grid = *g,
                                 .background = spec->background,
                                 .n = (size_t)wn_grid_nodes(g),
                                 .threads = wn_threads(spec->poisson.threads),
                                 .slab = {.nodes = wn_charge_nodes(g, &spec->poisson),
                                          .axis = d,
                                          .ranks = ranks,
                                          .rank = rank,
                                          .cells = g->cells[d],
                                          .own = {0, g->cells[d] + 1},
                                          .nx = d > 0 ? g->cells[0] + 1 : 1,
                                          .ny = d > 1 ? g->cells[1] + 1 : 1,
                                          .padded = g->step[d]}};
  f->spec.poisson.ranks = ranks;
  if (g->is_radial)
    f->slab.radius = spec->poisson.geometry.axis[0];
  struct wn_slab *s = &f->slab;
  s->plane = s->nx * s->ny;
  f->n_nodes = (size_t)(s->plane * (s->cells + 1));
  for (int i = 0; i < g->dim; i++)
    s->per_h[i] = 1.0 / g->h[i];
  if (ranks > 1) {
    s->wraps = wn_nodes_are_periodic(&s->nodes, d);
    wn_slab_planes(&spec->poisson, rank, ranks, s->own);
  }
  f->on = spec->gpu == NULL ? &wn_electrostatic_on_host : &wn_electrostatic_on_gpu;
}

static size_t phi_nodes(const struct wn_slab *s)
{
  return wn_slab_own_nodes(s) + (size_t)(2 * wn_slab_guard_phi(s) * s->plane);
}

static int has_dielectrics(const struct wn_electrostatic_spec *s)
{
  return s->n_shapes > 0 && s->shape[s->n_shapes - 1].permittivity > 0.0;
}

/* As it is with electrodes, for what is asked before they are made. */
static struct wn_poisson_spec poisson_of(const struct wn_electrostatic *f)
{
  static const int32_t some;
  static const double factor = 1.0;
  struct wn_poisson_spec s = f->spec.poisson;
  if (f->spec.n_shapes > 0) {
    s.geometry.held = f->spec.n_electrodes > 0 ? &some : NULL;
    for (int d = 0; d < f->grid.dim; d++)
      s.edge[d] = &factor;
    s.n_links = (size_t)has_dielectrics(&f->spec);
  }
  return s;
}

static int is_spectral(const struct wn_electrostatic *f)
{
  return f->spec.poisson.method == WN_POISSON_SPECTRAL;
}

size_t wn_electrostatic_bytes(const struct wn_electrostatic_spec *spec, int ranks)
{
  struct wn_electrostatic f;
  lay_out(&f, spec, 0, ranks);
  const struct wn_poisson_spec poisson = poisson_of(&f);
  const int64_t planes = f.slab.own[1] - f.slab.own[0];
  const size_t guards = 2 * (size_t)(ranks > 1 ? WN_SLAB_GUARD : WN_GRID_GUARD),
               padded = ((size_t)planes + guards) * (size_t)f.slab.padded,
               threads = spec->n_species + (size_t)f.threads - 1;
  return padded * (threads * sizeof *f.quanta[0] + (size_t)f.grid.stride * sizeof *f.e) +
         (wn_slab_own_nodes(&f.slab) + phi_nodes(&f.slab) +
          (is_spectral(&f) ? f.n_nodes : 0)) *
             sizeof(double) +
         (spec->n_shapes > 0
              ? wn_electrodes_bytes(spec->grid.dim, f.n_nodes, has_dielectrics(spec)) +
                    wn_electrode_shares_bytes(f.n_nodes) +
                    wn_electrode_circuits_bytes(spec, f.n_nodes)
              : 0) +
         (has_dielectrics(spec) ? spec->n_species * padded * sizeof *f.stuck[0] : 0) +
         wn_poisson_bytes(&poisson);
}

/* Bytes of whole pages for the planes of a slab, with guards, of so many arrays, and one page for all others:
 * at most, as a page may have planes of two arrays. */
static size_t mapped(const struct wn_slab *s, int64_t guard, size_t arrays, size_t bytes)
{
  size_t range[WN_SLAB_RANGES][2], all = WN_GPU_PAGE;
  const int n = wn_slab_ranges(s, guard, range);
  for (int i = 0; i < n; i++)
    all += arrays *
           (wn_gpu_round((range[i][1] - range[i][0]) * bytes, WN_GPU_PAGE) + WN_GPU_PAGE);
  return all;
}

size_t wn_electrostatic_gpu_bytes(const struct wn_electrostatic_spec *spec, int ranks)
{
  struct wn_electrostatic f;
  lay_out(&f, spec, 0, ranks);
  const size_t quanta = spec->n_species * f.n * sizeof(int64_t),
               e = f.n * (size_t)f.grid.stride * sizeof(float);
  const struct wn_poisson_spec solved = poisson_of(&f);
  const size_t poisson = wn_poisson_gpu_bytes(&solved);
  if (poisson == SIZE_MAX)
    return SIZE_MAX;
  if (ranks > 1) {
    const size_t planes = 2 * WN_SLAB_GUARD_PHI * (size_t)f.slab.plane;
    return mapped(&f.slab, WN_SLAB_GUARD_CHARGE_GPU, spec->n_species, sizeof(int64_t)) +
           mapped(&f.slab, WN_SLAB_GUARD, 1, (size_t)f.grid.stride * sizeof(float)) +
           (wn_slab_own_nodes(&f.slab) + phi_nodes(&f.slab) + 2 * planes) *
               sizeof(double) +
           poisson;
  }
  return wn_gpu_round(quanta, WN_GPU_ALIGN) + wn_gpu_round(e, WN_GPU_ALIGN) +
         (spec->n_shapes > 0 ? 5 : 3) *
             wn_gpu_round(f.n_nodes * sizeof(double), WN_GPU_ALIGN) +
         WN_ELECTROSTATIC_GPU_SUMS + poisson;
}

/* Zeros that take no memory until they are touched; NULL: there are no addresses. */
static void *untouched(size_t bytes)
{
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory != MAP_FAILED ? memory : NULL;
}

static void unmap(void *memory, size_t bytes)
{
  if (memory != NULL)
    munmap(memory, bytes);
}

static size_t bytes_of_e(const struct wn_electrostatic *f)
{
  return f->n * (size_t)f->grid.stride * sizeof *f->e;
}

static void destroy(struct wn_field *field)
{
  if (field == NULL)
    return;
  struct wn_electrostatic *f = of(field);
  f->on->free(f);
  for (size_t k = 0; k < f->spec.n_species; k++)
    unmap(f->quanta[k], f->n * sizeof *f->quanta[k]);
  for (size_t k = 0; k < f->spec.n_species; k++) {
    unmap(f->stuck[k], f->n * sizeof *f->stuck[k]);
    unmap(f->fresh[k], f->n * sizeof *f->fresh[k]);
  }
  unmap(f->e, bytes_of_e(f));
  unmap(f->rho, wn_slab_own_nodes(&f->slab) * sizeof *f->rho);
  unmap(f->phi, phi_nodes(&f->slab) * sizeof *f->phi);
  free(f->component);
  free(f->whole[0]);
  free(f->whole[1]);
  free(f->send);
  free(f->receive);
  free(f->next);
  free(f->each);
  wn_halo_free(f);
  wn_circuit_free(f->circuit);
  free(f);
}

/* What only several ranks need. */
static int allocate_exchange(struct wn_electrostatic *f)
{
  const size_t ranks = (size_t)f->slab.ranks;
  f->send = wn_alloc(ranks, sizeof *f->send);
  f->receive = wn_alloc(ranks, sizeof *f->receive);
  f->next = wn_alloc(ranks, sizeof *f->next);
  f->each = wn_alloc(ranks * WN_SLAB_SUMS, sizeof *f->each);
  if (f->send == NULL || f->receive == NULL || f->next == NULL || f->each == NULL)
    return WN_ENOMEM;
  return wn_halo_create(f);
}

/* The arrays of the host; those of a GPU are copied to them when they are asked for. */
static int allocate(struct wn_electrostatic *f)
{
  f->rho = untouched(wn_slab_own_nodes(&f->slab) * sizeof *f->rho);
  f->phi = untouched(phi_nodes(&f->slab) * sizeof *f->phi);
  if (f->rho == NULL || f->phi == NULL)
    return WN_ENOMEM;
  for (size_t k = 0; k < f->spec.n_species; k++) {
    f->quanta[k] = untouched(f->n * sizeof *f->quanta[k]);
    if (f->quanta[k] == NULL)
      return WN_ENOMEM;
  }
  for (size_t k = 0; has_dielectrics(&f->spec) && k < f->spec.n_species; k++) {
    f->stuck[k] = untouched(f->n * sizeof *f->stuck[k]);
    f->fresh[k] = wn_ranks() > 1 ? untouched(f->n * sizeof *f->fresh[k]) : NULL;
    if (f->stuck[k] == NULL || (wn_ranks() > 1 && f->fresh[k] == NULL))
      return WN_ENOMEM;
  }
  if (f->spec.gpu == NULL) {
    f->e = untouched(bytes_of_e(f));
    f->component = is_spectral(f) ? wn_alloc(f->n_nodes, sizeof *f->component) : NULL;
    if (f->e == NULL || (is_spectral(f) && f->component == NULL))
      return WN_ENOMEM;
  }
  return f->slab.ranks > 1 ? allocate_exchange(f) : WN_OK;
}

/* Axis 0 of spacing h as particles have it, and axis 1 along a line, on one rank. */
static int check_radial(const struct wn_electrostatic_spec *spec, int ranks)
{
  const struct wn_grid_view *g = &spec->grid;
  const struct wn_axis *r = &spec->poisson.geometry.axis[0];
  const struct wn_axis want =
      wn_axis_radial(g->cells[0], g->length[0], g->h[0], g->shape);
  if (ranks > 1)
    return WN_FAIL(WN_EINPUT, "field electrostatic: r-z takes one grid, not slabs");
  if (g->dim != 2 || g->shape == WN_SHAPE_TSC || !wn_axis_is_radial(r) ||
      r->first != want.first || r->h != want.h || r->cells != want.cells)
    return WN_FAIL(WN_EINPUT, "field electrostatic: the first axis of r-z is a radius of "
                              "constant spacing, for particles of the shape ngp or cic");
  return wn_poisson_check(&spec->poisson);
}

static int check_electrodes(const struct wn_electrostatic_spec *spec, int ranks)
{
  const struct wn_grid_view *g = &spec->grid;
  int circuits = 0;
  WN_ASSERT(spec->n_electrodes <= WN_MOST_ELECTRODES && spec->n_shapes <= WN_MOST_SHAPES);
  if (ranks > 1 || g->dim < 2 || g->shape == WN_SHAPE_TSC ||
      g->gather != WN_GATHER_MOMENTUM || spec->poisson.method == WN_POISSON_SPECTRAL)
    return WN_FAIL(WN_EINPUT,
                   "field electrostatic: dielectrics and electrodes take one grid of "
                   "two or three dimensions, the shape ngp or cic, gather "
                   "`momentum`, and not the spectral method");
  for (int i = 0; i < spec->n_electrodes; i++)
    circuits |= wn_wall_has_circuit(&spec->loop[i]);
  if (spec->gpu != NULL && (circuits || has_dielectrics(spec)))
    return WN_FAIL(WN_EINPUT, "field electrostatic: dielectrics, and electrodes in a "
                              "circuit, take the host, not a GPU");
  return WN_OK;
}

/* Deposit, E and sums have one volume and length of all cells, but in r-z. */
static int check(const struct wn_electrostatic_spec *spec, int ranks)
{
  if (ranks > 1 && wn_ranks_any(spec->gpu != NULL) && wn_ranks_any(spec->gpu == NULL))
    return WN_FAIL(WN_EINPUT,
                   "key `divide` = \"domains\": either every process has a GPU, "
                   "or none; take \"electrons\", or device cpu");
  if (spec->n_shapes > 0)
    WN_TRY(check_electrodes(spec, ranks));
  if (spec->grid.is_radial)
    return check_radial(spec, ranks);
  struct wn_poisson_spec poisson = spec->poisson;
  poisson.ranks = ranks;
  return wn_poisson_check_uniform(&poisson, "field electrostatic");
}

int wn_electrostatic_create(const struct wn_electrostatic_spec *spec,
                            struct wn_field **out)
{
  const int ranks = spec->in_slabs ? wn_ranks() : 1;
  WN_TRY(check(spec, ranks));
  struct wn_electrostatic *f = wn_alloc(1, sizeof *f);
  int status = f != NULL ? WN_OK : WN_ENOMEM;
  if (status == WN_OK) {
    lay_out(f, spec, ranks > 1 ? wn_rank() : 0, ranks);
    f->some_without_gpu = ranks == 1 && wn_ranks_any(spec->gpu == NULL);
    status = allocate(f);
    if (status == WN_OK)
      status = wn_circuit_create(f);
  }
  if (ranks > 1 && wn_ranks_any(status != WN_OK) && status == WN_OK)
    status = WN_ENOMEM;
  if (status == WN_OK) /* with several slabs, together */
    status = f->on->create(f);
  if (status != WN_OK) {
    destroy(f != NULL ? &f->field : NULL);
    return status;
  }
  for (size_t k = 0; k < spec->n_species; k++)
    f->spec.points[k].grid = f->grid;
  *out = &f->field;
  return WN_OK;
}

/* ---- the step */

static int fetch_quanta(struct wn_electrostatic *f, size_t k)
{
  return f->on->fetch(f, (unsigned)WN_FETCHED_QUANTA << k);
}

/* What neutralizes the charge of the beginning, by the same sums wherever the grids are. */
static int find_background(struct wn_electrostatic *f)
{
  for (size_t k = 0; k < f->spec.n_species; k++)
    WN_TRY(fetch_quanta(f, k));
  wn_electrostatic_make_charge(f);
  f->background = wn_electrostatic_neutral(f);
  return WN_OK;
}

static int solve(struct wn_field *field, struct wn_particles *const *species, size_t n,
                 double t, double dt)
{
  struct wn_electrostatic *f = of(field);
  double volt[WN_SIDES + WN_MOST_ELECTRODES] = {0.0};
  WN_ASSERT(n == f->spec.n_species);
  for (size_t k = 0; k < n; k++) {
    const double step = f->spec.fixed[k] || f->spec.waits[k] ? 0.0 : dt;
    if (f->spec.points[k].dt != step) {
      f->spec.points[k].dt = step;
      wn_points_prepare(&f->spec.points[k]);
    }
  }
  for (int side = 0; side < 2 * f->grid.dim; side++)
    volt[side] = wn_voltage_at(&f->spec.voltage[side], t + 0.5 * dt);
  for (int i = 0; i < f->spec.n_electrodes; i++)
    volt[2 * f->grid.dim + i] = wn_voltage_at(&f->spec.electrode[i], t + 0.5 * dt);
  f->fetched = 0;
  WN_TRY(f->on->charge(f, species, dt));
  if (isnan(f->background))
    WN_TRY(find_background(f));
  if (f->circuit != NULL)
    wn_circuit_solve(f, dt, volt);
  if (f->loops != NULL)
    f->loops->dt = dt;
  return f->on->solve(f, volt);
}

static void view(const struct wn_field *field, struct wn_field_view *out)
{
  out->kind = WN_FIELD_GRID;
  out->of.grid = of_const(field)->grid;
}

/* All is found anew from the particles, but for what neutralized them at the beginning, the charge of
 * walls in a circuit, and that on dielectrics. */
static int state(struct wn_field *field, struct wn_state *s)
{
  struct wn_electrostatic *f = of(field);
  WN_TRY(WN_STATE(s, f->background));
  WN_TRY(f->loops != NULL ? wn_electrode_circuits_state(f->loops, s) : WN_OK);
  for (size_t k = 0; k < f->spec.n_species && f->stuck[k] != NULL; k++)
    WN_TRY(WN_STATE_ARRAY(s, f->stuck[k], f->n));
  return f->circuit != NULL ? wn_circuit_state(f->circuit, s) : WN_OK;
}

/* ---- charge on dielectrics */

static void stick(struct wn_field *field, size_t species, const double place[3],
                  int64_t quanta)
{
  struct wn_electrostatic *f = of(field);
  int64_t *to = f->fresh[species] != NULL ? f->fresh[species] : f->stuck[species],
          part[8];
  size_t node[8];
  WN_ASSERT(f->electrodes != NULL && f->electrodes->dielectrics != NULL);
  const int n =
      wn_dielectrics_divide(&f->spec.poisson.geometry, f->electrodes->dielectrics->eps,
                            place, quanta, node, part);
  for (int i = 0; i < n; i++) {
    const int64_t plane = f->slab.plane, k = (int64_t)node[i] / plane,
                  in_plane = (int64_t)node[i] % plane;
    int64_t at[3];
    wn_slab_place(&f->slab, in_plane % f->slab.nx, in_plane / f->slab.nx, k, at);
    to[wn_slab_quanta_at(&f->slab, at)] += part[i];
  }
}

static void settle(struct wn_field *field)
{
  struct wn_electrostatic *f = of(field);
  for (size_t k = 0; k < f->spec.n_species && f->fresh[k] != NULL; k++) {
    wn_ranks_sum_i64(f->fresh[k], f->n);
    for (size_t i = 0; i < f->n; i++)
      f->stuck[k][i] += f->fresh[k][i];
    memset(f->fresh[k], 0, f->n * sizeof *f->fresh[k]);
  }
}

wn_i128 wn_electrostatic_stuck(const struct wn_field *field, size_t species)
{
  const struct wn_electrostatic *f = of_const(field);
  wn_i128 sum = 0;
  for (size_t i = 0; f->stuck[species] != NULL && i < f->n; i++)
    sum += f->stuck[species][i];
  return sum;
}

/* ---- what diagnostics ask */

static size_t nodes_of(const struct wn_field *field)
{
  return of_const(field)->n_nodes;
}

/* The planes of this rank in an array of all nodes. */
static double *own_part(const struct wn_electrostatic *f, double *all)
{
  return all + f->slab.own[0] * f->slab.plane;
}

/* The planes of each rank, `each` numbers of a plane, to `all` of every rank: other planes are zeros, and bits
 * are added. */
static void bring_planes(const struct wn_electrostatic *f, size_t each, double *all)
{
  const struct wn_slab *s = &f->slab;
  const size_t planes = (size_t)s->cells + 1;
  if (s->ranks == 1)
    return;
  for (int64_t k = 0; k <= s->cells; k++)
    if (k < s->own[0] || k >= s->own[1])
      memset(all + (size_t)k * each, 0, each * sizeof *all);
  _Static_assert(sizeof(double) == sizeof(int64_t), "bits of one as the other");
  wn_ranks_sum_i64((int64_t *)(void *)all, planes * each);
  if (s->wraps)
    memcpy(all + each * (size_t)s->cells, all, each * sizeof *all);
}

static void bring_together(const struct wn_electrostatic *f, double *all)
{
  bring_planes(f, (size_t)f->slab.plane, all);
}

/* rho or phi of all nodes: that of this rank, or made of all ranks'. */
static int whole(struct wn_electrostatic *f, unsigned what, const double **out)
{
  const int is_rho = what == WN_FETCHED_RHO;
  double *own = is_rho ? f->rho : wn_slab_phi(f, f->slab.own[0]),
         **all = &f->whole[is_rho ? 0 : 1];
  WN_TRY(f->on->fetch(f, what));
  if (f->slab.ranks == 1) {
    *out = own;
    return WN_OK;
  }
  if (*all == NULL)
    *all = wn_alloc(f->n_nodes, sizeof **all);
  if (*all == NULL)
    return WN_ENOMEM;
  memcpy(own_part(f, *all), own, wn_slab_own_nodes(&f->slab) * sizeof **all);
  bring_together(f, *all);
  *out = *all;
  return WN_OK;
}

static int potential(struct wn_field *field, const double **phi)
{
  return whole(of(field), WN_FETCHED_PHI, phi);
}

static int charge(struct wn_field *field, const double **rho)
{
  return whole(of(field), WN_FETCHED_RHO, rho);
}

static int e_of(struct wn_field *field, int d, double *e)
{
  struct wn_electrostatic *f = of(field);
  WN_TRY(f->on->e(f, d, own_part(f, e)));
  bring_together(f, e);
  return WN_OK;
}

static int e_there(struct wn_field *field, int d, const double **e)
{
  struct wn_electrostatic *f = of(field);
  return f->spec.gpu != NULL && f->slab.ranks == 1
             ? wn_electrostatic_gpu_e_there(f->gpu, f, d, e)
             : WN_OK;
}

/* On GPUs it is made of the potential of the whole grid, as the host makes its own. */
static int gathered(struct wn_field *field, struct wn_grid_view *out)
{
  struct wn_electrostatic *f = of(field);
  if (f->spec.gpu != NULL) {
    WN_ASSERT(f->slab.ranks == 1);
    if (f->e == NULL)
      f->e = untouched(bytes_of_e(f));
    if (is_spectral(f) && f->component == NULL)
      f->component = wn_alloc(f->n_nodes, sizeof *f->component);
    if (f->e == NULL || (is_spectral(f) && f->component == NULL))
      return WN_ENOMEM;
    if (f->e_of != f->solves) {
      WN_TRY(f->on->fetch(f, WN_FETCHED_PHI));
      WN_TRY(wn_electrostatic_make_e(f));
      if (f->electrodes != NULL) {
        WN_TRY(f->on->fetch(f, WN_FETCHED_RHO));
        wn_electrostatic_lift(f);
        wn_electrodes_gathered(f->electrodes, wn_slab_phi(f, 0), &f->grid, f->e);
      }
      f->e_of = f->solves;
    }
  }
  *out = f->grid;
  out->e = f->e;
  return WN_OK;
}

static int density(struct wn_field *field, size_t species, double *n)
{
  struct wn_electrostatic *f = of(field);
  const struct wn_slab *s = &f->slab;
  double *own = own_part(f, n);
  WN_TRY(fetch_quanta(f, species));
#ifdef _OPENMP
#pragma omp parallel for num_threads(f->threads)                                         \
    schedule(static) if (wn_slab_own_nodes(s) > 4096)
#endif
  for (int64_t k = s->own[0]; k < s->own[1]; k++) {
    double *to = own + (k - s->own[0]) * s->plane;
    for (int64_t y = 0; y < s->ny; y++)
      for (int64_t x = 0; x < s->nx; x++) {
        int64_t at[3];
        wn_slab_place(s, x, y, k, at);
        *to++ = (double)f->quanta[species][wn_slab_quanta_at(s, at)] *
                wn_slab_per_volume(s, wn_slab_part_of(s, at));
      }
  }
  bring_together(f, n);
  return WN_OK;
}

static int densest(struct wn_field *field, size_t species, double *most)
{
  struct wn_electrostatic *f = of(field);
  const struct wn_slab *s = &f->slab;
  double here = 0.0;
  if (f->on->densest != NULL && s->ranks == 1)
    return f->on->densest(f, species, most);
  WN_TRY(fetch_quanta(f, species));
#ifdef _OPENMP
#pragma omp parallel for num_threads(f->threads) reduction(max                           \
                                                           : here)                       \
    schedule(static) if (wn_slab_own_nodes(s) > 4096)
#endif
  for (int64_t k = s->own[0]; k < s->own[1]; k++)
    for (int64_t y = 0; y < s->ny; y++)
      for (int64_t x = 0; x < s->nx; x++) {
        int64_t at[3];
        wn_slab_place(s, x, y, k, at);
        here = fmax(here, (double)f->quanta[species][wn_slab_quanta_at(s, at)] *
                              wn_slab_per_volume(s, wn_slab_part_of(s, at)));
      }
  if (s->ranks > 1)
    wn_ranks_most(&here, 1);
  *most = here;
  return WN_OK;
}

static int begin_sums(struct wn_field *field)
{
  struct wn_electrostatic *f = of(field);
  return f->on->begin_sums != NULL ? f->on->begin_sums(f) : WN_OK;
}

static int sums(struct wn_field *field, struct wn_field_sums *out)
{
  struct wn_electrostatic *f = of(field);
  const struct wn_charge_nodes *nodes = &f->slab.nodes;
  struct wn_charge_sums s;
  WN_TRY(f->on->sums(f, &s));
  const int has_modes = is_spectral(f) && wn_nodes_are_periodic(nodes, 0),
            is_open = f->spec.poisson.side[1] == WN_OPEN;
  out->charge = s.charge;
  out->energy =
      has_modes || is_open ? s.pairs : 0.5 * WN_EPS0 * wn_nodes_cell(&f->grid) * s.square;
  out->gauss = s.inside - s.through;
  for (int d = 0; d < 3; d++)
    out->drop[d] = d == 0 && wn_slab_is_radial(&f->slab) ? NAN : s.drop[d];
  out->residual = is_spectral(f) || isnan(s.left) ? NAN
                  : s.largest > 0.0               ? s.left / s.largest
                                                  : 0.0;
  return WN_OK;
}

static int waves(struct wn_field *field, const struct wn_waves *w, double *out)
{
  struct wn_electrostatic *f = of(field);
  const double *phi;
  if (f->on->waves == NULL) {
    WN_TRY(potential(field, &phi));
    wn_waves_of_nodes(w, phi, out);
    return WN_OK;
  }
  const size_t each = 2 * w->n;
  double *sum = wn_alloc(((size_t)f->slab.cells + 1) * each, sizeof *sum);
  if (sum == NULL)
    return WN_ENOMEM;
  const int status = f->on->waves(f, w, sum + (size_t)f->slab.own[0] * each);
  if (status == WN_OK) {
    bring_planes(f, each, sum);
    wn_waves_of_planes(w, f->slab.axis, sum, out);
  }
  free(sum);
  return status;
}

static int has_circuit(const struct wn_field *field)
{
  return of_const(field)->circuit != NULL;
}

static void taken(struct wn_field *field, size_t species, const wn_i128 quanta[2])
{
  for (int i = 0; i < 2; i++)
    of(field)->circuit->taken[species][i] = quanta[i];
}

static int walls(struct wn_field *field, struct wn_field_wall out[2])
{
  return wn_circuit_walls(of(field), out);
}

static struct wn_electrode_circuits *loops(struct wn_field *field)
{
  return of(field)->loops;
}

static const struct wn_electrodes *electrodes(const struct wn_field *field)
{
  return of_const(field)->electrodes;
}

/* Its grids and species are more than struct wn_field_spec says. */
static int create(const struct wn_field_spec *spec, struct wn_field **out)
{
  WN_ASSERT(spec->electrostatic != NULL);
  return wn_electrostatic_create(spec->electrostatic, out);
}

static void set_voltage(struct wn_field *field, int surface, double volts)
{
  struct wn_electrostatic *f = of(field);
  const int sides = 2 * f->grid.dim;
  WN_ASSERT(surface >= 0 && surface < sides + f->spec.n_electrodes);
  struct wn_voltage *v =
      surface < sides ? &f->spec.voltage[surface] : &f->spec.electrode[surface - sides];
  *v = (struct wn_voltage){.constant = volts, .start = -INFINITY, .end = INFINITY};
}

static const struct wn_field_grid_ops on_grid = {
    .nodes = nodes_of,
    .potential = potential,
    .charge = charge,
    .e = e_of,
    .e_there = e_there,
    .gathered = gathered,
    .density = density,
    .densest = densest,
    .sums = sums,
    .begin_sums = begin_sums,
    .waves = waves,
    .has_circuit = has_circuit,
    .taken = taken,
    .walls = walls,
    .electrodes = electrodes,
    .loops = loops,
    .stick = stick,
    .settle = settle,
    .set_voltage = set_voltage,
};

const struct wn_field_ops wn_field_electrostatic = {
    .name = "electrostatic",
    .create = create,
    .solve = solve,
    .view = view,
    .grid = &on_grid,
    .state = state,
    .free = destroy,
};
