/* t0152-photoionization.c - defends: photons that ionize oxygen (physics/photoionization.h).
 * The closed form of the part absorbed within a distance is the integral of the absorption
 * function, and has the numbers of issue 32 at 0.2 bar of oxygen.  The sampler has this
 * distribution, and its mean.  Directions are isotropic.  A flight in a box ends where one
 * that goes from side to side does, for all kinds of sides; the part that leaves between two
 * walls is that of an integral.  In r-z a flight is that of a Cartesian way in space, with a
 * mirror around the axis met chord by chord; photons of a point on the axis and off it are absorbed
 * where integrals of the closed form say so, and those of a uniform source in a mirror uniformly.
 * Numbers have their mean.  The three Helmholtz terms of a
 * point source are solutions of their equations, absorb 0.921 of all, and are compared with
 * the absorption function.
 *
 * References: numbers of the issue; integrals by Simpson's rule; a second way through the
 * box.  Statistical checks: 4.5 standard errors, 7e-6 false alarms a check; fixed seeds. */
#include <math.h>
#include <stdlib.h>
#include "physics/angle.h"
#include "physics/constants.h"
#include "physics/photoionization.h"
#include "t/tap/draw.h"
#include "t/tap/tap.h"

#define PA     2e4 /* 0.2 bar of oxygen */
#define SIGMAS 4.5

/* The absorption of the model: 0.035 and 2 per cm and torr. */
static struct wn_photon_gas gas_at(double pa)
{
  const double per = 100.0 / 133.322368421052632 * pa;
  return wn_photon_gas(0.035 * per, 2.0 * per);
}

static const struct {
  double r, part;
} issue[] = {{10e-6, 0.06765}, {30e-6, 0.17708}, {0.1e-3, 0.40467}, {0.3e-3, 0.64837},
             {1e-3, 0.86887},  {3e-3, 0.97787},  {10e-3, 0.99979}};
enum { N_ISSUE = sizeof issue / sizeof issue[0] };

/* Of f from a to b > a > 0, by Simpson's rule in ln r. */
static double integral(double (*f)(double r, const void *what), const void *what,
                       double a, double b)
{
  enum { PARTS = 4000 };
  const double step = log(b / a) / PARTS;
  double sum = 0.0;
  for (int i = 0; i <= PARTS; i++) {
    const double r = a * exp(i * step);
    sum += (i == 0 || i == PARTS ? 1.0 : i % 2 ? 4.0 : 2.0) * r * f(r, what);
  }
  return sum * step / 3.0;
}

static double density(double r, const void *what)
{
  const struct wn_photon_gas *g = what;
  return (exp(-g->chi_min * r) - exp(-g->chi_max * r)) /
         (r * log(g->chi_max / g->chi_min));
}

static void closed_form(void)
{
  const struct wn_photon_gas g = gas_at(PA);
  for (int i = 0; i < N_ISSUE; i++) {
    const double part = wn_photon_within(&g, issue[i].r);
    is_near(part, issue[i].part, 5.1e-6, "absorbed within %g m: the number of the issue",
            issue[i].r);
    /* below 1 pm the function is constant to 1e-6 */
    is_close(part, integral(density, &g, 1e-12, issue[i].r) + 1e-12 * density(1e-12, &g),
             1e-9, "and the integral");
    is_close(wn_photon_density(&g, issue[i].r), density(issue[i].r, &g), 1e-12,
             "the function itself");
    const struct wn_photon_gas thin = gas_at(0.01 * PA);
    is_close(wn_photon_within(&thin, 100.0 * issue[i].r), part, 1e-12,
             "the same at a hundredth of the pressure and a hundredfold distance");
  }
  is_near(wn_photon_mean_length(&g), 0.46255e-3, 5.1e-9, "the mean distance");
  is_near(wn_photon_within(&g, 1.0), 1.0, 1e-14, "all are absorbed in the end");
  is_near(wn_photon_within(&g, 0.0), 0.0, 0.0, "none at once");
  is_close(wn_photon_ein(2.0), wn_photon_ein(nextafter(2.0, 0.0)), 1e-15,
           "series and continued fraction meet");
}

