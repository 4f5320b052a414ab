"""Scans over keys: on the processors of this machine, or as jobs of Slurm."""
from __future__ import annotations

import itertools
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .program import Error
from .results import open_results
from .running import start
from .scenario import Scenario

if TYPE_CHECKING:
    import xarray


def points(over: Mapping[str, Sequence[Any]]) -> Iterator[dict[str, Any]]:
    """All combinations of the values, the last key fastest."""
    for values in itertools.product(*over.values()):
        yield dict(zip(over, values))


def _texts(point: Mapping[str, Any]) -> dict[str, Any]:
    """Values of keys as numbers or text, for coordinates and points.json."""
    def one(v: Any) -> Any:
        if isinstance(v, (list, tuple)):
            return ", ".join(map(str, v))
        return v if isinstance(v, (int, float)) else str(v)
    return {key: one(v) for key, v in point.items()}


def file_of(folder: Path, i: int) -> Path:
    return folder / f"point-{i:04d}.nc"


def done(path: Path) -> bool:
    """Whether the file is that of a finished run."""
    try:
        with open_results(path) as d:
            return float(d.attrs.get("complete", 0)) == 1
    except (OSError, ValueError):
        return False


def scan(scenario: str | os.PathLike[str] | Mapping[str, Any] | Scenario, over: Mapping[str, Sequence[Any]],
         folder: str | os.PathLike[str], *, workers: int | None = None, threads: int = 1, **options: Any) -> xarray.Dataset:
    """Runs a scenario for all combinations of values of keys, and returns the results with a dimension `point`.

    over: key -> its values, as {"gas.temperature": ["300 K", "600 K"]}; keys become coordinates along `point`.  folder:
    holds point-0000.nc and so on, and points.json, which says what they are; points that are finished there are not run
    again.  workers: runs at a time (default: processors / threads).  options: those of `run` but output and progress; keys for all points stand in `scenario`.  Points that fail do not
    stop others; their messages are raised together at the end.  Scans in one file, with common random numbers, are made
    by the keys `scan.<NAME>` of a scenario.
    """
    base, place, todo = _prepare(scenario, over, folder)
    workers = workers or max(1, (os.cpu_count() or 1) // threads)

    def one(i: int) -> str | None:  # no file is read here: HDF5 of several threads writes its errors to the terminal
        try:
            start(base.with_keys(todo[i]), file_of(place, i), threads=threads, **options)
        except Error as e:
            return f"point {i}, {_texts(todo[i])}: {e}"
        return None

    left = [i for i in range(len(todo)) if not done(file_of(place, i))]
    with ThreadPoolExecutor(workers) as pool:
        failed = [message for message in pool.map(one, left) if message]
    if failed:
        raise Error(failed)
    return collect(place)


def _prepare(scenario: str | os.PathLike[str] | Mapping[str, Any] | Scenario, over: Mapping[str, Sequence[Any]],
             folder: str | os.PathLike[str]) -> tuple[Scenario, Path, list[dict[str, Any]]]:
    base, place = Scenario(scenario), Path(folder)
    todo = list(points(over))
    if not todo:
        raise ValueError("a key without values: " + ", ".join(k for k, v in over.items() if not len(v)))
    place.mkdir(parents=True, exist_ok=True)
    with base.file() as path:
        text = Path(path).read_text(encoding="utf-8")
    record = {"scenario": text, "keys": {k: str(v) for k, v in base.keys.items()},
              "points": [_texts(p) for p in todo]}
    said = place / "points.json"
    if said.exists() and json.loads(said.read_text()) != record:
        raise ValueError(f"{said}: of another scan; name another folder")
    said.write_text(json.dumps(record, indent=1))
    return base, place, todo


def collect(folder: str | os.PathLike[str]) -> xarray.Dataset:
    """The results of the points of a scan that are finished, along `point`, with its keys as coordinates."""
    import xarray
    place = Path(folder)
    todo = json.loads((place / "points.json").read_text())["points"]
    there = [i for i in range(len(todo)) if done(file_of(place, i))]
    if not there:
        raise ValueError(f"{place}: none of {len(todo)} points is finished")
    whole = xarray.concat([open_results(file_of(place, i), load=True) for i in there], dim="point", join="outer",
                          combine_attrs="drop_conflicts", data_vars="all", coords="minimal", compat="override")
    taken = set(whole.variables) | set(whole.dims)
    names = {key: key if key not in taken else "key_" + key for key in todo[0]}
    return whole.assign_coords({"point": there, **{names[key]: ("point", [todo[i][key] for i in there]) for key in names}})


def slurm(scenario: str | os.PathLike[str] | Mapping[str, Any] | Scenario, over: Mapping[str, Sequence[Any]],
          folder: str | os.PathLike[str], *, threads: int = 1, time: str = "01:00:00", lines: Sequence[str] = (),
          program: str = "wilson") -> Path:
    """Writes scan.sbatch, an array of jobs for the points of a scan; `collect` reads the results.

    Nothing is submitted: `sbatch scan.sbatch` in the folder does that.  time: of one point.  lines: more lines for the head
    of the script, as "#SBATCH --gres=gpu:1" or "module load wilson".  Returns the path of the script.
    """
    import shlex
    base, place, todo = _prepare(scenario, over, folder)
    path = base.path.resolve() if base.path else place.resolve() / "scenario.cfg"  # files that it names are beside it
    if not base.path:
        path.write_text(base.text or "", encoding="utf-8")
    cases = "\n".join(f"{i}) set -- {shlex.join(base.with_keys(p).arguments())} ;;" for i, p in enumerate(todo))
    text = f"""#!/bin/sh
#SBATCH --array=0-{len(todo) - 1}
#SBATCH --cpus-per-task={threads}
#SBATCH --time={time}
""" + "".join(line + "\n" for line in lines) + f"""# A point that was stopped goes on from its last checkpoint.
case $SLURM_ARRAY_TASK_ID in
{cases}
esac
exec {shlex.quote(program)} run {shlex.quote(str(path))} "$@" --threads {threads} --quiet --restart auto \\
  --output "$(printf 'point-%04d.nc' "$SLURM_ARRAY_TASK_ID")"
"""
    script = place / "scan.sbatch"
    script.write_text(text)
    return script
