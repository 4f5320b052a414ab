/* bench/study/model_split_remove.cuh - model `split-remove` (bench/study/split_remove.h)
 * for kernels: model.cuh.
 *
 * It uses one random word a step, four of which are one block of Philox.  The electrons
 * of a warp come to the end of their blocks at different steps; that they still draw
 * together, before four steps, each has the block that begins next and what is left of
 * the present one. */
#ifndef WN_BENCH_STUDY_MODEL_SPLIT_REMOVE_CUH
#define WN_BENCH_STUDY_MODEL_SPLIT_REMOVE_CUH
#include "bench/study/model_synthetic.cuh"
#include "bench/study/split_remove.h"

struct wn_gpu_words {
  uint32_t now[3]; /* the words of the next steps, as far as the present block goes */
  struct wn_rng4 next;
  uint32_t first; /* steps taken when this electron was loaded */
};

/* The words that are left of the block at hand before step number `event`. */
static __device__ __forceinline__ void
wn_gpu_words_left(struct wn_gpu_words &h, const struct wn_rng4 &block, uint32_t event)
{
  uint32_t done = event % 4;
  h.now[0] = done == 1 ? block.w[1] : done == 2 ? block.w[2] : block.w[3];
  h.now[1] = done == 1 ? block.w[2] : block.w[3];
  h.now[2] = block.w[3];
}

/* The word of step number `event`; they are asked for in order. */
static __device__ __forceinline__ uint32_t wn_gpu_next_word(struct wn_gpu_words &h,
                                                            uint32_t event)
{
  const bool begins = event % 4 == 0;
  uint32_t word = begins ? h.next.w[0] : h.now[0];
  h.now[0] = begins ? h.next.w[1] : h.now[1];
  h.now[1] = begins ? h.next.w[2] : h.now[2];
  h.now[2] = begins ? h.next.w[3] : h.now[2];
  return word;
}

struct wn_gpu_split_remove_flights
    : wn_gpu_synthetic_flights<struct wn_gpu_split_remove_flights, struct wn_split,
                               struct wn_split_electron, struct wn_gpu_words> {
  static const int service = 8, block = 256, registers = 80;
  static_assert((int)WN_SPLIT_CHILD == WN_GPU_CHILD && (int)WN_SPLIT_DEAD == WN_GPU_DEAD,
                "one meaning of what a step returns");

  static __device__ __forceinline__ void load(const Args &m, const Record &e, Hot &h)
  {
    h.first = e.event;
    if (e.event % 4 != 0)
      wn_gpu_words_left(h, wn_split_words(&m, e.id, e.event), e.event);
  }
  static __device__ __forceinline__ void prepare(const Args &m, const Record &e, Hot &h)
  {
    h.next = wn_split_words(&m, e.id, e.event + 3);
  }
  /* Steps are counted for an electron at once, where its flights end.  A newborn is made
   * of its parent when it is asked for, so that it takes no registers. */
  static __device__ __forceinline__ int fly(const Args &m, const Kind &, Record &e,
                                            Hot &h, struct wn_tally &, Ticket &, Record *)
  {
    return WN_GPU_STEP | wn_split_step_with(&m, &e, wn_gpu_next_word(h, e.event));
  }
  static __device__ __forceinline__ Record newborn(const Record &e, const Record &)
  {
    return wn_split_newborn(&e);
  }
  static __device__ __forceinline__ void name(const Args &m, Record &child)
  {
    wn_split_name(&m, &child);
  }
  static __device__ __forceinline__ bool settled(const Record &e, int)
  {
    return !(e.t_left > 0.0f); /* nor has a dead one */
  }
  static __device__ __forceinline__ int finish(const Args &, Record &e, Hot &h, int what,
                                               struct wn_tally &t)
  {
    t.n_candidates += e.event - h.first;
    return what & WN_GPU_DEAD;
  }
};

struct wn_gpu_split_remove {
  typedef wn_gpu_split_remove_flights Flights;
  typedef Flights::Args Args;
  typedef Flights::Record Record;
  /* turn: 0 before the first step.  The threads of a warp count theirs together, so that
   * here, too, they draw together. */
  struct Reg {
    Record e;
    Flights::Hot h;
    unsigned int turn = 0;
  };
  static const int registers = Flights::registers;
  static const bool special = false;

  static bool fits(const Args &)
  {
    return true;
  }
  static __device__ __forceinline__ void gather(const Args &m, Record &e)
  {
    wn_split_gather(&m, &e);
  }
  static __device__ __forceinline__ void load(const Args &, Reg &)
  {
  }
  static __device__ __forceinline__ int advance(const Args &m, Reg &r, struct wn_tally &t,
                                                Record *child)
  {
    Record &e = r.e;
    if (r.turn % 4 == 0) {
      /* the first step uses the present block, and the second draws the next */
      const bool first = r.turn == 0;
      r.h.next = wn_split_words(&m, e.id, e.event + (first ? 0 : 3));
      if (first) {
        wn_gpu_words_left(r.h, r.h.next, e.event);
        r.turn = 3;
      }
    }
    r.turn++;
    int what = wn_split_step_with(&m, &e, wn_gpu_next_word(r.h, e.event));
    if (what == WN_SPLIT_CHILD) {
      *child = wn_split_newborn(&e);
      wn_split_name(&m, child);
    }
    return wn_gpu_count_step(what, t);
  }
};

#endif
