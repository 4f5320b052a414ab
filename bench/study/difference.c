/* bench/study/difference.c - the field of the scheduler study: particles are counted in the
 * cells of a cubic grid (nearest cell), and pushed by the difference of the counts of the
 * two neighbours along each axis (difference_view.h).  The grid is large and mostly
 * empty, so it is cleared through the particles rather than as a whole: leave. */
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/ranks.h"
#include "bench/study/difference.h"
#include "bench/study/difference_gpu.h"
#include "fields/field.h"
#include "physics/constants.h"

struct difference {
  struct wn_field field;
  struct wn_gpu *gpu; /* whose memory holds the counts; NULL: the host's */
  uint32_t *count;
  struct wn_difference_view view;
};

static struct difference *of(struct wn_field *field)
{
  return (struct difference *)(void *)field;
}

static void destroy(struct wn_field *field)
{
  struct difference *f = of(field);
  if (f == NULL)
    return;
  if (f->gpu == NULL)
    free(f->count);
  else if (f->count != NULL)
    wn_difference_gpu_free(f->gpu, (size_t)f->view.cells, f->count);
  free(f);
}

static const struct wn_field_ops ops;

int wn_difference_create(size_t n, double h, struct wn_gpu *gpu, struct wn_field **out)
{
  if (gpu != NULL && wn_ranks() > 1)
    return WN_FAIL(WN_EINPUT,
                   "the grid of counts of this model is not summed over processes on "
                   "GPUs; take device cpu, or one process");
  struct difference *f = wn_alloc(1, sizeof *f);
  if (f == NULL)
    return WN_ENOMEM;
  f->field.ops = &ops;
  f->gpu = gpu;
  int status = WN_OK;
  if (f->gpu != NULL)
    status = wn_difference_gpu_create(f->gpu, n, &f->count);
  else if ((f->count = wn_alloc(n * n * n, sizeof *f->count)) == NULL)
    status = WN_ENOMEM;
  if (status != WN_OK) {
    destroy(&f->field);
    return status;
  }
  f->view = (struct wn_difference_view){.count = f->count,
                                        .cells = (int64_t)n,
                                        .cell_size = h,
                                        .k = WN_E * WN_E /
                                             (4.0 * WN_PI * WN_EPS0 * h * h * WN_ME)};
  *out = &f->field;
  return WN_OK;
}

/* Records begin with double x[3]. */
static int cells(struct difference *f, struct wn_particles *const *species, size_t n,
                 enum wn_difference_what what)
{
  for (size_t k = 0; k < n; k++) {
    const struct wn_particles *p = species[k];
    if (f->gpu != NULL) {
      WN_TRY(wn_difference_gpu_cells(f->gpu, &f->view, p, what));
      continue;
    }
    for (size_t i = 0; i < p->n; i++) {
      int64_t cell = wn_difference_cell(&f->view, wn_particles_at(p, i));
      if (cell >= 0)
        f->count[cell] = what == WN_DIFFERENCE_COUNT ? f->count[cell] + 1 : 0;
    }
  }
  return WN_OK;
}

static size_t n_cells(const struct difference *f)
{
  const size_t n = (size_t)f->view.cells;
  return n * n * n;
}

static int solve(struct wn_field *field, struct wn_particles *const *species, size_t n,
                 double t, double dt)
{
  (void)t, (void)dt;
  struct difference *f = of(field);
  WN_TRY(cells(f, species, n, WN_DIFFERENCE_COUNT));
  wn_ranks_sum_u32(f->count, n_cells(f));
  return WN_OK;
}

static int leave(struct wn_field *field, struct wn_particles *const *species, size_t n)
{
  struct difference *f = of(field);
  if (wn_ranks() == 1)
    return cells(f, species, n, WN_DIFFERENCE_CLEAR);
  memset(f->count, 0,
         n_cells(f) * sizeof *f->count); /* others' particles are there, too */
  return WN_OK;
}

static void view(const struct wn_field *field, struct wn_field_view *out)
{
  const struct difference *f = (const struct difference *)(const void *)field;
  out->kind = WN_FIELD_OTHER;
  out->of.other = &f->view;
}

/* Between steps all counts are zero. */
static int state(struct wn_field *field, struct wn_state *s)
{
  const int64_t mine = of(field)->view.cells;
  int64_t cells = mine;
  WN_TRY(WN_STATE(s, cells));
  if (cells != mine)
    return WN_FAIL(WN_EINPUT,
                   "a saved state has a grid of %lld^3 cells, this field one of %lld^3",
                   (long long)cells, (long long)mine);
  return WN_OK;
}

static const struct wn_field_ops ops = {
    .name = "difference",
    .solve = solve,
    .view = view,
    .leave = leave,
    .state = state,
    .free = destroy,
};
