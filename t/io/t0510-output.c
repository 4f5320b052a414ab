/* t0510-output.c - defends: an output file holds what was put into it, with units, names,
 * errors linked to their quantities and provenance; it stands under its final name only
 * when whole; xarray opens it without a warning; a folder that is missing, a full disk
 * and a mistaken call each end in a status and a message, never in a crash. The numbers
 * are made up here and read back through netCDF itself. */
#include "src/io/output.h"

#include <errno.h>
#include <math.h>
#include <netcdf.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/version.h"
#include "src/config/config.h"
#include "src/run/provenance.h"
#include "t/tap/tap.h"

#define N_FIELDS    3
#define N_ENERGIES  4
#define N_PROCESSES 2
#define SEED        9223372036854775783ULL /* above 2^53: a double would round it */

static int exists(const char *path)
{
  struct stat st;
  return stat(path, &st) == 0;
}

/* A text attribute, malloc'd; NULL when there is none. */
static char *text_of(int nc, const char *var, const char *name)
{
  int id = NC_GLOBAL;
  size_t n;

  if ((var && nc_inq_varid(nc, var, &id) != NC_NOERR) ||
      nc_inq_attlen(nc, id, name, &n) != NC_NOERR)
    return NULL;
  char *s = calloc(n + 1, 1);
  if (s && nc_get_att_text(nc, id, name, s) != NC_NOERR) {
    free(s);
    return NULL;
  }
  return s;
}

static void is_attr(int nc, const char *var, const char *name, const char *want)
{
  char *got = text_of(nc, var, name);
  is_str(got, want, "%s:%s", var ? var : "", name);
  free(got);
}

static void has_in_attr(int nc, const char *name, const char *part)
{
  char *got = text_of(nc, NULL, name);
  if (!ok(got && strstr(got, part), ":%s holds \"%s\"", name, part))
    diag("  got %s", got ? got : "no such attribute");
  free(got);
}

static const struct wn_output_var vars[] = {
    {"electric_field",
     "V m-1",
     "electric field",
     NULL,
     NULL,
     WN_OUT_DOUBLE,
     1,
     {"field"},
     0,
     0},
    {"energy",
     "eV",
     "electron energy, bin centre",
     NULL,
     NULL,
     WN_OUT_DOUBLE,
     1,
     {"energy"},
     0,
     0},
    {"energy_bounds",
     "eV",
     "edges of the energy bins",
     NULL,
     NULL,
     WN_OUT_DOUBLE,
     2,
     {"energy", "bound"},
     0,
     0},
    {"process", NULL, "process", NULL, NULL, WN_OUT_STRING, 1, {"process"}, 0, 0},
    {"mean_energy",
     "eV",
     "mean electron energy",
     NULL,
     "averaged over the second half",
     WN_OUT_DOUBLE,
     1,
     {"field"},
     1,
     0},
    {"process_frequency",
     "s-1",
     "frequency of each process",
     NULL,
     NULL,
     WN_OUT_DOUBLE,
     2,
     {"field", "process"},
     1,
     0},
    {"gas_temperature",
     "K",
     "gas temperature",
     "air_temperature",
     NULL,
     WN_OUT_DOUBLE,
     0,
     {NULL},
     1,
     0},
    {"n_electrons",
     "1",
     "electrons at the end",
     NULL,
     NULL,
     WN_OUT_INT64,
     1,
     {"field"},
     0,
     0},
};

static int define_sample(struct wn_output *o)
{
  WN_TRY(wn_output_dim(o, "field", N_FIELDS));
  WN_TRY(wn_output_dim(o, "energy", N_ENERGIES));
  WN_TRY(wn_output_dim(o, "process", N_PROCESSES));
  WN_TRY(wn_output_dim(o, "bound", 2));
  for (size_t i = 0; i < sizeof vars / sizeof vars[0]; i++)
    WN_TRY(wn_output_define(o, &vars[i]));
  WN_TRY(wn_output_attr_text(o, "energy", "bounds", "energy_bounds"));
  WN_TRY(wn_output_attr_text(o, NULL, "title", "t0510: a sample"));
  WN_TRY(wn_output_attr_double(o, "mean_energy", "valid_range", 2,
                               (const double[]){0, 1e7}));
  return wn_output_end_define(o);
}

