# wilson/plot/pages.py - panels in rows, rows in pages of at most WIDTH x HEIGHT inches, and pages in
# files: FILE.png, FILE-page2.png, ...; a PDF has them all.
from __future__ import annotations

import os
import re
import textwrap
from typing import TYPE_CHECKING

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.layout_engine import ConstrainedLayoutEngine

from .draw import STYLE
from .failure import clean, fail

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .kinds import Page, Panel, Row, Update

WIDTH, HEIGHT, DPI = 12.3, 9.2, 130  # 1599 x 1196 pixels
ROWS = 2     # in a page
PAGE = 2     # instead of True for "takes a whole row": takes a page


def rows_of(groups: dict[str, list[Panel]]) -> list[tuple[Row, list[str]]]:
    """[(panels, names)] in rows of two, of groups {name: panels}; a wide panel, or an unpaired one,
    has a row of its own."""
    rows: list[tuple[Row, list[str]]] = []
    for name, panels in groups.items():
        row: Row = []
        for p in panels:
            if p[1] or len(row) == 2:
                rows.append((row, [name]))
                row = []
            row.append(p)
        rows.append((row, [name]))
    # Single narrow panels of neighbouring groups share a row.
    merged: list[tuple[Row, list[str]]] = []
    for row, names in (r for r in rows if r[0]):
        alone = len(row) == 1 and not row[0][1]
        if merged and alone and len(merged[-1][0]) == 1 and not merged[-1][0][0][1]:
            row, names = merged[-1][0] + row, merged[-1][1] + names
            merged.pop()
        merged.append((row, names))
    return merged


def pages_of(groups: dict[str, list[Panel]]) -> list[tuple[list[Row], list[str]]]:
    """[(rows, names of the groups in them)]"""
    pages: list[tuple[list[Row], list[str]]] = []
    room = 0
    for row, names in rows_of(groups):
        takes = ROWS if row[0][1] == PAGE else 1
        if takes > room:
            pages.append(([], []))
            room = ROWS
        pages[-1][0].append(row)
        pages[-1][1].extend(n for n in names if n not in pages[-1][1])
        room -= takes
    return pages


def spaces() -> ConstrainedLayoutEngine:
    """Of the panels of a page: pads in inches, spaces in parts of a panel."""
    return ConstrainedLayoutEngine(w_pad=0.1, h_pad=0.06, hspace=0.02, wspace=0.04)


def figure(rows: list[Row], title: str, size: tuple[float, float] | None = None) -> tuple[Figure, list[Update]]:
    """A page, and the functions that update its panels to another record.  size: inches, if not that of a page."""
    single = all(len(row) == 1 for row in rows)
    width = WIDTH if not single or any(row[0][1] for row in rows) else 8.2
    whole = any(row[0][1] == PAGE for row in rows)
    high = HEIGHT if whole else min(HEIGHT, HEIGHT / ROWS * len(rows) + 0.4)
    width, high = size or (width, high)
    fig = plt.figure(figsize=(width, high), layout=spaces())
    updates: list[Update] = []
    # One subfigure per row, so that its legends do not narrow the rows above.
    parts = fig.subfigures(len(rows), 1, squeeze=False).ravel()
    for part, row in zip(parts, rows):
        axes = np.atleast_1d(part.subplots(1, len(row)))
        for ax, (draw, _) in zip(axes, row):
            update = draw(ax)
            if update is not None:
                updates.append(update)
    lines = [part for line in title.split("\n") for part in textwrap.wrap(line, int(width * 9))]
    fig.suptitle("\n".join(lines[:3] + (["..."] if len(lines) > 3 else [])))
    return fig, updates


def name_of(output: str, i: int) -> str:
    """FILE.png, FILE-page2.png, ...: no name that a result file is likely to have."""
    base, ending = os.path.splitext(output)
    return output if i == 0 else f"{base}-page{i + 1}{ending}"


def older_pages(output: str, n: int) -> list[str]:
    """Pages beyond the n-th that lie there under the name of the output: an earlier picture had
    more."""
    folder, name = os.path.split(output)
    base, ending = os.path.splitext(name)
    page = re.compile(re.escape(base) + "-page([1-9][0-9]*)" + re.escape(ending))
    found = [page.fullmatch(name) for name in os.listdir(folder or ".")]
    numbers = sorted(int(m.group(1)) for m in found if m)
    return [name_of(output, i - 1) for i in numbers if i > max(n, 1)]


def save(figures: list[Page], output: str, dpi: float = DPI) -> None:
    """Writes pages, given as [(function that makes the figure, text of what it shows)]; says which
    is where, if there are several."""
    try:
        pdf = PdfPages(output) if output.lower().endswith(".pdf") else None
        for i, (make, text) in enumerate(figures):
            with plt.rc_context(STYLE):
                fig = make()
                if pdf:
                    pdf.savefig(fig)
                else:
                    fig.savefig(name_of(output, i), dpi=dpi)
                plt.close(fig)
            if len(figures) > 1:
                where = f"{output}, page {i + 1}" if pdf else name_of(output, i)
                print(clean(f"{where}: {text}"))
        if pdf:
            pdf.close()
        older = [] if pdf else older_pages(output, len(figures))
        if older:
            print(clean(f"{', '.join(older)}: not of this picture, but of an earlier one with more pages"))
    except (OSError, ValueError) as e:
        fail(1, f"{output}: cannot be written: {getattr(e, 'strerror', None) or e}")
