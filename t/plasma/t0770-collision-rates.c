/* t0770-collision-rates.c - defends: the collision rates of plasma.averages are those of the
 * collisions.  Particles of one velocity have at every node the frequency of the tables times
 * their number, and none below a threshold.  Over a run of electrons and of ions that collide
 * the expected number of each kind of collision and of single processes is what was counted:
 * counted less expected is a martingale, whose variance is the expected number, so that one run
 * is enough.  Between two plates with a voltage the rates per electron are those of the swarm
 * in that field.  Errors of profiles are what they scatter by.
 *
 * Tolerances: 4.5 standard deviations, 1e-5 false alarms a check; of the swarm 4.5 of both
 * standard errors (STUDENT, as one is of few runs).  Seeds are fixed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "physics/constants.h"
#include "physics/ion.h"
#include "src/config/plasma_derived.h"
#include "src/sim/grid_moments.h"
#include "src/sim/grid_rates.h"
#include "src/sim/plasma.h"
#include "t/tap/command.h"
#include "t/tap/scene.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0770.cfg"
#define OUT       "t0770.nc"
#define SEEDS     8
#define STUDENT   2.2 /* of 7 degrees of freedom at 1e-5: 9.9/4.4 */

static const char *const nothing[] = {NULL};

/* ---- one scene: rates of names at the nodes */

struct rates {
  struct scene *scene;
  struct wn_grid_rates *tables;
  struct wn_node_sums *sums;
  size_t nodes;
};

static void open_rates(struct rates *r, struct scene *scene)
{
  r->scene = scene;
  r->nodes = wn_field_nodes(scene->sim->field);
  WN_ASSERT(wn_grid_rates_create(scene->sim, &r->tables) == WN_OK);
  WN_ASSERT(wn_node_sums_create(scene->config, WN_NODE_VALUES, &r->sums) == WN_OK);
}

static void close_rates(struct rates *r)
{
  wn_grid_rates_free(r->tables);
  wn_node_sums_free(r->sums);
}

/* Rates of n names of species k into out [n][nodes]. */
static void take(struct rates *r, size_t k, size_t n, const char *const *name,
                 double *out)
{
  static struct wn_rate_choice choice[24];
  const struct wn_rate_choice *of[24];
  WN_ASSERT(n <= 24);
  for (size_t i = 0; i < n; i++) {
    wn_grid_rate_choice(r->scene->config, r->scene->gas, k, name[i], &choice[i]);
    WN_ASSERT(choice[i].n > 0);
    of[i] = &choice[i];
  }
  WN_ASSERT(wn_grid_rates_take(r->tables, r->sums, r->scene->sim, k, n, of, out) ==
            WN_OK);
}

/* Integral over the domain of one dimension, both ends counting half, or a periodic axis. */
static double integral(const struct rates *r, const double *v)
{
  const struct wn_config *c = r->scene->config;
  double sum = 0.0;
  for (size_t i = 1; i + 1 < r->nodes; i++)
    sum += v[i];
  sum += 0.5 * (v[0] + v[r->nodes - 1]);
  return sum * c->plasma.length[0] / (double)c->plasma.cells[0];
}

/* ---- particles of one velocity */

/* Between mirrors: collisions of electrons behind a wall, in the step in which it takes them, are
 * counted and not expected. */
static const char argon[] =
    "model = \"plasma\"; duration = \"1 us\"; threads = 1; seed = 5;\n"
    "grid = { cells = [20]; length = \"4 mm\"; };\n"
    "walls = { x_low = { field = \"neumann\"; }; x_high = { field = \"neumann\"; }; };\n"
    "gas = { pressure = \"500 Pa\"; components = { Ar = { file = \"builtin:argon\"; }; "
    "}; "
    "};\ntables = { energy_max = \"1 keV\"; };\n"
    "species = { e = { density = \"1e6 m-3\"; per_cell = 1000; temperature = \"10 eV\"; "
    "loading = \"random\"; collisions = \"gas\"; ions = \"i\"; };\n"
    " i = { density = \"1e6 m-3\"; per_cell = 1000; charge = 1.0; mass = \"39.948 u\"; "
    "temperature = \"1 eV\"; loading = \"random\"; collisions = \"gas\"; }; };\n"
    "plasma = { time_step = \"20 ps\"; background = true; allow = [\"cell-crossing\"]; "
    "};\n";

