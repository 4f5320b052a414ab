/* examples/library.c - a swarm in a gap behind a series resistor: the field falls as the current of the electrons grows.
 *
 *   cc library.c $(pkg-config --cflags --libs wilson) -o library && ./library runaway.cfg
 *
 * E = (U - R I)/d; the current of N electrons of drift velocity v between plates is I = e N v/d (Shockley and Ramo), with N v their
 * momentum over their mass.  Each electron of the simulation stands for `each` real ones.  The field of a step is that of the
 * current at its beginning: R e^2 N dt/(m d^2) must be small against 1, which the loop checks. */
#include <wilson.h>
#include <stdio.h>

int main(int argc, char **argv)
{
  const double volts = 400e3, gap = 0.01, ohms = 1e4; /* V, m, Ohm */
  const double e = 1.602176634e-19, m = 9.1093837015e-31, each = 5e8, dt = 1e-13;
  const char *keys[] = {"fields=[\"400 kV/cm\"]", "electrons=100", "duration=\"4 ps\"",
                        "sampling.interval=\"0.1 ps\""};
  const struct wilson_setup setup = {.file = argc > 1 ? argv[1] : "runaway.cfg",
                                     .n_keys = sizeof keys / sizeof keys[0],
                                     .keys = keys,
                                     .output = "library.nc"};
  struct wilson_run *run = NULL;
  struct wilson_state at = {0};
  struct wilson_sums sums;
  int status = wilson_open(&setup, &run);
  while (status == WILSON_OK && !at.is_finished) {
    status = wilson_sums(run, 0, &sums);
    const double current = e * each * sums.momentum[2] / m / gap;
    const double field = (volts - ohms * current) / gap;
    if (status == WILSON_OK &&
        ohms * e * e * each * sums.particles * dt / (m * gap * gap) > 0.5) {
      fprintf(stderr, "the step is too long for this resistor\n");
      break;
    }
    if (status == WILSON_OK)
      status = wilson_set_field(run, field);
    if (status == WILSON_OK && at.n_steps % 10 == 0)
      printf("%8.2e s %10.4e V/m %8.0f electrons %6.2f eV\n", at.time, field,
             sums.particles, sums.energy / sums.particles / e);
    if (status == WILSON_OK)
      status = wilson_step(run, 1);
    wilson_state(run, &at);
    if (at.case_is_over && status == WILSON_OK) {
      status = wilson_finish(run);
      wilson_state(run, &at);
    }
  }
  if (status != WILSON_OK)
    fprintf(stderr, "%s", run != NULL ? wilson_message(run) : "no memory\n");
  wilson_end(run);
  return status != WILSON_OK || !at.is_finished;
}
