/* t0512-killed.c - defends: a writer that is killed (kill -9) leaves PATH.part that
 * netCDF opens and that holds every record it had synchronised, and nothing under PATH;
 * and the next run takes the name again.  No outside numbers: each record holds its own
 * index. */
#include "src/io/output.h"

#include <math.h>
#include <netcdf.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/log.h"
#include "t/tap/command.h"
#include "t/tap/tap.h"

#define PATH      "t0512.nc"
#define PART      PATH ".part"
#define N_RECORDS 3000
#define N_COLUMNS 400 /* 3000 x 400 is large enough to be compressed, 3000 is not */
#define N_KILLS   20
/* As many more where HDF5 would divide an index of 64 chunks that grew: before all chunks
 * were made at the start, one in 57 of these made all records unreadable. */
#define N_DIVIDED 60
/* And of fewer chunks than such an index has room for, which are not made at the start. */
#define N_FEW      60
#define N_WIDE     20000
#define N_FEW_KILL 10
/* Both divided by it with WN_FAST=1: how a file is written does not depend on the
 * compiler.  By 2 without WN_LONG=2. */
#define FAST 5

static long n_records = N_RECORDS, n_columns = N_COLUMNS;

static const struct wn_output_var vars[] = {
    {"plain", "1", "index", NULL, NULL, WN_OUT_DOUBLE, 1, {"record"}, 1, 0},
    {"wide", "1", "index", NULL, NULL, WN_OUT_DOUBLE, 2, {"record", "column"}, 0, 0},
    {"count", "1", "index", NULL, NULL, WN_OUT_INT64, 1, {"record"}, 0, 0},
};

static int put_record(struct wn_output *o, long i)
{
  double row[N_WIDE];

  for (long j = 0; j < n_columns; j++)
    row[j] = (double)i + 1e-3 * (double)j;
  WN_TRY(wn_output_put(o, "plain", i, row));
  WN_TRY(wn_output_put(o, "plain_error", i, row));
  WN_TRY(wn_output_put(o, "wide", i, row));
  return wn_output_put_int(o, "count", i, (const long long[]){i});
}

/* Writes records for ever, as far as it gets; says in the pipe which are on disk. */
static void writer(int to)
{
  struct wn_output *o;

  if (wn_output_create(PATH, &o) || wn_output_dim(o, "record", (size_t)n_records) ||
      wn_output_dim(o, "column", (size_t)n_columns) || wn_output_define(o, &vars[0]) ||
      wn_output_define(o, &vars[1]) || wn_output_define(o, &vars[2]) ||
      wn_output_end_define(o))
    _exit(1);
  for (long i = 0; i < n_records; i++)
    if (put_record(o, i) || wn_output_sync(o) ||
        write(to, &i, sizeof i) != (ssize_t)sizeof i)
      _exit(2);
  for (;;)
    pause();
}

/* Start a writer, let it synchronise `first` records and then go on for wait_us, kill it.
 * Returns the index of the last record it said was synchronised, -1 when it failed. */
static long kill_writer(long first, long wait_us)
{
  int fd[2];
  long last = -1, i;

  if (pipe(fd) != 0)
    return -1;
  fflush(NULL);
  pid_t pid = fork();
  if (pid < 0)
    return -1;
  if (pid == 0) {
    close(fd[0]);
    writer(fd[1]);
  }
  close(fd[1]);
  while (last < first && read(fd[0], &i, sizeof i) == (ssize_t)sizeof i)
    last = i;
  if (last >= first) {
    const struct timespec wait = {0, 1000 * wait_us};
    nanosleep(&wait, NULL);
  }
  kill(pid, SIGKILL);
  while (read(fd[0], &i, sizeof i) == (ssize_t)sizeof i)
    last = i;
  close(fd[0]);
  int status;
  waitpid(pid, &status, 0);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL ? last : -1;
}

