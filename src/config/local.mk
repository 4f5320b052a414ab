# src/config/ - the scenario: keys, the reader, what values must be together, and what a scenario means in numbers (pure queries).
# Nothing here moves a particle or writes a result.
noinst_LIBRARIES += %D%/libscenario.a
%C%_libscenario_a_SOURCES = \
  %D%/average_groups.c \
  %D%/averages.c \
  %D%/averages.h \
  %D%/check.c \
  %D%/collisions.c \
  %D%/config.c \
  %D%/config.h \
  %D%/coulomb.c \
  %D%/coulomb.h \
  %D%/coulomb_groups.c \
  %D%/distribution_groups.c \
  %D%/distributions.c \
  %D%/distributions.h \
  %D%/factor.c \
  %D%/factor.h \
  %D%/find_key.c \
  %D%/followed_groups.c \
  %D%/help.c \
  %D%/inputs.c \
  %D%/internal.h \
  %D%/keys.c \
  %D%/keys.h \
  %D%/keys_plasma.c \
  %D%/keys_run.c \
  %D%/lexical.c \
  %D%/named_groups.c \
  %D%/nearest_key.c \
  %D%/plasma.c \
  %D%/plasma_derived.c \
  %D%/plasma_derived.h \
  %D%/plasma_limits.c \
  %D%/plasma_limits.h \
  %D%/queries.c \
  %D%/range.c \
  %D%/range.h \
  %D%/reaction_groups.c \
  %D%/reactions.c \
  %D%/reactions.h \
  %D%/reader.c \
  %D%/reader.h \
  %D%/relative_form.c \
  %D%/relative_form.h \
  %D%/relative_units.c \
  %D%/same_scenario.c \
  %D%/same_scenario.h \
  %D%/scan.c \
  %D%/text.c \
  %D%/units.c \
  %D%/units.h \
  %D%/value.c \
  %D%/wall_circuits.c \
  %D%/waveform.c
