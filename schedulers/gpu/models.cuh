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
 * - kind: of code, and where the tables are; near_kind: with copies of some in shared
 * memory, near_bytes, that bring_near makes.
 *
 * - fly: returns WN_GPU_EVENT (and nothing else) when event is to follow, which says the
 * rest; the ticket goes from one to the other.
 *
 * - prepare: before `burst` flies at the most.
 *
 * - newborn: the child of e, of the fly or event before, which may have filled *child or
 * not.
 *
 * - name: a newborn that fly or event made wants this before it is used or stored, which
 * may be done later, for many together.
 *
 * - arrive: after a fly that returned anything.
 *
 * - event: what happens at the end of a flight; returns WN_GPU_RARE (and nothing else)
 * when it has done nothing, and rare is to do it: a function of its own, with the
 * electron in memory (Aside), so that the kernel needs no registers for it.
 *
 * - finish: after WN_GPU_STEP or WN_GPU_DEAD, bring e up to date; what: as it was
 * returned.
 *
 * - settled: after WN_GPU_STEP: does this electron want its finish now?
 *
 * - service: how many electrons of a warp should wait for their finish.
 *
 * - has_events: fly may return WN_GPU_EVENT.
 *
 * - stack: newborns that a warp can hold, a power of two.
 *
 * - in_slices: families of newborns are large: see wn_gpu_rounds.
 *
 * - registers: a thread, for kernels that keep their electron; event_registers: for the
 * one of events.cuh.  block: threads a block, when nothing else is asked for.
 *
 * A scheduler knows nothing else. */
#ifndef WN_SCHEDULERS_GPU_MODELS_CUH
#define WN_SCHEDULERS_GPU_MODELS_CUH
#include "physics/rng.h" /* before any other header of cuRAND */
#include "device/gpu.h"
#include "physics/mcc_flight.h"
#include "physics/mcc_collide.h"

enum {
  WN_GPU_STEP = 1,
  WN_GPU_DEAD = 2,
  WN_GPU_CHILD = 4,
  WN_GPU_EVENT = 8,
  WN_GPU_RARE = 16
};

/* What rare is called with: one address for all. */
template <class Hot, class Ticket> struct wn_gpu_aside {
  Hot h;
  Ticket ticket;
  struct wn_tally t;
  struct wn_electron child;
};

/* kind: which code runs, if that is known when this is compiled; -1: as the scenario
 * says. */
