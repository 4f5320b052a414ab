# wilson/plot/swarm.py - panels of swarms, runaways and cross sections.
#
# A panel is one function that draws on one axes; GROUPS lists the panels of each --what and the
# variables that they require.
from __future__ import annotations

import textwrap
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import matplotlib
from matplotlib import ticker
from matplotlib.colors import LogNorm, Normalize

from .draw import (BLUE, GREEN, PALETTE, RED, curve, label, legend_above, legend_right, log_ticks,
                   plain_axis, sequence, set_x, set_y_linear, set_y_log, unit_text, use_log)

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes
    from matplotlib.typing import ColorType

    from .choice import Choice
    from .kinds import Floats, Ints, Panel
    from .results import Results

    Style = dict[str, Any]  # keywords of a curve
    Curve = tuple[str, Floats, Floats, Style]  # name, values, errors
    DrawResults = Callable[..., None]  # draws on axes what a file holds; some also take the scale of energies


def field_axis(r: Results) -> tuple[Floats, str]:
    """Values and label of the axis of swarm panels: the field, or a key that is scanned."""
    if r.axis is not None:
        return r.axis
    if r.has("reduced_electric_field"):
        return r.get("reduced_electric_field"), "reduced electric field $E/N$ (Td)"
    return r.get("electric_field") / 1e5, "electric field (kV/cm)"


def family(ax: Axes, r: Results, curves: list[tuple[str, float | Floats, Style]], y_label: str) -> None:
    """Curves (name, scale, style) against the field on one panel."""
    panel(ax, r, [(name, scale * r.get(name), scale * r.error(name), style)
                  for name, scale, style in curves], y_label, None)


def panel(ax: Axes, r: Results, curves: list[Curve], y_label: str, log: bool | None) -> None:
    """Curves (name, values, errors, style); log None: chosen from their range.  In a scan each
    scan point has a colour, and line and marker identify the quantity."""
    x, x_label = field_axis(r)
    if log is None:
        log = use_log(np.concatenate([y for _, y, _, _ in curves]), 0.5)
    if log:
        ax.set_yscale("log", nonpositive="clip")
    drawn = []
    for (text, of), colour in zip(r.points, sequence(len(r.points))):
        for name, y, err, style in curves:
            if len(r.points) > 1:
                style = dict(style, color=colour, label="_")
            drawn.append(curve(ax, name, x[of], y[of], err[of], log, **style))
    every = np.concatenate(drawn)
    if every.size:
        (set_y_log if log else set_y_linear)(ax, every)
    set_x(ax, x)
    ax.set_xlabel(x_label)
    ax.set_ylabel(y_label)
    if len(r.points) == 1:
        legend_above(ax)
        return
    for _, _, _, style in curves:
        ax.plot([], [], **dict(style, color="0.3"))
    for (text, _), colour in zip(r.points, sequence(len(r.points))):
        ax.plot([], [], color=colour, label=text)
    legend_right(ax, None)


def upper_limits(ax: Axes, x: Floats, limit: Floats, color: ColorType) -> None:
    """Arrows down from upper limits, on a logarithmic axis extended to show them."""
    shown = np.isfinite(limit) & (limit > 0)
    if ax.get_yscale() != "log" or not shown.any():
        return
    ax.errorbar(x[shown], limit[shown], yerr=0.4 * limit[shown], uplims=True, linestyle="none",
                color=color, elinewidth=1, capsize=2.5)
    low, high = ax.get_ylim()
    ax.set_ylim(min(low, 0.4 * limit[shown].min()), max(high, 2 * limit[shown].max()))


FLUX = dict(linestyle="-", marker="o")
BULK = dict(linestyle="--", marker="s", markerfacecolor="white")


def is_known(r: Results, name: str) -> bool:
    return r.has(name) and bool(np.isfinite(r.get(name)).any())


def mean_energy(ax: Axes, r: Results) -> None:
    styles = {"mean_energy": dict(FLUX, color=BLUE, label="mean energy"),
              "mean_energy_sst": dict(BULK, color=RED, label="steady-state Townsend")}
    family(ax, r, [(n, 1, s) for n, s in styles.items() if n == "mean_energy" or is_known(r, n)],
           label("mean electron energy", r.attr("mean_energy", "units", "eV")))


