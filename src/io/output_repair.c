/* src/io/output_repair.c - see output_repair.h.  Superblock of version 2 and 3: "HDF5 File Format
 * Specification Version 3.0", section II.A: signature 8 bytes, version 1, size of offsets 1, size of
 * lengths 1, flags 1, base address, address of the extension, end of file, address of the root group 8
 * each, checksum 4, little-endian.  The checksum is lookup3 of B. Jenkins (public domain,
 * burtleburtle.net/bob/c/lookup3.c), as HDF5's H5_checksum_lookup3, of the 44 bytes before it; a block
 * with a wrong checksum is not changed. */
#include "src/io/output_repair.h"

#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BYTES   48
#define AT_END  28
#define AT_SUM  44
#define OFFSETS 8

static uint32_t turn(uint32_t x, unsigned n)
{
  return x << n | x >> (32 - n);
}

static uint64_t get(const unsigned char *p, int n)
{
  uint64_t x = 0;
  for (int i = n; i-- > 0;)
    x = x << 8 | p[i];
  return x;
}

static void put(unsigned char *p, int n, uint64_t x)
{
  for (int i = 0; i < n; i++, x >>= 8)
    p[i] = (unsigned char)x;
}

/* lookup3 of 44 bytes: three rounds of 12, and the remaining 8, start value 0. */
static uint32_t checksum(const unsigned char *p)
{
  uint32_t a = 0xdeadbeef + AT_SUM, b = a, c = a;
  for (int left = AT_SUM; left > 12; left -= 12, p += 12) {
    a += (uint32_t)get(p, 4);
    b += (uint32_t)get(p + 4, 4);
    c += (uint32_t)get(p + 8, 4);
    a -= c, a ^= turn(c, 4), c += b;
    b -= a, b ^= turn(a, 6), a += c;
    c -= b, c ^= turn(b, 8), b += a;
    a -= c, a ^= turn(c, 16), c += b;
    b -= a, b ^= turn(a, 19), a += c;
    c -= b, c ^= turn(b, 4), b += a;
  }
  a += (uint32_t)get(p, 4);
  b += (uint32_t)get(p + 4, 4);
  c ^= b, c -= turn(b, 14);
  a ^= c, a -= turn(c, 11);
  b ^= a, b -= turn(a, 25);
  c ^= b, c -= turn(b, 16);
  a ^= c, a -= turn(c, 4);
  b ^= a, b -= turn(a, 14);
  c ^= b, c -= turn(b, 24);
  return c;
}

int wn_output_repair(int fd)
{
  unsigned char block[BYTES];
  struct stat st;
  if (fstat(fd, &st) != 0 || pread(fd, block, BYTES, 0) != BYTES ||
      memcmp(block, "\211HDF\r\n\032\n", 8) != 0 || block[8] < 2 || block[8] > 3 ||
      block[9] != OFFSETS || get(block + AT_SUM, 4) != checksum(block))
    return 0;
  if (get(block + AT_END, OFFSETS) <= (uint64_t)st.st_size)
    return 1;
  put(block + AT_END, OFFSETS, (uint64_t)st.st_size);
  put(block + AT_SUM, 4, checksum(block));
  return pwrite(fd, block, BYTES, 0) == BYTES && fsync(fd) == 0;
}
