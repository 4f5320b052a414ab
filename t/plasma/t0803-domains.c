/* t0803-domains.c - defends: a plasma whose grid is divided in slabs among two to five processes (key
 * divide = "domains", fields/electrostatic_parts.h) has the fields, charges, energies and numbers of one
 * process, to what rounding in single precision becomes in some steps: one to three dimensions, all
 * shapes and gathers, periodic and other sides, walls that give electrons, collisions, ions, averages
 * and maps; a run may be stopped, and go on with another number of processes, and with particles
 * divided.  What it cannot do is refused by name.  Reference: one process, by all variables of the
 * file that are not zero but for rounding. */
#include "base/ranks.h"
#include "t/tap/command.h"
#include "t/tap/domains.h"
#include "t/tap/ranks.h"
#include "t/tap/tap.h"

int main(void)
{
  if (wn_ranks_library() == NULL)
    skip_all("built without MPI");
  ranks_or_skip();
  plan(0);
  domains_compare("cpu", 0, command_fast() ? 3 : 5);
  /* so many that each thread has some */
  domains_one("cpu", DOMAINS_2D, "two slabs of three threads",
              "--threads 3 --set species.e.per_cell=150 --set species.p.per_cell=150");
  domains_slices("cpu", DOMAINS_WALLS);
  domains_refused("cpu", DOMAINS_WALLS, 2, "--set 'plasma.solver=\"spectral\"'",
                  "needs plasma.solver");
  domains_refused("cpu", DOMAINS_WALLS, 20, "", "cannot be divided among 20");
  domains_clean();
  return done();
}
