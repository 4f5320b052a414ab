/* t0443-gpu-domains.c - defends: a plasma whose grid is divided in slabs among processes with GPUs
 * (fields/electrostatic_gpu.h) has the fields, charges, energies and numbers of one process on a
 * GPU, as t0803 says for processors; Poisson's equation on slabs (fields/poisson/gpu_slabs.cu) is solved as
 * on the host, for every kind of sides, to rounding; what processes exchange from GPU to GPU
 * (device/exchange.h) arrives, by memory that is laid open and by messages.  Processes may share a GPU. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/ranks.h"
#include "device/gpu.h"
#include "t/tap/command.h"
#include "t/tap/domains.h"
#include "t/tap/draw.h"
#include "t/tap/gpu.h"
#include "t/tap/ranks.h"
#include "t/tap/slab_grids.h"
#include "t/tap/tap.h"

#ifdef WN_HAVE_CUDA
#include "device/exchange.h"
#include "fields/poisson/gpu.h"
#include "fields/poisson/planes.h"
#include "t/tap/gpu_arrays.h"

/* ---- in each rank */

/* The largest error of the planes of this rank beside the host, over the largest potential. */
struct on {
  struct wn_gpu *gpu;
  int by_messages;
};

static double one_error(const struct wn_poisson_spec *spec, void *of)
{
  const struct on *on = of;
  struct wn_gpu *g = on->gpu;
  struct wn_poisson *here;
  struct wn_poisson_gpu *there;
  struct wn_gpu_exchange *x;
  size_t plane = 1;
  double volt[6], most[2] = {0.0, 0.0};
  int64_t own[2];
  void *rho_there, *phi_there;
  wn_slab_planes(spec, wn_rank(), wn_ranks(), own);
  for (int d = 0; d < spec->dim - 1; d++)
    plane *= spec->cells[d] + 1;
  const size_t n = (size_t)(own[1] - own[0]) * plane, bytes = n * sizeof(double);
  /* The solver of one process is that of a whole grid, with a plane of images. */
  const size_t whole = plane * (spec->cells[spec->dim - 1] + 1),
               all = wn_ranks() > 1 ? bytes : whole * sizeof(double);
  double *rho = wn_alloc(whole, sizeof *rho), *phi = wn_alloc(whole, sizeof *phi),
         *got = malloc(bytes);
  WN_ASSERT(rho != NULL && phi != NULL && got != NULL);
  for (size_t i = 0; i < n; i++)
    rho[i] = uniform() - 0.5;
  for (int side = 0; side < 6; side++)
    volt[side] = 1e8 * (side + 1.5 - (double)spec->cells[0]);
  const size_t before = wn_gpu_used(g);
  int status = wn_poisson_create(spec, &here);
  if (status == WN_OK)
    status = wn_poisson_gpu_create(g, spec, &there);
  if (status == WN_OK)
    status = wn_gpu_exchange_create(
        g, on->by_messages ? 0 : 8 * wn_poisson_gpu_words(there), &x);
  WN_ASSERT(status == WN_OK);
  wn_poisson_gpu_send_by(there, x);
  if (wn_rank() == 0 && wn_ranks() > 1 && /* t0430 has those of one rank */
      wn_gpu_used(g) - before > wn_poisson_gpu_bytes(spec))
    printf("more memory than was told: %zu, %zu\n", wn_gpu_used(g) - before,
           wn_poisson_gpu_bytes(spec));
  status = gpu_array_make(g, rho, all, &rho_there);
  if (status == WN_OK)
    status = gpu_array_make(g, rho, all, &phi_there);
  WN_ASSERT(status == WN_OK);
  for (int again = 0; again < 2; again++) {
    status = wn_poisson_solve(here, rho, volt, phi);
    WN_ASSERT(status == WN_OK);
    status = wn_poisson_gpu_solve(there, rho_there, volt, phi_there);
    if (status == WN_OK)
      status = gpu_array_get(g, phi_there, got, bytes);
    WN_ASSERT(status == WN_OK);
  }
  for (size_t i = 0; i < n; i++) {
    most[0] = fmax(most[0], fabs(phi[i]));
    const double off = fabs(got[i] - phi[i]);
    most[1] = off > most[1] || isnan(off) ? off : most[1];
  }
  wn_ranks_most(most, 2);
  gpu_array_free(g, rho_there, all);
  gpu_array_free(g, phi_there, all);
  wn_gpu_exchange_free(x);
  wn_poisson_free(here);
  wn_poisson_gpu_free(there);
  free(rho);
  free(phi);
  free(got);
  return most[1] / most[0];
}

