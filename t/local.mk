# t/ - the tests, in folders by what they test.  t/FOLDER/tNNNN-topic.t is built from t/FOLDER/tNNNN-topic.c; shell tests are
# named as they are.
check_LIBRARIES += %D%/tap/libtap.a
%C%_tap_libtap_a_SOURCES = \
  %D%/tap/capture.c \
  %D%/tap/divided.c \
  %D%/tap/divided.h \
  %D%/tap/differences.h \
  %D%/tap/domains.c \
  %D%/tap/domains.h \
  %D%/tap/states_file.h \
  %D%/tap/capture.h \
  %D%/tap/command.c \
  %D%/tap/command.h \
  %D%/tap/coulomb.h \
  %D%/tap/draw.h \
  %D%/tap/landau.h \
  %D%/tap/lanes.c \
  %D%/tap/lanes.h \
  %D%/tap/loss_gas.h \
  %D%/tap/mean.h \
  %D%/tap/fast_electrons.c \
  %D%/tap/fast_electrons.h \
  %D%/tap/field_pair.h \
  %D%/tap/gpu.c \
  %D%/tap/gpu.h \
  %D%/tap/grid.h \
  %D%/tap/drawn_waves.h \
  %D%/tap/ion_swarm.h \
  %D%/tap/ions.h \
  %D%/tap/mixture.h \
  %D%/tap/philox_kat.c \
  %D%/tap/philox_kat.h \
  %D%/tap/photon_swarm.h \
  %D%/tap/plain_nodes.h \
  %D%/tap/plasma.h \
  %D%/tap/poisson_grids.h \
  %D%/tap/poisson_residual.h \
  %D%/tap/midpoint_reference.c \
  %D%/tap/midpoint_reference.h \
  %D%/tap/runs.c \
  %D%/tap/ranks.h \
  %D%/tap/runs.h \
  %D%/tap/scenario.c \
  %D%/tap/scenario.h \
  %D%/tap/scene.c \
  %D%/tap/scene.h \
  %D%/tap/side_pairs.h \
  %D%/tap/slab_grids.h \
  %D%/tap/slices.c \
  %D%/tap/slices.h \
  %D%/tap/two_devices.c \
  %D%/tap/two_devices.h \
  %D%/tap/tap.c \
  %D%/tap/tap.h \
  %D%/tap/waves.h \
  %D%/tap/world.h

# For every program below: the source has the name of the program, and all link the same libraries.
AM_DEFAULT_SOURCE_EXT = .c
LDADD = %D%/tap/libtap.a bench/study/libstudy.a $(core_libs)

