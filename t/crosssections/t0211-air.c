/* t0211-air.c - defends: the built-in N2 and O2 are complete, ordered tables that give
 * back the published numbers they are made of, join smoothly, and scatter forward at high
 * energy. Numbers: the published tables and fits named in data/crosssections/README;
 * high-energy values were evaluated independently from the Born fit and the
 * screened-Coulomb formula. */
#include "base/error.h"
#include "crosssections/xs.h"
#include "crosssections/xs_rbeb.h"
#include "physics/constants.h"
#include "t/tap/tap.h"

#include <math.h>
#include <string.h>

static const struct {
  const char *gas;
  double e_ev, mt, total, tol; /* m2; 0: not compared */
} elastic[] = {
    {"N2", 0.01, 2.11e-20, 2.11e-20, 1e-6},
    {"N2", 0.3, 8.93e-20, 8.93e-20, 1e-6},
    {"N2", 1, 10.0e-20, 9.0e-20, 1e-6},
    {"N2", 2.5, 18.2e-20, 25.2e-20, 1e-6},
    {"N2", 10, 9.96e-20, 11.8e-20, 1e-6},
    {"N2", 100, 1.63e-20, 4.7e-20, 1e-6},
    {"N2", 300, 0.414e-20, 2.5e-20, 1e-6},
    {"N2", 1e3, 0, 1.1e-20, 1e-6},
    {"N2", 1e4, 2.034e-23, 1.539e-21, 1e-3},
    {"N2", 1e5, 3.170e-25, 2.009e-22, 1e-3},
    {"N2", 1e6, 7.613e-27, 6.836e-23, 1e-3},
    {"O2", 0.03, 1.17e-20, 1.17e-20, 1e-6},
    {"O2", 1, 6.90e-20, 5.5e-20, 1e-6},
    {"O2", 10, 6.17e-20, 10.0e-20, 1e-6},
    {"O2", 70, 3.89e-20, 5.7e-20, 1e-6},
    {"O2", 300, 0, 2.1e-20, 1e-6},
    {"O2", 1e3, 0, 1.1e-20, 1e-6},
    {"O2", 1e4, 2.618e-23, 1.760e-21, 1e-3},
    {"O2", 1e6, 9.861e-27, 7.867e-23, 1e-3},
    {"N2", 1e7, 1.6911e-28, 6.069e-23, 1e-3},
    {"N2", 4e7, 1.3434e-29, 6.0556e-23, 1e-3},
    {"O2", 4e7, 1.7456e-29, 6.9691e-23, 1e-3},
};

/* Values of the Green-Stolarski form, evaluated independently from the printed parameters
 * [m2]. */
static const struct {
  const char *gas, *label;
  double e_ev, sigma;
} excitation[] = {
    {"N2", "excitation N2(A+B+W)", 15.0, 7.2931e-21},
    {"N2", "excitation N2(C)", 14.0, 3.7804e-21},
    {"N2", "excitation N2(Rydberg)", 60.0, 9.8726e-21},
    {"N2", "excitation N2(1Pu)", 1000.0, 1.2726e-21},
    {"O2", "excitation O2(a)", 7.0, 7.2000e-22},
    {"O2", "excitation O2(B)", 9.4, 2.5855e-21},
    {"O2", "excitation O2(vib)", 0.57, 2.1299e-21},
};

static const struct {
  const char *label;
  double e_ev, sigma;
} attachment[] = {
    {"attachment O-+O", 4.39, 0},
    {"attachment O-+O", 4.6, 0},
    {"attachment O-+O", 6.1, 1.08e-22},
    {"attachment O-+O", 7.05, 1.56e-22},
    {"attachment O-+O", 11.3, 0.08e-22},
    {"attachment O-+O", 11.4, 0},
    {"attachment O-+O", 1e7, 0},
    {"attachment O2- (three-body)", 0.01, 0},
    {"attachment O2- (three-body)", 0.083, 1.8e-40},
    {"attachment O2- (three-body)", 0.103, 1.8e-40},
    {"attachment O2- (three-body)", 0.15, 0},
    {"attachment O2- (three-body)", 0.33, 2.3e-41},
    {"attachment O2- (three-body)", 0.40, 0},
    {"attachment O2- (three-body)", 1.03, 4.2e-42},
    {"attachment O2- (three-body)", 2.0, 0},
};

static struct wn_xs_set *n2, *o2;

