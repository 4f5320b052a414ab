/* src/sim/ion_products.c - see ion_products.h. */
#include "src/sim/ion_products.h"
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "device/gpu.h"

int wn_products_create(struct wn_products **out)
{
  *out = wn_alloc(1, sizeof **out);
  return *out != NULL ? WN_OK : WN_ENOMEM;
}

void wn_products_free(struct wn_products *p)
{
  for (int k = 0; p != NULL && k < WN_N_PRODUCTS; k++)
    free(p->of[k].made.e), wn_gpu_products_free(p->of[k].there);
  free(p);
}

void wn_products_reset(struct wn_products *p)
{
  for (int k = 0; k < WN_N_PRODUCTS; k++) {
    p->of[k].made.n = 0;
    if (p->of[k].there != NULL)
      wn_gpu_products_reset(p->of[k].there);
  }
}

static int nobody_takes(enum wn_product_kind kind)
{
  return WN_FAIL(WN_EINTERN, "%s left an ion behind, and no species takes it",
                 kind == WN_PRODUCT_ION ? "an ionization" : "an attachment");
}

/* What takes ions on the GPU. */
static int there(struct wn_products *p, enum wn_product_kind kind)
{
  struct wn_product *of = &p->of[kind];
  if (of->to == NULL)
    return nobody_takes(kind);
  return of->there != NULL
             ? WN_OK
             : wn_gpu_products_create(p->gpu, of->to->record.bytes, of->ion, &of->there);
}

static int by_id(const void *a, const void *b)
{
  const uint64_t x = ((const struct wn_electron *)a)->id,
                 y = ((const struct wn_electron *)b)->id;
  return x < y ? -1 : x > y;
}

static int make(struct wn_products *p, enum wn_product_kind kind,
                const struct wn_electron *e)
{
  struct wn_product *of = &p->of[kind];
  union {
    union wn_word point[8];
    struct wn_electron ion;
  } record;
  if (of->to == NULL)
    return nobody_takes(kind);
  of->made.record = of->to->record.bytes;
  if (of->ion != NULL)
    wn_ion_left_by(of->ion, e, p->seed, of->sigma, &record.ion);
  else
    wn_mcc_grid_ion(p->grid, e, p->seed, of->sigma, record.point);
  wn_births_push(&of->made, &record);
  return of->made.status;
}

int wn_products_born(struct wn_products *p, struct wn_particles *electrons, size_t first)
{
  struct wn_product *of = &p->of[WN_PRODUCT_ION];
  const size_t n = electrons->n - first;
  if (electrons->place == WN_PARTICLES_REMOTE) {
    WN_TRY(there(p, WN_PRODUCT_ION));
    return wn_gpu_products_born(of->there, p->grid, p->seed, of->sigma, electrons, first);
  }
  WN_TRY(wn_particles_host(electrons));
  struct wn_electron *e = wn_particles_electrons(electrons) + first;
  qsort(e, n, sizeof *e, by_id);
  for (size_t i = 0; i < n; i++)
    WN_TRY(make(p, WN_PRODUCT_ION, &e[i]));
  return WN_OK;
}

/* Dead, and not by a side: physics/electron.h. */
static int was_attached(const struct wn_electron *e)
{
  return e->t_left < 0.0f && e->at[0] != WN_POINT_DEAD;
}

static int leave_there(struct wn_products *p, const struct wn_particles *electrons)
{
  struct wn_product *of = &p->of[WN_PRODUCT_ANION];
  if (of->to != NULL) {
    WN_TRY(there(p, WN_PRODUCT_ANION));
    WN_TRY(wn_gpu_products_attached(of->there, p->grid, p->seed, of->sigma, electrons));
  }
  for (int k = 0; k < WN_N_PRODUCTS; k++)
    if (p->of[k].there != NULL)
      WN_TRY(wn_gpu_products_join(p->of[k].there, p->of[k].to));
  return WN_OK;
}

int wn_products_leave(struct wn_products *p, struct wn_particles *electrons, int any_died)
{
  if (electrons->place == WN_PARTICLES_REMOTE)
    return leave_there(p, electrons);
  WN_TRY(wn_particles_host(electrons));
  const struct wn_electron *e = wn_particles_electrons(electrons);
  for (size_t i = 0; any_died && i < electrons->n; i++)
    if (was_attached(&e[i]))
      WN_TRY(make(p, WN_PRODUCT_ANION, &e[i]));
  for (int k = 0; k < WN_N_PRODUCTS; k++) {
    struct wn_product *of = &p->of[k];
    if (of->made.n > 0)
      WN_TRY(wn_particles_append(of->to, of->made.e, of->made.n));
    of->made.n = 0;
  }
  return WN_OK;
}
