/* schedulers/gpu/models.cuh - the models as the kernels see them: one electron in
 * registers.  A model is a struct of these, all static:
 *
 * - Args: what holds for all electrons, a kernel parameter (device pointers inside).
 *
 * - Hot: what an electron has in registers beside its stored state e. Reg: both.
 *
 * - load: begin a mobility step of e.
 *
 * - advance: a bounded piece of work; returns WN_GPU_CHILD (*child was filled),
 * WN_GPU_STEP (a mobility step is over: e is up to date, e.t_left > 0 says that more are
 * to come, beginning with load) or WN_GPU_DEAD (e is final).
 *
 * The rest is advance in parts, for those who gather the lanes of a warp between them:
 *
 * - fly: one turn of the warp, whose turns are counted; returns WN_GPU_EVENT (and nothing
 * else) when event is to follow, which says the rest; the ticket goes from one to the
 * other.
 *
 * - name: a newborn that fly or event made wants this before it is used or stored, which
 * may be done later, for many together.
 *
 * - arrive: after a fly that returned anything.
 *
 * - event: what happens at the end of a flight.
 *
 * - finish: after WN_GPU_STEP or WN_GPU_DEAD, bring e up to date; what: as it was
 * returned.
 *
 * - settled: after WN_GPU_STEP: does this electron want its finish now?
 *
 * - service: how many electrons of a warp should wait for their finish.
 *
 * - burst: how many flights a lane may do before the warp looks again.
 *
 * - gather: how many of a warp should wait for their event.
 *
 * - is_slow: arrive and event may be taken in their slow variants (template parameter 1),
 * which give the same with less code.
 *
 * - has_events: fly may return WN_GPU_EVENT.
 *
 * - cold: all this seldom looks at e, so that it may lie in slower memory.
 *
 * - registers: a thread, for kernels that keep their electron.
 *
 * A scheduler knows nothing else. */
#ifndef WN_SCHEDULERS_GPU_MODELS_CUH
#define WN_SCHEDULERS_GPU_MODELS_CUH
#include "physics/rng.h" /* before any other header of cuRAND */
#include "schedulers/gpu/gpu.h"

enum { WN_GPU_STEP = 1, WN_GPU_DEAD = 2, WN_GPU_CHILD = 4, WN_GPU_EVENT = 8 };

/* kind: which code runs, if that is known when this is compiled; -1: as the scenario
 * says. */
