/* physics/wall_circuit.h - two plane walls, each connected to a source of voltage by a capacitor, a
 * resistor and an inductor in series, and the gap between them with its charge: potentials, currents
 * and surface charges at the next time.  All per area of the walls: C/m2, A/m2, F/m2, ohm m2, H m2.
 *
 * One wall, with the charge Q that came to it by its circuit, and the current I = dQ/dt:
 *
 *   source - Q/C - R I - L dI/dt = potential
 *   surface charge = Q + convected                                (what particles brought)
 *
 * A dielectric of thickness d on a metal is a capacitance eps0 eps_r/d in series.  With Q on the metal
 * and the convected charge on the face, the field in it is Q/(eps0 eps_r), and that in the gap
 * (Q + convected)/eps0, as Gauss's law says: the potential is that of the face, and charge that comes
 * there by particles stays there.
 *
 * The gap.  Let q_i be the charge of node i of a grid with constant spacing h, over the part of its
 * cell that lies in the gap (half of it at a wall), phi_i the potential of the three-point
 * operator.  Gauss's law for the half cell of the low wall, node 0, and of the high wall, node N:
 *
 *   low  = eps0 (phi_0 - phi_1)/h - q_0,    high = eps0 (phi_N - phi_N-1)/h - q_N
 *
 * Green's identity of that operator with the function 1 - i/N, which it takes to 0, gives without a
 * solution of Poisson's equation, with L = N h,
 *
 *   low  + sum q_i (1 - i/N) = eps0/L (phi_0 - phi_N)
 *   high + sum q_i i/N       = eps0/L (phi_N - phi_0)
 *
 * The sums are `induced` below.  So the surface charges add up to the charge between the walls with the
 * other sign, and K = convected + induced, both over both walls, is what particles have of charge.  It
 * changes only where charge is created.  From the two equations, Q_high = -K - Q_low: there is one current
 * in the loop, and one unknown.
 *
 * Time.  All quantities belong to one level, the middle of a step of the particles.  Derivatives at
 * level m are backward differences of second order over the levels m, m - 1 and m - 2, with w = h_m /
 * h_m-1, the ratio of the last two distances:
 *
 *   y'_m = c0 (y_m - y_m-1) - c2 (y_m-1 - y_m-2),   c0 = (1 + 2 w)/((1 + w) h_m),  c2 = w^2/((1 + w) h_m)
 *
 * (derived from the parabola through the three; w = 1: 3/2 and 1/2).  I is that of Q, dI/dt that of I,
 * hence the method of the two backward differences for the system of Q and I.  It is stable for any step: y'
 * = lambda y has solutions z^m with lambda h = (1 - 1/z)(3 - 1/z)/2, of which the real part on |z| = 1, z =
 * exp(i theta), is (1 - cos theta)^2, and it is no less for |z| > 1; so for Re lambda < 0 no |z| >= 1 is a
 * solution.  For lambda h to -infinity z goes to 0: what is faster than a step is not seen, in particular
 * without R and L the same formulas are the plain equation Q/C = source - potential.  A loop that
 * oscillates at omega is damped by (omega h)^4/4 a step (from the same equation, by expansion).
 *
 * The beginning.  At the level 0, the start of the run, no current flows, and Q is 0 at a wall in a
 * circuit; a wall without one has what induction requires.  The first level follows by plain backward
 * differences: their error is that of one step, and of second order.
 *
 * The potential of a wall is then a - b x, x being the increment of its Q, and x of the low wall follows
 * from Gauss's law.  Its divisor is 1 + C_gap (b_low + b_high), at least 1.
 *
 * Surface charges on electrodes with a series RLC circuit, solved with the potential and of second order,
 * are due to Verboncoeur, Alves and Vahedi (Univ. of California, Berkeley, Memorandum UCB/ERL M90/67, 1990;
 * of it only the abstract was read).  All equations here are derived above.  Tested by
 * t/plasma/t0764-circuit.c. */
#ifndef WN_PHYSICS_WALL_CIRCUIT_H
#define WN_PHYSICS_WALL_CIRCUIT_H
#include "physics/host_device.h"

/* Between a source and its wall.  All 0: the wall has the voltage of the source. */
struct wn_wall_circuit {
  double elastance;  /* m2/F, 1/C of all capacitors in series */
  double resistance; /* ohm m2 */
  double inductance; /* H m2 */
  int floats; /* nothing is connected: no current flows, and the other members do not matter */
};

/* A wall at a level. */
struct wn_wall_level {
  double charge, current;     /* Q, C/m2; I, A/m2, into the wall */
  double d_charge, d_current; /* changes from the level before */
  double source, potential;   /* V */
  double convected;           /* C/m2 */
  double delivered;           /* J/m2, by the source so far */
  double dissipated;          /* J/m2, in the resistor so far */
};

/* What the equations take at a level, for the low and the high wall. */
struct wn_wall_input {
  double source[2];    /* V */
  double convected[2]; /* C/m2 */
  double induced[2];   /* C/m2, sums of q_i (1 - i/N) and q_i i/N */
};

