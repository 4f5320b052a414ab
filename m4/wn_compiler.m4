dnl m4/wn_compiler.m4 - what is asked of the C compiler.

dnl WN_C_COMPILER: C11, and gcc or clang, because the flags that keep the arithmetic IEEE are theirs.
AC_DEFUN([WN_C_COMPILER],
[AC_CACHE_CHECK([whether $CC is gcc or clang and takes C11], [wn_cv_c11],
  [AC_COMPILE_IFELSE([AC_LANG_SOURCE([[
#if !defined __GNUC__ || __STDC_VERSION__ < 201112L
#error this compiler will not do
#endif
_Static_assert(sizeof(long) == 8, "64-bit only");
]])], [wn_cv_c11=yes], [wn_cv_c11=no])])
AS_IF([test "x$wn_cv_c11" != xyes],
  [AC_MSG_ERROR([a C11 compiler for a 64-bit machine is needed, gcc or clang;
on Debian or Ubuntu: apt-get install gcc libc6-dev])])

dnl With x87 registers double arithmetic is not IEEE double arithmetic, and runs could not be compared.
AC_CACHE_CHECK([whether double arithmetic is done in double], [wn_cv_flt_eval],
  [AC_COMPILE_IFELSE([AC_LANG_SOURCE([[
#include <float.h>
_Static_assert(FLT_EVAL_METHOD == 0, "excess precision");
]])], [wn_cv_flt_eval=yes], [wn_cv_flt_eval=no])])
AS_IF([test "x$wn_cv_flt_eval" != xyes],
  [AC_MSG_ERROR([this compiler computes with excess precision (FLT_EVAL_METHOD is not 0);
on x86 give CFLAGS="-O3 -g -msse2 -mfpmath=sse"])])
])

dnl WN_CHECK_OPENMP: sets OPENMP_CFLAGS, HAVE_OPENMP and wn_have_openmp; without it the openmp scheduler is left out.
AC_DEFUN([WN_CHECK_OPENMP],
[AC_OPENMP
wn_have_openmp=no
AS_CASE([x$enable_openmp/$ac_cv_prog_c_openmp],
  [xno/*], [wn_have_openmp="no (--disable-openmp)"],
  [*/unsupported|*/], [wn_have_openmp="no (clang needs the package libomp-dev)"],
  [wn_have_openmp=yes])
AS_IF([test "x$wn_have_openmp" = xyes],
  [AC_DEFINE([HAVE_OPENMP], [1], [The openmp scheduler is built.])])
AM_CONDITIONAL([HAVE_OPENMP], [test "x$wn_have_openmp" = xyes])
])

dnl WN_CHECK_SANITIZERS: adds the flags to WN_CFLAGS, or stops when a program cannot be linked with them.
AC_DEFUN([WN_CHECK_SANITIZERS],
[wn_sanitize="-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer"
AC_MSG_CHECKING([whether programs link with $wn_sanitize])
wn_save_CFLAGS=$CFLAGS
CFLAGS="$CFLAGS $wn_sanitize"
AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])],
  [AC_MSG_RESULT([yes])
   WN_CFLAGS="$WN_CFLAGS $wn_sanitize"],
  [AC_MSG_RESULT([no])
   AC_MSG_ERROR([--enable-sanitizers: the libraries of the sanitizers are missing;
on Debian or Ubuntu they come with gcc, and for clang with libclang-rt-dev])])
CFLAGS=$wn_save_CFLAGS
])
