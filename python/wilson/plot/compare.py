# wilson/plot/compare.py - comparison of swarm results: files of Wilson, and CSV tables of other
# codes or of `wilson table`.
#
# All quantities are independent of the density and drawn over E/N.  Below each panel is the ratio
# to the first file, with the relative errors added in quadrature.  If the first file has no row
# at an E/N, it is interpolated between its neighbours, linearly in the logarithms, and the
# marker is hollow: the interpolation error is not included in its bar.
from __future__ import annotations

import csv
import os
import textwrap
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib import pyplot as plt

from .draw import (LEFT_OUT, colours, label, legend_above, log_ticks, set_x, set_y_linear,
                   set_y_log, use_log)
from .pages import HEIGHT, WIDTH, spaces
from .failure import fail
from .results import Results

if TYPE_CHECKING:
    from types import EllipsisType

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, FigureBase

    from .kinds import Bools, Floats, Ints, Page

    Curve = tuple[Floats, Floats, Floats]  # E/N in Td, values, standard errors

# name in a table -> label, CF units, variable of a file, factor, and whether it is a rate, for
# which 0 means that no event was counted
QUANTITIES = {
    "Mean energy (eV)": ("mean energy", "eV", "mean_energy", "1", False),
    "Mobility *N (1/m/V/s)": ("flux mobility $\\mu N$", "m-1 V-1 s-1", "drift_velocity_flux",
                              "1/E", False),
    "Bulk mobility *N (1/m/V/s)": ("bulk mobility $\\mu N$", "m-1 V-1 s-1",
                                   "drift_velocity_bulk", "1/E", False),
    "Diffusion coefficient *N (1/m/s)": ("transverse flux diffusion $ND$", "m-1 s-1",
                                         "diffusion_transverse_flux", "N", False),
    "Longitud. diffusion coef. *N (1/m/s)": ("longitudinal flux diffusion $ND$", "m-1 s-1",
                                             "diffusion_longitudinal_flux", "N", False),
    "Bulk T diffusion coef. *N (1/m/s)": ("transverse bulk diffusion $ND$", "m-1 s-1",
                                          "diffusion_transverse_bulk", "N", False),
    "Bulk L diffusion coef. *N (1/m/s)": ("longitudinal bulk diffusion $ND$", "m-1 s-1",
                                          "diffusion_longitudinal_bulk", "N", False),
    "Townsend ioniz. coef. alpha/N (m2)": (r"ionization $\alpha/N$", "m2",
                                           "townsend_coefficient_reduced", "1", True),
    "Townsend attach. coef. eta/N (m2)": (r"attachment $\eta/N$", "m2",
                                          "attachment_coefficient_reduced", "1", True),
}
FIELD = "E/N (Td)"
FIELDS = (FIELD, "Electric field / N (Td)")  # the latter in BOLSIG+'s output run by run
MOBILITY, DRIFT = "Mobility *N (1/m/V/s)", "Drift velocity (m/s)"  # the latter over E/N
ERROR = "error of "
MARKS = "os^Dv<>P"
SAME = 1e-6  # relative difference below which two E/N are equal