static void one_velocity(void)
{
  static const char *const kind[] = {"elastic", "excitation", "ionization"};
  static const double energy[] = {5.0, 14.0, 100.0};
  struct scene scene;
  struct rates r;
  scene_open(&scene, FILE_NAME, argon, nothing);
  scene_start(&scene, 20e-12);
  WN_ASSERT(scene_phase(&scene) == WN_OK);
  open_rates(&r, &scene);
  struct wn_species *e = scene.sim->species[0];
  const struct wn_xs_table *table = scene.gas->table;
  double *rate = malloc(3 * r.nodes * sizeof *rate),
         *moment = malloc(3 * r.nodes * sizeof *moment);
  WN_ASSERT(rate != NULL && moment != NULL);
  for (size_t i = 0; i < 3; i++) {
    for (size_t j = 0; j < e->p.n; j++) {
      struct wn_electron *one = wn_particles_at(&e->p, j);
      one->u[0] = one->u[1] = 0.0f;
      one->u[2] = (float)wn_u_from_ev(energy[i]);
    }
    take(&r, 0, 3, kind, rate);
    WN_ASSERT(wn_grid_moments_take(r.sums, scene.config, 0, e, moment) == WN_OK);
    for (size_t a = 0; a < 3; a++) {
      double want = 0.0, off = 0.0;
      for (int k = 0; k < table->view.n_processes; k++)
        if (wn_xs_table_process(table, k)->kind == (int)a) /* in the order of the list */
          want += wn_xs_table_frequency(table, k, energy[i]);
      for (size_t j = 0; j < r.nodes; j++)
        off = fmax(off, fabs(rate[a * r.nodes + j] / moment[j] - want));
      ok(moment[0] > 0.0 && (want > 0.0) == (energy[i] > (a == 0   ? 0.0
                                                          : a == 1 ? 11.55
                                                                   : 15.76)),
         "%g eV: %s at %g per second", energy[i], kind[a], want);
      is_near(off, 0.0, 1e-5 * want, "at all nodes");
    }
  }
  free(rate);
  free(moment);
  close_rates(&r);
  scene_close(&scene);
}

/* ---- counted and expected */

/* Collisions of species k in the tally, of the processes of a name. */
static double counted(const struct scene *s, size_t k, const char *name)
{
  const struct wn_species *of = s->sim->species[k];
  static struct wn_rate_choice choice;
  wn_grid_rate_choice(s->config, s->gas, k, name, &choice);
  double n = 0.0;
  for (size_t i = 0; i < choice.n; i++) {
    const int at = choice.process[i],
              index = s->gas->ions[k] != NULL
                          ? s->gas->ions[k]->table->view.process[at].index
                          : s->gas->table->view.process[at].index;
    for (int g = 0; g < of->shape.n_groups; g++)
      n += (double)of->tally.count[g * of->shape.n_processes + index] / WN_FIX_WEIGHT;
  }
  return n;
}

static void counts(const char *text, const char *what, double dt, size_t steps, size_t k,
                   size_t n, const char *const *name, double least)
{
  struct scene scene;
  struct rates r;
  double want[24] = {0.0}, before[24] = {0.0};
  scene_open(&scene, FILE_NAME, text, nothing);
  scene_start(&scene, dt);
  WN_ASSERT(scene_phase(&scene) == WN_OK);
  open_rates(&r, &scene);
  double *rate = malloc(n * r.nodes * sizeof *rate);
  WN_ASSERT(rate != NULL);
  const double weight = wn_loading_weight(scene.config, &scene.config->species[k]);
  for (size_t i = 0; i < n; i++)
    before[i] = counted(&scene, k, name[i]);
  /* the expected number in a step: the mean of the rates at its ends */
  for (size_t step = 0; step <= steps; step++) {
    take(&r, k, n, name, rate);
    for (size_t i = 0; i < n; i++)
      want[i] += integral(&r, rate + i * r.nodes) * dt / weight *
                 (step == 0 || step == steps ? 0.5 : 1.0);
    if (step < steps)
      WN_ASSERT(scene_phase(&scene) == WN_OK);
  }
  for (size_t i = 0; i < n; i++) {
    const double got = counted(&scene, k, name[i]) - before[i];
    ok(want[i] > least, "%s, %s: %g are expected", what, name[i], want[i]);
    is_near(got, want[i], 4.5 * sqrt(want[i]),
            "as counted: %g, off by %.2g standard "
            "deviations",
            got, (got - want[i]) / sqrt(want[i]));
  }
  free(rate);
  close_rates(&r);
  scene_close(&scene);
}

