/* fields/halo_gpu.cu - planes that go from rank to rank in each step, between GPUs: what halo.c does on the
 * host. */
#include "fields/electrostatic_gpu.cuh"
#include <stdlib.h>
#include "base/alloc.h"

/* Bytes for leaving particles that stay allocated: half of all may leave at the beginning. */
#define KEPT ((size_t)256 << 20)

static size_t more(size_t a, size_t b)
{
  return a > b ? a : b;
}

/* ---- life */

static void release_passing(struct wn_electrostatic_gpu *g)
{
  wn_gpu_release(g->gpu, g->passing, g->passing_bytes);
  g->passing = NULL;
  g->passing_bytes = 0;
}

int wn_halo_gpu_passing(struct wn_electrostatic_gpu *g, size_t bytes)
{
  if (bytes <= g->passing_bytes)
    return WN_OK;
  WN_TRY(wn_gpu_wait(g->gpu, "planes for other processes"));
  release_passing(g);
  WN_TRY(wn_gpu_array(g->gpu, "what goes to other processes", bytes, &g->passing));
  g->passing_bytes = bytes;
  return WN_OK;
}

void wn_halo_gpu_give_back(struct wn_electrostatic_gpu *g)
{
  if (g->passing_bytes > KEPT && g->passing_bytes > g->planes_bytes)
    release_passing(g);
}

static int allocate(struct wn_electrostatic_gpu *g, const struct wn_electrostatic *f)
{
  const struct wn_slab *s = &f->slab;
  const size_t counts = (2 + (size_t)s->ranks) * sizeof *g->count,
               plane = 8 * (size_t)s->plane,
               padded = 8 * (size_t)s->padded * f->spec.n_species;
  void *memory = NULL;
  g->planes_bytes = more(f->sums.n_send * padded, f->copies.n_send * plane) + 16;
  WN_TRY(wn_halo_gpu_passing(g, g->planes_bytes));
  g->coming_bytes = more(f->sums.n_receive * padded, f->copies.n_receive * plane) + 16;
  WN_TRY(
      wn_gpu_array(g->gpu, "what comes of other processes", g->coming_bytes, &g->coming));
  WN_TRY(wn_gpu_alloc(g->gpu, "migration", counts, &memory));
  g->count = (unsigned long long *)memory;
  WN_TRY(wn_gpu_pinned("migration", counts, &memory));
  g->host_count = (unsigned long long *)memory;
  g->words = (size_t *)wn_alloc(2 * (size_t)s->ranks, sizeof *g->words);
  return g->words != NULL ? WN_OK : WN_ENOMEM;
}

int wn_halo_gpu_create(struct wn_electrostatic_gpu *g, const struct wn_electrostatic *f)
{
  const int status = allocate(g, f);
  if (wn_ranks_any(status != WN_OK))
    return status != WN_OK ? status : WN_ENOMEM;
  WN_TRY(wn_gpu_exchange_create(
      g->gpu,
      more(8 * wn_poisson_gpu_words(g->poisson), more(g->passing_bytes, g->coming_bytes)),
      &g->exchange));
  wn_poisson_gpu_send_by(g->poisson, g->exchange);
  return WN_OK;
}

void wn_halo_gpu_free(struct wn_electrostatic_gpu *g)
{
  wn_gpu_exchange_free(g->exchange);
  if (wn_gpu_works(g->gpu)) {
    release_passing(g);
    wn_gpu_release(g->gpu, g->coming, g->coming_bytes);
    wn_gpu_release(g->gpu, g->count, (2 + (size_t)wn_ranks()) * sizeof *g->count);
    wn_gpu_release_pinned(g->host_count);
  }
  free(g->words);
}

/* ---- planes */

/* One thread = one node after the other.  Reads 8 bytes, over the bus it may be, and 8 of its own. */
static __global__ void __launch_bounds__(WN_GPU_STRIDE_BLOCK)
    add_kernel(int64_t *to, const int64_t *from, size_t n)
{
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x)
    to[i] += from[i];
}

