/* fields/electrostatic_slabs.c - see electrostatic_slabs.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"
#include "fields/electrostatic_slabs_gpu.h"
#include "fields/electrostatic_slabs_parts.h"
#include "fields/poisson_slabs_gpu.h"

/* ---- life */

static size_t planes_of(const struct wn_field_slabs *f)
{
  return (size_t)(f->slab.own[1] - f->slab.own[0]);
}

/* Shapes; no memory. */
static void lay_out(struct wn_field_slabs *f, const struct wn_electrostatic_spec *spec,
                    int rank, int ranks)
{
  const struct wn_grid_view *g = &spec->grid;
  const int d = g->dim - 1;
  *f = (struct wn_field_slabs){.spec = *spec,
                               .grid = *g,
                               .n = (size_t)wn_grid_nodes(g),
                               .threads = wn_threads(spec->poisson.threads),
                               .slab = {.nodes = wn_charge_nodes(g, &spec->poisson),
                                        .axis = d,
                                        .ranks = ranks,
                                        .rank = rank,
                                        .cells = g->cells[d],
                                        .nx = d > 0 ? g->cells[0] + 1 : 1,
                                        .ny = d > 1 ? g->cells[1] + 1 : 1,
                                        .padded = g->step[d]}};
  f->slab.is_periodic = wn_nodes_are_periodic(&f->slab.nodes, d);
  f->slab.plane = f->slab.nx * f->slab.ny;
  wn_slab_planes(&spec->poisson, rank, ranks, f->slab.own);
}

size_t wn_field_slabs_bytes(const struct wn_electrostatic_spec *spec, int ranks)
{
  struct wn_field_slabs f;
  lay_out(&f, spec, 0, ranks);
  const size_t of_nodes = (planes_of(&f) + 2 * WN_SLAB_GUARD) * (size_t)f.slab.padded;
  return of_nodes * ((spec->n_species + (size_t)f.threads - 1) * sizeof(int64_t) +
                     (size_t)f.grid.stride * sizeof(float)) +
         (2 * planes_of(&f) + 2 * WN_SLAB_GUARD_PHI) * (size_t)f.slab.plane *
             sizeof(double) +
         wn_poisson_slabs_bytes(&spec->poisson, ranks);
}

/* Zeros that take no memory until they are touched; NULL: there are no addresses. */
static void *untouched(size_t bytes)
{
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory != MAP_FAILED ? memory : NULL;
}

static void give_back(void *memory, size_t bytes)
{
  if (memory != NULL)
    munmap(memory, bytes);
}

void wn_field_slabs_free(struct wn_field_slabs *f)
{
  if (f == NULL)
    return;
  for (size_t k = 0; k < f->spec.n_species; k++)
    give_back(f->quanta[k], f->n * sizeof *f->quanta[k]);
  give_back(f->e, f->n * (size_t)f->grid.stride * sizeof *f->e);
  free(f->rho);
  free(f->phi);
  free(f->give);
  free(f->take);
  free(f->next);
  free(f->each);
  free(f->passing);
  wn_slab_plan_free(f);
  wn_slabs_gpu_free(f->gpu);
  wn_poisson_slabs_free(f->poisson);
  wn_deposit_free(f->deposit);
  free(f);
}

/* The planes that this rank has, as the deposit wants them. */
static void within(struct wn_field_slabs *f)
{
  const struct wn_slab *s = &f->slab;
  size_t range[WN_DEPOSIT_RANGES][2];
  int n = 0, had = 0;
  for (int64_t a = -WN_GRID_GUARD, k; a <= s->cells + WN_GRID_GUARD; a++) {
    const int has = wn_slab_is_near(s, s->own, WN_SLAB_GUARD, a, &k);
    WN_ASSERT(n < WN_DEPOSIT_RANGES);
    if (has && !had)
      range[n][0] = (size_t)wn_slab_at_plane(s, a);
    if (has)
      range[n][1] = (size_t)wn_slab_at_plane(s, a + 1);
    n += had && !has;
    had = has;
  }
  wn_deposit_within(f->deposit, range, n + had);
}

