/* bench/study/split_table.c - see split_table.h. */
#include "bench/study/split_table.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/log.h"

static int read_table(const char *path, float *split, float *removed)
{
  FILE *f = fopen(path, "r");
  if (f == NULL)
    return WN_FAIL(WN_EINPUT, "%s: %s (key split_remove.table)", path, strerror(errno));
  char line[512];
  int number = 0, n = 0, status = WN_OK, end = 0;
  while (status == WN_OK && fgets(line, sizeof line, f) != NULL) {
    number++;
    char *text = line + strspn(line, " \t\r\n");
    double s, r;
    if ((*text == '\0' || *text == '#') && (strchr(line, '\n') != NULL || feof(f)))
      continue;
    if (strchr(line, '\n') == NULL && !feof(f)) {
      wn_log_at(WN_LOG_ERROR, path, number, "longer than %zu characters",
                sizeof line - 2);
      status = WN_EINPUT;
    } else if (sscanf(text, "%lf %lf %n", &s, &r, &end) != 2 ||
               (text[end] != '\0' && text[end] != '#') || !(s >= 0.0) || !(r >= 0.0) ||
               !(s + r <= 100.0)) {
      wn_log_at(
          WN_LOG_ERROR, path, number,
          "expected two percentages of 0 or more that add up to 100 at most, got `%.40s`",
          strtok(text, "\r\n"));
      status = WN_EINPUT;
    } else if (n == WN_SPLIT_LEVELS) {
      wn_log_at(WN_LOG_ERROR, path, number, "more than %d levels", WN_SPLIT_LEVELS);
      status = WN_EINPUT;
    } else {
      split[n] = (float)s;
      removed[n++] = (float)r;
    }
  }
  if (status == WN_OK && ferror(f))
    status =
        WN_FAIL(WN_EINPUT, "%s: cannot be read to its end: %s", path, strerror(errno));
  fclose(f);
  if (status == WN_OK && n != WN_SPLIT_LEVELS)
    status = WN_FAIL(WN_EINPUT, "%s: %d level%s; %d are needed", path, n,
                     n == 1 ? "" : "s", WN_SPLIT_LEVELS);
  return status;
}

int wn_split_table(const char *path, float *split, float *removed)
{
  if (path != NULL)
    return read_table(path, split, removed);
  split[0] = removed[0] = 0.0f;
  for (int i = 1; i < WN_SPLIT_LEVELS; i++) {
    double x = i;
    split[i] = removed[i] = (float)((sin(pow(x, 2.6) / 5e7) + 1.01) * pow(x, 0.1));
  }
  return WN_OK;
}

int wn_split_table_write(FILE *to)
{
  static float split[WN_SPLIT_LEVELS], removed[WN_SPLIT_LEVELS];
  WN_TRY(wn_split_table(NULL, split, removed));
  fprintf(to,
          "# Chances of a split and of a removal, per cent a mobility step, at the %d "
          "levels of log10 v^2.\n"
          "# Level i: v^2 from 10^(22 i/10^4 - 6) (m/s)^2.  Built in: (sin(i^2.6/5e7) + "
          "1.01) i^0.1, 0 at level 0.\n",
          WN_SPLIT_LEVELS);
  for (int i = 0; i < WN_SPLIT_LEVELS; i++) /* 9 digits restore a float exactly */
    fprintf(to, "%.9g %.9g\n", (double)split[i], (double)removed[i]);
  return WN_OK;
}

void wn_split_constant(double chance, float *split, float *removed)
{
  for (int i = 0; i < WN_SPLIT_LEVELS; i++) {
    split[i] = (float)chance;
    removed[i] = (float)fmin(chance, 100.0 - chance);
  }
}

/* Where the next level begins in a bin, packed as in struct wn_split_tables. */
static uint32_t bin_of(int i)
{
  const uint32_t end = (1u << WN_SPLIT_BIN_BITS) - 1;
  uint32_t low = 0, high = end, cut = end;
  /* infinity and NaN, for which the level must remain within the table */
  if (!isfinite(wn_split_v2(i, 0)))
    return ((WN_SPLIT_LEVELS - 1u) << 16) - ((uint32_t)i << WN_SPLIT_BIN_BITS);
  int level = wn_split_level((double)wn_split_v2(i, 0)),
      last = wn_split_level((double)wn_split_v2(i, high));
  WN_ASSERT(last == level || last == level + 1);
  if (last != level) {
    while (high - low > 1) {
      uint32_t middle = low + (high - low) / 2;
      if (wn_split_level((double)wn_split_v2(i, middle)) == level)
        low = middle;
      else
        high = middle;
    }
    cut = low;
  }
  return ((uint32_t)level << 16) + 0xffffu - cut - ((uint32_t)i << WN_SPLIT_BIN_BITS);
}

/* The number of words w, from 0 on, with 100 w 2^-32 < percent: ceil(percent 2^32/100),
 * at most 2^32.  The quotient is rounded; the products that correct it are exact. */
static uint64_t words_of(double percent)
{
  const double all = 0x1p32, want = percent * all;
  double n = fmin(ceil(want / 100.0), all);
  while (n > 0.0 && 100.0 * (n - 1.0) >= want)
    n -= 1.0;
  while (n < all && 100.0 * n < want)
    n += 1.0;
  return (uint64_t)n;
}

static uint64_t chance_of(double split, double removed)
{
  const uint64_t most = UINT32_MAX;
  uint64_t first = words_of(split), end = words_of(split + removed), rest = end - first;
  return (rest < most ? rest : most) << 32 | (first < most ? first : most);
}

void wn_split_fill(const float *split, const float *removed, struct wn_split_tables *out)
{
  for (int i = 0; i < WN_SPLIT_BINS; i++)
    out->bin[i] = bin_of(i);
  for (int i = 0; i < WN_SPLIT_LEVELS; i++)
    out->chance[i] = chance_of((double)split[i], (double)removed[i]);
}
