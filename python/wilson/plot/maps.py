# wilson/plot/maps.py - maps of a plasma in two or three dimensions, and line-outs in any number of
# dimensions.  The variables are those of src/diag/maps.c: NAME(map, z, y, x) at the nodes, x fastest; or
# those of src/diag/ten_moments.c.
#
# draw() of a panel returns a function that updates it to another map, for films.
from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from .draw import colour_bar, colours, label, legend_above, mark, plain_axis, say_empty, scaled, sequence
from .failure import fail

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from .choice import Choice
    from .kinds import Floats, Panel, Update
    from .results import Results

FIELD = "electric_field"  # no variable: the magnitude of those that the file has of its components

NAMES = {"charge_density": "charge density", FIELD: "electric field $|E|$",
         "electric_field_x": "electric field $E_x$", "electric_field_y": "electric field $E_y$", "electric_field_z": "electric field $E_z$"}


def rate_of(name: str, species: Sequence[str]) -> tuple[str, str]:
    """("ionization", "electrons") of rate_ionization_electrons; both may have underscores."""
    rest = name[len("rate_"):]
    of = max((s for s in species if rest.endswith("_" + s)), key=len, default=rest.rpartition("_")[2])
    return rest[:-len(of) - 1].replace("_", " "), of


def quantity(name: str, species: Sequence[str] = ()) -> str:
    if name.startswith("rate_"):
        return "rate of {}, {}".format(*rate_of(name, species))
    if name.startswith("power_"):
        return "power to " + name[len("power_"):]
    for prefix in ("density", "mean_energy"):
        if name.startswith(prefix + "_"):
            return prefix.replace("_", " ") + " of " + name[len(prefix) + 1:]
    for prefix, of in (("rho", "charge density"), ("J", "current density"), ("P", "momentum flux"),
                       ("pressure", "pressure")):
        if name.startswith(prefix + "_"):
            rest = name[len(prefix) + 1:]
            if prefix == "rho":
                return "net charge density" if rest == "net" else f"{of} of {rest}"
            species_name, _, axes = rest.rpartition("_")
            return f"{of} ${axes}$ of {species_name}"
    if name.startswith("flux_"):
        return f"flux of {name[len('flux_'):-2]} along {name[-1]}"
    return NAMES.get(name, name.replace("_", " "))


def time_text(t: float, largest: float, step: float) -> str:
    """A time of a series, with enough digits to distinguish it from its neighbours."""
    size, units = scaled("s", largest)
    if step <= 0:
        return f"{t / size:.4g} {units}"
    digits = int(np.clip(np.ceil(-np.log10(step / size) + 0.3), 0, 6))
    return f"{t / size:.{digits}f} {units}"


def nearest(option: str, path: str, times: Floats, t: float) -> int:
    """The record whose time is nearest to t; fails for a time outside the series."""
    room = 0.5 * (times[-1] - times[0]) / max(len(times) - 1, 1)
    if not times[0] - 1.001 * room <= t <= times[-1] + 1.001 * room and t != times[0]:
        fail(2, f"{option}: {path} goes from {times[0]:.4g} s to {times[-1]:.4g} s, not to "
                f"{t:.4g} s")
    return int(np.argmin(np.abs(times - t)))


def extremes(v: Floats) -> tuple[float, float]:
    """Smallest and largest number; 0 if there is none, as for a mean energy without particles."""
    v = v[np.isfinite(v)]
    return (v.min(), v.max()) if v.size else (0.0, 0.0)


def species_of(r: Results) -> list[str]:
    return r.names("species_name") if "species_name" in r.variables else []


