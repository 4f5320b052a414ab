/* crosssections/xs.h - cross sections of one gas as read or computed, before they become
 * tables. Units: energies eV in the frame where the target is at rest, cross sections m2,
 * masses kg. Sets come from LXCat text files (xs_lxcat.c) or from the built-in analytic
 * air (xs_air.c) and argon (xs_argon.c). */
#ifndef WN_CROSSSECTIONS_XS_H
#define WN_CROSSSECTIONS_XS_H
#include <stdbool.h>
#include <stddef.h>
#include "physics/xs_view.h"

/* The kinds that collide are those of physics/collisions/list.h, under the same numbers.
 * ELASTIC is elastic momentum transfer (LXCat), EXCITATION also vibration and rotation; its
 * loss may be negative: superelastic, of the file or made by xs_levels.h.  Those after them
 * keep their numbers as the list grows. */
enum wn_xs_kind {
#define KIND_OF(KIND, name, file) WN_XS_##KIND = WN_PROC_##KIND,
  WN_PROCESSES(KIND_OF, KIND_OF, KIND_OF, KIND_OF, KIND_OF)
#undef KIND_OF
      WN_XS_EFFECTIVE =
          16, /* elastic momentum transfer + all inelastic; never used as it is */
  /* of ions, both elastic: any direction in the centre-of-mass frame alike; the relative
   * velocity reversed (for equal masses: resonant charge exchange) */
  WN_XS_ISOTROPIC,
  WN_XS_BACKSCATTER,
  WN_XS_N_KINDS
};
const char *wn_xs_kind_name(enum wn_xs_kind kind); /* "elastic", ... */

/* One orbital of the RBEB model: its ionization and the secondary energies. */
struct wn_xs_orbital {
  double b_ev; /* binding energy */
  double u_ev; /* orbital kinetic energy */
  double n;    /* electrons in the orbital */
};

struct wn_xs_process {
  enum wn_xs_kind kind;
  char *target; /* exact string of the file */
  /* Reaction product; NULL when the file gives none.  If several channels of one kind
   * have the same product on line 2, the products of the reaction follow in parentheses.
   * They are those of REACTION, OUTPUT_SPECIES or PROCESS. */
  char *product;
  /* the product has such parentheses; the product without them selects all channels */
  bool channel;
  char *label;    /* unique within the gas, from kind and product: "excitation N2(v1)" */
  char *database; /* NULL when unknown */
  char *comment;  /* all COMMENT lines, joined by newlines; NULL when none */
  char *updated;
  int line;       /* of the keyword in its file; 0 for built-in */
  double loss_ev; /* energy loss (threshold); 0 for elastic, effective and attachment */
  /* sigma is 0 below this: max(loss, 0), or an attachment's onset: line 3, or the first
   * row where that is above it and not 0 */
  double threshold_ev;
  double mass_ratio;            /* m/M of an elastic or effective block, else 0 */
  double weight_ratio;          /* g1/g0 when given, else 0 */
  bool reversible;              /* written with <-> */
  bool three_body;              /* the table is in m2 per cm-3 of third body */
  struct wn_xs_orbital orbital; /* ionization of the built-in set; n = 0 otherwise */
  /* of an ionization whose table is that of the join to Moller's cross section
   * (xs_moller.h); cut_ev 0: it is not */
  struct wn_moller_model moller;
  struct wn_soft_deflection deflection; /* of friction (physics/ionization_angle.h) */
  /* Integral (not momentum-transfer) elastic cross section on the same energies; NULL
   * when the set does not give it.  If it is given, the angular model takes its parameter
   * from the ratio of momentum-transfer to integral cross section. */
  double *sigma_total;
  /* The table: n >= 2 rows, energies non-decreasing (an equal pair is a right-continuous
   * step), sigma >= 0, 0 below threshold_ev.  Linear between rows. */
  size_t n;
  double *energy_ev, *sigma;
};

/* Frame of the energies of a set of ions. */
enum wn_xs_frame {
  WN_XS_FRAME_CM, /* of the relative motion: in the frame of the centre of mass */
  WN_XS_FRAME_LAB /* of the ion, the target at rest: (m + M)/M times as much */
};

struct wn_xs_set {
  char *name; /* gas name, the target asked for */
  /* projectile: an ion such as "Ar+", or NULL for electrons.  Sets of ions contain the
   * kinds isotropic and backscatter only; sets of electrons contain neither. */
  char *ion;
  enum wn_xs_frame frame;       /* of a set of ions */
  double ion_mass, target_mass; /* of a set of ions, kg; 0: unknown */
  char *source;                 /* path of the file, or "builtin:air" */
  char *sha256;                 /* of the file; NULL for built-in */
  size_t n;
  struct wn_xs_process *process;
  /* skipped, repaired or assumed input, one item a line: "file:line: text"; NULL when
   * there is none */
  char *notes;
};

