# wilson/plot/converge.py - the panels of `wilson converge`: relative change of each result when one
# parameter is refined, with its standard error.  The variables are those of src/cli/converge.c.
from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from .draw import BLUE, RED, legend_above, plain_axis
from .pages import PAGE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .choice import Choice
    from .kinds import Bools, Floats, Panel, Update
    from .results import Results

MANY = 3.0  # a difference of so many standard errors is seldom due to chance


def relative(value: Floats, difference: Floats, error: Floats) -> tuple[Bools, Floats, Floats]:
    """Difference and error in per cent of the result, without values that are 0 or not finite."""
    with np.errstate(divide="ignore", invalid="ignore"):
        size = 100.0 / np.abs(value)
        x, err = difference * size, error * size
    return np.isfinite(x) & ((difference != 0) | (error > 0)), x, err


def panel(ax: Axes, r: Results, v: int) -> Update:
    names = np.array(r.names("result"))
    difference, error = r.get("difference")[v], r.error("difference")[v]
    value = r.get("value")[v] - difference
    use, x, err = relative(value, difference, error)
    y = np.arange(use.sum())
    many = np.abs(difference[use]) > MANY * error[use]
    for some, colour, text in ((~many, BLUE, f"within {MANY:g} errors"), (many, RED, "more, or exact")):
        if some.any():
            ax.errorbar(x[use][some], y[some], xerr=err[use][some], fmt="o", markersize=3.5,
                        color=colour, linewidth=1.0, label=text)
    ax.axvline(0.0, color="0.3", linewidth=0.8)
    ax.set_yticks(y, [n.replace("_", " ") for n in names[use]],
                  fontsize=min(8.0, 520.0 / max(1, len(y))))
    ax.invert_yaxis()
    largest = np.nanmax(np.abs(x[use]) + err[use], initial=0.0)
    if largest > 300.0:  # a result near 0 would hide all others
        ax.set_xscale("symlog", linthresh=10.0)
    else:
        plain_axis(ax.xaxis)
    ax.set_xlabel("difference (% of the result)")
    ax.set_title(f"{r.names('parameter')[v]}, {r.get('factor')[v]:g} times as fine", fontsize=10, loc="right")
    if y.size:
        legend_above(ax)
    return lambda i: None


def panels_of(r: Results, what: str, choice: Choice) -> list[Panel]:
    """[(draw, takes a page)] for each refined parameter that was not refused."""
    if "parameter" not in r.variables or not r.has("difference"):
        return []
    held = [v for v in range(len(r.get("factor"))) if np.isfinite(r.get("difference")[v]).any()]
    return [(partial(panel, r=r, v=v), PAGE) for v in held]
