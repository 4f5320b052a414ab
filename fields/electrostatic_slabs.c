/* fields/electrostatic_slabs.c - see electrostatic_slabs.h. */
#include "fields/electrostatic_slabs.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/ranks.h"
#include "fields/charge_nodes.h"
#include "fields/deposit.h"
#include "fields/poisson_slabs.h"
#include "fields/poisson_stencil.h"
#include "particles/parts.h"
#include "physics/electron.h"

/* Planes beside its own that a rank has: of charge and E, for a particle that is in the next cell, and
 * whose shape reaches one node further; of phi two more, for the stencils.
 *
 * Arrays of charge and E are as long as the whole grid, so that a place has the same node everywhere,
 * also one that has gone round a periodic axis; but only pages that are touched have memory. */
#define GUARD     3
#define GUARD_PHI (GUARD + 2)

struct wn_field_slabs {
  struct wn_electrostatic_spec spec;
  struct wn_charge_nodes nodes; /* of the whole grid */
  struct wn_grid_view grid;     /* the same, with e */
  struct wn_poisson_slabs *poisson;
  struct wn_deposit *deposit;
  int axis;
  int64_t cells, own[2];             /* along the axis; planes of this rank */
  int64_t nx, ny;                    /* nodes of a plane */
  size_t plane, padded;              /* of a plane, without and with guards */
  size_t n;                          /* of an array with guards */
  int64_t *quanta[WN_FIELD_SPECIES]; /* [n] */
  double *rho, *phi;                 /* [own][plane], [own + 2 GUARD_PHI][plane] */
  float *e;                          /* [n][stride] */
  size_t *give, *take, *next;        /* [ranks] */
  double *each;                      /* [ranks] */
  double *guards;                    /* planes of phi for others, then from them */
};

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
  const size_t of_nodes = (size_t)(planes_of(&f) + 2 * GUARD) * f.padded;
  return of_nodes *
             (spec->n_species * sizeof(int64_t) + (size_t)f.grid.stride * sizeof(float)) +
         (size_t)(2 * planes_of(&f) + 2 * GUARD_PHI) * f.plane * sizeof(double) +
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

static size_t count_guards(const struct wn_field_slabs *f);

