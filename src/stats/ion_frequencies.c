/* src/stats/ion_frequencies.c - see ion_frequencies.h. */
#include "src/stats/ion_frequencies.h"
#include <math.h>

#define SPEEDS 128 /* of the midpoint rule, over 7 s on both sides */
#define WIDE   7.0

/* Adds weight times the frequencies of a gas at relative speed g; along: component of the
 * relative velocity along the ion's, over the speed of the ion.  Returns the loss. */
static double add(const struct wn_ion_view *xs, const struct wn_ion_gas_view *gas,
                  double g, double along, double weight, double *frequency)
{
  float above;
  const int32_t bin = wn_ion_bin(xs, (float)(g * g * (double)gas->per_square), &above);
  const struct wn_xs_line *row = xs->row + (int64_t)bin * xs->n_processes;
  double loss = 0.0;
  for (int32_t k = gas->first; k < gas->end; k++) {
    const double nu =
        weight * xs->nu_max * ((double)row[k].at + (double)row[k].slope * (double)above);
    frequency[k] += nu;
    loss += nu * along * (double)gas->part *
            (xs->process[k].kind == WN_ION_BACKSCATTER ? 2.0 : 1.0);
  }
  return loss;
}

static double add_gas(const struct wn_ion_view *xs, const struct wn_ion_gas_view *gas,
                      double v, double *frequency)
{
  const double s = (double)gas->sigma_v;
  if (!(s > 0.0))
    return add(xs, gas, v, 1.0, 1.0, frequency);
  const double low = fmax(v - WIDE * s, 0.0), step = (v + WIDE * s - low) / SPEEDS;
  double weight[SPEEDS], sum = 0.0, loss = 0.0;
  for (int i = 0; i < SPEEDS; i++) {
    const double g = low + ((double)i + 0.5) * step, x = g * v / (s * s),
                 off = (g - v) / s;
    weight[i] = g * g * exp(-0.5 * off * off) * (x > 1e-9 ? -expm1(-2.0 * x) / x : 2.0);
    sum += weight[i];
  }
  for (int i = 0; i < SPEEDS; i++) {
    const double g = low + ((double)i + 0.5) * step, x = g * v / (s * s),
                 cosine = x > 1e-3 ? 1.0 / tanh(x) - 1.0 / x : x / 3.0;
    loss += add(xs, gas, g, g * cosine / v, weight[i] / sum, frequency);
  }
  return loss;
}

double wn_ion_frequencies(const struct wn_ion_view *xs, double v, double *frequency)
{
  double loss = 0.0;
  for (int32_t k = 0; k < xs->n_processes; k++)
    frequency[k] = 0.0;
  for (int32_t g = 0; g < xs->n_gases; g++)
    loss += add_gas(xs, &xs->gas[g], v, frequency);
  return loss;
}