def drift_velocity(ax: Axes, r: Results) -> None:
    styles = {"drift_velocity_flux": dict(FLUX, color=BLUE, label="flux"),
              "drift_velocity_bulk": dict(BULK, color=RED, label="bulk")}
    family(ax, r, [(n, 1, s) for n, s in styles.items() if r.has(n)],
           label("drift velocity", "m s-1"))


def diffusion(ax: Axes, r: Results) -> None:
    styles = {
        "diffusion_transverse_flux": dict(FLUX, color=BLUE, label="transverse, flux"),
        "diffusion_transverse_bulk": dict(BULK, color=BLUE, label="transverse, bulk"),
        "diffusion_longitudinal_flux": dict(FLUX, marker="^", color=RED,
                                            label="longitudinal, flux"),
        "diffusion_longitudinal_bulk": dict(BULK, marker="v", color=RED,
                                            label="longitudinal, bulk")}
    n: float | Floats = 1.0
    y_label = label("diffusion coefficient", "m2 s-1")
    if r.has("gas_number_density"):
        n = r.get("gas_number_density")  # in a scan, one for each record
        y_label = label("diffusion coefficient times density $ND$", "m-1 s-1")
    family(ax, r, [(name, n, s) for name, s in styles.items() if r.has(name)], y_label)


def coefficients(ax: Axes, r: Results) -> None:
    styles = {"townsend_coefficient_reduced": dict(FLUX, color=RED, label=r"ionization $\alpha/N$"),
              "attachment_coefficient_reduced": dict(BULK, color=GREEN,
                                                     label=r"attachment $\eta/N$"),
              "townsend_effective_sst_reduced": dict(BULK, color=BLUE,
                                                     label=r"steady-state $(\alpha-\eta)/N$")}
    family(ax, r, [(n, 1, s) for n, s in styles.items()
                   if r.has(n) and (not n.endswith("sst_reduced") or is_known(r, n))],
           label("reduced coefficient", "m2"))
    for n, s in styles.items():  # no event was counted: the value is below the arrow's tail
        if r.has(n + "_upper_limit"):
            for (_, of), colour in zip(r.points, sequence(len(r.points))):
                upper_limits(ax, field_axis(r)[0][of], r.get(n + "_upper_limit")[of],
                             colour if len(r.points) > 1 else s["color"])


AXES = ["against $E$", "along $E\\times B$", "along $B$ across $E$"]
LINES = [("-", "o"), ("--", "s"), (":", "^"), ("-.", "D"), ("--", "v"), (":", "P")]


def of_frame(r: Results, name: str, components: list[tuple[str, tuple[slice | int, ...]]]) -> list[Curve]:
    """Curves of a vector or tensor: (label, values, errors, style) of the components that differ
    from 0 by more than noise."""
    curves: list[Curve] = []
    for label_text, at in components:
        y, err = r.get(name)[at], r.error(name)[at]
        if not curves or (np.abs(y) > 4 * err).any():
            line, mark = LINES[len(curves) % len(LINES)]
            curves.append((name, y, err, dict(linestyle=line, marker=mark, label=label_text,
                                              color=PALETTE[len(curves) % len(PALETTE)])))
    return curves


def drift_vector(ax: Axes, r: Results) -> None:
    panel(ax, r, of_frame(r, "drift_vector_flux", [(a, (slice(None), i)) for i, a in
                                                   enumerate(AXES)]),
          label("flux drift velocity", "m s-1"), False)


def tensor_of(ax: Axes, r: Results, components: list[tuple[int, int]], what: str) -> None:
    n = r.get("gas_number_density")
    curves = of_frame(r, "diffusion_tensor_flux",
                      [(f"$ND_{{{i}{k}}}$", (slice(None), i, k)) for i, k in components])
    panel(ax, r, [(name, n * y, n * err, style) for name, y, err, style in curves],
          label(what, "m-1 s-1"), False)


def diffusion_tensor(ax: Axes, r: Results) -> None:
    tensor_of(ax, r, [(0, 0), (1, 1), (2, 2)],
              "flux diffusion, 0: $E$, 1: $E\\times B$, 2: $B$ across $E$")


def diffusion_tensor_across(ax: Axes, r: Results) -> None:
    tensor_of(ax, r, [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)], "off the diagonal")


