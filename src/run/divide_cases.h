/* src/run/divide_cases.h - a run of many cases on several processes (base/ranks.h), each of which has whole
 * cases: where a case has too few electrons to be worth dividing.
 *
 * Rank 0 gives the cases out in their order to whoever is free, itself among them; the others send
 * what they found: what was put into the output (wn_output_journal), the lines of the case, its
 * messages, and how it ended.  All of it takes effect in the order of the cases, so that the file,
 * the lines and the end of the run are those of one process: a case that fails or finds the store
 * full ends the run, and what comes after it is dropped.
 *
 * To the physics each process is alone: wn_divide_pays has been asked, and wn_ranks_part called.
 * Functions are called by all unless they say otherwise.  A checkpoint is that of one process: it
 * has the first case that is not over, whoever has it in hand; those behind it begin anew. */
#ifndef WN_SRC_RUN_DIVIDE_CASES_H
#define WN_SRC_RUN_DIVIDE_CASES_H
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "src/config/config.h"
#include "src/io/output.h"
#include "src/run/checkpoint.h"
#include "src/run/progress.h"

/* Before anything is divided among so many processes: *pays: cases are (key `divide`).  WN_EINPUT:
 * they should be, and cannot. */
int wn_divide_pays(const struct wn_scenarios *p, int ranks, int *pays);

/* Why the grid of a scenario cannot be divided (divide = "domains"), as in "takes no open sides"; NULL: it
 * can. */
const char *wn_divide_no_domains(const struct wn_config *c);

struct wn_divide;

/* Cases from `first` on, counted over the points of p.  o, progress: of this process, as long as it
 * lives; what is put into o goes to its journal until wn_divide_finish.  WN_ENOMEM. */
int wn_divide_create(const struct wn_scenarios *p, size_t first, struct wn_output *o,
                     struct wn_progress *progress, struct wn_divide **out);
void wn_divide_free(struct wn_divide *d); /* NULL: nothing */

/* Is this rank 0? */
int wn_divide_is_first(const struct wn_divide *d);

/* The next case of this process; 0: there is none. */
int wn_divide_next(struct wn_divide *d, size_t *i);

/* It begins: where its lines go until wn_divide_end.  NULL: no memory, logged. */
FILE *wn_divide_begin(struct wn_divide *d, size_t i);

/* After each step of a case: rank 0 takes what has arrived; the others look whether they are asked
 * for the state of their case (rest, which ctx is for), or shall end.  Another status than WN_OK:
 * the case is given up, and the status of the run is that of wn_divide_finish. */
int wn_divide_poll(struct wn_divide *d, wn_checkpoint_walk *rest, void *ctx);

/* It is over, with a status; a signal [number, or 0] was why.  What it did:
 * candidates and real collisions. */
int wn_divide_end(struct wn_divide *d, size_t i, int status, int signal,
                  uint64_t candidates, uint64_t real);

/* Rank 0: a signal that another got; 0: none. */
int wn_divide_signal(const struct wn_divide *d);

/* Rank 0: a checkpoint; rest, ctx: of its own case.  As wn_saver_save. */
int wn_divide_save(struct wn_divide *d, struct wn_saver *saver, wn_checkpoint_walk *rest,
                   void *ctx);

/* Rank 0, after its last case: takes what has arrived, waits a moment, and says whether something is
 * still in hand; 0 at once for the others.  *status: what went wrong. */
int wn_divide_wait(struct wn_divide *d, int *status);

/* After the last case; status: another than WN_OK ends the run now.  Rank 0 waits for what is still
 * in hand, and ends the others.  Returns the status of the run, the same to all. */
int wn_divide_finish(struct wn_divide *d, int status);

#endif
