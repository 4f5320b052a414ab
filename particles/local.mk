# particles/ - the store of one species, its sums, its population.
noinst_LIBRARIES += %D%/libparticles.a
%C%_libparticles_a_SOURCES = \
  %D%/ensemble.c \
  %D%/ensemble.h \
  %D%/order.c \
  %D%/order.h \
  %D%/particles.c \
  %D%/particles.h \
  %D%/parts.c \
  %D%/parts.h \
  %D%/point_lanes.h \
  %D%/population.c \
  %D%/population.h \
  %D%/tally.c \
  %D%/tally.h
