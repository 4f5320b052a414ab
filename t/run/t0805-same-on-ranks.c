/* t0805-same-on-ranks.c - defends: processes that were not started with the same command, scenario or
 * options end, with status 2 and what differs, instead of waiting for each other or giving a result of no
 * scenario (found 2026-11-24).  What may differ, the device and its threads, may. */
#include <stdio.h>
#include <string.h>
#include "base/ranks.h"
#include "t/tap/command.h"
#include "t/tap/ranks.h"
#include "t/tap/runs.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"

#define RUN "run t0805.cfg --quiet --threads 1 --output t0805.nc"

/* Two processes, the second with these arguments; 60 s are a hang. */
static void differ(const char *arguments, int wanted, const char *message)
{
  const int status = command("timeout 60 mpirun -n 1 %s " RUN " : -n 1 %s %s",
                             command_wilson(), command_wilson(), arguments);
  if (!ok(status == wanted && (message[0] == '\0' || strstr(command_err, message)) &&
              slices_exists("t0805.nc") == (wanted == 0),
          "beside `%s`: status %d%s%s", arguments, wanted, message[0] ? ", " : "",
          message))
    diag("status %d: %.900s", status, command_err);
  remove("t0805.nc");
}

int main(void)
{
  if (wn_ranks_library() == NULL)
    skip_all("built without MPI");
  ranks_or_skip();
  plan(0);
  command_write("t0805.cfg", "fields = [\"100 Td\"]; duration = \"10 ps\"; relaxation = "
                             "\"2 ps\";\n" RUN_AIR);
  command_write("t0805-plasma.cfg", RUN_PLASMA(""));
  differ(RUN " --threads 2 --device cpu", 0, "");
  differ(RUN " --set electrons=101", 2,
         "another scenario than process 0: `electrons = 101");
  differ(RUN " --set 'divide=\"cases\"'", 2,
         "another scenario than process 0: `divide = ");
  differ(RUN " --restart auto", 2, "another scenario than process 0: `auto`");
  differ("run t0805-plasma.cfg --quiet --threads 1 --output t0805.nc", 2,
         "another scenario than process 0: `");
  differ("check t0805.cfg", 2, "another command than process 0: `check`, not `run`");
  remove("t0805.cfg");
  remove("t0805-plasma.cfg");
  return done();
}
