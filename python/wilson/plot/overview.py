# wilson/plot/overview.py - what wilson-plot draws without options: the two or three panels that matter for the job of a file, side by
# side, on a picture that fits a screen.
from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from . import averages, integrals, maps, swarm
from .choice import Choice
from .draw import unit_text
from .failure import fail

if TYPE_CHECKING:
    from .kinds import Draw
    from .results import Results

    Named = tuple[Draw, str]  # a panel, and the name of its results

MOST = 3
# inches by the number of panels; with three 1279 x 520 pixels
SIZES, DPI = {1: (7.6, 4.8), 2: (10.6, 4.9), 3: (12.3, 5.0)}, 104


def of_swarm(r: Results, *draws: swarm.DrawResults) -> list[Named]:
    """[(draw, name of the results)] of those panels of swarm.py that the file has."""
    rows = {draw: (some, needed, what) for what, group in swarm.GROUPS.items() for draw, some, needed, _ in group}
    found: list[Named] = []
    for draw in draws:
        some, needed, what = rows[draw]
        if any(r.has(v) for v in some) and (needed is None or r.has(needed)) and not swarm.is_empty(r, draw):
            more = {"scale": "log"} if what == "distribution" else {}
            found.append((partial(draw, r=r, **more), what))
    return found


def of_fields(r: Results) -> list[Named]:
    """Cases in given fields: swarms, and electrons that run away."""
    s = swarm
    spectrum = of_swarm(r, s.final_distribution, s.level_distribution, s.distribution)[:1]
    varying = of_swarm(r, s.varying_energy, s.varying_drift)
    if varying:
        return varying + spectrum
    passages = of_swarm(r, s.passage_rate, s.passages_in_time, s.runaway_rate, s.runaway_fraction, s.first_passage)
    if passages:
        return passages[:1] + spectrum or passages[:2]
    curves = of_swarm(r, s.mean_energy, s.drift_velocity, s.coefficients, s.diffusion)
    if len(swarm.field_axis(r)[0]) == 1:  # curves of one field are points
        return spectrum + of_swarm(r, s.first_anisotropy, s.drift_vector) or curves
    return curves + spectrum


def of_cross_sections(r: Results) -> list[Named]:
    """Of the first gas, and the friction of all."""
    of_gas = [(draw, "cross-sections") for draw, _ in swarm.panels_of(r, "cross-sections", Choice())]
    return of_gas[:1] + of_swarm(r, swarm.friction)


def with_error(value: float, error: float) -> str:
    power = int(np.floor(np.log10(value)))
    if -2 <= power < 4:
        return f"{value:.4g} ± {error:.1g}"
    return f"({value / 10.0 ** power:.3f} ± {error / 10.0 ** power:.1g})$\\times10^{{{power}}}$"


def numbers_of(r: Results) -> str:
    """The results of a swarm in one field, as text for the title; "" for other files."""
    if not r.has("mean_energy") or r.variables["mean_energy"].shape != (1,):
        return ""
    found = []
    for name, text in (("mean_energy", "mean energy"), ("drift_velocity_flux", "flux drift velocity"),
                       ("townsend_coefficient_reduced", r"$\alpha/N$"), ("attachment_coefficient_reduced", r"$\eta/N$")):
        if r.has(name) and r.get(name)[0] > 0:
            found.append(f"{text} {with_error(r.get(name)[0], r.error(name)[0])} {unit_text(r.attr(name, 'units'))}")
    return "".join("\n" + ", ".join(found[i:i + 2]) for i in range(0, len(found), 2))


def profiles(r: Results, m: maps.Maps) -> list[Named]:
    """Densities and field along the axis of a plasma in one dimension, or the first density and the field as maps."""
    densities = [n for n in m.drawn if n.startswith("density_")] or [n for n in m.drawn if n == "charge_density"]
    field = [n for n in m.drawn if n.startswith(maps.FIELD)][:1] or [n for n in m.drawn if n == "potential"]
    if len(m.axes) > 1:
        return [(partial(maps.map_panel, m=m, name=name), "averages" if isinstance(m, averages.Means) else "maps")
                for name in densities[:1] + field]
    if isinstance(m, averages.Means):
        return [(partial(averages.profile_panel, m=m, names=names), "averages") for names in (densities, field) if names]
    last = Choice()
    last.times = [m.times[-1]]
    ways = [(maps.Maps(r, last) if len(densities) > 1 else m, densities), (m, field)]  # several densities at one time, else at five
    return [(partial(maps.line_panel, m=m, names=names), "lines") for m, names in ways if names]


def of_plasma(r: Results) -> list[Named]:
    """Where charge and field are, in the mean over the last window or at the last time; and a wave that grows, numbers or energies."""
    plain = Choice()
    means = [m for m in (averages.Means(r, plain, i) for i in averages.chosen(r, plain)) if m.is_written()]
    last = maps.Maps(r, plain)
    places = profiles(r, means[-1]) if means else profiles(r, last) if last.n else []
    for what in "waves", "particles", "energies":
        series = [(draw, what) for draw, _ in integrals.panels_of(r, what, plain)]
        if series:
            return places + series[:MOST - len(places)]
    return places


def panels_of(r: Results) -> list[Named]:
    """At most MOST of [(draw, name of the results)]; [] where nothing was chosen for this kind of file."""
    if "electric_field" in r.variables and r.variables["electric_field"].shape:
        return of_fields(r)[:MOST]
    if "sigma" in r.variables:
        return of_cross_sections(r)
    return of_plasma(r)[:MOST] if r.dimensions() else []


def refuse_options(choice: Choice) -> None:
    for option in choice.given:
        fail(2, f"--{option}: has no effect on --what overview; --what all, or the results that it is for")
