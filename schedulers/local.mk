# schedulers/ - who advances which electrons; gpu/ - those of graphics processors.
noinst_LIBRARIES += %D%/libschedulers.a
%C%_libschedulers_a_SOURCES = \
  %D%/births.c \
  %D%/grid_lanes.c \
  %D%/grid_lanes.h \
  %D%/mcc_collisions.c \
  %D%/mcc_flights.c \
  %D%/mcc_lanes.h \
  %D%/model.c \
  %D%/model.h \
  %D%/model_collisionless.c \
  %D%/model_ion.c \
  %D%/model_mcc.c \
  %D%/model_mcc_grid.c \
  %D%/model_mcc_grid.h \
  %D%/scheduler.c \
  %D%/scheduler.h \
  %D%/serial.c \
  %D%/gpu/apart.cuh \
  %D%/gpu/events.cuh \
  %D%/gpu/gather.cuh \
  %D%/gpu/kernel.cuh \
  %D%/gpu/launch.cuh \
  %D%/gpu/mcc_grid.cuh \
  %D%/gpu/model.cuh \
  %D%/gpu/model_mcc.cuh \
  %D%/gpu/model_ops.cuh \
  %D%/gpu/models.cuh \
  %D%/gpu/phase.cuh \
  %D%/gpu/points.cuh \
  %D%/gpu/quiet.cuh \
  %D%/gpu/tables.cuh \
  %D%/gpu/warp.cuh
if HAVE_OPENMP
%C%_libschedulers_a_SOURCES += \
  %D%/openmp.c
endif
if HAVE_CUDA
%C%_libschedulers_a_SOURCES += \
  %D%/gpu/dynamic.cu \
  %D%/gpu/launch.cu \
  %D%/gpu/mcc_grid.cu \
  %D%/gpu/model_ion.cu \
  %D%/gpu/model_mcc.cu \
  %D%/gpu/phase.cu \
  %D%/gpu/points.cu \
  %D%/gpu/quiet.cu \
  %D%/gpu/rare.cu \
  %D%/gpu/tables.cu \
  %D%/gpu/tiles.cu
endif
