/* t/fields/gpu_multigrid_kernels.c - the program of t0460. */
#include "t/fields/gpu_multigrid_kernels.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "t/tap/poisson_grids.h"

static struct wn_multigrid_lines lines[WN_MULTIGRID_LEVELS];
static int checks;

static void ok(int is_good, const char *text, ...)
{
  va_list args;
  va_start(args, text);
  printf("%sok %d - ", is_good ? "" : "not ", ++checks);
  vprintf(text, args);
  printf("\n");
  va_end(args);
}

static void cycle(const struct wn_multigrid_solver *m)
{
  const struct wn_multigrid_level *l = &m->levels.level[0];
  WN_MULTIGRID_ROWS(l)
  for (int32_t i = 0; i < l->axis[0].n; i++) {
    const size_t at = wn_multigrid_row(l, j, k) + (size_t)i;
    l->b[at] = l->inverse[at] > 0.0f ? (float)(uniform() - 0.5) : 0.0f;
  }
  wn_multigrid_cycle(&m->levels);
}

static double worse(double a, double b)
{
  return a > b || isnan(a) ? a : b;
}

static void check(const struct grid *g)
{
  static struct domain d;
  struct wn_poisson *p = NULL;
  double worst[2] = {0.0, 0.0}, far[N_OF_EQUATION];
  int n = 0;
  make(&d, g);
  WN_ASSERT(wn_poisson_multigrid.create(&d.spec, &p) == WN_OK);
  const struct wn_multigrid_solver *m = (struct wn_multigrid_solver *)(void *)p;
  WN_ASSERT(wn_multigrid_lines_create(m, lines) == WN_OK);
  cycle(m);
  for (int i = 0; i + 1 < m->levels.n; i++) {
    if (m->levels.level[i].colours != 2)
      continue;
    kernels_of_grid(m, lines, i, 1 + i % 3, far);
    worst[0] = worse(far[0], worst[0]);
    worst[1] = worse(far[1], worst[1]);
    n++;
  }
  ok(n > 0 && worst[0] < 2e-6, "%s: b of the next of %d grids is the cycle's (%.2g)",
     g->name, n, worst[0]);
  ok(n > 0 && worst[1] < 2e-6, "%s: x of %d grids is the cycle's (%.2g)", g->name, n,
     worst[1]);
  kernels_of_equation(m, lines, 3, far);
  ok(far[RESIDUAL] < 1e-13 && far[RIGHT] < 1e-7 && far[SQUARES] < 1e-12 &&
         far[NORM] < 1e-6 && far[CHARGE_NORM] < 1e-6,
     "%s: the residual of rho (%.2g, %.2g, sums %.2g and %.2g; the charge's %.2g)",
     g->name, far[RESIDUAL], far[RIGHT], far[SQUARES], far[NORM], far[CHARGE_NORM]);
  ok(far[DEFECT] < 1e-7 && far[DEFECT_NORM] < 1e-6 && far[POTENTIAL] < 1e-11,
     "%s: what an addition leaves (%.2g, its sum %.2g, x %.2g)", g->name, far[DEFECT],
     far[DEFECT_NORM], far[POTENTIAL]);
  ok(far[START] == 0.0, "%s: the start, with charge and without (%.2g)", g->name,
     far[START]);
  wn_multigrid_lines_free(lines);
  memset(lines, 0, sizeof lines);
  wn_poisson_multigrid.free(p);
  clear(&d);
}

int main(void)
{
  static const struct grid grids[] = {
      {.name = "r-z, a needle, stretched",
       .dim = 2,
       .cells = {50, 70},
       .sides = {3, 1},
       .spacing = GROWING,
       .inside = NEEDLE,
       .is_rz = 1},
      {.name = "periodic, cells at random",
       .dim = 2,
       .cells = {36, 34},
       .sides = {0, 0},
       .spacing = DRAWN},
      {.name = "walls and mirrors, stretched",
       .dim = 3,
       .cells = {23, 18, 15},
       .sides = {2, 3, 4},
       .spacing = GROWING},
      {.name = "periodic in two, a ball",
       .dim = 3,
       .cells = {20, 17, 16},
       .sides = {0, 1, 0},
       .inside = BALL},
      {.name = "cut edges",
       .dim = 3,
       .cells = {12, 13, 14},
       .sides = {0, 1, 0},
       .inside = CUTS},
  };
  draw_state = 460;
  for (size_t i = 0; i < sizeof grids / sizeof *grids; i++)
    check(&grids[i]);
  printf("1..%d\n", checks);
  return 0;
}

/* ---- what the solver calls elsewhere, and is not asked for here */

int wn_fail_at(const char *file, int line, int status, const char *format, ...)
{
  (void)format;
  printf("Bail out! %s:%d fails\n", file, line);
  exit(status);
}
void wn_assert_failed(const char *file, int line, const char *text)
{
  (void)wn_fail_at(file, line, WN_EINTERN, text);
  abort();
}
void *wn_alloc(size_t n, size_t size)
{
  return calloc(n > 0 ? n : 1, size);
}
int wn_poisson_check_centre(const struct wn_poisson_spec *spec)
{
  return spec != NULL ? WN_OK : WN_EINPUT;
}
void wn_poisson_slopes(struct wn_poisson *p, const double *phi, int d, int staggered,
                       double *e)
{
  (void)p, (void)phi, (void)d, (void)staggered, (void)e;
}
