"""Runs of the program, with progress in terminals and notebooks."""
from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from .program import LimitReached, call
from .results import open_results
from .scenario import Scenario, option_words

if TYPE_CHECKING:
    import xarray


class Progress:
    """Shows the last progress line in place, and messages below one another."""

    def __init__(self, out: TextIO | None = None) -> None:
        self.out = out or sys.stderr
        self.width = 0

    def __call__(self, line: str) -> None:
        passing = not line.startswith("wilson: ")
        text = line if passing else line[len("wilson: "):]
        self.out.write("\r" + text.ljust(self.width) + ("" if passing else "\n"))
        self.width = len(text) if passing else 0
        self.out.flush()

    def end(self) -> None:
        if self.width:
            self.out.write("\r" + " " * self.width + "\r")
            self.out.flush()


def start(scenario: Scenario, output: str | os.PathLike[str], *, device: str | None = None, scheduler: str | None = None,
          threads: int | None = None, seed: int | None = None, restart: str | os.PathLike[str] | None = None,
          no_clobber: bool = False, command: Sequence[str] = (),
          progress: bool | Callable[[str], None] = False) -> None:
    """Runs a scenario to its file; as `run`, which also reads it."""
    show = Progress() if progress is True else None
    on_line = show if progress is True else progress or None
    options = dict(device=device, scheduler=scheduler, threads=threads, seed=seed, restart=restart, no_clobber=no_clobber)
    with scenario.file() as file:
        try:
            call(["run", file, *scenario.arguments(), "--output", output, *option_words(options)],
                 on_line=on_line, command=command)
        except LimitReached as limit:
            limit.output = os.fspath(output)
            raise
        finally:
            if show:
                show.end()


def run(scenario: str | os.PathLike[str] | Mapping[str, Any] | Scenario, keys: Mapping[str, Any] | None = None, *,
        output: str | os.PathLike[str] | None = None, device: str | None = None, scheduler: str | None = None,
        threads: int | None = None, seed: int | None = None, restart: str | os.PathLike[str] | None = None,
        no_clobber: bool = False, command: Sequence[str] = (),
        progress: bool | Callable[[str], None] = False, **more: Any) -> xarray.Dataset:
    """Runs a scenario and returns its results.

    scenario: as in `Scenario`: a file, a name, a text or a mapping.  keys, **more: values that replace its own, as
    electrons=2000 or keys={"gas.pressure": "10 Torr"}.  output: the file to write; without it results are read into
    memory, and no file is left.  device, scheduler, threads, seed, restart, no_clobber: as of `wilson run`.  command: what
    starts the program, as ["mpirun", "-n", "4"].  progress: True shows it on standard error, a function gets each line.

    Raises InputError (a scenario, an option or a file is wrong), RunError (the run failed) or LimitReached
    (checkpoint.wall_limit or .step_limit; restart="auto" goes on).
    """
    given = Scenario(scenario, keys, **more)

    def to(path: str | os.PathLike[str]) -> None:
        start(given, path, device=device, scheduler=scheduler, threads=threads, seed=seed, restart=restart,
              no_clobber=no_clobber, command=command, progress=progress)

    if output is not None:
        to(output)
        return open_results(output)
    with tempfile.TemporaryDirectory(prefix="wilson-") as folder:
        path = Path(folder, given.name + ".nc")
        try:
            to(path)
        except LimitReached as limit:
            limit.output = None  # it goes with the folder
            raise
        dataset = open_results(path, load=True)
        dataset.encoding.pop("source")
        return dataset
