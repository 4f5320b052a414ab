/* src/io/field_file.h - E and B at the nodes of a grid, from a netCDF file: variables
 * electric_field_x, _y, _z with units "V m-1" or "V/m" and magnetic_field_x, _y, _z with units "T", of any
 * numeric type and the same dimensions: (z, y, x) of the nodes, as many as the grid has axes, or (time, z,
 * y, x).  The dimension of times has a variable of its own name, in s, rising.  If there are variables of
 * one dimension with the names x, y, z they are the coordinates of the nodes in m, and are compared.
 * Other variables are ignored. */
#ifndef WN_SRC_IO_FIELD_FILE_H
#define WN_SRC_IO_FIELD_FILE_H
#include <stddef.h>

#define WN_FIELD_FILE_VALUES 6 /* Ex Ey Ez Bx By Bz */

/* The grid that a file must have. */
struct wn_field_file_grid {
  int dim;
  size_t nodes[3];    /* along each axis, both ends included */
  double length[3];   /* m */
  int is_periodic[3]; /* both ends have the same values */
};

struct wn_field_file;

/* WN_EINPUT with path, variable, and what is expected and found; WN_ENOMEM. */
int wn_field_file_open(const char *path, const struct wn_field_file_grid *grid,
                       struct wn_field_file **out);
/* Their number, and the times [s]; 0, NULL: the file has no times. */
size_t wn_field_file_times(const struct wn_field_file *f, const double **times);
/* Value c of all nodes at a time, x fastest.  WN_EINPUT: the file cannot be read, a value is not finite, or
 * the two ends of a periodic axis differ. */
int wn_field_file_read(const struct wn_field_file *f, size_t time, int c, double *out);
void wn_field_file_close(struct wn_field_file *f);

#endif
