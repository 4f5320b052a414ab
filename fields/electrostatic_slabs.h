/* fields/electrostatic_slabs.h - the grids of the field `electrostatic` divided among ranks
 * (base/ranks.h) in slabs along the last axis of the grid, each of which holds the particles in its
 * cells (fields/electrostatic.c says when what is done; on the host).
 *
 * A rank has the planes of nodes of fields/poisson_slabs.h, and beside them guards, as many as the
 * shape of a particle reaches that is a cell further in the middle of the step.  Places and nodes stay
 * those of the whole grid: arrays have the addresses of all, and memory for what is touched.
 *
 * All ranks make these calls together. */
#ifndef WN_FIELDS_ELECTROSTATIC_SLABS_H
#define WN_FIELDS_ELECTROSTATIC_SLABS_H
#include <stddef.h>
#include "fields/electrostatic.h"
#include "fields/electrostatic_gpu.h"
#include "particles/particles.h"

WN_BEGIN_DECLS

struct wn_field_slabs;

/* WN_EINPUT of wn_poisson_slabs_create, and a GPU; WN_ENOMEM, of any rank. */
int wn_field_slabs_create(const struct wn_electrostatic_spec *spec,
                          struct wn_field_slabs **out);
void wn_field_slabs_free(struct wn_field_slabs *f);

/* The grid as particles see it, with e: that of their models, and of points for the deposit. */
const struct wn_grid_view *wn_field_slabs_grid(const struct wn_field_slabs *f);

/* Every particle of a species goes to the rank that has its cell, with its bits; in any order.
 * dt [s]: of the step to come.  WN_ERUN: a particle is so fast that it crosses more than a cell in
 * half of it; WN_EFULL, of any rank. */
int wn_field_slabs_gather(const struct wn_field_slabs *f, struct wn_particles *p,
                          double dt);

/* The charge of species k, whose particles are all here: quanta, compared with theirs, on the nodes
 * that it belongs to, whoever has these.  m: with the grid of this field.  WN_ERUN of
 * fields/deposit.h, and when charge was lost. */
int wn_field_slabs_deposit(struct wn_field_slabs *f, size_t k, const struct wn_points *m,
                           const struct wn_particles *p);

/* rho from the quanta and *background [C/m3] (NAN: what makes all neutral, which it becomes), phi,
 * E. */
void wn_field_slabs_solve(struct wn_field_slabs *f, double *background,
                          const double volt[6]);

/* Of all nodes, on every rank, [nz][ny][nx] as in fields/electrostatic.h: rho, phi, E along d, and
 * particles of weight 1 of a species per m3. */
void wn_field_slabs_charge(const struct wn_field_slabs *f, double *rho);
void wn_field_slabs_potential(const struct wn_field_slabs *f, double *phi);
void wn_field_slabs_e(const struct wn_field_slabs *f, int d, double *e);
void wn_field_slabs_density(const struct wn_field_slabs *f, size_t k, double *n);

/* Sums of all slabs, on every rank the same. */
void wn_field_slabs_sums(struct wn_field_slabs *f, struct wn_charge_sums *out);

/* Bytes of a rank of so many. */
size_t wn_field_slabs_bytes(const struct wn_electrostatic_spec *spec, int ranks);

WN_END_DECLS

#endif
