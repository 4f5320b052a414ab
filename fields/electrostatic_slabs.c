/* fields/electrostatic_slabs.c - see electrostatic_slabs.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "base/alloc.h"
#include "base/error.h"
#include "fields/electrostatic_slabs_parts.h"

/* ---- life */

static int64_t planes_of(const struct wn_field_slabs *f)
{
  return f->own[1] - f->own[0];
}

/* Shapes; no memory. */
static void lay_out(struct wn_field_slabs *f, const struct wn_electrostatic_spec *spec,
                    int rank, int ranks)
{
  const struct wn_grid_view *g = &spec->grid;
  const int d = g->dim - 1;
  *f = (struct wn_field_slabs){.spec = *spec,
                               .nodes = wn_charge_nodes(g, &spec->poisson),
                               .grid = *g,
                               .axis = d,
                               .cells = g->cells[d],
                               .nx = d > 0 ? g->cells[0] + 1 : 1,
                               .ny = d > 1 ? g->cells[1] + 1 : 1};
  wn_slab_planes(&spec->poisson, rank, ranks, f->own);
  f->plane = (size_t)(f->nx * f->ny);
  f->padded = (size_t)g->step[d];
  f->n = (size_t)wn_grid_nodes(g);
}

size_t wn_field_slabs_bytes(const struct wn_electrostatic_spec *spec, int ranks)
{
  struct wn_field_slabs f;
  lay_out(&f, spec, 0, ranks);
  const size_t of_nodes = (size_t)(planes_of(&f) + 2 * WN_SLAB_GUARD) * f.padded;
  return of_nodes *
             (spec->n_species * sizeof(int64_t) + (size_t)f.grid.stride * sizeof(float)) +
         (size_t)(2 * planes_of(&f) + 2 * WN_SLAB_GUARD_PHI) * f.plane * sizeof(double) +
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
  free(f->guards);
  wn_poisson_slabs_free(f->poisson);
  wn_deposit_free(f->deposit);
  free(f);
}

static int allocate(struct wn_field_slabs *f)
{
  const size_t ranks = (size_t)wn_ranks();
  for (size_t k = 0; k < f->spec.n_species; k++) {
    f->quanta[k] = untouched(f->n * sizeof *f->quanta[k]);
    if (f->quanta[k] == NULL)
      return WN_ENOMEM;
  }
  f->rho = wn_alloc((size_t)planes_of(f) * f->plane, sizeof *f->rho);
  f->phi =
      wn_alloc((size_t)(planes_of(f) + 2 * WN_SLAB_GUARD_PHI) * f->plane, sizeof *f->phi);
  f->e = untouched(f->n * (size_t)f->grid.stride * sizeof *f->e);
  f->give = wn_alloc(ranks, sizeof *f->give);
  f->take = wn_alloc(ranks, sizeof *f->take);
  f->next = wn_alloc(ranks, sizeof *f->next);
  f->each = wn_alloc(ranks, sizeof *f->each);
  f->grid.e = f->e;
  if (f->rho == NULL || f->phi == NULL || f->e == NULL || f->give == NULL ||
      f->take == NULL || f->next == NULL || f->each == NULL)
    return WN_ENOMEM;
  f->guards = wn_alloc(wn_slab_count_guards(f) + 1, sizeof *f->guards);
  return f->guards != NULL ? wn_deposit_create(&f->grid, 1, &f->deposit) : WN_ENOMEM;
}

int wn_field_slabs_create(const struct wn_electrostatic_spec *spec,
                          struct wn_field_slabs **out)
{
  struct wn_poisson_slabs *poisson;
  if (wn_ranks_any(spec->gpu != NULL))
    return WN_FAIL(WN_EINPUT,
                   "key `divide` = \"domains\": not on GPUs; take \"electrons\", "
                   "or device cpu");
  WN_TRY(wn_poisson_slabs_create(&spec->poisson, &poisson));
  struct wn_field_slabs *f = wn_alloc(1, sizeof *f);
  int status = f != NULL ? WN_OK : WN_ENOMEM;
  if (status == WN_OK) {
    lay_out(f, spec, wn_rank(), wn_ranks());
    f->poisson = poisson;
    status = allocate(f);
  } else {
    wn_poisson_slabs_free(poisson);
  }
  if (wn_ranks_any(status != WN_OK)) {
    wn_field_slabs_free(f);
    return status != WN_OK ? status : WN_ENOMEM;
  }
  *out = f;
  return WN_OK;
}

const struct wn_grid_view *wn_field_slabs_grid(const struct wn_field_slabs *f)
{
  return &f->grid;
}

/* ---- charge */

/* The plane to which the charge of plane a belongs. */
static int64_t home_of(const struct wn_field_slabs *f, int64_t a)
{
  const int low = 2 * f->axis;
  if (wn_slab_is_periodic(f) || (a >= 0 && a <= f->cells))
    return wn_slab_wrap(f, a);
  const int side = a < 0 ? low : low + 1,
            mirrors = f->grid.side[side] == WN_SIDE_REFLECT ||
                      (f->nodes.mirrors >> side & 1u) != 0;
  return a < 0 ? mirrors : f->cells - mirrors;
}

