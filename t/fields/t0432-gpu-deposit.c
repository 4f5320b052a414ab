/* t0432-gpu-deposit.c - defends: every variant of the deposit on a GPU
 * (fields/deposit_gpu.h) gives the quanta of fields/deposit.h, to the last, for every
 * record, shape and kind of side, slow and fast, at random and in the order of cells; where
 * the dead are among the points, and weights of more than 32 bits of quanta; where more
 * points are in a cell than 32 bits can count; twice in a row; weights that are no number
 * are left out and counted; a quantum that is lost is seen (fields/charge_check_gpu.h), of
 * electrons, too; a private grid that does not fit is refused; those before the
 * first that is asked for are left alone; and an order that is made drops the dead and
 * no other.  Reference: the host in the same program. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "fields/charge_check_gpu.h"
#include "fields/deposit.h"
#include "fields/deposit_gpu.h"
#include "physics/constants.h"
#include "schedulers/model.h"
#include "t/tap/gpu_arrays.h"
#include "t/tap/capture.h"
#include "t/tap/gpu.h"
#include "t/tap/grid.h"
#include "t/tap/tap.h"

#ifdef WN_HAVE_CUDA

#define H     1e-3
#define SPEED 3e6 /* m/s: half a cell in half a step */

static const char *const kind_name[] = {"1d3v", "2d2v", "2d3v", "3d3v"};
static const char *const shape_name[] = {"ngp", "cic", "tsc"};

static const struct {
  const char *name;
  int low, high;
} walls[] = {{"periodic", WN_SIDE_PERIODIC, WN_SIDE_PERIODIC},
             {"absorbing", WN_SIDE_ABSORB, WN_SIDE_ABSORB},
             {"a mirror and an open side", WN_SIDE_REFLECT, WN_SIDE_OPEN}};
#define N_WALLS (sizeof walls / sizeof walls[0])

/* Anywhere, the same by cells, in one cell and most of it at one of its nodes, and by cells
 * with weights of 128 to 4000, of which some in one cell are more than 32 bits of quanta. */
enum order { RANDOM, BY_CELL, CROWDED, HEAVY };
static const char *const order_name[] = {"at random", "by cells", "crowded",
                                         "by cells and heavy"};

struct scene {
  struct wn_points m;
  struct wn_particles first;
  size_t dead, nodes;
  int64_t *want; /* folded */
};

static const struct wn_points *order_of; /* of by_cell */

static int by_cell(const void *a, const void *b)
{
  const union wn_word *r = a, *s = b;
  const struct wn_grid_view *g = &order_of->grid;
  for (int d = g->dim - 1; d >= 0; d--) {
    const int32_t i = r[d].i >> g->bits[d], j = s[d].i >> g->bits[d];
    if (i != j)
      return i < j ? -1 : 1;
  }
  return 0;
}

static void crowd(const struct wn_points *m, struct wn_particles *p)
{
  for (size_t i = 0; i < p->n; i++) {
    union wn_word *r = wn_particles_at(p, i);
    for (int d = 0; d < m->grid.dim; d++)
      r[d].i = (5 << m->grid.bits[d]) + (r[d].i & ((1 << m->grid.bits[d]) - 1)) / 16;
    for (int d = 0; d < wn_point_velocities(m->kind); d++)
      r[m->grid.dim + d].f *= 0.01f;
  }
}

/* Some dead, at walls, and (not too near to each other) of large weights. */
static void make_odd(struct scene *s)
{
  const int dim = s->m.grid.dim, n_v = wn_point_velocities(s->m.kind);
  const int is_periodic = s->m.grid.side[0] == WN_SIDE_PERIODIC;
  for (size_t i = 0; i < s->first.n; i++) {
    union wn_word *r = wn_particles_at(&s->first, i);
    if (i % 97 == 3)
      r[dim - 1].i = is_periodic ? s->m.end[dim - 1] - 1 : s->m.end[dim - 1];
    if (wn_point_weighs(dim, n_v) && i % 53 == 7)
      r[dim + n_v].f = i % 2 == 0 ? 200.0f : 5000.5f; /* 2^27.6 and 2^32.3 quanta */
    if (i % 89 == 0) {
      r[0].i = WN_POINT_DEAD;
      s->dead++;
    }
  }
}

