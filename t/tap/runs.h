/* t/tap/runs.h - short scenarios for tests that run the program: one of each model and
 * job, with births, deaths, thresholds and population control among them. */
#ifndef WN_T_TAP_RUNS_H
#define WN_T_TAP_RUNS_H
#include <stddef.h>

struct run_case {
  const char *name, *text;
};
extern const struct run_case run_cases[];
extern const size_t n_run_cases;

#endif
