# wilson_plot/film.py - a film of the series of maps or of samples: GIF by Pillow, which matplotlib
# needs anyway, MP4 by ffmpeg.
import os
import subprocess

from matplotlib import animation

from .draw import plt
from .results import fail

DPI = 80


def writer(path, rate):
    """Who writes a film with that ending, or the end of the program."""
    ending = os.path.splitext(path)[1].lower()
    if ending == ".gif":
        return animation.PillowWriter(fps=rate)
    if ending != ".mp4":
        fail(2, f"--film: {path} ends neither in .gif nor in .mp4")
    if not animation.FFMpegWriter.isAvailable():
        fail(1, f"--film: ffmpeg, which writes {path}, was not found; Debian package: ffmpeg "
                "(a film that ends in .gif does without)")
    # Even numbers of pixels: the format has its colours at every second one.
    return animation.FFMpegWriter(fps=rate, extra_args=[
        "-vf", "scale=trunc(iw/2)*2:trunc(ih/2)*2", "-pix_fmt", "yuv420p"])


def save(fig, updates, n, path, rate, by):
    """One frame for each of n records; updates: what panels do for record k."""
    fig.canvas.draw()
    # Where things are has been found: it is the same in every frame.
    fig.set_layout_engine("none")
    try:
        with by.saving(fig, path, DPI):
            for k in range(n):
                for update in updates:
                    update(k)
                by.grab_frame()
    except OSError as e:
        fail(1, f"{path}: cannot be written: {e.strerror or e}")
    except subprocess.CalledProcessError as e:  # matplotlib has shown what ffmpeg said
        fail(1, f"{path}: cannot be written: ffmpeg ended with status {e.returncode}")
    plt.close(fig)
