/* t0768-coulomb-cells.c - defends: Coulomb collisions in cells conserve momentum and energy, to the
 * rounding of floats in each cell where weights are equal or conserve = "cell", on average
 * otherwise, also with relativistic particles; the result depends neither on the order of
 * the store, nor on threads, nor on a restart; particles collide with those of their own cell
 * alone, and in every `interval`-th step; electrons that collide with a gas take part;
 * nothing becomes NAN with one particle a cell, none, no relative velocity, no temperature,
 * or a step far too long; the automatic logarithm is that of the cell; what is not possible
 * is refused by name, and `wilson check` says the collision frequency.
 *
 * References: sums before and after; the same with another order. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/ranks.h"
#include "physics/coulomb.h"
#include "t/tap/command.h"
#include "t/tap/coulomb.h"
#include "t/tap/gpu.h"
#include "t/tap/ranks.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0768.cfg"
#define OUT       "t0768.nc"

static const double still[3] = {0.0, 0.0, 0.0}, warm[3] = {1e6, 1e6, 1e6};

/* ---- conservation */

struct sums {
  double momentum[3], energy, magnitude;
};

static struct sums *cell_sums(const struct scene *s, int cells, const int *per_cell,
                              int relativistic)
{
  struct sums *sum = calloc((size_t)cells, sizeof *sum);
  WN_ASSERT(sum != NULL);
  for (int k = 0; k < 2; k++)
    for (size_t i = 0; i < s->sim->species[k]->p.n; i++) {
      struct sums *of = &sum[i / (size_t)per_cell[k]];
      const double m = coulomb_mass(s, k) * coulomb_weight(s, k, i);
      double u2 = 0.0;
      for (int d = 0; d < 3; d++) {
        const double u = (double)coulomb_u(s, k, i)[d];
        of->momentum[d] += m * u;
        of->magnitude += m * fabs(u);
        u2 += u * u;
      }
      of->energy +=
          m * (relativistic ? u2 / (1.0 + sqrt(1.0 + u2 / (WN_C * WN_C))) : 0.5 * u2);
    }
  return sum;
}

/* Largest changes over cells, in floats' rounding 2^-24; and the mean change of energy, with its
 * standard error, relative to the energy. */
struct change {
  double momentum, energy, mean, error;
};

static struct change conserved(const char *name, const char *conserve, int dim,
                               const int *per_cell, double weights, double speed,
                               const char *also)
{
  enum { CELLS = 400, STEPS = 20 };
  const double sigma[3] = {speed, speed, 0.3 * speed}, drift[3] = {speed, 0.0, 0.0};
  const int relativistic = strcmp(name, "perez") == 0;
  char collide[512];
  struct scene s;
  struct change c = {0};
  snprintf(
      collide, sizeof collide,
      "x = { species = [\"a\"]; logarithm = 10.0; method = \"%s\"; conserve = \"%s\"; }; "
      "y = { species = [\"a\", \"b\"]; logarithm = 10.0; method = \"%s\"; conserve = "
      "\"%s\"; };",
      name, conserve, name, conserve);
  const struct coulomb_case what = {dim, CELLS,   {per_cell[0], per_cell[1]},
                                    1.0, collide, also};
  coulomb_open(&s, FILE_NAME, &what);
  s.config->plasma.time_step =
      0.05 * pow(2.0 * speed, 3) / coulomb_strength(COULOMB_N, 0.5 * WN_ME);
  scene_start(&s, 0.0);
  coulomb_fill(&s, 0, per_cell[0], sigma, drift, weights);
  coulomb_fill(&s, 1, per_cell[1], sigma, still, weights);
  struct sums *before = cell_sums(&s, CELLS, per_cell, relativistic);
  coulomb_steps(&s, STEPS);
  struct sums *after = cell_sums(&s, CELLS, per_cell, relativistic);
  double square = 0.0;
  for (int i = 0; i < CELLS; i++) {
    const double e = after[i].energy / before[i].energy - 1.0;
    for (int d = 0; d < 3; d++)
      c.momentum = fmax(c.momentum, fabs(after[i].momentum[d] - before[i].momentum[d]) /
                                        before[i].magnitude * 0x1p24);
    c.energy = fmax(c.energy, fabs(e) * 0x1p24);
    c.mean += e / CELLS;
    square += e * e / CELLS;
  }
  c.error = sqrt((square - c.mean * c.mean) / CELLS);
  free(before);
  free(after);
  scene_close(&s);
  return c;
}