check_PROGRAMS += \
  %D%/build/t0000-tap.t \
  %D%/base/t0010-base.t \
  %D%/base/t0011-processors.t \
  %D%/physics/t0100-mathfn.t \
  %D%/physics/t0101-rng.t \
  %D%/physics/t0110-push.t \
  %D%/physics/t0111-detector.t \
  %D%/physics/t0112-profile.t \
  %D%/physics/t0120-kinematics.t \
  %D%/physics/t0121-single.t \
  %D%/physics/t0122-turn.t \
  %D%/physics/t0130-angle.t \
  %D%/physics/t0131-ionize.t \
  %D%/physics/t0140-collide.t \
  %D%/physics/t0141-collision-free.t \
  %D%/physics/t0142-bands.t \
  %D%/physics/t0143-flown.t \
  %D%/physics/t0150-ion.t \
  %D%/physics/t0151-coulomb.t \
  %D%/physics/t0152-photoionization.t \
  %D%/physics/t0153-merging.t \
  %D%/physics/t0154-cell-sums.t \
  %D%/physics/t0160-compton.t \
  %D%/physics/t0161-photoelectric.t \
  %D%/physics/t0162-pair.t \
  %D%/physics/t0163-annihilation.t \
  %D%/physics/t0164-bremsstrahlung.t \
  %D%/physics/t0166-positrons.t \
  %D%/physics/t0167-grouped-angle.t \
  %D%/physics/t0168-continuous-loss.t \
  %D%/physics/t0169-excitation-angle.t \
  %D%/physics/t0170-ionization-angle.t \
  %D%/physics/t0319-photon-pairs.t \
  %D%/physics/t0158-moller.t \
  %D%/physics/t0159-moliere.t \
  %D%/physics/t0400-gpu-philox.t \
  %D%/physics/t0401-gpu-arithmetic.t \
  %D%/physics/t0402-gpu-photons.t \
  %D%/physics/t0710-shapes.t \
  %D%/physics/t0712-point-push.t \
  %D%/physics/t0713-geometry.t \
  %D%/physics/t0714-loading.t \
  %D%/physics/t0716-radial.t \
  %D%/physics/t0790-midpoint.t \
  %D%/crosssections/t0200-lxcat-synthetic.t \
  %D%/crosssections/t0201-lxcat-real.t \
  %D%/crosssections/t0202-lxcat-bad.t \
  %D%/crosssections/t0203-prepare.t \
  %D%/crosssections/t0204-lxcat-mutations.t \
  %D%/crosssections/t0205-lxcat-ions.t \
  %D%/crosssections/t0206-lxcat-channels.t \
  %D%/crosssections/t0207-levels.t \
  %D%/crosssections/t0208-states.t \
  %D%/crosssections/t0209-factors.t \
  %D%/crosssections/t0210-rbeb.t \
  %D%/crosssections/t0211-air.t \
  %D%/crosssections/t0212-friction.t \
  %D%/crosssections/t0213-argon.t \
  %D%/crosssections/t0214-moller.t \
  %D%/crosssections/t0220-table.t \
  %D%/crosssections/t0221-table-bound.t \
  %D%/crosssections/t0225-photon-data.t \
  %D%/particles/t0300-particles.t \
  %D%/particles/t0301-sort.t \
  %D%/particles/t0302-store-threads.t \
  %D%/particles/t0303-page-lock.t \
  %D%/particles/t0320-population.t \
  %D%/particles/t0321-ensemble.t \
  %D%/particles/t0350-state.t \
  %D%/schedulers/t0310-schedulers.t \
  %D%/schedulers/t0311-same-bits.t \
  %D%/schedulers/t0314-photons.t \
  %D%/schedulers/t0316-roulette.t \
  %D%/schedulers/t0315-positrons.t \
  %D%/schedulers/t0330-split-remove.t \
  %D%/schedulers/t0331-rectangle.t \
  %D%/schedulers/t0332-box.t \
  %D%/schedulers/t0334-study.t \
  %D%/schedulers/t0370-taken-back.t \
  %D%/schedulers/t0410-gpu-schedulers.t \
  %D%/schedulers/t0440-gpu-collisionless.t \
  %D%/schedulers/t0442-gpu-collision-free.t \
  %D%/device/t0420-gpu-store.t \
  %D%/device/t0421-gpu-electrons.t \
  %D%/device/t0422-gpu-loading.t \
  %D%/device/t0451-gpu-radiating.t \
  %D%/device/t0461-gpu-photon-pairs.t \
  %D%/fields/t0430-gpu-poisson.t \
  %D%/fields/t0433-gpu-multigrid.t \
  %D%/fields/t0431-gpu-electrostatic.t \
  %D%/fields/t0454-gpu-electrodes.t \
  %D%/fields/t0432-gpu-deposit.t \
  %D%/fields/t0443-gpu-domains.t \
  %D%/fields/t0445-gpu-sparse.t \
  %D%/fields/t0700-poisson.t \
  %D%/fields/t0701-electrostatic.t \
  %D%/fields/t0702-volumes.t \
  %D%/fields/t0703-gpu-methods.t \
  %D%/fields/t0704-waves.t \
  %D%/fields/t0705-mixed.t \
  %D%/fields/t0706-multigrid.t \
  %D%/fields/t0707-held-nodes.t \
  %D%/fields/t0711-deposit.t \
  %D%/fields/t0715-stretched-gap.t \
  %D%/fields/t0718-sparse.t \
  %D%/fields/t0721-electrodes.t \
  %D%/fields/t0725-electrode-shares.t \
  %D%/fields/t0728-multigrid-tiles.t \
  %D%/fields/t0729-dielectrics.t \
  %D%/fields/t0802-slabs.t \
  %D%/stats/t0340-stats.t \
  %D%/config/t0500-units.t \
  %D%/config/t0501-scenario-errors.t \
  %D%/config/t0502-resolved.t \
  %D%/config/t0503-plasma-errors.t \
  %D%/config/t0505-bad-inputs.t \
  %D%/config/t0506-relative-units.t \
  %D%/config/t0507-available.t \
  %D%/config/t0508-residence.t \
  %D%/config/t0720-plasma-check.t \
  %D%/io/t0510-output.t \
  %D%/io/t0512-killed.t \
  %D%/io/t0524-limits.t \
  %D%/run/t0360-forecast.t \
  %D%/run/t0361-plasma-forecast.t \
  %D%/run/t0362-growth-forecast.t \
  %D%/run/t0411-gpu-run.t \
  %D%/run/t0412-gpu-restart.t \
  %D%/run/t0520-run.t \
  %D%/run/t0521-full.t \
  %D%/run/t0523-asked-for.t \
  %D%/run/t0526-bounds.t \
  %D%/run/t0527-check-ranks.t \
  %D%/run/t0530-known-answers.t \
  %D%/run/t0560-restart.t \
  %D%/run/t0561-stopped.t \
  %D%/run/t0562-killed-runs.t \
  %D%/run/t0570-library.t \
  %D%/run/t0800-ranks.t \
  %D%/run/t0801-cases-divided.t \
  %D%/run/t0804-cases-beside.t \
  %D%/run/t0805-same-on-ranks.t \
  %D%/run/t0806-moments-on-ranks.t \
  %D%/results/t0543-hostile-results.t \
  %D%/results/t0545-converge.t \
  %D%/results/t0547-vtk.t \
  %D%/swarm/t0600-swarm-models.t \
  %D%/swarm/t0601-crossed-fields.t \
  %D%/swarm/t0602-diffusion.t \
  %D%/swarm/t0603-free-flight.t \
  %D%/swarm/t0604-streamer-gas.t \
  %D%/swarm/t0610-swarm-reference.t \
  %D%/swarm/t0630-ions.t \
  %D%/swarm/t0631-argon.t \
  %D%/swarm/t0632-expected-rates.t \
  %D%/swarm/t0633-few-electrons.t \
  %D%/swarm/t0634-anisotropy.t \
  %D%/swarm/t0635-balance.t \
  %D%/swarm/t0636-townsend.t \
  %D%/swarm/t0637-momentum.t \
  %D%/swarm/t0640-true-errors.t \
  %D%/swarm/t0650-equilibrium.t \
  %D%/swarm/t0651-thermal-relaxation.t \
  %D%/swarm/t0652-states.t \
  %D%/swarm/t0660-varying-field.t \
  %D%/swarm/t0661-waveform.t \
  %D%/swarm/t0662-varying-errors.t \
  %D%/swarm/t0664-fast-electrons.t \
  %D%/swarm/t0450-gpu-radiation.t \
  %D%/swarm/t0665-radiation.t \
  %D%/swarm/t0668-roulette.t \
  %D%/swarm/t0669-radiation-processes.t \
  %D%/swarm/t0666-positrons.t \
  %D%/swarm/t0667-grouped-elastic.t \
  %D%/runaway/t0452-gpu-mev.t \
  %D%/runaway/t0457-gpu-geometry.t \
  %D%/runaway/t0620-runaway.t \
  %D%/runaway/t0621-runaway-rate.t \
  %D%/runaway/t0317-radiation-runaway.t \
  %D%/runaway/t0622-rate-words.t \
  %D%/runaway/t0623-passages.t \
  %D%/runaway/t0624-rate-window.t \
  %D%/runaway/t0625-runaway-levels.t \
  %D%/runaway/t0626-detectors.t \
  %D%/runaway/t0627-altitude.t \
  %D%/plasma/t0441-gpu-plasma.t \
  %D%/plasma/t0444-gpu-profiles.t \
  %D%/plasma/t0446-gpu-midpoint.t \
  %D%/plasma/t0447-gpu-batches.t \
  %D%/plasma/t0318-merging-lanes.t \
  %D%/plasma/t0448-gpu-merging.t \
  %D%/plasma/t0449-gpu-streamers.t \
  %D%/plasma/t0453-gpu-electrodes.t \
  %D%/plasma/t0730-waves.t \
  %D%/plasma/t0731-diocotron.t \
  %D%/plasma/t0732-landau.t \
  %D%/plasma/t0740-electrons-in-field.t \
  %D%/plasma/t0741-electrons-in-grid.t \
  %D%/plasma/t0743-one-pass.t \
  %D%/plasma/t0745-ions-in-grid.t \
  %D%/plasma/t0747-secondary-electrons.t \
  %D%/plasma/t0748-integrals.t \
  %D%/plasma/t0750-averages.t \
  %D%/plasma/t0751-distributions.t \
  %D%/plasma/t0757-second-program.t \
  %D%/plasma/t0758-planar-front.t \
  %D%/plasma/t0759-splitting.t \
  %D%/plasma/t0760-sources.t \
  %D%/plasma/t0761-diode.t \
  %D%/plasma/t0762-volume-source.t \
  %D%/plasma/t0763-source-runs.t \
  %D%/plasma/t0764-circuit.t \
  %D%/plasma/t0765-wall-charge.t \
  %D%/plasma/t0766-circuit-runs.t \
  %D%/plasma/t0767-coulomb-relaxation.t \
  %D%/plasma/t0768-coulomb-cells.t \
  %D%/plasma/t0770-collision-rates.t \
  %D%/plasma/t0771-field-power.t \
  %D%/plasma/t0772-rates-and-power.t \
  %D%/plasma/t0773-reactions.t \
  %D%/plasma/t0774-recombination.t \
  %D%/plasma/t0775-afterglow.t \
  %D%/plasma/t0776-followed.t \
  %D%/plasma/t0777-node-sums.t \
  %D%/plasma/t0778-electron-yield.t \
  %D%/plasma/t0779-electron-emission.t \
  %D%/plasma/t0780-pairs.t \
  %D%/plasma/t0781-energy-balance.t \
  %D%/plasma/t0791-nodal-field.t \
  %D%/plasma/t0792-nodal-runs.t \
  %D%/plasma/t0793-gem.t \
  %D%/plasma/t0788-test-electrons.t \
  %D%/plasma/t0789-test-electron-runs.t \
  %D%/plasma/t0795-adaptive-steps.t \
  %D%/plasma/t0796-adaptive-runs.t \
  %D%/plasma/t0797-photoionization.t \
  %D%/plasma/t0670-pair-weights.t \
  %D%/plasma/t0798-merging.t \
  %D%/plasma/t0799-merged-avalanche.t \
  %D%/plasma/t0769-weight-limits.t \
  %D%/plasma/t0717-multigrid-runs.t \
  %D%/plasma/t0794-rz.t \
  %D%/plasma/t0722-electrodes.t \
  %D%/plasma/t0723-electrode-emission.t \
  %D%/plasma/t0724-dielectric-runs.t \
  %D%/plasma/t0782-sparse-runs.t \
  %D%/plasma/t0783-sparse-landau.t \
  %D%/plasma/t0784-coarse-maps.t \
  %D%/plasma/t0785-merging-runs.t \
  %D%/plasma/t0786-ten-moments.t \
  %D%/plasma/t0787-diocotron-ring.t \
  %D%/plasma/t0803-domains.t \
  %D%/cli/t0910-scenarios.t