class Maps:
    """The series of maps of a file."""

    def __init__(self, r: Results, choice: Choice) -> None:
        self.r, self.choice = r, choice
        self.species = species_of(r)
        self.axes = [a for a in "xyz" if a in r.variables]
        self.at = {a: r.get(a) for a in self.axes}
        self.series, self.names = self.series_of()
        self.n = r.finished(self.series)
        self.times = r.get(self.series + "_time")[:self.n] if self.n else np.array([])
        self.step = np.diff(self.times).min() if self.n > 1 else 0.0
        self.drawn = self.by_default()
        if self.n and choice.maps:
            self.drawn = choice.maps_of(self.names, self.variables_of, r.path, "map")

    def names_of(self, series: str) -> list[str]:
        return [name for name, v in self.r.variables.items()
                if self.r.is_of(series, name) and len(v.dims) == 1 + len(self.axes)]

    def series_of(self) -> tuple[str, list[str]]:
        """Maps, or ten moments, which have times of their own, where --map names these alone."""
        maps, moments = self.names_of("map"), self.names_of("moment")
        asked = self.choice.maps or []
        found = [name for name in asked if name in moments]
        if found and len(found) < len(asked):
            fail(2, f"--map: {found[0]} is one of the ten moments, which have times of their own and "
                    "are drawn without others: " + ", ".join(moments))
        return ("moment", moments) if found else ("map", maps)

    def by_default(self) -> list[str]:
        """All, with one picture of the electric field: along the only axis, or its magnitude."""
        drawn = []
        for name in self.names:
            if not name.startswith(FIELD + "_"):
                drawn.append(name)
            elif len(self.axes) == 1:
                drawn.append(name)
            elif FIELD not in drawn:
                drawn.append(FIELD)
        return drawn

    def variables_of(self, name: str) -> list[str]:
        """The variables that a map is made of: the components of the field, or itself."""
        return [n for n in self.names if n == name or (name == FIELD and n[:-1] == FIELD + "_")]

    def time(self, k: int) -> str:
        return time_text(self.times[k], self.times[-1], self.step)

    def units(self, name: str) -> str:
        return self.r.attr(self.variables_of(name)[0], "units")

    def title(self, text: str) -> str:
        return text if self.choice.mean else "t = " + text

    def when(self) -> list[tuple[list[int], str]]:
        """Lists of maps to average over, and their labels."""
        if self.choice.mean:
            t0, t1 = self.choice.mean
            inside: list[int] = np.flatnonzero((self.times >= t0) & (self.times <= t1)).tolist()
            if not inside:
                fail(2, f"--mean: no map of {self.r.path} is in it; they go from "
                        f"{self.times[0]:.4g} s to {self.times[-1]:.4g} s")
            return [(inside, f"mean of {len(inside)} maps, {self.time(inside[0])} to "
                             f"{self.time(inside[-1])}")]
        if self.choice.times:
            ks = [nearest("--time", self.r.path, self.times, t) for t in self.choice.times]
            return [([k], self.time(k)) for k in ks]
        return [([self.n - 1], self.time(self.n - 1))]

    def when_lines(self) -> list[tuple[list[int], str]]:
        """The same for line-outs: five of the series by default."""
        if self.choice.mean or self.choice.times:
            return self.when()
        ks = sorted(set(np.linspace(0, self.n - 1, 5).round().astype(int)))
        return [([k], self.time(k)) for k in ks]

    def cut(self, option: str, values: Floats, axis: str, where: float) -> Floats:
        """Values at a position along an axis, interpolated linearly between nodes."""
        at = self.at[axis]
        if not at[0] <= where <= at[-1]:
            fail(2, f"{option}: {axis} goes from {at[0]:.4g} m to {at[-1]:.4g} m, not to "
                    f"{where:.4g} m")
        if len(at) == 1:
            return np.take(values, [0], axis=len(self.axes) - 1 - self.axes.index(axis))
        i = min(int(np.searchsorted(at, where, side="right")) - 1, len(at) - 2)
        w = (where - at[i]) / (at[i + 1] - at[i])
        dim = len(self.axes) - 1 - self.axes.index(axis)
        low, high = (np.take(values, [j], axis=dim) for j in (i, i + 1))
        return (1 - w) * low + w * high

    def values(self, name: str, ks: Sequence[int], fixed: dict[str, float], option: str) -> Floats:
        """Mean over the maps ks, at the positions in `fixed` (axis: m), without those axes."""
        return sum((self.at_one_time(name, k, fixed, option) for k in ks), np.zeros(())) / len(ks)

    def at_one_time(self, name: str, k: int, fixed: dict[str, float], option: str) -> Floats:
        found = []
        for variable in self.variables_of(name):
            v = self.r.variables[variable].record(k)
            for axis, where in fixed.items():
                v = self.cut(option, v, axis, where)
            found.append(v.squeeze(tuple(len(self.axes) - 1 - self.axes.index(a)
                                         for a in fixed)))
        return np.sqrt(sum(v * v for v in found)) if name == FIELD else found[0]

    def plane(self) -> tuple[list[str], dict[str, float]]:
        """Axes of a map, and the fixed positions: in three dimensions a slice, by default at
        the middle of z."""
        fixed = {}
        if len(self.axes) == 3:
            axis, where = self.choice.slice or ("z", 0.5 * (self.at["z"][0] + self.at["z"][-1]))
            fixed = {axis: where}
        elif self.choice.slice:
            fail(2, f"--slice: {self.r.path} has maps of {len(self.axes)} dimensions, not 3")
        return [a for a in self.axes if a not in fixed], fixed

    def line(self) -> tuple[str, dict[str, float]]:
        """The axis of a line-out, and the fixed positions; fails if undetermined."""
        why = self.why_no_line()
        if why:
            fail(2, f"{self.r.path}: {why}")
        [axis] = self.free_axes()
        return axis, self.choice.lines

    def free_axes(self) -> list[str]:
        return [a for a in self.axes if a not in self.choice.lines]

    def why_no_line(self) -> str:
        """What the options lack for a line-out; "" if nothing."""
        for axis in self.choice.lines:
            if axis not in self.axes:
                fail(2, f"--line: {self.r.path} has no axis {axis}; it has: "
                        + ", ".join(self.axes))
        return "" if len(self.free_axes()) == 1 else \
            f"a line in {len(self.axes)} dimensions takes {len(self.axes) - 1} options --line AXIS=VALUE"

    def range(self, name: str, fixed: dict[str, float], option: str) -> tuple[float, float]:
        """Smallest and largest value in the whole series, for films."""
        ends = [extremes(v) for v in (self.values(name, [k], fixed, option)
                                             for k in range(self.n))]
        return min(e[0] for e in ends), max(e[1] for e in ends)


