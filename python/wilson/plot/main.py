# wilson/plot/main.py - the command wilson-plot: its options, and what they choose of a file.
#
# The panels are in the modules beside this one; pages.py arranges them on pages.  Numbers that a
# panel cannot show (not above zero on a logarithmic axis, never written) are left out, and
# counted on stderr.
from __future__ import annotations

import argparse
import os
from functools import partial
from typing import TYPE_CHECKING

from .draw import STYLE, say_left_out  # first: it says that matplotlib is missing
from matplotlib import pyplot as plt
from . import averages, compare, converge, distributions, films, integrals, man, maps, overview, pages, samples, swarm, window
from .choice import Choice
from .failure import clean, fail
from .results import Results, nearest_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .kinds import Drawer, Page, Panel, Row, SeriesDrawer

# --what -> the function that draws it, in the order of the page
SERIES: dict[str, SeriesDrawer] = {"maps": maps, "lines": maps, "phase-space": samples}
WHAT: dict[str, Drawer] = {
    **dict.fromkeys(swarm.GROUPS, swarm),
    **dict.fromkeys(("energies", "waves", "particles", "walls", "currents"), integrals),
    **dict.fromkeys(("averages", "phases"), averages),
    "energy-distributions": distributions, **SERIES, "convergence": converge}

# The quantities that an option applies to.
ACTS_ON = {"window": ["waves"], "mean": ["maps", "lines"], "time": list(SERIES),
           "line": ["lines", "averages", "phases"], "slice": ["maps", "averages"],
           "map": ["maps", "lines", "averages", "phases"], "average": ["averages", "phases"],
           "axes": ["phase-space"], "energy": ["distribution"]}


def panels_of(r: Results, what: str, choice: Choice) -> list[Panel]:
    return WHAT[what].panels_of(r, what, choice)


def all_of(r: Results, choice: Choice) -> dict[str, list[Panel]]:
    """{what: panels} of all results that the options given apply to."""
    choice.what = "all"
    drawn = {w: panels_of(r, w, choice) for w in WHAT}
    drawn = {w: panels for w, panels in drawn.items() if panels}
    for name in choice.maps or []:
        if choice.had and name not in choice.found:
            fail(2, f"--map: {r.path} has no map or average {name}; "
                    f"{nearest_text(name, choice.had)}it has: " + ", ".join(choice.had))
    if not drawn:
        fail(2, f"{r.path}: holds nothing that can be drawn yet")
    check_options(r, drawn, choice)
    if choice.given:
        every = set.intersection(*(set(ACTS_ON[option]) for option in choice.given))
        some = set().union(*(ACTS_ON[option] for option in choice.given))
        drawn = {w: p for w, p in drawn.items() if w in (every & set(drawn) or some)}
    return drawn


def check_options(r: Results, drawn: dict[str, list[Panel]], choice: Choice) -> None:
    """Exits with a message if an option would have no effect."""
    for option in choice.given:
        if not set(ACTS_ON[option]) & set(drawn):
            fail(2, f"--{option}: is for {' and '.join(ACTS_ON[option])}, and of {r.path} only "
                    f"{', '.join(drawn)} would be drawn")


def drawn_of(r: Results, whats: list[str], choice: Choice) -> dict[str, list[Panel]]:
    """{what: panels} of the requested plots; exits with a message when the file does not
    contain them, or when an option would have no effect."""
    if choice.film and whats == ["all"]:
        held: list[str] = []
        for w in SERIES:
            choice.what = "all"
            held = held or [w] * bool(panels_of(r, w, choice))
        if not held:
            fail(2, f"{r.path}: holds no series for a film; the keys plasma.fields_interval and "
                    "plasma.particles_interval ask for them")
        whats = held
    if whats == ["all"]:
        return all_of(r, choice)
    drawn = {}
    for choice.what in whats:
        drawn[choice.what] = panels_of(r, choice.what, choice)
        if not drawn[choice.what]:
            missing, choice.what = choice.what, "all"
            held = [w for w in WHAT if panels_of(r, w, choice)]
            fail(2, f"{r.path}: holds no results for --what {missing}; it holds: "
                    + (", ".join(held) or "nothing that can be drawn yet"))
    check_options(r, drawn, choice)
    return drawn


