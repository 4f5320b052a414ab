/* device/exchange.h - what is in the memory of one rank's GPU, for the GPUs of others (base/ranks.h).
 * On one host each lays memory open to the others, of its GPU where theirs reach it, else of the host;
 * between hosts, or where that is not to be had, messages of the host are the way.
 *
 * All ranks make these calls together.  In a build with CUDA only. */
#ifndef WN_DEVICE_EXCHANGE_H
#define WN_DEVICE_EXCHANGE_H
#include <stddef.h>
#include "physics/hd.h"

WN_BEGIN_DECLS

struct wn_gpu;

/* At least so many bytes of each rank, as this GPU sees them: part[rank].  What is laid open stays so until
 * the program ends, for the fields of all cases: to take it back would take all ranks, and one that
 * fails is alone.  NULL: it cannot be had. */
void *const *wn_gpu_lay_open(size_t bytes, int some_has_none);

/* As wn_ranks_exchange, of words of 8 bytes on the device; in the stream, and waited for.  room: what is
 * laid open (as all ranks asked for it); what is more goes by messages.  WN_ENOMEM, WN_ECUDA, of this rank. */
struct wn_gpu_exchange;
int wn_gpu_exchange_create(struct wn_gpu *g, size_t room, struct wn_gpu_exchange **out);
void wn_gpu_exchange_free(struct wn_gpu_exchange *x);
int wn_gpu_exchange(struct wn_gpu_exchange *x, const void *give, const size_t *n_give,
                    void *take, const size_t *n_take);

WN_END_DECLS

#endif