# Tests with kernels of their own; without CUDA they skip themselves.
%C%_physics_t0400_gpu_philox_t_SOURCES = \
  %D%/physics/gpu_philox.h \
  %D%/physics/t0400-gpu-philox.c
%C%_physics_t0401_gpu_arithmetic_t_SOURCES = \
  %D%/physics/gpu_arithmetic.cuh \
  %D%/physics/gpu_arithmetic.h \
  %D%/physics/sampled.h \
  %D%/crosssections/photon_files.h \
  %D%/physics/t0401-gpu-arithmetic.c
%C%_physics_t0402_gpu_photons_t_SOURCES = \
  %D%/physics/gpu_photons.h \
  %D%/physics/t0402-gpu-photons.c
%C%_schedulers_t0440_gpu_collisionless_t_SOURCES = \
  %D%/schedulers/gpu_points.h \
  %D%/schedulers/t0440-gpu-collisionless.c
%C%_plasma_t0318_merging_lanes_t_SOURCES = \
  %D%/plasma/merging_lanes.c \
  %D%/plasma/merging_lanes.h \
  %D%/plasma/t0318-merging-lanes.c
%C%_plasma_t0798_merging_t_SOURCES = \
  %D%/plasma/merging_scene.h \
  %D%/plasma/t0798-merging.c
