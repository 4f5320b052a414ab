/* t0802-slabs.c - defends: fields/poisson/slabs.c gives the solution of fields/poisson/poisson.h to
 * rounding, for every kind of sides, one to three dimensions, sizes that no number of ranks divides,
 * and one to five ranks; and base/ranks.h, exchange.  Reference: wn_poisson_solve of the whole grid, of
 * which each rank compares its planes.  Errors are counted in the largest potential; 1e-13 of it are
 * some hundred roundings. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/ranks.h"
#include "fields/poisson/planes.h"
#include "t/tap/command.h"
#include "t/tap/draw.h"
#include "t/tap/ranks.h"
#include "t/tap/slab_grids.h"
#include "t/tap/tap.h"

/* ---- in each rank */

/* The largest error of the planes of this rank, over the largest potential; INFINITY: it was
 * refused. */
static double one_error(const struct wn_poisson_spec *spec, void *none)
{
  (void)none;
  struct wn_poisson_spec of_whole = *spec;
  struct wn_poisson *whole, *slabs;
  size_t n = 1, plane = 1;
  double volt[6], most = 0.0, worst = 0.0;
  int64_t own[2];
  for (int d = 0; d < spec->dim; d++)
    n *= spec->cells[d] + 1;
  plane = n / (spec->cells[spec->dim - 1] + 1);
  double *rho = malloc(n * sizeof *rho), *phi = malloc(n * sizeof *phi),
         *got = malloc(n * sizeof *got);
  for (size_t i = 0; i < n; i++)
    rho[i] = uniform() - 0.5;
  for (int side = 0; side < 6; side++)
    volt[side] = 1e9 * (uniform() - 0.5);
  WN_ASSERT(rho != NULL && phi != NULL && got != NULL);
  of_whole.ranks = 1;
  WN_ASSERT(wn_poisson_create(&of_whole, &whole) == WN_OK);
  if (wn_poisson_create(spec, &slabs) != WN_OK)
    return INFINITY;
  wn_slab_planes(spec, wn_rank(), wn_ranks(), own);
  WN_ASSERT(wn_poisson_solve(whole, rho, volt, phi) == WN_OK);
  WN_ASSERT(wn_poisson_solve(slabs, rho + (size_t)own[0] * plane, volt, got) == WN_OK);
  for (size_t i = 0; i < n; i++)
    most = fmax(most, fabs(phi[i]));
  for (int64_t i = 0; i < (own[1] - own[0]) * (int64_t)plane; i++)
    worst = fmax(worst, fabs(got[i] - phi[own[0] * (int64_t)plane + i]) / most);
  wn_poisson_free(whole);
  wn_poisson_free(slabs);
  free(rho);
  free(phi);
  free(got);
  wn_ranks_most(&worst, 1);
  return worst;
}

/* What rank a gives to rank b: a + b words of 100 a + b. */
static void exchange(void)
{
  const int ranks = wn_ranks(), me = wn_rank();
  size_t give[16], take[16], all = 0, due = 0, at = 0, wrong = 0;
  for (int r = 0; r < ranks; r++) {
    all += give[r] = (size_t)(me + r);
    due += take[r] = (size_t)(r + me);
  }
  int64_t *out = malloc((all + 1) * sizeof *out), *in = malloc((due + 1) * sizeof *in);
  WN_ASSERT(out != NULL && in != NULL);
  for (int r = 0; r < ranks; r++)
    for (size_t i = 0; i < give[r]; i++)
      out[at++] = 100 * me + r;
  wn_ranks_exchange(out, give, in, take);
  at = 0;
  for (int r = 0; r < ranks; r++)
    for (size_t i = 0; i < take[r]; i++)
      wrong += in[at++] != 100 * r + me;
  free(out);
  free(in);
  double any = wrong > 0;
  wn_ranks_most(&any, 1);
  if (me == 0)
    printf("exchange %s\n", any > 0.0 ? "wrong" : "right");
}

static int owners(void)
{
  int right = 1;
  for (size_t n = 1; n < 40; n++)
    for (int ranks = 1; ranks <= (int)n; ranks++)
      for (size_t i = 0; i < n; i++) {
        const int r = wn_slab_owner(n, i, ranks);
        right = right && i >= wn_ranks_share(n, r, ranks) &&
                i < wn_ranks_share(n, r + 1, ranks);
      }
  return right;
}

/* ---- */

int main(int argc, char **argv)
{
  (void)argc;
  if (getenv("WN_T_SLABS") != NULL) {
    const int status = wn_ranks_begin();
    draw_state = 802;
    if (status == WN_OK)
      exchange();
    if (status == WN_OK)
      slab_grids(1, one_error, NULL);
    return wn_ranks_end(status != WN_OK);
  }
  if (wn_ranks_library() == NULL)
    skip_all("built without MPI");
  ranks_or_skip();
  plan(0);
  ok(owners(), "the rank of each cell");
  for (int ranks = 1; ranks <= 5; ranks++) {
    int n = 0;
    double worst = INFINITY;
    const int status = command("mpirun -n %d env WN_T_SLABS=1 %s", ranks, argv[0]);
    const char *at = command_out;
    ok(status == 0 && strstr(command_out, "exchange right") != NULL, "%d ranks: exchange",
       ranks);
    slab_grids_read(&at, &n, &worst);
    if (!ok(n == 155 && worst < 1e-13, "%d ranks: %d grids, the largest error %.2g",
            ranks, n, worst))
      diag("exit status %d; %.500s", status, command_err);
  }
  return done();
}
