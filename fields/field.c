/* fields/field.c - the table of all fields. */
#include "fields/field.h"

/* One line per field. */
#define FIELDS(X)                                                                        \
  X(wn_field_uniform)                                                                    \
  X(wn_field_varying)                                                                    \
  X(wn_field_electrostatic)                                                              \
  X(wn_field_sparse)                                                                     \
  X(wn_field_nodal)                                                                      \
  /* the next */

#define DECLARED(ops) extern const struct wn_field_ops ops;
#define LISTED(ops)   &(ops),

FIELDS(DECLARED)

static const struct wn_field_ops *const fields[] = {FIELDS(LISTED)};

const struct wn_field_ops *const *wn_field_list(size_t *n)
{
  *n = sizeof fields / sizeof fields[0];
  return fields;
}
