/* t0570-library.c - defends: a run that is stepped from outside by wilson.h, asked between steps and continued from a
 * checkpoint, writes the bits of `wilson run`, also where its scenario is a text, whose lines errors name; a field or a voltage that is set acts as that of a scenario does; errors are
 * statuses with the messages of the program; nothing is printed, and a second run of the process waits for the end of the first. */
#include "src/library/wilson.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "t/tap/command.h"
#include "t/tap/runs.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0570.cfg"
#define OUT       "t0570.nc"
#define STRAIGHT  "t0570-straight.nc"

static struct wilson_run *begin(const char *restart, size_t n, const char *const *keys,
                                int wanted)
{
  const struct wilson_setup setup = {
      .file = FILE_NAME, .n_keys = n, .keys = keys, .output = OUT, .restart = restart};
  struct wilson_run *r = NULL;
  const int status = wilson_open(&setup, &r);
  if (status != wanted)
    diag("wilson_open: %d: %s", status, r != NULL ? wilson_message(r) : "");
  return r;
}

static int same_file(void)
{
  size_t n = 0;
  const char *what = command_nc_differs(STRAIGHT, OUT, &n);
  if (what != NULL)
    diag("differs: %s", what);
  return what == NULL && n > 20;
}

/* All that can be asked. */
static int ask(struct wilson_run *r)
{
  double *phi;
  size_t nodes[3];
  int good = wilson_n_species(r) > 0 && wilson_species_name(r, 99) == NULL;
  for (size_t k = 0; k < wilson_n_species(r); k++) {
    struct wilson_sums s;
    good = good && wilson_species_name(r, k) != NULL &&
           wilson_sums(r, k, &s) == WILSON_OK && s.macroparticles >= 0.0 &&
           s.particles >= 0.0 && s.energy >= 0.0;
  }
  wilson_nodes(r, nodes);
  phi = malloc((nodes[0] * nodes[1] * nodes[2] + 1) * sizeof *phi);
  if (phi != NULL && nodes[0] > 0) /* fields that are given have no potential */
    (void)wilson_potential(r, phi, nodes[0] * nodes[1] * nodes[2]);
  free(phi);
  return good;
}

/* In handfuls of steps, asked between them; with a limit, in slices that continue from checkpoints. */
static void stepped(const char *name, const char *text, int limit)
{
  char key[64];
  const char *keys[] = {key, "threads=2"};
  int status = WILSON_OK, good = 1, slices = 0;
  struct wilson_state at = {0};
  snprintf(key, sizeof key, "checkpoint.step_limit=%d", limit);
  command_write(FILE_NAME, text);
  remove(OUT); /* of a test that was stopped: auto would find a complete run */
  remove(OUT ".part");
  remove(OUT ".ckpt");
  if (!is_int(command("%s run " FILE_NAME " --quiet --threads 1 --output " STRAIGHT,
                      command_wilson()),
              0, "%s: wilson run", name))
    diag("%.900s", command_err);
  do {
    struct wilson_run *r = begin("auto", limit > 0 ? 2 : 0, keys, WILSON_OK);
    status = WILSON_OK;
    for (int i = 0; r != NULL && status == WILSON_OK && !at.is_finished; i++) {
      good = good && ask(r);
      status = wilson_step(r, 1 + (unsigned)i % 40);
      wilson_state(r, &at);
    }
    if (status != WILSON_OK && status != WILSON_ELIMIT)
      diag("status %d: %s", status, wilson_message(r));
    wilson_end(r);
    slices++;
  } while (status == WILSON_ELIMIT && slices < 200);
  ok(good && status == WILSON_OK && at.is_finished && (limit == 0 || slices > 1),
     "%s: stepped and asked, %s", name, limit > 0 ? "in slices" : "in one");
  ok(same_file(), "%s: the bits of wilson run", name);
  ok(!slices_exists(OUT ".part") && !slices_exists(OUT ".ckpt"), "%s: no more files",
     name);
  remove(OUT);
  remove(STRAIGHT);
}

#define RUNAWAY(field)                                                                   \
  "job = \"runaway\"; fields = [\"" field "\"]; duration = \"4 ps\";\n"                  \
  "sampling = { interval = \"0.1 ps\"; };\n"                                             \
  "runaway = { thresholds = [\"30 eV\"]; };\n" RUN_AIR

/* The sums at a time of a run whose field is set from the beginning, at 2 ps or not at all. */
static struct wilson_sums with_field(const char *text, double field, double from)
{
  struct wilson_sums s = {0};
  command_write(FILE_NAME, text);
  struct wilson_run *r = begin(NULL, 0, NULL, WILSON_OK);
  int status = wilson_advance(r, from);
  if (status == WILSON_OK && field != 0.0)
    status = wilson_set_field(r, field);
  if (status == WILSON_OK)
    status = wilson_advance(r, 3e-12);
  if (status == WILSON_OK)
    status = wilson_sums(r, 0, &s);
  if (!is_int(status, WILSON_OK, "set field %g V/m at %g s", field, from))
    diag("%s", wilson_message(r));
  wilson_end(r);
  remove(OUT ".part");
  return s;
}

