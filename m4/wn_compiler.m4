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

dnl WN_CHECK_SHARED: whether libwilson.so is made, HAVE_SHARED and wn_have_shared.  Then PIC_CFLAGS are for all that is compiled: one
dnl set of objects is for the program and the library.  Names are hidden, so that calls and data cost what those of a program do (doc/library.md).
AC_DEFUN([WN_CHECK_SHARED],
[AC_ARG_ENABLE([shared],
  [AS_HELP_STRING([--disable-shared], [no shared library: no libwilson.so, no wilson.Run in Python])],
  [], [enable_shared=yes])
PIC_CFLAGS=
wn_have_shared=yes
AS_CASE([x$enable_shared/$enable_sanitizers],
  [xno/*], [wn_have_shared="no (--disable-shared)"],
  [*/yes], [wn_have_shared="no (--enable-sanitizers)"],
  [PIC_CFLAGS="-fPIC -fvisibility=hidden"
   AC_MSG_CHECKING([whether shared libraries link])
   wn_save_CFLAGS=$CFLAGS
   wn_save_LDFLAGS=$LDFLAGS
   CFLAGS="$CFLAGS $PIC_CFLAGS"
   LDFLAGS="$LDFLAGS -shared -Wl,-z,defs -Wl,-soname,conftest.so.1 -Wl,--version-script=$srcdir/src/library/libwilson.map"
   AC_LINK_IFELSE([AC_LANG_SOURCE([[#include <stdio.h>
     static _Thread_local FILE *to;
     int wilson_try(void);
     int wilson_try(void) { return to != stderr; }]])], [],
     [PIC_CFLAGS=
      wn_have_shared="no (see config.log)"])
   CFLAGS=$wn_save_CFLAGS
   LDFLAGS=$wn_save_LDFLAGS
   AC_MSG_RESULT([$wn_have_shared])])
AC_SUBST([PIC_CFLAGS])
AM_CONDITIONAL([HAVE_SHARED], [test "x$wn_have_shared" = xyes])
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
