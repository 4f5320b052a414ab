/* schedulers/gpu/gpu_scheduler.cu - host side of the GPU schedulers, as far as all share
 * it: creation, data on the device, and a step.  Each scheduler adds the kernel that its
 * kind launches. */
#include "schedulers/gpu/gpu_scheduler.cuh"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "schedulers/gpu/model_ops.cuh"
#include "schedulers/gpu/collision_free.cuh"

static_assert(sizeof(struct wn_gpu_work) <= WN_GPU_ALIGN, "the sums begin behind it");
/* kernels count alarms in the same place as the other counters */
static_assert(offsetof(struct wn_gpu_work, max_energy) -
                          offsetof(struct wn_gpu_work, violations) ==
                      offsetof(struct wn_tally_alarms, max_energy_ev) &&
                  offsetof(struct wn_gpu_work, violator) -
                          offsetof(struct wn_gpu_work, violations) ==
                      offsetof(struct wn_tally_alarms, violator) &&
                  offsetof(struct wn_gpu_work, beyond) -
                          offsetof(struct wn_gpu_work, violations) ==
                      offsetof(struct wn_tally_alarms, n_beyond),
              "the alarms of a tally are part of the counters");

/* ---- creation and destruction */

static int set_up(struct wn_scheduler *s)
{
  struct wn_gpu *g = s->gpu;
  const size_t bytes = wn_gpu_result_bytes(s->n_cells);
  void *memory = NULL;
  WN_TRY(wn_gpu_use(g));
  if (s->kind->cooperative && !g->cooperative)
    return WN_FAIL(WN_EINPUT,
                   "scheduler `%s` waits inside a kernel, for which GPU %d cannot "
                   "promise that all blocks run at once (no cooperative launch); take "
                   "another scheduler",
                   s->kind->name, g->index);
  WN_TRY(wn_gpu_cells_fit(g, wn_gpu_sum_bytes(s->n_cells)));
  WN_TRY(wn_gpu_array(g, "counters", WN_GPU_ALIGN, &s->result));
  /* all bytes are copied to the host after a step, including the gap behind the
   * counters */
  WN_TRY(wn_gpu_check((int)cudaMemsetAsync(s->result, 0, WN_GPU_ALIGN, g->stream),
                      "counters"));
  WN_TRY(wn_gpu_pinned("counters", bytes, &memory));
  s->host_result = (unsigned char *)memory;
  WN_TRY(wn_gpu_pinned("counters", sizeof *s->host_work, &memory));
  s->host_work = (struct wn_gpu_work *)memory;
  return wn_gpu_check((int)cudaEventCreateWithFlags(&s->launched, cudaEventDisableTiming),
                      "the end of a launch");
}

int wn_gpu_scheduler_create(const struct wn_gpu_kind *kind,
                            const struct wn_scheduler_options *o,
                            const struct wn_tally_shape *shape, struct wn_scheduler **out)
{
  if (o->gpu == NULL)
    return WN_FAIL(WN_EINTERN, "scheduler `%s` was given no GPU", kind->name);
  if (o->block < 0 || o->block > 1024 || o->block % 32 != 0)
    return WN_FAIL(
        WN_EINPUT,
        "blocks of %d threads are not possible on a GPU: it must be a multiple "
        "of 32 up to 1024, or 0 for the scheduler's choice",
        o->block);
  struct wn_scheduler *s = (struct wn_scheduler *)wn_alloc(1, sizeof *s);
  if (s == NULL)
    return WN_ENOMEM;
  s->kind = kind;
  s->gpu = o->gpu;
  s->block = o->block;
  s->is_collision_free = !o->no_collision_free;
  s->deferred_places = o->deferred_places;
  s->shape = *shape;
  s->n_cells = wn_gpu_cells(shape);
  int status = set_up(s);
  if (status != WN_OK) {
    wn_gpu_scheduler_free(s);
    return status;
  }
  *out = s;
  return WN_OK;
}