def energy_curves(ax: Axes, r: Results, name: str, y_label: str, energy: Floats | None = None, least: float = 1e-12,
                  scale_of: str = "log") -> None:
    """One line per field over energy, coloured by field; band: one standard error, left out
    where more than ten curves would hide each other.
    least: fraction of the largest value down to which it is shown; scale_of: log or linear."""
    e, f, err = r.get("energy") if energy is None else energy, r.get(name), r.error(name)
    f, err = f[:, :len(e)], err[:, :len(e)]
    x, x_label = field_axis(r)
    unit = "Td" if r.has("reduced_electric_field") else "kV/cm"
    if r.axis is not None:
        unit = x_label.partition("(")[2].rstrip(")")
    point = {int(i): (k, text) for k, (text, of) in enumerate(r.points) for i in of}
    shown = [i for i in np.argsort(x, kind="stable") if (f[i] > 0).any()]
    if not shown:
        ax.text(0.5, 0.5, "no value above zero", transform=ax.transAxes, ha="center",
                color="0.4")
        return
    log = use_log(x[shown], 1) and x[shown].min() > 0
    norm = LogNorm if log else Normalize
    scale = norm(x[shown].min(), x[shown].max())
    many = len(shown) > 10
    colours = sequence(len(shown))
    ax.set_xscale(scale_of)
    ax.set_yscale("log", nonpositive="clip")
    cmap = matplotlib.colors.ListedColormap(sequence(256))
    for k, i in enumerate(shown):
        use = (e > 0) & (f[i] > 0)
        colour = cmap(scale(x[i])) if many else colours[k]
        ax.plot(e[use], f[i][use], color=colour, linewidth=1.3,
                linestyle=LINES[point[int(i)][0] % len(LINES)][0],
                label="_" if many else ", ".join([f"{x[i]:.4g} {unit}".strip()] +
                                                 [point[int(i)][1]] * (len(r.points) > 1)),
                marker="." if np.count_nonzero(use) < 15 else None)
        if not many and (err[i][use] > 0).any():
            low = np.maximum(f[i] - err[i], 1e-3 * f[i])
            ax.fill_between(e[use], low[use], (f[i] + err[i])[use], color=colour, alpha=0.2,
                            linewidth=0)
    top = np.nanmax(f[shown])
    bottom = max(np.nanmin(f[shown][f[shown] > 0]), least * top)
    ax.set_ylim(bottom / 2, top * 2)
    used = e[((f[shown] > bottom / 2) & (e > 0)).any(axis=0)]
    if scale_of == "log":
        ax.set_xlim(used.min() / 1.1, used.max() * 1.1)
        log_ticks(ax.xaxis, *ax.get_xlim())
    else:
        ax.set_xlim(0, used.max() * 1.03)
        plain_axis(ax.xaxis)
    log_ticks(ax.yaxis, *ax.get_ylim())
    ax.set_xlabel("electron energy (eV)")
    ax.set_ylabel(y_label)
    if many:
        bar = ax.figure.colorbar(matplotlib.cm.ScalarMappable(scale, cmap), ax=ax, pad=0.02)
        bar.set_label(x_label if r.axis is not None else "reduced electric field (Td)"
                      if unit == "Td" else "electric field (kV/cm)")
        for k, (text, _) in enumerate(r.points * (len(r.points) > 1)):
            ax.plot([], [], color="0.3", linestyle=LINES[k % len(LINES)][0], label=text)
        if len(r.points) > 1:
            legend_above(ax)
        if log:
            log_ticks(bar.ax.yaxis, x[shown].min(), x[shown].max())
    else:
        legend_right(ax, None)


def distribution(ax: Axes, r: Results, scale: str) -> None:
    energy_curves(ax, r, "energy_distribution",
                  label("energy distribution $f$", r.attr("energy_distribution", "units")),
                  scale_of=scale)


def first_anisotropy(ax: Axes, r: Results, scale: str) -> None:
    energy_curves(ax, r, "energy_distribution_f1",
                  label("first anisotropy $f_1$", r.attr("energy_distribution_f1", "units")),
                  scale_of=scale)


def final_distribution(ax: Axes, r: Results, scale: str) -> None:
    name = "final_energy_distribution"
    energy_curves(ax, r, name, label("distribution at the end", r.attr(name, "units")), scale_of=scale)


