dnl m4/wn_random123.m4 - WN_CHECK_RANDOM123: the counter-based random numbers, headers only.
AC_DEFUN([WN_CHECK_RANDOM123],
[AC_CACHE_CHECK([for Random123/philox.h], [wn_cv_random123],
  [AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <Random123/philox.h>]],
    [[philox4x32_ctr_t c = {{0}}; philox4x32_key_t k = {{0}}; return (int)philox4x32(c, k).v[0];]])],
    [wn_cv_random123=yes], [wn_cv_random123=no])])
AS_IF([test "x$wn_cv_random123" != xyes],
  [AC_MSG_ERROR([the header Random123/philox.h was not found;
on Debian or Ubuntu: apt-get install librandom123-dev
elsewhere give its folder: CPPFLAGS=-IDIR/include])])
])
