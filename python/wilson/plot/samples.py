# wilson/plot/samples.py - phase space of a plasma from its samples of particles.  The variables
# are those of src/diag/samples.c: position_NAME(sample, particle, axis), velocity_NAME likewise,
# NaN where a particle has ended.
#
# Species of similar speed share a panel; draw() returns a function that updates it to another
# sample.
from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from .draw import colours, label, legend_above, plain_axis, scaled
from .maps import nearest, time_text
from .failure import fail

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from matplotlib.axes import Axes

    from .choice import Choice
    from .kinds import Floats, Panel, Update
    from .results import Results

POINTS = 20000  # largest number of particles of a species in a plot


class Samples:
    """The series of samples of a file."""

    def __init__(self, r: Results, choice: Choice) -> None:
        self.r, self.choice = r, choice
        self.n = r.finished("sample")
        self.times = r.get("sample_time")[:self.n] if self.n else np.array([])
        self.step = np.diff(self.times).min() if self.n > 1 else 0.0
        self.names = [name[len("position_"):] for name in r.variables
                      if name.startswith("position_")]
        self.axes = choice.axes or ["x", "vx"]
        if self.n and self.names:
            for axis in self.axes:
                v = r.variables[("velocity_" if len(axis) == 2 else "position_") + self.names[0]]
                if "xyz".index(axis[-1]) >= v.shape[2]:
                    fail(2, f"--axes: the particles of {r.path} have no {axis}")

    def values(self, name: str, axis: str, k: int) -> Floats:
        """One component of the particles of sample k: m, or m/s times gamma."""
        of = "velocity_" if len(axis) == 2 else "position_"
        v = self.r.variables[of + name].record(k)[:, "xyz".index(axis[-1])]
        return v[::max(len(v) // POINTS, 1)]

    def which(self) -> int:
        if self.choice.mean:
            return self.n - 1
        if self.choice.times:
            if len(self.choice.times) > 1:
                fail(2, "--time: one for phase space; several are for lines")
            return nearest("--time", self.r.path, self.times, self.choice.times[0])
        return self.n - 1

    def range(self, names: list[str], axis: str, ks: Iterable[int]) -> tuple[float, float]:
        low, high = np.inf, -np.inf
        for name in names:
            for k in ks:
                v = self.values(name, axis, k)
                v = v[np.isfinite(v)]
                if v.size:
                    low, high = min(low, v.min()), max(high, v.max())
        return (low, high) if low <= high else (0.0, 1.0)

    def groups(self, k: int) -> list[list[str]]:
        """Species whose speeds differ by less than a factor of 4 share a panel."""
        groups: list[tuple[float, list[str]]] = []
        for name in self.names:
            most = max(map(abs, self.range([name], "vx", [k])))
            for g in groups:
                if g[0] / 4 < most < 4 * g[0]:
                    g[1].append(name)
                    break
            else:
                groups.append((most, [name]))
        return [names for _, names in groups]


def axis_text(axis: str) -> str:
    return f"$\\gamma v_{axis[1]}$" if len(axis) == 2 else axis


def panel(ax: Axes, s: Samples, names: list[str]) -> Update:
    k = s.which()
    ks = range(s.n) if s.choice.film else [k]
    sizes = []
    set_limits: list[Callable[[float, float], object]] = [ax.set_xlim, ax.set_ylim]
    set_labels: list[Callable[[str], object]] = [ax.set_xlabel, ax.set_ylabel]
    for axis, limits, text in zip(s.axes, set_limits, set_labels):
        low, high = s.range(names, axis, ks)
        if axis in s.r.variables:  # the whole domain
            low, high = s.r.get(axis)[[0, -1]]
        size, units = scaled("m s-1" if len(axis) == 2 else "m", max(abs(low), abs(high)))
        room = (0.06 if len(axis) == 2 else 0.0) * (high - low) or 0.0
        if high <= low:
            room = 0.1 * abs(low) or 1.0
        limits((low - room) / size, (high + room) / size)
        text(label(axis_text(axis), units))
        sizes.append(size)
    plain_axis(ax.xaxis)
    plain_axis(ax.yaxis)
    if all(len(axis) == 1 for axis in s.axes):
        ax.set_aspect("equal")
    drawn = []
    for name in names:
        shade = colours(len(s.names) + 1)[1 + s.names.index(name)]
        x, y = (s.values(name, axis, k) / size for axis, size in zip(s.axes, sizes))
        marker = float(np.clip(60.0 / np.sqrt(max(len(x), 1)), 0.7, 4.0))
        drawn.append(ax.plot(x, y, "o", color=shade, markersize=marker, markeredgewidth=0,
                             alpha=0.6, rasterized=True, label=name)[0])
    def heading(i: int) -> str:
        return "t = " + time_text(s.times[i], s.times[-1], s.step)
    set_text = legend_above(ax, text=heading(k), handletextpad=0.2)
    legend = ax.get_legend()
    for line in legend.get_lines() if legend is not None else []:
        line.set(markersize=5, alpha=1.0)

    def say(i: int) -> None:
        set_text(heading(i))

    def update(i: int) -> None:
        for name, points in zip(names, drawn):
            points.set_data(*(s.values(name, axis, i) / size
                              for axis, size in zip(s.axes, sizes)))
        say(i)
    say(k)
    return update


def panels_of(r: Results, _what: str, choice: Choice) -> list[Panel]:
    """[(draw, takes a whole row)]"""
    s = Samples(r, choice)
    if s.n == 0 or not s.names:
        return []
    names = s.groups(s.which())
    return [(partial(panel, s=s, names=group), False) for group in names]


def names_of(r: Results, _what: str, choice: Choice) -> tuple[list[str], str]:
    """What each of the panels shows, and where to see the others."""
    s = Samples(r, choice)
    return ([", ".join(group) for group in s.groups(s.which())],
            "--what phase-space without --film draws all, at the time of --time")
