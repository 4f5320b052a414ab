# src/plot/ - the command for pictures of result files, in Python; what it draws is in python/wilson/plot/.
dist_bin_SCRIPTS += \
  %D%/wilson-plot
