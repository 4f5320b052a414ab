dnl m4/wn_fftw.m4 - WN_CHECK_FFTW: the Fourier transforms of Poisson's equation, FFTW 3 in double precision, by pkg-config.
dnl FFTW_CFLAGS and FFTW_LIBS given by the user are taken as they are.
AC_DEFUN([WN_CHECK_FFTW],
[PKG_CHECK_MODULES([FFTW], [fftw3 >= 3.3], [], [WN_NO_FFTW])
wn_save_CPPFLAGS=$CPPFLAGS
wn_save_LIBS=$LIBS
CPPFLAGS="$CPPFLAGS $FFTW_CFLAGS"
LIBS="$FFTW_LIBS $LIBS"
AC_CACHE_CHECK([whether FFTW can be used], [wn_cv_fftw],
  [AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <fftw3.h>]],
    [[double a[4] = {0}; fftw_execute(fftw_plan_r2r_1d(4, a, a, FFTW_R2HC, FFTW_ESTIMATE));]])],
    [wn_cv_fftw=yes], [wn_cv_fftw=no])])
AS_IF([test "x$wn_cv_fftw" != xyes], [WN_NO_FFTW])
CPPFLAGS=$wn_save_CPPFLAGS
LIBS=$wn_save_LIBS
wn_fftw_version=`$PKG_CONFIG --modversion fftw3 2>/dev/null || echo found`
])

AC_DEFUN([WN_NO_FFTW],
[AC_MSG_ERROR([FFTW 3.3 or later, in double precision and with its headers, was not found (tried pkg-config);
on Debian or Ubuntu: apt-get install libfftw3-dev pkg-config
elsewhere set FFTW_CFLAGS and FFTW_LIBS, or PKG_CONFIG_PATH])])