static void conservation(void)
{
  static const char *const method[] = {"takizuka-abe", "nanbu", "perez"};
  static const int same[2] = {11, 11}, unlike[2] = {11, 4};
  /* a particle is rounded some 40 times, by half a unit at most, at random: some 6 units */
  const double most = 40.0;
  for (int k = 0; k < 3; k++) {
    const struct change c = conserved(method[k], "average", 1, same, 1.0, 1e6, "");
    ok(c.momentum < most && c.energy < most,
       "%s, equal weights: each cell, momentum to %.2g and energy to %.2g of 2^-24",
       method[k], c.momentum, c.energy);
  }
  struct change c =
      conserved("perez", "average", 1, same, 1.0, WN_C, "relativistic = true;");
  ok(c.momentum < most && c.energy < most,
     "perez, relativistic: momentum to %.2g and energy to %.2g of 2^-24", c.momentum,
     c.energy);
  c = conserved("nanbu", "average", 2, unlike, 3.0, 1e6, "");
  ok(c.energy > 1e4 && fabs(c.mean) < 4.5 * c.error && c.error < 0.02,
     "unequal weights: energy changes in a cell, by %.2g +- %.2g on average", c.mean,
     c.error);
  c = conserved("nanbu", "cell", 2, unlike, 3.0, 1e6, "");
  ok(c.momentum < most && c.energy < most,
     "unequal weights, restored: each cell, momentum to %.2g and energy to %.2g of 2^-24",
     c.momentum, c.energy);
  c = conserved("perez", "cell", 2, unlike, 3.0, WN_C, "relativistic = true;");
  ok(c.momentum < most && c.energy < most,
     "the same, relativistic: momentum to %.2g and energy to %.2g of 2^-24", c.momentum,
     c.energy);
}

/* ---- bits */

static size_t bytes_of(const struct scene *s, int k)
{
  return s->sim->species[k]->p.record.bytes;
}

static int by_bytes_16(const void *a, const void *b)
{
  return memcmp(a, b, 16);
}

static int by_bytes_32(const void *a, const void *b)
{
  return memcmp(a, b, 32);
}

/* The records of a species in the order of their bytes. */
static unsigned char *sorted(const struct scene *s, int k)
{
  const size_t bytes = bytes_of(s, k), n = s->sim->species[k]->p.n;
  unsigned char *copy = malloc(n * bytes);
  WN_ASSERT(copy != NULL);
  memcpy(copy, s->sim->species[k]->p.e, n * bytes);
  qsort(copy, n, bytes, bytes == 16 ? by_bytes_16 : by_bytes_32);
  return copy;
}

static void turn_round(struct scene *s, int k)
{
  const size_t bytes = bytes_of(s, k), n = s->sim->species[k]->p.n;
  unsigned char one[WN_RECORD_MAX];
  for (size_t i = 0; i < n / 2; i++) {
    unsigned char *a = wn_particles_at(&s->sim->species[k]->p, i),
                  *b = wn_particles_at(&s->sim->species[k]->p, n - 1 - i);
    memcpy(one, a, bytes);
    memcpy(a, b, bytes);
    memcpy(b, one, bytes);
  }
}

