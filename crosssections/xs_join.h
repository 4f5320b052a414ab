/* crosssections/xs_join.h - total, mean loss and the rest of the ionization of an orbital whose differential
 * cross section is the join of physics/moller.h. */
#ifndef WN_CROSSSECTIONS_XS_JOIN_H
#define WN_CROSSSECTIONS_XS_JOIN_H
#include "crosssections/xs.h"

/* Integral of Q^moment dsigma over the losses Q from `from_ev` to `to_ev`, as far as there are such,
 * of an electron of t_ev and all electrons of the orbital [m2 eV^moment]; moment 0, 1 or 2. */
double wn_xs_join(const struct wn_xs_orbital *o, const struct wn_moller_model *model,
                  int moment, double from_ev, double to_ev, double t_ev);

/* Mean loss, B and the energy of the newborn, of an ionization of a process whose `moller` has a
 * cut [eV]. */
double wn_xs_join_mean_loss(const struct wn_xs_process *p, double t_ev);

#endif
