dnl m4/wn_mpi.m4 - WN_CHECK_MPI: the message passing of runs on several processes, by pkg-config or else mpicc.
dnl Sets MPI_CFLAGS and MPI_LIBS (given by the user they are taken as they are), the condition HAVE_MPI, and wn_have_mpi for
dnl the summary.  Asked for and not usable is an error; not found is none, and the build goes on without.
AC_DEFUN([WN_CHECK_MPI],
[AC_ARG_WITH([mpi],
  [AS_HELP_STRING([--with-mpi],
    [runs on several processes under mpirun (default: if pkg-config or mpicc knows an MPI that works)])],
  [], [with_mpi=auto])
AC_ARG_VAR([MPICC], [MPI compiler command, asked for its flags])
AC_ARG_VAR([MPI_CFLAGS], [C compiler flags for MPI])
AC_ARG_VAR([MPI_LIBS], [linker flags for MPI])
wn_have_mpi=no
AS_IF([test "x$with_mpi" = xno], [wn_have_mpi="no (--without-mpi)"],
  [WN_MPI_FIND
   WN_MPI_TRY])
AM_CONDITIONAL([HAVE_MPI], [test "x$wn_have_mpi" = xyes])
AS_IF([test "x$wn_have_mpi" = xyes], [wn_have_mpi="yes ($wn_mpi_from)"], [MPI_CFLAGS= MPI_LIBS=])
])

dnl Open MPI's wrapper says its flags with --showme, that of MPICH and its kin with -compile_info and -link_info, which begin with
dnl the compiler's name.
AC_DEFUN([WN_MPI_FIND],
[AC_REQUIRE([PKG_PROG_PKG_CONFIG])
AC_MSG_CHECKING([for MPI])
wn_mpi_from=
AS_IF([test -n "$MPI_LIBS"], [wn_mpi_from=MPI_LIBS])
AS_IF([test -z "$wn_mpi_from" && test -z "$MPICC" && test -n "$PKG_CONFIG"],
  [for wn_mpi in ompi-c mpich; do
    AS_IF([test -z "$wn_mpi_from" && $PKG_CONFIG --exists $wn_mpi],
      [MPI_CFLAGS=`$PKG_CONFIG --cflags $wn_mpi`
       MPI_LIBS=`$PKG_CONFIG --libs $wn_mpi`
       wn_mpi_from="$wn_mpi `$PKG_CONFIG --modversion $wn_mpi`"])
  done])
AS_IF([test -z "$wn_mpi_from"],
  [: ${MPICC=mpicc}
   AS_IF([MPI_LIBS=`$MPICC --showme:link 2>/dev/null`],
     [MPI_CFLAGS=`$MPICC --showme:compile`
      wn_mpi_from=$MPICC],
     [MPI_LIBS=`$MPICC -link_info 2>/dev/null`],
     [MPI_LIBS=`AS_ECHO(["$MPI_LIBS"]) | $SED 's/^@<:@^ @:>@* *//'`
      MPI_CFLAGS=`$MPICC -compile_info | $SED 's/^@<:@^ @:>@* *//'`
      wn_mpi_from=$MPICC],
     [MPI_LIBS=])])
AC_MSG_RESULT([${wn_mpi_from:-no}])
])

AC_DEFUN([WN_MPI_TRY],
[AS_IF([test -z "$wn_mpi_from"], [WN_MPI_FAIL([neither pkg-config nor mpicc knows one])],
  [wn_save_CPPFLAGS=$CPPFLAGS
   wn_save_LIBS=$LIBS
   CPPFLAGS="$CPPFLAGS $MPI_CFLAGS"
   LIBS="$MPI_LIBS $LIBS"
   AC_CACHE_CHECK([whether it can be used], [wn_cv_mpi],
     [AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>
#if MPI_VERSION < 3
#error MPI 3 is needed
#endif]],
       [[int n; MPI_Comm_size(MPI_COMM_WORLD, &n);]])],
       [wn_cv_mpi=yes], [wn_cv_mpi=no])])
   CPPFLAGS=$wn_save_CPPFLAGS
   LIBS=$wn_save_LIBS
   AS_IF([test "x$wn_cv_mpi" = xyes], [wn_have_mpi=yes],
     [WN_MPI_FAIL([a program with $wn_mpi_from does not link, or it is older than MPI 3])])])
])

dnl WN_MPI_FAIL(WHY)
AC_DEFUN([WN_MPI_FAIL],
[AS_IF([test "x$with_mpi" != xauto],
  [AC_MSG_ERROR([--with-mpi: $1;
on Debian or Ubuntu: apt-get install libopenmpi-dev openmpi-bin; elsewhere give MPICC, or MPI_CFLAGS and MPI_LIBS])])
wn_have_mpi="no ($1)"])
