/* physics/photons/radiating_path.h - bremsstrahlung of an electron along a straight length of its path: photons above a cut one by one, and
 * continuous loss to those below.  The code of an electron on a CPU and on a GPU.  Units: eV, m, s.
 *
 * Path lengths to photons above the cut are drawn from the table of their number per length at the energy before the path; friction of
 * photons below it acts in between.  The electron keeps its direction.  A photon begins at the electron's place and at the time given, with the
 * electron's weight and tag.
 *
 * Tables over the energy of the electron: knots at equal distances of ln E from the cut on, linear in between
 * (src/sim/gas_radiation.h makes them).
 *
 * Random numbers: purpose BREMSSTRAHLUNG under the electron's id, the event is the number of the step; ids of photons are those of children, of
 * the electron and then of the photon before.  So nothing depends on the order of electrons.
 * Checked by t/swarm/t0665-radiation.c, and on a GPU by t/swarm/t0450-gpu-radiation.c. */
#ifndef WN_PHYSICS_PHOTONS_RADIATING_PATH_H
#define WN_PHYSICS_PHOTONS_RADIATING_PATH_H
#include "physics/electron.h"
#include "physics/photons/radiation.h"
#include "physics/push.h"

/* By value to a kernel; there the pointers are those of the device. */
struct wn_radiation_tables {
  struct wn_photon_medium medium;
  double cut_ev, top_ev; /* electrons between these radiate */
  double ln_cut, per_ln; /* of the first knot; knots in a unit of ln E */
  int32_t n_knots;
  const double *above,
      *below; /* [n_knots] photons above the cut [1/m], friction below it [eV/m] */
  enum wn_brems_angle angle;
};

/* An electron on its path. */
struct wn_radiating {
  double d[3], energy_ev, left_m;
  double soft_ev; /* lost below the cut */
  uint64_t name;  /* whose child the next photon is */
  uint32_t step;
  struct wn_draws r;
};

/* Of an electron of e_ev, within the tables. */
static WN_HD void wn_radiating_rates(const struct wn_radiation_tables *m, double e_ev,
                                     double *above, double *below)
{
  const double at = fmax((wn_ln(e_ev) - m->ln_cut) * m->per_ln, 0.0);
  int32_t i = (int32_t)at;
  i = i + 1 < m->n_knots ? i : m->n_knots - 2;
  const double part = fmin(at - (double)i, 1.0);
  *above = m->above[i] + part * (m->above[i + 1] - m->above[i]);
  *below = m->below[i] + part * (m->below[i + 1] - m->below[i]);
}

/* Puts *e on the path that it has flown in `interval`, the step of this number.  0: it does not radiate, and *out is not set.  One above the tables does
 * not: it ends the run by another alarm. */
static WN_HD int wn_radiating_begin(const struct wn_radiation_tables *m,
                                    const struct wn_electron *e, double interval,
                                    uint32_t step, struct wn_radiating *out)
{
  const double u[3] = {(double)e->u[0], (double)e->u[1], (double)e->u[2]};
  const double gamma = wn_gamma(u), energy = wn_kinetic_ev(u, gamma);
  if (!(energy > m->cut_ev && energy <= m->top_ev))
    return 0;
  const double size = wn_u_from_ev(energy);
  for (int i = 0; i < 3; i++)
    out->d[i] = u[i] / size;
  const double speed = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) / gamma;
  out->energy_ev = energy;
  out->left_m = speed * interval;
  out->soft_ev = 0.0;
  out->name = e->id;
  out->step = step;
  out->r = wn_draws(m->medium.seed, e->id, step, WN_RNG_BREMSSTRAHLUNG);
  return 1;
}

/* On to the next photon, which belongs to `time`.  0: the path, or the energy above the cut, ended before it; then it must not be called again. */
static WN_HD int wn_radiating_next(const struct wn_radiation_tables *m,
                                   const struct wn_electron *e, double time,
                                   struct wn_radiating *s, struct wn_photon *out)
{
  double above, below;
  if (!(s->energy_ev > m->cut_ev))
    return 0;
  wn_radiating_rates(m, s->energy_ev, &above, &below);
  const double depth = -wn_ln(wn_draw(&s->r));
  const int photon = depth < above * s->left_m;
  const double part = photon ? depth / above : s->left_m;
  const double loss = fmin(below * part, s->energy_ev - m->cut_ev);
  s->energy_ev -= loss;
  s->soft_ev += loss;
  s->left_m -= part;
  if (!photon || !(s->energy_ev > m->cut_ev))
    return 0;
  const struct wn_radiated k =
      wn_radiate(&m->medium, s->energy_ev, m->cut_ev, m->angle, &s->r);
  *out = wn_radiated_photon(&m->medium, &k, e->x, s->d, time, (double)e->w, s->name,
                            s->step, &s->r);
  out->tag = e->tag;
  s->energy_ev -= out->e_ev;
  s->name = out->id;
  return 1;
}

/* Its momentum after the path. */
static WN_HD void wn_radiating_end(const struct wn_radiating *s, float u[3])
{
  const double after = wn_u_from_ev(fmax(s->energy_ev, 0.0));
  for (int i = 0; i < 3; i++)
    u[i] = (float)(s->d[i] * after);
}

/* What it lost to photons below the cut, weighted. */
static WN_HD double wn_radiating_soft_ev(const struct wn_radiating *s,
                                         const struct wn_electron *e)
{
  return (double)e->w * s->soft_ev;
}

#endif
