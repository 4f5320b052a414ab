/* t0400-gpu-philox.c - defends: physics/rng.h gives the same words on the GPU, where
 * cuRAND's Philox does the work, as on the CPU, where Random123's does: the known answers
 * of t/data/philox-kat.txt, which t0101 holds the CPU to, and 1e6 random counters of the
 * whole width of every field. */
#include <stdlib.h>
#include <string.h>
#include "physics/rng.h"
#include "t/physics/gpu_philox.h"
#include "t/tap/gpu.h"
#include "t/tap/philox_kat.h"
#include "t/tap/tap.h"

static const struct {
  const char *name;
  int (*draw)(struct gpu_philox *p, size_t n);
} sides[] = {
#ifdef WN_HAVE_CUDA
    {"the GPU", gpu_philox_device},
    {"the host, compiled by nvcc", gpu_philox_host},
#endif
    {NULL, NULL}, /* no other without CUDA, where gpu_or_skip() does not return */
};

/* Not Philox: a counter through a mixer (Steele, Lea, Flood 2014, "Fast splittable
 * pseudorandom number generators"). */
static uint64_t mixed(uint64_t i)
{
  uint64_t z = i * 0x9e3779b97f4a7c15ull;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  return z ^ z >> 31;
}

static void known(const char *name, int (*draw)(struct gpu_philox *p, size_t n))
{
  struct philox_kat kat[PHILOX_KAT_N];
  struct gpu_philox p[PHILOX_KAT_N];
  philox_kat_read(kat);
  memset(p, 0, sizeof p);
  for (int i = 0; i < PHILOX_KAT_N; i++) {
    const uint32_t *c = kat[i].counter, *k = kat[i].key;
    p[i].seed = (uint64_t)k[1] << 32 | k[0];
    p[i].id = (uint64_t)c[3] << 32 | c[2];
    p[i].event = c[0];
    p[i].purpose = c[1] >> 24;
    p[i].block = c[1] & 0xffffffu;
  }
  is_int(draw(p, PHILOX_KAT_N), 0, "%s: status", name);
  for (int i = 0; i < PHILOX_KAT_N; i++)
    for (int k = 0; k < 4; k++)
      ok(p[i].w[k] == kat[i].answer[k],
         "%s: known answer %d, word %d: got %08x, want %08x", name, i + 1, k, p[i].w[k],
         kat[i].answer[k]);
}

static void many(const char *name, int (*draw)(struct gpu_philox *p, size_t n))
{
  const size_t n = gpu_size(1000000, 20000);
  struct gpu_philox *p = calloc(n, sizeof *p);
  size_t differ = 0, first = 0;
  if (!ok(p != NULL, "memory for %zu counters", n))
    return;
  for (size_t i = 0; i < n; i++) {
    p[i].seed = mixed(4 * i + 1);
    p[i].id = mixed(4 * i + 2);
    p[i].event = (uint32_t)mixed(4 * i + 3);
    p[i].purpose = (uint32_t)(mixed(4 * i + 4) & 0xffu);
    p[i].block = (uint32_t)(mixed(4 * i + 4) >> 8 & 0xffffffu);
  }
  is_int(draw(p, n), 0, "%s: status", name);
  for (size_t i = n; i-- > 0;) {
    struct wn_rng4 want =
        wn_rng(p[i].seed, p[i].id, p[i].event, p[i].purpose, p[i].block);
    if (memcmp(p[i].w, want.w, sizeof want.w) != 0) {
      differ++;
      first = i;
    }
  }
  if (!is_int((long long)differ, 0, "%s: %zu random counters, how many blocks differ",
              name, n))
    diag("the first: seed %016llx id %016llx event %08x purpose %02x block %06x",
         (unsigned long long)p[first].seed, (unsigned long long)p[first].id,
         p[first].event, p[first].purpose, p[first].block);
  free(p);
}

int main(void)
{
  gpu_or_skip();
  plan(0);
  for (size_t i = 0; sides[i].name != NULL; i++) {
    known(sides[i].name, sides[i].draw);
    many(sides[i].name, sides[i].draw);
  }
  return done();
}
