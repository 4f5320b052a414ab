/* fields/electrostatic_slabs_gpu.cuh - a field in slabs on a GPU from inside: its grids
 * (electrostatic_slabs_gpu.cu), and its particles (migration_gpu.cu). */
#ifndef WN_FIELDS_ELECTROSTATIC_SLABS_GPU_CUH
#define WN_FIELDS_ELECTROSTATIC_SLABS_GPU_CUH
#include "device/exchange.h"
#include "fields/electrostatic_gpu.cuh"
#include "fields/electrostatic_slabs_gpu.h"
#include "fields/poisson/slabs_gpu.h"

/* A particle that leaves this rank. */
struct wn_slab_leaver {
  uint64_t i; /* in the store */
  uint64_t to;
};

struct wn_slabs_gpu {
  struct wn_gpu *gpu;
  struct wn_electrostatic_gpu *grid; /* quanta and e, and what looks after them */
  struct wn_poisson_slabs_gpu *poisson;
  struct wn_gpu_exchange *exchange;
  size_t n_rho, n_phi;
  double *rho, *phi; /* [own][plane], [own + 2 guards][plane] */
  /* planes, or records, for others, and planes from them */
  size_t passing_bytes, coming_bytes;
  unsigned char *passing, *coming;
  /* particles that leave: counts are of all, of those that are too fast, and for each rank; there and,
   * pinned, here */
  size_t n_leavers;
  struct wn_slab_leaver *leaver;            /* [n_leavers] */
  unsigned long long *count, *host_count; /* [2 + ranks] */
};

/* At least so many bytes for others; WN_ENOMEM. */
int wn_slabs_gpu_passing(struct wn_slabs_gpu *g, size_t bytes);

#endif
