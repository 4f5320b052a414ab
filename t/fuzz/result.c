/* t/fuzz/result.c - libFuzzer: what `wilson table` reads.  A result of job swarm or
 * runaway-rate, of which the bytes say what is wrong with it (contents.h), is made a table in
 * each format, or refused.  No table has a control character, and the rows of one as CSV have as many
 * fields as its head. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "base/error.h"
#include "base/version.h"
#include "src/io/output_path.h"
#include "src/io/result_file.h"
#include "src/results/table.h"
#include "t/fuzz/contents.h"

#define NAME "fuzz-result.nc"

enum { FIELD, PROCESS, AXIS, OTHER, THRESHOLD };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static const struct {
  const char *name;
  int rank, dims[2];
  double first, step;
} variables[] = {
    {"reduced_electric_field", 1, {FIELD}, 10.0, 10.0},
    {"mean_energy", 1, {FIELD}, 1.0, 1.0},
    {"mean_energy_error", 1, {FIELD}, 0.01, 0.01},
    {"gas_number_density", 0, {0}, 2.5e25, 0.0},
    {"process_threshold", 1, {PROCESS}, 0.0, 1.5},
    {"process_frequency", 2, {FIELD, PROCESS}, 1e9, 1e8},
    {"process_frequency_error", 2, {FIELD, PROCESS}, 1e7, 1e6},
    {"process_frequency_upper_limit", 2, {FIELD, PROCESS}, 1e6, 1e5},
    {"drift_velocity_flux", 1, {FIELD}, 1e4, 1e4},
    {"diffusion_transverse_flux", 1, {FIELD}, 0.1, 0.1},
    {"ionization_frequency", 1, {FIELD}, 1e6, 1e6},
    {"townsend_coefficient_reduced", 1, {FIELD}, 1e-24, 1e-22},
    {"townsend_coefficient_reduced_upper_limit", 1, {FIELD}, 1e-24, 1e-22},
    {"attachment_coefficient_reduced", 1, {FIELD}, 1e-24, 1e-22},
    {"growth_rate", 1, {FIELD}, 1e6, 1e6},
    {"mean_energy_sst", 1, {FIELD}, 1.0, 1.0},
    {"drift_vector_flux", 2, {FIELD, AXIS}, 1e3, 1.0},
    {"magnetic_field", 0, {0}, 0.1, 0.0},
    {"reduced_magnetic_field", 0, {0}, 4.0, 0.0},
    {"magnetic_angle", 0, {0}, 0.5, 0.0},
    {"electric_field", 1, {FIELD}, 2e7, 1e6},
    {"threshold", 1, {THRESHOLD}, 200.0, 100.0},
    {"passage_rate", 2, {FIELD, THRESHOLD}, 0.0, 1e9},
    {"passage_rate_limit", 2, {FIELD, THRESHOLD}, 1e6, 1e6},
    {"threshold_is_steady", 2, {FIELD, THRESHOLD}, 0.0, 1.0},
    {"plateau_threshold", 1, {FIELD}, 300.0, 0.0},
    {"ionization_rate", 1, {FIELD}, 1e11, 1e11},
    {"measured_time", 1, {FIELD}, 1e-12, 0.0},
};

static const char *const scans[] = {"scan_T", "scan_angles"};

static void scan(struct contents *c, const char *name, int is_number)
{
  static const int by[] = {FIELD};
  const int var = contents_variable(c, name, is_number ? NC_DOUBLE : NC_STRING, 1, by,
                                    "isotropic", 300.0, 100.0);
  if (var < 0)
    return;
  contents_attribute(c, var, "key", is_number ? "gas.temperature" : "scattering", 1, 0.0);
  if (is_number)
    contents_attribute(c, var, "units", "K", 1, 0.0);
}

static void fill(struct contents *c)
{
  static const char *const texts[] =
      {"source", "title", "date_created", "seed", "cross_section_sources", "scenario"},
                           *const plain[] = {
                               "Wilson 0 (git 0)",           "a run\nof two lines",
                               "2026-11-22T00:00:00Z",       "1",
                               "builtin:air\nbuiltin:argon", "fields = [\"10 Td\"];\n"};
  static const int by[] = {PROCESS};
  static const size_t lengths[] = {2, 3, 1, NC_UNLIMITED, 4, 5, 2, 3};
  static const size_t others[] = {1, NC_UNLIMITED, (size_t)1 << 32, (size_t)1 << 31};
  const size_t n = lengths[one_of(c->b, 8)], n_processes = lengths[one_of(c->b, 8)];
  const unsigned n_scans = one_of(c->b, 3), is_rate = one_of(c->b, 2);
  contents_dim(c, "field", n);
  contents_dim(c, "process", n_processes);
  contents_dim(c, "axis", 3);
  contents_dim(c, "other", others[one_of(c->b, 4)]);
  contents_dim(c, "threshold", lengths[one_of(c->b, 8)]);
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    contents_attribute(c, NC_GLOBAL, texts[i], plain[i], 1, 0.0);
  contents_variable(c, "process_name", NC_STRING, 1, by, "N2 ionization N2+", 0.0, 0.0);
  for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
    if (is_rate && strcmp(variables[i].name, "mean_energy") == 0)
      continue; /* which only swarms have */
    /* of a scan, one for each record */
    const int rank = n_scans > 0 && variables[i].rank == 0 ? 1 : variables[i].rank,
              var = contents_variable(c, variables[i].name, NC_DOUBLE, rank,
                                      variables[i].dims, "text", variables[i].first,
                                      variables[i].step);
    if (var >= 0 && strcmp(variables[i].name, "process_threshold") == 0)
      contents_attribute(c, var, "target_fraction", NULL,
                         n_processes > 0 ? n_processes : 2, 0.5);
  }
  for (unsigned i = 0; i < n_scans; i++)
    scan(c, scans[i], i == 0);
}