def title_of(r: Results) -> str:
    title = str(r.attrs.get("title", "")) or os.path.basename(r.path)
    return title + " (unfinished run)" * r.path.endswith(".part")


def default_of(choice: Choice) -> list[str]:
    """--what where none is given."""
    return ["all"] if choice.given or choice.film else ["overview"]


def page(r: Results, rows: list[Row]) -> Figure:
    return pages.figure(rows, title_of(r))[0]


def build(r: Results, whats: list[str] | None, choice: Choice | None = None) -> list[Page]:
    """[(function that makes a page, text of what it shows)] for --what; whats [] or None: the default."""
    choice = choice or Choice()
    whats = whats or default_of(choice)
    if whats == ["overview"]:
        overview.refuse_options(choice)
        panels = overview.panels_of(r)
        if panels:
            names = ", ".join(dict.fromkeys(name for _, name in panels))
            rows: list[Row] = [[(draw, False) for draw, _ in panels]]
            return [(lambda: pages.figure(rows, title_of(r) + overview.numbers_of(r), overview.SIZES[len(panels)])[0], names)]
        whats = ["all"]
    return [(partial(page, r, rows), ", ".join(names))
            for rows, names in pages.pages_of(drawn_of(r, whats, choice))]


def make_film(r: Results, whats: list[str], choice: Choice, path: str, rate: float) -> None:
    """The first page of panels, a frame for each record; says which panels are not on it."""
    if len(whats) > 1 or whats[0] not in ("all", *SERIES):
        fail(2, f"--film: is for one of {', '.join(SERIES)}, not for --what {','.join(whats)}")
    by = films.writer(path, rate)
    with plt.rc_context(STYLE):
        drawn = drawn_of(r, whats, choice)
        rows, _ = pages.pages_of(drawn)[0]
        fig, updates = pages.figure(rows, title_of(r))
        series = "sample" if list(drawn) == ["phase-space"] else "map"
        n = r.finished(series)
        films.save(fig, updates, n, path, rate, by)
    print(f"{clean(path)}: {n} frames")
    [what] = drawn
    names, how = SERIES[what].names_of(r, what, choice)
    left_out = names[sum(map(len, rows)):]
    if left_out:
        print(clean(f"{path}: a film is one page of panels; left out: {', '.join(left_out)}; {how}"))


def default_output(path: str) -> str:
    base = path[:-5] if path.endswith(".part") else path
    return (base[:-3] if base.endswith(".nc") else base) + ".png"


def options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="wilson-plot", description="Draw what a result file of Wilson holds.",
        epilog="Exit status: 0 drawn; 1 a Python module or ffmpeg is missing or the picture "
               "cannot be written; 2 the file cannot be read, is not of Wilson or does not hold "
               "what was asked for, or an option is wrong.")
    parser.add_argument("files", metavar="FILE.nc", nargs="+", help="result of wilson run or "
                        "wilson xs; FILE.nc.part of a run that goes on or was killed will do.  "
                        "Several: swarms are compared with the first; a FILE.csv is a table of "
                        "another code, with the names of `wilson table`")
    parser.add_argument("--man", action=Man, nargs=0, help=argparse.SUPPRESS)
    parser.add_argument("-o", "--output", metavar="FILE.png",
                        help="picture to write; the ending (png, pdf, svg) chooses the format; "
                        "default: FILE.png, of several files compare.png")
    parser.add_argument("--what", metavar="WORD[,WORD...]",
                        help="which results to draw, of " + ", ".join(WHAT) + "; overview: two or three "
                        "panels that matter for the job, on a picture that fits a screen; all: all that the file holds "
                        "and the other options apply to, on pages of four panels, in FILE.png, "
                        "FILE-page2.png and so on, or in one PDF; default: overview, with other options all")
    parser.add_argument("--show", action="store_true", help="in a window, where there is a display and matplotlib has a "
                        "toolkit for it (Tk, Qt, GTK, wx); else as a picture in FILE.png, and where it is is said")
    parser.add_argument("--energy", choices=["log", "linear"], help="scale of the energy axis of "
                        "distributions; default: log")
    plasma = parser.add_argument_group(
        "plasmas", "Times are in s and places in m unless a unit stands behind them (8ns, 5mm); "
        "the unit of the last number is that of all.")
    plasma.add_argument("--window", metavar="T0:T1", help="fit rate and frequency of the waves "
                        "to these times; default: where a wave grows or decays exponentially")
    plasma.add_argument("--time", metavar="T[,T...]", help="of maps, lines and phase space; "
                        "several for lines; default: the last, for lines five of all")
    plasma.add_argument("--mean", metavar="T0:T1", help="mean of the maps in these times, for "
                        "maps and lines")
    plasma.add_argument("--map", metavar="NAME[,NAME...]", help="variables to draw in maps and "
                        "lines; electric_field is its magnitude; default: all, of the field "
                        "E_x in one dimension, else the magnitude")
    plasma.add_argument("--line", metavar="AXIS=VALUE", action="append", help="lines through "
                        "maps at that place; of three dimensions, two of these")
    plasma.add_argument("--slice", metavar="AXIS=VALUE", help="maps of three dimensions: where "
                        "to cut; default: through the middle of z")
    plasma.add_argument("--average", metavar="NAME[,NAME...]", help="windows of averages and "
                        "phases; default: all")
    plasma.add_argument("--axes", metavar="A,B", help="of phase space, from x, y, z, vx, vy, vz; "
                        "default: x,vx")
    plasma.add_argument("--film", metavar="FILE.gif", help="a film of maps, lines or samples, "
                        "one page of panels, instead of a picture; .mp4 where ffmpeg is installed")
    plasma.add_argument("--rate", metavar="N", type=float,
                        help="frames a second of a film; default: 10")
    return parser


