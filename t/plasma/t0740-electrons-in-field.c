/* t0740-electrons-in-field.c - defends: electrons with collisions in the field of a grid, as
 * a user runs them.  In an almost empty gas a thermal plasma keeps its energy over 100
 * periods within 0.3 %, as one without collisions does (t0730).  Between two walls with a
 * voltage few electrons have the mean energy, drift and rates of the swarm in that field,
 * for any number of mobility steps, in two and in three dimensions, with WN_LONG=2 in one.  Energies, numbers and
 * charge balance.  Neither threads nor the scheduler change a bit, ions included.
 *
 * Reference: the job `swarm` of the same program.  Errors: standard errors of SEEDS runs and
 * of the swarm; 4.5 of both together (and STUDENT, as the first are of few runs) is a false
 * alarm in 1e5 checks. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "physics/constants.h"
#include "t/tap/command.h"
#include "t/tap/tap.h"

#define OUT   "t0740.nc"
#define SEEDS 8
#define STUDENT                                                                          \
  2.2 /* quantiles of Student's t of 7 degrees of freedom at 1e-5: 9.9/4.4 */

static const char air[] =
    "gas = { pressure = \"1 bar\"; components = { N2 = { fraction = 0.8; file = "
    "\"builtin:air\"; }; O2 = { fraction = 0.2; file = \"builtin:air\"; }; }; };\n";

static const char ions[] =
    " ions = { density = \"0 m-3\"; charge = 1.0; mass = \"30 u\"; };\n"
    " anions = { density = \"0 m-3\"; mass = \"32 u\"; mobile = false; };\n";

static int run(const char *text, const char *options)
{
  command_write("t0740.cfg", text);
  int status =
      command("%s run t0740.cfg --quiet --output " OUT " %s", command_wilson(), options);
  remove("t0740.cfg");
  if (status != 0)
    diag("%.800s", command_err);
  return status == 0;
}

/* A variable that must be there. */
static double *read(const char *name, size_t *n)
{
  size_t own;
  double *v = command_nc_read(OUT, name, n != NULL ? n : &own);
  if (v == NULL) {
    printf("Bail out! no %s in " OUT "\n", name);
    exit(1);
  }
  return v;
}

static double read_one(const char *name)
{
  double *v = read(name, NULL), x = v[0];
  free(v);
  return x;
}

/* ---- energy, in an almost empty gas */

static void energy(const char *options)
{
  char text[2048];
  size_t n, n_kinetic;
  snprintf(text, sizeof text,
           "model = \"plasma\";\n"
           "grid = { cells = [64]; length = \"15.045 mm\"; };\n" /* 64 Debye lengths */
           "species = { electrons = { density = \"1e15 m-3\"; temperature = \"1 eV\"; "
           "per_cell = 200; loading = \"random\"; collisions = \"gas\"; ions = \"ions\"; "
           "anions = \"anions\"; };\n%s};\n%s"
           "plasma = { time_step = \"100 ps\"; background = true; };\n"
           "duration = \"352.2 ns\"; threads = 1;\n", /* 100 periods */
           ions, air);
  if (!ok(run(text, options), "a thermal plasma in hardly any gas runs %s", options))
    return;
  double *field = read("field_energy", &n), *kinetic = read("kinetic_energy", &n_kinetic),
         first = 0.0, last = 0.0;
  const size_t n_species = n_kinetic / n, part = n / 100;
  for (size_t i = 0; i < part; i++) {
    first += field[i] + kinetic[n_species * i];
    last += field[n - 1 - i] + kinetic[n_species * (n - 1 - i)];
  }
  is_near(last / first - 1.0, 0.0, 0.003, "it keeps its energy over 100 periods %s",
          options);
  free(field);
  free(kinetic);
}

/* ---- the swarm */

enum { ENERGY, DRIFT, IONIZATION, ATTACHMENT, N_NUMBERS };
static const char *const number_name[N_NUMBERS] = {
    "mean energy", "flux drift", "ionization frequency", "attachment frequency"};

struct numbers {
  double value[N_NUMBERS], error[N_NUMBERS];
};

