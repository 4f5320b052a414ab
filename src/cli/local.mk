# src/cli/ - the command line: commands, options, help, manual page.  main.c alone is no part of the archive.
noinst_LIBRARIES += %D%/libcli.a
%C%_libcli_a_SOURCES = \
  %D%/cli.h \
  %D%/commands.c \
  %D%/commands.h \
  %D%/commands_man.c \
  %D%/converge.c \
  %D%/table.c \
  %D%/vtk.c \
  %D%/xs.c \
  %D%/xs.h \
  %D%/xs_output.c \
  %D%/xs_photons.c \
  %D%/xs_sets.c

bin_PROGRAMS += wilson
wilson_SOURCES = \
  %D%/main.c
wilson_LDADD = $(core_libs)
