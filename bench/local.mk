# bench/ - programs that measure: append to EXTRA_PROGRAMS, which make builds only when asked by name.
