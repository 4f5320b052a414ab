/* t0670-pair-weights.c - defends: weights of the pairs of photoionization in plasmas (weight_distances, distance_weights and
 * pairs_per_step of plasma.photoionization; src/sim/photoionization.c).
 * After a step from the same start the weight of the ions in each ring around the axis is that of a run without roulette, whose photons are
 * the same: the difference has the mean 0 and the variance of all games, the sum of w (W - w) (t0319).  So has that of all steps where the
 * number of pairs is held, and this number is the wanted one.  Each pair has the weight of its place, electrons that of ions; no photon is
 * lost, to the last quantum, and charge is exact.  Lists that ask for no more than photons have change no bit.  Threads, schedulers,
 * slices and processes have the same bits.  What cannot be is refused, with the key.
 *
 * Statistical checks: 4.5 standard errors of the run, 7e-6 false alarms a check; fixed seeds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "physics/photon_pairs.h"
#include "physics/shape.h"
#include "src/config/photoionization.h"
#include "src/sim/photoionization.h"
#include "src/sim/plasma.h"
#include "src/sim/plasma_points.h"
#include "src/sim/reaction_parts.h"
#include "t/tap/command.h"
#include "t/tap/ranks.h"
#include "t/tap/scene.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0670.cfg"
#define OUT       "t0670.nc"
#define AGAIN     "t0670-again.nc"
#define SIGMAS    4.5
#define RADIUS    1e-3

enum { E, N2P, O2M, O2P };

#define GAS                                                                              \
  "gas = { pressure = \"1 bar\"; temperature = \"300 K\"; components = { N2 = { file = " \
  "\"builtin:air\"; fraction = 0.8; }; O2 = { file = \"builtin:air\"; fraction = 0.2; "  \
  "}; }; };\n"
#define IONS                                                                             \
  "  N2p = { density = \"0 m-3\"; charge = 1.0; mass = \"28 u\"; mobile = false; };\n"   \
  "  O2m = { density = \"0 m-3\"; charge = -1.0; mass = \"32 u\"; mobile = false; };\n"  \
  "  O2p = { density = \"0 m-3\"; charge = 1.0; mass = \"32 u\"; mobile = false; }; "    \
  "};\n"

/* Electrons of some 100 eV in r-z, so few real ones that they have no field; more than 4096 ionize in a step, so that threads share their
 * photons. */
static const char air[] =
    "model = \"plasma\"; duration = \"1 ns\"; seed = 670; threads = 1;\n"
    "grid = { geometry = \"r-z\"; cells = [8, 8]; length = [\"1 mm\", \"1 mm\"]; };\n"
    "walls = { x_high = { field = \"neumann\"; particles = \"absorb\"; }; };\n" GAS
    "species = { e = { density = \"1 m-3\"; per_cell = 120; temperature = \"300 eV\"; "
    "loading = \"random\"; collisions = \"gas\"; ions = \"N2p\"; anions = \"O2m\"; "
    "};\n" IONS
    "plasma = { time_step = \"0.4 ps\"; background = true; allow = [\"cell-crossing\"];\n"
    "  photoionization = { ions = \"O2p\"; efficiency = 10.0; }; };\n";

#define PHOTO "plasma.photoionization."
#define LIST                                                                             \
  PHOTO "weight_distances=[\"0.2 mm\",\"0.6 mm\"]", PHOTO "distance_weights=[0.125,6.0]"

static void start(struct scene *s, const char *const *set)
{
  scene_open(s, FILE_NAME, air, set);
  scene_start(s, 0.4e-12);
}

static wn_i128 quanta_of(const struct scene *s, size_t k)
{
  wn_i128 sum = 0;
  for (size_t i = 0; i < s->sim->species[k]->p.n; i++) {
    struct wn_reacting one;
    wn_reacting_load(s->sim->species[k], i, &one);
    sum += wn_quanta(one.w);
  }
  return sum;
}

