/* fields/field.c - the one table of fields. */
#include "fields/field.h"

static const struct wn_field_ops *const fields[] = {
    &wn_field_uniform,
    &wn_field_difference,
};

const struct wn_field_ops *const *wn_field_list(size_t *n)
{
  *n = sizeof fields / sizeof fields[0];
  return fields;
}
