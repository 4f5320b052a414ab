/* fields/electrostatic_gpu.h - the grids of the field `electrostatic` in the memory of GPUs, the slab of each
 * rank on its own (electrostatic_parts.h; a whole grid is the slab of one rank), from the charge of the
 * particles to the E that they feel.  fields/electrostatic_device.c says when what is done.  Nothing waits but
 * what brings numbers to the host, and what goes between ranks.  With several slabs all ranks make these
 * calls together, except fetch.
 *
 * electrostatic_gpu.cu, _sums.cu, _waves.cu, electrodes_gpu.cu, halo_gpu.cu and migration_gpu.cu, or build-aux/stubs in a build without
 * CUDA. */
#ifndef WN_FIELDS_ELECTROSTATIC_GPU_H
#define WN_FIELDS_ELECTROSTATIC_GPU_H
#include <stddef.h>
#include <stdint.h>
#include "fields/electrostatic.h"
#include "particles/particles.h"
#include "physics/host_device.h"

WN_BEGIN_DECLS

struct wn_electrostatic;
struct wn_electrostatic_gpu;

/* What the host has of a field on a GPU, bits. */
enum {
  WN_FETCHED_RHO = 1,
  WN_FETCHED_PHI = 2,
  WN_FETCHED_QUANTA = 4 /* of species 0, 8 of 1, ... */
};

/* Of so many solves on a GPU one is looked at whether charge was lost: that reads all particles
 * once more. */
#define WN_CHARGE_COMPARED 64

/* Bytes on the device for partial sums. */
#define WN_ELECTROSTATIC_GPU_SUMS ((size_t)65792)

/* On f->spec.gpu, for f->slab; the quanta are 0.  Charge and E have the addresses of the whole grid, and
 * memory for the slab with its guards alone.  WN_EINPUT of the solver; WN_ENOMEM, WN_ECUDA, of any rank. */
int wn_electrostatic_gpu_create(const struct wn_electrostatic *f,
                                struct wn_electrostatic_gpu **out);
void wn_electrostatic_gpu_free(struct wn_electrostatic_gpu *g);

/* No quanta of n species from `first` on; add those of the particles of species k from
 * number `first` on. */
int wn_electrostatic_gpu_clear(struct wn_electrostatic_gpu *g, size_t first, size_t n);
int wn_electrostatic_gpu_deposit(struct wn_electrostatic_gpu *g, size_t k,
                                 const struct wn_points *m, struct wn_particles *p,
                                 size_t first);

/* Of a whole grid: the quanta of species k are those of all its particles.  Charge that a scheduler has left
 * is moved there; later: by the next solve, before which nothing else may need them. */
int wn_electrostatic_gpu_deposit_all(struct wn_electrostatic_gpu *g, size_t k,
                                     const struct wn_points *m, struct wn_particles *p,
                                     int later);

/* After deposit of all of species k: is it the charge of the particles?
 * wn_electrostatic_gpu_misfits says so when it is not. */
int wn_electrostatic_gpu_compare(struct wn_electrostatic_gpu *g, size_t k,
                                 const struct wn_points *m, struct wn_particles *p);

/* After deposit, of a whole grid: the quanta of all ranks (base/ranks.h) in the place of its own, of all
 * species; all_have: every rank has a GPU. */
int wn_electrostatic_gpu_bring_together(struct wn_electrostatic_gpu *g, int all_have);
/* The same of slabs: the quanta in guard planes are added to those of the ranks that have the nodes. */
int wn_electrostatic_gpu_add_halo(struct wn_electrostatic_gpu *g,
                                  const struct wn_electrostatic *f);

/* Whether the scheduler that moved the particles, as m says, has left their charge and listed those that
 * go to other ranks.  The charge is then taken before they go, and the others keep their order. */
int wn_electrostatic_gpu_is_listed(const struct wn_electrostatic_gpu *g,
                                   const struct wn_points *m,
                                   const struct wn_particles *p);
