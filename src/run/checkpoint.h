/* src/run/checkpoint.h - when a run saves its state, and how another run continues from it.
 *
 * OUTPUT.ckpt holds, in this order: program and scenario (head), the list of records of the output
 * written so far, and the current case with all that its next step depends on (wn_sim_state, the job, its
 * diagnostics).  The results of finished cases are only in the output. */
#ifndef WN_SRC_RUN_CHECKPOINT_H
#define WN_SRC_RUN_CHECKPOINT_H
#include <stddef.h>
#include <stdint.h>
#include "src/config/config.h"
#include "src/io/checkpoint_file.h"
#include "src/io/output.h"

/* A position in a run. */
struct wn_place {
  uint64_t point, i_case; /* of the scan; counted over all cases */
};

/* ---- save */

/* Of a run. */
struct wn_saver {
  const struct wn_config *c;
  char *path;    /* OUTPUT.ckpt */
  char *same;    /* wn_same_text */
  char *history; /* of the output */
  double start, last,
      last_step; /* s: wn_clock_now at the start, at the last checkpoint, at the end of the last step */
  double longest_step, longest_write; /* s */
  size_t steps;                       /* in this program */
  int is_written; /* a checkpoint of this run exists, or it continued from one */
};

/* c must outlive k; start: when the program began, s of wn_clock_now.  WN_ENOMEM, and the errors
 * of wn_same_text. */
int wn_saver_init(struct wn_saver *k, const struct wn_config *c, double start);
void wn_saver_clear(struct wn_saver *k);

/* May a run that reads `inputs` write checkpoints for this output?  WN_EINPUT: a file of such a name is
 * one of them, or is no checkpoint; of a run that continues the checkpoint may be damaged. */
int wn_saver_allowed(const char *output, int continues, size_t n_inputs,
                     const char *const *inputs);

/* The steps begin: time spent so far is not that of a step. */
void wn_saver_begin(struct wn_saver *k);
/* After a step, with `bytes` of particle records: what is due. */
enum wn_saver_due { WN_DUE_NOTHING, WN_DUE_SAVE, WN_DUE_SAVE_AND_END };
enum wn_saver_due wn_saver_step(struct wn_saver *k, double bytes);
/* While other processes make steps: what is due by the clock. */
enum wn_saver_due wn_saver_wait(struct wn_saver *k);
/* When a signal ends the run: has it run long enough for a checkpoint? */
int wn_saver_is_worth_it(const struct wn_saver *k);

/* Saves; `rest` saves the current case.  Errors: wn_checkpoint_write; a run may ignore them. */
int wn_saver_save(struct wn_saver *k, const struct wn_place *place, struct wn_output *o,
                  wn_checkpoint_walk *rest, void *ctx);

/* ---- continue */

struct wn_restart {
  struct wn_checkpoint file;
  char *path;    /* of the file in use */
  char *of;      /* the output of that run */
  char *history; /* of that output */
  struct wn_place place;
};

/* from: a file, or "auto", which is the checkpoint beside the output.  A damaged file is replaced
 * by the one before it, with a warning.  (*out)->file.state is positioned at the state of the
 * output, which that of `rest` follows.  *out is NULL where auto finds no checkpoint, and where
 * the output is complete (*is_over).  Both are reported.
 *   WN_EINPUT  no valid file, or one of another program or scenario */
int wn_restart_open(const char *from, const struct wn_config *c, struct wn_restart **out,
                    int *is_over);
void wn_restart_free(struct wn_restart *r);

#endif
