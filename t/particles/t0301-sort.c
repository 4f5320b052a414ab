/* t0301-sort.c - defends: the sort by cells loses and changes no particle, brings those of
 * a cell together and keeps their order, in every dimension and with walls, gives the same
 * array for every number of threads; and a plasma on a grid that is large enough is sorted
 * when it should be, with the order and the charge that serial has.  No outside numbers:
 * the cells are found again from the places, in double precision. */
#include "particles/sort.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "fields/electrostatic.h"
#include "src/run/run.h"
#include "src/run/step.h"
#include "t/tap/grid.h"
#include "t/tap/scene.h"
#include "t/tap/tap.h"

#define N 330001 /* five threads have work */

static const struct {
  const char *name;
  int kind, side;
  int32_t cells[3];
  int edge; /* cells that count as one, along each axis */
} cases[] = {
    {"1d3v", WN_POINT_1D3V, WN_SIDE_PERIODIC, {30000, 1, 1}, 1},
    {"2d2v", WN_POINT_2D2V, WN_SIDE_PERIODIC, {300, 177, 1}, 1},
    {"2d2v, many cells", WN_POINT_2D2V, WN_SIDE_ABSORB, {512, 510, 1}, 4},
    {"2d3v", WN_POINT_2D3V, WN_SIDE_REFLECT, {64, 100, 1}, 1},
    {"3d3v", WN_POINT_3D3V, WN_SIDE_ABSORB, {100, 35, 61}, 2},
};
#define N_CASES (sizeof cases / sizeof cases[0])

static struct wn_particles copy(const struct wn_particles *p)
{
  struct wn_particles q;
  WN_ASSERT(wn_particles_init(&q, &p->record, p->n, p->n) == WN_OK);
  WN_ASSERT(wn_particles_append(&q, p->e, p->n) == WN_OK);
  return q;
}

/* Where the cell of a record is in the order. */
static long place_of(size_t i_case, const struct wn_grid_view *g, const union wn_word *r)
{
  long place = 0;
  for (int d = g->dim - 1; d >= 0; d--) {
    const double cell = floor(ldexp((double)r[d].i, -g->bits[d]));
    place = place * (g->cells[d] / cases[i_case].edge + 1) +
            (long)floor(cell / cases[i_case].edge);
  }
  return place;
}

/* Each record once, those of a place together and in the order that they had. */
static void check_order(size_t i_case, const struct wn_grid_view *g,
                        const struct wn_particles *from, const struct wn_particles *to)
{
  const char *name = cases[i_case].name;
  const size_t words = from->record.bytes / sizeof(union wn_word);
  const union wn_word *a = (const void *)from->e, *b = (const void *)to->e;
  const size_t places =
      (size_t)(g->cells[0] + 1) * (size_t)(g->cells[1] + 1) * (size_t)(g->cells[2] + 1);
  size_t *next = calloc(places + 1, sizeof *next), wrong = 0;
  WN_ASSERT(next != NULL);
  for (size_t i = 0; i < from->n; i++)
    next[place_of(i_case, g, &a[i * words]) + 1]++;
  for (size_t k = 0; k < places; k++)
    next[k + 1] += next[k];
  for (size_t i = 0; i < from->n; i++) {
    const size_t at = next[place_of(i_case, g, &a[i * words])]++;
    wrong +=
        at >= to->n || memcmp(&a[i * words], &b[at * words], from->record.bytes) != 0;
  }
  is_int((long long)wrong, 0, "%s: each is where a stable order of the cells has it",
         name);
  free(next);
}

static void sorted(size_t i_case)
{
  static const int threads[] = {1, 2, 3, 5};
  const char *name = cases[i_case].name;
  const int dim = wn_point_dim(cases[i_case].kind);
  const struct wn_grid_view g =
      grid_make(dim, WN_SHAPE_CIC, WN_GATHER_MOMENTUM, cases[i_case].cells,
                cases[i_case].side, cases[i_case].side, 1.0);
  struct wn_particles from, first = {0};
  draw_state = 301 + i_case;
  WN_ASSERT(points_draw(&from, &g, cases[i_case].kind, N, 1.0) == WN_OK);
  if (cases[i_case].side != WN_SIDE_PERIODIC) /* the upper wall, in every axis */
    for (int d = 0; d < dim; d++)
      ((union wn_word *)wn_particles_at(&from, N / 2))[d].i = g.cells[d] << g.bits[d];
  for (size_t k = 0; k < sizeof threads / sizeof threads[0]; k++) {
    struct wn_sort *o;
    struct wn_particles p = copy(&from);
    WN_ASSERT(wn_sort_create(&g, threads[k], &o) == WN_OK);
    is_int(wn_sort_particles(o, &p), WN_OK, "%s: %d threads", name, threads[k]);
    if (k == 0) {
      check_order(i_case, &g, &from, &p);
      first = copy(&p);
    }
    WN_ASSERT(wn_sort_particles(o, &p) == WN_OK);
    ok(p.n == N && memcmp(p.e, first.e, N * p.record.bytes) == 0,
       "%s: the same array, and sorted again it stays so", name);
    wn_sort_free(o);
    wn_particles_clear(&p);
  }
  wn_particles_clear(&first);
  wn_particles_clear(&from);
}

/* ---- in a plasma */

#define STEPS (WN_SORT_EVERY + 2) /* a second order is in it */

static const char *const plasma[] = {
    "model=\"plasma\"",
    "grid={cells=[256,256];length=[\"60 mm\",\"60 mm\"];}",
    "walls={x_low={field=\"dirichlet\";};x_high={field=\"neumann\";};}",
    "species={e={density=\"1e15 m-3\";temperature=\"1 eV\";per_cell=2;loading="
    "\"random\";};}",
    "plasma={time_step=\"14 ps\";background=true;}",
    "duration=\"1 ns\"",
    NULL};

static void follow(struct scene *s, const char *scheduler, int threads)
{
  scene_open(s, "plasma.cfg", "", plasma);
  s->config->threads = threads;
  scene_scheduler(s, scheduler, threads);
  scene_start(s, 0.0);
  for (int k = 0; k < STEPS; k++)
    WN_ASSERT(wn_step(s->sim, s->config->plasma.time_step) == WN_OK);
}

static void in_a_plasma(void)
{
  static const int threads[] = {1, 3};
  struct scene a, b;
  const double *rho, *again;
  follow(&a, "serial", 1);
  const struct wn_particles *p = &a.sim->species[0]->p;
  ok(a.sim->species[0]->order != NULL && p->n > 100000 && p->n < 131072,
     "a plasma of 256 x 256 cells is sorted, and some end at the wall: %zu are left",
     p->n);
  ok(wn_field_charge(a.sim->field, &rho) == WN_OK, "its charge");
#ifdef _OPENMP
  const char *other = "openmp";
#else
  const char *other = "serial"; /* a second run of the same */
#endif
  for (size_t k = 0; k < 2; k++) {
    follow(&b, other, threads[k]);
    const struct wn_particles *q = &b.sim->species[0]->p;
    ok(q->n == p->n && memcmp(q->e, p->e, p->n * p->record.bytes) == 0,
       "%s with %d threads has its particles in its order", other, threads[k]);
    ok(wn_field_charge(b.sim->field, &again) == WN_OK &&
           memcmp(rho, again, wn_field_nodes(a.sim->field) * sizeof *rho) == 0,
       "and its charge");
    scene_close(&b);
  }
  scene_close(&a);
}

int main(void)
{
  plan(N_CASES * 9 + 6);
  for (size_t i = 0; i < N_CASES; i++)
    sorted(i);
  in_a_plasma();
  return done();
}