static int allocate(struct wn_field_slabs *f)
{
  const size_t ranks = (size_t)wn_ranks();
  for (size_t k = 0; k < f->spec.n_species; k++) {
    f->quanta[k] = untouched(f->n * sizeof *f->quanta[k]);
    if (f->quanta[k] == NULL)
      return WN_ENOMEM;
  }
  f->rho = wn_alloc((size_t)planes_of(f) * f->plane, sizeof *f->rho);
  f->phi = wn_alloc((size_t)(planes_of(f) + 2 * GUARD_PHI) * f->plane, sizeof *f->phi);
  f->e = untouched(f->n * (size_t)f->grid.stride * sizeof *f->e);
  f->give = wn_alloc(ranks, sizeof *f->give);
  f->take = wn_alloc(ranks, sizeof *f->take);
  f->next = wn_alloc(ranks, sizeof *f->next);
  f->each = wn_alloc(ranks, sizeof *f->each);
  f->grid.e = f->e;
  if (f->rho == NULL || f->phi == NULL || f->e == NULL || f->give == NULL ||
      f->take == NULL || f->next == NULL || f->each == NULL)
    return WN_ENOMEM;
  f->guards = wn_alloc(count_guards(f) + 1, sizeof *f->guards);
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

/* ---- particles */

/* Place and speed along the axis; dead: it is none. */
static int is_there(const struct wn_field_slabs *f, const struct wn_particles *p,
                    size_t i, int32_t *x, float *u)
{
  if (p->record.no_t_left) {
    const union wn_word *r = wn_particles_at(p, i);
    *x = r[f->axis].i;
    *u = r[f->grid.dim + f->axis].f;
  } else {
    const struct wn_electron *e = wn_particles_at(p, i);
    *x = e->at[f->axis];
    *u = e->u[f->axis];
  }
  return !wn_particles_is_dead(p, i);
}

static int owner_of_place(const struct wn_field_slabs *f, int32_t x)
{
  const int64_t cell = x >> f->grid.bits[f->axis];
  return wn_slab_owner((size_t)f->cells, (size_t)(cell < f->cells ? cell : f->cells - 1),
                       wn_ranks());
}

/* Those that are elsewhere go to the end of the list `out`, by rank; who stays closes the gaps.  give:
 * records for each.  The dead stay. */
static void part(const struct wn_field_slabs *f, struct wn_particles *p,
                 unsigned char *out, const size_t *give)
{
  const size_t bytes = p->record.bytes;
  size_t *next = f->next, kept = 0;
  for (int r = 0; r < wn_ranks(); r++)
    next[r] = r > 0 ? next[r - 1] + give[r - 1] : 0;
  for (size_t i = 0; i < p->n; i++) {
    int32_t x;
    float u;
    const int to = is_there(f, p, i, &x, &u) ? owner_of_place(f, x) : wn_rank();
    if (to != wn_rank())
      memcpy(out + bytes * next[to]++, wn_particles_at(p, i), bytes);
    else if (kept++ < i)
      memcpy(wn_particles_at(p, kept - 1), wn_particles_at(p, i), bytes);
  }
  p->n = kept;
}

/* How many go where; whether one is too fast. */
static int count(const struct wn_field_slabs *f, const struct wn_particles *p, double dt,
                 size_t *give)
{
  const float most = (float)(2.0 * f->grid.h[f->axis] / dt);
  int fast = 0;
  memset(give, 0, (size_t)wn_ranks() * sizeof *give);
  for (size_t i = 0; i < p->n; i++) {
    int32_t x;
    float u;
    if (!is_there(f, p, i, &x, &u))
      continue;
    fast |= !(fabsf(u) <= most);
    const int to = owner_of_place(f, x);
    give[to] += to != wn_rank();
  }
  return fast;
}

static int move(const struct wn_field_slabs *f, struct wn_particles *p)
{
  const size_t words = p->record.bytes / 8, ranks = (size_t)wn_ranks();
  size_t out = 0, in = 0;
  uint64_t *all = wn_alloc(ranks * ranks, sizeof *all);
  int status = all != NULL ? WN_OK : WN_ENOMEM;
  if (wn_ranks_any(status != WN_OK)) {
    free(all);
    return wn_particles_room(status);
  }
  wn_ranks_gather(f->give, ranks * sizeof *f->give, all);
  for (size_t r = 0; r < ranks; r++) {
    f->take[r] = (size_t)all[r * ranks + (size_t)wn_rank()];
    out += f->give[r];
    in += f->take[r];
  }
  free(all);
  unsigned char *going = wn_alloc(out + 1, p->record.bytes);
  status = going != NULL ? wn_particles_reserve(p, in) : WN_ENOMEM;
  status = wn_particles_room(status);
  if (status == WN_OK) {
    wn_particles_touched(p);
    part(f, p, going, f->give);
    for (size_t r = 0; r < ranks; r++) {
      f->give[r] *= words;
      f->take[r] *= words;
    }
    wn_ranks_exchange(going, f->give, wn_particles_at(p, p->n), f->take);
    p->n += in;
  }
  free(going);
  return status;
}

int wn_field_slabs_gather(const struct wn_field_slabs *f, struct wn_particles *p,
                          double dt)
{
  size_t some = 0;
  WN_TRY(wn_particles_host(p));
  const int fast = count(f, p, dt, f->give);
  for (int r = 0; r < wn_ranks(); r++)
    some += f->give[r];
  if (wn_ranks_any(fast))
    return WN_FAIL(WN_ERUN,
                   "a particle%s crosses more than a cell along %c in half a step, which "
                   "a grid that is divided in slabs does not allow; take a shorter "
                   "plasma.time_step, or divide = \"electrons\"",
                   fast ? "" : " of another process", "xyz"[f->axis]);
  return wn_ranks_any(some > 0) ? move(f, p) : WN_OK;
}

/* ---- charge */

/* Plane a of the arrays of charge and E, -1 to cells + 1. */
static size_t at_plane(const struct wn_field_slabs *f, int64_t a)
{
  return (size_t)(a + WN_GRID_GUARD) * f->padded;
}

static int is_periodic(const struct wn_field_slabs *f)
{
  return wn_nodes_are_periodic(&f->nodes, f->axis);
}

static int64_t wrap(const struct wn_field_slabs *f, int64_t k)
{
  return (k % f->cells + f->cells) % f->cells;
}

/* The plane to which the charge of plane a belongs. */
static int64_t home_of(const struct wn_field_slabs *f, int64_t a)
{
  const int low = 2 * f->axis;
  if (is_periodic(f))
    return wrap(f, a);
  if (a >= 0 && a <= f->cells)
    return a;
  const int side = a < 0 ? low : low + 1,
            mirrors = f->grid.side[side] == WN_SIDE_REFLECT ||
                      (f->nodes.mirrors >> side & 1u) != 0;
  return a < 0 ? mirrors : f->cells - mirrors;
}

static int owner_of(const struct wn_field_slabs *f, int64_t plane)
{
  const int64_t cell = plane < f->cells ? plane : f->cells - 1;
  return wn_slab_owner((size_t)f->cells, (size_t)cell, wn_ranks());
}

/* Does rank r have plane a, within so many of its own?  *k: counted on from these beyond a periodic
 * side. */
static int is_near(const struct wn_field_slabs *f, int r, int64_t a, int64_t guard,
                   int64_t *k)
{
  int64_t own[2];
  wn_slab_planes(&f->spec.poisson, r, wn_ranks(), own);
  for (int turn = -1; turn <= 1; turn++) {
    *k = a + turn * f->cells;
    if ((turn == 0 || is_periodic(f)) && *k >= own[0] - guard && *k < own[1] + guard)
      return 1;
  }
  return 0;
}

/* Planes a of charge that rank r has. */
#define FOR_PLANES(f, r, a)                                                              \
  for (int64_t a = -WN_GRID_GUARD, k_; a <= (f)->cells + WN_GRID_GUARD; a++)             \
    if (is_near((f), (r), a, GUARD, &k_))

/* Does plane a of rank r belong to rank `of`, and not lie there? */
static int strays(const struct wn_field_slabs *f, int r, int of, int64_t a)
{
  return owner_of(f, home_of(f, a)) == of && !(home_of(f, a) == a && r == of);
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
    memcpy(to, quanta + at_plane(f, a), f->padded * sizeof *to);
    memset(quanta + at_plane(f, a), 0, f->padded * sizeof *to);
    to += f->padded;
  }
  wn_ranks_exchange(going, f->give, going + out, f->take);
  const int64_t *from = going + out;
  for (int r = 0; r < wn_ranks(); r++)
    FOR_PLANES(f, r, a)
  if (strays(f, r, wn_rank(), a)) {
    int64_t *home = quanta + at_plane(f, home_of(f, a));
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
    wn_deposit_fold(&g, f->nodes.mirrors, quanta + at_plane(f, k));
}

int wn_field_slabs_deposit(struct wn_field_slabs *f, size_t k, const struct wn_points *m,
                           const struct wn_particles *p)
{
  struct wn_deposited sum = {0};
  int64_t *quanta = f->quanta[k];
  FOR_PLANES(f, wn_rank(), a)
  memset(quanta + at_plane(f, a), 0, f->padded * sizeof *quanta);
  int status = (f->spec.electrons[k] ? wn_deposit_electrons
                                     : wn_deposit_points)(f->deposit, m, p, quanta, &sum);
  wn_i128 there = 0;
  FOR_PLANES(f, wn_rank(), a)
  for (size_t i = 0; i < f->padded; i++)
    there += quanta[at_plane(f, a) + i];
  if (status == WN_OK && there != sum.quanta)
    status = WN_FAIL(WN_ERUN,
                     "the charge of species %zu (from 0) on the grid is that of %.9g "
                     "particles, but %" PRIu64
                     " particles have that of %.9g: this is a bug, or memory has failed",
                     k, (double)there / (double)WN_QUANTA, sum.n,
                     (double)sum.quanta / (double)WN_QUANTA);
  if (wn_ranks_any(status != WN_OK))
    return status != WN_OK ? status
                           : WN_FAIL(WN_ERUN, "the charge of another process failed");
  WN_TRY(send_strays(f, quanta));
  fold_planes(f, quanta);
  return WN_OK;
}

/* ---- rho, phi, E */

/* Node (x, y) of plane k along all axes. */
static void place_of(const struct wn_field_slabs *f, int64_t x, int64_t y, int64_t k,
                     int64_t at[3])
{
  at[0] = f->axis == 0 ? k : x;
  at[1] = f->axis == 1 ? k : y;
  at[2] = k;
}

/* Part of a cell's volume that a node has; 0 of what is a copy. */
static double part_of(const struct wn_field_slabs *f, const int64_t at[3])
{
  double of_cell = 1.0;
  for (int d = 0; d < f->grid.dim; d++) {
    of_cell *= wn_nodes_is_end(&f->nodes, d, at[d]) ? 0.5 : 1.0;
    of_cell *= wn_nodes_is_copy(&f->nodes, d, at[d]) ? 0.0 : 1.0;
  }
  return of_cell;
}

/* Where the quanta of node (x, y) of plane k are: a copy has those of the first. */
static size_t quanta_at(const struct wn_field_slabs *f, int64_t x, int64_t y, int64_t k)
{
  const int copy_x = f->axis > 0 && wn_nodes_is_copy(&f->nodes, 0, x),
            copy_y = f->axis > 1 && wn_nodes_is_copy(&f->nodes, 1, y);
  size_t i = at_plane(f, k);
  if (f->axis > 0)
    i += (size_t)((copy_x ? 0 : x) + WN_GRID_GUARD);
  if (f->axis > 1)
    i += (size_t)(((copy_y ? 0 : y) + WN_GRID_GUARD) * f->grid.step[1]);
  return i;
}

/* Particles of weight 1 per volume that a quantum at a node is. */
static double per_volume(const struct wn_field_slabs *f, int64_t x, int64_t y, int64_t k)
{
  int64_t at[3];
  double halves = 1.0;
  place_of(f, x, y, k, at);
  for (int d = 0; d < f->grid.dim; d++)
    halves *= wn_nodes_is_end(&f->nodes, d, at[d]) ? 0.5 : 1.0;
  return 1.0 / (WN_QUANTA * wn_nodes_cell(&f->grid) * halves);
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
    f->rho[i] = rho * per_volume(f, x, y, k);
    int64_t at[3];
    place_of(f, x, y, k, at);
    total += f->rho[i] * part_of(f, at);
    volume += part_of(f, at);
  }
  if (isnan(*background))
    *background = -of_all(f, total) / of_all(f, volume);
  FOR_NODES(f, i) f->rho[i] += *background;
}

