/* crosssections/xs_moller.h - Moller's cross section in a set: total, mean loss and the rest of the
 * ionization of an orbital whose differential cross section is the join of physics/moller.h, and the
 * sets that electrons with this sharing collide with. */
#ifndef WN_CROSSSECTIONS_XS_MOLLER_H
#define WN_CROSSSECTIONS_XS_MOLLER_H
#include "crosssections/xs.h"

/* Integral of Q^moment dsigma over the losses Q from `from_ev` to `to_ev`, as far as there are such,
 * of an electron of t_ev and all electrons of the orbital [m2 eV^moment]; moment 0, 1 or 2. */
double wn_xs_join(const struct wn_xs_orbital *o, const struct wn_moller_model *model,
                  int moment, double from_ev, double to_ev, double t_ev);

/* Mean loss, B and the energy of the newborn, of an ionization of a process whose `moller` has a
 * cut [eV]. */
double wn_xs_join_mean_loss(const struct wn_xs_process *p, double t_ev);

/* Make the ionizations of a prepared set those of the join: their tables are scaled by the total of the
 * join over that of RBEB.  From soft_from_ev on they keep what is above the cut; the rest and all
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
