/* t0011-processors.c - defends: the cores of the allowed processors are counted from the lists of
 * siblings that Linux writes, whatever part of a core is allowed; processors without a list are
 * cores.  The lists are those of the kernel's documentation (cputopology.rst, cpu-lists). */
#include "base/processors.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "t/tap/tap.h"

#define N 8

/* The file of a processor in a folder like that of Linux. */
static void write_list(const char *folder, int cpu, const char *list)
{
  char path[512];
  snprintf(path, sizeof path, "%s/cpu%d", folder, cpu);
  mkdir(path, 0700);
  strcat(path, "/topology");
  mkdir(path, 0700);
  strcat(path, "/thread_siblings_list");
  FILE *f = fopen(path, "w");
  if (f == NULL || fputs(list, f) < 0 || fclose(f) != 0)
    exit(1);
}

static void erase(const char *folder)
{
  char path[512];
  for (int cpu = 0; cpu < N; cpu++) {
    static const char *const part[] = {"/topology/thread_siblings_list", "/topology", ""};
    for (int i = 0; i < 3; i++) {
      snprintf(path, sizeof path, "%s/cpu%d%s", folder, cpu, part[i]);
      remove(path);
    }
  }
  rmdir(folder);
}

static void lists(void)
{
  static const char all[N] = {1, 1, 1, 1, 1, 1, 1, 1}, some[N] = {0, 0, 0, 1, 0, 1, 0, 1};
  is_int(wn_first_of_list("3,7\n", all, N), 3, "3,7");
  is_int(wn_first_of_list("2-5\n", some, N), 3, "a range whose first is not allowed");
  is_int(wn_first_of_list("0-2,4-6\n", some, N), 5, "two ranges");
  is_int(wn_first_of_list("0,2,4\n", some, N), -1, "none of a list is allowed");
  is_int(wn_first_of_list("", all, N), -1, "no list");
  is_int(wn_first_of_list("4-", all, N), -1, "a range without an end");
  is_int(wn_first_of_list("12,13", all, N), -1, "none is among those asked for");
  is_int(wn_first_of_list("6-4000000000", some, N), 7, "a range beyond all");
}

static void cores(void)
{
  char folder[] = "/tmp/t0011-XXXXXX", may[N];
  if (mkdtemp(folder) == NULL)
    exit(1);
  /* two processors a core: 0 and 4, 1 and 5; 2 and 3 are neighbours; 6 and 7 have no list */
  const char *of[] = {"0,4\n", "1,5\n", "2-3\n", "2-3\n", "0,4\n", "1,5\n"};
  for (int i = 0; i < 6; i++)
    write_list(folder, i, of[i]);
  memset(may, 1, sizeof may);
  is_int(wn_cores_of(folder, may, N), 5, "3 cores of two processors, 2 without a list");
  memset(may, 0, sizeof may);
  is_int(wn_cores_of(folder, may, N), 0, "none is allowed");
  may[4] = may[5] = 1;
  is_int(wn_cores_of(folder, may, N), 2, "the second processors of two cores");
  may[1] = may[3] = 1;
  is_int(wn_cores_of(folder, may, N), 3, "and the first of one, and a third core");
  erase(folder);
  is_int(wn_cores_of(folder, may, N), 4, "no folder: each is a core");
}

int main(void)
{
  plan(0);
  lists();
  cores();
  ok(wn_processors() >= 1, "%d processors here", wn_processors());
  ok(wn_cores() >= 1 && wn_cores() <= wn_processors(), "of %d cores", wn_cores());
  return done();
}
