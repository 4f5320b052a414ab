/* device/store.cu - the particles of one species on the device: memory that grows in
 * place, and the copies to the host and back. */
#include "device/tiles.cuh"
#include <stdlib.h>
#include "base/alloc.h"

/* Growth of the store: doubled up to DOUBLED particles, then by a part of it, so that the
 * memory stays within 5 % of the need (wn_gpu_forecast); but at once to the expected need
 * of a step.  Each growth costs a launch, which reads all particles. */
#define DOUBLED   ((size_t)8 << 20)
#define STEP_PART 20
/* Left free when the store takes all other memory: temporary memory of the compaction,
 * and allocations of CUDA itself. */
#define KEEP_FREE(total) (((size_t)64 << 20) + (total) / 512)

/* ---- life */

static int create(struct wn_gpu *g, struct wn_gpu_store *t)
{
  void *memory = NULL;
  size_t available, total;
  WN_TRY(wn_gpu_check((int)cudaMemGetInfo(&available, &total), "size of its memory"));
  WN_TRY(wn_gpu_array(g, "counts of the living", 3, &t->count));
  WN_TRY(wn_gpu_pinned("counts of the living", 2 * sizeof *t->host_count, &memory));
  t->host_count = (unsigned long long *)memory;
  return wn_gpu_addresses(g, "addresses for the electrons", total, &t->addresses);
}

static void destroy(void *remote)
{
  struct wn_gpu_store *t = (struct wn_gpu_store *)remote;
  struct wn_gpu *g = t->gpu;
  if (wn_gpu_works(g)) {
    /* last chance to verify the last compaction; an error is logged */
    (void)wn_gpu_store_settle(t);
    wn_gpu_release(g, t->select, t->select_bytes);
    wn_gpu_release(g, t->other, t->other_bytes);
    wn_gpu_charge_free(t);
    wn_gpu_release(g, t->count, 3 * sizeof *t->count);
    wn_gpu_leavers_free(t);
    wn_gpu_release(g, t->ten.sum, t->ten.bytes);
    wn_gpu_release(g, t->late, t->n_late * sizeof *t->late);
    wn_gpu_release(g, t->grave, 3 * t->dead_list * sizeof *t->grave);
    wn_gpu_release_pinned(t->host_count);
    wn_gpu_tiles_free(g, t->tiles);
  } else {
    wn_gpu_tiles_free(NULL, t->tiles);
  }
  wn_gpu_addresses_free(&t->addresses);
  free(t);
}

/* ---- room */

/* Map `bytes` more at the end of the store; *enough = 0 when the device lacks the
 * memory. */
static int map_more(struct wn_gpu_store *t, size_t bytes, int *enough)
{
  return wn_gpu_addresses_map(&t->addresses, "memory for the electrons",
                              t->addresses.memory, bytes, enough);
}

/* Bytes of a store with room for n particles. */
static size_t bytes_for(const struct wn_gpu_store *t, size_t n, double newborns)
{
  size_t places = n + wn_gpu_reserve(t->gpu->multiprocessors, newborns);
  return wn_gpu_round(places * t->record.bytes, t->addresses.page);
}

/* The largest number of particles that fits, up to limit. */
static void set_room(struct wn_gpu_store *t, size_t limit, double newborns)
{
  t->hard = wn_gpu_records_bytes(t) / t->record.bytes;
  size_t reserve = wn_gpu_reserve(t->gpu->multiprocessors, newborns),
         fits = t->hard > reserve ? t->hard - reserve : 0;
  t->room = fits < limit ? fits : limit;
}

/* Bytes that the store could grow to. */
static int room_there(const struct wn_gpu_store *t, size_t *there)
{
  size_t available, total;
  WN_TRY(wn_gpu_check((int)cudaMemGetInfo(&available, &total), "size of its memory"));
  available = available > KEEP_FREE(total) ? available - KEEP_FREE(total) : 0;
  *there = t->addresses.memory + available / t->addresses.page * t->addresses.page;
  *there = *there < t->addresses.bytes ? *there : t->addresses.bytes;
  return WN_OK;
}

/* ---- the second buffer */

