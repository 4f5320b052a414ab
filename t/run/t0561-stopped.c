/* t0561-stopped.c - defends: what stops a run leaves a checkpoint from which it goes on to the
 * bits of an undisturbed one (SIGTERM, SIGINT, SIGUSR1, a limit of time and of steps), and quick
 * runs leave none; a checkpoint that is cut, changed in any part, of another program or of
 * another kind is refused with its reason, and the one before it is used; another scenario or
 * other files of data are refused with both values, what changes no bits is not; nor is an
 * output taken that does not hold what was written before the checkpoint.  A checkpoint that
 * cannot be written ends no run.  Reference: the undisturbed run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/sha256.h"
#include "t/tap/command.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"

#define CONFIG "t0561.cfg"
#define OUT    "t0561.nc"
#define AGAIN  "t0561-again.nc"
#define CKPT   AGAIN ".ckpt"
#define OLD    CKPT ".old"
#define PART   AGAIN ".part"
#define DATA   "t0561.txt"

static const char *const leftovers[] = {AGAIN, CKPT, OLD, PART, CKPT ".new", PART ".new"};

static void clean(void)
{
  for (size_t i = 0; i < sizeof leftovers / sizeof leftovers[0]; i++)
    remove(leftovers[i]);
}

/* The scenario of most checks: three fields of two steps, quickly. */
static const char six_steps[] =
    "job = \"runaway\"; fields = [\"800 Td\", \"1000 Td\", \"1200 Td\"]; groups = 8;\n"
    "electrons = 300; duration = \"1 ps\"; sampling = { interval = \"0.5 ps\"; };\n"
    "runaway = { thresholds = [\"30 eV\"]; }; tables = { energy_max = \"1 keV\"; };\n"
    "gas = { components = { N2 = { file = \"builtin:air\"; }; }; };\n";

static void undisturbed(const char *text)
{
  clean();
  command_write(CONFIG, text);
  if (!is_int(command("%s run " CONFIG " --quiet --output " OUT, command_wilson()), 0,
              "an uninterrupted run"))
    diag("%.900s", command_err);
}

static int again(const char *options)
{
  return command("%s run " CONFIG " --output " AGAIN " %s", command_wilson(), options);
}

static void is_same(const char *name)
{
  size_t n = 0;
  const char *what = command_nc_differs(OUT, AGAIN, &n);
  ok(what == NULL && n > 20, "%s: the %zu numbers of the undisturbed run%s%s", name, n,
     what ? "; differs: " : "", what ? what : "");
  ok(!slices_exists(CKPT) && !slices_exists(OLD) && !slices_exists(PART),
     "%s: nothing is left beside it", name);
}

/* ---- what stops a run */

#define SLOW                                                                             \
  "job = \"swarm\"; fields = [\"200 Td\"]; duration = \"6 ns\"; groups = 8;\n"           \
  "relaxation = \"50 ps\"; tables = { energy_max = \"10 keV\"; };\n"                     \
  "gas = { components = { N2 = { fraction = 1.0; file = \"builtin:air\"; }; }; };\n"

/* Signalled as soon as `await` is there; once more where the run, which has most of its time to
 * take it, came to its end before. */
static int signalled(const char *signal, const char *await, const char *options)
{
  int status = 0;
  for (int i = 0; i < 9 && status == 0; i++) {
    clean();
    status = command(
        "%s run " CONFIG " --threads 1 --output " AGAIN " %s & pid=$!\n"
        "until [ -e %s ]; do kill -0 $pid 2>/dev/null || break; sleep 0.02; done\n"
        "kill -%s $pid; wait $pid",
        command_wilson(), options, await, signal);
  }
  return status;
}

