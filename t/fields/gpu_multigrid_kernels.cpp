/* t/fields/gpu_multigrid_kernels.cpp - see gpu_multigrid_kernels.h. */
#include "t/fields/gpu_on_host.h"
#include "fields/poisson/gpu_multigrid_bricks.cuh"
#include "fields/poisson/gpu_multigrid_equation.cuh"
#include "t/fields/gpu_multigrid_kernels.h"
#include "t/tap/draw.h"

/* A grid as gpu_multigrid.cu puts it on a device, guards of zeros, with memory of its own. */
struct grid_there {
  const struct wn_multigrid_level *l;
  struct view v;
  std::vector<uint8_t> flags[3], brick, kind;
  std::vector<int32_t> list;
  std::vector<float> x, b, r, table;
};

static void put(const struct wn_multigrid_solver *m,
                const struct wn_multigrid_lines *lines, int number, struct grid_there *g)
{
  const int is_last = number + 1 == m->levels.n;
  g->l = &m->levels.level[number];
  struct view *v = &g->v;
  *v = {};
  v->dim = g->l->dim;
  v->colours = g->l->colours;
  v->first = (int64_t)g->l->first;
  for (int d = 0; d < 3; d++) {
    const struct wn_multigrid_axis *a = &g->l->axis[d];
    v->n[d] = a->n;
    v->n_kept[d] = a->n_kept;
    v->wraps[d] = a->is_periodic;
    v->step[d] = (int64_t)g->l->step[d];
    v->c[d] = g->l->c[d];
    for (int32_t i = 0; i < a->n; i++)
      g->flags[d].push_back(is_last ? 0
                                    : (uint8_t)(a->is_between[i] | a->beside[i] << 1));
    v->flags[d] = g->flags[d].data();
    v->kept[d] = a->kept;
    v->node[d] = lines[number].node[d];
    v->lines[d] = lines[number].kept[d];
  }
  v->inverse = g->l->inverse;
  v->weight = g->l->weight;
  for (std::vector<float> *of : {&g->x, &g->b, &g->r})
    of->assign(g->l->size, 0.0f);
  v->x = g->x.data();
  v->b = g->b.data();
  v->r = v->e = g->r.data();
  if (is_last)
    return;
  const struct wn_multigrid_level *next = g->l + 1;
  g->table.assign((size_t)wn_multigrid_around(g->l->dim) * next->size, 0.0f);
  const size_t bricks = wn_multigrid_bricks(g->l);
  g->brick.assign(bricks, 0);
  g->kind.assign(g->l->size, 0);
  g->list.assign(2 * bricks, 0);
  wn_multigrid_table(g->l, next, next->size, g->table.data());
  wn_multigrid_find_irregular(g->l, next, &lines[number], g->table.data(), next->size,
                              g->brick.data(), g->kind.data());
  if (number == 0)
    wn_multigrid_find_factors(m, g->brick.data());
  v->table = g->table.data();
  v->stride = (int64_t)next->size;
  v->brick = g->brick.data();
  v->kind = g->kind.data();
  v->adds = g->list.data();
  v->leaves = v->adds + bricks;
  v->n_adds =
      wn_multigrid_list_bricks(g->l, v->brick, WN_MULTIGRID_BRICK_ADDS, g->list.data());
  v->n_leaves = wn_multigrid_list_bricks(g->l, v->brick, WN_MULTIGRID_BRICK_LEAVES,
                                         g->list.data() + bricks);
}

/* Nodes of an array of the host, without its guards. */
static void set(const struct grid_there *g, const float *from, float *to)
{
  for (uint32_t i = 0; i < nodes_of(&g->v); i++) {
    const int64_t at = node_of(g->v, i).i;
    to[at] = from[at];
  }
}

/* NaN stays. */
static double worse(double a, double b)
{
  return a > b || isnan(a) ? a : b;
}

static double furthest(const struct grid_there *g, const float *a, const float *b,
                       int is_of_unknown)
{
  double far = 0.0, most = 0.0;
  for (uint32_t i = 0; i < nodes_of(&g->v); i++) {
    const int64_t at = node_of(g->v, i).i;
    if (is_of_unknown && !(g->v.inverse[at] > 0.0f))
      continue;
    far = worse(fabs((double)a[at] - (double)b[at]), far);
    most = fmax(most, fabs((double)b[at]));
  }
  return far / most;
}

static unsigned int ratio_up(int64_t n, int64_t by)
{
  return (unsigned int)((n + by - 1) / by);
}