static void make_heavy(struct scene *s)
{
  const int at = s->m.grid.dim + wn_point_velocities(s->m.kind);
  for (size_t i = 0; i < s->first.n; i++)
    ((union wn_word *)wn_particles_at(&s->first, i))[at].f = (float)between(128.0, 4e3);
}

static struct scene scene_make(int kind, int shape, size_t wall, int relativistic,
                               enum order order, size_t n)
{
  static const int32_t cells[3] = {24, 13, 9};
  struct scene s = {.dead = 0};
  struct wn_deposit *d;
  struct wn_deposited sum;
  s.m =
      (struct wn_points){.grid = grid_make(wn_point_dim(kind), shape, WN_GATHER_MOMENTUM,
                                           cells, walls[wall].low, walls[wall].high, H),
                         .kind = kind,
                         .relativistic = relativistic,
                         .charge = -WN_E,
                         .mass = WN_ME,
                         .dt = H / SPEED};
  wn_points_prepare(&s.m);
  WN_ASSERT(points_draw(&s.first, &s.m.grid, kind, n, SPEED) == WN_OK);
  order_of = &s.m;
  if (order == CROWDED)
    crowd(&s.m, &s.first);
  else if (order != RANDOM)
    qsort(s.first.e, n, s.first.record.bytes, by_cell);
  if (order == HEAVY)
    make_heavy(&s);
  else if (order != CROWDED)
    make_odd(&s);
  s.nodes = (size_t)wn_grid_nodes(&s.m.grid);
  s.want = calloc(s.nodes, sizeof *s.want);
  WN_ASSERT(s.want != NULL && wn_deposit_create(&s.m.grid, 1, &d) == WN_OK);
  WN_ASSERT(wn_deposit_points(d, &s.m, &s.first, s.want, &sum) == WN_OK && sum.n > n / 4);
  wn_deposit_free(d);
  wn_deposit_fold(&s.m.grid, 0, s.want);
  return s;
}

static void scene_free(struct scene *s)
{
  wn_particles_clear(&s->first);
  free(s->want);
}

/* The charge of particles right after its deposit is theirs; one quantum less on a node, or one
 * too many, is seen. */
static void lost(const char *name, const struct wn_points *m, struct wn_particles *p,
                 size_t nodes, void *quanta)
{
  struct wn_gpu *g = gpu_device();
  struct wn_charge_differs found[3] = {{0}};
  const size_t bytes = nodes * sizeof(int64_t);
  int64_t *own = malloc(bytes);
  void *scratch = NULL, *out = NULL;
  int status = own != NULL ? gpu_array_make(g, found, 16, &scratch) : WN_ENOMEM;
  if (status == WN_OK)
    status = gpu_array_make(g, found, sizeof found[0], &out);
  if (status == WN_OK)
    status = gpu_array_get(g, quanta, own, bytes);
  for (int64_t k = 0; k < 3 && status == WN_OK; k++) {
    own[nodes / 2] += k == 1 ? -1 : k == 2 ? 2 : 0;
    status = gpu_array_put(g, &found[k], out, sizeof found[k]);
    if (status == WN_OK)
      status = gpu_array_put(g, own, quanta, bytes);
    if (status == WN_OK)
      status = wn_charge_gpu_compare(g, m, p, quanta, NULL, (uint64_t)k, scratch, out);
    if (status == WN_OK)
      status = gpu_array_get(g, out, &found[k], sizeof found[k]);
  }
  ok(status == WN_OK && !found[0].is && found[1].is && found[1].species == 1 &&
         found[1].of_particles - found[1].of_nodes == 1 && found[2].is &&
         found[2].of_nodes - found[2].of_particles == 1,
     "%s: a quantum that is lost, or too many, is seen", name);
  gpu_array_free(g, scratch, 16);
  gpu_array_free(g, out, sizeof found[0]);
  free(own);
}

