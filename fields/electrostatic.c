/* fields/electrostatic.c - see electrostatic.h. */
#include "fields/electrostatic.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "fields/deposit.h"
#include "physics/constants.h"

struct electrostatic {
  struct wn_field field;
  struct wn_electrostatic_spec spec;
  struct wn_grid_view grid; /* with e */
  struct wn_poisson *poisson;
  size_t n_nodes, n_padded;          /* without and with guards */
  int64_t *quanta[WN_FIELD_SPECIES]; /* [n_padded] */
  int known[WN_FIELD_SPECIES];       /* the quanta of a fixed species are there */
  double background;                 /* C/m3 */
  int has_background;
  double volt[6];
  double *rho, *phi, *component; /* [n_nodes] */
  float *e;                      /* [n_padded][stride] */
};

static struct electrostatic *of(struct wn_field *field)
{
  WN_ASSERT(field->ops == &wn_field_electrostatic);
  return (struct electrostatic *)(void *)field;
}

static const struct electrostatic *of_const(const struct wn_field *field)
{
  WN_ASSERT(field->ops == &wn_field_electrostatic);
  return (const struct electrostatic *)(const void *)field;
}

/* ---- nodes */

struct node {
  int64_t i[3];
};

static int64_t nodes_along(const struct wn_grid_view *g, int d)
{
  return d < g->dim ? g->cells[d] + 1 : 1;
}

static int is_periodic(const struct electrostatic *f, int d)
{
  return f->spec.poisson.side[2 * d] == WN_PERIODIC;
}

/* Node number n of an array without guards, and its place in one with guards. */
static struct node node_of(const struct wn_grid_view *g, int64_t n)
{
  struct node at;
  for (int d = 0; d < WN_MAX_DIM; d++) {
    at.i[d] = n % nodes_along(g, d);
    n /= nodes_along(g, d);
  }
  return at;
}

static int64_t padded(const struct wn_grid_view *g, const struct node *at)
{
  int64_t n = g->first;
  for (int d = 0; d < g->dim; d++)
    n += at->i[d] * g->step[d];
  return n;
}

static int64_t plain(const struct wn_grid_view *g, const struct node *at)
{
  int64_t n = 0;
  for (int d = WN_MAX_DIM - 1; d >= 0; d--)
    n = n * nodes_along(g, d) + (d < g->dim ? at->i[d] : 0);
  return n;
}

/* The part of a cell's volume that belongs to a node: half at a wall, along each axis.
 * Of a periodic axis both ends are one node. */
static double share(const struct electrostatic *f, const struct node *at)
{
  double part = 1.0;
  for (int d = 0; d < f->grid.dim; d++)
    if (!is_periodic(f, d) && (at->i[d] == 0 || at->i[d] == f->grid.cells[d]))
      part *= 0.5;
  return part;
}

/* Whether a node stands for others, too, and is not counted in sums. */
static int is_copy(const struct electrostatic *f, const struct node *at)
{
  for (int d = 0; d < f->grid.dim; d++)
    if (is_periodic(f, d) && at->i[d] == f->grid.cells[d])
      return 1;
  return 0;
}

static double cell_volume(const struct wn_grid_view *g)
{
  double v = 1.0;
  for (int d = 0; d < g->dim; d++)
    v *= g->h[d];
  return v;
}

/* ---- life */

static void destroy(struct wn_field *field)
{
  if (field == NULL)
    return;
  struct electrostatic *f = of(field);
  for (size_t k = 0; k < f->spec.n_species; k++)
    free(f->quanta[k]);
  wn_poisson_free(f->poisson);
  free(f->rho);
  free(f->phi);
  free(f->component);
  free(f->e);
  free(f);
}

size_t wn_electrostatic_bytes(const struct wn_electrostatic_spec *spec)
{
  size_t plain_nodes = 1, all = (size_t)wn_grid_nodes(&spec->grid);
  for (int d = 0; d < spec->grid.dim; d++)
    plain_nodes *= (size_t)nodes_along(&spec->grid, d);
  return all * (spec->n_species * sizeof(int64_t) +
                (size_t)spec->grid.stride * sizeof(float)) +
         plain_nodes * 3 * sizeof(double) + wn_poisson_bytes(&spec->poisson);
}

