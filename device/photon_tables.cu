/* device/photon_tables.cu - the tables of a medium of photons (physics/photons/flight.h) on the device: gpu.h. */
#include "physics/photons/flight.h" /* before any other header of cuRAND */
#include <stdlib.h>
#include "base/alloc.h"
#include "device/device.cuh"

/* Arrays of an element: two of each table, the integral of the form factor, the spectra and two of each. */
#define MOST_SPECTRA 32
#define TABLES       (WN_PHOTON_N_PROCESSES + 5)
#define MOST_COPIES  (WN_PHOTON_ELEMENTS * (2 * TABLES + 2 + 2 * MOST_SPECTRA))

struct wn_gpu_photon_tables {
  struct wn_gpu *gpu;
  struct wn_gpu_copy copy[MOST_COPIES];
  int n;
};

/* A copy of the n values at *pointer, in their place. */
template <class T>
static int hold(struct wn_gpu_photon_tables *t, const T **pointer, int32_t n)
{
  struct wn_gpu_copy *copy = &t->copy[t->n];
  WN_ASSERT(t->n < MOST_COPIES);
  WN_TRY(wn_gpu_copy(t->gpu, *pointer, (size_t)n * sizeof **pointer, copy));
  *pointer = (const T *)copy->at;
  t->n++;
  return WN_OK;
}

static int hold_table(struct wn_gpu_photon_tables *t, struct wn_photon_table *table)
{
  WN_TRY(hold(t, &table->ln_x, table->n));
  return hold(t, &table->y, table->n);
}

static int hold_spectra(struct wn_gpu_photon_tables *t, struct wn_photon_element *a)
{
  struct wn_brems_spectrum there[MOST_SPECTRA];
  if (a->n_spectra > MOST_SPECTRA)
    return WN_FAIL(WN_EINTERN, "%d spectra of bremsstrahlung of an element, at most %d",
                   (int)a->n_spectra, MOST_SPECTRA);
  for (int32_t i = 0; i < a->n_spectra; i++) {
    there[i] = a->spectrum[i];
    WN_TRY(hold(t, &there[i].x, there[i].n));
    WN_TRY(hold(t, &there[i].f, there[i].n));
  }
  a->spectrum = there;
  return hold(t, &a->spectrum, a->n_spectra);
}

static int hold_element(struct wn_gpu_photon_tables *t, struct wn_photon_element *a)
{
  WN_TRY(hold(t, &a->form_integral, a->form_factor.n));
  for (int p = 0; p < WN_PHOTON_N_PROCESSES; p++)
    WN_TRY(hold_table(t, &a->sigma[p]));
  WN_TRY(hold_table(t, &a->k_shell));
  WN_TRY(hold_table(t, &a->form_factor));
  WN_TRY(hold_table(t, &a->scattering_function));
  WN_TRY(hold_table(t, &a->radiative));
  WN_TRY(hold_table(t, &a->tilt));
  return hold_spectra(t, a);
}

int wn_gpu_photon_tables_create(struct wn_gpu *g, const struct wn_photon_medium *m,
                                struct wn_photon_medium *there,
                                struct wn_gpu_photon_tables **out)
{
  struct wn_gpu_photon_tables *t = (struct wn_gpu_photon_tables *)wn_alloc(1, sizeof *t);
  if (t == NULL)
    return WN_ENOMEM;
  t->gpu = g;
  *there = *m;
  int status = WN_OK;
  for (int32_t i = 0; i < m->n && status == WN_OK; i++)
    status = hold_element(t, &there->element[i]);
  if (status != WN_OK) {
    wn_gpu_photon_tables_free(t);
    return status;
  }
  *out = t;
  return WN_OK;
}

void wn_gpu_photon_tables_free(struct wn_gpu_photon_tables *t)
{
  while (t != NULL && t->n > 0)
    wn_gpu_copy_free(t->gpu, &t->copy[--t->n]);
  free(t);
}