/* Of a row between ends of lines: how many commas are outside of quotes. */
static size_t fields_of(const char *row, const char *end)
{
  size_t n = 0;
  int is_quoted = 0;
  for (; row < end; row++) {
    is_quoted ^= *row == '"';
    n += *row == ',' && !is_quoted;
  }
  return is_quoted ? (size_t)-1 : n;
}

static void check_text(const char *text, size_t n, enum wn_table_format format)
{
  size_t head = 0;
  for (size_t i = 0; i < n; i++) {
    const unsigned char c = (unsigned char)text[i];
    if ((c < 0x20 && c != '\n' && !(c == '\t' && format == WN_TABLE_BOLSIG)) || c == 0x7f)
      abort();
    if (c == 0xc2 && i + 1 < n && (unsigned char)text[i + 1] >= 0x80 &&
        (unsigned char)text[i + 1] < 0xa0)
      abort();
  }
  for (const char *row = text; format == WN_TABLE_CSV && row < text + n;) {
    const char *end = memchr(row, '\n', (size_t)(text + n - row));
    if (end == NULL)
      abort();
    const size_t fields = *row == '#' ? head : fields_of(row, end);
    if (head != 0 && fields != head)
      abort();
    head = fields;
    row = end + 1;
  }
}

static void write_all(const struct wn_table *t)
{
  for (int f = 0; f < WN_TABLE_FORMATS; f++) {
    char *text = NULL;
    size_t n = 0;
    FILE *to = open_memstream(&text, &n);
    if (to == NULL)
      return;
    const int status = wn_table_write(t, (enum wn_table_format)f, to);
    if (status != WN_OK && status != WN_EINPUT)
      abort();
    fclose(to);
    if (status == WN_OK)
      check_text(text, n, (enum wn_table_format)f);
    free(text);
  }
}

/* The other questions to a file, of each of its variables. */
static void ask(const char *path)
{
  struct wn_result_file *f;
  char dim[3][64], *name;
  if (wn_result_open(path, &f) != WN_OK)
    return;
  for (int i = 0; (name = wn_result_name(f, i)) != NULL; i++) {
    wn_result_dims(f, name, 3, dim);
    free(wn_result_text(f, name, "units"));
    free(name);
  }
  wn_result_close(f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
  struct bytes b = {data, data + n};
  struct contents c = {.b = &b};
  struct wn_tables all;
  const unsigned zero = one_of(&b, 2);
  wn_netcdf_start();
  unlink(NAME); /* netCDF may have one open still that it could not write */
  if (nc_create(NAME, NC_CLOBBER | NC_NETCDF4, &c.nc) != NC_NOERR)
    abort();
  fill(&c);
  contents_values(&c);
  if (nc_close(c.nc) != NC_NOERR)
    return 0; /* netCDF writes no such file */
  ask(NAME);
  const int status = wn_tables_read(NAME, &all);
  if ((status != WN_OK && status != WN_EINPUT) || (n == 0 && status != WN_OK))
    abort();
  for (size_t i = 0; status == WN_OK && i < all.n; i++) {
    all.t[i]->unseen_is_zero = (int)zero;
    write_all(all.t[i]);
  }
  if (status == WN_OK)
    wn_tables_free(&all);
  return 0;
}
