/* physics/photons/positron.h - a positron in a gas of atoms: its flight in uniform fields to the next event, and what that leaves.
 * Units: m, s, eV; u = gamma v [m/s].  On the CPU, in double precision.
 *
 * Event by event
 *   elastic        on each atom: Rutherford with Mott's spin factor of electrons and Moliere's screening (physics/moliere.h), as
 *                  electrons have it by `scattering = "moliere"`.  Positrons are deflected less at large angles; not modelled
 *   Bhabha         electrons at rest, losses above a cut (physics/bhabha.h): the electron is free, both directions by the kinematics
 *   bremsstrahlung photons above the photon cut, from the data of electrons (physics/photons/bremsstrahlung.h); the positron keeps its
 *                  direction.  `electron`: as often as electrons; `ratio`: times wn_positron_brems_ratio
 *   annihilation   in flight with a free electron at rest, two photons (physics/photons/annihilation.h)
 * and between them a continuous loss: restricted stopping below the cut (wn_bhabha_stopping) and photons below the photon cut.  No
 * straggling below the cuts.  What a collision loss K takes turns the positron as a collision with a free electron
 * that gets K does (physics/collisions/friction.h), so that the mean of 1 - cos is that of the many which it stands for.
 *
 * Events are found by null collisions: the depth to the next candidate is counted in the bound on the frequency of the interval of
 * energy (WN_POSITRON_PER_OCTAVE) and its neighbours; a flight that would change the energy by more than 1/64 is cut, so that the energy does not
 * leave them.  The rest of the depth stays in the record.  Neither fields nor steps change the statistics.
 *
 * Random numbers: purpose POSITRON, named by the positron and its event, the number of its flights.  Ids of newborns are those of children.
 * Checked by t/physics/t0166-positrons.c and t/schedulers/t0315-positrons.c. */
#ifndef WN_PHYSICS_PHOTONS_POSITRON_H
#define WN_PHYSICS_PHOTONS_POSITRON_H
#include <math.h>
#include "physics/bhabha.h"
#include "physics/density_effect.h"
#include "physics/moliere.h"
#include "physics/photons/annihilation.h"
#include "physics/photons/radiation.h"
#include "physics/push.h"

#define WN_POSITRON_PER_OCTAVE 32 /* intervals of energy in a doubling */

enum wn_positron_brems { WN_POSITRON_BREMS_ELECTRON, WN_POSITRON_BREMS_RATIO };

/* The first two are of an element. */
enum wn_positron_event {
  WN_POSITRON_ELASTIC,
  WN_POSITRON_BREMS,
  WN_POSITRON_BHABHA,
  WN_POSITRON_ANNIHILATION,
  WN_POSITRON_EVENTS,
  /* ends of a flight without an event */
  WN_POSITRON_TIME = WN_POSITRON_EVENTS, /* the time is over */
  WN_POSITRON_SLOW,                      /* below stop_ev */
  WN_POSITRON_FAST                       /* above top_ev */
};

/* Radiative stopping of positrons over that of electrons (F. Salvat, J. M. Fernandez-Varea and J. Sempau, PENELOPE-2011, OECD-NEA,
 * a fit to the numbers of Kim et al. 1986; neither was read: the coefficients are those that OpenMC and Serpent take from there). */
static inline double wn_positron_brems_ratio(double t_ev, double z)
{
  const double t = log1p(1e6 * t_ev / (WN_MC2_EV * z * z));
  return -expm1(
      t *
      (-1.2359e-1 +
       t * (6.1274e-2 +
            t * (-3.1516e-2 +
                 t * (7.7446e-3 + t * (-1.0595e-3 + t * (7.0568e-5 - 1.8080e-6 * t)))))));
}

/* The gas: models and sums of cross sections. */
struct wn_positron_gas {
  struct wn_photon_medium atoms; /* elements, densities, photon cut, seed */
  double electrons;              /* 1/m3 */
  double mean_ev;                /* mean excitation energy */
  struct wn_density_effect density;
  enum wn_positron_brems brems;
  enum wn_brems_angle angle;
  double cut_ev; /* of Bhabha's cross section */
  double stop_ev,
      top_ev; /* positrons below the first are at rest; none above the second */
};

static inline double wn_positron_brems_factor(const struct wn_positron_gas *g, int32_t i,
                                              double t_ev)
{
  return g->brems == WN_POSITRON_BREMS_RATIO
             ? wn_positron_brems_ratio(t_ev, g->atoms.element[i].z)
             : 1.0;
}

