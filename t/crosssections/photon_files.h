/* t/crosssections/photon_files.h - the shipped photon data of N, O and Ar, and dry air of them. */
#ifndef WN_T_CROSSSECTIONS_PHOTON_FILES_H
#define WN_T_CROSSSECTIONS_PHOTON_FILES_H
#include <stdio.h>
#include <stdlib.h>
#include "crosssections/xs_photon.h"

enum { PHOTON_FILES = 3 };
static const char *const photon_symbol[PHOTON_FILES] = {"N", "O", "Ar"};

static inline int photon_files_read(struct wn_xs_photon *x[PHOTON_FILES])
{
  const char *src = getenv("WN_SRCDIR");
  for (int i = 0; i < PHOTON_FILES; i++) {
    char path[1000];
    x[i] = NULL;
    snprintf(path, sizeof path, "%s/data/photons/%s.txt", src != NULL ? src : ".",
             photon_symbol[i]);
    int status = wn_xs_photon_read(path, &x[i]);
    if (status != 0)
      return status;
  }
  return 0;
}

static inline void photon_files_free(struct wn_xs_photon *x[PHOTON_FILES])
{
  for (int i = 0; i < PHOTON_FILES; i++)
    wn_xs_photon_free(x[i]);
}

/* Dry air of the published tables, atoms per kg: mass fractions 0.755268 N, 0.231781 O, 0.012827 Ar; 0.000124 of C counts as N. */
static const double photon_air_mass[PHOTON_FILES] = {0.755268 + 0.000124, 0.231781,
                                                     0.012827};

static inline double photon_air_per_kg(const struct wn_xs_photon *const x, int i)
{
  return photon_air_mass[i] / x->mass;
}

#endif
