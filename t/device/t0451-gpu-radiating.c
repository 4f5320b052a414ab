/* t0451-gpu-radiating.c - defends: bremsstrahlung of the electrons of a store on a GPU (device/radiation.cu): electrons, photons and the sums of
 * what was lost below the cut have the bits of the CPU, whether the list of photons has room for them at once or not; dead electrons,
 * those below the cut and those above the tables are as they were.  Reference: the same function of one electron, one after the other. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "device/gpu.h"
#include "device/sizes.h"
#include "physics/photons/radiating_path.h"
#include "physics/primary.h"
#include "t/crosssections/photon_files.h"
#include "t/tap/gpu.h"
#include "t/tap/tap.h"

#define CUT_EV    1e4
#define TOP_EV    1e8
#define PER_LN    20.0
#define N_KNOTS   200 /* up to 2e8 eV */
#define N_GROUPS  24
#define TIME      3e-9
#define STEP      17
#define SECONDS   1e-12 /* of the shortest step */
#define LOSCHMIDT 2.6868e25

static const struct wn_record record = {sizeof(struct wn_electron),
                                        offsetof(struct wn_electron, t_left), 0};

static int tables(struct wn_radiation_tables *m, double *above, double *below)
{
  m->cut_ev = CUT_EV;
  m->top_ev = TOP_EV;
  m->ln_cut = log(CUT_EV);
  m->per_ln = PER_LN;
  m->n_knots = N_KNOTS;
  m->above = above;
  m->below = below;
  m->angle = WN_BREMS_2BS;
  for (int i = 0; i < N_KNOTS; i++) {
    const double e_ev = fmin(CUT_EV * exp(i / PER_LN), TOP_EV);
    above[i] = i > 0 ? wn_radiation_above(&m->medium, e_ev, CUT_EV) : 0.0;
    below[i] = wn_radiation_below(&m->medium, e_ev, CUT_EV);
  }
  return above[N_KNOTS - 1] > above[1];
}

/* Energies from half the cut to twice the top; one in eleven is dead. */
static void fill(struct wn_electron *e, size_t n)
{
  static const struct wn_primaries warm = {0, 11, 0, 30.0, 1, 0, 0, 30, 1e-13};
  for (size_t i = 0; i < n; i++) {
    const struct wn_rng4 r = wn_rng(12, i, 0, WN_RNG_INITIAL, 1);
    const double e_ev = 0.5 * CUT_EV * pow(4.0 * TOP_EV / CUT_EV, wn_u01_open(r.w[0])),
                 size = wn_u_from_ev(e_ev), c = 2.0 * wn_u01_open(r.w[1]) - 1.0,
                 s = sqrt(1.0 - c * c), turn = 6.283185307179586 * wn_u01_open(r.w[2]);
    e[i] = wn_primary(&warm, i);
    e[i].u[0] = (float)(size * s * cos(turn));
    e[i].u[1] = (float)(size * s * sin(turn));
    e[i].u[2] = (float)(size * c);
    e[i].w = (float)(0.1 + 3.0 * wn_u01_open(r.w[3]));
    e[i].t_left = i % 11 == 7 ? WN_DEAD : 0.0f;
  }
}

struct photons {
  struct wn_photon *at;
  size_t n, room;
};

static void keep(struct photons *to, const struct wn_photon *p)
{
  if (to->n == to->room) {
    to->room = 2 * to->room + 1024;
    to->at = realloc(to->at, to->room * sizeof *to->at);
    if (to->at == NULL)
      exit(1);
  }
  to->at[to->n++] = *p;
}

static int by_id(const void *a, const void *b)
{
  const uint64_t x = ((const struct wn_photon *)a)->id,
                 y = ((const struct wn_photon *)b)->id;
  return x < y ? -1 : x > y;
}

static size_t radiate(const struct wn_radiation_tables *m, double interval,
                      struct wn_electron *e, size_t n, struct photons *to, wn_i128 *soft)
{
  size_t radiating = 0;
  to->n = 0;
  for (size_t i = 0; i < n; i++) {
    struct wn_radiating path;
    struct wn_photon p;
    if (e[i].t_left < 0.0f || !wn_radiating_begin(m, &e[i], interval, STEP, &path))
      continue;
    radiating++;
    while (wn_radiating_next(m, &e[i], TIME, &path, &p))
      keep(to, &p);
    wn_tally_sum(&soft[wn_electron_group(e[i].tag, N_GROUPS)],
                 wn_radiating_soft_ev(&path, &e[i]), WN_FIX_ENERGY);
    wn_radiating_end(&path, e[i].u);
  }
  if (to->n > 0)
    qsort(to->at, to->n, sizeof *to->at, by_id);
  return radiating;
}