class Curves:
    """name of QUANTITIES -> (E/N in Td, values, standard errors or 0), by rising E/N."""

    def __init__(self, path: str, r: Results | None = None, point: tuple[str, Ints | EllipsisType] = ("", ...)) -> None:
        """r: the file, with the records of a scan point; None: it is read here."""
        self.path, self.point = path, point
        self.of: dict[str, Curve] = {}
        if path.lower().endswith(".csv"):
            self.read_table()
        else:
            self.read_results(r or Results(path))
        if not self.of:
            fail(2, f"{path}: holds nothing that can be compared; its columns or variables would "
                    f"be one of: {', '.join(QUANTITIES)}")

    def put(self, name: str, x: Floats, y: Floats, err: Floats) -> None:
        use = np.isfinite(x) & np.isfinite(y)
        if QUANTITIES[name][4]:
            lost = np.count_nonzero(use & ~(y > 0))
            if lost:
                LEFT_OUT[name] = LEFT_OUT.get(name, 0) + lost
            use &= y > 0
        if not use.any():
            return
        err = np.where(np.isfinite(err), err, 0.0)
        order = np.argsort(x[use], kind="stable")
        x, y, err = x[use][order], y[use][order], err[use][order]
        twice = np.flatnonzero(np.diff(x) <= SAME * x[1:])
        if twice.size:
            fail(2, f"{self.path}: {x[twice[0]]:g} Td stands in it twice; a comparison takes one "
                    "row each")
        self.of[name] = (x, y, err)

    def read_results(self, r: Results) -> None:
        if not r.has("reduced_electric_field") or not r.has("gas_number_density"):
            fail(2, f"{self.path}: holds no swarm; several files are compared for swarms alone")
        x, n, of = r.get("reduced_electric_field"), r.get("gas_number_density"), self.point[1]
        for name, (_, _, variable, by, _) in QUANTITIES.items():
            if r.has(variable):
                with np.errstate(divide="ignore", invalid="ignore"):
                    scales: dict[str, float | Floats] = {"1": 1.0, "N": n, "1/E": 1e21 / x}
                    scale = scales[by]
                    self.put(name, x[of], (r.get(variable) * scale)[of],
                             (r.error(variable) * scale)[of])

    def read_table(self) -> None:
        try:
            with open(self.path, newline="", encoding="utf-8-sig") as f:
                lines = [line for line in f if line.strip() and not line.startswith("#")]
                # the separator that gives the most columns in the first line
                by = max(",;\t", key=lambda c: len(next(csv.reader(lines[:1], delimiter=c), [])))
                rows = list(csv.reader(lines, delimiter=by))
        except (OSError, UnicodeDecodeError, csv.Error) as e:
            fail(2, f"{self.path}: cannot be read: {getattr(e, 'strerror', None) or e}")
        names = [FIELD if cell.strip() in FIELDS else cell.strip() for cell in rows[0]] if rows else []
        if FIELD not in names:
            fail(2, f"{self.path}: has no column \"{FIELD}\" in its first line")
        columns = {}
        for i, name in enumerate(names):
            if name in (DRIFT, ERROR + DRIFT) and name.replace(DRIFT, MOBILITY) not in names:
                drift = np.array([self.number(row, names.index(FIELD), FIELD)
                                  for row in rows[1:]])
                values = np.array([self.number(row, i, name) for row in rows[1:]])
                with np.errstate(divide="ignore", invalid="ignore"):
                    columns[name.replace(DRIFT, MOBILITY)] = values * 1e21 / drift
            plain = name[len(ERROR):] if name.startswith(ERROR) else name
            if plain == FIELD or plain in QUANTITIES:
                columns[name] = np.array([self.number(row, i, name) for row in rows[1:]])
        for name in QUANTITIES:
            if name in columns:
                none = np.zeros(len(rows) - 1)
                self.put(name, columns[FIELD], columns[name], columns.get(ERROR + name, none))

    def number(self, row: list[str], i: int, name: str) -> float:
        text = row[i].strip() if i < len(row) else ""
        try:
            return float(text) if text else np.nan
        except ValueError:
            fail(2, f"{self.path}: column \"{name}\": {text!r} is not a number")

    def name(self) -> str:
        base = os.path.basename(self.path)
        if self.point[0]:
            base = textwrap.shorten(base, 20, placeholder="...") + ": " + self.point[0]
        return textwrap.shorten(base, 60, placeholder="...")


def at(curve: Curve, x: float) -> tuple[float, float, bool] | None:
    """Value and error of a curve at an E/N, and whether it has a row there; None outside."""
    xs, ys, errs = curve
    same = np.flatnonzero(np.abs(xs - x) <= SAME * np.abs(x))
    if same.size:
        return ys[same[0]], errs[same[0]], True
    k = np.searchsorted(xs, x)
    if k == 0 or k == len(xs) or xs[k - 1] <= 0 or (ys[k - 1:k + 1] <= 0).any():
        return None
    w = np.log(x / xs[k - 1]) / np.log(xs[k] / xs[k - 1])
    y = ys[k - 1] ** (1 - w) * ys[k] ** w
    relative = np.hypot((1 - w) * errs[k - 1] / ys[k - 1], w * errs[k] / ys[k])
    return y, y * relative, False


def ratio(first: Curve, other: Curve) -> tuple[Floats, Floats, Floats, Bools]:
    """E/N, other / first, its error, whether the first has a row there."""
    rows = []
    for x, y, err in zip(*other):
        there = at(first, x)
        if there is not None and there[0] != 0 and y != 0:
            r = y / there[0]
            rows.append((x, r, abs(r) * np.hypot(err / y, there[1] / there[0]), there[2]))
    x, r, err, exact = (np.array([row[i] for row in rows]) for i in range(4))
    return x, r, err, exact.astype(bool)


def bars(ax: Axes, x: Floats, y: Floats, err: Floats, colour: str, mark: str, **style: Any) -> None:
    ax.errorbar(x, y, yerr=err if (err > 0).any() else None, color=colour, marker=mark,
                capsize=2.5, elinewidth=1, markersize=4.5, linewidth=1.2, **style)


