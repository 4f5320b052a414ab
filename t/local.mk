# t/ - the tests.  t/tNNNN-topic.t is built from t/tNNNN-topic.c; shell tests are named as they are.
check_LIBRARIES += %D%/tap/libtap.a
%C%_tap_libtap_a_SOURCES = \
  %D%/tap/capture.c \
  %D%/tap/domains.c \
  %D%/tap/domains.h \
  %D%/states_file.h \
  %D%/tap/capture.h \
  %D%/tap/command.c \
  %D%/tap/command.h \
  %D%/tap/draw.h \
  %D%/tap/loss_gas.h \
  %D%/tap/mean.h \
  %D%/tap/gpu.c \
  %D%/tap/gpu.h \
  %D%/tap/grid.h \
  %D%/tap/ion_swarm.h \
  %D%/tap/ions.h \
  %D%/tap/mixture.h \
  %D%/tap/philox_kat.c \
  %D%/tap/philox_kat.h \
  %D%/tap/plasma.h \
  %D%/tap/runs.c \
  %D%/tap/ranks.h \
  %D%/tap/runs.h \
  %D%/tap/scenario.c \
  %D%/tap/scenario.h \
  %D%/tap/scene.c \
  %D%/tap/scene.h \
  %D%/tap/slab_grids.h \
  %D%/tap/slices.c \
  %D%/tap/slices.h \
  %D%/tap/tap.c \
  %D%/tap/tap.h \
  %D%/tap/waves.h \
  %D%/tap/world.h

# For every program below: the source has the name of the program, and all link the same libraries.
AM_DEFAULT_SOURCE_EXT = .c
LDADD = %D%/tap/libtap.a $(core_libs)

