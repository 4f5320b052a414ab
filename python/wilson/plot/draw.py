# wilson/plot/draw.py - functions shared by all panels: units and numbers as text, scales, legends.
from __future__ import annotations

import gc
import sys
from typing import TYPE_CHECKING, Any

from .failure import missing_module

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.colorbar import Colorbar
    from matplotlib.image import AxesImage

    from .kinds import Floats

try:
    import numpy as np
    import matplotlib
    import matplotlib.pyplot as plt
    from matplotlib import ticker
except ImportError:
    missing_module("matplotlib", "python3-matplotlib")

# matplotlib makes a million small objects a page: a tenth of the time went into looking for cycles among them.
gc.set_threshold(100000)

STYLE: dict[Any, Any] = {"font.size": 10, "axes.labelsize": 10.5, "legend.fontsize": 8.5, "axes.grid": True,
         "grid.color": "0.88", "grid.linewidth": 0.6, "axes.axisbelow": True,
         "axes.edgecolor": "0.3", "figure.titlesize": 13}


LEFT_OUT: dict[str, int] = {}  # variable -> numbers that its axis could not show


def left_out() -> list[str]:
    """A line for each variable of which numbers were left out since the last call."""
    lines = [f"{name}: {n} value{'s' if n > 1 else ''} not above zero left out of a logarithmic axis"
             for name, n in LEFT_OUT.items()]
    LEFT_OUT.clear()
    return lines


def say_left_out() -> None:
    for line in left_out():
        print(f"wilson-plot: note: {line}", file=sys.stderr)


def unit_text(units: str) -> str:
    """CF units with superscripts: "m2 s-1" becomes m$^2$ s$^{-1}$."""
    out = []
    for word in units.split():
        stem = word.rstrip("-/0123456789")
        power = word[len(stem):]
        out.append(f"{stem}$^{{{power}}}$" if stem and power and "$" not in word else word)
    return " ".join(out)


def label(quantity: str, units: str) -> str:
    return quantity if units in ("", "1") else f"{quantity} ({unit_text(units)})"


PREFIXES = {-18: "a", -15: "f", -12: "p", -9: "n", -6: "µ", -3: "m", 0: "", 3: "k", 6: "M",
            9: "G"}


def scaled(units: str, largest: float) -> tuple[float, str]:
    """Divisor and scaled units for an axis whose largest number is `largest`: a prefix for V,
    m s-1 and the like, a power of ten for m-3."""
    if not np.isfinite(largest) or largest <= 0:
        return 1.0, units
    power = 3 * int(np.floor(np.log10(largest) / 3 + 1e-9))
    words = units.split()
    if words and words[0].isalpha() and words[0] != "kg" and power in PREFIXES:
        return 10.0 ** power, " ".join([PREFIXES[power] + words[0]] + words[1:])
    if -1 <= power / 3 <= 1 and largest < 1e4:
        return 1.0, units
    return 10.0 ** power, f"$10^{{{power}}}$" + ("" if units in ("", "1") else " " + units)


def use_log(values: Floats, decades: float) -> bool:
    v = values[np.isfinite(values) & (values > 0)]
    return v.size > 0 and v.max() >= v.min() * 10 ** decades


def plain_text(x: float, _: int | None = None) -> str:
    return f"{x:.6g}"


def power_text(x: float, _: int | None = None) -> str:
    """2x10^24 in full: no common factor at the end of the axis, where it overlaps other text."""
    if x == 0:
        return "0"
    mantissa, exponent = f"{x:.6e}".split("e")
    mantissa = f"{float(mantissa):g}"
    power = f"10^{{{int(exponent)}}}"
    return f"${power}$" if mantissa == "1" else f"${mantissa}\\times{power}$"


def plain_axis(axis: Axis) -> None:
    """Plain numbers, without a common factor or offset."""
    axis.set_major_formatter(ticker.FuncFormatter(plain_text))


def log_ticks(axis: Axis, low: float, high: float) -> None:
    """Tick labels at 1, 2 and 5 of each decade, or at powers of ten over many decades."""
    axis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)) if high / low < 200 else
                           ticker.LogLocator(numticks=9 if high / low > 1e9 else 12))
    plain = low >= 9e-4 and high < 1e5
    axis.set_major_formatter(ticker.FuncFormatter(plain_text if plain else power_text))
    axis.set_minor_formatter(ticker.NullFormatter())


def set_x(ax: Axes, x: Floats, log: bool | None = None) -> None:
    """Range and scale of a field axis; a single field gets a margin."""
    x = x[np.isfinite(x)]
    if x.size == 0:
        return
    low, high = x.min(), x.max()
    if low > 0 and (use_log(x, 0.5) if log is None else log):
        ax.set_xscale("log")
        room = (high / low) ** 0.05 if high > low else 2.0
        ax.set_xlim(low / room, high * room)
        log_ticks(ax.xaxis, low / room, high * room)
    else:
        room = 0.05 * (high - low) if high > low else 0.5 * abs(low) or 1.0
        ax.set_xlim(low - room, high + room)


def set_y_log(ax: Axes, values: Floats) -> None:
    v = values[np.isfinite(values) & (values > 0)]
    if v.size == 0:
        return
    low, high = v.min(), v.max()
    room = max((high / low) ** 0.06, 1.25)
    ax.set_ylim(low / room, high * room)
    log_ticks(ax.yaxis, low / room, high * room)


def set_y_linear(ax: Axes, values: Floats) -> None:
    low, high = values.min(), values.max()
    if 0 <= low < 0.3 * high:
        low = 0.0
    room = 0.08 * (high - low) or 0.1 * abs(high) or 1.0
    ax.set_ylim(low - room, high + room)
    largest = max(abs(low), abs(high))
    plain = largest == 0 or 1e-2 <= largest < 1e5
    ax.yaxis.set_major_formatter(ticker.FuncFormatter(plain_text if plain else power_text))


