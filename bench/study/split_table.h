/* bench/study/split_table.h - the table of model split-remove: built in, from a file,
 * constant. */
#ifndef WN_BENCH_STUDY_SPLIT_TABLE_H
#define WN_BENCH_STUDY_SPLIT_TABLE_H
#include <stdio.h>
#include "bench/study/split_remove.h"

/* The table: per cent of splits and removals at each of the WN_SPLIT_LEVELS levels.  path
 * NULL: the study's, s = r = (sin(x^2.6 / 5e7) + 1.01) x^0.1, 0 at level 0.  A file has
 * WN_SPLIT_LEVELS lines of two numbers; # begins a comment.
 * WN_EINPUT with path:line when a number is missing, negative, or a pair adds up to more
 * than 100. */
int wn_split_table(const char *path, float *split, float *removed);

/* The built-in table, as a file that wn_split_table reads back to the same floats.  The
 * caller checks the stream for errors. */
int wn_split_table_write(FILE *to);

/* The same chance at all levels, per cent: s = chance, r = min(chance, 100 - chance). */
void wn_split_constant(double chance, float *split, float *removed);

/* The tables of the model from the two columns, per cent.  Of a pair that adds up to more
 * than 100 (floats of 100 in total may, by rounding), splits come first and removals get
 * the remainder. */
void wn_split_fill(const float *split, const float *removed, struct wn_split_tables *out);

#endif
