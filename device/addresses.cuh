/* device/addresses.cuh - a range of addresses of the device, parts of which have memory: for a store that
 * grows in place (store.cu), and for arrays with the addresses of a whole grid of which a rank has a slab.
 * The calls that map memory belong to the driver; they are looked up at run time, so that the program also
 * starts without a driver. */
#ifndef WN_DEVICE_ADDRESSES_CUH
#define WN_DEVICE_ADDRESSES_CUH
#include <stddef.h>

struct wn_gpu;

struct wn_gpu_piece { /* mapped by one call */
  size_t at, bytes;
};

struct wn_gpu_addresses {
  struct wn_gpu *gpu;      /* NULL: there are none */
  unsigned long long base; /* a CUdeviceptr */
  size_t bytes, page;      /* both multiples of it */
  size_t memory;           /* bytes of it, mapped somewhere; counted in gpu->used */
  size_t n_pieces;
  struct wn_gpu_piece *piece;
};

/* Addresses for at least so many bytes, without memory.  WN_ECUDA. */
int wn_gpu_addresses(struct wn_gpu *g, const char *what, size_t bytes,
                     struct wn_gpu_addresses *out);
/* Memory for `bytes` of them from `at` on, both multiples of the page; *enough = 0 when the device lacks
 * it; other failures are errors. */
int wn_gpu_addresses_map(struct wn_gpu_addresses *a, const char *what, size_t at,
                         size_t bytes, int *enough);
void wn_gpu_addresses_free(struct wn_gpu_addresses *a);

/* Elements [from[i], to[i]) of an array, in rising order; n = 0: all of it. */
#define WN_GPU_PARTS 5
struct wn_gpu_part {
  size_t n, from[WN_GPU_PARTS], to[WN_GPU_PARTS];
};
/* f(from, to), a status, for each part of an array of so many elements. */
template <class F>
static int wn_gpu_part_each(const struct wn_gpu_part *part, size_t elements, F f)
{
  int status = part->n == 0 ? f((size_t)0, elements) : 0;
  for (size_t i = 0; i < part->n && status == 0; i++)
    status = f(part->from[i], part->to[i]);
  return status;
}

/* `times` arrays of so many elements, one behind the other, of each of which these parts have memory.  All
 * other pages are one and the same, so that a kernel that goes too far reads and writes nothing that counts,
 * and the error is found afterwards.  WN_ENOMEM with what is free. */
int wn_gpu_addresses_part(struct wn_gpu *g, const char *what, size_t times,
                          size_t elements, size_t element_bytes,
                          const struct wn_gpu_part *part, struct wn_gpu_addresses *out);
/* Zeros in these parts of an array.  In the stream of g. */
int wn_gpu_part_zero(const struct wn_gpu *g, const char *what, void *array,
                     size_t elements, size_t element_bytes,
                     const struct wn_gpu_part *part);

#endif
