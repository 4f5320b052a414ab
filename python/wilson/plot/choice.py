# wilson/plot/choice.py - command-line options for plasmas: times, positions and windows, with
# units.  An invalid one ends the program with status 2.
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .failure import fail
from .results import nearest_text

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable
    from types import SimpleNamespace

TIMES = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9, "ps": 1e-12, "fs": 1e-15}
# The options of the command that choose parts of the results, in the order in which they are checked.
OPTIONS = ("window", "mean", "time", "line", "slice", "map", "axes", "average", "energy", "film")
LENGTHS = {"m": 1.0, "cm": 1e-2, "mm": 1e-3, "um": 1e-6, "µm": 1e-6, "nm": 1e-9}


def split_unit(text: str) -> tuple[str, str]:
    """"12 ns" -> ("12", "ns")."""
    text = text.strip()
    number = text.rstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZµμ").strip()
    return number, text[len(number):].strip().replace("μ", "µ")


def number(option: str, text: str, units: dict[str, float], unit: str = "") -> float:
    """A number in SI; `unit` applies if the text has none."""
    value, own = split_unit(text)
    own = own or unit
    try:
        return float(value) * (units[own] if own else 1.0)
    except (ValueError, KeyError):
        fail(2, f"{option}: {text!r} is not a number with one of the units {' '.join(units)}")


def window(option: str, text: str | None) -> tuple[float, float] | None:
    """T0:T1 in s; a unit after T1 alone applies to both."""
    if text is None:
        return None
    ends = text.split(":")
    if len(ends) != 2:
        fail(2, f"{option}: {text!r} is not T0:T1, for example 2:8ns")
    t0, t1 = (number(option, e, TIMES, split_unit(ends[1])[1]) for e in ends)
    if not t0 < t1:
        fail(2, f"{option}: {text!r} ends before it begins")
    return t0, t1


def place(option: str, text: str) -> tuple[str, float]:
    """AXIS=VALUE as ("x", m)."""
    axis, equal, value = text.partition("=")
    if axis.strip() not in ("x", "y", "z") or not equal:
        fail(2, f"{option}: {text!r} is not AXIS=VALUE, for example y=5mm")
    return axis.strip(), number(option, value, LENGTHS)


class Choice:
    """The options for parts of the results.  given: the names of those on the command line;
    what: the kind of result that is being looked for; found, had: names of --map that there are,
    and all that could be named."""

    def __init__(self, args: Namespace | SimpleNamespace | None = None) -> None:
        def arg(name: str) -> Any:
            return getattr(args, name, None)
        self.what = "all"
        self.found: set[str] = set()
        self.had: list[str] = []
        self.energy: str = arg("energy") or "log"
        self.window = window("--window", arg("window"))
        self.mean = window("--mean", arg("mean"))
        self.times: list[float] | None = None
        if arg("time"):
            texts = arg("time").split(",")
            unit = split_unit(texts[-1])[1]
            self.times = [number("--time", t, TIMES, unit) for t in texts]
        self.lines = dict(place("--line", t) for t in arg("line") or [])
        self.slice = place("--slice", arg("slice")) if arg("slice") else None
        self.maps: list[str] | None = [v.strip() for v in arg("map").split(",")] if arg("map") else None
        self.averages: list[str] | None = [v.strip() for v in arg("average").split(",")] if arg("average") else None
        self.axes: list[str] | None = None
        if arg("axes"):
            self.axes = [a.strip() for a in arg("axes").split(",")]
            if len(self.axes) != 2 or not set(self.axes) <= {"x", "y", "z", "vx", "vy", "vz"}:
                fail(2, f"--axes: {arg('axes')!r} is not two of x, y, z, vx, vy, vz with a "
                        "comma between them")
        if self.times and self.mean:
            fail(2, "--time and --mean: one of the two")
        self.film = bool(arg("film"))
        if self.film and (self.times or self.mean):
            fail(2, f"--film: goes through all times, {'--time' if self.times else '--mean'} "
                    "names some")
        self.given = [name for name in OPTIONS if name != "film" and arg(name)]

    def maps_of(self, names: list[str], made_of: Callable[[str], list[str]], path: str, of: str) -> list[str]:
        """The names of --map that a group of results has.  If that group was asked for, others end
        the program; else another group may have them, and main looks at `found` in the end."""
        self.had += [n for n in names if n not in self.had]
        wanted = self.maps or []
        there = [n for n in wanted if made_of(n)]
        self.found |= set(there)
        for name in wanted:
            if name not in there and self.what != "all":
                fail(2, f"--map: {path} has no {of} {name}; {nearest_text(name, names)}it has: "
                        + ", ".join(names))
        return there