static wn_i128 left_of(const struct wn_photon_sums *sums)
{
  wn_i128 left = 0;
  for (int side = 0; side < WN_SIDES; side++)
    left += sums->left[side];
  return left;
}

/* ---- one step beside one without roulette */

enum { RINGS = 5 };

static double off_axis(const struct scene *s, const struct wn_reacting *one)
{
  return wn_photon_off_axis(&wn_plasma_points(s->sim->species[E])->grid, one->at);
}

/* Weights of ions in rings. */
static void rings_of(const struct scene *s, double weight[RINGS])
{
  for (size_t i = 0; i < s->sim->species[O2P]->p.n; i++) {
    struct wn_reacting one;
    wn_reacting_load(s->sim->species[O2P], i, &one);
    const int ring = (int)(off_axis(s, &one) / RADIUS * RINGS);
    weight[ring < RINGS ? ring : RINGS - 1] += (double)one.w;
  }
}

/* The variance of games in rings, of the photons that a run without roulette has absorbed. */
static void variance_of(const struct scene *plain, const struct wn_pair_weights *pairs,
                        double variance[RINGS])
{
  for (size_t i = 0; i < plain->sim->species[O2P]->p.n; i++) {
    struct wn_reacting one;
    wn_reacting_load(plain->sim->species[O2P], i, &one);
    const double r = off_axis(plain, &one);
    const int ring = (int)(r / RADIUS * RINGS);
    variance[ring < RINGS ? ring : RINGS - 1] +=
        (double)one.w * ((double)wn_pair_weight(pairs, r, one.w) - (double)one.w);
  }
}

/* Ions that have not the weight of their place, for photons of weight w. */
static size_t wrong_weights(const struct scene *s, const struct wn_pair_weights *pairs,
                            float w)
{
  size_t wrong = 0;
  for (size_t i = 0; i < s->sim->species[O2P]->p.n; i++) {
    struct wn_reacting one;
    wn_reacting_load(s->sim->species[O2P], i, &one);
    wrong += one.w != wn_pair_weight(pairs, off_axis(s, &one), w);
  }
  return wrong;
}

static void one_step(const char *what, const char *weight, float w)
{
  const char *const with[] = {weight, LIST, NULL}, *const without[] = {weight, NULL};
  struct scene s, plain;
  double got[RINGS] = {0}, want[RINGS] = {0}, variance[RINGS] = {0};
  start(&s, with);
  start(&plain, without);
  const wn_i128 before = quanta_of(&s, E);
  WN_ASSERT(scene_phase(&s) == WN_OK && scene_phase(&plain) == WN_OK);
  const struct wn_pair_weights pairs = wn_photoionization_pairs(s.config);
  const struct wn_photon_sums a = wn_photoionization_sums(s.sim),
                              b = wn_photoionization_sums(plain.sim);
  rings_of(&s, got);
  rings_of(&plain, want);
  variance_of(&plain, &pairs, variance);
  for (int k = 0; k < RINGS; k++)
    is_near(got[k], want[k], SIGMAS * sqrt(variance[k]) + 1e-6,
            "%s: weight of ions in ring %d", what, k);
  is_int((long)wrong_weights(&s, &pairs, w), 0,
         "%s: ions without the weight of their place", what);
  ok(a.emitted == b.emitted && left_of(&a) == left_of(&b) &&
         a.absorbed + a.roulette == b.absorbed && b.roulette == 0 && a.pairs < b.pairs,
     "%s: the same photons, %g pairs in the place of %g", what, (double)a.pairs,
     (double)b.pairs);
  is_near((double)quanta_of(&s, O2P), (double)a.absorbed, 0.0,
          "%s: ions are what was absorbed", what);
  wn_i128 walls = 0;
  for (int side = 0; side < 4; side++)
    walls += s.sim->species[E]->tally.surface[side].quanta;
  ok(quanta_of(&s, E) + walls + quanta_of(&s, O2M) - quanta_of(&s, N2P) -
             quanta_of(&s, O2P) ==
         before,
     "%s: charge is exact", what);
  scene_close(&s);
  scene_close(&plain);
}

