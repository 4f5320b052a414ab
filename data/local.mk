# data/ - scenarios, cross sections and reference numbers, installed under $(pkgdatadir) with the folders kept.
scenariosdir = $(pkgdatadir)/scenarios
dist_scenarios_DATA = \
  %D%/scenarios/afterglow-oxygen.cfg \
  %D%/scenarios/avalanche-air.cfg \
  %D%/scenarios/avalanche-to-streamer.cfg \
  %D%/scenarios/barrier-air.cfg \
  %D%/scenarios/beam-air.cfg \
  %D%/scenarios/beam-air-radiation.cfg \
  %D%/scenarios/ccp-argon.cfg \
  %D%/scenarios/ccp-helium.cfg \
  %D%/scenarios/child-langmuir.cfg \
  %D%/scenarios/coulomb-relaxation.cfg \
  %D%/scenarios/diocotron-3d-sparse.cfg \
  %D%/scenarios/diocotron-3d.cfg \
  %D%/scenarios/diocotron.cfg \
  %D%/scenarios/gem-2d.cfg \
  %D%/scenarios/gem-3d.cfg \
  %D%/scenarios/landau-1d.cfg \
  %D%/scenarios/landau-3d-sparse.cfg \
  %D%/scenarios/landau-3d.cfg \
  %D%/scenarios/lucas-saelee.cfg \
  %D%/scenarios/maxwell-gas.cfg \
  %D%/scenarios/needle-air.cfg \
  %D%/scenarios/negative-streamer-air.cfg \
  %D%/scenarios/planar-front.cfg \
  %D%/scenarios/plasma-oscillation.cfg \
  %D%/scenarios/positive-streamer-air.cfg \
  %D%/scenarios/reid-ramp-crossed.cfg \
  %D%/scenarios/reid-ramp-hot.cfg \
  %D%/scenarios/reid-ramp.cfg \
  %D%/scenarios/rrea-air.cfg \
  %D%/scenarios/rrea-air-radiation.cfg \
  %D%/scenarios/runaway-air.cfg \
  %D%/scenarios/runaway-families.cfg \
  %D%/scenarios/runaway-streamer.cfg \
  %D%/scenarios/streamer-air.cfg \
  %D%/scenarios/streamer-benchmark.cfg \
  %D%/scenarios/swarm-air.cfg \
  %D%/scenarios/swarm-n2-lxcat.cfg \
  %D%/scenarios/swarm-rf.cfg \
  %D%/scenarios/thermal-to-mev.cfg \
  %D%/scenarios/tiles-2d.cfg \
  %D%/scenarios/two-stream.cfg

crosssectionsdir = $(pkgdatadir)/crosssections
dist_crosssections_DATA = \
  %D%/crosssections/README \
  %D%/crosssections/lucas-saelee-attachment.txt \
  %D%/crosssections/lucas-saelee-f0.txt \
  %D%/crosssections/lucas-saelee-f1.txt \
  %D%/crosssections/maxwell-gas.txt \
  %D%/crosssections/reid-ramp.txt \
  %D%/crosssections/streamer-gas.txt
EXTRA_DIST += \
  %D%/crosssections/make-model-gases

photonsdir = $(pkgdatadir)/photons
dist_photons_DATA = \
  %D%/photons/Ar.txt \
  %D%/photons/N.txt \
  %D%/photons/O.txt \
  %D%/photons/README
EXTRA_DIST += \
  %D%/photons/make-photon-data

referencedir = $(pkgdatadir)/reference
dist_reference_DATA =

# What `wilson new` writes; the program has them inside (src/cli/local.mk).
newdir = $(pkgdatadir)/new
dist_new_DATA = \
  %D%/new/ccp.cfg \
  %D%/new/plasma.cfg \
  %D%/new/runaway.cfg \
  %D%/new/swarm.cfg

# Where bash, zsh and fish look for them under the prefix.
bashcompletiondir = $(datadir)/bash-completion/completions
dist_bashcompletion_DATA = %D%/completion/wilson
zshcompletiondir = $(datadir)/zsh/site-functions
dist_zshcompletion_DATA = %D%/completion/_wilson
fishcompletiondir = $(datadir)/fish/vendor_completions.d
dist_fishcompletion_DATA = %D%/completion/wilson.fish
