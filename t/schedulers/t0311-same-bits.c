/* t0311-same-bits.c - defends: a run through the command line writes the same data, bit
 * for bit, with one thread, several threads and the serial scheduler, and from the same
 * seed again; another seed writes other data. Reference: the first run.  Every variable
 * of the netCDF files is compared, every byte. */
#include <stdio.h>
#include "t/tap/command.h"
#include "t/tap/runs.h"
#include "t/tap/tap.h"

/* With WN_FAST=1 the first two. */
static const char *const options[] = {"--scheduler serial", "--threads 3", "--threads 1",
                                      "--threads 2",        "--seed 1",    ""};

static void one_case(const char *name, const char *text)
{
  size_t n = 0;
  command_write("t0311.cfg", text);
  int status = command("%s run t0311.cfg --quiet --scheduler auto --output t0311-a.nc",
                       command_wilson());
  if (!is_int(status, 0, "%s: a run", name))
    diag("%.600s", command_err);
  const size_t n_options = command_fast() ? 2 : sizeof options / sizeof options[0];
  for (size_t i = 0; i < n_options; i++) {
    status = command("%s run t0311.cfg --quiet --output t0311-b.nc %s", command_wilson(),
                     options[i]);
    const char *what = command_nc_differs("t0311-a.nc", "t0311-b.nc", &n);
    ok(status == 0 && what == NULL && n > 20,
       "%s: run again with `%s`: the same %zu numbers%s%s", name, options[i], n,
       what ? "; differs: " : "", what ? what : "");
  }
  status =
      command("%s run t0311.cfg --quiet --output t0311-b.nc --seed 2", command_wilson());
  ok(status == 0 && command_nc_differs("t0311-a.nc", "t0311-b.nc", &n) != NULL,
     "%s: another seed gives other numbers", name);
  remove("t0311.cfg");
  remove("t0311-a.nc");
  remove("t0311-b.nc");
}

int main(void)
{
  plan(0);
  for (size_t i = 0; i < n_run_cases; i++)
    one_case(run_cases[i].name, run_cases[i].text);
  return done();
}
