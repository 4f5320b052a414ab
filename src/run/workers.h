/* src/run/workers.h - workers run whole cases of a run side by side (src/run/divide_cases.h): the
 * processes of MPI, or threads of one process.  They exchange messages with worker 0 only.
 *
 * Threads are a team.  Each has a part of the processors; a worker without further cases gives its part
 * to the others. */
#ifndef WN_SRC_RUN_WORKERS_H
#define WN_SRC_RUN_WORKERS_H
#include <stddef.h>

struct wn_team;

struct wn_worker {
  int me, n; /* 0 <= me < n */
  struct wn_team
      *team; /* NULL: workers are processes, by their ranks before wn_ranks_part */
};

/* This process. */
struct wn_worker wn_worker_of_rank(void);

/* Between worker 0 and another, in order for each pair.  receive: all bytes of the oldest message,
 * whose size is known; waits for it.  send may wait until it is received. */
void wn_worker_send(const struct wn_worker *w, int to, const void *data, size_t bytes);
void wn_worker_receive(const struct wn_worker *w, int from, void *data, size_t bytes);
/* Has a message arrived, and from which worker? */
int wn_worker_arrived(const struct wn_worker *w, int *from);

/* ---- threads */

/* Calls body(w, ctx[w->me]) for n workers: 0 in this thread, the others in threads of their own, fewer
 * where the system allows fewer.  They share `threads` threads of OpenMP.  Returns what worker 0 does,
 * after all have ended. */
int wn_team_run(int n, int threads, int (*body)(const struct wn_worker *w, void *ctx),
                void *const *ctx);

/* OpenMP threads of each worker that has a case now; 0: workers are processes. */
int wn_worker_threads(const struct wn_worker *w);
/* Worker 0: a worker has no case from here on. */
void wn_worker_idle(const struct wn_worker *w);

/* Worker 0 ends without answering the others, after an error: their messages are dropped. */
void wn_worker_give_up(const struct wn_worker *w);
/* Has worker 0 done so? */
int wn_worker_is_alone(const struct wn_worker *w);

#endif