def threshold_text(ev: float) -> str:
    for unit, size in (("MeV", 1e6), ("keV", 1e3)):
        if ev >= size:
            return f"{ev / size:.4g} {unit}"
    return f"{ev:.4g} eV"


def runaway_curves(ax: Axes, r: Results, name: str, scale: float, y_label: str, decades: float) -> None:
    """One curve per threshold over the field in kV/cm, with a second axis in Td."""
    x, x_label = r.axis or (r.get("electric_field") / 1e5, "electric field (kV/cm)")
    y, err = scale * r.get(name), scale * r.error(name)
    thresholds = np.atleast_1d(r.get("threshold"))
    log = use_log(y, decades)
    if log:
        ax.set_yscale("log", nonpositive="clip")
    drawn = []
    marks = "os^DvP<>"
    for j, colour in enumerate(sequence(len(thresholds))):
        for k, (_, of) in enumerate(r.points):
            drawn.append(curve(ax, name, x[of], y[of, j], err[of, j], log, color=colour,
                               linestyle=LINES[k % len(LINES)][0], marker=marks[j % len(marks)],
                               label=threshold_text(thresholds[j]) if k == 0 else "_"))
        if r.has(name + "_upper_limit"):
            upper_limits(ax, x, scale * r.get(name + "_upper_limit")[:, j], colour)
    every = np.concatenate(drawn)
    if log:
        set_y_log(ax, every)
    else:
        set_y_linear(ax, every)
    seen = (np.isfinite(y) & ((y > 0) | (not log))).any(axis=1)
    if log and r.has(name + "_upper_limit"):
        seen |= (r.get(name + "_upper_limit") > 0).any(axis=1)
    set_x(ax, x[seen])
    ax.set_xlabel(x_label)
    ax.set_ylabel(y_label)
    for k, (text, _) in enumerate(r.points * (len(r.points) > 1)):
        ax.plot([], [], color="0.3", linestyle=LINES[k % len(LINES)][0], label=text)
    if ax.get_legend_handles_labels()[0]:
        legend_right(ax, "above")
    if r.axis is None:
        reduced_axis(ax, r, x)


def reduced_axis(ax: Axes, r: Results, x: Floats) -> None:
    """E/N on a top axis; only if there is one gas density, so that it is a multiple of E."""
    if not r.has("reduced_electric_field"):
        return
    td = r.get("reduced_electric_field")
    use = np.isfinite(x) & np.isfinite(td) & (x > 0)
    if not use.any():
        return
    ratio = td[use] / x[use]
    if ratio.max() > 1.001 * ratio.min():
        return
    k = ratio[0]
    top = ax.secondary_xaxis("top", functions=(lambda v: v * k, lambda v: v / k))
    top.set_xlabel("reduced electric field (Td)")
    if ax.get_xscale() == "log":
        low, high = ax.get_xlim()
        log_ticks(top.xaxis, low * k, high * k)
        if high / low < 10:  # too few decades for ticks of these; the panel may be narrow
            top.xaxis.set_major_locator(ticker.MaxNLocator(4, steps=[1, 2, 5, 10]))
            top.xaxis.set_minor_locator(ticker.NullLocator())


def runaway_fraction(ax: Axes, r: Results) -> None:
    runaway_curves(ax, r, "runaway_fraction", 1, "runaway fraction", 1.5)


def runaway_rate(ax: Axes, r: Results) -> None:
    runaway_curves(ax, r, "runaway_rate", 1, label("runaway rate", "s-1"), 1)


