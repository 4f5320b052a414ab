dnl m4/wn_cuda.m4 - WN_CHECK_CUDA: nvcc, for which graphics processors, and whether programs compile and link with it.
dnl Sets NVCC, NVCCFLAGS (the user's, else -O3), NVCC_BASE (what the same bits need, and the processors), CUDA_LIBS,
dnl the condition HAVE_CUDA and wn_have_cuda for the summary.  Asked for and not usable is an error; found by itself and
dnl not usable is a warning, and the build goes on without.
AC_DEFUN([WN_CHECK_CUDA],
[AC_ARG_WITH([cuda],
  [AS_HELP_STRING([--with-cuda@<:@=DIR@:>@],
    [build the schedulers for graphics processors with the CUDA toolkit in DIR
     (default: if nvcc is in PATH, $CUDA_HOME, $CUDA_PATH or /usr/local/cuda, and works)])],
  [], [with_cuda=auto])
AC_ARG_WITH([cuda-arch],
  [AS_HELP_STRING([--with-cuda-arch=LIST],
    [graphics processors to compile for, as in "80 90" or sm_80,sm_90
     (default: those nvidia-smi finds here, else 90)])],
  [], [with_cuda_arch=])
AC_ARG_VAR([NVCC], [CUDA compiler command])
AC_ARG_VAR([NVCCFLAGS], [CUDA compiler flags])
: ${NVCCFLAGS="-O3"}
NVCC_BASE=
CUDA_LIBS=
wn_have_cuda=no
AS_IF([test "x$with_cuda" = xno], [wn_have_cuda="no (--without-cuda)"],
  [WN_CUDA_FIND
   AS_IF([test -n "$NVCC"], [WN_CUDA_ARCH
     WN_CUDA_TRY],
     [WN_CUDA_FAIL([nvcc was not found in $wn_cuda_searched])])])
AM_CONDITIONAL([HAVE_CUDA], [test "x$wn_have_cuda" = xyes])
AS_IF([test "x$wn_have_cuda" = xyes],
  [wn_have_cuda="$wn_cuda_version for $wn_cuda_arch_names ($NVCC)"],
  [NVCC= NVCC_BASE= CUDA_LIBS=])
AC_SUBST([NVCC_BASE])
AC_SUBST([CUDA_LIBS])
])

dnl WN_CUDA_FAIL(WHY, [HOW TO MEND IT])
AC_DEFUN([WN_CUDA_FAIL],
[AS_IF([test "x$with_cuda" != xauto],
  [AC_MSG_ERROR([--with-cuda: $1
m4_default([$2], [give the folder of the toolkit, --with-cuda=DIR, or --without-cuda])])],
  [test -n "$NVCC"],
  [AC_MSG_WARN([the build goes on without CUDA: $1
m4_default([$2], [see config.log])])])
wn_have_cuda="no ($1)"])

dnl NVCC, or empty; wn_cuda_searched says where.  wn_cuda_root: the toolkit, asked of nvcc itself (a wrapper may lie elsewhere).
AC_DEFUN([WN_CUDA_FIND],
[AC_MSG_CHECKING([for nvcc])
wn_cuda_searched=
AS_CASE([$with_cuda],
  [auto|yes],
    [AS_IF([test -z "$NVCC"],
      [wn_cuda_searched="PATH, \$CUDA_HOME, \$CUDA_PATH or /usr/local/cuda"
       wn_save_IFS=$IFS
       IFS=$PATH_SEPARATOR
       for wn_dir in $PATH; do
         IFS=$wn_save_IFS
         AS_IF([test -z "$NVCC" && test -f "$wn_dir/nvcc" && test -x "$wn_dir/nvcc"], [NVCC=$wn_dir/nvcc])
       done
       IFS=$wn_save_IFS
       for wn_dir in "$CUDA_HOME" "$CUDA_PATH" /usr/local/cuda; do
         AS_IF([test -z "$NVCC" && test -n "$wn_dir" && test -x "$wn_dir/bin/nvcc"], [NVCC=$wn_dir/bin/nvcc])
       done
       dnl nvcc looks for its parts beside itself, and does not follow a link in PATH.
       AS_CASE([`readlink -f "$NVCC" 2>/dev/null`], [*/nvcc], [NVCC=`readlink -f "$NVCC"`])])],
  [wn_cuda_searched=$with_cuda/bin
   NVCC=
   AS_IF([test -x "$with_cuda/bin/nvcc"], [NVCC=$with_cuda/bin/nvcc])])
AC_MSG_RESULT([${NVCC:-no}])
wn_cuda_root=
AS_IF([test -n "$NVCC"],
  [wn_cuda_root=`$NVCC --dryrun -x cu -c -o conftest.o /dev/null 2>&1 | sed -n 's/^.. TOP=//p' | sed 1q`
   AS_IF([test -d "$wn_cuda_root"], [wn_cuda_root=`cd "$wn_cuda_root" && pwd -P`], [wn_cuda_root=])])
])

dnl NVCC_BASE: machine code for each processor of the list, and portable code of the newest for those still to come.
AC_DEFUN([WN_CUDA_ARCH],
[AC_MSG_CHECKING([which graphics processors to compile for])
wn_cuda_archs=`AS_ECHO(["$with_cuda_arch"]) | sed 's/,/ /g; s/sm_//g; s/compute_//g'`
wn_cuda_arch_from=
AS_IF([test -z "$wn_cuda_archs"],
  [wn_cuda_archs=`(nvidia-smi --query-gpu=compute_cap --format=csv,noheader) 2>/dev/null | sed -n 's/^\([[0-9]]*\)\.\([[0-9]]\)$/\1\2/p'`
   wn_cuda_arch_from=" (found here)"])
AS_IF([test -z "$wn_cuda_archs"], [wn_cuda_archs=90 wn_cuda_arch_from=" (no processor was found here)"])
wn_cuda_archs=`for a in $wn_cuda_archs; do echo "$a"; done | sort -n -u`
NVCC_BASE="-std=c++17 -fmad=false -Xcompiler=-ffp-contract=off"
wn_cuda_arch_names=
wn_cuda_arch_last=
for wn_arch in $wn_cuda_archs; do
  AS_CASE([$wn_arch],
    [[[0-9][0-9]|[0-9][0-9][a-z]|[0-9][0-9][0-9]|[0-9][0-9][0-9][a-z]]], [],
    [AC_MSG_ERROR([--with-cuda-arch: "$wn_arch" is no processor; write numbers such as 80 or sm_90])])
  NVCC_BASE="$NVCC_BASE -gencode arch=compute_$wn_arch,code=sm_$wn_arch"
  wn_cuda_arch_names="$wn_cuda_arch_names sm_$wn_arch"
  wn_cuda_arch_last=$wn_arch
done
NVCC_BASE="$NVCC_BASE -gencode arch=compute_$wn_cuda_arch_last,code=compute_$wn_cuda_arch_last"
wn_cuda_arch_names=`echo $wn_cuda_arch_names`
AC_MSG_RESULT([$wn_cuda_arch_names$wn_cuda_arch_from])
])

dnl A kernel is compiled by nvcc and linked by the C compiler, as Wilson is.  C++17 needs CUDA 11, which is not tried: 12 is
dnl asked for.  DeviceSelect may work in place since CUB 2.6.
AC_DEFUN([WN_CUDA_TRY],
[wn_cuda_version=`$NVCC --version 2>/dev/null | sed -n 's/.*release \([[0-9.]]*\).*/\1/p'`
CUDA_LIBS="-lcudart_static -lstdc++ -ldl -lrt -lpthread"
for wn_dir in "$wn_cuda_root/lib64" "$wn_cuda_root/lib" "$wn_cuda_root"/targets/*/lib; do
  AS_IF([test -f "$wn_dir/libcudart_static.a"],
    [CUDA_LIBS="-L$wn_dir $CUDA_LIBS"
     break])
done
AC_MSG_CHECKING([whether CUDA ${wn_cuda_version:-of unknown version} compiles and links])
cat >conftestcu.cu <<'WN_EOF'
#include <cub/version.cuh>
#if CUDART_VERSION < 12000
#error wn: CUDA is too old
#elif CUB_VERSION < 200600
#error wn: CUB is too old
#endif
__global__ static void twice_kernel(double *x, double y)
{
  x[[threadIdx.x]] = 2.0 * x[[threadIdx.x]] + y;
}
extern "C" int wn_conftest(double *x)
{
  twice_kernel<<<1, 32>>>(x, 1.0);
  return (int)cudaGetLastError();
}
WN_EOF
wn_cuda_log() { AS_ECHO(["$as_me: $][*"]) >&AS_MESSAGE_LOG_FD; "$[]@" >conftestcu.err 2>&1; }
AS_IF([wn_cuda_log $NVCC $NVCC_BASE $CPPFLAGS $NVCCFLAGS -c -o conftestcu.o conftestcu.cu],
  [cat conftestcu.err >&AS_MESSAGE_LOG_FD
   wn_save_LIBS=$LIBS
   LIBS="conftestcu.o $CUDA_LIBS $LIBS"
   AC_LINK_IFELSE([AC_LANG_PROGRAM([[int wn_conftest(double *x);]], [[return wn_conftest(0);]])],
     [AC_MSG_RESULT([yes])
      wn_have_cuda=yes],
     [AC_MSG_RESULT([no])
      WN_CUDA_FAIL([$CC does not link what nvcc compiled], [see config.log: libcudart_static.a or libstdc++ may be missing])])
   LIBS=$wn_save_LIBS],
  [AC_MSG_RESULT([no])
   cat conftestcu.err conftestcu.cu >&AS_MESSAGE_LOG_FD
   AS_IF([grep 'wn: CUDA is too old' conftestcu.err >/dev/null],
     [WN_CUDA_FAIL([CUDA $wn_cuda_version is too old], [12.8 or later is needed])],
     [grep 'wn: CUB is too old' conftestcu.err >/dev/null],
     [WN_CUDA_FAIL([the CUB of CUDA $wn_cuda_version is too old],
       [CUB 2.6 or later is needed: CUDA 12.8 or later brings it, or give the headers of a newer CCCL by CPPFLAGS=-IDIR])],
     [WN_CUDA_FAIL([$NVCC did not compile a kernel],
       [see config.log; perhaps this CUDA does not know $wn_cuda_arch_names (--with-cuda-arch), or not the C++ compiler it
finds (NVCCFLAGS="-O3 -ccbin=g++-12", for example)])])])
rm -f conftestcu.*
])
