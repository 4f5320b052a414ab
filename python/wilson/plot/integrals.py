# wilson/plot/integrals.py - panels of a plasma over time: energies, numbers of particles, amplitudes
# of waves with fitted growth rates (waves.py).  The variables are those of
# src/diag/integrals.c; rows that a run has not written yet are left out.
from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from . import waves
from .draw import (colours, label, legend_above, plain_axis, scaled, set_y_log, trace,
                   trace_text)
from .failure import fail

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.axes import Axes

    from .choice import Choice
    from .kinds import Bools, Complexes, Floats, Panel
    from .results import Results

    DrawOverTime = Callable[[Axes, Results, Choice], None]

SAID: list[str] = []  # lines for stdout: the numbers that panels print


def said() -> list[str]:
    """The lines since the last call."""
    lines = SAID[:]
    SAID.clear()
    return lines


def rows(r: Results) -> Bools:
    """Rows that were written."""
    return np.isfinite(r.get("time"))


def time_axis(ax: Axes, t: Floats) -> Floats:
    """Times in the units of the axis."""
    size, units = scaled("s", t[-1])
    ax.set_xlabel(label("time", units))
    first = 0.0 if 0 <= t[0] < 0.1 * t[-1] or len(t) == 1 else t[0] / size
    ax.set_xlim(first, t[-1] / size if t[-1] / size > first else first + 1.0)
    return t / size


def per_area(r: Results) -> str:
    """ per m2 for a plasma in one dimension, per m in two; of the whole domain in r-z."""
    return "" if r.is_rz() else {1: " per m$^2$", 2: " per m"}.get(r.dimensions(), "")


def ledger(r: Results) -> tuple[Floats, list[tuple[str, Floats]], Floats]:
    """Times, names and energies (J) of field, species and all together."""
    use = rows(r)
    field, kinetic = r.get("field_energy")[use], r.get("kinetic_energy")[use]
    parts = [("field", field)] + [(name, kinetic[:, k])
                                  for k, name in enumerate(r.names("species_name"))]
    return r.get("time")[use], parts, field + kinetic.sum(axis=1)


def is_zero(value: str) -> bool:
    """Is a quantity of a scenario ("250 V") 0, or not there?"""
    try:
        return float(value.split()[0]) == 0
    except (ValueError, IndexError):
        return value in ("", "none")


def is_closed(r: Results) -> bool:
    """Is the sum of all energies constant but for numerical errors?  Not if collisions, reactions, sources,
    thermostats, walls that take particles, voltages or circuits exchange energy with it."""
    if r.has("circuit_energy"):
        return False
    for name in ("wall_particles", "born_particles", "collision_energy", "reaction_events",
                 "thermostat_energy"):
        if r.has(name) and np.nan_to_num(r.get(name)).any():
            return False
    keys = r.scenario()
    driven = any(key.startswith("walls.") and key.endswith((".voltage", ".amplitude")) and
                 not is_zero(value) and
                 keys.get(key.rpartition(".")[0] + ".field", "dirichlet") == "dirichlet"
                 for key, value in keys.items())
    collide = any(key.startswith("species.") and key.endswith(".collisions") and value != "none"
                  for key, value in keys.items())
    return not driven and not collide


def drift_text(total: Floats) -> str:
    """Change of the total energy, at the end and at its maximum."""
    if total[0] == 0:
        return "begins at 0"
    change = 100 * (total / total[0] - 1)
    return f"{change[-1]:+.3g} % at the end, {np.abs(change).max():.3g} % at most"


def energies(ax: Axes, r: Results, _: Choice) -> None:
    t, parts, total = ledger(r)
    size, units = scaled("J", total.max())
    x = time_axis(ax, t)
    everything = np.concatenate([y for _, y in parts] + [total])
    positive = everything[everything > 0]
    low = np.percentile(positive, 1) if positive.size else 0.0
    log = positive.size > 0 and low < 0.02 * total.max()
    bands = []
    for (name, y), colour in zip(parts, colours(len(parts))):
        shown = np.where(y > 0, y, np.nan) if log else y
        bands.append(trace(ax, x, shown / size, color=colour, linewidth=1.2,
                           label=name if name == "field" else f"kinetic, {name}"))
    text = "total"
    if is_closed(r):
        drift = drift_text(total)
        text = f"total: {drift}"
        SAID.append(f"total energy: {total[0]:.6g} J at the beginning, {drift}")
    bands.append(trace(ax, x, total / size, color="black", linewidth=1.5, linestyle="--",
                       label=text))
    if log:
        ax.set_yscale("log")
        set_y_log(ax, np.array([max(low, 1e-9 * total.max()), total.max()]) / size)
    else:
        ax.set_ylim(0, 1.08 * total.max() / size or 1.0)
        plain_axis(ax.yaxis)
    ax.set_ylabel(label("energy" + per_area(r), units))
    legend_above(ax, text=trace_text(bands))


