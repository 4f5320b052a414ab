/* base/processors.h - the processors that this process may use, and their cores: a core with
 * simultaneous multithreading is two or more processors. */
#ifndef WN_BASE_PROCESSORS_H
#define WN_BASE_PROCESSORS_H
#include <stddef.h>

/* As OpenMP counts them: a batch system often allows fewer than there are. */
int wn_processors(void);

/* Cores of these.  Processors of which the system does not say it are a core each. */
int wn_cores(void);

/* Cores of the processors i < n with may[i] != 0, by the files that Linux has in
 * /sys/devices/system/cpu; folder: that, or one like it. */
int wn_cores_of(const char *folder, const char *may, size_t n);

/* The smallest number of a list such as "3,17" or "2-3,18-19" with may[it] != 0, or -1: there is none
 * before the end of the list, or before what is no list. */
long wn_first_of_list(const char *list, const char *may, size_t n);

#endif
