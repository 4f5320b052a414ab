/* t0421-gpu-electrons.c - defends: the electrons that a case begins with are made on the GPU
 * with the bits of the host, and what is asked of all electrons there (physics/sample.h) has
 * the bits of the host, whatever the number of groups and the size and sign of what is
 * added, at once or late.  Reference: the same functions on the host. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/log.h"
#include "device/gpu.h"
#include "physics/primary.h"
#include "t/tap/gpu.h"
#include "t/tap/tap.h"

static const struct wn_record record = {sizeof(struct wn_electron),
                                        offsetof(struct wn_electron, t_left), 0};

/* Those that a case begins with are made on the device with the bits of the host, also in a
 * store that held others. */
static void primaries(void)
{
  static const struct wn_primaries list[] = {
      {0, 7, 0, 0.1, 1, 0, 0, 30, 1e-13},
      {99, 7, 1, 5e6, 0, 0, 0, 30, 1e-13},
      {0, 8, 2, 30.0, 1, 1, 0, 30, 2e-12},
      {0, 9, 3, 1e3, 0, 1, 1, 30, 1e-13},
  };
  struct wn_particles p;
  const size_t n = gpu_size(300000, 3000);
  is_int(wn_particles_init(&p, &record, 0, n), WN_OK, "primaries: a store");
  for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
    wn_particles_empty(&p);
    is_int(wn_gpu_primaries(gpu_device(), &p, &list[k], n - k), WN_OK,
           "primaries %zu: are made", k);
    is_int(wn_particles_read(&p), WN_OK, "primaries %zu: fetched", k);
    size_t differ = p.n != n - k;
    for (size_t i = 0; i < p.n; i++) {
      const struct wn_electron want = wn_primary(&list[k], i);
      differ += memcmp(wn_particles_at(&p, i), &want, sizeof want) != 0;
    }
    ok(differ == 0, "primaries %zu: %zu of %zu differ", k, differ, p.n);
  }
  wn_particles_empty(&p);
  is_int(wn_gpu_primaries(gpu_device(), &p, &list[0], n + 1), WN_EFULL,
         "primaries: more than may be there");
  wn_particles_clear(&p);
}

/* Electrons that have moved, on either side of the origin; weights of `size` and
 * less: those of 16 and more are large for a sum near by. */
static void scatter(struct wn_particles *p, size_t n, double size)
{
  static const struct wn_primaries warm = {0, 11, 0, 30.0, 1, 0, 0, 30, 1e-13};
  wn_particles_empty(p);
  is_int(wn_particles_reserve(p, n), WN_OK, "samples: %zu electrons", n);
  struct wn_electron *e = wn_particles_electrons(p);
  for (size_t i = 0; i < n; i++) {
    const struct wn_rng4 r = wn_rng(12, i, 0, WN_RNG_INITIAL, 0);
    e[i] = wn_primary(&warm, i);
    for (int k = 0; k < 3; k++)
      e[i].x[k] = 1e-3 * (wn_u01(r.w[k]) - 0.5);
    e[i].w = (float)(size * wn_u01(r.w[3]));
  }
  p->n = n;
}