def exchange(ax: Axes, r: Results, _: Choice) -> None:
    """What field and species give to each other; of a closed system in % of the first total, of
    which the change is an error."""
    t, parts, total = ledger(r)
    x = time_axis(ax, t)
    percent = is_closed(r) and total[0] > 0
    changes = [(name if name == "field" else f"kinetic, {name}", y - y[0]) for name, y in parts]
    changes.append(("total", total - total[0]))
    size, units = scaled("J", max(np.abs(y).max() for _, y in changes))
    scale = 100 / total[0] if percent else 1 / size
    bands = []
    for (name, y), colour in zip(changes, colours(len(parts)) + ["black"]):
        style = dict(linewidth=1.5, linestyle="--") if name == "total" else dict(linewidth=1.2)
        bands.append(trace(ax, x, scale * y, color=colour, label=name, **style))
    plain_axis(ax.yaxis)
    ax.set_ylabel("change of energy (% of the first total)" if percent else
                  label("change of energy" + per_area(r), units))
    legend_above(ax, text=trace_text(bands))


def numbers(ax: Axes, r: Results, _: Choice) -> None:
    """Living particles, and those absorbed by the sides."""
    use = rows(r)
    living = r.get("particles")[use]
    taken = r.get("wall_particles")[use].sum(axis=2) if r.has("wall_particles") else 0 * living
    size, units = scaled("1", max(living.max(), taken.max()))
    x = time_axis(ax, r.get("time")[use])
    for k, (name, colour) in enumerate(zip(r.names("species_name"),
                                        colours(living.shape[1] + 1)[1:])):
        ax.plot(x, living[:, k] / size, color=colour, linewidth=1.3, label=name)
        if taken[:, k].any():
            ax.plot(x, taken[:, k] / size, color=colour, linewidth=1.1, linestyle="--",
                    label=f"{name}, taken by walls")
    ax.set_ylim(0, None if max(living.max(), taken.max()) > 0 else 1.0)
    plain_axis(ax.yaxis)
    ax.set_ylabel(label("real particles" + per_area(r), units))
    legend_above(ax)


def currents(ax: Axes, r: Results, component: int) -> None:
    """Charge times velocity of each species along an axis, displacement current, and their sum."""
    use = rows(r)
    flow = r.get("current")[use][:, :, component]
    total = flow.sum(axis=1)
    names = r.names("species_name")
    parts = [(name, flow[:, k]) for k, name in enumerate(names)]
    if r.has("displacement_current"):
        field = np.nan_to_num(r.get("displacement_current")[use][:, component])
        if field.any():
            parts.append(("displacement", field))
            total = total + field
    size, units = scaled("A m", max(max(np.abs(y).max() for _, y in parts), np.abs(total).max()))
    x = time_axis(ax, r.get("time")[use])
    bands = [trace(ax, x, y / size, color=colour, linewidth=1.2, label=name)
             for (name, y), colour in zip(parts, colours(len(parts)))]
    bands.append(trace(ax, x, total / size, color="black", linewidth=1.2, linestyle="--",
                       label="all"))
    plain_axis(ax.yaxis)
    ax.set_ylabel(label(f"current along {r.axis_name('xyz'[component])}" + per_area(r), units))
    legend_above(ax, text=trace_text(bands))


def of_walls(ax: Axes, r: Results, pairs: Sequence[tuple[str, str]], what: str, units: str) -> None:
    """Curves of each wall: pairs of a variable and what its name is followed by, the second dashed
    where it differs."""
    use = rows(r)
    values = [(r.get(name)[use], text) for name, text in pairs]
    size, units = scaled(units, max(np.nanmax(np.abs(v)) for v, _ in values))
    x = time_axis(ax, r.get("time")[use])
    bands = []
    for k, (wall, colour) in enumerate(zip(r.names("wall_name"), colours(2))):
        for (v, text), style in zip(values, ("-", "--")):
            if style == "-" or not np.allclose(v[:, k], values[0][0][:, k]):
                bands.append(trace(ax, x, v[:, k] / size, color=colour, linewidth=1.2,
                                   linestyle=style, label=wall + text))
    plain_axis(ax.yaxis)
    ax.set_ylabel(label(what, units))
    legend_above(ax, text=trace_text(bands))


def wall_potentials(ax: Axes, r: Results, _: Choice) -> None:
    """Potential of each wall in a circuit, and the voltage of its source."""
    of_walls(ax, r, (("wall_potential", ""), ("source_voltage", ", source")),
             "potential of the walls", "V")


def circuit_currents(ax: Axes, r: Results, _: Choice) -> None:
    """Current density of the circuit of each wall."""
    of_walls(ax, r, (("circuit_current", ""),), "current density of the circuit", "A m-2")


