/* t/physics/gpu_photons.h - what t0402-gpu-photons asks of a GPU. */
#ifndef WN_T_GPU_PHOTONS_H
#define WN_T_GPU_PHOTONS_H
#include <stddef.h>
#include "physics/photons/bremsstrahlung.h"
#include "physics/photons/flight.h"

/* One photon, and what its interactions and an electron's radiation give. */
struct gpu_photon {
  struct wn_photon photon; /* after n events, or its end */
  double sums
      [8]; /* attenuation, energies and directions on the way; a photon of an electron */
};

enum { GPU_PHOTON_EVENTS = 5 };

/* The same text on both sides: every photon flies and interacts up to 5 times; an electron of its energy radiates. */
static WN_HD void gpu_photon_follow(const struct wn_photon_medium *m,
                                    struct gpu_photon *p)
{
  const double e_ev = p->photon.e_ev;
  double *s = p->sums;
  for (int i = 0; i < 8; i++)
    s[i] = 0.0;
  for (int k = 0; k < GPU_PHOTON_EVENTS; k++) {
    struct wn_photon_outcome out;
    wn_photon_begin(m, &p->photon);
    const double mu = wn_photon_attenuation(m, p->photon.e_ev);
    s[0] += mu;
    wn_photon_travel(&p->photon, p->photon.depth / mu);
    wn_photon_interact(m, &p->photon, &out);
    s[1] += out.deposited_ev + out.rest_ev;
    for (int j = 0; j < out.n_charged; j++) {
      s[2] += out.charged[j].t_ev;
      s[3] += out.charged[j].d[0] + 2.0 * out.charged[j].d[1] + 3.0 * out.charged[j].d[2];
      if (out.charged[j].charge > 0) {
        struct wn_draws r = wn_draws(m->seed, out.charged[j].id, 0, WN_RNG_ANNIHILATION);
        const struct wn_annihilation a =
            wn_annihilation_sample(out.charged[j].t_ev + 1.0, out.charged[j].d, &r);
        s[4] += a.e_ev[0] + a.d[1][2] + wn_annihilation_total(a.e_ev[0]);
      }
    }
    if (!out.alive)
      break;
  }
  struct wn_draws r = wn_draws(m->seed, p->photon.id, 0, WN_RNG_BREMSSTRAHLUNG);
  const double cut = 0.01 * e_ev;
  const double k_ev = wn_brems_photon(&m->element[0], e_ev, cut, &r);
  s[5] = wn_brems_above(&m->element[0], e_ev, cut) +
         wn_brems_restricted(&m->element[0], e_ev, cut);
  s[6] = k_ev;
  s[7] = wn_brems_angle(WN_BREMS_DIPOLE, e_ev, k_ev, m->element[0].z, &r) +
         wn_brems_angle(WN_BREMS_2BS, e_ev, k_ev, m->element[0].z, &r);
}

struct wn_gpu;

WN_BEGIN_DECLS
/* On the GPU; the medium's tables lie there.  WN_OK, or WN_ECUDA, logged.  seconds: of the kernel. */
int gpu_photons_device(const struct wn_photon_medium *m, struct gpu_photon *p, size_t n,
                       double *seconds);
WN_END_DECLS

#endif
