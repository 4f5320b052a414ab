/* schedulers/gpu/warp.cuh - a warp that works for itself: it takes electrons from the
 * queue for those of its lanes that are idle, holds newborns on a small stack in shared
 * memory, from which its own lanes are given work first, and writes the finished.
 *
 * Most newborns never touch memory before they are finished, and one that dies in the
 * phase in which it was born never does.  What the stack cannot hold is written to the
 * store a row at a time, with one atomic, and is work of the next round.  A lane whose
 * electron died keeps its place in the store for the next newborn that it finishes. */
#ifndef WN_SCHEDULERS_GPU_WARP_CUH
#define WN_SCHEDULERS_GPU_WARP_CUH
#include <cooperative_groups.h>
#include "schedulers/gpu/kernel.cuh"

#define WN_GPU_NOWHERE ~0ull /* no place in the store */
#define WN_GPU_STACK   32    /* newborns a warp can hold: as many as one turn can make */
#define WN_GPU_LANES   0xffffffffu

enum wn_gpu_state {
  WN_GPU_IDLE,
  WN_GPU_RUNS,  /* wants to fly */
  WN_GPU_MEETS, /* wants its event */
  WN_GPU_WAITS, /* wants its finish */
  WN_GPU_DIES   /* the same, and is dead */
};

/* An electron's seat: beside the electron itself, what the warp knows of it. */
struct wn_gpu_seat {
  unsigned long long place; /* in the store; WN_GPU_NOWHERE: born in this phase */
  int state;                /* enum wn_gpu_state */
  bool vacant;              /* the electron of the place died */
};

static __device__ __forceinline__ struct wn_gpu_seat wn_gpu_seat()
{
  struct wn_gpu_seat s = {WN_GPU_NOWHERE, WN_GPU_IDLE, false};
  return s;
}

/* Counters of a lane. */
struct wn_gpu_counters {
  unsigned long long candidates, real;
  unsigned int births, deaths, gone;
};

/* This lane, and the lanes before it: asked for anew each time, so that they take no
 * register. */
static __device__ __forceinline__ int wn_gpu_lane()
{
  return (int)(threadIdx.x % 32);
}

static __device__ __forceinline__ unsigned int wn_gpu_below()
{
  unsigned int mask;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
  return mask;
}

/* What the lanes of a warp share: the same in all. */
struct wn_gpu_warp {
  int lane;
  unsigned int below;     /* the lanes before this one */
  uint4 *stack;           /* in shared memory: electron i in words 4 i ... 4 i + 3 */
  int held, room;         /* newborns on it, and how many it can hold */
  unsigned int copy;      /* of the tally */
  unsigned long long end; /* of the queue, in this round */
  bool empty;             /* the queue */
  bool full;              /* the store */
};

static __device__ __forceinline__ struct wn_gpu_warp
wn_gpu_warp(const struct wn_gpu_launch &l, uint4 *stack)
{
  struct wn_gpu_warp w;
  w.stack = stack;
  w.held = 0;
  w.copy = wn_gpu_copy(l);
  w.end = 0;
  w.empty = w.full = false;
  return w;
}

/* Places for n newborns at the end of the store, for the whole warp. */
static __device__ __forceinline__ unsigned long long
wn_gpu_take_places(const struct wn_gpu_launch &l, struct wn_gpu_warp &w, int n)
{
  unsigned long long first = 0;
  if (wn_gpu_lane() == 0)
    first = atomicAdd(&l.work->n, (unsigned long long)n);
  first = __shfl_sync(WN_GPU_LANES, first, 0);
  if (first + (unsigned long long)n > l.room) {
    w.full = true;
    if (wn_gpu_lane() == 0)
      *(volatile unsigned int *)&l.work->full = 1;
  }
  return first;
}

/* Empty the stack into the store, with one atomic. */
template <class M>
static __device__ __forceinline__ void wn_gpu_flush(const struct wn_gpu_launch &l,
                                                    const typename M::Args &args,
                                                    struct wn_gpu_warp &w)
{
  unsigned long long place =
      wn_gpu_take_places(l, w, w.held) + (unsigned long long)wn_gpu_lane();
  if (wn_gpu_lane() < w.held) {
    struct wn_electron e =
        wn_gpu_fetch((const struct wn_electron *)(w.stack + 4 * wn_gpu_lane()));
    M::name(args, e);
    if (place < l.hard)
      wn_gpu_put(&l.e[place], e);
    else
      atomicAdd(&l.work->lost, 1u);
  }
  __syncwarp();
  w.held = 0;
}

