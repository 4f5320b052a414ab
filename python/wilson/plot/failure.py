# wilson/plot/failure.py - what ends a picture: an exception for callers from Python, a line and an exit status for the command.
from __future__ import annotations

import re
import sys
from typing import NoReturn


def clean(text: object) -> str:
    """Control characters for a terminal (C0, DEL, C1) as \\x1b, as in base/clean.h."""
    return re.sub("[\0-\x1f\x7f-\x9f]",
                  lambda c: "".join(f"\\x{b:02x}" for b in c[0].encode()), str(text))


class PlotError(Exception):
    """A picture cannot be made.  status: the exit status of the command, 1 if a module is missing or the picture cannot
    be written, 2 if the file does not hold what was asked for or an option is wrong."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(clean(text))
        self.status = status


def fail(status: int, text: str) -> NoReturn:
    raise PlotError(status, text)


def missing_module(what: str, packages: str) -> NoReturn:
    fail(1, f"{what} is missing in {sys.executable}; Debian package: {packages} "
            "(and then use /usr/bin/python3)")


def command(argv: list[str]) -> int:
    """The command wilson-plot; returns its exit status.  Pictures go to files, so that no display is needed."""
    try:
        try:
            import matplotlib
            matplotlib.use("Agg")
        except ImportError:
            pass  # draw.py names what is missing
        from .main import main
        return main(argv)
    except PlotError as e:
        print(f"wilson-plot: {e}", file=sys.stderr)
        return e.status


def main() -> NoReturn:
    """Entry point of an installed package."""
    sys.exit(command(sys.argv[1:]))