/* As wn_migrate of a species with steps of dt [s].  listed: m, if they are; else NULL. */
int wn_electrostatic_gpu_migrate(struct wn_electrostatic_gpu *g,
                                 const struct wn_electrostatic *f, struct wn_particles *p,
                                 double dt, const struct wn_points *listed);

/* rho from the quanta and the background [C/m3], phi, E.  WN_EINPUT of
 * wn_poisson_solve. */
int wn_electrostatic_gpu_solve(struct wn_electrostatic_gpu *g,
                               const struct wn_electrostatic *f, double background,
                               const double volt[6]);

/* E for the particles, on the device: struct wn_grid_view.e. */
const float *wn_electrostatic_gpu_floats(const struct wn_electrostatic_gpu *g);

/* WN_ERUN with how many, when weights were no number of quanta, or nodes had 2^62 quanta or
 * more, or with the sums when they were found to differ, in what the device has finished: whole
 * solves after a wait. */
int wn_electrostatic_gpu_misfits(const struct wn_electrostatic_gpu *g);

/* To the arrays of f on the host, after a wait: the quanta of a species, of own planes, not folded beyond
 * other sides than those of slabs, guards included where the grid is whole; rho; phi with its guards. */
int wn_electrostatic_gpu_quanta(struct wn_electrostatic_gpu *g,
                                const struct wn_electrostatic *f, size_t k);
int wn_electrostatic_gpu_charge(struct wn_electrostatic_gpu *g,
                                const struct wn_electrostatic *f);
int wn_electrostatic_gpu_potential(struct wn_electrostatic_gpu *g,
                                   const struct wn_electrostatic *f);
/* With electrodes: the charge of the last solution, to f->electrodes->rho. */
int wn_electrostatic_gpu_solved(struct wn_electrostatic_gpu *g,
                                const struct wn_electrostatic *f);
/* As wn_field_grid_ops.densest of a whole grid, by the quanta on the device; one number comes to the host. */
int wn_electrostatic_gpu_densest(struct wn_electrostatic_gpu *g, size_t k, double *most);
/* E along d of all nodes of a whole grid. */
int wn_electrostatic_gpu_e(struct wn_electrostatic_gpu *g,
                           const struct wn_electrostatic *f, int d, double *e);
/* The same on the device, until the next call. */
int wn_electrostatic_gpu_e_there(struct wn_electrostatic_gpu *g,
                                 const struct wn_electrostatic *f, int d,
                                 const double **e);

/* Sums over the domain, each node with its part of a cell; always in the same order. */
struct wn_charge_sums {
  double charge;  /* C */
  double inside;  /* C, where Poisson's equation holds */
  double pairs;   /* J, q phi/2 */
  double square;  /* V2/m2, of E between nodes, times parts of cells */
  double through; /* C, eps0 times E through the sides that hold phi */
  double drop[3]; /* V m^(dim-1), phi over the low side of each axis less that over the
                         * high one, 0 along a periodic axis: the integral of E */
  double left, largest; /* V/m2, struct wn_field_sums.residual is the quotient */
};

/* Those over the nodes of this rank on their way to the host; and there, after a wait, begun before or
 * not: sum [WN_SLAB_SUMS] (electrostatic_sums.h). */
int wn_electrostatic_gpu_begin_sums(struct wn_electrostatic_gpu *g,
                                    const struct wn_electrostatic *f);
int wn_electrostatic_gpu_sums(struct wn_electrostatic_gpu *g,
                              const struct wn_electrostatic *f, double *sum);
/* What is left of Poisson's equation at the nodes of this rank, and the largest charge over eps0, V/m2;
 * charge: of all ranks, C, of which the mean is taken where nothing holds phi. */
int wn_electrostatic_gpu_left(struct wn_electrostatic_gpu *g,
                              const struct wn_electrostatic *f, double charge,
                              double most[2]);

struct wn_waves;
/* The sums of fields/waves.h over the own planes, sum [own planes][n][2], after a wait. */
int wn_electrostatic_gpu_waves(struct wn_electrostatic_gpu *g,
                               const struct wn_electrostatic *f, const struct wn_waves *w,
                               double *sum);

WN_END_DECLS

#endif
