"""Runs that are stepped from Python: wilson.Run."""
from __future__ import annotations

import ctypes
import math
import os
import tempfile
import time as clock
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple

from . import library
from .program import Error, LimitReached, RunError, messages_of
from .results import open_results
from .scenario import Scenario

if TYPE_CHECKING:
    import numpy
    import xarray
    from numpy.typing import NDArray

PAUSE = 0.1  # s of the clock that the library works before Python looks for Ctrl-C
TEXT = "scenario.cfg"  # what messages call a scenario that is no file


class Sums(NamedTuple):
    """Sums over a species.  Of a swarm or of runaways: of the weights of the electrons that were released and came of them."""
    macroparticles: float
    """number of what the program follows"""
    particles: float
    """real particles; in fewer than three dimensions per m2 (one) or per m (two)"""
    energy: float
    """kinetic, J; as `particles` in fewer dimensions"""
    momentum: NDArray[numpy.float64]
    """kg m/s, [3]"""


def _si(value: Any, unit: str) -> float:
    """A number in SI, or a quantity of pint."""
    return float(value.to(unit).magnitude if hasattr(value, "to") and hasattr(value, "magnitude") else value)


def _bytes(path: str | os.PathLike[str] | None) -> bytes | None:
    return None if path is None else os.fsencode(path)


