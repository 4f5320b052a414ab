# src/ - the program.  Everything but main.c is in libwilson.a, so that the tests can link it.
noinst_LIBRARIES += %D%/libwilson.a
%C%_libwilson_a_SOURCES = \
  %D%/averages.c \
  %D%/averages.h \
  %D%/check.c \
  %D%/checkpoint.c \
  %D%/checkpoint.h \
  %D%/checkpoint_file.c \
  %D%/checkpoint_file.h \
  %D%/cli.h \
  %D%/cli_table.c \
  %D%/cli_xs.c \
  %D%/cli_xs.h \
  %D%/cli_xs_output.c \
  %D%/cli_xs_sets.c \
  %D%/config.c \
  %D%/config.h \
  %D%/config_averages.c \
  %D%/config_check.c \
  %D%/config_collisions.c \
  %D%/config_help.c \
  %D%/config_inputs.c \
  %D%/config_internal.h \
  %D%/config_keys.c \
  %D%/config_keys.h \
  %D%/config_keys_plasma.c \
  %D%/config_keys_run.c \
  %D%/config_named.c \
  %D%/config_plasma.c \
  %D%/config_points.c \
  %D%/config_range.c \
  %D%/config_range.h \
  %D%/config_reader.c \
  %D%/config_reader.h \
  %D%/config_scan.c \
  %D%/config_text.c \
  %D%/config_units.c \
  %D%/config_units.h \
  %D%/config_value.c \
  %D%/config_waveform.c \
  %D%/device.c \
  %D%/device.h \
  %D%/diag.c \
  %D%/diag.h \
  %D%/diag_averages.c \
  %D%/diag_balance.c \
  %D%/diag_energies.c \
  %D%/diag_integrals.c \
  %D%/diag_ledger.c \
  %D%/diag_levels.c \
  %D%/diag_maps.c \
  %D%/diag_moments.c \
  %D%/diag_moments.h \
  %D%/diag_momentum.c \
  %D%/diag_momentum.h \
  %D%/diag_reduced.c \
  %D%/diag_reduced.h \
  %D%/diag_nodes.c \
  %D%/diag_passages.c \
  %D%/diag_passages.h \
  %D%/diag_rates.c \
  %D%/diag_samples.c \
  %D%/diag_steps.c \
  %D%/diag_tensor.c \
  %D%/diag_tensor.h \
  %D%/diag_townsend.c \
  %D%/diag_transport.c \
  %D%/emission.c \
  %D%/emission.h \
  %D%/forecast.c \
  %D%/forecast.h \
  %D%/gas.c \
  %D%/gas.h \
  %D%/gas_ions.c \
  %D%/gas_ions.h \
  %D%/goals.c \
  %D%/goals.h \
  %D%/grid_moments.c \
  %D%/grid_moments.h \
  %D%/job.c \
  %D%/job.h \
  %D%/job_plasma.c \
  %D%/job_rate.c \
  %D%/job_rate_bins.c \
  %D%/job_rate.h \
  %D%/job_rate_record.c \
  %D%/job_runaway.c \
  %D%/job_steps.c \
  %D%/job_steps.h \
  %D%/job_study.c \
  %D%/job_swarm.c \
  %D%/job_varying.c \
  %D%/job_varying.h \
  %D%/job_varying_record.c \
  %D%/loading.c \
  %D%/loading.h \
  %D%/momentum_loss.c \
  %D%/momentum_loss.h \
  %D%/output.h \
  %D%/output_continue.c \
  %D%/output_internal.h \
  %D%/output_mend.c \
  %D%/output_mend.h \
  %D%/output_netcdf.c \
  %D%/output_path.c \
  %D%/output_path.h \
  %D%/particle_file.c \
  %D%/particle_file.h \
  %D%/plasma.c \
  %D%/plasma.h \
  %D%/plasma_limits.c \
  %D%/plasma_limits.h \
  %D%/products.c \
  %D%/products.h \
  %D%/progress.c \
  %D%/progress.h \
  %D%/provenance.c \
  %D%/rate_bins.c \
  %D%/rate_bins.h \
  %D%/rates.c \
  %D%/rates.h \
  %D%/reach.c \
  %D%/reach.h \
  %D%/release.c \
  %D%/release.h \
  %D%/result_file.c \
  %D%/result_file.h \
  %D%/run.c \
  %D%/run.h \
  %D%/same_scenario.c \
  %D%/same_scenario.h \
  %D%/sim.c \
  %D%/sim.h \
  %D%/species.c \
  %D%/species.h \
  %D%/split_table.c \
  %D%/split_table.h \
  %D%/stats.c \
  %D%/stats.h \
  %D%/study.c \
  %D%/study.h \
  %D%/table.c \
  %D%/table.h \
  %D%/table_scan.c \
  %D%/table_scan.h \
  %D%/table_write.c \
  %D%/time_rows.c \
  %D%/time_rows.h \
  %D%/time_samples.c \
  %D%/time_samples.h

bin_PROGRAMS += wilson
wilson_SOURCES = \
  %D%/main.c
wilson_LDADD = $(core_libs)

dist_bin_SCRIPTS += \
  %D%/wilson-plot

# What wilson-plot imports; it looks beside itself, and in ../share/wilson.
wilson_plotdir = $(pkgdatadir)/wilson_plot
dist_wilson_plot_DATA = \
  %D%/wilson_plot/averages.py \
  %D%/wilson_plot/choice.py \
  %D%/wilson_plot/compare.py \
  %D%/wilson_plot/draw.py \
  %D%/wilson_plot/film.py \
  %D%/wilson_plot/integrals.py \
  %D%/wilson_plot/maps.py \
  %D%/wilson_plot/results.py \
  %D%/wilson_plot/samples.py \
  %D%/wilson_plot/swarm.py \
  %D%/wilson_plot/waves.py