static int put_sample(struct wn_output *o)
{
  static const char *const names[N_PROCESSES] = {
      "N2 elastic", "N2 ionization 15.58 eV \xe2\x86\x92 N2+"};
  const double bounds[] = {1, 2, 2, 4, 4, 8, 8, 16};

  WN_TRY(wn_output_put(o, "electric_field", -1, (const double[]){1e5, 2e5, 3e5}));
  WN_TRY(wn_output_put(o, "energy", -1, (const double[]){1.5, 3, 6, 12}));
  WN_TRY(wn_output_put(o, "energy_bounds", -1, bounds));
  WN_TRY(wn_output_put_string(o, "process", -1, names));
  WN_TRY(wn_output_put(o, "gas_temperature", -1, (const double[]){293.15}));
  for (long i = 0; i < N_FIELDS - 1; i++) { /* the last record stays unwritten */
    WN_TRY(wn_output_put(o, "mean_energy", i, (const double[]){4.5 + (double)i}));
    WN_TRY(wn_output_put(o, "mean_energy_error", i, (const double[]){0.25}));
    WN_TRY(wn_output_put(o, "process_frequency", i,
                         (const double[]){1e12, 1e9 * (double)(i + 1)}));
    WN_TRY(wn_output_put_int(o, "n_electrons", i,
                             (const long long[]){9007199254740993LL + i}));
    WN_TRY(wn_output_sync(o));
  }
  return WN_OK;
}

/* Every variable says what it is; everything but strings and labels has units. */
static void check_described(int nc)
{
  int n = 0, missing = 0;

  nc_inq_nvars(nc, &n);
  for (int i = 0; i < n; i++) {
    char name[NC_MAX_NAME + 1] = "";
    nc_type type = NC_NAT;
    nc_inq_var(nc, i, name, &type, NULL, NULL, NULL);
    char *units = text_of(nc, name, "units"), *long_name = text_of(nc, name, "long_name");
    if (long_name == NULL || (type != NC_STRING && units == NULL)) {
      diag("variable %s lacks units or long_name", name);
      missing++;
    }
    free(units);
    free(long_name);
  }
  is_int(n, 11, "variables, errors among them");
  is_int(missing, 0, "variables without units or long_name");
}

static void check_values(int nc)
{
  double x[N_FIELDS * N_PROCESSES] = {0}, fill = 0;
  long long n[N_FIELDS] = {0};
  char *names[N_PROCESSES] = {NULL};
  int id, no_fill;

  nc_inq_varid(nc, "mean_energy", &id);
  nc_get_var_double(nc, id, x);
  is_close(x[0], 4.5, 0, "mean energy, record 0");
  is_close(x[1], 5.5, 0, "mean energy, record 1");
  ok(isnan(x[2]), "a record that was never put is NaN, got %g", x[2]);
  ok(nc_get_att_double(nc, id, "_FillValue", &fill) == NC_NOERR && isnan(fill),
     "_FillValue is NaN");
  nc_inq_varid(nc, "process_frequency", &id);
  nc_get_var_double(nc, id, x);
  is_close(x[3], 2e9, 0, "frequency of process 1 in record 1");
  nc_inq_varid(nc, "process_frequency_error", &id);
  nc_get_var_double(nc, id, x);
  ok(isnan(x[0]), "errors never put are NaN, not 0");
  nc_inq_varid(nc, "gas_temperature", &id);
  nc_get_var_double(nc, id, x);
  is_close(x[0], 293.15, 0, "scalar");
  nc_inq_varid(nc, "n_electrons", &id);
  nc_get_var_longlong(nc, id, n);
  is_int(n[1], 9007199254740994LL, "integers keep all digits");
  nc_inq_varid(nc, "process", &id);
  nc_get_var_string(nc, id, names);
  is_str(names[1], "N2 ionization 15.58 eV \xe2\x86\x92 N2+", "names, UTF-8 in them");
  nc_free_string(N_PROCESSES, names);
  nc_inq_varid(nc, "energy", &id);
  ok(nc_inq_attid(nc, id, "_FillValue", &no_fill) == NC_ENOTATT,
     "a coordinate has no _FillValue");
}