def curve(ax: Axes, name: str, x: Floats, y: Floats, err: Floats, log: bool, **style: Any) -> Floats:
    """A curve with error bars.  Returns the values drawn, bars included, for the range."""
    drawable = np.isfinite(x) & np.isfinite(y)
    if log:
        lost = np.count_nonzero(drawable & ~(y > 0))
        if lost:
            LEFT_OUT[name] = LEFT_OUT.get(name, 0) + lost
        drawable &= y > 0
    if not drawable.any():
        return np.array([])
    order = np.argsort(x[drawable], kind="stable")
    x, y, err = (a[drawable][order] for a in (x, y, err))
    ax.errorbar(x, y, yerr=err if (err > 0).any() else None, capsize=2.5, elinewidth=1,
                markersize=4.5, linewidth=1.3, **style)
    # A bar that reaches zero must not extend the axis; it is cut at the frame.
    return np.concatenate([y, y + err, (y - err)[y - err > 0.3 * y]]) if log else \
        np.concatenate([y - err, y + err])


def room_above(ax: Axes) -> float:
    """Width in pixels that a legend above the axes may have, before the layout is known: a
    column of the page without the labels of its y axis."""
    place = ax.get_subplotspec()
    columns = place.get_gridspec().ncols if place is not None else 1
    return ax.figure.bbox.width / columns - 0.95 * ax.figure.dpi


def legend_above(ax: Axes, columns: int | None = None, text: str = "", **how: Any) -> Callable[[str], None]:
    """Legend above the axes, where it cannot cover data, in as many columns as fit; `text` (time,
    window, place) stands above the entries, so that neither covers the other.  Returns a
    function that changes the text."""
    labels = ax.get_legend_handles_labels()[1]
    if not labels:
        ax.set_title(text, fontsize=9)
        return ax.title.set_text
    style = dict(handlelength=2.2, columnspacing=1.4)
    style.update(how)
    for n in range(columns or len(labels), 0, -1):
        legend = ax.legend(loc="lower left", bbox_to_anchor=(-0.02, 1.0), ncol=n, frameon=False,
                           borderaxespad=0.2, title=text or None, title_fontsize=8.5,
                           alignment="left", **style)
        if legend.get_window_extent().width <= room_above(ax):
            break
    return legend.get_title().set_text


def colour_bar(ax: Axes, image: AxesImage, text: str) -> Colorbar:
    """As high as the panel, also where equal scales of both axes make that low."""
    beside = ax.inset_axes((1.02, 0.0, 0.035, 1.0), label="<colorbar>")
    bar = ax.figure.colorbar(image, cax=beside)
    bar.set_label(text)
    plain_axis(bar.ax.yaxis)
    return bar


def say_empty(ax: Axes, values: Floats) -> None:
    """Text in a panel without a number, which would look like a fault of the program."""
    if not np.isfinite(values).any():
        ax.text(0.5, 0.5, "no values", transform=ax.transAxes, ha="center", color="0.4")


FEW = 12  # points from which on a curve has no marks


def mark(n: int) -> str | None:
    return "o" if n < FEW else None


BUCKETS, ZIGZAG = 150, 3.0


def trace(ax: Axes, x: Floats, y: Floats, **style: Any) -> int:
    """A curve over time.  Where it swings faster than a pixel shows, a line through the means of
    neighbouring rows and a band from the smallest to the largest of them; returns their number,
    else 0."""
    if len(y) >= 4 * BUCKETS:
        rows = -(-len(y) // BUCKETS)  # the same number in each, or the means would jump
        ends = range(rows, len(y), rows)
        parts = [p[np.isfinite(p)] for p in np.split(y, ends)]
        use = np.array([p.size > 0 for p in parts])
        parts = [p for p in parts if p.size]
        low, high, mean = (np.array([f(p) for p in parts]) for f in (np.min, np.max, np.mean))
        swings = np.abs(np.diff(y[np.isfinite(y)])).sum() > ZIGZAG * np.abs(np.diff(mean)).sum()
        if swings and np.median(high - low) > 0.005 * (high.max() - low.min()):
            at = np.array([p.mean() for p in np.split(x, ends)])[use]
            band = {k: v for k, v in style.items() if k == "color"}
            ax.fill_between(at, low, high, alpha=0.22, linewidth=0, **band)
            ax.plot(at, mean, **style)
            return rows
    ax.plot(x, y, marker=mark(len(y)), markersize=4, **style)
    return 0


def trace_text(rows: list[int]) -> str:
    """What the bands of trace() are, for the legend; "" without bands."""
    return f"lines: means of {max(rows)} rows; bands: smallest to largest of them" \
        if any(rows) else ""


def legend_right(ax: Axes, title: str | None, **how: Any) -> None:
    ax.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), frameon=False, title=title,
              borderaxespad=0.0, alignment="left", **how)


def sequence(n: int) -> Floats:
    """n colours of viridis without its palest end, which is hard to see on white."""
    return plt.get_cmap("viridis")(np.linspace(0.0, 0.88, n) if n > 1 else [0.3])


# The colours of Okabe and Ito for all kinds of colour vision, without yellow, which is hard to
# see on white, and black, which is for totals.
BLUE, RED, GREEN = "#0072b2", "#d55e00", "#009e73"
PALETTE = [BLUE, RED, GREEN, "#cc79a7", "#e69f00", "#56b4e9", "#5b6770"]


def colours(n: int) -> list[str]:
    """n colours, different as far as possible, for categories without an order."""
    return [PALETTE[i % len(PALETTE)] for i in range(n)]
