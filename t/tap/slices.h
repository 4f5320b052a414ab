/* t/tap/slices.h - for tests of runs that are stopped and go on: a run in slices of some steps,
 * each by a program of its own. */
#ifndef WN_T_TAP_SLICES_H
#define WN_T_TAP_SLICES_H
#include <stddef.h>

/* Runs the scenario in `file` to `output`, `steps` at a time, with options[i % n] in slice i.
 * Checks that all slices but the last end with exit status 3 and leave a checkpoint, that the
 * last leaves none, and that there are `least` of them at least; then that the output is that of
 * `straight`, to the last byte of each variable. */
void slices_are(const char *name, const char *file, const char *output,
                const char *straight, size_t steps, size_t least, size_t n,
                const char *const *options);

int slices_exists(const char *path);

#endif