int wn_gpu_store_other(struct wn_gpu_store *t, size_t n, void **out)
{
  const size_t bytes =
      wn_gpu_round((n + wn_gpu_reserve(t->gpu->multiprocessors, 0.0)) * t->record.bytes,
                   t->addresses.page);
  if (t->is_other) {
    *out = (void *)t->addresses.base;
    return WN_OK;
  }
  if (bytes > t->other_bytes) {
    unsigned char *memory = NULL;
    wn_gpu_release(t->gpu, t->other, t->other_bytes);
    t->other = NULL;
    t->other_bytes = 0;
    WN_TRY(wn_gpu_array(t->gpu, "order of the particles", bytes, &memory));
    t->other = memory;
    t->other_bytes = bytes;
  }
  *out = t->other;
  return WN_OK;
}

void wn_gpu_store_turn(struct wn_gpu_store *t)
{
  t->is_other = !t->is_other;
}

void wn_gpu_store_forget(struct wn_gpu_store *t)
{
  t->user = NULL;
  t->charge_dt = 0.0;
  t->ten.is_known = 0;
  t->knows_leavers = 0;
  t->dead += t->in_order_dead;
  t->in_order_dead = 0;
  if (t->tiles != NULL)
    t->tiles->n = 0;
}

/* All records, whatever their number, from the second buffer to the first, which is never
 * smaller than their memory when they left it. */
static int come_back(struct wn_gpu_store *t)
{
  const size_t bytes =
      t->other_bytes < t->addresses.memory ? t->other_bytes : t->addresses.memory;
  t->is_other = 0;
  return wn_gpu_check((int)cudaMemcpyAsync(wn_gpu_records(t), t->other, bytes,
                                           cudaMemcpyDeviceToDevice, t->gpu->stream),
                      "moving the particles");
}

/* As wn_gpu_store_fit; also for `expected`, if larger and if there is memory. */
static int fit(struct wn_gpu_store *t, size_t need, size_t expected, size_t limit,
               double newborns, int *enough)
{
  *enough = 1;
  set_room(t, limit, newborns);
  if (t->addresses.memory > 0 && t->room >= need)
    return WN_OK;
  if (t->is_other) /* the first buffer is the one that grows */
    WN_TRY(come_back(t));
  set_room(t, limit, newborns);
  if (t->addresses.memory > 0 && t->room >= need)
    return WN_OK;
  const size_t doubled = wn_gpu_round(DOUBLED * t->record.bytes, t->addresses.page);
  size_t least = bytes_for(t, need, newborns), most = bytes_for(t, limit, newborns),
         want = t->addresses.memory, there;
  if (want == 0)
    want = least;
  else if (want < doubled)
    want = 2 * want < doubled ? 2 * want : doubled;
  else
    want += want / STEP_PART / t->addresses.page * t->addresses.page;
  const size_t foreseen = bytes_for(t, expected, newborns);
  want = want > foreseen ? want : foreseen;
  want = want < most ? want : most;
  want = want > least ? want : least;
  WN_TRY(room_there(t, &there));
  if (want > there && t->gpu->order != NULL) { /* reordering works without it */
    wn_gpu_sort_free(t->gpu);
    WN_TRY(room_there(t, &there));
  }
  if (least > there) {
    *enough = 0;
    return WN_OK;
  }
  want = want < there ? want : there;
  /* free memory may be taken before it is mapped */
  WN_TRY(map_more(t, want - t->addresses.memory, enough));
  if (!*enough && want > least)
    WN_TRY(map_more(t, least - t->addresses.memory, enough));
  set_room(t, limit, newborns);
  return WN_OK;
}

int wn_gpu_store_fit(struct wn_gpu_store *t, size_t need, size_t limit, double newborns,
                     int *enough)
{
  return fit(t, need, need, limit, newborns, enough);
}

int wn_gpu_store_grow(struct wn_gpu_store *t, size_t n, size_t expected, size_t limit,
                      double newborns)
{
  size_t need = n + 1, available = 0, total = 0;
  int enough;
  if (n >= limit)
    return WN_FAIL(WN_EFULL,
                   "the store is full: with the newborns there are %zu particles, but "
                   "population.capacity is %zu",
                   n, limit);
  expected = expected < limit ? expected : limit;
  WN_TRY(fit(t, need, expected, limit, newborns, &enough));
  if (enough)
    return WN_OK;
  WN_TRY(wn_gpu_check((int)cudaMemGetInfo(&available, &total), "size of its memory"));
  return WN_FAIL(
      WN_EFULL,
      "the store is full: %zu particles take %.3f GiB of the GPU's %.3f GiB of "
      "memory, %.3f GiB are free",
      n, (double)t->addresses.memory / WN_GPU_GIB, (double)total / WN_GPU_GIB,
      (double)available / WN_GPU_GIB);
}

