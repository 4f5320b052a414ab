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
  struct wn_deposit *deposit;
  unsigned mirrors;                  /* bits of the sides of Neumann's condition */
  size_t n_nodes, n_padded;          /* without and with guards */
  int64_t *quanta[WN_FIELD_SPECIES]; /* [n_padded] */
  size_t known[WN_FIELD_SPECIES];    /* particles of a fixed species that are in them */
  double background;                 /* C/m3; NAN: not known yet */
  double *rho, *phi, *component;     /* [n_nodes] */
  float *e;                          /* [n_padded][stride] */
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

/* ---- nodes, row by row along x */

struct row {
  int64_t at[3]; /* nodes along the axes; at[0] is 0 */
  /* Its first node in an array with guards, where quanta are: the second end of a periodic
   * axis has those of the first */
  int64_t padded;
  /* The part of a cell's volume that a node has: half at a wall, along each axis but x */
  double part;
  int is_copy; /* the second end of a periodic axis */
};

static int64_t nodes_along(const struct wn_grid_view *g, int d)
{
  return d < g->dim ? g->cells[d] + 1 : 1;
}

static int is_periodic(const struct electrostatic *f, int d)
{
  return f->spec.poisson.side[2 * d] == WN_PERIODIC;
}

/* At a wall of axis d. */
static int is_end(const struct electrostatic *f, int d, int64_t i)
{
  return !is_periodic(f, d) && (i == 0 || i == f->grid.cells[d]);
}

static int64_t rows(const struct electrostatic *f)
{
  return nodes_along(&f->grid, 1) * nodes_along(&f->grid, 2);
}

static struct row row(const struct electrostatic *f, int64_t r)
{
  const struct wn_grid_view *g = &f->grid;
  struct row w = {.at = {0, r % nodes_along(g, 1), r / nodes_along(g, 1)},
                  .padded = g->first,
                  .part = 1.0};
  for (int d = 1; d < g->dim; d++) {
    const int is_second = is_periodic(f, d) && w.at[d] == g->cells[d];
    w.padded += is_second ? 0 : w.at[d] * g->step[d];
    w.part *= is_end(f, d, w.at[d]) ? 0.5 : 1.0;
    w.is_copy |= is_second;
  }
  return w;
}

/* The same along x; 0 for the second end of a periodic axis, which is not to be counted
 * again. */
static double x_part(const struct electrostatic *f, int64_t x)
{
  if (is_periodic(f, 0))
    return x < f->grid.cells[0] ? 1.0 : 0.0;
  return is_end(f, 0, x) ? 0.5 : 1.0;
}

/* The same along x, of a row of values: its second end has what the first has. */
static void close_row(const struct electrostatic *f, double *row_of)
{
  if (is_periodic(f, 0))
    row_of[f->grid.cells[0]] = row_of[0];
}

static size_t plain_nodes(const struct wn_grid_view *g)
{
  return (size_t)(nodes_along(g, 0) * nodes_along(g, 1) * nodes_along(g, 2));
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
  wn_deposit_free(f->deposit);
  free(f->rho);
  free(f->phi);
  free(f->component);
  free(f->e);
  free(f);
}