static void signals(void)
{
  static const char *const names[] = {"TERM", "INT"};
  char want[64];
  /* as many steps, and the sanitizers take ten times as long for each */
  undisturbed(command_fast() ? SLOW "electrons = 40;\n" : SLOW "electrons = 400;\n");
  for (int i = 0; i < (command_fast() ? 1 : 2); i++) { /* INT takes the same way */
    int status = signalled(names[i], CKPT, "--set checkpoint.steps=20");
    ok(status == 1 && strstr(command_err, "stopped by signal") != NULL &&
           strstr(command_err, "--restart auto") != NULL,
       "SIG%s: exit status 1, and how to go on: %.300s", names[i], command_err);
    snprintf(want, sizeof want, "SIG%s", names[i]);
    is_int(again("--restart auto"), 0, "%s: the restart", want);
    is_same(want);
  }
  is_int(signalled("TERM", PART, ""), 1, "SIGTERM in the first minute");
  ok(!slices_exists(CKPT), "leaves no checkpoint");
  clean();
  is_int(signalled("TERM", PART, "--set checkpoint.interval='\"1 ms\"'"), 1,
         "SIGTERM after the interval");
  ok(slices_exists(CKPT) || slices_exists(AGAIN), "leaves one");
  clean();

  /* the run lives while the other is told to go on from its checkpoint; once more where it
   * has come to its end by then */
  int status = 0;
  for (int i = 0; i < 9 && status == 0; i++) {
    clean();
    status = command("%s run " CONFIG " --threads 1 --output " AGAIN
                     " --set checkpoint.steps=20 & pid=$!\n"
                     "until [ -e " CKPT " ]; do kill -0 $pid || break; sleep 0.02; done\n"
                     "%s run " CONFIG " --restart " CKPT " --output " AGAIN
                     "; status=$?; kill -KILL $pid; wait $pid; exit $status",
                     command_wilson(), command_wilson());
  }
  ok(status == 1 && strstr(command_err, "another run is writing it") != NULL,
     "a checkpoint of a run that is alive is refused: %.300s", command_err);
  is_int(again("--restart auto"), 0, "it can be used when that is dead");
  is_same("a run that was alive");

  /* asked for one, then killed as soon as it is there */
  status = command("%s run " CONFIG " --threads 1 --output " AGAIN
                   " --set checkpoint.interval='\"never\"' & pid=$!\n"
                   "until [ -e " PART " ]; do kill -0 $pid || break; sleep 0.02; done\n"
                   "kill -USR1 $pid\n"
                   "until [ -e " CKPT " ]; do kill -0 $pid || break; sleep 0.02; done\n"
                   "kill -KILL $pid; wait $pid",
                   command_wilson());
  ok(status == 137 && slices_exists(CKPT), "SIGUSR1: a checkpoint, and the run went on");
  is_int(again("--restart auto"), 0, "SIGUSR1: the restart");
  is_same("SIGUSR1");
}

static void limits(void)
{
  static const char *const tiny[] = {"--set checkpoint.wall_limit='\"1 ms\"'"};
  undisturbed(six_steps);
  slices_are("a limit of time that is over at once", CONFIG, AGAIN, OUT, 1000, 4, 1,
             tiny);
  is_int(again("--set checkpoint.wall_limit='\"1 d\"' --set checkpoint.step_limit=7"), 0,
         "limits that are not met");
  is_same("limits that are not met");
  is_int(again("--restart auto"), 0, "auto, and the output is complete");
  ok(strstr(command_err, "nothing to do") != NULL, "says so: %.200s", command_err);
  is_int(again("--restart auto --seed 2"), 0,
         "auto, and the output is of another scenario");
  ok(strstr(command_err, "starts from the beginning") != NULL,
     "says that it begins anew: %.200s", command_err);
  clean();
  is_int(again("--restart auto"), 0, "auto without a checkpoint");
  ok(strstr(command_err, "starts from the beginning") != NULL,
     "says that it begins anew: %.200s", command_err);
  is_same("auto without a checkpoint");
  is_int(again("--restart " CKPT), 2, "a checkpoint by name that is not there");
  ok(strstr(command_err, "No such file") != NULL, "says so: %.300s", command_err);
  clean();
}

/* A folder where the checkpoint is to be made: not even root can write it. */
static void unwritable(void)
{
  clean();
  mkdir(CKPT ".new", 0777);
  int status = again("--set checkpoint.steps=1");
  ok(status == 0 && strstr(command_err, "the run continues") != NULL,
     "a checkpoint that cannot be written: it is said, and the run goes on: %.200s",
     command_err);
  rmdir(CKPT ".new");
  is_same("without checkpoints");
  clean();
}

/* ---- damage */

static unsigned char *bytes;
static size_t n_bytes;