/* Of charge, or of phi. */
static size_t words_passing(const struct wn_field_slabs *f)
{
  const size_t charge = (f->strays.n_give + f->strays.n_take) * (size_t)f->slab.padded,
               phi = (f->guards.n_give + f->guards.n_take) * (size_t)f->slab.plane;
  return charge > phi ? charge : phi;
}

static int allocate(struct wn_field_slabs *f)
{
  const size_t ranks = (size_t)f->slab.ranks, plane = (size_t)f->slab.plane;
  for (size_t k = 0; k < f->spec.n_species; k++) {
    f->quanta[k] = untouched(f->n * sizeof *f->quanta[k]);
    if (f->quanta[k] == NULL)
      return WN_ENOMEM;
  }
  f->rho = wn_alloc(planes_of(f) * plane, sizeof *f->rho);
  f->phi = wn_alloc((planes_of(f) + 2 * WN_SLAB_GUARD_PHI) * plane, sizeof *f->phi);
  f->e = untouched(f->n * (size_t)f->grid.stride * sizeof *f->e);
  f->give = wn_alloc(ranks, sizeof *f->give);
  f->take = wn_alloc(ranks, sizeof *f->take);
  f->next = wn_alloc(ranks, sizeof *f->next);
  f->grid.e = f->e;
  f->each = wn_alloc(ranks * WN_SLAB_SUMS, sizeof *f->each);
  if (f->rho == NULL || f->phi == NULL || f->e == NULL || f->give == NULL ||
      f->take == NULL || f->next == NULL || f->each == NULL)
    return WN_ENOMEM;
  WN_TRY(wn_slab_plan(f));
  if (f->spec.gpu != NULL)
    return WN_OK;
  f->passing = wn_alloc(words_passing(f) + 1, sizeof *f->passing);
  if (f->passing == NULL)
    return WN_ENOMEM;
  WN_TRY(wn_deposit_create(&f->grid, f->threads, &f->deposit));
  within(f);
  return WN_OK;
}

/* Once the arrays are there: what the ranks make together. */
static int create_solver(struct wn_field_slabs *f)
{
  if (f->spec.gpu == NULL)
    return wn_poisson_slabs_create(&f->spec.poisson, &f->poisson);
  WN_TRY(wn_slabs_gpu_create(f, &f->gpu));
  f->grid.e = wn_slabs_gpu_floats(f->gpu);
  return WN_OK;
}

int wn_field_slabs_create(const struct wn_electrostatic_spec *spec,
                          struct wn_field_slabs **out)
{
  if (wn_ranks_any(spec->gpu != NULL) && wn_ranks_any(spec->gpu == NULL))
    return WN_FAIL(WN_EINPUT,
                   "key `divide` = \"domains\": either every process has a GPU, "
                   "or none; take \"electrons\", or device cpu");
  WN_TRY(wn_poisson_slabs_check(&spec->poisson));
  struct wn_field_slabs *f = wn_alloc(1, sizeof *f);
  int status = f != NULL ? WN_OK : WN_ENOMEM;
  if (status == WN_OK) {
    lay_out(f, spec, wn_rank(), wn_ranks());
    status = allocate(f);
  }
  if (wn_ranks_any(status != WN_OK)) {
    wn_field_slabs_free(f);
    return status != WN_OK ? status : WN_ENOMEM;
  }
  status = create_solver(f);
  if (status != WN_OK) {
    wn_field_slabs_free(f);
    return status;
  }
  *out = f;
  return WN_OK;
}

const struct wn_grid_view *wn_field_slabs_grid(const struct wn_field_slabs *f)
{
  return &f->grid;
}

/* ---- charge */

/* Planes a of charge that this rank has. */
#define FOR_PLANES(f, a)                                                                 \
  for (int64_t a = -WN_GRID_GUARD, k_; a <= (f)->slab.cells + WN_GRID_GUARD; a++)        \
    if (wn_slab_is_near(&(f)->slab, (f)->slab.own, WN_SLAB_GUARD, a, &k_))

