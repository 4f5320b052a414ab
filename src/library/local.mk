# src/library/ - libwilson: a run that is stepped from outside.  wilson.h is installed; libwilson.a has all that it stands on.
noinst_LIBRARIES += %D%/liboutside.a
%C%_liboutside_a_SOURCES = \
  %D%/library.c \
  %D%/wilson.h
include_HEADERS = %D%/wilson.h

# All objects of the core in one archive: a copy, nothing is compiled again.
wilsonlibdir = $(libdir)
nodist_wilsonlib_DATA = libwilson.a
CLEANFILES += libwilson.a
parts_of_libwilson = $(filter %.a,$(core_libs))
libwilson.a: $(parts_of_libwilson)
	$(AM_V_AR)rm -f $@ && { echo create $@; for a in $(parts_of_libwilson); do test $$a = src/cli/libcli.a || echo addlib $$a; done; \
	  echo save; echo end; } | $(AR) -M && $(RANLIB) $@

pkgconfigdir = $(libdir)/pkgconfig
nodist_pkgconfig_DATA = %D%/wilson.pc
%D%/wilson.pc: Makefile
	$(AM_V_GEN)$(MKDIR_P) $(@D) && { echo 'prefix=$(prefix)'; echo 'libdir=$(libdir)'; echo 'includedir=$(includedir)'; echo; \
	  echo 'Name: wilson'; echo 'Description: electrons in gases, particle-in-cell Monte-Carlo collisions, as a library'; \
	  echo 'Version: $(PACKAGE_VERSION)'; echo 'Cflags: -I$${includedir}'; \
	  echo 'Libs: -L$${libdir} -lwilson $(NETCDF_LIBS) $(LIBCONFIG_LIBS) $(FFTW_LIBS) $(CUDA_LIBS) $(MPI_LIBS) $(OPENMP_CFLAGS) -lpthread $(LIBS)'; } >$@
CLEANFILES += %D%/wilson.pc
