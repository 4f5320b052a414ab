/* t/tap/divided.h - for tests of runs whose cases are divided among workers, processes or threads
 * (src/run/divide_cases.h): the same file and lines as those of one case after the other. */
#ifndef WN_T_TAP_DIVIDED_H
#define WN_T_TAP_DIVIDED_H
#include <stddef.h>

/* The number of the test, t0801, which it defines before it includes this: tests run beside each
 * other in one folder. */
extern const char *const divided_name;
#define DIVIDED_FILE  DIVIDED_NAME ".cfg"
#define DIVIDED_OUT   DIVIDED_NAME ".nc"
#define DIVIDED_AGAIN DIVIDED_NAME "-again.nc"

struct divided_by {
  const char *workers; /* in descriptions: "processes" */
  /* Runs DIVIDED_FILE to DIVIDED_AGAIN with its cases divided among n; returns the exit status. */
  int (*run)(int n, const char *options);
};

/* Scenarios: five fields, a scan, a scan with a long case, avalanches, rates of runaways. */
enum {
  DIVIDED_FIELDS,
  DIVIDED_SCAN,
  DIVIDED_LONG,
  DIVIDED_AVALANCHES,
  DIVIDED_RATES,
  DIVIDED_RUNS
};
const char *divided_text(size_t k);

/* Runs a scenario alone, and keeps what it printed. */
void divided_alone(const char *name, const char *text, const char *options, int wanted);
/* A run has the numbers of the one alone; lines: and printed the same. */
void divided_same(const char *what, int status, int wanted, int lines);

/* Each scenario, by 2 and other numbers of workers, and in slices of some steps, each divided otherwise. */
void divided_bits(const struct divided_by *by);
/* A case finds the store full; a case fails. */
void divided_full(const struct divided_by *by);
void divided_fails(const struct divided_by *by);

#endif
