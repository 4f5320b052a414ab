/* t0524-limits.c - defends: a run that comes to the end of a disk, of a limit on the size of files
 * (SIGXFSZ and all) or of its memory ends with status 1 and a message that names it; it never
 * hangs and is never ended by a signal; nothing stands under the final name, and what .part
 * holds can be read and is, record by record, what an undisturbed run has: no part of a
 * record is taken for a whole one.  With room enough the file is that of the undisturbed run.
 * A series of sizes each, so that the end comes in the header, in the first record and in
 * later ones.  No outside numbers: the reference is the run without a limit.  The particle
 * store is in t0521, a writer alone in t0510 and t0512. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "t/tap/command.h"
#include "t/tap/tap.h"

#define FILE_REF  "t0524-ref.nc"
#define FILE_OUT  "t0524.nc"
#define FILE_PART FILE_OUT ".part"
#define DISK      "t0524.disk"

#define MAPS 130 /* 1.09e6 numbers: from 2^20 on they are compressed */
/* So many maps of 64 KiB each of three quantities, compressed, which is when a disk fills late. */
static const char plasma[] =
    "model = \"plasma\"; seed = 3; threads = 1;\n"
    "grid = { cells = [128, 64]; length = [\"4 cm\", \"4 cm\"]; };\n"
    "species = { a = { density = \"1e14 m-3\"; per_cell = 1; temperature = \"0.1 eV\";\n"
    "  loading = \"random\"; }; };\n"
    "plasma = { time_step = \"100 ps\"; background = true; fields_interval = \"100 ps\"; "
    "};\n"
    "duration = \"13 ns\"; output = \"" FILE_OUT "\";\n";

/* How the runs of a series ended. */
struct outcomes {
  int whole, nothing, part;
};

static int exists(const char *path)
{
  return access(path, F_OK) == 0;
}

/* Maps at the beginning of PART that are those of the reference; -1: cannot be read, or a
 * number in it is neither that of the reference nor missing. */
static long maps_in(const char *path)
{
  static const char *const names[] = {"potential", "charge_density", "electric_field_x"};
  long least = -1;
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    size_t n = 0, m = 0, whole = 0;
    double *a = command_nc_read(path, names[k], &n),
           *b = command_nc_read(FILE_REF, names[k], &m);
    const size_t map = m / MAPS;
    int good = a != NULL && b != NULL && n == m && map > 0;
    for (size_t i = 0; good && i < n; i++)
      if (!isnan(a[i])) {
        good = a[i] == b[i];
        whole += i % map == map - 1;
      }
    free(a);
    free(b);
    if (!good)
      return -1;
    if (least < 0 || (long)whole < least)
      least = (long)whole;
  }
  return least;
}

static void judge(const char *what, int status, const char *cause, struct outcomes *all)
{
  size_t n;
  if (status == 0) {
    const char *bad = command_nc_differs(FILE_OUT, FILE_REF, &n);
    ok(bad == NULL && n > 1000, "%s: enough, the file is whole%s%s", what,
       bad != NULL ? "; differs: " : "", bad != NULL ? bad : "");
    all->whole++;
  } else {
    const int is_part = exists(FILE_PART);
    const long maps = is_part ? maps_in(FILE_PART) : 0;
    const int good = status == 1 && strstr(command_err, cause) != NULL &&
                     !exists(FILE_OUT) && !exists(FILE_PART ".new") && maps >= 0 &&
                     (!is_part || strstr(command_err, "are kept in") != NULL);
    if (!ok(good, "%s: status %d, \"%s\", %ld maps of %d are kept", what, status, cause,
            maps, MAPS))
      diag("%.900s", command_err);
    *(is_part ? &all->part : &all->nothing) += 1;
  }
  remove(FILE_OUT);
  remove(FILE_PART);
  remove(FILE_PART ".new");
}

/* A disk of so many KiB, which only the shell of the run sees. */
static int on_disk(int kib)
{
  return command("mkdir -p " DISK
                 "; unshare -rm sh -c 'mount -t tmpfs -o size=%dk none " DISK
                 " || exit 99; %s run t0524.cfg --quiet --output " DISK "/" FILE_OUT
                 " >/dev/null; s=$?; cp " DISK "/" FILE_OUT
                 "* . 2>/dev/null; exit $s'; s=$?; rmdir " DISK "; exit $s",
                 kib, command_wilson());
}

static void disks(void)
{
  static const int kib[] = {16, 300, 1000, 10000, 40000};
  struct outcomes all = {0};
  char what[64];
  if (on_disk(40000) != 0) {
    skip(1, "no file system of its own can be mounted here (unshare -rm, tmpfs)");
    remove(FILE_OUT);
    return;
  }
  remove(FILE_OUT);
  for (size_t k = 0; k < sizeof kib / sizeof *kib; k++) {
    snprintf(what, sizeof what, "a disk of %d KiB", kib[k]);
    judge(what, on_disk(kib[k]), "No space left on device", &all);
  }
  ok(all.whole > 0 && all.part > 0 && all.nothing > 0,
     "disks: %d times whole, %d times in part, %d times nothing", all.whole, all.part,
     all.nothing);
}

static void file_sizes(void)
{
  static const int blocks[] = {8, 600, 2000, 20000, 80000};
  struct outcomes all = {0};
  char what[64];
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) {
    const int status = command("ulimit -f %d; %s run t0524.cfg --quiet >/dev/null",
                               blocks[k], command_wilson());
    snprintf(what, sizeof what, "files of %d blocks at most", blocks[k]);
    judge(what, status, "File too large", &all);
  }
  ok(all.whole > 0 && all.part > 0 && all.nothing > 0,
     "sizes: %d times whole, %d times in part, %d times nothing", all.whole, all.part,
     all.nothing);
}

/* From too little to enough: the loader's own failures, before main() begins, are not ours
 * (status 127, or a signal of the loader); the first that gets to our code ends by us. */
static void memory(void)
{
  struct outcomes all = {0};
  char what[64];
  long enough = 0;
  /* With 1 MiB for the stack: where nothing is left it cannot grow, and the system ends any program by a
   * signal. */
  for (long kib = 30000; kib <= 400000 && enough == 0; kib += 10000)
    if (command("ulimit -v %ld; %s --version", kib - 1024, command_wilson()) == 0)
      enough = kib;
  if (enough == 0) {
    skip(1, "the program does not run under a limit of memory (sanitizers)");
    return;
  }
  /* Some 2 MiB from where the program loads HDF5 1.10 ends by a signal when it makes a file (seen in H5AC_create and
   * H5T_close): the first limit is beyond that. */
  for (int k = 1; k < 12 && all.whole == 0; k++) {
    const long kib = enough + (k < 4 ? 4000 * k : 40000 * (k - 3));
    int status = command("ulimit -v %ld; %s run t0524.cfg --quiet >/dev/null", kib,
                         command_wilson());
    snprintf(what, sizeof what, "memory of %ld KiB", kib);
    judge(what, status, "emory", &all);
  }
  ok(all.whole > 0 && all.nothing > 0,
     "memory: %d times whole, %d times in part, %d times nothing", all.whole, all.part,
     all.nothing);
}

int main(void)
{
  plan(0);
  command_write("t0524.cfg", plasma);
  is_int(command("%s run t0524.cfg --quiet --output " FILE_REF, command_wilson()), 0,
         "the undisturbed run");
  is_int(maps_in(FILE_REF), MAPS, "which has %d maps", MAPS);
  disks();
  file_sizes();
  memory();
  remove("t0524.cfg");
  remove(FILE_REF);
  return done();
}
