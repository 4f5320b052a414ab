# wilson/plot/results.py - the variables of a result file, and the error messages about it.
from __future__ import annotations

import difflib
import os
from typing import TYPE_CHECKING, Any

from .failure import clean, fail, missing_module

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping
    from types import EllipsisType, ModuleType

    import xarray
    from netCDF4 import Variable as NetcdfVariable
    from numpy.typing import NDArray

    from .kinds import Floats, Ints

    Read = Callable[[int | EllipsisType], NDArray[Any]]  # values at a place of the first dimension, or all
    Held = tuple[dict[str, Any], dict[str, "Variable"]]  # attributes and variables of a file


def clean_lines(text: object) -> str:
    """The same, keeping line ends."""
    return "\n".join(clean(line) for line in str(text).split("\n"))


def nearest_text(word: str, words: Iterable[str]) -> str:
    """"nearest: a, b; " of the names most like a wrong one; "" if none is."""
    near = difflib.get_close_matches(word, list(words), 3, 0.55)
    return f"nearest: {', '.join(near)}; " if near else ""


try:
    import numpy as np
except ImportError:
    missing_module("numpy", "python3-numpy")


def clean_texts(attrs: Mapping[str, Any]) -> dict[str, Any]:
    """Attributes; their texts appear in plots and in messages of matplotlib."""
    return {name: clean_lines(a) if isinstance(a, str) else a for name, a in attrs.items()}


class Variable:
    """A variable whose numbers are read on first use: maps can be large."""

    def __init__(self, path: str, shape: Iterable[int], dims: tuple[Hashable, ...], attrs: Mapping[str, Any], read: Read) -> None:
        self.path, self.shape, self.dims = path, tuple(shape), dims
        self.attrs = clean_texts(attrs)
        if "usual_unit" in self.attrs:  # `units` is for UDUNITS, which has no townsend
            self.attrs["units"] = self.attrs["usual_unit"]
        self._read = read
        self._values: NDArray[Any] | None = None

    def _get(self, at: int | EllipsisType) -> NDArray[Any]:
        try:
            return self._read(at)
        except (OSError, RuntimeError) as e:
            fail(2, f"{self.path}: cannot be read as netCDF: {str(e).splitlines()[0]}")

    @property
    def values(self) -> NDArray[Any]:
        if self._values is None:
            self._values = self._get(...)
        return self._values

    def record(self, i: int) -> Floats:
        """Values at place i of the first dimension."""
        return np.asarray(self._get(i), dtype=float)


def read_netcdf(netCDF4: ModuleType, path: str) -> Held:
    """Attributes and variables of a file; what was not written is NaN."""
    d = netCDF4.Dataset(path)

    def of(v: NetcdfVariable[Any]) -> Variable:
        def read(at: int | EllipsisType) -> NDArray[Any]:
            values = v[at]
            if isinstance(values, np.ma.MaskedArray):
                if values.dtype.kind == "f":
                    values = values.filled(np.nan)
                else:
                    values = values.data
            return np.asarray(values)
        return Variable(path, v.shape, v.dimensions, {a: v.getncattr(a) for a in v.ncattrs()},
                        read)
    return ({a: d.getncattr(a) for a in d.ncattrs()},
            {name: of(v) for name, v in d.variables.items()})


def held_by(dataset: xarray.Dataset) -> Held:
    """The same of a dataset of xarray."""
    def of(v: xarray.Variable) -> Variable:
        return Variable(dataset.encoding.get("source", "dataset"), v.shape, v.dims, v.attrs, lambda at: np.asarray(v.values[at]))
    return dict(dataset.attrs), {str(name): of(v) for name, v in dataset.variables.items()}


