/* t0303-page-lock.c - defends: the store of particles in batches is locked for a device once, as it is: all of
 * its memory, with its contents; it is unlocked before it grows, moves or is freed, and then locked
 * anew; a refusal is said once for each store, with the number of particles, the amount, the
 * cause and the remedy, and the store stays usable.  A store that is not in batches is never locked.  Reference:
 * a device of this file that notes the calls. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/error.h"
#include "base/log.h"
#include "particles/page_lock.h"
#include "t/tap/tap.h"

static const struct wn_record point = {32, 0, 1};

struct device {
  int locks, unlocks, wrong; /* wrong: calls for other memory than is locked */
  void *memory;              /* locked; NULL: none */
  size_t bytes;
  const char *refuses;
};

static const char *lock(void *device, void *memory, size_t bytes)
{
  struct device *d = device;
  d->wrong += d->memory != NULL;
  d->bytes = bytes;
  if (d->refuses != NULL)
    return d->refuses;
  d->locks++;
  d->memory = memory;
  return NULL;
}

static void unlock(void *device, void *memory)
{
  struct device *d = device;
  d->wrong += d->memory != memory;
  d->unlocks++;
  d->memory = NULL;
}

static const struct wn_particles_batches_ops ops = {.lock = lock, .unlock = unlock};

static struct wn_particles make(struct device *d, size_t capacity, size_t limit)
{
  struct wn_particles p;
  if (wn_particles_init(&p, &point, capacity, limit) != WN_OK)
    exit(1);
  if (d != NULL && wn_particles_in_batches(&p, &ops, d) != WN_OK)
    exit(1);
  return p;
}

static void fill(struct wn_particles *p, size_t n)
{
  for (; p->n < n; p->n++)
    for (size_t k = 0; k < 8; k++)
      ((uint32_t *)wn_particles_at(p, p->n))[k] = (uint32_t)(8 * p->n + k);
}

static int is_filled(const struct wn_particles *p, size_t n)
{
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < 8; k++)
      if (((const uint32_t *)wn_particles_at(p, i))[k] != (uint32_t)(8 * i + k))
        return 0;
  return p->n >= n;
}

static int is_page(const void *memory)
{
  return (uintptr_t)memory % (uintptr_t)sysconf(_SC_PAGESIZE) == 0;
}

/* Large enough that pages are touched by several threads. */
static void life(size_t n, int threads)
{
  struct device d = {0};
  const unsigned char more[2 * 32] = {0};
  struct wn_particles p = make(&d, n, 4 * n);
  wn_particles_use_threads(&p, threads);
  fill(&p, n);
  wn_particles_lock_pages(&p);
  wn_particles_lock_pages(&p);
  ok(d.locks == 1 && d.memory == p.e && d.bytes == n * 32 && p.pages == WN_PAGES_LOCKED &&
         is_page(p.e),
     "%zu particles are locked once, all of them", n);
  ok(is_filled(&p, n), "and stay as they were");
  is_int(wn_particles_append(&p, more, 2), WN_OK, "the store grows");
  ok(d.unlocks == 1 && d.memory == NULL && p.pages == WN_PAGES_FREE,
     "and was unlocked before");
  wn_particles_lock_pages(&p);
  ok(d.locks == 2 && d.memory == p.e && d.bytes == p.capacity * 32 && is_page(p.e) &&
         is_filled(&p, n),
     "it is locked again, with room for %zu", p.capacity);
  wn_particles_empty(&p);
  ok(d.unlocks == 1, "an empty store stays locked");
  wn_particles_clear(&p);
  ok(d.unlocks == 2 && d.memory == NULL, "it is unlocked before it is freed");
  is_int(d.wrong, 0, "nothing else was");
}

static void refused(void)
{
  struct device d = {.refuses = "out of memory"};
  struct wn_particles p = make(&d, 1000, 2000);
  char *text = NULL;
  size_t size;
  FILE *to = open_memstream(&text, &size);
  fill(&p, 1000);
  wn_log_to(to);
  wn_particles_lock_pages(&p);
  wn_particles_lock_pages(&p);
  wn_log_to(NULL);
  fclose(to);
  const char *said = strstr(text, "did not lock");
  ok(said != NULL && strstr(said + 1, "did not lock") == NULL, "a refusal is said once");
  ok(strstr(text,
            "warning: the system did not lock the 0.000 GiB of 1000 particles of 32 "
            "bytes") != NULL &&
         strstr(text, ": out of memory (available: ") != NULL &&
         strstr(text, "ulimit -l") != NULL,
     "with numbers, cause and remedy: %s", text);
  ok(p.pages == WN_PAGES_REFUSED && is_filled(&p, 1000), "the store is what it was");
  free(text);
  is_int(wn_particles_reserve(&p, 1), WN_OK, "it may grow");
  d.refuses = NULL;
  wn_particles_lock_pages(&p);
  ok(d.locks == 1 && d.unlocks == 0 && p.pages == WN_PAGES_LOCKED,
     "and is then asked for again");
  wn_particles_clear(&p);
  is_int(d.unlocks, 1, "and unlocked");
}

int main(void)
{
  plan(0);
  life(3, 1);
  life(70000, 1);
  life(400000, 4);
  refused();
  struct wn_particles p = make(NULL, 10, 20);
  wn_particles_lock_pages(&p);
  ok(p.pages == WN_PAGES_FREE, "a store that is not in batches is not locked");
  wn_particles_clear(&p);
  return done();
}