def half_cell(x: Floats) -> float:
    """Half the distance of nodes; of a single one, what its picture is to cover."""
    return 0.5 * (x[1] - x[0]) if len(x) > 1 else 0.5 * abs(x[0]) or 0.5


def span(x: Floats) -> tuple[float, float]:
    """Ends of an axis of nodes; beside a single one some room."""
    return (x[0], x[-1]) if len(x) > 1 else (x[0] - half_cell(x), x[0] + half_cell(x))


def place_text(fixed: dict[str, float], r: Results) -> str:
    out = []
    for axis, where in fixed.items():
        size, units = scaled("m", abs(where))
        out.append(f"{r.axis_name(axis)} = {where / size:.4g} {units}")
    return ", ".join(out)


def colour_range(low: float, high: float) -> tuple[float, float, str]:
    """Limits and colours: symmetric about 0 for both signs, from 0 if the minimum is near it;
    dark is small."""
    if low < 0 < high and min(-low, high) > 0.02 * max(-low, high):
        most = max(-low, high)
        return -most, most, "RdBu_r"
    if 0 <= low < 0.3 * high:
        low = 0.0
    if 0.3 * low < high <= 0:
        high = 0.0
    if high <= low:
        if low == 0:
            return 0.0, 1.0, "viridis"
        room = 0.1 * abs(low)
        low, high = low - room, high + room
    return low, high, "viridis" if high > 0 else "viridis_r"


def map_panel(ax: Axes, m: Maps, name: str) -> Update:
    (a, b), fixed = m.plane()
    chosen = m.when()
    if len(chosen) > 1:
        fail(2, "--time: one for maps; several are for lines")
    ks, text = chosen[0]
    v = m.values(name, ks, fixed, "--slice")
    low, high, cmap = colour_range(*(m.range(name, fixed, "--slice") if m.choice.film else
                                     extremes(v)))
    size, units = scaled(m.units(name), max(abs(low), abs(high)))
    long, long_units = scaled("m", max(m.at[a][-1], m.at[b][-1]))
    x, y = m.at[a] / long, m.at[b] / long
    hx, hy = half_cell(x), half_cell(y)
    image = ax.imshow(v / size, origin="lower", cmap=cmap, vmin=low / size, vmax=high / size,
                      extent=(x[0] - hx, x[-1] + hx, y[0] - hy, y[-1] + hy))
    (x0, x1), (y0, y1) = span(x), span(y)
    ax.set_aspect("equal" if 0.25 < (x1 - x0) / (y1 - y0) < 4 else "auto")
    ax.set_xlim(x0, x1)
    ax.set_ylim(y0, y1)
    ax.grid(False)
    plain_axis(ax.xaxis)
    plain_axis(ax.yaxis)
    ax.set_xlabel(label(m.r.axis_name(a), long_units))
    ax.set_ylabel(label(m.r.axis_name(b), long_units))
    colour_bar(ax, image, label(quantity(name, m.species), units))
    say_empty(ax, v)

    def say(when: str) -> None:
        ax.set_title(", ".join(t for t in (when, place_text(fixed, m.r)) if t), fontsize=9.5)

    def update(k: int) -> None:
        image.set_data(m.values(name, [k], fixed, "--slice") / size)
        say("t = " + m.time(k))
    say(m.title(text))
    return update


