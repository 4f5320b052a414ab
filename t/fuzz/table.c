/* t/fuzz/table.c - libFuzzer: any text as a table of model split-remove.  One that is taken has chances. */
#include "base/error.h"
#include "bench/study/split_table.h"
#include "t/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
  static float split[WN_SPLIT_LEVELS], removed[WN_SPLIT_LEVELS];
  static struct wn_split_tables tables;
  const int status = wn_split_table(fuzz_file(data, n), split, removed);
  if (status != WN_OK && status != WN_EINPUT)
    abort();
  for (size_t i = 0; status == WN_OK && i < WN_SPLIT_LEVELS; i++)
    if (!(split[i] >= 0.0f && removed[i] >= 0.0f && split[i] + removed[i] <= 100.001f))
      abort();
  if (status == WN_OK)
    wn_split_fill(split, removed, &tables);
  return 0;
}