%C%_fields_t0702_volumes_t_SOURCES = \
  %D%/fields/volumes_domain.h \
  %D%/fields/t0702-volumes.c
%C%_fields_t0430_gpu_poisson_t_SOURCES = \
  %D%/tap/gpu_arrays.h \
  %D%/fields/t0430-gpu-poisson.c
%C%_fields_t0431_gpu_electrostatic_t_SOURCES = \
  %D%/tap/gpu_arrays.h \
  %D%/fields/t0431-gpu-electrostatic.c
%C%_fields_t0432_gpu_deposit_t_SOURCES = \
  %D%/tap/gpu_arrays.h \
  %D%/fields/t0432-gpu-deposit.c
%C%_schedulers_t0442_gpu_collision_free_t_SOURCES = \
  %D%/tap/gpu_arrays.h \
  %D%/schedulers/t0442-gpu-collision-free.c
%C%_fields_t0454_gpu_electrodes_t_SOURCES = \
  %D%/tap/gpu_arrays.h \
  %D%/fields/t0454-gpu-electrodes.c
%C%_fields_t0433_gpu_multigrid_t_SOURCES = \
  %D%/tap/gpu_arrays.h \
  %D%/fields/t0433-gpu-multigrid.c
%C%_fields_t0443_gpu_domains_t_SOURCES = \
  %D%/tap/gpu_arrays.h \
  %D%/fields/t0443-gpu-domains.c
