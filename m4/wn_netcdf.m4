dnl m4/wn_netcdf.m4 - WN_CHECK_NETCDF: netCDF-C with netCDF-4 files, by pkg-config and then by nc-config.
dnl NETCDF_CFLAGS and NETCDF_LIBS given by the user are taken as they are.
AC_DEFUN([WN_CHECK_NETCDF],
[PKG_CHECK_MODULES([NETCDF], [netcdf], [],
  [AC_PATH_PROG([NC_CONFIG], [nc-config])
   AS_IF([test -n "$NC_CONFIG"],
     [NETCDF_CFLAGS=`$NC_CONFIG --cflags`
      NETCDF_LIBS=`$NC_CONFIG --libs`],
     [WN_NO_NETCDF])])
wn_save_CPPFLAGS=$CPPFLAGS
wn_save_LIBS=$LIBS
CPPFLAGS="$CPPFLAGS $NETCDF_CFLAGS"
LIBS="$NETCDF_LIBS $LIBS"
AC_CACHE_CHECK([whether netCDF-4 files can be written], [wn_cv_netcdf4],
  [AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <netcdf.h>]],
    [[int id; return nc_create("x", NC_NETCDF4, &id) || nc_def_var_deflate(id, 0, 1, 1, 1);]])],
    [wn_cv_netcdf4=yes], [wn_cv_netcdf4=no])])
AS_IF([test "x$wn_cv_netcdf4" != xyes], [WN_NO_NETCDF])
CPPFLAGS=$wn_save_CPPFLAGS
LIBS=$wn_save_LIBS
wn_netcdf_version=`$PKG_CONFIG --modversion netcdf 2>/dev/null || nc-config --version 2>/dev/null || echo found`
])

AC_DEFUN([WN_NO_NETCDF],
[AC_MSG_ERROR([netCDF-C 4 with its headers was not found (tried pkg-config and nc-config);
on Debian or Ubuntu: apt-get install libnetcdf-dev pkg-config
elsewhere set NETCDF_CFLAGS and NETCDF_LIBS, or PKG_CONFIG_PATH])])