template <int DIM>
static void of_grid(struct grid_there *g, struct grid_there *next, int many,
                    double far[2])
{
  constexpr int X = DIM == 3 ? 32 : 256, Y = DIM == 3 ? 16 : 1;
  const struct view &v = g->v, &w = next->v;
  const dim3 blocks(ratio_up((v.n[0] + 1) / 2 * (DIM == 3 ? v.n[1] : 1), MARCH_THREADS),
                    ratio_up(v.n[DIM - 1], many)),
      tiles(ratio_up(w.n[0], LEAVE_NODES(X)),
            DIM == 3 ? ratio_up(w.n[1], (Y - 1) / 2) : 1, ratio_up(w.n[DIM - 1], many));
  launch(blocks, MARCH_THREADS, [&] { begin_lines<DIM>(v, many); });
  launch(tiles, dim3(X, Y), [&] { leave_lines<DIM, X, Y>(v, w, many); });
  launch((unsigned int)v.n_leaves, LEAVE_THREADS / 4, [&] { leave_bricks<DIM>(v, w); });
  launch(blocks, MARCH_THREADS, [&] { add_next<DIM>(v, w, many); });
  launch((unsigned int)v.n_adds, BRICK_THREADS(DIM), [&] { add_bricks<DIM>(v, w); });
  launch(blocks, MARCH_THREADS, [&] { smooth_lines<DIM, 0>(v, many); });
  launch(blocks, MARCH_THREADS, [&] { smooth_lines<DIM, 1>(v, many); });
  far[0] = furthest(next, w.b, next->l->b, 1);
  far[1] = furthest(g, v.e, g->l->x, 0);
}

void kernels_of_grid(const struct wn_multigrid_solver *m,
                     const struct wn_multigrid_lines *lines, int number, int many,
                     double far[2])
{
  struct grid_there g, next;
  put(m, lines, number, &g);
  put(m, lines, number + 1, &next);
  set(&g, g.l->b, g.v.b);
  set(&next, next.l->x, next.v.e);
  if (g.l->dim == 3)
    of_grid<3>(&g, &next, many, far);
  else
    of_grid<2>(&g, &next, many, far);
}

