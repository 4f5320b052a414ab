/* particles/page_lock.c - see page_lock.h. */
#include "particles/page_lock.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"
#include "base/memory.h"
#include "particles/store.h"

#define GIB  (1024.0 * 1024.0 * 1024.0)
#define PART ((size_t)2 << 20) /* bytes that a thread touches at a time: a large page */

static size_t page_size(void)
{
  return (size_t)sysconf(_SC_PAGESIZE);
}

static size_t whole_pages(size_t bytes)
{
  return (bytes + page_size() - 1) / page_size() * page_size();
}

int wn_page_lock_grow(void **memory, size_t used, size_t bytes)
{
  if (used > 0)
    return wn_grow_aligned(memory, whole_pages(bytes), 1, page_size());
  /* no copy: one thread would be the first to touch all pages, and small ones */
  void *fresh = wn_alloc_aligned_unset(whole_pages(bytes), 1, page_size());
  if (fresh == NULL)
    return 0;
  free(*memory);
  *memory = fresh;
  return 1;
}

int wn_particles_in_batches(struct wn_particles *p,
                            const struct wn_particles_batches_ops *ops, void *device)
{
  WN_ASSERT(p->n == 0 && p->place == WN_PARTICLES_HOST && p->pages == WN_PAGES_FREE);
  void *e = p->e;
  if (!wn_page_lock_grow(&e, 0, p->capacity * p->record.bytes))
    return WN_ENOMEM;
  p->e = e;
  p->batches = ops;
  p->device = device;
  return WN_OK;
}

/* Contents are kept; each page is written, so that it exists.  Large pages, where the system
 * has them, are locked many times as fast. */
static void touch(const struct wn_particles *p, size_t bytes)
{
  const size_t page = page_size(), n = (bytes + PART - 1) / PART;
#ifdef MADV_HUGEPAGE
  const size_t skip = (PART - (uintptr_t)p->e % PART) % PART;
  if (bytes > skip + PART)
    madvise(p->e + skip, (bytes - skip) / PART * PART, MADV_HUGEPAGE);
#endif
#ifdef _OPENMP
  const int threads = wn_store_threads(p, bytes / p->record.bytes);
#pragma omp parallel for num_threads(threads) schedule(static)
#endif
  for (size_t i = 0; i < n; i++) {
    const size_t end = bytes - i * PART < PART ? bytes : (i + 1) * PART;
    for (size_t at = i * PART; at < end; at += page) {
      volatile unsigned char *byte = p->e + at;
      const unsigned char same = *byte;
      *byte = same;
    }
  }
}

static void say_refused(const struct wn_particles *p, double bytes, const char *why)
{
  const struct wn_memory m = wn_memory_here();
  struct rlimit r;
  char most[64] = "unlimited";
  if (getrlimit(RLIMIT_MEMLOCK, &r) == 0 && r.rlim_cur != RLIM_INFINITY)
    snprintf(most, sizeof most, "%.3f GiB", (double)r.rlim_cur / GIB);
  wn_log(
      WN_LOG_WARN,
      "the system did not lock the %.3f GiB of %zu particles of %zu bytes for direct "
      "copies: %s (available: %.3f GiB; ulimit -l: %s); copies to and from the GPU are "
      "several times slower.  Raise ulimit -l or the memory of the container, or "
      "choose fewer particles",
      bytes / GIB, p->capacity, p->record.bytes, why, m.available / GIB, most);
}

void wn_particles_lock_pages(struct wn_particles *p)
{
  const size_t bytes = p->capacity * p->record.bytes;
  if (p->batches == NULL || p->pages != WN_PAGES_FREE)
    return;
  touch(p, bytes);
  const char *why = p->batches->lock(p->device, p->e, bytes);
  p->pages = why == NULL ? WN_PAGES_LOCKED : WN_PAGES_REFUSED;
  if (why != NULL)
    say_refused(p, (double)bytes, why);
}

void wn_particles_unlock_pages(struct wn_particles *p)
{
  if (p->pages == WN_PAGES_LOCKED)
    p->batches->unlock(p->device, p->e);
  p->pages = WN_PAGES_FREE;
}
