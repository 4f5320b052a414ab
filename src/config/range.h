/* src/config/range.h - ranges in lists: "1 Td to 1000 Td, 31 logarithmic" stands for 31
 * values, including both ends.  The ends are kept as written; values between them are
 * rounded to six digits, so that they are the same with every C library. */
#ifndef WN_SRC_CONFIG_RANGE_H
#define WN_SRC_CONFIG_RANGE_H
#include <stdbool.h>
#include "src/config/units.h"

#define WN_MAX_RANGE 10000

/* Whether a text has the form of a range. */
bool wn_config_is_range(const char *text);

/* Its values in the order of the range, as texts of list elements: quoted, separated by
 * commas; malloc'd.  A text that is no range, or an end that is no value, is copied alone,
 * so that the reader of values reports the error.
 *   WN_EINPUT  not FROM to TO, NUMBER linear|logarithmic, or an invalid range: *why has
 *   the error
 *              (malloc'd, or NULL when out of memory)
 *   WN_ENOMEM */
int wn_config_range_list(enum wn_unit_kind kind, const char *text, char **list,
                         char **why);

#endif
