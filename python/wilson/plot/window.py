# wilson/plot/window.py - pictures in a window, where there is a display and matplotlib has a toolkit for it.
import os
import sys

from .draw import STYLE, plt

TOOLKITS = ("QtAgg", "TkAgg", "GTK4Agg", "GTK3Agg", "WxAgg")
WHY = "there is no display"  # why nothing was shown


def has_display():
    """A window needs one; matplotlib's toolkits wait or end the process without it."""
    return sys.platform == "darwin" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def toolkit():
    """Switches matplotlib to the first toolkit that it can load; False: there is none."""
    for name in (["macosx"] if sys.platform == "darwin" else []) + list(TOOLKITS):
        try:
            plt.switch_backend(name)
            plt.close(plt.figure())  # toolkits find only now that a display does not answer
            return True
        except Exception:  # each has its own
            continue
    plt.switch_backend("Agg")
    return False


def show(made, dpi):
    """Shows the pages until their windows are closed; False: they cannot be shown, and WHY says why."""
    global WHY
    if not has_display():
        return False
    if not toolkit():
        WHY = "matplotlib has no toolkit for windows here (Debian package: python3-pyqt5 or python3-tk)"
        return False
    with plt.rc_context(STYLE):
        for make, _ in made:
            make().set_dpi(dpi)
        plt.show()
    return True
