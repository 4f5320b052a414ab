/* src/config/sparse.c - rules between the keys of field sparse of model plasma (fields/sparse/) */
#include "src/config/reader.h"

#include "base/error.h"
#include "fields/sparse/sparse.h"
#include "src/config/plasma_derived.h"

/* Logs an error of a key, with its place where it is given. */
#define WRONG(r, key, ...)                                                               \
  wn_reader_error((r), wn_reader_find((r), (key)), (key), __VA_ARGS__)

/* All axes have as many cells, a power of 2. */
static bool check_cells(struct wn_reader *r, int32_t n)
{
  const struct wn_cfg_plasma *p = &r->c->plasma;
  for (int d = 0; d < p->dim; d++)
    if (n < 3 || n > WN_SPARSE_LEVELS || p->cells[d] != (size_t)1 << n) {
      WRONG(
          r, "grid.cells",
          "%zu cells along an axis; plasma.field = \"sparse\" takes as many along each, "
          "a power of 2; allowed: 8 to %d",
          p->cells[d], 1 << WN_SPARSE_LEVELS);
      return false;
    }
  return true;
}

static void check_levels(struct wn_reader *r, const struct wn_sparse_spec *of)
{
  struct wn_components c;
  const struct wn_sparse_levels *l = &of->levels;
  const int32_t low = (l->dim - 1) * l->least, high = (l->dim - 1) * l->n;
  if (l->least > l->n)
    WRONG(r, "plasma.sparse.least_level",
          "%d, but the grid has 2^%d cells; allowed: 1 to %d", l->least, l->n, l->n);
  else if (l->more < low || l->more > high)
    WRONG(r, "plasma.sparse.offset", "%d; allowed, with a smallest level of %d: %d to %d",
          l->more, l->least, low, high);
  else if (wn_components_make(l, &c) == WN_OK && c.n_components < 3)
    WRONG(r, "plasma.sparse.least_level",
          "%d: of so few component grids, %d, the combination has no use; take "
          "plasma.field = \"electrostatic\", or a smaller level",
          l->least, c.n_components);
}

void wn_reader_check_sparse(struct wn_reader *r)
{
  const struct wn_cfg_plasma *p = &r->c->plasma;
  if (p->dim == 0)
    return;
  if (p->field != WN_FIELD_SPARSE) {
    if (p->sparse_least != 1)
      WRONG(r, "plasma.sparse.least_level",
            "%zu is of plasma.field = \"sparse\"; allowed: 1", p->sparse_least);
    if (p->sparse_offset != 0)
      WRONG(r, "plasma.sparse.offset", "%zu is of plasma.field = \"sparse\"; allowed: 0",
            p->sparse_offset);
    if (p->sparse_combine != WN_SPARSE_NODES)
      WRONG(r, "plasma.sparse.combine",
            "\"particle\" is of plasma.field = \"sparse\"; allowed: \"nodes\"");
    return;
  }
  const struct wn_sparse_spec of = wn_plasma_sparse_spec(r->c);
  if (p->dim == 1) {
    WRONG(r, "plasma.field", "\"sparse\" needs two or three axes");
    return;
  }
  if (p->shape != WN_SHAPE_CIC)
    WRONG(r, "plasma.shape", "plasma.field = \"sparse\" takes cic alone");
  if (p->solver == WN_POISSON_MULTIGRID)
    WRONG(r, "plasma.solver",
          "\"multigrid\" takes one large grid; allowed with plasma.field = \"sparse\": "
          "differences, spectral");
  if (p->gather != WN_GATHER_MOMENTUM)
    WRONG(r, "plasma.gather", "plasma.field = \"sparse\" takes momentum alone");
  for (int side = 0; side < 2 * p->dim; side++)
    if (p->wall[side].field == WN_OPEN) {
      WRONG(r, "plasma.field", "\"sparse\" has no solver for open sides (walls.%s.field)",
            wn_config_walls.names[side]);
      break;
    }
  if (check_cells(r, of.levels.n))
    check_levels(r, &of);
}
