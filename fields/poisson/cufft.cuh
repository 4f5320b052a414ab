/* fields/poisson/cufft.cuh - cuFFT, opened when it is first needed.  The library has some hundred
 * megabytes, and a Wilson built with CUDA also starts without it. */
#ifndef WN_FIELDS_CUFFT_CUH
#define WN_FIELDS_CUFFT_CUH
#include <cufft.h>

struct wn_cufft {
  decltype(&cufftCreate) create;
  decltype(&cufftDestroy) destroy;
  decltype(&cufftSetAutoAllocation) set_auto_allocation;
  decltype(&cufftMakePlanMany64) make_plan_many;
  decltype(&cufftSetWorkArea) set_work_area;
  decltype(&cufftSetStream) set_stream;
  decltype(&cufftExecD2Z) exec_d2z;
  decltype(&cufftExecZ2D) exec_z2d;
};

/* WN_ECUDA with the name of the library, and the paths that were searched. */
int wn_cufft_open(const struct wn_cufft **out);
/* WN_OK, or WN_ECUDA (WN_ENOMEM) with what failed, logged once. */
int wn_cufft_check(cufftResult result, const char *what);

#endif