/* Records at the start of PART that are whole; -1 when it cannot be read. */
static long whole_records(void)
{
  static double plain[N_RECORDS], error[N_RECORDS], row[N_WIDE];
  static long long count[N_RECORDS];
  int nc, id[4];
  long n = -1;

  if (nc_open(PART, NC_NOWRITE, &nc) != NC_NOERR)
    return -1;
  if (nc_inq_varid(nc, "plain", &id[0]) || nc_inq_varid(nc, "plain_error", &id[1]) ||
      nc_inq_varid(nc, "count", &id[2]) || nc_inq_varid(nc, "wide", &id[3]) ||
      nc_get_var_double(nc, id[0], plain) || nc_get_var_double(nc, id[1], error) ||
      nc_get_var_longlong(nc, id[2], count))
    goto close_file;
  for (n = 0; n < n_records; n++) {
    const size_t start[2] = {(size_t)n, 0}, shape[2] = {1, (size_t)n_columns};
    if (plain[n] != (double)n || error[n] != (double)n || count[n] != n ||
        nc_get_vara_double(nc, id[3], start, shape, row) != NC_NOERR)
      break;
    long j = 0;
    while (j < n_columns && row[j] == (double)n + 1e-3 * (double)j)
      j++;
    if (j < n_columns)
      break;
  }

close_file:
  nc_close(nc);
  return n;
}

/* A writer that is killed when its header is not whole yet; how: as a run stops there. */
static void kill_early(void)
{
  struct wn_output *o;
  int status;
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    if (wn_output_create(PATH, &o) || wn_output_dim(o, "record", N_RECORDS) ||
        wn_output_define(o, &vars[0]))
      _exit(1);
    raise(SIGKILL);
    _exit(2);
  }
  waitpid(pid, &status, 0);
  ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL,
     "killed before its header is whole");
}

static int exists(const char *path)
{
  struct stat st;
  return stat(path, &st) == 0;
}

int main(void)
{
  struct wn_output *o;

  const int divide = command_fast()       ? FAST
                     : command_long() > 1 ? 1
                                          : 2,
            n_divided = N_DIVIDED / divide;
  plan(0);
  wn_log_set_level(
      WN_LOG_ERROR); /* the next writer warns of the part of the one before */
  remove(PATH);
  for (int k = 0; k < N_KILLS / divide; k++) {
    /* Spread over the first records and over the parts of one record. */
    long last = kill_writer(3 * k, 137 * k);
    long n = whole_records();
    ok(last >= 3 * k && n > last,
       "kill %d: synchronised up to record %ld, %ld records whole", k + 1, last, n);
  }
  int lost = 0;
  for (int k = 0; k < n_divided; k++) {
    long last = kill_writer(61 + k % 4, 20 * k);
    lost += last < 0 || whole_records() <= last;
  }
  is_int(lost, 0, "%d kills about record 63: how many lost a synchronised record",
         n_divided);
  n_records = N_FEW;
  n_columns = N_WIDE;
  lost = 0;
  for (int k = 0; k < N_FEW_KILL; k++) {
    const long last = kill_writer(5 * k, 311 * k);
    lost += last < 0 || whole_records() <= last;
  }
  is_int(lost, 0, "%d kills of few chunks: how many lost a synchronised record",
         N_FEW_KILL);
  n_records = N_RECORDS;
  n_columns = N_COLUMNS;
  lost = kill_writer(3, 0) < 3;
  is_int(lost, 0, "a last kill");
  ok(!exists(PATH), "nothing stands under the final name");
  const long before = whole_records();
  kill_early();
  is_int(whole_records(), before,
         "the .part of the run before is still there, and whole");
  remove(PART);
  kill_early();
  ok(!exists(PART) && exists(PART ".new"), "and no .part is made that cannot be read");

  is_int(wn_output_create(PATH, &o), WN_OK, "the next run takes the name again");
  is_int(wn_output_dim(o, "record", 1), WN_OK, "defines");
  is_int(wn_output_define(o, &vars[0]), WN_OK, "a variable");
  is_int(wn_output_end_define(o), WN_OK, "ends the definitions");
  is_int(wn_output_put(o, "plain", 0, (const double[]){0}), WN_OK, "writes");
  is_int(wn_output_close(o), WN_OK, "and closes");
  ok(exists(PATH) && !exists(PART) && !exists(PART ".new"),
     "its file has the final name, and nothing else is left");
  remove(PATH);
  return done();
}
