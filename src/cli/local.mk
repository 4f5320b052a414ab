# src/cli/ - the command line: commands, options, help, manual page.  main.c alone is no part of the archive.
noinst_LIBRARIES += %D%/libcli.a
%C%_libcli_a_SOURCES = \
  %D%/cli.h \
  %D%/commands.c \
  %D%/commands.h \
  %D%/commands_man.c \
  %D%/converge.c \
  %D%/new.c \
  %D%/new_texts.h \
  %D%/open.c \
  %D%/table.c \
  %D%/vtk.c \
  %D%/xs.c \
  %D%/xs.h \
  %D%/xs_output.c \
  %D%/xs_photons.c \
  %D%/xs_sets.c
# The templates of `wilson new`, data/new/, as strings: the program finds them wherever it lies.
new_files = data/new/swarm.cfg data/new/runaway.cfg data/new/ccp.cfg data/new/plasma.cfg
nodist_%C%_libcli_a_SOURCES = %D%/new_texts.c
CLEANFILES += %D%/new_texts.c
%D%/new_texts.c: build-aux/new-texts $(new_files)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && (cd $(srcdir) && $(SHELL) build-aux/new-texts $(new_files)) >$@.new && mv $@.new $@

bin_PROGRAMS += wilson
wilson_SOURCES = \
  %D%/main.c
wilson_LDADD = $(core_libs)
