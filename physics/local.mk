# physics/ - formulae, headers only.
noinst_HEADERS += \
  %D%/angle.h \
  %D%/cartesian.h \
  %D%/constants.h \
  %D%/electron.h \
  %D%/field_view.h \
  %D%/geometry.h \
  %D%/grid.h \
  %D%/grid_view.h \
  %D%/hd.h \
  %D%/ion.h \
  %D%/ion_view.h \
  %D%/ionize.h \
  %D%/kinematics.h \
  %D%/levels.h \
  %D%/mathfn.h \
  %D%/mcc.h \
  %D%/mcc_bands.h \
  %D%/mcc_collide.h \
  %D%/mcc_flight.h \
  %D%/mcc_grid.h \
  %D%/mcc_quiet.h \
  %D%/passages.h \
  %D%/point.h \
  %D%/primary.h \
  %D%/push.h \
  %D%/rng.h \
  %D%/sample.h \
  %D%/single.h \
  %D%/tally.h \
  %D%/tilt.h \
  %D%/turn.h \
  %D%/xs_view.h
