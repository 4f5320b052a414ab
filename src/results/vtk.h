/* src/results/vtk.h - maps of a result file as files of VTK: image data for ParaView, or charge densities in the
 * legacy format of older codes.  vtk.c reads the maps, vtk_write.c writes them.
 *
 * Maps are the variables over a dimension of times (map_time, moment_time) and all axes of the grid.  The nodes
 * of each axis must be equally spaced.  Units are those of the result file, m along the axes. */
#ifndef WN_SRC_RESULTS_VTK_H
#define WN_SRC_RESULTS_VTK_H
#include <stddef.h>
#include <stdio.h>

#define WN_VTK_COMPONENTS 6

/* A scalar, a vector of three or a symmetric tensor of six components, in the order of ParaView: xx yy
 * zz xy yz xz.  NULL: a component that the file does not have, and that is 0. */
struct wn_vtk_array {
  char *name;
  int components; /* 1, 3, 6 */
  char *variable[WN_VTK_COMPONENTS];
};

struct wn_vtk {
  struct wn_result_file *file;
  char *path;
  int dim;
  size_t points[3]; /* nodes along x, y, z; 1 beyond dim */
  double origin[3], spacing[3];
  size_t n; /* nodes of a map */
  size_t n_records;
  double *time; /* s; NaN: a record that the run did not reach */
  size_t n_arrays;
  struct wn_vtk_array *array;
};

/* The maps over `times`, of a file of model plasma.  *out is NULL if the file has none over these times.
 * WN_EINPUT: no result file, or axes that are not those of a map; WN_ENOMEM. */
int wn_vtk_open(const char *path, const char *times, struct wn_vtk **out);
void wn_vtk_close(struct wn_vtk *v); /* v may be NULL */

/* A record as XML image data (.vti) with all arrays, in 64-bit floats, appended in raw binary. */
int wn_vtk_write_image(const struct wn_vtk *v, size_t record, FILE *to);

/* The list of the n_names files of such records (.pvd), relative to itself, with their times. */
int wn_vtk_write_list(size_t n, const double *time, const char *const *name, FILE *to);

/* ---- charge densities in the legacy format */

/* Which species are summed up: names with commas between them; NULL: all whose charge is below 0 (e), or
 * above (i). */
struct wn_vtk_legacy {
  const char *rho_e, *rho_i;
  double scale; /* factor of the values */
};

enum { WN_VTK_RHO_NET, WN_VTK_RHO_E, WN_VTK_RHO_I, WN_VTK_RHOS };
extern const char *const wn_vtk_rho_name[WN_VTK_RHOS]; /* "rho_net" ... */

/* [nodes] of a record: C m-3 times scale.  WN_EINPUT: no such species, or no ten moments in the file. */
int wn_vtk_rho(const struct wn_vtk *v, const struct wn_vtk_legacy *what, int rho,
               size_t record, double *out);

/* These as ASCII, structured points with one scalar.  As in those codes the last node of each axis is not
 * written, which is the first again where the axis is periodic. */
int wn_vtk_write_legacy(const struct wn_vtk *v, const char *name, const double *value,
                        FILE *to);

#endif