class Man(argparse.Action):
    """--man writes the manual page; not shown in the help."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        print("\n".join(man.page(parser)))
        parser.exit()


def whats_of(text: str | None) -> list[str]:
    """The words of --what; [] where it is not given."""
    if text is None:
        return []
    whats = list(dict.fromkeys(w.strip() for w in text.split(",")))
    for w in whats:
        if w not in WHAT and w not in ("all", "overview"):
            fail(2, f"--what: {w!r} is none of the results; {nearest_text(w, [*WHAT, 'all', 'overview'])}there are: "
                    + ", ".join(WHAT) + ", all, overview")
    if "overview" in whats and len(whats) > 1:
        fail(2, f"--what {text}: overview stands alone")
    return ["all"] if "all" in whats else whats


def compare_files(args: argparse.Namespace, choice: Choice) -> None:
    """Several files, or a single table that is no result file."""
    if len(args.files) < 2:
        fail(2, f"{args.files[0]}: a table is compared with another file; give two")
    for option in choice.given + (["film"] if args.film else []):
        fail(2, f"--{option}: is for one file; several are compared as swarms")
    if args.what not in (["all"], ["swarm"], ["overview"]):
        fail(2, f"--what {','.join(args.what)}: is for one file; several are compared as swarms")
    pages.save(compare.pages(args.files), args.output or "compare.png")


def main(argv: list[str]) -> int:
    args = options().parse_args(argv)
    choice = Choice(args)
    args.what = whats_of(args.what) or default_of(choice)
    if args.rate is not None and (not args.film or not 0 < args.rate <= 100):
        fail(2, f"--rate: {args.rate:g} is not above 0 and up to 100" if args.film else
             "--rate: is for --film")
    if args.film and args.output:
        fail(2, "--output and --film: one of the two; --film names its own file")
    if len(args.files) > 1 or args.files[0].lower().endswith(".csv"):
        compare_files(args, choice)
        say_left_out()
        return 0
    r = Results(args.files[0])
    if args.film:
        make_film(r, args.what, choice, args.film, args.rate or 10.0)
        return 0
    made = build(r, args.what, choice)
    dpi = overview.DPI if args.what == ["overview"] else pages.DPI
    if args.show and window.show(made, dpi, f"wilson: {clean(os.path.basename(r.path))}"):
        return 0
    output = args.output or default_output(r.path)
    pages.save(made, output, dpi)
    if args.show:
        print(clean(f"{output}: {window.WHY}, so the picture is in this file"))
    for line in integrals.said():
        print(clean(line))
    say_left_out()
    return 0

