/* fields/electrode_surface.c - see electrode_surface.h. */
#include "fields/electrode_surface.h"
#include <math.h>
#include <string.h>

#define HALVINGS 50 /* of an edge: to rounding */
#define STEPS    16 /* of Newton's method */

struct walk {
  const struct wn_geometry *g;
  const struct wn_electrode_shape *shape;
  int n, surface;
  void (*each)(const struct wn_electrode_piece *, void *);
  void *context;
  double sum;
};

/* Whether a place is in a shape of the surface. */
static int is_in(const struct walk *w, const double x[3])
{
  for (int i = 0; i < w->n; i++)
    if (w->shape[i].surface == w->surface &&
        wn_electrode_level(&w->shape[i], w->g->dim, x) <= 0.0)
      return 1;
  return 0;
}

static void cut(const struct walk *w, const double in[3], const double out[3],
                double at[3])
{
  double low = 0.0, high = 1.0;
  for (int i = 0; i < HALVINGS; i++) {
    const double t = 0.5 * (low + high);
    for (int d = 0; d < 3; d++)
      at[d] = in[d] + t * (out[d] - in[d]);
    if (is_in(w, at))
      low = t;
    else
      high = t;
  }
}

static int is_swept(const struct wn_geometry *g)
{
  return g->axis[0].coordinate == WN_COORDINATE_RADIUS;
}

static double area_of(const struct wn_geometry *g, double corner[3][3])
{
  double a[3], b[3], sum = 0.0;
  for (int d = 0; d < 3; d++) {
    a[d] = corner[1][d] - corner[0][d];
    b[d] = g->dim > 2 ? corner[2][d] - corner[0][d] : 0.0;
  }
  if (g->dim < 3)
    return hypot(a[0], a[1]) *
           (is_swept(g) ? WN_PI * (corner[0][0] + corner[1][0]) : 1.0);
  for (int d = 0; d < 3; d++) {
    const int e = (d + 1) % 3, f = (d + 2) % 3;
    const double c = a[e] * b[f] - a[f] * b[e];
    sum += c * c;
  }
  return 0.5 * sqrt(sum);
}

static void add(struct walk *w, const double *p, const double *q, const double *r)
{
  struct wn_electrode_piece piece = {.area = 0.0};
  memcpy(piece.corner[0], p, sizeof piece.corner[0]);
  memcpy(piece.corner[1], q, sizeof piece.corner[1]);
  if (r != NULL)
    memcpy(piece.corner[2], r, sizeof piece.corner[2]);
  piece.area = area_of(w->g, piece.corner);
  w->sum += piece.area;
  if (w->each != NULL && piece.area > 0.0)
    w->each(&piece, w->context);
}

/* The dim + 1 corners of a simplex. */
static void in_simplex(struct walk *w, double corner[4][3], const int in[4])
{
  double at[4][3];
  int n = 0, inside[4], outside[4], n_in = 0, n_out = 0;
  for (int k = 0; k <= w->g->dim; k++)
    if (in[k])
      inside[n_in++] = k;
    else
      outside[n_out++] = k;
  for (int i = 0; i < n_in; i++)
    for (int j = 0; j < n_out; j++)
      cut(w, corner[inside[i]], corner[outside[j]], at[n++]);
  if (n == 2)
    add(w, at[0], at[1], NULL);
  if (n >= 3)
    add(w, at[0], at[1], at[2]);
  if (n == 4) /* 0 and 3 are opposite */
    add(w, at[3], at[1], at[2]);
}

/* A way from the lowest to the highest corner along the axes in this order is a simplex. */
static void along(struct walk *w, const int64_t low[3], const int order[3])
{
  double corner[4][3];
  int64_t node[3] = {low[0], low[1], low[2]};
  int in[4] = {0, 0, 0, 0}, some = 0;
  for (int k = 0; k <= w->g->dim; k++) {
    for (int d = 0; d < 3; d++)
      corner[k][d] = d < w->g->dim ? wn_axis_x(&w->g->axis[d], node[d]) : 0.0;
    in[k] = is_in(w, corner[k]);
    some += in[k];
    if (k < w->g->dim)
      node[order[k]]++;
  }
  if (some > 0 && some <= w->g->dim)
    in_simplex(w, corner, in);
}