static void threads(void)
{
  static const char *const set[] = {PHOTO "weight=0.125", LIST, NULL};
  struct scene one, three;
  size_t differ = 0;
  start(&one, set);
  scene_open(&three, FILE_NAME, air, set);
  three.config->threads = 3;
  scene_start(&three, 0.4e-12);
  WN_ASSERT(scene_phase(&one) == WN_OK && scene_phase(&three) == WN_OK);
  const struct wn_particles *p = &one.sim->species[O2P]->p,
                            *q = &three.sim->species[O2P]->p;
  ok(one.sim->species[N2P]->p.n > 5000, "%zu ionizations", one.sim->species[N2P]->p.n);
  for (size_t i = 0; i < p->n && p->n == q->n; i++)
    differ += memcmp(wn_particles_at(p, i), wn_particles_at(q, i), p->record.bytes) != 0;
  const struct wn_photon_sums a = wn_photoionization_sums(one.sim),
                              b = wn_photoionization_sums(three.sim);
  ok(p->n > 0 && p->n == q->n && differ == 0 && memcmp(&a, &b, sizeof a) == 0,
     "three threads leave the same %zu ions in the same order", p->n);
  scene_close(&one);
  scene_close(&three);
}

/* ---- a number of pairs in a step */

static void number_of_pairs(const char *what, const char *list, const char *weights)
{
  enum { STEPS = 10, WANTED = 400 };
  const char *const set[] = {PHOTO "weight=0.125",
                             PHOTO "pairs_per_step=400",
                             "plasma.time_step=\"0.1 ps\"",
                             list,
                             weights,
                             NULL};
  struct scene s;
  struct wn_photon_sums before = {0};
  double first = 0.0, mean = 0.0, expected = 0.0, variance = 0.0, emitted = 0.0;
  start(&s, set);
  for (int step = 0; step < STEPS; step++) {
    const size_t ions = s.sim->species[O2P]->p.n;
    WN_ASSERT(scene_phase(&s) == WN_OK);
    const struct wn_photon_sums now = wn_photoionization_sums(s.sim);
    const double pairs = (double)(now.pairs - before.pairs),
                 more = (double)(now.emitted - before.emitted);
    first = step == 0 ? pairs : first;
    if (step > 0) {
      mean += pairs;
      expected += WANTED * more / emitted;
    }
    for (size_t i = ions; i < s.sim->species[O2P]->p.n; i++) {
      struct wn_reacting one;
      wn_reacting_load(s.sim->species[O2P], i, &one);
      variance += (double)one.w * ((double)one.w - 0.125);
    }
    emitted = more;
    before = now;
  }
  ok(first > 3.0 * WANTED, "%s: %g pairs in the first step", what, first);
  /* each number has its noise, and that of the factor from the one before */
  is_near(mean / (STEPS - 1), expected / (STEPS - 1),
          SIGMAS * sqrt(2.0 * WANTED / (STEPS - 1)), "%s: and then a mean of", what);
  is_near((double)before.roulette / WN_QUANTA, 0.0, SIGMAS * sqrt(variance),
          "%s: roulette gave what it took, but for its noise", what);
  ok(before.emitted == before.absorbed + left_of(&before) + before.roulette &&
         quanta_of(&s, O2P) == before.absorbed,
     "%s: no photon is lost", what);
  scene_close(&s);
}

/* ---- runs of the program */

