/* base/memory.h - how much memory of this host the process can have. */
#ifndef WN_BASE_MEMORY_H
#define WN_BASE_MEMORY_H

#ifdef __cplusplus
extern "C" {
#endif

struct wn_memory {
  double total;      /* bytes: the least of machine, control group and `ulimit -v` */
  double available;  /* of these, not in use; INFINITY: not known */
  const char *limit; /* what total is of, for messages: "this machine", "ulimit -v" ... */
};

/* Linux; where nothing is known, infinite amounts of "this machine". */
struct wn_memory wn_memory_here(void);

#ifdef __cplusplus
}
#endif

#endif
