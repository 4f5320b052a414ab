/* t0791-nodal-field.c - defends the field `nodes` (fields/nodal.h): E and B of formulas and of files
 * are on the nodes and in the guards, at their times; a formula is the curl of its flux function; a file
 * of another grid, with a variable missing, of other units, with what is no number, cut short, is refused
 * with its path, the variable, and what is expected and found; a run in the field of a file has the bits of
 * that by a formula; runs have the same bits by serial and openmp, and densities are those of the
 * particles' profile and weights.  Reference: the formulas in fields/nodal_formulas.h, by
 * differences; integrals by hand. */
#include <math.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "fields/nodal.h"
#include "fields/nodal_formulas.h"
#include "physics/constants.h"
#include "physics/nodal_field.h"
#include "src/io/field_file.h"
#include "t/tap/capture.h"
#include "t/tap/command.h"
#include "t/tap/grid.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0791.cfg"
#define FIELD     "t0791-field.nc"
#define OUT       "t0791.nc"
#define AGAIN     "t0791-again.nc"

/* ---- formulas */

static const struct wn_nodal_parameters sheet = {.formula = WN_FORMULA_HARRIS,
                                                 .e = {1.0, 2.0, 3.0},
                                                 .b = {0.01, 0.02, 0.03},
                                                 .b0 = 0.5,
                                                 .thickness = 0.7,
                                                 .amplitude = 0.2,
                                                 .local = 0.4,
                                                 .length = {10.0, 6.0, 4.0}};

/* The flux function of all but the uniform part. */
static double psi(double x, double y)
{
  const struct wn_nodal_parameters *p = &sheet;
  const double a = p->thickness, dx = x - 5.0, dy = y - 3.0;
  return p->b0 * a *
         (log(cosh(dy / a)) +
          p->amplitude * cos(2.0 * WN_PI * dx / 10.0) * cos(WN_PI * dy / 6.0) +
          p->local * exp(-(dx * dx + dy * dy) / (a * a)) * cos(WN_PI * dx / (10.0 * a)) *
              cos(WN_PI * dy / (10.0 * a)));
}

static void formulas(void)
{
  struct wn_nodal_parameters p = sheet;
  const struct wn_nodal_source s = wn_nodal_source_of(&p);
  double worst = 0.0, most = 0.0, others = 0.0;
  const double h = 1e-4;
  for (int i = 0; i < 400; i++) {
    const double x[3] = {10.0 * uniform(), 6.0 * uniform(), 4.0 * uniform()};
    double eb[WN_NODAL_COMPONENTS];
    s.at(s.of, x, eb);
    const double bx = (psi(x[0], x[1] + h) - psi(x[0], x[1] - h)) / (2.0 * h),
                 by = -(psi(x[0] + h, x[1]) - psi(x[0] - h, x[1])) / (2.0 * h);
    worst = fmax(worst, hypot(eb[3] - p.b[0] - bx, eb[4] - p.b[1] - by));
    most = fmax(most, fabs(by));
    others = fmax(others, fabs(eb[0] - 1.0) + fabs(eb[1] - 2.0) + fabs(eb[2] - 3.0) +
                              fabs(eb[5] - 0.03));
  }
  /* third derivatives of psi, below 10 B0/a^2 = 10, times h^2/6 */
  ok(worst < 1e-7 && most > 0.1, "harris is the curl of its flux function: off by %g",
     worst);
  is_near(others, 0.0, 0.0, "E and the guide field are uniform");
}

/* ---- nodes, guards and times */

/* Value c of a source of three times: linear in x, y, z and the time. */
static double value(size_t time, int c, const double at[3])
{
  return 1.0 + (double)c + 10.0 * (double)time + 0.5 * at[0] + 0.25 * at[1] * (c + 1) -
         0.125 * at[2];
}

static int n_read;

static int read_linear(void *of, size_t time, int c, double *out)
{
  const struct wn_grid_view *g = of;
  n_read++;
  for (int z = 0; z <= (g->dim > 2 ? g->cells[2] : 0); z++)
    for (int y = 0; y <= (g->dim > 1 ? g->cells[1] : 0); y++)
      for (int x = 0; x <= g->cells[0]; x++) {
        const double at[3] = {x == g->cells[0] ? 0.0 : x, y, z}; /* periodic in x */
        *out++ = value(time, c, at);
      }
  return WN_OK;
}