def passage_rate(ax: Axes, r: Results) -> None:
    """For a weighted ensemble; together with the ionization frequency."""
    x = field_axis(r)[0] if r.axis is not None else r.get("electric_field") / 1e5
    runaway_curves(ax, r, "passage_rate", 1, label("rate of first passages", "s-1"), 1)
    limit = r.get("passage_rate_limit")
    limit = limit if limit.ndim == 1 else limit[:, -1]  # of the last threshold
    if np.isfinite(limit).any():
        ax.plot(x, limit, "v", color="0.5", linestyle="none", markersize=5,
                label=f"below, 95 % ({threshold_text(np.atleast_1d(r.get('threshold'))[-1])})")
    y = r.get("ionization_rate")
    for k, (_, of) in enumerate(r.points):
        order = of[np.argsort(x[of])]
        ax.plot(x[order], y[order], color="0.6", linestyle=LINES[k % len(LINES)][0]
                if len(r.points) > 1 else ":", label="ionization" if k == 0 else "_")
    if r.has("threshold_is_steady"):
        rate = r.get("passage_rate").reshape(len(x), -1)
        steady = r.get("threshold_is_steady").reshape(len(x), -1)
        bad = (steady == 0) & (rate > 0)
        if bad.any():
            ax.plot(np.broadcast_to(x[:, None], rate.shape)[bad], rate[bad], "x", color=RED,
                    linestyle="none", markersize=9, zorder=5, label="not steady: no result")
    shown = np.concatenate([limit, y, r.get("passage_rate").ravel()])
    set_y_log(ax, shown[np.isfinite(shown) & (shown > 0)])
    set_x(ax, x)
    legend_right(ax, "above")


def level_distribution(ax: Axes, r: Results, scale: str) -> None:
    low = np.asarray(r.get("level"), dtype=float)
    high = np.append(low[1:], np.nan)
    middle = np.sqrt(np.maximum(low, high[0] / 4) * high)
    energy_curves(ax, r, "level_distribution",
                  label("part of the electrons over energy",
                        r.attr("level_distribution", "units")), middle[:-1], 1e-30, scale)


def in_unit(ax: Axes, r: Results, name: str, what: str, base: str, decades: float = 1) -> None:
    """Curves of thresholds in a multiple of the base unit that suits the largest."""
    largest = np.nanmax(r.get(name))
    for prefix, size in (("", 1), ("m", 1e-3), ("µ", 1e-6), ("n", 1e-9), ("p", 1e-12)):
        if largest >= size:
            break
    runaway_curves(ax, r, name, 1 / size, f"{what} ({prefix}{base})", decades)


def passages_in_time(ax: Axes, r: Results) -> None:
    """First passages per primary and time: a curve for each threshold, of the last field; and the electrons."""
    x, i = r.get("time") * 1e9, len(np.atleast_1d(r.get("electric_field"))) - 1
    y, err = r.get("time_passages")[i], r.error("time_passages")[i]
    thresholds = np.atleast_1d(r.get("threshold"))
    ax.set_yscale("log", nonpositive="clip")
    drawn = np.concatenate([curve(ax, "time_passages", x, y[:, j], err[:, j], True, color=colour,
                                  marker=".", label=threshold_text(thresholds[j]))
                            for j, colour in enumerate(sequence(len(thresholds)))])
    set_y_log(ax, drawn)
    ax.set_xlabel("time (ns)")
    ax.set_ylabel(label("first passages per primary", "s-1"))
    legend_right(ax, "above")


def detector_spectrum(ax: Axes, r: Results) -> None:
    """Electrons that cross a detector outward: a curve for each, of the last field."""
    edge = r.get("energy_bounds")
    x, i = np.sqrt(np.maximum(edge[:, 0], edge[0, 1] / 4) * edge[:, 1]), -1
    y, err = r.get("detector_spectrum")[i], r.error("detector_spectrum")[i]
    names = [f"{s}, {a:.4g} m" for s, a in zip(r.names("detector_shape"), r.get("detector_at"))]
    ax.set_xscale("log")
    ax.set_yscale("log", nonpositive="clip")
    drawn = [curve(ax, "detector_spectrum", x, y[j], err[j], True, color=colour, marker=".",
                   label=names[j])
             for j, colour in enumerate(sequence(len(names))) if (y[j] > 0).any()]
    seen = (y > 0).any(axis=0)
    ax.set_xlabel("electron energy (eV)")
    ax.set_ylabel(label("crossings per primary", "eV-1"))
    if not drawn:
        ax.text(0.5, 0.5, "no crossing", transform=ax.transAxes, ha="center", color="0.4")
        return
    set_y_log(ax, np.concatenate(drawn))
    ax.set_xlim(x[seen].min() / 1.2, x[seen].max() * 1.2)
    log_ticks(ax.xaxis, *ax.get_xlim())
    legend_right(ax, "above")


def first_passage(ax: Axes, r: Results) -> None:
    in_unit(ax, r, "first_passage_time", "first-passage time", "s")


