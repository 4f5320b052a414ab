# physics/ - formulae, headers only.
noinst_HEADERS += \
  %D%/angle.h \
  %D%/collisions/attachment.h \
  %D%/collisions/candidate.h \
  %D%/collisions/ionization.h \
  %D%/collisions/lanes.h \
  %D%/collisions/list.h \
  %D%/collisions/scattering.h \
  %D%/constants.h \
  %D%/electron.h \
  %D%/field_view.h \
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
  %D%/mcc_collision_free.h \
  %D%/mcc_flight.h \
  %D%/mcc_grid.h \
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
