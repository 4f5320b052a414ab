/* base/sha256.c - SHA-256 as in FIPS 180-4; the letters are the standard's. */
#include "base/sha256.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

/* First 32 bits of the fractional parts of the cube roots of the first 64 primes
 * (4.2.2). */
static const uint32_t k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
    0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
    0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
    0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
    0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
    0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
    0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2};

static uint32_t rotr(uint32_t x, int n)
{
  return (x >> n) | (x << (32 - n));
}

/* 6.2.2 for one block of 64 bytes. */
static void compress(struct wn_sha256 *s, const unsigned char *m)
{
  uint32_t w[64];
  for (int t = 0; t < 16; t++)
    w[t] = (uint32_t)m[4 * t] << 24 | (uint32_t)m[4 * t + 1] << 16 |
           (uint32_t)m[4 * t + 2] << 8 | (uint32_t)m[4 * t + 3];
  for (int t = 16; t < 64; t++) {
    uint32_t s0 = rotr(w[t - 15], 7) ^ rotr(w[t - 15], 18) ^ (w[t - 15] >> 3);
    uint32_t s1 = rotr(w[t - 2], 17) ^ rotr(w[t - 2], 19) ^ (w[t - 2] >> 10);
    w[t] = s1 + w[t - 7] + s0 + w[t - 16];
  }
  uint32_t a = s->h[0], b = s->h[1], c = s->h[2], d = s->h[3];
  uint32_t e = s->h[4], f = s->h[5], g = s->h[6], h = s->h[7];
  for (int t = 0; t < 64; t++) {
    uint32_t t1 =
        h + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + ((e & f) ^ (~e & g)) + k[t] + w[t];
    uint32_t t2 =
        (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  const uint32_t add[8] = {a, b, c, d, e, f, g, h};
  for (int i = 0; i < 8; i++)
    s->h[i] += add[i];
}

void wn_sha256_start(struct wn_sha256 *s)
{
  /* First 32 bits of the fractional parts of the square roots of the first 8 primes
   * (5.3.3). */
  static const uint32_t h0[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  memcpy(s->h, h0, sizeof h0);
  s->length = 0;
  s->n_block = 0;
}

void wn_sha256_take(struct wn_sha256 *s, const void *bytes, size_t n)
{
  const unsigned char *data = bytes;
  s->length += n;
  while (n > 0) {
    size_t part = sizeof s->block - s->n_block;
    if (part > n)
      part = n;
    memcpy(s->block + s->n_block, data, part);
    s->n_block += part;
    data += part;
    n -= part;
    if (s->n_block == sizeof s->block) {
      compress(s, s->block);
      s->n_block = 0;
    }
  }
}

/* 5.1.1: a one bit, zeros, and the length in bits as 64-bit big-endian. */
void wn_sha256_finish(struct wn_sha256 *s, char hex[WN_SHA256_HEX])
{
  static const unsigned char padding[64] = {0x80};
  uint64_t bits = 8 * s->length;
  unsigned char tail[8];
  for (int i = 0; i < 8; i++)
    tail[i] = (unsigned char)(bits >> (56 - 8 * i));
  wn_sha256_take(s, padding, s->n_block < 56 ? 56 - s->n_block : 120 - s->n_block);
  wn_sha256_take(s, tail, sizeof tail);
  for (int i = 0; i < 8; i++)
    snprintf(hex + 8 * i, 9, "%08x", (unsigned)s->h[i]);
}

void wn_sha256_mem(const void *data, size_t n, char hex[WN_SHA256_HEX])
{
  struct wn_sha256 s;
  wn_sha256_start(&s);
  if (n > 0)
    wn_sha256_take(&s, data, n);
  wn_sha256_finish(&s, hex);
}

int wn_sha256_file(const char *path, char hex[WN_SHA256_HEX])
{
  FILE *f = fopen(path, "rb");
  if (f == NULL)
    return WN_FAIL(WN_EIO, "cannot open %s: %s", path, strerror(errno));
  struct wn_sha256 s;
  unsigned char buffer[8192];
  size_t n;
  wn_sha256_start(&s);
  while ((n = fread(buffer, 1, sizeof buffer, f)) > 0)
    wn_sha256_take(&s, buffer, n);
  int failed = ferror(f) ? (errno ? errno : EIO) : 0;
  fclose(f);
  if (failed)
    return WN_FAIL(WN_EIO, "cannot read %s: %s", path, strerror(failed));
  wn_sha256_finish(&s, hex);
  return WN_OK;
}