static const struct wn_xs_process *find(const struct wn_xs_set *set, const char *label)
{
  for (size_t i = 0; i < set->n; i++)
    if (strcmp(set->process[i].label, label) == 0)
      return &set->process[i];
  return NULL;
}

static double at(const struct wn_xs_set *set, const struct wn_xs_process *p, double e_ev)
{
  return wn_xs_sigma(set, p, e_ev, WN_XS_BEYOND_ERROR);
}

/* What every table must keep. */
static void check_tables(const struct wn_xs_set *set)
{
  for (size_t k = 0; k < set->n; k++) {
    const struct wn_xs_process *p = &set->process[k];
    bool order = true, values = true, forbidden = true, steps = true;
    double jump = 0.0;
    for (size_t i = 0; i < p->n; i++) {
      values =
          values && p->sigma[i] >= 0.0 && isfinite(p->sigma[i]) && p->sigma[i] < 1e-17;
      forbidden = forbidden && (p->energy_ev[i] > p->threshold_ev || p->sigma[i] == 0.0 ||
                                p->threshold_ev == 0.0);
      if (i == 0)
        continue;
      order = order && p->energy_ev[i] >= p->energy_ev[i - 1];
      steps =
          steps && (p->kind == WN_XS_ATTACHMENT || p->energy_ev[i] > p->energy_ev[i - 1]);
      if (p->kind == WN_XS_ELASTIC)
        jump = fmax(jump, fmax(fabs(log(p->sigma[i] / p->sigma[i - 1])),
                               fabs(log(p->sigma_total[i] / p->sigma_total[i - 1]))));
    }
    ok(order && steps && values && forbidden && p->n >= 2,
       "%s %s: sorted, without negatives, 0 up to the threshold", set->name, p->label);
    is_near(p->energy_ev[p->n - 1], 0x1p27, 0.0, "%s %s: ends at 134 MeV", set->name,
            p->label);
    ok(p->kind == WN_XS_ATTACHMENT || p->sigma[p->n - 1] > 0.0,
       "%s %s: has not ended there", set->name, p->label);
    is_str(p->target, set->name, "%s %s: target", set->name, p->label);
    if (p->kind == WN_XS_ELASTIC)
      ok(jump < 0.05, "%s elastic: no row differs by 5 %% from the one before (%.3f)",
         set->name, jump);
  }
}

/* sigma_m/sigma_total: isotropic at low energy, falling like a screened Coulomb field's
 * above. */
static void check_ratio(const struct wn_xs_set *set)
{
  const struct wn_xs_process *p = find(set, "elastic");
  double most = 0.0;
  bool falls = true, isotropic = true;
  for (size_t i = 0; i < p->n; i++) {
    double e = p->energy_ev[i], r = p->sigma[i] / p->sigma_total[i];
    most = fmax(most, r);
    isotropic = isotropic && (e > 0.3 || r == 1.0);
    falls = falls && (e <= 100.0 || r < p->sigma[i - 1] / p->sigma_total[i - 1]);
  }
  ok(most < 1.3 && most >= 1.0, "%s: sigma_m/sigma_total is at most 1.3 (%.3f)",
     set->name, most);
  ok(isotropic, "%s: they are equal up to 0.3 eV", set->name);
  ok(falls, "%s: their ratio falls all the way from 100 eV", set->name);
  ok(wn_xs_sigma_total(set, p, 1e6, WN_XS_BEYOND_ERROR) > 5e3 * at(set, p, 1e6),
     "%s: scattering at 1 MeV is forward", set->name);
}

/* Tables against formulae at energies between rows. */
static void check_ionization(const struct wn_xs_set *set)
{
  const struct wn_xs_orbital *o;
  size_t n = wn_xs_rbeb_orbitals(set->name, &o), found = 0;
  double worst = 0.0;
  for (size_t k = 0; k < set->n; k++) {
    const struct wn_xs_process *p = &set->process[k];
    if (p->kind != WN_XS_IONIZATION)
      continue;
    for (size_t i = 0; i < n; i++)
      found += p->orbital.b_ev == o[i].b_ev && p->loss_ev == o[i].b_ev &&
               p->orbital.u_ev == o[i].u_ev && p->orbital.n == o[i].n;
    for (double x = 1e-3; x < 1e7; x *= 1.0371) {
      double e = p->loss_ev * (1.0 + x);
      if (e < 0x1p27)
        worst = fmax(worst, fabs(at(set, p, e) / wn_xs_rbeb(&p->orbital, e) - 1.0));
    }
  }
  is_int((long long)found, (long long)n, "%s: one ionization for each orbital",
         set->name);
  is_near(worst, 0.0, 5e-4, "%s: the ionization tables follow RBEB", set->name);
}

