/* src/sim/emitted.c - see emitted.h. */
#include "src/sim/emitted.h"
#include "physics/loading.h"
#include "physics/single_precision.h"
#include "src/sim/plasma_points.h"

int wn_emitted_velocities(const struct wn_species *s)
{
  return wn_plasma_has_electrons(s) ? 3 : wn_point_velocities(wn_plasma_points(s)->kind);
}

static void count(const struct wn_species *s, struct wn_tally_surface *at,
                  const struct wn_electron *one)
{
  wn_tally_sum(&at->number, -1.0, 1.0);
  wn_tally_sum(&at->quanta, -(double)one->w, (double)WN_QUANTA);
  wn_tally_sum(&at->energy,
               -(double)one->w * wn_point_energy_ev(wn_plasma_points(s),
                                                    wn_emitted_velocities(s), one->u),
               WN_FIX_ENERGY);
}

void wn_emitted_add(const struct wn_species *s, struct wn_tally_surface *at,
                    const struct wn_electron *one, uint32_t word, struct wn_births *made)
{
  count(s, at, one);
  if (wn_plasma_has_electrons(s)) {
    struct wn_electron e = *one;
    e.t_next = wn_exponential_f(word) * wn_species_mcc(s)->inv_nu;
    wn_births_push(made, &e);
    return;
  }
  const int dim = wn_plasma_points(s)->grid.dim, n_v = wn_emitted_velocities(s);
  union wn_word record[8];
  wn_loading_point_of(dim, n_v, one->at, one->u, record);
  if (wn_point_weighs(dim, n_v))
    record[dim + n_v].f = one->w;
  wn_births_push(made, record);
}
