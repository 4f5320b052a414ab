# particles/ - the store of one species, its sums, its population.
noinst_LIBRARIES += %D%/libparticles.a
%C%_libparticles_a_SOURCES = \
  %D%/crossings.c \
  %D%/crossings.h \
  %D%/level_lanes.c \
  %D%/level_lanes.h \
  %D%/load_balance.c \
  %D%/load_balance.h \
  %D%/page_lock.c \
  %D%/page_lock.h \
  %D%/particles.c \
  %D%/particles.h \
  %D%/population_control.c \
  %D%/population_control.h \
  %D%/sort.c \
  %D%/sort.h \
  %D%/store.c \
  %D%/store.h \
  %D%/tally.c \
  %D%/tally.h \
  %D%/thread_sums.c \
  %D%/thread_sums.h \
  %D%/vector_midpoint.h \
  %D%/vector_push.h \
  %D%/vector_sample.h \
  %D%/weighted_ensemble.c \
  %D%/weighted_ensemble.h
