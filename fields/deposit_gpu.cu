/* fields/deposit_gpu.cu - see deposit_gpu.h: choice of the variant, and its order. */
#include "device/batches.cuh"
#include "fields/deposit_gpu.cuh"

/* For an order made here: points of a chunk, for which a window is written out once; and
 * cells of a tile along each of three axes, more than those of the scheduler `tiles`, as
 * E needs no memory here.  One and two axes: as there. */
#define CHUNK     16384
#define TILE_OF_3 8
/* auto uses a private grid from this number of points per node of all copies on. */
#define POINTS_OF_COPY 0.25

/* Whether the chunks have each point once; its present place does not matter for that. */
static bool is_in_order(const struct wn_gpu_store *t, const struct wn_particles *p)
{
  return t->tiles != NULL && t->tiles->n == p->n && p->n > 0;
}

/* Whether n particles are enough for private grids. */
static bool are_for_private(struct wn_gpu *g, const struct wn_points *m, size_t n)
{
  const size_t nodes = m->grid.is_radial ? 0 : wn_deposit_gpu_private_nodes(g, m);
  const double copies = (double)nodes * (double)g->multiprocessors;
  return nodes > 0 && (double)n >= POINTS_OF_COPY * copies;
}

static enum wn_deposit_gpu choose(struct wn_gpu *g, const struct wn_gpu_store *t,
                                  const struct wn_points *m, const struct wn_particles *p,
                                  size_t first)
{
  if (are_for_private(g, m, p->n - first))
    return WN_DEPOSIT_PRIVATE;
  /* a scheduler keeps the order */
  return first == 0 && is_in_order(t, p) && t->user != NULL ? WN_DEPOSIT_TILE
                                                            : WN_DEPOSIT_AGGREGATE;
}

static int make_order(struct wn_gpu_store *t, const struct wn_points *m,
                      struct wn_particles *p)
{
  const int32_t cells = m->grid.dim == 3 ? TILE_OF_3 : 0;
  const struct wn_gpu_tile_options order = {{cells, cells, cells}, CHUNK};
  const size_t dead = t->dead + t->in_order_dead;
  WN_TRY(wn_gpu_tiles_sort(t, p, m, &order, WN_GPU_SORT_COUNTING, dead));
  t->dead = t->in_order_dead = 0;
  t->user = NULL; /* schedulers make their own tiles */
  return WN_OK;
}

/* Records in any order, which stay where they are. */
static int deposit(struct wn_gpu *g, enum wn_deposit_gpu way, const struct wn_points *m,
                   const void *records, size_t n, int64_t *quanta, uint64_t *misfits)
{
  const size_t bytes = wn_particles_points(m->kind).bytes;
  struct wn_deposit_job job = {NULL, 0, (unsigned long long *)quanta,
                               (unsigned long long *)misfits};
  for (size_t i = 0; i < n; i += WN_DEPOSIT_MOST) {
    job.records = (const char *)records + i * bytes;
    job.n = n - i < WN_DEPOSIT_MOST ? n - i : WN_DEPOSIT_MOST;
    WN_TRY(m->grid.is_radial           ? wn_deposit_gpu_radial(g, way, m, &job)
           : way == WN_DEPOSIT_PRIVATE ? wn_deposit_gpu_private(g, m, &job)
                                       : wn_deposit_gpu_grid(g, way, m, &job));
  }
  return WN_OK;
}

/* A segment at a time. */
static int deposit_batches(struct wn_gpu *g, enum wn_deposit_gpu way,
                           const struct wn_points *m, struct wn_particles *p,
                           size_t first, int64_t *quanta, uint64_t *misfits)
{
  if (way == WN_DEPOSIT_TILE)
    return WN_FAIL(WN_EINTERN, "particles in batches have no order by tiles");
  return wn_gpu_batches_visit(g, p, first, WN_BATCH_READS,
                              [&](const void *records, size_t, size_t n) {
                                const enum wn_deposit_gpu chosen =
                                    way != WN_DEPOSIT_AUTO     ? way
                                    : are_for_private(g, m, n) ? WN_DEPOSIT_PRIVATE
                                                               : WN_DEPOSIT_AGGREGATE;
                                return deposit(g, chosen, m, records, n, quanta, misfits);
                              });
}

int wn_deposit_gpu_points(struct wn_gpu *g, enum wn_deposit_gpu way,
                          const struct wn_points *m, struct wn_particles *p, size_t first,
                          int64_t *quanta, uint64_t *misfits)
{
  struct wn_gpu_store *t = wn_gpu_store_of(g, p);
  if (p->n <= first)
    return WN_OK;
  if (m->grid.is_radial && (way == WN_DEPOSIT_PRIVATE || way == WN_DEPOSIT_TILE))
    return WN_FAIL(WN_EINTERN, "in r-z charge is deposited without windows");
  WN_ASSERT(first == 0 || way != WN_DEPOSIT_TILE);
  WN_ASSERT(p->record.bytes == wn_particles_points(m->kind).bytes);
  WN_ASSERT(m->grid.dim == wn_point_dim(m->kind));
  if (wn_gpu_is_in_batches(g, p))
    return deposit_batches(g, way, m, p, first, quanta, misfits);
  if (t == NULL || p->place == WN_PARTICLES_HOST)
    return WN_FAIL(WN_EINTERN, "charge of particles on a GPU that does not hold them");
  WN_TRY(wn_gpu_use(g));
  if (way == WN_DEPOSIT_AUTO && first == 0) {
    int is_known; /* left by the scheduler `tiles` */
    WN_TRY(wn_gpu_charge_take(t, m, quanta, misfits, &is_known));
    if (is_known)
      return WN_OK;
  }
  if (way == WN_DEPOSIT_AUTO)
    way = choose(g, t, m, p, first);
  if (way == WN_DEPOSIT_TILE && !is_in_order(t, p))
    WN_TRY(make_order(t, m, p));
  if (way == WN_DEPOSIT_TILE) {
    const struct wn_deposit_job job = {wn_gpu_records(t), p->n,
                                       (unsigned long long *)quanta,
                                       (unsigned long long *)misfits};
    return p->n > 0 ? wn_deposit_gpu_tile(g, m, &job, t->tiles) : (int)WN_OK;
  }
  return deposit(g, way, m, (const char *)wn_gpu_records(t) + first * t->record.bytes,
                 p->n - first, quanta, misfits);
}
