# schedulers/ - who advances which electrons.
noinst_LIBRARIES += %D%/libschedulers.a
%C%_libschedulers_a_SOURCES = \
  %D%/model.c \
  %D%/model.h \
  %D%/model_mcc.c \
  %D%/model_split_remove.c \
  %D%/scheduler.c \
  %D%/scheduler.h \
  %D%/serial.c
if HAVE_OPENMP
%C%_libschedulers_a_SOURCES += \
  %D%/openmp.c
endif
