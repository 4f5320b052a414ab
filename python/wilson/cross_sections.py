"""Cross sections: files of LXCat and sets that come with the program, as numbers."""
from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .program import call
from .results import open_results

if TYPE_CHECKING:
    import xarray
    from matplotlib.figure import Figure


class CrossSections:
    """The cross sections of one or several files, read by the program, and the friction computed from them.

    files: paths of files, or names as "builtin:air".  gas: fractions of components (parts of 1), {"N2": 0.79, "O2": 0.21}; without it
    the components of a built-in set have its own.  `table` is what `wilson xs` prints, `data` the dataset of its file.
    Raises InputError, with file and line, for a file that the program refuses.
    """

    def __init__(self, *files: str | os.PathLike[str], gas: Mapping[str, float] | None = None):
        self.files = [os.fspath(f) for f in files]
        self.gas = dict(gas or {})
        words = ["--gas", ",".join(f"{name}:{value!r}" for name, value in self.gas.items())] if self.gas else []
        with tempfile.TemporaryDirectory(prefix="wilson-") as folder:
            path = Path(folder, "xs.nc")
            self.table, _ = call(["xs", *self.files, *words, "--output", path])
            self.data: xarray.Dataset = open_results(path, load=True)

    @property
    def processes(self) -> list[str]:
        """Names of the processes, in the order of the dimension `process`."""
        return [str(name) for name in self.data["process_name"].values]

    def friction(self) -> xarray.DataArray:
        """Friction force of each pure gas in eV/m at the density that its comment names, over the energy in eV."""
        return self.data["friction"].assign_coords(gas=self.data["gas_name"].values)

    def sigma(self, process: str) -> xarray.DataArray:
        """Cross section of one process in m2 over the energy in eV, by its name in `processes`."""
        return self.data["sigma"].isel(process=self.processes.index(process))

    def plot(self, **options: Any) -> list[Figure]:
        """Figures of matplotlib; options as of `wilson.plot.figures`."""
        from .plot import figures
        return figures(self.data, **options)

    def __repr__(self) -> str:
        return f"<wilson.CrossSections of {', '.join(self.files)}: {len(self.processes)} processes>"
