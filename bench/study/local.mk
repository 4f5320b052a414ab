# bench/study/ - the scheduler study: twelve schedulers of a GPU and three models to measure them by, with a program of its own.
# Tests hold them to `serial`, bit for bit; wilson has none of them.
check_LIBRARIES += %D%/libstudy.a
%C%_libstudy_a_SOURCES = \
  %D%/box.h \
  %D%/difference.c \
  %D%/difference.h \
  %D%/difference_gpu.h \
  %D%/difference_view.h \
  %D%/dynamic_synthetic.cuh \
  %D%/lists.c \
  %D%/lists.h \
  %D%/model_box.c \
  %D%/model_box.cuh \
  %D%/model_rectangle.c \
  %D%/model_rectangle.cuh \
  %D%/model_split_remove.c \
  %D%/model_split_remove.cuh \
  %D%/model_synthetic.cuh \
  %D%/models.cuh \
  %D%/newborn_stack.cuh \
  %D%/passes.cuh \
  %D%/rectangle.h \
  %D%/split_remove.h \
  %D%/split_table.c \
  %D%/split_table.h \
  %D%/study.c \
  %D%/study.h \
  %D%/study_config.c \
  %D%/study_run.c
if HAVE_CUDA
%C%_libstudy_a_SOURCES += \
  %D%/box_gpu.cu \
  %D%/cpu_sync.cu \
  %D%/cpu_sync_iterate.cu \
  %D%/difference_gpu.cu \
  %D%/dynamic_block.cu \
  %D%/dynamic_thread.cu \
  %D%/gpu_iterate.cu \
  %D%/gpu_iterate_block.cu \
  %D%/gpu_iterate_grid.cu \
  %D%/huge_iterate.cu \
  %D%/naive.cu \
  %D%/rectangle_gpu.cu \
  %D%/rounds.cu \
  %D%/split_remove_gpu.cu \
  %D%/static.cu \
  %D%/static_iterate.cu
endif

EXTRA_DIST += \
  %D%/README.md

# Not a test, but what tests run.
EXTRA_PROGRAMS += %D%/study
check_DATA += %D%/study
%C%_study_SOURCES = %D%/main.c
%C%_study_LDADD = %D%/libstudy.a $(core_libs)