static void fields(void)
{
  const struct wilson_sums a = with_field(RUNAWAY("400 kV/cm"), 0.0, 0.0),
                           b = with_field(RUNAWAY("200 kV/cm"), 4e7, 0.0),
                           c = with_field(RUNAWAY("400 kV/cm"), 1e3, 1.5e-12);
  ok(a.particles > 100.0 && memcmp(&a, &b, sizeof a) == 0,
     "a field that is set acts as that of the scenario: the same bits");
  ok(c.energy < 0.7 * a.energy && c.momentum[2] < 0.2 * a.momentum[2],
     "electrons slow down where it is switched off");
}

#define GAP(volts)                                                                       \
  "model = \"plasma\"; duration = \"1 ns\"; grid = { cells = [16]; length = \"1 cm\"; "  \
  "};\n"                                                                                 \
  "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = \"dirichlet\";\n"    \
  "  voltage = \"" volts "\"; }; };\n"                                                   \
  "species = { e = { density = \"1e11 m-3\"; temperature = \"1 eV\"; per_cell = 20; "    \
  "}; };\n"                                                                              \
  "plasma = { time_step = \"20 ps\"; allow = [\"cell-crossing\"]; };\n"

static void voltages(void)
{
  double phi[2][17] = {{0.0}};
  size_t nodes[3] = {0};
  for (int i = 0; i < 2; i++) {
    command_write(FILE_NAME, i == 0 ? GAP("80 V") : GAP("5 V"));
    struct wilson_run *r = begin(NULL, 0, NULL, WILSON_OK);
    if (i == 1) {
      is_int(wilson_potential(r, phi[i], 17), WILSON_ERUN,
             "no potential before the first step");
      is_int(wilson_set_field(r, 1.0), WILSON_EINPUT,
             "a plasma has no uniform field to set");
      is_int(wilson_set_voltage(r, "x_hihg", 80.0), WILSON_EINPUT, "no such side");
      is_int(wilson_set_voltage(r, "x_high", NAN), WILSON_EINPUT, "no number of volts");
      is_int(wilson_set_voltage(r, "x_high", 80.0), WILSON_OK, "a voltage is set");
    }
    wilson_step(r, 7);
    is_int(wilson_potential(r, phi[i], 16), WILSON_EINPUT, "too little room");
    is_int(wilson_potential(r, phi[i], 17), WILSON_OK, "the potential");
    wilson_nodes(r, nodes);
    wilson_end(r);
    remove(OUT ".part");
  }
  ok(nodes[0] == 17 && nodes[1] == 1 && nodes[2] == 1, "17 nodes");
  ok(fabs(phi[0][16] - phi[0][0] - 80.0) < 1e-9 &&
         memcmp(phi[0], phi[1], sizeof phi[0]) == 0,
     "a voltage that is set acts as that of the scenario: the same bits");
}

static struct wilson_run *begin_text(const char *text, const char *name, int wanted)
{
  const struct wilson_setup setup = {.file = name, .output = OUT};
  struct wilson_run *r = NULL;
  is_int(wilson_open_text(text, &setup, &r), wanted, "a text that is called %s",
         name != NULL ? name : "nothing");
  return r;
}

/* A text is what its file is: the same results, with the points of a scan, and the same messages. */
static void texts(void)
{
  const char *wrong =
      "job = \"swarm\";\n\ngas = { presure = 1; };\nfields = [\"1 Tdd\"];\n";
  const char *good =
      "fields = [\"100 Td\"]; duration = \"10 ps\"; relaxation = \"2 ps\";\n"
      "scan = { T = { key = \"gas.temperature\"; values = [\"300 K\", \"600 K\"]; }; "
      "};\n" RUN_AIR;
  struct wilson_state at;
  char of_file[2000];
  command_write(FILE_NAME, wrong);
  struct wilson_run *r = begin(NULL, 0, NULL, WILSON_EINPUT);
  snprintf(of_file, sizeof of_file, "%s", wilson_message(r));
  wilson_end(r);
  remove(FILE_NAME);
  r = begin_text(wrong, FILE_NAME, WILSON_EINPUT);
  ok(strcmp(wilson_message(r), of_file) == 0 && strstr(of_file, FILE_NAME ":3: ") != NULL,
     "its messages are those of its file, with lines");
  wilson_end(r);
  r = begin_text("a = ;", NULL, WILSON_EINPUT);
  ok(strstr(wilson_message(r), "scenario.cfg:1: ") != NULL, "without a name, too");
  wilson_end(r);
  is_int(wilson_open_text(NULL, &(struct wilson_setup){0}, &r), WILSON_EINPUT, "no text");
  ok(r == NULL, "is no run");

  command_write(FILE_NAME, good);
  is_int(command("%s run " FILE_NAME " --quiet --threads 1 --output " STRAIGHT,
                 command_wilson()),
         0, "a scan of two temperatures");
  remove(FILE_NAME);
  r = begin_text(good, FILE_NAME, WILSON_OK);
  is_int(wilson_finish(r), WILSON_OK, "the same as a text");
  wilson_state(r, &at);
  wilson_end(r);
  ok(at.i_case == 1 && same_file(), "the bits of wilson run");
  remove(OUT);
  remove(STRAIGHT);
}