/* The newborns of all lanes that have one go to the stack. */
template <class M>
static __device__ __forceinline__ void
wn_gpu_born(const struct wn_gpu_launch &l, const typename M::Args &args,
            struct wn_gpu_warp &w, bool has, const struct wn_electron &child)
{
  unsigned int born = __ballot_sync(WN_GPU_LANES, has);
  int n = __popc(born), rank = __popc(born & wn_gpu_below());
  if (w.held + n > WN_GPU_STACK)
    wn_gpu_flush<M>(l, args, w);
  if (has)
    wn_gpu_put((struct wn_electron *)(w.stack + 4 * (w.held + rank)), child);
  w.held += n;
  __syncwarp();
}

/* Serve one seat of each lane, all lanes together: those that wait end their mobility
 * step, the finished go to the store, and idle seats get new electrons. */
template <class M>
static __device__ __forceinline__ void
wn_gpu_serve(const struct wn_gpu_launch &l, const typename M::Args &args,
             struct wn_gpu_warp &w, struct wn_electron &e, typename M::Hot &h,
             struct wn_gpu_seat &s, struct wn_gpu_counters &c)
{
  bool leaves = false;
  if (s.state >= WN_GPU_WAITS) {
    int dies = s.state == WN_GPU_DIES;
    M::template arrive<0>(args, h);
    struct wn_tally t = wn_gpu_tally_at(l, w.copy);
    M::finish(args, e, h, dies ? WN_GPU_STEP | WN_GPU_DEAD : WN_GPU_STEP, t);
    c.candidates += t.n_candidates;
    c.real += t.n_real;
    c.deaths += (unsigned int)dies;
    leaves = !(e.t_left > 0.0f) || w.full;
    if (!leaves) {
      M::load(args, e, h);
      s.state = WN_GPU_RUNS;
    }
  }
  for (;;) {
    /* those that leave go to the store; the dead only if they have a place there */
    bool lives = leaves && !(e.t_left < 0.0f);
    if (leaves) {
      /* one record of a death is in the store, or none */
      bool dies = !lives && s.place != WN_GPU_NOWHERE && !s.vacant;
      c.gone += !dies && (!lives || s.vacant);
      s.vacant = !lives && s.place != WN_GPU_NOWHERE;
      s.state = WN_GPU_IDLE;
    }
    leaves = false;
    unsigned int wants = __ballot_sync(WN_GPU_LANES, lives && s.place == WN_GPU_NOWHERE);
    if (wants != 0) {
      unsigned long long first = wn_gpu_take_places(l, w, __popc(wants));
      if (lives && s.place == WN_GPU_NOWHERE) {
        s.place = first + (unsigned long long)__popc(wants & wn_gpu_below());
        if (s.place >= l.hard) {
          atomicAdd(&l.work->lost, 1u);
          lives = false;
          s.place = WN_GPU_NOWHERE;
        }
      }
    }
    if (lives) {
      wn_gpu_put(&l.e[s.place], e);
      s.place = WN_GPU_NOWHERE;
    }
    if (w.full)
      return;
    unsigned int idle = __ballot_sync(WN_GPU_LANES, s.state == WN_GPU_IDLE);
    int rank = __popc(idle & wn_gpu_below()), n = __popc(idle);
    if (n == 0)
      return;
    if (w.held > 0) {
      int taken = w.held < n ? w.held : n;
      if (s.state == WN_GPU_IDLE && rank < taken) {
        e = wn_gpu_fetch((const struct wn_electron *)(w.stack + 4 * (w.held - 1 - rank)));
        M::name(args, e);
        if (e.t_left > 0.0f) {
          M::load(args, e, h);
          s.state = WN_GPU_RUNS;
        } else {
          leaves = true; /* born at the end of the phase */
        }
      }
      w.held -= taken;
      __syncwarp();
      continue;
    }
    if (w.empty)
      return;
    unsigned long long first = 0;
    if (wn_gpu_lane() == 0)
      first = atomicAdd(&l.work->head, (unsigned long long)n);
    first = __shfl_sync(WN_GPU_LANES, first, 0);
    w.empty = first + (unsigned long long)n >= w.end;
    if (s.state == WN_GPU_IDLE) {
      unsigned long long i = first + (unsigned long long)rank;
      if (i < w.end && l.e[i].t_left > 0.0f) {
        if (s.place != WN_GPU_NOWHERE)
          l.e[s.place].t_left = WN_DEAD; /* nobody came to take it */
        s.place = i;
        s.vacant = false;
        e = wn_gpu_fetch(&l.e[i]);
        M::load(args, e, h);
        s.state = WN_GPU_RUNS;
      }
    }
  }
}