static void test_round_trip(void)
{
  struct wn_output *o = NULL;
  int nc;

  remove("t0510.nc");
  if (!is_int(wn_output_create("t0510.nc", &o), WN_OK, "create"))
    return;
  is_int(define_sample(o), WN_OK, "define");
  is_int(put_sample(o), WN_OK, "put");
  ok(!exists("t0510.nc") && exists("t0510.nc.part"),
     "before close only t0510.nc.part stands");

  struct wn_output *second = NULL;
  is_int(wn_output_create("t0510.nc", &second), WN_EIO,
         "a second run cannot take the same file");

  is_int(wn_output_put(o, "mean_enrgy", 0, (const double[]){0}), WN_EINTERN,
         "unknown variable");
  is_int(wn_output_put(o, "mean_energy", N_FIELDS, (const double[]){0}), WN_EINTERN,
         "record past the end");
  is_int(wn_output_put(o, "n_electrons", 0, (const double[]){0}), WN_EINTERN,
         "wrong type");
  is_int(wn_output_put(o, "gas_temperature", 0, (const double[]){0}), WN_EINTERN,
         "record of a scalar");

  is_int(wn_output_close(o), WN_OK, "close");
  ok(exists("t0510.nc") && !exists("t0510.nc.part"), "after close only t0510.nc stands");

  if (!is_int(nc_open("t0510.nc", NC_NOWRITE, &nc), NC_NOERR, "netCDF opens it"))
    return;
  check_described(nc);
  check_values(nc);
  is_attr(nc, "mean_energy", "units", "eV");
  is_attr(nc, "mean_energy", "comment", "averaged over the second half");
  is_attr(nc, "mean_energy", "ancillary_variables", "mean_energy_error");
  is_attr(nc, "mean_energy", "standard_name", NULL);
  is_attr(nc, "mean_energy_error", "units", "eV");
  is_attr(nc, "mean_energy_error", "long_name", "standard error of mean electron energy");
  is_attr(nc, "gas_temperature_error", "standard_name", "air_temperature standard_error");
  is_attr(nc, "energy", "bounds", "energy_bounds");
  is_attr(nc, NULL, "title", "t0510: a sample");
  nc_close(nc);
}

/* 4096 fields of 256 bins: compressed, one chunk a record. */
static void test_compressed(void)
{
  enum { N = 4096, M = 256 };
  static const struct wn_output_var big = {
      "f",           "eV-3/2", "distribution",      NULL, NULL,
      WN_OUT_DOUBLE, 2,        {"field", "energy"}, 0,    0};
  static double row[M], all[N][M];
  struct wn_output *o = NULL;
  int nc, id, storage = 0, deflate = 0, wrong = 0;
  size_t chunk[2] = {0, 0};

  is_int(wn_output_create("t0510-big.nc", &o), WN_OK, "create a big file");
  int status = wn_output_dim(o, "field", N);
  if (status == WN_OK)
    status = wn_output_dim(o, "energy", M);
  if (status == WN_OK)
    status = wn_output_define(o, &big);
  if (status == WN_OK)
    status = wn_output_end_define(o);
  for (long i = 0; i < N - 1 && status == WN_OK; i++) {
    for (int j = 0; j < M; j++)
      row[j] = (double)i + 1e-3 * j;
    status = wn_output_put(o, "f", i, row);
  }
  is_int(status, WN_OK, "write it");
  is_int(wn_output_close(o), WN_OK, "close it");
  if (!is_int(nc_open("t0510-big.nc", NC_NOWRITE, &nc), NC_NOERR, "open it"))
    return;
  nc_inq_varid(nc, "f", &id);
  nc_inq_var_chunking(nc, id, &storage, chunk);
  nc_inq_var_deflate(nc, id, NULL, &deflate, NULL);
  ok(storage == NC_CHUNKED && chunk[0] == 1 && chunk[1] == M && deflate,
     "compressed, a chunk is a record");
  nc_get_var_double(nc, id, &all[0][0]);
  for (int i = 0; i < N - 1; i++)
    for (int j = 0; j < M; j++)
      wrong += all[i][j] != (double)i + 1e-3 * j;
  is_int(wrong, 0, "numbers that differ from what was put");
  ok(isnan(all[N - 1][0]) && isnan(all[N - 1][M - 1]), "the record never put is NaN");
  nc_close(nc);
}

