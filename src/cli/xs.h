/* src/cli/xs.h - the sets that `wilson xs` has read; shared by xs.c, xs_sets.c and xs_output.c only */
#ifndef WN_SRC_CLI_XS_H
#define WN_SRC_CLI_XS_H
#include <stdbool.h>
#include <stddef.h>

#include "crosssections/xs.h"
#include "physics/constants.h"
#include "src/cli/cli.h"

/* m-3, 1 atm and 0 degrees Celsius. */
#define WN_CLI_XS_LOSCHMIDT (WN_ATM / (WN_KB * 273.15))

struct wn_cli_xs_gas {
  struct wn_xs_set *set; /* as read */
  char *name;            /* "N2", or of ions "Ar+ / Ar" */
  double fraction;       /* in the mixture; NAN: not given */
  double opal_ev;        /* width of the secondary energies */
  /* above it the loss is unknown: a contributing table ends above 0 */
  double limit_ev;
  bool unfit; /* wn_xs_prepare has failed, and why */
};

/* A target named by --gas. */
struct wn_cli_xs_pick {
  char *target;
  double fraction; /* NAN: none */
  size_t n_found;
};

struct wn_cli_xs_sets {
  const struct wn_cli_xs *args;
  struct wn_cli_xs_gas *gas;
  size_t n_gases;
  struct wn_cli_xs_pick *pick;
  size_t n_picks;
  const char **seen; /* targets of all files, for suggestions; pointers into names */
  size_t n_seen;
  char ***names; /* of each file */
  size_t *n_names, n_files_done;
};

/* ---- xs_sets.c ---- */

/* Reads the files of x->args, and prints their targets on stdout.  An error is logged,
 * and valid sets are stored all the same, unless memory is short. */
int wn_cli_xs_read(struct wn_cli_xs_sets *x);
void wn_cli_xs_clear(struct wn_cli_xs_sets *x);

/* The targets of --gas alone: x->pick. */
int wn_cli_xs_read_picks(struct wn_cli_xs_sets *x);

/* Was every target of --gas found, and only once if it is part of a mixture? */
int wn_cli_xs_check_picks(const struct wn_cli_xs_sets *x);

/* The reason why a set is unsuitable for a run, as far as it depends on the set alone;
 * NULL if none is found. */
const char *wn_cli_xs_obstacle(const struct wn_xs_set *set);

/* Whether --gas gave fractions. */
bool wn_cli_xs_is_mixture(const struct wn_cli_xs_sets *x);

/* Energy lost in excitation and ionization per path length [eV/m], at 1 atm and 0 degrees Celsius, of n
 * gases: their mixture, or a single one; NAN above the end of a contributing table. */
double wn_cli_xs_friction(const struct wn_cli_xs_gas *gas, size_t n, bool mixture,
                          double energy_ev);

/* ---- xs_output.c ---- */

/* Write args->output. */
int wn_cli_xs_write(const struct wn_cli_xs_sets *x);

#endif
