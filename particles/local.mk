# particles/ - the store of one species, its sums, its population.
noinst_LIBRARIES += %D%/libparticles.a
%C%_libparticles_a_SOURCES = \
  %D%/ensemble.c \
  %D%/ensemble.h \
  %D%/sort.c \
  %D%/sort.h \
  %D%/particles.c \
  %D%/particles.h \
  %D%/load_balance.c \
  %D%/load_balance.h \
  %D%/vector_push.h \
  %D%/population.c \
  %D%/population.h \
  %D%/tally.c \
  %D%/tally.h