/* `times` deposits of the scene on the device, from point `first` on; got [nodes], folded.
 * The status of the deposit. */
static int deposit(const struct scene *s, enum wn_deposit_gpu way, int times,
                   size_t first, int64_t *got, uint64_t *misfits, size_t *left)
{
  struct wn_gpu *g = gpu_device();
  struct wn_particles p;
  const size_t bytes = s->nodes * sizeof *got;
  void *quanta = NULL, *wrong = NULL;
  *misfits = 0;
  memset(got, 0, bytes);
  WN_ASSERT(wn_particles_init(&p, &s->first.record, s->first.n, s->first.n) == WN_OK);
  WN_ASSERT(wn_particles_append(&p, s->first.e, s->first.n) == WN_OK);
  WN_ASSERT(wn_gpu_hold(g, &p, 0.0) == WN_OK);
  WN_ASSERT(gpu_array_make(g, got, bytes, &quanta) == WN_OK);
  WN_ASSERT(gpu_array_make(g, misfits, sizeof *misfits, &wrong) == WN_OK);
  int status = WN_OK;
  for (int k = 0; k < times && status == WN_OK; k++)
    status = wn_deposit_gpu_points(g, way, &s->m, &p, first, quanta, wrong);
  if (status == WN_OK)
    status = gpu_array_get(g, quanta, got, bytes);
  if (status == WN_OK)
    status = gpu_array_get(g, wrong, misfits, sizeof *misfits);
  wn_deposit_fold(&s->m.grid, 0, got);
  *left = p.n;
  if (status == WN_OK && times == 1 && first == 0)
    lost(wn_deposit_gpu_name(way), &s->m, &p, s->nodes, quanta);
  gpu_array_free(g, quanta, bytes);
  gpu_array_free(g, wrong, sizeof *misfits);
  wn_particles_clear(&p);
  return status;
}

/* The same of electrons that collide, one in 50 dead; the two words of their places are those of
 * the points of a scene. */
static void electrons(void)
{
  struct scene s =
      scene_make(WN_POINT_2D3V, WN_SHAPE_CIC, 1, 1, RANDOM, gpu_size(20011, 2003));
  struct wn_gpu *g = gpu_device();
  const struct wn_record record = wn_model_mcc.record;
  const size_t bytes = s.nodes * sizeof(int64_t);
  uint64_t misfits = 0;
  int64_t *none = calloc(s.nodes, sizeof *none);
  void *quanta = NULL, *wrong = NULL;
  struct wn_particles p;
  WN_ASSERT(none != NULL &&
            wn_particles_init(&p, &record, s.first.n, s.first.n) == WN_OK);
  for (size_t i = 0; i < s.first.n; i++) {
    const union wn_word *r = wn_particles_at(&s.first, i);
    struct wn_electron e = {.w = 1.0f + (float)(i % 7), .id = i};
    e.t_left = i % 50 == 0 ? WN_DEAD : 0.0f;
    for (int d = 0; d < 2; d++)
      e.at[d] = r[d].i >= 0 ? r[d].i : 0;
    for (int d = 0; d < 3; d++)
      e.u[d] = r[2 + d].f;
    WN_ASSERT(wn_particles_append(&p, &e, 1) == WN_OK);
  }
  WN_ASSERT(wn_gpu_hold(g, &p, 0.0) == WN_OK);
  WN_ASSERT(gpu_array_make(g, none, bytes, &quanta) == WN_OK);
  WN_ASSERT(gpu_array_make(g, &misfits, sizeof misfits, &wrong) == WN_OK);
  is_int(wn_deposit_gpu_electrons(g, &s.m, &p, 0, quanta, wrong), WN_OK,
         "the charge of electrons");
  lost("electrons", &s.m, &p, s.nodes, quanta);
  gpu_array_free(g, quanta, bytes);
  gpu_array_free(g, wrong, sizeof misfits);
  wn_particles_clear(&p);
  free(none);
  scene_free(&s);
}

