/* t/fuzz/scenario.c - libFuzzer: any text as a scenario.  One that is taken must be written as a
 * resolved text, and that text must be taken again. */
#include "t/fuzz/fuzz.h"
#include <string.h>
#include "base/error.h"
#include "src/config/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
  struct wn_config *c = NULL;
  int status = wn_config_read(fuzz_file(data, n), 0, NULL, &c);
  if (status != WN_OK && status != WN_EINPUT)
    abort();
  if (status != WN_OK)
    return 0;
  char *text = wn_config_text(c);
  wn_config_free(c);
  if (text == NULL)
    abort();
  status = wn_config_read(fuzz_file((const uint8_t *)text, strlen(text)), 0, NULL, &c);
  free(text);
  if (status != WN_OK)
    abort();
  wn_config_free(c);
  return 0;
}