class Results:
    """The variables of a file by name, as numpy arrays."""

    def __init__(self, path: str, held: Held | None = None) -> None:
        """held: attributes and variables that were read already; `path` is then only their name."""
        if held is None:
            if not os.path.exists(path):
                fail(2, f"{path}: no such file")
            if not os.path.isfile(path):
                fail(2, f"{path}: not a file")
        self.path = path
        self.attrs, self.variables = held or self.read(path)
        self.attrs = clean_texts(self.attrs)
        if not str(self.attrs.get("source", "")).startswith("Wilson"):
            fail(2, f"{path}: not a result file of Wilson (its attribute source does not say so)")

        self.read_scans()

    def read_scans(self) -> None:
        """axis: (values, label) if a scan is the axis; None: the field is.  points: label and
        records of each curve.  As in `wilson table`: if each scan point has one field, the first
        scan over a number is the axis."""
        n = len(self.variables["electric_field"].values) if "electric_field" in self.variables \
            and self.variables["electric_field"].shape else 0
        self.axis: tuple[Floats, str] | None = None
        self.points: list[tuple[str, Ints]] = [("", np.arange(n))]
        scans = [(clean(name[len("scan_"):]), v) for name, v in self.variables.items()
                 if name.startswith("scan_")]
        if not scans or n == 0:
            return
        texts = {name: [self.scan_text(v, i) for i in range(n)] for name, v in scans}
        if n > 1 and all(t[0] == t[1] for t in texts.values()):
            numbers = []
        else:
            numbers = [name for name, v in scans if "units" in v.attrs][:1]
        for name, v in scans:
            if name in numbers:
                units, scale = str(v.attrs["units"]), 1.0
                if units == "rad":
                    units, scale = "degrees", 180 / np.pi
                what = str(v.attrs.get("key", name))
                self.axis = (scale * np.asarray(v.values, dtype=float),
                             what if units == "1" else f"{what} ({units})")
        records: dict[str, list[int]] = {}
        for i in range(n):
            text = ", ".join(f"{name} {t[i]}" for name, t in texts.items() if name not in numbers)
            records.setdefault(text, []).append(i)
        self.points = [(text, np.array(i)) for text, i in records.items()]

    @staticmethod
    def scan_text(v: Variable, i: int) -> str:
        if "units" not in v.attrs:
            return clean(v.values[i])
        units, value = str(v.attrs["units"]), float(v.values[i])
        if units == "rad":
            units, value = "deg", value * 180 / np.pi
        return "auto" if np.isnan(value) else f"{value:.4g}" + ("" if units == "1" else f" {units}")

    @staticmethod
    def read(path: str) -> Held:
        try:
            import netCDF4
        except ImportError:
            missing_module("netCDF4", "python3-netcdf4")
        try:
            return read_netcdf(netCDF4, path)
        except Exception as e:
            fail(2, f"{path}: cannot be read as netCDF: {str(e).splitlines()[0]}")

    def has(self, name: str) -> bool:
        """Is the variable present, with at least one number written; of a series, one record?"""
        for series in "map", "sample":
            if name in self.variables and self.is_of(series, name):
                return self.finished(series) > 0
        return name in self.variables and bool(np.isfinite(self.get(name)).any())

    def get(self, name: str) -> Floats:
        return np.asarray(self.variables[name].values, dtype=float)

    def is_of(self, series: str, name: str) -> bool:
        """Whether a variable belongs to a series; in older files its dimension is "map"."""
        return self.variables[name].dims[:1] in ((series,), (series + "_time",))

    def finished(self, series: str) -> int:
        """Records of a series, "map" or "sample", that were written."""
        name = series + "_time"
        return int(np.isfinite(self.get(name)).sum()) if name in self.variables else 0

    def dimensions(self) -> int:
        """Number of axes of the grid of a plasma; 0 if the file does not give it."""
        axes = [a for a in "xyz" if a in self.variables]
        place = [v for name, v in self.variables.items() if name.startswith("position_")]
        return len(axes) or (place[0].shape[2] if place else 0)

    def is_rz(self) -> bool:
        """Whether the axes x and y of the file are r and z: the whole domain, not a metre of it."""
        return self.scenario().get("grid.geometry") == "r-z"

    def axis_name(self, axis: str) -> str:
        """What an axis of the grid, as the file names it, is called in pictures."""
        return {"x": "r", "y": "z"}.get(axis, axis) if self.is_rz() else axis

    def scenario(self) -> dict[str, str]:
        """{"walls.x_low.field": "dirichlet"}: the resolved scenario, which has a key a line."""
        groups, keys = [], {}
        for line in str(self.attrs.get("scenario", "")).split("\n"):
            name, is_key, value = line.strip().partition(" = ")
            if value == "{":
                groups.append(name)
            elif name == "};" and groups:
                groups.pop()
            elif is_key:
                keys[".".join(groups + [name])] = value.rstrip(";").strip('"')
        return keys

    def error(self, name: str) -> Floats:
        """Standard errors of `name`; zeros if there are none."""
        if name + "_error" not in self.variables:
            return np.zeros_like(self.get(name))
        e = self.get(name + "_error")
        return np.where(np.isfinite(e), e, 0.0)

    def attr(self, name: str, key: str, default: str = "") -> str:
        return str(self.variables[name].attrs.get(key, default))

    def names(self, name: str) -> list[str]:
        v = self.variables[name].values
        return [clean(s.decode(errors="replace") if isinstance(s, bytes) else s)
                for s in np.atleast_1d(v)]
