/* t/tap/philox_kat.h - the known answers of Philox4x32-10, t/data/philox-kat.txt: one
 * file for every side that draws random numbers. */
#ifndef WN_T_TAP_PHILOX_KAT_H
#define WN_T_TAP_PHILOX_KAT_H
#include <stdint.h>

enum { PHILOX_KAT_N = 3 }; /* answers in the file */

struct philox_kat {
  uint32_t counter[4], key[2], answer[4];
};

/* Reads the file; a check of its own that all were there, or bails out. */
void philox_kat_read(struct philox_kat k[PHILOX_KAT_N]);

#endif