static void in_cell(struct walk *w, const int64_t low[3])
{
  static const int orders[6][3] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1},
                                   {2, 0, 1}, {1, 2, 0}, {2, 1, 0}};
  for (int i = 0; i < (w->g->dim > 2 ? 6 : 2); i++)
    along(w, low, orders[i]);
}

/* The cells that the box around the shapes reaches. */
static void cells_of(const struct walk *w, int64_t from[3], int64_t end[3])
{
  for (int d = 0; d < 3; d++) {
    from[d] = d < w->g->dim ? w->g->axis[d].cells : 0;
    end[d] = d < w->g->dim ? 0 : 1;
  }
  for (int i = 0; i < w->n; i++) {
    double low[3], high[3];
    if (w->shape[i].surface != w->surface)
      continue;
    wn_electrode_bounds(&w->shape[i], w->g->dim, low, high);
    for (int d = 0; d < w->g->dim; d++) {
      const struct wn_axis *a = &w->g->axis[d];
      const double cells = (double)a->cells,
                   first = floor(wn_axis_place(a, low[d])) - 1.0,
                   last = ceil(wn_axis_place(a, high[d])) + 1.0;
      const int64_t f = (int64_t)fmin(fmax(first, 0.0), cells),
                    l = (int64_t)fmin(fmax(last, 0.0), cells);
      from[d] = f < from[d] ? f : from[d];
      end[d] = l > end[d] ? l : end[d];
    }
  }
}

double wn_electrode_surface(const struct wn_geometry *g,
                            const struct wn_electrode_shape *shape, int n, int surface,
                            void (*each)(const struct wn_electrode_piece *piece,
                                         void *context),
                            void *context)
{
  struct walk w = {g, shape, n, surface, each, context, 0.0};
  int64_t from[3], end[3], i[3];
  cells_of(&w, from, end);
  for (i[2] = from[2]; i[2] < end[2]; i[2]++)
    for (i[1] = from[1]; i[1] < end[1]; i[1]++)
      for (i[0] = from[0]; i[0] < end[0]; i[0]++)
        in_cell(&w, i);
  return w.sum;
}

void wn_electrode_on_piece(const struct wn_geometry *g,
                           const struct wn_electrode_piece *piece, double a, double b,
                           double x[3])
{
  const double(*c)[3] = piece->corner;
  double s = a, t = 0.0;
  if (g->dim > 2) {
    const double root = sqrt(a);
    s = root * (1.0 - b);
    t = root * b;
  } else if (is_swept(g)) {
    const double r0 = c[0][0], r1 = c[1][0], r = sqrt(r0 * r0 + a * (r1 * r1 - r0 * r0));
    s = fabs(r1 - r0) > 1e-9 * (r0 + r1) ? (r - r0) / (r1 - r0) : a;
  }
  for (int d = 0; d < 3; d++)
    x[d] =
        c[0][d] + s * (c[1][d] - c[0][d]) + (g->dim > 2 ? t * (c[2][d] - c[0][d]) : 0.0);
}

/* How far a shape is along its normal, n: m, negative inside. */
static double distance(const struct wn_electrode_shape *s, int dim, double step,
                       const double x[3], double n[3])
{
  double ahead[3];
  wn_electrode_normal(s, dim, step, x, n);
  for (int d = 0; d < 3; d++)
    ahead[d] = x[d] + step * n[d];
  const double here = wn_electrode_level(s, dim, x),
               slope = (wn_electrode_level(s, dim, ahead) - here) / step;
  return slope > 0.0 ? here / slope : NAN;
}

int wn_electrode_to_surface(const struct wn_electrode_shape *shape, int n, int dim,
                            int surface, double step, double x[3], double normal[3])
{
  for (int i = 0; i < STEPS; i++) {
    double least = INFINITY, n_k[3];
    for (int k = 0; k < n; k++) {
      if (shape[k].surface != surface)
        continue;
      const double away = distance(&shape[k], dim, step, x, n_k);
      if (away < least) {
        least = away;
        memcpy(normal, n_k, sizeof n_k);
      }
    }
    if (!isfinite(least))
      return 0;
    if (fabs(least - step) < 0.01 * step)
      return 1;
    for (int d = 0; d < 3; d++)
      x[d] += (step - least) * normal[d];
  }
  return 0;
}