/* Maps, fewer than an index of chunks has room for: only the first is there before it is written, others are read as
 * missing, and very large ones are not compressed. */
static void test_maps(size_t records, size_t numbers, int is_compressed)
{
  static const struct wn_output_var map = {
      "m", "V", "map", NULL, NULL, WN_OUT_DOUBLE, 2, {"time", "node"}, 0, 0};
  const char *path = "t0510-maps.nc";
  struct wn_output *o = NULL;
  struct stat st;
  int nc, id, storage = 0, deflate = 0;
  size_t chunk[2] = {0, 0}, wrong = 0, missing = 0;
  double *row = calloc(numbers, sizeof *row);
  is_int(wn_output_create(path, &o), WN_OK, "create maps");
  int status = wn_output_dim(o, "time", records);
  if (status == WN_OK)
    status = wn_output_dim(o, "node", numbers);
  if (status == WN_OK)
    status = wn_output_define(o, &map);
  if (status == WN_OK)
    status = wn_output_end_define(o);
  const double bytes = stat("t0510-maps.nc.part", &st) == 0 ? (double)st.st_size : NAN;
  ok(status == WN_OK && bytes > 1e3 && bytes < 8.0 * (double)numbers + 1e5,
     "%zu maps of %zu numbers: %.0f bytes before the first", records, numbers, bytes);
  for (size_t i = 0; row != NULL && i < numbers; i++)
    row[i] = (double)(i * i % 1009);
  for (size_t k = 1; k < records && status == WN_OK; k += 2)
    status = wn_output_put(o, "m", (long)k, row);
  is_int(status, WN_OK, "write every second one");
  is_int(wn_output_close(o), WN_OK, "close them");
  if (!is_int(nc_open(path, NC_NOWRITE, &nc), NC_NOERR, "open them"))
    return;
  nc_inq_varid(nc, "m", &id);
  nc_inq_var_chunking(nc, id, &storage, chunk);
  nc_inq_var_deflate(nc, id, NULL, &deflate, NULL);
  ok(storage == NC_CHUNKED && chunk[0] == 1 && chunk[1] == numbers &&
         deflate == is_compressed,
     "a chunk is a map, %scompressed", is_compressed ? "" : "not ");
  for (size_t k = 0; k < records; k++) {
    const size_t start[2] = {k, 0}, count[2] = {1, numbers};
    nc_get_vara_double(nc, id, start, count, row);
    for (size_t i = 0; i < numbers; i++) {
      missing += isnan(row[i]);
      wrong += k % 2 == 0 ? !isnan(row[i]) : row[i] != (double)(i * i % 1009);
    }
  }
  ok(wrong == 0 && missing == (records + 1) / 2 * numbers,
     "all numbers are those that were put, %zu are missing", missing);
  nc_close(nc);
  remove(path);
  free(row);
}