/* At rest among thermal atoms, and faster than these: of a made-up gas with both kinds. */
static const char ions[] =
    "model = \"plasma\"; duration = \"1 ms\"; threads = 1; seed = 6;\n"
    "grid = { cells = [10]; length = \"10 mm\"; };\n"
    "gas = { pressure = \"100 Pa\"; temperature = \"300 K\"; components = { Ar = { file "
    "= "
    "\"builtin:argon\"; }; }; };\n"
    "species = { i = { density = \"1e6 m-3\"; per_cell = 2000; charge = 1.0; mass = "
    "\"39.948 u\"; temperature = \"%s\"; loading = \"random\"; collisions = \"gas\"; }; "
    "};\n"
    "tables = { ion_energy_max = \"100 eV\"; };\n"
    "plasma = { time_step = \"%s\"; background = true; allow = [\"cell-crossing\"]; };\n";

static void all_counts(void)
{
  static const char *const of_electrons[] = {"elastic", "excitation", "ionization"},
                           *const of_ions[] = {"isotropic", "backscatter"};
  char text[2048];
  counts(argon, "electrons in argon", 20e-12, 200, 0, 3, of_electrons, 2000.0);
  snprintf(text, sizeof text, ions, "1e-5 eV", "2 ns");
  counts(text, "cold ions", 2e-9, 150, 0, 2, of_ions, 5000.0);
  snprintf(text, sizeof text, ions, "10 eV", "1 ns");
  counts(text, "hot ions", 1e-9, 100, 0, 2, of_ions, 5000.0);
}

/* ---- of the swarm */

static const char air[] =
    "gas = { pressure = \"1 bar\"; components = { N2 = { fraction = 0.8; file = "
    "\"builtin:air\"; }; O2 = { fraction = 0.2; file = \"builtin:air\"; }; }; };\n";

static int run(const char *text, const char *options)
{
  command_write(FILE_NAME, text);
  const int status = command("%s run " FILE_NAME " --quiet --output " OUT " %s",
                             command_wilson(), options);
  remove(FILE_NAME);
  if (status != 0)
    diag("%.800s", command_err);
  return status;
}

enum { IONIZATION, ATTACHMENT, EXCITATION, N_RATES };

/* Frequencies of the swarm at 350 Td, and their errors. */
static void swarm(double value[N_RATES], double error[N_RATES])
{
  char text[1024];
  size_t n = 0, n_error = 0;
  snprintf(text, sizeof text,
           "job = \"swarm\"; fields = [\"350 Td\"]; electrons = 4000; groups = 20;\n"
           "duration = \"100 ps\"; relaxation = \"30 ps\"; threads = 1;\n%s",
           air);
  is_int(run(text, ""), 0, "a swarm at 350 Td");
  value[IONIZATION] = command_nc_at(OUT, "ionization_frequency", 0);
  error[IONIZATION] = command_nc_at(OUT, "ionization_frequency_error", 0);
  value[ATTACHMENT] = command_nc_at(OUT, "attachment_frequency", 0);
  error[ATTACHMENT] = command_nc_at(OUT, "attachment_frequency_error", 0);
  /* the excitations are what is left of all inelastic processes with a loss */
  double *all = command_nc_read(OUT, "process_frequency", &n),
         *of_all = command_nc_read(OUT, "process_frequency_error", &n_error);
  WN_ASSERT(all != NULL && of_all != NULL && n == n_error);
  value[EXCITATION] = error[EXCITATION] = 0.0;
  struct scene scene;
  snprintf(
      text, sizeof text,
      "job = \"swarm\"; fields = [\"350 Td\"]; electrons = 100; duration = \"1 ps\";\n%s",
      air);
  scene_open(&scene, FILE_NAME, text, nothing);
  for (size_t k = 0; k < n; k++)
    if (wn_xs_table_process(scene.gas->table, (int)k)->kind == WN_PROC_EXCITATION) {
      value[EXCITATION] += all[k];
      error[EXCITATION] += of_all[k]; /* at most */
    }
  scene_close(&scene);
  free(all);
  free(of_all);
}