/* ---- to the device and back */

static size_t count_dead(const struct wn_particles *p)
{
  size_t dead = 0;
  for (size_t i = 0; i < p->n; i++)
    dead += (size_t)wn_particles_is_dead(p, i);
  return dead;
}

static int upload(struct wn_gpu_store *t, const struct wn_particles *p)
{
  const struct wn_gpu *g = t->gpu;
  WN_TRY(
      wn_gpu_check((int)cudaMemcpyAsync(wn_gpu_records(t), p->e, p->n * p->record.bytes,
                                        cudaMemcpyHostToDevice, g->stream),
                   "copying electrons to the device"));
  t->dead = count_dead(p);
  t->known = 0;
  /* the caller may change p->e as soon as this returns */
  return wn_gpu_wait(g, "copying electrons to the device");
}

/* Bring p from a store on another GPU to the host. */
static int leave_others(const struct wn_gpu *g, struct wn_particles *p)
{
  if (p->remote == NULL || wn_gpu_store_of(g, p) != NULL)
    return WN_OK;
  WN_TRY(wn_particles_host(p));
  p->remote_ops->free(p->remote);
  p->remote = NULL;
  p->remote_ops = NULL;
  return WN_OK;
}

static int make_store(struct wn_gpu *g, struct wn_particles *p)
{
  struct wn_gpu_store *t = (struct wn_gpu_store *)wn_alloc(1, sizeof *t);
  if (t == NULL)
    return WN_ENOMEM;
  t->gpu = g;
  int status = create(g, t);
  if (status != WN_OK) {
    destroy(t);
    return status;
  }
  p->remote = t;
  p->remote_ops = &wn_gpu_remote_ops;
  return WN_OK;
}

/* Room for all particles of p, and for their newborns. */
static int room_for_all(struct wn_gpu_store *t, const struct wn_particles *p,
                        double newborns)
{
  const size_t limit = p->limit > p->n ? p->limit : p->n;
  size_t available = 0, total = 0;
  int enough;
  WN_TRY(wn_gpu_store_fit(t, p->n, limit, newborns, &enough));
  if (enough)
    return WN_OK;
  WN_TRY(wn_gpu_check((int)cudaMemGetInfo(&available, &total), "size of its memory"));
  return WN_FAIL(WN_ENOMEM,
                 "%zu electrons of %zu bytes do not fit on GPU %d: %.3f GiB of %.3f are "
                 "free",
                 p->n, p->record.bytes, t->gpu->index, (double)available / WN_GPU_GIB,
                 (double)total / WN_GPU_GIB);
}

int wn_gpu_hold(struct wn_gpu *g, struct wn_particles *p, double newborns)
{
  if (p->n == 0)
    return WN_OK;
  WN_TRY(leave_others(g, p));
  WN_TRY(wn_gpu_use(g)); /* the other store may be on another device */
  if (p->remote == NULL)
    WN_TRY(make_store(g, p));
  struct wn_gpu_store *t = (struct wn_gpu_store *)p->remote;
  if (p->place == WN_PARTICLES_HOST) { /* the former contents are not needed */
    t->record = p->record;
    t->is_other = 0;
    wn_gpu_store_forget(t);
  }
  WN_TRY(room_for_all(t, p, newborns));
  if (p->place != WN_PARTICLES_HOST)
    return WN_OK;
  WN_TRY(upload(t, p));
  p->place = WN_PARTICLES_BOTH;
  return WN_OK;
}

/* An empty store. */
static int hold_nobody(struct wn_gpu *g, struct wn_particles *p)
{
  WN_TRY(leave_others(g, p));
  WN_TRY(wn_gpu_use(g));
  if (p->remote == NULL)
    WN_TRY(make_store(g, p));
  struct wn_gpu_store *t = (struct wn_gpu_store *)p->remote;
  t->record = p->record;
  t->is_other = 0;
  t->dead = t->known = t->in_order_dead = 0;
  t->charge_dt = 0.0;
  p->place = WN_PARTICLES_REMOTE;
  return WN_OK;
}

