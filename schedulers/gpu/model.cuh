/* schedulers/gpu/model.cuh - what a kernel asks of a model.
 *
 * A model M is a struct of the following, all static.  The twelve schedulers of the
 * study, whose threads keep one electron each, ask for this and nothing else:
 *
 *   ops()      the model's other side: schedulers/model.h
 *   Args       what holds for all electrons: the data of the model, a kernel parameter,
 *              with device pointers inside
 *   fits       (args) can this M do it?  of an M that is made for the commonest scenarios
 *   special    it is such an M, for those who take the longer list: models.cuh
 *   Record     an electron as it is stored
 *   Reg        the same in registers: its member e is the record, up to date after a
 *              mobility step
 *   gather     (args, e) the beginning of a phase: what e holds of its field
 *   load       (args, r) begin a mobility step of r.e
 *   advance    (args, r, tally, child) a bounded piece of work; returns
 *                WN_GPU_CHILD  *child was filled
 *                WN_GPU_STEP   a mobility step is over: r.e is up to date, and
 *                              r.e.t_left > 0 says that more are to come, beginning with
 *                              load
 *                WN_GPU_DEAD   r.e is final
 *   registers  a thread
 *   Flights    the same work in pieces, for `dynamic` and `rounds`
 *
 * Those two gather the lanes of a warp (a block) between the pieces.  F = M::Flights has
 *
 *   Args, Record
 *   Hot        what an electron has in registers beside its record e, which need not be
 *              up to date before finish
 *   Ticket     goes from a flight to its event
 *   Kind       which code runs, and where the tables are:
 *     kind       (args)
 *     near_bytes, near_kind, bring_near   with copies of some tables in shared memory,
 *     sums_near, near_sums, near_groups, near_cell  and, if so, sums of the block behind them
 *   load       (args, e, h) begin a mobility step
 *   prepare    (args, e, h) before `burst` flights at the most
 *   fly        (args, kind, e, h, tally, ticket, child) a flight; returns 0 (there is
 *              another), the bits of advance, or WN_GPU_EVENT and nothing else: event is
 *              to follow, which says the rest
 *   arrive     (args, e, h) after a flight that returned anything
 *   event      (args, kind, e, h, tally, ticket, child) what happens at the end of a
 *              flight; returns 0, the bits of advance, or WN_GPU_RARE and nothing else:
 *              it has done nothing, and rare is to do it
 *   rare       (args, e, aside) a function of its own, with the electron in memory
 *              (Aside), so that the kernel needs no registers for it;
 *   rare_here  the same as a part of the kernel that calls it
 *   newborn    (e, child) the child of e, of the flight or event before, which may have
 *              filled child or not
 *   name       (args, child) a newborn wants this before it is used or stored, which may
 *              be done later, for many together
 *   settled    (e, what) after WN_GPU_STEP: does this electron want its finish now?
 *   finish     (args, e, h, what, tally, near) after WN_GPU_STEP or WN_GPU_DEAD, `what` as it
 *              was returned: brings e up to date; returns WN_GPU_DEAD if it is dead now,
 *              by what or by the place that it came to, else 0
 *   has_events flights may return WN_GPU_EVENT
 *   service    how many electrons of a warp should wait for their finish
 *   burst      see prepare
 *   block      threads a block, when nothing else is asked for
 *   registers  a thread, for kernels that keep the electron there; event_registers: for
 *              the kernel of flight_kernel.cuh
 *   stack      newborns that a warp can hold, a power of two (without events)
 *   apart      what is rare may be done by a kernel of its own (apart.cuh), of rare_registers;
 *   Alone      the same F as the kernel of the flights wants it then
 *   in_slices  families of newborns are large: see wn_gpu_rounds
 *
 * A scheduler knows nothing else. */
#ifndef WN_SCHEDULERS_GPU_MODEL_CUH
#define WN_SCHEDULERS_GPU_MODEL_CUH
#include "physics/rng.h" /* before any other header of cuRAND */
#include "schedulers/model.h"

/* What became of an electron, in bits; and what its lane wants next, which is the same:
 * the state of a lane, see warp_queue.cuh. */
enum {
  WN_GPU_FLIES = 0, /* another flight */
  WN_GPU_STEP = 1,
  WN_GPU_DEAD = 2,
  WN_GPU_ENDED = WN_GPU_STEP | WN_GPU_DEAD, /* any of these: its finish */
  WN_GPU_CHILD = 4,
  WN_GPU_EVENT = 8,
  WN_GPU_RARE = 16,
  WN_GPU_IDLE = 32 /* of a lane alone: it has no electron */
};

/* What rare is called with: one address for all. */
template <class Hot, class Ticket, class Record> struct wn_gpu_aside {
  Hot h;
  Ticket ticket;
  struct wn_tally t;
  Record child;
};

#endif