/* What lies in guards goes to who has the nodes, and is added. */
static void send_strays(struct wn_field_slabs *f, int64_t *quanta)
{
  const struct wn_slab_moves *m = &f->strays;
  const size_t padded = (size_t)f->slab.padded, bytes = padded * sizeof *quanta;
  _Static_assert(sizeof(double) == sizeof(int64_t), "one array for either");
  int64_t *going = (int64_t *)(void *)f->passing, *from = going + m->n_give * padded;
  for (size_t i = 0; i < m->n_give; i++) {
    int64_t *plane = quanta + wn_slab_at_plane(&f->slab, m->give[i]);
    memcpy(going + i * padded, plane, bytes);
    memset(plane, 0, bytes);
  }
  wn_ranks_exchange(going, m->words_give, from, m->words_take);
  for (size_t i = 0; i < m->n_take; i++) {
    int64_t *home = quanta + wn_slab_at_plane(&f->slab, m->take[i]);
    for (size_t n = 0; n < padded; n++)
      home[n] += from[i * padded + n];
  }
}

/* What lies beyond the sides of a plane: as wn_deposit_fold, of a grid of one axis less. */
static void fold_planes(const struct wn_field_slabs *f, int64_t *quanta)
{
  struct wn_grid_view g = f->spec.grid;
  if (f->slab.axis == 0)
    return;
  g.dim = f->slab.axis;
  g.first = 0;
  for (int d = 0; d < g.dim; d++)
    g.first += WN_GRID_GUARD * g.step[d];
  for (int64_t k = f->slab.own[0]; k < f->slab.own[1]; k++)
    wn_deposit_fold(&g, f->slab.nodes.mirrors, quanta + wn_slab_at_plane(&f->slab, k));
}

static int deposit(struct wn_field_slabs *f, size_t k, const struct wn_points *m,
                   const struct wn_particles *p)
{
  struct wn_deposited sum = {0};
  int64_t *quanta = f->quanta[k];
  FOR_PLANES(f, a)
  memset(quanta + wn_slab_at_plane(&f->slab, a), 0,
         (size_t)f->slab.padded * sizeof *quanta);
  int status = (f->spec.electrons[k] ? wn_deposit_electrons
                                     : wn_deposit_points)(f->deposit, m, p, quanta, &sum);
  wn_i128 there = 0;
  FOR_PLANES(f, a)
  for (size_t i = 0; i < (size_t)f->slab.padded; i++)
    there += quanta[wn_slab_at_plane(&f->slab, a) + i];
  if (status == WN_OK)
    status = wn_deposit_compare(k, there, &sum);
  if (wn_ranks_any(status != WN_OK))
    return status != WN_OK ? status
                           : WN_FAIL(WN_ERUN, "the charge of another process failed");
  send_strays(f, quanta);
  fold_planes(f, quanta);
  return WN_OK;
}

/* ---- rho, phi, E */

static int is_copy(const struct wn_field_slabs *f, const int64_t at[3])
{
  int is = 0;
  for (int d = 0; d < f->grid.dim; d++)
    is |= wn_nodes_is_copy(&f->slab.nodes, d, at[d]);
  return is;
}

/* Where the quanta of node (x, y) of plane k are: a copy has those of the first. */
static size_t quanta_at(const struct wn_field_slabs *f, int64_t x, int64_t y, int64_t k)
{
  const int copy_x = f->slab.axis > 0 && wn_nodes_is_copy(&f->slab.nodes, 0, x),
            copy_y = f->slab.axis > 1 && wn_nodes_is_copy(&f->slab.nodes, 1, y);
  size_t i = wn_slab_at_plane(&f->slab, k);
  if (f->slab.axis > 0)
    i += (size_t)((copy_x ? 0 : x) + WN_GRID_GUARD);
  if (f->slab.axis > 1)
    i += (size_t)(((copy_y ? 0 : y) + WN_GRID_GUARD) * f->grid.step[1]);
  return i;
}

void wn_slab_add_up(const struct wn_field_slabs *f, double *v, size_t n)
{
  WN_ASSERT(n <= WN_SLAB_SUMS);
  wn_ranks_gather(v, n * sizeof *v, f->each);
  memset(v, 0, n * sizeof *v);
  for (size_t r = 0; r < (size_t)f->slab.ranks; r++)
    for (size_t i = 0; i < n; i++)
      v[i] += f->each[r * n + i];
}

