/* base/processors.c - see processors.h. */
#include "base/processors.h"
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define FOLDER "/sys/devices/system/cpu"

/* Which processors are allowed; their number, or 0: that is not known. */
static int allowed(char may[CPU_SETSIZE])
{
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0)
    return 0;
  for (int i = 0; i < CPU_SETSIZE; i++)
    may[i] = CPU_ISSET(i, &set) != 0;
  return CPU_COUNT(&set);
}

int wn_processors(void)
{
  char may[CPU_SETSIZE];
  const int n = allowed(may);
  if (n > 0)
    return n;
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 ? (int)online : 1;
}

long wn_first_of_list(const char *list, const char *may, size_t n)
{
  for (;;) {
    char *end;
    const unsigned long first = strtoul(list, &end, 10);
    unsigned long last = first;
    if (end == list)
      return -1;
    if (*end == '-') {
      list = end + 1;
      last = strtoul(list, &end, 10);
      if (end == list)
        return -1;
    }
    for (unsigned long i = first; i <= last && i < n; i++)
      if (may[i])
        return (long)i;
    if (*end != ',')
      return -1;
    list = end + 1;
  }
}

/* Whether no allowed processor of the same core has a smaller number. */
static int is_first_of_core(const char *folder, size_t cpu, const char *may, size_t n)
{
  char path[4096], list[4096] = "";
  snprintf(path, sizeof path, "%s/cpu%zu/topology/thread_siblings_list", folder, cpu);
  FILE *f = fopen(path, "r");
  if (f == NULL)
    return 1;
  const int is_read = fgets(list, sizeof list, f) != NULL;
  fclose(f);
  const long first = is_read ? wn_first_of_list(list, may, n) : -1;
  return first < 0 || (size_t)first == cpu;
}

int wn_cores_of(const char *folder, const char *may, size_t n)
{
  int cores = 0;
  for (size_t i = 0; i < n; i++)
    cores += may[i] && is_first_of_core(folder, i, may, n);
  return cores;
}

int wn_cores(void)
{
  char may[CPU_SETSIZE];
  return allowed(may) > 0 ? wn_cores_of(FOLDER, may, sizeof may) : wn_processors();
}
