/* device/charge_deposit.cu - the charge of electrons and ions in a grid on the padded nodes of
 * that grid, and the charge that a scheduler left in their store: device.cuh. */
#include "device/charge_deposit.cuh"
#include "device/tiles.cuh"

template <int dim>
static void launch(struct wn_gpu *g, const struct wn_points *m,
                   const struct wn_electron *e, size_t n, unsigned long long *quanta,
                   unsigned long long *misfits)
{
  const unsigned int blocks = wn_gpu_stride_blocks(g, n);
  if (m->grid.shape == WN_SHAPE_NGP)
    wn_gpu_charge_kernel<dim, WN_SHAPE_NGP>
        <<<blocks, WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(*m, e, n, quanta, misfits);
  else if (m->grid.shape == WN_SHAPE_CIC)
    wn_gpu_charge_kernel<dim, WN_SHAPE_CIC>
        <<<blocks, WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(*m, e, n, quanta, misfits);
  else
    wn_gpu_charge_kernel<dim, WN_SHAPE_TSC>
        <<<blocks, WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(*m, e, n, quanta, misfits);
}

int wn_gpu_charge_electrons(struct wn_gpu *g, const struct wn_points *m,
                            const struct wn_electron *e, size_t n, int64_t *quanta,
                            uint64_t *misfits)
{
  unsigned long long *to = (unsigned long long *)quanta,
                     *wrong = (unsigned long long *)misfits;
  if (n == 0)
    return WN_OK;
  if (m->grid.is_radial)
    return wn_gpu_charge_radial(g, m, e, n, to, wrong);
  if (m->grid.dim == 1)
    launch<1>(g, m, e, n, to, wrong);
  else if (m->grid.dim == 2)
    launch<2>(g, m, e, n, to, wrong);
  else
    launch<3>(g, m, e, n, to, wrong);
  return wn_gpu_check((int)cudaGetLastError(), "charge of electrons");
}

/* ---- the charge that a scheduler leaves in the store: nodes, then the count of
 * misfits */

void wn_gpu_charge_free(struct wn_gpu_store *t)
{
  if (t->charge_addresses.gpu != NULL)
    wn_gpu_addresses_free(&t->charge_addresses);
  else
    wn_gpu_release(t->gpu, t->charge, t->charge_nodes * sizeof *t->charge);
  t->charge = NULL;
  t->charge_nodes = 0;
  t->charge_is_zero = 0;
}

/* The part of the field, with what may lie behind the nodes. */
static struct wn_gpu_part part_of(const struct wn_gpu_store *t, size_t n)
{
  struct wn_gpu_part part = t->charge_part;
  if (part.n > 0) {
    part.from[part.n] = n - 1;
    part.to[part.n++] = n;
  }
  return part;
}

int wn_gpu_charge_fit(struct wn_gpu_store *t, size_t n)
{
  static const char what[] = "charge of the particles";
  const struct wn_gpu_part part = part_of(t, n);
  if (n != t->charge_nodes) {
    wn_gpu_charge_free(t);
    if (part.n > 0) {
      WN_TRY(wn_gpu_addresses_part(t->gpu, what, 1, n, sizeof *t->charge, &part,
                                   &t->charge_addresses));
      t->charge = (int64_t *)t->charge_addresses.base;
    } else {
      WN_TRY(wn_gpu_array(t->gpu, what, n, &t->charge));
    }
    t->charge_nodes = n;
  }
  const int is_zero = t->charge_is_zero;
  t->charge_is_zero = 0; /* the caller adds */
  if (is_zero)
    return WN_OK;
  return wn_gpu_part_zero(t->gpu, what, t->charge, n, sizeof *t->charge, &part);
}

int wn_gpu_charge_begin(struct wn_gpu_store *t, const struct wn_points *m)
{
  t->charge_dt = 0.0;
  t->charge_points = *m;
  return wn_gpu_charge_fit(t, (size_t)wn_grid_nodes(&m->grid) + 1);
}

