/* fields/electrostatic_gpu_ranks.cu - the charge of all ranks (base/ranks.h) in each one's GPU.
 *
 * On one host each lays its quanta open to the others, in memory of its GPU that theirs reach, or else in
 * memory of the host that all see, and adds what they have laid open; no processor touches it.  Between
 * hosts, or where some rank has no GPU, it goes by messages of the host. */
#include "device/exchange.h"
#include "fields/electrostatic_gpu.cuh"
#include <stdlib.h>
#include "base/alloc.h"
#include "base/ranks.h"

static int by_memory(struct wn_electrostatic_gpu *f)
{
  struct wn_gpu *g = f->gpu;
  const size_t n = f->n_species * f->n_padded;
  wn_ranks_wait(); /* all have read what was there before: they waited for their GPUs since */
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(f->part[wn_rank()], f->quanta,
                                           n * sizeof *f->quanta, cudaMemcpyDefault,
                                           g->stream),
                      "laying charge open"));
  WN_TRY(wn_gpu_wait(g, "laying charge open"));
  wn_ranks_wait();
  for (int r = 0; r < wn_ranks(); r++)
    if (r != wn_rank())
      WN_TRY(wn_halo_gpu_add(g, f->quanta, (const int64_t *)f->part[r], n));
  return wn_gpu_wait(g, "adding the charge of other processes");
}

static int by_messages(struct wn_electrostatic_gpu *f)
{
  const size_t bytes = f->n_padded * sizeof *f->quanta;
  if (f->passing_quanta == NULL)
    f->passing_quanta = (int64_t *)wn_alloc(f->n_padded, sizeof *f->passing_quanta);
  if (f->passing_quanta == NULL)
    return WN_ENOMEM;
  for (size_t k = 0; k < f->n_species; k++) {
    int64_t *there = f->quanta + k * f->n_padded;
    WN_TRY(wn_electrostatic_gpu_fetch(f, there, f->passing_quanta, bytes));
    wn_ranks_sum_i64(f->passing_quanta, f->n_padded);
    WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(there, f->passing_quanta, bytes,
                                             cudaMemcpyHostToDevice, f->gpu->stream),
                        "copying charge to the device"));
    WN_TRY(wn_gpu_wait(f->gpu, "copying charge to the device"));
  }
  return WN_OK;
}

int wn_electrostatic_gpu_bring_together(struct wn_electrostatic_gpu *f, int all_have)
{
  WN_TRY(wn_gpu_use(f->gpu));
  if (!f->looked)
    f->part = wn_gpu_lay_open(f->n_species * f->n_padded * sizeof *f->quanta, !all_have);
  f->looked = 1;
  return f->part != NULL ? by_memory(f) : by_messages(f);
}