static void compare(struct wn_gpu_radiation *q, const struct wn_radiation_tables *m,
                    double interval, struct wn_electron *e, struct wn_particles *p,
                    const char *name)
{
  struct photons want = {NULL, 0, 0}, got = {NULL, 0, 0};
  wn_i128 soft[N_GROUPS] = {0}, soft_there[N_GROUPS] = {0};
  const struct wn_photon *photon = NULL;
  const size_t n = p->n, radiating = radiate(m, interval, e, n, &want, soft);
  size_t n_got = 0, differ = 0, sums = 0;
  is_int(wn_gpu_hold(gpu_device(), p, 0.0), WN_OK, "%s: on the GPU", name);
  is_int(
      wn_gpu_radiate(q, p, TIME, interval, STEP, N_GROUPS, soft_there, &photon, &n_got),
      WN_OK, "%s: radiates", name);
  for (size_t i = 0; i < n_got; i++)
    keep(&got, &photon[i]);
  if (got.n > 0)
    qsort(got.at, got.n, sizeof *got.at, by_id);
  ok(want.n > 5 && got.n == want.n &&
         memcmp(got.at, want.at, want.n * sizeof *want.at) == 0,
     "%s: %zu photons of %zu electrons, %zu on the GPU, the same bits", name, want.n,
     radiating, got.n);
  for (int g = 0; g < N_GROUPS; g++)
    sums += soft[g] != soft_there[g] || soft[g] == 0;
  ok(sums == 0, "%s: %zu of %d sums differ", name, sums, N_GROUPS);
  is_int(wn_particles_host(p), WN_OK, "%s: on the host", name);
  for (size_t i = 0; i < n; i++)
    differ += memcmp(wn_particles_at(p, i), &e[i], sizeof e[i]) != 0;
  ok(differ == 0, "%s: %zu of %zu electrons differ", name, differ, n);
  diag("%s: a list of %zu at first", name, wn_gpu_photons(n));
  free(want.at);
  free(got.at);
}

static void store(const struct wn_radiation_tables *m)
{
  const size_t n = gpu_size(200000, 4000);
  struct wn_electron *e = calloc(n, sizeof *e);
  struct wn_particles p;
  struct wn_gpu_radiation *q = NULL;
  if (e == NULL)
    exit(1);
  fill(e, n);
  is_int(wn_particles_init(&p, &record, n, n), WN_OK, "a store");
  is_int(wn_particles_append(&p, e, n), WN_OK, "%zu electrons", n);
  if (is_int(wn_gpu_radiation_create(gpu_device(), m, &q), WN_OK, "tables on the GPU")) {
    /* one after the other, of the same electrons as they are then */
    compare(q, m, SECONDS, e, &p, "a short step");
    compare(q, m, 400.0 * SECONDS, e, &p, "many photons each");
    compare(q, m, SECONDS, e, &p, "a short step after it");
  }
  wn_gpu_radiation_free(q);
  wn_particles_clear(&p);
  free(e);
}

int main(void)
{
  gpu_or_skip();
  plan(0);
  static double above[N_KNOTS], below[N_KNOTS];
  struct wn_xs_photon *x[PHOTON_FILES];
  /* thick, so that a step of a picosecond has photons */
  static const struct wn_xs_photon_gas gas[] = {
      {"N2", 780.0 * LOSCHMIDT}, {"O2", 210.0 * LOSCHMIDT}, {"Ar", 10.0 * LOSCHMIDT}};
  struct wn_radiation_tables m = {.n_knots = 0};
  if (ok(photon_files_read(x) == WN_OK, "data are read")) {
    const struct wn_xs_photon_spec s = {.element = (const struct wn_xs_photon *const *)x,
                                        .n_elements = 3,
                                        .gas = gas,
                                        .n_gases = 3,
                                        .compton = WN_PHOTON_BOUND,
                                        .rayleigh = WN_PHOTON_FORM_FACTOR,
                                        .cut_ev = CUT_EV,
                                        .most_ev = TOP_EV,
                                        .seed = 3};
    if (ok(wn_xs_photon_medium(&s, &m.medium) == WN_OK, "air") &&
        ok(tables(&m, above, below), "tables"))
      store(&m);
  }
  photon_files_free(x);
  return done();
}
