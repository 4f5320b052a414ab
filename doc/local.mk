# doc/ - the manual, a page a topic: append to dist_doc_DATA.
dist_doc_DATA += \
  %D%/architecture.md \
  %D%/cross-sections.md \
  %D%/gpu.md \
  %D%/implicit.md \
  %D%/merging.md \
  %D%/output.md \
  %D%/electrodes.md \
  %D%/photoionization.md \
  %D%/photons.md \
  %D%/physics.md \
  %D%/plasma.md \
  %D%/reliability.md \
  %D%/python.md \
  %D%/running.md \
  %D%/runaway-plasma.md \
  %D%/rz.md \
  %D%/scenario-keys.md \
  %D%/sparse.md \
  %D%/steps.md \
  %D%/streamers.md

# Written by `wilson list man` and `wilson-plot --man`; t/cli/t0902-at-home.t compares.
dist_man_MANS = \
  %D%/wilson-plot.1 \
  %D%/wilson.1