void wn_gpu_scheduler_free(struct wn_scheduler *s)
{
  if (s == NULL)
    return;
  struct wn_gpu *g = s->gpu;
  const int works = wn_gpu_works(g);
  for (int i = 0; i < WN_GPU_MODELS; i++)
    wn_gpu_tables_free(works ? g : NULL, &s->tables[i]);
  if (works) {
    wn_gpu_release(g, s->result, WN_GPU_ALIGN);
    wn_gpu_release(g, s->first_passage, s->n_passages * sizeof *s->first_passage);
    wn_gpu_release(g, s->list, s->n_list * sizeof *s->list);
    wn_gpu_release(g, s->deferred.lists, s->deferred.bytes);
    wn_gpu_release_pinned(s->host_result);
    wn_gpu_release_pinned(s->host_work);
    if (s->launched != NULL)
      wn_gpu_check((int)cudaEventDestroy(s->launched), "the end of a launch");
  }
  free(s);
}

int wn_gpu_scheduler_threads(const struct wn_scheduler *s)
{
  return s->gpu->multiprocessors * WN_GPU_RESIDENT;
}

/* ---- hold and gather */

/* Kernels of the model; not NULL once its particles are held. */
static const struct wn_gpu_model *passes_of(const struct wn_model *model)
{
  return model->ops->gpu;
}

int wn_gpu_scheduler_start_newborns(struct wn_scheduler *s, const struct wn_model *model,
                                    struct wn_particles *p, size_t first)
{
  if (passes_of(model)->start_newborns == NULL)
    return WN_FAIL(WN_EINTERN, "newborns of model `%s` do not wait", model->ops->name);
  s->first = first;
  if (wn_gpu_is_collision_free(s, model)) {
    p->place = WN_PARTICLES_REMOTE;
    return WN_OK;
  }
  return passes_of(model)->start_newborns(s->gpu, model, p, first);
}

static int check_record(const struct wn_model *model, const struct wn_particles *p)
{
  const struct wn_record *own = &model->ops->record;
  if (p->record.bytes != own->bytes || p->record.t_left != own->t_left)
    return WN_FAIL(WN_EINTERN, "records of %zu bytes are not those of model `%s`",
                   p->record.bytes, model->ops->name);
  return WN_OK;
}

int wn_gpu_scheduler_hold(struct wn_scheduler *s, const struct wn_model *model,
                          struct wn_particles *p)
{
  if (passes_of(model) == NULL)
    return WN_FAIL(WN_EINPUT, "model `%s` does not run on a GPU", model->ops->name);
  if (passes_of(model)->hold != NULL)
    return passes_of(model)->hold(s->gpu, model, p);
  WN_TRY(check_record(model, p));
  WN_TRY(wn_gpu_hold(s->gpu, p, wn_model_newborns(model)));
  /* first passages are with the particles, wherever these were; the array on the host is
   * up to date after every step */
  struct wn_gpu_store *t = wn_gpu_store_of(s->gpu, p);
  if (t != NULL && t->user != s) {
    s->host_first_passage = NULL;
    t->user = s;
  }
  return WN_OK;
}

/* Tables of a model: the stored ones, else the place of the oldest. */
static struct wn_gpu_tables *tables_of(struct wn_scheduler *s,
                                       const struct wn_model *model)
{
  for (int i = 0; i < WN_GPU_MODELS; i++)
    if (s->tables[i].data == model->data)
      return &s->tables[i];
  struct wn_gpu_tables *t = &s->tables[s->next_tables];
  s->next_tables = (s->next_tables + 1) % WN_GPU_MODELS;
  return t;
}

/* The model with device pointers.  Tables are compared once a step, by gather. */
static int device_model(struct wn_scheduler *s, const struct wn_model *model,
                        const struct wn_model **out)
{
  struct wn_gpu_tables *t = tables_of(s, model);
  if (t->data != model->data || (!t->is_new && s->first == 0))
    WN_TRY(wn_gpu_tables_update(s->gpu, t, model));
  return wn_gpu_tables_model(t, model, out);
}

int wn_gpu_begin_records(struct wn_scheduler *s, const struct wn_model *model,
                         struct wn_particles *p, const struct wn_model **on_device,
                         void **records)
{
  const struct wn_gpu_store *t = wn_gpu_store_of(s->gpu, p);
  struct wn_gpu_tables *tables = tables_of(s, model);
  if (t == NULL || p->place == WN_PARTICLES_HOST)
    return WN_FAIL(WN_EINTERN, "the electrons are not on the GPU");
  WN_TRY(wn_gpu_use(s->gpu));
  WN_TRY(wn_gpu_tables_update(s->gpu, tables, model));
  WN_TRY(wn_gpu_tables_model(tables, model, on_device));
  *records = wn_gpu_records(t);
  p->place = WN_PARTICLES_REMOTE;
  return WN_OK;
}

