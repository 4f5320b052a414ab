# t/tap/pictures.py - are the pictures of wilson-plot good?  It draws as the program does and looks
# for what the eye would see: labels that overlap, a legend on data, an axis without a label.
#
#   pictures.py WILSON-PLOT FOLDER RESULTS "FILE:WHAT[:OPTIONS]"...
#
# draws all pages of each (OPTIONS: words for the command line), in one process, and writes two lines
# "STATUS NAME" for each of FILE:WHAT to RESULTS.  A page has at most 1600 x 1200 pixels.  Each is laid
# out and drawn once, as it would be saved, and not saved: that lays it out and draws it twice more.
# With WN_KEEP set it is saved as FOLDER/FILE-WHAT.png, with the first option in its name.
import os
import sys

import numpy as np
from matplotlib.ticker import FixedLocator

sys.dont_write_bytecode = True
where, results = sys.argv[2], open(sys.argv[3], "w")
sys.path.insert(0, os.path.join(os.path.dirname(sys.argv[1]), "..", "..", "python"))
os.environ["MPLBACKEND"] = "Agg"
from wilson.plot import main as plot  # noqa: E402


def overlap(a, b, by=1.0):
    return min(a.x1, b.x1) - max(a.x0, b.x0) > by and min(a.y1, b.y1) - max(a.y0, b.y0) > by


def numbers(axis):
    low, high = sorted(axis.get_view_interval())
    for tick in axis.get_major_ticks() + axis.get_minor_ticks():
        if low * (1 - 1e-9) <= tick.get_loc() <= high * (1 + 1e-9):
            yield from (t for t in (tick.label1, tick.label2) if t.get_visible() and t.get_text())


def is_bare(ax):
    """Its x axis is that of the panel below, which has the numbers and the label."""
    place = ax.get_subplotspec()
    shared = len(ax.get_shared_x_axes().get_siblings(ax)) > 1
    return shared and place is not None and not place.is_last_row()


def is_bar(ax):
    return ax.get_label() == "<colorbar>"


def faults(fig):
    """Of a figure that was drawn."""
    render = fig.canvas.get_renderer()
    texts, legends = [fig._suptitle], []
    for ax in fig.axes:
        axes = [ax.xaxis, ax.yaxis]
        for child in ax.child_axes:  # a second axis, or a bar of colours
            axes.append(child.yaxis if is_bar(child) else child.xaxis)
        for axis in axes:
            ticks = list(numbers(axis))
            if not (is_bar(ax) or axis is ax.xaxis and is_bare(ax)):
                if not axis.label.get_text():
                    yield "an axis has no label"
                # One field or one result, named, is a whole axis; one number is none.
                if len(ticks) < 2 and not isinstance(axis.get_major_locator(), FixedLocator):
                    yield f"fewer than two numbers on the axis {axis.label.get_text()}"
            offset = axis.get_offset_text()
            texts += ticks + [t for t in (axis.label, offset) if t.get_text()]
        texts += ax.texts
        texts += [t for t in (ax.title, ax._left_title, ax._right_title) if t.get_text()]
        if ax.get_legend():
            legends.append(ax.get_legend())
    boxes = [(t.get_text(), t.get_window_extent(render)) for t in texts]
    page = fig.bbox
    for i, (name, b) in enumerate(boxes):
        if b.x0 < -1 or b.y0 < -1 or b.x1 > page.x1 + 1 or b.y1 > page.y1 + 1:
            yield f"off the page: {name}"
        for other, c in boxes[:i]:
            if overlap(b, c):
                yield f"texts overlap: {name} and {other}"
    for b in (legend.get_window_extent(render) for legend in legends):
        if b.x0 < -1 or b.x1 > page.x1 + 1 or b.y1 > page.y1 + 1 or b.y0 < -1:
            yield "a legend leaves the page"
        for name, c in boxes:
            if overlap(b, c, 3.0):
                yield f"a legend covers {name}"
        for ax in fig.axes:
            if overlap(b, ax.patch.get_window_extent(render), 3.0):
                yield "a legend lies on a panel"


for name, what, words in [(p.split(":", 2) + [""])[:3] for p in sys.argv[4:]]:
    words = words.split()
    tag = "".join(c if c.isalnum() else "-" for c in "".join(words[:1]))
    picture = os.path.join(where, name.split(".")[0] + "-" + what + tag + ".png")
    paths = [os.path.join(where, n) for n in name.split("+")]
    if what == "compare":
        made = plot.compare.pages(paths)
    else:
        choice = plot.Choice(plot.options().parse_args(paths + ["--what", what] + words))
        made = plot.build(plot.Results(paths[0]), plot.whats_of(what), choice)
    name = f"{name}, {' '.join([what] + words)}"
    bad, sizes = set(), True
    for i, (make, _) in enumerate(made):
        with plot.plt.rc_context(plot.STYLE):
            fig = make()
            fig.set_dpi(plot.pages.DPI)
            fig.canvas.draw()
            bad |= set(faults(fig))
            p = np.asarray(fig.canvas.buffer_rgba())[..., :3]
            if os.environ.get("WN_KEEP"):
                fig.savefig(plot.pages.name_of(picture, i), dpi=plot.pages.DPI)
        # bytes, colour by colour: a minimum along the last axis, of floats, takes as long as a third of the drawing
        ink = float(np.mean(np.minimum(np.minimum(p[..., 0], p[..., 1]), p[..., 2]) < 0.9 * 255))
        print(f"# {plot.pages.name_of(picture, i)}: {p.shape[1]} x {p.shape[0]} pixels, ink {ink:.3f}")
        # A map has ink all over; still it has a frame and more than a few colours.
        colours = len(np.unique((p[::7, ::7] / 255 * 15).astype(int).reshape(-1, 3), axis=0))
        sizes &= 600 < p.shape[1] <= 1600 and 400 < p.shape[0] <= 1200 and 0.005 < ink < 0.8 and \
            (ink < 0.5 or colours > 20)
        plot.plt.close(fig)
    for line in sorted(bad):
        print("#", line)
    results.write(f"{bool(bad):d} {name}: axes labelled, nothing overlaps, legends beside the "
                  "data\n")
    results.write(f"{not (sizes and made):d} {name}: pages of sensible size with something on them\n")