struct wn_wall_pair {
  struct wn_wall_circuit circuit[2];
  double gap;    /* F/m2, eps0/L */
  double before; /* s between the last two levels; 0: at the beginning */
  struct wn_wall_level wall[2];
};

static WN_HD int wn_wall_has_circuit(const struct wn_wall_circuit *c)
{
  return c->floats || c->elastance > 0.0 || c->resistance > 0.0 || c->inductance > 0.0;
}

/* c0 and c2 of a level at h after the last; before: as in struct wn_wall_pair. */
static WN_HD void wn_wall_derivative(double h, double before, double *c0, double *c2)
{
  const double w = before > 0.0 ? h / before : 0.0;
  *c0 = (1.0 + 2.0 * w) / ((1.0 + w) * h);
  *c2 = w * w / ((1.0 + w) * h);
}

/* The charge of the beginning; all: K.  Of two circuits each has one half of what is induced, if
 * both can have a current. */
static WN_HD void wn_wall_begin(struct wn_wall_pair *p, double all)
{
  const int has[2] = {wn_wall_has_circuit(&p->circuit[0]),
                      wn_wall_has_circuit(&p->circuit[1])};
  double low = 0.0;
  if (has[1] && (!has[0] || p->circuit[1].floats))
    low = -all;
  else if (has[0] && has[1] && !p->circuit[0].floats)
    low = -0.5 * all;
  p->wall[0].charge = low;
  p->wall[1].charge = -all - low;
}

/* The potential of a wall is a - b x. */
static WN_HD void wn_wall_line(const struct wn_wall_circuit *c,
                               const struct wn_wall_level *last, double source, double c0,
                               double c2, double *a, double *b)
{
  const double i = -c2 * last->d_charge; /* I without x */
  *a = source - c->elastance * last->charge - c->resistance * i -
       c->inductance * (c0 * (i - last->current) - c2 * last->d_current);
  *b = c->elastance + (c->resistance + c->inductance * c0) * c0;
}

/* The wall at the level, to which its charge has changed by x; share: of the level before in a mean over
 * the interval, 0 in the first, where the derivatives are those of the end. */
static WN_HD void wn_wall_advance(const struct wn_wall_circuit *c,
                                  struct wn_wall_level *wall, double x, double c0,
                                  double c2, double share, double source,
                                  double convected)
{
  const struct wn_wall_level last = *wall;
  wall->charge = last.charge + x;
  wall->d_charge = x;
  wall->current = c0 * x - c2 * last.d_charge;
  wall->d_current = wall->current - last.current;
  wall->source = source;
  wall->convected = convected;
  wall->delivered += x * (source + share * (last.source - source));
  wall->dissipated +=
      x * c->resistance * (wall->current + share * (last.current - wall->current));
}

/* From the last level to that at h [s] after it.  At most one of the two walls floats. */
static WN_HD void wn_wall_solve(struct wn_wall_pair *p, double h,
                                const struct wn_wall_input *in)
{
  struct wn_wall_level *low = &p->wall[0], *high = &p->wall[1];
  const double part = in->induced[0] + in->convected[0],
               all = part + (in->induced[1] + in->convected[1]);
  const double share = p->before > 0.0 ? 0.5 : 0.0;
  double c0, c2, a[2], b[2];
  if (!(p->before > 0.0))
    wn_wall_begin(p, all);
  wn_wall_derivative(h, p->before, &c0, &c2);
  for (int i = 0; i < 2; i++)
    wn_wall_line(&p->circuit[i], &p->wall[i], in->source[i], c0, c2, &a[i], &b[i]);
  const double sum = -all - low->charge - high->charge; /* of both increments */
  double x = (p->gap * (a[0] - a[1] + b[1] * sum) - part - low->charge) /
             (1.0 + p->gap * (b[0] + b[1]));
  x = p->circuit[0].floats ? 0.0 : p->circuit[1].floats ? sum : x;
  const double other = p->circuit[1].floats ? 0.0 : sum - x;
  wn_wall_advance(&p->circuit[0], low, x, c0, c2, share, in->source[0], in->convected[0]);
  wn_wall_advance(&p->circuit[1], high, other, c0, c2, share, in->source[1],
                  in->convected[1]);
  /* Gauss's law gives one from the other, so that it holds to rounding; that which is known best is first */
  const double between = (low->charge + part) / p->gap;
  if (b[0] < b[1] ? !p->circuit[0].floats : p->circuit[1].floats) {
    low->potential = a[0] - b[0] * x;
    high->potential = low->potential - between;
  } else {
    high->potential = a[1] - b[1] * other;
    low->potential = high->potential + between;
  }
  p->before = h;
}

/* J/m2 in the capacitor and the inductor of a wall. */
static WN_HD double wn_wall_stored(const struct wn_wall_circuit *c,
                                   const struct wn_wall_level *wall)
{
  return c->floats ? 0.0
                   : 0.5 * (c->elastance * wall->charge * wall->charge +
                            c->inductance * wall->current * wall->current);
}

#endif
