# src/stats/ - statistics: estimators with their errors, from sums of independent groups.  Knows arithmetic and tables, no simulation,
# no scenario and no file.
noinst_LIBRARIES += %D%/libstats.a
%C%_libstats_a_SOURCES = \
  %D%/block_means.h \
  %D%/energy_table.c \
  %D%/energy_table.h \
  %D%/event_rates.c \
  %D%/event_rates.h \
  %D%/expected_rates.c \
  %D%/expected_rates.h \
  %D%/growth.c \
  %D%/growth.h \
  %D%/ion_frequencies.c \
  %D%/ion_frequencies.h \
  %D%/jackknife.c \
  %D%/jackknife.h \
  %D%/momentum_loss.c \
  %D%/momentum_loss.h \
  %D%/levels_reached.c \
  %D%/levels_reached.h \
  %D%/time_lived.c \
  %D%/time_lived.h
