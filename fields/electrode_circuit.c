/* fields/electrode_circuit.c - see electrode_circuit.h. */
#include "fields/electrode_circuit.h"
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "fields/electrostatic_parts.h"
#include "physics/constants.h"

#define MOST WN_MOST_ELECTRODES

static void charges(const struct wn_electrostatic *f, const double *rho,
                    const double *phi, double out[MOST])
{
  const struct wn_poisson_spec *s = &f->spec.poisson;
  wn_electrodes_charges(f->electrodes, &s->geometry, s->side, rho, phi,
                        f->spec.n_electrodes, out);
}

/* The solution of 1 V at a loop's electrode. */
static int solve_unit(struct wn_electrostatic *f, struct wn_electrode_circuits *c, int j,
                      double *rho)
{
  struct wn_electrode_loop *l = &c->loop[j];
  double volt[WN_SIDES + MOST] = {0.0}, q[MOST];
  volt[2 * f->grid.dim + l->electrode] = 1.0;
  WN_TRY(wn_electrodes_solve(f->electrodes, f->poisson, rho, volt, l->unit));
  charges(f, rho, l->unit, q);
  for (int i = 0; i < c->n; i++)
    c->loop[i].capacity[j] = q[c->loop[i].electrode];
  return WN_OK;
}

static int solve_units(struct wn_electrostatic *f, struct wn_electrode_circuits *c)
{
  double *rho = wn_alloc(f->n_nodes, sizeof *rho);
  int status = rho != NULL ? WN_OK : WN_ENOMEM;
  for (int j = 0; j < c->n && status == WN_OK; j++)
    status = solve_unit(f, c, j, rho);
  free(rho);
  return status;
}

int wn_electrode_circuits_create(struct wn_electrostatic *f)
{
  int n = 0;
  for (int i = 0; i < f->spec.n_electrodes; i++)
    n += wn_wall_has_circuit(&f->spec.loop[i]);
  if (n == 0)
    return WN_OK;
  struct wn_electrode_circuits *c = wn_alloc(1, sizeof *c);
  if (c == NULL)
    return WN_ENOMEM;
  f->loops = c; /* freed with the field */
  for (int i = 0; i < f->spec.n_electrodes; i++)
    if (wn_wall_has_circuit(&f->spec.loop[i])) {
      struct wn_electrode_loop *l = &c->loop[c->n];
      l->electrode = i;
      l->circuit = f->spec.loop[i];
      l->unit = wn_alloc(f->n_nodes, sizeof *l->unit);
      if (l->unit == NULL)
        return WN_ENOMEM;
      c->n++;
    }
  return solve_units(f, c);
}

size_t wn_electrode_circuits_bytes(const struct wn_electrostatic_spec *spec, size_t nodes)
{
  size_t n = 0;
  for (int i = 0; i < spec->n_electrodes; i++)
    n += wn_wall_has_circuit(&spec->loop[i]) ? 1 : 0;
  return n * nodes * sizeof(double);
}

void wn_electrode_circuits_free(struct wn_electrode_circuits *c)
{
  for (int i = 0; c != NULL && i < MOST; i++)
    free(c->loop[i].unit);
  free(c);
}

void wn_electrode_circuits_begin(const struct wn_electrostatic *f, double *volt)
{
  const struct wn_electrode_circuits *c = f->loops;
  for (int i = 0; i < c->n; i++)
    volt[2 * f->grid.dim + c->loop[i].electrode] = c->loop[i].level.potential;
}

/* Of n equations with a dominant diagonal. */
static void eliminate(int n, double a[MOST][MOST], double b[MOST])
{
  for (int i = 0; i < n; i++)
    for (int k = i + 1; k < n; k++) {
      const double part = a[k][i] / a[i][i];
      for (int j = i; j < n; j++)
        a[k][j] -= part * a[i][j];
      b[k] -= part * b[i];
    }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++)
      b[i] -= a[i][j] * b[j];
    b[i] /= a[i][i];
  }
}

static double convected(const struct wn_electrostatic *f,
                        const struct wn_electrode_loop *l)
{
  double sum = 0.0;
  for (size_t k = 0; k < f->spec.n_species; k++)
    sum += f->spec.charge[k] / WN_QUANTA * (double)l->taken[k];
  return sum;
}

void wn_electrode_circuits_end(struct wn_electrostatic *f, const double *source,
                               double *phi)
{
  struct wn_electrode_circuits *c = f->loops;
  const int sides = 2 * f->grid.dim, n = c->n;
  const double h = 0.5 * (c->last_dt + c->dt), share = c->before > 0.0 ? 0.5 : 0.0;
  double q[MOST], a[MOST], b[MOST], matrix[MOST][MOST], right[MOST], c0, c2;
  wn_wall_derivative(h, c->before, &c0, &c2);
  charges(f, f->rho, phi, q);
  for (int i = 0; i < n; i++) {
    const struct wn_electrode_loop *l = &c->loop[i];
    const int floats = l->circuit.floats;
    wn_wall_line(&l->circuit, &l->level, source[sides + l->electrode], c0, c2, &a[i],
                 &b[i]);
    right[i] = l->level.charge + convected(f, l) - q[l->electrode] +
               (floats ? 0.0 : a[i] / b[i]);
    for (int j = 0; j < n; j++) {
      right[i] += l->capacity[j] * c->loop[j].level.potential;
      matrix[i][j] = l->capacity[j] + (i == j && !floats ? 1.0 / b[i] : 0.0);
    }
  }
  eliminate(n, matrix, right);
  for (int i = 0; i < n; i++) {
    struct wn_electrode_loop *l = &c->loop[i];
    const double change = right[i] - l->level.potential;
    for (size_t k = 0; k < f->n_nodes; k++)
      phi[k] += change * l->unit[k];
    for (int j = 0; j < n; j++)
      q[c->loop[j].electrode] += c->loop[j].capacity[i] * change;
  }
  for (int i = 0; i < n; i++) {
    struct wn_electrode_loop *l = &c->loop[i];
    const double x = l->circuit.floats ? 0.0 : (a[i] - right[i]) / b[i];
    wn_wall_advance(&l->circuit, &l->level, x, c0, c2, share,
                    source[sides + l->electrode], convected(f, l));
    l->level.potential = right[i];
    l->charge = q[l->electrode];
  }
  c->before = h;
  c->last_dt = c->dt;
}

/* What surfaces have taken is told before each solve. */
int wn_electrode_circuits_state(struct wn_electrode_circuits *c, struct wn_state *s)
{
  WN_TRY(WN_STATE(s, c->before));
  WN_TRY(WN_STATE(s, c->last_dt));
  for (int i = 0; i < c->n; i++)
    WN_TRY(WN_STATE(s, c->loop[i].level));
  return WN_OK;
}
