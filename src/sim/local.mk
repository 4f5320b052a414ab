# src/sim/ - the simulation: gas, species, walls, plasma, primaries, and the clock of the case in hand.  What exists and its state, not
# when a step is made or what is measured.
noinst_LIBRARIES += %D%/libsim.a
%C%_libsim_a_SOURCES = \
  %D%/cell_pairs.c \
  %D%/cell_pairs.h \
  %D%/cell_temperatures.c \
  %D%/cell_temperatures.h \
  %D%/coulomb_collisions.c \
  %D%/device.c \
  %D%/device.h \
  %D%/electron_emission.c \
  %D%/emitted.c \
  %D%/emitted.h \
  %D%/energy_changes.c \
  %D%/energy_changes.h \
  %D%/field_power.c \
  %D%/field_power.h \
  %D%/followed.c \
  %D%/followed.h \
  %D%/gas.c \
  %D%/gas.h \
  %D%/gas_ions.c \
  %D%/gas_ions.h \
  %D%/grid_moments.c \
  %D%/grid_moments.h \
  %D%/grid_rates.c \
  %D%/grid_rates.h \
  %D%/histograms.c \
  %D%/histograms.h \
  %D%/ion_products.c \
  %D%/loading.c \
  %D%/loading.h \
  %D%/node_sums.c \
  %D%/node_sums.h \
  %D%/operators.c \
  %D%/operators.h \
  %D%/particle_bounds.c \
  %D%/particle_bounds.h \
  %D%/plasma.c \
  %D%/plasma.h \
  %D%/plasma_points.c \
  %D%/plasma_points.h \
  %D%/primaries.c \
  %D%/primaries.h \
  %D%/reaction_parts.h \
  %D%/reaction_products.c \
  %D%/reactions.c \
  %D%/reactions.h \
  %D%/secondary_emission.c \
  %D%/sim.c \
  %D%/sim.h \
  %D%/sources.c \
  %D%/species.c \
  %D%/species.h \
  %D%/thermostat.c \
  %D%/wall_hits.c \
  %D%/wall_hits.h