/* Events per length [1/m] at t_ev, by element i where the event is elastic or bremsstrahlung. */
static inline double wn_positron_per_length(const struct wn_positron_gas *g,
                                            enum wn_positron_event event, int32_t i,
                                            double t_ev)
{
  const struct wn_photon_element *a = &g->atoms.element[i];
  switch (event) {
  case WN_POSITRON_ELASTIC:
    return g->atoms.density[i] * wn_moliere(t_ev, a->z, 0);
  case WN_POSITRON_BREMS:
    return g->atoms.density[i] * wn_positron_brems_factor(g, i, t_ev) *
           wn_brems_above(a, t_ev, g->atoms.cut_ev);
  case WN_POSITRON_BHABHA:
    return g->electrons * wn_bhabha_above(t_ev, g->cut_ev);
  default:
    return g->electrons * wn_annihilation_total(t_ev);
  }
}

/* Continuous losses [eV/m]: by collisions below the cut, by photons below the photon cut. */
static inline double wn_positron_collision_loss(const struct wn_positron_gas *g,
                                                double t_ev)
{
  return g->electrons *
         wn_bhabha_stopping(t_ev, g->cut_ev, g->mean_ev,
                            wn_density_effect(&g->density, t_ev / WN_MC2_EV));
}

static inline double wn_positron_photon_loss(const struct wn_positron_gas *g, double t_ev)
{
  double sum = 0.0;
  for (int32_t i = 0; i < g->atoms.n; i++)
    sum += g->atoms.density[i] * wn_positron_brems_factor(g, i, t_ev) *
           wn_brems_restricted(&g->atoms.element[i], t_ev, g->atoms.cut_ev);
  return sum;
}

/* The sums at knots of energy, linear in ln T between (crosssections/xs_positron.h). */
struct wn_positron_tables {
  double ln_first, per_ln;
  int32_t n;                         /* knots */
  const double *per_length;          /* [n][2 atoms.n + 2]: wn_positron_column */
  const double *collision, *photons; /* [n] losses, eV/m */
  const double
      *bound; /* [n]: frequency [1/s] of all events, for interval i and its neighbours */
};

struct wn_positron_medium {
  struct wn_positron_gas gas;
  struct wn_positron_tables table;
};

static inline int32_t wn_positron_columns(const struct wn_positron_gas *g)
{
  return 2 * g->atoms.n + 2;
}

/* Columns: elastic of each element, bremsstrahlung of each, Bhabha, annihilation. */
static inline enum wn_positron_event wn_positron_column(const struct wn_positron_gas *g,
                                                        int32_t column, int32_t *element)
{
  const int32_t n = g->atoms.n;
  *element = column < n ? column : column < 2 * n ? column - n : 0;
  return column < n        ? WN_POSITRON_ELASTIC
         : column < 2 * n  ? WN_POSITRON_BREMS
         : column == 2 * n ? WN_POSITRON_BHABHA
                           : WN_POSITRON_ANNIHILATION;
}

/* The place in the tables. */
struct wn_positron_at {
  int32_t i;
  double part;
};

static inline struct wn_positron_at wn_positron_at(const struct wn_positron_tables *t,
                                                   double t_ev)
{
  const double at = fmax((wn_ln(t_ev) - t->ln_first) * t->per_ln, 0.0);
  struct wn_positron_at a;
  a.i = at < (double)(t->n - 2) ? (int32_t)at : t->n - 2;
  a.part = fmin(at - (double)a.i, 1.0);
  return a;
}

static inline double wn_positron_between(const double *y, int32_t stride,
                                         const struct wn_positron_at *a)
{
  const double low = y[a->i * stride];
  return low + a->part * (y[(a->i + 1) * stride] - low);
}

struct wn_positron {
  double x[3], u[3], t, weight;
  double depth; /* to the next candidate; negative: not drawn */
  uint64_t id;
  uint32_t event;
  uint32_t tag; /* of the photon that made it */
};

/* du/dt = accel - v x gyro, the form of electrons: +eE/m and -eB/m. */
struct wn_positron_field {
  double accel[3], gyro[3];
  int has_b;
};

/* Of flights, eV: what the field gave, and continuous losses. */
struct wn_positron_sums {
  double work_ev, collision_ev, photons_ev;
};

static inline double wn_positron_ev(const struct wn_positron *p)
{
  return wn_kinetic_ev(p->u, wn_gamma(p->u));
}

static inline void wn_positron_set(struct wn_positron *p, const double d[3], double t_ev)
{
  const double size = wn_u_from_ev(fmax(t_ev, 0.0));
  for (int i = 0; i < 3; i++)
    p->u[i] = d[i] * size;
}

/* Unit vector of u; along z where it is 0. */
static inline void wn_positron_direction(const struct wn_positron *p, double d[3])
{
  const double size = sqrt(p->u[0] * p->u[0] + p->u[1] * p->u[1] + p->u[2] * p->u[2]);
  for (int i = 0; i < 3; i++)
    d[i] = size > 0.0 ? p->u[i] / size : i == 2 ? 1.0 : 0.0;
}

