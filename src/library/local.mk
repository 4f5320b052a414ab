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

if HAVE_SHARED
# The same objects, which are position-independent (PIC_CFLAGS): a program that needs libwilson.so.1 runs with any that has this number.
wilson_abi := $(shell sed -n 's/^.define WILSON_ABI //p' '$(srcdir)/%D%/wilson.h')
wilson_so = libwilson.so.$(wilson_abi)
nodist_wilsonlib_DATA += $(wilson_so)
CLEANFILES += $(wilson_so)
$(wilson_so): $(parts_of_libwilson) %D%/libwilson.map
	$(AM_V_CCLD)$(CC) $(AM_CFLAGS) $(CFLAGS) $(LDFLAGS) -shared -Wl,-z,defs -Wl,-soname,$@ \
	  -Wl,--version-script='$(srcdir)/%D%/libwilson.map' -o $@ -Wl,--whole-archive %D%/liboutside.a -Wl,--no-whole-archive \
	  $(filter-out src/cli/%,$(core_libs)) -lpthread $(LIBS)
install-data-hook:
	cd '$(DESTDIR)$(wilsonlibdir)' && rm -f libwilson.so && $(LN_S) $(wilson_so) libwilson.so
uninstall-hook:
	rm -f '$(DESTDIR)$(wilsonlibdir)/libwilson.so'
pc_private = echo 'Libs: -L$${libdir} -lwilson'; printf 'Libs.private:'
else
pc_private = printf 'Libs: -L$${libdir} -lwilson'
endif
EXTRA_DIST += %D%/libwilson.map

pkgconfigdir = $(libdir)/pkgconfig
nodist_pkgconfig_DATA = %D%/wilson.pc
%D%/wilson.pc: Makefile
	$(AM_V_GEN)$(MKDIR_P) $(@D) && { echo 'prefix=$(prefix)'; echo 'libdir=$(libdir)'; echo 'includedir=$(includedir)'; echo; \
	  echo 'Name: wilson'; echo 'Description: electrons in gases, particle-in-cell Monte-Carlo collisions, as a library'; \
	  echo 'Version: $(PACKAGE_VERSION)'; echo 'Cflags: -I$${includedir}'; \
	  $(pc_private); echo ' $(NETCDF_LIBS) $(LIBCONFIG_LIBS) $(FFTW_LIBS) $(CUDA_LIBS) $(MPI_LIBS) $(OPENMP_CFLAGS) -lpthread $(LIBS)'; } >$@
CLEANFILES += %D%/wilson.pc
