/* t/fuzz/part.c - libFuzzer: what a restart reads of a run's FILE.nc.part.  A file of
 * which the bytes say what is wrong with it (contents.h) is gone on with: it is taken
 * only where it holds what was written before the checkpoint, number by number.  And
 * any bytes as the first block of a file whose end is mended. */
#include "base/error.h"
#include "src/config/same_scenario.h"
#include "src/io/output.h"
#include "src/io/output_repair.h"
#include "src/io/output_path.h"
#include "t/fuzz/contents.h"
#include "t/fuzz/fuzz.h"

#define BEFORE "fuzz-part-before.nc"
#define AFTER  "fuzz-part-after.nc"
#define SAVED  "fuzz-part-saved.nc"

enum { ROW, CELL, OTHER };
#define N_ROWS  4
#define N_CELLS 3
#define N_DONE  2 /* rows that were written before the checkpoint */

static const struct wn_output_var variables[] = {
    {"energy", "eV", "energy", NULL, NULL, WN_OUT_DOUBLE, 1, {"row"}, 1, 0},
    {"map", "V", "map", NULL, NULL, WN_OUT_DOUBLE, 2, {"row", "cell"}, 0, 0},
    {"count", "1", "count", NULL, NULL, WN_OUT_INT64, 1, {"row"}, 0, 0},
    {"name", NULL, "name", NULL, NULL, WN_OUT_STRING, 1, {"row"}, 0, 0},
    {"total", "J", "total", NULL, NULL, WN_OUT_DOUBLE, 0, {0}, 0, 0},
};

static const char *const names[] = {"a name", "a name"};
static const char scenario[] =
    "fields = [\"10 Td\"];\ngas = {\n  pressure = \"1 Pa\";\n};\n";

static double number(size_t i)
{
  return 1.0 + 0.5 * (double)i;
}

static struct wn_output *created(const char *path, int again)
{
  struct wn_output *o;
  if ((again ? wn_output_create_again(path, &o) : wn_output_create(path, &o)) != WN_OK ||
      wn_output_dim(o, "row", N_ROWS) != WN_OK ||
      wn_output_dim(o, "cell", N_CELLS) != WN_OK ||
      wn_output_define_all(o, variables, sizeof variables / sizeof variables[0]) !=
          WN_OK ||
      wn_output_rewritten(o, "total") != WN_OK || wn_output_end_define(o) != WN_OK)
    abort();
  return o;
}

/* What the checkpoint says of the run's output. */
static const struct wn_state *the_state(void)
{
  static struct wn_state s;
  double x[N_ROWS * N_CELLS], total = 1.0;
  if (s.bytes != NULL)
    return &s;
  struct wn_output *o = created(SAVED, 0);
  for (size_t i = 0; i < N_ROWS * N_CELLS; i++)
    x[i] = number(i);
  for (long row = 0; row < N_DONE; row++) {
    const long long n = row + 1;
    if (wn_output_put(o, "energy", row, x + row) != WN_OK ||
        wn_output_put(o, "energy_error", row, x + row) != WN_OK ||
        wn_output_put(o, "map", row, x + row * N_CELLS) != WN_OK ||
        wn_output_put_int(o, "count", row, &n) != WN_OK ||
        wn_output_put_string(o, "name", row, names + row) != WN_OK)
      abort();
  }
  wn_state_init(&s);
  if (wn_output_put(o, "total", -1, &total) != WN_OK || wn_output_state(o, &s) != WN_OK)
    abort();
  wn_output_discard(o);
  unlink(SAVED ".part");
  return &s;
}

static void fill(struct contents *c)
{
  static const int by[] = {ROW, CELL};
  static const size_t lengths[] = {N_ROWS, N_ROWS - 1, N_ROWS + 1, NC_UNLIMITED},
                      others[] = {1, NC_UNLIMITED, (size_t)1 << 32, (size_t)1 << 31};
  contents_dim(c, "row", lengths[one_of(c->b, 4)]);
  contents_dim(c, "cell", N_CELLS + one_of(c->b, 3));
  contents_dim(c, "other", others[one_of(c->b, 4)]);
  contents_attribute(c, NC_GLOBAL, "complete", NULL, 1, 0.0);
  contents_attribute(c, NC_GLOBAL, "scenario", scenario, 1, 0.0);
  contents_variable(c, "energy", NC_DOUBLE, 1, by, "x", 1.0, 0.5);
  contents_variable(c, "energy_error", NC_DOUBLE, 1, by, "x", 1.0, 0.5);
  contents_variable(c, "map", NC_DOUBLE, 2, by, "x", 1.0, 0.5);
  contents_variable(c, "count", NC_INT64, 1, by, "x", 1.0, 1.0);
  contents_variable(c, "name", NC_STRING, 1, by, names[0], 1.0, 1.0);
  contents_variable(c, "total", NC_DOUBLE, 0, by, "x", 1.0, 0.0);
}

