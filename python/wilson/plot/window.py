# wilson/plot/window.py - pictures in a window, where there is a display and matplotlib has a toolkit for it.
from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from matplotlib import pyplot as plt

from .draw import STYLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .kinds import Floats, Page

TOOLKITS = ("QtAgg", "TkAgg", "GTK4Agg", "GTK3Agg", "WxAgg")
WHY = "there is no display"  # why nothing was shown
PART, FRAME = 0.97, 110  # of a screen: the part of its width for a picture; pixels of its height for title, tools and bars of the desktop


def has_display() -> bool:
    """A window needs one; matplotlib's toolkits wait or end the process without it."""
    return sys.platform == "darwin" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def toolkit() -> str:
    """Switches matplotlib to the first toolkit that it can load.  "": there is one; else why there is none."""
    displays = False
    for name in (["macosx"] if sys.platform == "darwin" else []) + list(TOOLKITS):
        try:
            plt.switch_backend(name)
        except Exception as e:  # each has its own; of a toolkit that is there, matplotlib says that it is headless
            displays |= "headless" in str(e)
            continue
        try:
            plt.close(plt.figure())  # some find only now that a display does not answer
            return ""
        except Exception:
            displays = True
    plt.switch_backend("Agg")
    if displays:
        return f"the display {os.environ.get('DISPLAY') or os.environ.get('WAYLAND_DISPLAY')} does not answer"
    return "matplotlib has no toolkit for windows here (Debian package: python3-pyqt5 or python3-tk)"


def screen_of(window: Any) -> tuple[int, int] | None:
    """Width and height in pixels of the screen of a window of Tk or Qt; None for other toolkits."""
    if hasattr(window, "winfo_screenwidth"):
        return window.winfo_screenwidth(), window.winfo_screenheight()
    if hasattr(window, "screen"):
        room = window.screen().availableGeometry()
        return room.width(), room.height()
    return None


def fitting_dpi(size: Sequence[float] | Floats, dpi: float, screen: tuple[int, int] | None) -> float:
    """The dpi at which a picture of `size` inches fits on a screen of pixels, at most `dpi`."""
    if screen is None:
        return dpi
    return min(dpi, PART * screen[0] / size[0], (screen[1] - FRAME) / size[1])


def show(made: list[Page], dpi: float, title: str = "wilson") -> bool:
    """Shows the pages until their windows are closed; False: they cannot be shown, and WHY says why.  A page that is larger
    than the screen is made smaller."""
    global WHY
    if not has_display():
        return False
    why = toolkit()
    if why:
        WHY = why
        return False
    with plt.rc_context(STYLE):
        for i, (make, _) in enumerate(made):
            fig = make()
            manager = fig.canvas.manager
            assert manager is not None  # every figure of pyplot has one
            fig.set_dpi(fitting_dpi(fig.get_size_inches(), dpi, screen_of(manager.window) if hasattr(manager, "window") else None))
            width, height = fig.get_size_inches()
            fig.set_size_inches(width, height, forward=True)  # the window follows
            manager.set_window_title(title + (f", page {i + 1} of {len(made)}" if len(made) > 1 else ""))
        plt.show()
    return True
