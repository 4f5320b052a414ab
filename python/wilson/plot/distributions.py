# wilson/plot/distributions.py - distributions of a plasma's particles over a window of time, in a region
# (energies) or at a wall (energies, angles), with their standard errors.  The variables are those of
# src/diag/distributions.c: energy_distribution_NAME, angle_distribution_NAME and their scalars.
from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from .draw import colours, label, legend_above, plain_axis, say_empty, set_y_log, unit_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .choice import Choice
    from .kinds import Panel
    from .results import Results

ENERGY, ANGLE, PROBABILITY = "energy_distribution_", "angle_distribution_", "energy_probability_"
# The quantity that is drawn first of those that are there, and the words of its axis.
WORDS = {PROBABILITY: "energy probability function", ENERGY: "distribution of energies",
         ANGLE: "distribution of angles"}


def names_of(r: Results) -> list[str]:
    return [name[len(ENERGY):] for name, v in r.variables.items()
            if name.startswith(ENERGY) and not name.endswith("_error") and
            v.dims == ("energy_" + name[len(ENERGY):],)]


def where(r: Results, name: str) -> str:
    """"ions that reach x_low over window last", from the attribute of the file."""
    text = r.attr(ENERGY + name, "long_name")
    return text.split(" of energies of ", 1)[-1]


def is_at_wall(r: Results, name: str) -> bool:
    return "distribution_flux_" + name in r.variables


def scalars(r: Results, name: str) -> str:
    """"mean energy 12.3(4) eV" and the flux or density, as far as they are there."""
    found = []
    for what, words in (("distribution_mean_energy_", "mean energy"), ("distribution_flux_", "flux"),
                        ("distribution_density_", "density")):
        if what + name in r.variables:
            v, e = float(r.get(what + name)), float(r.get(what + name + "_error"))
            if np.isfinite(v):
                more = f" +- {e:.1g}" if np.isfinite(e) and e > 0 else ""
                found.append(f"{words} {v:.4g}{more} {unit_text(r.attr(what + name, 'units'))}")
    return ", ".join(found)


def panel(ax: Axes, r: Results, name: str, prefix: str) -> None:
    """Steps over the bins and a band of one standard error; logarithmic in a region, where tails are
    looked for, linear at a wall."""
    axis = ("angle_" if prefix == ANGLE else "energy_") + name
    x, y, e = r.get(axis), r.get(prefix + name), r.get(prefix + name + "_error")
    colour = colours(1)[0]
    half = 0.5 * (x[1] - x[0]) if len(x) > 1 else x[0]
    edges = np.append(x - half, x[-1] + half)
    ax.stairs(y, edges, color=colour, linewidth=1.2, baseline=None)
    low, high = y - e, y + e
    ax.fill_between(edges, np.append(low, low[-1]), np.append(high, high[-1]), step="post", color=colour,
                    alpha=0.25, linewidth=0)
    ax.set_xlim(edges[0], edges[-1])
    if is_at_wall(r, name):
        top = np.nanmax(np.where(np.isfinite(high), high, y), initial=0.0)
        ax.set_ylim(0.0, 1.05 * top if top > 0 else 1.0)
        plain_axis(ax.yaxis)
    else:
        ax.set_yscale("log")
        set_y_log(ax, y)
    plain_axis(ax.xaxis)
    say_empty(ax, y)
    ax.set_xlabel(label("angle to the normal" if prefix == ANGLE else "energy", r.attr(axis, "units")))
    ax.set_ylabel(label(WORDS[prefix], r.attr(prefix + name, "units")))
    legend_above(ax, text=f"{name}: {where(r, name)}" +
                 (f"\n{scalars(r, name)}" if prefix != ANGLE and scalars(r, name) else ""))


def panels_of(r: Results, what: str, choice: Choice) -> list[Panel]:
    """[(draw, takes a whole row)]: of each distribution its energies, and its angles if it has them."""
    found: list[Panel] = []
    for name in names_of(r):
        first = PROBABILITY if PROBABILITY + name in r.variables else ENERGY
        for prefix in (first, ANGLE):
            if prefix + name in r.variables and np.isfinite(r.get(prefix + name)).any():
                found.append((partial(panel, r=r, name=name, prefix=prefix), False))
    return found
