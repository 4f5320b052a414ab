/* physics/photons/flight.h - a photon in a gas of atoms: its flight to the next interaction, and what that leaves.  Analog:
 * every photon is followed, none is biased.  Units: m, s, eV; densities are those of atoms, 1/m3.
 *
 * The optical depth to the next interaction is drawn when a photon begins a flight, and kept in its record.  A step that ends
 * within the flight leaves the rest of the depth, so that results do not depend on the length of steps.
 *
 * Interactions, on the element and process by its part of the total:
 *   coherent        `none`, or angle by the form factor; the energy is unchanged
 *   incoherent      `free`: Z Klein-Nishina; `bound`: total of the data, angle by Klein-Nishina times S/Z.  The energy is that of
 *                   a free electron at rest in both; the electron takes E - E', no binding energy is taken off
 *   photoelectric   electron of E - B by Sauter's angle; B, of the K shell or of the next, is deposited (no fluorescence)
 *   pair, triplet   physics/photons/pair.h
 * A photon below the cut is deposited where it is.
 *
 * Random numbers: purpose PHOTON_FLIGHT, named by the photon and its event (the number of its interactions), draw by draw:
 * depth, element and process, then the sampler's.  Ids of newborns are those of children (physics/rng.h).
 * Checked by t/schedulers/t0314-photons.c. */
#ifndef WN_PHYSICS_PHOTONS_FLIGHT_H
#define WN_PHYSICS_PHOTONS_FLIGHT_H
#include "physics/photons/annihilation.h"
#include "physics/photons/compton.h"
#include "physics/photons/draws.h"
#include "physics/photons/element.h"
#include "physics/photons/pair.h"
#include "physics/photons/photoelectric.h"

enum wn_photon_compton { WN_PHOTON_FREE, WN_PHOTON_BOUND };
enum wn_photon_rayleigh { WN_PHOTON_NO_RAYLEIGH, WN_PHOTON_FORM_FACTOR };

enum { WN_PHOTON_ELEMENTS = 4 };

/* By value to a kernel. */
struct wn_photon_medium {
  struct wn_photon_element element[WN_PHOTON_ELEMENTS];
  double density[WN_PHOTON_ELEMENTS]; /* atoms, 1/m3 */
  int32_t n;
  enum wn_photon_compton compton;
  enum wn_photon_rayleigh rayleigh;
  double cut_ev;
  uint64_t seed;
};

struct wn_photon {
  double x[3], d[3]; /* place, unit direction */
  double e_ev, t, weight;
  double depth; /* optical depth to the next interaction; negative: not drawn */
  uint64_t id;
  uint32_t event;
  uint32_t tag; /* of the caller; those that come from it have the same */
};

struct wn_photon_charged {
  double x[3], d[3], t_ev, t, weight; /* t_ev: kinetic energy; t: time of birth */
  uint64_t id;
  int32_t charge; /* -1 electron, 1 positron */
  uint32_t tag;   /* of the photon */
};

struct wn_photon_outcome {
  int process;   /* enum wn_photon_process */
  int alive;     /* the photon goes on, as changed */
  int n_charged; /* 0 to 2 */
  struct wn_photon_charged charged[2];
  double deposited_ev; /* here: binding, or a photon below the cut */
  double rest_ev;      /* rest energy of a pair: 2 mc2 or 0 */
};

/* [m2] of one process of element i, with the model chosen. */
static WN_HD double wn_photon_model_sigma(const struct wn_photon_medium *m, int32_t i,
                                          int p, double e_ev, double ln_e)
{
  const struct wn_photon_element *a = &m->element[i];
  if (p == WN_PHOTON_COHERENT && m->rayleigh == WN_PHOTON_NO_RAYLEIGH)
    return 0.0;
  if (p == WN_PHOTON_INCOHERENT && m->compton == WN_PHOTON_FREE)
    return a->z * wn_compton_total(e_ev);
  return wn_photon_sigma(a, (enum wn_photon_process)p, ln_e);
}

/* Attenuation coefficient [1/m]. */
static WN_HD double wn_photon_attenuation(const struct wn_photon_medium *m, double e_ev)
{
  const double ln_e = wn_ln(e_ev);
  double mu = 0.0;
  for (int32_t i = 0; i < m->n; i++)
    for (int p = 0; p < WN_PHOTON_N_PROCESSES; p++)
      mu += m->density[i] * wn_photon_model_sigma(m, i, p, e_ev, ln_e);
  return mu;
}

/* The draws of the photon's next interaction; the first is its optical depth. */
static WN_HD struct wn_draws wn_photon_draws(const struct wn_photon_medium *m,
                                             const struct wn_photon *p)
{
  return wn_draws(m->seed, p->id, p->event, WN_RNG_PHOTON_FLIGHT);
}

/* Draws the depth if there is none. */
static WN_HD void wn_photon_begin(const struct wn_photon_medium *m, struct wn_photon *p)
{
  if (p->depth >= 0.0)
    return;
  struct wn_draws r = wn_photon_draws(m, p);
  p->depth = -wn_ln(wn_draw(&r));
}

static WN_HD void wn_photon_travel(struct wn_photon *p, double length)
{
  for (int i = 0; i < 3; i++)
    p->x[i] += length * p->d[i];
  p->t += length / WN_C;
}