/* Plane k of phi, also one beyond a periodic side. */
static double *phi_of(const struct wn_field_slabs *f, int64_t k)
{
  return f->phi + (k - f->own[0] + GUARD_PHI) * (int64_t)f->plane;
}

/* Does rank r have plane k as a guard, from rank `of`? */
static int is_guard(const struct wn_field_slabs *f, int r, int of, int64_t k)
{
  int64_t own[2];
  wn_slab_planes(&f->spec.poisson, r, wn_ranks(), own);
  if ((k >= own[0] && k < own[1]) || (!is_periodic(f) && (k < 0 || k > f->cells)))
    return 0;
  return owner_of(f, is_periodic(f) ? wrap(f, k) : k) == of;
}

static int64_t guards_from(const struct wn_field_slabs *f, int r, int end)
{
  int64_t own[2];
  wn_slab_planes(&f->spec.poisson, r, wn_ranks(), own);
  return end ? own[1] + GUARD_PHI : own[0] - GUARD_PHI;
}

#define FOR_GUARDS(f, r, of, k)                                                          \
  for (int64_t k = guards_from((f), (r), 0); k < guards_from((f), (r), 1); k++)          \
    if (is_guard((f), (r), (of), k))

/* give and take, in doubles; returns how many these are. */
static size_t count_guards(const struct wn_field_slabs *f)
{
  size_t all = 0;
  for (int r = 0; r < wn_ranks(); r++) {
    f->give[r] = f->take[r] = 0;
    FOR_GUARDS(f, r, wn_rank(), k) f->give[r] += f->plane;
    FOR_GUARDS(f, wn_rank(), r, k) f->take[r] += f->plane;
    all += f->give[r] + f->take[r];
  }
  return all;
}

