/* t0454-gpu-electrodes.c - defends: the field `electrostatic` with electrodes inside, its grids on a GPU, is that of the host: from
 * the same particles the same rho to the bit, the same potential, E at the nodes and for the particles, also beside and in the
 * electrodes, sums, in r-z, two and three dimensions, with pulsed voltages and a background.  E for the particles is to the bit
 * what the host makes of the potential and charge of the GPU.  A step does not depend on the one before; and
 * wn_electrostatic_gpu_bytes says what it takes.  Dielectrics and circuits are refused by name.  Reference: the host in the same
 * program.
 *
 * Thresholds: phi: 2e-11 of the largest, as t0433; E: the same over the length of a cell, times ten, as a surface may cut an edge
 * at a small part of it; in single precision 1e-6 of the largest.  Sums: 1e-9 of their sizes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "fields/electrostatic.h"
#include "physics/constants.h"
#include "t/tap/capture.h"
#include "t/tap/field_pair.h"
#include "t/tap/gpu.h"
#include "t/tap/gpu_arrays.h"
#include "t/tap/tap.h"

#ifdef WN_HAVE_CUDA

enum { P = WN_PERIODIC, D = WN_DIRICHLET, N = WN_NEUMANN };

static const struct {
  const char *name;
  int kind, side[6], method;
  double background;
  int is_radial;
} cases[] = {
    {"2-D", WN_POINT_2D2V, {D, D, D, D}, WN_POISSON_DIFFERENCES, 0.0, 0},
    {"2-D, mirrors and periodic",
     WN_POINT_2D3V,
     {N, D, P, P},
     WN_POISSON_MULTIGRID,
     1e-9,
     0},
    {"r-z", WN_POINT_2D3V, {N, N, D, D}, WN_POISSON_DIFFERENCES, 1e-9, 1},
    {"r-z, multigrid", WN_POINT_2D3V, {N, D, D, N}, WN_POISSON_MULTIGRID, 0.0, 1},
    {"3-D", WN_POINT_3D3V, {D, D, D, D, N, N}, WN_POISSON_MULTIGRID, 0.0, 0}};
#define N_CASES (sizeof cases / sizeof *cases)

/* Of 1 mm cells: two bodies, one of two shapes. */
static void electrodes(struct wn_electrostatic_spec *s)
{
  const int dim = s->grid.dim, sides = 2 * dim;
  const double *l = s->grid.length, low = s->grid.is_radial ? 0.0 : 0.3 * l[0];
  s->n_electrodes = 2;
  s->n_shapes = 3;
  s->shape[0] = (struct wn_electrode_shape){.kind = WN_ELECTRODE_ELLIPSOID,
                                            .surface = sides,
                                            .from = {low, 0.31 * l[1], 0.5 * l[2]},
                                            .to = {2.2e-3, 2.7e-3, 2.3e-3}};
  s->shape[1] = (struct wn_electrode_shape){
      .kind = WN_ELECTRODE_BOX,
      .surface = sides + 1,
      .from = {0.6 * l[0], 0.62 * l[1], 0.4 * l[2]},
      .to = {0.6 * l[0] + 2.4e-3, 0.62 * l[1] + 2.3e-3, 0.4 * l[2] + 2.6e-3},
      .edge = 4e-4};
  s->shape[2] = (struct wn_electrode_shape){
      .kind = WN_ELECTRODE_ROD,
      .surface = sides + 1,
      .from = {0.6 * l[0] + 1e-3, 0.62 * l[1] + 1e-3, 0.4 * l[2] + 1e-3},
      .to = {0.6 * l[0] + 3e-3, 0.62 * l[1] + 2e-3, 0.4 * l[2] + 1e-3},
      .radius = 1.1e-3};
  s->electrode[0] =
      (struct wn_voltage){.constant = 20.0, .start = -INFINITY, .end = INFINITY};
  s->electrode[1] =
      (struct wn_voltage){.constant = -30.0, .start = 2e-9, .end = INFINITY};
}

