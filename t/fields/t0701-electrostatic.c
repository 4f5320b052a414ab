/* t0701-electrostatic.c - defends: the field `electrostatic` on the host gives what its parts give alone, on
 * grids of one to three dimensions with all kinds of sides: the charge of the particles and the
 * background; phi that solves Poisson's equation for it; E of that phi at the nodes, and as the particles
 * take it, guards included; integrals of the same arrays: Gauss's law also where walls of different
 * voltages or open sides meet, and the energy with the charges of walls.  Reference: wn_poisson_solve and
 * wn_poisson_field of the charge that it says, and plain sums.
 *
 * Thresholds: phi and E: none.  Sums of at most 3000 terms: 1e-12 of the sum of their sizes; Gauss's law
 * and the energy by rho phi, in which phi has errors of some 1e-14 times the cells: 1e-9. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "fields/charge_nodes.h"
#include "fields/electrostatic.h"
#include "physics/constants.h"
#include "t/tap/grid.h"
#include "t/tap/poisson_residual.h"
#include "t/tap/tap.h"

enum { P = WN_PERIODIC, D = WN_DIRICHLET, N = WN_NEUMANN, O = WN_OPEN };

static const struct {
  int kind, shape, gather, side[6], method;
  double background; /* C/m3 */
} cases[] = {
    {WN_POINT_1D3V, WN_SHAPE_CIC, WN_GATHER_MOMENTUM, {P, P}, 0, 0.0},
    {WN_POINT_1D3V, WN_SHAPE_TSC, WN_GATHER_ENERGY, {D, N}, 0, 1e-9},
    {WN_POINT_1D3V, WN_SHAPE_CIC, WN_GATHER_MOMENTUM, {P, P}, 1, NAN},
    {WN_POINT_1D3V, WN_SHAPE_CIC, WN_GATHER_ENERGY, {O, O}, 0, 0.0},
    {WN_POINT_2D3V, WN_SHAPE_CIC, WN_GATHER_MOMENTUM, {N, N, P, P}, 0, 0.0},
    {WN_POINT_2D2V, WN_SHAPE_TSC, WN_GATHER_ENERGY, {D, D, N, D}, 0, 0.0},
    {WN_POINT_2D3V, WN_SHAPE_CIC, WN_GATHER_MOMENTUM, {P, P, P, P}, 1, NAN},
    {WN_POINT_3D3V, WN_SHAPE_CIC, WN_GATHER_MOMENTUM, {P, P, P, P, P, P}, 0, NAN},
    {WN_POINT_3D3V, WN_SHAPE_CIC, WN_GATHER_ENERGY, {N, N, N, N, P, P}, 0, 1e-9},
    {WN_POINT_3D3V, WN_SHAPE_TSC, WN_GATHER_MOMENTUM, {D, D, P, P, N, D}, 0, 0.0},
    {WN_POINT_3D3V, WN_SHAPE_CIC, WN_GATHER_MOMENTUM, {O, O, O, O, O, O}, 0, 0.0},
    {WN_POINT_2D3V, WN_SHAPE_CIC, WN_GATHER_MOMENTUM, {D, D, D, D}, 0, 0.0},
    {WN_POINT_3D3V, WN_SHAPE_CIC, WN_GATHER_ENERGY, {D, D, D, D, D, D}, 0, 1e-9},
    {WN_POINT_2D3V, WN_SHAPE_TSC, WN_GATHER_MOMENTUM, {O, O, O, O}, 0, 0.0}};

/* Of each side another: where two walls meet, one node of an edge has the voltage of the other wall. */
static double voltage(int side)
{
  return 3.0 * side;
}

/* A field of one species, and what the parts give for its charge. */
struct test {
  struct wn_electrostatic_spec spec;
  struct wn_charge_nodes nodes;
  struct wn_particles p;
  struct wn_field *field;
  struct wn_poisson *poisson;
  const double *rho, *phi;
  double *want;
  size_t n;
  char name[32];
};

