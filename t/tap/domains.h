/* t/tap/domains.h - plasmas whose grid is divided in slabs among processes (divide = "domains"), beside one
 * process: to what rounding in single precision becomes in some steps.  For t0803 and t0443. */
#ifndef WN_T_TAP_DOMAINS_H
#define WN_T_TAP_DOMAINS_H

/* Those of the list from `first` on: 1-D, two of them, the second with averages and maps; 2-D with
 * maps; 3-D, two of them; a discharge in 2-D with collisions, subcycled ions, and electrons from walls. */
enum { DOMAINS_1D, DOMAINS_WALLS, DOMAINS_2D, DOMAINS_DISCHARGE = 5, DOMAINS_N };

#define DOMAINS_CFG "domains.cfg"

/* Each of the cases from `first` on, on `device`, by 2 to `most` processes. */
void domains_compare(const char *device, int first, int most);
/* A case by one and two processes with more options; by slices, among 2, 1 and 3 processes in turn. */
void domains_one(const char *device, int i, const char *what, const char *options);
void domains_slices(const char *device, int i);
/* A case by so many with divide = "domains": it is refused, once, with this text. */
void domains_refused(const char *device, int i, int ranks, const char *options,
                     const char *said);
void domains_clean(void);

#endif
