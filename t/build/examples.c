/* t/build/examples.c - what t/build/t0004-examples.t asks of the examples of HACKING once they are
 * compiled: `model`, `field`, `trap`, `sphere`, `process A.nc`, or `same A.nc B.nc`.  Says what is wrong, 1. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "fields/electrostatic.h"
#include "fields/geometry.h"
#include "physics/constants.h"
#include "physics/mcc.h"
#include "physics/push.h"
#include "schedulers/scheduler.h"
#include "t/tap/command.h"
#include "t/tap/grid.h"

static int n_wrong;

static void check(int is_right, const char *what)
{
  if (!is_right)
    fprintf(stderr, "%s\n", what);
  n_wrong += !is_right;
}

static void must(int status)
{
  if (status == WN_OK)
    return;
  fprintf(stderr, "status %d\n", status);
  exit(1);
}

/* ---- the model: 20000 particles, 3 phases of 10 steps, 2 % vanish in each step */

#define N      20000
#define PHASES 3
#define STEPS  10
#define CHANCE 0.02

/* As in the example. */
struct particle {
  uint64_t id;
  uint32_t event;
  float t_left;
};
struct decay {
  uint64_t seed;
  double chance;
};

struct left {
  struct particle e[N];
  size_t n;
  unsigned long long steps, deaths;
};

static int by_id(const void *a, const void *b)
{
  uint64_t p = ((const struct particle *)a)->id, q = ((const struct particle *)b)->id;
  return (p > q) - (p < q);
}

static void decay(const struct wn_model_ops *ops, const struct wn_scheduler_ops *by,
                  struct left *out)
{
  const struct wn_scheduler_options options = {.threads = 3};
  const struct wn_tally_shape shape = {.n_groups = 1};
  struct wn_scheduler *s;
  struct wn_tally tally;
  struct wn_particles p;
  struct wn_model m;
  must(wn_model_init(&m, ops));
  *(struct decay *)m.data = (struct decay){.seed = 7, .chance = CHANCE};
  m.steps = STEPS;
  must(by->create(&options, &shape, &s));
  must(wn_tally_init(&tally, &shape));
  must(wn_particles_init(&p, &ops->record, N, N));
  for (uint64_t i = 0; i < N; i++) {
    struct particle e = {.id = wn_rng_primary_id(7, i, 0)};
    must(wn_particles_append(&p, &e, 1));
  }
  for (int i = 0; i < PHASES; i++) {
    must(wn_scheduler_step(by, s, &m, &p, &tally));
    must(wn_particles_compact(&p));
  }
  out->n = p.n;
  out->steps = tally.n_candidates;
  out->deaths = tally.n_deaths;
  memcpy(out->e, p.e, p.n * sizeof out->e[0]);
  qsort(out->e, out->n, sizeof out->e[0], by_id);
  wn_particles_clear(&p);
  wn_tally_clear(&tally);
  by->free(s);
  wn_model_clear(&m);
}

static void model(void)
{
  static struct left serial, other;
  size_t n_models, n_schedulers;
  const struct wn_model_ops *const *models = wn_model_list(&n_models), *ops = NULL;
  const struct wn_scheduler_ops *const *list = wn_scheduler_list(&n_schedulers);
  for (size_t i = 0; i < n_models; i++)
    if (strcmp(models[i]->name, "decay") == 0)
      ops = models[i];
  check(ops != NULL && ops->record.bytes == sizeof(struct particle) &&
            ops->bytes == sizeof(struct decay),
        "no model `decay` of this record and these data");
  if (n_wrong > 0)
    return;
  decay(ops, &wn_scheduler_serial, &serial);
  double q = pow(1.0 - CHANCE, PHASES * STEPS), sigma = sqrt(N * q * (1.0 - q));
  fprintf(stderr, "%zu particles are left; expected %.1f +- %.1f\n", serial.n, N * q,
          sigma);
  check(fabs((double)serial.n - N * q) < 4.5 * sigma, "not N (1 - p)^n of them");
  check(serial.n + serial.deaths == N, "deaths are miscounted");
  for (size_t i = 0; i < n_schedulers; i++) {
    if (list[i]->device != WN_DEVICE_CPU)
      continue;
    decay(ops, list[i], &other);
    fprintf(stderr, "under %s\n", list[i]->name);
    check(other.n == serial.n && other.steps == serial.steps &&
              other.deaths == serial.deaths &&
              memcmp(other.e, serial.e, serial.n * sizeof serial.e[0]) == 0,
          "this differs from serial");
  }
}