/* Times that are an axis, of which a run that ended early has written one, and coordinates beside them. */
static void test_coordinates(void)
{
  static const struct wn_output_var of_times[] = {
      {WN_VAR("time", "s", "time"), WN_DIMS("time")},
      {WN_VAR("field_of", "Td", "field"), WN_DIMS("time"), .is_coordinate = 1},
      {.name = "label",
       .long_name = "label",
       .type = WN_OUT_STRING,
       WN_DIMS("species"),
       .is_coordinate = 1},
      {WN_VAR("f", "eV-3/2", "distribution"), WN_DIMS("species", "time"),
       .with_error = 1},
      {WN_VAR("g", "Hx", "number"), WN_DIMS("time")},
      {WN_VAR("h", "m", "number")}};
  struct wn_output *o = NULL;
  double at = 1.5, times[3] = {0};
  int nc, id, has_fill = 1;

  int status = wn_output_create("t0510-axis.nc", &o);
  if (status == WN_OK)
    status = wn_output_dim(o, "time", 3);
  if (status == WN_OK)
    status = wn_output_dim(o, "species", 2);
  if (status == WN_OK)
    status = wn_output_define_all(o, of_times, 6);
  if (status == WN_OK)
    status = wn_output_end_define(o);
  if (status == WN_OK)
    status = wn_output_put(o, "time", 0, &at);
  is_int(status, WN_OK, "a time is written");
  wn_output_discard(o);
  if (!is_int(nc_open("t0510-axis.nc.part", NC_NOWRITE, &nc), NC_NOERR, "open its part"))
    return;
  nc_inq_varid(nc, "time", &id);
  nc_get_var_double(nc, id, times);
  has_fill = nc_inq_attid(nc, id, "_FillValue", &(int){0}) == NC_NOERR;
  ok(times[0] == 1.5 && isnan(times[1]) && isnan(times[2]) && !has_fill,
     "times not reached are NaN, and an axis has no fill value");
  is_attr(nc, "f", "coordinates", "field_of label");
  is_attr(nc, "f_error", "coordinates", "field_of label");
  is_attr(nc, "g", "coordinates", "field_of");
  char *none = text_of(nc, "h", "coordinates"),
       *of_axis = text_of(nc, "time", "coordinates"),
       *of_label = text_of(nc, "label", "coordinates"),
       *units = text_of(nc, "f", "units");
  ok(none == NULL && of_axis == NULL && of_label == NULL,
     "what has none of their dimensions has no coordinates, nor have axes and labels");
  is_attr(nc, "field_of", "units", "1e-21 V m2");
  is_attr(nc, "field_of", "usual_unit", "Td");
  is_attr(nc, "g", "units", "1e-27 T m3");
  is_attr(nc, "g", "usual_unit", "Hx");
  is_attr(nc, "f_error", "usual_unit", "eV-3/2");
  ok(units == NULL, "and no units, which UDUNITS would read as another power");
  free(none);
  free(of_axis);
  free(of_label);
  free(units);
  nc_close(nc);
  remove("t0510-axis.nc.part");
}

static void test_refused(void)
{
  struct wn_output *o = NULL;

  is_int(wn_output_create("t0510-no-such-folder/x.nc", &o), WN_EIO, "missing folder");
  mkdir("t0510-folder.nc", 0777);
  is_int(wn_output_create("t0510-folder.nc", &o), WN_EIO, "the path is a folder");
  ok(!exists("t0510-folder.nc.part"), "nothing is left beside it");
  rmdir("t0510-folder.nc");
  is_int(wn_output_create("", &o), WN_EIO, "empty path");
  is_int(wn_output_create("/dev/null/x.nc", &o), WN_EIO, "a folder that is none");
  ok(o == NULL, "no output is handed out on failure");
}

static void test_discard(void)
{
  struct wn_output *o = NULL;
  int nc;

  wn_output_create("t0510-d.nc", &o);
  is_int(define_sample(o), WN_OK, "define, then discard");
  wn_output_put(o, "electric_field", -1, (const double[]){1, 2, 3});
  wn_output_discard(o);
  ok(!exists("t0510-d.nc") && !exists("t0510-d.nc.part"),
     "without a record nothing is left");

  wn_output_create("t0510-d.nc", &o);
  define_sample(o);
  is_int(put_sample(o), WN_OK, "write records, then discard");
  wn_output_discard(o);
  ok(!exists("t0510-d.nc") && exists("t0510-d.nc.part"), "with records the part is left");
  is_int(nc_open("t0510-d.nc.part", NC_NOWRITE, &nc), NC_NOERR, "and opens");
  nc_close(nc);
  remove("t0510-d.nc.part");
}