check_PROGRAMS += \
  %D%/t0000-tap.t \
  %D%/t0010-base.t \
  %D%/t0100-mathfn.t \
  %D%/t0101-rng.t \
  %D%/t0110-push.t \
  %D%/t0120-kinematics.t \
  %D%/t0121-single.t \
  %D%/t0122-turn.t \
  %D%/t0130-angle.t \
  %D%/t0131-ionize.t \
  %D%/t0140-collide.t \
  %D%/t0141-quiet.t \
  %D%/t0142-bands.t \
  %D%/t0143-flown.t \
  %D%/t0150-ion.t \
  %D%/t0200-lxcat-synthetic.t \
  %D%/t0201-lxcat-real.t \
  %D%/t0202-lxcat-bad.t \
  %D%/t0203-prepare.t \
  %D%/t0204-lxcat-mutations.t \
  %D%/t0205-lxcat-ions.t \
  %D%/t0206-lxcat-channels.t \
  %D%/t0207-levels.t \
  %D%/t0208-states.t \
  %D%/t0209-factors.t \
  %D%/t0210-rbeb.t \
  %D%/t0211-air.t \
  %D%/t0212-friction.t \
  %D%/t0213-argon.t \
  %D%/t0220-table.t \
  %D%/t0221-table-bound.t \
  %D%/t0300-particles.t \
  %D%/t0301-order.t \
  %D%/t0310-schedulers.t \
  %D%/t0311-same-bits.t \
  %D%/t0320-population.t \
  %D%/t0321-ensemble.t \
  %D%/t0330-split-remove.t \
  %D%/t0331-rectangle.t \
  %D%/t0332-box.t \
  %D%/t0340-stats.t \
  %D%/t0350-state.t \
  %D%/t0360-forecast.t \
  %D%/t0370-taken-back.t \
  %D%/t0400-gpu-philox.t \
  %D%/t0401-gpu-arithmetic.t \
  %D%/t0410-gpu-schedulers.t \
  %D%/t0411-gpu-run.t \
  %D%/t0412-gpu-restart.t \
  %D%/t0420-gpu-store.t \
  %D%/t0421-gpu-electrons.t \
  %D%/t0440-gpu-points.t \
  %D%/t0441-gpu-plasma.t \
  %D%/t0442-gpu-quiet.t \
  %D%/t0443-gpu-domains.t \
  %D%/t0430-gpu-poisson.t \
  %D%/t0431-gpu-electrostatic.t \
  %D%/t0432-gpu-deposit.t \
  %D%/t0500-units.t \
  %D%/t0501-scenario-errors.t \
  %D%/t0502-resolved.t \
  %D%/t0503-plasma-errors.t \
  %D%/t0505-bad-inputs.t \
  %D%/t0510-output.t \
  %D%/t0512-killed.t \
  %D%/t0520-run.t \
  %D%/t0521-full.t \
  %D%/t0523-asked-for.t \
  %D%/t0524-limits.t \
  %D%/t0526-bounds.t \
  %D%/t0527-check-ranks.t \
  %D%/t0530-known-answers.t \
  %D%/t0543-hostile-results.t \
  %D%/t0545-converge.t \
  %D%/t0560-restart.t \
  %D%/t0561-stopped.t \
  %D%/t0562-killed-runs.t \
  %D%/t0600-swarm-models.t \
  %D%/t0601-crossed-fields.t \
  %D%/t0602-diffusion.t \
  %D%/t0603-free-flight.t \
  %D%/t0610-swarm-reference.t \
  %D%/t0620-runaway.t \
  %D%/t0621-runaway-rate.t \
  %D%/t0622-rate-words.t \
  %D%/t0623-passages.t \
  %D%/t0624-rate-window.t \
  %D%/t0630-ions.t \
  %D%/t0631-argon.t \
  %D%/t0632-expected-rates.t \
  %D%/t0633-few-electrons.t \
  %D%/t0634-anisotropy.t \
  %D%/t0635-balance.t \
  %D%/t0636-townsend.t \
  %D%/t0637-momentum.t \
  %D%/t0640-true-errors.t \
  %D%/t0650-equilibrium.t \
  %D%/t0651-thermal-relaxation.t \
  %D%/t0652-states.t \
  %D%/t0660-varying-field.t \
  %D%/t0661-waveform.t \
  %D%/t0662-varying-errors.t \
  %D%/t0700-poisson.t \
  %D%/t0710-shapes.t \
  %D%/t0711-deposit.t \
  %D%/t0712-point-push.t \
  %D%/t0720-plasma-check.t \
  %D%/t0730-waves.t \
  %D%/t0731-diocotron.t \
  %D%/t0740-electrons-in-field.t \
  %D%/t0741-electrons-in-grid.t \
  %D%/t0743-one-pass.t \
  %D%/t0745-ions-in-grid.t \
  %D%/t0747-secondary-electrons.t \
  %D%/t0748-integrals.t \
  %D%/t0750-averages.t \
  %D%/t0800-ranks.t \
  %D%/t0801-cases-divided.t \
  %D%/t0802-slabs.t \
  %D%/t0803-domains.t \
  %D%/t0910-scenarios.t

# Tests with kernels of their own; without CUDA they skip themselves.
%C%_t0400_gpu_philox_t_SOURCES = \
  %D%/gpu_philox.h \
  %D%/t0400-gpu-philox.c
%C%_t0401_gpu_arithmetic_t_SOURCES = \
  %D%/gpu_arithmetic.cuh \
  %D%/gpu_arithmetic.h \
  %D%/t0401-gpu-arithmetic.c
%C%_t0440_gpu_points_t_SOURCES = \
  %D%/gpu_points.h \
  %D%/t0440-gpu-points.c
%C%_t0430_gpu_poisson_t_SOURCES = \
  %D%/gpu_arrays.h \
  %D%/t0430-gpu-poisson.c
%C%_t0431_gpu_electrostatic_t_SOURCES = \
  %D%/gpu_arrays.h \
  %D%/t0431-gpu-electrostatic.c
%C%_t0432_gpu_deposit_t_SOURCES = \
  %D%/gpu_arrays.h \
  %D%/t0432-gpu-deposit.c
%C%_t0442_gpu_quiet_t_SOURCES = \
  %D%/gpu_arrays.h \
  %D%/t0442-gpu-quiet.c
%C%_t0443_gpu_domains_t_SOURCES = \
  %D%/gpu_arrays.h \
  %D%/t0443-gpu-domains.c