int wn_gpu_scheduler_gather(struct wn_scheduler *s, const struct wn_model *model,
                            struct wn_particles *p)
{
  const struct wn_gpu_store *t = wn_gpu_store_of(s->gpu, p);
  s->first = 0;
  s->has_launched = 0;
  s->deferred.n = 0;
  if (p->n == 0 || passes_of(model)->hold != NULL)
    return WN_OK;
  if (wn_gpu_is_collision_free(s, model)) {
    if (t == NULL || p->place == WN_PARTICLES_HOST)
      return WN_FAIL(WN_EINTERN, "the particles are not on the GPU");
    p->place = WN_PARTICLES_REMOTE;
    return wn_gpu_collision_free_sort(s, model, p);
  }
  WN_TRY(wn_gpu_sort_now_and_then(s, model, p));
  return passes_of(model)->gather(s, model, p);
}

/* ---- sums */

/* A cell can take 2^32 contributions in a launch; the factor of two allows for blocks
 * with unequal shares.  More than MOST_COPIES copies are never needed: they would hold
 * 10^13 contributions. */
#define CONTRIBUTIONS 0x1p31
#define MOST_COPIES   4096.0
/* If blocks have sums of their own in shared memory; all copies are read at the end. */
#define NEAR_COPIES 8

/* Number of copies of the cells for a step: each electron that there is room for adds
 * once per mobility step, or once per candidate. */
static int copies_of_step(struct wn_scheduler *s, const struct wn_model *m, size_t room,
                          int is_collision_free, size_t *copies)
{
  struct wn_gpu *g = s->gpu;
  double adds = (double)room * (double)m->steps * fmax(1.0, wn_model_newborns(m));
  size_t least = (size_t)fmin(ceil(adds / CONTRIBUTIONS), MOST_COPIES);
  WN_TRY(wn_gpu_cells_fit(g, least * s->n_cells * sizeof *g->cells));
  size_t most = wn_gpu_copies(g, s->n_cells);
  if (most > NEAR_COPIES && !is_collision_free && s->kind->near != NULL &&
      s->kind->near(m))
    most = NEAR_COPIES;
  *copies = most > least ? most : least;
  return WN_OK;
}

static const wn_i128 *add_cells(wn_i128 *to, const wn_i128 *from, size_t n)
{
  for (size_t i = 0; i < n; i++)
    to[i] += from[i];
  return from + n;
}

/* Add the sums of a launch, copied to the host, to the tally. */
static void collect(const struct wn_scheduler *s, const struct wn_gpu_work *w,
                    struct wn_tally *t)
{
  size_t groups = (size_t)s->shape.n_groups;
  const wn_i128 *from = (const wn_i128 *)(const void *)(s->host_result + WN_GPU_ALIGN);
  double max_energy;
  from =
      add_cells((wn_i128 *)t->group, from, groups * (sizeof *t->group / sizeof(wn_i128)));
  from = add_cells(t->count, from, groups * (size_t)s->shape.n_processes);
  from = add_cells(t->lost, from, groups * (size_t)s->shape.n_processes);
  from = add_cells(t->passed, from, wn_passed(&s->shape));
  add_cells((wn_i128 *)t->surface, from, WN_SIDES * sizeof *t->surface / sizeof(wn_i128));
  t->n_candidates += w->candidates;
  t->n_real += w->real;
  t->n_births += w->births;
  t->n_deaths += w->deaths;
  t->alarms->n_violations += w->violations;
  t->alarms->n_beyond += w->beyond;
  t->alarms->n_forbidden += w->forbidden;
  memcpy(&max_energy, &w->max_energy, sizeof max_energy);
  wn_tally_max(&t->alarms->max_energy_ev, max_energy);
  if (w->violator > t->alarms->violator)
    t->alarms->violator = w->violator;
}

/* ---- first passages */

/* During a step the array on the device is valid.  It is copied there when the particles
 * have moved (hold), or when another tally is used. */
