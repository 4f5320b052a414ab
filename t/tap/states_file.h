/* t/tap/states_file.h - an LXCat file of an invented gas "X" with blocks between states, as t0208 and
 * t0652 write it: a rigid rotor with J from 0 to 6, by PROCESS and PARAM, whose even and odd J
 * nothing ties together; three vibrational states, by lines 2 and 3. */
#ifndef WN_T_STATES_FILE_H
#define WN_T_STATES_FILE_H
#include <math.h>
#include <stdio.h>

#define STATES_B  0.005 /* eV */
#define STATES_J  6
#define STATES_V1 0.1 /* eV */
#define STATES_V2 0.19

static double states_loss(int j)
{
  return STATES_B * ((j + 2) * (j + 3) - j * (j + 1));
}

/* From J to J + 2, from the loss on; 0 there. */
static double states_sigma(int j, double e)
{
  const double w = states_loss(j);
  return e > w ? 3e-19 * (j + 1) * (1.0 - w / e) : 0.0;
}

static int states_write(const char *path, const char *more)
{
  FILE *f = fopen(path, "w");
  if (f == NULL)
    return 0;
  fprintf(f, "ELASTIC\nX\n1e-3\n-----\n0 1e-19\n1000 1e-19\n-----\n\n");
  for (int j = 0; j + 2 <= STATES_J; j++) {
    fprintf(f,
            "ROTATIONAL\nSPECIES: e / X-rot\nPROCESS: E + X-rot <-> E + X "
            "(J=%d-J=%d), Rotational\nPARAM.:  E = %.10g eV, g1/g0 = %.12g\n-----\n",
            j, j + 2, states_loss(j), (2.0 * j + 5.0) / (2.0 * j + 1.0));
    for (double e = states_loss(j); e < 1000.0; e *= 1.02)
      fprintf(f, "%.10g %.10g\n", e, states_sigma(j, e));
    fprintf(f, "-----\n\n");
  }
  fprintf(f,
          "VIBRATIONAL\nX(v=0) <-> X(v=1)\n%g 1\n-----\n0.1 0\n0.3 3e-19\n1000 "
          "1e-19\n-----\n\n"
          "VIBRATIONAL\nX(v=1) <-> X(v=2)\n%g 1\n-----\n0.09 0\n0.3 5e-19\n1000 "
          "1e-19\n-----\n%s",
          STATES_V1, STATES_V2 - STATES_V1, more);
  return fclose(f) == 0;
}

#endif