static void sampler(void)
{
  enum { N = 1000000 };
  const struct wn_photon_gas g = gas_at(PA);
  int within[N_ISSUE] = {0};
  double sum = 0.0, square = 0.0;
  for (int i = 0; i < N; i++) {
    const struct wn_rng4 r = wn_rng(3, (uint64_t)i, 0, WN_RNG_PHOTON, 1);
    const double length = wn_photon_length(&g, r.w[0], r.w[1]);
    sum += length / N;
    square += length * length / N;
    for (int k = 0; k < N_ISSUE; k++)
      within[k] += length < issue[k].r;
  }
  for (int k = 0; k < N_ISSUE; k++) {
    const double p = wn_photon_within(&g, issue[k].r);
    is_near((double)within[k] / N, p, SIGMAS * sqrt(p * (1.0 - p) / N),
            "of the sampled, absorbed within %g m", issue[k].r);
  }
  is_near(sum, wn_photon_mean_length(&g), SIGMAS * sqrt((square - sum * sum) / N),
          "their mean");
  ok(wn_photon_length(&g, 0, 0) < 23.0 / g.chi_min &&
         wn_photon_length(&g, UINT32_MAX, UINT32_MAX) > 0.0,
     "limits of the random words give lengths");
}

/* ---- flights in a box */

/* Sides of axis d: low, high. */
struct box {
  int dim;
  int side[6];
};

static struct wn_grid_view grid_of(const struct box *b)
{
  static const double length[3] = {1e-3, 0.4e-3, 2.1e-3};
  struct wn_grid_view g = {.dim = b->dim, .cells = {1, 1, 1}};
  for (int d = 0; d < b->dim; d++) {
    g.cells[d] = 8 + 5 * d;
    g.length[d] = length[d];
    g.per_h[d] = g.cells[d] / length[d];
    g.h[d] = 1.0 / g.per_h[d];
    g.bits[d] = 20 - d;
    g.side[2 * d] = b->side[2 * d];
    g.side[2 * d + 1] = b->side[2 * d + 1];
  }
  return g;
}

/* From side to side: the same in metres, one side at a time.  x is the place. */
static int from_side_to_side(const struct wn_grid_view *g, double x[3], const double n[3],
                             double length)
{
  double u[3] = {n[0], n[1], n[2]};
  while (length > 0.0) {
    double way = length;
    int d = -1;
    for (int i = 0; i < g->dim; i++) {
      const double to = u[i] > 0.0   ? (g->length[i] - x[i]) / u[i]
                        : u[i] < 0.0 ? x[i] / -u[i]
                                     : INFINITY;
      if (to < way) {
        way = to;
        d = i;
      }
    }
    for (int i = 0; i < g->dim; i++)
      x[i] += u[i] * way;
    length -= way;
    if (d < 0)
      return -1;
    const int up = u[d] > 0.0, kind = g->side[2 * d + up];
    if (kind == WN_SIDE_PERIODIC) {
      x[d] = up ? 0.0 : g->length[d];
    } else if (kind == WN_SIDE_REFLECT) {
      x[d] = up ? g->length[d] : 0.0;
      u[d] = -u[d];
    } else {
      return 2 * d + up;
    }
  }
  return -1;
}

