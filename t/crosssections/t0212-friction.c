/* t0212-friction.c - defends: the energy the built-in air takes from an electron per
 * metre. Dry air as 79 % N2 and 21 % O2 at 1 atm and 0 C, N = 2.6868e25 m-3. Numbers:
 * NIST ESTAR, collision stopping power of dry air, 19.75, 3.633, 1.661, 1.979 MeV cm2/g
 * at 10 keV, 100 keV, 1 MeV, 10 MeV, minimum 1.655 at 1.25 MeV, times 1.2929e-3 g/cm3.
 * The maximum is bracketed about the 260 kV/cm usually quoted for air at 1 atm, which
 * RBEB with the excitations of the Phelps compilation gives as 260.6 keV/cm at 130 eV. */
#include "crosssections/xs.h"
#include "t/tap/tap.h"

#include <math.h>

#define N_AIR      2.6868e25
#define KEV_PER_CM 1e5 /* eV/m */

static const struct {
  double t_ev, want; /* keV/cm */
} estar[] = {{1e4, 25.535}, {1e5, 4.697}, {1e6, 2.1475}, {1.25e6, 2.140}, {1e7, 2.559}};

static const struct wn_xs_set *air[2];
static const enum wn_xs_beyond beyond[2] = {WN_XS_BEYOND_ERROR, WN_XS_BEYOND_ERROR};

static double friction(double n2_share, double t_ev)
{
  double density[2] = {n2_share * N_AIR, (1.0 - n2_share) * N_AIR};
  return wn_xs_friction(2, air, density, beyond, NULL, t_ev) / KEV_PER_CM;
}

/* One ionization of constant cross section, written by hand, with Opal's secondaries. */
static void check_opal(void)
{
  double e[] = {15.58, 15.58, 1e5}, s[] = {0.0, 1e-20, 1e-20};
  struct wn_xs_process p = {.kind = WN_XS_IONIZATION,
                            .loss_ev = 15.58,
                            .threshold_ev = 15.58,
                            .n = 3,
                            .energy_ev = e,
                            .sigma = s};
  struct wn_xs_set set = {.n = 1, .process = &p};
  const struct wn_xs_set *one = &set;
  double density = 1e20, w = 13.0;
  is_close(wn_xs_friction(1, &one, &density, beyond, &w, 100.0), 28.1, 3e-3,
           "Opal, N2, 100 eV: 28.1 eV");
  is_close(wn_xs_friction(1, &one, &density, beyond, &w, 1000.0), 46.2, 3e-3,
           "Opal, N2, 1 keV: 46.2 eV");
  w = INFINITY;
  is_close(wn_xs_friction(1, &one, &density, beyond, &w, 115.58), 40.58, 1e-12,
           "uniform sharing");
  w = 1e9;
  is_close(wn_xs_friction(1, &one, &density, beyond, &w, 115.58), 40.58, 1e-6,
           "Opal of large width is uniform");
  w = 0.0;
  is_close(wn_xs_friction(1, &one, &density, beyond, &w, 115.58), 15.58, 1e-12,
           "secondaries at rest");
  is_near(wn_xs_friction(1, &one, &density, beyond, &w, 15.0), 0.0, 0.0,
          "nothing below the threshold");
  p.orbital = (struct wn_xs_orbital){15.58, 54.91, 2};
  is_close(wn_xs_friction(1, &one, &density, beyond, NULL, 200.0),
           15.58 + wn_xs_rbeb_mean_w(&p.orbital, 200.0), 1e-12,
           "an orbital brings its own secondaries");

  /* Excitation, explicit superelastic, elastic and attachment: only the first two count.
   */
  struct wn_xs_process q[4];
  for (int i = 0; i < 4; i++)
    q[i] = (struct wn_xs_process){
        .kind = WN_XS_EXCITATION, .n = 3, .energy_ev = e, .sigma = s};
  q[0].loss_ev = q[0].threshold_ev = 5.0;
  q[1].loss_ev = -1.0;
  q[2].kind = WN_XS_ELASTIC;
  q[3].kind = WN_XS_ATTACHMENT;
  set = (struct wn_xs_set){.n = 4, .process = q};
  is_close(wn_xs_friction(1, &one, &density, beyond, NULL, 50.0), 4.0, 1e-12,
           "loss 5 eV and gain 1 eV");
}

int main(void)
{
  plan(0);
  struct wn_xs_set *n2 = NULL, *o2 = NULL;
  if (!ok(wn_xs_builtin_air("N2", &n2) == 0, "N2") ||
      !ok(wn_xs_builtin_air("O2", &o2) == 0, "O2"))
    return done();
  air[0] = n2;
  air[1] = o2;

  for (size_t i = 0; i < sizeof estar / sizeof estar[0]; i++) {
    double got = friction(0.79, estar[i].t_ev);
    diag("%g eV: %.4g keV/cm, ESTAR %.4g, %+.1f %%", estar[i].t_ev, got, estar[i].want,
         100.0 * (got / estar[i].want - 1.0));
    is_close(got, estar[i].want, 0.03, "within 3 %% of ESTAR at %g eV", estar[i].t_ev);
  }

  double top = 0.0, top_ev = 0.0, low = INFINITY, low_ev = 0.0;
  for (double t = 10.0; t < 1.5e7; t *= 1.002) {
    double f = friction(0.79, t);
    if (f > top)
      top = f, top_ev = t;
    if (t > 1e3 && f < low)
      low = f, low_ev = t;
  }
  diag("maximum %.1f keV/cm at %.0f eV, minimum %.3f keV/cm at %.3g MeV", top, top_ev,
       low, low_ev * 1e-6);
  ok(top > 255.0 && top < 275.0, "the maximum lies in 255-275 keV/cm (%.1f)", top);
  ok(top_ev > 100.0 && top_ev < 180.0, "at 100-180 eV (%.0f)", top_ev);
  is_close(low, 2.140, 0.03, "the minimum is within 3 %% of ESTAR");
  ok(low_ev > 1.2e6 && low_ev < 1.4e6, "at 1.2-1.4 MeV (%.3g)", low_ev);

  bool falls = true;
  for (double t = 1.02 * top_ev; t < 1e6; t *= 1.02)
    falls = falls && friction(0.79, 1.02 * t) < friction(0.79, t);
  ok(falls, "it falls all the way from the maximum to 1 MeV");
  is_close(friction(0.785, 1e4), friction(0.79, 1e4), 1e-3,
           "78.5 or 79 %% of N2 hardly matters at 10 keV");
  check_opal();

  wn_xs_free(n2);
  wn_xs_free(o2);
  return done();
}
