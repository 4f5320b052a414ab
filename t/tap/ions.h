/* t/tap/ions.h - made-up sets of cross sections of ions, for the tests of model `ion`.
 * Inline: each test uses a part. */
#ifndef WN_T_TAP_IONS_H
#define WN_T_TAP_IONS_H
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "crosssections/xs.h"
#include "physics/constants.h"
#include "t/tap/tap.h"

/* Edge i of the bins of crosssections/xs_ion.c with 64 of them an octave, from 2^-30 eV: a
 * table with its rows there is taken over exactly. */
static inline double ions_edge(int i)
{
  return ldexp(1.0 + (double)(i % 64) / 64.0, -30 + i / 64);
}

static inline void ions_need(int is_there)
{
  if (is_there)
    return;
  diag("out of memory");
  exit(1);
}

static inline struct wn_xs_set *ions_set(const char *ion, const char *target, double m_u,
                                         double target_u)
{
  struct wn_xs_set *set = calloc(1, sizeof *set);
  ions_need(set != NULL);
  set->name = strdup(target);
  set->ion = strdup(ion);
  set->source = strdup("made up");
  set->ion_mass = m_u * WN_AMU;
  set->target_mass = target_u * WN_AMU;
  return set;
}

/* Adds a process: sigma_of(e) [m2] at the edges from 2^-30 eV to the first at or above e_max
 * [eV], these multiplied by per_cm. */
static inline void ions_add(struct wn_xs_set *set, enum wn_xs_kind kind,
                            double (*sigma_of)(double), double e_max, double per_cm)
{
  struct wn_xs_process p = {.kind = kind, .target = strdup(set->name)};
  while (ions_edge((int)p.n++) < e_max)
    ;
  p.energy_ev = malloc(p.n * sizeof *p.energy_ev);
  p.sigma = malloc(p.n * sizeof *p.sigma);
  ions_need(p.target != NULL && p.energy_ev != NULL && p.sigma != NULL);
  for (size_t i = 0; i < p.n; i++) {
    p.energy_ev[i] = ions_edge((int)i) * per_cm;
    p.sigma[i] = sigma_of(ions_edge((int)i));
  }
  ions_need(wn_xs_append(set, &p) == WN_OK);
}

#endif
