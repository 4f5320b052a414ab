/* crosssections/xs_positron.c - see xs_positron.h. */
#include "crosssections/xs_positron.h"
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"

double wn_xs_mean_excitation_ev(double z)
{
  static const struct {
    int z;
    double ev;
  } known[] = {{1, 19.2},   {2, 41.8},   {6, 70.0},   {7, 82.0},  {8, 95.0},
               {10, 137.0}, {18, 188.0}, {36, 352.0}, {54, 482.0}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i].z == (int)lround(z))
      return known[i].ev;
  return 0.0;
}

double wn_xs_gas_excitation_ev(const struct wn_photon_medium *atoms)
{
  double electrons = 0.0, sum = 0.0;
  for (int32_t i = 0; i < atoms->n; i++) {
    const double z = atoms->element[i].z, mean_ev = wn_xs_mean_excitation_ev(z);
    if (!(mean_ev > 0.0))
      return 0.0;
    electrons += atoms->density[i] * z;
    sum += atoms->density[i] * z * log(mean_ev);
  }
  return electrons > 0.0 ? exp(sum / electrons) : 0.0;
}

static int check(const struct wn_xs_positron_spec *s)
{
  for (int32_t i = 0; i < s->atoms->n; i++)
    if (!(wn_xs_mean_excitation_ev(s->atoms->element[i].z) > 0.0))
      return WN_FAIL(WN_EINPUT,
                     "positrons: the mean excitation energy of the element of Z = %g is "
                     "not known; known are H, He, C, N, O, Ne, Ar, Kr, Xe",
                     s->atoms->element[i].z);
  if (!(s->stop_ev >= WN_POSITRON_LEAST_EV * (1.0 - 1e-9)))
    return WN_FAIL(WN_EINPUT,
                   "positrons to %g eV: they are followed from %g eV on, where Bethe's "
                   "formula and Moliere's screening hold",
                   s->stop_ev, WN_POSITRON_LEAST_EV);
  if (!(s->cut_ev >= WN_POSITRON_CUT_EV * (1.0 - 1e-9)))
    return WN_FAIL(WN_EINPUT,
                   "electrons that positrons free above %g eV: electrons are free from "
                   "losses of %g eV on",
                   s->cut_ev, WN_POSITRON_CUT_EV);
  if (!(s->top_ev > s->stop_ev))
    return WN_FAIL(WN_EINPUT, "positrons from %g to %g eV: there are none", s->stop_ev,
                   s->top_ev);
  return WN_OK;
}

static void fill(struct wn_xs_positron *p)
{
  const struct wn_positron_gas *g = &p->view.gas;
  struct wn_positron_tables *t = &p->view.table;
  const int32_t columns = wn_positron_columns(g), n = t->n;
  double *rate = p->data, *collision = rate + (size_t)n * (size_t)columns,
         *photons = collision + n, *all = photons + n, *bound = all + n;
  for (int32_t k = 0; k < n; k++) {
    const double t_ev = exp(t->ln_first + k / t->per_ln);
    double sum = 0.0;
    for (int32_t c = 0; c < columns; c++) {
      int32_t element;
      const enum wn_positron_event event = wn_positron_column(g, c, &element);
      rate[k * columns + c] = wn_positron_per_length(g, event, element, t_ev);
      sum += rate[k * columns + c];
    }
    all[k] = sum * wn_speed_from_ev(t_ev);
    collision[k] = wn_positron_collision_loss(g, t_ev);
    photons[k] = wn_positron_photon_loss(g, t_ev);
  }
  /* 1e-3 above: rate and speed are interpolated by themselves, so their product is not linear between knots */
  for (int32_t k = 0; k < n; k++) {
    const int32_t low = k > 0 ? k - 1 : 0, high = k + 2 < n ? k + 2 : n - 1;
    bound[k] = 0.0;
    for (int32_t i = low; i <= high; i++)
      bound[k] = fmax(bound[k], all[i] * (1.0 + 1e-3));
  }
  t->per_length = rate;
  t->collision = collision;
  t->photons = photons;
  t->bound = bound;
}

int wn_xs_positron_create(const struct wn_xs_positron_spec *s,
                          struct wn_xs_positron **out)
{
  WN_TRY(check(s));
  struct wn_xs_positron *p = wn_alloc(1, sizeof *p);
  if (p == NULL)
    return WN_ENOMEM;
  struct wn_positron_gas *g = &p->view.gas;
  g->atoms = *s->atoms;
  g->density = s->density;
  g->brems = s->brems;
  g->angle = s->angle;
  g->cut_ev = s->cut_ev;
  g->stop_ev = s->stop_ev;
  g->top_ev = s->top_ev;
  g->mean_ev = wn_xs_gas_excitation_ev(s->atoms);
  for (int32_t i = 0; i < g->atoms.n; i++)
    g->electrons += g->atoms.density[i] * g->atoms.element[i].z;
  struct wn_positron_tables *t = &p->view.table;
  t->per_ln = WN_POSITRON_PER_OCTAVE / log(2.0);
  t->ln_first = log(s->stop_ev) - 1.0 / t->per_ln;
  t->n = (int32_t)ceil((log(s->top_ev) - t->ln_first) * t->per_ln) + 3;
  p->data =
      wn_alloc((size_t)t->n * (size_t)(wn_positron_columns(g) + 4), sizeof *p->data);
  if (p->data == NULL) {
    free(p);
    return WN_ENOMEM;
  }
  fill(p);
  *out = p;
  return WN_OK;
}

void wn_xs_positron_free(struct wn_xs_positron *p)
{
  if (p != NULL)
    free(p->data);
  free(p);
}