class Run:
    """A run that is stepped, asked and driven from Python, by libwilson: its steps and its file have the bits of `wilson run`.

        with wilson.Run("runaway.cfg", electrons=100) as run:
            while not run.case_is_over:
                run.step()
                run.set_field(4e7 - 1e5 * run.sums().particles)

    scenario, keys, **more: as of `wilson.run`.  output: the file to write; without it the file is one that is removed with the run.
    restart: a checkpoint, or "auto".  threads, seed, device, scheduler: keys of the scenario.

    A process has one run at a time; `close`, or the end of `with`, ends it.  Its calls come from one thread at a time.  While one
    works, other threads of Python go on, but must not use netCDF.  Raises InputError, RunError or LimitReached as `wilson.run`
    does, with the lines of the program.  After an error of a step the run can only be closed.
    """

    def __init__(self, scenario: str | os.PathLike[str] | Mapping[str, Any] | Scenario, keys: Mapping[str, Any] | None = None, *,
                 output: str | os.PathLike[str] | None = None, restart: str | os.PathLike[str] | None = None,
                 device: str | None = None, scheduler: str | None = None, threads: int | None = None, seed: int | None = None,
                 **more: Any):
        self._run = ctypes.c_void_p()
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._closed: str | None = None  # messages, once the run has ended
        options = dict(device=device, scheduler=scheduler, threads=threads, seed=seed)
        given = Scenario(scenario, keys, **more, **{k: v for k, v in options.items() if v is not None})
        self._lib = library.load()
        self._batch = 1  # steps of a call
        if output is None:
            self._folder = tempfile.TemporaryDirectory(prefix="wilson-")
            output = Path(self._folder.name, given.name + ".nc")
        self.output = Path(output)
        """the file, complete when the run is finished; until then the records are in OUTPUT.part"""
        words = [w.encode() for w in given.arguments()[1::2]]
        setup = library.Setup(_bytes(given.path) if given.path else TEXT.encode(), len(words),
                              (ctypes.c_char_p * max(len(words), 1))(*words), _bytes(output), _bytes(restart))
        try:
            if given.path:
                status = self._lib.wilson_open(ctypes.byref(setup), ctypes.byref(self._run))
            else:
                status = self._lib.wilson_open_text((given.text or "").encode(), ctypes.byref(setup), ctypes.byref(self._run))
            self._check(status)
        except BaseException:
            self.close()
            raise

    # ---- begin and end

    def __enter__(self) -> Run:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_lib", None) is not None:
            self.close()

    def close(self) -> None:
        """Ends the run, finished or not.  Of an unfinished one OUTPUT.part stays with its finished records; without `output`
        nothing stays."""
        if self._run:
            self._closed = self.message
            self._lib.wilson_end(self._run)
            self._run = ctypes.c_void_p()
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def _check(self, status: int, said: int = 0) -> None:
        """Raises what a status says, with the messages after the first `said` lines."""
        if status == library.OK:
            return
        text = "\n".join(self.message.splitlines()[said:])
        messages = messages_of(text, "error") or messages_of(text, "warning") or messages_of(self.message, "error")
        if status == library.ENOMEM:
            messages = [*messages, "out of memory"]
        error = library.ERRORS.get(status, RunError)(messages)
        if isinstance(error, LimitReached):
            error.output = None if self._folder else os.fspath(self.output)
        raise error

    def _ask(self, name: str, *arguments: Any) -> None:
        if not self._run:
            raise RunError(["the run is closed"])
        said = len(self.message.splitlines())
        self._check(getattr(self._lib, name)(self._run, *arguments), said)

    # ---- steps

    def step(self, n: int = 1, *, until: Any = None) -> None:
        """Makes n steps, fewer where a case ends; or, with `until`, steps until the time of the case is that many s or more.

        From the end of a case it goes to time 0 of the next, and makes no step; from that of the last it finishes the run, and
        the file is complete.  until: s, or a quantity of pint.  Ctrl-C ends it after a step, and the run can go on.
        """
        if until is not None:
            self._until(_si(until, "s"))
            return
        if n != int(n) or n < 0:
            raise ValueError(f"{n!r} is no number of steps")
        left = int(n)
        while left > 0:
            had = self._state()
            part = min(left, self._batch)
            self._work("wilson_step", part)
            left -= part
            now = self._state()
            if now.case_is_over or now.is_finished or had.case_is_over:
                return

    def _until(self, until: float) -> None:
        if math.isnan(until):
            raise ValueError("until: is no number")
        first = self._state()
        if first.case_is_over:
            self._ask("wilson_step", 1)
            return
        at, length = first, 0.0
        while at.time < until and not at.case_is_over and not at.is_finished:
            if length > 0.0:  # so many steps of the length of the last, so that one can stop between them
                self._work("wilson_advance", min(until, at.time + self._batch * length))
            else:
                self._work("wilson_step", 1)
            now = self._state()
            length = (now.time - at.time) / max(now.n_steps - at.n_steps, 1)
            at = now

    def _work(self, name: str, argument: float) -> None:
        """A call that takes about PAUSE, so that Ctrl-C is seen."""
        begin = clock.perf_counter()
        self._ask(name, argument)
        took = clock.perf_counter() - begin
        if took < 0.5 * PAUSE:
            self._batch = min(2 * self._batch, 1 << 30)
        elif took > 2.0 * PAUSE:
            self._batch = max(self._batch // 2, 1)

    def finish(self) -> xarray.Dataset:
        """The rest of the run, through all its cases, to its complete file; returns the results, as `wilson.run` does."""
        while not self.is_finished:
            self.step(1 << 30)
        return self.results()

    def results(self) -> xarray.Dataset:
        """The results of a finished run: doc/output.md.  Without `output` they are read into memory.  RunError before the end."""
        if not self.is_finished:
            raise RunError(["the run is not finished; what it has written so far is in OUTPUT.part"])
        data = open_results(self.output, load=self._folder is not None)
        if self._folder is not None:
            data.encoding.pop("source")
        return data

    # ---- where it is

    def _state(self) -> library.State:
        if not self._run:
            raise RunError(["the run is closed"])
        state = library.State()
        self._lib.wilson_state(self._run, ctypes.byref(state))
        return state

    @property
    def time(self) -> float:
        """s, of the case"""
        return float(self._state().time)

    @property
    def n_steps(self) -> int:
        """steps of the case"""
        return int(self._state().n_steps)

    @property
    def i_case(self) -> int:
        """number of the case in the scenario, from 0"""
        return int(self._state().i_case)

    @property
    def case_is_over(self) -> bool:
        """whether the last step ended its case"""
        return bool(self._state().case_is_over)

    @property
    def is_finished(self) -> bool:
        """whether all cases are over and the file is complete"""
        return bool(self._state().is_finished)

    @property
    def message(self) -> str:
        """Errors and warnings so far, a line each, as `wilson run` prints them."""
        if self._run:
            return str(self._lib.wilson_message(self._run).decode(errors="replace"))
        return self._closed or ""

    # ---- what is there now; none of it changes a result

    @property
    def species(self) -> list[str]:
        """names of the species; empty when the run is finished"""
        if not self._run:
            raise RunError(["the run is closed"])
        return [self._lib.wilson_species_name(self._run, k).decode() for k in range(self._lib.wilson_n_species(self._run))]

    def _number(self, species: str | int) -> int:
        if isinstance(species, str):
            if species in self.species:
                return self.species.index(species)
            raise ValueError(f"no species {species!r}; there are: {', '.join(self.species) or 'none, as the run is finished'}")
        if species < 0:
            raise ValueError(f"{species!r} is no number of a species")
        return species

    def sums(self, species: str | int = 0) -> Sums:
        """Number, energy (J) and momentum (kg m/s) of a species now, by its name or number."""
        import numpy
        out = library.Sums()
        self._ask("wilson_sums", self._number(species), ctypes.byref(out))
        return Sums(out.macroparticles, out.particles, out.energy, numpy.array(out.momentum[:]))

    @property
    def nodes(self) -> tuple[int, ...]:
        """Nodes of the grid along its axes, (z, y, x), (y, x) or (x,); (): the run has no grid."""
        if not self._run:
            raise RunError(["the run is closed"])
        n = (ctypes.c_size_t * 3)()
        self._lib.wilson_nodes(self._run, n)
        return tuple(int(k) for k in reversed(n) if k > 1)

    def _on_nodes(self, name: str, *arguments: Any) -> NDArray[numpy.float64]:
        import numpy
        out = numpy.empty(self.nodes)
        self._ask(name, *arguments, out.ctypes.data_as(ctypes.POINTER(ctypes.c_double)), out.size)
        return out

    def potential(self) -> NDArray[numpy.float64]:
        """V at the nodes, axes as of `nodes`, of the field of the last step: at its middle.  A copy.  After a step of this run."""
        return self._on_nodes("wilson_potential")

    def density(self, species: str | int = 0) -> NDArray[numpy.float64]:
        """m-3 of a species at the nodes, as its charge was deposited at the middle of the last step.  A copy."""
        return self._on_nodes("wilson_density", self._number(species))

    # ---- what drives it, from the next step on; the file does not know of it, nor does a checkpoint

    def set_field(self, field: Any) -> None:
        """The uniform field, V/m (or a quantity of pint) along that of the scenario.  Job runaway; InputError for others."""
        self._ask("wilson_set_field", _si(field, "V/m"))

    def set_voltage(self, surface: str, voltage: Any) -> None:
        """The voltage, V (or a quantity of pint), of a side ("x_low") or an electrode, or of the source behind its circuit.

        InputError: there is none of that name, it has no given potential, or the field is not `electrostatic`."""
        self._ask("wilson_set_voltage", surface.encode(), _si(voltage, "V"))

    def __repr__(self) -> str:
        if not self._run:
            return f"<wilson.Run {self.output.name}: closed>"
        s = self._state()
        return f"<wilson.Run {self.output.name}: case {s.i_case}, {s.time:.6g} s, {s.n_steps} steps" + \
            (", finished>" if s.is_finished else ">")


__all__ = ["Error", "Run", "Sums"]
