/* fields/electrostatic_slabs.h - the grids of the field `electrostatic` divided among ranks
 * (base/ranks.h) in slabs along the last axis of the grid, each of which holds the particles in its
 * cells (fields/electrostatic.c says when what is done), on
 * the host, or in the memory of GPUs, of which each rank has one.
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

/* Planes beside its own that a rank has: of charge and E, for a particle that is in the next cell, and
 * whose shape reaches one node further; of phi two more, for the stencils. */
#define WN_SLAB_GUARD     3
#define WN_SLAB_GUARD_PHI (WN_SLAB_GUARD + 2)

struct wn_field_slabs;

/* WN_EINPUT of wn_poisson_slabs_create, or wn_poisson_slabs_gpu_create, and where some rank has no GPU;
 * WN_ENOMEM, of any rank; WN_ECUDA. */
int wn_field_slabs_create(const struct wn_electrostatic_spec *spec,
                          struct wn_field_slabs **out);
void wn_field_slabs_free(struct wn_field_slabs *f);

/* The grid as particles see it, with e: that of their models, and of points for the deposit. */
const struct wn_grid_view *wn_field_slabs_grid(const struct wn_field_slabs *f);

/* A step of length dt [s] begins: every particle goes to the rank that has its cell, with its bits, in any
 * order; their charge, quanta, compared with theirs (on GPUs now and then), to who has the nodes; rho from
 * these and *background [C/m3] (NAN: what makes all neutral, which it becomes), phi, E.
 * points [n_species]: with the grid of this field.  WN_ERUN: a particle is so fast that it crosses more than
 * a cell in half of its step, or charge was lost, or as fields/deposit.h; WN_EFULL, WN_ENOMEM, WN_ECUDA. */
int wn_field_slabs_solve(struct wn_field_slabs *f, struct wn_particles *const *species,
                         const struct wn_points *points, double dt, double *background,
                         const double volt[6]);

/* Of all nodes, on every rank, [nz][ny][nx] as in fields/electrostatic.h: rho, phi, E along d, and
 * particles of weight 1 of a species per m3.  From GPUs they are brought once a solve, after a wait: WN_ECUDA,
 * and WN_ERUN of wn_electrostatic_gpu_misfits. */
int wn_field_slabs_charge(struct wn_field_slabs *f, double *rho);
int wn_field_slabs_potential(struct wn_field_slabs *f, double *phi);
int wn_field_slabs_e(struct wn_field_slabs *f, int d, double *e);
int wn_field_slabs_density(struct wn_field_slabs *f, size_t k, double *n);

/* Sums of all slabs, on every rank the same. */
int wn_field_slabs_sums(struct wn_field_slabs *f, struct wn_charge_sums *out);

/* Bytes of the first of so many ranks, on the host, and on a device. */
size_t wn_field_slabs_bytes(const struct wn_electrostatic_spec *spec, int ranks);
size_t wn_field_slabs_gpu_bytes(const struct wn_electrostatic_spec *spec, int ranks);

WN_END_DECLS

#endif
