/* src/config/find_key.c - the rows of the table of keys, by number and by name */
#include "src/config/internal.h"

#include <string.h>

const struct wn_key *wn_config_key(size_t i)
{
  if (i < wn_config_keys_rows)
    return &wn_config_keys[i];
  i -= wn_config_keys_rows;
  if (i < wn_config_run_rows)
    return &wn_config_run_keys[i];
  i -= wn_config_run_rows;
  if (i < wn_config_domain_rows)
    return &wn_config_domain_keys[i];
  i -= wn_config_domain_rows;
  if (i < wn_config_electrode_rows)
    return &wn_config_electrode_keys[i];
  i -= wn_config_electrode_rows;
  if (i < wn_config_dielectric_rows)
    return &wn_config_dielectric_keys[i];
  i -= wn_config_dielectric_rows;
  return i < wn_config_plasma_rows ? &wn_config_plasma_keys[i]
                                   : &wn_config_operator_keys[i - wn_config_plasma_rows];
}

size_t wn_config_n_keys(void)
{
  return wn_config_keys_rows + wn_config_run_rows + wn_config_domain_rows +
         wn_config_electrode_rows + wn_config_dielectric_rows + wn_config_plasma_rows +
         wn_config_operator_rows;
}

const struct wn_key *wn_config_find_key(const char *key, const char **name, size_t *len)
{
  if (name != NULL)
    *name = NULL;
  if (len != NULL)
    *len = 0;
  for (size_t i = 0; i < wn_config_n_keys(); i++) {
    const struct wn_key *k = wn_config_key(i);
    const char *hole = strstr(k->key, WN_KEY_NAME);
    if (hole == NULL) {
      if (strcmp(k->key, key) == 0)
        return k;
      continue;
    }
    size_t before = (size_t)(hole - k->key);
    const char *after = hole + strlen(WN_KEY_NAME);
    if (strncmp(k->key, key, before) != 0)
      continue;
    const char *dot = strchr(key + before, '.');
    if (dot == NULL || dot == key + before || strcmp(dot, after) != 0)
      continue;
    if (name != NULL)
      *name = key + before;
    if (len != NULL)
      *len = (size_t)(dot - (key + before));
    return k;
  }
  return NULL;
}
