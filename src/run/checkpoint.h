/* src/run/checkpoint.h - when a run saves itself, and how another goes on from there.
 *
 * OUTPUT.ckpt holds, in this order: what program and scenario wrote it (head), which records of
 * the output were written by then, and the case in hand with all that its next step depends on
 * (wn_sim_state, the job, its diagnostics).  Cases that are over are in the output alone. */
#ifndef WN_SRC_RUN_CHECKPOINT_H
#define WN_SRC_RUN_CHECKPOINT_H
#include <stddef.h>
#include <stdint.h>
#include "src/config/config.h"
#include "src/io/checkpoint_file.h"
#include "src/io/output.h"

/* Where in a run it is. */
struct wn_place {
  uint64_t point, i_case; /* of the scan; of all cases */
};

/* ---- saving */

/* Of a run. */
struct wn_saver {
  const struct wn_config *c;
  char *path;    /* OUTPUT.ckpt */
  char *same;    /* wn_same_text */
  char *history; /* of the output */
  double start, last,
      last_step; /* s: wn_clock_now of the beginning, of the last checkpoint,
                                    of the end of the last step */
  double longest_step, longest_write; /* s */
  size_t steps;                       /* made by this program */
  int is_written; /* one is there that this run has made, or come from */
};

/* c as long as this lives; start: when the program began, s of wn_clock_now.  WN_ENOMEM, and the
 * errors of wn_same_text. */
int wn_saver_init(struct wn_saver *k, const struct wn_config *c, double start);
void wn_saver_clear(struct wn_saver *k);

/* Steps follow: what came before was none. */
void wn_saver_begin(struct wn_saver *k);
/* After a step, with `bytes` of particles: what is due. */
enum wn_saver_due { WN_DUE_NOTHING, WN_DUE_SAVE, WN_DUE_SAVE_AND_END };
enum wn_saver_due wn_saver_step(struct wn_saver *k, double bytes);
/* While others make steps: what is due by the clock. */
enum wn_saver_due wn_saver_wait(struct wn_saver *k);
/* A signal ends the run: is it worth a checkpoint? */
int wn_saver_is_worth_it(const struct wn_saver *k);

/* Save; `rest` saves the case in hand.  Errors: wn_checkpoint_write; they need not end a run. */
int wn_saver_save(struct wn_saver *k, const struct wn_place *place, struct wn_output *o,
                  wn_checkpoint_walk *rest, void *ctx);

/* ---- going on */

struct wn_restart {
  struct wn_checkpoint file;
  char *path;    /* of the file that is used */
  char *of;      /* the output that it belongs to */
  char *history; /* of that output */
  struct wn_place place;
};

/* from: a file, or "auto": that beside the output.  Where it is damaged the one before it is used,
 * which is said.  What follows in (*out)->file.state is the output's and then that of `rest`.
 * *out is NULL where auto finds nothing to go on from; and where the output is complete, and
 * nothing is left to do: *is_over.  Both are said.
 *   WN_EINPUT  no file is whole, or it is of another program or scenario */
int wn_restart_open(const char *from, const struct wn_config *c, struct wn_restart **out,
                    int *is_over);
void wn_restart_free(struct wn_restart *r);

#endif