static void boxes(void)
{
  enum {
    A = WN_SIDE_ABSORB,
    R = WN_SIDE_REFLECT,
    P = WN_SIDE_PERIODIC,
    O = WN_SIDE_OPEN
  };
  static const struct box box[] = {{1, {A, A}},
                                   {1, {R, A}},
                                   {1, {A, R}},
                                   {1, {R, R}},
                                   {1, {P, P}},
                                   {1, {O, O}},
                                   {2, {P, P, A, O}},
                                   {2, {R, R, P, P}},
                                   {2, {A, R, R, A}},
                                   {3, {A, A, A, A, A, A}},
                                   {3, {P, P, R, A, R, R}},
                                   {3, {P, P, P, P, P, P}}};
  enum { N = 3000 };
  for (size_t b = 0; b < sizeof box / sizeof box[0]; b++) {
    const struct wn_grid_view g = grid_of(&box[b]);
    int wrong_side = 0, kept = 0, left = 0;
    double worst = 0.0;
    for (int i = 0; i < N; i++) {
      const double length = i % 3 == 0 ? 1e-2 * uniform() : 1e-3 * uniform();
      int32_t at[3] = {0, 0, 0}, before[3];
      double x[3] = {0.0, 0.0, 0.0}, n[3];
      wn_angle_isotropic(n, uniform(), uniform());
      if (i % 50 == 0) /* along an axis */
        n[0] = 1.0, n[1] = n[2] = 0.0;
      for (int d = 0; d < g.dim; d++) {
        const int32_t end = g.cells[d] << g.bits[d];
        at[d] = before[d] = (int32_t)(uniform() * end);
        if (i % 40 == 3 && i / 40 % g.dim == d) /* newborns may be on a wall */
          at[d] = before[d] = g.side[2 * d] == P ? 0 : end;
        x[d] = g.length[d] * at[d] / end;
      }
      const int side = wn_photon_fly(&g, n, length, at),
                wanted = from_side_to_side(&g, x, n, length);
      wrong_side += side != wanted;
      kept += side < 0;
      for (int d = 0; d < g.dim; d++) {
        const int32_t end = g.cells[d] << g.bits[d];
        if (side >= 0) {
          left += at[d] != before[d];
          continue;
        }
        double off = fabs((double)at[d] - x[d] / g.length[d] * end);
        if (g.side[2 * d] == P) {
          off = fmin(off, end - off);
          left += at[d] >= end;
        }
        left += at[d] < 0 || at[d] > end;
        worst = fmax(worst, off);
      }
    }
    is_int(wrong_side, 0, "box %zu: sides, %d of %d stay", b, kept, N);
    is_int(left, 0, "box %zu: places outside, or changed by a flight that leaves", b);
    ok(worst < 0.51, "box %zu: the place, in parts of a cell: off by %.3g", b, worst);
  }
}

/* Between two walls a distance h from the middle: all flights with r |cos| > h leave.  Mean over
 * cos of F: integral of f(r) min(1, h/r). */
static double stays(double r, const void *what)
{
  const struct wn_photon_gas g = gas_at(PA);
  return density(r, &g) * fmin(1.0, *(const double *)what / r);
}

static void between_walls(void)
{
  enum { N = 400000 };
  const struct box box = {1, {WN_SIDE_ABSORB, WN_SIDE_ABSORB}};
  const struct wn_grid_view g = grid_of(&box);
  const struct wn_photon_gas gas = gas_at(PA);
  const int32_t end = g.cells[0] << g.bits[0];
  const double h = 0.5 * g.length[0], p = integral(stays, &h, 1e-12, h) +
                                          integral(stays, &h, h, 0.2) +
                                          1e-12 * stays(1e-12, &h);
  int low = 0, high = 0;
  double mean[3] = {0.0}, square[3] = {0.0};
  for (int i = 0; i < N; i++) {
    const struct wn_rng4 r = wn_rng(5, (uint64_t)i, 0, WN_RNG_PHOTON, 1);
    int32_t at[3] = {end / 2, 0, 0};
    double n[3];
    wn_angle_isotropic(n, wn_u01(r.w[2]), wn_u01(r.w[3]));
    for (int d = 0; d < 3; d++) {
      mean[d] += n[d] / N;
      square[d] += n[d] * n[d] / N;
    }
    const int side = wn_photon_fly(&g, n, wn_photon_length(&gas, r.w[0], r.w[1]), at);
    low += side == 0;
    high += side == 1;
  }
  const double error = sqrt(p * (1.0 - p) / N), of_side = 0.5 * (1.0 - p);
  is_near(1.0 - (double)(low + high) / N, p, SIGMAS * error,
          "absorbed between two walls");
  is_near((double)low / N, of_side, SIGMAS * sqrt(of_side * (1.0 - of_side) / N),
          "through the lower");
  is_near((double)high / N, of_side, SIGMAS * sqrt(of_side * (1.0 - of_side) / N),
          "through the upper");
  for (int d = 0; d < 3; d++) {
    is_near(mean[d], 0.0, SIGMAS * sqrt(1.0 / 3.0 / N), "mean direction along %c",
            "xyz"[d]);
    is_near(square[d], 1.0 / 3.0, SIGMAS * sqrt(4.0 / 45.0 / N), "and its square");
  }
}