static void describe(struct field_pair *s, size_t c)
{
  static const int32_t cells[3] = {19, 22, 12};
  field_pair_grid(s, cases[c].kind, WN_SHAPE_CIC, WN_GATHER_MOMENTUM, cells,
                  cases[c].side, cases[c].method, cases[c].is_radial);
  for (int side = 0; side < 2 * s->spec.grid.dim; side++)
    s->spec.voltage[side] =
        (struct wn_voltage){.constant = 3.0 * side, .start = -INFINITY, .end = INFINITY};
  s->spec.background = cases[c].background;
  electrodes(&s->spec);
  snprintf(s->name, sizeof s->name, "%s", cases[c].name);
}

static int make(struct field_pair *s, size_t c, size_t n)
{
  describe(s, c);
  field_pair_species(s, cases[c].kind, n, -1.0, 1.0, 0, 0);
  field_pair_species(s, cases[c].kind, n, 0.7, 100.0, 0, 1);
  return field_pair_make(s);
}

static double distance(const double *a, const double *b, size_t n, double *most)
{
  double differ = 0.0;
  *most = 0.0;
  for (size_t i = 0; i < n; i++) {
    if (!isfinite(a[i]) || !isfinite(b[i]))
      return INFINITY;
    *most = fmax(*most, fabs(b[i]));
    differ = fmax(differ, fabs(a[i] - b[i]));
  }
  return differ;
}

/* Of the host, of the GPU, and what the host makes of the potential of the GPU; guards, too. */
static void compare_floats(struct field_pair *s, const char *when)
{
  struct wn_field_view here, there;
  struct wn_grid_view made;
  float *e = calloc(s->n_floats, sizeof *e);
  double most = 0.0, differ = 0.0;
  size_t others = 0;
  WN_ASSERT(e != NULL);
  s->host->ops->view(s->host, &here);
  s->gpu->ops->view(s->gpu, &there);
  int status = gpu_array_get(gpu_device(), there.of.grid.e, e, s->n_floats * sizeof *e);
  if (status == WN_OK)
    status = wn_field_gathered(s->gpu, &made);
  for (size_t i = 0; status == WN_OK && i < s->n_floats; i++) {
    const double by = fabs((double)e[i] - (double)here.of.grid.e[i]);
    most = fmax(most, fabs((double)here.of.grid.e[i]));
    differ = by <= differ ? differ : isnan(by) ? INFINITY : by;
    others +=
        memcmp(&e[i], &made.e[i], sizeof *e) != 0 && (e[i] != 0.0f || made.e[i] != 0.0f);
  }
  ok(status == WN_OK && most > 0.0 && differ <= 1e-6 * most,
     "%s, %s: E for the particles (%.2g of %.3g V/m)", s->name, when, differ, most);
  ok(status == WN_OK && others == 0,
     "%s, %s: to the bit what the host makes of phi and rho (%zu others)", s->name, when,
     others);
  free(e);
}

static void compare_grids(struct field_pair *s, const char *when)
{
  const double *here = NULL, *there = NULL;
  double *a = calloc(s->n, sizeof *a), *b = calloc(s->n, sizeof *b), worst = 0.0,
         most = 0.0, of_e = 0.0;
  WN_ASSERT(a != NULL && b != NULL);
  int status = wn_field_charge(s->host, &here);
  if (status == WN_OK)
    status = wn_field_charge(s->gpu, &there);
  ok(status == WN_OK && memcmp(here, there, s->n * sizeof *here) == 0,
     "%s, %s: rho, to the bit", s->name, when);
  status = wn_field_potential(s->host, &here);
  if (status == WN_OK)
    status = wn_field_potential(s->gpu, &there);
  const double phi = status == WN_OK ? distance(there, here, s->n, &most) : INFINITY;
  ok(status == WN_OK && phi < 2e-11 * most, "%s, %s: potential (%.2g of %.3g V)", s->name,
     when, phi, most);
  for (int d = 0; d < s->spec.grid.dim && status == WN_OK; d++) {
    status = wn_field_e(s->host, d, a);
    if (status == WN_OK)
      status = wn_field_e(s->gpu, d, b);
    worst = fmax(worst, distance(b, a, s->n, &of_e));
  }
  ok(status == WN_OK && worst * s->spec.grid.h[0] < 2e-10 * most,
     "%s, %s: E at the nodes (%.2g V/m)", s->name, when, worst);
  free(a);
  free(b);
}

