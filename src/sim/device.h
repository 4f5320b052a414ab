/* src/sim/device.h - the device of a run and the scheduler of its electrons: the meaning
 * of the keys device, scheduler, threads and block_size on this machine.  Decided here
 * alone. */
#ifndef WN_SRC_SIM_DEVICE_H
#define WN_SRC_SIM_DEVICE_H
#include <stdio.h>
#include "schedulers/scheduler.h"
#include "src/config/config.h"

struct wn_device_plan {
  enum wn_device device;
  const struct wn_scheduler_ops *ops;  /* NULL: none for this device is built in */
  struct wn_scheduler_options options; /* gpu: set when the GPU is opened */
  int gpu;                             /* its number, from 0 */
  int in_batches; /* the particles stay on the host, and visit the GPU */
  char residence
      [400]; /* where they stay, and why; empty: on the CPU, or not model plasma */
  /* Why the requested GPU cannot be used; empty: it can, or none was requested. */
  char no_gpu[256];
};

/* Of a run whose particles so many processes divide.  WN_EINPUT: no such scheduler, or a part of
 * the scenario is not available there (src/config/available.h).  A requested GPU that cannot be
 * used is no error here: for a forecast. */
int wn_device_plan(const struct wn_config *c, int processes, struct wn_device_plan *out);

/* Start the driver of GPUs in a thread of its own, while MPI starts, which takes as long; only
 * where this process is one of several.  The scenario's device is not known yet.
 * wn_device_wake or wn_device_awake waits for it. */
void wn_device_start_driver(void);

/* Start the driver of a GPU that the run may use, in a thread of its own, while tables
 * are made: it takes a quarter of a second.  No other call about devices may come before
 * wn_device_awake.  Failures are reported by the later calls that use the GPU. */
void wn_device_wake(const struct wn_config *c);
void wn_device_awake(void); /* waits for that thread */

/* As wn_device_plan, for a run: WN_EINPUT with the reason and the remedy when the
 * requested device cannot be used. */
int wn_device_choose(const struct wn_config *c, struct wn_device_plan *out);

/* Log once what the user may not expect: that there is a GPU, or none. */
void wn_device_announce(const struct wn_config *c, const struct wn_device_plan *p);

/* One line of text: the GPU, or the processor and the threads; and the scheduler. */
int wn_device_text(const struct wn_device_plan *p, char *text, size_t n);

/* `wilson list devices` */
int wn_device_list(FILE *to);

#endif
