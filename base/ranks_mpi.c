/* base/ranks_mpi.c - ranks.h by MPI, and the only file that includes it.
 *
 * Arrays may have more elements than an int: they are sent in pieces.  The 128-bit sum is a user-defined
 * operation on 16 bytes: it commutes and is exact, so its order does not matter. */
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/ranks.h"
#include "base/ranks_launch.h"

#define PIECE ((size_t)1 << 20) /* elements of a call */
/* s that a failed rank waits for the others to finish as well */
#define PATIENCE 3.0

/* Set once, at the start. */
static int rank, ranks = 1, rank_here, ranks_here = 1, started = 1;
static int was; /* rank, before wn_ranks_part */
static MPI_Datatype i128;
static MPI_Op sum_i128;

static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
  (void)type;
  for (int i = 0; i < *n; i++) {
    wn_ranks_i128 a, b; /* the library's buffers may not be aligned */
    memcpy(&a, (char *)in + 16 * (size_t)i, 16);
    memcpy(&b, (char *)inout + 16 * (size_t)i, 16);
    b += a;
    memcpy((char *)inout + 16 * (size_t)i, &b, 16);
  }
}

static void find_those_here(void)
{
  MPI_Comm here;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &here);
  MPI_Comm_rank(here, &rank_here);
  MPI_Comm_size(here, &ranks_here);
  MPI_Comm_free(&here);
}

int wn_ranks_begin(void)
{
  const int launched = wn_ranks_launched();
  int level;
  if (launched <= 1)
    return WN_OK;
  if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS)
    return WN_FAIL(WN_EINPUT, "MPI could not be started (%s)", wn_ranks_library());
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  started = ranks;
  was = rank;
  if (ranks != launched) {
    const int found = ranks;
    MPI_Finalize();
    ranks = started = 1;
    return WN_FAIL(WN_EINPUT,
                   "started as one of %d processes, but MPI finds %d: the program has "
                   "%s, and mpirun probably belongs to another MPI",
                   launched, found, wn_ranks_library());
  }
  find_those_here();
  MPI_Type_contiguous(16, MPI_BYTE, &i128);
  MPI_Type_commit(&i128);
  MPI_Op_create(add, 1, &sum_i128);
  if (rank > 0)
    wn_log_withhold();
  return WN_OK;
}

static void free_windows(void);

/* Do all ranks finish in time?  *alike: with the same exit status. */
static int all_end(int exit_status, int *alike)
{
  const double begin = wn_clock_now();
  int both[2] = {exit_status, -exit_status}, most[2], done = 0;
  MPI_Request request;
  MPI_Iallreduce(both, most, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &request);
  do {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (!done)
      usleep(2000);
  } while (!done && (exit_status == 0 || wn_clock_now() - begin < PATIENCE));
  *alike = done && most[0] == -most[1];
  return done;
}

int wn_ranks_end(int exit_status)
{
  int alike;
  char name[32];
  if (started == 1)
    return exit_status;
  const int ended = all_end(exit_status, &alike);
  if (!alike && exit_status != 0) {
    snprintf(name, sizeof name, "rank %d of %d", was, started);
    wn_log_release(name);
    fflush(NULL);
    if (!ended)
      MPI_Abort(MPI_COMM_WORLD, exit_status);
  }
  free_windows();
  MPI_Op_free(&sum_i128);
  MPI_Type_free(&i128);
  MPI_Finalize();
  ranks = started = 1;
  return exit_status;
}

int wn_ranks_part(void)
{
  rank = rank_here = 0;
  ranks = ranks_here = 1;
  return was;
}

int wn_rank_of_all(void)
{
  return was;
}

int wn_ranks_of_all(void)
{
  return started;
}

int wn_rank(void)
{
  return rank;
}

int wn_ranks(void)
{
  return ranks;
}

int wn_rank_here(void)
{
  return rank_here;
}

int wn_ranks_here(void)
{
  return ranks_here;
}

const char *wn_ranks_library(void)
{
  static char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int n;
  MPI_Get_library_version(text, &n);
  text[strcspn(text, ",\n")] = '\0';
  return text;
}

static void reduce(void *v, size_t n, size_t bytes, MPI_Datatype type, MPI_Op op)
{
  if (ranks == 1)
    return;
  for (size_t i = 0; i < n; i += PIECE)
    MPI_Allreduce(MPI_IN_PLACE, (char *)v + i * bytes,
                  (int)(n - i < PIECE ? n - i : PIECE), type, op, MPI_COMM_WORLD);
}

void wn_ranks_sum(wn_ranks_i128 *v, size_t n)
{
  reduce(v, n, sizeof *v, i128, sum_i128);
}

void wn_ranks_sum_u64(uint64_t *v, size_t n)
{
  reduce(v, n, sizeof *v, MPI_UINT64_T, MPI_SUM);
}

void wn_ranks_sum_i64(int64_t *v, size_t n)
{
  reduce(v, n, sizeof *v, MPI_INT64_T, MPI_SUM);
}