static struct numbers swarm(void)
{
  static const char *const name[N_NUMBERS] = {"mean_energy", "drift_velocity_flux",
                                              "ionization_frequency",
                                              "attachment_frequency"};
  struct numbers s;
  char text[1024], error[64];
  snprintf(text, sizeof text,
           "job = \"swarm\"; fields = [\"350 Td\"]; electrons = 4000; groups = 20;\n"
           "duration = \"100 ps\"; relaxation = \"30 ps\"; threads = 1;\n%s",
           air);
  ok(run(text, ""), "a swarm at 350 Td");
  for (int k = 0; k < N_NUMBERS; k++) {
    s.value[k] = read_one(name[k]);
    snprintf(error, sizeof error, "%s_error", name[k]);
    s.error[k] = read_one(error);
  }
  return s;
}

/* Means of the second part of a run between the walls. */
static void measure(double value[N_NUMBERS])
{
  size_t n, n_all;
  double *time = read("time", &n), *kinetic = read("kinetic_energy", &n_all),
         *momentum = read("momentum", NULL), *particles = read("particles", NULL),
         *born = read("born_particles", NULL),
         *attached = read("attached_particles", NULL);
  const size_t n_s = n_all / n, from = n / 3;
  const double dt = time[1] - time[0];
  double sum = 0.0, lived = 0.0, energy = 0.0, drift = 0.0;
  for (size_t i = from + 1; i < n; i++) {
    /* energy and momentum are means of the ends of a step, as this is */
    const double now = 0.5 * (particles[n_s * (i - 1)] + particles[n_s * i]);
    sum += 1.0;
    energy += kinetic[n_s * i] / now / WN_E;
    drift += momentum[3 * n_s * i] / now / WN_ME;
    lived += now * dt;
  }
  value[ENERGY] = energy / sum;
  value[DRIFT] = drift / sum;
  value[IONIZATION] = (born[n_s * (n - 1)] - born[n_s * from]) / lived;
  value[ATTACHMENT] = (attached[n_s * (n - 1)] - attached[n_s * from]) / lived;
  free(time), free(kinetic), free(momentum), free(particles), free(born), free(attached);
}

/* 350 Td at 1 bar and 300 K along -x: 8.4502 kV over 1 mm. */
static void walls_text(char *text, size_t room, const char *grid, const char *width)
{
  snprintf(text, room,
           "model = \"plasma\";\n%s"
           "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = "
           "\"dirichlet\"; voltage = \"8.45015 kV\"; }; };\n"
           "species = { electrons = { density = \"1 m-3\"; temperature = \"5.2 eV\"; "
           "per_cell = 100; profile = \"slab\"; %s loading = \"random\"; collisions = "
           "\"gas\"; ions = \"ions\"; anions = \"anions\"; };\n%s};\n%s"
           "plasma = { time_step = \"1 ps\"; };\n"
           "duration = \"60 ps\"; threads = 1;\n",
           grid, width, ions, air);
}

struct means {
  double sum[N_NUMBERS], sum2[N_NUMBERS];
  int runs;
};

static void add(struct means *m, const double v[N_NUMBERS])
{
  for (int k = 0; k < N_NUMBERS; k++)
    m->sum[k] += v[k], m->sum2[k] += v[k] * v[k];
}

static void compare(const struct means *m, const struct numbers *s, const char *what)
{
  is_int(m->runs, SEEDS, "electrons between two walls: %s", what);
  for (int k = 0; k < N_NUMBERS; k++) {
    const double mean = m->sum[k] / SEEDS,
                 error = sqrt((m->sum2[k] / SEEDS - mean * mean) / (SEEDS - 1)),
                 both = hypot(STUDENT * error, s->error[k]);
    /* few are attached */
    const double most = k == ATTACHMENT ? 0.25 : 0.05;
    is_near(mean, s->value[k], 4.5 * both, "%s: %.5g, of the swarm %.5g, %.2f errors off",
            number_name[k], mean, s->value[k], (mean - s->value[k]) / both);
    ok(both < most * s->value[k], "%s is known to %g %%: %.2g %%", number_name[k],
       100.0 * most, 100.0 * both / s->value[k]);
  }
}

static void between_walls(const struct numbers *s, const char *grid, const char *width,
                          const char *options)
{
  char text[2048], with[256];
  struct means m = {0};
  walls_text(text, sizeof text, grid, width);
  for (int seed = 1; seed <= SEEDS; seed++) {
    double v[N_NUMBERS];
    snprintf(with, sizeof with, "--seed %d %s", seed, options);
    m.runs += run(text, with);
    measure(v);
    add(&m, v);
  }
  snprintf(with, sizeof with, "%.60s %s", grid, options);
  compare(&m, s, with);
}

