/* src/sim/gas.h - the gas of a scenario: prepared sets, in the order of the components,
 * and the tables made from them.  Shared by all cases. */
#ifndef WN_SRC_SIM_GAS_H
#define WN_SRC_SIM_GAS_H
#include <stddef.h>
#include "crosssections/xs_table.h"
#include "src/config/config.h"
#include "src/sim/gas_ions.h"
#include "src/sim/gas_radiation.h"

struct wn_gas {
  size_t n;
  struct wn_xs_set **set; /* [n] */
  double *density;        /* [n], m-3 */
  double *opal_ev;        /* [n]: wn_gas_opal_ev */
  char **process_name;    /* [table->view.n_processes] "N2 excitation N2(v1)" */
  size_t n_sources;
  char **source; /* [n_sources] "path sha256", of all sets */
  struct wn_xs_table *table;
  struct wn_gas_ions
      *ions[WN_MAX_SPECIES]; /* of species that are ions and collide; NULL */
  struct wn_gas_radiation *radiation; /* NULL: the scenario has none */
};

/* Reads the files of c->components, prepares their sets and makes the tables; c is not
 * stored.
 *   WN_EINPUT  a file, a set or a choice of the scenario is invalid: with its name
 *   WN_EIO     a file cannot be read to its end
 *   WN_ENOMEM */
int wn_gas_create(const struct wn_config *c, struct wn_gas **out);
void wn_gas_free(struct wn_gas *g);

/* Sharing moller of the scenario. */
void wn_gas_moller(const struct wn_config *c, struct wn_moller_model *out);

/* WN_EINPUT, with the name, unless both have the same processes in the same order. */
int wn_gas_same_processes(const struct wn_gas *a, const struct wn_gas *b);

/* Width of the secondary spectrum, eV.  The scenario has Opal, Peterson and Beaty's
 * values by name (wn_config_gas_opal_width); otherwise (given_ev is WN_AUTO) it is their
 * rule of thumb, 0.6 of the ionization energy. */
double wn_gas_opal_ev(double given_ev, const struct wn_xs_set *set);

#endif