static void exchange_phi(struct wn_field_slabs *f)
{
  double *to = f->guards;
  count_guards(f);
  for (int r = 0; r < wn_ranks(); r++)
    FOR_GUARDS(f, r, wn_rank(), k)
    {
      const int64_t home = is_periodic(f) ? wrap(f, k) : k;
      memcpy(to, phi_of(f, home), f->plane * sizeof *to);
      to += f->plane;
    }
  const double *from = to;
  wn_ranks_exchange(f->guards, f->give, to, f->take);
  for (int r = 0; r < wn_ranks(); r++)
    FOR_GUARDS(f, wn_rank(), r, k)
    {
      memcpy(phi_of(f, k), from, f->plane * sizeof *from);
      from += f->plane;
    }
}

/* E along c where a node, or guard, at n along all axes takes it from: as the kernels of
 * fields/electrostatic_gpu.cu. */
static double component(const struct wn_field_slabs *f, int c, const int64_t n[3],
                        int staggered)
{
  const struct wn_charge_nodes *nodes = &f->nodes;
  const int64_t step[3] = {f->axis == 0 ? (int64_t)f->plane : 1,
                           f->axis == 1 ? (int64_t)f->plane : f->nx, (int64_t)f->plane};
  int64_t at[3] = {0, 0, 0}, offset = 0;
  int sign = 1;
  for (int d = 0; d < f->grid.dim; d++) {
    int turned = 1;
    WN_ASSERT(f->grid.cells[d] > 0 && nodes->grid.cells[d] > 0);
    const int wraps = d == f->axis && is_periodic(f); /* the guards have it */
    at[d] = wraps ? n[d] : wn_nodes_beyond(nodes, d, n[d], staggered && d == c, &turned);
    sign = d == c ? turned : sign;
    if (d != c)
      offset += at[d] * step[d];
  }
  const double *line = phi_of(f, 0) + offset; /* of its node 0, which may be elsewhere */
  if (c == f->axis && is_periodic(f)) {
    const double w = staggered ? f->grid.per_h[c] : 0.5 * f->grid.per_h[c];
    return w * (line[(at[c] - !staggered) * step[c]] - line[(at[c] + 1) * step[c]]);
  }
  const struct wn_poisson_stencil s =
      wn_poisson_stencil_at(f->grid.cells[c], f->grid.per_h[c], nodes->side[2 * c],
                            nodes->side[2 * c + 1], staggered, at[c]);
  return sign * wn_poisson_stencil_of(&s, step[c], line);
}

