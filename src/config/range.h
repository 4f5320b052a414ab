/* src/config/range.h - ranges in lists: "1 Td to 1000 Td, 31 logarithmic" stands for 31
 * values, both ends among them.  The ends stay as they are written; what is between them
 * is rounded to six digits, so that it is the same with every C library. */
#ifndef WN_SRC_CONFIG_RANGE_H
#define WN_SRC_CONFIG_RANGE_H
#include <stdbool.h>
#include "src/config/units.h"

#define WN_MAX_RANGE 10000

/* Whether a text is meant as a range. */
bool wn_config_is_range(const char *text);

/* Its values in the order of the range, as the texts that a list would have: quoted, with
 * commas between them; malloc'd.  A text that is no range stands as it is, and an end that
 * is no value stands there alone, for the reader of values to say what is wrong with it.
 *   WN_EINPUT  not FROM to TO, NUMBER linear|logarithmic, or no such range: *why says what
 *              is wrong (malloc'd, or NULL when out of memory)
 *   WN_ENOMEM */
int wn_config_range_list(enum wn_unit_kind kind, const char *text, char **list,
                         char **why);

#endif