static void slurp(const char *path)
{
  FILE *f = fopen(path, "rb");
  free(bytes);
  bytes = malloc((size_t)1 << 24);
  n_bytes = f != NULL && bytes != NULL ? fread(bytes, 1, (size_t)1 << 24, f) : 0;
  if (f != NULL)
    fclose(f);
  ok(n_bytes > 1000, "%s has %zu bytes", path, n_bytes);
}

static void spit(const char *path, size_t n)
{
  FILE *f = fopen(path, "wb");
  if (f == NULL || fwrite(bytes, 1, n, f) != n || fclose(f) != 0)
    ok(0, "%s is written", path);
}

static void refused(const char *name, const char *why)
{
  int status = again("--restart auto");
  if (!ok(status == 2 && strstr(command_err, why) != NULL, "%s: refused, `%s`", name,
          why))
    diag("exit status %d; %.900s", status, command_err);
}

/* What it holds is another, and its checksum that of what it holds. */
static void sign(void)
{
  char hex[WN_SHA256_HEX];
  wn_sha256_mem(bytes, n_bytes - 64, hex);
  memcpy(bytes + n_bytes - 64, hex, 64);
}

static void damaged(void)
{
  char name[64];
  clean();
  is_int(again("--set checkpoint.step_limit=2"), 3, "a run of two steps");
  slurp(CKPT);
  const size_t n = n_bytes, cuts[] = {0, 10, 47, n / 2, n - 64, n - 1};
  for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; i++) {
    spit(CKPT, cuts[i]);
    snprintf(name, sizeof name, "cut to %zu bytes", cuts[i]);
    refused(name, cuts[i] > 0 ? "truncated" : "empty");
  }
  const struct {
    size_t at;
    const char *why;
  } flips[] = {{3, "not a checkpoint"}, {24, "version"},      {32, "byte order"},
               {40, "bytes of"},        {60, "checksum"},     {n / 3, "checksum"},
               {n / 2, "checksum"},     {n - 65, "checksum"}, {n - 30, "checksum"},
               {n - 1, "checksum"}};
  for (size_t i = 0; i < sizeof flips / sizeof flips[0]; i++) {
    bytes[flips[i].at] ^= 4;
    spit(CKPT, n);
    bytes[flips[i].at] ^= 4;
    snprintf(name, sizeof name, "byte %zu of %zu changed", flips[i].at, n);
    refused(name, flips[i].why);
  }
  unsigned char *program =
      bytes; /* "wilson 0.1.0 git ..." of the program that wrote it */
  while (memcmp(program, "wilson ", 7) != 0 || program < bytes + 48)
    program++;
  program[7] ^= 1;
  sign();
  spit(CKPT, n);
  refused("of another version", "another version may give different bits");
  program[7] ^= 1;
  sign();
  spit(CKPT, n);

  /* two of them; the newer is bad, then both are */
  is_int(again("--restart auto --set checkpoint.step_limit=1"), 3, "a step more");
  ok(slices_exists(OLD), "the one before is kept");
  slurp(CKPT);
  bytes[n_bytes / 2] ^= 1;
  spit(CKPT, n_bytes);
  is_int(again("--restart auto --set checkpoint.step_limit=1"), 3,
         "the newer is damaged, and the older used");
  ok(strstr(command_err, "checksum") != NULL && strstr(command_err, OLD) != NULL,
     "which is said, with the reason: %.300s", command_err);
  spit(CKPT, n_bytes);
  spit(OLD, n_bytes / 2);
  refused("both damaged", "truncated");
  ok(strstr(command_err, "checksum") != NULL, "with the reasons of both");
  bytes[n_bytes / 2] ^= 1;
  spit(CKPT, n_bytes);
  is_int(again("--restart auto"), 0, "one of them is whole again");
  is_same("after all of this");
}

/* ---- what must be the same */

static void other(const char *options, const char *key, const char *values)
{
  char text[512];
  snprintf(text, sizeof text, "--restart auto %s", options);
  int status = again(text);
  if (!ok(status == 2 && strstr(command_err, key) != NULL &&
              strstr(command_err, values) != NULL && slices_exists(CKPT) &&
              slices_exists(PART),
          "`%s`: refused, with `%s` and `%s`, and nothing is lost", options, key, values))
    diag("exit status %d; %.900s", status, command_err);
}