/* Write records of 64 KiB of noise (it does not compress) until a write fails.  Returns
 * the records synchronised, or -1 when something did not go as promised. */
static int fill_disk(const char *path, int n_records)
{
  enum { M = 8192 };
  static const struct wn_output_var v[] = {
      {"contiguous", "1", "small", NULL, NULL, WN_OUT_DOUBLE, 1, {"record"}, 0, 0},
      {"noise", "1", "noise", NULL, NULL, WN_OUT_DOUBLE, 2, {"record", "column"}, 0, 0},
  };
  static double row[M];
  struct wn_output *o;
  int status, n = 0;

  if (wn_output_create(path, &o) != WN_OK)
    return -1;
  if (wn_output_dim(o, "record", (size_t)n_records) || wn_output_dim(o, "column", M) ||
      wn_output_define(o, &v[0]) || wn_output_define(o, &v[1]) || wn_output_end_define(o))
    return -1;
  for (status = WN_OK; status == WN_OK && n < n_records; n += status == WN_OK) {
    for (int j = 0; j < M; j++)
      row[j] = ((double)rand() / RAND_MAX - 0.5) * exp(rand() % 1000);
    status = wn_output_put(o, "contiguous", n, (const double[]){(double)n});
    if (status == WN_OK)
      status = wn_output_put(o, "noise", n, row);
    if (status == WN_OK)
      status = wn_output_sync(o);
  }
  if (status != WN_EIO || wn_output_close(o) != WN_EIO || exists(path))
    return -1;
  return n;
}

/* In a child, with its messages in t0510-full.err: the status is the number of records
 * that were synchronised. */
static void check_full(const char *what, int status, const char *part, const char *cause)
{
  char err[8192] = "";
  FILE *f = fopen("t0510-full.err", "r");
  if (f != NULL) {
    err[fread(err, 1, sizeof err - 1, f)] = '\0';
    fclose(f);
  }
  if (!ok(WIFEXITED(status) && WEXITSTATUS(status) >= 2 && WEXITSTATUS(status) < 100,
          "%s: a status and no crash, after at least two records", what))
    diag("wait status %#x", (unsigned)status);
  if (!ok(strstr(err, part) && strstr(err, cause),
          "%s: the message names the file and \"%s\"", what, cause))
    diag("%s", err);
  if (!ok(!strstr(err, "HDF5-DIAG") && !strstr(err, "infinite loop"),
          "%s: HDF5 itself stays silent", what))
    diag("%s", err);
}

/* The synchronised records must be in the part. */
static int count_records(const char *part)
{
  double c[200];
  int nc, id, n = 0;

  if (nc_open(part, NC_NOWRITE, &nc) != NC_NOERR)
    return -1;
  if (nc_inq_varid(nc, "contiguous", &id) != NC_NOERR ||
      nc_get_var_double(nc, id, c) != NC_NOERR)
    return -1;
  nc_inq_varid(nc, "noise", &id);
  for (; n < 200 && c[n] == n; n++) {
    size_t start[2] = {(size_t)n, 0}, count[2] = {1, 1};
    double x;
    if (nc_get_vara_double(nc, id, start, count, &x) != NC_NOERR || isnan(x))
      break;
  }
  nc_close(nc);
  return n;
}

static void test_file_limit(void)
{
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    const struct rlimit limit = {1 << 20, 1 << 20};
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0 || !freopen("t0510-full.err", "w", stderr))
      _exit(100);
    exit(fill_disk("t0510-full.nc", 200)); /* exit, not _exit: HDF5 cleans up at exit */
  }
  int status = -1;
  waitpid(pid, &status, 0);
  check_full("file limit", status, "t0510-full.nc.part", strerror(EFBIG));
  remove("t0510-full.nc.part");
}

