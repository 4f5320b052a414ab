/* t0401-gpu-arithmetic.c - defends: the arithmetic of physics/ has the same bits on the
 * GPU, compiled by nvcc with -fmad=false, as on the CPU, compiled by the C compiler with
 * -ffp-contract=off: + - * / sqrt, and every function of the physics that is made of
 * them, for 1e6 arguments each.  And the control: the same source compiled with
 * -fmad=true gives other bits, so that this test can fail.  Reference: the CPU. */
#include "t/physics/gpu_arithmetic.h"
#include <stdlib.h>
#include <string.h>
#include "t/tap/gpu.h"
#include "t/tap/tap.h"

static const char *const names[] = {
#define X(symbol, name) name,
    ARITHMETIC_LIST(X)
#undef X
};

typedef int on_gpu(int which, size_t n, double *out);
#ifdef WN_HAVE_CUDA
static on_gpu *const exact = gpu_arithmetic_exact, *const fused = gpu_arithmetic_fused;
#else
static on_gpu *const exact = NULL, *const fused = NULL; /* gpu_or_skip() ends the test */
#endif

/* How many results differ, to the bit; *first: the first argument that has one. */
static size_t count(const double *got, const double *want, size_t n, size_t *first)
{
  size_t differ = 0;
  for (size_t i = n * ARITHMETIC_OUT; i-- > 0;)
    if (memcmp(&got[i], &want[i], sizeof got[i]) != 0) {
      differ++;
      *first = i;
    }
  return differ;
}

int main(void)
{
  gpu_or_skip();
  plan(0);
  const size_t n = gpu_size(1000000, 20000);
  size_t fused_differ = 0, fused_functions = 0;
  double *want = malloc(n * ARITHMETIC_OUT * sizeof *want),
         *got = malloc(n * ARITHMETIC_OUT * sizeof *got);
  if (!ok(want != NULL && got != NULL, "memory for %zu results", n * ARITHMETIC_OUT))
    return done();
  for (int which = 0; which < N_ARITHMETIC; which++) {
    size_t first = 0, bad = 0, fuses;
    for (size_t i = 0; i < n; i++)
      bad += !arithmetic(which, i, &want[i * ARITHMETIC_OUT]);
    is_int((long long)bad, 0, "%s: there is such a function", names[which]);
    for (size_t i = 0; i < n * ARITHMETIC_OUT; i++)
      bad += !isfinite(want[i]);
    is_int((long long)bad, 0, "%s: no result of %zu arguments is not a number",
           names[which], n);
    is_int(exact(which, n, got), 0, "%s: status of the GPU", names[which]);
    if (!is_int((long long)count(got, want, n, &first), 0,
                "%s: %zu arguments, how many results differ from the CPU", names[which],
                n))
      diag("result %zu of argument %zu: got %a, want %a", first % ARITHMETIC_OUT,
           first / ARITHMETIC_OUT, got[first], want[first]);
    is_int(fused(which, n, got), 0, "%s: status of the GPU, fused", names[which]);
    fuses = count(got, want, n, &first);
    diag("%s: fused, %zu results differ", names[which], fuses);
    fused_differ += fuses;
    fused_functions += fuses > 0;
    if (which == ARITHMETIC_CHAIN)
      ok(fuses > n / 10, "the control: fused, a * b + c differs in %zu results", fuses);
  }
  /* the others are exact, or wn_fma leaves nothing in them to fuse */
  ok(fused_functions > N_ARITHMETIC / 3,
     "the control: fused, %zu of %d functions differ, in %zu results", fused_functions,
     N_ARITHMETIC, fused_differ);
  free(want);
  free(got);
  return done();
}