template <int has_b, int angle_model, int share_model> struct wn_gpu_mcc_of {
  typedef struct wn_mcc Args;
  struct Hot {
    struct wn_mcc_reg r;
    int group;
  };
  struct Reg {
    struct wn_electron e;
    Hot h;
  };
  static const int service = 8, gather = 20, burst = 1, registers = has_b < 0 ? 168 : 128;
  static const bool cold = true, has_events = true;
  static const Args &args(const struct wn_model &m)
  {
    return m.mcc;
  }
  static __device__ __forceinline__ struct wn_mcc_kind kind(const Args &m,
                                                            int is_slow = 0)
  {
    struct wn_mcc_kind k = {has_b < 0 ? m.has_b : has_b,
                            angle_model < 0 ? m.xs.angle_model : angle_model,
                            share_model < 0 ? m.xs.share_model : share_model, is_slow};
    return k;
  }
  static __device__ __forceinline__ void name(const Args &, struct wn_electron &)
  {
  }
  static __device__ __forceinline__ bool is_slow(const Hot &h)
  {
    return h.r.energy < WN_MCC_SLOW_EV && h.r.base_ev < WN_MCC_SLOW_EV;
  }
  static __device__ __forceinline__ bool settled(const struct wn_electron &, int)
  {
    return true;
  }
  static __device__ __forceinline__ void load(const Args &m, const struct wn_electron &e,
                                              Hot &h)
  {
    h.group = (int)((e.tag & WN_TAG_LINEAGE_MASK) % (uint32_t)m.n_groups);
    wn_mcc_load(&m, &e, &h.r);
  }
  typedef struct wn_mcc_ticket Ticket;
  static __device__ __forceinline__ int fly(const Args &m, struct wn_electron &e, Hot &h,
                                            struct wn_tally &t, Ticket &ticket,
                                            struct wn_electron *, unsigned int)
  {
    int what = wn_mcc_flights(&m, kind(m), &h.r, &e, h.group, &t, &ticket);
    return what == WN_MCC_EVENT ? WN_GPU_EVENT : flags(what);
  }
  template <int slow> static __device__ __forceinline__ void arrive(const Args &m, Hot &h)
  {
    if (!kind(m).has_b)
      wn_mcc_commit_with(&m, &h.r, slow);
  }
  template <int slow>
  static __device__ __forceinline__ int
  event(const Args &m, struct wn_electron &e, Hot &h, struct wn_tally &t,
        const Ticket &ticket, struct wn_electron *child)
  {
    return flags(wn_mcc_collide(&m, kind(m, slow), &h.r, &e, h.group, &t, child,
                                ticket.event, ticket.choice));
  }
  static __device__ __forceinline__ int work(const Args &m, struct wn_electron &e, Hot &h,
                                             struct wn_tally &t,
                                             struct wn_electron *child)
  {
    Ticket ticket;
    int what = fly(m, e, h, t, ticket, child, 0);
    if (what != 0)
      arrive<0>(m, h);
    return what & WN_GPU_EVENT ? event<0>(m, e, h, t, ticket, child) : what;
  }
  static __device__ __forceinline__ int flags(int what)
  {
    return (what & WN_MCC_CHILD ? WN_GPU_CHILD : 0) |
           (what & WN_MCC_DONE ? WN_GPU_STEP : 0) |
           (what & WN_MCC_DEAD ? WN_GPU_STEP | WN_GPU_DEAD : 0);
  }
  static __device__ __forceinline__ void finish(const Args &m, struct wn_electron &e,
                                                Hot &h, int what, struct wn_tally &t)
  {
    wn_mcc_store(&m, &h.r, &e, h.group, &t);
    if (what & WN_GPU_DEAD) {
      e.t_left = WN_DEAD;
      t.n_deaths++;
    }
  }
  static __device__ __forceinline__ void load(const Args &m, Reg &r)
  {
    load(m, r.e, r.h);
  }
  static __device__ __forceinline__ int advance(const Args &m, Reg &r, struct wn_tally &t,
                                                struct wn_electron *child)
  {
    int what = work(m, r.e, r.h, t, child);
    if (what & (WN_GPU_STEP | WN_GPU_DEAD))
      finish(m, r.e, r.h, what, t);
    return what;
  }
};

/* Any scenario; the swarms and runaways that are computed most. */
typedef wn_gpu_mcc_of<-1, -1, -1> wn_gpu_mcc;
typedef wn_gpu_mcc_of<0, WN_ANGLE_ISOTROPIC, WN_SHARING_EQUAL> wn_gpu_mcc_swarm;
typedef wn_gpu_mcc_of<0, WN_ANGLE_OKHRIMOVSKYY, WN_SHARING_RBEB> wn_gpu_mcc_runaway;

/* The synthetic models: a mobility step is one piece of work. */
struct wn_gpu_nothing {
};

static __device__ __forceinline__ int
wn_gpu_one_step(const struct wn_rectangle &m, struct wn_electron *e,
                struct wn_electron *child, struct wn_gpu_nothing &, unsigned int)
{
  return wn_rectangle_step(&m, e, child);
}

static __device__ __forceinline__ int
wn_gpu_one_step(const struct wn_box &m, struct wn_box_electron *e,
                struct wn_box_electron *child, struct wn_gpu_nothing &, unsigned int)
{
  return wn_box_step(&m, e, child);
}

