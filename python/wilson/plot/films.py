# wilson/plot/films.py - film of a series of maps or samples: GIF by Pillow, which matplotlib requires
# anyway, MP4 by ffmpeg.
from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

from matplotlib import animation, pyplot as plt

from .failure import fail

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .kinds import Update

DPI = 80


def writer(path: str, rate: float) -> animation.AbstractMovieWriter:
    """The writer for a file name; an unknown extension ends the program."""
    ending = os.path.splitext(path)[1].lower()
    if ending == ".gif":
        return animation.PillowWriter(fps=rate)  # type: ignore[arg-type]  # it divides by fps, which may be a fraction
    if ending != ".mp4":
        fail(2, f"--film: {path} ends neither in .gif nor in .mp4")
    if not animation.FFMpegWriter.isAvailable():
        fail(1, f"--film: ffmpeg, which writes {path}, was not found; Debian package: ffmpeg "
                "(a film that ends in .gif does without)")
    # Even numbers of pixels: the format stores colours at every second pixel.
    return animation.FFMpegWriter(fps=rate, extra_args=[  # type: ignore[arg-type]  # as above
        "-vf", "scale=trunc(iw/2)*2:trunc(ih/2)*2", "-pix_fmt", "yuv420p"])


def save(fig: Figure, updates: list[Update], n: int, path: str, rate: float, by: animation.AbstractMovieWriter) -> None:
    """One frame for each of n records; updates: functions that set the panels to record k."""
    fig.canvas.draw()
    # The layout is computed once and is the same in every frame.
    fig.set_layout_engine("none")
    try:
        with by.saving(fig, path, DPI):
            for k in range(n):
                for update in updates:
                    update(k)
                by.grab_frame()
    except OSError as e:
        fail(1, f"{path}: cannot be written: {e.strerror or e}")
    except subprocess.CalledProcessError as e:  # matplotlib has shown the messages of ffmpeg
        fail(1, f"{path}: cannot be written: ffmpeg ended with status {e.returncode}")
    plt.close(fig)
