# base/ - errors, the log, memory, hashes, the version: what everything else stands on.
noinst_LIBRARIES += %D%/libbase.a
%C%_libbase_a_SOURCES = \
  %D%/alloc.c \
  %D%/alloc.h \
  %D%/clean.c \
  %D%/clean.h \
  %D%/clock.h \
  %D%/error.c \
  %D%/error.h \
  %D%/log.c \
  %D%/log.h \
  %D%/memory.c \
  %D%/memory.h \
  %D%/processors.c \
  %D%/processors.h \
  %D%/ranks.h \
  %D%/ranks_launch.h \
  %D%/sha256.c \
  %D%/sha256.h \
  %D%/state.c \
  %D%/state.h \
  %D%/threads.h \
  %D%/version.c \
  %D%/version.h

if HAVE_MPI
%C%_libbase_a_SOURCES += %D%/ranks_mpi.c
else
%C%_libbase_a_SOURCES += %D%/ranks_none.c
endif

if HAVE_CUDA
cuda_flags = ; nvcc $(NVCC_BASE) $(NVCCFLAGS)
endif

# What version.c says.  Asked for each time; the header, and so version.o, changes only when an answer does.
%D%/version_id.h: version-id-always
	@WN_VERSION='$(VERSION)' WN_LIBCONFIG='$(wn_libconfig_version)' WN_FLAGS='$(AM_CFLAGS) $(CFLAGS)$(cuda_flags)' \
	  $(SHELL) $(srcdir)/build-aux/version-id $(srcdir) $@
%D%/version.$(OBJEXT): %D%/version_id.h
CLEANFILES += %D%/version_id.h
.PHONY: version-id-always
version-id-always:
