/* src/io/particle_file.h - positions and velocities of particles from a netCDF file:
 * variables position(particle, axis) in m, velocity(particle, component) in m/s (gamma
 * v) and, if there is one, weight(particle), all of any numeric type; other variables are
 * ignored. */
#ifndef WN_SRC_IO_PARTICLE_FILE_H
#define WN_SRC_IO_PARTICLE_FILE_H
#include <stddef.h>

struct wn_particle_file {
  size_t n;
  double *x; /* [n][dim], malloc'd */
  double *u; /* [n][velocities], malloc'd */
  double *
      w; /* [n], malloc'd: particles that one stands for, in units of the species' own; NULL: 1 */
};

/* dim and velocities: required lengths of the second dimension.  WN_EINPUT with path and
 * cause: no such variable, another shape, a number that is not finite; WN_ENOMEM. */
int wn_particle_file_read(const char *path, size_t dim, size_t velocities,
                          struct wn_particle_file *out);
void wn_particle_file_clear(struct wn_particle_file *f);

/* Particles in a file; 0 if it cannot be read, which wn_particle_file_read reports. */
size_t wn_particle_file_count(const char *path);

#endif
