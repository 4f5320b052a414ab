/* base/alloc.h - checked allocation.  All return NULL (and log once) on failure or
 * when n * size overflows. */
#ifndef WN_BASE_ALLOC_H
#define WN_BASE_ALLOC_H
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Zeroed; free with free().  align: a power of two. */
void *wn_alloc(size_t n, size_t size);
void *wn_alloc_aligned(size_t n, size_t size, size_t align);
/* Not zeroed: for large blocks, whose pages the threads that fill them should be the first to
 * write, in parallel and in their own memory. */
void *wn_alloc_aligned_unset(size_t n, size_t size, size_t align);
/* Contents kept, the new part not zeroed; old stays valid on failure. */
void *wn_realloc(void *old, size_t n, size_t size);
/* *block, from these with the same align, grows to that length: contents kept, the new part
 * not zeroed.  The C library of Linux remaps the pages of a large block, so it is neither copied nor held
 * twice.  Returns 1 on success; otherwise *block is unchanged. */
int wn_grow_aligned(void **block, size_t n, size_t size, size_t align);
char *wn_strdup(const char *s);
char *wn_asprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#ifdef __cplusplus
}
#endif

#endif