def passage_time(ax: Axes, r: Results) -> None:
    in_unit(ax, r, "passage_time", "time from the first threshold", "s", 3)


def passage_distance(ax: Axes, r: Results) -> None:
    in_unit(ax, r, "passage_distance", "way from the first threshold", "m", 3)


RIDGES = 12  # largest number of distributions in a panel


def passages_in_bins(ax: Axes, r: Results, what: str, per: float, x_label: str) -> None:
    """For each field, passages of the electrons that pass the last threshold reached there."""
    parts, edges = r.get(f"passage_{what}_distribution"), per * r.get(f"passage_{what}_bin")
    thresholds, field = np.atleast_1d(r.get("threshold")), r.get("electric_field") / 1e5
    shown = []
    for i in np.argsort(field, kind="stable"):
        last = np.flatnonzero(np.isfinite(parts[i]).all(axis=1))
        if len(last):
            shown.append((i, last[-1]))
    ax.set_xlabel(x_label)
    ax.set_ylabel("part of those that pass, a bin")
    if not shown:
        ax.text(0.5, 0.5, "no passages", transform=ax.transAxes, ha="center", color="0.4")
        return
    error = r.error(f"passage_{what}_distribution")
    if len(shown) > RIDGES:
        shown = [shown[j] for j in np.linspace(0, len(shown) - 1, RIDGES).round().astype(int)]
    highest = max(parts[i, k].max() for i, k in shown)
    ax.set_xscale("log")
    # One below the other on the same scales: over each other, more than two hide each other.
    for row, ((i, k), colour) in enumerate(zip(shown, sequence(len(shown)))):
        f, bar, edge = (0.9 / highest * parts[i, k], 0.9 / highest * error[i, k], edges[i, k])
        ax.fill_between(edge, row, row + f, step="post", color=colour, alpha=0.35, linewidth=0)
        ax.step(edge, row + f, where="post", color=colour, linewidth=1.2)
        use = (f > 0) & (edge > 0) & np.append(np.diff(edge) > 0, False)
        middle = np.sqrt(edge[use] * edge[np.flatnonzero(use) + 1])
        # A bar of a bin with one passage must not set the scale: it ends at the next line.
        up = np.minimum(bar[use], 0.98 - f[use])
        ax.errorbar(middle, row + f[use], yerr=[np.minimum(bar[use], f[use]), up], fmt="none",
                    ecolor=colour, elinewidth=1, capsize=1.5)
    ax.set_yticks(range(len(shown)), [f"{field[i]:.4g} kV/cm, {threshold_text(thresholds[k])}"
                                      for i, k in shown], fontsize=7.5)
    ax.set_ylim(-0.1, len(shown))
    ax.set_title(f"from line to line: {highest / 0.9:.2g} of those that pass, a bin", fontsize=9)
    ax.set_ylabel("field, threshold")
    used = np.concatenate([edges[i, k][(parts[i, k] > 0) & (edges[i, k] > 0)] for i, k in shown])
    if len(used):
        ax.set_xlim(used.min() / 1.3, used.max() * 1.6)
        log_ticks(ax.xaxis, *ax.get_xlim())


def passage_times(ax: Axes, r: Results) -> None:
    passages_in_bins(ax, r, "time", 1e12, "time from the first threshold (ps)")


def passage_distances(ax: Axes, r: Results) -> None:
    passages_in_bins(ax, r, "distance", 1e6, "way from the first threshold (µm)")


# Friction is a force; these are the units in use.
FORCE_IN_KEV_CM = {"eV m-1": 1e-5, "eV/m": 1e-5, "keV m-1": 1e-2, "keV cm-1": 1.0,
                   "MeV m-1": 10.0, "V m-1": 1e-5, "N": 1e-5 / 1.602176634e-19,
                   "J m-1": 1e-5 / 1.602176634e-19}


