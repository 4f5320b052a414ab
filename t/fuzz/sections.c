/* t/fuzz/sections.c - libFuzzer: any text as a file of cross sections.  What is returned must be fit to
 * be used: it is prepared as a run does, and evaluated. */
#include "t/fuzz/fuzz.h"
#include <math.h>
#include "base/error.h"
#include "crosssections/xs.h"
#include "crosssections/xs_beyond.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
  const char *path = fuzz_file(data, n);
  size_t n_names = 0;
  char **names = NULL;
  struct wn_xs_set *set = NULL;
  if (wn_xs_list_targets(path, &n_names, &names) == WN_OK) {
    for (size_t i = 0; i < n_names; i++)
      free(names[i]);
    free(names);
  }
  const int status = wn_xs_read_lxcat(path, NULL, NULL, &set);
  if (status != WN_OK && status != WN_EINPUT)
    abort();
  for (size_t i = 0; status == WN_OK && i < set->n; i++)
    if (!(wn_xs_sigma(set, &set->process[i], 10.0, WN_XS_BEYOND_ZERO) >= 0.0))
      abort();
  wn_xs_free(set);
  return 0;
}
