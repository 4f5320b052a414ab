/* t/tap/photon_swarm.h - a swarm in nitrogen with photons, whose electrons hardly ever collide elastically, so that
 * what their radiation does is seen alone.  Inline: each test has its own files. */
#ifndef WN_T_TAP_PHOTON_SWARM_H
#define WN_T_TAP_PHOTON_SWARM_H
#include <stdio.h>
#include <stdlib.h>
#include "t/tap/command.h"

#define LOSCHMIDT 2.6868e25 /* m-3 */

/* `set`: the file of its cross sections; `file`: the scenario, in so many times the density of 0 C and 1 atm. */
static inline void photon_swarm(const char *set, const char *file, double times,
                                const char *rest)
{
  const char *root = getenv("WN_SRCDIR");
  char text[4000];
  snprintf(text, sizeof text,
           "job = \"swarm\"; initial_spectrum = \"mono\"; initial_direction = "
           "\"drift\";\n"
           "gas = { number_density = \"%.9g m-3\"; temperature = \"0 degC\";\n"
           "  thermal_motion = false; components = { N2 = { file = \"%s\";\n"
           "  photons = \"%s/data/photons/N.txt\"; beyond = \"constant\"; }; }; };\n"
           "tables = { energy_max = \"100 MeV\"; bins_per_octave = 16; };\n"
           "population = { protect_above = \"1 keV\"; };\n"
           "device = \"cpu\"; quiet = true;\n%s",
           times * LOSCHMIDT, set, root != NULL ? root : ".", rest);
  command_write(set, "ELASTIC\nN2\n 1.9583e-05\n-----------------------------\n"
                     " 0.0 1e-30\n 1.0 1e-30\n 1e8 1e-30\n"
                     "-----------------------------\n");
  command_write(file, text);
}

#endif
