# fields/ - what gives E and B at a position: one file a field.  poisson/ - Poisson's equation: one file a method.
# sparse/ - the same field by the combination technique.
noinst_LIBRARIES += %D%/libfields.a
%C%_libfields_a_SOURCES = \
  %D%/charge_check_gpu.h \
  %D%/charge_nodes.h \
  %D%/circuit.c \
  %D%/circuit.h \
  %D%/deposit.c \
  %D%/deposit.h \
  %D%/charge_sums_gpu.cuh \
  %D%/deposit_gpu.cuh \
  %D%/deposit_gpu_grid.cuh \
  %D%/deposit_gpu.h \
  %D%/dielectrics.c \
  %D%/dielectrics.h \
  %D%/electrode_circuit.c \
  %D%/electrode_circuit.h \
  %D%/electrode_shares.c \
  %D%/electrode_shares.h \
  %D%/electrode_surface.c \
  %D%/electrode_surface.h \
  %D%/electrodes.c \
  %D%/electrodes.h \
  %D%/electrodes_entry.c \
  %D%/electrodes_sums.c \
  %D%/electrostatic.c \
  %D%/electrostatic.h \
  %D%/electrostatic_device.c \
  %D%/electrostatic_gpu.cuh \
  %D%/electrostatic_gpu.h \
  %D%/electrostatic_gpu_node_sums.cuh \
  %D%/electrostatic_gpu_sums.cuh \
  %D%/electrostatic_host.c \
  %D%/electrostatic_host_sums.c \
  %D%/electrostatic_parts.h \
  %D%/electrostatic_sums.h \
  %D%/field.c \
  %D%/field.h \
  %D%/geometry.c \
  %D%/geometry.h \
  %D%/halo.c \
  %D%/migration.c \
  %D%/nodal.c \
  %D%/nodal.h \
  %D%/nodal_formulas.c \
  %D%/nodal_formulas.h \
  %D%/poisson/common.c \
  %D%/poisson/cufft.cuh \
  %D%/poisson/fft.c \
  %D%/poisson/fft.h \
  %D%/poisson/gpu.cuh \
  %D%/poisson/gpu.h \
  %D%/poisson/gpu_forecast.c \
  %D%/poisson/gpu_layout.c \
  %D%/poisson/gpu_layout.h \
  %D%/poisson/gpu_list.h \
  %D%/poisson/gpu_multigrid.h \
  %D%/poisson/gpu_multigrid_cycle.cuh \
  %D%/poisson/gpu_multigrid_equation.cuh \
  %D%/poisson/gpu_multigrid_march.cuh \
  %D%/poisson/gpu_multigrid_tiles.c \
  %D%/poisson/gpu_multigrid_tiles.h \
  %D%/poisson/gpu_pairs.c \
  %D%/poisson/gpu_pairs.cuh \
  %D%/poisson/gpu_pairs.h \
  %D%/poisson/gpu_sines.c \
  %D%/poisson/gpu_sines.h \
  %D%/poisson/gpu_square.cuh \
  %D%/poisson/gradient.c \
  %D%/poisson/mixed.c \
  %D%/poisson/modes.c \
  %D%/poisson/multigrid.c \
  %D%/poisson/multigrid.h \
  %D%/poisson/multigrid_cycle.c \
  %D%/poisson/multigrid_levels.c \
  %D%/poisson/open.c \
  %D%/poisson/parts.h \
  %D%/poisson/planes.h \
  %D%/poisson/poisson.c \
  %D%/poisson/poisson.h \
  %D%/poisson/slabs.c \
  %D%/poisson/slabs_layout.c \
  %D%/poisson/slabs_layout.h \
  %D%/poisson/slopes.c \
  %D%/poisson/stencil.h \
  %D%/poisson/volumes.c \
  %D%/poisson/whole.c \
  %D%/sparse/combine.c \
  %D%/sparse/combine.h \
  %D%/sparse/components.c \
  %D%/sparse/components.h \
  %D%/sparse/refine.h \
  %D%/sparse/sparse.c \
  %D%/sparse/sparse.h \
  %D%/sparse/sparse_charge.c \
  %D%/sparse/sparse_device.c \
  %D%/sparse/sparse_forecast.c \
  %D%/sparse/sparse_gpu.cuh \
  %D%/sparse/sparse_gpu.h \
  %D%/sparse/sparse_host.c \
  %D%/sparse/sparse_layout.h \
  %D%/sparse/sparse_parts.h \
  %D%/sparse/sparse_sums.c \
  %D%/uniform.c \
  %D%/varying.c \
  %D%/voltage.h \
  %D%/waveform.c \
  %D%/waveform.h \
  %D%/waves.c \
  %D%/waves.h
if HAVE_CUDA
%C%_libfields_a_SOURCES += \
  %D%/charge_check_gpu.cu \
  %D%/deposit_electrons_gpu.cu \
  %D%/deposit_gpu.cu \
  %D%/deposit_gpu_grid.cu \
  %D%/deposit_gpu_radial.cu \
  %D%/deposit_gpu_window.cu \
  %D%/electrostatic_gpu.cu \
  %D%/electrostatic_gpu_radial.cu \
  %D%/electrostatic_gpu_ranks.cu \
  %D%/electrostatic_gpu_sums.cu \
  %D%/electrostatic_gpu_waves.cu \
  %D%/halo_gpu.cu \
  %D%/migration_gpu.cu \
  %D%/poisson/cufft.cu \
  %D%/poisson/gpu_direct.cu \
  %D%/poisson/gpu_lines.cu \
  %D%/poisson/gpu_list.cu \
  %D%/poisson/gpu_modes.cu \
  %D%/poisson/gpu_multigrid.cu \
  %D%/poisson/gpu_open.cu \
  %D%/poisson/gpu_radial.cu \
  %D%/poisson/gpu_shared.cu \
  %D%/poisson/gpu_radial_sines.cu \
  %D%/poisson/gpu_slabs.cu \
  %D%/poisson/gpu_transforms.cu \
  %D%/sparse/sparse_deposit_gpu.cu \
  %D%/sparse/sparse_gpu.cu \
  %D%/sparse/sparse_solve_gpu.cu
else
gpu_fields = fields/deposit_gpu.h fields/electrostatic_gpu.h fields/poisson/gpu.h fields/sparse/sparse_gpu.h
nodist_%C%_libfields_a_SOURCES = %D%/stubs.c
CLEANFILES += %D%/stubs.c
%D%/stubs.c: build-aux/stubs $(gpu_fields)
	$(AM_V_GEN)$(call write_stubs,-x wn_poisson_gpu_bytes -x wn_poisson_gpu_method -x wn_sparse_gpu_memory $(gpu_fields))
endif
