/* fields/poisson/common.c - what methods of solution have in common: see parts.h. */
#include <math.h>
#include "base/error.h"
#include "fields/poisson/parts.h"
#include "physics/constants.h"

struct wn_poisson_axis wn_poisson_axis(const struct wn_poisson_spec *spec, int d)
{
  size_t cells = spec->cells[d];
  enum wn_potential low = spec->side[2 * d], high = spec->side[2 * d + 1];
  if (low == WN_PERIODIC)
    return (struct wn_poisson_axis){WN_FFT_PERIODIC, 0, cells};
  if (low == WN_DIRICHLET && high == WN_DIRICHLET)
    return (struct wn_poisson_axis){WN_FFT_SINES, 1, cells - 1};
  if (low == WN_DIRICHLET)
    return (struct wn_poisson_axis){WN_FFT_SINES_HALF, 1, cells};
  if (high == WN_DIRICHLET)
    return (struct wn_poisson_axis){WN_FFT_COSINES_HALF, 0, cells};
  return (struct wn_poisson_axis){WN_FFT_COSINES, 0, cells + 1};
}

void wn_poisson_lambda(const struct wn_poisson_spec *spec, int d, double *lambda)
{
  struct wn_poisson_axis a = wn_poisson_axis(spec, d);
  double h = wn_poisson_h(spec, d);
  for (size_t k = 0; k < a.n; k++) {
    double half_waves = (double)k; /* in the domain */
    if (a.kind == WN_FFT_PERIODIC)
      half_waves = 2.0 * (double)(k <= a.n / 2 ? k : a.n - k);
    else if (a.kind == WN_FFT_SINES)
      half_waves += 1.0;
    else if (a.kind != WN_FFT_COSINES)
      half_waves += 0.5;
    double q_h = WN_PI * half_waves / (double)spec->cells[d]; /* wave number times h */
    /* (2 f_i - f_{i-1} - f_{i+1}) / h2 of exp(i q x) is (2 - 2 cos(q h)) / h2. */
    double root =
        spec->method == WN_POISSON_SPECTRAL ? q_h / h : 2.0 * sin(0.5 * q_h) / h;
    lambda[k] = root * root;
  }
}

int wn_poisson_is_floating(const struct wn_poisson_spec *spec)
{
  for (int i = 0; i < 2 * spec->dim; i++)
    if (spec->side[i] == WN_DIRICHLET || spec->side[i] == WN_OPEN)
      return 0;
  return 1;
}

int wn_poisson_lift(const struct wn_poisson_spec *s, const double *volt,
                    struct wn_poisson_lift *l)
{
  int first = -1, axes = 0, differ = 0;
  *l = (struct wn_poisson_lift){0, 0.0, 0.0};
  for (int i = 0; i < 2 * s->dim; i++) {
    if (s->side[i] != WN_DIRICHLET)
      continue;
    if (!isfinite(volt[i]))
      return WN_FAIL(WN_EINPUT, "a wall of %g V: a finite potential is needed", volt[i]);
    if (first < 0)
      first = i;
    differ |= volt[i] != volt[first];
    axes |= 1 << i / 2;
  }
  if (first < 0 || s->method != WN_POISSON_SPECTRAL)
    return WN_OK;
  *l = (struct wn_poisson_lift){first / 2, volt[first], 0.0};
  if (!differ)
    return WN_OK;
  if (axes != 1 << first / 2)
    return WN_FAIL(
        WN_EINPUT,
        "walls of different potentials on more than one axis: the spectral "
        "method takes one potential for all walls, or two on one axis with the "
        "others periodic or neumann; the method of differences takes any");
  l->rise = volt[first + 1] - volt[first];
  return WN_OK;
}

int wn_poisson_check_volts(const struct wn_poisson_spec *s, const double *volt)
{
  for (int side = 0; side < 2 * s->dim; side++)
    if (s->side[side] == WN_DIRICHLET && !isfinite(volt[side]))
      return WN_FAIL(WN_EINPUT, "a wall of %g V: a finite potential is needed",
                     volt[side]);
  return WN_OK;
}

/* K_1(x)/K_0(x), x > 0: K_nu exp(x) is the integral over t > 0 of exp(-2 x sinh(t/2)^2)
 * cosh(nu t) (F. W. J. Olver et al., NIST Handbook, 10.32.9, as known), here by the trapezoidal
 * rule, whose error falls as exp(-pi2/step) for this integrand. */
static double bessel_ratio(double x)
{
  const double step = 0.2 / sqrt(1.0 + x);
  double k_0 = 0.5, k_1 = 0.5, least;
  size_t i = 1;
  do {
    const double t = step * (double)i++, s = sinh(0.5 * t), f = exp(-2.0 * x * s * s);
    k_0 += f;
    k_1 += f * cosh(t);
    least = f * cosh(t);
  } while (least > 1e-18 * k_1);
  return k_1 / k_0;
}

double wn_poisson_outside(double r, double lambda)
{
  const double k = sqrt(lambda);
  return k > 0.0 ? 2.0 * WN_PI * r * k * bessel_ratio(k * r) : 1.0;
}

int wn_poisson_check_centre(const struct wn_poisson_spec *s)
{
  for (int d = 0; d < s->dim; d++) {
    const struct wn_axis *a = &s->geometry.axis[d];
    if (a->coordinate != WN_COORDINATE_LINE && wn_axis_x(a, 0) == 0.0 &&
        s->side[2 * d] != WN_NEUMANN)
      return WN_FAIL(WN_EINPUT,
                     "side %c low is at 0 of a %s, where there is no wall: it takes "
                     "neumann alone",
                     "xyz"[d], wn_coordinate_name(a->coordinate));
  }
  return WN_OK;
}
