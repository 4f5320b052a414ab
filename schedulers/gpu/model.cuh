/* schedulers/gpu/model.cuh - what kernels require of a model.
 *
 * A model M is a struct of the following, all static.  The twelve schedulers of the
 * study, whose threads keep one electron each, use nothing else:
 *
 *   ops()      host side of the model: schedulers/model.h
 *   Args       constants for all electrons: the data of the model, a kernel parameter,
 *              with device pointers
 *   fits       (args) does this M support the data?  For an M that is compiled for the
 *              commonest scenarios
 *   special    this M is one of these; used with the longer list: mcc_variants.cuh
 *   Record     an electron as it is stored
 *   Reg        the same in registers: its member e is the record, up to date after a
 *              mobility step
 *   gather     (args, e) beginning of a step: the field that e stores
 *   load       (args, r) begin a mobility step of r.e
 *   advance    (args, r, tally, child) a bounded piece of work; returns
 *                WN_GPU_CHILD  *child was filled
 *                WN_GPU_STEP   a mobility step is over: r.e is up to date, and
 *                              r.e.t_left > 0 means that more are to follow, beginning
 *                              with load
 *                WN_GPU_DEAD   r.e is final
 *   registers  per thread
 *   Flights    the same work in pieces, for `dynamic` and `rounds`
 *
 * These two schedulers regroup the lanes of a warp (a block) between the pieces.
 * F = M::Flights has
 *
 *   Args, Record
 *   Hot        data of an electron in registers beside its record e; e need not be up to
 *              date before finish
 *   Ticket     data passed from a flight to its event
 *   Kind       selects the code, and the place of the tables:
 *     kind       (args)
 *     near_bytes, near_kind, bring_near   with copies of some tables in shared memory,
 *     sums_near, near_sums, near_groups, near_cell  and sums of the block behind them
 *   load       (args, e, h) begin a mobility step
 *   prepare    (args, e, h) before at most `burst` flights
 *   fly        (args, kind, e, h, tally, ticket, child) a flight; returns 0 (another one
 *              follows), the bits of advance, or WN_GPU_EVENT alone: event follows and
 *              returns the bits
 *   arrive     (args, e, h) after a flight that returned anything but 0
 *   event      (args, kind, e, h, tally, ticket, child) the event at the end of a
 *              flight; returns 0, the bits of advance, or WN_GPU_RARE alone: nothing has
 *              been done, and rare follows
 *   rare       (args, e, deferred) a function that is not inlined, with the electron in
 *              memory (Deferred), so that the kernel needs no registers for it
 *   rare_here  the same, inlined in the calling kernel
 *   newborn    (e, child) the child of e from the last flight or event, which may have
 *              filled child or not
 *   name       (args, child) must be called before a newborn is used or stored; may be
 *              called later, for many newborns together
 *   settled    (e, what) after WN_GPU_STEP: does this electron need its finish now?
 *   finish     (args, e, h, what, tally, near) after WN_GPU_STEP or WN_GPU_DEAD, with
 *              `what` as returned: brings e up to date; returns WN_GPU_DEAD if the
 *              electron is dead, by `what` or by its new position, else 0
 *   has_events flights may return WN_GPU_EVENT
 *   service    number of electrons of a warp that should wait for finish
 *   burst      see prepare
 *   block      default number of threads in a block
 *   registers  per thread, for kernels that keep the electron there; event_registers: for
 *              the kernel of flight_kernel.cuh
 *   stack      newborns that a warp can hold, a power of two (without events)
 *   defers     rare events may be deferred to another kernel (deferred.cuh), which uses
 *              rare_registers
 *   Alone      the variant of F for the kernel of the flights in that case
 *   in_slices  newborns have many descendants: see wn_gpu_rounds
 *
 * A scheduler uses nothing else of a model. */
#ifndef WN_SCHEDULERS_GPU_MODEL_CUH
#define WN_SCHEDULERS_GPU_MODEL_CUH
#include "physics/rng.h" /* before any other header of cuRAND */
#include "schedulers/model.h"

/* Result of a piece of work, in bits.  It is also the state of the lane, which determines
 * its next piece of work: warp_queue.cuh. */
enum {
  WN_GPU_FLIES = 0, /* another flight */
  WN_GPU_STEP = 1,
  WN_GPU_DEAD = 2,
  WN_GPU_ENDED = WN_GPU_STEP | WN_GPU_DEAD, /* any of these: finish follows */
  WN_GPU_CHILD = 4,
  WN_GPU_EVENT = 8,
  WN_GPU_RARE = 16,
  WN_GPU_IDLE = 32 /* of a lane only: it has no electron */
};

/* Arguments of rare, behind one address. */
template <class Hot, class Ticket, class Record> struct wn_gpu_deferred_record {
  Hot h;
  Ticket ticket;
  struct wn_tally t;
  Record child;
};

#endif