/* The avalanche that is shipped, while its charge is small, at the same field. */
static void shipped(const struct numbers *s)
{
  const char *source = getenv("WN_SRCDIR");
  struct means m = {0};
  for (int seed = 1; seed <= SEEDS; seed++) {
    double v[N_NUMBERS];
    const int status =
        command("%s run %s/data/scenarios/avalanche-air.cfg --quiet --output " OUT
                " --threads 1 --seed %d --set 'duration=\"60 ps\"'",
                command_wilson(), source != NULL && *source ? source : ".", seed);
    if (status != 0)
      diag("%.800s", command_err);
    m.runs += status == 0;
    measure(v);
    add(&m, v);
  }
  compare(&m, s, "avalanche-air.cfg, its first 60 ps");
}

/* ---- balances */

static const char avalanche[] =
    "model = \"plasma\";\n"
    "grid = { cells = [24, 12]; length = [\"0.2 mm\", \"0.1 mm\"]; };\n"
    "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = \"dirichlet\"; "
    "voltage = \"2.5 kV\"; }; y_low = { field = \"neumann\"; }; y_high = { field = "
    "\"neumann\"; particles = \"absorb\"; }; };\n"
    "species = { electrons = { density = \"2e18 m-3\"; temperature = \"5 eV\"; per_cell "
    "= "
    "20; loading = \"random\"; collisions = \"gas\"; ions = \"ions\"; anions = "
    "\"anions\"; };\n"
    " ions = { density = \"1e18 m-3\"; per_cell = 10; charge = 1.0; mass = \"30 u\"; };\n"
    " anions = { density = \"0 m-3\"; mass = \"32 u\"; mobile = false; }; };\n"
    "plasma = { time_step = \"1 ps\"; mobility_steps = 3; fields_interval = \"4 ps\"; "
    "particles_interval = \"4 ps\"; particles_sample = 500; };\n"
    "duration = \"20 ps\";\n";

enum { ELECTRONS, IONS, ANIONS, N_SPECIES };

/* Numbers are sums of small integers times one weight, so they must balance to rounding;
 * energies to that of single precision: 1e-6 of what was turned over. */
static void balances(void)
{
  size_t n;
  free(read("time", &n));
  double *particles = read("particles", NULL), *wall = read("wall_particles", NULL),
         *born = read("born_particles", NULL),
         *attached = read("attached_particles", NULL), *work = read("field_work", NULL),
         *lost = read("collision_energy", NULL), *wall_energy = read("wall_energy", NULL),
         *kinetic = read("kinetic_energy", NULL);
  const size_t last = n - 1;
  double ended[N_SPECIES] = {0}, before[N_SPECIES] = {0};
  for (int k = 0; k < N_SPECIES;
       k++) /* before step 1, as rows are of the end of a step */
    for (int side = 0; side < 6; side++) {
      ended[k] += wall[6 * (N_SPECIES * last + (size_t)k) + (size_t)side];
      before[k] += wall[6 * (size_t)k + (size_t)side];
    }
  const double *now = &particles[N_SPECIES * last], *then = particles,
               one = 2e18 * 0.2e-3 * 0.1e-3 / 24 / 12 / 20; /* real ones of a particle */
#define SINCE(v) ((v)[N_SPECIES * last] - (v)[0])
  is_near((now[ELECTRONS] - then[ELECTRONS] -
           (SINCE(born) - SINCE(attached) - (ended[ELECTRONS] - before[ELECTRONS]))) /
              one,
          0.0, 1e-6, "electrons: born %.0f, attached %.0f, to the walls %.0f",
          SINCE(born) / one, SINCE(attached) / one,
          (ended[ELECTRONS] - before[ELECTRONS]) / one);
  is_near((now[IONS] - then[IONS] - (SINCE(born) - (ended[IONS] - before[IONS]))) / one,
          0.0, 1e-6, "an ion for each that was born");
  is_near((now[ANIONS] - then[ANIONS] - SINCE(attached)) / one, 0.0, 1e-6,
          "a negative ion for each that was attached");
  ok(SINCE(born) > 100.0 * one && SINCE(attached) > 10.0 * one &&
         ended[ELECTRONS] > 100.0 * one,
     "all three happen");
  /* kinetic energies are means of the ends: a balance of those needs the means of two
   * rows, which the changes in between are too */
  double turned = 0.0, off = 0.0;
  for (size_t i = 1; i < n; i++) {
    const size_t a = N_SPECIES * (i - 1), b = N_SPECIES * i,
                 c = i > 1 ? N_SPECIES * (i - 2) : 0;
    if (i < 2)
      continue;
#define GAIN(k, j)                                                                       \
  ((work[k] - work[j]) - (lost[k] - lost[j]) - (wall_energy[k] - wall_energy[j]))
    off += kinetic[b] - kinetic[a] - 0.5 * (GAIN(b, a) + GAIN(a, c));
    turned += fabs(work[b] - work[a]) + fabs(lost[b] - lost[a]);
  }
  ok(fabs(off) < 1e-6 * turned, "energies balance: off by %.2g of what was turned over",
     off / turned);
  free(particles), free(wall), free(born), free(attached), free(work), free(lost);
  free(wall_energy), free(kinetic);
}

