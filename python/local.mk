# python/ - the Python package wilson: runs, results, scans and pictures.  src/plot/wilson-plot is its command for pictures.
# It is installed in share/wilson/python, where wilson-plot looks for it; `pip install .` installs it for Python (doc/python.md).
nobase_dist_pkgdata_DATA = \
  %D%/wilson/__init__.py \
  %D%/wilson/cross_sections.py \
  %D%/wilson/library.py \
  %D%/wilson/plot/__init__.py \
  %D%/wilson/plot/averages.py \
  %D%/wilson/plot/choice.py \
  %D%/wilson/plot/compare.py \
  %D%/wilson/plot/converge.py \
  %D%/wilson/plot/distributions.py \
  %D%/wilson/plot/draw.py \
  %D%/wilson/plot/failure.py \
  %D%/wilson/plot/films.py \
  %D%/wilson/plot/integrals.py \
  %D%/wilson/plot/kinds.py \
  %D%/wilson/plot/main.py \
  %D%/wilson/plot/man.py \
  %D%/wilson/plot/maps.py \
  %D%/wilson/plot/overview.py \
  %D%/wilson/plot/pages.py \
  %D%/wilson/plot/results.py \
  %D%/wilson/plot/samples.py \
  %D%/wilson/plot/swarm.py \
  %D%/wilson/plot/waves.py \
  %D%/wilson/plot/window.py \
  %D%/wilson/program.py \
  %D%/wilson/py.typed \
  %D%/wilson/results.py \
  %D%/wilson/running.py \
  %D%/wilson/scan.py \
  %D%/wilson/scenario.py \
  %D%/wilson/stepping.py