/* ---- the field: E(t), and what mcc makes of it */

static struct wn_mcc *felt(struct wn_model *m, const struct wn_field_view *view)
{
  must(wn_model_init(m, &wn_model_mcc));
  must(m->ops->set_field(m, view));
  return m->data;
}

static const struct wn_field_ops *ops_of(const char *name)
{
  size_t n;
  const struct wn_field_ops *const *list = wn_field_list(&n);
  for (size_t i = 0; i < n; i++)
    if (strcmp(list[i]->name, name) == 0)
      return list[i];
  fprintf(stderr, "no field `%s`\n", name);
  exit(1);
}

static void field(void)
{
  const struct wn_field_spec spec = {
      .e = {0.0, 1e5, -2e5}, .b = 0.5, .b_axis = {1.0, 0.0, 0.0}};
  const double omega = 1.539380e10, dt = 1e-13, turn = 2.0 * WN_PI / omega;
  const double part[] = {0.25, 0.375, 0.5};
  const struct wn_field_ops *ops = ops_of("alternating");
  struct wn_field *f, *same;
  must(ops->create(&spec, &f));
  for (size_t k = 0; k < sizeof part / sizeof part[0]; k++) {
    double want = cos(2.0 * WN_PI * part[k]); /* in the middle of the step */
    struct wn_field_spec now = spec;
    struct wn_field_view v, u;
    struct wn_model a, b;
    must(ops->solve(f, NULL, 0, part[k] * turn - 0.5 * dt, dt));
    ops->view(f, &v);
    for (int i = 0; i < 3; i++) {
      check(fabs(v.of.uniform.e[i] - want * spec.e[i]) <= 1e-9 * fabs(spec.e[i]),
            "not E cos(omega t)");
      now.e[i] = v.of.uniform.e[i];
    }
    must(wn_field_uniform.create(&now, &same));
    same->ops->view(same, &u);
    check(memcmp(felt(&a, &v), felt(&b, &u), sizeof(struct wn_mcc)) == 0,
          "mcc feels it otherwise than a uniform field");
    wn_model_clear(&a);
    wn_model_clear(&b);
    same->ops->free(same);
  }
  ops->free(f);
}

/* ---- the process: 10000 electrons of 1 MeV in 1e24 molecules a m3, that each emit 0.2 photons
 * of 0.1 keV to 1 MeV (1e-23 m2), as frequent as 1/k: (1 MeV - 0.1 keV)/ln(1e4) each, with a
 * spread of 1.9 times that.  That electrons lose a hundredth of their energy on the way is left
 * out; sigma is 5 %.  Their energy is added up from the first of ten steps on. */

static void process(const char *path)
{
  const double want = 1e24 * 1e-23 * wn_speed_from_ev(1e6) * (1e6 - 100.0) / log(1e4),
               lost = command_nc_at(path, "energy_lost", 1),
               carried = command_nc_at(path, "energy_carried", 0);
  fprintf(stderr, "%g eV/s in photons, of %g; electrons have %g\n", lost, want, carried);
  check(fabs(lost / want - 1.0) < 0.2, "not what is emitted");
  check(fabs(carried / lost + 0.9) < 0.1, "not what the electrons lose");
}

/* ---- the field on a grid: E at particles by the linear shape, potential, energy */

