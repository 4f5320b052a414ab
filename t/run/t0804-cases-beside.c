/* t0804-cases-beside.c - defends: where threads of one process run cases side by side (key `divide`), the
 * file has the bits, and what is printed the lines, of one case after the other, for any number of
 * threads; a case whose store is full, or that fails, ends the run as it ends that; so does a limit, a
 * signal or a death, and the run goes on from there, one case after the other or side by side.  By default
 * only small cases run so.
 * Reference: the run of one case after the other. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "t/tap/command.h"
#define DIVIDED_NAME "t0804"
#include "t/tap/divided.h"
#include "t/tap/ranks.h"
#include "t/tap/runs.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"

const char *const divided_name = DIVIDED_NAME;

static int run_on(int threads, const char *options)
{
  return command("%s run " DIVIDED_FILE " --quiet --output " DIVIDED_AGAIN
                 " --threads %d --set 'divide=\"cases\"' %s",
                 command_wilson(), threads, options);
}

static const struct divided_by by_threads = {"threads", run_on};

/* What it says of cases side by side with 4 threads; "": nothing. */
static const char *said(const char *options)
{
  static char line[256];
  line[0] = '\0';
  const int status =
      command("%s run " DIVIDED_FILE " --threads 4 --output " DIVIDED_AGAIN " %s",
              command_wilson(), options);
  const char *at = strstr(command_err, "whole cases, ");
  if (status != 0)
    diag("status %d: %.500s", status, command_err);
  if (at != NULL)
    snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "("), at);
  return line;
}

static void by_default(void)
{
  command_write(DIVIDED_FILE, "fields = [\"100 Td\", \"200 Td\", \"300 Td\"]; duration = "
                              "\"20 ps\"; relaxation = \"10 ps\";\n" RUN_AIR);
  is_str(said(""), "whole cases, 3 in all, run side by side, 3 at a time ",
         "small cases, and the program says so");
  is_str(said("--set 'divide=\"electrons\"'"), "", "not with divide = \"electrons\"");
  is_str(said("--set 'fields=[\"100 Td\"]'"), "", "nor one case");
  /* so short that they do not become a million */
  is_str(said("--set population.target=1000001 --set electrons=40 --set 'fields=[\"100 "
              "Td\", \"200 Td\"]' --set 'duration=\"0.01 ps\"' --set "
              "'relaxation=\"0 s\"' --set 'sampling.interval=\"0.01 ps\"'"),
         "", "nor more than a million electrons");
  is_str(said("--set checkpoint.step_limit=100000"), "", "nor a limit of steps");
  is_str(said("--set scheduler=\\\"serial\\\""), "", "nor with one thread");
  command_write(DIVIDED_FILE, divided_text(DIVIDED_AVALANCHES));
  is_str(said(""), "", "nor electrons that multiply");
  is_str(said("--set 'divide=\"cases\"'"),
         "whole cases, 3 in all, run side by side, 3 at a time ", "which it can be told");
  command_write(DIVIDED_FILE, RUN_PLASMA(""));
  is_str(said(""), "", "nor a plasma");
  remove(DIVIDED_AGAIN);
}

/* Stopped, or killed, as soon as there is a checkpoint; and then it goes on.  The run is that of
 * divided_alone, before. */
static void ended(const char *signal, int wanted)
{
  const int status = command(
      "%s run " DIVIDED_FILE " --quiet --threads 3 --output " DIVIDED_AGAIN " & it=$!;\n"
      "while test ! -e " DIVIDED_AGAIN ".ckpt && kill -0 $it; do sleep 0.02; done; "
      "kill -%s $it; wait $it",
      command_wilson(), signal);
  /* killed between two renames, it is still that before */
  const int is_there =
      slices_exists(DIVIDED_AGAIN ".ckpt") || slices_exists(DIVIDED_AGAIN ".ckpt.old");
  ok((wanted < 0 ? status != 0 : status == wanted) && is_there &&
         !slices_exists(DIVIDED_AGAIN),
     "%s ends the run, status %d, and the checkpoint stays", signal, status);
  divided_same("and it goes on with two threads", run_on(2, "--restart auto"), 0, 0);
}

int main(void)
{
#ifndef _OPENMP
  skip_all("built without OpenMP");
#endif
  plan(0);
  setenv("OMP_WAIT_POLICY", "passive", 1);
  divided_bits(&by_threads);
  divided_full(&by_threads);
  divided_fails(&by_threads);
  divided_alone("signals",
                "fields = [\"100 Td\", \"200 Td\", \"300 Td\"]; duration = \"5 ns\";\n"
                "relaxation = \"20 ps\"; checkpoint = { steps = 20; };\n" RUN_AIR,
                "", 0);
  ended("TERM", 1);
  if (!command_fast())
    ended("KILL", -1);
  by_default();
  remove(DIVIDED_OUT);
  remove(DIVIDED_FILE);
  remove(DIVIDED_AGAIN);
  remove(DIVIDED_AGAIN ".part");
  remove(DIVIDED_AGAIN ".ckpt");
  return done();
}
