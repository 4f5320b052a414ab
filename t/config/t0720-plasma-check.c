/* t0720-plasma-check.c - defends: `wilson check` of a plasma says its particles, how near
 * it is to the limits of step and cells, and its memory; what does not fit this machine is
 * refused; a run ends with a clear word.  Numbers by hand, CODATA 2018: 1e15 electrons/m3
 * have the plasma frequency 1.78399e9 rad/s; at 2 eV the Debye length 332.456 um and the
 * thermal speed 5.93097e5 m/s.  Means of profiles: w/L; sqrt(2 pi) s/L erf(L/(2 sqrt(2)
 * s)); pi (b^2 - a^2)/L^2; with a perturbation, w/L (1 + a sin(k w/2)/(k w/2)) for a slab in
 * the middle of an even number of waves. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "src/config/config.h"
#include "src/config/plasma_derived.h"
#include "src/config/plasma_limits.h"
#include "src/sim/loading.h"
#include "src/sim/plasma.h"
#include "t/tap/command.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0720.cfg"
#define PI        3.14159265358979

static const char text[] =
    "model = \"plasma\"; duration = \"10 ns\"; device = \"cpu\"; scheduler = "
    "\"serial\";\n"
    "grid = { cells = [64, 32]; length = [\"1 cm\", \"5 mm\"]; };\n"
    "species = {\n"
    "  e = { density = \"1e15 m-3\"; temperature = \"2 eV\"; };\n"
    "  slab = { density = \"1e15 m-3\"; profile = \"slab\"; width = [\"2 mm\", "
    "\"none\"]; "
    "per_cell = 10; mobile = false; charge = 1; };\n"
    "  gauss = { density = \"1e13 m-3\"; profile = \"gaussian\"; width = [\"2 mm\", "
    "\"none\"]; mobile = false; charge = 1; };\n"
    "  ring = { density = \"1e13 m-3\"; profile = \"annulus\"; radius = [\"1 mm\", \"2 "
    "mm\"]; mobile = false; charge = 1; };\n"
    "  gring = { density = \"1e13 m-3\"; profile = \"ring\"; ring = [\"0.4 mm\", "
    "\"0.2 mm\"]; mobile = false; charge = 1; };\n"
    "  cold = { density = \"1e13 m-3\"; amplitude = 0.3; mode = [0, 1]; drift = [\"100 "
    "km/s\", \"0\", \"0\"]; };\n"
    "};\n"
    "plasma = { time_step = \"20 ps\"; background = true; };\n";

static void said(const char *what)
{
  if (!ok(strstr(command_out, what) != NULL, "check says \"%s\"", what))
    diag("%s%s", command_out, command_err);
}

static void numbers(void)
{
  struct wn_config *c = NULL;
  struct wn_plasma_limits l;
  is_int(wn_config_read(FILE_NAME, 0, NULL, &c), WN_OK, "the scenario is valid");
  if (c == NULL)
    return;
  const struct wn_cfg_species *s = c->species;
  is_close(wn_loading_mean(c, &s[0]), 1, 1e-12, "mean of a uniform profile");
  is_close(wn_loading_mean(c, &s[1]), 0.2, 1e-9, "mean of a slab");
  is_close(wn_loading_mean(c, &s[2]), sqrt(2 * PI) * 0.2 * erf(0.5 / (sqrt(2) * 0.2)),
           1e-6, "mean of a Gaussian");
  is_close(wn_loading_mean(c, &s[3]), PI * 3e-6 / 5e-5, 1e-9, "mean of an annulus");
  is_close(wn_loading_mean(c, &s[4]),
           2 * PI * (8e-8 * sqrt(2 * PI) * 0.5 * (1 + erf(sqrt(2))) + 4e-8 * exp(-2.0)) /
               5e-5,
           1e-7, "mean of a ring");
  is_close(wn_loading_mean(c, &s[5]), 1, 1e-12, "whole waves have no mean");
  is_close(wn_plasma_particles(c, &s[1]), 64 * 32 * 10 * 0.2, 1e-12,
           "particles of the slab");
  wn_plasma_limits(c, &l);
  is_close(l.omega_p, 1.78399e9 * sqrt(1 + 0.013), 1e-5,
           "plasma frequency of mobile species");
  is_close(l.omega_p_dt, l.omega_p * 20e-12, 1e-12, "times the step");
  is_close(l.debye, 332.456e-6, 1e-5, "Debye length, not of the cold beam");
  is_str(l.coldest ? l.coldest->name : NULL, "e", "which is that of the electrons");
  is_close(l.crossing, 5 * 5.93097e5 * 20e-12 / (0.01 / 64), 1e-5, "cells in a step");
  is_int((long)wn_plasma_record(c, 0).bytes, 16,
         "16 bytes a particle in 2-D with 2 velocities");
  is_close(wn_plasma_nodes(c), 67 * 35, 0, "nodes with guards");
  wn_config_free(c);

  const char *set[] = {"plasma.velocities=3", "threads=3",
                       "species.cold.drift=[\"-5e6 m/s\", \"0\", \"0\"]"};
  is_int(wn_config_read(FILE_NAME, 3, set, &c), WN_OK, "three velocities");
  if (c == NULL)
    return;
  wn_plasma_limits(c, &l);
  is_int((long)wn_plasma_record(c, 0).bytes, 32, "32 bytes a particle");
  is_close(l.crossing, 5e6 * 20e-12 / (0.01 / 64), 1e-12, "the beam is the fastest");
  is_str(l.fastest ? l.fastest->name : NULL, "cold", "whatever its direction");
  is_int(wn_plasma_field_spec(c).poisson.threads, 3, "threads of the solver");
  wn_config_free(c);
}

/* Electrons that fall through the voltage between walls, which thermal ones do not show (a discharge of 0.93
 * cells a step died when its sheath accelerated some, found 2026-11-24). */
