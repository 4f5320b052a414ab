/* src/run/signals.h - requests to a run by signals: end after the current step (SIGINT, SIGTERM), write a
 * checkpoint (SIGUSR1). */
#ifndef WN_SRC_RUN_SIGNALS_H
#define WN_SRC_RUN_SIGNALS_H

/* At the start of the program: a request for a checkpoint does not end it, and is kept. */
void wn_signals_early(void);

/* Signals are caught from here on, until wn_signals_end; a second SIGINT or SIGTERM ends the program
 * at once. */
void wn_signals_begin(void);
void wn_signals_end(void);

int wn_signals_stopped(void);        /* number of the signal that ends the run; 0: none */
void wn_signals_stop(int number);    /* as if that signal had arrived; 0: no effect */
int wn_signals_save_requested(void); /* a checkpoint is requested, and not written yet */
void wn_signals_save_done(void);

/* Collective: a signal at one rank counts for all. */
void wn_signals_share(void);

/* WN_ERUN, logged, if a signal ends the run. */
int wn_signals_interrupted(void);

#endif