/* Planes a of charge that rank r has. */
#define FOR_PLANES(f, r, a)                                                              \
  for (int64_t a = -WN_GRID_GUARD, k_; a <= (f)->cells + WN_GRID_GUARD; a++)             \
    if (wn_slab_has((f), (r), a, &k_))

/* Does plane a of rank r belong to rank `of`, and not lie there? */
static int strays(const struct wn_field_slabs *f, int r, int of, int64_t a)
{
  return wn_slab_owner_of(f, home_of(f, a)) == of && !(home_of(f, a) == a && r == of);
}

/* What lies in guards goes to who has the nodes, and is added. */
static int send_strays(struct wn_field_slabs *f, int64_t *quanta)
{
  size_t out = 0, in = 0;
  for (int r = 0; r < wn_ranks(); r++) {
    f->give[r] = f->take[r] = 0;
    FOR_PLANES(f, wn_rank(), a)
    f->give[r] += strays(f, wn_rank(), r, a) ? f->padded : 0;
    FOR_PLANES(f, r, a) f->take[r] += strays(f, r, wn_rank(), a) ? f->padded : 0;
    out += f->give[r];
    in += f->take[r];
  }
  int64_t *going = wn_alloc(out + in + 1, sizeof *going), *to = going;
  if (wn_ranks_any(going == NULL)) {
    free(going);
    return WN_ENOMEM;
  }
  for (int r = 0; r < wn_ranks(); r++)
    FOR_PLANES(f, wn_rank(), a)
  if (strays(f, wn_rank(), r, a)) {
    memcpy(to, quanta + wn_slab_at_plane(f, a), f->padded * sizeof *to);
    memset(quanta + wn_slab_at_plane(f, a), 0, f->padded * sizeof *to);
    to += f->padded;
  }
  wn_ranks_exchange(going, f->give, going + out, f->take);
  const int64_t *from = going + out;
  for (int r = 0; r < wn_ranks(); r++)
    FOR_PLANES(f, r, a)
  if (strays(f, r, wn_rank(), a)) {
    int64_t *home = quanta + wn_slab_at_plane(f, home_of(f, a));
    for (size_t i = 0; i < f->padded; i++)
      home[i] += from[i];
    from += f->padded;
  }
  free(going);
  return WN_OK;
}

/* What lies beyond the sides of a plane: as wn_deposit_fold, of a grid of one axis less. */
static void fold_planes(const struct wn_field_slabs *f, int64_t *quanta)
{
  struct wn_grid_view g = f->spec.grid;
  if (f->axis == 0)
    return;
  g.dim = f->axis;
  g.first = 0;
  for (int d = 0; d < g.dim; d++)
    g.first += WN_GRID_GUARD * g.step[d];
  for (int64_t k = f->own[0]; k < f->own[1]; k++)
    wn_deposit_fold(&g, f->nodes.mirrors, quanta + wn_slab_at_plane(f, k));
}

int wn_field_slabs_deposit(struct wn_field_slabs *f, size_t k, const struct wn_points *m,
                           const struct wn_particles *p)
{
  struct wn_deposited sum = {0};
  int64_t *quanta = f->quanta[k];
  FOR_PLANES(f, wn_rank(), a)
  memset(quanta + wn_slab_at_plane(f, a), 0, f->padded * sizeof *quanta);
  int status = (f->spec.electrons[k] ? wn_deposit_electrons
                                     : wn_deposit_points)(f->deposit, m, p, quanta, &sum);
  wn_i128 there = 0;
  FOR_PLANES(f, wn_rank(), a)
  for (size_t i = 0; i < f->padded; i++)
    there += quanta[wn_slab_at_plane(f, a) + i];
  if (status == WN_OK)
    status = wn_deposit_compare(k, there, &sum);
  if (wn_ranks_any(status != WN_OK))
    return status != WN_OK ? status
                           : WN_FAIL(WN_ERUN, "the charge of another process failed");
  WN_TRY(send_strays(f, quanta));
  fold_planes(f, quanta);
  return WN_OK;
}

/* ---- rho, phi, E */

/* Part of a cell's volume that a node has. */
static double part_of(const struct wn_field_slabs *f, const int64_t at[3])
{
  double of_cell = 1.0;
  for (int d = 0; d < f->grid.dim; d++)
    of_cell *= wn_nodes_is_end(&f->nodes, d, at[d]) ? 0.5 : 1.0;
  return of_cell;
}

static int is_copy(const struct wn_field_slabs *f, const int64_t at[3])
{
  int is = 0;
  for (int d = 0; d < f->grid.dim; d++)
    is |= wn_nodes_is_copy(&f->nodes, d, at[d]);
  return is;
}