static WN_HD void wn_photon_eject(const struct wn_photon_medium *m,
                                  const struct wn_photon *p,
                                  struct wn_photon_outcome *out, double t_ev,
                                  const double d[3], int32_t charge)
{
  struct wn_photon_charged *c = &out->charged[out->n_charged];
  for (int i = 0; i < 3; i++) {
    c->x[i] = p->x[i];
    c->d[i] = d[i];
  }
  c->t_ev = t_ev;
  c->t = p->t;
  c->weight = p->weight;
  c->charge = charge;
  c->tag = p->tag;
  c->id = wn_rng_child_id(m->seed, p->id, p->event, (uint32_t)out->n_charged);
  out->n_charged++;
}

/* Compton scattering by element a. */
static WN_HD void wn_photon_compton_event(const struct wn_photon_medium *m,
                                          const struct wn_photon_element *a,
                                          struct wn_photon *p, struct wn_draws *r,
                                          struct wn_photon_outcome *out)
{
  struct wn_compton c;
  do
    c = wn_compton_sample(p->e_ev, r);
  while (m->compton == WN_PHOTON_BOUND &&
         wn_draw(r) * a->z > wn_photon_scattering_function(
                                 a, p->e_ev * sqrt(0.5 * c.one_minus_c) + 1e-9));
  double d1[3], q[3], length = 0.0;
  for (int i = 0; i < 3; i++)
    d1[i] = p->d[i];
  wn_turn_direction(d1, c.one_minus_c, wn_draw(r));
  wn_compton_recoil(p->e_ev, p->d, c.e_ev, d1, q);
  for (int i = 0; i < 3; i++)
    length += q[i] * q[i];
  length = sqrt(length);
  for (int i = 0; i < 3; i++)
    q[i] = length > 0.0 ? q[i] / length : p->d[i];
  wn_photon_eject(m, p, out, p->e_ev - c.e_ev, q, -1);
  p->e_ev = c.e_ev;
  for (int i = 0; i < 3; i++)
    p->d[i] = d1[i];
}

static WN_HD void wn_photon_photoelectric_event(const struct wn_photon_medium *m,
                                                const struct wn_photon_element *a,
                                                double ln_e, struct wn_photon *p,
                                                struct wn_draws *r,
                                                struct wn_photon_outcome *out)
{
  double b =
      wn_draw(r) < wn_photon_k_part(a, ln_e) ? a->binding_k_ev : a->binding_next_ev;
  b = b < p->e_ev ? b : p->e_ev;
  out->deposited_ev = b;
  const double t_ev = p->e_ev - b;
  if (t_ev > 0.0) {
    double d[3] = {p->d[0], p->d[1], p->d[2]};
    const double v = wn_photoelectric_angle(t_ev, r);
    wn_turn_direction(d, v, wn_draw(r));
    wn_photon_eject(m, p, out, t_ev, d, -1);
  }
  out->alive = 0;
}

static WN_HD void wn_photon_pair_event(const struct wn_photon_medium *m,
                                       const struct wn_photon_element *a,
                                       struct wn_photon *p, struct wn_draws *r,
                                       struct wn_photon_outcome *out)
{
  const struct wn_pair pair = wn_pair_sample(p->e_ev, a->z, r);
  for (int j = 0; j < 2; j++) {
    double d[3] = {p->d[0], p->d[1], p->d[2]};
    wn_turn_direction(d, pair.one_minus_c[j], wn_draw(r));
    wn_photon_eject(m, p, out, pair.t_ev[j], d, j == 0 ? -1 : 1);
  }
  out->rest_ev = 2.0 * WN_MC2_EV;
  out->alive = 0;
}

/* The interaction at the end of a flight, where p->depth is used up. */
static WN_COLD void wn_photon_interact(const struct wn_photon_medium *m,
                                       struct wn_photon *p, struct wn_photon_outcome *out)
{
  struct wn_draws r = wn_photon_draws(m, p);
  (void)wn_draw(&r); /* that of the depth */
  const double ln_e = wn_ln(p->e_ev);
  double left = wn_draw(&r) * wn_photon_attenuation(m, p->e_ev);
  int32_t element = 0;
  int process = WN_PHOTON_INCOHERENT; /* of element 0: where rounding leaves a rest */
  for (int32_t i = 0; i < m->n && left >= 0.0; i++)
    for (int k = 0; k < WN_PHOTON_N_PROCESSES && left >= 0.0; k++) {
      const double part = m->density[i] * wn_photon_model_sigma(m, i, k, p->e_ev, ln_e);
      left -= part;
      if (left < 0.0) {
        element = i;
        process = k;
      }
    }
  const struct wn_photon_element *a = &m->element[element];
  out->process = process;
  out->alive = 1;
  out->n_charged = 0;
  out->deposited_ev = out->rest_ev = 0.0;
  switch (process) {
  case WN_PHOTON_COHERENT: {
    const double v = wn_rayleigh_angle(a, p->e_ev, &r);
    wn_turn_direction(p->d, v, wn_draw(&r));
    break;
  }
  case WN_PHOTON_INCOHERENT:
    wn_photon_compton_event(m, a, p, &r, out);
    break;
  case WN_PHOTON_PHOTOELECTRIC:
    wn_photon_photoelectric_event(m, a, ln_e, p, &r, out);
    break;
  default:
    wn_photon_pair_event(m, a, p, &r, out);
    break;
  }
  p->event++;
  p->depth = -1.0;
  if (out->alive && p->e_ev < m->cut_ev) {
    out->deposited_ev += p->e_ev;
    out->alive = 0;
  }
}

#endif