size_t wn_electrostatic_bytes(const struct wn_electrostatic_spec *spec)
{
  return (size_t)wn_grid_nodes(&spec->grid) *
             (spec->n_species * sizeof(int64_t) +
              (size_t)spec->grid.stride * sizeof(float)) +
         plain_nodes(&spec->grid) * 3 * sizeof(double) +
         wn_poisson_bytes(&spec->poisson) + wn_deposit_bytes(&spec->grid, spec->threads);
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
  f->n_nodes = plain_nodes(&f->grid);
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
  f->background = spec->background;
  for (int side = 0; side < 2 * f->grid.dim; side++)
    f->mirrors |= spec->poisson.side[side] == WN_NEUMANN ? 1u << side : 0u;
  if (status == WN_OK)
    status = wn_poisson_create(&spec->poisson, &f->poisson);
  if (status == WN_OK)
    status = wn_deposit_create(&f->grid, spec->threads, &f->deposit);
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

/* 1/m3, m2, m: what makes quanta at a node of a row particles per volume. */
static double per_volume(const struct electrostatic *f, double row_part, int64_t x)
{
  const double part = row_part * (is_end(f, 0, x) ? 0.5 : 1.0);
  return 1.0 / (WN_QUANTA * cell_volume(&f->grid) * part);
}

/* C/m3 from the quanta; the first time, what neutralises them is found. */
static void sum_charge(struct electrostatic *f)
{
  const int64_t nx = nodes_along(&f->grid, 0);
  const int is_first = isnan(f->background);
  double total = 0.0, volume = 0.0;
  for (int64_t r = 0; r < rows(f); r++) {
    const struct row w = row(f, r);
    const double inside = per_volume(f, w.part, 1);
    double *rho = &f->rho[r * nx];
    for (int64_t x = 0; x < nx; x++)
      rho[x] = 0.0;
    for (size_t k = 0; k < f->spec.n_species; k++) {
      const double of_one = f->spec.charge[k] * inside;
      const int64_t *quanta = &f->quanta[k][w.padded];
      for (int64_t x = 0; x < nx; x++)
        rho[x] += of_one * (double)quanta[x];
    }
    for (int64_t x = 0; x < nx; x += nx - 1)
      rho[x] *= is_end(f, 0, x) ? 2.0 : 1.0;
    close_row(f, rho);
    for (int64_t x = 0; x < nx && is_first && !w.is_copy; x++) {
      total += rho[x] * w.part * x_part(f, x);
      volume += w.part * x_part(f, x);
    }
  }
  if (is_first)
    f->background = -total / volume;
  if (f->background != 0.0)
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
  const int64_t nx = nodes_along(g, 0), pad = WN_GRID_GUARD;
  const int64_t all_y = g->dim > 1 ? nodes_along(g, 1) + 2 * pad : 1,
                all_z = g->dim > 2 ? nodes_along(g, 2) + 2 * pad : 1;
  float *to = f->e + component;
  for (int64_t z = 0; z < all_z; z++)
    for (int64_t y = 0; y < all_y; y++) {
      int64_t at[3] = {0, 0, 0};
      int sign = 1, turned;
      for (int d = 1; d < g->dim; d++) {
        turned = 1;
        at[d] =
            beyond(f, d, (d == 1 ? y : z) - pad, staggered && d == component, &turned);
        sign *= d == component ? turned : 1;
      }
      const double *from = &f->component[(at[2] * nodes_along(g, 1) + at[1]) * nx];
      for (int64_t x = -pad; x < nx + pad; x++, to += g->stride) {
        turned = 1;
        const int64_t i = x > 0 && x < nx - 1
                              ? x
                              : beyond(f, 0, x, staggered && component == 0, &turned);
        *to = (float)((component == 0 ? turned : sign) * from[i]);
      }
    }
}

/* The charge of a species, where it will be in the middle of the step. */
static int deposit(struct electrostatic *f, size_t k, const struct wn_particles *p,
                   double dt)
{
  struct wn_points *m = &f->spec.points[k];
  struct wn_deposited sum;
  struct wn_particles new = *p; /* those that are not in the quanta yet */
  const double step = f->spec.fixed[k] ? 0.0 : dt;
  if (m->dt != step) {
    m->dt = step;
    wn_points_prepare(m);
  }
  if (!f->spec.fixed[k])
    memset(f->quanta[k], 0, f->n_padded * sizeof *f->quanta[k]);
  new.e = wn_particles_at(p, f->known[k]);
  new.n = p->n - f->known[k];
  if (new.n == 0)
    return WN_OK;
  WN_TRY((f->spec.electrons[k] ? wn_deposit_electrons : wn_deposit_points)(
      f->deposit, m, &new, f->quanta[k], &sum));
  wn_deposit_fold(&f->grid, f->mirrors, f->quanta[k]);
  f->known[k] = f->spec.fixed[k] ? p->n : 0;
  return WN_OK;
}

static int solve(struct wn_field *field, struct wn_particles *const *species, size_t n,
                 double t, double dt)
{
  struct electrostatic *f = of(field);
  const int staggered = f->grid.gather == WN_GATHER_ENERGY;
  double volt[6];
  WN_ASSERT(n == f->spec.n_species);
  for (size_t k = 0; k < n; k++)
    WN_TRY(deposit(f, k, species[k], dt));
  sum_charge(f);
  for (int side = 0; side < 2 * f->grid.dim; side++)
    volt[side] = voltage(&f->spec.voltage[side], t + 0.5 * dt);
  WN_TRY(wn_poisson_solve(f->poisson, f->rho, volt, f->phi));
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
  return WN_STATE(s, of(field)->background);
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
  const int64_t nx = nodes_along(&f->grid, 0);
  for (int64_t r = 0; r < rows(f); r++, n += nx) {
    const struct row w = row(f, r);
    for (int64_t x = 0; x < nx; x++)
      n[x] = (double)f->quanta[species][w.padded + x] * per_volume(f, w.part, x);
    close_row(f, n);
  }
}

/* Whether Poisson's equation does not hold at the nodes of a side: their potential is
 * given, or what lies beyond them is not on the grid. */
static int is_held(const struct electrostatic *f, int side)
{
  return f->spec.poisson.side[side] == WN_DIRICHLET ||
         f->spec.poisson.side[side] == WN_OPEN;
}

/* Of the edges along an axis: sum of E^2, and of E out of the domain, each edge with its
 * part of a cell's volume: half of it in a wall along each other axis.  The first is the
 * energy that the operator's rho phi has, the second its flux. */
static void sum_edges(const struct electrostatic *f, const double *e, int along,
                      double *square, double *out)
{
  const int64_t nx = nodes_along(&f->grid, 0), n = f->grid.cells[along];
  for (int64_t r = 0; r < rows(f); r++, e += nx) {
    struct row w = row(f, r);
    if (w.is_copy || (along > 0 && w.at[along] == n))
      continue;
    if (along > 0 && is_end(f, along, w.at[along]))
      w.part *= 2.0; /* of an edge that begins there, the whole */
    for (int64_t x = 0; x < nx; x++) {
      const int64_t i = along > 0 ? w.at[along] : x;
      const double part = w.part * (along > 0 ? x_part(f, x) : i < n ? 1.0 : 0.0);
      const int low = i == 0 && is_held(f, 2 * along),
                high = i == n - 1 && is_held(f, 2 * along + 1);
      *square += part * e[x] * e[x];
      *out += part * (double)(high - low) * e[x];
    }
  }
}

/* Charge on the grid, that at nodes where Poisson's equation holds, and the sum of
 * q phi/2. */
static void sum_nodes(const struct electrostatic *f, struct wn_electrostatic_sums *out,
                      double *inside, double *pairs)
{
  const int64_t nx = nodes_along(&f->grid, 0);
  for (int64_t r = 0; r < rows(f); r++) {
    const struct row w = row(f, r);
    int of_row = 0;
    for (int d = 1; d < f->grid.dim; d++)
      of_row |= (w.at[d] == 0 && is_held(f, 2 * d)) ||
                (w.at[d] == f->grid.cells[d] && is_held(f, 2 * d + 1));
    for (int64_t x = 0; x < nx && !w.is_copy; x++) {
      const double q = f->rho[r * nx + x] * w.part * x_part(f, x) * cell_volume(&f->grid);
      const int held =
          of_row || (x == 0 && is_held(f, 0)) || (x == nx - 1 && is_held(f, 1));
      out->charge += q;
      *inside += held ? 0.0 : q;
      *pairs += 0.5 * q * f->phi[r * nx + x];
    }
  }
}

int wn_electrostatic_sums(struct wn_field *field, struct wn_electrostatic_sums *out)
{
  struct electrostatic *f = of(field);
  const double volume = cell_volume(&f->grid);
  double pairs = 0.0, inside = 0.0, square = 0.0, through = 0.0;
  *out = (struct wn_electrostatic_sums){0};
  sum_nodes(f, out, &inside, &pairs);
  for (int d = 0; d < f->grid.dim; d++) {
    double flux = 0.0;
    WN_TRY(wn_poisson_field(f->poisson, f->phi, d, 1, f->component));
    sum_edges(f, f->component, d, &square, &flux);
    through += WN_EPS0 * flux * volume / f->grid.h[d];
  }
  const int has_modes =
      f->spec.poisson.method == WN_POISSON_SPECTRAL && is_periodic(f, 0);
  const int is_open = f->spec.poisson.side[0] == WN_OPEN;
  out->energy = has_modes || is_open ? pairs : 0.5 * WN_EPS0 * volume * square;
  out->gauss = inside - through;
  out->residual = f->spec.poisson.method == WN_POISSON_DIFFERENCES
                      ? wn_poisson_residual(f->poisson, f->rho, f->phi)
                      : NAN;
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
    .create = create,
    .solve = solve,
    .view = view,
    .bytes = bytes,
    .state = state,
    .free = destroy,
};