/* Reads and writes 8 bytes a node.  Limit: memory. */
static __global__ void take_kernel(const int64_t *charge, size_t from, size_t to,
                                   size_t nodes, int64_t *quanta,
                                   unsigned long long *misfits)
{
  for (size_t i = from + blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < to;
       i += (size_t)gridDim.x * blockDim.x)
    if (i < nodes)
      quanta[i] += charge[i];
    else if (charge[i] != 0)
      atomicAdd(misfits, (unsigned long long)charge[i]);
}

/* Reads 8 and writes 16 bytes a node, 8 where there is no charge.  Limit: memory. */
static __global__ void move_kernel(int64_t *charge, size_t n, size_t nodes,
                                   int64_t *quanta, unsigned long long *misfits)
{
  wn_gpu_after_others();
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x)
    wn_gpu_charge_move_node(charge, i, nodes, quanta, misfits);
}

/* Whether the stored charge is that of a step of m->dt; n: words of it. */
static int is_left(struct wn_gpu_store *t, const struct wn_points *m, size_t *nodes,
                   size_t *n)
{
  *nodes = (size_t)wn_grid_nodes(&m->grid);
  *n = *nodes + !t->record.no_t_left; /* the count of misfits behind them */
  t->wanted_dt = m->dt;
  return m->dt > 0.0 && t->charge_dt == m->dt && t->charge_nodes == *n;
}

int wn_gpu_charge_move(struct wn_gpu_store *t, const struct wn_points *m, int64_t *quanta,
                       uint64_t *misfits, int *is_known)
{
  size_t nodes, n;
  *is_known = is_left(t, m, &nodes, &n) && t->charge_part.n == 0;
  if (!*is_known)
    return WN_OK;
  t->charge_dt = 0.0;
  t->charge_is_zero = 1;
  return wn_gpu_launch_early(t->gpu, "charge of the particles", move_kernel,
                             wn_gpu_stride_blocks(t->gpu, n), WN_GPU_STRIDE_BLOCK, 0,
                             t->charge, n, nodes, quanta, (unsigned long long *)misfits);
}

int64_t *wn_gpu_charge_lend(struct wn_gpu_store *t, const struct wn_points *m,
                            uint32_t *n)
{
  size_t nodes, words;
  if (!is_left(t, m, &nodes, &words) || t->charge_part.n > 0)
    return NULL;
  t->charge_dt = 0.0;
  *n = (uint32_t)words;
  return t->charge;
}

void wn_gpu_charge_moved(struct wn_gpu_store *t)
{
  t->charge_is_zero = 1;
}

int wn_gpu_charge_take(struct wn_gpu_store *t, const struct wn_points *m, int64_t *quanta,
                       uint64_t *misfits, int *is_known)
{
  size_t nodes, n;
  *is_known = is_left(t, m, &nodes, &n);
  if (!*is_known)
    return WN_OK;
  const struct wn_gpu_part part = part_of(t, n);
  return wn_gpu_part_each(&part, n, [&](size_t from, size_t to) {
    take_kernel<<<wn_gpu_stride_blocks(t->gpu, to - from), WN_GPU_STRIDE_BLOCK, 0,
                  t->gpu->stream>>>(t->charge, from, to, nodes, quanta,
                                    (unsigned long long *)misfits);
    return wn_gpu_check((int)cudaGetLastError(), "charge of the particles");
  });
}

int wn_gpu_charge_join(struct wn_gpu_store *t, size_t first, size_t n)
{
  if (t->charge_dt == 0.0 || t->record.no_t_left)
    return WN_OK;
  return wn_gpu_charge_electrons(
      t->gpu, &t->charge_points, (const struct wn_electron *)wn_gpu_records(t) + first, n,
      t->charge, (uint64_t *)t->charge + (t->charge_nodes - 1));
}