if HAVE_CUDA
%C%_t0440_gpu_points_t_SOURCES += \
  %D%/gpu_points.cu
%C%_t0400_gpu_philox_t_SOURCES += \
  %D%/gpu_philox.cu
%C%_t0401_gpu_arithmetic_t_SOURCES += \
  %D%/gpu_exact.cu \
  %D%/gpu_fused.cu
%C%_t0430_gpu_poisson_t_SOURCES += \
  %D%/gpu_arrays.cu
%C%_t0431_gpu_electrostatic_t_SOURCES += \
  %D%/gpu_arrays.cu
%C%_t0432_gpu_deposit_t_SOURCES += \
  %D%/gpu_arrays.cu
%C%_t0442_gpu_quiet_t_SOURCES += \
  %D%/gpu_arrays.cu
%C%_t0443_gpu_domains_t_SOURCES += \
  %D%/gpu_arrays.cu
endif
# The control, which must give other bits.
%D%/gpu_fused.o: NVCC_BASE := $(subst -fmad=false,-fmad=true,$(NVCC_BASE))

dist_check_SCRIPTS += \
  %D%/t0001-headers.t \
  %D%/t0002-layers.t \
  %D%/t0003-names.t \
  %D%/t0004-examples.t \
  %D%/t0005-wrongs.t \
  %D%/t0333-split-table.t \
  %D%/t0504-hostile.t \
  %D%/t0511-plot.t \
  %D%/t0513-plot-plasma.t \
  %D%/t0514-plot-compare.t \
  %D%/t0515-plot-converge.t \
  %D%/t0525-outrun.t \
  %D%/t0540-table.t \
  %D%/t0541-scan.t \
  %D%/t0542-accuracy.t \
  %D%/t0544-table-rate.t \
  %D%/t0900-cli.t \
  %D%/t0901-readme.t \
  %D%/t0902-at-home.t \
  %D%/t0903-packaging.t \
  %D%/t0904-guard.t

EXTRA_DIST += \
  build-aux/compare-runs \
  build-aux/cppcheck.supp \
  build-aux/slowly \
  %D%/README \
  %D%/data \
  %D%/examples.c \
  %D%/fuzz/bytes.h \
  %D%/fuzz/contents.h \
  %D%/fuzz/fuzz.h \
  %D%/fuzz/sealed.h \
  %D%/fuzz/run \
  %D%/fuzz/checkpoint.c \
  %D%/fuzz/head.c \
  %D%/fuzz/part.c \
  %D%/fuzz/particles.c \
  %D%/fuzz/result.c \
  %D%/fuzz/scenario.c \
  %D%/fuzz/sections.c \
  %D%/fuzz/table.c \
  %D%/tap/pictures.py \
  %D%/tap/tap.sh \
  %D%/wrongs/list \
  %D%/wrongs/run

# The scripts first: they have one thread, and the programs at the end have all.
TESTS += $(dist_check_SCRIPTS) $(check_PROGRAMS)
TEST_EXTENSIONS = .t
T_LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
T_LOG_DRIVER_FLAGS = --comments
# Passive: threads that wait do not take the processor from the tests beside them.
AM_TESTS_ENVIRONMENT = \
  WN_SRCDIR='$(abs_top_srcdir)'; export WN_SRCDIR; \
  WN_BUILDDIR='$(abs_top_builddir)'; export WN_BUILDDIR; \
  OMP_WAIT_POLICY=passive; export OMP_WAIT_POLICY; \
  WN_NVCC='$(NVCC)'; export WN_NVCC; \
  WN_CPPFLAGS='$(NETCDF_CFLAGS) $(LIBCONFIG_CFLAGS) $(CPPFLAGS)'; export WN_CPPFLAGS; \
  WN_COMPILE='$(CC) $(AM_CPPFLAGS) $(CPPFLAGS) $(AM_CFLAGS) $(CFLAGS)'; export WN_COMPILE; \
  WN_LINK='$(CC) $(AM_CFLAGS) $(CFLAGS) $(AM_LDFLAGS) $(LDFLAGS)'; export WN_LINK; \
  WN_LIBS='$(core_libs) $(LIBS)'; export WN_LIBS;
