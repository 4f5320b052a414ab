# src/results/ - what is made of finished results: tables, files of VTK, and convergence.  Reads result files and runs scenarios anew.
noinst_LIBRARIES += %D%/libresults.a
%C%_libresults_a_SOURCES = \
  %D%/converge.c \
  %D%/converge.h \
  %D%/converge_results.c \
  %D%/table.c \
  %D%/table.h \
  %D%/table_kind.h \
  %D%/table_runaway_rate.c \
  %D%/table_scan.c \
  %D%/table_scan.h \
  %D%/table_swarm.c \
  %D%/table_write.c \
  %D%/vtk.c \
  %D%/vtk.h \
  %D%/vtk_write.c