/* One scene three times: as it is, with the store turned round, with three threads. */
static void same_bits(int dim)
{
  unsigned char *first[2] = {NULL, NULL};
  for (int run = 0; run < 3; run++) {
    struct scene s;
    const struct coulomb_case c = {
        dim,
        500, /* enough for more than one thread */
        {37, 14},
        1.0,
        "x = { species = [\"a\"]; interval = 2; }; y = { species = [\"a\", \"b\"]; "
        "conserve = "
        "\"cell\"; method = \"perez\"; }; z = { species = [\"b\"]; method = "
        "\"takizuka-abe\"; };",
        ""};
    draw_state = 3;
    coulomb_open(&s, FILE_NAME, &c);
    s.config->threads = run == 2 ? 3 : 1;
    scene_start(&s, 0.0);
    coulomb_fill(&s, 0, 37, warm, still, 2.0);
    coulomb_fill(&s, 1, 14, warm, still, 2.0);
    for (int k = 0; k < 2; k++)
      if (run == 1)
        turn_round(&s, k);
    coulomb_steps(&s, 5);
    for (int k = 0; k < 2; k++) {
      unsigned char *now = sorted(&s, k);
      if (run == 0) {
        first[k] = now;
        continue;
      }
      ok(memcmp(first[k], now, bytes_of(&s, k) * s.sim->species[k]->p.n) == 0,
         "%dd, species %d: %s changes no bit", dim, k,
         run == 1 ? "the order of the store" : "the number of threads");
      free(now);
    }
    scene_close(&s);
  }
  free(first[0]);
  free(first[1]);
}

/* ---- cells, steps */

/* Two cells with particles, each of one velocity: no relative velocity in a cell, whatever the
 * other has.  Then one more of another velocity in the first, which changes that alone. */
static void own_cell(void)
{
  struct scene s;
  const struct coulomb_case c = {
      1, 2, {4, 4}, 1.0, "x = { species = [\"a\"]; logarithm = 10.0; interval = 3; };",
      ""};
  coulomb_open(&s, FILE_NAME, &c);
  coulomb_fill(&s, 0, 4, still, warm, 1.0);
  for (size_t i = 4; i < 8; i++)
    coulomb_u(&s, 0, i)[0] = -2e6f;
  int wrong = 0;
  coulomb_steps(&s, 3);
  for (size_t i = 0; i < 8; i++)
    wrong += coulomb_u(&s, 0, i)[0] != (i < 4 ? 1e6f : -2e6f);
  is_int(wrong, 0, "no relative velocity in either cell: nothing changes");
  coulomb_u(&s, 0, 0)[0] = 5e4f;
  coulomb_steps(&s, 2);
  ok(coulomb_u(&s, 0, 0)[0] == 5e4f, "not before the interval is over");
  coulomb_steps(&s, 1);
  int changed = 0, other = 0;
  for (size_t i = 0; i < 8; i++)
    *(i < 4 ? &changed : &other) += coulomb_u(&s, 0, i)[0] != (i == 0  ? 5e4f
                                                               : i < 4 ? 1e6f
                                                                       : -2e6f);
  is_int(changed, 2, "then two of the first cell collide");
  is_int(other, 0, "and none of the second");
  scene_close(&s);
}

/* ---- hostile */

static int is_finite(const struct scene *s)
{
  int yes = 1;
  for (int k = 0; k < 2; k++)
    for (size_t i = 0; i < s->sim->species[k]->p.n; i++)
      for (int d = 0; d < 3; d++)
        yes = yes && isfinite(coulomb_u(s, k, i)[d]);
  return yes;
}

