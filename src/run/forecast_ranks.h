/* src/run/forecast_ranks.h - what a run costs on several processes, from what it costs on one.
 *
 * Cases that are divided (src/run/divide_cases.h) follow one another on whoever is free.  Where particles are, a
 * step of N processes takes
 *
 *   own + divided/N + exchange(N),
 *   exchange(N) = 2 ceil(log2 N) calls latency + 2 (N - 1)/N bytes/bandwidth,
 *
 * which is a sum over all by halves and back: ceil(log2 N) messages each way, and (N - 1)/N of the
 * bytes each way.  Not in it: that processes wait for the slowest, and the start of MPI. */
#ifndef WN_SRC_RUN_FORECAST_RANKS_H
#define WN_SRC_RUN_FORECAST_RANKS_H
#include <stddef.h>

/* Between two processes: GB/s, and us of a message. */
struct wn_link {
  double bandwidth, latency;
};

/* Of memory that processes of one host share, or of a fast network between hosts: assumed, not
 * measured. */
#define WN_LINK_BANDWIDTH 10.0
#define WN_LINK_LATENCY   5.0

/* A step by one process; s, and what is summed over all in it. */
struct wn_step_cost {
  double own, divided;
  double calls, bytes;
};

/* s of a step by so many processes; *exchange (may be NULL): of that, messages. */
double wn_ranks_step(const struct wn_step_cost *c, const struct wn_link *l, int ranks,
                     double *exchange);

/* A step of a plasma whose grid is divided in slabs: s by one process, and of each of the processes
 * bytes that all exchange with all (in all of them, twice), that go to neighbours, and calls that wait
 * for one message of each, or for a tree.  A step takes
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

/* Particles of slabs on a GPU take so many times as long as without: those that come and go take their
 * order, and the charge that was left for the next step, from the others (bench/RESULTS.md, H200). */
#define WN_SLAB_GPU_PARTICLES 6.0

/* How many processes it takes until messages take as long as what is divided: the first power of 2;
 * at most 2^20. */
int wn_ranks_worth(const struct wn_step_cost *c, const struct wn_link *l);

/* s until the last of n cases [s] is over, which are given out in their order to whoever is free. */
double wn_ranks_cases(const double *seconds, size_t n, int ranks);

#endif
