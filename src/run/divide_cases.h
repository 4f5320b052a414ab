/* src/run/divide_cases.h - a run of many cases by several workers (src/run/workers.h), processes or threads,
 * each of which runs whole cases: used where a case has too few electrons to be divided itself.
 *
 * Worker 0 gives out the cases in order, to the next idle worker, itself included.  The others send
 * their results: output data (wn_output_journal), the lines of the case, log messages, and the status.
 * Results are merged in the order of the cases, so that file, lines and end of the run are those of a run
 * of one case after the other.  A case that fails, or fills the store, ends the run; results of later cases
 * are dropped.
 *
 * Within a case each worker works alone; of processes wn_divide_pays has returned 1, and wn_ranks_part was
 * called.  All workers call these functions in the same order, unless stated otherwise.  A checkpoint is
 * that of a run of one case after the other: it contains the first unfinished case, wherever it runs; later
 * cases start again. */
#ifndef WN_SRC_RUN_DIVIDE_CASES_H
#define WN_SRC_RUN_DIVIDE_CASES_H
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "src/config/config.h"
#include "src/io/output.h"
#include "src/run/checkpoint.h"
#include "src/run/progress.h"
#include "src/run/workers.h"
#include "src/sim/device.h"

/* Called before anything is divided among `ranks` processes.  *pays: whole cases are divided (key
 * `divide`).  WN_EINPUT: the key demands it, and it is not possible. */
int wn_divide_pays(const struct wn_scenarios *p, int ranks, int *pays);

/* Of a run in one process: how many of its threads run cases side by side (key `divide`); 1: one case
 * after the other.  By default only cases whose number of electrons is held, and at most a
 * million each. */
int wn_divide_beside(const struct wn_scenarios *p, const struct wn_device_plan *plan);

struct wn_divide;

/* Cases from `first` on, counted over the scan points of p.  o and progress belong to this worker
 * and must outlive *out; output goes to o's journal until wn_divide_finish.  WN_ENOMEM. */
int wn_divide_create(const struct wn_scenarios *p, size_t first,
                     const struct wn_worker *worker, struct wn_output *o,
                     struct wn_progress *progress, struct wn_divide **out);
void wn_divide_free(struct wn_divide *d); /* NULL: no effect */

/* In place of wn_divide_create, which failed with this status: the run ends with it. */
void wn_divide_decline(const struct wn_worker *worker, size_t first, int status);

/* Is this worker 0? */
int wn_divide_is_first(const struct wn_divide *d);
/* Are workers processes, each with signals of its own? */
int wn_divide_is_process(const struct wn_divide *d);
/* OpenMP threads of a case of this worker now; 0: workers are processes. */
int wn_divide_threads(const struct wn_divide *d);

/* The next case of this worker; 0: there are no more. */
int wn_divide_next(struct wn_divide *d, size_t *i);

/* A case begins.  Returns the stream for its lines until wn_divide_end; NULL: out of memory, logged. */
FILE *wn_divide_begin(struct wn_divide *d, size_t i);

/* After each step of a case: worker 0 receives reports; the others answer requests for the
 * state of their case (rest, called with ctx) and the order to end.  Another status than WN_OK:
 * the case is aborted, and wn_divide_finish returns the status of the run. */
int wn_divide_poll(struct wn_divide *d, wn_checkpoint_walk *rest, void *ctx);

/* A case has ended, with a status; signal [number, or 0]: its cause.  Counts of the case:
 * candidates and real collisions. */
int wn_divide_end(struct wn_divide *d, size_t i, int status, int signal,
                  uint64_t candidates, uint64_t real);

/* Worker 0: a signal that another process received; 0: none. */
int wn_divide_signal(const struct wn_divide *d);

/* Worker 0: a checkpoint; rest, ctx: of its own case.  Otherwise as wn_saver_save. */
int wn_divide_save(struct wn_divide *d, struct wn_saver *saver, wn_checkpoint_walk *rest,
                   void *ctx);

/* Worker 0, after its last case: receives reports, sleeps briefly, and returns whether cases are still
 * running; 0 at once on the others.  *status: the first error. */
int wn_divide_wait(struct wn_divide *d, int *status);

/* After the last case; a status other than WN_OK ends the run now.  Worker 0 waits for running
 * cases and ends the others.  Returns the status of the run, the same on all workers. */
int wn_divide_finish(struct wn_divide *d, int status);

#endif