static __device__ __forceinline__ void wn_gpu_begin(const struct wn_rectangle &,
                                                    const struct wn_electron &,
                                                    struct wn_gpu_nothing &)
{
}

static __device__ __forceinline__ void
wn_gpu_begin(const struct wn_box &, const struct wn_electron &, struct wn_gpu_nothing &)
{
}

/* split-remove uses one random word a step, four of which are one block of Philox.  The
 * electrons of a warp come to the end of their blocks at different steps; that they
 * still draw together, once in four steps, each keeps the present block and the next. */
struct wn_gpu_words {
  struct wn_rng4 now, next;
};

static __device__ __forceinline__ void wn_gpu_begin(const struct wn_split &m,
                                                    const struct wn_electron &e,
                                                    struct wn_gpu_words &h)
{
  h.next = wn_split_words(&m, e.id, e.event + 3);
  if (e.event % 4 != 0)
    h.now = wn_split_words(&m, e.id, e.event);
}

static __device__ __forceinline__ int wn_gpu_one_step(const struct wn_split &m,
                                                      struct wn_split_electron *e,
                                                      struct wn_split_electron *child,
                                                      struct wn_gpu_words &h,
                                                      unsigned int turn)
{
  if (turn % 4 == 0)
    h.next = wn_split_words(&m, e->id, e->event + 3);
  if (e->event % 4 == 0)
    h.now = h.next;
  return wn_split_step_with(&m, e, child, wn_split_word(&h.now, e->event));
}

static __device__ __forceinline__ int wn_gpu_one_step(const struct wn_rectangle &m,
                                                      struct wn_electron *e,
                                                      struct wn_electron *child)
{
  return wn_rectangle_step(&m, e, child);
}

static __device__ __forceinline__ int wn_gpu_one_step(const struct wn_box &m,
                                                      struct wn_box_electron *e,
                                                      struct wn_box_electron *child)
{
  return wn_box_step(&m, e, child);
}

static __device__ __forceinline__ int wn_gpu_one_step(const struct wn_split &m,
                                                      struct wn_split_electron *e,
                                                      struct wn_split_electron *child)
{
  return wn_split_step(&m, e, child);
}

static __device__ __forceinline__ void wn_gpu_name(const struct wn_split &m,
                                                   struct wn_split_electron &e)
{
  wn_split_name(&m, &e);
}

static __device__ __forceinline__ void wn_gpu_name(const struct wn_rectangle &,
                                                   struct wn_electron &)
{
}

static __device__ __forceinline__ void wn_gpu_name(const struct wn_box &,
                                                   struct wn_box_electron &)
{
}

