/* t/tap/gpu.h - for tests that need a GPU. */
#ifndef WN_T_TAP_GPU_H
#define WN_T_TAP_GPU_H
#include <stddef.h>

/* Returns when there is a GPU; otherwise ends the test: all of it is skipped, with the
 * reason, or, with WN_REQUIRE_GPU=1 in the environment, fails. */
void gpu_or_skip(void);

/* The first GPU, opened when it is first asked for and closed when the test ends; bails
 * out when it cannot be.  After gpu_or_skip(). */
struct wn_gpu;
struct wn_gpu *gpu_device(void);

/* For tests of which a part needs a GPU: whether there is one (why: the reason when there
 * is none), and whether WN_REQUIRE_GPU=1. */
int gpu_there(const char **why);
int gpu_required(void);

/* n, or with WN_GPU_SMALL=1 in the environment `small`: for compute-sanitizer, under
 * which a kernel takes 20 to 50 times as long. */
size_t gpu_size(size_t n, size_t small);

#endif