/* ---- in r-z */

/* A cylinder of 1 mm and a length of 2 mm. */
static struct wn_grid_view cylinder_of(int around, int low, int high)
{
  struct wn_grid_view g = {.dim = 2,
                           .cells = {16, 32, 1},
                           .bits = {20, 19, 0},
                           .side = {WN_SIDE_REFLECT, around, low, high},
                           .h = {1e-3 / 16, 2e-3 / 32, 0.0},
                           .per_h = {16 / 1e-3, 32 / 2e-3, 0.0},
                           .length = {1e-3, 2e-3, 0.0},
                           .is_radial = 1};
  return g;
}

/* In space, along straight lines from one side to the next: reflected by the plane that touches the
 * cylinder.  x: from (r, 0, z) to where it ends. */
static int in_space(const struct wn_grid_view *g, double x[3], const double n[3],
                    double length)
{
  double u[3] = {n[0], n[2], n[1]}; /* the grid has z second */
  for (;;) {
    const double radius = g->length[0], a = u[0] * u[0] + u[1] * u[1],
                 b = x[0] * u[0] + x[1] * u[1],
                 c = x[0] * x[0] + x[1] * x[1] - radius * radius;
    double way = length;
    int side = -1;
    if (a > 0.0) {
      const double to = (-b + sqrt(fmax(b * b - a * c, 0.0))) / a;
      if (to < way) {
        way = to;
        side = 1;
      }
    }
    const double along = u[2] > 0.0   ? (g->length[1] - x[2]) / u[2]
                         : u[2] < 0.0 ? x[2] / -u[2]
                                      : INFINITY;
    if (along < way) {
      way = along;
      side = 2 + (u[2] > 0.0);
    }
    for (int d = 0; d < 3; d++)
      x[d] += u[d] * way;
    length -= way;
    if (side < 0)
      return -1;
    const int kind = g->side[side];
    if (kind == WN_SIDE_PERIODIC) {
      x[2] = side == 3 ? 0.0 : g->length[1];
    } else if (kind != WN_SIDE_REFLECT) {
      return side;
    } else if (side > 1) {
      x[2] = side == 3 ? g->length[1] : 0.0;
      u[2] = -u[2];
    } else {
      const double r = hypot(x[0], x[1]), m[2] = {x[0] / r, x[1] / r},
                   normal = u[0] * m[0] + u[1] * m[1];
      for (int d = 0; d < 2; d++) {
        u[d] -= 2.0 * normal * m[d];
        x[d] = m[d] * radius;
      }
    }
  }
}

static void cylinders(void)
{
  enum {
    A = WN_SIDE_ABSORB,
    R = WN_SIDE_REFLECT,
    P = WN_SIDE_PERIODIC,
    O = WN_SIDE_OPEN,
    N = 6000
  };
  static const int sides[][3] = {{A, A, A}, {O, A, O}, {R, A, A}, {R, R, A},
                                 {R, P, P}, {A, P, P}, {A, R, R}};
  for (size_t k = 0; k < sizeof sides / sizeof sides[0]; k++) {
    const struct wn_grid_view g = cylinder_of(sides[k][0], sides[k][1], sides[k][2]);
    int wrong_side = 0, kept = 0, around = 0, outside = 0;
    double worst = 0.0;
    for (int i = 0; i < N; i++) {
      const double length = i % 3 == 0 ? 2e-2 * uniform() : 1e-3 * uniform();
      int32_t at[3] = {0, 0, 0}, before[2];
      double n[3], x[3] = {0.0, 0.0, 0.0};
      wn_angle_isotropic(n, uniform(), uniform());
      if (i % 50 == 0) /* along r, z and across */
        for (int d = 0; d < 3; d++)
          n[d] = i / 50 % 3 == d ? 1.0 : 0.0;
      for (int d = 0; d < 2; d++) {
        const int32_t end = g.cells[d] << g.bits[d];
        at[d] = (int32_t)(uniform() * end);
        if (i % 40 == 3 && d == 0) /* on the axis */
          at[d] = 0;
        if (i % 40 == 5 && i / 40 % 2 == d) /* on a wall */
          at[d] = g.side[2 * d] == P ? 0 : end;
        before[d] = at[d];
        x[d == 0 ? 0 : 2] = g.length[d] * at[d] / end;
      }
      const int wanted = in_space(&g, x, n, length),
                side = wn_photon_fly(&g, n, length, at);
      wrong_side += side != wanted;
      kept += side < 0;
      around += side == 1;
      const double place[2] = {hypot(x[0], x[1]), x[2]};
      for (int d = 0; d < 2; d++) {
        const int32_t end = g.cells[d] << g.bits[d];
        if (side >= 0) {
          outside += at[d] != before[d];
          continue;
        }
        double off = fabs((double)at[d] - place[d] / g.length[d] * end);
        if (g.side[2 * d] == P && d == 1)
          off = fmin(off, end - off);
        outside += at[d] < 0 || at[d] > end;
        worst = fmax(worst, off);
      }
    }
    is_int(wrong_side, 0, "cylinder %zu: sides, %d of %d stay, %d hit it", k, kept, N,
           around);
    ok(kept > 0 && (sides[k][0] == R ? around == 0 : around > N / 20),
       "cylinder %zu: a mirror around the axis takes none, others do", k);
    is_int(outside, 0, "cylinder %zu: places outside, or changed by a flight that leaves",
           k);
    ok(worst < 0.51, "cylinder %zu: the place, in parts of a cell: off by %.3g", k,
       worst);
  }
}

