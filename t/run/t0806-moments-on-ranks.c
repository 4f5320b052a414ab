/* t0806-moments-on-ranks.c - defends: ten moments in given E and B are the same, to the last bit, on one to four
 * processes that divide the particles, in two and three dimensions, with walls that take some of them, weights, and
 * movers of both kinds; so is all else that these runs write; also when a run is stopped between two
 * records and goes on with another number of processes.  Reference: the run that is alone. */
#include <stdio.h>
#include <string.h>
#include "base/ranks.h"
#include "t/tap/command.h"
#include "t/tap/ranks.h"
#include "t/tap/runs.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0806.cfg"
#define OUT       "t0806.nc"
#define AGAIN     "t0806-again.nc"

#define MOMENTS " --set 'plasma.moments_interval=\"6 ps\"'"
/* Three axes, absorbing along z, relativistic, Boris, two substeps. */
#define IN_3                                                                             \
  " --set grid.cells=[8,6,8] --set "                                                     \
  "'grid.length=[\"0.1 mm\",\"60 um\",\"80 um\"]' --set 'walls.z_low={field="            \
  "\"dirichlet\";}' --set 'walls.z_high={field=\"dirichlet\";}' --set "                  \
  "'species.e.width=[\"none\",\"20 um\",\"none\"]' --set plasma.relativistic=true "      \
  "--set plasma.mover=boris --set 'plasma.midpoint={substeps=2; iterations=3;}'"

static const struct {
  const char *name, *options;
} cases[] = {{"2-D, a sheet with weights, substeps by the angle",
              MOMENTS " --set plasma.moments_pressure=true"},
             {"3-D, relativistic, Boris, walls", MOMENTS IN_3}};

static int run_on(int ranks, const char *options, const char *more)
{
  return command("mpirun -n %d %s run " FILE_NAME
                 " --quiet --set 'divide=\"electrons\"' --threads 1 --output " AGAIN
                 " %s %s",
                 ranks, command_wilson(), options, more);
}

static void one(const char *name, const char *options)
{
  static const int in_turn[] = {3, 1, 4, 2};
  char what[200];
  int status, slices = 0;
  is_int(command("%s run " FILE_NAME " --quiet --threads 2 --output " OUT " %s",
                 command_wilson(), options),
         0, "%s: alone", name);
  ok(command_nc_sum(OUT, "wall_particles") > 0.0, "%s: walls took some", name);
  for (int ranks = command_long() > 1 ? 1 : 4; ranks <= 4;
       ranks++) { /* slices have all */
    snprintf(what, sizeof what, "%s, %d processes", name, ranks);
    ranks_same(OUT, AGAIN, what, run_on(ranks, options, ""), 0);
  }
  do
    status = run_on(in_turn[slices % 4], options,
                    "--restart auto --set checkpoint.step_limit=7");
  while (status == 3 && ++slices < 20);
  ok(slices >= 5, "%s: in %d slices", name, slices + 1);
  snprintf(what, sizeof what, "%s, on 3, 1, 4 and 2 processes in turn", name);
  ranks_same(OUT, AGAIN, what, status, 0);
  remove(OUT);
}

int main(void)
{
  if (wn_ranks_library() == NULL)
    skip_all("built without MPI");
  ranks_or_skip();
  plan(0);
  command_write(FILE_NAME, RUN_NODES);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    one(cases[i].name, cases[i].options);
  remove(FILE_NAME);
  return done();
}