static int passages_to_device(struct wn_scheduler *s, const struct wn_tally *t)
{
  struct wn_gpu *g = s->gpu;
  const size_t n = wn_passages(&s->shape);
  if (t->first_passage == NULL || t->first_passage == s->host_first_passage || n == 0)
    return WN_OK;
  if (n > s->n_passages) {
    wn_gpu_release(g, s->first_passage, s->n_passages * sizeof *s->first_passage);
    s->first_passage = NULL;
    s->n_passages = 0;
    WN_TRY(wn_gpu_array(g, "first passages", n, &s->first_passage));
    s->n_passages = n;
  }
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(s->first_passage, t->first_passage,
                                           n * sizeof *s->first_passage,
                                           cudaMemcpyHostToDevice, g->stream),
                      "copying first passages"));
  s->host_first_passage = t->first_passage;
  return WN_OK;
}

static int passages_to_host(struct wn_scheduler *s, struct wn_tally *t)
{
  const size_t n = wn_passages(&s->shape);
  if (t->first_passage == NULL || n == 0)
    return WN_OK;
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(t->first_passage, s->first_passage,
                                           n * sizeof *s->first_passage,
                                           cudaMemcpyDeviceToHost, s->gpu->stream),
                      "copying first passages"));
  return wn_gpu_wait(s->gpu, "copying first passages");
}

/* ---- a kernel launch, and a step of one or more */

int wn_gpu_read_work(struct wn_scheduler *s, struct wn_gpu_work *out)
{
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(s->host_work, s->result, sizeof *out,
                                           cudaMemcpyDeviceToHost, s->gpu->stream),
                      "reading the counters"));
  WN_TRY(wn_gpu_wait(s->gpu, s->kind->name));
  *out = *s->host_work;
  return WN_OK;
}

/* Reset the work queue for n electrons, with all counters at zero.  host_work is not
 * written again before the stream has been synchronised. */
static int open_queue(struct wn_scheduler *s, unsigned long long n)
{
  *s->host_work = wn_gpu_work();
  s->host_work->n = s->host_work->end = n;
  s->host_work->head = s->host_work->begin = s->first;
  return wn_gpu_check((int)cudaMemcpyAsync(s->result, s->host_work, sizeof *s->host_work,
                                           cudaMemcpyHostToDevice, s->gpu->stream),
                      "writing the counters");
}

static struct wn_gpu_launch describe(const struct wn_scheduler *s,
                                     const struct wn_gpu_store *store, size_t copies,
                                     unsigned steps, const struct wn_tally *t)
{
  const size_t groups = (size_t)s->shape.n_groups,
               processes = groups * (size_t)s->shape.n_processes;
  struct wn_gpu_launch l = {};
  l.e = wn_gpu_records(store);
  l.work = (struct wn_gpu_work *)(void *)s->result;
  l.room = store->room;
  l.hard = store->hard;
  l.tally.alarms = (struct wn_tally_alarms *)(void *)&l.work->violations;
  l.tally.group = (struct wn_tally_group *)(void *)s->gpu->cells;
  l.tally.count = s->gpu->cells + groups * (sizeof *l.tally.group / sizeof(wn_i128));
  l.tally.lost = l.tally.count + processes;
  l.tally.passed = l.tally.lost + processes;
  l.tally.surface =
      (struct wn_tally_surface *)(void *)(l.tally.passed + wn_passed(&s->shape));
  l.tally.first_passage = t->first_passage != NULL ? s->first_passage : NULL;
  l.copies = (unsigned int)copies;
  l.stride = s->n_cells;
  l.steps = (float)steps;
  return l;
}

/* Launch the scheduler's kernels for the first n electrons, and the copy of their
 * counters to the host. */
static int launch(struct wn_scheduler *s, const struct wn_model *m,
                  struct wn_gpu_store *store, size_t n, int is_collision_free,
                  const struct wn_tally *t)
{
  const struct wn_gpu *g = s->gpu;
  size_t copies;
  WN_TRY(copies_of_step(s, m, store->room, is_collision_free, &copies));
  WN_TRY(open_queue(s, n));
  const struct wn_gpu_launch l = describe(s, store, copies, m->steps, t);
  if (!is_collision_free)
    store->charge_dt = 0.0; /* other kernels do not deposit the charge */
  WN_TRY(is_collision_free ? passes_of(m)->collision_free(s, m, &l, store, n)
                           : s->kind->run(s, m, &l, n));
  WN_TRY(wn_gpu_fold_home(g, s->n_cells, copies, s->result, s->host_result));
  return wn_gpu_check((int)cudaEventRecord(s->launched, g->stream), s->kind->name);
}

