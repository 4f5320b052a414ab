/* base/ranks.h - the processes of one run: ranks, as MPI calls them.
 *
 * Every rank runs the same program on the same input, and holds a part of the electrons.  What
 * they add up is made one sum before anybody looks at it: integers, so that it has the same bits
 * for any number of ranks.  From then on all ranks hold the same numbers and come to the same
 * decisions; what another clock, a signal or a disk says is decided by one and told to the others.
 * Rank 0 writes and prints; the others are silent.
 *
 * Calls that exchange something (all but wn_rank and the like) are made by all of them, in the
 * same order, but for send and receive.  Alone, which is how nearly everybody runs, they do nothing.
 *
 * ranks_mpi.c is the one file that knows MPI; without it ranks_none.c stands in. */
#ifndef WN_BASE_RANKS_H
#define WN_BASE_RANKS_H
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Begin, when the environment says that this is one of several; before anything is printed.
 * WN_EINPUT: it is, and this program was built without MPI, or with the library of another
 * mpirun.  MPI is not touched by a process that is alone. */
int wn_ranks_begin(void);

/* At the end of the program, with its status (exit status); returns that with which it ends.
 * Ranks that ended alike go together; one that failed where others go on says why, with its
 * name, and ends them all. */
int wn_ranks_end(int exit_status);

/* Instead of what they would do together: each is alone from here on.  Returns the rank that it had;
 * they still end together. */
int wn_ranks_part(void);
/* What it was, and how many there were, before that. */
int wn_rank_of_all(void);
int wn_ranks_of_all(void);

int wn_rank(void);                  /* 0 when alone */
int wn_ranks(void);                 /* 1 when alone */
int wn_rank_here(void);             /* among those of the same host */
int wn_ranks_here(void);            /* how many these are */
const char *wn_ranks_library(void); /* the name of the MPI that is built in; NULL: none */

/* v[i] becomes the sum over ranks, of integers of 128 bits; or the least, or the greatest. */
__extension__ typedef __int128 wn_ranks_i128;
void wn_ranks_sum(wn_ranks_i128 *v, size_t n);
void wn_ranks_sum_u64(uint64_t *v, size_t n);
void wn_ranks_sum_i64(int64_t *v, size_t n);
void wn_ranks_sum_u32(uint32_t *v, size_t n);
void wn_ranks_least(int64_t *v, size_t n);
void wn_ranks_most(double *v, size_t n);

/* Does one of them say so?  All get the answer. */
int wn_ranks_any(int yes);
/* What rank 0 says. */
int wn_ranks_first(int value);

/* What each rank has, `bytes` of them: those of rank r at all + r * bytes. */
void wn_ranks_gather(const void *mine, size_t bytes, void *all);

/* What each has for each: give, n_give[r] words of 8 bytes for rank r, one after the other; take
 * gets n_take[r] of rank r in the same way.  Alone: give becomes take. */
void wn_ranks_exchange(const void *give, const size_t *n_give, void *take,
                       const size_t *n_take);

/* From one to another, by the numbers that they had before wn_ranks_part. */
void wn_ranks_send(int to, const void *data, size_t bytes);
void wn_ranks_receive(int from, void *data, size_t bytes);
/* Has one come, and from whom? */
int wn_ranks_arrived(int *from);

/* Memory that all ranks see, where all are of one host (wn_ranks_here): `bytes` of each, zero.  What
 * one wrote the others find after wn_ranks_wait.  All ask for it together; there is one at a time, which
 * stays until the program ends.  WN_ENOMEM: it cannot be had, by any of them; nothing is logged. */
struct wn_ranks_window;
int wn_ranks_window_create(size_t bytes, struct wn_ranks_window **out);
void *wn_ranks_window_part(const struct wn_ranks_window *w, int rank);

/* Until all are here. */
void wn_ranks_wait(void);

/* The part of n things that a rank has: from wn_ranks_share(n, r) to that of r + 1. */
static inline size_t wn_ranks_share(size_t n, int rank, int ranks)
{
  const size_t q = n / (size_t)ranks, r = n % (size_t)ranks, i = (size_t)rank;
  return q * i + (i < r ? i : r);
}

#ifdef __cplusplus
}
#endif

#endif