int wn_halo_gpu_add(const struct wn_gpu *g, int64_t *to, const int64_t *from, size_t n)
{
  add_kernel<<<wn_gpu_stride_blocks(g, n), WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(to, from,
                                                                                n);
  return wn_gpu_check((int)cudaGetLastError(), "adding the charge of other processes");
}

static int copy(const struct wn_electrostatic_gpu *g, void *to, const void *from,
                size_t bytes)
{
  return wn_gpu_check(
      (int)cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, g->gpu->stream),
      "planes for other processes");
}

/* f(plane, n): n adjacent planes of a list, one run after the other; a status. */
template <class F> static int each_run(const int64_t *plane, size_t n, F f)
{
  for (size_t i = 0, end; i < n; i = end) {
    for (end = i + 1; end < n && plane[end] == plane[end - 1] + 1; end++)
      ;
    WN_TRY(f(plane[i], end - i));
  }
  return WN_OK;
}

/* The planes of each rank, of one species after the other: f(species, plane, n). */
template <class F>
static int each_of_species(const struct wn_electrostatic *f, const int64_t *plane,
                           const size_t *words, F of)
{
  const size_t padded = (size_t)f->slab.padded;
  for (int r = 0; r < f->slab.ranks; r++) {
    const size_t n = words[r] / padded;
    for (size_t k = 0; k < f->spec.n_species; k++)
      WN_TRY(each_run(plane, n, [&](int64_t a, size_t m) { return of(k, a, m); }));
    plane += n;
  }
  return WN_OK;
}

int wn_electrostatic_gpu_add_halo(struct wn_electrostatic_gpu *g,
                                  const struct wn_electrostatic *f)
{
  const struct wn_slab *s = &f->slab;
  const struct wn_halo *h = &f->sums;
  const size_t n = f->spec.n_species, ranks = (size_t)s->ranks,
               bytes = 8 * (size_t)s->padded;
  WN_TRY(wn_halo_gpu_passing(g, g->planes_bytes));
  unsigned char *to = g->passing;
  const unsigned char *from = g->coming;
  for (size_t r = 0; r < ranks; r++) {
    g->words[r] = n * h->words_send[r];
    g->words[ranks + r] = n * h->words_receive[r];
  }
  const auto plane = [&](size_t k, int64_t a) {
    return g->quanta + k * g->n_padded + wn_slab_at_plane(s, a);
  };
  WN_TRY(each_of_species(f, h->send, h->words_send, [&](size_t k, int64_t a, size_t m) {
    const int status = copy(g, to, plane(k, a), m * bytes);
    to += m * bytes;
    return status;
  }));
  WN_TRY(wn_gpu_exchange(g->exchange, g->passing, g->words, g->coming, g->words + ranks));
  return each_of_species(
      f, h->receive, h->words_receive, [&](size_t k, int64_t a, size_t m) {
        const int64_t *sent = (const int64_t *)(const void *)from;
        from += m * bytes;
        return wn_halo_gpu_add(g->gpu, plane(k, a), sent, m * (size_t)s->padded);
      });
}

int wn_halo_gpu_copy(struct wn_electrostatic_gpu *g, const struct wn_electrostatic *f)
{
  const struct wn_slab *s = &f->slab;
  const struct wn_halo *h = &f->copies;
  const size_t bytes = 8 * (size_t)s->plane;
  double *phi = wn_field_phi(g, s);
  unsigned char *to = g->passing;
  const unsigned char *from = g->coming;
  WN_TRY(each_run(h->send, h->n_send, [&](int64_t k, size_t m) {
    const int status = copy(g, to, phi + k * s->plane, m * bytes);
    to += m * bytes;
    return status;
  }));
  WN_TRY(wn_gpu_exchange(g->exchange, g->passing, h->words_send, g->coming,
                         h->words_receive));
  return each_run(h->receive, h->n_receive, [&](int64_t k, size_t m) {
    const int status = copy(g, phi + k * s->plane, from, m * bytes);
    from += m * bytes;
    return status;
  });
}