static void sample(struct wn_particles *p, const struct wn_sample *what, const char *name)
{
  const size_t cells = wn_sample_cells(what);
  wn_i128 *want = calloc(cells, sizeof *want), *got = calloc(cells, sizeof *got);
  size_t differ = 0, some = 0;
  is_int(wn_particles_host(p), WN_OK, "%s: on the host", name);
  wn_particles_sample(p, what, want);
  is_int(wn_gpu_hold(gpu_device(), p, 0.0), WN_OK, "%s: on the GPU", name);
  is_int(wn_particles_sample(p, what, got), WN_OK, "%s: asked", name);
  for (size_t i = 0; i < cells; i++) {
    differ += got[i] != want[i];
    some += want[i] != 0;
  }
  ok(differ == 0 && some > 0, "%s: %zu of %zu sums differ, %zu are not 0", name, differ,
     cells, some);

  /* twice before they are read, after others that were not used; then once more */
  is_int(wn_particles_sample_deferred(p, what, got), WN_OK, "%s: late", name);
  is_int(wn_particles_add_deferred(p, NULL), WN_OK, "%s: not wanted", name);
  memset(got, 0, cells * sizeof *got);
  for (int k = 0; k < 3; k++) {
    is_int(wn_particles_sample_deferred(p, what, got), WN_OK, "%s: late", name);
    if (k > 0)
      is_int(wn_particles_add_deferred(p, got), WN_OK, "%s: brought", name);
  }
  is_int(wn_particles_add_deferred(p, got), WN_OK, "%s: nothing is left", name);
  differ = 0;
  for (size_t i = 0; i < cells; i++)
    differ += got[i] != 3 * want[i];
  is_int((long long)differ, 0, "%s: sums that are three times", name);
  free(want);
  free(got);
}

static void samples(void)
{
  static const uint32_t groups[] = {1, 32, 4096};
  static const double size[] = {1.0, 1e4};
  const size_t n = gpu_size(300000, 3000);
  struct wn_particles p;
  is_int(wn_particles_init(&p, &record, n, n), WN_OK, "samples: a store");
  for (size_t i = 0; i < sizeof size / sizeof size[0]; i++) {
    scatter(&p, n, size[i]);
    for (size_t g = 0; g < sizeof groups / sizeof groups[0]; g++) {
      struct wn_sample what = {.n_groups = groups[g],
                               .above_ev = INFINITY,
                               .unit = 1e3,
                               .bin_min_ev = 0.1,
                               .bins_per_decade = 10.0,
                               .n_bins = 40};
      what.kind = WN_SAMPLE_ENERGY;
      sample(&p, &what, "energy");
      what.kind = WN_SAMPLE_WEIGHT;
      sample(&p, &what, "weights");
      what.kind = WN_SAMPLE_MOMENTS;
      sample(&p, &what, "moments");
      what.kind = WN_SAMPLE_TENSOR;
      sample(&p, &what, "tensor");
      what.kind = WN_SAMPLE_TILTED;
      what.tilt = 300.0, what.tilt_step = 1000.0;
      sample(&p, &what, "tilted");
      what.kind = WN_SAMPLE_ENERGIES;
      sample(&p, &what, "energies");
      what.kind = WN_SAMPLE_OCTAVES; /* 8 an octave from 2^-14 eV on */
      what.shift = 20;
      what.base = (113 << 3) - 1;
      what.n_bins = groups[g] > 32 ? 20 : 200;
      sample(&p, &what, "octaves");
      what.n_bins = 40;
      what.kind = WN_SAMPLE_NUMBER;
      sample(&p, &what, "numbers");
      what.above_ev = 30.0;
      sample(&p, &what, "numbers of two sorts");
    }
  }
  /* some are no numbers */
  wn_particles_touched(&p);
  is_int(wn_particles_host(&p), WN_OK, "samples: on the host");
  struct wn_electron *e = wn_particles_electrons(&p);
  for (size_t k = 0; k < n; k += 97) {
    e[k].u[k % 3] = k % 2 ? NAN : e[k].u[k % 3];
    e[k].x[k % 3] = k % 5 ? e[k].x[k % 3] : -(double)INFINITY;
    e[k].w = k % 7 ? e[k].w : INFINITY;
    e[k].t_left = k % 11 ? 0.0f : WN_DEAD;
  }
  struct wn_sample what = {.kind = WN_SAMPLE_BROKEN,
                           .velocities = 3,
                           .relativistic = 1,
                           .most = {2e6f, 3e6f, INFINITY}};
  sample(&p, &what, "broken");
  wn_particles_clear(&p);
}

int main(void)
{
  gpu_or_skip();
  plan(0);
  wn_log_set_level(WN_LOG_ERROR);
  primaries();
  samples();
  return done();
}
