/* t0543-hostile-results.c - defends: a result file with contents that no run
 * writes is shown or refused, never obeyed.  Control characters in its texts reach
 * neither a table nor a terminal; an attribute of another type or length, a variable
 * longer than any memory, a scenario that closes groups it never opened, a text that
 * is none are refused or taken for absent.  Each was found by t/fuzz/run (result,
 * part) or by reading, and most of them crashed.  The texts are made up
 * here; a table with plain ones is the reference. */
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/clean.h"
#include "base/error.h"
#include "src/config/same_scenario.h"
#include "src/io/output.h"
#include "src/io/output_path.h"
#include "src/io/particle_file.h"
#include "src/io/result_file.h"
#include "src/results/table.h"
#include "t/tap/capture.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0543-hostile.tmp.nc"
#define GOING     "t0543-hostile-going.tmp.nc"
#define N_FIELDS  2
#define EVIL      "N2\n\033[31m\r\177\302\233 ionization \"N2+\"\n999,1"
#define SHOWN     "N2\\x0a\\x1b[31m\\x0d\\x7f\\xc2\\x9b"

static int failed; /* calls of netCDF */

static void nc(int status)
{
  if (status != NC_NOERR)
    diag("netCDF: %s", nc_strerror(status));
  failed += status != NC_NOERR;
}

static void put_text(int file, int var, const char *name, const char *text)
{
  nc(nc_put_att_text(file, var, name, strlen(text), text));
}

/* ---- tables */

/* n: as many as the first dimension has. */
static int put_numbers(int file, const char *name, int rank, const int *dims, size_t n,
                       double x)
{
  const size_t zero[] = {0, 0}, all[] = {n, 1};
  const double numbers[N_FIELDS] = {x, 2.0 * x};
  int var;
  nc(nc_def_var(file, name, NC_DOUBLE, rank, dims, &var));
  nc(nc_put_vara_double(file, var, zero, all, numbers));
  return var;
}

/* A swarm of two fields with one process; text: what stands wherever a text stands. */
static void write_swarm(const char *text, int with_scan)
{
  static const char *const attributes[] = {"title", "date_created", "seed",
                                           "cross_section_sources", "scenario"};
  const size_t zero = 0, one = 1, two = N_FIELDS;
  const char *const texts[] = {text, text};
  const double fraction = 1.0;
  char source[200];
  int file, dims[2], var;
  nc(nc_create(FILE_NAME, NC_CLOBBER | NC_NETCDF4, &file));
  nc(nc_def_dim(file, "field", N_FIELDS, &dims[0]));
  nc(nc_def_dim(file, "process", 1, &dims[1]));
  for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++)
    put_text(file, NC_GLOBAL, attributes[i], text);
  snprintf(source, sizeof source, "Wilson %s", text);
  put_text(file, NC_GLOBAL, "source", source);
  nc(nc_def_var(file, "process_name", NC_STRING, 1, &dims[1], &var));
  nc(nc_put_vara_string(file, var, &zero, &one, (const char **)(uintptr_t)texts));
  put_numbers(file, "reduced_electric_field", 1, dims, N_FIELDS, 10.0);
  put_numbers(file, "mean_energy", 1, dims, N_FIELDS, 1.0);
  put_numbers(file, "gas_number_density", with_scan, dims, N_FIELDS, 2.5e25);
  var = put_numbers(file, "process_threshold", 1, &dims[1], 1, 15.6);
  nc(nc_put_att_double(file, var, "target_fraction", NC_DOUBLE, 1, &fraction));
  put_numbers(file, "process_frequency", 2, dims, N_FIELDS, 1e9);
  put_numbers(file, "drift_velocity_flux", 1, dims, N_FIELDS, 1e4);
  if (with_scan) { /* one over words, one over numbers: each point has one field */
    nc(nc_def_var(file, "scan_words", NC_STRING, 1, dims, &var));
    nc(nc_put_vara_string(file, var, &zero, &two, (const char **)(uintptr_t)texts));
    put_text(file, var, "key", text);
    var = put_numbers(file, "scan_T", 1, dims, N_FIELDS, 300.0);
    put_text(file, var, "key", text);
    put_text(file, var, "units", text);
  }
  nc(nc_close(file));
}

static char *table_of(enum wn_table_format format)
{
  struct wn_tables all;
  char *text = NULL;
  size_t n;
  if (wn_tables_read(FILE_NAME, &all) != WN_OK)
    return NULL;
  FILE *to = open_memstream(&text, &n);
  const int status =
      to != NULL && all.n == 1 ? wn_table_write(all.t[0], format, to) : WN_EINTERN;
  if (to != NULL)
    fclose(to);
  wn_tables_free(&all);
  if (status == WN_OK)
    return text;
  free(text);
  return NULL;
}

