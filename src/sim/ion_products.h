/* src/sim/ion_products.h - the ions that electrons in a grid leave behind: one for each ionization
 * and one for each attachment, where it happened, of the same number of quanta, with a
 * velocity of the gas.
 *
 * A newborn's record has the place of its birth until it flies, and that of an attached
 * electron the place of its end until the dead leave the store (physics/mcc_grid.h), so
 * schedulers know nothing of ions.  Ions are made in the order in which electrons lie in the
 * store, which is the same for every scheduler, and join their species at the end of the
 * step: they do not move in the one in which they were made. */
#ifndef WN_SRC_SIM_ION_PRODUCTS_H
#define WN_SRC_SIM_ION_PRODUCTS_H
#include <stddef.h>
#include <stdint.h>
#include "particles/particles.h"
#include "physics/ion.h"
#include "physics/mcc_grid.h"
#include "schedulers/model.h"

/* Of ionization or attachment. */
struct wn_product {
  struct wn_particles *to;  /* where the ions go; NULL: this does not happen */
  double sigma;             /* m/s along each axis, of their velocities */
  const struct wn_ion *ion; /* of their model, if they collide; NULL: they are points */
  struct wn_births made;    /* in this step so far; on a GPU these: */
  struct wn_gpu_products *there;
};

enum wn_product_kind { WN_PRODUCT_ION, WN_PRODUCT_ANION, WN_N_PRODUCTS };

struct wn_products {
  struct wn_gpu *gpu;             /* where electrons may be; NULL: on the host always */
  const struct wn_mcc_grid *grid; /* of the electrons' model */
  uint64_t seed;
  struct wn_product of[WN_N_PRODUCTS];
};

/* No ions, for the caller to fill in the rest.  WN_ENOMEM. */
int wn_products_create(struct wn_products **out);
void wn_products_free(struct wn_products *p);

/* Nothing was made. */
void wn_products_reset(struct wn_products *p);

/* The electrons from `first` on were born and wait: their ions are made.  On the host they
 * are sorted by id first; on a GPU the order of the store depends on who came first, and
 * no sum does.  WN_ENOMEM, WN_ECUDA; WN_EINTERN: there is no species for the ions. */
int wn_products_born(struct wn_products *p, struct wn_particles *electrons, size_t first);

/* The ions of those that were attached among the electrons, if any died on the host; then
 * all that were made in this step join their species.  The same errors, and WN_EFULL. */
int wn_products_leave(struct wn_products *p, struct wn_particles *electrons,
                      int any_died);

#endif