template <class A, class S, class H> struct wn_gpu_synthetic {
  typedef A Args;
  typedef H Hot;
  struct Reg {
    struct wn_electron e;
  };
  static const int service = 4, gather = 32, burst = 8, registers = 88;
  static const bool cold = false, has_events = false;
  static __device__ __forceinline__ bool settled(const struct wn_electron &e, int what)
  {
    return (what & WN_GPU_DEAD) != 0 || !(e.t_left > 0.0f);
  }
  static __device__ __forceinline__ void load(const Args &m, const struct wn_electron &e,
                                              Hot &h)
  {
    wn_gpu_begin(m, e, h);
  }
  static __device__ __forceinline__ int end_of_step(int what, struct wn_tally &t)
  {
    static_assert(WN_RECTANGLE_CHILD == WN_SPLIT_CHILD &&
                      WN_BOX_CHILD == WN_SPLIT_CHILD &&
                      WN_RECTANGLE_DEAD == WN_SPLIT_DEAD,
                  "one meaning of what a step returns");
    static_assert(sizeof(S) == sizeof(struct wn_electron), "one store for all models");
    t.n_candidates++;
    if (what == WN_SPLIT_CHILD) {
      t.n_births++;
      return WN_GPU_STEP | WN_GPU_CHILD;
    }
    if (what == WN_SPLIT_DEAD) {
      t.n_deaths++;
      return WN_GPU_STEP | WN_GPU_DEAD;
    }
    return WN_GPU_STEP;
  }
  struct Ticket {
  };
  static __device__ __forceinline__ int fly(const Args &m, struct wn_electron &e, Hot &h,
                                            struct wn_tally &t, Ticket &,
                                            struct wn_electron *child, unsigned int turn)
  {
    return end_of_step(wn_gpu_one_step(m, (S *)&e, (S *)child, h, turn), t);
  }
  static __device__ __forceinline__ void name(const Args &m, struct wn_electron &child)
  {
    wn_gpu_name(m, *(S *)&child);
  }
  static __device__ __forceinline__ bool is_slow(const Hot &)
  {
    return true;
  }
  template <int> static __device__ __forceinline__ void arrive(const Args &, Hot &)
  {
  }
  template <int>
  static __device__ __forceinline__ int event(const Args &, struct wn_electron &, Hot &,
                                              struct wn_tally &, const Ticket &,
                                              struct wn_electron *)
  {
    return 0; /* fly never asks for it */
  }
  static __device__ __forceinline__ void finish(const Args &, struct wn_electron &, Hot &,
                                                int, struct wn_tally &)
  {
  }
  static __device__ __forceinline__ void load(const Args &, Reg &)
  {
  }
  static __device__ __forceinline__ int advance(const Args &m, Reg &r, struct wn_tally &t,
                                                struct wn_electron *child)
  {
    return end_of_step(wn_gpu_one_step(m, (S *)&r.e, (S *)child), t);
  }
};

struct wn_gpu_split_remove
    : wn_gpu_synthetic<struct wn_split, struct wn_split_electron, struct wn_gpu_words> {
  static const int registers = 80;
  static const Args &args(const struct wn_model &m)
  {
    return m.split;
  }
};

struct wn_gpu_rectangle
    : wn_gpu_synthetic<struct wn_rectangle, struct wn_electron, struct wn_gpu_nothing> {
  static const Args &args(const struct wn_model &m)
  {
    return m.rectangle;
  }
};

struct wn_gpu_box
    : wn_gpu_synthetic<struct wn_box, struct wn_box_electron, struct wn_gpu_nothing> {
  static const Args &args(const struct wn_model &m)
  {
    return m.box;
  }
};

/* Call f(a model struct, its arguments) for the model that runs; the arguments carry
 * device pointers (wn_gpu_model). */
template <class F> int wn_gpu_dispatch(const struct wn_model &m, F f)
{
  if (m.ops == &wn_model_mcc)
    return f(wn_gpu_mcc(), wn_gpu_mcc::args(m));
  if (m.ops == &wn_model_rectangle)
    return f(wn_gpu_rectangle(), wn_gpu_rectangle::args(m));
  if (m.ops == &wn_model_box)
    return f(wn_gpu_box(), wn_gpu_box::args(m));
  return f(wn_gpu_split_remove(), wn_gpu_split_remove::args(m));
}

/* The same, with the models made for the commonest scenarios: more to compile, less to
 * run. */
template <class F> int wn_gpu_dispatch_fast(const struct wn_model &m, F f)
{
  const struct wn_xs_view &xs = m.mcc.xs;
  if (m.ops == &wn_model_mcc && !m.mcc.has_b && xs.angle_model == WN_ANGLE_ISOTROPIC &&
      xs.share_model == WN_SHARING_EQUAL)
    return f(wn_gpu_mcc_swarm(), wn_gpu_mcc_swarm::args(m));
  if (m.ops == &wn_model_mcc && !m.mcc.has_b && xs.angle_model == WN_ANGLE_OKHRIMOVSKYY &&
      xs.share_model == WN_SHARING_RBEB)
    return f(wn_gpu_mcc_runaway(), wn_gpu_mcc_runaway::args(m));
  return wn_gpu_dispatch(m, f);
}

#endif
