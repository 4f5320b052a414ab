/* t0431-gpu-electrostatic.c - defends: the field `electrostatic` with its grids on a GPU is
 * that of the host: from the same particles the same quanta and rho to the bit, the same
 * potential, E for the particles, E, densities, sums and waves, also where walls of different
 * voltages meet; of a fixed species each particle is deposited once, newcomers when they come;
 * weights that are no number are reported; a step does not depend on the one before; and
 * wn_electrostatic_gpu_bytes says what it takes.  Reference: the field of the host in the
 * same program.
 *
 * Thresholds: rho, densities: none.  phi: 1e-12 of the largest, as t0430; E: the same over
 * the length of a cell; E in single
 * precision: 1e-6 of the largest, 8 of its roundings.  Sums of at most 20 000 terms: 1e-12
 * of the sum of their sizes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "fields/charge_nodes.h"
#include "fields/electrostatic.h"
#include "physics/constants.h"
#include "t/tap/capture.h"
#include "t/tap/drawn_waves.h"
#include "t/tap/field_pair.h"
#include "t/tap/gpu.h"
#include "t/tap/gpu_arrays.h"
#include "t/tap/poisson_residual.h"
#include "t/tap/tap.h"

#ifdef WN_HAVE_CUDA

#define N_SPECIES 3

enum { P = WN_PERIODIC, D = WN_DIRICHLET, N = WN_NEUMANN, O = WN_OPEN };

static const struct {
  int kind, shape, gather, side[6], method;
  double background;
  int is_radial;
} cases[] = {
    {WN_POINT_1D3V, WN_SHAPE_CIC, WN_GATHER_MOMENTUM, {P, P}, 0, NAN, 0},
    {WN_POINT_1D3V, WN_SHAPE_CIC, WN_GATHER_ENERGY, {D, D}, 0, 0.0, 0},
    {WN_POINT_1D3V, WN_SHAPE_TSC, WN_GATHER_MOMENTUM, {D, N}, 0, 0.0, 0},
    {WN_POINT_1D3V, WN_SHAPE_CIC, WN_GATHER_MOMENTUM, {O, O}, 0, 1e-9, 0},
    {WN_POINT_1D3V, WN_SHAPE_TSC, WN_GATHER_MOMENTUM, {P, P}, 1, NAN, 0},
    {WN_POINT_2D2V, WN_SHAPE_CIC, WN_GATHER_MOMENTUM, {P, P, P, P}, 1, NAN, 0},
    {WN_POINT_2D2V, WN_SHAPE_TSC, WN_GATHER_ENERGY, {P, P, P, P}, 1, NAN, 0},
    {WN_POINT_2D3V, WN_SHAPE_NGP, WN_GATHER_MOMENTUM, {D, D, P, P}, 0, 0.0, 0},
    {WN_POINT_2D3V, WN_SHAPE_CIC, WN_GATHER_MOMENTUM, {D, D, P, P}, 1, 0.0, 0},
    {WN_POINT_2D2V, WN_SHAPE_CIC, WN_GATHER_MOMENTUM, {O, O, O, O}, 0, 0.0, 0},
    {WN_POINT_2D3V, WN_SHAPE_TSC, WN_GATHER_ENERGY, {N, N, N, D}, 0, 0.0, 0},
    {WN_POINT_2D3V, WN_SHAPE_TSC, WN_GATHER_MOMENTUM, {N, N, N, N}, 1, NAN, 0},
    {WN_POINT_3D3V, WN_SHAPE_CIC, WN_GATHER_MOMENTUM, {P, P, P, P, P, P}, 0, NAN, 0},
    {WN_POINT_3D3V, WN_SHAPE_TSC, WN_GATHER_ENERGY, {D, D, N, D, P, P}, 0, 0.0, 0},
    {WN_POINT_3D3V, WN_SHAPE_CIC, WN_GATHER_MOMENTUM, {O, O, O, O, O, O}, 0, 0.0, 0},
    {WN_POINT_3D3V, WN_SHAPE_TSC, WN_GATHER_MOMENTUM, {P, P, P, P, D, N}, 1, 0.0, 0},
    {WN_POINT_2D3V, WN_SHAPE_CIC, WN_GATHER_MOMENTUM, {D, D, D, D}, 0, 0.0, 0},
    {WN_POINT_3D3V, WN_SHAPE_CIC, WN_GATHER_ENERGY, {D, D, D, D, D, D}, 0, 0.0, 0},
    {WN_POINT_2D3V, WN_SHAPE_CIC, WN_GATHER_MOMENTUM, {D, D, P, P}, 2, 0.0, 0},
    {WN_POINT_2D3V, WN_SHAPE_CIC, WN_GATHER_MOMENTUM, {N, D, D, D}, 0, 0.0, 1},
    {WN_POINT_2D3V, WN_SHAPE_NGP, WN_GATHER_MOMENTUM, {N, O, P, P}, 0, 1e-9, 1},
    {WN_POINT_2D3V, WN_SHAPE_CIC, WN_GATHER_ENERGY, {N, N, N, N}, 0, NAN, 1},
    {WN_POINT_2D3V, WN_SHAPE_CIC, WN_GATHER_ENERGY, {N, O, D, N}, 0, 0.0, 1}};

static const char *const kind_name[] = {"1d3v", "2d2v", "2d3v", "3d3v"};
static const char *const shape_name[] = {"ngp", "cic", "tsc"};

static int make(struct field_pair *s, size_t c, size_t n)
{
  static const int32_t cells[3] = {15, 12, 9};
  /* electrons, light ions that also move, fixed ions */
  static const double charge[N_SPECIES] = {-1.0, 1.0, 0.5}, mass[N_SPECIES] = {1, 9, 100};
  field_pair_grid(s, cases[c].kind, cases[c].shape, cases[c].gather, cells, cases[c].side,
                  cases[c].method, cases[c].is_radial);
  for (int side = 0; side < 2 * s->spec.grid.dim; side++)
    s->spec.voltage[side] = (struct wn_voltage){.constant = 3.0 * side,
                                                .amplitude = 1.0,
                                                .frequency = 1e7,
                                                .start = -INFINITY,
                                                .end = INFINITY};
  s->spec.background = cases[c].background;
  for (int k = 0; k < N_SPECIES; k++)
    field_pair_species(s, cases[c].kind, n, charge[k], mass[k], k == 0, k == 2);
  snprintf(s->name, sizeof s->name, "case %zu, %s %s%s", c, kind_name[cases[c].kind],
           shape_name[cases[c].shape], cases[c].is_radial ? ", r-z" : "");
  return field_pair_make(s);
}