static void hostile(const char *name, const char *what, double dt, int n_a, int n_b,
                    const double *sigma, double most)
{
  char collide[512];
  struct scene s;
  snprintf(
      collide, sizeof collide,
      "x = { species = [\"a\"]; method = \"%s\"; conserve = \"cell\"; }; y = { species = "
      "[\"a\", \"b\"]; method = \"%s\"; conserve = \"cell\"; };",
      name, name);
  const struct coulomb_case c = {2, 60, {n_a, n_b}, 1.0, collide, ""};
  const int per_cell[2] = {n_a, n_b};
  coulomb_open(&s, FILE_NAME, &c);
  s.config->plasma.time_step = dt;
  scene_start(&s, 0.0);
  coulomb_fill(&s, 0, n_a, sigma, still, 2.0);
  coulomb_fill(&s, 1, n_b, sigma, still, 2.0);
  /* every second cell of a is empty, what was there is in the next */
  for (size_t i = 0; i < s.sim->species[0]->p.n; i++)
    coulomb_record(&s, 0, i)[0].i |= 1
                                     << wn_plasma_points(s.sim->species[0])->grid.bits[0];
  struct sums *before = cell_sums(&s, 60, per_cell, 0);
  coulomb_steps(&s, 3);
  struct sums *after = cell_sums(&s, 60, per_cell, 0);
  double e0 = 0.0, e1 = 0.0;
  for (int i = 0; i < 60; i++) {
    e0 += before[i].energy;
    e1 += after[i].energy;
  }
  ok(is_finite(&s) && fabs(e1 - e0) <= most * e0,
     "%s, %s: all are numbers, energy to %.2g", name, what,
     e0 > 0.0 ? e1 / e0 - 1.0 : 0.0);
  free(before);
  free(after);
  scene_close(&s);
}

/* ---- the automatic logarithm */

/* A pair at rest but for one velocity, whose turn depends on the logarithm alone: found by a run
 * with that logarithm given. */
static void automatic(void)
{
  float v[2][3];
  double log = 0.0;
  for (int run = 0; run < 2; run++) {
    struct scene s;
    char collide[128];
    snprintf(collide, sizeof collide,
             run ? "x = { species = [\"a\", \"b\"]; logarithm = %.17g; };"
                 : "x = { species = [\"a\", \"b\"]; };",
             log);
    const struct coulomb_case c = {1, 2, {2, 2}, 1.0, collide, ""};
    coulomb_open(&s, FILE_NAME, &c);
    draw_state = 7; /* the same places, which order the particles */
    for (int k = 0; k < 2; k++)
      coulomb_fill(&s, k, 2, still, still, 1.0);
    coulomb_u(&s, 0, 0)[0] = 4e5f;
    coulomb_u(&s, 0, 1)[0] = -2e5f;
    coulomb_u(&s, 0, 1)[1] = 1e5f;
    coulomb_u(&s, 1, 0)[2] = 3e5f;
    coulomb_u(&s, 1, 1)[2] = 1e5f;
    /* by hand: the mean of a is (1e5, 5e4, 0), its mean square deviation 9.25e10; that of b is
     * (0, 0, 2e5), and 1e10 */
    const double n = COULOMB_N, a2 = 9.25e10, b2 = 1e10,
                 g2 = a2 + b2 + pow(1e5, 2) + pow(5e4, 2) + pow(2e5, 2), mu = 0.8 * WN_ME,
                 debye = sqrt(WN_EPS0 * WN_ME / (3.0 * n * WN_E * WN_E) /
                              (1.0 / a2 + 1.0 / (COULOMB_MASS * b2))),
                 closest = WN_E * WN_E / (4.0 * WN_PI * WN_EPS0 * mu * g2),
                 wave = WN_HBAR / (2.0 * mu * sqrt(g2));
    log = 0.5 * log1p(pow(debye / fmax(closest, wave), 2));
    coulomb_steps(&s, 1);
    for (int d = 0; d < 3; d++)
      v[run][d] = coulomb_u(&s, 0, 0)[d];
    scene_close(&s);
  }
  ok(v[0][0] != 4e5f && log > WN_COULOMB_LOG_MIN, "a collision, logarithm %.4g", log);
  for (int d = 0; d < 3; d++)
    is_near((double)v[0][d], (double)v[1][d], 0.1,
            "the automatic logarithm is that of the cell: component %d", d);
}

/* ---- electrons and ions that collide with a gas */

