/* bench/batches.c - particles in batches (population.residence): the time of a step beside that of the copies
 * alone, of the same segments of the same stores, in turn.
 *
 *   bench/batches [--particles N] [--segment BYTES]... [--steps N] [--field nodes|electrostatic]
 *                 [--iterations N] [--set KEY=VALUE]...
 *
 * Four species of N/4 particles of 32 bytes on 256 x 128 cells, loaded at random; `nodes` is the GEM sheet in given E
 * and B, with so many iterations of the implicit midpoint rule (3).  A row: copies to the GPU
 * alone, both ways, a step, and the ten moments of all species; s, and of the step its ratio to
 * the copies.  Each is the shortest of --steps; wall clock. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/clock.h"
#include "base/error.h"
#include "bench/gpu_batches.h"
#include "device/gpu.h"
#include "physics/ten_moments.h"
#include "src/jobs/job.h"
#include "src/run/step.h"
#include "src/sim/device.h"
#include "src/sim/sim.h"
#include "src/sim/ten_moments.h"

#define FILE_NAME "bench-batches.cfg"
#define MOST      8

static const char sheet[] =
    "field = \"nodes\"; nodes = { formula = \"harris\"; sheet_field = \"0.02 T\"; "
    "sheet_thickness = \"0.5 mm\"; perturbation = 0.1; };",
                  charge[] = "field = \"electrostatic\"; solver = \"spectral\";";

static void die(const char *why)
{
  fprintf(stderr, "bench/batches: %s\n", why);
  exit(1);
}

static void must(int status)
{
  if (status != WN_OK)
    die("the message above says why");
}

static void write_scenario(double n, const char *field, int iterations)
{
  static const char *const name[] = {"e", "i", "e_far", "i_far"};
  FILE *f = fopen(FILE_NAME, "w");
  const int is_nodes = strcmp(field, "nodes") == 0;
  if (f == NULL)
    die("cannot write " FILE_NAME);
  fprintf(f, "model = \"plasma\"; duration = \"100 ns\"; grid = { cells = [256, 128]; "
             "length = [\"40 mm\", \"20 mm\"]; };\n");
  if (is_nodes)
    fprintf(f, "walls = { y_low = { field = \"neumann\"; }; y_high = { field = "
               "\"neumann\"; }; };\n");
  fprintf(f, "species = {\n");
  for (int k = 0; k < 4; k++)
    fprintf(f,
            "  %s = { density = \"1e12 m-3\"; %s temperature = \"%s eV\"; macroparticles "
            "= %.0f; loading = \"random\"; };\n",
            name[k], k % 2 ? "charge = 1.0; mass = \"64 me\";" : "", k % 2 ? "20" : "500",
            floor(n / 4.0));
  fprintf(f,
          "};\npopulation = { capacity = 4000000000; };\nplasma = { time_step = \"2 "
          "ps\"; velocities = 3; allow = [\"cell-crossing\", \"debye-length\", "
          "\"plasma-frequency\"]; %s",
          is_nodes ? sheet : charge);
  if (is_nodes)
    fprintf(f, " midpoint = { iterations = %d; };", iterations);
  fprintf(f, " };\n");
  fclose(f);
}

/* s of all species' copies. */
static double copies(struct wn_sim *s, int one_way)
{
  const double begun = wn_clock_now();
  for (size_t k = 0; k < s->n_species; k++)
    must(wn_bench_batches_copy(s->gpu, &s->species[k]->p, one_way));
  return wn_clock_now() - begun;
}

static double step(struct wn_sim *s)
{
  const double begun = wn_clock_now();
  must(wn_step(s, s->c->plasma.time_step));
  must(wn_gpu_drain(s->gpu));
  return wn_clock_now() - begun;
}