static double distance(const double *a, const double *b, size_t n)
{
  double most = 0.0, differ = 0.0;
  for (size_t i = 0; i < n; i++) {
    if (!isfinite(a[i]) || !isfinite(b[i]))
      return INFINITY;
    most = fmax(most, fabs(b[i]));
    differ = fmax(differ, fabs(a[i] - b[i]));
  }
  return differ == 0.0 ? 0.0 : differ / most;
}

/* The guards are compared, too: every float. */
static void compare_floats(struct field_pair *s, const char *when)
{
  struct wn_field_view here, there;
  float *e = calloc(s->n_floats, sizeof *e);
  double most = 0.0, differ = INFINITY;
  s->host->ops->view(s->host, &here);
  s->gpu->ops->view(s->gpu, &there);
  if (e != NULL &&
      gpu_array_get(gpu_device(), there.of.grid.e, e, s->n_floats * sizeof *e) == WN_OK) {
    differ = 0.0;
    for (size_t i = 0; i < s->n_floats; i++) {
      const double by = fabs((double)e[i] - (double)here.of.grid.e[i]);
      most = fmax(most, fabs((double)here.of.grid.e[i]));
      differ = by <= differ ? differ : isnan(by) ? INFINITY : by;
    }
  }
  ok(most > 0.0 && differ <= 1e-6 * most,
     "%s, %s: E for the particles (%.2g of %.3g V/m)", s->name, when, differ, most);
  free(e);
}

static void compare_grids(struct field_pair *s, const char *when)
{
  const double *here = NULL, *there = NULL;
  double *a = calloc(s->n, sizeof *a), *b = calloc(s->n, sizeof *b), worst = 0.0;
  double most = 0.0;
  int status = wn_field_charge(s->host, &here), same = 1;
  if (status == WN_OK)
    status = wn_field_charge(s->gpu, &there);
  ok(status == WN_OK && memcmp(here, there, s->n * sizeof *here) == 0,
     "%s, %s: rho, to the bit", s->name, when);
  status = wn_field_potential(s->host, &here);
  if (status == WN_OK)
    status = wn_field_potential(s->gpu, &there);
  const double phi = status == WN_OK ? distance(there, here, s->n) : INFINITY;
  /* multigrid: the residuals of both end at 1e-12 of the charge */
  const double near = s->spec.poisson.method == WN_POISSON_MULTIGRID ? 2e-11 : 1e-12;
  ok(phi < near, "%s, %s: potential (%.2g)", s->name, when, phi);
  for (int d = 0; d < s->spec.grid.dim; d++) {
    if (wn_field_e(s->host, d, a) != WN_OK || wn_field_e(s->gpu, d, b) != WN_OK)
      worst = INFINITY;
    for (size_t i = 0; i < s->n; i++)
      worst =
          isfinite(a[i]) && isfinite(b[i]) ? fmax(worst, fabs(a[i] - b[i])) : INFINITY;
  }
  for (size_t i = 0; i < s->n; i++)
    most = fmax(most, fabs(here[i]));
  worst *= s->spec.grid.h[0] / most;
  ok(worst < near, "%s, %s: E at the nodes (%.2g)", s->name, when, worst);
  for (size_t k = 0; k < N_SPECIES; k++)
    same = same && wn_field_density(s->host, k, a) == WN_OK &&
           wn_field_density(s->gpu, k, b) == WN_OK &&
           memcmp(a, b, s->n * sizeof *a) == 0 && distance(a, a, s->n) == 0.0;
  ok(same, "%s, %s: densities, to the bit", s->name, when);
  free(a);
  free(b);
}

