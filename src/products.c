/* src/products.c - see products.h. */
#include "src/products.h"
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"

int wn_products_create(struct wn_products **out)
{
  *out = wn_alloc(1, sizeof **out);
  return *out != NULL ? WN_OK : WN_ENOMEM;
}

void wn_products_free(struct wn_products *p)
{
  for (int k = 0; p != NULL && k < WN_N_PRODUCTS; k++)
    free(p->of[k].made.e);
  free(p);
}

void wn_products_reset(struct wn_products *p)
{
  for (int k = 0; k < WN_N_PRODUCTS; k++)
    p->of[k].made.n = 0;
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
    return WN_FAIL(WN_EINTERN, "%s left an ion behind, and no species takes it",
                   kind == WN_PRODUCT_ION ? "an ionization" : "an attachment");
  of->made.record = of->to->record.bytes;
  if (of->ion != NULL)
    wn_ion_left_by(of->ion, e, p->seed, of->sigma, &record.ion);
  else
    wn_mcc_grid_ion(p->grid, e, p->seed, of->sigma, record.point);
  wn_births_push(&of->made, &record);
  return of->made.status;
}

int wn_products_born(struct wn_products *p, struct wn_electron *e, size_t n)
{
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

int wn_products_leave(struct wn_products *p, struct wn_particles *electrons)
{
  WN_TRY(wn_particles_host(electrons));
  const struct wn_electron *e = wn_particles_electrons(electrons);
  for (size_t i = 0; i < electrons->n; i++)
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