/* A seat that nobody will take any more. */
static __device__ __forceinline__ void wn_gpu_leave_seat(const struct wn_gpu_launch &l,
                                                         const struct wn_gpu_seat &s)
{
  if (s.place != WN_GPU_NOWHERE)
    l.e[s.place].t_left = WN_DEAD;
}

/* The end of a flight, and the event there; in the slow variant when all lanes may. */
template <class M, int slow>
static __device__ __forceinline__ int
wn_gpu_arrive_as(const struct wn_gpu_launch &l, const typename M::Args &args,
                 struct wn_electron &e, typename M::Hot &h, unsigned int copy, int now,
                 const typename M::Ticket &ticket, struct wn_electron *child)
{
  if (now & (WN_GPU_EVENT | WN_GPU_STEP | WN_GPU_DEAD))
    M::template arrive<slow>(args, h);
  if (now & WN_GPU_EVENT) {
    struct wn_tally t = wn_gpu_tally_at(l, copy);
    now = M::template event<slow>(args, e, h, t, ticket, child);
  }
  return now;
}

template <class M>
static __device__ __forceinline__ int
wn_gpu_arrive_all(const struct wn_gpu_launch &l, const typename M::Args &args,
                  struct wn_electron &e, typename M::Hot &h, unsigned int copy, int now,
                  const typename M::Ticket &ticket, struct wn_electron *child)
{
  bool ends = (now & (WN_GPU_EVENT | WN_GPU_STEP | WN_GPU_DEAD)) != 0;
  if (__ballot_sync(WN_GPU_LANES, ends) != 0) {
    if (__all_sync(WN_GPU_LANES, !ends || M::is_slow(h)))
      now = wn_gpu_arrive_as<M, 1>(l, args, e, h, copy, now, ticket, child);
    else
      now = wn_gpu_arrive_as<M, 0>(l, args, e, h, copy, now, ticket, child);
    __syncwarp();
  }
  return now;
}

/* Rounds: those present are the first, what no stack could hold the next.  turn(): the
 * warp's part of a round, to the last electron of w.end. */
template <class M, class F>
static __device__ __forceinline__ void wn_gpu_rounds(const struct wn_gpu_launch &l,
                                                     const typename M::Args &args,
                                                     struct wn_gpu_warp &w, F turn)
{
  cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  for (;;) {
    w.end = wn_gpu_peek(&l.work->end);
    w.empty = false;
    turn();
    if (w.held > 0)
      wn_gpu_flush<M>(l, args, w);
    grid.sync();
    if (grid.thread_rank() == 0) {
      l.work->begin = w.end;
      l.work->head = w.end;
      l.work->end = l.work->full ? w.end : l.work->n;
    }
    grid.sync();
    if (wn_gpu_peek(&l.work->end) == w.end)
      return;
  }
}

/* At the end of a kernel. */
static __device__ __forceinline__ void wn_gpu_count_all(const struct wn_gpu_launch &l,
                                                        const struct wn_gpu_counters &c)
{
  struct wn_tally t = l.tally;
  t.n_candidates = c.candidates;
  t.n_real = c.real;
  t.n_births = c.births;
  t.n_deaths = c.deaths;
  wn_gpu_count(l, t);
  unsigned long long gone = wn_gpu_warp_sum(c.gone);
  if (threadIdx.x % 32 == 0 && gone > 0)
    atomicAdd(&l.work->gone, gone);
}

#endif
