# bench/ - programs that measure: append to EXTRA_PROGRAMS, which make builds only when asked by name
# (make bench/candidates); `make bench` builds them all.
EXTRA_PROGRAMS += \
  %D%/candidates \
  %D%/collisions \
  %D%/merging \
  %D%/plasma_step \
  %D%/poisson \
  %D%/schedulers
%C%_candidates_SOURCES = \
  %D%/candidates.c
%C%_candidates_LDADD = $(core_libs)
%C%_collisions_SOURCES = \
  %D%/collisions.c
%C%_collisions_LDADD = $(core_libs)
%C%_merging_SOURCES = \
  %D%/gpu_plasma.h \
  %D%/merging.c
%C%_merging_LDADD = $(core_libs)
%C%_poisson_SOURCES = \
  %D%/gpu_ceiling.h \
  %D%/gpu_poisson.h \
  %D%/poisson.c
%C%_poisson_LDADD = bench/study/libstudy.a $(core_libs)
%C%_plasma_step_SOURCES = \
  %D%/gpu_plasma.h \
  %D%/plasma_step.c
%C%_plasma_step_LDADD = $(core_libs)
%C%_schedulers_SOURCES = \
  %D%/gpu_ceiling.h \
  %D%/schedulers.c \
  %D%/schedulers.h \
  %D%/schedulers_options.c \
  %D%/schedulers_swarm.c \
  %D%/schedulers_table.c
if HAVE_CUDA
%C%_poisson_SOURCES += \
  %D%/gpu_ceiling.cu \
  %D%/gpu_poisson.cu
%C%_merging_SOURCES += \
  %D%/gpu_plasma.cu
%C%_plasma_step_SOURCES += \
  %D%/gpu_plasma.cu
%C%_schedulers_SOURCES += \
  %D%/gpu_ceiling.cu \
  %D%/gpu_compaction.cu
endif
%C%_schedulers_LDADD = bench/study/libstudy.a $(core_libs)
if HAVE_CUDA
EXTRA_PROGRAMS += \
  %D%/batches \
  %D%/deposit \
  %D%/midpoint \
  %D%/plasma \
  %D%/sparse
%C%_batches_SOURCES = \
  %D%/batches.c \
  %D%/gpu_batches.cu \
  %D%/gpu_batches.h
%C%_batches_LDADD = $(core_libs)
%C%_deposit_SOURCES = \
  %D%/deposit.c \
  %D%/gpu_plasma.cu \
  %D%/gpu_plasma.h \
  %D%/unit_grid.h
%C%_deposit_LDADD = $(core_libs)
%C%_midpoint_SOURCES = \
  %D%/gpu_plasma.cu \
  %D%/gpu_plasma.h \
  %D%/midpoint.c \
  %D%/unit_grid.h
%C%_midpoint_LDADD = $(core_libs)
%C%_plasma_SOURCES = \
  %D%/gpu_plasma.cu \
  %D%/gpu_plasma.h \
  %D%/plasma.c \
  %D%/unit_grid.h
%C%_plasma_LDADD = $(core_libs)
%C%_sparse_SOURCES = \
  %D%/gpu_plasma.cu \
  %D%/gpu_plasma.h \
  %D%/sparse.c \
  %D%/unit_grid.h
%C%_sparse_LDADD = $(core_libs)
endif

EXTRA_DIST += \
  %D%/fit-streamer-gas \
  %D%/guard \
  %D%/guard.best \
  %D%/peers/afivo-streamer \
  %D%/peers/geant4 \
  %D%/scaling \
  %D%/streamer-front \
  %D%/RESULTS.md \
  %D%/plasma-air.cfg \
  %D%/plasma-argon.cfg

bench: $(EXTRA_PROGRAMS)
.PHONY: bench
CLEANFILES += $(EXTRA_PROGRAMS)