int wn_gpu_store_begin(struct wn_gpu *g, struct wn_particles *p, size_t n)
{
  if (n > p->limit)
    return WN_FAIL(WN_EFULL,
                   "the store is full: %zu electrons, but population.capacity is %zu; "
                   "raise it",
                   n, p->limit);
  WN_TRY(hold_nobody(g, p));
  struct wn_gpu_store *t = (struct wn_gpu_store *)p->remote;
  wn_gpu_store_forget(t);
  p->n = n;
  const int status = room_for_all(t, p, 0.0);
  if (status != WN_OK)
    p->n = 0;
  return status;
}

int wn_gpu_make_room_in_order(struct wn_gpu *g, struct wn_particles *p, size_t n)
{
  int enough;
  if (n > p->limit || p->n > p->limit - n)
    return WN_FAIL(WN_EFULL,
                   "the store is full: %zu particles and %zu more, but "
                   "population.capacity is %zu; raise it, or shorten the run",
                   p->n, n, p->limit);
  WN_TRY(p->n > 0 ? wn_gpu_hold(g, p, 0.0) : hold_nobody(g, p));
  struct wn_gpu_store *t = (struct wn_gpu_store *)p->remote;
  WN_TRY(wn_gpu_store_fit(t, p->n + n, p->limit, 0.0, &enough));
  if (!enough)
    return WN_FAIL(WN_EFULL,
                   "the store is full: it holds %zu particles and there is no GPU memory "
                   "for %zu more; shorten the run, or take a GPU with more memory",
                   p->n, n);
  return WN_OK;
}

int wn_gpu_make_room(struct wn_gpu *g, struct wn_particles *p, size_t n)
{
  WN_TRY(wn_gpu_make_room_in_order(g, p, n));
  struct wn_gpu_store *t = (struct wn_gpu_store *)p->remote;
  if (t->record.no_t_left)
    wn_gpu_store_forget(t);
  return WN_OK;
}

int wn_gpu_append(struct wn_gpu *g, struct wn_particles *p, const void *e, size_t n)
{
  if (n == 0)
    return WN_OK;
  WN_TRY(wn_gpu_make_room(g, p, n));
  struct wn_gpu_store *t = (struct wn_gpu_store *)p->remote;
  WN_TRY(wn_gpu_check(
      (int)cudaMemcpyAsync((unsigned char *)wn_gpu_records(t) + p->n * p->record.bytes, e,
                           n * p->record.bytes, cudaMemcpyHostToDevice, g->stream),
      "copying particles to the device"));
  WN_TRY(wn_gpu_charge_join(t, p->n, n));
  p->n += n;
  p->place = WN_PARTICLES_REMOTE;
  return wn_gpu_wait(g, "copying particles to the device"); /* e is the caller's */
}

static int to_host(void *remote, struct wn_particles *p)
{
  struct wn_gpu_store *t = (struct wn_gpu_store *)remote;
  const struct wn_gpu *g = t->gpu;
  WN_TRY(wn_gpu_use(g));
  if (t->in_order_dead > 0) { /* the host does not count these */
    wn_gpu_store_forget(t);
    WN_TRY(wn_gpu_compact_store(t, p));
  }
  if (p->n > p->capacity) {
    /* may exceed p->limit: includes what was born when the store was found full */
    unsigned char *e = (unsigned char *)wn_alloc_aligned_unset(p->n, p->record.bytes, 64);
    if (e == NULL)
      return WN_ENOMEM;
    free(p->e);
    p->e = e;
    p->capacity = p->n;
  }
  if (p->n > 0)
    WN_TRY(
        wn_gpu_check((int)cudaMemcpyAsync(p->e, wn_gpu_records(t), p->n * p->record.bytes,
                                          cudaMemcpyDeviceToHost, g->stream),
                     "copying electrons to the host"));
  WN_TRY(wn_gpu_wait(g, "copying electrons to the host"));
  return wn_gpu_store_settle(t);
}

static size_t kept_dead(const void *remote)
{
  return ((const struct wn_gpu_store *)remote)->in_order_dead;
}

const struct wn_particles_remote_ops wn_gpu_remote_ops = {to_host,
                                                          wn_gpu_compact_store,
                                                          kept_dead,
                                                          wn_gpu_sample,
                                                          wn_gpu_sample_late,
                                                          wn_gpu_bring_late,
                                                          wn_gpu_change,
                                                          wn_gpu_room_for_nodes,
                                                          wn_gpu_sum_at_nodes,
                                                          wn_gpu_largest_velocity,
                                                          wn_gpu_expect_at_nodes,
                                                          destroy};