#define GAS                                                                              \
  "model = \"plasma\"; duration = \"80 ps\"; threads = 1; seed = 3;\n"                   \
  "grid = { cells = [8, 4]; length = [\"80 um\", \"40 um\"]; };\n"                       \
  "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = \"dirichlet\"; }; "  \
  "};\n"                                                                                 \
  "gas = { pressure = \"1 Torr\"; components = { Ar = { file = \"builtin:argon\"; }; "   \
  "}; "                                                                                  \
  "};\n"                                                                                 \
  "tables = { energy_max = \"1 keV\"; };\n"                                              \
  "species = { e = { density = \"1e17 m-3\"; temperature = \"5 eV\"; per_cell = 21; "    \
  "collisions = \"gas\"; ions = \"i\"; };\n"                                             \
  " i = { density = \"1e17 m-3\"; per_cell = 21; charge = 1.0; mass = \"39.948 u\"; "    \
  "temperature = \"1 eV\"; loading = \"random\"; collisions = \"gas\"; subcycling = 3; " \
  "}; "                                                                                  \
  "};\n"                                                                                 \
  "plasma = { time_step = \"2 ps\"; coulomb = { ee = { species = [\"e\"]; interval = "   \
  "2; }; "                                                                               \
  "ei = { species = [\"e\", \"i\"]; method = \"perez\"; }; ii = { species = [\"i\"]; "   \
  "}; "                                                                                  \
  "}; };\n"

static double energy_ev(const struct scene *s, int k)
{
  double sum = 0.0;
  for (size_t i = 0; i < s->sim->species[k]->p.n; i++) {
    const struct wn_electron *e = wn_particles_at(&s->sim->species[k]->p, i);
    sum +=
        (double)e->w * wn_point_energy_ev(wn_plasma_points(s->sim->species[k]), 3, e->u);
  }
  return sum;
}

static void in_gas(void)
{
  static const char *const nothing[] = {NULL};
  struct wn_electron *first = NULL;
  for (int run = 0; run < 2; run++) {
    struct scene s;
    scene_open(&s, FILE_NAME, GAS, nothing);
    scene_start(&s, 0.0);
    struct wn_particles *p = &s.sim->species[0]->p;
    const size_t n = p->n;
    for (int k = 0; k < 2; k++)
      if (run == 1)
        turn_round(&s, k);
    /* one that has died in the step */
    for (size_t i = 0; i < n; i++)
      if (wn_particles_electrons(p)[i].id == 0 || i == (run ? n - 8 : 7))
        wn_particles_electrons(p)[i].t_left = WN_DEAD;
    const struct wn_electron dead = wn_particles_electrons(p)[run ? n - 8 : 7];
    const double e = energy_ev(&s, 0), i = energy_ev(&s, 1);
    coulomb_steps(&s, 8);
    const double e1 = energy_ev(&s, 0), i1 = energy_ev(&s, 1);
    ok(fabs(e1 - e) > 1e-9 * e && fabs(e1 + i1 - e - i) < 1e-5 * (e + i),
       "in a gas: electrons give ions %.2g of their energy, the sum stays to %.2g",
       1.0 - e1 / e, (e1 + i1) / (e + i) - 1.0);
    ok(memcmp(&dead, &wn_particles_electrons(p)[run ? n - 8 : 7], sizeof dead) == 0,
       "a dead one is left alone");
    scene_sort(p->e, n, sizeof *first);
    if (run == 0) {
      first = malloc(n * sizeof *first);
      WN_ASSERT(first != NULL);
      memcpy(first, p->e, n * sizeof *first);
    } else {
      ok(memcmp(first, p->e, n * sizeof *first) == 0,
         "the order of the store changes no bit of electrons");
    }
    scene_close(&s);
  }
  free(first);
}

static void restart(void)
{
  static const char *const options[] = {"--threads 1", "--scheduler serial",
                                        "--threads 3"};
  command_write(FILE_NAME, GAS);
  const int status =
      command("%s run " FILE_NAME " --quiet --threads 2 --output " OUT, command_wilson());
  if (!is_int(status, 0, "a plasma in a gas: undisturbed"))
    diag("%.900s", command_err);
  slices_are("a plasma in a gas", FILE_NAME, "t0768-again.nc", OUT, 7, 4, 3, options);
  remove(OUT);
  remove(FILE_NAME);
}

