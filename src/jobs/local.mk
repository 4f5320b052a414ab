# src/jobs/ - jobs: when a case ends, how long its steps are, which diagnostics it has, what its line says.
noinst_LIBRARIES += %D%/libjobs.a
%C%_libjobs_a_SOURCES = \
  %D%/accuracy_goals.c \
  %D%/accuracy_goals.h \
  %D%/job.c \
  %D%/job.h \
  %D%/list.c \
  %D%/plasma.c \
  %D%/runaway.c \
  %D%/runaway.h \
  %D%/runaway_levels.c \
  %D%/runaway_rate.c \
  %D%/runaway_rate.h \
  %D%/runaway_rate_bins.c \
  %D%/runaway_rate_estimator.c \
  %D%/runaway_rate_plateau.c \
  %D%/runaway_rate_record.c \
  %D%/runaway_rate_window.c \
  %D%/steps.c \
  %D%/steps.h \
  %D%/swarm.c \
  %D%/swarm_varying.c \
  %D%/swarm_varying.h \
  %D%/swarm_varying_record.c
