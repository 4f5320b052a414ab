# schedulers/ - models, and the order in which particles are advanced; gpu/ - the same on graphics processors.
noinst_LIBRARIES += %D%/libschedulers.a
%C%_libschedulers_a_SOURCES = \
  %D%/bank.c \
  %D%/bank.h \
  %D%/births.c \
  %D%/collision_free.c \
  %D%/collision_free.h \
  %D%/mcc_collisions.c \
  %D%/mcc_detected.c \
  %D%/mcc_detected.h \
  %D%/mcc_flights.c \
  %D%/mcc_lanes.h \
  %D%/mcc_profiled.c \
  %D%/mcc_profiled.h \
  %D%/model.c \
  %D%/model.h \
  %D%/model_collisionless.c \
  %D%/model_ion.c \
  %D%/model_mcc.c \
  %D%/model_mcc_grid.c \
  %D%/model_midpoint.c \
  %D%/model_mcc_grid.h \
  %D%/photon_transport.c \
  %D%/photon_transport.h \
  %D%/positron_transport.c \
  %D%/positron_transport.h \
  %D%/scheduler.c \
  %D%/scheduler.h \
  %D%/serial.c \
  %D%/gpu/deferred.cuh \
  %D%/gpu/flight_kernel.cuh \
  %D%/gpu/gather.cuh \
  %D%/gpu/midpoint_tiles.cuh \
  %D%/gpu/kernel.cuh \
  %D%/gpu/launch.cuh \
  %D%/gpu/mcc_gather.cuh \
  %D%/gpu/mcc_profiled.cuh \
  %D%/gpu/model.cuh \
  %D%/gpu/model_mcc.cuh \
  %D%/gpu/model_ops.cuh \
  %D%/gpu/mcc_variants.cuh \
  %D%/gpu/gpu_scheduler.cuh \
  %D%/gpu/model_collisionless.cuh \
  %D%/gpu/collision_free.cuh \
  %D%/gpu/collision_free_pass.cuh \
  %D%/gpu/mcc_gather_kernel.cuh \
  %D%/gpu/points_kernel.cuh \
  %D%/gpu/radial.cuh \
  %D%/gpu/model_tables.cuh \
  %D%/gpu/warp_queue.cuh
if HAVE_OPENMP
%C%_libschedulers_a_SOURCES += \
  %D%/openmp.c
endif
if HAVE_CUDA
%C%_libschedulers_a_SOURCES += \
  %D%/gpu/dynamic.cu \
  %D%/gpu/launch.cu \
  %D%/gpu/mcc_gather.cu \
  %D%/gpu/mcc_profiled.cu \
  %D%/gpu/model_ion.cu \
  %D%/gpu/model_mcc.cu \
  %D%/gpu/midpoint_tiles.cu \
  %D%/gpu/model_midpoint.cu \
  %D%/gpu/gpu_scheduler.cu \
  %D%/gpu/model_collisionless.cu \
  %D%/gpu/collision_free.cu \
  %D%/gpu/collision_free_radial.cu \
  %D%/gpu/radial.cu \
  %D%/gpu/rare_collisions.cu \
  %D%/gpu/model_tables.cu \
  %D%/gpu/tiles.cu
endif
