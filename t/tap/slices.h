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

/* The scenario in `file` runs to `output` with options; whether it did. */
int slices_run(const char *name, const char *file, const char *output,
               const char *options);

/* `output`, the result of the scenario in `file`, comes out again with options, more than `numbers` numbers of it.  `again` is written and removed. */
void slices_same(const char *name, const char *file, const char *again,
                 const char *output, const char *options, size_t numbers);

/* The same on a GPU, by the default scheduler and, where each is set, by each of those for one that take every model. */
void slices_same_on_gpu(const char *name, const char *file, const char *again,
                        const char *output, size_t numbers, int each);

/* `output`, the result of the scenario in `file`, comes out again by the scheduler serial and by three threads, more than `numbers`
 * numbers of it each time; then in slices, as slices_are, by these two in turn.  `again` is written and removed. */
void slices_same_bits(const char *name, const char *file, const char *again,
                      const char *output, size_t numbers, size_t steps, size_t least);

#endif
