/* t/fuzz/sealed.h - any bytes as the state of a checkpoint whose head and checksum are
 * right. */
#ifndef WN_T_FUZZ_SEALED_H
#define WN_T_FUZZ_SEALED_H
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/sha256.h"

/* As src/io/checkpoint_file.c lays a file out. */
struct fuzz_head {
  char magic[24];
  uint64_t version, order, bytes;
};

enum { FUZZ_DIGITS = WN_SHA256_HEX - 1 };

/* The file, malloc'd, and its length; NULL: no memory. */
static uint8_t *fuzz_sealed(const uint8_t *state, size_t n, size_t *length)
{
  const struct fuzz_head h = {.magic = "wilson checkpoint\n",
                              .version = 1,
                              .order = UINT64_C(0x0102030405060708),
                              .bytes = n};
  char hex[WN_SHA256_HEX];
  uint8_t *file = malloc(sizeof h + n + FUZZ_DIGITS);
  if (file == NULL)
    return NULL;
  memcpy(file, &h, sizeof h);
  if (n > 0)
    memcpy(file + sizeof h, state, n);
  wn_sha256_mem(file, sizeof h + n, hex);
  memcpy(file + sizeof h + n, hex, FUZZ_DIGITS);
  *length = sizeof h + n + FUZZ_DIGITS;
  return file;
}

#endif
