/* base/ranks_none.c - ranks.h without MPI: a single process. */
#include <string.h>
#include "base/error.h"
#include "base/ranks.h"
#include "base/ranks_launch.h"

int wn_ranks_begin(void)
{
  const int n = wn_ranks_launched();
  if (n > 1)
    return WN_FAIL(
        WN_EINPUT,
        "started as one of %d processes, but MPI is not built in: each would do the "
        "whole run; install libopenmpi-dev or libmpich-dev and configure again",
        n);
  return WN_OK;
}

int wn_ranks_end(int exit_status)
{
  return exit_status;
}

int wn_ranks_part(void)
{
  return 0;
}

int wn_rank_of_all(void)
{
  return 0;
}

int wn_ranks_of_all(void)
{
  return 1;
}

int wn_rank(void)
{
  return 0;
}

int wn_ranks(void)
{
  return 1;
}

int wn_rank_here(void)
{
  return 0;
}

int wn_ranks_here(void)
{
  return 1;
}

const char *wn_ranks_library(void)
{
  return NULL;
}

void wn_ranks_sum(wn_ranks_i128 *v, size_t n)
{
  (void)v, (void)n;
}

void wn_ranks_sum_u64(uint64_t *v, size_t n)
{
  (void)v, (void)n;
}

void wn_ranks_sum_i64(int64_t *v, size_t n)
{
  (void)v, (void)n;
}

void wn_ranks_sum_u32(uint32_t *v, size_t n)
{
  (void)v, (void)n;
}

void wn_ranks_least(int64_t *v, size_t n)
{
  (void)v, (void)n;
}

void wn_ranks_most(double *v, size_t n)
{
  (void)v, (void)n;
}

int wn_ranks_any(int yes)
{
  return yes;
}

int wn_ranks_first(int value)
{
  return value;
}

void wn_ranks_gather(const void *mine, size_t bytes, void *all)
{
  memcpy(all, mine, bytes);
}

void wn_ranks_exchange(const void *give, const size_t *n_give, void *take,
                       const size_t *n_take)
{
  (void)n_take;
  memcpy(take, give, 8 * n_give[0]);
}

void wn_ranks_send(int to, const void *data, size_t bytes)
{
  (void)to, (void)data, (void)bytes;
  WN_ASSERT(!"there is no other process to send to");
}

void wn_ranks_receive(int from, void *data, size_t bytes)
{
  (void)from, (void)data, (void)bytes;
  WN_ASSERT(!"there is no other process to receive from");
}

int wn_ranks_arrived(int *from)
{
  (void)from;
  return 0;
}

void wn_ranks_wait(void)
{
}

int wn_ranks_window_create(size_t bytes, struct wn_ranks_window **out)
{
  (void)bytes, (void)out;
  return WN_ENOMEM;
}

void *wn_ranks_window_part(const struct wn_ranks_window *w, int rank)
{
  (void)w, (void)rank;
  return NULL;
}
