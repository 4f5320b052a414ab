/* bench/study/model_synthetic.cuh - what the synthetic models have in common for
 * kernels (model.cuh): a mobility step is one piece of work, Self::step(args, e, child),
 * and nothing but the record is kept between two of them. */
#ifndef WN_BENCH_STUDY_MODEL_SYNTHETIC_CUH
#define WN_BENCH_STUDY_MODEL_SYNTHETIC_CUH
#include "schedulers/gpu/model.cuh"

/* Count a step; what: as it returned, in bits that all of these share with the
 * kernels. */
static __device__ __forceinline__ int wn_gpu_count_step(int what, struct wn_tally &t)
{
  t.n_candidates++;
  t.n_births += what == WN_GPU_CHILD;
  t.n_deaths += what == WN_GPU_DEAD;
  return WN_GPU_STEP | what;
}

struct wn_gpu_nothing {
};

template <class Self, class A, class R, class H = struct wn_gpu_nothing>
struct wn_gpu_synthetic_flights {
  typedef A Args;
  typedef R Record;
  typedef H Hot;
  struct Ticket {
  };
  struct Kind {
  };
  typedef struct wn_gpu_deferred_record<Hot, Ticket, Record> Deferred;

  static const int service = 4, burst = 4, stack = 64, block = 128, registers = 88;
  static const bool has_events = false, in_slices = true;

  static __device__ __forceinline__ Kind kind(const Args &)
  {
    return Kind();
  }
  static __device__ __forceinline__ void load(const Args &, const Record &, Hot &)
  {
  }
  static __device__ __forceinline__ void prepare(const Args &, const Record &, Hot &)
  {
  }
  static __device__ __forceinline__ int fly(const Args &m, const Kind &, Record &e, Hot &,
                                            struct wn_tally &t, Ticket &, Record *child)
  {
    return wn_gpu_count_step(Self::step(m, e, child), t);
  }
  static __device__ __forceinline__ void arrive(const Args &, Record &, Hot &)
  {
  }
  static __device__ __forceinline__ int event(const Args &, const Kind &, Record &, Hot &,
                                              struct wn_tally &, const Ticket &, Record *)
  {
    return 0; /* fly never asks for it */
  }
  static __device__ __forceinline__ int rare(const Args &, const Record &, Deferred &)
  {
    return 0;
  }
  static __device__ __forceinline__ Record newborn(const Record &, const Record &child)
  {
    return child;
  }
  static __device__ __forceinline__ void name(const Args &, Record &)
  {
  }
  static __device__ __forceinline__ bool settled(const Record &e, int what)
  {
    return (what & WN_GPU_DEAD) != 0 || !(e.t_left > 0.0f);
  }
  static __device__ __forceinline__ int finish(const Args &, Record &, Hot &, int what,
                                               struct wn_tally &)
  {
    return what & WN_GPU_DEAD;
  }
};

template <class Self, class A, class R> struct wn_gpu_synthetic {
  typedef A Args;
  typedef R Record;
  typedef wn_gpu_synthetic_flights<Self, A, R> Flights;
  struct Reg {
    Record e;
  };
  static const int registers = Flights::registers;
  static const bool special = false;

  static bool fits(const Args &)
  {
    return true;
  }
  static __device__ __forceinline__ void gather(const Args &, Record &)
  {
  }
  static __device__ __forceinline__ void load(const Args &, Reg &)
  {
  }
  static __device__ __forceinline__ int advance(const Args &m, Reg &r, struct wn_tally &t,
                                                Record *child)
  {
    return wn_gpu_count_step(Self::step(m, r.e, child), t);
  }
};

#endif
