# doc/ - the manual, a page a topic: append to dist_doc_DATA.
dist_doc_DATA += \
  %D%/altitude.md \
  %D%/architecture.md \
  %D%/cross-sections.md \
  %D%/dielectrics.md \
  %D%/gpu.md \
  %D%/implicit.md \
  %D%/library.md \
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
  %D%/files.md \
  %D%/gallery.md \
  %D%/howto.md \
  %D%/index.md \
  %D%/performance.md \
  %D%/scenario-keys.md \
  %D%/scenarios.md \
  %D%/sparse.md \
  %D%/steps.md \
  %D%/streamers.md

# Written by `wilson list man` and `wilson-plot --man`; t/cli/t0902-at-home.t compares.
dist_man_MANS = \
  %D%/wilson-plot.1 \
  %D%/wilson.1

# Pages in folders of their own, to which the others have links.
gallerydir = $(docdir)/gallery
dist_gallery_DATA = \
  %D%/gallery/table.md
notebooksdir = $(docdir)/notebooks
dist_notebooks_DATA = \
  %D%/notebooks/ccp-argon.ipynb \
  %D%/notebooks/runaway-rate.ipynb \
  %D%/notebooks/swarm-n2.ipynb
tutorialsdir = $(docdir)/tutorials
dist_tutorials_DATA = \
  %D%/tutorials/ccp.md \
  %D%/tutorials/runaway-curve.md \
  %D%/tutorials/streamer.md \
  %D%/tutorials/swarm-table.md \
  %D%/tutorials/waves.md

# What makes HTML of all of them, and pictures.
EXTRA_DIST += \
  %D%/conf.py \
  %D%/gallery/run \
  %D%/gallery/streamers \
  %D%/words.txt

# The manual in HTML, in %D%/html of the build folder: Sphinx with myst-parser (Debian: python3-sphinx, python3-myst-parser).
SPHINXBUILD = sphinx-build
html-local:
	@if ! command -v $(SPHINXBUILD) >/dev/null 2>&1; then \
	  echo "make html: skipped: there is no $(SPHINXBUILD) (Debian: python3-sphinx, python3-myst-parser; else pip install sphinx myst-parser)"; \
	elif ! $$(sed -n '1s/^#! *//p' "$$(command -v $(SPHINXBUILD))") -c 'import myst_parser' 2>/dev/null; then \
	  echo "make html: skipped: $(SPHINXBUILD) has no myst-parser (Debian: python3-myst-parser; else pip install myst-parser)"; \
	else \
	  WILSON_GALLERY='$(abs_builddir)/%D%/gallery-pictures' $(SPHINXBUILD) -q -W --keep-going -b html -d %D%/html.trees \
	    -D release='$(VERSION)' '$(srcdir)/%D%' %D%/html && echo "make html: %D%/html/index.html"; \
	fi

# Runs of the verification gallery: pictures for `make html`, films of streamers, and the table, to be copied to %D%/gallery/table.md of the source when it changes.
PYTHON3 = python3
gallery: wilson
	WILSON='$(abs_builddir)/wilson' $(PYTHON3) '$(srcdir)/%D%/gallery/run' --pictures %D%/gallery-pictures --table %D%/gallery-table.md
	WILSON='$(abs_builddir)/wilson' $(PYTHON3) '$(srcdir)/%D%/gallery/streamers' --folder %D%/gallery-pictures
	@cmp -s %D%/gallery-table.md '$(srcdir)/%D%/gallery/table.md' || echo "make gallery: %D%/gallery-table.md differs from that of the source"
.PHONY: gallery

mostlyclean-local: clean-manual
clean-manual:
	-rm -rf %D%/html %D%/html.trees %D%/gallery-pictures %D%/gallery-table.md
.PHONY: clean-manual
