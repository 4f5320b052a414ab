/* t/tap/divided.c - see divided.h. */
#include "t/tap/divided.h"
#include <stdio.h>
#include <string.h>
#include "t/tap/command.h"
#include "t/tap/ranks.h"
#include "t/tap/runs.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"

static const struct {
  const char *name, *text;
  int cases, steps,
      least; /* of slices, fewer than the first case has; so many at least */
} runs[] = {
    {"five fields",
     "fields = [\"100 Td\", \"150 Td\", \"200 Td\", \"300 Td\", \"500 Td\"];\n"
     "accuracy = 0.05;\n" RUN_AIR,
     5, 229, 2},
    {"a scan of four points, two fields each",
     "fields = [\"100 Td\", \"200 Td\"]; duration = \"0.1 ns\"; relaxation = \"20 ps\";\n"
     "scan = { B = { key = \"magnetic_field\"; values = [\"0 T\", \"2 T\"]; };\n"
     "  angles = { key = \"scattering\"; values = [\"isotropic\", \"okhrimovskyy\"]; }; "
     "};\n" RUN_AIR,
     8, 200, 2},
    /* saved while another has the second, of which the point is in the file by then */
    {"a scan whose second point takes long",
     "fields = [\"200 Td\"]; duration = \"0.1 ns\"; relaxation = \"20 ps\";\n"
     "scan = { n = { key = \"electrons\"; values = [\"32\", \"4000\", \"48\", \"40\"]; "
     "}; };\n" RUN_AIR,
     4, 100, 2},
    {"three avalanches",
     "job = \"runaway\"; fields = [\"1500 Td\", \"300 Td\", \"1000 Td\"];\n"
     "duration = \"8 ps\"; sampling = { interval = \"0.4 ps\"; };\n"
     "runaway = { thresholds = [\"30 eV\", \"100 eV\"]; };\n" RUN_AIR,
     3, 10, 2},
    {"three rates of runaways",
     "job = \"runaway-rate\"; fields = [\"300 kV/cm\", \"400 kV/cm\", \"500 kV/cm\"];\n"
     "electrons = 64; groups = 8; duration = \"4 ps\"; accuracy = 0.01;\n"
     "population = { target = 64; };\n"
     "runaway = { thresholds = [\"100 eV\", \"200 eV\"]; };\n"
     "tables = { energy_max = \"10 keV\"; };\n"
     "gas = { components = { N2 = { file = \"builtin:air\"; }; }; };\n",
     3, 5, 2},
};
_Static_assert(sizeof runs / sizeof runs[0] == DIVIDED_RUNS, "one of each");

static char alone_out[sizeof command_out];

const char *divided_text(size_t k)
{
  return runs[k].text;
}

/* A file of the test; four at a time. */
static const char *path(const char *end)
{
  static char at[4][64];
  static size_t turn;
  char *to = at[turn++ % 4];
  snprintf(to, sizeof at[0], "%s%s", divided_name, end);
  return to;
}

/* Alone, with what it printed kept. */
void divided_alone(const char *name, const char *text, const char *options, int wanted)
{
  command_write(path(".cfg"), text);
  const int status = command("%s run %s.cfg --quiet --threads 1 --output %s.nc %s",
                             command_wilson(), divided_name, divided_name, options);
  if (!is_int(status, wanted, "%s: alone", name))
    diag("%.900s", command_err);
  memcpy(alone_out, command_out, sizeof alone_out);
}

/* lines: whether all were printed by this run. */
void divided_same(const char *what, int status, int wanted, int lines)
{
  ranks_same(path(".nc"), path("-again.nc"), what, status, wanted);
  if (lines && !ok(strcmp(command_out, alone_out) == 0, "%s: and its lines", what))
    diag("%.900s", command_out);
}

/* In slices, of which each divides something else. */
static void in_slices(const struct divided_by *by, size_t k)
{
  static const struct {
    int n;
    const char *options;
  } how[] = {{2, ""}, {3, ""}, {1, ""}, {2, "--set 'divide=\"electrons\"'"}};
  int i = 0, status;
  char options[160];
  do {
    snprintf(options, sizeof options, "--restart auto --set checkpoint.step_limit=%d %s",
             runs[k].steps, how[i % 4].options);
    status = by->run(how[i % 4].n, options);
  } while (status == 3 && ++i < 300);
  ok(i + 1 >= runs[k].least && !slices_exists(path("-again.nc.ckpt")),
     "%s: in %d slices, of 2, 3, 1 and 2 %s in turn", runs[k].name, i + 1, by->workers);
  divided_same(runs[k].name, status, 0, 0);
}

void divided_bits(const struct divided_by *by)
{
  static const int workers[] = {2, 3, 4, 5};
  for (size_t k = 0; k < DIVIDED_RUNS; k++) {
    divided_alone(runs[k].name, runs[k].text, "", 0);
    /* for each run another number, WN_LONG=2: all; slices have 1, 2 and 3 */
    const size_t all = sizeof workers / sizeof workers[0],
                 one = workers[k % all] > runs[k].cases ? 0 : k % all;
    for (size_t i = command_long() > 1 ? 0 : one;
         i < (command_long() > 1 ? all : one + 1); i++) {
      char what[128];
      const int n = workers[i];
      if (n > runs[k].cases)
        break;
      snprintf(what, sizeof what, "%s, %d %s", runs[k].name, n, by->workers);
      divided_same(what, by->run(n, ""), 0, 1);
    }
    if (!command_fast() || k == DIVIDED_LONG)
      in_slices(by, k);
  }
}

/* The second of four finds the store full: the third and fourth, which are over sooner, are not in
 * the file. */
void divided_full(const struct divided_by *by)
{
  static const char text[] =
      "job = \"runaway\"; fields = [\"300 Td\", \"1500 Td\", \"250 Td\", \"200 Td\"];\n"
      "duration = \"12 ps\"; sampling = { interval = \"0.4 ps\"; };\n"
      "population = { capacity = 700; };\n"
      "runaway = { thresholds = [\"30 eV\"]; };\n" RUN_AIR;
  divided_alone("a store that is full", text, "", 1);
  divided_same("a store that is full, 2 workers", by->run(2, ""), 1, 1);
  divided_same("a store that is full, 4 workers", by->run(4, ""), 1, 1);
  ok(ranks_times(command_err, "was full:") == 1, "it is said once");
  remove(path("-again.nc.ckpt"));
}

/* The third of four gets to the end of the tables: two are kept, and it is said once. */
void divided_fails(const struct divided_by *by)
{
  static const char text[] =
      "fields = [\"300 Td\", \"100 Td\", \"5000 Td\", \"50 Td\"]; duration = \"0.1 "
      "ns\";\n"
      "relaxation = \"20 ps\"; groups = 8; electrons = 100;\n"
      "tables = { energy_max = \"60 eV\"; };\n"
      "gas = { components = { N2 = { file = \"builtin:air\"; }; }; };\n";
  divided_alone("a case that fails", text, "", 1);
  for (int n = command_fast() ? 4 : 2; n <= 4; n += 2) {
    const int status = by->run(n, "");
    ok(status == 1 && strcmp(command_out, alone_out) == 0 &&
           ranks_times(command_err, "the top of the tables") == 1,
       "the third fails under %d %s: two lines before it, one message", n, by->workers);
    size_t values = 0;
    const char *differs =
        command_nc_differs(path(".nc.part"), path("-again.nc.part"), &values);
    ok(differs == NULL && values > 20, "what was finished before is kept%s%s",
       differs ? "; differs: " : "", differs ? differs : "");
    remove(path("-again.nc.part"));
  }
  remove(path(".nc.part"));
}