def friction(ax: Axes, r: Results) -> None:
    units = r.attr("friction", "units")
    scale, y_units = FORCE_IN_KEV_CM.get(units, 1.0), "keV/cm"
    if units not in FORCE_IN_KEV_CM:
        y_units = unit_text(units)
    e, curves = r.get("energy"), []
    if r.has("friction_mixture"):
        curves.append(("mixture", scale * r.get("friction_mixture")))
    names = r.names("gas_name") if "gas_name" in r.variables else []
    for i, row in enumerate(np.atleast_2d(scale * r.get("friction"))):
        curves.append((names[i] if i < len(names) else f"gas {i + 1}", row))
    ax.set_xscale("log")
    ax.set_yscale("log")
    shown, used = [], []
    for i, (name, f) in enumerate(curves):
        use = (e > 0) & (f > 0)
        if not use.any():
            continue
        first = i == 0
        x, y = e[use], f[use]
        ax.plot(x, y, color=PALETTE[i % len(PALETTE)], linewidth=1.8 if first else 1.3,
                linestyle="-" if first else LINES[i % len(LINES)][0],
                label=name if len(curves) > 1 else "friction")
        shown.append(y)
        used.append(x)
        top = int(np.argmax(y))
        if first and 0 < top < len(y) - 1:
            ax.plot(x[top], y[top], "o", color="black", linestyle="none", zorder=5,
                    label=f"maximum {y[top]:.3g} {y_units} at {threshold_text(x[top])}")
    values = np.concatenate(shown)
    set_y_log(ax, values[values > 1e-5 * values.max()])  # cross sections begin at 0 at their threshold
    ax.set_xlim(min(x.min() for x in used), max(x.max() for x in used))
    log_ticks(ax.xaxis, *ax.get_xlim())
    ax.set_xlabel("electron energy (eV)")
    ax.set_ylabel(f"friction ({y_units})")
    legend_above(ax)


def gases(r: Results) -> list[tuple[str, Ints]]:
    """(name, processes) of each gas with cross sections; one without a name if they have no gas."""
    every = np.arange(len(np.atleast_2d(r.get("sigma"))))
    if not ("process_gas" in r.variables and "gas_name" in r.variables):
        return [("", every)]
    of, names = r.get("process_gas"), r.names("gas_name")
    return [(name, every[of == i]) for i, name in enumerate(names) if (of == i).any()]