/* Is node i along axis d, and what lies beside it, neither a side nor beyond one? */
static int is_inner(const struct wn_field_slabs *f, int d, int64_t i)
{
  return (d == f->axis && is_periodic(f)) || (i > 0 && i < f->grid.cells[d]);
}

/* The inner nodes of a row, as most are: component() of them. */
static void inner_row(const struct wn_field_slabs *f, int64_t y, int64_t k, int staggered,
                      float *to)
{
  const int dim = f->grid.dim;
  const int64_t step[3] = {1, dim > 2 ? f->nx : (int64_t)f->plane, (int64_t)f->plane};
  const double *row = phi_of(f, k) + (dim > 2 ? y * f->nx : 0);
  for (int c = 0; c < dim; c++) {
    const double w = staggered ? f->grid.per_h[c] : 0.5 * f->grid.per_h[c];
    const double *low = staggered ? row : row - step[c], *high = row + step[c];
    float *of = to + WN_GRID_GUARD * f->grid.stride + c;
    for (int64_t x = 1; x < f->nx - 1; x++)
      of[x * f->grid.stride] = (float)(w * low[x] + -w * high[x]);
  }
}

/* To the particles: all nodes that this rank has, guards too. */
static void make_e(struct wn_field_slabs *f)
{
  const int staggered = f->grid.gather == WN_GATHER_ENERGY, dim = f->grid.dim;
  const int64_t pad = WN_GRID_GUARD, wide_x = f->axis > 0 ? f->nx + 2 * pad : 1,
                wide_y = f->axis > 1 ? f->ny + 2 * pad : 1;
  for (int64_t a = -pad, k; a <= f->cells + pad; a++) {
    float *to = f->e + at_plane(f, a) * (size_t)f->grid.stride;
    if (!is_near(f, wn_rank(), a, GUARD, &k))
      continue;
    for (int64_t y = 0; y < wide_y; y++) {
      const int inner =
          dim > 1 && is_inner(f, f->axis, k) && (dim < 3 || is_inner(f, 1, y - pad));
      if (inner)
        inner_row(f, y - pad, k, staggered, to);
      for (int64_t x = 0; x < wide_x; x++, to += f->grid.stride) {
        int64_t at[3];
        if (inner && x - pad > 0 && x - pad < f->nx - 1)
          continue;
        place_of(f, x - pad, y - pad, k, at);
        for (int c = 0; c < dim; c++)
          to[c] = (float)component(f, c, at, staggered);
      }
    }
  }
}

void wn_field_slabs_solve(struct wn_field_slabs *f, double *background,
                          const double volt[6])
{
  make_charge(f, background);
  wn_poisson_slabs_solve(f->poisson, f->rho, volt, phi_of(f, f->own[0]));
  exchange_phi(f);
  make_e(f);
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
  if (is_periodic(f))
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
  memcpy(own_part(f, phi), phi_of(f, f->own[0]),
         (size_t)planes_of(f) * f->plane * sizeof *phi);
  bring_together(f, phi);
}

void wn_field_slabs_e(const struct wn_field_slabs *f, int d, double *e)
{
  double *own = own_part(f, e);
  FOR_NODES(f, i)
  {
    int64_t at[3];
    place_of(f, x, y, k, at);
    own[i] = component(f, d, at, 0);
  }
  bring_together(f, e);
}

void wn_field_slabs_density(const struct wn_field_slabs *f, size_t species, double *n)
{
  double *own = own_part(f, n);
  FOR_NODES(f, i)
  own[i] = (double)f->quanta[species][quanta_at(f, x, y, k)] * per_volume(f, x, y, k);
  bring_together(f, n);
}
