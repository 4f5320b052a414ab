/* schedulers/gpu/mcc_profiled.cu - see mcc_profiled.cuh.  The kernel is that of flight_kernel.cuh. */
#include "physics/rng.h" /* before any other header of cuRAND */
#include "schedulers/gpu/mcc_profiled.cuh"
#include "physics/mcc_profiled.h"
#include "schedulers/gpu/flight_kernel.cuh"
#include "schedulers/gpu/model_mcc.cuh"

/* What an electron has in registers, and what happens to it: with detectors alone, or in a profile. */
struct wn_gpu_detected {
  typedef struct wn_mcc_detected Hot;
  static const int banded = -1;
  static __device__ __forceinline__ void begin(const struct wn_mcc &m,
                                               const struct wn_electron &e, Hot &h)
  {
    wn_mcc_detected_begin(&m, &e, &h);
  }
  static __device__ __forceinline__ int flights(const struct wn_mcc &m,
                                                struct wn_mcc_kind kind,
                                                struct wn_electron &e, Hot &h, int group,
                                                struct wn_tally &t,
                                                struct wn_mcc_ticket &ticket)
  {
    return wn_mcc_flights(&m, kind, &h.r, &e, group, &t, &ticket);
  }
  static __device__ __forceinline__ void arrive(const struct wn_mcc &m,
                                                struct wn_mcc_kind kind,
                                                const struct wn_electron &e, Hot &h)
  {
    wn_mcc_detected_arrive(&m, kind, &e, &h);
  }
  static __device__ __forceinline__ void left(const struct wn_electron &e, Hot &h)
  {
    wn_mcc_detected_left(&e, &h);
  }
};

struct wn_gpu_profiled {
  typedef struct wn_mcc_profiled Hot;
  static const int banded = 1;
  static __device__ __forceinline__ void begin(const struct wn_mcc &m,
                                               const struct wn_electron &e, Hot &h)
  {
    wn_mcc_profiled_begin(&m, &e, &h);
  }
  static __device__ __forceinline__ int flights(const struct wn_mcc &m,
                                                struct wn_mcc_kind kind,
                                                struct wn_electron &e, Hot &h, int group,
                                                struct wn_tally &t,
                                                struct wn_mcc_ticket &ticket)
  {
    return wn_mcc_profiled_flights(&m, kind, &h, &e, group, &t, &ticket);
  }
  static __device__ __forceinline__ void arrive(const struct wn_mcc &m,
                                                struct wn_mcc_kind kind,
                                                const struct wn_electron &e, Hot &h)
  {
    wn_mcc_profiled_arrive(&m, kind, &e, &h);
  }
  static __device__ __forceinline__ void left(const struct wn_electron &, Hot &h)
  {
    wn_mcc_profiled_left(&h);
  }
};

/* Flights (model.cuh) of such electrons in any scenario.  Unlike those of model_mcc.cuh their records keep u and t_next. */
template <class Way>
struct wn_gpu_mcc_noting : wn_gpu_mcc_flights<-1, -1, -1, 0, Way::banded> {
  typedef wn_gpu_mcc_flights<-1, -1, -1, 0, Way::banded> Plain;
  typedef typename Plain::Args Args;
  typedef typename Plain::Record Record;
  typedef typename Plain::Kind Kind;
  typedef typename Plain::Ticket Ticket;
  typedef typename Way::Hot Hot;
  typedef struct wn_gpu_deferred_record<Hot, Ticket, Record> Deferred;

  static __device__ __forceinline__ int group_of(const Args &m, const Record &e)
  {
    return (int)wn_electron_group(e.tag, (uint32_t)m.n_groups);
  }
  static __device__ __forceinline__ void load(const Args &m, const Record &e, Hot &h)
  {
    Way::begin(m, e, h);
  }
  static __device__ __forceinline__ int fly(const Args &m, const Kind &k, Record &e,
                                            Hot &h, struct wn_tally &t, Ticket &ticket,
                                            Record *)
  {
    struct wn_mcc_ticket all;
    const int what = Way::flights(m, k, e, h, group_of(m, e), t, all);
    ticket = all.choice; /* all.event is e.event - 1 */
    return what;
  }
  static __device__ __forceinline__ void arrive(const Args &m, const Record &e, Hot &h)
  {
    Way::arrive(m, Plain::kind(m), e, h);
  }
  static __device__ __forceinline__ int event(const Args &m, const Kind &kind,
                                              const Record &e, Hot &h, struct wn_tally &t,
                                              const Ticket &ticket, Record *child)
  {
    Kind k = kind;
    k.part = WN_MCC_COMMON;
    const int what = wn_mcc_collide(&m, k, &h.r, &e, group_of(m, e), &t, child,
                                    e.event - 1, ticket);
    if (!(what & WN_MCC_RARE))
      Way::left(e, h);
    return what;
  }
  static __device__ __noinline__ int rare(const Args &m, const Record &e, Deferred &a)
  {
    const int what =
        wn_mcc_collide(&m, Plain::kind(m, WN_MCC_REST), &a.h.r, &e, group_of(m, e), &a.t,
                       &a.child, e.event - 1, a.ticket);
    Way::left(e, a.h);
    return what;
  }
  static __device__ __forceinline__ int finish(const Args &m, Record &e, Hot &h, int what,
                                               struct wn_tally &t,
                                               short near = WN_SUMS_CELLS)
  {
    Kind k = Plain::kind(m);
    k.near = near;
    const int dead =
        (what | wn_mcc_store(&m, k, &h.r, &e, what, group_of(m, e), &t)) & WN_GPU_DEAD;
    if (dead)
      e.t_left = WN_DEAD;
    return dead;
  }
};

static const struct wn_mcc &of(const struct wn_model *model)
{
  return *(const struct wn_mcc *)model->data;
}

int wn_gpu_mcc_is_profiled(const struct wn_model *model)
{
  const struct wn_mcc &m = of(model);
  return !m.in_grid && (!wn_profile_is_uniform(&m.profile) || m.crossings != NULL);
}

int wn_gpu_mcc_dynamic_profiled(struct wn_scheduler *s, const struct wn_model *model,
                                const struct wn_gpu_launch *l)
{
  struct wn_mcc m = of(model);
  if (m.crossings != NULL)
    m.crossings = wn_gpu_crossings_there(m.crossings->remote);
  return wn_profile_is_uniform(&m.profile)
             ? wn_gpu_start_events<wn_gpu_mcc_noting<wn_gpu_detected>>(s, *l, m)
             : wn_gpu_start_events<wn_gpu_mcc_noting<wn_gpu_profiled>>(s, *l, m);
}

int wn_gpu_mcc_near_profiled(const struct wn_model *model)
{
  return wn_gpu_is_near<wn_gpu_mcc_noting<wn_gpu_profiled>>(of(model));
}

int wn_gpu_mcc_begin_launch(const struct wn_model *model, struct wn_gpu_store *t,
                            size_t n)
{
  const struct wn_crossings *c = of(model).crossings;
  if (c == NULL)
    return WN_OK;
  if (c->remote == NULL)
    return WN_FAIL(WN_EINTERN, "detectors without a list on the GPU");
  return wn_gpu_crossings_begin(c->remote, t, n);
}

int wn_gpu_mcc_end_launch(const struct wn_model *model, struct wn_gpu_store *t, size_t n,
                          int *again)
{
  struct wn_crossings *c = of(model).crossings;
  *again = 0;
  return c == NULL ? WN_OK : wn_gpu_crossings_end(c->remote, t, n, c, again);
}
