# wilson/plot/kinds.py - names of the types that the modules beside this one share; only type checkers read it.
from __future__ import annotations

from collections.abc import Callable
from typing import Any, Optional, Protocol

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from .choice import Choice
from .results import Results

Floats = NDArray[np.float64]
Complexes = NDArray[np.complexfloating[Any, Any]]  # numpy's own annotations do not say of which precision
Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]

Update = Callable[[int], None]  # shows another record in a panel, for films
Draw = Callable[[Axes], Optional[Update]]  # draws a panel
Panel = tuple[Draw, int]  # True: takes a whole row; pages.PAGE: takes a page
Row = list[Panel]
Page = tuple[Callable[[], Figure], str]  # makes it; what it shows


class Drawer(Protocol):
    """A module that draws some of the results, words of --what."""

    def panels_of(self, r: Results, what: str, choice: Choice, /) -> list[Panel]: ...


class SeriesDrawer(Drawer, Protocol):
    """... of a series, which a film can show; names_of: what each panel shows, and how to choose others."""

    def names_of(self, r: Results, what: str, choice: Choice, /) -> tuple[list[str], str]: ...