template <int has_b, int angle_model, int share_model> struct wn_gpu_mcc_of {
  typedef struct wn_mcc Args;
  struct Hot {
    struct wn_mcc_reg r;
  };
  struct Reg {
    struct wn_electron e;
    Hot h;
  };
  static const int service = 8, burst = 1;
  static const int registers = has_b < 0                           ? 128
                               : angle_model == WN_ANGLE_ISOTROPIC ? 80
                                                                   : 104;
  static const int event_registers = has_b < 0                           ? 168
                                     : angle_model == WN_ANGLE_ISOTROPIC ? 72
                                                                         : 96;
  /* one fills a multiprocessor */
  static const int block = 16384 / (32 * event_registers) * 128;
  static const bool has_events = true, in_slices = false;
  static const Args &args(const struct wn_model &m)
  {
    return m.mcc;
  }
  typedef struct wn_mcc_kind Kind;
  static __device__ __forceinline__ Kind kind(const Args &m, int part = WN_MCC_ALL)
  {
    Kind k = {has_b < 0 ? m.has_b : has_b,
              angle_model < 0 ? m.xs.angle_model : angle_model,
              share_model < 0 ? m.xs.share_model : share_model,
              part,
              m.xs.top,
              m.xs.normal};
    return k;
  }
  /* Copies in shared memory of the tables from which each lane reads another place: there
   * that costs as many cycles as lanes meet in a bank, in the cache as there are lanes.
   */
  static __host__ __device__ size_t near_bytes(const Args &m)
  {
    return (sizeof(float) * WN_XS_NORMALS +
            sizeof(struct wn_xs_top) * (size_t)m.xs.n_bins + 15) /
           16 * 16;
  }
  static __device__ __forceinline__ Kind near_kind(const Args &m, void *shared)
  {
    Kind k = kind(m);
    k.normal = (const float *)shared;
    k.top = (const struct wn_xs_top *)((const float *)shared + WN_XS_NORMALS);
    return k;
  }
  static __device__ void bring_near(const Args &m, void *shared)
  {
    float *normal = (float *)shared;
    struct wn_xs_top *top = (struct wn_xs_top *)(normal + WN_XS_NORMALS);
    for (int i = (int)threadIdx.x; i < WN_XS_NORMALS; i += (int)blockDim.x)
      normal[i] = m.xs.normal[i];
    for (int i = (int)threadIdx.x; i < m.xs.n_bins; i += (int)blockDim.x)
      top[i] = m.xs.top[i];
  }
  static __device__ __forceinline__ struct wn_electron
  newborn(const struct wn_electron &, const struct wn_electron &child)
  {
    return child;
  }
  static __device__ __forceinline__ void name(const Args &, struct wn_electron &)
  {
  }
  static __device__ __forceinline__ bool settled(const struct wn_electron &, int)
  {
    return true;
  }
  /* Until finish, fields of e whose present values are in h.r hold what is seldom wanted,
   * so that it takes no register: t_next the group, u the way moved. */
  static __device__ __forceinline__ void moved_out(struct wn_electron &e, const Hot &h)
  {
    for (int i = 0; i < 3; i++)
      e.u[i] = h.r.moved[i];
  }
  static __device__ __forceinline__ void moved_in(const struct wn_electron &e, Hot &h)
  {
    for (int i = 0; i < 3; i++)
      h.r.moved[i] = e.u[i];
  }
  static __device__ __forceinline__ void load(const Args &m, struct wn_electron &e,
                                              Hot &h)
  {
    wn_mcc_load(&m, &e, &h.r);
    moved_out(e, h);
    e.t_next = __uint_as_float((e.tag & WN_TAG_LINEAGE_MASK) % (uint32_t)m.n_groups);
  }
  static __device__ __forceinline__ int group(const struct wn_electron &e)
  {
    return __float_as_int(e.t_next);
  }
  static_assert((int)WN_MCC_DONE == WN_GPU_STEP && (int)WN_MCC_DEAD == WN_GPU_DEAD &&
                    (int)WN_MCC_CHILD == WN_GPU_CHILD &&
                    (int)WN_MCC_EVENT == WN_GPU_EVENT && (int)WN_MCC_RARE == WN_GPU_RARE,
                "one meaning of what happened");
  typedef uint32_t Ticket; /* word of the choice */
  static __device__ __forceinline__ void prepare(const Args &, const struct wn_electron &,
                                                 Hot &)
  {
  }
  static __device__ __forceinline__ int fly(const Args &m, const Kind &k,
                                            struct wn_electron &e, Hot &h,
                                            struct wn_tally &t, Ticket &ticket,
                                            struct wn_electron *)
  {
    struct wn_mcc_ticket all;
    if (k.has_b)
      moved_in(e, h);
    int what = wn_mcc_flights(&m, k, &h.r, &e, group(e), &t, &all);
    if (k.has_b)
      moved_out(e, h);
    ticket = all.choice; /* all.event is e.event - 1 */
    return what;
  }
  static __device__ __forceinline__ void arrive(const Args &m, struct wn_electron &e,
                                                Hot &h)
  {
    if (!kind(m).has_b) {
      moved_in(e, h);
      wn_mcc_commit(&m, &h.r);
      moved_out(e, h);
    }
  }
  static __device__ __forceinline__ int event(const Args &m, const Kind &kind,
                                              struct wn_electron &e, Hot &h,
                                              struct wn_tally &t, const Ticket &ticket,
                                              struct wn_electron *child)
  {
    Kind k = kind;
    k.part = WN_MCC_COMMON;
    return wn_mcc_collide(&m, k, &h.r, &e, group(e), &t, child, e.event - 1, ticket);
  }
  typedef struct wn_gpu_aside<Hot, Ticket> Aside;
  static __device__ __noinline__ int rare(const Args &m, const struct wn_electron &e,
                                          Aside &a)
  {
    moved_in(e, a.h);
    return wn_mcc_collide(&m, kind(m, WN_MCC_REST), &a.h.r, &e, group(e), &a.t, &a.child,
                          e.event - 1, a.ticket);
  }
  static __device__ __forceinline__ int work(const Args &m, struct wn_electron &e, Hot &h,
                                             struct wn_tally &t,
                                             struct wn_electron *child)
  {
    Ticket ticket;
    int what = fly(m, kind(m), e, h, t, ticket, child);
    if (what != 0)
      arrive(m, e, h);
    if (!(what & WN_GPU_EVENT))
      return what;
    moved_in(e, h);
    return wn_mcc_collide(&m, kind(m), &h.r, &e, group(e), &t, child, e.event - 1,
                          ticket);
  }
  static __device__ __forceinline__ void finish(const Args &m, struct wn_electron &e,
                                                Hot &h, int what, struct wn_tally &t)
  {
    moved_in(e, h);
    wn_mcc_store(&m, &h.r, &e, group(e), &t);
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

/* The synthetic models: a mobility step is one piece of work, Self::step(). */
struct wn_gpu_nothing {
};

template <class Self, class A, class S, class H> struct wn_gpu_synthetic {
  typedef A Args;
  typedef H Hot;
  struct Reg {
    struct wn_electron e;
  };
  static const int service = 4, burst = 4, stack = 64, block = 128, registers = 88;
  static const bool has_events = false, in_slices = true;
  static __device__ __forceinline__ bool settled(const struct wn_electron &e, int what)
  {
    return (what & WN_GPU_DEAD) != 0 || !(e.t_left > 0.0f);
  }
  static __device__ __forceinline__ void load(const Args &, const struct wn_electron &,
                                              Hot &)
  {
  }
  static __device__ __forceinline__ int end_of_step(int what, struct wn_tally &t)
  {
    static_assert(WN_RECTANGLE_CHILD == WN_SPLIT_CHILD &&
                      WN_BOX_CHILD == WN_SPLIT_CHILD &&
                      WN_RECTANGLE_DEAD == WN_SPLIT_DEAD,
                  "one meaning of what a step returns");
    static_assert(sizeof(S) == sizeof(struct wn_electron), "one store for all models");
    static_assert((int)WN_SPLIT_CHILD == WN_GPU_CHILD &&
                      (int)WN_SPLIT_DEAD == WN_GPU_DEAD,
                  "and one with the kernels");
    t.n_candidates++;
    t.n_births += what == WN_SPLIT_CHILD;
    t.n_deaths += what == WN_SPLIT_DEAD;
    return WN_GPU_STEP | what;
  }
  struct Ticket {
  };
  struct Kind {
  };
  static __device__ __forceinline__ Kind kind(const Args &)
  {
    return Kind();
  }
  static __device__ __forceinline__ void prepare(const Args &, const struct wn_electron &,
                                                 Hot &)
  {
  }
  static __device__ __forceinline__ int fly(const Args &m, const Kind &,
                                            struct wn_electron &e, Hot &,
                                            struct wn_tally &t, Ticket &,
                                            struct wn_electron *child)
  {
    return end_of_step(Self::step(m, (S *)&e, (S *)child), t);
  }
  static __device__ __forceinline__ struct wn_electron
  newborn(const struct wn_electron &, const struct wn_electron &child)
  {
    return child;
  }
  static __device__ __forceinline__ void name(const Args &, struct wn_electron &)
  {
  }
  static __device__ __forceinline__ void arrive(const Args &, struct wn_electron &, Hot &)
  {
  }
  static __device__ __forceinline__ int event(const Args &, const Kind &,
                                              struct wn_electron &, Hot &,
                                              struct wn_tally &, const Ticket &,
                                              struct wn_electron *)
  {
    return 0; /* fly never asks for it */
  }
  typedef struct wn_gpu_aside<Hot, Ticket> Aside;
  static __device__ __forceinline__ int rare(const Args &, const struct wn_electron &,
                                             Aside &)
  {
    return 0;
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
    return end_of_step(Self::step(m, (S *)&r.e, (S *)child), t);
  }
};

/* split-remove uses one random word a step, four of which are one block of Philox.  The
 * electrons of a warp come to the end of their blocks at different steps; that they
 * still draw together, before four steps, each has the block that begins next and what is
 * left of the present one. */
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

struct wn_gpu_split_remove
    : wn_gpu_synthetic<struct wn_gpu_split_remove, struct wn_split,
                       struct wn_split_electron, struct wn_gpu_words> {
  static const int service = 8, block = 256, registers = 80;
  static const Args &args(const struct wn_model &m)
  {
    return m.split;
  }
  static __device__ __forceinline__ bool settled(const struct wn_electron &e, int)
  {
    return !(e.t_left > 0.0f); /* nor has a dead one */
  }
  static __device__ __forceinline__ void prepare(const Args &m,
                                                 const struct wn_electron &e, Hot &h)
  {
    h.next = wn_split_words(&m, e.id, e.event + 3);
  }
  /* Steps are counted for an electron at once, where its flights end.  A newborn is made
   * of its parent when it is asked for, so that it takes no registers. */
  static __device__ __forceinline__ int fly(const Args &m, const Kind &,
                                            struct wn_electron &e, Hot &h,
                                            struct wn_tally &, Ticket &,
                                            struct wn_electron *)
  {
    struct wn_split_electron *s = (struct wn_split_electron *)&e;
    return WN_GPU_STEP | wn_split_step_with(&m, s, wn_gpu_next_word(h, e.event));
  }
  static __device__ __forceinline__ struct wn_electron
  newborn(const struct wn_electron &e, const struct wn_electron &)
  {
    struct wn_split_electron child =
        wn_split_newborn((const struct wn_split_electron *)&e);
    return *(struct wn_electron *)&child;
  }
  static __device__ __forceinline__ void name(const Args &m, struct wn_electron &child)
  {
    wn_split_name(&m, (struct wn_split_electron *)&child);
  }
  static __device__ __forceinline__ void finish(const Args &, struct wn_electron &e,
                                                Hot &h, int, struct wn_tally &t)
  {
    t.n_candidates += e.event - h.first;
  }
  /* turn: 0 before the first step.  The threads of a warp count theirs together, so that
   * here, too, they draw together. */
  struct Reg {
    struct wn_electron e;
    Hot h;
    unsigned int turn = 0;
  };
  static __device__ __forceinline__ void load(const Args &m, const struct wn_electron &e,
                                              Hot &h)
  {
    h.first = e.event;
    if (e.event % 4 != 0)
      wn_gpu_words_left(h, wn_split_words(&m, e.id, e.event), e.event);
  }
  static __device__ __forceinline__ void load(const Args &, Reg &)
  {
  }
  static __device__ __forceinline__ int advance(const Args &m, Reg &r, struct wn_tally &t,
                                                struct wn_electron *child)
  {
    struct wn_split_electron *e = (struct wn_split_electron *)&r.e;
    if (r.turn % 4 == 0) {
      /* the first step uses the present block, and the second draws the next */
      const bool first = r.turn == 0;
      r.h.next = wn_split_words(&m, e->id, e->event + (first ? 0 : 3));
      if (first) {
        wn_gpu_words_left(r.h, r.h.next, e->event);
        r.turn = 3;
      }
    }
    r.turn++;
    int what = wn_split_step_with(&m, e, wn_gpu_next_word(r.h, e->event));
    if (what == WN_SPLIT_CHILD) {
      *child = newborn(r.e, r.e);
      name(m, *child);
    }
    return end_of_step(what, t);
  }
};

struct wn_gpu_rectangle : wn_gpu_synthetic<struct wn_gpu_rectangle, struct wn_rectangle,
                                           struct wn_electron, struct wn_gpu_nothing> {
  static __device__ __forceinline__ int step(const Args &m, struct wn_electron *e,
                                             struct wn_electron *child)
  {
    return wn_rectangle_step(&m, e, child);
  }
  static const Args &args(const struct wn_model &m)
  {
    return m.rectangle;
  }
};

struct wn_gpu_box : wn_gpu_synthetic<struct wn_gpu_box, struct wn_box,
                                     struct wn_box_electron, struct wn_gpu_nothing> {
  static __device__ __forceinline__ int step(const Args &m, struct wn_box_electron *e,
                                             struct wn_box_electron *child)
  {
    return wn_box_step(&m, e, child);
  }
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
