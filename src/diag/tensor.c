/* src/diag/tensor.c - see tensor.h.  Errors: jackknife over groups, with the control
 * variate of transport.c if it helps. */
#include "src/diag/tensor.h"
#include <math.h>
#include "base/error.h"
#include "physics/constants.h"
#include "src/diag/moments.h"

#define N_COMPONENTS (WN_FRAME_AXES * WN_FRAME_AXES)

/* A component: of a vector (k = i), or of a tensor. */
struct component {
  struct wn_frame_axis i, k;
};

struct ask {
  const struct wn_diag *d;
  double interval;
  struct component c;
};

/* Index of the sum of x_i x_k among the six: xx, xy, xz, yy, yz, zz. */
static int product(int i, int k)
{
  const int low = i < k ? i : k, high = i < k ? k : i;
  return WN_SAMPLE_T_XX + (low == 0 ? high : low + high + 1);
}

static double place(const void *ctx, const double *m, double length)
{
  const struct component *c = ctx;
  return c->i.sign * m[WN_SAMPLE_T_X + c->i.from] * length;
}

static double half_covariance(const void *ctx, const double *m, double length)
{
  const struct component *c = ctx;
  const double *x = &m[WN_SAMPLE_T_X];
  return 0.5 * c->i.sign * c->k.sign * length * length *
         (m[product(c->i.from, c->k.from)] - x[c->i.from] * x[c->k.from]);
}

/* Half of <v_i x_k> - <v_i><x_k> minus the same with i and k exchanged: the part that the
 * growth of <x_i x_k> does not contain. */
static double antisymmetric(const void *ctx, const double *m, double length)
{
  const struct component *c = ctx;
  const int i = c->i.from, k = c->k.from;
  const double *x = &m[WN_SAMPLE_T_X], *v = &m[WN_SAMPLE_T_V], *xv = &m[WN_SAMPLE_T_XV];
  return 0.5 * c->i.sign * c->k.sign * length * WN_C *
         (xv[3 * k + i] - x[k] * v[i] - xv[3 * i + k] + x[i] * v[k]);
}

static double drift(const void *ctx, long leave_out)
{
  const struct ask *a = ctx;
  return wn_moments_growth(a->d, a->interval, place, &a->c, 0, leave_out);
}

static double flux(const void *ctx, long leave_out)
{
  const struct ask *a = ctx;
  const int i = a->c.i.from, k = a->c.k.from;
  const double both =
      a->c.i.sign * a->c.k.sign * wn_moments_flux(a->d, a->interval, i, k, leave_out);
  return i == k
             ? both
             : both + wn_moments_mean(a->d, a->interval, antisymmetric, &a->c, leave_out);
}

static double bulk(const void *ctx, long leave_out)
{
  const struct ask *a = ctx;
  return wn_moments_growth(a->d, a->interval, half_covariance, &a->c, 1, leave_out);
}

static const struct {
  const char *name, *units, *long_name, *comment;
  size_t n; /* components */
  wn_stats_fn *f;
} quantities[] = {
    {"drift_vector_bulk", "m s-1", "bulk drift velocity",
     "component 0 is drift_velocity_bulk", WN_FRAME_AXES, drift},
    {"diffusion_tensor_flux", "m2 s-1", "flux diffusion tensor",
     "flux along axis = -D gradient of the density along gradient_axis; as measured, "
     "with "
     "its antisymmetric part",
     N_COMPONENTS, flux},
    {"diffusion_tensor_bulk", "m2 s-1", "bulk diffusion tensor",
     "half the growth rate of the covariance of positions: symmetric by definition",
     N_COMPONENTS, bulk},
};
#define N_QUANTITIES (sizeof quantities / sizeof quantities[0])

static int define_tensor(struct wn_output *o, const char *name, const char *units,
                         const char *long_name, const char *comment)
{
  const struct wn_output_var v = {WN_VAR(name, units, long_name), .comment = comment,
                                  WN_DIMS("field", "axis", "gradient_axis"),
                                  .with_error = 1};
  return wn_output_define(o, &v);
}

int wn_frame_define_vector(struct wn_output *o, const char *name, const char *units,
                           const char *long_name, const char *comment)
{
  const struct wn_output_var v = {WN_VAR(name, units, long_name), .comment = comment,
                                  WN_DIMS("field", "axis"), .with_error = 1};
  return wn_output_define(o, &v);
}

int wn_tensor_define(struct wn_output *o)
{
  for (size_t i = 0; i < N_QUANTITIES; i++)
    WN_TRY((quantities[i].n == N_COMPONENTS ? define_tensor : wn_frame_define_vector)(
        o, quantities[i].name, quantities[i].units, quantities[i].long_name,
        quantities[i].comment));
  return WN_OK;
}

struct components {
  const struct wn_diag *d;
  const struct wn_sim *s;
  const double *control;
  size_t what;
};

static struct wn_estimate of_component(const void *ctx, size_t at)
{
  const struct components *of = ctx;
  const int tensor = quantities[of->what].n == N_COMPONENTS;
  const struct wn_frame_axis i = wn_frame_axis[tensor ? at / WN_FRAME_AXES : at],
                             k = wn_frame_axis[tensor ? at % WN_FRAME_AXES : at];
  const struct ask a = {of->d, of->s->interval, {i, k}};
  return wn_stats_jackknife((size_t)of->s->species[0]->shape.n_groups,
                            quantities[of->what].f, &a, of->control);
}

int wn_tensor_write(const struct wn_diag *d, const struct wn_sim *s,
                    const double *control, struct wn_output *o)
{
  for (size_t i = 0; i < N_QUANTITIES; i++)
    WN_TRY(wn_diag_put_estimates(o, quantities[i].name, s->i_case, quantities[i].n,
                                 of_component, &(struct components){d, s, control, i}));
  return WN_OK;
}

int wn_frame_define(struct wn_output *o, const struct wn_config *c)
{
  if (!wn_config_has_frame(c))
    return WN_OK;
  static const struct wn_output_var name = {
      .name = "axis_name",
      .long_name =
          "axes of vectors and tensors, right-handed; in brackets those of the particles",
      .type = WN_OUT_STRING,
      WN_DIMS("axis"),
      .is_coordinate = 1};
  WN_TRY(wn_output_dim(o, "axis", WN_FRAME_AXES));
  WN_TRY(wn_output_dim(o, "gradient_axis", WN_FRAME_AXES));
  WN_TRY(wn_output_define(o, &name));
  return wn_output_attr_text(
      o, NULL, "frame",
      "axis 0 against E, axis 1 along E x B, axis 2 along the component of B across E; "
      "without that component 1 and 2 are any two axes across E");
}

int wn_frame_put(struct wn_output *o, const struct wn_config *c)
{
  static const char *const crossed[WN_FRAME_AXES] = {"against E (z)", "along E x B (-y)",
                                                     "along the part of B across E (x)"},
                           *const along[WN_FRAME_AXES] = {
                               "against E (z)", "across E (-y)", "across E (x)"};
  if (!wn_config_has_frame(c))
    return WN_OK;
  /* sin(180 degrees) is 1e-16 */
  const int is_crossed =
      wn_scan_of_magnetic(c) || /* at some of its points */
      (c->magnetic_field != 0.0 && fabs(sin(c->magnetic_angle)) > 1e-12);
  return wn_output_put_string(o, "axis_name", -1, is_crossed ? crossed : along);
}