/* Sizes of the terms of the sums: charge, and charge times potential. */
static void sizes_of(struct field_pair *s, double *charge, double *energy)
{
  const double *rho = NULL, *phi = NULL;
  const struct wn_grid_view *g = &s->spec.grid;
  const double volume =
      wn_nodes_cell(g) * (g->is_radial ? WN_PI * g->length[0] : 1.0); /* on average */
  *charge = *energy = 0.0;
  if (wn_field_charge(s->host, &rho) != WN_OK ||
      wn_field_potential(s->host, &phi) != WN_OK)
    return;
  for (size_t i = 0; i < s->n; i++) {
    *charge += fabs(rho[i]) * volume;
    *energy += fabs(rho[i] * phi[i]) * volume;
  }
}

static void compare_sums(struct field_pair *s, const char *when)
{
  struct wn_field_sums here, there;
  const double *rho = NULL, *phi = NULL;
  struct wn_poisson *p = NULL;
  double charge, energy;
  sizes_of(s, &charge, &energy);
  if (!ok(wn_field_sums(s->host, &here) == WN_OK &&
              wn_field_sums(s->gpu, &there) == WN_OK,
          "%s, %s: sums", s->name, when))
    return;
  ok(fabs(here.charge - there.charge) <= 1e-12 * charge, "charge %.9g, host %.9g",
     there.charge, here.charge);
  /* of mirrors and no walls the pairs' sizes are not below those of the edges; walls have
   * energy of their own */
  ok(here.energy != 0.0 &&
         fabs(here.energy - there.energy) <= 1e-11 * (fabs(here.energy) + energy),
     "energy %.9g, host %.9g", there.energy, here.energy);
  /* each is a difference of two integrals of the potential, of energy/charge or so */
  const struct wn_poisson_spec *grid = &s->spec.poisson;
  const int is_radial = s->spec.grid.is_radial;
  ok(!is_radial || (isnan(here.drop[0]) && isnan(there.drop[0])),
     "no drop of the potential along r");
  for (int d = is_radial; d < 3; d++) {
    double area = is_radial ? WN_PI * s->spec.grid.length[0] : 1.0;
    for (int o = 0; o < grid->dim; o++)
      area *= o != d ? (double)grid->cells[o] * wn_poisson_h(grid, o) : 1.0;
    ok(fabs(here.drop[d] - there.drop[d]) <=
           1e-10 * (fabs(here.drop[d]) + energy / charge * area),
       "drop of the potential along %d %.9g, host %.9g", d, there.drop[d], here.drop[d]);
  }
  /* what is left of Gauss's law are roundings of phi, by as many as there are cells; where nothing holds phi,
   * the charge that electrons which left have taken */
  ok(s->spec.poisson.method == WN_POISSON_SPECTRAL ||
             s->spec.poisson.side[0] == WN_OPEN ||
             (is_radial && wn_poisson_is_floating(grid))
         ? fabs(here.gauss - there.gauss) <= 1e-9 * (charge + fabs(here.gauss))
         : fabs(there.gauss) <= 1e-9 * charge + 1e-12 * WN_EPS0 * 10.0,
     "Gauss %.3g, host %.3g, of charges of %.3g C", there.gauss, here.gauss, charge);
  if (s->spec.poisson.method == WN_POISSON_SPECTRAL) {
    ok(isnan(there.residual), "no residual of the spectral method");
    return;
  }
  if (is_radial) { /* of the equation by volumes, which mixed.c and the solver of the GPU hold to rounding */
    ok(there.residual < 1e-10 && here.residual < 1e-10, "residual %.3g, host's %.3g",
       there.residual, here.residual);
    return;
  }
  double left = NAN;
  if (wn_field_charge(s->gpu, &rho) == WN_OK &&
      wn_field_potential(s->gpu, &phi) == WN_OK &&
      wn_poisson_create(&s->spec.poisson, &p) == WN_OK)
    left = poisson_residual(p, rho, phi);
  wn_poisson_free(p);
  /* of the same arrays; the mean that is taken out is another sum */
  ok(fabs(there.residual - left) <= 1e-15 + 1e-9 * left,
     "residual %.3g, host's of it %.3g", there.residual, left);
}

