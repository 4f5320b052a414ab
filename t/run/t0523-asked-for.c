/* t0523-asked-for.c - defends: a swarm is sampled for the `duration` of the scenario, also
 * where that is no whole number of blocks of the length it would have had, or shorter than
 * one; and a component with a fraction of 0 changes nothing but a line of the log. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "t/tap/command.h"
#include "t/tap/tap.h"

#define FILE_A "t0523-a.nc"
#define FILE_B "t0523-b.nc"
#define SWARM                                                                            \
  "fields = [\"400 Td\"]; electrons = 200; groups = 4; relaxation = \"20 ps\";\n"        \
  "sampling = { block = 32; };\n"
#define N2 "N2 = { file = \"builtin:air\"; fraction = 1.0; };"

static double value(const char *file, const char *name)
{
  size_t n = 0;
  double *v = command_nc_read(file, name, &n), x = v != NULL && n > 0 ? v[0] : NAN;
  free(v);
  return x;
}

static void run(const char *file, const char *more)
{
  int status = command("%s run t0523.cfg --scheduler serial --output %s %s",
                       command_wilson(), file, more);
  if (!is_int(status, 0, "it runs with %s", *more ? more : "nothing more"))
    diag("%.800s", command_err);
}

static void duration(void)
{
  command_write("t0523.cfg", SWARM "gas = { components = { " N2 " }; };");
  static const struct {
    const char *set;
    double duration;
    int warns;
  } cases[] = {
      {"--set 'duration=\"43 ps\"'", 43e-12, 0}, /* blocks of 10 ps at the most */
      {"--set 'duration=\"0.1 ps\"'", 0.1e-12, 0},
      {"--set 'duration=\"24 ps\"' --set 'sampling.interval=\"0.5 ps\"'", 24e-12, 1},
      {"--set 'duration=\"9 ps\"' --set 'sampling.interval=\"0.5 ps\"'", 9e-12, 1},
      {"--set 'duration=\"32 ps\"' --set 'sampling.interval=\"0.5 ps\"'", 32e-12, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    run(FILE_A, cases[i].set);
    is_close(value(FILE_A, "sampling_time"), cases[i].duration, 1e-9, "is sampled");
    is_int(strstr(command_err, "sampling.interval is") != NULL, cases[i].warns,
           "a sample that becomes shorter is said");
  }
}

static void fractions(void)
{
  run(FILE_A, "--set 'duration=\"20 ps\"'");
  command_write("t0523.cfg",
                SWARM "gas = { components = {\n"
                      "O2 = { file = \"no/such.txt\"; fraction = 0.0; };\n" N2
                      "Ar = { file = \"builtin:argon\"; fraction = 0; };"
                      " }; };");
  run(FILE_B, "--set 'duration=\"20 ps\"'");
  ok(strstr(command_err, "gas.components.O2.fraction`: 0; the component is left out") !=
             NULL &&
         strstr(command_err, "gas.components.Ar.fraction`: 0") != NULL,
     "the log names both that are left out");
  is_close(value(FILE_B, "mean_energy"), value(FILE_A, "mean_energy"), 0.0,
           "the same mean energy");
  is_close(value(FILE_B, "drift_velocity_bulk"), value(FILE_A, "drift_velocity_bulk"),
           0.0, "the same drift");
}

int main(void)
{
  plan(0);
  duration();
  fractions();
  remove("t0523.cfg");
  remove(FILE_A);
  remove(FILE_B);
  return done();
}