static const char gap[] =
    "model = \"plasma\"; duration = \"6 ps\"; seed = 5; threads = 1;\n"
    "grid = { geometry = \"r-z\"; cells = [16, 12]; length = [\"0.6 mm\", \"0.3 mm\"]; "
    "};\n"
    "walls = { x_high = { field = \"neumann\"; }; y_low = { field = \"dirichlet\"; };\n"
    "  y_high = { field = \"dirichlet\"; voltage = \"2 kV\"; }; };\n" GAS
    "species = { e = { density = \"1e15 m-3\"; temperature = \"100 eV\"; per_cell = 10;\n"
    "    collisions = \"gas\"; ions = \"N2p\"; anions = \"O2m\"; };\n" IONS
    "plasma = { time_step = \"0.1 ps\"; integrals_interval = \"step\"; allow = "
    "[\"cell-crossing\", \"debye-length\"];\n"
    "  photoionization = { ions = \"O2p\"; efficiency = 2.0; weight = 0.05; "
    "weight_distances "
    "= [\"0.3 mm\", \"0.6 mm\"]; distance_weights = [0.05, 2.0]; pairs_per_step = 8; }; "
    "};\n";

static int run(const char *before, const char *out, const char *options)
{
  return command_run(FILE_NAME, gap, before, out, options);
}

static void ledger(void)
{
  is_int(run("", OUT, ""), 0, "a run");
  const double photons = command_nc_last(OUT, "photons", 1, 0),
               absorbed = command_nc_last(OUT, "photons_absorbed", 1, 0),
               roulette = command_nc_last(OUT, "photons_roulette", 1, 0);
  double left = 0.0;
  for (size_t i = 0; i < 6; i++)
    left += command_nc_last(OUT, "photons_left", 6, i);
  ok(absorbed > 0.1 * photons && left > 0.1 * photons && roulette != 0.0,
     "%.4g photons, %.4g absorbed, %.4g taken by roulette", photons, absorbed, roulette);
  is_close(absorbed + left + roulette, photons, 1e-13, "none is lost");
  is_close(command_nc_last(OUT, "particles", 4, O2P), absorbed, 1e-13,
           "each that is absorbed leaves an ion");
}

static void bits(void)
{
  static const char *const options[] = {"--threads 3", "--threads 1"};
  ranks_same(OUT, AGAIN, "three threads", run("", AGAIN, "--threads 3"), 0);
  ranks_same(OUT, AGAIN, "scheduler serial", run("", AGAIN, "--scheduler serial"), 0);
  command_write(FILE_NAME, gap);
  slices_are("slices", FILE_NAME, AGAIN, OUT, 23, 2, 2, options);
  remove(FILE_NAME);
  ranks_allow();
  if (command("mpirun -n 2 true") != 0)
    skip(1, "mpirun starts no processes here");
  else
    ranks_same(OUT, AGAIN, "two processes", run("mpirun -n 2", AGAIN, ""), 0);
}

/* Weights that no photon is below. */
static void nothing_asked(void)
{
  static const char *const name[] = {"particles", "photons_absorbed", "kinetic_energy"};
  is_int(run("", OUT,
             "--set plasma.photoionization.distance_weights=[0.01,0.05] --set "
             "plasma.photoionization.pairs_per_step=0"),
         0, "weights that all photons have");
  is_near(command_nc_last(OUT, "photons_roulette", 1, 0), 0.0, 0.0,
          "roulette takes none");
  is_int(run("", AGAIN,
             "--set plasma.photoionization.distance_weights=[] --set "
             "plasma.photoionization.weight_distances=[] --set "
             "plasma.photoionization.pairs_per_step=0"),
         0, "no list");
  for (size_t i = 0; i < sizeof name / sizeof *name; i++)
    ok(command_nc_sum(OUT, name[i]) == command_nc_sum(AGAIN, name[i]), "the same %s",
       name[i]);
  ok(isnan(command_nc_at(AGAIN, "photons_roulette", 0)), "without a column of roulette");
  is_int(run("", OUT, "--set plasma.photoionization.efficiency=0"), 0, "no photons");
  is_near(command_nc_last(OUT, "photons", 1, 0) +
              command_nc_last(OUT, "photons_roulette", 1, 0),
          0.0, 0.0, "of which roulette takes none");
  remove(AGAIN);
}

