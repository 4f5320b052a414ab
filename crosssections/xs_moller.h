/* crosssections/xs_moller.h - Moller's cross section in a set: the sets that electrons with this sharing collide
 * with. */
#ifndef WN_CROSSSECTIONS_XS_MOLLER_H
#define WN_CROSSSECTIONS_XS_MOLLER_H
#include "crosssections/xs.h"

/* Make the ionizations of a prepared set those of the join: their tables are scaled by the total of the
 * join over that of RBEB.  Excitations are multiplied by the factor with which the mean loss of all collisions is
 * Bethe's from 10 keV on (xs_bethe.h).  From soft_from_ev on ionizations keep what is above the cut; the rest and all
 * excitations become one process `friction`, which takes quantum_ev [eV] at a time and has the same mean
 * loss per length.  quantum_ev below 0: that with which the variance of the loss is the same, too, at
 * 1 MeV or, if that is higher, soft_from_ev.  Recoil in elastic collisions remains.
 *   WN_EINPUT  an ionization without an orbital; a cut below twice the binding energy of an orbital;
 *              soft_from_ev below twice the cut, or above the last row of a table; a quantum above a
 *              tenth of soft_from_ev
 *   WN_ENOMEM */
int wn_xs_set_moller(struct wn_xs_set *set, const struct wn_moller_model *model,
                     double quantum_ev);

#endif
