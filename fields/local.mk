# fields/ - what gives E and B at a place: one file a field; and Poisson's equation.
noinst_LIBRARIES += %D%/libfields.a
%C%_libfields_a_SOURCES = \
  %D%/charge_check_gpu.h \
  %D%/charge_nodes.h \
  %D%/cufft.cuh \
  %D%/deposit.c \
  %D%/deposit.h \
  %D%/deposit_gpu.cuh \
  %D%/deposit_gpu.h \
  %D%/electrostatic.c \
  %D%/electrostatic.h \
  %D%/electrostatic_gpu.cuh \
  %D%/electrostatic_gpu.h \
  %D%/electrostatic_gpu_sums.cuh \
  %D%/electrostatic_slabs.c \
  %D%/electrostatic_slabs.h \
  %D%/electrostatic_slabs_e.c \
  %D%/electrostatic_slabs_gpu.cuh \
  %D%/electrostatic_slabs_gpu.h \
  %D%/electrostatic_slabs_move.c \
  %D%/electrostatic_slabs_parts.h \
  %D%/electrostatic_slabs_plan.c \
  %D%/electrostatic_slabs_sums.c \
  %D%/electrostatic_slabs_sums.h \
  %D%/fft.c \
  %D%/fft.h \
  %D%/field.c \
  %D%/field.h \
  %D%/geometry.c \
  %D%/geometry.h \
  %D%/poisson.c \
  %D%/poisson.h \
  %D%/poisson_field.c \
  %D%/poisson_gpu.cuh \
  %D%/poisson_gpu.h \
  %D%/poisson_gpu_layout.c \
  %D%/poisson_gpu_layout.h \
  %D%/poisson_open.c \
  %D%/poisson_parts.h \
  %D%/poisson_slabs.c \
  %D%/poisson_slabs.h \
  %D%/poisson_slabs_gpu.h \
  %D%/poisson_slabs_layout.c \
  %D%/poisson_slabs_layout.h \
  %D%/poisson_stencil.h \
  %D%/uniform.c \
  %D%/varying.c \
  %D%/waveform.c \
  %D%/waveform.h
if HAVE_CUDA
%C%_libfields_a_SOURCES += \
  %D%/charge_check_gpu.cu \
  %D%/cufft.cu \
  %D%/deposit_gpu.cu \
  %D%/deposit_gpu_grid.cu \
  %D%/deposit_gpu_window.cu \
  %D%/electrons_gpu.cu \
  %D%/electrostatic_gpu.cu \
  %D%/electrostatic_gpu_sums.cu \
  %D%/electrostatic_gpu_ranks.cu \
  %D%/electrostatic_slabs_gpu.cu \
  %D%/electrostatic_slabs_gpu_move.cu \
  %D%/electrostatic_slabs_gpu_sums.cu \
  %D%/poisson_gpu.cu \
  %D%/poisson_gpu_direct.cu \
  %D%/poisson_gpu_lines.cu \
  %D%/poisson_slabs_gpu.cu
else
gpu_fields = fields/deposit_gpu.h fields/electrostatic_gpu.h fields/electrostatic_slabs_gpu.h fields/poisson_gpu.h
nodist_%C%_libfields_a_SOURCES = %D%/stubs.c
CLEANFILES += %D%/stubs.c
%D%/stubs.c: build-aux/stubs $(gpu_fields)
	$(AM_V_GEN)$(call write_stubs,-x wn_poisson_gpu_bytes $(gpu_fields))
endif
