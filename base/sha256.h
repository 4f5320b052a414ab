/* base/sha256.h - SHA-256 of files and of memory, for the provenance of cross
 * sections. Source: FIPS 180-4, sections 4.1.2, 4.2.2, 5 and 6.2; checked by
 * t/t0010-base.c against its examples. */
#ifndef WN_BASE_SHA256_H
#define WN_BASE_SHA256_H
#include <stddef.h>

/* 64 lower-case hexadecimal digits and the end of the string */
#define WN_SHA256_HEX 65

void wn_sha256_mem(const void *data, size_t n, char hex[WN_SHA256_HEX]);

/* Fails with WN_EIO, the path and the cause, and then leaves hex alone. */
int wn_sha256_file(const char *path, char hex[WN_SHA256_HEX]);

#endif
