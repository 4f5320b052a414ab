/* t/tap/loss_gas.h - a made-up gas X that takes electrons at a frequency which does not depend on
 * their speed, and scatters none: what a flight through it is, is known exactly. */
#ifndef WN_T_TAP_LOSS_GAS_H
#define WN_T_TAP_LOSS_GAS_H
#include <math.h>
#include <stdio.h>
#include "physics/constants.h"

/* A file in the format of LXCat.  loss: 1/s at the density, m-3; up to loss_ev, and to end_ev
 * where nothing is scattered. */
static inline void write_loss_gas(const char *path, double loss, double density,
                                  double loss_ev, const char *end_ev)
{
  FILE *f = fopen(path, "w");
  fprintf(f, "made-up\n\nATTACHMENT\nX\nSPECIES: e / X\n-----------------------------\n");
  for (double e = 1e-6; e < loss_ev; e *= 1.01) {
    const double g = 1.0 + e / WN_MC2_EV, v = WN_C * sqrt(1.0 - 1.0 / (g * g));
    fprintf(f, " %.6e\t%.8e\n", e, loss / (density * v));
  }
  fprintf(f,
          "-----------------------------\n\nELASTIC\nX\n 1e-30\n"
          "-----------------------------\n 0 0\n %s 0\n"
          "-----------------------------\n",
          end_ev);
  fclose(f);
}

#endif