/* Wait for the launch, but not for later work in the stream. */
static int wait_for_launch(struct wn_scheduler *s, struct wn_gpu_store *store,
                           struct wn_gpu_work *out)
{
  WN_TRY(wn_gpu_check((int)cudaEventSynchronize(s->launched), s->kind->name));
  WN_TRY(wn_gpu_store_settle(store));
  memcpy(out, s->host_result, sizeof *out);
  return WN_OK;
}

/* A launch to its end, with what the model notes beside it. */
static int launch_and_note(struct wn_scheduler *s, const struct wn_model *model,
                           const struct wn_model *m, struct wn_gpu_store *store, size_t n,
                           int is_collision_free, const struct wn_tally *t,
                           struct wn_gpu_work *out)
{
  const struct wn_gpu_model *of = passes_of(model);
  int again = 0;
  do {
    if (of->begin_launch != NULL)
      WN_TRY(of->begin_launch(model, store, n));
    WN_TRY(launch(s, m, store, n, is_collision_free, t));
    WN_TRY(wait_for_launch(s, store, out));
    if (of->end_launch != NULL)
      WN_TRY(of->end_launch(model, store, n, &again));
  } while (again);
  return WN_OK;
}

/* Histogram of the time left.  Reads a sector of 32 bytes of each record.  Limit: memory
 * bandwidth. */
static __global__ void left_kernel(const unsigned char *t_left, size_t n, size_t bytes,
                                   float per_step, struct wn_gpu_work *work)
{
  __shared__ unsigned int number[WN_GPU_LEFT];
  if (threadIdx.x < WN_GPU_LEFT)
    number[threadIdx.x] = 0;
  __syncthreads();
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x) {
    const float left = *(const float *)(const void *)(t_left + i * bytes) * per_step;
    if (left > 0.0f)
      atomicAdd(&number[left < 1.0f ? (int)(left * WN_GPU_LEFT) : WN_GPU_LEFT - 1], 1u);
  }
  __syncthreads();
  if (threadIdx.x < WN_GPU_LEFT && number[threadIdx.x] > 0)
    atomicAdd(&work->left[threadIdx.x], number[threadIdx.x]);
}

/* Largest predicted growth, as a multiple of the present number. */
#define MOST_GROWTH 16.0

/* Predict the number of electrons at the end of a step in which the n electrons so far
 * have filled the store.  *whole: steps to be done before launch w, counted as electrons
 * times parts of a step.  Launch w has done these and those of its newborns, less what is
 * left; a newborn had half a step to go on average.  Assume that every electron, newborns
 * included, has births at the same rate.  Then an electron with the part t of a step to
 * go becomes exp(births per step * t) electrons.  The prediction only determines how much
 * memory is mapped: no result depends on it. */
static int expect(struct wn_scheduler *s, const struct wn_gpu_store *store, size_t n,
                  unsigned steps, const struct wn_gpu_work *w, double *whole, size_t *out)
{
  const struct wn_gpu *g = s->gpu;
  struct wn_gpu_work now;
  double left = 0.0, more = 0.0;
  left_kernel<<<wn_gpu_stride_blocks(g, n), WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
      (const unsigned char *)wn_gpu_records(store) + store->record.t_left, n,
      store->record.bytes, 1.0f / (float)steps, (struct wn_gpu_work *)(void *)s->result);
  WN_TRY(wn_gpu_check((int)cudaGetLastError(), "what is left of a phase"));
  WN_TRY(wn_gpu_read_work(s, &now));
  /* electrons with a whole step to go are in the last part, others in the middle of
   * theirs */
  double part[WN_GPU_LEFT];
  for (int i = 0; i < WN_GPU_LEFT; i++) {
    part[i] = i == WN_GPU_LEFT - 1 ? 1.0 : (i + 0.5) / WN_GPU_LEFT;
    left += now.left[i] * part[i];
  }
  const double born = (double)w->births, done = *whole + 0.5 * born - left;
  *whole = left;
  *out = n;
  if (!(done > 0.0))
    return WN_OK;
  for (int i = 0; i < WN_GPU_LEFT; i++)
    more += now.left[i] * expm1(fmin(born / done, 8.0) * part[i]);
  *out = n + (size_t)fmin(more, (double)n * MOST_GROWTH);
  return WN_OK;
}

