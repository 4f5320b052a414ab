/* device/exchange.h - exchange of data in the memory of the ranks' GPUs (base/ranks.h).
 * Within a host each rank shares memory with the others: of its GPU where theirs can
 * access it, otherwise of the host.  Between hosts, or where neither is available, the
 * data pass as messages of the host.
 *
 * All ranks make these calls together.  In a build with CUDA only. */
#ifndef WN_DEVICE_EXCHANGE_H
#define WN_DEVICE_EXCHANGE_H
#include <stddef.h>
#include "physics/host_device.h"

WN_BEGIN_DECLS

struct wn_gpu;

/* At least `bytes` bytes of each rank, as addresses of this GPU: part[rank].  They stay
 * shared until the program ends, for the fields of all cases: releasing them would need
 * all ranks, and a rank that fails does so alone.  NULL: not available. */
void *const *wn_gpu_lay_open(size_t bytes, int some_has_none);

/* As wn_ranks_exchange, of words of 8 bytes on the device; in the stream, with a wait.
 * room: the shared bytes at first (the same request on all ranks), which grow a little with what is exchanged; 0: by
 * messages alone.  WN_ENOMEM, WN_ECUDA, of this rank. */
struct wn_gpu_exchange;
int wn_gpu_exchange_create(struct wn_gpu *g, size_t room, struct wn_gpu_exchange **out);
void wn_gpu_exchange_free(struct wn_gpu_exchange *x);
int wn_gpu_exchange(struct wn_gpu_exchange *x, const void *give, const size_t *n_give,
                    void *take, const size_t *n_take);

WN_END_DECLS

#endif