/* From (r, 0, z), way of a line with the unit vector n, in the plane across the axis, to a cylinder of
 * radius `of`: from *in to *out, both 0 where it does not meet it ahead. */
static void chord(double of, double r, const double n[3], double *in, double *out)
{
  const double a = n[0] * n[0] + n[2] * n[2], b = r * n[0], c = r * r - of * of,
               square = b * b - a * c;
  *in = *out = 0.0;
  if (square <= 0.0)
    return;
  *in = fmax((-b - sqrt(square)) / a, 0.0);
  *out = fmax((-b + sqrt(square)) / a, 0.0);
}

/* Of photons from r on the middle plane, those absorbed within `of` of the axis and within
 * `beside` of the plane; means over directions of differences of F, by the midpoint rule.
 * *around: those that would get to the cylinder, before they are as far from the plane. */
static double in_ring(const struct wn_photon_gas *g, double r, double of, double beside,
                      double *around)
{
  enum { N_COS = 160, N_TURN = 640 };
  double sum = 0.0;
  *around = 0.0;
  for (int i = 0; i < N_COS; i++) {
    const double c = (i + 0.5) / N_COS, s = sqrt(1.0 - c * c);
    for (int j = 0; j < N_TURN; j++) {
      const double turn = WN_PI * (j + 0.5) / N_TURN,
                   n[3] = {s * cos(turn), c, s * sin(turn)};
      double in, out;
      chord(of, r, n, &in, &out);
      if (out < beside / c)
        *around += (1.0 - wn_photon_within(g, out)) / ((double)N_COS * N_TURN);
      out = fmin(out, beside / c);
      if (out > in)
        sum += wn_photon_within(g, out) - wn_photon_within(g, in);
    }
  }
  return sum / ((double)N_COS * N_TURN);
}