static void scenario(void)
{
  clean();
  is_int(again("--set checkpoint.step_limit=2"), 3, "a run of two steps");
  other("--seed 2", "`seed` = 1", "has 2");
  other("--set electrons=301", "`electrons` = 300", "has 301");
  other("--set mobility_steps=2", "`mobility_steps` = 1", "has 2");
  is_int(
      again("--restart auto --scheduler serial --quiet --set population.capacity=50000 "
            "--set 'title=\"another\"' --set checkpoint.steps=1"),
      0, "what changes no bits may differ");
  is_same("another scheduler, store and title");
}

static void copy(const char *from, const char *to, const char *tail)
{
  is_int(command("cat '%s' >%s; printf '%%s\\n' '%s' >>%s", from, to, tail, to), 0,
         "%s is written", to);
}

/* A file of cross sections by the same name that holds another text. */
static void data(void)
{
  const char *src = getenv("WN_SRCDIR");
  char path[4096];
  snprintf(path, sizeof path, "%s/data/crosssections/reid-ramp.txt",
           src != NULL && *src ? src : ".");
  copy(path, DATA, "");
  undisturbed("fields = [\"12 Td\"]; electrons = 64; groups = 8; duration = \"0.2 us\";\n"
              "relaxation = \"0.1 us\"; tables = { energy_max = \"5 eV\"; };\n"
              "gas = { temperature = 0; number_density = \"1e24 m-3\";\n"
              "  components = { A = { file = \"" DATA "\"; }; }; };\n");
  is_int(again("--set checkpoint.step_limit=3"), 3, "a run that reads a file");
  copy(path, DATA, "another text");
  other("", "`gas.components.A.file`", "SHA-256");
  copy(path, DATA, "");
  is_int(again("--restart auto"), 0, "the file is as it was");
  is_same("a run that reads a file");
  remove(DATA);
}

/* ---- the output that is gone on with */

static void output(void)
{
  undisturbed(six_steps);
  is_int(again("--set checkpoint.step_limit=3"), 3, "a run of three steps");
  is_int(command("mv " PART " t0561-away"), 0, "its output is taken away");
  refused("no output", "cannot be opened");
  is_int(command("%s run " CONFIG " --quiet --output t0561-other.nc --set "
                 "checkpoint.step_limit=1; cp t0561-other.nc.part " PART,
                 command_wilson()),
         0, "there is one that has less");
  refused("an output with less", "lacks records written before");
  is_int(command("head -c 3000 t0561-away >" PART), 0, "there is one that is cut");
  refused("an output that is cut", "cannot be read");
  is_int(command("mv t0561-away " PART), 0, "it comes back");
  is_int(command("%s run " CONFIG " --quiet --output t0561-other.nc --restart " CKPT,
                 command_wilson()),
         0, "and the run goes on, under another name");
  is_int(command("mv t0561-other.nc " AGAIN "; rm " PART " " CKPT), 0, "here");
  is_same("under another name");
  remove("t0561-other.nc.part");
  remove("t0561-other.nc.ckpt");
  is_int(again("--set checkpoint.step_limit=2"), 3, "a run of two steps");
  is_int(again("--quiet"), 0, "that is begun anew");
  ok(strstr(command_err, "earlier run") != NULL &&
         strstr(command_err, "starts from the beginning") != NULL,
     "which says what it does not continue from: %.300s", command_err);
  is_int(command("ncdump -h " AGAIN " 2>/dev/null | grep -c 'continued from'"), 1,
         "a run without a restart says nothing of one");
  clean();

  /* killed between the end of the output and that of the checkpoint */
  is_int(again("--quiet --set checkpoint.step_limit=4; cp " CKPT " t0561-away"), 0,
         "a run of four steps");
  is_int(again("--quiet --restart auto; mv t0561-away " CKPT), 0, "goes on to its end");
  is_int(again("--restart auto"), 0,
         "a checkpoint that is left beside a complete output");
  ok(strstr(command_err, "nothing to do") != NULL, "it is said: %.200s", command_err);
  is_same("a complete output");
  clean();
}

int main(void)
{
  plan(0);
  limits();
  unwritable();
  damaged();
  scenario();
  data();
  output();
  signals();
  clean();
  remove(OUT);
  remove(CONFIG);
  free(bytes);
  return done();
}
