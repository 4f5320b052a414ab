# wilson/plot/averages.py - means of a plasma over windows of time: profiles with their errors, maps
# in two and three dimensions, and profiles over the RF phases of a period.  The variables are
# those of src/diag/averages.c: average_WINDOW_NAME(z, y, x) and
# phase_average_WINDOW_NAME(phase, z, y, x) with an _error each; unfinished blocks are not
# included.
from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from .draw import colour_bar, colours, label, legend_above, mark, plain_axis, say_empty, scaled
from .maps import (FIELD, Maps, colour_range, half_cell, map_panel, place_text, quantity, span,
                   species_of)
from .failure import fail
from .results import nearest_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from .choice import Choice
    from .kinds import Floats, Panel
    from .results import Results

# Quantities of these kinds share a panel, one curve a species.
SHARED = {"density": "density", "flux": "flux", "mean_energy": "mean energy",
          "power": "power of the field"}
BARS = 25  # largest number of error bars of a curve: more would hide it


def parts(name: str) -> tuple[str, str]:
    """("flux along x", "electrons") of flux_electrons_x; ("", "") for quantities of no species."""
    for prefix, what in SHARED.items():
        if name.startswith(prefix + "_"):
            of = name[len(prefix) + 1:]
            return (f"{what} along {of[-1]}", of[:-2]) if prefix == "flux" else (what, of)
    return "", ""


class Means(Maps):
    """The means of one window, or of its RF phases, with the interface of Maps."""

    def __init__(self, r: Results, choice: Choice, i: int, prefix: str = "average_") -> None:
        self.r, self.choice, self.i = r, choice, i
        self.species = species_of(r)
        self.window = r.names("window_name")[i]
        self.prefix = f"{prefix}{self.window}_"
        self.axes = [a for a in "xyz" if a in r.variables]
        self.at = {a: r.get(a) for a in self.axes}
        names = [name[len(self.prefix):] for name, v in r.variables.items()
                 if name.startswith(self.prefix) and not name.endswith("_error") and
                 v.dims[-1:] == ("x",)]
        # With windows "a" and "a_b", quantities that begin with "b_" do not belong to the first.
        others = [w[len(self.window) + 1:] + "_" for w in r.names("window_name")
                  if w.startswith(self.window + "_")]
        self.names = [n for n in names if not any(n.startswith(o) for o in others)]
        wanted = self.by_default()
        if choice.maps and self.is_written():
            wanted = choice.maps_of(self.names, self.variables_of, r.path, "average")
        # Curves have errors, and a magnitude would have none: there the field is its components.
        self.curves = [n for name in wanted for n in self.variables_of(name)]
        self.drawn = wanted

    def is_written(self) -> bool:
        blocks = self.r.get("window_blocks")[self.i] if self.r.has("window_blocks") else np.nan
        return bool(np.isfinite(blocks)) and len(self.names) > 0

    def read(self, name: str) -> Floats:
        return self.r.get(self.prefix + name)

    def values(self, name: str, _: Sequence[int] | None, fixed: dict[str, float], option: str) -> Floats:
        """As Maps.values; with RF phases, these are the first dimension."""
        if name == FIELD:  # of the mean field
            return np.sqrt(sum(self.values(n, None, fixed, option) ** 2
                               for n in self.variables_of(FIELD)))
        v = self.read(name)
        lead = v.ndim - len(self.axes)
        for axis, where in fixed.items():
            v = self.cut(option, v, axis, where) if lead == 0 else \
                np.stack([self.cut(option, one, axis, where) for one in v])
        return v.squeeze(tuple(lead + len(self.axes) - 1 - self.axes.index(a) for a in fixed))

    def when(self) -> list[tuple[list[int], str]]:
        return [([0], self.text())]

    def units(self, name: str) -> str:
        return self.r.attr(self.prefix + self.variables_of(name)[0], "units")

    def title(self, text: str) -> str:
        return text

    def text(self) -> str:
        """"last: 10 to 20 us, 32 periods": the finished part of a window."""
        start, end = (self.r.get(n)[self.i] for n in ("window_start", "window_end"))
        size, units = scaled("s", end)
        period, blocks = (self.r.get(n)[self.i] for n in ("window_period", "window_blocks"))
        text = f"{self.window}: {start / size:.5g} to {end / size:.5g} {units}"
        if np.isfinite(period):
            text += f", {(end - start) / period:.4g} periods"
        return text + f", {blocks:.0f} block{'s' if blocks != 1 else ''}"