static void between_plates(void)
{
  static const char *const name[N_RATES] = {"ionization", "attachment", "excitation"};
  char text[2048], option[64], variable[64];
  size_t n = 0;
  double of_swarm[N_RATES], its_error[N_RATES], sum[N_RATES] = {0.0},
                                                sum2[N_RATES] = {0.0};
  swarm(of_swarm, its_error);
  snprintf(
      text, sizeof text,
      "model = \"plasma\"; duration = \"60 ps\"; threads = 1;\n"
      "grid = { cells = [100]; length = \"1 mm\"; };\n"
      "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = \"dirichlet\"; "
      "voltage = \"8.45015 kV\"; }; };\n"
      "species = { electrons = { density = \"1 m-3\"; temperature = \"5.2 eV\"; "
      "per_cell = 100; profile = \"slab\"; width = \"0.3 mm\"; loading = \"random\"; "
      "collisions = \"gas\"; ions = \"ions\"; anions = \"anions\"; };\n"
      " ions = { density = \"0 m-3\"; charge = 1.0; mass = \"30 u\"; };\n"
      " anions = { density = \"0 m-3\"; mass = \"32 u\"; mobile = false; }; };\n%s"
      "plasma = { time_step = \"1 ps\"; averages = { steady = { start = \"20 ps\"; "
      "length = \"40 ps\"; rates = [\"ionization\", \"attachment\", \"excitation\"]; }; "
      "}; };\n",
      air);
  for (int seed = 1; seed <= SEEDS; seed++) {
    snprintf(option, sizeof option, "--seed %d", seed);
    if (run(text, option) != 0)
      break;
    /* at the ends of the steps, as the rates are; densities are those of the begin */
    double *particles = command_nc_read(OUT, "particles", &n), electrons = 0.0;
    WN_ASSERT(particles != NULL && n == 60 * 3);
    for (size_t i = 20; i < 60; i++)
      electrons += particles[3 * i] / 40.0 / 10e-6;
    free(particles);
    for (int k = 0; k < N_RATES; k++) {
      snprintf(variable, sizeof variable, "average_steady_rate_%s_electrons", name[k]);
      const double v = command_nc_sum(OUT, variable) / electrons;
      sum[k] += v / SEEDS;
      sum2[k] += v * v / SEEDS;
    }
  }
  for (int k = 0; k < N_RATES; k++) {
    const double error = sqrt((sum2[k] - sum[k] * sum[k]) / (SEEDS - 1)),
                 both = hypot(STUDENT * error, its_error[k]);
    is_near(sum[k], of_swarm[k], 4.5 * both,
            "between plates, %s: %.5g, of the swarm %.5g, "
            "%.2f errors off",
            name[k], sum[k], of_swarm[k], (sum[k] - of_swarm[k]) / both);
    ok(both < 0.05 * of_swarm[k], "known to 5 %%: %.2g %%", 100.0 * both / of_swarm[k]);
  }
}

/* ---- errors */

/* Electrons without a field between mirrors: a uniform profile, whose nodes scatter because
 * particles come and go.  Their energies and number stay, so that only the nodes relative to
 * their mean are compared.  Of 20 blocks the mean of t^2 is 19/17; the nodes of a run have
 * n - 1 free deviations.  Neighbours share particles: as many as half of the nodes count for the
 * spread of chi-square. */
static void scatter(void)
{
  static const char text[] =
      "model = \"plasma\"; duration = \"101 ns\"; threads = 1;\n"
      "grid = { cells = [16]; length = \"1 mm\"; };\n"
      "walls = { x_low = { field = \"neumann\"; }; x_high = { field = \"neumann\"; }; "
      "};\n"
      "gas = { pressure = \"200 Pa\"; components = { Ar = { file = \"builtin:argon\"; }; "
      "}; "
      "};\n"
      "species = { e = { density = \"1 m-3\"; temperature = \"1 eV\"; per_cell = 20; "
      "loading "
      "= \"random\"; collisions = \"gas\"; ions = \"i\"; };\n"
      " i = { density = \"0 m-3\"; charge = 1.0; mass = \"40 u\"; mobile = false; }; };\n"
      "plasma = { time_step = \"25 ps\"; background = true; averages = { all = { start = "
      "\"1 ns\"; length = \"100 ns\"; blocks = 20; moments = false; rates = "
      "[\"elastic\"]; }; "
      "}; };\n";
  enum { RUNS = 12 };
  double sum = 0.0;
  size_t n = 0, free_nodes = 0;
  for (int seed = 1; seed <= RUNS; seed++) {
    char option[64];
    snprintf(option, sizeof option, "--seed %d", seed);
    if (run(text, option) != 0)
      break;
    double *v = command_nc_read(OUT, "average_all_rate_elastic_e", &n),
           *e = command_nc_read(OUT, "average_all_rate_elastic_e_error", &n), mean = 0.0;
    WN_ASSERT(v != NULL && e != NULL && n == 17);
    for (size_t i = 0; i < n; i++)
      mean += v[i] / 16.0 * (i == 0 || i == 16 ? 0.5 : 1.0);
    for (size_t i = 0; i < n; i++)
      sum += pow((v[i] - mean) / e[i], 2);
    free_nodes += n - 1;
    free(v);
    free(e);
  }
  const double per_node = sum / (double)free_nodes / (19.0 / 17.0);
  is_near(per_node, 1.0, 4.5 * sqrt(2.0 / (0.5 * (double)free_nodes)),
          "chi-square of %zu nodes over their errors: %.3f", free_nodes, per_node);
}

int main(void)
{
  plan(0);
  one_velocity();
  all_counts();
  between_plates();
  scatter();
  remove(OUT);
  return done();
}
