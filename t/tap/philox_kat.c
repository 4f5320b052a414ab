/* t/tap/philox_kat.c - see philox_kat.h. */
#include "t/tap/philox_kat.h"
#include <stdio.h>
#include <stdlib.h>
#include "t/tap/tap.h"

void philox_kat_read(struct philox_kat k[PHILOX_KAT_N])
{
  char path[4096], line[256];
  const char *dir = getenv("WN_SRCDIR");
  int n = 0, good = 1;
  snprintf(path, sizeof path, "%s/t/data/philox-kat.txt", dir != NULL ? dir : ".");
  FILE *f = fopen(path, "r");
  while (f != NULL && fgets(line, sizeof line, f) != NULL) {
    struct philox_kat one;
    uint32_t *c = one.counter, *a = one.answer;
    if (line[0] == '#')
      continue;
    good &= sscanf(line, "%x %x %x %x %x %x %x %x %x %x", &c[0], &c[1], &c[2], &c[3],
                   &one.key[0], &one.key[1], &a[0], &a[1], &a[2], &a[3]) == 10;
    if (n < PHILOX_KAT_N)
      k[n] = one;
    n++;
  }
  if (f != NULL)
    fclose(f);
  if (!ok(good && n == PHILOX_KAT_N, "known answers: %d of ten words each in %s",
          PHILOX_KAT_N, path)) {
    printf("Bail out! %d known answers were read\n", n);
    exit(1);
  }
}
