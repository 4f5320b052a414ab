/* base/ranks.h - the processes of one run: ranks, in the terms of MPI.
 *
 * Every rank runs the same program on the same input, and holds a part of the electrons.  Their sums
 * are added over ranks before any decision uses them: as integers, so that the bits do not depend on
 * the number of ranks.  All ranks then have the same numbers and make the same decisions.  A
 * decision that depends on a clock, a signal or a disk is made by one rank and broadcast.  Rank 0
 * writes and prints; the others are silent.
 *
 * Calls that communicate (all but wn_rank and similar ones) are collective, in the same order on all
 * ranks, except send and receive.  With one process, the usual case, they do nothing.
 *
 * Only ranks_mpi.c uses MPI; without MPI ranks_none.c takes its place. */
#ifndef WN_BASE_RANKS_H
#define WN_BASE_RANKS_H
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Starts MPI, if the environment says that this process is one of several; before any
 * output.  WN_EINPUT: it is, and this program was built without MPI, or with the library of
 * another mpirun.  A single process does not touch MPI. */
int wn_ranks_begin(void);

/* At the end of the program, with its exit status; returns the final one.  Ranks with the
 * same status finish together; a rank that fails while others continue logs the reason, with
 * its number, and aborts all. */
int wn_ranks_end(int exit_status);

/* Ends the collective work: each rank works alone from here on.  Returns its former rank; the ranks
 * still finish together. */
int wn_ranks_part(void);
/* The former rank and number of ranks. */
int wn_rank_of_all(void);
int wn_ranks_of_all(void);

int wn_rank(void);                  /* 0 for a single process */
int wn_ranks(void);                 /* 1 for a single process */
int wn_rank_here(void);             /* among the ranks of the same host */
int wn_ranks_here(void);            /* their number */
const char *wn_ranks_library(void); /* name of the MPI library; NULL: built without */

/* v[i] becomes the sum over ranks of 128-bit integers; or the minimum, or the maximum. */
__extension__ typedef __int128 wn_ranks_i128;
void wn_ranks_sum(wn_ranks_i128 *v, size_t n);
void wn_ranks_sum_u64(uint64_t *v, size_t n);
void wn_ranks_sum_i64(int64_t *v, size_t n);
void wn_ranks_sum_u32(uint32_t *v, size_t n);
void wn_ranks_least(int64_t *v, size_t n);
void wn_ranks_most(double *v, size_t n);

/* Is `yes` set on any rank?  All ranks get the answer. */
int wn_ranks_any(int yes);
/* The value of rank 0. */
int wn_ranks_first(int value);

/* Gathers `bytes` from each rank on all ranks: those of rank r at all + r * bytes. */
void wn_ranks_gather(const void *mine, size_t bytes, void *all);

/* All-to-all exchange: give has n_give[r] words of 8 bytes for rank r, one after the other; take
 * gets n_take[r] from rank r in the same way.  With one process give is copied to take. */
void wn_ranks_exchange(const void *give, const size_t *n_give, void *take,
                       const size_t *n_take);

/* Point to point, with the rank numbers from before wn_ranks_part. */
void wn_ranks_send(int to, const void *data, size_t bytes);
void wn_ranks_receive(int from, void *data, size_t bytes);
/* Has a message arrived, and from which rank? */
int wn_ranks_arrived(int *from);

/* Memory shared by all ranks, if all are on one host (wn_ranks_here): `bytes` for each, zeroed.  Data
 * written by one rank is visible to the others after wn_ranks_wait.  Collective; there is one window at
 * a time, which exists until the program ends.  WN_ENOMEM: not available on some rank; nothing is
 * logged. */
struct wn_ranks_window;
int wn_ranks_window_create(size_t bytes, struct wn_ranks_window **out);
void *wn_ranks_window_part(const struct wn_ranks_window *w, int rank);

/* Barrier. */
void wn_ranks_wait(void);

/* The share of a rank in n things: from wn_ranks_share(n, r) up to that of r + 1. */
static inline size_t wn_ranks_share(size_t n, int rank, int ranks)
{
  const size_t q = n / (size_t)ranks, r = n % (size_t)ranks, i = (size_t)rank;
  return q * i + (i < r ? i : r);
}

#ifdef __cplusplus
}
#endif

#endif