/* Enlarge the store of n electrons, which launch w filled. */
static int make_room(struct wn_scheduler *s, struct wn_gpu_store *store,
                     const struct wn_model *m, size_t n, size_t limit,
                     const struct wn_gpu_work *w, double *whole)
{
  size_t expected = n;
  if (n < limit)
    WN_TRY(expect(s, store, n, m->steps, w, whole, &expected));
  return wn_gpu_store_grow(store, n, expected, limit, wn_model_newborns(m));
}

/* Before the first launch of a step. */
static int prepare(struct wn_scheduler *s, const struct wn_model *model,
                   const struct wn_particles *p, const struct wn_tally *tally,
                   const struct wn_model **m)
{
  if (wn_gpu_store_of(s->gpu, p) == NULL || p->place != WN_PARTICLES_REMOTE)
    return WN_FAIL(WN_EINTERN, "the electrons were not gathered on the GPU");
  WN_TRY(wn_gpu_use(s->gpu));
  WN_TRY(device_model(s, model, m));
  tables_of(s, model)->is_new = 0;
  return passages_to_device(s, tally);
}

/* Only for the collision-free pass, which is so short that synchronisation costs time. */
int wn_gpu_scheduler_launch(struct wn_scheduler *s, const struct wn_model *model,
                            struct wn_particles *p, struct wn_tally *tally)
{
  const struct wn_model *m;
  if (p->n == 0 || !wn_gpu_is_collision_free(s, model))
    return WN_OK;
  WN_TRY(prepare(s, model, p, tally, &m));
  WN_TRY(launch(s, m, wn_gpu_store_of(s->gpu, p), p->n, 1, tally));
  s->has_launched = 1;
  return WN_OK;
}

int wn_gpu_scheduler_advance(struct wn_scheduler *s, const struct wn_model *model,
                             struct wn_particles *p, struct wn_tally *tally)
{
  struct wn_gpu_store *store = wn_gpu_store_of(s->gpu, p);
  const size_t limit = p->limit > p->n ? p->limit : p->n;
  const struct wn_model *m;
  struct wn_gpu_work w;
  int status, is_collision_free = wn_gpu_is_collision_free(s, model);
  if (p->n == 0)
    return WN_OK;
  if (p->n_advanced > s->first)
    s->first = p->n_advanced;
  if (passes_of(model)->advance != NULL)
    return passes_of(model)->advance(s->gpu, (unsigned int)s->block, model, p, tally);
  if (s->has_launched)
    WN_TRY(wn_gpu_tables_model(tables_of(s, model), model, &m));
  else
    WN_TRY(prepare(s, model, p, tally, &m));
  double whole = (double)(p->n - s->first);
  do {
    const size_t n = p->n;
    if (!s->has_launched)
      WN_TRY(launch_and_note(s, model, m, store, n, is_collision_free, tally, &w));
    else
      WN_TRY(wait_for_launch(s, store, &w));
    s->has_launched = 0;
    store->dead += w.deaths - w.gone;
    store->known += is_collision_free ? w.deaths : 0;
    if (is_collision_free && s->first == 0)
      store->strays = (double)w.strays * WN_GPU_STRAY_SAMPLE / (double)n;
    is_collision_free = 0; /* electrons left over by a full store have their acceleration
                            * already */
    collect(s, &w, tally);
    p->n = (size_t)(w.n < store->hard ? w.n : store->hard);
    if (w.lost > 0)
      return WN_FAIL(WN_EINTERN,
                     "%u newborns found no place behind the store: this is a bug; please "
                     "report it with the scenario",
                     w.lost);
    status = w.full ? make_room(s, store, m, p->n, limit, &w, &whole) : WN_OK;
  } while (w.full && status == WN_OK);
  WN_TRY(passages_to_host(s, tally));
  return status;
}
