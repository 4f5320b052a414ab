/* fields/poisson/cufft.cu - see cufft.cuh. */
#include "fields/poisson/cufft.cuh"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/error.h"

/* The library has the version of the header. */
#define TEXT_OF(x) #x
#define TEXT(x)    TEXT_OF(x)
#define NAME       "libcufft.so." TEXT(CUFFT_VER_MAJOR)

/* Searched after the paths of the loader, including LD_LIBRARY_PATH. */
static const char *const variables[] = {"CUDA_HOME", "CUDA_PATH"};
#define USUAL "/usr/local/cuda"

static struct wn_cufft entries;
static void *library;

static void *open_in(const char *root)
{
  char path[1024];
  if (root == NULL || root[0] == '\0')
    return NULL;
  const int n = snprintf(path, sizeof path, "%s/lib64/" NAME, root);
  return n < (int)sizeof path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
}

static void *find_library(void)
{
  void *found = dlopen(NAME, RTLD_NOW | RTLD_LOCAL);
  for (size_t i = 0; i < sizeof variables / sizeof variables[0] && found == NULL; i++)
    found = open_in(getenv(variables[i]));
  return found != NULL ? found : open_in(USUAL);
}

template <class F> static int find(void *from, const char *name, F *entry)
{
  *entry = (F)dlsym(from, name);
  return *entry != NULL ? (int)WN_OK : WN_FAIL(WN_ECUDA, NAME " has no %s", name);
}

static int find_entries(void *from, struct wn_cufft *e)
{
  WN_TRY(find(from, "cufftCreate", &e->create));
  WN_TRY(find(from, "cufftDestroy", &e->destroy));
  WN_TRY(find(from, "cufftSetAutoAllocation", &e->set_auto_allocation));
  WN_TRY(find(from, "cufftMakePlanMany64", &e->make_plan_many));
  WN_TRY(find(from, "cufftSetWorkArea", &e->set_work_area));
  WN_TRY(find(from, "cufftSetStream", &e->set_stream));
  WN_TRY(find(from, "cufftExecD2Z", &e->exec_d2z));
  return find(from, "cufftExecZ2D", &e->exec_z2d);
}

int wn_cufft_open(const struct wn_cufft **out)
{
  struct wn_cufft found;
  if (library == NULL) {
    void *opened = find_library();
    if (opened == NULL)
      return WN_FAIL(WN_ECUDA,
                     "a field on a GPU needs " NAME ", which belongs to CUDA and was not "
                     "found by the loader (LD_LIBRARY_PATH, ldconfig), nor in lib64 of "
                     "$CUDA_HOME, $CUDA_PATH or " USUAL);
    WN_TRY(find_entries(opened, &found)); /* on failure it stays open, already reported */
    entries = found;
    library = opened;
  }
  *out = &entries;
  return WN_OK;
}

static const char *text_of(cufftResult result)
{
  switch (result) {
  case CUFFT_INVALID_PLAN:
    return "no such plan";
  case CUFFT_ALLOC_FAILED:
    return "out of memory";
  case CUFFT_INVALID_VALUE:
    return "an invalid value";
  case CUFFT_INTERNAL_ERROR:
    return "an internal error, or the driver's";
  case CUFFT_EXEC_FAILED:
    return "it did not run on the GPU";
  case CUFFT_SETUP_FAILED:
    return "it could not be started";
  case CUFFT_INVALID_SIZE:
    return "an unsupported size";
  default:
    return "its error";
  }
}

int wn_cufft_check(cufftResult result, const char *what)
{
  if (result == CUFFT_SUCCESS)
    return WN_OK;
  return WN_FAIL(result == CUFFT_ALLOC_FAILED ? WN_ENOMEM : WN_ECUDA,
                 "GPU: %s: cuFFT: %s (%d)", what, text_of(result), (int)result);
}