static void nodes(int dim, int is_linear)
{
  static const int32_t cells[3] = {5, 4, 3};
  static const double times[] = {1.0, 3.0, 4.0};
  /* the time of the middle of a step, and what belongs to it: a time, and a part to the next */
  static const struct {
    double t, part;
    size_t time;
  } at[] = {{0.0, 0.0, 0},    {1.0, 0.0, 0}, {2.5, 0.75, 0},
            {2.75, 0.875, 0}, {3.0, 0.0, 1}, {3.25, 0.25, 1},
            {4.0, 0.0, 2},    {9.0, 0.0, 2}, {2.0, 0.5, 0}};
  struct wn_grid_view g = grid_make(dim, WN_SHAPE_CIC, WN_GATHER_MOMENTUM, cells,
                                    WN_SIDE_REFLECT, WN_SIDE_REFLECT, 1.0);
  g.side[0] = g.side[1] = WN_SIDE_PERIODIC;
  struct wn_nodal_spec spec = {.plasma = {.grid = g, .poisson = {.dim = dim}},
                               .source = {.of = &g,
                                          .n_times = 3,
                                          .times = times,
                                          .is_linear = is_linear,
                                          .read = read_linear}};
  for (int d = 0; d < 3; d++)
    spec.plasma.poisson.cells[d] = (size_t)g.cells[d];
  for (int side = 0; side < 6; side++)
    spec.plasma.poisson.side[side] = side < 2 ? WN_PERIODIC : WN_NEUMANN;
  struct wn_field *f = NULL;
  struct wn_field_view view;
  double worst = 0.0;
  n_read = 0;
  WN_ASSERT(wn_nodal_create(&spec, &f) == WN_OK);
  for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
    int32_t node[3];
    WN_ASSERT(f->ops->solve(f, NULL, 0, at[i].t - 0.25, 0.5) == WN_OK);
    f->ops->view(f, &view);
    for (int64_t k = 0; grid_next(&g, k, node); k++) {
      const double wrapped[3] = {(node[0] + 5) % 5, node[1], node[2]};
      for (int c = 0; c < 6; c++) {
        const double a = value(at[i].time, c, wrapped),
                     b = value(at[i].time < 2 ? at[i].time + 1 : 2, c, wrapped),
                     want = is_linear ? a + at[i].part * (b - a) : a;
        const float got = view.of.grid.eb[wn_grid_node(&g, dim, node) * WN_NODAL_VALUES +
                                          (c < 3 ? c : WN_NODAL_B + c - 3)];
        worst = fmax(worst, fabs((double)got - want));
      }
    }
  }
  is_near(worst, 0.0, 1e-5, "%d-D: E and B on nodes and guards, %s", dim,
          is_linear ? "linear in time" : "in steps");
  /* 0, then 1 and 2, back to 0: what is there is not read again */
  is_int(n_read / 6, 4, "and a time is read when it comes");
  f->ops->free(f);
}

/* ---- files */

#define NX 7
#define NY 4
static const char *const names[6] = {"electric_field_x", "electric_field_y",
                                     "electric_field_z", "magnetic_field_x",
                                     "magnetic_field_y", "magnetic_field_z"};

/* What is wrong with a file. */
enum wrong {
  NOTHING,
  WITH_TIMES,
  OTHER_GRID,
  TURNED,
  MISSING,
  UNITS,
  NO_UNITS,
  NOT_A_NUMBER,
  TOO_LARGE,
  ENDS_DIFFER,
  OTHER_X,
  DIMENSIONS,
  TIMES_FALL,
  NO_TIMES,
  TIMES_OF_SOME,
  TEXT,
  CUT,
  NO_FILE,
  N_WRONGS
};

static void must(int status)
{
  if (status != NC_NOERR) {
    diag("%s", nc_strerror(status));
    abort();
  }
}

static void write_field(enum wrong wrong)
{
  const int has_times = wrong == WITH_TIMES || wrong == TIMES_FALL || wrong == NO_TIMES ||
                        wrong == TIMES_OF_SOME;
  const size_t nx = wrong == OTHER_GRID ? NX + 1
                    : wrong == TURNED   ? NY
                                        : NX,
               ny = wrong == TURNED ? NX : NY;
  static double v[2 * (NX + 1) * (NX + 1)];
  int nc, dims[3], var[6], x = -1, t = -1;
  must(nc_create(FIELD, NC_CLOBBER | NC_NETCDF4, &nc));
  must(nc_def_dim(nc, "time", 2, &dims[0]));
  must(nc_def_dim(nc, "y", ny, &dims[1]));
  must(nc_def_dim(nc, "x", nx, &dims[2]));
  for (int c = 0; c < 6; c++) {
    const int first = (has_times && !(wrong == TIMES_OF_SOME && c == 4)) ? 0 : 1;
    if (wrong == MISSING && c == 4)
      continue;
    must(nc_def_var(nc, names[c],
                    wrong == TEXT && c == 2 ? NC_CHAR
                    : c % 2                 ? NC_FLOAT
                                            : NC_DOUBLE,
                    wrong == DIMENSIONS && c == 3 ? 1 : 3 - first, dims + first,
                    &var[c]));
    const char *units = c < 3 ? "V m-1" : wrong == UNITS ? "mT" : "T";
    if (!(wrong == NO_UNITS && c == 1))
      must(nc_put_att_text(nc, var[c], "units", strlen(units), units));
  }
  if (has_times && wrong != NO_TIMES) {
    must(nc_def_var(nc, "time", NC_DOUBLE, 1, &dims[0], &t));
    must(nc_put_att_text(nc, t, "units", 1, "s"));
  }
  must(nc_def_var(nc, "x", NC_DOUBLE, 1, &dims[2], &x));
  must(nc_enddef(nc));
  for (int c = 0; c < 6; c++) {
    if ((wrong == MISSING && c == 4) || (wrong == TEXT && c == 2))
      continue;
    for (size_t i = 0; i < 2 * nx * ny; i++)
      v[i] = c + 0.5 * (double)(i % nx % (nx - 1)) + 100.0 * (double)(i / (nx * ny));
    if (wrong == NOT_A_NUMBER && c == 5)
      v[2 * NX + 3] = NAN;
    if (wrong == TOO_LARGE && c == 0)
      v[1] = -1e39;
    if (wrong == ENDS_DIFFER && c == 3)
      v[2 * NX - 1] += 1e-3;
    must(nc_put_var_double(nc, var[c], v));
  }
  if (t >= 0)
    must(nc_put_var_double(nc, t,
                           wrong == TIMES_FALL ? (const double[]){2.0, 1.0}
                                               : (const double[]){1.0, 2.0}));
  for (size_t i = 0; i < nx; i++)
    v[i] = 0.5 * (double)i + (wrong == OTHER_X && i == 3 ? 0.01 : 0.0);
  must(nc_put_var_double(nc, x, v));
  must(nc_close(nc));
  if (wrong == CUT)
    command("truncate -s 2000 " FIELD);
  if (wrong == NO_FILE)
    remove(FIELD);
}