if HAVE_CUDA
%C%_schedulers_t0440_gpu_collisionless_t_SOURCES += \
  %D%/schedulers/gpu_points.cu
%C%_physics_t0400_gpu_philox_t_SOURCES += \
  %D%/physics/gpu_philox.cu
%C%_physics_t0402_gpu_photons_t_SOURCES += \
  %D%/physics/gpu_photons.cu
%C%_physics_t0401_gpu_arithmetic_t_SOURCES += \
  %D%/physics/gpu_exact.cu \
  %D%/physics/gpu_fused.cu
%C%_fields_t0430_gpu_poisson_t_SOURCES += \
  %D%/tap/gpu_arrays.cu
%C%_fields_t0431_gpu_electrostatic_t_SOURCES += \
  %D%/tap/gpu_arrays.cu
%C%_fields_t0432_gpu_deposit_t_SOURCES += \
  %D%/tap/gpu_arrays.cu
%C%_schedulers_t0442_gpu_collision_free_t_SOURCES += \
  %D%/tap/gpu_arrays.cu
%C%_fields_t0454_gpu_electrodes_t_SOURCES += \
  %D%/tap/gpu_arrays.cu
%C%_fields_t0433_gpu_multigrid_t_SOURCES += \
  %D%/tap/gpu_arrays.cu
%C%_fields_t0443_gpu_domains_t_SOURCES += \
  %D%/tap/gpu_arrays.cu
