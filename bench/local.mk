# bench/ - programs that measure: append to EXTRA_PROGRAMS, which make builds only when asked by name
# (make bench/candidates), and to bench_programs, which `make bench` builds.
EXTRA_PROGRAMS += \
  %D%/candidates
%C%_candidates_SOURCES = \
  %D%/candidates.c
%C%_candidates_LDADD = $(core_libs)

EXTRA_DIST += \
  %D%/RESULTS.md

bench: $(EXTRA_PROGRAMS)
.PHONY: bench
CLEANFILES += $(EXTRA_PROGRAMS)