/* A wall around it at 1 mm; walls at either end, 1 mm away. */
static void from_a_point(double r)
{
  static const double of[] = {0.05e-3, 0.2e-3, 0.4e-3, 0.8e-3, 1e-3},
                      beside[] = {0.1e-3, 1e-3}, ball[] = {0.03e-3, 0.1e-3, 0.9e-3};
  enum { N = 400000 };
  const struct wn_grid_view g =
      cylinder_of(WN_SIDE_ABSORB, WN_SIDE_ABSORB, WN_SIDE_ABSORB);
  const struct wn_photon_gas gas = gas_at(PA);
  const double end[2] = {g.cells[0] << g.bits[0], g.cells[1] << g.bits[1]};
  int within[5][2] = {{0}}, around = 0, ends = 0, in_ball[3] = {0};
  for (int i = 0; i < N; i++) {
    const struct wn_rng4 w = wn_rng(7, (uint64_t)i, 0, WN_RNG_PHOTON, 1);
    int32_t at[3] = {(int32_t)(r / g.length[0] * end[0]), (int32_t)(0.5 * end[1]), 0};
    double n[3];
    wn_angle_isotropic(n, wn_u01(w.w[2]), wn_u01(w.w[3]));
    const int side = wn_photon_fly(&g, n, wn_photon_length(&gas, w.w[0], w.w[1]), at);
    around += side == 1;
    ends += side > 1;
    if (side >= 0)
      continue;
    const double to = at[0] / end[0] * g.length[0],
                 along = (at[1] / end[1] - 0.5) * g.length[1];
    for (int k = 0; k < 5; k++)
      for (int b = 0; b < 2; b++)
        within[k][b] += to < of[k] && fabs(along) < beside[b];
    for (int k = 0; k < 3; k++)
      in_ball[k] += hypot(to, along) < ball[k];
  }
  double p = 0.0, hits = 0.0;
  for (int k = 0; k < 5; k++)
    for (int b = 0; b < 2; b++) {
      p = in_ring(&gas, r, of[k], beside[b], &hits);
      is_near((double)within[k][b] / N, p, SIGMAS * sqrt(p * (1.0 - p) / N) + 2e-6,
              "from r = %g m: within %g m of the axis and %g m along it", r, of[k],
              beside[b]);
    }
  /* the last of these is the domain */
  is_near((double)around / N, hits, SIGMAS * sqrt(hits * (1.0 - hits) / N) + 2e-6,
          "taken by the side around it");
  is_near((double)ends / N, 1.0 - p - hits,
          SIGMAS * sqrt((p + hits) * (1.0 - p - hits) / N) + 2e-6, "by the ends");
  is_int(within[4][1] + around + ends, N, "all are absorbed or taken");
  for (int k = 0; k < 3 && r == 0.0; k++) {
    p = wn_photon_within(&gas, ball[k]);
    is_near((double)in_ball[k] / N, p, SIGMAS * sqrt(p * (1.0 - p) / N),
            "from the axis: within %g m, the closed form", ball[k]);
  }
}

/* Mirrors on all sides, and a source that is uniform in space: so is what is absorbed. */
static void uniform_in_mirrors(void)
{
  enum { N = 400000, RINGS = 10 };
  const struct wn_grid_view g =
      cylinder_of(WN_SIDE_REFLECT, WN_SIDE_REFLECT, WN_SIDE_REFLECT);
  const struct wn_photon_gas gas = gas_at(0.1 * PA); /* a mean of 4.6 mm */
  const double end = g.cells[0] << g.bits[0];
  int ring[RINGS] = {0}, left = 0;
  double chi2 = 0.0;
  for (int i = 0; i < N; i++) {
    const struct wn_rng4 w = wn_rng(8, (uint64_t)i, 0, WN_RNG_PHOTON, 1),
                         v = wn_rng(8, (uint64_t)i, 0, WN_RNG_PHOTON, 2);
    int32_t at[3] = {(int32_t)(sqrt(wn_u01(v.w[0])) * end),
                     (int32_t)(wn_u01(v.w[1]) * (g.cells[1] << g.bits[1])), 0};
    double n[3];
    wn_angle_isotropic(n, wn_u01(w.w[2]), wn_u01(w.w[3]));
    left += wn_photon_fly(&g, n, wn_photon_length(&gas, w.w[0], w.w[1]), at) >= 0;
    const int k = (int)(RINGS * pow(at[0] / end, 2));
    ring[k < RINGS ? k : RINGS - 1]++;
  }
  for (int k = 0; k < RINGS; k++)
    chi2 += pow(ring[k] - (double)N / RINGS, 2) / ((double)N / RINGS);
  /* 7e-6 of chi2 of 9 degrees are above 40.5 */
  ok(left == 0 && chi2 < 40.5,
     "a uniform source in mirrors is absorbed uniformly: chi2 %.3g of 9", chi2);
}

