/* schedulers/gpu/model_mcc.cuh - model `mcc` (physics/mcc.h) for kernels: model.cuh.
 *
 * While an electron flies, two members of its record have no meaning, as their present
 * values are in registers (struct wn_mcc_reg).  They hold what is seldom wanted, so that
 * it takes no register; this is all of it:
 *
 *   member   from load to finish               read by                  else
 *   t_next   the group, as an integer          group_of                 time to candidate
 *   u        the way moved since the load:     put_moved, take_moved    momentum
 *            struct wn_mcc_reg.moved */
#ifndef WN_SCHEDULERS_GPU_MODEL_MCC_CUH
#define WN_SCHEDULERS_GPU_MODEL_MCC_CUH
#include "schedulers/gpu/model.cuh"
#include "physics/mcc_collide.h"
#include "physics/mcc_flight.h"

/* has_b, angle_model, share_model, banded: which code runs, if that is known when this is
 * compiled; -1: as the scenario says.  in_grid: it always is.  alone: flights whose rare events
 * are done by another kernel (deferred.cuh).  To ask for bands in each flight
 * takes a swarm without any 1.3 times as long. */
template <int has_b, int angle_model, int share_model, int in_grid, int banded,
          bool alone = false>
struct wn_gpu_mcc_flights {
  typedef wn_gpu_mcc_flights<has_b, angle_model, share_model, in_grid, banded, true>
      Alone;
  typedef struct wn_mcc Args;
  typedef struct wn_electron Record;
  struct Hot {
    struct wn_mcc_reg r;
  };
  typedef uint32_t Ticket; /* word of the choice */
  typedef struct wn_mcc_kind Kind;
  typedef struct wn_gpu_deferred_record<Hot, Ticket, Record> Deferred;

  static const int service = alone ? 16 : 8, burst = 1;
  /* Electrons that wait for each other with what is rare: of a swarm one event in 200 is,
   * and waiting costs as much as it saves; where electrons run away one in 8 is, and
   * longer.  There many are born, too, and it pays to look for those not yet started
   * yet (flight_kernel.cuh). */
  static const int rare_service = angle_model == WN_ANGLE_ISOTROPIC ? 1 : 16;
  /* Few are above watch_ev, and for them the loop of flights takes no registers.  Not where a
   * weighted ensemble has most of its electrons there. */
  static const bool seldom = alone || in_grid || angle_model == WN_ANGLE_ISOTROPIC;
  static const bool looks = angle_model != WN_ANGLE_ISOTROPIC;
  /* Sums of the block near by: in phases of 20 candidates a swarm takes 1.25 times as long
   * without, in phases of 100 as long as with them.  Few electrons that run away gain nothing. */
  static const bool sums_near = alone || angle_model != WN_ANGLE_OKHRIMOVSKYY;
  static const int registers = has_b < 0                           ? 128
                               : angle_model == WN_ANGLE_ISOTROPIC ? 80
                                                                   : 104;
  /* 64 where the loop of flights spills nothing with so few; where it does, in the kernel of few
   * electrons that run away, as many as it wants. */
  static const int event_registers = has_b < 0 ? 168 : seldom ? 64 : 96;
  /* Where electrons run away one real collision in nine is rare. */
  static const bool defers =
      has_b == 0 && !in_grid && angle_model == WN_ANGLE_OKHRIMOVSKYY;
  static const int rare_registers = 128;
  /* one fills a multiprocessor */
  static const int block = 16384 / (32 * event_registers) * 128;
  static const bool has_events = true, in_slices = false;

  static_assert((int)WN_MCC_DONE == WN_GPU_STEP && (int)WN_MCC_DEAD == WN_GPU_DEAD &&
                    (int)WN_MCC_CHILD == WN_GPU_CHILD &&
                    (int)WN_MCC_EVENT == WN_GPU_EVENT && (int)WN_MCC_RARE == WN_GPU_RARE,
                "one meaning of what happened");

  static __device__ __forceinline__ Kind kind(const Args &m, int part = WN_MCC_ALL)
  {
    Kind k = {(short)(has_b < 0 ? m.has_b : has_b),
              in_grid,
              banded < 0 ? wn_mcc_banded(&m, in_grid) : (short)banded,
              WN_SUMS_CELLS,
              seldom ? WN_MCC_WATCH_APART : WN_MCC_WATCH_HERE,
              angle_model < 0 ? m.xs.angle_model : angle_model,
              share_model < 0 ? m.xs.share_model : share_model,
              part,
              m.xs.top,
              m.band,
              m.xs.normal,
              0};
    return k;
  }