/* rho of the quanta alone, one plane after the other; its sum, and that of the parts of cells, over
 * nodes that are no copies. */
static void make_charge(struct wn_field_slabs *f, double sums[2])
{
  const struct wn_slab *s = &f->slab;
  double total = 0.0, volume = 0.0;
#ifdef _OPENMP
#pragma omp parallel for num_threads(f->threads) schedule(static) reduction(+ : total, volume)
#endif
  for (int64_t k = s->own[0]; k < s->own[1]; k++) {
    double *to = f->rho + (k - s->own[0]) * s->plane;
    for (int64_t i = 0; i < s->plane; i++) {
      const int64_t x = i % s->nx, y = i / s->nx;
      const size_t from = quanta_at(f, x, y, k);
      double rho = 0.0;
      int64_t at[3];
      wn_slab_place(s, x, y, k, at);
      for (size_t n = 0; n < f->spec.n_species; n++)
        rho += f->spec.charge[n] * (double)f->quanta[n][from];
      const double part = wn_slab_part_of(s, at), counts = is_copy(f, at) ? 0.0 : part;
      to[i] = rho * wn_slab_per_volume(s, part);
      total += to[i] * counts;
      volume += counts;
    }
  }
  sums[0] = total;
  sums[1] = volume;
}

/* What neutralises these sums of make_charge. */
static double neutral(const struct wn_field_slabs *f, double sums[2])
{
  wn_slab_add_up(f, sums, 2);
  return -sums[0] / sums[1];
}

/* Steps in one of a species that waits. */
static double own_steps(const struct wn_field_slabs *f, size_t k)
{
  return f->spec.waits[k] > 0 ? f->spec.waits[k] : 1;
}

static int solve_here(struct wn_field_slabs *f, struct wn_particles *const *species,
                      const struct wn_points *points, double dt, double *background,
                      const double volt[6])
{
  double sums[2];
  for (size_t k = 0; k < f->spec.n_species; k++) {
    WN_TRY(wn_slab_gather(f, species[k], dt * own_steps(f, k)));
    WN_TRY(deposit(f, k, &points[k], species[k]));
  }
  make_charge(f, sums);
  if (isnan(*background))
    *background = neutral(f, sums);
  for (size_t i = 0; i < planes_of(f) * (size_t)f->slab.plane; i++)
    f->rho[i] += *background;
  wn_poisson_slabs_solve(f->poisson, f->rho, volt, wn_slab_phi(f, f->slab.own[0]));
  wn_slab_make_e(f);
  return WN_OK;
}

/* ---- on a GPU */

static int fetch_quanta(struct wn_field_slabs *f, size_t k)
{
  const unsigned what = (unsigned)WN_FETCHED_QUANTA << k;
  if (f->gpu == NULL || (f->fetched & what) != 0)
    return WN_OK;
  WN_TRY(wn_slabs_gpu_fetch_quanta(f->gpu, f, k));
  fold_planes(f, f->quanta[k]);
  f->fetched |= what;
  return WN_OK;
}

static int fetch(struct wn_field_slabs *f, unsigned what,
                 int (*from)(struct wn_slabs_gpu *, const struct wn_field_slabs *))
{
  if (f->gpu == NULL || (f->fetched & what) != 0)
    return WN_OK;
  WN_TRY(from(f->gpu, f));
  f->fetched |= what;
  return WN_OK;
}

static int solve_there(struct wn_field_slabs *f, struct wn_particles *const *species,
                       const struct wn_points *points, double dt, double *background,
                       const double volt[6])
{
  f->fetched = 0;
  for (size_t k = 0; k < f->spec.n_species; k++)
    WN_TRY(wn_slabs_gpu_gather(f->gpu, f, species[k], dt * own_steps(f, k)));
  WN_TRY(wn_slabs_gpu_deposit(f->gpu, f, points, species,
                              f->solves++ % WN_CHARGE_COMPARED == 0));
  if (isnan(*background)) {
    for (size_t k = 0; k < f->spec.n_species; k++)
      WN_TRY(fetch_quanta(f, k));
    double sums[2];
    make_charge(f, sums);
    *background = neutral(f, sums);
  }
  return wn_slabs_gpu_solve(f->gpu, f, *background, volt);
}