static void compare_sums(struct field_pair *s, const char *when)
{
  struct wn_field_sums here, there;
  if (!ok(wn_field_sums(s->host, &here) == WN_OK &&
              wn_field_sums(s->gpu, &there) == WN_OK,
          "%s, %s: sums", s->name, when))
    return;
  is_close(there.energy, here.energy, 1e-9, "energy of the field");
  is_close(there.charge, here.charge, 1e-9, "charge");
  ok(fabs(there.gauss) < 1e-7 * (fabs(here.charge) + WN_EPS0),
     "Gauss %.3g C, the host's %.3g, of %.3g", there.gauss, here.gauss, here.charge);
  ok(there.residual < 1e-9 && here.residual < 1e-9, "residual %.3g, the host's %.3g",
     there.residual, here.residual);
}

static void whole(size_t c)
{
  struct field_pair s;
  draw_state = 454 + c;
  const int status = make(&s, c, gpu_size(4001, 301));
  if (ok(status == WN_OK, "%s: made", s.name))
    for (int step = 0; step < 2; step++) {
      const char *when = step == 0 ? "first" : "second";
      /* the second is longer, and one electrode has its pulse */
      const double t = step == 0 ? 0.0 : 4e-9, dt = step == 0 ? 0.5e-9 : 2e-9;
      if (!ok(field_pair_solve(&s, s.host, t, dt) == WN_OK &&
                  field_pair_solve(&s, s.gpu, t, dt) == WN_OK,
              "%s, %s: solved", s.name, when))
        break;
      compare_floats(&s, when);
      compare_grids(&s, when);
      compare_sums(&s, when);
      if (step == 1 && !cases[c].is_radial)
        field_pair_again(&s);
    }
  field_pair_clear(&s);
}

static void refused(void)
{
  for (int what = 0; what < 2; what++) {
    struct field_pair s;
    struct wn_field *f = NULL;
    describe(&s, 2);
    s.spec.gpu = gpu_device();
    if (what == 0)
      s.spec.shape[2].permittivity = 4.0;
    else
      s.spec.loop[1].resistance = 50.0;
    capture();
    const int status = wn_electrostatic_create(&s.spec, &f);
    const char *text = captured();
    ok(status == WN_EINPUT && f == NULL && strstr(text, "take the host") != NULL,
       "refused: %s: %s", what == 0 ? "a dielectric" : "a circuit", text);
  }
}

static void memory(void)
{
  for (size_t c = 0; c < N_CASES; c += 2) {
    struct field_pair s;
    struct wn_gpu *g = gpu_device();
    const size_t before = wn_gpu_used(g);
    draw_state = 453;
    int status = make(&s, c, 1);
    if (status == WN_OK) {
      size_t told;
      double used;
      status = field_pair_takes(&s, &used, &told);
      /* without the lists of surfaces, which take most in grids as small as these */
      ok(status == WN_OK && (double)told <= used + 8192.0 && (double)told > 0.3 * used,
         "%s: takes %.0f bytes, foretold %zu", s.name, used, told);
    }
    field_pair_clear(&s);
    is_int((long long)wn_gpu_used(g), (long long)before, "%s: and gives them back",
           s.name);
  }
}

int main(void)
{
  gpu_or_skip();
  plan(0);
  for (size_t c = 0; c < N_CASES; c += gpu_size(1, 2))
    whole(c);
  refused();
  memory();
  return done();
}

#else

int main(void)
{
  gpu_or_skip();
  return 1;
}

#endif