  /* Copies in shared memory of the tables from which each lane reads another place:
   * there that costs as many cycles as lanes meet in a bank, in the cache as there are
   * lanes. */
  static const int near_bands = banded == 0 ? 0 : WN_MCC_BANDS;
  struct Near {
    float normal[WN_XS_NORMALS];
    struct wn_mcc_band band[near_bands > 0 ? near_bands : 1];
    struct wn_xs_top top[1]; /* n_bins, in whole words of 16 bytes */
  };
  static __host__ __device__ size_t near_bytes(const Args &m)
  {
    return offsetof(Near, top) +
           (sizeof(struct wn_xs_top) * (size_t)m.xs.n_bins + 15) / 16 * 16;
  }
  /* Behind them the sums of the block: of groups, then of processes. */
  static __host__ __device__ size_t near_sums(const Args &m)
  {
    return !sums_near ? 0
                      : (size_t)m.n_groups *
                            (WN_NEAR_GROUP + WN_NEAR_PROCESS * (size_t)m.xs.n_processes);
  }
  /* Bytes of the former. */
  static __device__ uint32_t near_groups(const Args &m)
  {
    return WN_NEAR_BYTES * (uint32_t)WN_NEAR_GROUP * (uint32_t)m.n_groups;
  }
  /* The cell of sum i. */
  static __device__ wn_i128 *near_cell(const Args &m, const struct wn_tally &t, size_t i)
  {
    const size_t groups = (size_t)m.n_groups * WN_NEAR_GROUP;
    if (i < groups)
      return (wn_i128 *)t.group + i;
    i -= groups;
    return (i % WN_NEAR_PROCESS == 0 ? t.count : t.lost) + i / WN_NEAR_PROCESS;
  }
  static __device__ __forceinline__ Kind near_kind(const Args &m, void *shared)
  {
    const Near *near = (const Near *)shared;
    Kind k = kind(m);
    k.near = sums_near ? WN_SUMS_NEAR : WN_SUMS_CELLS;
    k.normal = near->normal;
    k.band = near->band;
    k.top = near->top;
    return k;
  }
  static __device__ void bring_near(const Args &m, void *shared)
  {
    Near *near = (Near *)shared;
    for (int i = (int)threadIdx.x; i < WN_XS_NORMALS; i += (int)blockDim.x)
      near->normal[i] = m.xs.normal[i];
    for (int i = (int)threadIdx.x; i < near_bands; i += (int)blockDim.x)
      near->band[i] = m.band[i];
    for (int i = (int)threadIdx.x; i < m.xs.n_bins; i += (int)blockDim.x)
      near->top[i] = m.xs.top[i];
  }

  /* What is kept in e while it flies: see the top. */
  static __device__ __forceinline__ int group_of(const Record &e)
  {
    return __float_as_int(e.t_next);
  }
  static __device__ __forceinline__ void put_moved(Record &e, const Hot &h)
  {
    for (int i = 0; i < 3; i++)
      e.u[i] = h.r.moved[i];
  }
  static __device__ __forceinline__ void take_moved(const Record &e, Hot &h)
  {
    for (int i = 0; i < 3; i++)
      h.r.moved[i] = e.u[i];
  }

  static __device__ __forceinline__ void load(const Args &m, Record &e, Hot &h)
  {
    wn_mcc_load(&m, &e, &h.r);
    put_moved(e, h);
    e.t_next = __uint_as_float(wn_electron_group(e.tag, (uint32_t)m.n_groups));
  }
  static __device__ __forceinline__ void prepare(const Args &, const Record &, Hot &)
  {
  }
  static __device__ __forceinline__ int fly(const Args &m, const Kind &k, Record &e,
                                            Hot &h, struct wn_tally &t, Ticket &ticket,
                                            Record *)
  {
    struct wn_mcc_ticket all;
    /* k.has_b: what is watched in a magnetic field is brought to the present first */
    if (k.has_b)
      take_moved(e, h);
    int what = wn_mcc_flights(
        &m, k, &h.r, &e, k.watched != WN_MCC_WATCH_HERE ? -1 : group_of(e), &t, &all);
    if (k.has_b)
      put_moved(e, h);
    ticket = all.choice; /* all.event is e.event - 1 */
    return what;
  }
  static __device__ __forceinline__ void arrive(const Args &m, Record &e, Hot &h)
  {
    if (wn_mcc_waits(kind(m))) {
      take_moved(e, h);
      wn_mcc_commit(&m, kind(m), &e, &h.r);
      put_moved(e, h);
    }
  }
  static __device__ __forceinline__ int event(const Args &m, const Kind &kind, Record &e,
                                              Hot &h, struct wn_tally &t,
                                              const Ticket &ticket, Record *child)
  {
    Kind k = kind;
    k.part = WN_MCC_COMMON;
    return wn_mcc_collide(&m, k, &h.r, &e, group_of(e), &t, child, e.event - 1, ticket);
  }
  static __device__ __forceinline__ int rare_here(const Args &m, const Record &e, Hot &h,
                                                  const Ticket &ticket,
                                                  struct wn_tally &t, Record *child)
  {
    take_moved(e, h);
    return wn_mcc_collide(&m, kind(m, WN_MCC_REST), &h.r, &e, group_of(e), &t, child,
                          e.event - 1, ticket);
  }
  static __device__ __noinline__ int rare(const Args &m, const Record &e, Deferred &a)
  {
    return rare_here(m, e, a.h, a.ticket, a.t, &a.child);
  }
  static __device__ __forceinline__ Record newborn(const Record &, const Record &child)
  {
    return child;
  }
  static __device__ __forceinline__ void name(const Args &, Record &)
  {
  }
  static __device__ __forceinline__ bool settled(const Record &, int)
  {
    return true;
  }
  static __device__ __forceinline__ int finish(const Args &m, Record &e, Hot &h, int what,
                                               struct wn_tally &t,
                                               short near = WN_SUMS_CELLS)
  {
    take_moved(e, h);
    Kind k = kind(m);
    k.near = near == WN_SUMS_NEAR && !sums_near ? (short)WN_SUMS_CELLS : near;
    const int dead =
        (what | wn_mcc_store(&m, k, &h.r, &e, what, group_of(e), &t)) & WN_GPU_DEAD;
    if (dead)
      e.t_left = WN_DEAD;
    return dead;
  }
};

