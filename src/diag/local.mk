# src/diag/ - diagnostics: each observes steps and writes variables.  They change nothing and do not call each other's writers.
noinst_LIBRARIES += %D%/libdiag.a
%C%_libdiag_a_SOURCES = \
  %D%/adaptive_steps.c \
  %D%/averages.c \
  %D%/balance.c \
  %D%/buffered_rows.c \
  %D%/buffered_rows.h \
  %D%/circuits.c \
  %D%/coarse.c \
  %D%/coarse.h \
  %D%/detectors.c \
  %D%/diag.c \
  %D%/diag.h \
  %D%/distributions.c \
  %D%/electrode_circuits.c \
  %D%/energies.c \
  %D%/integrals.c \
  %D%/ledger.c \
  %D%/levels.c \
  %D%/maps.c \
  %D%/merging.c \
  %D%/moments.c \
  %D%/moments.h \
  %D%/momentum.c \
  %D%/momentum.h \
  %D%/nodes.c \
  %D%/passages.c \
  %D%/passages.h \
  %D%/passages_in_time.c \
  %D%/radiation.c \
  %D%/rates.c \
  %D%/reduced.c \
  %D%/reduced.h \
  %D%/samples.c \
  %D%/ten_moments.c \
  %D%/tensor.c \
  %D%/tensor.h \
  %D%/test_electrons.c \
  %D%/time_rows.c \
  %D%/time_rows.h \
  %D%/time_samples.c \
  %D%/time_samples.h \
  %D%/townsend.c \
  %D%/transport.c
