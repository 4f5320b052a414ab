/* t/tap/midpoint_reference.h - a second program for the implicit mover and its ten moments, in double precision
 * and plain loops: implicit midpoint by fixed-point iteration in E and B that are given at nodes, gathered
 * linearly; ten moments on the nodes.  After the method of iPIC3D (Markidis, Lapenta and Rizwan-uddin,
 * Math. Comput. Simul. 80, 1509, 2010); its results were compared with those of sputniPIC
 * (KTH-HPC/sputniPIC): bench/RESULTS.md.
 *
 * Any units with E + v x B as the force on q: charge over mass of 1 (m/s)/(s V/m). */
#ifndef WN_T_TAP_MIDPOINT_REFERENCE_H
#define WN_T_TAP_MIDPOINT_REFERENCE_H
#include <stddef.h>

struct midpoint_grid {
  int dim, cells[3];         /* axes beyond dim: not read */
  double length[3];          /* cells of constant size */
  int periodic[3];           /* otherwise specular reflection */
  const double *e[3], *b[3]; /* at nodes [z][y][x], cells + 1 along each axis */
};

size_t midpoint_nodes(const struct midpoint_grid *g);

/* n particles from t to t + dt: u in units of velocity. */
void midpoint_advance(const struct midpoint_grid *g, size_t n, double (*x)[3],
                      double (*u)[3], double charge_per_mass, double dt, int iterations);

/* Sums over particles of charge q[i] times 1, u, and u u per volume, into out[10] of all nodes: rho, Jx, Jy,
 * Jz, xx, xy, xz, yy, yz, zz.  A node at a wall has half the volume; both ends of a periodic axis have
 * the same. */
void midpoint_moments(const struct midpoint_grid *g, size_t n, double (*x)[3],
                      double (*u)[3], const double *q, double *out[10]);

#endif
