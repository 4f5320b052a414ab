# src/run/ - the run: the step (step.c), the loops over steps (time_loop.c) and cases (cases.c), checkpoints, ranks, progress, and the forecast of `wilson check`.
noinst_LIBRARIES += %D%/librun.a
%C%_librun_a_SOURCES = \
  %D%/capacity_outlook.c \
  %D%/capacity_outlook.h \
  %D%/cases.c \
  %D%/cases.h \
  %D%/check.c \
  %D%/check_circuits.c \
  %D%/check_circuits.h \
  %D%/check_growth.c \
  %D%/check_growth.h \
  %D%/check_ranks.c \
  %D%/check_ranks.h \
  %D%/checkpoint.c \
  %D%/checkpoint.h \
  %D%/divide_cases.c \
  %D%/divide_cases.h \
  %D%/forecast.c \
  %D%/forecast.h \
  %D%/forecast_beside.c \
  %D%/forecast_beside.h \
  %D%/forecast_diags.c \
  %D%/forecast_diags.h \
  %D%/forecast_outlook.c \
  %D%/forecast_outlook.h \
  %D%/forecast_pilot.c \
  %D%/forecast_pilot.h \
  %D%/forecast_plasma.c \
  %D%/forecast_ranks.c \
  %D%/forecast_ranks.h \
  %D%/progress.c \
  %D%/progress.h \
  %D%/provenance.c \
  %D%/provenance.h \
  %D%/time_loop.c \
  %D%/run.h \
  %D%/same_ranks.c \
  %D%/same_ranks.h \
  %D%/signals.c \
  %D%/signals.h \
  %D%/step.c \
  %D%/step.h \
  %D%/worker_cases.c \
  %D%/worker_cases.h \
  %D%/workers.c \
  %D%/workers.h
