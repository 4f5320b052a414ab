/* t0527-check-ranks.c - defends: `wilson check --ranks N` says what a run by N processes needs: whole cases
 * or a part of the particles of each, by the rule of the run; memory of one of them, the share of messages
 * and the time, by the formula of src/run/forecast_ranks.h, whose numbers here are worked out by hand; for one
 * process nothing is added; of a plasma the time of its steps is known.  Times themselves are not asked. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "src/run/forecast_ranks.h"
#include "t/tap/command.h"
#include "t/tap/runs.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0527.cfg"

static void formula(void)
{
  const struct wn_link link = {.bandwidth = 1.0, .latency = 2.0};
  struct wn_step_cost c = {.own = 1.0, .divided = 8.0};
  double exchange;
  is_close(wn_ranks_step(&c, &link, 1, &exchange), 9.0, 1e-14, "one process: all of it");
  is_near(exchange, 0.0, 0.0, "and no messages");
  is_close(wn_ranks_step(&c, &link, 4, NULL), 3.0, 1e-14,
           "four: a quarter of what is divided");
  c = (struct wn_step_cost){.calls = 3.0};
  is_close(wn_ranks_step(&c, &link, 5, NULL), 36e-6, 1e-12,
           "three sums over five: three messages there and three back, each");
  c = (struct wn_step_cost){.bytes = 1e9};
  is_close(wn_ranks_step(&c, &link, 5, NULL), 1.6, 1e-12,
           "a GB at 1 GB/s, 4/5 of it each way");
  /* 16/n s against 1 s times 2 (n - 1)/n: 8 of 16 for n = 8, 16 of 16 passes at n = 16 */
  c = (struct wn_step_cost){.divided = 16.0, .bytes = 1e9};
  is_int(wn_ranks_worth(&c, &link), 16, "until messages take as long as the rest");
  const double even[] = {3.0, 3.0, 3.0, 3.0}, late[] = {1.0, 1.0, 1.0, 5.0};
  is_close(wn_ranks_cases(even, 4, 1), 12.0, 1e-14, "cases on one");
  is_close(wn_ranks_cases(even, 4, 3), 6.0, 1e-14, "four cases on three");
  is_close(wn_ranks_cases(late, 4, 2), 6.0, 1e-14, "one that is long, and last");
}

static int check(const char *options)
{
  return command("%s check " FILE_NAME " --device cpu %s", command_wilson(), options);
}

/* The number before or behind a text; NAN: it is not there. */
static double before(const char *text)
{
  const char *at = strstr(command_out, text);
  if (at == NULL)
    return NAN;
  while (at > command_out && at[-1] != '\n')
    at--;
  double x = NAN;
  for (; at[0] != '\n' && at[0] != '\0'; at++)
    if (sscanf(at, "%lf", &x) == 1)
      break;
  return x;
}

static double behind(const char *text, const char *from)
{
  const char *at = from != NULL ? strstr(from, text) : NULL;
  double x = NAN;
  if (at != NULL)
    sscanf(at + strlen(text), "%lf", &x);
  return x;
}

static void says(const char *text, const char *what)
{
  if (!ok(strstr(command_out, text) != NULL, "%s: says `%s`", what, text))
    diag("%.1500s", command_out);
}

static void electrons(void)
{
  command_write(FILE_NAME,
                "fields = [\"300 Td\"]; duration = \"0.1 ns\"; relaxation = \"20 ps\";\n"
                "groups = 8; electrons = 200000; threads = 1;\n"
                "tables = { energy_max = \"10 keV\"; };\n"
                "gas = { components = { N2 = { file = \"builtin:air\"; }; }; };\n");
  is_int(check("--ranks 1"), 0, "one process");
  ok(strstr(command_out, "are divided") == NULL, "adds nothing");
  is_int(check("--ranks 8"), 0, "eight processes");
  says("on 8 processes: electrons are divided", "a field");
  const char *of = strstr(command_out, "on 8 processes");
  is_near(behind("electrons at the start", of), 200000.0 * 64.0 / 8.0 / 1048576.0, 0.006,
          "an eighth of the electrons, MiB");
  const double kib = behind("sums over all ranks of", of),
               slow = before("times as fast as one");
  ok(kib > 1.0 && slow > 1.0 && slow <= 8.0, "%.4g KiB a step, %.3g times as fast", kib,
     slow);
  says("assumed: 10 GB/s and 5 us", "a field");
  is_int(check("--ranks 8 --bandwidth 1e-3 --latency 1000"), 0, "a slow network");
  const double slower = before("times as fast as one");
  ok(slower < slow, "%.3g times as fast by a slow one", slower);
  says("assumed: 0.001 GB/s and 1000 us", "a slow network");
}

