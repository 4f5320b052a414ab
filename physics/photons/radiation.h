/* physics/photons/radiation.h - bremsstrahlung in a gas: how often an electron emits a photon above a cut, what it loses below, and the
 * photon.  Sums over the elements of physics/photons/flight.h's medium.  Units: eV, m.
 * The electron keeps its direction, as usual: the atom takes the momentum.  A caller with many electrons makes a table of
 * wn_radiation_above over energy first: each value sums over all points of two spectra of each element.
 * Random numbers: the caller's draws, of purpose BREMSSTRAHLUNG.  Checked by t/physics/t0164-bremsstrahlung.c. */
#ifndef WN_PHYSICS_PHOTONS_RADIATION_H
#define WN_PHYSICS_PHOTONS_RADIATION_H
#include "physics/photons/bremsstrahlung.h"
#include "physics/photons/flight.h"

/* Photons above cut_ev per path length [1/m]. */
static WN_HD double wn_radiation_above(const struct wn_photon_medium *m, double e_ev,
                                       double cut_ev)
{
  double sum = 0.0;
  for (int32_t i = 0; i < m->n; i++)
    sum += m->density[i] * wn_brems_above(&m->element[i], e_ev, cut_ev);
  return sum;
}

/* Friction of photons below cut_ev [eV/m]; all of it where the cut is the energy or above. */
static WN_HD double wn_radiation_below(const struct wn_photon_medium *m, double e_ev,
                                       double cut_ev)
{
  double sum = 0.0;
  for (int32_t i = 0; i < m->n; i++)
    sum += m->density[i] * wn_brems_restricted(&m->element[i], e_ev, cut_ev);
  return sum;
}

struct wn_radiated {
  double k_ev, one_minus_c; /* of the photon; the angle is to the electron before */
  int32_t element;
};

/* A photon above cut_ev, of an electron of e_ev > cut_ev. */
static WN_HD struct wn_radiated wn_radiate(const struct wn_photon_medium *m, double e_ev,
                                           double cut_ev, enum wn_brems_angle angle,
                                           struct wn_draws *r)
{
  struct wn_radiated out;
  double left = wn_draw(r) * wn_radiation_above(m, e_ev, cut_ev);
  out.element = 0;
  for (int32_t i = 0; i < m->n; i++) {
    const double part = m->density[i] * wn_brems_above(&m->element[i], e_ev, cut_ev);
    if (left >= 0.0)
      out.element = i;
    left -= part;
  }
  const struct wn_photon_element *a = &m->element[out.element];
  out.k_ev = wn_brems_photon(a, e_ev, cut_ev, r);
  out.one_minus_c = wn_brems_angle(angle, e_ev, out.k_ev, a->z, r);
  return out;
}

/* The photon as released by an electron at x of direction d, at time t.  Its id is that of a child of the electron. */
static WN_HD struct wn_photon wn_radiated_photon(const struct wn_photon_medium *m,
                                                 const struct wn_radiated *k,
                                                 const double x[3], const double d[3],
                                                 double t, double weight, uint64_t id,
                                                 uint32_t event, struct wn_draws *r)
{
  struct wn_photon p;
  for (int i = 0; i < 3; i++) {
    p.x[i] = x[i];
    p.d[i] = d[i];
  }
  wn_turn_direction(p.d, k->one_minus_c, wn_draw(r));
  p.e_ev = k->k_ev;
  p.t = t;
  p.weight = weight;
  p.depth = -1.0;
  p.event = p.tag = 0;
  /* the ordinals of photons begin where no other child of an event has one */
  p.id = wn_rng_child_id(m->seed, id, event, 0x10000u);
  return p;
}

#endif