int wn_electrostatic_create(const struct wn_electrostatic_spec *spec,
                            struct wn_field **out)
{
  struct electrostatic *f = wn_alloc(1, sizeof *f);
  if (f == NULL)
    return WN_ENOMEM;
  WN_ASSERT(spec->n_species <= WN_FIELD_SPECIES);
  f->field.ops = &wn_field_electrostatic;
  f->spec = *spec;
  f->grid = spec->grid;
  f->n_padded = (size_t)wn_grid_nodes(&f->grid);
  f->n_nodes = 1;
  for (int d = 0; d < f->grid.dim; d++)
    f->n_nodes *= (size_t)nodes_along(&f->grid, d);
  f->rho = wn_alloc(f->n_nodes, sizeof *f->rho);
  f->phi = wn_alloc(f->n_nodes, sizeof *f->phi);
  f->component = wn_alloc(f->n_nodes, sizeof *f->component);
  f->e = wn_alloc_aligned(f->n_padded * (size_t)f->grid.stride, sizeof *f->e, 64);
  f->grid.e = f->e;
  int status = f->rho != NULL && f->phi != NULL && f->component != NULL && f->e != NULL
                   ? WN_OK
                   : WN_ENOMEM;
  for (size_t k = 0; k < spec->n_species && status == WN_OK; k++) {
    f->quanta[k] = wn_alloc(f->n_padded, sizeof *f->quanta[k]);
    if (f->quanta[k] == NULL)
      status = WN_ENOMEM;
  }
  f->has_background = !isnan(spec->background);
  f->background = f->has_background ? spec->background : 0.0;
  if (status == WN_OK)
    status = wn_poisson_create(&spec->poisson, &f->poisson);
  if (status != WN_OK) {
    destroy(&f->field);
    return status;
  }
  *out = &f->field;
  return WN_OK;
}

/* ---- the step */

static double voltage(const struct wn_voltage *v, double t)
{
  if (!(t >= v->start && t < v->end))
    return 0.0;
  if (v->amplitude == 0.0)
    return v->constant;
  return v->constant + v->amplitude * sin(2.0 * WN_PI * v->frequency * t + v->phase);
}

/* C/m3 from the quanta; the first time, what neutralises them is found. */
static void sum_charge(struct electrostatic *f)
{
  const double per_volume = 1.0 / (WN_QUANTA * cell_volume(&f->grid));
  double total = 0.0, volume = 0.0;
  for (size_t n = 0; n < f->n_nodes; n++) {
    const struct node at = node_of(&f->grid, (int64_t)n);
    const int64_t i = padded(&f->grid, &at);
    const double part = share(f, &at);
    double sum = 0.0;
    for (size_t k = 0; k < f->spec.n_species; k++)
      sum += f->spec.charge[k] * (double)f->quanta[k][i];
    f->rho[n] = sum * per_volume / part;
    if (!is_copy(f, &at)) {
      total += f->rho[n] * part;
      volume += part;
    }
  }
  if (!f->has_background) {
    f->background = -total / volume;
    f->has_background = 1;
  }
  for (size_t n = 0; n < f->n_nodes; n++)
    f->rho[n] += f->background;
}

/* Which entry of an array without guards a padded node at index i along d takes, and
 * whether with the other sign: beyond a periodic axis its other end, beyond a plane of
 * symmetry the mirror image, beyond another wall that of the wall.  staggered: entries lie
 * at i + 1/2, the last but one is that of the last cell. */
static int64_t beyond(const struct electrostatic *f, int d, int64_t i, int staggered,
                      int *sign)
{
  const int64_t n = f->grid.cells[d], last = staggered ? n - 1 : n;
  const int high = i > last, low = i < 0;
  if (!high && !low)
    return i;
  if (is_periodic(f, d))
    return (i + n) % n;
  if (f->spec.poisson.side[2 * d + high] != WN_NEUMANN)
    return low ? 0 : last;
  *sign = -*sign;
  if (low)
    return staggered ? -1 - i : -i;
  return staggered ? 2 * n - 1 - i : 2 * n - i;
}