static void cases(void)
{
  command_write(FILE_NAME,
                "fields = [\"100 Td\", \"200 Td\", \"300 Td\"]; duration = \"0.1 ns\";\n"
                "relaxation = \"20 ps\";\n" RUN_AIR);
  is_int(check("--ranks 3"), 0, "three fields, three processes");
  says("on 3 processes: whole cases are divided", "three fields");
  const double fast = behind(", ", strstr(command_out, "times as fast") != NULL
                                       ? strstr(command_out, "  about ")
                                       : NULL);
  ok(fast > 1.0 && fast <= 3.0, "%.3g times as fast", fast);
  is_int(check("--ranks 4"), 0, "and four");
  says("on 4 processes: electrons are divided", "three fields");
  is_int(check("--ranks 4 --set 'divide=\"cases\"'"), 2, "which would have no case");
  ok(strstr(command_err, "with 3 cases and 4 processes") != NULL,
     "is refused as by a run");
}

static void plasma(void)
{
  command_write(FILE_NAME, RUN_PLASMA(""));
  is_int(check(""), 0, "a plasma");
  ok(behind("steps of particles in about ", command_out) > 0.0, "its time is known");
  says("if their number", "a plasma");
  is_int(check("--ranks 2"), 0, "and by two");
  says("on 2 processes: particles are divided, each has the whole grid", "a plasma");
  /* 16 cells: 17 nodes and guards, 8 bytes for each of two species */
  const double kib = behind("sums over all ranks of", command_out);
  ok(kib * 1024.0 >= 2 * 8 * 17 && kib * 1024.0 <= 2 * 8 * 32, "%.4g KiB a step", kib);
  is_int(check("--ranks 2 --set 'divide=\"domains\"' "
               "--set 'plasma.solver=\"spectral\"'"),
         2, "slabs, and the spectral method");
  ok(strstr(command_err, "needs plasma.solver") != NULL, "are refused as by a run");
  is_int(check("--ranks 2 --set 'divide=\"domains\"'"), 0, "slabs");
  says("on 2 processes: the grid is divided in slabs", "a plasma");
  says("faster: divide = \"electrons\"", "16 cells");
  /* a grid that takes all the time, and a network that takes none */
  command_write(
      FILE_NAME,
      "model = \"plasma\"; duration = \"0.25 ns\";\n"
      "grid = { cells = [64, 48, 64]; length = [\"6 cm\", \"6 cm\", \"6 cm\"]; };\n"
      "species = { e = { density = \"1e13 m-3\"; temperature = \"1 eV\";\n"
      "  per_cell = 1; }; };\n"
      "plasma = { background = true; time_step = \"50 ps\";\n"
      "  allow = [\"debye-length\"]; };\n");
  is_int(check("--ranks 8 --bandwidth 1000 --latency 0.01"), 0, "a large grid");
  says("with divide = \"domains\": the grid in slabs, too", "a large grid");
  says("faster: divide = \"domains\"", "a large grid");
  is_int(check("--ranks 8 --bandwidth 0.01 --latency 0.01 "
               "--set 'plasma.solver=\"spectral\"'"),
         0, "and the spectral method");
  says("divide = \"domains\" needs plasma.solver", "which has no slabs");
}

/* Formulae by hand: four processes, 2 us and 1 GB/s. */
static void slabs(void)
{
  const struct wn_link link = {.bandwidth = 1.0, .latency = 2.0};
  const struct wn_slab_cost slab = {.grid = 8e-3,
                                    .particles = 4e-3,
                                    .all = 1.6e6,
                                    .near = 1e5,
                                    .exchanges = 5.0,
                                    .trees = 3.0};
  double exchange;
  const double step = wn_ranks_slab_step(&slab, &link, 4, &exchange);
  /* (5 x 3 + 2 x 2 x 3) 2 us, 2 x 3/16 x 1.6e6 + 1e5 bytes */
  is_close(exchange, 54e-6 + 700e-6, 1e-12, "messages of slabs");
  is_close(step, 3e-3 + exchange, 1e-12, "a step of slabs");
}

static void refused(void)
{
  static const struct {
    const char *option, *said;
  } bad[] = {{"--ranks 0", "--ranks 0: needs a number of processes from 1 to 1000000"},
             {"--ranks -2", "--ranks -2: needs a number of processes"},
             {"--ranks 2.5", "--ranks 2.5: needs a number of processes"},
             {"--ranks 99999999999999999999", "needs a number of processes"},
             {"--bandwidth 0", "--bandwidth 0: needs a number from 0.001 to 1e+06"},
             {"--latency nan", "--latency nan: needs a number from 0 to 1e+06"},
             {"--latency 5us", "--latency 5us: needs a number"}};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    if (!ok(check(bad[i].option) == 2 && strstr(command_err, bad[i].said) != NULL,
            "%s is refused", bad[i].option))
      diag("%.400s", command_err);
  is_int(command("%s run " FILE_NAME " --ranks 2", command_wilson()), 2,
         "it is no option of run");
}

int main(void)
{
  plan(0);
  formula();
  slabs();
  electrons();
  cases();
  plasma();
  refused();
  remove(FILE_NAME);
  return done();
}
