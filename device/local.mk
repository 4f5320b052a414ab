# device/ - one GPU: stream, memory, store, samples; what is said without one.
noinst_LIBRARIES += %D%/libdevice.a
%C%_libdevice_a_SOURCES = \
  %D%/addresses.cuh \
  %D%/batches.cuh \
  %D%/charge_deposit.cuh \
  %D%/charge_window.cuh \
  %D%/copy_ahead.cuh \
  %D%/device.cuh \
  %D%/expected_sums.cuh \
  %D%/exchange.h \
  %D%/forecast.c \
  %D%/gpu.h \
  %D%/node_sums.cuh \
  %D%/sizes.h \
  %D%/sum128.cuh \
  %D%/tiles.cuh
if HAVE_CUDA
%C%_libdevice_a_SOURCES += \
  %D%/addresses.cu \
  %D%/batches.cu \
  %D%/charge_deposit.cu \
  %D%/charge_radial.cu \
  %D%/compaction.cu \
  %D%/crossings.cu \
  %D%/electrodes.cu \
  %D%/leavers.cu \
  %D%/device.cu \
  %D%/radiation.cu \
  %D%/exchange.cu \
  %D%/loading.cu \
  %D%/merging.cu \
  %D%/node_sums.cu \
  %D%/photon_tables.cu \
  %D%/sort.cu \
  %D%/primaries.cu \
  %D%/ion_products.cu \
  %D%/photon_pairs.cu \
  %D%/sample.cu \
  %D%/step_counts.cu \
  %D%/store.cu \
  %D%/test_electrons.cu \
  %D%/tiles.cu \
  %D%/weight_limits.cu
else
%C%_libdevice_a_SOURCES += \
  %D%/none.c
nodist_%C%_libdevice_a_SOURCES = %D%/stubs.c
CLEANFILES += %D%/stubs.c
%D%/stubs.c: build-aux/stubs device/gpu.h
	$(AM_V_GEN)$(call write_stubs,-x wn_gpu_count -x wn_gpu_describe -x wn_gpu_open -x wn_gpu_forecast -x wn_gpu_batches_bytes device/gpu.h)
endif