/* What rank a gives to rank b: a + 2 b words of 100 a + b; room: for none, some, or all of these. */
static void exchange(struct wn_gpu *g, size_t room)
{
  const int ranks = wn_ranks(), me = wn_rank();
  size_t give[16], take[16], all = 0, due = 0, at = 0, wrong = 0;
  struct wn_gpu_exchange *x;
  void *from, *to;
  for (int r = 0; r < ranks; r++) {
    all += give[r] = (size_t)(me + 2 * r);
    due += take[r] = (size_t)(r + 2 * me);
  }
  int64_t *out = calloc(all + 1, sizeof *out), *in = calloc(due + 1, sizeof *in);
  WN_ASSERT(out != NULL && in != NULL);
  for (int r = 0; r < ranks; r++)
    for (size_t i = 0; i < give[r]; i++)
      out[at++] = 100 * me + r;
  int status = wn_gpu_exchange_create(g, room, &x);
  for (int again = 0; again < 3 && status == WN_OK; again++) {
    status = gpu_array_make(g, out, 8 * (all + 1), &from);
    if (status == WN_OK)
      status = gpu_array_make(g, in, 8 * (due + 1), &to);
    if (status == WN_OK)
      status = wn_gpu_exchange(x, from, give, to, take);
    if (status == WN_OK)
      status = gpu_array_get(g, to, in, 8 * (due + 1));
    gpu_array_free(g, from, 8 * (all + 1));
    gpu_array_free(g, to, 8 * (due + 1));
    at = 0;
    for (int r = 0; r < ranks; r++)
      for (size_t i = 0; i < take[r]; i++)
        wrong += in[at++] != 100 * r + me;
  }
  wn_gpu_exchange_free(x);
  free(out);
  free(in);
  double any = wrong > 0 || status != WN_OK;
  wn_ranks_most(&any, 1);
  if (me == 0)
    printf("exchange %s\n", any > 0.0 ? "wrong" : "right");
}

static int in_rank(void)
{
  struct wn_gpu *g = NULL;
  const char *why;
  int status = wn_ranks_begin();
  draw_state = 443 + (uint64_t)wn_rank();
  if (status == WN_OK)
    status = wn_gpu_open(wn_rank_here() % wn_gpu_count(&why), &g);
  if (status == WN_OK) {
    exchange(g, 0); /* by messages */
    exchange(g, 16);
    exchange(g, 4096);
    slab_grids(2, one_error, &(struct on){g, 1});
    slab_grids(2, one_error, &(struct on){g, 0});
    wn_gpu_close(g);
  }
  return wn_ranks_end(status != WN_OK);
}
#else
static int in_rank(void)
{
  return 1;
}
#endif

/* ---- */

static void solvers(const char *self, int ranks)
{
  int n[2] = {0, 0};
  double worst[2] = {INFINITY, INFINITY};
  const int status = command("mpirun -n %d env WN_T_SLABS=1 %s", ranks, self);
  is_int((int)ranks_times(command_out, "exchange right"), 3, "%d ranks: exchange", ranks);
  const char *at = command_out;
  for (int k = 0; k < 2; k++) {
    slab_grids_read(&at, &n[k], &worst[k]);
    if (!ok(n[k] == 150 && worst[k] < 1e-12,
            "%d ranks, %s: %d grids, the largest error %.2g", ranks,
            k == 0 ? "messages" : "memory", n[k], worst[k]))
      diag("exit status %d; %.500s", status, command_err);
  }
  is_int((int)ranks_times(command_out, "more memory than was told"), 0,
         "they take no more memory than was told");
}

int main(int argc, char **argv)
{
  (void)argc;
  if (getenv("WN_T_SLABS") != NULL)
    return in_rank();
  gpu_or_skip();
  if (wn_ranks_library() == NULL)
    skip_all("built without MPI");
  ranks_or_skip();
  plan(0);
  for (int ranks = 1; ranks <= 3; ranks++)
    solvers(argv[0], ranks);
  domains_compare("cuda", DOMAINS_2D, command_fast() ? 2 : 3);
  domains_slices("cuda", DOMAINS_2D);
  domains_refused("cuda", DOMAINS_1D, 2, "",
                  "\"domains\" needs two or three dimensions on GPUs");
  domains_clean();
  return done();
}