static size_t lines_of(const char *text, int comments)
{
  size_t n = 0;
  for (const char *at = text; *at != '\0'; at += strcspn(at, "\n"), at += *at == '\n')
    n += (*at == '#') == comments;
  return n;
}

static int is_plain(const char *text, const char *allowed)
{
  for (const char *s = text; *s != '\0'; s++)
    if ((((unsigned char)*s < 0x20 || *s == 0x7f) && strchr(allowed, *s) == NULL) ||
        ((unsigned char)s[0] == 0xc2 && (unsigned char)s[1] < 0xa0))
      return 0;
  return 1;
}

static void check_table(enum wn_table_format format, int with_scan)
{
  const char *name = wn_table_format_name[format], *of = with_scan ? ", a scan" : "";
  write_swarm("N2 ionization", with_scan);
  char *want = table_of(format);
  write_swarm(EVIL, with_scan);
  char *got = table_of(format);
  if (!ok(want != NULL && got != NULL, "%s%s: tables are written", name, of)) {
    skip(3, "no table");
  } else {
    ok(is_plain(got, format == WN_TABLE_BOLSIG ? "\n\t" : "\n"),
       "%s%s: no control character", name, of);
    is_int((long long)lines_of(got, 0), (long long)lines_of(want, 0),
           "%s%s: as many lines that are no comments", name, of);
    ok(strstr(got, SHOWN) != NULL, "%s%s: what it was is shown", name, of);
  }
  free(want);
  free(got);
}

static void check_clean(void)
{
  char *all = wn_clean_dup("a\tb\n\033\177\302\233\302\240\377 µ", ""),
       *lines = wn_clean_dup("a\nb\033", "\n"), *none = wn_clean_dup("", "");
  is_str(all, "a\\x09b\\x0a\\x1b\\x7f\\xc2\\x9b\302\240\377 µ", "orders are shown");
  is_str(lines, "a\nb\\x1b", "what is to stay stays");
  is_str(none, "", "no text");
  free(all);
  free(lines);
  free(none);
}

/* ---- lengths */

/* Two dimensions whose product is 0 modulo 2^64: once as many numbers as are expected
 * of no field. */
static void check_endless(void)
{
  const size_t chunk[] = {1, 1};
  struct wn_result_file *f;
  double *x = NULL;
  int file, dims[2], var;
  nc(nc_create(FILE_NAME, NC_CLOBBER | NC_NETCDF4, &file));
  nc(nc_def_dim(file, "a", (size_t)1 << 32, &dims[0]));
  nc(nc_def_dim(file, "b", (size_t)1 << 32, &dims[1]));
  put_text(file, NC_GLOBAL, "source", "Wilson 0");
  nc(nc_def_var(file, "mean_energy", NC_DOUBLE, 2, dims, &var));
  nc(nc_def_var_chunking(file, var, NC_CHUNKED, chunk));
  nc(nc_close(file));
  capture();
  const int is_open = wn_result_open(FILE_NAME, &f) == WN_OK,
            status = is_open ? wn_result_doubles(f, "mean_energy", 0, &x) : WN_EIO;
  char *said = captured();
  is_int(status, WN_EINPUT, "more numbers than can be counted are not none");
  ok(strstr(said, "variable `mean_energy`") != NULL, "and the variable is named");
  if (is_open)
    wn_result_close(f);
  free(x);
}

/* So many particles that three numbers of each are 2 modulo 2^64. */
static void check_particles(void)
{
  static const char *const names[] = {"position", "velocity"};
  const size_t chunk[] = {1, 1}, many = (size_t)-1 / 3 + 1, last[] = {many - 1, 0};
  const double one = 1.0;
  struct wn_particle_file p;
  int file, dims[2], var;
  nc(nc_create(FILE_NAME, NC_CLOBBER | NC_NETCDF4, &file));
  nc(nc_def_dim(file, "particle", NC_UNLIMITED, &dims[0]));
  nc(nc_def_dim(file, "axis", 3, &dims[1]));
  for (int i = 0; i < 2; i++) {
    nc(nc_def_var(file, names[i], NC_DOUBLE, 2, dims, &var));
    nc(nc_def_var_chunking(file, var, NC_CHUNKED, chunk));
    nc(nc_put_var1_double(file, var, last, &one));
  }
  nc(nc_close(file));
  capture();
  const int status = wn_particle_file_read(FILE_NAME, 3, 3, &p);
  char *said = captured();
  ok(status != WN_OK, "more particles than there are numbers for are refused");
  ok(strstr(said, "position") != NULL || strstr(said, "out of memory") != NULL,
     "with a message: %s", said);
}

