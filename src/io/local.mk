# src/io/ - files: results and their names, checkpoints, files of particles, provenance.  Bytes and names; what is written is decided
# above.
noinst_LIBRARIES += %D%/libio.a
%C%_libio_a_SOURCES = \
  %D%/checkpoint_file.c \
  %D%/checkpoint_file.h \
  %D%/field_file.c \
  %D%/field_file.h \
  %D%/output.h \
  %D%/output_continue.c \
  %D%/output_internal.h \
  %D%/output_journal.c \
  %D%/output_repair.c \
  %D%/output_repair.h \
  %D%/output_netcdf.c \
  %D%/output_path.c \
  %D%/output_path.h \
  %D%/output_units.c \
  %D%/output_units.h \
  %D%/particle_file.c \
  %D%/particle_file.h \
  %D%/provenance.c \
  %D%/result_file.c \
  %D%/result_file.h
