/* src/run/forecast_ranks.h - the cost of a run on several processes, from its cost on one.
 *
 * With whole cases divided (src/run/divide_cases.h), each idle process takes the next case.  With
 * particles divided, a step of N processes takes
 *
 *   own + divided/N + exchange(N),
 *   exchange(N) = 2 ceil(log2 N) calls latency + 2 (N - 1)/N bytes/bandwidth,
 *
 * the cost of a sum over all ranks by recursive halving and doubling: ceil(log2 N) messages each way, and
 * (N - 1)/N of the bytes each way.  Load imbalance and the start of MPI are not included. */
#ifndef WN_SRC_RUN_FORECAST_RANKS_H
#define WN_SRC_RUN_FORECAST_RANKS_H
#include <stddef.h>

/* Between two processes: GB/s; us for a message. */
struct wn_link {
  double bandwidth, latency;
};

/* Shared memory of processes of one host, or a fast network between hosts: assumed, not measured. */
#define WN_LINK_BANDWIDTH 10.0
#define WN_LINK_LATENCY   5.0

/* A step on one process: s, and the data summed over all ranks. */
struct wn_step_cost {
  double own, divided;
  double calls, bytes;
};

/* s of a step on n processes; *exchange (may be NULL): the part spent in messages. */
double wn_ranks_step(const struct wn_step_cost *c, const struct wn_link *l, int ranks,
                     double *exchange);

/* A step of a plasma whose grid is divided in slabs: s on one process; for each process, the bytes of
 * all-to-all exchanges (total, counted twice), the bytes to neighbours, and the calls that wait for
 * one message from each process, or for a tree.  A step takes
 *
 *   (grid + particles)/N + (exchanges (N - 1) + 2 ceil(log2 N) trees) latency
 *     + (2 (N - 1)/N^2 all + near)/bandwidth. */
struct wn_slab_cost {
  double grid, particles;
  double all, near;
  double exchanges, trees;
};
double wn_ranks_slab_step(const struct wn_slab_cost *c, const struct wn_link *l,
                          int ranks, double *exchange);

/* Factor on the time of particles with slabs on a GPU, for those that come and leave (bench/RESULTS.md, two
 * H100).  Of particles that collide the charge is deposited anew after migration, which takes longer. */
#define WN_SLAB_GPU_PARTICLES 1.2

/* Processes at which messages take as long as the divided work: the first power of 2; at most 2^20. */
int wn_ranks_worth(const struct wn_step_cost *c, const struct wn_link *l);

/* s until the last of n cases [s] ends, when each idle process takes the next case in order. */
double wn_ranks_cases(const double *seconds, size_t n, int ranks);

#endif
