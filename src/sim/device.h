/* src/sim/device.h - where a scenario runs and who advances its electrons: what the keys
 * device, scheduler, threads and block_size mean on this machine.  This is the one place
 * that decides. */
#ifndef WN_SRC_SIM_DEVICE_H
#define WN_SRC_SIM_DEVICE_H
#include <stdio.h>
#include "schedulers/scheduler.h"
#include "src/config/config.h"

struct wn_device_plan {
  enum wn_device device;
  const struct wn_scheduler_ops *ops;  /* NULL: none for this device is built in */
  struct wn_scheduler_options options; /* gpu: for whoever opens it */
  int gpu;                             /* which, counted from 0 */
  /* Why the GPU that was wanted cannot be used; empty: it can, or none was wanted. */
  char no_gpu[256];
};

/* WN_EINPUT: no such scheduler.  A GPU that is asked for and cannot be used is no error
 * here: for a forecast. */
int wn_device_plan(const struct wn_config *c, struct wn_device_plan *out);

/* A GPU that may be wanted begins to awake, where there are tables to be made meanwhile, in a thread of its own, as that takes a quarter of a
 * second; until it is awake nobody asks about devices.  Nothing fails here: those who ask find
 * out. */
void wn_device_wake(const struct wn_config *c);
void wn_device_awake(void); /* waits */

/* As wn_device_plan, for a run: WN_EINPUT with the reason and what to do when what was asked for
 * cannot be used. */
int wn_device_choose(const struct wn_config *c, struct wn_device_plan *out);

/* Say once what the user may not expect: that there is a GPU, or none. */
void wn_device_announce(const struct wn_config *c, const struct wn_device_plan *p);

/* One line for people: the GPU, or the processor and the threads; and the scheduler. */
int wn_device_text(const struct wn_device_plan *p, char *text, size_t n);

/* `wilson list devices` */
int wn_device_list(FILE *to);

#endif