def mode_names(r: Results, n: int) -> list[str]:
    """"mode 1" on a line, "mode (1, 0)" in the plane."""
    if not r.has("mode_number"):
        return [f"mode {i + 1}" for i in range(n)]
    k = r.get("mode_number")
    used = np.flatnonzero(np.any(k != 0, axis=0))
    dim = r.dimensions() or (used[-1] + 1 if used.size else 1)
    return ["mode " + (f"{row[0]:g}" if dim == 1 else
                       "(" + ", ".join(f"{m:g}" for m in row[:dim]) + ")") for row in k]


def signed(x: float, digits: int = 4) -> str:
    """A number for a legend: 2.736x10^8 with a true minus."""
    mantissa, exponent = f"{x:.{digits - 1}e}".split("e")
    return f"${mantissa}\\times10^{{{int(exponent)}}}$"


def fits(r: Results, choice: Choice) -> tuple[Floats, list[tuple[str, Complexes, waves.Fit | None]]]:
    """(name, amplitudes, Fit or None) of each mode, and the times (s)."""
    use = rows(r) & np.isfinite(r.get("potential_mode")).all(axis=(1, 2))
    t, mode = r.get("time")[use], r.get("potential_mode")[use]
    c = mode[..., 0] + 1j * mode[..., 1]
    if choice.window is not None:
        t0, t1 = choice.window
        n = np.count_nonzero((t >= t0) & (t <= t1))
        if n < waves.FEWEST:
            fail(2, f"--window: {n} rows of {r.path} are in it, a fit needs {waves.FEWEST}; "
                    f"they go from {t[0]:.4g} s to {t[-1]:.4g} s")
    return t, [(name, c[:, m], waves.fit(t, c[:, m], choice.window))
               for m, name in enumerate(mode_names(r, c.shape[1]))]


def growth(ax: Axes, r: Results, choice: Choice) -> None:
    t, modes = fits(r, choice)
    x = time_axis(ax, t)
    per = x[-1] / t[-1]
    size, units = scaled("V", max(np.abs(c).max() for _, c, _ in modes))
    shown = []
    for (name, c, f), colour in zip(modes, colours(len(modes))):
        a = np.abs(c) / size
        ax.plot(x, np.where(a > 0, a, np.nan), color=colour, linewidth=0.9,
                alpha=0.8 if f else 1.0, label=None if f else f"{name}: no fit")
        shown.append(a[a > 0])
        if f is None:
            SAID.append(f"{name}: no fit, fewer than {waves.FEWEST} rows above 0")
            continue
        at = np.linspace(f.t0, f.t1, 800)
        text = f"{name}: $\\gamma$ = {signed(f.gamma)} s$^{{-1}}$"
        if abs(f.omega) > 0.02 * abs(f.gamma):
            text += f", $\\omega$ = {signed(f.omega)} rad/s"
        ax.plot(at * per, np.abs(f.model(at)) / size, color=colour, linewidth=2.4, alpha=0.45,
                label=text)
        SAID.append(f"{name}: gamma = {f.gamma:.6g} s-1 (spread {f.gamma_spread:.2g}), "
                    f"omega = {f.omega:.6g} rad/s (spread {f.omega_spread:.2g}), "
                    f"{f.t0:.4g} s to {f.t1:.4g} s, {f.rows} rows")
    ax.set_yscale("log")
    values = np.concatenate(shown)
    if values.size:
        low = max(np.percentile(values, 1), 1e-8 * values.max())
        set_y_log(ax, np.array([low, values.max()]))
    ax.set_ylabel(label("amplitude of the potential", units))
    legend_above(ax, columns=1)


def panel_of(draw: DrawOverTime, r: Results, choice: Choice) -> Panel:
    return lambda ax: draw(ax, r, choice), False


def panels_of(r: Results, what: str, choice: Choice) -> list[Panel]:
    """[(draw, takes a whole row)]; what: energies, waves, particles, walls or currents."""
    if not r.has("time") or r.variables["time"].dims not in (("step",), ("time",)):
        return []
    found: list[DrawOverTime] = []
    if what == "energies" and r.has("field_energy") and r.has("kinetic_energy"):
        found = [energies, exchange]
    elif what == "waves" and r.has("potential_mode"):
        found = [growth]
    elif what == "currents" and choice.what == "currents" and r.has("current"):
        return [(partial(currents, r=r, component=i), False)
                for i in range(r.dimensions() or 1)]
    elif what == "walls" and r.has("wall_potential"):
        found = [wall_potentials, circuit_currents]
    elif what == "particles" and r.has("particles"):
        n = r.get("particles")[rows(r)]
        # Numbers that do not change are drawn only on request.
        if choice.what == "particles" or np.any(n != n[0]):
            found = [numbers]
    return [panel_of(draw, r, choice) for draw in found]