void wn_ranks_sum_u32(uint32_t *v, size_t n)
{
  reduce(v, n, sizeof *v, MPI_UINT32_T, MPI_SUM);
}

void wn_ranks_least(int64_t *v, size_t n)
{
  reduce(v, n, sizeof *v, MPI_INT64_T, MPI_MIN);
}

void wn_ranks_most(double *v, size_t n)
{
  reduce(v, n, sizeof *v, MPI_DOUBLE, MPI_MAX);
}

int wn_ranks_any(int yes)
{
  yes = yes != 0;
  reduce(&yes, 1, sizeof yes, MPI_INT, MPI_MAX);
  return yes;
}

int wn_ranks_first(int value)
{
  if (ranks > 1)
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return value;
}

void wn_ranks_gather(const void *mine, size_t bytes, void *all)
{
  if (ranks == 1)
    memcpy(all, mine, bytes);
  else
    MPI_Allgather(mine, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, MPI_COMM_WORLD);
}

/* In pairs, in as many turns as there are ranks; the partner changes every turn. */
void wn_ranks_exchange(const void *give, const size_t *n_give, void *take,
                       const size_t *n_take)
{
  const char *out = give;
  char *in = take;
  if (ranks == 1) {
    memcpy(take, give, 8 * n_give[0]);
    return;
  }
  for (int turn = 0; turn < ranks; turn++) {
    const int next = (rank + turn) % ranks, last = (rank - turn + ranks) % ranks;
    size_t from = 0, to = 0;
    for (int r = 0; r < next; r++)
      from += 8 * n_give[r];
    for (int r = 0; r < last; r++)
      to += 8 * n_take[r];
    for (size_t i = 0; i < n_give[next] || i < n_take[last]; i += PIECE) {
      const size_t more = i < n_give[next] ? n_give[next] - i : 0,
                   due = i < n_take[last] ? n_take[last] - i : 0;
      MPI_Request coming = MPI_REQUEST_NULL;
      if (due > 0)
        MPI_Irecv(in + to + 8 * i, (int)(due < PIECE ? due : PIECE), MPI_INT64_T, last, 1,
                  MPI_COMM_WORLD, &coming);
      if (more > 0) /* an empty message is not sent: the receiver does not wait for it */
        MPI_Send(out + from + 8 * i, (int)(more < PIECE ? more : PIECE), MPI_INT64_T,
                 next, 1, MPI_COMM_WORLD);
      MPI_Wait(&coming, MPI_STATUS_IGNORE);
    }
  }
}

void wn_ranks_send(int to, const void *data, size_t bytes)
{
  for (size_t i = 0; i < bytes; i += 16 * PIECE)
    MPI_Send((const char *)data + i,
             (int)(bytes - i < 16 * PIECE ? bytes - i : 16 * PIECE), MPI_BYTE, to, 0,
             MPI_COMM_WORLD);
}

void wn_ranks_receive(int from, void *data, size_t bytes)
{
  for (size_t i = 0; i < bytes; i += 16 * PIECE)
    MPI_Recv((char *)data + i, (int)(bytes - i < 16 * PIECE ? bytes - i : 16 * PIECE),
             MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int wn_ranks_arrived(int *from)
{
  MPI_Status what;
  int yes = 0;
  if (started > 1)
    MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &yes, &what);
  if (yes)
    *from = what.MPI_SOURCE;
  return yes;
}

void wn_ranks_wait(void)
{
  if (ranks > 1)
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Windows are freed at the end of the program: freeing is collective, and a rank that fails is not. */
struct wn_ranks_window {
  MPI_Win win;
  size_t bytes;
  struct wn_ranks_window *next;
};
static struct wn_ranks_window *windows;

int wn_ranks_window_create(size_t bytes, struct wn_ranks_window **out)
{
  void *own;
  if (windows != NULL && windows->bytes >= bytes) { /* of the previous case */
    *out = windows;
    return WN_OK;
  }
  struct wn_ranks_window *w = wn_alloc(1, sizeof *w);
  if (wn_ranks_any(w == NULL || ranks_here != ranks)) {
    free(w);
    return WN_ENOMEM;
  }
  /* /dev/shm may be too small for it, which must not end the run */
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const int failed =
      MPI_Win_allocate_shared((MPI_Aint)bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &own,
                              &w->win) != MPI_SUCCESS;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  if (wn_ranks_any(failed)) {
    if (!failed)
      MPI_Win_free(&w->win);
    free(w);
    return WN_ENOMEM;
  }
  memset(own, 0, bytes);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, w->win);
  wn_ranks_wait();
  w->bytes = bytes;
  w->next = windows;
  *out = windows = w;
  return WN_OK;
}

void *wn_ranks_window_part(const struct wn_ranks_window *w, int of)
{
  MPI_Aint bytes;
  int unit;
  void *part;
  MPI_Win_shared_query(w->win, of, &bytes, &unit, &part);
  return part;
}

static void free_windows(void)
{
  while (windows != NULL) {
    struct wn_ranks_window *w = windows;
    windows = w->next;
    MPI_Win_unlock_all(w->win);
    MPI_Win_free(&w->win);
    free(w);
  }
}
