/* src/sim/nodal_source.c - see nodal_source.h. */
#include "src/sim/nodal_source.h"
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "fields/nodal_formulas.h"
#include "src/config/plasma_derived.h"
#include "src/io/field_file.h"

_Static_assert(WN_FIELD_FILE_VALUES == WN_NODAL_COMPONENTS, "in the same order");

static int read(void *of, size_t time, int c, double *out)
{
  return wn_field_file_read(of, time, c, out);
}

static void close_file(void *of)
{
  wn_field_file_close(of);
}

static int from_file(const struct wn_config *c, struct wn_nodal_source *out)
{
  const struct wn_cfg_plasma *p = &c->plasma;
  struct wn_field_file_grid grid = {.dim = p->dim};
  struct wn_field_file *file = NULL;
  for (int d = 0; d < p->dim; d++) {
    grid.nodes[d] = p->cells[d] + 1;
    grid.length[d] = p->length[d];
    grid.is_periodic[d] = p->wall[2 * d].field == WN_PERIODIC;
  }
  WN_TRY(wn_field_file_open(p->nodes.path, &grid, &file));
  *out = (struct wn_nodal_source){
      .of = file, .is_linear = p->nodes.between, .read = read, .free = close_file};
  out->n_times = wn_field_file_times(file, &out->times);
  return WN_OK;
}

int wn_nodal_source(const struct wn_config *c, struct wn_nodal_source *out)
{
  if (c->plasma.nodes.path != NULL)
    return from_file(c, out);
  struct wn_nodal_parameters *by = wn_alloc(1, sizeof *by);
  if (by == NULL)
    return WN_ENOMEM;
  *by = wn_plasma_nodal_parameters(c);
  *out = wn_nodal_source_of(by);
  out->free = free;
  return WN_OK;
}