/* A component from [n_nodes] to the interleaved array with guards. */
static void spread(struct electrostatic *f, int component, int staggered)
{
  const struct wn_grid_view *g = &f->grid;
  int64_t along[3] = {1, 1, 1};
  for (int d = 0; d < g->dim; d++)
    along[d] = nodes_along(g, d) + 2 * WN_GRID_GUARD;
  size_t to = (size_t)component;
  for (int64_t z = 0; z < along[2]; z++)
    for (int64_t y = 0; y < along[1]; y++)
      for (int64_t x = 0; x < along[0]; x++, to += (size_t)g->stride) {
        const int64_t i[3] = {x - WN_GRID_GUARD, y - WN_GRID_GUARD, z - WN_GRID_GUARD};
        struct node at = {{0, 0, 0}};
        int sign = 1;
        for (int d = 0; d < g->dim; d++) {
          int turned = 1;
          at.i[d] = beyond(f, d, i[d], staggered && d == component, &turned);
          if (d == component)
            sign = turned;
        }
        f->e[to] = (float)((double)sign * f->component[plain(g, &at)]);
      }
}

static int solve(struct wn_field *field, struct wn_particles *const *species, size_t n,
                 double t, double dt)
{
  struct electrostatic *f = of(field);
  const int staggered = f->grid.gather == WN_GATHER_ENERGY;
  WN_ASSERT(n == f->spec.n_species);
  for (size_t k = 0; k < n; k++) {
    if (f->known[k])
      continue;
    memset(f->quanta[k], 0, f->n_padded * sizeof *f->quanta[k]);
    WN_TRY(wn_deposit(&f->grid, species[k], f->spec.fixed[k] ? 0.0 : 0.5 * dt,
                      f->spec.threads, f->quanta[k]));
    wn_deposit_fold(&f->grid, f->quanta[k]);
    f->known[k] = f->spec.fixed[k];
  }
  sum_charge(f);
  for (int side = 0; side < 2 * f->grid.dim; side++)
    f->volt[side] = voltage(&f->spec.voltage[side], t + 0.5 * dt);
  WN_TRY(wn_poisson_solve(f->poisson, f->rho, f->volt, f->phi));
  for (int d = 0; d < f->grid.dim; d++) {
    WN_TRY(wn_poisson_field(f->poisson, f->phi, d, staggered, f->component));
    spread(f, d, staggered);
  }
  return WN_OK;
}

static void view(const struct wn_field *field, struct wn_field_view *out)
{
  out->kind = WN_FIELD_GRID;
  out->of.grid = of_const(field)->grid;
}

/* All is found anew from the particles, but for what neutralised them at the beginning. */
static int state(struct wn_field *field, struct wn_state *s)
{
  struct electrostatic *f = of(field);
  WN_TRY(WN_STATE(s, f->background));
  return WN_STATE(s, f->has_background);
}

/* ---- what diagnostics ask */

size_t wn_electrostatic_nodes(const struct wn_field *field)
{
  return of_const(field)->n_nodes;
}

const double *wn_electrostatic_potential(const struct wn_field *field)
{
  return of_const(field)->phi;
}

const double *wn_electrostatic_charge(const struct wn_field *field)
{
  return of_const(field)->rho;
}

int wn_electrostatic_e(struct wn_field *field, int d, double *e)
{
  struct electrostatic *f = of(field);
  return wn_poisson_field(f->poisson, f->phi, d, 0, e);
}

void wn_electrostatic_density(const struct wn_field *field, size_t species, double *n)
{
  const struct electrostatic *f = of_const(field);
  const double per_volume = 1.0 / (WN_QUANTA * cell_volume(&f->grid));
  for (size_t i = 0; i < f->n_nodes; i++) {
    const struct node at = node_of(&f->grid, (int64_t)i);
    n[i] = (double)f->quanta[species][padded(&f->grid, &at)] * per_volume / share(f, &at);
  }
}

int64_t wn_electrostatic_quanta(const struct wn_field *field, size_t species)
{
  const struct electrostatic *f = of_const(field);
  int64_t sum = 0;
  for (size_t i = 0; i < f->n_nodes; i++) {
    const struct node at = node_of(&f->grid, (int64_t)i);
    if (!is_copy(f, &at))
      sum += f->quanta[species][padded(&f->grid, &at)];
  }
  return sum;
}

