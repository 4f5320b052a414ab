/* t/tap/capture.h - what the program under test says on stderr.
 *
 *   capture();
 *   int status = wn_xs_read_lxcat(...);
 *   char *text = captured();
 *
 * No checks between the two: what they say would be caught too.  A test that cannot
 * redirect stderr ends there. */
#ifndef WN_T_TAP_CAPTURE_H
#define WN_T_TAP_CAPTURE_H

void capture(void);
/* Cut at 20000 bytes; valid until the next capture(). */
char *captured(void);

#endif
