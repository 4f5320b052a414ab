/* crosssections/xs_table.c - collision tables on a log2 grid and the proved bound; see
 * physics/xs_view.h for their shape.
 *
 * Why the bound is a bound: inside a segment the probability of a process is linear in
 * the energy, as its row is, from the lower edge or its threshold to the upper edge, so
 * over a range of energies its maximum is at an end of the range or of a line.  The
 * majorant of a process in a bin is the maximum over the range of relative energies that
 * an electron of the bin can have: the bin itself, widened by the largest speed of a
 * target that can be drawn (the largest of wn_xs_normals widths) and by what rounding can
 * do to the energy. nu_max is the largest sum over processes of majorants; dividing by it
 * and rounding up by one part in 1e6 covers the rounding of the float rows.  Each
 * collision checks it. */
#include "crosssections/xs_table.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "crosssections/xs_peaks.h"
#include "physics/angle.h"
#include "physics/constants.h"
#include "physics/continuous_loss.h"
#include "physics/grouped_angle.h"
#include "physics/kinematics.h"
#include "physics/push.h"
#include "physics/rng.h"
#include "physics/single_precision.h"
#include "base/alloc.h"
#include "base/error.h"

/* 6e-5 eV: below it collision frequencies fall linearly to 0. */
#define E_MIN_LOG2 (-14)
#define MARGIN     1.000001
#define KNOT       1e-5 /* of the frequency of a gas */

/* Largest difference between the energy of an electron at a candidate and at the
 * collision, where it is computed anew from u.  Observed: 4e-7 of the energy at the
 * beginning of the flight; flights against the field end with less. */
#define ROUND    1e-4 /* of the energy */
#define ROUND_EV 1e-6

struct build {
  const struct wn_xs_table_spec *spec;
  struct wn_xs_table *t;
  size_t n_bins, n_edges;
  double *bin_edge; /* [n_bins + 1] */
  float *edge;      /* [n_edges], rising; last = top */
  uint32_t *bin_seg;
  float *q[WN_XS_MAX_GASES];      /* angular parameter at bin edges */
  double grouped_from, grouped_s; /* of struct wn_xs_view */
  size_t n;                       /* processes of all gases */
  struct member *member;          /* [n], the commonest first */
};

/* A process of the mixture. */
struct member {
  const struct wn_xs_process *p;
  size_t gas;
  int index;       /* of struct wn_process_view */
  float threshold; /* the first float where it happens */
  double key;      /* sorting key */
};

static void keep(struct wn_xs_table *t, void *memory, size_t bytes)
{
  size_t i = 0;
  while (t->memory[i] != NULL)
    i++;
  t->memory[i] = memory;
  t->bytes += bytes;
}