/* Of no dimension: its length was that of whatever dimension stood there. */
static void check_no_particles(void)
{
  int file, dim, var;
  nc(nc_create(FILE_NAME, NC_CLOBBER | NC_NETCDF4, &file));
  nc(nc_def_dim(file, "a", 7, &dim));
  nc(nc_def_var(file, "position", NC_DOUBLE, 0, NULL, &var));
  nc(nc_close(file));
  is_int((long long)wn_particle_file_count(FILE_NAME), 0,
         "a position without dimensions is of no particles");
}

/* ---- what a run goes on from */

static void write_attributes(size_t n_complete, const char *scenario)
{
  double numbers[100];
  int file;
  for (size_t i = 0; i < 100; i++)
    numbers[i] = 1.0;
  nc(nc_create(FILE_NAME, NC_CLOBBER | NC_NETCDF4, &file));
  nc(nc_put_att_double(file, NC_GLOBAL, "complete", NC_DOUBLE, n_complete, numbers));
  nc(nc_put_att_string(file, NC_GLOBAL, "scenario", 1, &scenario));
  nc(nc_close(file));
}

static void check_attributes(void)
{
  char *text;
  write_attributes(1, "one");
  ok(wn_output_is_complete(FILE_NAME), "complete = 1 is complete");
  write_attributes(100, "one");
  ok(!wn_output_is_complete(FILE_NAME), "complete of a hundred numbers is not");
  text = wn_output_text_of(FILE_NAME, "scenario");
  is_str(text, NULL, "an attribute of strings is no text");
  free(text);
}

static void check_scenario(void)
{
  static const char *const texts[] = {"};\n", "};\n};\na = 1;\n",
                                      "gas = {\n};\n};\n};\nb = 2;\n"},
                           *const want[] = {"", "a = 1\n", "b = 2\n"};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    char *text = wn_same_text_of(texts[i]);
    is_str(text, want[i], "a scenario that closes more groups than it opens, %zu", i);
    free(text);
  }
}

static struct wn_output *created(const char *path, int again)
{
  static const struct wn_output_var name = {"name",        NULL, "name",  NULL, NULL,
                                            WN_OUT_STRING, 1,    {"row"}, 0,    0};
  struct wn_output *o = NULL;
  const int status =
      again ? wn_output_create_again(path, &o) : wn_output_create(path, &o);
  if (status == WN_OK && wn_output_dim(o, "row", 2) == WN_OK &&
      wn_output_define(o, &name) == WN_OK && wn_output_end_define(o) == WN_OK)
    return o;
  wn_output_discard(o);
  return NULL;
}

/* Two rows of text, of which the second is none: null in the file. */
static void check_null(void)
{
  static const char *const names[] = {"one", "two"};
  const char *const held[] = {"one", NULL};
  const size_t zero = 0, two = 2;
  struct wn_state s;
  int file, dim, var, status = WN_EINTERN;
  wn_state_init(&s);
  struct wn_output *o = created(FILE_NAME, 0);
  if (o != NULL && wn_output_put_string(o, "name", 0, names) == WN_OK &&
      wn_output_put_string(o, "name", 1, names + 1) == WN_OK)
    status = wn_output_state(o, &s);
  wn_output_discard(o);
  is_int(status, WN_OK, "the state of an output with texts");
  nc(nc_create(FILE_NAME ".part", NC_CLOBBER | NC_NETCDF4, &file));
  nc(nc_def_dim(file, "row", 2, &dim));
  nc(nc_def_var(file, "name", NC_STRING, 1, &dim, &var));
  nc(nc_put_vara_string(file, var, &zero, &two, (const char **)(uintptr_t)held));
  nc(nc_close(file));
  wn_state_rewind(&s);
  o = created(GOING, 1);
  capture();
  status = o != NULL ? wn_output_continue(o, &s, FILE_NAME) : WN_EINTERN;
  wn_output_discard(o);
  char *said = captured();
  is_int(status, WN_EINPUT, "a text that is none is not what was written");
  ok(strstr(said, "variable name lacks records written") != NULL, "which is said");
  wn_state_clear(&s);
  unlink(FILE_NAME ".part");
  unlink(GOING ".part");
}

int main(void)
{
  plan(0);
  unlink(FILE_NAME);
  wn_netcdf_start();
  check_clean();
  for (int f = 0; f < WN_TABLE_FORMATS; f++)
    check_table((enum wn_table_format)f, 0);
  check_table(WN_TABLE_CSV, 1);
  check_table(WN_TABLE_BOLSIG, 1);
  check_endless();
  check_particles();
  check_no_particles();
  check_attributes();
  check_scenario();
  check_null();
  is_int(failed, 0, "netCDF wrote what was asked for");
  unlink(FILE_NAME);
  return done();
}
