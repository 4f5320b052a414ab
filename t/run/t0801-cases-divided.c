/* t0801-cases-divided.c - defends: where several processes divide a run by cases (key `divide`), each
 * of which one process has as a whole, the file has the bits, and what is printed the lines, of a run
 * that is alone, whichever is free first; a case whose store is full, or that fails, ends the run as it
 * ends that; so does a limit, a signal or a death, and the run goes on from there with any number of
 * processes, divided so or otherwise; what cannot be divided is refused.
 * Reference: the run that is alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/ranks.h"
#include "t/tap/command.h"
#define DIVIDED_NAME "t0801"
#include "t/tap/divided.h"
#include "t/tap/ranks.h"
#include "t/tap/runs.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"

const char *const divided_name = DIVIDED_NAME;

static int run_on(int ranks, const char *options)
{
  return command("mpirun -n %d %s run " DIVIDED_FILE
                 " --quiet --threads 1 --output " DIVIDED_AGAIN
                 " --set 'divide=\"cases\"' %s",
                 ranks, command_wilson(), options);
}

static const struct divided_by processes = {"processes", run_on};

#define ENDLESS                                                                          \
  "fields = [\"100 Td\", \"200 Td\", \"300 Td\"]; duration = \"5 ns\"; relaxation = "    \
  "\"20 ps\"; checkpoint = { steps = 20; };\n" RUN_AIR

/* One is stopped, or killed, as soon as there is a checkpoint; and then all goes on.  The run is that
 * of divided_alone, before. */
static void ended(const char *signal, int rank, int wanted)
{
  char what[64];
  snprintf(what, sizeof what, "%s to process %d", signal, rank);
  const int status = command(
      "mpirun -n 3 sh -c 'test ${OMPI_COMM_WORLD_RANK:-$PMI_RANK} = %d && echo $$ "
      ">t0801.pid; exec %s run " DIVIDED_FILE
      " --quiet --threads 1 --output " DIVIDED_AGAIN
      " --set divide=\\\"cases\\\"' & all=$!;\n"
      "while test ! -e " DIVIDED_AGAIN ".ckpt && kill -0 $all; do sleep 0.02; done; "
      "kill -%s $(cat t0801.pid); wait $all",
      rank, command_wilson(), signal);
  ok((wanted < 0 ? status != 0 : status == wanted) &&
         slices_exists(DIVIDED_AGAIN ".ckpt") && !slices_exists(DIVIDED_AGAIN),
     "%s ends all of them, status %d, and the checkpoint stays", what, status);
  remove("t0801.pid");
  divided_same("and it goes on with two", run_on(2, "--restart auto"), 0, 0);
}

static void refused(void)
{
  command_write(DIVIDED_FILE, RUN_PLASMA(""));
  int status = run_on(2, "");
  ok(status == 2 &&
         ranks_times(command_err, "only cases of model mcc can be divided") == 1,
     "cases of a plasma are not divided");
  command_write(DIVIDED_FILE, divided_text(DIVIDED_AVALANCHES));
  status = run_on(4, "");
  ok(status == 2 && ranks_times(command_err, "with 3 cases and 4 processes") == 1,
     "three cases are not divided among four");
  /* by itself it takes what there is */
  status =
      command("mpirun -n 2 %s run " DIVIDED_FILE " --threads 1 --output " DIVIDED_AGAIN,
              command_wilson());
  ok(status == 0 &&
         ranks_times(command_err, "whole cases, 3 in all, are divided among") == 1,
     "auto divides three cases among two, and says so");
  status =
      command("mpirun -n 4 %s run " DIVIDED_FILE " --threads 1 --output " DIVIDED_AGAIN,
              command_wilson());
  ok(status == 0 && strstr(command_err, "are divided among") == NULL,
     "and among four their electrons");
  remove(DIVIDED_AGAIN);
}

int main(void)
{
  if (wn_ranks_library() == NULL)
    skip_all("built without MPI");
  ranks_or_skip();
  plan(0);
  divided_bits(&processes);
  divided_full(&processes);
  divided_fails(&processes);
  divided_alone("signals", ENDLESS, "", 0);
  if (!command_fast()) {
    ended("TERM", 0, 1);
    ended("KILL", 1, -1);
  }
  ended("TERM", 2, 1);
  refused();
  remove(DIVIDED_OUT);
  remove(DIVIDED_AGAIN);
  remove(DIVIDED_AGAIN ".part");
  remove(DIVIDED_AGAIN ".ckpt");
  remove(DIVIDED_FILE);
  return done();
}