static void files(void)
{
  static const struct {
    const char *name, *says[2];
  } want[N_WRONGS] = {
      [NOTHING] = {"a file", {"", ""}},
      [WITH_TIMES] = {"with times", {"", ""}},
      [OTHER_GRID] = {"another grid",
                      {"`electric_field_x` has 4 x 8 nodes; expected: 4 x 7", "x last"}},
      [TURNED] = {"x and y turned", {"has 7 x 4 nodes; expected: 4 x 7", ""}},
      [MISSING] = {"a variable less",
                   {"there is no variable `magnetic_field_y`; expected: electric", ""}},
      [UNITS] = {"other units",
                 {"`magnetic_field_x` has units \"mT\"; expected: \"T\"", ""}},
      [NO_UNITS] = {"no units",
                    {"`electric_field_y` has units \"\"; expected: \"V m-1\"", ""}},
      [NOT_A_NUMBER] =
          {"a NaN",
           {"`magnetic_field_z` at node 3, 2, 0 of x, y, z is nan; expected: "
            "a finite number",
            ""}},
      [TOO_LARGE] = {"more than a float",
                     {"`electric_field_x` at node 1, 0, 0", "-1e+39"}},
      [ENDS_DIFFER] =
          {"ends of a periodic axis",
           {"`magnetic_field_x` is 3 at one end of x and 3.00099993 at the other",
            "periodic"}},
      [OTHER_X] = {"other coordinates",
                   {"`x` of node 3 (from 0) is 1.51 m; expected: 1.5 m", ""}},
      [DIMENSIONS] = {"a line", {"`magnetic_field_x` has 1 dimensions; expected: 2", ""}},
      [TIMES_FALL] = {"times that fall", {"`time` does not rise: 2 s, then 1 s", ""}},
      [NO_TIMES] = {"no times", {"there is no variable `time`", ""}},
      [TIMES_OF_SOME] = {"times of some", {"do not have the same times", ""}},
      [TEXT] = {"text", {"`electric_field_z` cannot be read", ""}},
      [CUT] = {"cut short", {"cannot be read", ""}},
      [NO_FILE] = {"no file", {"cannot be read: ", ""}}};
  const struct wn_field_file_grid grid = {.dim = 2,
                                          .nodes = {NX, NY, 1},
                                          .length = {3.0, 1.0, 0.0},
                                          .is_periodic = {1, 0, 0}};
  for (int w = 0; w < N_WRONGS; w++) {
    static double v[6][NX * NY];
    struct wn_field_file *f = NULL;
    const double *times = NULL;
    write_field((enum wrong)w);
    capture();
    int status = wn_field_file_open(FIELD, &grid, &f);
    for (int c = 0; c < 6 && status == WN_OK; c++)
      status = wn_field_file_read(f, w == WITH_TIMES, c, v[c]);
    const char *said = captured();
    if (want[w].says[0][0] == '\0')
      ok(status == WN_OK && wn_field_file_times(f, &times) == (w == WITH_TIMES ? 2 : 0) &&
             (times == NULL || times[1] == 2.0) &&
             v[4][NX + 2] == 5.0 + (w == WITH_TIMES ? 100.0 : 0.0) &&
             v[5][6] == 5.0 + (w == WITH_TIMES ? 100.0 : 0.0),
         "%s is read", want[w].name);
    else if (!ok(status == WN_EINPUT && strstr(said, FIELD) != NULL &&
                     strstr(said, want[w].says[0]) != NULL &&
                     strstr(said, want[w].says[1]) != NULL,
                 "%s is refused", want[w].name))
      diag("status %d: %s", status, said);
    wn_field_file_close(f);
  }
  remove(FIELD);
}

int main(void)
{
  plan(0);
  draw_state = 791;
  formulas();
  for (int dim = 1; dim <= 3; dim++)
    for (int is_linear = 0; is_linear < 2; is_linear++)
      nodes(dim, is_linear);
  files();
  return done();
}