static void falls(void)
{
  const char *set[] = {
      "walls.x_low.field=\"dirichlet\"", "walls.x_high.field=\"dirichlet\"",
      "walls.x_high.voltage=\"-300 V\"", "walls.x_low.amplitude=\"100 V\"",
      "walls.x_low.frequency=\"1 MHz\""};
  struct wn_config *c = NULL;
  struct wn_plasma_limits l;
  is_int(wn_config_read(FILE_NAME, 5, set, &c), WN_OK, "walls with a voltage");
  if (c == NULL)
    return;
  wn_plasma_limits(c, &l);
  is_close(l.voltage, 400.0, 1e-12, "300 V and the amplitude of 100 V");
  /* sqrt(2 e 400 V/m) = 1.18622e7 m/s, times 1 - 3/4 e U/(m c2) */
  is_close(l.driven, 1.18552e7 * 20e-12 / (0.01 / 64), 1e-4,
           "cells in a step after 400 V");
  is_str(l.driven_one ? l.driven_one->name : NULL, "e", "of electrons");
  wn_config_free(c);
  is_int(
      command("%s check " FILE_NAME " --set 'walls.x_low.field=\"dirichlet\"' --set "
              "'walls.x_high.field=\"dirichlet\"' --set 'walls.x_low.voltage=\"400 V\"'",
              command_wilson()),
      0, "a check with 400 V");
  ok(strstr(command_err, "falls through the 400 V between walls crosses 1.52 cells") !=
         NULL,
     "warns of them");
  said("the same by e from 400 V                            1.517 (at most 1)");
}

static void commands(void)
{
  const char *wilson = command_wilson();
  is_int(command("%s check " FILE_NAME, wilson), 0, "wilson check of a plasma");
  said("scheduler serial, 1 thread");
  said("model plasma: 64 x 32 cells of 0.0001563 x 0.0001563 m, 2 velocities, 500 steps "
       "of "
       "2e-11 s");
  said("204800 particles of charge -1 e\n");
  said("4096 particles of charge 1 e, immobile");
  said("plasma frequency times time step                  0.03591 (below 2)");
  said("cells crossed in a step by e                       0.3796 (at most 1)");
  said("Debye length in cells, of e                         2.128 (at least 1/pi)");
  said("particles at the start, 16 bytes each");
  is_int(command("%s check " FILE_NAME " --set 'plasma.allow=\"debye-length\"' --set "
                 "'grid.cells=[8, 8]'",
                 wilson),
         0, "a limit that may be broken");
  said("(at least 1/pi), broken: plasma.allow");
}

/* More particles than most machines hold: 8 species of 3.3e9. */
static void too_large(void)
{
  if ((double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) > 4e11) {
    skip(3, "this machine has more than 400 GB of memory");
    return;
  }
  FILE *f = fopen(FILE_NAME, "w");
  fprintf(f, "model = \"plasma\"; duration = \"1 ns\"; population = { capacity = "
             "4000000000; };\ngrid = { cells = [10000]; length = \"1 m\"; };\nplasma = { "
             "time_step = \"1 ps\"; background = true; };\nspecies = {\n");
  for (int i = 0; i < 8; i++)
    fprintf(f, "s%d = { density = \"1 m-3\"; per_cell = 330000; };\n", i);
  fprintf(f, "};\n");
  fclose(f);
  is_int(command("%s check " FILE_NAME " --device cpu", command_wilson()), 2,
         "0.4 TB are refused");
  if (!ok(strstr(command_err, "t0720.cfg: the run takes 4028") != NULL &&
              strstr(command_err, "and this machine has ") != NULL,
          "with what there is"))
    diag("%s", command_err);
  is_str(command_out, "", "and nothing else is said");
}

int main(void)
{
  plan(0);
  command_write(FILE_NAME, text);
  numbers();
  falls();
  commands();
  too_large();
  remove(FILE_NAME);
  return done();
}