static void make(struct test *t, size_t c)
{
  static const int32_t cells[3] = {15, 12, 9};
  const int kind = cases[c].kind, dim = wn_point_dim(kind);
  *t = (struct test){.n = 1};
  struct wn_electrostatic_spec *s = &t->spec;
  s->grid = grid_make(dim, cases[c].shape, cases[c].gather, cells, 0, 0, 1e-3);
  s->poisson = (struct wn_poisson_spec){
      .dim = dim, .method = (enum wn_poisson_method)cases[c].method, .threads = 2};
  s->n_species = 1;
  s->background = cases[c].background;
  s->charge[0] = -1e6 * WN_E;
  for (int side = 0; side < 2 * dim; side++) {
    const int what = cases[c].side[side];
    s->poisson.side[side] = (enum wn_potential)what;
    s->grid.side[side] = what == P   ? WN_SIDE_PERIODIC
                         : what == O ? WN_SIDE_OPEN
                         : what == D ? WN_SIDE_ABSORB
                                     : WN_SIDE_REFLECT;
    s->voltage[side] = (struct wn_voltage){
        .constant = voltage(side), .start = -INFINITY, .end = INFINITY};
  }
  for (int d = 0; d < dim; d++) {
    s->grid.h[d] = 1e-3 * (1.0 + 0.3 * d);
    s->grid.per_h[d] = 1.0 / s->grid.h[d];
    s->grid.length[d] = s->grid.h[d] * s->grid.cells[d];
    s->poisson.cells[d] = (size_t)cells[d];
    t->n *= (size_t)cells[d] + 1;
  }
  wn_poisson_uniform(&s->poisson, s->grid.h);
  s->points[0] =
      (struct wn_points){.grid = s->grid, .kind = kind, .charge = -WN_E, .mass = WN_ME};
  wn_points_prepare(&s->points[0]);
  t->nodes = wn_charge_nodes(&s->grid, &s->poisson);
  t->want = calloc(t->n, sizeof *t->want);
  snprintf(t->name, sizeof t->name, "case %zu, %d-D", c, dim);
  if (t->want == NULL || points_draw(&t->p, &s->grid, kind, 1000, 1e5) != WN_OK ||
      wn_electrostatic_create(s, &t->field) != WN_OK ||
      wn_poisson_create(&s->poisson, &t->poisson) != WN_OK)
    abort();
}

static void clear(struct test *t)
{
  t->field->ops->free(t->field);
  wn_poisson_free(t->poisson);
  wn_particles_clear(&t->p);
  free(t->want);
}

/* phi by the solver alone; E by wn_poisson_field of it. */
static void check_field(struct test *t)
{
  const struct wn_grid_view *g = &t->spec.grid;
  const int staggered = g->gather == WN_GATHER_ENERGY;
  double volt[6], *e = calloc(t->n, sizeof *e);
  struct wn_field_view view;
  size_t wrong = 0, differ = 0, n_e = 0;
  for (int side = 0; side < 6; side++)
    volt[side] = voltage(side);
  int status = wn_poisson_solve(t->poisson, t->rho, volt, t->want);
  for (size_t i = 0; i < t->n; i++)
    wrong += t->phi[i] != t->want[i];
  ok(status == WN_OK && wrong == 0, "%s: phi of the charge (%zu differ)", t->name, wrong);
  wrong = 0;
  t->field->ops->view(t->field, &view);
  for (int d = 0; d < g->dim; d++) {
    int32_t node[3];
    wn_poisson_field(t->poisson, t->phi, d, 0, t->want);
    status |= wn_field_e(t->field, d, e);
    for (size_t i = 0; i < t->n; i++)
      wrong += e[i] != t->want[i];
    wn_poisson_field(t->poisson, t->phi, d, staggered, t->want);
    for (int64_t i = 0; grid_next(g, i, node); i++, n_e++) {
      int64_t at[3] = {0, 0, 0};
      int sign = 1, turned;
      for (int c = 0; c < g->dim; c++) {
        turned = 1;
        at[c] = wn_nodes_beyond(&t->nodes, c, node[c], staggered && c == d, &turned);
        sign = c == d ? turned : sign;
      }
      const double want =
          t->want[(at[2] * wn_nodes_along(g, 1) + at[1]) * wn_nodes_along(g, 0) + at[0]];
      differ += view.of.grid.e[i * g->stride + d] != (float)(sign * want);
    }
  }
  ok(status == WN_OK && wrong == 0, "%s: E at the nodes (%zu differ)", t->name, wrong);
  ok(n_e > 0 && differ == 0, "%s: E for the particles (%zu of %zu differ)", t->name,
     differ, n_e);
  free(e);
}

/* The part of a cell of node i; 0: the second end of a periodic axis. */
static double part_of(const struct test *t, size_t i)
{
  double part = 1.0;
  for (int d = 0; d < t->spec.grid.dim; d++) {
    const size_t n = (size_t)t->spec.grid.cells[d] + 1;
    part *= wn_nodes_is_copy(&t->nodes, d, (int64_t)(i % n))  ? 0.0
            : wn_nodes_is_end(&t->nodes, d, (int64_t)(i % n)) ? 0.5
                                                              : 1.0;
    i /= n;
  }
  return part;
}

/* Whether node i lies in a side that holds phi. */
static int is_held(const struct test *t, size_t i)
{
  int held = 0;
  for (int d = 0; d < t->spec.grid.dim; d++) {
    const size_t n = (size_t)t->spec.grid.cells[d] + 1;
    held |= (i % n == 0 && wn_nodes_are_held(&t->nodes, 2 * d)) ||
            (i % n == n - 1 && wn_nodes_are_held(&t->nodes, 2 * d + 1));
    i /= n;
  }
  return held;
}

/* eps0 times the flux out of the volume of node i, which is no copy, by the differences to all its
 * neighbours, in walls as well: the charge there. */
