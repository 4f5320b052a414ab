/* physics/collisions/attachment.h - model `mcc`: collisions that end the electron. */
#ifndef WN_PHYSICS_COLLISIONS_ATTACHMENT_H
#define WN_PHYSICS_COLLISIONS_ATTACHMENT_H
#include "physics/electron.h"
#include "physics/host_device.h"
#include "physics/mcc.h"
#include "physics/tally.h"

/* The end of an attached electron: its whole energy goes to the process. */
static WN_HD int wn_mcc_attachment(struct wn_mcc_reg *r, const struct wn_electron *e,
                                   int index, short near, struct wn_tally *t)
{
  r->n_real++;
  wn_mcc_count(t, near, index, e->w, r->energy);
  return WN_MCC_DEAD;
}

#endif
