/* t/tap/lanes.h - the 32 lanes of a warp as contexts of one thread of a CPU, so that code for a GPU on physics/warp.h runs
 * without one: files that define WN_WARP_IS_EMULATED call the lanes_ functions which that header declares.
 *
 * A lane runs until it waits, or asks for what others have; then the next one does.  The order of the lanes is given, as
 * code that forgets to wait has the right results in some of them.  Divergence within a warp, and what the hardware may do
 * between two waits, are not emulated. */
#ifndef WN_T_TAP_LANES_H
#define WN_T_TAP_LANES_H

/* Calls f(data) once in each lane; is_backwards: the last lane goes first.  Returns whether all lanes waited equally often. */
int lanes_run(int is_backwards, void (*f)(void *data), void *data);

#endif