int wn_field_slabs_solve(struct wn_field_slabs *f, struct wn_particles *const *species,
                         const struct wn_points *points, double dt, double *background,
                         const double volt[6])
{
  return (f->gpu != NULL ? solve_there : solve_here)(f, species, points, dt, background,
                                                     volt);
}

/* ---- for those who look */

/* own [own][plane] of each rank to `all`: the others have zeros, and bits are added. */
static void bring_together(const struct wn_field_slabs *f, double *all)
{
  const size_t n = (size_t)f->slab.plane * (size_t)(f->slab.cells + 1);
  for (size_t i = 0; i < n; i++) {
    const int64_t plane = (int64_t)(i / (size_t)f->slab.plane);
    all[i] = plane < f->slab.own[0] || plane >= f->slab.own[1] ? 0.0 : all[i];
  }
  _Static_assert(sizeof(double) == sizeof(int64_t), "bits of one as the other");
  wn_ranks_sum_i64((int64_t *)(void *)all, n);
  if (f->slab.is_periodic)
    memcpy(all + (size_t)f->slab.plane * (size_t)f->slab.cells, all,
           (size_t)f->slab.plane * sizeof *all);
}

static double *own_part(const struct wn_field_slabs *f, double *all)
{
  return all + (size_t)f->slab.own[0] * (size_t)f->slab.plane;
}

int wn_field_slabs_charge(struct wn_field_slabs *f, double *rho)
{
  WN_TRY(fetch(f, WN_FETCHED_RHO, wn_slabs_gpu_fetch_charge));
  memcpy(own_part(f, rho), f->rho, planes_of(f) * (size_t)f->slab.plane * sizeof *rho);
  bring_together(f, rho);
  return WN_OK;
}

int wn_field_slabs_potential(struct wn_field_slabs *f, double *phi)
{
  WN_TRY(fetch(f, WN_FETCHED_PHI, wn_slabs_gpu_fetch_potential));
  memcpy(own_part(f, phi), wn_slab_phi(f, f->slab.own[0]),
         planes_of(f) * (size_t)f->slab.plane * sizeof *phi);
  bring_together(f, phi);
  return WN_OK;
}

int wn_field_slabs_e(struct wn_field_slabs *f, int d, double *e)
{
  WN_TRY(fetch(f, WN_FETCHED_PHI, wn_slabs_gpu_fetch_potential));
  double *own = own_part(f, e);
  for (int i = 0; i < f->slab.nodes.grid.dim;
       i++) /* for who reads this without running it */
    WN_ASSERT(f->slab.nodes.grid.cells[i] > 0);
  WN_FOR_SLAB(&f->slab, i)
  {
    int64_t at[3];
    wn_slab_place(&f->slab, x, y, k, at);
    own[i] = wn_slab_e(&f->slab, wn_slab_phi(f, 0), d, at, 0);
  }
  bring_together(f, e);
  return WN_OK;
}

int wn_field_slabs_density(struct wn_field_slabs *f, size_t species, double *n)
{
  WN_TRY(fetch_quanta(f, species));
  double *own = own_part(f, n);
  WN_FOR_SLAB(&f->slab, i)
  {
    int64_t at[3];
    wn_slab_place(&f->slab, x, y, k, at);
    own[i] = (double)f->quanta[species][quanta_at(f, x, y, k)] *
             wn_slab_per_volume(&f->slab, wn_slab_part_of(&f->slab, at));
  }
  bring_together(f, n);
  return WN_OK;
}

size_t wn_field_slabs_gpu_bytes(const struct wn_electrostatic_spec *spec, int ranks)
{
  struct wn_field_slabs f;
  lay_out(&f, spec, 0, ranks);
  const size_t plane = (size_t)f.slab.plane, own = planes_of(&f) * plane,
               of_nodes = spec->n_species * sizeof(int64_t) +
                          (size_t)f.grid.stride * sizeof(float),
               planes = 2 * WN_SLAB_GUARD_PHI * plane;
  return f.n * of_nodes + (2 * own + planes) * sizeof(double) +
         2 * planes * sizeof(double) + wn_poisson_slabs_gpu_bytes(&spec->poisson, ranks);
}