def cross_sections(ax: Axes, r: Results, gas: str = "", processes: Ints | slice = slice(None)) -> None:
    """A curve for each process of a gas; the legend in the order of the file."""
    e, sigma = r.get("energy"), np.atleast_2d(r.get("sigma"))[processes]
    names = np.array(r.names("process_name") if "process_name" in r.variables else
                     [f"process {i + 1}" for i in range(len(r.get("sigma")))])[processes]
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_title(gas, fontsize=10)
    ax.set_xlabel("electron energy (eV)")
    ax.set_ylabel(label("cross section", r.attr("sigma", "units", "m2")))
    if not (np.nan_to_num(sigma) > 0).any():
        ax.text(0.5, 0.5, "no value above zero", transform=ax.transAxes, ha="center", color="0.4")
        return
    for i, (name, s) in enumerate(zip(names, sigma)):
        use = (e > 0) & (s > 0)
        if use.any():
            ax.plot(e[use], s[use], color=PALETTE[i % len(PALETTE)],
                    linestyle=["-", "--", ":", "-.", (0, (5, 1, 1, 1, 1, 1))][i // len(PALETTE) % 5],
                    linewidth=1.2, label=textwrap.shorten(name, 44, placeholder=" ..."))
    top = np.nanmax(sigma)
    ax.set_ylim(max(np.nanmin(sigma[sigma > 0]), 1e-8 * top) / 1.5, top * 2)
    used = e[(e > 0) & (sigma > 0).any(axis=0)]
    ax.set_xlim(used.min(), used.max())
    log_ticks(ax.xaxis, *ax.get_xlim())
    log_ticks(ax.yaxis, *ax.get_ylim())
    n = len(ax.get_legend_handles_labels()[0])
    legend_right(ax, None, ncol=1 + (n - 1) // 20, fontsize=8 if n <= 20 else 6.5)


# what -> panels; a panel: its function, variables of which one must be present, a further
# required variable, whether it takes a whole row
def varying(ax: Axes, r: Results, name: str, y_label: str, scale: float = 1) -> None:
    """A quantity of a swarm in a varying field, over RF phase or time; a curve for each field."""
    kind = "phase" if r.has("phase") else "time"
    x = r.get(kind) if kind == "phase" else r.get(kind) * 1e9
    y, error = scale * r.get(f"{kind}_{name}"), scale * r.error(f"{kind}_{name}")
    fields, _ = field_axis(r)
    colors = sequence(len(fields))
    drawn = np.concatenate([curve(ax, name, x, y[i], error[i], False, color=colors[i],
                                  marker=".", label=f"{fields[i]:.4g} Td")
                            for i in range(len(fields))])
    set_y_linear(ax, drawn)
    ax.set_xlabel("part of the period" if kind == "phase" else "time (ns)")
    ax.set_ylabel(y_label)
    legend_above(ax)


def varying_energy(ax: Axes, r: Results) -> None:
    varying(ax, r, "mean_energy", "mean electron energy (eV)")


def varying_drift(ax: Axes, r: Results) -> None:
    varying(ax, r, "drift_velocity", "flux drift velocity (km/s)", 1e-3)


GROUPS: dict[str, list[tuple[DrawResults, list[str], str | None, bool]]] = {
    "varying": [
        (varying_energy, ["phase_mean_energy", "time_mean_energy"], None, False),
        (varying_drift, ["phase_drift_velocity", "time_drift_velocity"], None, False)],
    "swarm": [
        (mean_energy, ["mean_energy"], None, False),
        (drift_velocity, ["drift_velocity_flux", "drift_velocity_bulk"], None, False),
        (diffusion, ["diffusion_transverse_flux", "diffusion_transverse_bulk",
                     "diffusion_longitudinal_flux", "diffusion_longitudinal_bulk"], None, False),
        (drift_vector, ["drift_vector_flux"], None, False),
        (diffusion_tensor, ["diffusion_tensor_flux"], None, False),
        (diffusion_tensor_across, ["diffusion_tensor_flux"], None, False),
        (coefficients, ["townsend_coefficient_reduced", "attachment_coefficient_reduced"], None,
         False)],
    "distribution": [
        (distribution, ["energy_distribution"], "energy", False),
        (first_anisotropy, ["energy_distribution_f1"], "energy", False),
        (final_distribution, ["final_energy_distribution"], "energy", False),
        (level_distribution, ["level_distribution"], "level", False)],
    "runaway": [
        (runaway_fraction, ["runaway_fraction"], "threshold", False),
        (runaway_rate, ["runaway_rate"], "threshold", False),
        (passage_rate, ["passage_rate"], "threshold", False),
        (passage_time, ["passage_time"], "threshold", False),
        (passage_distance, ["passage_distance"], "threshold", False),
        (passage_times, ["passage_time_distribution"], "threshold", False),
        (passage_distances, ["passage_distance_distribution"], "threshold", False),
        (first_passage, ["first_passage_time"], "threshold", False),
        (passages_in_time, ["time_passages"], "threshold", False),
        (detector_spectrum, ["detector_spectrum"], "energy", False)],
    "friction": [(friction, ["friction"], "energy", False)],
    "cross-sections": [(cross_sections, ["sigma"], "energy", True)],
}


def is_empty(r: Results, draw: DrawResults) -> bool:
    """Would a panel of alpha/N and eta/N show only 0, as the gas has no such processes, or one of
    lineages nothing, as they are not known?"""
    names = ["townsend_coefficient_reduced", "attachment_coefficient_reduced"]
    unknown = {runaway_fraction: "runaway_fraction", first_passage: "first_passage_time"}
    if draw in unknown:  # with energy levels
        return not np.isfinite(r.get(unknown[draw])).any()
    return draw is coefficients and all(
        (np.nan_to_num(r.get(v)) == 0).all()
        for n in names for v in (n, n + "_upper_limit") if r.has(v))


def panels_of(r: Results, what: str, choice: Choice) -> list[Panel]:
    """[(draw, takes a whole row)]"""
    more = {"scale": choice.energy} if what == "distribution" else {}
    drawn = [(draw, wide) for draw, some, needed, wide in GROUPS[what]
             if any(r.has(v) for v in some) and (needed is None or r.has(needed))
             and not is_empty(r, draw)]
    if what == "cross-sections" and drawn:
        return [(partial(cross_sections, r=r, gas=g, processes=p), True) for g, p in gases(r)]
    return [(partial(draw, r=r, **more), wide) for draw, wide in drawn]
