# src/plot/ - pictures of result files, in Python.
dist_bin_SCRIPTS += \
  %D%/wilson-plot

# What wilson-plot imports; it looks beside itself, and in ../share/wilson.
wilson_plotdir = $(pkgdatadir)/wilson_plot
dist_wilson_plot_DATA = \
  %D%/wilson_plot/averages.py \
  %D%/wilson_plot/choice.py \
  %D%/wilson_plot/compare.py \
  %D%/wilson_plot/converge.py \
  %D%/wilson_plot/distributions.py \
  %D%/wilson_plot/draw.py \
  %D%/wilson_plot/film.py \
  %D%/wilson_plot/integrals.py \
  %D%/wilson_plot/man.py \
  %D%/wilson_plot/maps.py \
  %D%/wilson_plot/pages.py \
  %D%/wilson_plot/results.py \
  %D%/wilson_plot/samples.py \
  %D%/wilson_plot/swarm.py \
  %D%/wilson_plot/waves.py