template <int has_b, int angle_model, int share_model, int in_grid, int banded>
struct wn_gpu_mcc_of {
  typedef wn_gpu_mcc_flights<has_b, angle_model, share_model, in_grid, banded> Flights;
  typedef typename Flights::Args Args;
  typedef typename Flights::Record Record;
  struct Reg {
    Record e;
    typename Flights::Hot h;
  };
  static const int registers = Flights::registers;
  static const bool special = has_b >= 0;

  static bool fits(const Args &m)
  {
    return m.in_grid == in_grid && (has_b < 0 || m.has_b == has_b) &&
           (banded < 0 || wn_mcc_banded(&m, m.in_grid) == banded) &&
           (angle_model < 0 || m.xs.angle_model == angle_model) &&
           (share_model < 0 || m.xs.share_model == share_model);
  }
  static __device__ __forceinline__ void gather(const Args &, Record &)
  {
  }
  static __device__ __forceinline__ void load(const Args &m, Reg &r)
  {
    Flights::load(m, r.e, r.h);
  }
  static __device__ __forceinline__ int advance(const Args &m, Reg &r, struct wn_tally &t,
                                                Record *child)
  {
    typedef Flights F;
    typename F::Ticket ticket;
    typename F::Kind kind = F::kind(m);
    kind.watched = WN_MCC_WATCH_APART; /* it takes registers here in any variant */
    int what = F::fly(m, kind, r.e, r.h, t, ticket, child);
    if (what != 0)
      F::arrive(m, r.e, r.h);
    if (what & WN_GPU_EVENT) {
      F::take_moved(r.e, r.h);
      what = wn_mcc_collide(&m, F::kind(m), &r.h.r, &r.e, F::group_of(r.e), &t, child,
                            r.e.event - 1, ticket);
    }
    if (what & (WN_GPU_STEP | WN_GPU_DEAD)) {
      what |= F::finish(m, r.e, r.h, what, t);
      t.n_deaths += (what & WN_GPU_DEAD) != 0;
    }
    return what;
  }
};

/* Any scenario; the swarms and runaways that are computed most. */
typedef wn_gpu_mcc_of<-1, -1, -1, 0, -1> wn_gpu_mcc;
typedef wn_gpu_mcc_of<0, WN_ANGLE_ISOTROPIC, WN_SHARING_EQUAL, 0, 0> wn_gpu_mcc_swarm;
typedef wn_gpu_mcc_of<0, WN_ANGLE_ISOTROPIC, WN_SHARING_EQUAL, 0, 1>
    wn_gpu_mcc_swarm_bands;
typedef wn_gpu_mcc_of<0, WN_ANGLE_OKHRIMOVSKYY, WN_SHARING_RBEB, 0, 0> wn_gpu_mcc_runaway;
/* In the field of a grid, which they hold in their records. */
typedef wn_gpu_mcc_of<-1, -1, -1, 1, 0> wn_gpu_mcc_grid;
typedef wn_gpu_mcc_of<0, WN_ANGLE_ISOTROPIC, WN_SHARING_EQUAL, 1, 0>
    wn_gpu_mcc_grid_swarm;
typedef wn_gpu_mcc_of<0, WN_ANGLE_OKHRIMOVSKYY, WN_SHARING_RBEB, 1, 0>
    wn_gpu_mcc_grid_runaway;

#endif
