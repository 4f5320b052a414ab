# crosssections/ - readers, built-in models and tables.
noinst_LIBRARIES += %D%/libcrosssections.a
%C%_libcrosssections_a_SOURCES = \
  %D%/xs.h \
  %D%/xs_air.c \
  %D%/xs_argon.c \
  %D%/xs_beyond.c \
  %D%/xs_beyond.h \
  %D%/xs_bethe.c \
  %D%/xs_bethe.h \
  %D%/xs_builtin.c \
  %D%/xs_deflection.c \
  %D%/xs_deflection.h \
  %D%/xs_factor.c \
  %D%/xs_factor.h \
  %D%/xs_friction.c \
  %D%/xs_ion.c \
  %D%/xs_ion.h \
  %D%/xs_join.c \
  %D%/xs_join.h \
  %D%/xs_levels.c \
  %D%/xs_levels.h \
  %D%/xs_lxcat.c \
  %D%/xs_lxcat_scan.c \
  %D%/xs_lxcat_scan.h \
  %D%/xs_lxcat_text.c \
  %D%/xs_lxcat_text.h \
  %D%/xs_moliere.c \
  %D%/xs_moliere.h \
  %D%/xs_moller.c \
  %D%/xs_moller.h \
  %D%/xs_names.c \
  %D%/xs_normal.c \
  %D%/xs_peaks.c \
  %D%/xs_peaks.h \
  %D%/xs_photon.c \
  %D%/xs_photon.h \
  %D%/xs_positron.c \
  %D%/xs_positron.h \
  %D%/xs_prepare.c \
  %D%/xs_rbeb.c \
  %D%/xs_rbeb.h \
  %D%/xs_set.c \
  %D%/xs_set.h \
  %D%/xs_states.c \
  %D%/xs_states.h \
  %D%/xs_table.c \
  %D%/xs_table.h
