/* fields/electrostatic_gpu_radial.cu - sums over the nodes and edges of a grid of r-z on a GPU, with their
 * volumes and areas. */
#define WN_RADIAL_KERNELS 1
#include "fields/electrostatic_gpu_node_sums.cuh"

int wn_field_radial_sums(struct wn_electrostatic_gpu *g, const struct wn_electrostatic *f)
{
  return wn_field_launch_sums(g, f);
}

int wn_field_radial_left(struct wn_electrostatic_gpu *g, const struct wn_electrostatic *f,
                         const struct wn_field_unknown *u,
                         const struct wn_field_taken *taken)
{
  return wn_field_launch_left(g, f, u, taken);
}
