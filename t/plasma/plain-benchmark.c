/* plain-benchmark.c - the second program (plain_discharge.h) for cases 1 and 2 of the helium
 * benchmark of Turner et al. (Phys. Plasmas 20, 013507, 2013), from the files that
 * data/scenarios/ccp-helium.cfg takes.  No test; of the top folder:
 *
 *   cc -O3 -I. t/plasma/plain-benchmark.c -o plain-benchmark -lm
 *   ./plain-benchmark helium.txt helium-ions.txt case=1 seed=1 accurate=0 > profiles
 *
 * Other settings: periods, window, steps (a period), cells, per_cell, plasma_m3 (at the start),
 * bound_ev, after case; and of struct plain_wrong lab_energy, cold_gas, random_sharing, energy_gather, plain_wall_e,
 * forward_ionizer.  For each window of periods, here the 32 of the benchmark, it prints a line
 * for each node: last period, node, electrons and ions [m-3], mean energy of electrons [eV];
 * to stderr the sums. */
#include "t/plasma/plain_tables.h"

static int is_set(struct plain_spec *s, int *periods, int *window, const char *word)
{
  const struct {
    const char *name;
    int *to;
  } key[] = {{"periods", periods},
             {"window", window},
             {"steps", &s->steps},
             {"cells", &s->cells},
             {"per_cell", &s->per_cell},
             {"accurate", &s->wrong.accurate},
             {"lab_energy", &s->wrong.lab_energy},
             {"cold_gas", &s->wrong.cold_gas},
             {"random_sharing", &s->wrong.random_sharing},
             {"energy_gather", &s->wrong.energy_gather},
             {"plain_wall_e", &s->wrong.plain_wall_e},
             {"forward_ionizer", &s->wrong.forward_ionizer}};
  const char *equals = strchr(word, '=');
  const size_t n = equals != NULL ? (size_t)(equals - word) : 0;
  for (size_t k = 0; k < sizeof key / sizeof key[0]; k++)
    if (n == strlen(key[k].name) && strncmp(word, key[k].name, n) == 0)
      return *key[k].to = atoi(equals + 1), 1;
  if (n == 4 && strncmp(word, "seed", n) == 0)
    return s->seed = (uint64_t)atol(equals + 1), 1;
  if (n == 8 && strncmp(word, "bound_ev", n) == 0)
    return s->bound_ev = atof(equals + 1), 1;
  if (n == 9 && strncmp(word, "plasma_m3", n) == 0)
    return s->plasma_m3 = atof(equals + 1), 1;
  if (strcmp(word, "case=2") == 0) {
    s->gas_m3 = 3.21e21;
    s->volts = 200.0;
    s->plasma_m3 = 5.12e14;
    s->cells = s->per_cell = 256;
    s->steps = 800;
    *periods = 5120;
    return 1;
  }
  return strcmp(word, "case=1") == 0;
}

static void report(const struct plain *d, int period)
{
  const struct plain_sums *m = &d->sums;
  const double time = (double)m->steps * d->dt, power = plain_q * d->weight / time;
  for (int k = 0; k <= d->s.cells; k++)
    printf("%d %d %.6e %.6e %.4f\n", period, k, plain_density(d, m->electrons, k),
           plain_density(d, m->ions, k), m->energy_ev[k] / m->count[k]);
  fprintf(
      stderr,
      "%d: electrons %.1f, ions %.1f, ionizations %ld, work on electrons %.3f W/m2, on "
      "ions %.3f W/m2, ion current %.4f A/m2\n",
      period, m->n_electrons / (double)m->steps, m->n_ions / (double)m->steps,
      m->events[PLAIN_IONIZATION], m->work_ev[0] * power, m->work_ev[1] * power,
      0.5 * (double)(m->wall[1][0] + m->wall[1][1]) * power);
}

int main(int argc, char **argv)
{
  struct plain_spec s = {.gas_m3 = 9.64e20,
                         .gas_k = 300.0,
                         .length_m = 0.067,
                         .volts = 450.0,
                         .hertz = 13.56e6,
                         .plasma_m3 = 2.56e14,
                         .electron_k = 30000.0,
                         .ion_k = 300.0,
                         .ion_kg = 6.67e-27,
                         .cells = 128,
                         .per_cell = 512,
                         .steps = 400,
                         .bound_ev = 965.0,
                         .seed = 1};
  int periods = 1280, window = 32;
  if (argc < 3 || plain_read(argv[1], s.table) != 4 ||
      plain_read(argv[2], s.table) != 2) {
    fprintf(stderr, "usage: plain-benchmark ELECTRONS IONS [key=value]...\n");
    return 2;
  }
  for (int i = 3; i < argc; i++)
    if (!is_set(&s, &periods, &window, argv[i])) {
      fprintf(stderr, "plain-benchmark: no setting %s\n", argv[i]);
      return 2;
    }
  struct plain *d = plain_create(&s);
  for (int p = 1; p <= periods; p++) {
    for (int k = 0; k < s.steps; k++)
      plain_step(d, 7);
    if (p % window == 0) {
      report(d, p);
      plain_begin_sums(d);
    }
  }
  plain_free(d);
  plain_free_tables(s.table);
  return 0;
}