static void trap(void)
{
  static const int32_t cells[3] = {12, 10, 8};
  const struct wn_field_ops *ops = ops_of("trap");
  for (int dim = 1; dim <= 3; dim++) {
    struct wn_electrostatic_spec grid = {
        .grid = grid_make(dim, WN_SHAPE_CIC, WN_GATHER_MOMENTUM, cells, 0, 0, 1e-3)};
    const struct wn_field_spec spec = {.electrostatic = &grid};
    double volume = 1.0, squares = 0.0;
    const double *phi;
    struct wn_field *f;
    struct wn_field_view v;
    struct wn_field_sums s;
    must(ops->create(&spec, &f));
    must(f->ops->solve(f, NULL, 0, 0.0, 1e-12));
    f->ops->view(f, &v);
    for (int k = 0; k < 1000; k++) {
      int32_t cell[3];
      uint32_t part[3];
      float e[3];
      for (int d = 0; d < dim; d++) {
        cell[d] = (int32_t)(uniform() * cells[d]);
        part[d] = (uint32_t)(uniform() * 0x1p32);
      }
      wn_grid_gather(&v.of.grid, dim, WN_SHAPE_CIC, WN_GATHER_MOMENTUM, cell, part, e);
      for (int d = 0; d < dim; d++) {
        const double x = (cell[d] + part[d] * 0x1p-32 - 0.5 * cells[d]) * 1e-3,
                     want = -2e6 * (d == dim - 1 ? dim - 1.0 : -1.0) * x;
        check(fabs(e[d] - want) < 1e-2, "not the E of a quadrupole");
      }
    }
    must(wn_field_potential(f, &phi));
    const double middle = phi[wn_field_nodes(f) / 2]; /* cells are even */
    check(fabs(middle) < 1e-9, "not 0 V in the middle");
    must(wn_field_sums(f, &s));
    for (int d = 0; d < dim; d++) {
      const double l = 1e-3 * cells[d], factor = d == dim - 1 ? dim - 1.0 : -1.0;
      volume *= l;
      /* by trapezia: h^2/6 more than the mean of x^2, l^2/12 */
      squares += 4e12 * factor * factor * (l * l / 12.0 + 1e-6 / 6.0);
    }
    check(fabs(s.energy - 0.5 * WN_EPS0 * volume * squares) <= 1e-9 * s.energy,
          "not the energy of a quadrupole");
    check(s.charge == 0.0 && isnan(s.residual), "a charge, or an equation");
    f->ops->free(f);
  }
}

/* ---- the coordinate: a sphere of radius 2, in which phi = -r^2/6 is that of a charge of 1 */

static void sphere(void)
{
  const double x[] = {0.0, 0.3, 0.5, 1.1, 1.4, 2.0};
  const int32_t n = 5;
  int which = 0;
  struct wn_axis a;
  double sum = 0.0, below = 0.0;
  while (which < WN_N_COORDINATES && strcmp(wn_coordinate_name(which), "sphere") != 0)
    which++;
  must(wn_axis_create((enum wn_coordinate)which, n, x, 0, &a));
  for (int32_t i = 0; i < n; i++) {
    const double drop = (x[i + 1] * x[i + 1] - x[i] * x[i]) / 6.0,
                 flux = drop / wn_axis_edge(&a, i) * wn_axis_area(&a, i);
    check(fabs((flux - below) / wn_axis_measure(&a, i) - 1.0) < 1e-13,
          "the flux out of a node is not its charge");
    below = flux;
    sum += wn_axis_measure(&a, i);
  }
  sum += wn_axis_measure(&a, n);
  check(fabs(sum / (32.0 / 3.0 * WN_PI) - 1.0) < 1e-14, "it is no sphere of radius 2");
  check(fabs(wn_axis_even(&a, 0.125) - 1.0) < 1e-14, "an eighth of it is not within 1");
  wn_axis_clear(&a);
}

int main(int argc, char **argv)
{
  size_t n;
  if (argc == 2 && strcmp(argv[1], "model") == 0)
    model();
  else if (argc == 2 && strcmp(argv[1], "field") == 0)
    field();
  else if (argc == 2 && strcmp(argv[1], "trap") == 0)
    trap();
  else if (argc == 2 && strcmp(argv[1], "sphere") == 0)
    sphere();
  else if (argc == 3 && strcmp(argv[1], "process") == 0)
    process(argv[2]);
  else if (argc == 4 && strcmp(argv[1], "same") == 0)
    check(command_nc_differs(argv[2], argv[3], &n) == NULL && n > 100,
          "the two files differ");
  else
    check(0, "model, field, trap, sphere, process A, or same A B");
  return n_wrong > 0;
}