/* The ten moments of all species: by a visit of their own, and with a step, taken at its end, the least of some. */
static void moments(struct wn_sim *s, int steps, double *alone, double *with_step)
{
  struct wn_node_sums *m;
  struct wn_ten_moments t;
  int exponent[WN_MAX_SPECIES];
  must(wn_node_sums_create_ten(s->c, &m));
  must(wn_ten_moments_create(wn_field_nodes(s->field), &t));
  *alone = *with_step = INFINITY;
  for (int i = 0; i <= steps; i++) {
    const double begun = wn_clock_now();
    if (i > 0) {
      for (size_t k = 0; k < s->n_species; k++)
        must(wn_ten_moments_expect(m, s->species[k], exponent[k]));
      step(s);
    }
    for (size_t k = 0; k < s->n_species; k++) {
      must(wn_ten_moments_take(m, s->c, k, s->species[k], &t));
      exponent[k] = t.exponent;
    }
    double *least = i == 0 ? alone : with_step;
    *least = fmin(*least, wn_clock_now() - begun);
  }
  wn_ten_moments_clear(&t);
  wn_node_sums_free(m);
}

static void measure(size_t segment, int steps, int n_set, const char *const *set)
{
  struct wn_config *c = NULL;
  struct wn_device_plan plan;
  struct wn_sim *s = NULL;
  double in = INFINITY, both = INFINITY, whole = INFINITY, bytes = 0.0, n = 0.0;
  must(wn_config_read(FILE_NAME, (size_t)n_set, set, &c));
  must(wn_device_choose(c, &plan));
  plan.options.batch_bytes = segment;
  const double begun = wn_clock_now();
  must(wn_sim_create(c, NULL, &wn_job_of(c)->needs, &plan, &s));
  must(wn_sim_begin(s, 0));
  const double released = wn_clock_now() - begun;
  const double first = step(s);
  int locked = 1;
  for (size_t k = 0; k < s->n_species; k++) {
    n += (double)s->species[k]->p.n;
    bytes += (double)s->species[k]->p.n * (double)s->species[k]->p.record.bytes;
    locked &= s->species[k]->p.pages == WN_PAGES_LOCKED;
  }
  if (segment == 0)
    printf("# %s\n# particles are %s\n", c->file, plan.residence);
  for (int i = 0; i < steps; i++) {
    in = fmin(in, copies(s, 1));
    both = fmin(both, copies(s, 0));
    whole = fmin(whole, step(s));
  }
  double of_moments, with_moments;
  moments(s, steps, &of_moments, &with_moments);
  printf("%12.0f %10zu %8s %10.3f %10.4f %10.4f %10.4f %10.4f %7.3f %10.4f %10.4f %7.3f "
         "%9.2f "
         "%9.2f %8.2f\n",
         n, segment, locked ? "locked" : "pageable", released, first, in, both, whole,
         whole / both, of_moments, with_moments, with_moments / both, bytes / in * 1e-9,
         2.0 * bytes / both * 1e-9, whole / n * 1e12);
  fflush(stdout);
  wn_sim_free(s);
  wn_config_free(c);
}

int main(int argc, char **argv)
{
  const char *why, *field = "nodes",
                   *set[MOST] = {"device=cuda", "population.residence=batches"};
  double n = 1e8;
  size_t segment[MOST] = {0};
  int steps = 3, iterations = 3, n_set = 2, n_segments = 0;
  for (int i = 1; i < argc; i += 2) {
    const char *value = i + 1 < argc ? argv[i + 1] : NULL;
    if (value == NULL)
      die("see the head of bench/batches.c");
    if (strcmp(argv[i], "--particles") == 0)
      n = atof(value);
    else if (strcmp(argv[i], "--segment") == 0 && n_segments < MOST)
      segment[n_segments++] = (size_t)atof(value);
    else if (strcmp(argv[i], "--steps") == 0)
      steps = atoi(value);
    else if (strcmp(argv[i], "--iterations") == 0)
      iterations = atoi(value);
    else if (strcmp(argv[i], "--field") == 0)
      field = value;
    else if (strcmp(argv[i], "--set") == 0 && n_set < MOST)
      set[n_set++] = value;
    else
      die("see the head of bench/batches.c");
  }
  if (wn_gpu_count(&why) == 0)
    die(why);
  write_scenario(n, field, iterations);
  printf("#  particles    segment    pages    release first_step    in only  both ways   "
         "    step   ratio    moments  with step   ratio   GB/s in GB/s both  ps each\n");
  for (int i = 0; i < (n_segments > 0 ? n_segments : 1); i++)
    measure(segment[i], steps, n_set, set);
  remove(FILE_NAME);
  return 0;
}