/* phi agrees to rounding, and each sum has all nodes. */
static void compare_waves(struct field_pair *s, const char *when)
{
  struct wn_waves w = drawn_waves(s->spec.grid.dim, s->spec.grid.cells);
  double here[DRAWN_WAVES][2], there[DRAWN_WAVES][2], most = 0.0, off = 0.0;
  const double *phi = NULL;
  const int made = wn_field_waves(s->host, &w, here[0]) == WN_OK &&
                   wn_field_waves(s->gpu, &w, there[0]) == WN_OK &&
                   wn_field_potential(s->host, &phi) == WN_OK;
  for (size_t i = 0; made && i < s->n; i++)
    most = fmax(most, fabs(phi[i]));
  for (size_t m = 0; made && m < w.n; m++)
    for (int c = 0; c < 2; c++)
      off = fmax(off, fabs(here[m][c] - there[m][c]));
  ok(made && off <= 1e-12 * most, "%s, %s: waves, off by %.2g of %.2g", s->name, when,
     off, most);
  drawn_waves_free(&w);
}

/* Newcomers behind those that are there: n, and of the fixed ions, which have half a charge,
 * two in the place of each, so that what was neutral still is. */
static int grow(struct field_pair *s, int kind, size_t n)
{
  struct wn_particles new;
  WN_TRY(points_draw(&new, &s->spec.grid, kind, n, 1e6));
  int status = WN_OK;
  for (int k = 0; k < N_SPECIES && status == WN_OK; k += 2) {
    status = wn_particles_host(&s->p[k]);
    s->p[k].limit += 2 * n;
    for (int copy = 0; copy < 1 + k / 2 && status == WN_OK; copy++)
      status = wn_particles_append(&s->p[k], new.e, n);
    if (status == WN_OK)
      status = wn_gpu_hold(gpu_device(), &s->p[k], 0.0);
  }
  wn_particles_clear(&new);
  return status;
}

static void whole(size_t c)
{
  struct field_pair s;
  draw_state = 431 + c;
  const int status = make(&s, c, gpu_size(4001, 301));
  if (ok(status == WN_OK, "%s: made", s.name))
    for (int step = 0; step < 2; step++) {
      const char *when = step == 0 ? "first" : "second";
      if (step == 1)
        ok(grow(&s, cases[c].kind, 211) == WN_OK, "%s: 211 newcomers", s.name);
      /* the second is longer: others leave, and the voltages are others */
      const double t = step == 0 ? 0.0 : 4e-9, dt = step == 0 ? 0.5e-9 : 2e-9;
      if (!ok(field_pair_solve(&s, s.host, t, dt) == WN_OK &&
                  field_pair_solve(&s, s.gpu, t, dt) == WN_OK,
              "%s, %s: solved", s.name, when))
        break;
      compare_floats(&s, when);
      compare_sums(&s, when);
      compare_waves(&s, when);
      compare_grids(&s, when);
      if (step == 1)
        field_pair_again(&s);
    }
  field_pair_clear(&s);
}

/* One weight that is no number: the sums of that step say so, and the next solve. */
static void misfit(void)
{
  struct field_pair s;
  struct wn_field_sums sums;
  draw_state = 432;
  int status = make(&s, 12, 100);
  if (status == WN_OK) {
    status = wn_particles_host(&s.p[0]);
    ((union wn_word *)wn_particles_at(&s.p[0], 7))[6].f = -1.0f;
    status = wn_gpu_hold(gpu_device(), &s.p[0], 0.0);
  }
  capture();
  int first = field_pair_solve(&s, s.gpu, 0.0, 1e-9);
  int summed = first == WN_OK ? wn_field_sums(s.gpu, &sums) : first;
  int next = field_pair_solve(&s, s.gpu, 0.0, 1e-9);
  const char *text = captured();
  ok(status == WN_OK && summed == WN_ERUN && next == WN_ERUN &&
         strstr(text, "the weights of 1 particles") != NULL,
     "a weight below 0 ends the run: %s", text);
  field_pair_clear(&s);
}

static void memory(void)
{
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c += 3) {
    struct field_pair s;
    struct wn_gpu *g = gpu_device();
    const size_t before = wn_gpu_used(g);
    draw_state = 433;
    int status = make(&s, c, 1);
    if (status == WN_OK) {
      size_t told;
      double used;
      status = field_pair_takes(&s, &used, &told);
      /* rounding to whole lines counts in grids as small as these */
      ok(status == WN_OK && fabs((double)told - used) <= 0.05 * used + 8192.0,
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
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c += gpu_size(1, 5))
    whole(c);
  misfit();
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
