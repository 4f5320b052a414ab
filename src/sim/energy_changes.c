/* src/sim/energy_changes.c - see energy_changes.h. */
#include "src/sim/energy_changes.h"
#include <string.h>
#include "base/ranks.h"
#include "src/sim/sim.h"

void wn_energy_changed_by(struct wn_sim *s, enum wn_energy_change what, size_t species,
                          wn_i128 sum)
{
  s->energy_changes.now[what][species] += sum;
}

void wn_energy_changes_begin(struct wn_energy_changes *e)
{
  memset(e, 0, sizeof *e);
}

void wn_energy_changes_settle(struct wn_energy_changes *e)
{
  wn_ranks_sum(&e->now[0][0], (size_t)WN_ENERGY_CHANGES * WN_MAX_SPECIES);
  for (int k = 0; k < WN_ENERGY_CHANGES; k++)
    for (size_t i = 0; i < WN_MAX_SPECIES; i++)
      e->all[k][i] += e->now[k][i];
  memset(e->now, 0, sizeof e->now);
}

int wn_energy_changes_state(struct wn_energy_changes *e, struct wn_state *st)
{
  return WN_STATE(st, e->all);
}