/* Of the plasma between walls: density times volume is the number of particles that the field was made of. */
static void densities(void)
{
  double n[17], all = 0.0;
  struct wilson_sums s;
  command_write(FILE_NAME, GAP("0 V"));
  struct wilson_run *r = begin(NULL, 0, NULL, WILSON_OK);
  wilson_sums(r, 0, &s); /* in the first half of a step none reaches a wall */
  is_int(wilson_density(r, 0, n, 17), WILSON_ERUN, "no density before the first step");
  wilson_step(r, 1);
  is_int(wilson_density(r, 7, n, 17), WILSON_EINPUT, "no such species");
  is_int(wilson_density(r, 0, n, 16), WILSON_EINPUT, "too little room");
  is_int(wilson_density(r, 0, n, 17), WILSON_OK, "the density");
  for (int i = 0; i < 17; i++)
    all += n[i] * 0.01 / 16 * (i == 0 || i == 16 ? 0.5 : 1.0);
  ok(s.particles > 0.0 && fabs(all / s.particles - 1.0) < 1e-9,
     "is that of all particles: %.12g of %.12g m-2", all, s.particles);
  wilson_end(r);
  remove(OUT ".part");
}

static void errors(void)
{
  const char *wrong[] = {"gas.presure=1"};
  struct wilson_run *second = NULL;
  command_write(
      FILE_NAME,
      "fields = [\"100 Td\"]; duration = \"10 ps\"; relaxation = \"2 ps\";\n" RUN_AIR);
  struct wilson_run *r = begin(NULL, 1, wrong, WILSON_EINPUT);
  ok(r != NULL && strstr(wilson_message(r), "nearest is `gas.pressure`") != NULL,
     "a wrong key, with its message");
  is_int(wilson_step(r, 1), WILSON_EINPUT, "such a run makes no step");
  wilson_end(r);
  r = begin(NULL, 0, NULL, WILSON_OK);
  second = begin(NULL, 0, NULL, WILSON_ERUN);
  ok(second != NULL && strstr(wilson_message(second), "has not ended") != NULL,
     "one run at a time");
  wilson_end(second);
  is_int(wilson_set_field(r, 1e5), WILSON_EINPUT,
         "a swarm is measured in the field of its scenario");
  is_int(wilson_sums(r, 5, &(struct wilson_sums){0}), WILSON_EINPUT, "no such species");
  is_int(wilson_advance(r, NAN), WILSON_EINPUT, "no time");
  struct wilson_state at;
  is_int(wilson_step(r, 0), WILSON_OK, "no step");
  is_int(wilson_step(r, 3), WILSON_OK, "three steps");
  wilson_state(r, &at);
  ok(at.n_steps == 3 && at.time > 0.0 && !at.case_is_over, "are three");
  const double at_three = at.time;
  is_int(wilson_advance(r, 0.5 * at_three), WILSON_OK, "a time that is over");
  wilson_state(r, &at);
  ok(at.n_steps == 3, "makes no step");
  is_int(wilson_advance(r, 1.01 * at_three), WILSON_OK, "a later time");
  wilson_state(r, &at);
  ok(at.n_steps > 3 && at.time >= 1.01 * at_three && !at.case_is_over,
     "is reached, with the step that passes it");
  is_int(wilson_finish(r), WILSON_OK, "to the end");
  wilson_state(r, &at);
  ok(at.is_finished && slices_exists(OUT), "the file is complete");
  is_int(wilson_sums(r, 0, &(struct wilson_sums){0}), WILSON_ERUN,
         "nothing is left to ask");
  wilson_end(r);
  remove(OUT);
  ok(wilson_abi() == WILSON_ABI && strcmp(wilson_version(), "") != 0, "version %s",
     wilson_version());
}

int main(void)
{
  plan(0);
  stepped(
      "a swarm of two fields",
      "fields = [\"100 Td\", \"300 Td\"]; duration = \"20 ps\"; relaxation = \"5 ps\";\n"
      "sampling = { interval = \"0.5 ps\"; };\n" RUN_AIR,
      0);
  stepped("a plasma", RUN_PLASMA("particles_interval = \"200 ps\";"), 0);
  stepped("a plasma", RUN_PLASMA("particles_interval = \"200 ps\";"), 17);
  stepped("a discharge", RUN_DISCHARGE, 13);
  stepped("particles in E and B on nodes", RUN_NODES, 0);
  fields();
  voltages();
  densities();
  texts();
  errors();
  remove(FILE_NAME);
  return done();
}
