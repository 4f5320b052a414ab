/* base/sha256.h - SHA-256 of files and of memory, for the provenance of cross
 * sections. Source: FIPS 180-4, sections 4.1.2, 4.2.2, 5 and 6.2; checked by
 * t/base/t0010-base.c against its examples. */
#ifndef WN_BASE_SHA256_H
#define WN_BASE_SHA256_H
#include <stddef.h>
#include <stdint.h>

/* 64 lower-case hexadecimal digits and the end of the string */
#define WN_SHA256_HEX 65

/* Of what comes in parts: start, take any number of times, finish. */
struct wn_sha256 {
  uint32_t h[8];
  uint64_t length; /* bytes taken */
  unsigned char block[64];
  size_t n_block;
};
void wn_sha256_start(struct wn_sha256 *s);
void wn_sha256_take(struct wn_sha256 *s, const void *data, size_t n);
void wn_sha256_finish(struct wn_sha256 *s, char hex[WN_SHA256_HEX]);

void wn_sha256_mem(const void *data, size_t n, char hex[WN_SHA256_HEX]);

/* Fails with WN_EIO, the path and the cause, and then leaves hex alone. */
int wn_sha256_file(const char *path, char hex[WN_SHA256_HEX]);

#endif