def draw_ratio(ax: Axes, files: list[Curves], name: str) -> bool:
    """Returns whether a hollow marker was used."""
    first, hollow, shown = files[0].of.get(name), False, [np.ones(1)]
    ax.axhline(1.0, color="0.3", linewidth=1)
    if first is not None:
        relative = first[2] / np.abs(first[1])
        if (relative > 0).any():
            ax.fill_between(first[0], 1 - relative, 1 + relative, color="0.3", alpha=0.15,
                            linewidth=0)
    for i, f in enumerate(files[1:], 1):
        if first is None or name not in f.of:
            continue
        x, r, err, exact = ratio(first, f.of[name])
        for use, fill in ((exact, None), (~exact, "white")):
            if use.any():
                bars(ax, x[use], r[use], err[use], colours(len(files))[i], MARKS[i % len(MARKS)],
                     linestyle="none", markerfacecolor=fill)
        hollow |= bool((~exact).any())
        # A point with a bar of its own size must not stretch the axis; it ends at the frame.
        if len(r):
            short = err < 0.5 * np.abs(r)
            shown += [r, (r + err)[short], (r - err)[short]]
    set_y_linear(ax, np.concatenate(shown))
    ax.set_ylim(max(ax.get_ylim()[0], 0.0) if np.concatenate(shown).min() > 0 else None, None)
    return hollow


def draw_quantity(fig: FigureBase, files: list[Curves], name: str) -> None:
    text, units, _, _, _ = QUANTITIES[name]
    top, below = fig.subplots(2, 1, sharex=True, height_ratios=(2.2, 1))
    values = np.concatenate([f.of[name][1] for f in files if name in f.of])
    every_x = np.concatenate([f.of[name][0] for f in files if name in f.of])
    log = use_log(values, 0.5) and (values > 0).all()
    drawn = []
    for i, f in enumerate(files):
        if name in f.of:
            x, y, err = f.of[name]
            bars(top, x, y, err, colours(len(files))[i], MARKS[i % len(MARKS)], label=f.name(),
                 linestyle="-" if i == 0 else "--")
            drawn += [y, y + err, (y - err)[y - err > 0.3 * y]]
    if log:
        top.set_yscale("log", nonpositive="clip")
        set_y_log(top, np.concatenate(drawn))
    else:
        set_y_linear(top, np.concatenate(drawn))
    top.set_ylabel(label(text, units))
    legend_above(top, 1 if sum(len(f.name()) for f in files) > 60 else None)
    hollow = draw_ratio(below, files, name)
    set_x(below, every_x)
    if below.get_xscale() == "log":
        log_ticks(below.xaxis, *below.get_xlim())
    below.set_xlabel("reduced electric field $E/N$ (Td)")
    below.set_ylabel("ratio to first")
    if hollow:
        below.text(0.0, -0.42, f"hollow: {files[0].name()} interpolated",
                   transform=below.transAxes, fontsize=8, color="0.4", va="top")


def points_of(path: str) -> list[Curves]:
    """Curves of a file; for a scan, those of each scan point."""
    if path.lower().endswith(".csv"):
        return [Curves(path)]
    r = Results(path)
    if r.axis is not None:
        fail(2, f"{path}: holds a scan with one field at each point, and files are compared over "
                "E/N; run more fields")
    return [Curves(path, r, point) for point in r.points] if len(r.points) > 1 else [Curves(path, r)]


def figure(files: list[Curves], names: list[str]) -> Figure:
    """A page of at most four quantities."""
    rows, columns = (1, 1) if len(names) == 1 else ((len(names) + 1) // 2, 2)
    fig = plt.figure(figsize=(8.2 if columns == 1 else WIDTH, 5.2 if rows == 1 else HEIGHT),
                     layout=spaces())
    for part, name in zip(fig.subfigures(rows, columns, squeeze=False).ravel(), names):
        draw_quantity(part, files, name)
    fig.suptitle(f"Comparison with {files[0].name()}")
    return fig


def pages(paths: list[str]) -> list[Page]:
    """[(function that makes a page, text of what it shows)] of all quantities in the first file and
    at least one other."""
    files = [curves for path in paths for curves in points_of(path)]
    names = [n for n in QUANTITIES if n in files[0].of and any(n in f.of for f in files[1:])]
    if not names:
        fail(2, f"{files[0].path}: has no quantity that one of the others has, too")
    parts = [names[i:i + 4] for i in range(0, len(names), 4)]
    return [(partial(figure, files, part), ", ".join(part)) for part in parts]