/* ---- whole runs */

static const char plasma[] =
    "model = \"plasma\"; duration = \"2 ns\"; threads = 1; seed = 3;\n"
    "grid = { cells = [16]; length = [\"1 mm\"]; };\n"
    "species = { e = { density = \"1e16 m-3\"; temperature = \"2 eV\"; per_cell = 40; "
    "};\n"
    " p = { density = \"1e16 m-3\"; temperature = \"1 eV\"; per_cell = 25; charge = 1.0; "
    "mass = \"50 me\"; };\n"
    " still = { density = \"0 m-3\"; mobile = false; }; };\n"
    "plasma = { time_step = \"20 ps\"; coulomb = { pp = { species = [\"p\"]; interval = "
    "3; };\n"
    " ep = { species = [\"e\", \"p\"]; }; }; };\n";

static int run(const char *verb, const char *options)
{
  command_write(FILE_NAME, plasma);
  const int status = command("%s %s " FILE_NAME " %s", command_wilson(), verb, options);
  remove(FILE_NAME);
  return status;
}

static void refused(const char *options, const char *words)
{
  const int status = run("run", options);
  ok(status == 2 && strstr(command_err, words) != NULL, "%s: refused, %s", options,
     words);
  if (strstr(command_err, words) == NULL)
    diag("status %d: %.500s", status, command_err);
}

static void refusals(void)
{
  refused("--set 'plasma.coulomb.pp.species=[\"q\"]'",
          "there is no species `q`; allowed: species that are charged and mobile");
  refused("--set 'plasma.coulomb.pp.species=[\"still\"]'", "immobile species `still`");
  refused("--set 'plasma.coulomb.pp.species=[]'", "0 species; give one");
  refused("--set 'plasma.coulomb.pp.species=[\"p\", \"e\"]'",
          "the same species collide by plasma.coulomb.pp");
  refused("--set plasma.coulomb.pp.interval=0", "plasma.coulomb.pp.interval");
  refused("--set plasma.coulomb.pp.logarithm=-1", "plasma.coulomb.pp.logarithm");
  refused("--set 'plasma.coulomb.pp.method=\"perz\"'", "perez");
  if (wn_ranks_library() == NULL) {
    skip(1, "built without MPI");
  } else {
    command_write(FILE_NAME, plasma);
    ranks_allow();
    const int status = command("mpirun -n 2 %s run " FILE_NAME " --quiet --output " OUT,
                               command_wilson());
    ok(status != 0 &&
           strstr(command_err, "need all particles of a cell in one process") != NULL,
       "two processes: refused");
    remove(FILE_NAME);
  }
  const char *why;
  if (gpu_there(&why))
    refused("--set 'device=\"cuda\"'", "Coulomb collisions are not available on a GPU");
  else
    skip(1, "%s", why);
  ok(run("check", "") == 0 &&
         strstr(command_out, "Coulomb collisions ep, frequency times interval") != NULL,
     "check says the collision frequency");
  ok(run("check", "--set plasma.coulomb.ep.interval=100000") == 0 &&
         strstr(command_err, "plasma.coulomb.ep.interval") != NULL,
     "and warns of a long interval");
}

int main(void)
{
  static const char *const method[] = {"takizuka-abe", "nanbu", "perez"};
  plan(0);
  draw_state = 20261128;
  conservation();
  same_bits(1);
  same_bits(2);
  own_cell();
  for (int k = 0; k < 3; k++) {
    hostile(method[k], "one of each in a cell", 1e-12, 1, 1, warm, 1e-5);
    hostile(method[k], "a step of an hour", 3600.0, 6, 5, warm, 1e-5);
    hostile(method[k], "no temperature", 1e-9, 5, 2, still, 1e-5);
  }
  automatic();
  in_gas();
  restart();
  refusals();
  return done();
}