/* 1 - cos of an elastic scattering by an atom of z: sin^2(theta/2) from 1/(s + eta)^2, the spin factor accepts. */
static inline double wn_positron_elastic_angle(double t_ev, double z, struct wn_draws *r)
{
  const double eta = wn_moliere_eta(t_ev, z), beta2 = wn_beta2(t_ev);
  double s;
  do {
    const double v = wn_draw(r);
    s = eta * v / (1.0 + eta - v);
  } while (wn_draw(r) > 1.0 - beta2 * s);
  return 2.0 * s;
}

/* The flight of dt of one of t_ev, and the losses on it, of which those per length are `loss` at its begin; r is that of the flight.  Returns the
 * energy at its end. */
static inline double wn_positron_move(const struct wn_positron_medium *m,
                                      const struct wn_positron_field *f,
                                      struct wn_positron *p, double t_ev, double loss,
                                      double dt, struct wn_draws *r,
                                      struct wn_positron_sums *sums)
{
  const double *a = f->accel, a2 = a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
  double gamma = 1.0 + t_ev / WN_MC2_EV;
  if (f->has_b)
    wn_flight_eb(p->x, p->u, &gamma, a, f->gyro, dt);
  else
    wn_flight_e(p->x, p->u, &gamma, a, a2 > 0.0 ? 1.0 / a2 : 0.0, dt);
  const double flown = wn_kinetic_ev(p->u, gamma),
               path = 0.5 * (wn_speed_from_ev(t_ev) + wn_speed_from_ev(flown)) * dt;
  sums->work_ev += flown - t_ev;
  /* the losses are those of the middle */
  const struct wn_positron_at at =
      wn_positron_at(&m->table, 0.5 * (t_ev + flown - path * loss));
  const double collision = wn_positron_between(m->table.collision, 1, &at) * path,
               photons = wn_positron_between(m->table.photons, 1, &at) * path,
               left = flown - collision - photons;
  sums->collision_ev += collision;
  sums->photons_ev += photons;
  double d[3];
  wn_positron_direction(p, d);
  const double sin2 =
      2.0 * WN_MC2_EV * collision / (flown * (flown - collision + 2.0 * WN_MC2_EV));
  wn_turn_direction(d, sin2 / (1.0 + sqrt(1.0 - sin2)), wn_draw(r));
  wn_positron_set(p, d, left);
  return left;
}

/* Flies until an event, t_end or an energy that ends the flight; elastic scatterings happen on the way.  *element is that of a
 * bremsstrahlung, *r what the event draws from. */
static inline enum wn_positron_event wn_positron_fly(const struct wn_positron_medium *m,
                                                     const struct wn_positron_field *f,
                                                     struct wn_positron *p, double t_end,
                                                     int32_t *element, struct wn_draws *r,
                                                     struct wn_positron_sums *sums)
{
  const struct wn_positron_gas *g = &m->gas;
  const struct wn_positron_tables *t = &m->table;
  const int32_t columns = wn_positron_columns(g);
  const double *a = f->accel, force = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]) *
                                      (WN_MC2_EV / (WN_C * WN_C)); /* eV/m */
  double t_ev = wn_positron_ev(p);
  struct wn_positron_at at = wn_positron_at(t, t_ev);
  for (;;) {
    if (!(t_ev >= g->stop_ev))
      return WN_POSITRON_SLOW;
    if (!(t_ev <= g->top_ev))
      return WN_POSITRON_FAST;
    if (!(p->t < t_end))
      return WN_POSITRON_TIME;
    *r = wn_draws(g->atoms.seed, p->id, p->event++, WN_RNG_POSITRON);
    if (p->depth < 0.0)
      p->depth = -wn_ln(wn_draw(r));
    const double nu = t->bound[at.i],
                 loss = wn_positron_between(t->collision, 1, &at) +
                        wn_positron_between(t->photons, 1, &at),
                 most = t_ev / (64.0 * wn_speed_from_ev(t_ev) * (force + loss)),
                 left = t_end - p->t, flight = fmin(p->depth / nu, most),
                 dt = fmin(flight, left);
    const int is_candidate = dt == p->depth / nu;
    t_ev = wn_positron_move(m, f, p, t_ev, loss, dt, r, sums);
    at = wn_positron_at(t, t_ev);
    p->t = dt == left ? t_end : p->t + dt;
    p->depth = fmax(p->depth - nu * dt, 0.0);
    if (!is_candidate)
      continue;
    p->depth = -1.0;
    double pick = wn_draw(r) * nu / wn_speed_from_ev(t_ev);
    int32_t column = 0;
    for (; column < columns; column++) {
      pick -= wn_positron_between(&t->per_length[column], columns, &at);
      if (pick < 0.0)
        break;
    }
    if (column == columns)
      continue; /* a null collision */
    const enum wn_positron_event event = wn_positron_column(g, column, element);
    /* between knots a rate begins below its cut */
    if ((event == WN_POSITRON_BHABHA && !(t_ev > g->cut_ev)) ||
        (event == WN_POSITRON_BREMS && !(t_ev > g->atoms.cut_ev)))
      continue;
    if (event != WN_POSITRON_ELASTIC)
      return event;
    double d[3];
    wn_positron_direction(p, d);
    const double v = wn_positron_elastic_angle(t_ev, g->atoms.element[*element].z, r);
    wn_turn_direction(d, v, wn_draw(r));
    wn_positron_set(p, d, t_ev);
  }
}