/* Node and difference of the first that is not the host's. */
static void show_first(const struct scene *s, int64_t times, const int64_t *got)
{
  for (size_t i = 0; i < s->nodes; i++)
    if (got[i] != times * s->want[i]) {
      diag("node %zu: %lld quanta, wanted %lld", i, (long long)got[i],
           (long long)(times * s->want[i]));
      return;
    }
}

static void compare(int kind, int shape, size_t wall, int relativistic, enum order order,
                    size_t n)
{
  struct scene s = scene_make(kind, shape, wall, relativistic, order, n);
  int64_t *got = calloc(s.nodes, sizeof *got);
  WN_ASSERT(got != NULL);
  for (int way = 0; way < WN_N_DEPOSITS; way++) {
    uint64_t misfits;
    size_t left;
    const int times = 1 + (shape + way) % 2;
    const int status =
        deposit(&s, (enum wn_deposit_gpu)way, times, 0, got, &misfits, &left);
    int same = status == WN_OK && misfits == 0;
    for (size_t i = 0; i < s.nodes; i++)
      same = same && got[i] == times * s.want[i];
    if (!ok(same, "%s, %s, %s, %s, %s: `%s` has the quanta of the host", kind_name[kind],
            shape_name[shape], walls[wall].name, relativistic ? "fast" : "slow",
            order_name[order], wn_deposit_gpu_name(way)))
      show_first(&s, times, got);
    if (way == WN_DEPOSIT_TILE)
      is_int((long long)left, (long long)(n - s.dead), "the order has the living");
    else if (status != WN_OK || left != n)
      ok(0, "`%s` leaves the points as they are", wn_deposit_gpu_name(way));
  }
  free(got);
  scene_free(&s);
}

/* Three weights that are none: the quanta are those of the others. */
static void misfit(void)
{
  static const float bad[] = {-1.0f, NAN, 1e20f};
  struct scene s =
      scene_make(WN_POINT_2D3V, WN_SHAPE_CIC, 0, 0, RANDOM, gpu_size(20011, 3001));
  int64_t *got = calloc(s.nodes, sizeof *got);
  WN_ASSERT(got != NULL);
  s.first.limit += 3;
  for (size_t k = 0; k < 3; k++) { /* more than the reference has */
    union wn_word r[8] = {{1 << 20}, {1 << 20}};
    r[5].f = bad[k];
    WN_ASSERT(wn_particles_append(&s.first, r, 1) == WN_OK);
  }
  for (int way = 0; way < WN_N_DEPOSITS; way++) {
    uint64_t misfits;
    size_t left;
    const int status = deposit(&s, (enum wn_deposit_gpu)way, 1, 0, got, &misfits, &left);
    ok(status == WN_OK && misfits == 3 && memcmp(got, s.want, s.nodes * sizeof *got) == 0,
       "`%s` leaves out three weights that are no number and counts %llu",
       wn_deposit_gpu_name(way), (unsigned long long)misfits);
  }
  free(got);
  scene_free(&s);
}

