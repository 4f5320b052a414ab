/* src/run/signals.h - what is asked of a run by signals: to end after the step in hand (SIGINT, SIGTERM), and
 * to save itself (SIGUSR1). */
#ifndef WN_SRC_RUN_SIGNALS_H
#define WN_SRC_RUN_SIGNALS_H

/* From here on they are taken, until wn_signals_end; a second one of those that end the run ends the
 * program at once. */
void wn_signals_begin(void);
void wn_signals_end(void);

int wn_signals_stopped(void);        /* the number of one that ends the run; 0: none */
void wn_signals_stop(int number);    /* as if it had come; 0: nothing */
int wn_signals_save_requested(void); /* a checkpoint is wanted, and was not made yet */
void wn_signals_save_done(void);

/* What came to one of several ranks came to all, which call this together. */
void wn_signals_share(void);

/* WN_ERUN, logged, where the run shall end. */
int wn_signals_interrupted(void);

#endif