static void numbers(void)
{
  static const double mean[] = {0.0, 0.003, 0.4, 1.0, 2.7};
  enum { N = 200000 };
  is_close(wn_photon_yield(0.1, 4000.0, 1e5), 0.1 * 4000.0 / 104000.0, 1e-15,
           "quenching");
  is_close(wn_photon_yield(0.1, 4000.0, 4000.0), 0.05, 1e-15,
           "half of them at the quenching pressure");
  for (size_t k = 0; k < sizeof mean / sizeof mean[0]; k++) {
    const double part = mean[k] - floor(mean[k]);
    double sum = 0.0;
    int outside = 0;
    for (int i = 0; i < N; i++) {
      const struct wn_rng4 r = wn_rng(9, (uint64_t)i, 0, WN_RNG_PHOTON, 0);
      const uint32_t n = wn_photon_number(mean[k], r.w[0]);
      sum += n;
      outside += n != (uint32_t)mean[k] && n != (uint32_t)mean[k] + 1;
    }
    is_near(sum / N, mean[k], SIGMAS * sqrt(part * (1.0 - part) / N), "a mean of %g",
            mean[k]);
    is_int(outside, 0, "by the whole numbers beside it");
  }
}

/* ---- three terms */

static double terms(double r, const void *what)
{
  return wn_photon_helmholtz_density(*(const double *)what, r);
}

static void helmholtz(void)
{
  const struct wn_photon_gas g = gas_at(PA);
  const double pa = PA;
  /* w = sum of A_j p^2 exp(-lambda_j p r), which is 4 pi r times the sum of S_j: each term
   * has w_j'' = (lambda_j p)^2 w_j, so that the operator of all three removes w; and w(0) is
   * the strength of the source.  By differences over h, exp(-k h) + exp(k h) for each */
  const double h = 2e-5, r0 = 3e-4;
  double w[7];
  for (int i = 0; i < 7; i++)
    w[i] = wn_photon_helmholtz_density(PA, r0 + (i - 3) * h) / (r0 + (i - 3) * h);
  double size = fabs(w[3]);
  for (int j = 0, n = 7; j < WN_PHOTON_TERMS; j++, n -= 2) {
    double lambda, a;
    wn_photon_term(j, &lambda, &a);
    for (int i = 0; i < n - 2; i++)
      w[i] = w[i] - 2.0 * cosh(lambda * PA * h) * w[i + 1] + w[i + 2];
  }
  ok(fabs(w[0]) < 1e-11 * size, "the terms solve their equations: rest %.2g of %.2g",
     w[0], size);
  double strength = 0.0;
  for (int j = 0; j < WN_PHOTON_TERMS; j++) {
    double lambda, a;
    wn_photon_term(j, &lambda, &a);
    strength += a * PA * PA;
  }
  is_close(wn_photon_helmholtz_density(PA, 1e-14) / 1e-14, strength, 1e-8,
           "with the source of a point");
  for (int i = 0; i < N_ISSUE; i++)
    is_near(wn_photon_helmholtz_within(PA, issue[i].r),
            integral(terms, &pa, 1e-12, issue[i].r), 1e-9,
            "three terms within %g m: the integral", issue[i].r);
  is_near(wn_photon_helmholtz_within(PA, 1.0), 0.92104, 5e-6,
          "the terms absorb 0.921 of all");
  is_close(wn_photon_helmholtz_density(0.01 * PA, 1e-2),
           0.01 * wn_photon_helmholtz_density(PA, 1e-4), 1e-12, "scaling by pressure");
  double least = INFINITY, most = 0.0;
  for (double r = 0.1e-3; r <= 5e-3; r *= 1.01) {
    const double ratio = wn_photon_helmholtz_density(PA, r) / wn_photon_density(&g, r);
    least = fmin(least, ratio);
    most = fmax(most, ratio);
  }
  ok(least > 0.72 && most < 1.58, "0.1 to 5 mm: %.3f to %.3f of the model", least, most);
  is_near(wn_photon_helmholtz_density(PA, 10e-6) / wn_photon_density(&g, 10e-6), 0.155,
          0.001, "at 10 um the terms have little of it");
}

int main(void)
{
  plan(0);
  closed_form();
  sampler();
  boxes();
  between_walls();
  cylinders();
  from_a_point(0.0);
  from_a_point(0.35e-3);
  from_a_point(0.9e-3);
  uniform_in_mirrors();
  numbers();
  helmholtz();
  return done();
}