int main(void)
{
  plan(0);
  struct wn_xs_set *none = NULL;
  is_int(wn_xs_builtin_air("Ar", &none), WN_EINPUT, "argon is refused");
  is_int(wn_xs_builtin_air("n2", &none), WN_EINPUT, "names are exact");
  is_int(wn_xs_builtin_air(NULL, &none), WN_EINPUT, "no name is refused");
  ok(none == NULL, "a refusal leaves the output alone");
  if (!ok(wn_xs_builtin_air("N2", &n2) == WN_OK, "N2") ||
      !ok(wn_xs_builtin_air("O2", &o2) == WN_OK, "O2"))
    return done();

  is_int((long long)n2->n, 1 + 8 + 5, "N2: elastic, 8 excitations, 5 orbitals");
  is_int((long long)o2->n, 1 + 7 + 6 + 2,
         "O2: elastic, 7 excitations, 6 orbitals, 2 attachments");
  is_str(n2->source, "builtin:air", "source");
  ok(n2->notes != NULL && strstr(n2->notes, "LXCat") != NULL,
     "the notes say what the set is not for");
  is_close(wn_xs_set_mass(n2), 28.0134 * WN_AMU, 1e-12, "mass of N2");
  is_close(wn_xs_set_mass(o2), 31.9988 * WN_AMU, 1e-12, "mass of O2");
  ok(find(n2, "ionization N2+ (3sg)") != NULL, "labels are made of kind and product");

  check_tables(n2);
  check_tables(o2);
  check_ratio(n2);
  check_ratio(o2);
  check_ionization(n2);
  check_ionization(o2);

  for (size_t i = 0; i < sizeof elastic / sizeof elastic[0]; i++) {
    const struct wn_xs_set *set = strcmp(elastic[i].gas, "N2") == 0 ? n2 : o2;
    const struct wn_xs_process *p = find(set, "elastic");
    double e = elastic[i].e_ev;
    if (elastic[i].mt > 0.0)
      is_close(at(set, p, e), elastic[i].mt, elastic[i].tol,
               "%s momentum transfer at %g eV", set->name, e);
    is_close(wn_xs_sigma_total(set, p, e, WN_XS_BEYOND_ERROR), elastic[i].total,
             elastic[i].tol, "%s integral elastic at %g eV", set->name, e);
  }
  for (size_t i = 0; i < sizeof excitation / sizeof excitation[0]; i++) {
    const struct wn_xs_set *set = strcmp(excitation[i].gas, "N2") == 0 ? n2 : o2;
    const struct wn_xs_process *p = find(set, excitation[i].label);
    if (ok(p != NULL, "%s is there", excitation[i].label))
      is_close(at(set, p, excitation[i].e_ev), excitation[i].sigma, 1e-3, "%s at %g eV",
               excitation[i].label, excitation[i].e_ev);
  }
  for (size_t i = 0; i < sizeof attachment / sizeof attachment[0]; i++) {
    const struct wn_xs_process *p = find(o2, attachment[i].label);
    if (ok(p != NULL, "%s is there", attachment[i].label))
      is_near(at(o2, p, attachment[i].e_ev), attachment[i].sigma,
              1e-6 * attachment[i].sigma, "%s at %g eV", attachment[i].label,
              attachment[i].e_ev);
  }
  ok(find(o2, "attachment O2- (three-body)")->three_body &&
         !find(o2, "attachment O-+O")->three_body,
     "only the three-body table is marked so");

  /* The tail beyond 1 keV: 1/beta^2 for the allowed states, the published power for the
   * others. */
  const struct wn_xs_process *p = find(n2, "excitation N2(b')");
  is_close(at(n2, p, 1e6) / at(n2, p, 1e3), 3.902443e-3 / 0.8856301, 1e-3,
           "N2(b') falls as 1/beta^2");
  p = find(n2, "excitation N2(C)");
  is_close(at(n2, p, 1e5) / at(n2, p, 1e4), 1e-3, 1e-3, "N2(C) falls as E^-3");

  wn_xs_free(n2);
  wn_xs_free(o2);
  return done();
}