/* A full disk: a tmpfs of 1 MiB in a mount namespace of the child. */
static void test_full_disk(void)
{
  int pipe_fd[2], n = -2;

  mkdir("t0510-tmpfs", 0777);
  if (pipe(pipe_fd) != 0) {
    skip(4, "no pipe: %s", strerror(errno));
    return;
  }
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    int flags = CLONE_NEWNS | (geteuid() == 0 ? 0 : CLONE_NEWUSER);
    if (unshare(flags) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("tmpfs", "t0510-tmpfs", "tmpfs", 0, "size=1m") != 0)
      _exit(101);
    if (!freopen("t0510-full.err", "w", stderr))
      _exit(100);
    int done_records = fill_disk("t0510-tmpfs/full.nc", 200);
    n = count_records("t0510-tmpfs/full.nc.part");
    if (write(pipe_fd[1], &n, sizeof n) != (ssize_t)sizeof n)
      _exit(100);
    exit(done_records);
  }
  int status = -1;
  close(pipe_fd[1]);
  if (read(pipe_fd[0], &n, sizeof n) != (ssize_t)sizeof n)
    n = -2;
  close(pipe_fd[0]);
  waitpid(pid, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 101) {
    skip(4, "cannot mount a tmpfs here");
  } else {
    check_full("full disk", status, "t0510-tmpfs/full.nc.part", strerror(ENOSPC));
    ok(n >= WEXITSTATUS(status),
       "full disk: %d of %d synchronised records are in the part", n,
       WEXITSTATUS(status));
  }
  rmdir("t0510-tmpfs");
  remove("t0510-full.err");
}

/* Without files. */
static int scenario(struct wn_config **c)
{
  FILE *f = fopen("t0510.cfg", "w");
  if (f == NULL)
    return WN_EIO;
  fprintf(f,
          "title = \"t0510 provenance\";\nseed = %lluL;\nfields = [\"1 Td\"];\n"
          "gas = { components = { N2 = { file = \"builtin:air\"; }; }; };\n",
          SEED);
  fclose(f);
  return wn_config_read("t0510.cfg", 0, NULL, c);
}