static void refusals(void)
{
  static const struct {
    const char *set, *says;
  } of[] = {
      {"plasma.photoionization.distance_weights=[0.05]",
       "distance_weights=[0.05]: has 1 values, and weight_distances 2"},
      {"plasma.photoionization.distance_weights=[]",
       "distance_weights is missing; give a weight for each of 2"},
      {"'plasma.photoionization.weight_distances=[\"0.4 mm\",\"0.1 mm\"]'",
       "plasma.photoionization.weight_distances"},
      {"'plasma.photoionization.weight_distances=[\"-0.1 mm\",\"0.1 mm\"]'",
       "plasma.photoionization.weight_distances"},
      {"plasma.photoionization.distance_weights=[0.05,0.0]",
       "plasma.photoionization.distance_weights"},
      {"plasma.photoionization.distance_weights=[0.05,1e7]",
       "plasma.photoionization.distance_weights"},
      {"'plasma.photoionization.distance_weights=\"heavy\"'",
       "plasma.photoionization.distance_weights"},
      {"plasma.photoionization.pairs_per_step=-3",
       "plasma.photoionization.pairs_per_step"},
      {"plasma.photoionization.pairs_per_step=1.5",
       "plasma.photoionization.pairs_per_step"},
      {"'grid.geometry=\"cartesian\"'", "these are distances from the axis of symmetry; "
                                        "allowed: grid.geometry = \"r-z\""},
      {"'plasma.photoionization.weight=\"auto\"' --set "
       "plasma.photoionization.distance_weights=[] --set "
       "plasma.photoionization.weight_distances=[]",
       "`plasma.photoionization.pairs_per_step` = 8: there is no weight that it would "
       "multiply"},
      {"'plasma.photoionization.ions=\"\"'",
       "`plasma.photoionization.pairs_per_step` = 8: has no effect without"},
      {"'plasma.photoionization.ions=\"\"' --set plasma.photoionization.pairs_per_step=0",
       "`plasma.photoionization.distance_weights` = [0.05, 2]: has no effect without"},
      {"'plasma.photoionization.weight_distances=[\"1 m\",\"2 m\",\"3 m\",\"4 m\",\"5 "
       "m\","
       "\"6 m\",\"7 m\",\"8 m\",\"9 m\",\"10 m\",\"11 m\",\"12 m\",\"13 m\",\"14 "
       "m\",\"15 m\","
       "\"16 m\",\"17 m\"]' --set "
       "plasma.photoionization.distance_weights=[1,1,1,1,1,1,1,1,1,1,"
       "1,1,1,1,1,1,1]",
       "17 distances; there can be at most 16"},
  };
  for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
    command_write(FILE_NAME, gap);
    is_int(command("%s check " FILE_NAME " --set %s", command_wilson(), of[i].set), 2,
           "refused: %s", of[i].set);
    ok(strstr(command_err, of[i].says) != NULL, "says `%s`: %.400s", of[i].says,
       command_err);
  }
  is_int(command("%s check " FILE_NAME, command_wilson()), 0, "check");
  ok(strstr(command_out,
            "weights of pairs 0.05 at 0.0003 m, 2 at 0.0006 m from the axis") != NULL,
     "says the weights");
  remove(FILE_NAME);
}

int main(void)
{
  plan(0);
  one_step("photons of 0.125", PHOTO "weight=0.125", 0.125f);
  one_step("photons of what emits", PHOTO "weight=\"auto\"", 1.0f);
  threads();
  number_of_pairs("by place", PHOTO "weight_distances=[\"0.2 mm\",\"0.6 mm\"]",
                  PHOTO "distance_weights=[0.125,6.0]");
  number_of_pairs("everywhere", NULL, NULL);
  ledger();
  bits();
  nothing_asked();
  refusals();
  remove(OUT);
  return done();
}