def profile_panel(ax: Axes, m: Means, names: list[str]) -> None:
    """Curves along a line with standard errors: bars, or a band for many points."""
    axis, fixed = m.line()
    curves = [(name, m.values(name, None, fixed, "--line"),
               m.values(name + "_error", None, fixed, "--line")) for name in names]
    every = np.concatenate([np.abs(v[np.isfinite(v)]) for _, v, _ in curves] or [np.zeros(1)])
    size, units = scaled(m.units(names[0]), every.max() if every.size else 0.0)
    long, long_units = scaled("m", m.at[axis][-1])
    x = m.at[axis] / long
    step = max(1, -(-len(x) // BARS))
    for i, ((name, v, e), colour) in enumerate(zip(curves, colours(len(curves)))):
        v, e = v / size, np.where(np.isfinite(e), e, 0.0) / size
        ax.plot(x, v, color=colour, linewidth=1.2, label=parts(name)[1], marker=mark(len(x)),
                markersize=4)
        ax.fill_between(x, v - e, v + e, color=colour, alpha=0.2, linewidth=0)
        at = slice((i * step) // max(len(curves), 1), None, step)
        ax.errorbar(x[at], v[at], yerr=e[at], fmt="none", ecolor=colour, elinewidth=1,
                    capsize=2)
    say_empty(ax, np.concatenate([v for _, v, _ in curves]))
    ax.set_xlim(*span(x))
    low, high = ax.get_ylim()
    if low >= -0.06 * high and all((v[np.isfinite(v)] >= 0).all() for _, v, _ in curves):
        ax.set_ylim(0, high)
    plain_axis(ax.xaxis)
    plain_axis(ax.yaxis)
    ax.set_xlabel(label(m.r.axis_name(axis), long_units))
    what = parts(names[0])[0]
    ax.set_ylabel(label(what or quantity(names[0], m.species), units))
    if not what:
        for line in ax.get_lines():
            line.set_label("_")
    legend_above(ax, text=", ".join(t for t in (m.text(), place_text(fixed, m.r)) if t))


def phase_panel(ax: Axes, m: Means, name: str) -> None:
    """A profile over a period: RF phase to the right, position upwards."""
    axis, fixed = m.line()
    v = m.values(name, None, fixed, "--line")
    finite = v[np.isfinite(v)]
    low, high, cmap = colour_range(finite.min(), finite.max()) if finite.size else \
        colour_range(0.0, 0.0)
    size, units = scaled(m.units(name), max(abs(low), abs(high)))
    long, long_units = scaled("m", m.at[axis][-1])
    y = m.at[axis] / long
    h = half_cell(y)
    image = ax.imshow(v.T / size, origin="lower", aspect="auto", cmap=cmap, vmin=low / size,
                      vmax=high / size, interpolation="nearest",
                      extent=(0.0, 1.0, y[0] - h, y[-1] + h))
    ax.set_ylim(*span(y))
    ax.grid(False)
    plain_axis(ax.xaxis)
    plain_axis(ax.yaxis)
    ax.set_xlabel("time (periods)")
    ax.set_ylabel(label(m.r.axis_name(axis), long_units))
    colour_bar(ax, image, label(quantity(name, m.species), units))
    say_empty(ax, v)
    ax.set_title(", ".join(t for t in (m.text(), place_text(fixed, m.r)) if t), fontsize=8.5)


def chosen(r: Results, choice: Choice) -> list[int]:
    """Numbers of the windows to draw."""
    if "window_name" not in r.variables:
        return []
    names = r.names("window_name")
    for name in choice.averages or []:
        if name not in names:
            fail(2, f"--average: {r.path} has no window {name}; {nearest_text(name, names)}it has: "
                    + ", ".join(names))
    return [i for i, name in enumerate(names) if not choice.averages or name in choice.averages]


def groups_of(names: list[str]) -> list[list[str]]:
    """Groups of names that share a panel, ordered by the first name of each."""
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(parts(name)[0] or name, []).append(name)
    return list(groups.values())


def panels_of(r: Results, what: str, choice: Choice) -> list[Panel]:
    """[(draw, takes a whole row)]; what: averages or phases."""
    found: list[Panel] = []
    prefix = "phase_average_" if what == "phases" else "average_"
    there = [m for m in (Means(r, choice, i, prefix) for i in chosen(r, choice))
             if m.is_written()]
    for m in there:
        why = m.why_no_line()
        if what == "phases":
            if not why:
                found += [(partial(phase_panel, m=m, name=n), False) for n in m.curves]
            elif choice.what == "phases" or choice.lines:
                fail(2, f"{r.path}: {why}")
        elif not why:
            found += [(partial(profile_panel, m=m, names=g), False)
                      for g in groups_of(m.curves)]
        elif choice.lines:
            fail(2, f"{r.path}: {why}")
        else:
            found += [(partial(map_panel, m=m, name=n), False) for n in m.drawn]
    return found