/* Particles from a third of all on; from the end on there are none. */
static void newcomers(int kind, int shape)
{
  const size_t n = gpu_size(20011, 2003);
  struct scene s = scene_make(kind, shape, 1, 0, RANDOM, n);
  int64_t *got = calloc(s.nodes, sizeof *got);
  struct wn_particles new = s.first;
  struct wn_deposit *d;
  struct wn_deposited sum;
  new.e = wn_particles_at(&s.first, n / 3);
  new.n = n - n / 3;
  memset(s.want, 0, s.nodes * sizeof *s.want);
  WN_ASSERT(got != NULL && wn_deposit_create(&s.m.grid, 1, &d) == WN_OK);
  WN_ASSERT(wn_deposit_points(d, &s.m, &new, s.want, &sum) == WN_OK && sum.n > n / 4);
  wn_deposit_free(d);
  wn_deposit_fold(&s.m.grid, 0, s.want);
  for (int way = 0; way < WN_N_DEPOSITS; way++) {
    uint64_t misfits;
    size_t left;
    if (way == WN_DEPOSIT_TILE)
      continue;
    const int status =
        deposit(&s, (enum wn_deposit_gpu)way, 1, n / 3, got, &misfits, &left);
    if (!ok(status == WN_OK && left == n &&
                memcmp(got, s.want, s.nodes * sizeof *got) == 0,
            "%s, %s: newcomers by `%s`", kind_name[kind], shape_name[shape],
            wn_deposit_gpu_name(way)))
      show_first(&s, 1, got);
  }
  memset(s.want, 0, s.nodes * sizeof *s.want);
  uint64_t misfits;
  size_t left;
  ok(deposit(&s, WN_DEPOSIT_AUTO, 1, n, got, &misfits, &left) == WN_OK &&
         memcmp(got, s.want, s.nodes * sizeof *got) == 0,
     "%s, %s: no new particle", kind_name[kind], shape_name[shape]);
  free(got);
  scene_free(&s);
}

/* A grid of 300 x 300 cells takes 90 000 words; a block has 57 000. */
static void too_large(void)
{
  static const int32_t cells[3] = {300, 300, 1};
  struct scene s = {.dead = 0};
  uint64_t misfits;
  size_t left;
  s.m = (struct wn_points){.grid = grid_make(2, WN_SHAPE_CIC, WN_GATHER_MOMENTUM, cells,
                                             WN_SIDE_PERIODIC, WN_SIDE_PERIODIC, H),
                           .kind = WN_POINT_2D2V,
                           .charge = -WN_E,
                           .mass = WN_ME,
                           .dt = H / SPEED};
  wn_points_prepare(&s.m);
  WN_ASSERT(points_draw(&s.first, &s.m.grid, s.m.kind, 100, SPEED) == WN_OK);
  s.nodes = (size_t)wn_grid_nodes(&s.m.grid);
  int64_t *got = calloc(s.nodes, sizeof *got);
  WN_ASSERT(got != NULL);
  capture();
  const int status = deposit(&s, WN_DEPOSIT_PRIVATE, 1, 0, got, &misfits, &left);
  const char *text = captured();
  ok(status == WN_EINPUT && strstr(text, "90601 nodes do not fit") != NULL,
     "a private grid that does not fit: %s", text);
  free(got);
  scene_free(&s);
}

int main(void)
{
  gpu_or_skip();
  plan(0);
  const size_t n = gpu_size(20011, 2003);
  draw_state = 4320;
  for (int kind = 0; kind < WN_N_POINTS; kind++)
    for (int shape = 0; shape < WN_N_SHAPES; shape++)
      for (size_t wall = 0; wall < N_WALLS; wall++)
        compare(kind, shape, wall, (kind + shape + (int)wall) % 2,
                (enum order)((shape + (int)wall) % 2), n);
  /* 4096 particles of weight 1 are 2^32 quanta; private spreads them over many blocks */
  for (int kind = 0; kind < WN_N_POINTS; kind++)
    compare(kind, WN_SHAPE_CIC, (size_t)kind % N_WALLS, 0, CROWDED,
            gpu_size(1000000, 60000));
  for (int kind = 0; kind < WN_N_POINTS; kind++)
    compare(kind, WN_SHAPE_TSC, 0, 0, BY_CELL, gpu_size(200003, 20011));
  compare(WN_POINT_2D3V, WN_SHAPE_CIC, 0, 0, HEAVY, gpu_size(20011, 10007));
  compare(WN_POINT_3D3V, WN_SHAPE_NGP, 1, 0, HEAVY, gpu_size(100003, 30011));
  for (int kind = 0; kind < WN_N_POINTS; kind++)
    newcomers(kind, kind % WN_N_SHAPES);
  electrons();
  misfit();
  too_large();
  return done();
}

#else

int main(void)
{
  gpu_or_skip();
  return 1;
}

#endif