static int rising(const void *a, const void *b)
{
  float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

/* q for which the shape has the given ratio of momentum transfer to total, by bisection:
 * the ratio rises with q.  Where the middle of two neighbours is one of them, nothing
 * changes any more. */
static double q_of_ratio(double ratio)
{
  double lo = 1e-12, hi = 2.0 - 1e-9;
  if (ratio <= wn_angle_ratio(lo))
    return lo;
  if (ratio >= wn_angle_ratio(hi))
    return hi;
  for (int i = 0; i < 80; i++) {
    double mid = lo < 0.01 ? sqrt(lo * hi) : 0.5 * (lo + hi);
    double *end = wn_angle_ratio(mid) < ratio ? &lo : &hi;
    if (*end == mid)
      break;
    *end = mid;
  }
  return sqrt(lo * hi);
}

/* The same for the shape with spin, through eta; ratios at or above the isotropic one
 * give isotropic scattering. */
static double eta_of_ratio(double ratio, double beta2)
{
  double lo = 1e-14, hi = 300.0;
  if (ratio >= wn_angle_ratio_spin(hi, beta2))
    return INFINITY;
  for (int i = 0; i < 120; i++) {
    double mid = sqrt(lo * hi);
    double *end = wn_angle_ratio_spin(mid, beta2) < ratio ? &lo : &hi;
    if (*end == mid)
      break;
    *end = mid;
  }
  return sqrt(lo * hi);
}

static double q_of_eta(double eta)
{
  return eta < 1e300 ? 2.0 * eta / (1.0 + 2.0 * eta) : 1.0;
}

static double beta2_of(double e)
{
  double k = e / WN_MC2_EV + 1.0;
  return 1.0 - 1.0 / (k * k);
}

/* Angular parameter and integral elastic cross section at an energy: the
 * momentum-transfer cross section of the set is kept whatever the model. */
static void elastic_at(const struct build *b, size_t s, const struct wn_xs_process *p,
                       double e, double *q, double *sigma)
{
  const struct wn_xs_gas *g = &b->spec->gas[s];
  double sigma_m = wn_xs_sigma(g->set, p, e, g->beyond), beta2 = beta2_of(e);
  int known = p->sigma_total != NULL;
  double total = known ? wn_xs_sigma_total(g->set, p, e, g->beyond) : 0.0;
  if (known && !(total > 0.0))
    known = 0;
  switch (b->spec->angle_model) {
  case WN_ANGLE_OKHRIMOVSKYY:
    *q = known ? q_of_ratio(sigma_m / total) : wn_angle_coulomb_q(e);
    *sigma = sigma_m / wn_angle_ratio(*q);
    break;
  case WN_ANGLE_SCREENED_COULOMB: {
    double eta = known ? eta_of_ratio(sigma_m / total, beta2)
                       : wn_angle_moliere_eta(e > 0.0 ? e : 1e-9, cbrt(g->atomic_number));
    *q = q_of_eta(eta);
    *sigma = sigma_m / wn_angle_ratio_spin(eta < 300.0 ? eta : 301.0, beta2);
    break;
  }
  default:
    *q = 1.0;
    *sigma = sigma_m;
  }
}

/* What becomes of elastic collisions with parameter q where deflections are grouped. */
static struct wn_grouped_angle grouped_at(const struct build *b, double q, double e)
{
  return wn_grouped_angle(0.5 * q / (1.0 - q),
                          b->spec->angle_model == WN_ANGLE_SCREENED_COULOMB ? beta2_of(e)
                                                                            : 0.0,
                          b->grouped_s);
}

/* Collision frequency [1/s] of process p of gas s. */
static double frequency(const struct build *b, size_t s, const struct wn_xs_process *p,
                        double e)
{
  const struct wn_xs_gas *g = &b->spec->gas[s];
  double sigma, q;
  if (p->kind == WN_XS_ELASTIC && b->spec->angle_model != WN_ANGLE_ISOTROPIC) {
    elastic_at(b, s, p, e, &q, &sigma);
    if (e >= b->grouped_from && q < 1.0) /* else make_groups refuses */
      sigma *= grouped_at(b, q, e).rate;
  } else {
    sigma = wn_xs_sigma(g->set, p, e, g->beyond);
  }
  return g->density * sigma * wn_speed_from_ev(e);
}

/* The float at or just above x: a threshold must not open early. */
static float not_below(double x)
{
  float f = (float)x;
  return (double)f < x ? nextafterf(f, INFINITY) : f;
}

/* The straight line of a process through a bin. */
struct line {
  const struct build *b;
  const struct wn_xs_process *p;
  size_t gas;
  double lo, hi, low, high; /* its ends, and the frequencies there */
};

/* Where the process begins inside the bin, its line does too. */
static struct line line_of(const struct build *b, size_t s, const struct wn_xs_process *p,
                           size_t i)
{
  struct line l = {.b = b, .p = p, .gas = s};
  l.lo = fmax(b->bin_edge[i], (double)not_below(p->threshold_ev));
  l.hi = (double)nextafterf((float)b->bin_edge[i + 1], 0.0f);
  l.low = frequency(b, s, p, l.lo);
  l.high = frequency(b, s, p, l.hi);
  return l;
}

/* Is `off` within KNOT of a bound from below on the sum of all frequencies of a gas that takes no
 * angle?  The integral elastic cross section is that of momentum transfer over the ratio of the
 * two, which is never above 2.  In the margin there is room for its rounding.  Most often the
 * first processes are enough. */
static int is_within(const struct build *b, size_t s, double e, double off)
{
  const struct wn_xs_gas *g = &b->spec->gas[s];
  const double speed = wn_speed_from_ev(e);
  double sum = 0.0;
  for (size_t k = 0; k < g->set->n; k++) {
    const struct wn_xs_process *p = &g->set->process[k];
    sum += (p->kind == WN_XS_ELASTIC ? 0.5 : 1.0) * wn_xs_sigma(g->set, p, e, g->beyond);
    if (off <= KNOT * (0.999 * g->density * sum * speed))
      return 1;
  }
  return 0;
}

/* Does the line miss this knot, on either side of a jump, by more than KNOT of the
 * frequency of the gas? */
static int line_misses(const struct line *l, double e)
{
  const struct build *b = l->b;
  const struct wn_xs_set *set = b->spec->gas[l->gas].set;
  const float knot = not_below(e);
  double off = 0.0, all = 0.0;
  if ((double)knot <= l->lo || (double)knot > l->hi)
    return 0; /* an end of the line */
  for (int side = 0; side < 2; side++) {
    double at = side ? (double)knot : (double)nextafterf(knot, 0.0f);
    off = fmax(off, fabs(frequency(b, l->gas, l->p, at) -
                         (l->low + (l->high - l->low) * (at - l->lo) / (l->hi - l->lo))));
  }
  if (off <= KNOT * fmin(l->low, l->high) || is_within(b, l->gas, e, off))
    return 0;
  for (size_t k = 0; k < set->n; k++)
    all += frequency(b, l->gas, &set->process[k], e);
  return off > KNOT * all;
}

static size_t bin_of(const struct build *b, double e)
{
  size_t i = 0, end = b->n_bins;
  while (i + 1 < end) {
    size_t middle = (i + end) / 2;
    if (e >= b->bin_edge[middle])
      i = middle;
    else
      end = middle;
  }
  return i;
}

/* Must bin i be cut at the knots of a process, of which the first one there is k?  Not
 * if the straight line through the bin is good enough at all of them: one that must cut
 * bends the line away from the others. */
static int must_cut(const struct build *b, size_t s, const struct wn_xs_process *p,
                    size_t i, size_t k)
{
  const struct line l = line_of(b, s, p, i);
  for (; k < p->n && p->energy_ev[k] < b->bin_edge[i + 1]; k++)
    if (p->energy_ev[k] > b->bin_edge[i] && line_misses(&l, p->energy_ev[k]))
      return 1;
  return 0;
}

/* The knots of a process where bins are cut join the edges; returns how many these are
 * then.  Bin 0, where frequencies fall linearly to 0, is never cut. */
static size_t cut_at_knots(struct build *b, size_t s, const struct wn_xs_process *p,
                           size_t n)
{
  size_t bin = 0;
  int cut = 0;
  for (size_t k = 0; k < p->n; k++) {
    const double e = p->energy_ev[k];
    if (!(e > 0.0 && e < b->bin_edge[b->n_bins] && e > p->threshold_ev))
      continue;
    const size_t i = bin_of(b, e);
    if (i != bin)
      cut = must_cut(b, s, p, i, k);
    bin = i;
    if (cut)
      b->edge[n++] = not_below(e);
  }
  return n;
}

/* Where groups begin; the order of the processes is that without them. */
static void set_groups(struct build *b)
{
  const struct wn_xs_table_spec *spec = b->spec;
  const double half = sin(0.5 * spec->grouped_angle);
  b->grouped_s = half * half;
  for (size_t i = b->n_bins; spec->grouped_from_ev > 0.0 && i > 0; i--)
    if (b->bin_edge[i - 1] >= spec->grouped_from_ev)
      b->grouped_from = b->bin_edge[i - 1];
}

static int make_grid(struct build *b)
{
  const struct wn_xs_table_spec *spec = b->spec;
  unsigned per = spec->bins_per_octave;
  int octave = (int)floor(log2(spec->e_max_ev));
  double part = ceil((ldexp(spec->e_max_ev, -octave) - 1.0) * per -
                     1e-9); /* bins of the last octave */
  b->n_bins = 1 + (size_t)(octave - E_MIN_LOG2) * per + (size_t)part;
  size_t room = b->n_bins + 1;
  for (size_t s = 0; s < spec->n_gases; s++)
    for (size_t i = 0; i < spec->gas[s].set->n; i++)
      room += spec->gas[s].set->process[i].n;
  b->bin_edge = wn_alloc(b->n_bins + 1, sizeof(double));
  b->edge = wn_alloc(room, sizeof(float));
  b->bin_seg = wn_alloc(b->n_bins + 1, sizeof(uint32_t));
  if (b->bin_edge == NULL || b->edge == NULL || b->bin_seg == NULL)
    return WN_ENOMEM;
  b->bin_edge[0] = 0.0;
  for (size_t i = 1; i <= b->n_bins; i++)
    b->bin_edge[i] =
        ldexp(1.0 + (double)((i - 1) % per) / per, E_MIN_LOG2 + (int)((i - 1) / per));
  set_groups(b);
  size_t n = 0;
  for (size_t i = 0; i <= b->n_bins; i++)
    b->edge[n++] = (float)b->bin_edge[i]; /* exact */
  for (size_t s = 0; s < spec->n_gases; s++)
    for (size_t i = 0; i < spec->gas[s].set->n; i++)
      n = cut_at_knots(b, s, &spec->gas[s].set->process[i], n);
  qsort(b->edge, n, sizeof *b->edge, rising);
  size_t m = 1;
  for (size_t i = 1; i < n; i++)
    if (b->edge[i] > b->edge[m - 1])
      b->edge[m++] = b->edge[i];
  b->n_edges = m;
  size_t seg = 0;
  for (size_t i = 0; i <= b->n_bins; i++) {
    while ((double)b->edge[seg] < b->bin_edge[i])
      seg++;
    b->bin_seg[i] = (uint32_t)seg;
  }
  return WN_OK;
}

static int make_angles(struct build *b, size_t s)
{
  const struct wn_xs_set *set = b->spec->gas[s].set;
  b->q[s] = NULL;
  if (b->spec->angle_model == WN_ANGLE_ISOTROPIC)
    return WN_OK;
  const struct wn_xs_process *p = NULL;
  for (size_t i = 0; i < set->n; i++)
    if (set->process[i].kind == WN_XS_ELASTIC)
      p = &set->process[i];
  if (p == NULL)
    return WN_FAIL(WN_EINPUT,
                   "gas %s (%s): an angular model needs an elastic cross section",
                   set->name, set->source);
  float *q = wn_alloc(b->n_bins + 1, sizeof *q);
  if (q == NULL)
    return WN_ENOMEM;
  for (size_t i = 0; i <= b->n_bins; i++) {
    double x, sigma;
    elastic_at(b, s, p, b->bin_edge[i], &x, &sigma);
    q[i] = (float)x;
  }
  b->q[s] = q;
  return WN_OK;
}

/* Groups of gas s, at the edges of bins. */
static int make_groups(struct build *b, size_t s)
{
  const struct wn_xs_set *set = b->spec->gas[s].set;
  if (!(b->grouped_from < INFINITY))
    return WN_OK;
  struct wn_xs_grouped *g = wn_alloc(b->n_bins + 1, sizeof *g);
  if (g == NULL)
    return WN_ENOMEM;
  keep(b->t, g, (b->n_bins + 1) * sizeof *g);
  for (size_t i = 0; i <= b->n_bins; i++) {
    if (!(b->bin_edge[i] >= b->grouped_from))
      continue;
    if (!(b->q[s][i] < 1.0f))
      return WN_FAIL(WN_EINPUT,
                     "gas %s (%s): elastic scattering at %.9g eV is not forward, and its "
                     "deflections cannot be grouped; raise elastic.grouped_from",
                     set->name, set->source, b->bin_edge[i]);
    const struct wn_grouped_angle of = grouped_at(b, (double)b->q[s][i], b->bin_edge[i]);
    g[i] = (struct wn_xs_grouped){(float)of.part, (float)of.s_max};
  }
  b->t->view.gas[s].grouped = g;
  return WN_OK;
}

/* Widen [lo, hi] to the energies relative to targets that move with up to v [m/s]. */
static void widen_thermal(double *lo, double *hi, double v)
{
  double a = wn_speed_from_ev(*lo) - v, z = wn_speed_from_ev(*hi) + v;
  *lo = a > 0.0 ? 0.5 * WN_ME * a * a / WN_E * (1.0 - 1e-6) : 0.0;
  *hi = 0.5 * WN_ME * z * z / WN_E * (1.0 + 1e-3) +
        1e-12; /* at and below thermal_below, far from relativistic */
}

static int check_models(const struct wn_xs_table_spec *spec)
{
  for (size_t s = 0; s < spec->n_gases; s++) {
    const struct wn_xs_gas *g = &spec->gas[s];
    if (g->set->ion != NULL)
      return WN_FAIL(WN_EINPUT,
                     "gas %s (%s): these are cross sections of %s, not of electrons",
                     g->set->name, g->set->source, g->set->ion);
    if (!(g->mass > 0.0))
      return WN_FAIL(
          WN_EINPUT,
          "gas %s (%s): the mass of the target is unknown; give gas.components.%s.mass",
          g->set->name, g->set->source, g->set->name);
    if (spec->angle_model == WN_ANGLE_SCREENED_COULOMB && !(g->atomic_number > 0.0))
      return WN_FAIL(
          WN_EINPUT,
          "gas %s: scattering screened-coulomb needs gas.components.%s.atomic_number",
          g->set->name, g->set->name);
    for (size_t i = 0; i < g->set->n; i++) {
      const struct wn_xs_process *p = &g->set->process[i];
      if (p->kind == WN_XS_IONIZATION && spec->share_model == WN_SHARING_RBEB &&
          !(p->orbital.n > 0.0))
        return WN_FAIL(WN_EINPUT,
                       "gas %s: sharing rbeb needs the orbital of `%s`, which only "
                       "builtin:air has; use opal or equal",
                       g->set->name, p->label);
      if (p->three_body || p->kind == WN_XS_EFFECTIVE)
        return WN_FAIL(WN_EINTERN, "gas %s: `%s` was not prepared", g->set->name,
                       p->label);
    }
  }
  return WN_OK;
}

/* All processes in the order of their frequency, on average over the energies that most
 * electrons of a discharge have, so that a search from the front is short. */
static int make_order(struct build *b)
{
  for (size_t s = 0; s < b->spec->n_gases; s++)
    b->n += b->spec->gas[s].set->n;
  b->member = wn_alloc(b->n, sizeof *b->member);
  if (b->member == NULL)
    return WN_ENOMEM;
  size_t n = 0;
  for (size_t s = 0; s < b->spec->n_gases; s++)
    for (size_t i = 0; i < b->spec->gas[s].set->n; i++) {
      const struct wn_xs_process *p = &b->spec->gas[s].set->process[i];
      struct member one = {p, s, (int)n, not_below(p->threshold_ev), 0.0};
      for (int k = -16; k <= 14; k++) /* 1/16 eV to 11 eV */
        one.key += frequency(b, s, p, exp2(0.25 * k));
      size_t j = n++;
      for (; j > 0 && b->member[j - 1].key < one.key; j--)
        b->member[j] = b->member[j - 1];
      b->member[j] = one;
    }
  return WN_OK;
}

/* Where the line of a process in segment j begins. */
static double begins(const struct build *b, size_t j, const struct member *p)
{
  return (double)(b->edge[j] > p->threshold ? b->edge[j] : p->threshold);
}

/* Rows in 1/s (still to be divided by nu_max), as doubles [process][segment][left,
 * right]; 0 where a process begins above the segment. */
static double *make_rows(const struct build *b)
{
  size_t n_seg = b->n_edges - 1;
  double *row = wn_alloc(n_seg * b->n, 2 * sizeof *row);
  if (row == NULL)
    return NULL;
  for (size_t k = 0; k < b->n; k++)
    for (size_t j = 0; j < n_seg; j++) {
      const struct member *p = &b->member[k];
      float right = nextafterf(b->edge[j + 1], 0.0f);
      if (p->threshold > right)
        continue;
      row[2 * (k * n_seg + j)] = frequency(b, p->gas, p->p, begins(b, j, p));
      row[2 * (k * n_seg + j) + 1] = frequency(b, p->gas, p->p, (double)right);
    }
  return row;
}

/* Of two numbers, in a few instructions; fmax and fmin are calls, as they know NaN. */
static inline double larger(double a, double b)
{
  return a > b ? a : b;
}

static inline double lesser(double a, double b)
{
  return a < b ? a : b;
}

/* Highest frequency of a process in that part of segment j that is in [lo, hi]; 0 where there is none. */
static double highest_in(const struct build *b, const double *row, size_t k, size_t j,
                         double lo, double hi)
{
  const double *ends = &row[2 * (k * (b->n_edges - 1) + j)];
  double from = begins(b, j, &b->member[k]), end = (double)b->edge[j + 1],
         left = larger(from, lo), right = lesser(end, hi),
         slope = (ends[1] - ends[0]) / (end - from);
  if (left > right || !(end > from))
    return 0.0;
  return ends[0] + slope * ((slope > 0.0 ? right : left) - from);
}

/* Of a process, in each bin. */
static void peaks_of(const struct build *b, const double *row, size_t k,
                     struct wn_xs_peaks *p)
{
  for (size_t i = 0; i < b->n_bins; i++) {
    p->of[0][i] = 0.0;
    for (size_t j = b->bin_seg[i]; j < b->bin_seg[i + 1]; j++)
      p->of[0][i] = larger(p->of[0][i], highest_in(b, row, k, j, 0.0, INFINITY));
  }
  wn_xs_peaks_fill(p);
}

/* Highest frequency of a process in [lo, hi].  The ends are two bins each, as both are rounded where their bins are looked up; bins between them are
 * in the range as a whole, which below wn_xs_table_spec.thermal_below_ev is most of them. */
static double highest(const struct build *b, const double *row, size_t k,
                      const struct wn_xs_peaks *p, double lo, double hi)
{
  const size_t first = (size_t)wn_xs_bin(&b->t->view, (float)lo),
               end = (size_t)wn_xs_bin(&b->t->view, (float)hi) + 1;
  const int split = end - first > 4;
  double top = split ? wn_xs_peak(p, first + 2, end - 2) : 0.0;
  for (size_t i = first; i < end; i = split && i == first + 1 ? end - 2 : i + 1)
    for (size_t j = b->bin_seg[i]; j < b->bin_seg[i + 1]; j++)
      top = larger(top, highest_in(b, row, k, j, lo, hi));
  return top;
}

/* Majorants of all bins [bin][process], in 1/s; *most: the largest sum of a bin. */
static int make_majorants(const struct build *b, const double *row, double *major,
                          double *most)
{
  const struct wn_xs_table_spec *spec = b->spec;
  const struct wn_xs_view *v = &b->t->view;
  struct wn_xs_peaks peaks;
  /* the largest velocity that can be drawn, in units of the spread along an axis */
  double largest = sqrt(3.0) * (double)v->normal[WN_XS_NORMALS - 1] * (1.0 + 1e-6),
         top = 0.0;
  WN_TRY(wn_xs_peaks_create(b->n_bins, &peaks));
  for (size_t k = 0; k < b->n; k++) {
    const double sigma_v = (double)v->gas[b->member[k].gas].sigma_v;
    const int chosen = !spec->continuous || b->member[k].p->kind != WN_XS_FRICTION;
    if (chosen)
      peaks_of(b, row, k, &peaks);
    for (size_t i = 0; i < b->n_bins; i++) {
      double lo = b->bin_edge[i],
             hi = (double)nextafterf((float)b->bin_edge[i + 1], 0.0f);
      if (sigma_v > 0.0 && lo < spec->thermal_below_ev)
        widen_thermal(&lo, &hi, largest * sigma_v);
      lo = fmax(lo * (1.0 - ROUND) - ROUND_EV, 0.0);
      hi = hi * (1.0 + ROUND) + ROUND_EV;
      major[i * b->n + k] = chosen ? highest(b, row, k, &peaks, lo, hi) : 0.0;
    }
  }
  wn_xs_peaks_free(&peaks);
  for (size_t i = 0; i < b->n_bins; i++) {
    double sum = 0.0;
    for (size_t k = 0; k < b->n; k++)
      sum += major[i * b->n + k];
    top = fmax(top, sum);
  }
  *most = top;
  return WN_OK;
}

/* The words of a bin from its majorants.  Each width must not shrink by the rounding of
 * those before it, which a rare process would not survive: every sum starts from the
 * rounded one.  Widths are rounded up, so that they stay bounds; nu_max leaves room for
 * that, one part in 1e6 or 4000 processes.  The last word of all stays null, one in 4e9.
 * Returns the last of the process words. */
static uint32_t make_words(const struct build *b, const double *major, double nu_max,
                           struct wn_xs_four *four)
{
  double sum = 0.0;
  for (size_t k = 0; k < 4 * wn_xs_fours(&b->t->view); k++) {
    if (k < b->n)
      sum = fmin(ceil(sum + major[k] * MARGIN / nu_max * 0x1p32), 4294967295.0);
    four[k / 4 * b->n_bins].w[k % 4] = k < b->n ? (uint32_t)sum : UINT32_MAX;
  }
  return (uint32_t)sum;
}

/* The segments of the floats whose bits are first to last, which differ in the `shift`
 * lowest bits only; segment: one at or below the first.  More than two make parts, which
 * are only counted where part is NULL. */
static struct wn_xs_part make_part(const struct build *b, struct wn_xs_part *part,
                                   uint32_t first, uint32_t last, uint32_t shift,
                                   uint32_t segment)
{
  struct wn_xs_view *v = &b->t->view;
  uint32_t end;
  while (b->edge[segment + 1] <= wn_float_from_bits(first))
    segment++;
  for (end = segment; b->edge[end + 1] <= wn_float_from_bits(last);)
    end++;
  struct wn_xs_part whole = {segment, end > segment ? b->edge[end] : INFINITY,
                             b->edge[segment]};
  if (end < segment + 2)
    return whole;
  whole = (struct wn_xs_part){v->n_parts, -1.0f, b->edge[segment]};
  v->n_parts += 16;
  shift = wn_xs_part_shift(shift);
  for (uint32_t i = 0; i < 16; i++) {
    uint32_t from = (first & ~((16u << shift) - 1u)) + (i << shift);
    if (from < first || from > last) /* never looked up */
      continue;
    struct wn_xs_part one =
        make_part(b, part, from, from + (1u << shift) - 1u, shift, segment);
    if (part != NULL)
      part[whole.segment + i] = one;
  }
  return whole;
}

static struct wn_xs_part part_of_bin(const struct build *b, struct wn_xs_part *part,
                                     size_t i)
{
  return make_part(b, part, wn_float_bits((float)b->bin_edge[i]),
                   wn_float_bits((float)b->bin_edge[i + 1]) - 1u, b->t->view.shift,
                   b->bin_seg[i]);
}

static int finish(struct build *b, const double *row)
{
  struct wn_xs_table *t = b->t;
  struct wn_xs_view *v = &t->view;
  size_t n_seg = b->n_edges - 1, fours = wn_xs_fours(v);
  for (size_t i = 0; i < b->n_bins; i++)
    part_of_bin(b, NULL, i);
  double *major = wn_alloc(b->n_bins * b->n, sizeof *major);
  struct wn_xs_four *word = wn_alloc(b->n_bins * fours, sizeof *word);
  struct wn_xs_top *top = wn_alloc(b->n_bins, sizeof *top);
  struct wn_xs_bin_view *bin = wn_alloc(b->n_bins, sizeof *bin);
  struct wn_xs_part *part = wn_alloc(v->n_parts, sizeof *part);
  float *normal = wn_alloc(WN_XS_NORMALS, sizeof *normal);
  struct wn_xs_line *line = wn_alloc(n_seg * b->n, sizeof *line);
  if (major == NULL || word == NULL || top == NULL || bin == NULL || part == NULL ||
      normal == NULL || line == NULL) {
    free(major);
    free(word);
    free(top);
    free(bin);
    free(part);
    free(normal);
    free(line);
    return WN_ENOMEM;
  }
  keep(t, word, b->n_bins * fours * sizeof *word);
  keep(t, top, b->n_bins * sizeof *top);
  keep(t, bin, b->n_bins * sizeof *bin);
  keep(t, part, v->n_parts * sizeof *part);
  keep(t, normal, WN_XS_NORMALS * sizeof *normal);
  keep(t, line, n_seg * b->n * sizeof *line);
  wn_xs_normals(normal);
  v->major = word;
  v->top = top;
  v->bin = bin;
  v->part = part;
  v->normal = normal;
  v->row = line;
  double nu_max = 0.0;
  int status = make_majorants(b, row, major, &nu_max);
  nu_max = v->nu_max = MARGIN * MARGIN * nu_max;
  if (status == WN_OK && !(nu_max > 0.0))
    status = WN_FAIL(WN_EINPUT, "the gas has no collisions: every cross section is 0");
  if (status != WN_OK) {
    free(major);
    return status;
  }
  v->n_parts = 0;
  for (size_t i = 0; i < b->n_bins; i++) {
    uint32_t last = make_words(b, &major[i * b->n], nu_max, &word[i]);
    struct wn_xs_part whole = part_of_bin(b, part, i);
    top[i] = (struct wn_xs_top){last, last > 0 ? (float)(0x1p32 / (double)last) : 0.0f};
    bin[i] = (struct wn_xs_bin_view){whole.segment, whole.cut};
  }
  free(major);
  for (size_t k = 0; k < b->n; k++)
    for (size_t j = 0; j < n_seg; j++) {
      const double *ends = &row[2 * (k * n_seg + j)];
      double width = (double)b->edge[j + 1] - begins(b, j, &b->member[k]);
      if (width > 0.0)
        line[k * n_seg + j] = (struct wn_xs_line){
            (float)(ends[0] / nu_max), (float)((ends[1] - ends[0]) / width / nu_max)};
    }
  return WN_OK;
}

/* Sizes and bins of the view. */
static void describe_grid(struct build *b)
{
  const struct wn_xs_table_spec *spec = b->spec;
  struct wn_xs_view *v = &b->t->view;
  v->n_gases = (int)spec->n_gases;
  v->n_processes = (int)b->n;
  v->n_bins = (int)b->n_bins;
  v->angle_model = spec->angle_model;
  v->share_model = spec->share_model;
  v->moller = spec->moller;
  v->grouped_from_ev = (float)b->grouped_from;
  v->grouped_s = b->grouped_s;
  v->excitation_from_ev =
      spec->excitation_from_ev > 0.0 ? (float)spec->excitation_from_ev : INFINITY;
  int log2_bins = 0;
  while (1u << log2_bins < spec->bins_per_octave)
    log2_bins++;
  v->shift = 23 - (uint32_t)log2_bins;
  v->base = (int32_t)((uint32_t)(127 + E_MIN_LOG2) << log2_bins) - 1;
  v->e_min = b->bin_edge[1];
  v->e_top = b->bin_edge[b->n_bins];
  v->thermal_below_ev = (float)spec->thermal_below_ev;
  v->edge = b->edge;
  v->n_segments = (uint32_t)(b->n_edges - 1);
}

/* Gas s of the view, and the limit from the ends of its tables. */
static int describe_gas(struct build *b, size_t s)
{
  struct wn_xs_table *t = b->t;
  const struct wn_xs_gas *g = &b->spec->gas[s];
  struct wn_gas_view *gv = &t->view.gas[s];
  WN_TRY(make_angles(b, s));
  if (b->q[s] != NULL)
    keep(t, b->q[s], (b->n_bins + 1) * sizeof(float));
  gv->angle = b->q[s];
  WN_TRY(make_groups(b, s));
  gv->mass_ev = g->mass * WN_C * WN_C / WN_E;
  wn_cm_factors(gv->mass_ev, &gv->cm_part, &gv->cm_x);
  gv->recoil = (float)(WN_MC2_EV / (WN_MC2_EV + gv->mass_ev));
  gv->sigma_v = (float)sqrt(WN_KB * b->spec->temperature / g->mass);
  gv->opal_ev = g->opal_ev;
  for (size_t i = 0; i < g->set->n; i++) { /* of two that end together, the first */
    const struct wn_xs_process *p = &g->set->process[i];
    double last = p->energy_ev[p->n - 1];
    if (g->beyond == WN_XS_BEYOND_ERROR && p->sigma[p->n - 1] > 0.0 &&
        last < t->limit_ev) {
      t->limit_ev = last;
      t->limit_process = p->label;
    }
  }
  return WN_OK;
}

static void describe_processes(struct build *b, struct wn_process_view *process)
{
  for (size_t k = 0; k < b->n; k++) {
    const struct member *one = &b->member[k];
    process[k] = (struct wn_process_view){.kind = (uint16_t)one->p->kind,
                                          .gas = (uint16_t)one->gas,
                                          .index = one->index,
                                          .loss = (float)(one->p->loss_ev / WN_UNIT_EV),
                                          .threshold_ev = one->threshold,
                                          .loss_ev = one->p->loss_ev,
                                          .b_ev = one->p->orbital.b_ev,
                                          .beta2 = wn_beta2(one->p->orbital.b_ev) +
                                                   wn_beta2(one->p->orbital.u_ev),
                                          .deflection = one->p->deflection};
  }
  b->t->view.process = process;
}

static int make_continuous(struct wn_xs_table *t)
{
  struct wn_continuous_loss *c = wn_alloc(1, sizeof *c);
  if (c == NULL)
    return WN_ENOMEM;
  keep(t, c, sizeof *c);
  wn_continuous_make(&t->view, c);
  t->view.continuous = c;
  return WN_OK;
}

int wn_xs_table_create(const struct wn_xs_table_spec *spec, struct wn_xs_table **out)
{
  WN_TRY(check_models(spec));
  WN_ASSERT(spec->n_gases >= 1 && spec->n_gases <= WN_XS_MAX_GASES);
  struct build b = {.spec = spec, .grouped_from = INFINITY};
  double *row = NULL;
  struct wn_process_view *process = NULL;
  int status = WN_ENOMEM;
  struct wn_xs_table *t = b.t = wn_alloc(1, sizeof *t);
  if (t == NULL)
    return WN_ENOMEM;
  t->limit_ev = INFINITY;
  if (make_order(&b) != WN_OK)
    goto fail;
  process = wn_alloc(b.n, sizeof *process);
  if (process == NULL || make_grid(&b) != WN_OK)
    goto fail;
  keep(t, process, b.n * sizeof *process);
  keep(t, b.edge, b.n_edges * sizeof *b.edge);
  describe_grid(&b);
  for (size_t s = 0; s < spec->n_gases; s++) {
    status = describe_gas(&b, s);
    if (status != WN_OK)
      goto fail;
  }
  describe_processes(&b, process);
  row = make_rows(&b);
  status = row != NULL ? finish(&b, row) : WN_ENOMEM;
  if (status == WN_OK && spec->continuous)
    status = make_continuous(t);
fail:
  free(row);
  free(b.member);
  free(b.bin_edge);
  free(b.bin_seg);
  if (status != WN_OK) {
    if (t->memory[0] == NULL) {
      free(process);
      free(b.edge);
    }
    wn_xs_table_free(t);
    return status;
  }
  *out = t;
  return WN_OK;
}

const struct wn_process_view *wn_xs_table_process(const struct wn_xs_table *t, int index)
{
  const struct wn_process_view *p = t->view.process;
  while (p->index != index)
    p++;
  return p;
}

void wn_xs_table_free(struct wn_xs_table *t)
{
  if (t == NULL)
    return;
  for (size_t i = 0; i < sizeof t->memory / sizeof t->memory[0]; i++)
    free(t->memory[i]);
  free(t->whole);
  free(t);
}

int wn_xs_table_thin(struct wn_xs_table *t, size_t gas, double part)
{
  const struct wn_xs_view *v = &t->view;
  const size_t n = v->n_segments, all = n * (size_t)v->n_processes;
  struct wn_xs_line *row = (struct wn_xs_line *)(uintptr_t)v->row; /* of t->memory */
  WN_ASSERT(part >= 0.0 && part <= 1.0);
  if (t->whole == NULL) {
    t->whole = wn_alloc(all, sizeof *t->whole);
    if (t->whole == NULL)
      return WN_ENOMEM;
    memcpy(t->whole, row, all * sizeof *row);
  }
  for (int k = 0; k < v->n_processes; k++)
    for (size_t j = (size_t)k * n; v->process[k].gas == gas && j < (size_t)(k + 1) * n;
         j++)
      row[j] = (struct wn_xs_line){(float)(part * (double)t->whole[j].at),
                                   (float)(part * (double)t->whole[j].slope)};
  return WN_OK;
}

double wn_xs_table_frequency(const struct wn_xs_table *t, int k, double e_ev)
{
  const struct wn_xs_view *v = &t->view;
  double sum = 0.0;
  for (int i = 0; i < v->n_processes; i++) {
    const struct wn_process_view *p = &v->process[i];
    if (k < 0 || k == p->index)
      sum += (double)wn_xs_probability(v, i, p->threshold_ev, (float)e_ev);
  }
  return v->nu_max * sum;
}
