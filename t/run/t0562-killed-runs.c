/* t0562-killed-runs.c - defends: a run that is killed (kill -9) at any moment, while it starts,
 * goes on, writes results or a checkpoint, loses nothing: as soon as it has a checkpoint its
 * output is readable, it goes on from there, and ends in the bits of an undisturbed run.  50
 * kills, of which some hit each of these; moments are parts of the time that an undisturbed run
 * takes here, with a fixed seed.  Reference: the undisturbed run. */
#include <netcdf.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "base/clock.h"
#include "t/tap/command.h"
#include "t/tap/draw.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"

#define CONFIG "t0562.cfg"
#define OUT    "t0562.nc"
#define AGAIN  "t0562-again.nc"
#define CKPT   AGAIN ".ckpt"
#define PART   AGAIN ".part"

static const struct {
  const char *name, *steps, *text;
} cases[] = {
    {"a swarm in four fields", "checkpoint.steps=30",
     "fields = [\"100 Td\", \"200 Td\", \"300 Td\", \"400 Td\"]; electrons = 100; groups "
     "= 8;\n"
     "duration = \"1.5 ns\"; relaxation = \"50 ps\"; tables = { energy_max = \"10 keV\"; "
     "};\n"
     "gas = { components = { N2 = { fraction = 1.0; file = \"builtin:air\"; }; }; };\n"},
    {"a plasma with rows, maps and averages", "checkpoint.steps=5",
     "model = \"plasma\"; duration = \"12 ns\"; grid = { cells = [64]; length = \"1 "
     "cm\"; };\n"
     "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = \"dirichlet\";\n"
     "  amplitude = \"10 V\"; frequency = \"1 GHz\"; }; };\n"
     "species = { e = { density = \"1e13 m-3\"; temperature = \"10 eV\"; per_cell = 60; "
     "};\n"
     "  p = { density = \"1e13 m-3\"; charge = 1.0; mass = \"1 u\"; per_cell = 60;\n"
     "    temperature = \"1 eV\"; }; };\n"
     "plasma = { time_step = \"20 ps\"; modes = [1]; fields_interval = \"140 ps\";\n"
     "  allow = [\"cell-crossing\", \"plasma-frequency\", \"debye-length\"];\n"
     "  averages = { all = { periods = 8; phases = 2; moments = true; }; }; };\n"},
};

static const char *const leftovers[] = {AGAIN,       CKPT, CKPT ".old", CKPT ".new",
                                        PART ".new", PART, OUT,         CONFIG};

static pid_t start(const char *steps)
{
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    if (freopen("/dev/null", "w", stdout) == NULL ||
        freopen("t0562.err", "w", stderr) == NULL)
      _exit(9);
    execl(command_wilson(), "wilson", "run", CONFIG, "--quiet", "--threads", "1",
          "--restart", "auto", "--output", AGAIN, "--set", steps, (char *)NULL);
    _exit(9);
  }
  return pid;
}

/* A run is killed after `wait` s; its exit status if it had ended before, else -1. */
static int killed(const char *steps, double wait)
{
  int status;
  pid_t pid = start(steps);
  const struct timespec ts = {(time_t)wait, (long)(1e9 * (wait - (double)(time_t)wait))};
  nanosleep(&ts, NULL);
  kill(pid, SIGKILL);
  waitpid(pid, &status, 0);
  return WIFSIGNALED(status) ? -1 : WEXITSTATUS(status);
}

static int is_readable(const char *path)
{
  int nc;
  double complete = 1.0;
  if (nc_open(path, NC_NOWRITE, &nc) != NC_NOERR)
    return 0;
  const int is_good = nc_get_att_double(nc, NC_GLOBAL, "complete", &complete) == NC_NOERR;
  nc_close(nc);
  return is_good;
}

static void is_same(const char *name, int kills)
{
  size_t n = 0;
  const char *what = command_nc_differs(OUT, AGAIN, &n);
  ok(what == NULL && n > 100,
     "%s: after %d kills the %zu numbers of the undisturbed run%s%s", name, kills, n,
     what ? "; differs: " : "", what ? what : "");
  remove(AGAIN);
}

static void one(size_t k, int n_kills)
{
  const char *name = cases[k].name;
  int ends = 0, since = 0, unreadable = 0, bad = 0, with = 0;
  command_write(CONFIG, cases[k].text);
  double begin = wn_clock_now();
  int status =
      command("%s run " CONFIG " --quiet --threads 1 --output " OUT, command_wilson());
  const double takes = wn_clock_now() - begin;
  if (!is_int(status, 0, "%s: undisturbed", name))
    diag("%.900s", command_err);
  for (int i = 0; i < n_kills; i++) {
    status = killed(cases[k].steps, 0.7 * uniform() * takes);
    since++;
    with += slices_exists(CKPT);
    if (slices_exists(CKPT) && !slices_exists(AGAIN))
      unreadable += !is_readable(PART);
    bad += status > 0;
    if (status == 0) {
      ends++;
      is_same(name, since);
      since = 0;
    }
  }
  is_int(unreadable, 0,
         "%s: %d kills, with a checkpoint in %d: outputs that could not be read", name,
         n_kills, with);
  is_int(bad, 0, "%s: restarts that were refused", name);
  /* killed when it had finished its output, and not yet taken the checkpoint away */
  if (slices_exists(AGAIN))
    is_same(name, since);
  else {
    is_int(command("%s run " CONFIG " --quiet --restart auto --output " AGAIN,
                   command_wilson()),
           0, "%s: the last restart", name);
    is_same(name, since);
  }
  for (size_t i = 0; i < sizeof leftovers / sizeof leftovers[0]; i++)
    remove(leftovers[i]);
  remove("t0562.err");
}

int main(void)
{
  plan(0);
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
    one(k, command_fast() ? 4 : 25);
  return done();
}
