dnl m4/wn_libconfig.m4 - WN_CHECK_LIBCONFIG: the reader of scenario files, by pkg-config.
dnl LIBCONFIG_CFLAGS and LIBCONFIG_LIBS given by the user are taken as they are.
AC_DEFUN([WN_CHECK_LIBCONFIG],
[PKG_CHECK_MODULES([LIBCONFIG], [libconfig >= 1.5], [], [WN_NO_LIBCONFIG])
wn_save_CPPFLAGS=$CPPFLAGS
wn_save_LIBS=$LIBS
CPPFLAGS="$CPPFLAGS $LIBCONFIG_CFLAGS"
LIBS="$LIBCONFIG_LIBS $LIBS"
AC_CACHE_CHECK([whether libconfig can be used], [wn_cv_libconfig],
  [AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <libconfig.h>]],
    [[config_t c; config_init(&c);]])],
    [wn_cv_libconfig=yes], [wn_cv_libconfig=no])])
AS_IF([test "x$wn_cv_libconfig" != xyes], [WN_NO_LIBCONFIG])
AC_COMPUTE_INT([wn_libconfig_major], [LIBCONFIG_VER_MAJOR], [#include <libconfig.h>], [wn_libconfig_major=0])
AC_COMPUTE_INT([wn_libconfig_minor], [LIBCONFIG_VER_MINOR], [#include <libconfig.h>], [wn_libconfig_minor=0])
CPPFLAGS=$wn_save_CPPFLAGS
LIBS=$wn_save_LIBS
wn_libconfig_version=$wn_libconfig_major.$wn_libconfig_minor
AC_SUBST([wn_libconfig_version])
])

AC_DEFUN([WN_NO_LIBCONFIG],
[AC_MSG_ERROR([libconfig 1.5 or later with its headers was not found (tried pkg-config);
on Debian or Ubuntu: apt-get install libconfig-dev pkg-config
elsewhere set LIBCONFIG_CFLAGS and LIBCONFIG_LIBS, or PKG_CONFIG_PATH])])