def line_panel(ax: Axes, m: Maps, names: list[str]) -> Update:
    """Curves of one map at several times, or of several densities at one."""
    axis, fixed = m.line()
    chosen = m.when_lines()
    film = m.choice.film
    if film:
        chosen = chosen[-1:]
    curves = [(name, text, m.values(name, ks, fixed, "--line"))
              for name in names for ks, text in chosen]
    if film:
        ends = np.array([m.range(name, fixed, "--line") for name in names])
        low, high = ends[:, 0].min(), ends[:, 1].max()
    else:
        low = min(extremes(v)[0] for _, _, v in curves)
        high = max(extremes(v)[1] for _, _, v in curves)
    size, units = scaled(m.units(names[0]), max(abs(low), abs(high)))
    long, long_units = scaled("m", m.at[axis][-1])
    x = m.at[axis] / long
    shades = colours(len(names) + 1)[1:] if len(names) > 1 else sequence(len(chosen))
    drawn = [ax.plot(x, v / size, color=shade, linewidth=1.3, marker=mark(len(x)),
                     label=name[len("density_"):] if len(names) > 1 else text)[0]
             for (name, text, v), shade in zip(curves, shades)]
    if 0 <= low < 0.3 * high:
        low = 0.0
    room = 0.06 * (high - low) or 0.1 * abs(high) or 1.0
    ax.set_ylim((low - room if low else 0.0 if high > 0 else -room) / size, (high + room) / size)
    ax.set_xlim(*span(x))
    plain_axis(ax.xaxis)
    plain_axis(ax.yaxis)
    ax.set_xlabel(label(m.r.axis_name(axis), long_units))
    ax.set_ylabel(label(quantity(names[0], m.species) if len(names) == 1 else "density", units))
    if len(names) == 1 and (len(chosen) == 1 or film):
        drawn[0].set_label("_")
    say_empty(ax, np.concatenate([v for _, _, v in curves]))
    one = (chosen[0][1] if m.choice.mean else "t = " + chosen[0][1]) if len(chosen) == 1 else ""

    def heading(when: str) -> str:
        return ", ".join(t for t in (when, place_text(fixed, m.r)) if t)
    set_text = legend_above(ax, text=heading(one))

    def say(when: str) -> None:
        set_text(heading(when))

    def update(k: int) -> None:
        for name, curve in zip(names, drawn):
            curve.set_ydata(m.values(name, [k], fixed, "--line") / size)
        say("t = " + m.time(k))
    return update


def groups_of(r: Results, m: Maps, what: str, choice: Choice) -> list[list[str]]:
    """Lists of the maps that share a panel; what: maps or lines."""
    if m.n == 0 or not m.drawn:
        return []
    if what == "maps":
        return [[name] for name in m.drawn] if len(m.axes) > 1 else []
    why = m.why_no_line()
    if why:
        if choice.what == "lines" or choice.lines:
            fail(2, f"{r.path}: {why}")
        return []
    if choice.film or len(m.when_lines()) == 1:
        densities = [name for name in m.drawn if name.startswith("density_")]
        return [[name] for name in m.drawn if name not in densities] + \
            ([densities] if densities else [])
    return [[name] for name in m.drawn]


def panels_of(r: Results, what: str, choice: Choice) -> list[Panel]:
    """[(draw, takes a whole row)]"""
    m = Maps(r, choice)
    if what == "maps":
        return [(partial(map_panel, m=m, name=name), False)
                for [name] in groups_of(r, m, what, choice)]
    return [(partial(line_panel, m=m, names=names), False)
            for names in groups_of(r, m, what, choice)]


def names_of(r: Results, what: str, choice: Choice) -> tuple[list[str], str]:
    """What each of the panels shows, and how to choose others."""
    return ([", ".join(names) for names in groups_of(r, Maps(r, choice), what, choice)],
            "--map NAME,NAME draws these")