/* What stands in the new file is what the run had written. */
static void check_taken(void)
{
  double x[N_ROWS * N_CELLS];
  long long n[N_ROWS];
  const size_t zero[] = {0, 0}, done[] = {N_DONE, N_CELLS};
  char *text[N_DONE];
  int nc, var;
  if (nc_open(AFTER ".part", NC_NOWRITE, &nc) != NC_NOERR ||
      nc_inq_varid(nc, "map", &var) != NC_NOERR ||
      nc_get_vara_double(nc, var, zero, done, x) != NC_NOERR)
    abort();
  for (size_t i = 0; i < N_DONE * N_CELLS; i++)
    if (x[i] != number(i))
      abort();
  if (nc_inq_varid(nc, "energy", &var) != NC_NOERR ||
      nc_get_vara_double(nc, var, zero, done, x) != NC_NOERR || x[0] != number(0) ||
      x[1] != number(1))
    abort();
  if (nc_inq_varid(nc, "count", &var) != NC_NOERR ||
      nc_get_vara_longlong(nc, var, zero, done, n) != NC_NOERR || n[0] != 1 || n[1] != 2)
    abort();
  if (nc_inq_varid(nc, "name", &var) != NC_NOERR ||
      nc_get_vara_string(nc, var, zero, done, text) != NC_NOERR ||
      strcmp(text[0], names[0]) != 0 || strcmp(text[1], names[1]) != 0)
    abort();
  nc_free_string(N_DONE, text);
  nc_close(nc);
}

static void go_on(const char *path, int must)
{
  struct wn_state s = *the_state();
  wn_state_rewind(&s);
  struct wn_output *o = created(AFTER, 1);
  const int status = wn_output_continue(o, &s, path);
  if ((status != WN_OK && status != WN_EINPUT) || (must && status != WN_OK))
    abort();
  if (status == WN_OK && wn_output_sync(o) != WN_OK)
    abort();
  wn_output_discard(o);
  if (status == WN_OK)
    check_taken();
  unlink(AFTER ".part");
}

/* What a run that may be over asks of it. */
static void ask(const char *path)
{
  char *text = wn_output_text_of(path, "scenario"), *had,
       *has = wn_same_text_of(scenario);
  wn_output_is_complete(path);
  if (text != NULL && (had = wn_same_text_of(text)) != NULL) {
    const int status = wn_same_check(path, had, has);
    if (status != WN_OK && status != WN_EINPUT)
      abort();
    free(had);
  }
  free(has);
  free(text);
}

static void mend(const uint8_t *data, size_t n)
{
  const char *path = fuzz_file(data, n);
  uint8_t now[48];
  FILE *f = fopen(path, "r+b");
  if (f == NULL)
    abort();
  const int is_good = wn_output_repair(fileno(f));
  rewind(f);
  const size_t got = fread(now, 1, sizeof now, f);
  uint64_t end = 0;
  for (int i = 8; is_good && i-- > 0;)
    end = end << 8 | now[28 + i];
  if ((is_good && (got < sizeof now || end > n)) ||
      (!is_good && got > 0 && memcmp(now, data, got) != 0))
    abort();
  fclose(f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
  struct bytes b = {data, data + n};
  struct contents c = {.b = &b};
  const unsigned how = one_of(&b, 3);
  const char *name = how == 2 ? BEFORE : BEFORE ".part";
  if (how == 1) {
    mend(b.at, (size_t)(b.end - b.at));
    return 0;
  }
  wn_netcdf_start();
  if (nc_create(name, NC_CLOBBER | NC_NETCDF4, &c.nc) != NC_NOERR)
    abort();
  fill(&c);
  contents_values(&c);
  if (nc_close(c.nc) == NC_NOERR) { /* else netCDF writes no such file */
    ask(name);
    go_on(BEFORE, n == 0);
  }
  unlink(name);
  return 0;
}