/* Where the quanta of node (x, y) of plane k are: a copy has those of the first. */
static size_t quanta_at(const struct wn_field_slabs *f, int64_t x, int64_t y, int64_t k)
{
  const int copy_x = f->axis > 0 && wn_nodes_is_copy(&f->nodes, 0, x),
            copy_y = f->axis > 1 && wn_nodes_is_copy(&f->nodes, 1, y);
  size_t i = wn_slab_at_plane(f, k);
  if (f->axis > 0)
    i += (size_t)((copy_x ? 0 : x) + WN_GRID_GUARD);
  if (f->axis > 1)
    i += (size_t)(((copy_y ? 0 : y) + WN_GRID_GUARD) * f->grid.step[1]);
  return i;
}

/* Particles of weight 1 per volume that a quantum is, at a node that has such a part of a cell. */
static double per_volume(const struct wn_field_slabs *f, double part)
{
  return 1.0 / (WN_QUANTA * wn_nodes_cell(&f->grid) * part);
}

/* f(x, y, k) for the nodes of this rank, with their number i. */
#define FOR_NODES(f, i)                                                                  \
  for (int64_t i = 0, k = (f)->own[0]; k < (f)->own[1]; k++)                             \
    for (int64_t y = 0; y < (f)->ny; y++)                                                \
      for (int64_t x = 0; x < (f)->nx; x++, i++)

/* Sums of ranks are added in the order of the ranks. */
static double of_all(const struct wn_field_slabs *f, double mine)
{
  double sum = 0.0;
  wn_ranks_gather(&mine, sizeof mine, f->each);
  for (int r = 0; r < wn_ranks(); r++)
    sum += f->each[r];
  return sum;
}

static void make_charge(struct wn_field_slabs *f, double *background)
{
  double total = 0.0, volume = 0.0;
  FOR_NODES(f, i)
  {
    const size_t from = quanta_at(f, x, y, k);
    double rho = 0.0;
    for (size_t s = 0; s < f->spec.n_species; s++)
      rho += f->spec.charge[s] * (double)f->quanta[s][from];
    int64_t at[3];
    wn_slab_place(f, x, y, k, at);
    const double part = part_of(f, at), counts = is_copy(f, at) ? 0.0 : part;
    f->rho[i] = rho * per_volume(f, part);
    total += f->rho[i] * counts;
    volume += counts;
  }
  if (isnan(*background))
    *background = -of_all(f, total) / of_all(f, volume);
  FOR_NODES(f, i) f->rho[i] += *background;
}

void wn_field_slabs_solve(struct wn_field_slabs *f, double *background,
                          const double volt[6])
{
  make_charge(f, background);
  wn_poisson_slabs_solve(f->poisson, f->rho, volt, wn_slab_phi(f, f->own[0]));
  wn_slab_make_e(f);
}

/* ---- for those who look */

/* own [own][plane] of each rank to `all`: the others have zeros, and bits are added. */
static void bring_together(const struct wn_field_slabs *f, double *all)
{
  const size_t n = f->plane * (size_t)(f->cells + 1);
  for (size_t i = 0; i < n; i++) {
    const int64_t plane = (int64_t)(i / f->plane);
    all[i] = plane < f->own[0] || plane >= f->own[1] ? 0.0 : all[i];
  }
  _Static_assert(sizeof(double) == sizeof(int64_t), "bits of one as the other");
  wn_ranks_sum_i64((int64_t *)(void *)all, n);
  if (wn_slab_is_periodic(f))
    memcpy(all + f->plane * (size_t)f->cells, all, f->plane * sizeof *all);
}

static double *own_part(const struct wn_field_slabs *f, double *all)
{
  return all + (size_t)f->own[0] * f->plane;
}

void wn_field_slabs_charge(const struct wn_field_slabs *f, double *rho)
{
  memcpy(own_part(f, rho), f->rho, (size_t)planes_of(f) * f->plane * sizeof *rho);
  bring_together(f, rho);
}

void wn_field_slabs_potential(const struct wn_field_slabs *f, double *phi)
{
  memcpy(own_part(f, phi), wn_slab_phi(f, f->own[0]),
         (size_t)planes_of(f) * f->plane * sizeof *phi);
  bring_together(f, phi);
}

void wn_field_slabs_e(const struct wn_field_slabs *f, int d, double *e)
{
  double *own = own_part(f, e);
  FOR_NODES(f, i)
  {
    int64_t at[3];
    wn_slab_place(f, x, y, k, at);
    own[i] = wn_slab_e(f, d, at, 0);
  }
  bring_together(f, e);
}

void wn_field_slabs_density(const struct wn_field_slabs *f, size_t species, double *n)
{
  double *own = own_part(f, n);
  FOR_NODES(f, i)
  {
    int64_t at[3];
    wn_slab_place(f, x, y, k, at);
    own[i] =
        (double)f->quanta[species][quanta_at(f, x, y, k)] * per_volume(f, part_of(f, at));
  }
  bring_together(f, n);
}