/* Of the field between the nodes, whose sum is that of rho phi: each edge has the volume
 * of a cell, half of it in a wall along each other axis. */
static double edge_energy(const struct electrostatic *f, const double *e, int along)
{
  double sum = 0.0;
  for (size_t i = 0; i < f->n_nodes; i++) {
    const struct node at = node_of(&f->grid, (int64_t)i);
    if (at.i[along] == f->grid.cells[along] || is_copy(f, &at))
      continue;
    double part = 1.0;
    for (int d = 0; d < f->grid.dim; d++)
      if (d != along && !is_periodic(f, d) &&
          (at.i[d] == 0 || at.i[d] == f->grid.cells[d]))
        part *= 0.5;
    sum += part * e[i] * e[i];
  }
  return 0.5 * WN_EPS0 * cell_volume(&f->grid) * sum;
}

/* eps0 E through the sides, by the edges at them and the half cells that lie outside of
 * these: the operator's own flux. */
static double flux(const struct electrostatic *f, const double *e, int along)
{
  double sum = 0.0;
  if (is_periodic(f, along))
    return 0.0;
  for (size_t i = 0; i < f->n_nodes; i++) {
    const struct node at = node_of(&f->grid, (int64_t)i);
    const int low = at.i[along] == 0, high = at.i[along] == f->grid.cells[along] - 1;
    if (is_copy(f, &at))
      continue;
    double part = 1.0;
    for (int d = 0; d < f->grid.dim; d++)
      if (d != along && !is_periodic(f, d) &&
          (at.i[d] == 0 || at.i[d] == f->grid.cells[d]))
        part *= 0.5;
    sum += part * ((double)high - (double)low) * e[i];
  }
  return WN_EPS0 * sum * cell_volume(&f->grid) / f->grid.h[along];
}

int wn_electrostatic_sums(struct wn_field *field, struct wn_electrostatic_sums *out)
{
  struct electrostatic *f = of(field);
  const double volume = cell_volume(&f->grid);
  double pairs = 0.0, inside = 0.0;
  *out = (struct wn_electrostatic_sums){0};
  for (size_t i = 0; i < f->n_nodes; i++) {
    const struct node at = node_of(&f->grid, (int64_t)i);
    int on_side = 0;
    if (is_copy(f, &at))
      continue;
    const double q = f->rho[i] * share(f, &at) * volume;
    for (int d = 0; d < f->grid.dim; d++)
      on_side |= (at.i[d] == 0 && f->spec.poisson.side[2 * d] == WN_DIRICHLET) ||
                 (at.i[d] == f->grid.cells[d] &&
                  f->spec.poisson.side[2 * d + 1] == WN_DIRICHLET);
    out->charge += q;
    inside += on_side ? 0.0 : q;
    pairs += 0.5 * q * f->phi[i];
  }
  double through = 0.0, edges = 0.0;
  for (int d = 0; d < f->grid.dim; d++) {
    WN_TRY(wn_poisson_field(f->poisson, f->phi, d, 1, f->component));
    edges += edge_energy(f, f->component, d);
    through += flux(f, f->component, d);
  }
  const int has_modes = f->spec.poisson.method == WN_POISSON_SPECTRAL &&
                        f->spec.poisson.side[0] == WN_PERIODIC;
  const int is_open = f->spec.poisson.side[0] == WN_OPEN;
  out->energy = has_modes || is_open ? pairs : edges;
  out->gauss = inside - through;
  out->residual = wn_poisson_residual(f->poisson, f->rho, f->phi);
  return WN_OK;
}

/* Its grids and species are more than struct wn_field_spec says. */
static int create(const struct wn_field_spec *spec, struct wn_field **out)
{
  WN_ASSERT(spec->electrostatic != NULL);
  return wn_electrostatic_create(spec->electrostatic, out);
}

static size_t bytes(const struct wn_field_spec *spec)
{
  return wn_electrostatic_bytes(spec->electrostatic);
}

const struct wn_field_ops wn_field_electrostatic = {
    .name = "electrostatic",
    .doc = "the particles' own charge on a grid, Poisson's equation, and walls",
    .create = create,
    .solve = solve,
    .view = view,
    .bytes = bytes,
    .state = state,
    .free = destroy,
};
