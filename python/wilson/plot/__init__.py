"""Pictures of result files: what the command wilson-plot draws, as figures of matplotlib.

This module imports matplotlib on first use, so that `import wilson` needs none of it.
"""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from .failure import PlotError

if TYPE_CHECKING:
    import xarray
    from matplotlib.figure import Figure

    from .choice import Choice
    from .kinds import Page
    from .results import Results

    Source = str | os.PathLike[str] | xarray.Dataset  # a result file, or what was read of one

__all__ = ["PlotError", "figures", "film", "notes", "save"]


def _results(source: Source) -> Results:
    from .results import Results, held_by
    if isinstance(source, (str, os.PathLike)):
        return Results(os.fspath(source))
    return Results(source.encoding.get("source", "dataset"), held_by(source))


def _choice(options: dict[str, Any]) -> Choice:
    """Options by their names on the command line, with texts as there: time="1ns,2ns", line=["x=1mm"]."""
    from types import SimpleNamespace

    from .choice import OPTIONS, Choice
    for name in options:
        if name not in OPTIONS:
            raise TypeError(f"no option {name!r} of wilson-plot; there are: {', '.join(OPTIONS)}")
    return Choice(SimpleNamespace(**options))


def _pages(source: Source, what: str | list[str] | None, options: dict[str, Any]) -> list[Page]:
    from . import main
    whats = main.whats_of(what if what is None or isinstance(what, str) else ",".join(what))
    return main.build(_results(source), whats, _choice(options))


def figures(source: Source, what: str | list[str] | None = None, **options: Any) -> list[Figure]:
    """The pages that `wilson-plot` would write, as figures.

    source: a dataset or the path of a result file.  what: the results to draw, as of --what; None: as without it, the two or
    three panels that matter, or with other options all.  options: energy, window, time (s), mean, map, line (m), slice, average,
    axes, as of the command, with units in the text: time="1ns,2ns".  Raises PlotError if the file does not hold what was asked
    for.
    """
    from matplotlib import pyplot

    from .draw import STYLE
    made = []
    for make, _ in _pages(source, what, options):
        with pyplot.rc_context(STYLE):
            made.append(make())
    return made


def save(source: Source, output: str | os.PathLike[str], what: str | list[str] | None = None, **options: Any) -> None:
    """Writes the pages of `figures` to OUTPUT, as `wilson-plot -o OUTPUT`: FILE.png, FILE-page2.png, ..., or one PDF."""
    from . import pages
    pages.save(_pages(source, what, options), os.fspath(output))


def notes(source: Source, what: str | list[str] | None = None, **options: Any) -> list[str]:
    """What `wilson-plot` says beside the pictures of `figures`, a line each: growth rate (s-1) and frequency (rad/s) of each wave with
    their spread, the drift of the energy of a closed plasma (J, %), and how many values a logarithmic axis left out."""
    from matplotlib import pyplot

    from .draw import STYLE, left_out
    from .integrals import said
    made = _pages(source, what, options)
    said(), left_out()  # of pictures before
    for make, _ in made:
        with pyplot.rc_context(STYLE):
            pyplot.close(make())
    return said() + left_out()


def film(source: Source, output: str | os.PathLike[str], what: str = "all", rate: float = 10.0, **options: Any) -> None:
    """Writes a film of maps, lines or samples, as `wilson-plot --film OUTPUT`; rate: frames a second."""
    from . import main
    choice = _choice({**options, "film": os.fspath(output)})
    main.make_film(_results(source), main.whats_of(what), choice, os.fspath(output), rate)
