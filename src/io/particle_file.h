/* src/io/particle_file.h - places and velocities of particles from a netCDF file: variables
 * position(particle, axis) in m and velocity(particle, component) in m/s (gamma v), both
 * numbers of any type; what else is in the file is not looked at. */
#ifndef WN_SRC_IO_PARTICLE_FILE_H
#define WN_SRC_IO_PARTICLE_FILE_H
#include <stddef.h>

struct wn_particle_file {
  size_t n;
  double *x; /* [n][dim], malloc'd */
  double *u; /* [n][velocities], malloc'd */
};

/* dim and velocities: what the file must have.  WN_EINPUT with the path and what is wrong:
 * no such variable, another shape, a number that is not finite; WN_ENOMEM. */
int wn_particle_file_read(const char *path, size_t dim, size_t velocities,
                          struct wn_particle_file *out);
void wn_particle_file_clear(struct wn_particle_file *f);

/* Particles in a file; 0 when it cannot be read, which the other says. */
size_t wn_particle_file_count(const char *path);

#endif
