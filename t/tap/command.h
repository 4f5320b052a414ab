/* t/tap/command.h - for tests that run the program: commands with their exit status and
 * what they print, and the variables of a netCDF file. */
#ifndef WN_T_TAP_COMMAND_H
#define WN_T_TAP_COMMAND_H
#include <stddef.h>
#include "base/sha256.h"

/* The path of wilson, from WN_BUILDDIR; bails out when it is not there. */
const char *command_wilson(void);

/* The same of bench/study/study. */
const char *command_study(void);

/* sh -c: the exit status (128 + signal when killed, as the shell says); stdout and stderr
 * go to command_out and _err. */
int command(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
extern char command_out[65536], command_err[65536]; /* what fits, ended by 0 */

/* WN_LONG: 0, 1 for the long tests of .ci/run, 2 for those that take longer still. */
int command_long(void);

/* Whether WN_FAST=1; a test of long physics runs skips itself then. */
int command_fast(void);
void command_skip_if_fast(void);

/* Write text to a file; bails out when that fails. */
void command_write(const char *path, const char *text);

/* `before wilson run` of the scenario text, which is in the file path meanwhile, with --output out and
 * options.  The exit status; of another than 0 what the program said is shown. */
int command_run(const char *path, const char *text, const char *before, const char *out,
                const char *options);

/* All values of a variable as doubles, malloc'd; NULL when it is not there or is text. */
double *command_nc_read(const char *path, const char *name, size_t *n);
/* Value i of them; NaN when it is not there. */
double command_nc_at(const char *path, const char *name, size_t i);
/* The same, of the last row of `width` values. */
double command_nc_last(const char *path, const char *name, size_t width, size_t i);
/* Their sum; NaN the same. */
double command_nc_sum(const char *path, const char *name);

/* Name of a variable whose bytes differ between two files, or "" (the files cannot be
 * read, or have other variables or shapes); NULL: all data are the same.  n_values: how
 * many numbers were compared. */
const char *command_nc_differs(const char *a, const char *b, size_t *n_values);
/* The same, of particles in any order: places and velocities of a dimension particle_NAME, each sorted. */
const char *command_nc_differs_in_order(const char *a, const char *b, size_t *n_values);

/* SHA-256 over all variables of a file, sorted by name: name, type, shape and bytes of
 * each; not the names of dimensions, and no attributes.  Whether it could be read. */
int command_nc_hash(const char *path, char hex[WN_SHA256_HEX]);

#endif