endif
# The control, which must give other bits.
%D%/physics/gpu_fused.o: NVCC_BASE := $(subst -fmad=false,-fmad=true,$(NVCC_BASE))

dist_check_SCRIPTS += \
  %D%/build/t0001-headers.t \
  %D%/build/t0002-layers.t \
  %D%/build/t0003-names.t \
  %D%/build/t0004-examples.t \
  %D%/build/t0005-wrongs.t \
  %D%/build/t0006-calls.t \
  %D%/build/t0007-one-test.t \
  %D%/build/t0904-guard.t \
  %D%/cli/t0906-peers.t \
  %D%/schedulers/t0333-split-table.t \
  %D%/config/t0504-hostile.t \
  %D%/run/t0525-outrun.t \
  %D%/run/t0528-leaves-grid.t \
  %D%/results/t0540-table.t \
  %D%/results/t0541-scan.t \
  %D%/results/t0542-accuracy.t \
  %D%/results/t0544-table-rate.t \
  %D%/python/t0550-package.t \
  %D%/results/t0546-xarray.t \
  %D%/plot/t0511-plot.t \
  %D%/plot/t0513-plot-plasma.t \
  %D%/plot/t0514-plot-compare.t \
  %D%/plot/t0515-plot-converge.t \
  %D%/plot/t0516-plot-distributions.t \
  %D%/plot/t0517-plot-rates.t \
  %D%/plot/t0518-overview.t \
  %D%/plot/t0926-windows.t \
  %D%/manual/t0927-first-line.t \
  %D%/fields/t0460-gpu-multigrid-kernels.t \
  %D%/run/t0571-library-example.t \
  %D%/cli/t0900-cli.t \
  %D%/cli/t0901-readme.t \
  %D%/cli/t0902-at-home.t \
  %D%/cli/t0903-packaging.t \
  %D%/cli/t0905-new.t \
  %D%/manual/t0920-pages.t \
  %D%/manual/t0921-tutorials.t \
  %D%/manual/t0922-recipes.t \
  %D%/manual/t0923-gallery.t \
  %D%/manual/t0925-streamer-films.t \
  %D%/manual/t0924-notebooks.t

EXTRA_DIST += \
  build-aux/compare-runs \
  build-aux/cppcheck.supp \
  build-aux/slowly \
  %D%/README \
  %D%/data \
  %D%/build/examples.c \
  %D%/fields/gpu_multigrid_kernels.c \
  %D%/fields/gpu_multigrid_kernels.cpp \
  %D%/fields/gpu_multigrid_kernels.h \
  %D%/fields/gpu_on_host.h \
  %D%/fuzz/bytes.h \
  %D%/plasma/plain-benchmark.c \
  %D%/plasma/plain_discharge.h \
  %D%/plasma/plain_tables.h \
  %D%/fuzz/contents.h \
  %D%/fuzz/fuzz.h \
  %D%/fuzz/sealed.h \
  %D%/fuzz/run \
  %D%/fuzz/checkpoint.c \
  %D%/fuzz/head.c \
  %D%/fuzz/maps.c \
  %D%/fuzz/part.c \
  %D%/fuzz/particles.c \
  %D%/fuzz/photons.c \
  %D%/fuzz/result.c \
  %D%/fuzz/scenario.c \
  %D%/fuzz/sections.c \
  %D%/fuzz/table.c \
  %D%/manual/commands.py \
  %D%/manual/notebooks.py \
  %D%/manual/pages.py \
  %D%/tap/forked.py \
  %D%/python/test_package.py \
  %D%/python/test_run.py \
  %D%/tap/pictures.py \
  %D%/tap/refusals.py \
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

# make tap TEST=t/FOLDER/tNNNN-topic.t: this test alone, what it prints as it comes.  What it runs (wilson) must have been built:
# ./quickstart test sees to that.
.PHONY: tap
tap: $(TEST)
	@$(AM_TESTS_ENVIRONMENT) exec $<