static double flux_of(const struct test *t, size_t i)
{
  const struct wn_grid_view *g = &t->spec.grid;
  const double *phi = t->phi + i;
  double out = 0.0;
  size_t step = 1;
  for (int d = 0; d < g->dim; d++) {
    const size_t n = (size_t)g->cells[d] + 1, at = i / step % n;
    const int is_end = wn_nodes_is_end(&t->nodes, d, (int64_t)at);
    const double along =
        part_of(t, i) * (is_end ? 2.0 : 1.0) * wn_nodes_cell(g) / (g->h[d] * g->h[d]);
    if (at > 0)
      out += along * (phi[0] - phi[-(ptrdiff_t)step]);
    else if (!is_end)
      out += along * (phi[0] - phi[(n - 2) * step]);
    if (at < n - 1)
      out += along * (phi[0] - phi[step]);
    step *= n;
  }
  return WN_EPS0 * out;
}

/* Gauss's law summed over the volumes inside, and the energy of all charges by phi. */
static void check_fluxes(struct test *t, size_t c, const struct wn_field_sums *s,
                         double charge)
{
  const double cell = wn_nodes_cell(&t->spec.grid);
  double gauss = 0.0, energy = 0.0, size = 0.0;
  for (size_t i = 0; i < t->n; i++) {
    const double part = part_of(t, i), flux = part > 0.0 ? flux_of(t, i) : 0.0;
    gauss += is_held(t, i) ? 0.0 : t->rho[i] * part * cell - flux;
    energy += 0.5 * flux * t->phi[i];
    size += fabs(0.5 * flux * t->phi[i]);
  }
  ok(fabs(s->gauss - gauss) <= 1e-9 * charge,
     "%s: Gauss's law, but for %.3g C, %.3g of all nodes", t->name, s->gauss, gauss);
  if (cases[c].side[0] ==
      O) /* its pairs, and another Green's function than that of differences */
    return;
  ok(fabs(s->gauss) <= 1e-9 * charge, "%s: Gauss's law, but for %.3g of %.3g C", t->name,
     s->gauss, charge);
  ok(fabs(s->energy - energy) <= 1e-12 * size,
     "%s: energy %.12g, %.12g of the charges, with those of walls", t->name, s->energy,
     energy);
}

static void check_sums(struct test *t, size_t c)
{
  const double cell = wn_nodes_cell(&t->spec.grid);
  double charge = 0.0, size = 0.0, pairs = 0.0, pair_size = 0.0;
  struct wn_field_sums s;
  if (!ok(wn_field_sums(t->field, &s) == WN_OK, "%s: sums", t->name))
    return;
  const int is_floating = wn_poisson_is_floating(&t->spec.poisson);
  for (size_t i = 0; i < t->n; i++) {
    const double q = t->rho[i] * part_of(t, i) * cell;
    charge += q;
    size += fabs(q);
    pairs += 0.5 * q * t->phi[i];
    pair_size += fabs(0.5 * q * t->phi[i]);
  }
  ok(fabs(s.charge - charge) <= 1e-12 * size, "%s: charge %.12g, %.12g summed", t->name,
     s.charge, charge);
  if (isnan(cases[c].background))
    ok(fabs(s.charge) <= 1e-12 * size, "%s: neutral, but for %.3g of %.3g C", t->name,
       s.charge, size);
  if (cases[c].method == WN_POISSON_SPECTRAL) {
    ok(isnan(s.residual), "%s: no residual by differences", t->name);
  } else {
    const double left = poisson_residual(t->poisson, t->rho, t->phi);
    ok(fabs(s.residual - left) <= 1e-15 + 1e-9 * left, "%s: residual %.3g, %.3g alone",
       t->name, s.residual, left);
  }
  if (is_floating || cases[c].side[0] == O) /* no charge on walls; the mean of phi is 0 */
    ok(fabs(s.energy - pairs) <= 1e-9 * pair_size, "%s: energy %.9g, %.9g of pairs",
       t->name, s.energy, pairs);
  if (!is_floating)
    check_fluxes(t, c, &s, size);
}

/* rho is that of the species and the background, at nodes in walls, too. */
static void check_density(struct test *t, size_t c)
{
  double most = 0.0, worst = 0.0, *n = calloc(t->n, sizeof *n);
  if (isnan(cases[c].background)) { /* what makes it neutral is not said */
    free(n);
    return;
  }
  const int status = wn_field_density(t->field, 0, n);
  for (size_t i = 0; i < t->n && status == WN_OK; i++) {
    const double of_species = t->rho[i] - cases[c].background;
    most = fmax(most, fabs(of_species));
    worst = fmax(worst, fabs(t->spec.charge[0] * n[i] - of_species));
  }
  ok(status == WN_OK && most > 0.0 && worst <= 1e-12 * most,
     "%s: density of the species, within %.2g", t->name, worst / most);
  free(n);
}

int main(void)
{
  plan(0);
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    struct test t;
    make(&t, c);
    struct wn_particles *p = &t.p;
    if (ok(t.field->ops->solve(t.field, &p, 1, 0.0, 1e-9) == WN_OK &&
               wn_field_charge(t.field, &t.rho) == WN_OK &&
               wn_field_potential(t.field, &t.phi) == WN_OK,
           "%s: a solve", t.name)) {
      check_field(&t);
      check_sums(&t, c);
      check_density(&t, c);
    }
    clear(&t);
  }
  return done();
}