static void test_provenance(void)
{
  char program[] = "wilson", run[] = "run", file[] = "it's here.cfg",
       set[] = "fields=\"120 Td\"", bad[] = "\xff\x01";
  char *const argv[] = {program, run, file, set, bad, NULL};
  const char *const sources[] = {"N2.txt 0123456789abcdef", "O2.txt fedcba9876543210"};
  struct wn_config *c = NULL;
  struct wn_output *o = NULL;
  char seed[32];
  int nc;

  if (!is_int(scenario(&c), WN_OK, "read a scenario"))
    return;
  is_int(wn_output_create("t0510-p.nc", &o), WN_OK, "create for provenance");
  int status = wn_provenance_write(o, c, "a processor, 1 thread", 5, argv, 2, sources);
  is_int(status, WN_OK, "write provenance");
  /* More than the 64 KiB that fit an HDF5 object header: a long scenario. */
  char *long_text = malloc(200001);
  if (long_text == NULL)
    exit(1);
  memset(long_text, 'x', 200000);
  long_text[200000] = '\0';
  is_int(wn_output_attr_text(o, NULL, "long", long_text), WN_OK,
         "an attribute of 200 kB");
  free(long_text);
  is_int(wn_output_end_define(o), WN_OK, "end of the header");
  is_int(wn_output_close(o), WN_OK, "close");
  if (!is_int(nc_open("t0510-p.nc", NC_NOWRITE, &nc), NC_NOERR, "open"))
    return;

  is_attr(nc, NULL, "Conventions", "CF-1.10");
  is_attr(nc, NULL, "title", "t0510 provenance");
  has_in_attr(nc, "source", "Wilson ");
  has_in_attr(nc, "source", wn_version());
  has_in_attr(nc, "source", wn_version_git());
  has_in_attr(nc, "history",
              "Z: wilson run 'it'\\''s here.cfg' 'fields=\"120 Td\"' '?\?'");
  has_in_attr(nc, "build", wn_version_build());
  has_in_attr(nc, "libraries", "netCDF 4.");
  has_in_attr(nc, "cross_section_sources",
              "N2.txt 0123456789abcdef\nO2.txt fedcba9876543210");
  has_in_attr(nc, "hardware", "processor");
  has_in_attr(nc, "hardware", "thread");
  char *text = wn_config_text(c);
  is_attr(nc, NULL, "scenario", text);
  free(text);
  snprintf(seed, sizeof seed, "%llu", SEED);
  is_attr(nc, NULL, "seed", seed);
  char *date = text_of(nc, NULL, "date_created");
  int y, mo, d, h, mi, s, n = 0;
  ok(date &&
         sscanf(date, "%4d-%2d-%2dT%2d:%2d:%2dZ%n", &y, &mo, &d, &h, &mi, &s, &n) == 6 &&
         n == 20 && !date[n],
     "date_created is ISO 8601 in UTC: %s", date ? date : "none");
  free(date);
  size_t len = 0;
  nc_inq_attlen(nc, NC_GLOBAL, "long", &len);
  is_int((long long)len, 200000, "the long attribute came back");
  nc_close(nc);

  is_int(wn_output_create("t0510-p.nc", &o), WN_OK, "create again over a finished file");
  is_int(wn_provenance_write(o, c, NULL, 0, NULL, 0, NULL), WN_OK,
         "no command line, no sources");
  wn_output_discard(o);
  ok(exists("t0510-p.nc") && !exists("t0510-p.nc.part"),
     "a discarded run leaves the earlier result alone");
  wn_config_free(c);
  remove("t0510-p.nc");
  remove("t0510.cfg");
}

/* Which Python has xarray: $WN_PYTHON, the system's, the one on PATH. */
static const char *find_python(void)
{
  const char *const try[] = {getenv("WN_PYTHON"), "/usr/bin/python3", "python3"};
  char command[512];

  for (size_t i = 0; i < 3; i++) {
    if (!try[i] || !*try[i])
      continue;
    snprintf(command, sizeof command, "'%s' -c 'import xarray, netCDF4' >/dev/null 2>&1",
             try[i]);
    if (system(command) == 0)
      return try[i];
  }
  return NULL;
}

static void test_xarray(void)
{
  const char *python = find_python();
  char command[2048];

  if (python == NULL) {
    skip(1, "no Python with xarray and netCDF4 (set WN_PYTHON)");
    return;
  }
  snprintf(command, sizeof command,
           "'%s' -c 'import warnings, xarray, netCDF4\nwarnings.simplefilter(\"error\"); "
           "d = xarray.open_dataset(\"t0510.nc\");\n"
           "assert float(d.mean_energy[1]) == 5.5; assert d.energy.attrs[\"units\"] == "
           "\"eV\"\n"
           "assert \"energy\" in d.coords and \"process\" in d.coords\n"
           "assert str(d.process.values[0]) == \"N2 elastic\"; assert "
           "d.n_electrons.dtype == \"int64\"' 1>&2",
           python);
  ok(system(command) == 0,
     "xarray opens it without a warning and finds values, coordinates and names");
}

int main(void)
{
  plan(0);
  ok(strncmp(wn_output_library(), "netCDF 4.", 9) == 0, "library: %s",
     wn_output_library());
  test_round_trip();
  test_xarray();
  test_compressed();
  test_maps(40, 32768, 1);
  test_maps(2, ((size_t)1 << 25) + 1, 0);
  test_coordinates();
  test_refused();
  test_discard();
  test_file_limit();
  test_full_disk();
  test_provenance();
  remove("t0510.nc");
  remove("t0510-big.nc");
  return done();
}
