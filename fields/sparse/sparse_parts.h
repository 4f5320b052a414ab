/* fields/sparse/sparse_parts.h - the field `sparse` from inside: what its files share.
 *
 *   sparse.c         life, the order of a step, and what diagnostics ask
 *   sparse_host.c    the grids on the host
 *   sparse_sums.c    integrals of the potential
 *   sparse_charge.c  shapes and charge of the component grids
 *   sparse_device.c  the grids on a GPU, by sparse_gpu.h
 *   combine.c        from the nodes of component grids to those of the full grid */
#ifndef WN_FIELDS_SPARSE_PARTS_H
#define WN_FIELDS_SPARSE_PARTS_H
#include "fields/charge_nodes.h"
#include "fields/deposit.h"
#include "fields/poisson/poisson.h"
#include "fields/sparse/combine.h"
#include "fields/sparse/sparse.h"
#include "fields/sparse/sparse_gpu.h"

WN_BEGIN_DECLS

struct wn_sparse;

/* Where the grids are.  Arrays of struct wn_sparse are those of the host. */
struct wn_sparse_place {
  int (*create)(struct wn_sparse *f);
  void (*free)(struct wn_sparse *f);
  /* The quanta of all species, of all ranks. */
  int (*charge)(struct wn_sparse *f, struct wn_particles *const *species);
  /* rho, phi and E from the quanta and f->background. */
  int (*solve)(struct wn_sparse *f, const double volt[6]);
  /* To f->quanta[k]; to f->rho; to f->phi; to f->component_e[d]; to f->e. */
  int (*fetch_quanta)(struct wn_sparse *f, size_t k);
  int (*fetch_rho)(struct wn_sparse *f);
  int (*fetch_phi)(struct wn_sparse *f);
  int (*fetch_e)(struct wn_sparse *f, int d);
  int (*fetch_floats)(struct wn_sparse *f);
};

struct wn_sparse {
  struct wn_field field;
  struct wn_sparse_spec spec;
  struct wn_components c;
  struct wn_grid_view grid; /* the full one; e as spec.at says */
  struct wn_charge_nodes nodes;
  const struct wn_sparse_place *on;
  double background; /* C/m3; NAN: not known yet */
  int threads, is_periodic[3];
  size_t n_nodes; /* of the full grid, without guards */
  size_t plane;   /* nodes of a plane of it, normal to the last axis */
  /* On the host; of a GPU, made when they are first asked for */
  int64_t *quanta[WN_FIELD_SPECIES]; /* [parent_nodes], folded */
  double *rho, *phi;                 /* [c.nodes] */
  double *component_e[WN_MAX_DIM];   /* [c.nodes] */
  double *parents;                   /* [parent_nodes] */
  double *work;                      /* [threads][each_work] */
  size_t each_work;
  double *whole; /* [n_nodes] */
  float *e;      /* [n_floats] */
  size_t n_floats;
  /* Particles of a species that are in its quanta already, as in fields/electrostatic_parts.h */
  size_t known[WN_FIELD_SPECIES];
  uint64_t at[WN_FIELD_SPECIES], removals[WN_FIELD_SPECIES];
  /* host */
  struct wn_deposit *deposit[WN_MAX_DIM];
  struct wn_points points[WN_FIELD_SPECIES][WN_MAX_DIM]; /* on the grid of each parent */
  int64_t *padded[WN_FIELD_SPECIES]; /* quanta with guards, parent after parent */
  size_t first_padded[WN_MAX_DIM + 1];
  double *charge;   /* [n_species][parent_nodes], quanta as numbers */
  double *parent_e; /* [dim][parent_nodes] */
  struct wn_poisson *poisson[WN_SPARSE_MAX];
  /* GPU */
  struct wn_sparse_gpu *gpu;
  uint64_t solves;
};

extern const struct wn_sparse_place wn_sparse_on_host, wn_sparse_on_gpu;

/* Work of a thread: that of combine.h, then the nodes of the largest component or two planes of the full grid. */
static inline double *wn_sparse_work_of(const struct wn_sparse *f, int thread)
{
  return f->work + (size_t)thread * f->each_work;
}

/* Poisson's equation of component i. */
struct wn_poisson_spec wn_sparse_poisson_spec(const struct wn_sparse_spec *spec,
                                              const struct wn_components *c, int i);

/* Quanta of a species as numbers, both ends of a periodic axis alike, [parent_nodes]. */
void wn_sparse_numbers(const struct wn_sparse *f, const int64_t *quanta, double *out);

/* Add to component i, rho [its nodes], n_species charge densities from the numbers of quanta of each,
 * [n_species][parent_nodes]; factor [n_species]: C or 1 of a particle of weight 1. */
void wn_sparse_component_charge(const struct wn_sparse *f, int i, size_t n_species,
                                const double *factor, const double *numbers, double *work,
                                double *rho);

/* From f->phi.  V2/m2, the sum of the square of E between nodes times parts of cells; struct wn_field_sums.drop;
 * the mean of phi times each wave (fields/waves.h).  WN_ENOMEM. */
int wn_sparse_sums(struct wn_sparse *f, double *square, double drop[3]);
int wn_sparse_waves(struct wn_sparse *f, const struct wn_waves *w, double *out);

WN_END_DECLS

#endif