static void same_bits(const char *text)
{
  static const char *const other[] = {"--device cpu --threads 2",
                                      "--device cpu --threads 3",
                                      "--device cpu --scheduler serial"};
  size_t n = 0;
  if (!ok(run(text, "--device cpu --threads 1") && rename(OUT, "t0740-a.nc") == 0,
          "an avalanche"))
    return;
  for (size_t i = 0; i < sizeof other / sizeof other[0]; i++) {
    const int done = run(text, other[i]);
    const char *what = command_nc_differs("t0740-a.nc", OUT, &n);
    ok(done && what == NULL && n > 1000,
       "%s gives the same %zu numbers, births and ions included%s%s", other[i], n,
       what != NULL ? "; differs: " : "", what != NULL ? what : "");
  }
  ok(run(text, "--device cpu --threads 1 --seed 2") &&
         command_nc_differs("t0740-a.nc", OUT, &n) != NULL,
     "another seed gives other numbers");
  remove("t0740-a.nc");
}

/* 2e18 electrons/m3 have 7.98e10 rad/s, times 24 ps 1.91; they need grow by a tenth. */
static void outgrown(const char *text)
{
  command_write("t0740.cfg", text);
  int status =
      command("%s run t0740.cfg --quiet --output " OUT
              " --threads 1 --set 'plasma.time_step=\"24 ps\"' --set "
              "plasma.mobility_steps=24 --set population.capacity=300000 --set "
              "'duration=\"0.24 ns\"' --set "
              "'plasma.allow=\"cell-crossing\"' --set 'plasma.fields_interval=\"24 "
              "ps\"' --set 'plasma.particles_interval=\"never\"'",
              command_wilson());
  remove("t0740.cfg");
  ok(status == 1 && strstr(command_err, "the plasma has outgrown its step") != NULL,
     "a plasma that outgrows its step is an error: %.200s", command_err);
  remove(OUT ".part");
}

int main(void)
{
  static const char one[] = "grid = { cells = [64]; length = \"1 mm\"; };\n",
                    three[] = "grid = { cells = [16, 4, 4]; length = [\"1 mm\", \"0.2 "
                              "mm\", \"0.2 mm\"]; };\n";
  char text[2048];
  plan(0);
  energy("--set gas.pressure='\"4e-8 Pa\"'");
  const struct numbers s = swarm();
  shipped(&s);
  if (command_long() > 1) {
    between_walls(&s, one, "width = \"0.6 mm\";", "");
    between_walls(&s, one, "width = \"0.6 mm\";", "--set plasma.mobility_steps=5");
  }
  between_walls(&s, three, "width = [\"0.6 mm\", \"none\", \"none\"];",
                "--set plasma.mobility_steps=2 --set species.electrons.per_cell=20 --set "
                "plasma.gather=energy");
  snprintf(text, sizeof text, "%s%s", avalanche, air);
  same_bits(text);
  if (ok(run(text, "--threads 1"), "the avalanche again"))
    balances();
  outgrown(text);
  remove(OUT);
  return done();
}