/* Extrapolation above the last energy of a table. */
enum wn_xs_beyond {
  /* an electron above the last energy stops the run with a message.  A table whose last
   * value is 0 has ended: it stays 0 under every policy */
  WN_XS_BEYOND_ERROR,
  WN_XS_BEYOND_CONSTANT, /* last value */
  WN_XS_BEYOND_ZERO,
  WN_XS_BEYOND_POWER, /* the power law through the last two rows, never rising */
  /* high-energy theory, scaled to the last row: RBEB for ionization (N2, O2, Ar),
   * screened Coulomb for elastic scattering; for excitation and attachment see
   * xs_beyond.c */
  WN_XS_BEYOND_BORN,
  WN_XS_N_BEYOND
};

/* Treatment of EFFECTIVE blocks. */
enum wn_xs_effective {
  /* default: an EFFECTIVE block without an ELASTIC one is an error that names the two
   * alternatives */
  WN_XS_EFFECTIVE_ERROR,
  /* elastic = effective - all inelastic of the gas, clamped at 0; each clamp is noted */
  WN_XS_EFFECTIVE_SUBTRACT,
  WN_XS_N_EFFECTIVE
};

/* Read every block of one target from an LXCat text file.
 *   path     file
 *   target   exact target string ("N2"); of ions with their name before it, without
 *            carets ("Ar+ / Ar"); NULL: the only target of the file (error that lists
 *            them when there are more), of electrons if there are any
 *   database NULL, or the part of a DATABASE name that picks one of several
 * Every block that cannot be used is named in set->notes and warned about.  EFFECTIVE
 * blocks are kept as such.  Errors: WN_EINPUT with file:line, WN_EIO when unreadable,
 * WN_ENOMEM. */
int wn_xs_read_lxcat(const char *path, const char *target, const char *database,
                     struct wn_xs_set **out);

/* All targets of a file: n strings, "target" or "target (database)" when several
 * databases hold it; free each and the array. */
int wn_xs_list_targets(const char *path, size_t *n, char ***names);

/* The built-in analytic air: gas is "N2" or "O2", anything else is WN_EINPUT. */
int wn_xs_builtin_air(const char *gas, struct wn_xs_set **out);
/* The built-in analytic argon: "Ar", electrons, or "Ar+ / Ar", ions; else WN_EINPUT. */
int wn_xs_builtin_argon(const char *target, struct wn_xs_set **out);

/* Both by name, "builtin:air" or "builtin:argon". */
bool wn_xs_is_builtin(const char *name);
int wn_xs_builtin(const char *name, const char *target, struct wn_xs_set **out);
/* As wn_xs_list_targets. */
int wn_xs_builtin_targets(const char *name, size_t *n, char ***names);

/* Make the set fit for a particle code.  Of ions: at most one isotropic and one
 * backscatter, at least one of them.  Of electrons: exactly one ELASTIC (EFFECTIVE by its policy), at
 * least one process, three-body blocks scaled: third_body_m3 = density of the third body
 * [m-3], 0 removes them (and notes it). Duplicated processes and several ELASTICs are
 * WN_EINPUT.  exclude: labels or products to leave out (n_exclude may be 0); one that
 * matches nothing is WN_EINPUT with the nearest label. */
int wn_xs_prepare(struct wn_xs_set *set, enum wn_xs_effective effective,
                  double third_body_m3, size_t n_exclude, const char *const *exclude);

/* Cross section of one process at an energy, with its policy beyond the last row [m2].
 * ERROR acts as CONSTANT here. Below the first row: 0 for anything with a threshold above
 * 0 or a first value of 0 and for every attachment, else the first value. At an equal pair
 * of energies: the right value. */
double wn_xs_sigma(const struct wn_xs_set *set, const struct wn_xs_process *p,
                   double energy_ev, enum wn_xs_beyond beyond);
/* The same for the integral elastic (sigma_total); only when it is not NULL. */
double wn_xs_sigma_total(const struct wn_xs_set *set, const struct wn_xs_process *p,
                         double energy_ev, enum wn_xs_beyond beyond);

/* Relativistic binary-encounter-Bethe ionization of one orbital: total cross section
 * [m2], differential cross section [m2/eV] in the secondary's energy w_ev in [0,
 * (t-b)/2], and mean secondary energy [eV].  physics/ionize.h samples the differential
 * cross section, and the other two are its integrals; only tests call it. */
double wn_xs_rbeb(const struct wn_xs_orbital *o, double t_ev);
double wn_xs_rbeb_sdcs(const struct wn_xs_orbital *o, double t_ev, double w_ev);
double wn_xs_rbeb_mean_w(const struct wn_xs_orbital *o, double t_ev);

/* Friction [eV/m] at energy t of a mixture: sum over gases of N_i (excitation loss +
 * ionization loss with its mean secondary energy).  n gases; density[i] in m-3;
 * secondary: mean secondary energy as RBEB where an orbital is known, or of the join of
 * xs_join.h, else Opal with opal_w[i] (eV). */
double wn_xs_friction(size_t n, const struct wn_xs_set *const *set, const double *density,
                      const enum wn_xs_beyond *beyond, const double *opal_w, double t_ev);

double wn_xs_set_mass(
    const struct wn_xs_set *set); /* target mass [kg] from m/M; 0 when the set has none */
void wn_xs_free(struct wn_xs_set *set);

/* Add a process to a set under construction; takes over the strings and arrays of p on
 * success. */
int wn_xs_append(struct wn_xs_set *set, const struct wn_xs_process *p);
int wn_xs_note(struct wn_xs_set *set, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
