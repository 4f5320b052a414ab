/* base/memory.c - see memory.h. */
#include "base/memory.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define CONTAINER "the container or batch job (control group)"

/* The number in a file that has it alone; INFINITY: no such file, or a word ("max"). */
static double number_in(const char *path)
{
  double value = INFINITY;
  FILE *f = fopen(path, "r");
  if (f == NULL)
    return INFINITY;
  if (fscanf(f, "%lf", &value) != 1)
    value = INFINITY;
  fclose(f);
  return value;
}

/* What the system can give without and with its swap space. */
static double system_available(void)
{
  char line[256];
  double kib, sum = 0.0;
  int found = 0;
  FILE *f = fopen("/proc/meminfo", "r");
  if (f == NULL)
    return INFINITY;
  while (fgets(line, sizeof line, f) != NULL)
    if (sscanf(line, "MemAvailable: %lf", &kib) == 1 ||
        sscanf(line, "SwapFree: %lf", &kib) == 1) {
      sum += 1024.0 * kib;
      found = 1;
    }
  fclose(f);
  return found ? sum : INFINITY;
}

/* Of the process: what it maps. */
static double mapped(void)
{
  return number_in("/proc/self/statm") * (double)sysconf(_SC_PAGESIZE);
}

static void limit_by(struct wn_memory *m, double total, double used, const char *what)
{
  if (total < m->total) {
    m->total = total;
    m->limit = what;
  }
  if (total - used < m->available)
    m->available = fmax(0.0, total - used);
}

struct wn_memory wn_memory_here(void)
{
  struct wn_memory m = {INFINITY, system_available(), "this machine"};
  struct rlimit r;
  const double pages = (double)sysconf(_SC_PHYS_PAGES);
  if (pages > 0.0)
    m.total = pages * (double)sysconf(_SC_PAGESIZE);
  /* as containers see theirs, of version 2 and 1 */
  double used = number_in("/sys/fs/cgroup/memory.current");
  limit_by(&m, number_in("/sys/fs/cgroup/memory.max"), isfinite(used) ? used : 0.0,
           CONTAINER);
  used = number_in("/sys/fs/cgroup/memory/memory.usage_in_bytes");
  limit_by(&m, number_in("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
           isfinite(used) ? used : 0.0, CONTAINER);
  used = mapped();
  if (getrlimit(RLIMIT_AS, &r) == 0 && r.rlim_cur != RLIM_INFINITY)
    limit_by(&m, (double)r.rlim_cur, isfinite(used) ? used : 0.0, "ulimit -v");
  return m;
}