template <int DIM>
static void of_equation(const struct wn_multigrid_solver *m,
                        const struct wn_multigrid_lines *lines, int many,
                        double far[N_OF_EQUATION])
{
  constexpr int BX = DIM == 3 ? DEFECT_ROW : DEFECT_THREADS;
  struct grid_there g;
  put(m, lines, 0, &g);
  const struct view &v = g.v;
  const uint32_t n = nodes_of(&v);
  const dim3 blocks(ratio_up(v.n[0], BX),
                    DIM == 3 ? ratio_up(v.n[1], DEFECT_THREADS / BX) : 1,
                    ratio_up(v.n[DIM - 1], many));
  const size_t n_blocks = (size_t)blocks.x * blocks.y * blocks.z;
  std::vector<double> x(g.l->size), given(g.l->size), before(g.l->size), e(g.l->size),
      r(g.l->size), rho(m->nodes), partial(2 * n_blocks), scalar(WN_MULTIGRID_SCALARS),
      volt(6);
  std::vector<int32_t> giver(g.l->size, -1);
  std::vector<float> b(g.l->size);
  struct equation q = {};
  q.v = v;
  q.x = x.data();
  q.r = r.data();
  q.partial = partial.data();
  q.blocks = (int32_t)n_blocks;
  q.scalar = scalar.data();
  q.giver = giver.data();
  q.volt = volt.data();
  q.size = (int64_t)g.l->size;
  q.kept[0] = v.e;
  for (int d = 0; d < 3; d++) {
    q.of_phi[d] = (int64_t)m->step[d];
    q.nodes_of_phi[d] = (int32_t)m->n[d];
    q.measure[d] = m->measure[d];
    q.over[d] = m->over[d];
    q.edge[d] = d < DIM ? m->head.spec.edge[d] : nullptr;
  }
  scalar[SCALE] = 3.0;
  for (size_t i = 0; i < m->nodes; i++)
    rho[i] = 1e-5 * (uniform() - 0.5);
  for (double &u : volt)
    u = uniform();
  for (uint32_t i = 0; i < n; i++) {
    const int64_t at = node_of(v, i).i;
    if (!(v.inverse[at] > 0.0f))
      given[at] = volt[giver[at] = (int32_t)(i % 6)];
    const float is_unknown = v.inverse[at] > 0.0f ? 1.0f : 0.0f;
    x[at] = before[at] = uniform();
    v.e[at] = is_unknown * (float)(1e4 * (uniform() - 0.5));
    e[at] = (double)v.e[at];
  }
  for (int i = 0; i < N_OF_EQUATION; i++)
    far[i] = 0.0;
  double norm = 0.0, squares = 0.0, most = 0.0, got[2];
  const auto right = [&](uint32_t i, const double *potential) {
    const struct place p = node_of(v, i);
    return v.inverse[p.i] > 0.0f ? rho[(size_t)phi_of(q, p.at)] / WN_EPS0 * volume(q, p) -
                                       flux(q, p, potential)
                                 : 0.0;
  };
  const auto sum = [&](double of[2]) {
    of[0] = of[1] = 0.0;
    for (size_t i = 0; i < 2 * n_blocks; i++)
      of[i / n_blocks] += partial[i];
  };
  /* the charge's: nothing but given nodes has a potential */
  launch(blocks, DEFECT_THREADS, [&] {
    residual<DIM>(q, rho.data(), of_given{q.giver, q.volt}, nullptr, nullptr, many);
  });
  for (uint32_t i = 0; i < n; i++) {
    const double want = right(i, given.data());
    norm += want * want * (double)v.inverse[node_of(v, i).i];
  }
  sum(got);
  far[CHARGE_NORM] = fabs(got[0] / norm - 1.0);
  launch(blocks, DEFECT_THREADS,
         [&] { residual<DIM>(q, rho.data(), of_array{q.x}, q.r, b.data(), many); });
  norm = 0.0;
  for (uint32_t i = 0; i < n; i++) {
    const struct place p = node_of(v, i);
    const double want = right(i, q.x);
    far[RESIDUAL] = worse(fabs(r[p.i] - want), far[RESIDUAL]);
    far[RIGHT] = worse(fabs((double)b[p.i] - want * scalar[SCALE]), far[RIGHT]);
    most = fmax(most, fabs(want));
    norm += want * want * (double)v.inverse[p.i];
    squares += want * want;
  }
  far[RESIDUAL] /= most;
  far[RIGHT] /= most * scalar[SCALE];
  sum(got);
  far[NORM] = fabs(got[0] / norm - 1.0);
  far[SQUARES] = fabs(got[1] / squares - 1.0);
  for (uint32_t i = 0; i < n; i++) {
    const int64_t at = node_of(v, i).i;
    v.b[at] = b[at] = v.inverse[at] > 0.0f ? (float)(uniform() - 0.5) : 0.0f;
  }
  launch(blocks, DEFECT_THREADS, [&] { defect<DIM>(q, many); });
  for (int64_t i = 0; i < q.size; i++)
    correct{q, 1}((uint32_t)i);
  norm = most = 0.0;
  for (uint32_t i = 0; i < n; i++) {
    const struct place p = node_of(v, i);
    const double want =
        v.inverse[p.i] > 0.0f ? (double)b[p.i] - flux(q, p, e.data()) : 0.0;
    far[DEFECT] = worse(fabs((double)v.b[p.i] - want), far[DEFECT]);
    most = fmax(most, fabs(want));
    norm += want * want * (double)v.inverse[p.i];
    far[POTENTIAL] =
        worse(fabs(x[p.i] - (before[p.i] + e[p.i] / scalar[SCALE])), far[POTENTIAL]);
  }
  far[DEFECT] /= most;
  sum(got);
  far[DEFECT_NORM] = fabs(got[0] / norm - 1.0);
  /* the start: given potentials, and phi where there is charge */
  for (int has_charge = 0; has_charge < 2; has_charge++) {
    scalar[CHARGE] = has_charge;
    for (uint32_t i = 0; i < n; i++) {
      const struct place p = node_of(v, i);
      const double phi = rho[(size_t)phi_of(q, p.at)];
      set_start{q, rho.data()}(i);
      far[START] = worse(fabs(x[p.i] - (giver[p.i] >= 0 ? given[p.i] : has_charge * phi)),
                         far[START]);
    }
  }
}

void kernels_of_equation(const struct wn_multigrid_solver *m,
                         const struct wn_multigrid_lines *lines, int many,
                         double far[N_OF_EQUATION])
{
  if (m->levels.level[0].dim == 3)
    of_equation<3>(m, lines, many, far);
  else
    of_equation<2>(m, lines, many, far);
}