/* ---- what events leave; each takes from *p what it gives */

/* The event in hand: that of the flight that found it. */
static inline uint32_t wn_positron_event_of(const struct wn_positron *p)
{
  return p->event - 1u;
}

/* An electron from Bhabha scattering: energy and momentum of both are those before. */
static inline struct wn_photon_charged wn_positron_bhabha(const struct wn_positron_gas *g,
                                                          struct wn_positron *p,
                                                          struct wn_draws *r)
{
  const double t_ev = wn_positron_ev(p), before = wn_u_from_ev(t_ev);
  const struct wn_bhabha s = wn_bhabha(t_ev);
  double q_ev, one;
  do
    one = wn_draw(r);
  while (!wn_bhabha_try(&s, g->cut_ev, one, wn_draw(r), &q_ev));
  struct wn_photon_charged c;
  double d[3], rest[3], size = 0.0;
  wn_positron_direction(p, d);
  const double q = wn_u_from_ev(q_ev);
  for (int i = 0; i < 3; i++) {
    c.x[i] = p->x[i];
    c.d[i] = d[i];
  }
  wn_turn_direction(c.d, wn_bhabha_angle(t_ev, q_ev), wn_draw(r));
  for (int i = 0; i < 3; i++) {
    rest[i] = before * d[i] - q * c.d[i];
    size += rest[i] * rest[i];
  }
  size = sqrt(size);
  for (int i = 0; i < 3; i++)
    rest[i] = size > 0.0 ? rest[i] / size : d[i];
  wn_positron_set(p, rest, t_ev - q_ev);
  c.t_ev = q_ev;
  c.t = p->t;
  c.weight = p->weight;
  c.charge = -1;
  c.tag = p->tag;
  c.id = wn_rng_child_id(g->atoms.seed, p->id, wn_positron_event_of(p), 0);
  return c;
}

/* A photon above the photon cut. */
static inline struct wn_photon wn_positron_radiate(const struct wn_positron_gas *g,
                                                   int32_t element, struct wn_positron *p,
                                                   struct wn_draws *r)
{
  const struct wn_photon_element *a = &g->atoms.element[element];
  const double t_ev = wn_positron_ev(p);
  double d[3];
  struct wn_radiated k;
  k.element = element;
  k.k_ev = wn_brems_photon(a, t_ev, g->atoms.cut_ev, r);
  k.one_minus_c = wn_brems_angle(g->angle, t_ev, k.k_ev, a->z, r);
  wn_positron_direction(p, d);
  struct wn_photon out = wn_radiated_photon(&g->atoms, &k, p->x, d, p->t, p->weight,
                                            p->id, wn_positron_event_of(p), r);
  out.tag = p->tag;
  wn_positron_set(p, d, t_ev - k.k_ev);
  return out;
}

/* Two photons, in flight or at rest. */
static inline void wn_positron_annihilate(const struct wn_positron_gas *g,
                                          const struct wn_positron *p, int at_rest,
                                          struct wn_draws *r, struct wn_photon out[2])
{
  double d[3];
  wn_positron_direction(p, d);
  const struct wn_annihilation a = at_rest
                                       ? wn_annihilation_at_rest(r)
                                       : wn_annihilation_sample(wn_positron_ev(p), d, r);
  for (int j = 0; j < 2; j++) {
    for (int i = 0; i < 3; i++) {
      out[j].x[i] = p->x[i];
      out[j].d[i] = a.d[j][i];
    }
    out[j].e_ev = a.e_ev[j];
    out[j].t = p->t;
    out[j].weight = p->weight;
    out[j].depth = -1.0;
    out[j].event = 0;
    out[j].tag = p->tag;
    out[j].id =
        wn_rng_child_id(g->atoms.seed, p->id, wn_positron_event_of(p), (uint32_t)j);
  }
}

#endif
