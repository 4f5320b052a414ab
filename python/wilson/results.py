"""Result files as datasets of xarray."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy
    import xarray


def open_results(path: str | os.PathLike[str], *, load: bool = False) -> xarray.Dataset:
    """Opens a result file of `wilson run`, `wilson xs` or `wilson converge`; FILE.nc.part of a run that goes on will do.

    The dataset has the file's coordinates (fields, energies, times, places, names of processes and species), units and
    long names; `doc/output.md` lists the variables.  NAME_error is one standard error of NAME.  Texts are str, times are
    numbers in s.  load: read all into memory and close the file.  Raises ValueError for a file that is not of Wilson.
    """
    import xarray
    dataset = xarray.open_dataset(path, decode_times=False)
    if not str(dataset.attrs.get("source", "")).startswith("Wilson"):
        dataset.close()
        raise ValueError(f"{os.fspath(path)}: not a result file of Wilson (its attribute source does not say so)")
    for name, variable in dataset.variables.items():
        if variable.dtype.kind == "S" or variable.dtype == object and variable.size and isinstance(variable.values.flat[0], bytes):
            dataset[name] = variable.copy(data=_texts(variable.values))
    if load:
        dataset.load()
        dataset.close()
    dataset.encoding["source"] = os.fspath(path)
    return dataset


def _texts(values: numpy.ndarray[Any, Any]) -> numpy.ndarray[Any, Any]:
    import numpy
    flat = [v.decode("utf-8", "replace") if isinstance(v, bytes) else str(v) for v in values.ravel()]
    return numpy.array(flat, dtype=object).reshape(values.shape)
